"""A turn: the die's cards first, then the die; then the next player."""

import pytest

from rules.australis import AUSTRALIS
from rules.australis.components import Card, Die
from rules.australis.events import (
    CardActivated,
    CoralPlaced,
    DieTaken,
    EffectSource,
    FishCaught,
    PointsGained,
    TokenTaken,
    TurtleMoved,
)
from rules.australis.legal import forced_action
from rules.australis.model import Phase
from rules.model import Seat
from tests.rules.australis.positions import act, legal_texts, make_board, make_position, trail_types

TWO_BOARDS = (make_board(turtle=0), make_board(turtle=1))


def test_any_die_left_may_be_taken() -> None:
    """Each kind of die once, a colour one already has included; nobody passes."""
    position = make_position(
        make_board(dice="blue-2"), make_board(turtle=1, dice="red"), dice="blue-2 blue-2 blue-7 white-2c"
    )
    assert legal_texts(position) == ["take white-2c", "take blue-2", "take blue-7"]


def test_a_die_is_placed_unchanged_and_the_turn_passes() -> None:
    """Points and fish of a yellow die come at once; the next player clockwise takes a die."""
    position = act(make_position(*TWO_BOARDS, dice="yellow-3f2p red"), "take yellow-3f2p")
    board = position.boards[0]
    assert board.dice == (Die.YELLOW_3F2P,)
    assert (board.fish, board.tally.circles) == (3, 2)
    assert position.trail == (
        DieTaken(Seat(0), Die.YELLOW_3F2P),
        PointsGained(Seat(0), 2, EffectSource.DIE),
        FishCaught(Seat(0), 3, EffectSource.DIE),
    )
    assert (position.phase, position.to_act, position.dice) == (Phase.TAKE, Seat(1), (Die.RED,))


def test_a_die_without_circles_brings_no_points() -> None:
    """A die without circles adds no event of points."""
    position = act(make_position(*TWO_BOARDS, dice="yellow-5f red"), "take yellow-5f")
    assert trail_types(position) == [DieTaken, FishCaught]


def test_a_blue_die_moves_the_turtle() -> None:
    """The turtle moves forward by the die's number."""
    position = act(make_position(*TWO_BOARDS, dice="blue-6 red"), "take blue-6")
    assert position.boards[0].turtle_space == 6
    assert TurtleMoved(Seat(0), 0, 6, EffectSource.DIE) in position.trail


def test_the_red_die_takes_the_token() -> None:
    """The red die brings the token only; the order of this round stays."""
    position = act(make_position(*TWO_BOARDS, dice="blue-2 red"), "take red")
    assert position.token_holder == 0
    assert position.trail == (DieTaken(Seat(0), Die.RED), TokenTaken(Seat(0)))
    assert position.to_act == 1


def test_no_card_belongs_to_the_red_die() -> None:
    """A competition card of red is not carried out by it (AU3)."""
    position = make_position(make_board(cards="red-competition"), TWO_BOARDS[1], dice="blue-2 red")
    assert CardActivated not in trail_types(act(position, "take red"))


def test_red_may_be_taken_again_by_its_holder() -> None:
    """In every round, also by the same player (AU4)."""
    position = make_position(*TWO_BOARDS, dice="blue-2 red", round_number=2, starter=0)
    assert act(position, "take red").token_holder == 0


def test_cards_of_the_colour_come_before_the_die() -> None:
    """All of them once, each carried out fully; cards of other colours rest."""
    board = make_board(cards="blue-fish blue-points yellow-fish blue-competition")
    position = act(make_position(board, TWO_BOARDS[1], dice="blue-4 red"), "take blue-4")
    assert trail_types(position) == [
        DieTaken, CardActivated, FishCaught, CardActivated, PointsGained, TurtleMoved,
    ]  # fmt: skip
    after = position.boards[0]
    assert (after.fish, after.tally.cards, after.tally.circles) == (1, 2, 0)
    assert after.cards == board.cards, "they stay for the whole game"


@pytest.mark.parametrize("turtle", [1, 2])
def test_the_usual_order_is_turtle_coral_fish_points(turtle: int) -> None:
    """Where the order changes nothing, nobody is asked (AU2)."""
    board = make_board(turtle=turtle, cards="yellow-points yellow-turtle yellow-coral")
    position = act(make_position(board, make_board(turtle=0), dice="yellow-4f red"), "take yellow-4f")
    assert [event.card for event in position.trail if isinstance(event, CardActivated)] == [
        Card.YELLOW_TURTLE,
        Card.YELLOW_CORAL,
        Card.YELLOW_POINTS,
    ]
    assert position.boards[0].coral_counts == (1, 0, 0, 0, 0, 0)


def test_the_player_orders_cards_where_the_reef_changes() -> None:
    """The turtle before the coral opens reef 4; the coral first can only go to reef 3 (AU2)."""
    board = make_board(turtle=3, cards="purple-turtle purple-coral purple-fish")
    position = act(make_position(board, make_board(turtle=0), dice="purple-3 red"), "take purple-3")
    assert position.phase is Phase.ACTIVATE
    assert legal_texts(position) == [
        "all", "activate purple-fish", "activate purple-turtle", "activate purple-coral",
    ]  # fmt: skip

    usual_order = act(position, "all")
    assert legal_texts(usual_order) == ["coral 4", "coral 3"]
    usual_order = act(usual_order, "coral 4")
    assert usual_order.boards[0].coral_counts == (1, 1, 0, 0, 0, 0), "then the die: one on reef 3"

    own_order = act(position, "activate purple-coral")
    assert own_order.boards[0].coral_counts == (2, 0, 0, 0, 0, 0)
    assert own_order.boards[0].turtle_space == 4
    assert [event for event in own_order.trail if isinstance(event, CoralPlaced)] == [
        CoralPlaced(Seat(0), 3, EffectSource.KEPT_CARD),
        CoralPlaced(Seat(0), 3, EffectSource.DIE),
    ]

    fish_first = act(position, "activate purple-fish")
    assert fish_first.phase is Phase.ACTIVATE
    assert legal_texts(fish_first) == ["all", "activate purple-turtle", "activate purple-coral"]


def test_kept_cards_are_used_by_each_die_of_the_colour() -> None:
    """With two yellow dice a card acts twice."""
    board = make_board(cards="yellow-fish", dice="yellow-4f")
    position = act(make_position(board, TWO_BOARDS[1], dice="yellow-4f red"), "take yellow-4f")
    assert position.boards[0].fish == 5


def test_a_single_choice_is_forced() -> None:
    """One kind of die left: it is taken without asking; two kinds are a choice."""
    position = make_position(*TWO_BOARDS, dice="blue-2 blue-2")
    assert (
        forced_action(AUSTRALIS.view(position, None))
        == AUSTRALIS.legal_actions(AUSTRALIS.view(position, Seat(0)))[0]
    )
    assert forced_action(AUSTRALIS.view(make_position(*TWO_BOARDS, dice="blue-2 red"), None)) is None
