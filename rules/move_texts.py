"""Legal actions as refusals name them: by their labels, which may be typed."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

from rules.consequence import simulate_choice
from rules.errors import AmbiguousAction, GuessedAction
from rules.game import AnyGame, group_by_type
from rules.model import Action, Names, View
from rules.notation import ACTION_SEPARATOR, fields_of
from rules.paths import path_to
from rules.random_stream import SEED_BYTES, RandomStream
from rules.text import listed

_MAX_LISTED_CHOICES: Final = 3
"""The most moves that a refusal lists: each may take two lines on a phone."""

_ANY_SEED: Final = bytes(SEED_BYTES)
"""A sample comes from what the actor knows, so any seed will do."""


class MoveTexts:
    """Writes what may be typed while these actions are legal."""

    def __init__(self, game: AnyGame, view: View, legal: Sequence[Action], names: Names) -> None:
        """``view``: of who may choose one of the ``legal`` actions."""
        self._game, self._view, self._legal = game, view, legal
        self.names = names
        """The names of the seats."""

    @cached_property
    def example(self) -> str:
        """The label of a legal action of a usual and harmless kind; empty if nothing is legal.

        What the panel shows as rarely wanted is no example as long as there is another one, nor is what
        commits its player.  Of the other kinds it is the one that is offered first, without fields only where
        none has any, and of its actions the one in the middle.
        """
        if not self._legal:
            return ""
        usual = [each for each in self._legal if not self.is_rarely_wanted(each)]
        examples = [group[len(group) // 2] for group in group_by_type(usual or self._legal)]
        return self.label(examples[0] if len(examples) == 1 else min(examples, key=self._example_rank))

    def _example_rank(self, action: Action) -> tuple[int, bool, int]:
        """Return what makes an action a worse example than those of other types."""
        kinds = list(self._game.words.verb_texts)
        return self._commitment(action), not fields_of(type(action)), kinds.index(type(action))

    def _commitment(self, action: Action) -> int:
        """Return 0 for what its actor can freely take back, 1 for a label such as "End turn", else 2."""
        words = self._game.words
        if not words.verb_texts[type(action)].confirm:
            return 1 if isinstance(action, words.passing_types) else 2
        consequence = simulate_choice(self._game, self._sampled_state, action, RandomStream(_ANY_SEED, 1))
        actor = self._game.to_act(self._sampled_state)
        return 0 if actor is not None and consequence.lets_continue(actor) else 2

    @cached_property
    def _sampled_state(self) -> Any:
        return self._game.sample_state(self._view, RandomStream(_ANY_SEED, 0))

    def example_sentence(self) -> str:
        """Return a sentence with an example, to follow a refusal; empty if nothing is legal."""
        return f" Try, for example, {_as_code(self.example)}." if self._legal else ""

    def choices_text(self, actions: Sequence[Action]) -> str:
        """Return some of these legal actions: "`Discard K♣`, `Discard 2♦` or another move"."""
        labels = [_as_code(self.label(action)) for action in actions[:_MAX_LISTED_CHOICES]]
        return listed([*labels, *["another move"][: len(actions) - len(labels)]], "or")

    def guess_of(self, action: Action) -> GuessedAction:
        """Return the question whether a legal action is meant."""
        return GuessedAction(f"Did you mean {self.choices_text((action,))}?", action)

    def ambiguity_error(self, candidates: Sequence[Action]) -> AmbiguousAction | GuessedAction:
        """Return the refusal of a text that may mean any of these legal actions.

        Where the panel shows all but one as rarely wanted, it is the question whether this one is meant.
        """
        usual = [each for each in candidates if not self.is_rarely_wanted(each)]
        if len(usual) == 1:
            return self.guess_of(usual[0])
        return AmbiguousAction(
            f"That could be {self.choices_text(candidates)}. Write the whole move.", candidates
        )

    def is_rarely_wanted(self, action: Action) -> bool:
        """Whether the panel shows a legal action as rarely wanted."""
        return any(step.collapsed for step in path_to(self._game, self._view, action, self.names))

    def wordings(self, action: Action) -> tuple[str, ...]:
        """Return the label of a legal action, and what people may type in place of it."""
        return self.label(action), *self._game.words.typed_wordings(self._view, action)

    def label(self, action: Action) -> str:
        """Return the label of a legal action, as it may be typed."""
        return typeable_label(self._game.words.label(self._view, action, self.names))


def typeable_label(label: str) -> str:
    """Return a label without the signs, in names of players, that would end code or a move of a line."""
    return label.replace("`", "").replace(ACTION_SEPARATOR, "")


def _as_code(label: str) -> str:
    """Return a label as code: Discord shows a name in it as it is."""
    return f"`{label}`"
