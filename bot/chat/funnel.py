"""The steps of the panel, from "What do you want to do?" to one action.  Generic and pure.

A step is worked out from the viewer's legal actions and the words chosen so far.
"""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from bot import limits
from rules import notation
from rules.game import Action, AnyGame, Names, View

WHOLE_ACTIONS: Final = limits.SELECT_OPTIONS
"""Once so few actions are left, each is one choice."""


class Choice(msgspec.Struct, frozen=True):
    """One choice of a step: ``words`` is the beginning of an action's text that it leads to."""

    label: str
    words: str
    hint: str = ""
    disabled: bool = False


class Step(msgspec.Struct, frozen=True):
    """One step.  ``action`` is set when only one is left."""

    prompt: str
    choices: tuple[Choice, ...]
    words: str
    """What has been chosen so far, forced parts included."""
    back: str | None
    """The words of the step before; None at the first."""
    action: Action | None = None


def _tokens(action: Action) -> tuple[str, ...]:
    kind = type(action)
    fields = notation.fields_of(kind)
    return (notation.verb_of(kind), *(field.write(getattr(action, field.name)) for field in fields))


def next_step(game: AnyGame, view: View, legal: Sequence[Action], words: str, names: Names) -> Step:
    """Return the step after ``words``; the first step if no action begins with them any more."""
    chosen = tuple(words.split())
    left = _left(legal, chosen)
    if not left:
        chosen = ()
        left = [(action, _tokens(action)) for action in legal]
    back = None if not chosen else _back(legal, chosen)
    chosen = _forced(left, chosen)
    text = " ".join(chosen)
    if len(left) == 1:
        return Step(game.words.label(view, left[0][0], names), (), text, back, left[0][0])
    if len(left) <= WHOLE_ACTIONS:
        choices = tuple(
            Choice(
                game.words.label(view, action, names),
                " ".join(tokens),
                game.words.short_preview(view, action, names),
            )
            for action, tokens in left
        )
        return Step(_prompt(game, view, left[0][0], chosen), choices, text, back)
    return Step(_prompt(game, view, left[0][0], chosen), _parts(game, view, left, chosen), text, back)


def _left(legal: Sequence[Action], chosen: tuple[str, ...]) -> list[tuple[Action, tuple[str, ...]]]:
    pairs = [(action, _tokens(action)) for action in legal]
    return [(action, tokens) for action, tokens in pairs if tokens[: len(chosen)] == chosen]


def _forced(left: Sequence[tuple[Action, tuple[str, ...]]], chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return ``chosen`` with the words on which all actions left agree."""
    first = left[0][1]
    while len(chosen) < len(first):
        longer = first[: len(chosen) + 1]
        if any(tokens[: len(longer)] != longer for _, tokens in left):
            break
        chosen = longer
    return chosen


def _back(legal: Sequence[Action], chosen: tuple[str, ...]) -> str:
    """Return the words before the last real choice: forced words are taken back with it.

    From a whole action it leads to the list on which that action stood.
    """
    if len(_left(legal, chosen)) == 1:
        prefixes = (chosen[:size] for size in range(len(chosen)))
        listed = next((words for words in prefixes if len(_left(legal, words)) <= WHOLE_ACTIONS), None)
        if listed is not None:
            return " ".join(listed)
    for size in range(len(chosen) - 1, -1, -1):
        shorter = chosen[:size]
        left = _left(legal, shorter)
        if len(_forced(left, shorter)) < len(chosen):
            return " ".join(shorter)
    return ""


def _prompt(game: AnyGame, view: View, action: Action, chosen: tuple[str, ...]) -> str:
    """Return the question for the next field; ``action``: any that begins with what is chosen."""
    if not chosen:
        return "What do you want to do?"
    kind = type(action)
    verb = game.words.verbs[kind]
    names = [field.name for field in notation.fields_of(kind)]
    if len(chosen) > len(names):
        return verb.label
    asked = names[len(chosen) - 1]
    question = verb.questions.get(asked)
    if question is None:
        return f"{verb.label}: which {asked}?"
    labels = {
        name: _head(game.words.value_label(view, kind, name, getattr(action, name)))
        for name in names[: len(chosen) - 1]
    }
    return question.format(**labels)


def _head(label: str) -> str:
    """Return what a label names, without the facts after it: "10♥" of "10♥, pushes east"."""
    return re.split(r"[,:(]", label, maxsplit=1)[0].strip()


def _parts(
    game: AnyGame, view: View, left: Sequence[tuple[Action, tuple[str, ...]]], chosen: tuple[str, ...]
) -> tuple[Choice, ...]:
    """Return the different next words, in the order of the legal actions (verbs in the game's order)."""
    at = len(chosen)
    found: dict[str, tuple[Action, int]] = {}
    for action, tokens in left:
        known = found.get(tokens[at])
        found[tokens[at]] = (action, 1) if known is None else (known[0], known[1] + 1)
    choices = []
    for word, (action, count) in found.items():
        kind = type(action)
        if at == 0:
            verb = game.words.verbs[kind]
            label, hint = verb.label, verb.hint
        else:
            name = notation.fields_of(kind)[at - 1].name
            label, hint = game.words.value_label(view, kind, name, getattr(action, name)), _many(count)
        choices.append(Choice(label, " ".join((*chosen, word)), hint))
    if at == 0:
        order = [notation.verb_of(kind) for kind in game.words.verbs]
        choices.sort(key=lambda choice: order.index(choice.words))
    return tuple(choices)


def _many(count: int) -> str:
    return "" if count == 1 else f"{count} ways"
