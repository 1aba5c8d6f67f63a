"""Refusals of Australis: what is wrong and what to do."""

import pytest

from rules.australis.model import Position
from tests.rules.australis.positions import (
    MOVING_CORAL,
    PICKING_CARD,
    PLACING_CORAL,
    TAKING_DIE,
    act,
    make_board,
    make_position,
)
from tests.rules.australis.texts import refusal_text


@pytest.mark.parametrize(
    ("position", "text", "reason"),
    [
        (TAKING_DIE, "take blue-6", "The blue 6 is not on the board. Choose among: blue 2, 5."),
        (TAKING_DIE, "take white-2c", "No white die is left. On the board: blue 2, 5 · purple 3 · red."),
        (TAKING_DIE, "coral 5", "Take a die from the board first: what follows depends on it."),
        (PLACING_CORAL, "coral 6", "The die shows 5, so the coral goes to reef 5 or a lower one."),
        (PLACING_CORAL, "coral 9", "There is no such reef, only those from 3 to 8."),
        (PLACING_CORAL, "move 3 4", "You still have corals in your supply: place one of them."),
        (PLACING_CORAL, "leave", "You still have corals in your supply, so you must place one."),
        (PLACING_CORAL, "take red", "First choose the reef for your coral: reef 5 or a lower one."),
        (MOVING_CORAL, "take red", "First move a coral to reef 5 or a lower one, or leave your corals."),
        (MOVING_CORAL, "coral 3", "Your supply is empty: move one of your placed corals, or leave them."),
        (MOVING_CORAL, "move 5 3", "You have no coral on reef 5. You have corals on reefs 3 and 4."),
        (
            MOVING_CORAL,
            "move 3 3",
            "A coral moves to another reef: name two different ones, or leave your corals.",
        ),
        (MOVING_CORAL, "move 3 7", "The die shows 5, so the coral goes to reef 5 or a lower one."),
        (
            PICKING_CARD,
            "keep yellow-fish",
            (
                "The yellow fish card is not on the display. "
                "It shows: white fish, blue turtle, purple competition, red competition."
            ),
        ),
        (
            PICKING_CARD,
            "keep white-fish",
            "You already keep a white fish card. Use this one at once, or pick another card.",
        ),
        (
            PICKING_CARD,
            "keep blue-turtle",
            (
                "You already keep 3 blue cards (blue points, blue fish and blue coral), the most allowed. "
                "Use this one at once, or pick another card."
            ),
        ),
        (
            PICKING_CARD,
            "keep purple-competition",
            "You already have the purple competition card: pick another card.",
        ),
        (
            PICKING_CARD,
            "use red-competition",
            "A competition card cannot be used at once: keep the red competition card, or pick another card.",
        ),
        (PICKING_CARD, "take red", "First pick a card on the display: keep it or use it at once."),
    ],
)
def test_refusals(position: Position, text: str, reason: str) -> None:
    """Each refusal says what is wrong and what to do."""
    assert refusal_text(position, text) == reason


def test_the_refusal_for_a_coral_card_names_the_turtles_reef() -> None:
    """The limit of a card's coral is the reef at the turtle."""
    board = make_board(turtle=8, cards="yellow-coral")
    placing = act(make_position(board, make_board(turtle=1), dice="yellow-4f red"), "take yellow-4f")
    assert (
        refusal_text(placing, "coral 6")
        == "Your turtle is at reef 5, so the coral goes to reef 5 or a lower one."
    )
