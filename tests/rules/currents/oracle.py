"""A test oracle: a second, slow implementation of the rules, written from the rules page and nothing else.

It shares no code with the engine: legal plays by trying every action there is, the drift by one step for each
card that pushes.
"""

from itertools import combinations, permutations

from rules.currents.actions import (
    CallJack,
    CallJoker,
    CallKing,
    CallQueen,
    ChooseAxis,
    Concede,
    Defend,
    DiscardCard,
    PlaceAce,
    PlayCompass,
    PlayCurrent,
)
from rules.currents.components import Axis, Card, Rotation
from rules.currents.model import BoardShape, CurrentsView, Phase, Position
from rules.model import Action

_RANKS = [*map(str, range(2, 11)), *"JQKA"]


def _rank(card: Card) -> int:
    return _RANKS.index(card[:-1])


def _places(position: Position) -> str:
    return "NESW" if position.options.board is BoardShape.SQUARE else "XYZ"


def _slots(position: Position) -> list[str]:
    return [f"{side}{number}" for side in _places(position) for number in range(4)]


def _may_replace(position: Position, card: Card, old: Card | None, *, is_compass: bool) -> bool:
    if old is None or old[-1] == card[-1]:
        return True
    if _rank(old) == _rank(card):
        return position.options.easy_usurp
    return (_rank(old) > _rank(card)) is is_compass


def _may_follow(
    position: Position, card: Card, next_card: Card, old: Card | None, *, is_compass: bool
) -> bool:
    """Whether ``next_card`` may be laid on ``card``, which has just replaced ``old`` (option combo)."""
    if not position.options.combo or old is None or old[-1] != card[-1] or next_card[-1] == card[-1]:
        return False
    if is_compass:
        return _rank(old) < _rank(card) and _rank(next_card) < _rank(card)
    return _rank(old) > _rank(card) and _rank(next_card) > _rank(card)


def legal_actions(view: CurrentsView) -> set[Action]:
    """Return the actions that the rules page allows with the hand, trying each one."""
    position = view.position
    if position.to_act != view.viewer or view.viewer is None:
        return set()
    compass = dict(zip(_places(position), position.compass, strict=True))
    currents = dict(zip(_slots(position), position.currents, strict=True))
    if position.phase is Phase.AXIS:
        return {ChooseAxis(axis) for axis in Axis}
    if position.phase is Phase.ACES:
        return {
            PlaceAce(ace, place)
            for ace in position.aces
            for place, old_card in compass.items()
            if old_card is None
        }
    if position.phase is Phase.GOALTEND:
        edge = position.exits[0].edge
        opposite_edges = {"N": "S", "S": "N", "E": "W", "W": "E"}
        places = (
            [opposite_edges[edge]] if edge in opposite_edges else [place for place in "XYZ" if place != edge]
        )
        suits = {old_card[-1] for place in places if (old_card := compass[place]) is not None}
        fitting = [card for card in view.hand if card not in ("RJ", "BJ") and card[-1] in suits]
        return {Concede(), *(Defend(chosen) for chosen in combinations(fitting, position.exits[0].overshoot))}
    actions: set[Action] = set()
    plain_cards = [card for card in view.hand if card not in ("RJ", "BJ")]
    for card in plain_cards:
        actions |= {
            PlayCompass(card, place)
            for place, old_card in compass.items()
            if _may_replace(position, card, old_card, is_compass=True)
        }
        actions |= {
            PlayCurrent(card, slot)
            for slot, old_card in currents.items()
            if _may_replace(position, card, old_card, is_compass=False)
        }
        if card[0] == "J":
            actions |= {CallJack(card, place) for place, old_card in compass.items() if old_card is not None}
        if card[0] == "Q":
            pairs = combinations(currents, 2)
            actions |= {
                CallQueen(card, first, second)
                for first, second in pairs
                if currents[first] or currents[second]
            }
        if card[0] == "K":
            actions |= {CallKing(card, rotation) for rotation in Rotation}
    for card, next_card in permutations(plain_cards, 2):
        actions |= {
            PlayCompass(card, place, next_card)
            for place, old_card in compass.items()
            if _may_follow(position, card, next_card, old_card, is_compass=True)
        }
        actions |= {
            PlayCurrent(card, slot, next_card)
            for slot, old_card in currents.items()
            if _may_follow(position, card, next_card, old_card, is_compass=False)
        }
    actions |= {CallJoker(card) for card in view.hand if card in ("RJ", "BJ")}
    if None not in position.compass:
        actions |= {DiscardCard(card) for card in view.hand}
    return actions


def drift_target(position: Position) -> tuple[int, int]:
    """Return where the pawn drifts on the square board, card by card, without obstacles."""
    x, y = position.pawn
    target_x, target_y = x, y
    steps = {"N": (0, -1), "S": (0, 1), "W": (-1, 0), "E": (1, 0)}
    for slot, card in zip(_slots(position), position.currents, strict=True):
        if card is None:
            continue
        line = x if slot[0] in "NS" else y
        if not 2 * int(slot[1]) <= line <= 2 * int(slot[1]) + 2:
            continue
        for place, compass_card in zip("NESW", position.compass, strict=True):
            if compass_card is not None and compass_card[-1] == card[-1]:
                target_x, target_y = target_x + steps[place][0], target_y + steps[place][1]
    return target_x, target_y
