"""The chart: reefs, the current with its spaces, food cubes and turtles."""

import math
from functools import lru_cache
from typing import Final

from render import parts
from render.australis.changes import Changes
from render.australis.dice import draw_die_items
from render.australis.layout import (
    CHART_BOX,
    REEF_NUMBERS,
    RIBBON_WIDTH,
    ROSE_RADIUS,
    ROSE_SPOT,
    SPACE_RADIUS,
    SPACE_SPOTS,
    bend_spots,
    reef_box,
    swims_right,
    track_path,
)
from render.australis.signs import CORAL, draw_food_cube, draw_number_pill, draw_rose, draw_turtle
from render.geometry import arc, path_length, rounded_rectangle, shorten, split_into_dashes, transform
from render.glyphs import draw_glyph
from render.routes import draw_route
from render.scene import Anchor, Box, Disc, Group, Item, Line, Polygon, Text, Typeface, make_group
from render.shapes import offset_path, ribbon, wavy_outline
from render.symbols import draw_seat_mark
from render.theme import (
    CARD,
    CONTOUR,
    HAIRLINE_WIDTH,
    INK,
    LAND,
    MAGENTA,
    NORMAL_LINE_WIDTH,
    SEAT_MARKS,
    WATER,
    WATER_MEDIUM,
    WATER_MEDIUM_LIGHT,
    WHITE,
)
from rules.australis.actions import TakeDie
from rules.australis.components import CUBE_SPACES, FACE_FACTS, GREY_SPACE, LAST_SPACE, Colour, Die
from rules.australis.forecast import forecast_die
from rules.australis.model import Position
from rules.model import Action, Seat

_TURTLE_HALO_RADIUS: Final = 45
"""Radius of the inner edge of a turtle's halo."""
_ROUTE_OFFSET: Final = 25
"""How far from the middle of the current a turtle's route is drawn, so that numbers can be read."""
_TARGET_DIE_SIZE: Final = 36
_TARGET_DROP: Final = 36
"""From the middle of a space down to the dice that lead there."""
_LAST_TARGET_DIE_X: Final = 18
"""From a space's middle to the last die's; right of that die, the number beside a turtle may stand."""
_MANY_TARGET_DICE: Final = 3
"""From this number of dice on, they lie close together."""
_FLOW_OFFSETS: Final = (-26, 26)
"""How far from the middle of the current its two dashed lines of flow run."""
_CUBE_RISE: Final = 69
"""From the middle of a space up to the middle of its cubes."""


@lru_cache(maxsize=1)
def draw_static_layers() -> tuple[Group, ...]:
    """Draw what never changes: water, the current with its spaces, the reefs without corals, a rose."""
    left, top, width, height = CHART_BOX
    path = track_path(0, LAST_SPACE)
    ends = tuple(
        Disc(x, y, RIBBON_WIDTH / 2, WATER_MEDIUM, CONTOUR, NORMAL_LINE_WIDTH)
        for x, y in (SPACE_SPOTS[0], SPACE_SPOTS[-1])
    )
    body = Polygon(ribbon(path, RIBBON_WIDTH - NORMAL_LINE_WIDTH), WATER_MEDIUM, CONTOUR, NORMAL_LINE_WIDTH)
    inside = tuple(
        Disc(x, y, RIBBON_WIDTH / 2 - NORMAL_LINE_WIDTH, WATER_MEDIUM)
        for x, y in (SPACE_SPOTS[0], SPACE_SPOTS[-1])
    )
    flow = (
        Line(dash, WATER_MEDIUM_LIGHT, 3)
        for offset in _FLOW_OFFSETS
        for dash in split_into_dashes(shorten(offset_path(path, offset), 4, 4), 46, 58)
    )
    return (
        make_group(left, top, (Box(0, 0, width, height, 14, WATER),)),
        make_group(0, 0, (*ends, body, *inside, *flow, *_chevron_items())),
        *(
            make_group(x, y, (Disc(0, 0, SPACE_RADIUS, WATER, CONTOUR, HAIRLINE_WIDTH),))
            for x, y in SPACE_SPOTS
        ),
        *(_draw_reef(reef) for reef in REEF_NUMBERS),
        draw_rose(*ROSE_SPOT, ROSE_RADIUS),
    )


def _chevron_items() -> tuple[Item, ...]:
    items: list[Item] = []
    for x, y in bend_spots():
        for shift in (-8, 8):
            chevron = transform((-13, -8, 0, 5, 13, -8), x, y + shift, 1)
            items.append(Line(chevron, CONTOUR, 5))
    return tuple(items)


def _draw_reef(reef: int) -> Group:
    left, top, width, height = reef_box(reef)
    inset = 6
    outline = wavy_outline(
        rounded_rectangle(inset, inset, width - 2 * inset, height - 2 * inset, 40), 3.5, 74
    )
    dots = tuple(Line(dash, CONTOUR, 4) for dash in split_into_dashes((*outline, *outline[:2]), 0.5, 9))
    return make_group(
        left,
        top,
        (
            Polygon(outline, LAND),
            *dots,
            Text(40, 50, str(reef), 54, INK, 60, Typeface.BOLD, Anchor.MIDDLE),
            *draw_glyph(CORAL, 40, 95, 38, CONTOUR, LAND),
        ),
    )


# Food cubes -------------------------------------------------------------------------------------------------


def draw_cubes(position: Position) -> tuple[Group, ...]:
    """Draw the food cubes above their spaces: a cube with the marks of its owners, or the grey cubes."""
    layers: list[Group] = []
    for space in CUBE_SPACES:
        owners = tuple(
            Seat(seat)
            for seat, board in enumerate(position.boards)
            if space in board.own_cube_spaces and not board.resigned
        )
        if owners:
            layers.append(_draw_cubes(space, owners, 1))
    if position.turtle_track_grey_cube_count:
        layers.append(_draw_cubes(GREY_SPACE, (), position.turtle_track_grey_cube_count))
    return tuple(layers)


@lru_cache(maxsize=64)
def _draw_cubes(space: int, owners: tuple[Seat, ...], cube_count: int) -> Group:
    x, y = SPACE_SPOTS[space]
    pitch = 34
    width = 14 + pitch * (cube_count + len(owners))
    left = -width / 2
    height = 40
    top = -_CUBE_RISE - height / 2
    items: list[Item] = [
        Box(left, top, width, height, height / 2, CARD, INK, NORMAL_LINE_WIDTH),
        Polygon((-8, top + height - 1, 8, top + height - 1, 0, top + height + 10), INK),
        Polygon((-5, top + height - 3, 5, top + height - 3, 0, top + height + 5), CARD),
    ]
    item_x = left + 7 + pitch / 2
    for _ in range(cube_count):
        items += draw_food_cube(item_x, -_CUBE_RISE, 27)
        item_x += pitch
    for seat in owners:
        drop = 2 if SEAT_MARKS[seat].shape == "triangle" else 0
        items += draw_seat_mark(seat, item_x, -_CUBE_RISE + drop, 12)
        item_x += pitch
    return make_group(x, y, tuple(items))


# Turtles ----------------------------------------------------------------------------------------------------


def draw_space_numbers(position: Position) -> tuple[Group, ...]:
    """Draw the numbers of the spaces on which there is no turtle."""
    turtle_spaces = {board.turtle_space for board in position.boards}
    return tuple(_draw_space_number(space) for space in range(len(SPACE_SPOTS)) if space not in turtle_spaces)


@lru_cache(maxsize=32)
def _draw_space_number(space: int) -> Group:
    label = Text(0, 0, str(space), 34, INK, 2 * SPACE_RADIUS, Typeface.BOLD, Anchor.MIDDLE)
    return make_group(*SPACE_SPOTS[space], (label,))


def draw_turtles(position: Position) -> tuple[Group, ...]:
    """Draw the turtles, and beside each turtle the number of its space, which the turtle hides."""
    layers: list[Group] = []
    for seat, board in enumerate(position.boards):
        if board.turtle_space is None:
            continue
        x, y = SPACE_SPOTS[board.turtle_space]
        layers.append(draw_turtle(x, y, seat, 1, 0 if swims_right(board.turtle_space) else 180))
        layers.append(draw_number_pill(x - 46, y + 36, str(board.turtle_space)))
    return tuple(layers)


def draw_targets(position: Position, choices: tuple[Action, ...]) -> tuple[Group, ...]:
    """Draw where the turtle of the seat to act would end with each blue die that it can take."""
    seat = position.to_act
    if seat is None or len(choices) < 2:
        return ()
    start = position.boards[seat].turtle_space
    dice = [choice.die for choice in choices if isinstance(choice, TakeDie)]
    targets: dict[int, list[Die]] = {}
    for die in dict.fromkeys(dice):
        if FACE_FACTS[die].colour is Colour.BLUE:
            targets.setdefault(forecast_die(position, seat, die).turtle_space, []).append(die)
    return tuple(
        _draw_target(space, tuple(target_dice)) for space, target_dice in targets.items() if space != start
    )


@lru_cache(maxsize=128)
def _draw_target(space: int, dice: tuple[Die, ...]) -> Group:
    """Draw a dashed ring round a space, and below it the dice that lead there."""
    x, y = SPACE_SPOTS[space]
    dashes = split_into_dashes(arc(0, 0, SPACE_RADIUS, 0, 360, 48), 13, 9)
    items: list[Item] = [Line(dash, INK, 4) for dash in dashes]
    pitch = _TARGET_DIE_SIZE + (5 if len(dice) < _MANY_TARGET_DICE else 1)
    first_x = _LAST_TARGET_DIE_X - pitch * (len(dice) - 1)
    for index, die in enumerate(dice):
        items += draw_die_items(first_x + pitch * index, _TARGET_DROP, _TARGET_DIE_SIZE, die)
    return make_group(x, y, tuple(items))


def draw_routes(position: Position, changes: Changes) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Draw how turtles swam: marks of start and end, to lie below turtles, and routes, to lie above them."""
    below: list[Group] = []
    above: list[Group] = []
    for seat, (start, end) in changes.turtle_moves.items():
        if position.boards[seat].turtle_space != end:
            continue
        below += _draw_route_ends(start, end)
        above += _draw_route(start, end)
    return tuple(below), tuple(above)


@lru_cache(maxsize=64)
def _draw_route_ends(start: int, end: int) -> tuple[Group, ...]:
    ring = (Disc(0, 0, SPACE_RADIUS + 7, WHITE), Disc(0, 0, SPACE_RADIUS + 4, WATER, MAGENTA, 5))
    return make_group(*SPACE_SPOTS[start], ring), parts.draw_disc_halo(*SPACE_SPOTS[end], _TURTLE_HALO_RADIUS)


@lru_cache(maxsize=128)
def _draw_route(start: int, end: int) -> tuple[Group, ...]:
    path = offset_path(track_path(start, end), -_ROUTE_OFFSET)
    free_length = math.sqrt(max(0.0, (SPACE_RADIUS + 4) ** 2 - _ROUTE_OFFSET**2)) + 4
    if path_length(path) < 2 * free_length + 30:
        return ()
    return draw_route(shorten(path, free_length, free_length + 20), 0.0, 0.0, ringed=False)
