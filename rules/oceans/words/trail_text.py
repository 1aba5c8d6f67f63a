"""A trail of public events in sentences; events that belong together share one."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import Final, NamedTuple

from rules.model import Names, Seat
from rules.oceans.cards.decks import SCENARIO_BY_CODE, Card
from rules.oceans.causes import RuleCause, TraitCause
from rules.oceans.engine.ring import owner_of
from rules.oceans.engine.rounds import is_last_round
from rules.oceans.events import (
    AnyEvent,
    Attacked,
    CambrianExploded,
    Created,
    Dealt,
    DeepKept,
    DeepLookedAt,
    DeepTaken,
    Discarded,
    EndTriggered,
    Evolved,
    Extinct,
    FeedingSkipped,
    Foraged,
    GameEnded,
    LaidOut,
    Overpopulated,
    PoolRefilled,
    PopulationMoved,
    Reshuffled,
    ScenarioActivated,
    ScenarioDeactivated,
    ScenarioFired,
    SpeciesHandedOver,
    StandingAnswerGiven,
    TraitExchanged,
    TraitRemoved,
    TraitsScrambled,
    TraitsSwapped,
    TurnBegan,
)
from rules.oceans.model import Position
from rules.oceans.places import ScorePile
from rules.oceans.words.movements_text import (
    OVERFLOW_END,
    cause_suffix,
    go_or_goes,
    movements_text,
    overflow_text,
    sentence_key,
)
from rules.oceans.words.phrases import (
    card_text,
    cards_text,
    cause_text,
    foraging_place_text,
    place_text,
    scenario_text,
)
from rules.text import capitalized, counted, listed

_FEEDING_CAUSES: Final = frozenset({RuleCause.FORAGE, RuleCause.ATTACK})
_AGING_OR_EXTINCTION_CAUSES: Final = frozenset({RuleCause.AGING, RuleCause.EXTINCTION})
_ANNOUNCED_EVENTS: Final = (
    CambrianExploded | ScenarioActivated | ScenarioDeactivated | ScenarioFired | EndTriggered | GameEnded
)
"""Events that concern the whole table: a shortened narration keeps their sentences longest."""

_CAPITAL_TERMS: Final = ("Deep ", "Forage ", "Attack ")


class NarrationLine(NamedTuple):
    """A line of a narration."""

    announcement: str
    """The sentence that begins it and concerns the whole table; empty in the first line."""
    sentences: list[str]
    """What happens then."""


def trail_sentences(trail: Sequence[AnyEvent], position: Position, names: Names) -> list[str]:
    """Return the sentences about a trail; ``position`` is the one after it."""
    return [text for _, text in _sentences(trail, position, names)]


def narration_lines(
    opening: str, trail: Sequence[AnyEvent], position: Position, names: Names, again_key: str
) -> list[NarrationLine]:
    """Return the opening sentence and those about a trail, in the order of what happens.

    What concerns the whole table begins a line; what follows from it stands behind it.  ``again_key``: that
    of a species that feeds again, or empty.
    """
    lines = [NarrationLine("", [opening] if opening else [])]
    for is_announcement, text in _sentences(trail, position, names, again_key):
        if is_announcement:
            lines.append(NarrationLine(text, []))
        else:
            lines[-1].sentences.append(text)
    return lines


def _sentences(
    trail: Sequence[AnyEvent], position: Position, names: Names, again_key: str = ""
) -> Iterator[tuple[bool, str]]:
    """Yield the sentences about a trail, each with whether it is an announcement."""
    index = 0
    while index < len(trail):
        size, text = _next_sentence(trail[index:], position, names, again_key)
        if text:
            yield isinstance(trail[index], _ANNOUNCED_EVENTS), text
        index += size


def _next_sentence(
    trail: Sequence[AnyEvent], position: Position, names: Names, again_key: str
) -> tuple[int, str]:
    """Return how many events the next sentence covers, and the sentence."""
    match trail[0]:
        case Foraged() | Attacked():
            size = 1 + len(_leading_movements(trail[1:], lambda movement: movement.cause in _FEEDING_CAUSES))
            return size, _feeding_text(trail[:size], names, again_key)
        case Overpopulated():
            return _overpopulation_sentence(trail, names)
        case PopulationMoved(cause=cause) if cause in _AGING_OR_EXTINCTION_CAUSES:
            return _aging_or_extinction_sentence(trail, names)
        case Extinct():
            return _aging_or_extinction_sentence(trail, names)
        case PopulationMoved() as first:
            key = sentence_key(first)
            movements = _leading_movements(trail, lambda movement: sentence_key(movement) == key)
            return len(movements), movements_text(movements, names)
        case event:
            return 1, _event_text(event, trail[1:], position, names)


def _leading_movements(
    trail: Sequence[AnyEvent], fits: Callable[[PopulationMoved], bool]
) -> list[PopulationMoved]:
    """Return the fitting movements before any other event."""
    movements = []
    for event in trail:
        if not isinstance(event, PopulationMoved) or not fits(event):
            break
        movements.append(event)
    return movements


# Feeding, overpopulation, Aging ---------------------------------------------------------------------


def _feeding_text(trail: Sequence[AnyEvent], names: Names, again_key: str) -> str:
    is_scored = any(
        isinstance(movement, PopulationMoved) and isinstance(movement.target, ScorePile) for movement in trail
    )
    ending = ", which is scored" if is_scored else ""
    match trail[0]:
        case Foraged(species=key, source=source, count=count):
            where = foraging_place_text(source)
            return f"{_feeder_text(key, names, again_key)} forages {where} and takes {count}{ending}."
        case Attacked(species=key, target=target, count=count):
            taken_text = f" and takes {count}{ending}" if count else ""
            return f"{_feeder_text(key, names, again_key)} attacks {target}{taken_text}."
        case _:
            return ""


def _feeder_text(key: str, names: Names, again_key: str) -> str:
    """Return a species that feeds as the beginning of a sentence, with whether it feeds again."""
    return f"{names[owner_of(key)]}'s {key}{' also' if key == again_key else ''}"


def _overpopulation_sentence(trail: Sequence[AnyEvent], names: Names) -> tuple[int, str]:
    """Return how many events the sentence on overpopulation covers, and the sentence.

    It says where the overflow goes if nobody had to be asked.
    """
    leading = takewhile(lambda event: isinstance(event, Overpopulated), trail)
    keys = [event.species for event in leading if isinstance(event, Overpopulated)]
    movements = _leading_movements(trail[len(keys) :], lambda movement: movement.cause is RuleCause.OVERFLOW)
    size = len(keys) + len(movements)
    text = f"{listed(keys)} {'overpopulates' if len(keys) == 1 else 'overpopulate'}"
    if not movements:
        return size, f"{text}."
    if len(keys) == 1:
        count = movements[0].count
        if isinstance(movements[0].target, ScorePile):
            return size, f"{text}: {count} {_is_or_are(count)} scored, {OVERFLOW_END}."
        target_text = place_text(movements[0].target, names)
        return size, f"{text}: {count} {go_or_goes(count)} to {target_text}, {OVERFLOW_END}."
    return size, f"{text}. {overflow_text(movements, names)}"


def _is_or_are(count: int) -> str:
    return "is" if count == 1 else "are"


def _aging_or_extinction_sentence(trail: Sequence[AnyEvent], names: Names) -> tuple[int, str]:
    """Return how many events the sentence on Aging or extinction covers, and the sentence."""
    scoring = list(takewhile(_scores_during_aging, trail))
    # An extinction before the scoring has another cause than Aging: it gets a sentence of its own.
    events = [*scoring, *takewhile(_belongs_to_extinction, trail[len(scoring) :])]
    scored: dict[Seat, int] = {}
    other_movements: list[PopulationMoved] = []
    for event in events:
        if (
            isinstance(event, PopulationMoved)
            and event.cause is RuleCause.AGING
            and isinstance(event.target, ScorePile)
        ):
            scored[event.target.seat] = scored.get(event.target.seat, 0) + event.count
        elif isinstance(event, PopulationMoved):
            other_movements.append(event)
    parts = []
    if scored:
        parts.append(listed([f"{names[seat]} scores {count}" for seat, count in scored.items()]))
    for movement in other_movements:
        count, target = movement.count, movement.target
        suffix = cause_suffix(cause_text(movement.cause))
        source_text = place_text(movement.source, names)
        if isinstance(target, ScorePile):
            parts.append(f"{names[target.seat]} scores {count} from {source_text}{suffix}")
        else:
            parts.append(f"{source_text}'s {count} {go_or_goes(count)} to {place_text(target, names)}")
    extinct = [event for event in events if isinstance(event, Extinct)]
    for _, group in groupby(extinct, lambda event: event.aging_due > 0):
        parts.append(_extinctions_text(list(group)))
    text = ". ".join(capitalized(part) if scored and index else part for index, part in enumerate(parts))
    return len(events), f"Aging: {text}." if scored else f"{capitalized(text)}."


def _extinctions_text(events: Sequence[Extinct]) -> str:
    """Return which species die out, all by Aging or all by something else; by Aging with what they owed."""
    text = f"{listed([event.species for event in events])} {'dies' if len(events) == 1 else 'die'} out"
    amounts = [event.aging_due for event in events]
    if not all(amounts):
        return text
    if len(set(amounts)) == 1:
        return f"{text}: {'it' if len(events) == 1 else 'each'} had to age {amounts[0]}"
    return f"{text}: they had to age {listed([str(amount) for amount in amounts])}"


def _scores_during_aging(event: AnyEvent) -> bool:
    """Whether population goes to a score pile at Aging; Cthulhu Leech scores in the middle of it."""
    if not isinstance(event, PopulationMoved) or not isinstance(event.target, ScorePile):
        return False
    return event.cause is RuleCause.AGING or isinstance(event.cause, TraitCause)


def _belongs_to_extinction(event: AnyEvent) -> bool:
    """Whether a species dies out or leaves its population to the Reef by that."""
    if isinstance(event, PopulationMoved):
        return event.cause is RuleCause.EXTINCTION
    return isinstance(event, Extinct)


# Everything else ------------------------------------------------------------------------------------


def _event_text(event: AnyEvent, later_events: Sequence[AnyEvent], position: Position, names: Names) -> str:
    match event:
        case LaidOut():
            return _laid_out_text(event, names)
        case Dealt(seat=seat, count=count):
            return f"{names[seat]} draws {counted(count, 'Surface card')}."
        case Reshuffled(count=count):
            return f"The discard pile ({counted(count, 'card')}) is the new Surface deck."
        case TurnBegan(round=number):
            if number == 1:
                return ""  # the set-up says who begins
            return f"Round {number} begins{', the last one' if is_last_round(position) else ''}."
        case Created(species=key, card=card):
            return f"{names[owner_of(key)]} starts {key} with {card_text(card)}."
        case Evolved(species=key, card=card):
            return f"{card_text(card)} is put on {key}."
        case Discarded(seat=seat, cards=cards):
            return f"{names[seat]} discards {cards_text(cards)}."
        case TraitRemoved(species=key, card=card):
            return f"{key} loses {card_text(card)}."
        case TraitsSwapped(species=key, card=card, other=other, other_card=received):
            return f"{key} gives {card_text(card)} to {other} for {card_text(received)}."
        case TraitExchanged(species=key, card=card, replacement=new, pile=pile):
            where = f"to Gene Pool pile {pile}" if pile else "back to the hand"
            return f"On {key} {card_text(new)} takes the place of {card_text(card)}, which goes {where}."
        case FeedingSkipped(seat=seat):
            had_species = position.rows[seat] or any(
                isinstance(later, Extinct) and owner_of(later.species) == seat for later in later_events
            )
            if not had_species:
                return ""
            return f"{names[seat]} feeds no species: each is full or finds no food."
        case _:
            return _other_event_text(event, later_events, position, names)


def _other_event_text(
    event: AnyEvent, later_events: Sequence[AnyEvent], position: Position, names: Names
) -> str:
    match event:
        case CambrianExploded():
            deep_text = "" if position.options.reef else ", Deep ones too"
            return (
                "Zone 1 is empty for the first time: the Cambrian Explosion! From now on players play two "
                f"cards a turn{deep_text}, and age their own species by 2."
            )
        case ScenarioActivated(scenario=code):
            return f"{scenario_text(code)} begins: {_scenario_effect_text(code)}."
        case ScenarioDeactivated(scenario=code):
            return f"{scenario_text(code)} ends: its zone holds population again."
        case ScenarioFired(scenario=code):
            return f"{scenario_text(code)} happens: {_scenario_effect_text(code)}."
        case EndTriggered():
            moved = later_events[0] if later_events else None
            reserve_count = moved.count if isinstance(moved, PopulationMoved) else 0
            reserve_text = f"The reserve of {reserve_count}" if reserve_count else "The reserve"
            return f"The Ocean is empty: this round is the last. {reserve_text} goes into zone 3."
        case SpeciesHandedOver(species=key, new_key=new):
            return f"{key} passes to {names[owner_of(new)]} as {new}."
        case TraitsScrambled():
            return "Each player's traits are dealt back at random."
        case DeepTaken(seat=seat, pile=pile, card=card):
            return f"{names[seat]} takes {card_text(card)} from Gene Pool pile {pile}."
        case DeepLookedAt(seat=seat, count=count):
            return f"{names[seat]} looks at {counted(count, 'Deep card')}."
        case DeepKept():
            return kept_text(event, names)
        case PoolRefilled(pile=pile, card=card):
            return f"{card_text(card)} comes up on Gene Pool pile {pile}."
        case StandingAnswerGiven(seat=seat):
            return f"{names[seat]} sets a standing answer for other players' turns."
        case GameEnded(score_piles=score_piles):
            piles_text = listed([f"{names[seat]} {count}" for seat, count in enumerate(score_piles)])
            return f"The game is over. Score piles: {piles_text}."
        case _:
            return ""


def _scenario_effect_text(code: str) -> str:
    """Return a Scenario card's effect as the end of a sentence; terms of the game keep their capital."""
    text = SCENARIO_BY_CODE[code].short_text
    return text if text.startswith(_CAPITAL_TERMS) else text[:1].lower() + text[1:]


def _laid_out_text(event: LaidOut, names: Names) -> str:
    first, second = (scenario_text(code) for code in event.scenarios)
    pool_text = listed([card_text(card) for card in event.gene_pool])
    sentences = [
        f"{first} lies below zone 1, {second} below zone 2.",
        f"Gene Pool: {pool_text}." if pool_text else "",
        f"{card_text(event.discard)} is turned up: the Reef and zone 1 each give {event.count} to zone 3.",
        f"{names[event.first_player]} begins.",
    ]
    return " ".join(text for text in sentences if text)


def kept_text(event: DeepKept, names: Names, card: Card | None = None) -> str:
    """Describe what is kept after a look at the Deep deck, and what goes face up.

    ``card`` is the kept one; None if the reader may not know it.
    """
    shown = [
        (other, pile) for pile, other in enumerate((event.pile_1_card, event.pile_2_card), start=1) if other
    ]
    kept_name = "a Deep card" if card is None else card_text(card)
    if not shown:
        return f"{names[event.seat]} keeps {kept_name}."
    piles_text = " and ".join(str(pile) for _, pile in shown)
    where = f"pile {piles_text}" if len(shown) == 1 else f"piles {piles_text}"
    verb = "goes" if len(shown) == 1 else "go"
    others_text = listed([card_text(other) for other, _ in shown])
    return f"{names[event.seat]} keeps {kept_name}. {others_text} {verb} face up on {where}."
