"""The page before an undo that asks others: why they are asked."""

import random

import pytest

from bot.chat.posts import Post
from bot.chat.undo_pages import confirm_undo_post
from bot.host import game_calls
from bot.host.deciders import play
from bot.host.deciders.play import UnconfirmedUndo
from bot.host.table import Table
from bot.host.tables import Tables
from rules.catalogue import GAMES
from rules.game import CHANCE, Seat
from tests.bot.host.conftest import clock, tables
from tests.bot.host.playing import begin, default_setup, make_move, request_of_person

__all__ = ["clock", "tables"]


def undo_page(table: Table, seat: Seat) -> Post:
    """Return the page that asks a seat's player whether to ask the others about the last move."""
    with pytest.raises(UnconfirmedUndo) as refusal:
        play.undo(table, request_of_person(seat), is_confirmed=False)
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
