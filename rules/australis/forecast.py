"""What a choice would bring at once, for labels, previews and the policy.

What chance and other players do later is left out.
"""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from rules.australis.components import (
    CARD_FACTS,
    CARD_POINTS,
    CUBE_SLOT_COUNT,
    FACE_FACTS,
    Card,
    CardFunction,
    Colour,
    Die,
    in_usual_order,
    reef_of_space,
)
from rules.australis.legal import COLOUR_KEPT_UNDER
from rules.australis.model import Position, SeaBoard
from rules.australis.movement import cube_spaces_reached, occupied_spaces, target_space
from rules.australis.scoring import REEF_INDEX, turtle_space_or_minus_one
from rules.model import Seat


class Forecast(NamedTuple):
    """What a choice would bring: a die together with the kept cards of its colour, or cards alone."""

    turtle_space: int
    """The turtle's space afterwards."""
    points: int = 0
    """Points at once."""
    fish: int = 0
    cube_count: int = 0
    """Cubes that find a slot on the food track."""
    boxed_cube_count: int = 0
    """Cubes that find no slot."""
    reef_limits: tuple[int, ...] = ()
    """For each coral, in the order of placing, the highest reef that it may go to."""
    pick_count: int = 0
    takes_token: bool = False


def activated_cards(board: SeaBoard, colour: Colour) -> tuple[Card, ...]:
    """Return the kept cards that a die of this colour activates, in the usual order."""
    return in_usual_order(card for card in board.cards if COLOUR_KEPT_UNDER[card] is colour)


def forecast_die(position: Position, seat: Seat, die: Die) -> Forecast:
    """Return what a die of the board would bring, its cards in the usual order."""
    face = FACE_FACTS[die]
    forecast = _forecast_without_cubes(position, seat, activated_cards(position.boards[seat], face.colour))
    turtle, reef_limits = forecast.turtle_space, forecast.reef_limits
    if face.colour is Colour.BLUE:
        turtle = target_space(occupied_spaces(position.boards), turtle, face.number)
    elif face.colour is Colour.PURPLE:
        reef_limits = (*reef_limits, face.number)
    return _with_cubes(
        position,
        seat,
        forecast._replace(
            turtle_space=turtle,
            points=forecast.points + face.circle_count,
            fish=forecast.fish + face.fish,
            reef_limits=reef_limits,
            pick_count=face.card_count,
            takes_token=face.colour is Colour.RED,
        ),
    )


def forecast_cards(position: Position, seat: Seat, cards: Iterable[Card]) -> Forecast:
    """Return what these cards would bring, one after the other."""
    return _with_cubes(position, seat, _forecast_without_cubes(position, seat, cards))


def _forecast_without_cubes(position: Position, seat: Seat, cards: Iterable[Card]) -> Forecast:
    forecast = Forecast(turtle_space_or_minus_one(position.boards[seat]))
    for card in cards:
        match CARD_FACTS[card].function:
            case CardFunction.TURTLE:
                forecast = forecast._replace(
                    turtle_space=target_space(occupied_spaces(position.boards), forecast.turtle_space, 1)
                )
            case CardFunction.CORAL:
                reefs = (*forecast.reef_limits, reef_of_space(forecast.turtle_space))
                forecast = forecast._replace(reef_limits=reefs)
            case CardFunction.FISH:
                forecast = forecast._replace(fish=forecast.fish + 1)
            case CardFunction.POINTS:
                forecast = forecast._replace(points=forecast.points + CARD_POINTS)
            case CardFunction.COMPETITION:
                pass
    return forecast


def _with_cubes(position: Position, seat: Seat, forecast: Forecast) -> Forecast:
    reached_count = len(cube_spaces_reached(position, seat, forecast.turtle_space))
    kept_count = min(reached_count, CUBE_SLOT_COUNT - position.boards[seat].cube_count)
    return forecast._replace(cube_count=kept_count, boxed_cube_count=reached_count - kept_count)


def replace_board(boards: tuple[SeaBoard, ...], seat: Seat, board: SeaBoard) -> tuple[SeaBoard, ...]:
    """Return all boards with that of a seat replaced."""
    return (*boards[:seat], board, *boards[seat + 1 :])


def boards_with_coral(
    boards: tuple[SeaBoard, ...], seat: Seat, reef: int, from_reef: int | None = None
) -> tuple[SeaBoard, ...]:
    """Return the boards after a coral comes to a reef; ``from_reef`` None: from the supply."""
    board = boards[seat]
    coral_counts = list(board.coral_counts)
    coral_counts[REEF_INDEX[reef]] += 1
    if from_reef is not None:
        coral_counts[REEF_INDEX[from_reef]] -= 1
    coral_supply = board.coral_supply - (from_reef is None)
    return replace_board(
        boards, seat, replace(board, coral_counts=tuple(coral_counts), coral_supply=coral_supply)
    )
