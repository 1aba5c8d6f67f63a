"""A server with a game that has begun."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.bot.trust.servers import BotServer, begin_table_elsewhere, memory_folder, open_bot_server
from tests.bot.trust.viewer_visit import hash_pictures

SEAT_COUNT = 4
"""Of the game of ``playing_server``."""


@asynccontextmanager
async def playing_server() -> AsyncIterator[BotServer]:
    """Yield a server with a game that has begun."""
    with memory_folder() as folder, hash_pictures():
        table = await begin_table_elsewhere(folder, SEAT_COUNT)
        async with open_bot_server(folder / "bot.db") as bot:
            await bot.place_table(table, None)
            yield bot
