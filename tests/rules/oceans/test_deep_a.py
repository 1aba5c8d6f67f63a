"""Deep traits one by one: Abyss Dweller, Acute Smell, Advanced Eyes, Ambush, Atavism."""

import pytest

from rules.oceans.events import Overpopulated
from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    act,
    feeding,
    legal,
    lives,
    lost,
    make_state,
    moved,
    play,
    population,
    traits,
)


def attacks(state: State) -> list[str]:
    """The legal attacks."""
    return [text for text in legal(state) if text.startswith("attack")]


# Abyss Dweller --------------------------------------------------------------------------------------


def test_abyss_dweller_attacks_only_species_without_a_surface_trait() -> None:
    """Deep traits and none at all are fair; a single Surface trait keeps it off."""
    state = feeding("ABY 2", "GRA 5 | SY5 5 | 5 | BIO SY6 5")
    assert attacks(state) == ["attack A1 B1", "attack A1 B3"]


def test_abyss_dweller_is_attacked_only_by_species_without_a_surface_trait() -> None:
    """The same in the other direction."""
    state = feeding("SY5 3 | GRA 3 | 3 | HAR SY6 3", "ABY 5")
    assert {text for text in attacks(state) if text.endswith("B1")} == {"attack A2 B1", "attack A3 B1"}


@pytest.mark.parametrize("hunter", ["BEH SY5", "GAR SY5", "CAV SY5", "TRA SY5"])
def test_abyss_dwellers_ban_is_ignored_by_whoever_ignores_bans(hunter: str) -> None:
    """It limits who may attack, so what ignores that works on it: Behemoth, Gargantuan and the like."""
    assert "attack A1 B1" in legal(feeding(f"{hunter} 2", "ABY 8"))


def test_abyss_dweller_may_be_the_one_defensive_trait_that_is_ignored() -> None:
    """Electroreception names it."""
    assert attacks(feeding("ELE SY5 2", "ABY 8")) == ["attack A1 B1 ABY"]


@pytest.mark.parametrize("ignoring", ["BEH", "CAV", "ELE", "TRA"])
def test_abyss_dwellers_own_restraint_cannot_be_ignored(ignoring: str) -> None:
    """What ignores the target's defences does not let it attack a species with a Surface trait."""
    assert attacks(feeding(f"ABY {ignoring} 2", "SY5 8")) == []


def test_abyss_dweller_takes_further_deep_traits_for_nothing() -> None:
    """On it they cost nothing; on its neighbour, or as a new species, the full price."""
    state = make_state("ABY 3 | 3", "3", hands=("COM",), scores=(0,), cambrian=True)
    assert [text for text in legal(state) if text.startswith(("evolve", "create"))] == ["evolve COM A1"]
    after = act(state, "evolve COM A1")
    assert traits(after, "A1") == ("ABY", "COM")
    assert after.scores[0] == 0
    rich = make_state("ABY 3 | 3", "3", hands=("COM",), scores=(9,), cambrian=True)
    assert "evolve COM A1 reef" not in legal(rich)
    assert act(rich, "evolve COM A2 reef").scores[0] == 6


def test_abyss_dweller_itself_is_paid_for() -> None:
    """Only traits that join it later are free."""
    poor = make_state("3", "3", hands=("ABY",), scores=(0,), cambrian=True)
    assert not any(text.startswith(("evolve", "create")) for text in legal(poor))
    paid = act(make_state("3", "3", hands=("ABY",), scores=(1,), cambrian=True), "evolve ABY A1 z1")
    assert (paid.scores[0], paid.position.water[1]) == (0, 21)


def test_cthulhu_leech_on_an_abyss_dweller_is_free_for_whoever_plays_it() -> None:
    """The trait that joins it is free, whosever the species is."""
    state = make_state("3", "ABY 3", hands=("CTH",), scores=(0,), cambrian=True)
    assert "evolve CTH B1" in legal(state)
    assert "evolve CTH A1" not in legal(state)


def test_abyss_dweller_takes_traits_out_of_the_gene_pool_for_nothing() -> None:
    """Thermal Currents: what is evolved from there costs nothing either."""
    state = make_state(
        "ABY 3 | 3", "3", gene_pool=("COM", ""), scenarios=("INA", "THE"), water=(20, 20, 0, 20)
    )
    assert [text for text in legal(state) if "COM" in text] == ["evolve COM A1"]


# Acute Smell ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("others", "gained"),
    [
        ("SH5 2 | ACU 3 | 5", 1),  # the only cleaner stands on both sides of the attacker
        ("SH5 2 | ACU 3 | 5 | SH6 2", 2),
        ("SH5 SH6 2 | ACU 3 | 5", 2),  # every copy counts
        ("SHC 2 | ACU 3 | 5 | SH6 2", 2),  # the Deep one too
        ("SH5 2 | SH6 2 | ACU 3 | 5 | SH7 2", 2),  # the middle one is not the nearest
        ("2 | ACU 3 | 5", 0),
        ("WC5 2 | ACU 3 | 5", 0),
    ],
)
def test_acute_smell_gains_1_for_each_shark_cleaner_that_is_set_off(others: str, gained: int) -> None:
    """It counts the Shark Cleaners that the attack sets off, wherever it stands itself."""
    prey = next(i for i, text in enumerate(others.split("|"), 1) if text.split() == ["5"])
    state = act(feeding("AP5 2", others), f"attack A1 B{prey}")
    assert moved(state, "B" + str(1 + others.split(" | ").index("ACU 3")), "ACU") == gained


def test_acute_smell_is_idle_when_no_cleaner_is_set_off() -> None:
    """An attack with Attack 2 and a forage set off no Shark Cleaner."""
    state = feeding("SP5 2", "SH5 2 | ACU 3")
    assert moved(act(state, "attack A1 B1"), "B2", "ACU") == 0
    assert moved(act(state, "forage A1 reef"), "B2", "ACU") == 0


def test_acute_smell_gains_after_its_own_species_attacks() -> None:
    """It may be the attacker itself; its own Shark Cleaner is not set off."""
    state = feeding("ACU AP5 SH6 2", "SH5 2 | 5")
    assert moved(act(state, "attack A1 B2"), "A1", "ACU") == 1
    alone = feeding("ACU AP5 SH6 2", "2 | 5")
    assert moved(act(alone, "attack A1 B2"), "A1", "ACU") == 0


def test_acute_smell_counts_a_cleaner_that_has_no_room() -> None:
    """Being set off is enough: the cleaner's board is full, so it gains nothing."""
    state = act(feeding("AP5 2", "FF5 SH5 10 | ACU 3 | 5"), "attack A1 B3")
    assert (moved(state, "B1", "SH5"), moved(state, "B2", "ACU")) == (0, 1)


# Advanced Eyes --------------------------------------------------------------------------------------


def test_advanced_eyes_ignores_a_defence_of_a_species_with_a_deep_trait_only() -> None:
    """Attack 2 gets past Inking where there is a Deep trait, and nowhere else."""
    state = feeding("ADV SP5 2", "GRA IN5 5 | IN6 5")
    assert attacks(state) == ["attack A1 B1 IN5"]
    assert lost(act(state, "attack A1 B1 IN5"), "B1", "attack") == 2


def test_advanced_eyes_ignores_one_trait_and_no_more() -> None:
    """Attack 5 against Defence 6 and 4: without the 6 it takes 1, without the 4 nothing."""
    state = feeding("ADV MEG 2", "HAR IN5 9")
    assert attacks(state) == ["attack A1 B1 HAR"]
    assert lost(act(state, "attack A1 B1 HAR"), "B1", "attack") == 1


@pytest.mark.parametrize("safe", ["SCH", "GEN", "GOE", "TRA", "FLI"])
def test_advanced_eyes_gets_past_a_ban_on_attacks(safe: str) -> None:
    """A limit on who may attack is a defensive trait, and may be a Deep one."""
    assert attacks(feeding("ADV 2", f"{safe} 8")) == [f"attack A1 B1 {safe}"]


def test_advanced_eyes_cannot_undo_two_bans() -> None:
    """One of two bans is left."""
    assert attacks(feeding("ADV 2", "GEN SC5 8")) == []


def test_advanced_eyes_offers_each_take_once() -> None:
    """To ignore nothing is offered too, and a trait that is not defensive is not."""
    assert attacks(feeding("ADV MEG 2", "BLU DEF 9")) == ["attack A1 B1", "attack A1 B1 BLU"]


# Ambush ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "key"),
    [(("FF5 2 | AMB 1", "5"), "A2"), (("FF5 2", "5 | AMB 1"), "B2"), (("GEN 2", "AMB 1"), "B1")],
)
def test_ambush_takes_2_from_every_forager(rows: tuple[str, str], key: str) -> None:
    """Own or not, beside it or not, immune to attacks or not: the forager loses 2 to it."""
    state = act(feeding(*rows), "forage A1 reef")
    assert (moved(state, key, "AMB"), lost(state, "A1", "AMB")) == (2, 2)


def test_ambush_does_not_react_to_itself_nor_to_attacks() -> None:
    """Its own forage and anybody's attack leave it idle."""
    assert moved(act(feeding("AMB 1", "5"), "forage A1 reef"), "A1", "AMB") == 0
    assert moved(act(feeding("3", "AMB 1 | 5"), "attack A1 B2"), "B1", "AMB") == 0


def test_ambush_takes_what_is_there_and_what_fits() -> None:
    """A forager that holds 1 loses 1; a board with one space takes 1."""
    assert moved(act(feeding("0", "AMB 1"), "forage A1 reef"), "B1", "AMB") == 1
    assert moved(act(feeding("5", "AMB FF5 9"), "forage A1 reef"), "B1", "AMB") == 1


def test_ambush_comes_before_the_forager_overpopulates() -> None:
    """6 and a forage of 4 fill the board; less the 2 that are taken, nothing overpopulates."""
    state = act(feeding("SP5 SP6 6", "AMB 1"), "forage A1 reef")
    assert moved(state, "A1", "forage") == 4
    assert not any(isinstance(event, Overpopulated) for event in state.position.trail)


def test_ambush_may_overpopulate_by_what_it_takes() -> None:
    """In another's turn its surplus goes to the Reef."""
    state = act(feeding("5", "AMB 8"), "forage A1 reef")
    assert (population(state, "B1"), moved(state, "reef", "surplus")) == (5, 5)


def test_ambush_starves_a_forager_that_must_age() -> None:
    """What it took is missing in Aging: the forager dies out."""
    assert not lives(act(feeding("0", "AMB 1"), "forage A1 reef"), "A1")


# Atavism --------------------------------------------------------------------------------------------


def test_atavism_exchanges_traits_with_surface_cards_in_hand() -> None:
    """Before feeding, one for one; the traits come back to the hand."""
    state = play(make_state("ATA SY5 3", "4", plays=0, hands=("IN6 SP5",)), "done; exchange A1 SY5 SP5")
    assert traits(state, "A1") == ("ATA", "SP5")
    assert set(state.hands[0]) == {"IN6", "SY5"}
    assert "exchange A1 ATA IN6" in legal(state)
    fed = play(state, "done")
    assert "forage A1 reef" in legal(fed)


def test_atavism_may_put_itself_back_in_the_hand() -> None:
    """Then its slots are gone, and the owner discards what is too much at once."""
    start = make_state("ATA SY5 SY6 SY7 SY8 3", "4", plays=0, hands=("IN6",), cambrian=True)
    state = play(start, "done; exchange A1 ATA IN6")
    assert state.hands[0] == ("ATA",)
    assert set(legal(state)) == {f"drop A1 {card}" for card in ("SY5", "SY6", "SY7", "SY8", "IN6")}
    state = play(state, "drop A1 SY5; drop A1 IN6")
    assert traits(state, "A1") == ("SY6", "SY7", "SY8")


def test_atavism_offers_neither_deep_cards_nor_other_species() -> None:
    """Only Surface cards go in, and only on its own species."""
    state = play(make_state("ATA 3 | SY5 3", "4", plays=0, hands=("GRA IN6",)), "done")
    assert legal(state) == ("exchange A1 ATA IN6", "done")


def test_atavism_cannot_shake_off_cthulhu_leech() -> None:
    """A trait that cannot be removed is not exchanged either."""
    state = play(make_state("ATA CTH 3", "4", plays=0, hands=("IN6",)), "done")
    assert "exchange A1 CTH IN6" not in legal(state)


@pytest.mark.parametrize("hand", ["", "GRA HAR"])
def test_atavism_asks_nothing_without_a_surface_card(hand: str) -> None:
    """There is nothing to exchange with."""
    assert "forage A1 reef" in legal(play(make_state("ATA SY5 3", "4", plays=0, hands=(hand,)), "done"))


def test_atavism_stops_after_as_many_exchanges_as_it_had_traits() -> None:
    """Two traits, two exchanges; the cards in hand are more."""
    start = make_state("ATA SY5 3", "4", plays=0, hands=("IN6 IN7 SP5",))
    state = play(start, "done; exchange A1 SY5 SP5; exchange A1 SP5 IN6")
    assert "forage A1 reef" in legal(state)


def test_atavism_brings_a_trait_that_acts_before_feeding() -> None:
    """A Parasitic put in leeches once, and of two alike the one that is left leeches once."""
    state = play(make_state("ATA SY5 3", "4", plays=0, hands=("PA6",)), "done; exchange A1 SY5 PA6")
    assert population(state, "A1") == 5
    state = play(make_state("ATA PA7 PA7 0", "8", plays=0, hands=("IN6",)), "done; exchange A1 PA7 IN6")
    assert population(state, "A1") == 2


def test_atavism_waits_for_its_owners_feeding() -> None:
    """In another player's turn nobody is asked."""
    state = make_state("ATA SY5 3", "4", player=1, plays=1, hands=("IN6", "SP5"))
    assert "forage B1 reef" in legal(play(state, "migrate SP5 z1 z2"))
