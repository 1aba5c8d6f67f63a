"""The pictures of Current Affairs."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from render.current_affairs.board import draw_board
from render.current_affairs.contracts import (
    contracts_picture_helps_to_choose,
    contracts_picture_previews,
    draw_contracts,
)
from render.current_affairs.destinations import destinations_picture_helps_to_choose, draw_destinations
from render.current_affairs.own_board import draw_own_board, own_board_helps_to_choose, own_board_previews
from render.picture import BOARD, OWN_BOARD, Picture
from rules.current_affairs.model import CurrentAffairsView

PICTURES: Final[Mapping[str, Picture[CurrentAffairsView]]] = MappingProxyType(
    {
        BOARD: Picture(draw=draw_board),
        "destinations": Picture(draw=draw_destinations, helps_to_choose=destinations_picture_helps_to_choose),
        "contracts": Picture(
            draw=draw_contracts,
            helps_to_choose=contracts_picture_helps_to_choose,
            previews=contracts_picture_previews,
        ),
        OWN_BOARD: Picture(
            draw=draw_own_board,
            shows_one_seat=True,
            helps_to_choose=own_board_helps_to_choose,
            previews=own_board_previews,
        ),
    }
)
