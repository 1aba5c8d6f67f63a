"""Status, the board as text and its alt text: the position in words."""

import re

import pytest

from rules.currents import CURRENTS
from rules.currents.board import GEOMETRIES
from rules.currents.components import PLAIN_CARDS, Point
from rules.currents.description import MAX_ALT_TEXT_LENGTH
from rules.currents.model import CurrentsOptions, Obstacles, WildJokers
from rules.currents.phrases import card_text, push_text
from rules.model import Seat
from rules.text import listed
from tests.rules.currents.positions import (
    DEFENCE_STATE,
    MIDGAME_STATE,
    NAMES,
    TRIANGLE_OPTIONS,
    act,
    actor_view,
    make_state,
)
from tests.rules.whole_games import play_game

WORDS = CURRENTS.words


def test_status_of_the_end() -> None:
    """A win over an edge, a resignation and a draw have different texts."""
    after_conceding = act(DEFENCE_STATE, "concede")
    assert (
        WORDS.status(CURRENTS.view(after_conceding, None), NAMES)
        == "Ava has won: the pawn left over the north edge."
    )
    after_resigning = CURRENTS.resign(make_state(seat_count=2, hands=("2C", "3C")), Seat(0))
    assert after_resigning is not None
    assert WORDS.status(CURRENTS.view(after_resigning, None), NAMES) == "Ben has won: Ava resigned."
    after_last_turn = act(make_state(hands=("2C 3C",), turn=300), "discard 2C")
    assert WORDS.status(CURRENTS.view(after_last_turn, None), NAMES).startswith("A draw: 300 turns")


def test_a_game_that_ends_before_the_first_turn_is_not_set_up_further() -> None:
    """After a resignation during the set-up no text says that goals or aces are still to come."""
    choosing = act(
        CURRENTS.initial_state(2, CurrentsOptions()), "deal A 2C,3C,4C", "deal B 5C,6C,7C", "begin A"
    )
    for state in (choosing, act(choosing, "axis NS"), act(choosing, "axis NS", "ace AC N")):
        after_resigning = CURRENTS.resign(state, Seat(0))
        assert after_resigning is not None
        view = CURRENTS.view(after_resigning, None)
        for text in (WORDS.describe(view, NAMES), WORDS.alt_text(view, NAMES)):
            assert "square board, ended before the first turn." in text
            for open_text in ("setting up", "still to lay", "yet"):
                assert open_text not in text
    assert "Aces still to lay: A♣, A♦, A♥ and A♠." in WORDS.describe(CURRENTS.view(choosing, None), NAMES)


def test_a_pawn_beyond_the_edge_is_off_the_board() -> None:
    """The description and the alt text say so, with no point named."""
    view = CURRENTS.view(act(DEFENCE_STATE, "concede"), None)
    assert "Pawn off the board." in WORDS.alt_text(view, NAMES)
    assert "Pawn: off the board." in WORDS.describe(view, NAMES)
    on_board_text = WORDS.alt_text(CURRENTS.view(MIDGAME_STATE, None), NAMES)
    assert "Pawn at the centre." in on_board_text


def test_the_board_as_text_names_everything() -> None:
    """Pawn, compass, each current with its push, goals, hands' counts, piles, the next drift, own hand."""
    text = WORDS.describe(CURRENTS.view(MIDGAME_STATE, Seat(0)), NAMES)
    for part in (
        "Pawn: the centre",
        "Compass: north A♥, east K♦, south A♣, west A♠.",
        "N0 9♥ (pushes north, out of reach)",
        "N1 A♦ (pushes east)",
        "W3 empty",
        "If nothing changes, the pawn drifts 1 east, to 1 east of the centre.",
        "Ava, whose turn it is: at the south edge, goal north, four cards",
        "Draw pile:",
        "Discard pile: no cards.",
        "Your hand: 2♣, 10♦, J♥ and Q♠.",
    ):
        assert part in text
    assert "Your hand" not in WORDS.describe(CURRENTS.view(MIDGAME_STATE, None), NAMES)


def test_the_board_as_text_names_the_slots_that_reach_the_pawn() -> None:
    """Readers of the text learn which currents count, as the picture shows in blue; none off the board."""
    for pawn, slots in (
        ((4, 4), "N1, N2, E1, E2, S1, S2, W1 and W2"),
        ((0, 3), "N0, E1, S0 and W1"),
    ):
        text = WORDS.describe(CURRENTS.view(make_state(pawn=pawn), None), NAMES)
        assert f"Only {slots} reach the pawn now." in text
    triangle = make_state(compass="AH AD AC", options=TRIANGLE_OPTIONS, seat_count=3)
    text = WORDS.describe(CURRENTS.view(triangle, None), NAMES)
    assert "Only X1, X2, Y1, Y2, Z1 and Z2 reach the pawn now." in text
    assert "reach the pawn" not in WORDS.describe(CURRENTS.view(act(DEFENCE_STATE, "concede"), None), NAMES)


def test_the_alt_text_says_what_currents_do() -> None:
    """In whole games it names the push of each current that it lists, and the slots that reach the pawn."""
    for seat_count in (2, 4):  # three play on the triangular board
        for transition in play_game(CURRENTS, seat_count, "casual", 1):
            view = CURRENTS.view(transition.after, None)
            position, text = view.position, WORDS.alt_text(view, NAMES)
            assert len(text) <= MAX_ALT_TEXT_LENGTH
            assert not text.endswith("…")
            geometry = GEOMETRIES[position.options.board]
            for slot, card in zip(geometry.slots, position.currents, strict=True):
                if card is not None:
                    assert f"{slot} {card_text(card)} ({push_text(position, card)})" in text
            slots = [geometry.slots[index] for index in geometry.slot_indexes_at.get(position.pawn, ())]
            assert ("reach the pawn now" in text) is bool(slots)
            if slots:
                assert f"Only {listed(slots)} reach the pawn now." in text


def test_the_alt_text_of_the_triangular_board() -> None:
    """There a card pushes towards sides."""
    state = make_state(compass="AH AD AC", currents="X1 2H", options=TRIANGLE_OPTIONS, seat_count=3)
    text = WORDS.alt_text(CURRENTS.view(state, None), NAMES)
    assert (
        "Currents: X1 2♥ (pushes towards side X). Only X1, X2, Y1, Y2, Z1 and Z2 reach the pawn now." in text
    )


def test_long_names_leave_out_where_currents_push() -> None:
    """What reaches the pawn stays in the alt text, and what each slot holds."""
    currents = ", ".join(
        f"{slot} {card}"
        for slot, card in zip(GEOMETRIES[CurrentsOptions().board].slots, PLAIN_CARDS[1:], strict=False)
        if card[0] != "A"
    )
    view = CURRENTS.view(make_state(currents=currents), None)
    assert " (pushes " in WORDS.alt_text(view, NAMES)
    long_text = WORDS.alt_text(view, tuple(letter * 120 for letter in "VWXY"))
    assert " (pushes " not in long_text
    assert "reach the pawn now." in long_text


def test_the_board_as_text_marks_currents_out_of_reach() -> None:
    """A card is out of reach if its slot does not reach the pawn; none is once the pawn is off the board."""
    for options in (CurrentsOptions(), TRIANGLE_OPTIONS):
        geometry = GEOMETRIES[options.board]
        currents = ", ".join(
            f"{slot} {card}"
            for slot, card in zip(geometry.slots, PLAIN_CARDS, strict=False)
            if card[0] != "A"
        )
        seat_count = 4 if options == CurrentsOptions() else 3
        for pawn in geometry.points:
            compass = " ".join(("AH", "AD", "AC", "AS")[:seat_count])
            state = make_state(
                compass=compass, currents=currents, pawn=pawn, seat_count=seat_count, options=options
            )
            text = WORDS.describe(CURRENTS.view(state, None), NAMES)
            for index, slot in enumerate(geometry.slots):
                entry = re.search(rf"{slot} \S+ \(([^)]*)\)", text)
                if entry is not None:
                    reaches = index in geometry.slot_indexes_at[pawn]
                    assert entry[1].endswith(", out of reach") is not reaches
    end_text = WORDS.describe(CURRENTS.view(act(DEFENCE_STATE, "concede"), None), NAMES)
    assert "out of reach" not in end_text


def test_the_board_as_text_says_what_jokers_shuffle() -> None:
    """Each choice of the option is a whole sentence, not its bare name."""
    for wild_jokers, sentence in (
        (WildJokers.COMPASS, "A joker shuffles the compass."),
        (WildJokers.SPLIT, "The red joker shuffles the compass, the black one the currents."),
        (WildJokers.TOGETHER, "A joker shuffles all cards of compass and currents together."),
    ):
        state = make_state(options=CurrentsOptions(jokers=True, wild_jokers=wild_jokers, combo=True))
        lines = WORDS.describe(CURRENTS.view(state, None), NAMES).splitlines()
        assert lines[-2:] == ["Options: jokers, combo.", sentence]


def test_the_next_drift_is_where_the_pawn_would_go() -> None:
    """Pushes that cancel, and obstacles, count: the text says how far the pawn really gets."""
    rocks = CurrentsOptions(obstacles=Obstacles.ROCKS)
    for state, drift in (
        (make_state(currents="N1 2H, N2 3C"), "stays."),
        (make_state(currents="N2 2D", pawn=(5, 6), options=rocks), "stays."),
        (
            make_state(currents="N1 3D, N2 2D", pawn=(4, 6), options=rocks),
            "drifts 1 east, to 2 south and 1 east of the centre.",
        ),
    ):
        view = CURRENTS.view(state, None)
        assert f"If nothing changes, the pawn {drift}" in WORDS.describe(view, NAMES)
        assert f"If nothing changes, the pawn {drift}" in WORDS.alt_text(view, NAMES)


@pytest.mark.parametrize(
    ("currents", "pawn", "goals"),
    [
        ("N1 2H", (4, 1), ""),
        ("N1 2H", (4, 0), "the north edge (Ava's goal)"),
        ("S3 2H, E0 3D", (8, 0), "the north edge (Ava's goal) or the east edge (Ben's goal)"),
    ],
)
def test_the_status_warns_that_the_pawn_would_leave(currents: str, pawn: Point, goals: str) -> None:
    """Whose turn it is reads over whose goals the pawn would leave, and that is in the text board once."""
    view = actor_view(make_state(currents=currents, pawn=pawn, hands=("2C", "", "", "")))
    warning = f" If nothing changes, the pawn would leave over {goals}." if goals else ""
    assert WORDS.status(view, NAMES) == f"Ava, your turn: play one card.{warning}"
    assert WORDS.describe(view, NAMES).count("'s goal") == goals.count("'s goal")


@pytest.mark.parametrize(
    ("turn", "note"),
    [(296, ""), (297, " After turn 300 the game is a draw."), (300, " After this turn the game is a draw.")],
)
def test_the_turn_cap_is_announced(turn: int, note: str) -> None:
    """In their last turn players read that the game is about to be a draw (R12)."""
    view = actor_view(make_state(hands=("2C", "", "", ""), turn=turn))
    assert WORDS.status(view, NAMES) == f"Ava, your turn: play one card.{note}"
