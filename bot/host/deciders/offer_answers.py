"""Answers to the offer of a seat: it is handed over, or stays with its player.  Pure functions."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

import msgspec

from bot.host.deciders.admission import bar_text
from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    Decision,
    notice_delivery,
    offer_delivery,
    outcome_deliveries,
    secret_hand_deliveries,
)
from bot.host.deciders.departures import replace_with_computer
from bot.host.deciders.results import takeover_rating_text
from bot.host.deciders.seat_offers import (
    OBJECTION_TIME,
    newcomer_text,
    offer_needs_text,
    offerer_text,
    require_current_offer,
    require_may_take,
    seat_player_text,
    seat_text,
    takeover_text,
    waiting_time,
    whose_turn_text,
    with_blocked_offer,
    with_offer,
    with_withdrawal_noted,
)
from bot.host.names import sanitize_name
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.store.clock_rows import HOUR
from bot.store.delivery_rows import Slot
from bot.store.results import UnratedReason
from bot.store.seat_rows import Person, SeatOffer, SeatRow
from rules.model import SEAT_LETTERS, Seat

MAX_POSTING_DELAY: Final = HOUR
"""If an offer is posted more than these seconds after it was made, the time to object starts at its post."""
_HANDED_OVER_TEXT: Final = "The seat has been handed over."
"""What the message of an offer says then; a notice says to whom."""


def accept_offer(table: Table, request: Request, seat: Seat, offer_id: int) -> Decision:
    """Accept a seat that is offered to the requester or to anybody.  Raises Refusal."""
    offer = require_current_offer(table, seat, offer_id)
    if offer.is_for_anybody:
        return _take_seat(table, request, seat, offer)
    if offer.newcomer is None or offer.newcomer.user != request.user:
        raise Refusal("This seat is offered to somebody else.")
    require_may_take(table, seat, request.user)
    if offer.accepted:
        raise Refusal(f"You have accepted already. {offer_needs_text(table, seat)}")
    text = f"{offer.text} {newcomer_text(offer)} accepts."
    accepted_offer = msgspec.structs.replace(offer, accepted=True, text=text)
    changed_table = with_offer(table, seat, accepted_offer)
    if offer.approved:
        return _with_newcomer_answer(_hand_over_to_newcomer(changed_table, seat), request, seat)
    return Decision(
        table=changed_table,
        answer=f"You have accepted. {offer_needs_text(changed_table, seat)}"
        f"{takeover_rating_text(table, seat, request.user)}",
        deliveries=(offer_delivery(seat, accepted_offer),),
    )


def _take_seat(table: Table, request: Request, seat: Seat, offer: SeatOffer) -> Decision:
    """Hand a seat that is offered to anybody to the user who takes it."""
    require_may_take(table, seat, request.user)
    if request.user in table.row.lobby.barred_users:
        raise Refusal(f"{bar_text(table.row.lobby, request.user)} `/games` shows other tables.")
    if not offer.approved:
        raise Refusal(f"This seat cannot be taken yet. {offer_needs_text(table, seat)}")
    name = table.distinct_name(sanitize_name(request.name), request.user)
    taken_offer = msgspec.structs.replace(offer, newcomer=Person(request.user, name))
    decision = _hand_over_to_newcomer(with_offer(table, seat, taken_offer), seat)
    return _with_newcomer_answer(decision, request, seat)


def _with_newcomer_answer(decision: Decision, request: Request, seat: Seat) -> Decision:
    """Return the decision that hands a seat over, with an answer that tells its new player of the game."""
    table = decision.table
    if table.seats[seat].user != request.user:  # the offer was withdrawn instead
        return decision
    answer = f"You have seat {SEAT_LETTERS[seat]} now. {whose_turn_text(table, seat)}"
    if request.channel != table.row.game_channel:
        answer += f" The game is in <#{table.row.game_channel}>."
    return replace(decision, answer=f"{answer}{takeover_rating_text(table, seat, request.user)}")


def decline_offer(table: Table, request: Request, seat: Seat, offer_id: int) -> Decision:
    """Decline a seat offered to the requester, object to giving it away, or withdraw one's own offer.

    Raises Refusal.
    """
    offer = require_current_offer(table, seat, offer_id)
    if offer.offered_by == request.user:
        return _withdraw_as_requester(table, request, seat)
    if offer.is_open_to_anybody:
        if table.seats[seat].user == request.user or table.may_moderate(request):
            return _withdraw_as_requester(table, request, seat)
        raise Refusal(
            "Only the person who made this offer, the seat's player, the host or an admin can withdraw it."
        )
    if offer.newcomer is not None and offer.newcomer.user == request.user:
        changed_table = table
        for i in range(len(table.seats)):  # a person who wants no seat here is not asked about another
            changed_table = with_blocked_offer(changed_table, Seat(i), request.at, request.user)
        return _close_offer(
            changed_table, seat, f"{newcomer_text(offer)} declined.", answer="You have declined."
        )
    if request.user not in table.unresigned_users:
        raise Refusal("Only the newcomer and people who play at this table can decline.")
    if offer.approved:
        raise Refusal("This has been agreed already: only the newcomer can decline now.")
    changed_table = with_blocked_offer(table, seat, request.at, None)
    return _close_offer(
        changed_table, seat, f"{table.name_of(request.user)} declined.", answer="You have declined."
    )


def withdraw_offer(table: Table, request: Request, seat: Seat, offer_id: int) -> Decision:
    """Withdraw one's own offer.  Raises Refusal."""
    if require_current_offer(table, seat, offer_id).offered_by != request.user:
        raise Refusal("Only the one who made this offer can withdraw it. To say no, press **Decline**.")
    return _withdraw_as_requester(table, request, seat)


def _withdraw_as_requester(table: Table, request: Request, seat: Seat) -> Decision:
    """Withdraw an offer as the requester; the audit log gets it unless the seat is the requester's."""
    is_own = table.seats[seat].user == request.user
    withdrawer = table.names[seat] if is_own else offerer_text(table, request)
    text = f"{withdrawer} withdrew the offer."
    changed_table, offer = with_withdrawal_noted(table, seat, request.at), table.seats[seat].offer
    if offer is not None and not offer.approved:  # if another offer takes its place, they can decline that
        changed_table = with_blocked_offer(changed_table, seat, request.at, None, withdrawn=True)
    decision = _close_offer(changed_table, seat, text, answer="You have withdrawn the offer.")
    return decision if is_own else replace(decision, audit_entry=text)


def agree_to_give_seat_away(
    table: Table, request: Request, seat: Seat, offer_id: int, *, computer: str
) -> Decision:
    """Agree, as the player of a seat, that it is given away.  Raises Refusal."""
    offer = require_current_offer(table, seat, offer_id)
    if offer.approved:
        raise Refusal(f"This has been agreed already. {offer_needs_text(table, seat)}")
    if table.seats[seat].user != request.user:
        raise Refusal(f"Only {table.names[seat]} can agree to this. If nobody declines, it happens anyway.")
    text = f"{offer.text} {table.names[seat]} agrees."
    due = request.at + waiting_time(is_for_anybody=offer.is_for_anybody)
    approved_offer = msgspec.structs.replace(offer, approved=True, given_up=True, due=due, text=text)
    changed_table = with_offer(table, seat, approved_offer)
    if not offer.is_for_anybody and (offer.newcomer is None or offer.accepted):
        return _hand_over(changed_table, seat, computer)
    return Decision(
        table=changed_table,
        answer=f"You have agreed. {offer_needs_text(changed_table, seat)}",
        deliveries=(offer_delivery(seat, approved_offer),),
    )


def expire(
    table: Table,
    now: int,
    posting_times: Mapping[Slot, float],
    *,
    computer: str,
    users_at_limit: Collection[int] = (),
) -> Decision | None:
    """Return the decision on the first offer whose time is over; None while there is time.

    ``posting_times``: when the table's messages were posted.  Nobody agrees to an unread offer by silence.
    ``users_at_limit``: who may take no further seat.
    """
    for i, row in enumerate(table.seats):
        if row.offer is None or row.offer.due > now:
            continue
        posted_at = posting_times.get(offer_delivery(i, row.offer).slot, now)
        if not row.offer.approved and posted_at > row.offer.due - OBJECTION_TIME + MAX_POSTING_DELAY:
            extended_offer = msgspec.structs.replace(row.offer, due=int(posted_at) + OBJECTION_TIME)
            deliveries = (offer_delivery(i, extended_offer),)
            return Decision(
                table=with_offer(table, Seat(i), extended_offer), answer="", deliveries=deliveries
            )
        return _expire_offer(table, Seat(i), row.offer, now, computer, users_at_limit)
    return None


def _expire_offer(
    table: Table, seat: Seat, offer: SeatOffer, now: int, computer: str, users_at_limit: Collection[int]
) -> Decision:
    """Return the decision on an offer whose time is over."""
    if offer.is_open_to_anybody:
        return _close_offer(table, seat, "Nobody took the seat in time.")
    if offer.approved:
        return _close_offer(table, seat, f"{newcomer_text(offer)} did not accept in time.")
    if offer.newcomer is not None and offer.accepted and offer.newcomer.user in users_at_limit:
        return _close_offer(table, seat, f"{newcomer_text(offer)} sits at too many tables by now.")
    if not offer.is_for_anybody and (offer.newcomer is None or offer.accepted):
        return _hand_over(table, seat, computer, "Nobody declined in time. ")
    taker_text = "Anybody" if offer.is_for_anybody else newcomer_text(offer)
    text = f"Nobody declined in time. {taker_text} may take {seat_text(table, seat)}."
    due = now + waiting_time(is_for_anybody=offer.is_for_anybody)
    approved_offer = msgspec.structs.replace(  # with another id, so that a new message mentions the newcomer
        offer, id=table.row.version, ply=table.row.ply, approved=True, due=due, text=text
    )
    deliveries = (
        offer_delivery(seat, offer, "Nobody declined in time."),
        offer_delivery(seat, approved_offer),
    )
    return Decision(table=with_offer(table, seat, approved_offer), answer="", deliveries=deliveries)


def _close_offer(table: Table, seat: Seat, reason: str, answer: str = "") -> Decision:
    """Return the decision that ends the offer of a seat; ``reason``: why, as a sentence.

    ``answer``: to the user who ends it; empty: its time is over.
    """
    consequence = f"Seat {SEAT_LETTERS[seat]} stays with {seat_player_text(table, seat)}."
    offer = table.seats[seat].offer
    assert offer is not None, "without an open offer nothing is withdrawn"
    deliveries = outcome_deliveries(
        table, offer_delivery(seat, offer, reason), consequence, offer.ply, has_expired=not answer
    )
    return Decision(table=with_offer(table, seat, None), answer=answer, deliveries=deliveries)


def _hand_over(table: Table, seat: Seat, computer: str, reason: str = "") -> Decision:
    """Hand an offered seat over to its newcomer, without one to a computer player.

    ``reason``: empty, or a sentence and a space.
    """
    offer = table.seats[seat].offer
    assert offer is not None
    if offer.newcomer is not None:
        return _hand_over_to_newcomer(table, seat, reason)
    text = f"{reason}The computer player {table.computer_name(computer)} {takeover_text(table, seat)}"
    outcome = f"{reason}{_HANDED_OVER_TEXT}"
    if not table.other_unresigned_users(seat):  # then the game ends, which is never rated
        text = outcome = f"{reason}{table.names[seat]} no longer has seat {SEAT_LETTERS[seat]}."
    unrated_table = _unrated_unless_given_up(table, offer)
    decision = replace_with_computer(unrated_table, seat, computer, text, audit_entry=text)
    return replace(decision, deliveries=(*decision.deliveries, offer_delivery(seat, offer, outcome)))


def _hand_over_to_newcomer(table: Table, seat: Seat, reason: str = "") -> Decision:
    """Hand a seat over to the newcomer of its offer.

    ``reason``: empty, or a sentence and a space that nobody declined in time.
    """
    offer = table.seats[seat].offer
    assert offer is not None
    assert offer.newcomer is not None
    if not table.may_hold(offer.newcomer.user, seat):
        withdrawal_reason = f"{newcomer_text(offer)} has taken another seat here meanwhile."
        return _close_offer(table, seat, withdrawal_reason, answer="" if reason else withdrawal_reason)
    text = f"{reason}{newcomer_text(offer)} {takeover_text(table, seat)}"
    newcomer_row = SeatRow(name=offer.newcomer.name, user=offer.newcomer.user)
    table = _unrated_unless_given_up(table, offer)
    return Decision(
        table=table.with_player(seat, newcomer_row).without_open_question(),
        answer=text,
        deliveries=(
            notice_delivery(text),
            BOARD_DELIVERY,
            *secret_hand_deliveries(table, seat),
            offer_delivery(seat, offer, f"{reason}{_HANDED_OVER_TEXT}"),
        ),
        audit_entry=text,
    )


def _unrated_unless_given_up(table: Table, offer: SeatOffer) -> Table:
    """Return the table, unrated unless the seat's player gives it up."""
    return table if offer.given_up else table.as_unrated(UnratedReason.SEAT_GIVEN_AWAY)
