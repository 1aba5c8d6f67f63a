"""Who is asked, and who is waited for, while a computer player plays for somebody."""

from functools import partial
from typing import Any, cast

import pytest
from msgspec.structs import replace

from bot.chat.component_press import ComponentPress
from bot.chat.components import CustomId
from bot.chat.handlers import handle_press
from bot.chat.question_posts import offer_post, question_post
from bot.chat.response import Response
from bot.host.deciders import (
    moderation,
    offer_answers,
    questions,
    seats,
    time_controls,
    timeouts,
    undoing,
    voting,
)
from bot.host.deciders.decision import question_delivery
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl, TimeoutAction, TurnStage
from bot.store.delivery_rows import DeliveryKind
from bot.store.question_rows import Question, QuestionKind
from bot.store.rows import Status
from bot.store.seat_rows import Person
from rules.model import Seat
from tests.bot.host.open_questions import question_of
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    RNG,
    ManualClock,
    begin,
    default_setup,
    give_seat_away,
    make_move,
    request_of_person,
)
from tests.bot.host.timed_tables import (
    begin_timed_table,
    change_as,
    change_row,
    delivery_texts,
    notice_texts,
    play_as_computer,
    play_until_turn_passes,
    timer_of,
)
from tests.bot.host.viewer_output import ResponseRecorder

OUTSIDER_USER, NEWCOMER_USER = 900, 901
DAY_WITHOUT_GRACE = TimeControl(turn_seconds=DAY, grace_seconds=0)


async def miss_turn(tables: Tables, clock: ManualClock, number: int) -> Seat:
    """Let the time of a turn pass, after which the computer player plays it; return whose turn it was."""
    seat = Seat(timer_of(await tables.get(number)).seat)
    clock.now = (timer_of(await tables.get(number)).deadline or 0) + 1
    await Housekeeping(tables).do_due_work_at_tables()
    assert (await tables.get(number)).seats[seat].playing_computer is not None
    await play_as_computer(tables, number, RNG)
    return seat


async def change_now(tables: Tables, clock: ManualClock, number: int, seat: int, decide: Any) -> None:
    """Send a seat's request at this time."""
    request = replace(request_of_person(seat), at=int(clock()))
    await tables.change(number, request, partial(decide, request=request))


def history_length_of(table: Table) -> int:
    """Return how many records count."""
    assert table.match is not None
    return len(table.match.history)


def users_of_seats(*seats: int) -> set[int]:
    """Return the users of seats."""
    return {FIRST_USER + seat for seat in seats}


async def test_what_a_computer_has_played_needs_no_absent_person(tables: Tables, clock: ManualClock) -> None:
    """A player whose seat was taken over is not asked; what was played before that still needs them."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    await play_until_turn_passes(tables, number, RNG)
    length_before = history_length_of(await tables.get(number))
    absent_seat = await miss_turn(tables, clock, number)
    for _ in range(2):
        await play_until_turn_passes(tables, number, RNG)
    table = await tables.get(number)
    assert table.row.seats[absent_seat].substituted_since_index == length_before
    asker, everybody = FIRST_USER + (absent_seat + 1) % 4, users_of_seats(0, 1, 2, 3)
    others = everybody - {asker}
    assert set(undoing.users_to_ask(table, length_before, asker)) == others - users_of_seats(absent_seat)
    assert set(undoing.users_to_ask(table, length_before - 1, asker)) == others, "they saw that move"
    table = await change_as(tables, number, absent_seat, timeouts.come_back)
    assert set(undoing.users_to_ask(table, length_before, asker)) == others, "they are back"


@pytest.mark.parametrize(
    ("seat_count", "asked_text"), [(2, "Ben. Ben must"), (4, "Ben, Chloé and Dimitri. All of them must")]
)
async def test_the_asker_reads_who_must_agree(tables: Tables, seat_count: int, asked_text: str) -> None:
    """By name if it is one person, else that all of them must."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], seat_count))
    await make_move(tables, number, RNG)
    decision = moderation.roll_back(await tables.get(number), request_of_person(0), 0)
    assert decision.answer.startswith(f"I have asked {asked_text} agree, or nothing changes.")


async def test_nobody_takes_back_alone_what_was_played_at_anothers_seat(
    tables: Tables, clock: ManualClock
) -> None:
    """The only other person is asked although a computer plays for them."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, game_key="currents")
    absent_seat = await miss_turn(tables, clock, number)
    table = await play_until_turn_passes(tables, number, RNG)
    assert undoing.users_to_ask(table, history_length_of(table), FIRST_USER + 1 - absent_seat) == (
        FIRST_USER + absent_seat,
    )


async def test_nobody_brings_a_friend_to_take_back_what_an_absent_person_missed(
    tables: Tables, clock: ManualClock
) -> None:
    """Neither a newcomer at a computer's seat nor an admin stands in for the only other person."""
    setup = default_setup(GAMES_AND_TOYS["currents"], 4)
    number = await begin(tables, setup, computer_count=2)
    await change_row(tables, number, time_control=DAY_WITHOUT_GRACE)
    kept_length = history_length_of(await tables.get(number))
    assert (await tables.get(number)).to_act in {0, 1}, "else a computer plays first"
    absent_seat = await miss_turn(tables, clock, number)
    remaining_user = FIRST_USER + 1 - absent_seat
    table = await tables.get(number)
    while table.to_act != 1 - absent_seat:
        table = await play_as_computer(tables, number, RNG)
    assert undoing.users_to_ask(table, kept_length, OUTSIDER_USER) == (FIRST_USER, FIRST_USER + 1), (
        "an admin asks"
    )
    await give_seat_away(tables, number, 3, Person(NEWCOMER_USER, "Fay"))
    table = await play_until_turn_passes(tables, number, RNG)
    assert set(undoing.users_to_ask(table, kept_length, remaining_user)) == {
        FIRST_USER + absent_seat,
        NEWCOMER_USER,
    }
    assert set(undoing.users_to_ask(table, history_length_of(table) - 1, remaining_user)) == {
        NEWCOMER_USER
    }, "Fay has played since"


async def test_a_computer_that_plays_one_turn_takes_no_say(tables: Tables, clock: ManualClock) -> None:
    """A player who missed a single turn is asked about it."""
    control = TimeControl(turn_seconds=DAY, grace_seconds=0, on_timeout=TimeoutAction.PLAY_TURN)
    number = await begin_timed_table(tables, control, seat_count=4, game_key="currents")
    length_before = history_length_of(await tables.get(number))
    absent_seat = await miss_turn(tables, clock, number)
    table = await tables.get(number)
    assert FIRST_USER + absent_seat in undoing.users_to_ask(
        table, length_before, FIRST_USER + (absent_seat + 1) % 4
    )


async def test_after_a_roll_back_the_computer_plays_from_there(tables: Tables, clock: ManualClock) -> None:
    """What it plays anew behind the moment at which it took over is not the person's either."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    kept_length = history_length_of(await tables.get(number))
    await play_until_turn_passes(tables, number, RNG)
    absent_seat = await miss_turn(tables, clock, number)
    await tables.change(
        number, None, lambda current: undoing.roll_back_to(current, "Ava", kept_length, "Agreed.")
    )
    assert (await tables.get(number)).seats[absent_seat].substituted_since_index == kept_length


async def test_a_question_waits_for_nobody_for_whom_a_computer_plays(
    tables: Tables, clock: ManualClock
) -> None:
    """A player whose seat is taken over after they were asked for a pause does not hold it up."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    seat_to_act = Seat(timer_of(await tables.get(number)).seat)
    asker, first_seat, second_seat = (Seat((seat_to_act + step) % 4) for step in (1, 2, 3))
    clock.now += 3600  # the question outlasts the turn
    await change_now(tables, clock, number, asker, time_controls.ask_to_pause)
    absent_seat = await miss_turn(tables, clock, number)
    table = await tables.get(number)
    question = question_of(table)
    assert question.kind is QuestionKind.PAUSE
    assert set(voting.users_still_to_agree(table, question)) == users_of_seats(first_seat, second_seat)
    assert FIRST_USER + absent_seat in question.asked_users
    agree = partial(voting.vote, question_id=question.id, is_yes=True)
    table = await change_as(tables, number, first_seat, agree)
    assert table.status is Status.PLAYING
    table = await change_as(tables, number, second_seat, agree)
    assert table.status is Status.PAUSED


@pytest.mark.parametrize("is_back_by_move", [False, True])
async def test_somebody_who_is_back_agrees_to_another_clock_too(
    tables: Tables, clock: ManualClock, *, is_back_by_move: bool
) -> None:
    """Nobody plays by a clock that was agreed on while a computer played for them, unless they agree."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    absent_seat = await miss_turn(tables, clock, number)
    asker, *others = (Seat((absent_seat + step) % 4) for step in (1, 2, 3))
    await change_row(tables, number, host=FIRST_USER + asker)
    faster_control = TimeControl(turn_seconds=3600, grace_seconds=0)
    ask = partial(time_controls.ask_for_time_control, control=faster_control)
    await change_now(tables, clock, number, asker, ask)
    question = question_of(await tables.get(number))
    assert set(question.asked_users) == users_of_seats(*others)
    newest_id = max(each.id for each in await tables.store.waiting_deliveries(number))
    if is_back_by_move:
        while (await tables.get(number)).to_act != absent_seat:
            await play_until_turn_passes(tables, number, RNG)
        await make_move(tables, number, RNG)
    else:
        await change_as(tables, number, absent_seat, timeouts.come_back)
    waiting = [each.slot for each in await tables.store.waiting_deliveries(number) if each.id > newest_id]
    assert question_delivery(question).slot in waiting, "its message names them"
    agree = partial(voting.vote, question_id=question.id, is_yes=True)
    for seat in others:
        table = await change_as(tables, number, seat, agree)
    assert table.row.time_control == DAY_WITHOUT_GRACE
    assert voting.users_still_to_agree(table, question) == (*question.asked_users, FIRST_USER + absent_seat)
    assert (await change_as(tables, number, absent_seat, agree)).row.time_control == faster_control


async def ask_and_agree_except(
    tables: Tables, clock: ManualClock, number: int, silent_seat: Seat
) -> Question:
    """Ask a table of four for a pause; all but one seat agree.  Return the question."""
    await change_now(tables, clock, number, (silent_seat + 1) % 4, time_controls.ask_to_pause)
    question = question_of(await tables.get(number))
    for step in (2, 3):
        agree = partial(voting.vote, question_id=question.id, is_yes=True)
        await change_as(tables, number, (silent_seat + step) % 4, agree)
    return question


async def test_silence_of_an_absent_person_is_no_refusal(tables: Tables, clock: ManualClock) -> None:
    """If all others agree before a computer player plays for them, the pause begins as the question ends."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    seat_to_act = Seat(timer_of(await tables.get(number)).seat)
    question = await ask_and_agree_except(tables, clock, number, seat_to_act)
    decision = voting.expire(await tables.get(number), question.due)
    assert decision is not None
    assert decision.table.status is Status.PLAYING, "a person who plays did not agree"
    substitution = timeouts.expire(await tables.get(number), {}, question.due + DAY, computer="casual")
    assert substitution is not None
    decision = voting.expire(substitution.table, question.due)
    assert decision is not None
    assert decision.table.status is Status.PAUSED


async def test_a_question_that_waits_for_nobody_says_so(tables: Tables, clock: ManualClock) -> None:
    """Once a computer plays for the only person who has not agreed, nobody reads that all must agree."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    seat_to_act = Seat(timer_of(await tables.get(number)).seat)
    clock.now += 3600  # the question outlasts the turn
    await ask_and_agree_except(tables, clock, number, seat_to_act)
    assert "All who are asked must agree, or nothing changes." in question_post(await tables.get(number)).text
    await miss_turn(tables, clock, number)
    with pytest.raises(Refusal, match=r"^You have already asked\. Nobody else needs to agree\. "):
        await change_now(tables, clock, number, (seat_to_act + 1) % 4, time_controls.ask_to_pause)
    text = question_post(await tables.get(number)).text
    assert "must agree" not in text
    assert "Nobody else needs to agree. Unless somebody declines, it is done when the question ends." in text


async def test_whoever_agrees_last_to_a_pause_can_end_it(tables: Tables, clock: ManualClock) -> None:
    """The answer that pauses the game has **Resume**, as the board may be far above; a first vote has not."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    await change_now(tables, clock, number, 1, time_controls.ask_to_pause)
    offered = []
    for seat in (0, 2, 3):
        table = await tables.get(number)
        assert table.row.question is not None
        custom_id = CustomId(number, table.row.ply, "agree", str(table.row.question.id))
        request = replace(request_of_person(seat), at=int(clock()))
        recorder = ResponseRecorder()
        await handle_press(ComponentPress(tables, cast("Response", recorder), custom_id, request))
        (answer,) = recorder.answers
        offered.append("'label': 'Resume'" in str(answer))
    assert offered == [False, False, True]
    notice = (await notice_texts(tables, number))[-1]
    assert notice.startswith("The game is paused. To go on, type `/table resume`"), (
        "its question says who agreed"
    )
    assert (await tables.get(number)).status is Status.PAUSED


async def test_a_paused_game_is_not_paused_again(tables: Tables, clock: ManualClock) -> None:
    """A pause that was asked for is needless once the host has paused: nothing waits for its question."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    seat_to_act = Seat(timer_of(await tables.get(number)).seat)
    await change_now(tables, clock, number, (seat_to_act + 1) % 4, time_controls.ask_to_pause)
    due = getattr((await tables.get(number)).row.question, "due", 0)
    admin_request = replace(
        request_of_person(0), user=OUTSIDER_USER, name="Ada", is_admin=True, at=int(clock())
    )
    await tables.change(number, None, partial(moderation.pause, request=admin_request))
    clock.now = due + 1
    await Housekeeping(tables).do_due_work_at_tables()
    assert (await tables.get(number)).row.question is None
    await tables.change(number, None, partial(moderation.resume, request=admin_request))
    await Housekeeping(tables).do_due_work_at_tables()
    assert (await tables.get(number)).status is Status.PLAYING


@pytest.mark.parametrize("kind", [QuestionKind.PAUSE, QuestionKind.ROLL_BACK])
async def test_nothing_says_that_a_paused_game_goes_on(
    tables: Tables, clock: ManualClock, kind: QuestionKind
) -> None:
    """What the host has paused stays paused when somebody then declines a pause or a roll-back."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    await play_until_turn_passes(tables, number, RNG)
    if kind is QuestionKind.PAUSE:
        await change_now(tables, clock, number, 1, time_controls.ask_to_pause)
    else:
        await change_now(tables, clock, number, 0, partial(moderation.roll_back, move_number=0))
    await change_now(tables, clock, number, 0, moderation.pause)
    question = question_of(await tables.get(number))
    decline = partial(voting.vote, question_id=question.id, is_yes=False)
    table = await change_as(tables, number, 3, decline)
    assert table.status is Status.PAUSED
    (newest_text,) = await delivery_texts(tables, number, DeliveryKind.QUESTION)
    assert newest_text.startswith(f"{table.names[3]} declined. The game ")
    assert "goes on" not in newest_text
    assert "paused" in newest_text


async def test_an_absent_person_is_asked_where_secrets_may_be_known(
    tables: Tables, clock: ManualClock
) -> None:
    """Whether a restored game goes on is everybody's question."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    absent_seat = await miss_turn(tables, clock, number)
    question = questions.go_on_question(await tables.get(number), int(clock()))
    assert FIRST_USER + absent_seat in question.asked_users


async def test_an_agreement_leaves_no_game_to_substitutes(tables: Tables, clock: ManualClock) -> None:
    """Where computers play for all who are left, their yes is not enough: one of them comes back first."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    absent_seat = await miss_turn(tables, clock, number)
    for seat in {0, 1, 2, 3} - {absent_seat}:
        await give_seat_away(tables, number, seat, None)
    await change_row(tables, number, needs_agreement_to_go_on=True)
    question = question_of(await change_as(tables, number, absent_seat, moderation.resume))
    agree = partial(voting.vote, question_id=question.id, is_yes=True)
    table = await change_as(tables, number, absent_seat, agree)
    assert table.status is Status.PAUSED
    assert (await notice_texts(tables, number))[-1].endswith("below to come back and go on.")
    table = await change_as(tables, number, absent_seat, moderation.resume)
    assert table.status is Status.PLAYING
    assert timeouts.playing_users(table) == (FIRST_USER + absent_seat,)


async def test_an_agreement_leaves_nobody_late_alone(tables: Tables, clock: ManualClock) -> None:
    """If only somebody is left whose time is over, a game that goes on gives them a whole turn."""
    control = TimeControl(turn_seconds=DAY, grace_seconds=0, on_timeout=TimeoutAction.ALLOW_SUBSTITUTE)
    number = await begin_timed_table(tables, control, game_key="currents")
    late_seat = timer_of(await tables.get(number)).seat
    clock.now += DAY
    await Housekeeping(tables).do_due_work_at_tables()
    assert timer_of(await tables.get(number)).stage is TurnStage.SUBSTITUTE_ALLOWED
    await change_row(tables, number, host=OUTSIDER_USER, status=Status.PAUSED, needs_agreement_to_go_on=True)
    await give_seat_away(tables, number, 1 - late_seat, None)
    host_request = replace(request_of_person(0), user=OUTSIDER_USER, at=int(clock()))
    result = await tables.change(number, host_request, partial(moderation.resume, request=host_request))
    question = question_of(result.table)
    table = await change_as(tables, number, late_seat, voting.vote, question_id=question.id, is_yes=True)
    assert table.status is Status.PLAYING
    timer = timer_of(table)
    assert (timer.stage, timer.deadline) == (TurnStage.RUNNING, clock() + DAY)


async def test_an_offer_mentions_nobody_for_whom_a_computer_plays(tables: Tables, clock: ManualClock) -> None:
    """They are not asked to object, but may: it is still their game."""
    number = await begin_timed_table(tables, DAY_WITHOUT_GRACE, seat_count=4, game_key="currents")
    absent_seat = await miss_turn(tables, clock, number)
    offered_seat, *others = (Seat((absent_seat + step) % 4) for step in (1, 2, 3))
    admin_request = replace(
        request_of_person(0), user=OUTSIDER_USER, name="Ada", is_admin=True, guild=GUILD, at=int(clock())
    )
    table = seats.offer_to_anybody(await tables.get(number), admin_request, offered_seat).table
    assert set(offer_post(table, offered_seat).notified_users) == users_of_seats(offered_seat, *others)
    offer = table.seats[offered_seat].offer
    assert offer is not None
    table_after = offer_answers.decline_offer(
        table, request_of_person(absent_seat), offered_seat, offer.id
    ).table
    assert table_after.seats[offered_seat].offer is None
