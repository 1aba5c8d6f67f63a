"""A line of a story that can be shortened: sentences are left out, with a mark where they stood."""

import re
from collections.abc import Sequence
from typing import Final

from bot.chat.quotations import OMISSION_MARK
from rules.narration import Sentence, SentenceKind, line_text
from rules.text import shortened

_MAIN_KINDS: Final = frozenset({SentenceKind.GAIN_OR_LOSS, SentenceKind.RULE_CHANGE})
"""The kinds of later sentences that stay beside the first one."""


class ShortenableLine:
    """A line of a story; ``text`` is what is left of it."""

    def __init__(self, sentences: Sequence[Sentence], reader_pattern: re.Pattern[str] | None = None) -> None:
        """``reader_pattern``: finds the reader's name or pieces in a sentence."""
        self._sentences = sentences
        self._kept_flags = [True] * len(sentences)
        self._reader_pattern = reader_pattern
        self.text = line_text(sentences)

    def tells(self, kind: SentenceKind) -> bool:
        """Whether one of its sentences, left out or not, is of a kind."""
        return any(sentence.kind is kind for sentence in self._sentences)

    @property
    def is_about_reader(self) -> bool:
        """Whether the reader's name or pieces are found in what is left."""
        return self._finds_reader(self.text)

    @property
    def has_only_details(self) -> bool:
        """Whether all of its sentences say what a picture shows."""
        return all(sentence.kind is SentenceKind.DETAIL for sentence in self._sentences)

    def leave_out_details(self) -> None:
        """Leave out the sentences that say what a picture shows."""
        self._keep_only([sentence.kind is not SentenceKind.DETAIL for sentence in self._sentences])

    def keep_main_sentences(self, *, for_reader: bool = False) -> None:
        """Leave out all but the first sentence and those with gains, losses or changes of rules.

        ``for_reader``: later sentences about the reader stay, too.
        """
        self._keep_only(
            [
                i == 0 or sentence.kind in _MAIN_KINDS or (for_reader and self._finds_reader(sentence.text))
                for i, sentence in enumerate(self._sentences)
            ]
        )

    def shorten_to(self, limit: int) -> None:
        """Leave out what has no room in ``limit`` characters.

        Later sentences go before the first, gains and losses after others, then those about the reader, and
        changes of rules last.  If even one is too long, it ends after a whole word.
        """
        kept_indexes = [i for i, is_kept in enumerate(self._kept_flags) if is_kept]

        def importance(i: int) -> tuple[bool, bool, bool, bool]:
            sentence = self._sentences[i]
            is_rule_change = sentence.kind is SentenceKind.RULE_CHANGE
            is_gain_or_loss = sentence.kind is SentenceKind.GAIN_OR_LOSS
            return is_rule_change, self._finds_reader(sentence.text), is_gain_or_loss, i == 0

        for i in sorted(kept_indexes, key=importance)[:-1]:
            if len(self.text) <= limit:
                break
            self._kept_flags[i] = False
            self.text = self._text_of(self._kept_flags)
        self.text = _shortened_after_word(self.text, limit)

    def _keep_only(self, flags: Sequence[bool]) -> None:
        """Leave out sentences that are not flagged, unless the marks would take more room than these."""
        kept_flags = [is_kept and flag for is_kept, flag in zip(self._kept_flags, flags, strict=True)]
        text = self._text_of(kept_flags)
        if len(text) < len(self.text):
            self._kept_flags, self.text = kept_flags, text

    def _text_of(self, kept_flags: Sequence[bool]) -> str:
        """Return the sentences that are kept, with a mark where others are left out."""
        parts: list[str] = []
        for sentence, is_kept in zip(self._sentences, kept_flags, strict=True):
            if is_kept:
                parts.append(sentence.text)
            elif parts[-1:] != [OMISSION_MARK]:
                parts.append(OMISSION_MARK)
        return " ".join(parts)

    def _finds_reader(self, text: str) -> bool:
        return self._reader_pattern is not None and self._reader_pattern.search(text) is not None


def _shortened_after_word(text: str, limit: int) -> str:
    """Return at most ``limit`` characters of a text, with a mark after the last word that has room."""
    if len(text) <= limit:
        return text
    words, _, _ = text[: limit - len(OMISSION_MARK)].rpartition(" ")
    return f"{words} {OMISSION_MARK}" if words else shortened(text, limit)
