"""The page before an undo that asks others: why they are asked, and what they have just declined."""

import random
from dataclasses import replace

import pytest

from bot.chat.post_parts import Post
from bot.chat.question_posts import question_post
from bot.chat.undo_pages import confirm_undo_post
from bot.host import game_calls
from bot.host.deciders import own_undo, voting
from bot.host.deciders.own_undo import UnconfirmedUndo
from bot.host.deciders.voting import users_still_to_agree
from bot.host.table import Table
from bot.host.tables import Tables
from rules.catalogue import GAMES
from rules.model import CHANCE, Seat
from tests.bot.chat.post_components import button_labels
from tests.bot.host.conftest import clock, tables
from tests.bot.host.open_questions import question_of
from tests.bot.host.playing import FIRST_USER, begin, default_setup, make_move, request_of_person
from tests.bot.host.timed_tables import change_as

__all__ = ["clock", "tables"]


def undo_page(table: Table, seat: Seat) -> Post:
    """Return the page that asks a seat's player whether to ask the others about the last move."""
    with pytest.raises(UnconfirmedUndo) as refusal:
        own_undo.undo(table, request_of_person(seat), is_confirmed=False)
    return confirm_undo_post(refusal.value)


async def test_the_page_says_whether_others_have_seen_something(tables: Tables) -> None:
    """A card that only its player has seen is nothing that has been revealed."""
    number, rng = await begin(tables, default_setup(GAMES["oceans"], 2)), random.Random(4)
    found_texts: dict[bool, str] = {}
    while len(found_texts) < 2:
        seat = (await tables.get(number)).to_act
        assert seat is not None
        table = (await make_move(tables, number, rng)).table
        undo = game_calls.possible_undo(table, seat)
        if undo is None or undo.is_free:
            continue
        assert table.match is not None
        outcomes = [each for each in table.match.history[undo.kept_length :] if each.actor == CHANCE]
        have_all_seen = any(each.action.reveals(None) for each in outcomes)
        found_texts[have_all_seen] = undo_page(table, seat).text.splitlines()[1]
    assert found_texts[True].startswith("Something has been revealed since your last move.")
    assert found_texts[False].startswith("You have seen something new since your last move.")


async def test_the_page_claims_no_sight_of_what_another_has_drawn(tables: Tables) -> None:
    """After a restored backup the draw would come out differently, so others are asked all the same."""
    number, rng = await begin(tables, default_setup(GAMES["currents"], 2)), random.Random(4)
    while True:
        seat = (await tables.get(number)).to_act
        assert seat is not None
        table = (await make_move(tables, number, rng)).table
        undo = game_calls.possible_undo(table, seat)
        assert table.match is not None
        if undo is not None and undo.is_free and table.match.history[-1].actor == CHANCE:
            break
    page = undo_page(replace(table, match=table.match.reseal(table.row.match_id)), seat)
    assert page.text.splitlines()[1].startswith("Another player has drawn since your last move.")


@pytest.mark.parametrize("is_declined", [True, False])
async def test_the_page_and_the_question_name_who_declined_the_whole_turn(
    tables: Tables, *, is_declined: bool
) -> None:
    """Asking for less is no surprise then, and the page does not offer the whole turn again."""
    number, rng = await begin(tables, default_setup(GAMES["oceans"], 2)), random.Random(4)
    while True:
        seat = (await tables.get(number)).to_act
        assert seat is not None
        table = (await make_move(tables, number, rng)).table
        undo, turn_undo = game_calls.possible_undo(table, seat), game_calls.possible_turn_undo(table, seat)
        if undo is not None and turn_undo is not None and not undo.is_free:
            start = game_calls.free_turn_start(table, seat, undo.kept_length)
            if turn_undo.kept_length < start:
                break
    asking_table = await change_as(tables, number, seat, own_undo.undo, is_whole_turn=True)
    question = question_of(asking_table)
    other = users_still_to_agree(asking_table, question)[0] - FIRST_USER
    decider = other if is_declined else seat
    table = await change_as(tables, number, decider, voting.vote, question_id=question.id, is_yes=False)
    page = undo_page(table, seat)
    text = f"{table.names[other]} declined to take back the whole turn."
    assert (page.text.splitlines()[1] == text) is is_declined
    assert ("Undo turn" in button_labels(page)) is not is_declined
    post = question_post(await change_as(tables, number, seat, own_undo.undo))
    assert (post.text.splitlines()[2] == f"{text} This is less.") is is_declined
