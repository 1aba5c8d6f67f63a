"""Periodic work: does what is due at tables, stores which answers have arrived, and deletes old rows."""

import asyncio
import contextlib
import logging
from collections.abc import Collection, Mapping
from functools import partial
from typing import Final

from bot.host.deciders import idle, lobby, offer_answers, ready_check, reminders, timeouts, voting
from bot.host.deciders.decision import Decision
from bot.host.deciders.seat_offers import newcomers_without_objection
from bot.host.downtime import Connectivity, DowntimeTracker
from bot.host.request import Refusal
from bot.host.table import IN_PLAY, Table
from bot.host.table_turns import is_turn_announced
from bot.host.tables import Tables
from bot.store.clock_rows import DAY
from bot.store.delivery_rows import Slot
from bot.store.preferences import PersonRow
from bot.store.protocol import StoreError
from bot.store.rows import PruneProgress, Status
from rules.players import DEFAULT_COMPUTER

CHECK_INTERVAL: Final = 60.0
"""Seconds between two checks of what is due."""
RETENTION: Final = 30 * DAY
"""The least seconds for which deliveries and handled interactions are kept; repeats come in minutes."""
PRUNE_INTERVAL: Final = DAY
"""Seconds between two rounds of pruning."""
PRUNE_BATCH_SIZE: Final = 500
"""The most rows that one step prunes: moves wait while it runs."""

_log = logging.getLogger(__name__)


class Pruner:
    """Deletes deliveries and handled interactions after ``RETENTION``: once a day, in small steps."""

    def __init__(self, tables: Tables) -> None:
        """Pruning starts with the first ``step``."""
        self._tables = tables
        self._progress: PruneProgress | None = PruneProgress()
        self._next_round_at = 0.0

    async def step(self) -> None:
        """Prune the next batch, if one is due.  Raises StoreError."""
        now = self._tables.clock()
        if self._progress is None:
            if now < self._next_round_at:
                return
            self._progress = PruneProgress()
        self._progress = await self._tables.store.prune(
            int(now - RETENTION), self._progress, PRUNE_BATCH_SIZE
        )
        self._next_round_at = now + PRUNE_INTERVAL


class Housekeeping:
    """Does what is due at tables and prunes, in a task of its own."""

    def __init__(self, tables: Tables) -> None:
        """Nothing runs before ``start``."""
        self._tables = tables
        self._pruner = Pruner(tables)
        self._downtime = DowntimeTracker(tables)
        self._connectivity: Connectivity | None = None
        self._wake_up = asyncio.Event()
        """Ends the wait for the next round."""
        self._task: asyncio.Task[None] | None = None

    def start(self, connectivity: Connectivity | None = None) -> None:
        """Start the task.  ``connectivity``: nothing falls due where Discord cannot be reached."""
        self._connectivity = connectivity
        self._task = asyncio.get_running_loop().create_task(self._run(), name="housekeeping")

    async def stop(self) -> None:
        """Stop the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            self._wake_up.clear()  # first: a connection that comes meanwhile is not missed
            try:
                await self.do_due_work()
                await self._tables.answer_tracker.flush()
                await self._pruner.step()
            except StoreError:
                _log.exception("housekeeping delayed: store unavailable")
            except Exception:  # noqa: BLE001 - clocks, lobbies and questions must outlive any one fault
                _log.exception("housekeeping fault")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake_up.wait(), CHECK_INTERVAL)

    def note_connected(self) -> None:
        """Do at once what is due: Discord can be reached again."""
        self._wake_up.set()

    async def do_due_work(self) -> bool:
        """Do what is due, unless Discord cannot be reached; return whether it could.  Raises StoreError."""
        if self._connectivity is not None and not self._connectivity.is_connected():
            return False
        await self.do_due_work_at_tables(await self._downtime.make_up_for_downtime(self._connectivity))
        return True

    async def do_due_work_at_tables(self, unreachable_servers: Collection[int] = ()) -> None:
        """Do the first thing that is due at each table, such as the end of a lobby, question or turn.

        ``unreachable_servers``: where nothing falls due.  Raises StoreError.
        """
        now = int(self._tables.clock())
        for number in await self._tables.store.due_tables(now):
            try:
                table = await self._tables.get(number)
                if table.row.guild in unreachable_servers:
                    continue
                messages = await self._tables.store.posted_messages(number)
                deliveries = await self._tables.store.waiting_deliveries(number)
                posting_times = {each.slot: each.posted_at for each in messages}
                people = await self._tables.person_preferences.get_many(table.row.users)
                newcomers = newcomers_without_objection(table, now)
                decide = partial(
                    _decide_first_due,
                    now=now,
                    posting_times=posting_times,
                    people=people,
                    users_at_limit=await self._tables.users_at_limit(newcomers),
                    is_turn_announced=is_turn_announced(table, messages, deliveries),
                )
                await self._tables.change_that_may_start_game(number, None, decide)
            except Refusal:
                continue
            except Exception:  # noqa: BLE001 - one table's fault must not keep the others waiting
                _log.exception("expiry failed", extra={"table": number})


def _decide_first_due(
    table: Table,
    now: int,
    posting_times: Mapping[Slot, float],
    people: Mapping[int, PersonRow],
    users_at_limit: Collection[int],
    *,
    is_turn_announced: bool,
    is_channel_busy: bool,
) -> Decision | None:
    """Return the decision on the first thing that is due at a table; None if nothing is.

    ``posting_times``: when the table's messages were posted; ``people``: what the people there have set;
    ``users_at_limit``: of those who would get an offered seat, who may take no further one;
    ``is_turn_announced``: as for ``timeouts.expire``; ``is_channel_busy``: as for a ``ChannelDecider``.
    """
    expires_at = table.row.expires_at
    ready_check_decision = ready_check.expire(table, now, posting_times, is_channel_busy=is_channel_busy)
    if ready_check_decision is not None:
        return ready_check_decision
    if table.status is Status.LOBBY and expires_at is not None and expires_at <= now:
        return lobby.close(table)
    if table.status not in IN_PLAY:  # there only an absence can be over
        return timeouts.expire(table, people, now, computer=DEFAULT_COMPUTER)
    return (
        idle.ask_or_end(table, now)
        or voting.expire(table, now)
        or offer_answers.expire(
            table, now, posting_times, computer=DEFAULT_COMPUTER, users_at_limit=users_at_limit
        )
        or timeouts.expire(table, people, now, computer=DEFAULT_COMPUTER, is_turn_announced=is_turn_announced)
        or reminders.remind(table, people, now)
    )
