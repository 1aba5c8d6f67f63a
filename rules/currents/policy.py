"""The policy of Currents: where the pawn goes now, and where it would go next.

Every play is applied to the public position.  What an exit is worth depends on how likely its defender holds
the cards to stop it, counted from what the viewer cannot see.
"""

from collections.abc import Callable
from math import comb
from typing import Final

from msgspec.structs import replace

from rules.currents import jokers, turn
from rules.currents.actions import CallJoker, ChooseAxis, Defend, PlaceAce
from rules.currents.board import GEOMETRY
from rules.currents.cards import RANK, SUIT, Axis, Card, Point
from rules.currents.drift import defending_suits, drift, exits_at, goals_of, pushes_at
from rules.currents.model import CurrentsView, Exit, Phase, Position, deck
from rules.game import Action, Seat
from rules.stream import Stream

_WIN: Final = 1000.0
_NEXT: Final = 0.6
"""What the next drift counts: others may still change it."""
_NEXT_EXIT: Final = 60.0
"""What it is worth if the pawn would leave with the next drift."""
_EDGE: Final = 32.0
"""The worth of standing on one's own edge; it halves with each step away from it."""
_CARD: Final = 3.0
"""What a card is worth that a defender must give up."""
_SHUFFLES: Final = 4
"""How many shuffles a joker is judged by."""


def choose(view: CurrentsView, actions: tuple[Action, ...], stream: Stream) -> Action:
    """Choose the action that brings the pawn nearest to the viewer's goals; among equals one at random."""
    match view.position.phase:
        case Phase.PLAY:
            return _best(actions, lambda action: _play_value(view, action, stream), stream)
        case Phase.GOALTEND:
            return _best(actions, _defence_value, stream)
        case Phase.ACES:
            return _best(actions, lambda action: _ace_value(view, action), stream)
        case _:
            return _best(actions, lambda action: _axis_value(view, action), stream)


def _best(actions: tuple[Action, ...], value_of: Callable[[Action], float], stream: Stream) -> Action:
    values = [value_of(action) for action in actions]
    best = max(values)
    return stream.choose([action for action, value in zip(actions, values, strict=True) if value == best])


# Set-up ---------------------------------------------------------------------------------------------


def _axis_value(view: CurrentsView, action: Action) -> float:
    """Prefer north and south a little: both axes are alike before the aces lie."""
    return float(isinstance(action, ChooseAxis) and action.axis is Axis.NORTH_SOUTH)


def _ace_value(view: CurrentsView, action: Action) -> float:
    """Let the suits in hand push towards the own goals."""
    assert isinstance(action, PlaceAce)
    assert view.viewer is not None
    held = sum(SUIT.get(card) == SUIT[action.ace] for card in view.hand)
    return held if action.place in goals_of(view.position, view.viewer) else -held


# Goaltending ----------------------------------------------------------------------------------------


def _defence_value(action: Action) -> float:
    """Defend whenever possible, with the highest cards: low ones hold the currents."""
    return float(sum(RANK[card] for card in action.cards)) if isinstance(action, Defend) else -1.0


def _chance_of_defence(view: CurrentsView, position: Position, way: Exit, hand: tuple[Card, ...]) -> float:
    """Return how likely the defender can stop the pawn; ``hand``: the viewer's after the play."""
    if not turn.can_be_stopped(position, way):
        return 0.0
    suits = defending_suits(position, way.edge)
    if way.defender == view.viewer:
        return float(sum(SUIT.get(card) in suits for card in hand) >= way.overshoot)
    seen = {*position.compass, *position.currents, *position.discard_pile, *hand}
    unseen = [card for card in deck(position.options) if card not in seen]
    fitting = sum(SUIT.get(card) in suits for card in unseen)
    held = min(position.hands[way.defender], len(unseen))
    ways = sum(
        comb(fitting, count) * comb(len(unseen) - fitting, held - count)
        for count in range(way.overshoot, held + 1)
    )
    return ways / comb(len(unseen), held)


# Plays ----------------------------------------------------------------------------------------------


def _play_value(view: CurrentsView, action: Action, stream: Stream) -> float:
    after = turn.apply_play(view.position, action)
    spent = turn.spent_cards(action)
    hand = tuple(card for card in view.hand if card not in spent)
    if not isinstance(action, CallJoker):
        return _table_value(view, after, hand)
    total = 0.0
    for _ in range(_SHUFFLES):
        outcome = jokers.shuffle(after, stream)
        shuffled = replace(after, compass=outcome.compass, currents=outcome.currents)
        total += _table_value(view, shuffled, hand)
    return total / _SHUFFLES


def _table_value(view: CurrentsView, position: Position, hand: tuple[Card, ...]) -> float:
    """Return the worth of a table on which the pawn drifts now."""
    move = drift(position)
    if move.exits:
        return _exit_value(view, position, move.exits, move.target, hand)
    return _rest_value(view, position, move.target)


def _exit_value(
    view: CurrentsView, position: Position, exits: tuple[Exit, ...], target: Point, hand: tuple[Card, ...]
) -> float:
    way, *others = exits
    won = _WIN if way.owner == view.viewer else -_WIN
    stopped = _chance_of_defence(view, position, way, hand)
    if not stopped:
        return won
    held = GEOMETRY[position.options.board].clamp_to_edge(target, way.edge)
    cost = _CARD * way.overshoot
    value = -cost if way.defender == view.viewer else cost
    if others:
        value += _exit_value(view, position, tuple(others), held, hand)
    else:
        value += _rest_value(view, position, held)
    return stopped * value + (1 - stopped) * won


def _rest_value(view: CurrentsView, position: Position, pawn: Point) -> float:
    """Return the worth of a pawn that comes to rest here, and of where it would drift next."""
    assert view.viewer is not None
    options = position.options
    board = GEOMETRY[options.board]
    value = _nearness(position, view.viewer, pawn)
    pushes = pushes_at(options.board, pawn, position.compass, position.currents)
    target = board.path(pawn, board.push(pawn, pushes), options.obstacles)[-1]
    exits = exits_at(position, target)
    if exits:
        return value + (_NEXT_EXIT if exits[0].owner == view.viewer else -_NEXT_EXIT)
    return value + _NEXT * _nearness(position, view.viewer, target)


def _nearness(position: Position, viewer: Seat, pawn: Point) -> float:
    """Return how near the pawn is to the viewer's goals, less how near it is to the best other's."""
    near = [_goal_worth(position, Seat(seat), pawn) for seat in range(position.seats)]
    own = near.pop(viewer)
    return own - max(near)


def _goal_worth(position: Position, seat: Seat, pawn: Point) -> float:
    board = GEOMETRY[position.options.board]
    return max((_EDGE / 2 ** board.steps_to_edge(pawn, edge) for edge in goals_of(position, seat)), default=0)
