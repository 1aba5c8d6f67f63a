"""Deep traits that react to what others gain, or count other traits' gains."""

import pytest

from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    population,
)

# Acute Smell --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other_row", "gained_amount"),
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
def test_acute_smell_gains_1_for_each_shark_cleaner_that_is_set_off(
    other_row: str, gained_amount: int
) -> None:
    """It counts the Shark Cleaners that the attack sets off, wherever it stands itself."""
    prey_number = next(i for i, text in enumerate(other_row.split("|"), 1) if text.split() == ["5"])
    state = act(make_feeding_state("AP5 2", other_row), f"attack A1 B{prey_number}")
    assert just_moved_to(state, "B" + str(1 + other_row.split(" | ").index("ACU 3")), "ACU") == gained_amount


def test_acute_smell_is_idle_when_no_cleaner_is_set_off() -> None:
    """An attack with Attack 2 and a forage set off no Shark Cleaner."""
    state = make_feeding_state("SP5 2", "SH5 2 | ACU 3")
    assert just_moved_to(act(state, "attack A1 B1"), "B2", "ACU") == 0
    assert just_moved_to(act(state, "forage A1 reef"), "B2", "ACU") == 0


def test_acute_smell_gains_after_its_own_species_attacks() -> None:
    """It may be the attacker itself; its own Shark Cleaner is not set off."""
    state = make_feeding_state("ACU AP5 SH6 2", "SH5 2 | 5")
    assert just_moved_to(act(state, "attack A1 B2"), "A1", "ACU") == 1
    lone_cleaner_state = make_feeding_state("ACU AP5 SH6 2", "2 | 5")
    assert just_moved_to(act(lone_cleaner_state, "attack A1 B2"), "A1", "ACU") == 0


def test_acute_smell_counts_a_cleaner_that_has_no_room() -> None:
    """Being set off is enough: the cleaner's board is full, so it gains nothing."""
    state = act(make_feeding_state("AP5 2", "FF5 SH5 10 | ACU 3 | 5"), "attack A1 B3")
    assert (just_moved_to(state, "B1", "SH5"), just_moved_to(state, "B2", "ACU")) == (0, 1)


# Barbels ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "gained_amount"),
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
def test_barbels_gains_1_for_each_bottom_feeder_that_is_set_off(
    rows: tuple[str, str], gained_amount: int
) -> None:
    """It counts the Bottom Feeders beside the species attacked, wherever it stands itself."""
    state = act(make_feeding_state(*rows), "attack A1 B1")
    key = next(species.key for row in state.position.rows for species in row if "BAR" in species.traits)
    assert just_moved_to(state, key, "BAR") == gained_amount


def test_barbels_is_idle_when_somebody_forages() -> None:
    """No attack, no Bottom Feeder."""
    state = act(make_feeding_state("3", "5 | BF5 3 | BAR 3"), "forage A1 reef")
    assert (just_moved_to(state, "B2", "BF5"), just_moved_to(state, "B3", "BAR")) == (0, 0)


# Impostor Cleaners --------------------------------------------------------------------------------


def test_shark_impostor_takes_from_each_cleaner_that_gained() -> None:
    """The nearest Shark Cleaner on either side gains, and gives 1 of it to the impostor, wherever that is."""
    # Rightwards: A1 A2 A3, B1 B2 B3, and round again.
    state = act(make_feeding_state("AP5 2 | SH5 1 | IMS 0", "9 | SH6 1 | SH7 1"), "attack A1 B1")
    assert [just_moved_to(state, key, card) for key, card in (("A2", "SH5"), ("B3", "SH7"))] == [2, 2]
    assert just_moved_to(state, "A3", "IMS") == 2
    assert (population(state, "B2"), population(state, "B3")) == (1, 2)


def test_shark_impostor_knows_the_deep_shark_cleaner() -> None:
    """Both Shark Cleaners are of the family; who has two of them still gives 1."""
    state = act(make_feeding_state("AP5 2", "9 | SHC SH7 1 | 5 | IMS 0"), "attack A1 B1")
    assert (just_moved_to(state, "B2", "SHC"), just_moved_to(state, "B2", "SH7")) == (3, 2)
    assert (just_moved_to(state, "B4", "IMS"), population(state, "B2")) == (1, 5)


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
    assert just_moved_to(act(make_feeding_state(*rows), action), "B1", "IMS") == 0


def test_impostor_takes_no_more_than_it_has_room_for() -> None:
    """With one free space it takes from the first cleaner clockwise only."""
    state = act(make_feeding_state("AP5 2 | SH5 1", "9 | SH6 1 | IMS FF5 9"), "attack A1 B1")
    assert just_moved_to(state, "B3", "IMS") == 1
    assert (population(state, "A2"), population(state, "B2")) == (1, 3)  # A2 has aged


def test_whale_impostor_takes_from_whale_cleaners_that_gained() -> None:
    """It takes from Whale Cleaners, the Deep one too, after they have gained."""
    state = act(make_feeding_state("FF5 0 | WC5 1", "IMW 0 | 3 | WHC 1"), "forage A1 reef")
    assert (just_moved_to(state, "A2", "WC5"), just_moved_to(state, "B3", "WHC")) == (3, 4)
    assert just_moved_to(state, "B1", "IMW") == 2
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
    assert just_moved_to(act(make_feeding_state(*rows), action), "B1", "IMW") == 0


def test_impostors_react_to_a_population_explosion() -> None:
    """The event lets cleaners gain as well, so the impostors take from them."""
    state = make_state(
        "SH5 1 | IMS 0",
        "WC5 1 | IMW 0",
        zone_populations=(20, 3, 20, 20),
        scenarios=("EXP", "INA"),
        hands=("IN5",),
    )
    state = act(state, "migrate IN5 z1 reef")
    assert (just_moved_to(state, "A1", "SH5"), just_moved_to(state, "B1", "WC5")) == (2, 3)
    assert (just_moved_to(state, "A2", "IMS"), just_moved_to(state, "B2", "IMW")) == (1, 1)


# Rows of Teeth ------------------------------------------------------------------------------------


def test_rows_of_teeth_raise_the_gains_that_its_attack_sets_off() -> None:
    """Bottom Feeders and Shark Cleaners set off by its attack gain 1 more each, others do not."""
    rows = ("ROW 3 | SY5 SHC 0", "9 | BF5 0 | SH5 0 | SCA 0")
    state = act(make_feeding_state(*rows), "attack A1 B1")
    assert just_moved_to(state, "A1", "attack") == 3
    gains = {
        card: just_moved_to(state, key, card) for key, card in (("A2", "SHC"), ("A2", "SY5"), ("B2", "BF5"))
    }
    assert gains == {"SHC": 4, "SY5": 1, "BF5": 3}
    assert (just_moved_to(state, "B3", "SH5"), just_moved_to(state, "B4", "SCA")) == (3, 1)


def test_rows_of_teeth_raise_the_gain_of_the_deep_bottom_feeder() -> None:
    """The Deep Bottom Feeder gains 1 more as well."""
    assert just_moved_to(act(make_feeding_state("ROW 3", "BOT 0 | 9"), "attack A1 B2"), "B1", "BOT") == 3


@pytest.mark.parametrize("rows", [("AP5 3 | ROW 1", "9 | BF5 0"), ("AP5 3", "ROW 9 | BF5 0")])
def test_rows_of_teeth_raise_no_gains_of_others_attacks(rows: tuple[str, str]) -> None:
    """Another species' attack, even on it, feeds nobody more."""
    assert just_moved_to(act(make_feeding_state(*rows), "attack A1 B1"), "B2", "BF5") == 2


# Sedentary Colony ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "action", "taken_amount"),
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
def test_sedentary_colony_takes_1_for_each_neighbour_that_gains(
    rows: tuple[str, str], action: str, taken_amount: int
) -> None:
    """For each neighbour that gains it takes 1 from the first Ocean zone that holds any."""
    state = act(make_feeding_state(*rows, zone_populations=(20, 0, 9, 20)), action)
    assert just_moved_to(state, "A3", "SED") == taken_amount


def test_sedentary_colony_lives_on_gains_outside_feeding() -> None:
    """A neighbour that gains when a species is created counts as well."""
    state = make_state("BRI 1 | SED 0", "1", hands=("BF5",))
    assert just_moved_to(act(state, "create BF5 2"), "A2", "SED") == 1


def test_what_sedentary_colony_takes_is_no_gain() -> None:
    """Neither Abundance nor Endurance makes it larger."""
    state = make_feeding_state(
        "FF5 0 | SY5 0 | SED END 0", "1", zone_populations=EMPTY_ZONE_1, scenarios=("ABU", "INA")
    )
    state = act(state, "forage A1 reef")
    assert (just_moved_to(state, "A2", "SY5"), just_moved_to(state, "A3", "SED")) == (2, 1)


def test_sedentary_colony_still_takes_when_the_ocean_is_dry() -> None:
    """It takes the last token, then from the reserve, which comes in at that moment."""
    state = make_feeding_state("FF5 0 | SY5 0 | SED 0", "1", zone_populations=(20, 0, 0, 1))
    state = act(state, "forage A1 reef")
    assert just_moved_to(state, "A3", "SED") == 1
    assert state.position.end_triggered
    assert state.position.zone_populations[3] == 59


def test_sedentary_colony_neither_feeds_nor_is_prey() -> None:
    """Forage and Attack are struck out, even with a Scenario card's icons; it cannot be attacked."""
    state = make_feeding_state("SED SP5 3", "9", zone_populations=(20, 0, 0, 20), scenarios=("REE", "LPR"))
    assert not legal_texts(state, "forage")
    assert not legal_texts(state, "attack")
    assert not legal_texts(make_feeding_state("AP5 3", "SED 4"), "attack")
    assert legal_texts(make_feeding_state("GAR 1", "SED 7"), "attack")  # ignores the ban
