"""The clock is chosen in the lobby by its host, in a game by agreement; so are pauses that all may end."""

import dataclasses
import random
from functools import partial
from typing import Final

import pytest
from msgspec.structs import replace

from bot.chat.question_posts import question_post
from bot.host.deciders import departures, lobby, moderation, time_controls
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.table import IN_PLAY
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR, SeatClock, TimeControl, TimeoutAction
from bot.store.delivery_rows import DeliveryKind
from bot.store.question_rows import QuestionKind
from bot.store.rows import Status
from rules.model import Resign, Seat
from rules.players import DEFAULT_COMPUTER
from tests.bot.host.open_questions import answer_question
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    make_move,
    request_of_person,
)
from tests.bot.host.timed_tables import (
    ANY_GAME_KEY,
    DAY_A_TURN,
    begin_timed_table,
    change_as,
    change_row,
    notice_texts,
    timer_of,
)

BANK_CONTROL: Final = TimeControl(turn_seconds=DAY // 2, bank_seconds=3 * DAY)
TWO_DAYS_A_TURN: Final = TimeControl(turn_seconds=2 * DAY, sleep_hours=8)


async def test_the_host_chooses_in_the_lobby(tables: Tables) -> None:
    """The lobby's clock runs from the first turn on; nobody else may choose it."""
    host_request = request_of_person(0)
    opened = await tables.open(
        lambda number, seed, now: lobby.open_table(
            number, GAMES_AND_TOYS[ANY_GAME_KEY], "", host_request, seed, now, DAY_A_TURN
        ),
        host_request,
    )
    number = opened.table.number
    assert opened.table.row.time_control == DAY_A_TURN
    await change_as(tables, number, 1, lobby.join)
    with pytest.raises(Refusal, match=r"Only the host \(.*\) can choose the clock"):
        await change_as(tables, number, 1, time_controls.set_time_control, control=None)
    table = await change_as(tables, number, 0, time_controls.set_time_control, control=TWO_DAYS_A_TURN)
    assert table.row.time_control == TWO_DAYS_A_TURN
    table = await change_as(tables, number, 0, lobby.start, is_channel_busy=False)
    assert timer_of(table).seconds_left == 2 * DAY
    with pytest.raises(Refusal, match="already started"):
        await change_as(tables, number, 0, time_controls.set_time_control, control=None)


async def test_a_rematch_has_the_same_clock(tables: Tables) -> None:
    """What was agreed for a game holds for the next one."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    ended = await change_row(tables, number, status=Status.ENDED_EARLY)
    request = request_of_person(0)
    rematch = await tables.open_rematch(
        number,
        lambda other, seed, now: lobby.open_rematch(other, ended.game, ended, request, seed, now),
        request,
    )
    assert rematch.table.row.time_control == DAY_A_TURN


async def test_another_clock_needs_everybody(tables: Tables, clock: ManualClock) -> None:
    """The question outlasts moves; one no leaves the clock, all yes sets it with a whole turn."""
    number = await begin_timed_table(tables, DAY_A_TURN, seat_count=3)
    with pytest.raises(Refusal, match=r"Only the table's host \(Ava\) or an admin"):
        await change_as(tables, number, 1, time_controls.ask_for_time_control, control=TWO_DAYS_A_TURN)
    with pytest.raises(Refusal, match="that clock already"):
        await change_as(tables, number, 0, time_controls.ask_for_time_control, control=DAY_A_TURN)
    await change_as(tables, number, 0, time_controls.ask_for_time_control, control=TWO_DAYS_A_TURN)
    table = (await make_move(tables, number, random.Random(1))).table
    assert table.row.question is not None
    assert table.row.question.kind is QuestionKind.CLOCK
    assert question_post(table).text.count("2 days a turn") == 1
    table = (await answer_question(tables, number, request_of_person(1), is_yes=True)).table
    assert table.row.time_control == DAY_A_TURN
    table = (await answer_question(tables, number, request_of_person(2), is_yes=False)).table
    assert table.row.time_control == DAY_A_TURN
    await make_move(tables, number, random.Random(2))
    await change_as(tables, number, 0, time_controls.ask_for_time_control, control=TWO_DAYS_A_TURN)
    clock.now += HOUR
    await answer_question(tables, number, request_of_person(1), is_yes=True)
    table = (await answer_question(tables, number, request_of_person(2), is_yes=True)).table
    assert table.row.time_control == TWO_DAYS_A_TURN
    assert timer_of(table).deadline == int(clock()) + 2 * DAY
    assert table.row.question is None
    assert "2 days a turn" in (await notice_texts(tables, number))[-1]


async def test_a_declined_clock_is_asked_for_again_after_a_move(tables: Tables) -> None:
    """Also if what was asked for before the move, after it, is declined later."""
    number = await begin_timed_table(tables, DAY_A_TURN, seat_count=3)
    ask_for_clock = partial(time_controls.ask_for_time_control, control=TWO_DAYS_A_TURN)
    await change_as(tables, number, 0, ask_for_clock)
    await answer_question(tables, number, request_of_person(1), is_yes=False)
    await change_as(tables, number, 0, time_controls.ask_to_pause)
    with pytest.raises(Refusal):
        await change_as(tables, number, 0, ask_for_clock)
    await make_move(tables, number, random.Random(1))
    await answer_question(tables, number, request_of_person(1), is_yes=False)
    table = await change_as(tables, number, 0, ask_for_clock)
    assert table.row.question is not None
    assert table.row.question.kind is QuestionKind.CLOCK


@pytest.mark.parametrize(
    ("control", "bank", "seconds_left"), [(BANK_CONTROL, 3 * DAY, DAY // 2 + 3 * DAY), (None, 0, None)]
)
async def test_another_clock_keeps_what_was_missed(
    tables: Tables, clock: ManualClock, control: TimeControl | None, bank: int, seconds_left: int | None
) -> None:
    """Turns missed before are counted in the result, under whatever clock the game ends."""
    number = await begin_timed_table(
        tables, replace(DAY_A_TURN, on_timeout=TimeoutAction.REMIND, grace_seconds=0)
    )
    seat = timer_of(await tables.get(number)).seat
    clock.now += DAY
    await Housekeeping(tables).do_due_work_at_tables()
    await change_as(tables, number, 0, time_controls.ask_for_time_control, control=control)
    table = (await answer_question(tables, number, request_of_person(1), is_yes=True)).table
    assert table.row.time_control == control
    assert table.seats[seat].clock == SeatClock(bank_seconds=bank, missed_turn_count=1)
    assert timer_of(table).seconds_left == seconds_left
    assert not timer_of(table).missed, "under the new clock this turn has not been"


async def test_an_open_question_about_the_clock_bars_every_other_one(tables: Tables) -> None:
    """Until it is answered, also after a move, no other question can be asked."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    await change_as(tables, number, 0, time_controls.ask_for_time_control, control=TWO_DAYS_A_TURN)
    await make_move(tables, number, random.Random(3))
    with pytest.raises(Refusal, match="must be answered first"):
        await change_as(tables, number, 1, moderation.pause)


async def test_a_pause_that_all_agree_to_may_be_ended_by_every_player(
    tables: Tables, clock: ManualClock
) -> None:
    """A player asks, the others agree, no clock runs; any player resumes, a stranger does not."""
    number = await begin_timed_table(tables, DAY_A_TURN, seat_count=3)
    clock.now += HOUR
    await change_as(tables, number, 1, moderation.pause)
    table = (await answer_question(tables, number, request_of_person(0), is_yes=True)).table
    assert table.status is Status.PLAYING
    table = (await answer_question(tables, number, request_of_person(2), is_yes=True)).table
    assert table.status is Status.PAUSED
    assert timer_of(table).deadline is None
    clock.now += 20 * DAY
    await Housekeeping(tables).do_due_work_at_tables()
    with pytest.raises(Refusal):
        await change_as(tables, number, 5, moderation.resume)
    table = await change_as(tables, number, 2, moderation.resume)
    assert table.status is Status.PLAYING
    assert timer_of(table).deadline == int(clock()) + 23 * HOUR


async def test_a_pause_and_its_end_change_the_hand_that_asks_for_a_move(tables: Tables) -> None:
    """The private message of the player to act is sent anew; those of the others ask for nothing."""
    number = await begin_timed_table(tables, None, 4, KEY_OF_GAME_WITH_SECRETS)
    seat_to_act = (await tables.get(number)).to_act
    for decide in (moderation.pause, moderation.resume):
        for waiting in await tables.store.waiting_deliveries(number):
            await tables.store.mark_delivered(waiting, waiting.ply, None)
        await change_as(tables, number, 0, decide)
        slots = [each.slot for each in await tables.store.waiting_deliveries(number)]
        assert [each.seat for each in slots if each.kind is DeliveryKind.HAND] == [seat_to_act]


async def test_somebody_who_resigns_no_longer_asks_for_a_pause(tables: Tables) -> None:
    """The others are not asked any more, and the message says why; another clock is still asked for."""
    number = await begin_timed_table(tables, DAY_A_TURN, seat_count=5)
    assert (await change_as(tables, number, 1, moderation.pause)).row.question is not None
    table = await change_as(tables, number, 3, departures.resign, computer=DEFAULT_COMPUTER)
    assert table.row.question is not None, "another player's question stays"
    table = await change_as(tables, number, 1, departures.resign, computer=DEFAULT_COMPUTER)
    assert table.status is Status.PLAYING
    assert table.row.question is None
    deliveries = await tables.store.waiting_deliveries(number)
    texts = [each.text for each in deliveries if each.kind is DeliveryKind.QUESTION]
    assert texts == ["Ben resigned."]
    ask = time_controls.ask_for_time_control
    clock_question = (await change_as(tables, number, 0, ask, control=TWO_DAYS_A_TURN)).row.question
    table = await change_as(tables, number, 0, departures.resign, computer=DEFAULT_COMPUTER)
    assert clock_question is not None
    assert table.row.question == clock_question


async def test_somebody_who_does_not_play_asks_for_no_pause(tables: Tables) -> None:
    """Somebody who has resigned reads who may; for whom a computer player plays, how to play again."""
    number = await begin_timed_table(tables, DAY_A_TURN, seat_count=3)
    row = replace((await tables.get(number)).seats[1], substitute=DEFAULT_COMPUTER, substituted_since_index=0)
    table_of_absent = (await tables.get(number)).with_seat(1, row)
    with pytest.raises(Refusal, match="A computer player plays for you"):
        moderation.pause(table_of_absent, request_of_person(1))
    match = table_of_absent.match
    assert match is not None
    table_of_resigned = dataclasses.replace(table_of_absent, match=match.play(Seat(2), Resign()))
    with pytest.raises(Refusal, match="Only the table's host"):
        moderation.pause(table_of_resigned, request_of_person(2))


@pytest.mark.parametrize("status", [each for each in Status if each not in IN_PLAY])
async def test_only_a_game_that_goes_on_is_paused_or_gets_another_clock(
    tables: Tables, status: Status
) -> None:
    """Whether its host asks or another player; the clock of a lobby is chosen, not asked for."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    table = (await tables.get(number)).with_row(status=status)
    is_frozen = status is Status.FROZEN
    pause_texts = (
        "is frozen" if is_frozen else "only pause a game|nothing left to manage|Only the table's host"
    )
    for seat in (0, 1):
        with pytest.raises(Refusal, match=pause_texts):
            moderation.pause(table, request_of_person(seat))
        with pytest.raises(Refusal, match="is frozen" if is_frozen else "no game going on"):
            time_controls.ask_for_time_control(table, request_of_person(seat), TWO_DAYS_A_TURN)


@pytest.mark.parametrize("control", [DAY_A_TURN, None])
async def test_an_agreement_to_go_on_brings_a_new_board(
    tables: Tables, clock: ManualClock, control: TimeControl | None
) -> None:
    """It stands below a notice that the game goes on, and asks for the move in the time that was left."""
    number = await begin_timed_table(tables, control)
    clock.now += HOUR
    await change_row(tables, number, status=Status.PAUSED, needs_agreement_to_go_on=True)
    await change_as(tables, number, 0, moderation.resume)
    await answer_question(tables, number, request_of_person(0), is_yes=True)
    for waiting in await tables.store.waiting_deliveries(number):
        await tables.store.mark_delivered(waiting, waiting.ply, None)
    clock.now += HOUR
    table = (await answer_question(tables, number, request_of_person(1), is_yes=True)).table
    assert table.status is Status.PLAYING
    assert timer_of(table).deadline == (None if control is None else int(clock()) + DAY - HOUR)
    kinds = [each.kind for each in await tables.store.waiting_deliveries(number)]
    assert kinds.index(DeliveryKind.NOTICE) < kinds.index(DeliveryKind.BOARD)
    (text,) = await notice_texts(tables, number)
    assert text.endswith("The game goes on.")


async def test_a_pause_of_the_host_is_ended_by_the_host(tables: Tables) -> None:
    """What a moderator has paused, players do not resume."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    await change_row(tables, number, players_may_resume=True)  # as an earlier pause may leave it
    table = await change_as(tables, number, 0, moderation.pause)
    assert table.status is Status.PAUSED
    with pytest.raises(Refusal, match="Only the table's host"):
        await change_as(tables, number, 1, moderation.resume)


async def test_no_answer_is_a_no(tables: Tables, clock: ManualClock) -> None:
    """After a day the clock stays as it is."""
    number = await begin_timed_table(tables, None)
    await change_as(tables, number, 0, time_controls.ask_for_time_control, control=TWO_DAYS_A_TURN)
    clock.now += DAY
    await Housekeeping(tables).do_due_work_at_tables()
    table = await tables.get(number)
    assert table.row.time_control is None
    assert "The clock stays" in (await notice_texts(tables, number))[-1]
