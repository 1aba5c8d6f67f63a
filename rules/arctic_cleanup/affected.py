"""Whom a record affects."""

from collections.abc import Iterable

from rules.arctic_cleanup.events import (
    AnyEvent,
    GameEnded,
    LastCall,
    OceanFilled,
    Ordered,
    Resigned,
)
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase
from rules.game import Seat


def affected(before: ArcticCleanUpView, after: ArcticCleanUpView) -> frozenset[Seat]:
    """Return the seats that a record affected."""
    position = after.position
    everybody = frozenset(map(Seat, range(len(position.boards))))
    if position.phase is Phase.OVER:
        return everybody
    return frozenset(seat for event in position.trail for seat in _affected_by(event, everybody))


def _affected_by(event: AnyEvent, everybody: frozenset[Seat]) -> Iterable[Seat]:
    match event:
        case Ordered() | OceanFilled() | LastCall() | GameEnded() | Resigned():
            return everybody
        case _:
            return [seat for seat in everybody if seat == getattr(event, "seat", None)]
