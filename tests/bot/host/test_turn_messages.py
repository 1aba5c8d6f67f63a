"""The messages of turns at a table: in order, where the table is, and true after lost answers."""

from functools import partial

import discord
import pytest
from msgspec.structs import replace

from bot.chat.story import panel_story
from bot.chat.table_commands import table_status_post
from bot.error_codes import ErrorCode
from bot.host.deciders import departures, lobby, moderation
from bot.host.delivery_order import MAX_HOLDING_ATTEMPTS
from bot.host.outbox import MAX_RETRY_WAIT
from bot.host.table_turns import current_turn_start
from bot.host.tables import Tables
from bot.store.rows import Status
from rules.catalogue import GAMES
from tests.bot.host.chat_table import (
    CURRENTS_FOR_TWO,
    ChatTable,
    is_computers_turn,
    is_turn_message,
    play_computer_turn,
)
from tests.bot.host.continuing_games import CONTINUING_GAME_KEYS
from tests.bot.host.fake_chat import FakeMessage, http_error, labels, stub_board_pictures
from tests.bot.host.playing import (
    CHANNEL,
    FIRST_USER,
    GAMES_AND_TOYS,
    RNG,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.bot.host.scripted_courier import run_outbox

GAME_THREAD, NEW_CHANNEL = 77, 88


@pytest.fixture
async def chat_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> ChatTable:
    """Return a table whose first messages have arrived."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, CURRENTS_FOR_TWO))
    await chat_table.send_all()
    return chat_table


async def test_a_board_is_posted_before_the_last_one_is_edited(chat_table: ChatTable) -> None:
    """The next player is asked at once; then the message that asked the last one tells their turn."""
    for _ in range(3):
        old_board, actions = chat_table.board(), list[str]()
        story_count = len(chat_table.turn_messages())

        def note(
            action: str,
            message: FakeMessage,
            old_board: FakeMessage = old_board,
            actions: list[str] = actions,
        ) -> None:
            if message is old_board or action == "post":
                actions.append(action)

        chat_table.chat.fault_of_call = note
        await chat_table.play_turn()
        await chat_table.send_all()
        assert actions == ["post", "edit"]
        assert chat_table.turn_messages()[story_count:] == [old_board]
        assert chat_table.board().id > old_board.id


async def test_the_edit_of_a_turns_message_holds_up_nothing(chat_table: ChatTable) -> None:
    """While it cannot be sent the game goes on; later each message tells its own turn."""
    boards = [chat_table.board()]
    chat_table.chat.fault_of_call = lambda action, _: http_error(0, 503) if action == "edit" else None
    for _ in range(4):
        await chat_table.play_turn()
        await run_outbox(chat_table.outbox, chat_table.number)
        boards.append(chat_table.chat.posted[-1])
    assert not chat_table.turn_messages()
    chat_table.chat.fault_of_call = lambda _, __: None
    await chat_table.send_all()
    assert chat_table.turn_messages() == boards[:-1]
    assert chat_table.board() is boards[-1]


async def test_the_board_waits_for_the_turn_before_it(chat_table: ChatTable) -> None:
    """While the post of a turn cannot be sent, no newer board is; then both come in their order."""
    old_board = chat_table.board()
    chat_table.chat.fault_of_call = lambda action, each: (
        http_error(0, 503) if action == "post" and is_turn_message(each) else None
    )
    await chat_table.play_turn()
    await chat_table.play_turn()  # nothing was posted that asked for it
    assert await run_outbox(chat_table.outbox, chat_table.number) == pytest.approx(1, abs=0.1)
    assert chat_table.board() is old_board
    chat_table.chat.fault_of_call = lambda _, __: None
    await chat_table.send_all()
    first_story, second_story = chat_table.turn_messages()
    assert first_story is old_board
    assert chat_table.board().id > second_story.id


async def test_the_board_does_not_wait_for_ever(chat_table: ChatTable) -> None:
    """After some attempts at the post of a turn the board is sent without it."""
    chat_table.chat.fault_of_call = lambda action, each: (
        http_error(0, 503) if action == "post" and is_turn_message(each) else None
    )
    await chat_table.play_turn()
    await chat_table.play_turn()
    message_counts = []
    for _ in range(MAX_HOLDING_ATTEMPTS + 1):
        await run_outbox(chat_table.outbox, chat_table.number)
        message_counts.append(len(chat_table.chat.public_messages()))
        chat_table.clock.now += MAX_RETRY_WAIT
    assert message_counts[0] == message_counts[MAX_HOLDING_ATTEMPTS - 2] < message_counts[-1]


async def test_a_notice_whose_answer_was_lost_is_posted_once(chat_table: ChatTable) -> None:
    """It arrived without an answer: it is found also once Discord has forgotten its nonce."""
    chat_table.chat.fault_of_call = lambda action, message: (
        OSError("cut") if action == "after_post" and message.content.endswith("paused the game.") else None
    )
    pause = partial(moderation.pause, request=request_of_person(0))
    await chat_table.tables.change(chat_table.number, request_of_person(0), pause)
    await run_outbox(chat_table.outbox, chat_table.number)
    await chat_table.send_all_without_nonces()
    texts = [message.content for message in chat_table.chat.public_messages()]
    assert len([text for text in texts if text.endswith("paused the game.")]) == 1


async def test_a_turn_in_a_deleted_thread_waits_until_the_table_is_moved(chat_table: ChatTable) -> None:
    """No turn or board goes to the channel above until the table is moved, as its host reads."""
    await chat_table.move_game_and_send(GAME_THREAD)
    assert chat_table.board().channel.id == GAME_THREAD
    errors = {"edit": http_error(ErrorCode.UNKNOWN_MESSAGE), "post": http_error(ErrorCode.UNKNOWN_CHANNEL)}
    chat_table.chat.fault_of_call = lambda action, each: (
        errors.get(action) if each.channel.id == GAME_THREAD else None
    )
    message_count = len(chat_table.chat.public_messages())
    await chat_table.play_turn()
    await chat_table.send_all()
    assert len(chat_table.chat.public_messages()) == message_count
    assert len(chat_table.chat.messages_to_host) == 1


async def test_a_game_leaves_its_locked_thread(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes on above: one notice says so, links lead there, each turn has one board.  It may return."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, default_setup(GAMES_AND_TOYS["oceans"], 2)))
    await chat_table.move_game_and_send(GAME_THREAD)
    refusals = {
        "post": http_error(ErrorCode.THREAD_LOCKED, 403),
        "edit": http_error(ErrorCode.UNKNOWN_MESSAGE),
    }
    chat_table.chat.fault_of_call = lambda action, each: (
        refusals.get(action) if each.channel.id == GAME_THREAD else None
    )
    newest_id_before = chat_table.newest_message().id
    board_ids, turn_starts = set[int](), set[int]()
    for _ in range(12):
        table = (await make_move(tables, chat_table.number, RNG)).table
        await chat_table.send_all()
        board_ids.add(chat_table.boards_in(CHANNEL)[-1].id)
        turn_starts.add(current_turn_start(table))
    assert len(turn_starts) < 12, "no turn had two choices"
    assert len(board_ids) == len(turn_starts)
    newer = [each for each in chat_table.chat.public_messages() if each.id > newest_id_before]
    notices = [
        each for each in newer if f"<#{GAME_THREAD}> is locked, so the game goes on here." in each.content
    ]
    assert len(notices) == 1
    assert notices[0].id < min(board_ids)
    table = await tables.get(chat_table.number)
    assert (table.row.game_channel, table.row.visibility_channel) == (CHANNEL, CHANNEL)
    assert f"Played in <#{CHANNEL}>" in table_status_post(table).text
    asked_seat = table.to_act
    assert asked_seat is not None
    dm_channel = (await chat_table.chat.create_dm(discord.Object(request_of_person(asked_seat).user))).id
    hands = [each for each in chat_table.chat.messages.values() if each.channel.id == dm_channel]
    assert f"<#{CHANNEL}>" in hands[-1].content
    chat_table.chat.fault_of_call = lambda _, __: None
    await chat_table.move_table_as_host(GAME_THREAD)
    await chat_table.send_all()
    assert chat_table.boards_in(GAME_THREAD)[-1].id > max(board_ids)


async def test_a_board_follows_its_table_to_a_locked_thread(chat_table: ChatTable) -> None:
    """It is posted above that thread, and does not stay where the table was before."""
    await chat_table.move_game_and_send(CHANNEL + 7)
    old_board = chat_table.board()
    chat_table.chat.fault_of_call = lambda _, each: (
        http_error(ErrorCode.THREAD_LOCKED, 403) if each.channel.id == GAME_THREAD else None
    )
    await chat_table.move_game_and_send(GAME_THREAD)
    assert (old_board.channel.id, chat_table.board().channel.id) == (CHANNEL + 7, CHANNEL)


@pytest.mark.parametrize(
    ("parent_channel", "is_private", "expected"),
    [(NEW_CHANNEL, False, NEW_CHANNEL), (NEW_CHANNEL, True, CHANNEL), (None, False, CHANNEL)],
)
async def test_a_table_leaves_its_thread_for_the_channel_above_it(
    chat_table: ChatTable, parent_channel: int | None, *, is_private: bool, expected: int
) -> None:
    """That is not the lobby's if the host moved it to a thread elsewhere; the lobby's if none is known."""
    request = replace(
        request_of_person(0),
        channel=GAME_THREAD,
        parent_channel=parent_channel,
        is_private_thread=is_private,
    )
    move = partial(moderation.move_here, request=request, is_channel_busy=False)
    table = (await chat_table.tables.change(chat_table.number, None, move)).table
    decision = moderation.leave_locked_thread(table, GAME_THREAD)
    assert decision is not None
    row = decision.table.row
    assert (row.game_channel, row.visibility_channel) == (expected, expected)


async def test_a_table_that_goes_back_to_a_lobby_in_a_thread_stays_visible() -> None:
    """Who can see the thread's channel can see the table, also once the lobby's thread is archived."""
    request = replace(request_of_person(0), channel=CHANNEL, parent_channel=NEW_CHANNEL)
    lobby_table = lobby.open_table(1, GAMES["currents"], "", request, bytes(32), 0).table
    started_row = {"status": Status.PLAYING, "lobby": lobby_table.row.lobby.as_over()}
    private_thread = {"game_channel": GAME_THREAD, "visibility_channel": None}
    decision = moderation.leave_locked_thread(
        lobby_table.with_row(**started_row, **private_thread), GAME_THREAD
    )
    assert decision is not None
    row = decision.table.row
    assert (row.game_channel, row.visibility_channel) == (CHANNEL, NEW_CHANNEL)


async def test_a_table_moved_meanwhile_does_not_leave_its_place(chat_table: ChatTable) -> None:
    """Where a table was moved while its thread refused a post, it stays in the new place."""
    table = await chat_table.tables.get(chat_table.number)
    moved_table = table.with_row(game_channel=NEW_CHANNEL)
    assert moderation.leave_locked_thread(moved_table, GAME_THREAD) is None
    assert moderation.leave_locked_thread(moved_table, NEW_CHANNEL) is not None


async def test_a_finished_turn_shows_its_own_board(chat_table: ChatTable) -> None:
    """Where the next turn is over before a story is sent, its picture is still that of the turn's end."""
    old_board = chat_table.board()
    await chat_table.play_turn()
    turn_end = await chat_table.history_length()
    await chat_table.play_turn()
    await chat_table.send_all()
    assert old_board in chat_table.turn_messages()
    assert old_board.files == [str(turn_end).encode()]


async def test_a_board_whose_answer_was_lost_becomes_its_own_turn(chat_table: ChatTable) -> None:
    """A board that is found after its player has finished becomes the story of the turn it asked for."""
    lost: list[FakeMessage] = []

    def lose(action: str, message: FakeMessage) -> Exception | None:
        if action == "after_post" and message.raw_mentions and message in chat_table.chat.public_messages():
            lost.append(message)
            return OSError("cut")
        return None

    chat_table.chat.fault_of_call = lose
    await chat_table.play_turn()
    await run_outbox(chat_table.outbox, chat_table.number)
    chat_table.chat.fault_of_call = lambda _, __: None
    await chat_table.play_turn()
    await chat_table.send_all()
    assert len(chat_table.turn_messages()) == 2
    assert chat_table.turn_messages()[-1] is lost[0]


async def test_a_moved_game_is_linked_from_its_old_place(chat_table: ChatTable) -> None:
    """The board that stays behind says where; the private message that asks for a move links there too."""
    old_board, seat = chat_table.board(), (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    request = replace(request_of_person(0), channel=CHANNEL + 7)
    decide = partial(moderation.move_here, request=request, is_channel_busy=False)
    await chat_table.tables.change(chat_table.number, request, decide)
    await chat_table.send_all()
    assert old_board.content.endswith(f" · The game goes on in <#{CHANNEL + 7}>.")
    asked_channel = (await chat_table.chat.create_dm(discord.Object(FIRST_USER + seat))).id
    (asking,) = (each for each in chat_table.chat.messages.values() if each.channel.id == asked_channel)
    assert f"<#{CHANNEL + 7}>" in asking.content
    assert chat_table.board().channel.id == CHANNEL + 7


async def test_the_board_asks_anew_after_a_pause(chat_table: ChatTable) -> None:
    """The pause edits it, and its end posts a new one below, which notifies nobody of the same turn again."""
    old_board = chat_table.board()
    assert old_board.raw_mentions
    for decide in (moderation.pause, moderation.resume):
        request = request_of_person(0)
        await chat_table.tables.change(chat_table.number, request, partial(decide, request=request))
        await chat_table.send_all()
        boards = [each for each in chat_table.chat.public_messages() if {"Play", "Resume"} & {*labels(each)}]
        assert len(boards) == 1
        assert (boards[0].id == old_board.id) is (decide is moderation.pause)
    assert boards[0].raw_mentions == []


async def test_a_pause_changes_the_private_message_that_asks_for_a_move(chat_table: ChatTable) -> None:
    """In a pause it asks for no move and has **Resume** for who may press it; afterwards it asks again."""

    def read_private_message() -> tuple[str, list[str]]:
        (message,) = (each for each in chat_table.chat.messages.values() if each.channel.id == asked_channel)
        return message.content, labels(message)

    seat = (await chat_table.tables.get(chat_table.number)).to_act
    assert seat is not None
    asked_channel = (await chat_table.chat.create_dm(discord.Object(request_of_person(seat).user))).id
    message_before, pause_request, resume_request = (
        read_private_message(),
        request_of_person(0),
        request_of_person(0),
    )
    await chat_table.tables.change(
        chat_table.number, pause_request, partial(moderation.pause, request=pause_request)
    )
    await chat_table.send_all()
    text, shown_labels = read_private_message()
    assert "Paused. The host or an admin can press **Resume**." in text
    assert shown_labels == [*(["Resume"] if seat == 0 else []), "My hand", "Board"]
    await chat_table.tables.change(
        chat_table.number, resume_request, partial(moderation.resume, request=resume_request)
    )
    await chat_table.send_all()
    assert read_private_message() == message_before


async def test_private_messages_say_that_a_game_was_ended_early(chat_table: ChatTable) -> None:
    """Every player's says so, as somebody who plays there may not look at the table."""
    request = request_of_person(0)
    await chat_table.tables.change(chat_table.number, request, partial(moderation.end, request=request))
    await chat_table.send_all()
    public = chat_table.chat.public_messages()
    private = [each.content for each in chat_table.chat.messages.values() if each not in public]
    assert len(private) == 2
    assert all("This game was ended early." in text for text in private)


async def test_two_turns_in_a_row_have_a_message_each(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who ends a round of Australis and begins the next is asked on a new board, which does not ring.

    The story of the first turn stands in its own message, and the second one begins with none of it.
    """
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin(tables, default_setup(GAMES["australis"], 2)))
    checked_count = 0
    while checked_count < 2 and (before := await tables.get(chat_table.number)).match is not None:
        seat = before.to_act
        assert seat is not None, "no two turns in a row"
        await chat_table.send_all()
        board, turn_start = chat_table.board(), current_turn_start(before)
        table = (await make_move(tables, chat_table.number, RNG)).table
        if table.to_act != seat or current_turn_start(table) == turn_start:
            continue
        checked_count += 1
        await chat_table.send_all()
        assert is_turn_message(board)
        assert board.id < chat_table.board().id
        assert f"<@{FIRST_USER + seat}>" in chat_table.board().content
        assert not chat_table.board().raw_mentions
        assert table.match is not None
        assert not panel_story(table, seat, table.log_lines(current_turn_start(table)), 1).text


@pytest.mark.parametrize("in_own_turn", [True, False])
@pytest.mark.parametrize("key", CONTINUING_GAME_KEYS)
async def test_the_last_board_of_a_game_that_all_people_left_is_shown_once(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, key: str, *, in_own_turn: bool
) -> None:
    """The story of the last person's resignation comes first and leaves the picture to the board below."""
    stub_board_pictures(monkeypatch)
    setup = default_setup(GAMES_AND_TOYS[key])
    chat_table = ChatTable(tables, clock, await begin(tables, setup, setup.seat_count - 1))
    while await is_computers_turn(chat_table) is in_own_turn:
        if in_own_turn:
            await play_computer_turn(chat_table, RNG)
        else:
            await make_move(tables, chat_table.number, RNG)
    await chat_table.send_all()
    request = request_of_person(0)
    await tables.change(
        chat_table.number, request, partial(departures.resign, request=request, computer="random")
    )
    await chat_table.send_all()
    story, notice, board = chat_table.chat.public_messages()[-3:]
    assert "resigns" in story.content
    assert "so the game has ended" in notice.content
    assert (len(story.files), len(board.files)) == (0, 1)
