"""Deep traits one by one: Barbels, Behemoth, Bioluminescence, Biotic Cycle Reversal, Bottom Feeder."""

import pytest

from tests.rules.oceans.positions import act, feeding, legal, lost, make_state, moved, play, population

# Barbels --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "gained"),
    [
        (("3", "5 | BF5 3 | BAR 3"), 1),
        (("3", "5 | BF5 BF6 3 | BAR 3"), 2),  # every copy
        (("3 | BOT 3", "5 | BF5 3 | BAR 3"), 2),  # the Deep one, on the other side
        (("3 | BF5 3", "5 | 3 | BAR 3"), 0),  # a Bottom Feeder on the wrong side
        (("3", "5 | 3 | BAR 3"), 0),
        (("3", "BAR 5 | BF5 3"), 1),  # it was attacked itself
        (("BAR 3", "5 | BF5 3"), 1),  # it was the attacker
    ],
)
def test_barbels_gains_1_for_each_bottom_feeder_that_is_set_off(rows: tuple[str, str], gained: int) -> None:
    """It counts the Bottom Feeders beside the species attacked, wherever it stands itself."""
    state = act(feeding(*rows), "attack A1 B1")
    key = next(species.key for row in state.position.rows for species in row if "BAR" in species.traits)
    assert moved(state, key, "BAR") == gained


def test_barbels_is_idle_when_somebody_forages() -> None:
    """No attack, no Bottom Feeder."""
    state = act(feeding("3", "5 | BF5 3 | BAR 3"), "forage A1 reef")
    assert (moved(state, "B2", "BF5"), moved(state, "B3", "BAR")) == (0, 0)


# Behemoth -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["GEN 8", "SC5 8", "TR5 8", "GOE 8", "FLI 8", "COL 8"])
def test_behemoth_ignores_bans_of_species_with_less_attack(target: str) -> None:
    """Whatever keeps others off does not keep it off, if the target's Attack is below its own 3."""
    assert lost(act(feeding("BEH 2", target), "attack A1 B1"), "B1", "attack") == 3
    assert "attack A1 B1" not in legal(feeding("AP5 2", target))


def test_behemoth_respects_the_ban_of_an_equal() -> None:
    """Attack 3 against Attack 3 or 5: the ban holds; with Speed it is 5 against 3."""
    assert "attack A1 B1" not in legal(feeding("BEH 2", "SC5 AP5 8"))
    assert "attack A1 B1" not in legal(feeding("BEH 2", "LEV 8"))
    assert lost(act(feeding("BEH SP5 2", "SC5 AP5 8"), "attack A1 B1"), "B1", "attack") == 3


def test_behemoth_attacks_the_strong_where_nothing_forbids_it() -> None:
    """Its text lifts bans and sets none; Defence counts as ever."""
    assert "attack A1 B1" in legal(feeding("BEH 2", "MEG 8"))
    assert "attack A1 B1" not in legal(feeding("BEH 2", "SC5 IN5 8"))


# Bioluminescence ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "line", "key"),
    [
        (("BIO 3 | 3", "3"), "evolve HAR A2 reef", "A1"),
        (("BIO 3", "3"), "create HAR 1 reef", "A1"),
        (("BIO 3", "3"), "evolve HAR A1 reef", "A1"),
        (("3", "BIO 3"), "evolve HAR A1 reef", "B1"),
    ],
)
def test_bioluminescence_gains_when_any_species_gets_a_deep_trait(
    rows: tuple[str, str], line: str, key: str
) -> None:
    """Any species, old or new, of any player."""
    state = act(make_state(*rows, hands=("HAR",), scores=(5,), cambrian=True), line)
    assert moved(state, key, "BIO") == 1


@pytest.mark.parametrize(("line", "key"), [("evolve BIO A1 reef", "A1"), ("create BIO 1 reef", "A2")])
def test_bioluminescence_reacts_to_its_own_arrival(line: str, key: str) -> None:
    """It is a Deep trait itself, and a trait acts at once."""
    state = act(make_state("3", "3", hands=("BIO",), scores=(5,), cambrian=True), line)
    assert moved(state, key, "BIO") == 1


@pytest.mark.parametrize("line", ["evolve SY5 A2", "create SY5 0", "migrate SY5 z1 z2", "migrate HAR z1 z2"])
def test_bioluminescence_is_idle_without_a_deep_trait_put_down(line: str) -> None:
    """Surface traits do nothing to it, and a Deep card that migrates is no trait."""
    state = act(make_state("BIO 3 | 3", "3", hands=("SY5 HAR",), scores=(5,), cambrian=True), line)
    assert moved(state, "A1", "BIO") == 0


def test_bioluminescence_gains_when_cthulhu_leech_lands() -> None:
    """It is put on somebody else's species, but put all the same."""
    state = make_state("3", "BIO 3", hands=("CTH",), scores=(5,), cambrian=True)
    assert moved(act(state, "evolve CTH B1 reef"), "B1", "BIO") == 1


def test_bioluminescence_gains_when_a_deep_trait_changes_species() -> None:
    """Gene Transfer gives a species a Deep trait: that counts; a swap of Surface traits does not."""
    state = act(make_state("GTR SY5 3 | HAR IN5 3", "BIO 3", plays=0), "done")
    assert moved(act(state, "swap A1 SY5 A2 HAR"), "B1", "BIO") == 1
    assert moved(act(state, "swap A1 SY5 A2 IN5"), "B1", "BIO") == 0


# Biotic Cycle Reversal ------------------------------------------------------------------------------


def test_biotic_cycle_reversal_gains_3_when_an_attack_leaves_nothing() -> None:
    """The attack takes all 3, and it gains 3."""
    state = act(feeding("AP5 0", "BCR 3"), "attack A1 B1")
    assert (lost(state, "B1", "attack"), moved(state, "B1", "BCR"), population(state, "B1")) == (3, 3, 3)


@pytest.mark.parametrize("rows", [("AP5 0", "BCR 4"), ("AP5 8", "BCR 3")])
def test_biotic_cycle_reversal_is_idle_while_anything_is_left(rows: tuple[str, str]) -> None:
    """One left, because it had more or because the attacker had no room: no gain."""
    state = act(feeding(*rows), "attack A1 B1")
    assert (moved(state, "B1", "BCR"), population(state, "B1")) == (0, 1)


def test_biotic_cycle_reversal_wants_an_attack() -> None:
    """Neurotoxin and leeches take its last population too, but are no attacks."""
    stung = act(feeding("NEU 2", "BCR 3"), "attack A1 B1")
    assert (population(stung, "B1"), moved(stung, "B1")) == (0, 0)
    leeched = act(make_state("PA5 2", "BCR 2", plays=0), "done")
    assert (population(leeched, "B1"), moved(leeched, "B1")) == (0, 0)


def test_biotic_cycle_reversal_ignores_attacks_on_others() -> None:
    """Only its own species counts."""
    assert moved(act(feeding("AP5 0", "3 | BCR 0"), "attack A1 B1"), "B2", "BCR") == 0


# Bottom Feeder (Deep) -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "prey", "gained"),
    [
        (("3", "5 | BOT 3 | 5"), "B1", 2),
        (("3", "5 | BOT 3 | 5"), "B3", 2),
        (("3", "5 | 5 | BOT 3 | 5"), "B1", 0),  # no neighbour
        (("3", "BOT 5 | 5"), "B1", 0),  # itself
        (("BOT 3", "5"), "B1", 2),  # the attacker; each is both neighbours of the other
    ],
)
def test_deep_bottom_feeder_gains_2_beside_a_species_attacked(
    rows: tuple[str, str], prey: str, gained: int
) -> None:
    """Either neighbour, whoever attacked it, once."""
    state = act(feeding(*rows), f"attack A1 {prey}")
    key = next(species.key for row in state.position.rows for species in row if "BOT" in species.traits)
    assert moved(state, key, "BOT") == gained


def test_deep_bottom_feeder_wants_an_attack() -> None:
    """What Hydra takes besides, stings and foraging are no loss to an attack."""
    state = play(feeding("HYD 2", "9 | 9 | BOT 3 | 9"), "attack A1 B1; choose B2; done")
    assert moved(state, "B3", "BOT") == 0
    assert moved(act(feeding("3", "AMB 3 | BOT 3"), "forage A1 reef"), "B2", "BOT") == 0
    stung = act(feeding("BOT 3 | 9", "DEF 9"), "attack A2 B1")
    assert (lost(stung, "A2", "DEF"), moved(stung, "A1", "BOT")) == (4, 2)  # 2 for B1, nothing for A2


# Bright Coloration ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "key"), [(("BRI 3", "3"), "A1"), (("3", "BRI 3"), "B1"), (("", "3 | BRI 3"), "B2")]
)
def test_bright_coloration_gains_when_any_species_is_created(rows: tuple[str, str], key: str) -> None:
    """Whoever creates it, and wherever."""
    assert moved(act(make_state(*rows, hands=("SY5",)), "create SY5 0"), key, "BRI") == 1


def test_bright_coloration_gains_for_its_own_species() -> None:
    """As the first trait of a species it acts at once."""
    state = make_state("3", "3", hands=("BRI",), scores=(5,), cambrian=True)
    assert moved(act(state, "create BRI 1 z1"), "A2", "BRI") == 1
    assert moved(act(state, "evolve BRI A1 z1"), "A1", "BRI") == 0


@pytest.mark.parametrize("line", ["evolve SY5 A1", "migrate SY5 z1 z2"])
def test_bright_coloration_is_idle_when_nothing_is_created(line: str) -> None:
    """A trait on an old species is no new species."""
    assert moved(act(make_state("BRI 3", "3", hands=("SY5",)), line), "A1", "BRI") == 0
