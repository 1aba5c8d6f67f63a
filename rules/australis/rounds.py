"""The start of a round: the dice, the display and the starter."""

from collections.abc import Sequence

from rules.australis.components import DICE_PER_PLAYER, Die
from rules.australis.display import fill_display
from rules.australis.events import DiceRolled, DisplayCleared, RoundBegan
from rules.australis.mutable_position import DIE_INDEX, MutablePosition
from rules.australis.scoring import turtle_space_or_minus_one
from rules.model import Seat


def start_round(position: MutablePosition, dice: tuple[Die, ...]) -> bool:
    """Begin a round with the dice that were rolled; return whether chance must draw cards."""
    if position.display:
        position.discard(position.display)
        position.trail.append(DisplayCleared(tuple(position.display)))
        position.display = []
    if position.round:
        position.starter = next_starter(position)
    position.round += 1
    position.token_holder = None
    seats = position.turn_order(position.starter)
    for seat in seats:
        position.change_board(seat, dice=())
    position.dice = sorted((*dice, Die.RED), key=DIE_INDEX.__getitem__)
    position.turns_left = DICE_PER_PLAYER * len(seats)
    position.trail += [RoundBegan(position.round, position.starter), DiceRolled()]
    return fill_display(position)


def next_starter(position: MutablePosition) -> Seat:
    """Return who begins the next round: the holder of the token, else the turtle furthest back."""
    if position.token_holder is not None:
        return position.token_holder
    boards = position.boards
    return min(position.turn_order(Seat(0)), key=lambda seat: turtle_space_or_minus_one(boards[seat]))


def next_die_taker(position: MutablePosition, dice_counts: Sequence[int]) -> Seat:
    """Return the first seat, from the one that began the round, of those that took the fewest dice."""
    return min(position.turn_order(position.starter), key=dice_counts.__getitem__)
