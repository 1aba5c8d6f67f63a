"""Seeded defects of the paths to actions and the words on them, in the guide's game."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from rules.game import AnyGame
from rules.model import Action
from rules.paths import PathSteps, path_to
from rules.words import PathStep
from tests.conformance.defect_tools import SOUND_GAME, DefectiveGameFactory, is_type_named, with_words


def _path_defect(change: Callable[[Any, Action, PathSteps], PathSteps]) -> DefectiveGameFactory:
    """Return what makes a game in which the path to each action is changed."""

    def make() -> AnyGame:
        def path(view: Any, action: Action, names: tuple[str, ...]) -> PathSteps:
            return change(view, action, path_to(SOUND_GAME, view, action, names))

        return with_words(path=path)

    return make


def _actions_share_path(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """All actions of a kind have the same path."""
    return path[:1]


def _path_begins_another(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """The path to a pair of pearls goes on from the path to its first one."""
    pearls = getattr(action, "pearls", ())
    if not pearls:
        return path
    return (path[0], *(PathStep(pearl, pearl, "Which pearl?") for pearl in pearls))


def _siblings_labelled_alike(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """What follows the first step is called the same everywhere."""
    return tuple(step if index == 0 else replace(step, label="This one") for index, step in enumerate(path))


def _step_in_two_forms(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """The first step names the action that it leads to."""
    return (replace(path[0], label=SOUND_GAME.words.label(view, action, ("A", "B", "C", "D"))), *path[1:])


def _early_shortcut(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """A step before the last one has a shortcut, which names no action."""
    return (replace(path[0], shortcut="At once"), *path[1:])


def _shortcuts_alike(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """Two actions have shortcuts of one name."""
    return (*path[:-1], replace(path[-1], shortcut="At once"))


def _siblings_asked_apart(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """Siblings are offered under different questions."""
    last = path[-1]
    return (*path[:-1], replace(last, question=f"{last.label}?"))


def _long_path(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """A token has more characters than a path may."""
    return (*path[:-1], replace(path[-1], token=path[-1].token + "x" * 60))


def _label_too_long(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """A label is longer than a button takes."""
    return (*path[:-1], replace(path[-1], label=f"{path[-1].label} {'x' * 80}"))


def _two_buttons_alike(view: Any, action: Action, path: PathSteps) -> PathSteps:
    """Burying is offered in the words that laying has where the screen is flat."""
    if not is_type_named(action, "Bury"):
        return path
    return (replace(path[0], token=f"bury-{path[1].token}", label=f"Lay {path[1].token}"),)


def _names_alike() -> AnyGame:
    """All pearls have one name for those who type."""
    pearls = {str(number): "Pearl" for number in range(100)}
    return with_words(typed_names=dict.fromkeys(("pearl", "pearls"), pearls))


PATH_DEFECTS: Final[Mapping[str, tuple[DefectiveGameFactory, str]]] = {
    "actions share a path": (_path_defect(_actions_share_path), "paths"),
    "a path begins another": (_path_defect(_path_begins_another), "paths"),
    "siblings share a label": (_path_defect(_siblings_labelled_alike), "paths"),
    "a step in two forms": (_path_defect(_step_in_two_forms), "paths"),
    "a shortcut too early": (_path_defect(_early_shortcut), "paths"),
    "shortcuts of one name": (_path_defect(_shortcuts_alike), "paths"),
    "siblings asked apart": (_path_defect(_siblings_asked_apart), "paths"),
    "a path too long": (_path_defect(_long_path), "paths"),
    "a label too long": (_path_defect(_label_too_long), "screens"),
    "values of one name": (_names_alike, "typed_words"),
    "two buttons of one name": (_path_defect(_two_buttons_alike), "screens"),
}
"""Defect -> how to make the defective game, and the check that must fail on it."""
