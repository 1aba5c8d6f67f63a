"""Legal moves that hold typed words: what is suggested while somebody types, and what a text may mean."""

import difflib
import itertools
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from rules.model import Action

WORD_PART_PATTERN: Final = re.compile(r"[^\W_]+")
"""What a hyphen, a comma or another mark separates."""

_MIN_SIMILARITY: Final = 0.75
"""From which share of equal letters on, as ``difflib`` measures it, a word may be another one misspelt."""


class MoveWords(NamedTuple):
    """The words with which a legal action may be found."""

    action: Action
    first_words: frozenset[str]
    """Those with which its texts begin."""
    own_words: frozenset[str]
    """Those of its verb and of its values, as they are written or named."""
    words: frozenset[str]
    """These and those of its label and its buttons, which also say what follows."""


class MoveSearch:
    """Finds legal actions by whole words or beginnings of words, in any order.

    Of two numbers none is the beginning of the other: 1 is not 10, but 4 may begin "4d".
    """

    def __init__(self, list_words: Callable[[], Sequence[MoveWords]]) -> None:
        """``list_words`` is called once, when something is looked for."""
        self._list_words = list_words

    @cached_property
    def _move_words(self) -> Sequence[MoveWords]:
        return self._list_words()

    @cached_property
    def _first_words(self) -> frozenset[str]:
        """Those with which a text of any action begins."""
        return frozenset().union(*(each.first_words for each in self._move_words))

    @cached_property
    def _words(self) -> frozenset[str]:
        """Those of all actions."""
        return frozenset().union(*(each.words for each in self._move_words))

    def _held_words(self, typed: str) -> frozenset[str]:
        """Return the words of actions which are the typed one, or begin with it."""
        return frozenset(
            word
            for word in self._words
            if word.startswith(typed)
            and not (typed[-1].isdecimal() and word[len(typed) : len(typed) + 1].isdecimal())
        )

    def find(self, typed: Sequence[str], *, own_words_only: bool = False) -> list[Action]:
        """Return the actions that hold all typed words.

        Whole words come before beginnings, then texts that begin with the first word before the others.
        ``own_words_only``: words that only labels and buttons have do not count.
        """
        meant_words = [self._held_words(word) for word in typed]
        found = [
            (not each.first_words.issuperset(typed[:1]), not words.issuperset(typed), each)
            for each in self._move_words
            for words in [each.own_words if own_words_only else each.words]
            if not any(map(words.isdisjoint, meant_words))
        ]
        return [each.action for *_, each in sorted(found, key=lambda ranked: (ranked[1], ranked[0]))]

    def find_meant(self, typed: Sequence[str]) -> list[Action]:
        """Return the actions that typed words may mean: those that hold the whole words, if there are any."""
        return self.find_whole(typed) or (self.find(typed) if typed else [])

    def find_whole(self, typed: Sequence[str]) -> list[Action]:
        """Return the actions that hold all typed words whole; none without a word."""
        return [each.action for each in self._move_words if typed and each.words.issuperset(typed)]

    def find_with_own_values(self, typed: Sequence[str], value_words: Collection[str]) -> list[Action]:
        """Return the actions that hold all typed words whole, and the values among them as their own.

        Unlike ``find_meant`` it takes no beginning of a word, and no number or word of ``value_words`` that
        only a label or a button says of what follows.
        """
        own = [word for word in typed if word in value_words or any(map(str.isdecimal, word))]
        return [
            each.action
            for each in self._move_words
            if typed and each.words.issuperset(typed) and each.own_words.issuperset(own)
        ]

    def has_own_numbers(self, action: Action, typed: Sequence[str]) -> bool:
        """Whether all typed numbers are an action's own, and none only said by its label of what follows."""
        meant_numbers = [self._held_words(word) for word in typed if word.isdecimal()]
        return any(
            each.action == action and not any(map(each.own_words.isdisjoint, meant_numbers))
            for each in self._move_words
        )

    def find_nearest(self, typed: Sequence[str]) -> list[Action]:
        """Return the actions that hold the most of the typed words; none if no word stands in any.

        A number counts only as an action's own.  If texts of some begin with the first word, these are meant.
        """
        begun = [each for each in self._move_words if each.first_words.issuperset(typed[:1])]
        candidates = begun or self._move_words
        meant_words = [(word.isdecimal(), self._held_words(word)) for word in typed]
        counts = [
            sum(
                not meant.isdisjoint(each.own_words if is_number else each.words)
                for is_number, meant in meant_words
            )
            for each in candidates
        ]
        most = max(counts, default=0)
        pairs = zip(candidates, counts, strict=True)
        return [each.action for each, count in pairs if count == most > 0]

    def is_found(self, word: str) -> bool:
        """Whether a word or the beginning of one stands in any action."""
        return bool(self._held_words(word))

    def most_similar_word(self, typed: str, other_words: Collection[str]) -> str | None:
        """Return the word of an action, or the other word, that is most similar to a misspelt one.

        One of the same letters is: they were typed in another order.  Words that only labels and buttons have
        come last.  None if no word is similar.
        """
        own_words = {word for each in self._move_words for word in each.own_words}
        groups = [sorted(filter(str.isalpha, words)) for words in (own_words.union(other_words), self._words)]
        same_letters = (word for words in groups for word in words if sorted(word) == sorted(typed))
        similar = (
            word for words in groups for word in difflib.get_close_matches(typed, words, 1, _MIN_SIMILARITY)
        )
        return next(itertools.chain(same_letters, similar), None)

    def sort_by_fit(self, actions: Collection[Action], typed: Sequence[str]) -> list[Action]:
        """Return actions in the order of how many of the typed words they hold, the most first."""
        meant_words = [self._held_words(word) for word in typed]
        counts = {
            each.action: sum(not each.words.isdisjoint(meant) for meant in meant_words)
            for each in self._move_words
            if each.action in actions
        }
        return sorted(actions, key=counts.__getitem__, reverse=True)

    def begins_move(self, word: str) -> bool:
        """Whether a text of any action begins with a whole word."""
        return word in self._first_words

    def holds_word(self, word: str) -> bool:
        """Whether a whole word stands in any action."""
        return word in self._words


def split_words(words: Iterable[str]) -> Iterator[str]:
    """Yield words in the parts that are looked for: those of "5c,9c" are two."""
    for word in words:
        yield from WORD_PART_PATTERN.findall(word)
