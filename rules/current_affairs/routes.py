"""The cheapest way between any two regions.  Ships may be passed, so ways never depend on the position."""

import heapq
from typing import Final, NamedTuple

from rules.current_affairs.components import NEIGHBOURS, Region


class Route(NamedTuple):
    """A way from one region to another, both included, and the actions that it takes."""

    cost: int
    way: tuple[Region, ...]


def _routes_from(start: Region) -> dict[Region, Route]:
    """Return the cheapest routes (Dijkstra); of equal ones the shortest, then the first by region codes."""
    found: dict[Region, Route] = {}
    waiting: list[tuple[int, int, tuple[str, ...]]] = [(0, 1, (start.value,))]
    while waiting:
        cost, length, codes = heapq.heappop(waiting)
        here = Region(codes[-1])
        if here in found:
            continue
        found[here] = Route(cost, tuple(Region(code) for code in codes))
        for neighbour, actions in NEIGHBOURS[here].items():
            heapq.heappush(waiting, (cost + actions, length + 1, (*codes, neighbour.value)))
    return {region: found[region] for region in Region}


ROUTES: Final = {region: _routes_from(region) for region in Region}
"""The route from each region to each, itself included."""
