"""The legal actions of a viewer: a function of the view, so that no offer can reveal a secret.

Most action objects are created once, at import, because random games ask for them at every move.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, compress
from types import MappingProxyType
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
from rules.currents.board import GEOMETRIES, empty_places
from rules.currents.components import (
    DECK_INDEX,
    JOKERS,
    PLAIN_CARDS,
    RANK_BY_CARD,
    SUIT_BY_CARD,
    Axis,
    Card,
    Rotation,
)
from rules.currents.drift import defending_suits
from rules.currents.model import BoardShape, CurrentsView, Exit, Phase, Position
from rules.model import Action


@dataclass(frozen=True, slots=True)
class ReplaceableCards:
    """The cards that each card may replace; None, which stands for an empty spot, is always among them."""

    compass: Mapping[Card, frozenset[Card | None]]
    currents: Mapping[Card, frozenset[Card | None]]


def rank_lead(card: Card, other: Card, *, high_wins: bool) -> int:
    """Return by how many ranks a card is stronger than another, negative if it is weaker."""
    lead = RANK_BY_CARD[card] - RANK_BY_CARD[other]
    return lead if high_wins else -lead


def _make_replaceable_cards(*, easy_usurp: bool) -> ReplaceableCards:
    def make_table(*, high_wins: bool) -> Mapping[Card, frozenset[Card | None]]:
        margin = 0 if easy_usurp else 1
        return MappingProxyType(
            {
                card: frozenset(
                    [None]
                    + [
                        old_card
                        for old_card in PLAIN_CARDS
                        if old_card != card
                        and (
                            SUIT_BY_CARD[old_card] == SUIT_BY_CARD[card]
                            or rank_lead(card, old_card, high_wins=high_wins) >= margin
                        )
                    ]
                )
                for card in PLAIN_CARDS
            }
        )

    return ReplaceableCards(compass=make_table(high_wins=False), currents=make_table(high_wins=True))


_REPLACEABLE_CARDS: Final = (
    _make_replaceable_cards(easy_usurp=False),
    _make_replaceable_cards(easy_usurp=True),
)


def replaceable_cards(position: Position) -> ReplaceableCards:
    """Return the cards that each card may replace under this game's options."""
    return _REPLACEABLE_CARDS[position.options.easy_usurp]


@dataclass(frozen=True, slots=True)
class _PlaysByCard:
    """All plays of one card on a board, by card; each tuple in the order of the board's places or slots."""

    compass: Mapping[Card, tuple[PlayCompass, ...]]
    currents: Mapping[Card, tuple[PlayCurrent, ...]]
    jack_calls: Mapping[Card, tuple[CallJack, ...]]
    queen_calls: Mapping[Card, tuple[tuple[CallQueen, ...], ...]]
    """By slot: the swaps with each later slot."""


def _make_plays(shape: BoardShape) -> _PlaysByCard:
    geometry = GEOMETRIES[shape]
    places, slots = geometry.places, geometry.slots

    def swaps_by_slot(queen: Card) -> tuple[tuple[CallQueen, ...], ...]:
        return tuple(
            tuple(CallQueen(queen, slot, other) for other in slots[i + 1 :]) for i, slot in enumerate(slots)
        )

    jacks, queens = ([card for card in PLAIN_CARDS if card.startswith(rank)] for rank in ("J", "Q"))
    return _PlaysByCard(
        compass={card: tuple(PlayCompass(card, place) for place in places) for card in PLAIN_CARDS},
        currents={card: tuple(PlayCurrent(card, slot) for slot in slots) for card in PLAIN_CARDS},
        jack_calls={card: tuple(CallJack(card, place) for place in places) for card in jacks},
        queen_calls={card: swaps_by_slot(card) for card in queens},
    )


_SQUARE_PLAYS: Final = _make_plays(BoardShape.SQUARE)
_TRIANGLE_PLAYS: Final = _make_plays(BoardShape.TRIANGLE)
_KING_CALLS: Final = {
    card: tuple(CallKing(card, rotation) for rotation in Rotation)
    for card in PLAIN_CARDS
    if card.startswith("K")
}
_JOKER_CALLS: Final = {card: CallJoker(card) for card in JOKERS}
_DISCARDS: Final = {card: DiscardCard(card) for card in DECK_INDEX}
_CONCEDE: Final = Concede()
_AXIS_CHOICES: Final = tuple(ChooseAxis(axis) for axis in Axis)
_ORDER_BY_RANK: Final = {card: (RANK_BY_CARD.get(card, 99), index) for card, index in DECK_INDEX.items()}
"""By what cards are ordered: the lowest first, jokers last."""


def legal_actions(view: CurrentsView) -> tuple[Action, ...]:
    """Return the viewer's legal actions; empty unless the viewer is to act.

    The first one is the default (R20): goals to the north and south, the first ace on the first free place,
    a discard of the lowest card (else the lowest card's first play), no defence.
    """
    position = view.position
    if view.viewer is None or position.to_act != view.viewer:
        return ()
    match position.phase:
        case Phase.PLAY:
            return _legal_plays(view)
        case Phase.GOALTEND:
            return (_CONCEDE, *_defences(view))
        case Phase.ACES:
            return _ace_placements(position)
        case Phase.AXIS:
            return _AXIS_CHOICES
        case _:
            return ()


def forced_action(view: CurrentsView) -> Action | None:
    """Return the last ace's placement, which everybody can see is the only choice; else None."""
    position = view.position
    if position.phase is Phase.ACES and len(position.aces) == 1 and position.compass.count(None) == 1:
        return _ace_placements(position)[0]
    return None


def _ace_placements(position: Position) -> tuple[PlaceAce, ...]:
    return tuple(PlaceAce(ace, place) for ace in position.aces for place in empty_places(position))


def defending_cards(view: CurrentsView) -> tuple[Card, ...]:
    """Return the cards in hand that count for a defence, while the viewer is asked to defend."""
    return defending_cards_at(view.hand, view.position, view.position.exits[0])


def defending_cards_at(hand: Sequence[Card], position: Position, exit_: Exit) -> tuple[Card, ...]:
    """Return the cards of a hand that count for a defence at an exit."""
    suits = defending_suits(position, exit_.edge)
    return tuple(card for card in hand if SUIT_BY_CARD.get(card) in suits)


def can_stop_pawn(view: CurrentsView) -> bool:
    """Whether the viewer, who is asked to defend, holds the cards that it takes."""
    return len(defending_cards(view)) >= view.position.exits[0].overshoot


def _defences(view: CurrentsView) -> tuple[Defend, ...]:
    needed = view.position.exits[0].overshoot
    return tuple(Defend(cards) for cards in combinations(defending_cards(view), needed))


def _legal_plays(view: CurrentsView) -> tuple[Action, ...]:
    position = view.position
    compass, currents = position.compass, position.currents
    plays = _SQUARE_PLAYS if position.options.board is BoardShape.SQUARE else _TRIANGLE_PLAYS
    replaceable = replaceable_cards(position)
    hand = sorted(view.hand, key=_ORDER_BY_RANK.__getitem__)
    actions: list[Action] = []
    if None not in compass:
        actions += [_DISCARDS[card] for card in hand]
    for card in hand:
        if card in _JOKER_CALLS:
            actions.append(_JOKER_CALLS[card])
            continue
        actions += compress(plays.compass[card], map(replaceable.compass[card].__contains__, compass))
        actions += compress(plays.currents[card], map(replaceable.currents[card].__contains__, currents))
        if card in plays.jack_calls:
            actions += compress(plays.jack_calls[card], compass)
        elif card in plays.queen_calls:
            for i, (old_card, swaps) in enumerate(zip(currents, plays.queen_calls[card], strict=True), 1):
                actions += swaps if old_card is not None else compress(swaps, currents[i:])
        elif card in _KING_CALLS:
            actions += _KING_CALLS[card]
    if position.options.combo:
        actions += _combos(position, hand)
    return tuple(actions)


def _combos(position: Position, hand: list[Card]) -> list[Action]:
    """Return the plays of two cards: a demotion, and a strictly stronger follow-up on the same spot."""
    geometry = GEOMETRIES[position.options.board]
    plain_cards = [card for card in hand if card in RANK_BY_CARD]
    actions: list[Action] = []
    for place, old_card in zip(geometry.places, position.compass, strict=True):
        actions += [
            PlayCompass(card, place, follow_up)
            for card, follow_up in combo_pairs(plain_cards, old_card, high_wins=False)
        ]
    for slot, old_card in zip(geometry.slots, position.currents, strict=True):
        actions += [
            PlayCurrent(card, slot, follow_up)
            for card, follow_up in combo_pairs(plain_cards, old_card, high_wins=True)
        ]
    return actions


def combo_pairs(
    plain_cards: list[Card], old_card: Card | None, *, high_wins: bool
) -> list[tuple[Card, Card]]:
    """Return the pairs (demotion, follow-up) that fit on a card; low ranks win unless ``high_wins``."""
    if old_card is None:
        return []
    return [
        (card, follow_up)
        for card in plain_cards
        if SUIT_BY_CARD[card] == SUIT_BY_CARD[old_card] and rank_lead(card, old_card, high_wins=high_wins) < 0
        for follow_up in plain_cards
        if SUIT_BY_CARD[follow_up] != SUIT_BY_CARD[card]
        and rank_lead(follow_up, card, high_wins=high_wins) > 0
    ]
