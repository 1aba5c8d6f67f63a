"""Checks that what the page says of a move can be typed."""

import random
import re
from collections.abc import Mapping, Sequence

from bot.chat.action_picker import MAX_SCREEN_COMPONENTS, build_screen
from rules.errors import AmbiguousAction, GuessedAction, RulesError
from rules.game import AnyGame
from rules.model import Action, Names, View
from rules.move_texts import MoveTexts
from rules.notation import ITEM_SEPARATOR, Notation, fields_of, verb_of, write_action
from rules.paths import index_paths, path_to
from rules.typed_moves import TypedMoveReader
from tests.conformance.random_games import PlayedGame, Transition, is_by_seat, longest_names
from tests.trials import trial_count

_POSITION_COUNT = trial_count(short=3, soak=6)
"""How many positions of a game are looked at."""
_CHECKED_COUNT = trial_count(short=6, soak=15)
"""How many actions and buttons of a position are typed."""


def check_typed_words(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Labels and buttons can be typed: each is understood, or refused as that of several moves.

    Names stand for codes, and refusals name moves by their labels.  What begins as a button and is wrong
    behind it is answered with what is wrong.
    """
    names, verbs = longest_names(played.setup.seat_count), {verb_of(kind) for kind in game.action_types}
    for transition in played.pick_transitions(rng, _POSITION_COUNT, is_by_seat):
        view = game.view(transition.before, transition.actor)
        legal = game.legal_actions(view)
        reader, texts = TypedMoveReader(game, view, legal, names), MoveTexts(game, view, legal, names)
        for action in rng.sample(legal, min(_CHECKED_COUNT, len(legal))):
            label = game.words.label(view, action, names)
            labels = (label, *game.words.typed_wordings(view, action))
            for text in (*labels, f" {label.upper()}… ", _from_phone(label), _text_with_names(game, action)):
                assert reader.read(text) == action, text
            path_texts = {
                " ".join(step.label for step in path_to(game, view, spelling, names))
                for spelling in action.spellings()
            }
            for text in path_texts:
                assert action in _readings_or_all(reader, texts, legal, text), text
        actions_by_button = _actions_by_button(game, view, legal, names)
        for text in rng.sample(sorted(actions_by_button), min(_CHECKED_COUNT, len(actions_by_button))):
            for typed in (text, *(text.partition(mark)[0] for mark in (": ", ", ") if mark in text)):
                behind = (actions_by_button[each] for each in actions_by_button if each.startswith(typed))
                is_verb = typed.split()[0].casefold() in verbs  # it stands for its own moves
                readings = _readings_or_all(reader, texts, legal, typed)
                assert readings & frozenset().union(*behind) or is_verb, typed
                assert _readings_or_all(reader, texts, legal, _from_phone(typed)) == readings, typed
            _check_mistyped(reader, text)
        _check_other_steps(game, played, transition, reader)


def _from_phone(text: str) -> str:
    """Return a text with the apostrophes and quotation marks that phones write."""
    return text.replace("'", "\u2019").replace('"', "\u201d")


def _text_with_names(game: AnyGame, action: Action) -> str:
    """Return the text of an action with the names of its values in place of their codes."""
    notation, texts = Notation(game), []
    for field, part in zip(fields_of(type(action)), write_action(action).split()[1:], strict=False):
        names = notation.names_of(field)
        items = [names.get(item, item) for item in part.split(ITEM_SEPARATOR)]
        texts.append((", " if names else ITEM_SEPARATOR).join(items))
    return " ".join((verb_of(type(action)), *texts))


def _check_mistyped(reader: TypedMoveReader, button: str) -> None:
    """The first word of a button is understood whatever follows; what a refusal quotes was typed.

    "Then", with which some buttons begin, says nothing by itself.
    """
    first_word = button.split(maxsplit=1)[0].strip(".,:…")
    for typed in (*([] if first_word == "Then" else [f"{first_word} 99"]), f"{button} § 99"):
        text = _refusal_text(reader, typed)
        assert not text.startswith("I don't understand"), (typed, text)
        assert all(quote in " ".join(typed.split()) for quote in re.findall("“(.*?)…?”", text)), (typed, text)


def _check_other_steps(
    game: AnyGame, played: PlayedGame, transition: Transition, reader: TypedMoveReader
) -> None:
    """What the page said at other steps is understood, though nothing of its kind can be chosen now.

    A label that begins as one that can be chosen is read as that.
    """
    names = longest_names(played.setup.seat_count)
    view = game.view(transition.before, transition.actor)
    legal = game.legal_actions(view)
    legal_words = {game.words.label(view, action, names).split()[0] for action in legal}
    other_steps = {type(each.action): each for each in played.transitions if is_by_seat(each)}
    for kind in other_steps.keys() - set(map(type, legal)):
        other = other_steps[kind]
        label = game.words.label(game.view(other.before, other.actor), other.action, names)
        verb_label = game.words.verb_texts[kind].label
        first_word = label.split()[0]
        is_of_verb = first_word == verb_label.split()[0] and first_word not in legal_words
        for typed in (verb_label, *([label] if is_of_verb else [])):
            text = _refusal_text(reader, typed)
            assert not text.startswith("I don't understand"), (typed, text)


def _refusal_text(reader: TypedMoveReader, text: str) -> str:
    """Return why a text is not read as a move; empty if it is."""
    try:
        reader.read(text)
    except RulesError as error:
        return str(error)
    return ""


def _readings_or_all(
    reader: TypedMoveReader, texts: MoveTexts, legal: Sequence[Action], text: str
) -> frozenset[Action]:
    """Return the action as which a text is read, or all legal ones if it is ambiguous.

    If an action is only guessed, those that are rarely wanted may be meant as well.
    """
    try:
        return frozenset({reader.read(text)})
    except GuessedAction as guess:
        return frozenset({guess.action, *filter(texts.is_rarely_wanted, legal)})
    except AmbiguousAction:
        return frozenset(legal)


def _actions_by_button(
    game: AnyGame, view: View, legal: Sequence[Action], names: Names
) -> Mapping[str, frozenset[Action]]:
    """Return the words of every button of the panel, with the actions behind the buttons of these words."""
    paths_by_tokens = index_paths(game, view, legal, names)
    paths = [each.path for each in paths_by_tokens.values()]
    actions_by_button: dict[str, frozenset[Action]] = {}
    pending_tokens: list[tuple[str, ...]] = [()]
    seen: set[tuple[str, ...]] = set()
    while pending_tokens:
        tokens = pending_tokens.pop()
        if tokens in seen:
            continue
        seen.add(tokens)
        for choice in build_screen(paths, tokens, MAX_SCREEN_COMPONENTS).choices:
            behind = {
                each.action
                for path_tokens, each in paths_by_tokens.items()
                if path_tokens[: len(choice.tokens)] == choice.tokens
            }
            actions_by_button[choice.label] = actions_by_button.get(choice.label, frozenset()) | behind
            if not choice.is_action:
                pending_tokens.append(choice.tokens)
    return actions_by_button
