"""A computer player plays for somebody whose time is over: how that begins, what it changes, how it ends."""

import random
from functools import partial

import pytest
from msgspec.structs import replace

from bot.chat import pages
from bot.chat.posts import time_over_post
from bot.host.clock_texts import clock_lines
from bot.host.deciders import departures, moderation, own_undo, play, seats, timeouts
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeoutAction, TurnStage
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from bot.store.seat_rows import Person, SeatOffer
from rules.model import Seat
from rules.players import DEFAULT_COMPUTER
from tests.bot.host.playing import (
    FIRST_USER,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    give_seat_away,
    request_of_person,
    request_of_user,
    seat_and_random_action,
)
from tests.bot.host.timed_tables import (
    begin_timed_table,
    change_as,
    change_row,
    notice_texts,
    play_as_computer,
    play_until_turn_passes,
    timer_of,
)
from tests.bot.host.timeout_steps import (
    DAY_WITH_GRACE,
    day_with_grace_and_action,
    let_time_run_out,
    notices_of_return,
    time_over_notices,
)

OUTSIDER_USER, NEWCOMER_USER = 900, 901


async def test_a_substitute_plays_until_its_person_is_back(tables: Tables, clock: ManualClock) -> None:
    """The seat stays the person's; the computer chooses for them, turn after turn, until they come back."""
    rng = random.Random(2)
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    seat = timer_of(await tables.get(number)).seat
    table_before = await tables.get(number)
    table = await let_time_run_out(tables, clock, number)
    row = table.seats[seat]
    assert (row.user, row.name, row.computer) == (
        table_before.seats[seat].user,
        table_before.seats[seat].name,
        None,
    )
    assert (row.playing_computer, row.playing_user) == (DEFAULT_COMPUTER, None)
    [text] = await time_over_notices(tables, number)
    assert row.user is not None
    post_text = time_over_post(table, seat, row.user, text).text
    assert f" · <@{row.user}> did not play in time. A " in post_text
    assert " in time. A computer player plays for them until they are back. To come back, press " in text
    assert post_text.count(str(row.user)) == 1, "they are named once"
    assert row.name not in post_text
    assert table.row.holders == table_before.row.holders
    assert timer_of(table).deadline is None
    assert number in await tables.store.tables_waiting_for_computers()
    summary = (await tables.store.live_tables_of_user(row.user or 0))[0]
    assert summary.user_to_act is None
    table = await play_as_computer(tables, number, rng)
    assert table.to_act == 1 - seat
    assert timer_of(table).deadline is not None
    table = await play_until_turn_passes(tables, number, rng)
    assert table.seats[seat].playing_computer == DEFAULT_COMPUTER
    welcome = timeouts.come_back(await tables.get(number), request_of_person(seat)).answer
    assert welcome.startswith("Welcome back. You play again.")
    table = await change_as(tables, number, seat, timeouts.come_back)
    assert table.seats[seat].playing_computer is None
    assert timer_of(table).deadline == int(clock()) + DAY
    assert await notices_of_return(tables, number) == [], "the board asks them"
    assert DeliveryKind.BOARD in {each.kind for each in (await tables.store.waiting_deliveries(number))[-2:]}
    with pytest.raises(Refusal, match="Your seat is yours"):
        await change_as(tables, number, seat, timeouts.come_back)


@pytest.mark.parametrize("action", [TimeoutAction.SUBSTITUTE, TimeoutAction.PLAY_TURN])
async def test_a_return_leaves_nothing_of_the_substitute(
    tables: Tables, clock: ManualClock, action: TimeoutAction
) -> None:
    """Their seat is as before, and the turn counts as missed in the whole game, but not in a row."""
    number = await begin_timed_table(tables, day_with_grace_and_action(action))
    table = await tables.get(number)
    seat, row_before = timer_of(table).seat, table.seats[timer_of(table).seat]
    await let_time_run_out(tables, clock, number)
    row = (await change_as(tables, number, seat, timeouts.come_back)).seats[seat]
    assert row.clock is not None
    assert (row.clock.consecutive_missed_turn_count, row.clock.missed_turn_count) == (0, 1)
    assert replace(row, clock=row_before.clock) == row_before


async def test_a_refused_return_says_why(tables: Tables, clock: ManualClock) -> None:
    """A frozen game, one that is over, and a lost seat are no reason to say that the seat is theirs."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    seat = timer_of(await tables.get(number)).seat
    await let_time_run_out(tables, clock, number)
    frozen_table = await change_row(tables, number, status=Status.FROZEN)
    over_table = await change_row(tables, number, status=Status.ENDED_EARLY)
    for table, user, reason in (
        (frozen_table, FIRST_USER + seat, "is frozen. Once it goes on"),
        (over_table, FIRST_USER + seat, "is over"),
        (over_table, OUTSIDER_USER, "have no seat"),
    ):
        with pytest.raises(Refusal, match=reason):
            timeouts.come_back(table, request_of_user(user))


async def test_a_return_in_anothers_turn_is_one_message(tables: Tables, clock: ManualClock) -> None:
    """No board comes with it: the one that stands is edited."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    seat = timer_of(await tables.get(number)).seat
    await let_time_run_out(tables, clock, number)
    await play_as_computer(tables, number, random.Random(10))
    earlier_ids = {each.id for each in await tables.store.waiting_deliveries(number)}
    table = await change_as(tables, number, seat, timeouts.come_back)
    new_deliveries = [
        each for each in await tables.store.waiting_deliveries(number) if each.id not in earlier_ids
    ]
    new_deliveries = [each for each in new_deliveries if each.kind is not DeliveryKind.HAND]
    text = f"{table.names[seat]} is back and plays again."
    edit = (DeliveryKind.BOARD_EDIT, "")
    assert [(each.kind, each.text) for each in new_deliveries] == [edit, (DeliveryKind.NOTICE, text)]


async def test_a_return_keeps_no_seat_that_its_player_gave_up(tables: Tables, clock: ManualClock) -> None:
    """While the offer of the seat goes on, no notice says that its player keeps it."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    seat = timer_of(await tables.get(number)).seat
    table = await let_time_run_out(tables, clock, number)
    for given_up in (False, True):
        offer = SeatOffer(1, int(clock()) + DAY, NEWCOMER_USER, "", is_for_anybody=True, given_up=given_up)
        offered_table = table.with_seat(seat, replace(table.seats[seat], offer=offer))
        texts = [each.text for each in timeouts.come_back_deliveries(offered_table, Seat(seat))]
        assert any("stays with" in text for text in texts) is not given_up


async def test_a_return_changes_what_the_board_threatens(tables: Tables, clock: ManualClock) -> None:
    """Alone, a late player would pause the game; with somebody else back, a computer player plays."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    seat = timer_of(await tables.get(number)).seat
    await let_time_run_out(tables, clock, number)
    table = await play_as_computer(tables, number, random.Random(11))
    clock.now = timer_of(table).deadline or 0
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert "the game is paused" in "".join(clock_lines(table))
    earlier_ids = {each.id for each in await tables.store.waiting_deliveries(number)}
    table = await change_as(tables, number, seat, timeouts.come_back)
    assert "the game is paused" not in "".join(clock_lines(table))
    new_kinds = [
        each.kind for each in await tables.store.waiting_deliveries(number) if each.id not in earlier_ids
    ]
    assert DeliveryKind.BOARD_EDIT in new_kinds


async def test_a_player_who_moves_is_back(tables: Tables, clock: ManualClock) -> None:
    """Their move ends the substitute's play; an undo asks them to come back first."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    seat = timer_of(await tables.get(number)).seat
    table = await let_time_run_out(tables, clock, number)
    with pytest.raises(Refusal, match=timeouts.BACK_LABEL):
        await change_as(tables, number, seat, own_undo.undo)
    _, action = seat_and_random_action(table, random.Random(3))
    table = await change_as(tables, number, seat, play.play, actions=(action,))
    assert table.seats[seat].playing_computer is None
    assert table.move_count == 1
    assert await notices_of_return(tables, number) == [], "the messages of the turn name them"


async def test_a_computer_plays_one_turn(tables: Tables, clock: ManualClock) -> None:
    """Only this turn is played; from the third missed in a row the computer plays on."""
    rng = random.Random(4)
    number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.PLAY_TURN))
    seat = timer_of(await tables.get(number)).seat
    for miss in (1, 2, 3):
        table = await let_time_run_out(tables, clock, number)
        assert table.seats[seat].playing_computer == DEFAULT_COMPUTER
        assert (table.seats[seat].substitute_only_turn_start is None) is (miss == 3)
        table = await play_as_computer(tables, number, rng)
        assert table.to_act == 1 - seat
        assert table.seats[seat].playing_computer == (DEFAULT_COMPUTER if miss == 3 else None)
        if miss < 3:
            table = await play_until_turn_passes(tables, number, rng)


async def test_the_game_is_paused_when_the_last_person_is_late(tables: Tables, clock: ManualClock) -> None:
    """A game without people does not play itself to its end: it is paused, and goes on with a whole turn."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE)
    seat = timer_of(await tables.get(number)).seat
    await give_seat_away(tables, number, 1 - seat, None)
    table = await let_time_run_out(tables, clock, number)
    assert table.status is Status.PAUSED
    assert table.row.players_may_resume
    assert table.seats[seat].playing_computer is None
    [text] = await time_over_notices(tables, number)
    assert text.endswith("so the game is paused. Press **Resume** below to go on.")
    assert DeliveryKind.BOARD in {each.kind for each in await tables.store.waiting_deliveries(number)}
    with pytest.raises(Refusal, match=r"paused\. Every player can press \*\*Resume\*\* at the newest board"):
        await change_as(tables, number, seat, departures.resign, computer=DEFAULT_COMPUTER)
    clock.now += 100 * DAY
    await Housekeeping(tables).do_due_work_at_tables()
    table = await change_as(tables, number, seat, moderation.resume)
    assert table.status is Status.PLAYING
    assert timer_of(table).deadline == int(clock()) + DAY
    assert not table.row.players_may_resume


@pytest.mark.parametrize(("game_key", "seat_count"), [("currents", 4), ("oceans", 3)])
@pytest.mark.parametrize("resigns", [False, True])
async def test_nobody_leaves_a_game_to_substitutes_alone(
    tables: Tables, clock: ManualClock, game_key: str, seat_count: int, *, resigns: bool
) -> None:
    """When all others leave, the game waits for the absent person, who resumes it and plays again."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE, seat_count, game_key)
    absent_seat = timer_of(await tables.get(number)).seat
    await let_time_run_out(tables, clock, number)
    await play_as_computer(tables, number, random.Random(6))
    others = [seat for seat in range(seat_count) if seat != absent_seat]
    for seat in others[:-1]:
        assert (await give_seat_away(tables, number, seat, None)).status is Status.PLAYING
    preview = pages.confirm_resign_post if resigns else pages.confirm_give_to_computer_post
    assert (
        "is paused until another is back."
        in preview(await tables.get(number), request_of_person(others[-1])).text
    )
    leave = partial(departures.resign if resigns else seats.give_seat_to_computer, computer=DEFAULT_COMPUTER)
    table = await change_as(tables, number, others[-1], leave)
    assert table.status is Status.PAUSED
    assert (
        "No other person is playing now, so the game is paused." in (await notice_texts(tables, number))[-1]
    )
    answer = timeouts.come_back(table, request_of_person(absent_seat)).answer
    assert answer.endswith("The game is paused. Every player can resume it at the newest board.")
    admin_request = request_of_user(FIRST_USER + others[-1], is_admin=True)
    with pytest.raises(Refusal, match="One of these players must come back first"):
        await tables.change(number, admin_request, partial(moderation.resume, request=admin_request))
    table = await change_as(tables, number, absent_seat, moderation.resume)
    assert table.status is Status.PLAYING
    assert table.seats[absent_seat].playing_user == FIRST_USER + absent_seat


@pytest.mark.parametrize("is_paused", [False, True])
async def test_the_game_is_paused_when_others_leave_a_late_person(
    tables: Tables, clock: ManualClock, *, is_paused: bool
) -> None:
    """If the others leave instead of letting a computer play, the game is paused; a whole turn follows."""
    number = await begin_timed_table(tables, day_with_grace_and_action(TimeoutAction.ALLOW_SUBSTITUTE))
    late_seat = timer_of(await tables.get(number)).seat
    table = await let_time_run_out(tables, clock, number)
    assert timer_of(table).stage is TurnStage.SUBSTITUTE_ALLOWED
    if is_paused:
        admin_request = request_of_user(OUTSIDER_USER, is_admin=True)
        await tables.change(number, admin_request, partial(moderation.pause, request=admin_request))
    else:
        preview = pages.confirm_give_to_computer_post(table, request_of_person(1 - late_seat)).text
        assert "is paused until another is back." in preview
    table = await give_seat_away(tables, number, 1 - late_seat, None)
    assert table.status is Status.PAUSED
    assert not clock_lines(table)
    resumer_request = (
        request_of_user(OUTSIDER_USER, is_admin=True) if is_paused else request_of_person(late_seat)
    )
    table = (
        await tables.change(number, resumer_request, partial(moderation.resume, request=resumer_request))
    ).table
    assert timer_of(table).deadline == int(clock()) + DAY


async def test_somebody_with_a_substitute_gets_no_other_seat(tables: Tables, clock: ManualClock) -> None:
    """P19: their seat is theirs meanwhile, so they may have no other."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE, game_key=KEY_OF_GAME_WITH_SECRETS)
    seat = timer_of(await tables.get(number)).seat
    table = await let_time_run_out(tables, clock, number)
    user = table.seats[seat].user
    assert user is not None
    assert not table.may_hold(user, 1 - seat)
    with pytest.raises(Refusal, match="has a seat at this table"):
        await give_seat_away(tables, number, 1 - seat, Person(user, "Ava"))


async def test_a_substituted_person_gets_no_hand_until_they_are_back(
    tables: Tables, clock: ManualClock
) -> None:
    """No private message is sent for moves of the computer; coming back sends the hand."""
    number = await begin_timed_table(tables, DAY_WITH_GRACE, game_key=KEY_OF_GAME_WITH_SECRETS)
    seat = timer_of(await tables.get(number)).seat
    await let_time_run_out(tables, clock, number)

    async def find_newest_hand_id() -> int:
        waiting = await tables.store.waiting_deliveries(number)
        return max((each.id for each in waiting if each.slot.seat == seat), default=0)

    id_before = await find_newest_hand_id()
    await play_as_computer(tables, number, random.Random(6))
    assert await find_newest_hand_id() == id_before
    await change_as(tables, number, seat, timeouts.come_back)
    assert await find_newest_hand_id() > id_before


async def test_a_substitutes_move_leaves_the_offer_of_the_seat(tables: Tables, clock: ManualClock) -> None:
    """The seat of somebody who stays away can be given to somebody else; only their own move keeps it."""
    rng = random.Random(8)
    number = await begin_timed_table(tables, DAY_WITH_GRACE, seat_count=3)
    seat = timer_of(await tables.get(number)).seat
    await let_time_run_out(tables, clock, number)
    admin_request = replace(request_of_person(3), is_admin=True)
    offer = partial(
        seats.offer_seat,
        request=admin_request,
        seat=Seat(seat),
        newcomer=Person(NEWCOMER_USER, "Gita"),
        computer=DEFAULT_COMPUTER,
    )
    await tables.change(number, admin_request, offer)
    table = await play_as_computer(tables, number, rng)
    assert table.seats[seat].offer is not None
    assert not any("stays with" in text for text in await notice_texts(tables, number))
    while table.to_act != seat:
        table = await play_until_turn_passes(tables, number, rng)
    _, action = seat_and_random_action(table, rng)
    table = await change_as(tables, number, seat, play.play, actions=(action,))
    assert table.seats[seat].offer is None
    assert "stays with" in (await notice_texts(tables, number))[-1]
