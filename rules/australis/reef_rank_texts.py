"""Which places on reefs a coral or a swim gained, in words: each as the boards were when it happened."""

from collections.abc import Sequence

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
    return _gained_place_text(*_boards_around(before, after, coral), coral.seat, reef, names)


def place_texts_of_swims(before: Position, seat: Seat, after: Position, names: Names) -> list[str]:
    """Return "first place from Ben on reef 4" for each place that a turtle gained by passing others."""
    text_by_reef: dict[int, str] = {}
    for event in after.trail:
        if isinstance(event, TurtleMoved) and event.seat == seat:
            boards_around = _boards_around(before, after, event)
            texts = {reef: _gained_place_text(*boards_around, seat, reef, names) for reef in REEF_INDEX}
            text_by_reef |= {reef: text.removeprefix("takes ") for reef, text in texts.items() if text}
    reefs_by_text: dict[str, list[int]] = {}
    for reef, text in sorted(text_by_reef.items()):
        reefs_by_text.setdefault(text, []).append(reef)
    return [f"{text} on {reef_numbers_text(reefs)}" for text, reefs in reefs_by_text.items()]


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


def _gained_place_text(
    old_boards: Sequence[SeaBoard], new_boards: Sequence[SeaBoard], seat: Seat, reef: int, names: Names
) -> str:
    """Return which place on a reef a seat gained; empty unless that place is new and brings points."""
    old_place, new_place = reef_place(old_boards, reef, seat), reef_place(new_boards, reef, seat)
    if not new_place.points or new_place.rank == old_place.rank:
        return ""
    others = [other for other in reef_ranking(old_boards, reef) if other != seat]
    ordinal = "second" if new_place.rank > 1 else "first"
    if len(others) < new_place.rank:
        return f"is {ordinal} there"
    return f"takes {ordinal} place from {names[others[new_place.rank - 1]]}"
