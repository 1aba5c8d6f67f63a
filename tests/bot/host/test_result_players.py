"""Who stands in the result of a game whose seats have changed hands, as a pure function of the table."""

import random
from collections.abc import Collection
from functools import cache
from typing import Final, TypeAlias

import msgspec
import pytest

from bot.chat.result_posts import result_post
from bot.host.deciders.results import result_of
from bot.host.table import Table
from bot.store.clock_rows import SeatClock
from bot.store.results import FORMER_PLAYER, NewResult, Participation, UnratedReason
from bot.store.rows import Status
from bot.store.seat_rows import EarlierPlayer, SeatRow
from rules.match import Match
from rules.model import Resign, Seat
from rules.players import RANDOM_PLAYER
from rules.record import Record
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.ended_games import GAME_ENDED_BY_RESIGNATION
from tests.bot.host.playing import FIRST_USER, GAMES_AND_TOYS, default_setup

PLAYED, LEFT, TOOK_OVER = Participation.PLAYED, Participation.LEFT_EARLY, Participation.TOOK_OVER
GUEST_USER: Final = 900
COMPUTER: Final = "casual"
Departure: TypeAlias = tuple[int | None, int]
"""Who left a seat (None: a computer player), and at which index of the history."""


@cache
def finished_table() -> Table:
    """Return a table of three people with a finished game."""
    setup, rng = default_setup(GAMES_AND_TOYS["pearls"], 3), random.Random(3)
    match = Match.begin(setup.game, setup.seat_count, setup.options, rng.randbytes(32))
    while (seat := match.to_act) is not None:
        match = match.play(seat, RANDOM_PLAYER.choose(setup.game, match.view(seat), rng))
    return make_table(setup, match).with_row(status=Status.OVER)


def seat_row(user: int | None, *departures: Departure, missed_turn_count: int = 0) -> SeatRow:
    """Return the row of a seat with a player (None: a computer player) after these departures."""
    earlier = tuple(EarlierPlayer(f"Player {who}", end_index, who) for who, end_index in departures)
    clock = SeatClock(missed_turn_count=missed_turn_count) if missed_turn_count else None
    computer = COMPUTER if user is None else None
    return SeatRow(f"Player {user}", user, computer, earlier_players=earlier, clock=clock)


ERASED_ROW = msgspec.structs.replace(
    seat_row(None), earlier_players=(EarlierPlayer(FORMER_PLAYER, 1, erased=True),)
)
"""The row of a seat whose only player had their data erased."""


def result_with(*rows: SeatRow, status: Status = Status.OVER) -> NewResult:
    """Return the result of the game with these players at its first seats."""
    after = finished_table().with_row(status=status)
    for seat, row in enumerate(rows):
        after = after.with_seat(seat, row)
    people = tuple(SeatRow("Somebody", FIRST_USER + seat) for seat in range(3))
    before = after.with_row(status=Status.PLAYING, seats=people)
    result = result_of(before, after)
    assert result is not None
    return result


def participations_at_seat(result: NewResult, seat: int) -> list[tuple[Participation, int | None]]:
    """Return how the players of a seat took part, and their users."""
    return [(each.participation, each.user) for each in result.players if each.seat == seat]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (seat_row(FIRST_USER), [(PLAYED, FIRST_USER)]),
        (seat_row(GUEST_USER, (FIRST_USER, 1)), [(TOOK_OVER, GUEST_USER), (LEFT, FIRST_USER)]),
        (seat_row(FIRST_USER, (FIRST_USER, 1), (GUEST_USER, 2)), [(PLAYED, FIRST_USER)]),
        (seat_row(None, (FIRST_USER, 1), (GUEST_USER, 2)), [(TOOK_OVER, None), (LEFT, FIRST_USER)]),
        (seat_row(GUEST_USER, (None, 1)), [(TOOK_OVER, GUEST_USER)]),
        (seat_row(None, (None, 1), (GUEST_USER, 2)), [(TOOK_OVER, None)]),
        (ERASED_ROW, [(TOOK_OVER, None), (LEFT, None)]),
    ],
    ids=[
        "stayed",
        "left",
        "came back",
        "left first",
        "after a computer",
        "after a computer and a person",
        "erased",
    ],
)
def test_only_the_first_player_of_a_seat_is_rated_for_it(
    row: SeatRow, expected: list[tuple[Participation, int | None]]
) -> None:
    """Only who had it first is rated for a seat; a computer player that was replaced is nobody who left."""
    assert sorted(participations_at_seat(result_with(row), 0), key=str) == sorted(expected, key=str)


def test_somebody_who_left_stands_below_somebody_who_played_and_was_last() -> None:
    """They do so even where their places are the same and the one who left had the first seat."""
    match = finished_table().match
    assert match is not None
    last = max(match.returns().standings, key=lambda each: each.rank)
    rows = [
        seat_row(FIRST_USER + seat)
        if seat == last.seat
        else seat_row(GUEST_USER + seat, (FIRST_USER + seat, 1))
        for seat in range(3)
    ]
    assert last.rank == 3
    *_, last_player, first_leaver, second_leaver = result_with(*rows).players
    assert (last_player.place, last_player.participation) == (3, PLAYED)
    assert [each.participation for each in (first_leaver, second_leaver)] == [LEFT, LEFT]
    assert {first_leaver.place, second_leaver.place} == {3}


def test_a_substitute_for_one_turn_stands_in_no_result() -> None:
    """Whoever is substituted until they are back has left, and the computer stands there by its title."""
    row = seat_row(FIRST_USER)
    row_with_one_turn = msgspec.structs.replace(row, substitute=COMPUTER, substitute_only_turn_start=0)
    row_until_back = msgspec.structs.replace(row, substitute=COMPUTER, substituted_since_index=0)
    assert participations_at_seat(result_with(row_with_one_turn), 0) == [(PLAYED, FIRST_USER)]
    result = result_with(row_until_back)
    assert {*participations_at_seat(result, 0)} == {(TOOK_OVER, None), (LEFT, FIRST_USER)}
    (computer,) = [each for each in result.players if each.participation is TOOK_OVER]
    assert (computer.name, computer.computer) == ("Casual", COMPUTER)


def test_a_substituted_player_is_not_said_to_have_left() -> None:
    """The result names who gave up a seat apart from those for whom a computer player finished the game."""
    substituted = msgspec.structs.replace(
        seat_row(FIRST_USER), substitute=COMPUTER, substituted_since_index=1
    )
    replaced = seat_row(None, (FIRST_USER + 1, 1))
    substituted_successor = msgspec.structs.replace(
        seat_row(GUEST_USER, (FIRST_USER, 1)), substitute=COMPUTER, substituted_since_index=2
    )

    def leaver_lines(*rows: SeatRow) -> list[str]:
        table = finished_table()
        for seat, row in enumerate(rows):
            table = table.with_seat(seat, row)
        return [line for line in result_post(table).text.splitlines() if "left" in line]

    assert leaver_lines(substituted, replaced) == [
        f"Player {FIRST_USER + 1} left early.",
        f"A computer player finished the game for Player {FIRST_USER}, who counts as having left.",
    ]
    assert leaver_lines(substituted_successor) == [f"Player {FIRST_USER} left early."]
    assert leaver_lines(seat_row(FIRST_USER)) == []


def test_somebody_who_resigned_is_not_said_to_be_substituted() -> None:
    """No computer player finished that game for them."""
    setup = default_setup(GAME_ENDED_BY_RESIGNATION, 2)
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32)).append(
        Record(Seat(0), Resign())
    )
    text = result_post(make_table(setup, match).with_row(status=Status.OVER)).text
    assert "resigned" in text
    assert "computer player" not in text


def test_the_result_names_those_whom_it_does_not_rate() -> None:
    """A rated result says who took over a seat: for them it is not rated."""

    def rated_line(*rows: SeatRow) -> str:
        table = finished_table()
        for seat, row in enumerate(rows):
            table = table.with_seat(seat, row)
        (line,) = [each for each in result_post(table).text.splitlines() if "rated" in each]
        return line.partition(" `/stats`")[0]

    successors = [seat_row(GUEST_USER + seat, (FIRST_USER + seat, 1)) for seat in range(2)]
    names = [row.name for row in successors]
    assert rated_line(seat_row(FIRST_USER)) == "-# This game is rated."
    assert (
        rated_line(successors[0]) == f"-# This game is rated, but not for {names[0]}, who took over a seat."
    )
    assert rated_line(*successors) == (
        f"-# This game is rated, but not for {names[0]} and {names[1]}, who took over seats."
    )


@pytest.mark.parametrize("status", [Status.OVER, Status.ENDED_EARLY])
def test_turns_missed_after_a_player_has_left_count_for_nobody(status: Status) -> None:
    """They count neither for that player nor for the computer player that has the seat then."""
    rows = (
        seat_row(None, (FIRST_USER, 1), missed_turn_count=3),
        seat_row(None, (FIRST_USER + 1, 2), missed_turn_count=3),
        seat_row(None, missed_turn_count=3),
    )
    assert {each.missed_turn_count for each in result_with(*rows, status=status).players} == {0}


def test_missed_turns_of_a_successor_who_resigned_are_not_the_first_player_s() -> None:
    """They are not, even in a game that all have left."""
    setup = default_setup(GAMES_AND_TOYS["oceans"], 4)
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32)).append(
        Record(Seat(0), Resign())
    )
    successor = seat_row(GUEST_USER, (FIRST_USER, 0), missed_turn_count=3)
    before = make_table(setup, match).with_seat(0, successor)
    after = before.with_row(status=Status.ENDED_EARLY)
    for seat in (1, 2, 3):
        after = after.with_seat(seat, seat_row(None, (FIRST_USER + seat, 1)))
    result = result_of(before, after)
    assert result is not None
    assert [each.missed_turn_count for each in result.players if each.user == FIRST_USER] == [0]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ((seat_row(FIRST_USER), seat_row(None), seat_row(None)), None),
        ((seat_row(FIRST_USER, (None, 1)), seat_row(None), seat_row(None)), UnratedReason.NO_OPPONENT),
        (
            (seat_row(FIRST_USER), seat_row(GUEST_USER, (None, 1)), seat_row(None, (None, 1))),
            UnratedReason.NO_OPPONENT,
        ),
    ],
    ids=["person and computers", "computers alone", "one person alone"],
)
def test_two_must_have_played_from_the_start(rows: tuple[SeatRow, ...], reason: UnratedReason | None) -> None:
    """One of the two must be a person; somebody who took a seat over later is no opponent."""
    assert result_with(*rows).unrated_reason is reason


def test_a_game_that_is_over_or_of_computers_alone_gets_no_result() -> None:
    """Neither a later change of a table that is over, nor the end of a game of computers, makes a result."""
    over = finished_table()
    assert result_of(over, over) is None
    table_of_computers = over.with_row(status=Status.PLAYING, seats=(seat_row(None),) * 3)
    assert result_of(table_of_computers, table_of_computers.with_row(status=Status.ENDED_EARLY)) is None


def test_an_erased_person_is_placed_by_when_they_left() -> None:
    """Not when another erased person left that seat later, and not after they had resigned."""
    two_erased = msgspec.structs.replace(
        seat_row(None),
        earlier_players=(
            EarlierPlayer(FORMER_PLAYER, 1, erased=True),
            EarlierPlayer(f"{FORMER_PLAYER} 2", 9, erased=True),
        ),
    )
    rows = (two_erased, seat_row(None, (FIRST_USER + 1, 5)), seat_row(None))
    result = result_with(*rows, status=Status.ENDED_EARLY)
    assert _seats_by_place(result, computers={2}) == [1, 0]

    setup = default_setup(GAMES_AND_TOYS["oceans"], 2)
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32)).append(
        Record(Seat(0), Resign())
    )
    before = make_table(setup, match)
    erased = msgspec.structs.replace(
        seat_row(None), earlier_players=(EarlierPlayer(FORMER_PLAYER, 9, erased=True),)
    )
    after = before.with_row(status=Status.ENDED_EARLY).with_seat(0, erased)
    after = after.with_seat(1, seat_row(None, (FIRST_USER + 1, 5)))
    result_after_resigning = result_of(before, after)
    assert result_after_resigning is not None
    assert _seats_by_place(result_after_resigning) == [1, 0]


def _seats_by_place(result: NewResult, computers: Collection[int] = ()) -> list[int]:
    """Return the seats of people, the best place first; places of different people differ."""
    players = sorted(
        (each for each in result.players if each.seat not in computers), key=lambda each: each.place
    )
    assert len({each.place for each in players}) == len(players)
    return [each.seat for each in players]


def test_places_of_a_game_that_all_have_left() -> None:
    """The last departure of each counts; a seat that a computer had first has no place."""
    rows = (
        seat_row(None, (FIRST_USER, 2), (GUEST_USER, 3), (FIRST_USER, 9)),
        seat_row(None, (FIRST_USER + 1, 5)),
        seat_row(None, (None, 1), (GUEST_USER + 1, 7)),
    )
    result = result_with(*rows, status=Status.ENDED_EARLY)
    (first, second) = result.players
    assert [(each.seat, each.participation) for each in (first, second)] == [(0, LEFT), (1, LEFT)]
    assert first.place < second.place


def test_whoever_leaves_a_game_later_has_a_better_place_if_all_leave() -> None:
    """Resigning counts as leaving, but not for a predecessor; at one index those who go are equal."""
    setup = default_setup(GAMES_AND_TOYS["oceans"], 5)
    match = Match.begin(setup.game, setup.seat_count, setup.options, bytes(32))
    first_index = len(match.history)
    for seat in (0, 1):
        match = match.append(Record(Seat(seat), Resign()))
    before = after = make_table(setup, match)
    for seat, row in enumerate(
        (
            seat_row(FIRST_USER, missed_turn_count=3),
            seat_row(GUEST_USER, (FIRST_USER + 1, first_index)),
            seat_row(None, (FIRST_USER + 2, first_index + 1)),
            seat_row(None, (FIRST_USER + 3, first_index + 1)),
            seat_row(None),
        )
    ):
        after = after.with_seat(seat, row)
    result = result_of(before, after.with_row(status=Status.ENDED_EARLY))
    assert result is not None
    assert [(each.seat, each.place) for each in result.players] == [(4, 1), (2, 2), (3, 2), (0, 4), (1, 5)]
    computer, *_, resigned, _ = result.players
    assert (computer.participation, computer.computer) == (PLAYED, COMPUTER)
    assert (resigned.score, resigned.missed_turn_count) == (0, 3), "not away, except for missed turns"
