"""The pawn leaves the board: who wins, who may stop it and how, and the corners.

Seats: A south, B west, C north, D east; their goals: north, east, south, west.
Hearts push north, diamonds east, clubs south, spades west, unless a test says otherwise.
"""

import pytest

from rules.currents import CURRENTS
from rules.currents.actions import Defend
from rules.currents.components import Axis
from rules.currents.description import status_text
from rules.currents.events import ExitThreatened, PawnDrifted, PawnLeft, PawnStopped
from rules.currents.model import Exit, Phase
from rules.currents.paths import path
from rules.currents.rules import State
from rules.model import CHANCE, Seat
from rules.notation import write_action
from tests.rules.currents.positions import (
    NAMES,
    act,
    is_legal,
    legal_choices,
    make_state,
    refusal_text,
    resolve_chance,
)

A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)


def make_northward_state(
    *, overshoot: int = 1, hands: tuple[str, ...] = ("7S 8S", "9S", "2C 3C 9D", "4D")
) -> State:
    """Build a state with the pawn on the north border line, pushed ``overshoot`` beyond it."""
    pushes = ", ".join(("N1 5H", "N2 6H", "S1 7H", "S2 8H")[:overshoot])
    return make_state(currents=pushes, pawn=(4, 0), hands=hands)


def test_the_player_at_the_edge_is_asked() -> None:
    """The player who sits at the crossed edge is asked; the pawn waits where it stood."""
    position = act(make_northward_state(), "discard 7S").position
    assert (position.phase, position.to_act, position.current_player) == (Phase.GOALTEND, C, A)
    assert (position.pawn, position.target) == ((4, 0), (4, -1))
    assert position.exits == (Exit("N", A, C, 1),)
    assert position.trail[-1] == ExitThreatened("N", C, 1)


def test_a_defence_stops_the_pawn_on_the_line() -> None:
    """One card of the opposite place's suit per step beyond: discarded, and play goes on."""
    after = act(make_northward_state(), "discard 7S", "defend 2C")
    position = after.position
    assert (position.pawn, position.winner, position.target, position.exits) == ((4, 0), None, None, ())
    assert position.discard_pile == ("7S", "2C")
    assert position.hand_sizes[C] == 2
    assert after.hands[C] == ("3C", "9D")
    assert position.trail[1:] == (PawnStopped("N", C), PawnDrifted(((4, 0),)))
    assert position.current_player == B


def test_letting_it_pass_loses() -> None:
    """If the defender declines, the owner of the goal wins at once and nothing is spent."""
    position = act(make_northward_state(), "discard 7S", "concede").position
    assert (position.winner, position.phase, position.to_act) == (A, Phase.OVER, None)
    assert position.pawn == (4, -1)
    assert position.hand_sizes[C] == 3
    assert position.trail == (PawnDrifted(((4, 0), (4, -1))), PawnLeft("N", A))


@pytest.mark.parametrize("overshoot", [2, 3])
def test_as_many_cards_as_steps(overshoot: int) -> None:
    """All needed cards at once, exactly that many; the defender chooses which."""
    state = act(
        make_northward_state(overshoot=overshoot, hands=("7S 8S", "9S", "2C 3C 9C", "4D")), "discard 7S"
    )
    assert len(legal_choices(state)) == 1 + {2: 3, 3: 1}[overshoot]
    assert not is_legal(state, "defend 2C")
    texts = {2: "defend 2C,9C", 3: "defend 2C,3C,9C"}
    after = act(state, texts[overshoot])
    assert after.position.pawn == (4, 0)
    assert after.position.hand_sizes[C] == 3 - overshoot


def test_too_few_cards_in_hand_is_an_exit_at_once() -> None:
    """Public: with fewer cards in hand than needed nobody is asked."""
    position = act(make_northward_state(overshoot=4), "discard 7S").position
    assert (position.winner, position.phase) == (A, Phase.OVER)


def test_asking_tells_nothing() -> None:
    """With cards enough the defender is asked even if none fits; then there is one choice, not forced."""
    state = act(make_northward_state(hands=("7S 8S", "9S", "2D 3H 9D", "4D")), "discard 7S")
    assert [type(action).__name__ for action in legal_choices(state)] == ["Concede"]
    assert CURRENTS.forced_action(CURRENTS.view(state, None)) is None


def test_only_the_defender_reads_that_their_cards_cannot_stop_the_pawn() -> None:
    """The defender's own heading and question say so; everybody else reads the same as with fitting cards."""
    headings = {}
    for hand in ("2C 3C 9C", "2D 3H 9D"):
        state = act(make_northward_state(hands=("7S 8S", "9S", hand, "4D")), "discard 7S")
        views = {viewer: CURRENTS.view(state, viewer) for viewer in (None, A, B, C, D)}
        headings[hand] = {viewer: status_text(view, NAMES) for viewer, view in views.items()}
        question = path(views[C], legal_choices(state)[0], NAMES)[0].question
        assert ("You cannot stop the pawn" in question) == ("your cards cannot" in headings[hand][C])
    headings_if_able, headings_if_unable = headings.values()
    assert "your cards cannot" in headings_if_unable[C]
    assert "your cards cannot" not in headings_if_able[C]
    for viewer in (None, A, B, D):
        assert headings_if_able[viewer] == headings_if_unable[viewer]
        assert "your cards cannot" not in headings_if_unable[viewer]


def test_nobody_can_defend_if_the_opposite_place_is_empty() -> None:
    """With nothing on the opposite place no card can defend, so the pawn leaves at once."""
    state = make_state(compass="AH AD - AS", currents="N1 5H", pawn=(4, 0), hands=("7S", "", "2C 3C"))
    assert act(state, "current 7S W3").position.winner == A


def test_only_the_opposite_place_defends() -> None:
    """Any rank of the opposite place's suit; other suits never, wherever they lie."""
    state = act(make_northward_state(hands=("7S 8S", "9S", "2C 10D 10S", "4D")), "discard 7S")
    assert not is_legal(state, "defend 10D")
    assert "cannot stop" in refusal_text(state, "defend 10D")


def test_the_pawn_never_leaves_by_a_suit_on_both_places() -> None:
    """R8 cannot arise on the square: a suit on opposite places cancels itself (see the triangle's test)."""
    state = make_state(compass="2C AD 3C AS", currents="N1 5C, N2 6C", pawn=(4, 0), hands=("7S 8S",))
    assert act(state, "discard 7S").position.pawn == (4, 0)


def test_a_sideways_part_is_kept() -> None:
    """R9: a stopped pawn still makes the part of its move along the edge."""
    state = make_state(
        currents="N1 5H, N2 6D, S1 7D",
        pawn=(4, 0),
        hands=("7S 8S", "", "2C 3C"),
    )
    after = act(state, "discard 7S", "defend 3C")
    assert after.position.pawn == (6, 0)
    assert after.position.trail[-1] == PawnDrifted(((4, 0), (5, 0), (6, 0)))


def test_the_current_player_may_be_the_defender() -> None:
    """R17: a player may push the pawn over the edge where they sit; their three cards left defend."""
    state = make_state(currents="N1 5H", pawn=(4, 0), hands=("", "", "7S 2C 8S 9S"), player=2)
    after = act(state, "discard 7S")
    assert (after.position.to_act, after.position.current_player) == (C, C)
    assert is_legal(after, "defend 2C")


def test_anybody_may_be_made_the_winner() -> None:
    """R17: whose turn it is does not matter; the owner of the goal wins."""
    state = make_state(currents="N1 5H", pawn=(4, 0), hands=("", "7S", "2C", ""), player=1)
    assert act(state, "discard 7S", "concede").position.winner == A


def test_the_hand_is_filled_up_in_the_own_turn_only() -> None:
    """After a defence nothing is drawn before the defender's own turn; then up to four."""
    state = act(make_northward_state(overshoot=2), "discard 7S", "defend 2C,3C")
    state = resolve_chance(state)
    assert (state.position.current_player, state.position.hand_sizes[C]) == (B, 1)
    state = act(state, "compass 9S N")
    position = state.position
    assert (position.current_player, position.to_act, position.hand_sizes[C]) == (C, CHANCE, 1)
    assert resolve_chance(state).position.hand_sizes[C] == 4


def test_all_but_the_winner_share_rank_two() -> None:
    """The winner is first with one point, all others share rank two."""
    result = CURRENTS.returns(act(make_northward_state(), "discard 7S", "concede"))
    assert result.winners == (A,)
    assert sorted((s.seat, s.rank, s.score) for s in result.standings) == [
        (0, 1, 1), (1, 2, 0), (2, 2, 0), (3, 2, 0),
    ]  # fmt: skip


# Corners --------------------------------------------------------------------------------------------

_CORNER_EDGES = {"far left": "NW", "far right": "NE", "near left": "SW", "near right": "SE"}
_PUSHING_SUITS = {"N": "H", "E": "D", "S": "C", "W": "S"}
_CORNER_POINTS = {"NW": (0, 0), "NE": (8, 0), "SW": (0, 8), "SE": (8, 8)}


def make_corner_state(corner: str, player: int = 0) -> State:
    """Build a state whose currents push the pawn over a corner, named as ``player`` sees it.

    Everybody holds both defending suits.
    """
    edges_clockwise = "NESW"
    edges = "".join(
        edges_clockwise[(edges_clockwise.index(edge) + player) % 4] for edge in _CORNER_EDGES[corner]
    )
    edges = edges if edges[0] in "NS" else edges[::-1]
    x, y = _CORNER_POINTS[edges]
    column, row = ("N0" if x == 0 else "N3"), ("W0" if y == 0 else "W3")
    opposite_edges = {"N": "S", "S": "N", "E": "W", "W": "E"}
    first, second = (_PUSHING_SUITS[opposite_edges[edge]] for edge in edges)
    hands = [f"{rank}{first} {rank}{second}" for rank in ("2", "3", "4", "5")]
    currents = f"{column} Q{_PUSHING_SUITS[edges[0]]}, {row} Q{_PUSHING_SUITS[edges[1]]}"
    hands[player] += f" 9{first}"
    return make_state(currents=currents, pawn=(x, y), hands=hands, player=player)


def discard_nine(state: State) -> State:
    """Discard a nine: the pawn moves, nothing else does."""
    card = next(card for card in state.hands[state.position.current_player] if card.startswith("9"))
    return act(state, f"discard {card}")


def defend_first(state: State) -> State:
    """Take the first defence that there is."""
    action = next(action for action in legal_choices(state) if isinstance(action, Defend))
    return act(state, write_action(action))


@pytest.mark.parametrize("player", range(4))
@pytest.mark.parametrize(
    ("corner", "first_owner", "first_defender", "second_owner", "second_defender"),
    [
        ("far left", 0, 2, 3, 1),
        ("far right", 0, 2, 1, 3),
        ("near left", 3, 1, 2, 0),
        ("near right", 2, 0, 1, 3),
    ],
)
def test_who_is_asked_first_at_a_corner(
    player: int, corner: str, first_owner: int, first_defender: int, second_owner: int, second_defender: int
) -> None:
    """The rulebook's three cases from every seat: current player 0, left 1, opposite 2, right 3."""
    position = discard_nine(make_corner_state(corner, player)).position
    relative_seats = [((exit_.owner - player) % 4, (exit_.defender - player) % 4) for exit_ in position.exits]
    assert relative_seats == [(first_owner, first_defender), (second_owner, second_defender)]


def test_both_defences_leave_the_pawn_in_the_corner() -> None:
    """First one, then the other; the pawn stands on the corner point."""
    state = defend_first(discard_nine(make_corner_state("near right")))
    assert (state.position.phase, len(state.position.exits)) == (Phase.GOALTEND, 1)
    assert state.position.to_act == D
    state = defend_first(state)
    assert (state.position.pawn, state.position.winner) == ((8, 8), None)


def test_the_first_candidate_wins_first() -> None:
    """If the first defence fails, the first candidate wins and the second is never asked."""
    position = act(discard_nine(make_corner_state("far left")), "concede").position
    assert (position.winner, position.pawn) == (A, (-1, -1))


def test_the_second_candidate_wins_next() -> None:
    """If only the first defence succeeds, the second candidate wins; the held edge stays held."""
    state = act(defend_first(discard_nine(make_corner_state("far left"))), "concede")
    assert (state.position.winner, state.position.pawn) == (D, (-1, 0))


def test_each_corner_defence_costs_its_own_overshoot() -> None:
    """Two steps north and one west: two cards for the one, one for the other."""
    state = make_state(
        currents="N0 5H, S0 6H, W0 7S",
        pawn=(0, 0),
        hands=("9H 10H", "2D 3D", "2C 3C", ""),
    )
    state = act(state, "discard 9H")
    assert [exit_.overshoot for exit_ in state.position.exits] == [2, 1]
    state = act(state, "defend 2C,3C", "defend 2D")
    assert state.position.pawn == (0, 0)


def test_a_corner_whose_second_edge_cannot_be_held() -> None:
    """The first defence succeeds, the second is publicly impossible: the second candidate wins at once."""
    state = make_state(
        currents="N0 5H, W0 7S",
        pawn=(0, 0),
        hands=("9H 10H", "", "2C 3C", ""),
    )
    position = act(state, "discard 9H", "defend 2C").position
    assert (position.winner, position.trail[-1]) == (D, PawnLeft("W", D))


# Two players ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axis", "pawn", "slot", "card", "winner"),
    [
        (Axis.NORTH_SOUTH, (4, 0), "N1", "5H", 0),
        (Axis.NORTH_SOUTH, (4, 8), "N1", "5C", 0),
        (Axis.NORTH_SOUTH, (8, 4), "N3", "5D", 1),
        (Axis.NORTH_SOUTH, (0, 4), "N0", "5S", 1),
        (Axis.EAST_WEST, (8, 4), "N3", "5D", 0),
        (Axis.EAST_WEST, (4, 0), "N1", "5H", 1),
    ],
)
def test_two_players_have_two_goals_each(
    axis: Axis, pawn: tuple[int, int], slot: str, card: str, winner: int
) -> None:
    """Opposite edges belong to one player; the opponent defends both."""
    state = make_state(
        seat_count=2, axis=axis, currents=f"{slot} {card}", pawn=pawn, hands=("9H 9D 9C 9S", "8H 8D 8C")
    )
    position = act(state, "discard 9H").position
    assert [(exit_.owner, exit_.defender) for exit_ in position.exits] == [(winner, 1 - winner)]


@pytest.mark.parametrize("player", [0, 1])
def test_at_a_corner_of_two_the_current_player_comes_first(player: int) -> None:
    """The current player comes first and the opponent defends; then the other way round."""
    hands = ("9H 9D 9C 8S", "8H 8D 8C 7S")
    state = make_state(seat_count=2, currents="N0 5H, W0 6S", pawn=(0, 0), hands=hands, player=player)
    position = act(state, f"discard {state.hands[player][0]}").position
    assert [(exit_.owner, exit_.defender) for exit_ in position.exits] == [
        (player, 1 - player),
        (1 - player, player),
    ]


def test_of_two_the_other_wins_if_one_resigns() -> None:
    """R13: of two players the other wins; with four the seat must be filled instead."""
    after = CURRENTS.resign(make_state(seat_count=2, hands=("2C", "3C")), A)
    assert after is not None
    assert (after.position.winner, after.position.to_act, after.position.phase) == (B, None, Phase.OVER)
    assert CURRENTS.resign(make_state(hands=("2C", "3C")), A) is None
