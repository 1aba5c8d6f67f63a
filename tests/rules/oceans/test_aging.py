"""Phase 3: what species give, and which of them die out."""

import pytest

from rules.oceans.events import Extinct, PopulationMoved
from rules.oceans.rules import State
from rules.oceans.steps import Drawing
from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    is_alive,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_moved_event,
    make_state,
    play_line,
    population,
)


def extinct_species(state: State) -> list[str]:
    """Return the species that died out in the last action."""
    return [event.species for event in state.position.trail if isinstance(event, Extinct)]


@pytest.mark.parametrize(("cambrian_happened", "due_amount"), [(False, 1), (True, 2)])
def test_every_own_species_ages(*, cambrian_happened: bool, due_amount: int) -> None:
    """One each, after the Cambrian Explosion two; it lands behind the owner's shield; nobody else ages."""
    state = act(
        make_feeding_state(
            "SP5 5 | TE5 3 | FF5 10", "TE6 4", cambrian_happened=cambrian_happened, score_piles=(7, 2)
        ),
        "skip",
    )
    assert [population(state, key) for key in ("A1", "A2", "A3")] == [
        5 - due_amount,
        3 - due_amount,
        10 - due_amount,
    ]
    assert population(state, "B1") == 4
    assert state.score_piles == (7 + 3 * due_amount, 2)


@pytest.mark.parametrize(("cambrian_happened", "population_before"), [(False, 1), (True, 2)])
def test_exactly_enough_lives(*, cambrian_happened: bool, population_before: int) -> None:
    """A species that gives its last population stays, with all its traits."""
    state = act(
        make_feeding_state(f"SP5 IN5 {population_before}", "TE6 4", cambrian_happened=cambrian_happened),
        "skip",
    )
    assert population(state, "A1") == 0
    assert extinct_species(state) == []


@pytest.mark.parametrize(("cambrian_happened", "population_before"), [(False, 0), (True, 0), (True, 1)])
def test_too_little_is_extinction(*, cambrian_happened: bool, population_before: int) -> None:
    """What it has is scored; its Surface traits go to the discard pile, Deep ones leave the game."""
    state = act(
        make_feeding_state(
            f"SP5 MEG {population_before} | TE5 5", "TE6 4", cambrian_happened=cambrian_happened
        ),
        "skip",
    )
    assert extinct_species(state) == ["A1"]
    assert just_moved_to(state, "A", "aging") == population_before + (2 if cambrian_happened else 1)
    assert (state.position.discard_pile, state.position.out_of_game) == (("SP5",), ("MEG",))
    assert is_alive(state, "A2")


def test_empty_species_of_others_are_safe() -> None:
    """Nobody dies out on another player's turn."""
    assert is_alive(act(make_feeding_state("SP5 5", "TE6 0"), "skip"), "B1")


def test_a_new_species_is_not_exempt() -> None:
    """Started this turn and not fed, it dies out in the same turn; fed, it lives."""
    state = act(make_state("SP5 5", "TE6 4", hands=["IN5"]), "create IN5 1")
    after_other_feeding = act(state, "forage A1 reef")
    assert extinct_species(after_other_feeding) == ["A2"]
    after_own_feeding = act(state, "forage A2 reef")
    assert (extinct_species(after_own_feeding), population(after_own_feeding, "A2")) == ([], 0)


def test_the_last_species_may_die_out() -> None:
    """After the only species has died out, the turn goes on."""
    state = act(make_feeding_state("SP5 0", "TE6 4", hands=["IN5"]), "skip")
    assert state.position.rows[0] == ()
    assert isinstance(state.position.agenda[-1], Drawing)
    assert "create IN5 0" in legal_texts(play_line(state, "draw; skip; draw"))


def test_aging_is_no_choice() -> None:
    """Aging follows the feeding without a question; the next question is about drawing."""
    state = act(make_feeding_state("SP5 5 | TE5 1", "TE6 4"), "skip")
    assert {"draw", "look"} <= {*legal_texts(state)}


def test_modifiers_add_up() -> None:
    """Schooling and an Inhospitable Environment: 1 and 1 and 1, after the Cambrian Explosion 4 in all."""
    assert (
        act(make_feeding_state("SC5 6", "TE6 4", zone_populations=EMPTY_ZONE_1), "skip").score_piles[0] == 3
    )
    assert (
        act(
            make_feeding_state("SC5 6", "TE6 4", zone_populations=EMPTY_ZONE_1, cambrian_happened=True),
            "skip",
        ).score_piles[0]
        == 4
    )
    assert (
        act(make_feeding_state("SC5 SC6 6", "TE6 4", zone_populations=(20, 0, 0, 20)), "skip").score_piles[0]
        == 5
    )


def test_inhospitable_only_while_its_zone_is_empty() -> None:
    """With water above it nothing is added."""
    assert act(make_feeding_state("SP5 6", "TE6 4"), "skip").score_piles[0] == 1
    assert (
        act(make_feeding_state("SP5 6", "TE6 4", zone_populations=(20, 0, 0, 20)), "skip").score_piles[0] == 3
    )


def test_the_explosion_in_the_same_turn() -> None:
    """After an explosion in phase 1 or 2, this turn's Aging takes 2."""
    state = make_state(
        "SP5 5", "TE6 4", hands=["IN5"], zone_populations=(20, 5, 20, 20), scenarios=("ABU", "FER")
    )
    assert just_moved_to(act(act(state, "migrate IN5 z1 z2"), "skip"), "A", "aging") == 2
    state = make_feeding_state("FF5 0", "WC5 0", zone_populations=(20, 3, 20, 20), scenarios=("ABU", "FER"))
    assert just_moved_to(act(state, "forage A1 reef"), "A", "aging") == 2


def test_what_a_species_scores_is_public() -> None:
    """Each species' share is in the trail, the sum behind the shield."""
    trail = act(make_feeding_state("SP5 5 | TE5 1", "TE6 4"), "skip").position.trail
    assert [event for event in trail if isinstance(event, PopulationMoved)] == [
        make_moved_event("A1", "A", 1, "aging"),
        make_moved_event("A2", "A", 1, "aging"),
    ]
