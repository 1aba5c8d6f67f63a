"""Steps and queries for tests of questions to the players of a table."""

from functools import partial

from bot.host.committer import ChangeResult
from bot.host.deciders import voting
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.question_rows import Question


def question_of(table: Table) -> Question:
    """Return the question of a table that has one, open or declined."""
    question = table.row.question
    assert question is not None
    return question


async def answer_question(tables: Tables, number: int, request: Request, *, is_yes: bool) -> ChangeResult:
    """Answer the question of a table, as a press of its button does; return the result."""
    question_id = question_of(await tables.get(number)).id
    decide = partial(voting.vote, request=request, question_id=question_id, is_yes=is_yes)
    return await tables.change(number, request, decide)
