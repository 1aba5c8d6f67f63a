"""Species that cannot be attacked: which attackers each ban stops."""

import pytest

from tests.rules.oceans.positions import (
    EMPTY_REEF,
    act,
    just_moved_from,
    just_moved_to,
    legal_attacks,
    legal_texts,
    make_feeding_state,
    make_state,
    make_state_after_card_phase,
    population,
    traits,
)

# Abyss Dweller ------------------------------------------------------------------------------------


def test_abyss_dweller_attacks_only_species_without_a_surface_trait() -> None:
    """It may attack species with Deep traits or none; a single Surface trait stops it."""
    state = make_feeding_state("ABY 2", "GRA 5 | SY5 5 | 5 | BIO SY6 5")
    assert legal_attacks(state) == ["attack A1 B1", "attack A1 B3"]


def test_abyss_dweller_is_attacked_only_by_species_without_a_surface_trait() -> None:
    """The same in the other direction."""
    state = make_feeding_state("SY5 3 | GRA 3 | 3 | HAR SY6 3", "ABY 5")
    assert {text for text in legal_attacks(state) if text.endswith("B1")} == {"attack A2 B1", "attack A3 B1"}


@pytest.mark.parametrize("attacker", ["BEH SY5", "GAR SY5", "CAV SY5", "TRA SY5"])
def test_attackers_that_ignore_immunity_attack_abyss_dweller(attacker: str) -> None:
    """It limits who may attack, so what ignores that works on it: Behemoth, Gargantuan and the like."""
    assert "attack A1 B1" in legal_texts(make_feeding_state(f"{attacker} 2", "ABY 8"))


def test_abyss_dweller_may_be_the_one_defensive_trait_that_is_ignored() -> None:
    """Electroreception names it."""
    assert legal_attacks(make_feeding_state("ELE SY5 2", "ABY 8")) == ["attack A1 B1 ABY"]


@pytest.mark.parametrize("ignoring_trait", ["BEH", "CAV", "ELE", "TRA"])
def test_abyss_dwellers_own_restraint_cannot_be_ignored(ignoring_trait: str) -> None:
    """What ignores the target's defences does not let it attack a species with a Surface trait."""
    assert legal_attacks(make_feeding_state(f"ABY {ignoring_trait} 2", "SY5 8")) == []


def test_abyss_dweller_takes_further_deep_traits_for_nothing() -> None:
    """On it they cost nothing; on its neighbour, or as a new species, the full price."""
    state = make_state("ABY 3 | 3", "3", hands=("COM",), score_piles=(0,), cambrian_happened=True)
    assert [text for text in legal_texts(state) if text.startswith(("evolve", "create"))] == ["evolve COM A1"]
    after = act(state, "evolve COM A1")
    assert traits(after, "A1") == ("ABY", "COM")
    assert after.score_piles[0] == 0
    rich_state = make_state("ABY 3 | 3", "3", hands=("COM",), score_piles=(9,), cambrian_happened=True)
    assert "evolve COM A1 reef" not in legal_texts(rich_state)
    assert act(rich_state, "evolve COM A2 reef").score_piles[0] == 6


def test_abyss_dweller_itself_is_paid_for() -> None:
    """Only traits that join it later are free."""
    poor_state = make_state("3", "3", hands=("ABY",), score_piles=(0,), cambrian_happened=True)
    assert not any(text.startswith(("evolve", "create")) for text in legal_texts(poor_state))
    after_payment = act(
        make_state("3", "3", hands=("ABY",), score_piles=(1,), cambrian_happened=True), "evolve ABY A1 z1"
    )
    assert (after_payment.score_piles[0], after_payment.position.zone_populations[1]) == (0, 21)


def test_cthulhu_leech_on_an_abyss_dweller_is_free() -> None:
    """The trait that joins it is free, on a species of any owner."""
    state = make_state("3", "ABY 3", hands=("CTH",), score_piles=(0,), cambrian_happened=True)
    assert "evolve CTH B1" in legal_texts(state)
    assert "evolve CTH A1" not in legal_texts(state)


def test_abyss_dweller_takes_traits_out_of_the_gene_pool_for_nothing() -> None:
    """Thermal Currents: what is evolved from there costs nothing either."""
    state = make_state(
        "ABY 3 | 3", "3", gene_pool=("COM", ""), scenarios=("INA", "THE"), zone_populations=(20, 20, 0, 20)
    )
    assert [text for text in legal_texts(state) if "COM" in text] == ["evolve COM A1"]


# Colossus -----------------------------------------------------------------------------------------


def test_colossus_may_take_less_than_its_forage() -> None:
    """Anything from 1 to all that fits; nobody else may."""
    offered_texts = [
        text for text in legal_texts(make_feeding_state("COL 6", "5")) if text.startswith("forage")
    ]
    assert offered_texts == ["forage A1 reef"] + [f"forage A1 reef {amount}" for amount in (3, 2, 1)]
    assert just_moved_from(act(make_feeding_state("COL 6", "5"), "forage A1 reef 3"), "reef", "forage") == 3
    assert [text for text in legal_texts(make_feeding_state("FF5 6", "5")) if "forage" in text] == [
        "forage A1 reef"
    ]


def test_colossus_takes_less_and_still_has_its_forage() -> None:
    """Whale Cleaner looks at the value, not at what was taken."""
    assert just_moved_to(act(make_feeding_state("COL 6", "WC5 2"), "forage A1 reef 1"), "B1", "WC5") == 3


@pytest.mark.parametrize(
    ("attacker", "target", "is_legal"),
    [
        ("MEG SP5 SP6 0", "COL 8", False),  # 9 against 11
        ("MEG SP5 SP6 SP7 0", "COL 8", True),  # 11 against 11
        ("MEG SP5 SP6 SP7 0", "COL SP8 8", False),  # 11 against 13
        ("0", "COL AP5 8", False),  # no ban: it never forages. But Defence 2 saves all of 1
        ("AP6 0", "COL AP5 8", True),
        ("GAR 0", "COL 8", True),  # ignores bans
    ],
)
def test_colossus_is_safe_from_attack_below_its_forage(attacker: str, target: str, *, is_legal: bool) -> None:
    """An Attack that equals its Forage is enough; a Forage that is struck out protects nothing."""
    assert ("attack A1 B1" in legal_texts(make_feeding_state(attacker, target))) == is_legal


# Flight -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "is_legal"), [("SP5 2", True), ("SPE 2", True), ("MEG 2", False), ("2", False)]
)
def test_flight_is_attacked_by_speed_only(attacker: str, *, is_legal: bool) -> None:
    """Either Speed; no Attack is large enough without."""
    assert ("attack A1 B1" in legal_texts(make_feeding_state(attacker, "FLI 8"))) == is_legal


@pytest.mark.parametrize(
    ("target", "taken_amount"),
    [
        ("SC5 9", 5),
        ("IN5 IN6 9", 5),
        ("SC5 IN5 9", 5),
        ("TR5 9", 0),
        ("AP5 9", 3),
        ("GRA SC5 9", 0),
        ("GRA IN5 9", 1),
        ("SCH 9", 0),
        ("INK 9", 1),
    ],
)
def test_flight_ignores_schooling_and_inking_where_there_is_no_deep_trait(
    target: str, taken_amount: int
) -> None:
    """Attack 5; a Deep trait on the target, Schooling and Inking themselves too, undoes it."""
    state = make_feeding_state("FLI MEG 2", target)
    is_offered = "attack A1 B1" in legal_texts(state)
    assert (just_moved_from(act(state, "attack A1 B1"), "B1", "attack") if is_offered else 0) == taken_amount


# Goethite Exoskeleton -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "is_legal"),
    [("MEG ROW 0", False), ("MEG SP5 SP6 0", True), ("KRA 0", True), ("MEG PAC 0", True), ("BEH 0", True)],
)
def test_goethite_exoskeleton_needs_attack_9(attacker: str, *, is_legal: bool) -> None:
    """8 is not enough, 9 is; who ignores bans needs neither."""
    assert ("attack A1 B1" in legal_texts(make_feeding_state(attacker, "GOE 8"))) == is_legal


def test_goethite_exoskeleton_does_not_keep_leeches_off() -> None:
    """It limits attacks, nothing else."""
    assert population(act(make_state("PA5 2", "GOE 8", plays_left=0), "done"), "B1") == 6


# Gentle Giant -------------------------------------------------------------------------------------


def test_gentle_giant_cannot_be_attacked() -> None:
    """Only attackers that ignore bans may attack it; leeches reach it."""
    assert not any("B1" in text for text in legal_texts(make_feeding_state("MEG SP5 2", "GEN 3")))
    assert population(act(make_state("PA5 2", "GEN 8", plays_left=0), "done"), "B1") == 6


# Leviathan ----------------------------------------------------------------------------------------


def test_leviathan_attacks_with_5_never_forages_and_ages_1_more() -> None:
    """It attacks with 5, never forages and ages 1 more."""
    state = make_feeding_state("LEV 3", "9")
    assert legal_texts(state) == ("attack A1 B1", "skip")
    state = act(state, "attack A1 B1")
    assert (just_moved_to(state, "A1", "attack"), just_moved_to(state, "A", "aging")) == (5, 2)


@pytest.mark.parametrize(
    ("attacker", "is_legal"),
    [
        ("APX AP5 AP6", False),
        ("KRA", True),  # Leviathan's Attack is 5
        ("BEH", False),  # Behemoth's Attack is 3, not the higher one
        ("BEH AP5", True),
        ("TRA SP5", True),  # the ban comes from a Deep trait
        ("ELE", True),  # ignores one defensive trait
    ],
)
def test_only_attackers_that_ignore_bans_attack_leviathan(attacker: str, *, is_legal: bool) -> None:
    """Nobody may, except attackers that ignore bans."""
    offered_texts = [
        text
        for text in legal_texts(make_feeding_state(f"{attacker} 2", "LEV 9"))
        if text.startswith("attack A1 B1")
    ]
    assert bool(offered_texts) == is_legal


# Deep Schooling -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "population_before", "attack_count"), [("AP5", 5, 0), ("AP5", 4, 1), ("BUB SP5", 5, 1)]
)
def test_only_bubble_net_attacks_deep_schooling_of_5(
    attacker: str, population_before: int, attack_count: int
) -> None:
    """With 5 or more, only Bubble Net, which ignores Schooling of either kind, may attack it."""
    assert (
        len(legal_texts(make_feeding_state(f"{attacker} 1", f"SCH {population_before}"), "attack"))
        == attack_count
    )


# Tiny ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "is_legal"),
    [("BF5", True), ("SP5", False), ("AP5", False), ("BEH", True), ("TRA SP5", True)],
)
def test_tiny_is_safe_from_attack_2(attacker: str, *, is_legal: bool) -> None:
    """Only Attack 1 reaches it, or who ignores such bans."""
    assert bool(legal_texts(make_feeding_state(f"{attacker} 1", "TIN 9"), "attack")) == is_legal


@pytest.mark.parametrize(
    ("row", "card", "stays"),
    [
        ("TIN IN5 1", "SP5", True),  # Forage 2 and Attack 2 are not more than 2
        ("TIN SP6 1", "SP5", False),  # 4
        ("TIN 1", "AP5", False),  # Attack 3
        ("TIN 1", "FF5", False),  # Forage 5
    ],
)
def test_tiny_leaves_what_grows(row: str, card: str, *, stays: bool) -> None:
    """As soon as Forage or Attack is more than 2, Tiny is out of the game."""
    state = act(make_state(row, "1", hands=(card,)), f"evolve {card} A1")
    assert ("TIN" in traits(state, "A1")) == stays
    assert ("TIN" in state.position.out_of_game) == (not stays)


def test_tiny_leaves_a_strong_species_at_once() -> None:
    """Put on a species that is too strong it is paid and gone at once."""
    state = make_state("AP5 1", "1", hands=("TIN",), cambrian_happened=True, score_piles=(3,))
    state = act(state, "evolve TIN A1 reef")
    assert traits(state, "A1") == ("AP5",)
    assert state.score_piles[0] == 2


def test_tiny_leaves_in_anybodys_turn() -> None:
    """A Scenario card that raises values is enough; swarms grow out of it by eating."""
    state = make_state(
        "1", "TIN SP5 4", hands=("IN5",), zone_populations=(20, 3, 20, 20), scenarios=("REE", "INB")
    )
    assert "TIN" not in traits(act(state, "migrate IN5 z1 reef"), "B1")
    state = make_state(
        "1", "TIN 4", hands=("IN5",), zone_populations=(20, 3, 20, 20), scenarios=("REE", "INB")
    )
    assert "TIN" in traits(act(state, "migrate IN5 z1 reef"), "B1")  # the icon replaces the usual 1
    assert "TIN" in traits(act(make_feeding_state("TIN SWA 1", "9"), "forage A1 reef"), "A1")
    assert "TIN" not in traits(act(make_feeding_state("TIN SWA 2", "9"), "forage A1 reef"), "A1")


# Transparent --------------------------------------------------------------------------------------


def test_deep_transparent_hides_while_the_reef_holds() -> None:
    """No attack and no leech, until the Reef is empty."""
    assert not legal_texts(make_feeding_state("AP5 1", "TRA 5"), "attack")
    assert legal_texts(make_feeding_state("AP5 1", "TRA 5", zone_populations=EMPTY_REEF), "attack")
    assert just_moved_to(make_state_after_card_phase("PA5 1", "TRA 5"), "A1", "PA5") == 0
    assert (
        just_moved_to(make_state_after_card_phase("PA5 1", "TRA 5", zone_populations=EMPTY_REEF), "A1", "PA5")
        == 2
    )


@pytest.mark.parametrize(
    ("prey", "is_legal"),
    [
        ("LEV 9", True),
        ("SCH 9", True),
        ("FLI 9", True),
        ("GOE 9", True),
        ("ABY 9", True),  # what keeps Surface traits off is a Deep trait
        ("SC5 9", False),  # a Surface trait's ban
        ("TR6 9", False),
        ("SCH SC5 9", False),
        ("LEV IN5 9", False),  # Defence 4 counts
        ("LEV SP6 9", True),
    ],
)
def test_deep_transparent_sees_past_deep_bans(prey: str, *, is_legal: bool) -> None:
    """It ignores what Deep traits forbid, not what Surface traits forbid, and no Defence."""
    assert bool(legal_texts(make_feeding_state("TRA AP5 1", prey), "attack")) == is_legal
    if "SP6" in prey:
        assert just_moved_to(act(make_feeding_state("TRA AP5 1", prey), "attack A1 B1"), "A1", "attack") == 1
