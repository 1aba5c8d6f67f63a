"""Games in which nobody moves: the players are asked, and without an answer the game ends.  Pure functions.

The records and the file of such a game stay.
"""

from typing import Final

from bot.host.deciders import lobby
from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    Decision,
    notice_delivery,
    outdated_hand_deliveries,
    question_delivery,
)
from bot.host.seed_texts import early_end_seed_text
from bot.host.table import IN_PLAY, Table
from bot.store.clock_rows import DAY
from bot.store.question_rows import DeclinedQuestion, Question, QuestionKind
from bot.store.rows import IDLE_SECONDS, LIVE_STATUSES, Status

ANSWER_DAYS: Final = 7
"""The days that the players have to answer; one answer is enough."""
_IDLE_TEXT: Final = f"Nobody has moved for {IDLE_SECONDS // DAY} days"
_NO_ANSWER_TEXT: Final = f"{_IDLE_TEXT} and nobody wanted to go on"
_NOBODY_LEFT_TEXT: Final = f"{_IDLE_TEXT} and no person is left to play"
_UNREACHABLE_TEXT: Final = f"I have not been in this server for {IDLE_SECONDS // DAY} days"


def with_activity(before: Table | None, after: Table, now: int) -> Table:
    """Return a changed table with the time of its last move; opening and changes of status count as moves.

    A move answers the question whether the game stays open.
    """
    if before is not None and (before.row.ply, before.status) == (after.row.ply, after.status):
        return after
    question = after.row.question
    if question is not None and question.kind is QuestionKind.KEEP_OPEN:
        after = after.without_open_question()
    return after.with_row(active_at=now)


def ask_or_end(table: Table, now: int) -> Decision | None:
    """Ask the players of an idle game, or end it without an answer; None while there is time."""
    if table.status not in IN_PLAY or table.match is None:
        return None
    question = table.row.question
    if question is not None and not question.declined:
        if question.kind is not QuestionKind.KEEP_OPEN or question.due > now:
            return None
        return _end_game(table, _NO_ANSWER_TEXT)
    if table.row.idle_due > now:
        return None
    asked_users = table.unresigned_users  # also those for whom a computer plays: one yes is enough
    if not asked_users:
        return _end_game(table, _NOBODY_LEFT_TEXT)
    declined_before: tuple[DeclinedQuestion, ...] = ()
    if question is not None and question.ply == table.row.ply:
        declined_before = (*question.declined_before, question.declined_summary)
    question = Question(
        kind=QuestionKind.KEEP_OPEN,
        id=table.row.version,
        asked_users=asked_users,
        ply=table.row.ply,
        due=now + ANSWER_DAYS * DAY,
        declined_before=declined_before,
    )
    return Decision(
        table=table.with_row(question=question), answer="", deliveries=(question_delivery(question),)
    )


def end_in_unreachable_server(table: Table, now: int) -> Decision | None:
    """Close a lobby, or end a game, of a server that the bot has not reached for a long time.

    Return None if the table has ended already, or if somebody has moved in that time, by direct message.
    """
    if table.status is Status.LOBBY:
        return lobby.close(table)
    if table.status not in LIVE_STATUSES or table.row.idle_due > now:
        return None
    return _end_game(table, _UNREACHABLE_TEXT)


def _end_game(table: Table, reason: str) -> Decision:
    ended_table = table.without_prompts().with_row(status=Status.ENDED_EARLY, paused_when_frozen=False)
    text = f"{reason}, so this game has ended without a result.\n{early_end_seed_text(ended_table)}"
    return Decision(
        table=ended_table,
        answer="",
        deliveries=(notice_delivery(text), BOARD_DELIVERY, *outdated_hand_deliveries(table, ended_table)),
        audit_entry=f"{reason}, so the game has ended.",
    )
