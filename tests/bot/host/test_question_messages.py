"""The messages of questions to players: edited while answers are missing, without buttons once settled."""

import random
from functools import partial
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from bot import limits
from bot.chat import question_posts
from bot.host.deciders import moderation, own_undo, time_controls, timeouts, voting
from bot.host.deciders.decision import Decision
from bot.host.housekeeping import Housekeeping
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.results import UnratedReason
from bot.store.rows import IDLE_SECONDS, Status
from rules.model import Seat
from rules.narration import narration
from rules.record import LogLine
from rules.text import counted
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import labels, stub_board_pictures
from tests.bot.host.open_questions import answer_question, question_of
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
    request_of_user,
)
from tests.bot.host.scripted_courier import run_outbox
from tests.bot.host.timed_tables import change_row


@pytest.fixture
async def chat_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> ChatTable:
    """Return a table of four people whose first messages have arrived."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 4)))
    await chat_table.send_all()
    return chat_table


def test_a_settled_question_fits_with_its_outcome() -> None:
    """However long the moves are that it quotes, the outcome stands below them."""
    text = "Ava asks for an undo.\n" + "\n".join(f"> {'x' * 320}" for _ in range(6))
    settled = question_posts.settled_text(text, "Ben declined. The last move stands.\nThe game goes on." * 3)
    assert len(settled) <= limits.CONTENT
    assert settled.startswith("Ava asks for an undo.\n> x")
    assert settled.endswith("\nThe game goes on.")


@pytest.mark.parametrize("key", GAMES_AND_TOYS)
def test_a_question_says_how_much_it_does_not_quote(key: str) -> None:
    """What an undo takes back is quoted whole, or the last line counts the lines that are left out."""
    for table in sample_tables(key, 3, random.Random(key)):
        lines = [text for line in table.log_lines(0) for text in line.text.splitlines()]
        taken_back = question_posts.quote_taken_back(table, 0)
        quoted = [line.removeprefix("> ") for line in taken_back.lines]
        if quoted != lines:
            *shown, last = quoted
            assert shown == lines[: len(shown)]
            assert last == f"… and {counted(len(lines) - len(shown), 'more line')}"
        button_count = len(question_posts.all_moves_buttons(table, taken_back))
        assert button_count == (quoted != lines), "what is left out can be read"


def test_a_question_quotes_few_long_lines() -> None:
    """What it quotes leaves room below, however long each line is."""
    log_lines = [LogLine(i, Seat(0), narration(["x" * 300])) for i in range(9)]
    table = cast("Table", SimpleNamespace(log_lines=lambda _: log_lines))
    assert question_posts.quote_taken_back(table, 0).lines == [
        *[f"> {'x' * 300}"] * 3,
        "> … and six more lines",
    ]


async def test_a_question_says_its_rule_below_long_moves(
    chat_table: ChatTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the moves are that it quotes, what follows an answer, or none, stands below them."""
    await make_move(chat_table.tables, chat_table.number, random.Random(7))
    admin_request = request_of_user(900, "Mia", is_admin=True)
    decide = partial(moderation.roll_back, request=admin_request, move_number=0)
    table = (await chat_table.tables.change(chat_table.number, admin_request, decide)).table
    long_quote = question_posts.TakenBackQuote([f"> {'x' * 320}"] * 7, is_shortened=False)
    monkeypatch.setattr(question_posts, "quote_taken_back", lambda *_, **__: long_quote)
    text = question_posts.question_post(table).text
    assert len(text) <= limits.CONTENT
    assert text.splitlines()[-1].startswith(
        "-# All who are asked must agree, or nothing changes. The question"
    )
    assert text.endswith(":R>.")


async def test_a_question_names_who_is_missing(chat_table: ChatTable) -> None:
    """Somebody who has agreed is not asked any more; once all have, the question is settled."""
    rng = random.Random(7)
    for _ in range(8):
        await make_move(chat_table.tables, chat_table.number, rng)
    await chat_table.send_all()
    admin_request = request_of_user(900, "Mia", is_admin=True)
    await chat_table.tables.change(
        chat_table.number, admin_request, partial(moderation.roll_back, request=admin_request, move_number=1)
    )
    await chat_table.send_all()
    message = chat_table.newest_message()
    assert "Mia (admin, no seat) asks to roll the game back to move 1." in message.content
    question = question_of(await chat_table.tables.get(chat_table.number))
    assert len(question.asked_users) == 4
    for seat in range(4):
        assert chat_table.newest_message() is message
        assert [user for user in question.asked_users if f"<@{user}>" in message.content] == [
            FIRST_USER + missing for missing in range(seat, 4)
        ]
        request = request_of_person(seat)
        await answer_question(chat_table.tables, chat_table.number, request, is_yes=True)
        await chat_table.send_all()
    assert labels(message) == []
    head, *rest = message.content.splitlines()
    assert head.endswith(" · Mia (admin, no seat) asks to roll the game back to move 1.")
    assert rest[-1] == "Ava, Ben, Chloé and Dimitri agreed."
    assert all(line.startswith("> ") for line in rest[:-1])
    notice_text = "Mia (admin, no seat) rolled the game back to move 1. Ava, Ben, Chloé and Dimitri agreed."
    assert any(notice_text in each.content for each in chat_table.chat.public_messages())


@pytest.mark.parametrize("is_rated", [True, False])
async def test_a_roll_back_says_that_the_game_is_not_rated(tables: Tables, *, is_rated: bool) -> None:
    """The asker, all who are asked and everybody afterwards read it, unless it was not rated before."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS["currents"], 2))
    for _ in range(4):
        await make_move(tables, number, random.Random(7))
    if not is_rated:
        await change_row(tables, number, unrated_reason=UnratedReason.THAWED)
    host_request, other_request = request_of_person(0), request_of_person(1)
    asking_result = await tables.change(
        number, host_request, partial(moderation.roll_back, request=host_request, move_number=1)
    )
    agreeing_result = await answer_question(tables, number, other_request, is_yes=True)
    texts = (
        asking_result.answer,
        question_posts.question_post(asking_result.table).text.replace("**", ""),
        agreeing_result.answer,
    )
    assert ["this game is not rated." in text.lower() for text in texts] == [is_rated] * 3


@pytest.mark.parametrize("kind", ["roll back", "pause"])
async def test_a_question_says_whether_a_move_ends_it(chat_table: ChatTable, kind: str) -> None:
    """Its message and the asker's answer say so of a roll-back, and not of a pause, which outlasts it."""
    rng = random.Random(7)
    for _ in range(8):
        await make_move(chat_table.tables, chat_table.number, rng)
    request = request_of_person(0 if kind == "roll back" else 3)
    decide = partial(moderation.roll_back, move_number=1) if kind == "roll back" else moderation.pause
    result = await chat_table.tables.change(chat_table.number, request, partial(decide, request=request))
    await chat_table.send_all()
    question_message = chat_table.newest_message()
    texts = (question_message.content, result.answer)
    assert all(("ends when somebody moves, or else <t:" in text) == (kind == "roll back") for text in texts)
    await make_move(chat_table.tables, chat_table.number, rng)
    await chat_table.send_all()
    assert bool(labels(question_message)) == (kind == "pause")


@pytest.mark.parametrize("is_followed", [False, True])
async def test_an_undo_tells_of_later_moves_where_there_are_any(tables: Tables, *, is_followed: bool) -> None:
    """A move that ended a turn and revealed a card is taken back alone until somebody else has moved."""
    number, rng = await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 2)), random.Random(7)
    question = seat = None
    while question is None:
        seat = (table := await tables.get(number)).to_act
        assert seat is not None
        while table.to_act == seat:
            table = (await make_move(tables, number, rng)).table
        if is_followed:
            table = (await make_move(tables, number, rng)).table
        question = own_undo.undo(table, request_of_person(seat)).table.row.question
    assert seat is not None
    request = request_of_person(seat)
    question = (
        await tables.change(number, request, partial(own_undo.undo, request=request))
    ).table.row.question
    assert question is not None
    request = request_of_person(1 - seat)
    answer = (await answer_question(tables, number, request, is_yes=True)).answer
    assert answer.endswith("last move and all moves after it are taken back.") == is_followed
    assert answer.endswith("last move is taken back.") != is_followed


@pytest.mark.parametrize("is_yes", [True, False])
async def test_a_settled_question_addresses_nobody(chat_table: ChatTable, *, is_yes: bool) -> None:
    """Its message says what was asked and what came of it: it neither names nor asks who should answer."""
    request = request_of_person(3)
    await chat_table.tables.change(chat_table.number, request, partial(moderation.pause, request=request))
    await chat_table.send_all()
    message = chat_table.newest_message()
    assert set(message.raw_mentions) == {FIRST_USER + seat for seat in (0, 1, 2)}
    assert message.content.splitlines()[1].endswith("<@102>, do you agree?")
    for seat in (0, 1, 2) if is_yes else (1,):
        request = request_of_person(seat)
        await answer_question(chat_table.tables, chat_table.number, request, is_yes=is_yes)
    await chat_table.send_all()
    rule = "In a pause nobody can play and no clock runs, until a player resumes."
    assert message.content.splitlines() == [
        f"**Currents · No. {chat_table.number}** · Dimitri asks for a pause. {rule}",
        "Ava, Ben and Chloé agreed." if is_yes else "Ben declined. The game goes on.",
    ]


async def _ask_for_undo(chat_table: ChatTable) -> Seat:
    """Play until somebody may only undo if the others agree; let them ask, and return their seat."""
    rng, tables, number = random.Random(4), chat_table.tables, chat_table.number
    table, seat = await tables.get(number), Seat(0)
    while table.row.question is None:
        assert table.to_act is not None
        seat = table.to_act
        while table.to_act == seat:
            await make_move(tables, number, rng)
            table = await tables.get(number)
        await make_move(tables, number, rng)
        request = request_of_person(seat)
        table = (await tables.change(number, request, partial(own_undo.undo, request=request))).table
    await chat_table.send_all()
    return seat


async def _answer_question(chat_table: ChatTable, *, is_yes: bool) -> None:
    """Let all who are asked agree, or the first one decline."""
    question = question_of(await chat_table.tables.get(chat_table.number))
    for user in question.asked_users if is_yes else question.asked_users[:1]:
        request = request_of_user(user)
        await answer_question(chat_table.tables, chat_table.number, request, is_yes=is_yes)


async def test_a_deleted_question_leaves_word_who_agreed_to_an_undo(chat_table: ChatTable) -> None:
    """One new message says it, also if Discord's answer to its post was lost."""
    await _ask_for_undo(chat_table)
    await chat_table.newest_message().delete()
    await _answer_question(chat_table, is_yes=True)
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "after_post" and " agreed. " in message.content else None
    )
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.send_all_without_nonces()
    (text,) = [each.content for each in chat_table.chat.public_messages() if " agreed. " in each.content]
    assert text.startswith(f"**Currents · No. {chat_table.number}** · ")
    assert text.endswith("taken back.")
    assert text.count(" agreed. ") == 1


@pytest.mark.parametrize("is_after_agreed_undo", [False, True])
async def test_a_deleted_question_that_was_declined_leaves_no_word(
    chat_table: ChatTable, *, is_after_agreed_undo: bool
) -> None:
    """Nothing has changed, and whoever deleted the question wanted it gone."""
    seat = await _ask_for_undo(chat_table)
    if is_after_agreed_undo:
        await _answer_question(chat_table, is_yes=True)
        request = request_of_person(seat)
        ask_to_pause = partial(time_controls.ask_to_pause, request=request)
        await chat_table.tables.change(chat_table.number, request, ask_to_pause)
        await chat_table.send_all()
    await chat_table.newest_message().delete()
    await _answer_question(chat_table, is_yes=False)
    message_count = len(chat_table.chat.public_messages())
    await chat_table.send_all()
    assert len(chat_table.chat.public_messages()) == message_count


@pytest.mark.parametrize("is_yes", [True, False])
async def test_only_the_question_says_who_answered_an_undo(chat_table: ChatTable, *, is_yes: bool) -> None:
    """What follows stands beside who agreed or declined, and in no other message."""
    seat = await _ask_for_undo(chat_table)
    table, message = await chat_table.tables.get(chat_table.number), chat_table.newest_message()
    await _answer_question(chat_table, is_yes=is_yes)
    await chat_table.send_all()
    messages = chat_table.chat.public_messages()
    notices = [each.content for each in messages[-2:] if "asks" not in each.content]
    assert not any("are taken back" in each.content for each in messages if each is not message)
    if is_yes:
        outcome = f" agreed. {table.names[seat]}'s last move and all moves after it are taken back."
        assert message.content.endswith(outcome)
    else:
        assert message.content.endswith(" declined. The last move stands.")
        assert not any("stands" in text or "declined" in text for text in notices)


@pytest.mark.parametrize("answer", ["declined", "withdrew the question", "did not answer in time"])
@pytest.mark.parametrize("has_moved", [False, True])
async def test_the_end_of_a_question_is_told_below_it_only_where_it_may_be_overlooked(
    chat_table: ChatTable, answer: str, *, has_moved: bool
) -> None:
    """A second message says what follows if somebody has moved since then, or if nobody answered."""
    tables, number = chat_table.tables, chat_table.number
    seat = (await tables.get(number)).to_act
    assert seat is not None
    request = request_of_person((seat + 1) % 4)
    table = (await tables.change(number, request, partial(time_controls.ask_to_pause, request=request))).table
    question = question_of(table)
    await chat_table.send_all()
    message = chat_table.newest_message()
    if has_moved:
        await make_move(tables, number, random.Random(4))
    if answer == "did not answer in time":
        chat_table.clock.now = question.due
        await Housekeeping(tables).do_due_work_at_tables()
    else:
        voter = request_of_person((seat + (1 if answer == "withdrew the question" else 2)) % 4)
        await answer_question(tables, number, voter, is_yes=False)
    await chat_table.send_all()
    outcome = f" {answer}. The game goes on."
    outcomes = [each for each in chat_table.chat.public_messages() if each.content.endswith(outcome)]
    assert len(outcomes) == 1
    is_told_below = outcomes != [message]
    assert is_told_below == (has_moved or answer == "did not answer in time")
    assert not is_told_below or message.content.endswith(f" {answer}.")


async def test_somebody_who_asks_a_question_may_withdraw_it(chat_table: ChatTable) -> None:
    """Pressing **Withdraw** at one's own question ends it without a change; nobody else can do so."""
    pause_request, vote_request, withdraw_request = (request_of_person(3) for _ in range(3))
    await chat_table.tables.change(
        chat_table.number, pause_request, partial(moderation.pause, request=pause_request)
    )
    question = question_of(await chat_table.tables.get(chat_table.number))
    vote = partial(voting.vote, question_id=question.id)
    with pytest.raises(Refusal, match="Only the people who are asked"):
        await chat_table.tables.change(
            chat_table.number, vote_request, partial(vote, request=vote_request, is_yes=True)
        )
    with pytest.raises(Refusal, match="Only the one who asked"):
        voting.withdraw(await chat_table.tables.get(chat_table.number), request_of_person(1), question.id)
    await chat_table.send_all()
    question_message = next(
        each for each in chat_table.chat.public_messages() if "asks for a pause" in each.content
    )
    assert labels(question_message) == ["Agree", "Decline", "Withdraw"]
    withdraw = partial(voting.withdraw, request=withdraw_request, question_id=question.id)
    result = await chat_table.tables.change(chat_table.number, withdraw_request, withdraw)
    with pytest.raises(Refusal, match="has been answered"):
        voting.withdraw(await chat_table.tables.get(chat_table.number), request_of_person(1), question.id)
    assert "You withdrew the question." in str(result)
    await chat_table.send_all()
    table = await chat_table.tables.get(chat_table.number)
    assert table.status is Status.PLAYING
    assert any(
        "Dimitri withdrew the question. The game goes on." in each.content
        for each in chat_table.chat.public_messages()
    )
    assert all("Withdraw" not in labels(each) for each in chat_table.chat.public_messages())
    with pytest.raises(
        Refusal, match=r"^You asked for a pause and withdrew the question\. The game goes on\."
    ):
        moderation.pause(table, pause_request)
    with pytest.raises(Refusal, match=r"^This game is not paused\.$"):
        moderation.resume(table, pause_request)


async def test_a_question_names_nobody_for_whom_a_computer_plays(chat_table: ChatTable) -> None:
    """It waits for them no longer, and for them again once they are back: its message is edited."""
    request = request_of_person(3)
    await chat_table.tables.change(chat_table.number, request, partial(moderation.pause, request=request))
    await chat_table.send_all()
    message, count = chat_table.newest_message(), len(chat_table.chat.public_messages())
    to_act = (await chat_table.tables.get(chat_table.number)).to_act
    absent_seat = next(seat for seat in range(3) if seat != to_act)

    def substitute_absent_player(table: Table) -> Decision:
        row = msgspec.structs.replace(
            table.seats[absent_seat], substitute="random", substituted_since_index=0
        )
        return Decision(table=table.with_seat(absent_seat, row), answer="")

    await chat_table.tables.change(chat_table.number, None, substitute_absent_player)
    await chat_table.send_all()
    named = [seat for seat in range(4) if f"<@{FIRST_USER + seat}>" in message.content]
    assert named == [seat for seat in range(3) if seat != absent_seat]
    await chat_table.tables.change(
        chat_table.number,
        request_of_person(absent_seat),
        partial(timeouts.come_back, request=request_of_person(absent_seat)),
    )
    await chat_table.send_all()
    assert all(f"<@{FIRST_USER + seat}>" in message.content for seat in range(3))
    assert len(chat_table.chat.public_messages()) == count + 1, "the notice of the return alone is posted"


async def test_a_question_says_that_all_must_agree_once_there_are_several(chat_table: ChatTable) -> None:
    """One person was asked; when another is back, a yes of one of the two changes nothing."""

    def substitute_two_players(table: Table) -> Decision:
        for seat in (1, 2):
            row = msgspec.structs.replace(table.seats[seat], substitute="random", substituted_since_index=0)
            table = table.with_seat(seat, row)
        return Decision(table=table, answer="")

    await chat_table.tables.change(chat_table.number, None, substitute_two_players)
    request, return_request = request_of_person(3), request_of_person(1)
    await chat_table.tables.change(chat_table.number, request, partial(moderation.pause, request=request))
    await chat_table.send_all()
    message = chat_table.newest_message()
    assert "-# Without a yes nothing changes." in message.content
    await chat_table.tables.change(
        chat_table.number, return_request, partial(timeouts.come_back, request=return_request)
    )
    await chat_table.send_all()
    assert all(f"<@{FIRST_USER + seat}>" in message.content for seat in (0, 1))
    assert "-# All who are asked must agree, or nothing changes." in message.content


async def test_a_game_that_is_kept_open_asks_nobody_any_more(chat_table: ChatTable) -> None:
    """One answer is enough: the message then addresses none of the others."""
    chat_table.clock.now += IDLE_SECONDS
    await Housekeeping(chat_table.tables).do_due_work_at_tables()
    await chat_table.send_all()
    message = chat_table.newest_message()
    assert message.content.splitlines()[1].endswith("<@103>, do you still play?")
    await answer_question(chat_table.tables, chat_table.number, request_of_person(1), is_yes=True)
    await chat_table.send_all()
    assert message.content.splitlines() == [
        f"**Currents · No. {chat_table.number}** · Nobody has moved here for 30 days.",
        "Ben still plays.",
    ]
