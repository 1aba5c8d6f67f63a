"""The board that stands is edited where what it says of people has changed without a move."""

import random
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from bot.chat.courier import MAX_AGE_TO_EDIT
from bot.error_codes import ErrorCode
from bot.host.deciders import timeouts
from bot.host.deciders.decision import BOARD_DELIVERY, Decision
from bot.host.housekeeping import Housekeeping
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl
from rules.model import Seat
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import FakeMessage, http_error, labels, stub_board_pictures
from tests.bot.host.playing import ManualClock
from tests.bot.host.scripted_courier import run_outbox
from tests.bot.host.timed_tables import (
    begin_timed_table,
    change_as,
    change_row,
    play_as_computer,
    play_until_turn_passes,
    timer_of,
)

_DAY_WITHOUT_GRACE = TimeControl(turn_seconds=DAY, grace_seconds=0)
_SUBSTITUTE_LINE = "A computer player plays for"


@pytest.fixture
async def chat_table_and_absent_seat(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> tuple[ChatTable, Seat]:
    """Return a table that waits for one player, and the seat of the other, for whom a computer plays."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin_timed_table(tables, _DAY_WITHOUT_GRACE))
    await chat_table.send_all()
    seat = Seat(timer_of(await tables.get(chat_table.number)).seat)
    clock.now = (timer_of(await tables.get(chat_table.number)).deadline or 0) + 1
    await Housekeeping(tables).do_due_work_at_tables()
    await play_as_computer(tables, chat_table.number, random.Random(4))
    await chat_table.send_all()
    assert _SUBSTITUTE_LINE in chat_table.board().content
    return chat_table, seat


@pytest.mark.parametrize("age", [60.0, MAX_AGE_TO_EDIT + 60])
async def test_a_return_in_anothers_turn_edits_the_board(
    chat_table_and_absent_seat: tuple[ChatTable, Seat], age: float
) -> None:
    """However old it is: nothing but the notice is posted, and nobody is mentioned."""
    chat_table, seat = chat_table_and_absent_seat
    board, posted_count = chat_table.board(), len(chat_table.chat.posted)
    pictures, buttons = list(board.files), labels(board)
    chat_table.clock.now += age
    await change_as(chat_table.tables, chat_table.number, seat, timeouts.come_back)
    await chat_table.send_all()
    assert _SUBSTITUTE_LINE not in board.content
    assert chat_table.board() is board
    assert (board.files, labels(board)) == (pictures, buttons)
    new_messages = [
        each for each in chat_table.chat.posted[posted_count:] if each in chat_table.chat.public_messages()
    ]
    assert [each.content.endswith("is back and plays again.") for each in new_messages] == [True]
    assert new_messages[0].raw_mentions == []


@pytest.mark.parametrize("code", [ErrorCode.UNKNOWN_MESSAGE, ErrorCode.TOO_MANY_OLD_EDITS])
async def test_a_board_that_cannot_be_edited_stays(
    chat_table_and_absent_seat: tuple[ChatTable, Seat], code: int
) -> None:
    """It is deleted, or was edited too often for its age: the next move shows what has changed."""
    chat_table, seat = chat_table_and_absent_seat
    board, message_count = chat_table.board(), len(chat_table.chat.public_messages())
    chat_table.chat.fault_of_call = lambda action, message: (
        http_error(code) if (action, message) == ("edit", board) else None
    )
    await change_as(chat_table.tables, chat_table.number, seat, timeouts.come_back)
    await chat_table.send_all()
    assert len(chat_table.chat.public_messages()) == message_count + 1, "the notice alone"
    chat_table.chat.fault_of_call = lambda _, __: None
    await play_until_turn_passes(chat_table.tables, chat_table.number, random.Random(5))
    await chat_table.send_all()
    assert _SUBSTITUTE_LINE not in chat_table.newest_message().content


async def test_a_board_that_a_move_follows_is_not_edited_twice(
    chat_table_and_absent_seat: tuple[ChatTable, Seat],
) -> None:
    """Its message becomes that of the turn; what has changed stands on the next board."""
    chat_table, seat = chat_table_and_absent_seat
    board = chat_table.board()
    await change_as(chat_table.tables, chat_table.number, seat, timeouts.come_back)
    await play_until_turn_passes(chat_table.tables, chat_table.number, random.Random(6))
    edited_messages: list[FakeMessage] = []
    chat_table.chat.fault_of_call = lambda action, message: (
        edited_messages.append(message) if action == "edit" else None
    )
    await chat_table.send_all()
    assert edited_messages.count(board) == 1
    assert board in chat_table.turn_messages()


async def _freeze(chat_table: ChatTable, seat: Seat) -> None:
    del seat

    def decide(table: Table) -> Decision:
        return Decision(table=table.as_frozen(), answer="", deliveries=(BOARD_DELIVERY,))

    await chat_table.tables.change(chat_table.number, None, decide)


async def _pass_turn_to_substitute(chat_table: ChatTable, seat: Seat) -> None:
    await play_until_turn_passes(chat_table.tables, chat_table.number, random.Random(7))
    table = await chat_table.tables.get(chat_table.number)
    row = replace(table.seats[seat], substitute="random")
    await change_row(chat_table.tables, chat_table.number, seats=table.with_seat(seat, row).seats)


@pytest.mark.parametrize("follow", [_freeze, _pass_turn_to_substitute])
async def test_an_edit_that_comes_late_is_left_out(
    chat_table_and_absent_seat: tuple[ChatTable, Seat], follow: Callable[[ChatTable, Seat], Awaitable[None]]
) -> None:
    """Discord was out of reach, and the board has become the message of a turn, or the game has failed."""
    chat_table, seat = chat_table_and_absent_seat
    board = chat_table.board()
    await change_as(chat_table.tables, chat_table.number, seat, timeouts.come_back)
    chat_table.chat.fault_of_call = lambda _, __: TimeoutError()
    await run_outbox(chat_table.outbox, chat_table.number)
    edited_messages: list[FakeMessage] = []
    chat_table.chat.fault_of_call = lambda action, message: (
        edited_messages.append(message) if action == "edit" else None
    )
    await follow(chat_table, seat)
    await chat_table.send_all()
    assert edited_messages.count(board) == 1
    assert labels(board) == []
