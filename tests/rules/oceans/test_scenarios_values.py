"""Scenario cards that change numbers: Forage, Attack, Defence, gains, spaces, slots, aging."""

import pytest

from rules.oceans.rules import State
from rules.oceans.steps import PlacingOverflow
from tests.rules.oceans.positions import (
    ScenarioSetupMaker,
    act,
    active_scenario_setup,
    inactive_scenario_setup,
    is_alive,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    nearly_active_scenario_setup,
    play_line,
    population,
    traits,
)


def forage_amount(state: State) -> int:
    """Return how much A1 takes by foraging; 0 if it cannot."""
    return (
        just_moved_to(act(state, "forage A1 reef"), "A1", "forage")
        if "forage A1 reef" in legal_texts(state)
        else 0
    )


def attack_amount(state: State) -> int:
    """Return how much A1 takes by attacking B1; 0 if it cannot."""
    return (
        just_moved_to(act(state, "attack A1 B1"), "A1", "attack")
        if "attack A1 B1" in legal_texts(state)
        else 0
    )


def aging_score(state: State) -> int:
    """Return how much seat A scores in the Aging phase that follows."""
    return just_moved_to(act(state, "skip"), "A", "aging")


# Gain -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make_scenario_setup", "gain"), [(active_scenario_setup, 3), (inactive_scenario_setup, 2)]
)
def test_abundance_raises_every_gain_value(make_scenario_setup: ScenarioSetupMaker, gain: int) -> None:
    """Each Gain value is 1 higher while the zone is dry; a trait without one gains nothing."""
    state = act(
        make_feeding_state("AP5 2", "SH5 8 | BF5 1 | IN5 2", **make_scenario_setup("ABU")), "attack A1 B1"
    )
    assert [just_moved_to(state, key) for key in ("B1", "B2", "B3")] == [gain, gain, 0]


def test_abundance_counts_each_copy() -> None:
    """Two copies of a trait have a Gain value each, so both are raised."""
    state = act(
        make_feeding_state("AP5 2", "IN5 9 | BF5 BF6 0 | IN6 2", **active_scenario_setup("LPR")),
        "attack A1 B1",
    )
    assert just_moved_to(state, "B2") == 4
    state = make_feeding_state("AP5 AP6 2", "IN5 9 | BF5 BF6 0 | IN6 2", **active_scenario_setup("ABU"))
    assert just_moved_to(act(state, "attack A1 B1"), "B2") == 6


def test_abundance_is_about_traits() -> None:
    """What a Scenario card lets a species gain is no trait's Gain value: Fertile still brings 2."""
    state = make_state(
        "",
        "",
        hands=("WC5",),
        scenarios=("FER", "ABU"),
        zone_populations=(20, 0, 0, 20),
        cambrian_happened=True,
    )
    assert just_moved_to(act(state, "create WC5 0"), "A1") == 2


# Forage and Attack ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("species", "usual_amount", "raised_amount"),
    [("IN5 0", 1, 2), ("0", 1, 2), ("FF5 0", 5, 7), ("SP5 SP6 0", 4, 6), ("AP5 0", 0, 0)],
)
def test_biodiverse_reef_adds_a_forage_icon_of_2(species: str, usual_amount: int, raised_amount: int) -> None:
    """One more Forage icon of 2: it is added, or replaces the usual 1, and does not undo a ban."""
    assert (
        forage_amount(make_feeding_state(f"{species} | IN6 2", "", **inactive_scenario_setup("REE")))
        == usual_amount
    )
    assert (
        forage_amount(make_feeding_state(f"{species} | IN6 2", "", **active_scenario_setup("REE")))
        == raised_amount
    )


def test_biodiverse_reef_is_for_everybody() -> None:
    """It counts for all species: a lone cleaner of another player sees a Forage of 3 or more."""
    after = act(make_feeding_state("SP5 0", "WC5 0", **active_scenario_setup("REE")), "forage A1 reef")
    assert just_moved_to(after, "B1") == 3
    assert (
        just_moved_to(
            act(make_feeding_state("SP5 0", "WC5 0", **inactive_scenario_setup("REE")), "forage A1 reef"),
            "B1",
        )
        == 0
    )


@pytest.mark.parametrize(
    ("species", "usual_amount", "raised_amount"),
    [("IN5 0", 1, 2), ("0", 1, 2), ("AP5 0", 3, 5), ("SP5 SP6 0", 4, 6), ("FF5 0", 0, 0)],
)
def test_large_predators_add_an_attack_icon_of_2(species: str, usual_amount: int, raised_amount: int) -> None:
    """One more Attack icon of 2: it is added, or replaces the usual 1, and does not undo a ban."""
    assert (
        attack_amount(make_feeding_state(species, "SY5 9", **inactive_scenario_setup("LPR"))) == usual_amount
    )
    assert (
        attack_amount(make_feeding_state(species, "SY5 9", **active_scenario_setup("LPR"))) == raised_amount
    )


def test_pack_hunting_does_not_double_large_predators() -> None:
    """Pack Hunting doubles the icons on its own traits only."""
    state = make_feeding_state("PAC SP5 0", "SY5 9", **active_scenario_setup("LPR"))
    assert attack_amount(state) == 6


@pytest.mark.parametrize(
    ("species", "usual_amount", "lowered_amount"),
    [("IN5 0", 1, 1), ("FF5 0", 5, 4), ("SP5 SP6 0", 4, 2), ("AP5 0", 0, 0), ("LIV 0", 2, 1)],
)
def test_snowball_earth_lowers_each_forage_icon(species: str, usual_amount: int, lowered_amount: int) -> None:
    """Each Forage icon counts 1 less; the 1 of a species without any is no icon, and a ban stays a ban."""
    assert (
        forage_amount(make_feeding_state(f"{species} | IN6 2", "", **inactive_scenario_setup("SNO")))
        == usual_amount
    )
    assert (
        forage_amount(make_feeding_state(f"{species} | IN6 2", "", **active_scenario_setup("SNO")))
        == lowered_amount
    )


@pytest.mark.parametrize(
    ("species", "usual_amount", "lowered_amount"),
    [("IN5 0", 1, 1), ("AP5 0", 3, 2), ("SP5 SP6 0", 4, 2), ("SP5 AP5 0", 5, 3), ("FF5 0", 0, 0)],
)
def test_snowball_earth_lowers_each_attack_icon(species: str, usual_amount: int, lowered_amount: int) -> None:
    """Each Attack icon counts 1 less; the 1 of a species without any is no icon, and a ban stays a ban."""
    assert (
        attack_amount(make_feeding_state(species, "SY5 9", **inactive_scenario_setup("SNO"))) == usual_amount
    )
    assert (
        attack_amount(make_feeding_state(species, "SY5 9", **active_scenario_setup("SNO"))) == lowered_amount
    )


def test_snowball_earth_does_not_lower_the_icon_of_biodiverse_reef() -> None:
    """The icon of a Scenario card is on no trait, so it does not shrink."""
    state = make_feeding_state("SP5 0 | IN6 2", "", scenarios=("REE", "SNO"), zone_populations=(20, 0, 0, 20))
    assert forage_amount(state) == 3


@pytest.mark.parametrize(
    ("make_scenario_setup", "loss"), [(active_scenario_setup, 1), (inactive_scenario_setup, 3)]
)
def test_protective_shells_save_2_more(make_scenario_setup: ScenarioSetupMaker, loss: int) -> None:
    """Every species saves 2 more of what an attack would take."""
    assert attack_amount(make_feeding_state("AP5 0", "SY5 9", **make_scenario_setup("SHE"))) == loss


def test_protective_shells_add_to_other_defence() -> None:
    """They add to the Defence of traits, for the active player's own species as well."""
    assert attack_amount(make_feeding_state("AP5 AP6 0", "IN5 9", **inactive_scenario_setup("SHE"))) == 2
    assert attack_amount(make_feeding_state("AP5 AP6 0", "IN5 9", **active_scenario_setup("SHE"))) == 0
    assert "attack A1 A2" not in legal_texts(
        make_feeding_state("SP5 0 | SY5 9", "SY6 9", **active_scenario_setup("SHE"))
    )


def test_protective_shells_are_a_defence_value_but_no_trait() -> None:
    """Who ignores all Defence values ignores them; who ignores defensive traits does not."""
    assert attack_amount(make_feeding_state("CRU SP5 0", "SY5 9", **active_scenario_setup("SHE"))) == 2
    assert attack_amount(make_feeding_state("CAV SP5 0", "IN5 9", **active_scenario_setup("SHE"))) == 2
    assert attack_amount(make_feeding_state("CAV 0", "IN5 9", **active_scenario_setup("SHE"))) == 0


# Where and whom -------------------------------------------------------------------------------------


def test_long_haul_migration_lets_every_species_forage_in_the_ocean() -> None:
    """Every species may forage in one Ocean zone instead of the Reef, but not in a dry one."""
    state = make_feeding_state("SP5 0 | IN6 2", "", scenarios=("INA", "LHM"), zone_populations=(0, 20, 0, 1))
    assert [each for each in legal_texts(state) if each.startswith("forage A1")] == [
        "forage A1 z1",
        "forage A1 z3",
    ]
    after = act(state, "forage A1 z3")
    assert just_moved_to(after, "A1", "forage") == 1, "one forage takes from one zone"
    assert after.position.zone_populations == (0, 20, 0, 0)


def test_an_inactive_long_haul_migration_leaves_foraging_to_the_reef() -> None:
    """While its zone holds water species forage in the Reef only."""
    state = make_feeding_state("SP5 0 | IN6 2", "", **inactive_scenario_setup("LHM"))
    assert [each for each in legal_texts(state) if each.startswith("forage")] == [
        "forage A1 reef",
        "forage A2 reef",
    ]


def test_long_haul_migration_lifts_no_ban() -> None:
    """Where it may forage says nothing of whether it may."""
    assert not [
        each
        for each in legal_texts(make_feeding_state("AP5 0", "SY5 9", **active_scenario_setup("LHM")))
        if "forage" in each
    ]


@pytest.mark.parametrize(
    ("target", "is_immune"),
    [("SY5 9", False), ("BEH 9", False), ("GIS 9", True), ("FF5 9", True), ("AP5 9", False)],
)
def test_evolutionary_arms_race_forbids_attacks_on_stronger_species(target: str, *, is_immune: bool) -> None:
    """No attack on a species whose Forage or Attack is above the attacker's Attack; equal will do."""
    assert (
        "attack A1 B1" in legal_texts(make_feeding_state("AP6 0", target, **active_scenario_setup("EAR")))
    ) != is_immune
    assert "attack A1 B1" in legal_texts(
        make_feeding_state("AP6 AP7 0", target, **active_scenario_setup("EAR"))
    )


def test_an_inactive_arms_race_forbids_no_attack() -> None:
    """While its zone holds water the weak may attack the strong."""
    assert "attack A1 B1" in legal_texts(
        make_feeding_state("IN5 0", "FF5 9", **inactive_scenario_setup("EAR"))
    )


# Spaces and overpopulation ---------------------------------------------------------------------------


def test_contagious_proximity_shrinks_boards() -> None:
    """A board holds 7, and the seventh space overpopulates; without the card the same meal is harmless."""
    state = act(make_feeding_state("SP5 SP6 5 | IN5 2", "", **active_scenario_setup("PRX")), "forage A1 reef")
    assert population(state, "A1") == 7
    assert isinstance(state.position.agenda[-1], PlacingOverflow)
    assert population(act(state, "spill reef"), "A1") == 5 - 1, "back to 5, then Aging"
    state = act(
        make_feeding_state("SP5 SP6 5 | IN5 2", "", **inactive_scenario_setup("PRX")), "forage A1 reef"
    )
    assert not isinstance(state.position.agenda[-1], PlacingOverflow)


def test_contagious_proximity_finds_boards_full() -> None:
    """When it becomes active, species with 7 or more overpopulate at once, and no others."""
    state = make_state(
        "IN5 6 | IN6 2", "IN7 7 | IN8 9", hands=("SP5",), **nearly_active_scenario_setup("PRX")
    )
    after = act(state, "migrate SP5 z2 z3")
    assert [population(after, key) for key in ("A1", "A2", "B1", "B2")] == [6, 2, 5, 5]


def test_contagious_proximity_spares_those_who_never_overpopulate() -> None:
    """A board that holds more than it has room for keeps it and takes no more."""
    state = act(
        make_state("FF5 9 | IN5 2", "", hands=("SP5",), **nearly_active_scenario_setup("PRX")),
        "migrate SP5 z2 z3",
    )
    assert population(state, "A1") == 9
    assert "forage A1 reef" not in legal_texts(state)


def test_prosperity_widens_boards() -> None:
    """A board holds 19; the nineteenth space overpopulates, and 5 stay as always."""
    assert forage_amount(make_feeding_state("SP5 SP6 8 | IN5 2", "", **active_scenario_setup("PRO"))) == 4
    assert forage_amount(make_feeding_state("SP5 SP6 8 | IN5 2", "", **inactive_scenario_setup("PRO"))) == 2
    state = act(
        make_feeding_state("SP5 SP6 16 | IN5 2", "", **active_scenario_setup("PRO")), "forage A1 reef"
    )
    assert population(state, "A1") == 19
    assert just_moved_to(act(state, "spill z1"), "z1", "overflow") == 14


def test_boards_shrink_when_prosperity_ends() -> None:
    """When its zone is filled again, species with 10 or more fall back to 5."""
    state = make_state("IN5 15 | IN6 9", "", hands=("SP5",), **active_scenario_setup("PRO"))
    state = act(state, "migrate SP5 z3 z2")
    assert just_moved_to(act(state, "spill reef"), "reef", "overflow") == 10


def test_pathogenic_immunity_prevents_overpopulation() -> None:
    """Nobody overpopulates: the last space stays full, in one's own turn and in another's."""
    state = act(
        make_feeding_state("SP5 SP6 8 | IN5 2", "WC5 9", **active_scenario_setup("IMM")), "forage A1 reef"
    )
    assert just_moved_to(state, "A1", "forage") == 2
    assert just_moved_to(state, "B1", "WC5") == 1
    assert population(state, "B1") == 10
    assert not isinstance(state.position.agenda[-1], PlacingOverflow)
    assert just_moved_to(state, "A", "aging") == 2, "Aging has come and gone"
    assert population(state, "A1") == 9


def test_an_inactive_pathogenic_immunity_prevents_no_overpopulation() -> None:
    """While its zone holds water full boards overpopulate, and at once when it is filled again."""
    state = act(
        make_feeding_state("SP5 SP6 8 | IN5 2", "", **inactive_scenario_setup("IMM")), "forage A1 reef"
    )
    assert isinstance(state.position.agenda[-1], PlacingOverflow)
    state = act(
        make_state("IN5 10 | IN6 2", "IN7 10", hands=("SP5",), **active_scenario_setup("IMM")),
        "migrate SP5 z3 z2",
    )
    assert population(state, "A1") == 10
    state = act(state, "spill z1")
    assert [population(state, key) for key in ("A1", "B1")] == [5, 5]


# Slots ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make_scenario_setup", "fits"), [(active_scenario_setup, True), (inactive_scenario_setup, False)]
)
def test_genetic_diversity_allows_a_fourth_trait(
    make_scenario_setup: ScenarioSetupMaker, *, fits: bool
) -> None:
    """A species may have a fourth trait."""
    state = make_state("IN5 IN6 IN7 2", "", hands=("IN8",), **make_scenario_setup("GDI"))
    assert ("evolve IN8 A1" in legal_texts(state)) == fits


def test_genetic_diversity_allows_no_fifth() -> None:
    """One more slot, not two; what the new card adds counts as always."""
    state = make_state("IN5 IN6 IN7 SY5 2", "", hands=("IN8 SP5",), **active_scenario_setup("GDI"))
    assert "evolve IN8 A1" not in legal_texts(state)
    assert "evolve SP5 A1" in legal_texts(state)


def test_a_fourth_trait_goes_when_genetic_diversity_ends() -> None:
    """When its zone is filled again the active player chooses what goes; of others the newest trait goes."""
    rows = ("IN5 SY5 IN7 SY6 2", "IN6 SY7 SY8 IN8 2")
    state = act(make_state(*rows, hands=("SP5",), **active_scenario_setup("GDI")), "migrate SP5 z3 z2")
    assert set(legal_texts(state)) == {f"drop A1 {card}" for card in ("IN5", "SY5", "IN7", "SY6")}
    state = act(state, "drop A1 SY5")
    assert traits(state, "A1") == ("IN5", "IN7", "SY6")
    assert traits(state, "B1") == ("IN6", "SY7", "SY8")


@pytest.mark.parametrize(
    ("make_scenario_setup", "fits"), [(active_scenario_setup, False), (inactive_scenario_setup, True)]
)
def test_shallow_gene_pool_allows_two_traits(make_scenario_setup: ScenarioSetupMaker, *, fits: bool) -> None:
    """A species may have two traits only."""
    state = make_state("IN5 IN6 2", "", hands=("IN8",), **make_scenario_setup("SGP"))
    assert ("evolve IN8 A1" in legal_texts(state)) == fits


def test_shallow_gene_pool_removes_third_traits() -> None:
    """When it becomes active, third traits go at once; a species with a slot of its own keeps three."""
    rows = ("IN5 SY5 IN7 2 | SP6 IN9 SY9 2", "IN6 SY7 SY8 2")
    state = act(make_state(*rows, hands=("SP5",), **nearly_active_scenario_setup("SGP")), "migrate SP5 z2 z3")
    state = act(state, "drop A1 IN5")
    assert traits(state, "A1") == ("SY5", "IN7")
    assert traits(state, "A2") == ("SP6", "IN9", "SY9")
    assert traits(state, "B1") == ("IN6", "SY7")


def test_slot_cards_cancel_out() -> None:
    """Genetic Diversity and Shallow Gene Pool together leave three slots."""
    state = make_state(
        "IN5 IN6 2", "", hands=("IN8",), scenarios=("GDI", "SGP"), zone_populations=(20, 0, 0, 20)
    )
    assert "evolve IN8 A1" in legal_texts(state)
    state = make_state(
        "IN5 IN6 IN7 2", "", hands=("IN8",), scenarios=("GDI", "SGP"), zone_populations=(20, 0, 0, 20)
    )
    assert "evolve IN8 A1" not in legal_texts(state)


# Aging ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("code", "extra_aging"), [("INA", 1), ("INB", 1), ("INC", 2), ("HOE", 3)])
def test_harsh_environments_raise_aging(code: str, extra_aging: int) -> None:
    """The active player's species age more while the zone is dry, before and after the Cambrian Explosion."""
    rows = ("IN5 7 | SC5 8", "IN6 7")
    assert aging_score(make_feeding_state(*rows, **inactive_scenario_setup(code))) == 1 + 2
    assert (
        aging_score(make_feeding_state(*rows, **active_scenario_setup(code)))
        == 1 + extra_aging + 2 + extra_aging
    )
    assert (
        aging_score(make_feeding_state(*rows, cambrian_happened=True, **active_scenario_setup(code)))
        == 2 + extra_aging + 3 + extra_aging
    )
    assert population(act(make_feeding_state(*rows, **active_scenario_setup(code)), "skip"), "B1") == 7


def test_harsh_environments_add_up() -> None:
    """Two such cards stack."""
    state = make_feeding_state("IN5 7", "", scenarios=("INC", "HOE"), zone_populations=(20, 0, 0, 20))
    assert aging_score(state) == 1 + 2 + 3


def test_harsh_environments_kill_species_that_cannot_pay() -> None:
    """Who cannot give all that is due dies out; who can just so lives on."""
    after = act(make_feeding_state("IN5 2 | IN6 3", "", **active_scenario_setup("INC")), "skip")
    assert not is_alive(after, "A1")
    assert population(after, "A2") == 0
    assert after.score_piles[0] == 5


def test_traits_with_their_own_aging_are_stronger() -> None:
    """Gigantic Brain ages its traits and Telomere Repair nothing, whatever the Scenario card says."""
    assert aging_score(make_feeding_state("GIB IN5 IN6 7", "", **active_scenario_setup("INC"))) == 3
    assert aging_score(make_feeding_state("TEL 7", "", **active_scenario_setup("INC"))) == 0
    assert (
        play_line(
            make_feeding_state("TEL 3", "", **active_scenario_setup("INC")), "skip"
        ).position.zone_populations[1]
        == 18
    )
