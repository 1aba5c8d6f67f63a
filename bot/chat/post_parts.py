"""What posts and pages are made of: titles, links, buttons that stand on several, lines within a limit."""

import io
from collections.abc import Sequence
from typing import Final

import discord
import msgspec

from bot import limits
from bot.chat.components import Button, CustomId, Row
from bot.host.committer import ChangeResult
from bot.host.deciders.timeouts import RESUME_LABEL
from bot.host.request import Request
from bot.host.table import Table
from bot.store.clock_rows import TurnStage
from bot.store.rows import Status, TableListing
from rules.model import Seat
from rules.text import capitalized, shortened

MAX_QUOTED_LINES: Final = 6
"""The most lines of a move that a board, a question or a response quotes."""
HISTORY_LABEL: Final = "Step through the game"
REPLAY_LABEL: Final = "Watch the replay"
EXPORT_LABEL: Final = "Get the match file"
"""The labels of the buttons that show the whole game."""
JOIN_LABEL: Final = "Join"
GIVE_SEAT_LABEL: Final = "Give my seat away"
STATUS_TEXTS: Final = {
    Status.LOBBY: "waiting for players",
    Status.PLAYING: "being played",
    Status.PAUSED: "paused",
    Status.OVER: "over",
    Status.CLOSED: "closed before it started",
    Status.ENDED_EARLY: "ended early",
    Status.FROZEN: "frozen",
}
"""Each status of a table in a few words."""


class Post(msgspec.Struct, frozen=True):
    """A message to send, without its picture."""

    text: str
    rows: tuple[Row, ...] = ()
    notified_users: tuple[int, ...] = ()
    """The users who are notified; the text may mention more."""
    preview_text: str = ""
    """The preview of a marked choice, or why a typed move was refused, above the last row of a private page.

    There a phone shows it, which has just shown the buttons.
    """


def table_custom_id(table: Table, verb: str, argument: str = "", *, ply: int | None = None) -> CustomId:
    """Return the custom id of a table's button that is offered at ``ply``; None: at the table's ply."""
    return CustomId(table.number, table.row.ply if ply is None else ply, verb, argument, table.row.generation)


def tableless_custom_id(verb: str, argument: str = "") -> CustomId:
    """Return the custom id of a component that belongs to no table."""
    return CustomId(0, 0, verb, argument)


def button(
    table: Table,
    label: str,
    verb: str,
    argument: str = "",
    *,
    primary: bool = False,
    final: bool = False,
    disabled: bool = False,
) -> Button:
    """Return a button of a table, offered at its ply.

    ``primary`` (blue): it is what the message is for.  ``final`` (red): what it does its presser cannot take
    back.  The others are grey; moves and marked choices of the panel are green.
    """
    style = discord.ButtonStyle.primary if primary else discord.ButtonStyle.secondary
    if final:
        style = discord.ButtonStyle.danger
    return Button(label, table_custom_id(table, verb, argument), style, disabled)


def play_button(table: Table, *, disabled: bool = False) -> Button:
    """Return the button that opens the panel of the player whose turn it is."""
    return button(table, "Play", "play", primary=True, disabled=disabled)


def hand_button(table: Table) -> Button:
    """Return the button that shows its presser's hand."""
    return button(table, "My hand", "hand")


def board_button(table: Table) -> Button:
    """Return the button that shows the board in private."""
    return button(table, "Board", "board")


def more_button(table: Table) -> Button:
    """Return the button that opens the page of less common actions."""
    return button(table, "More", "more")


UNDO_WHOLE_TURN: Final = "turn"
"""A word in the argument of an undo button: it takes the whole turn back."""
UNDO_CONFIRMED: Final = "sure"
"""A word in the argument of an undo button: its presser has read what else it takes back or changes."""


def undo_button(
    table: Table,
    label: str = "Undo",
    *,
    is_whole_turn: bool = False,
    is_confirmed: bool = False,
    primary: bool = False,
    final: bool = False,
    disabled: bool = False,
) -> Button:
    """Return a button that takes back a choice or (``is_whole_turn``) a turn; it has the history's length.

    Others may move before it is pressed: it is out of date once it would take back another choice.  It is
    disabled before the first move of a person.  ``is_confirmed``: the presser has read what it means for
    others and for the rating.  ``primary``, ``final``: as in ``button``.
    """
    history = () if table.match is None else table.match.history
    disabled = disabled or not any(
        record.is_choice and table.seats[record.actor].user is not None for record in history
    )
    words = [
        *([UNDO_WHOLE_TURN] if is_whole_turn else []),
        *([UNDO_CONFIRMED] if is_confirmed else []),
        str(len(history)),
    ]
    return button(table, label, "undo", " ".join(words), primary=primary, final=final, disabled=disabled)


def offer_to_anybody_button(table: Table, seat: Seat, *, primary: bool = False) -> Button:
    """Return the button that offers a seat to the first who takes it."""
    return button(table, "Offer to anybody", "anyone", str(int(seat)), primary=primary)


def title(table: Table) -> str:
    """Return the game's title and the table's number, as a heading."""
    return f"{table.game.title} · No. {table.number}"


def answer_heading(table: Table, request: Request) -> str:
    """Return what an answer about a table begins with: its title, unless it is given where it is played."""
    return "" if request.channel == table.row.game_channel else f"**{title(table)}** · "


def headed_answer(result: ChangeResult, request: Request) -> str:
    """Return the answer to a change of a table below its heading."""
    return f"{answer_heading(result.table, request)}{result.answer}"


def table_link(game_title: str, number: int, guild: int | None, channel: int) -> str:
    """Return the name of a table as a link to a channel; ``guild``: None for direct messages."""
    return f"[{game_title} No. {number}](https://discord.com/channels/{guild or '@me'}/{channel})"


def deadline_text(listing: TableListing) -> str:
    """Return until when the player to act has time, after a comma; empty without a clock."""
    if listing.stage is TurnStage.SUBSTITUTE_ALLOWED:
        return ", time is over"
    if listing.deadline is None:
        return ""
    period = "grace period" if listing.stage is TurnStage.GRACE else "time"
    return f", {period} ends <t:{listing.deadline}:R>"


def mentions_text(users: Sequence[int]) -> str:
    """Return the mentions of users; only ``Post.notified_users`` are notified."""
    return " ".join(f"<@{user}>" for user in users)


def addressed_text(users: Sequence[int], text: str) -> str:
    """Return ``text``, which begins in lower case, after the mentions of those whom it asks.

    If it asks nobody by name, it is capitalized.
    """
    return f"{mentions_text(users)}, {text}" if users else capitalized(text)


def rules_button(table: Table) -> Button:
    """Return the button that shows how the game is played."""
    return button(table, "Read the rules", "rules")


def rematch_button(table: Table) -> Button:
    """Return the button **Rematch** of a game that is over."""
    return button(table, "Rematch", "again", primary=True)


def resume_button(table: Table) -> Button:
    """Return the button **Resume** of a paused game."""
    return button(table, RESUME_LABEL, "resume", primary=True)


def hand_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button **My hand**, or nothing in a game without secrets."""
    return (hand_button(table),) if table.game.hidden_information else ()


def match_file_attachment(table: Table, text: str) -> discord.File:
    """Return a match file as an upload."""
    return discord.File(io.BytesIO(text.encode()), filename=f"{table.game.key}-{table.number}.txt")


OMISSION_LINE_LENGTH: Final = len("\n…and 9,999 more.")
"""The room of the line that says how many others there are."""


def join_whole_lines(lines: Sequence[str], limit: int, omitted_count: int = 0) -> str:
    """Return as many whole lines as fit; the last line says how many others there are.

    ``omitted_count``: how many there are besides ``lines``.
    """
    room, kept_count = limit - OMISSION_LINE_LENGTH, 0
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept_count += 1
    omitted_count += len(lines) - kept_count
    return "\n".join([*lines[:kept_count], *([f"…and {omitted_count:,} more."] if omitted_count else [])])


def join_lines(lines: Sequence[str], limit: int = limits.CONTENT) -> str:
    """Return the lines as one text, cut to ``limit`` characters: by default what a classic message holds."""
    return shortened("\n".join(lines), limit)
