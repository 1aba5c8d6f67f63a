"""The path to each action in the panel: the card first, then where it goes."""

from typing import Final

from rules.currents.actions import (
    CallJack,
    CallJoker,
    CallKing,
    CallQueen,
    ChooseAxis,
    Concede,
    Defend,
    DiscardCard,
    PlaceAce,
    PlayCompass,
    PlayCurrent,
)
from rules.currents.board import card_on_place, card_on_slot
from rules.currents.components import RANK_BY_CARD, Card
from rules.currents.legal import can_stop_pawn, combo_pairs
from rules.currents.model import CurrentsView, Position
from rules.currents.phrases import (
    AXIS_WORDS,
    PLACE_WORDS,
    ROTATION_WORDS,
    card_in_sentence,
    card_or_empty_text,
    card_text,
    edge_text,
    shuffled_parts_text,
)
from rules.model import Action, Names
from rules.text import capitalized
from rules.words import PathStep

_NO_SECOND_CARD: Final = "-"


def path(view: CurrentsView, action: Action, names: Names) -> tuple[PathStep, ...]:
    """Return the steps to a legal action."""
    match action:
        case ChooseAxis(axis=axis):
            return (PathStep(axis.value, capitalized(AXIS_WORDS[axis]), "Which goals do you want?"),)
        case PlaceAce(ace=ace, place=place):
            return (
                PathStep(ace, card_text(ace), "Which ace do you lay?", row=ace),
                PathStep(place, PLACE_WORDS[place], f"Where does {card_text(ace)} go?"),
            )
        case Concede() | Defend():
            return (_defence_step(view, action),)
        case PlayCompass(card=card) | PlayCurrent(card=card):
            return (_card_step(view, card), *_spot_steps(view, action))
        case _:
            return _call_path(view, action)


def _card_step(view: CurrentsView, card: Card) -> PathStep:
    return PathStep(
        card, capitalized(card_text(card)), "Which card do you play?", row="hand", order=view.hand.index(card)
    )


def _use_step(card: Card, token: str, label: str, row: str, *, order: int = 0) -> PathStep:
    """Return the step that says what a card is used for, or where it is laid."""
    name = card_in_sentence(card)
    question = f"Where does {name} go?" if card in RANK_BY_CARD else f"What do you do with {name}?"
    return PathStep(token, label, question, row=row, order=order)


def _spot_steps(view: CurrentsView, action: PlayCompass | PlayCurrent) -> tuple[PathStep, ...]:
    position, card, follow_up = view.position, action.card, action.then
    if isinstance(action, PlayCompass):
        old_card = card_on_place(position, action.place)
        token, spot, row, high_wins = f"compass-{action.place}", PLACE_WORDS[action.place], "compass", False
        label = f"{capitalized(spot)}: {card_or_empty_text(old_card)}"
    else:
        old_card = card_on_slot(position, action.slot)
        token, spot, row, high_wins = action.slot, action.slot, f"slots-{action.slot[0]}", True
        label = spot if old_card is None else f"{spot}: {card_text(old_card)}"
    if (
        old_card is None
        or not position.options.combo
        or not _starts_combo(view, card, old_card, high_wins=high_wins)
    ):
        return (_use_step(card, token, label, row),)
    # "alone" and "then" speak of the card that is laid, not of the one below it
    step = _use_step(card, token, f"{capitalized(spot)} over {card_text(old_card)}", row)
    question = f"Which card follows {card_text(card)}?"
    if follow_up is None:
        return step, PathStep(_NO_SECOND_CARD, "alone", question, row="alone")
    return step, PathStep(follow_up, f"then {card_text(follow_up)}", question, row="then")


def _starts_combo(view: CurrentsView, card: Card, old_card: Card, *, high_wins: bool) -> bool:
    """Whether a second card may follow this one on its spot."""
    plain_cards = [held for held in view.hand if held in RANK_BY_CARD]
    return any(first == card for first, _ in combo_pairs(plain_cards, old_card, high_wins=high_wins))


def _call_path(view: CurrentsView, action: Action) -> tuple[PathStep, ...]:
    """Return the steps to a call or a discard, whose buttons follow those of the spots."""
    position = view.position
    match action:
        case CallJack(card=card, place=place):
            removed_text = card_or_empty_text(card_on_place(position, place))
            return (
                _card_step(view, card),
                _use_step(card, "remove", "Remove", "remove", order=1),
                PathStep(place, f"{PLACE_WORDS[place]}: {removed_text}", "Remove the card of which place?"),
            )
        case CallQueen(card=card, slot=slot, other=other):
            if card_on_slot(position, slot) is None:  # every swap can begin at a card
                slot, other = other, slot
            return (
                _card_step(view, card),
                _use_step(card, "swap", "Swap slots", "swap", order=1),
                _slot_step(position, slot, "Swap which slot?", "cards"),
                _slot_step(position, other, f"Swap {slot} with which slot?", other[0]),
            )
        case CallKing(card=card, rotation=rotation):
            return (
                _card_step(view, card),
                _use_step(card, "turn", "Turn", "turn", order=1),
                PathStep(rotation.value, ROTATION_WORDS[rotation], "Turn the compass which way?"),
            )
        case CallJoker(card=card):
            label = f"Shuffle {shuffled_parts_text(position, card)}"
            return (_card_step(view, card), _use_step(card, "shuffle", label, "shuffle", order=1))
        case DiscardCard(card=card):
            return (_card_step(view, card), _use_step(card, "discard", "Discard", "discard", order=2))
        case _:
            raise AssertionError(action)


def _slot_step(position: Position, slot: str, question: str, row: str) -> PathStep:
    return PathStep(slot, f"{slot}: {card_or_empty_text(card_on_slot(position, slot))}", question, row=row)


def _defence_step(view: CurrentsView, action: Concede | Defend) -> PathStep:
    if not can_stop_pawn(view):
        return PathStep("pass", "Let it pass", "You cannot stop the pawn: let it pass?", row="pass")
    question = f"Do you stop the pawn at {edge_text(view.position.exits[0].edge)}?"
    if isinstance(action, Concede):
        return PathStep("pass", "Let it pass", question, row="pass", order=1)
    cards_in_order = sorted(action.cards, key=view.hand.index)
    cards_text = " ".join(card_text(card) for card in cards_in_order)
    return PathStep(",".join(cards_in_order), f"Stop it: {cards_text}", question, row="stop")
