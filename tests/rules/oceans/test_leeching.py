"""Deep traits that leech, drain or feed leeches."""

import pytest

from tests.rules.oceans.positions import (
    EMPTY_ZONE_1,
    act,
    just_moved_from,
    just_moved_to,
    legal_texts,
    make_feeding_state,
    make_state,
    make_state_after_card_phase,
    population,
)

# Chitin-Plated Maw --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "other_row", "prey"),
    [
        ("CHI 1", "AP5 6 | MEG 6 | 6", "B2"),
        ("CHI 1 | MEG 6", "AP5 6", "A2"),  # its owner's species too
        ("CHI MEG 1 | 6", "AP5 6", "B1"),  # not itself, however strong
        ("CHI 1", "HAR MEG 6 | 6", "B1"),  # Defence is no help
        ("CHI 1 | FF5 6", "GEN 6 | 6", "B2"),  # one that never attacks has less than 1
    ],
)
def test_chitin_plated_maw_leeches_4_from_the_strongest(row: str, other_row: str, prey: str) -> None:
    """Before feeding, from whichever other species has the highest Attack."""
    state = act(make_state(row, other_row, plays_left=0), "done")
    assert (just_moved_to(state, "A1", "CHI"), just_moved_from(state, prey, "CHI")) == (4, 4)


def test_chitin_plated_maws_owner_picks_among_equals() -> None:
    """Of two species with the same highest Attack its owner picks one."""
    state = act(make_state("CHI 1", "AP5 6 | 6 | ROW 6", plays_left=0), "done")
    assert legal_texts(state) == ("choose B1", "choose B3")
    assert just_moved_from(act(state, "choose B3"), "B3", "CHI") == 4


@pytest.mark.parametrize(
    ("other_row", "taken_amount"),
    [
        ("MEG 3", 3),  # all it has
        ("MEG 0 | 6", 0),  # the strongest has nothing
        ("MEG TR5 6 | AP5 6", 0),  # the strongest cannot be leeched
        ("MEG EXT 6 | AP5 6", 0),
        ("AP5 6 | ROW EXT 6", 4),  # of two equals the one that can be leeched
    ],
)
def test_chitin_plated_maw_takes_what_the_strongest_can_give(other_row: str, taken_amount: int) -> None:
    """It does not turn to the second strongest."""
    assert (
        just_moved_to(act(make_state("CHI 1", other_row, plays_left=0), "done"), "A1", "CHI") == taken_amount
    )


def test_chitin_plated_maw_leeches_in_its_owners_turn_as_far_as_it_has_room() -> None:
    """On another's turn it does nothing; one free space takes 1."""
    assert just_moved_to(act(make_state("PA5 1", "CHI 1 | MEG 6", plays_left=0), "done"), "B1") == 0
    assert just_moved_to(act(make_state("CHI EXT 9", "MEG 6", plays_left=0), "done"), "A1", "CHI") == 1


def test_chitin_plated_maw_feels_defensive_spines() -> None:
    """It leeched a spiny species: 4 go to the Reef."""
    state = act(make_state("CHI 1", "DEF MEG 6", plays_left=0), "done")
    assert (
        population(state, "A1"),
        population(state, "B1"),
        just_moved_to(state, "reef", "DEF"),
    ) == (1, 2, 4)


# Massive Fins -------------------------------------------------------------------------------------


def test_massive_fins_feeds_the_parasites() -> None:
    """After its forage every Parasitic on another species, the Deep one too, leeches 1 from it."""
    state = act(make_feeding_state("MAS 0 | PA5 0", "3 | PA6 PA7 1 | PAR 0"), "forage A1 z3")
    assert just_moved_to(state, "A1", "forage") == 8
    assert [just_moved_to(state, key) for key in ("A2", "B1", "B2", "B3")] == [1, 0, 2, 1]
    assert just_moved_to(state, "A", "aging") == 2
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
def test_massive_fins_feeds_no_other_species(rows: tuple[str, str], action: str) -> None:
    """Nobody leeches it where leeching is impossible, by other traits, or after another's forage."""
    state = act(make_feeding_state(*rows), action)
    assert sum(just_moved_to(state, key) for key in ("B1", "B2")) == 0
    assert just_moved_to(state, "A1") == just_moved_to(state, "A1", "forage")


def test_massive_fins_uncovers_transparent_by_eating_the_reef_up() -> None:
    """Transparent helps no more once its own forage has emptied the Reef."""
    state = act(make_feeding_state("MAS TR5 0", "PA5 1", zone_populations=(5, 20, 20, 20)), "forage A1 reef")
    assert just_moved_to(state, "B1", "PA5") == 1


def test_massive_fins_never_attacks() -> None:
    """Its Attack is struck out, whatever else it has; it may forage in every zone that holds any."""
    state = make_feeding_state("MAS AP5 1", "9", zone_populations=EMPTY_ZONE_1)
    assert legal_texts(state) == ("skip",)
    state = make_feeding_state("MAS SP5 1", "9", zone_populations=EMPTY_ZONE_1)
    assert legal_texts(state) == ("forage A1 reef", "forage A1 z2", "forage A1 z3", "skip")


# Mucus Cocoon -------------------------------------------------------------------------------------


def test_mucus_cocoon_drains_the_leechers() -> None:
    """Before its owner feeds all other species with leeching traits lose 1 to the Reef, own ones too."""
    state = make_state_after_card_phase("MUC 4 | PA5 3", "PA6 PA7 3 | TLE 2 | CHI 0 | CTH 3 | PAR IN5 1")
    assert just_moved_to(state, "reef", "MUC") == 4
    assert [population(state, key) for key in ("A2", "B1", "B2", "B3", "B4", "B5")] == [2, 2, 1, 0, 3, 0]


def test_mucus_cocoon_waits_for_its_owner() -> None:
    """Before another player's feeding nobody loses anything."""
    assert just_moved_to(make_state_after_card_phase("PA5 3", "9 | MUC 4"), "reef", "MUC") == 0


@pytest.mark.parametrize("leech", ["PA5", "PAR", "TLE", "CHI"])
def test_mucus_cocoon_is_not_leeched(leech: str) -> None:
    """No leeching trait gets anything from it; without the cocoon each would."""
    assert population(make_state_after_card_phase(f"{leech} 2", "MUC BIO 5"), "B1") == 5
    assert population(make_state_after_card_phase(f"{leech} 2", "BIO 5"), "B1") < 5


def test_mucus_cocoon_stops_no_takes() -> None:
    """Taking is no leeching: Tail Whip takes from it."""
    assert just_moved_to(make_state_after_card_phase("TAI 2", "MUC SC5 5"), "A1", "TAI") == 1


# Parasitic ----------------------------------------------------------------------------------------


def test_deep_parasitic_picks_a_neighbour() -> None:
    """It leeches 2 from the neighbour its owner picks, own or another player's; both must give something."""
    state = make_state_after_card_phase("PAR 1 | 5", "5 | 4")
    assert legal_texts(state) == ("choose A2", "choose B2")
    after_choice = act(state, "choose B2")
    assert (
        population(after_choice, "A1"),
        population(after_choice, "B2"),
        population(after_choice, "A2"),
    ) == (
        3,
        2,
        5,
    )
    assert population(act(state, "choose A2"), "A2") == 3


@pytest.mark.parametrize(
    ("rows", "amount"),
    [
        (("PAR 1 | 0", "5 | 4"), 2),  # A2 has nothing: no question
        (("PAR 1 | TR5 5", "5 | 4"), 2),  # A2 cannot be leeched while the Reef holds population
        (("PAR 1", "IN5 1"), 1),  # one neighbour on both sides; Defence is no help; it has 1
        (("PAR 1 | MUC 5", "5 | 0"), 0),  # nobody fit
        (("PAR FF5 10 | 5", "5 | 4"), 0),  # no room
    ],
)
def test_deep_parasitic_asks_nothing_without_a_choice(rows: tuple[str, str], amount: int) -> None:
    """A single prey is leeched at once; where there is none nothing happens."""
    state = make_state_after_card_phase(*rows)
    assert not any(text.startswith("choose") for text in legal_texts(state))
    assert just_moved_to(state, "A1", "PAR") == amount


# Pathogen Cultivation -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prey", "taken_amount"),
    [
        ("SC5 PA5 9", 5),  # the ban on attacking is ignored
        ("LEV PAR 9", 5),
        ("SC5 PA5 IN5 9", 1),  # its Defence is not
        ("SC5 SY5 9", None),  # no leeching trait: Schooling holds
        ("LEV 9", None),
        ("SC5 4", 4),  # not crowded
    ],
)
def test_pathogen_cultivation_attacks_species_with_leeching_traits(
    prey: str, taken_amount: int | None
) -> None:
    """Attack 5, even on those who cannot be attacked if they have a leeching trait."""
    state = make_feeding_state("PAT 1", prey)
    assert ("attack A1 B1" in legal_texts(state)) == (taken_amount is not None)
    assert not any(text.startswith("forage") for text in legal_texts(state))
    if taken_amount is not None:
        assert just_moved_to(act(state, "attack A1 B1"), "A1", "attack") == taken_amount


@pytest.mark.parametrize("leech", ["PA5", "PAR", "TLE", "CHI"])
def test_pathogen_cultivation_is_not_leeched(leech: str) -> None:
    """No leeching trait gets anything from it."""
    assert population(make_state_after_card_phase(f"{leech} 2", "PAT 5"), "B1") == 5


# Tail Whip ----------------------------------------------------------------------------------------


def test_tail_whip_takes_1_from_all_others_with_schooling() -> None:
    """Before its owner feeds it takes 1 from all others with Schooling of either kind, own ones too."""
    state = make_state_after_card_phase("TAI 0 | SC5 3", "SCH 9 | SC6 SC7 2 | SC8 0 | IN5 4")
    assert just_moved_to(state, "A1", "TAI") == 3
    assert [population(state, key) for key in ("A2", "B1", "B2", "B4")] == [2, 8, 1, 4]


def test_tail_whip_waits_for_its_owner_and_takes_nothing_from_itself() -> None:
    """Not before another player's feeding, not from its own Schooling, no more than fits."""
    assert just_moved_to(make_state_after_card_phase("PA5 1", "TAI 1 | SC5 3"), "B1", "TAI") == 0
    assert just_moved_to(make_state_after_card_phase("TAI SC5 3", "2"), "A1", "TAI") == 0
    assert just_moved_to(make_state_after_card_phase("TAI FF5 9", "SC5 3 | SC6 3"), "A1", "TAI") == 1


# Tentacle Leech -----------------------------------------------------------------------------------


def test_tentacle_leech_picks_a_species_with_a_deep_trait() -> None:
    """Anywhere at the table, own or another player's, if it has anything and can be leeched."""
    state = make_state_after_card_phase("TLE 1 | GRA 4", "IN5 4 | SP5 4", "TUS 1 | MUC 4 | TEN TR5 4 | SHC 0")
    assert legal_texts(state) == ("choose A2", "choose C1")
    assert just_moved_to(act(state, "choose A2"), "A1", "TLE") == 2
    assert just_moved_to(act(state, "choose C1"), "A1", "TLE") == 1  # all it has


@pytest.mark.parametrize(
    ("rows", "amount"),
    [
        (("TLE 1", "3 | TUS 4"), 2),  # a single one, far away, its Defence no help
        (("TLE 1", "3 | SP5 4"), 0),  # no Deep trait but its own
        (("TLE FF5 10", "TUS 4"), 0),  # no room
        (("TLE FF5 9", "TUS 4"), 1),
    ],
)
def test_tentacle_leech_asks_nothing_without_a_choice(rows: tuple[str, str], amount: int) -> None:
    """A single prey is leeched at once, as far as there is room."""
    assert just_moved_to(make_state_after_card_phase(*rows), "A1", "TLE") == amount
