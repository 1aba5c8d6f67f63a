"""From round to round: turn order, who begins next, the end of the game and its ties."""

import pytest

from rules.australis import AUSTRALIS
from rules.australis.actions import RollDice
from rules.australis.components import Die, TileColour
from rules.australis.events import FinalScored, RoundBegan
from rules.australis.model import Phase, Position, SeaBoard, Tile
from rules.model import CHANCE, ScoreLine, Seat
from tests.rules.australis.positions import act, events, make_board, make_position, parse_dice, resolve_chance

DICE_FOR_THREE = "white-2c " * 3 + "yellow-4f " * 3 + "blue-2 " * 3 + "purple-3 " * 3
ROLL = "roll " + ",".join(DICE_FOR_THREE.split())


def test_who_takes_the_next_die_is_named_within_a_round_only() -> None:
    """Where one kind of die may be all that is left, or the round ends, somebody else may begin."""

    def seat_after(dice: str, turns_left: int) -> Seat | None:
        boards = (make_board(), make_board(turtle=1), make_board(turtle=2))
        position = make_position(*boards, dice=dice, turns_left=turns_left)
        assert AUSTRALIS.seat_after_turn is not None
        return AUSTRALIS.seat_after_turn(AUSTRALIS.view(position, None))

    assert seat_after("red yellow-5f blue-2", 3) == 1
    assert seat_after("red yellow-5f blue-2", 1) is None
    assert seat_after("red yellow-5f", 2) is None, "one of them is taken"


def end_round(
    *boards: SeaBoard, token_holder: int | None = None, starter: int = 0, round_number: int = 1
) -> Position:
    """Return the position after the last die of a round in which nobody has a number die."""
    position = make_position(
        *boards,
        dice="yellow-5f red",
        turns_left=1,
        token_holder=token_holder,
        starter=starter,
        round_number=round_number,
    )
    return act(position, "take yellow-5f")


THREE_BOARDS = (make_board(turtle=5), make_board(turtle=9), make_board(turtle=2))


def test_turns_go_clockwise_from_who_begins() -> None:
    """Each seat takes four dice, clockwise from the seat that begins; one die is left."""
    position = make_position(*THREE_BOARDS, dice="yellow-4f " * 12 + "red", player=1, starter=1)
    order = []
    while position.phase is Phase.TAKE:
        order.append(position.to_act)
        before_last_take, position = position, act(position, "take yellow-4f")
    assert order == [1, 2, 0] * 4
    assert before_last_take.dice == (Die.YELLOW_4F, Die.RED), "one of them stays (AU13)"


def test_the_holder_of_the_token_begins_the_next_round() -> None:
    """The token then lies beside the red die again, and the order stays clockwise."""
    position = act(end_round(*THREE_BOARDS, token_holder=1), ROLL)
    assert RoundBegan(2, Seat(1)) in position.trail
    assert (position.round, position.starter, position.token_holder) == (2, 1, None)
    position = resolve_chance(position)
    assert (position.to_act, position.turns_left) == (1, 12)
    assert not any(board.dice for board in position.boards)


def test_the_turtle_furthest_back_begins_if_red_was_left() -> None:
    """That seat does not own the token by that (AU5)."""
    position = act(end_round(*THREE_BOARDS), ROLL)
    assert (position.starter, position.token_holder) == (2, None)


def test_all_dice_are_rolled_for_a_round() -> None:
    """Three of each colour for three players, in the order of the colours; red is not rolled."""
    position = end_round(*THREE_BOARDS)
    assert (position.phase, position.to_act) == (Phase.ROLL, CHANCE)
    dice = parse_dice(DICE_FOR_THREE)
    for rolled_dice, is_possible in [
        (dice, True),
        (dice[1:], False),
        ((*dice, Die.RED), False),
        (dice[::-1], False),
        ((Die.WHITE_2C, *dice[:-1]), False),
    ]:
        assert AUSTRALIS.is_possible(position, RollDice(rolled_dice)) is is_possible


def test_kept_cards_and_turtles_stay() -> None:
    """A new round changes the dice and the display only."""
    boards = (make_board(turtle=5, cards="white-fish"), make_board(turtle=9, corals={3: 2}, fish=4))
    position = end_round(*boards)
    after = resolve_chance(position)
    assert [
        (board.turtle_space, board.cards, board.coral_counts, board.cube_count) for board in after.boards
    ] == [
        (board.turtle_space, board.cards, board.coral_counts, board.cube_count) for board in position.boards
    ]


# The end --------------------------------------------------------------------------------------------


def test_the_game_ends_after_five_rounds() -> None:
    """With the competition; before the fifth it goes on."""
    assert end_round(*THREE_BOARDS, round_number=4).to_act == CHANCE
    position = end_round(*THREE_BOARDS, round_number=5)
    assert (position.phase, position.to_act) == (Phase.OVER, None)


def test_final_points_count_corals_token_and_tiles() -> None:
    """A point for each coral on a reef and for the token, and all tiles."""
    tiles = (Tile(TileColour.GOLD, 1), Tile(TileColour.SILVER, 4))
    boards = (make_board(corals={3: 2, 8: 3}, tiles=tiles), make_board(turtle=1))
    position = end_round(*boards, token_holder=1, round_number=5)
    assert events(position, FinalScored) == [
        FinalScored(Seat(0), coral_points=5, token_points=0, tile_points=7 + 7),
        FinalScored(Seat(1), coral_points=0, token_points=1, tile_points=0),
    ]
    tally = position.boards[0].tally
    assert (tally.corals, tally.token, tally.tiles) == (5, 0, 14)


def test_nobody_has_the_token_if_red_was_left_in_round_5() -> None:
    """If nobody took the red die in the last round, nobody gets the token's point (AU25)."""
    position = end_round(*THREE_BOARDS, round_number=5)
    assert not any(event.token_points for event in events(position, FinalScored))


def test_the_last_tiles_count() -> None:
    """The tile chosen after round 5 is in the score."""
    boards = (make_board(dice="blue-2"), make_board(turtle=1))
    position = act(end_round(*boards, round_number=5), "tile gold")
    assert position.boards[0].tally.tiles == 15
    assert position.to_act is None


def test_the_score_is_the_sum_of_its_lines() -> None:
    """Every point is in exactly one line."""
    boards = (make_board(turtle=13, corals={5: 2}, fish=9, cube_count=3, points=40), make_board(turtle=1))
    result = AUSTRALIS.returns(end_round(*boards, token_holder=0, round_number=5))
    for standing in result.standings:
        assert standing.score == sum(line.points for line in standing.lines)
    best = result.standings[0]
    assert (best.seat, best.rank, best.tie_break) == (0, 1, None)
    assert {line.label: line.points for line in best.lines} == {
        "Start": 0, "Dice": 40, "Cards": 0, "Reefs": 2, "Schools": 7, "Turtle": 13, "Corals": 2,
        "First player token": 1, "Tiles": 0,
    }  # fmt: skip


@pytest.mark.parametrize("seat_ahead", [1, 2])
def test_a_tie_is_won_by_the_turtle_further_ahead(seat_ahead: int) -> None:
    """And the score shows what decided (AU26)."""
    turtles = [0, 4, 7] if seat_ahead == 2 else [0, 7, 4]
    boards = (
        make_board(turtle=0, points=1),
        make_board(turtle=turtles[1], points=40 - turtles[1]),
        make_board(turtle=turtles[2], points=40 - turtles[2]),
    )
    result = AUSTRALIS.returns(end_round(*boards, round_number=5))
    assert [standing.rank for standing in result.standings] == [1, 2, 3]
    first, second, third = result.standings
    assert (first.seat, first.score, second.score) == (seat_ahead, 40, 40)
    assert (first.tie_break, second.tie_break) == (
        ScoreLine("turtle's space", 7),
        ScoreLine("turtle's space", 4),
    )
    assert third.tie_break is None
