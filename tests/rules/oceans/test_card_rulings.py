"""Readings of single cards whose texts leave them open: what their rulings say."""

from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    act,
    active_scenario_setup,
    inactive_scenario_setup,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    make_state_after_card_phase,
    population,
)


def _attacks(state: State) -> set[str]:
    return {text for text in legal_texts(state) if text.startswith("attack A1")}


def test_ignored_immunity_does_not_help_in_the_arms_race() -> None:
    """Evolutionary Arms Race forbids an attack that Gargantuan could make on a species with immunity."""
    rows = ("GAR 3", "COL 9")
    assert _attacks(make_feeding_state(*rows, **inactive_scenario_setup("EAR"))) == {"attack A1 B1"}
    assert _attacks(make_feeding_state(*rows, **active_scenario_setup("EAR"))) == set()


def test_mucus_cocoon_spares_its_own_species() -> None:
    """Its own leeching trait costs it nothing, that of a neighbour costs that one 1."""
    state = make_state_after_card_phase("MUC PA5 4", "PA6 3")
    assert just_moved_to(state, "reef", "MUC") == 1


def test_chitin_plated_maw_leeches_the_strongest_or_nobody() -> None:
    """Its own Attack does not count; a weaker species is not leeched in place of an empty one."""
    assert population(make_state_after_card_phase("CHI AP9 1", "AP5 5 | 9"), "B2") == 9
    assert population(make_state_after_card_phase("CHI AP9 1", "AP5 5 | 9"), "B1") == 1
    assert population(make_state_after_card_phase("CHI AP9 1", "AP5 0 | 9"), "B2") == 9


def test_sedentary_colony_takes_for_each_gain() -> None:
    """A new neighbour that gains by Fertile and by Protective Growth brings 1 for each."""
    state = make_state("SED 1", "5", hands=["IN5"], scenarios=("FER", "GRO"), zone_populations=(20, 0, 0, 20))
    assert just_moved_to(act(state, "create IN5 1"), "A1", "SED") == 2


def test_hydra_also_takes_from_the_attacked_species() -> None:
    """Without a defensive trait the target may be picked as well."""
    state = act(make_feeding_state("HYD 1", "9"), "attack A1 B1")
    assert "choose B1" in legal_texts(state)


def test_poisonous_spines_sting_a_species_that_gains_by_the_attack_on_it() -> None:
    """With Regeneration it gains by the attack, so it loses 3 itself."""
    state = act(make_feeding_state("5", "PSP REG 9"), "attack A1 B1")
    assert population(state, "B1") == 9 - 1 + 1 - 3
