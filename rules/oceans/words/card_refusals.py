"""Why a card cannot be played now, cannot go on a species or is not paid for."""

from typing import Final

from rules.model import Names, Seat
from rules.oceans.actions import Create
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.cards.scenarios import Effect
from rules.oceans.cards.traits import TraitFlag
from rules.oceans.engine.playing import (
    evolving_actions,
    gene_pool_tops,
    has_slot_for,
    must_play_card,
    ownership_allows,
    payment_zones,
)
from rules.oceans.engine.ring import find_species, owner_of
from rules.oceans.engine.species_traits import removable_traits
from rules.oceans.engine.values import is_deep, is_effect_active
from rules.oceans.model import OceansView, Species
from rules.oceans.places import Zone
from rules.oceans.words.phrases import card_text, cards_text, used_slots_text
from rules.oceans.words.reference_errors import card_error, held_card_error, own_species_error, species_error
from rules.text import capitalized

NO_CARD_TO_PLAY_TEXT: Final = "You have played all your cards for this turn: go on to feeding with `done`."


def card_refusal(view: OceansView, card: Card, *, is_evolving: bool) -> str | None:
    """Say why a card cannot be played now, to evolve or else to migrate; None if it can."""
    position = view.position
    if card_error(card) is not None:
        return held_card_error(view, card)
    is_too_early = card in view.hand and is_deep(card) and not position.cambrian_happened
    if not position.plays_left and not is_too_early:
        return NO_CARD_TO_PLAY_TEXT
    if card in gene_pool_tops(position.gene_pool) and card not in view.hand:
        if not is_effect_active(position, Effect.THERMAL_CURRENTS):
            return f"{card_text(card)} lies in the Gene Pool: you can take it at the end of your turn."
        return None if is_evolving else "A card of the Gene Pool can evolve a species but cannot migrate."
    error = held_card_error(view, card)
    if error is not None:
        return error
    if is_too_early:
        instead = "play a Surface card" if must_play_card(position) else "go on to feeding with `done`"
        return (
            f"{card_text(card)} is a Deep card. You can play it after the Cambrian Explosion, when zone 1 "
            f"has been empty. Now {instead}."
        )
    return None


def species_refusal(view: OceansView, seat: Seat, card: Card, key: str, names: Names) -> str | None:
    """Say why a species cannot get this trait; None if it can."""
    position = view.position
    error = species_error(position, key)
    species = find_species(position, key)
    if error is not None or species is None:
        return error
    if not ownership_allows(card, seat, species):
        if TraitFlag.ON_OPPONENT in TRAIT_BY_CARD[card].flags:
            return f"{card_text(card)} goes on a species of another player, never on your own."
        return own_species_error(position, seat, key, names)
    if has_slot_for(position, card, species) or not payment_zones(view, card, species):
        return None  # a card that cannot be paid for is refused by its cost
    return _no_slot_text(view, seat, card, species)


def _no_slot_text(view: OceansView, seat: Seat, card: Card, species: Species) -> str:
    position = view.position
    reason = f"{species.key} has no free trait slot ({used_slots_text(position, species)})."
    playable = [
        each
        for each in dict.fromkeys(view.hand)
        if card_refusal(view, each, is_evolving=True) is None
        and ownership_allows(each, seat, species)
        and has_slot_for(position, each, species)
        and payment_zones(view, each, species)
    ]
    if playable:
        return f"{reason} {cards_text(playable)} would fit, bringing a slot along."
    other_actions = list(evolving_actions(view, seat, card))
    if not other_actions:
        instead = _other_use_text(view, card)
    elif any(isinstance(each, Create) for each in other_actions):
        instead = "start a new species"
    else:
        instead = "choose another one"
    if owner_of(species.key) == seat and removable_traits(species):
        return f"{reason} Remove a trait with `drop` first, or {instead}."
    if not other_actions:
        return f"{reason} No other species can get {card_text(card)}: {instead}."
    return f"{reason} {capitalized(instead)}."


def _other_use_text(view: OceansView, card: Card) -> str:
    """Return what can be done instead of evolving with a card."""
    position = view.position
    if card not in view.hand:  # it lies in the Gene Pool
        return "play another card" if must_play_card(position) else "go on to feeding with `done`"
    use = "migrate with it" if any(position.zone_populations) else f"discard it with `cast {card}`"
    return f"{use}, or play another card" if len(view.hand) > 1 else use


def payment_refusal(view: OceansView, card: Card, cost: int, pay: Zone | None) -> str | None:
    """Say what is wrong with the zone named for a card's cost; None if nothing is."""
    if not cost:
        return None if pay is None else f"{card_text(card)} costs nothing here: name no zone for it."
    if (view.score_pile or 0) < cost:
        reason = f"{card_text(card)} costs {cost} and your score pile holds {view.score_pile or 0}"
        return f"{reason}: {_other_use_text(view, card)}."
    if pay is None:
        return f"{card_text(card)} costs {cost}. Say which zone gets it: reef, z1, z2 or z3."
    return None
