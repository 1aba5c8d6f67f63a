"""The dice competition: who takes part, which dice go, who wins, and the tiles."""

import pytest

from rules.australis import AUSTRALIS
from rules.australis.actions import RollCompetition
from rules.australis.components import Colour, TileColour
from rules.australis.events import (
    CompetitionBegan,
    CompetitionEnded,
    CompetitionRolled,
    CubeTaken,
    DiceReturned,
    TileTaken,
)
from rules.australis.model import Competition, Phase, Position, Tile
from rules.model import CHANCE, Seat
from tests.rules.australis.example_competition import (
    EXAMPLE,
    PLAYERS,
    make_competition_position,
    play_example,
)
from tests.rules.australis.positions import act, events, legal_texts


def competition_of(position: Position) -> Competition:
    """Return the competition."""
    assert position.competition is not None
    return position.competition


# The rulebook's example -----------------------------------------------------------------------------


@pytest.mark.parametrize("roll_number", range(1, 6))
def test_worked_example_roll_by_roll(roll_number: int) -> None:
    """Each roll has the dice of the rulebook, and removes those that it says."""
    competition = competition_of(play_example()[roll_number])
    roll = competition.rolls[roll_number - 1]
    faces: dict[str, list[list[object]]] = {}
    for die in roll:
        faces.setdefault(PLAYERS[die.seat], []).append([die.colour.value, die.value])
        assert die.bonus == (die.colour.value in EXAMPLE["cards"][PLAYERS[die.seat]])
    assert faces == EXAMPLE["rolls"][roll_number - 1]
    removed_dice = [[PLAYERS[die.seat], die.colour.value, die.value] for die in roll if die.is_removed]
    assert removed_dice == EXAMPLE["removed"][roll_number - 1]


def test_worked_example_ends() -> None:
    """Charlie wins, chooses silver with its grey cube; Anna gets gold."""
    position = play_example()[-1]
    first, second = (Seat(PLAYERS.index(EXAMPLE[place])) for place in ("first", "second"))
    assert events(position, CompetitionEnded) == [CompetitionEnded(first, second)]
    assert (position.phase, position.to_act) == (Phase.TILE, first)
    assert legal_texts(position) == ["tile silver", "tile gold"]
    after = act(position, "tile silver")
    assert after.boards[first].tiles == (Tile(TileColour.SILVER, 1),)
    assert after.boards[second].tiles == (Tile(TileColour.GOLD, 1),)
    assert after.boards[first].cube_count == position.boards[first].cube_count + 1
    assert [event.points for event in events(after, TileTaken)] == [3, 7]
    assert competition_of(after).chosen is TileColour.SILVER


def test_variant_of_the_worked_example() -> None:
    """Had Charlie rolled a 6 too, both would be out, and Anna's turtle is ahead."""
    competition = competition_of(play_example(last_value=6)[-1])
    assert (PLAYERS[competition.first or 0], PLAYERS[competition.second or 0]) == ("Anna", "Charlie")


# Taking part ----------------------------------------------------------------------------------------


def test_white_and_yellow_dice_go_back() -> None:
    """White and yellow dice return to the board; the others take part, in turn order and by colour."""
    position = make_competition_position("purple white blue", "yellow yellow", "red blue", starter=2)
    assert events(position, DiceReturned) == [
        DiceReturned((Colour.WHITE, Colour.YELLOW, Colour.YELLOW, Colour.YELLOW))
    ]
    assert sum("yellow" in die.value for die in position.dice) == 3
    assert events(position, CompetitionBegan) == [CompetitionBegan((Seat(2), Seat(0)))]
    assert competition_of(position).dice_left == (
        (2, Colour.BLUE), (2, Colour.RED), (0, Colour.BLUE), (0, Colour.PURPLE),
    )  # fmt: skip


def test_one_participant_wins_without_a_roll() -> None:
    """That seat chooses; the other tile goes to the box (AU21)."""
    position = make_competition_position("blue", "white", "yellow")
    assert (position.phase, position.to_act) == (Phase.TILE, 0)
    assert not competition_of(position).rolls
    after = act(position, "tile gold")
    assert events(after, TileTaken) == [
        TileTaken(Seat(0), TileColour.GOLD, 7),
        TileTaken(None, TileColour.SILVER, 3),
    ]
    assert (after.boxed_cube_count, after.grey_cube_supply) == (1, 2), (
        "the grey cube goes with the silver tile"
    )


def test_no_participant_boxes_both_tiles() -> None:
    """Without a participant both tiles and the grey cube go to the box; the next round begins (AU21)."""
    position = make_competition_position("white", "white", "yellow")
    assert events(position, TileTaken) == [
        TileTaken(None, TileColour.GOLD, 7),
        TileTaken(None, TileColour.SILVER, 3),
    ]
    assert (position.phase, position.to_act) == (Phase.ROLL, CHANCE)
    assert (position.boxed_cube_count, position.grey_cube_supply) == (1, 2)
    assert events(position, CompetitionEnded) == [CompetitionEnded(None, None)]


# The rolls ------------------------------------------------------------------------------------------


def test_every_die_with_the_lowest_value_goes() -> None:
    """A roll removes every die with the lowest value, of one player or of several."""
    position = act(make_competition_position("blue blue purple", "blue purple", "red"), "compete 3,3,5,4,3,9")
    assert [die.is_removed for die in competition_of(position).rolls[0]] == [
        True,
        True,
        False,
        False,
        True,
        False,
    ]
    assert competition_of(position).dice_left == ((0, Colour.PURPLE), (1, Colour.BLUE), (2, Colour.RED))
    assert events(position, CompetitionRolled) == [CompetitionRolled(1)]
    assert (position.phase, position.to_act) == (Phase.COMPETE, CHANCE)


def test_a_card_adds_one_to_every_die_of_its_colour() -> None:
    """A competition card adds 1 to each die of its colour in each roll, and to no other die (AU22)."""
    position = act(
        make_competition_position("blue blue purple", "red", cards=("blue", "")), "compete 2,3,3,5"
    )
    assert [(die.total, die.is_removed) for die in competition_of(position).rolls[0]] == [
        (3, True), (4, False), (3, True), (5, False),
    ]  # fmt: skip
    position = act(position, "compete 4,5")
    assert [die.total for die in competition_of(position).rolls[1]] == [5, 5]


def test_the_bonus_is_compulsory() -> None:
    """A bonus that saves another's die counts all the same: the own purple 3 goes with the blue 2+1."""
    position = act(make_competition_position("blue purple", "red", cards=("blue", "")), "compete 2,3,9")
    assert [die.is_removed for die in competition_of(position).rolls[0]] == [True, True, False]


def test_the_last_one_in_wins_at_once_and_who_went_out_last_is_second() -> None:
    """Two go out in the last roll: the turtle further ahead is second, the other gets nothing."""
    position = make_competition_position("red", "blue", "purple", turtles=(0, 3, 5))
    position = act(position, "compete 9,3,3")
    assert (competition_of(position).first, competition_of(position).second) == (0, 2)
    after = act(position, "tile gold")
    assert [len(board.tiles) for board in after.boards] == [1, 0, 1]


def test_all_out_at_once_are_ranked_by_turtle() -> None:
    """First and second of those who went out in the last roll (AU23)."""
    position = act(make_competition_position("red", "blue", "purple", turtles=(0, 3, 5)), "compete 5,5,5")
    assert (competition_of(position).first, competition_of(position).second) == (2, 1)


def test_who_went_out_before_is_not_ranked_with_the_last() -> None:
    """The turtle ahead of all was out in the first roll."""
    position = act(
        make_competition_position("red", "blue", "purple", turtles=(0, 18, 5)), "compete 9,3,8", "compete 6,6"
    )
    assert (competition_of(position).first, competition_of(position).second) == (2, 0)


def test_the_loser_of_two_is_second_however_early() -> None:
    """With two participants the one that loses is second, in whichever roll (AU24)."""
    position = act(make_competition_position("red red", "blue", "white"), "compete 9,8,3")
    assert (competition_of(position).first, competition_of(position).second) == (0, 1)
    assert competition_of(position).dice_left == ((0, Colour.RED), (0, Colour.RED))


def test_third_place_gets_nothing() -> None:
    """Third place gets neither tile."""
    position = act(
        make_competition_position("red", "blue", "purple"), "compete 9,3,8", "compete 9,3", "tile silver"
    )
    assert [board.tiles for board in position.boards] == [
        (Tile(TileColour.SILVER, 1),), (), (Tile(TileColour.GOLD, 1),),
    ]  # fmt: skip


def test_a_roll_has_a_possible_value_for_each_die() -> None:
    """One value for each die, of those on it."""
    position = make_competition_position("blue", "purple", "red")
    for values, is_possible in [
        ((2, 3, 4), True),
        ((7, 8, 9), True),
        ((8, 3, 4), False),
        ((2, 2, 4), False),
        ((2, 3, 3), False),
        ((2, 3), False),
        ((2, 3, 4, 4), False),
    ]:
        assert AUSTRALIS.is_possible(position, RollCompetition(values)) is is_possible, values


def test_the_competition_stays_until_the_next() -> None:
    """The position keeps a competition with all its rolls until the next one begins (AU14)."""
    position = act(make_competition_position("red", "blue", "white"), "compete 9,3", "tile gold")
    roll = ",".join(die for die in ("white-2c", "yellow-5f", "blue-2", "purple-3") for _ in range(3))
    position = act(position, f"roll {roll}")
    assert competition_of(position).round == 1
    assert len(competition_of(position).rolls) == 1
    assert competition_of(position).is_over


# Tiles ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("round_number", "gold_points", "silver_points"),
    [(1, 7, 3), (2, 8, 4), (3, 9, 5), (4, 12, 7), (5, 15, 9)],
)
@pytest.mark.parametrize("chosen_tile", TileColour)
def test_the_winner_has_a_free_choice_of_tiles(
    round_number: int, gold_points: int, silver_points: int, chosen_tile: TileColour
) -> None:
    """The winner has a free choice; silver brings a grey cube in the first three rounds."""
    position = make_competition_position("red", "blue", "white", round_number=round_number)
    position = act(position, "compete 9,3")
    supply = position.grey_cube_supply
    after = act(position, f"tile {chosen_tile.value}")
    chosen_points, other_points = (
        (gold_points, silver_points) if chosen_tile is TileColour.GOLD else (silver_points, gold_points)
    )
    assert [event.points for event in events(after, TileTaken)] == [chosen_points, other_points]
    silver_owner = 0 if chosen_tile is TileColour.SILVER else 1
    brings_cube = round_number <= 3
    cubes = events(after, CubeTaken)
    assert cubes == (
        [CubeTaken(Seat(silver_owner), is_grey=True, space=None, boxed=False)] if brings_cube else []
    )
    assert after.grey_cube_supply == supply - brings_cube


def test_the_grey_cube_of_silver_goes_to_the_box_with_a_full_track() -> None:
    """Silver may be chosen with a full food track: its grey cube then goes to the box."""
    position = act(make_competition_position("red", "blue", "white", cube_count=6), "compete 9,3")
    assert legal_texts(position) == ["tile silver", "tile gold"]
    position = act(position, "tile silver")
    assert position.boards[0].cube_count == 6
    assert position.boxed_cube_count == 1


@pytest.mark.parametrize(
    ("round_number", "first_tile"), [(1, "silver"), (3, "silver"), (4, "gold"), (5, "gold")]
)
def test_the_default_is_silver_while_it_brings_a_cube(round_number: int, first_tile: str) -> None:
    """Silver while it brings a cube, gold after: the first legal action (AU6)."""
    position = act(
        make_competition_position("red", "blue", "white", round_number=round_number), "compete 9,3"
    )
    assert legal_texts(position)[0] == f"tile {first_tile}"


def test_a_tile_brings_no_points_when_it_is_taken() -> None:
    """Tiles bring their points at the end of the game (AU10)."""
    position = act(make_competition_position("red", "blue", "white"), "compete 9,3")
    before = [board.tally.total for board in position.boards]
    assert [board.tally.total for board in act(position, "tile gold").boards] == before
