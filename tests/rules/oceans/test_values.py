"""Forage, Attack, Defence, slots, spaces and costs, as the Deep cards give them."""

import pytest

from rules.oceans.cards.decks import Card
from rules.oceans.events import Overpopulated
from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    just_moved_from,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    population,
    traits,
)

# Camouflage ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "taken_amount"), [("CAM 9", 5), ("CAM 9 | 3", 3), ("3 | CAM 9 | 3", 1)])
def test_camouflage_has_defence_2_for_each_other_species_of_its_owner(row: str, taken_amount: int) -> None:
    """Of an Attack of 5 it saves 2 per companion; species of other players are none."""
    state = make_feeding_state("MEG 0 | 3", row, "3 | 3")
    key = next(species.key for species in state.position.rows[1] if "CAM" in species.traits)
    assert just_moved_from(act(state, f"attack A1 {key}"), key, "attack") == taken_amount


# Megamouth ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "forage_amount", "attack_amount"),
    [("MEG 0", 5, 5), ("MEG SP5 0", 7, 7), ("MEG AP5 0", None, 8), ("MEG FF5 0", 10, None)],
)
def test_megamouth_adds_forage_5_and_attack_5(
    row: str, forage_amount: int | None, attack_amount: int | None
) -> None:
    """Forage 5 and Attack 5 add up with others; a struck-out icon beats them."""
    state = make_feeding_state(row, "BLU BF5 10", zone_populations=(20, 20, 20, 20))
    for action, amount in (("forage A1 reef", forage_amount), ("attack A1 B1", attack_amount)):
        assert (action in legal_texts(state)) == (amount is not None)
    if forage_amount is not None:
        assert just_moved_to(act(state, "forage A1 reef"), "A1", "forage") == forage_amount
    if attack_amount is not None:
        assert (
            just_moved_to(act(state, "attack A1 B1"), "A1", "attack") == attack_amount - 1
        )  # Blubber's Defence


# Pack Hunting -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "scenario_code", "taken_amount"),
    [
        ("PAC AP5 0", "INA", 6),
        ("PAC AP5 SP5 0", "INA", 10),  # 2 x (3 + 2)
        ("PAC 0", "INA", 1),  # without an icon the usual 1 is not doubled
        ("PAC AP5 0", "LPR", 8),  # a Scenario card's icon is on no trait
        ("PAC 0", "LPR", 2),
        ("PAC AP5 0", "SNO", 4),  # each icon less 1, then doubled
        ("PAC SWA 4", "INA", 6),  # 2 x 4, but no more than fits
        ("PAC BUB ROW SP5 0", "INA", 2),  # Bubble Net drops the icons: Attack is Forage
    ],
)
def test_pack_hunting_doubles_attack_icons(row: str, scenario_code: str, taken_amount: int) -> None:
    """Every Attack icon on its species' traits counts double."""
    state = act(
        make_feeding_state(row, "DEN 16", zone_populations=EMPTY_ZONE_1, scenarios=(scenario_code, "INB")),
        "attack A1 B1",
    )
    assert just_moved_to(state, "A1", "attack") == taken_amount


def test_pack_hunting_doubles_no_struck_out_icon() -> None:
    """Filter Feeder's struck-out Attack wins."""
    assert not any(
        text.startswith("attack") for text in legal_texts(make_feeding_state("PAC AP5 FF5 1", "9"))
    )


def test_pack_hunting_has_one_more_slot() -> None:
    """A fourth trait goes onto its species, no fifth."""
    state = make_state("PAC IN5 IN6 1 | IN7 IN8 BF6 1", "1", hands=("BF5 BF7",), plays_left=2)
    assert "evolve BF5 A2" not in legal_texts(state)
    state = act(state, "evolve BF5 A1")
    assert len(traits(state, "A1")) == 4
    assert "evolve BF7 A1" not in legal_texts(state)


# Poisonous Inking ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "taken_amount"),
    [("B1", 5), ("B2", 1), ("B3", 1), ("B4", None), ("B5", 5)],
)
def test_poisonous_inking_defends_itself_and_its_neighbours(target: str, taken_amount: int | None) -> None:
    """Defence 4 for itself and for either neighbour, on top of what that has; for nobody farther away."""
    state = make_feeding_state("MEG 1", "8 | 8 | POI 8 | IN5 8 | 8")
    assert (f"attack A1 {target}" in legal_texts(state)) == (taken_amount is not None)
    if taken_amount is not None:
        assert just_moved_to(act(state, f"attack A1 {target}"), "A1", "attack") == taken_amount


def test_poisonous_inking_defends_the_attackers_neighbour_too() -> None:
    """An attacker's ink shields its own neighbour as well, once if it stands on both sides."""
    assert "attack A1 B1" not in legal_texts(make_feeding_state("POI SP5 SP6 1", "9"))
    assert just_moved_to(act(make_feeding_state("POI MEG 1", "9"), "attack A1 B1"), "A1", "attack") == 1


def test_poisonous_inking_is_ignored_with_all_defence_values() -> None:
    """Crushing Jaw ignores a neighbour's ink too."""
    assert (
        just_moved_to(act(make_feeding_state("CRU SP5 1", "8 | POI 8 | 8"), "attack A1 B1"), "A1", "attack")
        == 2
    )


# Sea Rex ------------------------------------------------------------------------------------------


def test_sea_rex_attacks_with_6_and_never_forages() -> None:
    """Attack 6, no foraging."""
    state = make_feeding_state("SEA SP5 0", "FF5 10")
    assert legal_texts(state, "forage") == ()
    assert just_moved_to(act(make_feeding_state("SEA 0", "FF5 10"), "attack A1 B1"), "A1", "attack") == 6


# More slots ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ["REG IN5 IN6 1", "SPE IN5 IN6 1", "SLO IN5 IN6 IN7 1"])
def test_traits_with_more_slots_hold_more_traits(row: str) -> None:
    """Regeneration and Deep Speed have one more slot, Slow Metabolism two, and no more than that."""
    state = act(make_state(row, "1", hands=("BF5 BF6",), plays_left=2), "evolve BF5 A1")
    assert Card("BF5") in traits(state, "A1")
    assert "evolve BF6 A1" not in legal_texts(state)


# Speed --------------------------------------------------------------------------------------------


def test_deep_speed_has_forage_attack_and_defence_3() -> None:
    """Forage 3, Attack 3, Defence 3."""
    state = make_feeding_state("SPE 0", "9")
    assert just_moved_to(act(state, "forage A1 reef"), "A1", "forage") == 3
    assert just_moved_to(act(state, "attack A1 B1"), "A1", "attack") == 3
    assert not legal_texts(make_feeding_state("AP5 1", "SPE 9"), "attack")
    assert just_moved_to(act(make_feeding_state("APX 1", "SPE 9"), "attack A1 B1"), "A1", "attack") == 1


def test_deep_speed_catches_fliers() -> None:
    """Flight is attacked by Speed of either kind only."""
    assert legal_texts(make_feeding_state("SPE 1", "FLI 9"), "attack")
    assert not legal_texts(make_feeding_state("APX 1", "FLI 9"), "attack")


# Swarming -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "taken_amount"),
    [("SWA 3", 3), ("SWA SP5 3", 5), ("SWA 0", None), ("SWA SP5 0", 2), ("SWA FF5 3", None), ("SWA 9", 1)],
)
def test_swarming_attacks_with_its_population(row: str, taken_amount: int | None) -> None:
    """Its Attack is the population it holds before the attack, added to other icons."""
    state = make_feeding_state(row, "DEN 16")
    assert bool(legal_texts(state, "attack")) == (taken_amount is not None)
    if taken_amount is not None:
        assert just_moved_to(act(state, "attack A1 B1"), "A1", "attack") == taken_amount


def test_swarming_never_overpopulates() -> None:
    """Its last space fills and stays full."""
    state = act(make_feeding_state("SWA 9", "9"), "forage A1 reef")
    assert (just_moved_to(state, "A", "aging"), population(state, "A1")) == (1, 9)


# Values of one card after the other ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "taken_amount"),
    [("COL", 10), ("DIV", 2), ("ELE", 2), ("FIL", 6), ("GEN", 3), ("COM", 1), ("HAR", 1), ("BLU", 1)],
)
def test_forage_is_the_value_on_the_card_or_1(card: str, taken_amount: int) -> None:
    """A forage takes the card's Forage; without an icon it takes 1; never more than fits."""
    state = act(make_feeding_state(f"{card} 0", "5"), "forage A1 reef")
    assert just_moved_from(state, "reef", "forage") == taken_amount


def test_colossus_takes_all_of_its_eleven_where_there_is_room() -> None:
    """Forage 11 and a larger board: 11 are taken."""
    assert (
        just_moved_from(act(make_feeding_state("COL BLU 0", "5"), "forage A1 reef"), "reef", "forage") == 11
    )


@pytest.mark.parametrize("card", ["ABY", "APX", "BEH", "DSK", "DRA", "GAR", "GIS", "HYD"])
def test_struck_out_forage_forbids_foraging_whatever_else_there_is(card: str) -> None:
    """A struck-out Forage wins over the icons of other traits."""
    assert not any(
        text.startswith("forage A1 reef") for text in legal_texts(make_feeding_state(f"{card} SP5 0", "9"))
    )


@pytest.mark.parametrize(
    ("card", "taken_amount"),
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
def test_attack_is_the_value_on_the_card_or_1(card: str, taken_amount: int) -> None:
    """An attack takes the card's Attack; without an icon it takes 1."""
    assert (
        just_moved_from(act(make_feeding_state(f"{card} 0", "EXT 10"), "attack A1 B1"), "B1", "attack")
        == taken_amount
    )


@pytest.mark.parametrize("card", ["FIL", "FKR", "GEN"])
def test_struck_out_attack_forbids_attacking_whatever_else_there_is(card: str) -> None:
    """A struck-out Attack wins over the icons of other traits."""
    assert not any(
        text.startswith("attack A1") for text in legal_texts(make_feeding_state(f"{card} MEG 0", "9"))
    )


@pytest.mark.parametrize(
    ("card", "saved_amount"),
    [("APX", 3), ("BLU", 1), ("COM", 5), ("DRA", 3), ("HAR", 6), ("DEF", 0), ("DEN", 0)],
)
def test_defence_is_the_value_on_the_card(card: str, saved_amount: int) -> None:
    """Of the 9 that an Attack of 9 would take, the card's Defence saves so many."""
    assert (
        just_moved_from(act(make_feeding_state("GAR 0", f"{card} 9"), "attack A1 B1"), "B1", "attack")
        == 9 - saved_amount
    )


@pytest.mark.parametrize(
    ("card", "slot_count"),
    [("ATA", 2), ("COM", 1), ("DEN", 1), ("EXT", 1), ("GTR", 2), ("GOE", 1), ("ABY", 0), ("BLU", 0)],
)
def test_extra_slots_let_more_traits_on(card: str, slot_count: int) -> None:
    """A species with the card has 3 slots and the card's: the last one can be filled, no more."""
    filler_codes = " ".join(("SY5", "SY6", "SY7", "SY8")[: 1 + slot_count])
    assert "evolve IN5 A1" in legal_texts(make_state(f"{card} {filler_codes} 3", "5", hands=("IN5",)))
    assert "evolve IN5 A1" not in legal_texts(make_state(f"{card} {filler_codes} SY9 3", "5", hands=("IN5",)))


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
    """The new card's own slots count already when it is played."""
    state = make_state("SY5 SY6 SY7 3", "5", hands=(card,), score_piles=(9,), cambrian_happened=True)
    assert (f"evolve {card} A1 reef" in legal_texts(state)) == fits


def has_overpopulated(state: State) -> bool:
    """Whether a species overpopulated in the last action."""
    return any(isinstance(event, Overpopulated) for event in state.position.trail)


@pytest.mark.parametrize(
    ("card", "forage_value", "space_count"), [("BLU", 1, 19), ("DEN", 1, 19), ("GEN", 3, 15), ("HAR", 1, 10)]
)
def test_extra_spaces_put_overpopulation_off(card: str, forage_value: int, space_count: int) -> None:
    """The last space of the larger board overpopulates, the one before does not; 5 are left."""
    nearly_full_state = act(
        make_feeding_state(f"{card} {space_count - forage_value - 1}", "5"), "forage A1 reef"
    )
    assert not has_overpopulated(nearly_full_state)
    full_state = act(make_feeding_state(f"{card} {space_count - 1}", "5"), "forage A1 reef")
    assert has_overpopulated(full_state)
    assert legal_texts(full_state) == ("spill reef", "spill z1", "spill z2", "spill z3")
    assert just_moved_from(act(full_state, "spill z2"), "A1", "overflow") == space_count - 5


@pytest.mark.parametrize(("trait_text", "space_count"), [("FIL", 15), ("FIL BLU", 24), ("FIL GEN", 20)])
def test_deep_filter_feeder_fills_its_board_and_stays_full(trait_text: str, space_count: int) -> None:
    """It never overpopulates: its last space fills, and then it cannot feed."""
    state = act(make_feeding_state(f"{trait_text} {space_count - 1}", "5"), "forage A1 reef")
    assert just_moved_from(state, "reef", "forage") == 1
    assert not has_overpopulated(state)
    assert "forage A1 reef" not in legal_texts(make_feeding_state(f"{trait_text} {space_count}", "5"))


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
    poor_state = make_state("3", "5", hands=(card,), score_piles=(cost - 1,), cambrian_happened=True)
    assert not any(text.startswith(("evolve", "create")) for text in legal_texts(poor_state))
    after_migration = act(poor_state, f"migrate {card} z1 z3")
    assert (after_migration.position.zone_populations, after_migration.score_piles[0]) == (
        (20, 20 - cost, 20, 20 + cost),
        cost - 1,
    )
    assert card in after_migration.position.out_of_game
    after_payment = act(
        make_state("3", "5", hands=(card,), score_piles=(cost,), cambrian_happened=True),
        f"evolve {card} A1 z2",
    )
    assert (after_payment.position.zone_populations[2], after_payment.score_piles[0]) == (20 + cost, 0)
