"""Refusals: why an action is not legal now and what to do instead, in one or two sentences."""

from collections.abc import Mapping
from typing import Final

from rules.australis.actions import (
    ActivateAll,
    ActivateCard,
    ChooseTile,
    KeepCard,
    LeaveCorals,
    MoveCoral,
    PlaceCoral,
    TakeDie,
    UseCard,
)
from rules.australis.components import (
    FACE_FACTS,
    LOWEST_REEF,
    REEFS,
    Card,
    Die,
)
from rules.australis.events import EffectSource
from rules.australis.legal import can_keep, can_pick, can_use, highest_allowed_reef
from rules.australis.model import AustralisView, Phase, Position
from rules.australis.phrases import (
    allowed_reefs_text,
    card_text,
    cards_text,
    dice_text,
    die_text,
    kept_already_text,
    reef_numbers_text,
)
from rules.australis.scoring import REEF_INDEX
from rules.model import Action, Names, Seat
from rules.text import capitalized

_ACTION_TYPES_BY_PHASE: Final[Mapping[Phase, tuple[type[Action], ...]]] = {
    Phase.TAKE: (TakeDie,),
    Phase.ACTIVATE: (ActivateCard, ActivateAll),
    Phase.CORAL: (PlaceCoral, MoveCoral, LeaveCorals),
    Phase.PICK: (KeepCard, UseCard),
    Phase.TILE: (ChooseTile,),
}
_ALLOWED_TEXT: Final = "That is allowed."


def refusal(view: AustralisView, action: Action, names: Names) -> str:
    """Return why an action is not legal for the viewer."""
    position, seat = view.position, view.viewer
    assert seat is not None
    if reason := illegal_type_reason(view, type(action), names):
        return reason
    match action:
        case TakeDie(die=die):
            return _take_die_refusal(position, die)
        case ActivateCard(card=card):
            return _activate_card_refusal(position, card)
        case PlaceCoral(reef=reef):
            return _place_coral_refusal(position, seat, reef)
        case MoveCoral():
            return _move_coral_refusal(position, seat, action)
        case LeaveCorals():
            return "You still have corals in your supply, so you must place one."
        case KeepCard(card=card):
            return _keep_card_refusal(position, seat, card)
        case UseCard(card=card):
            return _use_card_refusal(position, seat, card)
        case _:
            return _ALLOWED_TEXT


def illegal_type_reason(view: AustralisView, action_type: type[Action], names: Names) -> str:
    """Return the refusal of a type that belongs to another phase: what is asked instead; else empty."""
    position = view.position
    belongs_here = action_type in _ACTION_TYPES_BY_PHASE.get(position.phase, ())
    return "" if belongs_here else _wrong_phase_refusal(position)


def _wrong_phase_refusal(position: Position) -> str:
    """Return which choice the seat to act is asked for."""
    match position.phase:
        case Phase.TAKE:
            return "Take a die from the board first: what follows depends on it."
        case Phase.ACTIVATE:
            return f"First choose which of your cards comes next: {cards_text(position.cards_to_activate)}."
        case Phase.CORAL:
            reefs_text = allowed_reefs_text(highest_allowed_reef(position))
            if position.to_act is not None and not position.boards[position.to_act].coral_supply:
                return f"First move a coral to {reefs_text}, or leave your corals."
            return f"First choose the reef for your coral: {reefs_text}."
        case Phase.PICK:
            return "First pick a card on the display: keep it or use it at once."
        case Phase.TILE:
            return "You have won the competition: choose the gold or the silver tile."
        case _:
            return "Nothing is asked of you now."


def _take_die_refusal(position: Position, die: Die) -> str:
    if die in position.dice:
        return _ALLOWED_TEXT
    colour = FACE_FACTS[die].colour
    same_colour_dice = [other for other in position.dice if FACE_FACTS[other].colour is colour]
    if same_colour_dice:
        return (
            f"{capitalized(die_text(die))} is not on the board. Choose among: {dice_text(same_colour_dice)}."
        )
    return f"No {colour.value} die is left. On the board: {dice_text(position.dice)}."


def _activate_card_refusal(position: Position, card: Card) -> str:
    if card in position.cards_to_activate:
        return _ALLOWED_TEXT
    choices = cards_text(position.cards_to_activate)
    return f"The {card_text(card)} is not waiting to be activated. Choose among: {choices}."


# Corals ---------------------------------------------------------------------------------------------


def _no_reef_text(reef: int) -> str | None:
    return None if reef in REEFS else f"There is no such reef, only those from {LOWEST_REEF} to {max(REEFS)}."


def _too_high_text(position: Position, reef: int) -> str | None:
    """Return why a reef is too high for the coral; None: it is not."""
    highest = highest_allowed_reef(position)
    if reef <= highest:
        return None
    reason = (
        f"The die shows {highest}"
        if position.coral_source is EffectSource.DIE
        else f"Your turtle is at reef {highest}"
    )
    return f"{reason}, so the coral goes to {allowed_reefs_text(highest)}."


def _place_coral_refusal(position: Position, seat: Seat, reef: int) -> str:
    if (error := _no_reef_text(reef)) is not None:
        return error
    if not position.boards[seat].coral_supply:
        return "Your supply is empty: move one of your placed corals, or leave them."
    return _too_high_text(position, reef) or _ALLOWED_TEXT


def _move_coral_refusal(position: Position, seat: Seat, action: MoveCoral) -> str:
    board, start, end = position.boards[seat], action.start, action.end
    if board.coral_supply:
        return "You still have corals in your supply: place one of them."
    if (error := _no_reef_text(start) or _no_reef_text(end)) is not None:
        return error
    if not board.coral_counts[REEF_INDEX[start]]:
        own_reefs = [reef for reef, index in REEF_INDEX.items() if board.coral_counts[index]]
        return f"You have no coral on reef {start}. You have corals on {reef_numbers_text(own_reefs)}."
    if start == end:
        return "A coral moves to another reef: name two different ones, or leave your corals."
    return _too_high_text(position, end) or _ALLOWED_TEXT


# Cards ----------------------------------------------------------------------------------------------


def _not_shown_text(position: Position, card: Card) -> str | None:
    if card in position.display:
        return None
    return f"The {card_text(card)} is not on the display. It shows: {cards_text(position.display)}."


def _keep_card_refusal(position: Position, seat: Seat, card: Card) -> str:
    if (error := _not_shown_text(position, card)) is not None:
        return error
    cards = position.boards[seat].cards
    if can_keep(cards, card):
        return _ALLOWED_TEXT
    if not can_pick(cards, card):
        return f"You already have the {card_text(card)}: pick another card."
    return f"{capitalized(kept_already_text(cards, card))}. Use this one at once, or pick another card."


def _use_card_refusal(position: Position, seat: Seat, card: Card) -> str:
    if (error := _not_shown_text(position, card)) is not None:
        return error
    if can_use(card):
        return _ALLOWED_TEXT
    if can_keep(position.boards[seat].cards, card):
        return f"A competition card cannot be used at once: keep the {card_text(card)}, or pick another card."
    return f"You already have the {card_text(card)}, and it cannot be used at once: pick another card."
