"""Refusals of Arctic CleanUp: what is wrong and what to do."""

import pytest

from rules.arctic_cleanup import ARCTIC_CLEANUP
from tests.rules.arctic_cleanup.positions import (
    SAMPLE_POSITION,
    SEAT_ORDER_OPTIONS,
    act,
    make_board,
    make_position,
    make_unload_position,
    resolve_chance,
)
from tests.rules.arctic_cleanup.texts import refusal_text


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("load 1 hdpe", "There is no HDPE beside ship 1. Its tile holds 2 PET and PP."),
        ("load 3 hdpe", "You have ships 1 and 2. Name one of them."),
        (
            "load 3 pet",
            (
                "You have ships 1 and 2. The number is that of the ship: you can type `load 1 PET`."
                " Join several moves with `;`."
            ),
        ),
        ("end", "Play a card first. You may also play one without effect."),
        ("place pet 1", "You have no drawn token to place. Play a card."),
        ("factory A2", "Factories and ships are placed before the first turn. Play a card."),
        ("sail 1 3", "Ship 1 has no such die. It has 1 ↑, 1 ↑ and 1 ↑."),
        ("rotate 1 1 1", "Turn the die to another number from 1 to 6."),
        ("rotate 1 4 1", "Ship 1 has no such die. It has 1 ↑, 1 ↑ and 1 ↑."),
        ("bring 3 1", "Row 1 belongs to ship 1, row 2 to ship 2. Name one of them."),
        ("bring 1 9", "A die shows a number from 1 to 6."),
        ("analyze 5", "You can draw up to one token."),
        ("unload 2 pet R1", "Ship 2 carries nothing. Play a card."),
        ("unload 1 pp H1", "The hatched lines are closed: first process two tokens on R5 and two on R6."),
        ("unload 1 pet H1", "PET goes on plain lines, R1 to R6."),
    ],
)
def test_refusals(text: str, refusal: str) -> None:
    """A refusal says what is wrong and what to do."""
    assert refusal_text(SAMPLE_POSITION, text) == refusal


def test_a_set_up_move_in_a_turn_is_refused_with_advice_that_fits() -> None:
    """No refusal asks a player in the middle of a card to play one."""
    prefix = "Factories and ships are placed before the first turn."
    after_sailing = act(SAMPLE_POSITION, "sail 1 1")
    assert refusal_text(after_sailing, "factory A2") == f"{prefix} Go on with Move, or end your turn."
    after_drawing = resolve_chance(act(make_position(make_board("A2", "B2 B3"), bag="pet,pp"), "analyze 1"))
    assert refusal_text(after_drawing, "ship B2").startswith("First place the tokens that you drew: ")


def test_refusals_of_full_ships_and_lines() -> None:
    """Capacity, deadlocks, colours and room of a line."""
    full_ship_position = make_position(make_board("A2", "B2 B3", cargo="4pet -"), ocean="B2:pet")
    assert refusal_text(full_ship_position, "load 1 pet") == "Ship 1 is full: four tokens at most."
    nearly_locked_position = make_position(make_board("A2", "B2 B3", cargo="4pp 3ps"), ocean="B3:pp")
    assert refusal_text(nearly_locked_position, "load 2 pp") == (
        "Both ships would be full of tokens that no line takes. Leave one space free."
    )
    other_plastic_position = make_unload_position("pet -", lines="R1:2eva")
    assert refusal_text(other_plastic_position, "unload 1 pet R1") == (
        "R1 (EVA, 2 of 3) does not take PET. Choose R2, R3, R4, R5 or R6."
    )
    ship_away_position = make_unload_position("- pet", ships="B2 B4")
    assert (
        refusal_text(ship_away_position, "unload 2 pet R1")
        == "Ship 2 does not touch your factory. Sail there first."
    )
    after_unload = act(make_unload_position("pet pet", ships="B2 B4"), "unload 1 pet R1")
    assert (
        refusal_text(after_unload, "unload 2 pet R1") == "Ship 2 does not touch your factory. End your turn."
    )
    assert refusal_text(after_unload, "unload 1 pet R1") == "Ship 1 carries nothing. End your turn."


def test_refusals_in_a_turn() -> None:
    """One card a turn, and no step off the ocean; who plays a card is advised what it still allows."""
    position = act(SAMPLE_POSITION, "sail 1 1")
    assert refusal_text(position, "load 1 pet") == (
        "You play Move in this turn. Go on with Move, or end your turn."
    )
    assert refusal_text(position, "sail 1 1") == "1 ↑ leads off the ocean. Go on with Move, or end your turn."
    assert refusal_text(position, "place pet 1") == (
        "You have no drawn token to place. Go on with Move, or end your turn."
    )
    one_way = make_position(make_board("A2", "B2 B3", rows="15 -"))
    assert refusal_text(one_way, "sail 1 5") == "5 ↙ leads off the ocean. Use another die, or plan first."
    no_way = make_position(make_board("A2", "B2 B3", rows="5 -"))
    assert refusal_text(no_way, "sail 1 5") == "5 ↙ leads off the ocean. Plan first."


def test_refusals_of_the_set_up() -> None:
    """The sites and docks that are left."""
    start = resolve_chance(ARCTIC_CLEANUP.initial_state(2, SEAT_ORDER_OPTIONS))
    assert refusal_text(start, "factory C3") == "Your factory needs a free site: A2 or E2."
    placing = act(start, "factory A2", "factory E2")
    assert refusal_text(placing, "ship B2") == "Ship 1 needs a tile that touches your factory: D2 or D3."
