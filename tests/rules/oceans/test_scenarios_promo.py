"""Promotional Scenario cards that act at certain moments."""

from typing import Any

import pytest

from rules.model import Seat
from rules.oceans import OCEANS
from rules.oceans.rules import view
from rules.oceans.steps import ChoiceKind, Choosing, Drawing, Feeding
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    ScenarioSetupMaker,
    act,
    active_scenario_setup,
    inactive_scenario_setup,
    is_alive,
    just_moved_from,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    population,
    traits,
)


def test_aggressive_environment_lets_empty_species_be_attacked_and_die() -> None:
    """A species with nothing may be attacked and dies out before anything reacts to its loss."""
    rows = ("AP5 2", "SY5 0 | BF5 1 | SH5 1")
    state = act(make_feeding_state(*rows, **active_scenario_setup("AGG")), "attack A1 B1")
    assert not is_alive(state, "B1")
    assert "SY5" in state.position.discard_pile
    assert just_moved_to(state, "A1", "attack") == 0
    assert just_moved_to(state, "B2", "BF5") == 0, "who was attacked is gone"
    assert just_moved_to(state, "B3", "SH5") == 2, "but there was an attack"
    assert "attack A1 B1" not in legal_texts(make_feeding_state(*rows, **inactive_scenario_setup("AGG")))


@pytest.mark.parametrize(
    ("attacker", "target"),
    [("AP5 2", "TR5 0"), ("AP5 2", "GEN 0"), ("AP5 2", "EXT 0"), ("FF5 2", "SY5 0"), ("AP5 10", "SY5 0")],
)
def test_aggressive_environment_lifts_no_other_ban(attacker: str, target: str) -> None:
    """What cannot be attacked or die out is safe, and an attacker must be able to attack and have room."""
    state = make_feeding_state(
        f"{attacker} | SP6 1", f"{target} | SY6 5", scenarios=("IMM", "AGG"), zone_populations=(20, 0, 0, 20)
    )
    assert "attack A1 B1" not in legal_texts(state)


def test_aggressive_environment_says_what_protects() -> None:
    """A refusal names the trait that forbids the attack, not the want of population."""
    state = make_feeding_state("AP5 2", "TR5 0 | SY6 5", **active_scenario_setup("AGG"))
    refusal = OCEANS.words.refusal(view(state, Seat(0)), NOTATION.parse("attack A1 B1"), NAMES)
    assert "Transparent" in refusal
    state = make_feeding_state("AP5 2", "SY5 0 | SY6 5", **inactive_scenario_setup("AGG"))
    refusal = OCEANS.words.refusal(view(state, Seat(0)), NOTATION.parse("attack A1 B1"), NAMES)
    assert "no population" in refusal


def test_aggressive_environment_kills_no_species_attacked_down_to_0() -> None:
    """Defence saves population, and there is none to save; a species attacked down to 0 lives on."""
    state = make_feeding_state("AP5 2", "IN5 0 | SY5 2", **active_scenario_setup("AGG"))
    assert not is_alive(act(state, "attack A1 B1"), "B1")
    assert population(act(state, "attack A1 B2"), "B2") == 0


def test_coral_bleaching_moves_2_from_the_reef_after_aging() -> None:
    """After their Aging the active player moves 2 from the Reef to an Ocean zone of choice."""
    state = act(make_feeding_state("IN5 4 | IN6 4", "IN7 4", **active_scenario_setup("CBL")), "skip")
    step = state.position.agenda[-1]
    assert isinstance(step, Choosing)
    assert step.kind is ChoiceKind.BLEACHING
    assert legal_texts(state) == ("choose z1", "choose z2", "choose z3")
    state = act(state, "choose z2")
    assert state.position.zone_populations == (18, 20, 2, 20)
    assert state.position.active_scenarios == (), "its own zone holds water again"


def test_coral_bleaching_moves_what_is_there() -> None:
    """What is there moves; with an empty Reef, or water above the card, nobody is asked."""
    setup: dict[str, Any] = {"scenarios": ("INA", "CBL"), "zone_populations": (1, 20, 0, 20)}
    state = act(act(make_feeding_state("IN5 4", "", **setup), "skip"), "choose z3")
    assert state.position.zone_populations == (0, 20, 0, 21)
    setup["zone_populations"] = (0, 20, 0, 20)
    assert isinstance(act(make_feeding_state("SY5 4", "IN5 5", **setup), "skip").position.agenda[-1], Drawing)
    assert isinstance(
        act(make_feeding_state("IN5 4", "", **inactive_scenario_setup("CBL")), "skip").position.agenda[-1],
        Drawing,
    )


def test_horizontal_gene_transfer_allows_one_swap_with_a_neighbour() -> None:
    """Before feeding the active player may swap a trait with any neighbour, once."""
    rows = ("SY5 4 | IN5 4", "SH5 4 | TE5 4 | WC5 4")
    state = act(make_state(*rows, plays_left=0, **active_scenario_setup("HGT")), "done")
    swap_texts = {each for each in legal_texts(state) if each != "done"}
    assert swap_texts == {
        "swap A1 SY5 A2 IN5",
        "swap A2 IN5 A1 SY5",
        "swap A1 SY5 B3 WC5",
        "swap A2 IN5 B1 SH5",
    }
    after = act(state, "swap A1 SY5 B3 WC5")
    assert (traits(after, "A1"), traits(after, "B3")) == (("WC5",), ("SY5",))
    assert isinstance(after.position.agenda[-1], Feeding)
    assert isinstance(act(state, "done").position.agenda[-1], Feeding), "it may be left"


def test_horizontal_gene_transfer_comes_before_leeches() -> None:
    """A Parasitic that the swap brings leeches in this very turn; one that it gives away does not."""
    rows = ("SY5 0", "PA5 4 | 5")
    state = act(make_state(*rows, plays_left=0, **active_scenario_setup("HGT")), "done")
    assert population(act(state, "swap A1 SY5 B1 PA5"), "A1") == 2
    state = act(make_state("PA5 0", "SY5 4 | 5", plays_left=0, **active_scenario_setup("HGT")), "done")
    assert population(act(state, "swap A1 PA5 B1 SY5"), "A1") == 0


def test_horizontal_gene_transfer_moves_nothing_fixed() -> None:
    """What cannot be removed cannot be swapped; with water above the card nobody is asked."""
    state = act(
        make_state("VES 4 | IN5 4", "CTH SY5 4", plays_left=0, **active_scenario_setup("HGT")), "done"
    )
    assert {each for each in legal_texts(state) if each != "done"} == {"swap A2 IN5 B1 SY5"}
    state = act(
        make_state("SY5 4 | IN5 4", "SH5 4", hands=("SP5",), **inactive_scenario_setup("HGT")), "create SP5 0"
    )
    assert isinstance(state.position.agenda[-1], Feeding)


@pytest.mark.parametrize(
    ("make_scenario_setup", "population_left"), [(active_scenario_setup, 2), (inactive_scenario_setup, 3)]
)
def test_hostile_conditions_age_the_player_on_the_right(
    make_scenario_setup: ScenarioSetupMaker, population_left: int
) -> None:
    """The species of the player on the right age as well, into that player's score pile."""
    state = act(make_feeding_state("IN5 4", "IN6 3", "IN7 3 | IN8 3", **make_scenario_setup("HOC")), "skip")
    assert [population(state, key) for key in ("A1", "B1", "C1", "C2")] == [
        3,
        3,
        population_left,
        population_left,
    ]
    assert state.score_piles == (1, 0, 2 * (3 - population_left))


def test_hostile_conditions_kill_species_that_cannot_pay() -> None:
    """The player on the right loses species that cannot pay; the one before the first seat is the last."""
    state = act(
        make_feeding_state("IN5 4", "IN6 3", "IN7 0", player=1, **active_scenario_setup("HOC")), "skip"
    )
    assert population(state, "A1") == 3
    assert is_alive(state, "C1")
    assert not is_alive(
        act(make_feeding_state("IN5 4", "IN6 3", "IN7 0", **active_scenario_setup("HOC")), "skip"), "C1"
    )


@pytest.mark.parametrize(
    ("make_scenario_setup", "population_left"), [(active_scenario_setup, 2), (inactive_scenario_setup, 3)]
)
def test_uber_hostile_environment_ages_all_species(
    make_scenario_setup: ScenarioSetupMaker, population_left: int
) -> None:
    """All species in play age in every Aging phase, each for its owner."""
    state = act(make_feeding_state("IN5 4", "IN6 3 | SC5 9", "IN7 3", **make_scenario_setup("UHE")), "skip")
    assert [population(state, key) for key in ("A1", "B1", "C1")] == [3, population_left, population_left]
    assert state.score_piles == ((1, 3, 1) if make_scenario_setup is active_scenario_setup else (1, 0, 0))


def test_schadenfreude_lets_others_gain_1_when_a_species_dies_out() -> None:
    """When a species dies out the species of all other players gain 1 each."""
    rows = ("IN5 0 | IN6 4", "IN7 4 | IN8 4", "IN9 4")
    state = act(make_feeding_state(*rows, **active_scenario_setup("SCF")), "skip")
    assert not is_alive(state, "A1")
    assert [population(state, key) for key in ("A2", "B1", "B2", "C1")] == [3, 5, 5, 5]
    assert just_moved_from(state, "z1", "SCF") == 3
    assert just_moved_to(act(make_feeding_state(*rows, **inactive_scenario_setup("SCF")), "skip"), "B1") == 0


def test_schadenfreude_gives_nothing_to_species_of_the_same_owner() -> None:
    """Other species of the owner gain nothing; two extinctions bring 2."""
    state = make_feeding_state(
        "AP5 2", "SY5 0 | SY6 4", "SY7 4", scenarios=("AGG", "SCF"), zone_populations=(20, 0, 0, 20)
    )
    state = act(state, "attack A1 B1")
    assert [just_moved_to(state, key, "SCF") for key in ("A1", "B2", "C1")] == [1, 0, 1]
    state = act(make_feeding_state("IN5 0 | IN6 0 | IN7 3", "SY6 4", **active_scenario_setup("SCF")), "skip")
    assert just_moved_to(state, "B1", "SCF") == 2


@pytest.mark.parametrize(
    ("species", "population_left"), [("FF5 TE5 1", 4), ("IN5 TE5 1", 0), ("SP5 SP6 TE5 7", 8)]
)
def test_shallow_reef_takes_2_from_a_forager(species: str, population_left: int) -> None:
    """After it foraged a species loses 2 to the Reef, before overpopulation is checked."""
    state = act(
        make_feeding_state(f"{species} | IN6 1", "", **active_scenario_setup("SHR")), "forage A1 reef"
    )
    assert just_moved_from(state, "A1", "SHR") == 2
    assert population(state, "A1") == population_left
    assert isinstance(state.position.agenda[-1], Feeding), "it may feed again"
    assert just_moved_to(state, "reef", "overflow") == 0


def test_shallow_reef_is_about_foraging() -> None:
    """An attack costs nothing, and neither does a forage while the card's zone holds water."""
    assert (
        just_moved_from(
            act(make_feeding_state("AP5 2", "SY5 5", **active_scenario_setup("SHR")), "attack A1 B1"),
            "A1",
            "SHR",
        )
        == 0
    )
    assert (
        just_moved_from(
            act(make_feeding_state("FF5 2", "SY5 5", **inactive_scenario_setup("SHR")), "forage A1 reef"),
            "A1",
            "SHR",
        )
        == 0
    )


def test_shallow_reef_takes_from_foragers_in_ocean_zones_too() -> None:
    """Wherever it foraged, it loses to the Reef."""
    state = make_feeding_state("FF5 1 | IN6 1", "", scenarios=("LHM", "SHR"), zone_populations=(20, 0, 0, 20))
    assert just_moved_to(act(state, "forage A1 z3"), "reef", "SHR") == 2
