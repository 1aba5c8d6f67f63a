"""Private questions before an undo or a roll-back: what it takes back, and who must agree to it."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from bot.chat.components import Button, Row
from bot.chat.numbered_log import numbered_lines, pages_of_lines, with_every_choice
from bot.chat.pages import page_text
from bot.chat.post_parts import Post, button, join_lines, title, undo_button
from bot.chat.question_posts import all_moves_buttons, quote_taken_back
from bot.chat.response import Response
from bot.host import game_calls
from bot.host.deciders import moderation, undoing
from bot.host.deciders.moderation import UnconfirmedRollBack
from bot.host.deciders.own_undo import UnconfirmedUndo
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.deciders.voting import user_names_text
from bot.host.game_workers import run_narration
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from rules.model import Resign
from rules.turns import is_in_turn

_SHOWN_KEPT_MOVES: Final = 3
"""How many of the last moves that stay are shown before a roll-back."""
_TAKEN_BACK_PAGE_LENGTH: Final = 800
"""The most characters of a page of what a roll-back takes back: about twenty lines on a phone."""


def confirm_undo_post(undo: UnconfirmedUndo) -> Post:
    """Return the question to a player before an undo that asks others or makes the game unrated.

    Of the last move only, it offers the whole turn, too, which has a question of its own, unless others have
    just declined that.
    """
    table = undo.table
    if undo.asked_users:
        since_text = "you began your turn" if undo.is_whole_turn else "your last move"
        what = "your whole turn" if undo.is_whole_turn else "it"
        reason = _reason_to_ask(undo)
        text = f"{reason} since {since_text}. To take {what} back, {_asking_text(table, undo.asked_users)}"
        confirm_label = "Ask to undo"
    else:
        what = "turn" if undo.is_whole_turn else "last move"
        text = (
            f"You have seen what came of your {what}. You can take it back, as only computers play against"
            " you, but then this game is **not rated**."
        )
        confirm_label = "Undo and play unrated"
    taken_back = quote_taken_back(table, undo.kept_length, undo.seat)
    lines = [
        f"**{title(table)}**",
        *([undo.declined_text] if undo.declined_text else []),
        f"{text} {_taken_back_heading(table, undo.kept_length)}",
        *taken_back.lines,
    ]
    asks = bool(undo.asked_users)
    confirm_button = undo_button(
        table,
        confirm_label,
        is_whole_turn=undo.is_whole_turn,
        is_confirmed=True,
        primary=asks,
        final=not asks,
    )
    row = [confirm_button]
    turn_undo = game_calls.possible_turn_undo(table, undo.seat)
    if turn_undo is not None and turn_undo.kept_length < undo.kept_length and not undo.declined_text:
        row.append(undo_button(table, "Undo turn", is_whole_turn=True))
    if table.to_act == undo.seat:
        row.append(button(table, "Keep playing", "play"))
    else:
        row.append(button(table, "Keep the turn" if undo.is_whole_turn else "Keep the move", "keep"))
    return Post(join_lines(lines), ((*row, *all_moves_buttons(table, taken_back)),))


def _reason_to_ask(undo: UnconfirmedUndo) -> str:
    """Return what makes an undo the matter of others."""
    if not undo.other_movers:
        if undoing.has_shown_since(undo.table, undo.kept_length, None):
            return "Something has been revealed"
        has_seen = undoing.has_shown_since(undo.table, undo.kept_length, undo.seat)
        # else a restored backup has changed what would be drawn
        return "You have seen something new" if has_seen else "Another player has drawn"
    return "Another player has moved" if len(undo.other_movers) == 1 else "Others have moved"


def _asking_text(table: Table, asked_users: Sequence[int]) -> str:
    """Return whom the bot would ask to agree, and that all of them must, as the end of a sentence."""
    names = user_names_text(table, asked_users)
    who_must_agree = "all of them" if len(asked_users) > 1 else names
    return f"I ask {names} in the game's channel, and {who_must_agree} must agree."


def _taken_back_heading(table: Table, kept_length: int) -> str:
    """Return what introduces the moves to be taken back; the first is named if no line tells it."""
    history = () if table.match is None else table.match.history[kept_length : kept_length + 1]
    is_narrated = any(line.index == kept_length for line in table.log_lines(kept_length))
    verb_texts = next((table.game.words.verb_texts.get(type(record.action)) for record in history), None)
    origin_text = "" if is_narrated or verb_texts is None else f", from **{verb_texts.label}** on"
    return f"This would be taken back{origin_text}:"


async def show_roll_back_page(
    tables: Tables,
    response: Response,
    number: int,
    request: Request,
    move_number: int,
    *,
    ply: int | None = None,
    page_index: int = 0,
) -> None:
    """Show a moderator what a roll-back would take back.  ``ply``: as in ``moderation.roll_back``.

    Raises Refusal.
    """
    decide = partial(
        moderation.roll_back, request=request, move_number=move_number, ply=ply, is_confirmed=False
    )
    try:
        await tables.change(number, request, decide)
    except UnconfirmedRollBack as refusal:
        make_post = partial(confirm_roll_back_post, refusal, page_index)
        await response.show(await run_narration(refusal.table, make_post, _shown_start(refusal)))


def confirm_roll_back_post(roll_back: UnconfirmedRollBack, page_index: int = 0) -> Post:
    """Return the question to a moderator before a roll-back, with a page of what it takes back."""
    table, move_number = roll_back.table, roll_back.move_number
    assert table.match is not None
    is_rated = unrated_reason_so_far(table) is None
    if roll_back.asked_users:
        asking_text = _asking_text(table, roll_back.asked_users)
        reason_text = f"{asking_text}{' After it this game is **not rated**.' if is_rated else ''}"
        confirm_label = "Ask to roll back"
    else:
        rating_text = ", but then this game is **not rated**" if is_rated else ""
        reason_text = f"No other person has seen these moves, so nobody is asked{rating_text}."
        confirm_label = "Roll back and play unrated" if is_rated else "Roll back"
    history, start = table.match.history, _shown_start(roll_back)
    log_lines = with_every_choice(table, table.log_lines(start), start)
    kept_lines = numbered_lines(history, [each for each in log_lines if each.index < roll_back.kept_length])
    undone_lines = numbered_lines(history, log_lines)[len(kept_lines) :]
    taken_back_pages = pages_of_lines(undone_lines, _TAKEN_BACK_PAGE_LENGTH)
    page_index = min(page_index, len(taken_back_pages) - 1)
    lines = [
        f"**{title(table)}**",
        f"Roll the game back to move {move_number}? {_destination_text(roll_back)}".rstrip(),
        reason_text,
    ]
    if page_index == 0 and kept_lines:
        lines += ["This would stay:", *(line.text for line in kept_lines)]
    lines += ["This would be taken back:", *(["…"] if page_index else [])]
    lines += [line.text for line in taken_back_pages[page_index]]
    lines += ["…"] if page_index + 1 < len(taken_back_pages) else []
    asks = bool(roll_back.asked_users)
    confirm_button = button(table, confirm_label, "rollto", str(move_number), primary=asks, final=not asks)
    rows: list[Row] = [(confirm_button, button(table, "Keep the moves", "keep"))]
    if len(taken_back_pages) > 1:
        rows.append(_taken_back_pages_row(roll_back, page_index, len(taken_back_pages)))
    return Post(page_text(lines), tuple(rows))


def _shown_start(roll_back: UnconfirmedRollBack) -> int:
    """Return the index in the history of the first record that is shown, among the last ones that stay."""
    history = () if roll_back.table.match is None else roll_back.table.match.history
    choice_indexes = [i for i in range(roll_back.kept_length) if history[i].is_choice]
    return choice_indexes[-_SHOWN_KEPT_MOVES:][0] if choice_indexes else roll_back.kept_length


def _taken_back_pages_row(
    roll_back: UnconfirmedRollBack, page_index: int, page_count: int
) -> tuple[Button, ...]:
    """Return the buttons that lead to the other pages of what would be taken back."""
    older_page, newer_page = max(page_index - 1, 0), min(page_index + 1, page_count - 1)
    return tuple(
        button(
            roll_back.table,
            label,
            "rollpg",
            f"{roll_back.wanted_move_number} {page} {word}",
            disabled=page == page_index,
        )
        for label, page, word in (("Older moves", older_page, "old"), ("Newer moves", newer_page, "new"))
    )


def _destination_text(roll_back: UnconfirmedRollBack) -> str:
    """Return who would choose after a roll-back, and why it goes elsewhere than its moderator wanted."""
    table, move_number = roll_back.table, roll_back.move_number
    assert table.match is not None
    history = table.match.history
    record = history[roll_back.kept_length]
    name, text = table.names[record.actor], ""
    if is_in_turn(history[: roll_back.kept_length], record.actor):
        text = f"Then {name} is in the middle of the turn."
    elif not isinstance(record.action, Resign):  # it may have come in another player's turn
        text = f"Then it is {name}'s turn."
    if roll_back.wanted_move_number == move_number:
        return text
    return f"After move {roll_back.wanted_move_number} a computer would move again at once. {text}"
