"""Takes narrations apart: which sentences matter most, which go first, which list what was done."""

import re
from collections.abc import Sequence
from typing import Final

from rules.model import Names
from rules.text import shortened

OMISSION_MARK: Final = "…"
"""Stands where sentences or lines are left out."""
_JOINT_PATTERN: Final = re.compile(r" and |[,:\n]")
"""Finds where a sentence goes on after its object, or holds a list already."""


class SentenceParser:
    """Finds the sentences of one table's stories and what they tell; names of players count as no words."""

    def __init__(
        self,
        names: Names = (),
        ceremony_words: Sequence[str] = (),
        gain_or_loss_words: Sequence[str] = (),
        reader_pattern: re.Pattern[str] | None = None,
        *,
        detail_words: Sequence[str] = (),
        joinable_verbs: Sequence[str] = (),
        rule_change_words: Sequence[str] = (),
    ) -> None:
        """``reader_pattern``: finds the reader's name or pieces in a sentence.

        The words are those of ``rules.words.Words`` of the same names.
        """
        self._name_pattern = _words_pattern(sorted(names, key=len, reverse=True))
        self._detail_pattern = _words_pattern(detail_words)
        self._joinable_verbs_pattern = _words_pattern(joinable_verbs)
        self._ceremony_pattern = _words_pattern(ceremony_words)
        self._gain_or_loss_pattern = _words_pattern(gain_or_loss_words)
        self._rule_change_pattern = _words_pattern(rule_change_words)
        self._reader_pattern = reader_pattern

    def is_about_reader(self, text: str) -> bool:
        """Whether the reader's name or pieces are found in a text."""
        return self._reader_pattern is not None and self._reader_pattern.search(text) is not None

    def tells_gain_or_loss(self, text: str) -> bool:
        """Whether a text says what was gained or lost (``Words.gain_or_loss_words``)."""
        return _has_words(self._gain_or_loss_pattern, self._masked(text))

    def tells_rule_change(self, text: str) -> bool:
        """Whether a text says how the rules change for the rest of the game (``Words.rule_change_words``)."""
        return _has_words(self._rule_change_pattern, self._masked(text))

    def without_ceremony(self, text: str) -> str:
        """Return a narration without the sentences that only say how a turn goes on; may be empty."""
        lines = (
            " ".join(
                each
                for each in self.sentences(line)
                if not _has_words(self._ceremony_pattern, self._masked(each))
            )
            for line in text.splitlines()
        )
        return "\n".join(line for line in lines if line)

    def has_only_details(self, line: str) -> bool:
        """Whether all sentences of a line say what a picture shows (``Words.detail_words``)."""
        return not any(self._kept_without_details(self.sentences(line)))

    def without_details(self, line: str) -> str:
        """Return a line with a mark in place of the sentences that say what a picture shows."""
        sentences = self.sentences(line)
        return min(_kept_text(sentences, self._kept_without_details(sentences)), line, key=len)

    def _kept_without_details(self, sentences: Sequence[str]) -> list[bool]:
        return [not _has_words(self._detail_pattern, self._masked(each)) for each in sentences]

    def split_at_object(self, sentence: str) -> tuple[str, str] | None:
        """Return a sentence up to its verb, and its object, if others may be listed after that object.

        None: it has no such verb (``Words.joinable_verbs``), or says more than what that verb was done to.
        """
        match = self._joinable_verbs_pattern and self._joinable_verbs_pattern.search(self._masked(sentence))
        if not match or not sentence.endswith("."):
            return None
        item = sentence[match.end() : -1].strip()
        return None if _JOINT_PATTERN.search(item) else (sentence[: match.end()], item)

    def main_sentences(self, text: str, *, for_reader: bool = False) -> str:
        """Return the first sentence of a narration and of each announcement, and those with gains or losses.

        A mark stands where others are left out.  ``for_reader``: later sentences about the reader stay, too.
        """
        lines = []
        for line in text.splitlines():
            sentences = self.sentences(line)
            kept_flags = [
                i == 0 or self.tells_gain_or_loss(each) or (for_reader and self.is_about_reader(each))
                for i, each in enumerate(sentences)
            ]
            lines.append(min(_kept_text(sentences, kept_flags), line, key=len))
        return "\n".join(lines)

    def most_important_sentences(self, line: str, limit: int) -> str:
        """Return of a line what has room in ``limit`` characters, with a mark where something is left out.

        Later sentences go before the first, gains and losses after others, and those about the reader last.
        If even one is too long, it ends after a whole word.
        """
        sentences = self.sentences(line)
        kept_flags = [True] * len(sentences)
        by_importance = sorted(
            range(len(sentences)),
            key=lambda i: (self.is_about_reader(sentences[i]), self.tells_gain_or_loss(sentences[i]), i == 0),
        )
        for i in by_importance[:-1]:
            if len(_kept_text(sentences, kept_flags)) <= limit:
                break
            kept_flags[i] = False
        return _shortened_after_word(_kept_text(sentences, kept_flags), limit)

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a line, at least one; a name like "J. R." ends no sentence."""
        ends = [match.start() + 1 for match in re.finditer(r"\. ", self._masked(text))]
        starts = [0, *(end + 1 for end in ends)]
        return [text[start:end] for start, end in zip(starts, [*ends, len(text)], strict=True)]

    def _masked(self, text: str) -> str:
        """Return a text of the same length without the names of players."""
        return self._name_pattern.sub(lambda name: "x" * len(name[0]), text) if self._name_pattern else text


def _kept_text(sentences: Sequence[str], kept_flags: Sequence[bool]) -> str:
    """Return the sentences that are kept, with a mark where others are left out."""
    parts: list[str] = []
    for sentence, is_kept in zip(sentences, kept_flags, strict=True):
        if is_kept:
            parts.append(sentence)
        elif parts[-1:] != [OMISSION_MARK]:
            parts.append(OMISSION_MARK)
    return " ".join(parts)


def _shortened_after_word(text: str, limit: int) -> str:
    """Return at most ``limit`` characters of a text, with a mark after the last word that has room."""
    if len(text) <= limit:
        return text
    words, _, _ = text[: limit - len(OMISSION_MARK)].rpartition(" ")
    return f"{words} {OMISSION_MARK}" if words else shortened(text, limit)


def _words_pattern(words: Sequence[str]) -> re.Pattern[str] | None:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)") if words else None


def _has_words(pattern: re.Pattern[str] | None, text: str) -> bool:
    return pattern is not None and pattern.search(text) is not None
