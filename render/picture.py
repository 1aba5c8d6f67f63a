"""A game's pictures: what each is drawn from, who may see it, when it helps; whose turn it marks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

from render.caption import Caption
from render.scene import Scene
from rules.model import CHANCE, Action, Event, Result, Seat, View

BOARD: Final = "board"
"""The name of the picture of the whole game, which every game has."""
HAND: Final = "hand"
"""The name of the picture of what a seat holds in secret, where a game has one."""
OWN_BOARD: Final = "player"
"""The name of the picture of a seat's own board, which anybody may open, where a game has one."""

V = TypeVar("V", bound=View)


class PictureContext(msgspec.Struct, frozen=True, gc=False):
    """What a picture shows besides the view."""

    caption: Caption
    recent_events: tuple[Event, ...] = ()
    """The events whose changes are marked: of the newest turn; in a preview, those that would follow."""
    subject: Seat | None = None
    """The seat that is shown, if the picture is of one seat."""
    choices: tuple[Action, ...] = ()
    """The viewer's legal actions that fit what they have chosen so far; empty if nothing is asked."""


class TurnPosition(Protocol):
    """A position that knows whose turn it is, also while another seat or chance is to act."""

    @property
    def current_player(self) -> Seat | None:
        """Whose turn it is; None before the first turn and after the game."""

    @property
    def to_act(self) -> Seat | None:
        """The seat to act, CHANCE, or None after the game."""


def highlighted_seat(position: TurnPosition) -> Seat | None:
    """Return whose turn it is; before the first turn the seat to act."""
    if position.current_player is not None:
        return position.current_player
    seat = position.to_act
    return None if seat == CHANCE else seat


def only_winner(result: Result) -> Seat | None:
    """Return who has won alone; None if several have."""
    return result.winners[0] if len(result.winners) == 1 else None


def _never_helps_to_choose(view: Any, choices: tuple[Action, ...]) -> bool:
    return False


def _never_previews(action: Action) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture(Generic[V]):
    """One picture of a game.  Its functions are pure: equal arguments, equal scenes."""

    draw: Callable[[V, PictureContext], Scene]
    """Draws the picture.  View and context hold nothing that the viewer may not know."""
    shows_one_seat: bool = False
    """Whether it shows one seat, the context's subject."""
    is_secret: bool = False
    """Whether only the viewer may see it; its subject is then the viewer."""
    helps_to_choose: Callable[[V, tuple[Action, ...]], bool] = _never_helps_to_choose
    """Whether the viewer needs it to decide between these choices."""
    previews: Callable[[Action], bool] = _never_previews
    """Whether it shows what an action of the viewer leads to, in place of the board."""
    reports_events: Callable[[V, tuple[Event, ...]], bool] | None = None
    """Whether everybody should see it beside the board to follow what has just happened; None: never."""
