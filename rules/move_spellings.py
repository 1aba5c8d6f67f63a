"""The words that write legal actions, as codes or names, and the actions that typed words stand for there."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from rules.game import AnyGame
from rules.model import Action
from rules.move_wordings import FieldValue, group_actions, values_of, with_fewest_values
from rules.notation import Field, Notation, fields_of, short_form_candidates, verb_of
from rules.typed_values import PlainWords, ValueReader

_WHOLE_LIST_WORDS: Final = frozenset((("all",), ("all", "cards"), ("both",), ("everything",)))
"""What may stand behind a verb for all that can be listed there."""


class Spelling(NamedTuple):
    """One way to write a legal action."""

    values: Sequence[FieldValue]
    words: PlainWords
    """Its words behind the verb, each code with its name."""


class MoveSpellings:
    """Finds legal actions by how they are written, names in place of codes or not."""

    def __init__(
        self, game: AnyGame, legal: Sequence[Action], notation: Notation, values: ValueReader
    ) -> None:
        """``legal``: the actions, whose words are made once needed."""
        self._game, self._legal, self._notation, self._values = game, legal, notation, values
        self._words_of = values.words_of
        self._first_words_by_kind: dict[type[Action], tuple[str, ...]] = {}

    @cached_property
    def legal_types(self) -> Sequence[type[Action]]:
        """The types of the legal actions."""
        return list(dict.fromkeys(map(type, self._legal)))

    def first_words(self, action_type: type[Action]) -> tuple[str, ...]:
        """Return the words with which an action of a type may begin: its verb, and what stands for that."""
        if action_type not in self._first_words_by_kind:
            legal_verbs = set(map(verb_of, self.legal_types))
            others = (
                word for word in self._game.words.other_verbs.get(action_type, ()) if word not in legal_verbs
            )
            self._first_words_by_kind[action_type] = (
                verb_of(action_type),
                self._notation.word_for(action_type),
                *others,
            )
        return self._first_words_by_kind[action_type]

    def has_unclear_verb(self, typed: PlainWords, action: Action) -> bool:
        """Whether words begin with a verb that may mean another move than this action.

        That is one of other types alone, or one that is also typed for them where no value of the action's
        first field is named: in port "take net" may mean trash, not to draw a contract that asks for a net.
        """
        verb, *others = typed or ("",)
        if verb not in self.first_words(type(action)):
            return any(verb in self.first_words(each) for each in self._game.words.verb_texts)
        if verb not in self._game.words.other_verbs.get(type(action), ()):
            return False
        first_field = fields_of(type(action))[0]
        names = self._notation.names_of(first_field)
        name_words = {
            word
            for field, item in values_of(action)
            if field == first_field
            for text in (item, names.get(item, "").partition(" (")[0])
            for word in self._words_of(text)
        }
        return not any(word in name_words for word in others if not word.isdecimal())

    @cached_property
    def spellings(self) -> Sequence[Sequence[Spelling]]:
        """Those of each legal action."""
        return [
            [self._spelling(fields_of(type(action)), list(values_of(each))) for each in action.spellings()]
            for action in self._legal
        ]

    def _spelling(self, fields: Sequence[Field], values: Sequence[FieldValue]) -> Spelling:
        """Return a spelling with its words.

        Words in parentheses behind a name are left out where they name values of another field: "collect net"
        does not mean plastic for a contract that asks for a net too.
        """
        words: list[str] = []
        for field, item in values:
            name, _, detail = self._notation.names_of(field).get(item, "").partition(" (")
            words += (*self._words_of(item), *self._words_of(name))
            if detail:
                others = [self._values.known_words(each) for each in fields if each != field]
                words += (word for word in self._words_of(detail) if not any(word in each for each in others))
        return Spelling(values, tuple(words))

    def find_by_names(self, typed: PlainWords) -> Sequence[Action]:
        """Return the actions that these words write, with names or codes; some words may be left out.

        Of several lists that hold the words, the shortest are meant.
        """
        if exact := self._actions_of_names.get(typed):
            return exact
        codes = {
            word for values in self._game.words.typed_names.values() for word in map(str.casefold, values)
        }
        if not any(word.isalpha() and word not in codes for word in typed[1:] or typed):
            return []  # a number may have another meaning, and codes are notation
        return with_fewest_values(short_form_candidates(typed, self._words_with_codes_and_names))

    @cached_property
    def _actions_of_names(self) -> Mapping[PlainWords, Sequence[Action]]:
        """The actions by the words that write them, names in place of codes."""
        return group_actions(
            ((first_word, *self._named_words(spelling)), action)
            for action, spelling in self._actions_and_spellings()
            for first_word in self.first_words(type(action))
        )

    @cached_property
    def _words_with_codes_and_names(self) -> Sequence[tuple[Action, PlainWords]]:
        """All words that write each action, once for each of its first words."""
        return [
            (action, (first_word, *spelling.words))
            for action, spelling in self._actions_and_spellings()
            for first_word in self.first_words(type(action))
        ]

    def _actions_and_spellings(self) -> Iterator[tuple[Action, Spelling]]:
        for action, spellings in zip(self._legal, self.spellings, strict=True):
            yield from ((action, spelling) for spelling in spellings)

    def _named_words(self, spelling: Spelling) -> PlainWords:
        """Return the words of a spelling behind its verb, with names in place of codes."""
        return tuple(
            word
            for field, item in spelling.values
            for word in self._words_of(self._notation.names_of(field).get(item, item))
        )

    def find_whole_list(self, typed: PlainWords) -> Sequence[Action]:
        """Return the action of a list that holds those of all others with this verb: "discard all"."""
        if typed[1:] not in _WHOLE_LIST_WORDS:
            return ()
        with_verb = [
            action
            for action in self._legal
            if typed[0] in self.first_words(type(action))
            and any(field.is_tuple for field in fields_of(type(action)))
        ]
        counts = [Counter(item for _, item in values_of(action)) for action in with_verb]
        return [
            action
            for action, count in zip(with_verb, counts, strict=True)
            if all(each <= count for each in counts)
        ]
