"""The store on SQLite.  One method is one function on the connection's thread (``bot.store.connection``)."""

import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

from bot.store import table_lists
from bot.store.connection import Connection, UnchangingFile, open_connection
from bot.store.damaged_texts import DECODING_ERRORS, readable_texts
from bot.store.deliveries import (
    make_deliveries_due,
    mark_delivered,
    mark_failed,
    messages_for_delivery,
    posted_messages_of,
    read_backlog,
    set_pending_post,
    waiting_deliveries,
)
from bot.store.delivery_rows import Backlog, Delivery, PendingPost, PostedMessage, ReplacedMessage
from bot.store.generations import begin_generation, next_table_number, table_versions
from bot.store.personal_data import numbers_of_tables_naming
from bot.store.personal_export import PersonalData, personal_data
from bot.store.preferences import (
    PersonRow,
    PreferencesRowT,
    ServerAuditEntry,
    ServerRow,
    delete_preferences,
    last_server_audit_entries,
    load_preferences,
    save_preferences,
)
from bot.store.protocol import (
    BOT_LAST_SEEN_KEY,
    DatabaseFileLost,
    StoreError,
    UndecodablePreferences,
)
from bot.store.pruning import prune
from bot.store.results import (
    ResultPlayer,
    ResultsVersion,
    StoredResult,
    last_own_results_of_user,
    last_results_in_server,
    last_results_of_user,
    results_of_game,
    results_of_user,
    results_version,
)
from bot.store.rows import (
    Change,
    PendingAnswer,
    PruneProgress,
    QuotaUsage,
    RepeatedInteraction,
    Status,
    StoredTable,
    TableListing,
    TableVersion,
)
from bot.store.tables import find_repeat, load_table, mark_answered, unconfirmed_answers, write_change


class SqliteStore:
    """``bot.store.protocol.Store`` in one file."""

    def __init__(self, connection: Connection) -> None:
        """``connection`` is open; ``open_store`` makes both it and the store."""
        self._connection = connection

    async def close(self) -> None:
        """Finish the queued work and close the file."""
        await self._connection.close()

    # Tables -----------------------------------------------------------------------------------------

    async def next_table_number(self) -> int:
        """Return one more than the highest number that a table has or had."""
        return await self._connection.run(next_table_number)

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Store a change in one transaction: its interaction, table, records and deliveries."""
        return await self._connection.transact(lambda connection: write_change(connection, change))

    async def find_answer(self, interaction: int) -> str | None:
        """Return the answer to an interaction; None if it is not known."""
        repeat = await self._connection.run(lambda connection: find_repeat(connection, interaction))
        return None if repeat is None else repeat.answer

    async def unconfirmed_answers(self) -> tuple[PendingAnswer, ...]:
        """Return the answers that are not known to have arrived."""
        return await self._connection.run(unconfirmed_answers)

    async def mark_answered(self, interactions: Sequence[int]) -> None:
        """Store that the answers to interactions have arrived, or that they are not waited for."""
        await self._connection.transact(lambda connection: mark_answered(connection, interactions))

    async def load(self, number: int) -> StoredTable | None:
        """Return a table with its seats and records."""
        return await self._connection.run(lambda connection: load_table(connection, number))

    async def tables_waiting_for_computers(self) -> tuple[int, ...]:
        """Return the tables at which a computer player is to act, or may have to."""
        rows = await self._select_rows(
            "select distinct match from matches join seats on match = number"
            " where status = ? and (computer is not null or substitute is not null)"
            " and (to_act is null or seat = to_act) order by match",
            (Status.PLAYING.value,),
        )
        return tuple(number for (number,) in rows)

    async def tables_in_play(self) -> tuple[int, ...]:
        """Return the tables whose game is played or paused."""
        statuses = (Status.PLAYING.value, Status.PAUSED.value)
        rows = await self._select_rows(
            "select number from matches where status in (?, ?) order by number", statuses
        )
        return tuple(number for (number,) in rows)

    async def live_tables_of_user(self, user: int) -> tuple[TableListing, ...]:
        """Return the live tables at which a user sits, oldest first."""
        return await self._connection.run(partial(table_lists.live_tables_of_user, user=user))

    async def live_tables_hosted_without_seat(self, user: int, guild: int) -> tuple[TableListing, ...]:
        """Return the live tables of a server that a user hosts without a seat, oldest first."""
        return await self._connection.run(
            partial(table_lists.live_tables_hosted_without_seat, user=user, guild=guild)
        )

    async def tables_of_user_ended_early(self, user: int, since: int, count: int) -> tuple[TableListing, ...]:
        """Return the last games without a result that ended early with a user in a seat, the newest first."""
        return await self._connection.run(
            partial(table_lists.tables_of_user_ended_early, user=user, since=since, count=count)
        )

    async def live_tables_in_server(self, guild: int) -> tuple[TableListing, ...]:
        """Return the live tables of a server, newest first."""
        return await self._connection.run(partial(table_lists.live_tables_in_server, guild=guild))

    async def tables_in_channel(self, channel: int) -> tuple[TableListing, ...]:
        """Return at most 25 tables opened or played in a channel: live ones, then others, newest first."""
        return await self._connection.run(partial(table_lists.tables_in_channel, channel=channel))

    async def is_channel_busy(self, channel: int) -> bool:
        """Return whether a game in a channel or thread is played, paused or frozen."""
        return await self._connection.run(partial(table_lists.is_channel_busy, channel=channel))

    async def _select_rows(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[int, ...]]:
        return await self._connection.run(lambda connection: connection.execute(sql, parameters).fetchall())

    # Outbox and posted messages ----------------------------------------------------------------------

    async def tables_with_deliveries(self) -> tuple[int, ...]:
        """Return the tables with waiting deliveries."""
        rows = await self._select_rows(
            "select distinct match from outbox indexed by outbox_waiting where state = 'waiting'"
            " order by match"
        )
        return tuple(number for (number,) in rows)

    async def waiting_deliveries(self, number: int) -> tuple[Delivery, ...]:
        """Return a table's waiting deliveries, oldest first."""
        return await self._connection.run(lambda connection: waiting_deliveries(connection, number))

    async def mark_delivered(
        self,
        delivery: Delivery,
        ply: int,
        posted: PostedMessage | None,
        replaced: ReplacedMessage | None = None,
    ) -> None:
        """Mark a delivery as sent; what waits in its slot still waits."""
        await self._connection.transact(
            lambda connection: mark_delivered(connection, delivery, ply, posted, replaced)
        )

    async def set_pending_post(self, delivery: Delivery, post: PendingPost | None) -> bool:
        """Store that a delivery is being posted and the outcome is unknown; None: it is known."""
        return await self._connection.transact(
            lambda connection: set_pending_post(connection, delivery, post)
        )

    async def postpone(self, delivery: Delivery, due: float, reason: str = "") -> None:
        """Set when a delivery is tried again, and what it waits for."""
        await self._connection.transact(
            lambda connection: connection.execute(
                "update outbox set attempts = attempts + 1, due = ?, reason = ? where id = ?",
                (due, reason, delivery.id),
            )
        )

    async def make_deliveries_due(self, number: int) -> None:
        """Make all of a table's waiting deliveries due now."""
        await self._connection.transact(lambda connection: make_deliveries_due(connection, number))

    async def mark_failed(self, delivery: Delivery, reason: str) -> None:
        """Mark a delivery as failed for good, with the reason."""
        await self._connection.transact(lambda connection: mark_failed(connection, delivery, reason))

    async def posted_messages(self, number: int) -> tuple[PostedMessage, ...]:
        """Return the newest message of each slot of a table."""
        return await self._connection.run(lambda connection: posted_messages_of(connection, number))

    async def messages_for_delivery(self, delivery: Delivery) -> tuple[PostedMessage, ...]:
        """Return the messages of a table that matter to a delivery."""
        return await self._connection.run(lambda connection: messages_for_delivery(connection, delivery))

    # Quotas, personal data, backlog and pruning -------------------------------------------------------

    async def quota_usage(self, user: int, guild: int | None) -> QuotaUsage:
        """Return what counts against a user's quotas, and against their server's."""
        return await self._connection.run(partial(table_lists.quota_usage, user=user, guild=guild))

    async def numbers_of_tables_naming(self, user: int, after: int, limit: int) -> tuple[int, ...]:
        """Return the next ``limit`` numbers above ``after`` of tables whose rows may name a user."""
        return await self._connection.run(
            lambda connection: numbers_of_tables_naming(connection, user, after, limit)
        )

    async def personal_data(self, user: int) -> PersonalData:
        """Return what is stored about a user, by subject, ready for JSON."""
        return await self._connection.run(lambda connection: personal_data(connection, user))

    async def backlog(self, now: float) -> Backlog:
        """Return how many deliveries wait to be sent, and the next one of each slot."""
        return await self._connection.run(lambda connection: read_backlog(connection, now))

    async def prune(self, before: int, progress: PruneProgress, limit: int) -> PruneProgress | None:
        """Look at the next ``limit`` rows of each SQL table; delete what is old and not needed any more."""
        return await self._connection.transact(lambda connection: prune(connection, before, progress, limit))

    async def count_by_status(self) -> dict[Status, int]:
        """Return the number of tables of each status."""
        return await self._connection.run(table_lists.count_by_status)

    # Timers, results, preferences and metadata ------------------------------------------------------

    async def due_tables(self, now: int) -> tuple[int, ...]:
        """Return the tables with a timer that is due at ``now``."""
        rows = await self._select_rows("select match from timers where due <= ? order by due", (now,))
        return tuple(dict.fromkeys(number for (number,) in rows))

    async def results_of_game(self, game_key: str, after_id: int = 0) -> tuple[StoredResult, ...]:
        """Return a game's results with ids above ``after_id``, the oldest first."""
        return await self._connection.run(lambda connection: results_of_game(connection, game_key, after_id))

    async def last_results_in_server(self, guild: int, count: int) -> tuple[StoredResult, ...]:
        """Return the last results of a server, the newest first."""
        return await self._connection.run(lambda connection: last_results_in_server(connection, guild, count))

    async def results_version(self, game_key: str) -> ResultsVersion:
        """Return the version of a game's results."""
        return await self._connection.run(lambda connection: results_version(connection, game_key))

    async def last_own_results_of_user(self, user: int, count: int) -> tuple[ResultPlayer, ...]:
        """Return how a user's last games ended for them, the newest first."""
        return await self._connection.run(
            lambda connection: last_own_results_of_user(connection, user, count)
        )

    async def results_of_user(self, user: int) -> tuple[StoredResult, ...]:
        """Return the results of all games in which a user took part, the oldest first."""
        return await self._connection.run(lambda connection: results_of_user(connection, user))

    async def last_results_of_user(self, user: int, since: int, count: int) -> tuple[StoredResult, ...]:
        """Return a user's last results, the newest first; none from before ``since``."""
        return await self._connection.run(
            lambda connection: last_results_of_user(connection, user, since, count)
        )

    async def preferences(
        self, row_type: type[PreferencesRowT], keys: Collection[int]
    ) -> Mapping[int, PreferencesRowT]:
        """Return the stored preferences of people or servers, by key."""

        def work(connection: sqlite3.Connection) -> Mapping[int, PreferencesRowT]:
            try:
                return load_preferences(connection, row_type, keys)
            except DECODING_ERRORS as error:
                raise UndecodablePreferences(f"A {row_type.__name__} cannot be decoded.") from error

        return await self._connection.run(work)

    async def save_preferences(
        self, row: PersonRow | ServerRow, audit_entry: ServerAuditEntry | None = None
    ) -> None:
        """Store the preferences of a person or a server.  ``audit_entry``: for a server's audit log."""
        await self._connection.transact(lambda connection: save_preferences(connection, row, audit_entry))

    async def delete_preferences(self, row_type: type[PersonRow | ServerRow], key: int) -> None:
        """Delete the preferences of a person or a server, and a person's id from the servers' audit logs."""
        await self._connection.transact(lambda connection: delete_preferences(connection, row_type, key))

    async def last_server_audit_entries(self, guild: int, count: int) -> tuple[ServerAuditEntry, ...]:
        """Return what the admins of a server changed last, the newest first."""
        return await self._connection.run(
            lambda connection: last_server_audit_entries(connection, guild, count)
        )

    async def get_metadata(self, key: str) -> str | None:
        """Return a value of the store's metadata; None if it is not set."""

        def work(connection: sqlite3.Connection) -> str | None:
            with readable_texts(connection):
                row = connection.execute("select value from settings where key = ?", (key,)).fetchone()
            return None if row is None else str(row[0])

        return await self._connection.run(work)

    async def set_bot_last_seen(self, at: int) -> None:
        """Store when the bot last ran and could be reached; it is not counted as a change."""

        def work(connection: sqlite3.Connection) -> None:
            changes_before = connection.total_changes
            sql = "insert or replace into settings (key, value) values (?, ?)"
            connection.execute(sql, (BOT_LAST_SEEN_KEY, str(at)))
            self._connection.uncounted_change_count += connection.total_changes - changes_before

        await self._connection.transact(work)

    async def servers_of_tables_with_timers(self) -> Mapping[int, int | None]:
        """Return the server of each table at which something falls due; None for a table in no server."""
        # The cross join reads the timers first: few of all tables have one.
        sql = "select distinct number, guild from timers cross join matches on number = match"
        return await self._connection.run(lambda connection: dict(connection.execute(sql).fetchall()))

    async def servers_with_frozen_tables(self) -> frozenset[int]:
        """Return the servers of the frozen tables, at which nothing falls due."""
        sql = "select distinct guild from matches where status = ? and guild is not null"
        return frozenset(guild for (guild,) in await self._select_rows(sql, (Status.FROZEN.value,)))

    async def set_metadata(self, key: str, value: str) -> None:
        """Set a value of the store's metadata."""
        await self._connection.transact(
            lambda connection: connection.execute(
                "insert or replace into settings (key, value) values (?, ?)", (key, value)
            )
        )

    # Restored backups -------------------------------------------------------------------------------

    async def versions(self) -> dict[int, TableVersion]:
        """Return the version of each table."""
        return await self._connection.run(table_versions)

    async def begin_generation(
        self, generation: int, highest_lost_number: int, restored_tables: tuple[int, ...]
    ) -> None:
        """Begin a generation after a backup was restored, so that no number or nonce is used twice.

        ``highest_lost_number``: the highest number of a table that the backup does not have; 0: it has all.
        ``restored_tables``: the tables that went back to an earlier state: boards and hands are posted anew.
        """
        await self._connection.transact(
            lambda connection: begin_generation(connection, generation, highest_lost_number, restored_tables)
        )

    # Copies -----------------------------------------------------------------------------------------

    async def require_file(self) -> None:
        """Raise DatabaseFileLost if the database's path no longer leads to its file.

        Raises StoreError if the path cannot be followed.
        """
        try:
            is_in_place = await self._connection.run(lambda _: self._connection.is_file_in_place())
        except OSError as error:
            raise StoreError(f"The path {self._connection.path} cannot be followed: {error}") from error
        if not is_in_place:
            raise DatabaseFileLost(
                f"The file {self._connection.path} was deleted or replaced while the bot uses it."
            )

    async def change_count(self) -> int:
        """Return how many rows this connection has changed, without those of ``set_bot_last_seen``.

        As long as the count is equal, nothing else has changed.
        """
        return await self._connection.run(self._connection.change_count)

    def unchanging_file(self) -> AbstractAsyncContextManager[UnchangingFile]:
        """Yield the database's file, with all that is stored now; nothing is written to it in the context.

        Changes that are made meanwhile go to the write-ahead log.  Raises StoreError, OSError.
        """
        return self._connection.unchanging_file()


async def open_store(
    path: Path | str,
    before_migrating: Callable[[sqlite3.Connection], None] | None = None,
    *,
    may_create: bool = True,
) -> SqliteStore:
    """Open the store, or create it.  Parameters and errors are those of ``open_connection``."""
    return SqliteStore(await open_connection(path, before_migrating, may_create=may_create))
