"""Marks on the board of Oceans for what the newest turn changed, in the colour that no seat has."""

from typing import Final

from render import parts
from render.geometry import shorten
from render.oceans.changes import Changes
from render.oceans.extinction_notes import ExtinctionNotes, draw_extinct_pill, draw_extinction_notes
from render.oceans.layout import (
    TRACK_OFFSET,
    BoardLayout,
    RowArrangement,
    exit_points,
    species_cells,
    trace_route,
)
from render.oceans.species_cell import CELL_RADIUS, change_chip_spot
from render.oceans.water import (
    cambrian_box,
    gene_pile_box,
    scenario_box,
    zone_edges,
    zone_population_spot,
    zone_population_text,
)
from render.routes import draw_route
from render.scene import Group, Points
from render.theme import PICTURE_WIDTH
from rules.model import SEAT_LETTERS
from rules.oceans.engine.values import space_count
from rules.oceans.model import Position
from rules.oceans.places import ZONES

_MAX_ROUTES: Final = 3
"""The most routes that are drawn: more would cross each other."""
_END_CLEARANCE: Final = 12
"""Distance of a straight route from the ends of the edges that it joins."""
_WATER_INSET: Final = 14
"""How far inside the water a straight route begins."""
_CHIP_CLEARANCE: Final = 15
"""From a cell's upper edge to the middle of the ring with which a route begins there."""
_INDEX_BY_ZONE_CODE: Final = {zone.value: index for index, zone in enumerate(ZONES)}


def draw_halos(position: Position, arrangement: RowArrangement, changes: Changes) -> tuple[Group, ...]:
    """Draw halos round what changed.

    Halos lie below the cells and cards, so that the cached tiles of halos do not depend on what cells and
    cards show.
    """
    cells, layout = species_cells(position, arrangement), arrangement.layout
    layers = [
        parts.draw_box_halo(
            *layout.cell_corner(cells[key]),
            layout.cell_width,
            layout.cell_height,
            round(CELL_RADIUS * layout.cell_scale),
        )
        for key in changes.haloed_species
        if key in cells
    ]
    if changes.cambrian_happened:
        layers.append(parts.draw_box_halo(*cambrian_box(layout), 12))
    layers += (
        parts.draw_box_halo(*scenario_box(layout, i), 12)
        for i, code in enumerate(position.scenarios)
        if code in changes.scenarios
    )
    if not position.options.reef:
        layers += (parts.draw_box_halo(*gene_pile_box(layout, pile), 12) for pile in changes.piles)
    return tuple(layers)


def draw_change_marks(
    position: Position, arrangement: RowArrangement, changes: Changes, notes: ExtinctionNotes
) -> tuple[Group, ...]:
    """Draw by how much numbers changed, the routes that population took, and which species died out.

    ``notes`` stand in the gaps of the arrangement; what died out without one is named at the water.
    """
    cells, layout = species_cells(position, arrangement), arrangement.layout
    layers: list[Group] = []
    rings: list[Group] = []
    routes = _find_routes(layout, cells, changes)
    for points, ringed in routes:
        groups = draw_route(points, 20.0 if ringed else 8.0, 0.0, ringed=ringed)
        layers += groups[:-1] if ringed else groups
        rings += groups[-1:] if ringed else ()
    layers += rings
    for place_code, change in changes.population_changes.items():
        if change:
            layers += _draw_change_chip(position, layout, cells, place_code, change)
    layers += draw_extinction_notes(arrangement, notes)
    noted_keys = {key for row in notes for note in row for key in note.keys}
    other_keys = tuple(key for key in changes.extinct_species if key not in noted_keys)
    if other_keys:
        is_upper_edge_crossed = any(
            points[-1] < layout.water_box[1] and abs(points[-2] - PICTURE_WIDTH / 2) < 260
            for points, _ in routes
        )
        layers.append(draw_extinct_pill(layout, other_keys, is_below_water=is_upper_edge_crossed))
    return tuple(layers)


def _draw_change_chip(
    position: Position, layout: BoardLayout, cells: dict[str, int], place_code: str, change: int
) -> tuple[Group, ...]:
    if place_code in cells:
        x, y = layout.cell_corner(cells[place_code])
        species = next(species for row in position.rows for species in row if species.key == place_code)
        chip_x, chip_y = change_chip_spot(
            species.population,
            space_count(position, species),
            parts.change_chip_width(change),
            layout.cell_scale,
        )
        return (parts.draw_change_chip(x + chip_x, y + chip_y, change),)
    if place_code in _INDEX_BY_ZONE_CODE:
        x, y = zone_population_spot(layout, _INDEX_BY_ZONE_CODE[place_code])
        number = zone_population_text(position.zone_populations[_INDEX_BY_ZONE_CODE[place_code]])
        return (parts.draw_change_chip(x + round(number.max_width) + 6, y, change),)
    if len(place_code) == 1 and place_code in SEAT_LETTERS[: position.seat_count]:
        x, y, width, _ = parts.panel_boxes(position.seat_count)[SEAT_LETTERS.index(place_code)]
        return (parts.draw_change_chip(x + width - 66 - parts.change_chip_width(change), y + 3, change),)
    return ()


def _find_routes(layout: BoardLayout, cells: dict[str, int], changes: Changes) -> list[tuple[Points, bool]]:
    """Return each route, and whether it begins with a ring: all do, except straight ones."""
    routes: list[tuple[Points, bool]] = []
    for source, target in dict.fromkeys(changes.routes):
        if target not in cells or source == target:
            continue
        if source in _INDEX_BY_ZONE_CODE:
            zone = _INDEX_BY_ZONE_CODE[source]
            straight = _straight_route(layout, zone, cells[target])
            if straight is not None:
                routes.append((straight, False))
            else:
                shore_point, track_point = _shore_points(layout, zone, cells[target])
                routes.append((trace_route(layout, track_point, cells[target], shore_point), True))
        elif source in cells:
            route = trace_route(layout, cells[source], cells[target])
            _, row = layout.grid_place(cells[source])
            # Below the water a route leaves by the cell's upper edge, where the change of population stands.
            is_beside_chip = row == layout.row_count - 1
            routes.append((shorten(route, _CHIP_CLEARANCE, 0) if is_beside_chip else route, True))
    middle = PICTURE_WIDTH / 2
    crossing_xs = [points[0] for points, ringed in routes if not ringed and points[1] == points[3]]
    goes_at_right = (
        bool(crossing_xs) and max(crossing_xs) <= middle
    )  # straight routes cross the left corridor
    for source, target in dict.fromkeys(changes.migrations):
        route = _migration_route(layout, _INDEX_BY_ZONE_CODE[source], _INDEX_BY_ZONE_CODE[target])
        if goes_at_right:
            route = tuple(value if i % 2 else 2 * middle - value for i, value in enumerate(route))
        routes.append((route, True))
    return routes[:_MAX_ROUTES]


def _straight_route(layout: BoardLayout, zone: int, cell: int) -> Points | None:
    """Return the route straight across the corridor if the cell lies beside the zone; else None."""
    left, top, width, height = layout.water_box
    inner_left, inner_top, inner_right, inner_bottom = layout.inner_bounds
    column, row = layout.grid_place(cell)
    x, y = layout.cell_corner(cell)
    if 0 < row < layout.row_count - 1:
        begin, end = zone_edges(layout)[zone : zone + 2]
        shared_y = _nearest_shared(
            begin + _END_CLEARANCE,
            end - _END_CLEARANCE,
            y + 2 * _END_CLEARANCE,
            y + layout.cell_height - 2 * _END_CLEARANCE,
        )
        if shared_y is None:
            return None
        if column == 0:
            return left + _WATER_INSET, shared_y, inner_left + 1, shared_y
        return left + width - _WATER_INSET, shared_y, inner_right - 1, shared_y
    if (zone, row) not in {(0, 0), (len(_INDEX_BY_ZONE_CODE) - 1, layout.row_count - 1)}:
        return None
    shared_x = _nearest_shared(
        x + 2 * _END_CLEARANCE,
        x + layout.cell_width - 2 * _END_CLEARANCE,
        left + 2 * _END_CLEARANCE,
        left + width - 2 * _END_CLEARANCE,
    )
    if shared_x is None:
        return None
    if row == 0:
        return shared_x, top + _WATER_INSET, shared_x, inner_top + 1
    return shared_x, top + height - _WATER_INSET, shared_x, inner_bottom - 1


def _nearest_shared(begin: float, end: float, other_begin: float, other_end: float) -> float | None:
    """Return the value within both spans that is nearest to the middle of the first; None: they are apart."""
    begin_both, end_both = max(begin, other_begin), min(end, other_end)
    return None if begin_both > end_both else min(max((begin + end) / 2, begin_both), end_both)


def _shore_points(
    layout: BoardLayout, zone: int, cell: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return two points where a route leaves a zone for a cell: on the nearest edge, and on the track."""
    left, top, width, height = layout.water_box
    inner_left, _, inner_right, _ = layout.inner_bounds
    _, (x, y) = exit_points(layout, cell)
    _, row = layout.grid_place(cell)
    if zone == 0 and row == 0:
        x = min(max(x, left + 30), left + width - 30)
        return (x, top + 2), (x, y)
    if zone == 3 and row == layout.row_count - 1:
        x = min(max(x, left + 30), left + width - 30)
        return (x, top + height - 2), (x, y)
    edges = zone_edges(layout)
    middle = (edges[zone] + edges[zone + 1]) / 2
    if x <= (inner_left + inner_right) / 2:
        return (left, middle), (inner_left + TRACK_OFFSET, middle)
    return (left + width, middle), (inner_right - TRACK_OFFSET, middle)


def _migration_route(layout: BoardLayout, source: int, target: int) -> Points:
    """Return a route along the water's left edge from zone to zone."""
    left, _, _, _ = layout.water_box
    edges = zone_edges(layout)
    start, end = ((edges[zone] + edges[zone + 1]) / 2 for zone in (source, target))
    track = layout.inner_bounds[0] + TRACK_OFFSET - 10
    step = 10 if end > start else -10
    bend_x = track + 8
    return (left, start, bend_x, start, track, start + step, track, end - step, bend_x, end, left + 14, end)
