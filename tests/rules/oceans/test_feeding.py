"""Phase 2: who feeds on what, further feedings, gains, overpopulation."""

import pytest

from rules.oceans.events import FeedingSkipped, Overpopulated
from rules.oceans.rules import State
from rules.oceans.steps import Drawing, Feeding
from rules.oceans.words.trail_text import trail_texts
from tests.rules.oceans.positions import (
    NAMES,
    act,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    play_line,
    population,
    traits,
)


def open_step_name(state: State) -> str:
    """Return the name of the open step's type."""
    return type(state.position.agenda[-1]).__name__


def overpopulated_species(state: State) -> list[str]:
    """Return the species that overpopulated in the last action, in order."""
    return [event.species for event in state.position.trail if isinstance(event, Overpopulated)]


# Forage ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("population_before", "reef_population", "taken_amount"),
    [(0, 20, 5), (0, 3, 3), (0, 1, 1), (6, 20, 4), (9, 20, 1), (7, 2, 2)],
)
def test_a_forage_takes_all_it_can(population_before: int, reef_population: int, taken_amount: int) -> None:
    """The least of Forage, Reef and free spaces, the fishbone included; from the Reef and nowhere else."""
    state = make_feeding_state(
        f"FF5 {population_before}", "TE5 3", zone_populations=(reef_population, 20, 20, 20)
    )
    assert [text for text in legal_texts(state) if text.startswith("forage")] == ["forage A1 reef"]
    after = act(state, "forage A1 reef")
    assert just_moved_to(after, "A1", "forage") == taken_amount
    assert after.position.zone_populations == (reef_population - taken_amount, 20, 20, 20)


def test_an_empty_reef_feeds_nobody() -> None:
    """With an empty Reef nobody forages; attacks are still possible."""
    assert legal_texts(make_feeding_state("SP5 0", "TE5 3", zone_populations=(0, 20, 20, 20))) == (
        "attack A1 B1",
        "skip",
    )


def test_a_species_without_traits_takes_1() -> None:
    """A species without traits has Forage 1 and Attack 1."""
    state = make_feeding_state("0", "TE5 3")
    assert just_moved_to(act(state, "forage A1 reef"), "A1") == 1
    assert just_moved_to(act(state, "attack A1 B1"), "A1") == 1


# Attack ---------------------------------------------------------------------------------------------


def test_any_other_species_can_be_attacked() -> None:
    """Neighbour or not, own ones too; never itself, nobody who has nothing, and only with own species."""
    state = make_feeding_state("AP5 2 | TE5 4 | AP6 0", "TE6 4", "TE7 0", "TE8 4 | TE9 4")
    assert {text for text in legal_texts(state) if text.startswith("attack A1")} == {
        "attack A1 A2",
        "attack A1 B1",
        "attack A1 D1",
        "attack A1 D2",
    }
    assert {text.split()[1] for text in legal_texts(state) if text != "skip"} == {"A1", "A2", "A3"}


def test_own_species_can_be_attacked_like_others() -> None:
    """Defence saves, the rest moves over."""
    after = act(make_feeding_state("AP5 0 | TE5 5", "TE6 4"), "attack A1 A2")
    assert just_moved_to(after, "A1", "attack") == 3
    after_defence = act(make_feeding_state("AP5 0 | SP5 4", "TE6 4"), "attack A1 A2")
    assert just_moved_to(after_defence, "A1", "attack") == 1


def test_a_species_attacked_down_to_nothing_lives() -> None:
    """A species without population lives on until its Aging."""
    after = act(make_feeding_state("AP5 TE5 0", "TE6 3"), "attack A1 B1")
    assert (just_moved_to(after, "A1", "attack"), population(after, "B1"), traits(after, "B1")) == (
        3,
        0,
        ("TE6",),
    )


@pytest.mark.parametrize(
    ("defence", "population_before", "taken_amount"),
    [("SP5", 9, 1), ("SP5", 3, 1), ("SP5 SP6", 9, 0), ("IN5", 9, 0)],
)
def test_an_attack_must_take_something(defence: str, population_before: int, taken_amount: int) -> None:
    """An attack from which Defence saves everything is not legal."""
    state = make_feeding_state("AP5 0", f"{defence} {population_before}")
    assert ("attack A1 B1" in legal_texts(state)) == (taken_amount > 0)
    if taken_amount:
        assert just_moved_to(act(state, "attack A1 B1"), "A1", "attack") == taken_amount


# Whether to feed ------------------------------------------------------------------------------------


def test_feeding_may_be_passed() -> None:
    """A player need not feed any species."""
    state = act(make_feeding_state("SP5 2", "TE5 3"), "skip")
    assert (population(state, "A1"), state.score_piles[0]) == (1, 1)


def test_one_species_feeds() -> None:
    """Once a species has fed, no second species may feed."""
    state = act(make_feeding_state("SP5 2 | SP6 2", "TE5 3"), "forage A2 reef")
    assert isinstance(state.position.agenda[-1], Drawing)
    assert (population(state, "A1"), population(state, "A2")) == (1, 3)


def test_a_full_species_cannot_be_chosen() -> None:
    """One free space at least; here only the other one may."""
    assert {
        text.split()[1]
        for text in legal_texts(make_feeding_state("FF5 10 | SP5 2", "TE5 3"))
        if text != "skip"
    } == {"A2"}


def test_nobody_is_asked_where_no_species_can_feed() -> None:
    """If no species can feed, nobody is asked, unless a trait may still be removed."""
    state = act(make_state("3", "", hands=["IN5"], zone_populations=(0, 20, 20, 20)), "migrate IN5 z1 z2")
    assert isinstance(state.position.agenda[-1], Drawing)
    assert FeedingSkipped(state.position.current_player) in state.position.trail
    sentences = trail_texts(state.position.trail, state.position, NAMES)
    assert "Ava feeds no species: each is full or finds no food." in sentences
    state = act(make_state("AP5 3", "TE5 0", hands=["IN5"]), "migrate IN5 z1 z2")
    assert legal_texts(state) == ("drop A1 AP5", "skip")
    assert "forage A1 reef" in legal_texts(act(state, "drop A1 AP5"))


# Further feedings -----------------------------------------------------------------------------------


def test_each_further_feeding_is_chosen_separately() -> None:
    """Forage, then attack, then another target; populations are those of the moment."""
    state = make_feeding_state("TE5 TE6 SP5 0", "BF5 1 | BF6 5")
    state = act(state, "attack A1 B1")
    assert legal_texts(state) == ("forage A1 reef", "attack A1 B2", "skip")
    state = act(state, "forage A1 reef")
    state = act(state, "attack A1 B2")
    assert just_moved_to(state, "A1", "attack") == 2
    assert isinstance(state.position.agenda[-1], Drawing)


def test_further_feedings_end_when_nothing_is_left() -> None:
    """With the Reef empty and no prey nobody is asked again."""
    state = act(make_feeding_state("TE5 SP5 2", "BF5 0", zone_populations=(1, 20, 20, 20)), "forage A1 reef")
    assert isinstance(state.position.agenda[-1], Drawing)


def test_every_feeding_has_its_triggers() -> None:
    """A cleaner gains after each of several feedings."""
    state = act(make_feeding_state("FF5 TE5 0", "WC5 0"), "forage A1 reef")
    assert population(state, "B1") == 3
    assert just_moved_to(act(state, "forage A1 reef"), "B1") == 3


# Gains ----------------------------------------------------------------------------------------------


def test_gains_empty_the_zones_in_order() -> None:
    """Zone 1, then 2, then 3, split if need be; the Reef gives nothing."""
    after = act(
        make_feeding_state("FF5 0", "WC5 TE5 0", zone_populations=(5, 1, 1, 20), scenarios=("ABU", "FER")),
        "forage A1 reef",
    )
    assert just_moved_to(after, "B1") == 3
    assert after.position.zone_populations == (0, 0, 0, 19)


def test_gains_of_one_species_add_up() -> None:
    """Whale Cleaner and Symbiotic: 4, of which only the free spaces are filled."""
    after = act(make_feeding_state("FF5 0", "WC5 SY5 7"), "forage A1 reef")
    assert just_moved_to(after, "B1") == 3
    assert overpopulated_species(after) == ["B1"]


def test_gains_come_before_overpopulation() -> None:
    """An attacker with 7 takes 2 and then gains one more, although there are only ten spaces."""
    state = act(make_feeding_state("TE6 5 | BF5 SP5 TE5 7", "BF6 5"), "attack A2 A1")
    assert (just_moved_to(state, "A2", "attack"), just_moved_to(state, "A2", "BF5")) == (2, 1)
    assert open_step_name(state) == "PlacingOverflow"
    assert open_step_name(act(state, "spill z1")) == "Drawing", (
        "a feeder is done by whatever filled its board"
    )


def test_gains_need_room() -> None:
    """A species with a full board gains nothing."""
    assert just_moved_to(act(make_feeding_state("FF5 0", "WC5 FF6 10"), "forage A1 reef"), "B1") == 0


def test_everybody_gains_from_the_same_feeding() -> None:
    """Several traits of several players gain at once from one feeding."""
    state = make_feeding_state("AP5 TE9 0 | SY5 SH5 2", "TE5 5 | BF5 2", "SH6 2 | TE6 2")
    after = act(state, "attack A1 B1")
    assert [just_moved_to(after, key) for key in ("A2", "B2", "C1", "C2")] == [3, 2, 2, 0]


# Overpopulation -------------------------------------------------------------------------------------


@pytest.mark.parametrize("zone", ["reef", "z1", "z2", "z3"])
def test_overpopulation_leaves_five(zone: str) -> None:
    """The tenth space is filled: five go, all to one zone of the owner's choice."""
    state = act(make_feeding_state("SP5 9", "TE5 3"), "forage A1 reef")
    assert legal_texts(state) == ("spill reef", "spill z1", "spill z2", "spill z3")
    after = act(state, f"spill {zone}")
    assert just_moved_to(after, zone, "overflow") == 5
    assert (population(after, "A1"), after.score_piles[0]) == (4, 1)


def test_nine_is_no_overpopulation() -> None:
    """A species overpopulates only when its last space is filled."""
    after = act(make_feeding_state("SP5 7", "TE5 3"), "forage A1 reef")
    assert overpopulated_species(after) == []
    assert population(after, "A1") == 8


def test_nobody_takes_less_to_avoid_overpopulation() -> None:
    """With 8 on the board Forage 2 is taken in full."""
    assert just_moved_to(act(make_feeding_state("SP5 8", "TE5 3"), "forage A1 reef"), "A1", "forage") == 2


def test_a_feeder_that_overpopulates_is_done() -> None:
    """Tentacled or not, and although its board has room again."""
    state = play_line(make_feeding_state("TE5 SP5 8", "TE6 3"), "forage A1 reef; spill z1")
    assert isinstance(state.position.agenda[-1], Drawing)
    assert state.score_piles[0] == 1


def test_another_species_overpopulating_does_not_matter() -> None:
    """Neither an opponent's nor an own one ends the feeding of the one that feeds."""
    state = act(make_feeding_state("TE5 FF5 0", "WC5 9"), "forage A1 reef")
    assert overpopulated_species(state) == ["B1"]
    assert isinstance(state.position.agenda[-1], Feeding)
    state = play_line(make_feeding_state("TE5 FF5 0 | WC5 9", "TE6 3"), "forage A1 reef; spill z3")
    assert "forage A1 reef" in legal_texts(state)
    assert not any(text.split()[1] == "A2" for text in legal_texts(state) if text != "skip")


@pytest.mark.parametrize(("standing_answer", "zone"), [("", "reef"), ("overflow z3; ", "z3")])
def test_overflow_in_others_turns_asks_nobody(standing_answer: str, zone: str) -> None:
    """Nobody is asked: the overflow goes to the Reef, or where its owner has said in an own turn."""
    state = play_line(make_feeding_state("SP5 3", "WC5 9", hands=["FF5", "IN5"]), "skip; draw")
    assert {"overflow z1", "overflow z2", "overflow z3"} < {*legal_texts(state)}
    state = play_line(state, f"{standing_answer}migrate IN5 z1 z2; skip; draw; create FF5 0")
    after = act(state, "forage A2 reef")
    assert (just_moved_to(after, "B1", "WC5"), just_moved_to(after, zone, "overflow")) == (2, 5)


def test_a_standing_answer_is_asked_once_a_turn() -> None:
    """Once given it is not asked again before the next turn."""
    state = act(
        play_line(make_feeding_state("SP5 3", "WC5 9", hands=["", "IN5"]), "skip; draw"), "overflow z3"
    )
    assert not any(text.startswith("overflow") for text in legal_texts(state))


def test_overflow_is_asked_about_for_own_species_only() -> None:
    """Species of two players overpopulate: the zone of the active one's is asked, the other's is the Reef."""
    state = act(make_feeding_state("FF5 SY5 9 | WC5 SY6 9", "WC6 SY7 9"), "forage A1 reef")
    assert overpopulated_species(state) == ["A2", "B1"]
    assert open_step_name(state) == "PlacingOverflow"
    state = act(state, "spill z2")
    assert just_moved_to(state, "reef", "overflow") == 5
    assert just_moved_to(state, "z2", "overflow") == 5


def test_a_wider_board_holds_more_before_it_overpopulates() -> None:
    """With more spaces the last one of them is the fishbone, and still five stay."""
    state = make_feeding_state("SP5 BLU 9", "TE5 3")
    after = act(state, "forage A1 reef")
    assert overpopulated_species(after) == []
    state = act(make_feeding_state("SP5 BLU 18", "TE5 3"), "forage A1 reef")
    assert just_moved_to(act(state, "spill z1"), "z1", "overflow") == 14


# What is emptied ------------------------------------------------------------------------------------


def test_a_gain_that_empties_zone_1_brings_the_explosion_at_once() -> None:
    """The Cambrian Explosion comes before the next feeding, and this turn's Aging takes 2 already."""
    state = act(
        make_feeding_state("TE5 FF5 0", "WC5 0", zone_populations=(20, 3, 20, 20), scenarios=("ABU", "FER")),
        "forage A1 reef",
    )
    assert state.position.cambrian_happened
    assert isinstance(state.position.agenda[-1], Feeding)
    assert act(state, "skip").score_piles[0] == 2


@pytest.mark.parametrize(("zone", "active_scenarios"), [("z1", ()), ("z2", ("ABU",))])
def test_overflow_may_keep_a_blue_card_off(zone: str, active_scenarios: tuple[str, ...]) -> None:
    """A gain empties zone 1: it has been emptied, but its blue card is off if the overflow refills it."""
    state = act(
        make_feeding_state(
            "TE5 FF5 0 | WC5 9", "TE6 3", zone_populations=(20, 1, 20, 20), scenarios=("ABU", "FER")
        ),
        "forage A1 reef",
    )
    state = act(state, f"spill {zone}")
    assert state.position.cambrian_happened
    assert state.position.active_scenarios == active_scenarios


def test_gains_and_overpopulation_come_before_a_scenario() -> None:
    """Asteroid Impact fires as the gain empties its zone, but finds what overpopulation has left."""
    state = make_feeding_state(
        "TE5 FF5 0", "WC5 9", zone_populations=(20, 0, 1, 20), scenarios=("INA", "AST")
    )
    state = act(state, "forage A1 reef")
    assert (population(state, "A1"), population(state, "B1")) == (5 - 3, 5 - 3)
    assert state.position.zone_populations[0] == 20 - 5 + 5 + 6
