"""Which boards an animated picture or the pages of a game show, in order: pure functions of a history."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from rules.model import Seat
from rules.record import Record
from rules.turns import Turn, turns_from

MAX_RECENT_FRAMES: Final = 8
"""The most boards in the picture of what happened since a player's last turn."""


class BoardFrame(NamedTuple):
    """One board: the game after the first ``end`` records of its history."""

    start: int
    """The index of the first record that is new on this board; the boards before show the earlier ones."""
    end: int
    seat: Seat | None
    """Whose choices are new on it, the last player's if there are several; None: the first board."""


def recent_frames(
    history: Sequence[Record],
    first_record_index: int,
    record_indexes_affecting_viewer: Collection[int] = (),
    limit: int = MAX_RECENT_FRAMES,
) -> tuple[BoardFrame, ...]:
    """Return the board before the first choice from ``first_record_index`` on, then boards up to the present.

    There are at most ``limit`` boards: one after each choice if they fit, else one after each turn.  If there
    are too many turns, the last turn is kept, then turns with a record that affects the viewer, then the
    newest others.  Without a choice from ``first_record_index`` on, the present board is the only one.
    ``record_indexes_affecting_viewer``: the indexes of the records that affect the viewer.
    """
    choice_indexes = [index for index in range(first_record_index, len(history)) if history[index].is_choice]
    if not choice_indexes:
        return _frames(len(history), ())
    # a turn whose choices lie before ``first_record_index`` may end with chance after it
    turns = [turn for turn in turns_from(history, first_record_index) if turn.end > choice_indexes[0]]
    if len(choice_indexes) < limit:
        ends = [*choice_indexes[1:], len(history)]
        ends_and_seats = [(end, history[i].actor) for i, end in zip(choice_indexes, ends, strict=True)]
    else:
        if len(turns) >= limit:
            turns = _most_important_turns(turns, record_indexes_affecting_viewer, limit - 1)
        ends_and_seats = [(turn.end, turn.seat) for turn in turns]
    return _frames(choice_indexes[0], ends_and_seats)


def turn_frames(history: Sequence[Record]) -> tuple[BoardFrame, ...]:
    """Return the first board of a game and the one after each turn."""
    turns = turns_from(history)
    return _frames(turns[0].start if turns else len(history), [(turn.end, turn.seat) for turn in turns])


def _frames(first_end: int, ends_and_seats: Iterable[tuple[int, Seat]]) -> tuple[BoardFrame, ...]:
    """Return the frames with these ends and seats, after a first one that ends at ``first_end``."""
    frames = [BoardFrame(first_end, first_end, None)]
    for end, seat in ends_and_seats:
        frames.append(BoardFrame(frames[-1].end, end, seat))
    return tuple(frames)


def _most_important_turns(
    turns: Sequence[Turn], record_indexes_affecting_viewer: Collection[int], count: int
) -> list[Turn]:
    """Return the last turn and those others that matter most, in order."""

    def importance(turn: Turn) -> tuple[bool, bool, int]:
        affects = any(turn.start <= index < turn.end for index in record_indexes_affecting_viewer)
        return turn is turns[-1], affects, turn.start

    return sorted(sorted(turns, key=importance)[-count:], key=lambda turn: turn.start)
