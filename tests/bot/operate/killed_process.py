"""A process that is killed at a named point of its work, and what it had answered and sent before."""

import asyncio
import os
import random
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from bot.config import StorageSettings
from bot.host.courier_protocol import Attempt, DeliveryResult
from bot.host.outbox import Outbox
from bot.host.table import Table
from bot.host.tables import Tables
from bot.operate.restore import restore
from bot.store import backup, backup_folder, connection, file_copy, migrations, restoring, sqlite
from bot.store.backup_folder import create_partial_file
from bot.store.delivery_rows import Delivery, PostedMessage, ReplacedMessage, Slot
from bot.store.rows import Change, RepeatedInteraction, Status
from bot.store.sqlite import SqliteStore, open_store
from bot.store.tables import write_change
from rules.catalogue import GAMES
from tests.bot.host.playing import begin, make_move, request_of_person, restart_interaction_ids
from tests.bot.host.playing_process import EarlyAnsweringStore, OutputPipe, PipeCourier
from tests.bot.operate.databases import NOW, SETUP, make_backup
from tests.bot.store.later_release import later_release
from tests.bot.store.sample_rows import execute_sql

# Points of one piece of work, in their order: run_until_killed kills at one of them.
PLAYING_POINTS: Final = (
    "commit begun",
    "commit written",
    "commit done",
    "answer ahead",
    "answer given",
    "delivery ahead",
    "delivery sent",
    "delivery settled",
)
MIGRATING_POINTS: Final = ("migration ahead", "migration half", "migration done")
BACKUP_POINTS: Final = ("backup begun", "backup copied", "backup verified", "backup named")
RESTORING_POINTS: Final = tuple(
    f"restore {step}" for step in ("copied", "tables stored", "flushed", "kept", "replaced")
)


class KillPoint:
    """Kills this process at a named point of its work, the ``nth`` time that it is reached."""

    def __init__(self, point: str, nth: int = 1) -> None:
        """Kill at ``point``, which has not been reached yet."""
        self._point = point
        self._times_left = nth

    def reach(self, point: str) -> None:
        """Kill the process if this is the point, and for the ``nth`` time."""
        if point == self._point:
            self._times_left -= 1
            if self._times_left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)

    def wrap(self, work: Callable[..., Any], *, before: str = "", after: str = "") -> Callable[..., Any]:
        """Return a function that does ``work`` between two points."""

        def work_between_points(*args: Any, **kwargs: Any) -> Any:
            self.reach(before)
            result = work(*args, **kwargs)
            self.reach(after)
            return result

        return work_between_points


def run_until_killed(point: str, folder: str, seed: int, with_defect: bool) -> None:  # noqa: FBT001 - a process's arguments
    """Work until the process is killed at ``point``; answers and deliveries go to ``folder``/output."""
    storage = StorageSettings(Path(folder) / "tables.db", Path(folder) / "backups")
    rng = random.Random(seed)
    kind = point.partition(" ")[0]
    match kind:
        case "commit" | "answer" | "delivery":
            output = OutputPipe(os.open(Path(folder) / "output", os.O_CREAT | os.O_WRONLY | os.O_APPEND))
            asyncio.run(
                _play(storage, output, KillPoint(point, rng.randint(1, 12)), rng, with_defect=with_defect)
            )
        case "migration":
            asyncio.run(_migrate(storage, KillPoint(point), with_defect=with_defect))
        case "backup":
            asyncio.run(_back_up(storage, KillPoint(point), with_defect=with_defect))
        case _:
            asyncio.run(_restore(storage, KillPoint(point), with_defect=with_defect))


class KillableStore(SqliteStore):
    """A store with points after a commit and after a delivery."""

    kill_point: KillPoint

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Store, then reach a point."""
        repeated = await super().commit(change)
        self.kill_point.reach("commit done")
        return repeated

    async def mark_delivered(
        self,
        delivery: Delivery,
        ply: int,
        posted: PostedMessage | None,
        replaced: ReplacedMessage | None = None,
    ) -> None:
        """Mark as sent, then reach a point."""
        await super().mark_delivered(delivery, ply, posted, replaced)
        self.kill_point.reach("delivery settled")


class KillableCourier(PipeCourier):
    """A courier with points before and after it sends."""

    def __init__(self, pipe: OutputPipe, kill_point: KillPoint) -> None:
        """Report to ``pipe`` what is sent."""
        super().__init__(pipe)
        self._kill_point = kill_point

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> DeliveryResult:
        """Send between two points."""
        self._kill_point.reach("delivery ahead")
        sent = await super().deliver(delivery, table, posted_messages, attempt)
        self._kill_point.reach("delivery sent")
        return sent


async def _play(
    storage: StorageSettings,
    output: OutputPipe,
    kill_point: KillPoint,
    rng: random.Random,
    *,
    with_defect: bool,
) -> None:
    killable_commit = kill_point.wrap(write_change, before="commit begun", after="commit written")
    store = await open_store(storage.database)
    store.__class__ = EarlyAnsweringStore if with_defect else KillableStore
    store.kill_point = kill_point  # type: ignore[attr-defined]
    tables = Tables(store, GAMES)
    await Outbox(tables, KillableCourier(output, kill_point)).start()
    ((handled_count,),) = await execute_sql(store, "select count(*) from inbox")
    restart_interaction_ids(10_000_000 * (1 + handled_count))
    tables_in_play = await store.tables_in_play()
    number = tables_in_play[0] if tables_in_play else await begin(tables, SETUP)
    with patch.object(sqlite, "write_change", killable_commit):
        while True:
            table = await tables.get(number)
            if table.status is not Status.PLAYING:
                number = await begin(tables, SETUP)
                continue
            assert table.to_act is not None
            request = request_of_person(table.to_act)
            result = await make_move(tables, number, rng, request.interaction)
            kill_point.reach("answer ahead")
            output.write_line(
                "answered", request.interaction, number, result.table.row.ply, result.table.move_count
            )
            kill_point.reach("answer given")
            await asyncio.sleep(0.002)


async def _migrate(storage: StorageSettings, kill_point: KillPoint, *, with_defect: bool) -> None:
    original_statements = migrations._split_statements

    def statements_with_kill_points(script: str) -> Iterator[str]:
        for statement in original_statements(script):
            yield statement
            kill_point.reach("migration half")

    def migrate_without_transaction(connection: sqlite3.Connection, steps: Any) -> None:
        """Seeded defect: no transaction around the steps."""
        if connection.in_transaction:
            connection.execute("rollback")
        migrations._apply(connection, steps)

    def migrate_with_kill_points(connection: sqlite3.Connection, steps: Any) -> None:
        """Migrate the database; the check of its backup, which migrates a new one, has no kill points."""
        with patch.object(migrations, "_split_statements", statements_with_kill_points):
            (migrate_without_transaction if with_defect else migrations.migrate)(connection, steps)

    killable_migrate = kill_point.wrap(
        migrate_with_kill_points, before="migration ahead", after="migration done"
    )
    copy_before_migrating = backup.make_pre_migration_copier(storage.backup_folder, lambda: NOW)
    with later_release(), patch.object(connection, "migrate", killable_migrate):
        await open_store(storage.database, copy_before_migrating)


async def _back_up(storage: StorageSettings, kill_point: KillPoint, *, with_defect: bool) -> None:
    store = await open_store(storage.database)
    with (
        patch.object(backup, "copy_file", kill_point.wrap(file_copy.copy_file, before="backup begun")),
        patch.object(
            backup,
            "create_partial_file",
            name_before_verifying if with_defect else backup_folder.create_partial_file,
        ),
        patch.object(backup, "verify_copy", kill_point.wrap(backup.verify_copy, before="backup copied")),
        patch.object(
            backup, "finish_copy", kill_point.wrap(backup_folder.finish_copy, before="backup verified")
        ),
        patch.object(
            backup,
            "find_backups_to_delete",
            kill_point.wrap(backup_folder.find_backups_to_delete, before="backup named"),
        ),
    ):
        await make_backup(store, storage, NOW + 60)


def name_before_verifying(folder: Path, now: float) -> Path:
    """Seeded defect: a backup has its final name before it is verified."""
    partial = create_partial_file(folder, now)
    return partial.rename(partial.with_name(partial.name.removesuffix(backup_folder.PARTIAL_SUFFIX)))


async def _restore(storage: StorageSettings, kill_point: KillPoint, *, with_defect: bool) -> None:
    def replace_with_a_gap(
        new_path: Path, path: Path, kept_path: Path, on_step: Callable[[str], None]
    ) -> None:
        """Seeded defect: for a moment there is no database."""
        path.rename(kept_path)
        on_step("kept")
        new_path.rename(path)

    replace = replace_with_a_gap if with_defect else restoring.replace_database
    with patch("bot.operate.restore.replace_database", replace):
        await restore(storage, GAMES, NOW + 60, on_step=lambda step: kill_point.reach(f"restore {step}"))
