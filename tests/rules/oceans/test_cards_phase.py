"""Phase 1: how many cards, what each of them may do, slots, costs, migrations."""

import pytest
from msgspec.structs import replace

from rules.oceans.model import OceansOptions
from rules.oceans.places import ZONE_INDEX, Zone
from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    is_alive,
    just_moved_to,
    legal_texts,
    make_drawing_state,
    make_feeding_state,
    make_state,
    play_line,
    population,
    traits,
)

FULL_SPECIES = "SP5 AP6 AP7 AP8 2"
"""One species, whose Speed gives it a fourth slot, which is taken too."""


def legal_verbs(state: State) -> set[str]:
    """Return the verbs of the legal actions."""
    return {text.split()[0] for text in legal_texts(state)}


def species_keys(state: State, seat: int = 0) -> list[str]:
    """Return the keys of a row of species, left to right."""
    return [species.key for species in state.position.rows[seat]]


# How many cards -------------------------------------------------------------------------------------


def test_one_card_is_due_before_the_cambrian_explosion() -> None:
    """One card is compulsory; after it the feeding begins, whatever is left in hand."""
    state = make_state("SP5 3", "TE5 3", hands=["BF5 IN6"])
    assert not {"done", "skip"} & legal_verbs(state)
    state = act(state, "evolve BF5 A1")
    assert not {"evolve", "create", "migrate"} & legal_verbs(state)
    assert "forage A1 reef" in legal_texts(state)


def test_two_cards_are_due_after_the_cambrian_explosion() -> None:
    """Two are compulsory, one at a time, each of them free to evolve or to migrate."""
    state = act(
        make_state("SP5 3", "TE5 3", hands=["BF5 IN6 IN7"], cambrian_happened=True, plays_left=2),
        "evolve BF5 A1",
    )
    assert not {"done", "skip"} & legal_verbs(state)
    state = act(state, "migrate IN6 z1 z2")
    assert "forage A1 reef" in legal_texts(state)
    assert state.hands[0] == ("IN7",)


def test_a_turn_begins_with_two_cards_after_the_explosion() -> None:
    """Whose turn it is does not matter, nor that zone 1 holds water again."""
    without_explosion, with_explosion = (
        make_drawing_state("SP5 3", "TE5 3", cambrian_happened=cambrian_happened, hands=["", "IN5 IN6"])
        for cambrian_happened in (False, True)
    )
    assert play_line(without_explosion, "draw").position.plays_left == 1
    assert play_line(with_explosion, "draw").position.plays_left == 2


def test_no_more_cards_are_due_than_the_hand_holds() -> None:
    """With one card only one must be played; with none the phase is skipped."""
    state = act(
        make_state("SP5 3", "TE5 3", hands=["BF5"], cambrian_happened=True, plays_left=2), "evolve BF5 A1"
    )
    assert "forage A1 reef" in legal_texts(state)
    empty_hand_state = play_line(make_drawing_state("SP5 3", "TE5 3", hands=["IN5", ""]), "draw")
    assert (empty_hand_state.position.to_act, empty_hand_state.hands[1]) == (1, ())
    assert "forage B1 reef" in legal_texts(empty_hand_state)


def test_a_hand_of_deep_cards_skips_before_the_explosion() -> None:
    """They can neither evolve nor migrate yet."""
    state = play_line(
        make_drawing_state("SP5 3", "TE5 3", hands=["", "MEG TUS HAR BLU GRA CRU"], score_piles=(0, 9)),
        "draw",
    )
    assert state.position.to_act == 1
    assert not {"evolve", "create", "migrate"} & legal_verbs(state)
    assert "forage B1 reef" in legal_texts(state)


def test_deep_cards_wait_for_the_explosion() -> None:
    """Beside a Surface card they are not offered before it, and are after it."""
    state = make_state("SP5 3", "TE5 3", hands=["IN5 MEG"], score_piles=(5,))
    assert not any("MEG" in text for text in legal_texts(state))
    after_explosion = make_state(
        "SP5 3", "TE5 3", hands=["IN5 MEG"], score_piles=(5,), cambrian_happened=True
    )
    assert {"create MEG 0 z1", "evolve MEG A1 reef", "migrate MEG z1 z2"} <= {*legal_texts(after_explosion)}


def test_an_explosion_by_a_migration_makes_a_second_card_due() -> None:
    """A migration that empties zone 1 makes a second card compulsory, which may be a Deep one."""
    state = make_state(
        "SP5 3", "TE5 3", hands=["SP9 IN5 MEG"], score_piles=(5,), zone_populations=(20, 9, 20, 20)
    )
    state = act(state, "migrate SP9 z1 z2")
    assert (state.position.cambrian_happened, state.position.plays_left) == (True, 1)
    assert "skip" not in legal_verbs(state)
    assert {"evolve MEG A1 z3", "evolve IN5 A1", "migrate IN5 z2 z1"} <= {*legal_texts(state)}
    state = play_line(state, "evolve MEG A1 z3; skip")
    assert population(state, "A1") == 0  # INA is active: 2 and 1 more
    assert state.score_piles[0] == 5 - 1 + 3


def test_the_explosion_lasts_when_zone_1_is_filled_again() -> None:
    """The second card may move population back; two cards and Deep cards stay."""
    state = play_line(
        make_state("SP5 3", "TE5 3", hands=["SP9 IN5", "TE6 TE7"], zone_populations=(20, 9, 20, 20)),
        "migrate SP9 z1 z2; migrate IN5 z2 z1",
    )
    assert state.position.cambrian_happened
    assert state.position.active_scenarios == ()
    assert play_line(state, "skip; draw").position.plays_left == 2


def test_emptying_another_zone_is_no_explosion() -> None:
    """Only emptying zone 1 is the Cambrian Explosion."""
    state = act(
        make_state("SP5 3", "TE5 3", hands=["SP9 IN5"], zone_populations=(20, 20, 9, 20)), "migrate SP9 z2 z1"
    )
    assert not state.position.cambrian_happened
    assert "forage A1 reef" in legal_texts(state)


def test_the_reef_variant_explodes_without_deep_cards() -> None:
    """Two cards from then on, all the same."""
    reef_options = OceansOptions(reef=True)
    state = make_state(
        "SP5 3",
        "TE5 3",
        hands=["SP9 IN5 IN6"],
        zone_populations=(20, 9, 20, 20),
        options=reef_options,
        scenarios=("ABU", "FER"),
    )
    state = act(state, "migrate SP9 z1 z3")
    assert (state.position.cambrian_happened, state.position.plays_left) == (True, 1)


# New species ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place_index", "row"), [(0, ["A3", "A1", "A2"]), (1, ["A1", "A3", "A2"]), (2, ["A1", "A2", "A3"])]
)
def test_a_new_species_may_go_at_any_place(place_index: int, row: list[str]) -> None:
    """At either end or between two own ones; it begins with nothing and acts at once."""
    state = act(make_state("AP5 3 | TE5 3", "TE6 3", hands=["SP5"]), f"create SP5 {place_index}")
    assert species_keys(state) == row
    assert (population(state, "A3"), traits(state, "A3")) == (0, ("SP5",))
    assert just_moved_to(act(state, "forage A3 reef"), "A3", "forage") == 2


def test_the_first_species_has_one_place() -> None:
    """In an empty row a new species has one place."""
    state = make_state("", "TE5 3", hands=["SP5"])
    assert [text for text in legal_texts(state) if text.startswith("create")] == ["create SP5 0"]


def test_numbers_of_species_are_given_in_turn() -> None:
    """A species that died out leaves its number to none of the next ones; after 9 comes 1."""
    state = play_line(
        make_feeding_state("SP5 0 | SP6 5", "TE5 3", hands=["BF5 BF6 BF7 BF8 BF9 BF10", "IN6"]), "skip; draw"
    )
    assert not is_alive(state, "A1")
    state = play_line(state, "create IN6 1; skip; draw; create BF5 1")
    assert species_keys(state) == ["A2", "A3"]
    state = make_state("IN5 3 | IN6 3", "TE5 3", hands=["SP5"])
    for last_number, key in ((8, "A9"), (9, "A3"), (5, "A6")):
        position = replace(state.position, last_species_numbers=(last_number, 1))
        after = act(replace(state, position=position), "create SP5 2")
        assert species_keys(after) == ["A1", "A2", key]
        assert after.position.last_species_numbers == (int(key[1:]), 1)


def test_a_tenth_species_gets_the_number_ten() -> None:
    """Only while nine others live: then 1 to 9 come in turn again."""
    state = act(make_state(" | ".join(["IN5 3", *["4"] * 8]), "TE5 3", hands=["SP5"]), "create SP5 9")
    assert species_keys(state)[-1] == "A10"


# Slots ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "card", "fits"),
    [
        ("BF5 BF6 2", "IN5", True),
        ("BF5 BF6 BF7 2", "IN5", False),
        ("BF5 BF6 BF7 2", "SP5", True),
        (FULL_SPECIES, "IN5", False),
        (FULL_SPECIES, "SP7", True),
        ("BF5 BF6 BF7 2", "EXT", True),
        ("BF5 BF6 MEG 2", "IN5", False),
        ("BF5 BF6 BF7 2", "MEG", False),
        ("ATA BF5 BF6 BF7 2", "IN5", True),
        ("ATA BF5 BF6 BF7 BF8 2", "IN5", False),
        ("BF5 BF6 2", "BF7", True),
    ],
)
def test_a_species_holds_three_traits_and_what_they_add(row: str, card: str, *, fits: bool) -> None:
    """Three, and what the traits add, the new card included; Surface and Deep count alike, repeats too."""
    state = make_state(row, "TE5 3", hands=[card], score_piles=(9,), cambrian_happened=True)
    assert any(text.startswith(f"evolve {card} A1") for text in legal_texts(state)) == fits
    assert any(text.startswith(f"create {card}") for text in legal_texts(state))


@pytest.mark.parametrize(("scenario", "fits"), [("GDI", True), ("SGP", False)])
def test_scenario_cards_change_the_limit(scenario: str, *, fits: bool) -> None:
    """Four traits with Genetic Diversity, two with Shallow Gene Pool."""
    row = "BF5 BF6 BF7 2" if fits else "BF5 BF6 2"
    state = make_state(
        row, "TE5 3", hands=["IN5"], scenarios=("INA", scenario), zone_populations=(20, 20, 0, 20)
    )
    assert ("evolve IN5 A1" in legal_texts(state)) == fits
    assert "evolve SP5 A1" in legal_texts(
        make_state(row, "TE5 3", hands=["SP5"], scenarios=("INA", scenario), zone_populations=(20, 20, 0, 20))
    )


def test_traits_go_on_own_species_only() -> None:
    """A trait goes on an own species only."""
    assert not any("B1" in text for text in legal_texts(make_state("SP5 3", "TE5 3", hands=["IN5"])))


def test_slots_that_go_take_traits_with_them() -> None:
    """Without Atavism's two slots one trait of four is too many: its owner says at once which."""
    state = act(make_state("ATA BF5 BF6 IN7 AP8 2", "TE5 3", hands=["IN5"]), "drop A1 ATA")
    assert {*legal_texts(state)} == {"drop A1 BF5", "drop A1 BF6", "drop A1 IN7", "drop A1 AP8"}
    state = act(state, "drop A1 BF6")
    assert (traits(state, "A1"), state.position.discard_pile) == (("BF5", "IN7", "AP8"), ("BF6",))
    assert state.position.plays_left == 1


def test_a_lower_limit_acts_at_once() -> None:
    """Shallow Gene Pool comes up: the active player chooses what goes; who is within the limit keeps all."""
    state = make_state(
        "BF5 IN7 AP8 2",
        "TE5 SP6 SP7 TE8 3",
        hands=["IN5"],
        scenarios=("INA", "SGP"),
        zone_populations=(20, 20, 5, 20),
    )
    state = act(state, "migrate IN5 z2 z1")
    assert {*legal_texts(state)} == {"drop A1 BF5", "drop A1 IN7", "drop A1 AP8"}
    state = act(state, "drop A1 IN7")
    assert traits(state, "A1") == ("BF5", "AP8")
    assert traits(state, "B1") == ("TE5", "SP6", "SP7", "TE8")


def test_a_lower_limit_takes_the_newest_trait_of_the_others() -> None:
    """Two slots and one for Speed: the fourth and newest trait goes, nobody is asked."""
    state = make_state(
        "BF5 2",
        "TE5 SP6 IN8 TE8 3",
        hands=["IN5"],
        scenarios=("INA", "SGP"),
        zone_populations=(20, 20, 5, 20),
    )
    state = act(state, "migrate IN5 z2 z1")
    assert traits(state, "B1") == ("TE5", "SP6", "IN8")


# The cost of a Deep card ----------------------------------------------------------------------------


@pytest.mark.parametrize("zone", [zone.value for zone in Zone])
@pytest.mark.parametrize("act_text", ["evolve DEN A1", "create DEN 0"])
def test_the_cost_goes_to_one_zone(act_text: str, zone: str) -> None:
    """A card's cost goes from the score pile to any one zone, the Reef included."""
    state = make_state("SP5 3", "TE5 3", hands=["DEN"], score_piles=(3, 9), cambrian_happened=True)
    after = act(state, f"{act_text} {zone}")
    assert after.score_piles == (1, 9)
    assert after.position.zone_populations[ZONE_INDEX[Zone(zone)]] == 22
    assert after.position.out_of_game == ()


def test_evolving_needs_its_cost() -> None:
    """One short of the cost: only migration is left; bonus points and boards pay nothing."""
    state = make_state("SP5 9", "TE5 3", hands=["DEN"], score_piles=(1, 9), cambrian_happened=True)
    assert legal_verbs(state) == {"migrate", "drop"}
    assert "evolve DEN A1 z1" in legal_texts(
        make_state("SP5 9", "TE5 3", hands=["DEN"], score_piles=(2,), cambrian_happened=True)
    )


def test_the_last_point_may_be_spent() -> None:
    """A score pile that just covers the cost can pay it."""
    state = act(
        make_state("SP5 9", "TE5 3", hands=["DEN"], score_piles=(2,), cambrian_happened=True),
        "create DEN 1 z3",
    )
    assert state.score_piles[0] == 0


def test_a_cost_switches_a_scenario_card_off() -> None:
    """Paid into an empty zone it ends what was active there."""
    state = make_state(
        "SP5 9",
        "TE5 3",
        hands=["DEN"],
        score_piles=(2,),
        cambrian_happened=True,
        zone_populations=EMPTY_ZONE_1,
    )
    assert state.position.active_scenarios == ("INA",)
    assert act(state, "evolve DEN A1 z1").position.active_scenarios == ()


# Removing traits ------------------------------------------------------------------------------------


def test_traits_are_removed_at_any_time_in_the_phase() -> None:
    """Before the first card, after the last one; it is no play, and a species without traits stays."""
    state = act(make_state("SP5 3", "TE5 3", hands=["IN5"]), "drop A1 SP5")
    assert (state.position.plays_left, traits(state, "A1")) == (1, ())
    assert state.position.discard_pile[-1] == "SP5"
    state = act(state, "evolve IN5 A1")
    state = act(state, "drop A1 IN5")
    assert just_moved_to(act(state, "forage A1 reef"), "A1", "forage") == 1


def test_no_trait_is_removed_once_feeding_has_begun() -> None:
    """After the first feeding nothing can be removed."""
    state = act(make_state("TE5 SP5 0", "TE6 3", hands=["IN5"]), "evolve IN5 A1")
    assert "drop A1 TE5" in legal_texts(state)
    assert "drop" not in legal_verbs(act(state, "forage A1 reef"))


def test_traits_are_removed_before_leeching() -> None:
    """With something that acts before feeding there is a last moment for it; another's traits stay."""
    state = act(make_state("PA5 0", "TE6 3", hands=["IN5"]), "create IN5 1")
    removals = [text for text in legal_texts(state) if text.startswith("drop")]
    assert removals == ["drop A1 PA5", "drop A2 IN5"]
    assert population(act(state, "done"), "A1") == 2
    assert population(act(state, "drop A1 PA5"), "A1") == 0


def test_a_removed_deep_trait_leaves_the_game() -> None:
    """It goes to no pile, and its cost does not come back."""
    state = act(make_state("MEG 3", "TE5 3", hands=["IN5"], score_piles=(4,)), "drop A1 MEG")
    assert (state.position.out_of_game, state.position.discard_pile, state.score_piles[0]) == (
        ("MEG",),
        (),
        4,
    )


def test_removing_filter_feeder_overpopulates_at_once() -> None:
    """Without Filter Feeder ten are too many: checked at once."""
    state = act(make_state("FF5 SP5 10", "TE5 3", hands=["IN5"]), "drop A1 FF5")
    state = act(state, "spill z2")
    assert (population(state, "A1"), state.position.zone_populations[2], state.position.plays_left) == (
        5,
        25,
        1,
    )
