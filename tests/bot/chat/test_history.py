"""The pages about what has happened: their boards, words and files, in the requester's own view."""

import random
import re
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import cast
from unittest.mock import patch

import msgspec
import pytest

from bot import limits
from bot.__main__ import main
from bot.chat import animations, history_pages
from bot.chat.quotations import quote
from bot.chat.response import Response
from bot.chat.story import condensed_texts
from bot.host import game_calls
from bot.host.deciders.decision import Decision
from bot.host.table_turns import table_at
from bot.host.tables import Tables
from bot.store.rows import Status
from bot.store.seat_rows import SeatRow
from bot.store.sqlite import open_store
from render import catalogue
from render.paint import clear_caches
from rules.catalogue import GAMES
from rules.match import Match
from rules.model import MODERATOR, Seat
from rules.turns import last_turn_end, turns_from
from tests.bot.chat.history_pages import (
    BYSTANDER_SEAT,
    board_scene,
    draw_board,
    finished_table,
    is_same_image,
    read_frames,
    replay_to,
    show_page,
    table_after_turn_of_seat_0,
)
from tests.bot.host.playing import NAMES, begin, default_setup, make_move, request_of_person
from tests.bot.host.viewer_output import ResponseRecorder, use_scenes_as_pictures
from tests.conformance.pictures import ALL_PICTURES
from tests.trials import SOAK_MARK

GAMES_AND_REQUESTERS = (
    *((key, 0) for key in GAMES),
    *((key, BYSTANDER_SEAT) for key in ("currents", "oceans")),
)
"""(Game, seat of who asks)."""
PAINTED_IN_MAKE_TEST = (("currents", 0), ("oceans", 0), ("oceans", BYSTANDER_SEAT))
"""Those whose pictures are painted in ``make test``: the scenes of all are compared in each."""


# What happened ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "requester_seat"),
    [
        pytest.param(*each, marks=() if each in PAINTED_IN_MAKE_TEST else SOAK_MARK)
        for each in GAMES_AND_REQUESTERS
    ],
)
async def test_what_happened_is_an_animated_picture(key: str, requester_seat: int) -> None:
    """At most eight boards under 1 MB, the last that of now, in the requester's view; equal bytes again."""
    table = table_after_turn_of_seat_0(key)
    assert table.match is not None
    viewer = table.seat_of(request_of_person(requester_seat).user)
    page = await show_page(history_pages.show_log, table, requester_seat)
    picture = page.picture
    assert picture.name == "what-happened.gif"
    assert len(picture.data) < animations.MAX_RECENT_BYTES
    frames = read_frames(picture.data)
    assert 1 < len(frames) <= 8
    history = table.match.history
    assert is_same_image(frames[-1], draw_board(table, len(history), viewer))
    if viewer is not None:
        first_index = last_turn_end(history, viewer, table.match.to_act)
        assert is_same_image(
            frames[0], draw_board(table, first_index, viewer, f"1/{len(frames)} · After your turn")
        )
    assert len(picture.alt) <= limits.ALT_TEXT
    assert picture.alt.startswith(f"Animated picture of {len(frames)} boards. 1: ")
    position = 0
    for part in (*(f" {number}: " for number in range(2, len(frames) + 1)), "The board now: "):
        position = picture.alt.index(part, position + 1)
    clear_caches()
    assert (await show_page(history_pages.show_log, table, requester_seat)).picture == picture


async def test_a_bystanders_first_board_is_named_start_only_in_a_new_game() -> None:
    """A bystander is shown the last turns: the board before them is the first one only in a new game."""
    finished = finished_table()
    assert finished.match is not None
    turns = turns_from(finished.match.history)
    for table, title in ((finished, "Before"), (table_at(finished, turns[1].end), "Start")):
        with use_scenes_as_pictures():
            page = await show_page(history_pages.show_log, table, BYSTANDER_SEAT)
        assert f" 1: {title}." in page.picture.alt
        assert page.posts[-1].text.startswith("**The whole game**")
    frames = history_pages._log_content(finished, None, is_whole_game=False).frames
    assert [frame.end for frame in frames] == [turns[-7].start, *(turn.end for turn in turns[-7:])]


async def test_a_newcomer_is_shown_all_since_the_start() -> None:
    """Before they have finished a turn nothing is called their last one, though their seat has had turns."""
    table = table_after_turn_of_seat_0("currents")
    user = request_of_person(0).user
    table = table.with_player(0, SeatRow("Gita", user=user))
    with use_scenes_as_pictures():
        page = await show_page(history_pages.show_log, table, 0)
    assert page.posts[-1].text.startswith("**Since the start of the game**")
    assert "`  1` " in page.posts[-1].text
    assert f"Gita takes seat A from {NAMES[0]}." in page.posts[-1].text
    assert " 1: Start." in page.picture.alt


async def test_names_in_a_description_are_not_escaped() -> None:
    """A description of a picture knows no markup: a name stands there as its player wrote it."""
    table = table_after_turn_of_seat_0("currents")
    seats = tuple(type(row)(name=f"a_b_{i}*", user=row.user) for i, row in enumerate(table.seats))
    with use_scenes_as_pictures():
        page = await show_page(history_pages.show_log, table.with_row(seats=seats), 0)
    assert "\\" in page.posts[-1].text
    assert "\\" not in page.picture.alt
    assert "a_b_" in page.picture.alt


async def test_the_whole_log_and_nothing_new_have_no_picture() -> None:
    """Where there is nothing to show but the board, or the whole game in words is wanted."""
    table = table_after_turn_of_seat_0("currents")
    assert table.match is not None
    whole_log = await show_page(history_pages.show_log, table, 0, is_whole_game=True)
    assert "The whole game" in whole_log.posts[-1].text
    assert not whole_log.pictures
    first_choice = next(index for index, record in enumerate(table.match.history) if record.is_choice)
    assert not (await show_page(history_pages.show_log, table_at(table, first_choice), 0)).pictures


async def test_the_end_of_a_game_shows_what_is_new() -> None:
    """After a game each player sees what is new to them, and before the last turn, if it was theirs, too."""
    table = finished_table()
    assert table.match is not None
    turns = turns_from(table.match.history)
    final_turn = turns[-1]
    first_new_turn = 1 + max(i for i, turn in enumerate(turns[:-1]) if turn.seat == final_turn.seat)
    other_seat = next(seat for seat in range(len(table.seats)) if seat != final_turn.seat)
    with use_scenes_as_pictures():
        finisher_page = await show_page(history_pages.show_log, table, final_turn.seat)
        other_page = await show_page(history_pages.show_log, table, other_seat)
        paused_page = await show_page(
            history_pages.show_log, table.with_row(status=Status.PAUSED), final_turn.seat
        )
    assert finisher_page.posts[-1].text.startswith("**Since your turn before the last**")
    assert first_new_turn < len(turns) - 1
    for turn in turns[first_new_turn:]:
        for line in table.log_lines(turn.start, turn.end):
            assert line.text in finisher_page.posts[-1].text
    assert other_page.posts[-1].text.startswith("**Since your last turn**")
    for page in (finisher_page, other_page):
        assert "wins" in page.posts[-1].text
        assert page.pictures
    assert "wins" not in paused_page.posts[-1].text


# Turn by turn ----------------------------------------------------------------------------------------------


@pytest.fixture
def scenes_as_pictures() -> Iterator[None]:
    """Replace painted pictures by their scenes."""
    with use_scenes_as_pictures(), patch.object(catalogue, "PICTURES", ALL_PICTURES):
        yield


@pytest.mark.usefixtures("scenes_as_pictures")
@pytest.mark.parametrize(("key", "requester_seat"), GAMES_AND_REQUESTERS)
async def test_the_game_is_stepped_through(key: str, requester_seat: int) -> None:
    """From the last turn with Back to the start, and with Next again: each board and each turn's words."""
    table = table_after_turn_of_seat_0(key)
    assert table.match is not None
    viewer = table.seat_of(request_of_person(requester_seat).user)
    turns = turns_from(table.match.history)
    page = await show_page(history_pages.show_turn_page, table, requester_seat)
    matches = list(accumulate(table.match.history, Match.append, initial=replay_to(table, 0)))
    visited_pages = []
    for label in ("Back", "Next"):
        for _ in range(len(turns)):
            button = page.button(label)
            assert not button.disabled
            index = int(button.custom_id.argument.split()[0])
            page = await show_page(history_pages.show_turn_page, table, requester_seat, index)
            visited_pages.append((index, page))
        assert page.button(label).disabled
    assert [index for index, _ in visited_pages] == [*range(len(turns))[::-1], *range(1, len(turns) + 1)]
    for index, page in visited_pages:
        start, end = (turns[index - 1].start, turns[index - 1].end) if index else (0, turns[0].start)
        for text in condensed_texts(table, table.match.log_lines(viewer, table.names, start, end)):
            assert quote(text) in page.posts[-1].text
        pill_text = f"Page {index} of {len(turns)}" if index else "The start of the game"
        scene = board_scene(table, matches[end], viewer, pill_text)
        assert page.picture.data == msgspec.msgpack.encode(scene)
        assert page.picture.alt.startswith(f"{pill_text}. ")
        ids = [str(each.custom_id) for row in page.posts[-1].rows if isinstance(row, tuple) for each in row]
        assert len(set(ids)) == len(ids), "Discord takes no id twice"


@pytest.mark.usefixtures("scenes_as_pictures")
async def test_a_page_names_the_turn_where_turns_are_numbered() -> None:
    """Answers on others' turns are pages too, so that their numbers run ahead of the turns of the result."""
    table = table_after_turn_of_seat_0("australis")
    assert table.match is not None
    turn_number = game_calls.turn_number(table_at(table, turns_from(table.match.history)[-1].start))
    assert turn_number
    page = await show_page(history_pages.show_turn_page, table, 0)
    assert re.match(rf"\*\*Page (\d+) of \1, turn {turn_number}: ", page.posts[-1].text)
    unnumbered = await show_page(history_pages.show_turn_page, table_after_turn_of_seat_0("oceans"), 0)
    assert re.match(r"\*\*Page (\d+) of \1: ", unnumbered.posts[-1].text)


@pytest.mark.usefixtures("scenes_as_pictures")
async def test_first_and_last_lead_to_the_ends_of_the_game() -> None:
    """First and Last lead to the ends; a button of turns that were undone since shows the last one."""
    table = table_after_turn_of_seat_0("currents")
    assert table.match is not None
    page = await show_page(history_pages.show_turn_page, table, 0)
    first_index = int(page.button("First").custom_id.argument.split()[0])
    start_page = await show_page(history_pages.show_turn_page, table, 0, first_index)
    assert start_page.button("First").disabled
    assert page.button("Last").disabled
    assert not start_page.button("Last").disabled
    assert not page.button("First").disabled
    assert start_page.posts[-1].text.startswith("**The start of the game**")
    assert start_page.button("Last").custom_id.argument == "last", "no number: turns may follow"
    choice_indexes = [i for i, record in enumerate(table.match.history) if record.is_choice]
    undone = table.with_match(table.match.undo(MODERATOR, choice_indexes[len(choice_indexes) // 2]))
    stale_page = await show_page(history_pages.show_turn_page, undone, 0, len(choice_indexes) + 7)
    assert stale_page.posts == (await show_page(history_pages.show_turn_page, undone, 0)).posts


@pytest.mark.usefixtures("scenes_as_pictures")
async def test_a_former_board_names_its_own_players() -> None:
    """Its description has the names of the picture, and no computer player that came to the seat later."""
    table = table_after_turn_of_seat_0("currents")
    assert table.match is not None
    turns = turns_from(table.match.history)
    index = next(i for i, turn in enumerate(turns, 1) if table_at(table, turn.end).to_act == 0)
    former_picture = (await show_page(history_pages.show_turn_page, table, 1, index)).picture
    assert table.plain_names[0] in former_picture.alt
    record_count = len(table.match.history)
    substituted = msgspec.structs.replace(
        table.seats[0], substitute="casual", substituted_since_index=record_count
    )
    for later_table in (
        table.with_player(0, SeatRow("Gita", user=request_of_person(0).user)),
        table.with_player(0, SeatRow("Casual 1", computer="casual")),
        table.with_seat(0, substituted),
    ):
        assert (
            await show_page(history_pages.show_turn_page, later_table, 1, index)
        ).picture == former_picture


@pytest.mark.parametrize("status", [Status.PAUSED, Status.FROZEN, Status.ENDED_EARLY])
async def test_an_animated_picture_asks_nobody_to_play_while_nobody_can(status: Status) -> None:
    """Its description says how the table stands, as that of ``/board`` does."""
    table = table_after_turn_of_seat_0("currents")
    asking_text = table.game.words.status(game_calls.view(table, Seat(0)), table.plain_names)
    with use_scenes_as_pictures():
        for show in (history_pages.show_log, history_pages.show_replay):
            assert asking_text in (await show_page(show, table, 0)).picture.alt
            assert asking_text not in (await show_page(show, table.with_row(status=status), 0)).picture.alt


@pytest.mark.usefixtures("scenes_as_pictures")
async def test_only_the_last_page_of_a_game_that_has_ended_early_is_nobodys_turn() -> None:
    """The pages before show whose turn it was then."""
    table = table_after_turn_of_seat_0("currents")
    assert table.match is not None
    ended_table, last_index = table.with_row(status=Status.ENDED_EARLY), len(turns_from(table.match.history))
    for index in (last_index - 1, last_index):
        pictures = [
            (await show_page(history_pages.show_turn_page, each, 0, index)).picture
            for each in (table, ended_table)
        ]
        assert (pictures[0] == pictures[1]) is (index < last_index)
    assert "The game has ended early." in pictures[1].alt


# The file --------------------------------------------------------------------------------------------------


async def test_the_file_can_be_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``/export`` gives the requester's view of a running game, and of an ended one what the proof needs."""
    store = await open_store(tmp_path / "tables.db")
    try:
        await _prove_files(Tables(store, GAMES), tmp_path)
    finally:
        await store.close()
    assert "Record 1, stream deal" in capsys.readouterr().out


async def _prove_files(tables: Tables, folder: Path) -> None:
    number = await begin(tables, default_setup(GAMES["currents"]))
    rng = random.Random(2)
    running_text, _, running_data = await _export(tables, number)
    await change_status(tables, number, Status.FROZEN)
    assert running_data.decode() == await tables.match_file_text(number, Seat(0))
    assert running_data.decode() != await tables.match_file_text(number, None), (
        "it lacks the requester's hand"
    )
    frozen_text, _, _ = await _export(tables, number)
    await change_status(tables, number, Status.PLAYING)
    for text in (running_text, frozen_text):
        assert "It holds what you may know." in text
    while (await tables.get(number)).status is Status.PLAYING:
        await make_move(tables, number, rng)
    text, name, data = await _export(tables, number)
    assert "`captains-table proof FILE`" in text
    assert name == f"currents-{number}.txt"
    for content, code in ((data, 0), (running_data, 1)):
        file = folder / name
        file.write_bytes(content)
        assert main(["proof", str(file)]) == code


async def change_status(tables: Tables, number: int, status: Status) -> None:
    """Change the status of a table."""
    await tables.change(number, None, lambda table: Decision(table=table.with_row(status=status), answer=""))


async def _export(tables: Tables, number: int) -> tuple[str, str, bytes]:
    recorder = ResponseRecorder()
    await history_pages.show_export(tables, cast("Response", recorder), number, request_of_person(0))
    ((text, name, data),) = recorder.answers
    return text, name, data
