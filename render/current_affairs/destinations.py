"""The picture for choosing a destination: the chart, with cost and gains of each region in reach."""

from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise
from typing import Final

from render import parts
from render.current_affairs import chart
from render.current_affairs.board import CURRENT_LEGEND_ENTRY, STILL_WATER_LEGEND_ENTRY, draw_static_layers
from render.current_affairs.changes import Changes
from render.current_affairs.layout import DESTINATIONS_CHART, region_box, step_line, token_spot
from render.current_affairs.palette import PALETTE
from render.current_affairs.pieces import draw_contract_row, draw_slot, draw_tick, tick_items
from render.current_affairs.signs import KELP
from render.glyphs import draw_glyph
from render.legend import LegendEntry, draw_legend
from render.picture import PictureContext, highlighted_seat
from render.routes import draw_planned_route
from render.scene import Anchor, Disc, Group, Item, Scene, Text, Typeface, make_group
from render.sea_glyphs import WHEEL
from render.symbols import draw_seat_mark
from render.theme import (
    GAP,
    HAIRLINE_COLOUR,
    INK,
    MARGIN,
    MIN_BOARD_HEIGHT,
    PANEL_HEIGHT,
    PANEL_TOP,
    PAPER,
    PICTURE_WIDTH,
    WHITE,
)
from rules.current_affairs.actions import PlaceShip, Sail
from rules.current_affairs.boards import movement_allowance, reachable_trash
from rules.current_affairs.components import MAX_HELD_CONTRACTS, Contract, Region, Trash, Upgrade
from rules.current_affairs.forecast import forecast_stop
from rules.current_affairs.model import CurrentAffairsView, Phase, Position
from rules.current_affairs.routes import ROUTES
from rules.model import Action, Seat

_ACTIONS_WIDTH: Final = 236
"""Width of the box with the seat's movement actions."""
_COST_RADIUS: Final = 25


def destinations_picture_helps_to_choose(view: CurrentAffairsView, choices: tuple[Action, ...]) -> bool:
    """Whether the choices are destinations, or regions where a ship may start."""
    return any(isinstance(choice, Sail | PlaceShip) for choice in choices)


def draw_destinations(view: CurrentAffairsView, context: PictureContext) -> Scene:
    """Draw where the viewer's ship can sail or start, and the route if only one destination is left."""
    position, caption = view.position, context.caption
    seat = highlighted_seat(position) if view.viewer is None else view.viewer
    reachable_regions = tuple(
        choice.region for choice in context.choices if isinstance(choice, Sail | PlaceShip)
    )
    unreachable_regions = frozenset(Region) - set(reachable_regions)
    board = None if seat is None else position.boards[seat]
    title = "Where to start?" if position.phase is Phase.PLACE else "Where to?"
    pill_text = "Nobody sails" if seat is None else caption.seat_name(seat)
    note = caption.note_with_game("Current Affairs")
    layers = parts.join_layers(
        parts.draw_title_bar(PICTURE_WIDTH, title, note, pill_text, "", seat),
        () if seat is None else draw_movement_and_contracts(position, seat),
        chart.draw_regions(position, DESTINATIONS_CHART, Changes(), unreachable_regions=unreachable_regions),
        chart.draw_stacks(position, DESTINATIONS_CHART),
        *(chart.draw_reachable_frame(DESTINATIONS_CHART, region) for region in reachable_regions),
        () if seat is None else _draw_route(position, seat, reachable_regions),
        chart.draw_ships(position, DESTINATIONS_CHART),
        ()
        if board is None or seat is None
        else _draw_costs_and_gains(position, seat, board.ship, reachable_regions),
        _draw_legend(
            is_sailing=board is not None and board.ship is not None,
            has_crane=board is not None and Upgrade.CRANE in board.unlocked_upgrades,
        ),
    )
    static_layers = draw_static_layers(DESTINATIONS_CHART, MIN_BOARD_HEIGHT)
    return Scene(PICTURE_WIDTH, MIN_BOARD_HEIGHT, PAPER, layers, static_layers, PALETTE)


def draw_movement_and_contracts(
    position: Position, seat: Seat, new_contracts: Collection[Contract] = ()
) -> tuple[Group, ...]:
    """Draw the seat's movement actions and contracts above the chart, with halos round new contracts."""
    board = position.boards[seat]
    layers = list(_draw_movement_actions(seat, movement_allowance(board)))
    width = (PICTURE_WIDTH - 2 * MARGIN - _ACTIONS_WIDTH - MAX_HELD_CONTRACTS * GAP) // MAX_HELD_CONTRACTS
    for index in range(MAX_HELD_CONTRACTS):
        held = board.contracts[index] if index < len(board.contracts) else None
        left = MARGIN + _ACTIONS_WIDTH + GAP + index * (width + GAP)
        layers += draw_contract_row(left, PANEL_TOP, width, PANEL_HEIGHT, held)
        if held is not None and held.contract in new_contracts:
            layers.append(parts.draw_box_halo(left, PANEL_TOP, width, PANEL_HEIGHT, 14))
    return tuple(layers)


@lru_cache(maxsize=32)
def _draw_movement_actions(seat: Seat, action_count: int) -> tuple[Group, ...]:
    text = Text(188, 0, str(action_count), 46, INK, 40, Typeface.BOLD, Anchor.MIDDLE)
    items = (*draw_seat_mark(seat, 46, 0, 27), *draw_glyph(WHEEL, 130, 0, 56, INK, WHITE), text)
    box = parts.draw_panel_box(MARGIN, PANEL_TOP, _ACTIONS_WIDTH, PANEL_HEIGHT, highlighted=True)
    return box, make_group(MARGIN, PANEL_TOP + PANEL_HEIGHT // 2, items)


def _draw_costs_and_gains(
    position: Position, seat: Seat, ship_region: Region | None, reachable_regions: tuple[Region, ...]
) -> tuple[Group, ...]:
    """Draw at each region in reach its cost, ticks on trash to take, and the sign of a habitat to restore."""
    groups: list[Group] = []
    for region in reachable_regions:
        box = region_box(DESTINATIONS_CHART, region)
        if ship_region is not None:
            groups.append(_draw_cost(box.left + 8, box.top + 8, ROUTES[ship_region][region].cost))
            if forecast_stop(position, seat, region).restored_animal is not None:
                groups.append(_draw_restored_sign(*box.restored_sign_spot))
        for trash in reachable_trash(position, seat, region):
            if trash.open_slots:
                x, y = token_spot(box, int(trash.is_second_token))
                groups.append(draw_tick(x, y + (16 if trash.is_second_token else 22)))
    return tuple(groups)


@lru_cache(maxsize=128)
def _draw_cost(x: int, y: int, cost: int) -> Group:
    text = Text(0, 0, str(cost), 34, WHITE, 40, Typeface.BOLD, Anchor.MIDDLE)
    return make_group(x, y, (Disc(0, 0, _COST_RADIUS + 3, WHITE), Disc(0, 0, _COST_RADIUS, INK), text))


def _restored_sign_items() -> tuple[Item, ...]:
    return Disc(0, 0, 18, WHITE, INK, 2.5), *draw_glyph(KELP, 0, 0, 23, INK, WHITE)


@lru_cache(maxsize=64)
def _draw_restored_sign(x: int, y: int) -> Group:
    return make_group(x, y, _restored_sign_items())


def _draw_route(position: Position, seat: Seat, reachable_regions: tuple[Region, ...]) -> tuple[Group, ...]:
    ship_region = position.boards[seat].ship
    if ship_region is None or len(reachable_regions) != 1:
        return ()
    route = ROUTES[ship_region][reachable_regions[0]].regions
    groups: list[Group] = []
    for start, end in pairwise(route):
        groups += draw_planned_route((step_line(DESTINATIONS_CHART, start, end),))
    return tuple(groups)


# Legend -------------------------------------------------------------------------------------------------

_COST_LEGEND_ENTRY: Final = LegendEntry(
    (Disc(0, 0, 18, INK), Text(0, 0, "n", 26, WHITE, 30, Typeface.BOLD, Anchor.MIDDLE)), 36, "actions"
)

NEEDED_LEGEND_ENTRY: Final = LegendEntry(draw_slot(0, 0, 17, Trash.PLASTIC), 34, "needed")
_TAKEN_TOKEN_LEGEND_ENTRY: Final = LegendEntry((Disc(0, 0, 5, HAIRLINE_COLOUR),), 10, "taken")


@lru_cache(maxsize=4)
def _draw_legend(*, is_sailing: bool, has_crane: bool) -> tuple[Group, ...]:
    tick = LegendEntry(tick_items(), 26, "you can take one" if has_crane else "you can take it")
    restored = LegendEntry(_restored_sign_items(), 38, "you restore it")
    gains = (_COST_LEGEND_ENTRY, tick, restored) if is_sailing else (tick,)
    return draw_legend(
        (
            *gains,
            NEEDED_LEGEND_ENTRY,
            _TAKEN_TOKEN_LEGEND_ENTRY,
            CURRENT_LEGEND_ENTRY,
            STILL_WATER_LEGEND_ENTRY,
        ),
        y=1158,
    )
