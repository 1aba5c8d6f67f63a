"""The public types of Australis: options, position, view.

Nothing is secret: cards are drawn from an unordered pile at the moment they are needed, and the winner of a
competition chooses a tile in front of everybody.  So the state is the position.
"""

import enum

import msgspec

from rules.australis.components import GREY_CUBE_SUPPLY, Card, Colour, Die, TileColour
from rules.australis.events import AnyEvent, EffectSource
from rules.model import Options, Seat


class FirstPlayer(enum.Enum):
    """Who begins: a random seat, or the first seat, which is usually the host's."""

    RANDOM = "random"
    HOST = "host"


class AustralisOptions(Options, frozen=True, gc=False):
    """The options."""

    first_player: FirstPlayer = FirstPlayer.RANDOM


class Phase(enum.Enum):
    """What the game waits for."""

    FIRST_PLAYER = "begin"
    ROLL = "roll"
    REVEAL = "reveal"
    """Cards come to the display: at the start of a round, or after a white die."""
    TAKE = "take"
    ACTIVATE = "activate"
    """The seat to act chooses which kept card comes next; only while the order matters."""
    CORAL = "coral"
    PICK = "pick"
    """The seat to act picks a card for the white die."""
    COMPETE = "compete"
    TILE = "tile"
    OVER = "over"


class Tally(msgspec.Struct, frozen=True, gc=False):
    """Where a seat's points came from."""

    start: int = 0
    """The points at the start, by the seat's place in the first turn order."""
    circles: int = 0
    cards: int = 0
    reefs: int = 0
    schools: int = 0
    turtle: int = 0
    corals: int = 0
    """At the end: a point for each coral on a reef."""
    token: int = 0
    """At the end: a point for the first player token."""
    tiles: int = 0
    """At the end: the competition tiles."""

    @property
    def total(self) -> int:
        """The score so far."""
        return (
            self.start + self.circles + self.cards + self.reefs + self.schools + self.turtle
            + self.corals + self.token + self.tiles
        )  # fmt: skip


class Tile(msgspec.Struct, frozen=True, gc=False):
    """A competition tile that a seat has won."""

    colour: TileColour
    round: int


class SeaBoard(msgspec.Struct, frozen=True, gc=False):
    """Everything that one seat owns."""

    tally: Tally
    turtle_space: int | None = msgspec.field(name="turtle")
    """Its turtle's space; None after the seat resigned."""
    coral_supply: int
    """Corals not yet placed."""
    coral_counts: tuple[int, ...] = (0, 0, 0, 0, 0, 0)
    """The seat's corals on each of the reefs 3 to 8."""
    fish: int = 0
    cube_count: int = 1
    """Food cubes on the food track."""
    own_cube_spaces: tuple[int, ...] = ()
    """The spaces where the seat's own cubes still lie."""
    took_grey_cube: bool = False
    """Whether it took a grey cube of the track."""
    cards: tuple[Card, ...] = ()
    """Kept cards, in the order of ``Card``."""
    dice: tuple[Die, ...] = ()
    """Dice taken in this round, the earliest first; the number dice stay until the next round is rolled."""
    tiles: tuple[Tile, ...] = ()

    @property
    def resigned(self) -> bool:
        """Whether the seat has left the game."""
        return self.turtle_space is None


class CompetitionDie(msgspec.Struct, frozen=True, gc=False):
    """One die of one roll."""

    seat: Seat
    colour: Colour
    value: int
    """Its face."""
    bonus: int
    """1 with the competition card of its colour."""
    is_removed: bool
    """Whether this roll removed it."""

    @property
    def total(self) -> int:
        """The face with the bonus."""
        return self.value + self.bonus


class Competition(msgspec.Struct, frozen=True, gc=False):
    """A competition: the running one, or the last one until the next begins."""

    round: int
    dice_left: tuple[tuple[Seat, Colour], ...]
    """The dice that no roll has removed yet, by seat in turn order and then by colour."""
    seats: tuple[Seat, ...]
    """Who took part, in turn order."""
    rolls: tuple[tuple[CompetitionDie, ...], ...] = ()
    first: Seat | None = None
    second: Seat | None = None
    is_over: bool = False
    """Whether first and second place are decided."""
    chosen: TileColour | None = None
    """The tile that the winner chose; None: not yet, or nobody took part."""


class Position(msgspec.Struct, frozen=True, gc=False):
    """The whole state."""

    options: AustralisOptions
    phase: Phase
    to_act: Seat | None
    """A seat, CHANCE, or None when the game is over."""
    boards: tuple[SeaBoard, ...]
    round: int = 0
    """From 1 to 5; 0 during set-up."""
    starter: Seat = Seat(0)
    """Who takes the first die of this round."""
    turn: int = 0
    """Counts the turns of all players together: how many dice were taken."""
    turns_left: int = 0
    """How many dice are still to be taken in this round, the running turn's included."""
    token_holder: Seat | None = None
    """Who has the first player token for the next round; None: it lies beside the red die."""
    dice: tuple[Die, ...] = ()
    """The dice on the board, in the order of ``Die``; before the first roll their faces mean nothing."""
    display: tuple[Card, ...] = ()
    """In the order of ``Card``."""
    draw_pile: tuple[Card, ...] = ()
    """What is in the pile, in the order of ``Card``: nobody knows the order in which it lies."""
    discard_pile: tuple[Card, ...] = ()
    """In the order of ``Card``."""
    active_die: Die | None = None
    """The die taken in the running turn; None between turns."""
    cards_to_activate: tuple[Card, ...] = ()
    """Kept cards of the active die that are still to be carried out, in the order of ``Card``."""
    coral_source: EffectSource | None = None
    """What brought the coral that is now to be placed or moved."""
    picks_left: int = 0
    """Cards of the white die that are still to be picked."""
    reveals_left: int = 0
    """Cards that are missing on the display and come next."""
    turtle_track_grey_cube_count: int = 0
    """Grey cubes on space 17."""
    grey_cube_supply: int = GREY_CUBE_SUPPLY
    """Grey cubes beside the board, for the silver tiles of the first three rounds."""
    boxed_cube_count: int = 0
    """Food cubes in the box, those of players and grey ones."""
    competition: Competition | None = None
    """The running competition or the last one; None before the first."""
    trail: tuple[AnyEvent, ...] = ()
    """The public events of the last action, in order."""

    @property
    def dice_left(self) -> int:
        """How many dice are still to be taken in this round; that of the running turn is taken already."""
        return self.turns_left - (self.active_die is not None)


class AustralisView(msgspec.Struct, frozen=True, gc=False):
    """What one viewer knows: everything."""

    position: Position
    viewer: Seat | None
