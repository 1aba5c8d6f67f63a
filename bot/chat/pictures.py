"""Boards and hands as PNG, drawn off the event loop."""

import io

import discord
import msgspec

from bot import limits
from bot.host import game_calls
from bot.host.game_threads import run_in_thread
from bot.host.table import GameGuard, Table
from render.caption import Caption
from render.catalogue import PICTURES
from render.paint import render_png
from rules.game import Action, Event, Seat, View
from rules.text import cut

BOARD_FILE = "board.png"
HAND_FILE = "hand.png"


class Picture(msgspec.Struct, frozen=True):
    """PNG bytes with their alt text."""

    name: str
    data: bytes
    alt: str

    def file(self) -> discord.File:
        """Return a fresh upload: each can be sent once."""
        return discord.File(io.BytesIO(self.data), filename=self.name, description=self.alt)


def _caption(table: Table, occasion: str = "") -> Caption:
    return Caption(table=table.number, names=table.plain_names, occasion=occasion)


async def board_picture(table: Table) -> Picture:
    """Draw the board as a bystander sees it, with the last move's changes marked."""
    assert table.match is not None
    return await _board(table, game_calls.view(table, None), table.match.recent_events)


async def _board(table: Table, view: View, recent_events: tuple[Event, ...], occasion: str = "") -> Picture:
    caption = _caption(table, occasion)
    with GameGuard(table.number):
        draw = PICTURES[table.game.key].board
        data = await run_in_thread(table.row, lambda: render_png(draw(view, recent_events, caption)))
        alt = game_calls.alt_text(table, view)
    if occasion:
        alt = f"{occasion}, not played yet. {alt}"
    return Picture(BOARD_FILE, data, cut(alt, limits.ALT_TEXT))


async def hand_picture(table: Table, seat: Seat) -> Picture:
    """Draw what one player holds."""
    view, caption = game_calls.view(table, seat), _caption(table)
    with GameGuard(table.number):
        draw = PICTURES[table.game.key].hand
        data = await run_in_thread(table.row, lambda: render_png(draw(view, caption)))
    alt = game_calls.hand_text(table, seat, table.plain_names)
    return Picture(HAND_FILE, data, cut(alt, limits.ALT_TEXT))


async def preview_picture(table: Table, seat: Seat, action: Action) -> Picture:
    """Draw the board after an action, before chance, as far as its actor can know it."""
    after = game_calls.view_after(table, seat, action)
    return await _board(table, after, after.position.trail, "Preview")
