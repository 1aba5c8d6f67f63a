"""The protocols of the store and its backups, and their errors.

A change is one transaction: the interaction's id, the table, its records and its deliveries.
Every method is atomic, and what it has confirmed survives power loss.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import msgspec

from bot.store.delivery_rows import Backlog, Delivery, PendingPost, PostedMessage, ReplacedMessage
from bot.store.personal_export import PersonalData
from bot.store.preferences import PersonRow, PreferencesRowT, ServerAuditEntry, ServerRow
from bot.store.results import ResultPlayer, ResultsVersion, StoredResult
from bot.store.rows import (
    Change,
    PendingAnswer,
    PruneProgress,
    QuotaUsage,
    RepeatedInteraction,
    Status,
    StoredTable,
    TableListing,
)

BOT_LAST_SEEN_KEY: Final = "last seen"
"""The metadata key of the time when the bot last ran and could be reached, in seconds since 1970."""
GENERATION_KEY: Final = "generation"
"""The metadata key of the number of times that a backup was restored."""
HIGHEST_LOST_NUMBER_KEY: Final = "highest lost"
"""The metadata key of the highest number of a table that was lost."""

RowCounts: TypeAlias = Mapping[str, int]
"""How much a database holds: rows by SQL table, and the sum of all tables' versions."""


MAX_METADATA_NUMBER: Final = 2**32 - 1
"""The highest generation or number of a table: ids made from a generation must fit into SQLite's 64 bits."""


def is_metadata_number(text: str) -> bool:
    """Whether a text of the metadata is a number from 0 to ``MAX_METADATA_NUMBER``."""
    is_short_number = text.isascii() and text.isdecimal() and len(text) < 20  # int() refuses a long one
    return is_short_number and int(text) <= MAX_METADATA_NUMBER


def parse_metadata_number(text: str | None) -> int:
    """Return a number of the metadata; 0 if it is not set, or damaged."""
    return int(text) if text is not None and is_metadata_number(text) else 0


def rematch_key(ended_number: int) -> str:
    """Return the metadata key under which the number of an ended game's newest rematch is stored.

    A change with ``Change.rematch_of`` stores it.
    """
    return f"rematch of {ended_number}"


def host_warning_key(number: int) -> str:
    """Return the metadata key under which the problem of a channel is stored that a table's host knows."""
    return f"host of {number} warned"


class Divergence(msgspec.Struct, frozen=True):
    """Where and why a stored game replays differently in this release."""

    ply: int
    """The ply of the first record that differs; 0 if none does, or if the fault lies before the first."""
    reason: str
    """One line for the operator, without a full stop."""
    quotes_data: bool = False
    """Whether the reason may quote private text: show it only to an operator who asked for this table."""

    @property
    def redacted_text(self) -> str:
        """The divergence in one line, without what it quotes."""
        if not self.quotes_data:
            return str(self)
        return f"record {self.ply} differs" if self.ply else "it cannot be replayed"

    def __str__(self) -> str:
        """Return the place and the reason as one line."""
        return f"record {self.ply}: {self.reason}" if self.ply else self.reason


ReplayCheck: TypeAlias = Callable[[StoredTable], Divergence | None]
"""Returns why a stored table does not replay to its snapshot; None if it does."""


class Backup(msgspec.Struct, frozen=True, order=True):
    """A verified copy of the database."""

    made_at: int
    """Seconds since 1970."""
    path: Path

    @property
    def time_text(self) -> str:
        """When it was made, for operators."""
        return utc_text(self.made_at)


def utc_text(moment: float) -> str:
    """Return a time, given in seconds since 1970, for operators: "2026-11-29 18:05 UTC"."""
    return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M UTC")


class StoreError(Exception):
    """The store failed (disk full, damaged, locked).  Nothing was changed."""


class UndecodableTable(StoreError):
    """One stored table cannot be decoded; the others are not affected."""


class UndecodablePreferences(StoreError):
    """The preferences of a person or a server cannot be decoded."""


class StaleWrite(StoreError):
    """The table has changed since it was read.  Nothing was changed."""


class DatabaseFileLost(StoreError):
    """The database's file was deleted or replaced while it is open: only a backup holds what is stored."""


class BackupFailed(StoreError):
    """No verified copy could be made.  The database itself is as it was."""


class Backups(Protocol):
    """Verified copies of the database."""

    async def confirm_current(self) -> bool:
        """Return whether nothing has changed since the newest verified copy; False if there is none.

        If so, the copy counts as covering everything up to now.  Raises StoreError, OSError.
        """
        ...

    async def newest(self) -> Backup | None:
        """Return the newest verified copy; None if there is none.  Raises OSError."""
        ...

    async def make(self, now: float) -> Backup:
        """Copy, verify, and delete the copies that the retention policy drops.  Raises BackupFailed."""
        ...


class Store(Protocol):
    """Tables with their records and deliveries, results, preferences, and metadata of the store itself."""

    async def close(self) -> None:
        """Finish what is queued and close the file."""
        ...

    async def next_table_number(self) -> int:
        """Return the number for the next table."""
        ...

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Store a change and return None; for a repeated interaction, store nothing and return its answer.

        Raises StaleWrite, StoreError.
        """
        ...

    async def find_answer(self, interaction: int) -> str | None:
        """Return the stored answer to an interaction that has changed something; None if none is stored."""
        ...

    async def unconfirmed_answers(self) -> tuple[PendingAnswer, ...]:
        """Return the answers to changes that are not known to have arrived, oldest first."""
        ...

    async def mark_answered(self, interactions: Sequence[int]) -> None:
        """Store that the answers to interactions have arrived, or that nobody waits for them."""
        ...

    async def load(self, number: int) -> StoredTable | None:
        """Return a table, or None if there is none.  Raises UndecodableTable, StoreError."""
        ...

    async def tables_waiting_for_computers(self) -> tuple[int, ...]:
        """Return the tables at which a computer player is to act.

        Also those with a computer player at which nobody knows who is to act, since their game has failed.
        """
        ...

    async def tables_in_play(self) -> tuple[int, ...]:
        """Return the tables whose game is played or paused."""
        ...

    async def live_tables_of_user(self, user: int) -> tuple[TableListing, ...]:
        """Return the live tables at which a user sits, oldest first."""
        ...

    async def live_tables_hosted_without_seat(self, user: int, guild: int) -> tuple[TableListing, ...]:
        """Return the live tables of a server that a user hosts without a seat, oldest first."""
        ...

    async def tables_of_user_ended_early(self, user: int, since: int, count: int) -> tuple[TableListing, ...]:
        """Return the last games without a result that ended early with a user in a seat, the newest first.

        Games from which the user had resigned, and those that ended before ``since``, are left out.
        """
        ...

    async def live_tables_in_server(self, guild: int) -> tuple[TableListing, ...]:
        """Return the live tables of a server, newest first."""
        ...

    async def tables_in_channel(self, channel: int) -> tuple[TableListing, ...]:
        """Return at most 25 tables opened or played in a channel: live ones, then others, newest first."""
        ...

    async def is_channel_busy(self, channel: int) -> bool:
        """Return whether a game in a channel or thread is played, paused or frozen."""
        ...

    async def tables_with_deliveries(self) -> tuple[int, ...]:
        """Return the tables with waiting deliveries."""
        ...

    async def waiting_deliveries(self, number: int) -> tuple[Delivery, ...]:
        """Return a table's waiting deliveries, oldest first."""
        ...

    async def mark_delivered(
        self,
        delivery: Delivery,
        ply: int,
        posted: PostedMessage | None,
        replaced: ReplacedMessage | None = None,
    ) -> None:
        """Mark a delivery as sent; what waits in its slot still waits, since each slot goes in order.

        ``ply``: of the table that was shown.
        ``posted``: the message that was sent, which is stored; None if there is none.
        ``replaced``: the message whose place it took.  It becomes the message of the turn that it shows, if
        that needs one, or a new delivery removes its buttons.
        """
        ...

    async def set_pending_post(self, delivery: Delivery, post: PendingPost | None) -> bool:
        """Store that a delivery is being posted and the outcome is unknown; None: it is known.

        Return False, without a change, if the delivery does not wait any more.
        """
        ...

    async def postpone(self, delivery: Delivery, due: float, reason: str = "") -> None:
        """Set when a delivery is tried again.  ``reason``: what it waits for, such as ``BLOCKED``."""
        ...

    async def make_deliveries_due(self, number: int) -> None:
        """Make all of a table's waiting deliveries due now."""
        ...

    async def mark_failed(self, delivery: Delivery, reason: str) -> None:
        """Mark a delivery as failed for good, with the reason."""
        ...

    async def posted_messages(self, number: int) -> tuple[PostedMessage, ...]:
        """Return the newest message of each slot of a table."""
        ...

    async def messages_for_delivery(self, delivery: Delivery) -> tuple[PostedMessage, ...]:
        """Return those messages of a table that matter to a delivery: all only if its post may be lost."""
        ...

    async def due_tables(self, now: int) -> tuple[int, ...]:
        """Return the tables with a timer that is due at ``now``."""
        ...

    async def quota_usage(self, user: int, guild: int | None) -> QuotaUsage:
        """Return what counts against a user's quotas, and against their server's."""
        ...

    async def numbers_of_tables_naming(self, user: int, after: int, limit: int) -> tuple[int, ...]:
        """Return the next ``limit`` numbers above ``after`` of tables whose rows may name a user."""
        ...

    async def personal_data(self, user: int) -> PersonalData:
        """Return what is stored about a user, by subject, ready for JSON."""
        ...

    async def backlog(self, now: float) -> Backlog:
        """Return how many deliveries wait to be sent, and the next one of each slot."""
        ...

    async def require_file(self) -> None:
        """Raise DatabaseFileLost if the database's path no longer leads to its file."""
        ...

    async def prune(self, before: int, progress: PruneProgress, limit: int) -> PruneProgress | None:
        """Look at the next ``limit`` rows of each SQL table; delete what is old and not needed any more.

        ``before``: the time before which a row is old, in seconds since 1970.
        Return where to go on; None after the last rows.
        """
        ...

    async def count_by_status(self) -> dict[Status, int]:
        """Return the number of tables of each status."""
        ...

    async def results_of_game(self, game_key: str, after_id: int = 0) -> tuple[StoredResult, ...]:
        """Return a game's results with ids above ``after_id``, the oldest first."""
        ...

    async def last_results_in_server(self, guild: int, count: int) -> tuple[StoredResult, ...]:
        """Return the last results of a server, the newest first."""
        ...

    async def results_version(self, game_key: str) -> ResultsVersion:
        """Return the version of a game's results: equal ones have equal content."""
        ...

    async def last_own_results_of_user(self, user: int, count: int) -> tuple[ResultPlayer, ...]:
        """Return how a user's last games ended for them, the newest first."""
        ...

    async def results_of_user(self, user: int) -> tuple[StoredResult, ...]:
        """Return the results of all games in which a user took part, the oldest first."""
        ...

    async def last_results_of_user(self, user: int, since: int, count: int) -> tuple[StoredResult, ...]:
        """Return a user's last results, the newest first; none from before ``since``."""
        ...

    async def preferences(
        self, row_type: type[PreferencesRowT], keys: Collection[int]
    ) -> Mapping[int, PreferencesRowT]:
        """Return the stored preferences of people or servers, by key.  Raises UndecodablePreferences."""
        ...

    async def save_preferences(
        self, row: PersonRow | ServerRow, audit_entry: ServerAuditEntry | None = None
    ) -> None:
        """Store the preferences of a person or a server.  ``audit_entry``: for a server's audit log."""
        ...

    async def delete_preferences(self, row_type: type[PersonRow | ServerRow], key: int) -> None:
        """Delete the preferences of a person or a server, and a person's id from the servers' audit logs."""
        ...

    async def last_server_audit_entries(self, guild: int, count: int) -> tuple[ServerAuditEntry, ...]:
        """Return what the admins of a server changed last, the newest first."""
        ...

    async def get_metadata(self, key: str) -> str | None:
        """Return a value of the store's metadata, such as of ``BOT_LAST_SEEN_KEY``; None if it is not set."""
        ...

    async def set_bot_last_seen(self, at: int) -> None:
        """Store the time under ``BOT_LAST_SEEN_KEY``; this does not count as a change that needs a backup."""
        ...

    async def servers_of_tables_with_timers(self) -> Mapping[int, int | None]:
        """Return the server of each table at which something falls due; None for a table in no server."""
        ...

    async def servers_with_frozen_tables(self) -> frozenset[int]:
        """Return the servers of the frozen tables, at which nothing falls due."""
        ...

    async def set_metadata(self, key: str, value: str) -> None:
        """Set a value of the store's metadata."""
        ...
