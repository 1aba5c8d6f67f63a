"""Typed words as an action of their verb and its values, whether or not it is legal."""

import itertools
from collections.abc import Mapping, Sequence

import msgspec

from rules.errors import MalformedAction
from rules.game import AnyGame
from rules.model import Action, Names, View
from rules.move_spellings import MoveSpellings
from rules.notation import Field, Notation, fields_of, normalize_spelling, verb_of, write_action
from rules.typed_refusals import TypedRefusals
from rules.typed_text import LINKING_WORDS
from rules.typed_values import PlainWords, ValueReader


class TypedActionReader:
    """Reads the values of actions behind their verbs while some actions are legal."""

    def __init__(
        self,
        game: AnyGame,
        view: View,
        legal: Sequence[Action],
        names: Names,
        notation: Notation,
        values: ValueReader,
        spellings: MoveSpellings,
        refusals: TypedRefusals,
    ) -> None:
        """``view``: of who typed; ``spellings`` and ``refusals``: of the ``legal`` actions."""
        self._game, self._view, self._legal, self._names = game, view, legal, names
        self._notation, self._values = notation, values
        self._spellings, self._refusals = spellings, refusals

    def read_by_values(
        self, typed: PlainWords, text: str, *, also_by_first_field: bool = False
    ) -> Action | None:
        """Return the action that names write, legal or not; None if these are no names of this game.

        ``also_by_first_field``: less or more may follow the name of the first field than should.
        Raises MalformedAction if a name may stand for several things, none of which can be chosen now.
        """
        action_types, words = self._types_meant(self._game.action_types, typed)
        legal_types = [
            action_type for action_type in self._spellings.legal_types if action_type in action_types
        ]
        if found := self._read_as(legal_types, words, text):
            return found
        if also_by_first_field and self._is_beginning(legal_types, words):
            return None
        meant_types = legal_types or (action_types if len(action_types) == 1 else [])
        if also_by_first_field and (found := self._read_by_first_field(meant_types, words)):
            return found
        return self._read_as(
            [action_type for action_type in action_types if action_type not in legal_types], words, text
        )

    def without_links_behind_verb(self, typed: PlainWords) -> PlainWords:
        """Return the words of "sail to the Kuroshio" as those of "sail Kuroshio".

        Without a verb nothing is left out: "9♣ on" is the beginning of a play, no short form of a discard.
        """
        verb, *others = typed
        if not any(verb in self._spellings.first_words(each) for each in self._game.action_types):
            return typed
        return (verb, *itertools.dropwhile(LINKING_WORDS.__contains__, others))

    def read_with_verb_behind(self, typed: PlainWords) -> Action | None:
        """Return the action of words such as "A1 attacks B1", legal or not; None if they are none."""
        if len(typed) < 2:
            return None
        subject, verb, *others = typed
        for action_type in self._game.action_types:
            if verb in {verb_of(action_type), f"{verb_of(action_type)}s"}:
                try:
                    return self._notation.parse(
                        f"{verb_of(action_type)} {' '.join((subject, *others)).upper()}"
                    )
                except MalformedAction:
                    return self._read_by_first_field([action_type], (subject, *others))
        return None

    def read_in_any_order(self, typed: PlainWords) -> Action | None:
        """Return the illegal action whose verb these words begin with and whose values follow in any order.

        None if there is none, or if the words may mean several that are refused for different reasons.
        """
        verb, *others = typed
        words = tuple(word for word in others if word not in LINKING_WORDS)
        actions = [
            self._action_of(action_type, dict(zip(fields, values, strict=True)))
            for action_type in self._game.action_types
            if verb in self._spellings.first_words(action_type)
            for fields in itertools.permutations(fields_of(action_type))
            for reading in self._values.read_fields(fields, words)
            for values in [reading.split()]
        ]
        return self._refused_action(actions)

    def _action_of(self, action_type: type[Action], values: Mapping[Field, str]) -> Action:
        return self._notation.parse(
            " ".join((verb_of(action_type), *(values[field] for field in fields_of(action_type))))
        )

    def _is_beginning(self, action_types: Sequence[type[Action]], words: PlainWords) -> bool:
        """Whether a legal action of these types begins with these words."""
        return any(
            value in self._values.read_value(field, words)
            for action in self._legal
            if words and type(action) in action_types
            for field in fields_of(type(action))[:1]
            for value in write_action(action).split()[1:2]
        )

    def _types_meant(
        self, action_types: Sequence[type[Action]], typed: PlainWords
    ) -> tuple[Sequence[type[Action]], PlainWords]:
        """Return the types for which the first word or the name of the first field stands, and what follows.

        Without such a word: the types whose first field says what may stand there, and all words.
        """
        with_word = [
            action_type
            for action_type in action_types
            if typed[0] in self._spellings.first_words(action_type)
        ]
        if with_word := with_word or [
            action_type
            for action_type in action_types
            if typed[0] in (each.name for each in fields_of(action_type)[:1])
        ]:
            return with_word, typed[1:]
        return [
            action_type
            for action_type in action_types
            if any(map(self._values.has_known_values, fields_of(action_type)[:1]))
        ], typed

    def _read_as(self, action_types: Sequence[type[Action]], words: PlainWords, text: str) -> Action | None:
        """Return the action of the first of these types whose fields these words name or write.

        Raises MalformedAction as ``read_by_values``.
        """
        for action_type in action_types if words else ():
            readings = self._values.read_fields(fields_of(action_type), words)
            if len(readings) == 1:
                return self._notation.parse(f"{verb_of(action_type)} {readings[0]}")
            if readings:
                of_type = [each for each in self._legal if isinstance(each, action_type)]
                error = self._refusals.unclear_error(text)
                if error is None and not of_type:
                    error = self._refusals.illegal_type_error(action_type, text)
                raise error or self._refusals.not_possible_error(text, of_type)
        return None

    def _read_by_first_field(self, action_types: Sequence[type[Action]], words: PlainWords) -> Action | None:
        """Return an action whose first field these words begin with, if all are refused for the same reason.

        None if there is no such action or no such reason.
        """
        return self._refused_action(self._actions_with_typed_first_field(action_types, words))

    def _refused_action(self, actions: Sequence[Action]) -> Action | None:
        """Return the first of some actions if all are refused for the same reason."""
        refused = [each for each in actions if normalize_spelling(each, self._legal) not in self._legal]
        reasons = {self._game.words.refusal(self._view, each, self._names) for each in refused}
        return refused[0] if len(reasons) == 1 and len(refused) == len(actions) else None

    def _actions_with_typed_first_field(
        self, action_types: Sequence[type[Action]], words: PlainWords
    ) -> Sequence[Action]:
        """Return the actions whose first field these words begin with.

        Their other fields are those of legal actions; where there are none, the defaults of the type.
        """
        texts = dict.fromkeys(
            " ".join((verb_of(action_type), value, *others))
            for action_type in action_types
            for field in fields_of(action_type)[:1]
            for value in self._values.read_beginning(field, words)
            for others in self._values_behind_first_field(action_type)
        )
        return [self._notation.parse(text) for text in texts]

    def _values_behind_first_field(self, action_type: type[Action]) -> list[list[str]]:
        """Return the values behind the first one of the legal actions of a type, or else its defaults."""
        if any(type(action) is action_type for action in self._legal):
            return [write_action(action).split()[2:] for action in self._legal if type(action) is action_type]
        others = msgspec.structs.fields(action_type)[1:]
        if any(each.required for each in others):
            return []
        return [
            [
                field.write(each.default)
                for field, each in zip(fields_of(action_type)[1:], others, strict=True)
            ]
        ]
