"""The public posts of a game being played: board, turn, notice; the parts of all posts.  Nothing is sent."""

import io
from collections.abc import Sequence
from typing import Final

import discord
import msgspec

from bot import limits
from bot.chat.components import Button, CustomId, Row
from bot.chat.quotations import quote_newest
from bot.chat.story import LOG_LABEL, board_story, condensed_texts, turn_story
from bot.host import game_calls
from bot.host.clock_texts import clock_lines
from bot.host.committer import ChangeResult
from bot.host.deciders.timeouts import RESUME_LABEL, resumer_text, substitutable_seat, substitute_label
from bot.host.request import Request
from bot.host.table import Table
from bot.host.table_turns import (
    is_answer,
    is_first_turn,
    is_resignation,
    newest_turn_start,
    turn_player_names,
)
from bot.store.clock_rows import TurnStage
from bot.store.rows import Status, TableListing
from rules.model import SEAT_LETTERS, Seat
from rules.text import capitalized, listed, shortened
from rules.turns import Turn

MAX_QUOTED_LINES: Final = 6
"""The most lines of a move that a board, a question or a response quotes."""
HISTORY_LABEL: Final = "Step through the game"
REPLAY_LABEL: Final = "Watch the replay"
EXPORT_LABEL: Final = "Get the match file"
"""The labels of the buttons that show the whole game."""
JOIN_LABEL: Final = "Join"
GIVE_SEAT_LABEL: Final = "Give my seat away"
_TURN_HEADING_END: Final = "'s turn"
_ANSWER_HEADING_END: Final = "'s answer"
"""Ends of the first line of a finished turn's post."""
_RESIGNATION_HEADING: Final = "Resignation"
_FROZEN_TEXT: Final = "This game is frozen. Nothing is lost. The notice at the table says why."
_ENDED_TEXT: Final = "This game was ended early."
CLOSED_TEXT: Final = "This lobby is closed."
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


def deadline_text(listing: TableListing) -> str:
    """Return until when the player to act has time, after a comma; empty without a clock."""
    if listing.stage is TurnStage.SUBSTITUTE_ALLOWED:
        return ", time is over"
    if listing.deadline is None:
        return ""
    period = "grace period" if listing.stage is TurnStage.GRACE else "time"
    return f", {period} ends <t:{listing.deadline}:R>"


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


def mentions_text(users: Sequence[int]) -> str:
    """Return the mentions of users; only ``Post.notified_users`` are notified."""
    return " ".join(f"<@{user}>" for user in users)


def addressed_text(users: Sequence[int], text: str) -> str:
    """Return ``text``, which begins in lower case, after the mentions of those whom it asks.

    If it asks nobody by name, it is capitalized.
    """
    return f"{mentions_text(users)}, {text}" if users else capitalized(text)


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
    elif table.status is not Status.OVER:  # the post of its last turn tells that turn
        texts = condensed_texts(table, table.log_lines(newest_turn_start(table)))
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
    """Return the whole public story of a turn that is over, without buttons."""
    heading_end = _ANSWER_HEADING_END if is_answer(table, turn) else _TURN_HEADING_END
    heading = f"{listed(turn_player_names(table, turn))}{heading_end}"
    if is_resignation(table, turn):  # it may have come during somebody's turn
        heading = _RESIGNATION_HEADING
    return Post(join_lines([f"**{title(table)}** · {heading}", turn_story(table, turn).text]))


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


def time_over_post(table: Table, seat: int, text: str) -> Post:
    """Return the notice that a computer player plays for somebody, or that the game waits for them.

    While the notice is still true, the post mentions that person.  The mention replaces their name at the
    start of the text or where the text says for whom the computer plays, else it comes before the text.
    """
    seat_row, name = table.seats[seat], table.names[seat]
    if seat_row.user is None or (seat_row.substitute is None and table.status is not Status.PAUSED):
        return notice_post(table, text)
    mention = f"<@{seat_row.user}>"
    if (played_for := f" for {name} until ") in text:  # first: another name may begin with this one
        text = text.replace(played_for, f" for {mention} until ", 1)
    elif text.startswith(f"{name} "):
        text = mention + text.removeprefix(name)
    else:
        text = f"{mention}: {text}"
    return Post(shortened(f"**{title(table)}** · {text}", limits.CONTENT), notified_users=(seat_row.user,))


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


def rules_button(table: Table) -> Button:
    """Return the button that shows how the game is played."""
    return button(table, "Read the rules", "rules")


def board_status_text(table: Table, asked_seat: Seat | None) -> str:
    """Return whose turn it is and what to do, or how the table stands; the asked person is mentioned."""
    stopped_texts = {
        Status.PAUSED: f"Paused. {resumer_text(table)} can press **{RESUME_LABEL}**.",
        Status.FROZEN: _FROZEN_TEXT,
        Status.ENDED_EARLY: _ENDED_TEXT,
    }
    if table.status in stopped_texts:
        return stopped_texts[table.status]
    names = tuple(
        f"<@{table.seats[asked_seat].user}>" if i == asked_seat else name
        for i, name in enumerate(table.names)
    )
    status_text = game_calls.status_text(table, None, names)
    if asked_seat is not None and names[asked_seat] not in status_text:
        return f"{names[asked_seat]}, your turn. {status_text}"
    return status_text


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


def rematch_button(table: Table) -> Button:
    """Return the button **Rematch** of a game that is over."""
    return button(table, "Rematch", "again", primary=True)


def resume_button(table: Table) -> Button:
    """Return the button **Resume** of a paused game."""
    return button(table, RESUME_LABEL, "resume", primary=True)


def hand_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button **My hand**, or nothing in a game without secrets."""
    return (hand_button(table),) if table.game.hidden_information else ()


def former_hand_text(table: Table, seat: Seat) -> str:
    """Return what a message with a hand says to its reader once somebody else has the seat."""
    return f"**{title(table)}** · {table.names[seat]} has your seat now."


def fallback_post(table: Table) -> Post:
    """Return the status of a finished or frozen table without calling its game, which may fail."""
    final_texts = {Status.FROZEN: _FROZEN_TEXT, Status.ENDED_EARLY: _ENDED_TEXT, Status.CLOSED: CLOSED_TEXT}
    return Post(f"**{title(table)}**\n{final_texts.get(table.status, 'This game is over.')}")


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
