"""Why an action is not legal now and what to do instead, in one or two sentences.

Only the actor's own view is used.  Text that names no card, species or zone is never repeated.
"""

from collections.abc import Mapping
from typing import Final

from rules.game import CHANCE, Action, Names, Seat
from rules.oceans.actions import (
    Attack,
    Cast,
    Choose,
    Create,
    Discard,
    Done,
    Draw,
    DropTrait,
    Evolve,
    Exchange,
    Forage,
    Keep,
    LookDeep,
    Migrate,
    Mutate,
    SetFastAging,
    SetSurplus,
    Skip,
    Spill,
    Swap,
    TakeDeep,
)
from rules.oceans.cards.decks import TRAIT, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import Mark, Quirk
from rules.oceans.engine.evolving import cost, fits, may_bear, pool_tops
from rules.oceans.engine.pre_feeding import swaps
from rules.oceans.engine.ring import find, owner_of
from rules.oceans.engine.values import in_force, is_deep, quirky
from rules.oceans.model import OceansView, Position, Species
from rules.oceans.steps import (
    AnyStep,
    Choosing,
    Drawing,
    Exchanging,
    Feeding,
    Keeping,
    Playing,
    Reason,
    Spilling,
    Swapping,
    Trimming,
)
from rules.oceans.words.description import asked
from rules.oceans.words.immunity import why_not_attack, why_not_forage
from rules.oceans.words.naming import no_card, no_pile, no_species, not_held, not_on, not_yours
from rules.oceans.words.phrases import (
    ZONE_WORD,
    card_text,
    cards_text,
    limit_text,
)
from rules.oceans.zones import INDEX, ZONES, Zone
from rules.text import counted, cut, listed, sentence

_ORDERS: Final = (SetSurplus, SetFastAging)
_STEPS: Final[Mapping[type[AnyStep], tuple[type[Action], ...]]] = {
    Playing: (Evolve, Create, Migrate, Cast, DropTrait, Mutate, Done, *_ORDERS),
    Feeding: (Forage, Attack, Skip, DropTrait),
    Spilling: (Spill,),
    Trimming: (DropTrait,),
    Choosing: (Choose, Done),
    Exchanging: (Exchange, Done),
    Swapping: (Swap, Done),
    Drawing: (TakeDeep, LookDeep, Discard, Draw),
    Keeping: (Keep,),
}
_ANYTHING: Final = "That is allowed."
_LONGEST: Final = 900


def refusal(view: OceansView, action: Action, names: Names) -> str:
    """Say why this action is refused to the viewer."""
    position = view.position
    if position.to_act is None:
        return "The game is over."
    if position.to_act != view.viewer or view.viewer is None:
        who = "Chance" if position.to_act == CHANCE else names[position.to_act]
        return f"It is not your turn to choose: {who} is to act."
    step = position.agenda[-1]
    if not isinstance(action, _STEPS.get(type(step), ())):
        return f"Not now: you are asked {asked(position, step, names)}."
    return cut(_reason(view, view.viewer, step, action, names), _LONGEST)


def _reason(view: OceansView, seat: Seat, step: AnyStep, action: Action, names: Names) -> str:
    match action:
        case Evolve() | Create():
            return _evolution(view, seat, action, names)
        case Migrate() | Cast():
            return _migration(view, seat, action)
        case DropTrait():
            return _drop(view.position, seat, step, action, names)
        case Mutate():
            return _mutation(view.position, seat, action, names)
        case SetSurplus() | SetFastAging():
            return _order(view.position, seat, action)
        case Done():
            return _not_done(view, step)
        case Exchange():
            return _exchange(view, seat, action, names)
        case Swap() if isinstance(step, Swapping):
            return _swap(view.position, seat, step, action, names)
        case Forage(species=key):
            return not_yours(view.position, seat, key, names) or why_not_forage(view.position, action)
        case Attack(species=key, target=target):
            wrong = not_yours(view.position, seat, key, names) or no_species(view.position, target)
            return wrong or why_not_attack(view.position, action, names)
        case Choose() if isinstance(step, Choosing):
            return f"Choose one of these: {listed(step.options, 'or')}."
        case _:
            return _drawing(view, step, action)


def _unplayable(view: OceansView, card: Card, *, evolving: bool) -> str | None:
    """Say what is wrong with a card as one to play now."""
    position = view.position
    wrong = no_card(card)
    if wrong is not None:
        return wrong
    if not position.plays:
        return "You have played all your cards for this turn: go on with `done`."
    if card in pool_tops(position.gene_pool) and card not in view.hand:
        if not in_force(position, Effect.THERMAL):
            return f"{card_text(card)} lies in the Gene Pool: you can take it when you draw, at the end."
        return None if evolving else "A card of the Gene Pool can evolve a species but cannot migrate."
    wrong = not_held(view, card)
    if wrong is not None:
        return wrong
    if is_deep(card) and not position.cambrian:
        return (
            f"{card_text(card)} is a Deep card: it can be played from the Cambrian Explosion on, when zone 1 "
            "has been empty. Play a Surface card."
        )
    return None


# Phase 1 ------------------------------------------------------------------------------------------------


def _evolution(view: OceansView, seat: Seat, action: Evolve | Create, names: Names) -> str:
    position, card = view.position, action.card
    wrong = _unplayable(view, card, evolving=True)
    if wrong is not None:
        return wrong
    species = None
    if isinstance(action, Create):
        if {Mark.ON_ANYBODY, Mark.ON_OPPONENT} & {*TRAIT[card].marks}:
            return f"{card_text(card)} never starts a species: put it on one that is in play."
        most = len(position.rows[seat])
        if not 0 <= action.place <= most:
            return f"The place is how many of your species stand to its left: 0 to {most}."
    else:
        wrong = _bearer(view, seat, card, action.species, names)
        if wrong is not None:
            return wrong
        species = find(position, action.species)
    return _payment(view, card, cost(card, species), action.pay)


def _bearer(view: OceansView, seat: Seat, card: Card, key: str, names: Names) -> str | None:
    """Say why a species cannot have this trait."""
    position = view.position
    wrong = no_species(position, key)
    species = find(position, key)
    if wrong is not None or species is None:
        return wrong
    if not may_bear(position, card, seat, species):
        if Mark.ON_OPPONENT in TRAIT[card].marks:
            return f"{card_text(card)} goes on a species of another player, never on your own."
        return not_yours(position, seat, key, names)
    if fits(position, card, species):
        return None
    return _full(view, seat, species)


def _full(view: OceansView, seat: Seat, species: Species) -> str:
    position = view.position
    told = f"{species.key} has no free trait slot ({limit_text(position, species)})."
    fitting = [
        each
        for each in dict.fromkeys(view.hand)
        if _unplayable(view, each, evolving=True) is None
        and may_bear(position, each, seat, species)
        and fits(position, each, species)
    ]
    if fitting:
        return f"{told} {cards_text(fitting)} would fit, bringing a slot along."
    if owner_of(species.key) == seat:
        return f"{told} Remove a trait with `drop` first, or start a new species."
    return f"{told} Choose another one."


def _payment(view: OceansView, card: Card, price: int, pay: Zone | None) -> str:
    if not price:
        return _ANYTHING if pay is None else f"{card_text(card)} costs nothing here: name no zone for it."
    if (view.score or 0) < price:
        return (
            f"{card_text(card)} costs {price} and your score pile holds {view.score or 0}: migrate with it, "
            "or play another card."
        )
    if pay is None:
        return f"{card_text(card)} costs {price}: say which zone gets it: reef, z1, z2 or z3."
    return _ANYTHING


def _migration(view: OceansView, seat: Seat, action: Migrate | Cast) -> str:
    position = view.position
    wrong = _unplayable(view, action.card, evolving=False)
    if wrong is not None:
        return wrong
    holding = [ZONE_WORD[zone] for zone in ZONES if position.water[INDEX[zone]]]
    if isinstance(action, Cast):
        if not holding:
            return _ANYTHING
        return (
            "A card is discarded for nothing only when every zone is empty: migrate from "
            f"{listed(holding, 'or')}."
        )
    if not holding:
        return f"Every zone is empty, so nothing can migrate: use `cast {action.card}` instead."
    if action.source is action.target:
        return "Population migrates from one zone to another one: name two different zones."
    if not position.water[INDEX[action.source]]:
        return f"{sentence(ZONE_WORD[action.source])} is empty: migrate from {listed(holding, 'or')}."
    return _ANYTHING


def _drop(position: Position, seat: Seat, step: AnyStep, action: DropTrait, names: Names) -> str:
    if isinstance(step, Feeding) and not step.drop:
        return "Traits are removed in the card phase: now feed a species, or pass with `skip`."
    wrong = not_yours(position, seat, action.species, names)
    if wrong is not None:
        return wrong
    if isinstance(step, Trimming) and action.species != step.species:
        return f"{step.species} has too many traits: remove one of {step.species}'s."
    return not_on(position, action.species, action.card) or _ANYTHING


def _mutation(position: Position, seat: Seat, action: Mutate, names: Names) -> str:
    wrong = not_yours(position, seat, action.species, names)
    if wrong is not None:
        return wrong
    species = find(position, action.species)
    if species is None or not species.mutates:
        return f"{action.species} has no exchange to make: that takes Rapid Mutation and an attack on it."
    wrong = not_on(position, action.species, action.card)
    if wrong is not None:
        return wrong
    if not is_deep(action.card):
        return f"{card_text(action.card)} is a Surface trait: Rapid Mutation exchanges Deep traits."
    wrong = no_pile(position, action.pile)
    return wrong or "The card on that pile cannot be put on an own species: name the other pile."


def _order(position: Position, seat: Seat, action: SetSurplus | SetFastAging) -> str:
    if isinstance(action, SetFastAging) and not any(
        quirky(species, Quirk.FAST_METABOLISM) for species in position.rows[seat]
    ):
        return "None of your species has Fast Metabolism."
    orders = position.orders[seat]
    if isinstance(action, SetSurplus) and orders.surplus is action.zone:
        return f"Your surplus goes to {ZONE_WORD[action.zone]} already."
    if isinstance(action, SetFastAging) and orders.fast_aging is action.ages:
        return "That is your standing answer already."
    return "One standing answer can be changed a turn: the next one in your next turn."


def _not_done(view: OceansView, step: AnyStep) -> str:
    position = view.position
    if isinstance(step, Choosing) and step.reason is not Reason.HYDRA:
        return f"You have to choose: {listed(step.options, 'or')}."
    if isinstance(step, Playing) and position.plays:
        return f"You still have {counted(position.plays, 'card')} to play: evolve a species or migrate."
    return _ANYTHING


# Exchanges ----------------------------------------------------------------------------------------------


def _exchange(view: OceansView, seat: Seat, action: Exchange, names: Names) -> str:
    position = view.position
    step = position.agenda[-1]
    wrong = not_yours(position, seat, action.species, names)
    if wrong is not None:
        return wrong
    if isinstance(step, Exchanging) and action.species != step.species:
        return f"Only {step.species}, which has Atavism, exchanges traits now."
    wrong = not_on(position, action.species, action.card) or not_held(view, action.replacement)
    if wrong is not None:
        return wrong
    if is_deep(action.replacement):
        return f"{card_text(action.replacement)} is a Deep card: put a Surface card in the trait's place."
    return "The two cards are alike: name another one."


def _swap(position: Position, seat: Seat, step: Swapping, action: Swap, names: Names) -> str:
    wrong = not_yours(position, seat, action.species, names) or no_species(position, action.other)
    if wrong is not None:
        return wrong
    wrong = not_on(position, action.species, action.card) or not_on(position, action.other, action.other_card)
    if wrong is not None:
        return wrong
    if step.species and action.species != step.species:
        return f"Only {step.species}, which has Gene Transfer, swaps traits now."
    if step.species and is_deep(action.card):
        return f"{card_text(action.card)} is a Deep trait: Gene Transfer gives away Surface traits only."
    partners = dict.fromkeys(
        each.other for each in swaps(position, seat, step) if each.species == action.species
    )
    if action.other not in partners:
        return f"{action.species} can swap with {listed(tuple(partners), 'or') or 'nobody'} only."
    return "The two traits are alike: name another one."


# Phase 4 ------------------------------------------------------------------------------------------------


def _drawing(view: OceansView, step: AnyStep, action: Action) -> str:
    position = view.position
    match action:
        case TakeDeep() | LookDeep() if position.options.reef:
            return "The Reef Variant has no Deep cards: go on with `draw`."
        case TakeDeep() | LookDeep() if isinstance(step, Drawing) and not step.deep:
            return (
                "A Deep card is taken first and only once a turn, before anything is discarded: go on with "
                "`draw`."
            )
        case TakeDeep(pile=pile):
            return no_pile(position, pile) or _ANYTHING
        case LookDeep():
            return "The Deep deck is empty: take a card of the Gene Pool, or go on with `draw`."
        case Discard(card=card):
            wrong = not_held(view, card)
            if wrong is not None:
                return wrong
            return f"{card_text(card)} is a Deep card: only Surface cards are discarded before drawing."
        case Keep():
            return _keep(view, action)
        case _:
            return _ANYTHING


def _keep(view: OceansView, action: Keep) -> str:
    looked = f"You look at {cards_text(view.looking)}"
    named = [card for card in (action.card, action.first, action.second) if card is not None]
    for card in named:
        wrong = no_card(card)
        if wrong is not None:
            return wrong
        if card not in view.looking:
            return f"{card_text(card)} is not among the cards you look at. {looked}."
    return f"{looked}: name the one you keep, then the ones for piles 1 and 2, each once."
