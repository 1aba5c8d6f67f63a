"""What the board check does first: slot limits, then overpopulation."""

from typing import Any

import pytest
from msgspec.structs import replace

from rules.oceans.actions import Scramble
from rules.oceans.causes import RuleCause
from rules.oceans.events import (
    Overpopulated,
    PopulationMoved,
    TraitRemoved,
)
from rules.oceans.model import StandingAnswers
from rules.oceans.places import SpeciesBoard, Zone
from rules.oceans.rules import State
from rules.oceans.steps import Feeding, PlacingOverflow, Playing, Trimming
from tests.rules.oceans.positions import (
    SPILL_TEXTS,
    act,
    apply_chance,
    events,
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


def with_standing_answers(state: State, *zones: Zone) -> State:
    """Return the state with these standing answers of the seats."""
    return replace(
        state,
        position=replace(state.position, standing_answers=tuple(StandingAnswers(zone) for zone in zones)),
    )


# Slot limits ----------------------------------------------------------------------------------------


def test_slots_come_before_overpopulation() -> None:
    """A species with too many traits and too much population is asked about its traits first."""
    setup: dict[str, Any] = nearly_active_scenario_setup("RBL")
    state = act(
        make_state("FF5 SP6 IN5 SY5 10 | WC5 TE5 1", "", hands=("SP5",), **setup), "migrate SP5 z2 z3"
    )
    state = apply_chance(state, Scramble(parse_cards("IN5 SY5 WC5 TE5 FF5 SP6")))
    assert isinstance(state.position.agenda[-1], Trimming)
    assert not events(state, Overpopulated)
    assert isinstance(act(state, "drop A1 IN5").position.agenda[-1], PlacingOverflow)


def test_fewer_traits_can_mean_less_room() -> None:
    """If the board shrinks by what is discarded the species overpopulates after that."""
    state = act(
        make_state("BLU IN5 IN6 12", "", hands=("SP5",), **nearly_active_scenario_setup("SGP")),
        "migrate SP5 z2 z3",
    )
    assert isinstance(state.position.agenda[-1], Trimming)
    assert not events(state, Overpopulated)
    assert isinstance(act(state, "drop A1 IN5").position.agenda[-1], Feeding)
    state = act(state, "drop A1 BLU")
    assert isinstance(state.position.agenda[-1], PlacingOverflow)
    assert population(act(state, "spill reef"), "A1") == 5


def test_on_anothers_turn_the_newest_trait_goes() -> None:
    """Nobody is asked, and what follows from it follows at once."""
    rows = ("IN9 1", "BLU IN5 IN6 12 | SY5 SY6 DEN 12")
    state = act(make_state(*rows, hands=("SP5",), **nearly_active_scenario_setup("SGP")), "migrate SP5 z2 z3")
    assert (traits(state, "B1"), population(state, "B1")) == (("BLU", "IN5"), 12)
    assert (traits(state, "B2"), population(state, "B2")) == (("SY5", "SY6", "DEN"), 12), "a slot of its own"
    rows = ("IN9 1", "IN5 IN6 BLU 12")
    state = act(make_state(*rows, hands=("SP5",), **nearly_active_scenario_setup("SGP")), "migrate SP5 z2 z3")
    assert (traits(state, "B1"), population(state, "B1")) == (("IN5", "IN6"), 5)
    kinds = [type(event) for event in events(state, TraitRemoved, Overpopulated)]
    assert kinds == [TraitRemoved, Overpopulated]


def test_several_traits_too_many_go_one_after_the_other() -> None:
    """One is discarded after the other, as the slots then are; what cannot be removed stays."""
    state = make_state(
        "DEN SP6 IN5 VES SY5 1", "SPE SY6 IN7 CTH 1", hands=("SP5",), **nearly_active_scenario_setup("SGP")
    )
    state = act(state, "migrate SP5 z2 z3")
    assert set(legal_texts(state)) == {f"drop A1 {card}" for card in ("DEN", "SP6", "IN5", "SY5")}
    state = act(act(state, "drop A1 DEN"), "drop A1 SP6")
    assert set(legal_texts(state)) == {"drop A1 IN5", "drop A1 SY5"}, "two slots are gone with them"
    assert traits(act(state, "drop A1 IN5"), "A1") == ("VES", "SY5")
    assert traits(act(state, "drop A1 IN5"), "B1") == ("SPE", "SY6", "CTH"), "the newest that can go"


def test_a_removed_slot_is_checked_at_once() -> None:
    """Dropping a trait that gave two slots makes its species drop another one before anything else."""
    state = act(make_state("ATA IN5 SY5 WC5 TE5 1", "", hands=("IN9",)), "drop A1 ATA")
    assert set(legal_texts(state)) == {f"drop A1 {card}" for card in ("IN5", "SY5", "WC5", "TE5")}
    assert isinstance(act(state, "drop A1 WC5").position.agenda[-1], Playing)


# Overpopulation -------------------------------------------------------------------------------------


def test_the_owner_on_turn_chooses_the_zone() -> None:
    """All four zones are offered, all that is over 5 goes to the one chosen, even a standing answer given."""
    state = with_standing_answers(make_feeding_state("SP5 SP6 7 | IN5 1", "SY5 1"), Zone.TWO, Zone.TWO)
    state = act(state, "forage A1 reef")
    assert set(legal_texts(state)) == SPILL_TEXTS
    for zone in ("reef", "z1", "z2", "z3"):
        assert just_moved_to(act(state, f"spill {zone}"), zone, "overflow") == 5


def test_one_question_per_species() -> None:
    """Several own species are asked about one after the other, left to right."""
    state = make_feeding_state("WC5 8 | SP5 SP6 7 | WC6 8 | IN5 1", "SY5 1")
    state = act(state, "forage A2 reef")
    asked_species = []
    while isinstance(step := state.position.agenda[-1], PlacingOverflow):
        asked_species.append(step.species)
        state = act(state, f"spill z{len(asked_species)}")
        assert just_moved_to(state, f"z{len(asked_species)}", "overflow") == 5
    assert asked_species == ["A1", "A2", "A3"]


def test_overflow_goes_to_the_reef_in_others_turns() -> None:
    """Nobody is asked."""
    state = act(make_feeding_state("SP5 SP6 0 | IN5 1", "WC5 8"), "forage A1 reef")
    assert just_moved_to(state, "reef", "overflow") == 5
    assert population(state, "B1") == 5


@pytest.mark.parametrize("zone", list(Zone))
def test_a_standing_answer_counts_in_others_turns(zone: Zone) -> None:
    """The overflow goes where its own owner has said, not where the others have."""
    state = with_standing_answers(
        make_feeding_state("SP5 SP6 0 | IN5 1", "WC5 8", "WC6 8"), Zone.REEF, zone, Zone.REEF
    )
    state = act(state, "forage A1 reef")
    moved_events = [event for event in events(state, PopulationMoved) if event.cause is RuleCause.OVERFLOW]
    zone_by_species = {event.source: event.target for event in moved_events}
    assert zone_by_species == {SpeciesBoard("B1"): zone, SpeciesBoard("C1"): Zone.REEF}


def test_a_standing_answer_is_given_in_the_own_turn() -> None:
    """Once a turn, any zone but the present one; it costs no card and holds from then on."""
    state = make_state("SP9 0", "WC5 8", player=1, hands=("SP7 SP8", "IN5"))
    state = replace(state, position=replace(state.position, gave_answers_this_turn=False))
    assert {each for each in legal_texts(state) if each.startswith("overflow")} == {
        f"overflow z{n}" for n in (1, 2, 3)
    }
    state = act(state, "overflow z3")
    assert not [each for each in legal_texts(state) if each.startswith("overflow")]
    assert isinstance(state.position.agenda[-1], Playing)
    state = play_line(state, "create IN5 0; skip; draw")
    state = play_line(state, "evolve SP7 A1; forage A1 reef")
    assert state.position.standing_answers[1].overflow_zone is Zone.THREE


def test_overpopulation_of_everybody_at_once() -> None:
    """Who is overpopulated is found out for all species together, clockwise from the active player."""
    rows = ("WC5 8", "WC6 8 | SP5 SP6 7 | IN5 1", "SY5 1")
    state = act(make_feeding_state(*rows, player=1), "forage B2 reef")
    assert [event.species for event in events(state, Overpopulated)] == ["B1", "B2", "A1"]
    assert population(state, "A1") == 10, "the one on turn is asked first"
    state = act(act(state, "spill z1"), "spill z2")
    assert population(state, "A1") == 5


def test_overpopulation_of_the_feeder_ends_the_feeding() -> None:
    """It ends when the feeder itself overpopulates, not when another species does."""
    state = act(make_feeding_state("SP5 SP6 TE5 7 | IN5 1", ""), "forage A1 reef")
    assert not isinstance(act(state, "spill reef").position.agenda[-1], Feeding)
    state = act(make_feeding_state("SP5 SP6 TE5 0 | WC5 8", ""), "forage A1 reef")
    state = act(state, "spill reef")
    assert isinstance(state.position.agenda[-1], Feeding)
    assert "forage A1 reef" in legal_texts(state)


def test_overpopulation_before_feeding_forbids_no_feeding() -> None:
    """A leech that fills its board falls to 5 before the feeding, and may be fed then."""
    state = act(make_state("PA5 8 | IN5 1", "SY5 1 | SY6 9", plays_left=0), "done")
    assert isinstance(state.position.agenda[-1], PlacingOverflow)
    state = act(state, "spill z3")
    assert population(state, "A1") == 5
    assert "forage A1 reef" in legal_texts(state)
