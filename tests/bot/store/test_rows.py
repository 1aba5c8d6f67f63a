"""Rows of seats: what they say after an undo."""

from hypothesis import given
from hypothesis import strategies as st

from bot.store.seat_rows import EarlierPlayer, SeatRow

SMALL_NUMBERS = st.integers(0, 9)


@given(SMALL_NUMBERS, SMALL_NUMBERS, SMALL_NUMBERS, SMALL_NUMBERS, SMALL_NUMBERS)
def test_after_an_undo_a_seat_says_nothing_beyond_the_history(
    end_index: int, start: int, count: int, since_index: int, history_length: int
) -> None:
    """Earlier players and substitutes' spans, the running one too, end with the records that are left."""
    row = SeatRow(
        name="Ava",
        earlier_players=(EarlierPlayer("Ben", end_index),),
        substitute_spans=((start, start + 1 + count),),
        substituted_since_index=since_index,
    )
    shortened_row = row.with_shortened_history(history_length)
    assert [each.end_index for each in shortened_row.earlier_players] == (
        [min(end_index, history_length)] if min(end_index, history_length) else []
    )
    assert shortened_row.substituted_since_index == min(since_index, history_length)
    for index in range(20):
        assert shortened_row.substitute_played_at(index) == (
            index < history_length and row.substitute_played_at(index)
        )
