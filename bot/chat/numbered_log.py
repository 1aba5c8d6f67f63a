"""The log with the numbers of its moves, as ``/table rollback`` counts them: lines, pages, the way to it."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.chat.components import Button
from bot.chat.post_parts import button
from bot.host.table import Table
from rules.narration import narration
from rules.record import LogLine, Record

NO_MOVE_NUMBER: Final = "·"
"""Stands before a line that is no move of a player: what follows from the one above, or chance."""
WHOLE_GAME_LOG: Final = "all"
"""The first word of the argument of a button that shows the log of the whole game; its page follows."""


class NumberedLine(NamedTuple):
    """A line of the log."""

    number: str
    """That of its move, or ``NO_MOVE_NUMBER``."""
    text: str
    """The whole line, which begins with the number."""


def with_every_choice(table: Table, log_lines: Sequence[LogLine], start: int) -> tuple[LogLine, ...]:
    """Return the log lines, and for each choice from ``start`` on that has none a line with its verb.

    Otherwise the numbers would have gaps.
    """
    history = () if table.match is None else table.match.history
    told_indexes = {line.index for line in log_lines}
    verb_texts = table.game.words.verb_texts
    verb_lines = (
        LogLine(index, record.actor, narration([f"{table.names_at(index)[record.actor]}: {verb.label}."]))
        for index, record in enumerate(history[start:], start)
        if record.is_choice and index not in told_indexes and (verb := verb_texts.get(type(record.action)))
    )
    return tuple(sorted((*log_lines, *verb_lines), key=lambda line: line.index))


def numbered_lines(
    history: Sequence[Record], log_lines: Sequence[LogLine], start: int = 0
) -> list[NumberedLine]:
    """Return the log of the records from ``start`` on in lines, each with the number of its move before it.

    Further lines of one text have a dot, and so has a change of players, which has the index of the record
    before it.
    """
    numbers = move_numbers(history)
    lines: list[NumberedLine] = []
    last_index = start - 1
    for each in log_lines:
        number = NO_MOVE_NUMBER if each.index == last_index else numbers[each.index]
        for text in each.text.splitlines():
            lines.append(NumberedLine(number, f"`{number:>3}` {text}"))
            number = NO_MOVE_NUMBER
        last_index = each.index
    return lines


def move_numbers(history: Sequence[Record]) -> list[str]:
    """Return each record's number, as ``/table rollback`` counts moves; a dot for an automatic record."""
    numbers, count = [], 0
    for record in history:
        count += record.is_choice
        numbers.append(str(count) if record.is_choice else NO_MOVE_NUMBER)
    return numbers


def pages_of_lines(lines: Sequence[NumberedLine], page_length: int) -> list[list[NumberedLine]]:
    """Return the lines in pages of at most so many characters, if no line is longer; one page without any."""
    pages: list[list[NumberedLine]] = [[]]
    room = page_length
    for line in lines:
        room -= len(line.text) + 1
        if room < 0 and pages[-1]:
            pages.append([])
            room = page_length - len(line.text) - 1
        pages[-1].append(line)
    return pages


def all_moves_button(table: Table) -> Button:
    """Return the button that shows the log of the whole game in private."""
    return button(table, "All moves", "log", WHOLE_GAME_LOG)
