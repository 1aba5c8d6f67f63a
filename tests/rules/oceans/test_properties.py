"""Whole random games of Oceans: they end, lose nothing, and keep what everybody has seen."""

import random
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from rules.model import CHANCE, Action, Seat
from rules.oceans import OCEANS
from rules.oceans.actions import Migrate, TakeDeep
from rules.oceans.engine.setup import game_population
from rules.oceans.engine.values import overpopulates, slot_limit
from rules.oceans.model import OceansOptions, ScenarioSet, all_deep_cards
from rules.oceans.words.migration_texts import migration_label
from rules.players import RANDOM_PLAYER
from rules.random_stream import RandomStream
from tests.conformance.pieces import pieces_of
from tests.rules.oceans.state_check import check_state
from tests.trials import IS_SOAK, trial_count

pytestmark = pytest.mark.slow

GAME_COUNT = trial_count(short=1, soak=1000)
"""Of each number of seats."""
OPTION_SETS = (
    OceansOptions(),
    OceansOptions(quick=True, scenarios=ScenarioSet.PROMO),
    OceansOptions(scenarios=ScenarioSet.PROMO),
    OceansOptions(reef=True),
    OceansOptions(quick=True),
    OceansOptions(scenarios=ScenarioSet.GENTLE, quick=True),
)


def play_random_steps(seat_count: int, options: OceansOptions, number: int) -> Any:
    """Yield every step of a random game: the state before, the actor, the action, the state after."""
    rng = random.Random(f"{seat_count}/{number}")
    seed = rng.randbytes(32)
    state = OCEANS.initial_state(seat_count, options)
    outcome_count = 0
    while (actor := OCEANS.to_act(state)) is not None:
        action: Action
        if actor == CHANCE:
            action = OCEANS.sample_chance(state, RandomStream(seed, outcome_count))
            outcome_count += 1
        else:
            action = RANDOM_PLAYER.choose(OCEANS, OCEANS.view(state, actor), rng)
        after = OCEANS.apply_action(state, action)
        yield state, actor, action, after
        state = after


@pytest.mark.parametrize("seat_count", OCEANS.player_counts)
def test_games_end_and_lose_nothing(seat_count: int) -> None:
    """Population and cards add up at every ply until the game ends; at the end the scores do as well."""
    for number in range(GAME_COUNT):
        options = OPTION_SETS[(number + seat_count) % len(OPTION_SETS)]
        initial_pieces = pieces_of(OCEANS, OCEANS.initial_state(seat_count, options))
        record_count, final_state = 0, None
        for _, _, action, after in play_random_steps(seat_count, options, number):
            check_state(after)
            assert pieces_of(OCEANS, after) == initial_pieces, action
            record_count, final_state = record_count + 1, after
            assert record_count <= OCEANS.max_game_length
        assert final_state is not None
        assert initial_pieces["population"] + final_state.position.population_from_supply == game_population(
            final_state.position
        )
        assert len(all_deep_cards(options)) == sum(
            len(card) == 3 for card in initial_pieces.elements() if card.isalpha()
        )
        standings = OCEANS.returns(final_state).standings
        assert all(each.score == sum(part.points for part in each.lines) for each in standings)


@pytest.mark.parametrize("seat_count", [2, 4])
def test_limits_hold_between_turns(seat_count: int) -> None:
    """When a seat is to play its first card nothing is overpopulated and no species has too many traits."""
    for number in range(GAME_COUNT):
        for before, _, _, after in play_random_steps(
            seat_count, OPTION_SETS[number % len(OPTION_SETS)], 100 + number
        ):
            position = after.position
            if before.position.current_player == position.current_player or position.to_act is None:
                continue
            for species in (species for row in position.rows for species in row):
                assert not overpopulates(position, species)
                limit = slot_limit(position, species)
                assert limit is None or len(species.traits) <= limit


@pytest.mark.parametrize("seat_count", [2, 3])
def test_what_was_seen_is_remembered(seat_count: int) -> None:
    """A Deep card taken face up stays known in every view until its holder plays or loses it."""
    seen_count = 0
    for number in range(GAME_COUNT):
        seen_cards: dict[Seat, Counter[str]] = {Seat(seat): Counter() for seat in range(seat_count)}
        for before, actor, action, after in play_random_steps(
            seat_count, OPTION_SETS[number % len(OPTION_SETS)], 200 + number
        ):
            if isinstance(action, TakeDeep):
                seen_cards[actor][before.position.gene_pool[action.pile - 1][-1]] += 1
            for seat, cards in seen_cards.items():
                for card in [card for card in cards if card not in after.hands[seat]]:
                    del cards[card]
                seen_count += len(cards)
                for viewer in (None, *range(seat_count)):
                    known_cards = OCEANS.view(after, viewer).position.known_cards[seat]
                    assert not cards - Counter(known_cards), f"{viewer} has forgotten a card of seat {seat}"
    assert seen_count, "nobody ever took a card"


def test_cards_that_move_as_much_have_one_label() -> None:
    """What a migration sets off, as its button says it, depends on how much moves and not on the card."""
    label_count = 0
    for number in range(GAME_COUNT):
        for state, actor, _, _ in play_random_steps(2, OPTION_SETS[number % len(OPTION_SETS)], number):
            if actor == CHANCE:
                continue
            view = OCEANS.view(state, actor)
            migrations = [each for each in OCEANS.legal_actions(view) if isinstance(each, Migrate)]
            for action in migrations if IS_SOAK else migrations[number % 3 :: 3]:
                label = migration_label(view, action)
                label_with_one_card = migration_label(replace(view, hand=(action.card,)), action)
                assert label == label_with_one_card, action
                label_count += "," in label
    assert label_count > 5 * GAME_COUNT, "few migrations of these games set anything off"
