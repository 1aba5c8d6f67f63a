"""The pictures of Oceans."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from render.oceans.board import draw_board
from render.oceans.choices import hand_helps_to_choose, own_board_helps_to_choose
from render.oceans.hand import draw_hand
from render.oceans.own_board import draw_own_board
from render.picture import BOARD, HAND, OWN_BOARD, Picture
from rules.oceans.model import OceansView

PICTURES: Final[Mapping[str, Picture[OceansView]]] = MappingProxyType(
    {
        BOARD: Picture(draw=draw_board),
        HAND: Picture(
            draw=draw_hand, shows_one_seat=True, is_secret=True, helps_to_choose=hand_helps_to_choose
        ),
        OWN_BOARD: Picture(
            draw=draw_own_board, shows_one_seat=True, helps_to_choose=own_board_helps_to_choose
        ),
    }
)
