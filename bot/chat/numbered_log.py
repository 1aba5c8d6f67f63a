"""The log with the numbers of its moves, as ``/table rollback`` counts them: lines, pages, the way to it."""

from collections.abc import Sequence
from typing import Final

from bot.chat.components import Button
from bot.chat.posts import button
from bot.host.table import Table
from rules.record import LogLine, Record

NO_MOVE_NUMBER: Final = "·"
"""Stands before a line that is no move of a player: what follows from the one above, or chance."""
WHOLE_GAME_LOG: Final = "all"
"""The first word of the argument of a button that shows the log of the whole game; its page follows."""


def numbered_lines(history: Sequence[Record], log_lines: Sequence[LogLine]) -> list[str]:
    """Return the log in lines, each with the number of its move before it; further sentences have a dot."""
    numbers = move_numbers(history)
    return [
        f"`{numbers[each.index] if i == 0 else NO_MOVE_NUMBER:>3}` {text}"
        for each in log_lines
        for i, text in enumerate(each.text.splitlines())
    ]


def move_numbers(history: Sequence[Record]) -> list[str]:
    """Return each record's number, as ``/table rollback`` counts moves; a dot for an automatic record."""
    numbers, count = [], 0
    for record in history:
        count += record.is_choice
        numbers.append(str(count) if record.is_choice else NO_MOVE_NUMBER)
    return numbers


def pages_of_lines(lines: Sequence[str], page_length: int) -> list[list[str]]:
    """Return the lines in pages of at most so many characters, if no line is longer; one page without any."""
    pages: list[list[str]] = [[]]
    room = page_length
    for line in lines:
        room -= len(line) + 1
        if room < 0 and pages[-1]:
            pages.append([])
            room = page_length - len(line) - 1
        pages[-1].append(line)
    return pages


def all_moves_button(table: Table) -> Button:
    """Return the button that shows the log of the whole game in private."""
    return button(table, "All moves", "log", WHOLE_GAME_LOG)
