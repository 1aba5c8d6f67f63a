"""A table in memory: the stored row and the match.  It is immutable: each change makes a new one."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Final, TypeAlias

import msgspec

from bot.host.game_guard import GameGuard
from bot.host.names import COMPUTER_MARK, NO_SEAT_TEXT, distinct_name, escape_markup, isolate, sanitize_name
from bot.host.recent_log import log_start
from bot.host.request import Request
from bot.store.results import UnratedReason
from bot.store.rows import Status, TableRow
from bot.store.seat_rows import EarlierPlayer, SeatHolder, SeatRow
from rules.game import AnyGame
from rules.match import Match
from rules.model import Names, Options, Resign, Seat
from rules.players import COMPUTER_PLAYERS
from rules.random_stream import SHORT_CODE_LENGTH, make_fairness_code
from rules.record import LogLine, Undo

IN_PLAY: Final = frozenset({Status.PLAYING, Status.PAUSED})
"""The statuses of a game in progress, paused or not: a fault in such a game freezes it."""

Games: TypeAlias = Mapping[str, AnyGame]
"""The games that can be played, by key."""


def shorten_code(fairness_code: str) -> str:
    """Return the first digits of a fairness code and "…": less to scroll over on a phone.

    They are enough to check it (``SHORT_CODE_LENGTH``).
    """
    return f"{fairness_code[:SHORT_CODE_LENGTH]}…"


@dataclass(frozen=True, slots=True)
class Table:
    """A table.  ``match`` is None in a lobby, in a closed lobby, and if ``is_unplayable``."""

    row: TableRow
    game: AnyGame
    options: Options
    match: Match | None
    recent_log: tuple[LogLine, ...] | None = None
    """The public log lines since the oldest of the players' last finished turns began; None: not narrated.

    They cover at most ``MAX_LOG_RECORDS`` records.  Names are escaped.
    """
    is_unplayable: bool = False
    """Whether this release cannot load its match; then it is frozen, and has started without a ``match``."""

    @property
    def number(self) -> int:
        """The table's number, as people see it."""
        return self.row.number

    @property
    def status(self) -> Status:
        """The state of the table."""
        return self.row.status

    @property
    def seats(self) -> tuple[SeatRow, ...]:
        """The players by seat."""
        return self.row.seats

    @property
    def names(self) -> Names:
        """The players' names, escaped for messages."""
        return tuple(escape_markup(seat.name) for seat in self.row.seats)

    @property
    def plain_names(self) -> Names:
        """The players' names, unescaped, for pictures and lists."""
        return tuple(seat.name for seat in self.row.seats)

    @property
    def isolated_names(self) -> Names:
        """The players' names, unescaped but isolated, for descriptions of pictures."""
        return tuple(isolate(seat.name) for seat in self.row.seats)

    def names_at(self, index: int, *, isolated: bool = False) -> Names:
        """Return the names of those who had the seats at an index of the history, escaped.

        ``isolated``: isolated instead of escaped, for text in a picture or its description.  A mark after a
        name says that a computer player chose for this person there.
        """
        names = self.plain_names_at(index)
        return tuple(
            (isolate(name) if isolated else escape_markup(name))
            + (COMPUTER_MARK if seat.substitute_played_at(index) else "")
            for name, seat in zip(names, self.row.seats, strict=True)
        )

    def plain_names_at(self, index: int) -> Names:
        """Return the names, unescaped and without marks, of those who had the seats at an index."""
        return tuple(seat.name_at(index) for seat in self.row.seats)

    @property
    def _named_users(self) -> tuple[tuple[int | None, str], ...]:
        """The user and the name, unescaped, of each player, and then of each who had a seat before."""
        return (
            *((row.user, row.name) for row in self.seats),
            *((each.user, each.name) for row in self.seats for each in row.earlier_players),
        )

    def with_player(self, seat: int, player: SeatRow) -> "Table":
        """Return the table with another player at a seat; earlier moves keep the earlier player's name.

        The history of an unplayable table is not known, but it is not longer than its ply.
        """
        old, end_index = self.seats[seat], self.row.ply if self.match is None else len(self.match.history)
        earlier = (*old.earlier_players, EarlierPlayer(old.name, end_index, old.user))
        player = msgspec.structs.replace(
            player, earlier_players=earlier, substitute_spans=old.substitute_spans
        )
        return self.with_seat(seat, player).with_holders()

    def with_seat(self, seat: int, row: SeatRow) -> "Table":
        """Return the table with another row of a seat."""
        return self.with_row(seats=tuple(row if i == seat else each for i, each in enumerate(self.seats)))

    def with_holders(self) -> "Table":
        """Return the table with everybody who has a seat now noted as its holder."""
        holders = [SeatHolder(row.user, i) for i, row in enumerate(self.seats) if row.user is not None]
        return self.with_row(holders=tuple(dict.fromkeys((*self.row.holders, *holders))))

    @property
    def unresigned_users(self) -> tuple[int, ...]:
        """The users who have a seat and have not resigned, also those for whom a computer player plays."""
        resigned_seats = frozenset[Seat]() if self.match is None else self.match.resigned_seats
        return tuple(
            row.user
            for i, row in enumerate(self.seats)
            if row.user is not None and Seat(i) not in resigned_seats
        )

    def other_unresigned_users(self, seat: int) -> tuple[int, ...]:
        """Return the ``unresigned_users`` besides the one at a seat.

        If there are none, the game ends when the player of this seat leaves it.
        """
        return tuple(user for user in self.unresigned_users if user != self.seats[seat].user)

    def may_hold(self, user: int, seat: int) -> bool:
        """Whether a user may get a seat: nobody may know the secrets of two."""
        hashed_user = self.holder_hash(user)
        return all(
            each.seat == seat
            for each in self.row.holders
            if each.user == user or each.erased_user_hash == hashed_user
        )

    def holder_hash(self, user: int) -> bytes:
        """Return the hash by which the table recognises somebody whose data was erased; keyed by its seed."""
        return hashlib.blake2b(
            user.to_bytes(8), key=self.row.seed, person=b"former player", digest_size=16
        ).digest()

    def name_of(self, user: int) -> str | None:
        """Return the name, escaped, of somebody who has or had a seat; None for others."""
        return next((escape_markup(name) for holder, name in self._named_users if holder == user), None)

    def distinct_name(self, name: str, user: int) -> str:
        """Return a user's name as ``names.distinct_name`` tells it from those of all others at the table."""
        newcomers = (row.offer.newcomer for row in self.seats if row.offer is not None)
        others = (
            *self._named_users,
            *((each.user, each.name) for each in newcomers if each is not None),
        )
        return distinct_name(name, [other_name for other, other_name in others if other != user])

    def narrate(
        self,
        match: Match,
        viewer: Seat | None,
        first: int = 0,
        end: int | None = None,
        *,
        isolated: bool = False,
    ) -> tuple[LogLine, ...]:
        """Return the log of records ``first`` to before ``end``, as a viewer may know it.

        It has the names of its time; ``isolated``: as in ``names_at``.
        """
        return match.log_lines(viewer, partial(self.names_at, isolated=isolated), first, end)

    def computer_name(self, computer: str) -> str:
        """Return the name of one more computer player of this kind: its title and the first free number.

        Nobody at this table has or had that name: logs and stories name earlier players too.
        """
        taken_names = {name for _, name in self._named_users}
        title = COMPUTER_PLAYERS[computer].title
        return next(name for number in count(1) if (name := f"{title} {number}") not in taken_names)

    @property
    def first_fairness_code(self) -> str:
        """The fairness code of the seed, published before the game."""
        return make_fairness_code(self.match_id, self.row.seed)

    @property
    def fairness_code(self) -> str:
        """The fairness code of the draws to come: the first one, or the one since a backup was restored."""
        code = None if self.match is None else self.match.deal_key.reseal_code
        return code or self.first_fairness_code

    @property
    def short_fairness_code(self) -> str:
        """The present fairness code as ``shorten_code`` writes it; a notice has the whole code."""
        return shorten_code(self.fairness_code)

    @property
    def seat_limit(self) -> int:
        """The most players that the game can have with its options; of any options if these allow none."""
        with GameGuard(self.number):
            return max(self.game.player_counts_with(self.options))

    @property
    def is_full(self) -> bool:
        """Whether nobody else can take a seat: its options may have changed since more had joined."""
        return len(self.row.seats) >= self.seat_limit

    @property
    def match_id(self) -> str:
        """The id of the match, part of its fairness codes."""
        return self.row.match_id

    @property
    def move_count(self) -> int:
        """How many choices of players the history has."""
        if self.match is None:
            return 0
        return sum(record.is_choice for record in self.match.history)

    def seat_of(self, user: int) -> Seat | None:
        """Return the seat of a user; None if they have none."""
        return next((Seat(i) for i, seat in enumerate(self.row.seats) if seat.user == user), None)

    @property
    def pending_invitees(self) -> tuple[int, ...]:
        """The users who are invited to the lobby and have not joined."""
        if self.status is not Status.LOBBY:
            return ()
        return tuple(user for user in self.row.lobby.invited_users if self.seat_of(user) is None)

    @property
    def applicant_users(self) -> tuple[int, ...]:
        """The users who ask to join the lobby."""
        return tuple(each.user for each in self.row.lobby.applicants)

    @property
    def was_moved_away(self) -> bool:
        """Whether the game is not where its lobby was, nor in a public thread of that channel."""
        return self.row.lobby_channel not in {self.row.game_channel, self.row.visibility_channel}

    def may_moderate(self, request: Request) -> bool:
        """Whether the requester is the table's host, or may manage the table's own server."""
        return request.user == self.row.host or (
            request.is_admin and request.guild is not None and request.guild == self.row.guild
        )

    def moderator_name(self, request: Request, *, as_admin: bool = False) -> str:
        """Return the requester's name, escaped, and the role in which they moderate: "Ava (host)".

        ``as_admin``: only admins may do it, so a host acts as an admin.
        """
        role = "host" if request.user == self.row.host and not as_admin else "admin"
        if self.seat_of(request.user) is not None:
            return f"{self.name_of(request.user)} ({role})"
        return f"{self.shown_name(request)} ({role}, {NO_SEAT_TEXT})"

    @property
    def host_suffix(self) -> str:
        """The host's name, escaped, behind the word "host": " (Ava)"; empty if it is not known."""
        name = self.name_of(self.row.host)
        return "" if name is None else f" ({name})"

    def shown_name(self, request: Request) -> str:
        """Return the requester's name, escaped, as messages show it if they have no seat."""
        return escape_markup(self.distinct_name(sanitize_name(request.name), request.user))

    @property
    def to_act(self) -> Seat | None:
        """The seat that is to act; None unless the game is being played.  Raises GameFault."""
        if self.match is None or self.status is not Status.PLAYING:
            return None
        with GameGuard(self.number):
            return self.match.to_act

    def with_row(self, **changes: object) -> "Table":
        """Return the table with some stored fields changed; changed seats drop the narrated log."""
        recent_log = None if "seats" in changes else self.recent_log
        return replace(self, row=msgspec.structs.replace(self.row, **changes), recent_log=recent_log)

    def as_unrated(self, reason: UnratedReason) -> "Table":
        """Return the table with the reason why it will not be rated; an earlier reason stays."""
        return self.with_row(unrated_reason=self.row.unrated_reason or reason)

    def without_prompts(self) -> "Table":
        """Return the table without prompts: see ``TableRow.without_prompts``."""
        return replace(self, row=self.row.without_prompts())

    def without_open_question(self) -> "Table":
        """Return the table without an open question; what was declined at its ply is still remembered."""
        return self.with_row(question=self.row.declined_question)

    def as_closed_lobby(self) -> "Table":
        """Return a lobby as closed, without prompts."""
        return self.with_row(status=Status.CLOSED, expires_at=None, lobby=self.row.lobby.as_over())

    def as_frozen(self) -> "Table":
        """Return the table with status ``FROZEN``; see ``TableRow.as_frozen``."""
        return replace(self, row=self.row.as_frozen())

    def with_match(self, match: Match) -> "Table":
        """Return the table with its match after new records.

        A question is void unless it outlasts moves.  After choices the seats that have moved keep their
        players (``TableRow.with_choices``); after an undo, nothing about seats goes beyond the history.
        """
        row = msgspec.structs.replace(self.row, ply=match.ply, snapshot=match.snapshot())
        if row.question is not None and not row.question.outlasts_moves:
            row = msgspec.structs.replace(row, question=None)
        recent_log = None
        kept_lengths = [
            each.action.kept_length for each in match.new_records if isinstance(each.action, Undo)
        ]
        is_undo = bool(kept_lengths)
        if is_undo:
            row = row.with_shortened_history(min(kept_lengths))
        else:
            old_length = 0 if self.match is None else len(self.match.history)
            actors = {
                each.actor
                for each in match.new_records
                if each.is_choice and not isinstance(each.action, Resign)
            }
            row = row.with_choices(actors, old_length, len(match.history))
        if self.match is not None and self.recent_log is not None and not is_undo:
            names_at = replace(self, row=row).names_at
            lines = match.new_log_lines(self.match, None, names_at)
            start = log_start(match, row.seats)
            recent_log = tuple(line for line in (*self.recent_log, *lines) if line.index >= start)
        return replace(self, row=row, match=match, recent_log=recent_log)

    def with_log(self) -> "Table":
        """Return the table with its newest log lines narrated.  Raises GameFault."""
        if self.recent_log is not None or self.match is None:
            return self
        with GameGuard(self.number):
            return self._with_log(self.match)

    def _with_log(self, match: Match) -> "Table":
        """Return the table with its log and a checkpoint at its start: private stories begin there too."""
        start = log_start(match, self.seats)
        match = match.with_checkpoint(start)
        return replace(self, match=match, recent_log=self.narrate(match, None, start))

    def has_log_from(self, first: int) -> bool:
        """Whether ``recent_log`` has all public log lines from an index of the history on.

        Also true of a table without a match, which has no lines.  Raises GameFault.
        """
        if self.match is None or self.recent_log is None:
            return self.match is None
        with GameGuard(self.number):
            return first >= log_start(self.match, self.seats)

    def log_lines(self, first: int, end: int | None = None) -> tuple[LogLine, ...]:
        """Return the public log lines of the records from ``first`` to before ``end``; None: to the last.

        Raises GameFault.
        """
        if self.match is None:
            return ()
        with GameGuard(self.number):
            if first < log_start(self.match, self.seats):
                return self.narrate(self.match, None, first, end)
            table = self if self.recent_log is not None else self._with_log(self.match)
        return tuple(
            line
            for line in table.recent_log or ()
            if first <= line.index and (end is None or line.index < end)
        )
