"""The tables of the game and the maps."""

from collections import Counter
from typing import Final

import pytest

from rules.arctic_cleanup import ARCTIC_CLEANUP
from rules.arctic_cleanup.components import (
    AXIAL_COORDINATES,
    BLOCKS,
    HATCHED_POINTS,
    INITIAL_ROWS,
    LINES,
    MAPS,
    PLASTICS,
    SEA_STEPS,
    STEPS,
    TOKENS_PER_TILE,
    TOKENS_TO_END,
    Block,
    Card,
    FactoryLine,
    Hex,
    Plastic,
    docks,
    neighbour,
)
from rules.arctic_cleanup.model import LINE_INDEX, PlayerBoard

PLAYER_COUNTS: Final = ARCTIC_CLEANUP.player_counts


def test_rulebook_tokens() -> None:
    """Fifty tokens of eight plastics; PP and PS bring 3 points, the others 2."""
    assert sum(facts.token_count for facts in PLASTICS.values()) == 50
    assert {plastic for plastic, facts in PLASTICS.items() if facts.points == 3} == {Plastic.PP, Plastic.PS}
    assert {facts.points for facts in PLASTICS.values()} == {2, 3}
    assert [facts.token_count for facts in PLASTICS.values()] == [7, 7, 6, 6, 6, 6, 6, 6]


def test_faces_lead_clockwise_from_up() -> None:
    """The six faces lead around a tile, clockwise from up; opposite faces lead back."""
    neighbours = [neighbour(Hex.C3, face) for face in STEPS]
    assert neighbours == [Hex.C2, Hex.D2, Hex.D3, Hex.C4, Hex.B3, Hex.B2]
    for place in Hex:
        for face in STEPS:
            end = neighbour(place, face)
            assert end is None or neighbour(end, (face + 2) % 6 + 1) is place


def test_hexes_are_a_hexagon_of_radius_two() -> None:
    """Nineteen hexes, five columns of three to five."""
    assert len(AXIAL_COORDINATES) == 19
    assert all(max(abs(q), abs(r), abs(q + r)) <= 2 for q, r in AXIAL_COORDINATES.values())
    assert Counter(place.value[0] for place in Hex) == {"A": 3, "B": 4, "C": 5, "D": 4, "E": 3}


@pytest.mark.parametrize(
    ("seat_count", "tile_count", "bag_count", "dock_count"), [(2, 12, 14, 2), (3, 13, 11, 3), (4, 15, 5, 3)]
)
def test_maps_have_their_tiles_tokens_and_docks(
    seat_count: int, tile_count: int, bag_count: int, dock_count: int
) -> None:
    """Ocean tiles, tokens left in the bag, and as many docks for each factory (AC1, AC2, AC3)."""
    hex_map = MAPS[seat_count]
    assert len(hex_map.sites) == seat_count
    assert len(hex_map.ocean) == tile_count
    assert sorted((*hex_map.sites, *hex_map.ice, *hex_map.ocean), key=list(Hex).index) == list(Hex)
    assert 50 - TOKENS_PER_TILE * tile_count == bag_count
    assert {len(docks(seat_count, site)) for site in hex_map.sites} == {dock_count}


@pytest.mark.parametrize(
    ("seat_count", "site", "dock_names"),
    [
        (2, "A2", "B2 B3"),
        (2, "E2", "D2 D3"),
        (3, "C1", "D1 C2 B1"),
        (3, "E3", "E2 D4 D3"),
        (3, "A3", "A2 B3 B4"),
        (4, "A1", "B1 B2 A2"),
        (4, "E1", "E2 D2 D1"),
        (4, "E3", "E2 D4 D3"),
        (4, "A3", "A2 B3 B4"),
    ],
)
def test_docks_are_the_tiles_that_touch_a_site(seat_count: int, site: str, dock_names: str) -> None:
    """The tiles that touch each site."""
    assert {place.value for place in docks(seat_count, Hex(site))} == set(dock_names.split())


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_map_is_connected(seat_count: int) -> None:
    """Every tile is reached from every other, and has at least two neighbours; with two players three."""
    ocean = set(MAPS[seat_count].ocean)
    step_counts = Counter(place for place, _ in SEA_STEPS[seat_count])
    assert set(step_counts) == ocean
    assert min(step_counts.values()) >= (3 if seat_count == 2 else 2)
    reached_tiles, frontier = set(), {next(iter(ocean))}
    while frontier:
        reached_tiles |= frontier
        frontier = {
            end for (place, _), end in SEA_STEPS[seat_count].items() if place in frontier
        } - reached_tiles
    assert reached_tiles == ocean


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_all_factories_lie_equally_near_the_tiles(seat_count: int) -> None:
    """The mean way from a dock to the tiles is the same for every factory of a map."""
    mean_distances = set()
    for site in MAPS[seat_count].sites:
        distances: dict[Hex, int] = {}
        frontier, distance = set(docks(seat_count, site)), 0
        while frontier:
            distances |= dict.fromkeys(frontier, distance)
            frontier = {
                end
                for (place, _), end in SEA_STEPS[seat_count].items()
                if place in frontier and end not in distances
            }
            distance += 1
        mean_distances.add(round(sum(distances.values()) / len(distances), 2))
    assert mean_distances == {{2: 1.33, 3: 1.46, 4: 1.53}[seat_count]}


def test_eight_lines_have_29_slots() -> None:
    """Eight lines with 29 slots; the lines of four carry a logo, each card one."""
    assert len(LINES) == 8
    assert sum(facts.slot_count for facts in LINES.values()) == 29
    assert [line for line, facts in LINES.items() if facts.hatched] == [FactoryLine.H1, FactoryLine.H2]
    assert {facts.flipped_card for facts in LINES.values()} == {None, *Card}
    assert all((facts.flipped_card is not None) is (facts.slot_count == 4) for facts in LINES.values())
    assert LINES[FactoryLine.H2].flipped_card is Card.ANALYZE
    assert sum(facts.slot_count for facts in LINES.values() if not facts.hatched) >= TOKENS_TO_END
    assert HATCHED_POINTS == 3


def test_blocks_are_apart() -> None:
    """Blocks are two by two slots and share none; five of them bring the five dice of the supply (AC12)."""
    slots = [(line, slot) for lines in BLOCKS.values() for line, end in lines for slot in (end - 1, end)]
    assert len(set(slots)) == len(slots) == 24
    assert all(slot <= LINES[line].slot_count for line, slot in slots)
    for lines in BLOCKS.values():
        first_index, second_index = (LINE_INDEX[line] for line, _ in lines)
        assert second_index - first_index in {1, -1}
    assert len(BLOCKS) - 1 == 5
    assert BLOCKS[Block.LINE_OPENER] == ((FactoryLine.R5, 2), (FactoryLine.R6, 2))


def test_full_middle_lines_hold_just_enough_tokens() -> None:
    """R2 to R5 full are exactly 16 tokens, three dice and four upgraded cards."""
    full_lines = {FactoryLine.R2, FactoryLine.R3, FactoryLine.R4, FactoryLine.R5}
    board = PlayerBoard(lines=tuple((Plastic.PET,) * 4 if line in full_lines else () for line in FactoryLine))
    assert board.processed_count == TOKENS_TO_END
    assert board.gained_die_count == 3
    assert set(board.upgraded_cards) == {Card.PLAN, Card.MOVE, Card.LOAD, Card.UNLOAD}


def test_rulebook_initial_dice() -> None:
    """Three dice in row 1, two in row 2, all on 1."""
    assert INITIAL_ROWS == ((1, 1, 1), (1, 1))
