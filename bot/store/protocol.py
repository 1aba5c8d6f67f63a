"""What the host asks of a store.

A change is one transaction: the interaction's id, the table, its records and what must be sent.
Every method is all or nothing, and what it confirmed survives power loss.
"""

import enum
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import msgspec


class Status(enum.Enum):
    """Where a table is in its life."""

    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    LAPSED = "lapsed"
    """The lobby was closed or nobody started it in time."""
    ENDED = "ended"
    """Ended early by its host or an admin."""
    FROZEN = "frozen"
    """A fault in this game: kept as it is until somebody has looked at it."""


LIVE = (Status.LOBBY, Status.PLAYING, Status.PAUSED, Status.FROZEN)
"""The states in which a table may still change."""


class DirectMessages(enum.Enum):
    """What is known of a player's direct messages."""

    OPEN = "open"
    CLOSED = "closed"
    TRIED = "tried"
    """They were closed, and the player was told; one more message is on its way."""


class SeatRow(msgspec.Struct, frozen=True, gc=False):
    """Who sits at a seat: a person (``user``) or a computer player (``computer``, its key)."""

    name: str
    user: int | None = None
    computer: str | None = None
    direct_messages: DirectMessages = DirectMessages.OPEN


class UndoRequest(msgspec.Struct, frozen=True, gc=False):
    """An undo that waits for the others' consent; void as soon as the ply has changed."""

    seat: int
    keep: int
    ply: int
    agreed: tuple[int, ...] = ()
    """The seats that have agreed so far."""
    refused: bool = False
    """Somebody would rather not: the same question is not asked again."""


class TableRow(msgspec.Struct, frozen=True, gc=False):
    """A table without its records.  Times are seconds since 1970."""

    number: int
    """What people call it: "No. 12"."""
    game: str
    rules_version: int
    options: str
    """As ``rules.options`` writes them."""
    status: Status
    host: int
    """The user who opened it."""
    guild: int | None
    lobby_channel: int
    home: int
    """The channel or thread where it is played."""
    seed: bytes
    opened_at: int
    lapses_at: int | None
    version: int = 0
    """Counts the changes; the guard of every write."""
    ply: int = 0
    snapshot: bytes | None = None
    seats: tuple[SeatRow, ...] = ()
    undo_request: UndoRequest | None = None
    generation: int = 0
    """How often a backup had been restored when this table was opened or went back: its buttons carry it."""
    restored_to: int | None = None
    """The move that a restored backup took it back to; None if it never went back."""
    was_paused: bool = False
    """When it was frozen; it is paused again when it is thawed."""

    def frozen(self) -> "TableRow":
        """The table as it stands, kept until somebody has looked at it."""
        paused = self.was_paused if self.status is Status.FROZEN else self.status is Status.PAUSED
        return msgspec.structs.replace(self, status=Status.FROZEN, was_paused=paused)

    def __repr__(self) -> str:
        """Name the table; the seed and the snapshot stay secret."""
        return f"TableRow(number={self.number}, game={self.game!r}, ply={self.ply}, status={self.status})"


class RecordRow(msgspec.Struct, frozen=True, gc=False):
    """One record of a match, as text (``rules.notation``)."""

    ply: int
    actor: int
    action: str
    auto: bool
    user: int | None
    """Who acted; None for chance and computers."""
    at: int


class DeliveryKind(enum.Enum):
    """What is to be sent.  The content is drawn when it is delivered, from the table as it is then."""

    LOBBY = "lobby"
    THREAD = "thread"
    BOARD = "board"
    HAND = "hand"
    CONSENT = "consent"
    """A question to the others: may this undo be?"""
    NOTICE = "notice"
    RESULT = "result"


class NewDelivery(msgspec.Struct, frozen=True, gc=False):
    """Something to send.  ``slot`` tells apart what replaces each other: "board", "hand:2", "".

    An empty slot is never superseded.
    """

    kind: DeliveryKind
    slot: str = ""
    text: str = ""
    """A notice's words; nothing that only some may know."""


class Version(msgspec.Struct, frozen=True):
    """Up to where a table has come.  Equal ones hold the same: a table that goes back begins a generation."""

    generation: int
    version: int


class Delivery(msgspec.Struct, frozen=True, gc=False):
    """A stored delivery.  Its id is the nonce of what is sent."""

    id: int
    table: int
    ply: int
    kind: DeliveryKind
    slot: str
    text: str
    attempts: int
    due: float


class Surface(msgspec.Struct, frozen=True, gc=False):
    """Where the newest message of a slot stands.  A hint, never state."""

    slot: str
    channel: int
    message: int
    ply: int
    posted_at: float
    mentioned: int | None = None
    """The seat that this message mentioned."""


class Change(msgspec.Struct, frozen=True, gc=False):
    """One transaction.  ``table.version`` is the new one; the stored one must be one less (or absent)."""

    table: TableRow
    reply: str
    """What a repeat of the same interaction is told."""
    interaction: int | None = None
    records: tuple[RecordRow, ...] = ()
    deliveries: tuple[NewDelivery, ...] = ()
    intervention: str = ""
    """What an admin or the table's host did, for the record."""
    user: int | None = None
    """Who acted."""
    at: int = 0


class Repeated(msgspec.Struct, frozen=True, gc=False):
    """This interaction has been answered before: nothing was changed."""

    reply: str
    table: int
    """The table that it changed then."""


class StoredTable(msgspec.Struct, frozen=True, gc=False):
    """A table with its records."""

    table: TableRow
    records: tuple[RecordRow, ...]


class Summary(msgspec.Struct, frozen=True, gc=False):
    """One line of ``/mygames``."""

    number: int
    game: str
    status: Status
    home: int


class Holdings(msgspec.Struct, frozen=True):
    """What somebody holds already, for the quotas."""

    lobbies: int
    """Open lobbies of which they are the host."""
    games: int
    """Live tables at which they sit."""
    server: int
    """Live tables of the server in question."""
    opened_at: int | None
    """When they opened their newest table."""


class Head(msgspec.Struct, frozen=True, gc=False):
    """The next delivery of one slot of a table; what comes after it in that slot waits for it."""

    id: int
    table: int
    slot: str
    attempts: int
    """How often it could not be sent."""
    due: bool
    """Its time has come."""
    barred: bool = False
    """It waits for a right (``RIGHTS``)."""


class Backlog(msgspec.Struct, frozen=True):
    """What waits to be sent."""

    waiting: int
    heads: tuple[Head, ...] = ()


class Sweep(msgspec.Struct, frozen=True):
    """How far a sweep for old rows has come."""

    outbox: int = 0
    inbox: int = 0


RIGHTS: Final = "rights"
"""Why a delivery waits: people must let the bot in, or post, first; those who can have been told."""
GENERATION: Final = "generation"
"""The setting that counts how often a backup was restored."""
NUMBERS_USED: Final = "numbers used"
"""The setting that names the highest number of a table that was lost."""

Counts: TypeAlias = Mapping[str, int]
"""How much a database holds: rows by table, and the sum of all versions."""
Sample: TypeAlias = Mapping[int, StoredTable | None]
"""Some tables as they are stored; None: it does not read."""


class Flaw(msgspec.Struct, frozen=True):
    """Why a stored game cannot go on under this release."""

    ply: int
    """The first record that differs; 0: none does, or what comes before them."""
    reason: str
    """One line for whoever runs the bot."""
    quotes: bool = False
    """The reason may quote what a player was told: it is for nobody who did not ask for this very table."""

    @property
    def told(self) -> str:
        """One line that quotes nothing."""
        if not self.quotes:
            return str(self)
        return f"record {self.ply} differs" if self.ply else "it cannot be replayed"

    def __str__(self) -> str:
        """One line with everything."""
        return f"record {self.ply}: {self.reason}" if self.ply else self.reason


Prover: TypeAlias = Callable[[StoredTable], Flaw | None]
"""Says what is wrong with a stored table; None: its records bring it to where it stands."""


class Backup(msgspec.Struct, frozen=True, order=True):
    """A verified copy of the database."""

    made_at: int
    """Seconds since 1970."""
    path: Path


class StoreError(Exception):
    """The store could not do it (disk full, damaged, locked).  Nothing was changed."""


class Undecodable(StoreError):
    """What is stored of one table does not read; the others are not concerned."""


class StaleWrite(StoreError):
    """Somebody else changed the table first.  Nothing was changed."""


class BackupFailed(StoreError):
    """No verified copy could be made.  The database itself is as it was."""


class Backups(Protocol):
    """Copies of everything that is kept."""

    async def is_current(self) -> bool:
        """Whether nothing has changed since the newest verified copy."""
        ...

    async def newest(self) -> Backup | None:
        """The newest verified copy."""
        ...

    async def make(self, now: float) -> Backup:
        """Copy, verify, and drop the copies that are no longer wanted.  Raises BackupFailed."""
        ...


class Store(Protocol):
    """Everything that is kept."""

    async def close(self) -> None:
        """Finish and let go of the file."""
        ...

    async def next_number(self) -> int:
        """The number of the next table."""
        ...

    async def commit(self, change: Change) -> Repeated | None:
        """Store a change.  Repeated: this interaction was known.  Raises StaleWrite, StoreError."""
        ...

    async def answered(self, interaction: int) -> str | None:
        """What this interaction was answered, if it was one that changed something."""
        ...

    async def load(self, number: int) -> StoredTable | None:
        """A table, or None.  Raises Undecodable, StoreError."""
        ...

    async def playing(self) -> tuple[int, ...]:
        """The tables whose game goes on."""
        ...

    async def begun(self) -> tuple[int, ...]:
        """The tables whose game goes on or rests."""
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

    async def delivered(self, delivery: Delivery, ply: int, surface: Surface | None) -> None:
        """Mark as sent, with everything of its slot up to ``ply``; remember where it stands."""
        ...

    async def postpone(self, delivery: Delivery, due: float, reason: str = "") -> None:
        """Try again at ``due``; ``reason``: what it waits for, where that is known."""
        ...

    async def hasten(self, number: int) -> None:
        """Wait no longer with what a table has to send."""
        ...

    async def give_up(self, delivery: Delivery, reason: str) -> None:
        """Never send this."""
        ...

    async def surfaces(self, number: int) -> tuple[Surface, ...]:
        """Where a table's messages stand."""
        ...

    async def lapsing(self, now: int) -> tuple[int, ...]:
        """The lobbies whose time is over."""
        ...

    async def holdings(self, user: int, guild: int | None) -> Holdings:
        """What somebody holds, and their server."""
        ...

    async def backlog(self, now: float) -> Backlog:
        """What waits to be sent."""
        ...

    async def prune(self, before: int, sweep: Sweep, most: int) -> Sweep | None:
        """Forget the settled ones of the next ``most`` rows from before a time; None: those were the last."""
        ...

    async def by_status(self) -> dict[Status, int]:
        """How many tables there are of each status."""
        ...

    async def setting(self, key: str) -> str | None:
        """A value that the bot keeps for itself."""
        ...

    async def keep_setting(self, key: str, value: str) -> None:
        """Keep a value."""
        ...
