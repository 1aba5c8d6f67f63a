"""What a seat's position is worth to the policy: expected points over the scorings that are left.

The constants are estimates from games of computer players: how far a round carries a turtle, how many fish
and cubes it brings, how often a colour is taken.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from rules.australis.components import (
    CARD_POINTS,
    CARDS,
    CUBE_SLOTS,
    DICE_PER_PLAYER,
    FACES,
    LAST_ROUND_WITH_CUBE,
    LAST_SPACE,
    REEFS,
    ROUNDS,
    SCHOOLS,
    TILE_POINTS,
    Card,
    CardFunction,
    Colour,
    TileColour,
)
from rules.australis.model import Position, SeaBoard
from rules.australis.scoring import turtle_space
from rules.game import Seat

_SPACES_PER_ROUND: Final = 4.0
_FISH_PER_ROUND: Final = 4.0
_CUBES_PER_ROUND: Final = 1.0
_COLOUR_SHARE: Final = {
    Colour.WHITE: 0.22,
    Colour.YELLOW: 0.26,
    Colour.BLUE: 0.22,
    Colour.PURPLE: 0.24,
    Colour.RED: 0.06,
}
"""The part of a player's turns that take a die of a colour."""
_SHARE_PER_KEPT_CARD: Final = 0.15
"""How much more often a colour is taken for each card kept under it."""
_DIE_STRENGTH: Final = {Colour.BLUE: 1.0, Colour.PURPLE: 1.4, Colour.RED: 1.9}
"""What a die adds to the chances in the competition."""
_BONUS_STRENGTH: Final = 0.4
_STRENGTH_PER_TURN: Final = 0.6
"""What a turn still to come adds to the chances in the competition."""
_LASTING_SHARES: Final = (0.55, 0.75, 0.87, 0.93, 0.96)
"""The part of the later scorings at which a place on a reef lasts, by the corals that it is ahead."""
_OTHERS_WEIGHT: Final = 0.7
"""How much the others' points count against own ones; it is shared among the others."""
_FISH_POINTS: Final = ((0, 0), *((school.fish, school.points) for school in SCHOOLS))
_REEF_POINTS: Final = tuple((reef.first_place_points, reef.second_place_points) for reef in REEFS.values())


class TimeLeft(NamedTuple):
    """How much of the game a seat has left."""

    scorings: int
    """Ends of rounds still to come."""
    turns: int
    """Own turns left in this round."""

    @property
    def round_share(self) -> float:
        """The part of the round that is still to come."""
        return self.turns / DICE_PER_PLAYER

    @property
    def all_turns(self) -> int:
        """Own turns left in the game."""
        return self.turns + DICE_PER_PLAYER * (self.scorings - 1)


def time_left(position: Position, seat: Seat, *, taking: bool = False) -> TimeLeft:
    """Return what a seat has left; ``taking``: without the die that it is about to take."""
    taken = len(position.boards[seat].dice) + taking
    return TimeLeft(ROUNDS + 1 - position.round, max(DICE_PER_PLAYER - taken, 0))


# Turtle and school ----------------------------------------------------------------------------------


def turtle_value(space: int, time: TimeLeft) -> float:
    """Return what a turtle scores until the end."""
    return sum(
        min(LAST_SPACE, space + _SPACES_PER_ROUND * (later + time.round_share))
        for later in range(time.scorings)
    )


def school_value(fish: int, cubes: int, time: TimeLeft) -> float:
    """Return what a school scores until the end."""
    total = 0.0
    for later in range(time.scorings):
        growth = later + time.round_share
        if not growth:
            total += max((school.points for school in SCHOOLS[:cubes] if fish >= school.fish), default=0)
        else:
            total += min(
                _fish_points(fish + _FISH_PER_ROUND * growth),
                _cube_points(min(CUBE_SLOTS, cubes + _CUBES_PER_ROUND * growth)),
            )
    return total


def _fish_points(fish: float) -> float:
    """Return the points of a school that is limited by its fish, without steps."""
    for (low, points), (high, more) in pairwise(_FISH_POINTS):
        if fish < high:
            return points + (more - points) * (fish - low) / (high - low)
    return _FISH_POINTS[-1][1]


def _cube_points(cubes: float) -> float:
    """Return the points of a school that is limited by its cubes, without steps."""
    whole = int(cubes)
    points = _FISH_POINTS[whole][1]
    return points if whole == CUBE_SLOTS else points + (_FISH_POINTS[whole + 1][1] - points) * (cubes - whole)


# Reefs ----------------------------------------------------------------------------------------------


def reefs_value(boards: Sequence[SeaBoard], seat: Seat, time: TimeLeft) -> float:
    """Return what the places on all reefs are worth to a seat, less what they are worth to the others."""
    others = max(sum(not board.resigned for board in boards) - 1, 1)
    others_factor = -_OTHERS_WEIGHT / others
    turtles = [turtle_space(board) for board in boards]
    total = 0.0
    for index, (first_place_points, second_place_points) in enumerate(_REEF_POINTS):
        owners = sorted(
            [
                (board.reefs[index], turtle, owner)
                for owner, (board, turtle) in enumerate(zip(boards, turtles, strict=True))
                if board.reefs[index]
            ],
            reverse=True,
        )
        for rank, points in enumerate((first_place_points, second_place_points)):
            if rank >= len(owners) or not points:
                break
            corals, _, owner = owners[rank]
            lead = corals - (owners[rank + 1][0] if rank + 1 < len(owners) else 0)
            place_value = points * _lasting_scorings(lead, time)
            total += place_value if owner == seat else place_value * others_factor
    return total


def _lasting_scorings(lead: int, time: TimeLeft) -> float:
    """Return at how many scorings a place lasts that is so many corals ahead."""
    lasting = _LASTING_SHARES[min(lead, len(_LASTING_SHARES) - 1)]
    this_scoring = 1 - time.round_share * (1 - lasting)
    return this_scoring + lasting * (time.scorings - 1)


# Cards ----------------------------------------------------------------------------------------------


def card_value(position: Position, seat: Seat, card: Card, time: TimeLeft) -> float:
    """Return what a kept card brings until the end."""
    facts, board = CARDS[card], position.boards[seat]
    if facts.function is CardFunction.COMPETITION:
        return _bonus_value(position, facts.colour, time)
    kept = sum(CARDS[other].colour is facts.colour for other in board.cards)
    uses = time.all_turns * _COLOUR_SHARE[facts.colour] * (1 + _SHARE_PER_KEPT_CARD * (kept + 1))
    return uses * effect_value(board, facts.function, (time.scorings + 1) / 2)


def effect_value(board: SeaBoard, function: CardFunction, scorings: float) -> float:
    """Return about what an effect is worth with so many scorings left."""
    match function:
        case CardFunction.POINTS:
            return CARD_POINTS
        case CardFunction.FISH:
            return 0.9 * scorings if board.cubes > 2 else 0.7 * scorings
        case CardFunction.TURTLE:
            room = LAST_SPACE - turtle_space(board)
            return 1.2 * scorings * min(1.0, room / 8)
        case CardFunction.CORAL:
            return (1 + 0.8 * scorings) if board.supply else 0.5
        case CardFunction.COMPETITION:
            return 0.0


def _bonus_value(position: Position, colour: Colour, time: TimeLeft) -> float:
    """Return what a competition card adds to the tiles of the rounds left."""
    dice = time.all_turns * _COLOUR_SHARE[colour] * 1.2
    tiles = TILE_POINTS[TileColour.GOLD][position.round - 1 :]
    return 0.12 * dice * sum(tiles) / len(tiles)


# The competition ------------------------------------------------------------------------------------


def competition_value(position: Position, seat: Seat, colour: Colour | None, time: TimeLeft) -> float:
    """Return what the competition of this round brings a seat on average, with one more die of a colour."""
    strengths = [
        0.0
        if board.resigned
        else _competition_strength(board) + _STRENGTH_PER_TURN * (DICE_PER_PLAYER - len(board.dice))
        for board in position.boards
    ]
    own_strength = _competition_strength(position.boards[seat]) + _STRENGTH_PER_TURN * time.turns
    if colour in _DIE_STRENGTH:
        bonus = Card(f"{colour.value}-competition") in position.boards[seat].cards
        own_strength += _DIE_STRENGTH[colour] + _BONUS_STRENGTH * bonus
    strengths[seat] = own_strength
    total_strength = sum(strengths)
    if not own_strength:
        return 0.0
    first = own_strength / total_strength
    second = sum(
        other / total_strength * own_strength / (total_strength - other)
        for rival, other in enumerate(strengths)
        if rival != seat and other
    )
    better_tile_value, other_tile_value = sorted(
        (tile_value(position, seat, TileColour.GOLD), tile_value(position, seat, TileColour.SILVER)),
        reverse=True,
    )
    return first * better_tile_value + second * other_tile_value


def _competition_strength(board: SeaBoard) -> float:
    total = 0.0
    for die in board.dice:
        colour = FACES[die].colour
        if colour in _DIE_STRENGTH:
            total += _DIE_STRENGTH[colour] + _BONUS_STRENGTH * (
                Card(f"{colour.value}-competition") in board.cards
            )
    return total


def tile_value(position: Position, seat: Seat, tile: TileColour) -> float:
    """Return what a tile of this round is worth to a seat, with the grey cube."""
    points = TILE_POINTS[tile][position.round - 1]
    if tile is TileColour.GOLD or position.round > LAST_ROUND_WITH_CUBE:
        return points
    board, later = position.boards[seat], TimeLeft(ROUNDS - position.round, DICE_PER_PLAYER)
    if board.cubes == CUBE_SLOTS:
        return points
    gain = school_value(board.fish, board.cubes + 1, later) - school_value(board.fish, board.cubes, later)
    return points + gain
