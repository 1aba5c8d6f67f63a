"""Cards in hands that everybody knows: who took them is remembered until they are played."""

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.oceans.actions import ShowDeep
from rules.oceans.cards.decks import Card
from rules.oceans.rules import State, resign, view
from rules.oceans.steps import Keeping, ShowingDeep
from tests.rules.oceans.positions import (
    act,
    active_scenario_setup,
    apply_chance,
    make_drawing_state,
    make_state,
    parse_cards,
    play_line,
    traits,
)
from tests.rules.oceans.secrecy import (
    VIEWERS,
    A,
    B,
    C,
    add_missing_population,
    make_atavism_state,
    make_state_with_secrets,
    mentions_card,
    sample_checked_states,
)


def is_known_to_all(state: State, seat: Seat, card: str) -> bool:
    """Whether all know that the seat holds a card; check that viewers agree and samples put it there."""
    is_known_to_viewer = [card in view(state, viewer).position.known_cards[seat] for viewer in VIEWERS]
    assert len(set(is_known_to_viewer)) == 1, "some know more than others"
    if is_known_to_viewer[0]:
        assert all(
            card in each.hands[seat]
            for viewer in VIEWERS
            for each in sample_checked_states(view(state, viewer), 4)
        )
    return is_known_to_viewer[0]


def test_a_card_from_the_gene_pool_stays_known() -> None:
    """Everybody saw who took it, and remembers through the turns of others."""
    state = add_missing_population(
        make_drawing_state("IN7 4", "SY5 3", "", hands=("SP7",), gene_pool=("KRA BLU", "TUS"))
    )
    state = act(state, "take 1")
    assert is_known_to_all(state, A, "BLU")
    state = play_line(state, "draw")
    assert is_known_to_all(state, A, "BLU")
    state = play_line(state, "skip; draw")
    assert is_known_to_all(state, A, "BLU")


@pytest.mark.parametrize(
    ("line", "place"),
    [("evolve BLU A1 reef", "board"), ("create BLU 0 z1", "board"), ("migrate BLU z1 z2", "out")],
)
def test_a_known_card_is_forgotten_when_it_is_played(line: str, place: str) -> None:
    """Once it is on the table or out of the game, nobody is said to hold it."""
    state = add_missing_population(
        make_drawing_state(
            "IN7 4", "SY5 3", "", score_piles=(3,), cambrian_happened=True, gene_pool=("KRA BLU", "TUS")
        )
    )
    state = act(state, "take 1")
    # The card phase of a later turn, all else being equal.
    later_state = make_state("IN7 4", "SY5 3", "", hands=("BLU",), score_piles=(3,), cambrian_happened=True)
    later_state = replace(
        later_state, position=replace(later_state.position, known_cards=state.position.known_cards)
    )
    later_state = act(add_missing_population(later_state), line)
    assert not is_known_to_all(later_state, A, "BLU")
    assert view(later_state, None).position.known_cards == ((), (), ())
    assert ("BLU" in later_state.position.out_of_game) == (place == "out")


def test_a_known_card_is_known_until_a_resignation() -> None:
    """A player who resigns holds nothing any more, and the cards lie open."""
    state = act(
        add_missing_population(make_drawing_state("IN7 4", "SY5 3", "", gene_pool=("KRA BLU", "TUS"))),
        "take 1",
    )
    after = resign(state, A)
    assert after is not None
    assert after.position.known_cards[A] == ()
    assert "BLU" in after.position.out_of_game


def test_a_card_kept_from_the_deck_is_secret() -> None:
    """The others see which two cards came to the Gene Pool, and that one was kept, but not which."""
    state = add_missing_population(make_drawing_state("IN7 4", "SY5 3", "", gene_pool=("KRA", "TUS")))
    state = act(state, "look")
    assert isinstance(state.position.agenda[-1], ShowingDeep)
    state = apply_chance(state, ShowDeep(A, parse_cards("BLU GRA MEG")))
    assert view(state, A).looked_at == ("BLU", "GRA", "MEG")
    for viewer in (B, C, None):
        seen = view(state, viewer)
        assert seen.looked_at == ()
        assert not any(mentions_card(seen, card) for card in ("BLU", "GRA", "MEG"))
        looked_at_cards = {sample.looked_at for sample in sample_checked_states(seen)}
        assert len(looked_at_cards) > 1
        assert {len(each) for each in looked_at_cards} == {3}
    state = act(state, "keep GRA MEG BLU")
    assert state.hands[A] == ("GRA",)
    assert state.position.gene_pool == (("KRA", "MEG"), ("TUS", "BLU"))
    assert not is_known_to_all(state, A, "GRA")
    for viewer in (B, C, None):
        assert not mentions_card(view(state, viewer), "GRA")
        assert view(state, viewer).position.deep_hand_sizes == (1, 0, 0)
    assert mentions_card(view(state, A), "GRA")


def test_the_last_card_of_the_deck_is_secret() -> None:
    """With one card left nothing is chosen, and it goes to the hand unseen by the others."""
    state = add_missing_population(
        make_drawing_state("IN7 4", "SY5 3", "", gene_pool=("KRA", "TUS"), deep_deck="GRA")
    )
    state = apply_chance(act(state, "look"), ShowDeep(A, parse_cards("GRA")))
    assert state.hands[A] == ("GRA",)
    assert state.position.known_cards[A] == ()
    assert not isinstance(state.position.agenda[-1], Keeping)
    assert not mentions_card(view(state, B), "GRA")


def test_a_secret_card_shows_when_it_is_played() -> None:
    """On a board it is known to all, and no sample has it anywhere else."""
    state = act(make_state_with_secrets(cambrian_happened=True), "evolve KRA A1 z3")
    for viewer in VIEWERS:
        seen = view(state, viewer)
        assert mentions_card(seen, "KRA")
        assert not [
            sample for sample in sample_checked_states(seen) if "KRA" in (*sample.deep_deck, *sample.hands[B])
        ]


def test_thermal_currents_tell_nothing_of_a_hand() -> None:
    """A card played from the Gene Pool was in nobody's hand."""
    setup = {**active_scenario_setup("THE"), "gene_pool": ("GRA BLU", "WAR")}
    state = make_state_with_secrets(**setup)
    after = act(state, "evolve BLU A1 z3")
    assert after.position.known_cards == ((), (), ())
    assert after.hands == state.hands
    assert after.position.deep_hand_sizes == state.position.deep_hand_sizes


# Atavism --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["IN7", "BLU"])
def test_a_trait_taken_back_is_known(card: str) -> None:
    """Everybody saw it go to the hand, a Surface card as well as a Deep one."""
    state = act(make_atavism_state("SY7 WC5"), f"exchange A1 {card} SY7")
    assert "SY7" in traits(state, "A1")
    assert card in state.hands[A]
    assert is_known_to_all(state, A, card)
    assert not is_known_to_all(state, A, "WC5")
    assert state.position.surface_hand_sizes[A] + state.position.deep_hand_sizes[A] == 2
    assert state.position.deep_hand_sizes[A] == (card == "BLU")


def test_a_known_card_that_comes_back_is_forgotten() -> None:
    """What was taken back and is put on a species again is held no more."""
    state = act(make_atavism_state("SY7 WC5", known_cards="SY7"), "exchange A1 IN7 SY7")
    assert not is_known_to_all(state, A, "SY7")
    assert is_known_to_all(state, A, "IN7")


def test_a_known_surface_card_can_be_discarded() -> None:
    """Before drawing it may be thrown away; then it lies in the discard pile and is held no more."""
    state = make_drawing_state("IN7 4", "SY5 3", "", hands=("SY7 WC5",))
    state = add_missing_population(
        replace(state, position=replace(state.position, known_cards=(parse_cards("SY7"), (), ())))
    )
    assert is_known_to_all(act(state, "discard WC5"), A, "SY7")
    state = act(state, "discard SY7")
    assert not is_known_to_all(state, A, "SY7")
    assert "SY7" in state.position.discard_pile


def test_of_two_cards_alike_one_is_known() -> None:
    """Who is known to hold one and plays one may hold another: that is not known."""
    state = make_state("IN5 4", "SY5 3", "", hands=("SY7 SY7",))
    state = add_missing_population(
        replace(state, position=replace(state.position, known_cards=(parse_cards("SY7"), (), ())))
    )
    assert {sample.hands[A].count(Card("SY7")) for sample in sample_checked_states(view(state, B), 60)} == {
        1,
        2,
    }
    state = act(state, "evolve SY7 A1")
    assert not is_known_to_all(state, A, "SY7")
    assert state.hands[A] == ("SY7",)
