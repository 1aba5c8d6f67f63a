"""The pictures of Currents."""

from render.currents.board import draw_board
from render.currents.hand import draw_hand

__all__ = ["draw_board", "draw_hand"]
