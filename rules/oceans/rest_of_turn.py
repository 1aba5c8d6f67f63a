"""What the rest of a seat's turn is likely to bring: the policy plays it by simple rules.

No further card is played, the species that gets the most feeds, and the other questions are answered in the
first way offered.  What chance would decide stays open.
"""

from collections.abc import Sequence
from typing import Final

from rules.model import Action, Seat
from rules.oceans.actions import Attack, Done, EndFeeding, Forage
from rules.oceans.cards.traits import TraitFlag
from rules.oceans.engine import turn
from rules.oceans.engine.aging import aging_due, population_to_survive
from rules.oceans.engine.legal_feedings import attack_result, foraged_amount
from rules.oceans.engine.ring import find_species, owner_of
from rules.oceans.engine.turn import Transition
from rules.oceans.engine.values import POPULATION_AFTER_OVERPOPULATION, free_space_count, has_flag
from rules.oceans.model import OceansView, Position
from rules.oceans.places import parse_place
from rules.oceans.steps import Drawing, Feeding, Keeping, Playing

_MAX_CHOICES: Final = 12
"""After so many choices the turn is left where it stands."""
_SURVIVAL_VALUE: Final = 2
"""How much population it is worth that the feeding species survives this turn's Aging."""


def play_rest_of_turn(transition: Transition, seat: Seat) -> Transition:
    """Return how a seat's turn stands after its Aging, or where chance is asked before that.

    The changes of the score piles include those of the transition with which it begins.
    """
    position, score_pile_changes = transition.position, transition.score_pile_changes
    for _ in range(_MAX_CHOICES):
        if position.to_act != seat or isinstance(step := position.agenda[-1], Drawing | Keeping):
            break
        action = Done() if isinstance(step, Playing) else _likely_action(position, seat)
        after = turn.apply_and_run_agenda(position, action)
        position = after.position
        score_pile_changes = tuple(map(int.__add__, score_pile_changes, after.score_pile_changes))
    return Transition(position, score_pile_changes)


def _likely_action(position: Position, seat: Seat) -> Action:
    """Return the best feeding, or the first of the actions that answer another question."""
    # None of these actions shows a hand or a score pile.
    actions = turn.legal_actions(OceansView(position, seat, (), 0, ()))
    return _best_feeding(position, seat, actions) if isinstance(position.agenda[-1], Feeding) else actions[0]


def _best_feeding(position: Position, seat: Seat, actions: Sequence[Action]) -> Action:
    """Return the feeding that brings the most population to a seat's species; the end if none brings any."""
    gains = {
        action: _feeding_gain(position, seat, action)
        for action in actions
        if isinstance(action, Forage | Attack)
    }
    best = max(gains, key=gains.__getitem__, default=None)
    return best if best is not None and gains[best] > 0 else EndFeeding()


def _feeding_gain(position: Position, seat: Seat, action: Forage | Attack) -> int:
    """Return how much population a feeding brings its seat, and more if its species survives by it.

    Overflow does not count.  An attack on an own species brings nothing.
    """
    species = find_species(position, action.species)
    assert species is not None
    if isinstance(action, Forage):
        taken = foraged_amount(position, species, parse_place(action.source))
        if action.max_count is not None:
            taken = min(taken, action.max_count)
    else:
        if owner_of(action.target) == seat:
            return 0
        target = find_species(position, action.target)
        assert target is not None
        taken = attack_result(position, species, target, action.ignoring or ()).taken
    population = species.population + taken
    if taken == free_space_count(position, species) and not has_flag(species, TraitFlag.NEVER_OVERPOPULATES):
        population = min(population, POPULATION_AFTER_OVERPOPULATION)
    gain = population - species.population
    needed = population_to_survive(position, species, aging_due(position, species))
    return gain + _SURVIVAL_VALUE if species.population < needed <= population else gain
