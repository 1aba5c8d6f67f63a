"""The pictures of Oceans."""

from render.oceans.board import draw_board
from render.oceans.hand import draw_hand

__all__ = ["draw_board", "draw_hand"]
