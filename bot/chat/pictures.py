"""Boards and hands as PNG, drawn off the event loop."""

import asyncio
import io

import discord
import msgspec

from bot import limits
from bot.host.table import Table
from render.caption import Caption
from render.gallery import PICTURES
from render.paint import picture
from rules.game import Action, Event, Seat, View
from rules.stream import SEED_BYTES, Stream

BOARD_FILE = "board.png"
HAND_FILE = "hand.png"


class Picture(msgspec.Struct, frozen=True):
    """PNG bytes with their alt text."""

    name: str
    data: bytes
    alt: str

    def file(self) -> discord.File:
        """A fresh upload of it; each can be sent once."""
        return discord.File(io.BytesIO(self.data), filename=self.name, description=self.alt)


def _caption(table: Table, occasion: str = "") -> Caption:
    return Caption(table=table.number, names=table.plain_names, occasion=occasion)


def _alt(text: str) -> str:
    return text if len(text) <= limits.ALT_TEXT else text[: limits.ALT_TEXT - 1] + "…"


async def board_picture(table: Table) -> Picture:
    """The board as a bystander sees it, with what the last choice changed marked."""
    assert table.match is not None
    return await _board(table, table.match.view(None), table.match.since)


async def _board(table: Table, view: View, since: tuple[Event, ...], occasion: str = "") -> Picture:
    draw, caption = PICTURES[table.game.key].board, _caption(table, occasion)
    data = await asyncio.to_thread(lambda: picture(draw(view, since, caption)))
    return Picture(BOARD_FILE, data, _alt(table.game.words.alt(view, table.plain_names)))


async def hand_picture(table: Table, seat: Seat) -> Picture:
    """What one player holds."""
    assert table.match is not None
    view = table.match.view(seat)
    draw, caption = PICTURES[table.game.key].hand, _caption(table)
    data = await asyncio.to_thread(lambda: picture(draw(view, caption)))
    return Picture(HAND_FILE, data, _alt(table.game.words.hand(view, table.plain_names)))


async def preview_picture(table: Table, seat: Seat, action: Action) -> Picture:
    """The board after an action, before chance, as far as its actor can know it.

    Worked out on a state that is consistent with the actor's view, never on the real one.
    """
    assert table.match is not None
    game, view = table.game, table.match.view(seat)
    guess = game.sample_state(view, Stream(bytes(SEED_BYTES), 0))
    after = game.view(game.apply_action(guess, action), None)
    return await _board(table, after, after.table.trail, "Preview")
