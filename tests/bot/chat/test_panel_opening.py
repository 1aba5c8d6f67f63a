"""Opening the private panel: who may act, who comes back, and whose hand is sent again."""

from functools import partial
from typing import cast

import pytest
from msgspec.structs import replace

from bot.chat.panel import PanelHandler
from bot.chat.response import Response
from bot.host.deciders import departures, play
from bot.host.deciders.decision import Decision, hand_delivery
from bot.host.request import Refusal
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.rows import Status
from bot.store.seat_rows import DirectMessages
from rules.catalogue import GAMES
from rules.model import Seat
from rules.players import DEFAULT_COMPUTER
from tests.bot.chat.panel_presses import PostRecorder, last_shown_post, table_with_continuing_choices
from tests.bot.host.conftest import clock, tables
from tests.bot.host.playing import begin, default_setup, request_of_person

__all__ = ["clock", "tables"]


async def test_somebody_who_cannot_act_is_refused(tables: Tables) -> None:
    """Somebody who has resigned reads just that, and another player for whom to wait."""
    number = await begin(tables, default_setup(GAMES["oceans"], 3))
    to_act = (await tables.get(number)).to_act
    assert to_act is not None
    resigned_request, waiting_request = (request_of_person(Seat((to_act + step) % 3)) for step in (1, 2))
    resign = partial(departures.resign, request=resigned_request, computer=DEFAULT_COMPUTER)
    await tables.change(number, resigned_request, resign)
    for request, text in (
        (resigned_request, play.RESIGNED_TEXT),
        (waiting_request, "It is not your turn. Wait for "),
    ):
        with pytest.raises(Refusal, match=f"^{text}"):
            await last_shown_post(
                lambda response, who=request: PanelHandler(tables).open(response, number, who)
            )


async def test_opening_the_panel_sends_a_hand_that_could_not_be_delivered(tables: Tables) -> None:
    """Its player may have opened their direct messages since."""
    table, seat = await table_with_continuing_choices(tables)
    row = replace(table.seats[seat], direct_messages=DirectMessages.CLOSED)
    await tables.change(
        table.number, None, lambda current: Decision(table=current.with_seat(seat, row), answer="")
    )
    newest_id = max(each.id for each in await tables.store.waiting_deliveries(table.number))
    await last_shown_post(
        lambda response: PanelHandler(tables).open(response, table.number, request_of_person(seat))
    )
    new_slots = [
        each.slot for each in await tables.store.waiting_deliveries(table.number) if each.id > newest_id
    ]
    assert new_slots == [hand_delivery(seat).slot]


async def test_somebody_who_comes_back_out_of_turn_reads_for_whom_to_wait(tables: Tables) -> None:
    """**Play** gives the seat back before its turn, in one answer that names nothing as missed."""
    table = await tables.get(await begin(tables, default_setup(GAMES["currents"], 2)))
    assert table.to_act is not None
    seat = Seat(1 - table.to_act)

    def substitute(current: Table) -> Decision:
        return Decision(
            table=current.with_seat(seat, replace(current.seats[seat], substitute=DEFAULT_COMPUTER)),
            answer="",
        )

    await tables.change(table.number, None, substitute)
    response, request = PostRecorder(), request_of_person(seat)
    await PanelHandler(tables).open(cast("Response", response), table.number, request)
    [post] = response.posts
    waiting_text = f"It is not your turn. Wait for {table.names[table.to_act]}."
    assert post.text == f"Welcome back. You play again. {waiting_text}"
    assert (await tables.get(table.number)).seats[seat].substitute is None


async def test_somebody_who_comes_back_in_a_pause_reads_of_it_once(tables: Tables) -> None:
    """**Play** returns the seat and says who can resume the game, without repeating itself."""
    number = await begin(tables, default_setup(GAMES["oceans"], 3))

    def substitute_in_pause(table: Table) -> Decision:
        row = replace(table.seats[1], substitute=DEFAULT_COMPUTER, substituted_since_index=0)
        return Decision(table=table.with_seat(1, row).with_row(status=Status.PAUSED), answer="")

    await tables.change(number, None, substitute_in_pause)
    post = await last_shown_post(
        lambda response: PanelHandler(tables).open(response, number, request_of_person(1))
    )
    assert post.text.startswith("Welcome back.")
    assert post.text.count("paused") == 1
