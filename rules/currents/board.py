"""The geometry of the two boards of Currents: lines, slots, edges, obstacles; and which card lies where.

Square: rulebook, "Playing a Current" and "Currents and Influences".  Triangle: three 4x4 zones that meet
at a corner (our own numbers for three players).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.currents.components import Axis, Card, Point
from rules.currents.model import BoardShape, Obstacles, Position
from rules.model import Seat

SQUARE_SIZE: Final = 8
"""Squares along an edge; the pawn stands on the 9x9 intersections."""
TRIANGLE_SIZE: Final = 4
"""The largest value of a coordinate on the triangle."""

ROCKS: Final = frozenset({(2, 2), (6, 2), (2, 6), (6, 6)})
"""The intersections that the pawn cannot enter."""
RIPTIDES: Final[Mapping[Point, str]] = MappingProxyType(
    {(2, 0): "N", (6, 0): "N", (2, 8): "S", (6, 8): "S", (0, 2): "W", (0, 6): "W", (8, 2): "E", (8, 6): "E"}
)
"""Riptide -> the edge it guards: no step towards that edge, not even a diagonal one, enters the riptide.

The points are our own.
"""

_LINES_BY_SLOT: Final = ((0, 1, 2), (2, 3, 4), (4, 5, 6), (6, 7, 8))
"""By the number of a slot: the columns or rows of the square that it reaches."""


class Geometry(ABC):
    """The geometry of a board.  Directions, edges and compass places share their names, such as "N"."""

    places: tuple[str, ...]
    """The compass places, in the order in which a King turns them clockwise."""
    slots: tuple[str, ...]
    """The names of the current slots."""
    start: Point
    """Where the pawn stands at the beginning of a game."""
    points: tuple[Point, ...]
    """Every intersection."""
    slot_indexes_at: Mapping[Point, tuple[int, ...]]
    """Intersection -> indexes of the slots whose currents reach it."""
    place_index: Mapping[str, int]
    slot_index: Mapping[str, int]
    lines: Mapping[str, tuple[tuple[Point, ...], ...]]
    """Slot -> the lines that it influences, each as its points in order."""

    def _build_indexes(self) -> None:
        self.place_index = MappingProxyType({name: i for i, name in enumerate(self.places)})
        self.slot_index = MappingProxyType({name: i for i, name in enumerate(self.slots)})
        slots_by_point: dict[Point, list[int]] = {point: [] for point in self.points}
        for i, slot in enumerate(self.slots):
            for point in {point for line in self.lines[slot] for point in line}:
                slots_by_point[point].append(i)
        self.slot_indexes_at = MappingProxyType(
            {point: tuple(indexes) for point, indexes in slots_by_point.items()}
        )

    @abstractmethod
    def push(self, point: Point, pushes: tuple[int, ...]) -> Point:
        """Return where the pushes towards each place would move the pawn, which may be beyond an edge."""

    @abstractmethod
    def crossed_edges(self, point: Point) -> tuple[tuple[str, int], ...]:
        """Return the edges beyond which a point lies, each with the overshoot."""

    @abstractmethod
    def clamp_to_edge(self, point: Point, edge: str) -> Point:
        """Return the point moved back onto the line of an edge; the other coordinates stay."""

    @abstractmethod
    def steps_to_edge(self, point: Point, edge: str) -> int:
        """Return how many steps lie between a point and the line of an edge."""

    @abstractmethod
    def seat_edge(self, seat_count: int, seat: Seat) -> str:
        """Return the edge at which a seat sits."""

    @abstractmethod
    def goals(
        self, seat_count: int, seat: Seat, first_player: Seat | None, axis: Axis | None
    ) -> tuple[str, ...]:
        """Return the edges that a seat aims for; empty until they are known."""

    @abstractmethod
    def defending_places(self, edge: str) -> tuple[str, ...]:
        """Return the compass places whose suits can stop a pawn that leaves over an edge."""

    @abstractmethod
    def path(self, start: Point, target: Point, obstacles: Obstacles) -> tuple[Point, ...]:
        """Return the points from ``start`` to where the pawn comes to rest, both included."""


class Square(Geometry):
    """Eight by eight squares: x grows to the east, y to the south."""

    places = ("N", "E", "S", "W")
    slots = tuple(f"{side}{k}" for side in "NESW" for k in range(4))
    start = (4, 4)
    points = tuple((x, y) for y in range(SQUARE_SIZE + 1) for x in range(SQUARE_SIZE + 1))
    _seat_edges: Final = {2: ("S", "N"), 4: ("S", "W", "N", "E")}
    _opposite: Final = {"N": "S", "S": "N", "E": "W", "W": "E"}

    def __init__(self) -> None:
        """Compute the lines of each slot."""
        coordinates = range(SQUARE_SIZE + 1)
        self.lines = MappingProxyType(
            {
                slot: tuple(
                    tuple((line, i) if slot[0] in "NS" else (i, line) for i in coordinates)
                    for line in _LINES_BY_SLOT[int(slot[1])]
                )
                for slot in self.slots
            }
        )
        self._build_indexes()

    def push(self, point: Point, pushes: tuple[int, ...]) -> Point:
        """Add east minus west and south minus north."""
        north, east, south, west = pushes
        return point[0] + east - west, point[1] + south - north

    def crossed_edges(self, point: Point) -> tuple[tuple[str, int], ...]:
        """List north or south first, then west or east."""
        x, y = point
        crossed = []
        if y < 0:
            crossed.append(("N", -y))
        elif y > SQUARE_SIZE:
            crossed.append(("S", y - SQUARE_SIZE))
        if x < 0:
            crossed.append(("W", -x))
        elif x > SQUARE_SIZE:
            crossed.append(("E", x - SQUARE_SIZE))
        return tuple(crossed)

    def clamp_to_edge(self, point: Point, edge: str) -> Point:
        """Clamp one coordinate."""
        x, y = point
        return {"N": (x, 0), "S": (x, SQUARE_SIZE), "W": (0, y), "E": (SQUARE_SIZE, y)}[edge]

    def steps_to_edge(self, point: Point, edge: str) -> int:
        """Count along one coordinate."""
        x, y = point
        return {"N": y, "S": SQUARE_SIZE - y, "W": x, "E": SQUARE_SIZE - x}[edge]

    def seat_edge(self, seat_count: int, seat: Seat) -> str:
        """Seat players clockwise from the south edge; with two players the edges are for display only."""
        return self._seat_edges[seat_count][seat]

    def goals(
        self, seat_count: int, seat: Seat, first_player: Seat | None, axis: Axis | None
    ) -> tuple[str, ...]:
        """Return the opposite edge with four seats, with two seats both edges of an axis.

        The first player has the chosen axis, the other player the other one.
        """
        if seat_count == 4:
            return (self._opposite[self.seat_edge(seat_count, seat)],)
        if axis is None:
            return ()
        aims_north_south = (axis is Axis.NORTH_SOUTH) == (seat == first_player)
        return ("N", "S") if aims_north_south else ("E", "W")

    def defending_places(self, edge: str) -> tuple[str, ...]:
        """Return the place opposite to the edge (rulebook, Goal Edges and Goaltending)."""
        return (self._opposite[edge],)

    def path(self, start: Point, target: Point, obstacles: Obstacles) -> tuple[Point, ...]:
        """Take diagonal unit steps first, then straight ones (house rule); obstacles turn or end them."""
        x, y = start
        dx, dy = target[0] - x, target[1] - y
        step_x, step_y = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
        diagonal_count = min(abs(dx), abs(dy))
        straight_count = max(abs(dx), abs(dy)) - diagonal_count
        straight_step = (step_x, 0) if abs(dx) > abs(dy) else (0, step_y)
        points = [start]

        def try_step(move_x: int, move_y: int) -> bool:
            nonlocal x, y
            if _is_blocked(obstacles, (x + move_x, y + move_y), move_x, move_y):
                return False
            x, y = x + move_x, y + move_y
            points.append((x, y))
            return True

        for _ in range(diagonal_count):
            if not try_step(step_x, step_y) and not try_step(0, step_y):
                try_step(step_x, 0)
        for _ in range(straight_count):
            if not try_step(*straight_step):
                break
        return tuple(points)


def _is_blocked(obstacles: Obstacles, point: Point, move_x: int, move_y: int) -> bool:
    if obstacles is Obstacles.ROCKS:
        return point in ROCKS
    if obstacles is Obstacles.RIPTIDES:
        guarded_edge = RIPTIDES.get(point)
        towards = {"N": move_y < 0, "S": move_y > 0, "W": move_x < 0, "E": move_x > 0}
        return guarded_edge is not None and towards[guarded_edge]
    return False


class Triangle(Geometry):
    """Three zones of 4x4 round a corner: (x, y, z), at least one 0; side X is where x = 4."""

    places = ("X", "Y", "Z")
    slots = tuple(f"{side}{k}" for side in "XYZ" for k in range(4))
    start = (0, 0, 0)
    _sides: Final = ("X", "Y", "Z")
    _line_names: Final = {
        "X0": "y4 y3 y2", "X1": "y2 y1 X", "X2": "X z1 z2", "X3": "z2 z3 z4",
        "Y0": "z4 z3 z2", "Y1": "z2 z1 Y", "Y2": "Y x1 x2", "Y3": "x2 x3 x4",
        "Z0": "x4 x3 x2", "Z1": "x2 x1 Z", "Z2": "Z y1 y2", "Z3": "y2 y3 y4",
    }  # fmt: skip

    def __init__(self) -> None:
        """List the 61 points and the lines of each slot."""
        values = range(TRIANGLE_SIZE + 1)
        self.points = tuple((a, b, c) for a in values for b in values for c in values if min(a, b, c) == 0)
        self.lines = MappingProxyType(
            {
                slot: tuple(self._line(name) for name in names.split())
                for slot, names in self._line_names.items()
            }
        )
        self._build_indexes()

    @staticmethod
    def _line(name: str) -> tuple[Point, ...]:
        """Return the points of a line: "y3" is y = 3 from side to side, "X" the spoke to the centre."""
        size = TRIANGLE_SIZE
        coordinate = "XYZ".index(name[0].upper())

        def point(own: int, second: int, third: int) -> Point:  # the line's own coordinate first
            values = [0, 0, 0]
            for i, value in enumerate((own, second, third)):
                values[(coordinate + i) % 3] = value
            return tuple(values)

        if len(name) == 1:
            return tuple(point(i, 0, 0) for i in range(size, -1, -1))
        fixed = int(name[1])
        first_leg = [point(fixed, i, 0) for i in range(size, -1, -1)]
        return (*first_leg, *(point(fixed, 0, i) for i in range(1, size + 1)))

    def push(self, point: Point, pushes: tuple[int, ...]) -> Point:
        """Add the pushes; three equal ones cancel."""
        x, y, z = (value + push for value, push in zip(point, pushes, strict=True))
        least = min(x, y, z)
        return x - least, y - least, z - least

    def crossed_edges(self, point: Point) -> tuple[tuple[str, int], ...]:
        """List the sides whose coordinate is above 4."""
        return tuple(
            (side, value - TRIANGLE_SIZE)
            for side, value in zip(self._sides, point, strict=True)
            if value > TRIANGLE_SIZE
        )

    def clamp_to_edge(self, point: Point, edge: str) -> Point:
        """Clamp one coordinate."""
        return tuple(
            min(value, TRIANGLE_SIZE) if side == edge else value
            for side, value in zip(self._sides, point, strict=True)
        )

    def steps_to_edge(self, point: Point, edge: str) -> int:
        """Subtract the side's coordinate from 4."""
        return TRIANGLE_SIZE - point[self._sides.index(edge)]

    def seat_edge(self, seat_count: int, seat: Seat) -> str:
        """Seat players at X, Y and Z, clockwise."""
        return self._sides[seat]

    def goals(
        self, seat_count: int, seat: Seat, first_player: Seat | None, axis: Axis | None
    ) -> tuple[str, ...]:
        """Return the side to the left."""
        return (self._sides[(seat + 1) % 3],)

    def defending_places(self, edge: str) -> tuple[str, ...]:
        """Return both other sides."""
        return tuple(side for side in self._sides if side != edge)

    def path(self, start: Point, target: Point, obstacles: Obstacles) -> tuple[Point, ...]:
        """Return start and target only: the triangle has no obstacles."""
        return (start, target)


GEOMETRIES: Final[Mapping[BoardShape, Geometry]] = MappingProxyType(
    {BoardShape.SQUARE: Square(), BoardShape.TRIANGLE: Triangle()}
)


def card_on_place(position: Position, place: str) -> Card | None:
    """Return the card on a compass place; None if it is empty."""
    return position.compass[GEOMETRIES[position.options.board].place_index[place]]


def empty_places(position: Position) -> tuple[str, ...]:
    """Return the compass places without a card."""
    places = GEOMETRIES[position.options.board].places
    return tuple(place for place, card in zip(places, position.compass, strict=True) if card is None)


def card_on_slot(position: Position, slot: str) -> Card | None:
    """Return the card on a current slot; None if it is empty."""
    return position.currents[GEOMETRIES[position.options.board].slot_index[slot]]


def reaches_pawn(position: Position, slot: str) -> bool:
    """Whether a current on a slot pushes the pawn where it stands now, if its suit is on the compass."""
    geometry = GEOMETRIES[position.options.board]
    return geometry.slot_index[slot] in geometry.slot_indexes_at.get(position.pawn, ())
