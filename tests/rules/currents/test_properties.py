"""What must hold in every game: random games of all sizes and options against an independent reading."""

import random
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.currents import CURRENTS
from rules.currents.actions import ChooseAxis, DiscardCard, PlaceAce
from rules.currents.board import GEOMETRIES
from rules.currents.components import DECK_INDEX, RANK_BY_CARD, Axis
from rules.currents.drift import compute_drift
from rules.currents.legal import legal_actions
from rules.currents.model import BoardShape, CurrentsOptions, FirstPlayer, Obstacles, Phase, WildJokers, deck
from rules.currents.rules import State
from rules.currents.turn import apply_play
from rules.model import CHANCE, Action, Seat
from rules.random_stream import RandomStream
from tests.rules.currents import oracle
from tests.rules.currents.positions import HOST_BEGINS_OPTIONS, act, legal_choices, make_state, round_trip
from tests.trials import trial_count

pytestmark = pytest.mark.slow

JOKER_MODES = [(False, WildJokers.COMPASS), *((True, mode) for mode in WildJokers)]
OPTION_VALUES = {
    "board": BoardShape,
    "easy_usurp": (False, True),
    "combo": (False, True),
    "obstacles": Obstacles,
    "first_player": FirstPlayer,
}
SETUPS = [
    (seat_count, options)
    for (jokers, wild), *chosen in product(JOKER_MODES, *OPTION_VALUES.values())
    for options in [
        CurrentsOptions(
            jokers=jokers, wild_jokers=wild, turn_cap=100, **dict(zip(OPTION_VALUES, chosen, strict=True))
        )
    ]
    for seat_count in (2, 3, 4)
    if CURRENTS.setup_error(seat_count, options) is None
]
"""Every number of seats with each mix of options that fits it."""
WHOLE_GAME_SETTINGS = settings(
    max_examples=trial_count(short=40, soak=4000),
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
"""Of tests in which each example is a whole game."""


def play_randomly(
    seat_count: int, options: CurrentsOptions, seed: int
) -> Iterator[tuple[State, Action | None]]:
    """Play at random; yield each state with the action taken there, the last with None."""
    rng = random.Random(seed)
    key = seed.to_bytes(32, "big")
    state = CURRENTS.initial_state(seat_count, options)
    outcome_count = 0
    while (seat := state.position.to_act) is not None:
        if seat == CHANCE:
            action = CURRENTS.sample_chance(state, RandomStream(key, outcome_count))
            outcome_count += 1
        else:
            action = rng.choice(CURRENTS.legal_actions(CURRENTS.view(state, seat)))
        yield state, action
        state = CURRENTS.apply_action(state, action)
    yield state, None


def check_state(state: State) -> None:
    """Check what holds in every state."""
    position = state.position
    geometry = GEOMETRIES[position.options.board]
    all_cards = [
        *position.aces, *position.discard_pile, *state.draw_pile,
        *(card for hand in state.hands for card in hand),
        *(card for card in (*position.compass, *position.currents) if card is not None),
    ]  # fmt: skip
    assert sorted(all_cards) == sorted(deck(position.options)), "cards are conserved"
    assert position.hand_sizes == tuple(len(hand) for hand in state.hands)
    assert position.draw_pile_size == len(state.draw_pile)
    for cards in (*state.hands, state.draw_pile):
        assert list(cards) == sorted(cards, key=DECK_INDEX.__getitem__), "the order reveals nothing"
    assert max(position.hand_sizes) <= 4
    assert (position.target is not None) == (position.phase is Phase.GOALTEND) == bool(position.exits)
    if position.winner is None:
        assert position.pawn in geometry.slot_indexes_at, "the pawn is on the board"
    acting_seats = [
        seat
        for seat in range(position.seat_count)
        if CURRENTS.legal_actions(CURRENTS.view(state, Seat(seat)))
    ]
    assert acting_seats == ([position.to_act] if position.to_act is not None and position.to_act >= 0 else [])
    assert not CURRENTS.legal_actions(CURRENTS.view(state, None))


@pytest.mark.parametrize("seat_count", [2, 3, 4])
def test_random_games_keep_the_invariants_and_end(seat_count: int) -> None:
    """Every mix of options, a game each: cards conserved, pawn on board, one decider, an end."""
    options_to_play = [options for number, options in SETUPS if number == seat_count]
    for seed, options in enumerate(options_to_play):
        for state, action in play_randomly(seat_count, options, seed):
            check_state(state)
            if state.position.to_act == CHANCE:
                assert action is not None
                assert CURRENTS.is_possible(state, action)
        assert state.position.phase is Phase.OVER
        assert (state.position.winner is None) == (state.position.turn == 100 and state.position.pawn in
                                                GEOMETRIES[options.board].slot_indexes_at)  # fmt: skip
        round_trip(state)


@WHOLE_GAME_SETTINGS
@given(st.sampled_from(SETUPS), st.integers(0, 2**32))
def test_legal_actions_agree_with_the_oracle(setup: tuple[int, CurrentsOptions], seed: int) -> None:
    """In every state of a random game: the same actions as the slow oracle, without repeats."""
    for state, _ in play_randomly(*setup, seed):
        seat = state.position.to_act
        if seat is not None and seat != CHANCE:
            view = CURRENTS.view(state, seat)
            actions = legal_actions(view)
            assert actions
            assert len(set(actions)) == len(actions)
            assert set(actions) == oracle.legal_actions(view)


@WHOLE_GAME_SETTINGS
@given(st.integers(0, 2**32), st.sampled_from([2, 4]))
def test_the_drift_agrees_with_the_oracle(seed: int, seat_count: int) -> None:
    """The sum of pushes ends where the oracle ends, which takes a step for each card."""
    for state, action in play_randomly(seat_count, CurrentsOptions(combo=True), seed):
        if state.position.phase is Phase.PLAY and action is not None:
            after = apply_play(state.position, action)
            assert compute_drift(after).target == oracle.drift_target(after)


@WHOLE_GAME_SETTINGS
@given(st.sampled_from(SETUPS), st.integers(0, 2**32), st.integers(0, 2**16))
def test_hidden_cards_change_nothing_for_others(
    setup: tuple[int, CurrentsOptions], seed: int, twin_seed: int
) -> None:
    """Sampling law: another deal of what a viewer cannot see leaves that viewer's view as it is."""
    seat_count, _ = setup
    for state_number, (state, _) in enumerate(play_randomly(*setup, seed)):
        for viewer in (None, *(Seat(seat) for seat in range(seat_count))):
            view = CURRENTS.view(state, viewer)
            twin = CURRENTS.sample_state(view, RandomStream(twin_seed.to_bytes(32, "big"), state_number))
            assert CURRENTS.view(twin, viewer) == view
            assert sorted((*twin.draw_pile, *(card for hand in twin.hands for card in hand))) == sorted(
                (*state.draw_pile, *(card for hand in state.hands for card in hand))
            )


@WHOLE_GAME_SETTINGS
@given(st.sampled_from(SETUPS), st.integers(0, 2**32), st.integers(0, 2**16))
def test_a_viewers_next_view_follows_from_the_last(
    setup: tuple[int, CurrentsOptions], seed: int, twin_seed: int
) -> None:
    """Step law: in a twin of the state the same seen action leads to the same view."""
    for state_number, (state, action) in enumerate(play_randomly(*setup, seed)):
        if action is None:
            break
        actor = state.position.to_act
        assert actor is not None
        after = CURRENTS.apply_action(state, action)
        for viewer in (None, Seat(0), Seat(1)):
            if action.seen_by(viewer, actor) != action or (actor >= 0 and actor != viewer):
                continue  # in the twin this very action may not exist
            twin = CURRENTS.sample_state(
                CURRENTS.view(state, viewer), RandomStream(twin_seed.to_bytes(32, "big"), state_number)
            )
            if actor == CHANCE and not CURRENTS.is_possible(twin, action):
                continue
            assert CURRENTS.view(CURRENTS.apply_action(twin, action), viewer) == CURRENTS.view(after, viewer)


def test_sample_state_reaches_every_deal() -> None:
    """Uniform: with three unknown cards in three hands all six deals come up about equally often."""
    state = make_state(compass="AH AD AC AS", hands=("2C", "3C", "4C", "5C"), draw_pile="", turn=1)
    view = CURRENTS.view(state, Seat(0))
    counts: dict[object, int] = {}
    for n in range(1200):
        hands = CURRENTS.sample_state(view, RandomStream(bytes(32), n)).hands
        counts[hands] = counts.get(hands, 0) + 1
    assert len(counts) == 6
    assert all(150 <= count <= 250 for count in counts.values())


def test_legal_actions_begin_with_the_timeout_choice() -> None:
    """R20: first ace on the first free place, a discard of the lowest card, no defence, N and S."""
    type_names = {
        Phase.AXIS: {"ChooseAxis"}, Phase.ACES: {"PlaceAce"}, Phase.GOALTEND: {"Concede"},
        Phase.PLAY: {"DiscardCard", "PlayCompass", "PlayCurrent", "CallJoker"},
    }  # fmt: skip
    for seed in range(20):
        for state, _ in play_randomly(2 + 2 * (seed % 2), CurrentsOptions(jokers=True), seed):
            position = state.position
            if position.to_act is None or position.to_act == CHANCE:
                continue
            first_action = legal_choices(state)[0]
            assert type(first_action).__name__ in type_names[position.phase]
            if position.phase is Phase.AXIS:
                assert first_action == ChooseAxis(Axis.NORTH_SOUTH)
            elif position.phase is Phase.ACES:
                assert first_action == PlaceAce(position.aces[0], "NESW"[position.compass.index(None)])
            elif position.phase is Phase.PLAY and None not in position.compass:
                hand = state.hands[position.to_act]
                assert first_action == DiscardCard(
                    min(hand, key=lambda card: RANK_BY_CARD.get(card, len(RANK_BY_CARD)))
                )


# Counts of positions --------------------------------------------------------------------------------


def perft(state: State, depth: int) -> int:
    """Count the sequences of so many choices; chance takes its first outcome in deck order."""
    if depth == 0 or state.position.to_act is None:
        return 1
    if state.position.to_act == CHANCE:
        return perft(
            CURRENTS.apply_action(state, CURRENTS.sample_chance(state, RandomStream(bytes(32), 0))), depth
        )
    actions = legal_choices(state)
    if depth == 1:
        return len(actions)
    return sum(perft(CURRENTS.apply_action(state, action), depth - 1) for action in actions)


def test_perft_agrees_with_counts_by_hand() -> None:
    """Counts that follow from the rules without a machine."""
    # Four cards, none an ace, any on any ace (16) or empty slot (64), two ways of a King, four discards.
    assert perft(make_state(hands=("2C 5D 9H KS",)), 1) == 16 + 64 + 2 + 4
    # A Jack takes one of four; a Queen has nothing to swap.
    assert perft(make_state(hands=("JC QD",)), 1) == 8 + 32 + 4 + 0 + 2
    # With one current a Queen has 15 swaps; QD on the slot of 5H: higher rank; 3C: neither higher nor ♥.
    assert perft(make_state(currents="N0 5H", hands=("QD 3C",)), 1) == 8 + 16 + 15 + 15 + 2
    # Set-up of four: 16 * 9 * 4 * 1 ways.
    start = CURRENTS.initial_state(4, HOST_BEGINS_OPTIONS)
    assert perft(start, 4) == 16 * 9 * 4
    # Two: two axes, then 16 * 9 for the one and 4 * 1 for the other.
    assert perft(CURRENTS.initial_state(2, CurrentsOptions()), 5) == 2 * 16 * 9 * 4
    # Three: 12 * 6 * 2, the last two with the choice of the ace alone.
    assert perft(CURRENTS.initial_state(3, CurrentsOptions(BoardShape.TRIANGLE)), 3) == 12 * 6 * 2


def test_counts_agree_with_the_oracle() -> None:
    """Two plays deep from a middle game: as many sequences as the oracle counts."""
    state = make_state(
        compass="4H 9D JC 7S",
        currents="N0 5H, N2 9C, E1 KD, S3 3S, W0 QH",
        pawn=(3, 4),
        hands=("2C 10D JH QS", "3H 8C KC 6S", "4C 5C 6C", "7D 8D 2S"),
        draw_pile="",
    )

    def oracle_count(state: State, depth: int) -> int:
        if state.position.to_act is None:
            return 1
        if state.position.to_act == CHANCE:
            outcome = CURRENTS.sample_chance(state, RandomStream(bytes(32), 0))
            return oracle_count(CURRENTS.apply_action(state, outcome), depth)
        actions = oracle.legal_actions(CURRENTS.view(state, state.position.to_act))
        if depth == 1:
            return len(actions)
        return sum(oracle_count(CURRENTS.apply_action(state, action), depth - 1) for action in actions)

    assert perft(state, 2) == oracle_count(state, 2)
    assert act(state, "discard 2C").position.current_player == 1
