"""A trail of public events in sentences; events that belong together share one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from typing import Final, NamedTuple

from rules.model import Names, Seat
from rules.narration import Item, Sentence, SentenceKind, as_sentences, clause_sentence, line_text
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
    go_or_goes,
    movements_sentence,
    overflow_text,
    sentence_key,
)
from rules.oceans.words.phrases import (
    card_text,
    cards_text,
    foraging_place_text,
    place_text,
    scenario_text,
)
from rules.text import counted, listed

_FEEDING_CAUSES: Final = frozenset({RuleCause.FORAGE, RuleCause.ATTACK})
_AGING_OR_EXTINCTION_CAUSES: Final = frozenset({RuleCause.AGING, RuleCause.EXTINCTION})
_ANNOUNCED_EVENTS: Final = (
    CambrianExploded | ScenarioActivated | ScenarioDeactivated | ScenarioFired | EndTriggered | GameEnded
)
"""Events that concern the whole table: a shortened narration keeps their sentences longest."""

_CAPITAL_TERMS: Final = ("Deep ", "Forage ", "Attack ")


class NarrationLine(NamedTuple):
    """A line of a narration."""

    announcement: Sequence[Sentence]
    """What begins it and concerns the whole table; empty in the first line."""
    sentences: list[Sentence]
    """What happens then."""


def trail_texts(trail: Sequence[AnyEvent], position: Position, names: Names) -> list[str]:
    """Return a trail in sentences, those of one event together; ``position`` is the one after it."""
    return [line_text(sentences) for _, sentences in _narrated_events(trail, position, names)]


def narration_lines(
    opening: Sequence[str | Sentence],
    trail: Sequence[AnyEvent],
    position: Position,
    names: Names,
    again_key: str,
) -> list[NarrationLine]:
    """Return the opening sentences and those about a trail, in the order of what happens.

    What concerns the whole table begins a line; what follows from it stands behind it.  ``again_key``: that
    of a species that feeds again, or empty.
    """
    lines = [NarrationLine((), as_sentences(opening))]
    for event, sentences in _narrated_events(trail, position, names, again_key):
        if isinstance(event, _ANNOUNCED_EVENTS):
            lines.append(NarrationLine(sentences, []))
        else:
            lines[-1].sentences.extend(sentences)
    return lines


def _narrated_events(
    trail: Sequence[AnyEvent], position: Position, names: Names, again_key: str = ""
) -> Iterator[tuple[AnyEvent, list[Sentence]]]:
    """Yield events with their sentences, of several with the same the first; none without words."""
    index = 0
    while index < len(trail):
        size, texts = _next_sentences(trail[index:], position, names, again_key)
        if sentences := as_sentences(texts):
            yield trail[index], sentences
        index += size


def _next_sentences(
    trail: Sequence[AnyEvent], position: Position, names: Names, again_key: str
) -> tuple[int, Iterable[str | Sentence]]:
    """Return how many events the next sentences cover, and these."""
    match trail[0]:
        case Foraged() | Attacked():
            size = 1 + len(_leading_movements(trail[1:], lambda movement: movement.cause in _FEEDING_CAUSES))
            return size, (_feeding_text(trail[:size], names, again_key),)
        case Overpopulated():
            return _overpopulation_sentences(trail, names)
        case PopulationMoved(cause=cause) if cause in _AGING_OR_EXTINCTION_CAUSES:
            return _aging_or_extinction_sentences(trail, names)
        case Extinct():
            return _aging_or_extinction_sentences(trail, names)
        case PopulationMoved() as first:
            key = sentence_key(first)
            movements = _leading_movements(trail, lambda movement: sentence_key(movement) == key)
            return len(movements), (movements_sentence(movements, names),)
        case event:
            return 1, _event_sentences(event, trail[1:], position, names)


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


def _overpopulation_sentences(trail: Sequence[AnyEvent], names: Names) -> tuple[int, list[str]]:
    """Return how many events the sentences on overpopulation cover, and these.

    They say where the overflow goes if nobody had to be asked.
    """
    leading = takewhile(lambda event: isinstance(event, Overpopulated), trail)
    keys = [event.species for event in leading if isinstance(event, Overpopulated)]
    movements = _leading_movements(trail[len(keys) :], lambda movement: movement.cause is RuleCause.OVERFLOW)
    size = len(keys) + len(movements)
    text = f"{listed(keys)} {'overpopulates' if len(keys) == 1 else 'overpopulate'}"
    if not movements:
        return size, [f"{text}."]
    if len(keys) == 1:
        count = movements[0].count
        if isinstance(movements[0].target, ScorePile):
            return size, [f"{text}: {count} {_is_or_are(count)} scored, {OVERFLOW_END}."]
        target_text = place_text(movements[0].target, names)
        return size, [f"{text}: {count} {go_or_goes(count)} to {target_text}, {OVERFLOW_END}."]
    return size, [f"{text}.", overflow_text(movements, names)]


def _is_or_are(count: int) -> str:
    return "is" if count == 1 else "are"


def _aging_or_extinction_sentences(
    trail: Sequence[AnyEvent], names: Names
) -> tuple[int, list[str | Sentence]]:
    """Return how many events the sentences on Aging or extinction cover, and these."""
    scoring = list(takewhile(_scores_during_aging, trail))
    # An extinction before the scoring has another cause than Aging: it gets a sentence of its own.
    events = [*scoring, *takewhile(_belongs_to_extinction, trail[len(scoring) :])]
    movements = [event for event in events if isinstance(event, PopulationMoved)]
    # Cthulhu Leech takes its share of a species before this one ages.
    sentences: list[str | Sentence] = [
        movements_sentence([movement], names)
        for movement in movements
        if isinstance(movement.cause, TraitCause)
    ]
    scored: dict[Seat, int] = {}
    for movement in movements:
        if movement.cause is RuleCause.AGING and isinstance(movement.target, ScorePile):
            scored[movement.target.seat] = scored.get(movement.target.seat, 0) + movement.count
    if scored:
        text = listed([f"{names[seat]} scores {count}" for seat, count in scored.items()])
        sentences.append(Sentence(f"Aging: {text}.", SentenceKind.GAIN_OR_LOSS))
    sentences += (
        _freed_population_text(movement, names)
        for movement in movements
        if movement.cause is RuleCause.EXTINCTION
    )
    extinct = [event for event in events if isinstance(event, Extinct)]
    for _, group in groupby(extinct, lambda event: event.aging_due > 0):
        sentences.append(Sentence(f"{_extinctions_text(list(group))}.", SentenceKind.GAIN_OR_LOSS))
    return len(events), sentences


def _freed_population_text(movement: PopulationMoved, names: Names) -> str:
    """Return where the population of a species that dies out goes."""
    count, target_text = movement.count, place_text(movement.target, names)
    return f"{place_text(movement.source, names)}'s {count} {go_or_goes(count)} to {target_text}."


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


def _event_sentences(
    event: AnyEvent, later_events: Sequence[AnyEvent], position: Position, names: Names
) -> Iterator[str | Sentence]:
    match event:
        case LaidOut():
            yield from _laid_out_sentences(event, names)
        case Dealt(seat=seat, count=count):
            yield f"{names[seat]} draws {counted(count, 'Surface card')}."
        case Reshuffled(count=count):
            yield f"The discard pile ({counted(count, 'card')}) is the new Surface deck."
        case TurnBegan(round=number):
            if number > 1:  # before the first one the set-up says who begins
                yield f"Round {number} begins{', the last one' if is_last_round(position) else ''}."
        case Created(species=key, card=card):
            yield f"{names[owner_of(key)]} starts {key} with {card_text(card)}."
        case Evolved(species=key, card=card):
            yield f"{card_text(card)} is put on {key}."
        case Discarded(seat=seat, cards=cards):
            if len({*cards}) == 1:
                yield clause_sentence(names[seat], "discards", Item(cards_text(cards)))
            else:
                yield f"{names[seat]} discards {cards_text(cards)}."
        case TraitRemoved(species=key, card=card):
            yield Sentence(f"{key} loses {card_text(card)}.", SentenceKind.GAIN_OR_LOSS)
        case TraitsSwapped(species=key, card=card, other=other, other_card=received):
            yield f"{key} gives {card_text(card)} to {other} for {card_text(received)}."
        case TraitExchanged(species=key, card=card, replacement=new, pile=pile):
            where = f"to Gene Pool pile {pile}" if pile else "back to the hand"
            yield f"On {key} {card_text(new)} takes the place of {card_text(card)}, which goes {where}."
        case FeedingSkipped(seat=seat):
            had_species = position.rows[seat] or any(
                isinstance(later, Extinct) and owner_of(later.species) == seat for later in later_events
            )
            if had_species:
                yield f"{names[seat]} feeds no species: each is full or finds no food."
        case _:
            yield from _other_event_sentences(event, later_events, position, names)


def _other_event_sentences(
    event: AnyEvent, later_events: Sequence[AnyEvent], position: Position, names: Names
) -> Iterator[str | Sentence]:
    match event:
        case CambrianExploded():
            deep_text = "" if position.options.reef else ", Deep ones too"
            text = (
                "Zone 1 is empty for the first time: the Cambrian Explosion! From now on players play two "
                f"cards a turn{deep_text}, and age their own species by 2."
            )
            yield Sentence(text, SentenceKind.RULE_CHANGE)
        case ScenarioActivated(scenario=code):
            yield f"{scenario_text(code)} begins: {_scenario_effect_text(code)}."
        case ScenarioDeactivated(scenario=code):
            yield f"{scenario_text(code)} ends: its zone holds population again."
        case ScenarioFired(scenario=code):
            yield f"{scenario_text(code)} happens: {_scenario_effect_text(code)}."
        case EndTriggered():
            moved = later_events[0] if later_events else None
            reserve_count = moved.count if isinstance(moved, PopulationMoved) else 0
            reserve_text = f"The reserve of {reserve_count}" if reserve_count else "The reserve"
            yield "The Ocean is empty: this round is the last."
            yield f"{reserve_text} goes into zone 3."
        case SpeciesHandedOver(species=key, new_key=new):
            yield f"{key} passes to {names[owner_of(new)]} as {new}."
        case TraitsScrambled():
            yield "Each player's traits are dealt back at random."
        case DeepTaken(seat=seat, pile=pile, card=card):
            yield f"{names[seat]} takes {card_text(card)} from Gene Pool pile {pile}."
        case DeepLookedAt(seat=seat, count=count):
            yield f"{names[seat]} looks at {counted(count, 'Deep card')}."
        case DeepKept():
            yield from kept_sentences(event, names)
        case PoolRefilled(pile=pile, card=card):
            yield Sentence(f"{card_text(card)} comes up on Gene Pool pile {pile}.", SentenceKind.DETAIL)
        case StandingAnswerGiven(seat=seat):
            yield f"{names[seat]} sets a standing answer for other players' turns."
        case GameEnded(score_piles=score_piles):
            piles_text = listed([f"{names[seat]} {count}" for seat, count in enumerate(score_piles)])
            yield "The game is over."
            yield f"Score piles: {piles_text}."


def _scenario_effect_text(code: str) -> str:
    """Return a Scenario card's effect as the end of a sentence; terms of the game keep their capital."""
    text = SCENARIO_BY_CODE[code].short_text
    return text if text.startswith(_CAPITAL_TERMS) else text[:1].lower() + text[1:]


def _laid_out_sentences(event: LaidOut, names: Names) -> Iterator[str]:
    first, second = (scenario_text(code) for code in event.scenarios)
    pool_text = listed([card_text(card) for card in event.gene_pool])
    yield f"{first} lies below zone 1, {second} below zone 2."
    if pool_text:
        yield f"Gene Pool: {pool_text}."
    yield f"{card_text(event.discard)} is turned up: the Reef and zone 1 each give {event.count} to zone 3."
    yield f"{names[event.first_player]} begins."


def kept_sentences(event: DeepKept, names: Names, card: Card | None = None) -> Iterator[Sentence]:
    """Yield what is kept after a look at the Deep deck, and what goes face up.

    ``card`` is the kept one; None if the reader may not know it.
    """
    shown = [
        (other, pile) for pile, other in enumerate((event.pile_1_card, event.pile_2_card), start=1) if other
    ]
    kept_name = "a Deep card" if card is None else card_text(card)
    yield Sentence(f"{names[event.seat]} keeps {kept_name}.")
    if not shown:
        return
    piles_text = " and ".join(str(pile) for _, pile in shown)
    where = f"pile {piles_text}" if len(shown) == 1 else f"piles {piles_text}"
    verb = "goes" if len(shown) == 1 else "go"
    others_text = listed([card_text(other) for other, _ in shown])
    yield Sentence(f"{others_text} {verb} face up on {where}.", SentenceKind.DETAIL)
