"""An undo against computer players, after its player has seen what they did."""

from functools import partial

import pytest

from bot.host.deciders import play
from bot.host.deciders.play import UnconfirmedHindsight
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.sqlite import SqliteStore
from rules.game import Action, Seat
from tests.bot.host.playing import EVERY_GAME, RNG, begin, choose_action, default_setup, make_move, request_of

PERSON = Seat(0)


def _choose(table: Table, seat: Seat) -> Action:
    return choose_action(table, RNG)[1]


async def _play_until(tables: Tables, number: int, *, computer: bool) -> Table:
    """Play until it is the computer's turn, or the person's."""
    while (table := await tables.get(number)).to_act is not None:
        assert table.to_act is not None
        is_computer = table.seats[table.to_act].computer is not None
        if is_computer is computer:
            return table
        if is_computer:
            await tables.change(number, None, lambda current: play.play_computer(current, _choose))
        else:
            await make_move(tables, number, RNG)
    raise AssertionError("the game is over")


async def test_an_undo_with_hindsight_is_announced_and_stored(tables: Tables, store: SqliteStore) -> None:
    """After the computer has played, the undo says what its player saw, and the stored table keeps that."""
    number = await begin(tables, default_setup(EVERY_GAME["currents"], 2), computers=1)
    await _play_until(tables, number, computer=False)
    await _play_until(tables, number, computer=True)
    await _play_until(tables, number, computer=False)
    request = request_of(PERSON)
    with pytest.raises(UnconfirmedHindsight):
        await tables.change(number, request, partial(play.undo, request=request, confirmed=False))
    done = await tables.change(number, request, partial(play.undo, request=request))
    assert "with hindsight" in done.answer
    waiting = await store.deliveries(number)
    assert any(
        each.kind is DeliveryKind.NOTICE and "with hindsight. Only computers are playing against" in each.text
        for each in waiting
    )
    stored = await store.load(number)
    assert stored is not None
    assert stored.table.undone_with_hindsight
    await _play_until(tables, number, computer=True)
    assert (await tables.get(number)).row.undone_with_hindsight, "forgotten after the next move"
    table = await _play_until(tables, number, computer=False)
    again = play.undo(table, request, confirmed=False)
    assert again.table.row.undone_with_hindsight, "nothing is asked that is known"


async def test_a_free_undo_has_no_hindsight(tables: Tables, store: SqliteStore) -> None:
    """Before anybody has moved or seen anything an undo says nothing of what was seen."""
    number = await begin(tables, default_setup(EVERY_GAME["currents"], 2), computers=1)
    await _play_until(tables, number, computer=False)
    moved = await make_move(tables, number, RNG)
    assert moved.table.match is not None
    offer = moved.table.match.undo_offer(PERSON)
    assert offer is not None
    assert offer.is_free
    request = request_of(PERSON)
    done = await tables.change(number, request, partial(play.undo, request=request, confirmed=False))
    assert "hindsight" not in done.answer
    stored = await store.load(number)
    assert stored is not None
    assert not stored.table.undone_with_hindsight


async def test_a_computers_turn_is_stored_at_once(tables: Tables, store: SqliteStore) -> None:
    """One change holds all choices of the computer's turn, up to the next seat's, and one post tells them."""
    number = await begin(tables, default_setup(EVERY_GAME["oceans"], 2), computers=1)
    for _ in range(4):
        before = await _play_until(tables, number, computer=True)
        after = (
            await tables.change(number, None, lambda current: play.play_computer(current, _choose))
        ).table
        assert after.row.version == before.row.version + 1
        assert after.to_act != before.to_act
    posted = [each.slot.key for each in await store.deliveries(number) if each.kind is DeliveryKind.TURN]
    assert len(posted) == len(set(posted)) >= 4
