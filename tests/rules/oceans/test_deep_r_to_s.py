"""Deep traits from Rapid Mutation to Symbiotic (Deep), one by one."""

import pytest

from rules.oceans.cards.decks import Card
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

DRY_ONE = (20, 0, 20, 20)


def begun(*rows: str, **other: object) -> State:
    """Play goes on from the card phase to whatever comes before feeding."""
    return act(make_state(*rows, plays=0, **other), "done")  # type: ignore[arg-type]


def offered(state: State, verb: str) -> tuple[str, ...]:
    """The legal actions of one kind."""
    return tuple(text for text in legal(state) if text.startswith(f"{verb} "))


# Rapid Mutation -------------------------------------------------------------------------------------


def attacked(prey: str, *, pool: tuple[str, str] = ("GRA", "TUS"), hand: str = "IN5 IN6") -> State:
    """Seat A attacks B1; now seat B is to play cards."""
    state = feeding("APX 1", prey, gene_pool=pool, hands=("", hand), cambrian=True, scores=(0, 2))
    return play(state, "attack A1 B1; draw")


def test_rapid_mutation_exchanges_in_its_owners_next_card_phase() -> None:
    """A Deep trait, itself too, for either top card of the Gene Pool; free, and no card played."""
    state = attacked("RAP SHC SP5 9")
    assert offered(state, "mutate") == (
        "mutate B1 RAP 1",
        "mutate B1 RAP 2",
        "mutate B1 SHC 1",
        "mutate B1 SHC 2",
    )
    state = act(state, "mutate B1 SHC 2")
    assert traits(state, "B1") == ("RAP", "SP5", "TUS")
    assert state.position.gene_pool == (("GRA",), ("SHC",))
    assert (state.position.plays, state.scores[1]) == (2, 2)
    assert not offered(state, "mutate")  # once


def test_rapid_mutation_can_exchange_itself() -> None:
    """It may be the trait that goes."""
    state = act(attacked("RAP 9"), "mutate B1 RAP 1")
    assert traits(state, "B1") == ("GRA",)
    assert state.position.gene_pool[0] == ("RAP",)


def turn_over(state: State) -> State:
    """The turn goes by without any evolution or feeding."""
    seat = state.position.current_player
    while state.position.current_player == seat:
        verbs = {text.split()[0]: text for text in legal(state)}
        state = play(
            state, next(verbs[verb] for verb in ("migrate", "done", "skip", "draw") if verb in verbs)
        )
    return state


def test_rapid_mutation_lasts_to_the_end_of_the_phase_and_no_longer() -> None:
    """After the last card the exchange is still offered; in the turn after it is not."""
    state = attacked("RAP 9", hand="IN5")
    assert offered(play(state, "migrate IN5 z2 z3"), "mutate")
    state = turn_over(turn_over(state))
    assert state.position.current_player == 1
    assert offered(state, "migrate")
    assert not offered(state, "mutate")


@pytest.mark.parametrize(
    ("prey", "action"),
    [
        ("RAP 9 | 5", "attack A1 B2"),  # another species was attacked
        ("RAP 9", "skip"),
    ],
)
def test_rapid_mutation_needs_an_attack_on_it(prey: str, action: str) -> None:
    """Without an attack on it there is nothing to exchange."""
    state = feeding("APX 4", prey, gene_pool=("GRA", "TUS"), hands=("", "IN5"), cambrian=True)
    assert not offered(play(state, f"{action}; draw"), "mutate")


def test_rapid_mutation_gets_no_card_for_other_species() -> None:
    """Cthulhu Leech and Vestigial Limb are put on species in other ways."""
    state = attacked("RAP 9", pool=("CTH", "VES"))
    assert not offered(state, "mutate")
    assert offered(attacked("RAP 9", pool=("CTH", "GRA")), "mutate") == ("mutate B1 RAP 2",)


def test_rapid_mutation_keeps_to_the_slots() -> None:
    """An exchange that takes a slot away costs a trait."""
    state = act(attacked("RAP LUM BF5 BF6 9"), "mutate B1 LUM 1")
    assert set(legal(state)) == {f"drop B1 {card}" for card in ("RAP", "BF5", "BF6", "GRA")}


# Regeneration ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained"),
    [
        (("AP5 3", "REG 9"), "attack A1 B1", 1),
        (("3", "REG 9"), "attack A1 B1", 1),  # a single one lost
        (("AP5 3 | REG 5", "9"), "attack A1 A2", 1),  # by an own species
        (("AP5 3 | 1", "9 | REG 5"), "attack A1 B1", 0),  # another one was attacked
        (("REG AP5 3", "9"), "attack A1 B1", 0),  # it attacked
        (("FF5 3", "REG 9"), "forage A1 reef", 0),
    ],
)
def test_regeneration(rows: tuple[str, str], action: str, gained: int) -> None:
    """It gains 1 after an attack took population from it."""
    state = act(feeding(*rows), action)
    assert sum(moved(state, key, "REG") for key in ("A1", "A2", "B1", "B2")) == gained


def test_regeneration_does_not_count_leeches() -> None:
    """Only an attack counts, not a leech or a take."""
    assert moved(begun("PA5 3", "REG 5"), "B1", "REG") == 0


# Rows of Teeth --------------------------------------------------------------------------------------


def test_rows_of_teeth() -> None:
    """Bottom Feeders and Shark Cleaners set off by its attack gain 1 more each, others do not."""
    rows = ("ROW 3 | SY5 SHC 0", "9 | BF5 0 | SH5 0 | SCA 0")
    state = act(feeding(*rows), "attack A1 B1")
    assert moved(state, "A1", "attack") == 3
    found = {card: moved(state, key, card) for key, card in (("A2", "SHC"), ("A2", "SY5"), ("B2", "BF5"))}
    assert found == {"SHC": 4, "SY5": 1, "BF5": 3}
    assert (moved(state, "B3", "SH5"), moved(state, "B4", "SCA")) == (3, 1)


def test_rows_of_teeth_and_the_deep_bottom_feeder() -> None:
    """The Deep Bottom Feeder takes 1 more as well."""
    assert moved(act(feeding("ROW 3", "BOT 0 | 9"), "attack A1 B2"), "B1", "BOT") == 3


@pytest.mark.parametrize("rows", [("AP5 3 | ROW 1", "9 | BF5 0"), ("AP5 3", "ROW 9 | BF5 0")])
def test_rows_of_teeth_only_for_its_own_attacks(rows: tuple[str, str]) -> None:
    """Another species' attack, even on it, feeds nobody more."""
    assert moved(act(feeding(*rows), "attack A1 B1"), "B2", "BF5") == 2


# Scavenger ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained"),
    [
        (("AP5 3 | 1", "9 | 1 | SCA 0"), "attack A1 B1", 1),  # anywhere at the table
        (("AP5 SCA 3", "9 | 1 | 1"), "attack A1 B1", 1),  # its own attack
        (("AP5 3", "9 | 1 | SCA 9"), "attack A1 B3", 1),  # its own loss
        (("SP5 3", "9 | 1 | SCA 0"), "attack A1 B1", 1),  # exactly 2
        (("AP5 3", "SP5 9 | 1 | SCA 0"), "attack A1 B1", 0),  # 1 lost, 2 saved
        (("FF5 3", "9 | 1 | SCA 0"), "forage A1 reef", 0),
    ],
)
def test_scavenger(rows: tuple[str, str], action: str, gained: int) -> None:
    """It gains 1 after an attack that cost any species 2 or more."""
    state = act(feeding(*rows), action)
    assert sum(moved(state, key, "SCA") for key in ("A1", "B3")) == gained


def test_scavenger_does_not_add_attacks_up() -> None:
    """Two attacks for 1 each are none for 2."""
    state = feeding("TE5 3", "9 | SCA 0")
    state = act(state, "attack A1 B1")
    assert moved(state, "B2", "SCA") == 0
    assert moved(act(state, "attack A1 B1"), "B2", "SCA") == 0


# Schooling (Deep), Sea Rex --------------------------------------------------------------------------


@pytest.mark.parametrize(("hunter", "held", "may"), [("AP5", 5, 0), ("AP5", 4, 1), ("BUB SP5", 5, 1)])
def test_deep_schooling(hunter: str, held: int, may: int) -> None:
    """Nobody attacks it from 5 on, but for Bubble Net, which ignores Schooling of either kind."""
    assert len(offered(feeding(f"{hunter} 1", f"SCH {held}"), "attack")) == may


@pytest.mark.parametrize(("card", "count"), [("SCH", 4), ("SEA", 3)])
def test_ages_more(card: str, count: int) -> None:
    """Deep Schooling ages 3 more, Sea Rex 2 more; both live if they can just pay."""
    state = act(feeding(f"{card} {count}", "1"), "skip")
    assert (moved(state, "A", "aging"), population(state, "A1")) == (count, 0)


def test_sea_rex() -> None:
    """Attack 6, no foraging."""
    state = feeding("SEA SP5 0", "FF5 10")
    assert offered(state, "forage") == ()
    assert moved(act(feeding("SEA 0", "FF5 10"), "attack A1 B1"), "A1", "attack") == 6


# Sedentary Colony -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "taken"),
    [
        (("FF5 0 | SY5 0 | SED 0", "1"), "forage A1 reef", 1),  # its left neighbour gains
        (("FF5 0 | SY5 0 | SED 0", "SYM 1"), "forage A1 reef", 2),  # both neighbours gain
        (("FF5 0 | SY5 SY6 SYM 0 | SED 0", "1"), "forage A1 reef", 1),  # one neighbour, however much
        (("FF5 0 | 1 | SED 0", "1 | SYM 0"), "forage A1 reef", 0),  # nobody beside it gains
        (("FF5 0 | 1 | SED SH5 0", "WC5 1"), "forage A1 reef", 1),
        (("AP5 0 | 1 | SED SH5 0", "9"), "attack A1 B1", 0),  # its own gain
        (("FF5 0 | SY5 FF6 10 | SED 0", "1"), "forage A1 reef", 0),  # no room, no gain
        (("FF5 0 | SY5 0 | SED FF6 10", "1"), "forage A1 reef", 0),  # no room for itself
    ],
)
def test_sedentary_colony(rows: tuple[str, str], action: str, taken: int) -> None:
    """For each neighbour that gains it takes 1 from the first Ocean zone that holds any."""
    state = act(feeding(*rows, water=(20, 0, 9, 20)), action)
    assert moved(state, "A3", "SED") == taken


def test_sedentary_colony_lives_on_gains_outside_feeding() -> None:
    """A neighbour that gains when a species is created counts as well."""
    state = make_state("BRI 1 | SED 0", "1", hands=("BF5",))
    assert moved(act(state, "create BF5 2"), "A2", "SED") == 1


def test_sedentary_colony_does_not_start_others() -> None:
    """What it takes is no gain: no scenario makes it larger, no impostor or neighbour reacts."""
    state = feeding("FF5 0 | SY5 0 | SED END 0", "1", water=DRY_ONE, scenarios=("ABU", "INA"))
    state = act(state, "forage A1 reef")
    assert (moved(state, "A2", "SY5"), moved(state, "A3", "SED")) == (2, 1)


def test_sedentary_colony_takes_on_when_the_ocean_is_dry() -> None:
    """It takes the last token, then from the reserve, which comes in at that moment."""
    state = feeding("FF5 0 | SY5 0 | SED 0", "1", water=(20, 0, 0, 1))
    state = act(state, "forage A1 reef")
    assert moved(state, "A3", "SED") == 1
    assert state.position.ending
    assert state.position.water[3] == 59


def test_sedentary_colony_neither_feeds_nor_is_prey() -> None:
    """Forage and Attack are struck out, even with a Scenario card's icons; it cannot be attacked."""
    state = feeding("SED SP5 3", "9", water=(20, 0, 0, 20), scenarios=("REE", "LPR"))
    assert not offered(state, "forage")
    assert not offered(state, "attack")
    assert not offered(feeding("AP5 3", "SED 4"), "attack")
    assert offered(feeding("GAR 1", "SED 7"), "attack")  # ignores the ban


# Shark Cleaner (Deep) -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained"),
    [
        (("AP5 1", "9 | SHC 0"), "attack A1 B1", 3),
        (("SP5 1", "9 | SHC 0"), "attack A1 B1", 0),  # Attack 2
        (("AP5 1 | SH5 0", "9 | SHC 0"), "attack A1 B1", 3),  # the nearest on the other side
        (("AP5 1 | SH5 0", "9 | SHC 0 | SH6 0"), "attack A1 B1", 0),  # nearer ones on both sides
        (("AP5 SH5 1", "9 | SHC 0"), "attack A1 B1", 3),  # the attacker's own is skipped
        (("AP5 SHC 1", "9 | 1"), "attack A1 B1", 0),
        (("APX 1", "AP5 3 | SHC 0"), "attack A1 B1", 3),  # it takes 1, its Attack is 4
        (("FF5 1", "9 | SHC 0"), "forage A1 reef", 0),
    ],
)
def test_deep_shark_cleaner(rows: tuple[str, str], action: str, gained: int) -> None:
    """As Shark Cleaner, in one ring with it, but it gains 3."""
    state = act(feeding(*rows), action)
    assert moved(state, "B2", "SHC") + moved(state, "A1", "SHC") == gained


# Slow Metabolism ------------------------------------------------------------------------------------


def test_slow_metabolism_may_age_nothing() -> None:
    """Its owner picks 0 or the plain amount, in every Aging phase; others are not asked."""
    state = act(feeding("SLO 5 | 5", "1", cambrian=True), "skip")
    assert legal(state) == ("choose 0", "choose 2")
    spared = act(state, "choose 0")
    assert (population(spared, "A1"), moved(spared, "A", "aging")) == (5, 2)
    assert population(act(state, "choose 2"), "A1") == 3


def test_slow_metabolism_with_nothing_can_live() -> None:
    """Aging 0 it need not die out at 0."""
    state = act(feeding("SLO 0", "1"), "skip")
    assert population(act(state, "choose 0"), "A1") == 0
    assert not lives(act(state, "choose 1"), "A1")


def test_slow_metabolism_slows_no_other_owner() -> None:
    """In another player's Aging phase (Scenario card) nobody asks it: it ages."""
    state = feeding("1", "SLO 5", water=DRY_ONE, scenarios=("UHE", "INB"))
    state = act(state, "skip")
    assert moved(state, "B", "aging") == 1


@pytest.mark.parametrize("row", ["REG IN5 IN6 1", "SPE IN5 IN6 1", "SLO IN5 IN6 IN7 1"])
def test_more_slots(row: str) -> None:
    """Regeneration and Deep Speed have one more slot, Slow Metabolism two, and no more than that."""
    state = act(make_state(row, "1", hands=("BF5 BF6",), plays=2), "evolve BF5 A1")
    assert Card("BF5") in traits(state, "A1")
    assert "evolve BF6 A1" not in legal(state)


# Speed (Deep) ---------------------------------------------------------------------------------------


def test_deep_speed() -> None:
    """Forage 3, Attack 3, Defence 3."""
    state = feeding("SPE 0", "9")
    assert moved(act(state, "forage A1 reef"), "A1", "forage") == 3
    assert moved(act(state, "attack A1 B1"), "A1", "attack") == 3
    assert not offered(feeding("AP5 1", "SPE 9"), "attack")
    assert moved(act(feeding("APX 1", "SPE 9"), "attack A1 B1"), "A1", "attack") == 1


def test_deep_speed_catches_fliers() -> None:
    """Flight is attacked by Speed of either kind only."""
    assert offered(feeding("SPE 1", "FLI 9"), "attack")
    assert not offered(feeding("APX 1", "FLI 9"), "attack")


# Swarming -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "taken"),
    [("SWA 3", 3), ("SWA SP5 3", 5), ("SWA 0", None), ("SWA SP5 0", 2), ("SWA FF5 3", None), ("SWA 9", 1)],
)
def test_swarming_attack(row: str, taken: int | None) -> None:
    """Its Attack is the population it holds before the attack, added to other icons."""
    state = feeding(row, "DEN 16")
    assert bool(offered(state, "attack")) == (taken is not None)
    if taken is not None:
        assert moved(act(state, "attack A1 B1"), "A1", "attack") == taken


def test_swarming_never_overpopulates() -> None:
    """Its last space fills and stays full."""
    state = act(feeding("SWA 9", "9"), "forage A1 reef")
    assert (moved(state, "A", "aging"), population(state, "A1")) == (1, 9)


# Symbiotic (Deep) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained"),
    [
        (("1 | 1", "9 | SYM 0"), "forage A1 reef", 1),  # the feeder to its right
        (("1 | SYM 1", "9 | 9"), "forage A1 reef", 1),  # to its left
        (("1 | SYM 1", "9 | 9"), "attack A1 B1", 1),
        (("1", "SYM 9"), "forage A1 reef", 1),  # on both sides: once
        (("1 | 1", "SYM 9 | 9"), "forage A1 reef", 0),  # not beside it
        (("SYM 1 | 1", "9 | 9"), "forage A1 reef", 0),  # it feeds itself
    ],
)
def test_deep_symbiotic(rows: tuple[str, str], action: str, gained: int) -> None:
    """It gains 1 after either neighbour feeds."""
    state = act(feeding(*rows), action)
    assert sum(moved(state, key, "SYM") for key in ("A1", "A2", "B1", "B2")) == gained
