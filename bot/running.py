"""The bot as a process: start, signals, exit codes."""

import asyncio
import contextlib
import errno
import gc
import logging
import os
import random
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import monotonic, time
from typing import Final

from bot.chat.client import TableClient
from bot.chat.connection import is_permanent_login_error, is_temporary_connection_error, use_local_endpoints
from bot.chat.drawing_queue import current_drawing_queues
from bot.config import (
    DATABASE_VARIABLE,
    METRICS_VARIABLE,
    TOKEN_FILE_VARIABLE,
    TOKEN_VARIABLE,
    Config,
    ConfigError,
    StorageSettings,
)
from bot.drawing_connection import DrawingConnection
from bot.drawing_process import DrawingProcess
from bot.heap import RELEASE_INTERVAL, release_free_memory
from bot.host.backup_scheduler import BackupScheduler
from bot.host.host import Host
from bot.host.loading import make_replay_check
from bot.store.backup import SqliteBackups, make_pre_migration_copier
from bot.store.backup_folder import lost_database_text, mark_folder_in_use
from bot.store.complete_backup import mark_complete, remove_mark
from bot.store.disk_space import fullest_disk
from bot.store.file_copy import Interruption
from bot.store.open_errors import is_lock_error, is_permanent_error
from bot.store.protocol import DatabaseFileLost, StoreError
from bot.store.sqlite import SqliteStore, open_store
from bot.watch.hang_watchdog import HangWatchdog
from bot.watch.monitor import Monitor
from render import paint
from rules.catalogue import ALL_RULES, GAMES

EXIT_OK: Final = 0
"""Stopped by a signal, or ended without an error."""
EXIT_TEMPORARY: Final = 75
"""A failure that may pass: the supervisor should restart the bot (EX_TEMPFAIL)."""
EXIT_PERMANENT: Final = 78
"""A failure that a restart repeats (EX_CONFIG): a bad setting or token, a path or port that cannot be used, a
database that is gone, in use, damaged or of another release."""

STOP_TIMEOUT: Final = 9.0
"""Seconds from the signal until the bot has stopped: supervisors kill it after ten."""
LOCKED_DATABASE_TIMEOUT: Final = 20.0
"""Seconds that a start waits for a locked database: ``doctor`` and ``replay`` hold it for a while."""
_LOCK_RETRY_DELAY: Final = 0.5
"""Seconds between two attempts to open a locked database."""
_TEMPORARY_ERRNOS: Final = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.EINTR}
)

_log = logging.getLogger(__name__)


class StopSignal:
    """Whether a signal has asked the bot to stop, and how much time is left for that."""

    def __init__(self) -> None:
        """Begin without a signal."""
        self._event = asyncio.Event()
        self._deadline: float | None = None

    def set(self) -> None:
        """Note a signal; time runs from the first one."""
        if self._deadline is None:
            self._deadline = monotonic() + STOP_TIMEOUT
        self._event.set()

    def is_set(self) -> bool:
        """Return whether a signal has come."""
        return self._event.is_set()

    async def wait(self) -> None:
        """Wait for a signal."""
        await self._event.wait()

    def seconds_left(self) -> float:
        """Return the seconds that are left until the bot must have stopped; all of them without a signal."""
        return STOP_TIMEOUT if self._deadline is None else max(0.0, self._deadline - monotonic())


def exempt_loaded_objects_from_gc() -> None:
    """Leave what is loaded so far out of later garbage collections: a full one took 39 ms."""
    gc.collect()
    gc.freeze()


async def run_bot(config: Config, hang_watchdog: HangWatchdog, processes: Sequence[DrawingProcess]) -> int:
    """Run until a signal or a fatal error; return the exit code.

    ``processes``: the drawing processes; without any, threads draw.
    """
    connections = [await DrawingConnection.open(process) for process in processes]
    current_drawing_queues().use_processes(connections)
    loop = asyncio.get_running_loop()
    loop.set_default_executor(hang_watchdog.executor)
    signs_of_life_task = loop.create_task(hang_watchdog.count_signs_of_life(), name="signs of life")
    try:
        code = await _run(config, hang_watchdog)
    finally:
        for connection in connections:
            connection.stop()
        signs_of_life_task.cancel()
    if code == EXIT_OK:
        _log.info("bot stopped")
    return code


async def _run(config: Config, hang_watchdog: HangWatchdog) -> int:
    if config.local_address is not None:
        use_local_endpoints(config.local_address)
    stop_signal = StopSignal()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop_signal.set)
    try:
        prepare_database_path(config.storage.database)
    except OSError as error:
        code = EXIT_TEMPORARY if error.errno in _TEMPORARY_ERRNOS else EXIT_PERMANENT
        text = f"{DATABASE_VARIABLE}: {error.filename} cannot be used: {error.strerror}."
        _log.error("database path not usable", exc_info=ConfigError(text), extra={"exit_code": code})
        return code
    if text := lost_database_text(config.storage.database, config.storage.backup_folder):
        _log.error("database missing", exc_info=ConfigError(text), extra={"exit_code": EXIT_PERMANENT})
        return EXIT_PERMANENT
    try:
        store = await _open_store(config.storage, stop_signal)
    except StoreError as error:
        code = EXIT_PERMANENT if is_permanent_error(error) else EXIT_TEMPORARY
        _log.exception("database not usable", extra={"exit_code": code})
        return code
    if store is None:
        return EXIT_OK
    with contextlib.suppress(OSError):  # no backup can be made there, which is logged
        remove_mark(config.storage.backup_folder)
    poll_task = asyncio.get_running_loop().create_task(hang_watchdog.poll_store(store), name="store poll")
    with mark_folder_in_use(config.storage.backup_folder):
        try:
            backup_scheduler = _make_backup_scheduler(store, config.storage)
            backup_scheduler.start()
            try:
                return await _run_client(store, config, backup_scheduler, stop_signal)
            finally:
                is_all_in_backup = await backup_scheduler.stop(stop_signal.seconds_left())
                newest = backup_scheduler.status.newest
                if is_all_in_backup and newest is not None and await _is_file_lost(store):
                    await asyncio.to_thread(mark_complete, newest.path)
        finally:
            await store.close()
            poll_task.cancel()


async def _is_file_lost(store: SqliteStore) -> bool:
    """Whether the database's file was deleted or replaced."""
    try:
        await store.require_file()
    except StoreError as error:
        return isinstance(error, DatabaseFileLost)
    return False


def prepare_database_path(database: Path) -> None:
    """Create the folder of the database, and check both.

    Raises OSError if the folder cannot be created or written to, or the file cannot be read and written.
    """
    database.parent.mkdir(parents=True, exist_ok=True)
    if database.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(database))
    folder = database.resolve().parent  # SQLite needs files there: beside the file, not beside a link to it
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, "this user may not write to this folder", str(folder))
    if database.exists() and not (database.is_file() and os.access(database, os.R_OK | os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(database))


async def _open_store(storage: StorageSettings, stop_signal: StopSignal) -> SqliteStore | None:
    """Open the store; return None if the bot is stopped meanwhile.  Raises StoreError.

    A locked database is waited for: an operator's command releases it soon, a second bot does not.
    """
    deadline, is_logged = monotonic() + LOCKED_DATABASE_TIMEOUT, False
    while True:
        try:
            return await _open_interruptibly(storage, stop_signal)
        except StoreError as error:
            if stop_signal.is_set():
                return None
            if not is_lock_error(error) or monotonic() >= deadline:
                raise
        if not is_logged:
            is_logged = True
            _log.warning("database in use: start waits", extra={"seconds": LOCKED_DATABASE_TIMEOUT})
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop_signal.wait(), _LOCK_RETRY_DELAY)
            return None


async def _open_interruptibly(storage: StorageSettings, stop_signal: StopSignal) -> SqliteStore:
    """Open the store; a signal interrupts the backup before a change of the schema.  Raises StoreError."""
    interruption = Interruption()
    before_migrating = make_pre_migration_copier(storage.backup_folder, time, interruption)
    open_task = asyncio.ensure_future(open_store(storage.database, before_migrating))
    signal_task = asyncio.ensure_future(stop_signal.wait())
    try:
        await asyncio.wait({open_task, signal_task}, return_when=asyncio.FIRST_COMPLETED)
        if not open_task.done():
            interruption.set()
        return await open_task
    finally:
        signal_task.cancel()


def _make_backup_scheduler(store: SqliteStore, storage: StorageSettings) -> BackupScheduler:
    backups = SqliteBackups(
        store,
        storage.backup_folder,
        make_replay_check(ALL_RULES),
        storage.backup_retention,
    )
    return BackupScheduler(backups, time, storage.backup_interval)


async def _run_client(
    store: SqliteStore, config: Config, backup_scheduler: BackupScheduler, stop_signal: StopSignal
) -> int:
    """Run the host and the Discord client until a signal, a failure or the monitor ends them."""
    rng = random.Random()  # noqa: S311 - computer players only
    host = Host(store, GAMES, time, rng, config.computer_delay, config.quotas)
    host.read_backup_age = backup_scheduler.backup_age
    client = TableClient(host)
    client.read_disk_space = partial(fullest_disk, config.storage.database, config.storage.backup_folder)
    monitor = Monitor(
        store,
        host,
        client.gateway_probe,
        host.metrics,
        heartbeat_file=config.heartbeat_file,
        metrics_port=config.metrics_port,
        read_backup_age=backup_scheduler.backup_age,
        backup_interval=config.storage.backup_interval,
        read_disk_space=client.read_disk_space,
        back_up=backup_scheduler.back_up,
    )
    try:
        await monitor.start()
    except OSError as error:
        text = f"{METRICS_VARIABLE}: port {config.metrics_port} cannot be used: {error.strerror}."
        fields = {"port": config.metrics_port, "exit_code": EXIT_PERMANENT}
        _log.error("metrics port not available", exc_info=ConfigError(text), extra=fields)
        return EXIT_PERMANENT
    exempt_loaded_objects_from_gc()
    loop = asyncio.get_running_loop()
    release_task = loop.create_task(_release_memory_at_intervals(), name="release of memory")
    client_task = loop.create_task(client.start(config.token))
    signal_task = loop.create_task(stop_signal.wait())
    restart_task = loop.create_task(monitor.restart_needed.wait())
    try:
        await asyncio.wait({client_task, signal_task, restart_task}, return_when=asyncio.FIRST_COMPLETED)
        if client_task.done():
            code = _exit_code_of_client(client_task, is_logged_in=client.is_set_up)
        else:
            code = EXIT_TEMPORARY if restart_task.done() else EXIT_OK
    finally:
        signal_task.cancel()
        restart_task.cancel()
        release_task.cancel()
        if not client.is_set_up:  # close() must not run beside setup_hook()
            await _cancel_and_wait(client_task)
        await client.close()
        await monitor.stop()
        await _cancel_and_wait(client_task)
    return code


async def _release_memory_at_intervals() -> None:
    """Return free memory to the system now and then, until cancelled."""
    while True:
        await asyncio.sleep(RELEASE_INTERVAL)
        await asyncio.to_thread(paint.shrink_idle_caches)
        await asyncio.to_thread(release_free_memory)


async def _cancel_and_wait(task: "asyncio.Task[None]") -> None:
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await task


def _exit_code_of_client(client_task: "asyncio.Task[None]", *, is_logged_in: bool) -> int:
    """Log why a client has ended by itself, and return the exit code.  Raises an unexpected error."""
    error = client_task.exception()
    if error is None:
        return EXIT_OK
    if is_permanent_login_error(error):
        text = (
            f"Discord refuses the token of {TOKEN_VARIABLE}, or of the file that {TOKEN_FILE_VARIABLE} names."
        )
        fields = {"exit_code": EXIT_PERMANENT}
        _log.error("token rejected by Discord", exc_info=ConfigError(text), extra=fields)
        return EXIT_PERMANENT
    if is_temporary_connection_error(error):
        fields = {"exit_code": EXIT_TEMPORARY}
        if is_logged_in:
            _log.error("connection to Discord lost", exc_info=error, extra=fields)
        else:
            _log.error("Discord not reached", exc_info=error, extra=fields)
        return EXIT_TEMPORARY
    if isinstance(error, StoreError):
        _log.error("database does not answer", exc_info=error, extra={"exit_code": EXIT_TEMPORARY})
        return EXIT_TEMPORARY
    raise error
