"""Names of regions, trash, contracts and locks in sentences."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rules.current_affairs.boards import REGION_INDEX, open_slots
from rules.current_affairs.components import (
    CONTRACTS,
    PORT_NAMES,
    REGIONS,
    Animal,
    Contract,
    Lock,
    Region,
    Trash,
)
from rules.current_affairs.model import HeldContract, PlayerBoard
from rules.text import counted, listed

TRASH_NAMES: Final[Mapping[Trash, str]] = {
    Trash.PLASTIC: "plastic",
    Trash.ALUMINIUM: "aluminium",
    Trash.GLASS: "glass",
    Trash.NET: "net",
    Trash.RUBBER: "rubber",
}
ANY: Final = "any"
"""Names a slot that takes any trash."""

LOCK_NAMES: Final[Mapping[Lock, str]] = {
    Lock.WHEEL: "wheel",
    Lock.CRANE: "crane",
    Lock.HABITAT_BONUS: "habitat bonus",
    Lock.CONTRACT_BONUS: "contract bonus",
    Lock.EXTRA_TURN: "extra turn",
    Lock.SHARE_SPACE: "shared space",
}
LOCK_EFFECTS: Final[Mapping[Lock, str]] = {
    Lock.WHEEL: "one more action each turn",
    Lock.CRANE: "take the first or the second trash of a stack",
    Lock.HABITAT_BONUS: "2 points more for each restored habitat",
    Lock.CONTRACT_BONUS: "2 points more for each delivered contract",
    Lock.EXTRA_TURN: "one more turn at the end",
    Lock.SHARE_SPACE: "stop where other ships are",
}

ANIMAL_NAMES: Final[Mapping[Animal, str]] = {
    Animal.SEAL: "seal",
    Animal.WHALE: "whale",
    Animal.ALBATROSS: "albatross",
    Animal.TURTLE: "turtle",
    Animal.MANTA: "manta",
}


def region_name(region: Region) -> str:
    """Return a region's name."""
    return REGIONS[region].name


def button_name(region: Region) -> str:
    """Return a region's name for a button."""
    return REGIONS[region].short_name


def slots_text(slots: Sequence[Trash | None]) -> str:
    """Return what a contract asks for: "2 plastic, rubber and any"."""
    kinds = Counter(ANY if slot is None else TRASH_NAMES[slot] for slot in slots)
    order = [*TRASH_NAMES.values(), ANY]
    return listed([_counted_kind(kind, kinds[kind]) for kind in order if kinds[kind]])


def _counted_kind(kind: str, count: int) -> str:
    if count == 1:
        return kind
    return f"{count} {'nets' if kind == 'net' else kind}"


def trash_text(trash: Iterable[Trash]) -> str:
    """Return trash as people count it: "2 plastic and a net"."""
    return slots_text(tuple(trash))


def contract_name(contract: Contract) -> str:
    """Return a contract's short name: its port and points."""
    facts = CONTRACTS[contract]
    return f"{PORT_NAMES[facts.port]} {facts.points}"


def contract_text(contract: Contract) -> str:
    """Return a contract with what it asks for."""
    return f"{contract_name(contract)} ({slots_text(CONTRACTS[contract].slots)})"


def contract_names(contracts: Iterable[Contract]) -> Mapping[Contract, str]:
    """Return short names that tell these contracts apart: those of one name also say what they ask for."""
    names = {contract: contract_name(contract) for contract in contracts}
    twice = Counter(names.values())
    return {
        contract: contract_text(contract) if twice[name] > 1 else name for contract, name in names.items()
    }


def held_text(held: HeldContract) -> str:
    """Return a contract on a board: what lies on it and what is missing."""
    name = contract_name(held.contract)
    if held.complete:
        return f"{name} (complete)"
    missing = [
        kind
        for kind, filled in zip(CONTRACTS[held.contract].slots, held.slots, strict=True)
        if filled is None
    ]
    lies = f"has {trash_text(held.trash)}, " if held.trash else ""
    return f"{name} ({lies}needs {slots_text(missing)})"


def takers_text(board: PlayerBoard, trash: Trash) -> str:
    """Return the contracts on which trash fits, by the names of their ports; empty if none."""
    ports = dict.fromkeys(PORT_NAMES[CONTRACTS[contract].port] for contract, _ in open_slots(board, trash))
    return listed(list(ports), "or")


def actions_text(cost: int) -> str:
    """Return a number of movement actions."""
    return counted(cost, "action")


def in_sea_order(regions: Iterable[Region]) -> tuple[Region, ...]:
    """Return regions in the order of ``Region``."""
    return tuple(sorted(regions, key=REGION_INDEX.__getitem__))
