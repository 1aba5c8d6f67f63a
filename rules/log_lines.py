"""The records of a match in words, for any game."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from rules.advance import next_state
from rules.game import AnyGame
from rules.model import Names, Seat
from rules.record import LogLine, Record

NamesAt: TypeAlias = Callable[[int], Names]
"""Returns the players' names at an index of the history."""


def narrate_records(
    game: AnyGame,
    state: Any,
    start: int,
    records: Sequence[Record],
    viewer: Seat | None,
    names: Names | NamesAt,
) -> tuple[LogLine, ...]:
    """Return the records in words as a viewer may know them; records without words are left out.

    ``state``: before the first record, which stands at index ``start`` of the history.
    """
    lines = []
    for index, record in enumerate(records, start):
        after = next_state(game, state, record)
        seen = record.action.seen_by(viewer, record.actor)
        view_before, view_after = game.view(state, viewer), game.view(after, viewer)
        names_then = names(index) if callable(names) else names
        narration = game.words.narrate(view_before, record.actor, seen, view_after, names_then)
        if narration.lines:
            affected = game.words.affected_seats(game.view(state, None), game.view(after, None))
            is_routine = game.words.is_routine(seen, view_after)
            lines.append(LogLine(index, record.actor, narration, affected, is_routine))
        state = after
    return tuple(lines)
