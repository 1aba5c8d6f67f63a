"""The board of Australis as a picture."""

from functools import lru_cache
from typing import Final

from render import parts
from render.australis import chart, panels, right_column
from render.australis.changes import PanelNumber, collect_changes
from render.australis.choices import draw_choice_marks
from render.australis.layout import BOARD_HEIGHT, LEGEND_ROW_MIDDLES
from render.australis.palette import GOLD, PALETTE, RED, SILVER
from render.australis.panel_numbers import number_sign
from render.australis.rank_boxes import draw_rank_boxes
from render.australis.signs import MOON, SUN, TROPHY
from render.caption import Caption
from render.choice_marks import CHOICE_LEGEND_ENTRY
from render.glyphs import Glyph, draw_glyph
from render.legend import CHANGE_LEGEND_ENTRY, LegendEntry, draw_legend
from render.picture import PictureContext
from render.scene import Anchor, Box, Colour, Disc, Group, Layer, Scene, Text, Typeface
from render.sea_glyphs import WHEEL
from render.theme import HAIRLINE_WIDTH, INK, NORMAL_LINE_WIDTH, PAPER, PICTURE_WIDTH, SECONDARY_INK, WHITE
from rules.australis.components import COMPETITION_CARDS, ROUND_COUNT
from rules.australis.model import AustralisView, Phase, Position

_TURN_SUFFIXES: Final = {
    Phase.TAKE: " to take a die",
    Phase.ACTIVATE: " to use cards",
    Phase.CORAL: " to place a coral",
    Phase.PICK: " to pick a card",
    Phase.TILE: " to choose a tile",
    Phase.OVER: " wins",
}
_CHANCE_PILL_TEXTS: Final = {
    Phase.FIRST_PLAYER: "Who begins?",
    Phase.ROLL: "Rolling dice",
    Phase.COMPETE: "Competition",
}


def draw_board(view: AustralisView, context: PictureContext) -> Scene:
    """Draw the position, with marks for the recent events and for what can be chosen."""
    position, caption = view.position, context.caption
    changes = collect_changes(context.recent_events)
    rank_box_halos, rank_boxes = draw_rank_boxes(position, changes)
    route_ends, routes = chart.draw_routes(position, changes)
    choice_marks = draw_choice_marks(position, context.choices)
    layers = parts.join_layers(
        _draw_title(position, caption),
        panels.draw_panels(position, caption, changes),
        rank_box_halos,
        rank_boxes,
        route_ends,
        chart.draw_space_numbers(position),
        chart.draw_cubes(position),
        routes,
        right_column.draw_right_column(position, changes),
        # Below turtles: the mark of a reef would run through the number of a turtle beside it.
        choice_marks,
        chart.draw_turtles(position),
        chart.draw_targets(position, context.choices),
        _draw_legend(
            with_competition_cards=_shows_competition_card(position),
            with_token=position.token_holder is None and position.phase is not Phase.OVER,
            with_changes=changes.has_marks,
            with_choices=bool(choice_marks),
        ),
    )
    static_layers = _draw_static_layers(len(position.boards))
    return Scene(PICTURE_WIDTH, BOARD_HEIGHT, PAPER, layers, static_layers, PALETTE)


@lru_cache(maxsize=4)
def _draw_static_layers(seat_count: int) -> tuple[Layer, ...]:
    return parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, BOARD_HEIGHT),
        chart.draw_static_layers(),
        right_column.draw_static_layers(seat_count),
    )


def _draw_title(position: Position, caption: Caption) -> tuple[Layer, ...]:
    """Draw the title bar with the round and whose turn it is."""
    round_text = f"round {position.round} of {ROUND_COUNT}" if position.round else "set-up"
    note = caption.note_with_number(round_text)
    seat = panels.acting_seat_or_winner(position)
    pill_text, suffix = _CHANCE_PILL_TEXTS.get(position.phase, "New cards"), ""
    if position.phase is Phase.OVER:
        pill_text = "Shared win"
    if caption.pill_text:
        pill_text, seat = caption.pill_text, None
    if seat is not None:
        pill_text, suffix = caption.seat_name(seat), _TURN_SUFFIXES.get(position.phase, " to play")
    return parts.draw_title_bar(PICTURE_WIDTH, "Australis", note, pill_text, suffix, seat)


# Legend -----------------------------------------------------------------------------------------------------

_STARTS_NEXT_LEGEND_ENTRY: Final = LegendEntry(draw_glyph(WHEEL, 0, 0, 34, INK, PAPER), 34, "starts next")
_FREE_TOKEN_LEGEND_ENTRY: Final = LegendEntry(
    (Disc(0, 0, 17, INK), *draw_glyph(WHEEL, 0, 0, 27, WHITE, INK)), 34, "start token"
)
"""For the first player token while it lies on the board."""


def _points_entry(colour: Colour, text: str) -> LegendEntry:
    number = Text(0, 0, "n", 26, WHITE, 30, Typeface.BOLD, Anchor.MIDDLE)
    return LegendEntry((Disc(0, 0, 16, colour), number), 32, text)


def _tile_entry(colour: Colour, sign: Glyph, text: str) -> LegendEntry:
    tile = Box(-20, -17, 40, 34, 7, colour, INK, NORMAL_LINE_WIDTH)
    return LegendEntry((tile, *draw_glyph(sign, 0, 0, 28, INK, colour)), 40, text)


_UPPER_ENTRIES: Final = (
    LegendEntry(number_sign(PanelNumber.FISH), 34, "fish"),
    LegendEntry(number_sign(PanelNumber.CUBES), 26, "food cube"),
    LegendEntry(number_sign(PanelNumber.CORALS), 28, "coral left"),
    LegendEntry(number_sign(PanelNumber.CARDS), 26, "cards kept"),
    _points_entry(INK, "points"),
    _points_entry(SECONDARY_INK, "free place"),
)
_COMPETITION_CARD_LEGEND_ENTRY: Final = LegendEntry(
    (
        Box(-15, -18, 30, 36, 6, RED, INK, HAIRLINE_WIDTH),
        *draw_glyph(TROPHY, 0, 0, 24, INK, RED),
    ),
    30,
    "+1 in competition",
)
"""For cards that lie in panels without their +1, and for those of the display."""
_LOWER_ENTRIES: Final = (
    LegendEntry(number_sign(PanelNumber.TILES), 26, "tiles won"),
    _tile_entry(GOLD, SUN, "gold tile"),
    _tile_entry(SILVER, MOON, "silver tile"),
    _STARTS_NEXT_LEGEND_ENTRY,
)


def _shows_competition_card(position: Position) -> bool:
    cards = {*position.display, *(card for board in position.boards for card in board.cards)}
    return not cards.isdisjoint(COMPETITION_CARDS.values())


def _draw_legend(
    *, with_competition_cards: bool, with_token: bool, with_changes: bool, with_choices: bool
) -> tuple[Group, ...]:
    upper_entries = [*_UPPER_ENTRIES]
    if with_competition_cards:
        upper_entries.append(_COMPETITION_CARD_LEGEND_ENTRY)
    lower_entries = [*_LOWER_ENTRIES]
    if with_token:
        lower_entries.append(_FREE_TOKEN_LEGEND_ENTRY)
    if with_choices:
        lower_entries.append(CHOICE_LEGEND_ENTRY)
    elif with_changes:
        lower_entries.append(CHANGE_LEGEND_ENTRY)
    upper_y, lower_y = LEGEND_ROW_MIDDLES
    return (*draw_legend(tuple(upper_entries), y=upper_y), *draw_legend(tuple(lower_entries), y=lower_y))
