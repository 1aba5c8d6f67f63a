"""White dice: picking cards, keeping them and using them at once."""

from rules.australis import AUSTRALIS
from rules.australis.components import Card
from rules.australis.events import (
    CardActivated,
    CardKept,
    CardUsed,
    CubeTaken,
    EffectSource,
    PickLost,
    PointsGained,
    TurtleMoved,
)
from rules.australis.legal import forced_action
from rules.australis.model import Phase, Position
from rules.model import Seat
from tests.rules.australis.positions import act, events, legal_texts, make_board, make_position

OTHER_BOARD = make_board(turtle=1)


def take_white(cards: str, display: str, die: str = "white-1c2p", turtle: int = 0) -> Position:
    """Return the position after the first seat took a white die, with these cards kept before."""
    board = make_board(turtle=turtle, cards=cards)
    return act(make_position(board, OTHER_BOARD, dice=f"{die} red", display=display), f"take {die}")


def test_circles_come_before_the_picks() -> None:
    """The points of the die, then the choice of a card: any of the display, kept or used (AU28)."""
    position = take_white("", "white-fish blue-coral blue-coral red-competition")
    assert position.boards[0].tally.circles == 2
    assert (position.phase, position.picks_left) == (Phase.PICK, 1)
    assert legal_texts(position) == [
        "keep white-fish", "use white-fish", "keep blue-coral", "use blue-coral", "keep red-competition",
    ]  # fmt: skip


def test_a_kept_card_stays_and_is_not_carried_out_by_this_die() -> None:
    """Activation comes before the die, so a white card kept now waits for the next white die."""
    position = act(take_white("", "white-points white-fish"), "keep white-fish")
    assert position.boards[0].cards == (Card.WHITE_FISH,)
    assert events(position, CardKept) == [CardKept(Seat(0), Card.WHITE_FISH)]
    assert not events(position, CardActivated)
    assert position.boards[0].fish == 0


def test_a_used_card_acts_once_and_is_discarded() -> None:
    """No die of its colour is needed, and it is a free choice also where it could be kept."""
    position = act(take_white("", "yellow-points white-fish"), "use yellow-points")
    assert (position.boards[0].tally.cards, position.boards[0].cards) == (2, ())
    assert Card.YELLOW_POINTS in position.discard_pile
    assert position.trail[:2] == (
        CardUsed(Seat(0), Card.YELLOW_POINTS),
        PointsGained(Seat(0), 2, EffectSource.USED_CARD),
    )


def test_a_used_turtle_card_takes_cubes() -> None:
    """A turtle card that is used at once moves by the usual rules and takes cubes."""
    position = act(take_white("", "blue-turtle white-fish", turtle=4), "use blue-turtle")
    assert events(position, TurtleMoved) == [TurtleMoved(Seat(0), 4, 5, EffectSource.USED_CARD)]
    assert events(position, CubeTaken)


def test_a_used_coral_card_asks_for_the_reef_and_then_for_the_next_card() -> None:
    """It looks at where the turtle is then; the second pick follows."""
    position = act(
        take_white("", "blue-coral white-fish yellow-fish", "white-2c", turtle=7), "use blue-coral"
    )
    assert legal_texts(position) == ["coral 5", "coral 4", "coral 3"]
    position = act(position, "coral 5")
    assert (position.phase, position.picks_left) == (Phase.PICK, 1)


def test_two_cards_are_picked_one_after_the_other() -> None:
    """The first is used before the second is picked: the turtle has moved when the coral comes."""
    position = take_white("", "blue-turtle blue-coral white-fish", "white-2c", turtle=3)
    position = act(position, "use blue-turtle", "use blue-coral")
    assert legal_texts(position) == ["coral 4", "coral 3"]


def test_a_duplicate_must_be_used() -> None:
    """No two cards of the same function and colour; the same function in another colour may be kept."""
    position = take_white("white-fish", "white-fish yellow-fish")
    assert legal_texts(position) == ["use white-fish", "keep yellow-fish", "use yellow-fish"]


def test_a_fourth_card_of_a_colour_must_be_used() -> None:
    """Three at most under one colour; a competition card of the colour does not count."""
    cards = "blue-points blue-fish blue-turtle blue-competition"
    assert legal_texts(take_white(cards, "blue-coral white-fish")) == [
        "keep white-fish",
        "use white-fish",
        "use blue-coral",
    ]
    cards = "blue-points blue-fish blue-competition"
    assert "keep blue-coral" in legal_texts(take_white(cards, "blue-coral white-fish"))


def test_the_second_card_is_judged_with_the_first_kept() -> None:
    """One place left: the second of the colour must be used, and so must a second copy (AU28)."""
    position = take_white("blue-points blue-fish", "blue-turtle blue-coral blue-coral", "white-2c")
    after = act(position, "keep blue-turtle")
    assert legal_texts(after) == ["use blue-coral"]
    second_copy_left = act(take_white("", "blue-coral blue-coral", "white-2c"), "keep blue-coral")
    assert legal_texts(second_copy_left) == ["use blue-coral"]


def test_a_competition_card_can_only_be_kept() -> None:
    """One of each colour, three at most; neither used at once nor discarded."""
    position = take_white("blue-competition", "purple-competition red-competition blue-competition")
    assert legal_texts(position) == ["keep purple-competition", "keep red-competition"]


def test_a_pick_is_compulsory_as_far_as_possible() -> None:
    """With anything that may be picked there is no way to pass."""
    position = take_white("", "white-fish")
    assert legal_texts(position) == ["keep white-fish", "use white-fish"]


def test_a_pick_is_lost_if_only_owned_competition_cards_lie_there() -> None:
    """Nothing may be picked, so the turn passes (AU19)."""
    position = take_white(
        "blue-competition red-competition", "blue-competition red-competition", "white-2c1p"
    )
    assert events(position, PickLost) == [PickLost(Seat(0)), PickLost(Seat(0))]
    assert position.boards[0].tally.circles == 1
    assert position.phase is not Phase.PICK
    assert position.picks_left == 0


def test_the_second_pick_alone_may_be_lost() -> None:
    """The first took the last card that may be picked."""
    position = take_white("red-competition", "white-fish red-competition", "white-2c")
    position = act(position, "keep white-fish")
    assert events(position, PickLost) == [PickLost(Seat(0))]


def test_taking_a_die_leaves_the_kept_cards() -> None:
    """Turns with yellow, blue and purple dice leave the kept cards where they are."""
    cards = "white-fish yellow-fish blue-fish purple-fish"
    board = make_board(cards=cards)
    for die in ("yellow-4f", "blue-2", "purple-3"):
        after = act(make_position(board, OTHER_BOARD, dice=f"{die} red"), f"take {die}")
        assert after.boards[0].cards == board.cards


def test_a_single_pick_is_forced() -> None:
    """One card, and only one thing to do with it."""
    position = take_white("", "red-competition")
    assert forced_action(AUSTRALIS.view(position, None)) is not None
    position = take_white("", "white-fish")
    assert forced_action(AUSTRALIS.view(position, None)) is None
