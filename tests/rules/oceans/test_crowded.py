"""Crowded states played on at random: any traits may combine, the game goes on, nothing is lost."""

import random

import msgspec
import pytest

from bot import limits
from rules.model import CHANCE, Seat
from rules.notation import write_action
from rules.oceans import OCEANS
from rules.oceans.cards.decks import SCENARIO_BY_CODE
from rules.oceans.chance import is_possible, sample_chance
from rules.oceans.engine.species_traits import removable_traits
from rules.oceans.engine.values import overpopulates, slot_limit
from rules.oceans.rules import State, resign, view
from rules.oceans.sampling import sample_state
from rules.oceans.steps import Drawing, Feeding, Playing
from rules.players import RANDOM_PLAYER
from rules.random_stream import RandomStream
from tests.conformance.pieces import pieces_of
from tests.rules.oceans.crowded_states import make_crowded_state
from tests.rules.oceans.positions import NAMES, NOTATION
from tests.rules.oceans.state_check import check_state
from tests.trials import trial_count

STATE_COUNT = trial_count(short=4, soak=1500)
"""How many states each ``batch`` of a test plays on from."""
STEP_COUNT = 70


def check_settled(state: State) -> None:
    """Check limits, zones, Scenario cards and the end where a phase waits for its player."""
    position = state.position
    if position.to_act is None or not isinstance(position.agenda[-1], Playing | Feeding | Drawing):
        return
    for species in (species for row in position.rows for species in row):
        assert not overpopulates(position, species)
        limit = slot_limit(position, species)
        assert limit is None or len(species.traits) <= limit or not removable_traits(species)
    assert position.were_zones_filled_at_check == tuple(count > 0 for count in position.zone_populations[1:])
    assert any(position.were_zones_filled_at_check) or position.end_triggered
    assert position.cambrian_happened or position.were_zones_filled_at_check[0]
    assert position.active_scenarios == tuple(
        code
        for code, is_filled in zip(position.scenarios, position.were_zones_filled_at_check, strict=False)
        if not is_filled and not SCENARIO_BY_CODE[code].is_event
    )


def check_words(state: State, seat: Seat, rng: random.Random) -> None:
    """Check that every choice has its own text and label; apply a few of them."""
    seen = view(state, seat)
    legal_actions = OCEANS.legal_actions(seen)
    labels = [OCEANS.words.label(seen, action, NAMES) for action in legal_actions]
    assert len(set(labels)) == len(labels)
    assert max(map(len, labels)) <= limits.BUTTON_LABEL
    for action in rng.sample(legal_actions, min(4, len(legal_actions))):
        assert NOTATION.parse(write_action(action)) == action
        assert len(OCEANS.words.preview(seen, action, NAMES) or "") <= limits.CONTENT
        assert len(OCEANS.words.short_preview(seen, action, NAMES)) <= limits.OPTION_DESCRIPTION
    assert len(OCEANS.words.alt_text(seen, NAMES)) <= limits.ALT_TEXT


def check_snapshot_and_sample(state: State, seat: Seat, rng: random.Random) -> None:
    """Check that a snapshot gives the same state and a sample the same view."""
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=State) == state
    seen = view(state, seat)
    assert view(sample_state(seen, RandomStream(rng.randbytes(32), 0)), seat) == seen


@pytest.mark.parametrize("batch", range(4))
def test_games_go_on_from_crowded_states(batch: int) -> None:
    """Cards and population add up, every phase begins settled, everybody asked has a choice."""
    for trial in range(STATE_COUNT):
        rng = random.Random(f"crowded/{batch}/{trial}")
        state = make_crowded_state(rng)
        pieces = pieces_of(OCEANS, state)
        outcome_run_length = 0
        for step in range(STEP_COUNT):
            check_state(state)
            check_settled(state)
            assert pieces_of(OCEANS, state) == pieces
            actor = state.position.to_act
            if actor is None:
                break
            if actor == CHANCE:
                action = sample_chance(state, RandomStream(bytes(32), step))
                assert is_possible(state, action)
                outcome_run_length += 1
                assert outcome_run_length < 20, "the table goes on by itself"
            else:
                outcome_run_length = 0
                if rng.random() < 0.1:
                    check_words(state, actor, rng)
                    check_snapshot_and_sample(state, actor, rng)
                action = RANDOM_PLAYER.choose(OCEANS, view(state, actor), rng)
            state = OCEANS.apply_action(state, action)


@pytest.mark.parametrize("batch", range(2))
def test_anybody_may_resign_in_a_crowded_state(batch: int) -> None:
    """At any choice any seat can resign: nothing is lost, and the seat asked next has a choice."""
    for trial in range(STATE_COUNT):
        rng = random.Random(f"leaving/{batch}/{trial}")
        state = make_crowded_state(rng)
        pieces = pieces_of(OCEANS, state)
        for _ in range(STEP_COUNT // 2):
            actor = state.position.to_act
            if actor is None:
                break
            if actor == CHANCE:
                state = OCEANS.apply_action(state, sample_chance(state, RandomStream(rng.randbytes(32), 0)))
                continue
            for seat in map(Seat, range(state.position.seat_count)):
                if state.position.resigned[seat] or rng.random() < 0.6:
                    continue
                after = resign(state, seat)
                assert after is not None
                check_state(after)
                assert pieces_of(OCEANS, after) == pieces
                next_actor = after.position.to_act
                assert next_actor != seat
                assert next_actor in {None, CHANCE} or OCEANS.legal_actions(view(after, next_actor))
                if rng.random() < 0.04:
                    state = after
                    break
            else:
                state = OCEANS.apply_action(state, RANDOM_PLAYER.choose(OCEANS, view(state, actor), rng))
