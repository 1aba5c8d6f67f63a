"""Routes of ships: the dice that each route needs, and the tiles that a row of dice reaches."""

from collections import Counter, deque
from functools import cache, lru_cache
from typing import Final, NamedTuple

from rules.arctic_cleanup.boards import row_without
from rules.arctic_cleanup.components import FACES, MAPS, SEA_STEPS, Hex

_MAX_STEPS: Final = 6


class SeaRoute(NamedTuple):
    """The faces of a route, lowest first; some order of them leads from one tile to the other."""

    faces: tuple[int, ...]


@cache
def sea_routes(seat_count: int) -> dict[Hex, dict[Hex, tuple[SeaRoute, ...]]]:
    """Return the routes between any two ocean tiles of a map: the shortest, and those one step longer.

    Routes of more than six steps are left out.
    """
    return {start: _routes_from(seat_count, start) for start in MAPS[seat_count].ocean}


def _routes_from(seat_count: int, start: Hex) -> dict[Hex, tuple[SeaRoute, ...]]:
    faces_by_end: dict[Hex, dict[tuple[int, ...], None]] = {start: {(): None}}
    shortest_lengths: dict[Hex, int] = {start: 0}
    frontier: set[tuple[Hex, tuple[int, ...]]] = {(start, ())}
    for length in range(1, _MAX_STEPS + 1):
        next_frontier: set[tuple[Hex, tuple[int, ...]]] = set()
        for place, faces in frontier:
            for face in FACES:
                end = SEA_STEPS[seat_count].get((place, face))
                if end is None or length > shortest_lengths.setdefault(end, length) + 1:
                    continue
                next_frontier.add((end, tuple(sorted((*faces, face)))))
        for end, faces in sorted(next_frontier, key=lambda each: (each[0].value, each[1])):
            faces_by_end.setdefault(end, {})[faces] = None
        frontier = next_frontier
    return {end: tuple(SeaRoute(faces) for faces in routes) for end, routes in faces_by_end.items()}


def missing_faces(route: SeaRoute, row: tuple[int, ...]) -> list[int]:
    """Return the faces of a route that a row of dice lacks."""
    missing = Counter(route.faces)
    missing.subtract(Counter(row))
    return [face for face, count in missing.items() for _ in range(max(0, count))]


class Voyage(NamedTuple):
    """The result of sailing to a tile in one turn."""

    end: Hex
    dice_left: tuple[int, ...]
    first_face: int
    """The face that the first step spends."""
    step_count: int


@lru_cache(maxsize=50_000)
def voyages(seat_count: int, start: Hex, row: tuple[int, ...], max_steps: int) -> tuple[Voyage, ...]:
    """Return one shortest voyage to each tile that a row of dice reaches in at most ``max_steps``."""
    voyage_by_end: dict[Hex, Voyage] = {}
    frontier: dict[tuple[Hex, tuple[int, ...]], int] = {(start, row): 0}
    for step_count in range(1, max_steps + 1):
        next_frontier: dict[tuple[Hex, tuple[int, ...]], int] = {}
        for (place, dice), first_face in frontier.items():
            for face in dict.fromkeys(dice):
                end = SEA_STEPS[seat_count].get((place, face))
                if end is None:
                    continue
                dice_left = list(dice)
                dice_left.remove(face)
                next_frontier.setdefault((end, tuple(dice_left)), first_face or face)
        for (end, dice), first_face in next_frontier.items():
            if end is not start:
                voyage_by_end.setdefault(end, Voyage(end, dice, first_face, step_count))
        frontier = next_frontier
    return tuple(voyage_by_end.values())


class PlannedRoute(NamedTuple):
    """A route on which a ship uses its planned dice."""

    tiles: tuple[Hex, ...]
    """From the ship's tile to the last one."""
    used_faces: tuple[int, ...]
    """The faces of the dice in the order of use."""
    unused_faces: tuple[int, ...]

    @property
    def end(self) -> Hex:
        """The last tile."""
        return self.tiles[-1]


@lru_cache(maxsize=5_000)
def planned_route(
    seat_count: int, start: Hex, faces: tuple[int, ...], wanted_face: int | None = None
) -> PlannedRoute:
    """Return the route that uses the most dice; of several, the one that uses the lowest faces first.

    ``wanted_face``: dice of this face count before all others.
    """

    def rank(route: PlannedRoute) -> tuple[int, int]:
        return route.used_faces.count(wanted_face), len(route.used_faces)

    best = PlannedRoute((start,), (), tuple(sorted(faces)))
    queue = deque([best])
    seen: set[tuple[Hex, tuple[int, ...]]] = set()
    while queue:
        route = queue.popleft()
        if rank(route) > rank(best):
            best = route
        for face in dict.fromkeys(route.unused_faces):
            end = SEA_STEPS[seat_count].get((route.end, face))
            index = route.unused_faces.index(face)
            unused_faces = (*route.unused_faces[:index], *route.unused_faces[index + 1 :])
            if end is not None and (end, unused_faces) not in seen:
                seen.add((end, unused_faces))
                queue.append(PlannedRoute((*route.tiles, end), (*route.used_faces, face), unused_faces))
    return best


class RouteEnds(NamedTuple):
    """Where a ship's route ends once a die is added to others."""

    planned: Hex
    """The end of the route that uses the most dice, as the picture shows it."""
    with_die: Hex
    """The end of one that uses the added die; the same if the planned one does."""


def route_ends_with_die(seat_count: int, start: Hex, other_dice: tuple[int, ...], face: int) -> RouteEnds:
    """Return where the route ends with a die of this face added to others, and where one that uses it."""
    planned = planned_route(seat_count, start, (*other_dice, face))
    if face not in planned.unused_faces:
        return RouteEnds(planned.end, planned.end)
    return RouteEnds(planned.end, planned_route(seat_count, start, (*other_dice, face), face).end)


@lru_cache(maxsize=50_000)
def faces_without_step(seat_count: int, place: Hex, row: tuple[int, ...]) -> frozenset[int]:
    """Return the faces that lead to no tile, neither from a ship's tile nor from any that its dice reach."""
    steps = SEA_STEPS[seat_count]
    faces = set(FACES)
    frontier = {(place, row)}
    while frontier:
        faces -= {face for tile, _ in frontier for face in FACES if (tile, face) in steps}
        frontier = {
            (steps[tile, face], row_without(dice, face))
            for tile, dice in frontier
            for face in dice
            if (tile, face) in steps
        }
    return frozenset(faces)


@lru_cache(maxsize=50_000)
def max_step_count(seat_count: int, start: Hex, row: tuple[int, ...]) -> int:
    """Return the most steps that a row of dice allows from a tile."""
    step_count = 0
    for face in dict.fromkeys(row):
        end = SEA_STEPS[seat_count].get((start, face))
        if end is not None:
            dice_left = list(row)
            dice_left.remove(face)
            step_count = max(step_count, 1 + max_step_count(seat_count, end, tuple(dice_left)))
            if step_count == len(row):
                break
    return step_count
