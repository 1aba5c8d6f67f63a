"""Turns: one seat's runs of choices, whatever chance and forced choices come between."""

from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from rules.game import CHANCE, Resign, Seat
from rules.record import Record
from rules.turns import Turn, last_turn_end, newest_turn, turns_from

A, B = Seat(0), Seat(1)
ACTORS = st.sampled_from([CHANCE, A, B, Seat(2)])
HISTORIES = st.lists(st.tuples(ACTORS, st.booleans()), max_size=14).map(
    lambda pairs: tuple(Record(actor, Resign(), auto) for actor, auto in pairs)
)


def _parse_history(text: str) -> tuple[Record, ...]:
    """Read one letter a record: a seat's choice, in lower case a forced one; ``.`` is chance."""
    return tuple(
        Record(CHANCE if letter == "." else Seat("ABC".index(letter.upper())), Resign(), letter.islower())
        for letter in text
    )


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
