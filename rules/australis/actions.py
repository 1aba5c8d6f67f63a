"""What players and chance do in Australis."""

from typing import Final

from rules.australis.components import Card, Die, TileColour
from rules.model import Action, Seat

# A turn of the dice selection ------------------------------------------------------------------------


class TakeDie(Action, frozen=True, gc=False, tag="take"):
    """Take a die from the board; the kept cards of its colour, then the die itself, are carried out."""

    die: Die


class ActivateCard(Action, frozen=True, gc=False, tag="activate"):
    """Carry out this kept card next.

    Offered only where a turtle card would change the reefs of a coral card.
    """

    card: Card


class ActivateAll(Action, frozen=True, gc=False, tag="all"):
    """Carry out all kept cards of the die in the usual order: turtle, coral, fish, points."""


class PlaceCoral(Action, frozen=True, gc=False, tag="coral"):
    """Place a coral of the supply on a reef."""

    reef: int


class MoveCoral(Action, frozen=True, gc=False, tag="move"):
    """The supply is empty: move one of the seat's corals from the reef ``start`` to the reef ``end``."""

    start: int
    end: int


class LeaveCorals(Action, frozen=True, gc=False, tag="leave"):
    """The supply is empty: move no coral."""


class KeepCard(Action, frozen=True, gc=False, tag="keep"):
    """Pick a card of the display and keep it."""

    card: Card


class UseCard(Action, frozen=True, gc=False, tag="use"):
    """Pick a card of the display, carry it out once and discard it."""

    card: Card


# After the competition -------------------------------------------------------------------------------


class ChooseTile(Action, frozen=True, gc=False, tag="tile"):
    """The winner of the competition chooses a tile; second place gets the other."""

    tile: TileColour


# Chance ----------------------------------------------------------------------------------------------


class DrawFirstPlayer(Action, frozen=True, gc=False, tag="begin"):
    """Who starts the first round."""

    seat: Seat


class RollDice(Action, frozen=True, gc=False, tag="roll"):
    """A round begins: all dice but the red one are rolled, by colour in the order of ``Colour``."""

    dice: tuple[Die, ...]


class RevealCards(Action, frozen=True, gc=False, tag="reveal"):
    """Cards of the draw pile come to the display, in the order of ``Card``.

    Cards that are certain to come (the whole rest of the pile, or cards of a pile of one kind) come
    without such a record.
    """

    cards: tuple[Card, ...]


class RollCompetition(Action, frozen=True, gc=False, tag="compete"):
    """All dice still in the competition are rolled, in their order there."""

    values: tuple[int, ...]


PLAYER_ACTION_TYPES: Final = (
    TakeDie, ActivateAll, ActivateCard, PlaceCoral, MoveCoral, LeaveCorals, KeepCard, UseCard, ChooseTile,
)  # fmt: skip
OUTCOME_TYPES: Final = (DrawFirstPlayer, RollDice, RevealCards, RollCompetition)
