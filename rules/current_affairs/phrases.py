"""Names of regions, trash, contracts and upgrades in sentences."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from rules.current_affairs.actions import Deliver, DiscardContract, DrawContract, EndTurn, Unlock
from rules.current_affairs.boards import missing_requirements, open_contracts, open_slots
from rules.current_affairs.components import (
    BONUS_POINTS,
    CONTRACTS,
    PORT_NAMES,
    REGIONS,
    Animal,
    Contract,
    Region,
    Trash,
    Upgrade,
)
from rules.current_affairs.legal import port_actions
from rules.current_affairs.model import HeldContract, PlayerBoard, Position
from rules.model import Action
from rules.text import counted, listed

TRASH_NAMES: Final[Mapping[Trash, str]] = {
    Trash.PLASTIC: "plastic",
    Trash.ALUMINIUM: "aluminium",
    Trash.GLASS: "glass",
    Trash.NET: "net",
    Trash.RUBBER: "rubber",
}
_TOKEN_NAMES: Final[Mapping[Trash, str]] = {**TRASH_NAMES, Trash.NET: "a net"}
ANY: Final = "any"
"""Names a slot that takes any trash."""

UPGRADE_NAMES: Final[Mapping[Upgrade, str]] = {
    Upgrade.WHEEL: "wheel",
    Upgrade.CRANE: "crane",
    Upgrade.HABITAT_BONUS: "habitat bonus",
    Upgrade.CONTRACT_BONUS: "contract bonus",
    Upgrade.EXTRA_TURN: "extra turn",
    Upgrade.SHARE_SPACE: "shared space",
}
UPGRADE_EFFECTS: Final[Mapping[Upgrade, str]] = {
    Upgrade.WHEEL: "one more action each turn",
    Upgrade.CRANE: "take the first or the second trash of a stack",
    Upgrade.HABITAT_BONUS: "2 points more for each restored habitat",
    Upgrade.CONTRACT_BONUS: "2 points more for each delivered contract",
    Upgrade.EXTRA_TURN: "one more turn at the end",
    Upgrade.SHARE_SPACE: "stop where other ships are",
}

ANIMAL_NAMES: Final[Mapping[Animal, str]] = {
    Animal.SEAL: "seal",
    Animal.WHALE: "whale",
    Animal.ALBATROSS: "albatross",
    Animal.TURTLE: "turtle",
    Animal.MANTA: "manta",
}


_WITHOUT_ARTICLE: Final = frozenset({Region.CAL, Region.EMP, Region.MIC, Region.NEM, Region.PER})


def region_name(region: Region) -> str:
    """Return a region's name."""
    return REGIONS[region].name


def region_with_article(region: Region) -> str:
    """Return a region's name as it stands in a sentence: "the Coral Sea", "Micronesia"."""
    return f"{'' if region in _WITHOUT_ARTICLE else 'the '}{region_name(region)}"


def port_note(region: Region) -> str:
    """Return the name of a region's port, to stand behind the region's: " (Brisbane)"; empty without one."""
    port = REGIONS[region].port
    return "" if port is None else f" ({PORT_NAMES[port]})"


def port_name(board: PlayerBoard) -> str:
    """Return the name of the port in which a player's ship is."""
    port = None if board.ship is None else REGIONS[board.ship].port
    assert port is not None
    return PORT_NAMES[port]


def short_requirements_text(requirements: Sequence[Trash | None]) -> str:
    """Return what a contract asks for: "2 plastic, rubber and any"."""
    counts = Counter(ANY if kind is None else TRASH_NAMES[kind] for kind in requirements)
    order = [*TRASH_NAMES.values(), ANY]
    return listed([_counted_kind_text(kind, counts[kind]) for kind in order if counts[kind]])


def requirements_text(requirements: Sequence[Trash | None]) -> str:
    """Return requirements as the object of a sentence: "plastic, a net and one of any kind"."""
    any_count = requirements.count(None)
    texts = _trash_texts(kind for kind in requirements if kind is not None)
    if any_count:
        texts.append("one of any kind" if any_count == 1 else f"{any_count} of any kind")
    return listed(texts)


def _counted_kind_text(kind: str, count: int) -> str:
    if count == 1:
        return kind
    return f"{count} {'nets' if kind == TRASH_NAMES[Trash.NET] else kind}"


def token_text(trash: Trash) -> str:
    """Return one token in a sentence: "plastic", "a net"."""
    return _TOKEN_NAMES[trash]


def trash_text(trash: Iterable[Trash]) -> str:
    """Return trash in a sentence: "2 plastic and a net"."""
    return listed(_trash_texts(trash))


def _trash_texts(trash: Iterable[Trash]) -> list[str]:
    counts = Counter(trash)
    return [
        token_text(kind) if counts[kind] == 1 else _counted_kind_text(name, counts[kind])
        for kind, name in TRASH_NAMES.items()
        if counts[kind]
    ]


def stack_text(stack: Sequence[Trash]) -> str:
    """Return a stack, which is given from the bottom, from the top: "2 glass, net, plastic"."""
    texts = [_counted_kind_text(TRASH_NAMES[kind], len(list(run))) for kind, run in groupby(reversed(stack))]
    return ", ".join(texts) or "empty"


def contract_name(contract: Contract) -> str:
    """Return a contract's short name: its port and points."""
    facts = CONTRACTS[contract]
    return f"{PORT_NAMES[facts.port]} {facts.points}"


def delivery_points_text(board: PlayerBoard, contract: Contract) -> str:
    """Return what a delivery brings: "7 points more (9 + 2 bonus - 4 for its trash)"."""
    facts = CONTRACTS[contract]
    bonus = BONUS_POINTS if Upgrade.CONTRACT_BONUS in board.unlocked_upgrades else 0
    bonus_text = f" + {bonus} bonus" if bonus else ""
    trash_points = len(facts.requirements)  # on the contract each piece of trash counted 1
    gain = facts.points + bonus - trash_points
    return f"{gain} points more ({facts.points}{bonus_text} \u2212 {trash_points} for its trash)"


def contract_text(contract: Contract) -> str:
    """Return a contract with what it asks for."""
    return f"{contract_name(contract)} ({short_requirements_text(CONTRACTS[contract].requirements)})"


def distinct_contract_names(contracts: Iterable[Contract]) -> Mapping[Contract, str]:
    """Return short names that tell these contracts apart; equal ones also say what is asked for."""
    names = {contract: contract_name(contract) for contract in contracts}
    name_counts = Counter(names.values())
    return {
        contract: contract_text(contract) if name_counts[name] > 1 else name
        for contract, name in names.items()
    }


def names_in_play(position: Position) -> Mapping[Contract, str]:
    """Return short names that tell apart the contracts that players hold or delivered, and the open ones."""
    held = (each.contract for board in position.boards for each in board.contracts)
    delivered = (contract for board in position.boards for contract in board.delivered_contracts)
    return distinct_contract_names((*held, *delivered, *position.draft_contracts, *open_contracts(position)))


def held_contract_text(held: HeldContract) -> str:
    """Return a contract on a board: what lies on it and what is missing."""
    if held.is_complete or not held.trash:
        return contract_needs_text(held)
    needs_text = short_requirements_text(missing_requirements(held))
    return f"{contract_name(held.contract)} (has {trash_text(held.trash)}, needs {needs_text})"


def contract_needs_text(held: HeldContract) -> str:
    """Return a contract on a board: what is missing."""
    if held.is_complete:
        return f"{contract_name(held.contract)} (complete)"
    needs_text = short_requirements_text(missing_requirements(held))
    return f"{contract_name(held.contract)} (needs {needs_text})"


def contract_progress_text(held: HeldContract) -> str:
    """Return a contract on a board: how many pieces of trash are missing."""
    missing_count = len(missing_requirements(held))
    progress_text = f"{missing_count} missing" if missing_count else "complete"
    return f"{contract_name(held.contract)} ({progress_text})"


def fitting_contracts_text(board: PlayerBoard, trash: Trash) -> str:
    """Return where trash fits: "for Callao 5, or as any for Brisbane 7"; empty if nowhere."""
    slots, names = open_slots(board, trash), _held_names(board)
    with_kind_slot = [contract for contract, wild in slots if not wild]
    wild_only_names = [names[contract] for contract, wild in slots if wild and contract not in with_kind_slot]
    parts = [f"for {listed([names[each] for each in with_kind_slot], 'or')}"] if with_kind_slot else []
    if wild_only_names:
        parts.append(f"as {ANY} for {listed(wild_only_names, 'or')}")
    return ", or ".join(parts)


def short_fitting_contracts_text(board: PlayerBoard, trash: Trash) -> str:
    """Return where trash fits, with slots for any trash only if no slot of its kind is open.

    A contract says what it asks for only beside another one of its name that does not take the trash.
    """
    slots, names = open_slots(board, trash), _held_names(board)
    with_kind_slot = [contract for contract, wild in slots if not wild]
    fitting = with_kind_slot or [contract for contract, _ in slots]
    other_names = {contract_name(each.contract) for each in board.contracts if each.contract not in fitting}
    short_names = [contract_name(each) for each in fitting]
    texts = [
        names[each] if name in other_names else name for each, name in zip(fitting, short_names, strict=True)
    ]
    text = listed(list(dict.fromkeys(texts)), "or")
    return f"for {text}" if with_kind_slot else f"as {ANY} for {text}"


def completable_contracts_text(board: PlayerBoard, trash: Trash) -> str:
    """Return the contracts that this trash can complete: "Callao 8 or Callao 10"; empty if none."""
    accepting_contracts, names = {contract for contract, _ in open_slots(board, trash)}, _held_names(board)
    nearly_complete = (held.contract for held in board.contracts if held.slots.count(None) == 1)
    return listed([names[contract] for contract in nearly_complete if contract in accepting_contracts], "or")


def complete_contracts_text(board: PlayerBoard) -> str:
    """Return the complete contracts; empty if there are none."""
    names = _held_names(board)
    return listed([names[held.contract] for held in board.contracts if held.is_complete])


def short_complete_contracts_text(board: PlayerBoard) -> str:
    """Return the complete contract, or how many there are: "two contracts"; empty if there are none."""
    names = [contract_name(held.contract) for held in board.contracts if held.is_complete]
    return counted(len(names), "contract") if len(names) > 1 else listed(names)


def _held_names(board: PlayerBoard) -> Mapping[Contract, str]:
    """Return short names that tell a board's contracts apart, and from the ports in their names."""
    return distinct_contract_names(each.contract for each in board.contracts)


def upgrades_text(counts: Mapping[Upgrade, int]) -> str:
    """Return upgrades with their numbers: "two wheels and crane"; empty without any."""
    names = UPGRADE_NAMES
    return listed(
        [counted(count, names[each]) if count > 1 else names[each] for each, count in counts.items() if count]
    )


def movement_actions_text(count: int) -> str:
    """Return a number of movement actions: "two actions"."""
    return counted(count, "action")


_PORT_VERBS: Final[Mapping[type[Action], str]] = {
    Deliver: "deliver",
    DiscardContract: "discard",
    Unlock: "unlock an upgrade",
    DrawContract: "draw a contract",
    EndTurn: "end your turn",
}


def port_verbs_text(position: Position) -> str:
    """Return what can be done in port now: "deliver, discard or end your turn".

    Where a contract must still be drawn, it says the order, since a step closes those before it (CA32):
    "first discard if you like, then unlock an upgrade, then draw a contract".
    """
    types = list(dict.fromkeys(type(each) for each in port_actions(position)))
    verbs = [_PORT_VERBS[each] for each in types]
    if EndTurn in types or len(verbs) == 1:
        return listed(verbs, "or")
    return "first " + ", then ".join(
        f"{verb} if you like" if each is DiscardContract else verb
        for each, verb in zip(types, verbs, strict=True)
    )
