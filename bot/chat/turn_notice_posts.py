"""The notices of a turn: a reminder at the table, and the early notice to the player who is next."""

from typing import Final

from bot.chat.post_parts import Post, board_button, button, hand_buttons, join_lines, play_button, title
from bot.chat.posts import board_status_text
from bot.chat.story import LOG_LABEL, public_story
from bot.host.clock_texts import rough_duration_text
from bot.host.table import Table
from bot.store.clock_rows import TurnStage
from bot.store.notice_rows import TurnNotices
from rules.model import Seat

_ROUNDING_SECONDS: Final = 300
"""The time left is rounded up to a multiple of these seconds, as reminders often come some minutes late."""


def reminder_post(table: Table, notices: TurnNotices, *, notify: bool) -> Post:
    """Return the message that reminds a person of their turn; it makes sense without any earlier message.

    ``notify``: whether the mention notifies.
    """
    seat = Seat(notices.seat)
    story = public_story(table, seat)
    timer = table.row.turn_timer
    stage = TurnStage.RUNNING if timer is None else timer.stage
    time_lines, end_lines = [], []
    if stage is TurnStage.SUBSTITUTE_ALLOWED:
        time_lines.append("Your time is over. Until you play, the others may let a computer play for you.")
    if notices.deadline is not None:
        seconds_left = notices.deadline - notices.last_sent_at
        time_left_text = rough_duration_text(-(-seconds_left // _ROUNDING_SECONDS) * _ROUNDING_SECONDS)
        period = "Your time"
        time_line = f"When this reminder was sent, you had about {time_left_text} left."
        if stage is TurnStage.GRACE:
            period = "The grace period"
            time_line = (
                "Your time is over. When this reminder was sent, the grace period had about"
                f" {time_left_text} left."
            )
        time_lines.append(time_line)
        end_lines.append(f"-# {period} ends <t:{notices.deadline}:f>, <t:{notices.deadline}:R>.")
    heading = f"**{title(table)}** · Reminder: {board_status_text(table, seat)}"
    lines = [heading, *time_lines, story.text, *end_lines]
    row = (
        play_button(table),
        *hand_buttons(table),
        board_button(table),
        *([button(table, LOG_LABEL, "log")] if story.is_shortened else []),
    )
    return Post(join_lines([line for line in lines if line]), (row,), (notices.user,) if notify else ())


def early_notice_post(table: Table, notices: TurnNotices) -> Post:
    """Return the direct message to the player who is next; it mentions nobody."""
    name = table.names[notices.seat]
    return Post(f"**{title(table)}** · You are next: {name} is playing now.\n-# <#{table.row.game_channel}>")
