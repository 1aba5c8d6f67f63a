"""The board check's look at the zones: what emptied ones bring, in order, until nothing changes."""

from typing import Any

from msgspec.structs import replace

from rules.oceans.actions import Scramble
from rules.oceans.events import (
    CambrianExploded,
    EndTriggered,
    ScenarioActivated,
    ScenarioDeactivated,
    ScenarioFired,
)
from rules.oceans.model import MAX_SCENARIO_EVENTS, StandingAnswers
from rules.oceans.places import Zone
from rules.oceans.rules import State
from rules.oceans.steps import PlacingOverflow, Playing
from tests.rules.oceans.positions import (
    SPILL_TEXTS,
    act,
    active_scenario_setup,
    apply_chance,
    events,
    is_alive,
    just_moved_from,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    nearly_active_scenario_setup,
    parse_cards,
    play_line,
    population,
    traits,
)

ZONE_1_NEARLY_EMPTY: dict[str, Any] = {"scenarios": ("LHM", "INA"), "zone_populations": (20, 3, 20, 20)}
"""3 left in zone 1, and no card there that changes numbers."""


# Emptied zones --------------------------------------------------------------------------------------


def empty_zone_by_feeding(**setup: Any) -> State:
    """Fill A1's board by a forage; B1 gains the last 3 of the Ocean's lowest zone that holds any."""
    return act(make_feeding_state("SP5 SP6 7 | IN5 3", "WC5 1", **setup), "forage A1 reef")


def test_a_zone_refilled_by_overflow_was_emptied() -> None:
    """Overpopulation comes before the look at the zones, but tokens put back do not undo the emptying."""
    state = empty_zone_by_feeding(zone_populations=(20, 3, 20, 20))
    assert state.position.zone_populations[1] == 0
    assert not events(state, CambrianExploded), "the overflow comes first"
    for zone in ("z1", "reef"):
        assert events(act(state, f"spill {zone}"), CambrianExploded) == [CambrianExploded()]


def test_a_refilled_zone_fires_its_event() -> None:
    """The same for a Scenario event: once for one emptying, and not again at the next check."""
    setup: dict[str, Any] = {"scenarios": ("AST", "INA"), "zone_populations": (20, 3, 20, 20)}
    for zone in ("z1", "z2"):
        state = act(empty_zone_by_feeding(**setup), f"spill {zone}")
        assert events(state, ScenarioFired) == [ScenarioFired("AST")]
    assert not events(act(state, "draw"), ScenarioFired)


def test_a_refilled_zone_keeps_its_blue_card_off() -> None:
    """A blue card is read as its zone is at the check: emptied and refilled before, it never acts."""
    setup: dict[str, Any] = {"scenarios": ("INA", "INB"), "zone_populations": (20, 3, 20, 20)}
    refilled_state = act(empty_zone_by_feeding(**setup), "spill z1")
    assert not events(refilled_state, ScenarioActivated, ScenarioDeactivated)
    assert refilled_state.position.active_scenarios == ()
    assert act(empty_zone_by_feeding(**setup), "spill z2").position.active_scenarios == ("INA",)


def test_an_ocean_refilled_by_overflow_is_the_end() -> None:
    """The same for the end of the game."""
    setup: dict[str, Any] = {"zone_populations": (20, 3, 0, 0), "cambrian_happened": False}
    state = act(empty_zone_by_feeding(**setup), "spill z3")
    assert state.position.end_triggered
    assert state.position.zone_populations[3] == 65
    state = act(empty_zone_by_feeding(**setup), "spill reef")
    assert state.position.end_triggered
    assert state.position.zone_populations[3] == 60


def test_zones_empty_one_after_the_other_are_not_the_end() -> None:
    """Zone 1 is refilled before zone 3 runs dry: the Ocean was never empty as a whole."""
    setup: dict[str, Any] = {"scenarios": ("INA", "INB"), "zone_populations": (20, 3, 0, 5)}
    hands = ("SP5 SP6 SP7",)
    state = make_state("IN5 9", "", hands=hands, plays_left=3, cambrian_happened=True, **setup)
    for line in ("migrate SP5 z1 z3", "migrate SP6 z3 z1", "migrate SP7 z3 z1"):
        state = act(state, line)
    assert state.position.zone_populations == (20, 8, 0, 0)
    assert not state.position.end_triggered


def test_a_move_within_the_ocean_is_not_the_end() -> None:
    """The last population of the Ocean goes from zone to zone: the Ocean holds it all the time."""
    setup: dict[str, Any] = {"scenarios": ("INA", "INB"), "zone_populations": (20, 0, 0, 5)}
    for line, populations in (("migrate SP6 z3 z2", (20, 0, 5, 0)), ("migrate SP6 z3 z1", (20, 5, 0, 0))):
        state = act(make_state("IN5 9", "", hands=("SP6",), cambrian_happened=True, **setup), line)
        assert not events(state, EndTriggered)
        assert state.position.zone_populations == populations


def test_a_payment_switches_a_blue_card_off_before_the_gain() -> None:
    """Paying for a Deep trait into its zone ends Abundance before the gain that the trait brings."""
    setup: dict[str, Any] = {
        "hands": ("GRA",),
        "score_piles": (5,),
        "cambrian_happened": True,
        **active_scenario_setup("ABU"),
    }
    state = make_state("BIO 1", "", **setup)
    for zone, gain in (("z2", 1), ("z3", 2)):
        assert just_moved_to(act(state, f"evolve GRA A1 {zone}"), "A1", "BIO") == gain
    assert events(act(state, "evolve GRA A1 z2"), ScenarioDeactivated) == [ScenarioDeactivated("ABU")]


def test_the_explosion_comes_before_the_cards_and_the_cards_before_the_end() -> None:
    """Cambrian Explosion, Scenario card of zone 1, that of zone 2, the end."""
    setup: dict[str, Any] = {"scenarios": ("AST", "PDS"), "zone_populations": (20, 2, 1, 0)}
    state = act(empty_zone_by_feeding(**setup), "spill reef")
    kinds = (CambrianExploded, ScenarioFired, EndTriggered)
    assert events(state, *kinds) == [
        CambrianExploded(),
        ScenarioFired("AST"),
        ScenarioFired("PDS"),
        EndTriggered(),
    ]
    assert [just_moved_from(state, key, "AST") for key in ("A1", "A2", "B1")] == [3, 3, 3]
    assert [just_moved_from(state, key, "PDS") for key in ("A1", "A2", "B1")] == [2, 0, 0], (
        "the species with most by then"
    )


def test_the_end_comes_after_a_scenario_card_that_chance_decides() -> None:
    """The Ocean was dry at the look at the zones: overflow after it is too late to stop the end."""
    setup: dict[str, Any] = {
        "scenarios": ("INA", "RBL"),
        "zone_populations": (20, 0, 3, 0),
        "cambrian_happened": True,
    }
    state = act(make_state("FF5 10 | SY5 1", "", hands=("SP5",), **setup), "migrate SP5 z2 reef")
    assert not events(state, EndTriggered), "the shuffle comes first"
    state = apply_chance(state, Scramble(parse_cards("SY5 FF5")))
    assert events(state, EndTriggered)
    assert isinstance(state.position.agenda[-1], PlacingOverflow)
    assert state.position.reserve == 0


def test_overflow_comes_before_scenario_cards() -> None:
    """Food Surge doubles what overpopulation has left, and those it fills are asked about again."""
    state = empty_zone_by_feeding(scenarios=("FOOD", "INA"), zone_populations=(20, 3, 20, 20))
    assert not events(state, ScenarioFired)
    state = act(state, "spill z3")
    assert [just_moved_from(state, zone, "FOOD") for zone in ("z1", "z2", "z3")] == [0, 12, 0]
    assert [just_moved_to(state, key, "FOOD") for key in ("A1", "A2", "B1")] == [5, 3, 4]
    assert set(legal_texts(state)) == SPILL_TEXTS
    assert population(act(state, "spill z1"), "A1") == 5 - 2, "the Cambrian Explosion has come"


def test_food_surge_over_a_dry_ocean_brings_the_reserve_in() -> None:
    """The reserve comes in at the moment at which it is needed, and the end is triggered once."""
    state = make_state(
        "IN5 4", "SY5 3", hands=("SP5",), scenarios=("INA", "FOOD"), zone_populations=(20, 0, 3, 0)
    )
    state = act(state, "migrate SP5 z2 reef")
    assert len(events(state, EndTriggered)) == 1
    assert [population(state, key) for key in ("A1", "B1")] == [8, 6]
    assert state.position.zone_populations == (23, 0, 0, 53)


def test_the_end_is_triggered_once() -> None:
    """With the reserve gone a dry Ocean brings nothing new, whatever the Reef holds."""
    state = make_state(
        "IN5 1", "", hands=("SP5",), zone_populations=(0, 3, 0, 0), end_triggered=True, cambrian_happened=True
    )
    state = act(state, "migrate SP5 z1 reef")
    assert not events(state, EndTriggered)
    assert state.position.zone_populations == (3, 0, 0, 0)
    state = make_state("IN5 1", "", hands=("SP5",), zone_populations=(0, 0, 0, 3))
    state = act(state, "migrate SP5 z3 reef")
    assert events(state, EndTriggered)
    assert state.position.zone_populations == (3, 0, 0, 60)


# Cambrian Explosion ---------------------------------------------------------------------------------


def test_an_explosion_in_the_card_phase_demands_a_second_card() -> None:
    """A second card must be played this turn, which may be a Deep one, and Aging takes 2."""
    state = make_state("IN5 5", "", hands=("SP5 SY5 GRA",), score_piles=(1,), **ZONE_1_NEARLY_EMPTY)
    assert not [each for each in legal_texts(state) if "GRA" in each]
    state = act(state, "migrate SP5 z1 z3")
    assert events(state, CambrianExploded)
    assert isinstance(state.position.agenda[-1], Playing)
    assert "done" not in legal_texts(state)
    assert "evolve GRA A1 z3" in legal_texts(state)
    state = play_line(state, "migrate GRA z2 z3; skip")
    assert just_moved_to(state, "A", "aging") == 2


def test_an_explosion_while_feeding_demands_no_card() -> None:
    """No more cards this turn; Aging takes 2 already."""
    state = act(make_feeding_state("SP5 SP6 0 | IN5 3", "WC5 1", **ZONE_1_NEARLY_EMPTY), "forage A1 reef")
    assert state.position.cambrian_happened
    assert just_moved_to(state, "A", "aging") == 4


def test_cambrian_is_for_good() -> None:
    """It happens once: refilling zone 1 undoes nothing, emptying it again brings no further card."""
    hand = "SP5 SP6 SP7 SY5"
    state = make_state(
        "IN5 5", "", hands=(hand,), plays_left=3, cambrian_happened=False, zone_populations=(20, 3, 20, 20)
    )
    state = act(state, "migrate SP5 z1 z3")
    assert state.position.plays_left == 3
    state = act(state, "migrate SP6 z3 z1")
    assert state.position.cambrian_happened
    state = act(state, "migrate SP7 z1 z3")
    assert not events(state, CambrianExploded)
    assert state.position.plays_left == 1


# Scenario cards -------------------------------------------------------------------------------------


def test_a_blue_card_goes_on_and_off() -> None:
    """On with the last population out of its zone, off with the first one in."""
    state = make_state(
        "IN5 5",
        "",
        hands=("SP5 GRA SY5",),
        plays_left=3,
        cambrian_happened=True,
        **nearly_active_scenario_setup("INC"),
    )
    state = act(state, "migrate SP5 z2 z3")
    assert events(state, ScenarioActivated) == [ScenarioActivated("INC")]
    assert state.position.active_scenarios == ("INC",)
    state = act(state, "migrate GRA z3 z2")
    assert state.position.zone_populations[2] == 1
    assert events(state, ScenarioDeactivated) == [ScenarioDeactivated("INC")]
    assert state.position.active_scenarios == ()


def test_a_blue_card_is_active_for_the_next_card() -> None:
    """There is a board check between two cards."""
    state = make_state(
        "IN5 IN6 IN7 5",
        "",
        hands=("SP5 SY5",),
        plays_left=2,
        cambrian_happened=True,
        **nearly_active_scenario_setup("GDI"),
    )
    assert "evolve SY5 A1" not in legal_texts(state)
    assert "evolve SY5 A1" in legal_texts(act(state, "migrate SP5 z2 z3"))


def test_overflow_switches_a_blue_card_off() -> None:
    """Tokens returned into its zone count like any."""
    state = act(
        act(make_feeding_state("SP5 SP6 7 | IN5 1", "", **active_scenario_setup("INC")), "forage A1 reef"),
        "spill z2",
    )
    assert events(state, ScenarioDeactivated) == [ScenarioDeactivated("INC")]
    assert just_moved_to(state, "A", "aging") == 2, "in time for Aging"


def test_blue_cards_of_both_zones_add_up() -> None:
    """Blue cards of both zones add up, and each goes by its own zone."""
    setup: dict[str, Any] = {
        "scenarios": ("INA", "INC"),
        "zone_populations": (20, 0, 0, 20),
        "cambrian_happened": True,
    }
    state = act(make_state("IN5 9", "", hands=("SP5",), **setup), "migrate SP5 z3 z1")
    assert state.position.active_scenarios == ("INC",)
    state = act(make_state("IN5 9", "", hands=("SP5",), **setup), "migrate SP5 z3 reef")
    assert state.position.active_scenarios == ("INA", "INC")
    assert just_moved_to(act(state, "skip"), "A", "aging") == 2 + 1 + 2


def test_zone_three_has_no_card() -> None:
    """When zone 3 is emptied nothing happens."""
    state = make_state(
        "IN5 4", "", hands=("SP5",), scenarios=("AST", "PDS"), zone_populations=(20, 20, 20, 3)
    )
    state = act(state, "migrate SP5 z3 z1")
    assert not events(state, ScenarioFired, ScenarioActivated, CambrianExploded, EndTriggered)


def test_an_event_fires_at_each_emptying() -> None:
    """Not while its zone stays empty, but when it has been filled and is emptied once more."""
    hand = "SP5 SP6 SP7 GRA"
    state = make_state(
        "IN5 9",
        "",
        hands=(hand,),
        plays_left=4,
        cambrian_happened=True,
        **nearly_active_scenario_setup("AST"),
    )
    event_counts = []
    for line in ("migrate SP5 z2 z3", "migrate GRA z3 z1", "migrate SP6 z3 z2", "migrate SP7 z2 z3"):
        state = act(state, line)
        event_counts.append(len(events(state, ScenarioFired)))
    assert event_counts == [1, 0, 0, 1]
    assert population(state, "A1") == 3


# Again until nothing changes ------------------------------------------------------------------------


def test_an_event_that_empties_another_zone_activates_its_card() -> None:
    """Food Surge takes the last of zone 2, Contagious Proximity shrinks the boards, two overpopulate."""
    setup: dict[str, Any] = {"scenarios": ("FOOD", "PRX"), "zone_populations": (20, 3, 8, 20)}
    state = act(make_state("IN5 4 | SY5 1", "SY6 4", hands=("SP5",), **setup), "migrate SP5 z1 reef")
    assert [just_moved_to(state, key, "FOOD") for key in ("A1", "A2", "B1")] == [4, 1, 4]
    assert events(state, ScenarioFired, ScenarioActivated) == [
        ScenarioFired("FOOD"),
        ScenarioActivated("PRX"),
    ]
    state = act(state, "spill z1")
    assert [population(state, key) for key in ("A1", "A2", "B1")] == [5, 2, 5]


def test_overflow_changes_what_is_found_the_next_time() -> None:
    """Proximity finds a board full, its overflow fills the zone, and the card is off again."""
    state = make_state("IN5 8 | SY5 8", "", hands=("SP5",), **nearly_active_scenario_setup("PRX"))
    state = act(state, "migrate SP5 z2 z3")
    assert population(state, "A1") == 8
    state = act(state, "spill z2")
    assert events(state, ScenarioDeactivated) == [ScenarioDeactivated("PRX")]
    assert isinstance(state.position.agenda[-1], PlacingOverflow), (
        "who was overpopulated is asked all the same"
    )
    state = act(state, "spill reef")
    assert [population(state, key) for key in ("A1", "A2")] == [5, 5]
    assert is_alive(state, "A1")


def test_tiny_goes_when_its_species_grows() -> None:
    """A Scenario card's icon can make it too large: Tiny is discarded at the same board check."""
    setup: dict[str, Any] = {"scenarios": ("INA", "LPR"), "zone_populations": (20, 20, 3, 20)}
    state = act(make_state("IN5 1", "TIN SP6 2", hands=("SP5",), **setup), "migrate SP5 z2 z3")
    assert traits(state, "B1") == ("SP6",)
    state = act(make_state("IN5 1", "TIN SP6 2", hands=("SP5",), **setup), "migrate SP5 z3 z2")
    assert traits(state, "B1") == ("TIN", "SP6")


def test_two_events_do_not_empty_each_others_zones_for_ever() -> None:
    """Food Surge and Population Explosion that feed each other by overflow stop, and go on next turn."""
    setup: dict[str, Any] = {
        "scenarios": ("FOOD", "EXP"),
        "zone_populations": (20, 5, 14, 0),
        "end_triggered": True,
    }
    rows = ("", "IN5 5 | DRA 5", "COM BLU WHC SHC 5")
    state = make_state(*rows, hands=("SP5",), cambrian_happened=True, **setup)
    standing_answers = (StandingAnswers(), StandingAnswers(Zone.ONE), StandingAnswers(Zone.TWO))
    state = act(
        replace(state, position=replace(state.position, standing_answers=standing_answers)),
        "migrate SP5 z1 reef",
    )
    assert len(events(state, ScenarioFired)) == MAX_SCENARIO_EVENTS
    assert state.position.scenario_event_count == MAX_SCENARIO_EVENTS
    assert play_line(state, "draw").position.scenario_event_count == 0
