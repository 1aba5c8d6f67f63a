"""The result of a competition: first and second place with their tiles."""

from functools import lru_cache
from typing import Final

from render import parts
from render.australis.cards import draw_tile
from render.australis.layout import TILE_HEIGHT, TILE_WIDTH
from render.australis.signs import draw_food_cube, draw_rose
from render.choice_marks import differing_values, draw_choice_mark
from render.glyphs import draw_glyph
from render.picture import PictureContext
from render.scene import Anchor, Group, Layer, Text, Typeface, make_group
from render.sea_glyphs import TURTLE
from render.symbols import draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    BODY_SIZE,
    INK,
    NAME_SIZE,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WHITE,
)
from rules.australis.components import (
    LAST_ROUND_WITH_CUBE,
    OTHER_TILE,
    TILE_POINTS,
    TileColour,
)
from rules.australis.model import Competition, Position
from rules.model import Seat

BAR_HEIGHT: Final = 84
_GAP: Final = 16
_MIN_ROSE_HEIGHT: Final = 140
"""Empty space of at least this height is filled with a compass rose."""


def draw_results(
    top: int, bottom: int, position: Position, competition: Competition, context: PictureContext
) -> list[Layer]:
    """Draw first and second place from ``top`` on, and a compass rose if there is room down to ``bottom``."""
    if not competition.is_over:
        return []
    width = 564 if competition.second is not None else 700
    seats = [seat for seat in (competition.first, competition.second) if seat is not None]
    left = (PICTURE_WIDTH - width * len(seats) - _GAP * (len(seats) - 1)) // 2
    tied = tied_seats(competition)
    layers: list[Layer] = []
    free_height = bottom - (top + BAR_HEIGHT)
    if free_height >= _MIN_ROSE_HEIGHT:
        layers.append(
            draw_rose(
                PICTURE_WIDTH // 2, top + BAR_HEIGHT + free_height // 2, min(104, free_height // 2 - 20)
            )
        )
    for place, seat in enumerate(seats, 1):
        x = left + (place - 1) * (width + _GAP)
        turtle_text = _turtle_text(position, competition, seat) if seat in tied else None
        tiles_width = 316 if competition.chosen is None and place == 1 else 220
        layers += _draw_bar(
            x, top, (width, tiles_width), place, seat, context.caption.seat_name(seat), turtle_text
        )
        layers += _draw_tiles(x + width - 20, top, place, competition, context)
    return layers


def _turtle_text(position: Position, competition: Competition, seat: Seat) -> str:
    """Return the space of a turtle that decided; empty in later rounds, as it has swum on by then."""
    turtle = position.boards[seat].turtle_space
    return "" if turtle is None or position.round != competition.round else str(turtle)


def tied_seats(competition: Competition) -> frozenset[Seat]:
    """Return the seats that the last roll eliminated, if more than one: turtles decided their order."""
    if not competition.rolls:
        return frozenset()
    last_roll = competition.rolls[-1]
    eliminated_seats = {die.seat for die in last_roll} - {die.seat for die in last_roll if not die.is_removed}
    return frozenset(eliminated_seats) if len(eliminated_seats) > 1 else frozenset()


@lru_cache(maxsize=64)
def _draw_bar(
    x: int, y: int, widths: tuple[int, int], place: int, seat: int, name: str, turtle_text: str | None
) -> tuple[Group, ...]:
    """Draw who was first or second.

    ``widths``: of the bar, and of what stands at its right.  ``turtle_text``: the text beside the sign of a
    turtle that decided, below the name; None: no turtle did.
    """
    width, tiles_width = widths
    middle = y + BAR_HEIGHT // 2
    max_width = width - 128 - tiles_width
    name_y = middle if turtle_text is None else middle - 18
    label = fit_text_and_width(Text(0, 0, name, NAME_SIZE, INK, max_width, Typeface.BOLD, min_size=26))
    layers = [
        parts.draw_panel_box(x, y, width, BAR_HEIGHT, highlighted=place == 1),
        make_group(x + 34, middle, (Text(0, 0, str(place), 46, INK, 40, Typeface.SERIF, Anchor.MIDDLE),)),
        make_group(x + 90, middle, draw_seat_mark(seat, 0, 0, 25)),
        make_group(x + 128, name_y, (label,)),
    ]
    if turtle_text is not None:
        sign = draw_glyph(TURTLE, 0, 0, 36, INK, WHITE)
        number = (Text(22, 0, turtle_text, 28, INK, 44, Typeface.BOLD),) if turtle_text else ()
        layers.append(make_group(x + 146, middle + 21, (*sign, *number)))
    return tuple(layers)


def _draw_tiles(
    right: int, top: int, place: int, competition: Competition, context: PictureContext
) -> list[Group]:
    """Draw the tile that a place brings, or those between which the winner chooses."""
    chosen = competition.chosen
    colours: tuple[TileColour, ...] = ()
    if chosen is not None:
        colours = (chosen if place == 1 else OTHER_TILE[chosen],)
    elif place == 1:
        colours = tuple(TileColour)
    y = top + (BAR_HEIGHT - TILE_HEIGHT) // 2
    layers: list[Group] = []
    choosable = differing_values(context.choices, "tile")
    tile_right = right
    for colour in reversed(colours):
        has_cube = colour is TileColour.SILVER and competition.round <= LAST_ROUND_WITH_CUBE
        if has_cube:
            layers.append(make_group(tile_right - 20, top + BAR_HEIGHT // 2, draw_food_cube(0, 0, 36)))
            tile_right -= 48
        x = tile_right - TILE_WIDTH
        layers.append(draw_tile(x, y, colour, TILE_POINTS[colour][competition.round - 1]))
        if colour in choosable:
            layers.append(draw_choice_mark(x + 2, y + 2, TILE_WIDTH - 4, TILE_HEIGHT - 4, 9))
        tile_right = x - 24
    if not colours:
        layers.append(draw_note(right - 100, top + BAR_HEIGHT // 2, "the other tile", 220))
    return layers


@lru_cache(maxsize=128)
def draw_note(x: int, y: int, text: str, max_width: int) -> Group:
    """Draw a remark, centred on (x, y)."""
    label = Text(0, 0, text, BODY_SIZE, SECONDARY_INK, max_width, Typeface.ITALIC, Anchor.MIDDLE)
    return make_group(x, y, (fit_text_and_width(label),))
