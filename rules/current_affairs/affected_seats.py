"""Which seats a record of Current Affairs affects."""

from collections.abc import Iterable

from rules.current_affairs.boards import seats_stuck_with_animal
from rules.current_affairs.events import (
    AnyEvent,
    DraftRoundBegan,
    EndTriggered,
    ExtraTurnsBegan,
    HabitatRestored,
    Resigned,
    StarterChosen,
)
from rules.current_affairs.model import CurrentAffairsView, Phase, Position
from rules.model import Seat


def affected_seats(before: CurrentAffairsView, after: CurrentAffairsView) -> frozenset[Seat]:
    """Return the seats that a record affected.

    A restored habitat also affects others if it was the last region of an animal that they still have.
    """
    position = after.position
    everybody = frozenset(map(Seat, range(len(position.boards))))
    if position.phase is Phase.OVER or before.position.phase in {Phase.FILL, Phase.FIRST_DRAFTER}:
        return everybody
    return frozenset(
        seat for event in position.trail for seat in _seats_affected_by(event, position, everybody)
    )


def _seats_affected_by(event: AnyEvent, position: Position, everybody: frozenset[Seat]) -> Iterable[Seat]:
    match event:
        case DraftRoundBegan() | StarterChosen() | EndTriggered() | ExtraTurnsBegan() | Resigned():
            return everybody
        case HabitatRestored(seat=seat, animal=animal):
            return [seat, *seats_stuck_with_animal(position, animal)]
        case _:
            return [each for each in everybody if each == getattr(event, "seat", None)]
