"""The writer of animated pictures: each frame is the scene that was added, in few bytes."""

import io
import itertools
from collections.abc import Sequence

import pytest
from PIL import Image, ImageChops

from render.catalogue import PICTURES
from render.gif import Animation
from render.paint import clear_caches, render_png
from render.picture import BOARD, PictureContext
from render.scene import Box, Disc, Scene, make_group
from render.theme import INK, PAPER, SHARED_PALETTE, WATER
from rules.catalogue import GAMES
from tests.golden.record import golden_files
from tests.render.decision_points import CAPTION, recorded_points
from tests.trials import cases, trial_count

NO_LIMIT = 1 << 30
MAX_SCENES = trial_count(2, soak=5)
DELAY = 700
DISC = Disc(15, 15, 15, INK)


def _board_scenes(key: str) -> list[Scene]:
    """Return some boards of a game, in order."""
    game, draw = GAMES[key], PICTURES[key][BOARD].draw
    points = list(recorded_points(golden_files(game)[-1]))
    shown_points = points[:: max(1, len(points) // MAX_SCENES)][:MAX_SCENES]
    return [
        draw(game.view(point.state, None), PictureContext(CAPTION, point.recent_events))
        for point in shown_points
    ]


def _animate(scenes: Sequence[Scene], limit: int = NO_LIMIT) -> tuple[bytes, tuple[int, ...]]:
    """Return the file and which scene each frame shows."""
    animation = Animation(limit)
    for number, scene in enumerate(scenes, 1):
        if animation.wants_next(is_last=number == len(scenes)):
            animation.add(scene)
        else:
            animation.skip()
    return animation.encode([DELAY] * len(animation.scene_indexes)), animation.scene_indexes


def _frames(data: bytes) -> list[Image.Image]:
    """Return what each frame leaves on the screen."""
    with Image.open(io.BytesIO(data)) as image:
        frames = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            frames.append(image.convert("RGB"))
        return frames


def _png_image(scene: Scene) -> Image.Image:
    with Image.open(io.BytesIO(render_png(scene))) as image:
        return image.convert("RGB")


def _frame_boxes(data: bytes) -> list[tuple[int, int, int, int]]:
    """Return the rectangle of each frame, read from the file by the format's rules."""
    boxes, offset = [], 13 + 3 * 256
    while data[offset] != 0x3B:
        is_image = data[offset] == 0x2C
        if is_image:
            left, top, width, height = (
                int.from_bytes(data[offset + i : offset + i + 2], "little") for i in (1, 3, 5, 7)
            )
            boxes.append((left, top, left + width, top + height))
            assert not data[offset + 9] & 0x80, "no palette of its own"
        offset += 11 if is_image else 2
        while data[offset]:
            offset += data[offset] + 1
        offset += 1
    assert offset == len(data) - 1
    return boxes


def _scene_with_square(left: int, side: int = 20) -> Scene:
    """Return a small scene with one square among dots that stay."""
    dots = tuple(Box(x * 37 % 200, y, 1 + x % 3, 2, 0, WATER) for y in range(0, 200, 4) for x in range(40))
    layers = (make_group(40, 0, dots), make_group(left, 40, (Box(0, 0, side, side, 0, INK),)))
    return Scene(300, 200, PAPER, layers, (), SHARED_PALETTE)


@pytest.mark.slow
@pytest.mark.parametrize("key", cases(GAMES, *list(GAMES)[::2]))
def test_each_frame_is_its_scene(key: str) -> None:
    """Pillow reads back, pixel by pixel, what the PNG of each scene shows; frames hold what changed alone."""
    scenes = _board_scenes(key)
    data, scene_indexes = _animate(scenes)
    images = [_png_image(scenes[number]) for number in scene_indexes]
    frames = _frames(data)
    assert len(frames) == len(images)
    for frame, expected in zip(frames, images, strict=True):
        assert ImageChops.difference(frame, expected).getbbox() is None
    differences = [
        ImageChops.difference(before, after).getbbox() for before, after in itertools.pairwise(images)
    ]
    assert _frame_boxes(data) == [(0, 0, *images[0].size), *differences]
    clear_caches()
    assert _animate(scenes)[0] == data, "equal scenes, equal bytes"


def test_what_has_not_changed_is_left_out() -> None:
    """A frame that changes a small part of a large rectangle takes few bytes; one without changes none."""
    scenes = [_scene_with_square(10), _scene_with_square(10), _scene_with_square(250), _scene_with_square(10)]
    data, scene_indexes = _animate(scenes)
    assert scene_indexes == (0, 2, 3)
    assert _frame_boxes(data)[1:] == [(10, 40, 270, 60)] * 2
    assert len(_frames(data)) == 3
    first_frame_data, _ = _animate(scenes[:1])
    assert len(data) - len(first_frame_data) < 2 * 300 < len(first_frame_data) - 3 * 256


def test_frames_have_their_times_and_repeat_for_ever() -> None:
    """The file repeats for ever and says how long each frame stays."""
    animation = Animation(NO_LIMIT)
    for left in (10, 50, 90):
        animation.add(_scene_with_square(left))
    with Image.open(io.BytesIO(animation.encode([500, 1230, 6000]))) as image:
        delays = []
        for number in range(3):
            image.seek(number)
            delays.append(image.info["duration"])
        assert image.info["loop"] == 0
    assert delays == [500, 1230, 6000]


def test_frames_are_dropped_evenly_at_the_limit() -> None:
    """The file keeps to its limit; the first and the last scene stay, and the others are spread evenly."""
    scenes = [_scene_with_square(number, 10 + number % 7) for number in range(100)]
    unlimited_data, _ = _animate(scenes)
    limit = len(unlimited_data) // 3
    data, scene_indexes = _animate(scenes, limit)
    assert len(unlimited_data) // 12 < len(data) <= limit
    assert (scene_indexes[0], scene_indexes[-1]) == (0, 99)
    steps = [later - earlier for earlier, later in itertools.pairwise(scene_indexes)]
    assert max(steps) <= 2 * min(steps[:-1])
    for frame, number in zip(_frames(data), scene_indexes, strict=True):
        assert ImageChops.difference(frame, _png_image(scenes[number])).getbbox() is None


def test_what_cannot_be_animated_is_refused() -> None:
    """All scenes have one width and one palette, which leaves a colour for transparency."""
    animation = Animation(NO_LIMIT)
    animation.add(_scene_with_square(10))
    with pytest.raises(ValueError, match="one width"):
        animation.add(Scene(301, 200, PAPER, (), (), SHARED_PALETTE))
    with pytest.raises(ValueError, match="one width"):
        animation.add(Scene(300, 200, PAPER, (), (), (*SHARED_PALETTE, 0x123456)))
    too_many_colours = tuple(dict.fromkeys((PAPER, WATER, *range(256))))[:256]
    with pytest.raises(ValueError, match="256 colours"):
        Animation(NO_LIMIT).add(Scene(300, 200, PAPER, (), (), too_many_colours))


def test_scenes_of_several_heights_share_the_highest_picture() -> None:
    """The picture is as high as its highest scene; below a lower one there is its background."""
    heights = (200, 150, 260, 200)
    scenes = [
        Scene(300, height, PAPER, (make_group(10, height - 40, (DISC,)),), (), SHARED_PALETTE)
        for height in heights
    ]
    data, _ = _animate(scenes)
    for frame, scene in zip(_frames(data), scenes, strict=True):
        assert frame.size == (300, 260)
        assert frame.crop((0, 0, 300, scene.height)).tobytes() == _png_image(scene).tobytes()
        below = frame.crop((0, scene.height, 300, 260))
        assert set(below.tobytes()) <= set(PAPER.to_bytes(3, "big"))
