"""The draw, the reshuffle, whose turn it is, and the turn cap."""

from msgspec.structs import replace

from rules.currents import CURRENTS
from rules.currents.actions import Deal, Reshuffle
from rules.currents.components import DECK_INDEX
from rules.currents.events import Dealt, Reshuffled
from rules.currents.model import CurrentsOptions, Phase
from rules.currents.rules import State
from rules.model import CHANCE, Action, Seat
from rules.random_stream import RandomStream
from tests.rules.currents.positions import act, make_state, parse_cards, resolve_chance


def make_draw_state(*, draw_pile: str, hands: tuple[str, ...] = ("5C", "2C", "", "")) -> State:
    """Discard seat A's five of clubs: seat B is to draw from ``draw_pile``; all other cards are discarded."""
    return act(make_state(hands=hands, draw_pile=draw_pile), "discard 5C")


def test_a_draw_fills_the_hand_to_four() -> None:
    """R2: as many cards as it takes to hold four, in one record."""
    state = make_draw_state(draw_pile="2D 3D 4D 5D 6D")
    after = act(state, "deal B 2D,3D,4D")
    assert (after.position.phase, after.position.to_act) == (Phase.PLAY, 1)
    assert after.position.trail == (Dealt(Seat(1), 3),)
    assert after.position.draw_pile_size == 2


def test_the_first_turn_draws_too() -> None:
    """R2: from three cards to four before the first play."""
    state = resolve_chance(CURRENTS.initial_state(4, CurrentsOptions()))
    for _ in range(4):
        seat = state.position.to_act
        state = CURRENTS.apply_action(state, CURRENTS.legal_actions(CURRENTS.view(state, seat))[0])
    state = resolve_chance(state)
    assert state.position.hand_sizes[state.position.current_player] == 4


def test_a_draw_across_a_reshuffle_is_three_records() -> None:
    """R10: what is left, the reshuffle (with the cards just discarded), the rest."""
    state = make_draw_state(draw_pile="2D 3D")
    outcomes: list[Action] = []
    while state.position.to_act == CHANCE:
        outcome = CURRENTS.sample_chance(state, RandomStream(bytes(32), len(outcomes)))
        assert CURRENTS.is_possible(state, outcome)
        outcomes.append(outcome)
        state = CURRENTS.apply_action(state, outcome)
        if isinstance(outcome, Reshuffle):
            assert state.position.discard_pile == ()
            assert "5C" in state.draw_pile
            assert state.position.trail == (Reshuffled(len(state.draw_pile)),)
    assert outcomes[0] == Deal(Seat(1), parse_cards("2D 3D"))
    assert [type(each) for each in outcomes] == [Deal, Reshuffle, Deal]
    assert state.position.hand_sizes[1] == 4


def test_the_reshuffle_brings_the_aces_back() -> None:
    """Delayed Aces: replaced aces are in the new draw pile and may be drawn."""
    state = make_state(compass="2H 2D 2C 2S", hands=("5C", "3C 4C 6C"), draw_pile="")
    state = act(state, "discard 5C")
    pile = sorted(state.position.discard_pile, key=DECK_INDEX.__getitem__)
    state = act(state, f"reshuffle {','.join(pile)}")
    assert {"AC", "AD", "AH", "AS"} <= set(state.draw_pile)
    assert act(state, "deal B AS").hands[1] == ("3C", "4C", "6C", "AS")


def test_an_empty_draw_pile_waits_until_a_card_is_needed() -> None:
    """R10: no reshuffle while nobody draws; none is possible while cards are left."""
    drawing_state = make_draw_state(draw_pile="2D")
    assert not CURRENTS.is_possible(drawing_state, Reshuffle(drawing_state.position.discard_pile))
    full_hand_state = make_draw_state(draw_pile="", hands=("5C", "2C 3C 4C 6C"))
    assert (full_hand_state.position.phase, full_hand_state.position.draw_pile_size) == (Phase.PLAY, 0)


def test_with_both_piles_empty_the_turn_goes_on() -> None:
    """With fewer cards than four and nothing to draw, the turn goes straight to the play."""
    state = make_state(compass="AH AD AC -", hands=("5C", "2C", "", ""), draw_pile="")
    state_without_piles = State(replace(state.position, discard_pile=()), state.hands, ())
    after = act(state_without_piles, "compass 5C W")
    assert (after.position.phase, after.position.to_act, after.position.hand_sizes[1]) == (Phase.PLAY, 1, 1)


def test_play_passes_to_the_left() -> None:
    """Clockwise: south, west, north, east."""
    state = make_state(hands=("2C 3C", "4C 5C", "6C 7C", "8C 9C"))
    order = []
    for _ in range(5):
        order.append(state.position.current_player)
        seat = state.position.current_player
        state = resolve_chance(act(state, f"discard {state.hands[seat][0]}"))
    assert order == [0, 1, 2, 3, 0]
    assert state.position.turn == 6


def test_at_the_turn_cap_nobody_wins() -> None:
    """R12: when the turn after the last would begin nobody wins and all share rank one."""
    options = CurrentsOptions(turn_cap=100)
    state = act(make_state(hands=("2C 3C",), options=options, turn=99), "discard 2C")
    assert (state.position.phase, state.position.turn) == (Phase.DRAW, 100)
    after_last_turn = act(make_state(hands=("2C 3C",), options=options, turn=100), "discard 2C")
    assert (
        after_last_turn.position.phase,
        after_last_turn.position.winner,
        after_last_turn.position.to_act,
    ) == (Phase.OVER, None, None)
    assert [(s.rank, s.score) for s in CURRENTS.returns(after_last_turn).standings] == [(1, 0)] * 4


def test_the_last_turn_can_still_win() -> None:
    """The cap comes after the last turn's move."""
    options = CurrentsOptions(turn_cap=100)
    state = make_state(currents="N1 5H", pawn=(4, 0), hands=("7S",), options=options, turn=100)
    assert act(state, "discard 7S").position.winner == 0


def test_what_a_draw_reveals() -> None:
    """A deal reveals its cards to their holder only; a reshuffle reveals nothing to anybody."""
    deal = Deal(Seat(1), parse_cards("2D 3D"))
    assert deal.seen_by(Seat(1), CHANCE) == deal
    for viewer in (None, Seat(0)):
        assert deal.seen_by(viewer, CHANCE) == Deal(Seat(1), parse_cards("? ?"))
        assert not deal.reveals(viewer)
    assert deal.reveals(Seat(1))
    assert not any(Reshuffle(parse_cards("2D")).reveals(viewer) for viewer in (None, Seat(0), Seat(1)))
