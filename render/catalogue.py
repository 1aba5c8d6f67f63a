"""Which pictures each game has: one line per game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from render import currents, oceans
from render.caption import Caption
from render.scene import Scene
from rules.game import Event, View

V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class Pictures(Generic[V]):
    """How a game is drawn.  Both are pure functions: equal arguments, equal scenes."""

    board: Callable[[V, tuple[Event, ...], Caption], Scene]
    """(view, what has just happened, caption): the table as that viewer may see it."""
    hand: Callable[[V, Caption], Scene]
    """(view, caption): what only the viewer may see."""


PICTURES: Final[Mapping[str, Pictures[Any]]] = MappingProxyType(
    {
        "currents": Pictures(currents.draw_board, currents.draw_hand),
        "oceans": Pictures(oceans.draw_board, oceans.draw_hand),
    }
)
"""Game key -> its pictures."""
