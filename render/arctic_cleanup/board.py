"""The board of Arctic CleanUp as a picture."""

from functools import lru_cache
from typing import Final

from render import parts
from render.arctic_cleanup import sea
from render.arctic_cleanup.changes import collect_changes
from render.arctic_cleanup.layout import BOARD_MAP
from render.arctic_cleanup.palette import PALETTE
from render.arctic_cleanup.panels import acting_seat_or_winner, draw_panels
from render.arctic_cleanup.pieces import draw_die_sign, draw_rose_numbers, draw_token
from render.arctic_cleanup.signs import TOKEN_BAG
from render.caption import Caption
from render.choice_marks import CHOICE_LEGEND_ENTRY
from render.geometry import regular_polygon
from render.glyphs import draw_glyph
from render.legend import CHANGE_LEGEND_ENTRY, LegendEntry, draw_legend
from render.picture import PictureContext
from render.scene import Anchor, Box, Group, Item, Layer, Line, Polygon, Scene, Text, Typeface, make_group
from render.symbols import draw_compass_rose
from render.text_fit import fit_text_and_width
from render.theme import (
    CARD,
    DEEP_BLUE,
    HAIRLINE_COLOUR,
    INK,
    MIN_BOARD_HEIGHT,
    PAPER,
    PICTURE_WIDTH,
    SECONDARY_INK,
    WATER_MEDIUM,
    WHITE,
)
from rules.arctic_cleanup.actions import LoadToken, PlaceFactory, PlaceShip, PlaceToken, SailShip, UnloadToken
from rules.arctic_cleanup.boards import ship_destination
from rules.arctic_cleanup.components import PLASTICS, Hex
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase, Position
from rules.arctic_cleanup.operation_limits import usable_operations_left
from rules.arctic_cleanup.phrases import CARD_NAMES, plastic_name
from rules.model import Action, Seat

_TOKEN_LEGEND_Y: Final = 1126
_LEGEND_Y: Final = 1166
_ROSE_SPOT: Final = (86, 560)
_BAG_SPOT: Final = (1106, 560)


def draw_board(view: ArcticCleanUpView, context: PictureContext) -> Scene:
    """Draw the position, with marks for the recent events and for what can be chosen."""
    position, caption = view.position, context.caption
    changes = collect_changes(context.recent_events)
    choosable = choosable_hexes(position, context.choices)
    factories = {board.factory for board in position.boards}
    layers = parts.join_layers(
        draw_title(position, caption),
        *(sea.draw_hex_choice_mark(BOARD_MAP, place) for place in choosable if place not in factories),
        sea.draw_factories(position, BOARD_MAP, changes, choosable),
        sea.draw_routes(position, BOARD_MAP, changes),
        sea.draw_ship_halos(position, BOARD_MAP, changes),
        sea.draw_ships(position, BOARD_MAP),
        sea.draw_tokens(position, BOARD_MAP, changes),
        draw_panels(position, caption, changes),
        draw_bag(len(position.bag), _BAG_SPOT),
        _draw_legend(_mark_entry(has_changes=changes.has_marks, has_choices=bool(choosable))),
    )
    static_layers = _draw_static_layers(len(position.boards))
    return Scene(PICTURE_WIDTH, MIN_BOARD_HEIGHT, PAPER, layers, static_layers, PALETTE)


@lru_cache(maxsize=4)
def _draw_static_layers(seat_count: int) -> tuple[Layer, ...]:
    x, y = _ROSE_SPOT
    rose = make_group(x, y, draw_compass_rose(0, 0, 44, (-90.0, 90.0)))
    return parts.join_layers(
        parts.draw_frame(PICTURE_WIDTH, MIN_BOARD_HEIGHT),
        sea.draw_static_layers(BOARD_MAP, seat_count),
        rose,
        draw_rose_numbers(x, y, 66),
        draw_token_legend(_TOKEN_LEGEND_Y),
    )


def draw_title(position: Position, caption: Caption) -> tuple[Layer, ...]:
    """Draw the title bar: round, whose turn it is, and what is left of the played card."""
    round_text = f"round {position.round}" if position.round else "set-up"
    if position.last_round is not None and position.end_reason is None:
        round_text += f" of {position.last_round}"
    note = caption.note_with_number(round_text)
    seat = acting_seat_or_winner(position)
    pill_text, suffix = "Shared win" if position.phase is Phase.OVER else "Set-up", ""
    if caption.pill_text:
        pill_text, seat = caption.pill_text, None
    elif seat is not None:
        pill_text, suffix = caption.seat_name(seat), _turn_suffix(position)
    return parts.draw_title_bar(PICTURE_WIDTH, "Arctic CleanUp", note, pill_text, suffix, seat)


def _turn_suffix(position: Position) -> str:
    """Return how the pill's text ends after the player's name."""
    match position.phase:
        case Phase.FACTORY:
            return " builds"
        case Phase.SHIPS:
            return " places ships"
        case Phase.OVER:
            return " wins"
        case _:
            played = position.played_card
            if played is None:
                return "'s turn"
            card = CARD_NAMES[played.card]
            if position.drawn_tokens:
                return f": {card}, {len(position.drawn_tokens)} to place"
            left = usable_operations_left(position)
            return f": {card}, {left} left" if left else f": {card} is done"


@lru_cache(maxsize=64)
def draw_bag(count: int, spot: tuple[int, int]) -> tuple[Group, ...]:
    """Draw the bag of tokens and how many are in it."""
    x, y = spot
    number = Text(0, 52, str(count), 36, INK, 80, Typeface.BOLD, Anchor.MIDDLE)
    return (make_group(x, y, (*draw_glyph(TOKEN_BAG, 0, 0, 58, INK, PAPER), number)),)


# What can be chosen -------------------------------------------------------------------------------------


def choosable_hexes(position: Position, choices: tuple[Action, ...]) -> tuple[Hex, ...]:
    """Return the hexes between which the choices decide; none if there is only one choice."""
    if len(choices) < 2:
        return ()
    hexes = (_chosen_hex(position, position.to_act, choice) for choice in choices)
    return tuple(dict.fromkeys(place for place in hexes if place is not None))


def _chosen_hex(position: Position, seat: Seat | None, choice: Action) -> Hex | None:
    match choice:
        case PlaceFactory(place=place) | PlaceShip(place=place):
            return place
        case _ if seat is None or seat < 0:
            return None
        case SailShip(ship=ship, face=face):
            return ship_destination(position, position.boards[seat], ship, face)
        case LoadToken(ship=ship) | PlaceToken(ship=ship):
            return position.boards[seat].ships[ship - 1]
        case UnloadToken():
            return position.boards[seat].factory
        case _:
            return None


# Legend -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def draw_token_legend(y: int) -> tuple[Group, ...]:
    """Draw every plastic with its name, those of 2 points before those of 3."""
    groups: list[Group] = []
    x = 52
    for points in (2, 3):
        heading = fit_text_and_width(Text(0, 0, f"{points} points", 26, INK, 110, Typeface.BOLD))
        groups.append(make_group(x, y, (heading,)))
        x += round(heading.max_width) + 24
        for plastic, facts in PLASTICS.items():
            if facts.points != points:
                continue
            name = fit_text_and_width(Text(22, 0, plastic_name(plastic), 26, SECONDARY_INK, 110))
            groups.append(make_group(x, y, (*draw_token(0, 0, 34, plastic), name)))
            x += round(name.max_width) + 50
        x += 14
    return tuple(groups)


_DOCK_SIGN: Final[tuple[Item, ...]] = (
    *(Line((x, 0.0, x, 12.0), INK, 6) for x in (-14.0, 0.0, 14.0)),
    Line((-22.0, -2.0, 22.0, -2.0), INK, 13),
    Line((-22.0, -2.0, 22.0, -2.0), WATER_MEDIUM, 8),
)
_CARD_SIGN: Final[tuple[Item, ...]] = (
    Box(-15, -19, 30, 38, 6, CARD, HAIRLINE_COLOUR, 2),
    Text(0, 0, "n", 28, INK, 28, Typeface.BOLD, Anchor.MIDDLE),
)
"""A card of a panel: its strength n, without the card's sign."""
_DOUBLED_CARD_SIGN: Final[tuple[Item, ...]] = (
    Box(-21, -19, 42, 38, 6, DEEP_BLUE, INK, 2),
    Text(0, 0, "2n", 28, WHITE, 40, Typeface.BOLD, Anchor.MIDDLE),
)
_LEGEND_ENTRIES: Final = (
    LegendEntry(_DOCK_SIGN, 48, "dock"),
    LegendEntry(draw_glyph(TOKEN_BAG, 0, 0, 32, INK, PAPER), 30, "bag"),
    LegendEntry(draw_die_sign(0, 0, 27), 28, "dice"),
    LegendEntry(_CARD_SIGN, 32, "action card"),
    LegendEntry(_DOUBLED_CARD_SIGN, 44, "doubled"),
    LegendEntry(
        (
            Polygon(regular_polygon(0, 0, 18, 6), WHITE, INK, 2),
            Text(0, 0, "3", 24, INK, 24, Typeface.BOLD, Anchor.MIDDLE),
        ),
        34,
        "opens hatched",
    ),
)


def _mark_entry(*, has_changes: bool, has_choices: bool) -> LegendEntry | None:
    """Return the entry for the marks: of choices, else of changes."""
    if has_choices:
        return CHOICE_LEGEND_ENTRY
    return CHANGE_LEGEND_ENTRY if has_changes else None


@lru_cache(maxsize=4)
def _draw_legend(mark_entry: LegendEntry | None) -> tuple[Group, ...]:
    entries = _LEGEND_ENTRIES if mark_entry is None else (*_LEGEND_ENTRIES, mark_entry)
    return draw_legend(entries, y=_LEGEND_Y)
