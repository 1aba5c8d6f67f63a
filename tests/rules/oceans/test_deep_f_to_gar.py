"""Deep traits one by one: Fast Metabolism, Filter Kraken, Flight, Gargantuan, Goethite Exoskeleton."""

import pytest
from msgspec.structs import replace

from rules.oceans.model import Orders
from rules.oceans.rules import State
from tests.rules.oceans.positions import act, feeding, legal, lives, lost, make_state, play, population


def kinds(state: State) -> set[str]:
    """Which ways of feeding the first species has."""
    return {text.split()[0] for text in legal(state) if text.split()[1:2] == ["A1"]}


def standing(state: State, seat: int, *, ages: bool) -> State:
    """The same, a seat having answered for its Fast Metabolism."""
    orders = list(state.position.orders)
    orders[seat] = Orders(fast_aging=ages)
    return replace(state, position=replace(state.position, orders=tuple(orders)))


# Fast Metabolism ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cambrian", "aged"), [(False, 1), (True, 2)])
def test_fast_metabolism_ages_in_others_turns_if_its_owner_said_so(*, cambrian: bool, aged: int) -> None:
    """It alone of its owner's species, into its owner's pile."""
    state = standing(feeding("5", "FAS 5 | 5", cambrian=cambrian), 1, ages=True)
    state = act(state, "skip")
    assert (population(state, "B1"), population(state, "B2")) == (5 - aged, 5)
    assert state.scores == (aged, aged)


def test_fast_metabolism_does_not_age_in_others_turns_unasked() -> None:
    """The answer is no until its owner says yes, and another trait makes nobody age."""
    assert population(act(feeding("5", "FAS 5"), "skip"), "B1") == 5
    assert population(act(standing(feeding("5", "SY5 5"), 1, ages=True), "skip"), "B1") == 5


@pytest.mark.parametrize(("species", "aged"), [("FAS 0", 0), ("FAS 2", 0), ("FAS 3", 3), ("FAS END 4", 0)])
def test_fast_metabolism_does_not_die_out_in_others_turns(species: str, aged: int) -> None:
    """Where it holds less than the 3 that are due (5 with Endurance), it is passed over."""
    water = (20, 0, 20, 20)  # Inhospitable Environment
    state = act(standing(feeding("5", species, cambrian=True, water=water), 1, ages=True), "skip")
    assert lives(state, "B1")
    assert state.scores[1] == aged


def test_fast_metabolism_ages_once_in_its_owners_turn() -> None:
    """The standing answer adds nothing to the own Aging."""
    state = act(standing(feeding("FAS 5", "5"), 0, ages=True), "skip")
    assert (population(state, "A1"), state.scores) == (4, (1, 0))


def test_fast_metabolism_is_answered_for_in_an_own_turn() -> None:
    """Only who has such a species is asked, and the answer can be taken back later."""
    state = make_state("FAS 5", "5", hands=("SY5",))
    asked = replace(state, position=replace(state.position, ordered=False))
    assert "metabolism yes" in legal(asked)
    after = act(asked, "metabolism yes")
    assert after.position.orders[0].fast_aging
    assert "metabolism no" in legal(replace(after, position=replace(after.position, ordered=False)))
    other = make_state("SY5 5", "FAS 5", hands=("SY6",))
    assert not any(
        "metabolism" in text
        for text in legal(replace(other, position=replace(other.position, ordered=False)))
    )


# Filter Kraken --------------------------------------------------------------------------------------


def test_filter_kraken_forages_three_times() -> None:
    """Once and two more, and it may stop before."""
    state = feeding("FKR 2 | 2", "5")
    for foraged in (1, 2):
        state = act(state, "forage A1 reef")
        assert population(state, "A1") == 2 + foraged
        assert legal(state) == ("forage A1 reef", "skip")
    assert lost(act(state, "forage A1 reef"), "A1", "aging") == 1  # the phase is over


def test_filter_krakens_forages_add_to_tentacled() -> None:
    """Two more, and one more again."""
    state = play(feeding("FKR TE5 0", "5"), "forage A1 reef; forage A1 reef; forage A1 reef")
    assert "forage A1 reef" in legal(state)
    assert lost(act(state, "forage A1 reef"), "A1", "aging") == 1


def test_filter_krakens_further_forages_are_no_attacks() -> None:
    """Bubble Net lets it attack once; the two more must be forages, in any order."""
    state = act(feeding("FKR BUB 2", "9"), "attack A1 B1")
    assert kinds(state) == {"forage"}
    state = act(feeding("FKR BUB 2", "9"), "forage A1 reef")
    assert kinds(state) == {"forage", "attack"}
    state = play(feeding("FKR BUB 2", "9"), "forage A1 reef; attack A1 B1; forage A1 reef")
    assert lost(state, "A1", "aging") == 1


# Flight ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "can"), [("SP5 2", True), ("SPE 2", True), ("MEG 2", False), ("2", False)]
)
def test_flight_is_attacked_by_speed_only(attacker: str, *, can: bool) -> None:
    """Either Speed; no Attack is large enough without."""
    assert ("attack A1 B1" in legal(feeding(attacker, "FLI 8"))) == can


@pytest.mark.parametrize(
    ("target", "taken"),
    [
        ("SC5 9", 5),
        ("IN5 IN6 9", 5),
        ("SC5 IN5 9", 5),
        ("TR5 9", 0),
        ("AP5 9", 3),
        ("GRA SC5 9", 0),
        ("GRA IN5 9", 1),
        ("SCH 9", 0),
        ("INK 9", 1),
    ],
)
def test_flight_ignores_schooling_and_inking_where_there_is_no_deep_trait(target: str, taken: int) -> None:
    """Attack 5; a Deep trait on the target, Schooling and Inking themselves too, undoes it."""
    state = feeding("FLI MEG 2", target)
    offered = "attack A1 B1" in legal(state)
    assert (lost(act(state, "attack A1 B1"), "B1", "attack") if offered else 0) == taken


# Gargantuan -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("held", "can"), [(6, False), (7, True), (9, True)])
def test_gargantuan_attacks_large_populations_only(held: int, *, can: bool) -> None:
    """7 or more."""
    assert ("attack A1 B1" in legal(feeding("GAR 0", f"{held}"))) == can


@pytest.mark.parametrize("target", ["GEN 8", "SC5 8", "TR5 8", "FLI 8", "COL 8"])
def test_gargantuan_ignores_bans(target: str) -> None:
    """It may attack what nobody may."""
    assert lost(act(feeding("GAR 0", target), "attack A1 B1"), "B1", "attack") == 8
    assert "attack A1 B1" not in legal(feeding("MEG 0", target))


def test_gargantuan_is_weakened_by_defence() -> None:
    """Only bans are ignored."""
    assert lost(act(feeding("GAR 0", "SC5 IN5 8"), "attack A1 B1"), "B1", "attack") == 4


# Goethite Exoskeleton -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attacker", "can"),
    [("MEG ROW 0", False), ("MEG SP5 SP6 0", True), ("KRA 0", True), ("MEG PAC 0", True), ("BEH 0", True)],
)
def test_goethite_exoskeleton_needs_attack_9(attacker: str, *, can: bool) -> None:
    """8 is not enough, 9 is; who ignores bans needs neither."""
    assert ("attack A1 B1" in legal(feeding(attacker, "GOE 8"))) == can


def test_goethite_exoskeleton_does_not_keep_leeches_off() -> None:
    """It limits attacks, nothing else."""
    assert population(act(make_state("PA5 2", "GOE 8", plays=0), "done"), "B1") == 6
