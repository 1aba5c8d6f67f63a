"""The policy of Currents: it values where the pawn drifts now and where it would drift next.

Every play is applied to the public position.  The value of an exit depends on how likely its defender holds
the cards to stop it, counted from what the viewer cannot see.
"""

from math import comb
from typing import Final

from msgspec.structs import replace

from rules.currents import jokers, turn
from rules.currents.actions import CallJoker, ChooseAxis, Defend, PlaceAce
from rules.currents.board import GEOMETRIES
from rules.currents.components import RANK_BY_CARD, SUIT_BY_CARD, Axis, Card, Point
from rules.currents.drift import compute_drift, defending_suits, exits_at, goals_of, pushes_at
from rules.currents.model import CurrentsView, Exit, Phase, Position, deck
from rules.model import Action, Seat
from rules.random_stream import RandomStream

_WIN_VALUE: Final = 1000.0
_NEXT_DRIFT_WEIGHT: Final = 0.6
"""The weight of the next drift, which others may still change."""
_NEXT_EXIT_VALUE: Final = 60.0
"""The value of a pawn that would leave with the next drift."""
_GOAL_EDGE_VALUE: Final = 32.0
"""The value of standing on an edge that one aims for; it halves with each step away from it."""
_CARD_VALUE: Final = 3.0
"""The value of a card that a defender must give up."""
_HELD_CARD_VALUES: Final = {2: 0.8, 3: 0.6, 11: 1.0, 12: 1.5, 13: 1.0, 14: 1.0}
"""The value of holding a card, by its rank: strong on the compass, of use as an action, or in a current."""
_HELD_JOKER_VALUE: Final = 1.5
_SHUFFLE_SAMPLES: Final = 4
"""The number of sampled shuffles by which a joker is valued."""


def choose(view: CurrentsView, actions: tuple[Action, ...], stream: RandomStream) -> Action:
    """Choose the action that brings the pawn nearest to the viewer's goals; among equals one at random."""
    match view.position.phase:
        case Phase.PLAY:
            values = [_play_value(view, action, stream) for action in actions]
        case Phase.GOALTEND:
            values = [_defence_value(action) for action in actions]
        case Phase.ACES:
            values = [_ace_value(view, action) for action in actions]
        case _:
            values = [_axis_value(action) for action in actions]
    return stream.choose_best(actions, values)


# Set-up ---------------------------------------------------------------------------------------------


def _axis_value(action: Action) -> float:
    """Prefer north and south: before the aces lie, no axis is better than the other."""
    return float(isinstance(action, ChooseAxis) and action.axis is Axis.NORTH_SOUTH)


def _ace_value(view: CurrentsView, action: Action) -> float:
    """Prefer that the suits in hand push towards the viewer's goals."""
    assert isinstance(action, PlaceAce)
    assert view.viewer is not None
    suit_count = sum(SUIT_BY_CARD.get(card) == SUIT_BY_CARD[action.ace] for card in view.hand)
    return suit_count if action.place in goals_of(view.position, view.viewer) else -suit_count


# Goaltending ----------------------------------------------------------------------------------------


def _defence_value(action: Action) -> float:
    """Defend whenever possible, with the cards that are of the least use."""
    return -_held_value(action.cards) if isinstance(action, Defend) else -_WIN_VALUE


def _stop_probability(view: CurrentsView, position: Position, exit_: Exit, hand: tuple[Card, ...]) -> float:
    """Return the probability that the defender can stop the pawn; ``hand``: the viewer's after the play."""
    if not turn.can_be_stopped(position, exit_):
        return 0.0
    suits = defending_suits(position, exit_.edge)
    if exit_.defender == view.viewer:
        return float(sum(SUIT_BY_CARD.get(card) in suits for card in hand) >= exit_.overshoot)
    seen = {*position.compass, *position.currents, *position.discard_pile, *hand}
    unseen = [card for card in deck(position.options) if card not in seen]
    fitting_count = sum(SUIT_BY_CARD.get(card) in suits for card in unseen)
    hand_size = min(position.hand_sizes[exit_.defender], len(unseen))
    stopping_hand_count = sum(
        comb(fitting_count, count) * comb(len(unseen) - fitting_count, hand_size - count)
        for count in range(exit_.overshoot, hand_size + 1)
    )
    return stopping_hand_count / comb(len(unseen), hand_size)


# Plays ----------------------------------------------------------------------------------------------


def _held_value(cards: tuple[Card, ...]) -> float:
    """Return the value of holding cards for later turns."""
    return sum(
        _HELD_JOKER_VALUE if (rank := RANK_BY_CARD.get(card)) is None else _HELD_CARD_VALUES.get(rank, 0.0)
        for card in cards
    )


def _play_value(view: CurrentsView, action: Action, stream: RandomStream) -> float:
    after = turn.apply_play(view.position, action)
    spent = turn.spent_cards(action)
    hand = tuple(card for card in view.hand if card not in spent)
    spent_value = _held_value(spent)
    if not isinstance(action, CallJoker):
        return _position_value(view, after, hand) - spent_value
    total = 0.0
    for _ in range(_SHUFFLE_SAMPLES):
        outcome = jokers.sample_shuffle(after, stream)
        shuffled = replace(after, compass=outcome.compass, currents=outcome.currents)
        total += _position_value(view, shuffled, hand)
    return total / _SHUFFLE_SAMPLES - spent_value


def _position_value(view: CurrentsView, position: Position, hand: tuple[Card, ...]) -> float:
    """Return the value of a position in which the pawn drifts now."""
    drift = compute_drift(position)
    if drift.exits:
        return _exit_value(view, position, drift.exits, drift.target, hand)
    return _resting_value(view, position, drift.target)


def _exit_value(
    view: CurrentsView, position: Position, exits: tuple[Exit, ...], target: Point, hand: tuple[Card, ...]
) -> float:
    exit_, *others = exits
    leaving_value = _WIN_VALUE if exit_.owner == view.viewer else -_WIN_VALUE
    stop_probability = _stop_probability(view, position, exit_, hand)
    if not stop_probability:
        return leaving_value
    stop_point = GEOMETRIES[position.options.board].clamp_to_edge(target, exit_.edge)
    cost = _CARD_VALUE * exit_.overshoot
    value = -cost if exit_.defender == view.viewer else cost
    if others:
        value += _exit_value(view, position, tuple(others), stop_point, hand)
    else:
        value += _resting_value(view, position, stop_point)
    return stop_probability * value + (1 - stop_probability) * leaving_value


def _resting_value(view: CurrentsView, position: Position, pawn: Point) -> float:
    """Return the value of a pawn that comes to rest here, and of where it would drift next."""
    assert view.viewer is not None
    options = position.options
    geometry = GEOMETRIES[options.board]
    value = _goal_value_lead(position, view.viewer, pawn)
    pushes = pushes_at(options.board, pawn, position.compass, position.currents)
    target = geometry.path(pawn, geometry.push(pawn, pushes), options.obstacles)[-1]
    exits = exits_at(position, target)
    if exits:
        return value + (_NEXT_EXIT_VALUE if exits[0].owner == view.viewer else -_NEXT_EXIT_VALUE)
    return value + _NEXT_DRIFT_WEIGHT * _goal_value_lead(position, view.viewer, target)


def _goal_value_lead(position: Position, viewer: Seat, pawn: Point) -> float:
    """Return the viewer's goal value minus the highest goal value of an opponent."""
    values = [_goal_value(position, Seat(seat), pawn) for seat in range(position.seat_count)]
    own_value = values.pop(viewer)
    return own_value - max(values)


def _goal_value(position: Position, seat: Seat, pawn: Point) -> float:
    """Return how near the pawn is to a seat's goals: the value of the nearest goal edge."""
    geometry = GEOMETRIES[position.options.board]
    return max(
        (_GOAL_EDGE_VALUE / 2 ** geometry.steps_to_edge(pawn, edge) for edge in goals_of(position, seat)),
        default=0,
    )
