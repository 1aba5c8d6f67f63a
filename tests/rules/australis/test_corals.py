"""Placing corals, and moving them once the supply is empty."""

import pytest

from rules.australis import AUSTRALIS
from rules.australis.events import CoralMoved, CoralPlaced, EffectSource, NoCoralMoved
from rules.australis.legal import forced_action
from rules.australis.model import Phase
from rules.model import Seat
from tests.rules.australis.positions import act, events, legal_texts, make_board, make_position

OTHER_BOARD = make_board(turtle=1)


def test_a_purple_die_allows_its_reef_and_lower_ones() -> None:
    """Purple 5: reefs 5, 4 and 3."""
    position = act(make_position(make_board(), OTHER_BOARD, dice="purple-5 red"), "take purple-5")
    assert (position.phase, position.to_act) == (Phase.CORAL, 0)
    assert legal_texts(position) == ["coral 5", "coral 4", "coral 3"]
    position = act(position, "coral 4")
    assert events(position, CoralPlaced) == [CoralPlaced(Seat(0), 4, EffectSource.DIE)]
    assert (position.boards[0].coral_counts, position.boards[0].coral_supply) == ((0, 1, 0, 0, 0, 0), 15)
    assert position.to_act == 1


def test_a_purple_3_places_its_coral_at_once() -> None:
    """Reef 3 is the only one that a purple 3 allows, so nobody is asked."""
    position = act(make_position(make_board(), OTHER_BOARD, dice="purple-3 red"), "take purple-3")
    assert events(position, CoralPlaced) == [CoralPlaced(Seat(0), 3, EffectSource.DIE)]
    assert position.to_act == 1


def test_any_number_of_corals_of_anybody_on_a_reef() -> None:
    """Fifteen own ones and another's do not stop the sixteenth."""
    position = make_position(
        make_board(corals={3: 15}), make_board(turtle=1, corals={3: 9}), dice="purple-3 red"
    )
    assert act(position, "take purple-3").boards[0].coral_counts[0] == 16


@pytest.mark.parametrize(
    ("turtle", "reefs"),
    [(0, [3]), (3, [3]), (4, [4, 3]), (9, [5, 4, 3]), (18, [8, 7, 6, 5, 4, 3])],
)
def test_a_coral_card_allows_the_turtles_reef_and_lower_ones(turtle: int, reefs: list[int]) -> None:
    """The section of the track decides; on 0 to 3 there is nothing to choose."""
    board = make_board(turtle=turtle, cards="yellow-coral")
    position = act(make_position(board, OTHER_BOARD, dice="yellow-4f red"), "take yellow-4f")
    if reefs == [3]:
        assert events(position, CoralPlaced) == [CoralPlaced(Seat(0), 3, EffectSource.KEPT_CARD)]
    else:
        assert legal_texts(position) == [f"coral {reef}" for reef in reefs]
        position = act(position, f"coral {reefs[0]}")
    assert position.boards[0].fish == 4, "then the die"


def test_a_coral_cannot_be_declined() -> None:
    """While the supply has corals, one must be placed (AU1)."""
    position = act(make_position(make_board(), OTHER_BOARD, dice="purple-8 red"), "take purple-8")
    assert all(text.startswith("coral") for text in legal_texts(position))


# An empty supply -----------------------------------------------------------------------------------


def test_an_empty_supply_lets_a_coral_be_moved() -> None:
    """One own coral, from any reef, also a higher one, to another allowed reef; or none (AU7)."""
    board = make_board(corals={4: 10, 8: 6})
    position = act(make_position(board, OTHER_BOARD, dice="purple-5 red"), "take purple-5")
    assert legal_texts(position) == ["leave", "move 4 3", "move 4 5", "move 8 3", "move 8 4", "move 8 5"]
    after_moving = act(position, "move 8 5")
    assert after_moving.boards[0].coral_counts == (0, 10, 1, 0, 0, 5)
    assert events(after_moving, CoralMoved) == [CoralMoved(Seat(0), 8, 5, EffectSource.DIE)]
    after_leaving = act(position, "leave")
    assert after_leaving.boards[0].coral_counts == (0, 10, 0, 0, 0, 6)
    assert after_leaving.trail == (NoCoralMoved(Seat(0)),)
    assert after_moving.to_act == after_leaving.to_act == 1


def test_a_coral_card_moves_within_the_turtles_reach() -> None:
    """Up to the reef of the turtle's section (AU7)."""
    board = make_board(turtle=4, corals={5: 8, 3: 8}, cards="yellow-coral")
    position = act(make_position(board, OTHER_BOARD, dice="yellow-4f red"), "take yellow-4f")
    assert legal_texts(position) == ["leave", "move 3 4", "move 5 3", "move 5 4"]
    assert act(position, "move 5 4").boards[0].fish == 4


def test_each_coral_effect_moves_one_or_none() -> None:
    """A card and the die of one turn are asked for one after the other (AU7)."""
    board = make_board(turtle=4, corals={3: 16}, cards="purple-coral")
    position = act(make_position(board, OTHER_BOARD, dice="purple-8 red"), "take purple-8", "move 3 4")
    assert position.phase is Phase.CORAL
    assert "move 4 8" in legal_texts(position)
    assert act(position, "leave").boards[0].coral_counts == (15, 1, 0, 0, 0, 0)


def test_the_last_coral_of_the_supply_is_placed_not_moved() -> None:
    """The next effect of the same turn may move one."""
    board = make_board(turtle=4, corals={3: 15}, cards="purple-coral")
    position = act(make_position(board, OTHER_BOARD, dice="purple-5 red"), "take purple-5")
    assert legal_texts(position) == ["coral 4", "coral 3"]
    assert "leave" in legal_texts(act(position, "coral 4"))


def test_nothing_to_move_is_left_without_asking() -> None:
    """All corals on reef 3, and reef 3 is all that the card allows."""
    board = make_board(turtle=2, corals={3: 16}, cards="yellow-coral")
    position = act(make_position(board, OTHER_BOARD, dice="yellow-4f red"), "take yellow-4f")
    assert legal_texts(position) == ["leave"]
    assert forced_action(AUSTRALIS.view(position, None)) is not None
