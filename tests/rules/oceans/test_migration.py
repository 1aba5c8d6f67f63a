"""Migration: population moves between zones, and what that sets off."""

import pytest

from rules.oceans.places import Zone
from tests.rules.oceans.positions import (
    act,
    legal_texts,
    make_state,
)

ZONE_PAIRS = [(one.value, other.value) for one in Zone for other in Zone if one is not other]


@pytest.mark.parametrize(("source", "target"), ZONE_PAIRS)
def test_migration_between_any_two_zones(source: str, target: str) -> None:
    """The card's number, in either direction; nothing else joins in; the card is discarded."""
    state = act(make_state("SP5 3", "TE5 3", hands=["IN7"]), f"migrate IN7 {source} {target}")
    population_by_zone = dict(
        zip((zone.value for zone in Zone), state.position.zone_populations, strict=True)
    )
    assert (population_by_zone[source], population_by_zone[target]) == (13, 27)
    assert sum(population_by_zone.values()) == 80
    assert state.position.discard_pile == ("IN7",)


def test_migration_from_a_zone_that_holds_less() -> None:
    """From a zone with less than the card's number everything migrates, and nothing from elsewhere."""
    state = act(
        make_state("SP5 3", "TE5 3", hands=["IN11"], zone_populations=(20, 20, 20, 4)), "migrate IN11 z3 z1"
    )
    assert state.position.zone_populations == (20, 24, 20, 0)


def test_nothing_migrates_from_an_empty_zone() -> None:
    """An empty zone can receive population but not give it."""
    offered_texts = legal_texts(make_state("SP5 3", "TE5 3", hands=["IN5"], zone_populations=(0, 20, 20, 20)))
    assert not any(text.startswith("migrate IN5 reef") for text in offered_texts)
    assert "migrate IN5 z1 reef" in offered_texts


def test_a_deep_card_migrates_its_number_for_nothing() -> None:
    """It leaves the game; no cost is paid."""
    state = make_state("SP5 3", "TE5 3", hands=["KRA"], cambrian_happened=True)
    state = act(state, "migrate KRA z1 reef")
    assert state.position.zone_populations == (25, 15, 20, 20)
    assert (state.position.out_of_game, state.position.discard_pile, state.score_piles[0]) == (
        ("KRA",),
        (),
        0,
    )


def test_with_all_zones_empty_a_card_may_be_discarded() -> None:
    """It has no effect then; it may also evolve a species."""
    state = make_state(
        "SP5 3",
        "TE5 3",
        hands=["IN5"],
        zone_populations=(0, 0, 0, 0),
        end_triggered=True,
        cambrian_happened=True,
    )
    assert {*legal_texts(state)} == {
        "create IN5 0",
        "create IN5 1",
        "evolve IN5 A1",
        "cast IN5",
        "drop A1 SP5",
    }
    state = act(state, "cast IN5")
    assert (state.position.discard_pile, state.position.zone_populations) == (("IN5",), (0, 0, 0, 0))


def test_one_token_switches_a_scenario_card_off() -> None:
    """And migrating the last one out switches it on, at once."""
    state = make_state("SP5 3", "TE5 3", hands=["IN5 IN6"], zone_populations=(20, 20, 0, 5), plays_left=2)
    assert state.position.active_scenarios == ("INB",)
    state = act(state, "migrate IN5 z3 z2")
    assert state.position.active_scenarios == ()
    assert act(state, "migrate IN6 z2 z3").position.active_scenarios == ("INB",)
