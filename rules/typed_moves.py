"""What a user typed as a move: notation, the words of its buttons or its label, or the names of its parts."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import structs

from rules.errors import AmbiguousAction, GuessedAction, MalformedAction
from rules.game import AnyGame
from rules.model import Action, Names, View
from rules.move_search import WORD_PART_PATTERN, MoveSearch, MoveWords, split_words
from rules.move_spellings import MoveSpellings, Spelling
from rules.move_texts import MoveTexts
from rules.move_wordings import MoveWordings, Wording
from rules.notation import (
    BOOL_WORDS,
    fields_of,
    normalize_spelling,
    verb_of,
)
from rules.text import listed
from rules.typed_actions import TypedActionReader
from rules.typed_fillers import without_fillers
from rules.typed_refusals import PASSING_WORD, MissingKind, TypedRefusals
from rules.typed_text import LINKING_WORDS, is_question
from rules.typed_values import PlainWords, readers_of

_VAGUE_WORDS: Final = LINKING_WORDS | frozenset(BOOL_WORDS)
"""Words that alone mean no move, even where only one has them."""

_NEGATIONS: Final = frozenset(("no", "not", "without"))
"""Words without which a label would mean the opposite."""


class TypedMoveReader:
    """Reads moves that are typed while these actions are legal."""

    def __init__(self, game: AnyGame, view: View, legal: Sequence[Action], names: Names) -> None:
        """Read for who sees ``view``; ``names``: the players'.

        Words of the actions, verb by verb, are made once needed, and kept.
        """
        action_types = list(game.words.verb_texts)
        legal = sorted(legal, key=lambda action: action_types.index(type(action)))
        self._game, self._view, self._legal, self._names = game, view, legal, names
        self._notation, self._values = readers_of(game)
        self._words_of = self._values.words_of
        self._wordings = MoveWordings(game, view, legal, names, self._notation, self._values)
        self._spellings = MoveSpellings(game, legal, self._notation, self._values)
        self._search = MoveSearch(self._list_move_words)
        self._texts = MoveTexts(game, view, legal, names)
        self._refusals = TypedRefusals(
            game, view, legal, self._notation, self._values, self._search, self._texts
        )
        self._actions = TypedActionReader(
            game,
            view,
            legal,
            names,
            self._notation,
            self._values,
            self._spellings,
            self._refusals,
        )

    def read(self, text: str) -> Action:
        """Return the action that a user typed: in notation, in words of buttons or its label, or with names.

        Of a label the beginning is enough, or some of its words but all its numbers, other than those of
        names.  Words such as "please" count as not typed.  A well-formed action that is not legal is
        returned, so that the rules can say why not.  Raises MalformedAction, or AmbiguousAction if several
        legal actions have these words.

        A legal action is only guessed if misspelt words were read as the most similar ones, of a question,
        of words such as "no" alone, of a label without its "no", without its verb if it is rarely wanted, and
        with a verb that may mean another: raises GuessedAction.
        """
        action = self._read_plain(text)
        if action in self._legal and self._is_doubtful(text, action):
            raise self._texts.guess_of(action)
        if action not in self._legal and (error := self._refusals.plain_word_error(action, text)):
            raise error
        return action

    def _is_doubtful(self, text: str, action: Action) -> bool:
        """Whether a text asks about a legal action, has no own words, or words that may mean another.

        "Feed" is no clear part of "Feed no species".
        """
        label = self._texts.label(action)
        asks = is_question(text) and not is_question(label)
        if asks or _VAGUE_WORDS.issuperset(self._words_of(text)):
            return True
        typed, label_words = self._words_of(self._plain_text(text)), self._words_of(label)
        if not _NEGATIONS.isdisjoint({*label_words} - {*typed}) and {*typed} <= {*label_words}:
            return True
        begins_as_label = typed[:1] == label_words[:1]
        return not begins_as_label and self._spellings.has_unclear_verb(typed, action)

    def _read_plain(self, text: str) -> Action:
        """Return the action of a text, whether it asks or not.  Raises as ``read``."""
        text = self._plain_text(text)
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

    def _plain_text(self, text: str) -> str:
        """Return a text without words that say nothing of its move, with verbs such as "sail" for "sails"."""
        plain_text = without_fillers(text, self._search.begins_move, self._search.holds_word)
        return " ".join(self._refusals.verb_without_ending(word) or word for word in plain_text.split())

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
            raise self._texts.guess_of(action)
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
            # A field of any text also takes the name of what it means, and a word such as "on".
            typed = self._words_of(text)
            is_legal = normalize_spelling(action, self._legal) in self._legal
            if is_legal:
                return self._require_meant(action, typed)
            found = self._find_by_name(text)
            if found is None and self._actions.without_links_behind_verb(typed) != typed:
                found = self._find_by_words(text)
            if found is None and (guess := self._refusals.sentence_guess(text)):
                raise guess from None
            return self._in_capitals(action) if found is None else found
        return found

    def _in_capitals(self, action: Action) -> Action:
        """Return an illegal action with its codes in capitals, so that it is not refused for their case."""
        codes = {
            field.name: value.upper()
            for field in fields_of(type(action))
            if isinstance(value := getattr(action, field.name), str)
            and field.kind is str
            and value not in self._notation.names_of(field)
        }
        return structs.replace(action, **codes)

    def _require_meant(self, action: Action, typed: PlainWords) -> Action:
        """Return a legal action of which this is the notation, maybe in a short form.

        Raises AmbiguousAction if others begin so: "plan" is short for a card played without effect, but also
        how "Plan: new die" begins.  Raises GuessedAction if it is rarely wanted and its verb is missing.
        """
        self._require_one(self._with_actions_by_beginning([action], typed))
        action = normalize_spelling(action, self._legal)
        self._require_verb_if_rare(action, typed)
        return action

    def _require_verb_if_rare(self, action: Action, typed: PlainWords) -> None:
        """Raise GuessedAction for a legal action that is rarely wanted and whose verb is missing."""
        has_verb = any(word in self._spellings.first_words(type(action)) for word in typed[:1])
        if not has_verb and self._texts.is_rarely_wanted(action):
            raise self._texts.guess_of(action)

    def suggest(self, text: str) -> list[Action]:
        """Return the legal actions that hold the words typed so far, after those as which these are read.

        Of a text that means what cannot be done now, only those that begin so or have these words as their
        own: "sail to San Francisco" is no voyage elsewhere with trash for a contract of that name.
        """
        words, is_possible = self._searched_words(text), True
        meant: list[Action] = []
        try:
            action = normalize_spelling(self.read(text), self._legal)
            is_possible = action in self._legal
            meant = [action] if is_possible else []
        except AmbiguousAction as error:
            meant = list(error.actions)
        except GuessedAction as guess:
            meant = [guess.action]
        except MissingKind:
            is_possible = False
        except MalformedAction:
            pass
        fitting = self._search.find(words)
        if not is_possible:
            own = {*self._search.find(words, own_words_only=True), *self._wordings.find_unfinished(text)}
            fitting = [each for each in fitting if each in own]
        return list(dict.fromkeys((*(each for each in meant if each in self._legal), *fitting)))

    def _searched_words(self, text: str) -> PlainWords:
        return tuple(split_words(self._words_of(self._plain_text(text))))

    def _list_move_words(self) -> Sequence[MoveWords]:
        return list(map(self._move_words, self._wordings.wordings, self._spellings.spellings))

    def _move_words(self, wording: Wording, spellings: Sequence[Spelling]) -> MoveWords:
        """Return the words of an action: its notation, verb, names and phrases, and its label and buttons."""
        action, label_words = wording.action, self._words_of(wording.labels[0])
        texts = self._game.words.verb_texts.get(type(action))
        phrases = self._notation.text_reader.words_by_text
        first_words = self._spellings.first_words(type(action))
        own_words = [*first_words, *self._words_of("" if texts is None else texts.label)]
        own_words += (word for field in fields_of(type(action)) for word in field.name.split("_"))
        own_words += [PASSING_WORD] if isinstance(action, self._game.words.passing_types) else []
        for spelling in spellings:
            own_words += spelling.words
            own_words += (word for _, item in spelling.values for word in phrases.get(item, ()))
        own = frozenset(split_words(own_words))
        shown_words = {word for words in wording.full_wordings for word in words}
        return MoveWords(
            action,
            frozenset(split_words((*first_words, *label_words[:1]))),
            own,
            own.union(split_words(shown_words)),
        )

    def _find_by_words(self, text: str) -> Action | None:
        """Return the action whose words these are.  Raises MalformedAction, AmbiguousAction."""
        typed = self._words_of(text)
        if not typed:
            return None
        illegal_type = self._illegal_type_of_verb(typed)
        for find in (
            self._wordings.find_by_full_wording,
            self._actions_by_button_or_beginning,
            self._find_by_names,
            self._wordings.find_by_beginning,
            self._spellings.find_whole_list,
        ):
            if fitting := find(typed):
                return self._require_one(fitting)
        fitting = [] if illegal_type else self._wordings.find_by_part(text)
        found = fitting[0] if len(fitting) == 1 else None
        for words in dict.fromkeys((typed, self._actions.without_links_behind_verb(typed))):
            found = found or self._actions.read_by_values(words, text, also_by_first_field=True)
        if (found := found or self._actions.read_with_verb_behind(typed)) is None:
            return self._find_unclear(text, typed, illegal_type)
        is_legal = normalize_spelling(found, self._legal) in self._legal
        if not is_legal and (guess := self._refusals.guess_error(text)):
            raise guess
        return found

    def _find_unclear(self, text: str, typed: PlainWords, illegal_type: type[Action] | None) -> Action | None:
        """Return the illegal action that these words mean.  Raises what says more than the notation's reason.

        A verb of an illegal type alone means no other action.
        """
        is_verb_alone = illegal_type is not None and len(typed) == 1
        if not is_verb_alone and (error := self._refusals.unclear_error(text)):
            raise error
        if found := self._actions.read_in_any_order(typed):
            return found
        if error := (
            self._refusals.unknown_error(text)
            if illegal_type is None
            else self._refusals.illegal_type_error(illegal_type, text)
        ):
            raise error
        return None

    def _illegal_type_of_verb(self, typed: PlainWords) -> type[Action] | None:
        """Return the type with this verb in front, if no legal action may begin with any of the words."""
        legal_types = self._spellings.legal_types
        if any(
            word in self._spellings.first_words(action_type) for action_type in legal_types for word in typed
        ):
            return None
        return next(
            (action_type for action_type in self._game.action_types if verb_of(action_type) == typed[0]), None
        )

    def _find_by_full_wording(self, text: str) -> Action | None:
        """Return the action whose whole label, or all of whose buttons, say this.  Raises AmbiguousAction."""
        fitting = self._wordings.find_by_full_wording(self._words_of(text))
        return self._require_one(fitting) if fitting else None

    def _find_by_name(self, text: str) -> Action | None:
        """Return the action of these names, or with these words on its label or button, legal or not."""
        typed = self._words_of(text)
        if (
            fitting := self._wordings.find_by_full_wording(typed)
            or self._wordings.find_by_button(typed)
            or self._find_by_names(typed)
            or self._spellings.find_whole_list(typed)
        ):
            return self._require_one(fitting)
        return self._actions.read_by_values(typed, text)

    def _find_by_names(self, typed: PlainWords) -> Sequence[Action]:
        """Return the legal actions that these names stand for.

        Raises GuessedAction for the only one if it is rarely wanted and its verb is missing: "Callao" in port
        may mean the port, not that a contract is discarded.
        """
        fitting = self._spellings.find_by_names(typed)
        if len(fitting) == 1:
            self._require_verb_if_rare(fitting[0], typed)
        return fitting

    def _require_one(self, fitting: Sequence[Action]) -> Action:
        """Return the only one of some actions.  Raises AmbiguousAction."""
        if len(fitting) > 1:
            raise self._texts.ambiguity_error(fitting)
        return fitting[0]

    def _actions_by_button_or_beginning(self, typed: PlainWords) -> Sequence[Action]:
        fitting = self._wordings.find_by_button(typed)
        return self._with_actions_by_beginning(fitting, typed) if fitting else fitting

    def _with_actions_by_beginning(self, actions: Sequence[Action], typed: PlainWords) -> Sequence[Action]:
        """Return the actions that typed words may mean, with those whose label or button begins with them."""
        by_beginning = self._wordings.find_by_beginning(typed)
        return list(dict.fromkeys((*actions, *by_beginning)))
