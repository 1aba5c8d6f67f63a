"""The pages about what has happened: their boards, words and files, in the asker's own view."""

import asyncio
import io
import random
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import msgspec
import pytest
from PIL import Image, ImageChops

from bot import limits
from bot.__main__ import main
from bot.chat import animations, drawing_queue, history_pages, pictures
from bot.chat.components import Button
from bot.chat.drawing_order import DrawingPriority
from bot.chat.drawing_queue import draw_in_queue, drawing_settings
from bot.chat.posts import Post
from bot.chat.response import NotDelivered, Response
from bot.host import game_calls
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.table_turns import table_at
from bot.host.tables import Tables
from bot.store.rows import Status
from bot.store.seat_rows import SeatRow
from bot.store.sqlite import open_store
from render import catalogue
from render.caption import Caption
from render.paint import clear_caches, render_png
from render.picture import BOARD, PictureContext
from render.scene import Scene
from rules.catalogue import GAMES
from rules.game import MODERATOR, Seat
from rules.match import Match
from rules.players import random_player
from rules.turns import last_turn_end, turns_from
from tests.bot.chat.sample_tables import make_table, sample_tables
from tests.bot.host.playing import begin, default_setup, make_move, request_of
from tests.bot.host.viewer_output import OneTable, ResponseRecorder, use_scenes_as_pictures
from tests.conformance.pictures import ALL_PICTURES
from tests.trials import SOAK_MARK, cases

BYSTANDER = 6
"""Who asks as a bystander: no game has so many seats."""
GAMES_AND_ASKERS = (*((key, 0) for key in GAMES), *((key, BYSTANDER) for key in ("currents", "oceans")))
"""Games, and who asks."""
DRAWN_IN_COMMITS = (("currents", 0), ("oceans", 0), ("oceans", BYSTANDER))
"""Those whose pictures are painted in ``make test``: the scenes of all are compared in each."""


class _PageRecorder(ResponseRecorder):
    """Records posts and pictures as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.posts: list[Post] = []
        self.pictures: list[pictures.DrawnPicture] = []

    async def show(self, post: Post, shown: Any = (), **_: object) -> None:
        self.posts.append(post)
        self.pictures = list(shown)

    async def defer(self) -> None:
        """Nothing to show yet."""

    @property
    def picture(self) -> pictures.DrawnPicture:
        (only,) = self.pictures
        return only

    def button(self, label: str) -> Button:
        buttons = [each for row in self.posts[-1].rows if isinstance(row, tuple) for each in row]
        return next(each for each in buttons if isinstance(each, Button) and each.label == label)


async def _show(page: Any, table: Table, user: int, *arguments: Any, **keywords: Any) -> _PageRecorder:
    recorder = _PageRecorder()
    tables = cast("Tables", OneTable(table))
    await page(tables, cast("Response", recorder), table.number, request_of(user), *arguments, **keywords)
    return recorder


@cache
def _later_table(key: str) -> Table:
    """Return a table at which seat 0 has played and somebody since, early in its game."""
    for seed in range(100):
        for table in sorted(sample_tables(key, 8, random.Random(seed)), key=_ply):
            assert table.match is not None
            since = last_turn_end(table.match.history, Seat(0), table.match.to_act)
            if 0 < since < len(table.match.history):
                return table
    raise AssertionError("no such table")


def _ply(table: Table) -> int:
    return table.row.ply


def _frames(data: bytes) -> list[Image.Image]:
    with Image.open(io.BytesIO(data)) as image:
        frames = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            frames.append(image.convert("RGB"))
        return frames


def _board(table: Table, end: int, viewer: Seat | None, title: str = "") -> Image.Image:
    """Return the board after so many records, replayed from the first one."""
    with Image.open(io.BytesIO(render_png(_scene(table, _replayed(table, end), viewer, title)))) as image:
        return image.convert("RGB")


def _replayed(table: Table, end: int) -> Match:
    match = table.match
    assert match is not None
    return Match.replay(match.game, match.seats, match.options, None, match.history[:end])


def _scene(table: Table, match: Match, viewer: Seat | None, title: str) -> Scene:
    context = PictureContext(Caption(table.number, table.plain_names, title), match.recent_events)
    return ALL_PICTURES[table.game.key][BOARD].draw(match.view(viewer), context)


def _is_same_image(image: Image.Image, other: Image.Image) -> bool:
    return ImageChops.difference(image, other).getbbox() is None


# What happened ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "user"),
    [pytest.param(*each, marks=() if each in DRAWN_IN_COMMITS else SOAK_MARK) for each in GAMES_AND_ASKERS],
)
async def test_what_happened_is_an_animated_picture(key: str, user: int) -> None:
    """At most eight boards under 1 MB, the last one that of now, in the asker's view; equal bytes again."""
    table = _later_table(key)
    assert table.match is not None
    seat = table.seat_of(request_of(user).user)
    shown = await _show(history_pages.show_log, table, user)
    drawn = shown.picture
    assert drawn.name == "what-happened.gif"
    assert len(drawn.data) < animations.MAX_RECENT_BYTES
    frames = _frames(drawn.data)
    assert 1 < len(frames) <= 8
    history = table.match.history
    assert _is_same_image(frames[-1], _board(table, len(history), seat))
    if seat is not None:
        first = last_turn_end(history, seat, table.match.to_act)
        assert _is_same_image(frames[0], _board(table, first, seat, f"1/{len(frames)} · After your turn"))
    assert len(drawn.alt) <= limits.ALT_TEXT
    assert drawn.alt.startswith(f"Animated picture of {len(frames)} boards. 1: ")
    position = 0
    for part in (*(f" {number}: " for number in range(2, len(frames) + 1)), "The board now: "):
        position = drawn.alt.index(part, position + 1)
    clear_caches()
    assert (await _show(history_pages.show_log, table, user)).picture == drawn


async def test_a_bystanders_first_board_is_named_start_only_in_a_new_game() -> None:
    """A bystander is shown the last turns: the board before them is the first one only in a new game."""
    finished = _finished_table()
    assert finished.match is not None
    new = table_at(finished, turns_from(finished.match.history)[1].end)
    for table, title in ((finished, "Before"), (new, "Start")):
        with use_scenes_as_pictures():
            shown = await _show(history_pages.show_log, table, BYSTANDER)
        assert f" 1: {title}." in shown.picture.alt
        assert shown.posts[-1].text.startswith("**The whole game**")
    turns = turns_from(finished.match.history)
    frames = history_pages._recent_events(finished, None, everything=False).frames
    assert [frame.end for frame in frames] == [turns[-7].start, *(turn.end for turn in turns[-7:])]


async def test_a_newcomer_is_shown_all_since_the_start() -> None:
    """Before they have finished a turn nothing is called their last one, though their seat has had turns."""
    table = _later_table("currents")
    user = request_of(0).user
    table = table.with_player(0, SeatRow("Gita", user=user))
    with use_scenes_as_pictures():
        shown = await _show(history_pages.show_log, table, 0)
    assert shown.posts[-1].text.startswith("**Since the start of the game**")
    assert "`  1` " in shown.posts[-1].text
    assert " 1: Start." in shown.picture.alt


async def test_names_in_a_description_are_not_escaped() -> None:
    """A description of a picture knows no markup: a name stands there as its player wrote it."""
    table = _later_table("currents")
    seats = tuple(type(row)(name=f"a_b_{i}*", user=row.user) for i, row in enumerate(table.seats))
    with use_scenes_as_pictures():
        shown = await _show(history_pages.show_log, table.with_row(seats=seats), 0)
    assert "\\" in shown.posts[-1].text
    assert "\\" not in shown.picture.alt
    assert "a_b_" in shown.picture.alt


async def test_the_whole_log_and_nothing_new_have_no_picture() -> None:
    """Where there is nothing to show but the board, or the whole game in words is wanted."""
    table = _later_table("currents")
    assert table.match is not None
    whole = await _show(history_pages.show_log, table, 0, everything=True)
    assert "The whole game" in whole.posts[-1].text
    assert not whole.pictures
    first = next(index for index, record in enumerate(table.match.history) if record.is_choice)
    assert not (await _show(history_pages.show_log, table_at(table, first), 0)).pictures


async def test_the_end_of_a_game_shows_what_is_new() -> None:
    """After a game each player sees what is new to them, or the last turn if it was theirs."""
    table = _finished_table()
    assert table.match is not None
    final = turns_from(table.match.history)[-1]
    other = next(seat for seat in range(len(table.seats)) if seat != final.seat)
    with use_scenes_as_pictures():
        finisher = await _show(history_pages.show_log, table, final.seat)
        waiting = await _show(history_pages.show_log, table, other)
        paused = await _show(history_pages.show_log, table.with_row(status=Status.PAUSED), final.seat)
    assert finisher.posts[-1].text.startswith("**The last turn**")
    assert waiting.posts[-1].text.startswith("**Since your last turn**")
    for pages in (finisher, waiting):
        assert "wins" in pages.posts[-1].text
        assert pages.pictures
    assert "wins" not in paused.posts[-1].text


def _finished_table() -> Table:
    setup = default_setup(GAMES["currents"])
    rng = random.Random(5)
    match = Match.begin(setup.game, setup.seats, setup.options, rng.randbytes(32))
    while (seat := match.to_act) is not None:
        match = match.play(seat, random_player.choose(setup.game, match.view(seat), rng))
    return make_table(setup, match).with_row(status=Status.OVER)


# Turn by turn ----------------------------------------------------------------------------------------------


@pytest.fixture
def scenes() -> Iterator[None]:
    """Replace painted pictures by their scenes."""
    with use_scenes_as_pictures(), patch.object(catalogue, "PICTURES", ALL_PICTURES):
        yield


@pytest.mark.usefixtures("scenes")
@pytest.mark.parametrize(("key", "user"), GAMES_AND_ASKERS)
async def test_the_game_is_stepped_through(key: str, user: int) -> None:
    """From the last turn with Back to the start, and with Next again: each board and each turn's words."""
    table = _later_table(key)
    assert table.match is not None
    seat = table.seat_of(request_of(user).user)
    turns = turns_from(table.match.history)
    lines = table.match.log_lines(seat, table.names)
    page = await _show(history_pages.show_history, table, user)
    matches = list(accumulate(table.match.history, Match.append, initial=_replayed(table, 0)))
    seen = []
    for label in ("Back", "Next"):
        for _ in range(len(turns)):
            button = page.button(label)
            assert not button.disabled
            index = int(button.id.argument.split()[0])
            page = await _show(history_pages.show_history, table, user, index)
            seen.append((index, page))
        assert page.button(label).disabled
    assert [index for index, _ in seen] == [*range(len(turns))[::-1], *range(1, len(turns) + 1)]
    for index, page in seen:
        start, end = (turns[index - 1].start, turns[index - 1].end) if index else (0, turns[0].start)
        for line in lines:
            if start <= line.index < end:
                assert all(f"> {each}" in page.posts[-1].text for each in line.text.splitlines())
        pill_text = f"Page {index} of {len(turns)}" if index else "The start of the game"
        scene = _scene(table, matches[end], seat, pill_text)
        assert page.picture.data == msgspec.msgpack.encode(scene)
        assert page.picture.alt.startswith(f"{pill_text}. ")
        ids = [str(each.id) for row in page.posts[-1].rows if isinstance(row, tuple) for each in row]
        assert len(set(ids)) == len(ids), "Discord takes no id twice"


@pytest.mark.usefixtures("scenes")
async def test_first_last_and_stale_buttons() -> None:
    """First and Last lead to the ends; a button of turns that were undone since shows the last one."""
    table = _later_table("currents")
    assert table.match is not None
    page = await _show(history_pages.show_history, table, 0)
    first = int(page.button("First").id.argument.split()[0])
    start = await _show(history_pages.show_history, table, 0, first)
    assert start.button("First").disabled
    assert page.button("Last").disabled
    assert not start.button("Last").disabled
    assert not page.button("First").disabled
    assert start.posts[-1].text.startswith("**The start of the game**")
    assert not start.button("Last").id.argument.split()[0].isdecimal(), "turns may follow"
    choices = [i for i, record in enumerate(table.match.history) if record.is_choice]
    undone = table.with_match(table.match.undo(MODERATOR, choices[len(choices) // 2]))
    stale = await _show(history_pages.show_history, undone, 0, len(choices) + 7)
    assert stale.posts == (await _show(history_pages.show_history, undone, 0)).posts


@pytest.mark.usefixtures("scenes")
async def test_a_former_board_names_its_own_players() -> None:
    """Its description has the names of the picture, and no computer player that came to the seat later."""
    table = _later_table("currents")
    assert table.match is not None
    turns = turns_from(table.match.history)
    index = next(i for i, turn in enumerate(turns, 1) if table_at(table, turn.end).to_act == 0)
    before = (await _show(history_pages.show_history, table, 1, index)).picture
    assert table.plain_names[0] in before.alt
    length = len(table.match.history)
    substituted = msgspec.structs.replace(table.seats[0], substitute="casual", substituted_since=length)
    for later in (
        table.with_player(0, SeatRow("Gita", user=request_of(0).user)),
        table.with_player(0, SeatRow("Casual 1", computer="casual")),
        table.with_seat(0, substituted),
    ):
        assert (await _show(history_pages.show_history, later, 1, index)).picture == before


# The replay ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("key", cases(GAMES, "currents", "oceans"))
async def test_the_replay_shows_every_turn(key: str) -> None:
    """One board for the start and each turn, the last one that of now, at most 8 MiB; equal bytes again."""
    table = min(sample_tables(key, 4, random.Random(4)), key=_ply)
    assert table.match is not None
    shown = await _show(history_pages.show_replay, table, 0)
    frames, history = _frames(shown.picture.data), table.match.history
    turns = turns_from(history)
    assert len(frames) == len(turns) + 1
    assert _is_same_image(frames[0], _board(table, turns[0].start, Seat(0), f"1/{len(frames)} · Start"))
    assert _is_same_image(frames[-1], _board(table, len(history), Seat(0)))
    assert shown.picture.name == "replay.gif"
    assert "Every board of the game." in shown.posts[-1].text
    assert f"{len(frames)} boards" in shown.picture.alt
    clear_caches()
    assert (await _show(history_pages.show_replay, table, 0)).picture == shown.picture
    assert animations.MAX_REPLAY_BYTES == 8 * 2**20 < limits.FILE_BYTES


async def test_the_replay_of_a_game_that_has_just_begun_shows_one_board() -> None:
    """Before the first choice there is one board, and its description counts it as one."""
    table = _later_table("currents")
    assert table.match is not None
    first = next(index for index, record in enumerate(table.match.history) if record.is_choice)
    with use_scenes_as_pictures():
        shown = await _show(history_pages.show_replay, table_at(table, first), 0)
    assert shown.picture.alt.startswith("Animated picture of the whole game, 1 board. ")


@pytest.mark.slow
async def test_a_long_replay_keeps_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are left out, never the last one, and the page says how many are shown."""
    table = sorted(sample_tables("currents", 8, random.Random(4)), key=_ply)[4]
    assert table.match is not None
    whole = await _show(history_pages.show_replay, table, 0)
    monkeypatch.setattr(animations, "MAX_REPLAY_BYTES", len(whole.picture.data) * 2 // 3)
    fewer = await _show(history_pages.show_replay, table, 0)
    assert len(fewer.picture.data) <= len(whole.picture.data) * 2 // 3
    count, turns = len(_frames(fewer.picture.data)), len(turns_from(table.match.history))
    assert f"{count} of {turns + 1} boards." in fewer.posts[-1].text
    assert _is_same_image(_frames(fewer.picture.data)[-1], _board(table, len(table.match.history), Seat(0)))


async def _replay_with_refusals(monkeypatch: pytest.MonkeyPatch, *, refuses_pictures: bool) -> _PageRecorder:
    """Ask for a replay where either its pages with pictures or those without arrive nowhere."""

    class Refusing(_PageRecorder):
        async def show(self, post: Post, shown: Any = (), **_: object) -> None:
            if bool(shown) is refuses_pictures:
                raise NotDelivered
            await super().show(post, shown)

    table, recorder = _later_table("currents"), Refusing()
    with use_scenes_as_pictures():
        monkeypatch.setattr(history_pages, "PROGRESS_SECONDS", 0.0)
        await history_pages.show_replay(
            cast("Tables", OneTable(table)), cast("Response", recorder), table.number, request_of(0)
        )
    return recorder


async def test_a_replay_arrives_although_its_progress_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that could not be edited meanwhile shows the whole game in the end."""
    recorder = await _replay_with_refusals(monkeypatch, refuses_pictures=False)
    assert "Every board of the game." in recorder.posts[-1].text


async def test_a_replay_that_is_refused_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Discord does not take the file, the page no longer says that it is being drawn."""
    recorder = await _replay_with_refusals(monkeypatch, refuses_pictures=True)
    text = "The replay could not be shown. Type `/replay` again, or press **Step through the game** below."
    assert text in recorder.posts[-1].text


@pytest.mark.parametrize("status", [Status.PAUSED, Status.FROZEN, Status.ENDED])
async def test_an_animated_picture_asks_nobody_to_play_while_nobody_can(status: Status) -> None:
    """Its description says how the table stands, as that of ``/board`` does."""
    table = _later_table("currents")
    asking_text = table.game.words.status(game_calls.view(table, Seat(0)), table.plain_names)
    with use_scenes_as_pictures():
        for show in (history_pages.show_log, history_pages.show_replay):
            assert asking_text in (await _show(show, table, 0)).picture.alt
            assert asking_text not in (await _show(show, table.with_row(status=status), 0)).picture.alt


async def test_a_replay_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page counts the boards; who waits for one replay gets no second one."""
    monkeypatch.setattr(history_pages, "PROGRESS_SECONDS", 0.0)
    table = _later_table("currents")
    first = asyncio.create_task(_show(history_pages.show_replay, table, 0))
    await asyncio.sleep(0)
    with pytest.raises(Refusal, match="still drawing"):
        await _show(history_pages.show_replay, table, 0)
    others = await asyncio.gather(*(_show(history_pages.show_replay, table, user) for user in (1, BYSTANDER)))
    for other in others:  # the last one is not next
        assert other.posts[0].text.endswith("\nAnother replay is being drawn. Yours follows.")
    texts = [post.text for post in (await first).posts]
    assert texts[0].endswith(f"1 of {len(texts)} boards.")
    assert table.match is not None
    assert len(texts) == len(turns_from(table.match.history)) + 1
    await _show(history_pages.show_replay, table, 0)


async def test_progress_is_not_reported_for_each_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each report is an edit: the next one waits for some seconds."""
    table = _later_table("currents")
    with use_scenes_as_pictures():
        monkeypatch.setattr(history_pages, "PROGRESS_SECONDS", 600.0)
        monkeypatch.setattr(asyncio.get_running_loop(), "time", iter(range(1_000, 100_000)).__next__)
        shown = await _show(history_pages.show_replay, table, 0)
    assert [post.text.count("I am drawing it: 1 of ") for post in shown.posts] == [1, 0]


async def test_a_replay_is_the_least_urgent_to_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its boards come after those that are posted, hands and answers."""
    found: list[DrawingPriority] = []

    async def animate(*_: object) -> None:
        found.append(drawing_queue._settings.get().priority)
        raise Refusal("enough")

    monkeypatch.setattr(history_pages, "replay_animation", animate)
    with pytest.raises(Refusal, match="enough"):
        await _show(history_pages.show_replay, _later_table("currents"), 0)
    assert found == [max(DrawingPriority)]


@pytest.mark.slow
async def test_other_pictures_do_not_wait_for_a_replay() -> None:
    """What is drawn for an answer meanwhile is shown long before the replay is done."""
    table = _later_table("oceans")
    replay = asyncio.create_task(_show(history_pages.show_replay, table, 0))
    drawn = 0
    while not replay.done():
        with drawing_settings(DrawingPriority.ANSWER):
            await draw_in_queue(table.row, lambda: None)
        drawn += 1
    assert drawn > 3
    assert replay.result().picture.name == "replay.gif"


# The file --------------------------------------------------------------------------------------------------


async def test_the_file_can_be_proved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``/export`` gives the asker's own view of a running game, and of an ended one what the proof needs."""
    store = await open_store(tmp_path / "tables.db")
    try:
        await _prove_files(Tables(store, GAMES), tmp_path)
    finally:
        await store.close()
    assert "Record 1, stream deal" in capsys.readouterr().out


async def _prove_files(tables: Tables, folder: Path) -> None:
    number = await begin(tables, default_setup(GAMES["currents"]))
    rng = random.Random(2)
    running = await _export(tables, number)
    await change_status(tables, number, Status.FROZEN)
    assert running[2].decode() == await tables.match_file_text(number, Seat(0))
    assert running[2].decode() != await tables.match_file_text(number, None), "it lacks the asker's hand"
    frozen = await _export(tables, number)
    await change_status(tables, number, Status.PLAYING)
    for text, *_ in (running, frozen):
        assert "It holds what you may know." in text
    while (await tables.get(number)).status is Status.PLAYING:
        await make_move(tables, number, rng)
    text, name, data = await _export(tables, number)
    assert "`captains-table proof FILE`" in text
    assert name == f"currents-{number}.txt"
    for content, code in ((data, 0), (running[2], 1)):
        file = folder / name
        file.write_bytes(content)
        assert main(["proof", str(file)]) == code


async def change_status(tables: Tables, number: int, status: Status) -> None:
    """Change the status of a table."""
    await tables.change(number, None, lambda table: Decision(table=table.with_row(status=status), answer=""))


async def _export(tables: Tables, number: int) -> tuple[str, str, bytes]:
    recorder = ResponseRecorder()
    await history_pages.show_export(tables, cast("Response", recorder), number, request_of(0))
    ((text, name, data),) = recorder.answers
    return text, name, data
