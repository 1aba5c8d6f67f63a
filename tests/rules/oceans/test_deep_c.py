"""Deep traits one by one: Camouflage to Cthulhu Leech."""

import pytest
from msgspec.structs import replace

from rules.game import Seat
from rules.oceans.rules import State
from tests.rules.oceans.positions import act, feeding, legal, lives, lost, make_state, moved, play, population

# Camouflage -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("row", "taken"), [("CAM 9", 5), ("CAM 9 | 3", 3), ("3 | CAM 9 | 3", 1)])
def test_camouflage_has_defence_2_for_each_other_species_of_its_owner(row: str, taken: int) -> None:
    """Of an Attack of 5 it saves 2 per companion; species of other players are none."""
    state = feeding("MEG 0 | 3", row, "3 | 3")
    key = next(species.key for species in state.position.rows[1] if "CAM" in species.traits)
    assert lost(act(state, f"attack A1 {key}"), key, "attack") == taken


# Cavitation Bullet ----------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["HAR IN5 8", "GEN 8", "TR5 SC5 8", "9 | POI 3", "ABY 8"])
def test_cavitation_bullet_ignores_every_defensive_trait(target: str) -> None:
    """Defence, bans and a neighbour's ink: it takes its 2 all the same."""
    assert lost(act(feeding("CAV SY5 2", target), "attack A1 B1"), "B1", "attack") == 2


def test_cavitation_bullet_takes_no_more_than_2() -> None:
    """Attack 7 takes 2 with each attack."""
    state = act(feeding("CAV MEG TE5 2", "9"), "attack A1 B1")
    assert (population(state, "A1"), population(state, "B1")) == (4, 7)
    assert lost(act(state, "attack A1 B1"), "B1", "attack") == 2


def test_cavitation_bullet_is_stopped_by_what_is_no_trait() -> None:
    """Protective Shells is a Scenario card: Attack 2 comes to nothing, Attack 4 to 2."""
    water = (20, 0, 20, 20)
    weak = feeding("CAV 2", "9", scenarios=("SHE", "INB"), water=water)
    assert "attack A1 B1" not in legal(weak)
    strong = feeding("CAV SP5 2", "9", scenarios=("SHE", "INB"), water=water, cambrian=True)
    assert lost(act(strong, "attack A1 B1"), "B1", "attack") == 2


# Chitin-Plated Maw ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "others", "prey"),
    [
        ("CHI 1", "AP5 6 | MEG 6 | 6", "B2"),
        ("CHI 1 | MEG 6", "AP5 6", "A2"),  # its owner's species too
        ("CHI MEG 1 | 6", "AP5 6", "B1"),  # not itself, however strong
        ("CHI 1", "HAR MEG 6 | 6", "B1"),  # Defence is no help
        ("CHI 1 | FF5 6", "GEN 6 | 6", "B2"),  # one that never attacks has less than 1
    ],
)
def test_chitin_plated_maw_leeches_4_from_the_strongest(row: str, others: str, prey: str) -> None:
    """Before feeding, from whichever other species has the highest Attack."""
    state = act(make_state(row, others, plays=0), "done")
    assert (moved(state, "A1", "CHI"), lost(state, prey, "CHI")) == (4, 4)


def test_chitin_plated_maws_owner_picks_among_equals() -> None:
    """Two of Attack 3, one weaker."""
    state = act(make_state("CHI 1", "AP5 6 | 6 | ROW 6", plays=0), "done")
    assert legal(state) == ("choose B1", "choose B3")
    assert lost(act(state, "choose B3"), "B3", "CHI") == 4


@pytest.mark.parametrize(
    ("others", "taken"),
    [
        ("MEG 3", 3),  # all it has
        ("MEG 0 | 6", 0),  # the strongest has nothing
        ("MEG TR5 6 | AP5 6", 0),  # the strongest cannot be leeched
        ("MEG EXT 6 | AP5 6", 0),
        ("AP5 6 | ROW EXT 6", 4),  # of two equals the one that can be leeched
    ],
)
def test_chitin_plated_maw_takes_what_the_strongest_can_give(others: str, taken: int) -> None:
    """It does not turn to the second strongest."""
    assert moved(act(make_state("CHI 1", others, plays=0), "done"), "A1", "CHI") == taken


def test_chitin_plated_maw_leeches_in_its_owners_turn_as_far_as_it_has_room() -> None:
    """In another's turn it does nothing; one free space takes 1."""
    assert moved(act(make_state("PA5 1", "CHI 1 | MEG 6", plays=0), "done"), "B1") == 0
    assert moved(act(make_state("CHI EXT 9", "MEG 6", plays=0), "done"), "A1", "CHI") == 1


def test_chitin_plated_maw_feels_defensive_spines() -> None:
    """It leeched a spiny species: 4 go to the Reef."""
    state = act(make_state("CHI 1", "DEF MEG 6", plays=0), "done")
    assert (population(state, "A1"), population(state, "B1"), moved(state, "reef", "DEF")) == (1, 2, 4)


# Colossus -------------------------------------------------------------------------------------------


def test_colossus_may_take_less_than_its_forage() -> None:
    """Anything from 1 to all that fits; nobody else may."""
    offered = [text for text in legal(feeding("COL 6", "5")) if text.startswith("forage")]
    assert offered == ["forage A1 reef"] + [f"forage A1 reef {less}" for less in (3, 2, 1)]
    assert lost(act(feeding("COL 6", "5"), "forage A1 reef 3"), "reef", "forage") == 3
    assert [text for text in legal(feeding("FF5 6", "5")) if "forage" in text] == ["forage A1 reef"]


def test_colossus_takes_less_and_still_has_its_forage() -> None:
    """Whale Cleaner looks at the value, not at what was taken."""
    assert moved(act(feeding("COL 6", "WC5 2"), "forage A1 reef 1"), "B1", "WC5") == 3


@pytest.mark.parametrize(
    ("attacker", "target", "can"),
    [
        ("MEG SP5 SP6 0", "COL 8", False),  # 9 against 11
        ("MEG SP5 SP6 SP7 0", "COL 8", True),  # 11 against 11
        ("MEG SP5 SP6 SP7 0", "COL SP8 8", False),  # 11 against 13
        ("0", "COL AP5 8", False),  # no ban: it never forages. But Defence 2 saves all of 1
        ("AP6 0", "COL AP5 8", True),
        ("GAR 0", "COL 8", True),  # ignores bans
    ],
)
def test_colossus_is_safe_from_attack_below_its_forage(attacker: str, target: str, *, can: bool) -> None:
    """An Attack that equals its Forage is enough; a Forage that is struck out protects nothing."""
    assert ("attack A1 B1" in legal(feeding(attacker, target))) == can


# Communication --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "water", "gained"),
    [
        ("5 | COM SY5 2", (20, 20, 20, 20), 2),
        ("5 | COM SY5 2", (20, 0, 20, 20), 4),  # Abundance makes the Gain 2 first
        ("5 | COM SY5 9", (20, 20, 20, 20), 1),  # no more than fits
        ("5 | SY5 2 | COM 2", (20, 20, 20, 20), 1),  # another species' trait
    ],
)
def test_communication_doubles_its_gains(row: str, water: tuple[int, int, int, int], gained: int) -> None:
    """Every gain of its own species counts twice."""
    state = act(feeding(row, "5", water=water, scenarios=("ABU", "INB"), cambrian=True), "forage A1 reef")
    assert moved(state, "A2", "SY5") == gained


def test_communication_doubles_what_scenario_cards_let_it_gain() -> None:
    """Protective Growth's 2 for its own Defence are 4, and so are Fertile's."""
    water = (20, 0, 20, 20)
    state = make_state(
        "3", "5", hands=("COM",), scores=(9,), water=water, scenarios=("GRO", "INB"), cambrian=True
    )
    assert moved(act(state, "evolve COM A1 reef"), "A1", "GRO") == 4
    state = make_state(
        "3", "5", hands=("COM",), scores=(9,), water=water, scenarios=("FER", "INB"), cambrian=True
    )
    assert moved(act(state, "create COM 0 reef"), "A2", "FER") == 4


def test_communication_doubles_gains_only() -> None:
    """What it forages, leeches or takes is no gain."""
    assert lost(act(feeding("COM SP5 2", "5"), "forage A1 reef"), "reef", "forage") == 2
    assert moved(act(feeding("5", "COM AMB 2"), "forage A1 reef"), "B1", "AMB") == 2
    assert moved(act(make_state("COM PA5 2", "5", plays=0), "done"), "A1", "PA5") == 2


# Coprophagia ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pile", "taken"), [(5, 2), (2, 2), (1, 1), (0, 0)])
def test_coprophagia_takes_2_from_a_score_pile(pile: int, taken: int) -> None:
    """Before feeding, as far as the pile has them."""
    state = play(make_state("COP 3", "3", plays=0, scores=(4, pile)), "done; choose B")
    assert (population(state, "A1"), state.scores) == (3 + taken, (4, pile - taken))


def test_coprophagia_lets_its_owner_pick_any_pile() -> None:
    """Everybody's, the own one too."""
    state = act(make_state("COP 3", "3", "3", plays=0, scores=(4, 4, 4)), "done")
    assert legal(state) == ("choose A", "choose B", "choose C")
    assert play(state, "choose A").scores == (2, 4, 4)


def test_coprophagia_takes_what_it_has_room_for() -> None:
    """One space takes 1; with none nobody is asked; and it waits for its owner's turn."""
    one = play(make_state("COP EXT 9", "3", plays=0, scores=(4, 4)), "done; choose B")
    assert one.scores[1] == 3
    assert not any("choose" in text for text in legal(act(make_state("COP EXT 10", "3", plays=0), "done")))
    assert not any("choose" in text for text in legal(act(make_state("PA5 3", "COP 3", plays=0), "done")))


# Crushing Jaw ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["HAR IN5 9", "9 | POI 3", "CAM SP6 9 | 3"])
def test_crushing_jaw_ignores_defence(target: str) -> None:
    """All Defence values, a neighbour's too."""
    assert lost(act(feeding("CRU SP5 2", target), "attack A1 B1"), "B1", "attack") == 2


def test_crushing_jaw_ignores_protective_shells_too() -> None:
    """All Defence values, whoever gives them: the icon is the species' own."""
    state = feeding("CRU 2", "9", scenarios=("SHE", "INB"), water=(20, 0, 20, 20), cambrian=True)
    assert lost(act(state, "attack A1 B1"), "B1", "attack") == 1
    assert "attack A1 B1" not in legal(feeding("2", "9", scenarios=("SHE", "INB"), water=(20, 0, 20, 20)))


@pytest.mark.parametrize("target", ["GEN 8", "SC5 8", "TR5 8", "GOE 8"])
def test_crushing_jaw_respects_bans(target: str) -> None:
    """A species that cannot be attacked stays safe."""
    assert "attack A1 B1" not in legal(feeding("CRU SP5 2", target))


# Cthulhu Leech --------------------------------------------------------------------------------------


def leeched(*rows: str, player: int, by: int = 0, cambrian: bool = False) -> State:
    """As ``feeding``, Cthulhu Leech having been played by a seat."""
    state = feeding(*rows, player=player, cambrian=cambrian)
    return replace(state, position=replace(state.position, cthulhu=Seat(by)))


def test_cthulhu_leech_goes_on_anybodys_species_with_a_free_slot() -> None:
    """Own or not; it starts no species."""
    state = make_state("3", "3 | SY5 SY6 SY7 3", hands=("CTH",), scores=(2,), cambrian=True)
    offered = {text.rpartition(" ")[0] for text in legal(state) if not text.startswith("migrate")}
    assert offered == {"evolve CTH A1", "evolve CTH B1"}
    assert act(state, "evolve CTH B1 z3").scores == (0, 0)


def test_cthulhu_leech_scores_for_whoever_played_it() -> None:
    """From the play to the owner's Aging: 2 go to A's pile, then the species ages as ever."""
    start = make_state("5", "6", hands=("CTH",), scores=(2,), cambrian=True)
    state = play(start, "evolve CTH B1 reef; skip; draw")
    assert (state.position.current_player, state.scores, population(state, "B1")) == (1, (2, 0), 6)
    state = act(state, "skip")
    assert (state.scores, population(state, "B1")) == ((4, 2), 2)


def test_cthulhu_leech_on_an_own_species_scores_it_faster() -> None:
    """Both go to the same pile."""
    state = act(leeched("CTH 6", "3", player=0), "skip")
    assert (state.scores, population(state, "A1")) == ((3, 0), 3)


@pytest.mark.parametrize(
    ("held", "scores", "alive"), [(3, (2, 1), True), (2, (2, 0), False), (1, (1, 0), False)]
)
def test_cthulhu_leech_comes_before_aging(held: int, scores: tuple[int, int], *, alive: bool) -> None:
    """What it takes is missing when the species ages."""
    state = act(leeched("3", f"CTH {held}", player=1), "skip")
    assert (state.scores, lives(state, "B1")) == (scores, alive)


def test_cthulhu_leech_is_idle_in_others_aging() -> None:
    """The species does not age in A's turn."""
    state = act(leeched("3", "CTH 6", player=0), "skip")
    assert (state.scores, population(state, "B1")) == ((1, 0), 6)


def test_cthulhu_leech_is_no_leeching() -> None:
    """What cannot be leeched pays too."""
    assert act(leeched("3", "EXT CTH 6", player=1), "skip").scores == (2, 1)


def test_cthulhu_leech_cannot_be_removed() -> None:
    """Its host's owner may drop other traits, and only those, also when there are too many."""
    state = make_state("3", "SY5 CTH 3", player=1, hands=("", "IN5"))
    assert [text for text in legal(state) if text.startswith("drop")] == ["drop B1 SY5"]
    crowded = act(make_state("3", "ATA CTH SY5 SY6 SY7 3", player=1, hands=("", "IN5")), "drop B1 ATA")
    assert set(legal(crowded)) == {"drop B1 SY5", "drop B1 SY6", "drop B1 SY7"}
