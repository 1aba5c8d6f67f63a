"""Steps to a position whose undo would use hindsight."""

from bot.host.deciders import play
from bot.host.table import Table
from bot.host.tables import Tables
from rules.model import Action, Seat
from tests.bot.host.playing import RNG, make_move, seat_and_random_action


def choose_at_random(table: Table, seat: Seat) -> Action:
    """Return a random legal action of the seat to act."""
    return seat_and_random_action(table, RNG)[1]


async def play_until_turn(tables: Tables, number: int, *, is_computer_turn: bool) -> Table:
    """Play until it is the computer's turn, or the person's."""
    while (table := await tables.get(number)).to_act is not None:
        assert table.to_act is not None
        is_computer = table.seats[table.to_act].computer is not None
        if is_computer is is_computer_turn:
            return table
        if is_computer:
            await tables.change(
                number, None, lambda current: play.play_computer_turn(current, choose_at_random)
            )
        else:
            await make_move(tables, number, RNG)
    raise AssertionError("the game is over")


async def play_until_hindsight(tables: Tables, number: int) -> Table:
    """Play until the person has seen what the computer did after their move; return the table."""
    await play_until_turn(tables, number, is_computer_turn=False)
    await play_until_turn(tables, number, is_computer_turn=True)
    return await play_until_turn(tables, number, is_computer_turn=False)
