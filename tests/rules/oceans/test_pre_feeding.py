"""What else Deep traits do before their owner's feeding: exchanges, swaps, takes."""

import pytest

from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    act,
    just_moved_from,
    just_moved_to,
    legal_texts,
    make_state,
    make_state_after_card_phase,
    play_line,
    population,
    traits,
)

# Atavism ------------------------------------------------------------------------------------------


def test_atavism_exchanges_traits_with_surface_cards_in_hand() -> None:
    """Before feeding, one for one; the traits come back to the hand."""
    state = play_line(
        make_state("ATA SY5 3", "4", plays_left=0, hands=("IN6 SP5",)), "done; exchange A1 SY5 SP5"
    )
    assert traits(state, "A1") == ("ATA", "SP5")
    assert set(state.hands[0]) == {"IN6", "SY5"}
    assert "exchange A1 ATA IN6" in legal_texts(state)
    feeding_state = play_line(state, "done")
    assert "forage A1 reef" in legal_texts(feeding_state)


def test_atavism_may_put_itself_back_in_the_hand() -> None:
    """Then its slots are gone, and the owner discards what is too much at once."""
    start = make_state("ATA SY5 SY6 SY7 SY8 3", "4", plays_left=0, hands=("IN6",), cambrian_happened=True)
    state = play_line(start, "done; exchange A1 ATA IN6")
    assert state.hands[0] == ("ATA",)
    assert set(legal_texts(state)) == {f"drop A1 {card}" for card in ("SY5", "SY6", "SY7", "SY8", "IN6")}
    state = play_line(state, "drop A1 SY5; drop A1 IN6")
    assert traits(state, "A1") == ("SY6", "SY7", "SY8")


def test_atavism_offers_neither_deep_cards_nor_other_species() -> None:
    """Only Surface cards go in, and only on its own species."""
    state = play_line(make_state("ATA 3 | SY5 3", "4", plays_left=0, hands=("GRA IN6",)), "done")
    assert legal_texts(state) == ("exchange A1 ATA IN6", "done")


def test_atavism_cannot_shake_off_cthulhu_leech() -> None:
    """A trait that cannot be removed is not exchanged either."""
    state = play_line(make_state("ATA CTH 3", "4", plays_left=0, hands=("IN6",)), "done")
    assert "exchange A1 CTH IN6" not in legal_texts(state)


@pytest.mark.parametrize("hand", ["", "GRA HAR"])
def test_atavism_asks_nothing_without_a_surface_card(hand: str) -> None:
    """Without a Surface card to exchange with, nobody is asked."""
    assert "forage A1 reef" in legal_texts(
        play_line(make_state("ATA SY5 3", "4", plays_left=0, hands=(hand,)), "done")
    )


def test_atavism_stops_after_as_many_exchanges_as_it_had_traits() -> None:
    """Two traits, two exchanges; the cards in hand are more."""
    start = make_state("ATA SY5 3", "4", plays_left=0, hands=("IN6 IN7 SP5",))
    state = play_line(start, "done; exchange A1 SY5 SP5; exchange A1 SP5 IN6")
    assert "forage A1 reef" in legal_texts(state)


def test_atavism_brings_a_trait_that_acts_before_feeding() -> None:
    """A Parasitic put in leeches once, and of two alike the one that is left leeches once."""
    state = play_line(make_state("ATA SY5 3", "4", plays_left=0, hands=("PA6",)), "done; exchange A1 SY5 PA6")
    assert population(state, "A1") == 5
    state = play_line(
        make_state("ATA PA7 PA7 0", "8", plays_left=0, hands=("IN6",)), "done; exchange A1 PA7 IN6"
    )
    assert population(state, "A1") == 2


def test_atavism_waits_for_its_owners_feeding() -> None:
    """In another player's turn nobody is asked."""
    state = make_state("ATA SY5 3", "4", player=1, plays_left=1, hands=("IN6", "SP5"))
    assert "forage B1 reef" in legal_texts(play_line(state, "migrate SP5 z1 z2"))


# Coprophagia --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("score", "taken_amount"), [(5, 2), (2, 2), (1, 1), (0, 0)])
def test_coprophagia_takes_2_from_a_score_pile(score: int, taken_amount: int) -> None:
    """Before feeding, as far as the pile has them."""
    state = play_line(make_state("COP 3", "3", plays_left=0, score_piles=(4, score)), "done; choose B")
    assert (population(state, "A1"), state.score_piles) == (3 + taken_amount, (4, score - taken_amount))


def test_coprophagia_lets_its_owner_pick_any_pile() -> None:
    """Its owner may pick any score pile, the own one too."""
    state = act(make_state("COP 3", "3", "3", plays_left=0, score_piles=(4, 4, 4)), "done")
    assert legal_texts(state) == ("choose A", "choose B", "choose C")
    assert play_line(state, "choose A").score_piles == (2, 4, 4)


def test_coprophagia_takes_what_it_has_room_for() -> None:
    """One space takes 1; with none nobody is asked; and it waits for its owner's turn."""
    one = play_line(make_state("COP EXT 9", "3", plays_left=0, score_piles=(4, 4)), "done; choose B")
    assert one.score_piles[1] == 3
    assert not any(
        "choose" in text for text in legal_texts(act(make_state("COP EXT 10", "3", plays_left=0), "done"))
    )
    assert not any(
        "choose" in text for text in legal_texts(act(make_state("PA5 3", "COP 3", plays_left=0), "done"))
    )


# Gene Transfer ------------------------------------------------------------------------------------


def legal_swaps(state: State) -> list[str]:
    """Return the legal swaps."""
    return [text for text in legal_texts(state) if text.startswith("swap")]


def test_gene_transfer_swaps_its_surface_traits_with_an_own_neighbours_traits() -> None:
    """Before feeding, one for one; the neighbour's may be Deep, its own may not."""
    state = act(make_state("GTR SY5 3 | GRA IN5 3", "BF5 2", plays_left=0), "done")
    assert legal_swaps(state) == ["swap A1 SY5 A2 GRA", "swap A1 SY5 A2 IN5"]
    state = act(state, "swap A1 SY5 A2 GRA")
    assert (set(traits(state, "A1")), set(traits(state, "A2"))) == ({"GTR", "GRA"}, {"IN5", "SY5"})
    assert "forage A1 reef" in legal_texts(state)


def test_gene_transfer_keeps_to_one_neighbour() -> None:
    """With two Surface traits there are two swaps, both with the neighbour of the first."""
    state = act(make_state("SY5 3 | GTR IN5 IN6 3 | BF5 3", "2", plays_left=0), "done")
    assert {text.split()[3] for text in legal_swaps(state)} == {"A1", "A3"}
    state = act(state, "swap A2 IN5 A1 SY5")
    assert {text.split()[3] for text in legal_swaps(state)} == {"A1"}
    state = act(state, "swap A2 IN6 A1 IN5")
    assert (set(traits(state, "A2")), traits(state, "A1")) == ({"GTR", "SY5", "IN5"}, ("IN6",))
    assert legal_swaps(state) == []


@pytest.mark.parametrize(
    "row",
    ["GTR SY5 3", "GTR GRA 3 | SY5 3", "GTR SY5 3 | 3 | IN5 3", "GTR SY5 3 | CTH 3", "GTR 3 | IN5 PA5 3"],
)
def test_gene_transfer_asks_nothing_where_nothing_can_be_swapped(row: str) -> None:
    """No own neighbour with a trait that can move, or no Surface trait of its own."""
    state = act(make_state(row, "BF5 2", plays_left=0), "done")
    assert legal_swaps(state) == []
    assert "forage A1 reef" in legal_texts(state)


def test_gene_transfer_may_be_declined() -> None:
    """Its owner need not swap anything."""
    state = play_line(make_state("GTR SY5 3 | IN5 3", "2", plays_left=0), "done; done")
    assert traits(state, "A1") == ("GTR", "SY5")
    assert "forage A1 reef" in legal_texts(state)


def test_gene_transfer_lets_no_trait_act_twice() -> None:
    """A Parasitic that has leeched on the neighbour does not do so again; one that has not still does."""
    state = act(make_state("PA5 0 | GTR SY5 0", "8", plays_left=0), "done")
    assert population(state, "A1") == 2
    state = act(state, "swap A2 SY5 A1 PA5")
    assert (population(state, "A1"), population(state, "A2")) == (2, 0)
    state = act(make_state("GTR SY5 0 | PA5 0", "8", plays_left=0), "done")
    assert population(act(state, "swap A1 SY5 A2 PA5"), "A1") == 2


def test_gene_transfer_takes_slots_along() -> None:
    """Speed's slot moves with it: what is then too much goes at once."""
    state = act(make_state("GTR IN5 3 | SP5 SY5 SY6 SY7 3", "2", plays_left=0), "done")
    state = act(state, "swap A1 IN5 A2 SP5")
    assert set(legal_texts(state)) == {"drop A2 IN5", "drop A2 SY5", "drop A2 SY6", "drop A2 SY7"}


# Grazer -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "reef_population", "taken_amount"), [("GRA 3", 20, 2), ("GRA 3", 1, 1), ("GRA EXT 9", 20, 1)]
)
def test_grazer_takes_2_from_the_reef_before_feeding(
    row: str, reef_population: int, taken_amount: int
) -> None:
    """As far as there is any, and room for it."""
    state = act(make_state(row, "3", plays_left=0, zone_populations=(reef_population, 20, 20, 20)), "done")
    assert (just_moved_to(state, "A1", "GRA"), just_moved_from(state, "reef", "GRA")) == (
        taken_amount,
        taken_amount,
    )


def test_grazers_take_is_no_forage() -> None:
    """It takes though its species never forages, and nothing reacts; then the species may feed."""
    state = act(make_state("GRA AP5 3 | SY5 2", "AMB 2 | WC5 2", plays_left=0), "done")
    assert (population(state, "A1"), population(state, "A2")) == (5, 2)
    assert (population(state, "B1"), population(state, "B2")) == (2, 2)
    assert "attack A1 B1" in legal_texts(state)


def test_grazer_waits_for_its_owners_turn() -> None:
    """Grazer takes nothing in the turns of others."""
    assert population(act(make_state("PA5 3", "GRA 3 | 3", plays_left=0), "done"), "B1") == 3


def test_grazer_may_overpopulate_and_feed_all_the_same() -> None:
    """Overpopulating before feeding does not forbid feeding."""
    state = play_line(make_state("GRA 8", "3", plays_left=0), "done; spill z2")
    assert (population(state, "A1"), state.position.zone_populations[2]) == (5, 25)
    assert "forage A1 reef" in legal_texts(state)


# Living Ecosystem ---------------------------------------------------------------------------------


def test_living_ecosystem_feeds_the_reef() -> None:
    """Its whole Forage moves from the zone its owner picks to the Reef, before it feeds."""
    state = make_state_after_card_phase("LIV SP5 1", "1", zone_populations=(5, 20, 20, 20))
    assert legal_texts(state) == ("choose z1", "choose z2", "choose z3")
    state = act(state, "choose z2")
    assert state.position.zone_populations == (9, 20, 16, 20)
    assert just_moved_to(act(state, "forage A1 reef"), "A1", "forage") == 4


def test_living_ecosystem_counts_the_reef_scenario() -> None:
    """Forage is the whole one, a Scenario card's icon included."""
    state = act(
        make_state_after_card_phase("LIV 1", "1", zone_populations=(5, 0, 20, 20), scenarios=("REE", "INA")),
        "choose z3",
    )
    assert just_moved_to(state, "reef", "LIV") == 4


def test_living_ecosystem_takes_what_a_zone_has() -> None:
    """Of a single zone with water nobody is asked; it gives what it has, and can so be emptied."""
    state = make_state_after_card_phase("LIV 4", "1", zone_populations=(5, 1, 0, 0), end_triggered=True)
    assert (just_moved_to(state, "reef", "LIV"), state.position.zone_populations) == (1, (6, 0, 0, 0))
    assert state.position.cambrian_happened
    assert just_moved_to(act(state, "skip"), "A", "aging") == 4  # Cambrian 2, two dry zones 1 each


@pytest.mark.parametrize(
    ("row", "zone_populations"),
    [
        ("LIV AP5 4", (5, 20, 20, 20)),  # it can never forage
        ("LIV 4", (5, 0, 0, 0)),  # the Ocean is dry
    ],
)
def test_living_ecosystem_moves_nothing(row: str, zone_populations: tuple[int, int, int, int]) -> None:
    """Without Forage or without water there is nothing to move and nothing to ask."""
    state = make_state_after_card_phase(row, "9", zone_populations=zone_populations, end_triggered=True)
    assert (just_moved_to(state, "reef", "LIV"), state.position.zone_populations) == (
        0,
        zone_populations,
    )


def test_living_ecosystem_waits_for_its_owner() -> None:
    """Before another player's feeding nothing moves."""
    assert just_moved_to(make_state_after_card_phase("PA5 1", "LIV 1"), "reef", "LIV") == 0


# Parasite Cleaner ---------------------------------------------------------------------------------


def test_parasite_cleaner_takes_1_from_all_others_with_leeching_traits() -> None:
    """Before its owner feeds it takes 1 from all others with leeching traits, Transparent or not."""
    state = make_state_after_card_phase("PCL 1 | PAT 3", "PA5 PA6 3 | TLE TR5 2 | CHI 0 | PAR MUC 2 | CTH 2")
    assert just_moved_to(state, "A1", "PCL") == 3
    assert [population(state, key) for key in ("A2", "B1", "B2", "B3", "B4", "B5")] == [3, 2, 1, 0, 1, 2]


def test_parasite_cleaner_stops_when_full() -> None:
    """It takes no more than fits, clockwise round the ring, and may overpopulate before feeding."""
    state = make_state_after_card_phase("PCL 9", "PA5 3 | PA6 3")
    assert (just_moved_to(state, "A1", "PCL"), population(state, "B1"), population(state, "B2")) == (
        1,
        2,
        3,
    )
    state = act(state, "spill reef")
    assert population(state, "A1") == 5
    assert "forage A1 reef" in legal_texts(state)  # what happens before feeding does not end it


def test_parasite_cleaner_takes_nothing_without_leeching_traits_or_in_others_turns() -> None:
    """Nobody else has a leeching trait, or another player is about to feed: nothing is taken."""
    assert just_moved_to(make_state_after_card_phase("PCL 1 | SY5 3", "MAS 3 | PAT 3"), "A1", "PCL") == 0
    assert (
        just_moved_to(make_state_after_card_phase("PA5 1", "PCL 3"), "B1", "PCL") == 0
    )  # another player's turn
