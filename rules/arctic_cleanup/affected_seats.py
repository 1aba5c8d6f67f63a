"""Which seats a record of Arctic CleanUp affects."""

from collections.abc import Iterable

from rules.arctic_cleanup.events import (
    AnyEvent,
    FactoryBuilt,
    GameEnded,
    LastRoundSet,
    OceanFilled,
    QuietEndNear,
    Resigned,
    TokenLoaded,
    TokenPlaced,
    TurnOrderSet,
)
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase, Position
from rules.model import Seat


def affected_seats(before: ArcticCleanUpView, after: ArcticCleanUpView) -> frozenset[Seat]:
    """Return the seats that a record affected; tokens that come or go also affect ships on that tile."""
    position = after.position
    everybody = frozenset(map(Seat, range(len(position.boards))))
    if position.phase is Phase.OVER:
        return everybody
    return frozenset(
        seat for event in position.trail for seat in _seats_affected_by(event, position, everybody)
    )


def _seats_affected_by(event: AnyEvent, position: Position, everybody: frozenset[Seat]) -> Iterable[Seat]:
    match event:
        case TurnOrderSet() | OceanFilled() | LastRoundSet() | QuietEndNear() | GameEnded() | Resigned():
            return everybody
        case FactoryBuilt():  # the others can no longer build there
            return everybody
        case TokenLoaded(seat=seat, place=place) | TokenPlaced(seat=seat, place=place):
            return [each for each in everybody if each == seat or place in position.boards[each].ships]
        case _:
            return [seat for seat in everybody if seat == getattr(event, "seat", None)]
