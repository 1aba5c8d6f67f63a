"""The pictures of the docs as the program draws them: games, pages of the bot, and all shared parts.

Draw them anew with ``python -m tests.render.samples``.
"""

from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from render import paint
from render.catalogue import PICTURES
from render.picture import BOARD, HAND, OWN_BOARD, PictureContext
from render.scene import Scene
from rules.catalogue import GAMES
from rules.model import Seat
from tests.render.decision_points import CAPTION, decision_points, picture_setups
from tests.render.page_samples import AUSTRALIS_RECORDING, page_samples, recorded_match
from tests.render.sample_sheet import sample_sheet
from tests.rules.oceans import positions

PICTURES_FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
CURRENTS_SEED, CURRENTS_POINT_INDEX = 93, 29
"""The game of Currents that is shown, and which of its decision points."""


@cache
def sample_files() -> dict[str, bytes]:
    """Return the files: file name -> data."""
    drawn = {name: paint.render_png(scene) for name, scene in _sample_scenes().items()}
    return drawn | page_samples()


def _sample_scenes() -> dict[str, Scene]:
    """Return the scenes: file name -> scene."""
    game, pictures = GAMES["currents"], PICTURES["currents"]
    setup = next(setup for setup in picture_setups(game) if setup.seat_count == 4)
    state, recent_events, _ = next(islice(decision_points(setup, CURRENTS_SEED), CURRENTS_POINT_INDEX, None))
    actor = game.to_act(state)
    oceans = PICTURES["oceans"]
    oceans_state = _state_after_attack()
    position = oceans_state.position
    return {
        "parts.png": sample_sheet(),
        "currents-board.png": pictures[BOARD].draw(
            game.view(state, None), PictureContext(CAPTION, recent_events)
        ),
        "currents-hand.png": pictures[HAND].draw(
            game.view(state, actor), PictureContext(CAPTION, subject=actor)
        ),
        "oceans-board.png": oceans[BOARD].draw(
            GAMES["oceans"].view(oceans_state, None), PictureContext(CAPTION, position.trail)
        ),
        "oceans-hand.png": oceans[HAND].draw(
            GAMES["oceans"].view(oceans_state, Seat(1)), PictureContext(CAPTION, subject=Seat(1))
        ),
        "oceans-player.png": oceans[OWN_BOARD].draw(
            GAMES["oceans"].view(oceans_state, None), PictureContext(CAPTION, position.trail, Seat(1))
        ),
        "australis-board.png": _draw_recorded(AUSTRALIS_RECORDING, 107, BOARD),
        "australis-competition.png": _draw_recorded(AUSTRALIS_RECORDING, 125, "competition"),
        "australis-player.png": _draw_recorded(AUSTRALIS_RECORDING, 107, OWN_BOARD, Seat(0)),
        "current-affairs-board.png": _draw_recorded("current_affairs/5-5-casual", 160, BOARD),
        "arctic-cleanup-board.png": _draw_recorded("arctic_cleanup/4-4-casual", 130, BOARD),
    }


def _draw_recorded(name: str, length: int, picture_name: str, subject: Seat | None = None) -> Scene:
    """Draw a picture of a recorded game after so many records."""
    match = recorded_match(name).at_length(length)
    context = PictureContext(CAPTION, match.recent_events, subject)
    return PICTURES[match.game.key][picture_name].draw(match.view(None), context)


def _state_after_attack() -> Any:
    """Return a state after an attack by a species with Tentacled, from which cleaners on both sides gain."""
    state = positions.make_feeding_state(
        "FF9 TR7 SC8 7 | AP5 SP11 IN8 TE5 4 | SH7 SY6 6 | WC7 BF8 SP7 BIO 3",
        "FF7 BLU 12 | AP7 TE8 1 | SH8 SP8 IN9 3",
        "WC8 SC9 SY8 8 | SP7 SP9 IN6 TUS 2 | TR9 BF9 5 | PA7 SY7 6",
        "AP8 AP9 3 | FF8 IN10 SP9 6 | WC9 ELE 4",
        player=1,
        zone_populations=(6, 0, 15, 24),
        score_piles=(4, 9, 6, 6),
        hands=(
            "SH5 BF6 IN7 TR5 PA8 SY9",
            "FF10 SH9 SP10 TE9 SPE DRA",
            "AP6 SC7 WC6 FF5 BF10 HYD",
            "IN5 TE7 TR8 PA9",
        ),
        scenarios=("FER", "FOOD"),
        cambrian_happened=True,
        gene_pool=("LEV", "GRA MIG"),
        round=6,
    )
    return positions.act(state, "attack B2 C4")


def write_samples() -> None:
    """Draw all samples and write them into ``PICTURES_FOLDER``."""
    PICTURES_FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in sample_files().items():
        (PICTURES_FOLDER / name).write_bytes(data)


if __name__ == "__main__":
    write_samples()
