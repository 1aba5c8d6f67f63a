"""The offer of a seat: what it still needs, until when, and who may hold the seat.  Pure functions."""

from typing import Final

import msgspec

from bot.host.deciders.results import unrated_reason_so_far
from bot.host.deciders.timeouts import lost_seat_text, may_let_computer_play, substitutable_seat
from bot.host.names import NO_SEAT_TEXT, escape_markup
from bot.host.request import FROZEN_REFUSAL_TEXT, Refusal, Request, TooLate
from bot.host.table import IN_PLAY, Table
from bot.store.clock_rows import DAY
from bot.store.rows import LIVE_STATUSES, Status
from bot.store.seat_rows import BlockedOffer, SeatOffer
from rules.errors import MalformedAction
from rules.model import SEAT_LETTERS, Seat
from rules.notation import parse_seat
from rules.text import listed

TAKE_LABEL: Final = "Take the seat"
"""The label of the button with which anybody can take an offered seat; the first who presses it gets it."""

OBJECTION_TIME: Final = DAY
"""Seconds to object to giving a seat away.  A declined offer is not made again for as long; one that was
withdrawn may be, once, so that nobody is mentioned again and again without a chance to decline."""
ACCEPT_TIME: Final = DAY
"""Seconds for which a seat that may be given away waits for its newcomer."""
OPEN_TIME: Final = 3 * DAY
"""Seconds for which anybody may take a seat that is offered to the first who takes it."""
MAX_WITHDRAWN_OFFERS: Final = 2
"""With so many withdrawn offers of a seat to one person within a day, no further one is allowed."""
WITHDRAW_LABEL: Final = "Withdraw"
WITHDRAWAL_TEXT: Final = f"Press **{WITHDRAW_LABEL}** there to take it back."
"""Tells the person who offers a seat to one member or computer player what they can still do."""
_NOT_IN_PROGRESS_TEXT: Final = "You can only replace players while a game is being played."


def require_offerable(table: Table, seat: Seat) -> None:
    """Raise Refusal unless a seat may be offered at all: its game is in progress, its player still plays."""
    _require_game_in_progress(table)
    assert table.match is not None
    if not 0 <= seat < len(table.seats):
        raise Refusal(_no_such_seat_text(table))
    if seat in table.match.resigned_seats:
        raise Refusal(f"{table.names[seat]} has resigned, so the game goes on without this seat.")


def require_seat(table: Table, letter: str) -> Seat:
    """Return the seat with a typed letter.  Raises Refusal if there is none, or no game is in progress."""
    _require_game_in_progress(table)
    try:
        seat = parse_seat(letter.strip())
    except MalformedAction as error:
        raise Refusal(_no_such_seat_text(table)) from error
    if not 0 <= seat < len(table.seats):  # the sign of chance is no seat
        raise Refusal(_no_such_seat_text(table))
    return seat


def _require_game_in_progress(table: Table) -> None:
    if table.status is Status.FROZEN:
        raise Refusal(FROZEN_REFUSAL_TEXT)
    if table.status not in LIVE_STATUSES:
        raise TooLate(_NOT_IN_PROGRESS_TEXT)
    if table.status not in IN_PLAY or table.match is None:
        raise Refusal(_NOT_IN_PROGRESS_TEXT)


def _no_such_seat_text(table: Table) -> str:
    return f"There is no such seat. Choose a letter from A to {SEAT_LETTERS[len(table.seats) - 1]}."


def may_offer_to_anybody(table: Table, request: Request, seat: Seat) -> bool:
    """Whether a user may offer a seat to anybody.

    Moderators may offer any seat, players their own and one whose time is over.
    """
    if table.seats[seat].user == request.user or table.may_moderate(request):
        return True
    return seat == substitutable_seat(table) and may_let_computer_play(table, request)


def offerer_text(table: Table, request: Request) -> str:
    """Return the name, escaped, of somebody who offers a seat or withdraws an offer, and in which role.

    Somebody who made an offer as an admin may withdraw it without being one any more.
    """
    if table.may_moderate(request):
        return table.moderator_name(request)
    return table.name_of(request.user) or f"{table.shown_name(request)} ({NO_SEAT_TEXT})"


def open_seats(table: Table) -> tuple[Seat, ...]:
    """Return the seats that the first eligible person who presses the button gets now."""
    if table.status not in IN_PLAY:
        return ()
    return tuple(
        Seat(i) for i, row in enumerate(table.seats) if row.offer is not None and row.offer.is_open_to_anybody
    )


def no_seat_text(table: Table, user: int) -> str:
    """Return why a user without a seat cannot play: who has theirs, or how to get one that is free."""
    free_seats = [seat for seat in open_seats(table) if table.may_hold(user, seat)]
    if not free_seats:
        return lost_seat_text(table, user)
    letters = listed([f"seat {SEAT_LETTERS[seat]}" for seat in free_seats])
    verb = "is" if len(free_seats) == 1 else "are"
    return f"You have no seat at this table, but {letters} {verb} free: press **{TAKE_LABEL}** at its offer."


def seat_text(table: Table, seat: Seat) -> str:
    """Return a seat and its player: "seat B of Ben"."""
    return f"seat {SEAT_LETTERS[seat]} of {seat_player_text(table, seat)}"


def seat_player_text(table: Table, seat: Seat) -> str:
    """Return the player of a seat: "Ben", or "the computer player Casual 1"."""
    prefix = "the computer player " if table.seats[seat].user is None else ""
    return f"{prefix}{table.names[seat]}"


def takeover_text(table: Table, seat: Seat) -> str:
    """Return from whom an offered seat is taken, as the end of a sentence, and that this ends the rating."""
    offer = table.seats[seat].offer
    assert offer is not None
    text = f"takes seat {SEAT_LETTERS[seat]} from {seat_player_text(table, seat)}."
    if offer.given_up or unrated_reason_so_far(table) is not None:
        return text
    return f"{text} The game is no longer rated."


def whose_turn_text(table: Table, reader: Seat | None) -> str:
    """Return whose turn it is in a game that goes on; ``reader``: the seat that is called "you"."""
    if table.to_act is None:
        return "The game is paused."
    return "It is your turn." if table.to_act == reader else f"It is {table.names[table.to_act]}'s turn."


def require_may_take(table: Table, seat: Seat, user: int) -> None:
    """Raise Refusal if a user who wants a seat has one, or has had another one."""
    if table.seat_of(user) is not None:
        raise Refusal("You have a seat at this table already. This one is for somebody else.")
    if not table.may_hold(user, seat):
        raise Refusal(
            f"You have had another seat at this table{_known_secrets_text(table)}."
            " This seat is for somebody who has not. `/games` shows others."
        )


def require_may_receive(table: Table, seat: Seat, user: int) -> None:
    """Raise Refusal if a user to whom a seat is offered has one, or has had another one."""
    if table.seat_of(user) is not None:
        raise Refusal("That person has a seat at this table. Choose somebody else, or a computer player.")
    if not table.may_hold(user, seat):
        raise Refusal(
            f"That person has had another seat at this table{_known_secrets_text(table)}."
            " Choose somebody who has not, or a computer player."
        )


def _known_secrets_text(table: Table) -> str:
    """Return what an earlier seat means for somebody who wants another; empty if the game has no secrets."""
    return " and may have seen its secrets" if table.game.hidden_information else ""


def require_current_offer(table: Table, seat: int, offer_id: int) -> SeatOffer:
    """Return the offer of a seat.  Raises Refusal unless it is the one with this id."""
    offer = table.seats[seat].offer if 0 <= seat < len(table.seats) else None
    if offer is None or offer.id != offer_id or table.status not in IN_PLAY:
        raise Refusal("This offer is no longer open.")
    return offer


def require_new_offer(table: Table, seat: Seat, offer: SeatOffer, now: int) -> None:
    """Raise Refusal for an offer that stands already, was declined or twice withdrawn on the last day."""
    row = table.seats[seat]
    new_user = None if offer.newcomer is None else offer.newcomer.user
    if row.offer is not None and row.offer.approved >= offer.approved:
        current_user = None if row.offer.newcomer is None else row.offer.newcomer.user
        if new_user == current_user and offer.is_for_anybody == row.offer.is_for_anybody:
            raise Refusal(f"This offer stands already. {offer_needs_text(table, seat)}")
    blocked_offers = [each for each in row.blocked_offers if each.not_before > now]
    asked_users = (*(() if offer.approved else (None,)), *(() if new_user is None else (new_user,)))
    for user in asked_users:
        withdrawn_offers = [each for each in blocked_offers if each.withdrawn and each.newcomer_user == user]
        if len(withdrawn_offers) >= MAX_WITHDRAWN_OFFERS:
            raise Refusal(
                "Such an offer of this seat was withdrawn twice within a day."
                f" You can make it again <t:{withdrawn_offers[0].not_before}:R>."
            )
    for blocked in blocked_offers:
        if blocked.withdrawn:
            continue
        if blocked.newcomer_user is None and not offer.approved:
            raise Refusal(
                f"Somebody objected to giving away the seat of {escape_markup(row.name)}."
                f" Without that player's agreement you can offer it again <t:{blocked.not_before}:R>."
            )
        if blocked.newcomer_user is not None and blocked.newcomer_user == new_user:
            raise Refusal(
                "That person declined a seat at this table."
                f" You can offer it again <t:{blocked.not_before}:R>, or to somebody else now."
            )


def newcomer_text(offer: SeatOffer) -> str:
    """Return to whom a seat is offered: a name, escaped, "anybody" or "a computer player"."""
    if offer.newcomer is None:
        return "anybody" if offer.is_for_anybody else "a computer player"
    return escape_markup(offer.newcomer.name)


def offer_needs_text(table: Table, seat: Seat) -> str:
    """Return what an offered seat still needs before it is handed over, as sentences."""
    offer = table.seats[seat].offer
    assert offer is not None
    needs = []
    if not offer.approved:
        needs.append(
            f"{table.names[seat]} can agree now."
            f" If nobody declines, the seat is given away <t:{offer.due}:f>."
        )
    if offer.is_for_anybody:
        beginning = "The" if offer.approved else "Then the"
        needs.append(f"{beginning} first who presses **{TAKE_LABEL}** gets it.")
    if offer.newcomer is not None and not offer.accepted:
        needs.append(f"{newcomer_text(offer)} must accept.")
    return " ".join(needs)


def newcomer_seated_by_agreement(table: Table, request: Request, seat: Seat, offer_id: int) -> int | None:
    """Return who gets a seat at once if its player, who asks, agrees to the offer; None if nobody does."""
    row = table.seats[seat] if 0 <= seat < len(table.seats) else None
    if row is None or row.offer is None or row.offer.id != offer_id or row.user != request.user:
        return None
    newcomer = row.offer.newcomer
    return newcomer.user if newcomer is not None and row.offer.accepted else None


def newcomers_without_objection(table: Table, now: int) -> tuple[int, ...]:
    """Return the users to whose offers nobody has objected in time: they get the seats that they accept."""
    offers = (row.offer for row in table.seats if row.offer is not None)
    return tuple(
        offer.newcomer.user
        for offer in offers
        if offer.newcomer is not None and not offer.approved and offer.due <= now
    )


def waiting_time(*, is_for_anybody: bool) -> int:
    """Return for how many seconds a seat that may be given away waits for its newcomer."""
    return OPEN_TIME if is_for_anybody else ACCEPT_TIME


def with_withdrawal_noted(table: Table, seat: Seat, now: int) -> Table:
    """Return the table with its open offer noted as withdrawn: its newcomer is not asked too often.

    Unchanged if the newcomer made it, or there is none.
    """
    offer = table.seats[seat].offer
    if offer is None or offer.newcomer is None or offer.newcomer.user == offer.offered_by:
        return table
    return with_blocked_offer(table, seat, now, offer.newcomer.user, withdrawn=True)


def with_blocked_offer(
    table: Table, seat: Seat, now: int, newcomer_user: int | None, *, withdrawn: bool = False
) -> Table:
    """Return the table with a note that an offer may not be made again for a day; a withdrawn one, only once.

    ``newcomer_user``: to whom; None: to anybody, unless the seat's player gives it up.
    """
    row = table.seats[seat]
    still_blocked = tuple(each for each in row.blocked_offers if each.not_before > now)
    blocked_offers = (*still_blocked, BlockedOffer(now + OBJECTION_TIME, newcomer_user, withdrawn))
    return table.with_seat(seat, msgspec.structs.replace(row, blocked_offers=blocked_offers))


def with_offer(table: Table, seat: Seat, offer: SeatOffer | None) -> Table:
    """Return the table with another offer of a seat; None: without one."""
    return table.with_seat(seat, msgspec.structs.replace(table.seats[seat], offer=offer))
