"""The message with a player's hand, in their turn with the first screen of the panel."""

from collections.abc import Sequence
from typing import Final

import msgspec

from bot import limits
from bot.chat.action_picker import Screen, build_screen, pages_of
from bot.chat.consequence_texts import result_warning_lines, undo_warning_lines
from bot.chat.panel_posts import Rows, choice_button
from bot.chat.post_parts import (
    Post,
    board_button,
    hand_button,
    join_lines,
    more_button,
    play_button,
    resume_button,
    title,
    undo_button,
)
from bot.chat.posts import board_status_text
from bot.chat.story import LOG_HINT_VIA_MORE, PRIVATE_STORY_LENGTH, make_story
from bot.host import game_calls, previews
from bot.host.deciders.play import RESIGNED_TEXT
from bot.host.table import IN_PLAY, Table
from bot.host.table_turns import story_start
from bot.store.rows import Status
from rules.model import Seat
from rules.record import LogLine

_MAX_HAND_CHOICE_ROWS: Final = limits.ACTION_ROWS - 1
"""Rows of choices above the last row of the message with the hand."""
_MORE_CHOICES_TEXT: Final = "-# **Play** shows all choices."


def hand_post(
    table: Table, seat: Seat, own_lines: Sequence[LogLine] | None = None, *, with_picture: bool = True
) -> Post:
    """Return a player's private message: what they hold, and in their turn the first screen of the panel.

    It begins with what a phone's notification shows: game, number and what to do.  What happened follows.
    ``own_lines``: the log since the player's last turn, as that player may know it; None: as everybody may.
    ``with_picture``: a picture below shows what is held.
    """
    is_own_turn = table.to_act == seat
    lines = [" · ".join([f"**{title(table)}**", *_hand_status(table, seat)])]
    if is_own_turn:
        log_lines = table.log_lines(story_start(table, seat)) if own_lines is None else own_lines
        lines.append(make_story(table, log_lines, seat, PRIVATE_STORY_LENGTH, LOG_HINT_VIA_MORE).text)
    lines.append((game_calls.hand_summary if with_picture else game_calls.hand_text)(table, seat))
    rows: Rows = ()
    if _has_resigned(table, seat):
        rows = ((board_button(table), more_button(table)),) if table.status in IN_PLAY else ()
    elif table.status is Status.PAUSED:
        may_resume = table.row.players_may_resume or table.seats[seat].user == table.row.host
        resume_buttons = (resume_button(table),) if may_resume else ()
        rows = ((*resume_buttons, hand_button(table), board_button(table)),)
    elif table.status is Status.PLAYING:
        if is_own_turn:
            question_lines, rows = _first_screen_parts(table, seat)
            lines += question_lines
        last_row = (
            play_button(table, disabled=not is_own_turn),
            hand_button(table),
            board_button(table),
            undo_button(table),
            more_button(table),
        )
        rows = (*rows, last_row)
    footer = f"\n-# <#{table.row.game_channel}> · Fairness code: `{table.short_fairness_code}`"
    text = join_lines([line for line in lines if line], limits.CONTENT - len(footer))
    return Post(f"{text}{footer}", rows)


def _hand_status(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return what the player must do, why nobody can play, or how the game ended; else empty.

    Which other player's turn it is, is left out: the message is not sent again when that changes.
    """
    if _has_resigned(table, seat) and table.status in IN_PLAY:
        return (RESIGNED_TEXT,)
    if table.status is Status.PLAYING:
        return (game_calls.status_text(table, seat),) if table.to_act == seat else ()
    if table.status in {Status.PAUSED, Status.FROZEN, Status.ENDED_EARLY}:
        return (board_status_text(table, None),)
    return (game_calls.status_text(table, None),) if game_calls.is_over(table) else ()


def _has_resigned(table: Table, seat: Seat) -> bool:
    return table.match is not None and seat in table.match.resigned_seats


def _first_screen_parts(table: Table, seat: Seat) -> tuple[list[str], Rows]:
    """Return the lines and the buttons of the panel's first screen.

    If not all of its buttons fit, those that are used more often; nothing if these do not fit either.
    """
    paths = game_calls.action_paths(table, seat)
    first_screen = build_screen([each.path for each in paths.values()], (), _MAX_HAND_CHOICE_ROWS)
    screen = msgspec.structs.replace(first_screen, marked_tokens=None)
    hint_lines = []
    if not _fits(screen):
        screen = _without_secondary_choices(screen)
        hint_lines = [_MORE_CHOICES_TEXT]
    if not screen.rows or not _fits(screen):
        return [], ()
    action_by_tokens = {
        choice.tokens: paths[choice.tokens].action for choice in screen.choices if choice.is_action
    }
    actions_to_confirm = previews.actions_to_confirm(table, seat, action_by_tokens.values())
    rows = (
        tuple(
            choice_button(table, each, action_by_tokens.get(each.tokens), actions_to_confirm) for each in row
        )
        for row in screen.rows
    )
    lines = [
        screen.question,
        *hint_lines,
        *result_warning_lines(table, seat, screen, action_by_tokens),
        *undo_warning_lines(table, seat, screen, action_by_tokens),
    ]
    return lines, tuple(rows)


def _fits(screen: Screen) -> bool:
    return len(pages_of(screen, _MAX_HAND_CHOICE_ROWS)) == 1


def _without_secondary_choices(screen: Screen) -> Screen:
    rows = (tuple(each for each in row if not each.is_secondary) for row in screen.rows)
    return msgspec.structs.replace(screen, rows=tuple(row for row in rows if row))
