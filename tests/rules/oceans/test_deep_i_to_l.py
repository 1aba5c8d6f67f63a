"""Deep traits from Impostor Cleaner (shark) to Luminous Bacteria, one by one."""

import pytest

from rules.oceans.rules import State
from tests.rules.oceans.positions import (
    act,
    feeding,
    legal,
    lives,
    make_state,
    moved,
    play,
    population,
    traits,
)


def begun(*rows: str, **other: object) -> State:
    """Play goes on from the card phase to whatever comes before feeding."""
    return act(make_state(*rows, plays=0, **other), "done")  # type: ignore[arg-type]


# Impostor Cleaners ----------------------------------------------------------------------------------


def test_shark_impostor_takes_from_each_cleaner_that_gained() -> None:
    """The nearest Shark Cleaner on either side gains, and gives 1 of it to the impostor, wherever that is."""
    # Rightwards: A1 A2 A3, B1 B2 B3, and round again.
    state = act(feeding("AP5 2 | SH5 1 | IMS 0", "9 | SH6 1 | SH7 1"), "attack A1 B1")
    assert [moved(state, key, card) for key, card in (("A2", "SH5"), ("B3", "SH7"))] == [2, 2]
    assert moved(state, "A3", "IMS") == 2
    assert (population(state, "B2"), population(state, "B3")) == (1, 2)


def test_shark_impostor_knows_the_deep_shark_cleaner() -> None:
    """Both Shark Cleaners are of the family; who has two of them still gives 1."""
    state = act(feeding("AP5 2", "9 | SHC SH7 1 | 5 | IMS 0"), "attack A1 B1")
    assert (moved(state, "B2", "SHC"), moved(state, "B2", "SH7")) == (3, 2)
    assert (moved(state, "B4", "IMS"), population(state, "B2")) == (1, 5)


@pytest.mark.parametrize(
    ("rows", "action"),
    [
        (("2", "IMS 0 | 9 | SH5 1"), "attack A1 B2"),  # Attack 1: no cleaner gains
        (("FF5 2", "IMS 0 | WC5 1"), "forage A1 reef"),  # the other family
        (("AP5 2", "IMS SH5 1 | 9"), "attack A1 B2"),  # its own cleaner
        (("AP5 2", "IMS 0 | 9 | BF5 1"), "attack A1 B2"),  # a gain, but not a cleaner's
        (("AP5 2", "IMS 0 | 9 | SH5 FF5 10"), "attack A1 B2"),  # the cleaner has no room to gain
    ],
)
def test_shark_impostor_takes_nothing(rows: tuple[str, str], action: str) -> None:
    """No Shark Cleaner of another species gained: nothing is taken."""
    assert moved(act(feeding(*rows), action), "B1", "IMS") == 0


def test_impostor_takes_no_more_than_it_has_room_for() -> None:
    """With one free space it takes from the first cleaner clockwise only."""
    state = act(feeding("AP5 2 | SH5 1", "9 | SH6 1 | IMS FF5 9"), "attack A1 B1")
    assert moved(state, "B3", "IMS") == 1
    assert (population(state, "A2"), population(state, "B2")) == (1, 3)  # A2 has aged


def test_whale_impostor() -> None:
    """It takes from Whale Cleaners, the Deep one too, after they have gained."""
    state = act(feeding("FF5 0 | WC5 1", "IMW 0 | 3 | WHC 1"), "forage A1 reef")
    assert (moved(state, "A2", "WC5"), moved(state, "B3", "WHC")) == (3, 4)
    assert moved(state, "B1", "IMW") == 2
    assert population(state, "B3") == 4


@pytest.mark.parametrize(
    ("rows", "action"),
    [
        (("2 | WC5 1", "IMW 0 | 9"), "forage A1 reef"),  # Forage 1
        (("AP5 2 | SH5 1", "IMW 0 | 9"), "attack A1 B2"),  # the other family
        (("FF5 2 | 1", "IMW WC5 0 | 9"), "forage A1 reef"),  # its own cleaner
    ],
)
def test_whale_impostor_takes_nothing(rows: tuple[str, str], action: str) -> None:
    """Without another species' Whale Cleaner that gains it takes nothing."""
    assert moved(act(feeding(*rows), action), "B1", "IMW") == 0


def test_impostors_react_to_a_population_explosion() -> None:
    """The event lets cleaners gain as well, so the impostors take from them."""
    state = make_state(
        "SH5 1 | IMS 0",
        "WC5 1 | IMW 0",
        water=(20, 3, 20, 20),
        scenarios=("EXP", "INA"),
        hands=("IN5",),
    )
    state = act(state, "migrate IN5 z1 reef")
    assert (moved(state, "A1", "SH5"), moved(state, "B1", "WC5")) == (2, 3)
    assert (moved(state, "A2", "IMS"), moved(state, "B2", "IMW")) == (1, 1)


# Inking (Deep) --------------------------------------------------------------------------------------


def test_deep_inking_defends_and_stings() -> None:
    """Defence 4, and whoever attacks it loses 3 to the Reef after each attack."""
    state = act(feeding("MEG TE5 4", "INK 9"), "attack A1 B1")
    assert moved(state, "A1", "attack") == 1
    assert moved(state, "reef", "INK") == 3
    assert population(state, "A1") == 2
    state = act(state, "attack A1 B1")
    assert moved(state, "reef", "INK") == 3


def test_deep_inking_stings_no_deeper_than_there_is() -> None:
    """An attacker with 1 loses that, lives on and may feed again."""
    state = act(feeding("MEG TE5 0", "INK 9"), "attack A1 B1")
    assert moved(state, "reef", "INK") == 1
    assert population(state, "A1") == 0
    assert "forage A1 reef" in legal(state)


def test_deep_inking_keeps_weak_attackers_off() -> None:
    """Attack 4 would take nothing, so it is no legal attack; Defence 4 is ignored by Crushing Jaw alone."""
    assert "attack A1 B1" not in legal(feeding("SP5 SP6 2", "INK 9"))
    state = act(feeding("CRU SP5 SP6 4", "INK 9"), "attack A1 B1")
    assert (moved(state, "A1", "attack"), moved(state, "reef", "INK")) == (4, 3)


def test_deep_inking_stings_attackers_only() -> None:
    """A leech is no attack, an attack on another species is none on it, and its own target is spared."""
    assert moved(begun("PA5 2", "INK 5"), "reef", "INK") == 0
    assert moved(act(feeding("AP5 2", "INK 9 | 9"), "attack A1 B2"), "reef", "INK") == 0
    assert moved(act(feeding("INK 2", "9"), "attack A1 B1"), "reef", "INK") == 0


# Kleptoparasitic ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "taken"),
    [
        (("AP5 2 | 1", "9 | KLE 0"), "attack A1 B1", 1),  # the attacker's left neighbour
        (("AP5 2 | KLE 1", "9 | 2"), "attack A1 B1", 1),  # its right neighbour, of the same owner
        (("AP5 2", "KLE 9"), "attack A1 B1", 1),  # the target itself stands beside it
        (("AP5 2 | 1", "KLE 4 | 9"), "attack A1 B2", 0),  # beside the target, not beside the attacker
        (("FF5 2 | 1", "9 | KLE 0"), "forage A1 reef", 0),  # no attack
        (("KLE AP5 2 | 1", "9 | 2"), "attack A1 B1", 0),  # its own attack
        (("AP5 2 | 1", "9 | KLE FF5 10"), "attack A1 B1", 0),  # no room
    ],
)
def test_kleptoparasitic(rows: tuple[str, str], action: str, taken: int) -> None:
    """It takes 1 from a neighbour that has attacked, and from nobody else."""
    state = act(feeding(*rows), action)
    assert sum(moved(state, key, "KLE") for key in ("A1", "A2", "B1", "B2")) == taken


@pytest.mark.parametrize(("cambrian", "aged"), [(False, 3), (True, 4)])
def test_kleptoparasitic_ages_two_more(cambrian: bool, aged: int) -> None:  # noqa: FBT001 - a case
    """It ages 2 more than others."""
    state = act(feeding("KLE 6", "1", cambrian=cambrian), "skip")
    assert (moved(state, "A", "aging"), population(state, "A1")) == (aged, 6 - aged)


# Leviathan ------------------------------------------------------------------------------------------


def test_leviathan() -> None:
    """It attacks with 5, never forages and ages 1 more."""
    state = feeding("LEV 3", "9")
    assert legal(state) == ("attack A1 B1", "skip")
    state = act(state, "attack A1 B1")
    assert (moved(state, "A1", "attack"), moved(state, "A", "aging")) == (5, 2)


@pytest.mark.parametrize(
    ("hunter", "may"),
    [
        ("APX AP5 AP6", False),
        ("KRA", True),  # Leviathan's Attack is 5
        ("BEH", False),  # Behemoth's Attack is 3, not the higher one
        ("BEH AP5", True),
        ("TRA SP5", True),  # the ban comes from a Deep trait
        ("ELE", True),  # ignores one defensive trait
    ],
)
def test_who_attacks_leviathan(hunter: str, may: bool) -> None:  # noqa: FBT001 - a case
    """Nobody, but for those who ignore what keeps them off."""
    offered = [text for text in legal(feeding(f"{hunter} 2", "LEV 9")) if text.startswith("attack A1 B1")]
    assert bool(offered) == may


# Living Ecosystem -----------------------------------------------------------------------------------


def test_living_ecosystem_feeds_the_reef() -> None:
    """Its whole Forage moves from the zone its owner picks to the Reef, before it feeds."""
    state = begun("LIV SP5 1", "1", water=(5, 20, 20, 20))
    assert legal(state) == ("choose z1", "choose z2", "choose z3")
    state = act(state, "choose z2")
    assert state.position.water == (9, 20, 16, 20)
    assert moved(act(state, "forage A1 reef"), "A1", "forage") == 4


def test_living_ecosystem_counts_the_reef_scenario() -> None:
    """Forage is the whole one, a Scenario card's icon included."""
    state = act(begun("LIV 1", "1", water=(5, 0, 20, 20), scenarios=("REE", "INA")), "choose z3")
    assert moved(state, "reef", "LIV") == 4


def test_living_ecosystem_takes_what_a_zone_has() -> None:
    """Of a single zone with water nobody is asked; it gives what it has, and can so be emptied."""
    state = begun("LIV 4", "1", water=(5, 1, 0, 0), ending=True)
    assert (moved(state, "reef", "LIV"), state.position.water) == (1, (6, 0, 0, 0))
    assert state.position.cambrian
    assert moved(act(state, "skip"), "A", "aging") == 4  # Cambrian 2, two dry zones 1 each


@pytest.mark.parametrize(
    ("row", "water"),
    [
        ("LIV AP5 4", (5, 20, 20, 20)),  # it can never forage
        ("LIV 4", (5, 0, 0, 0)),  # the Ocean is dry
    ],
)
def test_living_ecosystem_moves_nothing(row: str, water: tuple[int, int, int, int]) -> None:
    """Without Forage or without water there is nothing to move and nothing to ask."""
    state = begun(row, "9", water=water, ending=True)
    assert (moved(state, "reef", "LIV"), state.position.water) == (0, water)


def test_living_ecosystem_waits_for_its_owner() -> None:
    """Before another player's feeding nothing moves."""
    assert moved(begun("PA5 1", "LIV 1"), "reef", "LIV") == 0


# Luminous Bacteria ----------------------------------------------------------------------------------


def test_luminous_bacteria_forages_anywhere() -> None:
    """It may forage in the Reef or in any one Ocean zone that holds population."""
    state = feeding("LUM SP5 1 | 2", "9", water=(20, 20, 0, 1))
    foraging = [text for text in legal(state) if text.startswith("forage")]
    assert foraging == ["forage A1 reef", "forage A1 z1", "forage A1 z3", "forage A2 reef"]
    assert moved(act(state, "forage A1 z3"), "A1", "forage") == 1  # one zone for one forage
    assert moved(act(state, "forage A1 z1"), "A1", "forage") == 2


def test_luminous_bacteria_can_set_off_the_explosion() -> None:
    """Foraging the last token of zone 1 away is the Cambrian Explosion."""
    state = act(feeding("LUM 3", "9", water=(20, 1, 20, 20)), "forage A1 z1")
    assert state.position.cambrian
    assert moved(state, "A", "aging") == 3  # Cambrian 2, and the card of the dry zone


def test_luminous_bacteria_has_one_more_slot() -> None:
    """It goes onto a full species, and a fourth trait goes onto its species, but no fifth."""
    state = make_state(
        "SP5 IN5 1 | IN6 IN7 IN8 1", "1", cambrian=True, plays=2, hands=("LUM BF5",), scores=(1,)
    )
    assert "evolve BF5 A2" not in legal(state)
    state = act(state, "evolve LUM A2 reef")
    assert "evolve BF5 A2" not in legal(state)  # LUM itself fills the slot
    full = make_state("LUM IN6 IN7 1", "1", hands=("BF5",))
    assert traits(act(full, "evolve BF5 A1"), "A1")[-1] == "BF5"


def test_losing_luminous_bacteria_costs_a_trait() -> None:
    """Without it its species has three slots: a fourth of four stays, a fourth of more must go."""
    state = play(make_state("LUM SP5 IN5 IN6 BF5 1", "1", plays=0), "drop A1 LUM")
    assert len(traits(state, "A1")) == 4  # Speed has a slot of its own
    state = play(make_state("LUM IN7 IN5 IN6 1", "1", plays=0), "drop A1 LUM")
    assert len(traits(state, "A1")) == 3
    assert lives(state, "A1")
