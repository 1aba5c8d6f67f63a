"""The words of phase 4: Deep cards, discards, drawing."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from rules.model import Action, Names, Seat
from rules.narration import Sentence, SentenceKind
from rules.oceans.actions import Discard, Draw, Keep, LookDeep, TakeDeep
from rules.oceans.cards.decks import FACE_DOWN, TRAIT_BY_CARD, Card
from rules.oceans.engine.drawing import next_deep_card_is_the_sixth
from rules.oceans.engine.values import is_deep
from rules.oceans.events import DeepKept
from rules.oceans.model import MAX_CARDS_LOOKED_AT, OceansView, Position
from rules.oceans.steps import Drawing, Keeping
from rules.oceans.words.action_words import ALLOWED_TEXT, PILE_HINT, ActionWords, NarrationContext
from rules.oceans.words.phrases import (
    MAX_LABEL_LENGTH,
    card_effect_text,
    card_text,
    card_with_cost_text,
    cards_text,
)
from rules.oceans.words.reference_errors import card_error, held_card_error, pile_error
from rules.oceans.words.trail_text import kept_sentences
from rules.text import capitalized, counted, first_fitting, listed, times_text
from rules.words import VerbTexts

_END_TURN_LABEL: Final = "End turn"
"""The name of the last choice of a turn, wherever it is offered."""
_SHORT_NAME_LENGTH: Final = 16
"""The longest name of a card where three names share a label."""
_MAX_PREVIEW_LENGTH: Final = 800
"""The longest preview of a discard that explains each card."""
_REEF_VARIANT_TEXT: Final = "The Reef Variant has no Deep cards: end your turn with `draw`."
_NO_DEEP_CARDS_TEXT: Final = "The Gene Pool and the Deep deck are empty: end your turn with `draw`."
_TOO_LATE_TEXT: Final = "You can take one Deep card a turn, before you discard. End your turn with `draw`."


def _full_card_text(card: Card) -> str:
    trait = TRAIT_BY_CARD[card]
    return f"{capitalized(card_with_cost_text(card))}. {trait.full_text}"


def _full_hand_warning(position: Position) -> str:
    """Return a line on the Deep card after which no Surface card is drawn; empty if the next is none."""
    if not next_deep_card_is_the_sixth(position):
        return ""
    surface_count = position.surface_hand_sizes[position.current_player]
    return (
        "\nWith six Deep cards you draw no card before the Cambrian Explosion, and can play none of them."
        f" You have {counted(surface_count, 'Surface card')} left to play."
    )


# Deep cards -----------------------------------------------------------------------------------------


def _top_card(view: OceansView, pile: int) -> Card:
    return view.position.gene_pool[pile - 1][-1]


def _take_label(view: OceansView, action: TakeDeep, names: Names) -> str:
    return f"Take {card_with_cost_text(_top_card(view, action.pile))} (pile {action.pile})"


def _look_label(view: OceansView, action: LookDeep, names: Names) -> str:
    count = min(MAX_CARDS_LOOKED_AT, view.position.deep_deck_size)
    return f"Look at {counted(count, 'Deep card')}, keep {'it' if count == 1 else 'one'}"


def _look_preview(view: OceansView, action: LookDeep) -> str:
    count = min(MAX_CARDS_LOOKED_AT, view.position.deep_deck_size)
    warning = _full_hand_warning(view.position)
    if count == 1:
        return f"The deck's last Deep card goes to your hand. Nobody else sees it.{warning}"
    others_text = "the other goes" if count == 2 else "the other two go"
    return (
        f"You see {counted(count, 'Deep card')} and keep one. "
        f"{capitalized(others_text)} face up on the Gene Pool.{warning}"
    )


def _take_preview(view: OceansView, action: TakeDeep) -> str:
    return f"{_full_card_text(_top_card(view, action.pile))}{_full_hand_warning(view.position)}"


def _deep_card_refusal(view: OceansView, step: Drawing) -> str | None:
    """Say why neither a take nor a look at Deep cards is possible; None if one of them is."""
    if view.position.options.reef:
        return _REEF_VARIANT_TEXT
    if not step.may_take_deep:
        return _TOO_LATE_TEXT
    # An empty pile is refilled from the deck at once.
    return None if any(view.position.gene_pool) else _NO_DEEP_CARDS_TEXT


def _take_refusal(view: OceansView, seat: Seat, step: Drawing, action: TakeDeep, names: Names) -> str:
    return _deep_card_refusal(view, step) or pile_error(view.position, action.pile) or ALLOWED_TEXT


def _look_refusal(view: OceansView, seat: Seat, step: Drawing, action: LookDeep, names: Names) -> str:
    empty_text = "The Deep deck is empty: take a card of the Gene Pool, or end your turn with `draw`."
    return _deep_card_refusal(view, step) or empty_text


def _keep_label(view: OceansView, action: Keep, names: Names) -> str:
    others = [
        (card, pile)
        for pile, card in enumerate((action.pile_1_card, action.pile_2_card), start=1)
        if card is not None
    ]
    name = card_text(action.card)
    long = listed([f"{card_text(card)} on pile {pile}" for card, pile in others])
    short = ", ".join(f"{card_text(card)} on {pile}" for card, pile in others)
    shortest = ", ".join(f"{_shorten_name(card_text(card))} on {pile}" for card, pile in others)
    return first_fitting(
        MAX_LABEL_LENGTH, f"Keep {name}, put {long}", f"Keep {name}, {short}", f"Keep {name}, {shortest}"
    )


def _keep_preview(view: OceansView, action: Keep) -> str:
    others_text = "The other lies" if None in {action.pile_1_card, action.pile_2_card} else "The others lie"
    return f"{_full_card_text(action.card)}\nNobody else sees it. {others_text} face up."


def _shorten_name(name: str) -> str:
    """Return a long name without its middle: related names differ at the end."""
    half = _SHORT_NAME_LENGTH // 2
    return name if len(name) <= _SHORT_NAME_LENGTH else f"{name[: half - 1]}…{name[-half:]}"


def _narrate_look(context: NarrationContext, action: LookDeep) -> Iterator[Sentence]:
    # ceremony, as the card that is kept follows
    yield Sentence(f"{context.actor_name} looks at the Deep deck.", SentenceKind.CEREMONY)


def _narrate_keep(context: NarrationContext, action: Keep) -> Iterator[Sentence]:
    if action.card == FACE_DOWN:
        return
    event = context.consume(DeepKept)
    assert isinstance(event, DeepKept)
    yield from kept_sentences(event, context.names, action.card)


def _keep_refusal(view: OceansView, seat: Seat, step: Keeping, action: Keep, names: Names) -> str:
    looked_text = f"You look at {cards_text(view.looked_at)}"
    named = [card for card in (action.card, action.pile_1_card, action.pile_2_card) if card is not None]
    for card in named:
        error = card_error(card)
        if error is not None:
            return error
        if card not in view.looked_at:
            return f"{card_text(card)} is not among the cards you look at. {looked_text}."
    return f"{looked_text}: name the one you keep, then the ones for piles 1 and 2, each once."


# Discards, drawing ----------------------------------------------------------------------------------


def cards_kept_after(view: OceansView, action: Discard) -> tuple[Card, ...]:
    """Return the Surface cards that stay in hand."""
    surface_cards = Counter(card for card in view.hand if not is_deep(card))
    return tuple((surface_cards - Counter(action.cards)).elements())


def _discard_label(view: OceansView, action: Discard, names: Names) -> str:
    kept_text = cards_text(cards_kept_after(view, action))
    return first_fitting(
        MAX_LABEL_LENGTH,
        f"Discard {cards_text(action.cards)}",
        f"Discard all but {kept_text}" if kept_text else "Discard all Surface cards",
    )


def _discard_preview(view: OceansView, action: Discard) -> str:
    position = view.position
    step = position.agenda[-1]
    can_still_take_deep = (
        isinstance(step, Drawing)
        and step.may_take_deep
        and (position.deep_deck_size or any(position.gene_pool))
    )
    warning = "\nAfter a discard you can take no Deep card this turn." if can_still_take_deep else ""
    texts = map(_full_card_text, dict.fromkeys(action.cards))
    return first_fitting(_MAX_PREVIEW_LENGTH, "\n".join(texts), cards_text(action.cards)) + warning


def _discard_refusal(view: OceansView, seat: Seat, step: Drawing, action: Discard, names: Names) -> str:
    for card in action.cards:
        error = held_card_error(view, card)
        if error is not None:
            return error
        if is_deep(card):
            return f"{card_text(card)} is a Deep card. You can only discard Surface cards."
        if action.cards.count(card) > view.hand.count(card):
            return f"You hold {card_text(card)} only {times_text(view.hand.count(card))}."
    return "Name the Surface cards that you discard, or end your turn with `draw`."


def _narrate_draw(context: NarrationContext, action: Draw) -> Iterator[Sentence]:
    yield Sentence(f"{context.actor_name} ends the turn.", SentenceKind.CEREMONY)


DRAWING_WORDS: Final[Mapping[type[Action], ActionWords]] = {
    TakeDeep: ActionWords(
        verb_texts=VerbTexts(
            "Take a Deep card",
            "Take the top card of a Gene Pool pile, which everybody sees",
            {"pile": PILE_HINT},
            confirm=False,
        ),
        step_types=(Drawing,),
        label=_take_label,
        refusal=_take_refusal,
        preview=_take_preview,
        short_preview=lambda view, action: card_effect_text(_top_card(view, action.pile)),
    ),
    LookDeep: ActionWords(
        verb_texts=VerbTexts(
            "Look at Deep cards", "Look at three cards of the Deep deck and keep one", confirm=False
        ),
        step_types=(Drawing,),
        label=_look_label,
        refusal=_look_refusal,
        narrate=_narrate_look,
        preview=_look_preview,
    ),
    Keep: ActionWords(
        verb_texts=VerbTexts(
            "Keep",
            "Keep one of the Deep cards you look at",
            {
                "card": "The card you keep, such as HYD",
                "pile_1_card": "The card for Gene Pool pile 1",
                "pile_2_card": "The card for Gene Pool pile 2",
            },
        ),
        step_types=(Keeping,),
        label=_keep_label,
        refusal=_keep_refusal,
        narrate=_narrate_keep,
        preview=_keep_preview,
        short_preview=lambda view, action: card_effect_text(action.card),
    ),
    Discard: ActionWords(
        verb_texts=VerbTexts(
            "Discard",
            "Discard Surface cards before drawing",
            {"cards": "Surface cards of your hand, such as IN9,SP7"},
        ),
        step_types=(Drawing,),
        label=_discard_label,
        refusal=_discard_refusal,
        preview=_discard_preview,
    ),
    Draw: ActionWords(
        verb_texts=VerbTexts(_END_TURN_LABEL, "End your turn and fill your hand to six cards", confirm=False),
        step_types=(Drawing,),
        label=lambda view, action, names: _END_TURN_LABEL,
        refusal=lambda view, seat, step, action, names: ALLOWED_TEXT,
        narrate=_narrate_draw,
        preview=lambda view, action: "",
    ),
}
