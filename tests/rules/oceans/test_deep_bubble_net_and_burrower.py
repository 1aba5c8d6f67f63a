"""Deep traits one by one: Bubble Net and Burrower."""

import pytest

from rules.oceans.rules import State
from tests.rules.oceans.positions import act, feeding, legal, lost, moved, play, population

# Bubble Net -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("traits", "attack"),
    [
        ("BUB", 1),  # the usual Forage
        ("BUB FF5", 5),  # what forbids attacking does not count
        ("BUB SPE", 3),
        ("BUB CAV", 1),  # nor does an Attack of its own
        ("BUB DIV", 4),
        ("BUB SP5 SWA", 2),
        ("BUB PAC SP5", 2),  # what doubles Attack icons finds none
    ],
)
def test_bubble_net_makes_attack_the_same_as_forage(traits: str, attack: int) -> None:
    """Its own Attack icons and struck-out Attack are dropped."""
    assert lost(act(feeding(f"{traits} 2", "9"), "attack A1 B1"), "B1", "attack") == attack


def test_bubble_net_attacks_with_nothing_where_foraging_is_struck_out() -> None:
    """An Apex Predator never forages: it has no Forage to attack with."""
    assert not any(text.startswith("attack A1") for text in legal(feeding("BUB AP5 2", "9")))


@pytest.mark.parametrize(("card", "attack"), [("LPR", 2), ("REE", 4)])
def test_bubble_net_goes_before_scenario_cards(card: str, attack: int) -> None:
    """Large Predators' icon is an Attack icon and dropped; Biodiverse Reef's makes its Forage larger."""
    state = feeding("BUB SP5 2", "9", scenarios=(card, "INB"), water=(20, 0, 20, 20), cambrian=True)
    assert lost(act(state, "attack A1 B1"), "B1", "attack") == attack


@pytest.mark.parametrize(
    ("target", "can"),
    [("SC5 8", True), ("SCH 8", True), ("SC5 SCH 8", True), ("TR5 8", False), ("SC5 IN5 8", False)],
)
def test_bubble_net_ignores_schooling_alone(target: str, *, can: bool) -> None:
    """Both kinds of Schooling; other bans and Defence keep it off."""
    assert ("attack A1 B1" in legal(feeding("BUB SP5 2", target))) == can
    assert "attack A1 B1" not in legal(feeding("SP5 2", target))


# Burrower -------------------------------------------------------------------------------------------


def strikes(state: State, prey: str = "B1") -> int:
    """How much the Burrower takes when A1 attacks this prey."""
    after = act(state, f"attack A1 {prey}")
    key = next(species.key for row in after.position.rows for species in row if "BUR" in species.traits)
    return moved(after, key, "attack")


@pytest.mark.parametrize(
    ("rows", "prey", "taken"),
    [
        (("3", "5 | BUR 2"), "B1", 1),
        (("3", "5 | BUR 2 | 5"), "B1", 1),
        (("3", "5 | BUR 2 | 5"), "B3", 1),
        (("3 | 5 | BUR 2", "5"), "A2", 1),  # it strikes its owner's species too
        (("3", "5 | 5 | BUR 2 | 5"), "B1", 0),  # no neighbour was attacked
        (("3", "BUR 5"), "B1", 0),  # it was attacked itself
    ],
)
def test_burrower_strikes_whoever_attacks_a_neighbour(rows: tuple[str, str], prey: str, taken: int) -> None:
    """Its Attack is 1, so it takes 1 from the attacker."""
    assert strikes(feeding(*rows), prey) == taken


def test_burrower_does_not_strike_itself() -> None:
    """When it is the attacker it takes from its prey and no more."""
    assert strikes(feeding("BUR 3", "5")) == 1


@pytest.mark.parametrize(
    ("attacker", "burrower", "taken"),
    [
        ("SP5 3", "BUR 2", 0),  # the attacker's Defence saves what the strike would take
        ("SP5 3", "BUR AP5 2", 1),
        ("AP5 3", "BUR ELE 2", 2),  # it ignores what it can
        ("SC5 4", "BUR 2", 0),  # safe with the 5 that it holds after its meal
        ("SC5 3", "BUR 2", 1),
        ("SY5 3", "BUR ABY 2", 0),
        ("3", "BUR ABY 2", 1),
        ("3", "BUR FF5 2", 0),  # never attacks
        ("3", "BUR EXT 10", 0),  # has no room
        ("MEG 3", "BUR SWA 2", 2),
    ],
)
def test_burrower_strikes_if_the_attack_is_legal(attacker: str, burrower: str, taken: int) -> None:
    """All that stops or weakens an attack does so to the strike, as things stand after the meal."""
    assert strikes(feeding(attacker, f"9 | {burrower}")) == taken


def test_burrower_answers_every_attack() -> None:
    """Two attacks, two strikes."""
    state = act(feeding("TE5 5", "9 | BUR 2"), "attack A1 B1")
    assert (population(state, "A1"), population(state, "B2")) == (5, 3)
    assert moved(act(state, "attack A1 B1"), "B2", "attack") == 1


def test_burrowers_strike_sets_off_what_attacks_set_off() -> None:
    """Bottom Feeder beside the attacker, Shark Cleaner for the strike's Attack, spines of the attacker."""
    fed = act(feeding("3 | BF5 2", "5 | BUR 2"), "attack A1 B1")
    assert moved(fed, "A2", "BF5") == 2
    cleaned = act(feeding("0", "5 | BUR AP5 2 | SH5 2"), "attack A1 B1")
    assert moved(cleaned, "B3", "SH5") == 2
    stung = act(feeding("DEF 3", "5 | BUR 6"), "attack A1 B1")
    assert (population(stung, "B2"), lost(stung, "B2", "DEF")) == (3, 4)


def test_burrowers_strike_may_leave_the_attacker_with_nothing() -> None:
    """An attack brought it to 0: Biotic Cycle Reversal gains."""
    assert moved(act(feeding("BCR 0", "5 | BUR 2"), "attack A1 B1"), "A1", "BCR") == 3


def test_burrower_is_idle_when_somebody_forages_or_leeches() -> None:
    """Only attacks on a neighbour count."""
    assert moved(act(feeding("3", "5 | BUR 2"), "forage A1 reef"), "B2") == 0
    hydra = play(feeding("HYD 2", "9 | 9 | 9 | BUR 2 | 9"), "attack A1 B1; choose B3; done")
    assert moved(hydra, "B4") == 0
