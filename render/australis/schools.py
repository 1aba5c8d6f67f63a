"""The schools of fish on a sea board: six, each of which needs more cubes and fish than the one before."""

from functools import lru_cache
from typing import Final

from render.australis.signs import (
    FISH,
    draw_food_cube,
    draw_missing_cube,
)
from render.glyphs import draw_glyph
from render.scene import (
    Anchor,
    Box,
    Colour,
    Disc,
    Group,
    Item,
    Text,
    Typeface,
    make_group,
)
from render.theme import (
    CONTOUR,
    DEEP_BLUE,
    EMPHASIS_LINE_WIDTH,
    HAIRLINE_WIDTH,
    INK,
    MARGIN,
    MUTED_INK,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WATER,
    WHITE,
)
from rules.australis.components import (
    SCHOOLS,
)

_SCHOOL_TOP: Final = 530
_SCHOOL_HEIGHT: Final = 182
_SCHOOL_LEFT: Final = 228
_SCHOOL_PITCH: Final = 156
_SCHOOL_WIDTH: Final = 146


@lru_cache(maxsize=1)
def draw_schools_background() -> Group:
    """Draw the water under the schools."""
    return make_group(
        MARGIN, _SCHOOL_TOP, (Box(0, 0, PICTURE_WIDTH - 2 * MARGIN, _SCHOOL_HEIGHT, 14, WATER),)
    )


def _best_school_number(fish: int, cube_count: int) -> int:
    """Return the number of the school that scores now, which is its number of cubes; 0: none."""
    scoring = [
        number for number, school in enumerate(SCHOOLS, 1) if number <= cube_count and school.fish <= fish
    ]
    return max(scoring, default=0)


@lru_cache(maxsize=128)
def draw_schools(fish: int, cube_count: int) -> tuple[Group, ...]:
    """Draw the six schools: the needs and points of each, and how far the seat's fish and cubes meet them."""
    best_number = _best_school_number(fish, cube_count)
    points = SCHOOLS[best_number - 1].points if best_number else 0
    y = _SCHOOL_TOP
    layers = [
        make_group(
            MARGIN,
            y + 52,
            (*draw_glyph(FISH, 62, 0, 84, INK, WATER), Text(116, 0, str(fish), 52, INK, 80, Typeface.BOLD)),
        ),
        make_group(MARGIN, y + 126, (*_points_disc(62, 0, points, 30), Text(106, 0, "now", 30, INK, 90))),
    ]
    previous_fish = 0
    for number, school in enumerate(SCHOOLS, 1):
        x = _SCHOOL_LEFT + _SCHOOL_PITCH * (number - 1)
        layers.append(
            _draw_school_cell(
                x,
                y + 10,
                school.fish,
                school.points,
                has_cube=number <= cube_count,
                has_enough_fish=school.fish <= fish,
                is_best=number == best_number,
            )
        )
        share = min(1.0, max(0.0, (fish - previous_fish) / (school.fish - previous_fish)))
        layers.append(_draw_progress_bar(x, y + 152, share))
        previous_fish = school.fish
    return tuple(layers)


def _points_disc(x: float, y: float, points: int, radius: float, *, muted: bool = False) -> tuple[Item, ...]:
    label = Text(x, y, str(points), radius * 1.3, WHITE, 2 * radius, Typeface.BOLD, Anchor.MIDDLE)
    return Disc(x, y, radius, SECONDARY_INK if muted else INK), label


@lru_cache(maxsize=64)
def _draw_school_cell(
    x: int, y: int, fish: int, points: int, *, has_cube: bool, has_enough_fish: bool, is_best: bool
) -> Group:
    fill, line_colour, line_width = (
        (WHITE, INK, EMPHASIS_LINE_WIDTH) if is_best else (None, CONTOUR, HAIRLINE_WIDTH)
    )
    background: Colour = WHITE if is_best else WATER
    sign_colour = INK if has_enough_fish else MUTED_INK
    return make_group(
        x,
        y,
        (
            Box(0, 0, _SCHOOL_WIDTH, 132, 12, fill, line_colour, line_width),
            *(draw_food_cube if has_cube else draw_missing_cube)(40, 40, 44),
            *_points_disc(102, 40, points, 26, muted=not is_best),
            *draw_glyph(FISH, 42, 98, 48, sign_colour, background),
            Text(78, 98, str(fish), 38, INK if has_enough_fish else SECONDARY_INK, 60, Typeface.BOLD),
        ),
    )


@lru_cache(maxsize=64)
def _draw_progress_bar(x: int, y: int, share: float) -> Group:
    items: list[Item] = [Box(0, 0, _SCHOOL_WIDTH, 18, 6, WHITE, CONTOUR, HAIRLINE_WIDTH)]
    if share > 0:
        items.append(Box(0, 0, max(12.0, round(_SCHOOL_WIDTH * share)), 18, 6, DEEP_BLUE))
    return make_group(x, y, tuple(items))
