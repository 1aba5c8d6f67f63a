"""The pictures of Oceans."""

from render.oceans.board import board
from render.oceans.hand import hand

__all__ = ["board", "hand"]
