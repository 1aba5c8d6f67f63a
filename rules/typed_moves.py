"""What a user typed as a move: notation, the words of its buttons or its label, or the names of its parts."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from rules.errors import AmbiguousAction, GuessedAction, MalformedAction, RulesError
from rules.game import Action, AnyGame, Names, View
from rules.move_search import WORD_PART_PATTERN, MoveSearch, MoveWords, split_words
from rules.move_texts import MoveTexts
from rules.notation import (
    ABSENT_MARK,
    ITEM_SEPARATOR,
    Field,
    Notation,
    fields_of,
    normalize_spelling,
    short_form_candidates,
    verb_of,
    write_action,
)
from rules.paths import PathSteps, path_to
from rules.text import listed
from rules.typed_refusals import PASSING_WORD, MissingKind, TypedRefusals
from rules.typed_text import is_part_with_numbers
from rules.typed_values import PlainWords, ValueReader

_BEGINNING_END: Final = re.compile(r"[,:] | \(")
"""Where the typed beginning of a label may end."""


def read_typed_move(game: AnyGame, view: View, legal: Sequence[Action], names: Names, text: str) -> Action:
    """Return the action that a user typed: in notation, in the words of its buttons or label, or with names.

    Of a label the beginning is enough, or some of its words but all its numbers.  A well-formed action that
    is not legal is returned, so that the rules can say why not.  Raises MalformedAction, or AmbiguousAction
    if several legal actions have these words.
    """
    return TypedMoveReader(game, view, legal, names).read(text)


class _Wording(NamedTuple):
    """What labels and buttons say of a legal action."""

    action: Action
    label: str
    full_wordings: frozenset[PlainWords]
    """The words of its label, of all buttons that lead to it, and of its verb if that has no fields."""
    button_texts: tuple[str, ...]
    """What a button on the way to it may say."""


class TypedMoveReader:
    """Reads moves that are typed while these actions are legal."""

    def __init__(self, game: AnyGame, view: View, legal: Sequence[Action], names: Names) -> None:
        """Read for who sees ``view``.  Words of the actions, verb by verb, are made once needed, and kept."""
        self._notation, kinds = Notation(game), list(game.words.verb_texts)
        legal = sorted(legal, key=lambda action: kinds.index(type(action)))
        self._game, self._view, self._legal, self._names = game, view, legal, names
        self._values = ValueReader(self._notation)
        self._words_of = self._values.words_of
        self._first_words_by_kind: dict[type[Action], tuple[str, ...]] = {}
        self._search = MoveSearch(self._list_move_words)
        self._texts = MoveTexts(game, view, legal, names)
        self._refusals = TypedRefusals(
            game, view, legal, self._notation, self._values, self._search, self._texts
        )

    def read(self, text: str) -> Action:
        """Return the action of a text, as ``read_typed_move`` does, with its errors.

        If it has none, misspelt words are read as the most similar ones, and a legal action is only guessed.
        """
        try:
            action = normalize_spelling(self._read(text), self._legal)
        except (GuessedAction, MissingKind):
            raise
        except MalformedAction:
            if not (corrections := self._refusals.correct_spelling(text)):
                raise
        else:
            if action in self._legal or not (corrections := self._refusals.correct_spelling(text)):
                return action
        return self._read_corrected(text, corrections)

    def _read_corrected(self, text: str, corrections: Mapping[str, str]) -> Action:
        """Return the illegal action that a text means with some words corrected.

        Raises as ``read``, and GuessedAction for a legal action.
        """

        def correct(part: re.Match[str]) -> str:
            return corrections.get("".join(self._words_of(part[0])), part[0])

        corrected_text = WORD_PART_PATTERN.sub(correct, text)
        try:
            action = normalize_spelling(self._read(corrected_text), self._legal)
        except GuessedAction:
            raise
        except MalformedAction as error:
            readings = listed([f"“{typed}” as “{read}”" for typed, read in corrections.items()])
            raise MalformedAction(f"I read {readings}. {error}") from None
        if action in self._legal:
            raise self._refusals.guess_of(action)
        return action

    def _read(self, text: str) -> Action:
        try:
            action = self._notation.parse_typed(text, self._legal)
        except AmbiguousAction as error:
            if (found := self._find_by_full_wording(text)) is None:
                raise self._texts.ambiguity_error(error.actions) from None
        except MalformedAction as error:
            if (found := self._find_by_words(text)) is None:
                raise MalformedAction(f"{error}{self._texts.example_sentence()}") from None
        else:
            # A field of any text also takes the name of what it means.
            is_legal = normalize_spelling(action, self._legal) in self._legal
            found = None if is_legal else self._find_by_name(text)
            return action if found is None else found
        return found

    def suggest(self, text: str) -> list[Action]:
        """Return the legal actions that hold the words typed so far, after those as which these are read."""
        try:
            meant = [normalize_spelling(self.read(text), self._legal)]
        except AmbiguousAction as error:
            meant = list(error.actions)
        except GuessedAction as guess:
            meant = [guess.action]
        except MalformedAction:
            meant = []
        fitting = self._search.find(self._searched_words(text))
        return list(dict.fromkeys((*(each for each in meant if each in self._legal), *fitting)))

    def _searched_words(self, text: str) -> PlainWords:
        return tuple(split_words(self._words_of(text)))

    def _list_move_words(self) -> Sequence[MoveWords]:
        return [self._move_words(each) for each in self._wordings]

    def _move_words(self, wording: _Wording) -> MoveWords:
        """Return the words of an action: its notation, verb, names and phrases, and its label and buttons."""
        action, label_words = wording.action, self._words_of(wording.label)
        texts = self._game.words.verb_texts.get(type(action))
        phrases = self._notation.text_reader.words_by_text
        first_words = self._first_words(type(action))
        own_words = [*first_words, *self._words_of("" if texts is None else texts.label)]
        own_words += [PASSING_WORD] if isinstance(action, self._game.words.passing_types) else []
        for spelling in action.spellings():
            own_words += self._all_words(spelling)
            own_words += (word for _, item in _items(spelling) for word in phrases.get(item, ()))
        shown_words = {word for words in wording.full_wordings for word in words}
        return MoveWords(
            action,
            frozenset(split_words((*first_words, *label_words[:1]))),
            frozenset(split_words(own_words)),
            frozenset(split_words({*own_words, *shown_words})),
        )

    @cached_property
    def _wordings(self) -> Sequence[_Wording]:
        return [self._wording(action) for action in self._legal]

    def _wording(self, action: Action) -> _Wording:
        label: str = self._game.words.label(self._view, action, self._names)
        paths = [path_to(self._game, self._view, spelling, self._names) for spelling in action.spellings()]
        button_wordings = (" ".join(step.label for step in path) for path in paths)
        return _Wording(
            action,
            label,
            frozenset(map(self._words_of, (label, *button_wordings, *self._verb_labels(action)))),
            tuple(dict.fromkeys(text for path in paths for text in _button_texts(path))),
        )

    def _verb_labels(self, action: Action) -> tuple[str, ...]:
        """Return the label of a verb without fields, which stands in examples; it says all."""
        texts = self._game.words.verb_texts.get(type(action))
        return () if texts is None or fields_of(type(action)) else (texts.label,)

    def _find_by_words(self, text: str) -> Action | None:
        """Return the action whose words these are.  Raises MalformedAction, AmbiguousAction."""
        typed = self._words_of(text)
        if not typed:
            return None
        missing_kind = self._missing_kind_of_verb(typed[0])
        for find in (
            self._actions_by_full_wording,
            self._actions_by_button,
            self._actions_by_names,
            self._actions_by_beginning,
        ):
            if fitting := find(typed):
                return self._require_one(fitting)
        fitting = [] if missing_kind else self._actions_by_part(text)
        found = fitting[0] if len(fitting) == 1 else None
        found = found or self._read_by_values(typed, text, also_by_first_field=True)
        found = found or self._read_with_verb_behind(typed)
        if found is None:
            refusal = self._refusal(text, missing_kind)
        else:
            is_legal = normalize_spelling(found, self._legal) in self._legal
            refusal = None if is_legal else self._refusals.guess_error(text)
        if refusal is not None:
            raise refusal
        return found

    def _missing_kind_of_verb(self, word: str) -> type[Action] | None:
        """Return the type with this verb, if no legal action may begin with it."""
        if any(word in self._first_words(kind) for kind in self._legal_kinds):
            return None
        return next((kind for kind in self._game.action_types if verb_of(kind) == word), None)

    def _refusal(self, text: str, missing_kind: type[Action] | None) -> RulesError | None:
        """Return why a text is no move, if the notation's reason says less."""
        if missing_kind is not None:
            return self._refusals.missing_kind_error(missing_kind, text)
        return self._refusals.unclear_error(text) or self._refusals.unknown_error(text)

    def _find_by_full_wording(self, text: str) -> Action | None:
        """Return the action whose whole label, or all of whose buttons, say this.  Raises AmbiguousAction."""
        fitting = self._actions_by_full_wording(self._words_of(text))
        return self._require_one(fitting) if fitting else None

    def _find_by_name(self, text: str) -> Action | None:
        """Return the action of these names, or with these words on its label or button, legal or not."""
        typed = self._words_of(text)
        if (
            fitting := self._actions_by_full_wording(typed)
            or self._actions_by_button(typed)
            or self._actions_by_names(typed)
        ):
            return self._require_one(fitting)
        return self._read_by_values(typed, text)

    def _require_one(self, fitting: Sequence[Action]) -> Action:
        """Return the only one of some actions.  Raises AmbiguousAction."""
        if len(fitting) > 1:
            raise self._texts.ambiguity_error(fitting)
        return fitting[0]

    def _actions_by_full_wording(self, typed: PlainWords) -> list[Action]:
        return [each.action for each in self._wordings if typed in each.full_wordings]

    def _actions_by_button(self, typed: PlainWords) -> Sequence[Action]:
        return self._actions_of_buttons.get(typed, ())

    @cached_property
    def _actions_of_buttons(self) -> Mapping[PlainWords, Sequence[Action]]:
        return _group_actions(
            (self._words_of(text), each.action) for each in self._wordings for text in each.button_texts
        )

    def _actions_by_beginning(self, typed: PlainWords) -> Sequence[Action]:
        """Return the actions whose label or button begins so, up to a comma, a colon or a parenthesis."""
        return self._actions_of_beginnings.get(typed, ())

    @cached_property
    def _actions_of_beginnings(self) -> Mapping[PlainWords, Sequence[Action]]:
        return _group_actions(
            (self._words_of(text[: end.start()]), each.action)
            for each in self._wordings
            for text in (each.label, *each.button_texts)
            for end in _BEGINNING_END.finditer(text)
        )

    def _actions_by_part(self, text: str) -> list[Action]:
        """Return the actions in whose label these words stand, with all its numbers."""
        return [each.action for each in self._wordings if is_part_with_numbers(text, each.label)]

    @cached_property
    def _actions_of_names(self) -> Mapping[PlainWords, Sequence[Action]]:
        """The actions by the words that write them, names in place of codes."""
        return _group_actions(
            ((first_word, *self._named_words(spelling)), action)
            for action, spelling in self._spellings()
            for first_word in self._first_words(type(spelling))
        )

    @cached_property
    def _words_with_codes_and_names(self) -> Sequence[tuple[Action, PlainWords]]:
        """All words that write each action, once for each of its first words."""
        return [
            (action, (first_word, *self._all_words(spelling)))
            for action, spelling in self._spellings()
            for first_word in self._first_words(type(spelling))
        ]

    def _actions_by_names(self, typed: PlainWords) -> Sequence[Action]:
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
        fitting = short_form_candidates(typed, self._words_with_codes_and_names)
        fewest = min((len(list(_items(action))) for action in fitting), default=0)
        return [action for action in fitting if len(list(_items(action))) == fewest]

    def _spellings(self) -> Iterator[tuple[Action, Action]]:
        return ((action, spelling) for action in self._legal for spelling in action.spellings())

    def _first_words(self, kind: type[Action]) -> tuple[str, ...]:
        if kind not in self._first_words_by_kind:
            legal_verbs = set(map(verb_of, self._legal_kinds))
            others = (word for word in self._game.words.other_verbs.get(kind, ()) if word not in legal_verbs)
            self._first_words_by_kind[kind] = verb_of(kind), self._notation.word_for(kind), *others
        return self._first_words_by_kind[kind]

    def _named_words(self, action: Action) -> PlainWords:
        """Return the words of an action behind its verb, with names in place of codes."""
        return tuple(
            word
            for field, item in _items(action)
            for word in self._words_of(self._notation.names_of(field).get(item, item))
        )

    def _all_words(self, action: Action) -> PlainWords:
        """Return the words of an action behind its verb, each code with its name.

        Words in parentheses behind a name are left out where they name values of another field: "collect net"
        does not mean plastic for a contract that asks for a net too.
        """
        fields = fields_of(type(action))
        words: list[str] = []
        for field, item in _items(action):
            name, _, detail = self._notation.names_of(field).get(item, "").partition(" (")
            words += (*self._words_of(item), *self._words_of(name))
            if detail:
                others = [self._values.known_words(each) for each in fields if each != field]
                words += (word for word in self._words_of(detail) if not any(word in each for each in others))
        return tuple(words)

    def _read_by_values(
        self, typed: PlainWords, text: str, *, also_by_first_field: bool = False
    ) -> Action | None:
        """Return the action that names write, legal or not; None if these are no names of this game.

        ``also_by_first_field``: less or more may follow the name of the first field than should.
        Raises MalformedAction if a name may stand for several things, none of which can be chosen now.
        """
        kinds, words = self._kinds_meant(self._game.action_types, typed)
        legal_kinds = [kind for kind in self._legal_kinds if kind in kinds]
        if found := self._read_as(legal_kinds, words, text):
            return found
        if also_by_first_field and self._is_beginning(legal_kinds, words):
            return None
        if also_by_first_field and (found := self._read_by_first_field(legal_kinds, words)):
            return found
        return self._read_as([kind for kind in kinds if kind not in legal_kinds], words, text)

    def _read_with_verb_behind(self, typed: PlainWords) -> Action | None:
        """Return the action of words such as "A1 attacks B1", legal or not; None if they are none."""
        if len(typed) < 2:
            return None
        subject, verb, *others = typed
        for kind in self._game.action_types:
            if verb in {verb_of(kind), f"{verb_of(kind)}s"}:
                try:
                    return self._notation.parse(f"{verb_of(kind)} {' '.join((subject, *others)).upper()}")
                except MalformedAction:
                    return None
        return None

    def _is_beginning(self, kinds: Sequence[type[Action]], words: PlainWords) -> bool:
        """Whether a legal action of these types begins with these words."""
        return any(
            value in self._values.read_value(field, words)
            for action in self._legal
            if words and type(action) in kinds
            for field in fields_of(type(action))[:1]
            for value in write_action(action).split()[1:2]
        )

    @cached_property
    def _legal_kinds(self) -> Sequence[type[Action]]:
        return list(dict.fromkeys(map(type, self._legal)))

    def _kinds_meant(
        self, kinds: Sequence[type[Action]], typed: PlainWords
    ) -> tuple[Sequence[type[Action]], PlainWords]:
        """Return the types for which the first word or the name of the first field stands, and what follows.

        Without such a word: the types whose first field says what may stand there, and all words.
        """
        with_word = [kind for kind in kinds if typed[0] in self._first_words(kind)]
        if with_word := with_word or [
            kind for kind in kinds if typed[0] in (each.name for each in fields_of(kind)[:1])
        ]:
            return with_word, typed[1:]
        return [kind for kind in kinds if any(map(self._values.has_known_values, fields_of(kind)[:1]))], typed

    def _read_as(self, kinds: Sequence[type[Action]], words: PlainWords, text: str) -> Action | None:
        """Return the action of the first of these types whose fields these words name or write.

        Raises MalformedAction as ``_read_by_values``.
        """
        for kind in kinds if words else ():
            readings = self._values.read_fields(fields_of(kind), words)
            if len(readings) == 1:
                return self._notation.parse(f"{verb_of(kind)} {readings[0]}")
            if readings:
                of_kind = [each for each in self._legal if isinstance(each, kind)]
                error = self._refusals.unclear_error(text)
                if error is None and not of_kind:
                    error = self._refusals.missing_kind_error(kind, text)
                raise error or self._refusals.not_possible_error(text, of_kind)
        return None

    def _read_by_first_field(self, kinds: Sequence[type[Action]], words: PlainWords) -> Action | None:
        """Return an action whose first field these words begin with, if all are refused for the same reason.

        None if there is no such action or no such reason.
        """
        actions = self._actions_with_typed_first_field(kinds, words)
        refused = [each for each in actions if normalize_spelling(each, self._legal) not in self._legal]
        reasons = {self._game.words.refusal(self._view, each, self._names) for each in refused}
        return refused[0] if len(reasons) == 1 and len(refused) == len(actions) else None

    def _actions_with_typed_first_field(
        self, kinds: Sequence[type[Action]], words: PlainWords
    ) -> Sequence[Action]:
        """Return the actions whose first field these words begin with; their other fields are legal ones'."""
        texts = dict.fromkeys(
            " ".join((verb_of(kind), value, *write_action(action).split()[2:]))
            for kind in kinds
            for field in fields_of(kind)[:1]
            for value in self._values.read_beginning(field, words)
            for action in self._legal
            if type(action) is kind
        )
        return [self._notation.parse(text) for text in texts]


def _group_actions(pairs: Iterable[tuple[PlainWords, Action]]) -> Mapping[PlainWords, Sequence[Action]]:
    """Return the actions of the same words, each once, in their order."""
    actions_by_words: dict[PlainWords, dict[Action, None]] = {}
    for words, action in pairs:
        actions_by_words.setdefault(words, {})[action] = None
    return {words: list(actions) for words, actions in actions_by_words.items()}


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
