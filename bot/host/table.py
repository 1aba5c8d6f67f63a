"""A table as the host holds it: what is stored, and the match unpacked.  A value: changes make a new one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from types import TracebackType
from typing import Concatenate, Final, ParamSpec, TypeAlias, TypeVar

import msgspec

from bot.host.names import inert, visible_only
from bot.host.response_gate import ResponseGate
from bot.store.protocol import StoreError
from bot.store.rows import RecordRow, SeatRow, Status, TableRow
from rules import notation
from rules.game import MODERATOR, AnyGame, Names, Options, Seat
from rules.match import Match
from rules.record import LogLine, Undo
from rules.stream import commitment

LOG_LENGTH: Final = 24
"""How many public log lines a table keeps at hand."""
LONG_GAME: Final = 100
"""Records from which on work that may replay a game is done in a thread; less takes a few milliseconds."""
GOING_ON: Final = frozenset({Status.PLAYING, Status.PAUSED})
"""The states of a game that has begun and is not over: what a fault in it freezes."""

Games: TypeAlias = Mapping[str, AnyGame]


class Request(msgspec.Struct, frozen=True):
    """Who wants something, and where: all that an interaction is to the host.

    Rights follow from ``user`` and the stored table alone; ``admin`` is the platform's word that this
    user may manage the server.
    """

    user: int
    name: str
    interaction: int | None = None
    guild: int | None = None
    channel: int = 0
    admin: bool = False
    can_open_thread: bool = False
    """Whether the bot may open a thread in ``channel``."""
    response_gate: ResponseGate | None = None
    """None: the act is done whether a response can be shown or not."""


class Refusal(Exception):
    """The act changes nothing; the text, one or two sentences, is for the one who acted only."""

    table: int | None = None
    """The number of the table it is about, where that is known."""
    error_id: str | None = None
    """Finds the line of the log about it, where that is written already."""

    def __init__(self, text: str) -> None:
        """``text`` may quote what somebody typed: nothing in it hides or turns reading round."""
        super().__init__(visible_only(text))


class GameFault(Exception):
    """A game failed: its rules, words or pictures.  The cause is the exception that it raised."""

    error_id = ""
    """Finds the line of the log about it; empty until ``Tables.freeze`` has written that."""

    def __init__(self, table: int) -> None:
        """``table``: the number of the table at which it failed."""
        super().__init__(table)
        self.table = table


_NOT_THE_GAME: Final = (Refusal, StoreError, GameFault, MemoryError, OSError)
"""What no game is to blame for: a refusal, a failing store or machine, a fault typed already."""


class GameGuard:
    """Around every call of a table's game: what the game raises becomes a GameFault with the table's number.

    Errors of the rules that are for a person must be turned into a Refusal inside.
    """

    __slots__ = ("_table",)

    def __init__(self, table: int) -> None:
        """``table``: its number."""
        self._table = table

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Raise GameFault from an error of the game."""
        if isinstance(error, Exception) and not isinstance(error, _NOT_THE_GAME):
            raise GameFault(self._table) from error


P = ParamSpec("P")
T = TypeVar("T")


def guarded(function: "Callable[Concatenate[Table, P], T]") -> "Callable[Concatenate[Table, P], T]":
    """Decorate a function of a table that calls its game: it raises GameFault where the game fails."""

    @wraps(function)
    def call(table: "Table", /, *args: P.args, **kwargs: P.kwargs) -> T:
        with GameGuard(table.number):
            return function(table, *args, **kwargs)

    return call


@dataclass(frozen=True, slots=True)
class Table:
    """A table: ``match`` is None until it starts."""

    row: TableRow
    game: AnyGame
    options: Options
    match: Match | None
    recent_log: tuple[LogLine, ...] | None = None
    """The newest public log lines, with inert names; None: to be narrated from the records again."""
    unplayable: bool = False
    """This release cannot take its match up: it is frozen, and ``match`` is None though it has begun."""

    @property
    def number(self) -> int:
        """What people call it."""
        return self.row.number

    @property
    def status(self) -> Status:
        """Where it is in its life."""
        return self.row.status

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        """Who sits where."""
        return self.row.seats

    @property
    def names(self) -> Names:
        """The players' names as text may hold them: inert."""
        return tuple(inert(seat.name) for seat in self.row.seats)

    @property
    def plain_names(self) -> Names:
        """The players' names for pictures and lists."""
        return tuple(seat.name for seat in self.row.seats)

    @property
    def commitment(self) -> str:
        """What was published of the seed before the game."""
        return commitment(self.match_id, self.row.seed)

    @property
    def match_id(self) -> str:
        """What the commitment names."""
        return f"{self.row.game}/{self.row.number}/{self.row.opened_at}"

    @property
    def moves(self) -> int:
        """How many choices of players count."""
        if self.match is None:
            return 0
        return sum(record.chosen for record in self.match.history)

    def seat_of(self, user: int) -> Seat | None:
        """Where a user sits."""
        return next((Seat(i) for i, seat in enumerate(self.row.seats) if seat.user == user), None)

    def may_moderate(self, request: Request) -> bool:
        """Whether this is the table's host, or somebody who may manage the table's own server."""
        return request.user == self.row.host or (
            request.admin and request.guild is not None and request.guild == self.row.guild
        )

    @property
    def to_act(self) -> Seat | None:
        """The seat that owes a choice now; None while nothing is asked."""
        if self.match is None or self.status is not Status.PLAYING:
            return None
        with GameGuard(self.number):
            return self.match.to_act

    def with_row(self, **changes: object) -> "Table":
        """The table with some stored fields changed."""
        recent_log = None if "seats" in changes else self.recent_log
        return replace(self, row=msgspec.structs.replace(self.row, **changes), recent_log=recent_log)

    def frozen(self) -> "Table":
        """The table as it stands, kept until somebody has looked at it; that it was paused is kept too."""
        return replace(self, row=self.row.frozen())

    def with_match(self, match: Match) -> "Table":
        """The table after something happened in its match; an open undo request is void."""
        row = msgspec.structs.replace(self.row, ply=match.ply, snapshot=match.snapshot(), undo_request=None)
        recent_log = None
        if (
            self.match is not None
            and self.recent_log is not None
            and not isinstance(match.new_records[-1].action, Undo)
        ):
            lines = match.new_log_lines(self.match, None, self.names)
            recent_log = (*self.recent_log, *lines)[-LOG_LENGTH:]
        return replace(self, row=row, match=match, recent_log=recent_log)

    def with_log(self) -> "Table":
        """Return the table with its newest log lines narrated."""
        if self.recent_log is not None or self.match is None:
            return self
        with GameGuard(self.number):
            return self._with_log(self.match)

    def _with_log(self, match: Match) -> "Table":
        # Many records say nothing by themselves; narrating all of a long game would take long.
        first = max(0, len(match.history) - 4 * LOG_LENGTH)
        recent_log = match.log_lines(None, self.names, first)
        if first and len(recent_log) < LOG_LENGTH:
            recent_log = match.log_lines(None, self.names)
        return replace(self, recent_log=recent_log[-LOG_LENGTH:])

    def recent_lines(self, seat: Seat | None) -> tuple[LogLine, ...]:
        """Return the public log lines from a seat's last choice on; for a bystander from anybody's."""
        start = self.last_choice_index(seat)
        return tuple(line for line in self.with_log().recent_log or () if line.index >= start)

    def last_choice_index(self, seat: Seat | None) -> int:
        """Where in the line a seat (a bystander: anybody) chose last; 0 if nobody has."""
        assert self.match is not None
        line = self.match.history
        chosen = (i for i in range(len(line) - 1, -1, -1) if line[i].chosen)
        return next((i for i in chosen if seat is None or line[i].actor == seat), 0)


def record_rows(
    before: Table | None, after: Table, request: Request | None, now: int
) -> tuple[RecordRow, ...]:
    """What an act added to a table's records, as it is stored."""
    match = after.match
    if match is None or (before is not None and before.row.ply == match.ply):
        return ()
    first = match.ply - len(match.new_records) + 1
    acting = before.seat_of(request.user) if before is not None and request is not None else None
    return tuple(
        RecordRow(
            ply=ply,
            actor=record.actor,
            action=notation.write(record.action),
            auto=record.auto,
            user=_user(record.actor, acting, request),
            at=now,
        )
        for ply, record in enumerate(match.new_records, first)
    )


def _user(actor: int, acting: Seat | None, request: Request | None) -> int | None:
    """Return who made a record: the seat's player, or the moderator."""
    if request is None:
        return None
    return request.user if actor in {acting, MODERATOR} else None
