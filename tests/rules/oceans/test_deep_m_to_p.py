"""Deep traits from Massive Fins to Poisonous Spines, one by one."""

import pytest

from rules.oceans.rules import State
from tests.rules.oceans.positions import act, feeding, legal, lives, make_state, moved, population, traits

DRY_ONE = (20, 0, 20, 20)


def begun(*rows: str, **other: object) -> State:
    """Play goes on from the card phase to whatever comes before feeding."""
    return act(make_state(*rows, plays=0, **other), "done")  # type: ignore[arg-type]


# Massive Fins ---------------------------------------------------------------------------------------


def test_massive_fins_feeds_the_parasites() -> None:
    """After its forage every Parasitic on another species, the Deep one too, leeches 1 from it."""
    state = act(feeding("MAS 0 | PA5 0", "3 | PA6 PA7 1 | PAR 0"), "forage A1 z3")
    assert moved(state, "A1", "forage") == 8
    assert [moved(state, key) for key in ("A2", "B1", "B2", "B3")] == [1, 0, 2, 1]
    assert moved(state, "A", "aging") == 2
    assert population(state, "A1") == 3


@pytest.mark.parametrize(
    ("rows", "action"),
    [
        (("MAS MUC 0", "PA5 1"), "forage A1 reef"),  # cannot be leeched
        (("MAS TR5 0", "PA5 1"), "forage A1 z1"),  # the Reef still holds population
        (("MAS 0", "TLE 1 | CHI 1"), "forage A1 reef"),  # leeching traits, but no Parasitic
        (("MAS 0", "PA5 FF5 10"), "forage A1 reef"),  # no room
        (("MAS PA5 0", "1"), "forage A1 reef"),  # its own
        (("3 | MAS 4", "PA5 1"), "forage A1 reef"),  # another species foraged
    ],
)
def test_massive_fins_spares_itself(rows: tuple[str, str], action: str) -> None:
    """Nothing is leeched where leeching is impossible, by other traits, or after another's forage."""
    state = act(feeding(*rows), action)
    assert sum(moved(state, key) for key in ("B1", "B2")) == 0
    assert moved(state, "A1") == moved(state, "A1", "forage")


def test_massive_fins_with_the_reef_eaten_up() -> None:
    """Transparent helps no more once its own forage has emptied the Reef."""
    state = act(feeding("MAS TR5 0", "PA5 1", water=(5, 20, 20, 20)), "forage A1 reef")
    assert moved(state, "B1", "PA5") == 1


def test_massive_fins_never_attacks() -> None:
    """Its Attack is struck out, whatever else it has; it may forage in every zone that holds any."""
    state = feeding("MAS AP5 1", "9", water=(20, 0, 20, 20))
    assert legal(state) == ("skip",)
    state = feeding("MAS SP5 1", "9", water=(20, 0, 20, 20))
    assert legal(state) == ("forage A1 reef", "forage A1 z2", "forage A1 z3", "skip")


# Megamouth ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "foraged", "attacked"),
    [("MEG 0", 5, 5), ("MEG SP5 0", 7, 7), ("MEG AP5 0", None, 8), ("MEG FF5 0", 10, None)],
)
def test_megamouth(row: str, foraged: int | None, attacked: int | None) -> None:
    """Forage 5 and Attack 5 add up with others; a struck-out icon beats them."""
    state = feeding(row, "BLU BF5 10", water=(20, 20, 20, 20))
    for action, count in (("forage A1 reef", foraged), ("attack A1 B1", attacked)):
        assert (action in legal(state)) == (count is not None)
    if foraged is not None:
        assert moved(act(state, "forage A1 reef"), "A1", "forage") == foraged
    if attacked is not None:
        assert moved(act(state, "attack A1 B1"), "A1", "attack") == attacked - 1  # Blubber's Defence


# Migratory Filter Feeder ----------------------------------------------------------------------------


def test_migratory_filter_feeder() -> None:
    """Forage 6 from any one zone, no attack, 19 spaces."""
    state = feeding("MIG 12", "9", water=(1, 20, 20, 20))
    assert legal(state) == ("forage A1 reef", "forage A1 z1", "forage A1 z2", "forage A1 z3", "skip")
    state = act(state, "forage A1 z2")
    assert population(state, "A1") == 17  # 18 are no surplus, 1 is aged


def test_migratory_filter_feeder_overpopulates() -> None:
    """Unlike the Filter Feeders it overpopulates, with the 19th, down to 5."""
    state = act(feeding("MIG 15", "9"), "forage A1 z1")
    assert moved(state, "A1", "forage") == 4
    state = act(state, "spill z3")
    assert moved(state, "z3", "surplus") == 14
    assert population(state, "A1") == 4  # 5, less aging


# Mucus Cocoon ---------------------------------------------------------------------------------------


def test_mucus_cocoon_drains_the_leechers() -> None:
    """Before its owner feeds all other species with leeching traits lose 1 to the Reef, own ones too."""
    state = begun("MUC 4 | PA5 3", "PA6 PA7 3 | TLE 2 | CHI 0 | CTH 3 | PAR IN5 1")
    assert moved(state, "reef", "MUC") == 4
    assert [population(state, key) for key in ("A2", "B1", "B2", "B3", "B4", "B5")] == [2, 2, 1, 0, 3, 0]


def test_mucus_cocoon_waits_for_its_owner() -> None:
    """Before another player's feeding nobody loses anything."""
    assert moved(begun("PA5 3", "9 | MUC 4"), "reef", "MUC") == 0


@pytest.mark.parametrize("leech", ["PA5", "PAR", "TLE", "CHI"])
def test_mucus_cocoon_is_not_leeched(leech: str) -> None:
    """No leeching trait gets anything from it; without the cocoon each would."""
    assert population(begun(f"{leech} 2", "MUC BIO 5"), "B1") == 5
    assert population(begun(f"{leech} 2", "BIO 5"), "B1") < 5


def test_mucus_cocoon_stops_no_takes() -> None:
    """Taking is no leeching: Tail Whip takes from it."""
    assert moved(begun("TAI 2", "MUC SC5 5"), "A1", "TAI") == 1


# Mutualism ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "gained"),
    [
        (("5 | SY5 1 | MUT 1", "4 | 4"), "forage A1 reef", 1),
        (("5 | SY5 SY6 1 | MUT 1", "4 | 4"), "forage A1 reef", 2),  # each copy
        (("5 | SY5 1 | MUT 1", "4 | SYM 4"), "forage A1 reef", 2),  # the Deep one, to the left of A1
        (("5 | SY5 1 | MUT 1", "4 | SYM 4"), "attack A1 B1", 2),  # after attacks, too
        (("5 | SY5 MUT 1", "4 | 4"), "forage A1 reef", 1),  # its own Symbiotic
        (("5 | SY5 FF5 10 | MUT 1", "4 | 4"), "forage A1 reef", 1),  # no room there: it counts all the same
        (("5 | 1 | MUT 1", "SY5 4 | SY6 4"), "forage A1 reef", 0),  # nobody stands to their left
        (("5 | BF5 1 | MUT 1", "4 | 4"), "forage A1 reef", 0),  # no Symbiotic
    ],
)
def test_mutualism(rows: tuple[str, str], action: str, gained: int) -> None:
    """It gains 1 for each Symbiotic that is set off, wherever it stands."""
    state = act(feeding(*rows), action)
    key = "A2" if "SY5 MUT" in rows[0] else "A3"
    assert moved(state, key, "MUT") == gained


def test_mutualism_in_abundance() -> None:
    """A Gain value that is 1 larger counts for each Symbiotic."""
    rows = ("5 | SY5 1 | MUT 1", "4 | SYM 4")
    state = act(feeding(*rows, water=DRY_ONE, scenarios=("ABU", "INA")), "forage A1 reef")
    assert (moved(state, "A2", "SY5"), moved(state, "A3", "MUT")) == (2, 4)


# Neurotoxin -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "lost"),
    [
        (("AP5 3", "NEU 9"), "attack A1 B1", {"A1": 2}),  # attacked
        (("AP5 NEU 3", "9"), "attack A1 B1", {"B1": 2}),  # attacking
        (("AP5 NEU 3", "4"), "attack A1 B1", {"B1": 1}),  # no more than what is left
        (("AP5 3", "NEU 9 | 9"), "attack A1 B2", {}),  # not its business
        (("FF5 NEU 3", "9"), "forage A1 reef", {}),
    ],
)
def test_neurotoxin(rows: tuple[str, str], action: str, lost: dict[str, int]) -> None:
    """Who attacks it, or is attacked by it, loses 2 to the Reef; nobody else does."""
    before = feeding(*rows)
    state = act(before, action)
    assert moved(state, "reef", "NEU") == sum(lost.values())
    taken = moved(state, "A1", "attack")
    assert population(state, "B1") == population(before, "B1") - lost.get("B1", 0) - taken * ("B1" in action)


def test_neurotoxin_poisons_no_leech() -> None:
    """A leech is no attack."""
    assert moved(begun("PA5 2", "NEU 5"), "reef", "NEU") == 0


def test_neurotoxin_is_no_loss_to_the_attack() -> None:
    """What the poison costs is no part of the attack: Biotic Cycle Reversal and Scavenger see the bite."""
    state = act(feeding("NEU 3", "BCR 3 | SCA 1"), "attack A1 B1")
    assert population(state, "B1") == 0
    assert (moved(state, "B1", "BCR"), moved(state, "B2", "SCA")) == (0, 0)


# Pack Hunting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "scenario", "taken"),
    [
        ("PAC AP5 0", "INA", 6),
        ("PAC AP5 SP5 0", "INA", 10),  # 2 x (3 + 2)
        ("PAC 0", "INA", 1),  # without an icon the usual 1 is not doubled
        ("PAC AP5 0", "LPR", 8),  # a Scenario card's icon is on no trait
        ("PAC 0", "LPR", 2),
        ("PAC AP5 0", "SNO", 4),  # each icon less 1, then doubled
        ("PAC SWA 4", "INA", 6),  # 2 x 4, but no more than fits
        ("PAC BUB ROW SP5 0", "INA", 2),  # Bubble Net drops the icons: Attack is Forage
    ],
)
def test_pack_hunting(row: str, scenario: str, taken: int) -> None:
    """Every Attack icon on its species' traits counts double."""
    state = act(feeding(row, "DEN 16", water=DRY_ONE, scenarios=(scenario, "INB")), "attack A1 B1")
    assert moved(state, "A1", "attack") == taken


def test_pack_hunting_doubles_no_struck_out_icon() -> None:
    """Filter Feeder's struck-out Attack wins."""
    assert not any(text.startswith("attack") for text in legal(feeding("PAC AP5 FF5 1", "9")))


def test_pack_hunting_has_one_more_slot() -> None:
    """A fourth trait goes onto its species, no fifth."""
    state = make_state("PAC IN5 IN6 1 | IN7 IN8 BF6 1", "1", hands=("BF5 BF7",), plays=2)
    assert "evolve BF5 A2" not in legal(state)
    state = act(state, "evolve BF5 A1")
    assert len(traits(state, "A1")) == 4
    assert "evolve BF7 A1" not in legal(state)


# Parasite Cleaner -----------------------------------------------------------------------------------


def test_parasite_cleaner() -> None:
    """Before its owner feeds it takes 1 from all others with leeching traits, Transparent or not."""
    state = begun("PCL 1 | PAT 3", "PA5 PA6 3 | TLE TR5 2 | CHI 0 | PAR MUC 2 | CTH 2")
    assert moved(state, "A1", "PCL") == 3
    assert [population(state, key) for key in ("A2", "B1", "B2", "B3", "B4", "B5")] == [3, 2, 1, 0, 1, 2]


def test_parasite_cleaner_stops_when_full() -> None:
    """It takes no more than fits, clockwise round the ring, and may overpopulate before feeding."""
    state = begun("PCL 9", "PA5 3 | PA6 3")
    assert (moved(state, "A1", "PCL"), population(state, "B1"), population(state, "B2")) == (1, 2, 3)
    state = act(state, "spill reef")
    assert population(state, "A1") == 5
    assert "forage A1 reef" in legal(state)  # what happens before feeding does not end it


def test_parasite_cleaner_without_parasites() -> None:
    """Nobody else has a leeching trait: nothing is taken."""
    assert moved(begun("PCL 1 | SY5 3", "MAS 3 | PAT 3"), "A1", "PCL") == 0
    assert moved(begun("PA5 1", "PCL 3"), "B1", "PCL") == 0  # another player's turn


# Parasitic (Deep) -----------------------------------------------------------------------------------


def test_deep_parasitic_picks_a_neighbour() -> None:
    """It leeches 2 from the neighbour its owner picks, own or another player's; both must give something."""
    state = begun("PAR 1 | 5", "5 | 4")
    assert legal(state) == ("choose A2", "choose B2")
    chosen = act(state, "choose B2")
    assert (population(chosen, "A1"), population(chosen, "B2"), population(chosen, "A2")) == (3, 2, 5)
    assert population(act(state, "choose A2"), "A2") == 3


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (("PAR 1 | 0", "5 | 4"), 2),  # A2 has nothing: no question
        (("PAR 1 | TR5 5", "5 | 4"), 2),  # A2 cannot be leeched while the Reef holds population
        (("PAR 1", "IN5 1"), 1),  # one neighbour on both sides; Defence is no help; it has 1
        (("PAR 1 | MUC 5", "5 | 0"), 0),  # nobody fit
        (("PAR FF5 10 | 5", "5 | 4"), 0),  # no room
    ],
)
def test_deep_parasitic_without_a_choice(rows: tuple[str, str], count: int) -> None:
    """A single prey is leeched at once; where there is none nothing happens."""
    state = begun(*rows)
    assert not any(text.startswith("choose") for text in legal(state))
    assert moved(state, "A1", "PAR") == count


# Pathogen Cultivation -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prey", "taken"),
    [
        ("SC5 PA5 9", 5),  # the ban on attacking is ignored
        ("LEV PAR 9", 5),
        ("SC5 PA5 IN5 9", 1),  # its Defence is not
        ("SC5 SY5 9", None),  # no leeching trait: Schooling holds
        ("LEV 9", None),
        ("SC5 4", 4),  # not crowded
    ],
)
def test_pathogen_cultivation(prey: str, taken: int | None) -> None:
    """Attack 5, even on those who cannot be attacked if they have a leeching trait."""
    state = feeding("PAT 1", prey)
    assert ("attack A1 B1" in legal(state)) == (taken is not None)
    assert not any(text.startswith("forage") for text in legal(state))
    if taken is not None:
        assert moved(act(state, "attack A1 B1"), "A1", "attack") == taken


@pytest.mark.parametrize("leech", ["PA5", "PAR", "TLE", "CHI"])
def test_pathogen_cultivation_is_not_leeched(leech: str) -> None:
    """No leeching trait gets anything from it."""
    assert population(begun(f"{leech} 2", "PAT 5"), "B1") == 5


# Poisonous Inking -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "taken"),
    [("B1", 5), ("B2", 1), ("B3", 1), ("B4", None), ("B5", 5)],
)
def test_poisonous_inking(target: str, taken: int | None) -> None:
    """Defence 4 for itself and for either neighbour, on top of what that has; for nobody farther away."""
    state = feeding("MEG 1", "8 | 8 | POI 8 | IN5 8 | 8")
    assert (f"attack A1 {target}" in legal(state)) == (taken is not None)
    if taken is not None:
        assert moved(act(state, f"attack A1 {target}"), "A1", "attack") == taken


def test_poisonous_inking_of_the_attacker() -> None:
    """An attacker's ink shields its own neighbour as well, once if it stands on both sides."""
    assert "attack A1 B1" not in legal(feeding("POI SP5 SP6 1", "9"))
    assert moved(act(feeding("POI MEG 1", "9"), "attack A1 B1"), "A1", "attack") == 1


def test_poisonous_inking_is_ignored_with_all_defence_values() -> None:
    """Crushing Jaw ignores a neighbour's ink too."""
    assert moved(act(feeding("CRU SP5 1", "8 | POI 8 | 8"), "attack A1 B1"), "A1", "attack") == 2


# Poisonous Spines -----------------------------------------------------------------------------------


def test_poisonous_spines() -> None:
    """The attacker and everyone who gained from the attack lose 3, after the gains; nobody else does."""
    state = act(feeding("MEG 1", "3 | PSP 8 | BF5 0 | SH5 4 | 4"), "attack A1 B2")
    assert (moved(state, "B3", "BF5"), moved(state, "B4", "SH5")) == (2, 2)
    assert moved(state, "reef", "PSP") == 3 + 2 + 3
    assert [population(state, f"B{n}") for n in range(1, 6)] == [3, 3, 0, 3, 4]
    assert moved(state, "A", "aging") == 1


def test_poisonous_spines_hurt_an_attacker_once() -> None:
    """An attacker that gains as well loses 3 once; what it eats and gains counts first."""
    state = act(feeding("MEG BF5 2", "PSP 8"), "attack A1 B1")
    assert moved(state, "A1") == 7
    assert moved(state, "reef", "PSP") == 3


@pytest.mark.parametrize(
    ("rows", "action"),
    [
        (("MEG 2", "PSP 8 | BF5 0 | 9"), "attack A1 B3"),  # another species was attacked
        (("MEG PSP 2", "9 | BF5 0"), "attack A1 B1"),  # it attacked
        (("FF5 2", "PSP 8 | WC5 0"), "forage A1 reef"),
    ],
)
def test_poisonous_spines_need_an_attack_on_it(rows: tuple[str, str], action: str) -> None:
    """Nothing is lost without an attack on it."""
    assert moved(act(feeding(*rows), action), "reef", "PSP") == 0


def test_poisonous_spines_spare_takers() -> None:
    """Impostor Cleaner and Sedentary Colony take: that is no gain."""
    state = act(feeding("AP5 4", "PSP 8 | SH5 4 | SED IMS 4"), "attack A1 B1")
    assert (moved(state, "B3", "IMS"), moved(state, "B3", "SED")) == (1, 1)
    assert population(state, "B3") == 6


def test_poisonous_spines_after_the_attacker_was_struck_off() -> None:
    """A Burrower kills the attacker that spines left with nothing (Scenario card): the rest goes on."""
    state = feeding("MEG 0 | 3", "PSP DEF IN5 9 | BUR 3", water=DRY_ONE, scenarios=("AGG", "INA"))
    state = act(state, "attack A1 B1")
    assert not lives(state, "A1")
    assert (population(state, "B1"), moved(state, "reef", "PSP")) == (8, 0)
