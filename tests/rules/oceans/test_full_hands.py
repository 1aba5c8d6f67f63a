"""Six Deep cards fill a hand before the Cambrian Explosion: who takes them is warned, and reads why."""

import random
from typing import Any

import pytest
from msgspec.structs import replace

from rules.model import Seat
from rules.oceans import OCEANS
from rules.oceans.cards.decks import DEEP_DECK
from rules.oceans.engine.drawing import is_board_stuck
from rules.oceans.engine.turn import legal_actions
from rules.oceans.rules import State, apply_action, view
from rules.oceans.steps import Drawing, Playing
from tests.rules.oceans.positions import (
    NAMES,
    NOTATION,
    act,
    active_scenario_setup,
    legal_texts,
    make_drawing_state,
    make_state,
    resolve_chance,
)
from tests.rules.oceans.texts import WORDS, action_texts
from tests.trials import trial_count

DEEP_HANDS = [" ".join(DEEP_DECK[start : start + 6]) for start in (10, 20, 30)]
POOL = ("HYD", "TIN")
STUCK_TEXT = "nobody can play a card or feed any more"
UNPLAYABLE_TEXT = "Your hand is full of Deep cards, which cannot be played before the Cambrian Explosion."


def _make_stuck_state(**keywords: Any) -> State:
    """Return a state before the Cambrian Explosion in which all hold six Deep cards and no species."""
    arguments: dict[str, Any] = {"hands": DEEP_HANDS, "gene_pool": POOL, "step": Drawing(), "plays_left": 0}
    rows = keywords.pop("rows", ("", "", ""))
    return make_state(*rows, **{**arguments, **keywords})


def _question(state: State) -> str:
    assert WORDS.path is not None
    return WORDS.path(view(state, Seat(0)), NOTATION.parse("draw"), NAMES)[0].question


def _status(state: State) -> str:
    return WORDS.status(view(state, None), NAMES)


def test_a_stuck_board_never_changes() -> None:
    """Whatever the players choose and draw: the status says so until the round cap ends the game."""
    rng = random.Random("stuck")
    for _ in range(trial_count(4)):
        state = _make_stuck_state()
        board = state.position.zone_populations, state.position.rows, state.position.surface_hand_sizes
        while (actor := state.position.to_act) is not None:
            position = state.position
            assert (position.zone_populations, position.rows, position.surface_hand_sizes) == board
            assert is_board_stuck(position)
            assert STUCK_TEXT in _status(state)
            state = resolve_chance(apply_action(state, rng.choice(legal_actions(view(state, actor)))))
        assert state.position.round == state.position.options.round_cap


@pytest.mark.parametrize(
    "keywords",
    [
        {"rows": ("", "SP7 3", "")},
        {"hands": [*DEEP_HANDS[:2], "HAR MEG TUS ZOO KRA"]},
        {"hands": [*DEEP_HANDS[:2], f"{DEEP_HANDS[2]} SP7"]},
        {"cambrian_happened": True},
        active_scenario_setup("THE"),
        active_scenario_setup("CBL"),
    ],
    ids=[
        "a species",
        "five Deep cards",
        "a Surface card",
        "explosion",
        "Thermal Currents",
        "Coral Bleaching",
    ],
)
def test_a_board_that_may_change_is_not_said_to_be_stuck(keywords: dict[str, Any]) -> None:
    """One species, one card that can be played or drawn, or one Scenario card may still change it."""
    state = _make_stuck_state(**keywords)
    assert not is_board_stuck(state.position)
    assert STUCK_TEXT not in _status(state)


def test_a_board_is_stuck_also_with_an_empty_reef_or_without_a_player() -> None:
    """Nothing can move from an empty Reef; a player who has resigned plays no card."""
    bleaching_setup = {**active_scenario_setup("CBL"), "zone_populations": (0, 20, 0, 20)}
    assert is_board_stuck(_make_stuck_state(**bleaching_setup).position)
    position = _make_stuck_state(hands=[*DEEP_HANDS[:2], "SP7"]).position
    assert not is_board_stuck(position)
    assert is_board_stuck(replace(position, resigned=(False, False, True)))


def test_who_holds_only_deep_cards_reads_why_no_card_is_played() -> None:
    """In the status of each step of the turn; not with a Surface card, nor after the explosion."""
    state = resolve_chance(act(make_drawing_state("", "SP7 3", player=1, hands=DEEP_HANDS), "draw"))
    assert not isinstance(state.position.agenda[-1], Playing), "no card can be played"
    assert UNPLAYABLE_TEXT in _status(state)
    feeding = make_state("SP7 3", "", hands=DEEP_HANDS)
    assert UNPLAYABLE_TEXT in _status(feeding)
    for others in (make_state("SP7 3", "", hands=["SP8"]), _make_stuck_state(cambrian_happened=True)):
        assert UNPLAYABLE_TEXT not in _status(others)


@pytest.mark.parametrize("text", ["take 1", "look"])
@pytest.mark.parametrize("count", [3, 4, 5, 6])
@pytest.mark.parametrize("cambrian_happened", [False, True])
def test_the_deep_card_that_fills_a_hand_is_previewed(
    text: str, count: int, *, cambrian_happened: bool
) -> None:
    """The sixth one before the explosion is marked first, with what it means; others count at once."""
    hand = " ".join(DEEP_DECK[10 : 10 + count])
    state = make_drawing_state(
        "SP7 3", "", hands=[f"{hand} SP8"], gene_pool=POOL, cambrian_happened=cambrian_happened
    )
    fills_hand = count == 5 and not cambrian_happened
    assert WORDS.needs_confirmation(view(state, Seat(0)), NOTATION.parse(text)) is fills_hand
    preview = action_texts(state, text)[2]
    assert ("you draw no card before the Cambrian Explosion" in preview) is fills_hand
    assert ("one Surface card left to play" in preview) is fills_hand


def test_the_question_of_the_drawing_phase_counts_deep_cards() -> None:
    """From three of six on, before the explosion; with six nothing is said of drawing up to six."""
    for count in range(7):
        hand = " ".join((*DEEP_DECK[10 : 10 + count], "SP8"))
        question = _question(make_drawing_state("SP7 3", "", hands=[hand], gene_pool=POOL))
        assert ("neither play nor discard Deep cards" in question) is (3 <= count <= 5), count
        assert ("draws no card" in question) is (count == 6), count
        after = _question(
            make_drawing_state("SP7 3", "", hands=[hand], gene_pool=POOL, cambrian_happened=True)
        )
        assert "Explosion" not in after, count


def test_a_hand_says_that_deep_cards_cannot_be_played_yet() -> None:
    """The text of a hand with Deep cards, before the explosion."""
    for hand, cambrian_happened, says_so in (
        ("SP7 HYD", False, True),
        ("SP7 HYD", True, False),
        ("SP7", False, False),
    ):
        state = make_state("SP8 3", "", hands=[hand], cambrian_happened=cambrian_happened)
        text = OCEANS.words.hand_text(view(state, Seat(0)), NAMES)
        assert ("cannot be played before the Cambrian Explosion" in text) is says_so


def test_a_turn_that_ends_without_a_draw_is_narrated() -> None:
    """Before what begins with the next turn."""
    state = _make_stuck_state(player=2)
    before, action = view(state, None), NOTATION.parse("draw")
    after = view(act(state, "draw"), None)
    assert legal_texts(state, "draw")
    assert WORDS.narrate(before, Seat(2), action, after, NAMES).text == "Chloé ends the turn. Round 4 begins."
