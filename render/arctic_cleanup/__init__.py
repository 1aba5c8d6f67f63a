"""The pictures of Arctic CleanUp."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from render.arctic_cleanup.board import draw_board
from render.arctic_cleanup.own_board import draw_own_board, own_board_helps_to_choose
from render.arctic_cleanup.plan import draw_plan, plan_picture_helps_to_choose
from render.arctic_cleanup.turn import draw_turn, turn_picture_helps_to_choose
from render.picture import BOARD, OWN_BOARD, Picture
from rules.arctic_cleanup.model import ArcticCleanUpView

PICTURES: Final[Mapping[str, Picture[ArcticCleanUpView]]] = MappingProxyType(
    {
        BOARD: Picture(draw=draw_board),
        "turn": Picture(draw=draw_turn, helps_to_choose=turn_picture_helps_to_choose),
        "plan": Picture(draw=draw_plan, helps_to_choose=plan_picture_helps_to_choose),
        OWN_BOARD: Picture(
            draw=draw_own_board, shows_one_seat=True, helps_to_choose=own_board_helps_to_choose
        ),
    }
)
