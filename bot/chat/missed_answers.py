"""Texts about missed answers: a change was stored, but its answer did not reach the user."""

from collections.abc import Sequence
from typing import Final

from bot.chat.board_refresh import refresh_board
from bot.host.answer_tracker import AnswerTracker
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.rows import PendingAnswer
from rules.text import shortened

MAX_NAMED_ANSWERS: Final = 3
"""The most missed answers that one answer names, the newest ones; later answers name the others."""
_MAX_ANSWER_LENGTH: Final = 200


def missed_answers_text(missed_answers: Sequence[PendingAnswer]) -> str:
    """Return a line for each missed answer, to be shown above the user's next answer; empty without any."""
    return "".join(
        f"You may have missed this (No. {each.table_number}): {_outcome_text(each)}\n"
        for each in missed_answers
    )


def _outcome_text(missed_answer: PendingAnswer) -> str:
    if missed_answer.move_number is not None:
        return f"your move was recorded (move {missed_answer.move_number})."
    return shortened(" ".join(missed_answer.answer.split()), _MAX_ANSWER_LENGTH)


def missed_answer_lines(table: Table, answer_tracker: AnswerTracker) -> tuple[str, ...]:
    """Return the board's lines about moves whose answers their players have missed."""
    return tuple(
        f"{table.names[seat]}, your move was recorded (move {move_number})."
        for user, move_number in answer_tracker.newest_missed_move_by_user(table.number).items()
        if (seat := table.seat_of(user)) is not None
    )


async def show_missed_answer_on_board(tables: Tables, missed_answer: PendingAnswer) -> None:
    """Update the board so that it says that a move was recorded, since its player missed the answer."""
    if missed_answer.move_number is not None:
        await refresh_board(tables, missed_answer.table_number)
