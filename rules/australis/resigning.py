"""What happens when a seat resigns and nobody replaces it (AU12)."""

from msgspec.structs import replace

from rules.australis.competition import end_round_without_winner
from rules.australis.components import CORALS_PER_PLAYER, DICE_PER_PLAYER, FACE_FACTS, Colour
from rules.australis.display import fill_display
from rules.australis.events import DiceReturned, Resigned
from rules.australis.model import Phase
from rules.australis.mutable_position import MutablePosition
from rules.australis.turn import start_next_turn
from rules.model import Seat


def resign(position: MutablePosition, seat: Seat) -> None:
    """Remove a seat's pieces; the others play on, and the last one left wins."""
    was_to_act = position.to_act == seat
    if position.phase is not Phase.TILE:
        position.turns_left -= _remaining_turns(position, seat)
    _take_seat_out(position, seat)
    others = position.turn_order(seat)
    if position.starter == seat:
        position.starter = others[0]
    if len(others) == 1:
        _stop_turn(position)
        position.set_phase(Phase.OVER, None)
    elif position.phase is Phase.TILE:
        _leave_competition(position, seat)
    elif was_to_act:
        has_white_die = position.active_die is not None and position.active_face.colour is Colour.WHITE
        _stop_turn(position)
        must_draw = fill_display(position) if has_white_die else False
        if not must_draw:
            start_next_turn(position)


def _remaining_turns(position: MutablePosition, seat: Seat) -> int:
    """Return how many dice a seat still has to take; the die of its running turn counts as not taken."""
    is_running_turn = position.to_act == seat and position.active_die is not None
    return DICE_PER_PLAYER - len(position.boards[seat].dice) + is_running_turn


def _take_seat_out(position: MutablePosition, seat: Seat) -> None:
    board = position.boards[seat]
    position.trail.append(Resigned(seat))
    if board.dice:
        position.return_dice(board.dice)
        position.trail.append(DiceReturned(tuple(FACE_FACTS[die].colour for die in board.dice)))
    position.discard(board.cards)
    position.boxed_cube_count += board.cube_count + len(board.own_cube_spaces)
    position.change_board(
        seat,
        turtle_space=None,
        coral_supply=CORALS_PER_PLAYER,
        coral_counts=(0,) * len(board.coral_counts),
        fish=0,
        cube_count=0,
        own_cube_spaces=(),
        cards=(),
        dice=(),
        tiles=(),
    )
    if position.token_holder == seat:
        position.token_holder = None


def _stop_turn(position: MutablePosition) -> None:
    """Cancel the rest of the running turn; the display is not refilled here."""
    position.active_die = None
    position.cards_to_activate = []
    position.coral_source = None
    position.picks_left = 0


def _leave_competition(position: MutablePosition, seat: Seat) -> None:
    """Take a seat out of the result of the competition.

    If the winner left, second place chooses the tile, or both tiles go to the box.  If second place left,
    nobody has second place.
    """
    competition = position.competition
    assert competition is not None
    if competition.second == seat:
        position.competition = replace(competition, second=None)
    elif competition.first == seat:
        position.competition = replace(competition, first=competition.second, second=None)
        if competition.second is None:
            end_round_without_winner(position)
        else:
            position.to_act = competition.second
