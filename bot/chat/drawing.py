"""What a message shows, made by its table's game; and what is told where that fails."""

import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.chat.pictures import Picture
from bot.chat.posts import Post, plain_post
from bot.error_ids import new_error_id
from bot.host.showing import NO_FAULT_OF_A_GAME, showing
from bot.host.table import Table
from bot.host.tables import STARTED, Tables
from bot.store.rows import Status

Drawn: TypeAlias = tuple[Post, tuple[Picture, ...]]
"""A message as it will be sent."""

_log = logging.getLogger(__name__)


async def drawn(
    tables: Tables,
    table: Table,
    draw: Callable[[], Awaitable[Drawn]],
    plain: Callable[[Table], Post] = plain_post,
) -> Drawn:
    """What a message shows; nothing is sent here.

    A fault in a game that goes on freezes it (GameFault).  Of a game that does not, ``plain`` words are told,
    which need nothing from the game: a frozen game's board and a result's seed must arrive.
    """
    if table.status in STARTED or table.status is Status.LOBBY:
        async with showing(tables, table.number):
            return await draw()
    try:
        return await draw()
    except NO_FAULT_OF_A_GAME:
        raise
    except Exception:  # noqa: BLE001 - whatever is wrong with one game must stay with it
        about = {"table": table.number, "game": table.game.key, "ref": new_error_id()}
        _log.warning("a message is told in plain words: its game failed", exc_info=True, extra=about)
        return plain(table), ()
