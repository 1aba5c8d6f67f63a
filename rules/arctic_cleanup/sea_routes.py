"""The dice that take a ship from tile to tile: which faces each short way needs."""

from collections import Counter
from functools import cache
from typing import Final, NamedTuple

from rules.arctic_cleanup.components import FACES, MAPS, Hex, neighbour

_MAX_STEPS: Final = 6


class SeaRoute(NamedTuple):
    """The faces of a way, lowest first; in some order they lead from one tile to the other."""

    faces: tuple[int, ...]


@cache
def sea_routes(seats: int) -> dict[Hex, dict[Hex, tuple[SeaRoute, ...]]]:
    """Return the shortest routes between any two ocean tiles of a map, and those one step longer."""
    return {start: _routes_from(seats, start) for start in MAPS[seats].ocean}


def _routes_from(seats: int, start: Hex) -> dict[Hex, tuple[SeaRoute, ...]]:
    ocean = frozenset(MAPS[seats].ocean)
    found: dict[Hex, dict[tuple[int, ...], None]] = {start: {(): None}}
    shortest: dict[Hex, int] = {start: 0}
    border: set[tuple[Hex, tuple[int, ...]]] = {(start, ())}
    for length in range(1, _MAX_STEPS + 1):
        reached: set[tuple[Hex, tuple[int, ...]]] = set()
        for place, faces in border:
            for face in FACES:
                end = neighbour(place, face)
                if end is None or end not in ocean or length > shortest.setdefault(end, length) + 1:
                    continue
                reached.add((end, tuple(sorted((*faces, face)))))
        for end, faces in sorted(reached, key=lambda each: (each[0].value, each[1])):
            found.setdefault(end, {})[faces] = None
        border = reached
    return {end: tuple(SeaRoute(faces) for faces in routes) for end, routes in found.items()}


def missing_faces(route: SeaRoute, row: tuple[int, ...]) -> list[int]:
    """Return the faces of a route that a row of dice lacks."""
    missing = Counter(route.faces)
    missing.subtract(Counter(row))
    return [face for face, count in missing.items() for _ in range(max(0, count))]
