"""Replay: a stored record that does not follow the rules breaks the match at its place."""

import random

import pytest

from rules.errors import BrokenMatch
from rules.match import Match
from rules.model import CHANCE, MODERATOR, Resign, Seat
from rules.record import Record, Undo
from tests.rules.pearls import (
    DEAL_LINES,
    GAME,
    SEED,
    A,
    B,
    begin_match,
    parse_action,
    parse_records,
    play_to_end,
    replay_lines,
)


def replay_or_error(forged_records: tuple[Record, ...]) -> Match | BrokenMatch:
    """Replay the records; return the match, or the error."""
    try:
        return Match.replay(GAME, 3, GAME.options_type(), SEED, forged_records)
    except BrokenMatch as error:
        return error


def test_replay_of_forged_records_says_which() -> None:
    """If any single record is replaced, replay names it or a later one and never crashes."""
    rng = random.Random(5)
    match, records = play_to_end(begin_match(), rng)
    for index in range(len(records)):
        for other_record in rng.sample(records, 4):
            if other_record == records[index]:
                continue
            forged_records = (*records[:index], other_record, *records[index + 1 :])
            replayed = replay_or_error(forged_records)
            if isinstance(replayed, BrokenMatch):
                assert replayed.ply > index
                assert str(replayed).startswith(f"Record {replayed.ply}: ")
            else:
                assert replayed.history != match.history


@pytest.mark.parametrize(
    ("forged_record", "reason"),
    [
        (Record(CHANCE, parse_action("deal A 1,2,3")), "chance may not"),
        (Record(B, parse_action("lay 1")), "not your turn"),
        (Record(A, parse_action("lay 1")), "do not hold"),
        (Record(A, parse_action("rest"), auto=True), "not a forced choice"),
        (Record(CHANCE, parse_action("rest")), "chance may not"),
        (Record(Seat(4), Resign()), "No seat"),
        (Record(MODERATOR, Resign()), "No seat"),
        (Record(A, parse_action("wave 1")), "Players cannot"),
        (Record(A, Undo(1)), "back to a point where a player chooses"),
        (Record(A, Undo(2)), "nothing to undo"),
        (Record(Seat(9), Undo(0)), "cannot be undone"),
        (Record(CHANCE, Undo(0)), "cannot be undone"),
    ],
)
def test_a_forged_record_is_refused_at_its_place(forged_record: Record, reason: str) -> None:
    """Each kind of forged record is refused at its place, with a reason."""
    with pytest.raises(BrokenMatch, match=reason) as caught:
        Match.replay(GAME, 2, GAME.options_type(), None, [*parse_records(*DEAL_LINES), forged_record])
    assert caught.value.ply == 3


def test_replay_wants_every_automatic_record() -> None:
    """A forced choice that is missing, or recorded as a free one, breaks the match."""
    lines = (*DEAL_LINES, "A lay 3,9", "B lay 1,2", "* wave 1", "A lay 15", "B lay 14", "* wave 1")
    assert replay_lines(*lines).is_over

    lines = (*DEAL_LINES, "A lay 3,9", "B bury 1", "* wave 1", "A lay 15", "B lay 2", "* wave 1")
    assert replay_lines(*lines, "A! rest").to_act == B
    for wrong_line in ("A rest", "B lay 14"):
        with pytest.raises(BrokenMatch, match="plays by itself is missing"):
            replay_lines(*lines, wrong_line)


@pytest.mark.parametrize(
    "forged_line", ["* deal A 3,3,3", "* deal B 1,2,3", "* deal A 3,9", "* wave 4", "* deal A ?,?,?"]
)
def test_an_impossible_outcome_is_refused_without_the_seed(forged_line: str) -> None:
    """Without the seed an outcome is believed only if the game says that it is possible."""
    with pytest.raises(BrokenMatch, match="chance may not do this now"):
        replay_lines(forged_line)


def test_a_resignation_before_a_due_outcome_is_refused() -> None:
    """In a stored match no seat resigns between an action and the outcome that follows it."""
    with pytest.raises(BrokenMatch, match="No seat"):
        replay_lines(DEAL_LINES[0], "A resign")


def test_seed_is_checked() -> None:
    """With the seed another possible draw is refused, without it believed."""
    forged_records = parse_records(*DEAL_LINES)
    assert Match.replay(GAME, 2, GAME.options_type(), None, forged_records).ply == 2
    with pytest.raises(BrokenMatch, match="seed gives another"):
        Match.replay(GAME, 2, GAME.options_type(), SEED, forged_records)
