"""Attackers that ignore what defends their target, and what still stops them."""

import pytest

from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    just_moved_from,
    just_moved_to,
    legal_attacks,
    legal_feedings,
    legal_texts,
    make_feeding_state,
    play_line,
    population,
)

# Advanced Eyes ------------------------------------------------------------------------------------


def test_advanced_eyes_ignores_a_defence_of_a_species_with_a_deep_trait_only() -> None:
    """Attack 2 gets past Inking where there is a Deep trait, and nowhere else."""
    state = make_feeding_state("ADV SP5 2", "GRA IN5 5 | IN6 5")
    assert legal_attacks(state) == ["attack A1 B1 IN5"]
    assert just_moved_from(act(state, "attack A1 B1 IN5"), "B1", "attack") == 2


def test_advanced_eyes_ignores_one_trait_and_no_more() -> None:
    """Attack 5 against Defence 6 and 4: without the 6 it takes 1, without the 4 nothing."""
    state = make_feeding_state("ADV MEG 2", "HAR IN5 9")
    assert legal_attacks(state) == ["attack A1 B1 HAR"]
    assert just_moved_from(act(state, "attack A1 B1 HAR"), "B1", "attack") == 1


@pytest.mark.parametrize("banning_trait", ["SCH", "GEN", "GOE", "TRA", "FLI"])
def test_advanced_eyes_gets_past_a_ban_on_attacks(banning_trait: str) -> None:
    """A limit on who may attack is a defensive trait, and may be a Deep one."""
    assert legal_attacks(make_feeding_state("ADV 2", f"{banning_trait} 8")) == [
        f"attack A1 B1 {banning_trait}"
    ]


def test_advanced_eyes_cannot_undo_two_bans() -> None:
    """One of two bans is left."""
    assert legal_attacks(make_feeding_state("ADV 2", "GEN SC5 8")) == []


def test_advanced_eyes_may_ignore_nothing() -> None:
    """To ignore nothing is offered too, and a trait that is not defensive is not."""
    assert legal_attacks(make_feeding_state("ADV MEG 2", "BLU DEF 9")) == ["attack A1 B1", "attack A1 B1 BLU"]


# Behemoth -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["GEN 8", "SC5 8", "TR5 8", "GOE 8", "FLI 8", "COL 8"])
def test_behemoth_ignores_bans_of_species_with_less_attack(target: str) -> None:
    """No ban keeps it off, if the target's Attack is below its own 3."""
    assert just_moved_from(act(make_feeding_state("BEH 2", target), "attack A1 B1"), "B1", "attack") == 3
    assert "attack A1 B1" not in legal_texts(make_feeding_state("AP5 2", target))


def test_behemoth_respects_the_ban_of_an_equal() -> None:
    """Attack 3 against Attack 3 or 5: the ban holds; with Speed it is 5 against 3."""
    assert "attack A1 B1" not in legal_texts(make_feeding_state("BEH 2", "SC5 AP5 8"))
    assert "attack A1 B1" not in legal_texts(make_feeding_state("BEH 2", "LEV 8"))
    assert (
        just_moved_from(act(make_feeding_state("BEH SP5 2", "SC5 AP5 8"), "attack A1 B1"), "B1", "attack")
        == 3
    )


def test_behemoth_attacks_the_strong_where_nothing_forbids_it() -> None:
    """Its text lifts bans and sets none; Defence counts as always."""
    assert "attack A1 B1" in legal_texts(make_feeding_state("BEH 2", "MEG 8"))
    assert "attack A1 B1" not in legal_texts(make_feeding_state("BEH 2", "SC5 IN5 8"))


# Bubble Net ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trait_text", "attack_value"),
    [
        ("BUB", 1),  # the usual Forage
        ("BUB FF5", 5),  # what forbids attacking does not count
        ("BUB SPE", 3),
        ("BUB CAV", 1),  # nor does an Attack of its own
        ("BUB DIV", 4),
        ("BUB SP5 SWA", 2),
        ("BUB PAC SP5", 2),  # what doubles Attack icons finds none
    ],
)
def test_bubble_net_makes_attack_the_same_as_forage(trait_text: str, attack_value: int) -> None:
    """Its own Attack icons and struck-out Attack are dropped."""
    assert (
        just_moved_from(act(make_feeding_state(f"{trait_text} 2", "9"), "attack A1 B1"), "B1", "attack")
        == attack_value
    )


def test_bubble_net_attacks_with_nothing_where_foraging_is_struck_out() -> None:
    """An Apex Predator never forages: it has no Forage to attack with."""
    assert not any(text.startswith("attack A1") for text in legal_texts(make_feeding_state("BUB AP5 2", "9")))


@pytest.mark.parametrize(("scenario_code", "attack_value"), [("LPR", 2), ("REE", 4)])
def test_bubble_net_goes_before_scenario_cards(scenario_code: str, attack_value: int) -> None:
    """Large Predators' icon is an Attack icon and dropped; Biodiverse Reef's makes its Forage larger."""
    state = make_feeding_state(
        "BUB SP5 2",
        "9",
        scenarios=(scenario_code, "INB"),
        zone_populations=EMPTY_ZONE_1,
        cambrian_happened=True,
    )
    assert just_moved_from(act(state, "attack A1 B1"), "B1", "attack") == attack_value


@pytest.mark.parametrize(
    ("target", "is_legal"),
    [("SC5 8", True), ("SCH 8", True), ("SC5 SCH 8", True), ("TR5 8", False), ("SC5 IN5 8", False)],
)
def test_bubble_net_ignores_schooling_alone(target: str, *, is_legal: bool) -> None:
    """Both kinds of Schooling; other bans and Defence keep it off."""
    assert ("attack A1 B1" in legal_texts(make_feeding_state("BUB SP5 2", target))) == is_legal
    assert "attack A1 B1" not in legal_texts(make_feeding_state("SP5 2", target))


# Cavitation Bullet --------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["HAR IN5 8", "GEN 8", "TR5 SC5 8", "9 | POI 3", "ABY 8"])
def test_cavitation_bullet_ignores_every_defensive_trait(target: str) -> None:
    """Defence, bans and a neighbour's ink: it takes its 2 all the same."""
    assert just_moved_from(act(make_feeding_state("CAV SY5 2", target), "attack A1 B1"), "B1", "attack") == 2


def test_cavitation_bullet_takes_no_more_than_2() -> None:
    """Attack 7 takes 2 with each attack."""
    state = act(make_feeding_state("CAV MEG TE5 2", "9"), "attack A1 B1")
    assert (population(state, "A1"), population(state, "B1")) == (4, 7)
    assert just_moved_from(act(state, "attack A1 B1"), "B1", "attack") == 2


def test_cavitation_bullet_is_stopped_by_what_is_no_trait() -> None:
    """Protective Shells is a Scenario card: with it Attack 2 takes nothing, Attack 4 takes 2."""
    weak_attacker_state = make_feeding_state(
        "CAV 2", "9", scenarios=("SHE", "INB"), zone_populations=EMPTY_ZONE_1
    )
    assert "attack A1 B1" not in legal_texts(weak_attacker_state)
    strong_attacker_state = make_feeding_state(
        "CAV SP5 2", "9", scenarios=("SHE", "INB"), zone_populations=EMPTY_ZONE_1, cambrian_happened=True
    )
    assert just_moved_from(act(strong_attacker_state, "attack A1 B1"), "B1", "attack") == 2


# Crushing Jaw -------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["HAR IN5 9", "9 | POI 3", "CAM SP6 9 | 3"])
def test_crushing_jaw_ignores_defence(target: str) -> None:
    """All Defence values, a neighbour's too."""
    assert just_moved_from(act(make_feeding_state("CRU SP5 2", target), "attack A1 B1"), "B1", "attack") == 2


def test_crushing_jaw_ignores_protective_shells_too() -> None:
    """It ignores all Defence values, from any source: the icon is the species' own."""
    state = make_feeding_state(
        "CRU 2", "9", scenarios=("SHE", "INB"), zone_populations=EMPTY_ZONE_1, cambrian_happened=True
    )
    assert just_moved_from(act(state, "attack A1 B1"), "B1", "attack") == 1
    assert "attack A1 B1" not in legal_texts(
        make_feeding_state("2", "9", scenarios=("SHE", "INB"), zone_populations=EMPTY_ZONE_1)
    )


@pytest.mark.parametrize("target", ["GEN 8", "SC5 8", "TR5 8", "GOE 8"])
def test_crushing_jaw_respects_bans(target: str) -> None:
    """A species that cannot be attacked stays safe."""
    assert "attack A1 B1" not in legal_texts(make_feeding_state("CRU SP5 2", target))


# Electroreception ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "offered_attacks"),
    [
        ("9", ["attack A1 B1"]),
        ("IN5 9", ["attack A1 B1 IN5"]),
        ("BLU 9", ["attack A1 B1", "attack A1 B1 BLU"]),
        ("SC5 9", ["attack A1 B1 SC5"]),
        ("SC5 IN5 9", []),  # two of them
        ("IN5 IN6 9", []),
        ("CAM 9 | 3", ["attack A1 B1 CAM", "attack A1 B2"]),
        ("TE5 DEF 9", ["attack A1 B1"]),  # nothing defensive
        ("9 | POI 3", ["attack A1 B1 POI", "attack A1 B2 POI"]),  # a neighbour's, and its own
        ("IN5 9 | POI 3", ["attack A1 B2 POI"]),  # two on B1
    ],
)
def test_electroreception_ignores_one_defensive_trait(target: str, offered_attacks: list[str]) -> None:
    """Any one, with or without a Deep trait on the target; never two."""
    assert [
        text for text in legal_feedings(make_feeding_state("ELE 2", target)) if "attack" in text
    ] == offered_attacks


def test_electroreception_and_advanced_eyes_ignore_one_each() -> None:
    """Two cards, two traits: the second only where there is a Deep trait."""
    assert "attack A1 B1 HAR,IN5" in legal_texts(make_feeding_state("ELE ADV 2", "HAR IN5 9"))
    assert legal_feedings(make_feeding_state("ELE ADV AP5 2", "IN5 IN6 9")) == ["attack A1 B1 IN5"]


# Stings of what is ignored ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "text", "lost_amount"),
    [
        ("ELE MEG 2", "attack A1 B1", 3),
        ("ELE MEG 2", "attack A1 B1 INK", 0),
        ("CAV SY5 2", "attack A1 B1", 0),  # ignores all defensive traits
        ("CRU MEG 2", "attack A1 B1", 3),  # ignores the Defence value alone
    ],
)
def test_an_ignored_deep_inking_does_not_sting(attacker: str, text: str, lost_amount: int) -> None:
    """An ignored trait does nothing to the attack; where only its Defence is ignored it stings (O28)."""
    assert just_moved_from(act(make_feeding_state(attacker, "INK 9"), text), "A1", "INK") == lost_amount


@pytest.mark.parametrize("sting", ["DEF", "NEU", "PSP"])
def test_a_sting_that_is_not_defensive_is_never_ignored(sting: str) -> None:
    """Cavitation Bullet ignores defensive traits alone (O28)."""
    state = act(make_feeding_state("CAV SY5 2", f"{sting} 9"), "attack A1 B1")
    assert just_moved_from(state, "A1", sting) > 0


def test_ignoring_a_sting_is_offered_where_it_changes_nothing_else() -> None:
    """With 1 space the attack takes 1 either way, but without the sting only if the trait is ignored."""
    attacks = legal_attacks(make_feeding_state("ELE MEG 9", "INK 9"))
    assert attacks == ["attack A1 B1", "attack A1 B1 INK"]


def test_burrower_ignores_a_sting() -> None:
    """If it takes as much either way, it ignores the trait that stings (O15, O28)."""
    state = act(make_feeding_state("INK 5", "9 | BUR ELE MEG 9"), "attack A1 B1")
    assert (just_moved_to(state, "B2", "attack"), just_moved_from(state, "B2", "INK")) == (1, 0)


# Gargantuan ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("population_before", "is_legal"), [(6, False), (7, True), (9, True)])
def test_gargantuan_attacks_large_populations_only(population_before: int, *, is_legal: bool) -> None:
    """7 or more."""
    assert ("attack A1 B1" in legal_texts(make_feeding_state("GAR 0", f"{population_before}"))) == is_legal


@pytest.mark.parametrize("target", ["GEN 8", "SC5 8", "TR5 8", "FLI 8", "COL 8"])
def test_gargantuan_ignores_bans(target: str) -> None:
    """It may attack what nobody may."""
    assert just_moved_from(act(make_feeding_state("GAR 0", target), "attack A1 B1"), "B1", "attack") == 8
    assert "attack A1 B1" not in legal_texts(make_feeding_state("MEG 0", target))


def test_gargantuan_is_weakened_by_defence() -> None:
    """Only bans are ignored."""
    assert just_moved_from(act(make_feeding_state("GAR 0", "SC5 IN5 8"), "attack A1 B1"), "B1", "attack") == 4


# The Kraken ---------------------------------------------------------------------------------------


def test_the_kraken_attacks_a_fourth_time_with_tentacled() -> None:
    """The Kraken adds two attacks and Tentacled one; it never forages."""
    state = make_feeding_state("KRA TE5 0 | 1", "9 | 3 | 1 | 2")
    state = act(state, "attack A1 B2")
    assert just_moved_to(state, "A1", "attack") == 3
    state = act(act(state, "attack A1 B3"), "attack A1 B4")
    assert not legal_texts(state, "forage")
    assert just_moved_to(act(state, "attack A1 B1"), "A1", "attack") == 4  # with Tentacled the fourth


def test_the_kraken_attacks_three_times() -> None:
    """After its third attack it is done."""
    state = play_line(make_feeding_state("KRA 0 | 1", "1 | 1 | 1 | 1"), "attack A1 B1; attack A1 B2")
    assert just_moved_to(act(state, "attack A1 B3"), "A", "aging") == 2


def test_the_kraken_has_attack_13() -> None:
    """Defence 12 does not stop it, Defence 13 and more does."""
    assert (
        just_moved_to(act(make_feeding_state("KRA 0", "IN5 IN6 IN7 DEN 15"), "attack A1 B1"), "A1", "attack")
        == 1
    )
    assert not legal_texts(make_feeding_state("KRA 0", "IN5 IN6 IN7 SP5 BLU 15"), "attack")


@pytest.mark.parametrize(
    ("prey", "is_legal"),
    [
        ("LEV 9", True),  # Attack 5
        ("GEN FF5 9", True),  # Forage 8
        ("GEN SP5 9", True),  # Forage 5
        ("GEN 9", False),  # Forage 3, no Attack
        ("SC5 9", False),
        ("SC5 SEA 9", True),
        ("ZOO 9", False),
    ],
)
def test_the_kraken_attacks_strong_species(prey: str, *, is_legal: bool) -> None:
    """It ignores the ban on attacks on species with Forage or Attack of 5 or more."""
    assert bool(legal_texts(make_feeding_state("KRA 0", prey), "attack")) == is_legal


# Tusks --------------------------------------------------------------------------------------------


def test_tusks_have_forage_2_attack_2_and_defence_5() -> None:
    """Forage 2, Attack 2, Defence 5."""
    assert just_moved_to(act(make_feeding_state("TUS 0", "9"), "forage A1 reef"), "A1", "forage") == 2
    assert just_moved_to(act(make_feeding_state("TUS 0", "9"), "attack A1 B1"), "A1", "attack") == 2
    assert just_moved_to(act(make_feeding_state("SEA 0", "TUS 9"), "attack A1 B1"), "A1", "attack") == 1
    assert not legal_texts(make_feeding_state("LEV 0", "TUS 9"), "attack")
