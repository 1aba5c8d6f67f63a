"""Deep traits one by one: Deep Diver to Extremophile."""

import pytest

from rules.oceans.events import Cambrian
from rules.oceans.rules import State
from tests.rules.oceans.positions import act, feeding, legal, lives, lost, make_state, moved, play, population


def feedings(state: State) -> list[str]:
    """The legal forages and attacks."""
    return [text for text in legal(state) if text.startswith(("forage", "attack"))]


# Deep Diver -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("traits", "taken"), [("DIV", 2), ("DIV SY5", 2), ("DIV HAR", 4), ("DIV HAR GRA SP5", 8), ("HAR GRA", 1)]
)
def test_deep_diver_forages_2_for_each_deep_trait(traits: str, taken: int) -> None:
    """Itself counts, Surface traits do not; other icons are added."""
    assert lost(act(feeding(f"{traits} 0", "5"), "forage A1 reef"), "reef", "forage") == taken


def test_deep_diver_is_bound_by_a_struck_out_forage() -> None:
    """Never foraging wins."""
    assert not any(text.startswith("forage") for text in feedings(feeding("DIV AP5 0", "5")))


def test_deep_diver_forages_in_one_zone_of_its_choice() -> None:
    """The Reef or any Ocean zone with population; what that zone lacks does not come from another."""
    state = feeding("DIV HAR 0", "5", water=(20, 3, 0, 20), cambrian=True)
    assert [text for text in feedings(state) if "forage" in text] == [
        "forage A1 reef",
        "forage A1 z1",
        "forage A1 z3",
    ]
    after = act(state, "forage A1 z1")
    assert lost(after, "z1", "forage") == 3
    assert after.position.water[0] == 20


def test_deep_diver_may_bring_the_cambrian_explosion() -> None:
    """It empties zone 1, and this turn's Aging takes 2 already."""
    start = feeding("DIV HAR 0", "5", water=(20, 4, 20, 20), scenarios=("ABU", "INB"))
    state = act(start, "forage A1 z1")
    assert Cambrian() in state.position.trail
    assert (population(state, "A1"), state.scores[0]) == (2, 2)


def test_others_forage_in_the_reef_only() -> None:
    """It is not the table that changes but the species."""
    assert feedings(feeding("HAR 0", "DIV 0")) == ["forage A1 reef"]


# Deep-Sea Kraken ------------------------------------------------------------------------------------


def test_deep_sea_kraken_scores_its_second_attack() -> None:
    """The first goes onto its board, the second to the score pile; there is no third."""
    state = act(feeding("DSK AP5 2", "9 | 9"), "attack A1 B1")
    assert (population(state, "A1"), state.scores[0]) == (5, 0)
    state = act(state, "attack A1 B2")
    assert (lost(state, "B2", "attack"), moved(state, "A", "attack")) == (3, 3)
    assert not any(text.startswith("attack") for text in legal(state))


def test_deep_sea_kraken_scores_every_attack_after_the_first() -> None:
    """Tentacled lets it attack a third time."""
    state = play(feeding("DSK TE5 2", "9"), "attack A1 B1; attack A1 B1; attack A1 B1")
    assert moved(state, "A", "attack") == 1
    assert lost(state, "A1", "aging") == 1
    assert population(state, "A1") == 2  # 2 and the first attack's 1, less Aging


def test_deep_sea_krakens_scored_attack_sets_off_what_attacks_set_off() -> None:
    """Where the population goes makes no difference to its neighbours."""
    state = play(feeding("DSK 2 | SY5 2", "9 | BF5 2"), "attack A1 B1; attack A1 B1")
    assert (moved(state, "A2", "SY5"), moved(state, "B2", "BF5")) == (1, 2)


def test_deep_sea_kraken_stops_when_it_is_overfull() -> None:
    """The first attack filled its board: no second one."""
    state = play(feeding("DSK APX 6", "9 | 9"), "attack A1 B1; spill reef")
    assert moved(state, "reef", "surplus") == 5
    assert not any(text.startswith("attack") for text in legal(state))


def test_deep_sea_kraken_counts_its_own_attacks_only() -> None:
    """Another species has attacked before; its own first attack goes onto its board all the same."""
    state = make_state("3 | DSK VOR 2", "9 | 9", hands=("AP5",))
    state = play(state, "evolve AP5 A2; attack A1 B1; attack A2 B2")
    assert (moved(state, "A2", "attack"), moved(state, "A", "attack")) == (3, 0)


def test_deep_sea_kraken_counts_the_attack_of_a_voracious_feeder() -> None:
    """Its additional feeding was its first attack: the next two are scored."""
    state = make_state("DSK VOR 2", "9 | 9", hands=("AP5",))
    state = play(state, "evolve AP5 A1; attack A1 B2")
    assert (population(state, "A1"), state.scores[0]) == (5, 0)
    state = play(state, "attack A1 B1; attack A1 B1")
    assert (moved(state, "A", "attack"), state.scores[0]) == (3, 6 + lost(state, "A1", "aging"))


# Defensive Spines -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("held", "left"), [(6, 5), (2, 1), (1, 0)])
def test_defensive_spines_cost_an_attacker_4(held: int, left: int) -> None:
    """After the take; who holds less loses what it has and lives on."""
    state = act(feeding(f"SP5 SP6 TE5 {held}", "DEF 3"), "attack A1 B1")
    assert moved(state, "A1", "attack") == 3
    assert moved(state, "reef", "DEF") == min(4, held + 3)
    assert lost(state, "A1", "DEF") == held + 3 - left


def test_defensive_spines_come_before_overpopulation() -> None:
    """6 and 4 taken fill the attacker's board; less 4 it is not overfull."""
    state = act(feeding("APX 6", "DEF 9"), "attack A1 B1")
    assert lost(state, "A1", "DEF") == 4
    assert moved(state, "reef", "surplus") == 0


def test_defensive_spines_cost_a_leecher_4() -> None:
    """Leeching it stings as well."""
    state = act(make_state("PA5 5", "DEF 6", plays=0), "done")
    assert (population(state, "A1"), population(state, "B1")) == (3, 4)


def test_defensive_spines_do_not_sting_their_own_targets_nor_takers() -> None:
    """Its own attack, an attack on its neighbour, and what is taken without an attack: no sting."""
    assert lost(act(feeding("DEF 3", "5"), "attack A1 B1"), "B1", "DEF") == 0
    assert lost(act(feeding("3", "5 | DEF 3"), "attack A1 B1"), "A1", "DEF") == 0
    ambushed = act(feeding("DEF 3", "AMB 5"), "forage A1 reef")
    assert (moved(ambushed, "B1", "AMB"), lost(ambushed, "B1")) == (2, 0)


# Draconic -------------------------------------------------------------------------------------------


def test_draconic_scores_its_surplus() -> None:
    """7 fill its board: 5 go to the score pile, nobody is asked for a zone."""
    state = act(feeding("DRA 3", "9"), "attack A1 B1")
    assert (moved(state, "A", "surplus"), state.position.water) == (5, (20, 20, 20, 20))


def test_draconic_scores_its_surplus_in_others_turns_too() -> None:
    """It gained in another player's turn."""
    state = act(feeding("3", "DRA SY5 9"), "forage A1 reef")
    assert (population(state, "B1"), state.scores[1]) == (5, 5)


def test_draconic_scores_nothing_below_the_last_space() -> None:
    """9 are no surplus; another species' surplus goes to the water."""
    assert act(feeding("DRA 2", "9"), "attack A1 B1").scores[0] == 1  # Aging
    state = act(feeding("MEG 5 | DRA 2", "9"), "attack A1 B1")
    assert legal(state) == ("spill reef", "spill z1", "spill z2", "spill z3")


def test_draconic_dies_out_by_epizootic() -> None:
    """The Scenario card takes the place of the whole surplus."""
    water = (20, 0, 20, 20)
    state = act(feeding("DRA 3", "9", scenarios=("EPI", "INB"), water=water, cambrian=True), "attack A1 B1")
    assert (lives(state, "A1"), state.scores[0], moved(state, "reef", "extinct")) == (False, 0, 10)


# Electroreception -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "offered"),
    [
        ("9", ["attack A1 B1"]),
        ("IN5 9", ["attack A1 B1 IN5"]),
        ("BLU 9", ["attack A1 B1", "attack A1 B1 BLU"]),
        ("SC5 9", ["attack A1 B1 SC5"]),
        ("SC5 IN5 9", []),  # two of them
        ("IN5 IN6 9", []),
        ("CAM 9 | 3", ["attack A1 B1 CAM", "attack A1 B2"]),
        ("TE5 DEF 9", ["attack A1 B1"]),  # nothing defensive
    ],
)
def test_electroreception_ignores_one_defensive_trait(target: str, offered: list[str]) -> None:
    """Any one, with or without a Deep trait on the target; never two."""
    assert [text for text in feedings(feeding("ELE 2", target)) if "attack" in text] == offered


def test_electroreception_and_advanced_eyes_ignore_one_each() -> None:
    """Two cards, two traits: the second only where there is a Deep trait."""
    assert "attack A1 B1 HAR,IN5" in legal(feeding("ELE ADV 2", "HAR IN5 9"))
    assert feedings(feeding("ELE ADV AP5 2", "IN5 IN6 9")) == ["attack A1 B1 IN5"]


# Endurance ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "gained"),
    [
        ("5 | END SY5 2", 3),
        ("5 | END SY5 SY6 2", 6),  # each of its gains
        ("5 | END COM SY5 2", 6),  # enlarged first, then doubled
        ("5 | END SY5 8", 2),  # no more than fits
        ("5 | SY5 2 | END 2", 1),
    ],
)
def test_endurance_makes_each_gain_2_larger(row: str, gained: int) -> None:
    """1 from Symbiotic becomes 3."""
    state = act(feeding(row, "5"), "forage A1 reef")
    assert sum(moved(state, "A2", card) for card in ("SY5", "SY6")) == gained


@pytest.mark.parametrize(("cambrian", "aged"), [(False, 3), (True, 4)])
def test_endurance_ages_2_more(*, cambrian: bool, aged: int) -> None:
    """On top of 1, or of 2 after the Cambrian Explosion."""
    state = act(feeding("END 6 | 6", "5", cambrian=cambrian), "skip")
    assert (lost(state, "A1", "aging"), lost(state, "A2", "aging")) == (aged, aged - 2)


def test_endurance_gains_nothing_by_itself() -> None:
    """It makes gains larger and causes none."""
    state = act(feeding("5 | END 2", "5"), "forage A1 reef")
    assert moved(state, "A2") == 0


# Extremophile ---------------------------------------------------------------------------------------


def test_extremophile_cannot_be_leeched() -> None:
    """Its neighbour without the trait can."""
    assert moved(act(make_state("PA5 2", "EXT 6", plays=0), "done"), "A1", "PA5") == 0
    assert moved(act(make_state("PA5 2", "6", plays=0), "done"), "A1", "PA5") == 2


def test_extremophile_never_overpopulates() -> None:
    """Its last space fills and stays full; then it cannot feed."""
    state = act(feeding("EXT SP5 8 | 3", "5"), "forage A1 reef")
    assert moved(state, "A1", "forage") == 2
    assert moved(state, "reef", "surplus") == 0
    assert "forage A1 reef" not in legal(feeding("EXT 10", "5"))


@pytest.mark.parametrize(("held", "scored"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_extremophile_ages_what_it_can_and_lives(held: int, scored: int) -> None:
    """After the Cambrian Explosion 2 are due; what is missing is let off."""
    state = act(feeding(f"EXT {held}", "5", cambrian=True), "skip")
    assert (population(state, "A1"), state.scores[0]) == (held - scored, scored)
    assert not lives(act(feeding("0", "5", cambrian=True), "skip"), "A1")


def test_extremophile_does_not_die_by_scenario_cards() -> None:
    """Epizootic: it never overpopulates. Aggressive Environment: with 0 it cannot be attacked."""
    water = (20, 0, 20, 20)
    full = feeding("EXT 9", "5", scenarios=("EPI", "INB"), water=water, cambrian=True)
    assert lives(act(full, "forage A1 reef"), "A1")
    preyed = feeding("3", "EXT 0 | 0", scenarios=("AGG", "INB"), water=water, cambrian=True)
    assert [text for text in feedings(preyed) if "attack" in text] == ["attack A1 B2"]
