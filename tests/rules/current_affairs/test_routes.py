"""The routes of ships: costs, ties between routes, where a ship may stop."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from rules.current_affairs.components import BASE_MOVEMENT_ACTIONS, NEIGHBOUR_COSTS, REGIONS, Port, Region
from rules.current_affairs.events import Sailed
from rules.current_affairs.legal import destinations
from rules.current_affairs.routes import ROUTES
from rules.model import Seat
from tests.rules.current_affairs.positions import act, events, legal_texts, make_board, make_position

LONGEST_ROUTE_COST = 11
"""The highest cost of a cheapest route."""


def find_routes(start: Region, end: Region, total_cost: int) -> Iterator[tuple[Region, ...]]:
    """Yield the regions of every route of exactly this cost."""

    def extend(regions: tuple[Region, ...], actions_left: int) -> Iterator[tuple[Region, ...]]:
        if regions[-1] is end and not actions_left:
            yield regions
        for neighbour, cost in NEIGHBOUR_COSTS[regions[-1]].items():
            if cost <= actions_left:
                yield from extend((*regions, neighbour), actions_left - cost)

    yield from extend((start,), total_cost)


def test_routes_are_cheapest() -> None:
    """Floyd and Warshall agree with the costs (CA4)."""
    costs = {
        start: {end: 0 if start is end else NEIGHBOUR_COSTS[start].get(end, 99) for end in Region}
        for start in Region
    }
    for middle_region in Region:
        for start in Region:
            for end in Region:
                costs[start][end] = min(
                    costs[start][end], costs[start][middle_region] + costs[middle_region][end]
                )
    assert {start: {end: route.cost for end, route in row.items()} for start, row in ROUTES.items()} == costs
    assert max(max(row.values()) for row in costs.values()) == LONGEST_ROUTE_COST


def test_the_route_shown_is_the_shortest_then_the_first() -> None:
    """Of equally cheap routes the one with the fewest regions, then the first by codes (CA4)."""
    decided_by_length_count = decided_by_code_count = 0
    for start in Region:
        for end in Region:
            route = ROUTES[start][end]
            if start is end or route.cost > 8:
                continue
            routes = list(find_routes(start, end, route.cost))
            shortest_routes = [regions for regions in routes if len(regions) == min(map(len, routes))]
            assert route.regions == min(
                shortest_routes, key=lambda regions: [region.value for region in regions]
            )
            decided_by_length_count += len(routes) > len(shortest_routes)
            decided_by_code_count += len(shortest_routes) > 1
    assert decided_by_length_count
    assert decided_by_code_count


def test_of_routes_that_cost_as_much_the_shorter_is_shown() -> None:
    """From Micronesia to Kuroshio by the Philippine Sea, not by the Coral Triangle too (CA4)."""
    route = ROUTES[Region.MIC][Region.KUR]
    assert (route.cost, [region.value for region in route.regions]) == (3, ["MIC", "PHI", "KUR"])


@pytest.mark.parametrize(
    ("start", "end", "cost", "cost_back"),
    [
        (Port.WHITE, Port.RED, 3, 4),
        (Port.WHITE, Port.GOLD, 7, 5),
        (Port.WHITE, Port.VIOLET, 7, 6),
        (Port.RED, Port.GOLD, 5, 7),
        (Port.RED, Port.VIOLET, 4, 6),
        (Port.GOLD, Port.VIOLET, 4, 2),
    ],
)
def test_costs_between_ports_there_and_back(start: Port, end: Port, cost: int, cost_back: int) -> None:
    """A way back can cost more or less than the way there."""
    region_by_port = {facts.port: region for region, facts in REGIONS.items()}
    assert ROUTES[region_by_port[start]][region_by_port[end]].cost == cost
    assert ROUTES[region_by_port[end]][region_by_port[start]].cost == cost_back


def test_no_ship_is_ever_stuck() -> None:
    """Each region has five destinations at three actions, and four other ships block at most four (CA6)."""
    for start in Region:
        reachable = [
            end for end in Region if end is not start and ROUTES[start][end].cost <= BASE_MOVEMENT_ACTIONS
        ]
        assert len(reachable) >= 5, start


def test_three_actions_by_the_rulebook() -> None:
    """With, without and against the current, in every mixture that three actions pay for."""
    position = make_position(make_board("MIC"), make_board("OKH"), make_board("NEM"))
    region_codes = {text.split()[1] for text in legal_texts(position)}
    assert region_codes == {"CTR", "LIN", "PHI", "HAW", "COR", "TAH", "GAL", "KUR", "TAS", "PER"}


@pytest.mark.parametrize(("wheels", "action_count"), [("", 3), ("wheel", 4), ("wheel wheel", 5)])
def test_wheels_add_actions(wheels: str, action_count: int) -> None:
    """Each wheel adds one movement action."""
    position = make_position(make_board("KUR", unlocked=wheels), make_board("TAS"), make_board("CHA"))
    expected = {
        region
        for region, route in ROUTES[Region.KUR].items()
        if 0 < route.cost <= action_count and region not in {Region.TAS, Region.CHA}
    }
    assert set(destinations(position, Seat(0))) == expected


def test_must_move_and_not_stop_on_others() -> None:
    """Neither the start nor another's region, though ships may pass it; there is no pass (CA6)."""
    position = make_position(make_board("OKH"), make_board("EMP"), make_board("TAS"))
    assert set(legal_texts(position)) == {
        f"sail {region}" for region in ("KUR", "GPP", "ALA", "CAL", "BER", "HAW", "PHI")
    }
    after_sailing = act(position, "sail GPP")
    (event,) = events(after_sailing, Sailed)
    assert (event.regions, event.cost) == ((Region.OKH, Region.EMP, Region.GPP), 2)


def test_every_region_may_be_passed() -> None:
    """Ships may sail through empty and restored regions too (CA4)."""
    boards = make_board("OKH", restored="EMP"), make_board("TAS"), make_board("NEM")
    position = make_position(*boards, stacks={"EMP": "", "GPP": ""})
    assert {"sail EMP", "sail GPP", "sail CAL"} <= set(legal_texts(position))


def test_share_space_lets_its_owner_stop() -> None:
    """The owner may stop on others; they may not stop on the owner (CA29)."""
    sharing_board = make_board("OKH", unlocked="share-space")
    position = make_position(sharing_board, make_board("EMP"), make_board("TAS"))
    assert "sail EMP" in legal_texts(position)
    assert "sail OKH" not in legal_texts(position)
    after = act(position, "sail EMP")
    assert after.boards[0].ship is after.boards[1].ship
    assert after.to_act == 1
    other = make_position(make_board("OKH"), make_board("EMP", unlocked="share-space"), make_board("TAS"))
    assert "sail EMP" not in legal_texts(other)
    leaving = make_position(
        make_board("EMP", unlocked="share-space"), make_board("EMP"), make_board("TAS"), player=1
    )
    assert "sail EMP" not in legal_texts(leaving), "it must leave too"


def test_routes_are_chains_of_neighbours() -> None:
    """Each step of a route is a line, and the steps add up to its cost (CA37)."""
    for row in ROUTES.values():
        for route in row.values():
            assert sum(NEIGHBOUR_COSTS[a][b] for a, b in pairwise(route.regions)) == route.cost
