"""The public types of Currents: options, position, view.

Components, actions and events have their own modules.  Nothing in this module is secret:
``rules.currents.rules`` holds the hands.  Rules as of 11 August 2001.
"""

import enum
from typing import Annotated

import msgspec

from rules.currents.components import JOKERS, PLAIN_CARDS, Axis, Card, Point
from rules.currents.events import AnyEvent
from rules.model import Options, Seat


class BoardShape(enum.Enum):
    """The board's shape; the triangle is for three players."""

    SQUARE = "square"
    TRIANGLE = "triangle"


class WildJokers(enum.Enum):
    """What a joker shuffles."""

    COMPASS = "compass"
    CURRENTS = "currents"
    SPLIT = "split"
    """The red joker shuffles the compass, the black one the currents."""
    TOGETHER = "together"
    """Each joker shuffles the compass and the currents together."""


class Obstacles(enum.Enum):
    """The obstacles on the board."""

    OFF = "off"
    ROCKS = "rocks"
    RIPTIDES = "riptides"


class FirstPlayer(enum.Enum):
    """Who begins: a random seat, or the first seat, which is usually the host's."""

    RANDOM = "random"
    HOST = "host"


class CurrentsOptions(Options, frozen=True, gc=False):
    """The options; the defaults are the rulebook's game."""

    board: BoardShape = BoardShape.SQUARE
    jokers: bool = False
    """Whether two jokers are in the deck."""
    wild_jokers: WildJokers = WildJokers.COMPASS
    easy_usurp: bool = False
    """Whether a card of equal rank may replace another one (the rules call it usurping)."""
    combo: bool = False
    """Whether a stronger second card may follow at once on a demotion, which replaced a stronger card."""
    obstacles: Obstacles = Obstacles.OFF
    first_player: FirstPlayer = FirstPlayer.RANDOM
    turn_cap: Annotated[int, msgspec.Meta(ge=100, le=1000)] = 300
    """The game is a draw after this many turns of all players together."""


class Phase(enum.Enum):
    """What the game waits for."""

    DEAL = "deal"
    FIRST_PLAYER = "begin"
    """Chance chooses who begins."""
    AXIS = "axis"
    ACES = "aces"
    DRAW = "draw"
    """Chance deals cards to the current player, after a reshuffle if none is left."""
    PLAY = "play"
    JOKER_SHUFFLE = "shuffle"
    GOALTEND = "goaltend"
    OVER = "over"


class Exit(msgspec.Struct, frozen=True, gc=False):
    """An edge that the pawn is about to cross: whose goal it is and who defends it.

    ``overshoot``: the steps beyond the edge, each of which costs the defender a card.
    """

    edge: str
    owner: Seat
    defender: Seat
    overshoot: int


class Position(msgspec.Struct, frozen=True, gc=False):
    """Everything that lies face up, and the sizes of what does not."""

    options: CurrentsOptions
    seat_count: int
    phase: Phase
    to_act: Seat | None
    """A seat, CHANCE, or None when the game is over."""
    current_player: Seat
    """Whose turn it is; a defender may act on somebody else's turn."""
    first_player: Seat | None
    axis: Axis | None
    """Two players: the first player's goal axis."""
    turn: int
    """Counts the turns of all players together, from 1; 0 during set-up."""
    aces: tuple[Card, ...]
    """Set-up: the aces not yet placed."""
    compass: tuple[Card | None, ...]
    """In the order of the board's ``places``."""
    currents: tuple[Card | None, ...]
    """In the order of the board's ``slots``."""
    discard_pile: tuple[Card, ...]
    """Top last."""
    draw_pile_size: int
    """How many cards are left to draw."""
    hand_sizes: tuple[int, ...]
    """How many cards each seat holds."""
    pawn: Point
    target: Point | None
    """While a defender is asked: where the pawn is going, beyond the edge."""
    exits: tuple[Exit, ...]
    """While a defender is asked: the exits still open, the asked defender's first."""
    winner: Seat | None
    """None while the game goes on and when it ended in a draw."""
    trail: tuple[AnyEvent, ...] = ()
    """The public events of the last action, in order."""


class CurrentsView(msgspec.Struct, frozen=True, gc=False):
    """What one viewer knows: the position and the viewer's own hand (empty for a bystander)."""

    position: Position
    viewer: Seat | None
    hand: tuple[Card, ...]


def deck(options: CurrentsOptions) -> tuple[Card, ...]:
    """Return all cards of this table, aces and jokers included, in deck order."""
    return (*PLAIN_CARDS, *JOKERS) if options.jokers else PLAIN_CARDS
