"""The replay of a game as an animated picture: what it shows, its limit, its progress."""

import asyncio
import random
from typing import Any, cast

import pytest

from bot import limits
from bot.chat import animations, drawing_queue, history_pages
from bot.chat.drawing_order import DrawingPriority
from bot.chat.drawing_queue import draw_in_queue, drawing_settings
from bot.chat.post_parts import Post
from bot.chat.response import NotDelivered, Response
from bot.host.request import Refusal
from bot.host.table_turns import table_at
from bot.host.tables import Tables
from render.paint import clear_caches
from rules.catalogue import GAMES
from rules.model import Seat
from rules.turns import turns_from
from tests.bot.chat.history_pages import (
    BYSTANDER_SEAT,
    PageRecorder,
    draw_board,
    is_same_image,
    ply_of,
    read_frames,
    show_page,
    table_after_turn_of_seat_0,
)
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.playing import request_of_person
from tests.bot.host.viewer_output import TablesOfOne, use_scenes_as_pictures
from tests.trials import cases

# The replay ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("key", cases(GAMES, "currents"))
async def test_the_replay_shows_every_turn(key: str) -> None:
    """One board for the start and each turn, the last one that of now, at most 8 MiB; equal bytes again."""
    table = min(sample_tables(key, 4, random.Random(4)), key=ply_of)
    assert table.match is not None
    page = await show_page(history_pages.show_replay, table, 0)
    frames, history = read_frames(page.picture.data), table.match.history
    turns = turns_from(history)
    assert len(frames) == len(turns) + 1
    assert is_same_image(frames[0], draw_board(table, turns[0].start, Seat(0), f"1/{len(frames)} · Start"))
    assert is_same_image(frames[-1], draw_board(table, len(history), Seat(0)))
    assert page.picture.name == "replay.gif"
    assert "The first board, then one after each turn, set-up included." in page.posts[-1].text
    assert f"{len(frames)} boards" in page.picture.alt
    clear_caches()
    assert (await show_page(history_pages.show_replay, table, 0)).picture == page.picture
    assert animations.MAX_REPLAY_BYTES == 8 * 2**20 < limits.FILE_BYTES


async def test_the_replay_of_a_game_that_has_just_begun_shows_one_board() -> None:
    """Before the first choice there is one board, and its description counts it as one."""
    table = table_after_turn_of_seat_0("currents")
    assert table.match is not None
    first_choice = next(index for index, record in enumerate(table.match.history) if record.is_choice)
    with use_scenes_as_pictures():
        page = await show_page(history_pages.show_replay, table_at(table, first_choice), 0)
    assert page.picture.alt.startswith("Animated picture of the whole game, 1 board. ")


@pytest.mark.slow
async def test_a_long_replay_keeps_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are left out, never the last one, and the page says how many are shown."""
    table = sorted(sample_tables("currents", 8, random.Random(4)), key=ply_of)[4]
    assert table.match is not None
    whole = await show_page(history_pages.show_replay, table, 0)
    monkeypatch.setattr(animations, "MAX_REPLAY_BYTES", len(whole.picture.data) * 2 // 3)
    shortened = await show_page(history_pages.show_replay, table, 0)
    assert len(shortened.picture.data) <= len(whole.picture.data) * 2 // 3
    frame_count, turn_count = len(read_frames(shortened.picture.data)), len(turns_from(table.match.history))
    assert f"{frame_count} of {turn_count + 1} boards." in shortened.posts[-1].text
    assert is_same_image(
        read_frames(shortened.picture.data)[-1], draw_board(table, len(table.match.history), Seat(0))
    )


async def _replay_with_refusals(monkeypatch: pytest.MonkeyPatch, *, refuses_pictures: bool) -> PageRecorder:
    """Ask for a replay where either its pages with pictures or those without arrive nowhere."""

    class RefusingRecorder(PageRecorder):
        async def show(self, post: Post, pictures: Any = (), **_: object) -> None:
            if bool(pictures) is refuses_pictures:
                raise NotDelivered
            await super().show(post, pictures)

    table, recorder = table_after_turn_of_seat_0("currents"), RefusingRecorder()
    with use_scenes_as_pictures():
        monkeypatch.setattr(history_pages, "PROGRESS_INTERVAL", 0.0)
        await history_pages.show_replay(
            cast("Tables", TablesOfOne(table)), cast("Response", recorder), table.number, request_of_person(0)
        )
    return recorder


async def test_a_replay_arrives_although_its_progress_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that could not be edited meanwhile shows the whole game in the end."""
    recorder = await _replay_with_refusals(monkeypatch, refuses_pictures=False)
    assert "The first board, then one after each turn, set-up included." in recorder.posts[-1].text


async def test_a_replay_that_is_refused_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Discord does not take the file, the page no longer says that it is being drawn."""
    recorder = await _replay_with_refusals(monkeypatch, refuses_pictures=True)
    text = "The replay could not be shown. Type `/replay` again, or press **Step through the game** below."
    assert text in recorder.posts[-1].text


async def test_a_replay_that_is_being_drawn_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its page counts the boards, and others say that they follow; who waits for one gets no second one."""
    monkeypatch.setattr(history_pages, "PROGRESS_INTERVAL", 0.0)
    table = table_after_turn_of_seat_0("currents")
    first_replay = asyncio.create_task(show_page(history_pages.show_replay, table, 0))
    await asyncio.sleep(0)
    with pytest.raises(Refusal, match="still drawing"):
        await show_page(history_pages.show_replay, table, 0)
    others = await asyncio.gather(
        *(
            show_page(history_pages.show_replay, table, requester_seat)
            for requester_seat in (1, BYSTANDER_SEAT)
        )
    )
    for other in others:  # the last one is not next
        assert other.posts[0].text.endswith("\nAnother replay is being drawn. Yours follows.")
    texts = [post.text for post in (await first_replay).posts]
    assert texts[0].endswith(f"1 of {len(texts)} boards.")
    assert table.match is not None
    assert len(texts) == len(turns_from(table.match.history)) + 1
    await show_page(history_pages.show_replay, table, 0)


async def test_progress_is_not_reported_for_each_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each report is an edit: the next one waits for some seconds."""
    table = table_after_turn_of_seat_0("currents")
    with use_scenes_as_pictures():
        monkeypatch.setattr(history_pages, "PROGRESS_INTERVAL", 600.0)
        monkeypatch.setattr(asyncio.get_running_loop(), "time", iter(range(1_000, 100_000)).__next__)
        page = await show_page(history_pages.show_replay, table, 0)
    assert [post.text.count("I am drawing it: 1 of ") for post in page.posts] == [1, 0]


async def test_a_replay_is_the_least_urgent_to_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its boards come after those that are posted, hands and answers."""
    priorities: list[DrawingPriority] = []

    async def animate(*_: object) -> None:
        priorities.append(drawing_queue._settings.get().priority)
        raise Refusal("enough")

    monkeypatch.setattr(history_pages, "draw_replay_animation", animate)
    with pytest.raises(Refusal, match="enough"):
        await show_page(history_pages.show_replay, table_after_turn_of_seat_0("currents"), 0)
    assert priorities == [max(DrawingPriority)]


@pytest.mark.slow
async def test_other_pictures_do_not_wait_for_a_replay() -> None:
    """What is drawn for an answer meanwhile is shown long before the replay is done."""
    table = table_after_turn_of_seat_0("oceans")
    replay = asyncio.create_task(show_page(history_pages.show_replay, table, 0))
    drawn_count = 0
    while not replay.done():
        with drawing_settings(DrawingPriority.ANSWER):
            await draw_in_queue(table.row, lambda: None)
        drawn_count += 1
    assert drawn_count > 3
    assert replay.result().picture.name == "replay.gif"
