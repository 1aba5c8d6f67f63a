"""Action <-> text, for every game, from the field types alone.

``current 5C N2``: the verb, then the fields in order.  ``?`` is hidden, ``-`` is absent (left out at
the end), ``()`` is an empty tuple, tuples join with commas, seats are letters, bools are ``yes`` and ``no``.
The same form serves the log, the match file, slash options, button ids and tests.
"""

import enum
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import msgspec

from rules.errors import AmbiguousAction, MalformedAction
from rules.game import AnyGame
from rules.model import CHANCE, MODERATOR, SEAT_LETTERS, Action, Resign, Seat
from rules.text import listed
from rules.typed_text import TypedTextReader, is_subsequence
from rules.words import VerbTexts

ABSENT_MARK: Final = "-"
EMPTY_TUPLE: Final = "()"
ITEM_SEPARATOR: Final = ","
ACTION_SEPARATOR: Final = ";"
"""Between several actions on one typed line."""
CHANCE_MARK: Final = "*"
MODERATOR_MARK: Final = "~"
BOOL_WORDS: Final = {"yes": True, "no": False}
_ACTOR_MARKS: Final = {CHANCE: CHANCE_MARK, MODERATOR: MODERATOR_MARK}
_MAX_DIGITS: Final = 9
_MAX_STRING_LENGTH: Final = 24


class Field(msgspec.Struct, frozen=True):
    """One field of an action type."""

    name: str
    kind: type
    """bool, int, str, an enum, or ``_SeatKind`` for a seat."""
    is_tuple: bool
    is_optional: bool
    """The field may be absent."""
    has_optional_items: bool
    """Items of a tuple may be absent."""

    @property
    def description(self) -> str:
        """Its name in words, with how several values are written and whether it may be left out."""
        text = self.name.replace("_", " ")
        notes = [
            *(["joined by commas"] if self.is_tuple else []),
            *(["optional"] if self.is_optional else []),
        ]
        return f"{text} ({', '.join(notes)})" if notes else text

    @property
    def written_values(self) -> tuple[str, ...]:
        """How the values of an enum are written; empty for other kinds."""
        return tuple(_members_by_text(self.kind)) if issubclass(self.kind, enum.Enum) else ()

    def write(self, value: object) -> str:
        """Write one field's value."""
        if value is None:
            return ABSENT_MARK
        if self.is_tuple:
            assert isinstance(value, tuple)
            return ITEM_SEPARATOR.join(self._write_item(item) for item in value) if value else EMPTY_TUPLE
        return self._write_item(value)

    def _write_item(self, value: object) -> str:
        if value is None:
            return ABSENT_MARK
        if isinstance(value, enum.Enum):
            return str(value.value)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.kind is _SeatKind:
            assert isinstance(value, int)
            return seat_letter(Seat(value))
        return str(value)

    def parse(self, text: str) -> object:
        """Parse one field's value.  Raises MalformedAction."""
        if text == ABSENT_MARK and self.is_optional:
            return None
        if self.is_tuple:
            if text == EMPTY_TUPLE:
                return ()
            return tuple(self._parse_item(item) for item in text.split(ITEM_SEPARATOR))
        return self._parse_item(text)

    def _parse_item(self, text: str) -> object:
        if text == ABSENT_MARK and self.has_optional_items:
            return None
        try:
            if self.kind is _SeatKind:
                return parse_seat(text)
            if self.kind is bool:
                return BOOL_WORDS[text.lower()]
            if self.kind is int:
                return _parse_int(text)
            if issubclass(self.kind, enum.Enum):
                return _members_by_text(self.kind)[text]
        except (KeyError, ValueError):
            raise MalformedAction(f"“{text[:_MAX_STRING_LENGTH]}” is not a valid {self.name}.") from None
        if not text or len(text) > _MAX_STRING_LENGTH:
            raise MalformedAction(f"“{text[:_MAX_STRING_LENGTH]}” is not a valid {self.name}.")
        return text


def _parse_int(text: str) -> int:
    """Parse only what ``write_action`` writes: no spaces, underscores, plus signs or other digits.

    Raises ValueError.
    """
    digits = text.removeprefix("-")
    if len(digits) > _MAX_DIGITS or str(value := int(text)) != text:
        raise ValueError(text)
    return value


@cache
def _members_by_text(enum_type: type[enum.Enum]) -> Mapping[str, enum.Enum]:
    return {str(member.value): member for member in enum_type}


class _SeatKind:
    """Marks a field that holds a seat, since Seat is no class at runtime."""


def seat_letter(seat: Seat) -> str:
    """Return A for the first seat, ``*`` for chance, ``~`` for the moderator."""
    return _ACTOR_MARKS.get(seat) or SEAT_LETTERS[seat]


def parse_seat(text: str) -> Seat:
    """Parse what ``seat_letter`` returns.  Raises MalformedAction."""
    for seat, mark in _ACTOR_MARKS.items():
        if text == mark:
            return seat
    index = SEAT_LETTERS.find(text.upper()) if len(text) == 1 else -1
    if index < 0:
        raise MalformedAction(f"“{text[:_MAX_STRING_LENGTH]}” is not a seat: write a letter, such as A.")
    return Seat(index)


@cache
def fields_of(action_type: type[Action]) -> tuple[Field, ...]:
    """Return the fields of an action type, in order.

    Raises TypeError for a field whose type is outside the closed set (see ``Action``).
    """
    return tuple(_make_field(field.name, field.type) for field in msgspec.structs.fields(action_type))


def _make_field(name: str, declared: object) -> Field:
    is_tuple = is_optional = has_optional_items = False
    if typing.get_origin(declared) in {typing.Union, types.UnionType}:
        is_optional, declared = True, _without_none(declared)
    if typing.get_origin(declared) is tuple:
        is_tuple, declared = True, typing.get_args(declared)[0]
        if typing.get_origin(declared) in {typing.Union, types.UnionType}:
            has_optional_items, declared = True, _without_none(declared)
    if is_optional and has_optional_items:
        raise TypeError(f"field {name}: an absent tuple and a tuple of one absent item are written alike")
    if declared is Seat:
        return Field(name, _SeatKind, is_tuple, is_optional, has_optional_items)
    while isinstance(declared, typing.NewType):
        declared = declared.__supertype__
    if isinstance(declared, type) and (declared in {bool, int, str} or issubclass(declared, enum.Enum)):
        return Field(name, declared, is_tuple, is_optional, has_optional_items)
    raise TypeError(f"field {name} has a type outside the closed set: {declared!r}")


def _without_none(declared: object) -> object:
    kinds = [kind for kind in typing.get_args(declared) if kind is not type(None)]
    if len(kinds) != 1:
        raise TypeError(f"only optional values may be unions: {declared!r}")
    return kinds[0]


@cache
def verb_of(action_type: type[Action]) -> str:
    """Return the first word of an action type's text."""
    tag = action_type.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def write_action(action: Action) -> str:
    """Return the text of an action: its verb, then its fields."""
    fields = fields_of(type(action))
    parts = [field.write(getattr(action, field.name)) for field in fields]
    while parts and parts[-1] == ABSENT_MARK and fields[len(parts) - 1].is_optional:
        parts.pop()
    return " ".join((verb_of(type(action)), *parts))


class Notation:
    """Parses the actions of one game."""

    def __init__(self, game: AnyGame) -> None:
        """Index the verbs.  Raises ValueError if two action types of the game share one."""
        action_types: tuple[type[Action], ...] = (*game.action_types, *game.outcome_types, Resign)
        self._types_by_verb: Mapping[str, type[Action]] = {verb_of(each): each for each in action_types}
        if len(self._types_by_verb) != len(action_types):
            raise ValueError(f"{game.key}: two action types share a verb")
        self.text_reader = TypedTextReader(game.words.typed_signs, game.words.typed_phrases)
        self._names: Mapping[str, Mapping[str, str]] = game.words.typed_names
        self._verb_texts: Mapping[type[Action], VerbTexts] = game.words.verb_texts

    def replace_signs(self, text: str) -> str:
        """Return a typed text with what its signs and phrases stand for: C for ♣, JC for "jack of clubs"."""
        return " ".join(self.text_reader.read(text).written)

    def parse(self, text: str) -> Action:
        """Parse the full form.  Raises MalformedAction."""
        words = text.split()
        return self._parse_words(words, words)

    def _parse_words(self, written: Sequence[str], typed: Sequence[str]) -> Action:
        """Parse the full form.  Raises MalformedAction, which quotes the words as they were typed."""
        verb, *parts = written or [""]
        action_type = self._types_by_verb.get(verb.lower())
        if action_type is None:
            raise MalformedAction(f"I don't understand “{''.join(typed[:1])[:_MAX_STRING_LENGTH]}”.")
        fields = fields_of(action_type)
        while len(parts) < len(fields) and fields[len(parts)].is_optional:
            parts.append(ABSENT_MARK)
        if len(parts) != len(fields):
            fields_text = listed([field.description for field in fields]) or "nothing more"
            raise MalformedAction(f"After “{typed[0]}”, write: {fields_text}.")
        values = []
        for i, (field, word) in enumerate(zip(fields, parts, strict=True), 1):
            try:
                values.append(field.parse(word))
            except MalformedAction:
                if typed[i] == word:
                    raise
                raise MalformedAction(f"“{typed[i]}” is not a valid {field.name}.") from None
        return action_type(*values)

    def parse_typed(self, text: str, legal: Sequence[Action]) -> Action:
        """Parse what a user typed, given the legal actions: case is ignored and words may be left out.

        The game's signs may be written, such as those of suits, and blanks in place of hyphens.  Raises
        MalformedAction or AmbiguousAction.  A well-formed action that is not legal is returned, so that the
        rules can say why not.
        """
        words_of_text = self.text_reader.read(text)
        written_words = [word.casefold() for word in words_of_text.written]
        if not written_words:
            raise MalformedAction("You did not type a move.")
        spellings = [
            (action, write_action(spelling).casefold().split())
            for action in legal
            for spelling in action.spellings()
        ]
        for action, words in spellings:
            if words == written_words:
                return action
        try:
            return self._parse_words(
                *words_of_text
            )  # a complete text is never taken for the short form of another
        except MalformedAction as error:
            malformed = error
        candidates = short_form_candidates(written_words, spellings) or short_form_candidates(
            _split_at_hyphens(written_words),
            [(action, _split_at_hyphens(words)) for action, words in spellings],
        )
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise AmbiguousAction("Several moves have these words.", candidates)
        verb = written_words[0]
        if verb in self._types_by_verb and all(words[0] != verb for _, words in spellings):
            quoted_verb = words_of_text.typed[0]
            raise MalformedAction(f"“{quoted_verb}” is not possible now.")
        raise malformed

    def names_of(self, field: Field) -> Mapping[str, str]:
        """Return the names that texts give to the values of a field, by how the values are written."""
        return self._names.get(field.name, {})

    def word_for(self, action_type: type[Action]) -> str:
        """Return the word with which the texts of an action type begin, such as "take"; it may be shared."""
        texts = self._verb_texts.get(action_type)
        return verb_of(action_type) if texts is None else texts.label.split()[0].casefold()


def short_form_candidates(
    written_words: Sequence[str], spellings: Sequence[tuple[Action, Sequence[str]]]
) -> list[Action]:
    """Return the actions that a short form may mean: if it begins with a verb, those of that verb alone.

    If all are of one type, an optional field that is not typed counts as absent: the shortest are meant.
    """
    if not written_words:
        return []
    fitting = [(action, words) for action, words in spellings if is_subsequence(written_words, words)]
    with_verb = [action for action, words in fitting if words[0] == written_words[0]]
    candidates = list(dict.fromkeys(with_verb or (action for action, _ in fitting)))
    if len({type(action) for action in candidates}) > 1:
        return candidates
    shortest = min((len(write_action(action).split()) for action in candidates), default=0)
    return [action for action in candidates if len(write_action(action).split()) == shortest]


def normalize_spelling(action: Action, legal: Sequence[Action]) -> Action:
    """Return the legal action of which this action is a spelling; the action itself if there is none."""
    return next((choice for choice in legal if action in choice.spellings()), action)


def spellings_with(legal: Sequence[Action], field_texts: Mapping[str, str]) -> tuple[Action, ...]:
    """Return the spellings that have these texts in these fields, whatever the case.

    ``legal``: actions of one type.
    """
    return tuple(
        spelling
        for action in legal
        for spelling in action.spellings()
        if all(
            field.write(getattr(spelling, field.name)).casefold() == field_texts[field.name].casefold()
            for field in fields_of(type(spelling))
            if field.name in field_texts
        )
    )


def _split_at_hyphens(words: Sequence[str]) -> list[str]:
    return " ".join(words).replace("-", " ").split()
