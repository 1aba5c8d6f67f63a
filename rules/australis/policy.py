"""The policy of Australis: choose what is expected to score most over the rounds that are left.

The value of a choice: the points that it brings now, and those expected from it at later scorings
(``evaluation``).
"""

from typing import Final

from msgspec.structs import replace

from rules.australis.actions import (
    ActivateAll,
    ActivateCard,
    ChooseTile,
    KeepCard,
    LeaveCorals,
    MoveCoral,
    PlaceCoral,
    TakeDie,
    UseCard,
)
from rules.australis.components import CARD_FACTS, FACE_FACTS, OTHER_TILE, ROUND_COUNT, Card, Die, TileColour
from rules.australis.evaluation import (
    TimeLeft,
    card_value,
    competition_value,
    compute_time_left,
    effect_value,
    reefs_value,
    school_value,
    tile_value,
    turtle_value,
)
from rules.australis.forecast import (
    Forecast,
    boards_with_coral,
    forecast_cards,
    forecast_die,
    replace_board,
)
from rules.australis.legal import can_keep, can_use
from rules.australis.model import AustralisView, Position, SeaBoard
from rules.australis.scoring import REEF_INDEX, turtle_space_or_minus_one
from rules.model import Action, Seat
from rules.random_stream import RandomStream

_TOKEN_VALUE: Final = 1.5
"""The value of the first player token: to choose first in the next round."""
_LAST_TOKEN_VALUE: Final = 1.0
"""The value of the first player token in the last round: its point at the end."""
_CORAL_VALUE: Final = 1.0
"""The value of one more coral on a reef: its point at the end."""
_LEAVE_VALUE: Final = 0.01
"""The value of moving no coral: a move that gains nothing is worth less."""


def choose(view: AustralisView, actions: tuple[Action, ...], stream: RandomStream) -> Action:
    """Choose the action of the highest value; among equals one at random."""
    position, seat = view.position, view.viewer
    assert seat is not None
    values = [_action_value(position, seat, action) for action in actions]
    return stream.choose_best(actions, values)


def _action_value(position: Position, seat: Seat, action: Action) -> float:
    match action:
        case TakeDie(die=die):
            return _die_value(position, seat, die)
        case ActivateAll():
            return 1.0
        case ActivateCard():
            return 0.0
        case LeaveCorals():
            return _LEAVE_VALUE
        case PlaceCoral(reef=reef):
            return _coral_gain(position.boards, seat, reef, None, compute_time_left(position, seat))
        case MoveCoral(start=start, end=end):
            return _coral_gain(position.boards, seat, end, start, compute_time_left(position, seat))
        case KeepCard(card=card):
            return card_value(position, seat, card, compute_time_left(position, seat))
        case UseCard(card=card):
            return _use_value(position, seat, card, compute_time_left(position, seat))
        case ChooseTile(tile=tile):
            return _tile_choice_value(position, seat, tile)
        case _:
            return -1.0


# Dice -----------------------------------------------------------------------------------------------


def _die_value(position: Position, seat: Seat, die: Die) -> float:
    colour, time_left = FACE_FACTS[die].colour, compute_time_left(position, seat, takes_die=True)
    forecast = forecast_die(position, seat, die)
    value = _forecast_value(position, seat, forecast, time_left)
    value += competition_value(position, seat, colour, time_left)
    if forecast.pick_count:
        value += _picks_value(position, seat, forecast.pick_count, time_left)
    if forecast.takes_token:
        value += _TOKEN_VALUE if position.round < ROUND_COUNT else _LAST_TOKEN_VALUE
    return value


def _forecast_value(position: Position, seat: Seat, forecast: Forecast, time_left: TimeLeft) -> float:
    """Return what the points, fish, cubes, corals and the turtle's move of a forecast are worth."""
    board = position.boards[seat]
    value = float(forecast.points)
    boards = position.boards
    if forecast.turtle_space != turtle_space_or_minus_one(board):
        value += turtle_value(forecast.turtle_space, time_left) - turtle_value(
            turtle_space_or_minus_one(board), time_left
        )
        boards_after = replace_board(boards, seat, replace(board, turtle_space=forecast.turtle_space))
        value += reefs_value(boards_after, seat, time_left) - reefs_value(boards, seat, time_left)
        boards = boards_after
    if forecast.fish or forecast.cube_count:
        value += school_value(board.fish + forecast.fish, board.cube_count + forecast.cube_count, time_left)
        value -= school_value(board.fish, board.cube_count, time_left)
    for highest in forecast.reef_limits:
        if boards[seat].coral_supply:
            gains = {
                reef: _coral_gain(boards, seat, reef, None, time_left)
                for reef in REEF_INDEX
                if reef <= highest
            }
            best_reef = max(gains, key=lambda reef: gains[reef])
            value += gains[best_reef]
            boards = boards_with_coral(boards, seat, best_reef)
    return value


def _coral_gain(
    boards: tuple[SeaBoard, ...], seat: Seat, reef: int, from_reef: int | None, time_left: TimeLeft
) -> float:
    """Return what a coral on a reef is worth; ``from_reef`` None: it comes from the supply."""
    boards_after = boards_with_coral(boards, seat, reef, from_reef)
    gain = reefs_value(boards_after, seat, time_left) - reefs_value(boards, seat, time_left)
    return gain + _CORAL_VALUE if from_reef is None else gain


# Cards ----------------------------------------------------------------------------------------------


def _picks_value(position: Position, seat: Seat, pick_count: int, time_left: TimeLeft) -> float:
    """Return about how much the best ``pick_count`` cards of the display are worth."""
    kept_cards = position.boards[seat].cards
    values = []
    for card in dict.fromkeys(position.display):
        card_values = [card_value(position, seat, card, time_left)] if can_keep(kept_cards, card) else []
        if can_use(card):
            card_values.append(
                effect_value(position.boards[seat], CARD_FACTS[card].function, time_left.scorings)
            )
        values += [max(card_values)] if card_values else []
    return sum(sorted(values, reverse=True)[:pick_count])


def _use_value(position: Position, seat: Seat, card: Card, time_left: TimeLeft) -> float:
    return _forecast_value(position, seat, forecast_cards(position, seat, (card,)), time_left)


# Tiles ----------------------------------------------------------------------------------------------


def _tile_choice_value(position: Position, seat: Seat, tile: TileColour) -> float:
    """Return what a tile is worth, minus a part of what the other tile is worth to second place."""
    second = None if position.competition is None else position.competition.second
    value = tile_value(position, seat, tile)
    if second is None:
        return value
    player_count = sum(not board.resigned for board in position.boards)
    return value - tile_value(position, second, OTHER_TILE[tile]) / (player_count - 1)
