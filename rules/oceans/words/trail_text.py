"""A trail of events in sentences, what belongs together in one.  Everything in it is public."""

import enum
from collections.abc import Callable, Sequence
from typing import Final

from rules.game import Names, Seat
from rules.oceans.cards.decks import SCENARIOS, TRAIT, Card
from rules.oceans.causes import Cause, Rule, ScenarioCause, TraitCause
from rules.oceans.engine.ring import owner_of
from rules.oceans.events import (
    AnyEvent,
    Attacked,
    Cambrian,
    Created,
    Dealt,
    DeepKept,
    DeepLooked,
    DeepTaken,
    Discarded,
    Ended,
    EndTriggered,
    Evolved,
    Extinct,
    Foraged,
    LaidOut,
    Moved,
    Overpopulated,
    PoolRefilled,
    Reshuffled,
    ScenarioFired,
    ScenarioOff,
    ScenarioOn,
    Scrambled,
    SpeciesPassed,
    StandingAnswersSet,
    TraitExchanged,
    TraitRemoved,
    TraitsSwapped,
    TurnBegan,
    Unfed,
)
from rules.oceans.model import Position
from rules.oceans.places import Place, Reserve, ScorePile, SpeciesBoard, Supply, Zone, place_code
from rules.oceans.words.phrases import (
    card_text,
    cause_text,
    ground_text,
    leeches,
    place_text,
    scenario_text,
)
from rules.text import counted, listed, sentence

_LEAVING: Final = frozenset({Rule.AGING, Rule.EXTINCTION})


def trail_sentences(trail: Sequence[AnyEvent], position: Position, names: Names) -> list[str]:
    """One sentence for each thing that happened; ``position``: as it is afterwards."""
    sentences = []
    at = 0
    while at < len(trail):
        size, text = _next_sentence(trail[at:], position, names)
        at += size
        if text:
            sentences.append(text)
    return sentences


def _next_sentence(trail: Sequence[AnyEvent], position: Position, names: Names) -> tuple[int, str]:
    """How many events the next sentence tells, and the sentence."""
    match trail[0]:
        case Foraged() | Attacked():
            fed = _while(trail[1:], lambda event: isinstance(event, Moved) and event.cause in _FEEDING)
            return 1 + fed, _fed(trail[: 1 + fed], names)
        case Overpopulated():
            return _overpopulated(trail, names)
        case Moved(cause=cause) if cause in _LEAVING:
            return _left(trail, names)
        case Extinct():
            return _left(trail, names)
        case Moved() as move:
            key_of = _kind(move)
            size = _while(trail, lambda event: isinstance(event, Moved) and _kind(event) == key_of)
            return size, _moved([event for event in trail[:size] if isinstance(event, Moved)], names)
        case event:
            return 1, _single(event, trail, position, names)


_FEEDING: Final = frozenset({Rule.FORAGE, Rule.ATTACK})


def _while(trail: Sequence[AnyEvent], fits: Callable[[AnyEvent], bool]) -> int:
    size = 0
    while size < len(trail) and fits(trail[size]):
        size += 1
    return size


# Feeding and what leaves ----------------------------------------------------------------------------


def _fed(trail: Sequence[AnyEvent], names: Names) -> str:
    scored = any(isinstance(move, Moved) and isinstance(move.target, ScorePile) for move in trail)
    ending = ", which is scored" if scored else ""
    match trail[0]:
        case Foraged(species=key, source=source, count=count):
            return f"{_owned(key, names)} forages {ground_text(source)} and takes {count}{ending}."
        case Attacked(species=key, target=target, count=0):
            return f"{_owned(key, names)} attacks {target}."
        case Attacked(species=key, target=target, count=count):
            return f"{_owned(key, names)} attacks {target} and takes {count}{ending}."
        case _:
            return ""


def _owned(key: str, names: Names) -> str:
    return f"{names[owner_of(key)]}'s {key}"


def _overpopulated(trail: Sequence[AnyEvent], names: Names) -> tuple[int, str]:
    """Species whose last space was filled, with where their overflow goes if nobody had to be asked."""
    size = _while(trail, lambda event: isinstance(event, Overpopulated))
    keys = [event.species for event in trail[:size] if isinstance(event, Overpopulated)]
    spilt = _while(trail[size:], lambda event: isinstance(event, Moved) and event.cause is Rule.OVERFLOW)
    moves = [event for event in trail[size : size + spilt] if isinstance(event, Moved)]
    text = f"{listed(keys)} {'overpopulates' if len(keys) == 1 else 'overpopulate'}"
    if not moves:
        return size, f"{text}."
    if len(keys) == 1:
        count = moves[0].count
        if isinstance(moves[0].target, ScorePile):
            return size + spilt, f"{text}: {count} {_is(count)} scored."
        return size + spilt, f"{text}: {count} {_go(count)} to {place_text(moves[0].target, names)}."
    return size + spilt, f"{text}. {_overflow(moves, names)}"


def _overflow(moves: Sequence[Moved], names: Names) -> str:
    parts = [
        f"{place_text(move.source, names)}'s {move.count} to {place_text(move.target, names)}"
        for move in moves
    ]
    return f"Overflow: {listed(parts)}."


def _go(count: int) -> str:
    return "goes" if count == 1 else "go"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _left(trail: Sequence[AnyEvent], names: Names) -> tuple[int, str]:
    """Aging, and species that die out: what each player scores and which species are gone."""
    size = _while(trail, _leaves)
    scored: dict[Seat, int] = {}
    elsewhere: list[Moved] = []
    for event in trail[:size]:
        if isinstance(event, Moved) and event.cause is Rule.AGING and isinstance(event.target, ScorePile):
            scored[event.target.seat] = scored.get(event.target.seat, 0) + event.count
        elif isinstance(event, Moved):
            elsewhere.append(event)
    gone = [event.species for event in trail[:size] if isinstance(event, Extinct)]
    parts = []
    if scored:
        parts.append(listed([f"{names[seat]} scores {count}" for seat, count in scored.items()]))
    for move in elsewhere:
        why = cause_text(move.cause)
        because = f" ({why})" if why else ""
        source = place_text(move.source, names)
        if isinstance(move.target, ScorePile):
            parts.append(f"{names[move.target.seat]} scores {move.count} from {source}{because}")
        else:
            parts.append(f"{source}'s {move.count} {_go(move.count)} to {place_text(move.target, names)}")
    if gone:
        parts.append(f"{listed(gone)} {'dies' if len(gone) == 1 else 'die'} out")
    text = ". ".join(sentence(part) if scored and at else part for at, part in enumerate(parts))
    return size, f"Aging: {text}." if scored else f"{sentence(text)}."


def _leaves(event: AnyEvent) -> bool:
    """Whether it belongs to one Aging or dying out; Cthulhu Leech scores in the middle of it."""
    if isinstance(event, Moved):
        leeched = isinstance(event.target, ScorePile) and isinstance(event.cause, TraitCause)
        return event.cause in _LEAVING or leeched
    return isinstance(event, Extinct)


# Population on the move -----------------------------------------------------------------------------


def _gains(cause: Cause) -> bool:
    """Whether what a card brings from the Ocean is a gain."""
    return isinstance(cause, ScenarioCause) or (isinstance(cause, TraitCause) and TRAIT[cause.card].gain > 0)


class _Kind(enum.Enum):
    """How a movement is described."""

    GAIN = "gain"
    DRAW = "draw"
    """From the water to a species, but no gain."""
    TAKE = "take"
    LOSE = "lose"
    OVERFLOW = "overflow"
    FLOW = "flow"
    """From water to water."""
    PILE = "pile"
    """To or from a score pile."""


def _in_water(place: Place) -> bool:
    return isinstance(place, Zone | Reserve | Supply)


def _kind(move: Moved) -> tuple[_Kind, object, object, object]:
    """Moves of one kind that follow each other share a sentence: kind, cause, source, target."""
    source, target = move.source, move.target
    cause = cause_text(move.cause) or move.cause
    if cause is Rule.OVERFLOW:
        return _Kind.OVERFLOW, None, None, None
    if _in_water(source) and isinstance(target, SpeciesBoard):
        gains = _gains(move.cause)
        return (_Kind.GAIN, None, None, None) if gains else (_Kind.DRAW, cause, None, target)
    if _in_water(source) and _in_water(target):
        return _Kind.FLOW, cause, source, target
    if isinstance(source, SpeciesBoard) and isinstance(target, SpeciesBoard):
        return _Kind.TAKE, cause, None, None
    if isinstance(source, SpeciesBoard) and _in_water(target):
        return _Kind.LOSE, cause, None, target
    return _Kind.PILE, cause, source if isinstance(source, ScorePile) else target, None


def _moved(moves: list[Moved], names: Names) -> str:
    first = moves[0]
    total = sum(move.count for move in moves)
    why = cause_text(first.cause)
    because = f" ({why})" if why else ""
    match _kind(first)[0]:
        case _Kind.GAIN:
            return _gained(moves)
        case _Kind.DRAW:
            return f"{place_text(first.target, names)} takes {total} from {_sources(moves, names)}{because}."
        case _Kind.TAKE:
            return f"{_taken(moves)}{because}."
        case _Kind.OVERFLOW:
            return _overflow(moves, names)
        case _Kind.LOSE:
            keys = [place_code(move.source) for move in moves]
            lost = [
                f"{key}{' loses' if i == 0 else ''} {move.count}"
                for i, (key, move) in enumerate(zip(keys, moves, strict=True))
            ]
            return f"{listed(lost)} to {place_text(first.target, names)}{because}."
        case _Kind.FLOW if first.cause is Rule.END:
            return ""  # the event before it says so
        case _Kind.FLOW:
            target = place_text(first.target, names)
            return f"{total} {_go(total)} from {place_text(first.source, names)} to {target}{because}."
        case _Kind.PILE:
            return _pile(moves, total, because, names)


def _gained(moves: list[Moved]) -> str:
    """Sum up what each species gained, and why."""
    counts: dict[str, int] = {}
    causes: dict[str, list[str]] = {}
    for move in moves:
        key = place_code(move.target)
        counts[key] = counts.get(key, 0) + move.count
        causes.setdefault(key, []).append(cause_text(move.cause))
    common = {cause for given in causes.values() for cause in given}
    shared = next(iter(common)) if len(common) == 1 else ""
    end = f" ({shared})." if shared else "."
    if len(common) == 1 and len(counts) > 1 and len({*counts.values()}) == 1:
        return f"{listed(tuple(counts))} gain {next(iter(counts.values()))} each{end}"
    parts: list[str] = []
    for key, count in counts.items():
        why = ", ".join(dict.fromkeys(cause for cause in causes[key] if cause))
        reason = f" ({why})" if why and len(common) > 1 else ""
        parts.append(f"{key}{' gains' if not parts else ''} {count}{reason}")
    return f"{listed(parts)}{end}"


def _taken(moves: list[Moved]) -> str:
    verb = "leeches" if leeches(moves[0].cause) else "takes"
    taker = place_code(moves[0].target)
    parts = [(place_code(move.target), move.count, place_code(move.source)) for move in moves]
    if len({target for target, _, _ in parts}) > 1 or len(parts) == 1:
        return listed([f"{target} {verb} {count} from {source}" for target, count, source in parts])
    if len({count for _, count, _ in parts}) == 1:
        return f"{taker} {verb} {parts[0][1]} each from {listed([source for _, _, source in parts])}"
    return f"{taker} {verb} " + listed([f"{count} from {source}" for _, count, source in parts])


def _sources(moves: list[Moved], names: Names) -> str:
    return listed(list(dict.fromkeys(place_text(move.source, names) for move in moves)))


def _pile(moves: list[Moved], total: int, because: str, names: Names) -> str:
    """To or from somebody's score pile."""
    first = moves[0]
    source, target = place_text(first.source, names), place_text(first.target, names)
    if isinstance(first.source, ScorePile):
        payer = names[first.source.seat]
        if first.cause is Rule.COST:
            return f"{payer} pays {total} to {target}."
        if isinstance(first.target, SpeciesBoard):
            return f"{target} takes {total} from {source}{because}."
        return f"{total} of {payer}'s score {_go(total)} to {target}{because}."
    sources = _sources(moves, names)
    if isinstance(first.target, ScorePile):
        return f"{names[first.target.seat]} scores {total} from {sources}{because}."
    return f"{total} moves from {sources} to {target}{because}."


# Everything else ------------------------------------------------------------------------------------


def _single(event: AnyEvent, trail: Sequence[AnyEvent], position: Position, names: Names) -> str:
    match event:
        case LaidOut():
            return _laid_out(event, names)
        case Dealt(seat=seat, count=count):
            return f"{names[seat]} draws {counted(count, 'Surface card')}."
        case Reshuffled(count=count):
            return f"The discard pile ({counted(count, 'card')}) is the new Surface deck."
        case TurnBegan(seat=seat, round=number):
            return f"Round {number}: it is {names[seat]}'s turn."
        case Created(species=key, card=card):
            return f"{names[owner_of(key)]} starts {key} with {card_text(card)}."
        case Evolved(species=key, card=card):
            return f"{card_text(card)} is put on {key}."
        case Discarded(seat=seat, card=card):
            return f"{names[seat]} discards {card_text(card)}."
        case TraitRemoved(species=key, card=card):
            return f"{key} loses {card_text(card)}."
        case TraitsSwapped(species=key, card=card, other=other, other_card=back):
            return f"{key} gives {card_text(card)} to {other} for {card_text(back)}."
        case TraitExchanged(species=key, card=card, replacement=new, pile=pile):
            where = f"to Gene Pool pile {pile}" if pile else "back to the hand"
            return f"On {key} {card_text(new)} takes the place of {card_text(card)}, which goes {where}."
        case Unfed(seat=seat):
            has_species = position.rows[seat] or any(isinstance(later, Extinct) for later in trail)
            if not has_species:
                return ""
            return f"{names[seat]} has nothing to feed."
        case _:
            return _turning_point(event, trail, position, names)


def _turning_point(event: AnyEvent, trail: Sequence[AnyEvent], position: Position, names: Names) -> str:
    match event:
        case Cambrian():
            deep = "" if position.options.reef else ", Deep ones too"
            return (
                "Zone 1 is empty for the first time: the Cambrian Explosion! From now on a turn has two "
                f"cards{deep}. Every species ages 2."
            )
        case ScenarioOn(scenario=code):
            return f"{scenario_text(code)} begins: {_line(code)}."
        case ScenarioOff(scenario=code):
            return f"{scenario_text(code)} ends: its zone holds population again."
        case ScenarioFired(scenario=code):
            return f"{scenario_text(code)} happens: {_line(code)}."
        case EndTriggered():
            came = trail[1].count if len(trail) > 1 and isinstance(trail[1], Moved) else 0
            reserve = f"the reserve of {came}" if came else "the reserve"
            return f"The Ocean is empty: {reserve} goes into zone 3. This round is the last."
        case SpeciesPassed(species=key, new_key=new):
            return f"{key} passes to {names[owner_of(new)]} as {new}."
        case Scrambled():
            return "Each player's traits are dealt back at random."
        case DeepTaken(seat=seat, pile=pile, card=card):
            return f"{names[seat]} takes {card_text(card)} from Gene Pool pile {pile}."
        case DeepLooked(seat=seat, count=count):
            return f"{names[seat]} looks at {counted(count, 'Deep card')}."
        case DeepKept():
            return kept_text(event, names)
        case PoolRefilled(pile=pile, card=card):
            return f"{card_text(card)} comes up on Gene Pool pile {pile}."
        case StandingAnswersSet(seat=seat):
            return f"{names[seat]} sets a standing answer for other players' turns."
        case Ended(scores=scores):
            shown = listed([f"{names[seat]} {score}" for seat, score in enumerate(scores)])
            return f"The game is over. Score piles: {shown}."
        case _:
            return ""


def _line(code: str) -> str:
    scenario = SCENARIOS.get(code)
    return "" if scenario is None else scenario.line[:1].lower() + scenario.line[1:]


def _laid_out(event: LaidOut, names: Names) -> str:
    one, two = (scenario_text(code) for code in event.scenarios)
    pool = listed([card_text(card) for card in event.gene_pool])
    sentences = [
        f"{one} lies below zone 1, {two} below zone 2.",
        f"Gene Pool: {pool}." if pool else "",
        f"{card_text(event.discard)} is turned up: the Reef and zone 1 each give {event.number} to zone 3.",
        f"{names[event.first_player]} begins.",
    ]
    return " ".join(text for text in sentences if text)


def kept_text(event: DeepKept, names: Names, card: Card | None = None) -> str:
    """Which cards went face up after a look at the Deep deck; ``card``: the one kept, if it is known."""
    shown = [(other, pile) for pile, other in enumerate((event.first, event.second), start=1) if other]
    kept = "a Deep card" if card is None else card_text(card)
    if not shown:
        return f"{names[event.seat]} keeps {kept}."
    piles = " and ".join(str(pile) for _, pile in shown)
    where = f"pile {piles}" if len(shown) == 1 else f"piles {piles}"
    go = "goes" if len(shown) == 1 else "go"
    others = listed([card_text(other) for other, _ in shown])
    return f"{names[event.seat]} keeps {kept}. {others} {go} face up on {where}."
