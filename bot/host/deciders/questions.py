"""Asks people at a table what they must agree to.  Pure functions from a table to a decision."""

from typing import Final

import msgspec

from bot.host.clock_texts import time_control_text
from bot.host.deciders.decision import Decision, question_delivery
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.deciders.undoing import free_turn_start, move_number_at, taken_back_noun
from bot.host.deciders.voting import declined_text, user_names_text, users_still_to_agree
from bot.host.request import Refusal
from bot.host.table import Table
from bot.store.clock_rows import DAY, TimeControl
from bot.store.question_rows import DeclinedQuestion, Question, QuestionKind
from bot.store.seat_rows import Person
from rules.model import Seat

VOTING_TIME: Final = DAY
"""Seconds after which a question that not all have agreed to counts as declined."""
NOBODY_AWAITED_TEXT: Final = (
    "Nobody else needs to agree. Unless somebody declines, it is done when the question ends."
)
"""Of an open question where a computer plays for everybody who has not agreed."""


def ask_to_undo(
    table: Table,
    asker: Person,
    kept_length: int,
    asked_users: tuple[int, ...],
    now: int,
    seat: Seat | None = None,
) -> Decision:
    """Ask whether all but the first ``kept_length`` records may be taken back.  Raises Refusal.

    ``seat``: of a player who wants to undo their own choices; None: a moderator rolls the game back.
    """
    kind = QuestionKind.ROLL_BACK if seat is None else QuestionKind.UNDO
    question = Question(
        kind=kind,
        id=table.row.version,
        asked_users=asked_users,
        ply=table.row.ply,
        due=now + VOTING_TIME,
        asker=asker,
        seat=seat,
        kept_length=kept_length,
    )
    question = _with_declined_questions(table, question)
    who = user_names_text(table, asked_users)
    makes_unrated = kind is QuestionKind.ROLL_BACK and unrated_reason_so_far(table) is None
    answer = (
        f"I have asked {who}."
        f" {'All of them' if len(asked_users) > 1 else who} must agree, or nothing changes."
        f"{' After a roll-back this game is not rated.' if makes_unrated else ''}"
        f" {question_end_text(question)} Press **Withdraw** there to take it back."
    )
    return Decision(
        table=table.with_row(question=question),
        answer=answer,
        deliveries=(question_delivery(question),),
        audit_entry="" if seat is not None else proposal_text(table, question),
    )


def question_end_text(question: Question) -> str:
    """Return what ends a question that nobody has settled by then, as a sentence."""
    if question.kind in {QuestionKind.UNDO, QuestionKind.ROLL_BACK}:
        return f"The question ends when somebody moves, or else <t:{question.due}:R>."
    return f"The question ends <t:{question.due}:R>."


def proposal_text(table: Table, question: Question) -> str:
    """Return who asks for what; empty if the bot asks."""
    if question.asker is None:
        return ""
    match question.kind:
        case QuestionKind.UNDO:
            assert question.seat is not None
            noun = taken_back_noun(table, Seat(question.seat), question.kept_length)
            object_text = "this" if noun == "last move" else f"the whole {noun}"
            return f"{question.asker.name} asks to take {object_text} back."
        case QuestionKind.ROLL_BACK:
            move = move_number_at(table, question.kept_length)
            return f"{question.asker.name} asks to roll the game back to move {move}."
        case QuestionKind.GO_ON:
            return f"{question.asker.name} asks to go on with the game."
        case QuestionKind.KEEP_OPEN:
            return ""
        case QuestionKind.CLOCK:
            clock_text = time_control_text(question.time_control)
            return f"{question.asker.name} asks for another clock: {clock_text}."
        case QuestionKind.PAUSE:
            return f"{question.asker.name} asks for a pause."


def _with_declined_questions(table: Table, question: Question) -> Question:
    """Return a new question that remembers what was declined at its ply.

    Raises Refusal if another question is open, or this one was declined.
    """
    last = table.row.question
    if last is None or (last.ply != question.ply and not (last.outlasts_moves and not last.declined)):
        return question
    if not last.declined:
        if _asks_the_same(table, last.declined_summary, question):
            who = user_names_text(table, users_still_to_agree(table, last))
            needed = f"{who} must agree." if who else f"{NOBODY_AWAITED_TEXT} {question_end_text(last)}"
            raise Refusal(f"You have already asked. {needed} To take the question back, press **Withdraw**.")
        who = "I have" if last.asker is None else f"{last.asker.name} has"
        raise Refusal(f"{who} asked the players a question. It must be answered first.")
    declined_questions = (*last.declined_before, last.declined_summary)
    for each in reversed(declined_questions):
        if _asks_the_same(table, each, question):
            raise Refusal(
                f"{_declined_before_text(table, each, question)} {declined_text(table, question)}"
                " You can ask again after the next move."
            )
    return msgspec.structs.replace(question, declined_before=declined_questions)


def _declined_before_text(table: Table, earlier: DeclinedQuestion, question: Question) -> str:
    """Return what the asker of a question has asked before, and how that ended, as a sentence."""
    match earlier.kind:
        case QuestionKind.UNDO:
            assert question.seat is not None
            noun = taken_back_noun(table, Seat(question.seat), earlier.kept_length)
            what = f"to take back your {noun}"
        case QuestionKind.ROLL_BACK:
            what = f"to roll the game back to move {move_number_at(table, earlier.kept_length)}"
        case QuestionKind.CLOCK:
            what = "for another clock"
        case QuestionKind.PAUSE:
            what = "for a pause"
        case _:
            what = "this before"
    if earlier.withdrawn:
        return f"You asked {what} and withdrew the question."
    decliner_name = None if earlier.declined_by is None else table.name_of(earlier.declined_by)
    outcome = "not everybody agreed" if decliner_name is None else f"{decliner_name} declined"
    return f"You asked {what}, and {outcome}."


def wider_decline_text(table: Table, question: Question) -> str:
    """Return who has just declined an undo of more than a question asks for, as a sentence; else empty."""
    asker_user = None if question.asker is None else question.asker.user
    for earlier in question.declined_before:
        is_wider = earlier.kept_length < question.kept_length and not earlier.withdrawn
        if is_wider and (earlier.kind, earlier.user) == (QuestionKind.UNDO, asker_user):
            name = None if earlier.declined_by is None else table.name_of(earlier.declined_by)
            outcome = "Not everybody agreed" if name is None else f"{name} declined"
            return f"{outcome} to take back the whole turn."
    return ""


def _asks_the_same(table: Table, earlier: DeclinedQuestion, question: Question) -> bool:
    """Whether a question is of the same person about the same thing; all clocks count as the same.

    An undo after which as much as was declined, or more, could be taken back freely is about the same, too:
    a turn holds its last move.
    """
    asker_user = None if question.asker is None else question.asker.user
    if (earlier.kind, earlier.user) != (question.kind, asker_user):
        return False
    if question.kind is QuestionKind.UNDO and not earlier.withdrawn:
        assert question.seat is not None
        return free_turn_start(table, Seat(question.seat), question.kept_length) <= earlier.kept_length
    return question.kept_length == earlier.kept_length


def ask_to_go_on(table: Table, asker: Person, now: int) -> Decision:
    """Ask all players whether a restored game may go on, although its end may have been lost.

    Raises Refusal for a day after they were asked, if they have declined.
    """
    question, last = go_on_question(table, now, asker), table.row.question
    if last is not None:
        declined_questions = (*last.declined_before, last.declined_summary)
        due = max((each.due for each in declined_questions if each.kind is QuestionKind.GO_ON), default=now)
        if due > now:
            raise Refusal(f"The players were asked and declined. You can ask again <t:{due}:R>.")
        question = msgspec.structs.replace(question, declined_before=declined_questions)
    return Decision(
        table=table.with_row(question=question, needs_agreement_to_go_on=True),
        answer="I have asked the players whether the game goes on. All of them must agree.",
        deliveries=(question_delivery(question),),
        audit_entry=proposal_text(table, question),
    )


def go_on_question(table: Table, now: int, asker: Person | None = None) -> Question:
    """Return the question whether a restored game goes on; without ``asker`` the bot asks.

    People for whom a computer plays are asked too: they keep the seat, and may know its secrets.
    """
    return Question(
        kind=QuestionKind.GO_ON,
        id=table.row.version,
        asked_users=table.unresigned_users,
        ply=table.row.ply,
        due=now + VOTING_TIME,
        asker=asker,
    )


def ask_for_clock_or_pause(
    table: Table,
    kind: QuestionKind,
    asker: Person,
    asked_users: tuple[int, ...],
    now: int,
    time_control: TimeControl | None = None,
) -> Decision:
    """Ask people whether the game gets another clock, or a pause.  Raises Refusal."""
    question = Question(
        kind=kind,
        id=table.row.version,
        asked_users=asked_users,
        ply=table.row.ply,
        due=now + VOTING_TIME,
        asker=asker,
        time_control=time_control,
    )
    question = _with_declined_questions(table, question)
    return Decision(
        table=table.with_row(question=question),
        answer=(
            f"I have asked {user_names_text(table, asked_users)}. {question_end_text(question)}"
            " Press **Withdraw** there to take it back."
        ),
        deliveries=(question_delivery(question),),
        audit_entry=proposal_text(table, question),
    )
