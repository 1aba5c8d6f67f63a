"""Animated pictures of a table: the words and names of their boards, and what a failure leaves."""

import random
from collections.abc import Sequence
from functools import cache, partial
from typing import Final, cast

import pytest

from bot import drawing, limits
from bot.chat import animations
from bot.chat.animations import AnimationLost, draw_recent_animation, draw_replay_animation
from bot.chat.board_frames import BoardFrame, turn_frames
from bot.host.table import Table
from bot.host.table_turns import table_at
from bot.store.rows import Status
from bot.store.seat_rows import EarlierPlayer, SeatRow
from render.picture import PictureContext
from rules.model import Seat, View
from rules.narration import narration
from rules.record import LogLine
from rules.turns import turns_from
from tests.bot.chat.sample_tables import sample_tables
from tests.bot.host.viewer_output import use_scenes_as_pictures

VIEWER: Final = Seat(0)


@cache
def sample_table() -> Table:
    """Return a table whose game has had six turns."""
    table = max(sample_tables("currents", 3, random.Random(1)), key=lambda each: each.row.ply)
    assert table.match is not None
    return table_at(table, turns_from(table.match.history)[5].end)


def frames_of(table: Table) -> tuple[BoardFrame, ...]:
    """Return the first board and the one after each turn."""
    assert table.match is not None
    return turn_frames(table.match.history)


def numbered_log_of(table: Table, text: str = "") -> list[LogLine]:
    """Return a line for each record: its index in angle brackets, and a text."""
    assert table.match is not None
    return [
        LogLine(index, VIEWER, narration([f"<{index}>{text}"])) for index in range(len(table.match.history))
    ]


def board_texts(alt: str, count: int) -> list[str]:
    """Return what a description says of the boards after the first one."""
    texts, rest = [], alt
    for number in range(2, count + 1):
        rest = rest.partition(f" {number}: ")[2]
        texts.append(rest.partition(f" {number + 1}: " if number < count else " The board now: ")[0])
    return texts


@pytest.mark.parametrize("step", [1, 2])
def test_each_board_has_its_records_in_words(step: int) -> None:
    """Those of boards that are left out belong to the next one that is shown."""
    table = sample_table()
    first, *others = frames_of(table)
    shown_frames = [first, *others[::-1][::step][::-1]]
    alt = animations._recent_alt_text(table, VIEWER, shown_frames, "Before", numbered_log_of(table))
    assert alt.startswith(f"Animated picture of {len(shown_frames)} boards. 1: Before. 2: ")
    start = first.end
    for frame, text in zip(shown_frames[1:], board_texts(alt, len(shown_frames)), strict=True):
        assert text.split() == [f"<{index}>" for index in range(start, frame.end)]
        start = frame.end


def test_long_words_leave_room_for_the_board() -> None:
    """Each board is named, and the last one is described at some length."""
    table = sample_table()
    frames = frames_of(table)
    alt = animations._recent_alt_text(
        table, VIEWER, frames, "Before", numbered_log_of(table, " Many words." * 50)
    )
    assert len(alt) <= limits.ALT_TEXT
    assert all(board_texts(alt, len(frames)))
    assert len(alt.partition(" The board now: ")[2]) >= 300


async def test_the_description_counts_the_boards_that_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that the limit of bytes leaves out are neither counted nor described."""
    table, shown_indexes = sample_table(), (0, len(frames_of(sample_table())) - 1)

    async def draw(*_: object) -> tuple[bytes, tuple[int, ...]]:
        return b"", shown_indexes

    monkeypatch.setattr(animations, "_draw", draw)
    picture = await draw_recent_animation(table, VIEWER, frames_of(table), "Before", numbered_log_of(table))
    assert picture.alt.startswith("Animated picture of 2 boards. 1: Before. 2: ")
    assert " 3: " not in picture.alt


def test_each_board_names_its_own_players() -> None:
    """Whoever gives their seat away stands on the boards until then, and the successor on those after."""
    table = sample_table()
    frames, earlier_name = frames_of(table), table.plain_names[VIEWER]

    def names_after(changed_table: Table) -> list[str]:
        boards = animations._Boards(changed_table, VIEWER, frames, "Before")
        return [boards.prepare_next_board()[1].caption.names[VIEWER] for _ in frames]

    later_table = table.with_player(VIEWER, SeatRow("Gita", user=900))
    assert names_after(later_table) == [*[earlier_name] * (len(frames) - 1), "Gita"]
    for index, frame in enumerate(frames[:-1]):
        earlier_player = EarlierPlayer(earlier_name, frame.end, 100)
        seats = [*later_table.seats]
        seats[VIEWER] = SeatRow("Gita", user=900, earlier_players=(earlier_player,))
        board_count = index + 1
        assert names_after(later_table.with_row(seats=tuple(seats))) == [
            *[earlier_name] * board_count,
            *["Gita"] * (len(frames) - board_count),
        ]


def test_the_last_board_of_a_game_that_has_ended_early_is_nobodys_turn() -> None:
    """It says so in its pill; the boards before are as they were."""
    table = sample_table()
    frames = frames_of(table)

    def boards_of(shown_table: Table) -> list[tuple[View, PictureContext]]:
        boards = animations._Boards(shown_table, VIEWER, frames, "Before")
        return [boards.prepare_next_board() for _ in frames]

    *earlier_boards, (last_view, _) = boards_of(table)
    *ended_boards, (ended_view, ended_context) = boards_of(table.with_row(status=Status.ENDED_EARLY))
    assert ended_boards == earlier_boards
    assert ended_view == table.game.without_turn(last_view) != last_view
    assert ended_context.caption.pill_text == "Ended early"


@pytest.mark.parametrize("fault", ["board", "file", "progress"])
async def test_a_failure_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """What was drawn so far, megabytes of it, is dropped; the requester reads what to do."""

    async def report(done: int, total: int) -> None:
        if fault == "progress" and done == 2:
            raise TimeoutError

    if fault == "board":
        monkeypatch.setattr(drawing, "add_board", lambda *_, **__: False)
    if fault == "file":
        monkeypatch.setattr(drawing, "finish_animation", drawing.drop_animation)  # another took its room
    table = sample_table()
    error_type = TimeoutError if fault == "progress" else AnimationLost
    with use_scenes_as_pictures(), pytest.raises(error_type) as raised:
        await draw_replay_animation(table, VIEWER, frames_of(table), report)
    assert fault == "progress" or "Please ask for it again." in str(raised.value)
    assert not drawing._animations


def test_of_too_many_unfinished_animations_one_is_dropped() -> None:
    """It is the one that has waited longest for a board: nobody may finish it."""
    table = sample_table()
    assert table.match is not None
    boards = animations._Boards(table, VIEWER, frames_of(table), "Before")
    view, context = boards.prepare_next_board()
    add = partial(drawing.add_board, game_key=table.game.key, view=view, context=context, is_last=False)
    numbers = range(-drawing.MAX_ANIMATIONS, 1)
    with use_scenes_as_pictures():
        try:
            for number in numbers[:-1]:
                drawing.begin_animation(number, 0)
            assert add(numbers[0])
            drawing.begin_animation(numbers[-1], 0)
            assert [add(number) for number in numbers] == [True, False, *[True] * (len(numbers) - 2)]
        finally:
            for number in numbers:
                drawing.drop_animation(number)


@pytest.mark.parametrize("count", [1, 2, 8, 60, 200, 1_000])
def test_a_long_replay_does_not_take_long_to_watch(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Its boards share a minute and a half, but none is shown too briefly; the last one stays for longest."""

    class TimedBoards:
        scene_indexes = tuple(range(count))

        def encode(self, delays: Sequence[int]) -> bytes:
            return ",".join(map(str, delays)).encode()

    monkeypatch.setitem(cast("dict[int, object]", drawing._animations), -1, TimedBoards())
    finished = drawing.finish_animation(-1)
    assert finished is not None
    *delays, last_delay = (int(each) for each in finished[0].split(b","))
    assert len(delays) == count - 1
    assert sum(delays) <= 90_000 or {*delays} == {300}
    assert all(300 <= delay <= 1_800 < last_delay for delay in delays)
