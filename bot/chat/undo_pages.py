"""Private questions before an undo or a roll-back: what it takes back, and who must agree to it."""

from collections.abc import Sequence

from bot.chat.posts import Post, button, join_lines, title, undo_button
from bot.chat.question_posts import taken_back_lines
from bot.host import game_calls
from bot.host.deciders.moderation import UnconfirmedRollBack
from bot.host.deciders.play import UnconfirmedUndo
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.deciders.voting import user_names_text
from bot.host.table import Table
from rules.turns import last_chooser


def confirm_undo_post(undo: UnconfirmedUndo) -> Post:
    """Return the question to a player before an undo that asks others or makes the game unrated.

    Of the last move only, it offers the whole turn, too, which has a question of its own.
    """
    table = undo.table
    if undo.asked_users:
        since_text = "you began your turn" if undo.is_whole_turn else "your last move"
        what = "your whole turn" if undo.is_whole_turn else "it"
        reason = "Others have moved" if undo.have_others_moved else "Something has been revealed"
        text = f"{reason} since {since_text}. To take {what} back, {_asking_text(table, undo.asked_users)}"
        confirm_label = "Ask to undo"
    else:
        what = "turn" if undo.is_whole_turn else "last move"
        text = (
            f"You have seen what came of your {what}. You can take it back, as only computers play against"
            " you, but then this game is **not rated**."
        )
        confirm_label = "Undo and play unrated"
    lines = [
        f"**{title(table)}**",
        f"{text} {_first_taken_back_text(table, undo.kept_length)}",
        *taken_back_lines(table, undo.kept_length),
    ]
    row = [undo_button(table, confirm_label, is_whole_turn=undo.is_whole_turn, is_confirmed=True)]
    turn_undo = game_calls.possible_turn_undo(table, undo.seat)
    if turn_undo is not None and turn_undo.kept_length < undo.kept_length:
        row.append(undo_button(table, "Undo turn", is_whole_turn=True))
    keep_verb = "play" if table.to_act == undo.seat else "keep"
    return Post(join_lines(lines), ((*row, button(table, "Keep playing", keep_verb)),))


def _asking_text(table: Table, asked_users: Sequence[int]) -> str:
    """Return whom the bot would ask to agree, and that all of them must, as the end of a sentence."""
    names = user_names_text(table, asked_users)
    who_must_agree = "all of them" if len(asked_users) > 1 else names
    return f"I ask {names} in the game's channel, and {who_must_agree} must agree."


def _first_taken_back_text(table: Table, kept_length: int) -> str:
    """Return what introduces the moves to be taken back; the first is named if no line tells it."""
    history = () if table.match is None else table.match.history[kept_length : kept_length + 1]
    is_narrated = any(line.index == kept_length for line in table.log_lines(kept_length))
    verb_texts = next((table.game.words.verb_texts.get(type(record.action)) for record in history), None)
    origin_text = "" if is_narrated or verb_texts is None else f", from **{verb_texts.label}** on"
    return f"This would be taken back{origin_text}:"


def confirm_roll_back_post(roll_back: UnconfirmedRollBack) -> Post:
    """Return the question to a moderator before a roll-back."""
    table, move_number = roll_back.table, roll_back.move_number
    question_text = f"Roll the game back to move {move_number}?"
    is_rated = unrated_reason_so_far(table) is None
    if roll_back.asked_users:
        asking_text = _asking_text(table, roll_back.asked_users)
        reason_text = f"{asking_text}{' After it this game is **not rated**.' if is_rated else ''}"
        confirm_label = "Ask to roll back"
    else:
        rating_text = ", but then this game is **not rated**" if is_rated else ""
        reason_text = f"No other person has seen these moves, so nobody is asked{rating_text}."
        confirm_label = "Roll back and play unrated" if is_rated else "Roll back"
    lines = [
        f"**{title(table)}**",
        f"{question_text} {reason_text}{_split_turn_text(table, roll_back)} This would be taken back:",
        *taken_back_lines(table, roll_back.kept_length),
    ]
    confirm_button = button(table, confirm_label, "rollto", str(move_number))
    return Post(join_lines(lines), ((confirm_button, button(table, "Keep the moves", "keep")),))


def _split_turn_text(table: Table, roll_back: UnconfirmedRollBack) -> str:
    """Return that a roll-back would lead into the middle of a turn, as a sentence; empty if it does not."""
    history = () if table.match is None else table.match.history
    seat = history[roll_back.kept_length].actor
    if last_chooser(history[: roll_back.kept_length]) != seat:
        return ""
    return f" Move {roll_back.move_number} is in the middle of {table.names[seat]}'s turn."
