"""Which seats a record of Australis affects; their players read of it first."""

from collections.abc import Iterable

from rules.australis.events import (
    AnyEvent,
    CompetitionBegan,
    CompetitionEnded,
    CompetitionRolled,
    CubeTaken,
    RoundBegan,
    TileTaken,
)
from rules.australis.model import AustralisView, Position
from rules.australis.scoring import reef_points
from rules.model import Seat


def affected_seats(before: AustralisView, after: AustralisView) -> frozenset[Seat]:
    """Return the seats whose belongings, reef points, competition or race for a grey cube changed."""
    old, new = before.position, after.position
    seats = [Seat(seat) for seat in range(len(new.boards))]
    if new.to_act is None:
        return frozenset(seats)
    changed = [
        seat
        for seat in seats
        if old.boards[seat] != new.boards[seat]
        or reef_points(old.boards, seat) != reef_points(new.boards, seat)
    ]
    return frozenset(
        (*changed, *(seat for event in new.trail for seat in _seats_affected_by(event, new, seats)))
    )


def _seats_affected_by(event: AnyEvent, position: Position, seats: Iterable[Seat]) -> Iterable[Seat]:
    match event:
        case RoundBegan():
            return seats
        case CompetitionBegan(seats=competing):
            return competing
        case CompetitionRolled(number=number) if position.competition is not None:
            return {die.seat for die in position.competition.rolls[number - 1]}
        case CompetitionEnded(first=first, second=second):
            return [seat for seat in (first, second) if seat is not None]
        case TileTaken(seat=seat) if seat is not None:
            return (seat,)
        case CubeTaken(is_grey=True, space=int()):
            return [other for other in seats if not position.boards[other].took_grey_cube]
        case _:
            return ()
