"""The preview of an action, from the public position and the player's score pile.

An action is applied to the position by the engine's own functions, up to the next question or the next
outcome of chance that the player cannot foresee.  The position holds no secret, so a preview reveals none.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from rules.model import CHANCE, Action, Names
from rules.oceans.actions import Done, LookDeep, Migrate, TakeDeep
from rules.oceans.causes import RuleCause
from rules.oceans.engine import turn
from rules.oceans.engine.drawing import next_deep_card_is_the_sixth
from rules.oceans.engine.playing import owed_card_count
from rules.oceans.engine.ring import find_species, neighbours, owner_of
from rules.oceans.events import (
    AnyEvent,
    CambrianExploded,
    Created,
    EndTriggered,
    Extinct,
    PopulationMoved,
    ScenarioActivated,
    ScenarioFired,
    TurnBegan,
)
from rules.oceans.model import OceansView, Position
from rules.oceans.places import ScorePile, SpeciesBoard
from rules.oceans.steps import Drawing, Feeding, PlacingOverflow, Playing, TakingFromScorePile, Trimming
from rules.oceans.words.action_words import ActionWords, PreviewedChange
from rules.oceans.words.extinction_rescues import removal_texts
from rules.oceans.words.extinction_warnings import asks_about_aging, endangered_keys, extinction_warning_lines
from rules.oceans.words.lookahead import certain_extinctions, position_after, view_at
from rules.oceans.words.phrases import used_spaces_text
from rules.oceans.words.registry import ACTION_WORDS
from rules.oceans.words.short_preview import awaited_take_parts, value_changes_text, zone_change_texts
from rules.oceans.words.status import task_text
from rules.oceans.words.trail_text import trail_texts
from rules.text import capitalized, counted, shortened

_MAX_PREVIEW_LENGTH: Final = 900
"""Characters of a preview."""
_CONFIRMED_EVENTS: Final = EndTriggered | CambrianExploded | ScenarioActivated | ScenarioFired
"""Events for the whole table: what brings one about has to be confirmed."""


def preview(view: OceansView, action: Action, names: Names) -> str | None:
    """Describe what a legal action would do: one effect a line, at most 900 characters; None: nothing."""
    words = ACTION_WORDS.get(type(action))
    if words is None:
        return None
    if words.preview is not None:
        return words.preview(view, action) or None
    lines = []
    if turn.is_first_feeding(view.position, action):
        view = view_at(view, action)
        lines += trail_texts(view.position.trail, view.position, names)
    lines += _preview_lines(view, action, words, names)
    return shortened("\n".join(lines), _MAX_PREVIEW_LENGTH) or None


# Lines of a preview --------------------------------------------------------------------------------------


def _preview_lines(view: OceansView, action: Action, words: ActionWords, names: Names) -> list[str]:
    """Compute an action and describe it line by line."""
    before = view.position
    after = position_after(view, action)
    seat = before.current_player
    trail = list(after.trail)
    lines = [words.preview_opening(view, action), *_cost_and_place_lines(view, after)]
    if words.previewed_change is PreviewedChange.VALUES:
        lines += _value_lines(before, after, words.changed_species_keys(action))
    lines += trail_texts(_remaining_events(trail, words), after, names)
    lines += [f"{part}." for part in awaited_take_parts(after, names)]
    lines.append(_disclosure_text(view, action))
    if words.previewed_change is PreviewedChange.ZONES:
        lines.append(_zone_changes_text(before, after))
    elif words.previewed_change is PreviewedChange.POPULATIONS:
        lines.append(_populations_text(trail, after))
    if not isinstance(action, Done):
        lines += extinction_warning_lines(
            after, seat, certain_extinctions(view, after), removal_texts(view, after)
        )
    lines.append(_next_question_text(before, after))
    return [line for line in lines if line]


def _cost_and_place_lines(view: OceansView, after: Position) -> Iterable[str]:
    """Yield what an action costs, and the neighbours of a species that it starts."""
    paid = sum(
        event.count
        for event in after.trail
        if isinstance(event, PopulationMoved) and event.cause is RuleCause.COST
    )
    if paid and view.score_pile is not None:
        yield f"It costs {paid}: your score pile goes from {view.score_pile} to {view.score_pile - paid}."
    for key in _created_keys(after):
        if find_species(after, key) is None:
            continue
        left, right = neighbours(after, key)
        if left is not None and right is not None:
            if left.key == right.key:
                yield f"{key} has {left.key} on both sides."
            else:
                yield f"{key} stands between {left.key} and {right.key}."


def _disclosure_text(view: OceansView, action: Action) -> str:
    """Return what the others learn of the viewer's score pile if a card makes it give population."""
    agenda = turn.apply_and_run_agenda(view.position, action).position.agenda
    match agenda[-1] if agenda else None:
        case TakingFromScorePile(seat=seat, max_count=max_count) if seat == view.viewer:
            return f"The others see whether your score pile holds {max_count}."
        case _:
            return ""


def _created_keys(after: Position) -> tuple[str, ...]:
    """Return the keys of the species that the action started."""
    return tuple(event.species for event in after.trail if isinstance(event, Created))


def _remaining_events(trail: Sequence[AnyEvent], words: ActionWords) -> list[AnyEvent]:
    """Return the events that the label does not name, but no beginning of a turn.

    A label names no score pile, so what goes to one remains.
    """
    remaining = list(trail)
    for event_type in words.preview_omits_first_of:
        _remove_first(remaining, [event for event in remaining if isinstance(event, event_type)])
    if words.preview_omits_cause is not None:
        movements = [
            event
            for event in remaining
            if isinstance(event, PopulationMoved)
            and event.cause is words.preview_omits_cause
            and not isinstance(event.target, ScorePile)
        ]
        _remove_first(remaining, movements)
    return [event for event in remaining if not isinstance(event, TurnBegan)]


def _remove_first(trail: list[AnyEvent], matching: Sequence[AnyEvent]) -> None:
    if matching:
        trail.remove(matching[0])


# Values, zones, populations -------------------------------------------------------------------------


def _value_lines(before: Position, after: Position, keys: tuple[str, ...]) -> Iterable[str]:
    """Yield how the values of the species ``keys`` change, then all values of a new species."""
    for key in (*keys, *_created_keys(after)):
        old, new = find_species(before, key), find_species(after, key)
        if new is not None:
            text = value_changes_text(before, old, after, new)
            yield f"{key}: {text}." if text else f"{key}'s values stay as they are."


def _zone_changes_text(before: Position, after: Position) -> str:
    """Return what the zones that change hold before and after; empty if none does."""
    changed = zone_change_texts(before, after)
    return f"{capitalized(', '.join(changed))}." if changed else ""


def _populations_text(trail: Sequence[AnyEvent], after: Position) -> str:
    """Return how full the boards are whose population changed."""
    changed_keys = [
        place.species
        for event in trail
        if isinstance(event, PopulationMoved)
        for place in (event.target, event.source)
        if isinstance(place, SpeciesBoard)
    ]
    board_texts = [
        f"{key} {used_spaces_text(after, species)}"
        for key in dict.fromkeys(changed_keys)
        if (species := find_species(after, key)) is not None
    ]
    return f"Afterwards: {', '.join(board_texts)}." if board_texts else ""


def _next_question_text(before: Position, after: Position) -> str:
    """Return what the player would be asked next; empty if that is obvious."""
    if after.to_act in {None, CHANCE} or not after.agenda:
        return ""
    step = after.agenda[-1]
    if isinstance(step, Playing):
        owed_count = owed_card_count(after)
        return f"Then you have {counted(owed_count, 'card')} left to play." if owed_count else ""
    if after.agenda[:-1] == before.agenda[:-1] and type(step) is type(before.agenda[-1]):
        return ""
    if after.current_player != before.current_player or isinstance(step, Drawing | Feeding):
        return ""
    return f"Next you are asked to {task_text(after, step)}."


def needs_confirmation(view: OceansView, action: Action) -> bool:
    """Whether an action has to be confirmed, for what it brings to the table or to an own species.

    - The last round.
    - What lets the Cambrian Explosion or a Scenario begin, or lets an event happen.
    - A migration that ends a Scenario, if an own species then has too many traits or too much population.
    - An own species that dies out unannounced: the questions of the feeding phase, on overflow and before
      Aging name those that would die out.
    - The Deep card that fills a hand before the Cambrian Explosion.
    - A feeding that ends the card phase, if ending that has to be confirmed.
    """
    if turn.is_first_feeding(view.position, action):
        return needs_confirmation(view, Done()) or needs_confirmation(view_at(view, action), action)
    position, seat = view.position, view.position.current_player
    if type(action) not in ACTION_WORDS or seat != view.viewer:
        return False
    if isinstance(action, TakeDeep | LookDeep):
        return next_deep_card_is_the_sixth(position)
    after = position_after(view, action)
    trail = after.trail
    if any(isinstance(event, _CONFIRMED_EVENTS) for event in trail):
        return True
    step_after = after.agenda[-1] if after.agenda else None
    if isinstance(action, Migrate) and isinstance(step_after, PlacingOverflow | Trimming):
        return True
    extinct = {event.species for event in trail if isinstance(event, Extinct)}
    if not isinstance(position.agenda[-1], Playing):  # what is doomed before the feeding is no card's doing
        extinct.update(certain_extinctions(view, after))
    own_extinct = {key for key in extinct if owner_of(key) == seat}
    if own_extinct and (isinstance(position.agenda[-1], Feeding) or asks_about_aging(position)):
        own_extinct -= endangered_keys(position, seat)
    if own_extinct and isinstance(position.agenda[-1], PlacingOverflow):
        own_extinct.difference_update(certain_extinctions(view, position))
    return bool(own_extinct)
