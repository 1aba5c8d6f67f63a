"""The twelve Surface traits: values, what triggers each one, and what does not."""

import pytest

from tests.rules.oceans.positions import (
    EMPTY_REEF,
    EMPTY_ZONE_1,
    act,
    is_alive,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    make_state_after_card_phase,
    play_line,
    population,
)

# Values ---------------------------------------------------------------------------------------------

EXPECTED_VALUES = (
    ("AP5", None, 3, 2),
    ("BF5", 1, 1, 0),
    ("FF5", 5, None, 0),
    ("IN5", 1, 1, 4),
    ("PA5", 1, 1, 0),
    ("SC5", 1, 1, 0),
    ("SH5", 1, 1, 0),
    ("SP5", 2, 2, 2),
    ("SY5", 1, 1, 0),
    ("TE5", 1, 1, 0),
    ("TR5", 1, 1, 0),
    ("WC5", 1, 1, 0),
    ("SP5 SP6", 4, 4, 4),
    ("AP5 SP5", None, 5, 4),
    ("FF5 SP5", 7, None, 2),
    ("IN5 IN6 SP5", 2, 2, 10),
    ("FF5 FF6 BF5", 10, None, 0),
    ("AP5 FF5", None, None, 2),
)
"""Traits of one species, its Forage, its Attack (None: never), its Defence."""


@pytest.mark.parametrize(("trait_text", "forage_amount", "attack_amount", "defence_amount"), EXPECTED_VALUES)
def test_values_add_up_unless_an_icon_is_struck_out(
    trait_text: str, forage_amount: int | None, attack_amount: int | None, defence_amount: int
) -> None:
    """Values add up; no icon means 1, for Defence 0; a struck-out icon is stronger than all others."""
    state = make_feeding_state(f"{trait_text} 0", "BF11 9")
    assert ("forage A1 reef" in legal_texts(state)) == (forage_amount is not None)
    assert ("attack A1 B1" in legal_texts(state)) == (attack_amount is not None)
    if forage_amount is not None:
        assert just_moved_to(act(state, "forage A1 reef"), "A1", "forage") == forage_amount
    if attack_amount is not None:
        assert just_moved_to(act(state, "attack A1 B1"), "A1", "attack") == attack_amount
    prey_population = 4 if "SC" in trait_text else 9  # from 5 on Schooling keeps all attackers off
    prey_state = make_feeding_state(
        "AP8 AP9 AP10 0", f"{trait_text} {prey_population}", zone_populations=EMPTY_REEF
    )
    assert ("attack A1 B1" in legal_texts(prey_state)) == (prey_population > defence_amount)
    if prey_population > defence_amount:
        assert (
            just_moved_to(act(prey_state, "attack A1 B1"), "A1", "attack") == prey_population - defence_amount
        )


def test_defence_does_not_lower_the_attack() -> None:
    """Attack 5 on Defence 2 and population 3 takes 1: what goes is saved, not what strikes."""
    state = make_feeding_state("AP5 SP5 0", "SP6 3")
    assert just_moved_to(act(state, "attack A1 B1"), "A1", "attack") == 1
    assert "attack A1 B1" not in legal_texts(make_feeding_state("AP5 SP5 0", "SP6 2"))


def test_the_attacker_takes_what_it_has_room_for() -> None:
    """The target loses no more than fits on the attacker's board, after its Defence has saved its share."""
    after = act(make_feeding_state("AP5 AP6 8", "SP5 9"), "attack A1 B1")
    assert just_moved_to(after, "A1", "attack") == 2
    assert population(after, "B1") == 7


def test_speed_holds_one_more_trait() -> None:
    """A species with Speed has four slots, with two of them five; the new Speed counts itself in."""
    state = make_state("AP5 AP6 AP7 3 | SP5 AP8 AP9 3 | SP6 IN5 IN6 IN7 3", "BF5 1", hands=["TE5 SP7"])
    assert {text for text in legal_texts(state) if text.startswith("evolve")} == {
        "evolve TE5 A2",
        "evolve SP7 A1",
        "evolve SP7 A2",
        "evolve SP7 A3",
    }


# Scenario cards between core rules and traits -------------------------------------------------------


@pytest.mark.parametrize(
    ("trait_text", "taken_amount"), [("BF5", 2), ("SP5", 4), ("FF5", 7)], ids=["default", "icon", "five"]
)
def test_a_scenario_icon_replaces_the_default_and_adds_to_icons(trait_text: str, taken_amount: int) -> None:
    """Biodiverse Reef: the default 1 gives way to its 2; a Forage icon is added to."""
    state = make_feeding_state(
        f"{trait_text} 0", "BF6 1", scenarios=("REE", "INA"), zone_populations=EMPTY_ZONE_1
    )
    assert just_moved_to(act(state, "forage A1 reef"), "A1", "forage") == taken_amount


def test_never_wins_over_a_scenario_icon() -> None:
    """Biodiverse Reef lets no Apex Predator forage, Large Predators no Filter Feeder attack."""
    state = make_feeding_state(
        "AP5 0 | FF5 0", "BF6 5", scenarios=("REE", "LPR"), zone_populations=(20, 0, 0, 20)
    )
    assert not {"forage A1 reef", "attack A2 B1"} & {*legal_texts(state)}
    assert {"attack A1 B1", "forage A2 reef"} < {*legal_texts(state)}
    assert just_moved_to(act(state, "attack A1 B1"), "A1", "attack") == 5


# Parasitic ------------------------------------------------------------------------------------------


def test_parasitic_leeches_two_from_its_left() -> None:
    """From the own species to its left, or the left-hand player's right-most one; Defence saves nothing."""
    after = make_state_after_card_phase("PA5 0 | PA6 3", "IN5 1 | IN6 5")
    assert (population(after, "B2"), population(after, "A1"), population(after, "A2")) == (3, 0, 5)


def test_parasitic_takes_what_there_is_and_what_fits() -> None:
    """The least of 2, the host's population and the free spaces; a host left with nothing lives on."""
    after = make_state_after_card_phase("TE5 1 | PA5 0 | TE6 5 | PA6 9", "IN6 5")
    assert [population(after, f"A{n}") for n in (1, 2, 3)] == [0, 1, 4]
    assert (
        just_moved_to(
            act(make_state("TE5 1 | PA5 0 | TE6 5 | PA6 9", "IN6 5", plays_left=0), "done"), "A4", "PA6"
        )
        == 1
    )


def test_parasites_leech_from_left_to_right() -> None:
    """The second one finds what the first one left, and what it took."""
    after = make_state_after_card_phase("PA5 0 | PA6 0", "IN5 3")
    assert [population(after, key) for key in ("B1", "A1", "A2")] == [1, 0, 2]


def test_two_parasitic_leech_twice() -> None:
    """Each of two copies of Parasitic leeches by itself."""
    after = make_state_after_card_phase("PA5 PA6 0", "IN5 5")
    assert population(after, "A1") == 4


def test_only_the_active_players_parasites_leech() -> None:
    """Nothing is leeched on another player's turn."""
    state = act(make_state("SP5 3", "PA5 0", hands=["TE5"]), "migrate TE5 z1 z2")
    assert (population(state, "A1"), population(state, "B1")) == (3, 0)
    assert "forage A1 reef" in legal_texts(state)


def test_parasitic_needs_a_neighbour() -> None:
    """A species alone at the table leeches nobody, least of all itself."""
    assert population(make_state_after_card_phase("PA5 4", ""), "A1") == 4


def test_leeching_is_compulsory() -> None:
    """It comes before any choice, and a species that overpopulates by it may still feed."""
    state = make_state_after_card_phase("PA5 8 | SP5 0", "IN5 5")
    assert legal_texts(state) == ("spill reef", "spill z1", "spill z2", "spill z3")
    state = act(state, "spill z3")
    assert population(state, "A1") == 5
    assert {"forage A1 reef", "forage A2 reef", "skip"} <= {*legal_texts(state)}


def test_leeching_is_no_attack() -> None:
    """Neither Bottom Feeder nor Shark Cleaner nor Symbiotic reacts to it."""
    after = make_state_after_card_phase("PA5 SP5 AP5 0", "BF5 SH5 SY5 3 | TE5 5 | BF6 SY6 3")
    assert [population(after, key) for key in ("B1", "B2", "B3")] == [3, 5, 1]


# Schooling ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("population_before", "is_safe"), [(4, False), (5, True), (9, True)])
def test_schooling_protects_from_five_on(population_before: int, *, is_safe: bool) -> None:
    """It cannot be attacked while it holds 5 or more."""
    assert (
        "attack A1 B1" not in legal_texts(make_feeding_state("AP5 0", f"SC5 {population_before}"))
    ) == is_safe


def test_schooling_ages_one_more() -> None:
    """Once 2 instead of 1, twice 3, after the Cambrian Explosion 3 instead of 2."""
    assert (
        play_line(make_feeding_state("SC5 5 | TE5 5 | SC6 SC7 5", "BF5 1"), "skip").score_piles[0]
        == 2 + 1 + 3
    )
    assert (
        play_line(make_feeding_state("SC5 5 | TE5 5", "BF5 1", cambrian_happened=True), "skip").score_piles[0]
        == 3 + 2
    )


def test_schooling_dies_of_what_it_cannot_give() -> None:
    """With 1 where 2 are due: the 1 is scored, then it is gone."""
    after = play_line(make_feeding_state("SC5 1", "BF5 1"), "skip")
    assert not is_alive(after, "A1")
    assert after.score_piles[0] == 1


def test_schooling_can_be_leeched() -> None:
    """Schooling protects from attacks, not from leeches."""
    assert population(make_state_after_card_phase("PA5 0", "SC5 6"), "A1") == 2


# Tentacled ------------------------------------------------------------------------------------------


def test_tentacled_feeds_once_more() -> None:
    """One more forage or attack by the same species; then feeding is over."""
    state = act(make_feeding_state("TE5 SP5 0 | SP6 0", "BF5 5"), "forage A1 reef")
    assert legal_texts(state) == ("forage A1 reef", "attack A1 B1", "skip")
    after = act(state, "attack A1 B1")
    assert just_moved_to(after, "A1", "attack") == 2
    assert after.score_piles[0] > 0


def test_two_tentacled_feed_twice_more() -> None:
    """Each copy allows one more, and each of them may be passed."""
    state = make_feeding_state("TE5 TE6 0", "BF5 5")
    for _ in range(2):
        state = act(state, "forage A1 reef")
        assert act(state, "skip").score_piles[0] == 1
    assert act(state, "forage A1 reef").score_piles[0] == 1


def test_another_species_tentacles_do_not_help() -> None:
    """Only those on the species that feeds count."""
    assert act(make_feeding_state("SP5 0 | TE5 1", "BF5 5"), "forage A1 reef").score_piles[0] == 2


# Transparent ----------------------------------------------------------------------------------------


def test_transparent_while_the_reef_holds_anything() -> None:
    """With 1 in the Reef nobody attacks it; with an empty Reef everybody may."""
    assert "attack A1 B1" not in legal_texts(
        make_feeding_state("AP5 0", "TR5 3", zone_populations=(1, 20, 20, 20))
    )
    assert "attack A1 B1" in legal_texts(make_feeding_state("AP5 0", "TR5 3", zone_populations=EMPTY_REEF))


def test_transparent_is_not_leeched_while_the_reef_holds_anything() -> None:
    """Transparent also protects from leeches while the Reef holds population."""
    assert (
        population(make_state_after_card_phase("PA5 0", "TR5 3", zone_populations=(1, 20, 20, 20)), "B1") == 3
    )
    assert (
        population(make_state_after_card_phase("PA5 0 | SP5 1", "TR5 3", zone_populations=EMPTY_REEF), "B1")
        == 1
    )


def test_a_forage_that_empties_the_reef_uncovers_transparent() -> None:
    """The condition is read again at each feeding."""
    state = act(make_feeding_state("TE5 SP5 0", "TR5 3", zone_populations=(2, 20, 20, 20)), "forage A1 reef")
    assert "attack A1 B1" in legal_texts(state)


# Filter Feeder --------------------------------------------------------------------------------------


def test_filter_feeder_fills_its_board_and_stays() -> None:
    """With all ten spaces taken it keeps them and can take no more."""
    state = act(make_feeding_state("FF5 TE5 9 | SP5 0", "BF5 1"), "forage A1 reef")
    assert just_moved_to(state, "A1", "forage") == 1
    assert "spill reef" not in legal_texts(state)
    assert (population(state, "A1"), state.score_piles[0]) == (9, 1)  # ten, of which one has aged


def test_filter_feeder_at_ten_cannot_feed() -> None:
    """No free space, no forage; the others of its owner may feed."""
    assert legal_texts(make_feeding_state("FF5 10 | SP5 0", "BF5 1")) == (
        "forage A2 reef",
        "attack A2 A1",
        "attack A2 B1",
        "skip",
    )


def test_filter_feeder_outlives_epizootic() -> None:
    """A trait is stronger than a Scenario card: who never overpopulates does not die of it."""
    state = make_feeding_state(
        "FF5 9 | SP5 8", "BF5 1", scenarios=("EPI", "INA"), zone_populations=EMPTY_ZONE_1
    )
    assert is_alive(act(state, "forage A1 reef"), "A1")
    assert not is_alive(act(state, "forage A2 reef"), "A2")
