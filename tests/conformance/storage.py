"""Checks of what is stored: snapshots, replay, undo, the match file."""

import random
from itertools import pairwise

import pytest

from rules.errors import BrokenMatch, IllegalAction
from rules.game import AnyGame
from rules.match import Match
from rules.matchfile import make_match_file, parse_match_file, replay_match, write_match_file
from rules.model import CHANCE
from rules.proof import prove
from rules.random_stream import make_fairness_code
from rules.record import Record
from tests.conformance.random_games import PlayedGame, longest_names, sample_size

MATCH_ID = "conformance-1"


def check_resume(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """A match that is saved and resumed after each action goes on as if it had not been."""
    setup = played.setup
    match = Match.begin(game, setup.seat_count, setup.options, played.seed)
    records = list(match.new_records)
    for record in played.records[len(records) :]:
        if not record.is_choice:
            continue
        resumed = Match.from_snapshot(
            game, setup.seat_count, setup.options, played.seed, records, match.snapshot()
        )
        assert resumed.digest() == match.digest()
        assert resumed.recent_events == match.recent_events
        assert resumed.state == match.state
        assert resumed.outcome_counts == match.outcome_counts
        match = resumed.play(record.actor, record.action)
        records += match.new_records
    assert tuple(records) == played.records
    assert match.digest() == played.match.digest()


def check_play_all(game: AnyGame, played: PlayedGame, rng: random.Random) -> int:
    """Two choices of a seat on one line are as one after the other, unless chance comes in between.

    Returns how many were compared.
    """
    setup = played.setup
    choice_indexes = [i for i, record in enumerate(played.records) if record.is_choice]
    pairs = [
        (index, next_index)
        for index, next_index in pairwise(choice_indexes)
        if played.records[index].actor == played.records[next_index].actor
    ]
    compared_count = 0
    for index, next_index in rng.sample(pairs, min(4, len(pairs))):
        end = next((i for i in choice_indexes if i > next_index), len(played.records))
        before = Match.replay(game, setup.seat_count, setup.options, played.seed, played.records[:index])
        actions = [played.records[index].action, played.records[next_index].action]
        if any(record.actor == CHANCE for record in played.records[index:next_index]):
            with pytest.raises(IllegalAction, match="this must be the last move of a line"):
                before.play_all(played.records[index].actor, actions)
            continue
        assert before.play_all(played.records[index].actor, actions).new_records == played.records[index:end]
        compared_count += 1
    return compared_count


def check_recent_events(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """What a picture marks as new is what happened in the newest turn: one seat's run of choices.

    Where the game numbers its turns, choices of one run have one number, but for those of the set-up and
    answers on others' turns.
    """
    setup = played.setup

    def is_of_turn(index: int, newest: int) -> bool:
        record = played.records[index]
        number, newest_number = (_turn_number_before(game, played, i) for i in (index, newest))
        return record.actor == played.records[newest].actor and (
            number == newest_number or not number or isinstance(record.action, game.words.answer_types)
        )

    for end in rng.sample(range(1, len(played.records) + 1), min(sample_size(12), len(played.records))):
        match = Match.replay(game, setup.seat_count, setup.options, played.seed, played.records[:end])
        choice_indexes = [i for i in range(end) if played.records[i].is_choice]
        others = [i for i in choice_indexes if not is_of_turn(i, choice_indexes[-1])]
        start = next((i for i in choice_indexes if i > max(others, default=-1)), 0)
        trails = [
            game.view(transition.after, None).position.trail for transition in played.transitions[start:end]
        ]
        assert match.recent_events == tuple(event for trail in trails for event in trail)


def _turn_number_before(game: AnyGame, played: PlayedGame, index: int) -> int | None:
    return game.turn_number(game.view(played.transitions[index].before, None))


def check_replay(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Replay gives the same match, with the seed and without it; another seed is found to be wrong."""
    setup, match = played.setup, played.match
    for seed in (played.seed, None):
        replayed = Match.replay(game, setup.seat_count, setup.options, seed, played.records)
        assert replayed.digest() == match.digest()
        assert replayed.history == match.history
        assert replayed.recent_events == match.recent_events
    assert match.ply == len(played.records)
    other_seed = bytes(32)
    if any(record.actor == CHANCE for record in played.records[:3]):
        with pytest.raises(BrokenMatch):
            Match.replay(game, setup.seat_count, setup.options, other_seed, played.records)


def check_undo(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Undo gives back the position, redo the same draws; it is free where nobody else chose or saw."""
    setup = played.setup
    choice_indexes = [i for i, record in enumerate(played.records) if record.is_choice]
    for index in sorted(rng.sample(choice_indexes, min(sample_size(6), len(choice_indexes)))):
        record = played.records[index]
        before = Match.replay(game, setup.seat_count, setup.options, played.seed, played.records[:index])
        after = before.play(record.actor, record.action)
        if after.is_over:
            assert after.possible_undo(record.actor) is None
            continue
        undo = after.possible_undo(record.actor)
        assert undo is not None
        assert undo.kept_length == index
        tail = after.history[index + 1 :]
        drawn = [each.action for each in tail if each.actor == CHANCE]
        is_shown = any(action.reveals(viewer) for action in drawn for viewer in (record.actor, None))
        assert undo.is_free == (not is_shown)
        undone = after.undo(record.actor, undo.kept_length)
        assert undone.digest() == before.digest()
        assert undone.history == before.history
        assert undone.recent_events == before.recent_events
        assert undone.ply == after.ply + 1
        redone = undone.play(record.actor, record.action)
        assert redone.history == after.history, "redo drew differently"
        assert redone.digest() == after.digest()
        for seat in played.seats:
            other_undo = after.possible_undo(seat)
            if seat != record.actor and other_undo is not None:
                assert not other_undo.is_free, "free across another's move"
        records = (*played.records[:index], *after.new_records, *undone.new_records, *redone.new_records)
        records_until_undo = (*played.records[:index], *after.new_records, *undone.new_records)
        resumed = Match.from_snapshot(
            game, setup.seat_count, setup.options, played.seed, records_until_undo, undone.snapshot()
        )
        assert (resumed.ply, resumed.history, resumed.outcome_counts) == (
            undone.ply,
            undone.history,
            undone.outcome_counts,
        )
        assert resumed.play(record.actor, record.action).history == redone.history
        replayed = Match.replay(game, setup.seat_count, setup.options, played.seed, records)
        assert replayed.digest() == redone.digest()
        assert replayed.ply == redone.ply == len(records)


def check_match_file(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """A match file reads back as it was written, for every reader, and proves the deals."""
    games = {game.key: game}
    records = _with_undo(played, rng)
    match = Match.replay(game, played.setup.seat_count, played.setup.options, played.seed, records)
    code = make_fairness_code(MATCH_ID, played.seed)
    for with_seed in (False, True) if match.is_over else (False,):
        seed = played.seed if with_seed else None
        file = make_match_file(match, records, MATCH_ID, fairness_code=code, seed=seed)
        text = write_match_file(file)
        read_back = parse_match_file(text, games)
        assert read_back == file
        assert write_match_file(read_back) == text
        assert replay_match(read_back).digest() == match.digest()
        for viewer in played.pick_viewers(rng):
            seen = file.seen_by(viewer)
            redacted = parse_match_file(write_match_file(seen), games)
            assert redacted == seen
            assert played.seed.hex() not in write_match_file(seen)
            with pytest.raises(ValueError, match="hidden"):
                replay_match(redacted)
    if match.is_over:
        proof = prove(read_back)
        assert len(proof.outcomes) == sum(record.actor == CHANCE for record in records)


def _with_undo(played: PlayedGame, rng: random.Random) -> tuple[Record, ...]:
    """Return the game's records with one choice undone and made again."""
    setup = played.setup
    choice_indexes = [i for i, record in enumerate(played.records) if record.is_choice]
    index = rng.choice(choice_indexes[:-1] or choice_indexes)
    before = Match.replay(setup.game, setup.seat_count, setup.options, played.seed, played.records[:index])
    after = before.play(played.records[index].actor, played.records[index].action)
    undone = after.undo(played.records[index].actor, index)
    redone = undone.play(played.records[index].actor, played.records[index].action)
    rest = played.records[index + len(redone.new_records) :]
    return (*played.records[:index], *after.new_records, *undone.new_records, *redone.new_records, *rest)


def check_log(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """The log lines of each viewer are the narrations of the steps as that viewer saw them."""
    names = longest_names(played.setup.seat_count)
    match = played.match
    for viewer in played.viewers:
        steps = []
        for transition in played.transitions:
            seen_action = transition.action.seen_by(viewer, transition.actor)
            views = game.view(transition.before, viewer), game.view(transition.after, viewer)
            if text := game.words.narrate(views[0], transition.actor, seen_action, views[1], names).text:
                steps.append((transition.index, transition.actor, text))
        assert [(each.index, each.actor, each.text) for each in match.log_lines(viewer, names)] == steps
