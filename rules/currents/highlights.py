"""What was remarkable in a game of Currents."""

from collections.abc import Sequence
from itertools import pairwise

from rules.currents.components import Point
from rules.currents.events import ExitThreatened, PawnDrifted, PawnStopped
from rules.model import Names, RecordEvents, Seat
from rules.text import counted, times_text


def highlights(record_events: Sequence[RecordEvents], names: Names) -> tuple[str, ...]:
    """Return how far the pawn drifted, by whose play it drifted furthest, and how often it was stopped.

    A longest drift of one step is not remarkable.
    """
    mover = longest_mover = Seat(0)
    longest_drift = step_count = stop_count = 0
    awaits_defence = False
    for record in record_events:
        if record.actor >= 0 and not awaits_defence:
            mover = record.actor
        for event in record.events:
            if isinstance(event, PawnDrifted):
                length = _count_steps(event.path)
                step_count += length
                if length > longest_drift:
                    longest_drift, longest_mover = length, mover
            stop_count += isinstance(event, PawnStopped)
        awaits_defence = any(isinstance(event, ExitThreatened) for event in record.events)
    facts = []
    if stop_count:
        facts.append(f"The pawn was stopped at an edge {times_text(stop_count)}.")
    if longest_drift > 1:
        facts.append(f"Longest drift: {counted(longest_drift, 'step')}, by {names[longest_mover]}.")
    if step_count:
        facts.append(f"The pawn drifted {counted(step_count, 'step')} in all.")
    return tuple(facts)


def _count_steps(path: Sequence[Point]) -> int:
    """Return the length of a path in steps along the lines: one south and one west are two."""
    return sum(
        abs(new - old) for before, after in pairwise(path) for old, new in zip(before, after, strict=True)
    )
