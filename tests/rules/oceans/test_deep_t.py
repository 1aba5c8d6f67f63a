"""Deep traits from Tail Whip to Tusks, one by one."""

import pytest

from rules.oceans.rules import State
from tests.rules.oceans.positions import act, feeding, legal, make_state, moved, play, population, traits

DRY_REEF = (0, 20, 20, 20)
DRY_ONE = (20, 0, 20, 20)


def begun(*rows: str, **other: object) -> State:
    """Play goes on from the card phase to whatever comes before feeding."""
    return act(make_state(*rows, plays=0, **other), "done")  # type: ignore[arg-type]


def offered(state: State, verb: str) -> tuple[str, ...]:
    """The legal actions of one kind."""
    return tuple(text for text in legal(state) if text.startswith(f"{verb} "))


# Tail Whip ------------------------------------------------------------------------------------------


def test_tail_whip() -> None:
    """Before its owner feeds it takes 1 from all others with Schooling of either kind, own ones too."""
    state = begun("TAI 0 | SC5 3", "SCH 9 | SC6 SC7 2 | SC8 0 | IN5 4")
    assert moved(state, "A1", "TAI") == 3
    assert [population(state, key) for key in ("A2", "B1", "B2", "B4")] == [2, 8, 1, 4]


def test_tail_whip_waits_for_its_owner_and_takes_nothing_from_itself() -> None:
    """Not before another player's feeding, not from its own Schooling, no more than fits."""
    assert moved(begun("PA5 1", "TAI 1 | SC5 3"), "B1", "TAI") == 0
    assert moved(begun("TAI SC5 3", "2"), "A1", "TAI") == 0
    assert moved(begun("TAI FF5 9", "SC5 3 | SC6 3"), "A1", "TAI") == 1


# Telomere Repair ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cambrian", "held"), [(False, 3), (True, 3), (True, 0)])
def test_telomere_repair(cambrian: bool, held: int) -> None:  # noqa: FBT001 - a case
    """Before Aging it gains 2; it does not age, nor die out with nothing."""
    state = act(feeding(f"TEL {held} | 5", "1", cambrian=cambrian), "skip")
    assert moved(state, "A1", "TEL") == 2
    assert population(state, "A1") == held + 2
    assert moved(state, "A", "aging") == 1 + cambrian


def test_telomere_repair_lives_without_water() -> None:
    """The gain comes out of the supply once the Ocean and the reserve are gone."""
    state = act(feeding("TEL 0", "1", water=(20, 0, 0, 0), ending=True), "skip")
    assert (population(state, "A1"), state.position.supplied) == (2, 2)


def test_telomere_repair_can_overpopulate() -> None:
    """Its gain is checked for surplus before the others age."""
    state = act(feeding("TEL 8", "1"), "skip")
    assert set(legal(state)) == {"spill reef", "spill z1", "spill z2", "spill z3"}
    assert population(act(state, "spill z1"), "A1") == 5


def test_telomere_repair_only_in_its_owners_turn() -> None:
    """Before another player's Aging it gains nothing; a Scenario card that ages all does not age it."""
    state = act(feeding("4", "TEL 3", water=DRY_ONE, scenarios=("UHE", "INB")), "skip")
    assert (moved(state, "B1", "TEL"), moved(state, "B", "aging")) == (0, 0)


def test_gigantic_brain_ages_in_spite_of_telomere_repair() -> None:
    """Gigantic Brain always ages its number of traits; the gain comes first."""
    state = act(feeding("TEL GIB 5", "1"), "skip")
    assert (moved(state, "A1", "TEL"), moved(state, "A", "aging")) == (2, 2)


# Tentacle Leech -------------------------------------------------------------------------------------


def test_tentacle_leech_picks_a_species_with_a_deep_trait() -> None:
    """Anywhere at the table, own or another player's, if it has anything and can be leeched."""
    state = begun("TLE 1 | GRA 4", "IN5 4 | SP5 4", "TUS 1 | MUC 4 | TEN TR5 4 | SHC 0")
    assert legal(state) == ("choose A2", "choose C1")
    assert moved(act(state, "choose A2"), "A1", "TLE") == 2
    assert moved(act(state, "choose C1"), "A1", "TLE") == 1  # all it has


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (("TLE 1", "3 | TUS 4"), 2),  # a single one, far away, its Defence no help
        (("TLE 1", "3 | SP5 4"), 0),  # no Deep trait but its own
        (("TLE FF5 10", "TUS 4"), 0),  # no room
        (("TLE FF5 9", "TUS 4"), 1),
    ],
)
def test_tentacle_leech_without_a_choice(rows: tuple[str, str], count: int) -> None:
    """A single prey is leeched at once, as far as there is room."""
    assert moved(begun(*rows), "A1", "TLE") == count


# Tentacled (Deep) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "feedings"), [("TEN 0 | 1", 3), ("TEN TE5 0 | 1", 4), ("SY5 0 | TEN 1", 1)])
def test_deep_tentacled_feeds_two_more_times(row: str, feedings: int) -> None:
    """The chosen species feeds 3 times in all, one more for each Tentacled; others get nothing of it."""
    state = feeding(row, "9")
    for _ in range(feedings - 1):
        state = act(state, "forage A1 reef")
        assert {text.split()[1] for text in legal(state) if text != "skip"} == {"A1"}
        assert offered(state, "attack")  # each time as it likes
    state = act(state, "forage A1 reef")
    assert moved(state, "A", "aging") == 2


def test_deep_tentacled_ends_with_overpopulation() -> None:
    """A feeder that overpopulates is done; another species that does changes nothing."""
    state = act(act(feeding("TEN 9", "5"), "forage A1 reef"), "spill reef")
    assert population(state, "A1") == 4
    state = act(feeding("TEN 0 | SY5 9", "5"), "forage A1 reef")
    state = act(state, "spill reef")
    assert offered(state, "forage") == ("forage A1 reef",)


# The Kraken -----------------------------------------------------------------------------------------


def test_the_kraken_attacks_three_times() -> None:
    """Two more attacks with Attack 13, no forage; what it takes fits its board."""
    state = feeding("KRA TE5 0 | 1", "9 | 3 | 1 | 2")
    state = act(state, "attack A1 B2")
    assert moved(state, "A1", "attack") == 3
    state = act(act(state, "attack A1 B3"), "attack A1 B4")
    assert not offered(state, "forage")
    assert moved(act(state, "attack A1 B1"), "A1", "attack") == 4  # with Tentacled the fourth


def test_the_kraken_without_further_feedings() -> None:
    """After its third attack it is done."""
    state = play(feeding("KRA 0 | 1", "1 | 1 | 1 | 1"), "attack A1 B1; attack A1 B2")
    assert moved(act(state, "attack A1 B3"), "A", "aging") == 2


def test_the_kraken_has_attack_13() -> None:
    """Defence 12 does not stop it, Defence 13 and more does."""
    assert moved(act(feeding("KRA 0", "IN5 IN6 IN7 DEN 15"), "attack A1 B1"), "A1", "attack") == 1
    assert not offered(feeding("KRA 0", "IN5 IN6 IN7 SP5 BLU 15"), "attack")


@pytest.mark.parametrize(
    ("prey", "may"),
    [
        ("LEV 9", True),  # Attack 5
        ("GEN FF5 9", True),  # Forage 8
        ("GEN SP5 9", True),  # Forage 5
        ("GEN 9", False),  # Forage 3, no Attack
        ("SC5 9", False),
        ("SC5 SEA 9", True),
        ("ZOO 9", False),
    ],
)
def test_the_kraken_attacks_the_mighty(prey: str, may: bool) -> None:  # noqa: FBT001 - a case
    """It ignores the ban on attacks on species with Forage or Attack of 5 or more."""
    assert bool(offered(feeding("KRA 0", prey), "attack")) == may


# Tiny -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hunter", "may"), [("BF5", True), ("SP5", False), ("AP5", False), ("BEH", True), ("TRA SP5", True)]
)
def test_tiny_is_safe_from_attack_2(hunter: str, may: bool) -> None:  # noqa: FBT001 - a case
    """Only Attack 1 reaches it, or who ignores such bans."""
    assert bool(offered(feeding(f"{hunter} 1", "TIN 9"), "attack")) == may


@pytest.mark.parametrize(
    ("row", "card", "stays"),
    [
        ("TIN IN5 1", "SP5", True),  # Forage 2 and Attack 2 are not more than 2
        ("TIN SP6 1", "SP5", False),  # 4
        ("TIN 1", "AP5", False),  # Attack 3
        ("TIN 1", "FF5", False),  # Forage 5
    ],
)
def test_tiny_leaves_what_grows(row: str, card: str, stays: bool) -> None:  # noqa: FBT001 - a case
    """As soon as Forage or Attack is more than 2, Tiny is out of the game."""
    state = act(make_state(row, "1", hands=(card,)), f"evolve {card} A1")
    assert ("TIN" in traits(state, "A1")) == stays
    assert ("TIN" in state.position.out_of_game) == (not stays)


def test_tiny_cannot_arrive_on_the_mighty() -> None:
    """Put on a species that is too strong it is paid and gone at once."""
    state = make_state("AP5 1", "1", hands=("TIN",), cambrian=True, scores=(3,))
    state = act(state, "evolve TIN A1 reef")
    assert traits(state, "A1") == ("AP5",)
    assert state.scores[0] == 2


def test_tiny_leaves_in_anybodys_turn() -> None:
    """A Scenario card that raises values is enough; swarms grow out of it by eating."""
    state = make_state("1", "TIN SP5 4", hands=("IN5",), water=(20, 3, 20, 20), scenarios=("REE", "INB"))
    assert "TIN" not in traits(act(state, "migrate IN5 z1 reef"), "B1")
    state = make_state("1", "TIN 4", hands=("IN5",), water=(20, 3, 20, 20), scenarios=("REE", "INB"))
    assert "TIN" in traits(act(state, "migrate IN5 z1 reef"), "B1")  # the icon replaces the usual 1
    assert "TIN" in traits(act(feeding("TIN SWA 1", "9"), "forage A1 reef"), "A1")
    assert "TIN" not in traits(act(feeding("TIN SWA 2", "9"), "forage A1 reef"), "A1")


# Transparent (Deep) ---------------------------------------------------------------------------------


def test_deep_transparent_hides_while_the_reef_holds() -> None:
    """No attack and no leech, until the Reef is empty."""
    assert not offered(feeding("AP5 1", "TRA 5"), "attack")
    assert offered(feeding("AP5 1", "TRA 5", water=DRY_REEF), "attack")
    assert moved(begun("PA5 1", "TRA 5"), "A1", "PA5") == 0
    assert moved(begun("PA5 1", "TRA 5", water=DRY_REEF), "A1", "PA5") == 2


@pytest.mark.parametrize(
    ("prey", "may"),
    [
        ("LEV 9", True),
        ("SCH 9", True),
        ("FLI 9", True),
        ("GOE 9", True),
        ("ABY 9", True),  # what keeps Surface traits off is a Deep trait
        ("SC5 9", False),  # a Surface trait's ban
        ("TR6 9", False),
        ("SCH SC5 9", False),
        ("LEV IN5 9", False),  # Defence 4 counts
        ("LEV SP6 9", True),
    ],
)
def test_deep_transparent_sees_past_deep_bans(prey: str, may: bool) -> None:  # noqa: FBT001 - a case
    """It ignores what Deep traits forbid, not what Surface traits forbid, and no Defence."""
    assert bool(offered(feeding("TRA AP5 1", prey), "attack")) == may
    if "SP6" in prey:
        assert moved(act(feeding("TRA AP5 1", prey), "attack A1 B1"), "A1", "attack") == 1


# Tusks ----------------------------------------------------------------------------------------------


def test_tusks() -> None:
    """Forage 2, Attack 2, Defence 5."""
    assert moved(act(feeding("TUS 0", "9"), "forage A1 reef"), "A1", "forage") == 2
    assert moved(act(feeding("TUS 0", "9"), "attack A1 B1"), "A1", "attack") == 2
    assert moved(act(feeding("SEA 0", "TUS 9"), "attack A1 B1"), "A1", "attack") == 1
    assert not offered(feeding("LEV 0", "TUS 9"), "attack")
