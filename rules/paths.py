"""The paths to the legal actions in the panel: what a player chooses first, and what after it."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from rules import notation
from rules.game import AnyGame
from rules.model import Action, Names, View
from rules.words import PathStep

MAX_PATH_LENGTH: Final = 60
"""The most characters of a path: of its tokens, joined by spaces."""

PathSteps: TypeAlias = tuple[PathStep, ...]
"""The steps to an action, in order."""


class ActionPath(NamedTuple):
    """An action and the path to it."""

    path: PathSteps
    action: Action


def path_to(game: AnyGame, view: View, action: Action, names: Names) -> PathSteps:
    """Return the path to a legal action, in any of its forms (``Action.spellings``).

    It is the game's own, else its verb and then its fields.
    """
    if game.words.path is not None:
        path: PathSteps = game.words.path(view, action, names)
        return path
    return _default_path(game, view, action)


def index_paths(
    game: AnyGame, view: View, actions: Sequence[Action], names: Names
) -> dict[tuple[str, ...], ActionPath]:
    """Return a mapping from the tokens of each path to the path and its action, one of ``actions``.

    An action has the path of each of its forms (``Action.spellings``), that of the first one first.
    """
    paths: dict[tuple[str, ...], ActionPath] = {}
    for action in actions:
        for spelling in action.spellings():
            path = path_to(game, view, spelling, names)
            paths.setdefault(tokens_of(path), ActionPath(path, action))
    return paths


def tokens_of(path: PathSteps) -> tuple[str, ...]:
    """Return the tokens of a path."""
    return tuple(step.token for step in path)


def _default_path(game: AnyGame, view: View, action: Action) -> PathSteps:
    action_type = type(action)
    texts = game.words.verb_texts[action_type]
    steps = [
        PathStep(
            notation.verb_of(action_type),
            texts.label,
            "What do you want to do?",
            hint=texts.hint,
            order=list(game.words.verb_texts).index(action_type),
        )
    ]
    labels: dict[str, str] = {}
    for field in notation.fields_of(action_type):
        value = getattr(action, field.name)
        label = game.words.value_label(view, action_type, field.name, value)
        question = texts.questions.get(field.name, f"{texts.label}: which {field.name}?").format(**labels)
        steps.append(PathStep(field.write(value), label, question))
        labels[field.name] = label
    return tuple(steps)
