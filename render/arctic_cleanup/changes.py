"""What the newest turn of Arctic CleanUp changed, collected from its events."""

from collections.abc import Iterable

import msgspec

from rules.arctic_cleanup.components import SHIPS, Hex
from rules.arctic_cleanup.events import (
    BlockFilled,
    CardFlipped,
    CardPlayed,
    DieBrought,
    DieRotated,
    DieShifted,
    FactoryBuilt,
    Resigned,
    ShipPlaced,
    ShipSailed,
    TokenLoaded,
    TokenPlaced,
    TokenUnloaded,
)
from rules.model import Event, Seat


class Changes(msgspec.Struct):
    """Everything that is marked as changed."""

    routes: dict[tuple[Seat, int], list[Hex]] = msgspec.field(default_factory=dict)
    """Seat and number of a ship -> the tiles of its route, from its start; one tile: it was placed there."""
    ships_with_changed_cargo: set[tuple[Seat, int]] = msgspec.field(default_factory=set)
    """Ships that loaded or unloaded: seat and number."""
    rows_with_changed_dice: set[tuple[Seat, int]] = msgspec.field(default_factory=set)
    """Rows in which dice were planned: seat and number of the row."""
    seats_with_changed_factory: set[Seat] = msgspec.field(default_factory=set)
    """Seats whose factory changed."""
    tiles_with_placed_tokens: set[Hex] = msgspec.field(default_factory=set)
    """Tiles on which tokens drawn from the bag were placed."""

    @property
    def has_marks(self) -> bool:
        """Whether there is anything to mark."""
        return bool(
            self.routes
            or self.ships_with_changed_cargo
            or self.rows_with_changed_dice
            or self.seats_with_changed_factory
            or self.tiles_with_placed_tokens
        )


def collect_changes(recent_events: Iterable[Event]) -> Changes:
    """Collect what these events changed since the last card was played."""
    changes = Changes()
    for event in recent_events:
        match event:
            case CardPlayed():
                changes = Changes()
            case ShipSailed(seat=seat, ship=ship, start=start, end=end):
                changes.routes.setdefault((seat, ship), [start]).append(end)
            case ShipPlaced(seat=seat, ship=ship, place=place):
                changes.routes[seat, ship] = [place]
            case TokenLoaded(seat=seat, ship=ship):
                changes.ships_with_changed_cargo.add((seat, ship))
            case TokenUnloaded(seat=seat, ship=ship):
                changes.ships_with_changed_cargo.add((seat, ship))
                changes.seats_with_changed_factory.add(seat)
            case FactoryBuilt(seat=seat) | BlockFilled(seat=seat) | CardFlipped(seat=seat):
                changes.seats_with_changed_factory.add(seat)
            case TokenPlaced(place=place):
                changes.tiles_with_placed_tokens.add(place)
            case DieRotated(seat=seat, row=row) | DieBrought(seat=seat, row=row):
                changes.rows_with_changed_dice.add((seat, row))
            case DieShifted(seat=seat, row=row):
                changes.rows_with_changed_dice |= {(seat, row), (seat, 3 - row)}
            case Resigned(seat=seat):  # its ships, cargo and dice are gone
                for ship in SHIPS:  # each has a row of dice
                    changes.routes.pop((seat, ship), None)
                    changes.ships_with_changed_cargo.discard((seat, ship))
                    changes.rows_with_changed_dice.discard((seat, ship))
    return changes
