"""The host: the tables and everything that runs beside them."""

import asyncio
import logging
import random
from collections.abc import Callable
from typing import Any, Final

from bot.clock import Clock
from bot.host.absences import AbsenceEndListener
from bot.host.computers import COMPUTER_DELAY, ComputerPlayers
from bot.host.courier_protocol import Courier
from bot.host.delivery_order import ReserveCall, reserve_nothing
from bot.host.downtime import Connectivity
from bot.host.housekeeping import Housekeeping
from bot.host.outbox import Outbox
from bot.host.quotas import UNLIMITED, Quotas, RateLimiter
from bot.host.table import Games
from bot.host.tables import Tables
from bot.metrics import Metrics
from bot.store.protocol import Store, StoreError

REPLAY_DELAY: Final = 5.0
"""Seconds between the start and the first replay in the background, so that the start is not slowed."""
REPLAY_REST_FACTOR: Final = 1.0
"""The rest after each replay in the background, as a multiple of the time that it took."""

_log = logging.getLogger(__name__)


class Host:
    """Starts and stops the services around the tables.  Stop it before the store is closed."""

    def __init__(
        self,
        store: Store,
        games: Games,
        clock: Clock,
        rng: random.Random,
        computer_delay: float = COMPUTER_DELAY,
        quotas: Quotas = UNLIMITED,
        metrics: Metrics | None = None,
    ) -> None:
        """Create the services; nothing runs before ``start``."""
        self.metrics = metrics or Metrics()
        self.request_limiter = RateLimiter(quotas.requests, quotas.request_seconds)
        self.suggestion_limiter = RateLimiter(quotas.suggestions, quotas.request_seconds)
        self.tables = Tables(store, games, clock, self.metrics, quotas)
        self._computers = ComputerPlayers(self.tables, rng, computer_delay)
        self._housekeeping = Housekeeping(self.tables)
        self._absence_end_listener = AbsenceEndListener(self.tables)
        self.outbox: Outbox | None = None
        self.read_backup_age: Callable[[], float] | None = None
        """Returns the seconds since everything was in a verified backup; None: there are no backups."""
        self._replay_task: asyncio.Task[None] | None = None
        self.responses_under_way: set[asyncio.Task[Any]] = set()
        """Tasks that are responding to interactions; a stop waits for them."""

    async def start(
        self,
        courier: Courier,
        connectivity: Connectivity | None = None,
        reserve_call: ReserveCall = reserve_nothing,
    ) -> None:
        """Start the services, which also finish what an earlier run left.  Raises StoreError.

        ``courier`` must be able to send.  ``connectivity``: None where everything can always be reached.
        """
        await self.tables.answer_tracker.load()
        await self.tables.queue_replays()
        self._replay_task = asyncio.create_task(self._replay_later(), name="replays")
        self._replay_task.add_done_callback(_log_replay_failure)
        self.outbox = Outbox(self.tables, courier, reserve_call)
        await self.outbox.start()
        await self._computers.start()
        self._housekeeping.start(connectivity)

    def note_connected(self) -> None:
        """Do at once what is due: Discord can be reached again."""
        self._housekeeping.note_connected()

    async def _replay_later(self) -> None:
        await asyncio.sleep(REPLAY_DELAY)
        await self.tables.replay_all(REPLAY_REST_FACTOR)

    async def stop(self) -> None:
        """Finish the changes in progress and stop; the rest waits in the store."""
        if self._replay_task is not None:
            self._replay_task.cancel()
            await asyncio.gather(self._replay_task, return_exceptions=True)
        await self._housekeeping.stop()
        await self._computers.stop()
        await self._absence_end_listener.wait()
        await self.tables.wait_for_changes()
        if self.outbox is not None:
            await self.outbox.stop()
        await self._store_arrived_answers()

    async def _store_arrived_answers(self) -> None:
        try:
            await self.tables.answer_tracker.flush()
        except StoreError:  # the next process reports these answers as missed
            _log.warning("answers not marked as arrived: store unavailable")


def _log_replay_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("replay of stored games stopped", exc_info=error)
