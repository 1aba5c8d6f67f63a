"""A trail of events in sentences, what belongs together in one.  Everything in it is public."""

from collections.abc import Callable, Sequence
from typing import Final

from rules.game import Names
from rules.oceans.cards.decks import SCENARIOS, TRAIT, Card
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
    OrdersGiven,
    Overpopulated,
    PoolRefilled,
    Reshuffled,
    ScenarioFired,
    ScenarioOff,
    ScenarioOn,
    Scrambled,
    SpeciesPassed,
    TraitExchanged,
    TraitRemoved,
    TraitsSwapped,
    TurnBegan,
    Unfed,
)
from rules.oceans.model import Position
from rules.oceans.words.phrases import (
    card_text,
    cause_text,
    is_species,
    leeches,
    place_text,
    scenario_text,
    seat_of,
)
from rules.oceans.zones import Zone
from rules.text import counted, listed, sentence

_LEAVING: Final = frozenset({"aging", "extinct"})
_WATER: Final = frozenset({*(zone.value for zone in Zone), "reserve", "supply"})


def tell(trail: Sequence[AnyEvent], position: Position, names: Names) -> list[str]:
    """One sentence for each thing that happened; ``position``: as it is afterwards."""
    told = []
    at = 0
    while at < len(trail):
        size, text = _at(trail[at:], position, names)
        at += size
        if text:
            told.append(text)
    return told


def _at(trail: Sequence[AnyEvent], position: Position, names: Names) -> tuple[int, str]:
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


_FEEDING: Final = frozenset({"forage", "attack"})


def _while(trail: Sequence[AnyEvent], fits: Callable[[AnyEvent], bool]) -> int:
    size = 0
    while size < len(trail) and fits(trail[size]):
        size += 1
    return size


# Feeding and what leaves ----------------------------------------------------------------------------


def _fed(trail: Sequence[AnyEvent], names: Names) -> str:
    scored = any(isinstance(move, Moved) and seat_of(move.target, len(names)) is not None for move in trail)
    ending = ", which is scored" if scored else ""
    match trail[0]:
        case Foraged(species=key, source=source, count=count):
            where = f"on {source}" if is_species(source) else f"in {place_text(source, names)}"
            return f"{_owned(key, names)} forages {where} and takes {count}{ending}."
        case Attacked(species=key, target=target, count=0):
            return f"{_owned(key, names)} attacks {target}."
        case Attacked(species=key, target=target, count=count):
            return f"{_owned(key, names)} attacks {target} and takes {count}{ending}."
        case _:
            return ""


def _owned(key: str, names: Names) -> str:
    return f"{names[owner_of(key)]}'s {key}"


def _overpopulated(trail: Sequence[AnyEvent], names: Names) -> tuple[int, str]:
    """Species whose last space was filled, with where their surplus goes if nobody had to be asked."""
    size = _while(trail, lambda event: isinstance(event, Overpopulated))
    keys = [event.species for event in trail[:size] if isinstance(event, Overpopulated)]
    spilt = _while(trail[size:], lambda event: isinstance(event, Moved) and event.cause == "surplus")
    moves = [event for event in trail[size : size + spilt] if isinstance(event, Moved)]
    text = f"{listed(keys)} {'overpopulates' if len(keys) == 1 else 'overpopulate'}"
    if not moves:
        return size, f"{text}."
    if len(keys) == 1:
        count = moves[0].count
        if seat_of(moves[0].target, len(names)) is not None:
            return size + spilt, f"{text}: {count} {_is(count)} scored."
        return size + spilt, f"{text}: {count} {_go(count)} to {place_text(moves[0].target, names)}."
    return size + spilt, f"{text}. {_surplus(moves, names)}"


def _surplus(moves: Sequence[Moved], names: Names) -> str:
    parts = [f"{move.source}'s {move.count} to {place_text(move.target, names)}" for move in moves]
    return f"Surplus: {listed(parts)}."


def _go(count: int) -> str:
    return "goes" if count == 1 else "go"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _left(trail: Sequence[AnyEvent], names: Names) -> tuple[int, str]:
    """Aging, and species that die out: what each player scores and which species are gone."""
    size = _while(trail, _leaves)
    scored: dict[str, int] = {}
    elsewhere: list[Moved] = []
    for event in trail[:size]:
        if isinstance(event, Moved) and event.cause == "aging":
            scored[event.target] = scored.get(event.target, 0) + event.count
        elif isinstance(event, Moved):
            elsewhere.append(event)
    gone = [event.species for event in trail[:size] if isinstance(event, Extinct)]
    parts = []
    if scored:
        parts.append(listed([f"{names[owner_of(seat)]} scores {count}" for seat, count in scored.items()]))
    for move in elsewhere:
        why = cause_text(move.cause)
        because = f" ({why})" if why else ""
        scorer = seat_of(move.target, len(names))
        if scorer is not None:
            parts.append(f"{names[scorer]} scores {move.count} from {move.source}{because}")
        else:
            parts.append(
                f"{move.source}'s {move.count} {_go(move.count)} to {place_text(move.target, names)}"
            )
    if gone:
        parts.append(f"{listed(gone)} {'dies' if len(gone) == 1 else 'die'} out")
    text = "; ".join(parts)
    return size, f"Aging: {text}." if scored else f"{sentence(text)}."


def _leaves(event: AnyEvent) -> bool:
    """Whether it belongs to one Aging or dying out; Cthulhu Leech scores in the middle of it."""
    if isinstance(event, Moved):
        return event.cause in _LEAVING or (len(event.target) == 1 and Card(event.cause) in TRAIT)
    return isinstance(event, Extinct)


# Population on the move -----------------------------------------------------------------------------


def _gains(cause: str) -> bool:
    """Whether what a card brings from the Ocean is a gain."""
    trait = TRAIT.get(Card(cause))
    return cause in SCENARIOS or cause == "gain" or (trait is not None and bool(trait.gain))


def _kind(move: Moved) -> tuple[str, ...]:
    """Moves of one kind that follow each other are told together."""
    cause = cause_text(move.cause) or move.cause
    if cause == "surplus":
        return (cause,)
    from_water, to_water = move.source in _WATER, move.target in _WATER
    if from_water and is_species(move.target):
        return ("gain",) if _gains(move.cause) else ("draw", cause, move.target)
    if from_water and to_water:
        return "flow", cause, move.source, move.target
    if is_species(move.source) and is_species(move.target):
        return "take", cause
    if is_species(move.source) and to_water:
        return "lose", cause, move.target
    return "pile", cause, move.source if len(move.source) == 1 else move.target


def _moved(moves: list[Moved], names: Names) -> str:
    first = moves[0]
    total = sum(move.count for move in moves)
    why = cause_text(first.cause)
    because = f" ({why})" if why else ""
    match _kind(first)[0]:
        case "gain":
            return _gained(moves)
        case "draw":
            return f"{first.target} takes {total} from {_sources(moves, names)}{because}."
        case "take":
            return f"{_taken(moves)}{because}."
        case "surplus":
            return _surplus(moves, names)
        case "lose":
            lost = [f"{move.source}{' loses' if i == 0 else ''} {move.count}" for i, move in enumerate(moves)]
            return f"{listed(lost)} to {place_text(first.target, names)}{because}."
        case "flow" if first.cause == "end":
            return ""  # told by the event before it
        case "flow":
            target = place_text(first.target, names)
            return f"{total} {_go(total)} from {place_text(first.source, names)} to {target}{because}."
        case _:
            return _pile(moves, total, because, names)


def _gained(moves: list[Moved]) -> str:
    """Sum up what each species gained, and why."""
    counts: dict[str, int] = {}
    causes: dict[str, list[str]] = {}
    for move in moves:
        counts[move.target] = counts.get(move.target, 0) + move.count
        causes.setdefault(move.target, []).append(cause_text(move.cause))
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
    targets = {move.target for move in moves}
    if len(targets) > 1 or len(moves) == 1:
        return listed([f"{move.target} {verb} {move.count} from {move.source}" for move in moves])
    counts = {move.count for move in moves}
    sources = listed([move.source for move in moves])
    if len(counts) == 1:
        return f"{moves[0].target} {verb} {moves[0].count} each from {sources}"
    return f"{moves[0].target} {verb} " + listed([f"{move.count} from {move.source}" for move in moves])


def _sources(moves: list[Moved], names: Names) -> str:
    return listed(list(dict.fromkeys(place_text(move.source, names) for move in moves)))


def _pile(moves: list[Moved], total: int, because: str, names: Names) -> str:
    """To or from somebody's score pile."""
    first = moves[0]
    payer, scorer = seat_of(first.source, len(names)), seat_of(first.target, len(names))
    if payer is not None and first.cause == "cost":
        return f"{names[payer]} pays {total} to {place_text(first.target, names)}."
    if payer is not None and is_species(first.target):
        return f"{first.target} takes {total} from {place_text(first.source, names)}{because}."
    if payer is not None:
        return (
            f"{total} of {names[payer]}'s score {_go(total)} to {place_text(first.target, names)}{because}."
        )
    sources = _sources(moves, names)
    if scorer is None:
        return f"{total} moves from {sources} to {place_text(first.target, names)}{because}."
    return f"{names[scorer]} scores {total} from {sources}{because}."


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
                "Zone 1 has run empty for the first time: the Cambrian Explosion! From now on a turn has two "
                f"cards{deep}, and every species ages 2."
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
            return f"The Ocean has run empty: {reserve} goes into zone 3, and this round is the last."
        case SpeciesPassed(species=key, new_key=new):
            return f"{key} passes to {names[owner_of(new)]} as {new}."
        case Scrambled():
            return "The traits of every row are dealt back at random."
        case DeepTaken(seat=seat, pile=pile, card=card):
            return f"{names[seat]} takes {card_text(card)} from Gene Pool pile {pile}."
        case DeepLooked(seat=seat, count=count):
            return f"{names[seat]} looks at {counted(count, 'Deep card')}."
        case DeepKept():
            return kept_text(event, names)
        case PoolRefilled(pile=pile, card=card):
            return f"{card_text(card)} comes up on Gene Pool pile {pile}."
        case OrdersGiven(seat=seat):
            return f"{names[seat]} sets a standing answer for others' turns."
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
    told = [
        f"{one} lies below zone 1, {two} below zone 2.",
        f"Gene Pool: {pool}." if pool else "",
        f"{card_text(event.discard)} is turned up: {event.number} go from Reef and zone 1 each to zone 3.",
        f"{names[event.first_player]} begins.",
    ]
    return " ".join(text for text in told if text)


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
    return f"{names[event.seat]} keeps {kept}; {others} {go} face up on {where}."
