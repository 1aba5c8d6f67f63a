"""Which boards an animated picture shows."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from bot.chat.board_frames import MAX_RECENT_FRAMES, BoardFrame, recent_frames, turn_frames
from rules.model import CHANCE, Action, Seat
from rules.record import Record
from rules.turns import turns_from


def history_of(text: str) -> tuple[Record, ...]:
    """Return a history: a letter is a choice of that seat, a dot chance, a comma a forced choice."""
    records = {".": Record(CHANCE, Action()), ",": Record(Seat(0), Action(), auto=True)}
    return tuple(records.get(each) or Record(Seat("ABCD".index(each)), Action()) for each in text)


HISTORIES = st.text("ABCD.,", max_size=60).map(history_of)


def test_few_choices_are_shown_one_by_one() -> None:
    """Each choice has its board, after the chance that follows it; the first board is before them."""
    frames = recent_frames(history_of("..AA.BB.C,"), 5)
    assert frames == (
        BoardFrame(5, 5, None),
        BoardFrame(5, 6, Seat(1)),
        BoardFrame(6, 8, Seat(1)),
        BoardFrame(8, 10, Seat(2)),
    )


def test_many_choices_are_shown_turn_by_turn() -> None:
    """Where the choices do not fit, each turn has one board."""
    frames = recent_frames(history_of(".ABBBBCCCC.DD"), 2)
    assert frames == (
        BoardFrame(2, 2, None),
        BoardFrame(2, 6, Seat(1)),
        BoardFrame(6, 11, Seat(2)),
        BoardFrame(11, 13, Seat(3)),
    )


def test_a_turn_whose_choices_lie_before_is_left_out() -> None:
    """Chance that ends an earlier turn makes no board of its own."""
    frames = recent_frames(history_of("AAB.AAAAAAAAA"), 3)
    assert frames == (BoardFrame(4, 4, None), BoardFrame(4, 13, Seat(0)))


def test_of_many_turns_those_that_affect_the_viewer_stay() -> None:
    """Of more turns than fit, the last one, those that affect the viewer and the newest others are shown."""
    frames = recent_frames(history_of("A" + "BCD" * 10), 1, record_indexes_affecting_viewer={2, 8}, limit=5)
    assert [frame.end for frame in frames] == [1, 3, 9, 30, 31]
    assert [frame.start for frame in frames] == [1, 1, 3, 9, 30]


def test_a_game_without_a_choice_has_one_board() -> None:
    """There is nothing to show but the board."""
    assert recent_frames(history_of("..,"), 0) == turn_frames(history_of("..,")) == (BoardFrame(3, 3, None),)


@given(HISTORIES, st.integers(0, 60), st.sets(st.integers(0, 60)), st.integers(2, MAX_RECENT_FRAMES))
@example(history_of("ABCD"), 0, {0, 1}, 3)  # the last turn stays although it affects nobody
@example(history_of("AAAA"), 1, set(), 3)  # the first record lies in the middle of a turn
def test_boards_follow_each_other(
    history: tuple[Record, ...],
    first_record_index: int,
    record_indexes_affecting_viewer: set[int],
    limit: int,
) -> None:
    """They begin at the first choice and end with the present board; no record is shown twice or left out."""
    frames = recent_frames(
        history, min(first_record_index, len(history)), record_indexes_affecting_viewer, limit
    )
    choice_count = sum(record.is_choice for record in history[first_record_index:])
    assert (2 if choice_count >= limit else choice_count + 1) <= len(frames) <= min(limit, choice_count + 1)
    assert frames[-1].end == len(history)
    assert all(later.start == earlier.end < later.end for earlier, later in pairwise(frames))
    assert not any(
        record.is_choice for record in history[min(first_record_index, len(history)) : frames[0].end]
    )


@given(HISTORIES)
def test_a_whole_game_has_a_board_for_each_turn(history: tuple[Record, ...]) -> None:
    """The first board is that before the first choice."""
    first_frame, *other_frames = turn_frames(history)
    first_choice = next((i for i, record in enumerate(history) if record.is_choice), len(history))
    assert first_frame == BoardFrame(first_choice, first_choice, None)
    assert [(each.end, each.seat) for each in other_frames] == [
        (turn.end, turn.seat) for turn in turns_from(history)
    ]
