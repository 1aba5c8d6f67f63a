"""The words of a typed text, as they are written in notation and as they were typed."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Final, NamedTuple

_APOSTROPHES: Final = "\u2018\u2019\u201a\u2032\u02bc\u00b4`"
_QUOTATION_MARKS: Final = "\u201c\u201d\u201e\u2033\u00ab\u00bb"
PUNCTUATION: Final = f".,:;!?…\"'(){_APOSTROPHES}{_QUOTATION_MARKS}"
"""What may stand around a word and is no part of it."""
ARTICLES: Final = frozenset(("a", "the"))
LINKING_WORDS: Final = ARTICLES | {"and", "at", "for", "from", "in", "of", "on", "to", "with"}
"""What links the words of a sentence, whether or not a move has it."""
_PLAIN_SIGNS: Final[Mapping[int, str | None]] = {
    **dict.fromkeys(map(ord, _APOSTROPHES), "'"),
    **dict.fromkeys(map(ord, _QUOTATION_MARKS), '"'),
    ord("\ufe0f"): None,  # behind a sign that is to look like an emoji
}
"""What stands for a sign that phones write in place of a plain one, as ``str.translate`` takes it."""


class TypedWords(NamedTuple):
    """The words of a text; those at the same index belong together."""

    written: list[str]
    """As they are written in notation: "JC" for "jack of clubs"."""
    typed: list[str]


class TypedTextReader:
    """Puts what signs and phrases stand for in their places."""

    def __init__(self, texts_by_sign: Mapping[str, str], texts_by_phrase: Mapping[str, str]) -> None:
        """Index a game's ``typed_signs`` and ``typed_phrases``."""
        self._texts_by_sign = {**_PLAIN_SIGNS, **{ord(sign): text for sign, text in texts_by_sign.items()}}
        self._texts_by_phrase = {tuple(phrase.split()): text for phrase, text in texts_by_phrase.items()}
        self._phrase_sizes = sorted({len(phrase) for phrase in self._texts_by_phrase}, reverse=True)
        self._phrase_beginnings = {phrase[0] for phrase in self._texts_by_phrase}

    @cached_property
    def words_by_text(self) -> Mapping[str, AbstractSet[str]]:
        """The words of all phrases, by what these stand for."""
        words_by_text: dict[str, set[str]] = {}
        for phrase, text in self._texts_by_phrase.items():
            words_by_text.setdefault(text, set()).update(phrase)
        return words_by_text

    def read(self, text: str) -> TypedWords:
        """Return the words of a text; a sign without a meaning of its own, as phones type it, is none."""
        words = text.split()
        plain_words = tuple(word.strip(PUNCTUATION).casefold() for word in words)
        read_words, i = TypedWords([], []), 0
        while i < len(words):
            sizes = self._phrase_sizes if plain_words[i] in self._phrase_beginnings else ()
            ends = (i + size for size in sizes)
            end = next((end for end in ends if plain_words[i:end] in self._texts_by_phrase), i + 1)
            typed = " ".join(words[i:end])
            written = self._texts_by_phrase.get(plain_words[i:end]) or typed.translate(self._texts_by_sign)
            if written:
                read_words.written.append(written)
                read_words.typed.append(typed)
            i = end
        return read_words


def is_part(typed: str, label: str) -> bool:
    """Whether typed words, of which not all are numbers, stand in a label in their order."""
    typed_words = _words_as_typed(typed)
    return not all(map(_has_digit, typed_words)) and is_subsequence(typed_words, _words_as_typed(label))


def holds_numbers(typed: str, label: str) -> bool:
    """Whether all numbers of a label are typed, in their order."""
    typed_numbers, numbers = (tuple(filter(_has_digit, _words_as_typed(text))) for text in (typed, label))
    return is_subsequence(numbers, typed_numbers)


def is_question(typed: str) -> bool:
    """Whether a question mark stands at the end of a typed text."""
    return "?" in typed[len(typed.rstrip(f" {PUNCTUATION}")) :]


def is_subsequence(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether all words of a part stand in the whole, in their order."""
    rest = iter(whole)
    return all(word in rest for word in part)


def plain_word(typed: str) -> str:
    """Return a typed word without case and punctuation; empty if nothing is left."""
    return typed.translate(_PLAIN_SIGNS).casefold().strip(PUNCTUATION)


def _words_as_typed(text: str) -> tuple[str, ...]:
    """Return the words of a label or a typed text without case and punctuation."""
    return tuple(filter(None, map(plain_word, text.split())))


def _has_digit(word: str) -> bool:
    return any(map(str.isdecimal, word))
