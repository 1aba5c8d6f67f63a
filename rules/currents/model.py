"""The public vocabulary of Currents: cards, options, actions, events, table, view.

Rules as of 11 August 2001.  Nothing in this module is secret: ``rules.currents.rules`` holds the hands.
"""

import enum
from typing import Annotated, Final, NewType, TypeAlias

import msgspec

from rules.game import HIDDEN, Action, Event, Options, Seat

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
RANK: Final = {Card(rank + suit): value for value, rank in enumerate(RANKS, 2) for suit in SUITS}
"""2 to 14; the ace is high everywhere.  Jokers have none."""
SUIT: Final = {card: card[-1] for card in PLAIN_CARDS}
"""Jokers have none."""
DECK_ORDER: Final = {card: i for i, card in enumerate((*PLAIN_CARDS, *JOKERS))}
"""One order for hands and piles, so that an order never tells anything."""

HAND_SIZE: Final = 4
"""Cards in hand when a turn's choice is made (rulebook, Turns)."""
DEAL_SIZE: Final = 3

Point: TypeAlias = tuple[int, ...]
"""Where the pawn stands: (x, y) with 0..8 from the north-west, or (a, b, c) with 0..4 on the triangle.

A pawn that has left the board stands beyond the line that it crossed.
"""


class Board(enum.Enum):
    """The board's shape; the triangle is for three players."""

    SQUARE = "square"
    TRIANGLE = "triangle"


class WildJokers(enum.Enum):
    """What a joker shuffles."""

    COMPASS = "compass"
    CURRENTS = "currents"
    SPLIT = "split"
    TOGETHER = "together"


class Obstacles(enum.Enum):
    """What stands in the water."""

    OFF = "off"
    ROCKS = "rocks"
    RIPTIDES = "riptides"


class FirstPlayer(enum.Enum):
    """Who begins: chance's choice, or the host of the table (the first seat)."""

    RANDOM = "random"
    HOST = "host"


class CurrentsOptions(Options, frozen=True, gc=False):
    """The table's choices; the defaults are the rulebook's game."""

    board: Board = Board.SQUARE
    jokers: bool = False
    wild_jokers: WildJokers = WildJokers.COMPASS
    easy_usurp: bool = False
    combo: bool = False
    obstacles: Obstacles = Obstacles.OFF
    first_player: FirstPlayer = FirstPlayer.RANDOM
    turn_cap: Annotated[int, msgspec.Meta(ge=100, le=1000)] = 300


class Axis(enum.Enum):
    """The two opposite edges that a player of two may aim for."""

    NORTH_SOUTH = "NS"
    EAST_WEST = "EW"


class Rotation(enum.Enum):
    """Which way a King turns the compass."""

    CLOCKWISE = "cw"
    COUNTERCLOCKWISE = "ccw"


# What players do ----------------------------------------------------------------------------------


class ChooseAxis(Action, frozen=True, gc=False, tag="axis"):
    """Two players: the first player names the own goal edges."""

    axis: Axis


class PlaceAce(Action, frozen=True, gc=False, tag="ace"):
    """Set-up: lay an ace on an empty compass place."""

    ace: Card
    place: str


class PlayCompass(Action, frozen=True, gc=False, tag="compass"):
    """Lay a card on a compass place; ``then`` follows on the same place (option ``combo``)."""

    card: Card
    place: str
    then: Card | None = None


class PlayCurrent(Action, frozen=True, gc=False, tag="current"):
    """Lay a card on a current slot; ``then`` follows on the same slot (option ``combo``)."""

    card: Card
    slot: str
    then: Card | None = None


class CallJack(Action, frozen=True, gc=False, tag="jack"):
    """Discard the card of one compass place."""

    card: Card
    place: str


class CallQueen(Action, frozen=True, gc=False, tag="queen"):
    """Swap what lies on two current slots."""

    card: Card
    slot: str
    other: str


class CallKing(Action, frozen=True, gc=False, tag="king"):
    """Turn the whole compass by one place."""

    card: Card
    rotation: Rotation


class CallJoker(Action, frozen=True, gc=False, tag="joker"):
    """Shuffle the compass, the currents or both (options ``jokers``, ``wild_jokers``)."""

    card: Card


class DiscardCard(Action, frozen=True, gc=False, tag="discard"):
    """Throw a card away; only while no compass place is empty."""

    card: Card


class Pass(Action, frozen=True, gc=False, tag="pass"):
    """Nothing to play: the hand is empty and no card is left to draw."""


class Defend(Action, frozen=True, gc=False, tag="defend"):
    """Goaltending: give up exactly as many fitting cards as the pawn would overshoot."""

    cards: tuple[Card, ...]


class Concede(Action, frozen=True, gc=False, tag="concede"):
    """Goaltending: let the pawn pass."""


# What chance does -----------------------------------------------------------------------------------


class Deal(Action, frozen=True, gc=False, tag="deal"):
    """Cards from the draw pile to one seat, in deck order."""

    seat: Seat
    cards: tuple[Card, ...]

    def seen_by(self, viewer: Seat | None, actor: Seat) -> "Deal":
        """Face down for everyone but the one who is dealt to."""
        return self if viewer == self.seat else Deal(self.seat, (FACE_DOWN,) * len(self.cards))

    def reveals(self, viewer: Seat | None) -> bool:
        """Only the one who is dealt to learns anything."""
        return viewer == self.seat


class Begin(Action, frozen=True, gc=False, tag="begin"):
    """Who is the first player."""

    seat: Seat


class Reshuffle(Action, frozen=True, gc=False, tag="reshuffle"):
    """The discard pile becomes the draw pile.  The draw pile has no order: nothing is drawn here."""

    def reveals(self, viewer: Seat | None) -> bool:
        """Nothing: everybody knew that it comes and what it holds."""
        return False


class Shuffle(Action, frozen=True, gc=False, tag="shuffle"):
    """What lies where after a joker: the whole compass and all current slots."""

    compass: tuple[Card | None, ...]
    currents: tuple[Card | None, ...]


# What happened, publicly ----------------------------------------------------------------------------


class Dealt(Event, frozen=True, gc=False, tag="dealt"):
    """A seat drew ``count`` cards."""

    seat: Seat
    count: int


class Reshuffled(Event, frozen=True, gc=False, tag="reshuffled"):
    """``count`` cards went from the discard pile to the draw pile."""

    count: int


class Began(Event, frozen=True, gc=False, tag="began"):
    """The first player is known."""

    seat: Seat


class AxisChosen(Event, frozen=True, gc=False, tag="axis"):
    """The first player of two aims for this axis."""

    seat: Seat
    axis: Axis


class CompassSet(Event, frozen=True, gc=False, tag="compass"):
    """A card lies on a compass place now; ``replaced`` went to the discard pile."""

    place: str
    card: Card
    replaced: Card | None = None


class CurrentSet(Event, frozen=True, gc=False, tag="current"):
    """A card lies on a current slot now; ``replaced`` went to the discard pile."""

    slot: str
    card: Card
    replaced: Card | None = None


class CompassTaken(Event, frozen=True, gc=False, tag="taken"):
    """A Jack took this card off the compass."""

    place: str
    card: Card


class CurrentsSwapped(Event, frozen=True, gc=False, tag="swapped"):
    """A Queen swapped two slots."""

    slot: str
    other: str


class CompassTurned(Event, frozen=True, gc=False, tag="turned"):
    """A King turned the compass."""

    rotation: Rotation


class JokerCalled(Event, frozen=True, gc=False, tag="joker"):
    """A joker will shuffle this (before chance says how)."""

    card: Card


class Shuffled(Event, frozen=True, gc=False, tag="shuffled"):
    """A joker shuffled the compass places and slots named here (those that were occupied)."""

    places: tuple[str, ...]
    slots: tuple[str, ...]


class Discarded(Event, frozen=True, gc=False, tag="discarded"):
    """These cards went from a hand to the discard pile (actions, discards, defences)."""

    seat: Seat
    cards: tuple[Card, ...]


class AceLeftOver(Event, frozen=True, gc=False, tag="left-over"):
    """Triangle: the fourth ace found no place and went to the discard pile."""

    card: Card


class Drifted(Event, frozen=True, gc=False, tag="drifted"):
    """The pawn moved along ``path`` (first point: where it stood; last: where it stands now).

    One point alone: it had to move, but nothing pushed it anywhere.
    """

    path: tuple[Point, ...]


class Threatened(Event, frozen=True, gc=False, tag="threatened"):
    """The pawn is about to leave over ``edge`` and this defender is asked."""

    edge: str
    defender: Seat
    needed: int


class Stopped(Event, frozen=True, gc=False, tag="stopped"):
    """A defender held this edge."""

    edge: str
    defender: Seat


class Left(Event, frozen=True, gc=False, tag="left"):
    """The pawn left the board over ``edge``; its owner has won."""

    edge: str
    winner: Seat


AnyEvent: TypeAlias = (
    Dealt | Reshuffled | Began | AxisChosen | CompassSet | CurrentSet | CompassTaken | CurrentsSwapped
    | CompassTurned | JokerCalled | Shuffled | Discarded | AceLeftOver | Drifted | Threatened | Stopped
    | Left
)  # fmt: skip


# The table ------------------------------------------------------------------------------------------


class Phase(enum.Enum):
    """What the table waits for."""

    DEAL = "deal"
    BEGIN = "begin"
    AXIS = "axis"
    ACES = "aces"
    DRAW = "draw"
    PLAY = "play"
    SHUFFLE = "shuffle"
    GOALTEND = "goaltend"
    OVER = "over"


class Exit(msgspec.Struct, frozen=True, gc=False):
    """A way out that the pawn is about to take: whose goal, who defends, how many cards it takes."""

    edge: str
    owner: Seat
    defender: Seat
    overshoot: int


class Table(msgspec.Struct, frozen=True, gc=False):
    """Everything that lies face up, and the sizes of what does not."""

    options: CurrentsOptions
    seats: int
    phase: Phase
    to_act: Seat | None
    """A seat, CHANCE, or None when the game is over."""
    current_player: Seat
    """Whose turn it is; a defender acts in somebody else's turn."""
    first_player: Seat | None
    axis: Axis | None
    """Two players: the first player's goal axis."""
    turn: int
    """Counts the turns of all players together, from 1; 0 during set-up."""
    aces: tuple[Card, ...]
    """Set-up: the aces not yet placed."""
    compass: tuple[Card | None, ...]
    """In the order of the board's ``directions``."""
    currents: tuple[Card | None, ...]
    """In the order of the board's ``slots``."""
    discard_pile: tuple[Card, ...]
    """Top last."""
    draw_pile: int
    """How many cards are left to draw."""
    hands: tuple[int, ...]
    """How many cards each seat holds."""
    pawn: Point
    target: Point | None
    """While a defender is asked: where the pawn is going, beyond the edge."""
    exits: tuple[Exit, ...]
    """While a defender is asked: the ways out still open, the asked one first."""
    winner: Seat | None
    """None while the game goes on and when it ended in a draw."""
    trail: tuple[AnyEvent, ...] = ()


class CurrentsView(msgspec.Struct, frozen=True, gc=False):
    """What one viewer knows: the table and the own hand (empty for a bystander)."""

    table: Table
    viewer: Seat | None
    hand: tuple[Card, ...]


def deck(options: CurrentsOptions) -> tuple[Card, ...]:
    """All cards of this table, aces and jokers included, in deck order."""
    return (*PLAIN_CARDS, *JOKERS) if options.jokers else PLAIN_CARDS
