"""What may be done follows from the user and the stored table; nobody else may do it (P10, T16)."""

from collections.abc import Callable
from typing import Any, Final

import msgspec
import pytest

from bot.chat import component_press
from bot.chat.handlers import FORM_HANDLERS, HANDLERS
from bot.chat.table_commands import TABLE_COMMAND_GROUP
from bot.host.deciders import moderation, seats, voting
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.rows import Status
from rules.catalogue import GAMES
from rules.model import Seat
from tests.bot.trust.authority import (
    COVERED_DECIDERS,
    REQUEST_CASES,
    find_wrong_verdicts,
    moderator_deciders,
)
from tests.bot.trust.seat_authority import SEAT_CASES, seat_situations
from tests.bot.trust.seeded_defects import (
    ask_present_players_only,
    forget_earlier_seats,
    let_moderators_decide,
)
from tests.bot.trust.situations import make_situations
from tests.conformance.setups import games_with_secrets, open_games
from tests.trials import cases

GAME = next(iter(GAMES.values()))
SHORT_RUN_GAME_KEYS: Final = (next(iter(games_with_secrets())), next(iter(open_games())))
"""The games whose tables ``make test`` tries: one with secrets and an open one."""


@pytest.mark.trust_test("T16")
@pytest.mark.parametrize("key", cases(GAMES, *SHORT_RUN_GAME_KEYS))
async def test_requests_are_done_only_where_allowed(
    tables: Tables, key: str, add_trials: Callable[[int], None]
) -> None:
    """Every kind of person sends every request in every situation: done if allowed, refused if not."""
    situated_tables = await make_situations(tables, GAMES[key])
    assert await find_wrong_verdicts(situated_tables) == []
    add_trials(sum(len(situated_tables[case.situation].requests) for case in REQUEST_CASES))


@pytest.mark.trust_test("T16")
@pytest.mark.parametrize("key", cases(GAMES, *SHORT_RUN_GAME_KEYS))
async def test_acts_about_seats_and_undos_are_done_only_where_allowed(
    tables: Tables, key: str, add_trials: Callable[[int], None]
) -> None:
    """Acts about seats, undos and roll-backs, by who has seen a hand and who has not, with a seat or not."""
    situated_tables = seat_situations(await make_situations(tables, GAMES[key]))
    seat_cases = [case for case in SEAT_CASES if case.situation in situated_tables]
    assert {case.situation for case in SEAT_CASES} - set(situated_tables) <= {"offered to other"}, "left out"
    assert await find_wrong_verdicts(situated_tables, seat_cases) == []
    add_trials(sum(len(situated_tables[case.situation].requests) for case in seat_cases))


def test_every_request_is_in_the_matrix() -> None:
    """Every button, every command of ``/table`` and every decider of the moderators has a request case."""
    names = {case.name for case in (*REQUEST_CASES, *SEAT_CASES)}
    assert set(HANDLERS) | set(FORM_HANDLERS) <= names
    assert {f"table {command.name}" for command in TABLE_COMMAND_GROUP.commands} <= names
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
        Table, "may_moderate", lambda table, request: request.user == table.row.host or request.is_admin
    )


def _show_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(component_press, "require_visible", lambda table, request: table)


def _let_any_seat_play(patch: pytest.MonkeyPatch) -> None:
    def require_playing_seat(table: Table, request: Request) -> object:
        if table.match is None or table.match.to_act is None:
            raise Refusal("nothing is asked")
        return table.match.to_act, table.match

    patch.setattr("bot.host.deciders.play.require_playing_seat", require_playing_seat)


@pytest.mark.trust_test("T16", sensitivity=True)
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
    situated_tables = await make_situations(tables, GAME)
    defect(monkeypatch)
    assert await find_wrong_verdicts(situated_tables)


def _ask_no_player_of_a_seat(patch: pytest.MonkeyPatch) -> None:
    real = seats.offer_seat

    def offer_seat(*args: Any, has_left: bool, **options: Any) -> Decision:
        return real(*args, has_left=True, **options)

    patch.setattr(seats, "offer_seat", offer_seat)


def _let_everybody_object(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Table, "unresigned_users", property(lambda _: tuple(range(10_000))))


def _resume_without_asking(patch: pytest.MonkeyPatch) -> None:
    def go_on(table: Table, *_: object) -> Decision:
        return Decision(table=table.with_row(status=Status.PLAYING), answer="")

    patch.setattr(moderation, "ask_to_go_on", go_on)


def _let_everybody_vote(patch: pytest.MonkeyPatch) -> None:
    real = voting.vote

    def vote(table: Table, request: Request, question_id: int, *, is_yes: bool) -> Decision:
        question = table.row.question
        if question is not None:
            asked = msgspec.structs.replace(question, asked_users=(*question.asked_users, request.user))
            table = table.with_row(question=asked)
        return real(table, request, question_id, is_yes=is_yes)

    patch.setattr(voting, "vote", vote)


@pytest.mark.trust_test("T16", sensitivity=True)
@pytest.mark.parametrize(
    "defect",
    [
        forget_earlier_seats,
        ask_present_players_only,
        let_moderators_decide,
        _ask_no_player_of_a_seat,
        _let_everybody_object,
        _resume_without_asking,
        _let_everybody_vote,
    ],
)
async def test_a_forgotten_hand_is_caught(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, defect: Callable[[pytest.MonkeyPatch], None]
) -> None:
    """Sensitivity: with any one of these rules gone, somebody who has seen a hand may do too much."""
    situated_tables = seat_situations(await make_situations(tables, GAME))
    seat_cases = [case for case in SEAT_CASES if case.situation in situated_tables]
    assert await find_wrong_verdicts(situated_tables, seat_cases) == []
    defect(monkeypatch)
    assert await find_wrong_verdicts(situated_tables, seat_cases)
