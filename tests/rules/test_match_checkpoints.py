"""Checkpoints: earlier states that undo and narration start from."""

import random
from dataclasses import replace
from typing import Any

from rules.advance import CHECKPOINT_INTERVAL
from rules.game import AnyGame
from rules.match import Match
from rules.model import MODERATOR, Action
from rules.oceans import OCEANS
from tests.rules.pearls import SEED


def play_long_match(min_length: int) -> Match:
    """Return a game of Oceans with this many records or a few more."""
    for number in range(100):
        rng = random.Random(number)
        match = Match.begin(OCEANS, 4, OCEANS.options_type(), rng.randbytes(32))
        while (seat := match.to_act) is not None and len(match.history) < min_length:
            match = match.play(seat, rng.choice(match.legal_actions(seat)))
        if len(match.history) >= min_length:
            return match
    raise AssertionError("no game is as long")


def make_recording_game(applied_actions: list[Action]) -> AnyGame:
    """Return Oceans with an ``apply_action`` that adds every action to ``applied_actions``."""

    def apply_action(state: Any, action: Action) -> Any:
        applied_actions.append(action)
        return OCEANS.apply_action(state, action)

    return replace(OCEANS, apply_action=apply_action)


def test_undo_and_narration_play_few_records_again() -> None:
    """However long the game is, undo and the last lines of the log apply at most 64 records each."""
    match = play_long_match(300)
    kept_length = max(i for i, record in enumerate(match.history) if record.is_choice)
    applied_actions: list[Action] = []
    recording_match = replace(match, game=make_recording_game(applied_actions))

    undone = recording_match.undo(match.history[kept_length].actor, kept_length)
    assert len(applied_actions) < CHECKPOINT_INTERVAL
    assert (
        undone.digest()
        == Match.replay(OCEANS, 4, match.options, match.deal_key.key, match.history[:kept_length]).digest()
    )
    applied_actions.clear()
    assert recording_match.log_lines(None, tuple("ABCD"), len(match.history) - 1)
    assert len(applied_actions) <= CHECKPOINT_INTERVAL


def test_every_earlier_position_is_found() -> None:
    """The match at any length is what replay gives, around each checkpoint and on a resumed match too."""
    match = play_long_match(200)
    resumed = Match.from_snapshot(OCEANS, 4, match.options, SEED, match.history, match.snapshot())
    for length in (0, 1, 63, 64, 65, 128, 150, 192, len(match.history)):
        replayed = Match.replay(OCEANS, 4, match.options, None, match.history[:length])
        for each in (match, resumed):
            earlier = each.at_length(length)
            assert (earlier.digest(), earlier.history) == (replayed.digest(), replayed.history)
            assert (earlier.recent_events, earlier.outcome_counts) == (
                replayed.recent_events,
                replayed.outcome_counts,
            )


def test_a_resumed_match_replays_nothing() -> None:
    """After ``from_snapshot`` only the snapshot is a checkpoint, and no action has been applied."""
    match = play_long_match(200)
    applied_actions: list[Action] = []
    resumed = Match.from_snapshot(
        make_recording_game(applied_actions), 4, match.options, SEED, match.history, match.snapshot()
    )
    assert [checkpoint.length for checkpoint in resumed.checkpoints] == [len(match.history)]
    assert not applied_actions


def test_a_checkpoint_can_be_added_where_narration_begins() -> None:
    """Narration from there plays nothing earlier again, and earlier positions are found as before."""
    match = play_long_match(200)
    applied_actions: list[Action] = []
    game = make_recording_game(applied_actions)
    resumed = Match.from_snapshot(game, 4, match.options, SEED, match.history, match.snapshot())
    first_index = len(match.history) - 10
    with_checkpoint = resumed.with_checkpoint(first_index)
    assert (
        resumed.replayed_record_count(first_index),
        with_checkpoint.replayed_record_count(first_index),
    ) == (
        len(match.history),
        10,
    )
    assert [each.length for each in with_checkpoint.checkpoints] == [first_index, len(match.history)]
    assert with_checkpoint.with_checkpoint(first_index).checkpoints == with_checkpoint.checkpoints
    applied_actions.clear()
    assert with_checkpoint.log_lines(None, tuple("ABCD"), first_index)
    assert len(applied_actions) == 10
    for length in (5, first_index - 1, first_index, first_index + 1, len(match.history)):
        replayed = Match.replay(OCEANS, 4, match.options, None, match.history[:length])
        assert with_checkpoint.at_length(length).digest() == replayed.digest()


def test_undo_drops_the_checkpoints_of_what_is_undone() -> None:
    """Another game after an undo never finds a position of the one that was undone."""
    match = play_long_match(140)
    kept_length = next(i for i, record in enumerate(match.history) if record.is_choice and i > 50)
    other_match = match.undo(MODERATOR, kept_length)
    assert all(checkpoint.length <= kept_length for checkpoint in other_match.checkpoints)
    rng = random.Random(7)
    while (seat := other_match.to_act) is not None and len(other_match.history) < 140:
        other_match = other_match.play(seat, rng.choice(other_match.legal_actions(seat)))
    last_length = len(other_match.history)
    assert (
        other_match.at_length(last_length).digest()
        == other_match.digest()
        != match.at_length(last_length).digest()
    )
