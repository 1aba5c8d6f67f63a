"""Checks of the paths to actions, and of every screen of the panel that they make."""

import random
from collections.abc import Iterable, Sequence
from typing import Final

from bot import limits
from bot.chat.components import Button
from bot.chat.panel_posts import panel_page
from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post
from bot.host import game_calls
from bot.host.table import Table
from rules.game import AnyGame
from rules.model import Action, Names, Seat, View
from rules.notation import write_action
from rules.paths import MAX_PATH_LENGTH, PathSteps, path_to, tokens_of
from rules.words import PathStep
from tests.bot.chat.post_components import components_by_row, layout_components
from tests.bot.chat.sample_tables import make_table
from tests.conformance.random_games import PlayedGame, is_by_seat, longest_names

_PICTURE: Final = DrawnPicture("board.png", b"", "The board.")
_CHECKED_PREVIEW_COUNT: Final = 6
"""How many previews of a position are checked."""


def check_paths(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Paths are distinct, none begins another, siblings and shortcuts differ, equal beginnings are equal."""
    names = longest_names(played.setup.seat_count)
    for transition in played.pick_transitions(rng, 40, is_by_seat):
        view = game.view(transition.before, transition.actor)
        paths_by_action = [_paths_of(game, view, action, names) for action in game.legal_actions(view)]
        paths = [path for paths_of_action in paths_by_action for path in paths_of_action]
        _check_tokens([tokens_of(path) for path in paths])
        _check_steps(paths)


def _paths_of(game: AnyGame, view: View, action: Action, names: Names) -> frozenset[PathSteps]:
    """Return the different paths to an action: those of its spellings."""
    return frozenset(path_to(game, view, spelling, names) for spelling in action.spellings())


def _check_tokens(all_tokens: Sequence[tuple[str, ...]]) -> None:
    distinct = set(all_tokens)
    assert len(distinct) == len(all_tokens), "two actions share a path"
    for tokens in all_tokens:
        assert tokens, "a path without steps"
        assert all(token and not any(map(str.isspace, token)) for token in tokens), tokens
        assert len(" ".join(tokens)) <= MAX_PATH_LENGTH, tokens
        beginnings = [tokens[:size] for size in range(1, len(tokens)) if tokens[:size] in distinct]
        assert not beginnings, f"{beginnings[0]} is a whole path and begins {tokens}"


def _check_steps(paths: Iterable[PathSteps]) -> None:
    steps: dict[tuple[str, ...], PathStep] = {}
    for path in paths:
        assert not any(step.shortcut for step in path[:-1]), f"a shortcut before the end of {path}"
        for size, step in enumerate(path, 1):
            assert steps.setdefault(tokens_of(path[:size]), step) == step, f"{step} in two forms"
    siblings: dict[tuple[str, ...], list[PathStep]] = {}
    for tokens, step in steps.items():
        siblings.setdefault(tokens[:-1], []).append(step)
    shortcuts = [step.shortcut for step in steps.values() if step.shortcut]
    assert len(set(shortcuts)) == len(shortcuts), f"two shortcuts share a label: {shortcuts}"
    for tokens, steps_there in siblings.items():
        labels = [step.label for step in steps_there]
        assert len(set(labels)) == len(labels), f"after {tokens} two choices share a label"
        assert all(label and label == label.strip() for label in labels), labels
        assert len({step.question for step in steps_there}) == 1, f"after {tokens} two questions are asked"
        assert steps_there[0].question.endswith("?"), steps_there[0].question


def check_screens(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """The panel leads to each legal action and to nothing else, and each of its pages fits Discord."""
    for transition in played.pick_transitions(rng, 6, is_by_seat):
        table = make_table(played.setup, played.match.at_length(transition.index))
        legal = game.legal_actions(game.view(transition.before, transition.actor))
        reached = _check_pages(table, transition.actor, rng)
        assert reached == {write_action(action) for action in legal}, "offered and legal differ"


def _check_pages(table: Table, seat: Seat, rng: random.Random) -> set[str]:
    """Check each page to which presses lead; return the actions that they reach."""
    reached: set[str] = set()
    marked_paths: list[str] = []
    visited: set[tuple[str, int]] = set()
    screens = [("", 0)]
    action_by_path = {
        " ".join(tokens): each.action for tokens, each in game_calls.action_paths(table, seat).items()
    }
    while screens:
        path, page_index = screen = screens.pop()
        if screen in visited:
            continue
        visited.add(screen)
        post = panel_page(table, seat, path, page_index).post
        _check_page(post)
        for button in _buttons(post):
            if button.custom_id.verb == "do":
                reached.add(button.custom_id.argument)
            elif button.custom_id.verb == "page" and not button.disabled:
                page, _, rest = button.custom_id.argument.partition(" ")
                screens.append((rest, int(page)))
            elif button.custom_id.verb == "step" and button.custom_id.argument in action_by_path:
                marked_paths.append(button.custom_id.argument)
                reached.add(write_action(action_by_path[button.custom_id.argument]))
            elif button.custom_id.verb == "step":
                screens.append((button.custom_id.argument, 0))
    for path in rng.sample(marked_paths, min(_CHECKED_PREVIEW_COUNT, len(marked_paths))):
        marked_page = panel_page(table, seat, path)
        _check_page(marked_page.post)
        assert marked_page.marked_action == action_by_path[path], f"{path} marks {marked_page.marked_action}"
        play_buttons = [button for button in _buttons(marked_page.post) if button.label == "Play it"]
        assert [button.custom_id.argument for button in play_buttons] == [write_action(action_by_path[path])]
    return reached


def _buttons(post: Post) -> list[Button]:
    return [part for row in components_by_row(post) for part in row if isinstance(part, Button)]


def _check_page(post: Post) -> None:
    """A page has at most 40 components, 4,000 characters and ids of 100 characters; its labels differ."""
    assert 0 < len(post.text) <= limits.COMPONENTS_V2_TEXT - len(post.preview_text)
    assert layout_components(post, [_PICTURE]), "too many components"
    assert all(1 <= len(row) <= limits.ROW_BUTTONS for row in components_by_row(post))
    buttons = _buttons(post)
    labels = [button.label for button in buttons]
    assert len(set(labels)) == len(labels), f"two buttons are called the same: {sorted(labels)}"
    assert all(0 < len(label) <= limits.BUTTON_LABEL for label in labels), labels
    ids = [str(button.custom_id) for button in buttons]
    assert len(set(ids)) == len(ids), "two buttons ask for the same"
    assert all(len(each) <= limits.CUSTOM_ID for each in ids), ids
