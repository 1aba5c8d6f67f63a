"""The public types of Arctic CleanUp: options, position, view.

Nothing is secret: tokens are drawn from an unordered bag at the moment they are needed.  So the state is the
position.
"""

import enum
from typing import Final

import msgspec

from rules.arctic_cleanup.components import (
    BLOCKS,
    INITIAL_ROWS,
    LINES,
    Block,
    Card,
    FactoryLine,
    Hex,
    Plastic,
)
from rules.arctic_cleanup.events import AnyEvent, EndReason
from rules.model import Options, Seat

LINE_INDEX: Final = {line: index for index, line in enumerate(FactoryLine)}
_UPGRADING_LINES: Final = tuple(
    (LINE_INDEX[line], facts.slot_count, facts.flipped_card)
    for line, facts in LINES.items()
    if facts.flipped_card is not None
)
_BLOCK_LINES: Final = {
    block: tuple((LINE_INDEX[line], last_slot) for line, last_slot in lines)
    for block, lines in BLOCKS.items()
}
HEX_INDEX: Final = {place: index for index, place in enumerate(Hex)}


class TurnOrder(enum.Enum):
    """The turn order: random, or the order of the seats."""

    RANDOM = "random"
    SEATS = "seats"


class ArcticCleanUpOptions(Options, frozen=True, gc=False):
    """What can be set before a game: how the turn order is made."""

    turn_order: TurnOrder = TurnOrder.RANDOM


class Phase(enum.Enum):
    """What the game waits for."""

    ORDER = "order"
    FILL = "fill"
    FACTORY = "factory"
    SHIPS = "ships"
    TURN = "turn"
    DRAW = "draw"
    """The tokens of Analyze are drawn."""
    OVER = "over"


class PlayerBoard(msgspec.Struct, frozen=True, gc=False):
    """Everything that one seat owns, and whether it has resigned."""

    columns: tuple[Card, ...] = ()
    """The cards of columns 1 to 5."""
    factory: Hex | None = None
    """The site of its factory."""
    ships: tuple[Hex | None, ...] = (None, None)
    """The tile of each ship; None: not on the map."""
    cargo: tuple[tuple[Plastic, ...], ...] = ((), ())
    """The tokens on each ship, in the order of ``Plastic``."""
    rows: tuple[tuple[int, ...], ...] = INITIAL_ROWS
    """The faces of the dice planned for each ship, lowest first."""
    spare_die_count: int = 0
    """Dice beside the board."""
    lines: tuple[tuple[Plastic, ...], ...] = ((),) * len(LINES)
    """The tokens on each line, in the order of ``FactoryLine``."""
    resigned: bool = False

    def tokens_on_line(self, line: FactoryLine) -> tuple[Plastic, ...]:
        """Return the tokens on a line."""
        return self.lines[LINE_INDEX[line]]

    def has_filled(self, block: Block) -> bool:
        """Whether a block is full."""
        return all(len(self.lines[index]) >= last_slot for index, last_slot in _BLOCK_LINES[block])

    @property
    def next_ship(self) -> int:
        """The number of the ship that the set-up places next."""
        return 1 if self.ships[0] is None else 2

    @property
    def upgraded_cards(self) -> tuple[Card, ...]:
        """The cards of double strength: those that full lines flip."""
        return tuple(card for index, slots, card in _UPGRADING_LINES if len(self.lines[index]) == slots)

    @property
    def gained_die_count(self) -> int:
        """How many dice full blocks have brought."""
        return sum(self.has_filled(block) for block in BLOCKS if block is not Block.LINE_OPENER)

    @property
    def processed_count(self) -> int:
        """How many tokens are in the factory."""
        return sum(map(len, self.lines))

    def strength(self, card: Card) -> int:
        """Return how many operations a card has: its column, twice that once it is upgraded."""
        column = self.columns.index(card) + 1
        return 2 * column if card in self.upgraded_cards else column


class PlayedCard(msgspec.Struct, frozen=True, gc=False):
    """The card that is played in the current turn."""

    card: Card
    strength: int
    operation_count: int = 0
    """How many operations it has been used for so far."""

    @property
    def operations_left(self) -> int:
        """How many operations may follow; after a draw of Analyze none, however many tokens it drew."""
        is_used_up = self.card is Card.ANALYZE and self.operation_count > 0
        return 0 if is_used_up else self.strength - self.operation_count


class Position(msgspec.Struct, frozen=True, gc=False):
    """The whole state."""

    options: ArcticCleanUpOptions
    phase: Phase
    to_act: Seat | None
    """A seat, CHANCE, or None when the game is over."""
    boards: tuple[PlayerBoard, ...]
    turn_order: tuple[Seat, ...] = ()
    """Resigned seats stay in it."""
    waiting_seats: tuple[Seat, ...] = ()
    """Set-up: the seats that still place something, the next first."""
    ocean: tuple[tuple[Plastic, ...], ...] = ((),) * len(Hex)
    """The tokens of each hex, in the order of ``Hex``; within a hex in the order of ``Plastic``."""
    bag: tuple[Plastic, ...] = ()
    """What is in the bag, in the order of ``Plastic``: nobody knows what comes next."""
    current_player: Seat | None = None
    """Whose turn it is; None during set-up."""
    played_card: PlayedCard | None = None
    """None before the first operation of a turn."""
    draw_count: int = 0
    """Tokens that chance draws next."""
    drawn_tokens: tuple[Plastic, ...] = ()
    """Those not yet placed, in the order of ``Plastic``."""
    round: int = 0
    """Counted from 1; 0 during set-up."""
    quiet_round_count: int = 0
    """Full rounds in a row in which no token was loaded, unloaded or analyzed."""
    is_round_quiet: bool = True
    """Whether no token was loaded, unloaded or analyzed in the current round so far."""
    last_round: int | None = None
    """After a clean ocean: the last round of the game."""
    end_reason: EndReason | None = None
    """Why the game ended; None: it goes on, or only one seat is left."""
    trail: tuple[AnyEvent, ...] = ()
    """The public events of the last action, in order."""

    def tokens_on(self, place: Hex) -> tuple[Plastic, ...]:
        """Return the tokens on a hex."""
        return self.ocean[HEX_INDEX[place]]


class ArcticCleanUpView(msgspec.Struct, frozen=True, gc=False):
    """What one viewer knows: everything."""

    position: Position
    viewer: Seat | None
