"""The policy of Australis in positions where the sensible choice is plain."""

import pytest
from msgspec.structs import replace

from rules.australis import AUSTRALIS
from rules.australis.model import Competition, Phase, Position
from rules.model import Action, Seat
from rules.notation import write_action
from rules.random_stream import RandomStream
from tests.rules.australis.positions import (
    act,
    legal_choices,
    make_board,
    make_last_turn_position,
    make_position,
)


def choose(position: Position, seed: int = 1) -> Action:
    """Return what the seat to act chooses."""
    view = AUSTRALIS.view(position, position.to_act)
    return AUSTRALIS.policy(view, legal_choices(position), RandomStream(bytes([seed]) * 32))


def chosen_text(position: Position) -> str:
    """Return the choice in notation."""
    return write_action(choose(position))


@pytest.mark.parametrize(
    ("fish", "cube_count", "dice", "choice"),
    [
        (10, 4, "yellow-5f white-1c2p", "take yellow-5f"),  # a school of 12 points
        (14, 3, "yellow-5f white-1c3p", "take white-1c3p"),  # no cube for the next one
        (15, 3, "yellow-5f blue-2", "take blue-2"),  # the cube on 11
        (10, 4, "yellow-4f blue-2", "take blue-2"),  # one fish too few for the next school
        (0, 1, "purple-8 white-1c3p", "take purple-8"),  # first place at reef 8
    ],
)
def test_takes_what_scores_at_the_end(fish: int, cube_count: int, dice: str, choice: str) -> None:
    """With the last die of the game, what scores at once counts, and nothing else."""
    board = make_board(turtle=9, fish=fish, cube_count=cube_count, dice="yellow-4f yellow-4f red")
    other = make_board(turtle=3, dice="yellow-4f white-2c yellow-4f blue-2")
    position = make_last_turn_position(board, other, dice=dice, round=5)

    assert chosen_text(position) == choice


def test_places_its_coral_where_it_gains_most() -> None:
    """First place at a high reef beats a coral where it changes nothing."""
    boards = make_board(turtle=5, corals={8: 2}), make_board(turtle=3, corals={7: 1, 6: 4, 8: 1})
    placing = act(make_position(*boards, dice="purple-8 red"), "take purple-8")

    assert chosen_text(placing) == "coral 7"


def test_keeps_early_and_uses_late() -> None:
    """A card is kept while there are dice to come, and used when there are none."""
    boards = make_board(turtle=5), make_board(turtle=3)
    early_position = make_position(*boards, dice="white-1c2p red yellow-4f", display="yellow-points")
    late_boards = replace(boards[0], dice=early_position.dice[:1] * 3), boards[1]
    late_position = make_last_turn_position(
        *late_boards, dice="white-1c2p red", display=early_position.display, round=5
    )

    assert chosen_text(act(early_position, "take white-1c2p")) == "keep yellow-points"
    assert chosen_text(act(late_position, "take white-1c2p")) == "use yellow-points"


@pytest.mark.parametrize(
    ("round_number", "cube_count", "choice"),
    [(1, 1, "tile silver"), (1, 6, "tile gold"), (3, 2, "tile silver"), (4, 2, "tile gold")],
)
def test_takes_silver_for_its_cube(round_number: int, cube_count: int, choice: str) -> None:
    """Silver where the grey cube is worth more than the points of gold, else gold."""
    board = make_board(turtle=5, fish=12, cube_count=cube_count)
    position = make_position(board, make_board(turtle=3, cube_count=6), dice="red", round_number=round_number)
    competition = Competition(
        round_number, (), (Seat(0), Seat(1)), first=Seat(0), second=Seat(1), is_over=True
    )

    assert chosen_text(replace(position, phase=Phase.TILE, competition=competition)) == choice


def test_moves_a_coral_only_where_it_gains() -> None:
    """With an empty supply a coral moves to a better reef, and stays where all is well."""
    lonely_boards = make_board(turtle=5, corals={3: 16}), make_board(turtle=3)
    three_dice = "yellow-4f yellow-4f yellow-4f"
    settled_boards = (
        make_board(turtle=5, corals={3: 3, 4: 3, 5: 10}, dice=three_dice),
        make_board(turtle=3, corals={3: 2, 4: 2, 5: 9}, dice=three_dice),
    )
    dice = "purple-5 red"

    assert chosen_text(act(make_position(*lonely_boards, dice=dice), "take purple-5")) in {
        "move 3 5",
        "move 3 4",
    }
    assert (
        chosen_text(act(make_last_turn_position(*settled_boards, dice=dice, round=5), "take purple-5"))
        == "leave"
    )


def test_turtle_before_coral() -> None:
    """Where the order matters, the usual one opens the higher reef."""
    board = make_board(turtle=6, cards="yellow-turtle yellow-coral")
    position = act(make_position(board, make_board(turtle=3), dice="yellow-4f red"), "take yellow-4f")

    assert chosen_text(position) == "all"


def test_equal_streams_choose_alike() -> None:
    """The choice depends on the view and the stream alone, and the stream decides between equals."""
    # both dice carry the turtle to the last space
    position = make_position(make_board(turtle=15), make_board(turtle=3), dice="blue-6 blue-7")

    assert choose(position) == choose(position)
    assert len({choose(position, seed) for seed in range(1, 30)}) > 1
