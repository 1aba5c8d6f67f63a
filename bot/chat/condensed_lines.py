"""Log lines as stories tell them: without ceremony, and what is done several times in a row in one line.

Ceremony is what only says how a turn goes on: "ends the turn" (``Words.ceremony_words``).
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from bot.chat.sentence_parser import SentenceParser
from rules.model import Names, Seat
from rules.record import LogLine
from rules.text import listed, times_text

_PLACE_WORDS: Final = " from ", " on "
"""Begin what several objects may share: "HDPE and PET from B2"."""
_MEANS_WORD: Final = " with "
"""Ends what several objects may share: "A1 with Speed 7 and Inking 9"."""
_COUNT_PATTERN: Final = re.compile(r"(?P<item>.+) \((?P<number>\d+) of (?P<total>\d+)\)")
"""An object with a count at its end: "HDPE on R4 (1 of 4)"."""


def condense(
    lines: Sequence[LogLine],
    parser: SentenceParser,
    names_at: Callable[[int], Names],
    part_of: Callable[[LogLine], object] = lambda line: None,
) -> list[LogLine]:
    """Return the lines without ceremony, with one line in place of several that list what one player does.

    Such a line has the index of the first of its records.  If nothing but ceremony has happened, it stays.
    ``names_at``: returns the players' names at an index of the history; only lines with the same become one.
    ``part_of``: returns the part of a story in which a line stands; only lines of one part become one.  The
    line affected all whom one of them affected.
    """
    told_lines = [replace(line, text=_without_ceremony(line.text, parser)) for line in lines]
    groups: list[list[LogLine]] = []
    for line in [line for line in told_lines if line.text] or lines:
        group = _group_to_join(groups, line, parser, names_at, part_of)
        if group is None:
            groups.append([line])
        else:
            group.append(line)
    return [group[0] if len(group) == 1 else _tell_as_one(group, parser) for group in groups]


def _without_ceremony(text: str, parser: SentenceParser) -> str:
    """Return a line's text without ceremony; its first line stays if announcements follow."""
    first_line, *announcements = text.split("\n")
    told_first_line = parser.without_ceremony(first_line)
    return "\n".join([told_first_line or first_line, *announcements]) if announcements else told_first_line


def _group_to_join(
    groups: Sequence[list[LogLine]],
    line: LogLine,
    parser: SentenceParser,
    names_at: Callable[[int], Names],
    part_of: Callable[[LogLine], object],
) -> list[LogLine] | None:
    """Return the group of lines that a line goes on with; None if it begins another one.

    That is the last group, or one before it if only the same was done in between by other pieces of the
    player: ship 1 loads, then ship 2, then ship 1.
    """
    verb = _listing_verb(_first_sentence(line, parser), parser)
    for group in reversed(groups):
        if part_of(group[-1]) != part_of(line):
            return None
        if _goes_on(group, line, parser, names_at):
            return group
        if verb is None or not all(
            each.actor == line.actor and _listing_verb(each.text, parser) == verb for each in group
        ):
            return None
    return None


def _listing_verb(text: str, parser: SentenceParser) -> str | None:
    """Return the verb of a text that only lists one object; None for others."""
    listing = parser.split_at_object(text) if len(parser.sentences(text)) == 1 else None
    return listing and listing[0].rpartition(" ")[2]


def _goes_on(
    group: Sequence[LogLine], line: LogLine, parser: SentenceParser, names_at: Callable[[int], Names]
) -> bool:
    """Whether a line begins with the sentence with which a group of lines ends, or lists one more object."""
    newest, names = group[-1], names_at(line.index)
    if (newest.actor, newest.is_routine) != (line.actor, line.is_routine):
        return False
    if names_at(newest.index) != names:
        return False  # somebody else has taken the seat, or a computer player chose for its player
    if _are_repeated([*group, line], parser):
        return True
    *earlier_sentences, last_sentence = parser.sentences(newest.text)
    if earlier_sentences and len(group) > 1:
        return False  # the list has ended within that line
    first_sentence = _first_sentence(line, parser)
    if first_sentence == last_sentence:
        return True
    listing, addition = parser.split_at_object(last_sentence), parser.split_at_object(first_sentence)
    if listing is None or addition is None or not _is_same_opening(listing[0], addition[0], names):
        return False
    return _place_word(listing[1]) == _place_word(addition[1])  # else one's place could be that of both


def _are_repeated(group: Sequence[LogLine], parser: SentenceParser) -> bool:
    """Whether lines of several sentences are alike but for announcements below the last one."""
    *earlier_lines, newest = group
    text = newest.text.split("\n")[0]
    return len(parser.sentences(text)) > 1 and all(line.text == text for line in earlier_lines)


def _is_same_opening(earlier: str, later: str, names: Names) -> bool:
    """Whether two openings of a player's sentences mean one: "Ship 1 sails", "Ava's ship 1 sails"."""
    own_opening = f"{earlier[:1].lower()}{earlier[1:]}"
    return later == earlier or any(later == f"{name}'s {own_opening}" for name in names)


def _place_word(item: str) -> str:
    """Return the word that begins an object's place; empty without one."""
    return next((word for word in _PLACE_WORDS if word in item), "")


def _first_sentence(line: LogLine, parser: SentenceParser) -> str:
    return parser.sentences(line.text.split("\n")[0])[0]


def _tell_as_one(group: Sequence[LogLine], parser: SentenceParser) -> LogLine:
    """Return lines of which each repeats the one before or lists more as one line."""
    first, *others = group
    affected_seats = frozenset[Seat]().union(*(line.affected_seats for line in group))
    if _are_repeated(group, parser):  # said first, as it holds for each of the sentences
        text = f"{times_text(len(group)).capitalize()}: {others[-1].text}"
        return replace(first, text=text, affected_seats=affected_seats)
    *_, last_sentence = parser.sentences(first.text)
    sentences = [last_sentence, *(_first_sentence(line, parser) for line in others)]
    listings = [parts for sentence in sentences if (parts := parser.split_at_object(sentence)) is not None]
    if listings:
        sentence = f"{listings[0][0]} {_list_items([item for _, item in listings])}."
    else:
        sentence = f"{last_sentence.removesuffix('.')} ({times_text(len(group))})."
    head = first.text.removesuffix(last_sentence)
    tail = others[-1].text.removeprefix(sentences[-1])
    return replace(first, text=f"{head}{sentence}{tail}", affected_seats=affected_seats)


def _list_items(items: Sequence[str]) -> str:
    """Return objects as a list, with the object or the place that they share named once."""
    items = _count_alike(_join_counts(items))
    beginnings, marks, ends = zip(*(item.partition(_MEANS_WORD) for item in items), strict=True)
    if len({*beginnings}) == 1 and all(marks):
        return f"{beginnings[0]}{_MEANS_WORD}{listed(ends)}"
    if word := _place_word(items[0]):
        parts = [item.partition(word) for item in items]
        if len({part[1:] for part in parts}) == 1:
            return listed([part[0] for part in parts]) + "".join(parts[0][1:])
    return listed(items)


def _count_alike(items: Sequence[str]) -> list[str]:
    """Return objects of one word once each, with their number: "2 PET from B2".  "Speed 7" has a number."""
    counted_items: list[str] = []
    for item, count in Counter(items).items():
        word = _place_word(item)
        what = item.partition(word)[0] if word else item
        counted_items += [f"{count} {item}"] if count > 1 and " " not in what else [item] * count
    return counted_items


def _join_counts(items: Sequence[str]) -> list[str]:
    """Return objects with neighbours that differ only in a count as one: "HDPE on R4 (1 and 2 of 4)"."""
    joined_items: list[str] = []
    for (item, total), group in groupby(items, _split_count):
        alike = list(group)
        numbers = [match["number"] for each in alike if (match := _COUNT_PATTERN.fullmatch(each))]
        joined_items += [f"{item} ({listed(numbers)} of {total})"] if numbers else alike
    return joined_items


def _split_count(item: str) -> tuple[str, str]:
    """Return an object without its count, and of how many it is; "" if it has none."""
    match = _COUNT_PATTERN.fullmatch(item)
    return (match["item"], match["total"]) if match else (item, "")
