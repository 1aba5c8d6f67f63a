"""Typed words as values of the fields of an action: as notation writes them, or as texts name them."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from rules.game import AnyGame
from rules.notation import ABSENT_MARK, BOOL_WORDS, ITEM_SEPARATOR, Field, Notation
from rules.typed_text import PUNCTUATION, is_subsequence

_MAX_WORDS_OF_FIELDS: Final = 12
"""The most words behind a verb that are split into the values of its fields: there are many ways to."""
_MAX_CACHED_TEXTS: Final = 2048
"""Of a game.  Labels and buttons of a large position are some 800, most of which the next one has too."""
_MAX_CACHED_LENGTH: Final = 200
"""The most letters of a text that is kept: a typed one may have thousands."""
_MAX_CACHED_READINGS: Final = 256
"""Of a game: those of the words typed last."""
_MAX_CACHED_GAMES: Final = 16
"""More than are registered."""
_AND: Final = "and"
"""May stand between the items of a list."""

PlainWords: TypeAlias = tuple[str, ...]
"""The words of a text: without case, accents and punctuation, with what signs and phrases stand for."""


class _ValueWords(NamedTuple):
    """What the values of a field are called."""

    named: Mapping[str, PlainWords]
    """The words of their names, by how the values are written."""
    written: Mapping[str, PlainWords]
    """The words of what is written; empty for a field of any text or number."""
    known: frozenset[str]
    """All of these words."""


class ValueReader:
    """Reads the values of the fields of one game's actions."""

    def __init__(self, notation: Notation) -> None:
        """``notation``: of the game."""
        self._notation = notation
        self._words_by_field: dict[Field, _ValueWords] = {}
        self._split_short_text = lru_cache(_MAX_CACHED_TEXTS)(self._split_text)
        self.read_value: Callable[[Field, PlainWords], Sequence[str]] = lru_cache(_MAX_CACHED_READINGS)(
            self._find_values
        )
        """Returns the values of a field that words name, in full or else in part, or write."""

    def words_of(self, text: str) -> PlainWords:
        """Return the words of a text."""
        return self._split_short_text(text) if len(text) <= _MAX_CACHED_LENGTH else self._split_text(text)

    def _split_text(self, text: str) -> PlainWords:
        """Return the words of a text.  A word without letters and digits, such as an arrow, is none."""
        plain = self._notation.replace_signs(text).casefold()
        if not plain.isascii():
            decomposed = unicodedata.normalize("NFD", plain)
            plain = "".join(each for each in decomposed if not unicodedata.combining(each))
        return tuple(word.strip(PUNCTUATION) for word in plain.split() if any(map(str.isalnum, word)))

    def read_fields(self, fields: Sequence[Field], words: PlainWords) -> list[str]:
        """Return how words that name or write the values of fields, in order, may be written in notation.

        The longest names are taken first.
        """
        if not fields or len(words) > _MAX_WORDS_OF_FIELDS:
            return [] if words else [""]
        field, *others = fields
        for size in range(len(words), 0, -1):
            values = self.read_value(field, words[:size])
            rests = self.read_fields(others, words[size:]) if values else []
            if rests:
                return [f"{value} {rest}".strip() for value in values for rest in rests]
        if not field.is_optional and field.kind is not bool:
            return []
        left_out = ABSENT_MARK if field.is_optional else field.write(False)  # noqa: FBT003
        return [f"{left_out} {rest}".strip() for rest in self.read_fields(others, words)]

    def _find_values(self, field: Field, words: PlainWords) -> Sequence[str]:
        values = self._find_single_values(field, words)
        return values if values or not field.is_tuple else self._find_lists(field, words)

    def _find_lists(self, field: Field, words: PlainWords) -> Sequence[str]:
        """Return the lists that words name item by item, with "and" between them or without."""
        for size in range(len(words) - 1, 0, -1):
            items = self._find_single_values(field, words[:size])
            others = words[size:][words[size] == _AND :]
            rests = self._find_values(field, others) if len(items) == 1 and others else []
            if rests:
                return [f"{items[0]}{ITEM_SEPARATOR}{rest}" for rest in rests]
        return []

    def _find_single_values(self, field: Field, words: PlainWords) -> Sequence[str]:
        """Return the values, of a list's field the items, that all the words may name or write."""
        named, written, known = self._value_words(field)
        if written and not known.issuperset(words):
            return []
        fitting = [value for value in written if words in (written[value], named.get(value))]
        fitting = fitting or [value for value, name in named.items() if is_subsequence(words, name)]
        is_free_word = (
            len(words) == 1
            and not self.has_known_values(field)
            and (field.kind is not int or words[0].isdecimal())
            and (field.kind is not bool or words[0] in BOOL_WORDS)
        )
        return [words[0].upper()] if is_free_word else fitting

    def read_beginning(self, field: Field, words: PlainWords) -> Sequence[str]:
        """Return the values of a field that some of the first words name or write; the most words count."""
        readings = (self.read_value(field, words[:size]) for size in range(len(words), 0, -1))
        return next(filter(None, readings), [])

    def _value_words(self, field: Field) -> _ValueWords:
        if field not in self._words_by_field:
            named = {value: self.words_of(name) for value, name in self._notation.names_of(field).items()}
            written = {value: self.words_of(value) for value in (*field.written_values, *named)}
            known = frozenset(word for words in (*named.values(), *written.values()) for word in words)
            self._words_by_field[field] = _ValueWords(named, written, known)
        return self._words_by_field[field]

    def known_words(self, field: Field) -> frozenset[str]:
        """Return the words that name or write the values of a field."""
        return self._value_words(field).known

    def has_known_values(self, field: Field) -> bool:
        """Whether it is known what may stand in a field, other than any text or number."""
        return bool(field.written_values or self._notation.names_of(field))


@lru_cache(_MAX_CACHED_GAMES)
def readers_of(game: AnyGame) -> tuple[Notation, ValueReader]:
    """Return what reads the typed words of a game in any position."""
    notation = Notation(game)
    return notation, ValueReader(notation)
