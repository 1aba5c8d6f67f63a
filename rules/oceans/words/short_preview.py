"""What an action would do, in at most 100 characters."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from rules.model import Action, Names, Seat
from rules.oceans.actions import Attack, Choose, Create, EndFeeding, Forage, Migrate, RemoveTrait
from rules.oceans.causes import RuleCause
from rules.oceans.engine.feeding import can_feed
from rules.oceans.engine.legal_feedings import allowed_feedings, foraged_amount
from rules.oceans.engine.ring import find_species
from rules.oceans.engine.values import free_space_count, may_overpopulate
from rules.oceans.events import (
    AnyEvent,
    CambrianExploded,
    EndTriggered,
    Extinct,
    Overpopulated,
    PopulationMoved,
    ScenarioActivated,
    ScenarioDeactivated,
    ScenarioFired,
    TraitRemoved,
)
from rules.oceans.model import OceansView, Position, Species
from rules.oceans.places import ZONES, ScorePile, SpeciesBoard, Zone, parse_place
from rules.oceans.steps import PlacingOverflow, TakingFromScorePile
from rules.oceans.words.action_words import ActionWords
from rules.oceans.words.choosing import takes_from_empty_pile, wastes_second_aging
from rules.oceans.words.extinction_warnings import asks_about_aging, endangered_keys
from rules.oceans.words.feeding import has_fed
from rules.oceans.words.lookahead import certain_extinctions, position_after, view_at
from rules.oceans.words.movements_text import cause_suffix
from rules.oceans.words.phrases import (
    ZONE_WORDS,
    card_effect_text,
    card_text,
    cause_text,
    place_text,
    scenario_text,
    species_value_texts,
)
from rules.oceans.words.registry import ACTION_WORDS
from rules.text import listed, shortened, signed

_MAX_SHORT_PREVIEW_LENGTH: Final = 100
_MAX_UNFINISHED_LENGTH: Final = _MAX_SHORT_PREVIEW_LENGTH - 2
"""The most characters of parts behind which " …" may stand."""
_OMITTED_CAUSES: Final = frozenset(RuleCause) - {
    RuleCause.FORAGE,
    RuleCause.ATTACK,
    RuleCause.RESIGNATION,
}
"""The causes whose movements are left out of the gains and losses in a short preview."""
_EXPECTED_SCORE_CAUSES: Final = frozenset({RuleCause.AGING, RuleCause.COST, RuleCause.RESIGNATION})
"""The causes by which score piles change as every player expects."""
CAMBRIAN_NAME: Final = "Cambrian Explosion"
_ZONE_CODES: Final = frozenset(zone.value for zone in ZONES)


def short_preview(view: OceansView, action: Action, names: Names) -> str:
    """Return what an action would do, in at most 100 characters."""
    view = view_at(view, action)
    words = ACTION_WORDS.get(type(action))
    if words is None or (words.preview is not None and words.short_preview is None):
        return ""
    if words.short_preview is not None:
        return shortened(words.short_preview(view, action), _MAX_SHORT_PREVIEW_LENGTH)
    text = _computed_short_preview(view, action, words, names)
    if text and isinstance(action, EndFeeding) and can_feed(view.position, view.position.current_player):
        # read aloud, it comes before the name of the choice
        return shortened(
            f"without {'more' if has_fed(view.position) else 'any'} feeding: {text}",
            _MAX_SHORT_PREVIEW_LENGTH,
        )
    return text


def _computed_short_preview(view: OceansView, action: Action, words: ActionWords, names: Names) -> str:
    before = view.position
    after = position_after(view, action)
    trail = after.trail
    feeder = action.species if isinstance(action, Forage | Attack) else ""
    for with_causes in (True, False):
        parts = [
            *_fruitless_choice_parts(view, action),
            *_value_parts(before, after, action, words),
            *_population_parts(trail, feeder, with_causes=with_causes),
            *_full_board_parts(before, trail, feeder),
            *awaited_take_parts(after),
            *_score_parts(trail, before.current_player, names),
            *_lost_trait_parts(trail, action),
            *_overpopulation_parts(before, trail, action),
            *_extinction_parts(view, action, after),
            *table_event_parts(trail),
            *(zone_change_texts(before, after) if _moves_between_zones(action) else ()),
        ]
        if isinstance(action, Forage) and parts == _foraged_parts(before, action):
            return ""
        if len(_join_parts(parts)) <= _MAX_UNFINISHED_LENGTH:
            break
    return _join_fitting_parts(parts)


def short_warning(view: OceansView, action: Action, names: Names) -> str:
    """Return who overpopulates or dies out by a feeding, and what it begins or ends for the whole table."""
    if not isinstance(action, Forage | Attack):
        return ""
    view = view_at(view, action)
    before, after = view.position, position_after(view, action)
    parts = [
        *_overpopulation_parts(before, after.trail, action),
        *_certain_extinction_parts(view, action, after),
        *table_event_parts(after.trail),
    ]
    return _join_fitting_parts(parts)


def _foraged_parts(before: Position, action: Forage) -> list[str]:
    """Return the gain of the species that forages, which the choice's label names already."""
    species = find_species(before, action.species)
    assert species is not None
    taken = foraged_amount(before, species, parse_place(action.source))
    return [f"{action.species} {signed(taken if action.max_count is None else min(taken, action.max_count))}"]


def _join_fitting_parts(parts: Sequence[str]) -> str:
    """Return as many parts as 100 characters hold, with "…" for those left out."""
    for count in range(len(parts), 0, -1):
        text = _join_parts(parts[:count])
        if len(text) <= _MAX_UNFINISHED_LENGTH:
            return text if count == len(parts) else f"{text} …"
    return shortened(_join_parts(parts[:1]), _MAX_SHORT_PREVIEW_LENGTH)


def _join_parts(parts: Sequence[str]) -> str:
    text = ""
    for part in parts:
        # Species that share a verb would read on from the numbers: "A2 +1, A1 and A3 die out".
        separator = ". " if " and " in part else ", "
        text = f"{text}{separator}{part}" if text else part
    return text


def _value_parts(before: Position, after: Position, action: Action, words: ActionWords) -> Iterable[str]:
    if isinstance(action, Create):
        yield card_effect_text(action.card)
        return
    keys = words.changed_species_keys(action)
    if len(keys) == 1:
        old, new = find_species(before, keys[0]), find_species(after, keys[0])
        if old is not None and new is not None and (text := value_changes_text(before, old, after, new)):
            yield text


def _fruitless_choice_parts(view: OceansView, action: Action) -> Iterable[str]:
    if isinstance(action, Choose):
        if wastes_second_aging(view.position, action.option):
            yield "no species ages twice"
        if takes_from_empty_pile(view, action.option):
            yield "your score pile is empty"


def awaited_take_parts(after: Position, names: Names | None = None) -> Iterable[str]:
    """Yield how much a species takes at most from another player's score pile, before chance reveals it.

    With ``names`` it is said from whose.
    """
    match after.agenda[-1] if after.agenda else None:
        case TakingFromScorePile(seat=seat, max_count=count, target=SpeciesBoard(species=key), cause=cause):
            source_text = f" from {place_text(ScorePile(seat), names)}" if names is not None else ""
            yield f"{key} takes up to {count}{source_text}{cause_suffix(cause_text(cause))}"


def _population_parts(trail: Sequence[AnyEvent], feeder: str, *, with_causes: bool) -> Iterable[str]:
    """Return how much each species gains or loses, the feeder first; ``feeder``: its key, or empty.

    What gains as much as it loses is named, since the label may say only what it loses.
    ``with_causes``: a gain names the card that brings it, also if an attack takes from it, if it is one card,
    and not for the feeder.
    """
    changes: dict[str, int] = {feeder: 0} if feeder else {}
    moved_keys: set[str] = set()
    gain_causes: dict[str, set[str]] = {}
    for event in trail:
        if isinstance(event, PopulationMoved) and event.cause not in _OMITTED_CAUSES:
            for place, count in ((event.target, event.count), (event.source, -event.count)):
                if isinstance(place, SpeciesBoard):
                    changes[place.species] = changes.get(place.species, 0) + count
                    moved_keys.add(place.species)
                    if count > 0:
                        gain_causes.setdefault(place.species, set()).add(cause_text(event.cause))
    extinct = {event.species for event in trail if isinstance(event, Extinct)}
    parts = []
    for key, count in changes.items():
        if count:
            is_explained = with_causes and count > 0 and key != feeder and len(gain_causes[key]) == 1
            parts.append(f"{key} {signed(count)}{cause_suffix(*gain_causes[key]) if is_explained else ''}")
        elif key in moved_keys and key not in extinct:
            parts.append(f"{key} as before")
    return parts


def _full_board_parts(before: Position, trail: Sequence[AnyEvent], feeder: str) -> Iterable[str]:
    """Yield that a feeding fills the board of a species that never overpopulates."""
    species = find_species(before, feeder)
    if species is None or may_overpopulate(before, species):
        return
    taken = sum(
        event.count
        for event in trail
        if isinstance(event, PopulationMoved) and event.target == SpeciesBoard(feeder)
    )
    if taken >= free_space_count(before, species):
        yield f"{feeder} is full"


def _score_parts(trail: Sequence[AnyEvent], seat: Seat, names: Names) -> Iterable[str]:
    """Yield what score piles get or give, but for the active seat's Aging and the costs of cards."""
    aging_scores: Counter[Seat] = Counter()
    for event in trail:
        if not isinstance(event, PopulationMoved):
            continue
        if event.cause is RuleCause.AGING and isinstance(event.target, ScorePile):
            aging_scores[event.target.seat] += event.count
        if event.cause in _EXPECTED_SCORE_CAUSES:
            continue
        suffix = cause_suffix(cause_text(event.cause))
        if isinstance(event.target, ScorePile):
            yield f"{names[event.target.seat]} scores {event.count}{suffix}"
        elif isinstance(event.source, ScorePile) and isinstance(event.target, Zone):
            yield f"{names[event.source.seat]} pays {event.count}{suffix}"
    for scorer, count in aging_scores.items():
        if scorer != seat:
            yield f"{names[scorer]} scores {count}"


def _lost_trait_parts(trail: Sequence[AnyEvent], action: Action) -> Iterable[str]:
    """Yield the traits that species lose, but for the one that the action removes."""
    for event in trail:
        is_chosen = isinstance(action, RemoveTrait) and (event == TraitRemoved(action.species, action.card))
        if isinstance(event, TraitRemoved) and not is_chosen:
            yield f"{event.species} loses {card_text(event.card)}"


def _moves_between_zones(action: Action) -> bool:
    """Whether an action moves population from one zone to another one."""
    return isinstance(action, Migrate) or (isinstance(action, Choose) and action.option in _ZONE_CODES)


def table_event_parts(trail: Sequence[AnyEvent]) -> Iterable[str]:
    """Yield texts of the events that concern the whole table: "Fertile begins"."""
    return (f"{name} {verb}".rstrip() for name, verb in table_events(trail))


def table_events(trail: Sequence[AnyEvent]) -> Iterable[tuple[str, str]]:
    """Yield name and verb of the events that concern the whole table; an empty verb: the name says all."""
    for event in trail:
        match event:
            case CambrianExploded():
                yield CAMBRIAN_NAME, ""
            case ScenarioActivated(scenario=code):
                yield scenario_text(code), "begins"
            case ScenarioDeactivated(scenario=code):
                yield scenario_text(code), "ends"
            case ScenarioFired(scenario=code):
                yield scenario_text(code), "happens"
            case EndTriggered():
                yield "this round is the last", ""
            case _:
                pass


def _named_extinctions(view: OceansView, action: Action) -> frozenset[str]:
    """Return the species that the question on Aging or overflow, or the label, says die out."""
    position = view.position
    if isinstance(position.agenda[-1], PlacingOverflow):
        return frozenset(certain_extinctions(view, position))
    if not asks_about_aging(position):
        return frozenset()
    chosen = frozenset({action.option} if isinstance(action, Choose) else ())
    return endangered_keys(position, position.current_player) | chosen


def _overpopulation_parts(before: Position, trail: Sequence[AnyEvent], action: Action) -> Iterable[str]:
    """Yield which species overpopulate, and that the one that feeds loses a further feeding by that."""
    keys = [event.species for event in trail if isinstance(event, Overpopulated)]
    if keys:
        yield f"{listed(keys)} {'overpopulates' if len(keys) == 1 else 'overpopulate'}"
    if isinstance(action, Forage | Attack) and action.species in keys and _allows_more(before, action):
        yield "feeds no more" if len(keys) == 1 else f"{action.species} feeds no more"


def _allows_more(before: Position, action: Forage | Attack) -> bool:
    """Whether the species that feeds might feed again if it did not overpopulate."""
    species, past = find_species(before, action.species), before.past_feedings
    if species is None or past.feeder not in {None, species.key}:
        return False
    forage_count, attack_count = past.forage_count, past.attack_count
    if isinstance(action, Forage):
        forage_count += 1
    else:
        attack_count += 1
    after = replace(past, feeder=species.key, forage_count=forage_count, attack_count=attack_count)
    return any(allowed_feedings(after, species))


def _certain_extinction_parts(view: OceansView, action: Action, after: Position) -> Iterable[str]:
    """Yield which species die out for certain."""
    certain = certain_extinctions(view, after)
    extinct = [event.species for event in after.trail if isinstance(event, Extinct)]
    named = _named_extinctions(view, action)
    extinct = [key for key in (*extinct, *certain) if key not in named]
    if extinct:
        yield f"{listed(extinct)} {'dies' if len(extinct) == 1 else 'die'} out"


def _extinction_parts(view: OceansView, action: Action, after: Position) -> Iterable[str]:
    """Yield which species die out for certain, and after a feeding which others of its player may."""
    yield from _certain_extinction_parts(view, action, after)
    if isinstance(action, Forage | Attack):
        seat = view.position.current_player
        threatened = endangered_keys(after, seat).difference(certain_extinctions(view, after))
        if threatened:
            keys = [species.key for species in after.rows[seat] if species.key in threatened]
            yield f"{listed(keys)} may die out"


def value_changes_text(before: Position, old: Species | None, after: Position, new: Species) -> str:
    """Return how the values of a species change; all its values if ``old`` is None."""
    new_values = species_value_texts(after, new)
    if old is None:
        return ", ".join(f"{name} {value}" for name, value in new_values.items())
    old_values = species_value_texts(before, old)
    return ", ".join(
        f"{name} {old_values[name]} → {value}"
        for name, value in new_values.items()
        if old_values[name] != value
    )


def zone_change_texts(before: Position, after: Position) -> list[str]:
    """Return a text for each zone that changes; a colon separates its number from what it holds."""
    return [
        f"{ZONE_WORDS[zone]}: {old} → {new}"
        for zone, old, new in zip(ZONES, before.zone_populations, after.zone_populations, strict=True)
        if old != new
    ]
