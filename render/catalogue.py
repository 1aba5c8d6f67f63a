"""The pictures of every registered game: one line per game."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from render import arctic_cleanup, australis, current_affairs, currents, oceans
from render.picture import BOARD, Picture
from rules.model import Action, Event, View

Pictures: TypeAlias = Mapping[str, Picture[Any]]
"""A game's pictures by name; ``BOARD`` is always there."""

PICTURES: Final[Mapping[str, Pictures]] = MappingProxyType(
    {
        "currents": currents.PICTURES,
        "oceans": oceans.PICTURES,
        "australis": australis.PICTURES,
        "current_affairs": current_affairs.PICTURES,
        "arctic_cleanup": arctic_cleanup.PICTURES,
    }
)
"""Game key -> its pictures."""


def choose_picture_name(pictures: Pictures, view: View, choices: tuple[Action, ...]) -> str:
    """Return the name of the picture that helps the viewer with these choices; of the board if none does."""
    return next((name for name, picture in pictures.items() if picture.helps_to_choose(view, choices)), BOARD)


def choose_preview_picture_name(pictures: Pictures, action: Action) -> str:
    """Return the name of the picture that shows what an action leads to; of the board if none does."""
    return next((name for name, picture in pictures.items() if picture.previews(action)), BOARD)


def has_reporting_pictures(pictures: Pictures) -> bool:
    """Whether a game has pictures that report what has just happened."""
    return any(picture.reports_events is not None for picture in pictures.values())


def reporting_picture_names(
    pictures: Pictures, public_view: View, recent_events: tuple[Event, ...]
) -> tuple[str, ...]:
    """Return the names of the public pictures that report what has just happened, beside the board."""
    return tuple(
        name
        for name, picture in pictures.items()
        if not (picture.shows_one_seat or picture.is_secret)
        and picture.reports_events is not None
        and picture.reports_events(public_view, recent_events)
    )
