"""T11: whatever two people, the clock, restarts and the platform do to a table in whatever order."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.errors import FlakyStrategyDefinition
from hypothesis.stateful import run_state_machine_as_test

from bot.host.committer import ChangeResult
from bot.host.delivery_order import Priority, priority_of
from bot.host.outbox import Outbox
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Decider, Tables
from bot.store.delivery_rows import DeliveryKind, Slot
from bot.store.protocol import StaleWrite
from bot.store.rows import Change, RepeatedInteraction
from bot.store.sqlite import SqliteStore
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS
from tests.bot.trust.state_machine import TableMachine
from tests.trials import cases, trial_count

TABLE_COUNT = trial_count(short=12, soak=3000)
STEP_COUNT = trial_count(short=40, soak=100)
_SETTINGS = settings(
    database=None,
    derandomize=True,
    print_blob=False,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)


def explore(
    machine: type[TableMachine], table_count: int, step_count: int = STEP_COUNT, *, shrink: bool = True
) -> None:
    """Try so many tables; a failure is made small before it is reported."""
    phases = (Phase.generate, Phase.shrink) if shrink else (Phase.generate,)
    run_state_machine_as_test(
        machine,
        settings=settings(_SETTINGS, max_examples=table_count, stateful_step_count=step_count, phases=phases),
    )


@pytest.mark.trust_test("T11")
@pytest.mark.parametrize("game_key", GAMES_AND_TOYS)
def test_random_operations_keep_the_promises(game_key: str, add_trials: Callable[[int], None]) -> None:
    """T11: P2, P3, P5 and P10 hold after every step, and in the end every move has its board."""

    class OfThisGame(TableMachine):
        key = game_key

    count = -(-TABLE_COUNT // len(GAMES_AND_TOYS))
    explore(OfThisGame, count)
    add_trials(count)


# The defects that it must catch ------------------------------------------------------------------------


class StoreWithoutInbox(SqliteStore):
    """Seeded defect: interactions are not remembered."""

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Forget who asked."""
        return await super().commit(msgspec.structs.replace(change, interaction=None))


class StoreWithOldSnapshot(SqliteStore):
    """Seeded defect: the records are written, the snapshot stays what it was at the start."""

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Keep the first snapshot."""
        self.first_snapshot = getattr(self, "first_snapshot", None) or change.row.snapshot
        row = msgspec.structs.replace(change.row, snapshot=self.first_snapshot)
        return await super().commit(msgspec.structs.replace(change, row=row))


class StoreWithoutSomeBoards(SqliteStore):
    """Seeded defect: now and then no board is stored to be sent."""

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Forget the board of every seventh version."""
        deliveries = change.deliveries
        if change.row.version % 7 == 0:
            deliveries = tuple(each for each in deliveries if each.slot.kind is not DeliveryKind.BOARD)
        return await super().commit(msgspec.structs.replace(change, deliveries=deliveries))


class StoreWithoutNotices(SqliteStore):
    """Seeded defect: what a moderator does is stored, but not announced."""

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Drop the notice of an audit entry."""
        announced = change.audit_entry or None
        deliveries = tuple(each for each in change.deliveries if each.text != announced)
        return await super().commit(msgspec.structs.replace(change, deliveries=deliveries))


class StoreWithoutAuditEntries(SqliteStore):
    """Seeded defect: what a moderator does is announced, but not stored."""

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Drop the audit entry."""
        return await super().commit(msgspec.structs.replace(change, audit_entry=""))


class TablesWithoutPlyCheck(Tables):
    """Seeded defect: the ply at which a choice was offered is not checked."""

    async def _change(
        self, number: int, request: Request | None, decide: Decider, *, in_worker: bool = False
    ) -> ChangeResult:
        if isinstance(decide, partial) and "ply" in decide.keywords:
            decide = partial(decide, ply=None)
        return await super()._change(number, request, decide, in_worker=in_worker)


class TablesWithoutShield(Tables):
    """Seeded defect: a change runs in its caller's task."""

    async def _run_to_end(self, work: Any) -> Any:
        return await work


class TablesWhereEverybodyModerates(Tables):
    """Seeded defect: every user counts as an admin of the table's own server."""

    async def _change(
        self, number: int, request: Request | None, decide: Decider, *, in_worker: bool = False
    ) -> ChangeResult:
        if isinstance(decide, partial) and request is not None:
            table = await self.get(number)
            decide = partial(
                decide, request=msgspec.structs.replace(request, guild=table.row.guild, is_admin=True)
            )
        return await super()._change(number, request, decide, in_worker=in_worker)


class OutboxWithStaleDrawings(Outbox):
    """Seeded defect: each time the table is drawn as it was at the delivery before."""

    async def _deliver(self, delivery: Any) -> bool:
        real = self._tables.get
        table = await real(delivery.table_number)
        previous: Table = getattr(self, "previous_table", table)
        self.previous_table = table

        async def get(number: int) -> Table:
            return previous

        self._tables.get = get  # type: ignore[method-assign]
        try:
            return await super()._deliver(delivery)
        finally:
            self._tables.get = real  # type: ignore[method-assign]


class OutboxWithUnorderedNotices(Outbox):
    """Seeded defect: a notice that waits does not hold up the next one."""

    async def _deliver_due(self, number: int, priority: Priority) -> float | None:
        now = self._tables.clock()
        held_up: set[Slot | int] = set()
        for delivery in await self._tables.store.waiting_deliveries(number):
            if delivery.slot in held_up or priority_of(delivery) is not priority:
                continue
            if delivery.due <= now and await self._deliver(delivery):
                return 0.0
            held_up.add(delivery.slot if delivery.slot.keeps_only_newest else delivery.id)
        return None


class OutboxWithoutRetries(Outbox):
    """Seeded defect: what could not be sent once is given up."""

    async def _postpone(self, delivery: Any, *_: object, **__: object) -> None:
        await self._tables.store.mark_failed(delivery, "no patience")


DEFECTS: dict[str, tuple[dict[str, Any], str]] = {
    "no inbox": ({"store_type": StoreWithoutInbox}, "done twice|was refused|not the confirmed"),
    "old snapshot": ({"store_type": StoreWithOldSnapshot}, "disagree|snapshot"),
    "no board": ({"store_type": StoreWithoutSomeBoards}, "no board|without a board"),
    "unannounced": ({"store_type": StoreWithoutNotices}, "not announced"),
    "unrecorded": ({"store_type": StoreWithoutAuditEntries}, "not recorded"),
    "no ply check": ({"tables_type": TablesWithoutPlyCheck}, "must not be done|not one answer"),
    "no shield": ({"tables_type": TablesWithoutShield}, "disagree|nconsistent|changed by somebody else"),
    "anybody may": ({"tables_type": TablesWhereEverybodyModerates}, "must not be done"),
    "stale drawing": ({"outbox_type": OutboxWithStaleDrawings}, "older board|without a board"),
    "overtaking": ({"outbox_type": OutboxWithUnorderedNotices}, "out of order"),
    "no retry": ({"outbox_type": OutboxWithoutRetries}, "given up"),
}
"""Seeded defects, and what the failure must speak of."""
QUICKLY_FOUND: Final = tuple(
    name for name in DEFECTS if name not in {"stale drawing", "overtaking", "no retry"}
)
"""The search finds these within seconds."""


@pytest.mark.trust_test("T11", sensitivity=True)
@pytest.mark.parametrize("name", cases(DEFECTS, *QUICKLY_FOUND))
def test_each_defect_is_caught(name: str) -> None:
    """The machine above finds the defect."""
    attributes, message = DEFECTS[name]
    machine = type("Broken", (TableMachine,), {"key": KEY_OF_GAME_WITH_SECRETS, **attributes})
    with pytest.raises((AssertionError, ExceptionGroup, FlakyStrategyDefinition, StaleWrite), match=message):
        explore(machine, 3_000, 40, shrink=False)
