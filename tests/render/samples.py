"""The pictures of the README: one position of one random game, as the program draws it.

Draw them anew with ``python -m tests.render.samples``.
"""

from pathlib import Path

from render import paint
from render.gallery import PICTURES
from render.scene import Scene
from rules.catalogue import GAMES
from tests.render.played import CAPTION, SETTINGS, stops

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
SEED, STOP = 80, 29


def samples() -> dict[str, Scene]:
    """File name -> scene."""
    game, pictures = GAMES["currents"], PICTURES["currents"]
    state, since = stops(*SETTINGS[0], SEED)[STOP]
    actor = game.to_act(state)
    return {
        "currents-board.png": pictures.board(game.view(state, None), since, CAPTION),
        "currents-hand.png": pictures.hand(game.view(state, actor), CAPTION),
    }


def write() -> None:
    """Draw all of them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, scene in samples().items():
        (FOLDER / name).write_bytes(paint.picture(scene))


if __name__ == "__main__":
    write()
