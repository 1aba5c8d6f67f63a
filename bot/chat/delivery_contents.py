"""What each delivery shows: its text and pictures, made from the table as it is when it is sent."""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Sequence
from typing import Final, NamedTuple, TypeVar

from bot.chat import posts, result_posts
from bot.chat.hand_posts import hand_post
from bot.chat.messages import NewPictures
from bot.chat.pictures import (
    DrawnPicture,
    draw_board_picture,
    draw_hand_picture,
    draw_reporting_pictures,
    draw_summary_picture,
    has_picture,
)
from bot.chat.post_parts import Post
from bot.error_ids import new_error_id
from bot.host.game_guard import GameFault
from bot.host.game_logs import log_lines_since_last_turn
from bot.host.game_workers import run_narration
from bot.host.recent_log import has_played
from bot.host.table import IN_PLAY, Table
from bot.host.table_turns import (
    current_turn_start,
    finished_turn,
    finished_turns,
    is_resignation,
    is_running_turn,
    is_uninterrupted_turn,
    newest_finished_turn,
    newest_finished_turn_end,
    table_at,
)
from bot.store.delivery_rows import Mention, PostedMessage
from bot.store.rows import Status
from render.picture import HAND
from rules.model import Seat
from rules.turns import Turn

_MAX_DRAWN_BOARDS: Final = 16
"""The most tables whose last board is kept: some 150 KB each."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class BoardContent(NamedTuple):
    """What the board's message says."""

    post: Post
    pictures: tuple[DrawnPicture, ...] = ()
    asked_user: int | None = None
    """The user who is asked to act."""
    asks_anew: bool = False
    """Whether the last board did not ask that person yet in this turn, or an undo was agreed to since.

    False if their own free undo brought this turn back.
    """
    last_mentions: tuple[Mention, ...] = ()
    """The last mention of each user, that of this board included."""
    turn_start: int | None = None
    """The index of the history at which the turn of the seat to act begins."""


class _DrawnBoard(NamedTuple):
    """The pictures drawn last of a table, and the state of the table that they show."""

    table: Table
    pictures: tuple[DrawnPicture, ...]


_drawn_boards: Final[OrderedDict[int, _DrawnBoard]] = OrderedDict()
"""By table number, the newest last."""


class TurnContent(NamedTuple):
    """What a turn's message says."""

    post: Post
    turn: Turn | None = None
    """None: the turn, or a part of it, was taken back."""


def predates_agreed_undo(table: Table, posted: PostedMessage) -> bool:
    """Whether others have agreed to an undo, or the game was rolled back, since a board was posted."""
    return posted.ply < table.row.agreed_undo_ply


async def board_content(
    table: Table, posted: PostedMessage | None, missed_answer_lines: Sequence[str] = ()
) -> BoardContent:
    """Return what the board's message says; ``posted`` is the message that shows the board so far.

    ``missed_answer_lines``: lines about moves whose answers their players have missed.
    """
    if posted is not None and predates_agreed_undo(table, posted):
        posted = None  # counts as none: its mention does not tell of the undo
    start = current_turn_start(table)
    asked_seat = _asked_seat(table)
    asked_user = None if asked_seat is None else table.seats[asked_seat].user
    asks_anew = asked_user is not None and (
        posted is None or posted.mentioned_user != asked_user or posted.shown_turn_start != start
    )
    mentions = () if posted is None else posted.last_mentions
    notify = False
    if asked_seat is not None and asked_user is not None and asks_anew:
        mention = Mention(asked_user, newest_finished_turn_end(table, asked_seat))
        if _shows_later_turn(posted, start):
            asks_anew = all(each.user != asked_user for each in mentions)
        # once a turn, even if it is taken back and comes again, or somebody resigns in it
        notify = (
            asks_anew
            and mention not in mentions
            and not _is_same_turn(table, asked_seat, asked_user, posted)
            and not _follows_own_turn(table, asked_seat, asked_user, posted)
        )
        mentions = (*(each for each in mentions if each.user != asked_user), mention)
    pictures = await board_pictures(table)  # first: a board that is replaced meanwhile needs no words
    return BoardContent(
        post=posts.board_post(table, asked_seat, notify=notify, missed_answer_lines=missed_answer_lines),
        pictures=pictures,
        asked_user=asked_user,
        asks_anew=asks_anew,
        last_mentions=mentions,
        turn_start=start,
    )


def _shows_later_turn(posted: PostedMessage | None, start: int) -> bool:
    """Whether the last board shows a turn after the one at ``start``, to which the game has gone back."""
    return posted is not None and posted.shown_turn_start is not None and posted.shown_turn_start > start


def _is_same_turn(table: Table, seat: Seat, user: int, posted: PostedMessage | None) -> bool:
    """Whether the last board asked the same user in a turn that goes on: others have only resigned since."""
    timer = table.row.turn_timer
    if posted is None or posted.mentioned_user != user or posted.shown_turn_start is None or timer is None:
        return False
    started_before = timer.seat == seat and timer.turn_start <= posted.shown_turn_start
    return started_before and is_uninterrupted_turn(table, seat, posted.shown_turn_start)


def _follows_own_turn(table: Table, seat: Seat, user: int, posted: PostedMessage | None) -> bool:
    """Whether a user to act has just ended another turn, the one for which the last board asked them."""
    turn = newest_finished_turn(table, seat)
    if turn is None or posted is None or posted.mentioned_user != user or table.match is None:
        return False
    is_just_over = posted.shown_turn_start == turn.start and turn.end == len(table.match.history)
    return is_just_over and has_played(table.seats[seat], table.match.history, turn)


def board_text_post(table: Table, missed_answer_lines: Sequence[str] = ()) -> Post:
    """Return the new text and buttons of a board that is posted already; they notify nobody."""
    return posts.board_post(table, _asked_seat(table), notify=False, missed_answer_lines=missed_answer_lines)


def fallback_board_content(table: Table) -> BoardContent:
    """Return what the board's message says, without calling the game, which has failed."""
    return BoardContent(posts.fallback_post(table))


async def board_pictures(table: Table) -> tuple[DrawnPicture, ...]:
    """Return the picture of the public board, and those that report what has just happened.

    The pictures drawn last are kept: the message of a finished turn and the next board mostly show the same.
    """
    drawn_board = _drawn_boards.get(table.number)
    if drawn_board is not None and drawn_board.table is table:
        return drawn_board.pictures
    pictures = (await draw_board_picture(table), *await draw_reporting_pictures(table))
    _drawn_boards[table.number] = _DrawnBoard(table, pictures)
    _drawn_boards.move_to_end(table.number)
    if len(_drawn_boards) > _MAX_DRAWN_BOARDS:
        _drawn_boards.popitem(last=False)
    return pictures


async def turn_content(table: Table, start: int, announcement: str = "") -> TurnContent:
    """Return what the message of the turn that begins at index ``start`` says.

    ``announcement``: who took it back, if it was taken back.  A resignation that begins there now has
    had its message before.
    """

    def make_content() -> TurnContent:
        turn = finished_turn(table, start)
        if turn is not None and not (announcement and is_resignation(table, turn)):
            return TurnContent(posts.turn_post(table, turn), turn)
        is_partial = is_running_turn(table, start)
        return TurnContent(posts.taken_back_post(table, announcement, is_partial=is_partial))

    if table.has_log_from(start):
        return make_content()
    return await run_narration(table, make_content, start)


async def turn_texts(table: Table) -> frozenset[str]:
    """Return what the messages of all turns that are over say."""

    def make_texts() -> frozenset[str]:
        return frozenset(posts.turn_post(table, turn).text for turn in finished_turns(table))

    return await run_narration(table, make_texts, 0)


async def turn_pictures(table: Table, turn: Turn) -> NewPictures:
    """Return the board as the turn left it.

    Empty if the last board of a game that has ended early shows the same.
    """
    assert table.match is not None
    if table.status is Status.ENDED_EARLY and turn.end == len(table.match.history):
        return ()
    return await board_pictures(await run_narration(table, lambda: table_at(table, turn.end), turn.end))


async def hand_content(
    table: Table, seat: Seat, *, as_text: bool = False
) -> tuple[Post, tuple[DrawnPicture, ...]]:
    """Return the private message with a seat's hand; ``as_text``: without its picture.

    Raises WorkersBusy.
    """
    with_picture = has_picture(table, HAND) and not as_text
    pictures = (await draw_hand_picture(table, seat),) if with_picture else ()
    own_lines = await log_lines_since_last_turn(table, seat) if table.to_act == seat else None
    return hand_post(table, seat, own_lines, with_picture=with_picture), pictures


async def result_content(table: Table, *, has_file: bool) -> Post:
    """Return the message with the result; ``has_file``: the game's file is attached."""
    return result_posts.result_post(table, has_file=has_file)


async def result_pictures(table: Table) -> tuple[DrawnPicture, ...]:
    """Return the picture that sums up a game that is over."""
    return (await draw_summary_picture(table),)


async def content_or_fallback(table: Table, content: Awaitable[T], fallback: T) -> T:
    """Return what a message shows; ``fallback`` if the game fails when it has ended or is frozen.

    A frozen game's board and a result's seed must arrive.  Else raises GameFault, also in a lobby.
    """
    try:
        return await content
    except GameFault as fault:
        if table.status in IN_PLAY or table.status is Status.LOBBY:
            raise
        _log.warning(
            "fallback text sent: game failed",
            exc_info=fault.__cause__,
            extra={"table": table.number, "game": table.game.key, "error_id": new_error_id()},
        )
        return fallback


def _asked_seat(table: Table) -> Seat | None:
    """Return the seat whose person is asked to act; None if a computer player or nobody is to act."""
    to_act = table.to_act
    return to_act if to_act is not None and table.seats[to_act].playing_user is not None else None
