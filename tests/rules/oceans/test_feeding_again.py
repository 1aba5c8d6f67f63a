"""Deep traits that feed more than once, or on more than one species."""

import pytest

from rules.oceans.cards.deep import DEEP_TRAITS
from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    just_moved_from,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    make_state_after_card_phase,
    play_line,
    population,
)

# Deep-Sea Kraken ----------------------------------------------------------------------------------


def test_deep_sea_kraken_scores_its_second_attack() -> None:
    """The first goes onto its board, the second to the score pile; there is no third."""
    state = act(make_feeding_state("DSK AP5 2", "9 | 9"), "attack A1 B1")
    assert (population(state, "A1"), state.score_piles[0]) == (5, 0)
    state = act(state, "attack A1 B2")
    assert (just_moved_from(state, "B2", "attack"), just_moved_to(state, "A", "attack")) == (3, 3)
    assert not any(text.startswith("attack") for text in legal_texts(state))


def test_deep_sea_kraken_scores_every_attack_after_the_first() -> None:
    """Tentacled lets it attack a third time."""
    state = play_line(make_feeding_state("DSK TE5 2", "9"), "attack A1 B1; attack A1 B1; attack A1 B1")
    assert just_moved_to(state, "A", "attack") == 1
    assert just_moved_from(state, "A1", "aging") == 1
    assert population(state, "A1") == 2  # 2 and the first attack's 1, less Aging


def test_deep_sea_krakens_scored_attack_sets_off_what_attacks_set_off() -> None:
    """Where the population goes makes no difference to its neighbours."""
    state = play_line(make_feeding_state("DSK 2 | SY5 2", "9 | BF5 2"), "attack A1 B1; attack A1 B1")
    assert (just_moved_to(state, "A2", "SY5"), just_moved_to(state, "B2", "BF5")) == (1, 2)


def test_deep_sea_kraken_stops_when_it_is_overfull() -> None:
    """The first attack filled its board: no second one."""
    state = play_line(make_feeding_state("DSK APX 6", "9 | 9"), "attack A1 B1; spill reef")
    assert just_moved_to(state, "reef", "overflow") == 5
    assert not any(text.startswith("attack") for text in legal_texts(state))


def test_deep_sea_kraken_counts_its_own_attacks_only() -> None:
    """Another species has attacked before; its own first attack goes onto its board all the same."""
    state = make_state("3 | DSK VOR 2", "9 | 9", hands=("AP5",))
    state = play_line(state, "evolve AP5 A2; attack A1 B1; attack A2 B2")
    assert (just_moved_to(state, "A2", "attack"), just_moved_to(state, "A", "attack")) == (3, 0)


def test_deep_sea_kraken_counts_the_attack_of_a_voracious_feeder() -> None:
    """Its additional feeding was its first attack: the next two are scored."""
    state = make_state("DSK VOR 2", "9 | 9", hands=("AP5",))
    state = play_line(state, "evolve AP5 A1; attack A1 B2")
    assert (population(state, "A1"), state.score_piles[0]) == (5, 0)
    state = play_line(state, "attack A1 B1; attack A1 B1")
    assert (just_moved_to(state, "A", "attack"), state.score_piles[0]) == (
        3,
        6 + just_moved_from(state, "A1", "aging"),
    )


# Filter Kraken ------------------------------------------------------------------------------------


def test_filter_kraken_forages_three_times() -> None:
    """Once and two more, and it may stop before."""
    state = make_feeding_state("FKR 2 | 2", "5")
    for forage_count in (1, 2):
        state = act(state, "forage A1 reef")
        assert population(state, "A1") == 2 + forage_count
        assert legal_texts(state) == ("forage A1 reef", "skip")
    assert just_moved_from(act(state, "forage A1 reef"), "A1", "aging") == 1  # the phase is over


def test_filter_krakens_forages_add_to_tentacled() -> None:
    """Filter Kraken adds two forages, Tentacled one: four in all."""
    state = play_line(make_feeding_state("FKR TE5 0", "5"), "forage A1 reef; forage A1 reef; forage A1 reef")
    assert "forage A1 reef" in legal_texts(state)
    assert just_moved_from(act(state, "forage A1 reef"), "A1", "aging") == 1


def feeding_verbs_of_a1(state: State) -> set[str]:
    """Return which ways of feeding the first species has."""
    return {text.split()[0] for text in legal_texts(state) if text.split()[1:2] == ["A1"]}


def test_filter_krakens_further_forages_are_no_attacks() -> None:
    """Bubble Net lets it attack once; the two more must be forages, in any order."""
    state = act(make_feeding_state("FKR BUB 2", "9"), "attack A1 B1")
    assert feeding_verbs_of_a1(state) == {"forage"}
    state = act(make_feeding_state("FKR BUB 2", "9"), "forage A1 reef")
    assert feeding_verbs_of_a1(state) == {"forage", "attack"}
    state = play_line(make_feeding_state("FKR BUB 2", "9"), "forage A1 reef; attack A1 B1; forage A1 reef")
    assert just_moved_from(state, "A1", "aging") == 1


# Giant Cephalopod ---------------------------------------------------------------------------------


def test_giant_cephalopod_feeds_four_times() -> None:
    """Forages and attacks as it likes, itself only."""
    state = play_line(make_feeding_state("GIC 0 | 2", "9"), "forage A1 reef; attack A1 B1; attack A1 B1")
    assert set(legal_texts(state)) == {"forage A1 reef", "attack A1 A2", "attack A1 B1", "skip"}
    assert just_moved_from(act(state, "forage A1 reef"), "A1", "aging") == 1


def test_giant_cephalopod_ends_when_it_is_overfull() -> None:
    """Its board is full after the first of four."""
    state = play_line(make_feeding_state("GIC 9", "9"), "forage A1 reef; spill z1")
    assert just_moved_from(state, "A1", "aging") == 1


# Hydra --------------------------------------------------------------------------------------------


def test_hydra_may_take_1_from_each_undefended_species_when_it_attacks() -> None:
    """One by one, own ones too; not itself, and none that has nothing or a defensive trait."""
    row = "9 | IN5 9 | SC5 2 | ABY 2 | CAM 2 | 0 | DEF 3"
    state = act(make_feeding_state("HYD 1 | 3", row), "attack A1 B1")
    assert legal_texts(state) == ("choose A2", "choose B1", "choose B7", "done")
    state = play_line(state, "choose A2; choose B7")
    assert legal_texts(state) == ("choose B1", "done")
    assert (population(state, "A1"), population(state, "A2"), population(state, "B7")) == (7, 2, 2)
    assert just_moved_to(act(state, "choose B1"), "A1", "HYD") == 1


def test_hydra_stops_where_its_board_is_full_or_its_owner_likes() -> None:
    """With the last space filled no other species is offered."""
    state = act(make_feeding_state("HYD EXT 5", "9 | 3 | 3"), "attack A1 B1")
    assert not any(text.startswith("choose") for text in legal_texts(act(state, "choose B2")))
    assert just_moved_from(act(state, "done"), "B2") == 0


def test_hydra_takes_before_anything_reacts() -> None:
    """Symbiotic and Bottom Feeder wait until its owner is done."""
    state = play_line(make_feeding_state("HYD 1 | SY5 2", "9 | BF5 3"), "attack A1 B1; choose B2")
    assert (population(state, "A2"), population(state, "B2")) == (2, 2)
    state = play_line(state, "done")
    assert (just_moved_to(state, "A2", "SY5"), just_moved_to(state, "B2", "BF5")) == (1, 2)


def test_hydras_further_takes_are_no_attacks() -> None:
    """Spines and Bottom Feeders do not answer for them, as its page says."""
    assert "is no attack" in next(trait.ruling for trait in DEEP_TRAITS if trait.code == "HYD")
    state = play_line(make_feeding_state("HYD 1", "9 | 2 | DEF 3 | BF5 2"), "attack A1 B1; choose B3; done")
    assert (just_moved_to(state, "B4", "BF5"), just_moved_from(state, "A1", "DEF")) == (0, 0)


def test_hydra_is_idle_when_another_species_attacks() -> None:
    """Nobody is asked."""
    assert not any(
        "choose" in text
        for text in legal_texts(act(make_feeding_state("TE5 3 | HYD 1", "9 | 3"), "attack A1 B1"))
    )


# Tentacled ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "feeding_count"), [("TEN 0 | 1", 3), ("TEN TE5 0 | 1", 4), ("SY5 0 | TEN 1", 1)]
)
def test_deep_tentacled_feeds_two_more_times(row: str, feeding_count: int) -> None:
    """The chosen species feeds 3 times in all, one more for each Tentacled; others get nothing of it."""
    state = make_feeding_state(row, "9")
    for _ in range(feeding_count - 1):
        state = act(state, "forage A1 reef")
        assert {text.split()[1] for text in legal_texts(state) if text != "skip"} == {"A1"}
        assert legal_texts(state, "attack")  # each time as it likes
    state = act(state, "forage A1 reef")
    assert just_moved_to(state, "A", "aging") == 2


def test_deep_tentacled_ends_with_overpopulation() -> None:
    """A feeder that overpopulates is done; another species that does changes nothing."""
    state = act(act(make_feeding_state("TEN 9", "5"), "forage A1 reef"), "spill reef")
    assert population(state, "A1") == 4
    state = act(make_feeding_state("TEN 0 | SY5 9", "5"), "forage A1 reef")
    state = act(state, "spill reef")
    assert legal_texts(state, "forage") == ("forage A1 reef",)


# Voracious Feeder ---------------------------------------------------------------------------------


def test_voracious_feeder_feeds_besides_the_normal_feeding() -> None:
    """Another trait was put on it this turn: it feeds once, and the normal feeding is there as well."""
    state = make_state("VOR 1 | 1", "9", hands=("BF5",))
    state = act(state, "evolve BF5 A1")
    state = act(state, "forage A1 reef")
    assert legal_texts(state, "forage") == ("forage A1 reef", "forage A2 reef")
    after = act(state, "forage A2 reef")
    assert just_moved_to(after, "A", "aging") == 2
    assert just_moved_to(act(state, "forage A1 reef"), "A", "aging") == 2


def test_voracious_feeder_may_come_second() -> None:
    """After another species' whole feeding it still has its own; one only."""
    state = make_state("VOR 1 | TE5 1", "9", hands=("BF5",))
    state = play_line(state, "evolve BF5 A1; forage A2 reef; forage A2 reef")
    assert legal_texts(state, "forage") == ("forage A1 reef",)
    assert just_moved_to(act(state, "forage A1 reef"), "A", "aging") == 2


@pytest.mark.parametrize(
    ("row", "hand", "play_text"),
    [
        ("VOR 1 | 5", "BF5", "migrate BF5 z1 z2"),  # nothing was put on it
        ("VOR 1 | 5", "BF5", "evolve BF5 A2"),  # on another species
        ("IN5 1 | 5", "VOR", "evolve VOR A1 reef"),  # its own arrival does not count
    ],
)
def test_voracious_feeder_needs_another_trait(row: str, hand: str, play_text: str) -> None:
    """Without another trait this turn it has the normal feeding only."""
    state = play_line(
        make_state(row, "9", hands=(hand,), cambrian_happened=True, score_piles=(1,)), play_text
    )
    assert just_moved_to(act(state, "forage A1 reef"), "A", "aging") == 4


def test_voracious_feeder_counts_what_came_before_it() -> None:
    """A trait of the same turn counts whichever came first; at the next turn it is forgotten."""
    state = make_state(
        "1 | 1", "9", hands=("BF5 VOR",), cambrian_happened=True, plays_left=2, score_piles=(1,)
    )
    state = play_line(state, "create BF5 2; evolve VOR A3 reef; forage A3 reef")
    assert legal_texts(state, "forage") == ("forage A1 reef", "forage A2 reef", "forage A3 reef")
    state_with_older_trait = make_state("VOR BF5 3 | 3", "9", hands=("IN5",))
    assert (
        just_moved_to(play_line(state_with_older_trait, "migrate IN5 z1 z2; forage A1 reef"), "A", "aging")
        == 2
    )


def test_voracious_feeder_does_not_count_its_arrival_by_an_exchange() -> None:
    """Rapid Mutation brings it: that is its own arrival, not another trait."""
    state = make_feeding_state(
        "APX 1", "RAP 9", gene_pool=("VOR", "GRA"), hands=("", "IN5"), cambrian_happened=True
    )
    state = play_line(state, "attack A1 B1; draw; mutate B1 RAP 1; migrate IN5 z1 z2")
    assert just_moved_to(act(state, "forage B1 reef"), "B", "aging") == 2


def test_voracious_feeder_does_not_count_its_arrival_by_a_swap() -> None:
    """A Scenario card swaps it for another trait: neither of the two species feeds on top."""
    state = make_state_after_card_phase(
        "IN5 5 | VOR 5", "9", zone_populations=EMPTY_ZONE_1, scenarios=("HGT", "INB")
    )
    state = play_line(state, "swap A1 IN5 A2 VOR; forage A1 reef")
    assert just_moved_to(state, "A", "aging") == 2


def test_voracious_feeder_that_overpopulates_is_done() -> None:
    """Its own overflow ends its feedings, not the normal one of another species."""
    state = play_line(make_state("VOR 9 | 1", "9", hands=("BF5",)), "evolve BF5 A1; forage A1 reef; spill z1")
    assert legal_texts(state, "forage") == ("forage A2 reef",)
