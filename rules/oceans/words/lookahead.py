"""What an action leads to, as far as its actor can know: the position before the next choice or surprise.

From there on, what is certain: the species that die out whatever their owner chooses.
"""

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from rules.model import Action, Seat
from rules.oceans.actions import Done, EndFeeding, RemoveTrait, TakeFromScorePile
from rules.oceans.engine import turn
from rules.oceans.engine.ring import find_species, species_clockwise
from rules.oceans.events import SpeciesHandedOver
from rules.oceans.model import OceansView, Position
from rules.oceans.steps import (
    Choosing,
    Feeding,
    PlacingOverflow,
    RefillingPool,
    TakingFromScorePile,
    Trimming,
)
from rules.oceans.words.extinction_warnings import (
    aging_is_to_come,
    asks_about_aging,
    endangered_keys,
    endangered_keys_of_others,
    missing_amounts,
)

_MAX_POSITIONS: Final = 20
"""How many different positions a search for certain extinctions or for a rescue looks at: with 40 some took
50 ms, with 20 at most 11."""


@lru_cache(maxsize=16)
def view_at_feeding(view: OceansView) -> OceansView | None:
    """Return the view in which a species feeds that is chosen now; None outside the card phase.

    As ``turn.position_at_feeding``, whose trail its position has.
    """
    position = turn.position_at_feeding(view.position)
    return None if position is None else replace(view, position=position)


def view_at(view: OceansView, action: Action) -> OceansView:
    """Return the view in which an action takes place: of a feeding that ends the card phase a later one."""
    if turn.is_first_feeding(view.position, action):
        return view_at_feeding(view) or view
    return view


@lru_cache(maxsize=64)
def position_after(view: OceansView, action: Action) -> Position:
    """Return the position after an action, with all that happens until then as its trail.

    What the viewer's own score pile gives is no surprise to the viewer, and whichever card refills a pile
    of the Gene Pool changes nothing else.  Cached, as labels, previews and questions of a panel ask alike.
    """
    transitions = [turn.apply_and_run_agenda(view.position, action)]
    while True:
        position = transitions[-1].position
        match position.agenda[-1] if position.agenda else None:
            case TakingFromScorePile(seat=seat, max_count=max_count) if seat == view.viewer:
                score = (view.score_pile or 0) + sum(each.score_pile_changes[seat] for each in transitions)
                outcome = TakeFromScorePile(seat, min(max_count, score))
                transitions.append(turn.apply_and_run_agenda(position, outcome))
            case RefillingPool():
                transitions.append(turn.run_agenda(replace(position, agenda=position.agenda[:-1])))
            case _:
                trail = tuple(event for each in transitions for event in each.position.trail)
                return replace(position, trail=trail)


@lru_cache(maxsize=64)
def certain_extinctions(view: OceansView, after: Position) -> tuple[str, ...]:
    """Return the species that die out at the viewer's coming Aging whatever the viewer chooses until then.

    ``after``: the position after an action of the viewer (``position_after``).  Where the search for a
    way out would take too long, chance or another player comes in, or species get other owners and keys,
    nothing is certain.  Cached as ``position_after`` is.
    """
    seat = view.viewer
    if seat is None or after.to_act != seat:
        return ()
    doomed = _doomed_keys(replace(view, position=after), seat, _endangered_keys_of_all(after, seat), {})
    return tuple(species.key for species in species_clockwise(after, seat) if species.key in doomed)


def doomed_keys_without_removal(view: OceansView, keys: frozenset[str]) -> frozenset[str]:
    """Return those of the viewer's species that die out whatever is chosen next, but for removals of traits.

    Nothing is certain where nothing is in ``certain_extinctions``.
    """
    assert view.viewer is not None
    return _doomed_keys(view, view.viewer, keys, {}, may_remove_traits=False)


def _endangered_keys_of_all(position: Position, seat: Seat) -> frozenset[str]:
    return endangered_keys(position, seat) | endangered_keys_of_others(position, seat)


def _doomed_keys(
    view: OceansView,
    seat: Seat,
    keys: frozenset[str],
    found: dict[OceansView, frozenset[str]],
    *,
    may_remove_traits: bool = True,
) -> frozenset[str]:
    """Return those of ``keys`` that die out whatever is chosen.

    ``found``: those of each view that was looked at, to which this adds; orders of feeding that end alike
    are one view.  ``may_remove_traits``: whether that counts as a choice now.
    """
    position = view.position
    died = frozenset(key for key in keys if find_species(position, key) is None)
    keys = died | (keys & _endangered_keys_of_all(position, seat))
    step = position.agenda[-1] if position.agenda else None
    if keys == died or position.to_act != seat:
        return died
    if asks_about_aging(position):
        return keys
    if not isinstance(step, Feeding | PlacingOverflow | Trimming | Choosing):
        return died  # too much may still happen
    for action in turn.legal_actions(view):
        if isinstance(action, RemoveTrait) and not may_remove_traits:
            continue
        position = position_after(view, action)
        if hands_over_species(position):
            return died  # a key that is gone may be that of a species that lives on
        after = replace(view, position=replace(position, trail=()))
        if after not in found:
            if len(found) == _MAX_POSITIONS:
                return died
            found[after] = frozenset()  # counts at once, as the search below it adds more
            found[after] = _doomed_keys(after, seat, keys, found)
        keys = died | (keys & found[after])
        if keys == died:
            break
    return keys


def finds_rescue(
    view: OceansView, key: str, tried_views: set[tuple[str, OceansView]], *, may_remove_traits: bool
) -> bool:
    """Whether choices of the viewer are found after which a species lives past this turn's Aging.

    ``tried_views``: those looked at in vain, by species, in this and earlier searches, to which this adds;
    with ``_MAX_POSITIONS`` of them it ends.  What depends on chance or on another player is no rescue.
    """
    position = view.position
    if find_species(position, key) is None:
        return False
    if not aging_is_to_come(position):
        return True
    if position.to_act is None or position.to_act != view.viewer:
        return False
    is_safe = key not in missing_amounts(position, position.to_act)

    def search_rank(action: Action) -> tuple[bool, bool]:
        ends_feeding = isinstance(action, Done | EndFeeding)
        return ends_feeding is not is_safe, getattr(action, "species", key) != key

    for action in sorted(turn.legal_actions(view), key=search_rank):
        if isinstance(action, RemoveTrait) and not may_remove_traits:
            continue
        if len(tried_views) == _MAX_POSITIONS:
            return False
        after = position_after(view, action)
        view_after = replace(view, position=replace(after, trail=()))
        if hands_over_species(after) or (key, view_after) in tried_views:
            continue
        tried_views.add((key, view_after))
        if finds_rescue(view_after, key, tried_views, may_remove_traits=may_remove_traits):
            return True
    return False


def hands_over_species(after: Position) -> bool:
    """Whether species get other owners, and keys, on the way to a position after an action."""
    return any(isinstance(event, SpeciesHandedOver) for event in after.trail)
