"""Who has how many corals on each reef, and what that brings."""

from functools import lru_cache
from typing import Final

from render import parts
from render.australis.changes import Changes
from render.australis.layout import RANK_BOX_HEIGHT, RANK_BOX_WIDTH, REEF_NUMBERS, rank_box, reef_index
from render.scene import Anchor, Box, Disc, Group, Item, Text, Typeface, make_group
from render.symbols import draw_seat_mark
from render.theme import (
    CARD,
    HAIRLINE_COLOUR,
    HAIRLINE_WIDTH,
    INK,
    NORMAL_LINE_WIDTH,
    SECONDARY_INK,
    VALUE_SIZE,
    WHITE,
)
from rules.australis.components import REEFS
from rules.australis.model import Position
from rules.australis.scoring import reef_ranking
from rules.model import Seat

_POINTS_OFFSET_Y: Final = -34
_COUNT_OFFSET_Y: Final = 37
_RANK_BOX_RADIUS: Final = 10


def draw_rank_boxes(position: Position, changes: Changes) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Draw halos where numbers of corals changed, and the boxes of each reef's ranks, most corals first."""
    halos: list[Group] = []
    rank_boxes: list[Group] = []
    for reef in REEF_NUMBERS:
        points = REEFS[reef].first_place_points, REEFS[reef].second_place_points
        owners = reef_ranking(position.boards, reef)
        for rank_index in range(max(len(owners), 2 if points[1] else 1)):
            box = rank_box(reef, rank_index)
            seat = owners[rank_index] if rank_index < len(owners) else None
            count = 0 if seat is None else position.boards[seat].coral_counts[reef_index(reef)]
            rank_boxes.append(
                _draw_rank_box(
                    box[0], box[1], rank_index, points[rank_index] if rank_index < 2 else 0, seat, count
                )
            )
            if (seat, reef) in changes.changed_coral_counts:
                halos.append(parts.draw_box_halo(*box, _RANK_BOX_RADIUS))
    return tuple(halos), tuple(rank_boxes)


@lru_cache(maxsize=512)
def _draw_rank_box(x: int, y: int, rank_index: int, points: int, seat: Seat | None, count: int) -> Group:
    """Draw a rank on a reef: its points, and who holds it with how many corals."""
    middle_x = RANK_BOX_WIDTH / 2
    middle_y = RANK_BOX_HEIGHT / 2
    items: list[Item] = []
    if points:
        line = (INK, NORMAL_LINE_WIDTH) if rank_index == 0 else (INK, HAIRLINE_WIDTH)
        fill = (WHITE if rank_index == 0 else CARD) if seat is not None else None
        outline = line if seat is not None else (HAIRLINE_COLOUR, HAIRLINE_WIDTH)
        items.append(Box(0, 0, RANK_BOX_WIDTH, RANK_BOX_HEIGHT, _RANK_BOX_RADIUS, fill, *outline))
        items.append(
            Disc(middle_x, middle_y + _POINTS_OFFSET_Y, 17, INK if seat is not None else SECONDARY_INK)
        )
        label = Text(
            middle_x, middle_y + _POINTS_OFFSET_Y, str(points), 28, WHITE, 34, Typeface.BOLD, Anchor.MIDDLE
        )
        items.append(label)
    if seat is not None:
        items += draw_seat_mark(seat, middle_x, middle_y + 3, 14, show_letter=False)
        number = Text(
            middle_x,
            middle_y + _COUNT_OFFSET_Y,
            str(count),
            VALUE_SIZE - 4,
            INK,
            RANK_BOX_WIDTH,
            Typeface.BOLD,
            Anchor.MIDDLE,
        )
        items.append(number)
    return make_group(x, y, tuple(items))
