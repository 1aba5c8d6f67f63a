"""All checks of the laws of games, by name: what every registered game must pass."""

import random
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Final, TypeAlias

from rules.game import AnyGame
from tests.conformance import contract, hidden_information, paths, pictures, storage, text
from tests.conformance.random_games import PlayedGame

Check: TypeAlias = Callable[[AnyGame, PlayedGame, random.Random], object]
FactCheck: TypeAlias = Callable[[AnyGame], None]

_FACTS: Final = ("check_commands", "check_facts", "check_nonsense")


def _checks(*modules: ModuleType) -> dict[str, Check]:
    return {
        name.removeprefix("check_"): check
        for module in modules
        for name, check in vars(module).items()
        if name.startswith("check_") and name not in _FACTS
    }


CHECKS: Final[Mapping[str, Check]] = _checks(contract, hidden_information, text, paths, storage, pictures)
"""Checks of one random game."""

FACT_CHECKS: Final[Mapping[str, FactCheck]] = {
    name.removeprefix("check_"): getattr(text, name) for name in _FACTS
}
"""Checks of a game's static facts."""
