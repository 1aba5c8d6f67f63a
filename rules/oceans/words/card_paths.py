"""The path to each use of a card of the hand or the Gene Pool: the card, what pays for it, then the use."""

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from rules.model import Names
from rules.oceans.actions import Create, DiscardForNothing, Evolve, Migrate
from rules.oceans.cards.decks import NUMBER_BY_CARD, Card
from rules.oceans.engine.playing import evolving_actions
from rules.oceans.engine.values import is_deep
from rules.oceans.model import OceansView
from rules.oceans.places import Zone
from rules.oceans.words.migration_texts import migration_label, payment_label
from rules.oceans.words.phrases import ZONE_WORDS, card_effect_text, card_text, new_species_place_text
from rules.oceans.words.questions import first_question
from rules.paths import PathSteps
from rules.text import capitalized, listed
from rules.words import PathStep

RARE_ORDER: Final = 8
"""The order of a choice that is rarely wanted: after the usual ones."""


def _card_step(view: OceansView, card: Card) -> PathStep:
    if card in view.hand:
        return PathStep(card, card_text(card), first_question(view), row="hand", order=0)
    return PathStep(card, f"{card_text(card)} (Gene Pool)", first_question(view), row="pool", order=1)


def _use_steps(
    view: OceansView,
    card: Card,
    token: str,
    label: str,
    order: int,
    pay: Zone | None = None,
    label_after_payment: str = "",
) -> PathSteps:
    """Return the steps for the use of a card: the zone that gets its cost, if not the Reef; then the use.

    ``label_after_payment``: the use in the words of a button that goes on after "Pay to zone 2".
    """
    question = _use_question(view, card)
    if pay is None or pay is Zone.REEF:
        return (PathStep(token, label, question, row=token, order=order),)
    pay_label = payment_label(view.position, pay)
    pay_step = PathStep(f"pay-{pay.value}", pay_label, question, row="pay", collapsed=True, order=RARE_ORDER)
    question = f"You pay to {ZONE_WORDS[pay]}. For which species is {card_text(card)}?"
    return pay_step, PathStep(token, label_after_payment or label, question, row=token, order=order)


@lru_cache(maxsize=32)
def _use_question(view: OceansView, card: Card) -> str:
    """Return what a card does, and what to do with it as a question.  Cached, as all its uses ask it."""
    return f"{card_text(card)}: {card_effect_text(card)}. {_possible_uses_question(view, card)}"


def _possible_uses_question(view: OceansView, card: Card) -> str:
    position = view.position
    actions = list(evolving_actions(view, position.current_player, card))
    uses = ["evolve with it"] if actions else []
    if card in view.hand:
        can_migrate = any(position.zone_populations)
        uses.append("migrate between zones" if can_migrate else "discard it for nothing")
    question = f"{capitalized(', or '.join(uses))}?"
    if not is_deep(card):
        return question
    free_keys = [each.species for each in actions if isinstance(each, Evolve) and each.pay is None]
    free_text = f", or nothing on {listed(free_keys)}" if free_keys else ""
    cost = NUMBER_BY_CARD[card]
    if not actions:
        held = view.score_pile or 0
        return f"Evolving costs {cost}, your score pile holds {held}. {question}" if held < cost else question
    return f"Evolving costs {cost}, paid to the Reef unless you choose a zone{free_text}. {question}"


def evolve_steps(view: OceansView, action: Evolve, names: Names) -> PathSteps:
    """Return the steps to a card's use as a trait."""
    question = f"Which species gets {card_text(action.card)}?"
    shortcut = f"Evolve {action.species}: {card_text(action.card)}" if action.pay is None else ""
    return (
        _card_step(view, action.card),
        *_use_steps(view, action.card, "evolve", "Evolve", 0, action.pay, "for"),
        PathStep(action.species, action.species, question, shortcut=shortcut),
    )


def create_steps(view: OceansView, action: Create, names: Names) -> PathSteps:
    """Return the steps to a card's use as a species: beside others, also where that stands."""
    position, seat = view.position, view.position.current_player
    # Beside own species the place follows: a short label, so that both stand beside the card's other uses.
    label, label_after_payment = ("New", "") if position.rows[seat] else ("New species", "for a new species")
    steps = (
        _card_step(view, action.card),
        *_use_steps(view, action.card, "new", label, 1, action.pay, label_after_payment),
    )
    if not position.rows[seat]:
        shortcut = f"New species: {card_text(action.card)}" if action.pay is None else ""
        return *steps[:-1], replace(steps[-1], shortcut=shortcut)
    label = new_species_place_text(position, seat, action.place)
    return *steps, PathStep(str(action.place), label, "Where does the new species stand?", order=action.place)


def migrate_steps(view: OceansView, action: Migrate, names: Names) -> PathSteps:
    """Return the steps to a card's use for a migration between two zones."""
    source, target = action.source, action.target
    label = migration_label(view, action)
    step = PathStep(
        f"{source.value}-{target.value}", label, _use_question(view, action.card), row=source.value, order=2
    )
    return _card_step(view, action.card), step


def discard_for_nothing_steps(view: OceansView, action: DiscardForNothing, names: Names) -> PathSteps:
    """Return the steps to a card's use for nothing."""
    return _card_step(view, action.card), *_use_steps(view, action.card, "discard", "Discard", 3)
