"""Legal actions as refusals name them: by their labels, which may be typed."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from rules.errors import AmbiguousAction
from rules.game import Action, AnyGame, Names, View, group_by_type
from rules.notation import ACTION_SEPARATOR, fields_of
from rules.paths import path_to
from rules.text import listed

_MAX_LISTED_CHOICES: Final = 3
"""The most moves that a refusal lists: each may take two lines on a phone."""


class MoveTexts:
    """Writes what may be typed while these actions are legal."""

    def __init__(self, game: AnyGame, view: View, legal: Sequence[Action], names: Names) -> None:
        """``view``: of who may choose one of the ``legal`` actions."""
        self._game, self._view, self._legal = game, view, legal
        self.names = names
        """The names of the seats."""

    @cached_property
    def example(self) -> str:
        """The label of a legal action of the kind with most choices; empty if nothing is legal.

        It is the one in the middle of its kind, and without fields only where no action has any.  What the
        panel shows as rarely wanted is no example as long as there is another one.
        """
        if not self._legal:
            return ""
        usual = [each for each in self._legal if not self._is_rarely_wanted(each)]
        group = max(group_by_type(usual or self._legal), key=_example_rank)
        return self._label(group[len(group) // 2])

    def example_sentence(self) -> str:
        """Return a sentence with an example, to follow a refusal; empty if nothing is legal."""
        return f" Try, for example, {_as_code(self.example)}." if self._legal else ""

    def choices_text(self, actions: Sequence[Action]) -> str:
        """Return some of these legal actions: "`Discard K♣`, `Discard 2♦` or another move"."""
        labels = [_as_code(self._label(action)) for action in actions[:_MAX_LISTED_CHOICES]]
        return listed([*labels, *["another move"][: len(actions) - len(labels)]], "or")

    def ambiguity_error(self, candidates: Sequence[Action]) -> AmbiguousAction:
        """Return the refusal of a text that may mean any of these legal actions."""
        return AmbiguousAction(
            f"That could be {self.choices_text(candidates)}. Write the whole move.", candidates
        )

    def _is_rarely_wanted(self, action: Action) -> bool:
        return any(step.collapsed for step in path_to(self._game, self._view, action, self.names))

    def _label(self, action: Action) -> str:
        return typeable_label(self._game.words.label(self._view, action, self.names))


def typeable_label(label: str) -> str:
    """Return a label without the signs, in names of players, that would end code or a move of a line."""
    return label.replace("`", "").replace(ACTION_SEPARATOR, "")


def _as_code(label: str) -> str:
    """Return a label as code: Discord shows a name in it as it is."""
    return f"`{label}`"


def _example_rank(group: Sequence[Action]) -> tuple[bool, int]:
    """Return what makes actions of one type good examples: that they have fields, then their number."""
    return bool(fields_of(type(group[0]))), len(group)
