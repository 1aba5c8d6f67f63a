"""What players and chance do in Arctic CleanUp.

The first operation of a turn chooses the card.  More may follow, one by one, up to the card's strength;
``EndTurn`` ends the turn.  ``ship`` is 1 or 2; ``row`` is the number of the ship whose dice are meant.
"""

from collections.abc import Mapping
from typing import Final

from rules.arctic_cleanup.components import Card, FactoryLine, Hex, Plastic
from rules.model import Action, Seat

# Set-up ----------------------------------------------------------------------------------------------


class PlaceFactory(Action, frozen=True, gc=False, tag="factory"):
    """Build the seat's factory on a free site."""

    place: Hex


class PlaceShip(Action, frozen=True, gc=False, tag="ship"):
    """Put the seat's next ship on a dock."""

    place: Hex


# Operations of the cards -----------------------------------------------------------------------------


class RotateDie(Action, frozen=True, gc=False, tag="rotate"):
    """Plan: turn a die of a row to another face."""

    row: int
    face: int
    to: int


class ShiftDie(Action, frozen=True, gc=False, tag="shift"):
    """Plan: move a die to the other row."""

    row: int
    face: int


class BringDie(Action, frozen=True, gc=False, tag="bring"):
    """Plan: bring a die from beside the board into a row, with any face."""

    row: int
    face: int


class SailShip(Action, frozen=True, gc=False, tag="sail"):
    """Move: spend a die of a ship's row for one step."""

    ship: int
    face: int


class LoadToken(Action, frozen=True, gc=False, tag="load"):
    """Load: take a token from a ship's tile aboard."""

    ship: int
    plastic: Plastic


class Analyze(Action, frozen=True, gc=False, tag="analyze"):
    """Analyze: draw ``count`` tokens from the bag."""

    count: int


class PlaceToken(Action, frozen=True, gc=False, tag="place"):
    """Analyze: put a drawn token on a ship's tile."""

    plastic: Plastic
    ship: int


class UnloadToken(Action, frozen=True, gc=False, tag="unload"):
    """Unload: process a token of a docked ship on a line."""

    ship: int
    plastic: Plastic
    line: FactoryLine


class PlayWithoutEffect(Action, frozen=True, gc=False, tag="idle"):
    """Play a card without any operation; this ends the turn."""

    card: Card


class EndTurn(Action, frozen=True, gc=False, tag="end"):
    """End the turn."""


CARD_BY_OPERATION: Final[Mapping[type[Action], Card]] = {
    RotateDie: Card.PLAN,
    ShiftDie: Card.PLAN,
    BringDie: Card.PLAN,
    SailShip: Card.MOVE,
    LoadToken: Card.LOAD,
    Analyze: Card.ANALYZE,
    UnloadToken: Card.UNLOAD,
}
"""The card that each operation belongs to."""


# Chance ----------------------------------------------------------------------------------------------


class OrderSeats(Action, frozen=True, gc=False, tag="order"):
    """Set-up: the seats in their turn order."""

    seats: tuple[Seat, ...]


class FillOcean(Action, frozen=True, gc=False, tag="fill"):
    """Three tokens for each ocean tile, tile by tile in the order of ``Hex``."""

    plastics: tuple[Plastic, ...]


class DrawTokens(Action, frozen=True, gc=False, tag="draw"):
    """Tokens drawn from the bag for Analyze, in the order of ``Plastic``."""

    plastics: tuple[Plastic, ...]
