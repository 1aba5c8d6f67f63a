"""T19: nobody is asked the same thing again and again until somebody gives in."""

import random
from collections.abc import Callable, Iterable
from functools import partial

import msgspec
import pytest

from bot.host.deciders import (
    moderation,
    offer_answers,
    own_undo,
    questions,
    seat_offers,
    seats,
    time_controls,
    voting,
)
from bot.host.deciders.decision import Decision
from bot.host.erasing import erase_person
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import IDLE_SECONDS, Status
from bot.store.seat_rows import Person
from rules.model import Seat
from tests.bot.host.erased_person import check_progress
from tests.bot.host.offered_seats import GUEST, HOST, RIVAL, THIRD, answer_and_get_table, offer_seat
from tests.bot.host.open_questions import answer_question
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    KEY_OF_GAME_WITH_SECRETS,
    RNG,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.timed_tables import change_row

ADMIN_USER = 900
pytestmark = pytest.mark.trust_test("T19")


@pytest.fixture
async def number(tables: Tables) -> int:
    """Return the number of a table of four people who have made some moves."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 4))
    rng = random.Random(1)  # the same game for every test: with some seeds it is over by then
    for _ in range(9):
        await make_move(tables, number, rng)
    return number


def request_now(clock: ManualClock, user: int) -> Request:
    """Return a request of a user now."""
    request = msgspec.structs.replace(
        request_of_person(0), user=user, guild=GUILD, is_admin=user == ADMIN_USER
    )
    return msgspec.structs.replace(request, at=int(clock.now))


async def ask_to_roll_back(
    tables: Tables, clock: ManualClock, number: int, user: int, move_number: int
) -> Table:
    """Ask to roll back, as a moderator."""
    request = request_now(clock, user)
    decide = partial(moderation.roll_back, request=request, move_number=move_number)
    return (await tables.change(number, request, decide)).table


async def decline_question(tables: Tables, clock: ManualClock, number: int, user: int) -> Table:
    """Decline the open question."""
    return (await answer_question(tables, number, request_now(clock, user), is_yes=False)).table


async def test_two_questions_cannot_take_turns(tables: Tables, clock: ManualClock, number: int) -> None:
    """What was declined stays declined until the game moves on, whatever was asked in between."""
    for move in (1, 2):
        await ask_to_roll_back(tables, clock, number, FIRST_USER, move)
        await decline_question(tables, clock, number, FIRST_USER + RIVAL)
    for move in (1, 2):
        refusal_pattern = (
            rf"back to move {move}, and Ben declined\..* You can ask again after the next move\."
        )
        with pytest.raises(Refusal, match=refusal_pattern):
            await ask_to_roll_back(tables, clock, number, FIRST_USER, move)
    await make_move(tables, number, RNG)
    assert (await ask_to_roll_back(tables, clock, number, FIRST_USER, 1)).row.question is not None


async def test_two_askers_cannot_take_turns(tables: Tables, clock: ManualClock, number: int) -> None:
    """An admin and the host do not wear a player out together."""
    for user in (FIRST_USER, ADMIN_USER):
        await ask_to_roll_back(tables, clock, number, user, 1)
        await decline_question(tables, clock, number, FIRST_USER + RIVAL)
    for user in (FIRST_USER, ADMIN_USER):
        with pytest.raises(Refusal, match="declined"):
            await ask_to_roll_back(tables, clock, number, user, 1)


@pytest.mark.parametrize(
    "between",
    ["agreed clock", "clock without a question", "given seat", "erasure", "erasure of the last asker"],
)
async def test_what_was_declined_outlasts_other_changes(
    tables: Tables, clock: ManualClock, number: int, between: str
) -> None:
    """Another clock, a seat that changes hands or a player's erasure opens no declined question."""
    await ask_to_roll_back(tables, clock, number, FIRST_USER, 1)
    await decline_question(tables, clock, number, FIRST_USER + RIVAL)
    control = TimeControl(turn_seconds=3600)
    if between == "agreed clock":
        ask = partial(time_controls.ask_for_time_control, control=control)
        await change_now(tables, clock, number, FIRST_USER, ask)
        await agree_to_question(tables, clock, number, (RIVAL, THIRD, Seat(3)))
        assert (await tables.get(number)).row.time_control == control
    elif between == "erasure":
        await erase_person(tables, request_now(clock, FIRST_USER + THIRD), check_progress)
    elif between == "erasure of the last asker":
        await change_now(tables, clock, number, FIRST_USER + THIRD, moderation.pause)
        await decline_question(tables, clock, number, FIRST_USER + RIVAL)
        await erase_person(tables, request_now(clock, FIRST_USER + THIRD), check_progress)
    elif between == "given seat":
        await ask_to_roll_back(tables, clock, number, FIRST_USER, 2)
        give = partial(seats.give_seat_to_computer, computer="random")
        await change_now(tables, clock, number, FIRST_USER + THIRD, give)
    else:
        change = partial(voting.change_time_control, control=control, text="")
        await tables.change(number, None, change)
    with pytest.raises(Refusal, match="declined"):
        await ask_to_roll_back(tables, clock, number, FIRST_USER, 1)


@pytest.mark.parametrize("between", ["going on", "staying open", "frozen game"])
async def test_what_was_declined_outlasts_the_bots_questions(
    tables: Tables, clock: ManualClock, number: int, between: str
) -> None:
    """An answer to a question of the bot, or a freeze and a thaw, open no declined question either."""
    await ask_to_roll_back(tables, clock, number, FIRST_USER, 1)
    await decline_question(tables, clock, number, FIRST_USER + RIVAL)
    if between == "frozen game":
        for decide in (moderation.freeze_as_admin, moderation.thaw_as_admin):
            await change_now(tables, clock, number, ADMIN_USER, partial(decide, reason="Why not."))
    elif between == "staying open":
        clock.now += IDLE_SECONDS + 1
        await Housekeeping(tables).do_due_work_at_tables()
        await agree_to_question(tables, clock, number, (RIVAL,))
    else:
        await change_row(tables, number, status=Status.PAUSED, needs_agreement_to_go_on=True)
        await change_now(tables, clock, number, FIRST_USER, moderation.resume)
        await agree_to_question(tables, clock, number, (HOST, RIVAL, THIRD, Seat(3)))
    assert (await tables.get(number)).status is Status.PLAYING
    with pytest.raises(Refusal, match="declined"):
        await ask_to_roll_back(tables, clock, number, FIRST_USER, 1)


async def agree_to_question(
    tables: Tables, clock: ManualClock, number: int, seats_to_agree: Iterable[Seat]
) -> None:
    """Agree to the open question at some seats."""
    for seat in seats_to_agree:
        await answer_question(tables, number, request_now(clock, FIRST_USER + seat), is_yes=True)


async def test_a_clock_declined_after_a_move_stays_declined(
    tables: Tables, clock: ManualClock, number: int
) -> None:
    """A move between question and answer does not let the asker ask again at once, for any other clock."""
    ask = time_controls.ask_for_time_control
    await change_now(tables, clock, number, FIRST_USER, partial(ask, control=TimeControl(turn_seconds=3600)))
    await make_move(tables, number, RNG)
    await decline_question(tables, clock, number, FIRST_USER + RIVAL)
    other = partial(ask, control=TimeControl(turn_seconds=7200))
    with pytest.raises(Refusal, match=r"You asked for another clock, and Ben declined\."):
        await change_now(tables, clock, number, FIRST_USER, other)
    await make_move(tables, number, RNG)
    await change_now(tables, clock, number, FIRST_USER, other)


async def change_now(
    tables: Tables, clock: ManualClock, number: int, user: int, decide: Callable[..., Decision]
) -> None:
    """Change the table as a user, now."""
    request = request_now(clock, user)
    await tables.change(number, request, partial(decide, request=request))


async def test_going_on_is_not_asked_again_at_once(tables: Tables, clock: ManualClock, number: int) -> None:
    """After a no the players of a restored game are asked again when a day is over, not before."""

    def as_restored(table: Table) -> Table:
        return table.with_row(status=Status.PAUSED, needs_agreement_to_go_on=True)

    def resume(table: Table) -> Decision:
        return moderation.resume(as_restored(table), request_now(clock, ADMIN_USER))

    await tables.change(number, request_now(clock, ADMIN_USER), resume)
    await decline_question(tables, clock, number, FIRST_USER + RIVAL)
    with pytest.raises(Refusal, match="declined"):
        await tables.change(number, request_now(clock, ADMIN_USER), resume)
    clock.now += questions.VOTING_TIME
    asked = (await tables.change(number, request_now(clock, ADMIN_USER), resume)).table
    assert asked.row.question is not None
    assert not asked.row.question.declined


async def offer_seat_now(
    tables: Tables, clock: ManualClock, number: int, user: int, seat: Seat, newcomer: Person | None
) -> Table:
    """Offer a seat."""
    return await offer_seat(tables, number, request_now(clock, user), seat, newcomer, is_posted=False)


async def decline_offer(tables: Tables, clock: ManualClock, number: int, user: int, seat: Seat) -> Table:
    """Decline an offer, or object to it."""
    request = request_now(clock, user)
    return await answer_and_get_table(tables, number, seat, request, offer_answers.decline_offer)


@pytest.mark.parametrize("moderator", [FIRST_USER, ADMIN_USER])
async def test_an_objection_stands_for_a_day(
    tables: Tables, clock: ManualClock, number: int, moderator: int
) -> None:
    """Somebody who has objected is not asked again at once, by nobody and for no other newcomer."""
    await offer_seat_now(tables, clock, number, FIRST_USER, RIVAL, GUEST)
    await decline_offer(tables, clock, number, FIRST_USER + THIRD, RIVAL)
    for newcomer in (None, GUEST, Person(902, "Other")):
        with pytest.raises(Refusal, match="objected"):
            await offer_seat_now(tables, clock, number, moderator, RIVAL, newcomer)
    offered = await offer_seat_now(tables, clock, number, FIRST_USER + RIVAL, RIVAL, GUEST)
    assert offered.seats[RIVAL].offer is not None, "its own player may give it away"
    await decline_offer(tables, clock, number, GUEST.user, RIVAL)
    clock.now += seat_offers.OBJECTION_TIME
    offered_again = await offer_seat_now(tables, clock, number, moderator, RIVAL, None)
    assert offered_again.seats[RIVAL].offer is not None


async def test_somebody_who_does_not_want_a_seat_is_left_alone(
    tables: Tables, clock: ManualClock, number: int
) -> None:
    """Somebody who declines a seat is not mentioned again for it that day, not even by its player."""
    await offer_seat_now(tables, clock, number, FIRST_USER + RIVAL, RIVAL, GUEST)
    await decline_offer(tables, clock, number, GUEST.user, RIVAL)
    for user in (FIRST_USER + RIVAL, FIRST_USER):
        with pytest.raises(Refusal, match="declined"):
            await offer_seat_now(tables, clock, number, user, RIVAL, GUEST)
    other = await offer_seat_now(tables, clock, number, FIRST_USER + RIVAL, RIVAL, Person(902, "Other"))
    assert other.seats[RIVAL].offer is not None


async def test_somebody_who_declines_a_seat_is_offered_no_other_one(
    tables: Tables, clock: ManualClock, number: int
) -> None:
    """Somebody who does not want one seat of a table is not asked about the next one at once."""
    for seat in (RIVAL, THIRD):
        await offer_seat_now(tables, clock, number, FIRST_USER + seat, seat, None)
    await offer_seat_now(tables, clock, number, FIRST_USER, RIVAL, GUEST)
    await decline_offer(tables, clock, number, GUEST.user, RIVAL)
    for seat in (RIVAL, THIRD):
        with pytest.raises(Refusal, match=r"declined a seat at this table.* or to somebody else now\."):
            await offer_seat_now(tables, clock, number, FIRST_USER, seat, GUEST)
    clock.now += seat_offers.OBJECTION_TIME
    assert (await offer_seat_now(tables, clock, number, FIRST_USER, THIRD, GUEST)).seats[
        THIRD
    ].offer is not None


async def test_two_newcomers_are_not_asked_by_turns(tables: Tables, clock: ManualClock, number: int) -> None:
    """An offer may take the place of another one, but not once more that of somebody who has declined."""
    other = Person(902, "Other")
    await offer_seat_now(tables, clock, number, FIRST_USER + RIVAL, RIVAL, None)
    for newcomer in (GUEST, other, GUEST):
        await offer_seat_now(tables, clock, number, FIRST_USER, RIVAL, newcomer)
    await decline_offer(tables, clock, number, GUEST.user, RIVAL)
    await offer_seat_now(tables, clock, number, FIRST_USER, RIVAL, other)
    for user in (FIRST_USER, ADMIN_USER):
        with pytest.raises(Refusal, match="declined"):
            await offer_seat_now(tables, clock, number, user, RIVAL, GUEST)


@pytest.mark.parametrize("newcomer", [GUEST, None])
async def test_an_offer_that_is_withdrawn_can_be_repeated_once(
    tables: Tables, clock: ManualClock, number: int, newcomer: Person | None
) -> None:
    """Nobody is mentioned again and again without a chance to decline."""
    for _ in range(2):
        await offer_seat_now(tables, clock, number, FIRST_USER, RIVAL, newcomer)
        await decline_offer(tables, clock, number, FIRST_USER, RIVAL)
    for user in (FIRST_USER, ADMIN_USER):
        with pytest.raises(Refusal, match="withdrawn twice"):
            await offer_seat_now(tables, clock, number, user, RIVAL, newcomer)
    clock.now += DAY
    await offer_seat_now(tables, clock, number, FIRST_USER, RIVAL, newcomer)


async def test_a_newcomer_is_not_asked_in_turn_with_another(
    tables: Tables, clock: ManualClock, number: int
) -> None:
    """An offer that another one has replaced cannot be declined either."""
    for newcomer in (GUEST, Person(902, "Other"), GUEST, Person(903, "Third")):
        await offer_seat_now(tables, clock, number, FIRST_USER + RIVAL, RIVAL, newcomer)
    with pytest.raises(Refusal, match="withdrawn twice"):
        await offer_seat_now(tables, clock, number, FIRST_USER + RIVAL, RIVAL, GUEST)


async def test_a_withdrawal_does_not_reopen_what_was_declined(
    tables: Tables, clock: ManualClock, number: int
) -> None:
    """Whoever withdraws an offer of a player's seat may repeat it only until somebody has declined it."""
    for decliner in (FIRST_USER, FIRST_USER + RIVAL):
        await offer_seat_now(tables, clock, number, FIRST_USER, RIVAL, None)
        await decline_offer(tables, clock, number, decliner, RIVAL)
    for user in (FIRST_USER, ADMIN_USER):
        with pytest.raises(Refusal, match="objected"):
            await offer_seat_now(tables, clock, number, user, RIVAL, None)
    given = await offer_seat_now(tables, clock, number, FIRST_USER + RIVAL, RIVAL, None)
    assert given.seats[RIVAL].user is None, "its own player may give it away"


async def test_an_open_offer_is_not_made_again(tables: Tables, clock: ManualClock, number: int) -> None:
    """The same offer again would mention everybody again, and put off the day on which it ends."""
    await offer_seat_now(tables, clock, number, FIRST_USER, RIVAL, GUEST)
    with pytest.raises(Refusal, match="already"):
        await offer_seat_now(tables, clock, number, ADMIN_USER, RIVAL, GUEST)
    waiting = await tables.store.waiting_deliveries(number)
    assert sum(each.kind is DeliveryKind.OFFER for each in waiting) == 1


async def test_undos_and_moves_renew_a_question_a_limited_number_of_times(
    tables: Tables, clock: ManualClock, number: int
) -> None:
    """A move that is taken back lets a moderator ask again, but a turn has 20 undos at most."""
    question_count = 0
    for _ in range(2 * own_undo.MAX_UNDOS_WITHOUT_CONSENT):
        table = await tables.get(number)
        seat = table.to_act
        assert seat is not None
        try:
            await ask_to_roll_back(tables, clock, number, FIRST_USER, 1)
            await decline_question(tables, clock, number, FIRST_USER + RIVAL)
            question_count += 1
            await make_move(tables, number, RNG)
            request = request_now(clock, FIRST_USER + seat)
            await tables.change(number, request, partial(own_undo.undo, request=request))
        except Refusal:
            break
    assert question_count <= own_undo.MAX_UNDOS_WITHOUT_CONSENT + 2
