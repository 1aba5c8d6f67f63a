"""The numbers of the box against what the rulebook says of them."""

from collections import Counter
from itertools import pairwise

import pytest

from rules.australis import AUSTRALIS
from rules.australis.components import (
    ASSUMPTIONS,
    CARD_FACTS,
    CORALS_PER_PLAYER,
    CUBE_SPACES,
    DIE_FACES,
    FACE_FACTS,
    LAST_SPACE,
    MAX_CARDS_PER_COLOUR,
    NUMBER_DIE_VALUES,
    REEFS,
    SCHOOLS,
    TILE_POINTS,
    Card,
    CardFacts,
    CardFunction,
    Colour,
    Die,
    TileColour,
    deck,
    reef_of_space,
)


def test_each_die_has_six_sides_of_its_colour() -> None:
    """Six sides, all of the die's colour; the red die's face means nothing before the competition."""
    for colour, sides in DIE_FACES.items():
        assert {FACE_FACTS[die].colour for die in sides} == {colour}
        assert len(sides) == (1 if colour is Colour.RED else 6)
    assert set(FACE_FACTS) == set(Die)
    assert {die for sides in DIE_FACES.values() for die in sides} == set(Die)


def test_white_dice_show_one_or_two_cards() -> None:
    """Every face has one or two rectangles; some have no circle."""
    faces = [FACE_FACTS[die] for die in DIE_FACES[Colour.WHITE]]
    assert {face.card_count for face in faces} == {1, 2}
    assert any(not face.circle_count for face in faces)
    assert Counter((face.card_count, face.circle_count) for face in faces) == {
        (1, 3): 1,
        (1, 2): 2,
        (2, 1): 1,
        (2, 0): 2,
    }


def test_yellow_dice_show_two_to_five_fish() -> None:
    """All of 2, 3, 4 and 5 fish occur, with and without circles."""
    faces = [FACE_FACTS[die] for die in DIE_FACES[Colour.YELLOW]]
    assert {face.fish for face in faces} == {2, 3, 4, 5}
    assert {bool(face.circle_count) for face in faces} == {True, False}


def test_number_dice_show_the_rulebook_numbers() -> None:
    """Blue 2 to 7, purple 3 to 8, red 4 to 9, each once; the competition rolls the same numbers."""
    assert [FACE_FACTS[die].number for die in DIE_FACES[Colour.BLUE]] == [2, 3, 4, 5, 6, 7]
    assert [FACE_FACTS[die].number for die in DIE_FACES[Colour.PURPLE]] == [3, 4, 5, 6, 7, 8]
    assert NUMBER_DIE_VALUES == {
        Colour.BLUE: (2, 3, 4, 5, 6, 7),
        Colour.PURPLE: (3, 4, 5, 6, 7, 8),
        Colour.RED: (4, 5, 6, 7, 8, 9),
    }


@pytest.mark.parametrize(("seat_count", "count"), [(2, 30), (3, 30), (4, 45)])
def test_deck_by_players(seat_count: int, count: int) -> None:
    """45 cards for four players; without the 15 with a shell for two and three."""
    assert len(deck(seat_count)) == count
    assert sum(facts.shell_copy_count for facts in CARD_FACTS.values()) == 15


def test_each_colour_has_nine_cards_and_each_function_too() -> None:
    """Per colour six cards and three with a shell, the same for each function and for the competition."""
    groups: dict[object, list[CardFacts]] = {}
    for facts in CARD_FACTS.values():
        groups.setdefault(facts.function, []).append(facts)
        colour = facts.colour.value if facts.function is not CardFunction.COMPETITION else "at the side"
        groups.setdefault(colour, []).append(facts)
    assert len(groups) == 5 + 5
    for all_facts in groups.values():
        assert sum(facts.copy_count for facts in all_facts) == 6
        assert sum(facts.shell_copy_count for facts in all_facts) == 3
    assert {
        CARD_FACTS[card].colour for card in Card if CARD_FACTS[card].function is CardFunction.COMPETITION
    } == {
        Colour.BLUE,
        Colour.PURPLE,
        Colour.RED,
    }
    assert MAX_CARDS_PER_COLOUR < 4, "four functions a colour, so the limit matters"


def test_sections_of_the_reefs() -> None:
    """Reef 3 belongs to 0 to 3, then three spaces each, up to the last space."""
    sections = {space: reef_of_space(space) for space in range(LAST_SPACE + 1)}
    assert [sections[space] for space in (0, 3, 4, 6, 7, 9, 10, 12, 13, 15, 16, 18)] == [
        3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8,
    ]  # fmt: skip
    assert all(one.last_space + 1 == other.first_space for one, other in pairwise(REEFS.values()))


def test_reefs_3_and_4_have_no_second_place() -> None:
    """Reef 5 brings 2 and 1; the reefs 3 and 4 have no second place, 5 to 8 have."""
    assert {reef: facts[2:] for reef, facts in REEFS.items()} == {
        3: (1, 0), 4: (2, 0), 5: (2, 1), 6: (3, 1), 7: (4, 2), 8: (5, 3),
    }  # fmt: skip


def test_larger_schools_need_more_and_bring_more() -> None:
    """Two cubes feed six fish for 3 points, three bring 7; more cubes need more fish and bring more."""
    assert SCHOOLS[1] == (6, 3)
    assert SCHOOLS[2].points == 7
    assert SCHOOLS[2].fish < 15 <= SCHOOLS[3].fish
    assert [school.fish for school in SCHOOLS] == [3, 6, 10, 15, 21, 28]
    assert [school.points for school in SCHOOLS] == [1, 3, 7, 12, 18, 25]


def test_tiles_have_their_points_and_players_their_pieces() -> None:
    """Gold 7, 8, 9, 12, 15; the first silver tile 3; sixteen corals; own cubes on 5, 11 and 15."""
    assert TILE_POINTS[TileColour.GOLD] == (7, 8, 9, 12, 15)
    assert TILE_POINTS[TileColour.SILVER] == (3, 4, 5, 7, 9)
    assert CORALS_PER_PLAYER == 16
    assert CUBE_SPACES == (5, 11, 15)


def test_assumed_numbers_are_named() -> None:
    """The pages of help list all of them (AU11)."""
    pages = "\n".join(topic.text for topic in AUSTRALIS.words.topics)
    assert ASSUMPTIONS
    assert all(text in pages for text in ASSUMPTIONS)
