"""One page of help for each region, contract and upgrade, made from the tables."""

from typing import Final

from rules.current_affairs.components import (
    CONTRACTS,
    COST_AGAINST_CURRENT,
    COST_WITH_CURRENT,
    NEIGHBOUR_COSTS,
    PORT_NAMES,
    REGIONS,
    UPGRADE_COUNTS,
    Contract,
    Region,
    Upgrade,
)
from rules.current_affairs.phrases import (
    ANIMAL_NAMES,
    UPGRADE_EFFECTS,
    UPGRADE_NAMES,
    contract_name,
    movement_actions_text,
    port_note,
    region_name,
    requirements_text,
)
from rules.text import capitalized, counted, listed
from rules.words import Topic


def _region_page(region: Region) -> Topic:
    facts = REGIONS[region]
    neighbours_by_cost: dict[int, list[str]] = {}
    for neighbour, cost in NEIGHBOUR_COSTS[region].items():
        neighbours_by_cost.setdefault(cost, []).append(region_name(neighbour))
    current_texts = {COST_WITH_CURRENT: "with a current", COST_AGAINST_CURRENT: "against a current"}
    lines = [
        f"Code in typed moves: `{region.value}`. Home of the {ANIMAL_NAMES[facts.animal]}.",
        f"It starts with {counted(facts.stack_size, 'piece')} of trash.",
    ]
    if facts.port is not None:
        lines.append(f"Port: {PORT_NAMES[facts.port]}.")
    for cost, names in sorted(neighbours_by_cost.items()):
        current_text = current_texts.get(cost, "no current")
        lines.append(f"{capitalized(movement_actions_text(cost))} ({current_text}): {listed(names)}.")
    title = f"{facts.name}{port_note(region)}"
    return Topic(f"region-{region.value.lower()}", title, "\n".join(lines))


def _contract_page(contract: Contract) -> Topic:
    facts = CONTRACTS[contract]
    text = (
        f"{facts.points} points for {requirements_text(facts.requirements)}.\n"
        f"Deliver it in any port. In {PORT_NAMES[facts.port]} it also unlocks an upgrade.\n"
        f"Code in typed moves: `{contract.value}`."
    )
    return Topic(f"contract-{contract.value.lower()}", f"{contract.value}: {contract_name(contract)}", text)


def _upgrade_page(upgrade: Upgrade) -> Topic:
    count_text = (
        f" Your board has {counted(UPGRADE_COUNTS[upgrade], 'of these', 'of these')}."
        if UPGRADE_COUNTS[upgrade] > 1
        else ""
    )
    text = (
        f"{capitalized(UPGRADE_EFFECTS[upgrade])}.{count_text}\n"
        "You unlock one for each contract that you deliver in its own port."
    )
    return Topic(f"upgrade-{upgrade.value}", f"Upgrade: {UPGRADE_NAMES[upgrade]}", text)


GLOSSARY: Final = (
    *(_region_page(region) for region in Region),
    *(_contract_page(contract) for contract in Contract),
    *(_upgrade_page(upgrade) for upgrade in Upgrade),
)
