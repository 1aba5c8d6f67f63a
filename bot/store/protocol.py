"""What the host asks of a store.

A change is one transaction: the interaction's id, the table, its records and what must be sent.
Every method is all or nothing, and what it confirmed survives power loss.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import msgspec

from bot.store.rows import (
    Backlog,
    Change,
    Delivery,
    PendingPost,
    PostedMessage,
    PruneCursor,
    QuotaUsage,
    RepeatedInteraction,
    Status,
    StoredTable,
    Summary,
)

GENERATION: Final = "generation"
"""The setting that counts how often a backup was restored."""
NUMBERS_USED: Final = "numbers used"
"""The setting that names the highest number of a table that was lost."""

Counts: TypeAlias = Mapping[str, int]
"""How much a database holds: rows by table, and the sum of all versions."""
Sample: TypeAlias = Mapping[int, StoredTable | None]
"""Some tables as they are stored; None: it does not read."""


class Divergence(msgspec.Struct, frozen=True):
    """Why a stored game cannot go on under this release."""

    ply: int
    """The first record that differs; 0: none does, or what comes before them."""
    reason: str
    """One line for the operator."""
    quotes: bool = False
    """The reason may quote a private text: show it only to an operator who asked for this table."""

    @property
    def told(self) -> str:
        """One line that quotes nothing."""
        if not self.quotes:
            return str(self)
        return f"record {self.ply} differs" if self.ply else "it cannot be replayed"

    def __str__(self) -> str:
        """One line with everything."""
        return f"record {self.ply}: {self.reason}" if self.ply else self.reason


ReplayCheck: TypeAlias = Callable[[StoredTable], Divergence | None]
"""Returns why a stored table does not replay to its snapshot; None if it does."""


class Backup(msgspec.Struct, frozen=True, order=True):
    """A verified copy of the database."""

    made_at: int
    """Seconds since 1970."""
    path: Path


class StoreError(Exception):
    """The store failed (disk full, damaged, locked).  Nothing was changed."""


class UndecodableTable(StoreError):
    """One stored table cannot be decoded; the others are not affected."""


class StaleWrite(StoreError):
    """The table has changed since it was read.  Nothing was changed."""


class BackupFailed(StoreError):
    """No verified copy could be made.  The database itself is as it was."""


class Backups(Protocol):
    """Verified copies of the database."""

    async def is_current(self) -> bool:
        """Whether nothing has changed since the newest verified copy."""
        ...

    async def newest(self) -> Backup | None:
        """The newest verified copy."""
        ...

    async def make(self, now: float) -> Backup:
        """Copy, verify, and delete the copies that the retention policy drops.  Raises BackupFailed."""
        ...


class Store(Protocol):
    """Tables, their records, deliveries and settings."""

    async def close(self) -> None:
        """Finish what is queued and close the file."""
        ...

    async def next_number(self) -> int:
        """The number of the next table."""
        ...

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Store a change.  Repeated: this interaction was known.  Raises StaleWrite, StoreError."""
        ...

    async def find_reply(self, interaction: int) -> str | None:
        """What this interaction was answered, if it was one that changed something."""
        ...

    async def load(self, number: int) -> StoredTable | None:
        """A table, or None.  Raises Undecodable, StoreError."""
        ...

    async def tables_with_computers(self) -> tuple[int, ...]:
        """The tables whose game goes on with a computer player."""
        ...

    async def started_tables(self) -> tuple[int, ...]:
        """Return the tables whose game is played or paused."""
        ...

    async def tables_of(self, user: int) -> tuple[Summary, ...]:
        """The live tables at which a user sits, oldest first."""
        ...

    async def tables_at(self, channel: int) -> tuple[Summary, ...]:
        """The tables whose home or lobby is this channel: live ones first, newest first, at most 25."""
        ...

    async def tables_with_deliveries(self) -> tuple[int, ...]:
        """The tables that have something to send."""
        ...

    async def deliveries(self, number: int) -> tuple[Delivery, ...]:
        """What a table has to send, oldest first."""
        ...

    async def delivered(self, delivery: Delivery, ply: int, posted: PostedMessage | None) -> None:
        """Mark as sent, with everything of its slot up to ``ply``; remember where it stands."""
        ...

    async def set_pending(self, delivery: Delivery, post: PendingPost | None) -> None:
        """Store that a post's outcome is unknown, or (None) that nothing of it is pending."""
        ...

    async def postpone(self, delivery: Delivery, due: float, reason: str = "") -> None:
        """Try again at ``due``; ``reason``: what it waits for, where that is known."""
        ...

    async def retry_now(self, number: int) -> None:
        """Make all that a table has to send due now."""
        ...

    async def give_up(self, delivery: Delivery, reason: str) -> None:
        """Mark a delivery as given up; it is kept with the reason."""
        ...

    async def posted_messages(self, number: int) -> tuple[PostedMessage, ...]:
        """Where a table's messages stand."""
        ...

    async def expired_lobbies(self, now: int) -> tuple[int, ...]:
        """Return the lobbies whose time is over."""
        ...

    async def quota_usage(self, user: int, guild: int | None) -> QuotaUsage:
        """What somebody holds, and their server."""
        ...

    async def backlog(self, now: float) -> Backlog:
        """What waits to be sent."""
        ...

    async def prune(self, before: int, sweep: PruneCursor, most: int) -> PruneCursor | None:
        """Forget the settled ones of the next ``most`` rows from before a time; None: those were the last."""
        ...

    async def count_by_status(self) -> dict[Status, int]:
        """How many tables there are of each status."""
        ...

    async def setting(self, key: str) -> str | None:
        """Return a value that the bot has stored for itself."""
        ...

    async def set_setting(self, key: str, value: str) -> None:
        """Store a value."""
        ...
