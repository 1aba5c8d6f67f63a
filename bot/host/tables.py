"""The tables in memory, and the one way to change one.

A change runs under its table's lock: decide (pure), store in one transaction, adopt, then wake whatever sends
and plays on.  It runs in a task of its own that a cancelled caller does not take down.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from time import time
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

import msgspec

from bot.error_ids import new_error_id
from bot.host import game_calls
from bot.host.cache import TableCache
from bot.host.decision import BOARD, Decision, notice
from bot.host.play import no_game_text
from bot.host.quotas import UNLIMITED, Quotas, TooMany, may_open, may_sit
from bot.host.replay_check import find_divergence, rules_fingerprint
from bot.host.table import (
    GOING_ON,
    GameFault,
    Games,
    Refusal,
    Request,
    Table,
    guard,
    record_rows,
    unpack,
    unplayable,
)
from bot.metrics import Metrics
from bot.store.protocol import GENERATION, Store, StoreError, Undecodable
from bot.store.rows import LIVE, Change, Status, StoredTable, Summary
from rules.catalogue import EARLIER
from rules.game import Seat, find_rules

Clock: TypeAlias = Callable[[], float]
"""Seconds since 1970."""
Decider: TypeAlias = Callable[[Table], Decision]
"""From a table to what an act makes of it; raises Refusal."""
Watcher: TypeAlias = Callable[[Table], None]
"""Told of every change, after it is stored."""


_log = logging.getLogger(__name__)


class Answer(msgspec.Struct, frozen=True):
    """What the one who acted is told.  ``repeated``: this interaction had been answered before."""

    text: str
    table: Table
    repeated: bool = False


class NoSuchTable(Refusal):
    """There is no table of that number (any more)."""


class Unreadable(Refusal):
    """What is stored of a table cannot be taken up: it stays as it is, and the other tables go on."""


class ResponseExpired(Refusal):
    """The answer could no longer be shown, so the act was not done."""


PROVED: Final = "proved by rules"
"""The setting that names the rules by which all games that go on have been replayed."""


class Tables:
    """Every table: load, change, look up."""

    def __init__(
        self,
        store: Store,
        games: Games,
        clock: Clock = time,
        metrics: Metrics | None = None,
        quotas: Quotas = UNLIMITED,
        *,
        earlier: Games = EARLIER,
    ) -> None:
        """``games``: the catalogue; ``clock``: for tests; ``earlier``: rules that running games keep."""
        self._quotas = quotas
        self.metrics = metrics or Metrics()
        self.store = store
        self.games = games
        self._rules: Games = {**earlier, **games}
        self.clock = clock
        self._cache = TableCache()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._limits = asyncio.Lock()
        """Held by whatever counts against a limit, and taken before a table's own lock, never within one."""
        self._watchers: list[Watcher] = []
        self._changes: set[asyncio.Task[Answer]] = set()

    def watch(self, watcher: Watcher) -> None:
        """Have every stored change told to ``watcher``."""
        self._watchers.append(watcher)

    async def get(self, number: int) -> Table:
        """A table as it is.  Raises NoSuchTable, Unreadable, StoreError."""
        held = self._cache.get(number)
        if held is not None:
            return held
        async with self._lock(number):
            return await self._load(number)

    def held(self, number: int) -> Table | None:
        """A table if it is in memory."""
        return self._cache.get(number)

    async def open(self, decide: Callable[[int, bytes, int], Decision], request: Request) -> Answer:
        """Make a new table: ``decide(number, seed, now)``."""
        return await self._own_task(self._open(decide, request))

    async def reopen(
        self, ended: int, decide: Callable[[int, bytes, int], Decision], request: Request
    ) -> Answer:
        """Make the table that follows another, once; ``repeated`` if it stands already."""
        return await self._own_task(self._reopen(ended, decide, request))

    async def change(self, number: int, request: Request | None, decide: Decider) -> Answer:
        """Change a table.  Raises Refusal (nothing changed; Unheard too), StoreError (nothing changed)."""
        return await self._own_task(self._change(number, request, decide))

    async def seat(self, number: int, request: Request, user: int, decide: Decider) -> Answer:
        """Change a table so that ``user`` takes a seat.  Raises what ``change`` raises, and TooMany."""
        return await self._own_task(self._seat(number, request, user, decide))

    async def freeze(self, fault: GameFault) -> str:
        """Freeze the game that failed, if it goes on.  Returns the reference to the log's line."""
        if not fault.error_id:
            await self._own_task(self._freeze_shown(fault))
        return fault.error_id

    async def match_file(self, number: int, viewer: Seat | None) -> str:
        """Write a table's match file as ``viewer`` may know it.  Raises Refusal, GameFault, StoreError."""
        table = await self.get(number)
        stored = await self.store.load(number)
        if table.match is None or stored is None:
            raise Refusal(no_game_text(table))
        return await asyncio.to_thread(game_calls.match_text, table, stored.records, viewer)

    async def settle(self) -> None:
        """Wait for the changes under way."""
        while self._changes:
            await asyncio.gather(*self._changes, return_exceptions=True)

    async def table_at(self, channel: int) -> Table:
        """The table of a channel: the live one played here, else the newest.  Raises NoSuchTable."""
        found = await self.store.tables_at(channel)
        if not found:
            raise NoSuchTable("There is no table here. Open one with `/newgame`.")
        return await self.get(min(found, key=lambda summary: _nearness(summary, channel)).number)

    async def busy(self, channel: int) -> bool:
        """Whether a game goes on in this channel or thread."""
        found = await self.store.tables_at(channel)
        return any(s.home == channel and s.status in LIVE and s.status is not Status.LOBBY for s in found)

    def _lock(self, number: int) -> asyncio.Lock:
        lock = self._locks.get(number)
        if lock is None:
            lock = self._locks[number] = asyncio.Lock()
        return lock

    async def _own_task(self, work: "asyncio._CoroutineLike[Answer]") -> Answer:
        task = asyncio.get_running_loop().create_task(work)
        self._changes.add(task)
        task.add_done_callback(self._changed)
        return await asyncio.shield(task)

    def _changed(self, task: "asyncio.Task[Answer]") -> None:
        self._changes.discard(task)
        if not task.cancelled():
            task.exception()  # a caller that is gone asks no more: a refusal is then no fault to be logged

    async def _load(self, number: int) -> Table:
        held = self._cache.get(number)
        if held is None:
            stored = await self._stored(number)
            if stored is None or stored.table.game not in self.games:
                raise NoSuchTable(f"There is no table No. {number}.")
            held = await self._taken_up(stored)
            self._cache.put(held)
        return held

    async def _taken_up(self, stored: StoredTable) -> Table:
        """A stored table unpacked; frozen where its rules are not these.  Raises Unreadable."""
        row = stored.table
        begun = row.status in GOING_ON
        if begun and find_rules(self._rules, row.game, row.rules_version) is None:
            return await self._freeze_differing(stored)
        try:
            return unpack(stored, self._rules).told()
        except Exception as error:  # whatever is wrong with one table must stay with it
            if begun:
                return await self._freeze_differing(stored, error)
            if row.status is Status.FROZEN:
                _log.warning("a frozen table cannot be played", exc_info=error, extra={"table": row.number})
                return unplayable(row, self._rules)
            raise self._unreadable(row.number) from error

    def _unreadable(self, number: int) -> Unreadable:
        """Log what is being handled and count it; what to tell whoever asks."""
        error_id = new_error_id()
        _log.exception("a table cannot be taken up", extra={"table": number, "ref": error_id})
        self.metrics.faults.labels("table").inc()
        unreadable = Unreadable(
            f"Something is wrong with table No. {number}, so it rests. Nothing of it is lost:"
            " whoever runs me has to look at it."
        )
        unreadable.table, unreadable.error_id = number, error_id
        return unreadable

    async def replay_all(self) -> None:
        """Replay every game that goes on, once for each release of the rules; freeze those that differ."""
        fingerprint = await asyncio.to_thread(rules_fingerprint)
        if await self.store.setting(PROVED) == fingerprint:
            return
        complete = True
        for number in await self.store.begun():
            try:
                await self._prove(number)
            except StoreError:  # one table's fault must not keep the bot from starting
                _log.exception("a table could not be replayed", extra={"table": number})
                complete = False
            except Unreadable:
                continue  # it rests
        if complete:
            await self.store.keep_setting(PROVED, fingerprint)

    async def _prove(self, number: int) -> None:
        async with self._lock(number):
            stored = await self._stored(number)
            if stored is None or stored.table.game not in self.games:
                return
            if await asyncio.to_thread(find_divergence, stored, self._rules) is not None:
                await self._freeze_differing(stored)

    async def _stored(self, number: int) -> StoredTable | None:
        """What is stored of a table.  Raises Unreadable, StoreError."""
        try:
            return await self.store.load(number)
        except Undecodable as error:  # whatever is wrong with one table must stay with it
            raise self._unreadable(number) from error

    async def _freeze_differing(self, stored: StoredTable, error: Exception | None = None) -> Table:
        """Freeze a table that these rules play differently, and say from which record on."""
        row = stored.table
        flaw = await asyncio.to_thread(find_divergence, stored, self._rules)
        ply = 0 if flaw is None else flaw.ply
        error_id = new_error_id()
        _log.error(
            "a game is frozen: these rules play it differently",
            exc_info=error,
            extra={"table": row.number, "game": row.game, "record": ply, "ref": error_id},
        )
        self.metrics.faults.labels("table").inc()
        where = f" from record {ply} on" if ply else ""
        text = (
            f"This game is frozen: the rules in this version of me are not those it was begun with{where}."
            f" Nothing is lost; whoever runs me can mend it. (ref {error_id})"
        )
        frozen = unplayable(row, self._rules).frozen()
        answer = await self._store(
            None, None, Decision(table=frozen, answer=text, deliveries=(notice(text),))
        )
        return answer.table

    async def _open(self, decide: Callable[[int, bytes, int], Decision], request: Request) -> Answer:
        async with self._limits:
            return await self._opened(decide, request)

    async def _opened(self, decide: Callable[[int, bytes, int], Decision], request: Request) -> Answer:
        held = await self.store.holdings(request.user, request.guild)
        try:
            may_open(self._quotas, held, self.clock())
        except TooMany as refusal:
            raise await self._known(request, refusal) from None
        number = await self.store.next_number()
        decision = decide(number, secrets.token_bytes(32), int(self.clock()))
        generation = int(await self.store.setting(GENERATION) or 0)
        decision = replace(decision, table=decision.table.with_row(generation=generation))
        return await self._store(None, request, decision)

    async def _seat(self, number: int, request: Request, user: int, decide: Decider) -> Answer:
        async with self._limits:
            held = await self.store.holdings(user, None)
            try:
                may_sit(self._quotas, held, "You sit" if user == request.user else "That person sits")
            except TooMany as refusal:
                raise await self._known(request, refusal) from None
            return await self._change(number, request, decide)

    async def _known(self, request: Request, refusal: Refusal) -> Refusal:
        """The refusal, or for a repeat what was answered then."""
        known = None if request.interaction is None else await self.store.answered(request.interaction)
        return refusal if known is None else Refusal(known)

    async def _reopen(
        self, ended: int, decide: Callable[[int, bytes, int], Decision], request: Request
    ) -> Answer:
        async with self._limits, self._lock(ended):
            follower = await self.store.setting(f"follower of {ended}")
            if follower is not None:
                table = await self.get(int(follower))
                if table.status is Status.LOBBY:
                    return Answer("", table, repeated=True)
            answer = await self._opened(decide, request)
            await self.store.keep_setting(f"follower of {ended}", str(answer.table.number))
            return answer

    async def _change(self, number: int, request: Request | None, decide: Decider) -> Answer:
        async with self._lock(number):
            table = await self._load(number)
            try:
                with guard(number):
                    decision = decide(table)
                    # told before it is stored: words that fail must not fail after the commit
                    decision = replace(decision, table=decision.table.told())
            except Refusal as refusal:
                refusal.table = number
                if request is not None and request.interaction is not None:
                    known = await self.store.answered(request.interaction)
                    if known is not None:
                        return Answer(known, table, repeated=True)
                raise
            except GameFault as fault:
                await self._freeze(table, fault)
                raise
            return await self._store(table, request, decision)

    async def _store(self, before: Table | None, request: Request | None, decision: Decision) -> Answer:
        if (
            request is not None
            and request.response_gate is not None
            and not await request.response_gate.confirmed()
        ):
            raise ResponseExpired("That took too long, so nothing was done. Please try again.")
        after = decision.table.with_row(version=decision.table.row.version + 1)
        now = int(self.clock())
        change = Change(
            table=after.row,
            reply=decision.repeat or decision.answer,
            interaction=request.interaction if request else None,
            records=record_rows(before, after, request, now),
            deliveries=decision.deliveries,
            intervention=decision.intervention,
            user=request.user if request else None,
            at=now,
        )
        try:
            with self.metrics.commit():
                repeated = await self.store.commit(change)
        except StoreError:
            self._cache.evict(after.number)
            raise
        if repeated is not None:
            same = before is not None and before.number == repeated.table
            table = before if before is not None and same else await self.get(repeated.table)
            return Answer(repeated.reply, table, repeated=True)
        self.metrics.moves.labels(after.game.key).inc(len(change.records))
        self._cache.put(after)
        for watcher in self._watchers:
            watcher(after)
        return Answer(decision.answer, after)

    async def _freeze_shown(self, fault: GameFault) -> Answer:
        async with self._lock(fault.table):
            table = await self._load(fault.table)
            await self._freeze(table, fault)
            return Answer(fault.error_id, table)

    async def _freeze(self, table: Table, fault: GameFault) -> None:
        """Keep a table as it is after a fault in its game; the others go on."""
        fault.error_id = new_error_id()
        about = {"table": table.number, "game": table.game.key, "ply": table.row.ply, "ref": fault.error_id}
        self.metrics.faults.labels("game").inc()
        if table.status not in GOING_ON:
            _log.error("game fault at a table where no game goes on", exc_info=fault.__cause__, extra=about)
            return
        _log.error("game frozen after a fault", exc_info=fault.__cause__, extra=about)
        text = (
            "Something went wrong in this game, so it is frozen as it stands."
            f" Nothing is lost: the bot's operator can fix this. (ref {fault.error_id})"
        )
        frozen = Decision(table=table.frozen(), answer=text, deliveries=(notice(text), BOARD))
        await self._store(table, None, frozen)


def _nearness(summary: Summary, channel: int) -> tuple[bool, bool, int]:
    going_on = summary.status in LIVE
    return not (going_on and summary.home == channel), not going_on, -summary.number
