"""Shapes made of paths, and the parts that are drawn of them."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.geometry import arc, dash_outline, path_length, regular_polygon, rounded_rectangle
from render.pieces import PieceColours, draw_blank_die, draw_cube
from render.routes import draw_planned_route
from render.scene import Disc, Text, Typeface, bounding_box
from render.shapes import hatch, offset_outline, offset_path, ribbon, wavy_outline
from render.theme import INK, WATER, WHITE
from render.typeset import fit_text, fits

SQUARE = (0.0, 0.0, 100.0, 0.0, 100.0, 100.0, 0.0, 100.0)


def point_pairs(points: tuple[float, ...]) -> list[tuple[float, float]]:
    """Return points as pairs."""
    return list(zip(points[0::2], points[1::2], strict=True))


@given(st.integers(3, 9), st.floats(4, 30), st.floats(0, 180))
def test_hatching_stays_inside_its_outline(corner_count: int, spacing: float, angle: float) -> None:
    """Every line ends on the outline, and the lines have the angle and the distance asked for."""
    outline = regular_polygon(50, 40, 60, corner_count)
    inradius = 60 * math.cos(math.pi / corner_count)
    lines = hatch(outline, spacing, angle)
    assert len(lines) >= math.floor(2 * inradius / spacing) - 1
    for ax, ay, bx, by in lines:
        for x, y in ((ax, ay), (bx, by)):
            assert inradius - 1e-6 <= math.dist((x, y), (50, 40)) <= 60 + 1e-6
        if math.dist((ax, ay), (bx, by)) > 1:
            angle_error = math.degrees(math.atan2(by - ay, bx - ax)) - angle
            assert abs((angle_error + 90) % 180 - 90) < 1e-6


def test_an_outline_grows_outwards_whichever_way_it_runs() -> None:
    """A positive offset makes it larger, a negative one smaller."""
    backwards = tuple(value for point in reversed(point_pairs(SQUARE)) for value in point)
    for outline in (SQUARE, backwards):
        assert sorted(point_pairs(offset_outline(outline, 10))) == [
            (-10, -10),
            (-10, 110),
            (110, -10),
            (110, 110),
        ]
        assert sorted(point_pairs(offset_outline(outline, -10))) == [(10, 10), (10, 90), (90, 10), (90, 90)]


def test_a_path_is_offset_to_its_right() -> None:
    """Downwards for a path that runs to the right; corners keep the distance to both sides."""
    assert offset_path((0.0, 0.0, 50.0, 0.0, 50.0, 50.0), 10) == pytest.approx((0, 10, 40, 10, 40, 50))


def test_a_ribbon_has_its_widths() -> None:
    """It begins with one width and ends with the other."""
    outline = point_pairs(ribbon((0.0, 0.0, 60.0, 0.0, 100.0, 0.0), 10, 30))
    assert math.dist(outline[0], outline[-1]) == pytest.approx(10)
    assert math.dist(outline[2], outline[3]) == pytest.approx(30)


def test_a_wavy_outline_swings_to_both_sides() -> None:
    """It stays within its height and closes without a jump."""
    distances = [
        math.dist(point, (0, 0)) for point in point_pairs(wavy_outline(arc(0, 0, 80, 0, 350, 35), 6, 30))
    ]
    assert 84 < max(distances) <= 86.5
    assert 73.5 <= min(distances) < 76


@pytest.mark.parametrize(
    "outline", [SQUARE, rounded_rectangle(0, 0, 80, 50, 12), regular_polygon(0, 0, 30, 6)]
)
def test_dashes_go_round_evenly(outline: tuple[float, ...]) -> None:
    """All dashes and all gaps are alike, also where the outline closes."""
    dashes = dash_outline(outline, 10, 6)
    lengths = [path_length(dash) for dash in dashes]
    assert max(lengths) - min(lengths) < 0.01
    gaps = [math.dist(dash[-2:], next_dash[:2]) for dash, next_dash in pairwise((*dashes, dashes[0]))]
    assert min(gaps) > 3
    assert min(gaps) > max(gaps) / math.sqrt(2) - 0.01, "gaps differ, where corners shorten none"


def test_a_route_has_a_ring_at_each_stop() -> None:
    """A route of three hops stops twice on its way."""
    hops = ((0.0, 0.0, 100.0, 0.0), (100.0, 0.0, 100.0, 100.0), (100.0, 100.0, 200.0, 100.0))
    groups = draw_planned_route(hops)
    assert len([item for each in groups for item in each.items if isinstance(item, Disc)]) == 4


@pytest.mark.parametrize("size", [30, 48, 64])
def test_dice_and_cubes_keep_to_their_size(size: int) -> None:
    """A die reaches beyond its size by its side only, a cube hardly."""
    colours = PieceColours(WATER, WHITE)
    for items in (draw_blank_die(0, 0, size, colours), draw_cube(0, 0, size, WHITE, colours)):
        boxes = [bounding_box(item) for item in items if not isinstance(item, Text)]
        assert min(min(box[:2]) for box in boxes) >= -size / 2 - 3
        assert max(max(box[2:]) for box in boxes) <= size * 0.65 + 3


@pytest.mark.parametrize("face", Typeface)
@pytest.mark.parametrize("text", ["Nearest one gains", "Łódź 北京", "a\u200bb", "W" * 80, ""])
def test_what_fits_is_drawn_whole(text: str, face: Typeface) -> None:
    """Whether a text fits is what fitting it would find, in widths just large enough and too small."""
    whole = fit_text(Text(0, 0, text, 30, INK, 10_000, face))
    outcomes = set()
    for max_width in (0, max(whole.width - 1, 0), whole.width, whole.width + 1):
        fitted = fit_text(Text(0, 0, text, 30, INK, max_width, face, min_size=30))
        assert fits(text, face, 30, max_width) == (fitted.text == text)
        outcomes.add(fitted.text == text)
    if text and whole.text == text:
        assert outcomes == {True, False}


@pytest.mark.parametrize("length", [59, 61, 75, 160, 161, 2000])
def test_a_text_is_never_cut_without_an_ellipsis(length: int) -> None:
    """However long a text is, it is drawn whole if it fits, else it ends with an ellipsis."""
    text = ("most " * length)[: length - 1] + "."
    for max_width in (400, 850, 100_000):
        drawn = fit_text(Text(0, 0, text, 30, INK, max_width)).text
        assert drawn == text or drawn.endswith("\u2026")
        assert drawn == text or max_width < 100_000 or length > 160
