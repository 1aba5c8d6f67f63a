"""Foraging beyond the Reef, and being foraged."""

import pytest

from rules.oceans.events import CambrianExploded
from tests.rules.oceans.positions import (
    act,
    is_alive,
    just_moved_from,
    just_moved_to,
    legal_feedings,
    legal_texts,
    make_feeding_state,
    make_state,
    make_state_after_card_phase,
    play_line,
    population,
    traits,
)

# Deep Diver ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trait_text", "taken_amount"),
    [("DIV", 2), ("DIV SY5", 2), ("DIV HAR", 4), ("DIV HAR GRA SP5", 8), ("HAR GRA", 1)],
)
def test_deep_diver_forages_2_for_each_deep_trait(trait_text: str, taken_amount: int) -> None:
    """Itself counts, Surface traits do not; other icons are added."""
    assert (
        just_moved_from(act(make_feeding_state(f"{trait_text} 0", "5"), "forage A1 reef"), "reef", "forage")
        == taken_amount
    )


def test_deep_diver_is_bound_by_a_struck_out_forage() -> None:
    """Never foraging wins."""
    assert not any(text.startswith("forage") for text in legal_feedings(make_feeding_state("DIV AP5 0", "5")))


def test_deep_diver_forages_in_one_zone_of_its_choice() -> None:
    """The Reef or any Ocean zone with population; what that zone lacks does not come from another."""
    state = make_feeding_state("DIV HAR 0", "5", zone_populations=(20, 3, 0, 20), cambrian_happened=True)
    assert [text for text in legal_feedings(state) if "forage" in text] == [
        "forage A1 reef",
        "forage A1 z1",
        "forage A1 z3",
    ]
    after = act(state, "forage A1 z1")
    assert just_moved_from(after, "z1", "forage") == 3
    assert after.position.zone_populations[0] == 20


def test_deep_diver_may_bring_the_cambrian_explosion() -> None:
    """It empties zone 1, and this turn's Aging takes 2 already."""
    start = make_feeding_state("DIV HAR 0", "5", zone_populations=(20, 4, 20, 20), scenarios=("ABU", "INB"))
    state = act(start, "forage A1 z1")
    assert CambrianExploded() in state.position.trail
    assert (population(state, "A1"), state.score_piles[0]) == (2, 2)


def test_others_forage_in_the_reef_only() -> None:
    """It is not the table that changes but the species."""
    assert legal_feedings(make_feeding_state("HAR 0", "DIV 0")) == ["forage A1 reef"]


# Luminous Bacteria --------------------------------------------------------------------------------


def test_luminous_bacteria_forages_anywhere() -> None:
    """It may forage in the Reef or in any one Ocean zone that holds population."""
    state = make_feeding_state("LUM SP5 1 | 2", "9", zone_populations=(20, 20, 0, 1))
    forage_texts = [text for text in legal_texts(state) if text.startswith("forage")]
    assert forage_texts == ["forage A1 reef", "forage A1 z1", "forage A1 z3", "forage A2 reef"]
    assert just_moved_to(act(state, "forage A1 z3"), "A1", "forage") == 1  # one zone for one forage
    assert just_moved_to(act(state, "forage A1 z1"), "A1", "forage") == 2


def test_luminous_bacteria_can_set_off_the_explosion() -> None:
    """Foraging the last token of zone 1 away is the Cambrian Explosion."""
    state = act(make_feeding_state("LUM 3", "9", zone_populations=(20, 1, 20, 20)), "forage A1 z1")
    assert state.position.cambrian_happened
    assert just_moved_to(state, "A", "aging") == 3  # Cambrian 2, and the card of the dry zone


def test_luminous_bacteria_has_one_more_slot() -> None:
    """It goes onto a full species, and a fourth trait goes onto its species, but no fifth."""
    state = make_state(
        "SP5 IN5 1 | IN6 IN7 IN8 1",
        "1",
        cambrian_happened=True,
        plays_left=2,
        hands=("LUM BF5",),
        score_piles=(1,),
    )
    assert "evolve BF5 A2" not in legal_texts(state)
    state = act(state, "evolve LUM A2 reef")
    assert "evolve BF5 A2" not in legal_texts(state)  # LUM itself fills the slot
    with_free_slot = make_state("LUM IN6 IN7 1", "1", hands=("BF5",))
    assert traits(act(with_free_slot, "evolve BF5 A1"), "A1")[-1] == "BF5"


def test_losing_luminous_bacteria_costs_a_trait() -> None:
    """Without it its species has three slots: a fourth of four stays, a fourth of more must go."""
    state = play_line(make_state("LUM SP5 IN5 IN6 BF5 1", "1", plays_left=0), "drop A1 LUM")
    assert len(traits(state, "A1")) == 4  # Speed has a slot of its own
    state = play_line(make_state("LUM IN7 IN5 IN6 1", "1", plays_left=0), "drop A1 LUM")
    assert len(traits(state, "A1")) == 3
    assert is_alive(state, "A1")


# Migratory Filter Feeder --------------------------------------------------------------------------


def test_migratory_filter_feeder_forages_6_from_any_zone() -> None:
    """Forage 6 from any one zone, no attack, 19 spaces."""
    state = make_feeding_state("MIG 12", "9", zone_populations=(1, 20, 20, 20))
    assert legal_texts(state) == ("forage A1 reef", "forage A1 z1", "forage A1 z2", "forage A1 z3", "skip")
    state = act(state, "forage A1 z2")
    assert population(state, "A1") == 17  # 18 do not overflow, 1 is aged


def test_migratory_filter_feeder_overpopulates() -> None:
    """Unlike the Filter Feeders it overpopulates, with the 19th, down to 5."""
    state = act(make_feeding_state("MIG 15", "9"), "forage A1 z1")
    assert just_moved_to(state, "A1", "forage") == 4
    state = act(state, "spill z3")
    assert just_moved_to(state, "z3", "overflow") == 14
    assert population(state, "A1") == 4  # 5, less aging


# Zooplankton --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "gained_amount"),
    [("migrate IN5 z1 reef", 3), ("migrate IN5 z3 reef", 3), ("migrate IN5 reef z1", 0)],
)
def test_zooplankton_gains_when_the_reef_is_fed(action: str, gained_amount: int) -> None:
    """It gains 3 after any player's migration to the Reef; after another one nothing."""
    state = act(make_state("1 | 1", "ZOO 2", hands=("IN5",)), action)
    assert just_moved_to(state, "B1", "ZOO") == gained_amount


def test_zooplankton_gains_from_card_migrations_only() -> None:
    """Living Ecosystem moves population too, but that is no migration."""
    state = make_state_after_card_phase("LIV 1 | ZOO 0", "1", zone_populations=(20, 20, 0, 0))
    assert (just_moved_to(state, "reef", "LIV"), just_moved_to(state, "A2", "ZOO")) == (2, 0)


def test_zooplankton_is_foraged_by_its_neighbours() -> None:
    """Either neighbour may forage from its board, as much as its Forage; nobody else, and it is no prey."""
    state = make_feeding_state("FF5 1 | 1 | 1", "ZOO 4 | 9")
    assert legal_texts(state, "forage") == (
        "forage A1 reef",
        "forage A2 reef",
        "forage A3 reef",
        "forage A3 B1",
    )
    assert "attack A3 B1" not in legal_texts(state)
    state = act(make_feeding_state("FF5 1 | WC5 0", "9 | ZOO 4"), "forage A1 B2")
    assert (just_moved_to(state, "A1", "forage"), population(state, "B2")) == (4, 0)
    assert just_moved_to(state, "A2", "WC5") == 3  # it is a forage like any other


def test_zooplankton_with_nothing_feeds_nobody() -> None:
    """An empty board cannot be foraged; it lives on."""
    assert legal_texts(make_feeding_state("1", "ZOO 0"), "forage") == ("forage A1 reef",)


def test_zooplankton_neither_feeds_nor_is_attacked() -> None:
    """Forage and Attack are struck out; nobody attacks it."""
    assert legal_texts(make_feeding_state("ZOO SP5 3", "9")) == ("skip",)
    assert not legal_texts(make_feeding_state("APX 3", "ZOO 4"), "attack")
    assert is_alive(act(make_feeding_state("2", "ZOO 1"), "forage A1 B1"), "B1")
