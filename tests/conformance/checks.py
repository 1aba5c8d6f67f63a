"""All checks of the laws of games, by name: what every registered game must pass."""

import random
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Final, TypeAlias

from rules.game import AnyGame
from tests.conformance import contract, hidden_information, paths, pictures, storage, text, typed_moves
from tests.conformance.random_games import PlayedGame

Check: TypeAlias = Callable[[AnyGame, PlayedGame, random.Random], object]
StaticCheck: TypeAlias = Callable[[AnyGame], None]

_STATIC_CHECK_NAMES: Final = ("check_commands", "check_metadata", "check_nonsense")


def _collect_checks(*modules: ModuleType) -> dict[str, Check]:
    return {
        name.removeprefix("check_"): check
        for module in modules
        for name, check in vars(module).items()
        if name.startswith("check_") and name not in _STATIC_CHECK_NAMES
    }


CHECKS: Final[Mapping[str, Check]] = _collect_checks(
    contract, hidden_information, text, typed_moves, paths, storage, pictures
)
"""Checks of one random game."""

STATIC_CHECKS: Final[Mapping[str, StaticCheck]] = {
    name.removeprefix("check_"): getattr(text, name) for name in _STATIC_CHECK_NAMES
}
"""Checks that need no played game."""
