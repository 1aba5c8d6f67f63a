"""The tables in memory, and the one way to change one.

A change runs under its table's lock: decide (pure), store in one transaction, adopt, then wake whatever sends
and plays on.  It runs in a task of its own that a cancelled caller does not take down.
"""

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from time import time
from typing import Final, TypeAlias
from weakref import WeakValueDictionary

import msgspec

from bot.host.decision import BOARD, Decision, notice
from bot.host.table import Act, Games, Refusal, Table, unpack
from bot.store.protocol import (
    LIVE,
    Change,
    RecordRow,
    Status,
    Store,
    StoreError,
    Summary,
)
from rules import notation
from rules.game import HOUSE, Seat

Clock: TypeAlias = Callable[[], float]
"""Seconds since 1970."""
Decider: TypeAlias = Callable[[Table], Decision]
"""From a table to what an act makes of it; raises Refusal."""
Watcher: TypeAlias = Callable[[Table], None]
"""Told of every change, after it is stored."""

KEPT_IN_MEMORY: Final = 512
"""Tables held unpacked; any other is loaded when it is asked for."""

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


class Tables:
    """Every table: load, change, look up."""

    def __init__(self, store: Store, games: Games, clock: Clock = time) -> None:
        """``games``: the catalogue; ``clock``: for tests."""
        self.store = store
        self.games = games
        self.clock = clock
        self._held: OrderedDict[int, Table] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._opening = asyncio.Lock()
        self._watchers: list[Watcher] = []
        self._changes: set[asyncio.Task[Answer]] = set()

    def watch(self, watcher: Watcher) -> None:
        """Have every stored change told to ``watcher``."""
        self._watchers.append(watcher)

    async def get(self, number: int) -> Table:
        """A table as it is.  Raises NoSuchTable, Unreadable, StoreError."""
        held = self._held.get(number)
        if held is not None:
            self._held.move_to_end(number)
            return held
        async with self._lock(number):
            return await self._load(number)

    def held(self, number: int) -> Table | None:
        """A table if it is in memory."""
        return self._held.get(number)

    async def open(self, decide: Callable[[int, bytes, int], Decision], act: Act) -> Answer:
        """Make a new table: ``decide(number, seed, now)``."""
        return await self._own_task(self._open(decide, act))

    async def reopen(self, ended: int, decide: Callable[[int, bytes, int], Decision], act: Act) -> Answer:
        """Make the table that follows another, once; ``repeated`` if it stands already."""
        return await self._own_task(self._reopen(ended, decide, act))

    async def change(self, number: int, act: Act | None, decide: Decider) -> Answer:
        """Change a table.  Raises Refusal (nothing changed), StoreError (nothing changed)."""
        return await self._own_task(self._change(number, act, decide))

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
        held = self._held.get(number)
        if held is None:
            stored = await self.store.load(number)
            if stored is None or stored.table.game not in self.games:
                raise NoSuchTable(f"There is no table No. {number}.")
            try:
                held = unpack(stored, self.games).told()
            except Exception as error:  # whatever is wrong with one table must stay with it
                _log.exception("table %d cannot be taken up", number)
                raise Unreadable(
                    f"Something is wrong with table No. {number}, so it rests. Nothing of it is lost:"
                    " whoever runs me has to look at it."
                ) from error
            self._hold(held)
        return held

    def _hold(self, table: Table) -> None:
        self._held[table.number] = table.told()
        self._held.move_to_end(table.number)
        while len(self._held) > KEPT_IN_MEMORY:
            self._held.popitem(last=False)

    async def _open(self, decide: Callable[[int, bytes, int], Decision], act: Act) -> Answer:
        async with self._opening:
            number = await self.store.next_number()
            decision = decide(number, secrets.token_bytes(32), int(self.clock()))
            return await self._store(None, act, decision)

    async def _reopen(self, ended: int, decide: Callable[[int, bytes, int], Decision], act: Act) -> Answer:
        async with self._lock(ended):
            follower = await self.store.setting(f"follower of {ended}")
            if follower is not None:
                table = await self.get(int(follower))
                if table.status is Status.LOBBY:
                    return Answer("", table, repeated=True)
            answer = await self._open(decide, act)
            await self.store.keep_setting(f"follower of {ended}", str(answer.table.number))
            return answer

    async def _change(self, number: int, act: Act | None, decide: Decider) -> Answer:
        async with self._lock(number):
            table = await self._load(number)
            try:
                decision = decide(table)
            except Refusal:
                if act is not None and act.interaction is not None:
                    known = await self.store.answered(act.interaction)
                    if known is not None:
                        return Answer(known, table, repeated=True)
                raise
            except Exception:
                await self._freeze(table)
                raise
            return await self._store(table, act, decision)

    async def _store(self, before: Table | None, act: Act | None, decision: Decision) -> Answer:
        after = decision.table.with_row(version=decision.table.row.version + 1)
        now = int(self.clock())
        change = Change(
            table=after.row,
            reply=decision.repeat or decision.answer,
            interaction=act.interaction if act else None,
            records=_records(before, after, act, now),
            deliveries=decision.deliveries,
            intervention=decision.intervention,
            user=act.user if act else None,
            at=now,
        )
        try:
            repeated = await self.store.commit(change)
        except StoreError:
            self._held.pop(after.number, None)
            raise
        if repeated is not None:
            same = before is not None and before.number == repeated.table
            table = before if before is not None and same else await self.get(repeated.table)
            return Answer(repeated.reply, table, repeated=True)
        self._hold(after)
        for watcher in self._watchers:
            watcher(after)
        return Answer(decision.answer, after)

    async def _freeze(self, table: Table) -> None:
        """Keep a table as it is after a fault in its game; the others go on."""
        if table.status is not Status.PLAYING:
            return
        _log.exception("table %d is frozen: fault in game %s", table.number, table.game.key)
        text = "Something went wrong in this game, so it is frozen as it stands. Nothing is lost."
        frozen = Decision(
            table=table.with_row(status=Status.FROZEN), answer=text, deliveries=(notice(text), BOARD)
        )
        await self._store(table, None, frozen)


def _nearness(summary: Summary, channel: int) -> tuple[bool, bool, int]:
    going_on = summary.status in LIVE
    return not (going_on and summary.home == channel), not going_on, -summary.number


def _records(before: Table | None, after: Table, act: Act | None, now: int) -> tuple[RecordRow, ...]:
    match = after.match
    if match is None or (before is not None and before.row.ply == match.ply):
        return ()
    first = match.ply - len(match.fresh) + 1
    acting = before.seat_of(act.user) if before is not None and act is not None else None
    return tuple(
        RecordRow(
            ply=ply,
            actor=record.actor,
            action=notation.write(record.action),
            auto=record.auto,
            user=_user(record.actor, acting, act),
            at=now,
        )
        for ply, record in enumerate(match.fresh, first)
    )


def _user(actor: int, acting: Seat | None, act: Act | None) -> int | None:
    """Who made a record: the seat's player, or for the house whoever oversees."""
    if act is None:
        return None
    return act.user if actor in {acting, HOUSE} else None
