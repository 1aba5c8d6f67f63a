"""Tables with a clock, for tests of what time does to them."""

import random
from collections.abc import Collection
from functools import partial
from typing import Any, Final

from bot.host.deciders import play
from bot.host.deciders.decision import Decision
from bot.host.housekeeping import Housekeeping
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, TimeControl, TurnTimer
from bot.store.delivery_rows import DeliveryKind
from rules.catalogue import GAMES
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    begin,
    default_setup,
    make_move,
    request_of_person,
    seat_and_random_action,
)

ANY_GAME_KEY: Final = next(key for key in GAMES if key != KEY_OF_GAME_WITH_SECRETS)
"""A registered game other than ``KEY_OF_GAME_WITH_SECRETS``, for tests in which any such will do."""
DAY_A_TURN: Final = TimeControl(turn_seconds=DAY)


class FakeConnectivity:
    """A ``Connectivity`` that the test controls."""

    def __init__(self, *guilds: int) -> None:
        """Begin connected; ``guilds``: the ids of the servers that can be reached."""
        self.connected = True
        self.reachable_guilds: Collection[int] = guilds

    def is_connected(self) -> bool:
        """Whether the gateway is connected."""
        return self.connected

    def reachable_servers(self) -> Collection[int]:
        """Return the ids of the servers that can be reached."""
        return self.reachable_guilds


def new_housekeeping(tables: Tables, connectivity: FakeConnectivity | None = None) -> Housekeeping:
    """Return the housekeeping of a fresh process."""
    housekeeping = Housekeeping(tables)
    housekeeping._connectivity = connectivity
    return housekeeping


async def begin_timed_table(
    tables: Tables, control: TimeControl | None, seat_count: int = 2, game_key: str = ANY_GAME_KEY
) -> int:
    """Begin a game of people with a clock; return the table's number."""
    number = await begin(tables, default_setup(GAMES_AND_TOYS[game_key], seat_count))
    await change_row(tables, number, time_control=control)
    return number


async def change_row(tables: Tables, number: int, **changes: Any) -> Table:
    """Change fields of a table's row, as a decider would."""

    def decide(table: Table) -> Decision:
        return Decision(table=table.with_row(**changes), answer="")

    return (await tables.change(number, None, decide)).table


async def play_until_turn_passes(tables: Tables, number: int, rng: random.Random) -> Table:
    """Play until another seat is to act."""
    seat = (await tables.get(number)).to_act
    for _ in range(100):
        table = (await make_move(tables, number, rng)).table
        if table.to_act != seat:
            return table
    raise AssertionError("the turn never passes")


async def play_as_computer(tables: Tables, number: int, rng: random.Random) -> Table:
    """Play the turn of the computer player that is to act."""

    def decide(table: Table) -> Decision:
        return play.play_computer_turn(table, lambda current, _: seat_and_random_action(current, rng)[1])

    return (await tables.change(number, None, decide)).table


async def notice_texts(tables: Tables, number: int) -> list[str]:
    """Return the texts of the notices that wait."""
    return await delivery_texts(tables, number, DeliveryKind.NOTICE)


async def delivery_texts(tables: Tables, number: int, kind: DeliveryKind) -> list[str]:
    """Return the texts of the deliveries of a kind that wait."""
    return [each.text for each in await tables.store.waiting_deliveries(number) if each.kind is kind]


async def change_as(tables: Tables, number: int, seat: int, decide: Any, **values: Any) -> Table:
    """Change the table at the request of a seat's player; return it."""
    request: Request = request_of_person(seat)
    return (await tables.change(number, request, partial(decide, request=request, **values))).table


def timer_of(table: Table) -> TurnTimer:
    """Return the timer of a table."""
    assert table.row.turn_timer is not None
    return table.row.turn_timer
