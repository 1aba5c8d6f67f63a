"""Oceans: the state with its secrets, and how it changes.

Where the published text is silent, ``docs/rulings.md`` says what we play.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from rules.model import Action, Result, Seat
from rules.oceans.actions import (
    Attack,
    Choose,
    Create,
    Deal,
    Discard,
    DiscardForNothing,
    Done,
    Draw,
    EndFeeding,
    Evolve,
    Exchange,
    Forage,
    Keep,
    LayOut,
    LookDeep,
    Migrate,
    Mutate,
    PlaceOverflow,
    RefillPool,
    RemoveTrait,
    Reshuffle,
    RevealScores,
    Scramble,
    SetAgingOnOtherTurns,
    SetOverflowZone,
    ShowDeep,
    Swap,
    TakeDeep,
    TakeFromScorePile,
)
from rules.oceans.cards.decks import SURFACE_DECK, Card, sort_cards
from rules.oceans.engine import setup, turn
from rules.oceans.engine.scoring import result
from rules.oceans.model import OceansOptions, OceansView, Position, ScenarioSet, all_deep_cards


class State(msgspec.Struct, frozen=True, gc=False):
    """The public position and the secrets."""

    position: Position
    hands: tuple[tuple[Card, ...], ...]
    """By seat, each in deck order."""
    score_piles: tuple[int, ...] = msgspec.field(name="scores")
    """Population behind each shield."""
    surface_deck: tuple[Card, ...]
    """The Surface deck, in deck order: chance picks from it when somebody draws."""
    deep_deck: tuple[Card, ...]
    """The Deep deck, in deck order too."""
    looked_at: tuple[Card, ...]
    """The Deep cards that the active player looks at."""


def setup_error(seat_count: int, options: OceansOptions) -> str | None:
    """Return why a game cannot begin with these options; None if it can."""
    if options.reef and options.scenarios not in {ScenarioSet.RETAIL, ScenarioSet.GENTLE}:
        return "The Reef Variant always uses Abundance and Fertile: set scenarios to retail or gentle."
    return None


def initial_state(seat_count: int, options: OceansOptions) -> State:
    """Return the state before the first deal."""
    return State(
        setup.initial_position(seat_count, options),
        ((),) * seat_count,
        (0,) * seat_count,
        SURFACE_DECK,
        all_deep_cards(options),
        (),
    )


def to_act(state: State) -> Seat | None:
    """Return the seat to act, CHANCE, or None at the end."""
    return state.position.to_act


def view(state: State, viewer: Seat | None) -> OceansView:
    """Return the position, the viewer's hand and score pile, and the Deep cards that the viewer looks at."""
    position = state.position
    if viewer is None:
        return OceansView(position, None, (), None, ())
    looked_at = state.looked_at if viewer == position.current_player else ()
    return OceansView(position, viewer, state.hands[viewer], state.score_piles[viewer], looked_at)


def without_turn(view: OceansView) -> OceansView:
    """Return a view in which it is nobody's turn any more: of a game that has ended early."""
    return msgspec.structs.replace(view, position=msgspec.structs.replace(view.position, to_act=None))


# Transitions ----------------------------------------------------------------------------------------


_ACTION_TYPES_MOVING_NO_HIDDEN_CARD: Final = frozenset(
    {
        Mutate,
        RemoveTrait,
        SetOverflowZone,
        SetAgingOnOtherTurns,
        Done,
        Swap,
        Forage,
        Attack,
        EndFeeding,
        Choose,
        PlaceOverflow,
    }
    | {LookDeep, Draw, TakeFromScorePile, Scramble, RevealScores}
)
"""The types of actions that move no card into or out of hands and decks."""


def apply_action(state: State, action: Action) -> State:
    """Apply a legal action, or a possible outcome of chance."""
    position = state.position
    transition = turn.apply_and_run_agenda(position, action)
    hands = list(state.hands)
    surface_deck, deep_deck, looked_at = state.surface_deck, state.deep_deck, state.looked_at
    seat = position.current_player
    match action:
        case Deal(seat=recipient, cards=cards):
            hands[recipient] = sort_cards((*hands[recipient], *cards))
            surface_deck = _without_cards(surface_deck, cards)
        case Reshuffle(cards=cards):
            surface_deck = cards
        case LayOut(gene_pool=pool, discard=card):
            surface_deck, deep_deck = _without_cards(surface_deck, (card,)), _without_cards(deep_deck, pool)
        case ShowDeep(cards=cards):
            deep_deck = _without_cards(deep_deck, cards)
            if len(cards) > 1:
                looked_at = cards
            else:
                hands[seat] = sort_cards((*hands[seat], *cards))
        case RefillPool(card=card):
            deep_deck = _without_cards(deep_deck, (card,))
        case Keep(card=card):
            hands[seat] = sort_cards((*hands[seat], card))
            looked_at = ()
        case TakeDeep(pile=pile):
            hands[seat] = sort_cards((*hands[seat], position.gene_pool[pile - 1][-1]))
        case Exchange(card=card, replacement=replacement):
            hands[seat] = sort_cards((*_without_cards(hands[seat], (replacement,)), card))
        case Evolve(card=card) | Create(card=card) | Migrate(card=card) | DiscardForNothing(card=card):
            if card in hands[seat]:  # else it came from the Gene Pool
                hands[seat] = _without_cards(hands[seat], (card,))
        case Discard(cards=cards):
            hands[seat] = _without_cards(hands[seat], cards)
        case _ if type(action) not in _ACTION_TYPES_MOVING_NO_HIDDEN_CARD:
            raise TypeError(f"apply_action does not know which hidden cards {type(action).__name__} moves")
    return State(
        transition.position,
        tuple(hands),
        _add_to_score_piles(state.score_piles, transition.score_pile_changes),
        surface_deck,
        deep_deck,
        looked_at,
    )


def _add_to_score_piles(score_piles: tuple[int, ...], changes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(int.__add__, score_piles, changes)) if any(changes) else score_piles


def _without_cards(cards: tuple[Card, ...], taken: Sequence[Card]) -> tuple[Card, ...]:
    remaining = list(cards)
    for card in taken:
        remaining.remove(card)
    return tuple(remaining)


def resign(state: State, seat: Seat) -> State | None:
    """Return the state after a seat resigns: its species and cards are gone, its score pile stays."""
    position = state.position
    looked_at = state.looked_at if seat == position.current_player else ()
    transition = turn.resign(position, seat, (*state.hands[seat], *looked_at))
    hands = tuple(() if other == seat else hand for other, hand in enumerate(state.hands))
    return State(
        transition.position,
        hands,
        _add_to_score_piles(state.score_piles, transition.score_pile_changes),
        state.surface_deck,
        state.deep_deck,
        () if looked_at else state.looked_at,
    )


# The end --------------------------------------------------------------------------------------------


def returns(state: State) -> Result:
    """Return the final result."""
    return result(state.position, state.score_piles)
