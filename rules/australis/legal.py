"""The legal actions of a viewer.  The action objects are created once, at import."""

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
    CARD_FACTS,
    FACE_FACTS,
    LAST_ROUND_WITH_CUBE,
    LOWEST_REEF,
    MAX_CARDS_PER_COLOUR,
    REEFS,
    Card,
    CardFunction,
    Colour,
    Die,
    TileColour,
    reef_of_space,
)
from rules.australis.events import EffectSource
from rules.australis.model import AustralisView, Phase, Position
from rules.australis.scoring import REEF_INDEX
from rules.model import CHANCE, Action, Seat

_TAKE_ACTIONS: Final = {die: TakeDie(die) for die in Die}
_ACTIVATE_ACTIONS: Final = {card: ActivateCard(card) for card in Card}
_ACTIVATE_ALL_ACTION: Final = ActivateAll()
_PLACE_ACTIONS: Final = {
    highest: tuple(PlaceCoral(reef) for reef in range(highest, LOWEST_REEF - 1, -1)) for highest in REEFS
}
_MOVE_ACTIONS: Final = {(start, end): MoveCoral(start, end) for start in REEFS for end in REEFS}
_LEAVE_ACTION: Final = LeaveCorals()
_KEEP_ACTIONS: Final = {card: KeepCard(card) for card in Card}
_USE_ACTIONS: Final = {card: UseCard(card) for card in Card}
_GOLD_ACTION: Final = ChooseTile(TileColour.GOLD)
_SILVER_ACTION: Final = ChooseTile(TileColour.SILVER)

COLOUR_KEPT_UNDER: Final[dict[Card, Colour | None]] = {
    card: None if facts.function is CardFunction.COMPETITION else facts.colour
    for card, facts in CARD_FACTS.items()
}
"""The colour of the die under which a card is kept; None: a competition card, which lies at the side."""


def legal_actions(view: AustralisView) -> tuple[Action, ...]:
    """Return the viewer's legal actions; empty unless the viewer is to act.

    Where a default makes sense it comes first: all cards in the usual order, the highest reef, moving no
    coral, and the silver tile while it brings a cube (AU6), else the gold one.
    """
    position = view.position
    if view.viewer is None or position.to_act != view.viewer:
        return ()
    return _actions_of(position, view.viewer)


def is_die_forced(position: Position) -> bool:
    """Whether all dice left on the board, which are sorted, are alike."""
    return position.dice[0] is position.dice[-1]


def forced_action(view: AustralisView) -> Action | None:
    """Return the only choice of the seat to act; None if it has several."""
    position = view.position
    seat = position.to_act
    if seat is None or seat == CHANCE:
        return None
    if position.phase is Phase.TAKE:
        return _TAKE_ACTIONS[position.dice[0]] if is_die_forced(position) else None
    actions = _actions_of(position, seat)
    return actions[0] if len(actions) == 1 else None


def _actions_of(position: Position, seat: Seat) -> tuple[Action, ...]:
    match position.phase:
        case Phase.TAKE:
            return tuple([_TAKE_ACTIONS[die] for die in dict.fromkeys(position.dice)])
        case Phase.ACTIVATE:
            return (_ACTIVATE_ALL_ACTION, *[_ACTIVATE_ACTIONS[card] for card in position.cards_to_activate])
        case Phase.CORAL:
            return _coral_actions(position, seat)
        case Phase.PICK:
            return _pick_actions(position, seat)
        case Phase.TILE:
            silver_first = position.round <= LAST_ROUND_WITH_CUBE
            return (_SILVER_ACTION, _GOLD_ACTION) if silver_first else (_GOLD_ACTION, _SILVER_ACTION)
        case _:
            return ()


# Corals -----------------------------------------------------------------------------------------------


def highest_allowed_reef(position: Position) -> int:
    """Return the highest reef to which the seat to act may place or move a coral."""
    if position.coral_source is EffectSource.DIE:
        assert position.active_die is not None
        return FACE_FACTS[position.active_die].number
    assert position.to_act is not None
    turtle = position.boards[position.to_act].turtle_space
    assert turtle is not None
    return reef_of_space(turtle)


def _coral_actions(position: Position, seat: Seat) -> tuple[Action, ...]:
    highest = highest_allowed_reef(position)
    board = position.boards[seat]
    if board.coral_supply:
        return _PLACE_ACTIONS[highest]
    return (
        _LEAVE_ACTION,
        *[
            _MOVE_ACTIONS[start, end]
            for start, index in REEF_INDEX.items()
            if board.coral_counts[index]
            for end in range(LOWEST_REEF, highest + 1)
            if end != start
        ],
    )


# Cards ------------------------------------------------------------------------------------------------


def can_keep(kept_cards: tuple[Card, ...], card: Card) -> bool:
    """Whether a seat with these kept cards may also keep another card."""
    if card in kept_cards:
        return False
    colour = COLOUR_KEPT_UNDER[card]
    if colour is None:
        return True
    return [COLOUR_KEPT_UNDER[kept_card] for kept_card in kept_cards].count(colour) < MAX_CARDS_PER_COLOUR


def can_use(card: Card) -> bool:
    """Whether a card may be used at once."""
    return COLOUR_KEPT_UNDER[card] is not None


def can_pick(kept_cards: tuple[Card, ...], card: Card) -> bool:
    """Whether a seat with these kept cards may pick a card."""
    return can_use(card) or card not in kept_cards


def _pick_actions(position: Position, seat: Seat) -> tuple[Action, ...]:
    cards = position.boards[seat].cards
    actions: list[Action] = []
    for card in dict.fromkeys(position.display):
        if can_keep(cards, card):
            actions.append(_KEEP_ACTIONS[card])
        if can_use(card):
            actions.append(_USE_ACTIONS[card])
    return tuple(actions)
