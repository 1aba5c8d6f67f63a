"""The policy of Oceans: feed most, keep species alive, age profitably.

Each choice is played on the public position by the engine, up to the next question, and what comes of it is
judged (``rules.oceans.evaluation``).  Of choices that are nearly alike one is judged.
"""

from collections.abc import Hashable
from typing import Final

from rules.game import Action
from rules.oceans.actions import (
    Attack,
    Choose,
    Create,
    Discard,
    DiscardForNothing,
    Done,
    Draw,
    EndFeeding,
    Evolve,
    Exchange,
    Forage,
    Keep,
    LookDeep,
    Migrate,
    Mutate,
    PlaceOverflow,
    RemoveTrait,
    SetAgingOnOtherTurns,
    SetOverflow,
    Swap,
    TakeDeep,
)
from rules.oceans.cards.decks import NUMBER, TRAIT
from rules.oceans.engine import turn
from rules.oceans.evaluation import evaluate
from rules.oceans.model import OceansView
from rules.oceans.places import Zone
from rules.oceans.steps import Drawing, Keeping
from rules.stream import Stream

JUDGED: Final = (
    DiscardForNothing,
    Mutate,
    Forage,
    Attack,
    EndFeeding,
    Choose,
    PlaceOverflow,
    Exchange,
    Swap,
    Done,
)
"""Actions that are judged one by one."""
PARTLY_JUDGED: Final = (Evolve, Create, Migrate)
"""Actions of which many are nearly alike: some are judged."""
NOT_JUDGED: Final = (RemoveTrait, SetOverflow, SetAgingOnOtherTurns)
"""Actions that are not considered while there are others: they change what comes later."""
AT_DRAWING: Final = (Draw, Discard, TakeDeep, LookDeep, Keep)
"""Actions between which the rules at the end of this module choose, without judging a position."""
_JUDGED_CHOICES_TIMES_SEATS: Final = 120
"""How many choices are judged at most, times the number of seats: with more seats each takes longer."""
_MAX_JUDGED_CHOICES: Final = 60
_MAX_DEEP_CARDS: Final = 2
"""How many Deep cards the policy holds before it draws no further one."""
_MIN_SCORE_FOR_DEEP_CARDS: Final = 4
"""The score pile from which on Deep cards are wanted: they cost points."""
_MAX_COST_DIVISOR: Final = 3
"""A Deep card may cost at most the score pile divided by this."""


def choose(view: OceansView, actions: tuple[Action, ...], stream: Stream) -> Action:
    """Choose the action after which the position looks best; among equals one at random."""
    match view.position.agenda[-1]:
        case Drawing():
            return _draw(view, actions, stream)
        case Keeping():
            return _keep(view, actions, stream)
        case _:
            candidates = _candidates(actions)
    most = min(_MAX_JUDGED_CHOICES, _JUDGED_CHOICES_TIMES_SEATS // view.position.seats)
    if len(candidates) > most:
        candidates = stream.sample_unordered(candidates, most)
    values = [_value(view, action) for action in candidates]
    best = max(values)
    return stream.choose([action for action, value in zip(candidates, values, strict=True) if value == best])


def _value(view: OceansView, action: Action) -> float:
    """Return how good the position looks after an action, what it scores or costs included."""
    assert view.viewer is not None
    after = turn.advance(view.position, action)
    return after.score_changes[view.viewer] + evaluate(after.position, view.viewer)


def _candidates(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return the actions to judge: of cards with the same trait one, and only migrations that fill the Reef.

    All actions if none is left.
    """
    found: dict[Hashable, Action] = {}
    for action in actions:
        match action:
            case Evolve(pay=pay) | Create(pay=pay) if pay not in {None, Zone.REEF}:
                pass
            case Evolve(card=card, species=species):
                found.setdefault((Evolve, TRAIT[card].code, species), action)
            case Create(card=card, place=place):
                found.setdefault((Create, TRAIT[card].code, place), action)
            case Migrate(source=source, target=Zone.REEF):
                known = found.get((Migrate, source))
                if not isinstance(known, Migrate) or NUMBER[known.card] < NUMBER[action.card]:
                    found[Migrate, source] = action
            case Migrate():
                pass
            case _ if not isinstance(action, NOT_JUDGED):
                found[action] = action
    return tuple(found.values()) or actions


# Drawing --------------------------------------------------------------------------------------------


def _draw(view: OceansView, actions: tuple[Action, ...], stream: Stream) -> Action:
    """Get a Deep card while it can be played and paid for; else draw."""
    position = view.position
    seat = position.current_player
    held = position.deep_hand_sizes[seat]
    wanted = position.cambrian_happened and not position.end_triggered and held < _MAX_DEEP_CARDS
    deep = [action for action in actions if isinstance(action, TakeDeep | LookDeep)]
    if deep and wanted and (view.score or 0) >= _MIN_SCORE_FOR_DEEP_CARDS:
        return stream.choose(deep)
    draws = [action for action in actions if isinstance(action, Draw)]
    return stream.choose(draws or actions)


def _keep(view: OceansView, actions: tuple[Action, ...], stream: Stream) -> Action:
    """Keep the strongest card that the score pile can well pay for, else the cheapest one."""
    most = max(1, (view.score or 0) // _MAX_COST_DIVISOR)

    def rank(action: Action) -> int:
        number = NUMBER[action.card] if isinstance(action, Keep) else 0
        return number if number <= most else -number

    best = max(map(rank, actions))
    return stream.choose([action for action in actions if rank(action) == best])
