"""A story that can be shortened: what goes first, what stays longest, and marks of what is left out."""

import enum
import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final

import msgspec

from bot.chat.quotations import mark_omission, quote
from bot.chat.shortenable_line import ShortenableLine
from rules.narration import Sentence, SentenceKind
from rules.record import LogLine

_MIN_LINE_LENGTH: Final = 20
"""The fewest characters that are left of the one line which no story leaves out."""
_REST_HEADING: Final = "**What else happened:**"
_OWN_HEADING: Final = "**This turn so far:**"


class Story(msgspec.Struct, frozen=True):
    """A story as it is shown; ``is_shortened``: something was left out, and its last line says so."""

    text: str
    is_shortened: bool = False


NO_STORY: Final = Story("")


class StoryConcern(enum.IntEnum):
    """Whom the lines of a story concern, in the order in which they are shortened."""

    OWN_TURN = 0
    """The reader's running turn."""
    OTHERS = 1
    """What did not affect the reader."""
    AFFECTED_EVERYBODY = 2
    AFFECTED_READER = 3
    """What affected the reader, but not everybody."""


class Recency(enum.IntEnum):
    """Of which turn the lines of a story tell, in the order in which they are shortened."""

    OLDER = 0
    """Also the reader's running turn, in a story for the reader alone."""
    NEWEST = 1
    """The newest turn of another player, or a move of another player after it."""
    RUNNING = 2
    """The running turn, in a story for everybody."""


class Importance(enum.IntEnum):
    """How long the lines of a story stay in it: none is left out while one of less importance is there."""

    ROUTINE = 0
    """What every turn has, and details that a picture shows."""
    OLDER = 1
    """Also the reader's running turn, in a story for the reader alone."""
    NEWEST = 2
    """The newest turn of another player."""
    AFFECTED_READER = 3
    """Also announcements that affected everybody."""
    RUNNING = 4
    """The running turn, in a story for everybody."""
    RULE_CHANGE = 5


class StorySection(enum.Enum):
    """The sections of a story, in their order."""

    SETUP = enum.auto()
    """What happened before the first turn."""
    AFFECTED = enum.auto()
    """The turns that affected the reader, but not everybody."""
    REST = enum.auto()
    """The other turns."""
    OWN_TURN = enum.auto()


class _StoryLine(ShortenableLine):
    """One line of a story, with its place in it."""

    position: int
    """Its place in the whole story."""

    def __init__(
        self,
        sentences: Sequence[Sentence],
        reader_pattern: re.Pattern[str] | None,
        log_line: LogLine,
        concern: StoryConcern,
        section: StorySection,
        recency: Recency,
        *,
        is_announcement: bool,
    ) -> None:
        """``log_line``: of which it is a line.

        ``is_announcement``: whether it stands below the first one, as the scores of a round (``Narration``).
        """
        super().__init__(sentences, reader_pattern)
        self.record_index = log_line.index
        self.concern = concern
        self.section = section
        self.recency = recency
        self.is_announcement = is_announcement
        self.importance = Importance.ROUTINE if log_line.is_routine else self._importance()

    def _importance(self) -> Importance:
        """Return the importance of a line that is not of a routine record."""
        if self.has_only_details:
            return Importance.ROUTINE
        if self.tells(SentenceKind.RULE_CHANGE):
            return Importance.RULE_CHANGE
        if self.recency is Recency.RUNNING:
            return Importance.RUNNING
        concerns_reader = self.is_announcement or self.is_about_reader
        if self.concern is StoryConcern.AFFECTED_READER or (
            self.concern is StoryConcern.AFFECTED_EVERYBODY and concerns_reader
        ):
            return Importance.AFFECTED_READER
        return Importance.NEWEST if self.recency is Recency.NEWEST else Importance.OLDER


class ShortenableStory:
    """A story that can be shortened.

    Of lines of one importance the oldest go first, those with gains or losses later, and announcements after
    them; before a line goes, all of its kind become their main sentences.  What affected the reader also
    keeps its sentences with the reader's name or pieces.
    """

    def __init__(
        self,
        lines: Sequence[LogLine],
        concerns: Sequence[StoryConcern],
        sections: Sequence[StorySection],
        recencies: Sequence[Recency],
        *,
        reader_pattern: re.Pattern[str] | None = None,
        reader_word: str = "you",
    ) -> None:
        """``reader_pattern``: finds the reader's name or pieces in a sentence."""
        self._lines = [
            _StoryLine(sentences, reader_pattern, log_line, concern, section, recency, is_announcement=i > 0)
            for log_line, concern, section, recency in zip(lines, concerns, sections, recencies, strict=True)
            for i, sentences in enumerate(log_line.narration.lines)
        ]
        for position, line in enumerate(self._lines):
            line.position = position
        self._removed_positions: dict[StorySection, list[int]] = {section: [] for section in StorySection}
        self._affected_heading = f"**What affected {reader_word}:**"

    def shortened_to(self, limit: int, hint: str) -> Story:
        """Return the story in at most ``limit`` characters; ``hint``: its last line if it was shortened."""
        text = self._text()
        if len(text) <= limit:
            return Story(text)
        limit -= len(hint) + 1
        lines = self._lines_in_order_of_removal()
        last_line = lines[-1]
        routine_lines = [line for line in lines[:-1] if line.importance is Importance.ROUTINE]
        self._remove_lines(routine_lines, limit)
        lines = lines[len(routine_lines) :]
        self._shorten_lines(lines, limit, ShortenableLine.leave_out_details)
        for _, group in groupby(lines, key=_stage):
            stage_lines = list(group)
            self._shorten_lines(stage_lines, limit, _keep_main_sentences)
            self._remove_lines([line for line in stage_lines if line is not last_line], limit)
        if (excess := len(self._text()) - limit) > 0:
            last_line.shorten_to(max(len(last_line.text) - excess, _MIN_LINE_LENGTH))
        return Story(f"{self._text()}\n{hint}", is_shortened=True)

    def _lines_in_order_of_removal(self) -> list[_StoryLine]:
        """Return the lines, the first to go first.

        The last is of the newest record of the most important lines if these are more than what others did.
        """
        newest_line = max(self._lines, key=lambda line: (line.importance, line.record_index))
        kept_line = newest_line if newest_line.importance >= Importance.AFFECTED_READER else None
        return sorted(
            self._lines,
            key=lambda line: (
                line is kept_line,
                line.importance,
                line.recency,
                line.is_announcement,
                line.concern,
                line.is_about_reader,
                line.tells(SentenceKind.GAIN_OR_LOSS),
            ),
        )

    def _shorten_lines(
        self, lines: Sequence[_StoryLine], limit: int, shorten: Callable[[_StoryLine], None]
    ) -> None:
        """Shorten lines, one after the other, until the story fits."""
        excess = len(self._text()) - limit
        for line in lines:
            if excess <= 0:
                break
            excess -= len(line.text)
            shorten(line)
            excess += len(line.text)

    def _remove_lines(self, lines: Sequence[_StoryLine], limit: int) -> None:
        """Remove lines, one after the other, until the story fits."""
        excess = len(self._text()) - limit
        for line in lines:
            if excess <= 0:
                break
            self._lines.remove(line)
            self._removed_positions[line.section].append(line.position)
            excess -= len(quote(line.text)) + 1
            if excess <= 0 or not self._lines_in(line.section):  # headings may go with a section
                excess = len(self._text()) - limit  # with the marks of what is left out

    def _lines_in(self, section: StorySection) -> list[_StoryLine]:
        return [line for line in self._lines if line.section is section]

    def _text(self) -> str:
        with_headings = bool(self._lines_in(StorySection.AFFECTED)) and bool(
            self._lines_in(StorySection.REST)
        )
        lines: list[str] = []
        for heading, section in (
            ("", StorySection.SETUP),
            (self._affected_heading if with_headings else "", StorySection.AFFECTED),
            (_REST_HEADING if with_headings else "", StorySection.REST),
            (_OWN_HEADING if self._lines_in(StorySection.OWN_TURN) else "", StorySection.OWN_TURN),
        ):
            lines += [heading] if heading else []
            self._append_section(lines, section)
        return "\n".join(lines)

    def _append_section(self, lines: list[str], section: StorySection) -> None:
        """Append the lines of a section as quotations, with a mark where others of them were removed."""
        removed = sorted(self._removed_positions[section])
        next_removed = 0
        for line in self._lines_in(section):
            if next_removed < len(removed) and removed[next_removed] < line.position:
                mark_omission(lines)
                next_removed = bisect_right(removed, line.position)
            lines.append(quote(line.text))
        if next_removed < len(removed):
            mark_omission(lines)


def _stage(line: _StoryLine) -> tuple[object, ...]:
    """Return what lines have in common that are shortened together before the first of them goes."""
    if line.importance > Importance.OLDER:
        return (line.importance,)
    return line.importance, line.is_announcement, line.concern


def _keep_main_sentences(line: _StoryLine) -> None:
    line.keep_main_sentences(for_reader=line.concern >= StoryConcern.AFFECTED_EVERYBODY)
