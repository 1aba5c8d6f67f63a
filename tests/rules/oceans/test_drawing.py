"""Phase 4: a Deep card, discards, Surface cards to six in hand."""

from collections import Counter
from itertools import permutations

import pytest
from msgspec.structs import replace

from rules.model import CHANCE, Seat
from rules.oceans.actions import Deal, Keep, RefillPool, Reshuffle, ShowDeep
from rules.oceans.chance import is_possible
from rules.oceans.engine.values import is_deep
from rules.oceans.events import Discarded, Reshuffled
from rules.oceans.model import OceansOptions
from rules.oceans.rules import State, view
from tests.rules.oceans.positions import (
    act,
    apply_chance,
    legal_texts,
    make_drawing_state,
    parse_cards,
    play_line,
    resolve_chance,
)

GENE_POOL = ("MEG", "TUS")
ROWS = ("SP5 3", "TE5 3")


def deep_cards(state: State, seat: int = 0) -> list[str]:
    """Return the Deep cards of a hand."""
    return [card for card in state.hands[seat] if is_deep(card)]


def show_deep(state: State, text: str) -> State:
    """Show exactly these Deep cards to the current player."""
    return apply_chance(state, ShowDeep(state.position.current_player, parse_cards(text)))


# A Deep card ----------------------------------------------------------------------------------------


def test_a_top_card_or_a_look_is_offered() -> None:
    """Before the Cambrian Explosion too: one of two tops, or a look at three; or nothing."""
    assert {"take 1", "take 2", "look", "draw"} == {
        *legal_texts(make_drawing_state(*ROWS, gene_pool=GENE_POOL))
    }


def test_a_top_card_is_taken() -> None:
    """It goes to the hand, seen by all; a player takes only one Deep card a turn."""
    state = resolve_chance(act(make_drawing_state(*ROWS, gene_pool=("MEG HAR", "TUS")), "take 1"))
    assert deep_cards(state) == ["HAR"]
    assert state.position.known_cards[0] == ("HAR",)
    assert state.position.gene_pool == (("MEG",), ("TUS",))
    assert {*legal_texts(state)} == {"draw"}


def test_an_emptied_pile_is_filled_again() -> None:
    """The deck's next card goes face up on it."""
    state = act(make_drawing_state(*ROWS, gene_pool=GENE_POOL), "take 2")
    assert state.position.to_act == CHANCE
    assert state.position.gene_pool == (("MEG",), ())
    state = apply_chance(state, RefillPool(2, parse_cards("HAR")[0]))
    assert state.position.gene_pool == (("MEG",), ("HAR",))
    assert state.position.deep_deck_size == 86


def test_an_emptied_pile_stays_empty_without_a_deck() -> None:
    """An emptied pile stays empty without a deck; the other top can be taken."""
    state = play_line(
        make_drawing_state(*ROWS, gene_pool=GENE_POOL, deep_deck="", hands=["", "IN5"]), "take 1; draw"
    )
    assert state.position.gene_pool == ((), ("TUS",))
    state = play_line(state, "migrate IN5 z1 z2; skip")
    assert {text for text in legal_texts(state) if "take" in text or "look" in text} == {"take 2"}


def test_three_are_looked_at() -> None:
    """In secret; one is kept, the others lie face up on one pile each, which where is the player's choice."""
    state = make_drawing_state(*ROWS, gene_pool=GENE_POOL)
    deck_size_before = state.position.deep_deck_size
    state = show_deep(act(state, "look"), "BLU GRA HAR")
    assert {*legal_texts(state)} == {
        f"keep {' '.join(order)}" for order in permutations(("BLU", "GRA", "HAR"))
    }
    assert view(state, state.position.current_player).looked_at == parse_cards("BLU GRA HAR")
    assert view(state, None).looked_at == ()
    state = act(state, "keep GRA HAR BLU")
    assert deep_cards(state) == ["GRA"]
    assert state.position.gene_pool == (("MEG", "HAR"), ("TUS", "BLU"))
    assert (state.position.deep_deck_size, state.looked_at) == (deck_size_before - 3, ())
    assert {*legal_texts(state)} == {"draw"}


def test_of_a_deck_of_two_one_is_kept() -> None:
    """One card is kept, the other goes on either pile."""
    state = show_deep(
        act(make_drawing_state(*ROWS, gene_pool=GENE_POOL, deep_deck="BLU GRA"), "look"), "BLU GRA"
    )
    assert {*legal_texts(state)} == {"keep BLU GRA", "keep BLU - GRA", "keep GRA BLU", "keep GRA - BLU"}
    state = act(state, "keep BLU - GRA")
    assert state.position.gene_pool == (("MEG",), ("TUS", "GRA"))


def test_the_only_card_of_a_deck_is_kept() -> None:
    """The only card of the deck is kept without a question."""
    state = show_deep(act(make_drawing_state(*ROWS, gene_pool=GENE_POOL, deep_deck="BLU"), "look"), "BLU")
    assert deep_cards(state) == ["BLU"]
    assert state.position.gene_pool == (("MEG",), ("TUS",))
    assert "look" not in legal_texts(state)


def test_with_an_empty_deck_only_the_gene_pool_is_offered() -> None:
    """Without a Deep deck only the tops of the Gene Pool can be taken."""
    assert {*legal_texts(make_drawing_state(*ROWS, gene_pool=GENE_POOL, deep_deck=""))} == {
        "take 1",
        "take 2",
        "draw",
    }


def test_nobody_else_sees_what_is_looked_at() -> None:
    """For the others the three lie face down; of the two that are laid out all see both."""
    viewer, other = Seat(0), Seat(1)
    assert ShowDeep(viewer, parse_cards("BLU GRA HAR")).seen_by(other, viewer).cards == ("?", "?", "?")
    assert Keep(*parse_cards("BLU GRA HAR")).seen_by(other, viewer) == Keep(*parse_cards("? GRA HAR"))
    state = show_deep(act(make_drawing_state(*ROWS), "look"), "BLU GRA HAR")
    assert view(state, other).looked_at == ()


def test_the_reef_variant_has_nothing_deep() -> None:
    """In the Reef Variant no Deep card can be taken or looked at."""
    state = make_drawing_state(*ROWS, options=OceansOptions(reef=True), scenarios=("ABU", "FER"))
    assert legal_texts(state) == ("draw",)


# Discards and draws ---------------------------------------------------------------------------------


def test_surface_cards_may_be_discarded() -> None:
    """Any number of them, never a Deep card; after it no Deep card can be taken any more."""
    state = make_drawing_state(*ROWS, gene_pool=GENE_POOL, hands=["IN5 IN6 HAR"])
    assert {text for text in legal_texts(state) if text.startswith("discard")} == {
        "discard IN5",
        "discard IN6",
        "discard IN5,IN6",
    }
    assert act(state, "discard IN5,IN6").position == replace(
        act(act(state, "discard IN5"), "discard IN6").position,
        trail=(Discarded(Seat(0), parse_cards("IN5 IN6")),),
    )
    state = act(state, "discard IN6")
    assert {*legal_texts(state)} == {"draw", "discard IN5"}
    state = act(state, "discard IN5")
    assert state.position.discard_pile == ("IN5", "IN6")
    assert len(resolve_chance(act(state, "draw")).hands[0]) == 6


@pytest.mark.parametrize(
    ("hand", "drawn_count"),
    [
        ("", 6),
        ("IN5 IN6", 4),
        ("IN5 HAR BLU", 3),
        ("IN5 IN6 IN7 IN8 IN9 IN10", 0),
        ("HAR BLU GRA CRU DEN END", 0),
        ("IN5 HAR BLU GRA CRU DEN END", 0),
    ],
)
def test_drawing_fills_the_hand_to_six(hand: str, drawn_count: int) -> None:
    """Deep cards count; with six or more nothing is drawn."""
    state = play_line(make_drawing_state(*ROWS, hands=[hand, "IN11"]), "draw")
    assert len(state.hands[0]) == len(hand.split()) + drawn_count
    assert state.position.to_act == 1
    assert Counter(parse_cards(hand)) <= Counter(state.hands[0])


def test_a_deep_card_taken_makes_one_less_to_draw() -> None:
    """Five Surface cards and the Deep card just taken are six."""
    state = play_line(
        make_drawing_state(*ROWS, gene_pool=GENE_POOL, hands=["IN5 IN6 IN7 IN8 IN9", "IN11"]), "take 1; draw"
    )
    assert state.hands[0] == parse_cards("IN5 IN6 IN7 IN8 IN9 MEG")


def test_a_draw_goes_on_after_a_reshuffle() -> None:
    """What is left first, then the discard pile is the deck, then the rest."""
    state = act(make_drawing_state(*ROWS, hands=["IN5 IN6", "IN11"], surface_deck="AP5"), "draw")
    state = apply_chance(state, Deal(state.position.current_player, parse_cards("AP5")))
    discard_pile = state.position.discard_pile
    assert is_possible(state, Reshuffle(discard_pile))
    assert not is_possible(state, Reshuffle(discard_pile[1:]))
    state = apply_chance(state, Reshuffle(discard_pile))
    assert state.position.trail == (Reshuffled(len(discard_pile)),)
    assert (state.surface_deck, state.position.surface_deck_size, state.position.discard_pile) == (
        discard_pile,
        len(discard_pile),
        (),
    )
    state = resolve_chance(state)
    assert len(state.hands[0]) == 6
    assert state.position.to_act == 1


def test_alike_cards_may_be_discarded_together() -> None:
    """They are one choice, however they are named."""
    state = make_drawing_state(*ROWS, hands=["IN7 IN7 SP6"])
    discards = [text for text in legal_texts(state) if text.startswith("discard")]
    assert len(discards) == len(set(discards)) == 5
    assert act(state, "discard SP6,IN7,IN7").hands[0] == ()
    assert act(state, "discard SP6,IN7") == act(state, "discard IN7,SP6")


def test_cards_just_discarded_may_come_back() -> None:
    """The reshuffle includes the cards that were just discarded."""
    state = act(act(make_drawing_state(*ROWS, hands=["IN5"], surface_deck="AP5"), "discard IN5"), "draw")
    state = apply_chance(state, Deal(state.position.current_player, parse_cards("AP5")))
    state = apply_chance(state, Reshuffle(state.position.discard_pile))
    assert "IN5" in state.surface_deck


def test_a_hand_stays_short_with_nothing_to_shuffle() -> None:
    """Deck and discard pile empty: the hand stays short, and the next turn begins."""
    state = make_drawing_state(*ROWS, hands=["", "IN11"], surface_deck="AP5 AP6")
    state = replace(state, position=replace(state.position, discard_pile=()))
    state = play_line(state, "draw")
    assert state.hands[0] == parse_cards("AP5 AP6")
    assert state.position.to_act == 1


def test_turns_go_clockwise() -> None:
    """Turns go clockwise; after the last seat comes the first one, a round later."""
    state = play_line(make_drawing_state(*ROWS, "IN5 3", player=1, hands=["", "", "IN6"]), "draw")
    assert (state.position.to_act, state.position.round) == (2, 3)
    state = play_line(make_drawing_state(*ROWS, "IN5 3", player=2, hands=["IN6"]), "draw")
    assert (state.position.to_act, state.position.round) == (0, 4)
    state = play_line(make_drawing_state(*ROWS, "IN5 3", player=2, first_player=1, hands=["IN6"]), "draw")
    assert (state.position.to_act, state.position.round) == (0, 3)
    state = play_line(make_drawing_state(*ROWS, "IN5 3", player=0, first_player=1, hands=["", "IN6"]), "draw")
    assert (state.position.to_act, state.position.round) == (1, 4)
