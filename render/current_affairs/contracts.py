"""The picture for taking a contract: the seat's own contracts above the chart, the open ones below it."""

from functools import lru_cache
from typing import Final

from render import parts
from render.choice_marks import CHOICE_LEGEND_ENTRY
from render.current_affairs import board, chart
from render.current_affairs.changes import collect_changes
from render.current_affairs.destinations import NEEDED_LEGEND_ENTRY, draw_movement_and_contracts
from render.current_affairs.layout import CONTRACTS_CHART
from render.current_affairs.palette import PALETTE
from render.current_affairs.signs import DROPLET
from render.glyphs import draw_glyph
from render.legend import CHANGE_LEGEND_ENTRY, LegendEntry
from render.picture import PictureContext, highlighted_seat
from render.scene import Group, Scene
from render.theme import DEEP_BLUE, MIN_BOARD_HEIGHT, PAPER, PICTURE_WIDTH
from rules.current_affairs.actions import DrawContract, PickContract, Unlock
from rules.current_affairs.model import CurrentAffairsView
from rules.model import Action


def contracts_picture_helps_to_choose(view: CurrentAffairsView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices are open contracts, and no upgrade is to be unlocked before them."""
    return any(isinstance(choice, PickContract | DrawContract) for choice in choices) and not any(
        isinstance(choice, Unlock) for choice in choices
    )


def contracts_picture_previews(action: Action) -> bool:
    """Whether an action takes an open contract."""
    return isinstance(action, PickContract | DrawContract)


def draw_contracts(view: CurrentAffairsView, context: PictureContext) -> Scene:
    """Draw which contracts the viewer has and could take, and where the trash for them lies."""
    position, caption = view.position, context.caption
    seat = highlighted_seat(position) if view.viewer is None else view.viewer
    changes = collect_changes(context.recent_events)
    choice_marks = board.draw_choice_marks(position, CONTRACTS_CHART, context.choices)
    note = caption.note_with_game("Current Affairs")
    pill_text = caption.pill_text or ("Nobody chooses" if seat is None else caption.seat_name(seat))
    layers = parts.join_layers(
        parts.draw_title_bar(PICTURE_WIDTH, "Contracts", note, pill_text, "", seat),
        () if seat is None else draw_movement_and_contracts(position, seat, changes.taken_contracts),
        chart.draw_regions(position, CONTRACTS_CHART, changes),
        chart.draw_ship_halos(position, CONTRACTS_CHART, changes),
        chart.draw_stacks(position, CONTRACTS_CHART),
        chart.draw_routes(position, CONTRACTS_CHART, changes),
        chart.draw_ships(position, CONTRACTS_CHART),
        board.draw_open_contracts(position, CONTRACTS_CHART, changes),
        choice_marks,
        _draw_legend(with_choices=bool(choice_marks)),
    )
    static_layers = board.draw_static_layers(CONTRACTS_CHART, MIN_BOARD_HEIGHT)
    return Scene(PICTURE_WIDTH, MIN_BOARD_HEIGHT, PAPER, layers, static_layers, PALETTE)


_POINTS_LEGEND_ENTRY: Final = LegendEntry(draw_glyph(DROPLET, 0, 0, 30, DEEP_BLUE, PAPER), 24, "points")


@lru_cache(maxsize=2)
def _draw_legend(*, with_choices: bool) -> tuple[Group, ...]:
    mark_entry = CHOICE_LEGEND_ENTRY if with_choices else CHANGE_LEGEND_ENTRY
    entries = (_POINTS_LEGEND_ENTRY, NEEDED_LEGEND_ENTRY, mark_entry)
    return board.draw_legend_rows(CONTRACTS_CHART, entries)
