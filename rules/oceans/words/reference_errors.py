"""Checks of what an action names: a card, a species, a trait on it, a pile of the Gene Pool.

Each ``…_error`` function returns a sentence that says what is wrong and what to name instead, or None.  No
unknown text is repeated.
"""

from rules.model import Names, Seat
from rules.oceans.cards.decks import TRAIT_BY_CARD, Card
from rules.oceans.engine.ring import find_species, owner_of
from rules.oceans.engine.species_traits import removable_traits
from rules.oceans.model import OceansView, Position
from rules.oceans.words.phrases import card_text, cards_text
from rules.text import listed


def card_error(card: Card) -> str | None:
    """Check that a code is a card's."""
    if card in TRAIT_BY_CARD:
        return None
    capitals = Card(card.upper())
    if capitals in TRAIT_BY_CARD:
        return f"Write cards with capitals: {capitals}."
    return "There is no such card: write its name or code, such as Speed 7 or SP7."


def held_card_error(view: OceansView, card: Card) -> str | None:
    """Check that a card is in the viewer's hand."""
    if view.hand and card.upper() not in TRAIT_BY_CARD:
        return _unknown_card_text(view)
    error = card_error(card)
    if error is not None or card in view.hand:
        return error
    held_text = f"You hold {cards_text(view.hand)}" if view.hand else "You hold no cards"
    return f"{card_text(card)} is not in your hand. {held_text}."


def _unknown_card_text(view: OceansView) -> str:
    """Return the refusal of an unknown card with the names and codes of the viewer's hand."""
    cards = listed([f"{card_text(card)} ({card})" for card in dict.fromkeys(view.hand)])
    return f"There is no such card: write its name or code. You hold {cards}."


def species_error(position: Position, key: str, seat: Seat | None = None) -> str | None:
    """Check that a key is that of a species in play; ``seat``: whose species are named if it is not."""
    if find_species(position, key) is not None:
        return None
    if find_species(position, key.upper()) is not None:
        return f"Write species with a capital: {key.upper()}."
    rows = position.rows if seat is None else (position.rows[seat],)
    keys = [species.key for row in rows for species in row]
    return (
        f"There is no such species: name one of {', '.join(keys)}."
        if keys
        else "There is no such species: you have none."
        if seat is not None
        else "No species is in play now."
    )


def own_species_error(position: Position, seat: Seat, key: str, names: Names) -> str | None:
    """Check that a key is that of a seat's own species."""
    error = species_error(position, key, seat)
    if error is not None:
        return error
    owner = owner_of(key)
    if owner == seat:
        return None
    return f"{key} is {names[owner]}'s: name one of your own species{_own_species_text(position, seat)}."


def _own_species_text(position: Position, seat: Seat) -> str:
    """Return a seat's species in brackets: " (A1, A2)"."""
    keys = [species.key for species in position.rows[seat]]
    return f" ({', '.join(keys)})" if keys else ""


def removable_trait_error(position: Position, key: str, card: Card) -> str | None:
    """Check that a trait is on a species and can leave it.

    An unknown species gives None: check it first with ``species_error``.
    """
    error = card_error(card)
    species = find_species(position, key)
    if error is not None or species is None:
        return error
    if card not in species.traits:
        return f"{key} has no {card_text(card)}. It has {cards_text(species.traits) or 'no traits'}."
    if card not in removable_traits(species):
        return f"{card_text(card)} stays where it is: it cannot be removed or exchanged."
    return None


def pile_error(position: Position, pile: int) -> str | None:
    """Check that a pile can be taken from."""
    if not any(position.gene_pool):
        return "The Gene Pool is empty."
    if pile not in range(1, len(position.gene_pool) + 1):
        return "The Gene Pool has pile 1 and pile 2: name one of them."
    return None if position.gene_pool[pile - 1] else f"Pile {pile} is empty: name the other one."
