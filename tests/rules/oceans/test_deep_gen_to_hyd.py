"""Deep traits one by one: Gene Transfer to Hydra."""

import pytest

from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    act,
    feeding,
    legal,
    lives,
    lost,
    make_state,
    moved,
    play,
    population,
    traits,
)


def swaps(state: State) -> list[str]:
    """The legal swaps."""
    return [text for text in legal(state) if text.startswith("swap")]


# Gene Transfer --------------------------------------------------------------------------------------


def test_gene_transfer_swaps_its_surface_traits_with_an_own_neighbours_traits() -> None:
    """Before feeding, one for one; the neighbour's may be Deep, its own may not."""
    state = act(make_state("GTR SY5 3 | GRA IN5 3", "BF5 2", plays=0), "done")
    assert swaps(state) == ["swap A1 SY5 A2 GRA", "swap A1 SY5 A2 IN5"]
    state = act(state, "swap A1 SY5 A2 GRA")
    assert (set(traits(state, "A1")), set(traits(state, "A2"))) == ({"GTR", "GRA"}, {"IN5", "SY5"})
    assert "forage A1 reef" in legal(state)


def test_gene_transfer_keeps_to_one_neighbour() -> None:
    """With two Surface traits there are two swaps, both with the neighbour of the first."""
    state = act(make_state("SY5 3 | GTR IN5 IN6 3 | BF5 3", "2", plays=0), "done")
    assert {text.split()[3] for text in swaps(state)} == {"A1", "A3"}
    state = act(state, "swap A2 IN5 A1 SY5")
    assert {text.split()[3] for text in swaps(state)} == {"A1"}
    state = act(state, "swap A2 IN6 A1 IN5")
    assert (set(traits(state, "A2")), traits(state, "A1")) == ({"GTR", "SY5", "IN5"}, ("IN6",))
    assert swaps(state) == []


@pytest.mark.parametrize(
    "row",
    ["GTR SY5 3", "GTR GRA 3 | SY5 3", "GTR SY5 3 | 3 | IN5 3", "GTR SY5 3 | CTH 3", "GTR 3 | IN5 PA5 3"],
)
def test_gene_transfer_asks_nothing_where_nothing_can_be_swapped(row: str) -> None:
    """No own neighbour with a trait that can move, or no Surface trait of its own."""
    state = act(make_state(row, "BF5 2", plays=0), "done")
    assert swaps(state) == []
    assert "forage A1 reef" in legal(state)


def test_gene_transfer_may_be_left() -> None:
    """Nothing has to be swapped."""
    state = play(make_state("GTR SY5 3 | IN5 3", "2", plays=0), "done; done")
    assert traits(state, "A1") == ("GTR", "SY5")
    assert "forage A1 reef" in legal(state)


def test_gene_transfer_lets_no_trait_act_twice() -> None:
    """A Parasitic that has leeched on the neighbour does not do so again; one that has not still does."""
    state = act(make_state("PA5 0 | GTR SY5 0", "8", plays=0), "done")
    assert population(state, "A1") == 2
    state = act(state, "swap A2 SY5 A1 PA5")
    assert (population(state, "A1"), population(state, "A2")) == (2, 0)
    state = act(make_state("GTR SY5 0 | PA5 0", "8", plays=0), "done")
    assert population(act(state, "swap A1 SY5 A2 PA5"), "A1") == 2


def test_gene_transfer_takes_slots_along() -> None:
    """Speed's slot moves with it: what is then too much goes at once."""
    state = act(make_state("GTR IN5 3 | SP5 SY5 SY6 SY7 3", "2", plays=0), "done")
    state = act(state, "swap A1 IN5 A2 SP5")
    assert set(legal(state)) == {"drop A2 IN5", "drop A2 SY5", "drop A2 SY6", "drop A2 SY7"}


# Gentle Giant ---------------------------------------------------------------------------------------


def test_gentle_giant_cannot_be_attacked() -> None:
    """By nobody who does not ignore bans; leeches reach it."""
    assert not any("B1" in text for text in legal(feeding("MEG SP5 2", "GEN 3")))
    assert population(act(make_state("PA5 2", "GEN 8", plays=0), "done"), "B1") == 6


# Giant Cephalopod -----------------------------------------------------------------------------------


def test_giant_cephalopod_feeds_four_times() -> None:
    """Forages and attacks as it likes, itself only."""
    state = play(feeding("GIC 0 | 2", "9"), "forage A1 reef; attack A1 B1; attack A1 B1")
    assert set(legal(state)) == {"forage A1 reef", "attack A1 A2", "attack A1 B1", "skip"}
    assert lost(act(state, "forage A1 reef"), "A1", "aging") == 1


def test_giant_cephalopod_ends_when_it_is_overfull() -> None:
    """Its board is full after the first of four."""
    state = play(feeding("GIC 9", "9"), "forage A1 reef; spill z1")
    assert lost(state, "A1", "aging") == 1


# Gigantic Brain -------------------------------------------------------------------------------------


def test_gigantic_brain_has_unlimited_slots() -> None:
    """A tenth trait, and one under Shallow Gene Pool; without it the rest is too much."""
    many = "GIB SY5 SY6 SY7 SY8 SY9 BF5 BF6 BF7"
    water = (20, 0, 20, 20)
    state = make_state(f"{many} 3", "5", hands=("IN5",), scenarios=("SGP", "INB"), water=water)
    assert len(traits(act(state, "evolve IN5 A1"), "A1")) == 10
    assert "drop A1 SY5" in legal(act(state, "drop A1 GIB"))
    assert not any(text.startswith("evolve") for text in legal(act(state, "drop A1 GIB")))


@pytest.mark.parametrize(
    ("species", "aged"), [("GIB", 1), ("GIB SY5 SY6", 3), ("GIB END SC5", 3), ("GIB SLO", 2), ("GIB TEL", 2)]
)
@pytest.mark.parametrize("cambrian", [False, True])
def test_gigantic_brain_ages_its_number_of_traits(species: str, aged: int, *, cambrian: bool) -> None:
    """Whatever would change it: the Explosion, other traits, Scenario cards."""
    water = (20, 0, 20, 20)
    state = feeding(f"{species} 6", "5", cambrian=cambrian, water=water)  # Inhospitable Environment is active
    assert lost(act(state, "skip"), "A1", "aging") == aged


def test_gigantic_brain_dies_when_it_has_less_than_traits() -> None:
    """Two of three due: they are scored, and it is gone."""
    state = act(feeding("GIB SY5 SY6 2", "5"), "skip")
    assert (lives(state, "A1"), state.scores[0]) == (False, 2)
    assert lives(act(feeding("GIB SY5 SY6 3", "5"), "skip"), "A1")


# Gigantic Scavenger ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "key", "taken"),
    [
        (("MEG 2", "9 | GIS 3"), "B2", 2),
        (("MEG 2", "9 | 3 | GIS 3 | 3"), "B3", 2),  # wherever it stands
        (("MEG 2", "GIS 9"), "B1", 2),  # it was attacked itself
        (("MEG 2 | GIS 3", "9"), "A2", 2),  # its owner's species
        (("MEG 2", "9 | GIS FF5 9"), "B2", 1),  # one space
        (("APX 2", "9 | GIS 3"), "B2", 0),  # Attack 4
        (("GIS 2", "9"), "A1", 0),  # its own attack
    ],
)
def test_gigantic_scavenger_takes_2_from_strong_attackers(
    rows: tuple[str, str], key: str, taken: int
) -> None:
    """After any other species with Attack 5 or more attacks, however little it took."""
    state = act(feeding(*rows), "attack A1 B1")
    assert (moved(state, key, "GIS"), lost(state, "A1", "GIS")) == (taken, taken)


def test_gigantic_scavenger_looks_at_attack_and_at_attacks() -> None:
    """Attack 5 that Defence brings down to 1 counts; a forage does not."""
    assert moved(act(feeding("MEG 2", "IN5 9 | GIS 3"), "attack A1 B1"), "B2", "GIS") == 2
    assert moved(act(feeding("MEG 2", "9 | GIS 3"), "forage A1 reef"), "B2", "GIS") == 0


def test_gigantic_scavenger_and_spines_come_clockwise() -> None:
    """The active player's first: what spines leave is taken, and the other way round."""
    later = act(feeding("MEG 0", "DEF 5 | GIS 3"), "attack A1 B1")  # 5 taken: 4 stung away, 1 left to take
    assert (lost(later, "A1", "DEF"), moved(later, "B2", "GIS")) == (4, 1)
    first = act(feeding("MEG 0 | GIS 3", "DEF 5"), "attack A1 B1")
    assert (moved(first, "A2", "GIS"), lost(first, "A1", "DEF")) == (2, 3)


def test_gigantic_scavenger_takes_from_a_burrower_that_strikes() -> None:
    """A strike is an attack."""
    state = act(feeding("0 | GIS 3", "5 | BUR MEG 2"), "attack A1 B1")
    assert (moved(state, "B2", "attack"), moved(state, "A2", "GIS")) == (1, 2)


# Grazer ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("traits_", "reef", "taken"), [("GRA 3", 20, 2), ("GRA 3", 1, 1), ("GRA EXT 9", 20, 1)]
)
def test_grazer_takes_2_from_the_reef_before_feeding(traits_: str, reef: int, taken: int) -> None:
    """As far as there is any, and room for it."""
    state = act(make_state(traits_, "3", plays=0, water=(reef, 20, 20, 20)), "done")
    assert (moved(state, "A1", "GRA"), lost(state, "reef", "GRA")) == (taken, taken)


def test_grazer_does_not_forage() -> None:
    """It may though its species never forages, and nothing reacts; then the species may feed."""
    state = act(make_state("GRA AP5 3 | SY5 2", "AMB 2 | WC5 2", plays=0), "done")
    assert (population(state, "A1"), population(state, "A2")) == (5, 2)
    assert (population(state, "B1"), population(state, "B2")) == (2, 2)
    assert "attack A1 B1" in legal(state)


def test_grazer_waits_for_its_owners_turn() -> None:
    """In another's turn it stays as it is."""
    assert population(act(make_state("PA5 3", "GRA 3 | 3", plays=0), "done"), "B1") == 3


def test_grazer_may_overpopulate_and_feed_all_the_same() -> None:
    """Overpopulating before feeding does not forbid feeding."""
    state = play(make_state("GRA 8", "3", plays=0), "done; spill z2")
    assert (population(state, "A1"), state.position.water[2]) == (5, 25)
    assert "forage A1 reef" in legal(state)


# Hydra ----------------------------------------------------------------------------------------------


def test_hydra_may_take_1_from_each_undefended_species_when_it_attacks() -> None:
    """One by one, own ones too; not itself, and none that has nothing or a defensive trait."""
    row = "9 | IN5 9 | SC5 2 | ABY 2 | CAM 2 | 0 | DEF 3"
    state = act(feeding("HYD 1 | 3", row), "attack A1 B1")
    assert legal(state) == ("choose A2", "choose B1", "choose B7", "done")
    state = play(state, "choose A2; choose B7")
    assert legal(state) == ("choose B1", "done")
    assert (population(state, "A1"), population(state, "A2"), population(state, "B7")) == (7, 2, 2)
    assert moved(act(state, "choose B1"), "A1", "HYD") == 1


def test_hydra_stops_where_its_board_is_full_or_its_owner_likes() -> None:
    """With the last space filled nobody else is offered."""
    state = act(feeding("HYD EXT 5", "9 | 3 | 3"), "attack A1 B1")
    assert not any(text.startswith("choose") for text in legal(act(state, "choose B2")))
    assert lost(act(state, "done"), "B2") == 0


def test_hydra_takes_before_anything_reacts() -> None:
    """Symbiotic and Bottom Feeder wait until its owner is done."""
    state = play(feeding("HYD 1 | SY5 2", "9 | BF5 3"), "attack A1 B1; choose B2")
    assert (population(state, "A2"), population(state, "B2")) == (2, 2)
    state = play(state, "done")
    assert (moved(state, "A2", "SY5"), moved(state, "B2", "BF5")) == (1, 2)


def test_hydras_further_takes_are_no_attacks() -> None:
    """Spines and Bottom Feeders do not answer for them."""
    state = play(feeding("HYD 1", "9 | 2 | DEF 3 | BF5 2"), "attack A1 B1; choose B3; done")
    assert (moved(state, "B4", "BF5"), lost(state, "A1", "DEF")) == (0, 0)


def test_hydra_is_idle_when_another_species_attacks() -> None:
    """Nobody is asked."""
    assert not any("choose" in text for text in legal(act(feeding("TE5 3 | HYD 1", "9 | 3"), "attack A1 B1")))
