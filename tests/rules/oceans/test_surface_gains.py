"""The Surface traits that gain by what others do: what triggers them, and what does not."""

import pytest

from tests.rules.oceans.positions import act, just_moved_to, make_feeding_state, population

# Bottom Feeder --------------------------------------------------------------------------------------


def test_bottom_feeder_gains_when_its_left_neighbour_is_attacked() -> None:
    """It gains 2 from zone 1, also across the border between two players."""
    after = act(make_feeding_state("AP5 0 | TE6 5", "BF5 3 | TE5 3"), "attack A1 A2")
    assert just_moved_to(after, "B1", "BF5") == 2
    assert after.position.zone_populations[1] == 18


@pytest.mark.parametrize("target", ["B2", "B1", "B4"])
def test_bottom_feeder_does_not_look_elsewhere(target: str) -> None:
    """Attacks on its right neighbour, on itself or further off give it nothing."""
    state = make_feeding_state("AP5 0", "BF5 5 | TE5 5 | TE6 5 | TE7 5")
    assert just_moved_to(act(state, f"attack A1 {target}"), "B1", "BF5") == 0


def test_bottom_feeder_does_not_react_to_forages() -> None:
    """Its left neighbour forages: nothing."""
    assert just_moved_to(act(make_feeding_state("SP5 0", "BF5 5"), "forage A1 reef"), "B1") == 0


def test_bottom_feeder_sees_its_own_attack() -> None:
    """An attacker to the right of its target gains as well."""
    after = act(make_feeding_state("TE5 5 | BF5 AP5 0", "TE6 5"), "attack A2 A1")
    assert (just_moved_to(after, "A2", "attack"), just_moved_to(after, "A2", "BF5")) == (3, 2)


def test_in_a_ring_of_two_each_is_to_the_left_of_the_other() -> None:
    """The attacker's only neighbour on either side is its target."""
    after = act(make_feeding_state("BF5 AP5 0", "BF6 5"), "attack A1 B1")
    assert just_moved_to(after, "A1", "BF5") == 2
    assert just_moved_to(after, "B1", "BF6") == 0


# Shark Cleaner and Whale Cleaner --------------------------------------------------------------------


@pytest.mark.parametrize(("attacker_traits", "gained_amount"), [("SP5 TE5", 0), ("AP5", 2), ("SP5 SP6", 2)])
def test_shark_cleaner_asks_for_attack_three(attacker_traits: str, gained_amount: int) -> None:
    """Attack 2 is too little, 3 is enough."""
    assert (
        just_moved_to(
            act(make_feeding_state(f"{attacker_traits} 0", "TE6 9 | SH5 3"), "attack A1 B1"), "B2", "SH5"
        )
        == gained_amount
    )


@pytest.mark.parametrize(("forager_traits", "gained_amount"), [("SP5", 0), ("FF5", 3), ("SP5 SP6", 3)])
def test_whale_cleaner_asks_for_forage_three(forager_traits: str, gained_amount: int) -> None:
    """Forage 2 is too little, 4 and 5 are enough."""
    assert (
        just_moved_to(act(make_feeding_state(f"{forager_traits} 0", "WC5 3"), "forage A1 reef"), "B1", "WC5")
        == gained_amount
    )


def test_cleaners_look_at_the_value_not_at_the_meal() -> None:
    """However little was taken: by Defence, by a nearly empty Reef, by a nearly full board."""
    assert just_moved_to(act(make_feeding_state("AP5 0", "SP5 3 | SH5 3"), "attack A1 B1"), "B2", "SH5") == 2
    assert (
        just_moved_to(
            act(make_feeding_state("FF5 0", "WC5 3", zone_populations=(1, 20, 20, 20)), "forage A1 reef"),
            "B1",
            "WC5",
        )
        == 3
    )
    assert just_moved_to(act(make_feeding_state("AP5 9", "TE5 3 | SH5 3"), "attack A1 B1"), "B2", "SH5") == 2


@pytest.mark.parametrize("cleaner", ["SH", "WC"])
def test_cleaners_keep_to_their_kind_of_feeding(cleaner: str) -> None:
    """Shark Cleaners do not see forages, Whale Cleaners do not see attacks."""
    feeding_text = "forage A1 reef" if cleaner == "SH" else "attack A1 B2"
    after = act(make_feeding_state("SP5 SP6 0", f"{cleaner}5 3 | TE5 9"), feeding_text)
    assert just_moved_to(after, "B1") == 0


def test_the_nearest_cleaner_on_either_side() -> None:
    """Outwards from the feeder the first one on each side gains; those behind them get nothing."""
    state = make_feeding_state("WC5 2 | FF5 0 | TE5 2 | WC6 2 | WC7 2", "WC8 2 | TE6 2 | WC9 2")
    after = act(state, "forage A2 reef")
    gained = {
        key: just_moved_to(after, key, card) for key, card in (("A1", "WC5"), ("A4", "WC6"), ("A5", "WC7"))
    }
    assert gained == {"A1": 3, "A4": 3, "A5": 0}
    assert (just_moved_to(after, "B1"), just_moved_to(after, "B3")) == (0, 0)


def test_the_search_goes_round_the_table() -> None:
    """With no cleaner in the own row the others' rows are searched, one from each end."""
    after = act(make_feeding_state("AP5 0", "SH5 2 | SH6 2", "SH7 2 | TE5 9 | SH8 2"), "attack A1 C2")
    assert [just_moved_to(after, key) for key in ("C1", "C3", "B1", "B2")] == [2, 0, 0, 2]


def test_the_feeders_own_cleaner_is_skipped() -> None:
    """It neither gains nor stands in the way."""
    after = act(make_feeding_state("AP5 SH5 0 | SH6 2", "TE5 9 | SH7 2"), "attack A1 B1")
    assert (
        just_moved_to(after, "A1", "SH5"),
        just_moved_to(after, "A2", "SH6"),
        just_moved_to(after, "B2", "SH7"),
    ) == (0, 2, 2)


def test_the_target_cleans_its_attacker() -> None:
    """An attacked Shark Cleaner gains like any other."""
    after = act(make_feeding_state("AP5 0", "SH5 5 | TE5 5"), "attack A1 B1")
    assert (just_moved_to(after, "A1", "attack"), just_moved_to(after, "B1", "SH5")) == (3, 2)


@pytest.mark.parametrize(("cleaner", "gained_amount"), [("SH", 2), ("WC", 3)])
def test_a_lone_cleaner_gains_once(cleaner: str, gained_amount: int) -> None:
    """It is found from both sides and triggers once; two copies on it trigger once each."""
    feeder, feeding_text = ("AP5 0", "attack A1 B2") if cleaner == "SH" else ("FF5 0", "forage A1 reef")
    after_one_copy = act(make_feeding_state(feeder, f"{cleaner}5 0 | TE5 5"), feeding_text)
    after_two_copies = act(make_feeding_state(feeder, f"{cleaner}5 {cleaner}6 0 | TE5 5"), feeding_text)
    assert (just_moved_to(after_one_copy, "B1"), just_moved_to(after_two_copies, "B1")) == (
        gained_amount,
        2 * gained_amount,
    )


def test_a_gain_stops_at_the_last_space() -> None:
    """At 9 there is room for 1, which overpopulates: 5 stay, 5 go to the Reef, as nobody is asked."""
    after = act(make_feeding_state("FF5 TE5 0", "WC5 9"), "forage A1 reef")
    assert just_moved_to(after, "B1", "WC5") == 1
    assert population(after, "B1") == 5
    assert after.position.zone_populations == (20 - 5 + 5, 19, 20, 20)


def test_abundance_adds_to_every_gain() -> None:
    """While it is active: Whale Cleaner gains 4, Symbiotic 2; a trait without a Gain value gets nothing."""
    after = act(
        make_feeding_state(
            "FF5 0", "WC5 SY5 SP5 0", scenarios=("INA", "ABU"), zone_populations=(20, 20, 0, 20)
        ),
        "forage A1 reef",
    )
    assert (
        just_moved_to(after, "B1", "WC5"),
        just_moved_to(after, "B1", "SY5"),
        just_moved_to(after, "B1", "SP5"),
    ) == (4, 2, 0)


# Symbiotic ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("feeding_text", ["forage A1 reef", "attack A1 B1"])
def test_symbiotic_gains_after_its_left_neighbour_feeds(feeding_text: str) -> None:
    """Forage or attack, own or not: 1."""
    after = act(make_feeding_state("SP5 0", "TE5 5", "SY5 0 | TE6 5"), feeding_text)
    assert just_moved_to(after, "C1", "SY5") == 1


def test_symbiotic_looks_left_only() -> None:
    """Its right neighbour's feeding, its own and one further off give it nothing."""
    state = make_feeding_state("SY5 0 | SP5 0 | TE5 0 | TE6 0", "")
    for feeder in ("A1", "A2", "A3"):
        assert just_moved_to(act(state, f"forage {feeder} reef"), "A1", "SY5") == 0
    assert just_moved_to(act(state, "forage A4 reef"), "A1", "SY5") == 1


def test_symbiotic_does_not_react_to_gains() -> None:
    """A gain starts no further gain: its left neighbour gains, but does not feed."""
    after = act(make_feeding_state("FF5 0 | WC5 0 | SY5 0", ""), "forage A1 reef")
    assert (just_moved_to(after, "A2", "WC5"), just_moved_to(after, "A3")) == (3, 0)


def test_symbiotic_reacts_to_each_feeding() -> None:
    """Two feedings of its left neighbour, two gains; two copies double them."""
    state = act(make_feeding_state("TE5 0 | SY5 SY6 0", "BF5 1"), "forage A1 reef")
    assert population(state, "A2") == 2
    assert just_moved_to(act(state, "forage A1 reef"), "A2") == 2
