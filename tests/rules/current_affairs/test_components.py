"""The numbers of the box: what the rulebook says of them, and that they fit together."""

from collections import Counter
from itertools import combinations

import pytest

from rules.current_affairs import CURRENT_AFFAIRS
from rules.current_affairs.components import (
    ASSUMPTIONS,
    BASE_MOVEMENT_ACTIONS,
    BONUS_POINTS,
    CONTRACTS,
    CONTRACTS_TO_END,
    COST_AGAINST_CURRENT,
    COST_WITH_CURRENT,
    COST_WITHOUT_CURRENT,
    HABITATS_TO_END,
    LINES_WITHOUT_CURRENT,
    MARKET_SLOT_COUNT,
    MAX_HELD_CONTRACTS,
    NEIGHBOUR_COSTS,
    ONE_WAY_CURRENTS,
    PORT_NAMES,
    REGIONS,
    TRASH_TOKEN_COUNTS,
    TWO_WAY_CURRENTS,
    UPGRADE_COUNTS,
    Animal,
    Contract,
    Port,
    Region,
    Trash,
    Upgrade,
)


def test_box_of_the_rulebook() -> None:
    """20 regions, 80 tokens, 4 ports, 28 contracts, 7 upgrades and 5 animals a player."""
    assert len(REGIONS) == len(Region) == 20
    assert sum(TRASH_TOKEN_COUNTS.values()) == 80
    assert len(Port) == len(PORT_NAMES) == 4
    assert len(CONTRACTS) == 28
    assert sum(UPGRADE_COUNTS.values()) == 7
    assert len(Animal) == 5
    assert CURRENT_AFFAIRS.player_counts == (3, 4, 5)
    assert (BASE_MOVEMENT_ACTIONS, MAX_HELD_CONTRACTS, MARKET_SLOT_COUNT, BONUS_POINTS) == (3, 2, 3, 2)
    assert (CONTRACTS_TO_END, HABITATS_TO_END) == (5, 5)
    assert (COST_WITH_CURRENT, COST_WITHOUT_CURRENT, COST_AGAINST_CURRENT) == (1, 2, 3)


def test_wheels_are_two_and_the_other_upgrades_one() -> None:
    """Seven icons are two wheels and five single upgrades, so there are at most five actions."""
    assert UPGRADE_COUNTS[Upgrade.WHEEL] == 2
    assert all(count == 1 for upgrade, count in UPGRADE_COUNTS.items() if upgrade is not Upgrade.WHEEL)
    assert BASE_MOVEMENT_ACTIONS + UPGRADE_COUNTS[Upgrade.WHEEL] == 5


def test_stacks_hold_all_tokens() -> None:
    """The circles add up to 80, so the bag starts empty; every animal has four regions and sixteen tokens."""
    assert sum(facts.stack_size for facts in REGIONS.values()) == sum(TRASH_TOKEN_COUNTS.values())
    assert {facts.stack_size for facts in REGIONS.values()} == {3, 4, 5, 6}
    for animal in Animal:
        homes = [facts for facts in REGIONS.values() if facts.animal is animal]
        assert len(homes) == 4
        assert sum(facts.stack_size for facts in homes) == 16


def test_one_region_for_each_port() -> None:
    """Yokohama, San Francisco, Brisbane and Callao."""
    ports = {facts.port: region for region, facts in REGIONS.items() if facts.port is not None}
    assert ports == {
        Port.WHITE: Region.KUR,
        Port.RED: Region.CAL,
        Port.GOLD: Region.COR,
        Port.VIOLET: Region.PER,
    }


def test_plastic_is_the_most_frequent_kind() -> None:
    """Plastic is the most frequent kind."""
    assert {trash.value: count for trash, count in TRASH_TOKEN_COUNTS.items()} == {
        "P": 24, "A": 18, "G": 14, "N": 12, "R": 12,
    }  # fmt: skip


def test_each_port_has_seven_contracts() -> None:
    """Seven of each port, 2 to 5 slots, 4 to 12 points; the white card of the rulebook with 9 points."""
    assert Counter(facts.port for facts in CONTRACTS.values()) == dict.fromkeys(Port, 7)
    assert {len(facts.requirements) for facts in CONTRACTS.values()} == {2, 3, 4, 5}
    assert Counter(facts.points for facts in CONTRACTS.values()) == {
        4: 2, 5: 3, 6: 3, 7: 5, 8: 4, 9: 5, 10: 3, 11: 2, 12: 1,
    }  # fmt: skip
    points = {port: sum(each.points for each in CONTRACTS.values() if each.port is port) for port in Port}
    assert points == {Port.WHITE: 54, Port.RED: 55, Port.GOLD: 53, Port.VIOLET: 55}
    assert len({(facts.port, facts.requirements) for facts in CONTRACTS.values()}) == len(Contract)
    white = CONTRACTS[Contract.C05]
    assert (white.port, white.points) == (Port.WHITE, 9)


def test_contracts_ask_for_what_there_is() -> None:
    """The slots ask for the kinds in about the proportion of the tokens."""
    required_counts = Counter(slot for facts in CONTRACTS.values() for slot in facts.requirements)
    assert {("?" if slot is None else slot.value): count for slot, count in required_counts.items()} == {
        "P": 24, "A": 17, "G": 15, "N": 12, "R": 11, "?": 21,
    }  # fmt: skip
    assert sum(required_counts.values()) == 100


@pytest.mark.parametrize("contract", Contract)
def test_points_of_a_contract(contract: Contract) -> None:
    """A card's points follow from its slots."""
    value_by_trash = {
        Trash.PLASTIC: 1.7,
        Trash.ALUMINIUM: 2.0,
        Trash.GLASS: 2.3,
        Trash.NET: 2.6,
        Trash.RUBBER: 2.6,
    }
    facts = CONTRACTS[contract]
    exact_points = 0.7 + sum(1.3 if slot is None else value_by_trash[slot] for slot in facts.requirements)
    assert abs(facts.points - exact_points) <= 0.5 + 1e-9


# The map ---------------------------------------------------------------------------------------------


def test_currents_decide_the_cost_of_a_line() -> None:
    """With a current 1, against it 3, without one 2, along the equator 1; no line twice (CA5, CA37)."""
    for start, end in ONE_WAY_CURRENTS:
        assert (NEIGHBOUR_COSTS[start][end], NEIGHBOUR_COSTS[end][start]) == (1, 3)
    for start, end in TWO_WAY_CURRENTS:
        assert NEIGHBOUR_COSTS[start][end] == NEIGHBOUR_COSTS[end][start] == 1
    for start, end in LINES_WITHOUT_CURRENT:
        assert NEIGHBOUR_COSTS[start][end] == NEIGHBOUR_COSTS[end][start] == 2
    lines = [frozenset(line) for line in (*ONE_WAY_CURRENTS, *TWO_WAY_CURRENTS, *LINES_WITHOUT_CURRENT)]
    assert len(lines) == len(set(lines)) == 22 + 3 + 18
    assert sum(len(each) for each in NEIGHBOUR_COSTS.values()) == 2 * len(lines), "nothing else is adjacent"
    assert min(len(each) for each in NEIGHBOUR_COSTS.values()) == 2


@pytest.mark.parametrize(
    ("region", "moves"),
    [
        ("OKH", "BER:3 EMP:1 KUR:1"),
        ("KUR", "EMP:1 OKH:3 PHI:3"),
        ("EMP", "BER:2 GPP:1 HAW:2 KUR:3 OKH:3 PHI:2"),
        ("CLI", "CAL:3 GAL:2 GPP:2 HAW:1 LIN:1"),
        ("MIC", "COR:2 CTR:1 HAW:2 LIN:1 PHI:2 TAH:2"),
        ("TAS", "CHA:1 COR:3"),
        ("PER", "GAL:1 LIN:2 NEM:3 TAH:1"),
    ],
)
def test_moves_out_of_a_region(region: str, moves: str) -> None:
    """The costs from some regions, as on the map."""
    costs = {f"{neighbour.value}:{cost}" for neighbour, cost in NEIGHBOUR_COSTS[Region(region)].items()}
    assert costs == set(moves.split())


def test_lines_do_not_cross() -> None:
    """No two lines of the chart cross each other."""

    def side(a: Region, b: Region, c: Region) -> float:
        (ax, ay), (bx, by), (cx, cy) = ((REGIONS[each].x, REGIONS[each].y) for each in (a, b, c))
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    lines = (*ONE_WAY_CURRENTS, *TWO_WAY_CURRENTS, *LINES_WITHOUT_CURRENT)
    for (a, b), (c, d) in combinations(lines, 2):
        if {a, b} & {c, d}:
            continue
        crosses = side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
        assert not crosses, (a, b, c, d)


def test_currents_reach_everything() -> None:
    """Going with the flow alone leads from each region to every other."""
    for start in Region:
        reached_regions, queue = {start}, [start]
        while queue:
            region = queue.pop()
            new_regions = {
                end for end, cost in NEIGHBOUR_COSTS[region].items() if cost == COST_WITH_CURRENT
            } - reached_regions
            reached_regions |= new_regions
            queue += new_regions
        assert reached_regions == set(Region), start


def test_assumed_numbers_are_named() -> None:
    """The pages of help list all of them."""
    pages = "\n".join(topic.text for topic in CURRENT_AFFAIRS.words.topics)
    assert ASSUMPTIONS
    assert all(text in pages for text in ASSUMPTIONS)


def test_the_slots_of_every_contract_are_assumed() -> None:
    """Of the white contract the rulebook gives points and port, but no slots."""
    assert "slots of the contracts, and their points but for the white one with 9" in ASSUMPTIONS
