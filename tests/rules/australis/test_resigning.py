"""A player resigns and nobody takes the seat (AU12)."""

import pytest
from msgspec.structs import replace

from rules.australis import AUSTRALIS
from rules.australis.components import CORALS_PER_PLAYER, Colour, Die, TileColour
from rules.australis.events import CardsRevealed, DiceReturned, Resigned, TileTaken
from rules.australis.model import Phase, Position, Tile
from rules.model import CHANCE, Seat
from tests.rules.australis.positions import (
    act,
    events,
    legal_texts,
    make_board,
    make_position,
    parse_cards,
    resign_seat,
    resolve_chance,
)

FOUR_BOARDS = tuple(make_board(turtle=space) for space in range(4))


def play_round(position: Position) -> list[int]:
    """Take the first die at every turn of the round; return the seats in their order."""
    order = []
    while position.phase is Phase.TAKE:
        assert position.to_act is not None
        order.append(int(position.to_act))
        position = act(position, legal_texts(position)[0])
    return order


def test_everything_leaves_the_seat() -> None:
    """Turtle, corals, cubes and tiles leave; cards go to the discard pile, dice back to the board."""
    board = make_board(
        turtle=6,
        cards="white-fish red-competition",
        corals={3: 4},
        fish=7,
        cube_count=3,
        dice="blue-2 red",
        tiles=(Tile(TileColour.GOLD, 1),),
        points=30,
    )
    position = make_position(
        *FOUR_BOARDS[:2], board, dice="yellow-4f", token_holder=2, discard_pile="blue-coral"
    )
    position = resign_seat(position, 2)
    vacated_board = position.boards[2]
    assert vacated_board.resigned
    assert (
        vacated_board.turtle_space,
        vacated_board.coral_supply,
        sum(vacated_board.coral_counts),
        vacated_board.fish,
    ) == (
        None,
        CORALS_PER_PLAYER,
        0,
        0,
    )
    assert (
        vacated_board.cube_count,
        vacated_board.own_cube_spaces,
        vacated_board.cards,
        vacated_board.dice,
        vacated_board.tiles,
    ) == (
        0,
        (),
        (),
        (),
        (),
    )
    assert position.discard_pile == parse_cards("white-fish blue-coral red-competition")
    assert position.dice == (Die.YELLOW_4F, Die.BLUE_2, Die.RED)
    assert position.token_holder is None, "as if red had not been taken"
    assert position.boxed_cube_count == 3 + 2
    assert position.trail == (Resigned(Seat(2)), DiceReturned((Colour.BLUE, Colour.RED)))
    assert (position.phase, position.to_act) == (Phase.TAKE, 0), "the running turn goes on"


def test_the_others_still_take_four_each() -> None:
    """The turns of the seat are skipped; more dice stay."""
    position = make_position(*FOUR_BOARDS[:3], dice="yellow-4f " * 12 + "red", player=0)
    position = resign_seat(act(position, "take yellow-4f"), 2)
    assert position.turns_left == 7
    assert play_round(position) == [1, 0, 1, 0, 1, 0, 1]


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
@pytest.mark.parametrize("taken_dice_count", range(12))
def test_turns_add_up_whenever_somebody_leaves(seat: int, taken_dice_count: int) -> None:
    """Every other seat has four turns in the round, in clockwise order."""
    position = make_position(*FOUR_BOARDS, dice="yellow-4f " * 16 + "red", player=1, starter=1)
    earlier_seats = []
    for _ in range(taken_dice_count):
        earlier_seats.append(position.to_act)
        position = act(position, "take yellow-4f")
    position = resign_seat(position, seat)
    order = [*earlier_seats, *play_round(position)]
    others = [other for other in (1, 2, 3, 0) if other != seat]
    assert [each for each in order if each != seat] == others * 4


def test_resigning_in_the_own_turn_passes_it() -> None:
    """After a player resigns in the own turn, the next one clockwise takes a die."""
    position = make_position(*FOUR_BOARDS[:3], dice="yellow-4f " * 12 + "red", player=0)
    position = resign_seat(position, 0)
    assert (position.to_act, position.starter) == (1, 1)
    assert play_round(position) == [1, 2] * 4


def test_resigning_in_the_middle_of_a_turn_refills_the_display() -> None:
    """A card was kept and one is to be picked: the kept one is discarded, the display filled."""
    position = make_position(*FOUR_BOARDS[:3], dice="white-2c yellow-4f red", player=1, starter=1)
    position = act(position, "take white-2c")
    kept = position.display[0]
    position = act(position, f"keep {kept.value}")
    position = resign_seat(position, 1)
    assert kept in position.discard_pile
    assert (position.phase, position.reveals_left, position.picks_left) == (Phase.REVEAL, 1, 0)
    assert position.active_die is None
    assert Die.WHITE_2C in position.dice
    position = resolve_chance(position)
    assert events(position, CardsRevealed)
    assert (position.phase, position.to_act, position.turns_left) == (Phase.TAKE, 2, 8)


def test_resigning_while_a_coral_is_to_be_placed_returns_the_die() -> None:
    """The die of the broken turn goes back to the board unused."""
    position = act(make_position(*FOUR_BOARDS[:3], dice="purple-5 yellow-4f red"), "take purple-5")
    position = resign_seat(position, 0)
    assert (position.phase, position.to_act, position.coral_source) == (Phase.TAKE, 1, None)
    assert Die.PURPLE_5 in position.dice


def test_resigning_while_cards_are_to_be_ordered_activates_none() -> None:
    """No card of the broken turn is carried out."""
    board = make_board(turtle=3, cards="yellow-turtle yellow-coral")
    position = make_position(board, *FOUR_BOARDS[:2], dice="yellow-5f yellow-4f red")
    position = resign_seat(act(position, "take yellow-4f"), 0)
    assert position.cards_to_activate == ()
    assert (position.phase, position.to_act) == (Phase.TAKE, 1)


def test_resigning_at_the_last_die_scores_the_round() -> None:
    """The others' points come as usual."""
    boards = [make_board(turtle=space, dice="yellow-4f " * 4) for space in (1, 2)]
    board = make_board(turtle=6, dice="yellow-4f " * 3)
    position = make_position(*boards, board, dice="yellow-4f red", player=2)
    assert position.turns_left == 1
    position = resign_seat(position, 2)
    assert position.phase is Phase.ROLL
    assert [each.tally.turtle for each in position.boards] == [1, 2, 0]


def test_the_next_round_has_dice_for_those_left() -> None:
    """Cards and grey cubes stay as they were."""
    boards = [make_board(turtle=space, dice="yellow-4f " * 4) for space in (1, 2, 3)]
    position = make_position(
        *boards, make_board(turtle=9), dice="yellow-4f red", turtle_track_grey_cube_count=2, player=3
    )
    card_count = len(position.draw_pile) + len(position.display)
    position = resolve_chance(resign_seat(position, 3))
    assert (position.phase, position.round) == (Phase.TAKE, 2)
    assert len(position.dice) == 4 * 3 + 1
    assert position.turns_left == 12
    assert position.turtle_track_grey_cube_count == 2
    assert len(position.draw_pile) + len(position.display) + len(position.discard_pile) == card_count


def test_the_turtle_furthest_back_begins_if_the_token_holder_leaves() -> None:
    """Of the seats that are left, the one whose turtle is furthest back begins the next round."""
    boards = [make_board(turtle=space, dice="yellow-4f " * 4) for space in (5, 2)]
    leaving_board = make_board(turtle=0, dice="yellow-4f yellow-4f red")
    position = make_position(*boards, leaving_board, dice="yellow-4f", player=2, token_holder=2)
    position = resolve_chance(resign_seat(position, 2))
    assert (position.round, position.to_act) == (2, 1)


def score_last_die(position: Position) -> Position:
    """Return the position after the coming turn, as if it was the last one of the round."""
    return act(replace(position, turns_left=1), "take yellow-4f")


def test_a_seat_that_left_takes_no_part() -> None:
    """A seat that left scores no reef, has no part in the competition and no turtle in the way."""
    boards = [
        make_board(turtle=0),
        make_board(turtle=4, corals={8: 1}),
        make_board(turtle=2, corals={8: 3}, dice="purple-4"),
    ]
    position = resign_seat(make_position(*boards, dice="blue-2 yellow-4f red"), 2)
    position = act(position, "take blue-2")
    assert position.boards[0].turtle_space == 2
    position = score_last_die(position)
    assert [board.tally.reefs for board in position.boards] == [0, 5, 0]
    assert position.competition is not None
    assert position.competition.seats == (0,)


def make_won_competition_position() -> Position:
    """Return the position when the first of three seats is to choose a tile; the second came second."""
    boards = [
        make_board(turtle=space, dice=dice) for space, dice in ((5, "red"), (2, "blue-4"), (1, "purple-5"))
    ]
    position = make_position(*boards, dice="yellow-4f", turns_left=1)
    return act(position, "take yellow-4f", "compete 9,5,4", "compete 9,3")


def test_second_place_chooses_if_the_winner_leaves() -> None:
    """Second place chooses a tile, and the other tile goes to the box."""
    position = resign_seat(make_won_competition_position(), 0)
    assert (position.phase, position.to_act) == (Phase.TILE, 1)
    position = act(position, "tile gold")
    assert [event.seat for event in events(position, TileTaken)] == [1, None]


def test_the_winner_chooses_if_second_place_leaves() -> None:
    """The winner chooses; the other tile goes to the box."""
    position = resign_seat(make_won_competition_position(), 1)
    assert position.to_act == 0
    position = act(position, "tile silver")
    assert [event.seat for event in events(position, TileTaken)] == [0, None]


def test_the_tiles_of_an_only_participant_who_leaves_go_to_the_box() -> None:
    """Both tiles go to the box, and the game goes on."""
    boards = [make_board(turtle=5, dice="red"), make_board(turtle=2), make_board(turtle=1)]
    position = act(make_position(*boards, dice="yellow-4f", turns_left=1), "take yellow-4f")
    position = resign_seat(position, 0)
    assert [event.seat for event in events(position, TileTaken)] == [None, None]
    assert (position.phase, position.to_act) == (Phase.ROLL, CHANCE)
    assert position.boxed_cube_count == 1 + 2 + 1, (
        "its cube and the two ahead of its turtle, and the grey one"
    )


def test_places_stay_if_third_place_leaves_before_the_choice() -> None:
    """First and second place stay as they were."""
    position = resign_seat(make_won_competition_position(), 2)
    assert (position.phase, position.to_act) == (Phase.TILE, 0)


def test_the_last_one_remaining_wins() -> None:
    """At once, whatever the points; those who left are last and share that rank."""
    boards = (make_board(points=90), make_board(turtle=1, points=50), make_board(turtle=2, points=3))
    position = resign_seat(make_position(*boards, dice="yellow-4f red"), 0)
    assert position.to_act == 1
    position = resign_seat(position, 1)
    assert (position.phase, position.to_act) == (Phase.OVER, None)
    standings = AUSTRALIS.returns(position).standings
    assert [(each.seat, each.rank, each.score) for each in standings] == [(2, 1, 3), (0, 2, 90), (1, 2, 50)]


def test_of_two_the_other_wins() -> None:
    """With two players the other one wins, in the middle of a turn too."""
    position = act(make_position(*FOUR_BOARDS[:2], dice="purple-5 red"), "take purple-5")
    position = resign_seat(position, 0)
    assert position.to_act is None
    assert AUSTRALIS.returns(position).winners == (1,)
