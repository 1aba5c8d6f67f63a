"""The state before the first card: for two to six players and each variant."""

from collections import Counter

import pytest

from rules.model import CHANCE, Seat
from rules.oceans import OCEANS
from rules.oceans.actions import LayOut
from rules.oceans.cards.decks import MIGRATE_NUMBERS, NUMBER_BY_CARD, SCENARIO_BY_CODE, SURFACE_DECK
from rules.oceans.chance import is_possible, sample_chance
from rules.oceans.engine.values import is_deep
from rules.oceans.model import DeepDeck, FirstPlayer, OceansOptions, ScenarioSet
from rules.oceans.rules import State, initial_state
from rules.oceans.steps import LayingOut, Playing
from rules.random_stream import RandomStream
from tests.rules.oceans.positions import (
    apply_chance,
    legal_texts,
    parse_cards,
    population_without_supply,
    resolve_chance,
)

PLAYER_COUNTS = (2, 3, 4, 5, 6)
PILE_POPULATION_BY_SEAT_COUNT = {2: 25, 3: 30, 4: 35, 5: 40, 6: 45}
"""A quarter of 100, 120, 140, 160, 180."""
SEEDS = tuple(bytes([number]) * 32 for number in range(30))


def start_game(seat_count: int = 3, options: OceansOptions | None = None, seed: bytes = bytes(32)) -> State:
    """Return a game as it stands before its first choice."""
    return resolve_chance(initial_state(seat_count, options or OceansOptions()), seed)


def deal_cards(seat_count: int = 3, options: OceansOptions | None = None) -> State:
    """Deal a hand to every seat, before anything lies face up."""
    state, outcome_count = initial_state(seat_count, options or OceansOptions()), 0
    while not isinstance(state.position.agenda[-1], LayingOut):
        state = apply_chance(state, sample_chance(state, RandomStream(bytes(32), outcome_count)))
        outcome_count += 1
    return state


def make_layout(
    state: State,
    scenarios: str = "ABU INA",
    pool: str = "ABY ACU",
    discarded_code: str = "",
    first_player: int = 0,
) -> LayOut:
    """Return what chance lays out; the discard is some card that nobody holds."""
    discarded_card = parse_cards(discarded_code)[0] if discarded_code else state.surface_deck[0]
    below_zone_1, below_zone_2 = scenarios.split()
    return LayOut((below_zone_1, below_zone_2), parse_cards(pool), discarded_card, Seat(first_player))


# What lies where ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_population_lies_in_four_equal_piles(seat_count: int) -> None:
    """A quarter each in the Reef and the three zones, 60 beside them; nothing on boards or behind shields."""
    state = initial_state(seat_count, OceansOptions())
    assert state.position.zone_populations == (PILE_POPULATION_BY_SEAT_COUNT[seat_count],) * 4
    assert state.position.reserve == 60
    assert population_without_supply(state) == 4 * PILE_POPULATION_BY_SEAT_COUNT[seat_count] + 60
    assert state.score_piles == (0,) * seat_count


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
@pytest.mark.parametrize("moved_amount", sorted({*MIGRATE_NUMBERS}))
def test_the_first_discard_moves_population(seat_count: int, moved_amount: int) -> None:
    """Its number goes from the Reef and as much from zone 1 to zone 3; the card opens the discard pile."""
    state = deal_cards(seat_count)
    card = next(each for each in state.surface_deck if NUMBER_BY_CARD[each] == moved_amount)
    after = apply_chance(state, make_layout(state, discarded_code=card))
    pile_population = PILE_POPULATION_BY_SEAT_COUNT[seat_count]
    assert after.position.zone_populations == (
        pile_population - moved_amount,
        pile_population - moved_amount,
        pile_population,
        pile_population + 2 * moved_amount,
    )
    assert after.position.discard_pile == (card,)
    assert after.position.surface_deck_size == 120 - 6 * seat_count - 1


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_what_is_dealt(seat_count: int) -> None:
    """Six Surface cards for everybody, two Deep cards face up, no species; no card is there twice."""
    state = start_game(seat_count)
    assert [len(hand) for hand in state.hands] == [6] * seat_count
    assert not any(is_deep(card) for hand in state.hands for card in hand)
    assert [len(pile) for pile in state.position.gene_pool] == [1, 1]
    assert state.position.deep_deck_size == 87
    hand_card_counts = Counter(card for hand in state.hands for card in hand)
    assert hand_card_counts + Counter((*state.surface_deck, *state.position.discard_pile)) == Counter(
        SURFACE_DECK
    )
    assert state.position.rows == ((),) * seat_count


def test_the_first_player_owes_one_card() -> None:
    """The first player owes one card, nobody anything else; no Scenario card is active, no Cambrian yet."""
    state = start_game(4)
    position = state.position
    assert (position.round, position.plays_left, position.cambrian_happened, position.end_triggered) == (
        1,
        1,
        False,
        False,
    )
    assert position.active_scenarios == ()
    assert position.agenda == (Playing(),)
    assert position.to_act == position.current_player == position.first_player
    assert {text.split()[0] for text in legal_texts(state)} == {"create", "migrate"}


def test_two_different_scenario_cards() -> None:
    """They come from the retail cards, never the same one twice, and one may lie on either zone."""
    scenario_pairs = [start_game(seed=seed).position.scenarios for seed in SEEDS]
    assert all(one != other for one, other in scenario_pairs)
    assert {one for one, _ in scenario_pairs} & {other for _, other in scenario_pairs}
    assert not any(SCENARIO_BY_CODE[code].is_promo for pair in scenario_pairs for code in pair)
    assert len({code for pair in scenario_pairs for code in pair}) > 12


# Options --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_quick_halves_the_water(seat_count: int) -> None:
    """Half of every pile, rounded up, and 30 beside them; the first discard never empties a pile."""
    state = initial_state(seat_count, OceansOptions(quick=True))
    assert state.position.zone_populations == ((PILE_POPULATION_BY_SEAT_COUNT[seat_count] + 1) // 2,) * 4
    assert state.position.reserve == 30
    assert min(state.position.zone_populations) > max(MIGRATE_NUMBERS)


def test_the_reef_variant_has_no_deep_cards_and_its_own_scenarios() -> None:
    """No Deep cards, Abundance and Fertile in either order, everything else as usual."""
    states = [start_game(3, OceansOptions(reef=True), seed) for seed in SEEDS]
    assert {state.position.scenarios for state in states} == {("ABU", "FER"), ("FER", "ABU")}
    for state in states:
        assert state.position.gene_pool == ((), ())
        assert (state.position.deep_deck_size, state.deep_deck) == (0, ())
        assert [len(hand) for hand in state.hands] == [6, 6, 6]


def test_gentle_scenarios_keep_the_deep() -> None:
    """Abundance and Fertile with the Deep deck: the easier game."""
    state = start_game(3, OceansOptions(scenarios=ScenarioSet.GENTLE))
    assert {*state.position.scenarios} == {"ABU", "FER"}
    assert state.position.deep_deck_size == 87


def test_promotional_scenarios_come_up_beside_retail_ones() -> None:
    """With them on, they come up beside the retail ones."""
    options = OceansOptions(scenarios=ScenarioSet.PROMO)
    drawn_codes = {code for seed in SEEDS for code in start_game(3, options, seed).position.scenarios}
    assert {SCENARIO_BY_CODE[code].is_promo for code in drawn_codes} == {False, True}


def test_the_easy_deep_deck_has_60_cards() -> None:
    """60 cards, two of them face up."""
    assert start_game(3, OceansOptions(deep=DeepDeck.EASY)).position.deep_deck_size == 58


def test_any_seat_may_begin_unless_the_host_is_to() -> None:
    """Chance picks the first player, unless the host of the table is to begin."""
    assert {start_game(3, None, seed).position.first_player for seed in SEEDS} == {0, 1, 2}
    host_begins_options = OceansOptions(first_player=FirstPlayer.HOST)
    assert {start_game(3, host_begins_options, seed).position.first_player for seed in SEEDS} == {0}


def test_options_that_contradict_each_other() -> None:
    """The Reef Variant has its two Scenario cards and takes no promotional ones."""
    assert OCEANS.setup_error(3, OceansOptions(reef=True, scenarios=ScenarioSet.PROMO))
    assert OCEANS.setup_error(3, OceansOptions(reef=True)) is None
    assert OCEANS.setup_error(3, OceansOptions(scenarios=ScenarioSet.PROMO)) is None


# What chance may not do -----------------------------------------------------------------------------


def test_what_may_not_be_laid_out() -> None:
    """A card twice, a card that somebody holds, a foreign card, a seat that is not there."""
    state = deal_cards(2)
    assert state.position.to_act == CHANCE
    possible_layout = make_layout(state)
    assert is_possible(state, possible_layout)
    held_card = next(card for card in state.hands[0] if card not in state.surface_deck)
    impossible_layouts = [
        make_layout(state, scenarios="ABU ABU"),
        make_layout(state, scenarios="ABU SCF"),
        make_layout(state, pool="ABY ABY"),
        make_layout(state, pool="ABY"),
        make_layout(state, pool="ABY SP5"),
        make_layout(state, discarded_code="ABY"),
        make_layout(state, first_player=2),
        make_layout(state, discarded_code=held_card),
    ]
    assert not any(is_possible(state, each) for each in impossible_layouts)


def test_options_limit_what_may_be_laid_out() -> None:
    """If the host is to begin, no other first player is possible; in the Reef Variant no Deep card is."""
    state = deal_cards(3, OceansOptions(first_player=FirstPlayer.HOST, reef=True))
    assert is_possible(state, make_layout(state, scenarios="ABU FER", pool="", first_player=0))
    assert not is_possible(state, make_layout(state, scenarios="ABU FER", pool="", first_player=1))
    assert not is_possible(state, make_layout(state, scenarios="ABU FER", pool="ABY ACU", first_player=0))
