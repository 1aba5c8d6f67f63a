"""What a computer player plays for a person is shown as such, when it is posted and later."""

import random
from typing import Any, cast

import pytest

import bot.host.table_turns
from bot.chat import animations, history_pages
from bot.chat.board_frames import BoardFrame
from bot.chat.response import Response
from bot.chat.story import make_story, public_story
from bot.host import game_logs
from bot.host.housekeeping import Housekeeping
from bot.host.table import Table
from bot.host.table_turns import newest_finished_turn_end, story_start
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl, TimeoutAction
from bot.store.seat_rows import SeatRow
from rules.model import Seat
from rules.turns import Turn, turns_from
from tests.bot.host.chat_table import ChatTable
from tests.bot.host.fake_chat import stub_board_pictures
from tests.bot.host.playing import NAMES, ManualClock, give_seat_away, request_of_person
from tests.bot.host.timed_tables import begin_timed_table, play_as_computer, play_until_turn_passes, timer_of
from tests.bot.host.viewer_output import ResponseRecorder, TablesOfOne

_CONTROL = TimeControl(turn_seconds=DAY, grace_seconds=0, on_timeout=TimeoutAction.PLAY_TURN)


@pytest.fixture
async def chat_table(tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> ChatTable:
    """Return a table at which a computer player has played the first turn for a person."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(tables, clock, await begin_timed_table(tables, _CONTROL))
    await chat_table.send_all()
    await _let_computer_play_turn(chat_table)
    await play_until_turn_passes(tables, chat_table.number, random.Random(2))
    await chat_table.send_all()
    return chat_table


async def _let_computer_play_turn(chat_table: ChatTable) -> Seat:
    """Let a turn run out and a computer player play it; return whose it was."""
    timer = timer_of(await chat_table.tables.get(chat_table.number))
    assert timer.deadline is not None
    chat_table.clock.now = timer.deadline
    await Housekeeping(chat_table.tables).do_due_work_at_tables()
    await chat_table.send_all()
    await play_as_computer(chat_table.tables, chat_table.number, random.Random(3))
    await chat_table.send_all()
    return Seat(timer.seat)


def _first_turn(table: Table) -> Turn:
    assert table.match is not None
    return turns_from(table.match.history)[0]


async def _page_text(show_page: Any, table: Table, seat: int, *arguments: int, **keywords: bool) -> str:
    """Return the text of a page."""
    recorder = ResponseRecorder()
    tables = cast("Tables", TablesOfOne(table))
    await show_page(
        tables, cast("Response", recorder), table.number, request_of_person(seat), *arguments, **keywords
    )
    fields, _ = recorder.answers[-1]
    return str(fields[0])


async def test_the_post_of_the_turn_names_the_computer(chat_table: ChatTable) -> None:
    """Heading and story say it of that turn alone; the next one of the same person is theirs."""
    first_message, second_message = chat_table.turn_messages()
    table = await chat_table.tables.get(chat_table.number)
    seats = [turn.seat for turn in turns_from(cast("Any", table.match).history)]
    heading, *lines = first_message.content.splitlines()
    absent_name, present_name = NAMES[seats[0]], NAMES[seats[1]]
    assert heading.endswith(f" · {absent_name} (computer)'s turn")
    setup_end = next(i for i, line in enumerate(lines) if f"{absent_name} (computer)" in line)
    turn_lines = lines[setup_end:]  # before them the set-up names everybody as they were then
    assert all(absent_name not in line.replace(f"{absent_name} (computer)", "") for line in turn_lines)
    assert any(f"{absent_name} (computer)" in line for line in lines)
    assert second_message.content.splitlines()[0].endswith(f" · {present_name}'s turn")
    assert "(computer)" not in second_message.content
    await play_until_turn_passes(chat_table.tables, chat_table.number, random.Random(4))
    await chat_table.send_all()
    third_message = chat_table.turn_messages()[-1]
    assert third_message.content.splitlines()[0].endswith(f" · {absent_name}'s turn")


async def test_later_pages_name_the_computer(chat_table: ChatTable) -> None:
    """The steps through the game, the log, and titles and words of animated pictures."""
    table = await chat_table.tables.get(chat_table.number)
    assert table.match is not None
    turns = turns_from(table.match.history)
    name = f"{NAMES[turns[0].seat]} (computer)"
    for seat in range(2):
        assert name in await _page_text(history_pages.show_log, table, seat, is_whole_game=True)
        assert f": {name}**" in await _page_text(history_pages.show_turn_page, table, seat, 1)
        assert "(computer)" not in await _page_text(history_pages.show_turn_page, table, seat, 2)
    picture_lines = table.narrate(table.match, None, isolated=True)
    assert any(name in line.text for line in picture_lines)
    assert all("(computer)" not in line.text for line in picture_lines if line.index >= turns[1].start)
    frame = BoardFrame(turns[0].start, turns[0].end, turns[0].seat)
    assert animations._player_name(table, frame) == name
    assert table.plain_names_at(0) == table.plain_names, "pictures of boards show who sits there"


async def test_the_recent_log_equals_the_whole_one(chat_table: ChatTable) -> None:
    """What was narrated as it was played equals what is narrated of the stored table."""
    for _ in range(3):
        await _let_computer_play_turn(chat_table)
    table = await chat_table.tables.get(chat_table.number)
    stored = await chat_table.tables.store.load(chat_table.number)
    assert stored is not None
    assert stored.row.seats == table.seats
    assert table.match is not None
    assert table.recent_log
    assert table.recent_log == table.narrate(table.match, None, table.recent_log[0].index)


async def test_somebody_who_returns_reads_what_the_computer_played(chat_table: ChatTable) -> None:
    """The story since a player's last turn begins after what they played themselves, on every surface."""
    table = await chat_table.tables.get(chat_table.number)
    seat = _first_turn(table).seat
    await play_until_turn_passes(chat_table.tables, chat_table.number, random.Random(6))
    while (await chat_table.tables.get(chat_table.number)).to_act != seat:
        await play_until_turn_passes(chat_table.tables, chat_table.number, random.Random(7))
    assert await _let_computer_play_turn(chat_table) == seat
    table = await chat_table.tables.get(chat_table.number)
    assert table.match is not None
    own_turn, substituted_turn = [turn for turn in turns_from(table.match.history) if turn.seat == seat][-2:]
    assert story_start(table, seat) == own_turn.end < substituted_turn.start
    name = f"{NAMES[seat]} (computer)"
    assert name in public_story(table, seat, 5000).text
    lines = await game_logs.log_lines_since_last_turn(table, seat)
    assert name in make_story(table, lines, seat, 5000).text
    assert name in await _page_text(history_pages.show_log, table, seat)
    assert table.has_log_from(own_turn.end), "nothing is replayed for it"
    other_seat = Seat(1 - seat)
    assert name in public_story(table, other_seat, 5000).text


async def test_a_story_goes_back_no_further_than_the_log_in_memory(
    chat_table: ChatTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a computer's turns only the last records are told, but all since the seat's last turn is over."""
    table = await chat_table.tables.get(chat_table.number)
    assert table.match is not None
    seat, length = _first_turn(table).seat, len(table.match.history)
    end = newest_finished_turn_end(table, seat)
    for count, expected_start in ((length, 0), (length - 1, 1), (length - end, end), (0, end)):
        monkeypatch.setattr(bot.host.table_turns, "MAX_LOG_RECORDS", count)
        assert story_start(table, seat) == expected_start


async def test_an_undo_takes_the_mark_back(chat_table: ChatTable) -> None:
    """What the person then plays in its place is theirs."""
    table = await chat_table.tables.get(chat_table.number)
    first_turn = _first_turn(table)
    seat = first_turn.seat
    assert table.names_at(first_turn.start)[seat] == f"{NAMES[seat]} (computer)"
    await chat_table.roll_back(first_turn.start)
    await play_until_turn_passes(chat_table.tables, chat_table.number, random.Random(5))
    table = await chat_table.tables.get(chat_table.number)
    assert table.names_at(first_turn.start)[seat] == NAMES[seat]
    assert table.seats[seat].substitute_spans == ()


async def test_the_mark_stays_with_what_was_played(chat_table: ChatTable) -> None:
    """A seat that somebody else takes keeps the marks of its earlier turns and their names."""
    table = await chat_table.tables.get(chat_table.number)
    first_turn = _first_turn(table)
    seat, spans = first_turn.seat, table.seats[first_turn.seat].substitute_spans
    await give_seat_away(chat_table.tables, chat_table.number, seat, None)
    table = await chat_table.tables.get(chat_table.number)
    assert table.seats[seat].substitute_spans == spans != ()
    assert table.names_at(first_turn.start)[seat] == f"{NAMES[seat]} (computer)"
    assert table.names_at(await chat_table.history_length())[seat] == table.names[seat]


def test_adjacent_spans_of_a_substitute_are_one() -> None:
    """A turn that is stored in parts grows no list."""
    row = (
        SeatRow("Ava").with_substitute_span(40, 44).with_substitute_span(44, 50).with_substitute_span(60, 61)
    )
    assert row.substitute_spans == ((40, 50), (60, 61))
    assert [row.substitute_played_at(index) for index in (39, 40, 49, 50, 60)] == [
        False,
        True,
        True,
        False,
        True,
    ]
