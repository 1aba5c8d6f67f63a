"""Deep traits that gain: what triggers each and what does not."""

import pytest

from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    just_moved_from,
    just_moved_to,
    make_feeding_state,
    make_state,
    make_state_after_card_phase,
    play_line,
    population,
)

# Bioluminescence ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "line", "key"),
    [
        (("BIO 3 | 3", "3"), "evolve HAR A2 reef", "A1"),
        (("BIO 3", "3"), "create HAR 1 reef", "A1"),
        (("BIO 3", "3"), "evolve HAR A1 reef", "A1"),
        (("3", "BIO 3"), "evolve HAR A1 reef", "B1"),
    ],
)
def test_bioluminescence_gains_when_any_species_gets_a_deep_trait(
    rows: tuple[str, str], line: str, key: str
) -> None:
    """Any species, old or new, of any player."""
    state = act(make_state(*rows, hands=("HAR",), score_piles=(5,), cambrian_happened=True), line)
    assert just_moved_to(state, key, "BIO") == 1


@pytest.mark.parametrize(("line", "key"), [("evolve BIO A1 reef", "A1"), ("create BIO 1 reef", "A2")])
def test_bioluminescence_reacts_to_its_own_arrival(line: str, key: str) -> None:
    """It is a Deep trait itself, and a trait acts at once."""
    state = act(make_state("3", "3", hands=("BIO",), score_piles=(5,), cambrian_happened=True), line)
    assert just_moved_to(state, key, "BIO") == 1


@pytest.mark.parametrize("line", ["evolve SY5 A2", "create SY5 0", "migrate SY5 z1 z2", "migrate HAR z1 z2"])
def test_bioluminescence_is_idle_without_a_deep_trait_put_down(line: str) -> None:
    """Surface traits do nothing to it, and a Deep card that migrates is no trait."""
    state = act(
        make_state("BIO 3 | 3", "3", hands=("SY5 HAR",), score_piles=(5,), cambrian_happened=True), line
    )
    assert just_moved_to(state, "A1", "BIO") == 0


def test_bioluminescence_gains_when_cthulhu_leech_lands() -> None:
    """Cthulhu Leech on another's species counts as well."""
    state = make_state("3", "BIO 3", hands=("CTH",), score_piles=(5,), cambrian_happened=True)
    assert just_moved_to(act(state, "evolve CTH B1 reef"), "B1", "BIO") == 1


def test_bioluminescence_gains_when_a_deep_trait_changes_species() -> None:
    """Gene Transfer gives a species a Deep trait: that counts; a swap of Surface traits does not."""
    state = act(make_state("GTR SY5 3 | HAR IN5 3", "BIO 3", plays_left=0), "done")
    assert just_moved_to(act(state, "swap A1 SY5 A2 HAR"), "B1", "BIO") == 1
    assert just_moved_to(act(state, "swap A1 SY5 A2 IN5"), "B1", "BIO") == 0


# Biotic Cycle Reversal ----------------------------------------------------------------------------


def test_biotic_cycle_reversal_gains_3_when_an_attack_leaves_nothing() -> None:
    """The attack takes all 3, and it gains 3."""
    state = act(make_feeding_state("AP5 0", "BCR 3"), "attack A1 B1")
    assert (
        just_moved_from(state, "B1", "attack"),
        just_moved_to(state, "B1", "BCR"),
        population(state, "B1"),
    ) == (3, 3, 3)


@pytest.mark.parametrize("rows", [("AP5 0", "BCR 4"), ("AP5 8", "BCR 3")])
def test_biotic_cycle_reversal_is_idle_while_anything_is_left(rows: tuple[str, str]) -> None:
    """One left, because it had more or because the attacker had no room: no gain."""
    state = act(make_feeding_state(*rows), "attack A1 B1")
    assert (just_moved_to(state, "B1", "BCR"), population(state, "B1")) == (0, 1)


def test_biotic_cycle_reversal_wants_an_attack() -> None:
    """Neurotoxin and leeches take its last population too, but are no attacks."""
    after_sting = act(make_feeding_state("NEU 2", "BCR 3"), "attack A1 B1")
    assert (population(after_sting, "B1"), just_moved_to(after_sting, "B1")) == (0, 0)
    after_leeching = act(make_state("PA5 2", "BCR 2", plays_left=0), "done")
    assert (population(after_leeching, "B1"), just_moved_to(after_leeching, "B1")) == (0, 0)


@pytest.mark.parametrize(("population_before", "gained_amount"), [(5, 0), (4, 3)])
def test_biotic_cycle_reversal_does_not_count_what_hydra_takes_besides(
    population_before: int, gained_amount: int
) -> None:
    """Hydra's attack leaves 1 and its further take the last, or the attack takes all."""
    state = act(make_feeding_state("HYD 1", f"BCR {population_before} | 3"), "attack A1 B1")
    if population_before == 5:
        state = act(state, "choose B1")
    state = act(state, "done")
    assert just_moved_to(state, "B1", "BCR") == gained_amount


def test_biotic_cycle_reversal_ignores_attacks_on_others() -> None:
    """Only its own species counts."""
    assert just_moved_to(act(make_feeding_state("AP5 0", "3 | BCR 0"), "attack A1 B1"), "B2", "BCR") == 0


# Bottom Feeder ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "prey", "gained_amount"),
    [
        (("3", "5 | BOT 3 | 5"), "B1", 2),
        (("3", "5 | BOT 3 | 5"), "B3", 2),
        (("3", "5 | 5 | BOT 3 | 5"), "B1", 0),  # no neighbour
        (("3", "BOT 5 | 5"), "B1", 0),  # itself
        (("BOT 3", "5"), "B1", 2),  # the attacker; each is both neighbours of the other
    ],
)
def test_deep_bottom_feeder_gains_2_beside_a_species_attacked(
    rows: tuple[str, str], prey: str, gained_amount: int
) -> None:
    """It gains once beside an attacked species, on either side, from any attacker."""
    state = act(make_feeding_state(*rows), f"attack A1 {prey}")
    key = next(species.key for row in state.position.rows for species in row if "BOT" in species.traits)
    assert just_moved_to(state, key, "BOT") == gained_amount


def test_deep_bottom_feeder_wants_an_attack() -> None:
    """Hydra's further takes, stings and foraging are no loss to an attack."""
    state = play_line(make_feeding_state("HYD 2", "9 | 9 | BOT 3 | 9"), "attack A1 B1; choose B2; done")
    assert just_moved_to(state, "B3", "BOT") == 0
    assert just_moved_to(act(make_feeding_state("3", "AMB 3 | BOT 3"), "forage A1 reef"), "B2", "BOT") == 0
    after_sting = act(make_feeding_state("BOT 3 | 9", "DEF 9"), "attack A2 B1")
    assert (
        just_moved_from(after_sting, "A2", "DEF"),
        just_moved_to(after_sting, "A1", "BOT"),
    ) == (
        4,
        2,
    )  # 2 for B1, nothing for A2


# Bright Coloration --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "key"), [(("BRI 3", "3"), "A1"), (("3", "BRI 3"), "B1"), (("", "3 | BRI 3"), "B2")]
)
def test_bright_coloration_gains_when_any_species_is_created(rows: tuple[str, str], key: str) -> None:
    """It gains for any player's new species, anywhere."""
    assert just_moved_to(act(make_state(*rows, hands=("SY5",)), "create SY5 0"), key, "BRI") == 1


def test_bright_coloration_gains_for_its_own_species() -> None:
    """As the first trait of a species it acts at once."""
    state = make_state("3", "3", hands=("BRI",), score_piles=(5,), cambrian_happened=True)
    assert just_moved_to(act(state, "create BRI 1 z1"), "A2", "BRI") == 1
    assert just_moved_to(act(state, "evolve BRI A1 z1"), "A1", "BRI") == 0


@pytest.mark.parametrize("line", ["evolve SY5 A1", "migrate SY5 z1 z2"])
def test_bright_coloration_is_idle_when_nothing_is_created(line: str) -> None:
    """A trait on an old species is no new species."""
    assert just_moved_to(act(make_state("BRI 3", "3", hands=("SY5",)), line), "A1", "BRI") == 0


# Communication ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "zone_populations", "gained_amount"),
    [
        ("5 | COM SY5 2", (20, 20, 20, 20), 2),
        ("5 | COM SY5 2", (20, 0, 20, 20), 4),  # Abundance makes the Gain 2 first
        ("5 | COM SY5 9", (20, 20, 20, 20), 1),  # no more than fits
        ("5 | SY5 2 | COM 2", (20, 20, 20, 20), 1),  # another species' trait
    ],
)
def test_communication_doubles_its_gains(
    row: str, zone_populations: tuple[int, int, int, int], gained_amount: int
) -> None:
    """Every gain of its own species counts twice."""
    state = act(
        make_feeding_state(
            row, "5", zone_populations=zone_populations, scenarios=("ABU", "INB"), cambrian_happened=True
        ),
        "forage A1 reef",
    )
    assert just_moved_to(state, "A2", "SY5") == gained_amount


def test_communication_doubles_what_scenario_cards_let_it_gain() -> None:
    """Protective Growth's 2 for its own Defence are 4, and so are Fertile's."""
    state = make_state(
        "3",
        "5",
        hands=("COM",),
        score_piles=(9,),
        zone_populations=EMPTY_ZONE_1,
        scenarios=("GRO", "INB"),
        cambrian_happened=True,
    )
    assert just_moved_to(act(state, "evolve COM A1 reef"), "A1", "GRO") == 4
    state = make_state(
        "3",
        "5",
        hands=("COM",),
        score_piles=(9,),
        zone_populations=EMPTY_ZONE_1,
        scenarios=("FER", "INB"),
        cambrian_happened=True,
    )
    assert just_moved_to(act(state, "create COM 0 reef"), "A2", "FER") == 4


def test_communication_doubles_gains_only() -> None:
    """What it forages, leeches or takes is no gain."""
    assert just_moved_from(act(make_feeding_state("COM SP5 2", "5"), "forage A1 reef"), "reef", "forage") == 2
    assert just_moved_to(act(make_feeding_state("5", "COM AMB 2"), "forage A1 reef"), "B1", "AMB") == 2
    assert just_moved_to(act(make_state("COM PA5 2", "5", plays_left=0), "done"), "A1", "PA5") == 2


# Endurance ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "gained_amount"),
    [
        ("5 | END SY5 2", 3),
        ("5 | END SY5 SY6 2", 6),  # each of its gains
        ("5 | END COM SY5 2", 6),  # enlarged first, then doubled
        ("5 | END SY5 8", 2),  # no more than fits
        ("5 | SY5 2 | END 2", 1),
    ],
)
def test_endurance_makes_each_gain_2_larger(row: str, gained_amount: int) -> None:
    """1 from Symbiotic becomes 3."""
    state = act(make_feeding_state(row, "5"), "forage A1 reef")
    assert sum(just_moved_to(state, "A2", card) for card in ("SY5", "SY6")) == gained_amount


@pytest.mark.parametrize(("cambrian_happened", "aged_amount"), [(False, 3), (True, 4)])
def test_endurance_ages_2_more(*, cambrian_happened: bool, aged_amount: int) -> None:
    """On top of 1, or of 2 after the Cambrian Explosion."""
    state = act(make_feeding_state("END 6 | 6", "5", cambrian_happened=cambrian_happened), "skip")
    assert (just_moved_from(state, "A1", "aging"), just_moved_from(state, "A2", "aging")) == (
        aged_amount,
        aged_amount - 2,
    )


def test_endurance_gains_nothing_by_itself() -> None:
    """It makes gains larger and causes none."""
    state = act(make_feeding_state("5 | END 2", "5"), "forage A1 reef")
    assert just_moved_to(state, "A2") == 0


# Mutualism ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained_amount"),
    [
        (("5 | SY5 1 | MUT 1", "4 | 4"), "forage A1 reef", 1),
        (("5 | SY5 SY6 1 | MUT 1", "4 | 4"), "forage A1 reef", 2),  # each copy
        (("5 | SY5 1 | MUT 1", "4 | SYM 4"), "forage A1 reef", 2),  # the Deep one, to the left of A1
        (("5 | SY5 1 | MUT 1", "4 | SYM 4"), "attack A1 B1", 2),  # after attacks, too
        (("5 | SY5 MUT 1", "4 | 4"), "forage A1 reef", 1),  # its own Symbiotic
        (("5 | SY5 FF5 10 | MUT 1", "4 | 4"), "forage A1 reef", 1),  # no room there: it counts all the same
        (("5 | 1 | MUT 1", "SY5 4 | SY6 4"), "forage A1 reef", 0),  # nobody stands to their left
        (("5 | BF5 1 | MUT 1", "4 | 4"), "forage A1 reef", 0),  # no Symbiotic
    ],
)
def test_mutualism_gains_1_for_each_symbiotic_that_is_set_off(
    rows: tuple[str, str], action: str, gained_amount: int
) -> None:
    """It gains 1 for each Symbiotic that is set off, wherever it stands."""
    state = act(make_feeding_state(*rows), action)
    key = "A2" if "SY5 MUT" in rows[0] else "A3"
    assert just_moved_to(state, key, "MUT") == gained_amount


def test_mutualism_gains_2_for_each_symbiotic_in_abundance() -> None:
    """A Gain value that is 1 larger counts for each Symbiotic."""
    rows = ("5 | SY5 1 | MUT 1", "4 | SYM 4")
    state = act(
        make_feeding_state(*rows, zone_populations=EMPTY_ZONE_1, scenarios=("ABU", "INA")), "forage A1 reef"
    )
    assert (just_moved_to(state, "A2", "SY5"), just_moved_to(state, "A3", "MUT")) == (2, 4)


# Regeneration -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained_amount"),
    [
        (("AP5 3", "REG 9"), "attack A1 B1", 1),
        (("3", "REG 9"), "attack A1 B1", 1),  # a single one lost
        (("AP5 3 | REG 5", "9"), "attack A1 A2", 1),  # by an own species
        (("AP5 3 | 1", "9 | REG 5"), "attack A1 B1", 0),  # another one was attacked
        (("REG AP5 3", "9"), "attack A1 B1", 0),  # it attacked
        (("FF5 3", "REG 9"), "forage A1 reef", 0),
    ],
)
def test_regeneration_gains_1_after_an_attack_on_it(
    rows: tuple[str, str], action: str, gained_amount: int
) -> None:
    """It gains 1 after an attack took population from it."""
    state = act(make_feeding_state(*rows), action)
    assert sum(just_moved_to(state, key, "REG") for key in ("A1", "A2", "B1", "B2")) == gained_amount


def test_regeneration_does_not_count_leeches_and_takes() -> None:
    """Only an attack counts, not a leech or a take."""
    assert just_moved_to(make_state_after_card_phase("PA5 3", "REG 5"), "B1", "REG") == 0
    after_take = act(make_feeding_state("REG 3", "AMB 1"), "forage A1 reef")
    assert (just_moved_from(after_take, "A1", "AMB"), just_moved_to(after_take, "A1", "REG")) == (2, 0)


# Scavenger ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained_amount"),
    [
        (("AP5 3 | 1", "9 | 1 | SCA 0"), "attack A1 B1", 1),  # anywhere at the table
        (("AP5 SCA 3", "9 | 1 | 1"), "attack A1 B1", 1),  # its own attack
        (("AP5 3", "9 | 1 | SCA 9"), "attack A1 B3", 1),  # its own loss
        (("SP5 3", "9 | 1 | SCA 0"), "attack A1 B1", 1),  # exactly 2
        (("AP5 3", "SP5 9 | 1 | SCA 0"), "attack A1 B1", 0),  # 1 lost, 2 saved
        (("FF5 3", "9 | 1 | SCA 0"), "forage A1 reef", 0),
    ],
)
def test_scavenger_gains_1_after_an_attack_that_cost_2(
    rows: tuple[str, str], action: str, gained_amount: int
) -> None:
    """It gains 1 after an attack that cost any species 2 or more."""
    state = act(make_feeding_state(*rows), action)
    assert sum(just_moved_to(state, key, "SCA") for key in ("A1", "B3")) == gained_amount


def test_scavenger_does_not_add_attacks_up() -> None:
    """Two attacks for 1 each are none for 2."""
    state = make_feeding_state("TE5 3", "9 | SCA 0")
    state = act(state, "attack A1 B1")
    assert just_moved_to(state, "B2", "SCA") == 0
    assert just_moved_to(act(state, "attack A1 B1"), "B2", "SCA") == 0


# Shark Cleaner ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained_amount"),
    [
        (("AP5 1", "9 | SHC 0"), "attack A1 B1", 3),
        (("SP5 1", "9 | SHC 0"), "attack A1 B1", 0),  # Attack 2
        (("AP5 1 | SH5 0", "9 | SHC 0"), "attack A1 B1", 3),  # the nearest on the other side
        (("AP5 1 | SH5 0", "9 | SHC 0 | SH6 0"), "attack A1 B1", 0),  # nearer ones on both sides
        (("AP5 SH5 1", "9 | SHC 0"), "attack A1 B1", 3),  # the attacker's own is skipped
        (("AP5 SHC 1", "9 | 1"), "attack A1 B1", 0),
        (("APX 1", "AP5 3 | SHC 0"), "attack A1 B1", 3),  # it takes 1, its Attack is 4
        (("FF5 1", "9 | SHC 0"), "forage A1 reef", 0),
    ],
)
def test_deep_shark_cleaner_gains_3(rows: tuple[str, str], action: str, gained_amount: int) -> None:
    """As Shark Cleaner, in one ring with it, but it gains 3."""
    state = act(make_feeding_state(*rows), action)
    assert just_moved_to(state, "B2", "SHC") + just_moved_to(state, "A1", "SHC") == gained_amount


# Symbiotic ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained_amount"),
    [
        (("1 | 1", "9 | SYM 0"), "forage A1 reef", 1),  # the feeder to its right
        (("1 | SYM 1", "9 | 9"), "forage A1 reef", 1),  # to its left
        (("1 | SYM 1", "9 | 9"), "attack A1 B1", 1),
        (("1", "SYM 9"), "forage A1 reef", 1),  # on both sides: once
        (("1 | 1", "SYM 9 | 9"), "forage A1 reef", 0),  # not beside it
        (("SYM 1 | 1", "9 | 9"), "forage A1 reef", 0),  # it feeds itself
    ],
)
def test_deep_symbiotic_gains_1_after_either_neighbour_feeds(
    rows: tuple[str, str], action: str, gained_amount: int
) -> None:
    """It gains 1 after either neighbour feeds."""
    state = act(make_feeding_state(*rows), action)
    assert sum(just_moved_to(state, key, "SYM") for key in ("A1", "A2", "B1", "B2")) == gained_amount


# Whale Cleaner ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "gained_amount"),
    [
        (("FF5 1", "9 | WHC 0"), 4),
        (("FF5 1 | 1", "9 | WHC 0 | 1"), 4),  # not beside the forager
        (("SP5 SP6 1", "9 | WHC 0"), 0),  # Forage 4
        (("SP5 SP6 1 | 1", "WC5 9 | WHC 0"), 0),
        (("FF5 1 | WC5 0", "9 | WHC 0"), 4),  # the nearest on the other side
        (("FF5 1 | WC5 0", "9 | WHC 0 | WC6 0"), 0),  # nearer ones on both sides
        (("FF5 WHC 1", "9 | 1"), 0),  # its own forage
        (("FF5 9", "9 | WHC 0"), 4),  # its Forage counts, not what fits
    ],
)
def test_deep_whale_cleaner_gains_4_from_forage_5_on(rows: tuple[str, str], gained_amount: int) -> None:
    """As Whale Cleaner, in one ring with it, but from Forage 5 on, and it gains 4."""
    state = act(make_feeding_state(*rows), "forage A1 reef")
    assert just_moved_to(state, "A1", "WHC") + just_moved_to(state, "B2", "WHC") == gained_amount


def test_deep_whale_cleaner_out_of_reach_shadows_nobody() -> None:
    """Below Forage 5 it does not count as the nearest."""
    state = act(make_feeding_state("SP5 SP6 1 | WHC 0 | WC5 0 | 1", "WC6 0"), "forage A1 reef")
    assert (just_moved_to(state, "A2"), just_moved_to(state, "A3", "WC5")) == (0, 3)
