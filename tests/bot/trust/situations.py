"""The situations in which every request is tried, and one person of each kind (T16)."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

import msgspec

from bot.host.committer import ChangeResult
from bot.host.deciders.decision import Decision
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import TurnStage, TurnTimer
from bot.store.lobby_rows import Applicant, LobbyState, ReadyCheck
from bot.store.preferences import PersonRow
from bot.store.rows import RecordRow, Status, StoredTable, TableListing
from bot.store.seat_rows import SeatRow
from rules.game import AnyGame
from rules.model import Seat
from rules.notation import write_action
from tests.bot.host.playing import GUILD, begin, default_setup, make_move, request_of_person

OTHER_GUILD: Final = GUILD + 1
ACTOR_USER: Final = 500
BYSTANDER_USER: Final = 900
FORMER_AT_HOSTS_SEAT_USER: Final = 601
ADMIN_ONCE_SEATED_USER: Final = 602
APPLICANT_USER: Final = 700
"""Who asks for a seat in the lobby; an admin who once had a seat is invited to it."""

ADMIN_ROLES: Final = frozenset({"admin", "admin once seated"})
FORMER_ROLES: Final = frozenset({"former", "former at host's seat", "admin once seated"})
"""Who has had a seat and seen its hand: the actor's seat, or (the last two) the host's."""
SERVER_VIEWING_ROLES: Final = frozenset({"host", "actor", "other", "bystander"}) | FORMER_ROLES | ADMIN_ROLES
"""Who in the table's server may view it: by the channel, a seat or an admin's right."""
SEATED_ROLES: Final = frozenset({"host", "actor", "other", "host elsewhere"})
MOVED_ROLES: Final = frozenset({"other"})
"""Who has moved since they took their seat: host and actor have it back, or from somebody else."""


class FixedPreferences:
    """The preferences of people who have set nothing; a change is not kept."""

    async def get(self, user: int) -> PersonRow:
        """Return the defaults."""
        return PersonRow(user)

    async def change(self, user: int, change: Callable[[PersonRow], PersonRow]) -> PersonRow:
        """Return the row as it would be, without keeping it."""
        return change(PersonRow(user))

    async def delete(self, user: int) -> None:
        """Delete nothing."""


class FixedTables:
    """One table that never changes: what a request would make of it is not kept."""

    def __init__(self, table: Table, stored_table: StoredTable, requests: Mapping[str, Request]) -> None:
        """Show this one; ``requests``: of one person of each kind."""
        self.table, self.stored_table, self.store, self.requests = table, stored_table, self, requests
        self.games = {table.game.key: table.game}
        self.person_preferences = FixedPreferences()

    async def get(self, number: int) -> Table:
        """Return the table."""
        assert number == self.table.number
        return self.table

    def clock(self) -> float:
        """Return some time."""
        return 1_790_000_000.0

    async def load(self, number: int) -> StoredTable:
        """Return the table as stored."""
        return self.stored_table

    async def match_file_text(self, number: int, viewer: Seat | None) -> str:
        """Write its file, as Tables does."""
        return await Tables.match_file_text(cast("Tables", self), number, viewer)

    async def live_tables_of_user(self, user: int) -> tuple[TableListing, ...]:
        """Return none: nobody plays elsewhere."""
        return ()

    async def numbers_of_tables_naming(self, user: int, after: int, limit: int) -> tuple[int, ...]:
        """Return the one table."""
        return () if after else (self.table.number,)

    async def last_own_results_of_user(self, user: int, count: int) -> tuple[()]:
        """Return none: nobody has finished a game."""
        return ()

    async def find_answer(self, interaction: int) -> None:
        """Return None: nothing was answered before."""

    async def tables_in_channel(self, channel: int) -> tuple[TableListing, ...]:
        """Return none: nobody plays elsewhere."""
        return ()

    async def change(
        self, number: int, request: Request | None, decide: Callable[[Table], Decision]
    ) -> ChangeResult:
        """Return the table as the decision would leave it, without keeping it."""
        assert number == self.table.number
        decision = decide(self.table)
        return ChangeResult(decision.answer, decision.table)

    async def change_that_may_start_game(
        self, number: int, request: Request | None, decide: Any, channel: int | None = None
    ) -> ChangeResult:
        """Return the table as the decision would leave it in a free channel, without keeping it."""
        del channel
        return await self.change(number, request, partial(decide, is_channel_busy=False))

    async def take_seat(self, number: int, request: Request, user: int, decide: Any) -> ChangeResult:
        """Return the table as the decision would leave it, without keeping it."""
        return await self.change(number, request, decide)

    async def open_rematch(
        self, ended: int, decide: Callable[[int, bytes, int], Decision], request: Request
    ) -> ChangeResult:
        """Return the table that would follow, without keeping it."""
        decision = decide(ended + 1, bytes(32), 0)
        return ChangeResult(decision.answer, decision.table)


def requests_by_role(host: int, actor: int, other: int | None, former: int) -> dict[str, Request]:
    """Return a request of each role; only user, server, admin right and what they see mean anything.

    "actor": the player to act; "other": a player who is neither host nor actor; "former ...": somebody who
    has had a seat (``FORMER_ROLES``); "... elsewhere": in another server.
    """

    def make_request(
        user: int, guild: int | None = GUILD, *, is_admin: bool = False, can_see: bool = True
    ) -> Request:
        return msgspec.structs.replace(
            request_of_person(0, 1), user=user, guild=guild, is_admin=is_admin, can_see=lambda *_: can_see
        )

    requests = {
        "host": make_request(host, can_see=False),
        "actor": make_request(actor, can_see=False),
        "former": make_request(former),
        "former at host's seat": make_request(FORMER_AT_HOSTS_SEAT_USER),
        "admin once seated": make_request(ADMIN_ONCE_SEATED_USER, is_admin=True),
        "bystander": make_request(BYSTANDER_USER),
        "admin": make_request(901, is_admin=True, can_see=False),
        "admin elsewhere": make_request(902, OTHER_GUILD, is_admin=True),
        "stranger elsewhere": make_request(903, OTHER_GUILD),
        "stranger in direct messages": make_request(904, None),
        "member who cannot see the channel": make_request(905, can_see=False),
        "admin in direct messages": make_request(901, None, is_admin=True),
        "host elsewhere": make_request(host, OTHER_GUILD),
    }
    return requests if other is None else requests | {"other": make_request(other)}


async def make_situations(tables: Tables, game: AnyGame) -> Mapping[str, FixedTables]:
    """Play a game; return its people in a lobby, at a ready check, in the game's states, and ended early."""
    number = await begin(tables, default_setup(game))
    rng = random.Random(f"authority {game.key}")
    table = await tables.get(number)
    while True:
        assert table.match is not None
        actors = {record.actor for record in table.match.history if record.is_choice}
        if table.to_act not in (None, 0) and actors == set(range(len(table.seats))):
            break
        assert not table.match.is_over, f"{game.key}: no such position came about"
        await make_move(tables, number, rng)
        table = await tables.get(number)
    stored_table = await tables.store.load(number)
    assert stored_table is not None
    assert table.match is not None
    seat = table.to_act
    assert seat is not None
    former_user = table.seats[seat].user  # somebody else has taken the actor's place since
    assert former_user is not None
    host = SeatRow(name=table.seats[0].name, user=table.row.host)
    for user in (
        FORMER_AT_HOSTS_SEAT_USER,
        ADMIN_ONCE_SEATED_USER,
    ):  # they have seen the host's hand meanwhile
        table = table.with_player(0, SeatRow(name=f"Passing {user}", user=user))
    table = table.with_player(0, host)
    table = table.with_player(seat, SeatRow(name="Newcomer", user=ACTOR_USER))
    rows = [*table.seats]
    others = [row.user for i, row in enumerate(rows) if i not in (0, seat)]
    requests = requests_by_role(table.row.host, ACTOR_USER, others[0] if others else None, former_user)
    lobby_state = LobbyState(
        invited_users=(ADMIN_ONCE_SEATED_USER,), applicants=(Applicant(APPLICANT_USER, "Edda"),)
    )
    lobby_table = table.with_row(
        status=Status.LOBBY, snapshot=None, ply=0, seats=_lobby_seats(game, rows), lobby=lobby_state
    )
    assert table.match is not None
    ready_check_state = LobbyState(ready_check=ReadyCheck(id=1, due=1, present_users=(table.row.host,)))
    ready_check_table = lobby_table.with_row(seats=_ready_check_seats(game, rows), lobby=ready_check_state)
    table_by_situation = {
        "lobby": replace(lobby_table, match=None),
        "ready check": replace(ready_check_table, match=None),
        "playing": table,
        "paused": table.with_row(status=Status.PAUSED),
        "frozen": table.as_frozen(),
        "restored": table.with_match(table.match.reseal(table.match_id)),
        "ended early": table.with_row(status=Status.ENDED_EARLY),
        "substituted": table.with_seat(
            seat, msgspec.structs.replace(rows[seat], substitute="casual", substituted_since_index=0)
        ),
        "time over": table.with_row(
            turn_timer=TurnTimer(seat, ACTOR_USER, 0, 0, 0, stage=TurnStage.SUBSTITUTE_ALLOWED)
        ),
    }
    return {
        name: FixedTables(each, _with_last_record(stored_table, each), _requests_of_present(each, requests))
        for name, each in table_by_situation.items()
    }


def _with_last_record(stored_table: StoredTable, table: Table) -> StoredTable:
    """Return what is stored of a table, with the record that it has and ``stored_table`` lacks."""
    if table.match is None or table.match.ply == len(stored_table.records):
        return stored_table
    last = table.match.new_records[-1]
    row = RecordRow(table.match.ply, last.actor, write_action(last.action), last.auto, None, 0)
    return msgspec.structs.replace(stored_table, records=(*stored_table.records, row))


def _requests_of_present(table: Table, requests: Mapping[str, Request]) -> Mapping[str, Request]:
    """Return the requests of those who are there: a lobby may have no seat for everybody."""
    if table.status is not Status.LOBBY:
        return requests
    seated_users = {row.user for row in table.seats}
    return {
        role: request
        for role, request in requests.items()
        if role not in SEATED_ROLES or request.user in seated_users
    }


def _ready_check_seats(game: AnyGame, rows: list[SeatRow]) -> tuple[SeatRow, ...]:
    """Return the host, the newcomer, then computer players: the game can start without the newcomer."""
    fewest = min(game.player_counts_with(game.options_type()))
    computers = [SeatRow(name=f"Random {i}", computer="random") for i in range(1, fewest)]
    return (rows[0], next(row for row in rows if row.user == ACTOR_USER), *computers)


def _lobby_seats(game: AnyGame, rows: list[SeatRow]) -> tuple[SeatRow, ...]:
    """Return the host, a computer player, then the newcomer: as many as may start, with a seat left free."""
    newcomer = next(row for row in rows if row.user == ACTOR_USER)
    seats_taken = (rows[0], SeatRow(name="Random 1", computer="random"), newcomer)
    allowed_counts = game.player_counts_with(game.options_type())
    return seats_taken[: max(count for count in allowed_counts if count < max(game.player_counts))]
