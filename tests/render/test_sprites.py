"""Groups are drawn strip by strip: each with the items that reach it, and once where its rows are alike."""

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from render import sprites
from render.scene import Box, Disc, Group, Item, Line, Polygon
from render.theme import INK, WATER, WHITE
from tests.trials import trial_count

WIDTH, HEIGHT = 300, 240
"""Of the groups here: some five strips."""

COORDINATES = st.integers(-80, 4 * HEIGHT).map(lambda quarters: quarters / 4)
COLOURS = st.sampled_from((INK, WATER, WHITE))
LINE_WIDTHS = st.sampled_from((0.0, 1.5, 4.0, 9.0))
POINTS = st.lists(COORDINATES, min_size=6, max_size=12).map(
    lambda values: tuple(values[: len(values) // 2 * 2])
)
ITEMS: st.SearchStrategy[Item] = st.one_of(
    st.builds(
        Box,
        COORDINATES,
        COORDINATES,
        st.floats(4, 300),
        st.floats(4, 260),
        st.sampled_from((0.0, 6.0, 14.0, 40.0)),
        st.none() | COLOURS,
        st.none() | COLOURS,
        LINE_WIDTHS,
    ),
    st.builds(
        Disc,
        COORDINATES,
        COORDINATES,
        st.floats(1, 90),
        st.none() | COLOURS,
        st.none() | COLOURS,
        LINE_WIDTHS,
    ),
    st.builds(Polygon, POINTS, st.none() | COLOURS, st.none() | COLOURS, LINE_WIDTHS),
    st.builds(Line, POINTS, COLOURS, st.sampled_from((1.0, 5.0, 15.0))),
)


@given(st.lists(ITEMS, min_size=1, max_size=5))
@settings(max_examples=trial_count(30, 3_000))
def test_what_is_left_out_of_a_strip_is_not_missed(items: list[Item]) -> None:
    """A group looks the same as if all of its items and all rows were drawn in each strip."""
    group = Group(0, 0, WIDTH, HEIGHT, tuple(items))
    with (
        patch.object(sprites, "_reaches", lambda *_: True),
        patch.object(sprites, "_has_equal_rows", lambda *_: False),
    ):
        whole = sprites.draw_sprite(group)
    assert sprites.draw_sprite(group) == whole


def test_a_group_has_several_strips() -> None:
    """Sensitivity: the groups above are drawn in pieces, and all straight rows of a rectangle in one."""
    group = Group(0, 0, WIDTH, HEIGHT, (Box(4, 4, 290, 230, 14, WHITE, INK, 4),))
    strips = list(sprites._split_into_strips(group.items, group.width, group.height))
    assert len(strips) == 3
    assert [strip.are_rows_equal for strip in strips] == [False, True, False]
    assert [strip.top for strip in strips] == [0, *[strip.bottom for strip in strips[:-1]]]
    assert strips[-1].bottom == HEIGHT
