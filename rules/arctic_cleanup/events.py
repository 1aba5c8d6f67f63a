"""The public events of Arctic CleanUp.  Narration and pictures read a trail of them."""

import enum
from typing import TypeAlias

from rules.arctic_cleanup.components import Block, Card, FactoryLine, Hex, Plastic
from rules.model import Event, Seat


class EndReason(enum.Enum):
    """Why the game ends."""

    PROCESSED = "processed"
    """A factory holds 16 tokens."""
    CLEAN_OCEAN = "clean"
    """The rounds that follow the one in which ocean and bag became empty are over."""
    QUIET = "quiet"
    """No token was loaded, unloaded or analyzed for six full rounds."""
    ROUND_LIMIT = "rounds"


class TurnOrderSet(Event, frozen=True, gc=False, tag="turn-order-set"):
    """The seats have their turn order."""

    seats: tuple[Seat, ...]


class OceanFilled(Event, frozen=True, gc=False, tag="filled"):
    """Every ocean tile has its tokens."""


class FactoryBuilt(Event, frozen=True, gc=False, tag="built"):
    """A seat built its factory."""

    seat: Seat
    place: Hex


class ShipPlaced(Event, frozen=True, gc=False, tag="placed"):
    """A ship was put on the map."""

    seat: Seat
    ship: int
    place: Hex


class CardPlayed(Event, frozen=True, gc=False, tag="played"):
    """A seat began to use a card."""

    seat: Seat
    card: Card
    strength: int


class DieRotated(Event, frozen=True, gc=False, tag="rotated"):
    """A die was turned to another face."""

    seat: Seat
    row: int
    face: int
    to: int


class DieShifted(Event, frozen=True, gc=False, tag="shifted"):
    """A die moved from ``row`` to the other row."""

    seat: Seat
    row: int
    face: int


class DieBrought(Event, frozen=True, gc=False, tag="brought"):
    """A die came from beside the board into a row."""

    seat: Seat
    row: int
    face: int


class ShipSailed(Event, frozen=True, gc=False, tag="sailed"):
    """A ship made one step."""

    seat: Seat
    ship: int
    start: Hex
    end: Hex
    face: int


class TokenLoaded(Event, frozen=True, gc=False, tag="loaded"):
    """A token came on board."""

    seat: Seat
    ship: int
    plastic: Plastic
    place: Hex


class TokensDrawn(Event, frozen=True, gc=False, tag="drawn"):
    """Tokens were drawn from the bag."""

    seat: Seat
    plastics: tuple[Plastic, ...]


class TokenPlaced(Event, frozen=True, gc=False, tag="dropped"):
    """A drawn token was put on a tile."""

    seat: Seat
    plastic: Plastic
    place: Hex


class TokenUnloaded(Event, frozen=True, gc=False, tag="unloaded"):
    """A token went from a ship into the factory; ``slot`` counts from 1."""

    seat: Seat
    ship: int
    plastic: Plastic
    line: FactoryLine
    slot: int


class BlockFilled(Event, frozen=True, gc=False, tag="block"):
    """A block of a factory was filled: it brings a die, or opens the hatched lines."""

    seat: Seat
    block: Block


class CardFlipped(Event, frozen=True, gc=False, tag="flipped"):
    """A card was flipped to its upgraded side."""

    seat: Seat
    card: Card


class TurnEnded(Event, frozen=True, gc=False, tag="ended"):
    """A seat ended its turn, after so many operations of its card."""

    seat: Seat
    card: Card
    operation_count: int


class LastRoundSet(Event, frozen=True, gc=False, tag="last-round-set"):
    """Ocean and bag are empty: the game ends after round ``last_round``."""

    last_round: int


class QuietEndNear(Event, frozen=True, gc=False, tag="quiet-round"):
    """No token was loaded, unloaded or analyzed for so many rounds in a row: the game may soon end."""

    quiet_round_count: int


class GameEnded(Event, frozen=True, gc=False, tag="over"):
    """The game ended because of this, not because all others resigned."""

    end_reason: EndReason


class Resigned(Event, frozen=True, gc=False, tag="resigned"):
    """A seat left the game."""

    seat: Seat


AnyEvent: TypeAlias = (
    TurnOrderSet | OceanFilled | FactoryBuilt | ShipPlaced | CardPlayed | DieRotated | DieShifted | DieBrought
    | ShipSailed | TokenLoaded | TokensDrawn | TokenPlaced | TokenUnloaded | BlockFilled | CardFlipped
    | TurnEnded | LastRoundSet | QuietEndNear | GameEnded | Resigned
)  # fmt: skip
