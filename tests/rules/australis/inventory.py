"""What a table of Australis consists of, for the tests of every game."""

from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any

from rules.australis.components import FACE_FACTS
from rules.model import Seat


def pieces(state: Any) -> Iterable[Any]:
    """Yield cards, dice by colour, each seat's corals, and food cubes."""
    boards = state.boards
    cube_count = state.turtle_track_grey_cube_count + state.grey_cube_supply + state.boxed_cube_count
    cube_count += sum(board.cube_count + len(board.own_cube_spaces) for board in boards)
    return chain(
        state.display,
        state.draw_pile,
        state.discard_pile,
        *(board.cards for board in boards),
        (FACE_FACTS[die].colour for die in chain(state.dice, *(board.dice for board in boards))),
        *(
            repeat(f"coral {seat}", each.coral_supply + sum(each.coral_counts))
            for seat, each in enumerate(boards)
        ),
        repeat("cube", cube_count),
    )


def belongings(state: Any, seat: Seat) -> object:
    """Return a seat's sea board with its turtle, corals, points and tiles."""
    return state.boards[seat]
