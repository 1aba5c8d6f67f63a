"""Rounds: whose turn comes later in this one, and whether the game is over after it."""

from rules.model import Seat
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.ring import turn_order
from rules.oceans.model import Position


def seats_in_order(position: Position | MutablePosition) -> list[Seat]:
    """Return the seats that still play, in the order of their turns in a round."""
    assert position.first_player is not None
    return turn_order(position.first_player, position.resigned)


def seats_after_current(position: Position | MutablePosition) -> list[Seat]:
    """Return the seats whose turn comes later in this round."""
    current_index = _turn_index(position, position.current_player)
    return [seat for seat in seats_in_order(position) if _turn_index(position, seat) > current_index]


def _turn_index(position: Position | MutablePosition, seat: Seat) -> int:
    """Return a seat's place in the turn order, which set-up fixes."""
    assert position.first_player is not None
    return (seat - position.first_player) % position.seat_count


def is_last_round(position: Position | MutablePosition) -> bool:
    """Whether the game is over after this round (O19)."""
    return position.end_triggered or position.round >= position.options.round_cap


def is_last_turn(position: Position | MutablePosition) -> bool:
    """Whether the game is over after this turn (O18, O19)."""
    return is_last_round(position) and not seats_after_current(position)
