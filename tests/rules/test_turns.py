"""Turns: one seat's runs of choices, whatever chance and forced choices come between."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from rules.australis.actions import TakeDie
from rules.catalogue import GAMES
from rules.match import Match
from rules.model import CHANCE, Resign, Seat
from rules.players import CASUAL_PLAYER
from rules.record import Record
from rules.turns import Turn, last_turn_end, newest_turn, running_turn, turns_from
from tests.rules.pearls import parse_action

A, B, C = Seat(0), Seat(1), Seat(2)
MOVE = parse_action("wave 3")
ACTORS = st.sampled_from([CHANCE, A, B, C])
HISTORIES = st.lists(st.tuples(ACTORS, st.booleans()), max_size=14).map(
    lambda pairs: tuple(Record(actor, MOVE, auto) for actor, auto in pairs)
)


def _parse_history(text: str) -> tuple[Record, ...]:
    """Read one letter a record: a seat's choice, in lower case a forced one; ``.`` is chance.

    A seat's letter before ``!`` is its resignation, before ``~`` one in the middle of a turn.  A turn ends
    at ``|``, whoever chooses next.
    """
    records: list[Record] = []
    for letter in text:
        if letter == "|":
            records[-1] = structs.replace(records[-1], ends_turn=True)
        elif letter in "!~":
            records[-1] = Record(records[-1].actor, Resign(), in_running_turn=letter == "~")
        else:
            actor = CHANCE if letter == "." else Seat("ABC".index(letter.upper()))
            records.append(Record(actor, MOVE, letter.islower()))
    return tuple(records)


def test_chance_and_forced_choices_belong_to_the_turn() -> None:
    """A turn goes on over chance and forced choices, and ends at the next choice of another seat."""
    assert turns_from(_parse_history("..AA.Ab.B.A")) == (Turn(A, 2, 8), Turn(B, 8, 10), Turn(A, 10, 11))


def test_an_answer_is_a_turn_of_its_own() -> None:
    """An answer in another's turn is counted apart, and so is what follows it."""
    assert [(turn.seat, turn.start) for turn in turns_from(_parse_history("AABAA"))] == [
        (A, 0),
        (B, 2),
        (A, 3),
    ]


@given(HISTORIES, st.integers(0, 14))
def test_turns_are_the_runs_of_choices(history: tuple[Record, ...], index: int) -> None:
    """The turns are the runs of choices with the same actor, and cover everything from the first on."""
    choices = [(i, record.actor) for i, record in enumerate(history) if record.is_choice]
    runs = [list(run) for _, run in groupby(choices, key=lambda choice: choice[1])]
    ends = [run[0][0] for run in runs[1:]] + [len(history)] * bool(runs)
    expected = [Turn(run[0][1], run[0][0], end) for run, end in zip(runs, ends, strict=True)]
    assert list(turns_from(history)) == expected
    assert list(turns_from(history, index)) == [turn for turn in expected if turn.end > index]
    assert newest_turn(history) == (expected[-1] if expected else None)


@given(HISTORIES, st.sampled_from([None, A, B]))
def test_a_running_turn_is_not_the_last_one(history: tuple[Record, ...], to_act: Seat | None) -> None:
    """A turn that a seat is still taking does not count: the end is that of its turn before."""
    turns = list(turns_from(history))
    if turns and turns[-1].seat == A == to_act:
        turns.pop()
    assert last_turn_end(history, A, to_act) == max((turn.end for turn in turns if turn.seat == A), default=0)


def test_a_seat_may_have_two_turns_in_a_row() -> None:
    """The first one ends where its last record says so, before the second one has begun too."""
    assert turns_from(_parse_history("BA.A.|")) == (Turn(B, 0, 1), Turn(A, 1, 5))
    assert turns_from(_parse_history("BA.A.|AA")) == (Turn(B, 0, 1), Turn(A, 1, 5), Turn(A, 5, 7))
    assert turns_from(_parse_history("A|C!A")) == (Turn(A, 0, 1), Turn(C, 1, 2), Turn(A, 2, 3))
    assert [running_turn(_parse_history(text), A) for text in ("BA.", "BA.|", "BA|AA")] == [
        Turn(A, 1, 3),
        None,
        Turn(A, 2, 4),
    ]
    assert last_turn_end(_parse_history("BA.|"), A, A) == last_turn_end(_parse_history("BA.|A"), A, A) == 3
    assert last_turn_end(_parse_history("BA."), A, A) == 0


def _matches_after_choices(key: str, seat_count: int, seed: int) -> Iterator[Match]:
    """Yield a match of computer players after each choice."""
    game, rng = GAMES[key], random.Random(seed)
    match = Match.begin(game, seat_count, game.options_type(), rng.randbytes(32))
    while (seat := match.to_act) is not None:
        match = match.play(seat, CASUAL_PLAYER.choose(game, match.view(seat), rng))
        yield match


def test_the_first_turn_of_a_round_is_a_turn_of_its_own() -> None:
    """Who has taken the last die, or has chosen a tile, begins another turn with the next round's first die.

    Pictures mark what is new in that turn alone, and **Undo turn** takes back no more than it.
    """
    consecutive_count = 0
    for match in _matches_after_choices("australis", 2, 0):
        turn = newest_turn(match.history)
        assert turn is not None
        records = match.history[turn.start : turn.end]
        assert sum(record.is_choice and isinstance(record.action, TakeDie) for record in records) <= 1
        earlier_turn = newest_turn(match.history, turn.start)
        if earlier_turn is None or earlier_turn.seat != turn.seat:
            continue
        consecutive_count += 1
        assert isinstance(records[0].action, TakeDie)
        assert match.recent_events == match.events_since(turn.start)
        undo = match.possible_turn_undo(turn.seat)
        assert match.is_over or (undo is not None and undo.kept_length >= turn.start)
    assert consecutive_count


def test_an_answer_before_an_own_turn_belongs_to_it() -> None:
    """Who defends in Currents and is next has one turn, though the board counts another one."""
    *_, match = _matches_after_choices("currents", 4, 5)
    turns, answer_types = turns_from(match.history), match.game.words.answer_types
    assert all(turn.seat != next_turn.seat for turn, next_turn in pairwise(turns))
    choices = [[each for each in match.history[turn.start : turn.end] if each.is_choice] for turn in turns]
    assert any(len(each) > 1 and isinstance(each[0].action, answer_types) for each in choices)


def test_a_resignation_in_a_turn_belongs_to_it() -> None:
    """At the start of a turn or after it, it is one of its own."""
    assert turns_from(_parse_history("BAC~AB")) == (Turn(B, 0, 1), Turn(A, 1, 4), Turn(B, 4, 5))
    assert turns_from(_parse_history("BAC!B")) == (Turn(B, 0, 1), Turn(A, 1, 2), Turn(C, 2, 3), Turn(B, 3, 4))
    assert turns_from(_parse_history("BAA~C")) == (Turn(B, 0, 1), Turn(A, 1, 3), Turn(C, 3, 4))
    assert turns_from(_parse_history("BAA!C")) == (Turn(B, 0, 1), Turn(A, 1, 2), Turn(A, 2, 3), Turn(C, 3, 4))
    assert last_turn_end(_parse_history("ABAC~"), A, A) == 1
    assert last_turn_end(_parse_history("ABAC!"), A, B) == 3, "the resignation is news"


@pytest.mark.parametrize("key", GAMES)
def test_a_resignation_in_the_middle_of_a_turn_is_marked(key: str) -> None:
    """Also in a match from a snapshot or from its records."""
    game, rng = GAMES[key], random.Random(f"in a turn/{key}")
    counts = {False: 0, True: 0}
    seed = rng.randbytes(32)
    match = Match.begin(game, max(game.player_counts), game.options_type(), seed)
    for _ in range(40):
        seat = match.to_act
        assert seat is not None
        turn = running_turn(match.history, seat)
        is_in_turn = turn is not None
        for leaver in range(match.seat_count):
            if not match.can_resign(Seat(leaver)):
                continue
            resigned = match.play(Seat(leaver), Resign())
            record = resigned.history[len(match.history)]
            assert record.in_running_turn is is_in_turn
            counts[record.in_running_turn] += 1
            if record.in_running_turn and turn is not None:
                assert resigned.recent_events[: len(match.recent_events)] == match.recent_events
                assert newest_turn(resigned.history) == Turn(seat, turn.start, len(resigned.history))
            arguments = game, match.seat_count, match.options, seed
            records = [
                structs.replace(each, in_running_turn=False, ends_turn=False) for each in resigned.history
            ]
            resumed = Match.from_snapshot(*arguments, records, resigned.snapshot())
            assert resumed.history == Match.replay(*arguments, records).history == resigned.history
        match = match.play(seat, rng.choice(match.legal_actions(seat)))
        if match.is_over:
            break
    assert min(counts.values()) > 5 or not any(counts.values())


def _finished_turns(match: Match) -> tuple[Turn, ...]:
    turns = turns_from(match.history)
    return turns[:-1] if running_turn(match.history, match.to_act) is not None else turns


@pytest.mark.parametrize("key", GAMES)
def test_a_resignation_changes_no_turn_that_is_over(key: str) -> None:
    """Whoever resigns, and wherever: also who has just ended a turn."""
    game, rng = GAMES[key], random.Random(f"over before/{key}")
    resigned_seats: list[tuple[Seat, Seat]] = []  # with who has ended the last turn
    for seat_count in (game.player_counts[0], game.player_counts[-1]):
        match = Match.begin(game, seat_count, game.options_type(), rng.randbytes(32))
        while not match.is_over and len(match.history) < 60:
            finished_turns = _finished_turns(match)
            matches = [
                (Seat(seat), match.play(Seat(seat), Resign()))
                for seat in range(seat_count)
                if match.can_resign(Seat(seat))
            ]
            for seat, resigned in matches:
                assert _finished_turns(resigned)[: len(finished_turns)] == finished_turns
                newest = newest_turn(resigned.history)
                assert newest is not None
                assert resigned.recent_events == resigned.events_since(newest.start)
                if finished_turns and finished_turns[-1].end == len(match.history):
                    resigned_seats.append((seat, finished_turns[-1].seat))
            to_act = match.to_act
            assert to_act is not None
            match = match.play(to_act, rng.choice(match.legal_actions(to_act)))
            if matches and rng.random() < 0.1:
                _, match = rng.choice(matches)
    counts = Counter(seat == last_seat for seat, last_seat in resigned_seats)
    assert min(counts[True], counts[False]) > 5 or not resigned_seats
