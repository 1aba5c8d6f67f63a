"""Offers of seats: the page that says what one means before it is made, and the buttons of all of them."""

from collections.abc import Mapping
from functools import partial
from typing import Final

import discord
from msgspec import Struct

from bot.chat.component_press import ComponentPress, PressHandler
from bot.chat.membership import is_seat_of_former_member
from bot.chat.post_parts import Post, button, title
from bot.chat.question_posts import WITHDRAW_OFFER_VERB, offer_rating_text
from bot.host.deciders import offer_answers, seats
from bot.host.deciders.decision import Decision
from bot.host.deciders.results import departure_rating_text
from bot.host.deciders.seat_offers import (
    newcomer_seated_by_agreement,
    newcomer_text,
    offer_needs_text,
    seat_text,
)
from bot.host.game_guard import GameGuard
from bot.host.names import escape_markup, sanitize_name
from bot.host.request import Refusal, Request
from bot.host.table import IN_PLAY, Table
from bot.store.seat_rows import Person
from rules.model import SEAT_LETTERS, Seat
from rules.players import DEFAULT_COMPUTER

OFFER_VERB: Final = "offer"
_ANYBODY, _COMPUTER = "anybody", "computer"
"""What stands in a custom id for an offer that names no person."""

_MAX_ID: Final = 2**63
"""Above all of Discord's ids, which fit into SQLite's 64 bits."""


class SeatRecipient(Struct, frozen=True):
    """To whom a seat is offered: a person, anybody, or without both a computer player."""

    person: Person | None = None
    is_anybody: bool = False

    @property
    def text(self) -> str:
        """The name, escaped, or "anybody" or "a computer player"."""
        if self.person is not None:
            return escape_markup(sanitize_name(self.person.name))
        return "anybody" if self.is_anybody else "a computer player"

    def as_argument(self) -> str:
        """Return what a custom id says of the recipient."""
        if self.person is None:
            return _ANYBODY if self.is_anybody else _COMPUTER
        return f"{self.person.user} {sanitize_name(self.person.name)}"


def _parse_offer_argument(argument: str) -> tuple[Seat, SeatRecipient]:
    """Return the seat and the recipient that a button carries.  Raises Refusal."""
    seat_number, _, recipient_text = argument.partition(" ")
    word, _, name = recipient_text.partition(" ")
    if seat_number.isdecimal() and word.isdecimal() and int(word) < _MAX_ID and name:
        return Seat(int(seat_number)), SeatRecipient(Person(int(word), name))
    if seat_number.isdecimal() and word in {_ANYBODY, _COMPUTER}:
        return Seat(int(seat_number)), SeatRecipient(is_anybody=word == _ANYBODY)
    raise Refusal("There is no such seat.")


def _offer(
    table: Table, request: Request, seat: Seat, recipient: SeatRecipient, *, has_left: bool
) -> Decision:
    """Offer a seat.  ``has_left``: its player has left the server.  Raises Refusal."""
    if recipient.is_anybody:
        return seats.offer_to_anybody(table, request, seat, has_left=has_left)
    return seats.offer_seat(
        table, request, seat, recipient.person, computer=DEFAULT_COMPUTER, has_left=has_left
    )


def confirm_offer_post(
    table: Table, request: Request, seat: Seat, recipient: SeatRecipient, *, has_left: bool
) -> Post:
    """Return the question before a seat is offered: what is needed and what it costs.  Raises Refusal.

    ``has_left``: the seat's player has left the server.
    """
    with GameGuard(table.number):  # a dry run: it refuses what the button would refuse
        offered_table = _offer(table, request, seat, recipient, has_left=has_left).table
    is_own = table.seats[seat].user == request.user
    which_seat = f"your seat {SEAT_LETTERS[seat]}" if is_own else seat_text(table, seat)
    offer, replaced_offer = offered_table.seats[seat].offer, table.seats[seat].offer
    label = "Offer the seat"
    if offer is None:
        label = "Give the seat away"
        question = f"Give {which_seat} to a computer player?"
        consequence = "It plays on at once" if offered_table.status in IN_PLAY else "Then the game ends"
        sentences = [f"{consequence}, since {table.names[seat]} has left the server."]
    else:
        question = f"Offer {which_seat} to {recipient.text}?"
        if recipient.person is not None and recipient.person.user == request.user:
            label, question = "Ask for the seat", f"Ask for {which_seat}?"
        sentences = [
            "I post that in the game's channel.",
            offer_needs_text(offered_table, seat),
            f"{offer_rating_text(offered_table, seat)}{departure_rating_text(table, seat) if is_own else ''}",
        ]
    if replaced_offer is not None:
        sentences.append(f"It takes the place of the offer to {newcomer_text(replaced_offer)}.")
    argument = f"{int(seat)} {recipient.as_argument()}"
    row = (
        button(table, label, OFFER_VERB, argument, primary=offer is not None, final=offer is None),
        button(table, "Keep my seat" if is_own else "Keep the player", "keep"),
    )
    text = " ".join(each.strip() for each in (question, *sentences) if each.strip())
    return Post(f"**{title(table)}**\n{text}", (row,))


async def has_player_left(client: discord.Client, table: Table, request: Request, seat: Seat) -> bool:
    """Whether the player of a seat has left the server, as Discord says to those who moderate the table.

    Nobody else's request may cost a call, nor does one about the requester's own seat.
    """
    return (
        table.may_moderate(request)
        and table.seat_of(request.user) != seat
        and await is_seat_of_former_member(client, table, seat)
    )


async def _offer_seat(press: ComponentPress) -> None:
    seat, recipient = _parse_offer_argument(press.custom_id.argument)
    table = await press.require_table()
    has_left = await has_player_left(press.response.interaction.client, table, press.request, seat)
    decide = partial(_offer, request=press.request, seat=seat, recipient=recipient, has_left=has_left)
    number, person = press.custom_id.table_number, recipient.person
    if person is None:
        result = await press.tables.change(number, press.request, decide)
    else:
        result = await press.tables.take_seat(number, press.request, person.user, decide)
    await press.show_in_place_of_page(result)


async def _offer_to_anybody(press: ComponentPress) -> None:
    if not press.custom_id.argument.isdecimal():
        raise Refusal("There is no such seat.")
    seat, table = Seat(int(press.custom_id.argument)), await press.require_table()
    has_left = await has_player_left(press.response.interaction.client, table, press.request, seat)
    await press.change(partial(seats.offer_to_anybody, request=press.request, seat=seat, has_left=has_left))


async def _accept_offer(press: ComponentPress) -> None:
    seat, offer_id = _parse_offer_id(press)
    decide = partial(offer_answers.accept_offer, request=press.request, seat=seat, offer_id=offer_id)
    result = await press.tables.take_seat(
        press.custom_id.table_number, press.request, press.request.user, decide
    )
    await press.response.send_text(result.answer)


async def _agree_to_give_seat_away(press: ComponentPress) -> None:
    seat, offer_id = _parse_offer_id(press)
    decide = partial(
        offer_answers.agree_to_give_seat_away,
        request=press.request,
        seat=seat,
        offer_id=offer_id,
        computer=DEFAULT_COMPUTER,
    )
    find_newcomer = partial(newcomer_seated_by_agreement, request=press.request, seat=seat, offer_id=offer_id)
    result = await press.tables.take_seat(press.custom_id.table_number, press.request, find_newcomer, decide)
    await press.response.send_text(result.answer)


async def _decline_offer(press: ComponentPress) -> None:
    seat, offer_id = _parse_offer_id(press)
    await press.change(
        partial(offer_answers.decline_offer, request=press.request, seat=seat, offer_id=offer_id)
    )


async def _withdraw_offer(press: ComponentPress) -> None:
    seat, offer_id = _parse_offer_id(press)
    await press.change(
        partial(offer_answers.withdraw_offer, request=press.request, seat=seat, offer_id=offer_id)
    )


def _parse_offer_id(press: ComponentPress) -> tuple[Seat, int]:
    """Return the seat and the offer's id that a button carries.  Raises Refusal."""
    seat_number, _, offer_text = press.custom_id.argument.partition(" ")
    if not (seat_number.isdecimal() and offer_text.isdecimal()):
        raise Refusal("This offer is no longer open.")
    return Seat(int(seat_number)), int(offer_text)


OFFER_HANDLERS: Final[Mapping[str, PressHandler]] = {
    OFFER_VERB: _offer_seat,
    "anyone": _offer_to_anybody,
    "accept": _accept_offer,
    "yield": _agree_to_give_seat_away,
    "reject": _decline_offer,
    WITHDRAW_OFFER_VERB: _withdraw_offer,
}
"""By the verb of the button."""
