"""Which species are neighbours, round a table of two to six."""

import pytest

from rules.model import SEAT_LETTERS
from rules.oceans.cards.decks import SURFACE_DECK
from rules.oceans.engine.ring import neighbour_keys, neighbours, species_ring
from rules.oceans.rules import State
from tests.rules.oceans.positions import act, is_alive, make_feeding_state, make_state, population

PLAYER_COUNTS = (2, 3, 4, 5, 6)


def make_ring_state(*species_counts: int) -> State:
    """Return a state with so many species in each row."""
    cards = iter(SURFACE_DECK)
    return make_state(*(" | ".join(f"{next(cards)} 3" for _ in range(size)) for size in species_counts))


def left_and_right(state: State, key: str) -> tuple[str, ...]:
    """Return the keys of the left and the right neighbour; empty for a species alone."""
    return tuple(species.key for species in neighbours(state.position, key) if species is not None)


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_the_right_hand_neighbour_is_the_one_who_plays_before(seat_count: int) -> None:
    """Turns go to the left: to the right of a row begins the row of the seat that played before."""
    state = make_ring_state(*(3,) * seat_count)
    for seat in range(seat_count):
        own_letter, letter_before, letter_after = (
            SEAT_LETTERS[(seat + step) % seat_count] for step in (0, -1, 1)
        )
        assert left_and_right(state, f"{own_letter}2") == (f"{own_letter}1", f"{own_letter}3")
        assert left_and_right(state, f"{own_letter}3") == (f"{own_letter}2", f"{letter_before}1")
        assert left_and_right(state, f"{own_letter}1") == (f"{letter_after}3", f"{own_letter}2")


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_a_walk_to_the_right_meets_everybody_once(seat_count: int) -> None:
    """Going right from neighbour to neighbour leads back after one whole round."""
    state = make_ring_state(*(range(1, seat_count + 1) if seat_count < 6 else (3, 2, 1, 3, 2, 1)))
    key, visited = "A1", []
    for _ in species_ring(state.position):
        visited.append(key)
        key = left_and_right(state, key)[1]
        assert left_and_right(state, key)[0] == visited[-1]
    assert key == "A1"
    assert sorted(visited) == sorted(species.key for row in state.position.rows for species in row)


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_players_without_species_are_passed_over(seat_count: int) -> None:
    """Only two rows hold anything: they are beside each other on both sides."""
    for other in range(1, seat_count):
        species_counts = [0] * seat_count
        species_counts[0] = species_counts[other] = 2
        letter = SEAT_LETTERS[other]
        state = make_ring_state(*species_counts)
        assert left_and_right(state, "A1") == (f"{letter}2", "A2")
        assert left_and_right(state, "A2") == ("A1", f"{letter}1")
        assert left_and_right(state, f"{letter}1") == ("A2", f"{letter}2")


@pytest.mark.parametrize("species_counts", [(2, 0), (1, 1), (0, 1, 1)])
def test_of_two_species_each_is_both_neighbours(species_counts: tuple[int, ...]) -> None:
    """The one is to the left and to the right of the other, and counts once as a neighbour."""
    state = make_ring_state(*species_counts)
    one, other = (species.key for row in state.position.rows for species in row)
    assert left_and_right(state, one) == (other, other)
    assert left_and_right(state, other) == (one, one)
    assert neighbour_keys(state.position, one) == (other,)


def test_a_species_alone_has_no_neighbour() -> None:
    """The only species of the table is not its own neighbour."""
    state = make_ring_state(1, 0, 0)
    assert left_and_right(state, "A1") == ()
    assert neighbour_keys(state.position, "A1") == ()


@pytest.mark.parametrize("seat_count", PLAYER_COUNTS)
def test_a_leech_reaches_across_the_border(seat_count: int) -> None:
    """The left-most parasite leeches the left-hand player's right-most species."""
    rows = ["PA5 0 | TR5 2"] + [f"SP{5 + seat} 3 | TE{5 + seat} 3" for seat in range(seat_count - 1)]
    state = act(make_state(*rows, plays_left=0), "done")
    assert population(state, "A1") == 2
    assert population(state, "B2") == 1


def test_a_new_species_separates_its_neighbours() -> None:
    """A species started between two others separates them at once."""
    state = act(make_state("SP5 3 | SP6 3", "TE5 3", hands=["IN5"]), "create IN5 1")
    assert left_and_right(state, "A3") == ("A1", "A2")
    assert left_and_right(state, "A1") == ("B1", "A3")


def test_a_species_that_dies_out_leaves_no_gap() -> None:
    """Its neighbours stand beside each other afterwards."""
    state = act(make_feeding_state("SP5 3 | SP6 0 | SP7 3", "TE5 3"), "skip")
    assert not is_alive(state, "A2")
    assert left_and_right(state, "A1") == ("B1", "A3")
    assert left_and_right(state, "A3") == ("A1", "B1")
