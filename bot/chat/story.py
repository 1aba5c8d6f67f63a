"""What has happened since a player's last turn, in words: first what affected that player, then the rest.

Texts only.  The lines are those of the log as its reader may know it.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec

from bot import limits
from bot.host import game_calls
from bot.host.game_guard import guarded
from bot.host.table import Table
from bot.host.table_turns import story_start
from rules.game import SEAT_LETTERS, Names, Seat
from rules.record import LogLine
from rules.text import shortened
from rules.turns import Turn, last_turn, turns_from

BOARD_STORY_LENGTH: Final = 800
"""Characters of a story above the buttons of a turn: about twenty lines on a phone."""
PRIVATE_STORY_LENGTH: Final = 500
"""Characters of a story in a private message, whose buttons should stay in sight."""
TURN_STORY_LENGTH: Final = limits.CONTENT - 200
"""Characters of the story of a turn that is over: the room of a message beside its heading."""
LOG_LABEL: Final = "What happened"
"""The label of the button that shows the whole log."""
LOG_HINT: Final = f"-# There is more: press **{LOG_LABEL}**."
LOG_HINT_VIA_MORE: Final = f"-# There is more: press **More**, then **{LOG_LABEL}**."
"""The hint for a message that has no room for the button ``LOG_LABEL``."""
_OMISSION_LINE: Final = "> …"
_AFFECTED_HEADING: Final = "**What affected you:**"
_OTHERS_HEADING: Final = "**What else happened:**"
_OWN_HEADING: Final = "**This turn so far:**"


class Story(msgspec.Struct, frozen=True):
    """A story as it is shown; ``is_shortened``: more than routine was left out, and its last line says so."""

    text: str
    is_shortened: bool = False


NO_STORY: Final = Story("")
_Joiner: TypeAlias = Callable[[Sequence[LogLine], Sequence[LogLine], Sequence[LogLine]], str]
"""Makes the text of what affected the reader, what else happened, and the reader's running turn."""


@guarded
def public_story(table: Table, reader: Seat, limit: int = BOARD_STORY_LENGTH, hint: str = LOG_HINT) -> Story:
    """Return what has happened since ``reader``'s last turn, as everybody may know it.

    ``hint``: the last line of a story that was shortened.
    """
    assert table.match is not None
    return make_story(table, table.log_lines(story_start(table, reader)), reader, limit, hint)


async def private_story(table: Table, seat: Seat, limit: int = PRIVATE_STORY_LENGTH) -> Story:
    """Return what has happened since a player's last turn, as that player may know it.

    Raises GameFault, WorkersBusy.
    """
    return make_story(table, await game_calls.log_lines_since_last_turn(table, seat), seat, limit)


@guarded
def turn_story(table: Table, turn: Turn, limit: int = TURN_STORY_LENGTH) -> str:
    """Return the whole public story of a turn, without its middle if it is too long."""
    return _fit_turn_story(
        [line.text for line in table.log_lines(turn.start, turn.end)], table.all_names, limit
    )


def _fit_turn_story(texts: Sequence[str], names: Names, limit: int) -> str:
    """Return the lines of a turn in at most ``limit`` characters: its start and its end matter most."""
    lines = [quote(text) for text in texts]
    for i, text in enumerate(texts):
        if len("\n".join(lines)) > limit:
            lines[i] = quote(_first_sentences(text, names))
    if len("\n".join(lines)) <= limit:
        return "\n".join(lines)
    if len(lines) > 1:
        line_limit = (limit - len(_OMISSION_LINE)) // 2 - 1  # two such lines fit beside the mark
        lines = [shortened(line, line_limit) for line in lines]
    head, tail = lines[: len(lines) // 2], lines[len(lines) // 2 :]
    while len("\n".join([*head, _OMISSION_LINE, *tail])) > limit and len(head) + len(tail) > 2:
        if len(head) >= len(tail):
            del head[-1]
        else:
            del tail[0]
    return shortened("\n".join([*head, _OMISSION_LINE, *tail] if head else tail), limit)


@guarded
def make_story(
    table: Table, lines: Sequence[LogLine], reader: Seat, limit: int, hint: str = LOG_HINT
) -> Story:
    """Return the story of ``lines`` for a reader, in at most ``limit`` characters.

    First comes what affected the reader, then the rest player by player, then the reader's running turn.
    With two players the first two stay in the order of play, since they tell of one turn.  If the story is
    too long, its last part is shortened first, the oldest lines before the newer ones.
    ``hint``: the last line of a story that was shortened.
    """
    assert table.match is not None
    history = table.match.history
    turn = last_turn(history)
    is_running = turn is not None and turn.seat == reader == table.match.to_act
    own_start = turn.start if turn is not None and is_running else len(history)
    seat_at = {
        index: each.seat
        for each in turns_from(history, lines[0].index if lines else len(history))
        for index in range(each.start, each.end)
    }

    def order_of_play(line: LogLine) -> tuple[int, int]:
        return (seat_at.get(line.index, reader) - reader) % len(SEAT_LETTERS), line.index

    recent = [line for line in lines if line.index < own_start]
    affected = [line for line in recent if reader in line.affected_seats]
    others = sorted((line for line in recent if reader not in line.affected_seats), key=order_of_play)
    own = [line for line in lines if line.index >= own_start]
    join = _join_in_order if len(table.seats) == 2 else _join_by_effect
    mention_pattern = re.compile(
        rf"(?<!\w)(?:{re.escape(table.names[reader])}|{SEAT_LETTERS[reader]}\d+)(?!\w)"
    )
    return _shorten(affected, others, own, limit, hint, table.all_names, join, mention_pattern)


def _shorten(
    affected: list[LogLine],
    others: list[LogLine],
    own: list[LogLine],
    limit: int,
    hint: str = LOG_HINT,
    names: Names = (),
    join: _Joiner | None = None,
    mention_pattern: re.Pattern[str] | None = None,
) -> Story:
    """Return the story, shortened if it is too long.

    Routine lines go first, then texts become their first sentences, then whole lines go.  Headlines stay
    longest.  A sentence does not end within one of the ``names``.  ``join``: makes the text of the three
    parts; None: ``_join_by_effect``.  ``mention_pattern``: finds the reader or their pieces ("A2"); what
    affected the reader also keeps its sentences with a mention.
    """
    join = join or _join_by_effect
    text = join(affected, others, own)
    if len(text) > limit:
        affected, others, own = (
            [line for line in part if not line.is_routine] for part in (affected, others, own)
        )
        text = join(affected, others, own)
    if len(text) <= limit:
        return Story(text)
    limit -= len(hint) + 1
    parts = own, others, affected
    newest = max(affected, key=lambda line: line.index, default=None)
    excess = len(text) - limit
    for part in parts:
        for line in sorted(part, key=lambda each: each.index):
            if excess <= 0:
                break
            part_pattern = mention_pattern if part is affected else None
            shorter = msgspec.structs.replace(line, text=_first_sentences(line.text, names, part_pattern))
            part[part.index(line)] = shorter
            newest = shorter if line is newest else newest
            excess -= len(quote(line.text)) - len(quote(shorter.text))
        excess = _remove_lines(part, parts, newest, limit, excess, join, even_with_headline=False)
    for part in parts:
        excess = _remove_lines(part, parts, newest, limit, excess, join, even_with_headline=True)
    return Story(f"{shortened(join(affected, others, own), limit)}\n{hint}".strip(), is_shortened=True)


def _remove_lines(
    part: list[LogLine],
    parts: tuple[list[LogLine], list[LogLine], list[LogLine]],
    newest: LogLine | None,
    limit: int,
    excess: int,
    join: _Joiner,
    *,
    even_with_headline: bool,
) -> int:
    """Remove lines from ``part``, the oldest first, until the story of ``parts`` fits; never ``newest``.

    ``excess``: by how many characters the story is longer than ``limit``.  Return the excess that is left.
    """
    own, others, affected = parts
    for line in sorted(part, key=lambda each: each.index):
        if excess <= 0:
            break
        if line is not newest and (even_with_headline or "\n" not in line.text):
            part.remove(line)
            excess -= len(quote(line.text)) + 1
            if not part:  # headings go with it
                excess = len(join(affected, others, own)) - limit
    return excess


def _join_in_order(affected: Sequence[LogLine], others: Sequence[LogLine], own: Sequence[LogLine]) -> str:
    return _join_by_effect(sorted((*affected, *others), key=lambda line: line.index), (), own)


def _join_by_effect(affected: Sequence[LogLine], others: Sequence[LogLine], own: Sequence[LogLine]) -> str:
    with_headings = bool(affected) and bool(others)
    parts = [
        *([_AFFECTED_HEADING] if with_headings else []),
        *(quote(line.text) for line in affected),
        *([_OTHERS_HEADING] if with_headings else []),
        *(quote(line.text) for line in others),
        *([_OWN_HEADING] if own else []),
        *(quote(line.text) for line in own),
    ]
    return "\n".join(parts)


def _first_sentences(text: str, names: Names, mention_pattern: re.Pattern[str] | None = None) -> str:
    """Return the first sentence of a narration and of each headline below it.

    ``mention_pattern``: later sentences in which it is found stay, too.
    """
    lines = []
    for line in text.splitlines():
        first, *later = _sentences(line, names)
        kept = (each for each in later if mention_pattern and mention_pattern.search(each))
        lines.append(" ".join([first, *kept]))
    return "\n".join(lines)


def _sentences(text: str, names: Names) -> list[str]:
    """Return the sentences of a line, at least one."""
    masked = text
    for name in sorted(names, key=len, reverse=True):
        masked = masked.replace(name, "x" * len(name))  # a name like "J. R." ends no sentence
    ends = [match.start() + 1 for match in re.finditer(r"\. ", masked)]
    starts = [0, *(end + 1 for end in ends)]
    return [text[start:end] for start, end in zip(starts, [*ends, len(text)], strict=True)]


def quote(text: str) -> str:
    """Return a text as a quotation, line by line."""
    return "\n".join(f"> {line}" for line in text.splitlines())


def quote_newest(texts: Sequence[str], limit: int) -> list[str]:
    """Return the newest ``limit`` lines as quotations, with a mark before them if others are left out."""
    lines = [line for text in texts for line in quote(text).splitlines()]
    return lines if len(lines) <= limit else [_OMISSION_LINE, *lines[-limit:]]
