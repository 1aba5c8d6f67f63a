"""Pairs of tables that one viewer cannot tell apart: the real state, and one sampled from its view."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import msgspec

from bot.host.deciders import play
from bot.host.deciders.decision import Decision
from bot.host.table import Table
from rules.advance import next_state
from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE, Action, Seat
from rules.notation import write_action
from rules.players import RANDOM_PLAYER
from rules.random_stream import RandomStream
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.playing import GAMES_AND_TOYS, request_of_person
from tests.conformance.setups import GameSetup, covering_setups
from tests.trials import trial_count

MAX_TYPED_MOVES: Final = 30
TYPED_MOVE_COUNT: Final = trial_count(short=10, soak=MAX_TYPED_MOVES)
"""Moves to type at each pair."""


@dataclass(frozen=True)
class TablePair:
    """Two tables that a viewer cannot tell apart."""

    real: Table
    altered: Table
    """It differs in what the viewer does not know."""
    viewer: Seat | None
    typed_moves: tuple[str, ...]
    """Most of them illegal."""


def common_actions(pair: TablePair) -> list[Action]:
    """Return the actions that the seat to act may take at both tables."""
    real, altered, to_act = pair.real.match, pair.altered.match, pair.real.to_act
    assert real is not None
    assert altered is not None
    assert to_act is not None
    altered_actions = set(altered.legal_actions(to_act))
    return [action for action in real.legal_actions(to_act) if action in altered_actions]


def choose_at_both(pair: TablePair, text: str) -> tuple[Decision, Decision] | None:
    """Make one choice at both tables.

    None if chance then shows the viewer two different outcomes, or one that the real state cannot have.
    """
    to_act = pair.real.to_act
    assert to_act is not None
    request = request_of_person(to_act, interaction=1)
    first, second = (
        play.play_typed_line(pair.real, request, text),
        play.play_typed_line(pair.altered, request, text),
    )
    look_alike = _records_seen(first, pair.viewer) == _records_seen(second, pair.viewer)
    return (first, second) if look_alike and _follows_history(pair, second) else None


def _follows_history(pair: TablePair, decision: Decision) -> bool:
    """Whether the real state allows the records made from the other one.

    A story replays the history, which leads to the real state.
    """
    assert pair.real.match is not None
    assert decision.table.match is not None
    state = pair.real.match.state
    try:
        for record in decision.table.match.new_records:
            state = next_state(pair.real.match.game, state, record)
    except (ValueError, LookupError):
        return False
    return True


def _records_seen(decision: Decision, viewer: Seat | None) -> list[Any]:
    assert decision.table.match is not None
    return [
        (record.actor, record.auto, record.action.seen_by(viewer, record.actor))
        for record in decision.table.match.new_records
    ]


def are_alike(tables: Iterable[Table], viewer: Seat | None) -> bool:
    """Whether a viewer knows the same of all tables: no outcome of chance that it may see differs."""
    views = [table.match.view(viewer) for table in tables if table.match is not None]
    return all(view == views[0] for view in views)


def differing_pairs(game: AnyGame, count: int, rng: random.Random) -> Iterator[TablePair]:
    """Yield pairs from random games whose states differ in what the viewer does not know.

    AssertionError where there are none: the game is open, or does not hide what it says.
    """
    assert game.hidden_information, f"{game.key} is an open game: no pairs"
    pair_count = equal_count = 0
    for match, viewer, texts in _sampled_matches(game, rng):
        state = game.sample_state(match.view(viewer), RandomStream(rng.randbytes(32), 0))
        if msgspec.msgpack.encode(state) == msgspec.msgpack.encode(match.state):
            equal_count += 1
            assert equal_count < 10 * (pair_count + 10), (
                f"{game.key} hides nothing: each sample is the real state"
            )
            continue
        yield _make_pair(match, state, viewer, texts, rng)
        pair_count += 1
        if pair_count == count:
            return


def identical_pairs(game: AnyGame, count: int, rng: random.Random) -> Iterator[TablePair]:
    """Yield pairs of equal states from random games of an open game: what is shown depends on them alone."""
    assert not game.hidden_information, f"{game.key} has secrets: compare pairs that differ in them"
    for match, viewer, texts in islice(_sampled_matches(game, rng), count):
        state = game.sample_state(match.view(viewer), RandomStream(rng.randbytes(32), 0))
        assert msgspec.msgpack.encode(state) == msgspec.msgpack.encode(match.state)
        yield _make_pair(match, state, viewer, texts, rng)


def _sampled_matches(game: AnyGame, rng: random.Random) -> Iterator[tuple[Match, Seat | None, list[str]]]:
    """Yield stages of random games without end, each with a viewer and the moves of its game."""
    setups = covering_setups(GAMES_AND_TOYS[game.key])
    while True:
        setup = replace(rng.choice(setups), game=game)
        stages = _match_stages(setup, rng)
        last_records = (record for stage in stages[-1:] for record in stage.history)
        texts = sorted({write_action(record.action) for record in last_records if record.actor >= 0})
        for match in rng.sample(stages, min(len(stages), 6 + len(stages) // 40)):
            yield match, rng.choice([None, *(Seat(seat) for seat in range(setup.seat_count))]), texts


def _make_pair(
    match: Match, state: Any, viewer: Seat | None, texts: list[str], rng: random.Random
) -> TablePair:
    setup = GameSetup(match.game, match.seat_count, match.options)
    one = make_table(setup, match).with_log()
    other = replace(one, match=replace(match, state=state))
    return TablePair(one, other, viewer, tuple(_moves_to_type(match, viewer, texts, rng)))


def _moves_to_type(match: Match, viewer: Seat | None, texts: list[str], rng: random.Random) -> Iterator[str]:
    """Yield moves to type, most of them illegal; some on one line after a legal move."""
    first_moves = _first_moves(match, viewer, rng) if viewer is not None and match.to_act == viewer else []
    for text in rng.choices(texts, k=TYPED_MOVE_COUNT):
        yield f"{rng.choice(first_moves)} ; {text}" if first_moves and rng.random() < 1 / 2 else text


def _first_moves(match: Match, seat: Seat, rng: random.Random) -> list[str]:
    """Return a legal move of each kind, preferring those after which chance acts in the same turn."""
    actions_by_kind: dict[type[Action], list[Action]] = {}
    for action in match.legal_actions(seat):
        actions_by_kind.setdefault(type(action), []).append(action)
    chosen = [rng.choice(actions) for actions in actions_by_kind.values()]
    matches_after = [(write_action(action), match.play(seat, action)) for action in chosen]
    moves_before_chance = [
        text
        for text, match_after in matches_after
        if match_after.to_act == seat and any(record.actor == CHANCE for record in match_after.new_records)
    ]
    return moves_before_chance or [text for text, _ in matches_after]


def _match_stages(setup: GameSetup, rng: random.Random) -> list[Match]:
    """Play a random game; return it as it is before each choice."""
    game = setup.game
    match = Match.begin(game, setup.seat_count, setup.options, rng.randbytes(32))
    stages = [match]
    while (seat := match.to_act) is not None:
        match = match.play(seat, RANDOM_PLAYER.choose(game, match.view(seat), rng))
        stages.append(match)
    return stages[:-1]
