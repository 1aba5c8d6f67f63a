"""The ring on a board of Oceans: everybody's cells, the line through them, the routes between them."""

from itertools import pairwise, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from render import typeset
from render.catalogue import PICTURES
from render.oceans import neighbour_line, species_cell
from render.oceans.cell_traits import ARROW_HEAD_SPACE, MAX_NAME_WIDTH, NAME_START
from render.oceans.change_marks import _straight_route
from render.oceans.choices import draw_choice_marks
from render.oceans.layout import CELL_WIDTH, arrange_rows, trace_route
from render.oceans.trait_labels import short_name
from render.picture import BOARD, PictureContext
from render.scene import Group, Polygon, Text, bounding_box
from render.theme import INK, SMALL_SIZE
from rules.catalogue import GAMES
from rules.model import Seat
from rules.oceans.cards.decks import TRAIT_BY_CARD
from rules.oceans.engine.ring import species_ring
from tests.render.decision_points import CAPTION
from tests.rules.oceans import positions


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6))
@settings(max_examples=200)
def test_the_ring_of_cells_is_the_ring_of_species(row_lengths: list[int]) -> None:
    """Every species has a cell of its own, in the ring's order, and every seat has a side."""
    arrangement = arrange_rows(tuple(row_lengths))
    cells = [cell for row in (arrangement.rows[0], *reversed(arrangement.rows[1:])) for cell in row]
    ring_cells = cells + [cell for cell in arrangement.vacant_cells if cell is not None]
    assert len(set(ring_cells)) == len(ring_cells) == sum(max(1, length) for length in row_lengths)
    assert all(0 <= cell < arrangement.layout.cell_count for cell in ring_cells)
    steps = [
        (next_cell - cell_before) % arrangement.layout.cell_count
        for cell_before, next_cell in pairwise(cells)
    ]
    assert sum(steps) < arrangement.layout.cell_count, "once round at most"
    assert len({arrangement.layout.cell_corner(cell) for cell in ring_cells}) == len(ring_cells)
    assert [cell is None for cell in arrangement.vacant_cells] == [length > 0 for length in row_lengths]


def test_cells_follow_the_rules_ring() -> None:
    """The species to the right of a species lies anticlockwise of it."""
    position = positions.make_state("SP7 3 | SP8 1", "SP9 3", "IN7 2 | IN8 4", "IN9 1").position
    arrangement = arrange_rows(tuple(len(row) for row in position.rows))
    cell_by_key = {
        species.key: index
        for row, cells in zip(position.rows, arrangement.rows, strict=True)
        for species, index in zip(row, cells, strict=True)
    }
    order = [cell_by_key[species.key] for species in species_ring(position)]
    steps = [
        (b - a) % arrangement.layout.cell_count for a, b in zip(order, order[1:] + order[:1], strict=True)
    ]
    assert sum(steps) == arrangement.layout.cell_count


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6))
@settings(max_examples=100)
def test_arrow_heads_point_to_the_next_cell(row_lengths: list[int]) -> None:
    """There is one after each cell, on the line to the next cell and pointing there."""
    arrangement = arrange_rows(tuple(row_lengths))
    layout = arrangement.layout
    ring_cells = sorted(
        {cell for row in arrangement.rows for cell in row}
        | {cell for cell in arrangement.vacant_cells if cell is not None}
    )
    heads = neighbour_line.draw_arrow_heads(arrangement)
    assert len(heads) == len(ring_cells)
    for head, cell, next_cell in zip(
        heads, ring_cells, [*ring_cells[1:], ring_cells[0] + layout.cell_count], strict=True
    ):
        shape = head.items[-1]
        assert isinstance(shape, Polygon)
        tip_x, tip_y, *base = shape.points
        direction = tip_x - sum(base[0::2]) / 2, tip_y - sum(base[1::2]) / 2
        spots = [layout.line_spot(index) for index in range(cell, next_cell + 1)]
        passed_steps = [
            (spot, next_spot)
            for spot, next_spot in pairwise(spots)
            if min(spot[0], next_spot[0]) - 1 <= head.x + tip_x <= max(spot[0], next_spot[0]) + 1
            and min(spot[1], next_spot[1]) - 1 <= head.y + tip_y <= max(spot[1], next_spot[1]) + 1
        ]
        assert passed_steps, "it lies on the line between the two"
        for spot, next_spot in passed_steps:
            assert direction[0] * (next_spot[0] - spot[0]) + direction[1] * (next_spot[1] - spot[1]) > 0


def test_an_arrow_head_between_two_cells_covers_no_name() -> None:
    """Where cells lie side by side, it does not reach the longest name."""
    arrangement = arrange_rows((4, 4, 4, 4))
    names = {name for trait in TRAIT_BY_CARD.values() for name in (trait.name, short_name(trait))}
    fitted_names = [typeset.fit_text(Text(0, 0, name, SMALL_SIZE, INK, MAX_NAME_WIDTH)) for name in names]
    widest = max(fitted.width for fitted in fitted_names if fitted.text in names)
    gap_count = 0
    for row, cells in enumerate(arrangement.rows):
        if row % 2:
            continue
        for left in sorted(arrangement.layout.cell_corner(cell)[0] for cell in cells)[:-1]:
            starts = [head.x + left_edge(head) for head in neighbour_line.draw_arrow_heads(arrangement)]
            head_starts = [
                start for start in starts if left + CELL_WIDTH - 12 < start < left + CELL_WIDTH + 12
            ]
            assert head_starts
            assert min(head_starts) >= left + NAME_START + widest - 0.5
            assert min(head_starts) >= left + CELL_WIDTH - ARROW_HEAD_SPACE
            gap_count += 1
    assert gap_count == 6


def test_an_arrow_head_between_two_cells_stands_clear_of_signs() -> None:
    """Also of those that are crossed out, which would read as one sign with it."""
    arrangement = arrange_rows((4, 4, 4, 4))
    corners = [arrangement.layout.cell_corner(cell) for cells in arrangement.rows for cell in cells]
    heads = neighbour_line.draw_arrow_heads(arrangement)
    head_ends = [head.x + max(bounding_box(item)[2] for item in head.items) for head in heads]
    furthest_end = max(end - x for end in head_ends for x, _ in corners if 0 < end - x < 12)
    for glyph, colour in species_cell._VALUE_SIGNS:
        for value in (None, 88):
            sign = species_cell._draw_value(0, 0, glyph, colour, value)
            assert sign.x + left_edge(sign) >= furthest_end + 3


def test_arrow_heads_stand_over_the_frames_of_choices() -> None:
    """Between two species that can be chosen the frames meet and would hide which way is right."""
    state = positions.make_feeding_state("SP7 3 | SP8 4", "SP9 3")
    view = GAMES["oceans"].view(state, Seat(0))
    choices = GAMES["oceans"].legal_actions(view)
    layers = PICTURES["oceans"][BOARD].draw(view, PictureContext(CAPTION, choices=choices)).layers
    arrangement = arrange_rows((2, 1))
    frames = draw_choice_marks(view.position, arrangement, choices)
    heads = neighbour_line.draw_arrow_heads(arrangement)
    assert max(layers.index(frame) for frame in frames) < min(layers.index(head) for head in heads)


def left_edge(group: Group) -> float:
    """Return where an arrow head or a sign begins, its rim included."""
    return min(bounding_box(item)[0] for item in group.items)


@pytest.mark.parametrize("lengths", [(4, 4, 4, 4), (4, 4), (3, 2), (1, 0)])
@given(st.integers(0, 15), st.integers(0, 15))
def test_routes_stay_in_the_corridor(lengths: tuple[int, ...], start: int, end: int) -> None:
    """No route between two cells crosses the water."""
    layout = arrange_rows(lengths).layout
    start, end = start % layout.cell_count, end % layout.cell_count
    assume(start != end)
    left, top, width, height = layout.water_box
    points = trace_route(layout, start, end)
    for (x, y), (next_x, next_y) in pairwise(zip(points[0::2], points[1::2], strict=True)):
        for share in (0, 0.25, 0.5, 0.75, 1):
            between_x, between_y = x + share * (next_x - x), y + share * (next_y - y)
            assert not (left < between_x < left + width and top < between_y < top + height)


@pytest.mark.parametrize(
    ("lengths", "zone"), [*(((4, 4, 4, 4), zone) for zone in range(4)), ((3, 2), 0), ((3, 2), 3)]
)
def test_a_route_to_a_cell_beside_a_zone_is_straight(lengths: tuple[int, ...], zone: int) -> None:
    """It leads from inside the water to the cell's edge, straight and short; other cells get none."""
    layout = arrange_rows(lengths).layout
    left, top, width, height = layout.water_box
    routes = {
        cell: route for cell in range(layout.cell_count) if (route := _straight_route(layout, zone, cell))
    }
    assert routes
    for cell, (x, y, tip_x, tip_y) in routes.items():
        assert left < x < left + width
        assert top < y < top + height
        assert x == tip_x or y == tip_y
        assert 35 < abs(x - tip_x) + abs(y - tip_y) < 60
        cell_x, cell_y = layout.cell_corner(cell)
        assert cell_x - 2 <= tip_x <= cell_x + layout.cell_width + 2
        assert cell_y - 2 <= tip_y <= cell_y + layout.cell_height + 2


@pytest.mark.parametrize("lengths", [*product(range(5), repeat=2)])
def test_short_rows_of_two_players_have_large_cells(lengths: tuple[int, int]) -> None:
    """They are larger by a quarter at least, side by side, and the line between the rows passes both ends."""
    layout = arrange_rows(lengths).layout
    assert layout.cell_scale >= 1.25
    corners = [layout.cell_corner(cell) for cell in range(layout.cell_count)]
    for x, y in corners:
        assert 24 <= x <= 1200 - 24 - layout.cell_width
        assert y + layout.cell_height < layout.water_box[1] or y > sum(layout.water_box[1::2])
    lefts = sorted({x for x, _ in corners})
    assert all(right - left == layout.cell_width + 11 for left, right in pairwise(lefts))
    for cell in (0, layout.column_count - 1):
        x, left = layout.line_spot(cell)[0], corners[cell][0]
        assert left < x < left + layout.cell_width
        assert not layout.water_box[0] - 40 < x < layout.water_box[0] + layout.water_box[2] + 40


def test_rows_of_five_have_cells_of_the_usual_size() -> None:
    """So have those of three players, whose rows stand beside the water, too."""
    for lengths in ((5, 1), (1, 5), (2, 2, 2)):
        assert arrange_rows(lengths).layout.cell_width == CELL_WIDTH


def test_a_large_table_gets_a_taller_picture() -> None:
    """The picture is 1200 x 1238 for sixteen species of four seats; every two more add a row."""
    assert arrange_rows((4, 4, 4, 4)).layout.picture_height == 1238
    assert arrange_rows((5, 4, 4, 5)).layout.picture_height == 1238 + 189
