"""The outcome of a request: the table after it, the answer, and the deliveries.  Pure functions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from bot.host.game_guard import GameFault
from bot.host.table import Table
from bot.host.table_turns import turn_deliveries
from bot.store.delivery_rows import DeliveryKind, NewDelivery, Slot
from bot.store.lobby_rows import ReadyCheck
from bot.store.personal_data import ErasedPerson
from bot.store.question_rows import Question
from bot.store.results import NewResult
from bot.store.rows import LIVE_STATUSES, Status
from bot.store.seat_rows import DirectMessages, SeatOffer
from rules.match import Match
from rules.model import SEAT_LETTERS, Seat

LOBBY_DELIVERY = NewDelivery(Slot(DeliveryKind.LOBBY))
THREAD_DELIVERY = NewDelivery(Slot(DeliveryKind.THREAD))
THREAD_NAME_DELIVERY = NewDelivery(Slot(DeliveryKind.THREAD), "name")
"""Names a thread that is open; it opens none."""
BOARD_DELIVERY = NewDelivery(Slot(DeliveryKind.BOARD))
BOARD_EDIT_DELIVERY = NewDelivery(Slot(DeliveryKind.BOARD_EDIT))
RESULT_DELIVERY = NewDelivery(Slot(DeliveryKind.RESULT))
VOID_TEXT: Final = "This is no longer open."
"""What a closed question, invitation or offer says if nothing else is known about it."""


def notice_delivery(text: str, *, channel: int | None = None) -> NewDelivery:
    """Return the delivery of a public line for everyone at the table.

    ``channel``: the line is void once the table is played elsewhere.
    """
    return NewDelivery(Slot(DeliveryKind.NOTICE, subject_id=channel), text)


def time_over_delivery(seat: int, user: int, text: str) -> NewDelivery:
    """Return the delivery of the public line that a user's time is over, which mentions them.

    ``text``: with ``LATE_PLAYER`` in place of their name.
    """
    return NewDelivery(Slot(DeliveryKind.TIME_OVER, seat, user), text)


def hand_delivery(seat: int) -> NewDelivery:
    """Return the delivery of a player's private message."""
    return NewDelivery(Slot(DeliveryKind.HAND, seat))


def secret_hand_deliveries(table: Table, seat: int) -> tuple[NewDelivery, ...]:
    """Return the delivery of a player's private message; none in a game without secrets."""
    return (hand_delivery(seat),) if table.game.hidden_information else ()


def question_delivery(question: Question, outcome: str = "") -> NewDelivery:
    """Return the delivery of the message that asks a question; ``outcome``: once closed, its result."""
    return NewDelivery(Slot(DeliveryKind.QUESTION, subject_id=question.id), outcome)


def ready_check_delivery(check: ReadyCheck, outcome: str = "") -> NewDelivery:
    """Return the delivery of the message that asks who is here; ``outcome``: once over, its result."""
    return NewDelivery(Slot(DeliveryKind.READY_CHECK, subject_id=check.id), outcome)


def invitation_delivery(user: int, outcome: str = "") -> NewDelivery:
    """Return the delivery of the message that invites somebody; ``outcome``: once over, its result."""
    return NewDelivery(Slot(DeliveryKind.INVITATION, subject_id=user), outcome)


def join_request_delivery(user: int, outcome: str = "") -> NewDelivery:
    """Return the delivery of the question whether somebody may join; ``outcome``: once over, the answer."""
    return NewDelivery(Slot(DeliveryKind.JOIN_REQUEST, subject_id=user), outcome)


def acceptance_delivery(user: int) -> NewDelivery:
    """Return the delivery of the message that mentions somebody who may join."""
    return NewDelivery(Slot(DeliveryKind.ACCEPTANCE, subject_id=user))


def offer_delivery(seat: int, offer: SeatOffer, outcome: str = "") -> NewDelivery:
    """Return the delivery of the message that offers a seat; ``outcome``: once closed, its result."""
    return NewDelivery(Slot(DeliveryKind.OFFER, seat, offer.id), outcome)


def outcome_deliveries(
    table: Table,
    closing_delivery: NewDelivery,
    consequence: str,
    asked_ply: int,
    *,
    has_expired: bool = False,
) -> tuple[NewDelivery, ...]:
    """Return the deliveries that say why a question or an offer has ended, and what follows, as sentences.

    ``closing_delivery`` edits its message and says why.  A public line says both where that edit may be
    overlooked: if somebody has moved since ``asked_ply``, so that it is above, or if nobody answered.
    """
    text = f"{closing_delivery.text} {consequence}"
    if table.row.ply == asked_ply and not has_expired:
        return (replace(closing_delivery, text=text),)
    return notice_delivery(text), closing_delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A changed table, the answer to the request, and the deliveries to queue."""

    table: Table
    answer: str
    """For the user who sent the request."""
    repeat_answer: str = ""
    """For a repeat of the same interaction; ``answer`` if empty."""
    move_number: int | None = None
    """The number of the last move that the request has played; None: it has played none."""
    deliveries: tuple[NewDelivery, ...] = ()
    undone_from_index: int | None = None
    """The start of the first finished turn that was taken back, if any; ``decide_and_narrate`` sets it."""
    result: NewResult | None = None
    """The result of the game that the decision ends; ``decide_and_narrate`` sets it."""
    moving_user: int | None = None
    """The user who has moved, which ends their absence if they are away; None: nobody has."""
    audit_entry: str = ""
    """The audit log entry: mostly about an act of the table's host or an admin, which is announced too."""
    erased_person: ErasedPerson | None = None
    """The person who is erased from what is stored beside the table's own rows."""
    fault: GameFault | None = None
    """Why the game of a lobby could not be dealt; ``Tables`` logs it.  The rest of the decision stands."""
    rematch_of: int | None = None
    """The number of the ended game whose rematch the decision opens; ``Tables`` sets it."""


def apply_match(before: Table, match: Match) -> tuple[Table, tuple[NewDelivery, ...]]:
    """Return the table with its new ``match``, and the deliveries that follow."""
    table = before.with_match(match)
    turn_and_board_deliveries = (*turn_deliveries(before.match, match), BOARD_DELIVERY)
    if match.is_over:
        table = table.without_prompts().with_row(status=Status.OVER)
        return table, (*turn_and_board_deliveries, *outdated_hand_deliveries(before, table), RESULT_DELIVERY)
    return table, (
        *_kept_seat_deliveries(before, table),
        *turn_and_board_deliveries,
        *outdated_hand_deliveries(before, table),
    )


def _kept_seat_deliveries(before: Table, after: Table) -> Iterable[NewDelivery]:
    """Yield the deliveries that announce that a player who moved keeps a seat that was offered."""
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=False)):
        if old.offer is not None and new.offer is None:
            name = after.names[seat]
            closing_delivery = offer_delivery(seat, old.offer, f"{name} moved.")
            consequence = f"Seat {SEAT_LETTERS[seat]} stays with {name}."
            yield from outcome_deliveries(before, closing_delivery, consequence, old.offer.ply)


def closing_deliveries(before: Table, after: Table) -> Iterable[NewDelivery]:
    """Yield the deliveries that remove the buttons of messages that are answered or void, and say why."""
    question_before, question_after = before.row.question, after.row.question
    if (
        question_before is not None
        and not question_before.declined
        and (question_after is None or question_after.declined or question_after.id != question_before.id)
    ):
        yield question_delivery(question_before, _void_text(before, after))
    check_before, check_after = before.row.lobby.ready_check, after.row.lobby.ready_check
    if check_before is not None and (check_after is None or check_after.id != check_before.id):
        yield ready_check_delivery(check_before, _ready_check_outcome(after))
    still_invited, still_applying = after.pending_invitees, after.applicant_users
    for user in before.pending_invitees:
        if user not in still_invited:
            yield invitation_delivery(user, _invitation_outcome(after, user))
    for user in before.row.lobby.invited_users:  # said so that it stays true if they come back
        seat_before = before.seat_of(user)
        if after.status is Status.LOBBY and seat_before is not None and after.seat_of(user) is None:
            yield invitation_delivery(user, f"{before.names[seat_before]} joined and left again.")
    for user in before.applicant_users:
        if user not in still_applying:
            yield join_request_delivery(user, _join_request_outcome(after, user))
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=False)):
        if old.offer is not None and (new.offer is None or new.offer.id != old.offer.id):
            yield offer_delivery(seat, old.offer, _void_text(before, after))


def new_host_deliveries(before: Table, after: Table) -> Iterable[NewDelivery]:
    """Yield the deliveries of the lobby's messages that name its host, if it has a new one."""
    if after.status is Status.LOBBY and after.row.host != before.row.host:
        yield from _admission_deliveries(after)


def prompt_deliveries(table: Table) -> Iterable[NewDelivery]:
    """Yield the deliveries of all prompts: the messages that ask people to press a button now."""
    question, check = table.row.question, table.row.lobby.ready_check
    if question is not None and not question.declined:
        yield question_delivery(question)
    if check is not None:
        yield ready_check_delivery(check)
    yield from _admission_deliveries(table)
    for seat, row in enumerate(table.seats):
        if row.offer is not None:
            yield offer_delivery(seat, row.offer)


def _admission_deliveries(table: Table) -> Iterable[NewDelivery]:
    """Yield the deliveries of invitations, and of requests to join, that have no answer yet."""
    yield from (invitation_delivery(user) for user in table.pending_invitees)
    yield from (join_request_delivery(user) for user in table.applicant_users)


def _void_text(before: Table, after: Table) -> str:
    """Return why an unanswered question or offer is void."""
    if after.status not in LIVE_STATUSES:
        return "The game has ended."
    if after.status is Status.FROZEN:
        return "The game was frozen."
    return "The game has moved on." if before.row.ply != after.row.ply else VOID_TEXT


def _ready_check_outcome(after: Table) -> str:
    check = after.row.lobby.ready_check
    if check is not None:
        return "The time is over." if check.awaits_host else "There is more time."
    match after.status:
        case Status.CLOSED:
            return "The lobby is closed."
        case Status.LOBBY:
            return "The lobby is open to others again."
        case _:
            return "The game has started."


def _invitation_outcome(after: Table, user: int) -> str:
    seat = after.seat_of(user)
    if seat is not None:
        return f"{after.names[seat]} joined."
    return "The invitation was withdrawn." if after.status is Status.LOBBY else _lobby_end_text(after)


def _join_request_outcome(after: Table, user: int) -> str:
    seat = after.seat_of(user)
    if seat is not None:  # accepted, or the lobby was opened to all
        return f"{after.names[seat]} joined."
    if after.status is not Status.LOBBY:
        return _lobby_end_text(after)
    if user in after.row.lobby.invited_users:
        return "An invitation was sent."
    return "The request was declined." if user in after.row.lobby.declined_applicants else VOID_TEXT


def _lobby_end_text(after: Table) -> str:
    """Return how a lobby ended, to somebody who did not join it."""
    return "The lobby is closed." if after.status is Status.CLOSED else "The game has started."


def outdated_hand_deliveries(before: Table, after: Table) -> Iterable[NewDelivery]:
    """Yield the deliveries of private messages that may be out of date.

    The hand or the status has changed, or the seat is or was to act.
    """
    for index, row in enumerate(after.seats):
        seat = Seat(index)
        has_closed_dms = row.direct_messages is DirectMessages.CLOSED  # retried when the player next acts
        if (
            row.user is None
            or has_closed_dms
            or row.is_substituted_until_back
            or not after.game.hidden_information
        ):
            continue
        status_changed = after.status is not before.status
        if (
            status_changed
            or seat in {after.to_act, before.to_act}
            or _hand_text(before, seat) != _hand_text(after, seat)
        ):
            yield hand_delivery(index)


def _hand_text(table: Table, seat: Seat) -> str:
    if table.match is None:
        return ""
    return table.game.words.hand_text(table.match.view(seat), table.plain_names)
