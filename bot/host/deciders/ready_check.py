"""The ready check: before the game of an old lobby starts, everybody says that they are still here.

Players who do not answer lose their seats.  Pure functions from a table to a decision.
"""

from collections.abc import Mapping
from dataclasses import replace as replace_decision
from typing import Final

from msgspec.structs import replace

from bot.host.deciders.decision import LOBBY_DELIVERY, Decision, notice_delivery, ready_check_delivery
from bot.host.deciders.presence import (
    HERE_LABEL,
    start_condition_text,
    unconfirmed_names_text,
    unconfirmed_users,
    users_seen_recently,
    waiting_text,
    with_user_seen,
)
from bot.host.deciders.starting import (
    ChannelBusy,
    acting_admin_name,
    may_open_thread,
    missing_player_count,
    require_lobby,
    require_moderator,
    start_game,
)
from bot.host.game_guard import GameFault, GameGuard
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.store.clock_rows import DAY, HOUR
from bot.store.delivery_rows import Slot
from bot.store.lobby_rows import ReadyCheck
from bot.store.rows import Status
from bot.store.seat_rows import SeatRow

MIN_LOBBY_AGE: Final = HOUR
"""The start of a lobby that is more seconds old begins with a ready check."""
TIME_TO_ANSWER: Final = 12 * HOUR
"""Seconds to press **Here**, and then for the host to choose what follows."""
MAX_POSTING_DELAY: Final = HOUR
"""If a check is posted more than these seconds after it began, the time to answer starts at its post."""
LIFETIME_AFTER_CHECK: Final = DAY
"""Seconds from the end of a ready check until its lobby is closed."""

_OPEN_AGAIN_TEXT: Final = "The lobby is open to others again."
_FAULT_TEXT: Final = "Something went wrong in the game. The bot's operator can fix this."

START_WITHOUT_LABEL: Final = "Start without them"
FILL_LABEL: Final = "Fill with computers"
WAIT_LABEL: Final = f"Wait {TIME_TO_ANSWER // HOUR} more hours"


class _NobodyHere(Refusal):
    """Nobody who has a seat is here."""


def with_time_to_answer(table: Table, now: int) -> Table:
    """Return a lobby whose newest player has as long as the others had to answer a ready check, if any."""
    check = table.row.lobby.ready_check
    if check is None or not unconfirmed_users(table):
        return table
    return _with_ready_check(table, replace(check, due=max(check.due, now + TIME_TO_ANSWER)))


def is_needed(table: Table, now: int) -> bool:
    """Whether the lobby is so old that somebody in it, who was not seen recently, may have gone."""
    unseen_users = set(table.row.users) - set(users_seen_recently(table, now))
    return now - table.row.opened_at > MIN_LOBBY_AGE and bool(unseen_users)


def start(table: Table, request: Request, *, is_channel_busy: bool) -> Decision:
    """Ask everybody whether they are here.  Raises Refusal if the game could not start now."""
    # Only to see whether it could: the game is dealt once all are here.
    can_open_thread = may_open_thread(table, request)
    start_game(table, is_channel_busy=is_channel_busy, can_open_thread=can_open_thread)
    check = ReadyCheck(
        id=table.row.version + 1,
        due=request.at + TIME_TO_ANSWER,
        present_users=users_seen_recently(table, request.at),
        can_open_thread=can_open_thread,
    )
    changed_table = _with_ready_check(table, check)
    starter_name = acting_admin_name(table, request)
    starter_text = f"{starter_name} started the ready check." if starter_name else ""
    return Decision(
        table=changed_table,
        audit_entry=starter_text,
        answer="This lobby has been open for a long time, so I have asked who is still here."
        f" {start_condition_text(changed_table)}. {_until_text(check)}",
        deliveries=(
            *((notice_delivery(starter_text),) if starter_text else ()),
            LOBBY_DELIVERY,
            ready_check_delivery(check),
        ),
    )


def _with_ready_check(table: Table, check: ReadyCheck) -> Table:
    """Return a lobby with another ready check, open for ``LIFETIME_AFTER_CHECK`` after that ends."""
    state = replace(table.row.lobby, ready_check=check)
    return table.with_row(lobby=state, expires_at=check.due + LIFETIME_AFTER_CHECK)


def _until_text(check: ReadyCheck) -> str:
    return f"They have until <t:{check.due}:f>."


def confirm(table: Table, request: Request, *, is_channel_busy: bool) -> Decision:
    """Note that somebody is here; the game starts when everybody is.  Raises Refusal."""
    require_lobby(table)
    check = _require_ready_check(table)
    if table.seat_of(request.user) is None:
        raise Refusal("Only players of this lobby are asked. Press **Join** under the lobby to play.")
    if request.user in check.present_users:
        raise Refusal(f"You are here already. {waiting_text(table)}")
    table = with_user_seen(table, request.user, request.at)
    check = _require_ready_check(table)
    if unconfirmed_users(table):
        return Decision(
            table=table,
            answer=f"Thank you. {waiting_text(table)}",
            deliveries=(LOBBY_DELIVERY, ready_check_delivery(check)),
        )
    return _start_or_ask_host(table, check, request.at, is_channel_busy=is_channel_busy)


def complete_departure(
    departure: Decision, now: int, *, is_channel_busy: bool, has_new_host: bool = False
) -> Decision:
    """Return a departure from a lobby with its consequence: the game starts if all others are here.

    ``has_new_host``: the host left; the new one is named, and asked what follows if the old one was asked.
    """
    table, check = departure.table, departure.table.row.lobby.ready_check
    notice_deliveries = (notice_delivery(_new_host_text(table)),) if has_new_host else ()
    if check is None:
        return replace_decision(departure, deliveries=(*notice_deliveries, *departure.deliveries))
    if not unconfirmed_users(table):
        next_decision = _start_or_ask_host(
            table, check, now, is_channel_busy=is_channel_busy, has_new_host=has_new_host
        )
        if check.awaits_host and next_decision.table.status is Status.LOBBY:
            notice_deliveries = ()  # the message of the check names the new host
        return replace_decision(
            next_decision,
            answer=f"{departure.answer} {next_decision.answer}",
            deliveries=(*notice_deliveries, *next_decision.deliveries),
        )
    if check.awaits_host and has_new_host:
        return replace_decision(_ask_host(table, check, now, _new_host_text(table)), answer=departure.answer)
    deliveries = (*notice_deliveries, *departure.deliveries, ready_check_delivery(check))
    return replace_decision(departure, deliveries=deliveries)


def _new_host_text(table: Table) -> str:
    return f"The host left. {table.name_of(table.row.host)} is the host now."


def _start_or_ask_host(
    table: Table, check: ReadyCheck, now: int, *, is_channel_busy: bool, has_new_host: bool = False
) -> Decision:
    """Start the game, as everybody is here; where it cannot start, ask the host what to do.

    A fault in the deal is part of the decision instead of an error, so that it keeps nobody from leaving.
    """
    fault = None
    try:
        with GameGuard(table.number):
            return start_game(table, is_channel_busy=is_channel_busy, can_open_thread=check.can_open_thread)
    except Refusal as refusal:
        reason = str(refusal)
        check = replace(check, channel_was_busy=isinstance(refusal, ChannelBusy))
    except GameFault as error:
        reason, fault = _FAULT_TEXT, error
    answer = f"Everybody is here, but the game cannot start yet: {reason}"
    if check.awaits_host and not has_new_host:
        deliveries = (LOBBY_DELIVERY, ready_check_delivery(check))
        return Decision(
            table=_with_ready_check(table, check), answer=answer, deliveries=deliveries, fault=fault
        )
    outcome = _new_host_text(table) if check.awaits_host else "Everybody is here."
    return replace_decision(_ask_host(table, check, now, outcome), answer=answer, fault=fault)


def _ask_host(table: Table, check: ReadyCheck, now: int, outcome: str = "The time is over.") -> Decision:
    """Ask the host, in a new message, what to do.  ``outcome``: for the message before it."""
    host_check = replace(check, id=table.row.version + 1, due=now + TIME_TO_ANSWER, awaits_host=True)
    return Decision(
        table=_with_ready_check(table, host_check),
        answer="",
        deliveries=(LOBBY_DELIVERY, ready_check_delivery(host_check), ready_check_delivery(check, outcome)),
    )


def _require_ready_check(table: Table) -> ReadyCheck:
    check = table.row.lobby.ready_check
    if check is None:
        raise Refusal("The ready check is over. The lobby shows who has a seat.")
    return check


def start_without_unconfirmed(table: Table, request: Request, *, is_channel_busy: bool) -> Decision:
    """Start with those who are here; the others lose their seats.  Raises Refusal."""
    starter_name = acting_admin_name(table, request)
    table, check = _require_host_rights_and_ready_check(table, request)
    try:
        return _start_game_without_unconfirmed(
            table, check, is_channel_busy=is_channel_busy, starter_name=starter_name
        )
    except (ChannelBusy, _NobodyHere):
        raise  # computer players would not help
    except Refusal as refusal:
        raise Refusal(f"{refusal} Or press **{FILL_LABEL}**.") from refusal


def fill_with_computers(table: Table, request: Request, computer: str, *, is_channel_busy: bool) -> Decision:
    """Start with computer players in the seats of those who have not confirmed.  Raises Refusal."""
    starter_name = acting_admin_name(table, request)
    table, check = _require_host_rights_and_ready_check(table, request)
    unconfirmed = unconfirmed_users(table)
    takeover_text = (
        "Computer players take those seats." if len(unconfirmed) > 1 else "A computer player takes that seat."
    )
    text = f"{unconfirmed_names_text(table)} did not answer. {takeover_text}"
    for user in unconfirmed:
        seat = table.seat_of(user)
        assert seat is not None
        table = table.with_seat(seat, SeatRow(name=table.computer_name(computer), computer=computer))
    for _ in range(missing_player_count(table)):
        added_row = SeatRow(name=table.computer_name(computer), computer=computer)
        table = table.with_row(seats=(*table.seats, added_row))
    table = _with_seated_host(table)
    start_decision = start_game(
        table,
        is_channel_busy=is_channel_busy,
        can_open_thread=check.can_open_thread,
        starter_name=starter_name,
    )
    return _with_notice(start_decision, text) if unconfirmed else start_decision


def wait_longer(table: Table, request: Request) -> Decision:
    """Give those who have not confirmed more time; if their time was over, ask again.  Raises Refusal.

    An admin who does so in place of the host is announced.
    """
    admin_name = acting_admin_name(table, request)
    table, check = _require_host_rights_and_ready_check(table, request)
    if not unconfirmed_users(table):
        raise Refusal("Everybody is here. Press **Start** under the lobby.")
    if check.due - request.at > TIME_TO_ANSWER:
        raise Refusal(f"They have until <t:{check.due}:f> already.")
    due = TIME_TO_ANSWER + (request.at if check.awaits_host else check.due)
    extended_check = replace(
        check,
        due=due,
        awaits_host=False,
        channel_was_busy=False,
        id=table.row.version + 1 if check.awaits_host else check.id,
    )
    text = f"{admin_name} waits 12 more hours for {unconfirmed_names_text(table)}." if admin_name else ""
    return Decision(
        table=_with_ready_check(table, extended_check),
        answer=_until_text(extended_check),
        deliveries=(
            *((notice_delivery(text),) if text else ()),
            LOBBY_DELIVERY,
            ready_check_delivery(extended_check),
        ),
        audit_entry=text,
    )


def _require_host_rights_and_ready_check(table: Table, request: Request) -> tuple[Table, ReadyCheck]:
    """Return the table, with its host or admin noted as here if seated, and its check.  Raises Refusal."""
    require_lobby(table)
    require_moderator(table, request, "decide that")
    if table.seat_of(request.user) is not None:
        table = with_user_seen(table, request.user, request.at)
    return table, _require_ready_check(table)


def _start_game_without_unconfirmed(
    table: Table, check: ReadyCheck, *, is_channel_busy: bool, starter_name: str = ""
) -> Decision:
    remaining_table, text = _without_unconfirmed(table)
    start_decision = start_game(
        remaining_table,
        is_channel_busy=is_channel_busy,
        can_open_thread=check.can_open_thread,
        starter_name=starter_name,
    )
    return _with_notice(start_decision, text) if text else start_decision


def _without_unconfirmed(table: Table) -> tuple[Table, str]:
    """Return the table without those who have not confirmed, and the notice about them."""
    unconfirmed = unconfirmed_users(table)
    if not unconfirmed:
        return table, ""
    lost_text = "their seats" if len(unconfirmed) > 1 else "the seat"
    text = f"{unconfirmed_names_text(table)} did not press **{HERE_LABEL}** and lost {lost_text}."
    remaining_table = table.with_row(
        seats=tuple(seat for seat in table.seats if seat.user not in unconfirmed)
    )
    return _with_seated_host(remaining_table), text


def _with_seated_host(table: Table) -> Table:
    """Return the table with a host who has a seat.  Raises Refusal if nobody has."""
    users = table.row.users
    if not users:
        raise _NobodyHere("Nobody is here yet, so the game cannot start.")
    return table if table.row.host in users else table.with_row(host=users[0])


def _with_notice(decision: Decision, text: str) -> Decision:
    """Return the decision with a notice before its answer and its deliveries."""
    return replace_decision(
        decision,
        answer=f"{text} {decision.answer}".strip(),
        deliveries=(notice_delivery(text), *decision.deliveries),
    )


def expire(
    table: Table, now: int, posting_times: Mapping[Slot, float], *, is_channel_busy: bool
) -> Decision | None:
    """Return what follows when the time to answer is over; None while there is time.

    ``posting_times``: when the table's messages were posted.  Nobody loses a seat who could not read the
    question.  First the host may choose what follows; without a choice the game starts with those who are
    here.  The host is asked once more if another game is played in the channel.
    """
    check = table.row.lobby.ready_check
    if table.status is not Status.LOBBY or check is None or check.due > now:
        return None
    if unconfirmed_users(table) and not check.awaits_host:
        posted_at = posting_times.get(ready_check_delivery(check).slot)
        if posted_at is None:
            text = (
                f"{unconfirmed_names_text(table)} could not be asked in time, so everybody keeps their seat."
            )
            return _reopen(table, now, f"{text} {_OPEN_AGAIN_TEXT}")
        if posted_at > check.due - TIME_TO_ANSWER + MAX_POSTING_DELAY:
            extended_check = replace(check, due=int(posted_at) + TIME_TO_ANSWER)
            deliveries = (LOBBY_DELIVERY, ready_check_delivery(extended_check))
            return Decision(table=_with_ready_check(table, extended_check), answer="", deliveries=deliveries)
    present_users = [user for user in table.row.users if user in check.present_users]
    if not present_users:
        return _close(table)
    if unconfirmed_users(table) and not check.awaits_host:
        host = table.row.host if table.row.host in present_users else present_users[0]
        return _ask_host(table.with_row(host=host), check, now)
    try:
        with GameGuard(table.number):
            return _start_game_without_unconfirmed(table, check, is_channel_busy=is_channel_busy)
    except GameFault as fault:
        return replace_decision(_reopen_without_unconfirmed(table, now, f"{_FAULT_TEXT} "), fault=fault)
    except ChannelBusy as refusal:
        if not check.channel_was_busy:
            return _ask_host(table, replace(check, channel_was_busy=True), now)
        return _reopen_without_unconfirmed(table, now, f"{refusal} ")
    except Refusal:
        return _reopen_without_unconfirmed(table, now)


def _close(table: Table) -> Decision:
    """Return the decision that closes a lobby because nobody in it is here."""
    text = f"Nobody pressed **{HERE_LABEL}** in time, so the lobby is closed."
    deliveries = (notice_delivery(text), LOBBY_DELIVERY)
    return Decision(table=table.as_closed_lobby(), answer=text, deliveries=deliveries)


def _reopen_without_unconfirmed(table: Table, now: int, reason: str = "") -> Decision:
    """Return the decision that opens a lobby to others again, without those who did not confirm.

    ``reason``: why its game did not start, with a space after it.
    """
    remaining_table, text = _without_unconfirmed(table)
    return _reopen(remaining_table, now, f"{text} {reason}{_OPEN_AGAIN_TEXT}".strip())


def _reopen(table: Table, now: int, text: str) -> Decision:
    """Return the decision that opens a lobby to others again after its check; ``text`` is announced."""
    state = replace(table.row.lobby, ready_check=None)
    reopened_table = table.with_row(lobby=state, expires_at=now + LIFETIME_AFTER_CHECK)
    return Decision(table=reopened_table, answer=text, deliveries=(notice_delivery(text), LOBBY_DELIVERY))
