"""Who may do what: every request that a person can send, every kind of person, and the outcome (T16)."""

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, cast

import msgspec

from bot.chat import handlers, pages
from bot.chat.clock_pages import current_clock_post
from bot.chat.component_press import ComponentPress
from bot.chat.components import CustomId
from bot.chat.lookup import resolve_table
from bot.chat.response import Response
from bot.host.deciders import admission, moderation, own_undo, play
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.seat_rows import Person
from rules.notation import write_action
from rules.options import option_values
from tests.bot.host.playing import CHANNEL
from tests.bot.host.viewer_output import ResponseRecorder, use_scenes_as_pictures
from tests.bot.trust.situations import (
    ACTOR_USER,
    ADMIN_ROLES,
    APPLICANT_USER,
    BYSTANDER_USER,
    FORMER_ROLES,
    MOVED_ROLES,
    SEATED_ROLES,
    SERVER_VIEWING_ROLES,
    FixedTables,
)

VIEWING_ROLES: Final = SERVER_VIEWING_ROLES | SEATED_ROLES
ALL_ROLES: Final = VIEWING_ROLES | {
    "admin elsewhere",
    "stranger elsewhere",
    "stranger in direct messages",
    "member who cannot see the channel",
    "admin in direct messages",
}
MODERATOR_ROLES: Final = frozenset({"host", "host elsewhere"}) | ADMIN_ROLES
NO_ROLES: Final[frozenset[str]] = frozenset()
CUT_VERBS: Final = ("cut", "cutany", "cutask")
"""The buttons with which the deck is cut."""

READY_CHECK_VERBS: Final = ("here", "longer", "fill", "begin")
"""The buttons of the ready check: the answer, then what the host may do."""

RequestAttempt = Callable[[Tables, Table, Request], Awaitable[object]]


@dataclass(frozen=True)
class RequestCase:
    """One request at a table in one situation, and who may make it."""

    name: str
    situation: str
    allowed_roles: frozenset[str]
    attempt: RequestAttempt


def press_attempt(verb: str, argument: str = "", value: str = "") -> RequestAttempt:
    """Return what a press of a button does; ``value``: chosen in a select."""

    async def attempt(tables: Tables, table: Table, request: Request) -> None:
        custom_id = CustomId(table.number, table.row.ply, verb, _fill_in(argument, table))
        response = cast("Response", ResponseRecorder())
        await handlers.handle_press(
            ComponentPress(tables, response, custom_id, request, [_fill_in(value, table)] if value else [])
        )

    return attempt


async def _start_with_option(tables: Tables, table: Table, request: Request) -> None:
    """Press the button that sets an option and starts; **Start** in a game without options."""
    first_option = next(iter(option_values(table.options).items()), None)
    attempt = (
        press_attempt("start") if first_option is None else press_attempt("fitopt", " ".join(first_option))
    )
    await attempt(tables, table, request)


def _form_attempt(verb: str, argument: str = "", **fields: str) -> RequestAttempt:
    """Return what a submitted form does."""

    async def attempt(tables: Tables, table: Table, request: Request) -> None:
        custom_id = CustomId(table.number, table.row.ply, verb, argument)
        values = {name: (_fill_in(value, table),) for name, value in fields.items()}
        form = ComponentPress(tables, cast("Response", ResponseRecorder()), custom_id, request, fields=values)
        await handlers.FORM_HANDLERS[verb](form)

    return attempt


def _fill_in(text: str, table: Table) -> str:
    """Return the text with its placeholders, such as MOVE and QUESTION, replaced by what the table has."""
    if "MOVE" in text:
        assert table.match is not None
        assert table.to_act is not None
        text = text.replace("MOVE", write_action(table.match.legal_actions(table.to_act)[0]))
    text = text.replace("GAME", table.game.key)
    if "ACTOR" in text:
        text = text.replace("ACTOR", str(table.to_act))
    if "QUESTION" in text:
        assert table.row.question is not None
        text = text.replace("QUESTION", str(table.row.question.id))
    for seat, row in enumerate(table.seats):
        if row.offer is not None:
            text = text.replace("OFFER", f"{seat} {row.offer.id}")
    return text


COVERED_DECIDERS: Final[set[str]] = set()
"""The names of the deciders that the cases call."""


def _function_name(decide: Callable[..., Decision]) -> str:
    return str((decide.func if isinstance(decide, partial) else decide).__name__)


def command_attempt(decide: Callable[..., Decision], channel: int | None = None) -> RequestAttempt:
    """Return what a command does: it finds the table and changes it, in another ``channel`` if given."""
    COVERED_DECIDERS.add(_function_name(decide))

    async def attempt(tables: Tables, table: Table, request: Request) -> None:
        resolved = await resolve_table(tables, request, table.number)
        request_sent = request if channel is None else msgspec.structs.replace(request, channel=channel)
        await tables.change(resolved.number, request_sent, lambda current: decide(current, request_sent))

    return attempt


def decider_attempt(decide: Callable[[Table, Request], Decision]) -> RequestAttempt:
    """Return an attempt that calls the decider alone, without what a command or button checks before it."""
    COVERED_DECIDERS.add(_function_name(decide))

    async def attempt(tables: Tables, table: Table, request: Request) -> None:
        decide(table, request)

    return attempt


def _reading_attempt(show: Callable[[Tables, Table, Request], Awaitable[object]]) -> RequestAttempt:
    async def attempt(tables: Tables, table: Table, request: Request) -> None:
        await show(tables, await resolve_table(tables, request, table.number), request)

    return attempt


async def _read_match_file(tables: Tables, table: Table, request: Request) -> None:
    await tables.match_file_text(table.number, table.seat_of(request.user))


async def _show_hand(tables: Tables, table: Table, request: Request) -> None:
    await pages.show_hand(tables, cast("Response", ResponseRecorder()), table.number, request)


async def _only_find_table(tables: Tables, table: Table, request: Request) -> None:
    """Do nothing: ``/table show`` and ``/board`` only find the table, as ``_reading_attempt`` has done."""


async def _show_clock(tables: Tables, table: Table, request: Request) -> None:
    current_clock_post(table, request)


async def _ask_whether_to_resign(tables: Tables, table: Table, request: Request) -> None:
    pages.confirm_resign_post(table, request)


async def _ask_whether_to_end(tables: Tables, table: Table, request: Request) -> None:
    pages.confirm_end_post(table, request)


def _play_typed_text(table: Table, request: Request) -> Decision:
    return play.play_typed_line(table, request, _fill_in("MOVE", table))


def _invite(table: Table, request: Request) -> Decision:
    return admission.invite(table, request, Person(APPLICANT_USER + 1, "Gita"))


REQUEST_CASES: Final = (
    # In the lobby
    RequestCase("join", "lobby", frozenset({"bystander", "admin"}) | FORMER_ROLES, press_attempt("join")),
    RequestCase("leave", "lobby", SEATED_ROLES, press_attempt("leave")),
    RequestCase("comp", "lobby", SEATED_ROLES | ADMIN_ROLES, press_attempt("comp", "casual")),
    RequestCase("uncomp", "lobby", SEATED_ROLES | ADMIN_ROLES, press_attempt("uncomp")),
    RequestCase("start", "lobby", MODERATOR_ROLES, press_attempt("start")),
    RequestCase("start", "lobby", MODERATOR_ROLES, press_attempt("start", "admin")),
    RequestCase("fitopt", "lobby", MODERATOR_ROLES, _start_with_option),
    RequestCase("fitopt", "playing", NO_ROLES, _start_with_option),
    RequestCase("invyes", "lobby", frozenset({"bystander", "admin"}) | FORMER_ROLES, press_attempt("invyes")),
    RequestCase("invno", "lobby", frozenset({"admin once seated"}), press_attempt("invno")),
    *(RequestCase(verb, "playing", NO_ROLES, press_attempt(verb)) for verb in ("invyes", "invno")),
    RequestCase("manage", "lobby", MODERATOR_ROLES, press_attempt("manage")),
    RequestCase("needs", "lobby", MODERATOR_ROLES, press_attempt("needs", value="reliable")),
    RequestCase("byinv", "lobby", MODERATOR_ROLES, press_attempt("byinv", "on")),
    RequestCase("remove", "ready check", MODERATOR_ROLES, press_attempt("remove", value=str(ACTOR_USER))),
    RequestCase("remove", "ready check", NO_ROLES, press_attempt("remove", value=str(BYSTANDER_USER))),
    *(
        RequestCase(verb, "lobby", MODERATOR_ROLES, press_attempt(verb, str(APPLICANT_USER)))
        for verb in ("admit", "deny")
    ),
    *(
        RequestCase(verb, "lobby", NO_ROLES, press_attempt(verb, str(BYSTANDER_USER)))
        for verb in ("admit", "deny")
    ),
    RequestCase("/invite", "lobby", MODERATOR_ROLES - {"host elsewhere"}, command_attempt(_invite)),
    *(
        RequestCase(verb, "playing", NO_ROLES, press_attempt(verb, str(APPLICANT_USER), str(ACTOR_USER)))
        for verb in ("manage", "needs", "byinv", "remove", "admit", "deny")
    ),
    RequestCase("/invite", "playing", NO_ROLES, command_attempt(_invite)),
    *(RequestCase(verb, "lobby", NO_ROLES, press_attempt(verb)) for verb in READY_CHECK_VERBS),
    *(RequestCase(verb, "playing", NO_ROLES, press_attempt(verb)) for verb in READY_CHECK_VERBS),
    RequestCase("here", "ready check", frozenset({"actor"}), press_attempt("here")),
    *(
        RequestCase(verb, "ready check", MODERATOR_ROLES, press_attempt(verb))
        for verb in READY_CHECK_VERBS[1:]
    ),
    RequestCase("opts", "lobby", MODERATOR_ROLES, press_attempt("opts")),
    RequestCase("opts", "lobby", MODERATOR_ROLES, press_attempt("opts", "0")),
    RequestCase("opts", "playing", NO_ROLES, press_attempt("opts")),
    RequestCase("setopt", "lobby", MODERATOR_ROLES, _form_attempt("setopt", "0")),
    RequestCase("setopt", "playing", NO_ROLES, _form_attempt("setopt", "0")),
    *(RequestCase(verb, "lobby", SEATED_ROLES, press_attempt(verb)) for verb in CUT_VERBS),
    *(RequestCase(verb, "playing", NO_ROLES, press_attempt(verb)) for verb in CUT_VERBS),
    *(RequestCase(verb, "restored", SEATED_ROLES, press_attempt(verb)) for verb in CUT_VERBS),
    *(
        RequestCase("cutset", situation, allowed, _form_attempt("cutset", first="anchor", second="river"))
        for situation, allowed in (("lobby", SEATED_ROLES), ("playing", NO_ROLES), ("restored", SEATED_ROLES))
    ),
    RequestCase("table end", "lobby", MODERATOR_ROLES, _reading_attempt(_ask_whether_to_end)),
    RequestCase("end", "lobby", MODERATOR_ROLES, press_attempt("end", "lobby")),
    RequestCase("end", "lobby", NO_ROLES, press_attempt("end", "game")),
    # In the game
    *(RequestCase(verb, "playing", frozenset({"actor"}), press_attempt(verb)) for verb in ("play", "step")),
    RequestCase("page", "playing", frozenset({"actor"}), press_attempt("page", "0")),
    RequestCase("do", "playing", frozenset({"actor"}), press_attempt("do", "MOVE")),
    RequestCase("typed", "playing", frozenset({"actor"}), _form_attempt("typed", line="MOVE")),
    RequestCase("/play", "playing", frozenset({"actor"}), command_attempt(_play_typed_text)),
    *(RequestCase(verb, "playing", SEATED_ROLES, press_attempt(verb)) for verb in ("hand", "own")),
    RequestCase("own", "playing", VIEWING_ROLES, press_attempt("own", "B")),
    RequestCase("/hand", "playing", SEATED_ROLES, _reading_attempt(_show_hand)),
    *(
        RequestCase(verb, "playing", VIEWING_ROLES, press_attempt(verb))
        for verb in ("type", "board", "text", "log", "hist", "replay", "export", "more", "rules")
    ),
    RequestCase("undo", "playing", MOVED_ROLES, press_attempt("undo")),
    RequestCase("/undo", "playing", MOVED_ROLES, command_attempt(own_undo.undo)),
    RequestCase("resign", "playing", SEATED_ROLES, press_attempt("resign")),
    RequestCase("resyes", "playing", SEATED_ROLES, press_attempt("resyes")),
    RequestCase("tocomp", "playing", SEATED_ROLES, press_attempt("tocomp")),
    RequestCase("/resign", "playing", SEATED_ROLES, _reading_attempt(_ask_whether_to_resign)),
    RequestCase("join", "playing", NO_ROLES, press_attempt("join")),
    RequestCase("leave", "playing", NO_ROLES, press_attempt("leave")),
    RequestCase("start", "playing", NO_ROLES, press_attempt("start")),
    RequestCase(
        "table freeze",
        "playing",
        ADMIN_ROLES,
        command_attempt(partial(moderation.freeze_as_admin, reason="Why")),
    ),
    RequestCase(
        "table thaw", "frozen", ADMIN_ROLES, command_attempt(partial(moderation.thaw_as_admin, reason="Why"))
    ),
    RequestCase("table pause", "playing", MODERATOR_ROLES | SEATED_ROLES, command_attempt(moderation.pause)),
    RequestCase("pause itself", "playing", MODERATOR_ROLES | SEATED_ROLES, decider_attempt(moderation.pause)),
    RequestCase("table clock", "playing", MODERATOR_ROLES, _reading_attempt(_show_clock)),
    RequestCase("play itself", "playing", frozenset({"actor"}), decider_attempt(_play_typed_text)),
    RequestCase("undo itself", "playing", MOVED_ROLES, decider_attempt(own_undo.undo)),
    RequestCase("table end", "playing", MODERATOR_ROLES, _reading_attempt(_ask_whether_to_end)),
    RequestCase("end", "playing", MODERATOR_ROLES, press_attempt("end", "game")),
    RequestCase("end", "playing", NO_ROLES, press_attempt("end", "lobby")),
    RequestCase("keep", "playing", VIEWING_ROLES, press_attempt("keep")),
    RequestCase("end itself", "playing", MODERATOR_ROLES, decider_attempt(moderation.end)),
    RequestCase(
        "table move",
        "playing",
        MODERATOR_ROLES - {"host elsewhere"},
        command_attempt(partial(moderation.move_here, is_channel_busy=False), CHANNEL + 1),
    ),
    RequestCase("table show", "playing", VIEWING_ROLES, _reading_attempt(_only_find_table)),
    RequestCase("/export", "playing", VIEWING_ROLES, _reading_attempt(_read_match_file)),
    RequestCase("do", "paused", NO_ROLES, press_attempt("do", "resign")),
    RequestCase("undo", "paused", NO_ROLES, press_attempt("undo")),
    # What belongs to no table
    *(
        RequestCase(verb, "playing", ALL_ROLES, press_attempt(verb, "GAME"))
        for verb in ("topic", "name", "names")
    ),
    RequestCase("remind", "playing", ALL_ROLES, press_attempt("remind", value="off")),
    RequestCase("zone", "playing", ALL_ROLES, press_attempt("zone", value="Europe/Paris")),
    RequestCase("snooze", "playing", ALL_ROLES, press_attempt("snooze", "tomorrow")),
    RequestCase("switch", "playing", ALL_ROLES, press_attempt("switch", "text on")),
    RequestCase("hours", "playing", ALL_ROLES, press_attempt("hours")),
    RequestCase("forget", "playing", ALL_ROLES, press_attempt("forget")),
    RequestCase("keepme", "playing", ALL_ROLES, press_attempt("keepme")),
    RequestCase(
        "sethrs", "playing", ALL_ROLES, _form_attempt("sethrs", zone="Paris", begin="1320", end="480")
    ),
    # The clock
    *(
        RequestCase(verb, situation, MODERATOR_ROLES, press_attempt(verb, argument, value))
        for situation in ("lobby", "playing")
        for verb, argument, value in (
            ("clock", "", ""),
            ("ctime", "none", "1d"),
            ("csleep", "1d 8 allow substitute", "9"),
            ("cmiss", "1d 8 allow substitute", "remind"),
        )
    ),
    RequestCase("clock", "ended early", NO_ROLES, press_attempt("clock")),
    RequestCase("ctime", "ended early", NO_ROLES, press_attempt("ctime", "none", "1d")),
    RequestCase("cset", "lobby", NO_ROLES, press_attempt("cset", "1d 8 allow substitute")),
    RequestCase("cset", "playing", MODERATOR_ROLES, press_attempt("cset", "1d 8 allow substitute")),
    # When a player's time is over
    RequestCase("back", "substituted", frozenset({"actor"}), press_attempt("back")),
    RequestCase("play", "substituted", frozenset({"actor"}), press_attempt("play")),
    RequestCase("undo", "substituted", MOVED_ROLES, press_attempt("undo")),
    RequestCase("back", "playing", NO_ROLES, press_attempt("back")),
    RequestCase("subst", "time over", MODERATOR_ROLES | {"other"}, press_attempt("subst")),
    RequestCase("subst", "playing", NO_ROLES, press_attempt("subst")),
    # After the game
    RequestCase("again", "ended early", frozenset({"host", "actor", "other"}), press_attempt("again")),
    RequestCase("table end", "ended early", NO_ROLES, _reading_attempt(_ask_whether_to_end)),
    RequestCase("end", "ended early", NO_ROLES, press_attempt("end", "game")),
    RequestCase("undo", "ended early", NO_ROLES, press_attempt("undo")),
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


async def find_wrong_verdicts(
    situated_tables: Mapping[str, FixedTables], cases: Sequence[RequestCase] = REQUEST_CASES
) -> list[str]:
    """Return every request that somebody may make and should not, or should and may not."""
    wrong_verdicts = []
    with use_scenes_as_pictures():
        for case in cases:
            situated = situated_tables[case.situation]
            for role, request in situated.requests.items():
                if await _try_request(case, situated, request) != (role in case.allowed_roles):
                    wrong_verdicts.append(f"{role}: {case.name} ({case.situation})")
    return wrong_verdicts


async def _try_request(case: RequestCase, tables: FixedTables, request: Request) -> bool:
    try:
        await case.attempt(cast("Tables", tables), tables.table, request)
    except Refusal:
        return False
    return True
