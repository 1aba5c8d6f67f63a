"""The position before the first roll."""

from rules.australis.components import (
    CORALS_PER_PLAYER,
    CUBE_SPACES,
    DIE_FACES,
    Colour,
    Die,
    deck,
)
from rules.australis.model import AustralisOptions, FirstPlayer, Phase, Position, SeaBoard, Tally
from rules.australis.mutable_position import DIE_INDEX, MutablePosition
from rules.model import CHANCE, Seat


def colours_to_roll(player_count: int) -> tuple[Colour, ...]:
    """Return the colour of each die that is rolled for a round of so many players: all but the red one."""
    return tuple(colour for colour in Colour if colour is not Colour.RED for _ in range(player_count))


def initial_position(seat_count: int, options: AustralisOptions) -> Position:
    """Return the position before the first roll; until the starter is drawn, turn order is seat order."""
    dice = (*(DIE_FACES[colour][0] for colour in colours_to_roll(seat_count)), Die.RED)
    host_begins = options.first_player is FirstPlayer.HOST
    return Position(
        options=options,
        phase=Phase.ROLL if host_begins else Phase.FIRST_PLAYER,
        to_act=CHANCE,
        boards=tuple(_initial_board(turn_index) for turn_index in range(seat_count)),
        dice=tuple(sorted(dice, key=DIE_INDEX.__getitem__)),
        draw_pile=deck(seat_count),
        turtle_track_grey_cube_count=2 if seat_count == 4 else 1,
    )


def _initial_board(turn_index: int) -> SeaBoard:
    """Return a seat's board by its index in the first turn order."""
    return SeaBoard(
        tally=Tally(start=turn_index + 1),
        turtle_space=turn_index,
        coral_supply=CORALS_PER_PLAYER,
        own_cube_spaces=CUBE_SPACES,
    )


def finish_setup(position: MutablePosition, starter: Seat) -> None:
    """Set who takes the first die, make every seat's board by the turn order, and go on to the first roll."""
    position.starter = starter
    for turn_index, seat in enumerate(position.turn_order(starter)):
        position.boards[seat] = _initial_board(turn_index)
    position.set_phase(Phase.ROLL, CHANCE)
