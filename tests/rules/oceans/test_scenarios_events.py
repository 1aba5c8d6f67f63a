"""Purple Scenario cards: what happens when their zone is emptied."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from rules.oceans.actions import Scramble
from rules.oceans.cards.decks import SCENARIO_BY_CODE
from rules.oceans.chance import is_possible
from rules.oceans.events import PopulationMoved, ScenarioFired, SpeciesHandedOver
from rules.oceans.places import place_code
from rules.oceans.rules import State
from rules.oceans.steps import Feeding, PlacingOverflow, Scrambling
from tests.rules.oceans.positions import (
    act,
    active_scenario_setup,
    apply_chance,
    inactive_scenario_setup,
    is_alive,
    just_moved_from,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    nearly_active_scenario_setup,
    parse_cards,
    parse_cause,
    population,
    resolve_chance,
    traits,
)

EVENT_CARD_CODES = [code for code, scenario in SCENARIO_BY_CODE.items() if scenario.is_event]


def empty_zone_by_migrating(*rows: str, code: str, **keywords: Any) -> State:
    """Migrate the last population out of the card's zone."""
    return act(
        make_state(*rows, hands=("SP5",), **{**nearly_active_scenario_setup(code), **keywords}),
        "migrate SP5 z2 z3",
    )


def fired_scenarios(state: State) -> list[str]:
    """Return which purple cards the last action set off."""
    return [event.scenario for event in state.position.trail if isinstance(event, ScenarioFired)]


@pytest.mark.parametrize("code", EVENT_CARD_CODES)
def test_an_event_happens_when_its_zone_is_emptied(code: str) -> None:
    """Once, when the last population leaves; it is no ongoing card."""
    state = empty_zone_by_migrating("IN5 4", "SY5 4", code=code)
    assert fired_scenarios(state) == [code]
    assert state.position.active_scenarios == ()


@pytest.mark.parametrize("code", EVENT_CARD_CODES)
def test_an_event_does_not_happen_otherwise(code: str) -> None:
    """Not while its zone holds water, not when another zone is emptied, not because it was empty before."""
    assert (
        fired_scenarios(
            act(make_state("IN5 4", "", hands=("SP5",), **inactive_scenario_setup(code)), "migrate SP5 z2 z3")
        )
        == []
    )
    setup = {**inactive_scenario_setup(code), "zone_populations": (20, 20, 20, 3)}
    assert fired_scenarios(act(make_state("IN5 4", "", hands=("SP5",), **setup), "migrate SP5 z3 z2")) == []
    assert (
        fired_scenarios(
            act(make_state("IN5 4", "", hands=("SP5",), **active_scenario_setup(code)), "migrate SP5 z3 z1")
        )
        == []
    )


# Losses ---------------------------------------------------------------------------------------------


def test_asteroid_impact_takes_3_from_species_without_a_deep_trait() -> None:
    """Each species without a Deep trait loses 3 to the Reef, or what it has; it lives on without anything."""
    state = empty_zone_by_migrating("IN5 4 | GRA IN6 4", "SY5 2 | 3", code="AST")
    assert [population(state, key) for key in ("A1", "A2", "B1", "B2")] == [1, 4, 0, 0]
    assert just_moved_to(state, "reef", "AST") == 8


def test_only_a_deep_trait_shelters_from_an_asteroid() -> None:
    """Defence, immunity and never overpopulating are no shelter."""
    state = empty_zone_by_migrating("FF5 IN5 9", "SC5 LEV 9 | SC6 9", code="AST")
    assert [just_moved_from(state, key) for key in ("A1", "B1", "B2")] == [3, 0, 3]


def test_paradigm_shift_takes_all_from_the_most_populous_species() -> None:
    """The most populous species loses everything to the Reef, and lives."""
    state = empty_zone_by_migrating("IN5 4 | SY6 7", "SY5 6", code="PDS")
    assert [population(state, key) for key in ("A1", "A2", "B1")] == [4, 0, 6]
    assert just_moved_to(state, "reef", "PDS") == 7


def test_paradigm_shift_takes_all_from_each_of_equals() -> None:
    """All species that share the highest population lose it, Deep traits or not."""
    state = empty_zone_by_migrating("IN5 4 | GRA 6", "SY5 6 | SY6 5", code="PDS")
    assert [population(state, key) for key in ("A1", "A2", "B1", "B2")] == [4, 0, 0, 5]


def test_paradigm_shift_takes_nothing_where_nobody_has_anything() -> None:
    """If nobody has anything nobody loses anything."""
    state = empty_zone_by_migrating("IN5 0", "SY5 0", code="PDS")
    assert fired_scenarios(state) == ["PDS"]
    assert just_moved_to(state, "reef") == 0


# Growth ---------------------------------------------------------------------------------------------


def test_food_surge_doubles_every_species() -> None:
    """Every species doubles, out of the lowest-numbered zone that holds any."""
    state = empty_zone_by_migrating("IN5 4 | SY6 0", "SY5 3", code="FOOD")
    assert [population(state, key) for key in ("A1", "A2", "B1")] == [8, 0, 6]
    assert state.position.zone_populations == (20, 13, 0, 23)


def test_food_surge_goes_on_in_the_next_zone() -> None:
    """When a zone runs dry the next one gives the rest, clockwise from the active player."""
    rows, zone_populations = ("IN5 4", "SY5 4"), (20, 5, 3, 20)
    state = make_state(
        *rows, player=1, hands=("", "SP5"), scenarios=("INA", "FOOD"), zone_populations=zone_populations
    )
    state = act(state, "migrate SP5 z2 z3")
    assert [just_moved_from(state, zone, "FOOD") for zone in ("z1", "z2", "z3")] == [5, 0, 3]
    moved_events = [event for event in state.position.trail if isinstance(event, PopulationMoved)]
    surge_targets = [place_code(event.target) for event in moved_events if event.cause == parse_cause("FOOD")]
    assert surge_targets == ["B1", "A1", "A1"]


def test_food_surge_fills_boards_and_they_overpopulate() -> None:
    """Nobody takes more than fits; then overpopulation is checked, the owner on turn is asked."""
    state = empty_zone_by_migrating("IN5 7 | SY6 1", "SY5 8 | FF5 6", code="FOOD")
    assert just_moved_to(state, "A1") == 3
    assert isinstance(state.position.agenda[-1], PlacingOverflow)
    state = act(state, "spill z3")
    assert [population(state, key) for key in ("A1", "A2", "B1", "B2")] == [5, 2, 5, 10]


def test_food_surge_is_no_gain() -> None:
    """What enlarges gains or reacts to them does not count."""
    state = empty_zone_by_migrating("COM 2 | SED 1", "SY5 2", code="FOOD")
    assert [population(state, key) for key in ("A1", "A2", "B1")] == [4, 2, 4]


def test_population_explosion_lets_each_gain_trait_gain_once() -> None:
    """Each trait with a Gain value gains it once, each copy for itself; others gain nothing."""
    state = empty_zone_by_migrating("BF5 WC5 0 | IN5 0", "SY5 SY6 0 | SHC 0", code="EXP")
    assert [just_moved_to(state, key) for key in ("A1", "A2", "B1", "B2")] == [5, 0, 2, 3]
    assert just_moved_from(state, "z1") == 10


def test_population_explosion_uses_raised_gain_values() -> None:
    """The gains are as large as Gain values are then, and a species' own traits enlarge them."""
    rows = ("BF5 0 | COM BF6 0", "END SY5 0 | IN5 0")
    state = make_state(
        *rows,
        hands=("SP5",),
        scenarios=("ABU", "EXP"),
        zone_populations=(20, 0, 3, 20),
        cambrian_happened=True,
    )
    state = act(state, "migrate SP5 z2 z3")
    assert [just_moved_to(state, key) for key in ("A1", "A2", "B1", "B2")] == [3, 6, 4, 0]


def test_population_explosion_fills_boards() -> None:
    """A gain stops at the last space, which then overpopulates."""
    state = empty_zone_by_migrating("IN5 1", "WC5 8", code="EXP")
    assert just_moved_to(state, "B1") == 2
    assert population(state, "B1") == 5


# Upheaval -------------------------------------------------------------------------------------------


def test_mass_migration_passes_left_most_species_to_the_next_seat() -> None:
    """Every left-most species passes to the next seat's right end, so nobody's neighbours change."""
    state = empty_zone_by_migrating("IN5 1 | IN6 2", "SY5 3", "TE5 4 | TE6 5", code="MMI")
    species_by_row = [[(each.traits, each.population) for each in row] for row in state.position.rows]
    assert species_by_row == [
        [(("IN6",), 2), (("TE5",), 4)],
        [(("IN5",), 1)],
        [(("TE6",), 5), (("SY5",), 3)],
    ]
    assert all(each.key[0] == "ABC"[seat] for seat, row in enumerate(state.position.rows) for each in row)
    keys = [each.key for row in state.position.rows for each in row]
    assert len(set(keys)) == len(keys)
    assert sum(isinstance(event, SpeciesHandedOver) for event in state.position.trail) == 3


def test_mass_migration_passes_by_who_has_nothing() -> None:
    """A seat without species hands nothing on, and still receives."""
    state = empty_zone_by_migrating("IN5 1", "", "TE5 4 | TE6 5", code="MMI")
    assert [len(row) for row in state.position.rows] == [1, 1, 1]
    assert traits(state, state.position.rows[1][0].key) == ("IN5",)


def test_mass_migration_while_playing_ends_no_feeding() -> None:
    """In the card phase it only changes who may feed what: the new owner of a species can feed it."""
    state = empty_zone_by_migrating("IN5 1 | FF6 2", "FF5 3", code="MMI")
    assert isinstance(state.position.agenda[-1], Feeding)
    keys = [each.key for each in state.position.rows[0]]
    assert {f"forage {key} reef" for key in keys} <= set(legal_texts(state))


def feed_and_empty_zone(rows: tuple[str, str], feeding: str) -> State:
    """Take a feeding whose gain empties zone 1, where Mass Migration lies."""
    setup = {"scenarios": ("MMI", "INA"), "zone_populations": (20, 2, 20, 20), "cambrian_happened": True}
    return act(make_feeding_state(*rows, **setup), feeding)


def test_mass_migration_ends_the_feeding_of_a_species_that_it_passes_on() -> None:
    """The feeder goes on with its further feedings if it stays; if it is handed on, feeding is over."""
    rows = ("BF5 2 | AP5 TE5 2", "SY5 9 | BF6 2")
    state = feed_and_empty_zone(rows, "attack A2 B1")
    assert fired_scenarios(state) == ["MMI"]
    assert isinstance(state.position.agenda[-1], Feeding)
    assert {each.split()[1] for each in legal_texts(state) if each != "skip"} == {"A2"}
    state = feed_and_empty_zone(("AP5 TE5 2 | FF5 2", "SY5 9 | BF6 2"), "attack A1 B1")
    assert fired_scenarios(state) == ["MMI"]
    assert not isinstance(state.position.agenda[-1], Feeding)


def test_mass_migration_ends_the_feeding_if_the_feeder_died() -> None:
    """A feeder that died out may leave its key to a species that was not chosen: feeding is over."""
    setup: dict[str, Any] = {
        "scenarios": ("MMI", "AGG"),
        "zone_populations": (20, 2, 0, 20),
        "cambrian_happened": True,
    }
    state = make_feeding_state("AP5 0", "DEF TE5 5 | BUR BF5 2", **setup)
    state = replace(state, position=replace(state.position, last_species_numbers=(9, 2)))
    state = act(state, "attack A1 B1")
    assert fired_scenarios(state) == ["MMI"]
    assert traits(state, "A1") == ("DEF", "TE5")
    assert not isinstance(state.position.agenda[-1], Feeding)


def test_mass_migration_keeps_the_normal_feeding_if_a_voracious_feeder_died() -> None:
    """The normal feeding is still due, and the species that gets the key of the extinct one may have it."""
    setup: dict[str, Any] = {
        "scenarios": ("MMI", "AGG"),
        "zone_populations": (20, 2, 0, 20),
        "cambrian_happened": True,
    }
    state = make_feeding_state("VOR AP5 0", "DEF TE5 5 | BUR BF5 2", **setup)
    rows = ((replace(state.position.rows[0][0], got_trait=True),), state.position.rows[1])
    state = replace(state, position=replace(state.position, rows=rows, last_species_numbers=(9, 2)))
    state = act(state, "attack A1 B1")
    assert fired_scenarios(state) == ["MMI"]
    assert traits(state, "A1") == ("DEF", "TE5")
    assert "forage A1 reef" in legal_texts(state)


def test_radiation_blast_deals_the_traits_of_each_row_anew() -> None:
    """Each row's traits are dealt back over it: no trait changes its owner, no species its number."""
    state = empty_zone_by_migrating("IN5 SY5 1 | TE5 2", "SY6 3 | AP5 WC5 4", code="RBL")
    assert isinstance(state.position.agenda[-1], Scrambling)
    assert is_possible(state, Scramble(parse_cards("TE5 IN5 SY5 WC5 SY6 AP5")))
    assert not is_possible(state, Scramble(parse_cards("SY6 IN5 SY5 WC5 TE5 AP5"))), (
        "a trait changed its owner"
    )
    assert not is_possible(state, Scramble(parse_cards("TE5 IN5 WC5 SY6 AP5")))
    state = apply_chance(state, Scramble(parse_cards("TE5 IN5 SY5 WC5 SY6 AP5")))
    assert [traits(state, key) for key in ("A1", "A2", "B1", "B2")] == [
        ("TE5", "IN5"),
        ("SY5",),
        ("WC5",),
        ("SY6", "AP5"),
    ]
    assert [population(state, key) for key in ("A1", "A2", "B1", "B2")] == [1, 2, 3, 4]


def test_a_drawn_radiation_blast_keeps_the_cards_of_each_row() -> None:
    """Chance's own outcome keeps the cards of each row."""
    before = empty_zone_by_migrating("IN5 SY5 1 | TE5 2", "SY6 3 | AP5 WC5 4", code="RBL")
    after = resolve_chance(before)
    for row_before, row_after in zip(before.position.rows, after.position.rows, strict=True):
        assert Counter(card for each in row_before for card in each.traits) == Counter(
            card for each in row_after for card in each.traits
        )


def test_radiation_blast_brings_no_new_trait() -> None:
    """No gain for a Deep or a defensive trait, and no feeding more for Voracious Feeder."""
    state = empty_zone_by_migrating(
        "VOR 1 | HAR 2", "BIO 0", code="RBL", scenarios=("GRO", "RBL"), zone_populations=(20, 0, 3, 20)
    )
    assert "nothing gains" in SCENARIO_BY_CODE["RBL"].ruling
    state = apply_chance(state, Scramble(parse_cards("HAR VOR BIO")))
    assert [population(state, key) for key in ("A1", "A2", "B1")] == [1, 2, 0]
    assert not any(species.got_trait for row in state.position.rows for species in row)


def test_radiation_blast_leaves_what_is_fixed() -> None:
    """A trait that cannot be removed stays on its species."""
    state = empty_zone_by_migrating("IN5 VES 1 | TE5 2", "", code="RBL")
    state = apply_chance(state, Scramble(parse_cards("TE5 IN5")))
    assert traits(state, "A1") == ("TE5", "VES")
    assert traits(state, "A2") == ("IN5",)


def test_radiation_blast_is_followed_by_a_board_check() -> None:
    """Who lost its extra slots or its hold on a full board pays at once."""
    state = empty_zone_by_migrating("IN5 1", "FF5 10 | IN6 1", code="RBL")
    state = apply_chance(state, Scramble(parse_cards("IN5 IN6 FF5")))
    assert population(state, "B1") == 5
    state = empty_zone_by_migrating("IN5 1", "IN6 SP6 IN7 IN8 1 | IN9 1", code="RBL")
    state = apply_chance(state, Scramble(parse_cards("IN5 IN6 IN9 IN7 IN8 SP6")))
    assert traits(state, "B1") == ("IN6", "IN9", "IN7")
    assert is_alive(state, "B2")
