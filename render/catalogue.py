"""The pictures of every registered game: one line per game."""

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
    """The two functions that draw a game.  Both are pure: equal arguments, equal scenes."""

    board: Callable[[V, tuple[Event, ...], Caption], Scene]
    """(view, recent events, caption): the position as that viewer may see it."""
    hand: Callable[[V, Caption], Scene]
    """(view, caption): what only the viewer may see."""


PICTURES: Final[Mapping[str, Pictures[Any]]] = MappingProxyType(
    {
        "currents": Pictures(currents.draw_board, currents.draw_hand),
        "oceans": Pictures(oceans.draw_board, oceans.draw_hand),
    }
)
"""Game key -> its pictures."""
