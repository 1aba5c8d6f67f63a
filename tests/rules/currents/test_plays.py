"""What may be played and what it does: compass, currents, face cards, jokers, discards, options."""

import pytest

from rules.currents.actions import CallQueen
from rules.currents.board import GEOMETRIES
from rules.currents.components import HAND_SIZE
from rules.currents.events import AnyEvent, CompassCardSet, CurrentSet, Discarded, JokerCalled, PawnDrifted
from rules.currents.model import BoardShape, CurrentsOptions, Phase, WildJokers, deck
from rules.model import CHANCE, Seat
from rules.notation import normalize_spelling, spellings_with, write_action
from tests.rules.currents.positions import (
    NOTATION,
    act,
    card_at,
    is_legal,
    legal_choices,
    make_state,
    parse_cards,
    refusal_text,
)


@pytest.mark.parametrize(
    ("old", "new", "is_allowed"),
    [
        ("-", "KC", True),  # an empty place takes anything
        ("9D", "8C", True),  # a lower rank is stronger on the compass
        ("9D", "10C", False),
        ("9D", "9C", False),  # equal rank, another suit
        ("9C", "QC", True),  # the same suit, whatever the rank (demotion)
        ("9C", "2C", True),
        ("AD", "KC", True),  # R4: the ace is high, so any other card replaces it
        ("AD", "AC", False),
        ("2D", "AC", False),
        ("2D", "3C", False),  # a two is the strongest
    ],
)
def test_which_card_may_replace_which_on_the_compass(old: str, new: str, *, is_allowed: bool) -> None:
    """A compass place takes a card if it is empty, holds a higher rank or holds the same suit."""
    state = make_state(compass=f"{old} 7H 7S AH", hands=(f"{new} 4H 5H 6H",))
    assert is_legal(state, f"compass {new} N") is is_allowed


@pytest.mark.parametrize(
    ("old", "new", "is_allowed"),
    [
        (None, "2C", True),
        ("9D", "10C", True),  # a higher rank is stronger as a current
        ("9D", "8C", False),
        ("9D", "9C", False),
        ("9C", "3C", True),
        ("9C", "KC", True),
        ("AD", "KC", False),  # an ace as a current yields to its own suit only
        ("AD", "AC", False),
        ("AD", "2D", True),
        ("KD", "AC", True),  # an ace trumps every other current
    ],
)
def test_which_card_may_replace_which_in_a_slot(old: str | None, new: str, *, is_allowed: bool) -> None:
    """A slot takes a card if it is empty, holds a lower rank or holds the same suit."""
    state = make_state(
        compass="7H 7S 6H 5H", currents=f"N0 {old}" if old else "", hands=(f"{new} 8H 9H 10H",)
    )
    assert is_legal(state, f"current {new} N0") is is_allowed


@pytest.mark.parametrize("text", ["compass 9C N", "current 9C N0"])
def test_easy_usurp_lets_equal_ranks_replace(text: str) -> None:
    """Option easy_usurp: an equal rank also replaces, on compass and currents."""
    for easy_usurp in (False, True):
        state = make_state(
            compass="9D 7S 6H 5H",
            currents="N0 9H",
            hands=("9C 2C 3C 4C",),
            options=CurrentsOptions(easy_usurp=easy_usurp),
        )
        assert is_legal(state, text) is easy_usurp


def test_the_replaced_card_is_discarded() -> None:
    """R3, R15: one card on a place; the old one goes on top of the discard pile."""
    state = make_state(compass="9D AH AS AC", currents="N0 5H", hands=("8C 2C 3C 6C",), discard_pile="2D")
    after = act(state, "compass 8C N")
    assert card_at(after.position, "N") == "8C"
    assert after.position.discard_pile == ("2D", "9D")
    assert after.hands[0] == ("2C", "3C", "6C")
    assert after.position.hand_sizes == (3, 0, 0, 0)
    assert after.position.trail[0] == CompassCardSet("N", parse_cards("8C")[0], parse_cards("9D")[0])
    assert act(state, "current 6C N0").position.discard_pile == ("2D", "5H")


def test_one_suit_may_lie_on_several_places() -> None:
    """A suit may rule two directions, even three."""
    after = act(make_state(compass="AH AD AC AS", hands=("2H 3C 4C 5C",)), "compass 2H S")
    assert (card_at(after.position, "N"), card_at(after.position, "S")) == ("AH", "2H")


def test_jack_takes_a_compass_card() -> None:
    """A Jack discards any one compass card; the place becomes empty; an empty one cannot be named."""
    state = make_state(compass="AH - AC AS", hands=("JC 3C 4C 5C",))
    after = act(state, "jack JC S")
    assert after.position.compass == ("AH", None, None, "AS")
    assert after.position.discard_pile == ("AC", "JC")
    assert not is_legal(state, "jack JC E")
    assert "East is empty" in refusal_text(state, "jack JC E")


def test_jack_needs_a_compass_card() -> None:
    """R5: with an empty compass no Jack can be called, but it can be laid."""
    state = make_state(compass="- - - -", hands=("JC 3C 4C 5C",))
    assert not any(is_legal(state, f"jack JC {place}") for place in "NESW")
    assert is_legal(state, "compass JC N")


def test_queen_swaps_two_currents() -> None:
    """A Queen swaps two slots; one may be empty, not both, and never the same twice."""
    state = make_state(currents="N0 5H, W3 9D", hands=("QC 3C 4C 5C",))
    after_swap = act(state, "queen QC N0 W3")
    assert (card_at(after_swap.position, "N0"), card_at(after_swap.position, "W3")) == ("9D", "5H")
    after_move = act(state, "queen QC N0 S1")
    assert (card_at(after_move.position, "N0"), card_at(after_move.position, "S1")) == (None, "5H")
    assert after_swap.position.discard_pile == ("QC",)
    assert "both empty" in refusal_text(state, "queen QC S1 S2")
    assert "two different" in refusal_text(state, "queen QC N0 N0")


def test_queens_are_offered_once_for_each_pair() -> None:
    """120 pairs of slots, less those of two empty ones: with two currents 15 + 14."""
    state = make_state(currents="N0 5H, W3 9D", hands=("QC 3C 4C 5C",))
    assert sum(1 for action in legal_choices(state) if type(action).__name__ == "CallQueen") == 29


def test_a_queen_moves_an_ace() -> None:
    """Rulebook, Delayed Aces: an ace as a current can still be moved."""
    assert is_legal(make_state(compass="2H - - -", currents="N0 AD", hands=("QC",)), "queen QC N0 W3")


def test_king_turns_the_compass() -> None:
    """A King turns all four places by one step, empty ones too."""
    state = make_state(compass="AH AD - AS", hands=("KC 3C 4C 5C",))
    assert act(state, "king KC cw").position.compass == ("AS", "AH", "AD", None)
    assert act(state, "king KC ccw").position.compass == ("AD", None, "AS", "AH")


def test_a_king_may_turn_an_empty_compass() -> None:
    """R11: turning an empty compass is legal and has no effect."""
    assert act(make_state(compass="- - - -", hands=("KC",)), "king KC cw").position.compass == (None,) * 4


def test_an_action_is_the_whole_turn() -> None:
    """R18: one Jack, Queen or King, in place of any other play; then the next player's turn."""
    after = act(make_state(hands=("KC KD 3C 4C",)), "king KC cw")
    assert after.position.current_player == 1
    assert after.position.turn == 2


def test_face_cards_may_be_laid() -> None:
    """Any card that is no joker may lie on the compass or as a current."""
    state = make_state(compass="- AD AC AS", hands=("JC QC KC 5C",))
    for card in ("JC", "QC", "KC"):
        assert is_legal(state, f"compass {card} N")
        assert is_legal(state, f"current {card} S3")


def test_discard_needs_a_full_compass() -> None:
    """R6: no discard while a compass place is empty."""
    full_state = make_state(hands=("2C 3C 4C 5C",))
    gap_state = make_state(compass="AH - AC AS", hands=("2C 3C 4D 5C",))
    after = act(full_state, "discard 3C")
    assert after.position.trail[0] == Discarded(Seat(0), parse_cards("3C"))
    assert after.position.discard_pile == ("3C",)
    assert refusal_text(gap_state, "discard 3C") == (
        "You can only discard when no compass place is empty: East is empty."
    )
    assert is_legal(gap_state, "current 2C N0"), "with a gap any legal play will do"


@pytest.mark.parametrize(
    ("board", "seat_count"), [(BoardShape.SQUARE, 2), (BoardShape.SQUARE, 4), (BoardShape.TRIANGLE, 3)]
)
def test_nobody_is_ever_without_a_card(board: BoardShape, seat_count: int) -> None:
    """A full board and full hands leave cards to draw, so every hand has four cards when a card is played.

    This is why there is no pass.
    """
    geometry = GEOMETRIES[board]
    spot_count = len(geometry.places) + len(geometry.slots)
    assert len(deck(CurrentsOptions(board=board))) - spot_count >= seat_count * HAND_SIZE


def test_the_arguments_of_a_choice_may_come_in_any_order() -> None:
    """The slots of a Queen and the cards of a defence are read in any order and written in one."""
    queen_state = make_state(currents="N0 5H, W3 9D", hands=("QC 3C 4C 5C",))
    for text in ("queen QC N0 W3", "queen QC W3 N0", "queen qc w3 n0", "queen W3 N0"):
        assert write_action(NOTATION.parse_typed(text, legal_choices(queen_state))) == "queen QC N0 W3"
    defence_state = make_state(
        compass="AH AD AC AS", currents="N1 5H, N2 6H", pawn=(4, 0), hands=("7S", "", "2C 3C 4C")
    )
    asked_state = act(defence_state, "discard 7S")
    for text in ("defend 2C,4C", "defend 4C,2C", "defend 4c,2c"):
        assert write_action(NOTATION.parse_typed(text, legal_choices(asked_state))) == "defend 2C,4C"
    assert normalize_spelling(NOTATION.parse("defend 4C,2C"), legal_choices(asked_state)) == NOTATION.parse(
        "defend 2C,4C"
    )
    assert "both empty" in refusal_text(queen_state, "queen QC S2 S1")


def test_suggestions_know_both_slots_of_a_queen() -> None:
    """With one slot given, whichever field it stands in, every partner is found for the other field."""
    state = make_state(currents="N0 5H, W3 9D", hands=("QC 3C 4C 5C",))
    queens = [action for action in legal_choices(state) if isinstance(action, CallQueen)]
    slots = {*GEOMETRIES[BoardShape.SQUARE].slots} - {"W3"}
    assert {write_action(action).split()[2] for action in spellings_with(queens, {"other": "w3"})} == slots
    assert {write_action(action).split()[3] for action in spellings_with(queens, {"slot": "W3"})} == slots


# Jokers ---------------------------------------------------------------------------------------------

JOKER_OPTIONS = {mode: CurrentsOptions(jokers=True, wild_jokers=mode) for mode in WildJokers}


def call_joker(mode: WildJokers, joker: str) -> tuple[AnyEvent, ...]:
    """Call a joker at a table with two compass cards and two currents; return the trail."""
    state = make_state(
        compass="AH - AC -", currents="N0 5H, W3 9D", hands=(f"{joker} 3C",), options=JOKER_OPTIONS[mode]
    )
    after = act(state, f"joker {joker}")
    assert (after.position.phase, after.position.to_act) == (Phase.JOKER_SHUFFLE, CHANCE)
    return after.position.trail


def test_a_joker_is_only_an_action() -> None:
    """Jokers never lie on the compass or as currents; called, they wait for chance."""
    state = make_state(compass="- AD AC AS", hands=("RJ 3C",), options=JOKER_OPTIONS[WildJokers.COMPASS])
    assert not is_legal(state, "compass RJ N")
    assert not is_legal(state, "current RJ N0")
    assert "call it" in refusal_text(state, "compass RJ N")
    assert call_joker(WildJokers.COMPASS, "RJ")[-1] == JokerCalled(parse_cards("RJ")[0])


def test_a_joker_may_be_discarded() -> None:
    """While the compass is full, any one card of the hand may be discarded, a joker too."""
    assert is_legal(make_state(hands=("RJ 3C",), options=JOKER_OPTIONS[WildJokers.COMPASS]), "discard RJ")


_COMPASS_SWAPPED = "shuffle AC,-,AH,- 5H" + ",-" * 14 + ",9D"
_CURRENTS_SWAPPED = "shuffle AH,-,AC,- 9D" + ",-" * 14 + ",5H"
_ALL_MIXED = "shuffle 5H,-,9D,- AC" + ",-" * 14 + ",AH"
_MOVED_TO_A_GAP = "shuffle AC,AH,-,- 5H" + ",-" * 14 + ",9D"
"""Outcomes at the table of ``call_joker``: compass, then the slots N0 to N3, E0 to E3, S0 to S3, W0 to W3."""


@pytest.mark.parametrize(
    ("mode", "joker", "possible_text", "impossible_texts"),
    [
        (WildJokers.COMPASS, "RJ", _COMPASS_SWAPPED, (_CURRENTS_SWAPPED, _ALL_MIXED, _MOVED_TO_A_GAP)),
        (WildJokers.COMPASS, "BJ", _COMPASS_SWAPPED, (_CURRENTS_SWAPPED, _ALL_MIXED, _MOVED_TO_A_GAP)),
        (WildJokers.CURRENTS, "RJ", _CURRENTS_SWAPPED, (_COMPASS_SWAPPED, _ALL_MIXED)),
        (WildJokers.SPLIT, "RJ", _COMPASS_SWAPPED, (_CURRENTS_SWAPPED, _ALL_MIXED)),
        (WildJokers.SPLIT, "BJ", _CURRENTS_SWAPPED, (_COMPASS_SWAPPED, _ALL_MIXED)),
        (WildJokers.TOGETHER, "BJ", _ALL_MIXED, (_MOVED_TO_A_GAP,)),
    ],
)
def test_what_a_joker_shuffles(
    mode: WildJokers, joker: str, possible_text: str, impossible_texts: tuple[str, ...]
) -> None:
    """Each option shuffles its own cards among the occupied spots; nothing else may come out."""
    state = act(
        make_state(
            compass="AH - AC -", currents="N0 5H, W3 9D", hands=(f"{joker} 3C",), options=JOKER_OPTIONS[mode]
        ),
        f"joker {joker}",
    )
    after = act(state, possible_text)
    assert after.position.discard_pile == (joker,)
    for text in impossible_texts:
        with pytest.raises(AssertionError):
            act(state, text)


@pytest.mark.parametrize("mode", list(WildJokers))
def test_a_joker_with_too_few_cards_changes_nothing(mode: WildJokers) -> None:
    """R11: fewer than two cards to shuffle: legal, without effect."""
    state = make_state(compass="AH - - -", hands=("RJ 3C",), options=JOKER_OPTIONS[mode])
    after = act(state, "joker RJ", "shuffle AH,-,-,- -" + ",-" * 15)
    assert after.position.compass == ("AH", None, None, None)


# Combination attacks --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    [
        ("current 4H N0 8C", True),  # 9H lowered to 4H, then a higher card of another suit
        ("current 4H N0 4C", False),  # not strictly higher
        ("current 4H N0 8H", False),  # the same suit
        ("current 8H N0 10C", False),  # not in hand
        ("current 8C N0 4H", False),  # no demotion: another suit, and not legal by itself
        ("compass 8H N 4C", True),  # 3H raised to 8H, then a lower card of another suit
        ("compass 8H N 8C", False),
        ("compass 4H N 4C", False),
        ("compass 8H E 4C", False),  # JD is no heart
        ("current 4H W0 8C", False),  # an empty slot is no demotion
    ],
)
def test_which_second_card_a_combo_allows(text: str, *, is_allowed: bool) -> None:
    """Option combo: a demotion, then a strictly stronger card of another suit on the same spot."""
    options = CurrentsOptions(combo=True)
    hand = "4H 8H 4C 8C"
    state = make_state(compass="3H JD AC AS", currents="N0 9H", hands=(hand,), options=options)
    assert is_legal(state, text) is is_allowed
    without_combo = make_state(compass="3H JD AC AS", currents="N0 9H", hands=(hand,))
    assert not is_legal(without_combo, text)
    assert "combo" in refusal_text(without_combo, text) or "not in your hand" in refusal_text(
        without_combo, text
    )


def test_combo_is_strict_even_with_easy_usurping() -> None:
    """The second card must be strictly stronger, whatever easy_usurp says."""
    options = CurrentsOptions(combo=True, easy_usurp=True)
    state = make_state(currents="N0 9H", hands=("4H 4C",), options=options)
    assert not is_legal(state, "current 4H N0 4C")


def test_a_combo_takes_two_cards() -> None:
    """Both cards leave the hand, both old ones lie on the discard pile, and the pawn moves once."""
    options = CurrentsOptions(combo=True)
    after = act(make_state(currents="N0 9H", hands=("4H 8H 4C 8C",), options=options), "current 4H N0 8C")
    assert after.hands[0] == ("4C", "8H")
    assert after.position.hand_sizes[0] == 2
    assert after.position.discard_pile == ("9H", "4H")
    assert card_at(after.position, "N0") == "8C"
    nine, four, eight = parse_cards("9H 4H 8C")
    assert after.position.trail[:2] == (CurrentSet("N0", four, nine), CurrentSet("N0", eight, four))
    assert [type(event) for event in after.position.trail].count(PawnDrifted) == 1
