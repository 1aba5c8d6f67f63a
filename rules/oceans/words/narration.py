"""What happened, in sentences: from the view before, the action as seen, and the trail."""

from collections.abc import Sequence
from typing import Final

from rules.game import CHANCE, SEAT_LETTERS, Action, Event, Names, Resign, Seat
from rules.oceans.actions import (
    Attack,
    Cast,
    Choose,
    Create,
    Deal,
    Done,
    Draw,
    DropTrait,
    Evolve,
    Keep,
    LayOut,
    LookDeep,
    Migrate,
    OpenShield,
    Scramble,
    SetFastAging,
    SetSurplus,
    ShowDeep,
    Skip,
    Spill,
)
from rules.oceans.cards.decks import FACE_DOWN, Card
from rules.oceans.events import (
    AnyEvent,
    Created,
    Dealt,
    DeepKept,
    DeepLooked,
    Discarded,
    Evolved,
    Moved,
    OrdersGiven,
    Scrambled,
    TraitRemoved,
)
from rules.oceans.model import OceansView, Position
from rules.oceans.steps import Choosing, Dealing, Reason, Spilling
from rules.oceans.words.phrases import (
    ZONE_WORD,
    card_text,
    cards_text,
    cause_text,
    place_text,
    where_text,
)
from rules.oceans.words.trail_text import kept_text, tell
from rules.text import counted, cut, listed

LONGEST: Final = 1000
"""Characters of one narration."""


def narrate(before: OceansView, actor: Seat, action: Action, after: OceansView, names: Names) -> str:
    """Tell one action and what it brought about; empty where the reader saw nothing happen."""
    trail = list(after.position.trail)
    if actor == CHANCE:
        head = _chance(before, action, after, trail, names)
    else:
        head = _choice(before, actor, action, after, trail, names)
    told = [text for text in (head, *tell(trail, after.position, names)) if text]
    if not told and actor != CHANCE:
        told = [f"{names[actor]} goes on."]
    return cut(" ".join(told), LONGEST)


def _without(trail: list[AnyEvent], *kinds: type[Event]) -> AnyEvent | None:
    """Take the first event of these kinds out of the trail: it is told in the opening sentence."""
    for at, event in enumerate(trail):
        if isinstance(event, kinds):
            return trail.pop(at)
    return None


def _move_out(trail: list[AnyEvent], cause: str) -> Moved | None:
    """Take the first movement with this cause out of the trail."""
    for at, event in enumerate(trail):
        if isinstance(event, Moved) and event.cause == cause:
            del trail[at]
            return event
    return None


# A player's choice ----------------------------------------------------------------------------------


def _choice(
    before: OceansView, actor: Seat, action: Action, after: OceansView, trail: list[AnyEvent], names: Names
) -> str:
    """The opening sentence; what it says is taken out of the trail."""
    name = names[actor]
    match action:
        case Resign():
            return f"{name} resigns."
        case Evolve(card=card, species=key):
            _without(trail, Evolved)
            source = _from_pool(before.position, after.position, card)
            return f"{name} puts {card_text(card)}{source} on {key}{_paid(trail, names)}."
        case Create(card=card, place=place):
            created = _without(trail, Created)
            key = created.species if isinstance(created, Created) else "a species"
            where = where_text(before.position.rows[actor], place) if before.position.rows[actor] else ""
            source = _from_pool(before.position, after.position, card)
            told = f"{name} starts {key} {where}".rstrip()
            return f"{told} with {card_text(card)}{source}{_paid(trail, names)}."
        case Migrate(card=card, source=zone, target=target):
            _without(trail, Discarded)
            moved = _move_out(trail, "migrate")
            count = 0 if moved is None else moved.count
            goes = "goes" if count == 1 else "go"
            way = f"from {ZONE_WORD[zone]} to {ZONE_WORD[target]}"
            return f"{name} discards {card_text(card)}: {count} {goes} {way}."
        case Cast(card=card):
            _without(trail, Discarded)
            return f"{name} discards {card_text(card)}: nothing is left to migrate."
        case DropTrait(species=key, card=card):
            _without(trail, TraitRemoved)
            return f"{name} removes {card_text(card)} from {key}."
        case _:
            return _small_choice(before, actor, action, trail, names)


def _small_choice(
    before: OceansView, actor: Seat, action: Action, trail: list[AnyEvent], names: Names
) -> str:
    name = names[actor]
    match action:
        case SetSurplus(zone=zone):
            _without(trail, OrdersGiven)
            return f"In others' turns surplus of {name}'s species goes to {ZONE_WORD[zone]} from now on."
        case SetFastAging(ages=ages):
            _without(trail, OrdersGiven)
            return (
                f"{name}'s Fast Metabolism {'ages' if ages else 'does not age'} in others' turns from now on."
            )
        case Attack(ignoring=ignoring) if ignoring:
            return f"{name} disregards {cards_text(ignoring)} for this attack."
        case Skip():
            fed = before.position.meals.feeder is not None or before.position.meals.extra
            return f"{name} feeds {'no more' if fed else 'no species'}."
        case Choose(option=option):
            return _answer(before.position, option, name, names)
        case Spill(zone=zone):
            moved = _move_out(trail, "surplus")
            step = before.position.agenda[-1]
            key = step.species if isinstance(step, Spilling) else ""
            count = 0 if moved is None else moved.count
            return f"{name} moves {key}'s surplus of {count} to {ZONE_WORD[zone]}."
        case Keep(card=card) if card != FACE_DOWN:
            kept = _without(trail, DeepKept)
            return kept_text(kept, names, card) if isinstance(kept, DeepKept) else ""
        case LookDeep():
            return f"{name} looks at the Deep deck."
        case Draw():
            return "" if trail else f"{name} is done."
        case Done():
            return "" if trail else f"{name} goes on."
        case _:
            return ""


def _paid(trail: list[AnyEvent], names: Names) -> str:
    cost = _move_out(trail, "cost")
    return "" if cost is None else f" and pays {cost.count} to {place_text(cost.target, names)}"


def _from_pool(before: Position, after: Position, card: Card) -> str:
    tops = [pile[-1] for pile in before.gene_pool if pile]
    return " from the Gene Pool" if card in tops and before.deep_hands == after.deep_hands else ""


def _answer(before: Position, option: str, name: str, names: Names) -> str:
    """What a player picked, where the events do not tell it."""
    step = before.agenda[-1]
    if not isinstance(step, Choosing):
        return ""
    match step.reason:
        case Reason.AGE:
            return f"{name} lets {step.species} age {option}."
        case Reason.VIRUS:
            return f"{name} lets {option} age twice ({cause_text(step.card)})."
        case Reason.SHIELD:
            robbed = names[SEAT_LETTERS.index(option)]
            return f"{step.species} takes from {robbed}'s score pile ({cause_text(step.card)})."
        case _:
            return ""


# Chance ---------------------------------------------------------------------------------------------


def _chance(
    before: OceansView, action: Action, after: OceansView, trail: list[AnyEvent], names: Names
) -> str:
    match action:
        case Deal(seat=seat, cards=cards):
            _without(trail, Dealt)
            return _dealt(before.position, seat, cards, after.position, names)
        case LayOut():
            _move_out(trail, "migrate")
            _move_out(trail, "migrate")
            return ""
        case ShowDeep(seat=seat, cards=cards):
            _without(trail, DeepLooked)
            if FACE_DOWN in cards:
                return ""  # told when the look was announced
            return f"{names[seat]} sees {listed([card_text(card) for card in cards])}."
        case Scramble():
            _without(trail, Scrambled)
            return "The traits of each row are shuffled and dealt back."
        case OpenShield(seat=seat, count=0):
            return f"{names[seat]}'s score pile is empty."
        case _:
            return ""


def _dealt(before: Position, seat: Seat, cards: Sequence[Card], after: Position, names: Names) -> str:
    """Tell what is drawn: the cards to those who see them, else how many."""
    seen = FACE_DOWN not in cards and bool(cards)
    if before.agenda and isinstance(before.agenda[-1], Dealing):
        own = f"{names[seat]} is dealt {cards_text(cards)}." if seen else ""
        all_dealt = not any(isinstance(step, Dealing) for step in after.agenda)
        everybody = f"Everybody holds {counted(len(cards), 'Surface card')}." if all_dealt else ""
        return " ".join(text for text in (own, everybody) if text)
    if not cards:
        return ""
    drawn = cards_text(cards) if seen else counted(len(cards), "Surface card")
    return f"{names[seat]} draws {drawn}."
