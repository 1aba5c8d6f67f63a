"""Whom the events of a record of Currents affect, so that these players read of them first."""

from collections.abc import Iterable
from typing import Final

from rules.currents.cards import Point
from rules.currents.drift import goal_owner, goals_of
from rules.currents.events import (
    AnyEvent,
    AxisChosen,
    Dealt,
    Discarded,
    Drifted,
    PawnLeft,
    Stopped,
    Threatened,
)
from rules.currents.model import CurrentsView, Position
from rules.game import Seat

_COORDINATE: Final = {"N": 1, "S": 1, "W": 0, "E": 0, "A": 0, "B": 1, "C": 2}
"""Edge -> the coordinate of a point that says how far away the edge is."""


def affected(before: CurrentsView, after: CurrentsView) -> frozenset[Seat]:
    """Return the seats whose cards changed, or for whose goals the pawn is now nearer or farther."""
    position = after.position
    if position.to_act is None:
        return frozenset(map(Seat, range(position.seats)))
    return frozenset(seat for event in position.trail for seat in _seats(event, position))


def _seats(event: AnyEvent, position: Position) -> Iterable[Seat]:
    match event:
        case Dealt(seat=seat) | Discarded(seat=seat):
            return (seat,)
        case Drifted(path=path):
            return _whose_goals_moved(position, path[0], path[-1])
        case Threatened(edge=edge, defender=defender) | Stopped(edge=edge, defender=defender):
            owner = goal_owner(position, edge)
            return (defender,) if owner is None else (defender, owner)
        case AxisChosen() | PawnLeft():
            return map(Seat, range(position.seats))
        case _:
            return ()


def _whose_goals_moved(position: Position, start: Point, end: Point) -> Iterable[Seat]:
    for seat in map(Seat, range(position.seats)):
        coordinates = {_COORDINATE[edge] for edge in goals_of(position, seat)}
        if any(start[coordinate] != end[coordinate] for coordinate in coordinates):
            yield seat
