"""All checks of the laws of games, by name: what every registered game must pass."""

import random
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Final, TypeAlias

from rules.game import AnyGame
from tests.conformance import contract, hidden_information, paths, pictures, storage, text, typed_moves
from tests.conformance.random_games import PlayedGame

PlayedGameCheck: TypeAlias = Callable[[AnyGame, PlayedGame, random.Random], object]
GameCheck: TypeAlias = Callable[[AnyGame], None]

_GAME_CHECK_NAMES: Final = ("check_commands", "check_metadata", "check_nonsense")


def _collect_checks(*modules: ModuleType) -> dict[str, PlayedGameCheck]:
    return {
        name.removeprefix("check_"): check
        for module in modules
        for name, check in vars(module).items()
        if name.startswith("check_") and name not in _GAME_CHECK_NAMES
    }


PLAYED_GAME_CHECKS: Final[Mapping[str, PlayedGameCheck]] = _collect_checks(
    contract, hidden_information, text, typed_moves, paths, storage, pictures
)
"""Checks of one random game."""

GAME_CHECKS: Final[Mapping[str, GameCheck]] = {
    name.removeprefix("check_"): getattr(text, name) for name in _GAME_CHECK_NAMES
}
"""Checks that need no played game."""
