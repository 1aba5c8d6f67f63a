"""The policy of Oceans: feed most, keep species alive, age profitably.

The drawing phase follows fixed rules.  Any other choice is played on the public position by the engine, up
to the next question, and the result is evaluated (``rules.oceans.evaluation``).  For the best of them the
rest of the turn is played too (``rules.oceans.rest_of_turn``), which shows who dies out in its Aging.  Of
choices that are nearly alike only one is evaluated.
"""

from collections.abc import Hashable
from typing import Final

from msgspec.structs import replace

from rules.model import Action, Seat
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
    SetOverflowZone,
    Swap,
    TakeDeep,
)
from rules.oceans.cards.decks import NUMBER_BY_CARD, TRAIT_BY_CARD
from rules.oceans.engine import turn
from rules.oceans.engine.aging import aging_due, population_to_survive
from rules.oceans.engine.legal_feedings import attack_result
from rules.oceans.engine.ring import find_species, owner_of
from rules.oceans.engine.turn import Transition
from rules.oceans.evaluation import RIVAL_WEIGHT, evaluate
from rules.oceans.model import OceansView
from rules.oceans.places import Zone
from rules.oceans.rest_of_turn import play_rest_of_turn
from rules.oceans.steps import Drawing, Keeping, Playing
from rules.random_stream import RandomStream

EVALUATED_ACTION_TYPES: Final = (
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
"""Actions that are evaluated one by one."""
PARTLY_EVALUATED_ACTION_TYPES: Final = (Evolve, Create, Migrate)
"""Actions of which many are nearly alike: some are evaluated."""
FALLBACK_ACTION_TYPES: Final = (RemoveTrait, SetOverflowZone, SetAgingOnOtherTurns)
"""Actions that are considered only if there are no others: the evaluation does not see their benefit."""
DRAWING_PHASE_ACTION_TYPES: Final = (Draw, Discard, TakeDeep, LookDeep, Keep)
"""Actions of the drawing phase, chosen by fixed rules without an evaluation."""
_EVALUATIONS_TIMES_SEATS: Final = 72
"""Divided by the number of seats, this limits the evaluations: with more seats each one takes longer."""
_MAX_EVALUATIONS: Final = 28
_TURNS_TIMES_SEATS: Final = 14
"""Divided by the number of seats, this limits for how many actions the rest of the turn is played."""
_MAX_TURNS_PLAYED: Final = 5
_LOST_SPECIES_COST: Final = 3.0
"""What it costs, in points, that an own species dies out this turn: it took cards and a turn to build."""
_MAX_DEEP_CARDS: Final = 2
"""How many Deep cards the policy holds before it draws no further one."""
_MIN_SCORE_FOR_DEEP_CARDS: Final = 4
"""The smallest score pile with which the policy wants Deep cards: they cost points."""
_MAX_COST_DIVISOR: Final = 3
"""The policy prefers Deep cards that cost at most the score pile divided by this, or 1."""


def choose(view: OceansView, actions: tuple[Action, ...], stream: RandomStream) -> Action:
    """Choose the action after which the position looks best; among equals one at random.

    Drawing follows fixed rules instead.  To end the card phase and to feed are two choices, but one action.
    """
    position_at_feeding = turn.position_at_feeding(view.position)
    if position_at_feeding is None or Done() not in actions:
        return _choose(view, actions, stream)
    feedings = tuple(action for action in actions if isinstance(action, Forage | Attack))
    action = _choose(view, tuple(each for each in actions if each not in feedings), stream)
    if action != Done():
        return action
    view_at_feeding = replace(view, position=position_at_feeding)
    feeding = _choose(view_at_feeding, (*feedings, EndFeeding()), stream)
    return feeding if feeding in feedings else action


def _choose(view: OceansView, actions: tuple[Action, ...], stream: RandomStream) -> Action:
    match view.position.agenda[-1]:
        case Drawing():
            return _choose_drawing_action(view, actions, stream)
        case Keeping():
            return _choose_keep(view, actions, stream)
        case _:
            candidates = tuple(
                action for action in _candidates(view, actions) if not _starves_own_species(view, action)
            )
    limit = min(_MAX_EVALUATIONS, _EVALUATIONS_TIMES_SEATS // view.position.seat_count)
    if len(candidates) == 1:
        return candidates[0]
    if len(candidates) > limit:
        candidates = stream.sample_unordered(candidates, limit)
    return stream.choose_best(*_evaluate_turns(view, candidates))


def _evaluate_turns(view: OceansView, actions: tuple[Action, ...]) -> tuple[tuple[Action, ...], list[float]]:
    """Return the actions that look best at once, and for each the value when this turn's Aging is over."""
    assert view.viewer is not None
    seat = view.viewer
    after = {action: turn.apply_and_run_agenda(view.position, action) for action in actions}
    turn_limit = min(_MAX_TURNS_PLAYED, _TURNS_TIMES_SEATS // view.position.seat_count)
    if len(actions) > turn_limit:
        is_to_feed = isinstance(view.position.agenda[-1], Playing)
        first_values = {
            action: _transition_value(after[action], seat, is_to_feed=is_to_feed) for action in actions
        }
        actions = tuple(sorted(actions, key=first_values.__getitem__, reverse=True)[:turn_limit])
    values = []
    for action in actions:
        end = play_rest_of_turn(after[action], seat)
        species_count = len(view.position.rows[seat]) + isinstance(action, Create)
        lost_count = species_count - len(end.position.rows[seat])
        values.append(_transition_value(end, seat) - _LOST_SPECIES_COST * lost_count)
    return actions, values


def _transition_value(transition: Transition, seat: Seat, *, is_to_feed: bool = False) -> float:
    """Return the value of a position for a seat, plus what was scored and paid on the way to it."""
    scored = transition.score_pile_changes[seat]
    scored_by_rivals = sum(transition.score_pile_changes) - scored
    return (
        scored - RIVAL_WEIGHT * scored_by_rivals + evaluate(transition.position, seat, is_to_feed=is_to_feed)
    )


def _starves_own_species(view: OceansView, action: Action) -> bool:
    """Whether an attack takes from an own species what it needs to survive this turn's Aging."""
    if not isinstance(action, Attack) or owner_of(action.target) != view.viewer:
        return False
    position = view.position
    attacker, target = find_species(position, action.species), find_species(position, action.target)
    assert attacker is not None
    assert target is not None
    needed = population_to_survive(position, target, aging_due(position, target))
    taken = attack_result(position, attacker, target, action.ignoring or ()).taken
    return target.population - taken < needed <= target.population


def _candidates(view: OceansView, actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Return the actions to evaluate; all actions if what is left out would leave none.

    Of cards with the same trait only one is evaluated for each species and for a new one at each end of the
    row, with its cost paid to the Reef.  Of migrations there is one from each zone to the Reef, that of the
    highest number, and one to each other zone, that of the lowest: it gets rid of a card.
    ``FALLBACK_ACTION_TYPES`` are left out.
    """
    assert view.viewer is not None
    row_length = len(view.position.rows[view.viewer])
    candidates: dict[Hashable, Action] = {}
    for action in actions:
        match action:
            case Evolve(pay=pay) | Create(pay=pay) if pay not in {None, Zone.REEF}:
                pass
            case Create(place=place) if 0 < place < row_length:
                pass
            case Evolve(card=card, species=species):
                candidates.setdefault((Evolve, TRAIT_BY_CARD[card].code, species), action)
            case Create(card=card, place=place):
                candidates.setdefault((Create, TRAIT_BY_CARD[card].code, place), action)
            case Migrate(source=source, target=Zone.REEF):
                best = candidates.get((Migrate, source))
                if not isinstance(best, Migrate) or NUMBER_BY_CARD[best.card] < NUMBER_BY_CARD[action.card]:
                    candidates[Migrate, source] = action
            case Migrate(target=target):
                best = candidates.get((Migrate, "to", target))
                if not isinstance(best, Migrate) or NUMBER_BY_CARD[best.card] > NUMBER_BY_CARD[action.card]:
                    candidates[Migrate, "to", target] = action
            case _ if not isinstance(action, FALLBACK_ACTION_TYPES):
                candidates[action] = action
    return tuple(candidates.values()) or actions


# Drawing --------------------------------------------------------------------------------------------


def _choose_drawing_action(view: OceansView, actions: tuple[Action, ...], stream: RandomStream) -> Action:
    """Choose to get a Deep card while one can be played and paid for; else choose to draw."""
    position = view.position
    seat = position.current_player
    deep_card_count = position.deep_hand_sizes[seat]
    wants_deep_card = (
        position.cambrian_happened and not position.end_triggered and deep_card_count < _MAX_DEEP_CARDS
    )
    deep_actions = [action for action in actions if isinstance(action, TakeDeep | LookDeep)]
    if deep_actions and wants_deep_card and (view.score_pile or 0) >= _MIN_SCORE_FOR_DEEP_CARDS:
        return stream.choose(deep_actions)
    draws = [action for action in actions if isinstance(action, Draw)]
    return stream.choose(draws or actions)


def _choose_keep(view: OceansView, actions: tuple[Action, ...], stream: RandomStream) -> Action:
    """Choose to keep the most expensive card that the score pile can well pay for, else the cheapest one."""
    max_cost = max(1, (view.score_pile or 0) // _MAX_COST_DIVISOR)

    def rank(action: Action) -> int:
        number = NUMBER_BY_CARD[action.card] if isinstance(action, Keep) else 0
        return number if number <= max_cost else -number

    best = max(map(rank, actions))
    return stream.choose([action for action in actions if rank(action) == best])
