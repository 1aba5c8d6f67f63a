"""The board of Current Affairs as a picture."""

from functools import lru_cache
from typing import Final

from render import parts
from render.caption import Caption
from render.choice_marks import CHOICE_LEGEND_ENTRY, differing_values, draw_choice_mark
from render.current_affairs import chart
from render.current_affairs.changes import Changes, collect_changes
from render.current_affairs.layout import (
    BOARD_CHART,
    BOARD_HEIGHT,
    REGION_HEIGHT,
    TOKEN_RADIUS,
    Chart,
    contract_box,
    legend_row_middles,
    region_box,
)
from render.current_affairs.palette import PALETTE
from render.current_affairs.panels import acting_seat_or_winner, draw_panels, panel_legend_entries
from render.current_affairs.pieces import draw_contract, draw_token
from render.legend import CHANGE_LEGEND_ENTRY, LegendEntry, draw_legend
from render.picture import PictureContext
from render.routes import draw_tapered_arrow
from render.scene import Group, Layer, Line, Scene
from render.theme import CONTOUR, PAPER, PICTURE_WIDTH
from rules.current_affairs.actions import DrawContract, PickContract, PlaceShip, Sail
from rules.current_affairs.components import Contract, Region
from rules.current_affairs.model import CurrentAffairsView, Phase, Position
from rules.current_affairs.phrases import TRASH_NAMES
from rules.model import Action

_TURN_SUFFIXES: Final = {
    Phase.DRAFT: " drafts",
    Phase.PLACE: " places a ship",
    Phase.SAIL: " sails",
    Phase.COLLECT: " takes trash",
    Phase.PORT: " is in port",
    Phase.REVEAL: " is in port",
    Phase.OVER: " wins",
}


def draw_board(view: CurrentAffairsView, context: PictureContext) -> Scene:
    """Draw the position, with marks for the recent events and for what can be chosen."""
    position, caption = view.position, context.caption
    changes = collect_changes(context.recent_events)
    choice_marks = draw_choice_marks(position, BOARD_CHART, context.choices)
    layers = parts.join_layers(
        _draw_title(position, caption),
        draw_panels(position, caption, changes),
        chart.draw_regions(position, BOARD_CHART, changes),
        chart.draw_ship_halos(position, BOARD_CHART, changes),
        chart.draw_stacks(position, BOARD_CHART),
        chart.draw_routes(position, BOARD_CHART, changes),
        chart.draw_ships(position, BOARD_CHART),
        draw_open_contracts(position, BOARD_CHART, changes),
        choice_marks,
        _draw_legend(len(position.boards), with_changes=changes.has_marks, with_choices=bool(choice_marks)),
    )
    return Scene(
        PICTURE_WIDTH, BOARD_HEIGHT, PAPER, layers, draw_static_layers(BOARD_CHART, BOARD_HEIGHT), PALETTE
    )


@lru_cache(maxsize=3)
def draw_static_layers(chart_layout: Chart, height: int) -> tuple[Layer, ...]:
    """Draw what never changes in a picture: the frame and the chart."""
    frame = parts.draw_frame(PICTURE_WIDTH, height)
    return parts.join_layers(chart.draw_static_layers(chart_layout), frame)


def _draw_title(position: Position, caption: Caption) -> tuple[Layer, ...]:
    round_text = f"round {position.round}" if position.round else "set-up"
    if position.end_reason is not None and position.phase is not Phase.OVER:
        round_text = "last round" if not position.in_extra_turns else "extra turns"
    note = caption.note_with_number(round_text)
    seat = acting_seat_or_winner(position)
    pill_text, suffix = "Shared win" if position.phase is Phase.OVER else "Set-up", ""
    if caption.pill_text:
        pill_text, seat = caption.pill_text, None
    elif seat is not None:
        pill_text, suffix = caption.seat_name(seat), _TURN_SUFFIXES.get(position.phase, "")
    return parts.draw_title_bar(PICTURE_WIDTH, "Current Affairs", note, pill_text, suffix, seat)


# The open contracts -------------------------------------------------------------------------------------


def _open_contract_places(position: Position) -> tuple[tuple[Contract | None, int], ...]:
    """Return the places below the chart, left to right: contract (None: empty), number of cards below it."""
    if position.draft_contracts:
        return tuple((contract, 0) for contract in position.draft_contracts)
    places = [(contract, 0) for contract in position.market]
    return (*places, (position.top_contract, len(position.deck)))


def draw_open_contracts(position: Position, chart_layout: Chart, changes: Changes) -> tuple[Group, ...]:
    """Draw the open contracts below a chart."""
    groups: list[Group] = []
    places = _open_contract_places(position)
    for index, (contract, cards_below_count) in enumerate(places):
        left, top, width, height = contract_box(chart_layout, index, len(places))
        if contract is None:
            groups.append(parts.draw_empty_card_place(left, top, width, height))
            continue
        groups += draw_contract(left, top, width, height, contract, cards_below_count=cards_below_count)
        if contract in changes.new_contracts:
            groups.append(parts.draw_box_halo(left, top, width, height, 12))
    return tuple(groups)


# What can be chosen -------------------------------------------------------------------------------------


def draw_choice_marks(
    position: Position, chart_layout: Chart, choices: tuple[Action, ...]
) -> tuple[Group, ...]:
    """Draw marks round regions and open contracts that can be chosen."""
    regions = differing_values(
        (choice for choice in choices if isinstance(choice, PlaceShip | Sail)), "region"
    )
    marks = []
    for region in regions:
        assert isinstance(region, Region)
        box = region_box(chart_layout, region)
        marks.append(draw_choice_mark(box.left, box.top, box.width, REGION_HEIGHT, REGION_HEIGHT / 2))
    choosable = differing_values(
        (choice for choice in choices if isinstance(choice, PickContract | DrawContract)), "contract"
    )
    places = _open_contract_places(position)
    for index, (contract, _) in enumerate(places):
        if contract is not None and contract in choosable:
            left, top, width, height = contract_box(chart_layout, index, len(places))
            marks.append(draw_choice_mark(left + 6, top + 6, width - 12, height - 12, 10))
    return tuple(marks)


# Legend -------------------------------------------------------------------------------------------------

CURRENT_LEGEND_ENTRY: Final = LegendEntry(
    draw_tapered_arrow((-24.0, 0.0, 26.0, 0.0), 11, CONTOUR, PAPER), 52, "current"
)
STILL_WATER_LEGEND_ENTRY: Final = LegendEntry((Line((-22.0, 0.0, 22.0, 0.0), CONTOUR, 3),), 44, "no current")
_TRASH_ENTRIES: Final = tuple(
    LegendEntry(draw_token(0, 0, TOKEN_RADIUS, trash), 32, name) for trash, name in TRASH_NAMES.items()
)


@lru_cache(maxsize=12)
def _draw_legend(seat_count: int, *, with_changes: bool, with_choices: bool) -> tuple[Group, ...]:
    entries = [*panel_legend_entries(seat_count)]
    if with_choices:
        entries.append(CHOICE_LEGEND_ENTRY)
    elif with_changes:
        entries.append(CHANGE_LEGEND_ENTRY)
    return draw_legend_rows(BOARD_CHART, tuple(entries))


def draw_legend_rows(chart_layout: Chart, lower_entries: tuple[LegendEntry, ...]) -> tuple[Group, ...]:
    """Draw the two rows of a legend, of which the upper one names the kinds of trash and of lines."""
    upper_entries = (*_TRASH_ENTRIES, CURRENT_LEGEND_ENTRY, STILL_WATER_LEGEND_ENTRY)
    upper_y, lower_y = legend_row_middles(chart_layout)
    return (*draw_legend(upper_entries, y=upper_y), *draw_legend(lower_entries, y=lower_y))
