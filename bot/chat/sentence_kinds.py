"""Which sentences of a story matter most: outcomes, what concerns its reader; and which are ceremony."""

import re
from collections.abc import Sequence

from rules.game import Names


class SentenceKinds:
    """Tells the sentences of one table's stories apart; names of players count as no words."""

    def __init__(
        self,
        names: Names = (),
        ceremony_words: Sequence[str] = (),
        outcome_words: Sequence[str] = (),
        reader_pattern: re.Pattern[str] | None = None,
    ) -> None:
        """``reader_pattern``: finds the reader's name or pieces in a sentence."""
        self._names = sorted(names, key=len, reverse=True)
        self._ceremony_pattern = _words_pattern(ceremony_words)
        self._outcome_pattern = _words_pattern(outcome_words)
        self._reader_pattern = reader_pattern

    def is_about_reader(self, text: str) -> bool:
        """Whether the reader's name or pieces are found in a text."""
        return self._reader_pattern is not None and self._reader_pattern.search(text) is not None

    def tells_outcome(self, text: str) -> bool:
        """Whether a text says what was gained or lost (``Words.outcome_words``)."""
        return _has_words(self._outcome_pattern, self._masked(text))

    def without_ceremony(self, text: str) -> str:
        """Return a narration without the sentences that only say how a turn goes on; may be empty."""
        lines = (
            " ".join(
                each
                for each in self._sentences(line)
                if not _has_words(self._ceremony_pattern, self._masked(each))
            )
            for line in text.splitlines()
        )
        return "\n".join(line for line in lines if line)

    def main_sentences(self, text: str, *, for_reader: bool = False) -> str:
        """Return the first sentence of a narration and of each headline below it, and those with outcomes.

        ``for_reader``: later sentences about the reader stay, too.
        """
        lines = []
        for line in text.splitlines():
            first_sentence, *later_sentences = self._sentences(line)
            kept_sentences = (
                each
                for each in later_sentences
                if self.tells_outcome(each) or (for_reader and self.is_about_reader(each))
            )
            lines.append(" ".join([first_sentence, *kept_sentences]))
        return "\n".join(lines)

    def _sentences(self, text: str) -> list[str]:
        """Return the sentences of a line, at least one; a name like "J. R." ends no sentence."""
        ends = [match.start() + 1 for match in re.finditer(r"\. ", self._masked(text))]
        starts = [0, *(end + 1 for end in ends)]
        return [text[start:end] for start, end in zip(starts, [*ends, len(text)], strict=True)]

    def _masked(self, text: str) -> str:
        """Return a text of the same length without the names of players."""
        for name in self._names:
            text = text.replace(name, "x" * len(name))
        return text


def _words_pattern(words: Sequence[str]) -> re.Pattern[str] | None:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)") if words else None


def _has_words(pattern: re.Pattern[str] | None, text: str) -> bool:
    return pattern is not None and pattern.search(text) is not None
