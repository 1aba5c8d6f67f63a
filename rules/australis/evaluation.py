"""What a seat's position is worth to the policy: expected points over the scorings that are left.

A scoring is the end of a round.  The constants are estimates from games of computer players: what a round
brings, how often a colour is taken.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from rules.australis.components import (
    CARD_FACTS,
    CARD_POINTS,
    COMPETITION_CARDS,
    CUBE_SLOT_COUNT,
    DICE_PER_PLAYER,
    FACE_FACTS,
    LAST_ROUND_WITH_CUBE,
    LAST_SPACE,
    REEFS,
    ROUND_COUNT,
    SCHOOLS,
    TILE_POINTS,
    Card,
    CardFunction,
    Colour,
    School,
    TileColour,
)
from rules.australis.model import Position, SeaBoard
from rules.australis.scoring import turtle_space_or_minus_one
from rules.model import Seat

_SPACES_PER_ROUND: Final = 4.0
"""How far a round carries a turtle."""
_FISH_PER_ROUND: Final = 4.0
_CUBES_PER_ROUND: Final = 1.0
_COLOUR_SHARES: Final = {
    Colour.WHITE: 0.22,
    Colour.YELLOW: 0.26,
    Colour.BLUE: 0.22,
    Colour.PURPLE: 0.24,
    Colour.RED: 0.06,
}
"""The share of a player's turns that take a die of a colour."""
_SHARE_GROWTH_PER_KEPT_CARD: Final = 0.15
"""How much a colour's share grows, as a factor, for each card kept under that colour."""
_DIE_STRENGTHS: Final = {Colour.BLUE: 1.0, Colour.PURPLE: 1.4, Colour.RED: 1.9}
"""What a die adds to its owner's strength in the competition; chances are proportional to strengths."""
_COMPETITION_CARD_STRENGTH: Final = 0.4
"""What the competition card of its colour adds to the strength of a die."""
_STRENGTH_PER_TURN: Final = 0.6
"""What a turn still to come adds to a seat's strength in the competition."""
_COMPETITION_CARD_COLOUR_FACTOR: Final = 1.2
"""How much a competition card raises the share of its colour, as a factor."""
_COMPETITION_CARD_TILE_SHARE: Final = 0.12
"""The part of a gold tile's points that the card's bonus on one die is worth."""
_FISH_VALUES: Final = (0.7, 0.9)
"""What a fish adds to each scoring: with few cubes, and with ``_MANY_CUBES`` or more."""
_MANY_CUBES: Final = 3
_TURTLE_STEP_VALUE: Final = 1.2
"""What a step of the turtle adds to each scoring while there is enough room ahead of it."""
_ENOUGH_ROOM: Final = 8
"""With fewer spaces than these ahead of the turtle, a step counts less."""
_CORAL_VALUE: Final = 1.0
"""What a coral of the supply is worth at the end, on any reef."""
_CORAL_VALUE_PER_SCORING: Final = 0.8
_MOVED_CORAL_VALUE: Final = 0.5
"""What a coral card is worth once the supply is empty."""
_HELD_SHARES: Final = (0.55, 0.75, 0.87, 0.93, 0.96)
"""The share of the later scorings at which a place on a reef is still held, by its lead in corals."""
_OTHERS_WEIGHT: Final = 0.7
"""The weight of the other seats' points, which count against one's own; the seats share it equally."""
_SCHOOLS_BY_CUBE_COUNT: Final = (School(0, 0), *SCHOOLS)
"""The school of each number of cubes, that of no cube first."""
_REEF_POINTS: Final = tuple((facts.first_place_points, facts.second_place_points) for facts in REEFS.values())
"""The points of first and second place on each reef."""


class TimeLeft(NamedTuple):
    """How much of the game a seat has left."""

    scorings: int
    """Ends of rounds still to come."""
    turns: int
    """Own turns left in this round."""

    @property
    def round_share(self) -> float:
        """The share of the round that is still to come."""
        return self.turns / DICE_PER_PLAYER

    @property
    def all_turns(self) -> int:
        """Own turns left in the game."""
        return self.turns + DICE_PER_PLAYER * (self.scorings - 1)


def compute_time_left(position: Position, seat: Seat, *, takes_die: bool = False) -> TimeLeft:
    """Return how much of the game a seat has left; ``takes_die``: after the die that it is about to take."""
    dice_taken = len(position.boards[seat].dice) + takes_die
    return TimeLeft(ROUND_COUNT + 1 - position.round, max(DICE_PER_PLAYER - dice_taken, 0))


# Turtle and school ----------------------------------------------------------------------------------


def turtle_value(space: int, time_left: TimeLeft) -> float:
    """Return what a turtle scores until the end."""
    return sum(
        min(LAST_SPACE, space + _SPACES_PER_ROUND * (later + time_left.round_share))
        for later in range(time_left.scorings)
    )


def school_value(fish: int, cube_count: int, time_left: TimeLeft) -> float:
    """Return what a school scores until the end."""
    total = 0.0
    for later in range(time_left.scorings):
        rounds_ahead = later + time_left.round_share
        if not rounds_ahead:
            total += max((school.points for school in SCHOOLS[:cube_count] if fish >= school.fish), default=0)
        else:
            total += min(
                _fish_points(fish + _FISH_PER_ROUND * rounds_ahead),
                _cube_points(min(CUBE_SLOT_COUNT, cube_count + _CUBES_PER_ROUND * rounds_ahead)),
            )
    return total


def _fish_points(fish: float) -> float:
    """Return the points of a school that is limited by its fish, interpolated between sizes."""
    for smaller, larger in pairwise(_SCHOOLS_BY_CUBE_COUNT):
        if fish < larger.fish:
            points_gained = larger.points - smaller.points
            return smaller.points + points_gained * (fish - smaller.fish) / (larger.fish - smaller.fish)
    return _SCHOOLS_BY_CUBE_COUNT[-1].points


def _cube_points(cubes: float) -> float:
    """Return the points of a school that is limited by its cubes, interpolated between sizes."""
    whole_cubes = int(cubes)
    points = _SCHOOLS_BY_CUBE_COUNT[whole_cubes].points
    if whole_cubes == CUBE_SLOT_COUNT:
        return points
    return points + (_SCHOOLS_BY_CUBE_COUNT[whole_cubes + 1].points - points) * (cubes - whole_cubes)


# Reefs ----------------------------------------------------------------------------------------------


def reefs_value(boards: Sequence[SeaBoard], seat: Seat, time_left: TimeLeft) -> float:
    """Return what the places on all reefs are worth to a seat, minus a part of their worth to others."""
    other_seat_count = max(sum(not board.resigned for board in boards) - 1, 1)
    others_factor = -_OTHERS_WEIGHT / other_seat_count
    turtle_spaces = [turtle_space_or_minus_one(board) for board in boards]
    total = 0.0
    for index, (first_place_points, second_place_points) in enumerate(_REEF_POINTS):
        owners = sorted(
            [
                (board.coral_counts[index], turtle, owner)
                for owner, (board, turtle) in enumerate(zip(boards, turtle_spaces, strict=True))
                if board.coral_counts[index]
            ],
            reverse=True,
        )
        for rank, points in enumerate((first_place_points, second_place_points)):
            if rank >= len(owners) or not points:
                break
            corals, _, owner = owners[rank]
            lead = corals - (owners[rank + 1][0] if rank + 1 < len(owners) else 0)
            place_value = points * _expected_scorings(lead, time_left)
            total += place_value if owner == seat else place_value * others_factor
    return total


def _expected_scorings(lead: int, time_left: TimeLeft) -> float:
    """Return at how many of the scorings left a place that leads by ``lead`` corals is still held."""
    held_share = _HELD_SHARES[min(lead, len(_HELD_SHARES) - 1)]
    next_held_share = 1 - time_left.round_share * (1 - held_share)
    return next_held_share + held_share * (time_left.scorings - 1)


# Cards ----------------------------------------------------------------------------------------------


def card_value(position: Position, seat: Seat, card: Card, time_left: TimeLeft) -> float:
    """Return what a card that the seat does not have yet would bring until the end if kept now."""
    facts, board = CARD_FACTS[card], position.boards[seat]
    if facts.function is CardFunction.COMPETITION:
        return _competition_card_value(position, facts.colour, time_left)
    kept_count = sum(CARD_FACTS[other].colour is facts.colour for other in board.cards)
    uses = (
        time_left.all_turns
        * _COLOUR_SHARES[facts.colour]
        * (1 + _SHARE_GROWTH_PER_KEPT_CARD * (kept_count + 1))
    )
    return uses * effect_value(board, facts.function, (time_left.scorings + 1) / 2)


def effect_value(board: SeaBoard, function: CardFunction, scorings: float) -> float:
    """Return about how much an effect, carried out once, is worth with so many scorings left."""
    match function:
        case CardFunction.POINTS:
            return CARD_POINTS
        case CardFunction.FISH:
            value_with_few_cubes, value_with_many_cubes = _FISH_VALUES
            return scorings * (
                value_with_many_cubes if board.cube_count >= _MANY_CUBES else value_with_few_cubes
            )
        case CardFunction.TURTLE:
            room = LAST_SPACE - turtle_space_or_minus_one(board)
            return _TURTLE_STEP_VALUE * scorings * min(1.0, room / _ENOUGH_ROOM)
        case CardFunction.CORAL:
            if not board.coral_supply:
                return _MOVED_CORAL_VALUE
            return _CORAL_VALUE + _CORAL_VALUE_PER_SCORING * scorings
        case CardFunction.COMPETITION:
            return 0.0


def _competition_card_value(position: Position, colour: Colour, time_left: TimeLeft) -> float:
    """Return what a competition card adds to the tiles of the rounds left."""
    expected_dice = time_left.all_turns * _COLOUR_SHARES[colour] * _COMPETITION_CARD_COLOUR_FACTOR
    tile_points = TILE_POINTS[TileColour.GOLD][position.round - 1 :]
    return _COMPETITION_CARD_TILE_SHARE * expected_dice * sum(tile_points) / len(tile_points)


# The competition ------------------------------------------------------------------------------------


def competition_value(position: Position, seat: Seat, colour: Colour | None, time_left: TimeLeft) -> float:
    """Return what the competition of this round brings a seat on average.

    ``colour``: of one more die that the seat then has; None: it has no more.
    """
    strengths = [
        0.0
        if board.resigned
        else _competition_strength(board) + _STRENGTH_PER_TURN * (DICE_PER_PLAYER - len(board.dice))
        for board in position.boards
    ]
    own_strength = _competition_strength(position.boards[seat]) + _STRENGTH_PER_TURN * time_left.turns
    if colour in _DIE_STRENGTHS:
        own_strength += _competition_die_strength(position.boards[seat], colour)
    strengths[seat] = own_strength
    total_strength = sum(strengths)
    if not own_strength:
        return 0.0
    first_place_chance = own_strength / total_strength
    second_place_chance = sum(
        other_strength / total_strength * own_strength / (total_strength - other_strength)
        for other_seat, other_strength in enumerate(strengths)
        if other_seat != seat and other_strength
    )
    better_tile_value, other_tile_value = sorted(
        (tile_value(position, seat, TileColour.GOLD), tile_value(position, seat, TileColour.SILVER)),
        reverse=True,
    )
    return first_place_chance * better_tile_value + second_place_chance * other_tile_value


def _competition_strength(board: SeaBoard) -> float:
    """Return the strength of a seat's dice in the competition."""
    colours = (FACE_FACTS[die].colour for die in board.dice)
    return sum(_competition_die_strength(board, colour) for colour in colours if colour in _DIE_STRENGTHS)


def _competition_die_strength(board: SeaBoard, colour: Colour) -> float:
    has_card = COMPETITION_CARDS[colour] in board.cards
    return _DIE_STRENGTHS[colour] + _COMPETITION_CARD_STRENGTH * has_card


def tile_value(position: Position, seat: Seat, tile: TileColour) -> float:
    """Return what a tile of this round is worth to a seat, with the grey cube that silver may bring."""
    points = TILE_POINTS[tile][position.round - 1]
    if tile is TileColour.GOLD or position.round > LAST_ROUND_WITH_CUBE:
        return points
    board = position.boards[seat]
    if board.cube_count == CUBE_SLOT_COUNT:
        return points
    time_left = TimeLeft(ROUND_COUNT - position.round, DICE_PER_PLAYER)
    cube_gain = school_value(board.fish, board.cube_count + 1, time_left) - school_value(
        board.fish, board.cube_count, time_left
    )
    return points + cube_gain
