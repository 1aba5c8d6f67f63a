"""Where everything lies on the board of Australis, in pixels of the finished picture."""

from functools import lru_cache
from typing import Final

from render.geometry import arc
from render.pieces import DIE_DEPTH
from render.scene import Points
from render.theme import MARGIN
from rules.australis.components import REEFS, Colour

BOARD_HEIGHT: Final = 1332
LEGEND_ROW_MIDDLES: Final = (1253, 1293)
"""The middle of each row of the legend."""
SEAT_PANEL_HEIGHT: Final = 262

CHART_BOX: Final = (MARGIN, 376, 768, 844)
"""Left, top, width and height of the chart."""
_ROW_PITCH: Final = 140
_FIRST_ROW_MIDDLE: Final = 448
RIBBON_WIDTH: Final = 84
SPACE_RADIUS: Final = 34
_BEND_RADIUS: Final = _ROW_PITCH / 2
_RIGHT_BEND_X: Final = 672
_LEFT_BEND_X: Final = 440
_FIRST_ROW_XS: Final = (372, 470, 568, 666)
_LATER_ROW_XS: Final = (446, 556, 666)
"""The x of each space of the first row, and of each later row, from the left."""

ROSE_SPOT: Final = (357, 537)
"""The compass rose lies where no turtle swims: below space 0, outside the first bend to the left."""
ROSE_RADIUS: Final = 30

_REEF_LEFT: Final = 40
_REEF_WIDTH: Final = 282
_REEF_HEIGHT: Final = 134
REEF_NUMBERS: Final = tuple(REEFS)
RANK_BOX_WIDTH: Final = 48
RANK_BOX_HEIGHT: Final = 112
_RANK_BOX_LEFT: Final = 112
_RANK_BOX_PITCH: Final = 52

RIGHT_COLUMN_LEFT: Final = 812
RIGHT_COLUMN_WIDTH: Final = 360
DIE_SIZE: Final = 58
DIE_HEIGHT: Final = DIE_SIZE + round(DIE_SIZE * DIE_DEPTH)
"""Height of a die with its side, which is visible below."""
_DIE_LEFT: Final = 872
_DIE_COLUMN_PITCH: Final = 77
_FIRST_DIE_ROW_MIDDLE: Final = 412
_DIE_ROW_PITCH: Final = 75
DIE_ROW_COLOURS: Final = tuple(Colour)
"""The colour of each row of dice, from the top."""

TILES_BOX_TOP: Final = 764
TILES_BOX_HEIGHT: Final = 124
TILE_WIDTH: Final = 102
TILE_HEIGHT: Final = 62
CARDS_TITLE_MIDDLE: Final = 922
"""The middle of the line above the cards."""
CARD_WIDTH: Final = 106
CARD_HEIGHT: Final = 126
_CARD_GAP: Final = 21
_CARDS_TOP: Final = 947

Spot = tuple[int, int]


def _row_middle(row: int) -> int:
    """Return the y of a row's middle; rows count from 0, and each holds a reef and its spaces."""
    return _FIRST_ROW_MIDDLE + _ROW_PITCH * row


def _row_spots(row: int) -> tuple[Spot, ...]:
    xs = _LATER_ROW_XS if row else _FIRST_ROW_XS
    return tuple((x, _row_middle(row)) for x in (reversed(xs) if row % 2 else xs))


SPACE_SPOTS: Final = tuple(spot for row in range(len(REEFS)) for spot in _row_spots(row))
"""The middles of the spaces, from 0 to the last one."""


def row_of_space(space: int) -> int:
    """Return the row in which a space lies."""
    return (SPACE_SPOTS[space][1] - _FIRST_ROW_MIDDLE) // _ROW_PITCH


def swims_right(space: int) -> bool:
    """Whether turtles swim to the right on a space."""
    return row_of_space(space) % 2 == 0


def _path_to_next(space: int) -> Points:
    """Return the path from a space to the next one, without its first point."""
    y = SPACE_SPOTS[space][1]
    next_x, next_y = SPACE_SPOTS[space + 1]
    if y == next_y:
        return next_x, next_y
    middle = (y + next_y) / 2
    if swims_right(space):
        bend = arc(_RIGHT_BEND_X, middle, _BEND_RADIUS, -90, 90)
    else:
        bend = arc(_LEFT_BEND_X, middle, _BEND_RADIUS, -90, -270)
    return *bend, next_x, next_y


@lru_cache(maxsize=128)
def track_path(start: int, end: int) -> Points:
    """Return the middle line of the current from one space to a later one."""
    points: list[float] = [*SPACE_SPOTS[start]]
    for space in range(start, end):
        points += _path_to_next(space)
    return tuple(points)


def bend_spots() -> tuple[tuple[int, int], ...]:
    """Return the outermost point of each bend, first to last."""
    return tuple(
        (
            round(_RIGHT_BEND_X + _BEND_RADIUS if row % 2 == 0 else _LEFT_BEND_X - _BEND_RADIUS),
            _row_middle(row) + _ROW_PITCH // 2,
        )
        for row in range(len(REEFS) - 1)
    )


def reef_index(reef: int) -> int:
    """Return the index of a reef: its row in the picture and its place in ``SeaBoard.coral_counts``."""
    return REEF_NUMBERS.index(reef)


def reef_box(reef: int) -> tuple[int, int, int, int]:
    """Return left, top, width and height of a reef."""
    return _REEF_LEFT, _row_middle(reef_index(reef)) - _REEF_HEIGHT // 2, _REEF_WIDTH, _REEF_HEIGHT


def rank_box(reef: int, rank_index: int) -> tuple[int, int, int, int]:
    """Return left, top, width and height of the box of a rank on a reef; index 0 is the first rank."""
    top = _row_middle(reef_index(reef)) - RANK_BOX_HEIGHT // 2
    return _RANK_BOX_LEFT + _RANK_BOX_PITCH * rank_index, top, RANK_BOX_WIDTH, RANK_BOX_HEIGHT


def die_row_middle(colour: Colour) -> int:
    """Return the y of the middle of a colour's row of dice."""
    return _FIRST_DIE_ROW_MIDDLE + _DIE_ROW_PITCH * DIE_ROW_COLOURS.index(colour)


def die_spot(colour: Colour, index: int) -> Spot:
    """Return the middle of a place for a die on the board; indexes count from 0."""
    return _DIE_LEFT + DIE_SIZE // 2 + _DIE_COLUMN_PITCH * index, die_row_middle(colour)


def card_corner(index: int) -> Spot:
    """Return the upper left corner of a card of the display, from 0: two rows of three."""
    row, column = divmod(index, 3)
    return RIGHT_COLUMN_LEFT + (CARD_WIDTH + _CARD_GAP) * column, _CARDS_TOP + (CARD_HEIGHT + _CARD_GAP) * row


def tile_corner(index: int) -> Spot:
    """Return the upper left corner of a competition tile: 0 is gold, 1 silver."""
    return RIGHT_COLUMN_LEFT + 22 + (TILE_WIDTH + 22) * index, TILES_BOX_TOP + 50
