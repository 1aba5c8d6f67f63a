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
from rules.game import (
    CHANCE,
    MODERATOR,
    SEAT_LETTERS,
    Action,
    AnyGame,
    Names,
    Resign,
    Seat,
    View,
    group_by_type,
)
from rules.text import listed, shortened

ABSENT_MARK: Final = "-"
EMPTY_TUPLE: Final = "()"
ITEM_SEPARATOR: Final = ","
ACTION_SEPARATOR: Final = ";"
"""Between several actions on one typed line."""
CHANCE_MARK: Final = "*"
MODERATOR_MARK: Final = "~"
_BOOL_WORDS: Final = {"yes": True, "no": False}
_ACTOR_MARKS: Final = {CHANCE: CHANCE_MARK, MODERATOR: MODERATOR_MARK}
_MAX_NAMED_ACTIONS: Final = 5
_MAX_DIGITS: Final = 9
_MAX_STRING_LENGTH: Final = 24
_EMOJI_MARK: Final = "\ufe0f"
"""What phones write behind a sign that is to look like an emoji."""


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
                return _BOOL_WORDS[text.lower()]
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
        self._texts_by_sign = str.maketrans({**game.words.typed_signs, _EMOJI_MARK: None})

    def replace_signs(self, text: str) -> str:
        """Return a typed text with what its signs stand for, such as C for ♣."""
        return text.translate(self._texts_by_sign)

    def parse(self, text: str) -> Action:
        """Parse the full form.  Raises MalformedAction."""
        verb, *parts = text.split() or [""]
        action_type = self._types_by_verb.get(verb.lower())
        if action_type is None:
            raise MalformedAction(f"I don't understand “{verb[:_MAX_STRING_LENGTH]}”.")
        fields = fields_of(action_type)
        while len(parts) < len(fields) and fields[len(parts)].is_optional:
            parts.append(ABSENT_MARK)
        if len(parts) != len(fields):
            fields_text = listed([field.description for field in fields]) or "nothing more"
            raise MalformedAction(f"After “{verb}”, write: {fields_text}.")
        values = (field.parse(word) for field, word in zip(fields, parts, strict=True))
        return action_type(*values)

    def parse_typed(self, text: str, legal: Sequence[Action]) -> Action:
        """Parse what a user typed, given the legal actions: case is ignored and words may be left out.

        The game's signs may be written, such as those of suits, and blanks in place of hyphens.  Raises
        MalformedAction or AmbiguousAction.  A well-formed action that is not legal is returned, so that the
        rules can say why not.
        """
        text = self.replace_signs(text)
        typed_words = text.casefold().split()
        if not typed_words:
            raise MalformedAction("You did not type a move." + _example_sentence(legal))
        spellings = [
            (action, write_action(spelling).casefold().split())
            for action in legal
            for spelling in action.spellings()
        ]
        for action, words in spellings:
            if words == typed_words:
                return action
        try:
            return self.parse(text)  # a complete text is never taken for the short form of another
        except MalformedAction as error:
            malformed = error
        candidates = _short_form_candidates(typed_words, spellings) or _short_form_candidates(
            _split_at_hyphens(typed_words),
            [(action, _split_at_hyphens(words)) for action, words in spellings],
        )
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            named = [f"`{write_action(action)}`" for action in candidates[:_MAX_NAMED_ACTIONS]]
            more = ["another move"] if len(candidates) > _MAX_NAMED_ACTIONS else []
            raise AmbiguousAction(f"That could be {listed([*named, *more], 'or')}. Write the whole move.")
        verb = typed_words[0]
        if verb in self._types_by_verb and all(words[0] != verb for _, words in spellings):
            raise MalformedAction(f"You cannot “{verb}” now.{_example_sentence(legal)}")
        if verb not in self._types_by_verb and any(verb in words for _, words in spellings):
            raise MalformedAction(
                f"No possible move has “{shortened(text.strip(), _MAX_STRING_LENGTH)}” in it."
                f" Type the whole move to read why.{_example_sentence(legal)}"
            )
        raise MalformedAction(f"{malformed}{_example_sentence(legal, verb)}")


def find_by_label(
    game: AnyGame, view: View, legal: Sequence[Action], names: Names, text: str
) -> Action | None:
    """Return the legal action that a user typed in the words of its label or its buttons.

    None unless exactly one fits.  Words may be left out of a label, but no numbers: in "A1 ages 5: 3 left" a
    3 alone is no amount.  After a verb that no legal action has, only a whole label is understood.
    """
    typed_words = _words_of_label(text)
    if not typed_words:
        return None
    labels = [(action, _words_of_label(game.words.label(view, action, names))) for action in legal]
    fitting = [action for action, words in labels if words == typed_words]
    legal_verbs = {verb_of(type(action)) for action in legal}
    if not fitting and typed_words[0] not in set(map(verb_of, game.action_types)) - legal_verbs:
        fitting = [action for action in legal if typed_words in _button_words(game, view, action, names)]
        fitting = fitting or [action for action, words in labels if _is_part_of_label(typed_words, words)]
    return fitting[0] if len(fitting) == 1 else None


def _button_words(game: AnyGame, view: View, action: Action, names: Names) -> tuple[list[str], ...]:
    """Return the words of the last button that leads to an action, and those of all that do."""
    if game.words.path is None:
        return ()
    labels = [step.label for step in game.words.path(view, action, names)]
    return _words_of_label(labels[-1]), _words_of_label(" ".join(labels))


def _is_part_of_label(typed_words: Sequence[str], words: Sequence[str]) -> bool:
    typed_numbers, numbers = (list(filter(_has_digit, each)) for each in (typed_words, words))
    return typed_numbers == numbers != typed_words and _is_subsequence(typed_words, words)


def _has_digit(word: str) -> bool:
    return any(map(str.isdecimal, word))


def _words_of_label(text: str) -> list[str]:
    """Return the words of a label or a typed text without case and punctuation."""
    words = (word.strip(".,:;!?…“”\"'()") for word in text.replace(_EMOJI_MARK, "").casefold().split())
    return [word for word in words if word]


def _short_form_candidates(
    typed_words: Sequence[str], spellings: Sequence[tuple[Action, Sequence[str]]]
) -> list[Action]:
    """Return the actions that a short form may mean: if it begins with a verb, those of that verb alone.

    If all are of one type, an optional field that is not typed counts as absent: the shortest are meant.
    """
    if not typed_words:
        return []
    fitting = [(action, words) for action, words in spellings if _is_subsequence(typed_words, words)]
    with_verb = [action for action, words in fitting if words[0] == typed_words[0]]
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


def _is_subsequence(part: Sequence[str], whole: Sequence[str]) -> bool:
    rest = iter(whole)
    return all(word in rest for word in part)


def example_text(legal: Sequence[Action], verb: str = "") -> str:
    """Return the text of a legal action with this verb; if there is none, of the kind that has most choices.

    It is the one in the middle of its kind, and without fields only where no action has any.  Raises
    ValueError if nothing is legal.
    """
    groups = group_by_type([each for each in legal if verb_of(type(each)) == verb] or legal)
    group = max(groups, key=_example_rank)
    return write_action(group[len(group) // 2])


def _example_rank(group: Sequence[Action]) -> tuple[bool, int]:
    """Return what makes actions of one type good examples: that they have fields, then their number."""
    return bool(fields_of(type(group[0]))), len(group)


def _example_sentence(legal: Sequence[Action], verb: str = "") -> str:
    return f" Try, for example, `{example_text(legal, verb)}`." if legal else ""
