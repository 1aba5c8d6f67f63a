"""The words of legal actions on labels and buttons, and the actions that typed words stand for there."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from rules.game import AnyGame
from rules.model import Action, Names, View
from rules.notation import ABSENT_MARK, ITEM_SEPARATOR, Field, Notation, fields_of, write_action
from rules.paths import PathSteps, path_to
from rules.typed_text import holds_numbers, is_part
from rules.typed_values import PlainWords, ValueReader

_BEGINNING_END: Final = re.compile(r"[,:] | \(")
"""Where the typed beginning of a label may end."""

FieldValue: TypeAlias = tuple[Field, str]
"""A value in an action, or an item of a list, as it is written, with its field."""


class Wording(NamedTuple):
    """What labels and buttons say of a legal action."""

    action: Action
    labels: tuple[str, ...]
    """Its label, and what people may type in place of it."""
    full_wordings: frozenset[PlainWords]
    """The words of its labels, of all buttons that lead to it, and of its verb if that has no fields."""
    button_texts: tuple[str, ...]
    """What a button on the way to it may say."""


class MoveWordings:
    """Finds legal actions by what their labels and buttons say."""

    def __init__(
        self,
        game: AnyGame,
        view: View,
        legal: Sequence[Action],
        names: Names,
        notation: Notation,
        values: ValueReader,
    ) -> None:
        """``view``: of who may choose one of the ``legal`` actions; the words are made once needed."""
        self._game, self._view, self._legal, self._names = game, view, legal, names
        self._notation, self._words_of = notation, values.words_of

    @cached_property
    def wordings(self) -> Sequence[Wording]:
        """Those of each legal action."""
        return [self._wording(action) for action in self._legal]

    def _wording(self, action: Action) -> Wording:
        words = self._game.words
        labels = (
            words.label(self._view, action, self._names),
            *words.typed_wordings(self._view, action),
        )
        paths = [path_to(self._game, self._view, spelling, self._names) for spelling in action.spellings()]
        button_wordings = (" ".join(step.label for step in path) for path in paths)
        return Wording(
            action,
            labels,
            frozenset(map(self._words_of, (*labels, *button_wordings, *self._verb_labels(action)))),
            tuple(dict.fromkeys(text for path in paths for text in _button_texts(path))),
        )

    def _verb_labels(self, action: Action) -> tuple[str, ...]:
        """Return the label of a verb without fields, which stands in examples; it says all."""
        texts = self._game.words.verb_texts.get(type(action))
        return () if texts is None or fields_of(type(action)) else (texts.label,)

    def find_by_full_wording(self, typed: PlainWords) -> list[Action]:
        """Return the actions whose whole label, or all of whose buttons, say this."""
        return [each.action for each in self.wordings if typed in each.full_wordings]

    def find_by_button(self, typed: PlainWords) -> Sequence[Action]:
        """Return the actions to which a button of these words leads."""
        return self._actions_of_buttons.get(typed, ())

    @cached_property
    def _actions_of_buttons(self) -> Mapping[PlainWords, Sequence[Action]]:
        return group_actions(
            (self._words_of(text), each.action) for each in self.wordings for text in each.button_texts
        )

    def find_by_beginning(self, typed: PlainWords) -> Sequence[Action]:
        """Return the actions whose label or button begins so, up to a comma, a colon or a parenthesis."""
        return self._actions_of_beginnings.get(typed, ())

    @cached_property
    def _actions_of_beginnings(self) -> Mapping[PlainWords, Sequence[Action]]:
        return group_actions(
            (self._words_of(text[: end.start()]), each.action)
            for each in self.wordings
            for text in (*each.labels, *each.button_texts)
            for end in _BEGINNING_END.finditer(text)
        )

    def find_unfinished(self, text: str) -> list[Action]:
        """Return the actions whose label, or all of whose buttons, begin with a text."""
        typed_text = " ".join(self._words_of(text))
        return [
            each.action
            for each in self.wordings
            if any(" ".join(words).startswith(typed_text) for words in each.full_wordings)
        ]

    def find_by_part(self, text: str) -> list[Action]:
        """Return the actions in whose label these words stand, with all numbers that end no name in it.

        Of several the shortest are meant.
        """
        return with_fewest_values(
            [
                each.action
                for each in self.wordings
                if any(
                    is_part(text, label) and holds_numbers(text, self._with_short_names(label, each.action))
                    for label in each.labels
                )
            ]
        )

    def _with_short_names(self, label: str, action: Action) -> str:
        """Return a label without the numbers at the ends of the names of its action's values."""
        for field, item in values_of(action):
            name = self._notation.names_of(field).get(item, "").partition(" (")[0]
            label = label.replace(name, name.rstrip("0123456789 "))
        return label


def group_actions(pairs: Iterable[tuple[PlainWords, Action]]) -> Mapping[PlainWords, Sequence[Action]]:
    """Return the actions of the same words, each once, in their order.

    ``pairs``: those of an action follow each other.
    """
    actions_by_words: dict[PlainWords, list[Action]] = {}
    for words, action in pairs:
        actions = actions_by_words.setdefault(words, [])
        if not actions or actions[-1] is not action:  # to compare or to hash actions would take longer
            actions.append(action)
    return actions_by_words


def _button_texts(path: PathSteps) -> Iterator[str]:
    """Yield what a button on this path may say: steps that follow each other, or its shortcut."""
    for start in range(len(path)):
        for end in range(start + 1, len(path) + 1):
            yield " ".join(step.label for step in path[start:end])
    if path[-1].shortcut:
        yield path[-1].shortcut


def with_fewest_values(actions: Sequence[Action]) -> list[Action]:
    """Return the actions with the fewest values."""
    counts = [len(list(values_of(action))) for action in actions]
    return [action for action, count in zip(actions, counts, strict=True) if count == min(counts)]


def values_of(action: Action) -> Iterator[FieldValue]:
    """Yield each value in an action as it is written, with its field."""
    for field, part in zip(fields_of(type(action)), write_action(action).split()[1:], strict=False):
        yield from ((field, item) for item in part.split(ITEM_SEPARATOR) if item != ABSENT_MARK)
