"""Private pages about what has happened: the log with an animated picture, turns, the replay, the file."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from bot import limits
from bot.chat.animations import START_TITLE, draw_recent_animation, draw_replay_animation
from bot.chat.board_frames import MAX_RECENT_FRAMES, BoardFrame, recent_frames, turn_frames
from bot.chat.components import Button, Row
from bot.chat.drawing_order import DrawingPriority
from bot.chat.drawing_queue import (
    DrawingSuperseded,
    current_drawing_queues,
    drawing_settings,
    newest_drawings,
)
from bot.chat.numbered_log import (
    NO_MOVE_NUMBER,
    WHOLE_GAME_LOG,
    NumberedLine,
    all_moves_button,
    numbered_lines,
    pages_of_lines,
    with_every_choice,
)
from bot.chat.pages import get_started_table, page_text
from bot.chat.pictures import DrawnPicture, draw_past_board_picture
from bot.chat.post_parts import (
    EXPORT_LABEL,
    HISTORY_LABEL,
    REPLAY_LABEL,
    Post,
    button,
    match_file_attachment,
    play_button,
    title,
)
from bot.chat.quotations import quote
from bot.chat.refusals import record_refusal, refusal_text
from bot.chat.response import NotDelivered, Response
from bot.chat.story import condensed_texts, with_seat_changes
from bot.host import game_calls
from bot.host.game_guard import guarded
from bot.host.game_workers import run_game_work
from bot.host.request import Refusal, Request
from bot.host.table import IN_PLAY, Table
from bot.host.table_turns import is_first_turn, story_start, table_at
from bot.host.tables import Tables
from bot.store.rows import LIVE_STATUSES, Status
from rules.model import Seat
from rules.record import LogLine
from rules.turns import turns_from

PROGRESS_INTERVAL: Final = 2.5
"""Seconds until a page is shown without its animated picture, and between two reports on a replay."""
_RESERVED_HEADING_LENGTH: Final = 200
"""How many characters of the page of the log are reserved for its heading and the lines below the log."""
_WHOLE_GAME_HEADING: Final = "The whole game"
_NUMBERS_HINT: Final = "-# The numbers count moves, as `/table rollback` does."
_BOARDS_BEING_DRAWN_TEXT: Final = "I am drawing the boards of these turns."
_BOARDS_NOT_SHOWN_TEXT: Final = "The boards of these turns could not be shown."
_ALL_BOARDS_TEXT: Final = "The first board, then one after each turn, set-up included."
_REPLAY_NOT_SHOWN_TEXT: Final = (
    f"The replay could not be shown. Type `/replay` again, or press **{HISTORY_LABEL}** below."
)

_log = logging.getLogger(__name__)

# What happened ---------------------------------------------------------------------------------------------


class _LogContent(NamedTuple):
    """What the pages of the log show: the latest events, or those of the whole game."""

    heading: str
    lines: list[NumberedLine]
    """The log, with the numbers of its moves."""
    frames: tuple[BoardFrame, ...]
    first_title: str
    """The title of the first board."""
    picture_lines: tuple[LogLine, ...]
    """The log from the first board on, for the picture."""


async def show_log(
    tables: Tables,
    response: Response,
    number: int,
    request: Request,
    *,
    is_whole_game: bool = False,
    page_index: int = 0,
) -> None:
    """Show what happened since the requester's last turn, as they may know it, in words and as a picture.

    Before the end of their first turn that is everything so far.  The newest comes last.  The player whose
    turn ended the game is shown what happened since the turn before that one.  A requester without a seat is
    shown the whole game in words, and its last turns as a picture.
    ``is_whole_game``: the whole game in words, without a picture; ``page_index``: which page of the words, 0
    for the newest.
    """
    table = await get_started_table(tables, number)
    assert table.match is not None
    seat = table.seat_of(request.user)
    content = await run_game_work(table, lambda: _log_content(table, seat, is_whole_game=is_whole_game))
    line_pages = _pages_from_newest(content.lines)
    index = min(page_index, len(line_pages) - 1)
    heading = content.heading
    if heading == _WHOLE_GAME_HEADING and len(line_pages) > 1:
        heading = _moves_heading(line_pages[index], table.move_count) or heading
    lines_and_marks = [
        *(["…"] if index + 1 < len(line_pages) else []),
        *(line.text for line in line_pages[index]),
        *(["…"] if index else []),
    ]
    hints = [_NUMBERS_HINT] if content.lines and table.status in LIVE_STATUSES else []
    post = Post(
        page_text([f"**{heading}** · {title(table)}", *lines_and_marks, *hints]),
        tuple(
            row
            for row in (_log_row(table, seat), _log_pages_row(table, content.heading, index, len(line_pages)))
            if row
        ),
    )
    if len(content.frames) < 2:
        await response.show(post)
        return
    drawing = asyncio.ensure_future(
        draw_recent_animation(table, seat, content.frames, content.first_title, content.picture_lines)
    )
    try:
        await asyncio.wait({drawing}, timeout=PROGRESS_INTERVAL)
        if drawing.done():
            await response.show(post, (drawing.result(),))
        else:
            await _show_before_picture(response, post, drawing)
    finally:
        drawing.cancel()


async def _show_before_picture(
    response: Response, post: Post, drawing: "asyncio.Future[DrawnPicture]"
) -> None:
    """Show a page at once, and again with its picture, unless its message shows another page by then.

    Where the picture cannot be drawn or delivered, the page stays and says so.
    """
    with suppress(NotDelivered):  # the page with its picture may still arrive
        await response.show(_with_note(post, _BOARDS_BEING_DRAWN_TEXT))
    message_id = response.shown_message_id
    is_newest = None if message_id is None else newest_drawings.register(message_id)
    pictures: tuple[DrawnPicture, ...] = ()
    try:
        pictures = (await drawing,)
    except Refusal as refusal:
        record_refusal(response.interaction, refusal)
        post = _with_note(post, refusal_text(refusal))
    if is_newest is not None and not is_newest():
        return
    try:
        await response.show(post, pictures)
    except NotDelivered as error:  # otherwise the page would go on saying that its picture is being drawn
        _log.warning("response not delivered", exc_info=error)
        await response.show(_with_note(post, _BOARDS_NOT_SHOWN_TEXT))


def _with_note(post: Post, note: str) -> Post:
    return msgspec.structs.replace(post, text=f"{post.text}\n-# {note}")


@guarded
def _log_content(table: Table, seat: Seat | None, *, is_whole_game: bool) -> _LogContent:
    match = table.match
    assert match is not None
    picture_start, heading = (0, "") if seat is None else _start_and_heading(table, seat)
    log_start = picture_start
    first_title = "After your turn" if picture_start else START_TITLE
    if is_whole_game or seat is None:
        heading, log_start = _WHOLE_GAME_HEADING, 0
    narrated_lines = table.narrate(match, seat, log_start)
    log_lines = with_seat_changes(table, with_every_choice(table, narrated_lines, log_start))
    lines = numbered_lines(match.history, log_lines, log_start)
    if is_whole_game:
        return _LogContent(heading, lines, (), "", ())
    if seat is None:
        turns = turns_from(match.history)
        shown_turns = turns[-(MAX_RECENT_FRAMES - 1) :]
        picture_start = shown_turns[0].start if shown_turns else 0
        first_title = "Before" if len(shown_turns) < len(turns) else START_TITLE
    record_indexes_affecting_viewer = frozenset(
        line.index for line in log_lines if seat in line.affected_seats
    )
    frames = recent_frames(match.history, picture_start, record_indexes_affecting_viewer)
    picture_lines = table.narrate(match, seat, frames[0].end, isolated=True)
    return _LogContent(heading, lines, frames, first_title, picture_lines)


def _start_and_heading(table: Table, seat: Seat) -> tuple[int, str]:
    """Return the index of the first record that is new to a player, and the heading of what is new.

    To the player whose turn ended the game, what led to that turn is shown too.
    """
    assert table.match is not None
    history, heading = table.match.history, "Since your last turn"
    if table.status not in IN_PLAY and 0 < story_start(table, seat) == len(history):
        table = table_at(table, turns_from(history)[-1].start)
        heading = "Since your turn before the last"
    start = 0 if is_first_turn(table, seat) else story_start(table, seat)
    return (start, heading) if start else (0, "Since the start of the game")


def _log_row(table: Table, seat: Seat | None) -> Row:
    """Return the buttons below the log: first **Play**, if its reader is to play."""
    whole_game_buttons = (button(table, HISTORY_LABEL, "hist"), button(table, REPLAY_LABEL, "replay"))
    is_own_turn = seat is not None and table.to_act == seat
    return (play_button(table), *whole_game_buttons) if is_own_turn else whole_game_buttons


def _pages_from_newest(lines: Sequence[NumberedLine]) -> list[list[NumberedLine]]:
    """Return the lines in pages, the newest page first, each with as many as a private page has room for."""
    if not lines:
        return [[NumberedLine(NO_MOVE_NUMBER, "Nothing has happened since then.")]]
    pages = pages_of_lines(lines[::-1], limits.COMPONENTS_V2_TEXT - _RESERVED_HEADING_LENGTH)
    return [page[::-1] for page in pages]


def _moves_heading(lines: Sequence[NumberedLine], move_count: int) -> str:
    """Return which of the game's moves a page of the log shows; empty if no line has a number."""
    numbers = [line.number for line in lines if line.number != NO_MOVE_NUMBER]
    return f"Moves {numbers[0]} to {numbers[-1]} of {move_count}" if numbers else ""


def _log_pages_row(table: Table, heading: str, index: int, page_count: int) -> tuple[Button, ...]:
    """Return the buttons that lead to the other pages of the log; only what is too long has some."""
    if page_count < 2:
        return ()
    if heading != _WHOLE_GAME_HEADING:
        return (all_moves_button(table),)
    older_page, newer_page = min(index + 1, page_count - 1), max(index - 1, 0)
    return (
        button(
            table, "Older moves", "log", f"{WHOLE_GAME_LOG} {older_page} old", disabled=older_page == index
        ),
        button(
            table, "Newer moves", "log", f"{WHOLE_GAME_LOG} {newer_page} new", disabled=newer_page == index
        ),
    )


# Turn by turn ----------------------------------------------------------------------------------------------


class _TurnPage(NamedTuple):
    """One turn as its page shows it."""

    past_table: Table
    """As it was after the turn."""
    post: Post
    pill_text: str
    """What the board's pill says in place of whose turn it is: ``Caption.pill_text``."""


async def show_turn_page(
    tables: Tables, response: Response, number: int, request: Request, page_index: int | None = None
) -> None:
    """Show the board after a turn with the story of that turn, as the requester may know it.

    ``page_index``: the number of the turn, 0 before the first one; None: the last one.
    """
    table = await get_started_table(tables, number)
    seat, message_id = table.seat_of(request.user), response.replaced_message_id
    is_still_wanted = None if message_id is None else newest_drawings.register(message_id)
    page = await run_game_work(table, lambda: _turn_page(table, seat, page_index))
    try:
        with drawing_settings(DrawingPriority.ANSWER, is_still_wanted):
            picture = await draw_past_board_picture(page.past_table, seat, page.pill_text)
    except DrawingSuperseded:
        await response.defer()
        return
    await response.show(page.post, (picture,))


@guarded
def _turn_page(table: Table, seat: Seat | None, page_index: int | None) -> _TurnPage:
    assert table.match is not None
    frames = turn_frames(table.match.history)
    last_index = len(frames) - 1
    page_index = last_index if page_index is None else min(page_index, last_index)
    frame = frames[page_index]
    past_table = table_at(table, frame.end)
    if page_index < last_index:  # it was still played then, also if it has ended early
        past_table = past_table.with_row(status=Status.PLAYING)
    assert past_table.match is not None
    if frame.seat is None:
        pill_text, heading, log_start = "The start of the game", "The start of the game", 0
    else:
        pill_text = f"Page {page_index} of {last_index}"
        turn_number = game_calls.turn_number(table_at(table, frame.start))
        turn_text = f", turn {turn_number}" if turn_number else ""
        heading = f"{pill_text}{turn_text}: {table.names_at(frame.end - 1)[frame.seat]}"
        log_start = frame.start
    log_lines = table.narrate(past_table.match, seat, log_start)
    story = [quote(text) for text in condensed_texts(table, log_lines)]
    text = page_text([f"**{heading}** · {title(table)}", *story])
    navigation_row = (
        button(table, "First", "hist", "0 first", disabled=page_index == 0),
        button(table, "Back", "hist", f"{max(0, page_index - 1)} back", disabled=page_index == 0),
        button(
            table,
            "Next",
            "hist",
            f"{min(last_index, page_index + 1)} next",
            disabled=page_index == last_index,
        ),
        button(table, "Last", "hist", "last", disabled=page_index == last_index),
    )
    replay_and_file_row = (button(table, REPLAY_LABEL, "replay"), button(table, EXPORT_LABEL, "export"))
    return _TurnPage(past_table, Post(text, (navigation_row, replay_and_file_row)), pill_text)


# The whole game --------------------------------------------------------------------------------------------

_users_awaiting_replay: Final[set[int]] = set()
"""The users for whom a replay is being drawn, or is to be drawn next."""


async def show_replay(tables: Tables, response: Response, number: int, request: Request) -> None:
    """Show the whole game as one animated picture, as the requester may know it.  Raises Refusal.

    It may take a while: meanwhile the page says how much is drawn.
    """
    table = await get_started_table(tables, number)
    if request.user in _users_awaiting_replay:
        raise Refusal("I am still drawing a replay for you. It will be shown where you asked for it.")
    _users_awaiting_replay.add(request.user)
    try:
        await _show_replay(table, response, table.seat_of(request.user))
    finally:
        _users_awaiting_replay.discard(request.user)


async def _show_replay(table: Table, response: Response, seat: Seat | None) -> None:
    heading, frames = (
        f"**Replay** · {title(table)}",
        await run_game_work(table, lambda: _frames_of_game(table)),
    )
    loop, progress_shown_at = asyncio.get_running_loop(), 0.0

    async def show_progress(text: str) -> None:
        with suppress(NotDelivered):  # the replay itself may still arrive
            await response.show(Post(f"{heading}\n{text}"))

    async def report(done: int, total: int) -> None:
        nonlocal progress_shown_at
        if done < total and loop.time() - progress_shown_at >= PROGRESS_INTERVAL:
            progress_shown_at = loop.time()
            await show_progress(f"I am drawing it: {done} of {total} boards.")

    lock = current_drawing_queues().replay_lock
    if lock.locked():
        await show_progress("Another replay is being drawn. Yours follows.")
    async with lock:
        with drawing_settings(DrawingPriority.REPLAY):
            replay = await draw_replay_animation(table, seat, frames, report)
    row = (button(table, HISTORY_LABEL, "hist"), button(table, EXPORT_LABEL, "export"))
    is_shortened = replay.board_count < len(frames)
    text = f"{replay.board_count} of {len(frames)} boards." if is_shortened else _ALL_BOARDS_TEXT
    try:
        await response.show(Post(f"{heading}\n{text}", (row,)), (replay.picture,))
    except NotDelivered as error:  # otherwise the page would go on saying that it is being drawn
        _log.warning("response not delivered", exc_info=error)
        await response.show(Post(f"{heading}\n{_REPLAY_NOT_SHOWN_TEXT}", (row,)))


@guarded
def _frames_of_game(table: Table) -> tuple[BoardFrame, ...]:
    assert table.match is not None
    return turn_frames(table.match.history)


async def show_export(tables: Tables, response: Response, number: int, request: Request) -> None:
    """Show the match file; in a running game it holds only what the requester may know.  Raises Refusal."""
    table = await get_started_table(tables, number)
    text = await tables.match_file_text(number, table.seat_of(request.user))
    if table.status in LIVE_STATUSES:
        explanation = (
            "The game so far as a file. It holds what you may know. The whole file follows at the end."
        )
    else:
        explanation = (
            "The game as a file. `captains-table proof FILE` checks every draw in it without a network."
        )
    await response.show_file(f"**{title(table)}**\n{explanation}", lambda: match_file_attachment(table, text))
