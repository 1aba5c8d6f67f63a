"""What has happened since a player's last turn: first the turns that affected that player, then the rest.

Texts only.  The lines are those of the log as its reader may know it.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from bot import limits
from bot.chat.condensed_lines import condense
from bot.chat.quotations import OMISSION_LINE, quote_kept
from bot.chat.shortenable_line import ShortenableLine
from bot.chat.shortened_story import Recency, ShortenableStory, Story, StoryConcern, StorySection
from bot.host.deciders.undoing import first_own_index
from bot.host.game_guard import guarded
from bot.host.names import escape_markup
from bot.host.table import Table
from bot.host.table_turns import story_start
from rules.model import CHANCE, SEAT_LETTERS, Seat
from rules.narration import SentenceKind, line_text, narration
from rules.record import LogLine, Record
from rules.turns import Turn, newest_turn, running_turn, turns_from

BOARD_STORY_LENGTH: Final = 800
"""Characters of a story above the buttons of a turn: about twenty lines on a phone."""
PRIVATE_STORY_LENGTH: Final = 500
"""Characters of a story in a private message, whose buttons should stay in sight."""
_FEW_ROWS: Final = 4
"""Up to so many rows of choices leave room for the longer story."""
TURN_STORY_LENGTH: Final = limits.CONTENT - 200
"""Characters of the story of a turn that is over: the room of a message beside its heading."""
LOG_LABEL: Final = "What happened"
"""The label of the button that shows the whole log."""
LOG_HINT: Final = f"-# There is more: press **{LOG_LABEL}**."
TURN_HINT: Final = "-# There is more: type `/history`."
"""The hint below the story of a turn that was shortened."""
LOG_HINT_VIA_MORE: Final = f"-# There is more: press **More**, then **{LOG_LABEL}**."
"""The hint for a message that has no room for the button ``LOG_LABEL``."""


@guarded
def public_story(
    table: Table,
    reader: Seat,
    limit: int = PRIVATE_STORY_LENGTH,
    hint: str = LOG_HINT,
    *,
    is_for_everybody: bool = False,
) -> Story:
    """Return what has happened since ``reader``'s last turn, as everybody may know it (``make_story``)."""
    assert table.match is not None
    lines = table.log_lines(story_start(table, reader))
    return make_story(table, lines, reader, limit, hint, is_for_everybody=is_for_everybody)


def board_story(table: Table, reader: Seat) -> Story:
    """Return the story below a turn's board, which mentions ``reader`` and which everybody reads."""
    hint = f"-# There is more: {table.names[reader]}, press **{LOG_LABEL}**. Others type `/history`."
    return public_story(table, reader, BOARD_STORY_LENGTH, hint, is_for_everybody=True)


def panel_story(table: Table, seat: Seat, lines: Sequence[LogLine], row_count: int) -> Story:
    """Return the story of ``lines`` above a panel's choices; ``row_count``: in how many rows these stand."""
    limit = BOARD_STORY_LENGTH if row_count <= _FEW_ROWS else PRIVATE_STORY_LENGTH
    return make_story(table, lines, seat, limit)


@guarded
def turn_story(
    table: Table, turn: Turn, limit: int = TURN_STORY_LENGTH, lines: Sequence[LogLine] | None = None
) -> Story:
    """Return the whole story of a turn; if it is too long, its start and end, gains, losses, changed rules.

    ``lines``: its log as the reader may know it; None: as everybody may.
    """
    turn_lines = table.log_lines(turn.start, turn.end) if lines is None else lines
    shown_lines = [
        ShortenableLine(sentences)
        for line in condense(turn_lines, table.names_at)
        for sentences in line.narration.lines
    ]
    return _fit_turn_story(shown_lines, limit)


def condensed_texts(table: Table, lines: Sequence[LogLine]) -> list[str]:
    """Return log lines as a story tells them, whole (``condense``)."""
    return [line.text for line in condense(lines, table.names_at)]


def _fit_turn_story(lines: Sequence[ShortenableLine], limit: int) -> Story:
    """Return the lines of a turn in at most ``limit`` characters.

    If they are too long, lines become their main sentences, then whole lines go, those in the middle first,
    but those with gains or losses later, and changes of rules last.
    """
    kept_indexes = {*range(len(lines))}

    def quoted() -> str:
        return quote_kept([line.text for line in lines], kept_indexes)

    if len(whole_text := quoted()) <= limit:
        return Story(whole_text)
    for line in lines:
        if len(quoted()) > limit:
            line.keep_main_sentences()
    last = len(lines) - 1

    def importance(i: int) -> tuple[bool, bool, int]:
        line = lines[i]
        return line.tells(SentenceKind.RULE_CHANGE), line.tells(SentenceKind.GAIN_OR_LOSS), -min(i, last - i)

    for i in sorted(range(1, last), key=importance):
        if len(quoted()) <= limit:
            break
        kept_indexes.remove(i)
    for i in kept_indexes:
        if len(quoted()) > limit:
            lines[i].shorten_to(limit // len(kept_indexes) - len("> \n") - len(OMISSION_LINE))
    return Story(quoted(), is_shortened=True)


@guarded
def make_story(
    table: Table,
    lines: Sequence[LogLine],
    reader: Seat,
    limit: int,
    hint: str = LOG_HINT,
    *,
    is_for_everybody: bool = False,
) -> Story:
    """Return the story of ``lines`` for a reader, in at most ``limit`` characters.

    First comes the set-up, then the turns that affected the reader more than everybody, whole, so that no
    effect stands above its cause; then the rest, then the reader's running turn, each in the order of play.
    The turns of others stand together with two players, since they tell of one turn, and where none comes
    first.  If the story is too long, what did not affect the reader is shortened first, older lines before
    newer ones; sentences that change the rules stay longest (``Importance``).
    ``hint``: the last line of a story that was shortened; ``is_for_everybody``: it names the reader, and
    keeps the running turn longest, which goes first where only its player reads of it.
    """
    assert table.match is not None
    history = table.match.history
    own_turn = running_turn(history, reader) if reader == table.match.to_act else None
    own_start = len(history) if own_turn is None else own_turn.start
    newest_turn_of_others = newest_turn(history, own_start)
    newest_start = own_start if newest_turn_of_others is None else newest_turn_of_others.start
    has_named_pieces = table.game.words.has_pieces_named_by_seat
    pieces = rf"{SEAT_LETTERS[reader]}\d+" if has_named_pieces else "(?!)"  # matches nothing
    pieces_pattern = re.compile(rf"(?<!\w){pieces}(?!\w)")
    reader_pattern = re.compile(rf"(?<!\w)(?:{re.escape(table.names[reader])}|{pieces})(?!\w)")

    def is_of_own_turn(line: LogLine) -> bool:
        return line.index >= own_start

    lines = with_seat_changes(table, lines, None if is_for_everybody else reader)
    lines = condense(lines, table.names_at, is_of_own_turn)
    seat_start = first_own_index(table, reader)
    concerns = [
        _concern_of(line, reader, seat_start, own_start, len(table.seats), pieces_pattern) for line in lines
    ]
    sections = _sections_of(lines, concerns, history, reader, keeps_order=len(table.seats) == 2)

    def recency_of(line: LogLine) -> Recency:
        if is_of_own_turn(line) and is_for_everybody:
            return Recency.RUNNING
        # in the reader's own turn others can only resign
        is_of_others = not is_of_own_turn(line) or line.actor not in {reader, CHANCE}
        return Recency.NEWEST if line.index >= newest_start and is_of_others else Recency.OLDER

    recencies = [recency_of(line) for line in lines]
    reader_word = table.names[reader] if is_for_everybody else "you"
    story = ShortenableStory(
        lines, concerns, sections, recencies, reader_pattern=reader_pattern, reader_word=reader_word
    )
    return story.shortened_to(limit, hint)


def with_seat_changes(
    table: Table, lines: Sequence[LogLine], reader: Seat | None = None
) -> tuple[LogLine, ...]:
    """Return log lines with one more for each change of a seat's player since the first of them.

    Changes of the seat ``reader`` are left out.
    """
    changes: list[LogLine] = []
    for seat, row in enumerate(table.seats):
        names = [escape_markup(name) for name in (*(each.name for each in row.earlier_players), row.name)]
        changes += (
            # after the last record of the earlier player
            LogLine(
                earlier.end_index - 1,
                Seat(seat),
                narration([f"{later_name} takes seat {SEAT_LETTERS[seat]} from {name}."]),
            )
            for earlier, (name, later_name) in zip(row.earlier_players, pairwise(names), strict=True)
            if seat != reader and lines and earlier.end_index >= lines[0].index
        )
    return tuple(sorted((*lines, *changes), key=lambda line: line.index))


def _concern_of(
    line: LogLine,
    reader: Seat,
    seat_start: int,
    own_start: int,
    seat_count: int,
    pieces_pattern: re.Pattern[str],
) -> StoryConcern:
    """Return whom a line concerns; ``seat_start``: what was before did not affect the present player.

    ``pieces_pattern``: finds the reader's pieces.  What affected all players and names one of these affected
    the reader more: an attack on the reader may begin with a leech on another player.
    """
    if line.index >= own_start:
        return StoryConcern.OWN_TURN
    if reader not in line.affected_seats or line.index < seat_start:
        return StoryConcern.OTHERS
    if len(line.affected_seats) < seat_count:
        return StoryConcern.AFFECTED_READER
    first_line, *_ = line.narration.lines
    if pieces_pattern.search(line_text(first_line)):
        return StoryConcern.AFFECTED_READER
    return StoryConcern.AFFECTED_EVERYBODY


def _sections_of(
    lines: Sequence[LogLine],
    concerns: Sequence[StoryConcern],
    history: Sequence[Record],
    reader: Seat,
    *,
    keeps_order: bool,
) -> list[StorySection]:
    """Return the section of each line; ``keeps_order``: only the own turn stands apart.

    A forced choice of the reader, played in another player's turn, is nothing that this turn did to them.
    """
    turns = turns_from(history, lines[0].index) if lines else ()
    turn_starts = [turn.start for turn in turns]
    turn_numbers = [bisect_right(turn_starts, line.index) for line in lines]
    affecting_turns: set[int] = set()
    if not keeps_order:
        affecting_turns = {
            number
            for number, concern, line in zip(turn_numbers, concerns, lines, strict=True)
            if concern is StoryConcern.AFFECTED_READER and line.actor != reader
        }
    return [
        StorySection.OWN_TURN
        if concern is StoryConcern.OWN_TURN
        else StorySection.SETUP
        if not number  # before the first turn
        else StorySection.AFFECTED
        if number in affecting_turns
        else StorySection.REST
        for number, concern in zip(turn_numbers, concerns, strict=True)
    ]
