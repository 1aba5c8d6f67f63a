"""What the messages at a table say, and show, of a person who has been erased."""

from functools import partial

import msgspec
import pytest

from bot.host.deciders import moderation, seats
from bot.host.deciders.reminders import reminder_delivery
from bot.host.erasing import erase_person
from bot.host.housekeeping import Housekeeping
from bot.host.tables import Tables
from bot.store.results import FORMER_PLAYER
from rules.game import Seat
from tests.bot.host.playing import Clock, request_of
from tests.bot.host.test_erasing import report
from tests.bot.host.timed_tables import begin_timed_table, notice_texts, timer_of


async def test_a_reminder_of_an_erased_player_is_removed(tables: Tables, clock: Clock) -> None:
    """No posted message goes on to mention them and to ask for their move."""
    number = await begin_timed_table(tables, None, 4, "currents")
    seat = timer_of(await tables.get(number)).seat
    clock.now += 86_401
    await Housekeeping(tables).expire_due()
    notices = (await tables.get(number)).row.notices
    assert notices is not None
    assert notices.has_reminder
    newest = max(each.id for each in await tables.store.deliveries(number))
    assert await erase_person(tables, request_of(seat), report) == 0
    slots = {each.slot for each in await tables.store.deliveries(number) if each.id > newest}
    assert reminder_delivery(seat, notices.turn_start).slot in slots


@pytest.mark.parametrize("name", ["B", "former", "A former player of chess"])
async def test_a_name_that_is_a_word_of_a_notice(tables: Tables, name: str) -> None:
    """Only the name is replaced in what was said, not a seat's letter nor the words that replace it."""
    number = await begin_timed_table(tables, None, 4, "currents")
    named = msgspec.structs.replace(request_of(4), name=name)
    offer = partial(seats.offer_to_anybody, request=request_of(1), seat=Seat(1))
    offered = (await tables.change(number, request_of(1), offer)).table.seats[1].offer
    assert offered is not None
    take = partial(seats.accept_offer, request=named, seat=Seat(1), offer_id=offered.id, computer="random")
    await tables.change(number, named, take)
    assert await erase_person(tables, named, report) == 0
    assert (await notice_texts(tables, number))[-2:] == [
        f"{FORMER_PLAYER} takes seat B from Ben.",
        f"{FORMER_PLAYER} has left. The computer player Casual 1 takes seat B.",
    ]


async def test_a_name_after_the_word_seat_is_erased(tables: Tables) -> None:
    """Only a seat's letter is kept there, not the name of somebody of whom an operator wrote."""
    number = await begin_timed_table(tables, None, 4, "currents")
    reason = "I seat Ben elsewhere. Seat Ben! Seat B waits."
    await tables.change(number, None, partial(moderation.freeze, reason=reason))
    assert await erase_person(tables, request_of(1), report) == 0
    texts = " ".join(await notice_texts(tables, number))
    assert "Ben" not in texts
    assert "Seat B waits." in texts


@pytest.mark.parametrize("is_frozen", [False, True])
async def test_no_computer_takes_the_seat_of_the_last_person_erased(
    tables: Tables, *, is_frozen: bool
) -> None:
    """The notice names a successor while others are left to play with it, but none once the game ends."""
    number = await begin_timed_table(tables, None, 2, "currents")
    if is_frozen:
        await tables.change(number, None, partial(moderation.freeze, reason="Why."))
    for seat in (0, 1):
        assert await erase_person(tables, request_of(seat), report) == 0
    successor, last = (await notice_texts(tables, number))[-2:]
    assert "takes seat A." in successor
    assert last.startswith(f"{FORMER_PLAYER} has left. Nobody is left, so the game has ended.")
