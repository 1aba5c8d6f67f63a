"""The deal, the first player, the goals of two, the aces on the compass."""

import pytest

from rules.currents import CURRENTS
from rules.currents.components import ACES, Axis
from rules.currents.model import BoardShape, CurrentsOptions, Obstacles, Phase, WildJokers
from rules.currents.rules import State
from rules.errors import InvalidSetup
from rules.match import Match
from rules.model import CHANCE
from rules.text import listed
from tests.rules.currents.positions import (
    HOST_BEGINS_OPTIONS,
    TRIANGLE_OPTIONS,
    act,
    is_legal,
    legal_choices,
    resolve_chance,
    round_trip,
)

FOUR_DEALS = ("deal A 2C,3C,4C", "deal B 5C,6C,7C", "deal C 8C,9C,10C", "deal D JC,QC,KC")


def make_opening_state(seat_count: int, options: CurrentsOptions) -> State:
    """Return the state before the first deal."""
    return round_trip(CURRENTS.initial_state(seat_count, options))


@pytest.mark.parametrize(
    ("seat_count", "jokers", "draw_pile_size"),
    [(4, False, 36), (2, False, 42), (4, True, 38), (3, False, 39)],
)
def test_three_cards_each(seat_count: int, *, jokers: bool, draw_pile_size: int) -> None:
    """Everybody is dealt three cards without the aces; the rest is the draw pile."""
    options = CurrentsOptions(
        jokers=jokers, board=BoardShape.TRIANGLE if seat_count == 3 else BoardShape.SQUARE
    )
    state = resolve_chance(make_opening_state(seat_count, options))
    assert state.position.hand_sizes == (3,) * seat_count
    assert len(state.draw_pile) == state.position.draw_pile_size == draw_pile_size
    assert not {*ACES} & {*state.draw_pile, *(card for hand in state.hands for card in hand)}


def test_chance_names_the_first_player() -> None:
    """After the deal chance may name any seat, and nobody else."""
    state = act(make_opening_state(4, CurrentsOptions()), *FOUR_DEALS)
    assert state.position.phase is Phase.FIRST_PLAYER
    for seat, letter in enumerate("ABCD"):
        assert act(state, f"begin {letter}").position.first_player == seat
    with pytest.raises(AssertionError):
        act(state, "begin E")


def test_the_host_may_begin() -> None:
    """With first_player=host the first seat begins and chance is not asked."""
    state = act(make_opening_state(4, HOST_BEGINS_OPTIONS), *FOUR_DEALS)
    assert (state.position.phase, state.position.first_player) == (Phase.ACES, 0)


@pytest.mark.parametrize("first_player", range(4))
def test_four_lay_aces_from_the_right(first_player: int) -> None:
    """R1: right, opposite, left, first player; the first player lays the last ace and begins."""
    state = act(make_opening_state(4, CurrentsOptions()), *FOUR_DEALS, f"begin {'ABCD'[first_player]}")
    order = []
    for ace in ("ace AC N", "ace AD E", "ace AH S", "ace AS W"):
        order.append(state.position.to_act)
        state = act(state, ace)
    assert order == [(first_player - 1) % 4, (first_player - 2) % 4, (first_player - 3) % 4, first_player]
    assert state.position.compass == ("AC", "AD", "AH", "AS")
    assert (state.position.current_player, state.position.turn) == (first_player, 1)
    assert (state.position.phase, state.position.to_act) == (Phase.DRAW, CHANCE)


def test_every_ace_and_place_is_open() -> None:
    """16 choices, then 9, then 4, then one."""
    state = act(make_opening_state(4, HOST_BEGINS_OPTIONS), *FOUR_DEALS)
    counts = []
    for ace in ("ace AC N", "ace AD E", "ace AH S", "ace AS W"):
        counts.append(len(legal_choices(state)))
        state = act(state, ace)
    assert counts == [16, 9, 4, 1]


def test_only_the_last_ace_is_forced() -> None:
    """The last ace is played by itself: one is left and one place is free."""
    state = act(make_opening_state(4, HOST_BEGINS_OPTIONS), *FOUR_DEALS, "ace AC N", "ace AD E")
    assert CURRENTS.forced_action(CURRENTS.view(state, None)) is None
    state = act(state, "ace AH S")
    assert CURRENTS.forced_action(CURRENTS.view(state, None)) == legal_choices(state)[0]


def test_two_players_name_goals_then_lay_two_aces_each() -> None:
    """The first player names the axis; the other lays two aces, then the first player does."""
    state = act(make_opening_state(2, CurrentsOptions()), "deal A 2C,3C,4C", "deal B 5C,6C,7C", "begin B")
    assert (state.position.phase, state.position.to_act) == (Phase.AXIS, 1)
    state = act(state, "axis EW")
    assert state.position.axis is Axis.EAST_WEST
    order = []
    for ace in ("ace AC N", "ace AD E", "ace AH S", "ace AS W"):
        order.append(state.position.to_act)
        assert is_legal(state, ace)
        state = act(state, ace)
    assert order == [0, 0, 1, 1]
    assert state.position.current_player == 1


def test_three_lay_three_aces() -> None:
    """Triangle: right, left, first player; the last one still chooses; the fourth ace is discarded."""
    deals = ("deal A 2C,3C,4C", "deal B 5C,6C,7C", "deal C 8C,9C,10C")
    state = act(make_opening_state(3, TRIANGLE_OPTIONS), *deals, "begin B")
    order = []
    for ace in ("ace AC X", "ace AD Y"):
        order.append(state.position.to_act)
        state = act(state, ace)
    assert [*order, state.position.to_act] == [0, 2, 1]
    assert len(legal_choices(state)) == 2
    assert CURRENTS.forced_action(CURRENTS.view(state, None)) is None
    state = act(state, "ace AS Z")
    assert state.position.discard_pile == ("AH",)
    assert (state.position.aces, state.position.current_player) == ((), 1)


@pytest.mark.parametrize(
    ("seat_count", "options", "fits"),
    [
        (2, CurrentsOptions(), True),
        (4, CurrentsOptions(obstacles=Obstacles.ROCKS), True),
        (3, TRIANGLE_OPTIONS, True),
        (3, CurrentsOptions(), False),
        (2, TRIANGLE_OPTIONS, False),
        (4, TRIANGLE_OPTIONS, False),
        (3, CurrentsOptions(board=BoardShape.TRIANGLE, obstacles=Obstacles.ROCKS), False),
        (4, CurrentsOptions(wild_jokers=WildJokers.SPLIT), False),
        (4, CurrentsOptions(wild_jokers=WildJokers.SPLIT, jokers=True), True),
    ],
)
def test_options_fit_the_seats(seat_count: int, options: CurrentsOptions, *, fits: bool) -> None:
    """Two or four on the square, three on the triangle, wild jokers only with jokers."""
    assert (CURRENTS.setup_error(seat_count, options) is None) is fits


@pytest.mark.parametrize(
    ("options", "counts_text", "seat_count"), [(CurrentsOptions(), "2 or 4", 5), (TRIANGLE_OPTIONS, "3", 6)]
)
def test_lobby_and_refusal_name_the_same_numbers(
    options: CurrentsOptions, counts_text: str, seat_count: int
) -> None:
    """The numbers of players that a lobby shows are those that a refusal names."""
    assert listed([str(count) for count in CURRENTS.player_counts_with(options)], "or") == counts_text
    with pytest.raises(
        InvalidSetup, match=f"Currents is for {counts_text} players with these options, not for {seat_count}"
    ):
        Match.begin(CURRENTS, seat_count, options, bytes(32))


def test_forged_deals_are_impossible() -> None:
    """Chance cannot deal aces, too many cards, one card twice, to the wrong seat or out of order."""
    state = make_opening_state(4, CurrentsOptions())
    for text in (
        "deal A AC,2C,3C", "deal A 2C,3C", "deal A 2C,2C,3C", "deal B 2C,3C,4C", "deal A 3C,2C,4C",
        "deal A RJ,2C,3C", "begin A", "reshuffle 2C", "reshuffle ()", "deal A ?,?,?",
    ):  # fmt: skip
        with pytest.raises(AssertionError):
            act(state, text)
    ready = act(state, *FOUR_DEALS)
    for text in ("begin E", "deal A 2H,3H,4H", "shuffle - -"):
        with pytest.raises(AssertionError):
            act(ready, text)


def test_options_that_fit_no_seats_name_their_conflict() -> None:
    """What no number of players would solve is named alone: three on the triangle read nothing of three."""
    options = CurrentsOptions(board=BoardShape.TRIANGLE, obstacles=Obstacles.ROCKS)
    conflict = CURRENTS.option_conflict(options)
    assert conflict == "The triangular board has no obstacles: set obstacles to off."
    assert CURRENTS.option_conflict(TRIANGLE_OPTIONS) is None
