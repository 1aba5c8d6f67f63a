"""Checks of pictures: every view can be drawn, and no picture knows more than its viewer."""

import io
import random
from collections.abc import Mapping
from typing import Any, Final

from PIL import Image

from render.caption import Caption
from render.catalogue import PICTURES, Pictures
from render.paint import render_png
from rules.game import AnyGame
from tests.conformance.random_games import PlayedGame, names_of, stream
from tests.docs.guide import toy_game, toy_pictures
from tests.trials import LONG

ALL_PICTURES: Final[Mapping[str, Pictures[Any]]] = {**PICTURES, toy_game().key: toy_pictures()}
PAINTED = 2 if LONG else 1
"""Pictures per game that become bytes: they cost time."""


def check_scenes(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Boards and hands are drawn for every viewer, and drawn alike in every world that fits the view."""
    pictures = ALL_PICTURES[game.key]
    caption = Caption(1, names_of(played.setting.seats))
    for transition in played.some(rng, 8):
        for viewer in played.some_viewers(rng):
            view = game.view(transition.after, viewer)
            trail = view.position.trail
            scenes = pictures.board(view, trail, caption), pictures.hand(view, caption)
            other = game.view(game.sample_state(view, stream(rng)), viewer)
            assert scenes == (pictures.board(other, trail, caption), pictures.hand(other, caption))


def check_paint(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """The scenes become PNG files of their size that open, the same bytes each time."""
    pictures = ALL_PICTURES[game.key]
    caption = Caption(1, names_of(played.setting.seats))
    for transition in rng.sample(played.transitions, min(PAINTED, len(played.transitions))):
        viewer = rng.choice(played.viewers)
        view = game.view(transition.after, viewer)
        for scene in (pictures.board(view, view.position.trail, caption), pictures.hand(view, caption)):
            data = render_png(scene)
            with Image.open(io.BytesIO(data)) as image:
                assert image.format == "PNG"
                assert image.size == (scene.width, scene.height)
                image.load()
            assert render_png(scene) == data
