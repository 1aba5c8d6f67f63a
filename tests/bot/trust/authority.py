"""Who may do what: every request that a person can send, every kind of person, and the outcome (T16)."""

import inspect
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, cast

import msgspec

from bot.chat import handlers, pages
from bot.chat.button_press import ButtonPress
from bot.chat.clock_pages import current_clock_post
from bot.chat.components import CustomId
from bot.chat.lookup import resolve_table
from bot.chat.response import Response
from bot.host.deciders import admission, moderation, play
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import ChangeResult, Tables
from bot.store.clock_rows import TurnStage, TurnTimer
from bot.store.lobby_rows import Applicant, LobbyState, ReadyCheck
from bot.store.people import PersonRow
from bot.store.rows import RecordRow, Status, StoredTable, TableSummary
from bot.store.seat_rows import Person, SeatRow
from rules.game import AnyGame, Seat
from rules.notation import write
from tests.bot.host.playing import CHANNEL, GUILD, begin, default_setup, make_move, request_of
from tests.bot.host.viewer_output import Recorder, use_scenes_as_pictures

OTHER_GUILD: Final = GUILD + 1
NEWCOMER_USER: Final = 500
BYSTANDER_USER: Final = 900

FORMER_OTHER_USER: Final = 601
FORMER_ADMIN_USER: Final = 602

ADMIN_ROLES: Final = frozenset({"admin", "former admin"})
FORMER_ROLES: Final = frozenset({"former", "former other", "former admin"})
"""Who has had a seat and seen its hand: the actor's seat, or (the last two) the host's."""
SERVER_ROLES: Final = frozenset({"host", "actor", "other", "bystander"}) | FORMER_ROLES | ADMIN_ROLES
SEATED_ROLES: Final = frozenset({"host", "actor", "other", "host elsewhere"})
VIEWING_ROLES: Final = SERVER_ROLES | SEATED_ROLES
ALL_ROLES: Final = VIEWING_ROLES | {
    "admin elsewhere",
    "stranger elsewhere",
    "stranger in messages",
    "admin in messages",
}
MODERATOR_ROLES: Final = frozenset({"host", "host elsewhere"}) | ADMIN_ROLES
NO_ROLES: Final[frozenset[str]] = frozenset()
CUT_VERBS: Final = ("cut", "cutany", "cutask")
"""The buttons with which the deck is cut."""

APPLICANT_USER: Final = 700
"""Who asks for a seat in the lobby; a former admin is invited to it."""
READY_CHECK_VERBS: Final = ("here", "longer", "fill", "begin")
"""The buttons of the ready check: the answer, then what the host may do."""

RequestAction = Callable[[Tables, Table, Request], Awaitable[object]]


@dataclass(frozen=True)
class RequestCase:
    """One request at a table in one situation, and who may make it."""

    name: str
    situation: str
    may: frozenset[str]
    do: RequestAction


class FixedPeople:
    """People who have set nothing, and whose settings never change."""

    async def get(self, user: int) -> PersonRow:
        """Return the defaults."""
        return PersonRow(user)

    async def change(self, user: int, change: Callable[[PersonRow], PersonRow]) -> PersonRow:
        """Return the row as it would be, without keeping it."""
        return change(PersonRow(user))


class FixedTables:
    """One table that never changes: what a request would make of it is not kept."""

    def __init__(self, table: Table, stored: StoredTable, requests: Mapping[str, Request]) -> None:
        """Show this one; ``requests``: of one person of each kind."""
        self.table, self.stored, self.store, self.requests = table, stored, self, requests
        self.games = {table.game.key: table.game}
        self.people = FixedPeople()

    async def get(self, number: int) -> Table:
        """Return the table."""
        assert number == self.table.number
        return self.table

    def clock(self) -> float:
        """Return some time."""
        return 1_790_000_000.0

    async def load(self, number: int) -> StoredTable:
        """Return the table as stored."""
        return self.stored

    async def match_file_text(self, number: int, viewer: Seat | None) -> str:
        """Write its file, as Tables does."""
        return await Tables.match_file_text(cast("Tables", self), number, viewer)

    async def live_tables_of_user(self, user: int) -> tuple[TableSummary, ...]:
        """Return nothing: what anybody has set never changes."""
        return ()

    async def last_games_of_user(self, user: int, count: int) -> tuple[()]:
        """Nobody has finished a game."""
        return ()

    async def find_answer(self, interaction: int) -> None:
        """Nothing was answered before."""

    async def tables_in_channel(self, channel: int) -> tuple[TableSummary, ...]:
        """Nobody plays elsewhere."""
        return ()

    async def change(
        self, number: int, request: Request | None, decide: Callable[[Table], Decision]
    ) -> ChangeResult:
        """Return the table as the decision would leave it, without keeping it."""
        assert number == self.table.number
        decision = decide(self.table)
        return ChangeResult(decision.answer, decision.table)

    async def take_seat(self, number: int, request: Request, user: int, decide: Any) -> ChangeResult:
        """Return the table as the decision would leave it, without keeping it."""
        return await self.change(number, request, decide)

    async def open_rematch(
        self, ended: int, decide: Callable[[int, bytes, int], Decision], request: Request
    ) -> ChangeResult:
        """Return the table that would follow, without keeping it."""
        decision = decide(ended + 1, bytes(32), 0)
        return ChangeResult(decision.answer, decision.table)


def people(host: int, actor: int, other: int | None, former: int) -> dict[str, Request]:
    """Return one person of each kind; only user, server and admin right of a request mean anything."""

    def request(user: int, guild: int | None = GUILD, *, admin: bool = False) -> Request:
        return msgspec.structs.replace(request_of(0, 1), user=user, guild=guild, admin=admin)

    found = {
        "host": request(host),
        "actor": request(actor),
        "former": request(former),
        "former other": request(FORMER_OTHER_USER),
        "former admin": request(FORMER_ADMIN_USER, admin=True),
        "bystander": request(BYSTANDER_USER),
        "admin": request(901, admin=True),
        "admin elsewhere": request(902, OTHER_GUILD, admin=True),
        "stranger elsewhere": request(903, OTHER_GUILD),
        "stranger in messages": request(904, None),
        "admin in messages": request(901, None, admin=True),
        "host elsewhere": request(host, OTHER_GUILD),
    }
    return found if other is None else found | {"other": request(other)}


def press(verb: str, words: str = "", value: str = "") -> RequestAction:
    """Return what a press of a button does; ``value``: chosen in a select."""

    async def do(tables: Tables, table: Table, request: Request) -> None:
        pressed = CustomId(table.number, table.row.ply, verb, _fill_in(words, table))
        answering = cast("Response", Recorder())
        await handlers.handle(
            ButtonPress(tables, answering, pressed, request, [_fill_in(value, table)] if value else [])
        )

    return do


def _submit(verb: str, words: str = "", **fields: str) -> RequestAction:
    """Return what a submitted form does."""

    async def do(tables: Tables, table: Table, request: Request) -> None:
        submitted = CustomId(table.number, table.row.ply, verb, words)
        values = {name: (_fill_in(value, table),) for name, value in fields.items()}
        press = ButtonPress(tables, cast("Response", Recorder()), submitted, request, fields=values)
        await handlers.FORMS[verb](press)

    return do


def _fill_in(words: str, table: Table) -> str:
    """Return the words with a legal move, the seat to act, the open question or offer where one is wanted."""
    if "MOVE" in words:
        assert table.match is not None
        assert table.to_act is not None
        words = words.replace("MOVE", write(table.match.legal_actions(table.to_act)[0]))
    if "ACTOR" in words:
        words = words.replace("ACTOR", str(table.to_act))
    if "QUESTION" in words:
        assert table.row.question is not None
        words = words.replace("QUESTION", str(table.row.question.id))
    for seat, row in enumerate(table.seats):
        if row.offer is not None:
            words = words.replace("OFFER", f"{seat} {row.offer.id}")
    return words


COVERED_DECIDERS: Final[set[str]] = set()
"""The names of the deciders that the cases call."""


def _function_name(decide: Callable[..., Decision]) -> str:
    return str((decide.func if isinstance(decide, partial) else decide).__name__)


def command(decide: Callable[..., Decision], channel: int | None = None) -> RequestAction:
    """Return what a command does: it finds the table and changes it, in another ``channel`` if given."""
    COVERED_DECIDERS.add(_function_name(decide))

    async def do(tables: Tables, table: Table, request: Request) -> None:
        meant = await resolve_table(tables, request, table.number)
        here = request if channel is None else msgspec.structs.replace(request, channel=channel)
        await tables.change(meant.number, here, lambda now: decide(now, here))

    return do


def decide_only(decide: Callable[[Table, Request], Decision]) -> RequestAction:
    """Return the decision itself, whatever stands before it."""
    COVERED_DECIDERS.add(_function_name(decide))

    async def do(tables: Tables, table: Table, request: Request) -> None:
        decide(table, request)

    return do


def _look(show: Callable[[Tables, Table, Request], Awaitable[object]]) -> RequestAction:
    async def do(tables: Tables, table: Table, request: Request) -> None:
        await show(tables, await resolve_table(tables, request, table.number), request)

    return do


async def _file(tables: Tables, table: Table, request: Request) -> None:
    await tables.match_file_text(table.number, table.seat_of(request.user))


async def _hand(tables: Tables, table: Table, request: Request) -> None:
    await pages.show_hand(tables, cast("Response", Recorder()), table.number, request)


async def _show(tables: Tables, table: Table, request: Request) -> None:
    """``/table show`` and ``/board`` need no more than to find the table."""


async def _clock(tables: Tables, table: Table, request: Request) -> None:
    current_clock_post(table, request)


async def _end_question(tables: Tables, table: Table, request: Request) -> None:
    pages.end_post(table, request)


def _play_typed_text(table: Table, request: Request) -> Decision:
    return play.play_text(table, request, _fill_in("MOVE", table))


def _invite(table: Table, request: Request) -> Decision:
    return admission.invite(table, request, Person(APPLICANT_USER + 1, "Gita"))


REQUEST_CASES: Final = (
    # In the lobby
    RequestCase("join", "lobby", frozenset({"bystander", "admin"}) | FORMER_ROLES, press("join")),
    RequestCase("leave", "lobby", SEATED_ROLES, press("leave")),
    RequestCase("comp", "lobby", SEATED_ROLES | ADMIN_ROLES, press("comp", "casual")),
    RequestCase("uncomp", "lobby", SEATED_ROLES | ADMIN_ROLES, press("uncomp")),
    RequestCase("start", "lobby", MODERATOR_ROLES, press("start")),
    RequestCase("come", "lobby", frozenset({"bystander", "admin"}) | FORMER_ROLES, press("come")),
    RequestCase("pass", "lobby", frozenset({"former admin"}), press("pass")),
    *(RequestCase(verb, "playing", NO_ROLES, press(verb)) for verb in ("come", "pass")),
    RequestCase("manage", "lobby", MODERATOR_ROLES, press("manage")),
    RequestCase("needs", "lobby", MODERATOR_ROLES, press("needs", value="reliable")),
    RequestCase("byinv", "lobby", MODERATOR_ROLES, press("byinv", "on")),
    RequestCase("remove", "ready check", MODERATOR_ROLES, press("remove", value=str(NEWCOMER_USER))),
    RequestCase("remove", "ready check", NO_ROLES, press("remove", value=str(BYSTANDER_USER))),
    *(
        RequestCase(verb, "lobby", MODERATOR_ROLES, press(verb, str(APPLICANT_USER)))
        for verb in ("admit", "deny")
    ),
    *(RequestCase(verb, "lobby", NO_ROLES, press(verb, str(BYSTANDER_USER))) for verb in ("admit", "deny")),
    RequestCase("/invite", "lobby", MODERATOR_ROLES, command(_invite)),
    *(
        RequestCase(verb, "playing", NO_ROLES, press(verb, str(APPLICANT_USER), str(NEWCOMER_USER)))
        for verb in ("manage", "needs", "byinv", "remove", "admit", "deny")
    ),
    RequestCase("/invite", "playing", NO_ROLES, command(_invite)),
    *(RequestCase(verb, "lobby", NO_ROLES, press(verb)) for verb in READY_CHECK_VERBS),
    *(RequestCase(verb, "playing", NO_ROLES, press(verb)) for verb in READY_CHECK_VERBS),
    RequestCase("here", "ready check", frozenset({"actor"}), press("here")),
    *(RequestCase(verb, "ready check", MODERATOR_ROLES, press(verb)) for verb in READY_CHECK_VERBS[1:]),
    RequestCase("opts", "lobby", MODERATOR_ROLES, press("opts")),
    RequestCase("opts", "lobby", MODERATOR_ROLES, press("opts", "0")),
    RequestCase("opts", "playing", NO_ROLES, press("opts")),
    RequestCase("setopt", "lobby", MODERATOR_ROLES, _submit("setopt", "0")),
    RequestCase("setopt", "playing", NO_ROLES, _submit("setopt", "0")),
    *(RequestCase(verb, "lobby", SEATED_ROLES, press(verb)) for verb in CUT_VERBS),
    *(RequestCase(verb, "playing", NO_ROLES, press(verb)) for verb in CUT_VERBS),
    *(RequestCase(verb, "restored", SEATED_ROLES, press(verb)) for verb in CUT_VERBS),
    *(
        RequestCase("cutset", situation, may, _submit("cutset", first="anchor", second="river"))
        for situation, may in (("lobby", SEATED_ROLES), ("playing", NO_ROLES), ("restored", SEATED_ROLES))
    ),
    RequestCase("table end", "lobby", MODERATOR_ROLES, _look(_end_question)),
    RequestCase("end", "lobby", MODERATOR_ROLES, press("end", "lobby")),
    RequestCase("end", "lobby", NO_ROLES, press("end", "game")),
    # In the game
    *(RequestCase(verb, "playing", frozenset({"actor"}), press(verb)) for verb in ("play", "step")),
    RequestCase("page", "playing", frozenset({"actor"}), press("page", "0")),
    RequestCase("do", "playing", frozenset({"actor"}), press("do", "MOVE")),
    RequestCase("typed", "playing", frozenset({"actor"}), _submit("typed", line="MOVE")),
    RequestCase("/play", "playing", frozenset({"actor"}), command(_play_typed_text)),
    RequestCase("hand", "playing", SEATED_ROLES, press("hand")),
    RequestCase("/hand", "playing", SEATED_ROLES, _look(_hand)),
    *(
        RequestCase(verb, "playing", VIEWING_ROLES, press(verb))
        for verb in ("board", "text", "log", "hist", "replay", "export", "more", "rules", "topic")
    ),
    *(RequestCase(verb, "playing", VIEWING_ROLES, press(verb)) for verb in ("name", "names")),
    RequestCase("undo", "playing", SEATED_ROLES, press("undo")),
    RequestCase("/undo", "playing", SEATED_ROLES, command(play.undo)),
    RequestCase("resign", "playing", SEATED_ROLES, press("resign")),
    RequestCase("gone", "playing", SEATED_ROLES, press("gone")),
    RequestCase("tocomp", "playing", SEATED_ROLES, press("tocomp")),
    RequestCase(
        "/resign",
        "playing",
        SEATED_ROLES,
        command(lambda table, request: handlers.resignation(request)(table)),
    ),
    RequestCase("join", "playing", NO_ROLES, press("join")),
    RequestCase("leave", "playing", NO_ROLES, press("leave")),
    RequestCase("start", "playing", NO_ROLES, press("start")),
    RequestCase(
        "table freeze", "playing", ADMIN_ROLES, command(partial(moderation.freeze_as_admin, reason="Why"))
    ),
    RequestCase(
        "table thaw", "frozen", ADMIN_ROLES, command(partial(moderation.thaw_as_admin, reason="Why"))
    ),
    RequestCase("table pause", "playing", MODERATOR_ROLES | SEATED_ROLES, command(moderation.pause)),
    RequestCase("pause itself", "playing", MODERATOR_ROLES | SEATED_ROLES, decide_only(moderation.pause)),
    RequestCase("table clock", "playing", MODERATOR_ROLES, _look(_clock)),
    RequestCase("play itself", "playing", frozenset({"actor"}), decide_only(_play_typed_text)),
    RequestCase("undo itself", "playing", SEATED_ROLES, decide_only(play.undo)),
    RequestCase("table end", "playing", MODERATOR_ROLES, _look(_end_question)),
    RequestCase("end", "playing", MODERATOR_ROLES, press("end", "game")),
    RequestCase("end", "playing", NO_ROLES, press("end", "lobby")),
    RequestCase("keep", "playing", VIEWING_ROLES, press("keep")),
    RequestCase("end itself", "playing", MODERATOR_ROLES, decide_only(moderation.end)),
    RequestCase(
        "table move",
        "playing",
        MODERATOR_ROLES - {"host elsewhere"},
        command(partial(moderation.move_here, is_channel_busy=False), CHANNEL + 1),
    ),
    RequestCase("table show", "playing", VIEWING_ROLES, _look(_show)),
    RequestCase("/export", "playing", VIEWING_ROLES, _look(_file)),
    RequestCase("do", "paused", NO_ROLES, press("do", "resign")),
    RequestCase("undo", "paused", NO_ROLES, press("undo")),
    # What concerns nobody but the presser
    RequestCase("remind", "playing", ALL_ROLES, press("remind", value="off")),
    RequestCase("zone", "playing", ALL_ROLES, press("zone", value="Europe/Paris")),
    RequestCase("snooze", "playing", ALL_ROLES, press("snooze", "tomorrow")),
    RequestCase("switch", "playing", ALL_ROLES, press("switch", "text on")),
    RequestCase("hours", "playing", ALL_ROLES, press("hours")),
    RequestCase("sethrs", "playing", ALL_ROLES, _submit("sethrs", zone="Paris", begin="1320", end="480")),
    # The clock
    *(
        RequestCase(verb, situation, MODERATOR_ROLES, press(verb, words, value))
        for situation in ("lobby", "playing")
        for verb, words, value in (
            ("clock", "", ""),
            ("ctime", "none", "1d"),
            ("csleep", "1d 8 claim", "9"),
            ("cover", "1d 8 claim", "remind"),
        )
    ),
    RequestCase("clock", "over", NO_ROLES, press("clock")),
    RequestCase("ctime", "over", NO_ROLES, press("ctime", "none", "1d")),
    RequestCase("cset", "lobby", NO_ROLES, press("cset", "1d 8 claim")),
    RequestCase("cset", "playing", MODERATOR_ROLES, press("cset", "1d 8 claim")),
    # When a player's time is over
    RequestCase("back", "substituted", frozenset({"actor"}), press("back")),
    RequestCase("play", "substituted", frozenset({"actor"}), press("play")),
    RequestCase("undo", "substituted", SEATED_ROLES - {"actor"}, press("undo")),
    RequestCase("back", "playing", NO_ROLES, press("back")),
    RequestCase("claim", "claimable", MODERATOR_ROLES | {"other"}, press("claim")),
    RequestCase("claim", "playing", NO_ROLES, press("claim")),
    # After the game
    RequestCase("again", "over", frozenset({"host", "actor", "other"}), press("again")),
    RequestCase("table end", "over", NO_ROLES, _look(_end_question)),
    RequestCase("end", "over", NO_ROLES, press("end", "game")),
    RequestCase("undo", "over", NO_ROLES, press("undo")),
)


def moderator_deciders() -> set[str]:
    """Return the names of the moderators' deciders: the public functions of a request."""
    return {
        name
        for name, function in vars(moderation).items()
        if inspect.isfunction(function)
        and function.__module__ == moderation.__name__
        and not name.startswith("_")
        and "request" in inspect.signature(function).parameters  # else it is the command line's
    }


async def situations(tables: Tables, game: AnyGame) -> Mapping[str, FixedTables]:
    """Return the same people in a lobby, in a game, at a pause, with a question open, after the end."""
    number = await begin(tables, default_setup(game))
    rng = random.Random(f"authority {game.key}")
    table = await tables.get(number)
    while True:
        assert table.match is not None
        acted = {record.actor for record in table.match.history if record.chosen}
        if table.to_act not in (None, 0) and acted == set(range(len(table.seats))):
            break
        assert not table.match.is_over, f"{game.key}: no such position came about"
        await make_move(tables, number, rng)
        table = await tables.get(number)
    stored = await tables.store.load(number)
    assert stored is not None
    assert table.match is not None
    seat = table.to_act
    assert seat is not None
    former = table.seats[seat].user  # somebody else has taken the actor's place since
    assert former is not None
    host = SeatRow(name=table.seats[0].name, user=table.row.host)
    for passing in (FORMER_OTHER_USER, FORMER_ADMIN_USER):  # they have seen the host's hand meanwhile
        table = table.with_player(0, SeatRow(name=f"Passing {passing}", user=passing))
    table = table.with_player(0, host)
    table = table.with_player(seat, SeatRow(name="Newcomer", user=NEWCOMER_USER))
    rows = [*table.seats]
    others = [row.user for i, row in enumerate(rows) if i not in (0, seat)]
    requests = people(table.row.host, NEWCOMER_USER, others[0] if others else None, former)
    state = LobbyState(invited=(FORMER_ADMIN_USER,), applicants=(Applicant(APPLICANT_USER, "Edda"),))
    waiting = table.with_row(
        status=Status.LOBBY, snapshot=None, ply=0, seats=_lobby_seats(game, rows), lobby=state
    )
    assert table.match is not None
    check = LobbyState(ready_check=ReadyCheck(id=1, due=1, here=(table.row.host,)))
    checking = waiting.with_row(seats=_checked_seats(game, rows), lobby=check)
    made = {
        "lobby": replace(waiting, match=None),
        "ready check": replace(checking, match=None),
        "playing": table,
        "paused": table.with_row(status=Status.PAUSED),
        "frozen": table.as_frozen(),
        "restored": table.with_match(table.match.reseal(table.match_id)),
        "over": table.with_row(status=Status.ENDED),
        "substituted": table.with_seat(seat, msgspec.structs.replace(rows[seat], substitute="casual")),
        "claimable": table.with_row(
            turn_timer=TurnTimer(seat, NEWCOMER_USER, 0, 0, 0, stage=TurnStage.CLAIMABLE)
        ),
    }
    return {
        name: FixedTables(each, _with_last_record(stored, each), _present(each, requests))
        for name, each in made.items()
    }


def _with_last_record(stored: StoredTable, table: Table) -> StoredTable:
    """Return what is stored of a table, with the record that it has and ``stored`` lacks."""
    if table.match is None or table.match.ply == len(stored.records):
        return stored
    last = table.match.new_records[-1]
    row = RecordRow(table.match.ply, last.actor, write(last.action), last.auto, None, 0)
    return msgspec.structs.replace(stored, records=(*stored.records, row))


def _present(table: Table, requests: Mapping[str, Request]) -> Mapping[str, Request]:
    """Return the requests of those who are there: a lobby may have no seat for everybody."""
    if table.status is not Status.LOBBY:
        return requests
    sitting = {row.user for row in table.seats}
    return {
        who: request
        for who, request in requests.items()
        if who not in SEATED_ROLES or request.user in sitting
    }


def _checked_seats(game: AnyGame, rows: list[SeatRow]) -> tuple[SeatRow, ...]:
    """Return the host, the newcomer, then computer players: the game can start without the newcomer."""
    fitting = [seats for seats in game.seat_counts if game.setup_error(seats, game.options_type()) is None]
    computers = [SeatRow(name=f"Random {i}", computer="random") for i in range(1, min(fitting))]
    return (rows[0], next(row for row in rows if row.user == NEWCOMER_USER), *computers)


def _lobby_seats(game: AnyGame, rows: list[SeatRow]) -> tuple[SeatRow, ...]:
    """Return the host, a computer player, then the newcomer: as many as may start, with a seat left free."""
    newcomer = next(row for row in rows if row.user == NEWCOMER_USER)
    wanted = (rows[0], SeatRow(name="Random 1", computer="random"), newcomer)
    fitting = [seats for seats in game.seat_counts if game.setup_error(seats, game.options_type()) is None]
    return wanted[: max(seats for seats in fitting if seats < max(game.seat_counts))]


async def find_wrong_verdicts(
    situated_tables: Mapping[str, FixedTables], cases: Sequence[RequestCase] = REQUEST_CASES
) -> list[str]:
    """Return every request that somebody may make and should not, or should and may not."""
    found = []
    with use_scenes_as_pictures():
        for case in cases:
            one = situated_tables[case.situation]
            for who, request in one.requests.items():
                if await _was_allowed(case, one, request) != (who in case.may):
                    found.append(f"{who}: {case.name} ({case.situation})")
    return found


async def _was_allowed(case: RequestCase, tables: FixedTables, request: Request) -> bool:
    try:
        await case.do(cast("Tables", tables), tables.table, request)
    except Refusal:
        return False
    return True
