"""Steps and queries for tests of seats that are offered."""

from collections.abc import Callable
from functools import partial

import msgspec

from bot.host.committer import ChangeResult
from bot.host.deciders import offer_answers, seats
from bot.host.deciders.decision import Decision
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.seat_rows import Person, SeatOffer
from rules.model import Seat
from tests.bot.host.playing import mark_offers_posted, request_of_user

HOST, RIVAL, THIRD = Seat(0), Seat(1), Seat(2)
GUEST_USER, SECOND_GUEST_USER = 901, 902
GUEST = Person(GUEST_USER, "Guest")


async def offer_seat(
    tables: Tables,
    number: int,
    request: Request,
    seat: Seat,
    newcomer: Person | None,
    *,
    has_left: bool = False,
    is_posted: bool = True,
) -> Table:
    """Offer a seat; ``is_posted``: its message arrives at once."""
    request_now = msgspec.structs.replace(request, at=int(tables.clock()))
    decide = partial(
        seats.offer_seat,
        request=request_now,
        seat=seat,
        newcomer=newcomer,
        computer="random",
        has_left=has_left,
    )
    table = (await tables.change(number, request_now, decide)).table
    if is_posted:
        await mark_offers_posted(tables, number)
    return table


async def offer_to_anybody(
    tables: Tables, number: int, request: Request, seat: Seat, *, has_left: bool = False
) -> Table:
    """Offer a seat to anybody; its message arrives at once."""
    request_now = msgspec.structs.replace(request, at=int(tables.clock()))
    decide = partial(seats.offer_to_anybody, request=request_now, seat=seat, has_left=has_left)
    table = (await tables.change(number, request_now, decide)).table
    await mark_offers_posted(tables, number)
    return table


def offer_of(table: Table, seat: Seat) -> SeatOffer:
    """Return the open offer of a seat."""
    found = table.seats[seat].offer
    assert found is not None
    return found


async def accept_offer(tables: Tables, number: int, seat: Seat, user: int) -> Table:
    """Accept the open offer of a seat; return the table after it."""
    return await answer_and_get_table(tables, number, seat, request_of_user(user), offer_answers.accept_offer)


async def answer_and_get_table(
    tables: Tables, number: int, seat: Seat, request: Request, decide: Callable[..., Decision]
) -> Table:
    """Answer the open offer; return the table after it."""
    return (await answer_offer(tables, number, seat, request, decide)).table


async def answer_offer(
    tables: Tables, number: int, seat: Seat, request: Request, decide: Callable[..., Decision]
) -> ChangeResult:
    """Answer the open offer, as a press of its button does; return the result."""
    offer_id = offer_of(await tables.get(number), seat).id
    computer_option = {"computer": "random"} if decide is offer_answers.agree_to_give_seat_away else {}
    press_button = partial(decide, request=request, seat=seat, offer_id=offer_id, **computer_option)
    return await tables.change(number, request, press_button)
