"""Why a typed text is read as no move, with the legal actions that it comes nearest to."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from rules.errors import GuessedAction, MalformedAction, RulesError
from rules.game import AnyGame
from rules.model import SEAT_LETTERS, Action, View
from rules.move_search import MoveSearch, split_words
from rules.move_texts import MoveTexts
from rules.notation import ACTION_SEPARATOR, Notation, fields_of, verb_of
from rules.text import shortened
from rules.typed_text import ARTICLES, LINKING_WORDS, PUNCTUATION, is_subsequence
from rules.typed_values import PlainWords, ValueReader

PASSING_WORD: Final = "pass"
"""What people type to do nothing, in games where they may."""
_COUNT_WORDS: Final = frozenset(("two", "three", "four", "five"))
_PIECE_PATTERN: Final = re.compile(f"[{SEAT_LETTERS}][0-9]+", re.IGNORECASE)
"""The name of a piece, in games that name pieces by the letter of their seat."""
_CODE_PATTERN: Final = re.compile("[A-Z][0-9]{1,2}", re.IGNORECASE)
"""A letter and a number, as many games call places."""
_MIN_PLAIN_WORD_LENGTH: Final = 3
"""The fewest letters of a word that is no code."""
_MAX_QUOTED_LENGTH: Final = 24
_MIN_CORRECTED_LENGTH: Final = 4
"""The fewest letters of a word that may be another one misspelt."""
_MAX_CORRECTED_WORDS: Final = 12
"""The most misspelt words of a text that is corrected: each is compared with all words of a game."""


class MissingKind(MalformedAction):
    """A text that names a type of which no action is legal, however its other words are spelt."""


class TypedRefusals:
    """Writes the refusals of texts that are typed while these actions are legal."""

    def __init__(
        self,
        game: AnyGame,
        view: View,
        legal: Sequence[Action],
        notation: Notation,
        values: ValueReader,
        search: MoveSearch,
        texts: MoveTexts,
    ) -> None:
        """``view``: of who typed it; ``values``, ``search`` and ``texts``: of these actions."""
        self._game, self._view, self._legal, self._notation = game, view, legal, notation
        self._values, self._search, self._texts = values, search, texts

    def unclear_error(self, text: str) -> RulesError | None:
        """Return GuessedAction if all words stand in one legal action alone, AmbiguousAction if in several.

        Words that only link others need not stand there.  None if they stand in none, or if the only one has
        a typed number but as what follows, before another word: "zone 3" is not meant by a move of 3 to
        zone 2, but "5 to Reef" is by a cost of 5 to the Reef.  Of several, one whose wording alone has the
        words in their order is meant, or each "from zone 1" as it stands, or which alone has all values or
        numbers as its own: "A2" is not if a label says what is laid beside it.
        """
        typed = self._words_of(text)
        phrases, words = _linked_phrases(_without_articles(typed)), _without_linking_words(typed)
        if not (fitting := self._search.find_meant(typed)):
            typed = words
            fitting = self._search.find_whole(typed)
        in_order = [action for action in fitting if self._stands_in_label(typed, action)]
        said_phrases = [
            each for each in phrases if any(self._has_phrases([each], action) for action in fitting)
        ]
        with_phrases = [action for action in fitting if self._has_phrases(said_phrases, action)]
        with_values = self._search.find_with_own_values(words, self._value_words)
        with_numbers = [action for action in fitting if self._search.has_own_numbers(action, typed)]
        says_numbers = [action for action in fitting if self._says_numbers(typed, action)]
        for candidates in (in_order, with_phrases, with_values, with_numbers, says_numbers):
            if len(candidates) == 1:
                return self._texts.guess_of(candidates[0])
        meant = with_values or with_numbers or fitting
        return self._texts.ambiguity_error(meant) if len(fitting) > 1 else None

    def _stands_in_label(self, typed: PlainWords, action: Action) -> bool:
        """Whether typed words stand in a wording of a legal action in their order, but for a verb."""
        if typed and typed[0] in self._names_by_type[type(action)]:
            typed = typed[1:]
        return bool(typed) and any(is_subsequence(typed, words) for words in self._wordings_of(action))

    def _has_phrases(self, phrases: Sequence[PlainWords], action: Action) -> bool:
        """Whether phrases stand in a wording of a legal action, each word directly behind the one before."""
        return bool(phrases) and any(
            all(f" {' '.join(phrase)} " in f" {' '.join(_without_articles(words))} " for phrase in phrases)
            for words in self._wordings_of(action)
        )

    def _says_numbers(self, typed: PlainWords, action: Action) -> bool:
        """Whether each typed number is a legal action's own, or stands before the same word in a wording.

        Words that only link others do not count: "5 to the Reef" says "5 Reef".
        """
        others = {
            word for word in typed if word.isdecimal() and not self._search.has_own_numbers(action, (word,))
        }
        typed_pairs = set(pairwise(_without_linking_words(typed)))
        return any(
            others
            <= {first for first, _ in typed_pairs.intersection(pairwise(_without_linking_words(words)))}
            for words in self._wordings_of(action)
        )

    def _wordings_of(self, action: Action) -> list[PlainWords]:
        return [self._words_of(text) for text in self._texts.wordings(action)]

    def guess_error(self, text: str) -> GuessedAction | None:
        """Return GuessedAction if a text read as an illegal action rather means a legal one.

        That holds all its words, and all its numbers and values as its own: a card that lies where another
        one may be laid is not meant.
        """
        return self._only_guess(self._words_of(text)) or self.sentence_guess(text)

    def sentence_guess(self, text: str) -> GuessedAction | None:
        """Return the guess of a text without the words that only link others; None if it has none."""
        typed = self._words_of(text)
        words = _without_linking_words(typed)
        return self._only_guess(words) if words != typed else None

    def _only_guess(self, typed: PlainWords) -> GuessedAction | None:
        fitting = self._search.find_with_own_values(typed, self._value_words)
        return self._texts.guess_of(fitting[0]) if len(fitting) == 1 else None

    def plain_word_error(self, action: Action, text: str) -> MalformedAction | None:
        """Return the refusal of a text read as an illegal action, if words stand there in place of codes.

        So it is with "attack the shark".  None if the rules say why it is illegal.
        """
        of_type = [each for each in self._legal if type(each) is type(action)]
        has_plain_word = any(
            isinstance(value := getattr(action, field.name), str)
            and value.isalpha()
            and len(value) >= _MIN_PLAIN_WORD_LENGTH
            for field in fields_of(type(action))
            if not self._values.has_known_values(field)
        )
        return self.not_possible_error(text, of_type) if of_type and has_plain_word else None

    def illegal_type_error(self, action_type: type[Action], text: str) -> MalformedAction | None:
        """Return the refusal of a text that begins with the verb of a type of which no action is legal.

        None if neither the game says why nor other legal actions hold these words.  A verb alone means no
        other action, but one that alone holds it is named.
        """
        words = self._words_of(text)
        fitting = self._search.find_meant(words)
        if (len(words) == 1 or not fitting) and (reason := self._illegal_type_reason(action_type)):
            advice = (
                f" {self._advice(fitting, words)}" if len(fitting) == 1 else self._texts.example_sentence()
            )
            return MissingKind(f"{reason}{advice}")
        return self.not_possible_error(text, fitting) if fitting else None

    def unknown_error(self, text: str) -> MalformedAction | None:
        """Return the refusal of a text of which only some words stand in legal actions, or none.

        It says why nothing of what a word does, such as "swap", is possible, or else names the first word
        that no move has, also a code such as "Z9", with the nearest moves.  None if not even the first word
        is one of the game's.
        """
        typed = self._words_of(text)
        if typed == (PASSING_WORD,):
            return MalformedAction(f"You cannot pass now.{self._texts.example_sentence()}")
        if reason := self._named_kind_reason(typed):
            return MissingKind(f"{reason}{self._texts.example_sentence()}")
        nearest = self._search.find_nearest(typed)
        if not nearest and not (typed and self._is_known(typed[0])):
            return None
        if nearest and (word := self._unknown_word(text)):
            unknown_text = "There is no" if self._looks_like_code(word) else "I don't understand"
            return MalformedAction(f"{unknown_text} “{_quoted(word)}”. {self._advice(nearest, typed)}")
        return self.not_possible_error(text, nearest)

    def correct_spelling(self, text: str) -> Mapping[str, str]:
        """Return the misspelt words of a text, each with the most similar word that may be typed."""
        misspelt_words = [
            word
            for word in dict.fromkeys(self._words_of(text))
            if word.isalpha() and len(word) >= _MIN_CORRECTED_LENGTH
            if not self._is_known(word) and not self._search.is_found(word)
        ]
        if len(misspelt_words) > _MAX_CORRECTED_WORDS:
            return {}
        similar_words = {
            word: self._search.most_similar_word(word, self._known_words) for word in misspelt_words
        }
        return {word: similar for word, similar in similar_words.items() if similar is not None}

    def verb_without_ending(self, word: str) -> str:
        """Return the verb of "sails": "sail"; empty if it is no verb, or if a legal action has the word."""
        word = word.casefold()
        verb = word.removesuffix("s")
        if verb == word or self._search.holds_word(word):
            return ""
        return verb if any(verb in names for names in self._names_by_type.values()) else ""

    def _illegal_type_reason(self, action_type: type[Action]) -> str:
        """Return why no action of a type is legal; empty if the game does not say."""
        if not fields_of(action_type):
            refusal: str = self._game.words.refusal(self._view, action_type(), self._texts.names)
            return refusal
        return self._game.words.illegal_type_reason(self._view, action_type, self._texts.names)

    def _named_kind_reason(self, typed: PlainWords) -> str:
        """Return why no action of the types is legal that words name which no legal action has.

        Verbs name a type, also as in "A1 attacks", and so does the first word of a label; that of a hint does
        at the beginning.  Empty if no type is named, or if those named by most words have different reasons.
        """
        words = {word for word in typed if not self._search.holds_word(word)}
        legal_types = {type(action) for action in self._legal}
        begun_types = {each for each, names in self._names_by_type.items() if names.issuperset(typed[:1])}
        if typed and begun_types & legal_types:
            return ""  # it is of that kind, whatever follows
        if any(
            not self._names_by_type[each].isdisjoint(typed) for each in legal_types & {*self._names_by_type}
        ):
            begun_types = set()  # "ship" is a verb, but "loads" the one of "ship 1 loads"
        counts = {
            action_type: len(words & self._names_by_type[action_type])
            + (self._first_words_of_hints[action_type] in words.intersection(typed[:1]))
            + (action_type in begun_types)
            for action_type in self._names_by_type
            if action_type not in legal_types
        }
        most = max(counts.values(), default=0)
        reasons = {
            self._illegal_type_reason(action_type)
            for action_type, count in counts.items()
            if count == most > 0
        }
        return reasons.pop() if len(reasons) == 1 else ""

    @cached_property
    def _names_by_type(self) -> Mapping[type[Action], frozenset[str]]:
        """The verbs of each type and the first word of its label, also with the ending of "A1 attacks"."""
        words = self._game.words
        return {
            action_type: frozenset(
                f"{word}{ending}"
                for word in (
                    verb_of(action_type),
                    self._notation.word_for(action_type),
                    *words.other_verbs.get(action_type, ()),
                )
                for ending in ("", "s")
            )
            for action_type in words.verb_texts
        }

    @cached_property
    def _first_words_of_hints(self) -> Mapping[type[Action], str]:
        texts = self._game.words.verb_texts
        return {action_type: self._values.words_of(each.hint)[0] for action_type, each in texts.items()}

    def not_possible_error(self, text: str, possible: Sequence[Action]) -> MalformedAction:
        """Return the refusal of a text, with legal actions that can be chosen instead.

        Those that hold all its words are added to ``possible``; those that hold the most come first.  Without
        any: the nearest, or an example.  Where some words stand in legal actions, one that stands in none is
        named.
        """
        words, reason = self._words_of(text), f"“{_quoted(text)}” is not possible now."
        if word := self._word_of_no_legal_action(text):
            reason = f"Nothing with “{_quoted(word)}” is possible now."
        fitting = list(dict.fromkeys((*self._search.find_meant(words), *possible)))
        if not (fitting := fitting or self._search.find_nearest(words)):
            return MalformedAction(f"{reason}{self._texts.example_sentence()}")
        choices = self._search.sort_by_fit(fitting, words)
        return MalformedAction(f"{reason} {self._advice(choices, words)}")

    def _advice(self, choices: Sequence[Action], typed: PlainWords) -> str:
        """Return what can be chosen; if words behind a verb mean several moves, also how these are typed."""
        means_several = any(
            _COUNT_WORDS.intersection(typed) or self._names_too_many_values(action_type, typed)
            for action_type in {type(action) for action in self._legal}
            if self._names_by_type[action_type].intersection(typed[:1])
        )
        several_text = f" Join several moves with `{ACTION_SEPARATOR}`." if means_several else ""
        return f"You can choose {self._texts.choices_text(choices)}.{several_text}"

    def _names_too_many_values(self, action_type: type[Action], typed: PlainWords) -> bool:
        """Whether words name more values of some kind than the fields of a type, without lists, can hold."""
        fields = [field for field in fields_of(action_type) if field.written_values]
        if any(field.is_tuple for field in fields):
            return False
        room = Counter(field.kind for field in fields)
        readings = {
            (field.kind, tuple(self._values.read_value(field, (word,))))
            for field in fields
            for word in typed[1:]
        }
        named = Counter(value_kind for value_kind, values in readings if len(values) == 1)
        return any(count > room[value_kind] for value_kind, count in named.items())

    def _words_of(self, text: str) -> PlainWords:
        return tuple(split_words(self._values.words_of(text)))

    def _unknown_word(self, text: str) -> str:
        """Return the first typed word that is neither a number nor known of a move; empty without one."""
        words = self._notation.text_reader.read(text)
        for written, typed in zip(words.written, words.typed, strict=True):
            if not all(word.isdecimal() or self._is_known(word) for word in self._words_of(written)):
                return typed.strip(PUNCTUATION)
        return ""

    def _looks_like_code(self, word: str) -> bool:
        """Whether a word is written as codes of the game are, such as "Z9" where there is an A1."""
        return _CODE_PATTERN.fullmatch(word) is not None and any(
            map(_CODE_PATTERN.fullmatch, self._value_words)
        )

    def _word_of_no_legal_action(self, text: str) -> str:
        """Return the first typed word that stands in no legal action; empty unless another one does."""
        words = self._notation.text_reader.read(text)
        missing_words = [
            typed.strip(PUNCTUATION)
            for written, typed in zip(words.written, words.typed, strict=True)
            if not self._search.find(self._words_of(written)) and typed.casefold() not in LINKING_WORDS
        ]
        return missing_words[0] if 0 < len(missing_words) < len(words.typed) else ""

    def _is_known(self, word: str) -> bool:
        if self._game.words.has_pieces_named_by_seat and _PIECE_PATTERN.fullmatch(word):
            return True
        return (
            word in self._known_words
            or word in LINKING_WORDS
            or any(word in names for names in self._names_by_type.values())
            or self._search.holds_word(word)
        )

    @cached_property
    def _known_words(self) -> frozenset[str]:
        """The words of what may be typed in any position."""
        action_types, texts = self._game.action_types, self._game.words.verb_texts
        words = [PASSING_WORD, *map(verb_of, action_types)]
        words += (word for each in texts.values() for word in self._values.words_of(each.label))
        words += self._first_words_of_hints.values()
        words += (field.name for action_type in action_types for field in fields_of(action_type))
        return self._value_words.union(split_words(words))

    @cached_property
    def _value_words(self) -> frozenset[str]:
        """The words of all values that are known, as they are written, named or said."""
        fields = (field for action_type in self._game.action_types for field in fields_of(action_type))
        words = [word for field in fields for word in self._values.known_words(field)]
        words += (word for each in self._notation.text_reader.words_by_text.values() for word in each)
        return frozenset(split_words(words))


def _without_linking_words(typed: PlainWords) -> PlainWords:
    return tuple(word for word in typed if word not in LINKING_WORDS)


def _without_articles(typed: PlainWords) -> PlainWords:
    return tuple(word for word in typed if word not in ARTICLES)


def _linked_phrases(typed: PlainWords) -> list[PlainWords]:
    """Return each word that links others with those up to the next one: "from zone 1" and "to zone 3"."""
    starts = [i for i, word in enumerate(typed) if word in LINKING_WORDS]
    return [typed[start:end] for start, end in pairwise((*starts, len(typed)))]


def _quoted(text: str) -> str:
    """Return what a refusal quotes of a text."""
    return shortened(" ".join(text.split()), _MAX_QUOTED_LENGTH)
