"""The lines of the log, and which turns its picture prefers."""

import random
from unittest.mock import patch

from bot import limits
from bot.chat import history_pages
from bot.chat.board_frames import recent_frames
from rules.game import Seat
from tests.bot.chat.sample_tables import sample_tables


def test_turns_that_affect_the_asker_are_preferred() -> None:
    """Those whose lines in the log say that they did."""
    seat = Seat(0)
    for table in sample_tables("oceans", 8, random.Random(1)):
        assert table.match is not None
        with patch.object(history_pages, "recent_frames", wraps=recent_frames) as choose:
            history_pages._log_page(table, seat, everything=False)
        start, indexes_affecting_viewer = choose.call_args.args[1:]
        lines = table.narrate(table.match, seat, start)
        assert indexes_affecting_viewer == {line.index for line in lines if seat in line.affected_seats}
        if 0 < len(indexes_affecting_viewer) < len(lines):
            return
    raise AssertionError("no turn affects the asker")


def test_lines_have_the_numbers_of_moves() -> None:
    """Choices are counted as a roll-back counts them; what happened by itself has a dot."""
    table = sample_tables("currents", 1, random.Random(1))[0]
    assert table.match is not None
    numbers = history_pages._move_numbers(table.match.history)
    choices = [record.is_choice for record in table.match.history]
    assert False in choices
    assert [each for each in numbers if each != "·"] == [str(i) for i in range(1, table.move_count + 1)]
    assert [each != "·" for each in numbers] == choices


def test_a_log_that_is_too_long_keeps_its_newest_lines() -> None:
    """A mark stands in place of the older ones; as many lines are shown as a page has room for."""
    lines = [f"Line {number}." + "x" * 90 for number in range(100)]
    mark, *shown = history_pages._newest_fitting_lines(lines)
    assert mark == "…"
    assert shown == lines[-len(shown) :]
    assert limits.COMPONENTS_V2_TEXT - 400 < len("\n".join(shown)) < limits.COMPONENTS_V2_TEXT - 100
    assert history_pages._newest_fitting_lines(lines[:9]) == lines[:9]
