"""Pictures of whole games: equal bytes, readable, within their limits, without secrets."""

import concurrent.futures
import hashlib
import io
import os
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import islice

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from render import paint, sprites, theme, typeset
from render.caption import Caption
from render.catalogue import PICTURES, choose_picture_name
from render.parts import draw_pennant
from render.picture import BOARD, OWN_BOARD, PictureContext
from render.scene import Anchor, Box, Group, Polygon, Rectangle, Scene, Text
from rules.catalogue import GAMES
from rules.model import CHANCE
from rules.random_stream import RandomStream
from tests.render.colour_science import contrast, distance
from tests.render.decision_points import (
    CAPTION,
    DecisionPoint,
    decision_points,
    picture_setups,
    sample_points,
    sample_scenes,
    scenes_of,
)
from tests.render.drawn_contents import drawn_texts
from tests.trials import IS_SOAK, trial_count

KEYS = tuple(PICTURES)
FOR_EVERY_GAME = pytest.mark.parametrize("key", KEYS)


def texts_with_anchors(scene: Scene) -> list[tuple[float, float, Text]]:
    """Return every text with the place of its anchor in the picture."""
    texts = []
    for layer in (*scene.static_layers, *scene.layers):
        if isinstance(layer, Group):
            texts += [
                (layer.x + item.x, layer.y + item.y, item) for item in layer.items if isinstance(item, Text)
            ]
    return texts


def thinned_scenes(key: str, interval: int) -> tuple[Scene, ...]:
    """Return one in ``interval`` of a game's pictures; in ``make test`` a thirtieth of these."""
    return sample_scenes(key)[:: interval if IS_SOAK else 30 * interval]


def few_scenes(key: str, interval: int) -> tuple[Scene, ...]:
    """Return one in ``interval`` of a game's pictures; in ``make test`` the one in the middle alone."""
    scenes = sample_scenes(key)
    return scenes[::interval] if IS_SOAK else scenes[len(scenes) // 2 :][:1]


def digest_pictures() -> str:
    """Return one digest of pictures of every game."""
    digest = hashlib.blake2b()
    for key in KEYS:
        for scene in sample_scenes(key)[::4]:
            digest.update(paint.render_png(scene))
    return digest.hexdigest()


def test_every_registered_game_is_drawn() -> None:
    """A registered game has pictures, and pictures belong to a registered game."""
    assert set(PICTURES) == set(GAMES)


@FOR_EVERY_GAME
def test_marks_name_no_turn(key: str) -> None:
    """The legend calls marks "changed": the turn that they belong to may be over or go on."""
    texts = {text for scene in sample_scenes(key) for text in drawn_texts(scene.layers)}
    assert "changed" in texts
    assert not {"last turn", "this turn"} & texts


@pytest.mark.slow
@FOR_EVERY_GAME
def test_same_bytes_whatever_is_cached(key: str) -> None:
    """The bytes are the same with empty caches, full caches and caches filled by other pictures."""
    scenes = few_scenes(key, 5)
    pngs = [paint.render_png(scene) for scene in scenes]
    for scene, png in zip(reversed(scenes), reversed(pngs), strict=True):
        paint.clear_caches()
        assert paint.render_png(scene) == png
        assert paint.render_png(scene) == png


@pytest.mark.soak_only  # tests/conformance/test_determinism.py compares boards at each commit
def test_same_bytes_in_another_process() -> None:
    """Neither hash seeds nor the order of imports change the pixels."""
    code = "from tests.render.test_pictures import digest_pictures; print(digest_pictures())"
    trial_variables = {name: value for name, value in os.environ.items() if name.startswith("TRIALS")}
    other = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "4711", "PATH": "", **trial_variables},
    )
    assert other.stdout.strip() == digest_pictures()


@pytest.mark.slow
def test_same_bytes_from_two_threads() -> None:
    """Two pictures drawn at once are the same as when drawn alone."""
    scenes = [scene for key in KEYS[:: 1 if IS_SOAK else 2] for scene in few_scenes(key, 4)]
    expected_pngs = [paint.render_png(scene) for scene in scenes]
    paint.clear_caches()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert list(pool.map(paint.render_png, scenes)) == expected_pngs


@pytest.mark.slow
@FOR_EVERY_GAME
def test_png_is_valid_and_light(key: str) -> None:
    """Pillow reads exactly the composed pixels; 1200 wide, at least 900 high, at most 250 KB."""
    for scene in thinned_scenes(key, 2):
        png = paint.render_png(scene)
        assert len(png) <= 250_000
        with Image.open(io.BytesIO(png)) as image:
            image.load()
            assert image.size == (scene.width, scene.height)
            assert image.width == theme.PICTURE_WIDTH
            assert image.height >= theme.SMALL_PICTURE_HEIGHT
            stride = scene.width + 1
            rows = paint.draw_filtered_rows(scene)
            expected = b"".join(rows[i + 1 : i + stride] for i in range(0, len(rows), stride))
            assert image.tobytes() == expected


@FOR_EVERY_GAME
def test_text_is_large_enough_and_fits_its_width(key: str) -> None:
    """No text is below 24 pixels, wider than its ``max_width``, or outside the picture."""
    for scene in sample_scenes(key):
        for x, y, text in texts_with_anchors(scene):
            fitted = typeset.fit_text(text)
            assert fitted.size >= 24, text
            assert fitted.width <= text.max_width + 1, text
            left = x - {Anchor.LEFT: 0.0, Anchor.MIDDLE: 0.5, Anchor.RIGHT: 1.0}[text.anchor] * fitted.width
            assert left >= 9, text
            assert left + fitted.width <= scene.width - 9, text
            assert 9 < y < scene.height - 9, text


@pytest.mark.slow
@FOR_EVERY_GAME
def test_text_can_be_read_where_it_stands(key: str) -> None:
    """A text has a contrast of 4.4:1 at least to what surrounds it in the finished picture."""
    for scene in thinned_scenes(key, 2):
        rows, stride = paint.draw_filtered_rows(scene), scene.width + 1
        for x, y, text in texts_with_anchors(scene):
            fitted = typeset.fit_text(text)
            left = x - {Anchor.LEFT: 0.0, Anchor.MIDDLE: 0.5, Anchor.RIGHT: 1.0}[text.anchor] * fitted.width
            index_counts: Counter[int] = Counter()
            for row in range(round(y - 0.3 * fitted.size), round(y + 0.3 * fitted.size)):
                start = row * stride + 1 + round(left)
                index_counts.update(rows[start : start + round(fitted.width)])
            colours = [paint.palette_of(scene).colours[index] for index, _ in index_counts.most_common(3)]
            backgrounds = [colour for colour in colours if colour != text.colour]
            assert contrast(text.colour, backgrounds[0]) >= 4.4, (text, f"{backgrounds[0]:06X}")


@FOR_EVERY_GAME
def test_layers_lie_inside_the_picture(key: str) -> None:
    """Nothing is cut off at the picture's edge."""
    for scene in sample_scenes(key):
        for layer in (*scene.static_layers, *scene.layers):
            margin = 0 if isinstance(layer, Rectangle) else -4
            assert layer.x >= margin, layer
            assert layer.y >= margin, layer
            assert layer.x + layer.width <= scene.width - margin, layer
            assert layer.y + layer.height <= scene.height - margin, layer


@FOR_EVERY_GAME
def test_the_board_shows_no_secret(key: str) -> None:
    """The board is the same for every deal that looks the same to a bystander."""
    game, draw = GAMES[key], PICTURES[key][BOARD].draw
    for i, (state, recent_events, _) in enumerate(sample_points(key)):
        context = PictureContext(CAPTION, recent_events)
        public = game.view(state, None)
        other = game.sample_state(public, RandomStream(b"another deal....", i))
        assert draw(game.view(other, None), context) == draw(public, context)


@FOR_EVERY_GAME
def test_every_colour_is_in_the_palette(key: str) -> None:
    """What is drawn flat has its colour, or one that nobody can tell from it."""
    colours_by_palette: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
    for scene in sample_scenes(key):
        colours_by_palette[scene.palette or theme.SHARED_PALETTE].update(
            colour
            for layer in (*scene.static_layers, *scene.layers)
            for item in (layer.items if isinstance(layer, Group) else (layer,))
            for name in ("fill", "outline", "colour")
            if (colour := getattr(item, name, None)) is not None
        )
    assert colours_by_palette
    for palette, colours in colours_by_palette.items():
        for colour in colours:
            nearest = sprites.nearest_palette_colour(colour, palette)
            assert distance(colour, nearest, "full") < 3, f"{colour:06X} is drawn as {nearest:06X}"


@FOR_EVERY_GAME
def test_choices_are_marked(key: str) -> None:
    """In every game some choice is marked in the picture that helps with it."""
    game, pictures, marked_count = GAMES[key], PICTURES[key], 0
    for state, recent_events, _ in sample_points(key):
        actor = game.to_act(state)
        if actor is None or actor == CHANCE:
            continue
        view = game.view(state, actor)
        choices = game.legal_actions(view)
        for kind in dict.fromkeys(map(type, choices)):
            kind_choices = tuple(choice for choice in choices if type(choice) is kind)
            picture = pictures[choose_picture_name(pictures, view, kind_choices)]
            plain_context = PictureContext(CAPTION, recent_events, actor if picture.shows_one_seat else None)
            choice_context = msgspec.structs.replace(plain_context, choices=kind_choices)
            marked_count += picture.draw(view, choice_context) != picture.draw(view, plain_context)
    assert marked_count


HOSTILE_NAMES = (
    "",
    " ",
    "\u200b\u200d",
    "\u202eevil\u202c",
    "W" * 4000,
    "\U0001f469\u200d\U0001f467\U0001f3f4\u200d\u2620\ufe0f",
    "\u738b\u5c0f\u660e",
    "\u0645\u0631\u062d\u0628\u0627",
    "a\u0301\u0323" * 500,
    "@everyone <@123> **b**",
    "\ud800",
    "\x00\x1b[31m",
    "\u05e9\u05dc\u05d5\u05dd",
    "\U0001d571\U0001d597\U0001d586\U0001d590",
    "\ufdfa" * 30,
    "\u0178\u0336\u0353\u034c" * 40,
)


@cache
def early_point(key: str) -> DecisionPoint:
    """Return an early decision point of a game of four, or of as many as can play."""
    setups = picture_setups(GAMES[key])
    setup = next((setup for setup in setups if setup.seat_count == 4), setups[-1])
    return next(islice(decision_points(setup, 7), 4, None))


@FOR_EVERY_GAME
def test_an_unknown_table_has_no_number(key: str) -> None:
    """No picture says that the game is that of table 0."""
    scenes = scenes_of(key, early_point(key), Caption(0, CAPTION.names))
    texts = [text.text for scene in scenes for _, _, text in texts_with_anchors(scene)]
    assert texts
    assert not [text for text in texts if "No. 0" in text]


@FOR_EVERY_GAME
def test_the_board_says_who_has_won(key: str) -> None:
    """Its pill names an only winner; in a preview of the last move it says that it is a preview."""
    game, draw_board = GAMES[key], PICTURES[key][BOARD].draw
    final_points = [point for point in sample_points(key) if game.to_act(point.state) is None]
    assert final_points
    for point in final_points:
        view, winners = game.view(point.state, None), game.returns(point.state).winners
        texts = drawn_texts(draw_board(view, PictureContext(CAPTION)).layers)
        assert len(winners) > 1 or f"{CAPTION.names[winners[0]]} wins" in texts
        preview_caption = Caption(12, CAPTION.names, "Preview")
        assert "Preview" in drawn_texts(draw_board(view, PictureContext(preview_caption)).layers)


PENNANTS = {draw_pennant(0, 0, seat).items for seat in range(len(theme.SEAT_MARKS))}


def pennants_in(scene: Scene) -> list[Group]:
    """Return the pennants of whose turn it is, or who has won."""
    return [layer for layer in scene.layers if isinstance(layer, Group) and layer.items in PENNANTS]


def emphasized_pieces(scene: Scene) -> list[Group]:
    """Return the layers without words that have a thick dark outline: on a board, panels and pieces."""
    return [
        layer
        for layer in scene.layers
        if isinstance(layer, Group)
        and not any(isinstance(item, Text) for item in layer.items)
        and any(
            isinstance(item, Box | Polygon)
            and (item.outline, item.outline_width) == (theme.INK, theme.EMPHASIS_LINE_WIDTH)
            for item in layer.items
        )
    ]


@FOR_EVERY_GAME
def test_a_game_that_has_ended_early_is_nobodys_turn(key: str) -> None:
    """Neither the board nor the seats' own boards mark whose turn it was."""
    game, pictures = GAMES[key], PICTURES[key]
    caption = Caption(12, CAPTION.names, "Ended early")
    for point in sample_points(key):
        if game.to_act(point.state) is None:
            continue
        view = game.without_turn(game.view(point.state, None))
        context = PictureContext(caption, point.recent_events)
        board = pictures[BOARD].draw(view, context)
        assert not pennants_in(board)
        assert not emphasized_pieces(board)
        for seat in point.all_seats if OWN_BOARD in pictures else ():
            assert not pennants_in(
                pictures[OWN_BOARD].draw(view, msgspec.structs.replace(context, subject=seat))
            )


def check_names(names: tuple[str, ...]) -> None:
    """Draw all pictures with these names: every text fits, and its face has every character."""
    caption = Caption(2**40, names)
    scenes: list[Scene] = []
    for key in KEYS:
        scenes += scenes_of(key, early_point(key), caption)
    for scene in scenes:
        assert paint.render_png(scene)
        for _, _, text in texts_with_anchors(scene):
            fitted = typeset.fit_text(text)
            assert fitted.width <= text.max_width + 1
            assert fitted.text.strip(), text
            assert typeset.fits(fitted.text.strip(), text.face, fitted.size, text.max_width + 1)


HOSTILE_TABLES = (
    [(name,) * 4 for name in HOSTILE_NAMES]
    if IS_SOAK
    else [HOSTILE_NAMES[first : first + 4] for first in range(0, len(HOSTILE_NAMES), 4)]
)
"""The names of each table; in ``make test`` every name sits at one table."""


@pytest.mark.slow
@pytest.mark.parametrize("names", HOSTILE_TABLES, ids=range(len(HOSTILE_TABLES)))
def test_hostile_names_are_drawn(names: tuple[str, ...]) -> None:
    """Any name becomes a readable text that fits."""
    check_names(names)


@pytest.mark.slow
@pytest.mark.soak_only  # test_hostile_names_are_drawn draws names of every kind
@settings(max_examples=trial_count(1, soak=25), suppress_health_check=[HealthCheck.too_slow])
@given(st.tuples(*[st.text(max_size=40)] * 4))
def test_any_names_are_drawn(names: tuple[str, str, str, str]) -> None:
    """The same holds for random names."""
    check_names(names)


@pytest.mark.usefixtures("_kerning")
@FOR_EVERY_GAME
def test_measured_widths_are_drawn_widths(key: str) -> None:
    """A width measured at one size is right within a pixel at the size drawn."""
    scenes = sample_scenes(key)[:: 4 if IS_SOAK else 12]
    texts = (text for scene in scenes for _, _, text in texts_with_anchors(scene))
    fitted_texts = {(typeset.fit_text(text), text.face) for text in texts}
    for fitted, face in fitted_texts:
        assert abs(sprites.measure_drawn_width(fitted, face) - fitted.width) <= 1, fitted
