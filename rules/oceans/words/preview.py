"""The preview of an action, from the public position and the player's score pile.

An action is applied to the position by the engine's own functions, up to the next question or the next
outcome of chance that the player cannot foresee.  The position holds no secret, so a preview reveals none.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from rules.game import CHANCE, Action, Names
from rules.oceans.actions import (
    Attack,
    Choose,
    Create,
    Done,
    Forage,
    Migrate,
    TakeFromScorePile,
)
from rules.oceans.causes import RuleCause
from rules.oceans.engine import turn
from rules.oceans.engine.legal_feedings import foraged_amount
from rules.oceans.engine.playing import owed_card_count
from rules.oceans.engine.ring import find_species, neighbours, owner_of
from rules.oceans.events import (
    AnyEvent,
    CambrianExploded,
    Created,
    EndTriggered,
    Extinct,
    Overpopulated,
    PopulationMoved,
    ScenarioActivated,
    ScenarioDeactivated,
    ScenarioFired,
    TurnBegan,
)
from rules.oceans.model import OceansView, Position, Species
from rules.oceans.places import ZONES, ScorePile, SpeciesBoard, parse_place
from rules.oceans.steps import Drawing, Feeding, Playing, RefillingPool, TakingFromScorePile
from rules.oceans.words.action_words import ActionWords, PreviewedChange
from rules.oceans.words.choosing import wastes_second_aging
from rules.oceans.words.extinction_warnings import endangered_keys, extinction_warning_lines
from rules.oceans.words.movements_text import cause_suffix
from rules.oceans.words.phrases import (
    ZONE_WORDS,
    card_effect_text,
    cause_text,
    scenario_text,
    species_values,
    used_spaces_text,
)
from rules.oceans.words.registry import ACTION_WORDS
from rules.oceans.words.status import task_text
from rules.oceans.words.trail_text import trail_sentences
from rules.text import capitalized, counted, listed, shortened, signed

_MAX_PREVIEW_LENGTH: Final = 900
"""Characters of a preview."""
_MAX_SHORT_PREVIEW_LENGTH: Final = 100
_OMITTED_CAUSES: Final = frozenset(RuleCause) - {
    RuleCause.FORAGE,
    RuleCause.ATTACK,
    RuleCause.RESIGNATION,
}
"""The causes whose movements are left out of the gains and losses in a short preview."""


def preview(view: OceansView, action: Action, names: Names) -> str | None:
    """Describe what a legal action would do: one effect a line, at most 900 characters; None: nothing."""
    words = ACTION_WORDS.get(type(action))
    if words is None:
        return None
    if words.preview is not None:
        return words.preview(view, action) or None
    return shortened("\n".join(_preview_lines(view, action, words, names)), _MAX_PREVIEW_LENGTH) or None


def _position_after(view: OceansView, action: Action) -> Position:
    """Return the position after an action, with all that happens until then as its trail.

    What the viewer's own score pile gives is no surprise to the viewer, and whichever card refills a pile
    of the Gene Pool changes nothing else.
    """
    transitions = [turn.apply_and_run_agenda(view.position, action)]
    while True:
        position = transitions[-1].position
        match position.agenda[-1] if position.agenda else None:
            case TakingFromScorePile(seat=seat, max_count=max_count) if seat == view.viewer:
                score = (view.score or 0) + sum(each.score_changes[seat] for each in transitions)
                outcome = TakeFromScorePile(seat, min(max_count, score))
                transitions.append(turn.apply_and_run_agenda(position, outcome))
            case RefillingPool():
                transitions.append(turn.run_agenda(replace(position, agenda=position.agenda[:-1])))
            case _:
                trail = tuple(event for each in transitions for event in each.position.trail)
                return replace(position, trail=trail)


# Lines of a preview --------------------------------------------------------------------------------------


def _preview_lines(view: OceansView, action: Action, words: ActionWords, names: Names) -> list[str]:
    """Compute an action and describe it line by line."""
    before = view.position
    after = _position_after(view, action)
    seat = before.current_player
    trail = list(after.trail)
    lines = [words.preview_opening(view, action), *_cost_and_place_lines(view, after)]
    if words.previewed_change is PreviewedChange.VALUES:
        lines += _value_lines(before, after, words.changed_species_keys(action))
    lines += trail_sentences(_remaining_events(trail, words), after, names)
    lines.append(_disclosure_text(view, action))
    if words.previewed_change is PreviewedChange.ZONES:
        lines.append(_zone_changes_text(before, after))
    elif words.previewed_change is PreviewedChange.BOARDS:
        lines.append(_populations_text(trail, after))
    if not isinstance(action, Done):
        lines += extinction_warning_lines(after, seat)
    lines.append(_next_question_text(before, after))
    return [line for line in lines if line]


def _cost_and_place_lines(view: OceansView, after: Position) -> Iterable[str]:
    """Yield what an action costs, and the neighbours of a species that it starts."""
    paid = sum(
        event.count
        for event in after.trail
        if isinstance(event, PopulationMoved) and event.cause is RuleCause.COST
    )
    if paid and view.score is not None:
        yield f"It costs {paid}: your score pile goes from {view.score} to {view.score - paid}."
    for key in _created_keys(after):
        if find_species(after, key) is None:
            continue
        left, right = neighbours(after, key)
        if left is not None and right is not None:
            if left.key == right.key:
                yield f"{key} has {left.key} on both sides."
            else:
                yield f"{key} has {left.key} on its left and {right.key} on its right."


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
            text = _value_changes_text(before, old, after, new)
            yield f"{key}: {text}." if text else f"{key}'s values stay as they are."


def _value_changes_text(before: Position, old: Species | None, after: Position, new: Species) -> str:
    new_values = species_values(after, new)
    if old is None:
        return ", ".join(f"{name} {value}" for name, value in new_values.items())
    old_values = species_values(before, old)
    return ", ".join(
        f"{name} {old_values[name]} → {value}"
        for name, value in new_values.items()
        if old_values[name] != value
    )


def _zone_changes_text(before: Position, after: Position) -> str:
    """Return what the zones that change hold before and after; empty if none does."""
    changed = _zone_changes(before, after)
    return f"{capitalized(', '.join(changed))}." if changed else ""


def _zone_changes(before: Position, after: Position) -> list[str]:
    """Return a text for each zone that changes; a colon separates its number from what it holds."""
    return [
        f"{ZONE_WORDS[zone]}: {old} → {new}"
        for zone, old, new in zip(ZONES, before.zone_populations, after.zone_populations, strict=True)
        if old != new
    ]


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
    """Whether an action has to be confirmed: an own species dies out unannounced, or this round is the last.

    The question of the feeding phase names those that would die out at Aging (``first_question``).
    """
    position, seat = view.position, view.position.current_player
    if type(action) not in ACTION_WORDS or seat != view.viewer:
        return False
    trail = _position_after(view, action).trail
    if any(isinstance(event, EndTriggered) for event in trail):
        return True
    extinct = {event.species for event in trail if isinstance(event, Extinct)}
    own_extinct = {key for key in extinct if owner_of(key) == seat}
    if own_extinct and isinstance(position.agenda[-1], Feeding):
        own_extinct -= endangered_keys(position, seat)
    return bool(own_extinct)


# Short preview --------------------------------------------------------------------------------------


def short_preview(view: OceansView, action: Action, names: Names) -> str:
    """Return what an action would do, in at most 100 characters."""
    words = ACTION_WORDS.get(type(action))
    if words is None or (words.preview is not None and words.short_preview is None):
        return ""
    if words.short_preview is not None:
        return shortened(words.short_preview(view, action), _MAX_SHORT_PREVIEW_LENGTH)
    return _computed_short_preview(view, action, words)


def _computed_short_preview(view: OceansView, action: Action, words: ActionWords) -> str:
    before = view.position
    after = _position_after(view, action)
    trail = after.trail
    feeder = action.species if isinstance(action, Forage | Attack) else ""
    for with_causes in (True, False):
        parts = [
            *_wasted_aging_parts(before, action),
            *_value_parts(before, after, action, words),
            *_population_parts(trail, feeder, with_causes=with_causes),
            *_event_parts(trail),
            *(_zone_changes(before, after) if isinstance(action, Migrate) else ()),
        ]
        if isinstance(action, Forage) and parts == _foraged_parts(before, action):
            return ""
        text = _join_fitting_parts(parts)
        if not text.endswith("…"):
            break
    return text


def _foraged_parts(before: Position, action: Forage) -> list[str]:
    """Return the gain of the species that forages, which the choice's label names already."""
    species = find_species(before, action.species)
    assert species is not None
    taken = foraged_amount(before, species, parse_place(action.source))
    return [f"{action.species} {signed(taken if action.max_count is None else min(taken, action.max_count))}"]


def _join_fitting_parts(parts: Sequence[str]) -> str:
    """Return as many parts as 100 characters hold, with "…" for those left out."""
    text = ""
    for part in parts:
        # Species that share a verb would read on from the numbers: "A2 +1, A1 and A3 die out".
        separator = ". " if " and " in part else ", "
        longer = f"{text}{separator}{part}" if text else part
        if len(longer) > _MAX_SHORT_PREVIEW_LENGTH - 2:
            return f"{text} …" if text else shortened(part, _MAX_SHORT_PREVIEW_LENGTH)
        text = longer
    return text


def _value_parts(before: Position, after: Position, action: Action, words: ActionWords) -> Iterable[str]:
    if isinstance(action, Create):
        yield card_effect_text(action.card)
        return
    keys = words.changed_species_keys(action)
    if len(keys) == 1:
        old, new = find_species(before, keys[0]), find_species(after, keys[0])
        if old is not None and new is not None and (text := _value_changes_text(before, old, after, new)):
            yield text


def _wasted_aging_parts(before: Position, action: Action) -> Iterable[str]:
    if isinstance(action, Choose) and wastes_second_aging(before, action.option):
        yield "no species ages twice"


def _population_parts(trail: Sequence[AnyEvent], feeder: str, *, with_causes: bool) -> Iterable[str]:
    """Return how much each species gains or loses, the feeder first; ``feeder``: its key, or empty.

    ``with_causes``: a gain names the card that brings it, if it is one card, and not for the feeder.
    """
    changes: dict[str, int] = {feeder: 0} if feeder else {}
    causes: dict[str, set[str]] = {}
    for event in trail:
        if isinstance(event, PopulationMoved) and event.cause not in _OMITTED_CAUSES:
            for place, count in ((event.target, event.count), (event.source, -event.count)):
                if isinstance(place, SpeciesBoard):
                    changes[place.species] = changes.get(place.species, 0) + count
                    causes.setdefault(place.species, set()).add(cause_text(event.cause))
    parts = []
    for key, count in changes.items():
        if count:
            is_explained = with_causes and count > 0 and key != feeder and len(causes[key]) == 1
            parts.append(f"{key} {signed(count)}{cause_suffix(*causes[key]) if is_explained else ''}")
    return parts


def _event_parts(trail: Sequence[AnyEvent]) -> Iterable[str]:
    """Yield texts of the events that numbers do not show."""
    overpopulated = [event.species for event in trail if isinstance(event, Overpopulated)]
    if overpopulated:
        yield f"{listed(overpopulated)} {'overpopulates' if len(overpopulated) == 1 else 'overpopulate'}"
    for event in trail:
        match event:
            case CambrianExploded():
                yield "Cambrian Explosion"
            case ScenarioActivated(scenario=code):
                yield f"{scenario_text(code)} begins"
            case ScenarioDeactivated(scenario=code):
                yield f"{scenario_text(code)} ends"
            case ScenarioFired(scenario=code):
                yield f"{scenario_text(code)} happens"
            case EndTriggered():
                yield "this round is the last"
            case _:
                pass
    extinct = [event.species for event in trail if isinstance(event, Extinct)]
    if extinct:
        yield f"{listed(extinct)} {'dies' if len(extinct) == 1 else 'die'} out"
