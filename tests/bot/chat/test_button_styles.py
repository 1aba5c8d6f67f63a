"""Which buttons are red and blue: what nobody can take back by themselves, and what a page is for."""

import random

import discord
import pytest

from bot.chat.offer_pages import SeatRecipient, confirm_offer_post
from bot.chat.pages import confirm_end_post, confirm_give_to_computer_post, confirm_resign_post
from bot.chat.post_parts import Post
from bot.chat.question_posts import offer_post
from bot.chat.undo_pages import confirm_roll_back_post
from bot.host.deciders import moderation, seats
from bot.host.deciders.moderation import UnconfirmedRollBack
from bot.host.table import Table
from bot.host.tables import Tables
from rules.catalogue import GAMES
from rules.model import Seat
from tests.bot.chat.post_components import buttons_of
from tests.bot.host.conftest import clock, tables
from tests.bot.host.playing import begin, default_setup, make_move, request_of_person

__all__ = ["clock", "tables"]

HOST, RIVAL = Seat(0), Seat(1)


def _styles(post: Post) -> dict[str, str]:
    """Return the colours of the buttons that are not grey, by label."""
    colors = {discord.ButtonStyle.primary: "blue", discord.ButtonStyle.danger: "red"}
    return {each.label: colors[each.style] for each in buttons_of(post) if each.style in colors}


def _roll_back_page(table: Table) -> Post:
    with pytest.raises(UnconfirmedRollBack) as refusal:
        moderation.roll_back(table, request_of_person(HOST), 0, is_confirmed=False)
    return confirm_roll_back_post(refusal.value)


@pytest.mark.parametrize("computer_count", [0, 1])
async def test_red_is_what_happens_at_once_and_for_good(tables: Tables, computer_count: int) -> None:
    """What only asks others is blue, since it can be withdrawn; where nobody is asked, it is red."""
    number = await begin(tables, default_setup(GAMES["currents"], 2), computer_count=computer_count)
    rng = random.Random(1)
    for _ in range(1 if computer_count else 3):
        table = (await make_move(tables, number, rng)).table
    host_request = request_of_person(HOST)
    assert _styles(confirm_end_post(table, host_request)) == {"End the game": "red"}
    roll_back_styles = (
        {"Roll back and play unrated": "red"} if computer_count else {"Ask to roll back": "blue"}
    )
    assert _styles(_roll_back_page(table)) == roll_back_styles
    leaving_styles = {"Offer to anybody": "blue", "Resign": "red"}
    assert _styles(confirm_resign_post(table, host_request)) == leaving_styles
    give_styles = {"Offer to anybody": "blue", "Give my seat away": "red"}
    assert _styles(confirm_give_to_computer_post(table, host_request)) == give_styles
    if computer_count:
        return
    for has_left, styles in ((False, {"Offer the seat": "blue"}), (True, {"Give the seat away": "red"})):
        page = confirm_offer_post(table, host_request, RIVAL, SeatRecipient(), has_left=has_left)
        assert _styles(page) == styles
    offered_table = seats.offer_seat(table, host_request, RIVAL, None, computer="random").table
    assert _styles(offer_post(offered_table, RIVAL)) == {"Give my seat away": "red"}
