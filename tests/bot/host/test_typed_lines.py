"""Typed lines that are no move: what is only guessed is never played, and commands are named."""

import re
from typing import cast

import pytest

from bot.chat.commands import _matching_moves
from bot.chat.panel import play_or_confirm_line
from bot.chat.posts import Post, table_custom_id
from bot.chat.response import Response
from bot.host import game_calls
from bot.host.deciders import play
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from rules.game import Action, Seat
from rules.notation import write_action
from tests.bot.chat.panel_presses import (
    button_called,
    find_continuing_action,
    last_shown_post,
    table_with_action_to_confirm,
    table_with_continuing_choices,
)
from tests.bot.chat.post_components import buttons_of
from tests.bot.host.playing import request_of_person


def _reversed_text(table: Table, seat: Seat, action: Action) -> str:
    """Return the words of an action from the last to the first: they are no move, but mean this one."""
    return " ".join(reversed(game_calls.action_label(table, seat, action).split()))


async def _guess_post(tables: Tables, table: Table, seat: Seat, text: str, *, at_once: bool) -> Post:
    """Return the page that answers a typed line; check that nothing was played."""
    post = await last_shown_post(
        lambda response: play_or_confirm_line(
            tables, cast("Response", response), table.number, request_of_person(seat), text, at_once=at_once
        )
    )
    assert (await tables.get(table.number)).row.ply == table.row.ply
    return post


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_guessed_move_is_asked_about_with_its_preview(tables: Tables, *, at_once: bool) -> None:
    """The question stands above Play it, whether or not the panel confirms such a move."""
    for find_table in (table_with_action_to_confirm, _table_with_continuing_action):
        table, seat, action = await find_table(tables)
        text, label = _reversed_text(table, seat, action), game_calls.action_label(table, seat, action)
        post = await _guess_post(tables, table, seat, text, at_once=at_once)
        assert post.preview_text.startswith(f"### Did you mean “{label}”?")
        ids = [each.custom_id for each in buttons_of(post)]
        assert len(set(ids)) == len(ids), "Discord takes no page with two buttons of one id"
        assert button_called(post, "Play it").custom_id == table_custom_id(table, "do", write_action(action))
        with pytest.raises(Refusal, match=re.escape(f"Did you mean `{label}`?")):
            play.play_typed_line(table, request_of_person(seat), f"{text}; {text}")


async def _table_with_continuing_action(tables: Tables) -> tuple[Table, Seat, Action]:
    table, seat = await table_with_continuing_choices(tables)
    action = find_continuing_action(table, seat)
    assert action is not None
    return table, seat, action


async def test_a_refused_line_names_the_move_after_which_none_may_follow(tables: Tables) -> None:
    """After a move that draws, the answer calls it as examples and suggestions do."""
    table, seat, action = await table_with_action_to_confirm(tables)
    text, label = write_action(action), game_calls.action_label(table, seat, action)
    with pytest.raises(Refusal, match=f" “{label}”, so this must be the last move"):
        play.play_typed_line(table, request_of_person(seat), f"{text}; {text}")


async def test_a_suggested_move_is_named_by_its_label(tables: Tables) -> None:
    """It sends the move in notation."""
    table, seat, action = await table_with_action_to_confirm(tables)
    label = game_calls.action_label(table, seat, action)
    suggestions = await _matching_moves(tables, request_of_person(seat), table.number, label)
    assert (label, write_action(action)) in [(each.name, each.value) for each in suggestions]


@pytest.mark.parametrize(("typed", "command"), [("undo", "`/undo`"), ("Help!", "`/help`")])
async def test_a_command_typed_as_a_move_is_named(tables: Tables, typed: str, command: str) -> None:
    """It is no move of the game."""
    table, seat, _ = await table_with_action_to_confirm(tables)
    with pytest.raises(Refusal, match=command):
        play.play_typed_line(table, request_of_person(seat), typed)


async def test_whose_turn_it_is_is_said_to_who_types_out_of_turn(tables: Tables) -> None:
    """The only suggestion says so, and sends what was typed, which is refused with the same reason."""
    table, seat, action = await table_with_action_to_confirm(tables)
    other_request, text = request_of_person(Seat(1 - seat)), write_action(action)
    suggestions = await _matching_moves(tables, other_request, table.number, text)
    name = f"It is not your turn. Wait for {table.plain_names[seat]}."
    assert [(each.name, each.value) for each in suggestions] == [(name, text)]
    assert await _matching_moves(tables, other_request, table.number, " ") == []
    with pytest.raises(Refusal, match="It is not your turn"):
        play.play_typed_line(table, other_request, text)
