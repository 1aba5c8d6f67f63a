"""The board that stands is edited where what it says of people has changed without a move."""

import random
from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace

from bot.chat.courier import MAX_AGE_TO_EDIT
from bot.host.deciders import timeouts
from bot.host.deciders.decision import BOARD_DELIVERY, Decision
from bot.host.housekeeping import Housekeeping
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl
from rules.game import Seat
from tests.bot.host.fake_chat import FakeMessage, http_error, labels, use_history_lengths_as_boards
from tests.bot.host.playing import ManualClock
from tests.bot.host.scripted_courier import run_outbox
from tests.bot.host.table_thread import TableThread
from tests.bot.host.timed_tables import (
    begin_timed_table,
    change_as,
    play_as_computer,
    play_until_turn_passes,
    set_row,
    timer_of,
)

_DAY_WITHOUT_GRACE = TimeControl(turn=DAY, grace=0)
_LINE = "A computer player plays for"


@pytest.fixture
async def thread_and_absent_seat(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> tuple[TableThread, Seat]:
    """Return a table that waits for one player, and the seat of the other, for whom a computer plays."""
    use_history_lengths_as_boards(monkeypatch)
    thread = TableThread(tables, clock, await begin_timed_table(tables, _DAY_WITHOUT_GRACE))
    await thread.send_all()
    seat = Seat(timer_of(await tables.get(thread.number)).seat)
    clock.now = (timer_of(await tables.get(thread.number)).deadline or 0) + 1
    await Housekeeping(tables).handle_due_tables()
    await play_as_computer(tables, thread.number, random.Random(4))
    await thread.send_all()
    assert _LINE in thread.board().content
    return thread, seat


@pytest.mark.parametrize("age", [60.0, MAX_AGE_TO_EDIT + 60])
async def test_a_return_in_anothers_turn_edits_the_board(
    thread_and_absent_seat: tuple[TableThread, Seat], age: float
) -> None:
    """However old it is: nothing but the notice is posted, and nobody is mentioned."""
    thread, seat = thread_and_absent_seat
    board, count = thread.board(), len(thread.chat.posted)
    pictures, buttons = list(board.files), labels(board)
    thread.clock.now += age
    await change_as(thread.tables, thread.number, seat, timeouts.come_back)
    await thread.send_all()
    assert _LINE not in board.content
    assert thread.board() is board
    assert (board.files, labels(board)) == (pictures, buttons)
    new = [each for each in thread.chat.posted[count:] if each in thread.chat.public_messages()]
    assert [each.content.endswith("is back and plays again.") for each in new] == [True]
    assert new[0].raw_mentions == []


@pytest.mark.parametrize("code", [10008, 30046])
async def test_a_board_that_cannot_be_edited_stays(
    thread_and_absent_seat: tuple[TableThread, Seat], code: int
) -> None:
    """It is deleted, or was edited too often for its age: the next move shows what has changed."""
    thread, seat = thread_and_absent_seat
    board, count = thread.board(), len(thread.chat.public_messages())
    thread.chat.fault = lambda what, message: http_error(code) if (what, message) == ("edit", board) else None
    await change_as(thread.tables, thread.number, seat, timeouts.come_back)
    await thread.send_all()
    assert len(thread.chat.public_messages()) == count + 1, "the notice alone"
    thread.chat.fault = lambda _, __: None
    await play_until_turn_passes(thread.tables, thread.number, random.Random(5))
    await thread.send_all()
    assert _LINE not in thread.chat.public_messages()[-1].content


async def test_a_board_that_a_move_follows_is_not_edited_twice(
    thread_and_absent_seat: tuple[TableThread, Seat],
) -> None:
    """Its message becomes that of the turn; what has changed stands on the next board."""
    thread, seat = thread_and_absent_seat
    board = thread.board()
    await change_as(thread.tables, thread.number, seat, timeouts.come_back)
    await play_until_turn_passes(thread.tables, thread.number, random.Random(6))
    edited: list[FakeMessage] = []
    thread.chat.fault = lambda what, message: edited.append(message) if what == "edit" else None
    await thread.send_all()
    assert edited.count(board) == 1
    assert board in thread.turn_messages()


async def _freeze(thread: TableThread, seat: Seat) -> None:
    del seat

    def decide(table: Table) -> Decision:
        return Decision(table=table.as_frozen(), answer="", deliveries=(BOARD_DELIVERY,))

    await thread.tables.change(thread.number, None, decide)


async def _pass_to_computer(thread: TableThread, seat: Seat) -> None:
    await play_until_turn_passes(thread.tables, thread.number, random.Random(7))
    table = await thread.tables.get(thread.number)
    row = replace(table.seats[seat], substitute="random")
    await set_row(thread.tables, thread.number, seats=table.with_seat(seat, row).seats)


@pytest.mark.parametrize("follow", [_freeze, _pass_to_computer])
async def test_an_edit_that_comes_late_is_left_out(
    thread_and_absent_seat: tuple[TableThread, Seat], follow: Callable[[TableThread, Seat], Awaitable[None]]
) -> None:
    """Discord was out of reach, and the board has become the message of a turn, or the game has failed."""
    thread, seat = thread_and_absent_seat
    board = thread.board()
    await change_as(thread.tables, thread.number, seat, timeouts.come_back)
    thread.chat.fault = lambda _, __: TimeoutError()
    await run_outbox(thread.outbox, thread.number)
    edited: list[FakeMessage] = []
    thread.chat.fault = lambda what, message: edited.append(message) if what == "edit" else None
    await follow(thread, seat)
    await thread.send_all()
    assert edited.count(board) == 1
    assert labels(board) == []
