"""The lines of the log, and which turns its picture prefers."""

import asyncio
import math
import random
import re
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn, cast
from unittest.mock import patch

import msgspec
import pytest

from bot import limits
from bot.chat import history_pages
from bot.chat.animations import AnimationLost
from bot.chat.board_frames import recent_frames
from bot.chat.components import Button
from bot.chat.drawing_queue import newest_drawings
from bot.chat.numbered_log import NumberedLine, move_numbers, numbered_lines, with_every_choice
from bot.chat.post_parts import Post
from bot.chat.response import NotDelivered, Response
from bot.host.request import Request
from bot.host.table_turns import story_start
from bot.host.tables import Tables
from bot.store.rows import Status
from bot.store.seat_rows import EarlierPlayer
from rules.catalogue import GAMES
from rules.model import Seat
from tests.bot.chat.history_pages import BYSTANDER_SEAT, PageRecorder, show_page, table_after_turn_of_seat_0
from tests.bot.chat.post_components import button_labels, components_by_row
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.playing import request_of_person
from tests.bot.host.viewer_output import TablesOfOne, record_answers, use_scenes_as_pictures
from tests.trials import WAIT_TIMEOUT


def test_turns_that_affect_the_requester_are_preferred() -> None:
    """Those whose lines in the log say that they did."""
    seat = Seat(0)
    for table in sample_tables("oceans", 8, random.Random(1)):
        assert table.match is not None
        with patch.object(history_pages, "recent_frames", wraps=recent_frames) as recent_frames_spy:
            history_pages._log_content(table, seat, is_whole_game=False)
        start, record_indexes_affecting_viewer = recent_frames_spy.call_args.args[1:]
        lines = table.narrate(table.match, seat, start)
        assert record_indexes_affecting_viewer == {
            line.index for line in lines if seat in line.affected_seats
        }
        if 0 < len(record_indexes_affecting_viewer) < len(lines):
            return
    raise AssertionError("no turn affects the requester")


def test_lines_have_the_numbers_of_moves() -> None:
    """Choices are counted as a roll-back counts them; what happened by itself has a dot."""
    table = sample_tables("currents", 1, random.Random(1))[0]
    assert table.match is not None
    numbers = move_numbers(table.match.history)
    choices = [record.is_choice for record in table.match.history]
    assert False in choices
    assert [each for each in numbers if each != "·"] == [str(i) for i in range(1, table.move_count + 1)]
    assert [each != "·" for each in numbers] == choices


async def test_a_move_has_its_number_once() -> None:
    """The line of a scoring that a move sets off has a dot; below the log stands what the numbers count."""
    table = next(
        each
        for each in sample_tables("australis", 12, random.Random(1))
        if any("\n" in line.text for line in each.log_lines(0))
    )
    with use_scenes_as_pictures():
        page = await show_page(history_pages.show_log, table, BYSTANDER_SEAT)
    text = page.posts[-1].text
    numbers = re.findall(r"^`\s*(\d+)`", text, re.MULTILINE)
    assert len(set(numbers)) == len(numbers) > 1
    assert text.endswith("\n-# The numbers count moves, as `/table rollback` does.")


async def test_what_numbers_count_is_said_while_a_game_can_be_rolled_back() -> None:
    """Below the log of a game that is over it would be of no use."""
    table = sample_tables("currents", 1, random.Random(1))[0]
    for status, is_said in ((Status.FROZEN, True), (Status.OVER, False)):
        with use_scenes_as_pictures():
            page = await show_page(history_pages.show_log, table.with_row(status=status), BYSTANDER_SEAT)
        assert ("The numbers count moves" in page.posts[-1].text) is is_said


@pytest.mark.parametrize("key", GAMES)
async def test_numbers_have_no_gaps(key: str) -> None:
    """Each move has a line and a number, also one that its game has no words for, as the end of a turn."""
    for table in sample_tables(key, 4, random.Random(1)):
        assert table.match is not None
        log_lines = with_every_choice(table, table.log_lines(0), 0)
        lines = numbered_lines(table.match.history, log_lines)
        numbers = [int(match[1]) for line in lines if (match := re.match(r"`\s*(\d+)` .", line.text))]
        assert numbers == [*range(1, table.move_count + 1)]


async def test_a_change_of_players_is_no_move() -> None:
    """Its line has a dot: the move before it, whose index it has, has its number already."""
    table = sample_tables("currents", 1, random.Random(1))[0]
    assert table.match is not None
    first_choice = next(i for i, record in enumerate(table.match.history) if record.is_choice)
    earlier_player = EarlierPlayer("Gita", first_choice + 1)
    seat = msgspec.structs.replace(table.seats[0], earlier_players=(earlier_player,))
    with use_scenes_as_pictures():
        page = await show_page(history_pages.show_log, table.with_seat(0, seat), BYSTANDER_SEAT)
    assert f"`  ·` {table.names[0]} takes seat A from Gita." in page.posts[-1].text


async def test_a_change_of_players_after_the_reader_s_turn_is_no_move() -> None:
    """Its index is that of the reader's own last move, which the page does not show."""
    page_count = 0
    for table in sample_tables("arctic_cleanup", 8, random.Random(1)):
        assert table.match is not None
        start, history = story_start(table, Seat(0)), table.match.history
        if not start or start == len(history) or not history[start - 1].is_choice:
            continue
        seat = msgspec.structs.replace(table.seats[1], earlier_players=(EarlierPlayer("Gita", start),))
        with use_scenes_as_pictures():
            page = await show_page(history_pages.show_log, table.with_seat(1, seat), 0)
        assert f"`  ·` {table.names[1]} takes seat B from Gita." in page.posts[-1].text
        page_count += 1
    assert page_count


@pytest.mark.parametrize("key", GAMES)
async def test_whoever_is_to_play_can_play_from_the_log(key: str) -> None:
    """**Play** stands there for the seat to act alone, and only while the game is played."""
    table = sample_tables(key, 2, random.Random(key))[-1]
    assert table.to_act is not None
    cases = [(table, Seat(seat), seat == table.to_act) for seat in range(len(table.seats))]
    cases.append((table.with_row(status=Status.PAUSED), table.to_act, False))
    for each, seat, expected in cases:
        tables, request = cast("Tables", TablesOfOne(each)), request_of_person(seat, interaction=1)
        with use_scenes_as_pictures():
            shown = await record_answers(partial(_show_log, tables, each.number, request))
        assert ("'label': 'Play'" in str(shown)) is expected


async def _show_log(tables: Tables, number: int, request: Request, response: Response) -> None:
    await history_pages.show_log(tables, response, number, request)


def test_a_log_that_is_too_long_has_pages() -> None:
    """The newest lines come first; each page but the last has as many lines as it has room for."""
    lines = [NumberedLine("1", f"Line {number}." + "x" * 90) for number in range(100)]
    pages = history_pages._pages_from_newest(lines)
    assert [line for page in reversed(pages) for line in page] == lines
    for page in pages[:-1]:
        assert (
            limits.COMPONENTS_V2_TEXT - 400
            < len("\n".join(line.text for line in page))
            < limits.COMPONENTS_V2_TEXT - 100
        )
    assert history_pages._pages_from_newest(lines[:9]) == [lines[:9]]
    short_line, long_line = NumberedLine("1", "Go."), NumberedLine("2", "x" * limits.COMPONENTS_V2_TEXT)
    pages = history_pages._pages_from_newest([short_line, long_line])
    assert pages == [[long_line], [short_line]], "no page is empty"


async def test_every_move_can_be_reached_from_the_log_of_the_whole_game() -> None:
    """Each page names its moves, with a mark where others are; its buttons lead to the others."""
    table = max(sample_tables("oceans", 40, random.Random(1)), key=lambda each: each.move_count)
    page = await show_page(history_pages.show_log, table, Seat(0), is_whole_game=True)
    assert button_labels(page.posts[-1])[-2:] == ["Older moves", "Newer moves"]
    texts = []
    for index in range(99):
        page = await show_page(history_pages.show_log, table, Seat(0), is_whole_game=True, page_index=index)
        text = page.posts[-1].text
        first, *_, last = numbers = re.findall(r"^`\s*(\d+)`", text, re.MULTILINE)
        assert text.startswith(f"**Moves {first} to {last} of {table.move_count}** · "), numbers
        texts.append(text)
        older_button = components_by_row(page.posts[-1])[-1][0]
        assert isinstance(older_button, Button)
        if older_button.disabled:
            break
    assert len(texts) > 1
    shorter = await show_page(history_pages.show_log, table, Seat(0), is_whole_game=True, page_index=99)
    assert shorter.posts[-1].text == texts[-1], "moves were taken back since the button was shown"
    assert ["\n…\n`" in text for text in texts] == [True] * (len(texts) - 1) + [False]
    assert ["\n…\n-#" in text for text in texts] == [False] + [True] * (len(texts) - 1)
    lines = [line for text in reversed(texts) for line in text.splitlines() if line.startswith("`")]
    assert table.match is not None
    whole_log = table.narrate(table.match, Seat(0), 0)
    assert len(lines) == len([text for line in whole_log for text in line.text.splitlines()])


async def test_the_words_of_the_log_do_not_wait_for_a_slow_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says that its picture is being drawn until it is there; a quick one comes at once."""
    table = table_after_turn_of_seat_0("currents")
    monkeypatch.setattr(history_pages, "PROGRESS_INTERVAL", math.inf)
    quick = await show_page(history_pages.show_log, table, 0)
    monkeypatch.setattr(history_pages, "PROGRESS_INTERVAL", 0.0)
    slow = await show_page(history_pages.show_log, table, 0)
    (whole_post,) = quick.posts
    words_post, *other_posts = slow.posts
    assert words_post.text == f"{whole_post.text}\n-# I am drawing the boards of these turns."
    assert words_post.rows == whole_post.rows
    assert other_posts == [whole_post]
    assert slow.picture == quick.picture


class _ScriptedPageRecorder(PageRecorder):
    """Records pages of a message; refuses those of a kind, and runs a function once words are shown."""

    shown_message_id = 77

    def __init__(self, *, refuses: Callable[[Any], bool] = lambda _: False) -> None:
        super().__init__()
        self.refuses = refuses
        self.after_words: Callable[[], object] = lambda: None

    async def show(self, post: Post, pictures: Any = (), **keywords: object) -> None:
        if self.refuses(pictures):
            raise NotDelivered
        await super().show(post, pictures, **keywords)
        if not pictures:
            self.after_words()


async def _show_slow_log(
    monkeypatch: pytest.MonkeyPatch, recorder: _ScriptedPageRecorder, interval: float = 0.0
) -> None:
    table = table_after_turn_of_seat_0("currents")
    monkeypatch.setattr(history_pages, "PROGRESS_INTERVAL", interval)
    await history_pages.show_log(
        cast("Tables", TablesOfOne(table)), cast("Response", recorder), table.number, request_of_person(0)
    )


async def test_the_log_arrives_although_its_words_alone_were_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that could not be sent without its picture is sent with it."""
    recorder = _ScriptedPageRecorder(refuses=lambda pictures: not pictures)
    await _show_slow_log(monkeypatch, recorder)
    assert recorder.picture.name == "what-happened.gif"


async def test_the_picture_of_the_log_replaces_no_newer_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who went on from the words, with a button below them, keeps the page that it led to."""
    recorder = _ScriptedPageRecorder()
    show_newer_page = partial(newest_drawings.register, _ScriptedPageRecorder.shown_message_id)
    recorder.after_words = lambda: asyncio.get_running_loop().call_soon(show_newer_page)
    await _show_slow_log(monkeypatch, recorder)
    assert [post.text.splitlines()[-1] for post in recorder.posts] == [
        "-# I am drawing the boards of these turns."
    ]


async def test_the_words_of_the_log_outlast_a_picture_that_is_not_delivered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The page stays and no longer says that its picture is being drawn."""
    recorder = _ScriptedPageRecorder(refuses=bool)
    await _show_slow_log(monkeypatch, recorder)
    words_post, last_post = recorder.posts
    words = words_post.text.removesuffix("\n-# I am drawing the boards of these turns.")
    assert last_post.text == f"{words}\n-# The boards of these turns could not be shown."
    assert last_post.rows == words_post.rows


async def test_the_words_of_the_log_outlast_a_picture_that_is_not_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The reason stands below them; they are not replaced by it."""
    recorder, words_are_shown = _ScriptedPageRecorder(), asyncio.Event()
    recorder.after_words = words_are_shown.set

    async def refuse(*_: object) -> NoReturn:
        async with asyncio.timeout(WAIT_TIMEOUT):
            await words_are_shown.wait()
        raise AnimationLost

    monkeypatch.setattr(history_pages, "draw_recent_animation", refuse)
    monkeypatch.setattr(history_pages, "record_refusal", lambda *_: None)
    await _show_slow_log(monkeypatch, recorder)
    words_post, last_post = recorder.posts
    words = words_post.text.removesuffix("\n-# I am drawing the boards of these turns.")
    assert last_post.text == f"{words}\n-# {AnimationLost()}"


async def test_a_log_that_nobody_waits_for_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no response is possible any more, the drawing ends with the request."""
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def draw_for_ever(*_: object) -> NoReturn:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        raise AssertionError

    monkeypatch.setattr(history_pages, "draw_recent_animation", draw_for_ever)
    showing = asyncio.create_task(_show_slow_log(monkeypatch, _ScriptedPageRecorder(), math.inf))
    async with asyncio.timeout(WAIT_TIMEOUT):
        await begun.wait()
        showing.cancel()
        await asyncio.wait({showing})
        await cancelled.wait()
