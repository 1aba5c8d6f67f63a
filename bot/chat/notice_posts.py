"""The notices of a turn: a reminder at the table, and the early notice to the player who is next."""

from bot.chat.posts import Post, board_status, button, hand_buttons, join_lines, title
from bot.chat.story import LOG_LABEL, PRIVATE_STORY_LENGTH, public_story
from bot.host.clock_texts import rough_duration
from bot.host.table import Table
from bot.store.notice_rows import TurnNotices
from rules.game import Seat


def reminder_post(table: Table, notices: TurnNotices, *, ping: bool) -> Post:
    """Return the message that reminds a person of their turn; it stands alone.

    ``ping``: whether the mention notifies.
    """
    seat = Seat(notices.seat)
    story = public_story(table, seat, PRIVATE_STORY_LENGTH)
    lines = [f"**{title(table)}** · Reminder: {board_status(table, seat)}"]
    lines.append(story.text)
    if notices.deadline is not None:
        left = rough_duration(notices.deadline - notices.last_sent_at)
        ends = f"Your time ends <t:{notices.deadline}:f>, <t:{notices.deadline}:R>."
        lines.insert(1, f"You have about {left} from this reminder on.")
        lines.append(f"-# {ends}")
    row = (
        button(table, "Play", "play", primary=True),
        *hand_buttons(table),
        button(table, "Board", "board"),
        *([button(table, LOG_LABEL, "log")] if story.is_shortened else []),
    )
    return Post(join_lines([line for line in lines if line]), (row,), (notices.user,) if ping else ())


def early_notice_post(table: Table, notices: TurnNotices) -> Post:
    """Return the direct message to the player who is next; it mentions nobody."""
    name = table.names[notices.seat]
    return Post(f"**{title(table)}** · You are next: {name} is playing now.\n-# <#{table.row.game_channel}>")
