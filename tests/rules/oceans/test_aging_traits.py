"""Deep traits that change Aging, overpopulation and dying out."""

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.oceans.model import StandingAnswers
from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    active_scenario_setup,
    is_alive,
    just_moved_from,
    just_moved_to,
    legal_feedings,
    legal_texts,
    make_feeding_state,
    make_state,
    play_line,
    population,
    traits,
)
from tests.rules.oceans.texts import action_texts

# Cthulhu Leech ------------------------------------------------------------------------------------


def test_cthulhu_leech_goes_on_anybodys_species_with_a_free_slot() -> None:
    """Own or not; it starts no species."""
    state = make_state("3", "3 | SY5 SY6 SY7 3", hands=("CTH",), score_piles=(2,), cambrian_happened=True)
    offered_texts = {text.rpartition(" ")[0] for text in legal_texts(state) if not text.startswith("migrate")}
    assert offered_texts == {"evolve CTH A1", "evolve CTH B1"}
    assert act(state, "evolve CTH B1 z3").score_piles == (0, 0)


def test_cthulhu_leech_scores_for_its_player() -> None:
    """From the play to the owner's Aging: 2 go to A's pile, then the species ages as usual."""
    start = make_state("5", "6", hands=("CTH",), score_piles=(2,), cambrian_happened=True)
    state = play_line(start, "evolve CTH B1 reef; skip; draw")
    assert (state.position.current_player, state.score_piles, population(state, "B1")) == (1, (2, 0), 6)
    state = act(state, "skip")
    assert (state.score_piles, population(state, "B1")) == ((4, 2), 2)


def make_cthulhu_state(*rows: str, player: int, cthulhu_seat: int = 0) -> State:
    """Return a feeding state in which a seat has played Cthulhu Leech."""
    state = make_feeding_state(*rows, player=player)
    return replace(state, position=replace(state.position, cthulhu_seat=Seat(cthulhu_seat)))


def test_cthulhu_leech_on_an_own_species_scores_it_faster() -> None:
    """Both go to the same pile."""
    state = act(make_cthulhu_state("CTH 6", "3", player=0), "skip")
    assert (state.score_piles, population(state, "A1")) == ((3, 0), 3)


@pytest.mark.parametrize(
    ("population_before", "score_piles", "survives"),
    [(3, (2, 1), True), (2, (2, 0), False), (1, (1, 0), False)],
)
def test_cthulhu_leech_comes_before_aging(
    population_before: int, score_piles: tuple[int, int], *, survives: bool
) -> None:
    """What it takes is missing when the species ages."""
    state = act(make_cthulhu_state("3", f"CTH {population_before}", player=1), "skip")
    assert (state.score_piles, is_alive(state, "B1")) == (score_piles, survives)


@pytest.mark.parametrize("rows", [("CTH 3", "3"), ("6 | CTH 3", "3")])
def test_cthulhu_leech_is_told_before_aging(rows: tuple[str, ...]) -> None:
    """So it is whichever of the species has it."""
    preview = action_texts(make_cthulhu_state(*rows, player=0, cthulhu_seat=1), "skip")[2]
    assert 0 <= preview.find("Ben scores 2 from") < preview.find("Aging: Ava scores")


def test_cthulhu_leech_is_idle_in_others_aging() -> None:
    """The species does not age in A's turn."""
    state = act(make_cthulhu_state("3", "CTH 6", player=0), "skip")
    assert (state.score_piles, population(state, "B1")) == ((1, 0), 6)


def test_cthulhu_leech_is_no_leeching() -> None:
    """A species that cannot be leeched gives its 2 too."""
    assert act(make_cthulhu_state("3", "EXT CTH 6", player=1), "skip").score_piles == (2, 1)


@pytest.mark.parametrize(
    ("row", "text"), [("SLO CTH 6", "choose 0"), ("SLO CTH 6", "choose 1"), ("TEL CTH 6", "")]
)
def test_cthulhu_leech_takes_nothing_from_a_species_that_does_not_age(row: str, text: str) -> None:
    """One that its owner spares, or that skips Aging, gives nothing; one that ages gives 2 (O27)."""
    state = act(make_cthulhu_state("3", row, player=1), "skip")
    state = act(state, text) if text else state
    assert just_moved_to(state, "A", "CTH") == (2 if text == "choose 1" else 0)


def test_cthulhu_leech_cannot_be_removed() -> None:
    """Its host's owner may drop other traits, and only those, also when there are too many."""
    state = make_state("3", "SY5 CTH 3", player=1, hands=("", "IN5"))
    assert [text for text in legal_texts(state) if text.startswith("drop")] == ["drop B1 SY5"]
    crowded_state = act(make_state("3", "ATA CTH SY5 SY6 SY7 3", player=1, hands=("", "IN5")), "drop B1 ATA")
    assert set(legal_texts(crowded_state)) == {"drop B1 SY5", "drop B1 SY6", "drop B1 SY7"}


# Draconic -----------------------------------------------------------------------------------------


def test_draconic_scores_its_overflow() -> None:
    """7 fill its board: 5 go to the score pile, nobody is asked for a zone."""
    state = act(make_feeding_state("DRA 3", "9"), "attack A1 B1")
    assert (just_moved_to(state, "A", "overflow"), state.position.zone_populations) == (
        5,
        (20, 20, 20, 20),
    )


def test_draconic_scores_its_overflow_in_others_turns_too() -> None:
    """It gained on another player's turn."""
    state = act(make_feeding_state("3", "DRA SY5 9"), "forage A1 reef")
    assert (population(state, "B1"), state.score_piles[1]) == (5, 5)


def test_draconic_scores_nothing_below_the_last_space() -> None:
    """9 do not overflow; another species' overflow goes to the water."""
    assert act(make_feeding_state("DRA 2", "9"), "attack A1 B1").score_piles[0] == 1  # Aging
    state = act(make_feeding_state("MEG 5 | DRA 2", "9"), "attack A1 B1")
    assert legal_texts(state) == ("spill reef", "spill z1", "spill z2", "spill z3")


def test_draconic_dies_out_by_epizootic() -> None:
    """The Scenario card takes the place of the whole overflow."""
    state = act(
        make_feeding_state(
            "DRA 3", "9", scenarios=("EPI", "INB"), zone_populations=EMPTY_ZONE_1, cambrian_happened=True
        ),
        "attack A1 B1",
    )
    assert (is_alive(state, "A1"), state.score_piles[0], just_moved_to(state, "reef", "extinct")) == (
        False,
        0,
        10,
    )


# Extremophile -------------------------------------------------------------------------------------


def test_extremophile_cannot_be_leeched() -> None:
    """Its neighbour without the trait can."""
    assert just_moved_to(act(make_state("PA5 2", "EXT 6", plays_left=0), "done"), "A1", "PA5") == 0
    assert just_moved_to(act(make_state("PA5 2", "6", plays_left=0), "done"), "A1", "PA5") == 2


def test_extremophile_never_overpopulates() -> None:
    """Its last space fills and stays full; then it cannot feed."""
    state = act(make_feeding_state("EXT SP5 8 | 3", "5"), "forage A1 reef")
    assert just_moved_to(state, "A1", "forage") == 2
    assert just_moved_to(state, "reef", "overflow") == 0
    assert "forage A1 reef" not in legal_texts(make_feeding_state("EXT 10", "5"))


@pytest.mark.parametrize(("population_before", "scored_amount"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_extremophile_ages_what_it_can_and_lives(population_before: int, scored_amount: int) -> None:
    """After the Cambrian Explosion 2 are due; it ages what it has and does not die out."""
    state = act(make_feeding_state(f"EXT {population_before}", "5", cambrian_happened=True), "skip")
    assert (population(state, "A1"), state.score_piles[0]) == (
        population_before - scored_amount,
        scored_amount,
    )
    assert not is_alive(act(make_feeding_state("0", "5", cambrian_happened=True), "skip"), "A1")


def test_extremophile_does_not_die_by_scenario_cards() -> None:
    """Epizootic: it never overpopulates. Aggressive Environment: with 0 it cannot be attacked."""
    nearly_full_state = make_feeding_state(
        "EXT 9", "5", scenarios=("EPI", "INB"), zone_populations=EMPTY_ZONE_1, cambrian_happened=True
    )
    assert is_alive(act(nearly_full_state, "forage A1 reef"), "A1")
    empty_prey_state = make_feeding_state(
        "3", "EXT 0 | 0", scenarios=("AGG", "INB"), zone_populations=EMPTY_ZONE_1, cambrian_happened=True
    )
    assert [text for text in legal_feedings(empty_prey_state) if "attack" in text] == ["attack A1 B2"]


# Fast Metabolism ----------------------------------------------------------------------------------


def with_standing_answer(state: State, seat: int, *, ages: bool) -> State:
    """Return the same state, a seat having answered for its Fast Metabolism."""
    standing_answers = list(state.position.standing_answers)
    standing_answers[seat] = StandingAnswers(ages_on_other_turns=ages)
    return replace(state, position=replace(state.position, standing_answers=tuple(standing_answers)))


@pytest.mark.parametrize(("cambrian_happened", "aged_amount"), [(False, 1), (True, 2)])
def test_fast_metabolism_ages_in_others_turns_if_its_owner_said_so(
    *, cambrian_happened: bool, aged_amount: int
) -> None:
    """It alone of its owner's species, into its owner's pile."""
    state = with_standing_answer(
        make_feeding_state("5", "FAS 5 | 5", cambrian_happened=cambrian_happened), 1, ages=True
    )
    state = act(state, "skip")
    assert (population(state, "B1"), population(state, "B2")) == (5 - aged_amount, 5)
    assert state.score_piles == (aged_amount, aged_amount)


def test_fast_metabolism_does_not_age_in_others_turns_unasked() -> None:
    """The answer is no until its owner says yes, and another trait makes nobody age."""
    assert population(act(make_feeding_state("5", "FAS 5"), "skip"), "B1") == 5
    assert (
        population(act(with_standing_answer(make_feeding_state("5", "SY5 5"), 1, ages=True), "skip"), "B1")
        == 5
    )


@pytest.mark.parametrize(("row", "aged_amount"), [("FAS 0", 0), ("FAS 2", 0), ("FAS 3", 3), ("FAS END 4", 0)])
def test_fast_metabolism_does_not_die_out_in_others_turns(row: str, aged_amount: int) -> None:
    """Holding less than the 3 due with Inhospitable Environment (5 with Endurance), it is passed over."""
    state = act(
        with_standing_answer(
            make_feeding_state("5", row, cambrian_happened=True, zone_populations=EMPTY_ZONE_1),
            1,
            ages=True,
        ),
        "skip",
    )
    assert is_alive(state, "B1")
    assert state.score_piles[1] == aged_amount


def test_fast_metabolism_ages_once_in_its_owners_turn() -> None:
    """The standing answer adds nothing to the own Aging."""
    state = act(with_standing_answer(make_feeding_state("FAS 5", "5"), 0, ages=True), "skip")
    assert (population(state, "A1"), state.score_piles) == (4, (1, 0))


def test_fast_metabolism_is_answered_for_in_an_own_turn() -> None:
    """Only who has such a species is asked, and the answer can be taken back later."""
    state = make_state("FAS 5", "5", hands=("SY5",))
    asked_state = replace(state, position=replace(state.position, gave_answers_this_turn=False))
    assert "metabolism yes" in legal_texts(asked_state)
    after = act(asked_state, "metabolism yes")
    assert after.position.standing_answers[0].ages_on_other_turns
    assert "metabolism no" in legal_texts(
        replace(after, position=replace(after.position, gave_answers_this_turn=False))
    )
    other = make_state("SY5 5", "FAS 5", hands=("SY6",))
    assert not any(
        "metabolism" in text
        for text in legal_texts(
            replace(other, position=replace(other.position, gave_answers_this_turn=False))
        )
    )


# Gigantic Brain -----------------------------------------------------------------------------------


def test_gigantic_brain_has_unlimited_slots() -> None:
    """A tenth trait, and one under Shallow Gene Pool; without it the rest is too much."""
    nine_traits = "GIB SY5 SY6 SY7 SY8 SY9 BF5 BF6 BF7"
    state = make_state(
        f"{nine_traits} 3", "5", hands=("IN5",), scenarios=("SGP", "INB"), zone_populations=EMPTY_ZONE_1
    )
    assert len(traits(act(state, "evolve IN5 A1"), "A1")) == 10
    assert "drop A1 SY5" in legal_texts(act(state, "drop A1 GIB"))
    assert not any(text.startswith("evolve") for text in legal_texts(act(state, "drop A1 GIB")))


@pytest.mark.parametrize(
    ("trait_text", "aged_amount"),
    [("GIB", 1), ("GIB SY5 SY6", 3), ("GIB END SC5", 3), ("GIB SLO", 2), ("GIB TEL", 2)],
)
@pytest.mark.parametrize("cambrian_happened", [False, True])
def test_gigantic_brain_ages_its_number_of_traits(
    trait_text: str, aged_amount: int, *, cambrian_happened: bool
) -> None:
    """Neither the Explosion nor other traits nor Scenario cards change it."""
    state = make_feeding_state(
        f"{trait_text} 6", "5", cambrian_happened=cambrian_happened, zone_populations=EMPTY_ZONE_1
    )  # Inhospitable Environment is active
    assert just_moved_from(act(state, "skip"), "A1", "aging") == aged_amount


def test_gigantic_brain_dies_when_it_has_less_than_traits() -> None:
    """Two of three due: they are scored, and it is gone."""
    state = act(make_feeding_state("GIB SY5 SY6 2", "5"), "skip")
    assert (is_alive(state, "A1"), state.score_piles[0]) == (False, 2)
    assert is_alive(act(make_feeding_state("GIB SY5 SY6 3", "5"), "skip"), "A1")


# Deep Schooling, Sea Rex --------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "amount"), [("SCH", 4), ("SEA", 3)])
def test_deep_schooling_and_sea_rex_age_more(card: str, amount: int) -> None:
    """Deep Schooling ages 3 more, Sea Rex 2 more; both live if they can just pay."""
    state = act(make_feeding_state(f"{card} {amount}", "1"), "skip")
    assert (just_moved_to(state, "A", "aging"), population(state, "A1")) == (amount, 0)


# Slow Metabolism ----------------------------------------------------------------------------------


def test_slow_metabolism_may_age_nothing() -> None:
    """Its owner picks 0 or the plain amount, in every Aging phase; others are not asked."""
    state = act(make_feeding_state("SLO 5 | 5", "1", cambrian_happened=True), "skip")
    assert legal_texts(state) == ("choose 0", "choose 2")
    state_without_aging = act(state, "choose 0")
    assert (population(state_without_aging, "A1"), just_moved_to(state_without_aging, "A", "aging")) == (5, 2)
    assert population(act(state, "choose 2"), "A1") == 3


def test_slow_metabolism_with_nothing_can_live() -> None:
    """Aging 0 it need not die out at 0."""
    state = act(make_feeding_state("SLO 0", "1"), "skip")
    assert population(act(state, "choose 0"), "A1") == 0
    assert not is_alive(act(state, "choose 1"), "A1")


def test_slow_metabolism_ages_in_others_turns() -> None:
    """In another player's Aging phase (Scenario card) nobody asks it: it ages."""
    state = make_feeding_state("1", "SLO 5", zone_populations=EMPTY_ZONE_1, scenarios=("UHE", "INB"))
    state = act(state, "skip")
    assert just_moved_to(state, "B", "aging") == 1


# Telomere Repair ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("cambrian_happened", "population_before"), [(False, 3), (True, 3), (True, 0)])
def test_telomere_repair_gains_2_instead_of_aging(*, cambrian_happened: bool, population_before: int) -> None:
    """Before Aging it gains 2; it does not age, nor die out with nothing."""
    state = act(
        make_feeding_state(f"TEL {population_before} | 5", "1", cambrian_happened=cambrian_happened), "skip"
    )
    assert just_moved_to(state, "A1", "TEL") == 2
    assert population(state, "A1") == population_before + 2
    assert just_moved_to(state, "A", "aging") == 1 + cambrian_happened


def test_telomere_repair_lives_without_water() -> None:
    """The gain comes out of the supply once the Ocean and the reserve are gone."""
    state = act(make_feeding_state("TEL 0", "1", zone_populations=(20, 0, 0, 0), end_triggered=True), "skip")
    assert (population(state, "A1"), state.position.population_from_supply) == (2, 2)


@pytest.mark.parametrize(("population_before", "population_after"), [(1, None), (2, 0), (4, 2)])
def test_telomere_repair_may_bring_the_cambrian_explosion(
    population_before: int, population_after: int | None
) -> None:
    """Its gain comes before the Aging phase: if it empties zone 1, the others already age 2 (O26)."""
    start = make_feeding_state(
        f"TEL 3 | IN5 {population_before}", "3", zone_populations=(20, 2, 20, 20), scenarios=("FER", "INB")
    )
    state = act(start, "skip")
    assert state.position.cambrian_happened
    assert (population(state, "A2") if is_alive(state, "A2") else None) == population_after
    assert just_moved_from(state, "A2", "aging") == min(population_before, 2)


def test_a_cambrian_explosion_after_aging_raises_the_next_aging() -> None:
    """Aging is over when what it set off empties zone 1: species age 2 from the next turn on (O26)."""
    start = make_feeding_state(
        "0 | 1", "3 | 3", zone_populations=(20, 2, 0, 20), scenarios=("FER", "SCF"), hands=("SP5", "SP6")
    )
    state = act(start, "skip")
    assert state.position.cambrian_happened
    assert (just_moved_from(state, "A2", "aging"), population(state, "A2")) == (1, 0)


def test_telomere_repair_can_overpopulate() -> None:
    """Its gain is checked for overflow before the others age."""
    state = act(make_feeding_state("TEL 8", "1"), "skip")
    assert set(legal_texts(state)) == {"spill reef", "spill z1", "spill z2", "spill z3"}
    assert population(act(state, "spill z1"), "A1") == 5


def test_telomere_repair_gains_nothing_in_others_turns() -> None:
    """Before another player's Aging it gains nothing; a Scenario card that ages all does not age it."""
    state = act(
        make_feeding_state("4", "TEL 3", zone_populations=EMPTY_ZONE_1, scenarios=("UHE", "INB")), "skip"
    )
    assert (just_moved_to(state, "B1", "TEL"), just_moved_to(state, "B", "aging")) == (0, 0)


def test_gigantic_brain_ages_in_spite_of_telomere_repair() -> None:
    """Gigantic Brain always ages its number of traits; the gain comes first."""
    state = act(make_feeding_state("TEL GIB 5", "1"), "skip")
    assert (just_moved_to(state, "A1", "TEL"), just_moved_to(state, "A", "aging")) == (2, 2)


# Warm Blooded -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "amounts"),
    [
        ("WAR 9", "1 2 3 4"),
        ("WAR 3", "1 2 3"),  # no further than it holds
        ("WAR SLO 9", "0 1 2 3 4"),
        ("WAR KLE 9", "3 4 5 6"),
    ],
)
def test_warm_blooded_may_age_up_to_3_more(row: str, amounts: str) -> None:
    """Its owner may let it age 1, 2 or 3 more than it has to."""
    state = act(make_feeding_state(f"{row} | 1", "1"), "skip")
    assert [text.split()[1] for text in legal_texts(state, "choose")] == amounts.split()
    highest_amount = amounts[-1]
    assert just_moved_to(act(state, f"choose {highest_amount}"), "A", "aging") == int(highest_amount) + 1


def test_warm_blooded_with_one_left_is_not_asked() -> None:
    """It has nothing to give beyond what is due."""
    assert just_moved_to(act(make_feeding_state("WAR 1", "1"), "skip"), "A", "aging") == 1


@pytest.mark.parametrize(
    "state",
    [
        make_cthulhu_state("WAR CTH 5", "9", player=0, cthulhu_seat=1),
        make_feeding_state("WAR 5", "9", **active_scenario_setup("VIR")),
    ],
    ids=["Cthulhu Leech", "Degenerative Virus"],
)
def test_warm_blooded_survives_every_choice(state: State) -> None:
    """No amount is offered that kills it, whatever else its Aging takes."""
    asked_state = act(state, "skip")
    offered_texts = legal_texts(asked_state, "choose")
    assert len(offered_texts) > 1
    assert all(is_alive(act(asked_state, text), "A1") for text in offered_texts)


def test_warm_blooded_is_not_asked_in_others_turns() -> None:
    """In another player's Aging phase (Scenario card) nobody is asked: it ages what it must (O15)."""
    state = make_feeding_state("1", "WAR 5", zone_populations=EMPTY_ZONE_1, scenarios=("UHE", "INB"))
    assert just_moved_to(act(state, "skip"), "B", "aging") == 1


def test_warm_blooded_has_one_more_slot() -> None:
    """A fourth trait goes onto its species, no fifth."""
    state = act(make_state("WAR IN5 IN6 1", "1", hands=("BF5 BF6",), plays_left=2), "evolve BF5 A1")
    assert len(traits(state, "A1")) == 4
    assert "evolve BF6 A1" not in legal_texts(state)
