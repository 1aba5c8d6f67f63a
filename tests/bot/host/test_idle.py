"""A game in which nobody moves is asked about after 30 days, and ends if nobody answers."""

from functools import partial

import pytest
from msgspec.structs import replace

from bot.host.deciders import departures, moderation, time_controls, voting
from bot.host.deciders.decision import Decision
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.table import IN_PLAY
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl
from bot.store.delivery_rows import DeliveryKind
from bot.store.question_rows import QuestionKind
from bot.store.rows import IDLE_SECONDS, Status
from tests.bot.host.open_questions import answer_question, question_of
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    RNG,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.timed_tables import change_row


async def wait_days(tables: Tables, clock: ManualClock, days: float) -> None:
    """Let days pass, and let the bot do what is due."""
    clock.now += days * DAY
    await Housekeeping(tables).do_due_work_at_tables()


async def test_a_quiet_game_is_asked_about_then_ends(tables: Tables, clock: ManualClock, number: int) -> None:
    """After 30 days the players are asked once; after a week without an answer the game has ended."""
    await wait_days(tables, clock, 29)
    assert (await tables.get(number)).row.question is None
    await wait_days(tables, clock, 2)
    question = question_of(await tables.get(number))
    assert question.kind is QuestionKind.KEEP_OPEN
    assert len(question.asked_users) == 4
    await wait_days(tables, clock, 6)
    assert (await tables.get(number)).status is Status.PLAYING
    await wait_days(tables, clock, 2)
    table = await tables.get(number)
    assert table.status is Status.ENDED_EARLY
    waiting = await tables.store.waiting_deliveries(number)
    texts = [each.text for each in waiting if each.kind is DeliveryKind.NOTICE]
    ended = (
        "Nobody has moved for 30 days and nobody wanted to go on, so this game has ended without a result."
    )
    assert any(text.startswith(f"{ended}\n-# Seed:") for text in texts)
    assert await tables.store.results_of_user(FIRST_USER) == ()


@pytest.mark.parametrize("sign", ["move", "press"])
async def test_one_sign_of_life_keeps_a_game_open(
    tables: Tables, clock: ManualClock, number: int, sign: str
) -> None:
    """A move or one press of **Keep it open** gives the game another 30 days."""
    await wait_days(tables, clock, 31)
    assert (await tables.get(number)).row.question is not None
    if sign == "move":
        await make_move(tables, number, RNG)
    else:
        request = replace(request_of_person(2), at=int(clock.now))
        await answer_question(tables, number, request, is_yes=True)
    assert (await tables.get(number)).row.question is None
    await wait_days(tables, clock, 29)
    assert (await tables.get(number)).row.question is None
    await wait_days(tables, clock, 2)
    assert (await tables.get(number)).row.question is not None


async def test_a_game_that_was_resumed_stays_open(tables: Tables, clock: ManualClock, number: int) -> None:
    """Resuming or pausing the game while the players are asked counts as an answer."""
    for act in (moderation.pause, moderation.resume):
        await wait_days(tables, clock, 31)
        assert (await tables.get(number)).row.question is not None
        request = replace(request_of_person(0), at=int(clock.now))
        await tables.change(number, request, partial(act, request=request))
        assert (await tables.get(number)).row.question is None
        await wait_days(tables, clock, 8)
        assert (await tables.get(number)).status in IN_PLAY


async def test_the_bot_is_named_as_the_asker(tables: Tables, clock: ManualClock, number: int) -> None:
    """While it is open, refusals say that it must be answered first, and that the bot has asked it."""
    await tables.change(number, request_of_person(0), partial(moderation.pause, request=request_of_person(0)))
    await tables.change(
        number, None, lambda table: Decision(table=table.with_row(needs_agreement_to_go_on=True), answer="")
    )
    await wait_days(tables, clock, 31)
    request = replace(request_of_person(0), at=int(clock.now))
    with pytest.raises(Refusal, match="another question"):
        await tables.change(number, request, partial(moderation.resume, request=request))
    ask = partial(time_controls.ask_for_time_control, request=request, control=TimeControl(turn_seconds=DAY))
    with pytest.raises(Refusal, match="I have asked the players a question"):
        await tables.change(number, request, ask)


async def test_a_paused_game_ends_too(tables: Tables, clock: ManualClock, number: int) -> None:
    """A pause does not keep a game for ever; a frozen game waits for the operator."""
    frozen_number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 4))
    await tables.change(frozen_number, None, partial(moderation.freeze, reason="Testing."))
    await tables.change(number, request_of_person(0), partial(moderation.pause, request=request_of_person(0)))
    await wait_days(tables, clock, 31)
    await wait_days(tables, clock, 8)
    assert (await tables.get(number)).status is Status.ENDED_EARLY
    assert (await tables.get(frozen_number)).status is Status.FROZEN


async def test_a_game_without_people_ends_unasked(tables: Tables, clock: ManualClock) -> None:
    """Where all people have resigned nobody is asked, and the notice does not say that somebody was."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 4), computer_count=2)
    for seat in (0, 1):
        resign = partial(departures.resign, request=request_of_person(seat), computer="random")
        await tables.change(number, request_of_person(seat), resign)
    assert (await tables.get(number)).status is Status.ENDED_EARLY
    await change_row(tables, number, status=Status.PAUSED)  # as if it had not ended by itself
    await wait_days(tables, clock, 31)
    assert (await tables.get(number)).status is Status.ENDED_EARLY
    waiting = await tables.store.waiting_deliveries(number)
    texts = [each.text for each in waiting if each.kind is DeliveryKind.NOTICE]
    ended = "no person is left to play, so this game has ended without a result."
    assert any(ended in text for text in texts)
    assert not any("wanted to go on" in text for text in texts)


async def test_an_answer_after_the_end_is_refused(tables: Tables, clock: ManualClock, number: int) -> None:
    """The button of a game that has ended says so."""
    await wait_days(tables, clock, 31)
    question = question_of(await tables.get(number))
    await wait_days(tables, clock, 8)
    vote = partial(voting.vote, request=request_of_person(1), question_id=question.id, is_yes=True)
    with pytest.raises(Refusal, match="has been answered"):
        await tables.change(number, request_of_person(1), vote)


async def test_the_time_survives_a_restart(tables: Tables, clock: ManualClock, number: int) -> None:
    """When somebody last moved is stored."""
    clock.now += 3 * DAY
    await make_move(tables, number, RNG)
    stored = await tables.store.load(number)
    assert stored is not None
    assert stored.row.active_at == int(clock.now)
    assert stored.row.idle_due == int(clock.now) + IDLE_SECONDS
