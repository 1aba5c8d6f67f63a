"""The cheapest route between any two regions.  Ships may pass each other, so only the map matters."""

import heapq
from typing import Final, NamedTuple

from rules.current_affairs.components import NEIGHBOUR_COSTS, Region


class Route(NamedTuple):
    """A route from one region to another, and the actions that it takes."""

    cost: int
    regions: tuple[Region, ...]
    """Every region on it, the first and the last included."""


def _routes_from(start: Region) -> dict[Region, Route]:
    """Return the cheapest routes (Dijkstra); of equal ones the shortest, then the first by region codes."""
    routes: dict[Region, Route] = {}
    queue: list[tuple[int, int, tuple[str, ...]]] = [(0, 1, (start.value,))]
    while queue:
        cost, length, codes = heapq.heappop(queue)
        region = Region(codes[-1])
        if region in routes:
            continue
        routes[region] = Route(cost, tuple(Region(code) for code in codes))
        for neighbour, step_cost in NEIGHBOUR_COSTS[region].items():
            heapq.heappush(queue, (cost + step_cost, length + 1, (*codes, neighbour.value)))
    return {region: routes[region] for region in Region}


ROUTES: Final = {region: _routes_from(region) for region in Region}
"""The route from each region to each, itself included."""
