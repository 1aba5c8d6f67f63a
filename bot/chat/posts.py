"""The public posts of a game being played: board, turn, notice.  Nothing is sent."""

from collections.abc import Sequence
from typing import Final

import msgspec

from bot import limits
from bot.chat.components import Button, Row
from bot.chat.post_parts import (
    EXPORT_LABEL,
    MAX_QUOTED_LINES,
    REPLAY_LABEL,
    Post,
    button,
    hand_buttons,
    join_lines,
    more_button,
    offer_to_anybody_button,
    play_button,
    rematch_button,
    resume_button,
    rules_button,
    title,
    undo_button,
)
from bot.chat.quotations import quote_newest
from bot.chat.story import LOG_LABEL, board_story, condensed_texts, turn_story
from bot.host import game_calls
from bot.host.clock_texts import clock_lines
from bot.host.deciders.timeouts import RESUME_LABEL, resumer_text, substitutable_seat, substitute_label
from bot.host.table import Table
from bot.host.table_turns import (
    is_answer,
    is_first_turn,
    is_resignation,
    is_running_turn,
    newest_turn_start,
    turn_player_names,
)
from bot.store.delivery_rows import LATE_PLAYER
from bot.store.results import FORMER_PLAYER
from bot.store.rows import ENDED_STATUSES, Status
from rules.model import SEAT_LETTERS, Seat
from rules.text import listed, shortened
from rules.turns import Turn, newest_turn

_TURN_HEADING_END: Final = "'s turn"
_ANSWER_HEADING_END: Final = "'s answer"
"""Ends of the first line of a finished turn's post."""
_RESIGNATION_HEADING: Final = "Resignation"
_FROZEN_TEXT: Final = "This game is frozen. Nothing is lost. The notice at the table says why."
_ENDED_TEXT: Final = "This game was ended early."
CLOSED_TEXT: Final = "This lobby is closed."


def board_post(
    table: Table, asked_seat: Seat | None, *, notify: bool = True, missed_answer_lines: Sequence[str] = ()
) -> Post:
    """Return the board's message: whose turn it is, and what has happened since that player's last turn.

    ``asked_seat``: the seat whose person is mentioned, to act; ``notify``: whether the mention notifies them;
    ``missed_answer_lines``: lines about moves whose answers their players have missed.
    """
    lines = [f"**{title(table)}** · {board_status_text(table, asked_seat)}", *missed_answer_lines]
    buttons: list[Button] = []
    offerable_seat = substitutable_seat(table)
    if offerable_seat is not None:
        buttons.append(button(table, substitute_label(table.plain_names[offerable_seat]), "subst"))
    notices = table.row.turn_notices
    if asked_seat is not None and notices is not None and notices.has_left and notices.seat == asked_seat:
        lines.append(_departure_line(table, asked_seat))
        offerable_seat = asked_seat
    if offerable_seat is not None and table.seats[offerable_seat].offer is None:
        buttons.append(offer_to_anybody_button(table, offerable_seat))
    if asked_seat is not None:
        story = board_story(table, asked_seat)
        if is_first_turn(table, asked_seat):
            lines.append(table.game.words.how_to_win)
            buttons.append(rules_button(table))
        if story.is_shortened:
            buttons.append(button(table, LOG_LABEL, "log"))
        lines.append(story.text)
    else:
        turn_start = newest_turn_start(table)
        has_ended = table.status in ENDED_STATUSES
        if not has_ended or is_running_turn(table, turn_start):  # a turn that is over has a post
            texts = condensed_texts(table, table.log_lines(turn_start))
            lines += quote_newest(texts, MAX_QUOTED_LINES)
    lines += clock_lines(table)  # last: a notification shows the code of a timestamp
    notified_user = table.seats[asked_seat].user if asked_seat is not None and notify else None
    return Post(
        join_lines(lines), _board_rows(table, buttons), () if notified_user is None else (notified_user,)
    )


def _departure_line(table: Table, seat: Seat) -> str:
    """Return that the player whose turn it is has left the server, and what can be done."""
    who = "An admin" if table.seats[seat].user == table.row.host else "The host or an admin"
    return (
        f"{table.names[seat]} has left this server. {who} can offer the seat to anybody,"
        f" or give it to a computer player with `/table replace seat:{SEAT_LETTERS[seat]}`."
    )


def turn_post(table: Table, turn: Turn) -> Post:
    """Return the whole public story of a turn that is over, without buttons; of the first with the set-up."""
    heading_end = _ANSWER_HEADING_END if is_answer(table, turn) else _TURN_HEADING_END
    heading = f"{listed(turn_player_names(table, turn))}{heading_end}"
    if is_resignation(table, turn):  # it may have come during somebody's turn
        heading = _RESIGNATION_HEADING
    assert table.match is not None
    is_first = newest_turn(table.match.history, turn.start) is None
    story = turn_story(table, turn, lines=table.log_lines(0 if is_first else turn.start, turn.end))
    return Post(join_lines([f"**{title(table)}** · {heading}", story.text]))


def looks_like_turn_post(table: Table, text: str) -> bool:
    """Whether the text of one of the bot's messages has the heading of a ``turn_post`` of this table."""
    heading, _, _ = text.partition("\n")
    heading_start = f"**{title(table)}** · "
    is_turn_heading = heading.endswith((_TURN_HEADING_END, _ANSWER_HEADING_END))
    is_resignation_heading = heading == f"{heading_start}{_RESIGNATION_HEADING}"
    return heading.startswith(heading_start) and (is_turn_heading or is_resignation_heading)


def notice_post(table: Table, text: str) -> Post:
    """Return a public notice."""
    return Post(shortened(f"**{title(table)}** · {text}", limits.CONTENT))


def time_over_post(table: Table, seat: int, user: int, text: str) -> Post:
    """Return the notice that a computer player plays for a user, or that the game waits for them.

    ``text``: with ``LATE_PLAYER`` in place of their name.  While it is true, the post mentions them there.
    """
    seat_row = table.seats[seat]
    is_true = seat_row.user == user and (seat_row.substitute is not None or table.status is Status.PAUSED)
    name = f"<@{user}>" if is_true else table.name_of(user) or FORMER_PLAYER
    post = notice_post(table, text.replace(LATE_PLAYER, name))
    return msgspec.structs.replace(post, notified_users=(user,)) if is_true else post


def taken_back_post(table: Table, announcement: str = "", *, is_partial: bool = False) -> Post:
    """Return what replaces the post of a turn that was taken back; ``is_partial``: only part of the turn.

    ``announcement``: who took it back; empty: another message says it.
    """
    text = "This turn was taken back."
    if is_partial:
        text = "Part of this turn was taken back. What followed is below."
    return notice_post(table, announcement or text)


def old_board_post(table: Table, new_channel: int | None = None) -> Post:
    """Return what replaces a board to which no turn belongs, once a newer board is posted.

    ``new_channel``: the channel of the newer board; None: it is below, in the same channel.
    """
    text = "The newer board is below." if new_channel is None else f"The game goes on in <#{new_channel}>."
    return Post(f"**{title(table)}** · {text}")


def board_status_text(table: Table, asked_seat: Seat | None) -> str:
    """Return whose turn it is and what to do, or how the table stands; the asked person is mentioned."""
    stopped_texts = {
        Status.PAUSED: f"Paused. {resumer_text(table)} can press **{RESUME_LABEL}**.",
        Status.FROZEN: _FROZEN_TEXT,
        Status.ENDED_EARLY: _ENDED_TEXT,
    }
    if table.status in stopped_texts:
        return stopped_texts[table.status]
    if asked_seat is None:
        return game_calls.status_text(table, None)
    mention = f"<@{table.seats[asked_seat].user}>"
    names = tuple(mention if i == asked_seat else name for i, name in enumerate(table.names))
    status_text = game_calls.status_text(table, None, names)
    if mention not in status_text:
        return f"{mention}, your turn. {status_text}"
    before, after = status_text.split(mention, 1)
    return f"{before}{mention}{after.replace(mention, table.names[asked_seat])}"  # one mention is enough


def _board_rows(table: Table, second_row: Sequence[Button]) -> tuple[Row, ...]:
    if table.status is Status.ENDED_EARLY:
        export_button = button(table, EXPORT_LABEL, "export")
        history_buttons = button(table, LOG_LABEL, "log"), button(table, REPLAY_LABEL, "replay")
        return ((rematch_button(table), *history_buttons, export_button),)
    if table.status not in {Status.PLAYING, Status.PAUSED}:
        return ()
    is_paused = table.status is Status.PAUSED
    first_button = resume_button(table) if is_paused else play_button(table)
    return (
        (
            first_button,
            *hand_buttons(table),
            undo_button(table, disabled=is_paused),
            more_button(table),
        ),
        *([tuple(second_row)] if second_row else []),
    )


def former_hand_text(table: Table, seat: Seat) -> str:
    """Return what a message with a hand says to its reader once somebody else has the seat."""
    return f"**{title(table)}** · {table.names[seat]} has your seat now."


def fallback_post(table: Table) -> Post:
    """Return the status of a finished or frozen table without calling its game, which may fail."""
    final_texts = {Status.FROZEN: _FROZEN_TEXT, Status.ENDED_EARLY: _ENDED_TEXT, Status.CLOSED: CLOSED_TEXT}
    return Post(f"**{title(table)}**\n{final_texts.get(table.status, 'This game is over.')}")
