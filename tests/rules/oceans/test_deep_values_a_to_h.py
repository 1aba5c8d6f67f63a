"""Deep traits from Abyss Dweller to Hydra: their printed values, slots and spaces, at work."""

import pytest

from rules.oceans.events import Overpopulated
from rules.oceans.rules import State
from tests.rules.oceans.positions import act, feeding, legal, lost, make_state


def overpopulated(state: State) -> bool:
    """Whether a species overpopulated in the last action."""
    return any(isinstance(event, Overpopulated) for event in state.position.trail)


@pytest.mark.parametrize(
    ("card", "taken"),
    [("COL", 10), ("DIV", 2), ("ELE", 2), ("FIL", 6), ("GEN", 3), ("COM", 1), ("HAR", 1), ("BLU", 1)],
)
def test_forage_is_the_value_on_the_card_or_1(card: str, taken: int) -> None:
    """A forage takes the card's Forage; without an icon it takes 1; never more than fits."""
    state = act(feeding(f"{card} 0", "5"), "forage A1 reef")
    assert lost(state, "reef", "forage") == taken


def test_colossus_takes_all_of_its_eleven_where_there_is_room() -> None:
    """Forage 11 and a larger board: 11 are taken."""
    assert lost(act(feeding("COL BLU 0", "5"), "forage A1 reef"), "reef", "forage") == 11


@pytest.mark.parametrize("card", ["ABY", "APX", "BEH", "DSK", "DRA", "GAR", "GIS", "HYD"])
def test_struck_out_forage_forbids_foraging_whatever_else_there_is(card: str) -> None:
    """A struck-out Forage wins over the icons of other traits."""
    assert not any(text.startswith("forage A1 reef") for text in legal(feeding(f"{card} SP5 0", "9")))


@pytest.mark.parametrize(
    ("card", "taken"),
    [
        ("APX", 4),
        ("BEH", 3),
        ("CAV", 2),
        ("DRA", 7),
        ("ELE", 2),
        ("GAR", 9),
        ("GIS", 6),
        ("HYD", 4),
        ("ABY", 1),
        ("BLU", 1),
    ],
)
def test_attack_is_the_value_on_the_card_or_1(card: str, taken: int) -> None:
    """An attack takes the card's Attack; without an icon it takes 1."""
    assert lost(act(feeding(f"{card} 0", "EXT 10"), "attack A1 B1"), "B1", "attack") == taken


@pytest.mark.parametrize("card", ["FIL", "FKR", "GEN"])
def test_struck_out_attack_forbids_attacking_whatever_else_there_is(card: str) -> None:
    """A struck-out Attack wins over the icons of other traits."""
    assert not any(text.startswith("attack A1") for text in legal(feeding(f"{card} MEG 0", "9")))


@pytest.mark.parametrize(
    ("card", "saved"), [("APX", 3), ("BLU", 1), ("COM", 5), ("DRA", 3), ("HAR", 6), ("DEF", 0), ("DEN", 0)]
)
def test_defence_is_the_value_on_the_card(card: str, saved: int) -> None:
    """Of the 9 that an Attack of 9 would take, the card's Defence saves so many."""
    assert lost(act(feeding("GAR 0", f"{card} 9"), "attack A1 B1"), "B1", "attack") == 9 - saved


@pytest.mark.parametrize(
    ("card", "slots"),
    [("ATA", 2), ("COM", 1), ("DEN", 1), ("EXT", 1), ("GTR", 2), ("GOE", 1), ("ABY", 0), ("BLU", 0)],
)
def test_extra_slots_let_more_traits_on(card: str, slots: int) -> None:
    """A species with the card has 3 slots and the card's: the last one can be filled, no more."""
    fillers = " ".join(("SY5", "SY6", "SY7", "SY8")[: 1 + slots])
    assert "evolve IN5 A1" in legal(make_state(f"{card} {fillers} 3", "5", hands=("IN5",)))
    assert "evolve IN5 A1" not in legal(make_state(f"{card} {fillers} SY9 3", "5", hands=("IN5",)))


@pytest.mark.parametrize(
    ("card", "fits"),
    [
        ("ATA", True),
        ("COM", True),
        ("DEN", True),
        ("GOE", True),
        ("GIB", True),
        ("BLU", False),
        ("HAR", False),
    ],
)
def test_a_card_that_brings_its_own_slot_goes_onto_a_full_species(card: str, *, fits: bool) -> None:
    """The new card's own slots count already when it is put down."""
    state = make_state("SY5 SY6 SY7 3", "5", hands=(card,), scores=(9,), cambrian=True)
    assert (f"evolve {card} A1 reef" in legal(state)) == fits


@pytest.mark.parametrize(
    ("card", "forage", "spaces"), [("BLU", 1, 19), ("DEN", 1, 19), ("GEN", 3, 15), ("HAR", 1, 10)]
)
def test_extra_spaces_put_overpopulation_off(card: str, forage: int, spaces: int) -> None:
    """The last space of the larger board overpopulates, the one before does not; 5 are left."""
    below = act(feeding(f"{card} {spaces - forage - 1}", "5"), "forage A1 reef")
    assert not overpopulated(below)
    full = act(feeding(f"{card} {spaces - 1}", "5"), "forage A1 reef")
    assert overpopulated(full)
    assert legal(full) == ("spill reef", "spill z1", "spill z2", "spill z3")
    assert lost(act(full, "spill z2"), "A1", "surplus") == spaces - 5


@pytest.mark.parametrize(("traits", "spaces"), [("FIL", 15), ("FIL BLU", 24), ("FIL GEN", 20)])
def test_deep_filter_feeder_fills_its_board_and_stays_full(traits: str, spaces: int) -> None:
    """It never overpopulates: its last space fills, and then it cannot feed."""
    state = act(feeding(f"{traits} {spaces - 1}", "5"), "forage A1 reef")
    assert lost(state, "reef", "forage") == 1
    assert not overpopulated(state)
    assert "forage A1 reef" not in legal(feeding(f"{traits} {spaces}", "5"))


@pytest.mark.parametrize(
    ("card", "cost"),
    [
        ("ABY", 1),
        ("ACU", 2),
        ("AMB", 3),
        ("CHI", 4),
        ("COM", 3),
        ("DIV", 3),
        ("END", 3),
        ("GIB", 4),
        ("HYD", 4),
    ],
)
def test_cost_is_the_number_on_the_card_and_so_is_what_it_migrates(card: str, cost: int) -> None:
    """Evolving pays the number in full or not at all; migrating moves it and costs nothing."""
    poor = make_state("3", "5", hands=(card,), scores=(cost - 1,), cambrian=True)
    assert not any(text.startswith(("evolve", "create")) for text in legal(poor))
    migrated = act(poor, f"migrate {card} z1 z3")
    assert (migrated.position.water, migrated.scores[0]) == ((20, 20 - cost, 20, 20 + cost), cost - 1)
    assert card in migrated.position.out_of_game
    paid = act(make_state("3", "5", hands=(card,), scores=(cost,), cambrian=True), f"evolve {card} A1 z2")
    assert (paid.position.water[2], paid.scores[0]) == (20 + cost, 0)
