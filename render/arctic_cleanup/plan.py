"""The picture for planning: the dice of both ships, and the routes that the ships would sail with them."""

from functools import lru_cache
from itertools import pairwise
from typing import Final

from render import parts
from render.arctic_cleanup import sea
from render.arctic_cleanup.board import draw_title, draw_token_legend
from render.arctic_cleanup.changes import Changes, collect_changes
from render.arctic_cleanup.layout import PLAN_MAP, border_spots, hex_outline, ship_spots
from render.arctic_cleanup.palette import PALETTE
from render.arctic_cleanup.pieces import draw_die, draw_planned_ship, draw_rose_numbers, draw_ship, draw_token
from render.picture import PictureContext
from render.routes import DASHED, DOTTED, draw_planned_route
from render.scene import (
    Anchor,
    Box,
    Disc,
    Group,
    Item,
    Layer,
    Line,
    Polygon,
    Scene,
    Text,
    Typeface,
    make_group,
    make_group_in_place,
)
from render.symbols import draw_compass_rose
from render.text_fit import fit_text_and_width
from render.theme import (
    BODY_SIZE,
    CARD,
    GAP,
    HAIRLINE_COLOUR,
    INK,
    LEGEND_SIZE,
    MARGIN,
    MIN_BOARD_HEIGHT,
    NORMAL_LINE_WIDTH,
    PANEL,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WHITE,
)
from rules.arctic_cleanup.actions import BringDie, EndTurn, RotateDie, ShiftDie
from rules.arctic_cleanup.components import SHIP_CAPACITY, SHIPS, Hex
from rules.arctic_cleanup.model import ArcticCleanUpView, PlayerBoard, Position
from rules.arctic_cleanup.sea_routes import PlannedRoute, planned_route
from rules.model import Action, Seat

_ROW_TOP: Final = 102
_ROW_HEIGHT: Final = 98
_ROW_WIDTH: Final = (PICTURE_WIDTH - 2 * MARGIN - GAP) // 2
_TOKEN_LEGEND_Y: Final = 1160
_ROUTE_PATTERNS: Final = {1: DASHED, 2: DOTTED}
"""The pattern of each ship's route."""


def plan_picture_helps_to_choose(view: ArcticCleanUpView, choices: tuple[Action, ...]) -> bool:
    """Whether some choices change planned dice, and the others only end the turn."""
    planning_actions = (RotateDie, ShiftDie, BringDie)
    return any(isinstance(choice, planning_actions) for choice in choices) and all(
        isinstance(choice, (*planning_actions, EndTurn)) for choice in choices
    )


def draw_plan(view: ArcticCleanUpView, context: PictureContext) -> Scene:
    """Draw the map with the routes that the viewer's ships would sail with their planned dice."""
    position, caption = view.position, context.caption
    seat = view.viewer if view.viewer is not None else position.current_player
    changes = collect_changes(context.recent_events)
    routes: dict[int, PlannedRoute] = {}
    if seat is not None:
        board = position.boards[seat]
        for ship in SHIPS:
            place = board.ships[ship - 1]
            if place is not None:
                routes[ship] = planned_route(len(position.boards), place, board.rows[ship - 1])
    layers = parts.join_layers(
        draw_title(position, caption),
        () if seat is None else _draw_rows(position.boards[seat], seat, routes, changes),
        sea.draw_factories(position, PLAN_MAP, Changes()),
        *(_draw_route(ship, route) for ship, route in routes.items()),
        () if seat is None else _draw_route_ends(position, seat, routes),
        sea.draw_ships(position, PLAN_MAP),
        sea.draw_tokens(position, PLAN_MAP, Changes()),
        _draw_border_numbers(routes),
        () if seat is None else _draw_spare_dice_and_cargo(position.boards[seat]),
    )
    static_layers = _draw_static_layers(len(position.boards))
    return Scene(PICTURE_WIDTH, MIN_BOARD_HEIGHT, PAPER, layers, static_layers, PALETTE)


@lru_cache(maxsize=4)
def _draw_static_layers(seat_count: int) -> tuple[Layer, ...]:
    x, y = 130, 322
    return parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, MIN_BOARD_HEIGHT),
        sea.draw_static_layers(PLAN_MAP, seat_count),
        make_group(x, y, draw_compass_rose(0, 0, 52, (-90.0, 90.0))),
        draw_rose_numbers(x, y, 80),
        draw_token_legend(_TOKEN_LEGEND_Y),
        _draw_route_legend(),
    )


def _draw_route_legend() -> tuple[Group, ...]:
    """Draw what the signs of routes mean, one below the other, at the lower left of the map."""
    left, top, pitch = 62, 1000, 48
    tile = Polygon((-13.0, -23.0, 13.0, -23.0, 26.0, 0.0, 13.0, 23.0, -13.0, 23.0, -26.0, 0.0), None, INK, 4)
    hull = Polygon((-16.0, -11.0, 16.0, -11.0, 12.0, 12.0, -12.0, 12.0), PANEL, INK, 2)
    entries: tuple[tuple[tuple[Item, ...], str], ...] = (
        (draw_die(0, 0, 44, 1, crossed_out=True), "no way for it yet"),
        ((Disc(0, 0, 18, WHITE, INK, NORMAL_LINE_WIDTH), _number_text("n")), "die for this step"),
        ((tile, hull, _number_text("n")), "where a route ends"),
    )
    return tuple(
        make_group(left, top + pitch * index, (*sign, fit_text_and_width(_legend_text(text))))
        for index, (sign, text) in enumerate(entries)
    )


def _legend_text(text: str) -> Text:
    return Text(36, 0, text, LEGEND_SIZE, SECONDARY_INK, 250)


# Rows of dice -------------------------------------------------------------------------------------------


def _draw_rows(
    board: PlayerBoard, seat: Seat, routes: dict[int, PlannedRoute], changes: Changes
) -> tuple[Group, ...]:
    groups: list[Group] = []
    for ship in SHIPS:
        left = MARGIN + (ship - 1) * (_ROW_WIDTH + GAP)
        route = routes.get(ship)
        used_faces = route.used_faces if route is not None else ()
        unused_faces = route.unused_faces if route is not None else board.rows[ship - 1]
        groups += _draw_row(left, seat, ship, used_faces, unused_faces)
        if (seat, ship) in changes.rows_with_changed_dice:
            groups.append(parts.draw_box_halo(left, _ROW_TOP, _ROW_WIDTH, _ROW_HEIGHT, 14))
    return tuple(groups)


@lru_cache(maxsize=128)
def _draw_row(
    left: int, seat: Seat, ship: int, used_faces: tuple[int, ...], unused_faces: tuple[int, ...]
) -> tuple[Group, ...]:
    """Draw a ship and its dice in the order of use; dice that cannot be used are crossed out."""
    box = Box(0, 0, _ROW_WIDTH, _ROW_HEIGHT, 14, CARD, INK, NORMAL_LINE_WIDTH)
    count = len(used_faces) + len(unused_faces)
    pitch = min(70.0, (_ROW_WIDTH - 190) / max(1, count))
    size = min(62.0, pitch - 6)
    items: list[Item] = []
    for index, face in enumerate((*used_faces, *unused_faces)):
        items += draw_die(
            178 + pitch * index, _ROW_HEIGHT / 2, size, face, crossed_out=index >= len(used_faces)
        )
    if not count:
        items.append(
            Text(160, _ROW_HEIGHT / 2, "no dice planned", BODY_SIZE, SECONDARY_INK, 300, Typeface.ITALIC)
        )
    items.append(Line((96.0, _ROW_HEIGHT / 2, 134.0, _ROW_HEIGHT / 2), INK, 6, _ROUTE_PATTERNS[ship]))
    return (
        make_group(left, _ROW_TOP, (box,)),
        make_group(left, _ROW_TOP, tuple(items)),
        draw_ship(left + 52, _ROW_TOP + 42, seat, ship),
    )


# Routes -------------------------------------------------------------------------------------------------


def _draw_route(ship: int, route: PlannedRoute) -> tuple[Group, ...]:
    spots = [PLAN_MAP.spot(tile) for tile in route.tiles]
    segments = tuple((float(ax), float(ay), float(bx), float(by)) for (ax, ay), (bx, by) in pairwise(spots))
    return draw_planned_route(segments, _ROUTE_PATTERNS[ship]) if segments else ()


def _draw_route_ends(position: Position, seat: Seat, routes: dict[int, PlannedRoute]) -> tuple[Group, ...]:
    """Draw an outline round the tile where each route ends, and a pale ship unless a ship is there."""
    ends: dict[Hex, list[int]] = {}
    for ship, route in routes.items():
        if route.used_faces:
            ends.setdefault(route.end, []).append(ship)
    occupied = sea.ships_by_hex(position)
    groups: list[Group] = []
    for place, ships in ends.items():
        groups.append(make_group_in_place((Polygon(hex_outline(PLAN_MAP, place, 4), None, INK, 4),)))
        if place in occupied:
            continue
        x, y = PLAN_MAP.spot(place)
        for ship, (dx, dy) in zip(ships, ship_spots(len(ships)), strict=True):
            groups.append(draw_planned_ship(x + dx, y + dy - 18, seat, ship))
    return tuple(groups)


def _draw_border_numbers(routes: dict[int, PlannedRoute]) -> tuple[Group, ...]:
    """Draw the number of each die on the border that it crosses, side by side in the order of use."""
    borders: dict[tuple[Hex, Hex], list[int]] = {}
    for route in routes.values():
        for (start, end), face in zip(pairwise(route.tiles), route.used_faces, strict=True):
            border = (start, end) if (end, start) not in borders else (end, start)
            borders.setdefault(border, []).append(face)
    return tuple(
        _draw_number(*spot, face)
        for (start, end), faces in borders.items()
        for spot, face in zip(border_spots(PLAN_MAP, start, end, len(faces)), faces, strict=True)
    )


@lru_cache(maxsize=64)
def _draw_number(x: int, y: int, face: int) -> Group:
    return make_group(x, y, (Disc(0, 0, 18, WHITE, INK, NORMAL_LINE_WIDTH), _number_text(str(face))))


def _number_text(text: str) -> Text:
    return Text(0, 0, text, 27, INK, 30, Typeface.BOLD, Anchor.MIDDLE)


# Spare dice and cargo -----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _draw_spare_dice_and_cargo(board: PlayerBoard) -> tuple[Group, ...]:
    x, y = 952, 236
    spare_box = parts.draw_panel_box(x, y, 220, 92, highlighted=False)
    label = fit_text_and_width(Text(20, 46, "beside", BODY_SIZE, SECONDARY_INK, 110))
    number = fit_text_and_width(Text(118, 46, f"{board.spare_die_count} \u00d7", 34, INK, 60, Typeface.BOLD))
    die = Box(166, 25, 42, 42, 7, WHITE, INK, NORMAL_LINE_WIDTH)
    cargo_y = 1000
    cargo_box = parts.draw_panel_box(x, cargo_y, 220, 96, highlighted=False)
    items: list[Item] = []
    for ship in SHIPS:
        middle = 28 + 40 * (ship - 1)
        items.append(Text(18, middle, str(ship), 27, INK, 24, Typeface.BOLD, Anchor.MIDDLE))
        cargo = board.cargo[ship - 1]
        for index in range(SHIP_CAPACITY):
            spot = (56 + 42 * index, middle)
            if index < len(cargo):
                items += draw_token(*spot, 32, cargo[index])
            else:
                items.append(Box(spot[0] - 16, middle - 16, 32, 32, 6, CARD, HAIRLINE_COLOUR, 2))
    return spare_box, make_group(x, y, (label, number, die)), cargo_box, make_group(x, cargo_y, tuple(items))
