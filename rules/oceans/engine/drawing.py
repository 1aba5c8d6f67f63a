"""Phase 4: take a Deep card, discard, draw Surface cards up to six in hand (rulebook, Phase 4)."""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Final

from rules.model import Action, Seat
from rules.oceans.actions import (
    Deal,
    Discard,
    Draw,
    Keep,
    LookDeep,
    RefillPool,
    Reshuffle,
    ShowDeep,
    TakeDeep,
)
from rules.oceans.cards.scenarios import Effect
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.species_traits import without_card
from rules.oceans.engine.values import is_deep, is_effect_active
from rules.oceans.events import (
    Dealt,
    DeepKept,
    DeepLookedAt,
    DeepTaken,
    Discarded,
    PoolRefilled,
    Reshuffled,
)
from rules.oceans.model import FULL_HAND_SIZE, OceansView, Position
from rules.oceans.places import ZONE_INDEX, Zone
from rules.oceans.steps import (
    Dealing,
    Drawing,
    EndingTurn,
    Keeping,
    RefillingHand,
    RefillingPool,
    ShowingDeep,
)


def hand_size(position: Position | MutablePosition, seat: Seat) -> int:
    """Return how many cards a seat holds, Deep cards included."""
    return position.surface_hand_sizes[seat] + position.deep_hand_sizes[seat]


def is_hand_full_of_deep_cards(position: Position, seat: Seat) -> bool:
    """Whether a seat neither plays nor draws a card until the Cambrian Explosion.

    Until then Deep cards can be neither played nor discarded, and six of them fill a hand.
    """
    return (
        not position.cambrian_happened
        and position.deep_hand_sizes[seat] >= FULL_HAND_SIZE
        and not position.surface_hand_sizes[seat]
    )


def next_deep_card_is_the_sixth(position: Position) -> bool:
    """Whether the active player has five Deep cards: with a sixth no Surface card is drawn.

    That holds until the Cambrian Explosion, when Deep cards can be played.
    """
    next_count = position.deep_hand_sizes[position.current_player] + 1
    return not position.cambrian_happened and next_count == FULL_HAND_SIZE


def is_board_stuck(position: Position) -> bool:
    """Whether nothing on the board changes any more, whatever is drawn: nobody can play a card or feed.

    All hands are full of Deep cards and no species is left, so that zone 1 is never emptied.
    """
    if position.cambrian_happened or any(position.rows):
        return False
    if is_effect_active(position, Effect.THERMAL_CURRENTS):
        return False  # cards of the Gene Pool can be played
    if (
        is_effect_active(position, Effect.CORAL_BLEACHING)
        and position.zone_populations[ZONE_INDEX[Zone.REEF]]
    ):
        return False
    return all(
        is_hand_full_of_deep_cards(position, Seat(seat))
        for seat in range(position.seat_count)
        if not position.resigned[seat]
    )


def _apply_take_deep(position: MutablePosition, action: TakeDeep) -> None:
    """Take the top of a Gene Pool pile into the hand, seen by all."""
    seat = position.current_player
    position.agenda[-1] = Drawing(may_take_deep=False)
    index = action.pile - 1
    card = position.gene_pool[index][-1]
    position.gene_pool[index] = position.gene_pool[index][:-1]
    position.deep_hand_sizes[seat] += 1
    position.known_cards[seat] = (*position.known_cards[seat], card)
    position.add_event(DeepTaken(seat, action.pile, card))
    if not position.gene_pool[index] and position.deep_deck_size:
        position.push_steps(RefillingPool(action.pile))


def _apply_look_deep(position: MutablePosition, action: LookDeep) -> None:
    """Let the active player look at Deep cards of the deck."""
    position.agenda[-1] = Drawing(may_take_deep=False)
    position.push_steps(ShowingDeep())


def _apply_show_deep(position: MutablePosition, action: ShowDeep) -> None:
    """Show Deep cards to the active player; a single one is kept at once."""
    seat = position.current_player
    position.agenda.pop()
    count = len(action.cards)
    position.deep_deck_size -= count
    position.add_event(DeepLookedAt(seat, count))
    if count > 1:
        position.push_steps(Keeping(count))
    else:
        position.deep_hand_sizes[seat] += 1
        position.add_event(DeepKept(seat, None, None))


def _apply_keep(position: MutablePosition, action: Keep) -> None:
    """Keep one of the cards; put the others face up on the Gene Pool."""
    seat = position.current_player
    position.agenda.pop()
    position.deep_hand_sizes[seat] += 1
    for index, card in enumerate((action.pile_1_card, action.pile_2_card)):
        if card is not None:
            position.gene_pool[index] = (*position.gene_pool[index], card)
    position.add_event(DeepKept(seat, action.pile_1_card, action.pile_2_card))


def _apply_refill_pool(position: MutablePosition, action: RefillPool) -> None:
    """Put a card on an empty Gene Pool pile."""
    position.agenda.pop()
    position.deep_deck_size -= 1
    position.gene_pool[action.pile - 1] = (action.card,)
    position.add_event(PoolRefilled(action.pile, action.card))


def _apply_discard(position: MutablePosition, action: Discard) -> None:
    """Discard Surface cards before drawing; a Deep card can no longer be taken."""
    seat = position.current_player
    position.agenda[-1] = Drawing(may_take_deep=False)
    position.surface_hand_sizes[seat] -= len(action.cards)
    for card in action.cards:
        if card in position.known_cards[seat]:
            position.known_cards[seat] = without_card(position.known_cards[seat], card)
    position.discard_cards(action.cards)
    position.add_event(Discarded(seat, action.cards))


def _apply_draw(position: MutablePosition, action: Draw) -> None:
    """Schedule the draw up to a full hand, and then the end of the turn."""
    position.agenda.pop()
    position.push_steps(RefillingHand(), EndingTurn())


def _skip_needless_hand_refill(position: MutablePosition) -> bool:
    """Drop the step if the hand is full or no card is left; return whether it was dropped."""
    if hand_size(position, position.current_player) < FULL_HAND_SIZE and (
        position.surface_deck_size or position.discard_pile
    ):
        return False
    position.agenda.pop()
    return True


def _apply_deal(position: MutablePosition, action: Deal) -> None:
    """Move Surface cards from the deck to a hand."""
    if isinstance(position.agenda[-1], Dealing):
        position.agenda.pop()
    position.surface_hand_sizes[action.seat] += len(action.cards)
    position.surface_deck_size -= len(action.cards)
    position.add_event(Dealt(action.seat, len(action.cards)))


def _apply_reshuffle(position: MutablePosition, action: Reshuffle) -> None:
    """Make the discard pile the new deck."""
    count = len(position.discard_pile)
    position.surface_deck_size = count
    position.discard_pile = []
    position.add_event(Reshuffled(count))


# Legal actions ---------------------------------------------------------------------------------------


def _offer_drawing_actions(view: OceansView, seat: Seat, step: Drawing) -> Iterator[Action]:
    yield Draw()
    if step.may_take_deep:
        for pile, cards in enumerate(view.position.gene_pool, 1):
            if cards:
                yield TakeDeep(pile)
        if view.position.deep_deck_size:
            yield LookDeep()
    surface_cards = [card for card in view.hand if not is_deep(card)]
    for count in range(1, len(surface_cards) + 1):
        card_sets = dict.fromkeys(combinations(surface_cards, count))
        keeps_fewer = len(surface_cards) - count < count
        # the order is that of the cards which the panel asks for: what is kept if that is less
        yield from map(Discard, reversed(card_sets) if keeps_fewer else card_sets)


def _offer_cards_to_keep(view: OceansView, seat: Seat, step: Keeping) -> Iterator[Action]:
    if step.count == 2:
        for card, other in permutations(view.looked_at):
            yield Keep(card, other, None)
            yield Keep(card, None, other)
        return
    for card, pile_1_card, pile_2_card in permutations(view.looked_at):
        yield Keep(card, pile_1_card, pile_2_card)


HANDLERS: Final = Handlers(
    apply={
        TakeDeep: _apply_take_deep,
        LookDeep: _apply_look_deep,
        Keep: _apply_keep,
        Discard: _apply_discard,
        Draw: _apply_draw,
        Deal: _apply_deal,
        Reshuffle: _apply_reshuffle,
        ShowDeep: _apply_show_deep,
        RefillPool: _apply_refill_pool,
    },
    offer={Drawing: _offer_drawing_actions, Keeping: _offer_cards_to_keep},
    skip_if_needless={RefillingHand: _skip_needless_hand_refill},
)
