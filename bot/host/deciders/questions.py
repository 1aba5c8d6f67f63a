"""Questions that people at a table must agree to.  Pure functions from a table to a decision."""

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
    outdated_hand_deliveries,
    question_delivery,
)
from bot.host.deciders.results import unrated_reason_so_far
from bot.host.deciders.timeouts import (
    RESUME_LABEL,
    is_everybody_substituted,
    is_nobody_else_playing,
    is_substituted,
    playing_users,
    with_whole_turn,
)
from bot.host.deciders.undoing import move_number_at, roll_back_to, undo_to
from bot.host.request import Refusal, Request
from bot.host.table import IN_PLAY, Table
from bot.store.clock_rows import TimeControl
from bot.store.delivery_rows import NewDelivery
from bot.store.rows import DeclinedQuestion, Question, QuestionKind, Status
from bot.store.seat_rows import Person
from rules.game import Seat
from rules.text import listed

VOTING_TIME: Final = 24 * 3600
"""Seconds after which a question that not all have agreed to counts as declined."""

_DECLINED_TEXTS: Final = {
    QuestionKind.UNDO: "The move stands.",
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
NOBODY_AWAITED_TEXT: Final = (
    "Nobody else needs to agree. Unless somebody declines, it is done when the question ends."
)
"""Of an open question where a computer plays for everybody who has not agreed."""


def user_names_text(table: Table, users: Sequence[int]) -> str:
    """Return the names, escaped, of users who have or had a seat, as a list in words."""
    return listed([table.name_of(user) or "somebody" for user in users])


def ask_to_undo(
    table: Table, asker: Person, kept_length: int, asked: tuple[int, ...], now: int, seat: Seat | None = None
) -> Decision:
    """Ask whether all but the first ``kept_length`` records may be taken back.  Raises Refusal.

    ``seat``: of a player who wants to undo their own choices; None: a moderator rolls the game back.
    """
    kind = QuestionKind.ROLL_BACK if seat is None else QuestionKind.UNDO
    question = Question(
        kind=kind,
        id=table.row.version,
        asked=asked,
        ply=table.row.ply,
        due=now + VOTING_TIME,
        asker=asker,
        seat=seat,
        kept_length=kept_length,
    )
    question = _with_declined_questions(table, question)
    who = user_names_text(table, asked)
    makes_unrated = kind is QuestionKind.ROLL_BACK and unrated_reason_so_far(table) is None
    answer = (
        f"I have asked {who}, because of what has been played or seen since."
        f" {'All of them' if len(asked) > 1 else who} must agree, or nothing changes."
        f"{' After a roll-back this game is not rated.' if makes_unrated else ''}"
        f" {question_end_text(question)} Press **Decline** there to withdraw it."
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
            return f"{question.asker.name} asks to take this back."
        case QuestionKind.ROLL_BACK:
            move = move_number_at(table, question.kept_length)
            return f"{question.asker.name} asks to roll the game back to move {move}."
        case QuestionKind.GO_ON:
            return f"{question.asker.name} asks to go on with the game."
        case QuestionKind.KEEP_OPEN:
            return ""
        case QuestionKind.CLOCK:
            clock = time_control_text(question.time_control)
            return f"{question.asker.name} asks for another clock: {clock}."
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
        if _asks_the_same(last.as_declined, question):
            who = user_names_text(table, users_still_to_agree(table, last))
            needed = f"{who} must agree." if who else f"{NOBODY_AWAITED_TEXT} {question_end_text(last)}"
            raise Refusal(f"You have already asked. {needed} To withdraw the question, press **Decline**.")
        who = "I have" if last.asker is None else f"{last.asker.name} has"
        raise Refusal(f"{who} asked the players a question. It must be answered first.")
    declined_questions = (*last.declined_before, last.as_declined)
    if any(_asks_the_same(each, question) for each in declined_questions):
        what = "Another clock was asked for" if question.kind is QuestionKind.CLOCK else "This was asked"
        raise Refusal(
            f"{what} before, and declined or withdrawn. {_declined_text(table, question.kind)}"
            " You can ask again after the next move."
        )
    return msgspec.structs.replace(question, declined_before=declined_questions)


def _asks_the_same(earlier: DeclinedQuestion, question: Question) -> bool:
    """Whether a question is of the same person about the same thing; all clocks count as the same."""
    return (earlier.kind, earlier.user, earlier.kept_length) == (
        question.kind,
        None if question.asker is None else question.asker.user,
        question.kept_length,
    )


def ask_to_go_on(table: Table, asker: Person, now: int) -> Decision:
    """Ask all players whether a restored game may go on, although its end may have been lost.

    Raises Refusal for a day after they were asked, if they have declined.
    """
    question, last = go_on_question(table, now, asker), table.row.question
    if last is not None:
        declined_questions = (*last.declined_before, last.as_declined)
        due = max((each.due for each in declined_questions if each.kind is QuestionKind.GO_ON), default=now)
        if due > now:
            raise Refusal(f"The players were asked and declined. You can ask again <t:{due}:R>.")
        question = msgspec.structs.replace(question, declined_before=declined_questions)
    return Decision(
        table=table.with_row(question=question, needs_agreement=True),
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
        asked=table.unresigned_users,
        ply=table.row.ply,
        due=now + VOTING_TIME,
        asker=asker,
    )


def ask_for_clock_or_pause(
    table: Table,
    kind: QuestionKind,
    asker: Person,
    asked: tuple[int, ...],
    now: int,
    time_control: TimeControl | None = None,
) -> Decision:
    """Ask people whether the game gets another clock, or a pause.  Raises Refusal."""
    question = Question(
        kind=kind,
        id=table.row.version,
        asked=asked,
        ply=table.row.ply,
        due=now + VOTING_TIME,
        asker=asker,
        time_control=time_control,
    )
    question = _with_declined_questions(table, question)
    return Decision(
        table=table.with_row(question=question),
        answer=(
            f"I have asked {user_names_text(table, asked)}. The question ends <t:{question.due}:R>."
            " Press **Decline** there to withdraw it."
        ),
        deliveries=(question_delivery(question),),
        audit_entry=proposal_text(table, question),
    )


def change_time_control(table: Table, control: TimeControl | None, text: str) -> Decision:
    """Give a game another clock; ``text`` is announced."""
    changed = with_time_control(table, control).without_open_question()
    deliveries = (notice_delivery(text), BOARD_DELIVERY)
    return Decision(table=changed, answer=text, deliveries=deliveries, audit_entry=text)


def pause_by_agreement(table: Table, text: str) -> Decision:
    """Pause a game so that every player may resume it; ``text`` is announced.  Raises Refusal."""
    if table.status is not Status.PLAYING:
        raise Refusal("This game is paused already.")
    paused = table.with_row(status=Status.PAUSED, players_may_resume=True).without_open_question()
    deliveries = (notice_delivery(text), BOARD_DELIVERY)
    return Decision(table=paused, answer=text, deliveries=deliveries)


def vote(table: Table, request: Request, question_id: int, *, is_yes: bool) -> Decision:
    """Agree to the open question, or decline it.  The asker withdraws it by declining.

    Raises Refusal if that question is not open, or if the user is not asked.
    """
    question = table.row.question
    if (
        question is None
        or question.id != question_id
        or (question.ply != table.row.ply and not question.outlasts_moves)
        or question.declined
        or table.status not in IN_PLAY
    ):
        raise Refusal("This question has been answered, or the game has moved on.")
    if question.asker is not None and question.asker.user == request.user and not is_yes:
        why = f"{question.asker.name} withdrew the question."
        return _decline_question(table, question, why, answer="You withdrew the question.")
    if request.user not in _asked_users(table, question):
        raise Refusal("Only the people who are asked can answer this.")
    if not is_yes:
        return _decline_question(
            table, question, f"{table.name_of(request.user)} declined.", answer="You declined."
        )
    agreed_users = tuple(sorted({*question.agreed, request.user}))
    updated = msgspec.structs.replace(question, agreed=agreed_users)
    still_to_agree = users_still_to_agree(table, updated)
    if question.kind is QuestionKind.KEEP_OPEN or not still_to_agree:
        return _carry_out_agreement(table, updated, request.at)
    return Decision(
        table=table.with_row(question=updated),
        answer=f"You agreed. {user_names_text(table, still_to_agree)} must agree too.",
        deliveries=(question_delivery(updated),),
    )


def users_still_to_agree(table: Table, question: Question) -> tuple[int, ...]:
    """Return the users who are asked and have not agreed yet.

    A question that outlasts moves does not wait for people for whom a computer plays by now.
    """
    not_agreed = tuple(user for user in _asked_users(table, question) if user not in question.agreed)
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


def _asked_users(table: Table, question: Question) -> tuple[int, ...]:
    """Return the users whose answer counts.

    For a question that outlasts moves also all who play by now count, and nobody who has resigned.
    """
    if not question.outlasts_moves or question.asker is None:
        return question.asked
    others = (user for user in playing_users(table) if user != question.asker.user)
    unresigned = table.unresigned_users
    return tuple(user for user in dict.fromkeys((*question.asked, *others)) if user in unresigned)


def expire(table: Table, now: int) -> Decision | None:
    """Return the decision to end a question whose time is over; None while there is time."""
    question = table.row.question
    if question is None or question.declined or question.due > now:
        return None
    assert question.kind is not QuestionKind.KEEP_OPEN, "bot.host.deciders.idle ends its game"
    if question.kind is QuestionKind.PAUSE and table.status is not Status.PLAYING:
        closed = table.without_open_question()  # the game was paused before all had agreed to it
        outcome = question_delivery(question, "The game was paused meanwhile.")
        return Decision(table=closed, answer="", deliveries=(outcome,))
    still_to_agree = users_still_to_agree(table, question)
    if not still_to_agree:
        return _carry_out_agreement(table, question, now)
    names = user_names_text(table, still_to_agree)
    return _decline_question(table, question, f"{names} did not answer in time.")


def _decline_question(table: Table, question: Question, why: str, answer: str = "") -> Decision:
    ply = table.row.ply  # a question that outlasts moves is declined later than it was asked
    declined_before = question.declined_before if question.ply == ply else ()
    declined = table.with_row(
        question=msgspec.structs.replace(question, declined=True, ply=ply, declined_before=declined_before)
    )
    notice = notice_delivery(f"{why} {_declined_text(table, question.kind)}")
    return Decision(table=declined, answer=answer, deliveries=(notice, question_delivery(question, why)))


def _declined_text(table: Table, kind: QuestionKind) -> str:
    """Return how a game goes on after a question was declined, as a sentence."""
    in_pause = _DECLINED_IN_PAUSE_TEXTS if table.status is Status.PAUSED else {}
    return in_pause.get(kind, _DECLINED_TEXTS[kind])


def _carry_out_agreement(table: Table, question: Question, now: int) -> Decision:
    """Do what all have agreed to; the message of the question then says who agreed."""
    who = user_names_text(table, question.agreed)
    agreement_text = f"{who} agreed." if who else "Nobody who was asked is playing now."
    if question.kind is QuestionKind.KEEP_OPEN:
        agreement_text = f"{who} still plays."
    decision = _agreed_decision(table, question, agreement_text, now)
    return replace(decision, deliveries=(*decision.deliveries, question_delivery(question, agreement_text)))


def _later_moves_text(table: Table, kept_length: int) -> str:
    """Return the verb of a sentence about the move after ``kept_length`` records and any later ones."""
    assert table.match is not None
    has_later = any(record.is_choice for record in table.match.history[kept_length + 1 :])
    return "and all moves after it are" if has_later else "is"


def _agreed_decision(table: Table, question: Question, agreement_text: str, now: int) -> Decision:
    """Return what all have agreed to, without the message of the question.

    ``agreement_text``: who has agreed, as a sentence.
    """
    asker = "" if question.asker is None else question.asker.name
    match question.kind:
        case QuestionKind.UNDO:
            assert question.seat is not None
            moves_text = f"last move {_later_moves_text(table, question.kept_length)}"
            text = f"{agreement_text} {asker}'s {moves_text} taken back."
            return undo_to(table, Seat(question.seat), question.kept_length, text)
        case QuestionKind.ROLL_BACK:
            return roll_back_to(table, asker, question.kept_length, agreement_text)
        case QuestionKind.GO_ON:
            stays_paused = is_everybody_substituted(table)  # computers would play alone
            text = f"{agreement_text} The game goes on."
            if stays_paused:
                text = f"{agreement_text} Press **{RESUME_LABEL}** below to come back and go on."
            status = Status.PAUSED if stays_paused else Status.PLAYING
            resumed = table.without_open_question().with_row(
                status=status, needs_agreement=False, players_may_resume=stays_paused
            )
            if not stays_paused and is_nobody_else_playing(resumed):
                resumed = with_whole_turn(resumed)
            deliveries = (notice_delivery(text), BOARD_DELIVERY, *outdated_hand_deliveries(table, resumed))
            return Decision(table=resumed, answer=text, deliveries=deliveries)
        case QuestionKind.CLOCK:
            text = f"{agreement_text} The clock is now: {time_control_text(question.time_control)}."
            return change_time_control(table, question.time_control, text)
        case QuestionKind.PAUSE:
            text = f"{agreement_text} The game is paused. Press **{RESUME_LABEL}** at the board to go on."
            return pause_by_agreement(table, text)
        case QuestionKind.KEEP_OPEN:
            text = f"{agreement_text} The game stays open."
            kept_open = table.without_open_question().with_row(active_at=now)
            return Decision(table=kept_open, answer=text, deliveries=(notice_delivery(text), BOARD_DELIVERY))
