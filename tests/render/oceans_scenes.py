"""Boards of Oceans as scenes."""

from typing import Any

from render.catalogue import PICTURES
from render.picture import BOARD, PictureContext
from render.scene import Scene
from rules.catalogue import GAMES
from rules.model import Seat
from tests.render.decision_points import CAPTION

GAME, OCEANS_PICTURES = GAMES["oceans"], PICTURES["oceans"]


def board_scene(state: Any, viewer: Seat | None = None) -> Scene:
    """Return the board with the marks of its last record."""
    view = GAME.view(state, viewer)
    return OCEANS_PICTURES[BOARD].draw(view, PictureContext(CAPTION, view.position.trail))
