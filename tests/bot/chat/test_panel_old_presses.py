"""Presses in a panel that was open on another device while its player took back what was chosen there."""

from functools import partial

from bot.chat.panel import PanelHandler
from bot.chat.post_parts import table_custom_id, undo_button
from bot.host import game_calls
from bot.host.deciders import own_undo
from bot.host.table import Table
from bot.host.tables import Tables
from rules.catalogue import GAMES
from rules.model import Action, Seat
from rules.notation import write_action
from tests.bot.chat.panel_presses import (
    continues,
    find_continuing_action,
    last_shown_post,
    make_continuing_choice,
    table_with_continuing_choices,
)
from tests.bot.host.conftest import clock, tables
from tests.bot.host.playing import RNG, begin, default_setup, make_move, request_of_person

__all__ = ["clock", "tables"]


async def test_an_old_press_after_an_undo_is_not_taken_for_an_equal_choice(tables: Tables) -> None:
    """After an undo an old button says that its choice was not played, also if an earlier one was alike."""
    table, seat, repeated_action = await _table_with_repeatable_choice(tables)
    old_button_id = table_custom_id(table, "do", write_action(repeated_action))
    await make_continuing_choice(tables, table.number, seat)
    await _undo(tables, table.number, seat)
    after = await tables.get(table.number)
    post = await last_shown_post(
        lambda response: PanelHandler(tables).play(response, old_button_id, request_of_person(seat))
    )
    assert "Your choice was not played" in post.text
    assert "Already played" not in post.text
    assert (await tables.get(table.number)).row.ply == after.row.ply


async def test_a_choice_that_was_played_after_an_undo_is_named(tables: Tables) -> None:
    """A second press of a choice that stands is answered with its move, also if others were undone before."""
    table, seat = await table_with_continuing_choices(tables)
    await make_continuing_choice(tables, table.number, seat)
    await _undo(tables, table.number, seat)
    table_after_undo = await tables.get(table.number)
    action = find_continuing_action(table_after_undo, seat)
    assert action is not None
    button_id = table_custom_id(table_after_undo, "do", write_action(action))
    for _ in range(2):
        post = await last_shown_post(
            lambda response: PanelHandler(tables).play(response, button_id, request_of_person(seat))
        )
    assert f"Already played as move {table_after_undo.move_count + 1}" in post.text


async def test_an_old_undo_takes_back_no_other_choice(tables: Tables) -> None:
    """An undo offered before its choice was replaced, on another device, leaves the new choice."""
    table, seat = await table_with_continuing_choices(tables)
    old_button_id = undo_button(await make_continuing_choice(tables, table.number, seat)).custom_id
    await _undo(tables, table.number, seat)
    after = await make_continuing_choice(tables, table.number, seat)
    post = await last_shown_post(
        lambda response: PanelHandler(tables).undo(response, old_button_id, request_of_person(seat))
    )
    assert "made or taken back since then" in post.text
    assert (await tables.get(table.number)).row.ply == after.row.ply


async def _undo(tables: Tables, number: int, seat: Seat) -> None:
    request = request_of_person(seat)
    await tables.change(number, request, partial(own_undo.undo, request=request))


async def _table_with_repeatable_choice(tables: Tables) -> tuple[Table, Seat, Action]:
    """Return a table whose seat may choose again what it chose two records ago, beside a free choice."""
    number = await begin(tables, default_setup(GAMES["arctic_cleanup"], 2))
    while True:
        table = await tables.get(number)
        seat = table.to_act
        assert seat is not None
        assert table.match is not None
        if len(table.match.history) > 2:
            record = table.match.history[-2]
            actions = game_calls.legal_actions(table, seat)
            is_repeatable = record.is_choice and record.actor == seat and record.action in actions
            if is_repeatable and any(continues(table, seat, each) for each in actions):
                return table, seat, record.action
        await make_move(tables, number, RNG)
