"""The bot itself against the stand-in, in this process, with as much time for each answer as it needs."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager
from unittest.mock import patch

from bot import limits
from bot.chat import respond, table_suggestions
from bot.chat.client import TableClient
from bot.host.host import Host
from bot.local.rest import RequestListener
from bot.local.server import LocalDiscord
from bot.store.sqlite import SqliteStore
from rules.game import AnyGame
from tests.bot.host.playing import GAMES_AND_TOYS, ManualClock
from tests.bot.local.conftest import set_discord_addresses, wait_until_ready
from tests.trials import WAIT_TIMEOUT

_TIME_LIMITS = (
    (limits, "FIRST_RESPONSE_SECONDS"),
    (respond, "MAX_WORK_BEFORE_DEFER"),
    (respond, "MIN_AGE_TO_DEFER_FIRST"),
    (respond, "MAX_AGE_BEFORE_DEFER"),
    (table_suggestions, "STORE_TIMEOUT"),
)
"""What depends on how quick this machine is: answers too late, deferrals, suggestions of a moment ago."""


@contextmanager
def patient_responses() -> Iterator[None]:
    """Let the bot and its people wait for everything in a response for as long as it takes."""
    with ExitStack() as stack:
        for module, name in _TIME_LIMITS:
            stack.enter_context(patch.object(module, name, WAIT_TIMEOUT))
        yield


async def wait_until_bot_is_ready(client: TableClient, running: asyncio.Task[None]) -> None:
    """Wait until the bot knows its server, and Discord its commands.  Raises what ends ``running``."""
    client._connection.guild_ready_timeout = 0.05  # nothing but the one guild is awaited
    await wait_until_ready(client, running)
    assert client._sync_task is not None
    await client._sync_task


@asynccontextmanager
async def in_process_bot(
    store: SqliteStore,
    on_request: RequestListener = lambda *_: None,
    *,
    games: Mapping[str, AnyGame] = GAMES_AND_TOYS,
    clock: Callable[[], float] | None = None,
) -> AsyncIterator[tuple[LocalDiscord, TableClient]]:
    """Yield a stand-in and the bot, ready; ``on_request`` is called with every request that the bot sends.

    ``clock``: the bot's; None: one that stands still.
    """
    with patient_responses():
        async with LocalDiscord(on_request=on_request) as server:
            set_discord_addresses(server)
            client = TableClient(Host(store, games, clock or ManualClock(), random.Random(1)))
            client_task = asyncio.create_task(client.start(server.bot_token))
            try:
                await wait_until_bot_is_ready(client, client_task)
                yield server, client
            finally:
                await client.close()
                await asyncio.gather(client_task, return_exceptions=True)
