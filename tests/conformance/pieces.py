"""The pieces and belongings of a state, as ``tests/rules/<game>/inventory.py`` tells them apart."""

import importlib
from collections import Counter
from functools import cache
from typing import Any

from rules.game import AnyGame
from rules.model import Seat
from tests.docs.game_guide import inventory_of_toy


@cache
def _inventory_of(key: str) -> Any:
    """Return a game's inventory: ``pieces(state)`` and ``belongings(state, seat)``."""
    return inventory_of_toy(key) or importlib.import_module(f"tests.rules.{key}.inventory")


def pieces_of(game: AnyGame, state: Any) -> Counter[Any]:
    """Return the pieces of a state that no action may make or lose, however often each is there."""
    return Counter(piece for piece in _inventory_of(game.key).pieces(state) if piece is not None)


def belongings_of(game: AnyGame, state: Any, seat: Seat) -> object:
    """Return what everybody sees that a seat owns or aims for."""
    return _inventory_of(game.key).belongings(state, seat)
