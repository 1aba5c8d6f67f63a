"""Rows of tables and seats: what they say after an undo."""

from hypothesis import given
from hypothesis import strategies as st

from bot.store.seat_rows import EarlierPlayer, SeatRow

LENGTHS = st.integers(0, 9)


@given(LENGTHS, LENGTHS, LENGTHS, LENGTHS, LENGTHS)
def test_after_an_undo_a_seat_says_nothing_beyond_the_history(
    until: int, start: int, count: int, since: int, length: int
) -> None:
    """Earlier players, substitutes' spans and the last takeover end with the records that are left."""
    row = SeatRow(
        name="Ava",
        earlier_players=(EarlierPlayer("Ben", until),),
        substitute_spans=((start, start + 1 + count),),
        substituted_since=since,
    )
    cut = row.with_history_cut(length)
    assert [each.until for each in cut.earlier_players] == (
        [min(until, length)] if min(until, length) else []
    )
    assert cut.substituted_since == min(since, length)
    for index in range(20):
        assert cut.substitute_played_at(index) == (index < length and row.substitute_played_at(index))
