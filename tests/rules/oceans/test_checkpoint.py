"""The checkpoint: slots, overpopulation, emptied zones, and again until nothing changes."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules.oceans.events import (
    Cambrian,
    EndTriggered,
    Moved,
    Overpopulated,
    ScenarioFired,
    ScenarioOff,
    ScenarioOn,
    TraitRemoved,
)
from rules.oceans.model import Orders
from rules.oceans.rules import State
from rules.oceans.steps import Feeding, Playing, Spilling, Trimming
from rules.oceans.zones import Zone
from tests.rules.oceans.positions import (
    act,
    active,
    feeding,
    legal,
    lives,
    lost,
    moved,
    nearly,
    play,
    population,
    position,
    traits,
)

SPILLS = {f"spill {zone}" for zone in ("reef", "z1", "z2", "z3")}
DRYING: dict[str, Any] = {"scenarios": ("LHM", "INA"), "water": (20, 3, 20, 20)}
"""3 left in zone 1, and no card there that changes numbers."""


def ordered(state: State, *zones: Zone) -> State:
    """Give the seats these standing answers."""
    return replace(state, table=replace(state.table, orders=tuple(Orders(zone) for zone in zones)))


def told(state: State, *kinds: type) -> list[Any]:
    """The last action's events of these kinds, in order."""
    return [event for event in state.table.trail if isinstance(event, kinds)]


# Slot limits ----------------------------------------------------------------------------------------


def test_slots_come_before_overpopulation() -> None:
    """First the owner discards a trait; if the board shrinks by it the species overpopulates after that."""
    state = act(position("BLU IN5 IN6 12", "", hands=("SP5",), **nearly("SGP")), "migrate SP5 z2 z3")
    assert isinstance(state.table.agenda[-1], Trimming)
    assert not told(state, Overpopulated)
    assert isinstance(act(state, "drop A1 IN5").table.agenda[-1], Feeding)
    state = act(state, "drop A1 BLU")
    assert isinstance(state.table.agenda[-1], Spilling)
    assert population(act(state, "spill reef"), "A1") == 5


def test_slots_of_others() -> None:
    """In another's turn the newest trait goes, and what follows from it follows at once."""
    rows = ("IN9 1", "BLU IN5 IN6 12 | SY5 SY6 DEN 12")
    state = act(position(*rows, hands=("SP5",), **nearly("SGP")), "migrate SP5 z2 z3")
    assert (traits(state, "B1"), population(state, "B1")) == (("BLU", "IN5"), 12)
    assert (traits(state, "B2"), population(state, "B2")) == (("SY5", "SY6", "DEN"), 12), "a slot of its own"
    rows = ("IN9 1", "IN5 IN6 BLU 12")
    state = act(position(*rows, hands=("SP5",), **nearly("SGP")), "migrate SP5 z2 z3")
    assert (traits(state, "B1"), population(state, "B1")) == (("IN5", "IN6"), 5)
    kinds = [type(event) for event in told(state, TraitRemoved, Overpopulated)]
    assert kinds == [TraitRemoved, Overpopulated]


def test_several_traits_too_many() -> None:
    """One is discarded after the other, as the slots then are; what cannot be removed stays."""
    state = position("DEN SP6 IN5 VES SY5 1", "SPE SY6 IN7 CTH 1", hands=("SP5",), **nearly("SGP"))
    state = act(state, "migrate SP5 z2 z3")
    assert set(legal(state)) == {f"drop A1 {card}" for card in ("DEN", "SP6", "IN5", "SY5")}
    state = act(act(state, "drop A1 DEN"), "drop A1 SP6")
    assert set(legal(state)) == {"drop A1 IN5", "drop A1 SY5"}, "two slots are gone with them"
    assert traits(act(state, "drop A1 IN5"), "A1") == ("VES", "SY5")
    assert traits(act(state, "drop A1 IN5"), "B1") == ("SPE", "SY6", "CTH"), "the newest that can go"


def test_a_removed_slot_is_checked_at_once() -> None:
    """Dropping a trait that gave two slots makes its species drop another one before anything else."""
    state = act(position("ATA IN5 SY5 WC5 TE5 1", "", hands=("IN9",)), "drop A1 ATA")
    assert set(legal(state)) == {f"drop A1 {card}" for card in ("IN5", "SY5", "WC5", "TE5")}
    assert isinstance(act(state, "drop A1 WC5").table.agenda[-1], Playing)


# Overpopulation -------------------------------------------------------------------------------------


def test_the_owner_on_turn_chooses_the_zone() -> None:
    """All four zones are offered, all that is over 5 goes to the one chosen, even a standing answer given."""
    state = ordered(feeding("SP5 SP6 7 | IN5 1", "SY5 1"), Zone.TWO, Zone.TWO)
    state = act(state, "forage A1 reef")
    assert set(legal(state)) == SPILLS
    for zone in ("reef", "z1", "z2", "z3"):
        assert moved(act(state, f"spill {zone}"), zone, "surplus") == 5


def test_one_question_per_species() -> None:
    """Several own species are asked about one after the other, left to right."""
    state = feeding("WC5 8 | SP5 SP6 7 | WC6 8 | IN5 1", "SY5 1")
    state = act(state, "forage A2 reef")
    asked = []
    while isinstance(step := state.table.agenda[-1], Spilling):
        asked.append(step.species)
        state = act(state, f"spill z{len(asked)}")
        assert moved(state, f"z{len(asked)}", "surplus") == 5
    assert asked == ["A1", "A2", "A3"]


def test_in_another_s_turn_the_surplus_goes_to_the_reef() -> None:
    """Nobody is asked."""
    state = act(feeding("SP5 SP6 0 | IN5 1", "WC5 8"), "forage A1 reef")
    assert moved(state, "reef", "surplus") == 5
    assert population(state, "B1") == 5


@pytest.mark.parametrize("zone", list(Zone))
def test_in_another_s_turn_a_standing_answer_counts(zone: Zone) -> None:
    """The surplus goes where its own owner has said, not where the others have."""
    state = ordered(feeding("SP5 SP6 0 | IN5 1", "WC5 8", "WC6 8"), Zone.REEF, zone, Zone.REEF)
    state = act(state, "forage A1 reef")
    spilled = {event.source: event.target for event in told(state, Moved) if event.cause == "surplus"}
    assert spilled == {"B1": zone.value, "C1": "reef"}


def test_a_standing_answer_is_given_in_the_own_turn() -> None:
    """Once a turn, any zone but the present one; it costs no card and holds from then on."""
    state = position("SP9 0", "WC5 8", player=1, hands=("SP7 SP8", "IN5"))
    state = replace(state, table=replace(state.table, ordered=False))
    assert {each for each in legal(state) if each.startswith("surplus")} == {
        f"surplus z{n}" for n in (1, 2, 3)
    }
    state = act(state, "surplus z3")
    assert not [each for each in legal(state) if each.startswith("surplus")]
    assert isinstance(state.table.agenda[-1], Playing)
    state = play(state, "create IN5 0; skip; draw")
    state = play(state, "evolve SP7 A1; forage A1 reef")
    assert state.table.orders[1].surplus is Zone.THREE


def test_overpopulation_of_everybody_at_once() -> None:
    """Who is overpopulated is found out for all species together, clockwise from the active player."""
    rows = ("WC5 8", "WC6 8 | SP5 SP6 7 | IN5 1", "SY5 1")
    state = act(feeding(*rows, player=1), "forage B2 reef")
    assert [event.species for event in told(state, Overpopulated)] == ["B1", "B2", "A1"]
    assert population(state, "A1") == 10, "the one on turn is asked first"
    state = act(act(state, "spill z1"), "spill z2")
    assert population(state, "A1") == 5


def test_the_feeder_s_overpopulation_ends_the_feeding() -> None:
    """It ends when the feeder itself overpopulates, not when another species does."""
    state = act(feeding("SP5 SP6 TE5 7 | IN5 1", ""), "forage A1 reef")
    assert not isinstance(act(state, "spill reef").table.agenda[-1], Feeding)
    state = act(feeding("SP5 SP6 TE5 0 | WC5 8", ""), "forage A1 reef")
    state = act(state, "spill reef")
    assert isinstance(state.table.agenda[-1], Feeding)
    assert "forage A1 reef" in legal(state)


def test_overpopulation_before_feeding_forbids_no_feeding() -> None:
    """A leech that fills its board falls to 5 before the feeding, and may be fed then."""
    state = act(position("PA5 8 | IN5 1", "SY5 1 | SY6 9", plays=0), "done")
    assert isinstance(state.table.agenda[-1], Spilling)
    state = act(state, "spill z3")
    assert population(state, "A1") == 5
    assert "forage A1 reef" in legal(state)


# Emptied zones --------------------------------------------------------------------------------------


def full_meal(**scene: Any) -> State:
    """A1's forage fills its board, and B1 gains the last 3 of the Ocean's lowest zone that holds any."""
    return act(feeding("SP5 SP6 7 | IN5 3", "WC5 1", **scene), "forage A1 reef")


def test_a_zone_refilled_by_surplus_was_not_emptied() -> None:
    """Overpopulation comes before the look at the zones: tokens put back undo the emptying."""
    state = full_meal(water=(20, 3, 20, 20))
    assert state.table.water[1] == 0
    assert not told(state, Cambrian), "the surplus comes first"
    assert not act(state, "spill z1").table.cambrian
    assert act(state, "spill reef").table.cambrian


def test_a_refilled_zone_fires_nothing() -> None:
    """The same for a Scenario event."""
    scene: dict[str, Any] = {"scenarios": ("AST", "INA"), "water": (20, 3, 20, 20)}
    assert not told(act(full_meal(**scene), "spill z1"), ScenarioFired)
    assert told(act(full_meal(**scene), "spill z2"), ScenarioFired) == [ScenarioFired("AST")]


def test_an_ocean_refilled_by_surplus_is_not_the_end() -> None:
    """The same for the end of the game."""
    scene: dict[str, Any] = {"water": (20, 3, 0, 0), "cambrian": False}
    state = act(full_meal(**scene), "spill z3")
    assert not state.table.ending
    assert state.table.cambrian, "zone 1 itself was emptied"
    state = act(full_meal(**scene), "spill reef")
    assert state.table.ending
    assert state.table.water[3] == 60


def test_the_order_of_what_emptied_zones_bring() -> None:
    """Cambrian Explosion, Scenario card of zone 1, that of zone 2, the end."""
    scene: dict[str, Any] = {"scenarios": ("AST", "PDS"), "water": (20, 2, 1, 0)}
    state = act(full_meal(**scene), "spill reef")
    kinds = (Cambrian, ScenarioFired, EndTriggered)
    assert told(state, *kinds) == [
        Cambrian(),
        ScenarioFired("AST"),
        ScenarioFired("PDS"),
        EndTriggered(),
    ]
    assert [lost(state, key, "AST") for key in ("A1", "A2", "B1")] == [3, 3, 3]
    assert [lost(state, key, "PDS") for key in ("A1", "A2", "B1")] == [2, 0, 0], "whoever has most by then"


def test_the_end_comes_after_a_scenario_card_that_chance_decides() -> None:
    """Radiation Blast is shuffled before anything else; the game still ends."""
    state = position("IN5 1 | SY5 1", "", hands=("SP5",), scenarios=("INA", "RBL"), water=(20, 0, 3, 0))
    state = play(state, "migrate SP5 z2 reef")
    assert told(state, EndTriggered)
    assert state.table.ending
    assert state.table.reserve == 0


def test_surplus_comes_before_scenario_cards() -> None:
    """Food Surge doubles what overpopulation has left, and those it fills are asked about again."""
    state = full_meal(scenarios=("FOOD", "INA"), water=(20, 3, 20, 20))
    assert not told(state, ScenarioFired)
    state = act(state, "spill z3")
    assert [lost(state, zone, "FOOD") for zone in ("z1", "z2", "z3")] == [0, 12, 0]
    assert [moved(state, key, "FOOD") for key in ("A1", "A2", "B1")] == [5, 3, 4]
    assert set(legal(state)) == SPILLS
    assert population(act(state, "spill z1"), "A1") == 5 - 2, "the Cambrian Explosion has come"


def test_food_surge_over_a_dry_ocean() -> None:
    """The reserve comes in at the moment at which it is needed, and the end is triggered once."""
    state = position("IN5 4", "SY5 3", hands=("SP5",), scenarios=("INA", "FOOD"), water=(20, 0, 3, 0))
    state = act(state, "migrate SP5 z2 reef")
    assert len(told(state, EndTriggered)) == 1
    assert [population(state, key) for key in ("A1", "B1")] == [8, 6]
    assert state.table.water == (23, 0, 0, 53)


def test_the_end_is_triggered_once() -> None:
    """With the reserve gone a dry Ocean brings nothing new, whatever the Reef holds."""
    state = position("IN5 1", "", hands=("SP5",), water=(0, 3, 0, 0), ending=True, cambrian=True)
    state = act(state, "migrate SP5 z1 reef")
    assert not told(state, EndTriggered)
    assert state.table.water == (3, 0, 0, 0)
    state = position("IN5 1", "", hands=("SP5",), water=(0, 0, 0, 3))
    state = act(state, "migrate SP5 z3 reef")
    assert told(state, EndTriggered)
    assert state.table.water == (3, 0, 0, 60)


# Cambrian Explosion ---------------------------------------------------------------------------------


def test_cambrian_in_the_card_phase() -> None:
    """A second card must be played this turn, which may be a Deep one, and Aging takes 2."""
    state = position("IN5 5", "", hands=("SP5 SY5 GRA",), scores=(1,), **DRYING)
    assert not [each for each in legal(state) if "GRA" in each]
    state = act(state, "migrate SP5 z1 z3")
    assert told(state, Cambrian)
    assert isinstance(state.table.agenda[-1], Playing)
    assert "done" not in legal(state)
    assert "evolve GRA A1 z3" in legal(state)
    state = play(state, "migrate GRA z2 z3; skip")
    assert moved(state, "A", "aging") == 2


def test_cambrian_while_feeding() -> None:
    """No more cards this turn; Aging takes 2 already."""
    state = act(feeding("SP5 SP6 0 | IN5 3", "WC5 1", **DRYING), "forage A1 reef")
    assert state.table.cambrian
    assert moved(state, "A", "aging") == 4


def test_cambrian_is_for_good() -> None:
    """It happens once: refilling zone 1 undoes nothing, emptying it again brings no further card."""
    hand = "SP5 SP6 SP7 SY5"
    state = position("IN5 5", "", hands=(hand,), plays=3, cambrian=False, water=(20, 3, 20, 20))
    state = act(state, "migrate SP5 z1 z3")
    assert state.table.plays == 3
    state = act(state, "migrate SP6 z3 z1")
    assert state.table.cambrian
    state = act(state, "migrate SP7 z1 z3")
    assert not told(state, Cambrian)
    assert state.table.plays == 1


# Scenario cards -------------------------------------------------------------------------------------


def test_a_blue_card_goes_on_and_off() -> None:
    """On with the last population out of its zone, off with the first one in."""
    state = position("IN5 5", "", hands=("SP5 GRA SY5",), plays=3, cambrian=True, **nearly("INC"))
    state = act(state, "migrate SP5 z2 z3")
    assert told(state, ScenarioOn) == [ScenarioOn("INC")]
    assert state.table.active == ("INC",)
    state = act(state, "migrate GRA z3 z2")
    assert state.table.water[2] == 1
    assert told(state, ScenarioOff) == [ScenarioOff("INC")]
    assert state.table.active == ()


def test_a_blue_card_is_active_for_the_next_card() -> None:
    """There is a checkpoint between two cards."""
    state = position("IN5 IN6 IN7 5", "", hands=("SP5 SY5",), plays=2, cambrian=True, **nearly("GDI"))
    assert "evolve SY5 A1" not in legal(state)
    assert "evolve SY5 A1" in legal(act(state, "migrate SP5 z2 z3"))


def test_surplus_switches_a_blue_card_off() -> None:
    """Tokens returned into its zone count like any."""
    state = act(act(feeding("SP5 SP6 7 | IN5 1", "", **active("INC")), "forage A1 reef"), "spill z2")
    assert told(state, ScenarioOff) == [ScenarioOff("INC")]
    assert moved(state, "A", "aging") == 2, "in time for Aging"


def test_both_cards_at_once() -> None:
    """Blue cards of both zones add up, and each goes by its own zone."""
    scene: dict[str, Any] = {"scenarios": ("INA", "INC"), "water": (20, 0, 0, 20), "cambrian": True}
    state = act(position("IN5 9", "", hands=("SP5",), **scene), "migrate SP5 z3 z1")
    assert state.table.active == ("INC",)
    state = act(position("IN5 9", "", hands=("SP5",), **scene), "migrate SP5 z3 reef")
    assert state.table.active == ("INA", "INC")
    assert moved(act(state, "skip"), "A", "aging") == 2 + 1 + 2


def test_zone_three_has_no_card() -> None:
    """When zone 3 is emptied nothing happens."""
    state = position("IN5 4", "", hands=("SP5",), scenarios=("AST", "PDS"), water=(20, 20, 20, 3))
    state = act(state, "migrate SP5 z3 z1")
    assert not told(state, ScenarioFired, ScenarioOn, Cambrian, EndTriggered)


def test_an_event_fires_anew_at_each_emptying() -> None:
    """Not while its zone stays empty, but when it has been filled and is emptied once more."""
    hand = "SP5 SP6 SP7 GRA"
    state = position("IN5 9", "", hands=(hand,), plays=4, cambrian=True, **nearly("AST"))
    counts = []
    for line in ("migrate SP5 z2 z3", "migrate GRA z3 z1", "migrate SP6 z3 z2", "migrate SP7 z2 z3"):
        state = act(state, line)
        counts.append(len(told(state, ScenarioFired)))
    assert counts == [1, 0, 0, 1]
    assert population(state, "A1") == 3


# Again until nothing changes ------------------------------------------------------------------------


def test_an_event_that_empties_another_zone() -> None:
    """Food Surge takes the last of zone 2, Contagious Proximity shrinks the boards, two overpopulate."""
    scene: dict[str, Any] = {"scenarios": ("FOOD", "PRX"), "water": (20, 3, 8, 20)}
    state = act(position("IN5 4 | SY5 1", "SY6 4", hands=("SP5",), **scene), "migrate SP5 z1 reef")
    assert [moved(state, key, "FOOD") for key in ("A1", "A2", "B1")] == [4, 1, 4]
    assert told(state, ScenarioFired, ScenarioOn) == [ScenarioFired("FOOD"), ScenarioOn("PRX")]
    state = act(state, "spill z1")
    assert [population(state, key) for key in ("A1", "A2", "B1")] == [5, 2, 5]


def test_surplus_of_one_round_changes_the_next() -> None:
    """Proximity finds a board full, its surplus fills the zone, and the card is off again."""
    state = position("IN5 8 | SY5 8", "", hands=("SP5",), **nearly("PRX"))
    state = act(state, "migrate SP5 z2 z3")
    assert population(state, "A1") == 8
    state = act(state, "spill z2")
    assert isinstance(state.table.agenda[-1], Spilling), "who was overpopulated is asked all the same"
    state = act(state, "spill reef")
    assert [population(state, key) for key in ("A1", "A2")] == [5, 5]
    assert told(state, ScenarioOff) == [ScenarioOff("PRX")]
    assert lives(state, "A1")


def test_tiny_goes_when_its_species_grows() -> None:
    """A Scenario card's icon can make it too large: Tiny is discarded at the same checkpoint."""
    scene: dict[str, Any] = {"scenarios": ("INA", "LPR"), "water": (20, 20, 3, 20)}
    state = act(position("IN5 1", "TIN SP6 2", hands=("SP5",), **scene), "migrate SP5 z2 z3")
    assert traits(state, "B1") == ("SP6",)
    state = act(position("IN5 1", "TIN SP6 2", hands=("SP5",), **scene), "migrate SP5 z3 z2")
    assert traits(state, "B1") == ("TIN", "SP6")
