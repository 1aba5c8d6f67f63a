"""Deep traits from Vestigial Limb to Zooplankton, one by one."""

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


def offered(state: State, verb: str) -> tuple[str, ...]:
    """The legal actions of one kind."""
    return tuple(text for text in legal(state) if text.startswith(f"{verb} "))


# Vestigial Limb -------------------------------------------------------------------------------------


def limbs(*rows: str, plays: int = 1, hand: str = "VES IN5", score: int = 1) -> State:
    """Seat A holds Vestigial Limb after the Cambrian Explosion."""
    return make_state(*rows, hands=(hand,), cambrian=True, plays=plays, scores=(score,))


def test_vestigial_limb_goes_on_an_opponents_species() -> None:
    """It costs 1, fills a slot, and its player plays one more card than else."""
    state = limbs("BF5 1", "SY5 1 | IN6 IN7 IN8 1")
    assert {text.split()[2] for text in offered(state, "evolve") if "VES" in text} == {"B1"}
    assert not [text for text in offered(state, "create") if "VES" in text]
    state = act(state, "evolve VES B1 z3")
    assert (traits(state, "B1"), state.scores[0]) == (("SY5", "VES"), 0)
    assert state.position.plays == 1
    state = act(state, "migrate IN5 reef z1")
    assert state.position.plays == 0


def test_vestigial_limb_needs_its_cost_and_a_card_more() -> None:
    """Without population in the score pile it can only migrate; without another card nothing follows."""
    state = limbs("BF5 1", "SY5 1", score=0)
    assert not [text for text in offered(state, "evolve") if "VES" in text]
    assert [text for text in offered(state, "migrate") if "VES" in text]
    state = act(limbs("BF5 1", "SY5 1", hand="VES"), "evolve VES B1 reef")
    assert offered(state, "forage")
    assert act(limbs("BF5 1", "SY5 1"), "migrate VES z1 z2").position.plays == 0  # no limb, no further card


def test_vestigial_limb_stays() -> None:
    """Its owner can remove every other trait of the species; over the limit another one goes."""
    state = make_state("VES SY5 1", "1", hands=("IN5",))
    assert offered(state, "drop") == ("drop A1 SY5",)
    state = make_state("1", "SY5 IN5 VES 1", hands=("BF5",), water=(20, 3, 20, 20), scenarios=("SGP", "INB"))
    assert traits(act(state, "migrate BF5 z1 z2"), "B1") == ("SY5", "VES")


# Voracious Feeder -----------------------------------------------------------------------------------


def test_voracious_feeder_feeds_on_top() -> None:
    """Another trait was put on it this turn: it feeds once, and the normal feeding is there as well."""
    state = make_state("VOR 1 | 1", "9", hands=("BF5",))
    state = act(state, "evolve BF5 A1")
    state = act(state, "forage A1 reef")
    assert offered(state, "forage") == ("forage A1 reef", "forage A2 reef")
    after = act(state, "forage A2 reef")
    assert moved(after, "A", "aging") == 2
    assert moved(act(state, "forage A1 reef"), "A", "aging") == 2


def test_voracious_feeder_may_come_second() -> None:
    """After another species' whole feeding it still has its own; one only."""
    state = make_state("VOR 1 | TE5 1", "9", hands=("BF5",))
    state = play(state, "evolve BF5 A1; forage A2 reef; forage A2 reef")
    assert offered(state, "forage") == ("forage A1 reef",)
    assert moved(act(state, "forage A1 reef"), "A", "aging") == 2


@pytest.mark.parametrize(
    ("row", "hand", "cards"),
    [
        ("VOR 1 | 5", "BF5", "migrate BF5 z1 z2"),  # nothing was put on it
        ("VOR 1 | 5", "BF5", "evolve BF5 A2"),  # on another species
        ("IN5 1 | 5", "VOR", "evolve VOR A1 reef"),  # its own arrival does not count
    ],
)
def test_voracious_feeder_needs_another_trait(row: str, hand: str, cards: str) -> None:
    """Without another trait this turn it has the normal feeding only."""
    state = play(make_state(row, "9", hands=(hand,), cambrian=True, scores=(1,)), cards)
    assert moved(act(state, "forage A1 reef"), "A", "aging") == 4


def test_voracious_feeder_counts_what_came_before_it() -> None:
    """A trait of the same turn counts whichever came first; at the next turn it is forgotten."""
    state = make_state("1 | 1", "9", hands=("BF5 VOR",), cambrian=True, plays=2, scores=(1,))
    state = play(state, "create BF5 2; evolve VOR A3 reef; forage A3 reef")
    assert offered(state, "forage") == ("forage A1 reef", "forage A2 reef", "forage A3 reef")
    later = make_state("VOR BF5 3 | 3", "9", hands=("IN5",))
    assert moved(play(later, "migrate IN5 z1 z2; forage A1 reef"), "A", "aging") == 2


def test_voracious_feeder_that_arrives_by_an_exchange() -> None:
    """Rapid Mutation brings it: that is its own arrival, not another trait."""
    state = feeding("APX 1", "RAP 9", gene_pool=("VOR", "GRA"), hands=("", "IN5"), cambrian=True)
    state = play(state, "attack A1 B1; draw; mutate B1 RAP 1; migrate IN5 z1 z2")
    assert moved(act(state, "forage B1 reef"), "B", "aging") == 2


def test_voracious_feeder_that_arrives_by_a_swap() -> None:
    """A Scenario card swaps it for another trait: neither of the two species feeds on top."""
    state = begun("IN5 5 | VOR 5", "9", water=(20, 0, 20, 20), scenarios=("HGT", "INB"))
    state = play(state, "swap A1 IN5 A2 VOR; forage A1 reef")
    assert moved(state, "A", "aging") == 2


def test_voracious_feeder_that_overpopulates_is_done() -> None:
    """Its own surplus ends its feedings, not the normal one of another species."""
    state = play(make_state("VOR 9 | 1", "9", hands=("BF5",)), "evolve BF5 A1; forage A1 reef; spill z1")
    assert offered(state, "forage") == ("forage A2 reef",)


# Warm Blooded ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "options"),
    [
        ("WAR 9", "1 2 3 4"),
        ("WAR 3", "1 2 3"),  # no further than it holds
        ("WAR SLO 9", "0 1 2 3 4"),
        ("WAR KLE 9", "3 4 5 6"),
    ],
)
def test_warm_blooded(row: str, options: str) -> None:
    """Its owner may let it age 1, 2 or 3 more than it has to."""
    state = act(feeding(f"{row} | 1", "1"), "skip")
    assert [text.split()[1] for text in offered(state, "choose")] == options.split()
    last = options[-1]
    assert moved(act(state, f"choose {last}"), "A", "aging") == int(last) + 1


def test_warm_blooded_with_one_left_is_not_asked() -> None:
    """It has nothing to give beyond what is due."""
    assert moved(act(feeding("WAR 1", "1"), "skip"), "A", "aging") == 1


def test_warm_blooded_has_one_more_slot() -> None:
    """A fourth trait goes onto its species, no fifth."""
    state = act(make_state("WAR IN5 IN6 1", "1", hands=("BF5 BF6",), plays=2), "evolve BF5 A1")
    assert len(traits(state, "A1")) == 4
    assert "evolve BF6 A1" not in legal(state)


# Whale Cleaner (Deep) -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "gained"),
    [
        (("FF5 1", "9 | WHC 0"), 4),
        (("FF5 1 | 1", "9 | WHC 0 | 1"), 4),  # not beside the forager
        (("SP5 SP6 1", "9 | WHC 0"), 0),  # Forage 4
        (("SP5 SP6 1 | 1", "WC5 9 | WHC 0"), 0),
        (("FF5 1 | WC5 0", "9 | WHC 0"), 4),  # the nearest on the other side
        (("FF5 1 | WC5 0", "9 | WHC 0 | WC6 0"), 0),  # nearer ones on both sides
        (("FF5 WHC 1", "9 | 1"), 0),  # its own forage
        (("FF5 9", "9 | WHC 0"), 4),  # its Forage counts, not what fits
    ],
)
def test_deep_whale_cleaner(rows: tuple[str, str], gained: int) -> None:
    """As Whale Cleaner, in one ring with it, but from Forage 5 on, and it gains 4."""
    state = act(feeding(*rows), "forage A1 reef")
    assert moved(state, "A1", "WHC") + moved(state, "B2", "WHC") == gained


def test_deep_whale_cleaner_out_of_reach_shadows_nobody() -> None:
    """Below Forage 5 it does not count as the nearest."""
    state = act(feeding("SP5 SP6 1 | WHC 0 | WC5 0 | 1", "WC6 0"), "forage A1 reef")
    assert (moved(state, "A2"), moved(state, "A3", "WC5")) == (0, 3)


# Zooplankton ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "gained"),
    [("migrate IN5 z1 reef", 3), ("migrate IN5 z3 reef", 3), ("migrate IN5 reef z1", 0)],
)
def test_zooplankton_gains_when_the_reef_is_fed(action: str, gained: int) -> None:
    """It gains 3 after a migration to the Reef, whoever made it; after another one nothing."""
    state = act(make_state("1 | 1", "ZOO 2", hands=("IN5",)), action)
    assert moved(state, "B1", "ZOO") == gained


def test_zooplankton_gains_from_card_migrations_only() -> None:
    """Living Ecosystem moves population too, but that is no migration."""
    state = begun("LIV 1 | ZOO 0", "1", water=(20, 20, 0, 0))
    assert (moved(state, "reef", "LIV"), moved(state, "A2", "ZOO")) == (2, 0)


def test_zooplankton_is_foraged_by_its_neighbours() -> None:
    """Either neighbour may forage from its board, as much as its Forage; nobody else, and it is no prey."""
    state = feeding("FF5 1 | 1 | 1", "ZOO 4 | 9")
    assert offered(state, "forage") == ("forage A1 reef", "forage A2 reef", "forage A3 reef", "forage A3 B1")
    assert "attack A3 B1" not in legal(state)
    state = act(feeding("FF5 1 | WC5 0", "9 | ZOO 4"), "forage A1 B2")
    assert (moved(state, "A1", "forage"), population(state, "B2")) == (4, 0)
    assert moved(state, "A2", "WC5") == 3  # it is a forage like any other


def test_zooplankton_with_nothing_feeds_nobody() -> None:
    """An empty board cannot be foraged; it lives on."""
    assert offered(feeding("1", "ZOO 0"), "forage") == ("forage A1 reef",)


def test_zooplankton_neither_feeds_nor_is_attacked() -> None:
    """Forage and Attack are struck out; nobody attacks it."""
    assert legal(feeding("ZOO SP5 3", "9")) == ("skip",)
    assert not offered(feeding("APX 3", "ZOO 4"), "attack")
    assert lives(act(feeding("2", "ZOO 1"), "forage A1 B1"), "B1")
