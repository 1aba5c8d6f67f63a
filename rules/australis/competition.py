"""The dice competition at the end of a round, and its tiles."""

from collections.abc import Sequence

from msgspec.structs import replace

from rules.australis.components import (
    COMPETITION_CARDS,
    FACE_FACTS,
    LAST_ROUND_WITH_CUBE,
    NUMBER_DIE_VALUES,
    OTHER_TILE,
    ROUND_COUNT,
    TILE_POINTS,
    Colour,
    TileColour,
)
from rules.australis.effects import take_cube
from rules.australis.events import (
    CompetitionBegan,
    CompetitionEnded,
    CompetitionRolled,
    DiceReturned,
    TileTaken,
)
from rules.australis.model import Competition, CompetitionDie, Phase, Tile
from rules.australis.mutable_position import MutablePosition
from rules.australis.scoring import score_game, turtle_space_or_minus_one
from rules.model import CHANCE, Seat


def start_competition(position: MutablePosition) -> None:
    """Return white and yellow dice to the board; seats that hold number dice take part."""
    returned_colours: list[Colour] = []
    dice: list[tuple[Seat, Colour]] = []
    for seat in position.turn_order(position.starter):
        held_dice = position.boards[seat].dice
        other_dice = [die for die in held_dice if FACE_FACTS[die].colour not in NUMBER_DIE_VALUES]
        if other_dice:
            position.return_dice(other_dice)
            position.change_board(seat, dice=tuple([die for die in held_dice if die not in other_dice]))
            returned_colours += [FACE_FACTS[die].colour for die in other_dice]
        colours = [FACE_FACTS[die].colour for die in held_dice]
        dice += [(seat, colour) for colour in NUMBER_DIE_VALUES for _ in range(colours.count(colour))]
    seats = _seats_of(dice)
    if returned_colours:
        position.trail.append(DiceReturned(tuple(returned_colours)))
    position.trail.append(CompetitionBegan(seats))
    position.competition = Competition(position.round, tuple(dice), seats)
    if len(seats) > 1:
        position.set_phase(Phase.COMPETE, CHANCE)
    else:
        _end_competition(position, seats)


def resolve_roll(position: MutablePosition, values: tuple[int, ...]) -> None:
    """Remove every die of the lowest total; end the competition if fewer than two seats keep dice."""
    competition = _current_competition(position)
    rolled_dice = list(zip(competition.dice_left, values, strict=True))
    bonuses = [
        int(COMPETITION_CARDS[colour] in position.boards[seat].cards)
        for seat, colour in competition.dice_left
    ]
    lowest = min(value + bonus for value, bonus in zip(values, bonuses, strict=True))
    competition_dice = tuple(
        [
            CompetitionDie(seat, colour, value, bonus, value + bonus == lowest)
            for ((seat, colour), value), bonus in zip(rolled_dice, bonuses, strict=True)
        ]
    )
    dice_left = tuple([(die.seat, die.colour) for die in competition_dice if not die.is_removed])
    position.competition = replace(
        competition, dice_left=dice_left, rolls=(*competition.rolls, competition_dice)
    )
    position.trail.append(CompetitionRolled(len(competition.rolls) + 1))
    remaining_seats = _seats_of(dice_left)
    if len(remaining_seats) < 2:
        eliminated_seats = [seat for seat in _seats_of(competition.dice_left) if seat not in remaining_seats]
        eliminated_seats.sort(key=lambda seat: turtle_space_or_minus_one(position.boards[seat]), reverse=True)
        _end_competition(position, (*remaining_seats, *eliminated_seats))


def _seats_of(dice: Sequence[tuple[Seat, Colour]]) -> tuple[Seat, ...]:
    return tuple(dict.fromkeys([seat for seat, _ in dice]))


def _current_competition(position: MutablePosition) -> Competition:
    assert position.competition is not None
    return position.competition


def _end_competition(position: MutablePosition, ranking: tuple[Seat, ...]) -> None:
    """End the competition: its winner chooses a tile; without a winner both tiles go to the box."""
    first = ranking[0] if ranking else None
    second = ranking[1] if len(ranking) > 1 else None
    position.competition = replace(_current_competition(position), first=first, second=second, is_over=True)
    position.trail.append(CompetitionEnded(first, second))
    if first is None:
        end_round_without_winner(position)
    else:
        position.set_phase(Phase.TILE, first)


def choose_tile(position: MutablePosition, chosen: TileColour) -> None:
    """Give the winner the chosen tile, and the other one to second place, or to the box if there is none."""
    competition = _current_competition(position)
    position.competition = replace(competition, chosen=chosen)
    _give_tile(position, competition.first, chosen)
    _give_tile(position, competition.second, OTHER_TILE[chosen])
    _end_round(position)


def end_round_without_winner(position: MutablePosition) -> None:
    """Put both tiles of the round into the box, since nobody wins them, and end the round."""
    for colour in TileColour:
        _give_tile(position, None, colour)
    _end_round(position)


def _give_tile(position: MutablePosition, seat: Seat | None, colour: TileColour) -> None:
    tile = Tile(colour, position.round)
    position.trail.append(TileTaken(seat, colour, TILE_POINTS[colour][position.round - 1]))
    if seat is not None:
        position.change_board(seat, tiles=(*position.boards[seat].tiles, tile))
    if colour is TileColour.SILVER and position.round <= LAST_ROUND_WITH_CUBE:
        position.grey_cube_supply -= 1
        if seat is None:
            position.boxed_cube_count += 1
        else:
            take_cube(position, seat, is_grey=True, from_space=None)


def _end_round(position: MutablePosition) -> None:
    if position.round == ROUND_COUNT:
        score_game(position)
    else:
        position.set_phase(Phase.ROLL, CHANCE)
