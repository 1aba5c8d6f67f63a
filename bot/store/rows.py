"""The stored values of tables and records, the change that stores them, and the results of queries."""

import enum
from collections.abc import Collection

import msgspec

from bot.store.clock_rows import DAY, TimeControl, TurnStage, TurnTimer
from bot.store.delivery_rows import NewDelivery
from bot.store.lobby_rows import LobbyState
from bot.store.notice_rows import TurnNotices
from bot.store.personal_data import ErasedPerson
from bot.store.question_rows import Question
from bot.store.results import NewResult, UnratedReason
from bot.store.seat_rows import SeatHolder, SeatRow


class Status(enum.Enum):
    """The state of a table."""

    LOBBY = "lobby"
    PLAYING = "playing"
    PAUSED = "paused"
    OVER = "over"
    """A game that came to its end by its rules."""
    CLOSED = "closed"
    """A lobby that was closed, or that nobody started in time."""
    ENDED_EARLY = "ended"
    """A game that ended early: by its host or an admin, or because nobody played it any more."""
    FROZEN = "frozen"
    """A game stopped by a fault in it, an admin or the operator, until an admin or the operator thaws it."""


IDLE_SECONDS = 30 * DAY
"""Seconds without a move after which the players are asked whether the game goes on."""

LIVE_STATUSES = (Status.LOBBY, Status.PLAYING, Status.PAUSED, Status.FROZEN)
"""The states in which a table may still change."""
ENDED_STATUSES = (Status.OVER, Status.ENDED_EARLY)
"""The states of a table whose game is over."""
LIVE_STATUSES_IN_SQL = ", ".join(f"'{status.value}'" for status in LIVE_STATUSES)
"""Their stored texts, as SQL's ``in`` takes them."""


class UndosWithoutConsent(msgspec.Struct, frozen=True, gc=False):
    """How many undos a seat has made without asking anybody.

    They count from when another seat last chose, or moves were last taken back with consent.
    """

    seat: int
    count: int


def make_match_id(game_key: str, number: int, opened_at: int) -> str:
    """Return the id of the match at a table."""
    return f"{game_key}/{number}/{opened_at}"


def table_number_of_match(match_id: str) -> int:
    """Return the number of the table of a match; 0 if the id does not have the form of ``make_match_id``."""
    parts = match_id.split("/")
    return int(parts[1]) if len(parts) == 3 and parts[1].isdecimal() else 0


class TableRow(msgspec.Struct, frozen=True, gc=False):
    """A table without its records.  Times are seconds since 1970."""

    number: int
    """What people call it: "No. 12"."""
    game_key: str
    rules_version: int
    options: str
    """As ``rules.options`` writes them."""
    status: Status
    host: int
    """The user who opened it, or who became its host later."""
    guild: int | None
    lobby_channel: int
    """The channel where its lobby stands or stood."""
    game_channel: int
    """The channel or thread where it is played."""
    seed: bytes
    """What its deals are computed from; secret until the game is over."""
    opened_at: int
    expires_at: int | None
    """When the lobby closes unless its game starts; None: it has started, or the lobby is closed."""
    version: int = 0
    """Counts the changes; the guard of every write."""
    ply: int = 0
    """How many records it has."""
    snapshot: bytes | None = None
    """The encoded state after the last record; None: the game has not started."""
    to_act: int | None = None
    """The seat that is to act, for lists of tables; the match itself says it for everything else."""
    seats: tuple[SeatRow, ...] = ()
    question: Question | None = None
    generation: int = 0
    """How often a backup had been restored when this table was opened or went back: its buttons carry it."""
    restored_to: int | None = None
    """The move that a restored backup took it back to; None if it never went back."""
    paused_when_frozen: bool = False
    """Whether it was paused when it was frozen: then it is paused again when it is thawed."""
    undone_with_hindsight: bool = False
    """Whether moves against computers were taken back after their player had seen what followed."""
    holders: tuple[SeatHolder, ...] = ()
    """Everybody who has had a seat since the game started."""
    undos_without_consent: UndosWithoutConsent | None = None
    """None: none since another seat last chose."""
    agreed_undo_ply: int = 0
    """The ply of the last undo that others agreed to, or of the last roll-back; 0: there was none.

    A board posted before it does not show it.
    """
    needs_agreement_to_go_on: bool = False
    """Whether the game goes on only once its players agree: its end may have been lost."""
    time_control: TimeControl | None = None
    """How much time its players have; None: there is no clock."""
    turn_timer: TurnTimer | None = None
    """The turn that it waits for; None: nobody is to act."""
    turn_notices: TurnNotices | None = None
    """The notices of the turn that it waits for; None: no person is to act."""
    players_may_resume: bool = False
    """Whether every player may resume the paused game: all agreed to the pause, or nobody was left."""
    clocks_running_since: int = 0
    """When all clocks last went on, after a time in which the bot was away and they stood still."""
    unrated_reason: UnratedReason | None = None
    """Why its result will not be rated, because of what a moderator did; None: nothing."""
    active_at: int = 0
    """When somebody last moved, or answered that the game should stay open."""
    visibility_channel: int | None = None
    """The channel whose readers may see the game while the bot does not know ``game_channel``.

    It does not know an archived thread, for example.  None: no channel, as the game's thread is private.
    """
    lobby: LobbyState = LobbyState()

    @property
    def match_id(self) -> str:
        """The id of the match, part of its fairness codes."""
        return make_match_id(self.game_key, self.number, self.opened_at)

    @property
    def users(self) -> tuple[int, ...]:
        """The users who have a seat, in the order of the seats."""
        return tuple(seat.user for seat in self.seats if seat.user is not None)

    @property
    def idle_due(self) -> int:
        """When its players are asked whether they still play, unless somebody moves before."""
        return self.active_at + IDLE_SECONDS

    @property
    def declined_question(self) -> Question | None:
        """The question declined last, which remembers those before; None: none was, as far as is known."""
        question = self.question
        return question if question is None or question.declined else question.earlier_declined_question

    def as_frozen(self) -> "TableRow":
        """Return the row with status ``FROZEN``; ``paused_when_frozen`` remembers whether it was paused.

        Nothing is asked in it, but what was declined is still remembered.
        """
        paused = self.paused_when_frozen if self.status is Status.FROZEN else self.status is Status.PAUSED
        return msgspec.structs.replace(
            self.without_prompts(),
            status=Status.FROZEN,
            paused_when_frozen=paused,
            question=self.declined_question,
        )

    def without_prompts(self) -> "TableRow":
        """Return the row without prompts: its question, offers of seats, ready check and requests to join."""
        seats = tuple(msgspec.structs.replace(seat, offer=None) for seat in self.seats)
        lobby = msgspec.structs.replace(self.lobby, ready_check=None, applicants=())
        return msgspec.structs.replace(self, question=None, seats=seats, lobby=lobby)

    def with_choices(self, actors: Collection[int], old_length: int, new_length: int) -> "TableRow":
        """Return the row after choices of the seats ``actors``: who moves keeps a seat that was offered.

        A substitute's choices keep no seat.  A choice ends the count of another seat's undos without consent.
        ``old_length``, ``new_length``: of the history.
        """
        undos = self.undos_without_consent
        new_seats = tuple(
            (
                seat.without_contested_offer()
                if seat.substitute is None
                else seat.with_substitute_span(old_length, new_length)
            )
            if i in actors
            else seat
            for i, seat in enumerate(self.seats)
        )
        return msgspec.structs.replace(
            self,
            seats=new_seats,
            undos_without_consent=None if undos is None or set(actors) - {undos.seat} else undos,
        )

    def with_shortened_history(self, length: int) -> "TableRow":
        """Return the row after an undo to ``length`` records: what it says of seats ends there."""
        seats = tuple(seat.with_shortened_history(length) for seat in self.seats)
        return msgspec.structs.replace(self, seats=seats)

    def __repr__(self) -> str:
        """Name the table; the seed and the snapshot stay secret."""
        return f"TableRow(number={self.number}, game={self.game_key!r}, ply={self.ply}, status={self.status})"


class RecordRow(msgspec.Struct, frozen=True, gc=False):
    """One record of a match, as text (``rules.notation``)."""

    ply: int
    actor: int
    """The seat; negative: ``CHANCE`` or ``MODERATOR`` of ``rules.model``."""
    action: str
    auto: bool
    """Whether it is a forced choice, played automatically."""
    user: int | None
    """Who acted; None for chance and computers."""
    at: int


class TableVersion(msgspec.Struct, frozen=True, order=True):
    """The version of a table.  Equal ones have equal content: a restored table begins a new generation.

    Of one table the greater is the later.
    """

    generation: int
    version: int


class Change(msgspec.Struct, frozen=True, gc=False):
    """What one transaction stores.  ``row.version`` is the new one; the stored one is one less, or none."""

    row: TableRow
    answer: str
    """Shown again if the same interaction is repeated."""
    interaction: int | None = None
    """The id of the interaction that asked for it; None: none did."""
    records: tuple[RecordRow, ...] = ()
    deliveries: tuple[NewDelivery, ...] = ()
    undone_from_index: int | None = None
    """The messages of the turns that begin at this index or later are out of date; None: no turn's."""
    result: NewResult | None = None
    """The result of the game that it ends; None: it ends none, or one without a result."""
    audit_entry: str = ""
    """The audit log entry: what an admin or the table's host did."""
    user: int | None = None
    """Who acted."""
    at: int = 0
    move_number: int | None = None
    """The number of the last move that it stores; None: it stores none."""
    awaits_answer: bool = False
    """Whether ``user`` gets an answer.

    It counts as missed until a later change has it in ``answered_interactions``.
    """
    answered_interactions: tuple[int, ...] = ()
    """Earlier interactions whose answers have arrived."""
    erased_person: ErasedPerson | None = None
    """Who is erased from the table's log, texts and messages."""
    rematch_of: int | None = None
    """The number of the ended game whose rematch it opens; None: it opens none."""
    has_changed_channel: bool = False
    """Whether the table was moved to another channel, so that nothing waits for the old one any more."""


class PendingAnswer(msgspec.Struct, frozen=True, gc=False):
    """An answer to a stored change, until it is known to have reached its user."""

    interaction: int
    table_number: int
    user: int
    move_number: int | None
    """The number of the move that was stored; None: it was no move."""
    answer: str
    """What the answer said, in short."""


class RepeatedInteraction(msgspec.Struct, frozen=True, gc=False):
    """The answer to an interaction that had been handled before, so that nothing was changed."""

    answer: str
    table_number: int
    """The table that it changed then."""


class StoredTable(msgspec.Struct, frozen=True, gc=False):
    """A table with its records."""

    row: TableRow
    records: tuple[RecordRow, ...]


class TableListing(msgspec.Struct, frozen=True, gc=False):
    """A table in a list, such as ``/mygames``; it can be listed also where it cannot be loaded."""

    number: int
    game_key: str
    status: Status
    game_channel: int
    guild: int | None = None
    player_count: int = 0
    """How many seats are taken."""
    user_to_act: int | None = None
    """The user who is to act; None: a computer player, or nobody."""
    name_to_act: str | None = None
    """The name of the player who is to act; None: nobody."""
    turn_began_at: int | None = None
    """When their turn began, in seconds since 1970; None: it is not known."""
    deadline: int | None = None
    """Until when they have time, in seconds since 1970; None: they have no clock, or all of it is over."""
    stage: TurnStage = TurnStage.RUNNING
    """How far the time of their turn has run; ``deadline`` is that of the stage."""
    offer_count: int = 0
    """How many of its seats are offered to somebody."""
    visibility_channel: int | None = None
    """As in ``TableRow``."""
    host: int = 0
    """Its host, at first the user who opened it."""
    users: tuple[int, ...] = ()
    """The people with a seat."""
    resigned_users: tuple[int, ...] = ()
    """Those of them who have resigned."""
    active_at: int = 0
    """As in ``TableRow``: of a game that has ended, when it ended."""

    @property
    def deadline_sort_key(self) -> float:
        """When the time of the turn ends, for comparison: minus infinity if it is over, infinity if never."""
        if self.stage is TurnStage.SUBSTITUTE_ALLOWED:
            return float("-inf")
        return float("inf") if self.deadline is None else self.deadline


class QuotaUsage(msgspec.Struct, frozen=True):
    """What counts against a user's quotas."""

    open_lobby_count: int
    """Open lobbies of which they are the host."""
    user_table_count: int
    """Live tables at which they sit and have not resigned."""
    server_table_count: int
    """Live tables of the server in question."""
    last_opened_at: int | None
    """When the newest table of which they are the host was opened."""


class PruneProgress(msgspec.Struct, frozen=True):
    """The id of the last row of each SQL table that the pruning of old rows has looked at; 0: none yet."""

    outbox_id: int = 0
    inbox_id: int = 0
    """Of the SQL table of handled interactions: the interaction's id."""
