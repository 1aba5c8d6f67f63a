"""What Currents is played with: cards, points of the board, goal axes, turns of the compass."""

import enum
from typing import Final, NewType, TypeAlias

from rules.model import HIDDEN

Card = NewType("Card", str)
"""Rank then suit, "10H", "AS"; "RJ" and "BJ" are the jokers; "?" lies face down."""

SUITS: Final = ("C", "D", "H", "S")
RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
RED_JOKER: Final = Card("RJ")
BLACK_JOKER: Final = Card("BJ")
JOKERS: Final = (RED_JOKER, BLACK_JOKER)
FACE_DOWN: Final = Card(HIDDEN)

PLAIN_CARDS: Final = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
ACES: Final = tuple(Card("A" + suit) for suit in SUITS)
RANK_BY_CARD: Final = {Card(rank + suit): value for value, rank in enumerate(RANKS, 2) for suit in SUITS}
"""2 to 14; the ace is high everywhere.  Jokers have none."""
SUIT_BY_CARD: Final = {card: card[-1] for card in PLAIN_CARDS}
"""Jokers have none."""
DECK_INDEX: Final = {card: i for i, card in enumerate((*PLAIN_CARDS, *JOKERS))}
"""One order for hands and piles, so that their order reveals nothing."""

HAND_SIZE: Final = 4
"""The number of cards to which a player draws when a turn begins (rulebook, Turns)."""
OPENING_HAND_SIZE: Final = 3
"""The number of cards dealt to each seat before the first turn."""

Point: TypeAlias = tuple[int, ...]
"""Where the pawn stands: (x, y) with 0..8 from the north-west, or (a, b, c) with 0..4 on the triangle.

A pawn that has left the board stands beyond the line that it crossed.
"""


class Axis(enum.Enum):
    """A pair of opposite edges: with two players, the goals of one of them."""

    NORTH_SOUTH = "NS"
    EAST_WEST = "EW"


class Rotation(enum.Enum):
    """Which way a King turns the compass."""

    CLOCKWISE = "cw"
    COUNTERCLOCKWISE = "ccw"
