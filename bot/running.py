"""The bot as a process: start, signals, exit codes."""

import asyncio
import contextlib
import logging
import random
import signal
import sys
from time import time
from typing import Final

from bot.chat.client import TableClient
from bot.chat.endpoints import configure_endpoints
from bot.chat.failures import is_passing, is_refusal
from bot.config import Config, Keeping
from bot.host.host import Host
from bot.host.proof import prover
from bot.host.safekeeping import Safekeeping
from bot.store.backup import Rotation, SqliteBackups, copy_before_migrating
from bot.store.migrations import NewerSchema
from bot.store.protocol import StoreError
from bot.store.sqlite import SqliteStore, open_store
from render import paint
from rules.catalogue import EARLIER, GAMES

CLEAN: Final = 0
TRY_AGAIN: Final = 75
"""Something passing: the supervisor may start the bot again (EX_TEMPFAIL)."""
DO_NOT_RESTART: Final = 78
"""A bad token, a second bot on the same database, a newer schema (EX_CONFIG)."""

_log = logging.getLogger(__name__)


async def run_bot(config: Config) -> int:
    """Run until a signal or a fatal error; returns the exit code."""
    if config.local is not None:
        configure_endpoints(config.local)
    keeping = config.keeping
    keeping.database.parent.mkdir(parents=True, exist_ok=True)
    try:
        store = await open_store(keeping.database, copy_before_migrating(keeping.backups, time))
    except NewerSchema:
        _log.exception("the database is newer than this release")
        return DO_NOT_RESTART
    except StoreError:
        _log.exception("the database cannot be used")
        return DO_NOT_RESTART
    try:
        host = Host(store, GAMES, time, random.Random(), config.computer_pace)  # noqa: S311 - computer players only
        safekeeping = keep_safe(store, keeping)
        safekeeping.start()
        try:
            return await _connected(TableClient(host), config)
        finally:
            await safekeeping.stop()
    finally:
        await store.close()


def keep_safe(store: SqliteStore, keeping: Keeping) -> Safekeeping:
    """What copies the database, as it is set."""
    backups = SqliteBackups(store, keeping.backups, prover({**EARLIER, **GAMES}), Rotation(*keeping.kept))
    return Safekeeping(backups, time, keeping.every)


async def _connected(client: TableClient, config: Config) -> int:
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    warming = loop.create_task(asyncio.to_thread(paint.warm))
    running = loop.create_task(client.start(config.token))
    waiting = loop.create_task(stopping.wait())
    try:
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        code = _exit_code(running) if running.done() else CLEAN
    finally:
        waiting.cancel()
        await client.close()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await running
        await warming
    return code


def _exit_code(running: "asyncio.Task[None]") -> int:
    error = running.exception()
    if error is None:
        return CLEAN
    if is_refusal(error):
        _log.error("Discord does not take this token: %s", error)
        return DO_NOT_RESTART
    if is_passing(error):
        _log.error("the connection to Discord was lost: %s", error)
        return TRY_AGAIN
    raise error


def configure_logging(level: str) -> None:
    """Log to standard error, one line an entry; discord.py's own debugging would show secrets."""
    logging.basicConfig(
        level=level, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("discord").setLevel(logging.WARNING)
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)
