"""The pictures of Arctic CleanUp."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from render.arctic_cleanup.board import draw_board
from render.arctic_cleanup.plan import draw_plan, helps_to_plan
from render.arctic_cleanup.player import draw_player, helps_to_unload
from render.arctic_cleanup.turn import draw_turn, helps_to_choose_card_or_token
from render.picture import BOARD, PLAYER, Picture
from rules.arctic_cleanup.model import ArcticCleanUpView

PICTURES: Final[Mapping[str, Picture[ArcticCleanUpView]]] = MappingProxyType(
    {
        BOARD: Picture(draw=draw_board),
        "turn": Picture(draw=draw_turn, helps=helps_to_choose_card_or_token),
        "plan": Picture(draw=draw_plan, helps=helps_to_plan),
        PLAYER: Picture(draw=draw_player, shows_one_seat=True, helps=helps_to_unload),
    }
)
