"""Ways to end a game, and the result that is stored of it."""

import random
from functools import partial
from typing import Final

import msgspec

from bot.host.deciders import departures, play
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.results import StoredResult
from rules.model import Action, Seat
from tests.bot.host.playing import GAMES_AND_TOYS, make_move, request_of_person, seat_and_random_action

GAME_ENDED_BY_RESIGNATION: Final = GAMES_AND_TOYS["currents"]
"""A game that ends when one of its two players resigns."""


async def stored_result(tables: Tables, number: int) -> StoredResult | None:
    """Return the stored result of a table; None if it has none."""
    game_key = (await tables.get(number)).game.key
    return next(
        (each for each in await tables.store.results_of_game(game_key) if each.table_number == number), None
    )


async def play_to_end(tables: Tables, number: int) -> Table:
    """Play at random until the game is over, computer players too."""
    rng = random.Random(number)
    while (table := await tables.get(number)).to_act is not None:
        if table.seats[table.to_act].user is None:
            await tables.change(
                number, None, lambda current: play.play_computer_turn(current, partial(_choose, rng=rng))
            )
        else:
            user = table.seats[table.to_act].user
            request = msgspec.structs.replace(request_of_person(0), user=user or 0)
            action = seat_and_random_action(table, rng)[1]
            await tables.change(number, request, partial(play.play, request=request, actions=(action,)))
    return table


def _choose(table: Table, seat: Seat, rng: random.Random) -> Action:
    return seat_and_random_action(table, rng)[1]


async def resign(tables: Tables, number: int, seat: int) -> Table:
    """Resign for the present player of a seat."""
    user = (await tables.get(number)).seats[seat].user
    request = msgspec.structs.replace(request_of_person(seat), user=user or 0)
    decide = partial(departures.resign, request=request, computer="random")
    return (await tables.change(number, request, decide)).table


async def make_any_move(tables: Tables, number: int, rng: random.Random) -> None:
    """Make a random move for the seat to act, a computer player's too."""
    table = await tables.get(number)
    assert table.to_act is not None
    if table.seats[table.to_act].user is None:
        await tables.change(
            number, None, lambda current: play.play_computer_turn(current, partial(_choose, rng=rng))
        )
    else:
        await make_move(tables, number, rng)
