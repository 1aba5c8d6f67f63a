"""Checks of pictures: every view can be drawn, and no picture knows more than its viewer."""

import io
import random
from collections.abc import Iterator, Mapping
from typing import Any, Final

from PIL import Image

from render.caption import Caption
from render.catalogue import PICTURES, Pictures, choose_picture_name
from render.paint import render_png
from render.picture import Picture, PictureContext
from rules.game import AnyGame
from rules.model import Seat
from tests.conformance.random_games import PlayedGame, longest_names, new_stream
from tests.docs.game_guide import TOY_PICTURES
from tests.trials import IS_SOAK

ALL_PICTURES: Final[Mapping[str, Pictures]] = {**TOY_PICTURES, **PICTURES}
"""Of every registered game and the guide's, by key."""
PAINTED_POSITION_COUNT = 2 if IS_SOAK else 1
"""Positions per game whose pictures are painted, which takes long."""
MAX_PAINTED_PICTURES = 1_000 if IS_SOAK else 1
"""Pictures of one position that are painted."""


def check_scenes(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """Every picture is drawn for every viewer who may see it, alike in every world that fits the view."""
    caption = Caption(1, longest_names(played.setup.seat_count))
    for transition in played.pick_transitions(rng, 8):
        for viewer in played.pick_viewers(rng):
            view = game.view(transition.after, viewer)
            sampled_view = game.view(game.sample_state(view, new_stream(rng)), viewer)
            for picture, context in _pictures_with_contexts(game, view, caption):
                assert picture.draw(view, context) == picture.draw(sampled_view, context)
            if viewer is not None:
                _check_choice_picture(game, view, caption)


def _check_choice_picture(game: AnyGame, view: Any, caption: Caption) -> None:
    """For any choices one picture is chosen, the same again, and it can mark them."""
    pictures, choices = ALL_PICTURES[game.key], game.legal_actions(view)
    name = choose_picture_name(pictures, view, choices)
    assert choose_picture_name(pictures, view, choices) == name
    subject = view.viewer if pictures[name].shows_one_seat else None
    context = PictureContext(caption, view.position.trail, subject, choices)
    assert pictures[name].draw(view, context) == pictures[name].draw(view, context)


def _pictures_with_contexts(
    game: AnyGame, view: Any, caption: Caption
) -> Iterator[tuple[Picture[Any], PictureContext]]:
    """Yield each picture that a viewer may see, once for each seat that it can show."""
    seats = [Seat(index) for index in range(len(caption.names))]
    for picture in ALL_PICTURES[game.key].values():
        subjects: list[Seat | None] = [None]
        if picture.shows_one_seat:
            subjects = [view.viewer] if picture.is_secret else [*seats]
        if picture.is_secret and view.viewer is None:
            continue
        for subject in subjects:
            yield picture, PictureContext(caption, view.position.trail, subject)


def check_paint(game: AnyGame, played: PlayedGame, rng: random.Random) -> None:
    """The scenes become PNG files of their size that open, the same bytes each time."""
    caption = Caption(1, longest_names(played.setup.seat_count))
    for transition in rng.sample(played.transitions, min(PAINTED_POSITION_COUNT, len(played.transitions))):
        viewer = rng.choice(played.viewers)
        view = game.view(transition.after, viewer)
        contexts = [*_pictures_with_contexts(game, view, caption)]
        for picture, context in rng.sample(contexts, min(MAX_PAINTED_PICTURES, len(contexts))):
            scene = picture.draw(view, context)
            png = render_png(scene)
            with Image.open(io.BytesIO(png)) as image:
                assert image.format == "PNG"
                assert image.size == (scene.width, scene.height)
                image.load()
            assert render_png(scene) == png
