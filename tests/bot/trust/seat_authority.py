"""Who may do what about seats, undos and roll-backs, whether they have seen a hand or not (T16)."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import msgspec

from bot.host.deciders import moderation, own_undo, questions, seats, undoing
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.store.clock_rows import TurnStage, TurnTimer
from bot.store.question_rows import Question, QuestionKind
from bot.store.rows import Status
from bot.store.seat_rows import Person, SeatOffer, SeatRow
from rules.model import Seat
from tests.bot.trust.authority import (
    MODERATOR_ROLES,
    NO_ROLES,
    RequestAttempt,
    RequestCase,
    command_attempt,
    decider_attempt,
    press_attempt,
)
from tests.bot.trust.situations import (
    ACTOR_USER,
    ADMIN_ONCE_SEATED_USER,
    ADMIN_ROLES,
    BYSTANDER_USER,
    FORMER_AT_HOSTS_SEAT_USER,
    FORMER_ROLES,
    MOVED_ROLES,
    SEATED_ROLES,
    FixedTables,
)

GUEST: Final = Person(ACTOR_USER + 1, "Guest")
"""Somebody who has never had a seat."""
ANSWERING_ROLES: Final = frozenset({"host", "other", "host elsewhere"}) | FORMER_ROLES
"""Who may answer the actor's question for an undo: all who have seen something, also who was replaced."""
TAKING_ROLES: Final = frozenset({"bystander", "admin", "former"})
"""Who can take the actor's seat when it is offered to anybody: only who has seen no other hand."""
ACCEPTING_ROLES_BY_NEWCOMER: Final[Mapping[str, frozenset[str]]] = {
    "bystander": frozenset({"bystander"}),
    "admin": frozenset({"admin"}),
    "former": frozenset({"former"}),
    "former at host's seat": NO_ROLES,
    "admin once seated": NO_ROLES,
    "host": NO_ROLES,
    "other": NO_ROLES,
}
"""Who can accept the actor's seat, by whom it is offered to: only who has seen no other hand."""


def _actor_seat(table: Table) -> Seat:
    assert table.match is not None
    assert table.match.to_act is not None
    return table.match.to_act


def offer_seat(
    table: Table,
    request: Request,
    *,
    newcomer: Person | None = GUEST,
    seat: Seat | None = None,
    has_left: bool = False,
) -> Decision:
    """Offer a seat, of the player to act if none is given."""
    offered_seat = _actor_seat(table) if seat is None else seat
    return seats.offer_seat(table, request, offered_seat, newcomer, computer="random", has_left=has_left)


def offer_to_anybody(table: Table, request: Request) -> Decision:
    """Offer the seat of the player to act to the first who takes it."""
    return seats.offer_to_anybody(table, request, _actor_seat(table))


def _offer_to_oneself(table: Table, request: Request, *, seat: Seat | None = None) -> Decision:
    """Offer a seat to oneself."""
    return offer_seat(table, request, newcomer=Person(request.user, "Me"), seat=seat)


def _attempt_at_once(
    decide: Callable[[Table, Request], Decision], is_done: Callable[[Table, Table], bool]
) -> RequestAttempt:
    """Return an action that is allowed only if it takes effect at once, without asking anybody."""

    def decide_at_once(table: Table, request: Request) -> Decision:
        decision = decide(table, request)
        if not is_done(table, decision.table):
            raise Refusal("others are asked first")
        return decision

    return decider_attempt(decide_at_once)


def _has_another_player(before: Table, after: Table) -> bool:
    seat = _actor_seat(before)
    return before.seats[seat].user != after.seats[seat].user


def _is_shorter(before: Table, after: Table) -> bool:
    assert before.match is not None
    assert after.match is not None
    return len(after.match.history) < len(before.match.history)


def _is_playing(_: Table, after: Table) -> bool:
    return after.status is Status.PLAYING


_ROLL_BACK_TO_START: Final = partial(moderation.roll_back, move_number=0)

SEAT_CASES: Final = (
    # Seats: who may offer which one to whom
    RequestCase("table replace", "playing", MODERATOR_ROLES | {"actor"}, command_attempt(offer_seat)),
    RequestCase(
        "table replace by a computer",
        "playing",
        MODERATOR_ROLES | {"actor"},
        command_attempt(partial(offer_seat, newcomer=None)),
    ),
    RequestCase(
        "table replace at once", "playing", NO_ROLES, _attempt_at_once(offer_seat, _has_another_player)
    ),
    RequestCase(
        "table replace by a computer at once",
        "playing",
        frozenset({"actor"}),
        _attempt_at_once(partial(offer_seat, newcomer=None), _has_another_player),
    ),
    RequestCase(
        "table replace of who has left, at once",
        "playing",
        MODERATOR_ROLES | {"actor", "admin"},
        _attempt_at_once(partial(offer_seat, newcomer=None, has_left=True), _has_another_player),
    ),
    RequestCase(
        "table replace by oneself", "playing", frozenset({"admin"}), command_attempt(_offer_to_oneself)
    ),
    RequestCase(
        "table replace by oneself", "host away", frozenset({"admin"}), command_attempt(_offer_to_oneself)
    ),
    RequestCase(
        "table replace by oneself, of the host's seat",
        "host away",
        frozenset({"host"}) | ADMIN_ROLES,
        command_attempt(partial(_offer_to_oneself, seat=Seat(0))),
    ),
    # Seats for anybody: who may offer and take them
    RequestCase(
        "table replace by anybody", "playing", MODERATOR_ROLES | {"actor"}, command_attempt(offer_to_anybody)
    ),
    RequestCase("anyone", "playing", MODERATOR_ROLES | {"actor"}, press_attempt("anyone", "ACTOR")),
    RequestCase(
        "anyone", "time over", MODERATOR_ROLES | {"actor", "other"}, press_attempt("anyone", "ACTOR")
    ),
    RequestCase(
        "anyone", "offered to bystander", MODERATOR_ROLES | {"actor"}, press_attempt("anyone", "ACTOR")
    ),
    *(
        RequestCase("offer", "playing", MODERATOR_ROLES | {"actor"}, press_attempt("offer", argument))
        for argument in ("ACTOR computer", "ACTOR anybody", f"ACTOR {GUEST.user} Guest")
    ),
    RequestCase(
        "unoff",
        "offered to bystander",
        frozenset({"host", "host elsewhere"}),
        press_attempt("unoff", "OFFER"),
    ),
    RequestCase("unoff", "playing", NO_ROLES, press_attempt("unoff", "1 1")),
    RequestCase("accept", "for anybody", TAKING_ROLES, press_attempt("accept", "OFFER")),
    RequestCase("accept", "for anybody, not yet agreed", NO_ROLES, press_attempt("accept", "OFFER")),
    RequestCase("reject", "for anybody", MODERATOR_ROLES | {"actor"}, press_attempt("reject", "OFFER")),
    RequestCase("reject", "for anybody, not yet agreed", SEATED_ROLES, press_attempt("reject", "OFFER")),
    RequestCase(
        "yield", "for anybody, not yet agreed", frozenset({"actor"}), press_attempt("yield", "OFFER")
    ),
    # Offers: who may answer them
    *(
        RequestCase("accept", f"offered to {role}", allowed, press_attempt("accept", "OFFER"))
        for role, allowed in ACCEPTING_ROLES_BY_NEWCOMER.items()
    ),
    RequestCase("accept", "playing", NO_ROLES, press_attempt("accept", "1 1")),
    RequestCase("yield", "offered to bystander", frozenset({"actor"}), press_attempt("yield", "OFFER")),
    RequestCase("yield", "playing", NO_ROLES, press_attempt("yield", "1 1")),
    RequestCase(
        "reject", "offered to bystander", SEATED_ROLES | {"bystander"}, press_attempt("reject", "OFFER")
    ),
    RequestCase("reject", "offered to former", SEATED_ROLES | {"former"}, press_attempt("reject", "OFFER")),
    RequestCase("reject", "playing", NO_ROLES, press_attempt("reject", "1 1")),
    # Without a seat, whatever hand one has seen
    RequestCase("hand", "host away", frozenset({"actor", "other"}), press_attempt("hand")),
    RequestCase("undo", "host away", MOVED_ROLES, command_attempt(own_undo.undo)),
    RequestCase("resign", "host away", frozenset({"actor", "other"}), press_attempt("resyes")),
    RequestCase(
        "table rollback", "host away", frozenset({"host"}) | ADMIN_ROLES, command_attempt(_ROLL_BACK_TO_START)
    ),
    # Undo and roll-back: asked for by moderators, allowed by all who have seen something
    RequestCase("table rollback", "playing", MODERATOR_ROLES, command_attempt(_ROLL_BACK_TO_START)),
    RequestCase("rollto", "playing", MODERATOR_ROLES, press_attempt("rollto", "0")),
    RequestCase("rollpg", "playing", MODERATOR_ROLES, press_attempt("rollpg", "0 0 new")),
    *(
        RequestCase(
            "table rollback at once", situation, NO_ROLES, _attempt_at_once(_ROLL_BACK_TO_START, _is_shorter)
        )
        for situation in ("playing", "paused", "host away", "left alone")
    ),
    RequestCase("undo at once", "left alone", NO_ROLES, _attempt_at_once(own_undo.undo, _is_shorter)),
    *(
        RequestCase(verb, situation, allowed, press_attempt(verb, "QUESTION"))
        for verb in ("agree", "refuse")
        for situation, allowed in (("asked", ANSWERING_ROLES), ("asked to go on", SEATED_ROLES))
    ),
    *(
        RequestCase("unask", situation, NO_ROLES, press_attempt("unask", "QUESTION"))
        for situation in ("asked", "asked to go on")
    ),
    # A restored game that its players must agree to
    RequestCase("table resume", "paused", MODERATOR_ROLES, command_attempt(moderation.resume)),
    RequestCase("resume", "paused", MODERATOR_ROLES, press_attempt("resume")),
    RequestCase("table resume", "must agree", MODERATOR_ROLES, command_attempt(moderation.resume)),
    RequestCase("table resume", "asked to go on", NO_ROLES, command_attempt(moderation.resume)),
    RequestCase(
        "table resume at once", "paused", MODERATOR_ROLES, _attempt_at_once(moderation.resume, _is_playing)
    ),
    RequestCase(
        "table resume at once", "must agree", NO_ROLES, _attempt_at_once(moderation.resume, _is_playing)
    ),
)


def seat_situations(situated_tables: Mapping[str, FixedTables]) -> dict[str, FixedTables]:
    """Return the situations of these cases, made from those of a game."""
    playing_tables = situated_tables["playing"]
    playing, stored_table, requests = (
        playing_tables.table,
        playing_tables.stored_table,
        playing_tables.requests,
    )
    seat = _actor_seat(playing)
    assert playing.match is not None
    undo = playing.match.possible_undo(seat)
    assert undo is not None
    users_to_ask = undoing.users_to_ask(playing, undo.kept_length, ACTOR_USER)
    assert {FORMER_AT_HOSTS_SEAT_USER, ADMIN_ONCE_SEATED_USER, requests["former"].user} <= set(users_to_ask)
    undo_question = Question(
        QuestionKind.UNDO, 1, users_to_ask, playing.row.ply, 1, seat=seat, kept_length=undo.kept_length
    )
    alone = playing
    for other in range(1, len(playing.seats)):
        alone = alone.with_player(other, SeatRow(name=f"Random {other}", computer="random"))
    awaiting_agreement = playing.with_row(status=Status.PAUSED, needs_agreement_to_go_on=True)
    table_by_situation = {
        "playing": playing,
        "paused": playing.with_row(status=Status.PAUSED),
        "asked": playing.with_row(question=undo_question),
        "must agree": awaiting_agreement,
        "asked to go on": awaiting_agreement.with_row(
            question=questions.go_on_question(awaiting_agreement, 0)
        ),
        "for anybody": _with_offer_to_anybody(playing, seat, approved=True),
        "for anybody, not yet agreed": _with_offer_to_anybody(playing, seat, approved=False),
        "time over": playing.with_row(
            turn_timer=TurnTimer(seat, requests["actor"].user, 0, 0, 0, stage=TurnStage.SUBSTITUTE_ALLOWED)
        ),
        "host away": playing.with_player(0, SeatRow(name="Substitute", user=BYSTANDER_USER + 50)),
        "left alone": alone,
        **{
            f"offered to {role}": _with_offer(playing, seat, requests[role].user)
            for role in ACCEPTING_ROLES_BY_NEWCOMER
            if role in requests
        },
    }
    return {name: FixedTables(each, stored_table, requests) for name, each in table_by_situation.items()}


def _with_offer_to_anybody(table: Table, seat: Seat, *, approved: bool) -> Table:
    """Return the table with a seat offered to anybody by its host."""
    offer = SeatOffer(1, 1, table.row.host, "", is_for_anybody=True, approved=approved)
    return table.with_seat(seat, msgspec.structs.replace(table.seats[seat], offer=offer))


def _with_offer(table: Table, seat: Seat, user: int) -> Table:
    """Return the table with a seat offered to somebody, as if nobody had checked whom."""
    offer = SeatOffer(1, 1, table.row.host, "", Person(user, "Guest"))
    return table.with_seat(seat, msgspec.structs.replace(table.seats[seat], offer=offer))
