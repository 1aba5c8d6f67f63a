"""The tables of the host: finding, opening and changing them.

A change runs under its table's lock: decide (pure), then commit (``bot.host.committer``).  It runs in a task
of its own, so a cancelled caller cannot stop it.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from time import monotonic, time
from typing import Any, TypeAlias, TypeVar

from bot.clock import Clock
from bot.error_ids import new_error_id
from bot.host import game_logs, game_workers
from bot.host.answer_tracker import AnswerTracker
from bot.host.changes import decide_and_narrate
from bot.host.committer import ChangeListener, ChangeResult, Committer
from bot.host.deciders.clocks import with_postponed_due_times
from bot.host.deciders.decision import Decision
from bot.host.deciders.lobby import with_rematch_channel
from bot.host.deciders.moderation import freeze_after_fault
from bot.host.deciders.play import status_refusal_text
from bot.host.game_guard import GameFault
from bot.host.game_workers import GameCallTimeout, WorkersBusy
from bot.host.keyed_locks import KeyedLocks
from bot.host.loading import TableLoader, UnreadableTable
from bot.host.mentions import MentionBudget
from bot.host.outages import Outages
from bot.host.posting_rights import MayNotPost, require_may_post
from bot.host.preferences import PersonPreferences, ServerPreferences
from bot.host.quotas import (
    UNLIMITED,
    NotAllowedHere,
    QuotaExceeded,
    Quotas,
    require_opening_quotas,
    require_opening_rights,
    require_seat_quota,
)
from bot.host.rating_cache import RatingCache
from bot.host.replay_queue import ReplayQueue
from bot.host.request import Refusal, Request
from bot.host.table import IN_PLAY, Games, Table
from bot.host.table_cache import TableCache
from bot.metrics import Metrics
from bot.store.protocol import GENERATION_KEY, Store, StoreError, parse_metadata_number, rematch_key
from bot.store.rows import Status
from rules.catalogue import EARLIER_RULES
from rules.model import Seat
from rules.random_stream import SEED_BYTES

Decider: TypeAlias = Callable[[Table], Decision | None]
"""Returns what changes at a table; None: nothing.  Raises Refusal, or what the game raises."""
ChannelDecider: TypeAlias = Callable[..., Decision | None]
"""A decider that also gets ``is_channel_busy``: a game is in progress there, or the table has just moved."""
OpeningDecider: TypeAlias = Callable[[int, bytes, int], Decision]
"""Returns the decision that opens a table, given its number, its seed and the time.  Raises Refusal."""
NewcomerFinder: TypeAlias = Callable[[Table], int | None]
"""Returns whom a change would seat; None: nobody, and only a change by ``take_seat`` may alter that."""
T = TypeVar("T")

_log = logging.getLogger(__name__)


class Tables:
    """Finds, loads and changes tables."""

    def __init__(
        self,
        store: Store,
        games: Games,
        clock: Clock = time,
        metrics: Metrics | None = None,
        quotas: Quotas = UNLIMITED,
        *,
        earlier_rules: Games = EARLIER_RULES,
    ) -> None:
        """``games``: the catalogue; ``earlier_rules``: old rules that games in progress still use."""
        self._quotas = quotas
        self.metrics = metrics or Metrics()
        self.store = store
        self.games = games
        self._loader = TableLoader(store, games, earlier_rules, self.metrics)
        self._replay_queue = ReplayQueue(store, self._loader)
        self.clock = clock
        self.answer_tracker = AnswerTracker(store)
        self.rating_cache = RatingCache(store)
        self.person_preferences = PersonPreferences(store)
        self.server_preferences = ServerPreferences(store)
        self.outages = Outages(store)
        self.mention_budget = MentionBudget(self.person_preferences, clock, quotas.mentions)
        self._cache = TableCache()
        self._committer = Committer(
            store, self._cache, self.answer_tracker, self.person_preferences, self.metrics, clock
        )
        self._locks = KeyedLocks()
        """By table."""
        self._quota_lock = asyncio.Lock()
        """Held by each change that counts against a quota; acquired before a table's lock, never after."""
        self._channel_locks = KeyedLocks()
        """By channel: held by a change after which a game may go on there; acquired before a table's lock."""
        self._running_changes: set[asyncio.Task[Any]] = set()

    def add_listener(self, listener: ChangeListener) -> None:
        """Call ``listener`` after every stored change."""
        self._committer.listeners.append(listener)

    def add_absence_end_listener(self, listener: Callable[[int], None]) -> None:
        """Call ``listener`` with each user who is back from an absence because they have moved."""
        self._committer.absence_end_listeners.append(listener)

    async def get(self, number: int) -> Table:
        """Return a table, from the cache or the store; loading freezes a game that cannot be replayed.

        Raises NoSuchTable, UnreadableTable, WorkersBusy, StoreError.
        """
        cached = self._cache.get(number)
        if cached is not None:
            return cached
        async with self._locks.of(number):
            return await self._load(number)

    def get_cached(self, number: int) -> Table | None:
        """Return a table if it is in the cache; None if not."""
        return self._cache.get(number)

    async def open(self, decide: OpeningDecider, request: Request) -> ChangeResult:
        """Open a new table.  Raises Refusal, StoreError."""
        return await self._run_to_end(self._open(decide, request))

    async def open_rematch(self, ended_number: int, decide: OpeningDecider, request: Request) -> ChangeResult:
        """Open the rematch of a table; the result has ``is_repeat`` if the rematch's lobby is open already.

        Raises what ``open`` raises.
        """
        return await self._run_to_end(self._open_rematch(ended_number, decide, request))

    async def change(
        self, number: int, request: Request | None, decide: Decider, *, in_worker: bool = False
    ) -> ChangeResult:
        """Change a table.  ``in_worker``: decide in a worker thread also if the game is short.

        Raises Refusal or StoreError (nothing has changed), or GameFault (a game in progress is now frozen).
        """
        return await self._run_to_end(self._change(number, request, decide, in_worker=in_worker))

    async def change_that_may_start_game(
        self, number: int, request: Request | None, decide: ChannelDecider, channel: int | None = None
    ) -> ChangeResult:
        """Change a table so that its game may start or go on in ``channel``; None: in its present channel.

        Such changes in one channel run one after another, so that no two games start there.  Raises what
        ``change`` raises.
        """
        return await self._run_to_end(self._change_that_may_start_game(number, request, decide, channel))

    async def take_seat(
        self, number: int, request: Request, newcomer: int | NewcomerFinder, decide: Decider
    ) -> ChangeResult:
        """Change a table so that ``newcomer`` gets a seat.  Raises as ``change`` does, and QuotaExceeded."""
        return await self._run_to_end(self._take_seat(number, request, newcomer, decide))

    async def users_at_limit(self, users: Collection[int]) -> frozenset[int]:
        """Return which of several users may take no further seat.  Raises StoreError."""
        at_limit = set()
        for user in users:
            try:
                require_seat_quota(self._quotas, await self.store.quota_usage(user, None))
            except QuotaExceeded:
                at_limit.add(user)
        return frozenset(at_limit)

    async def handle_fault(self, fault: GameFault) -> str:
        """Log a fault once and freeze its game, if that is in progress; return the error id of the log line.

        Raises Refusal if the table cannot be loaded, StoreError.
        """
        if not fault.error_id:
            await self._run_to_end(self._handle_fault(fault))
        return fault.error_id

    async def match_file_text(self, number: int, viewer: Seat | None) -> str:
        """Return a table's match file as ``viewer`` may know it.  Raises Refusal, GameFault, StoreError."""
        table = await self.get(number)
        stored = await self.store.load(number)
        if table.match is None or stored is None:
            raise Refusal(status_refusal_text(table))
        return await game_logs.match_file_text(table, stored.records, viewer)

    async def wait_for_changes(self) -> None:
        """Wait for the changes in progress."""
        while self._running_changes:
            # Unlike gather() from Python 3.12 on, wait() lets the loop run also if all of them are done.
            await asyncio.wait(self._running_changes)

    async def _run_to_end(self, work: "asyncio._CoroutineLike[T]") -> T:
        """Run work in a task of its own, which a cancelled caller does not stop."""
        task = asyncio.get_running_loop().create_task(work)
        self._running_changes.add(task)
        task.add_done_callback(self._on_change_done)
        return await asyncio.shield(task)

    def _on_change_done(self, task: "asyncio.Task[Any]") -> None:
        self._running_changes.discard(task)
        if not task.cancelled():
            task.exception()  # marks it as retrieved: asyncio must not log a refusal whose caller is gone

    async def _load(self, number: int) -> Table:
        """Return a table, loaded and put into the cache if need be.  Its lock must be held."""
        cached = self._cache.get(number)
        if cached is not None:
            return cached
        frozen_table = await self._freeze_if_replay_differs(number)
        if frozen_table is not None:
            return frozen_table
        loaded = await self._loader.load(number)
        if isinstance(loaded, Decision):
            return await self._commit_freezing(loaded)
        self._cache.put(loaded)
        return loaded

    async def queue_replays(self) -> None:
        """Queue every game in progress for a replay, if the rules have changed.  Raises StoreError."""
        await self._replay_queue.fill()

    async def replay_all(self, rest_factor: float = 0.0) -> None:
        """Replay every game in progress, once after each change of the rules; freeze those that differ.

        ``rest_factor``: how long to rest after each, as a multiple of the time that it took.
        """
        await self.queue_replays()
        for number in self._replay_queue.numbers:
            began = monotonic()
            try:
                async with self._locks.of(number):
                    await self._freeze_if_replay_differs(number)
            except (StoreError, WorkersBusy):  # one table's fault must not hold up the others
                _log.exception("table not replayed", extra={"table": number})
            except UnreadableTable:
                continue  # the table is left as it is
            await asyncio.sleep(rest_factor * (monotonic() - began))
        await self._replay_queue.finish_if_empty()

    async def _freeze_if_replay_differs(self, number: int) -> Table | None:
        """Replay a table if it is in the queue; return it if this has frozen it."""
        decision = await self._replay_queue.replay(number)
        return None if decision is None else await self._commit_freezing(decision)

    async def _commit_freezing(self, decision: Decision) -> Table:
        """Store that a table was frozen as it was loaded; its clock stops as if no outage had been."""
        decision = replace(decision, table=await self._without_outage(decision.table))
        return (await self._commit(None, None, decision)).table

    async def _without_outage(self, table: Table) -> Table:
        """Return the table as if no time had passed in an outage that no check has ended yet."""
        now = int(self.clock())
        begin = await self.outages.outage_start(table.row.guild, now)
        if begin is None:
            return table
        return with_postponed_due_times(
            table, await self.person_preferences.get_many(table.row.users), begin, now
        )

    async def _open(self, decide: OpeningDecider, request: Request) -> ChangeResult:
        async with self._quota_lock:
            return await self._open_locked(decide, request, request.channel)

    async def _open_locked(
        self, decide: OpeningDecider, request: Request, channel: int, rematch_of: int | None = None
    ) -> ChangeResult:
        usage = await self.store.quota_usage(request.user, request.guild)
        try:
            if request.guild is not None:
                require_opening_rights(await self.server_preferences.get(request.guild), request, channel)
            require_opening_quotas(self._quotas, usage, self.clock())
        except (NotAllowedHere, QuotaExceeded) as refusal:
            raise await self._refusal_for_repeat(request, refusal) from None
        number = await self.store.next_table_number()
        decision = decide(number, secrets.token_bytes(SEED_BYTES), int(self.clock()))
        try:
            require_may_post(None, decision, request)
        except MayNotPost as refusal:
            raise await self._refusal_for_repeat(request, refusal) from None
        generation = parse_metadata_number(await self.store.get_metadata(GENERATION_KEY))
        table = decision.table.with_row(generation=generation)
        decision = replace(decision, table=table, rematch_of=rematch_of)
        return await self._commit(None, request, decision)

    async def _take_seat(
        self, number: int, request: Request, newcomer: int | NewcomerFinder, decide: Decider
    ) -> ChangeResult:
        async with self._quota_lock:
            table = await self.get(number)
            user = newcomer if isinstance(newcomer, int) else newcomer(table)
            if user is not None and table.seat_of(user) is None:  # else it is no further seat
                usage = await self.store.quota_usage(user, None)
                try:
                    require_seat_quota(self._quotas, usage, is_requester=user == request.user)
                except QuotaExceeded as refusal:
                    raise await self._refusal_for_repeat(request, refusal) from None
            return await self._change(number, request, decide)

    async def _change_that_may_start_game(
        self, number: int, request: Request | None, decide: ChannelDecider, channel: int | None
    ) -> ChangeResult:
        game_channel = (await self.get(number)).row.game_channel if channel is None else channel
        async with self._channel_locks.of(game_channel):
            is_busy = await self.store.is_channel_busy(game_channel)

            def decide_in_channel(table: Table) -> Decision | None:
                was_moved = channel is None and table.row.game_channel != game_channel
                return decide(table, is_channel_busy=is_busy or was_moved)

            return await self._change(number, request, decide_in_channel)

    async def _refusal_for_repeat(self, request: Request, refusal: Refusal) -> Refusal:
        """Return ``refusal``, or for a repeated interaction one with the interaction's first answer."""
        first_answer = await self._first_answer(request)
        return refusal if first_answer is None else Refusal(first_answer)

    async def _first_answer(self, request: Request | None) -> str | None:
        if request is None or request.interaction is None:
            return None
        return await self.store.find_answer(request.interaction)

    async def _open_rematch(
        self, ended_number: int, decide: OpeningDecider, request: Request
    ) -> ChangeResult:
        async with self._quota_lock, self._locks.of(ended_number):
            rematch_number = parse_metadata_number(await self.store.get_metadata(rematch_key(ended_number)))
            if rematch_number:
                with contextlib.suppress(UnreadableTable):  # nobody can join it, so another is opened
                    table = await self.get(rematch_number)
                    if table.status is Status.LOBBY:
                        return ChangeResult("", table, is_repeat=True)
            channel = with_rematch_channel(request, await self._load(ended_number)).channel
            return await self._open_locked(decide, request, channel, ended_number)

    async def _change(
        self, number: int, request: Request | None, decide: Decider, *, in_worker: bool = False
    ) -> ChangeResult:
        async with self._locks.of(number):
            loaded_table = await self._load(number)
            table = await self._without_outage(loaded_table)
            try:
                decision = await game_workers.run_game_work(
                    table, partial(decide_and_narrate, table, decide), in_worker=in_worker
                )
                if decision is not None:
                    require_may_post(table, decision, request)
            except Refusal as refusal:
                refusal.table_number = number
                first_answer = await self._first_answer(request)
                if first_answer is not None:
                    return ChangeResult(first_answer, loaded_table, is_repeat=True)
                raise
            except GameFault as fault:
                await self._log_and_freeze(table, fault)
                raise
            if decision is None:
                return ChangeResult("", loaded_table)
            if decision.fault is not None:
                await self._log_and_freeze(table, decision.fault)
            return await self._commit(loaded_table, request, decision)

    async def _commit(
        self, before: Table | None, request: Request | None, decision: Decision
    ) -> ChangeResult:
        """Store a decision; the result of a repeat has the answer and the table of the first time."""
        result = await self._committer.commit(before, request, decision)
        if isinstance(result, ChangeResult):
            return result
        is_same_table = before is not None and before.number == result.table_number
        table = before if before is not None and is_same_table else await self.get(result.table_number)
        return ChangeResult(result.answer, table, is_repeat=True)

    async def _handle_fault(self, fault: GameFault) -> None:
        async with self._locks.of(fault.table_number):
            await self._log_and_freeze(
                await self._without_outage(await self._load(fault.table_number)), fault
            )

    async def _log_and_freeze(self, table: Table, fault: GameFault) -> None:
        """Log a fault of a table's game, and freeze the game if it is in progress."""
        fault.error_id = new_error_id()
        if isinstance(fault, GameCallTimeout):
            await self._loader.mark_game_timed_out(table.number)
        log_fields = {
            "table": table.number,
            "game": table.game.key,
            "ply": table.row.ply,
            "error_id": fault.error_id,
        }
        self.metrics.faults.labels("game").inc()
        if table.status not in IN_PLAY:
            _log.error(
                "game fault at a table where no game goes on", exc_info=fault.__cause__, extra=log_fields
            )
            return
        _log.error("game frozen after a fault", exc_info=fault.__cause__, extra=log_fields)
        await self._commit(table, None, freeze_after_fault(table, fault.error_id))
