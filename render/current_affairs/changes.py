"""What the newest turn of Current Affairs changed, collected from its events."""

from collections.abc import Iterable

import msgspec

from rules.current_affairs.components import Contract, Region, Trash, Upgrade
from rules.current_affairs.events import (
    Collected,
    ContractDiscarded,
    ContractDrawn,
    ContractPicked,
    Delivered,
    HabitatRestored,
    MarketFilled,
    Resigned,
    Sailed,
    ShipPlaced,
    Unlocked,
)
from rules.model import Event, Seat


class Changes(msgspec.Struct):
    """Everything that is marked as changed."""

    routes: dict[Seat, tuple[Region, ...]] = msgspec.field(default_factory=dict)
    """The regions on the route of each ship that sailed, from its start; one region: it was placed there."""
    collected_trash: dict[Seat, Trash] = msgspec.field(default_factory=dict)
    """What each seat took from the sea."""
    restored_regions: set[Region] = msgspec.field(default_factory=set)
    """Regions whose habitat was restored."""
    new_contracts: set[Contract] = msgspec.field(default_factory=set)
    """Contracts that were put into the market."""
    seats_with_changed_board: set[Seat] = msgspec.field(default_factory=set)
    """Seats whose contracts or upgrades changed in port or in the draft."""
    filled_slots: dict[Contract, int] = msgspec.field(default_factory=dict)
    """The slot that trash was put on, by its contract."""
    taken_contracts: set[Contract] = msgspec.field(default_factory=set)
    """Contracts that came to a seat, in port or in the draft."""
    delivered_contracts: set[Contract] = msgspec.field(default_factory=set)
    unlocked_upgrades: dict[Seat, tuple[Upgrade, ...]] = msgspec.field(default_factory=dict)

    @property
    def has_marks(self) -> bool:
        """Whether there is anything to mark on the board."""
        return bool(
            self.routes or self.restored_regions or self.new_contracts or self.seats_with_changed_board
        )


def collect_changes(recent_events: Iterable[Event]) -> Changes:
    """Collect what these events changed since the last ship sailed."""
    changes = Changes()
    for event in recent_events:
        match event:
            case Sailed(seat=seat, regions=regions):
                changes = Changes(routes={seat: regions})
            case ShipPlaced(seat=seat, region=region):
                changes.routes[seat] = (region,)
            case Collected(seat=seat, trash=trash, contract=contract, slot=slot):
                changes.collected_trash[seat] = trash
                changes.filled_slots[contract] = slot
            case HabitatRestored(region=region):
                changes.restored_regions.add(region)
            case MarketFilled(contract=contract):
                changes.new_contracts.add(contract)
            case Delivered(seat=seat, contract=contract):
                changes.seats_with_changed_board.add(seat)
                changes.delivered_contracts.add(contract)
            case Unlocked(seat=seat, upgrade=upgrade):
                changes.seats_with_changed_board.add(seat)
                changes.unlocked_upgrades[seat] = (*changes.unlocked_upgrades.get(seat, ()), upgrade)
            case ContractDiscarded(seat=seat):
                changes.seats_with_changed_board.add(seat)
            case ContractPicked(seat=seat, contract=contract) | ContractDrawn(seat=seat, contract=contract):
                changes.seats_with_changed_board.add(seat)
                changes.taken_contracts.add(contract)
            case Resigned(seat=seat):  # its ship and contracts are gone
                changes.routes.pop(seat, None)
                changes.collected_trash.pop(seat, None)
                changes.seats_with_changed_board.discard(seat)
    return changes
