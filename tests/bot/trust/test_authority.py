"""What may be done follows from the user and the stored table; nobody else may do it (P10, T16)."""

from collections.abc import Callable

import pytest

from bot.chat import button_press
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
async def test_every_request_by_everybody(
    tables: Tables, game: AnyGame, trials_done: Callable[[int], None]
) -> None:
    """Every kind of person sends every request in every situation: done if allowed, refused if not."""
    situated_tables = await situations(tables, game)
    assert await find_wrong_verdicts(situated_tables) == []
    trials_done(sum(len(situated_tables[case.situation].requests) for case in REQUEST_CASES))


def test_every_request_is_in_the_matrix(tables: Tables) -> None:
    """Every button, every command of ``/table`` and every decider of the moderators has a request case."""
    names = {case.name for case in REQUEST_CASES}
    assert set(HANDLERS) | set(FORMS) <= names
    assert {f"table {command.name}" for command in TABLE_COMMANDS.commands} <= names
    deciders = moderator_deciders()
    assert deciders
    assert deciders <= COVERED_DECIDERS


def _everybody_moderates(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "may_moderate", lambda table, request: True)


def _seat_strangers(patch: pytest.MonkeyPatch) -> None:
    real = Table.seat_of
    patch.setattr(Table, "seat_of", lambda table, user: Seat(1) if (s := real(table, user)) is None else s)


def _admins_moderate_everywhere(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        Table, "may_moderate", lambda table, request: request.user == table.row.host or request.admin
    )


def _show_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(button_press, "require_visible", lambda table, request: table)


def _let_any_seat_play(patch: pytest.MonkeyPatch) -> None:
    def playing_seat(table: Table, request: Request) -> object:
        if table.match is None or table.match.to_act is None:
            raise Refusal("nothing is asked")
        return table.match.to_act, table.match

    patch.setattr("bot.host.play.playing_seat", playing_seat)


@pytest.mark.promise("T16", sensitivity=True)
@pytest.mark.parametrize(
    "defect",
    [
        _everybody_moderates,
        _seat_strangers,
        _admins_moderate_everywhere,
        _show_everything,
        _let_any_seat_play,
    ],
)
async def test_a_default_allow_is_caught(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, defect: Callable[[pytest.MonkeyPatch], None]
) -> None:
    """Sensitivity: with any one of the checks gone, somebody may do too much."""
    situated_tables = await situations(tables, GAME)
    defect(monkeypatch)
    assert await find_wrong_verdicts(situated_tables)
