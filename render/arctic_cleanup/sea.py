"""The map of Arctic CleanUp: ice, ocean tiles and factories; tokens and ships."""

import math
from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from typing import Final

from render.arctic_cleanup.changes import Changes
from render.arctic_cleanup.layout import SeaMap, hex_edge, hex_outline, ship_spots, token_spots
from render.arctic_cleanup.pieces import draw_die_sign, draw_ship, draw_small_ship, draw_token
from render.arctic_cleanup.signs import FACTORY
from render.geometry import dash_outline, regular_polygon
from render.glyphs import draw_glyph
from render.parts import draw_box_halo
from render.routes import draw_polygon_halo, draw_route
from render.scene import (
    Anchor,
    Colour,
    Disc,
    Group,
    Item,
    Layer,
    Line,
    Points,
    Polygon,
    Text,
    Typeface,
    make_group,
    make_group_in_place,
)
from render.symbols import draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    CARD,
    CONTOUR,
    EMPHASIS_LINE_WIDTH,
    HAIRLINE_COLOUR,
    INK,
    NORMAL_LINE_WIDTH,
    SEAT_MARKS,
    SECONDARY_INK,
    SHADOW,
    WATER,
    WATER_MEDIUM,
    WHITE,
)
from rules.arctic_cleanup.boards import free_sites
from rules.arctic_cleanup.components import FACES, MAPS, TOKENS_TO_END, Block, Hex, Plastic, neighbour
from rules.arctic_cleanup.model import Phase, PlayerBoard, Position

_ICE_INSET: Final = -20.0
"""Inset of the ice's outline; negative, since it lies outside the hexes."""
_UP_FACE: Final = 1
"""The face of a die that leads up."""
_TOKENS_IN_ONE_ROW: Final = 4
_MAX_SINGLE_TOKENS: Final = 8
"""A tile with more tokens than these shows each plastic once, with its count."""
_HALO_REACH: Final = (33, 44, 42)
"""How far the box in a halo reaches above, below and beside the spot of a ship."""
_SMALL_HALO_REACH: Final = (16, 19, 26)
"""The same for a ship without a sail."""
_HALO_WIDTH: Final = 9

_SITE_SIGN_SIZE: Final = 76
_BUILDING_PHASES: Final = (Phase.ORDER, Phase.FILL, Phase.FACTORY)
"""Until all factories are built; then a free site stays closed."""


# What never changes -------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def draw_static_layers(sea_map: SeaMap, seat_count: int) -> tuple[Layer, ...]:
    """Draw the ice round the map, its tiles and the pack ice between them."""
    hex_map = MAPS[seat_count]
    open_hexes = (*hex_map.ocean, *hex_map.sites)
    groups = [
        make_group_in_place((Polygon(_shadow_outline(hex_outline(sea_map, place, _ICE_INSET)), SHADOW),))
        for place in Hex
    ]
    groups += (
        make_group_in_place((Polygon(hex_outline(sea_map, place, _ICE_INSET), WHITE, HAIRLINE_COLOUR, 3),))
        for place in Hex
    )
    groups += (
        make_group_in_place((Polygon(hex_outline(sea_map, place, _ICE_INSET + 2), WHITE),)) for place in Hex
    )
    groups += (_draw_ice(sea_map, place) for place in hex_map.ice)
    for place in open_hexes:
        groups.append(make_group_in_place((Polygon(hex_outline(sea_map, place), WATER, WATER_MEDIUM, 2.5),)))
    for place in open_hexes:
        border = [
            Line(hex_edge(sea_map, place, face), CONTOUR, 3)
            for face in FACES
            if neighbour(place, face) not in open_hexes
        ]
        groups += (make_group_in_place((line,)) for line in border)
    groups += (_draw_tile_name(sea_map, place) for place in hex_map.ocean)
    return tuple(groups)


def _shadow_outline(points: Points) -> Points:
    return tuple(value + (4 if index % 2 == 0 else 7) for index, value in enumerate(points))


def _draw_ice(sea_map: SeaMap, place: Hex) -> Group:
    """Draw pack ice: cracks on white."""
    x, y = sea_map.spot(place)
    cracks = (
        (-52.0, -20.0, -18.0, -8.0, 0.0, -34.0, 22.0, -58.0),
        (-18.0, -8.0, -6.0, 24.0, -30.0, 52.0),
        (-6.0, 24.0, 30.0, 18.0, 54.0, 34.0),
    )
    return make_group(x, y, tuple(Line(crack, HAIRLINE_COLOUR, 3) for crack in cracks))


@lru_cache(maxsize=64)
def _draw_tile_name(sea_map: SeaMap, place: Hex) -> Group:
    """Draw a tile's name in its upper left corner, beside the docks and above the ships."""
    x, y = sea_map.spot(place)
    text = Text(0, 0, place.value, 24, SECONDARY_INK, 44, Typeface.SANS, Anchor.MIDDLE)
    return make_group(
        x - round(sea_map.side * 0.32), y - round(sea_map.side * 0.66), (fit_text_and_width(text),)
    )


# Factories ----------------------------------------------------------------------------------------------


def draw_factories(
    position: Position, sea_map: SeaMap, changes: Changes, choosable: Collection[Hex] = ()
) -> tuple[Group, ...]:
    """Draw every factory with its docks and its name on its hex, and the names of free sites.

    While a factory may still be built there, a site has the sign of one.  ``choosable``: the hexes that can
    be chosen; a factory's mark lies below its docks.
    """
    sites = free_sites(position)
    groups = [_draw_tile_name(sea_map, place) for place in sites]
    groups += (_draw_site_sign(sea_map, place) for place in sites if position.phase in _BUILDING_PHASES)
    for seat, board in enumerate(position.boards):
        if board.factory is None:
            continue
        active = seat == position.current_player
        background, *docks = _draw_factory(sea_map, len(position.boards), seat, board.factory, active=active)
        halo = (
            draw_polygon_halo(hex_outline(sea_map, board.factory, 6))
            if seat in changes.seats_with_changed_factory
            else ()
        )
        mark = draw_hex_choice_mark(sea_map, board.factory) if board.factory in choosable else ()
        groups += (background, *halo, *mark, *docks, *_draw_factory_state(sea_map, seat, board))
        groups.append(_draw_factory_name(sea_map, len(position.boards), board.factory))
    return tuple(groups)


@lru_cache(maxsize=64)
def _draw_site_sign(sea_map: SeaMap, place: Hex) -> Group:
    x, y = sea_map.spot(place)
    return make_group(x, y, draw_glyph(FACTORY, 0, 0, _SITE_SIGN_SIZE, SECONDARY_INK, WATER))


@lru_cache(maxsize=64)
def _draw_factory_name(sea_map: SeaMap, seat_count: int, place: Hex) -> Group:
    """Draw the name of a factory's hex at its upper edge, or at the lower one if a dock is there."""
    x, y = sea_map.spot(place)
    text = Text(0, 0, place.value, 24, INK, 44, Typeface.SANS, Anchor.MIDDLE)
    has_upper_dock = neighbour(place, _UP_FACE) in MAPS[seat_count].ocean
    dx, dy = (16, round(sea_map.side * 0.67)) if has_upper_dock else (0, -round(sea_map.side * 0.68))
    return make_group(x + dx, y + dy, (fit_text_and_width(text),))


@lru_cache(maxsize=64)
def _draw_factory(
    sea_map: SeaMap, seat_count: int, seat: int, place: Hex, *, active: bool
) -> tuple[Group, ...]:
    mark = SEAT_MARKS[seat]
    line_width = EMPHASIS_LINE_WIDTH if active else NORMAL_LINE_WIDTH
    background = make_group_in_place((Polygon(hex_outline(sea_map, place, 3), mark.tint, INK, line_width),))
    docks = (
        make_group_in_place(_dock_items(hex_edge(sea_map, place, face), sea_map.spot(place), mark.colour))
        for face in FACES
        if neighbour(place, face) in MAPS[seat_count].ocean
    )
    return (background, *docks)


def _dock_items(ends: Points, middle: tuple[int, int], colour: Colour) -> tuple[Item, ...]:
    """Return a quay inside a hex edge, with three stubs to the water that touch neither names nor tokens."""
    ax, ay, bx, by = ends
    out_x, out_y = (ax + bx) / 2 - middle[0], (ay + by) / 2 - middle[1]
    length = (out_x**2 + out_y**2) ** 0.5
    out_x, out_y = out_x / length, out_y / length
    ax, ay, bx, by = ax - out_x * 12, ay - out_y * 12, bx - out_x * 12, by - out_y * 12
    spots = [(ax + (bx - ax) * share, ay + (by - ay) * share) for share in (0.16, 0.3, 0.5, 0.7, 0.84)]
    quay = (*spots[0], *spots[-1])
    stubs = [(x, y, x + out_x * 10, y + out_y * 10) for x, y in spots[1:4]]
    return (
        *(Line(stub, INK, 11) for stub in stubs),
        Line(quay, INK, 15),
        *(Line(stub, colour, 6) for stub in stubs),
        Line(quay, colour, 10),
    )


def _draw_factory_state(sea_map: SeaMap, seat: int, board: PlayerBoard) -> tuple[Group, ...]:
    assert board.factory is not None
    x, y = sea_map.spot(board.factory)
    are_hatched_lines_open = board.has_filled(Block.LINE_OPENER)
    return _draw_factory_state_at(
        x,
        y,
        seat,
        board.processed_count,
        board.gained_die_count,
        are_hatched_lines_open=are_hatched_lines_open,
    )


@lru_cache(maxsize=128)
def _draw_factory_state_at(
    x: int, y: int, seat: int, processed_count: int, dice_count: int, *, are_hatched_lines_open: bool
) -> tuple[Group, ...]:
    background = SEAT_MARKS[seat].tint
    signs_above = (*draw_seat_mark(seat, -26, -36, 24), *draw_glyph(FACTORY, 26, -37, 44, INK, background))
    number_text = Text(-6, 9, str(processed_count), 44, INK, 70, Typeface.BOLD, Anchor.RIGHT)
    limit_text = Text(2, 13, f"/{TOKENS_TO_END}", 30, INK, 60, Typeface.SANS)
    groups = [
        make_group(x, y, signs_above),
        make_group(x, y, (fit_text_and_width(number_text), fit_text_and_width(limit_text))),
    ]
    signs: list[Item] = []
    if are_hatched_lines_open:
        signs += (
            Polygon(regular_polygon(-31 if dice_count else -14, 44, 17, 6), WHITE, INK, 2),
            Text(-31 if dice_count else -14, 44, "3", 24, INK, 24, Typeface.BOLD, Anchor.MIDDLE),
        )
    if dice_count:
        signs += draw_die_sign(1 if are_hatched_lines_open else -14, 44, 24)
        signs.append(
            Text(16 if are_hatched_lines_open else 2, 44, f"+{dice_count}", 24, INK, 40, Typeface.BOLD)
        )
    if signs:
        groups.append(make_group(x, y, tuple(signs)))
    return tuple(groups)


# Tokens and ships ---------------------------------------------------------------------------------------


def draw_tokens(position: Position, sea_map: SeaMap, changes: Changes) -> tuple[Group, ...]:
    """Draw the tokens of every tile, above halos inside tiles on which the newest turn placed some."""
    halos = (
        group
        for place in Hex
        if place in changes.tiles_with_placed_tokens
        for group in draw_polygon_halo(hex_outline(sea_map, place, 12))
    )
    tokens_by_tile = zip(Hex, position.ocean, strict=True)
    return (
        *halos,
        *(_draw_tile_tokens(sea_map, place, tokens) for place, tokens in tokens_by_tile if tokens),
    )


@lru_cache(maxsize=512)
def _draw_tile_tokens(sea_map: SeaMap, place: Hex, tokens: tuple[Plastic, ...]) -> Group:
    x, y = sea_map.spot(place)
    items: list[Item] = []
    if len(tokens) <= _MAX_SINGLE_TOKENS:
        for (dx, dy, size), plastic in zip(token_spots(len(tokens)), tokens, strict=True):
            items += draw_token(dx, dy, size, plastic)
        return make_group(x, y, tuple(items))
    count_by_plastic = Counter(tokens)
    count_signs: list[Item] = []
    for (dx, dy, size), (plastic, count) in zip(
        token_spots(len(count_by_plastic)), count_by_plastic.items(), strict=True
    ):
        items += draw_token(dx, dy - 2, size - 1, plastic)
        if count > 1:
            count_signs += (
                Disc(dx + 14, dy - 12, 13, CARD, INK, 2),
                Text(dx + 14, dy - 12, str(count), 24, INK, 24, Typeface.BOLD, Anchor.MIDDLE),
            )
    return make_group(x, y, (*items, *count_signs))


def ships_by_hex(position: Position) -> dict[Hex, list[tuple[int, int]]]:
    """Return the ships on each hex that has any: seat and number."""
    ships: dict[Hex, list[tuple[int, int]]] = {}
    for seat, board in enumerate(position.boards):
        for number, place in enumerate(board.ships, 1):
            if place is not None:
                ships.setdefault(place, []).append((seat, number))
    return ships


def draw_ships(position: Position, sea_map: SeaMap) -> tuple[Group, ...]:
    """Draw every ship."""
    groups: list[Group] = []
    for place, ships in ships_by_hex(position).items():
        x, y = sea_map.spot(place)
        are_small = _are_ships_small(position, place, len(ships))
        draw = draw_small_ship if are_small else draw_ship
        spots = ship_spots(len(ships), small=are_small)
        for (seat, number), (dx, dy) in zip(ships, spots, strict=True):
            groups.append(draw(x + dx, y + dy, seat, number, active=seat == position.current_player))
    return tuple(groups)


def draw_ship_halos(position: Position, sea_map: SeaMap, changes: Changes) -> tuple[Group, ...]:
    """Draw a halo round the ships that the newest turn moved, loaded or unloaded; it lies below tokens."""
    groups: list[Group] = []
    for place, ships in ships_by_hex(position).items():
        x, y = sea_map.spot(place)
        are_small = _are_ships_small(position, place, len(ships))
        spots = ship_spots(len(ships), small=are_small)
        changed = [
            spot
            for ship, spot in zip(ships, spots, strict=True)
            if ship in changes.ships_with_changed_cargo or ship in changes.routes
        ]
        above, below, beside = _SMALL_HALO_REACH if are_small else _HALO_REACH
        for first, last in _neighbour_runs(changed, spots):
            width = last[0] - first[0] + 2 * beside
            groups.append(
                draw_box_halo(x + first[0] - beside, y + first[1] - above, width, above + below, 12)
            )
    return tuple(groups)


def _are_ships_small(position: Position, place: Hex, ship_count: int) -> bool:
    """Whether the ships of a tile are hulls without a sail, since much lies there."""
    return ship_count > 2 or len(position.tokens_on(place)) > _TOKENS_IN_ONE_ROW


def _neighbour_runs(
    changed: list[tuple[int, int]], spots: tuple[tuple[int, int], ...]
) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the first and last spot of each run of changed neighbours in a row: one halo surrounds them."""
    runs: list[tuple[tuple[int, int], tuple[int, int]]] = []
    for spot in changed:
        previous_index = spots.index(spot) - 1
        if (
            runs
            and previous_index >= 0
            and runs[-1][1] == spots[previous_index]
            and runs[-1][1][1] == spot[1]
        ):
            runs[-1] = (runs[-1][0], spot)
        else:
            runs.append((spot, spot))
    return runs


def draw_routes(position: Position, sea_map: SeaMap, changes: Changes) -> tuple[Group, ...]:
    """Draw the route of each ship that sailed in the newest turn, up to the ships on its last tile."""
    groups: list[Group] = []
    for route in changes.routes.values():
        spots = [sea_map.spot(place) for place in route]
        for segment_index, (start, end) in enumerate(pairwise(spots)):
            is_last = segment_index == len(spots) - 2
            gap = _route_gap(position, route[-1], (start[0] - end[0], start[1] - end[1])) if is_last else 0
            groups += draw_route((*start, *end), 0 if segment_index else 20, gap, ringed=not segment_index)
    return tuple(groups)


def _route_gap(position: Position, place: Hex, direction: tuple[int, int]) -> float:
    """Return how far from the middle of a tile a route from ``direction`` is clear of its ships' halos."""
    count = len(ships_by_hex(position).get(place, ()))
    are_small = _are_ships_small(position, place, count)
    above, below, beside = _SMALL_HALO_REACH if are_small else _HALO_REACH
    length = math.hypot(*direction)
    gap = 0.0
    for x, y in ship_spots(count, small=are_small):
        # Along each axis the line is within the halo between two distances from the middle of the tile.
        entry_distance, exit_distance = 0.0, length
        for step, low, high in (
            (direction[0] / length, x - beside - _HALO_WIDTH, x + beside + _HALO_WIDTH),
            (direction[1] / length, y - above - _HALO_WIDTH, y + below + _HALO_WIDTH),
        ):
            if step:
                near, far = sorted((low / step, high / step))
                entry_distance, exit_distance = max(entry_distance, near), min(exit_distance, far)
            elif not low < 0 < high:
                exit_distance = 0.0
        if entry_distance < exit_distance:
            gap = max(gap, exit_distance)
    return gap


@lru_cache(maxsize=64)
def draw_hex_choice_mark(sea_map: SeaMap, place: Hex) -> tuple[Group, ...]:
    """Draw a dashed outline inside a hex that can be chosen."""
    points = hex_outline(sea_map, place, 6)
    background = make_group_in_place((Polygon(points, None, WHITE, 8),))
    return (
        background,
        *(make_group_in_place((Line(dash, INK, 4.5),)) for dash in dash_outline(points, 13, 9)),
    )
