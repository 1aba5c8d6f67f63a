"""What follows a feeding but gains: stings, takes, strikes."""

import pytest

from rules.oceans.events import Overpopulated
from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    is_alive,
    just_moved_from,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    make_state_after_card_phase,
    play_line,
    population,
)

# Ambush -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "key"),
    [(("FF5 2 | AMB 1", "5"), "A2"), (("FF5 2", "5 | AMB 1"), "B2"), (("GEN 2", "AMB 1"), "B1")],
)
def test_ambush_takes_2_from_every_forager(rows: tuple[str, str], key: str) -> None:
    """Own or not, beside it or not, immune to attacks or not: the forager loses 2 to it."""
    state = act(make_feeding_state(*rows), "forage A1 reef")
    assert (just_moved_to(state, key, "AMB"), just_moved_from(state, "A1", "AMB")) == (2, 2)


def test_ambush_does_not_react_to_itself_nor_to_attacks() -> None:
    """Its own forage and anybody's attack leave it idle."""
    assert just_moved_to(act(make_feeding_state("AMB 1", "5"), "forage A1 reef"), "A1", "AMB") == 0
    assert just_moved_to(act(make_feeding_state("3", "AMB 1 | 5"), "attack A1 B2"), "B1", "AMB") == 0


def test_ambush_takes_what_is_there_and_what_fits() -> None:
    """A forager that holds 1 loses 1; a board with one space takes 1."""
    assert just_moved_to(act(make_feeding_state("0", "AMB 1"), "forage A1 reef"), "B1", "AMB") == 1
    assert just_moved_to(act(make_feeding_state("5", "AMB FF5 9"), "forage A1 reef"), "B1", "AMB") == 1


def test_ambush_comes_before_the_forager_overpopulates() -> None:
    """6 and a forage of 4 fill the board; less the 2 that are taken, nothing overpopulates."""
    state = act(make_feeding_state("SP5 SP6 6", "AMB 1"), "forage A1 reef")
    assert just_moved_to(state, "A1", "forage") == 4
    assert not any(isinstance(event, Overpopulated) for event in state.position.trail)


def test_ambush_may_overpopulate_by_what_it_takes() -> None:
    """On another's turn its overflow goes to the Reef."""
    state = act(make_feeding_state("5", "AMB 8"), "forage A1 reef")
    assert (population(state, "B1"), just_moved_to(state, "reef", "overflow")) == (5, 5)


def test_ambush_starves_a_forager_that_must_age() -> None:
    """What it took is missing in Aging: the forager dies out."""
    assert not is_alive(act(make_feeding_state("0", "AMB 1"), "forage A1 reef"), "A1")


# Burrower -----------------------------------------------------------------------------------------


def strike_amount(state: State, prey: str = "B1") -> int:
    """Return how much the Burrower takes when A1 attacks this prey."""
    after = act(state, f"attack A1 {prey}")
    key = next(species.key for row in after.position.rows for species in row if "BUR" in species.traits)
    return just_moved_to(after, key, "attack")


@pytest.mark.parametrize(
    ("rows", "prey", "taken_amount"),
    [
        (("3", "5 | BUR 2"), "B1", 1),
        (("3", "5 | BUR 2 | 5"), "B1", 1),
        (("3", "5 | BUR 2 | 5"), "B3", 1),
        (("3 | 5 | BUR 2", "5"), "A2", 1),  # it strikes its owner's species too
        (("3", "5 | 5 | BUR 2 | 5"), "B1", 0),  # no neighbour was attacked
        (("3", "BUR 5"), "B1", 0),  # it was attacked itself
    ],
)
def test_burrower_strikes_attackers_of_a_neighbour(
    rows: tuple[str, str], prey: str, taken_amount: int
) -> None:
    """Its Attack is 1, so it takes 1 from the attacker."""
    assert strike_amount(make_feeding_state(*rows), prey) == taken_amount


def test_burrower_does_not_strike_itself() -> None:
    """When it is the attacker it takes from its prey and no more."""
    assert strike_amount(make_feeding_state("BUR 3", "5")) == 1


@pytest.mark.parametrize(
    ("attacker", "burrower", "taken_amount"),
    [
        ("SP5 3", "BUR 2", 0),  # the attacker's Defence saves what the strike would take
        ("SP5 3", "BUR AP5 2", 1),
        ("AP5 3", "BUR ELE 2", 2),  # it ignores what it can
        ("SC5 4", "BUR 2", 0),  # safe with the 5 that it holds after its meal
        ("SC5 3", "BUR 2", 1),
        ("SY5 3", "BUR ABY 2", 0),
        ("3", "BUR ABY 2", 1),
        ("3", "BUR FF5 2", 0),  # never attacks
        ("3", "BUR EXT 10", 0),  # has no room
        ("MEG 3", "BUR SWA 2", 2),
    ],
)
def test_burrower_strikes_if_the_attack_is_legal(attacker: str, burrower: str, taken_amount: int) -> None:
    """All that stops or weakens an attack does so to the strike, as things stand after the meal."""
    assert strike_amount(make_feeding_state(attacker, f"9 | {burrower}")) == taken_amount


def test_burrower_answers_every_attack() -> None:
    """Two attacks, two strikes."""
    state = act(make_feeding_state("TE5 5", "9 | BUR 2"), "attack A1 B1")
    assert (population(state, "A1"), population(state, "B2")) == (5, 3)
    assert just_moved_to(act(state, "attack A1 B1"), "B2", "attack") == 1


def test_burrowers_strike_sets_off_what_attacks_set_off() -> None:
    """Bottom Feeder beside the attacker, Shark Cleaner for the strike's Attack, spines of the attacker."""
    after_bottom_feeder = act(make_feeding_state("3 | BF5 2", "5 | BUR 2"), "attack A1 B1")
    assert just_moved_to(after_bottom_feeder, "A2", "BF5") == 2
    after_shark_cleaner = act(make_feeding_state("0", "5 | BUR AP5 2 | SH5 2"), "attack A1 B1")
    assert just_moved_to(after_shark_cleaner, "B3", "SH5") == 2
    after_sting = act(make_feeding_state("DEF 3", "5 | BUR 6"), "attack A1 B1")
    assert (population(after_sting, "B2"), just_moved_from(after_sting, "B2", "DEF")) == (3, 4)


def test_burrowers_strike_may_leave_the_attacker_with_nothing() -> None:
    """An attack brought it to 0: Biotic Cycle Reversal gains."""
    assert just_moved_to(act(make_feeding_state("BCR 0", "5 | BUR 2"), "attack A1 B1"), "A1", "BCR") == 3


def test_burrower_is_idle_at_forages_and_at_what_hydra_takes() -> None:
    """Only attacks on a neighbour count."""
    assert just_moved_to(act(make_feeding_state("3", "5 | BUR 2"), "forage A1 reef"), "B2") == 0
    after_hydra = play_line(
        make_feeding_state("HYD 2", "9 | 9 | 9 | BUR 2 | 9"), "attack A1 B1; choose B3; done"
    )
    assert just_moved_to(after_hydra, "B4") == 0


# Defensive Spines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("population_before", "population_after"), [(6, 5), (2, 1), (1, 0)])
def test_defensive_spines_cost_an_attacker_4(population_before: int, population_after: int) -> None:
    """After the take; who holds less loses what it has and lives on."""
    state = act(make_feeding_state(f"SP5 SP6 TE5 {population_before}", "DEF 3"), "attack A1 B1")
    assert just_moved_to(state, "A1", "attack") == 3
    assert just_moved_to(state, "reef", "DEF") == min(4, population_before + 3)
    assert just_moved_from(state, "A1", "DEF") == population_before + 3 - population_after


def test_defensive_spines_come_before_overpopulation() -> None:
    """6 and 4 taken fill the attacker's board; less 4 it is not overfull."""
    state = act(make_feeding_state("APX 6", "DEF 9"), "attack A1 B1")
    assert just_moved_from(state, "A1", "DEF") == 4
    assert just_moved_to(state, "reef", "overflow") == 0


def test_defensive_spines_cost_a_leecher_4() -> None:
    """Leeching it stings as well."""
    state = act(make_state("PA5 5", "DEF 6", plays_left=0), "done")
    assert (population(state, "A1"), population(state, "B1")) == (3, 4)


def test_defensive_spines_do_not_sting_their_own_targets_nor_takers() -> None:
    """Its own attack, an attack on its neighbour, and what is taken without an attack: no sting."""
    assert just_moved_from(act(make_feeding_state("DEF 3", "5"), "attack A1 B1"), "B1", "DEF") == 0
    assert just_moved_from(act(make_feeding_state("3", "5 | DEF 3"), "attack A1 B1"), "A1", "DEF") == 0
    after_ambush = act(make_feeding_state("DEF 3", "AMB 5"), "forage A1 reef")
    assert (just_moved_to(after_ambush, "B1", "AMB"), just_moved_from(after_ambush, "B1")) == (
        2,
        0,
    )


# Gigantic Scavenger -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "key", "taken_amount"),
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
    rows: tuple[str, str], key: str, taken_amount: int
) -> None:
    """After any other species with Attack 5 or more attacks, however little it took."""
    state = act(make_feeding_state(*rows), "attack A1 B1")
    assert (just_moved_to(state, key, "GIS"), just_moved_from(state, "A1", "GIS")) == (
        taken_amount,
        taken_amount,
    )


def test_gigantic_scavenger_looks_at_the_attack_value_not_at_the_take() -> None:
    """Attack 5 that Defence brings down to 1 counts; a forage does not."""
    assert just_moved_to(act(make_feeding_state("MEG 2", "IN5 9 | GIS 3"), "attack A1 B1"), "B2", "GIS") == 2
    assert just_moved_to(act(make_feeding_state("MEG 2", "9 | GIS 3"), "forage A1 reef"), "B2", "GIS") == 0


def test_gigantic_scavenger_and_spines_come_clockwise() -> None:
    """The active player's first: what spines leave is taken, and the other way round."""
    spines_first = act(
        make_feeding_state("MEG 0", "DEF 5 | GIS 3"), "attack A1 B1"
    )  # 5 taken: 4 stung away, 1 left to take
    assert (
        just_moved_from(spines_first, "A1", "DEF"),
        just_moved_to(spines_first, "B2", "GIS"),
    ) == (4, 1)
    scavenger_first = act(make_feeding_state("MEG 0 | GIS 3", "DEF 5"), "attack A1 B1")
    assert (
        just_moved_to(scavenger_first, "A2", "GIS"),
        just_moved_from(scavenger_first, "A1", "DEF"),
    ) == (2, 3)


def test_gigantic_scavenger_takes_from_a_burrower_that_strikes() -> None:
    """A strike is an attack."""
    state = act(make_feeding_state("0 | GIS 3", "5 | BUR MEG 2"), "attack A1 B1")
    assert (just_moved_to(state, "B2", "attack"), just_moved_to(state, "A2", "GIS")) == (1, 2)


# Inking -------------------------------------------------------------------------------------------


def test_deep_inking_defends_and_stings() -> None:
    """Defence 4, and each attacker loses 3 to the Reef after its attack."""
    state = act(make_feeding_state("MEG TE5 4", "INK 9"), "attack A1 B1")
    assert just_moved_to(state, "A1", "attack") == 1
    assert just_moved_to(state, "reef", "INK") == 3
    assert population(state, "A1") == 2
    state = act(state, "attack A1 B1")
    assert just_moved_to(state, "reef", "INK") == 3


def test_deep_inking_stings_no_deeper_than_there_is() -> None:
    """An attacker with 1 loses that, lives on and may feed again."""
    state = act(make_feeding_state("MEG TE5 0", "INK 9"), "attack A1 B1")
    assert just_moved_to(state, "reef", "INK") == 1
    assert population(state, "A1") == 0
    assert "forage A1 reef" in legal_texts(state)


def test_deep_inking_keeps_weak_attackers_off() -> None:
    """Attack 4 would take nothing, so it is no legal attack; Defence 4 is ignored by Crushing Jaw alone."""
    assert "attack A1 B1" not in legal_texts(make_feeding_state("SP5 SP6 2", "INK 9"))
    state = act(make_feeding_state("CRU SP5 SP6 4", "INK 9"), "attack A1 B1")
    assert (just_moved_to(state, "A1", "attack"), just_moved_to(state, "reef", "INK")) == (4, 3)


def test_deep_inking_stings_attackers_only() -> None:
    """A leech is no attack, an attack on another species is none on it, and its own target is spared."""
    assert just_moved_to(make_state_after_card_phase("PA5 2", "INK 5"), "reef", "INK") == 0
    assert just_moved_to(act(make_feeding_state("AP5 2", "INK 9 | 9"), "attack A1 B2"), "reef", "INK") == 0
    assert just_moved_to(act(make_feeding_state("INK 2", "9"), "attack A1 B1"), "reef", "INK") == 0


# Kleptoparasitic ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "taken_amount"),
    [
        (("AP5 2 | 1", "9 | KLE 0"), "attack A1 B1", 1),  # the attacker's left neighbour
        (("AP5 2 | KLE 1", "9 | 2"), "attack A1 B1", 1),  # its right neighbour, of the same owner
        (("AP5 2", "KLE 9"), "attack A1 B1", 1),  # the target itself stands beside it
        (("AP5 2 | 1", "KLE 4 | 9"), "attack A1 B2", 0),  # beside the target, not beside the attacker
        (("FF5 2 | 1", "9 | KLE 0"), "forage A1 reef", 0),  # no attack
        (("KLE AP5 2 | 1", "9 | 2"), "attack A1 B1", 0),  # its own attack
        (("AP5 2 | 1", "9 | KLE FF5 10"), "attack A1 B1", 0),  # no room
    ],
)
def test_kleptoparasitic_takes_1_from_a_neighbour_that_attacked(
    rows: tuple[str, str], action: str, taken_amount: int
) -> None:
    """It takes 1 from a neighbour that has attacked, and from nobody else."""
    state = act(make_feeding_state(*rows), action)
    assert sum(just_moved_to(state, key, "KLE") for key in ("A1", "A2", "B1", "B2")) == taken_amount


@pytest.mark.parametrize(("cambrian_happened", "aged_amount"), [(False, 3), (True, 4)])
def test_kleptoparasitic_ages_two_more(*, cambrian_happened: bool, aged_amount: int) -> None:
    """It ages 2 more than others."""
    state = act(make_feeding_state("KLE 6", "1", cambrian_happened=cambrian_happened), "skip")
    assert (just_moved_to(state, "A", "aging"), population(state, "A1")) == (
        aged_amount,
        6 - aged_amount,
    )


# Neurotoxin ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "loss_by_species"),
    [
        (("AP5 3", "NEU 9"), "attack A1 B1", {"A1": 2}),  # attacked
        (("AP5 NEU 3", "9"), "attack A1 B1", {"B1": 2}),  # attacking
        (("AP5 NEU 3", "4"), "attack A1 B1", {"B1": 1}),  # no more than what is left
        (("AP5 3", "NEU 9 | 9"), "attack A1 B2", {}),  # not its business
        (("FF5 NEU 3", "9"), "forage A1 reef", {}),
    ],
)
def test_neurotoxin_costs_attackers_and_prey_2(
    rows: tuple[str, str], action: str, loss_by_species: dict[str, int]
) -> None:
    """A species that attacks it or is attacked by it loses 2 to the Reef; no other does."""
    before = make_feeding_state(*rows)
    state = act(before, action)
    assert just_moved_to(state, "reef", "NEU") == sum(loss_by_species.values())
    taken_amount = just_moved_to(state, "A1", "attack")
    assert population(state, "B1") == population(before, "B1") - loss_by_species.get(
        "B1", 0
    ) - taken_amount * ("B1" in action)


def test_neurotoxin_poisons_no_leech() -> None:
    """A leech is no attack."""
    assert just_moved_to(make_state_after_card_phase("PA5 2", "NEU 5"), "reef", "NEU") == 0


def test_neurotoxin_is_no_loss_to_the_attack() -> None:
    """Its poison is no part of the attack: Biotic Cycle Reversal and Scavenger see only the bite."""
    state = act(make_feeding_state("NEU 3", "BCR 3 | SCA 1"), "attack A1 B1")
    assert population(state, "B1") == 0
    assert (just_moved_to(state, "B1", "BCR"), just_moved_to(state, "B2", "SCA")) == (0, 0)


# Poisonous Spines ---------------------------------------------------------------------------------


def test_poisonous_spines_cost_the_attacker_and_all_who_gained_3() -> None:
    """The attacker and everyone who gained from the attack lose 3, after the gains; nobody else does."""
    state = act(make_feeding_state("MEG 1", "3 | PSP 8 | BF5 0 | SH5 4 | 4"), "attack A1 B2")
    assert (just_moved_to(state, "B3", "BF5"), just_moved_to(state, "B4", "SH5")) == (2, 2)
    assert just_moved_to(state, "reef", "PSP") == 3 + 2 + 3
    assert [population(state, f"B{n}") for n in range(1, 6)] == [3, 3, 0, 3, 4]
    assert just_moved_to(state, "A", "aging") == 1


def test_poisonous_spines_hurt_an_attacker_once() -> None:
    """An attacker that gains as well loses 3 once; what it eats and gains counts first."""
    state = act(make_feeding_state("MEG BF5 2", "PSP 8"), "attack A1 B1")
    assert just_moved_to(state, "A1") == 7
    assert just_moved_to(state, "reef", "PSP") == 3


@pytest.mark.parametrize(
    ("rows", "action"),
    [
        (("MEG 2", "PSP 8 | BF5 0 | 9"), "attack A1 B3"),  # another species was attacked
        (("MEG PSP 2", "9 | BF5 0"), "attack A1 B1"),  # it attacked
        (("FF5 2", "PSP 8 | WC5 0"), "forage A1 reef"),
    ],
)
def test_poisonous_spines_need_an_attack_on_it(rows: tuple[str, str], action: str) -> None:
    """Nothing is lost without an attack on it."""
    assert just_moved_to(act(make_feeding_state(*rows), action), "reef", "PSP") == 0


def test_poisonous_spines_spare_takers() -> None:
    """Impostor Cleaner and Sedentary Colony take: that is no gain."""
    state = act(make_feeding_state("AP5 4", "PSP 8 | SH5 4 | SED IMS 4"), "attack A1 B1")
    assert (just_moved_to(state, "B3", "IMS"), just_moved_to(state, "B3", "SED")) == (1, 1)
    assert population(state, "B3") == 6


def test_poisonous_spines_after_the_attacker_died_out() -> None:
    """A Burrower kills the attacker that spines left with nothing (Scenario card): the rest goes on."""
    state = make_feeding_state(
        "MEG 0 | 3", "PSP DEF IN5 9 | BUR 3", zone_populations=EMPTY_ZONE_1, scenarios=("AGG", "INA")
    )
    state = act(state, "attack A1 B1")
    assert not is_alive(state, "A1")
    assert (population(state, "B1"), just_moved_to(state, "reef", "PSP")) == (8, 0)
