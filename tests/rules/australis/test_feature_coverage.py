"""Every rule is used: by games of computer players at all tables, or from a position built for it."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from rules.australis import AUSTRALIS
from rules.australis.model import Position
from rules.model import Seat
from tests.rules.australis.features import FEATURES, features_of
from tests.rules.australis.positions import NOTATION, act, make_board, make_position
from tests.rules.whole_games import Transition, find_features
from tests.trials import trial_count

RANDOM_GAME_COUNT: Final = trial_count(short=150, soak=1000)
"""Of each number of seats, at most."""
CASUAL_GAME_COUNT: Final = trial_count(short=4, soak=1000)


def transition_of(position: Position, text: str) -> Transition:
    """Return one transition of the seat to act."""
    after = act(position, text)
    assert position.to_act is not None
    return Transition(position, position.to_act, NOTATION.parse(text), after)


def lose_a_pick() -> Transition:
    """Only competition cards of owned colours are on display."""
    board = make_board(cards="blue-competition")
    position = make_position(
        board, make_board(turtle=1), dice="white-1c2p red", display="blue-competition", draw_pile="blue-coral"
    )
    return transition_of(position, "take white-1c2p")


def shorten_the_display() -> Transition:
    """Both piles are empty after a pick."""
    boards = (make_board(), make_board(turtle=1))
    position = make_position(*boards, dice="white-1c2p red", display="white-fish blue-fish", draw_pile="")
    return transition_of(act(position, "take white-1c2p"), "keep white-fish")


def end_without_competitors() -> Transition:
    """Nobody has a number die at the end of a round."""
    boards = (make_board(dice="white-2c"), make_board(turtle=1, dice="yellow-4f"))
    return transition_of(make_position(*boards, dice="yellow-4f red", turns_left=1), "take yellow-4f")


def move_a_coral_by_die() -> Transition:
    """A die brings a coral where all are placed."""
    boards = (make_board(corals={3: 8, 4: 8}), make_board(turtle=1))
    return transition_of(act(make_position(*boards, dice="purple-5 red"), "take purple-5"), "move 3 5")


def move_a_coral_by_used_card() -> Transition:
    """A card brings a coral where all are placed."""
    boards = (make_board(turtle=8, corals={3: 8, 4: 8}), make_board(turtle=1))
    position = make_position(*boards, dice="white-1c2p red", display="blue-coral white-fish")
    return transition_of(act(act(position, "take white-1c2p"), "use blue-coral"), "move 3 5")


TRANSITION_MAKERS: Final[Mapping[str, Callable[[], Transition]]] = {
    "a pick is lost": lose_a_pick,
    "short display": shorten_the_display,
    "nobody competes": end_without_competitors,
    "move a coral by die": move_a_coral_by_die,
    "move a coral by used": move_a_coral_by_used_card,
}
"""For each feature that games hardly ever meet, what makes a transition with it."""


@pytest.mark.parametrize("feature", TRANSITION_MAKERS)
def test_a_built_position_uses_the_rule(feature: str) -> None:
    """The transition does what games hardly ever do."""
    assert feature in FEATURES
    assert feature in set(features_of(TRANSITION_MAKERS[feature]()))


@pytest.mark.slow
def test_games_use_every_other_rule() -> None:
    """Each die, card, move, cube, tie, way of refilling and way to win a competition occurs."""
    wanted_features = FEATURES - set(TRANSITION_MAKERS)
    found = find_features(AUSTRALIS, features_of, wanted_features, RANDOM_GAME_COUNT, CASUAL_GAME_COUNT)
    assert found <= FEATURES
    assert not wanted_features - found


def test_taking_a_plain_die_has_one_feature() -> None:
    """A fish die without points, taken by a player without cards."""
    boards = (make_board(), make_board(turtle=1))
    transition = transition_of(make_position(*boards, dice="yellow-5f blue-2 red"), "take yellow-5f")
    assert transition.actor == Seat(0)
    assert set(features_of(transition)) == {"take yellow-5f"}
