"""Parts of pictures are reused only where nothing changed, and nothing is drawn beyond the edge."""

import io
import random
from collections.abc import Callable
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from render import bands, paint, png, sprites
from render.bands import BAND_ROWS
from render.cache import ByteCache, PackedCache
from render.catalogue import PICTURES
from render.parts import draw_title_bar
from render.pixels import Pixels
from render.scene import Box, Disc, Group, Layer, Rectangle, Scene, Text, make_group
from render.sprites import Palette, nearest_palette_colour
from render.theme import INK, MAGENTA, PAPER, WATER, WHITE, make_palette
from tests.render.decision_points import random_scenes, sample_scenes
from tests.trials import IS_SOAK, trial_count

WIDTH, HEIGHT = 320, 200


def make_scene(*layers: Layer, static_layers: tuple[Layer, ...] = ()) -> Scene:
    """Return a small picture."""
    return Scene(WIDTH, HEIGHT, PAPER, layers, static_layers)


def read_pixels(scene: Scene) -> bytes:
    """Return the pixels of a scene's PNG as Pillow reads them."""
    with Image.open(io.BytesIO(paint.render_png(scene))) as image:
        image.load()
        assert image.size == (scene.width, scene.height)
        return image.tobytes()


def draw_named_disc(x: int, y: int, text: str = "Ava") -> Group:
    """Draw a disc with an outline and a name on it."""
    return make_group(x, y, (Disc(0, 0, 40, WATER, INK, 5), Text(-20, 0, text, 26, MAGENTA, 60)))


@pytest.mark.parametrize("place", [(0, 90), (WIDTH, 90), (150, 0), (150, HEIGHT), (0, 0), (WIDTH, HEIGHT)])
@pytest.mark.parametrize("is_static", [True, False])
def test_a_group_beyond_the_edge_is_clipped(place: tuple[int, int], *, is_static: bool) -> None:
    """It looks as in a larger picture of which only this part is seen."""
    x, y = place
    layers = (Rectangle(x - 60, y - 60, 120, 120, WATER), draw_named_disc(x, y))
    clipped = read_pixels(make_scene(static_layers=layers) if is_static else make_scene(*layers))
    moved = (Rectangle(x + 40, y + 40, 120, 120, WATER), draw_named_disc(x + 100, y + 100))
    whole = read_pixels(Scene(WIDTH + 200, HEIGHT + 200, PAPER, moved))
    stride = WIDTH + 200
    rows = (
        whole[start : start + WIDTH] for start in range(100 * stride + 100, (100 + HEIGHT) * stride, stride)
    )
    assert clipped == b"".join(rows)


@pytest.mark.parametrize("place", [(-100, 90), (WIDTH + 100, 90), (150, -100), (150, HEIGHT + 100)])
def test_a_group_outside_the_picture_is_not_drawn(place: tuple[int, int]) -> None:
    """Nor does it make the picture unreadable."""
    assert set(read_pixels(make_scene(draw_named_disc(*place)))) == set(read_pixels(make_scene()))


def test_only_bands_that_changed_are_deflated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disc that moves changes the bands where it was and where it is; all other tiles are reused too."""
    deflated: list[int] = []
    drawn: list[Pixels] = []
    deflate, draw = png.Deflater.deflate_band, sprites.draw_tile

    def note_and_deflate(self: png.Deflater, rows: bytes | memoryview, key: bytes) -> png.Band:
        deflated.append(len(rows))
        return deflate(self, rows, key)

    def note_and_draw(group: Group, sprite: Pixels, background: Pixels, palette: Palette) -> Pixels:
        drawn.append(sprite)
        return draw(group, sprite, background, palette)

    monkeypatch.setattr(png.Deflater, "deflate_band", note_and_deflate)
    monkeypatch.setattr(sprites, "draw_tile", note_and_draw)
    paint.clear_caches()
    lines = tuple(
        make_group(10, 12 + BAND_ROWS * i, (Text(0, 0, f"line {i}", 18, INK, 150),)) for i in range(8)
    )
    discs = [draw_named_disc(250, y) for y in (60, 110)]
    paint.render_png(make_scene(*lines, discs[0]))
    first_deflated_count, first_drawn_count = len(deflated), len(drawn)
    assert (first_deflated_count, first_drawn_count) == (-(-HEIGHT // BAND_ROWS), len(lines) + 1)
    paint.render_png(make_scene(*lines, discs[1]))
    changed = {y // BAND_ROWS for disc in discs for y in range(disc.y, disc.y + disc.height)}
    assert len(deflated) - first_deflated_count <= len(changed) < first_deflated_count
    assert len(drawn) - first_drawn_count <= 1
    counts_before = len(deflated), len(drawn)
    paint.render_png(make_scene(*lines, discs[1]))
    assert (len(deflated), len(drawn)) == counts_before


def test_only_bands_that_changed_are_composed(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a disc moves, only the bands that show it before or after are composed."""
    composed: list[int] = []
    get_static_bands = paint._get_static_bands

    def note_bands(scene: Scene, needed_bands: set[int]) -> dict[int, Pixels]:
        composed.extend(needed_bands)
        return get_static_bands(scene, needed_bands)

    monkeypatch.setattr(paint, "_get_static_bands", note_bands)
    paint.clear_caches()
    for y in (60, 110):
        composed.clear()
        paint.render_png(make_scene(draw_named_disc(250, y), draw_named_disc(40, y)))
    discs = [draw_named_disc(250, y) for y in (60, 110)]
    assert set(composed) == {
        row // BAND_ROWS for disc in discs for row in range(disc.y, disc.y + disc.height)
    }


def test_static_layers_are_mapped_once() -> None:
    """However many pictures lie on them."""
    static_layers = (draw_named_disc(120, 90),)
    first, second = (
        bands.map_static_layers(make_scene(*above, static_layers=static_layers))
        for above in ((), (draw_named_disc(40, 60),))
    )
    assert first is second


@pytest.mark.parametrize("background_colours", [(PAPER,), (PAPER, WATER)])
def test_a_text_on_its_own_looks_as_in_a_group(background_colours: tuple[int, ...]) -> None:
    """It is drawn in a shorter way, on a background of one colour in a still shorter one."""
    rectangles = tuple(Rectangle(0, 60 * i, WIDTH, 60, colour) for i, colour in enumerate(background_colours))
    texts = (Text(10, 58, "Ava Wjg", 34, MAGENTA, 150), Text(180, 58, "Ben", 34, INK, 90))
    separate_groups = (make_group(0, 0, (text,)) for text in texts)
    one_group = Group(0, 0, WIDTH, HEIGHT, texts)
    assert read_pixels(make_scene(*rectangles, *separate_groups)) == read_pixels(
        make_scene(*rectangles, one_group)
    )


@pytest.fixture
def drawn_groups(monkeypatch: pytest.MonkeyPatch) -> list[Group]:
    """Return the groups that are drawn from now on."""
    groups: list[Group] = []
    draw = sprites.draw_sprite

    def note_and_draw(group: Group) -> Pixels:
        groups.append(group)
        return draw(group)

    monkeypatch.setattr(sprites, "draw_sprite", note_and_draw)
    paint.clear_caches()
    return groups


def test_a_group_is_drawn_once_for_all_backgrounds(drawn_groups: list[Group]) -> None:
    """A group that lies on another background is not drawn again."""
    for colour in (PAPER, WATER, MAGENTA):
        for x in (60, 200):
            paint.render_png(make_scene(Rectangle(0, 0, WIDTH, HEIGHT, colour), draw_named_disc(x, 90)))
    assert len(drawn_groups) == 1


@pytest.mark.parametrize("seat", [None, 2])
def test_of_a_new_title_only_its_text_is_drawn(seat: int | None, drawn_groups: list[Group]) -> None:
    """The ends of its pill are those of every other title."""
    for pill_text in ("Ann", "Catherine to play"):
        drawn_groups.clear()
        title = draw_title_bar(900, "Title", "note", pill_text, "", seat)
        paint.render_png(Scene(900, 100, PAPER, title))
    drawn_texts = [[item.text for item in each.items if isinstance(item, Text)] for each in drawn_groups]
    assert drawn_texts == [[pill_text]]


def test_the_background_of_a_pill_looks_like_one_box() -> None:
    """The seams of its two ends and the fill between them are not seen."""
    heading, note, start, fill, end, text = draw_title_bar(900, "Title", "note", "Catherine", "", None)
    box = make_group(start.x, 24, (Box(0, 0, end.x + end.width - start.x, 61, 30.5, INK),))
    whole = Scene(900, 100, PAPER, (heading, note, box, text))
    assert paint.draw_filtered_rows(whole) == paint.draw_filtered_rows(
        Scene(900, 100, PAPER, (heading, note, start, fill, end, text))
    )


def test_a_sprite_adds_nothing_where_it_is_clear() -> None:
    """Beside the shape the background stays as it is; inside it there is the shape's colour."""
    for colour in make_palette():
        scene = make_scene(Rectangle(0, 0, WIDTH, HEIGHT, colour), draw_named_disc(100, 100))
        with Image.open(io.BytesIO(paint.render_png(scene))) as image:
            seen = image.convert("RGB")
        corner, middle = (scene.layers[1].x, scene.layers[1].y), (100, 80)
        assert nearest_palette_colour(colour, make_palette()) == read_colour(seen, corner)
        assert read_colour(seen, middle) == WATER


def test_what_lies_above_a_text_covers_it() -> None:
    """A text under a shape is not seen, whatever is drawn first; one above it or beside it is."""
    text = Text(0, 20, "HHH", 30, INK, 70)
    below, above = Box(0, 0, 70, 40, 0, WHITE), Box(-4, -4, 78, 48, 0, WATER)
    for items, colours in (
        ((below, text), {WHITE, INK}),
        ((text, above), {WATER}),
        ((below, text, above), {WATER}),
        ((text, above, text), {WATER, INK}),
        ((text, Box(80, 0, 9, 9, 0, WATER)), {INK}),
    ):
        with Image.open(io.BytesIO(paint.render_png(make_scene(make_group(100, 100, items))))) as image:
            seen = image.convert("RGB")
        assert {read_colour(seen, (x, 120)) for x in range(102, 160)} & {WHITE, WATER, INK} == colours


def read_colour(image: Image.Image, place: tuple[int, int]) -> int:
    """Return a pixel as 0xRRGGBB."""
    red, green, blue = cast("tuple[int, int, int]", image.getpixel(place))
    return red << 16 | green << 8 | blue


def test_games_with_other_palettes_share_no_pixels() -> None:
    """Equal layers are other indices in another palette: each picture has its own colours."""
    scene = make_scene(draw_named_disc(100, 100))
    for palette in ((), make_palette((0x123456,)), (*reversed(make_palette()),)):
        coloured = msgspec.structs.replace(scene, palette=palette)
        with Image.open(io.BytesIO(paint.render_png(coloured))) as image:
            seen = image.convert("RGB")
        assert read_colour(seen, (100, 62)) == INK
        assert read_colour(seen, (5, 5)) == PAPER


_COLOURS = st.sampled_from([INK, WATER, WHITE, MAGENTA])
_SPOTS = st.integers(-40, WIDTH + 40), st.integers(-40, HEIGHT + 40)
_SPOTS_NEARBY = st.integers(-BAND_ROWS, BAND_ROWS)
_LAYERS = st.one_of(
    st.builds(Rectangle, *_SPOTS, st.integers(1, 90), st.integers(1, 90), _COLOURS),
    st.builds(
        lambda x, y, size, colour, text: make_group(
            x, y, (Box(0, 0, size, size, 9, colour, INK, 3), Text(4, 20, text, 24, INK, 60))
        ),
        *_SPOTS,
        st.integers(8, 100),
        _COLOURS,
        st.text(max_size=4),
    ),
)


@settings(max_examples=trial_count(25, soak=1_000))
@given(st.lists(_LAYERS, max_size=8), st.lists(_LAYERS, max_size=3), st.data())
def test_reuse_never_changes_a_picture(
    layer_pool: list[Layer], static_pool: list[Layer], data: st.DataObject
) -> None:
    """Pictures that share layers, in whatever order they lie, are the same bytes as when drawn alone."""
    scenes = []
    for _ in range(3):
        layers_above = data.draw(st.lists(st.sampled_from(layer_pool), max_size=8)) if layer_pool else []
        static_layers = tuple(static_pool[: data.draw(st.integers(0, len(static_pool)))])
        scenes.append(make_scene(*layers_above, static_layers=static_layers))
    together = [paint.render_png(scene) for scene in scenes]
    for scene, reused_png in zip(scenes, together, strict=True):
        paint.clear_caches()
        assert paint.render_png(copy_layers(scene)) == reused_png


@settings(max_examples=trial_count(25, soak=1_000))
@given(_LAYERS, _SPOTS_NEARBY, _SPOTS_NEARBY)
def test_a_moved_layer_is_seen_where_it_is(layer: Layer, right: int, down: int) -> None:
    """However little it has moved, also if it touches the same bands as before."""
    moved = msgspec.structs.replace(layer, x=layer.x + right, y=layer.y + down)
    paint.render_png(make_scene(layer))
    after_another = paint.render_png(make_scene(moved))
    paint.clear_caches()
    assert paint.render_png(copy_layers(make_scene(moved))) == after_another


def test_a_layer_is_shared_by_pictures_of_other_sizes() -> None:
    """Each cuts off what lies outside it, as if it were drawn alone."""
    disc = draw_named_disc(250, 60)
    pictures = [
        Scene(width, height, PAPER, (disc,))
        for width, height in ((WIDTH, HEIGHT), (260, 70), (WIDTH, HEIGHT))
    ]
    together = [paint.render_png(picture) for picture in pictures]
    paint.clear_caches()
    assert [paint.render_png(copy_layers(picture)) for picture in pictures] == together
    assert together[0] != together[1]


@pytest.mark.parametrize("side", ["left", "top", "right", "bottom"])
@pytest.mark.parametrize("overlap", [0, 1])
def test_a_tile_shows_all_that_reaches_under_it(side: str, overlap: int) -> None:
    """Also what covers one row or column of it, which another picture did not have."""
    disc = draw_named_disc(120, 90)
    x, y = disc.x, disc.y
    below = {
        "left": Rectangle(x - 20 + overlap, y, 20, disc.height, WATER),
        "top": Rectangle(x, y - 20 + overlap, disc.width, 20, WATER),
        "right": Rectangle(x + disc.width - overlap, y, 20, disc.height, WATER),
        "bottom": Rectangle(x, y + disc.height - overlap, disc.width, 20, WATER),
    }[side]
    paint.render_png(make_scene(disc))
    after_another = paint.render_png(make_scene(below, disc))
    paint.clear_caches()
    assert paint.render_png(copy_layers(make_scene(below, disc))) == after_another


def test_the_placement_of_a_layer_is_computed_once() -> None:
    """However many pictures it is part of."""
    disc = draw_named_disc(120, 90)
    first, second = (bands.map_scene(make_scene(disc, *other)).layers[0][1] for other in ((), (disc,)))
    assert first is second


def copy_layers(scene: Scene) -> Scene:
    """Return an equal scene whose layers were never drawn."""
    copies = tuple(
        tuple(msgspec.structs.replace(layer) for layer in part)
        for part in (scene.layers, scene.static_layers)
    )
    return msgspec.structs.replace(scene, layers=copies[0], static_layers=copies[1])


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(PICTURES))
def test_pictures_of_a_game_are_the_same_when_parts_are_reused(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All pictures of positions of a game, one after the other, are the same bytes as when drawn alone.

    The caches are so small that all that they keep is packed, unpacked and evicted meanwhile.
    """
    rng = random.Random(key)
    scenes = random_scenes(key, len(sample_scenes(key)) if IS_SOAK else 2, rng)
    for cache in (paint._tiles, paint._sprites, paint._static_bands):
        monkeypatch.setattr(cache._packed, "limit", 1 << 17)
    monkeypatch.setattr(png._bands, "limit", 1 << 18)
    monkeypatch.setattr(paint._tile_keys, "limit", 700)
    paint.clear_caches()
    together = [paint.render_png(scene) for scene in scenes]
    for number in rng.sample(range(len(scenes)), len(scenes) if IS_SOAK else 1):
        paint.clear_caches()
        assert paint.render_png(copy_layers(scenes[number])) == together[number]


@pytest.mark.parametrize("cache", [paint._sprites, paint._tiles, paint._static_bands])
def test_pixels_are_kept_packed(cache: PackedCache[Pixels]) -> None:
    """All that is kept of pictures takes less than half the bytes of its pixels."""
    paint.clear_caches()
    for x in (60, 120, 250):
        paint.render_png(make_scene(draw_named_disc(x, 90), static_layers=(draw_named_disc(x, 40, "Ben"),)))
    kept = list(cache._packed._entries.values())
    assert kept
    pixel_bytes = sum(len(pixels.data) for pixels in map(cache._unpack, kept))
    assert sum(map(len, kept)) < pixel_bytes / 2


@pytest.mark.slow
def test_the_caches_stay_within_their_limits() -> None:
    """Whatever is drawn, all that is kept takes a fixed number of bytes."""
    paint.clear_caches()
    for key in sorted(PICTURES):
        for scene in random_scenes(key, trial_count(1, soak=2), random.Random(key)):
            paint.render_png(scene)
    caches: list[ByteCache[Any] | PackedCache[Any]] = [
        paint._tiles,
        paint._sprites,
        paint._static_bands,
        png._bands,
    ]
    assert all(0 < cache.byte_count <= cache.limit for cache in caches)
    kept_chunks = [band.chunk for band in png._bands._entries.values()]
    assert sum(map(len, kept_chunks)) <= png._bands.byte_count
    assert 0 < len(paint._tile_keys) <= paint._tile_keys.limit
    assert sum(cache.limit for cache in caches) <= 53 << 20


def _scenes_of_moving_discs(count: int) -> list[Scene]:
    return [
        make_scene(
            draw_named_disc(10 + number, 20 + number),
            static_layers=(draw_named_disc(WIDTH - number, 20 + number),),
        )
        for number in range(count)
    ]


def _draw_pictures(count: int) -> None:
    for scene in _scenes_of_moving_discs(count):
        paint.render_png(scene)


def _draw_frames(count: int) -> None:
    for scene in _scenes_of_moving_discs(count):
        paint.draw_filtered_rows(scene)


@pytest.mark.parametrize("draw", [_draw_pictures, _draw_frames])
def test_only_a_busy_bot_keeps_all_that_it_drew(
    draw: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interval with few pictures halves all caches; one with many leaves them as they are."""
    pixel_caches = (paint._tiles, paint._sprites, paint._static_bands)
    byte_caches: list[ByteCache[Any]] = [png._bands, *(cache._packed for cache in pixel_caches)]

    def shares() -> list[float]:
        return [
            *(cache.byte_count / cache.limit for cache in byte_caches),
            len(paint._tile_keys) / paint._tile_keys.limit,
        ]

    for cache in byte_caches:
        monkeypatch.setattr(cache, "limit", 1 << 14)
    monkeypatch.setattr(paint._tile_keys, "limit", 60)
    monkeypatch.setattr(paint, "_BUSY_PICTURES", 10)
    paint.clear_caches()
    paint.shrink_idle_caches()
    _draw_pictures(60)
    paint.shrink_idle_caches()
    draw(paint._BUSY_PICTURES)
    paint.shrink_idle_caches()
    assert min(shares()) > 0.5
    draw(paint._BUSY_PICTURES - 1)
    paint.shrink_idle_caches()
    assert all(0 < share <= 0.5 for share in shares())
