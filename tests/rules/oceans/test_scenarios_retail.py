"""Retail Scenario cards that act at certain moments."""

from typing import Any

import pytest

from rules.oceans.cards.decks import Card
from rules.oceans.engine.values import is_deep
from rules.oceans.steps import Feeding, Playing, TakingFromScorePile
from tests.rules.oceans.positions import (
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
    nearly_active_scenario_setup,
    play_line,
    population,
    resolve_chance,
    traits,
)

# Fertile, Protective Growth -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make_scenario_setup", "gain"), [(active_scenario_setup, 2), (inactive_scenario_setup, 0)]
)
def test_fertile_lets_a_new_species_gain_2(make_scenario_setup: ScenarioSetupMaker, gain: int) -> None:
    """A new species gains 2 out of the Ocean with its first trait."""
    state = act(make_state("SY6 1", "SY7 1", hands=("SY5",), **make_scenario_setup("FER")), "create SY5 0")
    assert just_moved_to(state, "A2", "FER") == gain
    assert just_moved_from(state, "z1") == gain
    assert population(state, "A1") == population(state, "B1") == 1


def test_fertile_is_for_new_species_only() -> None:
    """A trait put on a species that was there brings nothing."""
    state = act(make_state("SY6 1", "", hands=("SY5",), **active_scenario_setup("FER")), "evolve SY5 A1")
    assert population(state, "A1") == 1


def test_fertile_comes_after_the_first_trait() -> None:
    """Fertile's gain comes after the first trait: Communication doubles it."""
    state = make_state(
        "", "", hands=("COM",), score_piles=(3,), cambrian_happened=True, **active_scenario_setup("FER")
    )
    assert just_moved_to(act(state, "create COM 0 reef"), "A1") == 4


@pytest.mark.parametrize("card", ["IN5", "SC5", "TR5", "SP5", "AP5"])
def test_protective_growth_lets_a_species_gain_2_with_a_defensive_trait(card: str) -> None:
    """A species that gets a defensive trait gains 2, as a new one too; not while its zone holds water."""
    rows = ("SY6 1", "SY7 1")
    assert (
        just_moved_to(
            act(make_state(*rows, hands=(card,), **active_scenario_setup("GRO")), f"evolve {card} A1"), "A1"
        )
        == 2
    )
    assert (
        just_moved_to(
            act(make_state(*rows, hands=(card,), **active_scenario_setup("GRO")), f"create {card} 1"), "A2"
        )
        == 2
    )
    assert (
        just_moved_to(
            act(make_state(*rows, hands=(card,), **inactive_scenario_setup("GRO")), f"evolve {card} A1"), "A1"
        )
        == 0
    )


@pytest.mark.parametrize("card", ["SY5", "FF5", "PA5", "BF5", "TE5"])
def test_protective_growth_needs_a_defensive_trait(card: str) -> None:
    """A trait that neither has a Defence value nor limits attacks brings nothing."""
    state = make_state("SY6 1", "", hands=(card,), **active_scenario_setup("GRO"))
    assert just_moved_to(act(state, f"evolve {card} A1"), "A1") == 0


def test_fertile_and_protective_growth_add_up() -> None:
    """Both together bring a new species 4."""
    state = make_state(
        "",
        "",
        hands=("IN5",),
        scenarios=("FER", "GRO"),
        zone_populations=(20, 0, 0, 20),
        cambrian_happened=True,
    )
    assert just_moved_to(act(state, "create IN5 0"), "A1") == 4


# Contagious Outbreak, Epizootic ---------------------------------------------------------------------


def test_contagious_outbreak_costs_neighbours_of_an_overpopulated_species_3() -> None:
    """Each neighbour of a species that overpopulates loses 3 to the Reef, or what it has, and lives."""
    rows = ("IN6 4 | SP5 SP6 7 | IN7 2", "IN5 9")
    state = act(act(make_feeding_state(*rows, **active_scenario_setup("OUT")), "forage A2 reef"), "spill z1")
    assert [just_moved_from(state, key, "OUT") for key in ("A1", "A2", "A3", "B1")] == [3, 0, 2, 0]
    assert just_moved_to(state, "reef", "OUT") == 5
    state = act(
        act(make_feeding_state(*rows, **inactive_scenario_setup("OUT")), "forage A2 reef"), "spill z1"
    )
    assert just_moved_to(state, "reef", "OUT") == 0


def test_contagious_outbreak_needs_an_overpopulation() -> None:
    """A full meal that leaves one space free harms nobody."""
    state = act(
        make_feeding_state("IN6 4 | SP5 SP6 5 | IN7 2", "IN5 9", **active_scenario_setup("OUT")),
        "forage A2 reef",
    )
    assert just_moved_to(state, "reef", "OUT") == 0


def test_contagious_outbreak_costs_a_neighbour_on_both_sides_3_once() -> None:
    """A species that is the neighbour on both sides loses 3 once."""
    state = act(
        act(make_feeding_state("SP5 SP6 7", "IN5 9", **active_scenario_setup("OUT")), "forage A1 reef"),
        "spill z1",
    )
    assert population(state, "B1") == 6


def test_contagious_outbreak_follows_the_overpopulation_of_any_species() -> None:
    """It follows the overpopulation of anybody's species, and two of them harm the one between twice."""
    rows = ("SP5 SP6 0", "WC5 8 | IN5 8 | WC6 8")
    state = act(
        make_feeding_state(*rows, scenarios=("REE", "OUT"), zone_populations=(20, 0, 0, 20)), "forage A1 reef"
    )
    assert [population(state, key) for key in ("B1", "B2", "B3")] == [5, 2, 5]
    assert just_moved_from(state, "A1", "OUT") == 6


def test_contagious_outbreak_comes_after_the_overflow() -> None:
    """A neighbour that overpopulates as well falls to 5 first and loses 3 of these."""
    rows = ("SP5 SP6 0", "WC5 8 | WC6 8 | IN5 8")
    state = act(
        make_feeding_state(*rows, scenarios=("INA", "OUT"), zone_populations=(20, 20, 0, 20)),
        "forage A1 reef",
    )
    assert [population(state, key) for key in ("B1", "B2", "B3")] == [2, 2, 5]


@pytest.mark.parametrize("make_scenario_setup", [active_scenario_setup, inactive_scenario_setup])
def test_epizootic_kills_an_overpopulated_species(make_scenario_setup: ScenarioSetupMaker) -> None:
    """An overpopulated species dies out and leaves all to the Reef; nobody is asked, nothing is scored."""
    state = act(
        make_feeding_state("SP5 SP6 7 | IN7 2", "IN5 9", **make_scenario_setup("EPI")), "forage A1 reef"
    )
    if make_scenario_setup is inactive_scenario_setup:
        assert set(legal_texts(state)) == {f"spill {zone}" for zone in ("reef", "z1", "z2", "z3")}
        return
    assert not is_alive(state, "A1")
    assert just_moved_to(state, "reef", "extinct") == 10
    assert just_moved_to(state, "A") == just_moved_to(state, "A", "aging") == 1, "only A2 aged"
    assert {"SP5", "SP6"} <= {*state.position.discard_pile}


def test_epizootic_kills_in_others_turns_too() -> None:
    """It takes other players' species too, and spares those that never overpopulate."""
    state = act(
        make_feeding_state("FF5 6 | IN5 1", "WC5 8 | EXT IN6 9", **active_scenario_setup("EPI")),
        "forage A1 reef",
    )
    assert just_moved_to(state, "A1", "forage") == 4
    assert is_alive(state, "A1")
    assert not is_alive(state, "B1")
    assert is_alive(state, "B2")


def test_epizootic_does_not_prevent_a_contagious_outbreak() -> None:
    """A species that dies of overpopulation has harmed its neighbours as any other would."""
    rows = ("IN6 4 | SP5 SP6 7 | IN7 2", "IN5 9")
    state = make_feeding_state(*rows, scenarios=("OUT", "EPI"), zone_populations=(20, 0, 0, 20))
    state = act(state, "forage A2 reef")
    assert not is_alive(state, "A2")
    assert [just_moved_from(state, key, "OUT") for key in ("A1", "A3", "B1")] == [3, 2, 0]


# Degenerative Virus, Solar Radiation ----------------------------------------------------------------


def test_degenerative_virus_ages_one_own_species_again() -> None:
    """The active player picks one own species, and it ages a second time."""
    state = act(make_feeding_state("IN5 4 | IN6 4", "IN7 4", **active_scenario_setup("VIR")), "skip")
    assert legal_texts(state) == ("choose A1", "choose A2")
    state = act(state, "choose A2")
    assert [population(state, key) for key in ("A1", "A2", "B1")] == [3, 2, 4]
    assert state.score_piles[0] == 3


def test_degenerative_virus_can_kill() -> None:
    """Who can pay for one Aging but not for two dies out; an only species is not asked about."""
    state = act(make_feeding_state("IN5 1", "", **active_scenario_setup("VIR")), "skip")
    assert not is_alive(state, "A1")
    assert state.score_piles[0] == 1


def test_degenerative_virus_takes_the_whole_aging_again() -> None:
    """The second Aging takes as much as the first, whatever raises it."""
    state = act(
        make_feeding_state("SC5 9", "", cambrian_happened=True, **active_scenario_setup("VIR")), "skip"
    )
    assert state.score_piles[0] == 6


def test_an_inactive_degenerative_virus_ages_nothing_again() -> None:
    """While its zone holds water everything ages once and nobody is asked."""
    state = act(make_feeding_state("IN5 4 | IN6 4", "IN7 4", **inactive_scenario_setup("VIR")), "skip")
    assert [population(state, key) for key in ("A1", "A2")] == [3, 3]


def test_solar_radiation_takes_1_from_species_without_a_deep_trait() -> None:
    """After Aging the active player's species without a Deep trait lose 1 to the Reef; 0 stays 0."""
    rows = ("IN5 4 | GRA IN6 4 | IN7 1", "IN8 4")
    state = act(make_feeding_state(*rows, **active_scenario_setup("SOL")), "skip")
    assert [population(state, key) for key in ("A1", "A2", "A3", "B1")] == [2, 3, 0, 4]
    assert just_moved_to(state, "reef", "SOL") == 1
    assert (
        just_moved_to(act(make_feeding_state(*rows, **inactive_scenario_setup("SOL")), "skip"), "reef") == 0
    )


# Detritus -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("score", "paid_amount"), [(5, 2), (2, 2), (1, 1), (0, 0)])
def test_detritus_makes_a_migration_cost_2(score: int, paid_amount: int) -> None:
    """After a migration its player pays 2 to the Reef, as far as the score pile goes."""
    state = make_state("IN5 4", "", hands=("SP5",), score_piles=(score, 9), **active_scenario_setup("DET"))
    state = act(state, "migrate SP5 z3 z1")
    assert isinstance(state.position.agenda[-1], TakingFromScorePile)
    state = resolve_chance(state)
    assert just_moved_to(state, "reef", "DET") == paid_amount
    assert state.score_piles == (score - paid_amount, 9)


def test_detritus_follows_every_migration_and_nothing_else() -> None:
    """Two migrations cost 4; a card that evolves a species or is cast away costs nothing."""
    state = make_state(
        "IN5 4",
        "",
        hands=("SP5 SP6",),
        score_piles=(5,),
        plays_left=2,
        cambrian_happened=True,
        **active_scenario_setup("DET"),
    )
    assert play_line(state, "migrate SP5 z3 z1; migrate SP6 z3 reef").score_piles[0] == 1
    assert play_line(state, "create SP5 0; evolve SP6 A1").score_piles[0] == 5
    dry_ocean: dict[str, Any] = {
        "scenarios": ("INA", "DET"),
        "zone_populations": (0, 0, 0, 0),
        "end_triggered": True,
        "cambrian_happened": True,
    }
    state = play_line(make_state("IN5 4", "", hands=("SP5",), score_piles=(5,), **dry_ocean), "cast SP5")
    assert state.score_piles[0] == 5


def test_detritus_costs_nothing_if_its_own_zone_is_filled_or_emptied() -> None:
    """Neither filling its zone, which switches it off at once, nor emptying it is paid for."""
    state = make_state("IN5 4", "", hands=("SP5",), score_piles=(5,), **active_scenario_setup("DET"))
    assert play_line(state, "migrate SP5 z3 z2").score_piles[0] == 5
    assert play_line(state, "migrate SP5 z3 z1").score_piles[0] == 3
    state = make_state("IN5 4", "", hands=("SP5",), score_piles=(5,), **nearly_active_scenario_setup("DET"))
    assert play_line(state, "migrate SP5 z2 z3").score_piles[0] == 5


def test_an_inactive_detritus_leaves_migrations_free() -> None:
    """While its zone holds water a migration is free."""
    state = make_state("IN5 4", "", hands=("SP5",), score_piles=(5,), **inactive_scenario_setup("DET"))
    assert play_line(state, "migrate SP5 z3 z1").score_piles[0] == 5


# Thermal Currents -----------------------------------------------------------------------------------


def test_thermal_currents_let_a_card_of_the_gene_pool_be_evolved() -> None:
    """A Deep card may be evolved from the top of the Gene Pool, before the Cambrian Explosion too."""
    pool = ("BLU GRA", "KRA")
    state = make_state(
        "IN5 4", "", hands=("SY5 TUS",), score_piles=(1,), gene_pool=pool, **active_scenario_setup("THE")
    )
    deep_card_texts = {each for each in legal_texts(state) if is_deep(Card(each.split()[1]))}
    zones = ("reef", "z1", "z2", "z3")
    assert deep_card_texts == {
        f"{play_text} {zone}"
        for play_text in ("evolve GRA A1", "create GRA 0", "create GRA 1")
        for zone in zones
    }, "only the tops, only what can be paid for, and no card of the hand"
    state = play_line(state, "evolve GRA A1 z3")
    assert traits(state, "A1") == ("IN5", "GRA")
    assert state.score_piles[0] == 0
    assert state.position.zone_populations[3] == 21
    assert state.position.gene_pool == (("BLU",), ("KRA",))
    assert state.hands[0] == ("SY5", "TUS")


def test_thermal_currents_count_as_a_card_played() -> None:
    """The one card of the turn is played then, and a pile left empty gets a new card."""
    state = make_state(
        "IN5 4",
        "",
        hands=("SY5",),
        score_piles=(3,),
        gene_pool=("GRA", "KRA"),
        **active_scenario_setup("THE"),
    )
    state = play_line(state, "evolve GRA A1 z3; done")
    assert isinstance(state.position.agenda[-1], Feeding)
    assert len(state.position.gene_pool[0]) == 1
    assert state.position.gene_pool[0] != ("GRA",)


def test_thermal_currents_may_be_passed_with_an_empty_hand() -> None:
    """Without a card in hand the Gene Pool may be used, but need not."""
    state = make_state(
        "IN5 4", "", score_piles=(3,), gene_pool=("GRA", "KRA"), **active_scenario_setup("THE")
    )
    assert {"evolve GRA A1 z3", "done"} <= set(legal_texts(state))
    state = make_state(
        "IN5 4",
        "",
        hands=("SY5",),
        score_piles=(3,),
        gene_pool=("GRA", "KRA"),
        **active_scenario_setup("THE"),
    )
    assert "done" not in legal_texts(state), "a card that can be played is owed"
    state = make_state(
        "IN5 4",
        "",
        hands=("SY5",),
        gene_pool=("GRA", ""),
        plays_left=2,
        cambrian_happened=True,
        **active_scenario_setup("THE"),
    )
    state = act(state, "evolve SY5 A1")
    assert isinstance(state.position.agenda[-1], Playing), "a card is owed, and only the Gene Pool has one"
    assert isinstance(act(state, "done").position.agenda[-1], Feeding)


def test_thermal_currents_give_both_cards_of_a_turn() -> None:
    """With two cards to play both may come from the Gene Pool."""
    setup = active_scenario_setup("THE")
    state = make_state(
        "IN5 4",
        "",
        hands=("SY5",),
        score_piles=(9,),
        gene_pool=("GRA", "KRA"),
        plays_left=2,
        cambrian_happened=True,
        **setup,
    )
    state = play_line(state, "evolve GRA A1 z3; create KRA 0 z1")
    assert state.hands[0] == ("SY5",)
    assert state.score_piles[0] == 3


@pytest.mark.parametrize("cambrian_happened", [False, True])
def test_inactive_thermal_currents_leave_the_gene_pool_for_drawing(*, cambrian_happened: bool) -> None:
    """While its zone holds water the Gene Pool is for drawing only."""
    pool = ("BLU GRA", "KRA")
    state = make_state(
        "IN5 4",
        "",
        hands=("SY5",),
        score_piles=(9,),
        gene_pool=pool,
        cambrian_happened=cambrian_happened,
        **inactive_scenario_setup("THE"),
    )
    assert not [each for each in legal_texts(state) if "GRA" in each or "KRA" in each]
