"""What the panel shows after a move: its result, or the story of the turn that it ended."""

from collections.abc import Sequence
from typing import Final

from bot.chat.components import Button
from bot.chat.panel_posts import undo_buttons_without_consent
from bot.chat.post_parts import MAX_QUOTED_LINES, Post, join_lines, title, undo_button
from bot.chat.quotations import quote, quote_newest
from bot.chat.shortened_story import NO_STORY
from bot.chat.story import PRIVATE_STORY_LENGTH, TURN_HINT, turn_story
from bot.host import game_calls
from bot.host.game_guard import guarded
from bot.host.table import Table
from bot.host.table_turns import is_answer, newest_finished_turn
from rules.model import Seat
from rules.record import LogLine

_TURN_OVER_TEXT: Final = "Your turn is over."
_FINISHED_TURN_LENGTH: Final = 1200
"""Characters of the story of one's own turn that is over: nothing below it needs to stay in sight."""


def move_result_post(
    table: Table, seat: Seat | None, text: str, *, is_repeat: bool = False, closing_text: str = ""
) -> Post:
    """Return the result of a move after which its player has nothing to choose.

    ``text`` is empty where the move only ended the turn: then the story of the turn takes its place.
    ``is_repeat``: the move was stored by an earlier press; ``closing_text``: the last lines.
    """
    row = () if seat is None or table.to_act is None or is_repeat else _undo_buttons(table, seat)
    lines = (f"**{title(table)}**", text or _finished_turn_text(table, seat), closing_text)
    return Post(join_lines([line for line in lines if line]), (row,) if row else ())


def _undo_buttons(table: Table, seat: Seat) -> tuple[Button, ...]:
    """Return the buttons that undo without consent; against computers alone also with hindsight.

    The latter asks first, as the game is not rated then.
    """
    buttons = undo_buttons_without_consent(table, seat)
    if buttons or table.other_unresigned_users(seat) or game_calls.possible_undo(table, seat) is None:
        return buttons
    return (undo_button(table),)


def _finished_turn_text(table: Table, seat: Seat | None) -> str:
    """Return the text that a player's turn is over, with its story."""
    turn = None if seat is None else newest_finished_turn(table, seat)
    story = NO_STORY if turn is None else turn_story(table, turn, _FINISHED_TURN_LENGTH)
    return "\n".join(filter(None, (_TURN_OVER_TEXT, story.text, TURN_HINT if story.is_shortened else "")))


@guarded
def move_or_turn_text(
    table: Table, seat: Seat | None, text: str, own_lines: Sequence[LogLine] | None = None
) -> str:
    """Return what a player's last moves did; if they ended a turn, all of the turn.

    An answer in another player's turn ends none.
    ``text``: what the newest records of the table's match did, which their player alone may know;
    ``own_lines``: the log of the turn as that player may know it; None: as everybody may.  The end of a game
    needs no such story.
    """
    if seat is None or table.match is None or table.to_act is None:
        return text
    turn, match = newest_finished_turn(table, seat), table.match
    if turn is None:
        return text
    earlier_part = turn._replace(end=len(match.history) - len(match.new_records))
    room = max(_FINISHED_TURN_LENGTH - len(text), PRIVATE_STORY_LENGTH)
    lines = None if own_lines is None else [each for each in own_lines if each.index < earlier_part.end]
    story = turn_story(table, earlier_part, room, lines)
    hint = TURN_HINT if story.is_shortened else ""
    over_text = "" if is_answer(table, turn) else _TURN_OVER_TEXT
    return join_lines([line for line in (over_text, story.text, quote(text), hint) if line])


def move_note_lines(text: str) -> tuple[str, ...]:
    """Return the newest lines of what a move did, for the note of the next panel."""
    return tuple(quote_newest([text], MAX_QUOTED_LINES))
