"""Which answers to a question count: those to the open one, by the people whom it still asks."""

import dataclasses
from functools import cache

import pytest
from msgspec.structs import replace

from bot.host.deciders.decision import question_delivery
from bot.host.deciders.questions import VOTING_TIME, ask_for_clock_or_pause, ask_to_undo, go_on_question
from bot.host.deciders.voting import expire, question_update_delivery, users_still_to_agree, vote
from bot.host.request import Refusal
from bot.host.table import IN_PLAY, Table
from bot.store.question_rows import DeclinedQuestion, Question, QuestionKind
from bot.store.rows import Status
from bot.store.seat_rows import Person
from rules.match import Match
from rules.model import Resign, Seat
from rules.record import Record
from tests.bot.chat.sample_tables import make_table
from tests.bot.host.open_questions import question_of
from tests.bot.host.playing import FIRST_USER, GAMES_AND_TOYS, NAMES, default_setup, request_of_person

ASKER, FIRST_ASKED, SECOND_ASKED = range(3)
QUESTION_ID = 7


@cache
def asked_table(kind: QuestionKind) -> Table:
    """Return a table of three, at which the first has asked the others."""
    setup = default_setup(GAMES_AND_TOYS["oceans"], 3)
    table = make_table(setup, Match.begin(setup.game, 3, setup.options, bytes(32)))
    question = Question(
        kind,
        QUESTION_ID,
        (FIRST_USER + FIRST_ASKED, FIRST_USER + SECOND_ASKED),
        table.row.ply,
        due=9,
        asker=Person(FIRST_USER, NAMES[ASKER]),
    )
    return table.with_row(question=question)


@pytest.mark.parametrize("is_yes", [True, False])
@pytest.mark.parametrize("kind", [QuestionKind.PAUSE, QuestionKind.ROLL_BACK])
def test_only_the_open_question_is_answered(kind: QuestionKind, *, is_yes: bool) -> None:
    """A press below one that is over does nothing, or while the game does not go on."""
    table, request = asked_table(kind), request_of_person(FIRST_ASKED)
    question = question_of(table)
    assert vote(table, request, QUESTION_ID, is_yes=is_yes).table.row.question != question
    closed_tables = [
        table.with_row(question=None),
        table.with_row(question=replace(question, id=QUESTION_ID + 1)),
        table.with_row(question=replace(question, declined=True)),
        *(table.with_row(status=status) for status in set(Status) - IN_PLAY),
    ]
    moved_table = table.with_row(ply=table.row.ply + 1)
    if kind is QuestionKind.PAUSE:  # which outlasts moves
        assert vote(moved_table, request, QUESTION_ID, is_yes=is_yes).table.row.question != question
    else:
        closed_tables.append(moved_table)
    for closed_table in closed_tables:
        with pytest.raises(Refusal, match=r"^This question has been answered, or the game has moved on\.$"):
            vote(closed_table, request, QUESTION_ID, is_yes=is_yes)


def test_a_question_stands_for_its_whole_time() -> None:
    """Whatever is asked, people have the time to answer that the pages promise."""
    table = asked_table(QuestionKind.PAUSE).with_row(question=None)
    asker, asked_users, now = Person(FIRST_USER, NAMES[ASKER]), (FIRST_USER + FIRST_ASKED,), 1_000
    questions = [
        ask_to_undo(table, asker, 0, asked_users, now, Seat(ASKER)).table.row.question,
        ask_for_clock_or_pause(table, QuestionKind.PAUSE, asker, asked_users, now).table.row.question,
        go_on_question(table, now),
    ]
    assert [question.due for question in questions if question is not None] == [now + VOTING_TIME] * 3


def test_a_question_waits_for_nobody_who_has_resigned() -> None:
    """One that outlasts moves waits for the others alone, and its message says so."""
    table = asked_table(QuestionKind.PAUSE)
    question = question_of(table)
    assert table.match is not None
    assert users_still_to_agree(table, question) == question.asked_users
    resigned_table = dataclasses.replace(
        table, match=table.match.append(Record(Seat(SECOND_ASKED), Resign()))
    )
    assert users_still_to_agree(resigned_table, question) == (FIRST_USER + FIRST_ASKED,)
    with pytest.raises(Refusal, match="Only the people who are asked"):
        vote(resigned_table, request_of_person(SECOND_ASKED), QUESTION_ID, is_yes=False)
    assert question_update_delivery(table, resigned_table) == question_delivery(question)
    next_question = replace(question, id=QUESTION_ID + 1)
    assert question_update_delivery(table, resigned_table.with_row(question=next_question)) is None


def test_a_declined_question_does_not_expire() -> None:
    """Nothing is said of it a second time."""
    table = asked_table(QuestionKind.PAUSE)
    question = question_of(table)
    assert expire(table, question.due - 1) is None
    assert expire(table, question.due) is not None
    assert expire(table.with_row(question=replace(question, declined=True)), question.due) is None


@pytest.mark.parametrize("has_moved", [False, True])
def test_what_was_declined_is_remembered_until_the_next_move(*, has_moved: bool) -> None:
    """A question that outlasts moves is remembered from when it was declined."""
    table = asked_table(QuestionKind.PAUSE)
    declined_before = (DeclinedQuestion(QuestionKind.UNDO, FIRST_USER, 0, due=9),)
    assert table.row.question is not None
    table = table.with_row(
        question=replace(table.row.question, declined_before=declined_before),
        ply=table.row.ply + has_moved,
    )
    decision = vote(table, request_of_person(FIRST_ASKED), QUESTION_ID, is_yes=False)
    declined_question = question_of(decision.table)
    assert (declined_question.declined, declined_question.ply) == (True, table.row.ply)
    assert declined_question.declined_before == (() if has_moved else declined_before)


def test_a_game_that_is_paused_is_not_paused_by_agreement() -> None:
    """Else any player could end the pause of its host."""
    table = asked_table(QuestionKind.PAUSE).with_row(status=Status.PAUSED)
    table = vote(table, request_of_person(FIRST_ASKED), QUESTION_ID, is_yes=True).table
    with pytest.raises(Refusal, match="paused already"):
        vote(table, request_of_person(SECOND_ASKED), QUESTION_ID, is_yes=True)
