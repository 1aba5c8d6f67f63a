"""What a player reads before a play is final."""

import pytest

from rules.currents import CURRENTS
from rules.currents.actions import PlaceAce
from rules.currents.board import empty_places
from rules.currents.components import Axis
from rules.currents.model import CurrentsOptions, Obstacles
from rules.currents.phrases import PLACE_WORDS, card_text
from rules.model import CHANCE, Seat
from rules.random_stream import RandomStream
from tests.rules.currents.positions import (
    COMBO_OPTIONS,
    DEFENCE_STATE,
    NAMES,
    NOTATION,
    act,
    actor_view,
    make_state,
    preview_text,
)
from tests.rules.whole_games import play_game

WORDS = CURRENTS.words


def test_a_preview_begins_with_where_the_pawn_goes() -> None:
    """Then come the currents that reach it, suit by suit, with their directions."""
    state = make_state(compass="AC AD AH -", currents="N1 2H, N2 3H, S1 4C, S2 5D, W1 6S", hands=("9S 9C",))
    assert preview_text(state, "current 9S N0").splitlines() == [
        "The pawn drifts 1 east and 1 south, to 1 south and 1 east of the centre.",
        "2♥ at N1 and 3♥ at N2 push south.",
        "4♣ at S1 pushes north.",
        "5♦ at S2 pushes east.",
        "6♠ at W1 does not push: no spades on the compass.",
    ]
    assert preview_text(state, "compass 9C W").splitlines()[0] == (
        "The pawn drifts 1 south, to 1 south of the centre."
    )
    calm_state = make_state(currents="N0 2H", hands=("9S 9C",))
    assert preview_text(calm_state, "current 9S N3") == "No current reaches the pawn. It stays at the centre."


def test_a_preview_names_obstacles_in_the_way() -> None:
    """What the currents push and where the pawn goes differ then, so both are there."""
    state = make_state(
        compass="AC AD AH AS",
        currents="N1 2H, N2 3H",
        pawn=(2, 5),
        hands=("9S 9C",),
        options=CurrentsOptions(obstacles=Obstacles.ROCKS),
    )
    assert preview_text(state, "current 9S E0").splitlines()[:2] == [
        "The pawn stays at 1 south and 2 west of the centre.",
        "Obstacles are in the way: the currents push 1 south.",
    ]


def test_a_preview_of_an_exit_names_goal_and_defender() -> None:
    """Over whose goal, who may defend, how many cards; hands' sizes only."""
    state = make_state(currents="N1 5H, N2 6H", pawn=(4, 0), hands=("7S 8S", "", "2D 3D 9D", ""))
    assert preview_text(state, "discard 7S").startswith(
        "The pawn would leave over the north edge, Ava's goal. "
        "Chloé holds three cards and may stop it with two ♣ cards."
    )
    state_without_south_card = make_state(
        compass="AH AD - AS", currents="N1 5H", pawn=(4, 0), hands=("7S 8S", "", "2C 3C", "")
    )
    assert preview_text(state_without_south_card, "current 7S W3").splitlines()[:2] == [
        (
            "The pawn would leave over the north edge, Ava's goal. "
            "Nobody can stop it: the south of the compass is empty."
        ),
        "Ava wins.",
    ]


@pytest.mark.parametrize("seat_count", [2, 4])
def test_a_preview_of_an_ace_says_where_the_last_one_then_goes(seat_count: int) -> None:
    """The last ace has one place left and is laid by itself: who lays the one before reads where."""
    preview_count = 0
    for before, actor, action, after in play_game(CURRENTS, seat_count, "random", 0):
        if not isinstance(action, PlaceAce):
            continue
        text = WORDS.preview(CURRENTS.view(before, actor), action, NAMES) or ""
        aces_left = CURRENTS.view(after, None).position.aces
        if len(aces_left) == 1:
            (place,) = empty_places(CURRENTS.view(after, None).position)
            assert text.endswith(f"The last ace, {card_text(*aces_left)}, then goes to {PLACE_WORDS[place]}.")
            preview_count += 1
        else:
            assert "last ace" not in text
    assert preview_count == 1


def test_a_short_preview_of_an_exit_is_certain_only_if_nobody_can_stop_it() -> None:
    """The pawn "would leave" while the defender may stop it, and "leaves" if nobody can."""
    for compass, expected in (
        ("AH AD AC AS", "the pawn would leave over the north edge: Ava's goal"),
        ("AH AD - AS", "the pawn leaves over the north edge: Ava's goal, nobody can stop it"),
    ):
        state = make_state(compass=compass, currents="N1 5H", pawn=(4, 0), hands=("7S 8S", "", "2C 3C", ""))
        action = NOTATION.parse("current 7S W3")
        assert WORDS.short_preview(actor_view(state), action, NAMES) == expected


def test_a_preview_tells_a_defender_what_they_hold() -> None:
    """Who would have to stop the pawn after the own play reads whether the cards left in hand can."""
    for hand, expected in (
        ("7S 8S", "**You cannot stop it: you hold no such card.**"),
        ("7S 3C", "You can stop it yourself: you hold 3♣."),
        ("7C 8S", "**You cannot stop it: you hold no such card.**"),
    ):
        state = make_state(
            compass="AC AD AH AS", currents="N1 5H, N2 6H", pawn=(4, 7), hands=(hand, "", "9C", "")
        )
        lines = preview_text(state, f"discard {hand.split()[0]}").splitlines()
        assert lines[0].endswith("goal. Stopping it takes one ♣ card."), "what others see is left out"
        assert lines[-1] == expected


@pytest.mark.parametrize("seat_count", [2, 4])
def test_a_preview_tells_the_second_defender_at_a_corner_what_they_hold(seat_count: int) -> None:
    """Whoever would be asked after another defender reads for which edge their cards are enough."""
    for hand, expected in (
        ("7C 9D", "You can stop it at the south edge yourself: you hold 9♦."),
        ("7D 9C", "**You cannot stop it at the south edge: you hold no such card.**"),
    ):
        for first_hand, can_be_asked in (("2C 3C", True), ("", False)):
            hands = [""] * seat_count
            hands[:2] = hand, first_hand
            state = make_state(
                compass="AD AS AC AH",
                currents="S0 6C, W3 7H",
                pawn=(0, 8),
                hands=hands,
                seat_count=seat_count,
                axis=Axis.EAST_WEST,
            )
            preview = preview_text(state, f"discard {hand.split()[0]}")
            assert (expected in preview.splitlines()) == can_be_asked


def test_a_preview_of_a_corner_names_both() -> None:
    """Both ways out, in order; the second only if the first is held."""
    state = make_state(currents="N0 5H, W0 7S", pawn=(0, 0), hands=("9H 10H", "2D", "2C 3C", ""))
    preview = preview_text(state, "discard 9H")
    assert "The pawn would leave over the north edge, Ava's goal" in preview
    assert (
        "If stopped there, it would leave over the west edge, Dimitri's goal. "
        "Ben holds one card and may stop it" in preview
    )


def test_the_narration_of_a_corner_names_both() -> None:
    """Who could win only if the first exit is held reads of it, and so does the player who may hold it."""
    state = make_state(currents="N0 5H, W0 7S", pawn=(0, 0), hands=("9H 10H", "2D", "2C 3C", ""))
    after, action = act(state, "discard 9H"), NOTATION.parse("discard 9H")
    narration = CURRENTS.words.narrate(
        CURRENTS.view(state, None), Seat(0), action, CURRENTS.view(after, None), NAMES
    ).text
    assert "The pawn is about to leave over the north edge, Ava's goal." in narration
    assert narration.endswith("If stopped there, it would leave over the west edge, Dimitri's goal.")


def test_a_preview_of_a_joker_promises_nothing() -> None:
    """The shuffle decides: no drift is shown, unless there is nothing to shuffle."""
    state = make_state(currents="N1 5H", hands=("RJ 2C",), options=COMBO_OPTIONS)
    assert "Nobody can tell before" in preview_text(state, "joker RJ")
    one_card_state = make_state(compass="AH - - -", currents="N1 5H", hands=("RJ 2C",), options=COMBO_OPTIONS)
    assert "The pawn drifts 1 north, to 1 north of the centre." in preview_text(one_card_state, "joker RJ")


@pytest.mark.parametrize("compass", ["AH - - -", "- - - -"])
def test_preview_and_narration_of_a_joker_without_effect_agree(compass: str) -> None:
    """With fewer than two cards to shuffle, preview, list and log agree that nothing is shuffled."""
    state = make_state(compass=compass, currents="N1 5H", hands=("RJ 2C",), options=COMBO_OPTIONS)
    action = NOTATION.parse("joker RJ")
    text = "Fewer than two cards: there is nothing to shuffle."
    assert preview_text(state, "joker RJ").splitlines()[0] == text
    assert WORDS.short_preview(actor_view(state), action, NAMES).startswith("the pawn ")
    after_call = act(state, "joker RJ")
    outcome = CURRENTS.sample_chance(after_call, RandomStream(bytes(32)))
    views = CURRENTS.view(after_call, None), CURRENTS.view(CURRENTS.apply_action(after_call, outcome), None)
    assert WORDS.narrate(views[0], CHANCE, outcome, views[1], NAMES).text.startswith(f"{text} The pawn ")


def test_previews_of_a_defence() -> None:
    """What is given up and where the pawn stops; conceding names the winner."""
    assert preview_text(DEFENCE_STATE, "defend 2C,3C") == (
        "You give up 2♣ and 3♣ and stop the pawn at the north edge. It stays at 4 north of the centre."
    )
    nearer = act(
        make_state(currents="N1 5H, N2 6H", pawn=(4, 1), hands=("7S 8S", "", "2C 9D", "")), "discard 7S"
    )
    assert preview_text(nearer, "defend 2C") == (
        "You give up 2♣ and stop the pawn at the north edge. It goes to 4 north of the centre."
    )
    for hand, held_text in (("2C 9D", "only 2♣"), ("9D 10D", "none")):
        with_too_few_cards = make_state(currents="N1 5H, N2 6H", pawn=(4, 0), hands=("7S 8S", "", hand, ""))
        assert preview_text(act(with_too_few_cards, "discard 7S"), "concede") == (
            f"Stopping it takes two ♣ cards. You hold {held_text}.\n"
            "The pawn leaves over the north edge and Ava wins."
        )
    assert preview_text(DEFENCE_STATE, "concede") == "The pawn leaves over the north edge and Ava wins."
