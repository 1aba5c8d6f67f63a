"""Converts between plies and indexes of the history.

They drift apart once a record is not in the history: an undone one, or an undo, a cut or a reseal itself.
"""

from bisect import bisect_left
from collections.abc import Iterable
from typing import TypeAlias

from rules.record import Cut, Record, Reseal, Undo

PlyOffsets: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of index and count: from that index of the history on, so many earlier records are not in it."""


def offsets_after_control_record(offsets: PlyOffsets, ply: int, length: int) -> PlyOffsets:
    """Return the offsets after an undo, a cut or a reseal.

    ``ply``: the number of all records with it; ``length``: of the history after it.
    """
    return (*(each for each in offsets if each[0] < length), (length, ply - length))


def ply_offsets(records: Iterable[Record]) -> PlyOffsets:
    """Return the offsets that records lead to.  Nothing is checked."""
    offsets: PlyOffsets = ()
    length = 0
    for ply, record in enumerate(records, 1):
        if isinstance(record.action, Undo | Cut | Reseal):
            length = record.action.kept_length if isinstance(record.action, Undo) else length
            offsets = offsets_after_control_record(offsets, ply, length)
        else:
            length += 1
    return offsets


def ply_at(offsets: PlyOffsets, index: int) -> int:
    """Return the ply of the record at an index of the history: the first record has ply 1."""
    return index + 1 + next((count for start, count in reversed(offsets) if start <= index), 0)


def index_at(offsets: PlyOffsets, length: int, ply: int) -> int | None:
    """Return the index of a record in a history of that length; None if the record does not stand there."""
    index = bisect_left(range(length), ply, key=lambda each: ply_at(offsets, each))
    return index if index < length and ply_at(offsets, index) == ply else None
