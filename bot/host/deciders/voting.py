"""Answers to the questions of a table, and what is done when all who are asked agree.

Pure functions from a table to a decision.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec

from bot.host.clock_texts import time_control_text
from bot.host.deciders.clocks import with_time_control
from bot.host.deciders.decision import (
    BOARD_DELIVERY,
    Decision,
    notice_delivery,
    outcome_deliveries,
    outdated_hand_deliveries,
    question_delivery,
)
from bot.host.deciders.timeouts import (
    RESUME_LABEL,
    has_no_active_player,
    is_everybody_substituted,
    is_substituted,
    playing_users,
    with_restarted_turn_time,
)
from bot.host.deciders.undoing import roll_back_to, taken_back_noun, undo_with_consent
from bot.host.request import Refusal, Request
from bot.host.table import IN_PLAY, Table
from bot.store.clock_rows import TimeControl
from bot.store.delivery_rows import NewDelivery
from bot.store.question_rows import Question, QuestionKind
from bot.store.rows import Status
from rules.model import Resign, Seat
from rules.text import listed

_DECLINED_TEXTS: Final = {
    QuestionKind.ROLL_BACK: "The game goes on from where it is.",
    QuestionKind.GO_ON: "The game stays paused. `/table resume` can ask again after a day.",
    QuestionKind.CLOCK: "The clock stays as it is.",
    QuestionKind.PAUSE: "The game goes on.",
    QuestionKind.KEEP_OPEN: "The others can still keep it open.",
}
_DECLINED_IN_PAUSE_TEXTS: Final = {
    QuestionKind.ROLL_BACK: "The game stays where it is, paused.",
    QuestionKind.PAUSE: "The game is paused all the same.",
}
"""Of a question that is declined while the game is paused: what replaces the usual text."""


def vote(table: Table, request: Request, question_id: int, *, is_yes: bool) -> Decision:
    """Agree to the open question, or decline it.  The asker withdraws it by declining.

    Raises Refusal if that question is not open, or if the user is not asked.
    """
    question = _require_open(table, question_id)
    if question.asker is not None and question.asker.user == request.user and not is_yes:
        reason = f"{question.asker.name} withdrew the question."
        withdrawn_question = msgspec.structs.replace(question, withdrawn=True)
        return _decline_question(table, withdrawn_question, reason, answer="You withdrew the question.")
    if request.user not in _voters(table, question):
        raise Refusal("Only the people who are asked can answer this.")
    if not is_yes:
        declined_question = msgspec.structs.replace(question, declined_by=request.user)
        reason = f"{table.name_of(request.user)} declined."
        return _decline_question(table, declined_question, reason, answer="You declined.")
    agreed_users = tuple(sorted({*question.agreed_users, request.user}))
    changed_question = msgspec.structs.replace(question, agreed_users=agreed_users)
    still_to_agree = users_still_to_agree(table, changed_question)
    if question.kind is QuestionKind.KEEP_OPEN or not still_to_agree:
        return _carry_out_agreement(table, changed_question, request.at)
    return Decision(
        table=table.with_row(question=changed_question),
        answer=f"You agreed. {user_names_text(table, still_to_agree)} must agree too.",
        deliveries=(question_delivery(changed_question),),
    )


def withdraw(table: Table, request: Request, question_id: int) -> Decision:
    """Withdraw the open question.  Raises Refusal if it is not open, or if the user has not asked it."""
    asker = _require_open(table, question_id).asker
    if asker is None or asker.user != request.user:
        raise Refusal("Only the one who asked can withdraw this. To say no, press **Decline**.")
    return vote(table, request, question_id, is_yes=False)


def _require_open(table: Table, question_id: int) -> Question:
    """Return the open question.  Raises Refusal if that question is not open."""
    question = table.row.question
    if (
        question is None
        or question.id != question_id
        or (question.ply != table.row.ply and not question.outlasts_moves)
        or question.declined
        or table.status not in IN_PLAY
    ):
        raise Refusal("This question has been answered, or the game has moved on.")
    return question


def _voters(table: Table, question: Question) -> tuple[int, ...]:
    """Return the users whose answer counts.

    For a question that outlasts moves also all who play by now count, and nobody who has resigned.
    """
    if not question.outlasts_moves or question.asker is None:
        return question.asked_users
    others = (user for user in playing_users(table) if user != question.asker.user)
    unresigned = table.unresigned_users
    return tuple(user for user in dict.fromkeys((*question.asked_users, *others)) if user in unresigned)


def users_still_to_agree(table: Table, question: Question) -> tuple[int, ...]:
    """Return the users who are asked and have not agreed yet.

    A question that outlasts moves does not wait for people for whom a computer plays by now.
    """
    not_agreed = tuple(user for user in _voters(table, question) if user not in question.agreed_users)
    if not question.outlasts_moves:
        return not_agreed
    return tuple(user for user in not_agreed if not is_substituted(table, user))


def question_update_delivery(before: Table, after: Table) -> NewDelivery | None:
    """Return the delivery of an open question's message if the people that it waits for have changed."""
    old_question, question = before.row.question, after.row.question
    if old_question is None or question is None or question.declined or old_question.id != question.id:
        return None
    is_up_to_date = users_still_to_agree(before, question) == users_still_to_agree(after, question)
    return None if is_up_to_date else question_delivery(question)


def user_names_text(table: Table, users: Sequence[int]) -> str:
    """Return the names, escaped, of users who have or had a seat, as a list in words."""
    return listed([table.name_of(user) or "somebody" for user in users])


def expire(table: Table, now: int) -> Decision | None:
    """Return the decision to end a question whose time is over; None while there is time."""
    question = table.row.question
    if question is None or question.declined or question.due > now:
        return None
    assert question.kind is not QuestionKind.KEEP_OPEN, "bot.host.deciders.idle ends its game"
    if question.kind is QuestionKind.PAUSE and table.status is not Status.PLAYING:
        changed_table = table.without_open_question()  # the game was paused before all had agreed to it
        closing_delivery = question_delivery(question, "The game was paused meanwhile.")
        return Decision(table=changed_table, answer="", deliveries=(closing_delivery,))
    still_to_agree = users_still_to_agree(table, question)
    if not still_to_agree:
        return _carry_out_agreement(table, question, now)
    names = user_names_text(table, still_to_agree)
    return _decline_question(table, question, f"{names} did not answer in time.")


def _decline_question(table: Table, question: Question, reason: str, answer: str = "") -> Decision:
    """Return the decision that ends a question; ``reason``: who declined or did not answer.

    ``answer``: to the user who ends it; empty: its time is over.
    """
    ply = table.row.ply  # a question that outlasts moves is declined later than it was asked
    declined_before = question.declined_before if question.ply == ply else ()
    changed_table = table.with_row(
        question=msgspec.structs.replace(question, declined=True, ply=ply, declined_before=declined_before)
    )
    deliveries = outcome_deliveries(
        table,
        question_delivery(question, reason),
        declined_text(table, question),
        question.ply,
        has_expired=not answer,
    )
    return Decision(table=changed_table, answer=answer, deliveries=deliveries)


def declined_text(table: Table, question: Question) -> str:
    """Return how a game goes on after a question was declined, as a sentence."""
    if question.kind is QuestionKind.UNDO:
        assert question.seat is not None
        return f"The {taken_back_noun(table, Seat(question.seat), question.kept_length)} stands."
    pause_texts = _DECLINED_IN_PAUSE_TEXTS if table.status is Status.PAUSED else {}
    return pause_texts.get(question.kind, _DECLINED_TEXTS[question.kind])


def _carry_out_agreement(table: Table, question: Question, now: int) -> Decision:
    """Do what all have agreed to; the message of the question then says who agreed."""
    who = user_names_text(table, question.agreed_users)
    agreement_text = f"{who} agreed." if who else "Nobody who was asked is playing now."
    if question.kind is QuestionKind.KEEP_OPEN:
        agreement_text = f"{who} still plays."
    decision = _agreed_decision(table, question, agreement_text, now)
    outcome = agreement_text
    if question.kind is QuestionKind.UNDO:  # no other message says what was taken back
        outcome = f"{agreement_text} {decision.answer}"
    return replace(decision, deliveries=(*decision.deliveries, question_delivery(question, outcome)))


def _agreed_decision(table: Table, question: Question, agreement_text: str, now: int) -> Decision:
    """Return what all have agreed to, without the message of the question.

    ``agreement_text``: who has agreed, as a sentence.
    """
    asker_name = "" if question.asker is None else question.asker.name
    match question.kind:
        case QuestionKind.UNDO:
            assert question.seat is not None
            noun = taken_back_noun(table, Seat(question.seat), question.kept_length)
            verb_text = _taken_back_verb_text(table, Seat(question.seat), question.kept_length)
            text = f"{asker_name}'s {noun} {verb_text} taken back."
            decision = undo_with_consent(table, Seat(question.seat), question.kept_length, None)
            return replace(decision, answer=text)
        case QuestionKind.ROLL_BACK:
            return roll_back_to(table, asker_name, question.kept_length, agreement_text)
        case QuestionKind.GO_ON:
            stays_paused = is_everybody_substituted(table)  # computers would play alone
            text = f"{agreement_text} The game goes on."
            if stays_paused:
                text = f"{agreement_text} Press **{RESUME_LABEL}** below to come back and go on."
            status = Status.PAUSED if stays_paused else Status.PLAYING
            resumed_table = table.without_open_question().with_row(
                status=status, needs_agreement_to_go_on=False, players_may_resume=stays_paused
            )
            if not stays_paused and has_no_active_player(resumed_table):
                resumed_table = with_restarted_turn_time(resumed_table)
            deliveries = (
                notice_delivery(text),
                BOARD_DELIVERY,
                *outdated_hand_deliveries(table, resumed_table),
            )
            return Decision(table=resumed_table, answer=text, deliveries=deliveries)
        case QuestionKind.CLOCK:
            text = f"{agreement_text} The clock is now: {time_control_text(question.time_control)}."
            return change_time_control(table, question.time_control, text)
        case QuestionKind.PAUSE:
            # who agreed stands in the question, just above
            reason = "" if question.agreed_users else f"{agreement_text} "
            how = f"To go on, type `/table resume` or press **{RESUME_LABEL}** at the board."
            return pause_by_agreement(table, f"{reason}The game is paused. {how}")
        case QuestionKind.KEEP_OPEN:
            text = f"{agreement_text} The game stays open."
            changed_table = table.without_open_question().with_row(active_at=now)
            return Decision(
                table=changed_table, answer=text, deliveries=(notice_delivery(text), BOARD_DELIVERY)
            )


def _taken_back_verb_text(table: Table, seat: Seat, kept_length: int) -> str:
    """Return the verb for what a seat chose after ``kept_length`` records, with others' moves if any."""
    assert table.match is not None
    has_later = any(
        record.is_choice and record.actor != seat and not isinstance(record.action, Resign)
        for record in table.match.history[kept_length:]
    )
    return "and all moves after it are" if has_later else "is"


def change_time_control(table: Table, control: TimeControl | None, text: str) -> Decision:
    """Give a game another clock; ``text`` is announced."""
    changed_table = with_time_control(table, control).without_open_question()
    deliveries = (notice_delivery(text), BOARD_DELIVERY)
    return Decision(table=changed_table, answer=text, deliveries=deliveries, audit_entry=text)


def pause_by_agreement(table: Table, text: str) -> Decision:
    """Pause a game so that every player may resume it; ``text`` is announced.  Raises Refusal."""
    if table.status is not Status.PLAYING:
        raise Refusal("This game is paused already.")
    paused_table = table.with_row(status=Status.PAUSED, players_may_resume=True).without_open_question()
    deliveries = (notice_delivery(text), BOARD_DELIVERY)
    return Decision(table=paused_table, answer=text, deliveries=deliveries)
