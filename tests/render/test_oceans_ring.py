"""Oceans' ring on the sheet: everybody's place, what joins the places, the ways between them."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render import paint
from render.oceans import rightwards
from render.oceans.cell import _NAME_AT, _NAME_ROOM
from render.oceans.layout import CELL_HEIGHT, CELL_WIDTH, seating, way
from render.oceans.marks import _across
from render.oceans.tiles import short_name
from render.scene import Group, Polygon, Text, bounding_box
from render.theme import INK, SMALL_SIZE
from rules.oceans.cards.decks import TRAIT
from rules.oceans.engine.ring import ring
from tests.rules.oceans import positions


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6))
@settings(max_examples=200)
def test_the_ring_on_the_sheet_is_the_ring(lengths: list[int]) -> None:
    """Every species has a place of its own, in the ring's order, and every seat a side."""
    seats = seating(tuple(lengths))
    places = [place for row in (seats.rows[0], *reversed(seats.rows[1:])) for place in row]
    taken = places + [place for place in seats.vacant if place is not None]
    assert len(set(taken)) == len(taken) == sum(max(1, length) for length in lengths)
    assert all(0 <= place < seats.sheet.places for place in taken)
    steps = [(after - before) % seats.sheet.places for before, after in pairwise(places)]
    assert sum(steps) < seats.sheet.places, "once round at most"
    assert len({seats.sheet.spot(place) for place in taken}) == len(taken)
    assert [place is None for place in seats.vacant] == [length > 0 for length in lengths]


def test_places_follow_the_rules_ring() -> None:
    """The species to the right of a species lies anticlockwise of it."""
    position = positions.make_state("SP7 3 | SP8 1", "SP9 3", "IN7 2 | IN8 4", "IN9 1").position
    seats = seating(tuple(len(row) for row in position.rows))
    place = {
        species.key: at
        for row, line in zip(position.rows, seats.rows, strict=True)
        for species, at in zip(row, line, strict=True)
    }
    order = [place[species.key] for species in ring(position)]
    turns = [(b - a) % seats.sheet.places for a, b in zip(order, order[1:] + order[:1], strict=True)]
    assert sum(turns) == seats.sheet.places


@given(st.lists(st.integers(0, 9), min_size=2, max_size=6))
@settings(max_examples=100)
def test_heads_point_to_the_right(lengths: list[int]) -> None:
    """One after each cell, on the line to the next one, its tip that way."""
    seats = seating(tuple(lengths))
    sheet = seats.sheet
    taken = sorted(
        {place for row in seats.rows for place in row} | {p for p in seats.vacant if p is not None}
    )
    found = rightwards.heads(seats)
    assert len(found) == len(taken)
    for head, place, after in zip(found, taken, [*taken[1:], taken[0] + sheet.places], strict=True):
        shape = head.items[-1]
        assert isinstance(shape, Polygon)
        tip_x, tip_y, *base = shape.points
        ahead = tip_x - sum(base[0::2]) / 2, tip_y - sum(base[1::2]) / 2
        crossed = [sheet.spot(at % sheet.places) for at in range(place, after + 1)]
        passed = [
            (one, other)
            for one, other in pairwise(crossed)
            if min(one[0], other[0]) - 1 <= head.x + tip_x - CELL_WIDTH / 2 <= max(one[0], other[0]) + 1
            and min(one[1], other[1]) - 1 <= head.y + tip_y - CELL_HEIGHT / 2 <= max(one[1], other[1]) + 1
        ]
        assert passed, "it lies on the line between the two"
        for one, other in passed:
            assert ahead[0] * (other[0] - one[0]) + ahead[1] * (other[1] - one[1]) > 0


def test_a_head_between_two_cells_covers_no_name() -> None:
    """Wherever cells touch, it ends where the longest name ends, or before."""
    seats = seating((4, 4, 4, 4))
    names = {short_name(trait) for trait in TRAIT.values()}
    widest = max(paint.fit_text(Text(0, 0, name, SMALL_SIZE, INK, _NAME_ROOM)).width for name in names)
    tight = 0
    for row, places in enumerate(seats.rows):
        if row % 2:
            continue
        for left in sorted(seats.sheet.spot(place)[0] for place in places)[:-1]:
            starts = [head.x + left_of(head) for head in rightwards.heads(seats)]
            near = [start for start in starts if left + CELL_WIDTH - 12 < start < left + CELL_WIDTH + 12]
            assert near
            assert min(near) >= left + _NAME_AT + widest - 0.5
            tight += 1
    assert tight == 6


def left_of(head: Group) -> float:
    """Where a head begins, its rim included."""
    return min(bounding_box(item)[0] for item in head.items)


@given(st.integers(0, 15), st.integers(0, 15))
def test_ways_stay_in_the_corridor(start: int, end: int) -> None:
    """No way runs through the water's middle."""
    sheet = seating((4, 4, 4, 4)).sheet
    if start == end:
        return
    left, top, wide, high = sheet.water
    points = way(sheet, start, end)
    for x, y in zip(points[0::2], points[1::2], strict=True):
        assert not (left < x < left + wide and top < y < top + high)


@pytest.mark.parametrize("zone", range(4))
def test_a_cell_beside_a_zone_is_fed_straight_across(zone: int) -> None:
    """From inside the water to the cell's edge, level and short; who lies elsewhere gets no such way."""
    sheet = seating((4, 4, 4, 4)).sheet
    left, top, wide, high = sheet.water
    ways = {place: found for place in range(sheet.places) if (found := _across(sheet, zone, place))}
    assert ways
    for place, (x, y, tip_x, tip_y) in ways.items():
        assert left < x < left + wide
        assert top < y < top + high
        assert x == tip_x or y == tip_y
        assert 35 < abs(x - tip_x) + abs(y - tip_y) < 60
        cell_x, cell_y = sheet.spot(place)
        assert cell_x - 2 <= tip_x <= cell_x + CELL_WIDTH + 2
        assert cell_y - 2 <= tip_y <= cell_y + CELL_HEIGHT + 2


def test_a_large_table_gets_a_taller_picture() -> None:
    """1200 x 1200 for sixteen species of four; each two more add a row."""
    assert seating((4, 4, 4, 4)).sheet.height == 1200
    assert seating((5, 4, 4, 5)).sheet.height == 1200 + 189
