"""Which places on reefs a coral or a swim gained, in words: each as the boards were when it happened."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from rules.australis.events import AnyEvent, CoralMoved, CoralPlaced, TurtleMoved
from rules.australis.forecast import boards_with_coral, replace_board
from rules.australis.model import Position, SeaBoard
from rules.australis.phrases import reef_numbers_text
from rules.australis.scoring import REEF_INDEX, reef_place, reef_ranking
from rules.model import Names, Seat


def place_text_of_coral(
    before: Position, after: Position, coral: CoralPlaced | CoralMoved, names: Names
) -> str:
    """Return "takes first place from Ben": what a coral of the trail gained; empty without a new place."""
    reef = coral.reef if isinstance(coral, CoralPlaced) else coral.end
    place = _gained_place(*_boards_around(before, after, coral), coral.seat, reef)
    if place is None:
        return ""
    if place.former_holder is None:
        return f"is {place.ordinal} there"
    return f"takes {place.ordinal} place from {names[place.former_holder]}"


def place_texts_of_swims(before: Position, seat: Seat, after: Position, names: Names) -> list[str]:
    """Return "first place from Ben on reef 4" for each place that a turtle gained by passing others."""
    place_by_reef: dict[int, _GainedPlace] = {}
    for event in after.trail:
        if isinstance(event, TurtleMoved) and event.seat == seat:
            boards_around = _boards_around(before, after, event)
            places = {reef: _gained_place(*boards_around, seat, reef) for reef in REEF_INDEX}
            place_by_reef |= {reef: place for reef, place in places.items() if place is not None}
    reefs_by_place: dict[_GainedPlace, list[int]] = {}
    for reef, place in sorted(place_by_reef.items()):
        reefs_by_place.setdefault(place, []).append(reef)
    return [
        f"{place.ordinal} place from {names[place.former_holder]} on {reef_numbers_text(reefs)}"
        for place, reefs in reefs_by_place.items()
        if place.former_holder is not None  # a turtle gains places only from those whom it passes
    ]


def _boards_around(
    before: Position, after: Position, event: AnyEvent
) -> tuple[Sequence[SeaBoard], Sequence[SeaBoard]]:
    """Return corals and turtles as they were just before and just after an event of the trail."""
    boards = before.boards
    for each in after.trail:
        boards_then = _boards_after(boards, each)
        if each is event:
            return boards, boards_then
        boards = boards_then
    raise ValueError("the event is not in the trail")


def _boards_after(boards: tuple[SeaBoard, ...], event: AnyEvent) -> tuple[SeaBoard, ...]:
    match event:
        case TurtleMoved(seat=seat, end=end):
            return replace_board(boards, seat, replace(boards[seat], turtle_space=end))
        case CoralPlaced(seat=seat, reef=reef):
            return boards_with_coral(boards, seat, reef)
        case CoralMoved(seat=seat, start=start, end=end):
            return boards_with_coral(boards, seat, end, start)
        case _:
            return boards


class _GainedPlace(NamedTuple):
    """A place on a reef that a seat has gained."""

    ordinal: str
    former_holder: Seat | None
    """Who had it before; None: nobody."""


def _gained_place(
    old_boards: Sequence[SeaBoard], new_boards: Sequence[SeaBoard], seat: Seat, reef: int
) -> _GainedPlace | None:
    """Return which place on a reef a seat gained; None unless that place is new and brings points."""
    old_place, new_place = reef_place(old_boards, reef, seat), reef_place(new_boards, reef, seat)
    if not new_place.points or new_place.rank == old_place.rank:
        return None
    others = [other for other in reef_ranking(old_boards, reef) if other != seat]
    ordinal = "second" if new_place.rank > 1 else "first"
    former_holder = others[new_place.rank - 1] if len(others) >= new_place.rank else None
    return _GainedPlace(ordinal, former_holder)
