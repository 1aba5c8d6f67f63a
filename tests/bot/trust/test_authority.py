"""What may be done follows from the user and the stored table; nobody else may do it (P10, T16)."""

from collections.abc import Callable

import pytest

from bot.chat import handlers
from bot.chat.handlers import FORMS, HANDLERS
from bot.chat.table_commands import TABLE_COMMANDS
from bot.host.table import Refusal, Request, Table
from bot.host.tables import Tables
from rules.catalogue import GAMES
from rules.game import AnyGame, Seat
from tests.bot.trust.authority import (
    COVERED_DECIDERS,
    REQUEST_CASES,
    find_wrong_verdicts,
    moderator_deciders,
    situations,
)

GAME = next(iter(GAMES.values()))


@pytest.mark.promise("T16")
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
async def test_the_matrix(tables: Tables, game: AnyGame, trials_done: Callable[[int], None]) -> None:
    """Every kind of person, every request, every situation: done if it may be, refused if not."""
    standing = await situations(tables, game)
    assert await find_wrong_verdicts(standing) == []
    trials_done(sum(len(standing[case.situation].requests) for case in REQUEST_CASES))


def test_the_matrix_is_whole(tables: Tables) -> None:
    """Every button, every command of ``/table`` and every decider of the moderators stands in the matrix."""
    names = {case.name for case in REQUEST_CASES}
    assert set(HANDLERS) | set(FORMS) <= names
    assert {f"table {command.name}" for command in TABLE_COMMANDS.commands} <= names
    deciders = moderator_deciders()
    assert deciders
    assert deciders <= COVERED_DECIDERS


def _everybody_oversees(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "may_moderate", lambda table, request: True)


def _strangers_sit(patch: pytest.MonkeyPatch) -> None:
    real = Table.seat_of
    patch.setattr(Table, "seat_of", lambda table, user: Seat(1) if (s := real(table, user)) is None else s)


def _admins_oversee_everywhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        Table, "may_moderate", lambda table, request: request.user == table.row.host or request.admin
    )


def _everything_is_visible(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(handlers, "require_visible", lambda table, request: table)


def _any_seat_may_play(patch: pytest.MonkeyPatch) -> None:
    def playing_seat(table: Table, request: Request) -> object:
        if table.match is None or table.match.to_act is None:
            raise Refusal("nothing is asked")
        return table.match.to_act, table.match

    patch.setattr("bot.host.play.playing_seat", playing_seat)


@pytest.mark.promise("T16", sensitivity=True)
@pytest.mark.parametrize(
    "defect",
    [
        _everybody_oversees,
        _strangers_sit,
        _admins_oversee_everywhere,
        _everything_is_visible,
        _any_seat_may_play,
    ],
)
async def test_a_default_allow_is_caught(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, defect: Callable[[pytest.MonkeyPatch], None]
) -> None:
    """Sensitivity: with any one of the checks gone, the matrix finds somebody who may too much."""
    standing = await situations(tables, GAME)
    defect(monkeypatch)
    assert await find_wrong_verdicts(standing)
