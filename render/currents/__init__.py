"""The pictures of Currents."""

from render.currents.board import board
from render.currents.hand import hand

__all__ = ["board", "hand"]
