"""What the last choice changed on the table of Oceans, marked in the colour that no seat has."""

from functools import lru_cache
from typing import Final

from render import parts
from render.oceans.cell import RADIUS, chip_spot
from render.oceans.changes import ROUTES, WATERS, Changes
from render.oceans.layout import CELL_HEIGHT, CELL_WIDTH, Seating, Sheet, port, way
from render.oceans.water import bands, cambrian_box, number_spot, pool_box, scenario_box
from render.scene import Anchor, Box, Face, Group, Points, Text, group
from render.theme import INK, KEY_NUMBER_SIZE, LEGEND_SIZE, MAGENTA, PICTURE_WIDTH, WHITE
from rules.game import SEAT_LETTERS
from rules.oceans.engine.values import spaces
from rules.oceans.model import Position
from rules.oceans.zones import ZONES

_CLEAR: Final = 12
"""What a straight way keeps free of the ends of what it joins."""
_DIP: Final = 14
"""How deep in the water it begins."""
_ZONE = {zone.value: index for index, zone in enumerate(ZONES)}


def places_of(position: Position, seats: Seating) -> dict[str, int]:
    """Species -> its place in the ring."""
    return {
        species.key: place
        for row, places in zip(position.rows, seats.rows, strict=True)
        for species, place in zip(row, places, strict=True)
    }


def halos(position: Position, seats: Seating, found: Changes) -> tuple[Group, ...]:
    """Rings round what changed.  They lie below it: what is in it may change without drawing them anew."""
    places, sheet = places_of(position, seats), seats.sheet
    layers = [
        parts.draw_box_halo(*sheet.spot(places[key]), CELL_WIDTH, CELL_HEIGHT, RADIUS)
        for key in found.touched
        if key in places
    ]
    if found.cambrian:
        layers.append(parts.draw_box_halo(*cambrian_box(sheet), 12))
    layers += (
        parts.draw_box_halo(*scenario_box(sheet, i), 12)
        for i, code in enumerate(position.scenarios)
        if code in found.scenarios
    )
    if not position.options.reef:
        layers += (parts.draw_box_halo(*pool_box(sheet, pile), 12) for pile in found.piles)
    return tuple(layers)


def last_choice(position: Position, seats: Seating, found: Changes) -> tuple[Group, ...]:
    """Numbers that say by how much something changed, the ways that population took, who died out."""
    places, sheet = places_of(position, seats), seats.sheet
    layers: list[Group] = []
    rings: list[Group] = []
    ways = _ways(sheet, places, found)
    for points, ringed in ways:
        drawn = parts.draw_route(points, 20.0 if ringed else 8.0, 0.0, ringed=ringed)
        layers += drawn[:-1] if ringed else drawn
        rings += drawn[-1:] if ringed else ()
    layers += rings
    for place, change in found.net.items():
        if change:
            layers += _chip(position, sheet, places, place, change)
    if found.gone:
        crossed = any(
            points[-1] < sheet.water[1] and abs(points[-2] - PICTURE_WIDTH / 2) < 260 for points, _ in ways
        )
        layers.append(_gone(sheet, tuple(found.gone), below=crossed))
    return tuple(layers)


def _chip(
    position: Position, sheet: Sheet, places: dict[str, int], place: str, change: int
) -> tuple[Group, ...]:
    if place in places:
        x, y = sheet.spot(places[place])
        species = next(species for row in position.rows for species in row if species.key == place)
        across, down = chip_spot(
            species.population, spaces(position, species), parts.change_chip_width(change)
        )
        return (parts.draw_change_chip(x + across, y + down, change),)
    if place in _ZONE:
        x, y = number_spot(sheet, _ZONE[place])
        number = Text(
            0, 0, str(position.water[_ZONE[place]]), KEY_NUMBER_SIZE, INK, 70, Face.BOLD, min_size=36
        )
        return (parts.draw_change_chip(x + round(parts.shrink_to_fit(number).room) + 6, y, change),)
    if len(place) == 1 and place in SEAT_LETTERS[: position.seats]:
        x, y, width, _ = parts.panel_boxes(position.seats)[SEAT_LETTERS.index(place)]
        return (parts.draw_change_chip(x + width - 66 - parts.change_chip_width(change), y + 3, change),)
    return ()


def _ways(sheet: Sheet, places: dict[str, int], found: Changes) -> list[tuple[Points, bool]]:
    """Each way, and whether it begins with a ring (in the water)."""
    ways: list[tuple[Points, bool]] = []
    for source, target in dict.fromkeys(found.routes):
        if target not in places or source == target:
            continue
        straight = _across(sheet, _ZONE[source], places[target]) if source in WATERS else None
        if straight is not None:
            ways.append((straight, False))
        elif source in WATERS:
            begin, out = _shore(sheet, _ZONE[source], places[target])
            ways.append((way(sheet, out, places[target], begin), True))
        elif source in places:
            ways.append((way(sheet, places[source], places[target]), False))
    for source, target in dict.fromkeys(found.migrations):
        if source in _ZONE and target in _ZONE:
            ways.append((_drift(sheet, _ZONE[source], _ZONE[target]), True))
    return ways[:ROUTES]


def _across(sheet: Sheet, zone: int, place: int) -> Points | None:
    """Straight over the corridor, where a cell lies beside a zone: there is no room for a ring and a bend."""
    left, top, wide, high = sheet.water
    inner_left, inner_top, inner_right, inner_bottom = sheet.inner
    column, row = sheet.grid(place)
    x, y = sheet.spot(place)
    if 0 < row < sheet.rows - 1:
        begin, end = bands(sheet)[zone : zone + 2]
        level = _shared(begin + _CLEAR, end - _CLEAR, y + 2 * _CLEAR, y + CELL_HEIGHT - 2 * _CLEAR)
        if level is None:
            return None
        if column == 0:
            return left + _DIP, level, inner_left + 1, level
        return left + wide - _DIP, level, inner_right - 1, level
    if (zone, row) not in {(0, 0), (len(_ZONE) - 1, sheet.rows - 1)}:
        return None
    level = _shared(x + 2 * _CLEAR, x + CELL_WIDTH - 2 * _CLEAR, left + 2 * _CLEAR, left + wide - 2 * _CLEAR)
    if level is None:
        return None
    if row == 0:
        return level, top + _DIP, level, inner_top + 1
    return level, top + high - _DIP, level, inner_bottom - 1


def _shared(begin: float, end: float, low: float, high: float) -> float | None:
    """The place between ``begin`` and ``end`` that is nearest to their middle and lies in the other span."""
    begin_both, end_both = max(begin, low), min(end, high)
    return None if begin_both > end_both else min(max((begin + end) / 2, begin_both), end_both)


def _shore(sheet: Sheet, zone: int, place: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a way leaves a zone for a cell: its nearest edge, and the corridor before it."""
    left, top, wide, high = sheet.water
    inner_left, _, inner_right, _ = sheet.inner
    _, (x, y) = port(sheet, place)
    _, row = sheet.grid(place)
    if zone == 0 and row == 0:
        x = min(max(x, left + 30), left + wide - 30)
        return (x, top + 2), (x, y)
    if zone == 3 and row == sheet.rows - 1:
        x = min(max(x, left + 30), left + wide - 30)
        return (x, top + high - 2), (x, y)
    tops = bands(sheet)
    middle = (tops[zone] + tops[zone + 1]) / 2
    track = _track(sheet)
    if x <= (inner_left + inner_right) / 2:
        return (left, middle), (inner_left + track, middle)
    return (left + wide, middle), (inner_right - track, middle)


def _track(sheet: Sheet) -> float:
    return port(sheet, 0)[1][0] - sheet.inner[0]


def _drift(sheet: Sheet, source: int, target: int) -> Points:
    """Along the water's left edge from zone to zone."""
    left, _, _, _ = sheet.water
    tops = bands(sheet)
    start, end = ((tops[zone] + tops[zone + 1]) / 2 for zone in (source, target))
    track = sheet.inner[0] + _track(sheet) - 10
    step = 10 if end > start else -10
    turn = track + 8
    return (left, start, turn, start, track, start + step, track, end - step, turn, end, left + 14, end)


@lru_cache(maxsize=64)
def _gone(sheet: Sheet, keys: tuple[str, ...], *, below: bool) -> Group:
    """Which species died out: at the water's upper edge, or ``below`` it where a way crosses that."""
    listed = " and ".join(filter(None, (", ".join(keys[:-1]), keys[-1])))
    words = Text(0, 0, f"{listed} died out", LEGEND_SIZE + 2, MAGENTA, 520, Face.BOLD, Anchor.MIDDLE)
    wide = parts.shrink_to_fit(words).room + 44
    _, top, _, high = sheet.water
    return group(
        PICTURE_WIDTH // 2,
        top + high + 17 if below else top - 17,
        (
            Box(-wide / 2 - 4, -25, wide + 8, 50, 25, WHITE),
            Box(-wide / 2, -21, wide, 42, 21, WHITE, MAGENTA, 4),
            words,
        ),
    )
