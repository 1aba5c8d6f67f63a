"""Who sits where while a game is played: seats are offered, accepted and given away.

Nobody may know the secrets of two seats: a person who has had a seat may only come back to it.  A person's
seat is given away only if that person agrees, has left the server, or nobody objects in time.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    Decision,
    hand_delivery,
    notice_delivery,
    offer_delivery,
)
from bot.host.deciders.play import early_end_text, play, playing_seat
from bot.host.names import escape_markup, sanitize_name
from bot.host.request import Refusal, Request
from bot.host.table import IN_PLAY, Table
from bot.store.delivery_rows import Slot
from bot.store.results import Unrated
from bot.store.rows import PastOffer, Person, SeatOffer, SeatRow, Status
from rules.game import SEAT_LETTERS, Resign, Seat

OBJECTION_TIME: Final = 24 * 3600
"""Seconds within which people may object to giving a seat away."""
MAX_POSTING_DELAY: Final = 3600
"""Seconds after which an offer may be posted; if it is later the time to object begins with its message."""
ACCEPT_TIME: Final = 24 * 3600
"""Seconds for which a seat that may be given away waits for its newcomer."""


def offer_seat(
    table: Table,
    request: Request,
    seat: Seat,
    newcomer: Person | None,
    *,
    computer: str,
    has_left: bool = False,
) -> Decision:
    """Offer a seat to another person, or (``newcomer`` None) to a computer player.

    ``has_left``: its player is no longer a member of the server.
    """
    if table.status not in IN_PLAY or table.match is None:
        raise Refusal("You can only replace players while a game is being played.")
    if not 0 <= seat < len(table.seats):
        raise Refusal(
            f"There is no such seat. Choose a letter from A to {SEAT_LETTERS[len(table.seats) - 1]}."
        )
    row = table.seats[seat]
    is_own = row.user == request.user
    if not is_own and not table.may_moderate(request):
        raise Refusal("Only the table's host, an admin of this server or the seat's own player can do that.")
    if seat in table.match.resigned:
        raise Refusal(f"{table.names[seat]} has resigned, so the game goes on without this seat.")
    if newcomer is None and row.user is None:
        raise Refusal("A computer player has this seat already.")
    if newcomer is not None:
        _require_may_take(table, seat, newcomer.user)
        name = table.distinct_name(sanitize_name(newcomer.name), newcomer.user)
        newcomer = Person(newcomer.user, name)
    agreed = row.user is None or is_own or has_left
    _require_new_offer(row, newcomer, request.at, agreed=agreed)
    who, whose = table.moderator_name(request), seat_text(table, seat)
    if is_own:
        who, whose = table.names[seat], f"seat {SEAT_LETTERS[seat]}"
    left = f" {table.names[seat]} has left the server." if has_left and not is_own else ""
    if table.row.undone_with_hindsight and newcomer is not None:
        left += " Moves of this game were taken back with hindsight, against computers."
    if agreed and newcomer is None:
        name = table.computer_name(computer)
        text = f"{who} gives {whose} to the computer player {name}.{left}"
        return seat_computer(table, seat, computer, text, audit_entry=text)
    offer = SeatOffer(
        id=table.row.version,
        due=request.at + (ACCEPT_TIME if agreed else OBJECTION_TIME),
        offered_by=request.user,
        text=f"{who} offers {whose} to {newcomer_text(newcomer)}.{left}",
        newcomer=newcomer,
        agreed=agreed,
        given_up=agreed and row.user is not None,
    )
    offered = table.with_seat(seat, msgspec.structs.replace(row, offer=offer))
    return Decision(
        table=offered,
        answer=f"I have asked. {missing_text(offered, seat)}",
        deliveries=(offer_delivery(seat, offer),),
        audit_entry=offer.text,
    )


def seat_text(table: Table, seat: Seat) -> str:
    """Return a seat and whose it is: "seat B of Ben"."""
    return f"seat {SEAT_LETTERS[seat]} of {_player_text(table, seat)}"


def _player_text(table: Table, seat: Seat) -> str:
    kind = "the computer player " if table.seats[seat].user is None else ""
    return f"{kind}{table.names[seat]}"


def _require_may_take(table: Table, seat: Seat, user: int) -> None:
    """Raise Refusal for a person who has a seat, or has had another one."""
    if table.seat_of(user) is not None:
        raise Refusal("That person has a seat at this table. Choose somebody else, or a computer player.")
    if not table.may_hold(user, seat):
        raise Refusal(
            "That person has had another seat at this table and may have seen its secrets."
            " Choose somebody who has not, or a computer player."
        )


def _require_new_offer(row: SeatRow, newcomer: Person | None, now: int, *, agreed: bool) -> None:
    """Raise Refusal for an offer about which people are being asked, or were asked a moment ago."""
    user = None if newcomer is None else newcomer.user
    if row.offer is not None and row.offer.agreed >= agreed:
        offered = None if row.offer.newcomer is None else row.offer.newcomer.user
        if user == offered:
            raise Refusal("This seat is already offered like that. I have asked.")
    for past in row.past_offers:
        if past.until <= now:
            continue
        if past.newcomer is None and not agreed:
            raise Refusal(
                f"Somebody objected to giving away the seat of {escape_markup(row.name)}."
                f" Without that player's agreement you can offer it again <t:{past.until}:R>."
            )
        if past.newcomer is not None and past.newcomer == user:
            raise Refusal(
                "That person declined this seat, or the offer was withdrawn."
                f" You can offer it again <t:{past.until}:R>."
            )


def newcomer_text(newcomer: Person | None) -> str:
    """Return to whom a seat is offered."""
    return "a computer player" if newcomer is None else escape_markup(newcomer.name)


def missing_text(table: Table, seat: Seat) -> str:
    """Return what is missing until an offered seat is handed over."""
    offer = table.seats[seat].offer
    assert offer is not None
    missing = []
    if not offer.agreed:
        missing.append(f"{table.names[seat]} must agree, unless nobody declines before <t:{offer.due}:f>.")
    if offer.newcomer is not None and not offer.accepted:
        missing.append(f"{newcomer_text(offer.newcomer)} must accept.")
    return " ".join(missing)


def objectors(table: Table, seat: Seat) -> tuple[int, ...]:
    """Return the users who may object to giving a seat away: its player and all other people who play."""
    assert table.match is not None
    gone = table.match.resigned
    return tuple(
        row.user for i, row in enumerate(table.seats) if row.user is not None and Seat(i) not in gone
    )


def _require_open_offer(table: Table, seat: int, offer_id: int) -> SeatOffer:
    """Return the open offer of a seat.  Raises Refusal if it is another one or none."""
    offer = table.seats[seat].offer if 0 <= seat < len(table.seats) else None
    if offer is None or offer.id != offer_id or table.status not in IN_PLAY:
        raise Refusal("This offer is no longer open.")
    return offer


def accept(table: Table, request: Request, seat: Seat, offer_id: int, *, computer: str) -> Decision:
    """Accept a seat that is offered to this user."""
    offer = _require_open_offer(table, seat, offer_id)
    if offer.newcomer is None or offer.newcomer.user != request.user:
        raise Refusal("This seat is offered to somebody else.")
    _require_may_take(table, seat, request.user)
    if offer.accepted:
        raise Refusal(f"You have accepted already. {missing_text(table, seat)}")
    text = f"{offer.text} {newcomer_text(offer.newcomer)} accepts."
    accepted = msgspec.structs.replace(offer, accepted=True, text=text)
    changed = _with_offer(table, seat, accepted)
    if offer.agreed:
        return _hand_over(changed, seat, computer)
    return Decision(
        table=changed,
        answer=f"You have accepted. {missing_text(changed, seat)}",
        deliveries=(offer_delivery(seat, accepted),),
    )


def decline(table: Table, request: Request, seat: Seat, offer_id: int) -> Decision:
    """Decline a seat that is offered to this user, object to giving it away, or withdraw the own offer."""
    offer = _require_open_offer(table, seat, offer_id)
    if offer.offered_by == request.user:
        who = table.names[seat] if table.seats[seat].user == request.user else table.moderator_name(request)
        newcomer = None if offer.newcomer is None else offer.newcomer.user
        left = table if newcomer is None else _with_past_offer(table, seat, request.at, newcomer)
        return _withdrawn(left, seat, f"{who} withdrew the offer.", answer="You have withdrawn the offer.")
    if offer.newcomer is not None and offer.newcomer.user == request.user:
        left = _with_past_offer(table, seat, request.at, request.user)
        return _withdrawn(
            left, seat, f"{newcomer_text(offer.newcomer)} declined.", answer="You have declined."
        )
    if request.user not in objectors(table, seat):
        raise Refusal("Only the newcomer and people who play at this table can decline.")
    if offer.agreed:
        raise Refusal("This has been agreed already: only the newcomer can decline now.")
    left = _with_past_offer(table, seat, request.at, None)
    return _withdrawn(left, seat, f"{table.name_of(request.user)} declined.", answer="You have declined.")


def _with_past_offer(table: Table, seat: Seat, now: int, newcomer: int | None) -> Table:
    """Return the table with an offer noted that is not made again for a day."""
    row = table.seats[seat]
    kept = tuple(each for each in row.past_offers if each.until > now)
    past_offers = (*kept, PastOffer(until=now + OBJECTION_TIME, newcomer=newcomer))
    return table.with_seat(seat, msgspec.structs.replace(row, past_offers=past_offers))


def agree(table: Table, request: Request, seat: Seat, offer_id: int, *, computer: str) -> Decision:
    """Agree, as the player of a seat, that it is given away."""
    offer = _require_open_offer(table, seat, offer_id)
    if table.seats[seat].user != request.user:
        raise Refusal(f"Only {table.names[seat]} can agree to this. If nobody declines, it happens anyway.")
    if offer.agreed:
        raise Refusal(f"This has been agreed already. {missing_text(table, seat)}")
    text = f"{offer.text} {table.names[seat]} agrees."
    due = request.at + ACCEPT_TIME
    agreed = msgspec.structs.replace(offer, agreed=True, given_up=True, due=due, text=text)
    changed = _with_offer(table, seat, agreed)
    if offer.newcomer is None or offer.accepted:
        return _hand_over(changed, seat, computer)
    return Decision(
        table=changed,
        answer=f"You have agreed. {missing_text(changed, seat)}",
        deliveries=(offer_delivery(seat, agreed),),
    )


def expire(table: Table, now: int, posted: Mapping[Slot, float], *, computer: str) -> Decision | None:
    """Return the decision on the first offer whose time is over; None while there is time.

    ``posted``: when the table's messages were posted: who could not read an offer has not agreed to it.
    """
    for i, row in enumerate(table.seats):
        if row.offer is None or row.offer.due > now:
            continue
        since = posted.get(offer_delivery(i, row.offer).slot, now)
        if not row.offer.agreed and since > row.offer.due - OBJECTION_TIME + MAX_POSTING_DELAY:
            later = msgspec.structs.replace(row.offer, due=int(since) + OBJECTION_TIME)
            deliveries = (offer_delivery(i, later),)
            return Decision(table=_with_offer(table, Seat(i), later), answer="", deliveries=deliveries)
        return _expire(table, Seat(i), row.offer, now, computer)
    return None


def _expire(table: Table, seat: Seat, offer: SeatOffer, now: int, computer: str) -> Decision:
    if offer.agreed:
        return _withdrawn(table, seat, f"{newcomer_text(offer.newcomer)} did not accept in time.")
    if offer.newcomer is None or offer.accepted:
        return _hand_over(table, seat, computer, "Nobody declined in time. ")
    text = f"Nobody declined in time. {newcomer_text(offer.newcomer)} may take {seat_text(table, seat)}."
    agreed = msgspec.structs.replace(  # with another id, so that a new message mentions the newcomer
        offer, id=table.row.version, agreed=True, due=now + ACCEPT_TIME, text=text
    )
    return Decision(
        table=_with_offer(table, seat, agreed), answer="", deliveries=(offer_delivery(seat, agreed),)
    )


def _with_offer(table: Table, seat: Seat, offer: SeatOffer | None) -> Table:
    return table.with_seat(seat, msgspec.structs.replace(table.seats[seat], offer=offer))


def _withdrawn(table: Table, seat: Seat, why: str, answer: str = "") -> Decision:
    text = f"{why} Seat {SEAT_LETTERS[seat]} stays with {_player_text(table, seat)}."
    return Decision(table=_with_offer(table, seat, None), answer=answer, deliveries=(notice_delivery(text),))


def _hand_over(table: Table, seat: Seat, computer: str, why: str = "") -> Decision:
    """Hand an offered seat over to its newcomer.  ``why``: nothing, or a sentence and a space."""
    offer = table.seats[seat].offer
    assert offer is not None
    if not offer.given_up:
        table = table.as_unrated(Unrated.SEAT_GIVEN_AWAY)
    text = f"takes seat {SEAT_LETTERS[seat]} from {_player_text(table, seat)}."
    if offer.newcomer is None:
        text = f"{why}The computer player {table.computer_name(computer)} {text}"
        return seat_computer(table, seat, computer, text, audit_entry=text)
    if table.seat_of(offer.newcomer.user) is not None or not table.may_hold(offer.newcomer.user, seat):
        why = f"{newcomer_text(offer.newcomer)} has taken another seat here meanwhile."
        return _withdrawn(table, seat, why, answer=why)
    text = f"{why}{newcomer_text(offer.newcomer)} {text}"
    newcomer = SeatRow(name=offer.newcomer.name, user=offer.newcomer.user)
    return Decision(
        table=table.with_player(seat, newcomer).without_open_question(),
        answer=text,
        deliveries=(notice_delivery(text), BOARD_DELIVERY, hand_delivery(seat)),
        audit_entry=text,
    )


def seat_computer(table: Table, seat: Seat, computer: str, text: str, audit_entry: str = "") -> Decision:
    """Replace a seat's player by a computer player.  Without people left the game ends."""
    taken = SeatRow(name=table.computer_name(computer), computer=computer)
    changed = table.with_player(seat, taken).without_open_question()
    if all(other.user is None for other in changed.seats):
        changed = changed.without_questions().with_row(status=Status.ENDED)
        text += f" Nobody is left, so the game has ended. {early_end_text(changed)}"
    deliveries = (notice_delivery(text), BOARD_DELIVERY)
    return Decision(table=changed, answer=text, deliveries=deliveries, audit_entry=audit_entry)


def resign(table: Table, request: Request, computer: str) -> Decision:
    """Resign.  Where the rules need every seat filled, a computer player takes over."""
    seat, match = playing_seat(table, request)
    if seat in match.resigned:
        raise Refusal("You have already resigned from this game.")
    if match.can_resign(seat):
        return play(table, request, (Resign(),))
    name = table.computer_name(computer)
    text = f"{table.names[seat]} resigned. The computer player {name} takes seat {SEAT_LETTERS[seat]}."
    return seat_computer(table, seat, computer, text)
