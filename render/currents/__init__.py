"""The pictures of Currents.

There is none of a player's own board: a player owns a hand, which is secret, and a goal edge, which lies on
the board that all share.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from render.currents.board import draw_board
from render.currents.choices import hand_helps_to_choose
from render.currents.hand import draw_hand
from render.picture import BOARD, HAND, Picture
from rules.currents.model import CurrentsView

PICTURES: Final[Mapping[str, Picture[CurrentsView]]] = MappingProxyType(
    {
        BOARD: Picture(draw=draw_board),
        HAND: Picture(
            draw=draw_hand, shows_one_seat=True, is_secret=True, helps_to_choose=hand_helps_to_choose
        ),
    }
)
