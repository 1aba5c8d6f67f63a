"""Refusals: why an action is not legal now and what to do instead, in one or two sentences.

They depend on the actor's own view only, and quote no text but cards, places and slots.
"""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

import msgspec

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
from rules.currents.board import GEOMETRIES, card_on_place, card_on_slot, empty_places
from rules.currents.components import DECK_INDEX, JOKERS, RANK_BY_CARD, SUIT_BY_CARD, Card
from rules.currents.drift import defending_suits
from rules.currents.legal import (
    can_stop_pawn,
    combo_pairs,
    defending_cards,
    legal_actions,
    rank_lead,
    replaceable_cards,
)
from rules.currents.model import CurrentsView, Phase, Position
from rules.currents.phrases import (
    PLACE_WORDS,
    SUIT_SIGNS,
    card_in_sentence,
    card_text,
    cards_text,
    cost_text,
    directions_text,
    edge_text,
)
from rules.currents.turn import PLAY_TYPES
from rules.model import Action, Names
from rules.notation import normalize_spelling, write_action
from rules.text import capitalized, listed

_RANK_BY_CALL: Final[Mapping[type[Action], str]] = {CallJack: "J", CallQueen: "Q", CallKing: "K"}
_CALLED_CARD_NAMES: Final[Mapping[type[Action], str]] = {
    CallJack: "Jack",
    CallQueen: "Queen",
    CallKing: "King",
    CallJoker: "Joker",
}
_ACTION_TYPES_BY_PHASE: Final[Mapping[Phase, tuple[type[Action], ...]]] = {
    Phase.AXIS: (ChooseAxis,),
    Phase.ACES: (PlaceAce,),
    Phase.PLAY: PLAY_TYPES,
    Phase.GOALTEND: (Defend, Concede),
}
_LETTER_BY_DIRECTION: Final = {PLACE_WORDS[place].upper(): place for place in "NESW"}
_LETTER_BY_SIGN: Final = str.maketrans({sign: suit for suit, sign in SUIT_SIGNS.items()})
_JOKER_CANNOT_BE_LAID_TEXT: Final = (
    "A Joker cannot be laid: call it as an action, or discard it if the compass is full."
)
_NEEDS_TEXTS: Final[Mapping[type[Action], str]] = {
    CallJack: "The compass is empty: a Jack needs a compass card to remove.",
    CallQueen: "No current lies beside the board: a Queen needs at least one current to move.",
}
_ALLOWED_TEXT: Final = "That is allowed."
"""What the refusal of a legal action says: nothing is wrong with it."""


def refusal(view: CurrentsView, action: Action, names: Names) -> str:
    """Return why an action is not legal for the viewer."""
    position = view.position
    if not isinstance(action, _ACTION_TYPES_BY_PHASE.get(position.phase, ())):
        return _wrong_phase_refusal(view, names)
    legal = legal_actions(view)
    typed, action = action, normalize_spelling(_normalize_action(action), legal)
    if action != typed and action in legal:
        return f"Write it like this: `{write_action(action)}`."
    match action:
        case PlaceAce():
            return _ace_refusal(position, action)
        case PlayCompass():
            return _compass_refusal(view, action)
        case PlayCurrent():
            return _current_refusal(view, action)
        case CallJack() | CallQueen() | CallKing() | CallJoker():
            return _call_refusal(view, action)
        case DiscardCard():
            return _discard_refusal(view, action)
        case Defend():
            return _defence_refusal(view, action)
        case _:
            return _ALLOWED_TEXT


def illegal_type_reason(view: CurrentsView, action_type: type[Action], names: Names) -> str:
    """Return why no action of a type is legal: what is asked instead, or what the hand or the board lacks."""
    position = view.position
    if action_type not in _ACTION_TYPES_BY_PHASE.get(position.phase, ()):
        return _wrong_phase_refusal(view, names)
    if action_type is DiscardCard:
        return _no_discard_text(position)
    if (name := _CALLED_CARD_NAMES.get(action_type)) is None:
        return ""
    if name not in _called_card_names(position):
        return f"There are no {name}s in this game."
    if not any(_is_called_by(card, action_type) for card in view.hand):
        return f"No {name} is in your hand. You hold {cards_text(view.hand)}."
    return _NEEDS_TEXTS.get(action_type, "")


def _wrong_phase_refusal(view: CurrentsView, names: Names) -> str:
    """Return what the player is asked for instead."""
    position = view.position
    match position.phase:
        case Phase.AXIS:
            return "First choose your goals: north and south, or east and west."
        case Phase.ACES:
            return "The compass is still being set: lay one of the free aces on an empty place."
        case Phase.GOALTEND:
            exit_ = position.exits[0]
            exit_sentence = f"The pawn is about to leave over {edge_text(exit_.edge)}."
            owner_name = names[exit_.owner]
            if not can_stop_pawn(view):
                return f"{exit_sentence} Your cards cannot stop it: let it pass, and {owner_name} wins."
            cost = cost_text(position, exit_)
            return f"{exit_sentence} Stop it with {cost}, or let it pass and {owner_name} wins."
        case _:
            return f"It is your turn to play: {_plays_text(view)}."


def _plays_text(view: CurrentsView) -> str:
    """Return which kinds of plays are possible: "lay a card, call an action or discard"."""
    kinds = {type(action) for action in legal_actions(view)}
    verbs = (
        ("lay a card", {PlayCompass, PlayCurrent}),
        ("call an action", {CallJack, CallQueen, CallKing, CallJoker}),
        ("discard", {DiscardCard}),
    )
    return listed([verb for verb, types in verbs if types & kinds], "or")


def _normalize_action(action: Action) -> Action:
    """Return an action with its cards, places and slots in capitals, suits and directions as letters."""
    fields = {name: _normalize_value(getattr(action, name)) for name in action.__struct_fields__}
    return msgspec.structs.replace(action, **fields)


def _normalize_value(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_normalize_value, value))
    if not isinstance(value, str) or isinstance(value, Enum):
        return value
    capitals = value.upper()
    return _LETTER_BY_DIRECTION.get(capitals, capitals.translate(_LETTER_BY_SIGN))


# Cards, places, slots ------------------------------------------------------------------------------


def _not_held_text(view: CurrentsView, card: Card) -> str | None:
    """Return why a card cannot be chosen from the hand; None if it can."""
    if card in view.hand:
        return None
    if card not in DECK_INDEX:
        return "There is no such card: write rank and suit, such as 10H or QS."
    return f"{capitalized(card_in_sentence(card))} is not in your hand. You hold {cards_text(view.hand)}."


def _no_place_text(position: Position, place: str) -> str | None:
    places = GEOMETRIES[position.options.board].places
    if place in places:
        return None
    return f"There is no such compass place: name {listed(places, 'or')}."


def _no_slot_text(position: Position, slot: str) -> str | None:
    slots = GEOMETRIES[position.options.board].slots
    if slot in slots:
        return None
    return f"There is no such slot: the slots are {slots[0]} to {slots[-1]}, four on each side."


def _ace_refusal(position: Position, action: PlaceAce) -> str:
    if action.ace not in position.aces:
        return f"Choose one of the aces that are left: {cards_text(position.aces)}."
    free = directions_text(empty_places(position))
    return _no_place_text(position, action.place) or (
        f"{capitalized(PLACE_WORDS[action.place])} already has its ace. Free: {free}."
    )


def _compass_refusal(view: CurrentsView, action: PlayCompass) -> str:
    position, card = view.position, action.card
    if (error := _not_held_text(view, card) or _no_place_text(position, action.place)) is not None:
        return error
    if card in JOKERS:
        return _JOKER_CANNOT_BE_LAID_TEXT
    old_card = card_on_place(position, action.place)
    spot = PLACE_WORDS[action.place]
    if action.then is not None:
        return _combo_refusal(view, card, action.then, old_card, spot, high_wins=False)
    fits = old_card in replaceable_cards(position).compass[card]
    return _replacement_refusal(position, card, old_card, spot, high_wins=False, fits=fits)


def _current_refusal(view: CurrentsView, action: PlayCurrent) -> str:
    position, card = view.position, action.card
    if (error := _not_held_text(view, card) or _no_slot_text(position, action.slot)) is not None:
        return error
    if card in JOKERS:
        return _JOKER_CANNOT_BE_LAID_TEXT
    old_card = card_on_slot(position, action.slot)
    if action.then is not None:
        return _combo_refusal(view, card, action.then, old_card, action.slot, high_wins=True)
    fits = old_card in replaceable_cards(position).currents[card]
    return _replacement_refusal(position, card, old_card, action.slot, high_wins=True, fits=fits)


def _replacement_refusal(
    position: Position, card: Card, old_card: Card | None, spot: str, *, high_wins: bool, fits: bool
) -> str:
    if fits or old_card is None:
        return _ALLOWED_TEXT
    rank_text = f"a {'higher' if high_wins else 'lower'} rank"
    if position.options.easy_usurp:
        rank_text += " or the same one"
    sign = SUIT_SIGNS[SUIT_BY_CARD[old_card]]
    if RANK_BY_CARD[old_card] == (max if high_wins else min)(RANK_BY_CARD.values()):
        kind, top_card = ("ace", "an ace as a current") if high_wins else ("two", "a two on the compass")
        other_text = f" or another {kind}" if position.options.easy_usurp else ""
        needed = f"only a card of {sign}{other_text} can replace {top_card}"
        return f"{capitalized(spot)} holds {card_text(old_card)}: {needed}."
    return (
        f"{card_text(card)} cannot replace {card_text(old_card)} on {spot}: "
        f"it takes {rank_text}, or a card of {sign}."
    )


def _combo_refusal(
    view: CurrentsView, card: Card, follow_up: Card, old_card: Card | None, spot: str, *, high_wins: bool
) -> str:
    if not view.position.options.combo:
        return "Two cards in one turn need the option combo, which is off here. Play one card."
    if (error := _not_held_text(view, follow_up)) is not None:
        return error
    if follow_up in JOKERS:
        return "A Joker cannot follow a demotion: name a plain card as the second one."
    weaker, stronger = ("lower", "higher") if high_wins else ("higher", "lower")
    if (
        old_card is None
        or SUIT_BY_CARD[old_card] != SUIT_BY_CARD[card]
        or rank_lead(card, old_card, high_wins=high_wins) >= 0
    ):
        replaced = "nothing" if old_card is None else card_text(old_card)
        return (
            f"A combination starts with a demotion: a card of the same suit and a {weaker} rank than what "
            f"lies on {spot} ({replaced})."
        )
    if combo_pairs([card, follow_up], old_card, high_wins=high_wins):
        return _ALLOWED_TEXT
    return (
        f"{card_text(follow_up)} cannot follow {card_text(card)}: the second card needs another suit and a "
        f"{stronger} rank."
    )


# Actions, discards, defences -----------------------------------------------------------------------


def _call_refusal(view: CurrentsView, action: CallJack | CallQueen | CallKing | CallJoker) -> str:
    position, card = view.position, action.card
    kind: type[Action] = type(action)
    if (error := _not_held_text(view, card)) is not None:
        return error
    if not _is_called_by(card, kind):
        if any(_is_called_by(card, each) for each in _CALLED_CARD_NAMES):
            needed = _CALLED_CARD_NAMES[kind]
            return f"{capitalized(card_in_sentence(card))} is not a {needed}: this action needs one."
        callable_text = listed([f"a {name}" for name in _called_card_names(position)], "or")
        return f"{card_text(card)} cannot be called: that takes {callable_text}."
    match action:
        case CallJack(place=place):
            return _no_place_text(position, place) or (
                f"{capitalized(PLACE_WORDS[place])} is empty: a Jack needs a compass card to remove."
            )
        case CallQueen(slot=slot, other=other):
            return (
                _no_slot_text(position, slot)
                or _no_slot_text(position, other)
                or _queen_refusal(position, slot, other)
            )
        case _:
            return _ALLOWED_TEXT


def _is_called_by(card: Card, action_type: type[Action]) -> bool:
    return card in JOKERS if action_type is CallJoker else card.startswith(_RANK_BY_CALL[action_type])


def _called_card_names(position: Position) -> Sequence[str]:
    """Return which cards can be called in this game, jokers only if it has them."""
    with_jokers = position.options.jokers
    return [name for kind, name in _CALLED_CARD_NAMES.items() if with_jokers or kind is not CallJoker]


def _queen_refusal(position: Position, slot: str, other: str) -> str:
    if slot == other:
        return "A Queen swaps two different slots: name another one."
    if card_on_slot(position, slot) is None and card_on_slot(position, other) is None:
        return f"{slot} and {other} are both empty: a Queen needs at least one current to move."
    return _ALLOWED_TEXT


def _discard_refusal(view: CurrentsView, action: DiscardCard) -> str:
    position = view.position
    return _not_held_text(view, action.card) or _no_discard_text(position)


def _no_discard_text(position: Position) -> str:
    empty = empty_places(position)
    verb = "is" if len(empty) == 1 else "are"
    where = capitalized(directions_text(empty))
    return f"You can only discard when no compass place is empty: {where} {verb} empty."


def _defence_refusal(view: CurrentsView, action: Defend) -> str:
    position = view.position
    exit_ = position.exits[0]
    suits = defending_suits(position, exit_.edge)
    cost = f"exactly {cost_text(position, exit_)}"
    for card in action.cards:
        if (error := _not_held_text(view, card)) is not None:
            return error
    if len(set(action.cards)) < len(action.cards):
        return f"Name each card once: stopping the pawn takes {cost}."
    useless = [card for card in action.cards if SUIT_BY_CARD.get(card) not in suits]
    fitting = defending_cards(view)
    if len(fitting) < exit_.overshoot:
        holding = f"You hold only {cards_text(fitting)}" if fitting else "You hold none"
        return f"Stopping the pawn at {edge_text(exit_.edge)} takes {cost}. {holding}: let it pass."
    if useless:
        return f"{capitalized(cards_text(useless))} cannot stop the pawn here: it takes {cost}."
    if len(action.cards) != exit_.overshoot:
        return f"Stopping the pawn at {edge_text(exit_.edge)} takes {cost}: you named {len(action.cards)}."
    return _ALLOWED_TEXT
