"""What a user typed as a move: notation, the words of its buttons or its label, or the names of its parts."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from rules.errors import AmbiguousAction, MalformedAction
from rules.game import Action, AnyGame, Names, View
from rules.notation import (
    ABSENT_MARK,
    ITEM_SEPARATOR,
    Field,
    Notation,
    fields_of,
    is_subsequence,
    normalize_spelling,
    short_form_candidates,
    verb_of,
    write_action,
)
from rules.paths import PathSteps, path_to
from rules.text import shortened

_BEGINNING_END: Final = re.compile(r"[,:] | \(")
"""Where the typed beginning of a label may end."""
_MAX_QUOTED_LENGTH: Final = 24
_MAX_NAMED_WORDS: Final = 12
"""The most words behind a verb that are read as names of what cannot be chosen now."""

_Words: TypeAlias = tuple[str, ...]
"""The words of a text: without case, accents and punctuation, and with what its signs stand for."""


def read_typed_move(game: AnyGame, view: View, legal: Sequence[Action], names: Names, text: str) -> Action:
    """Return the action that a user typed: in notation, in the words of its buttons or label, or with names.

    Of a label the beginning is enough, or some of its words but all its numbers.  A well-formed action that
    is not legal is returned, so that the rules can say why not.  Raises MalformedAction, or AmbiguousAction
    if several legal actions have these words.
    """
    return TypedMoveReader(game, view, legal, names).read(text)


class _Wording(NamedTuple):
    """What the page says of a legal action."""

    action: Action
    label: str
    whole: frozenset[_Words]
    """The words of its label, and of all buttons that lead to it."""
    buttons: tuple[str, ...]
    """What a button on the way to it may say."""


class _ValueWords(NamedTuple):
    """What the values of a field are called."""

    named: Mapping[str, _Words]
    """The words of their names, by how the values are written."""
    written: Mapping[str, _Words]
    """The words of what is written; empty for a field of any text or number."""
    known_words: frozenset[str]


class TypedMoveReader:
    """Reads moves that are typed while these actions are legal."""

    def __init__(self, game: AnyGame, view: View, legal: Sequence[Action], names: Names) -> None:
        """Read for who sees ``view``.  Words of the actions are found when a text needs them, and kept."""
        self._notation = Notation(game)
        self._game, self._view, self._legal, self._names = game, view, legal, names
        self._words_by_text: dict[str, _Words] = {}
        self._words_by_field: dict[Field, _ValueWords] = {}

    def read(self, text: str) -> Action:
        """Return the action of a text, as ``read_typed_move`` does, with its errors."""
        try:
            action = self._notation.parse_typed(text, self._legal)
        except AmbiguousAction:
            if (found := self._find_whole(text)) is None:
                raise
        except MalformedAction:
            if (found := self._find(text)) is None:
                raise
        else:
            # A field of any text also takes the name of what it means.
            is_legal = normalize_spelling(action, self._legal) in self._legal
            found = None if is_legal else self._find_named(text)
            return action if found is None else found
        return found

    @cached_property
    def _wordings(self) -> Sequence[_Wording]:
        return [self._wording(action) for action in self._legal]

    def _wording(self, action: Action) -> _Wording:
        label: str = self._game.words.label(self._view, action, self._names)
        paths = [path_to(self._game, self._view, spelling, self._names) for spelling in action.spellings()]
        whole_ways = (" ".join(step.label for step in path) for path in paths)
        return _Wording(
            action,
            label,
            frozenset(map(self._words, (label, *whole_ways))),
            tuple(dict.fromkeys(text for path in paths for text in _button_texts(path))),
        )

    def _words(self, text: str) -> _Words:
        if text not in self._words_by_text:
            self._words_by_text[text] = _split_text(self._notation.replace_signs(text))
        return self._words_by_text[text]

    def _find(self, text: str) -> Action | None:
        """Return the action whose words these are.  Raises MalformedAction, AmbiguousAction."""
        typed = self._words(text)
        if not typed:
            return None
        verbs = {verb_of(kind): kind for kind in self._game.action_types}
        is_other_verb = typed[0] in verbs and not any(
            isinstance(each, verbs[typed[0]]) for each in self._legal
        )
        by_names = () if is_other_verb else (self._with_names,)
        for find in (self._with_whole, self._with_button, *by_names, self._with_beginning):
            if fitting := find(typed):
                return self._only(fitting)
        fitting = [] if is_other_verb else self._with_part(text)
        return fitting[0] if len(fitting) == 1 else self._read_unavailable(typed, text)

    def _find_whole(self, text: str) -> Action | None:
        """Return the action whose whole label, or all of whose buttons, say this.  Raises AmbiguousAction."""
        fitting = self._with_whole(self._words(text))
        return self._only(fitting) if fitting else None

    def _find_named(self, text: str) -> Action | None:
        """Return the action of these names, or with these words on its label or button, legal or not."""
        typed = self._words(text)
        if fitting := self._with_whole(typed) or self._with_button(typed) or self._with_names(typed):
            return self._only(fitting)
        return self._read_unavailable(typed, text)

    def _only(self, fitting: Sequence[Action]) -> Action:
        """Return the only one of some actions.  Raises AmbiguousAction."""
        if len(fitting) > 1:
            raise self._notation.ambiguity(fitting, self._legal)
        return fitting[0]

    def _with_whole(self, typed: _Words) -> list[Action]:
        return [each.action for each in self._wordings if typed in each.whole]

    def _with_button(self, typed: _Words) -> list[Action]:
        return [each.action for each in self._wordings if typed in map(self._words, each.buttons)]

    def _with_beginning(self, typed: _Words) -> list[Action]:
        """Return the actions whose label or button begins so, up to a comma, a colon or a parenthesis."""
        return [
            each.action
            for each in self._wordings
            if any(
                self._words(text[: end.start()]) == typed
                for text in (each.label, *each.buttons)
                for end in _BEGINNING_END.finditer(text)
            )
        ]

    def _with_part(self, text: str) -> list[Action]:
        """Return the actions in whose label these words stand, with all its numbers."""
        typed = _plain_words(text)
        return [each.action for each in self._wordings if _is_part(typed, _plain_words(each.label))]

    def _with_all_names(self, typed: _Words) -> list[Action]:
        """Return the actions that these words write, names in place of codes."""
        return list(
            dict.fromkeys(
                action
                for action, spelling in self._spellings()
                if typed[0] in self._first_words(type(spelling)) and typed[1:] == self._named_words(spelling)
            )
        )

    def _with_names(self, typed: _Words) -> list[Action]:
        """Return the actions that these words write, with names or codes; some words may be left out."""
        if exact := self._with_all_names(typed):
            return exact
        codes = {
            word for values in self._game.words.typed_names.values() for word in map(str.casefold, values)
        }
        if not any(word.isalpha() and word not in codes for word in typed[1:] or typed):
            return []  # a number may have another meaning, and codes are notation
        return short_form_candidates(
            typed,
            [
                (action, (first_word, *self._all_words(spelling)))
                for action, spelling in self._spellings()
                for first_word in self._first_words(type(spelling))
            ],
        )

    def _spellings(self) -> Iterator[tuple[Action, Action]]:
        return ((action, spelling) for action in self._legal for spelling in action.spellings())

    def _first_words(self, kind: type[Action]) -> tuple[str, ...]:
        return verb_of(kind), self._notation.word_for(kind)

    def _named_words(self, action: Action) -> _Words:
        """Return the words of an action behind its verb, with names in place of codes."""
        return tuple(
            word
            for field, item in _items(action)
            for word in self._words(self._notation.names_of(field).get(item, item))
        )

    def _all_words(self, action: Action) -> _Words:
        """Return the words of an action behind its verb, each code with its name."""
        return tuple(
            word
            for field, item in _items(action)
            for word in (*self._words(item), *self._words(self._notation.names_of(field).get(item, "")))
        )

    def _read_unavailable(self, typed: _Words, text: str) -> Action | None:
        """Return the action that names write if it is not legal; None if these are no names of this game.

        Raises MalformedAction if a name may stand for several things, none of which can be chosen now.
        """
        legal_kinds = list(dict.fromkeys(map(type, self._legal)))
        all_kinds = sorted(self._game.action_types, key=lambda kind: kind not in legal_kinds)
        kinds = [kind for kind in all_kinds if typed[0] in self._first_words(kind)]
        words = typed[1:] if kinds else typed
        for kind in (kinds or all_kinds) if words else ():
            fields = fields_of(kind)
            if not kinds and not all(map(self._has_known_values, fields)):
                continue
            readings = self._read_fields(fields, words)
            if len(readings) == 1:
                return self._notation.parse(f"{verb_of(kind)} {readings[0]}")
            if readings:
                possible = [each for each in self._legal if isinstance(each, kind)] or list(self._legal)
                raise MalformedAction(
                    f"“{shortened(' '.join(text.split()), _MAX_QUOTED_LENGTH)}” is not possible now."
                    f" You can choose {self._notation.choices_text(possible, self._legal)}."
                )
        return None

    def _read_fields(self, fields: Sequence[Field], words: _Words) -> list[str]:
        """Return how words that name or write the values of fields, in order, may be written in notation.

        The longest names are taken first.
        """
        if not fields or len(words) > _MAX_NAMED_WORDS:
            return [] if words else [""]
        field, *others = fields
        for size in range(len(words), 0, -1):
            values = self._read_value(field, words[:size])
            rests = self._read_fields(others, words[size:]) if values else []
            if rests:
                return [f"{value} {rest}".strip() for value in values for rest in rests]
        if not field.is_optional and field.kind is not bool:
            return []
        left_out = ABSENT_MARK if field.is_optional else field.write(False)  # noqa: FBT003
        return [f"{left_out} {rest}".strip() for rest in self._read_fields(others, words)]

    def _read_value(self, field: Field, words: _Words) -> list[str]:
        """Return the values of a field that words name, in full or else in part, or write."""
        named, written, known_words = self._value_words(field)
        if written and not known_words.issuperset(words):
            return []
        fitting = [value for value in written if words in (written[value], named.get(value))]
        fitting = fitting or [value for value, name in named.items() if is_subsequence(words, name)]
        is_free_word = len(words) == 1 and not self._has_known_values(field)
        return [words[0].upper()] if is_free_word else fitting

    def _value_words(self, field: Field) -> _ValueWords:
        if field not in self._words_by_field:
            named = {value: self._words(name) for value, name in self._notation.names_of(field).items()}
            written = {value: self._words(value) for value in (*field.written_values, *named)}
            known_words = frozenset(word for words in (*named.values(), *written.values()) for word in words)
            self._words_by_field[field] = _ValueWords(named, written, known_words)
        return self._words_by_field[field]

    def _has_known_values(self, field: Field) -> bool:
        return bool(field.written_values or self._notation.names_of(field))


def _split_text(text: str) -> _Words:
    """Return the words of a text.  A word without letters and digits, such as an arrow, is none."""
    decomposed = unicodedata.normalize("NFD", text.casefold())
    words = "".join(each for each in decomposed if not unicodedata.combining(each)).split()
    return tuple(word.strip(".,:;!?…“”\"'()") for word in words if any(map(str.isalnum, word)))


def _button_texts(path: PathSteps) -> Iterator[str]:
    """Yield what a button on this path may say: steps that follow each other, or its shortcut."""
    for start in range(len(path)):
        for end in range(start + 1, len(path) + 1):
            yield " ".join(step.label for step in path[start:end])
    if path[-1].shortcut:
        yield path[-1].shortcut


def _items(action: Action) -> Iterator[tuple[Field, str]]:
    """Yield each value in an action as it is written, with its field."""
    for field, part in zip(fields_of(type(action)), write_action(action).split()[1:], strict=False):
        yield from ((field, item) for item in part.split(ITEM_SEPARATOR) if item != ABSENT_MARK)


def _plain_words(text: str) -> _Words:
    """Return the words of a label or a typed text without case and punctuation."""
    words = (word.strip(".,:;!?…“”\"'()") for word in text.replace("\ufe0f", "").casefold().split())
    return tuple(word for word in words if word)


def _is_part(typed: _Words, words: _Words) -> bool:
    typed_numbers, numbers = (tuple(filter(_has_digit, each)) for each in (typed, words))
    return typed_numbers == numbers != typed and is_subsequence(typed, words)


def _has_digit(word: str) -> bool:
    return any(map(str.isdecimal, word))
