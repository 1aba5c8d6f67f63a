"""What the last choice changed on the table of Oceans, marked in the colour that no seat has."""

from functools import lru_cache

from render import parts
from render.oceans.cell import CHIP_AT, HEADER_MIDDLE, RADIUS
from render.oceans.changes import ROUTES, WATERS, Changes
from render.oceans.layout import CELL_HEIGHT, CELL_WIDTH, Seating, Sheet, port, way
from render.oceans.water import bands, cambrian_box, number_spot, pool_box, scenario_box
from render.scene import Anchor, Box, Face, Group, Points, Text, group
from render.theme import INK, KEY, LEGEND, MAGENTA, SIDE, WHITE
from rules.game import SEAT_LETTERS
from rules.oceans.model import Table
from rules.oceans.zones import ZONES

_ZONE = {zone.value: index for index, zone in enumerate(ZONES)}


def places_of(table: Table, seats: Seating) -> dict[str, int]:
    """Species -> its place in the ring."""
    return {
        species.key: place
        for row, places in zip(table.rows, seats.rows, strict=True)
        for species, place in zip(row, places, strict=True)
    }


def halos(table: Table, seats: Seating, found: Changes) -> tuple[Group, ...]:
    """Rings round what changed.  They lie below it: what is in it may change without drawing them anew."""
    places, sheet = places_of(table, seats), seats.sheet
    layers = [
        parts.halo_box(*sheet.spot(places[key]), CELL_WIDTH, CELL_HEIGHT, RADIUS)
        for key in found.touched
        if key in places
    ]
    if found.cambrian:
        layers.append(parts.halo_box(*cambrian_box(sheet), 12))
    layers += (
        parts.halo_box(*scenario_box(sheet, i), 12)
        for i, code in enumerate(table.scenarios)
        if code in found.scenarios
    )
    if not table.options.reef:
        layers += (parts.halo_box(*pool_box(sheet, pile), 12) for pile in found.piles)
    return tuple(layers)


def last_choice(table: Table, seats: Seating, found: Changes) -> tuple[Group, ...]:
    """Numbers that say by how much something changed, the ways that population took, who died out."""
    places, sheet = places_of(table, seats), seats.sheet
    layers: list[Group] = []
    for place, change in found.net.items():
        if change:
            layers += _chip(table, sheet, places, place, change)
    rings: list[Group] = []
    for points, ringed in _ways(sheet, places, found):
        drawn = parts.route(points, 20.0 if ringed else 8.0, 0.0, ringed=ringed)
        layers += drawn[:-1] if ringed else drawn
        rings += drawn[-1:] if ringed else ()
    layers += rings
    if found.gone:
        layers.append(_gone(sheet, tuple(found.gone)))
    return tuple(layers)


def _chip(table: Table, sheet: Sheet, places: dict[str, int], place: str, change: int) -> tuple[Group, ...]:
    if place in places:
        x, y = sheet.spot(places[place])
        return (parts.chip(x + CHIP_AT, y + HEADER_MIDDLE, change),)
    if place in _ZONE:
        x, y = number_spot(sheet, _ZONE[place])
        number = Text(0, 0, str(table.water[_ZONE[place]]), KEY, INK, 70, Face.BOLD, floor=36)
        return (parts.chip(x + round(parts.snug(number).room) + 6, y, change),)
    if len(place) == 1 and place in SEAT_LETTERS[: table.seats]:
        x, y, width, _ = parts.panel_boxes(table.seats)[SEAT_LETTERS.index(place)]
        return (parts.chip(x + width - 66 - parts.chip_width(change), y + 3, change),)
    return ()


def _ways(sheet: Sheet, places: dict[str, int], found: Changes) -> list[tuple[Points, bool]]:
    """Each way, and whether it begins with a ring (in the water)."""
    ways: list[tuple[Points, bool]] = []
    for source, target in dict.fromkeys(found.routes):
        if target not in places or source == target:
            continue
        if source in WATERS:
            begin, out = _shore(sheet, _ZONE[source], places[target])
            ways.append((way(sheet, out, places[target], begin), True))
        elif source in places:
            ways.append((way(sheet, places[source], places[target]), False))
    for source, target in dict.fromkeys(found.migrations):
        if source in _ZONE and target in _ZONE:
            ways.append((_drift(sheet, _ZONE[source], _ZONE[target]), True))
    return ways[:ROUTES]


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
def _gone(sheet: Sheet, keys: tuple[str, ...]) -> Group:
    """Which species died out."""
    listed = " and ".join(filter(None, (", ".join(keys[:-1]), keys[-1])))
    words = Text(0, 0, f"{listed} died out", LEGEND + 2, MAGENTA, 520, Face.BOLD, Anchor.MIDDLE)
    wide = parts.snug(words).room + 44
    _, top, _, _ = sheet.water
    return group(
        SIDE // 2,
        top - 17,
        (
            Box(-wide / 2 - 4, -25, wide + 8, 50, 25, WHITE),
            Box(-wide / 2, -21, wide, 42, 21, WHITE, MAGENTA, 4),
            words,
        ),
    )
