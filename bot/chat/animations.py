"""A table's boards as one animated picture, in a viewer's own view, drawn one by one off the event loop."""

import itertools
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from bot import drawing, limits
from bot.chat.board_frames import BoardFrame
from bot.chat.drawing_queue import current_drawing_queues, draw_in_queue
from bot.chat.pictures import DrawnPicture, halted_pill_text
from bot.host import game_calls, game_workers
from bot.host.game_guard import GameGuard, guarded
from bot.host.request import Refusal
from bot.host.table import Table
from render.caption import Caption
from render.picture import PictureContext
from rules.advance import matches_at_lengths
from rules.model import Seat, View
from rules.record import LogLine
from rules.text import shortened

MAX_RECENT_BYTES: Final = 1_000_000
"""The largest size of the picture of what happened since a player's last turn."""
MAX_REPLAY_BYTES: Final = 8 * 1024 * 1024
"""The largest size of the picture of a whole game: below ``limits.FILE_BYTES``."""
_RESERVED_BOARD_TEXT_LENGTH: Final = 360
"""How many characters of the alt text are reserved for the description of the last board."""
START_TITLE: Final = "Start"
"""The title of the board before the first choice."""

ProgressReporter = Callable[[int, int], Awaitable[None]]
"""Called with the number of boards drawn so far, and of all boards."""


class _Boards:
    """The boards of an animation, one after the other."""

    def __init__(
        self, table: Table, viewer: Seat | None, frames: Sequence[BoardFrame], first_title: str
    ) -> None:
        """``first_title``: the title of the first board."""
        assert table.match is not None
        self._table, self._viewer, self._frames, self._first_title = table, viewer, frames, first_title
        with GameGuard(table.number):
            self._matches = matches_at_lengths(table.match, [frame.end for frame in frames])
        self._indexes = iter(range(len(frames)))

    @property
    def count(self) -> int:
        """How many boards there are."""
        return len(self._frames)

    def prepare_next_board(self) -> tuple[View, PictureContext]:
        """Return what the next board is drawn from, from the first one on."""
        with GameGuard(self._table.number):
            match, index = next(self._matches), next(self._indexes)
            frame = self._frames[index]
            is_last = index == len(self._frames) - 1
            # A seat that is given away after a turn has its new player from the next turn's board on.
            names = self._table.plain_names if is_last else self._table.plain_names_at(max(frame.end - 1, 0))
            pill_text = halted_pill_text(self._table) if is_last else self._pill_text(index)
            view = game_calls.view(self._table, self._viewer) if is_last else match.view(self._viewer)
            caption = Caption(self._table.number, names, pill_text)
            return view, PictureContext(caption, match.recent_events)

    def _pill_text(self, index: int) -> str:
        """Return the text that a picture shows instead of whose turn it is."""
        frame = self._frames[index]
        name = self._first_title if frame.seat is None else _player_name(self._table, frame)
        return f"{index + 1}/{len(self._frames)} · {name}"


def _player_name(table: Table, frame: BoardFrame) -> str:
    assert frame.seat is not None
    return table.names_at(frame.end - 1, isolated=True)[frame.seat]


class AnimationLost(Refusal):
    """What was drawn of an animated picture is gone: many others were begun, or the process has ended."""

    def __init__(self) -> None:
        super().__init__("This picture could not be finished. Please ask for it again.")


_animation_numbers: Final = itertools.count()


async def _draw(
    table: Table, boards: _Boards, max_bytes: int, report: ProgressReporter
) -> tuple[bytes, tuple[int, ...]]:
    """Draw boards one by one, with other pictures in between.

    Return the file, of at most ``max_bytes``, and the indexes of the boards that it shows.

    Raises what ``report`` raises, AnimationLost, DrawingSuperseded, GameFault, WorkersBusy.
    """
    animation_number, game_key = next(_animation_numbers), table.game.key
    drawing_queue = current_drawing_queues().of_table(table.row)
    await draw_in_queue(table.row, partial(drawing.begin_animation, animation_number, max_bytes))
    try:
        for index in range(boards.count):
            view, context = await game_workers.run_game_work(table, boards.prepare_next_board)
            is_last = index == boards.count - 1
            add_board = partial(drawing.add_board, animation_number, game_key, view, context, is_last=is_last)
            if not await draw_in_queue(table.row, add_board):
                raise AnimationLost
            await report(index + 1, boards.count)
        file_and_indexes = await draw_in_queue(table.row, partial(drawing.finish_animation, animation_number))
    except BaseException:
        with suppress(Exception):  # the first error is the one to raise
            await drawing_queue.draw_without_game(partial(drawing.drop_animation, animation_number))
        raise
    if file_and_indexes is None:
        raise AnimationLost
    return file_and_indexes


async def _report_nothing(done: int, total: int) -> None:
    """Do nothing: few boards are drawn so quickly that no progress is shown."""


async def draw_recent_animation(
    table: Table,
    viewer: Seat | None,
    frames: Sequence[BoardFrame],
    first_title: str,
    lines: Sequence[LogLine],
) -> DrawnPicture:
    """Draw the boards of ``frames``; ``lines``: the log from the first board on, with plain names.

    ``first_title``: the title of the first board.

    Raises AnimationLost, DrawingSuperseded, GameFault, WorkersBusy.
    """
    boards = _Boards(table, viewer, frames, first_title)
    data, indexes = await _draw(table, boards, MAX_RECENT_BYTES, _report_nothing)
    alt = _recent_alt_text(table, viewer, [frames[index] for index in indexes], first_title, lines)
    return DrawnPicture("what-happened.gif", data, alt)


@guarded
def _recent_alt_text(
    table: Table,
    viewer: Seat | None,
    shown_frames: Sequence[BoardFrame],
    first_title: str,
    lines: Sequence[LogLine],
) -> str:
    """Return the alt text: what has happened on each board, and a full description of the last one."""
    text = f"Animated picture of {_boards_text(len(shown_frames))}. 1: {first_title}."
    max_length = (limits.ALT_TEXT - _RESERVED_BOARD_TEXT_LENGTH - len(text)) // max(1, len(shown_frames) - 1)
    previous_end = shown_frames[0].end
    for number, frame in enumerate(shown_frames[1:], 2):
        story = " ".join(line.text for line in lines if previous_end <= line.index < frame.end)
        board_story = " ".join(story.split()) or f"{_player_name(table, frame)} goes on."
        description = f" {number}: {board_story}"
        text += shortened(description, max_length)
        previous_end = frame.end
    board_text = game_calls.private_page_alt_text(table, viewer)
    return shortened(f"{text} The board now: {board_text}", limits.ALT_TEXT)


def _boards_text(count: int) -> str:
    return "1 board" if count == 1 else f"{count} boards"


class ReplayAnimation(NamedTuple):
    """A whole game as one picture."""

    picture: DrawnPicture
    board_count: int
    """How many boards it shows."""


async def draw_replay_animation(
    table: Table, viewer: Seat | None, frames: Sequence[BoardFrame], report: ProgressReporter
) -> ReplayAnimation:
    """Draw a whole game, one board for each frame; fewer, evenly spread, if the file would be too large.

    Raises what ``report`` raises, AnimationLost, DrawingSuperseded, GameFault, WorkersBusy.
    """
    boards = _Boards(table, viewer, frames, START_TITLE)
    data, indexes = await _draw(table, boards, MAX_REPLAY_BYTES, report)
    with GameGuard(table.number):
        board_text = game_calls.private_page_alt_text(table, viewer)
    count_text = _boards_text(len(indexes))
    alt = f"Animated picture of the whole game, {count_text}. The last one: {board_text}"
    return ReplayAnimation(DrawnPicture("replay.gif", data, shortened(alt, limits.ALT_TEXT)), len(indexes))
