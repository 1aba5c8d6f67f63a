"""Movements of population in sentences."""

import enum
from collections.abc import Sequence
from typing import Final

from rules.model import Names
from rules.narration import Sentence, SentenceKind
from rules.oceans.cards.decks import SCENARIO_BY_CODE, TRAIT_BY_CARD
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Leech
from rules.oceans.causes import Cause, RuleCause, ScenarioCause, TraitCause
from rules.oceans.engine.values import POPULATION_AFTER_OVERPOPULATION
from rules.oceans.events import PopulationMoved
from rules.oceans.places import Place, Reserve, ScorePile, SpeciesBoard, Supply, Zone, place_code
from rules.oceans.words.phrases import cause_text, place_text
from rules.text import listed

OVERFLOW_END: Final = f"{POPULATION_AFTER_OVERPOPULATION} stay"
"""Ends a sentence on overflow."""


def _is_gain(cause: Cause) -> bool:
    """Whether population that this cause moves from an unowned place to a species is a gain."""
    if isinstance(cause, ScenarioCause):
        return SCENARIO_BY_CODE[cause.code].effect is not Effect.FOOD_SURGE
    return isinstance(cause, TraitCause) and TRAIT_BY_CARD[cause.card].gain > 0


def _is_leeching(cause: Cause) -> bool:
    """Whether a cause is a leeching trait."""
    if not isinstance(cause, TraitCause):
        return False
    return any(isinstance(ability, Leech) for ability in TRAIT_BY_CARD[cause.card].abilities)


class _MovementKind(enum.Enum):
    """How a movement is described."""

    GAIN = "gain"
    INTAKE = "intake"
    """From an unowned place to a species, but no gain."""
    TAKE = "take"
    LOSE = "lose"
    OVERFLOW = "overflow"
    FLOW = "flow"
    """From one unowned place to another."""
    SCORE_PILE = "score-pile"
    """To or from a score pile."""


def _is_unowned(place: Place) -> bool:
    """Whether population there belongs to no player: a zone, the reserve or the supply."""
    return isinstance(place, Zone | Reserve | Supply)


def sentence_key(movement: PopulationMoved) -> tuple[_MovementKind, object, object, object]:
    """Return what consecutive movements must share to stand in one sentence: kind, cause, source, target."""
    source, target = movement.source, movement.target
    cause = cause_text(movement.cause) or movement.cause
    if cause is RuleCause.OVERFLOW:
        return _MovementKind.OVERFLOW, None, None, None
    if _is_unowned(source) and isinstance(target, SpeciesBoard):
        is_gain = _is_gain(movement.cause)
        return (
            (_MovementKind.GAIN, None, None, None) if is_gain else (_MovementKind.INTAKE, cause, None, None)
        )
    if _is_unowned(source) and _is_unowned(target):
        return _MovementKind.FLOW, cause, source, target
    if isinstance(source, SpeciesBoard) and isinstance(target, SpeciesBoard):
        return _MovementKind.TAKE, cause, None, None
    if isinstance(source, SpeciesBoard) and _is_unowned(target):
        return _MovementKind.LOSE, cause, None, target
    return _MovementKind.SCORE_PILE, cause, source if isinstance(source, ScorePile) else target, None


def movements_sentence(movements: list[PopulationMoved], names: Names) -> str | Sentence:
    """Return the sentence for consecutive movements of the same key; empty if an earlier event says it."""
    first = movements[0]
    total = sum(movement.count for movement in movements)
    suffix = cause_suffix(cause_text(first.cause))
    match sentence_key(first)[0]:
        case _MovementKind.GAIN:
            return _gains_text(movements, names)
        case _MovementKind.INTAKE:
            return f"{_intakes_text(movements)} from {_sources_text(movements, names)}{suffix}."
        case _MovementKind.TAKE:
            return f"{_takes_text(movements)}{suffix}."
        case _MovementKind.OVERFLOW:
            return overflow_text(movements, names)
        case _MovementKind.LOSE:
            keys = [place_code(movement.source) for movement in movements]
            lost = [
                f"{key}{' loses' if i == 0 else ''} {movement.count}"
                for i, (key, movement) in enumerate(zip(keys, movements, strict=True))
            ]
            text = f"{listed(lost)} to {place_text(first.target, names)}{suffix}."
            return Sentence(text, SentenceKind.GAIN_OR_LOSS)
        case _MovementKind.FLOW if first.cause is RuleCause.END_TRIGGERED:
            return ""  # the event before it says so
        case _MovementKind.FLOW:
            target = place_text(first.target, names)
            source = place_text(first.source, names)
            return f"{total} {go_or_goes(total)} from {source} to {target}{suffix}."
        case _MovementKind.SCORE_PILE:
            return _score_pile_sentence(movements, total, suffix, names)


def _gains_text(movements: list[PopulationMoved], names: Names) -> str:
    """Describe what each species gained, from where, and why."""
    counts: dict[str, int] = {}
    causes: dict[str, list[str]] = {}
    for movement in movements:
        key = place_code(movement.target)
        counts[key] = counts.get(key, 0) + movement.count
        causes.setdefault(key, []).append(cause_text(movement.cause))
    distinct_causes = {cause for causes_of_species in causes.values() for cause in causes_of_species}
    only_cause = next(iter(distinct_causes)) if len(distinct_causes) == 1 else ""
    end = f" from {_sources_text(movements, names)}{cause_suffix(only_cause)}."
    if len(distinct_causes) == 1 and len(counts) > 1 and len({*counts.values()}) == 1:
        return f"{listed(tuple(counts))} gain {next(iter(counts.values()))} each{end}"
    parts: list[str] = []
    for key, count in counts.items():
        own_causes = ", ".join(dict.fromkeys(cause for cause in causes[key] if cause))
        suffix = cause_suffix(own_causes) if len(distinct_causes) > 1 else ""
        verb = " gains" if not parts or suffix else ""
        parts.append(f"{key}{verb} {count}{suffix}")
    return f"{listed(parts)}{end}"


def _intakes_text(movements: list[PopulationMoved]) -> str:
    """Describe how much each species takes from unowned places: "A1 takes 3 and B2 1"."""
    counts: dict[str, int] = {}
    for movement in movements:
        key = place_code(movement.target)
        counts[key] = counts.get(key, 0) + movement.count
    return listed([f"{key}{'' if i else ' takes'} {count}" for i, (key, count) in enumerate(counts.items())])


def _takes_text(movements: list[PopulationMoved]) -> str:
    verb = "leeches" if _is_leeching(movements[0].cause) else "takes"
    taker = place_code(movements[0].target)
    counts: dict[tuple[str, str], int] = {}  # several traits of a species may take from the same one
    for movement in movements:
        ends = place_code(movement.target), place_code(movement.source)
        counts[ends] = counts.get(ends, 0) + movement.count
    parts = [(target, count, source) for (target, source), count in counts.items()]
    if len({target for target, _, _ in parts}) > 1 or len(parts) == 1:
        return listed([f"{target} {verb} {count} from {source}" for target, count, source in parts])
    if len({count for _, count, _ in parts}) == 1:
        return f"{taker} {verb} {parts[0][1]} each from {listed([source for _, _, source in parts])}"
    return f"{taker} {verb} " + listed([f"{count} from {source}" for _, count, source in parts])


def _sources_text(movements: list[PopulationMoved], names: Names) -> str:
    return listed(list(dict.fromkeys(place_text(movement.source, names) for movement in movements)))


def _score_pile_sentence(
    movements: list[PopulationMoved], total: int, suffix: str, names: Names
) -> str | Sentence:
    """Describe movements to or from a score pile; ``suffix``: from ``cause_suffix``."""
    first = movements[0]
    source_text, target_text = place_text(first.source, names), place_text(first.target, names)
    if isinstance(first.source, ScorePile):
        payer = names[first.source.seat]
        if first.cause is RuleCause.COST:
            return f"{payer} pays {total} to {target_text}."
        if isinstance(first.target, SpeciesBoard):
            return f"{target_text} takes {total} from {source_text}{suffix}."
        return f"{total} of {payer}'s score {go_or_goes(total)} to {target_text}{suffix}."
    assert isinstance(first.target, ScorePile)
    text = f"{names[first.target.seat]} scores {total} from {_sources_text(movements, names)}{suffix}."
    return Sentence(text, SentenceKind.GAIN_OR_LOSS)


def cause_suffix(text: str) -> str:
    """Return the text of a cause in parentheses, to stand after what it moved; empty if it has none."""
    return f" ({text})" if text else ""


def overflow_text(movements: Sequence[PopulationMoved], names: Names) -> str:
    """Return a sentence on where the overflow of each species goes."""
    parts = [
        f"{place_text(movement.source, names)}'s {movement.count} to {place_text(movement.target, names)}"
        for movement in movements
    ]
    stay_text = OVERFLOW_END if len(movements) == 1 else f"{OVERFLOW_END} on each"
    return f"Overflow: {listed(parts)}, {stay_text}."


def go_or_goes(count: int) -> str:
    """Return the verb for a count."""
    return "goes" if count == 1 else "go"
