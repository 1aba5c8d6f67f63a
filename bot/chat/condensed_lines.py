"""Log lines as stories tell them: without ceremony, and what is done several times in a row in one line."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

from msgspec.structs import replace

from rules.model import Names, Seat
from rules.narration import Clause, Item, Narration, Sentence, SentenceKind
from rules.record import LogLine
from rules.text import listed, times_text


def condense(
    lines: Sequence[LogLine],
    names_at: Callable[[int], Names],
    part_of: Callable[[LogLine], object] = lambda line: None,
) -> list[LogLine]:
    """Return the lines without ceremony, with one line in place of several that list what one player does.

    Such a line has the index of the first of its records.  If nothing but ceremony has happened, it stays.
    ``names_at``: returns the players' names at an index of the history; only lines with the same become one.
    ``part_of``: returns the part of a story in which a line stands; only lines of one part become one.  The
    line affected all whom one of them affected.
    """
    shown_lines = [replace(line, narration=_without_ceremony(line.narration)) for line in lines]
    groups: list[list[LogLine]] = []
    for line in [line for line in shown_lines if line.narration.lines] or lines:
        group = _group_to_join(groups, line, names_at, part_of)
        if group is None:
            groups.append([line])
        else:
            group.append(line)
    return [group[0] if len(group) == 1 else _tell_as_one(group) for group in groups]


def _without_ceremony(narration: Narration) -> Narration:
    """Return a narration without ceremony; its first line stays if announcements follow."""
    first_line, *announcements = narration.lines
    others = tuple(sentence for sentence in first_line if sentence.kind is not SentenceKind.CEREMONY)
    if not others and not announcements:
        return Narration()
    return Narration((others or first_line, *announcements))


def _group_to_join(
    groups: Sequence[list[LogLine]],
    line: LogLine,
    names_at: Callable[[int], Names],
    part_of: Callable[[LogLine], object],
) -> list[LogLine] | None:
    """Return the group of lines that a line goes on with; None if it begins another one.

    That is the last group, or one before it if only the same was done in between by other pieces of the
    player: ship 1 loads, then ship 2, then ship 1.
    """
    clause = _first_sentence(line).clause
    for group in reversed(groups):
        if part_of(group[-1]) != part_of(line):
            return None
        if _goes_on(group, line, names_at):
            return group
        if clause is None or not all(
            each.actor == line.actor and _has_only_clause(each, clause.verb) for each in group
        ):
            return None
    return None


def _has_only_clause(line: LogLine, verb: str) -> bool:
    """Whether a line only says what the verb is done to."""
    match line.narration.lines:
        case ((Sentence(clause=Clause() as clause),),):
            return clause.verb == verb
    return False


def _goes_on(group: Sequence[LogLine], line: LogLine, names_at: Callable[[int], Names]) -> bool:
    """Whether a line begins with the sentence with which a group of lines ends, or lists one more item."""
    newest, names = group[-1], names_at(line.index)
    if (newest.actor, newest.is_routine) != (line.actor, line.is_routine):
        return False
    if names_at(newest.index) != names:
        return False  # somebody else has taken the seat, or a computer player chose for its player
    if _are_repeated([*group, line]):
        return True
    newest_line, *announcements = newest.narration.lines
    if announcements or (len(newest_line) > 1 and len(group) > 1):
        return False  # the list has ended within that line
    last, first = newest_line[-1], _first_sentence(line)
    if first.text == last.text:
        return True
    if last.clause is None or first.clause is None or not _is_same_doing(last.clause, first.clause):
        return False
    # else the place of one could be that of both
    return bool(last.clause.item.place) == bool(first.clause.item.place)


def _are_repeated(group: Sequence[LogLine]) -> bool:
    """Whether lines of several sentences are alike but for announcements below the last one."""
    *earlier_lines, newest = group
    first_line = newest.narration.lines[0]
    return len(first_line) > 1 and all(line.narration.lines == (first_line,) for line in earlier_lines)


def _is_same_doing(clause: Clause, other: Clause) -> bool:
    """Whether two clauses of one player say that the same does the same."""
    return clause.verb == other.verb and (clause.piece or clause.subject) == (other.piece or other.subject)


def _first_sentence(line: LogLine) -> Sentence:
    return line.narration.lines[0][0]


def _tell_as_one(group: Sequence[LogLine]) -> LogLine:
    """Return lines of which each repeats the one before or lists more as one line."""
    first, *others = group
    newest_line, *announcements = others[-1].narration.lines
    count_text = times_text(len(group))
    if _are_repeated(group):
        opening, *rest = newest_line
        text = f"{count_text.capitalize()}: {opening.text}"  # said first, as it holds for each sentence
        sentences = (replace(opening, text=text, clause=None), *rest)
    else:
        *earlier, last = first.narration.lines[0]
        clauses = [each.clause for each in (last, *map(_first_sentence, others)) if each.clause is not None]
        if clauses:
            items_text = _list_items([clause.item for clause in clauses])
            text = f"{clauses[0].subject} {clauses[0].verb} {items_text}."
        else:
            text = f"{last.text.removesuffix('.')} ({count_text})."
        sentences = (*earlier, replace(last, text=text, clause=None), *newest_line[1:])
    affected_seats = frozenset[Seat]().union(*(line.affected_seats for line in group))
    return replace(first, narration=Narration((sentences, *announcements)), affected_seats=affected_seats)


def _list_items(items: Sequence[Item]) -> str:
    """Return items as a list, with the name or the place that they share said once."""
    items = _with_numbers_joined(_with_alike_counted(items))
    first = items[0]
    if all(item.means and item.name == first.name for item in items):
        return f"{first.name} with {listed([Item(item.means, place=item.place).text for item in items])}"
    if first.place and all(item.place == first.place for item in items):
        return f"{listed([replace(item, place='').text for item in items])} {first.place}"
    return listed([item.text for item in items])


def _with_alike_counted(items: Sequence[Item]) -> list[Item]:
    """Return countable items that are alike as one with their number: "2 PET"."""
    counts = Counter(item for item in items if item.is_countable)
    others_and_firsts = [
        item for i, item in enumerate(items) if not item.is_countable or item not in items[:i]
    ]
    return [
        replace(item, name=f"{count} {item.name}") if (count := counts[item]) > 1 else item
        for item in others_and_firsts
    ]


def _with_numbers_joined(items: Sequence[Item]) -> list[Item]:
    """Return neighbours that differ only in their number as one: "PET on R4 (1 and 2 of 4)"."""
    joined_items: list[Item] = []
    for item, group in groupby(items, lambda each: replace(each, number=0)):
        alike = list(group)
        if item.total:
            numbers_text = listed([str(each.number) for each in alike])
            place = f"{item.place} ({numbers_text} of {item.total})"
            joined_items.append(replace(item, place=place, total=0))
        else:
            joined_items += alike
    return joined_items
