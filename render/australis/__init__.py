"""The pictures of Australis."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from render.australis.board import draw_board
from render.australis.choices import competition_picture_helps_to_choose, own_board_helps_to_choose
from render.australis.competition import draw_competition, reports_competition
from render.australis.sea_board import draw_sea_board
from render.picture import BOARD, OWN_BOARD, Picture
from rules.australis.model import AustralisView

PICTURES: Final[Mapping[str, Picture[AustralisView]]] = MappingProxyType(
    {
        BOARD: Picture(draw=draw_board),
        "competition": Picture(
            draw=draw_competition,
            helps_to_choose=competition_picture_helps_to_choose,
            reports_events=reports_competition,
        ),
        OWN_BOARD: Picture(
            draw=draw_sea_board, shows_one_seat=True, helps_to_choose=own_board_helps_to_choose
        ),
    }
)
