"""The messages of turns that were taken back: corrected, reused or left, and true after lost answers."""

from functools import partial

import pytest

from bot.error_codes import ErrorCode
from bot.host import game_calls
from bot.host.courier_protocol import NONCE_MEMORY
from bot.host.deciders import own_undo, voting
from bot.host.deciders.own_undo import MAX_UNDOS_WITHOUT_CONSENT
from bot.host.deciders.voting import users_still_to_agree
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.rows import UndosWithoutConsent
from rules.catalogue import GAMES
from rules.model import Seat
from rules.record import Record
from tests.bot.host.chat_table import CURRENTS_FOR_TWO, ChatTable, is_turn_message
from tests.bot.host.fake_chat import http_error, stub_board_pictures
from tests.bot.host.hindsight import play_until_hindsight
from tests.bot.host.playing import (
    FIRST_USER,
    RNG,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.scripted_courier import run_outbox
from tests.bot.host.timed_tables import change_as

NEW_CHANNEL = 88
UNDONE_TEXT = "This turn was taken back."
OLD_BOARD_TEXT = "The newer board is below."


@pytest.fixture
async def chat_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> ChatTable:
    """Return a table whose first messages have arrived."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    await chat_table.send_all()
    return chat_table


@pytest.mark.parametrize("is_edited_at_once", [True, False])
@pytest.mark.parametrize("is_played_again", [True, False])
async def test_a_turn_is_corrected_once_its_old_message_can_be_edited(
    chat_table: ChatTable, *, is_edited_at_once: bool, is_played_again: bool
) -> None:
    """Discord limits the edits of old messages: one that had to wait says in the end what was taken back."""
    old_board, kept_length = chat_table.board(), await chat_table.history_length()
    chat_table.chat.fault_of_call = lambda action, _: (
        http_error(0, 503) if action == "edit" and not is_edited_at_once else None
    )
    await chat_table.play_turn()
    await run_outbox(chat_table.outbox, chat_table.number)
    refusals = [http_error(ErrorCode.TOO_MANY_OLD_EDITS, 429)]
    chat_table.chat.fault_of_call = lambda action, each: (
        refusals.pop() if refusals and (action, each) == ("edit", old_board) else None
    )
    await chat_table.roll_back(kept_length)
    if is_played_again:
        await chat_table.play_turn()
    await chat_table.send_all()
    assert not refusals
    assert old_board.content.endswith(UNDONE_TEXT)
    assert old_board.components == []
    assert len(chat_table.turn_messages()) == is_played_again


async def test_a_long_roll_back_leaves_no_old_message_to_reuse(
    chat_table: ChatTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn that is played again gets a post of its own, also where the old one was not corrected yet."""
    monkeypatch.setattr("bot.host.table_turns.MAX_CORRECTED_TURNS", 4)
    kept_length = await chat_table.history_length()
    for _ in range(4 + 4):
        await chat_table.play_turn()
        await chat_table.send_all()
    old_ids = [message.id for message in chat_table.turn_messages()]
    await chat_table.roll_back(kept_length)
    await chat_table.send_all()
    assert [message.id for message in chat_table.turn_messages()] == old_ids[:4], (
        "only the newest are corrected at once"
    )
    await chat_table.play_turn()
    await chat_table.send_all()
    assert chat_table.chat.messages[old_ids[0]].content.endswith(UNDONE_TEXT)
    assert max(message.id for message in chat_table.turn_messages()) > old_ids[-1]
    assert chat_table.board().id == chat_table.newest_message().id


async def test_an_undo_before_a_turns_message_was_edited(chat_table: ChatTable) -> None:
    """A turn that is taken back before its message tells it leaves nothing, however often it is played."""
    for _ in range(3):
        chat_table.chat.fault_of_call = lambda action, _: http_error(0, 503) if action == "edit" else None
        kept_length = await chat_table.history_length()
        await chat_table.play_turn()
        await run_outbox(chat_table.outbox, chat_table.number)
        await chat_table.roll_back(kept_length)
        await run_outbox(chat_table.outbox, chat_table.number)
        chat_table.chat.fault_of_call = lambda _, __: None
        await chat_table.send_all()
        assert not chat_table.turn_messages()
        assert chat_table.board().id == chat_table.newest_message().id
    await chat_table.play_turn()
    await chat_table.send_all()
    assert len(chat_table.turn_messages()) == 1
    assert chat_table.board().id > chat_table.turn_messages()[0].id


async def test_an_undone_post_whose_answer_was_lost(chat_table: ChatTable) -> None:
    """A turn's post that arrived without an answer is found and corrected after an undo, also hours later."""
    for delay in (1.0, NONCE_MEMORY * 2):
        lost = chat_table.chat.lose_one_answer(is_turn_message)
        await chat_table.play_turn()
        kept_length = await chat_table.history_length()
        await chat_table.play_turn()  # nothing was posted that asked for it
        await run_outbox(chat_table.outbox, chat_table.number)
        assert lost
        chat_table.chat.fault_of_call = lambda _, __: None
        chat_table.clock.now += delay
        await chat_table.roll_back(kept_length)
        await chat_table.send_all()
        assert lost[0].content.endswith(UNDONE_TEXT)
        assert UNDONE_TEXT not in chat_table.board().content


async def _history(chat_table: ChatTable) -> tuple[Record, ...]:
    """Return the records that count."""
    match = (await chat_table.tables.get(chat_table.number)).match
    assert match is not None
    return match.history


@pytest.mark.parametrize("delay", [1.0, NONCE_MEMORY * 2])
async def test_a_lost_story_of_a_turn_that_was_played_anew(chat_table: ChatTable, delay: float) -> None:
    """It is found although its turn was taken back and played otherwise: one story of that turn remains."""
    lost = chat_table.chat.lose_one_answer(is_turn_message)
    await chat_table.play_turn()
    kept_length = await chat_table.history_length()
    await chat_table.play_turn()  # nothing was posted that asked for it
    await run_outbox(chat_table.outbox, chat_table.number)
    (old_story,) = [each.content for each in lost]
    chat_table.chat.fault_of_call = lambda _, __: None
    chat_table.clock.now += delay
    if delay > NONCE_MEMORY:
        for message in chat_table.chat.messages.values():
            message.nonce = 0
    first_record = (await _history(chat_table))[kept_length]
    while (await _history(chat_table))[kept_length] == first_record:
        await chat_table.roll_back(kept_length)
        await chat_table.play_turn()
    await chat_table.send_all()
    stories = [each.content for each in chat_table.turn_messages()]
    assert old_story not in stories
    assert len(stories) == 2


async def test_an_undo_after_a_move_away_is_quiet(chat_table: ChatTable) -> None:
    """A turn in a deleted channel that the table was moved out of is not corrected; nobody hears of it."""
    kept_length = await chat_table.history_length()
    await chat_table.play_turn()
    await chat_table.send_all()
    old_channel = chat_table.turn_messages()[0].channel.id
    await chat_table.move_game_and_send(NEW_CHANNEL)
    chat_table.chat.fault_of_call = lambda _, each: (
        http_error(ErrorCode.UNKNOWN_CHANNEL) if each.channel.id == old_channel else None
    )
    await chat_table.roll_back(kept_length)
    await chat_table.send_all()
    assert chat_table.chat.messages_to_host == []
    assert chat_table.board().channel.id == NEW_CHANNEL


@pytest.mark.parametrize("is_posted", [True, False])
async def test_an_undo_after_the_turn_posts_nothing(chat_table: ChatTable, *, is_posted: bool) -> None:
    """The undone turn's message says who took it back, and the next player's board asks its player again.

    Where nobody was asked meanwhile (``is_posted`` False), there is nothing to say.
    """
    seat = (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    await chat_table.play_turn()
    if is_posted:
        await chat_table.send_all()
    board, ids_before = chat_table.board(), [each.id for each in chat_table.chat.public_messages()]
    request = request_of_person(seat)
    await chat_table.tables.change(chat_table.number, request, partial(own_undo.undo, request=request))
    await chat_table.send_all()
    messages = chat_table.chat.public_messages()
    assert [each.id for each in messages] == ids_before
    assert chat_table.board() is board
    assert board.content.partition("\n")[0].count(f"<@{request.user}>") == 1
    announcements = [each for each in messages if " took back the last move. It is " in each.content]
    assert len(announcements) == is_posted
    assert not any(UNDONE_TEXT in each.content for each in messages)


async def test_an_undo_with_hindsight_pings_nobody(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its player, whose turn it was already, reads of it in the undone turn's message; the board stays."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO, computer_count=1))
    await chat_table.send_all()
    await play_until_hindsight(tables, chat_table.number)
    await chat_table.send_all()
    board, ids_before = chat_table.board(), [each.id for each in chat_table.chat.public_messages()]
    request = request_of_person(0)
    await tables.change(chat_table.number, request, partial(own_undo.undo, request=request))
    await chat_table.send_all()
    messages = chat_table.chat.public_messages()
    assert [each.id for each in messages] == ids_before
    assert chat_table.board() is board
    assert sum(" with hindsight, against computers." in each.content for each in messages) == 1


async def test_a_choice_that_is_undone_pings_nobody(chat_table: ChatTable) -> None:
    """A quick choice and its undo leave the board where it is."""
    await chat_table.play_turn()
    await chat_table.send_all()
    board, message_count = chat_table.board(), len(chat_table.chat.public_messages())
    seat = (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    await make_move(chat_table.tables, chat_table.number, RNG)
    request = request_of_person(seat)
    await chat_table.tables.change(chat_table.number, request, partial(own_undo.undo, request=request))
    await chat_table.send_all()
    assert len([each for each in chat_table.chat.public_messages() if each.raw_mentions]) == 2
    assert (chat_table.board(), len(chat_table.chat.public_messages())) == (board, message_count)


async def test_a_turn_that_is_partly_undone_goes_on(chat_table: ChatTable) -> None:
    """The story of a turn of which only the last choice was taken back says so, and gets no second story."""
    while True:
        await chat_table.send_all()
        choice_starts = [await chat_table.history_length()]
        seat = (await chat_table.tables.get(chat_table.number)).to_act
        await make_move(chat_table.tables, chat_table.number, RNG)
        while (await chat_table.tables.get(chat_table.number)).to_act == seat:
            choice_starts.append(await chat_table.history_length())
            await make_move(chat_table.tables, chat_table.number, RNG)
        if len(choice_starts) > 1:
            break
    await chat_table.send_all()
    story = chat_table.turn_messages()[-1]
    await chat_table.roll_back(choice_starts[-1])
    await chat_table.send_all()
    assert story.content.endswith("Part of this turn was taken back. What followed is below.")
    assert not story.files, "it shows a board that does not stand"
    await chat_table.play_turn()
    await chat_table.send_all()
    assert chat_table.turn_messages()[-1].id > story.id
    assert "What followed is below" in story.content


async def test_undos_without_consent_are_bounded_and_mention_once(chat_table: ChatTable) -> None:
    """Of 200 undos in a turn all but twenty are refused, and the next player is mentioned once."""
    seat = (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    request, undo = request_of_person(seat), partial(own_undo.undo, request=request_of_person(seat))
    for _ in range(MAX_UNDOS_WITHOUT_CONSENT):
        await chat_table.play_turn()
        await chat_table.send_all()
        await chat_table.tables.change(chat_table.number, None, undo)
        await chat_table.send_all()
    await chat_table.play_turn()
    await chat_table.send_all()
    for _ in range(200 - MAX_UNDOS_WITHOUT_CONSENT):
        with pytest.raises(Refusal, match="the limit"):
            await chat_table.tables.change(chat_table.number, None, undo)
    mentioned = [user for message in chat_table.chat.public_messages() for user in message.raw_mentions]
    assert mentioned.count(FIRST_USER + 1 - seat) == 1
    assert mentioned.count(request.user) == 1


async def test_the_undos_of_another_seat_do_not_count(chat_table: ChatTable) -> None:
    """Whoever takes a move back after somebody who has used all undos begins to count."""
    seat = (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    await chat_table.play_turn()
    table = (await chat_table.tables.get(chat_table.number)).with_row(
        undos_without_consent=UndosWithoutConsent(Seat(1 - seat), MAX_UNDOS_WITHOUT_CONSENT)
    )
    undone_table = own_undo.undo(table, request_of_person(seat)).table
    assert undone_table.row.undos_without_consent == UndosWithoutConsent(seat, 1)


async def _undo_with_consent(chat_table: ChatTable, seat: Seat) -> None:
    """Let a seat's player undo; let all who are asked agree, and send all that waits before and after."""
    tables, number = chat_table.tables, chat_table.number
    table = await change_as(tables, number, seat, own_undo.undo)
    await chat_table.send_all()
    while (question := table.row.question) is not None:
        voter = users_still_to_agree(table, question)[0] - FIRST_USER
        table = await change_as(tables, number, voter, voting.vote, question_id=question.id, is_yes=True)
    assert table.to_act == seat
    await chat_table.send_all()


@pytest.mark.parametrize("with_free_undo", [False, True])
async def test_an_undo_with_consent_asks_again_below_the_question(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, with_free_undo: bool
) -> None:
    """Each player who is to act is told again, since the others may have agreed long after; so is the next.

    So it is where the player has taken something back freely before in the same turn.
    """
    stub_board_pictures(monkeypatch)
    setup = default_setup(GAMES["oceans"], 2)  # each turn ends with a draw, so no undo is free after it
    chat_table = ChatTable(tables, clock, number := await begin(tables, setup))
    while True:
        seat = (await tables.get(number)).to_act
        assert seat is not None
        undo = partial(own_undo.undo, request=request_of_person(seat))
        await make_move(tables, number, RNG)
        if with_free_undo and (await tables.get(number)).to_act == seat:
            await tables.change(number, request_of_person(seat), undo)
        await chat_table.send_all()
        while (table := await tables.get(number)).to_act == seat:
            await make_move(tables, number, RNG)
        await chat_table.send_all()
        possible_undo = game_calls.possible_undo(table, seat)
        has_undone = table.row.undos_without_consent is not None
        if possible_undo is not None and not possible_undo.is_free and has_undone is with_free_undo:
            break
    old_ids, other = {each.id for each in chat_table.chat.public_messages()}, 1 - seat
    await _undo_with_consent(chat_table, seat)
    assert chat_table.newest_message() is chat_table.board()
    assert chat_table.board().raw_mentions == [FIRST_USER + seat]
    new_messages = [each for each in chat_table.chat.public_messages() if each.id not in old_ids]
    assert [each.content.endswith(" taken back.") for each in new_messages] == [True, False], (
        "question, board"
    )
    assert not any(OLD_BOARD_TEXT in each.content for each in chat_table.chat.public_messages())
    await chat_table.play_turn()
    await chat_table.send_all()
    new_messages = [each for each in chat_table.chat.public_messages() if each.id not in old_ids]
    assert [each.raw_mentions for each in new_messages].count([FIRST_USER + other]) == 2, "question, board"


@pytest.mark.parametrize("can_delete", [True, False])
async def test_an_undo_with_consent_in_ones_own_turn_mentions_its_player_once(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, can_delete: bool
) -> None:
    """Its player, who may have asked hours before, is told; a new board takes the place of the old one."""
    stub_board_pictures(monkeypatch)
    setup = default_setup(GAMES["oceans"], 2)
    chat_table = ChatTable(tables, clock, number := await begin(tables, setup))
    seat, undo = None, None
    while undo is None or undo.is_free:
        seat = (await tables.get(number)).to_act
        table = (await make_move(tables, number, RNG)).table
        undo = None if seat is None or table.to_act != seat else game_calls.possible_undo(table, seat)
    assert seat is not None
    await chat_table.send_all()
    old_board = chat_table.board()
    if not can_delete:
        chat_table.chat.fault_of_call = lambda action, _: http_error(0, 503) if action == "delete" else None
    await _undo_with_consent(chat_table, seat)
    question, board = chat_table.chat.public_messages()[-2:]
    assert question.content.endswith("last move is taken back.")
    assert board is chat_table.board() is not old_board
    assert board.raw_mentions == [FIRST_USER + seat]
    texts = [each.content for each in chat_table.chat.public_messages()]
    assert sum(OLD_BOARD_TEXT in text for text in texts) == (not can_delete)
    await make_move(tables, number, RNG)
    await chat_table.send_all()
    later_messages = [each for each in chat_table.chat.public_messages() if each.id > board.id]
    assert not any(FIRST_USER + seat in each.raw_mentions for each in later_messages)
