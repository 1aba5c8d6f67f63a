"""Who sits where while a game is played: seats are offered.  ``offer_answers`` is what follows.

Nobody may know the secrets of two seats: a person who has had a seat may only come back to it.  A person's
seat is given away only if that person agrees, has left the server, or nobody objects in time.
"""

import msgspec

from bot.host.deciders.decision import Decision, offer_delivery
from bot.host.deciders.departures import replace_with_computer
from bot.host.deciders.results import departure_rating_text
from bot.host.deciders.seat_offers import (
    OBJECTION_TIME,
    WITHDRAWAL_TEXT,
    may_offer_to_anybody,
    newcomer_text,
    offer_needs_text,
    offerer_text,
    require_may_receive,
    require_new_offer,
    require_offerable,
    seat_text,
    waiting_time,
    with_offer,
    with_withdrawal_noted,
)
from bot.host.deciders.timeouts import lost_seat_text
from bot.host.names import sanitize_name
from bot.host.request import Refusal, Request, moderator_refusal
from bot.host.table import Table
from bot.store.seat_rows import Person, SeatOffer
from rules.model import SEAT_LETTERS, Seat


def offer_seat(
    table: Table,
    request: Request,
    seat: Seat,
    newcomer: Person | None,
    *,
    computer: str,
    has_left: bool = False,
) -> Decision:
    """Offer a seat to another person, or (``newcomer`` None) to a computer player.  Raises Refusal.

    A computer player gets it at once if nobody is to be asked.  ``has_left``: the seat's player is no longer
    a member of the server.
    """
    require_offerable(table, seat)
    row = table.seats[seat]
    is_own = row.user == request.user
    if not is_own and not table.may_moderate(request):
        raise _offerer_refusal(table, request)
    if newcomer is None and row.user is None:
        raise Refusal(
            "A computer player has this seat already. To offer it to a person, choose `player` or `anyone`."
        )
    if newcomer is not None:
        require_may_receive(table, seat, newcomer.user)
        name = table.distinct_name(sanitize_name(newcomer.name), newcomer.user)
        newcomer = Person(newcomer.user, name)
    offer = _new_offer(table, request, seat, newcomer, has_left=has_left)
    if offer.approved and newcomer is None:
        name = table.computer_name(computer)
        offerer, which_seat, note = _offer_texts(table, request, seat, has_left=has_left)
        text = f"{offerer} gives {which_seat} to the computer player {name}.{note}"
        if not table.other_unresigned_users(seat):
            text = f"{offerer} gives {which_seat} up.{note}"
        return replace_with_computer(table, seat, computer, text, audit_entry=text)
    return _offer_decision(table, request, seat, offer)


def _offerer_refusal(table: Table, request: Request) -> Refusal:
    """Return the refusal of an offer by somebody who may not make it."""
    others = "an admin of its server or the seat's own player"
    return moderator_refusal(request, f"Only the table's host{table.host_suffix}, {others} can do that.")


def give_seat_to_computer(table: Table, request: Request, *, computer: str) -> Decision:
    """Give the requester's seat to a computer player, at once.  Raises Refusal."""
    seat = table.seat_of(request.user)
    if seat is None:
        raise Refusal(lost_seat_text(table, request.user))
    return offer_seat(table, request, seat, None, computer=computer)


def offer_to_anybody(table: Table, request: Request, seat: Seat, *, has_left: bool = False) -> Decision:
    """Offer a seat to the first who takes it (see ``may_offer_to_anybody``).  Raises Refusal.

    ``has_left``: the seat's player is no longer a member of the server.
    """
    require_offerable(table, seat)
    if not may_offer_to_anybody(table, request, seat):
        raise _offerer_refusal(table, request)
    row = table.seats[seat]
    if row.offer is not None and row.user != request.user and not table.may_moderate(request):
        raise Refusal(f"This seat is offered already. {offer_needs_text(table, seat)}")
    offer = _new_offer(table, request, seat, None, is_for_anybody=True, has_left=has_left)
    return _offer_decision(table, request, seat, offer)


def _new_offer(
    table: Table,
    request: Request,
    seat: Seat,
    newcomer: Person | None,
    *,
    is_for_anybody: bool = False,
    has_left: bool = False,
) -> SeatOffer:
    """Return the offer of a seat.  Raises Refusal if people are or were asked about it."""
    row = table.seats[seat]
    approved = row.user is None or row.user == request.user or has_left
    offer = SeatOffer(
        id=table.row.version,
        due=request.at + (waiting_time(is_for_anybody=is_for_anybody) if approved else OBJECTION_TIME),
        offered_by=request.user,
        text="",
        newcomer=newcomer,
        is_for_anybody=is_for_anybody,
        approved=approved,
        given_up=approved and row.user is not None,
        ply=table.row.ply,
    )
    require_new_offer(table, seat, offer, request.at)
    offerer, which_seat, note = _offer_texts(table, request, seat, has_left=has_left)
    if table.row.undone_with_hindsight and (is_for_anybody or newcomer is not None):
        note += " Moves of this game were taken back with hindsight, against computers."
    text = f"{offerer} offers {which_seat} to {newcomer_text(offer)}.{note}"
    if newcomer is not None and newcomer.user == request.user:
        text = f"{offerer} asks for {which_seat}.{note}"
    return msgspec.structs.replace(offer, text=text)


def _offer_texts(table: Table, request: Request, seat: Seat, *, has_left: bool) -> tuple[str, str, str]:
    """Return who offers which seat, and a sentence if its player has left, with a space before it."""
    if table.seats[seat].user == request.user:
        return table.names[seat], f"seat {SEAT_LETTERS[seat]}", ""
    note = f" {table.names[seat]} has left the server." if has_left else ""
    return offerer_text(table, request), seat_text(table, seat), note


def _offer_decision(table: Table, request: Request, seat: Seat, offer: SeatOffer) -> Decision:
    """Return the decision that makes an offer, in place of one of the seat that is open."""
    replaced_offer = table.seats[seat].offer
    changed_table = with_offer(with_withdrawal_noted(table, seat, request.at), seat, offer)
    needs_text = offer_needs_text(changed_table, seat)
    if offer.is_open_to_anybody:
        answer = f"Seat {SEAT_LETTERS[seat]} is offered. {needs_text}"
    else:
        answer = f"I have asked. {needs_text} {WITHDRAWAL_TEXT}"
    rating_text = departure_rating_text(table, seat) if offer.given_up else ""
    deliveries = [offer_delivery(seat, offer)]
    if replaced_offer is not None:
        deliveries.append(offer_delivery(seat, replaced_offer, f"Replaced: {offer.text}"))
    return Decision(
        table=changed_table,
        answer=f"{answer}{rating_text}",
        deliveries=tuple(deliveries),
        audit_entry=offer.text,
    )
