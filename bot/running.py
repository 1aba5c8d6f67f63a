"""The bot as a process: start, signals, exit codes."""

import asyncio
import contextlib
import errno
import logging
import os
import random
import signal
from pathlib import Path
from time import monotonic, time
from typing import Final

from bot.chat.client import TableClient
from bot.chat.endpoints import configure_endpoints
from bot.chat.failures import is_refusal, is_temporary
from bot.config import Config, StorageSettings
from bot.host.backups import BackupScheduler
from bot.host.host import Host
from bot.host.replay_check import replay_check
from bot.store.backup import Rotation, SqliteBackups, copy_before_migrating
from bot.store.failures import is_held, is_lasting
from bot.store.protocol import StoreError
from bot.store.sqlite import SqliteStore, open_store
from bot.watch.lifeline import Lifeline
from bot.watch.monitor import Monitor
from render import paint
from rules.catalogue import EARLIER, GAMES

CLEAN: Final = 0
TRY_AGAIN: Final = 75
"""Something passing: the supervisor may start the bot again (EX_TEMPFAIL)."""
DO_NOT_RESTART: Final = 78
"""A bad setting or token, a second bot on the same database, a newer or ruined one (EX_CONFIG)."""

LOCK_PATIENCE: Final = 20.0
"""Seconds that a start waits for whoever holds the database: ``doctor`` and ``replay`` do for a while."""
_LOCK_PAUSE: Final = 0.5
_PASSING: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EINTR})
"""What the system says of a place that may be usable a little later."""

_log = logging.getLogger(__name__)


async def run_bot(config: Config, lifeline: Lifeline) -> int:
    """Run until a signal or a fatal error; returns the exit code."""
    signing = asyncio.get_running_loop().create_task(lifeline.sign(), name="signs")
    try:
        return await _placed(config, lifeline)
    finally:
        signing.cancel()


async def _placed(config: Config, lifeline: Lifeline) -> int:
    if config.local is not None:
        configure_endpoints(config.local)
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    database = config.storage.database
    try:
        _make_room(database)
    except OSError as error:
        code = TRY_AGAIN if error.errno in _PASSING else DO_NOT_RESTART
        _log.exception("the database's place cannot be used", extra={"exit_code": code})
        return code
    try:
        store = await _opened(config.storage, stopping)
    except StoreError as error:
        code = DO_NOT_RESTART if is_lasting(error) else TRY_AGAIN
        _log.exception("the database cannot be used", extra={"exit_code": code})
        return code
    if store is None:
        return CLEAN
    asking = asyncio.get_running_loop().create_task(lifeline.ask(store), name="questions to the store")
    try:
        safekeeping = keep_safe(store, config.storage)
        safekeeping.start()
        try:
            return await _connected(store, config, safekeeping, stopping)
        finally:
            await safekeeping.stop()
    finally:
        await store.close()
        asking.cancel()


def _make_room(database: Path) -> None:
    """Raises OSError where the database's folder cannot be made, or the file be read and written."""
    database.parent.mkdir(parents=True, exist_ok=True)
    if database.exists() and not (database.is_file() and os.access(database, os.R_OK | os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(database))


async def _opened(storage: StorageSettings, stopping: asyncio.Event) -> SqliteStore | None:
    """The store; None if the bot was told to stop meanwhile.  Raises StoreError.

    A lock is waited for: a command of whoever runs the bot lets go of it soon, a second bot does not.
    """
    until, waited = monotonic() + LOCK_PATIENCE, False
    while True:
        try:
            return await open_store(storage.database, copy_before_migrating(storage.backups, time))
        except StoreError as error:
            if not is_held(error) or monotonic() >= until:
                raise
        if not waited:
            waited = True
            _log.warning("the database is in use: waiting", extra={"seconds": LOCK_PATIENCE})
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stopping.wait(), _LOCK_PAUSE)
            return None


def keep_safe(store: SqliteStore, storage: StorageSettings) -> BackupScheduler:
    """What copies the database, as it is set."""
    backups = SqliteBackups(
        store, storage.backups, replay_check({**EARLIER, **GAMES}), Rotation(*storage.backups_kept)
    )
    return BackupScheduler(backups, time, storage.backup_interval)


async def _connected(
    store: SqliteStore, config: Config, safekeeping: BackupScheduler, stopping: asyncio.Event
) -> int:
    rng = random.Random()  # noqa: S311 - computer players only
    host = Host(store, GAMES, time, rng, config.computer_pace, config.quotas)
    client = TableClient(host)
    operation = Monitor(
        store,
        host,
        client.gateway_probe,
        host.metrics,
        heartbeat=config.heartbeat,
        metrics_port=config.metrics_port,
        backup_age=safekeeping.age,
        backup_every=config.storage.backup_interval,
    )
    try:
        await operation.start()
    except OSError:
        _log.exception("the port of the metrics cannot be used", extra={"exit_code": DO_NOT_RESTART})
        return DO_NOT_RESTART
    loop = asyncio.get_running_loop()
    warming = loop.create_task(asyncio.to_thread(paint.warm_up))
    running = loop.create_task(client.start(config.token))
    waiting = loop.create_task(stopping.wait())
    despairing = loop.create_task(operation.gave_up.wait())
    try:
        await asyncio.wait({running, waiting, despairing}, return_when=asyncio.FIRST_COMPLETED)
        code = _exit_code(running) if running.done() else TRY_AGAIN if despairing.done() else CLEAN
    finally:
        waiting.cancel()
        despairing.cancel()
        if not client.is_set_up:  # nothing is put away beside what is still being taken up
            await _cancelled(running)
        await client.close()
        await operation.stop()
        await _cancelled(running)
        await warming
    return code


async def _cancelled(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await task


def _exit_code(running: "asyncio.Task[None]") -> int:
    error = running.exception()
    if error is None:
        return CLEAN
    if is_refusal(error):
        _log.error("Discord does not take this token", exc_info=error, extra={"exit_code": DO_NOT_RESTART})
        return DO_NOT_RESTART
    if is_temporary(error):
        _log.error("the connection to Discord was lost", exc_info=error, extra={"exit_code": TRY_AGAIN})
        return TRY_AGAIN
    if isinstance(error, StoreError):
        _log.error("the database does not answer", exc_info=error, extra={"exit_code": TRY_AGAIN})
        return TRY_AGAIN
    raise error
