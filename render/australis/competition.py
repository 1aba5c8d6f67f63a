"""A competition as a picture: roll by roll, who lost which dice, and who won what."""

from collections import Counter
from functools import lru_cache
from typing import Final

import msgspec

from render import parts
from render.australis.cards import draw_tile
from render.australis.dice import draw_rolled_die, draw_unrolled_die
from render.australis.layout import TILE_HEIGHT, TILE_WIDTH
from render.australis.palette import DIE_COLOURS, PALETTE
from render.australis.results import draw_note, draw_results, tied_seats
from render.australis.signs import draw_food_cube, draw_rose
from render.caption import Caption
from render.choice_marks import CHOICE_LEGEND_ENTRY, differing_values
from render.glyphs import draw_glyph
from render.legend import LegendEntry, draw_legend
from render.picture import PictureContext
from render.scene import Anchor, Box, Group, Item, Layer, Scene, Text, Typeface, make_group
from render.sea_glyphs import TURTLE
from render.symbols import draw_arrow, draw_seat_mark
from render.text_fit import fit_text_and_width
from render.theme import (
    EMPHASIS_LINE_WIDTH,
    INK,
    KEY_NUMBER_SIZE,
    NAME_SIZE,
    NORMAL_LINE_WIDTH,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    SMALL_PICTURE_HEIGHT,
    WATER,
    WHITE,
)
from rules.australis.components import (
    CARD_FACTS,
    DICE_PER_PLAYER,
    FACE_FACTS,
    LAST_ROUND_WITH_CUBE,
    NUMBER_DIE_VALUES,
    ROUND_COUNT,
    TILE_POINTS,
    CardFunction,
    Colour,
    TileColour,
)
from rules.australis.events import CompetitionRolled
from rules.australis.model import AustralisView, Competition, CompetitionDie, Phase, Position
from rules.model import Event, Seat

_HEAD_TOP: Final = 106
_HEAD_HEIGHT: Final = 88
_ROWS_TOP: Final = 204
_ROWS_HEIGHT: Final = 536
_MAX_ROW_HEIGHT: Final = 124
_GAP: Final = 10
_MAX_COLUMN_WIDTH: Final = 400
_MAX_DIE_SIZE: Final = 78
_DIE_SHARE: Final = 0.63
"""Size of a die as a share of its row's height; smaller if a seat has many dice."""
_LABEL_WIDTH: Final = 60
_LOWEST_VALUE_WIDTH: Final = 104
_LEGEND_Y: Final = 868


class _Grid(msgspec.Struct, frozen=True):
    """Where columns and rows lie."""

    left: int
    column_width: int
    row_height: int
    row_count: int
    die_size: int
    """Size of a die, the same in all columns."""

    def column_left(self, index: int) -> int:
        return self.left + index * (self.column_width + _GAP)

    def row_top(self, index: int) -> int:
        return _ROWS_TOP + index * self.row_height

    @property
    def bottom(self) -> int:
        return self.row_top(self.row_count)


def _arrange_grid(seat_count: int, row_count: int, max_dice: int) -> _Grid:
    """Arrange columns and rows; ``max_dice``: the most dice that one seat has."""
    available_width = PICTURE_WIDTH - 2 * 24 - _LABEL_WIDTH - _LOWEST_VALUE_WIDTH
    column_width = min(_MAX_COLUMN_WIDTH, (available_width - _GAP * (seat_count - 1)) // max(1, seat_count))
    used_width = column_width * seat_count + _GAP * (seat_count - 1)
    left = 24 + _LABEL_WIDTH + (available_width - used_width) // 2
    row_height = min(_MAX_ROW_HEIGHT, _ROWS_HEIGHT // max(1, row_count))
    die_size = min(round(row_height * _DIE_SHARE), _MAX_DIE_SIZE, (column_width - 14) // max(1, max_dice) - 6)
    return _Grid(left, column_width, row_height, row_count, die_size)


def draw_competition(view: AustralisView, context: PictureContext) -> Scene:
    """Draw the running or the last competition; before the first one, the dice that seats have for it."""
    position, caption = view.position, context.caption
    competition = position.competition
    if competition is None:
        content = _draw_dice_so_far(position, caption)
    else:
        content = _draw_rolls(position, competition, caption, context)
    has_choices = bool(differing_values(context.choices, "tile"))
    layers = parts.join_layers(
        _draw_title(position, competition, caption),
        content,
        draw_legend(legend_entries(position, competition, has_choices=has_choices), PICTURE_WIDTH, _LEGEND_Y),
    )
    frame = parts.draw_frame(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT)
    return Scene(PICTURE_WIDTH, SMALL_PICTURE_HEIGHT, PAPER, layers, frame, PALETTE)


def reports_competition(view: AustralisView, recent_events: tuple[Event, ...]) -> bool:
    """Whether dice were rolled for a competition in these events."""
    return any(isinstance(event, CompetitionRolled) for event in recent_events)


def _draw_title(position: Position, competition: Competition | None, caption: Caption) -> tuple[Layer, ...]:
    round_number = competition.round if competition is not None else max(1, position.round)
    note = caption.note_with_game("Australis", f"round {round_number} of {ROUND_COUNT}")
    seat = None if competition is None else competition.first
    pill_text, suffix = ("At the end of the round", "") if competition is None else ("Nobody wins", "")
    if competition is not None and not competition.is_over:
        pill_text = "Rolling"
    if seat is not None:
        pill_text, suffix = caption.seat_name(seat), " wins"
        if position.phase is Phase.TILE:
            suffix = " to choose a tile"
    return parts.draw_title_bar(PICTURE_WIDTH, "Competition", note, pill_text, suffix, seat)


# Columns and rolls ------------------------------------------------------------------------------------------


def _draw_rolls(
    position: Position, competition: Competition, caption: Caption, context: PictureContext
) -> tuple[Layer, ...]:
    seats, rolls = tuple(sorted(competition.seats)), competition.rolls
    max_dice = max(Counter(die.seat for die in rolls[0]).values(), default=1) if rolls else 1
    grid = _arrange_grid(max(1, len(seats)), max(1, len(rolls)), max_dice)
    layers: list[Layer] = list(_draw_column_heads(grid, position, seats, caption))
    if competition.is_over and not rolls:
        layers += _draw_no_roll(competition, caption)
    for index in range(len(rolls)):
        layers += _draw_roll(grid, index, seats, competition)
    layers += draw_results(grid.bottom + 10, _LEGEND_Y - 40, position, competition, context)
    return tuple(layers)


def _draw_column_heads(
    grid: _Grid, position: Position, seats: tuple[Seat, ...], caption: Caption
) -> list[Group]:
    first_seat = None if position.competition is None else position.competition.first
    layers: list[Group] = []
    for index, seat in enumerate(seats):
        layers += _draw_column_head(
            grid.column_left(index),
            grid.column_width,
            seat,
            caption.seat_name(seat),
            _bonus_colours(position, seat),
            is_first=seat == first_seat,
        )
    return layers


def _bonus_colours(position: Position, seat: Seat) -> tuple[Colour, ...]:
    """Return the colours to whose dice a seat's cards add 1 in the competition that is shown.

    In later rounds, when cards may have come or gone, only those count that acted.
    """
    competition = position.competition
    if competition is not None and competition.round != position.round:
        first_roll = competition.rolls[0] if competition.rolls else ()
        return tuple(dict.fromkeys(die.colour for die in first_roll if die.seat == seat and die.bonus))
    return tuple(
        CARD_FACTS[card].colour
        for card in position.boards[seat].cards
        if CARD_FACTS[card].function is CardFunction.COMPETITION
    )


@lru_cache(maxsize=64)
def _draw_column_head(
    x: int, width: int, seat: int, name: str, bonus_colours: tuple[Colour, ...], *, is_first: bool
) -> tuple[Group, ...]:
    y = _HEAD_TOP
    middle = _HEAD_HEIGHT // 2
    label = Text(0, 0, name, NAME_SIZE, INK, width - 78 - 14, Typeface.BOLD, min_size=26)
    layers = [
        parts.draw_panel_box(x, y, width, _HEAD_HEIGHT, highlighted=is_first),
        make_group(x + 42, y + middle, draw_seat_mark(seat, 0, 0, 25)),
        make_group(x + 80, y + (middle - 18 if bonus_colours else middle), (fit_text_and_width(label),)),
    ]
    for index, colour in enumerate(bonus_colours):
        layers.append(_draw_competition_card(x + 80 + 51 * index, y + middle + 3, colour))
    return tuple(layers)


@lru_cache(maxsize=64)
def _draw_competition_card(x: int, y: int, colour: Colour) -> Group:
    """Draw a card with +1, its corner at (x, y)."""
    return make_group(x, y, _competition_card_items(0, 0, colour))


def _competition_card_items(x: float, y: float, colour: Colour) -> tuple[Item, ...]:
    colours = DIE_COLOURS[colour]
    return (
        Box(x, y, 45, 33, 7, colours.front, INK, NORMAL_LINE_WIDTH),
        Text(x + 22.5, y + 16.5, "+1", 25, colours.ink, 44, Typeface.BOLD, Anchor.MIDDLE),
    )


def _draw_roll(
    grid: _Grid, roll_index: int, seats: tuple[Seat, ...], competition: Competition
) -> list[Group]:
    roll = competition.rolls[roll_index]
    top, height = grid.row_top(roll_index), grid.row_height - 8
    middle = top + height // 2
    lowest = min(die.total for die in roll)
    right = grid.column_left(len(seats)) + 12
    layers = [
        _draw_row_label(grid.left - 34, middle, roll_index + 1),
        _draw_lowest_value(right, middle, lowest),
    ]
    is_last = roll_index == len(competition.rolls) - 1
    previous_roll = competition.rolls[roll_index - 1] if roll_index else ()
    for index, seat in enumerate(seats):
        seat_dice = tuple(die for die in roll if die.seat == seat)
        x = grid.column_left(index)
        if seat_dice:
            is_winner = is_last and competition.is_over and any(not die.is_removed for die in seat_dice)
            layers += _draw_dice(
                x, top, grid.column_width, height, grid.die_size, seat_dice, is_winner=is_winner
            )
        elif any(die.seat == seat for die in previous_roll):
            layers.append(draw_note(x + grid.column_width // 2, middle, "out", 200))
    return layers


@lru_cache(maxsize=32)
def _draw_row_label(x: int, y: int, number: int) -> Group:
    label = Text(0, 0, str(number), 36, SECONDARY_INK, 50, Typeface.ITALIC, Anchor.MIDDLE)
    return make_group(x, y, (label,))


@lru_cache(maxsize=64)
def _draw_lowest_value(x: int, y: int, value: int) -> Group:
    label = Text(38, 0, str(value), KEY_NUMBER_SIZE - 6, INK, 60, Typeface.BOLD)
    return make_group(x, y, (*draw_arrow(16, 0, 90, 36, INK, 5), label))


@lru_cache(maxsize=256)
def _draw_dice(
    x: int, y: int, width: int, height: int, size: int, dice: tuple[CompetitionDie, ...], *, is_winner: bool
) -> tuple[Group, ...]:
    box_style = (WHITE, INK, EMPHASIS_LINE_WIDTH) if is_winner else (WATER, None, 0)
    pitch = min(size + 34, (width - 14 - size) // max(1, len(dice) - 1))
    first_x = x + width // 2 - pitch * (len(dice) - 1) // 2
    middle = y + height // 2 - 3
    return (
        make_group(x, y, (Box(0, 0, width, height, 12, *box_style),)),
        *(
            draw_rolled_die(
                first_x + pitch * index,
                middle,
                size,
                die.colour,
                die.value,
                is_removed=die.is_removed,
                has_bonus=die.bonus > 0,
            )
            for index, die in enumerate(dice)
        ),
    )


def _draw_no_roll(competition: Competition, caption: Caption) -> list[Group]:
    text = "Nobody took a blue, purple or red die."
    if competition.seats:
        name = caption.seat_name(competition.seats[0])
        text = (
            f"Only {name} had dice to roll, and resigned."
            if competition.first is None
            else f"Only {name} has dice to roll and wins without a roll."
        )
    return [draw_note(PICTURE_WIDTH // 2, _ROWS_TOP + 60, text, 1080)]


# Before the first competition -------------------------------------------------------------------------------


def _draw_dice_so_far(position: Position, caption: Caption) -> tuple[Layer, ...]:
    """Draw the dice that each seat has for the competition of this round so far."""
    seats = tuple(Seat(seat) for seat, board in enumerate(position.boards) if not board.resigned)
    grid = _arrange_grid(max(1, len(seats)), 1, DICE_PER_PLAYER)
    layers: list[Layer] = list(_draw_column_heads(grid, position, seats, caption))
    for index, seat in enumerate(seats):
        colours = tuple(
            FACE_FACTS[die].colour
            for die in position.boards[seat].dice
            if FACE_FACTS[die].colour in NUMBER_DIE_VALUES
        )
        layers += _draw_unrolled_dice(
            grid.column_left(index), grid.row_top(0), grid.column_width, 100, colours
        )
    middle_x, top = PICTURE_WIDTH // 2, grid.row_top(0) + 150
    layers.append(draw_note(middle_x, top, "Dice so far. They are rolled when everybody has four.", 1080))
    round_number = max(1, position.round)
    x = middle_x - TILE_WIDTH - 40
    for index, colour in enumerate(TileColour):
        points = TILE_POINTS[colour][round_number - 1]
        layers.append(draw_tile(x + index * (TILE_WIDTH + 24), top + 60, colour, points))
    if round_number <= LAST_ROUND_WITH_CUBE:
        layers.append(
            make_group(x + 2 * TILE_WIDTH + 60, top + 60 + TILE_HEIGHT // 2, draw_food_cube(0, 0, 38))
        )
    layers.append(draw_rose(middle_x, 672, 104))
    return tuple(layers)


@lru_cache(maxsize=64)
def _draw_unrolled_dice(
    x: int, y: int, width: int, height: int, colours: tuple[Colour, ...]
) -> tuple[Group, ...]:
    size = 52
    pitch = size + 6
    first_x = x + width // 2 - pitch * (len(colours) - 1) // 2
    return (
        make_group(x, y, (Box(0, 0, width, height, 12, WATER),)),
        *(
            draw_unrolled_die(first_x + pitch * i, y + height // 2 - 3, size, colour)
            for i, colour in enumerate(colours)
        ),
    )


# Legend -----------------------------------------------------------------------------------------------------

_BONUS_LEGEND_ENTRY: Final = LegendEntry(
    _competition_card_items(-22.5, -16.5, Colour.BLUE), 45, "card adds 1"
)
_LOWEST_VALUE_LEGEND_ENTRY: Final = LegendEntry(
    (*draw_arrow(-12, 0, 90, 30, INK, 4.5), Text(4, 0, "n", 30, INK, 24, Typeface.BOLD)), 44, "lowest value"
)
_LOST_LEGEND_ENTRY: Final = LegendEntry(
    (
        Box(-16, -16, 32, 32, 6, DIE_COLOURS[Colour.PURPLE].front, INK, NORMAL_LINE_WIDTH),
        Box(-9, -9, 18, 18, 4, WHITE),
    ),
    32,
    "lost",
)
_TIE_LEGEND_ENTRY: Final = LegendEntry(draw_glyph(TURTLE, 0, 0, 36, INK, PAPER), 36, "tie: turtle ahead")
_CUBE_LEGEND_ENTRY: Final = LegendEntry(draw_food_cube(0, 0, 28), 28, "food cube")


def legend_entries(
    position: Position, competition: Competition | None, *, has_choices: bool
) -> tuple[LegendEntry, ...]:
    """Return the legend's entries for the signs of this picture that need an explanation."""
    entries: list[LegendEntry] = []
    seats = map(Seat, range(len(position.boards))) if competition is None else competition.seats
    if any(_bonus_colours(position, seat) for seat in seats):
        entries.append(_BONUS_LEGEND_ENTRY)
    if competition is not None and competition.rolls:
        entries += (_LOWEST_VALUE_LEGEND_ENTRY, _LOST_LEGEND_ENTRY)
        if tied_seats(competition):
            entries.append(_TIE_LEGEND_ENTRY)
    if (competition.round if competition is not None else position.round) <= LAST_ROUND_WITH_CUBE:
        entries.append(_CUBE_LEGEND_ENTRY)
    if has_choices:
        entries.append(CHOICE_LEGEND_ENTRY)
    return tuple(entries)
