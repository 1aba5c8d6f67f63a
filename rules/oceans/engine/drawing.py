"""Phase 4: take a Deep card, discard, draw Surface cards up to six in hand (rulebook, Phase 4)."""

from collections.abc import Iterator
from itertools import permutations
from typing import Final

from rules.game import Action, Seat
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
from rules.oceans.engine.handlers import Handlers
from rules.oceans.engine.mutable_position import MutablePosition
from rules.oceans.engine.species_traits import without_card
from rules.oceans.engine.values import is_deep
from rules.oceans.events import (
    Dealt,
    DeepKept,
    DeepLookedAt,
    DeepTaken,
    Discarded,
    PoolRefilled,
    Reshuffled,
)
from rules.oceans.model import FULL_HAND_SIZE, OceansView
from rules.oceans.steps import Dealing, Drawing, EndTurn, Keeping, RefillingHand, RefillingPool, ShowingDeep


def hand_size(draft: MutablePosition, seat: int) -> int:
    """Return how many cards a seat holds, Deep cards included."""
    return draft.surface_hand_sizes[seat] + draft.deep_hand_sizes[seat]


def take_deep(draft: MutablePosition, action: TakeDeep) -> None:
    """Take the top of a Gene Pool pile into the hand, seen by all."""
    seat = draft.current_player
    draft.agenda[-1] = Drawing(may_take_deep=False)
    index = action.pile - 1
    card = draft.gene_pool[index][-1]
    draft.gene_pool[index] = draft.gene_pool[index][:-1]
    draft.deep_hand_sizes[seat] += 1
    draft.known_cards[seat] = (*draft.known_cards[seat], card)
    draft.add_event(DeepTaken(seat, action.pile, card))
    if not draft.gene_pool[index] and draft.deep_deck_size:
        draft.push_steps(RefillingPool(action.pile))


def look_deep(draft: MutablePosition) -> None:
    """Let the active player look at Deep cards of the deck."""
    draft.agenda[-1] = Drawing(may_take_deep=False)
    draft.push_steps(ShowingDeep())


def apply_show(draft: MutablePosition, action: ShowDeep) -> None:
    """Show Deep cards to the active player; a single one is kept at once."""
    seat = draft.current_player
    draft.agenda.pop()
    count = len(action.cards)
    draft.deep_deck_size -= count
    draft.add_event(DeepLookedAt(seat, count))
    if count > 1:
        draft.push_steps(Keeping(count))
    else:
        draft.deep_hand_sizes[seat] += 1
        draft.add_event(DeepKept(seat, None, None))


def keep(draft: MutablePosition, action: Keep) -> None:
    """Keep one of the cards; put the others face up on the Gene Pool."""
    seat = draft.current_player
    draft.agenda.pop()
    draft.deep_hand_sizes[seat] += 1
    for index, card in enumerate((action.first, action.second)):
        if card is not None:
            draft.gene_pool[index] = (*draft.gene_pool[index], card)
    draft.add_event(DeepKept(seat, action.first, action.second))


def apply_refill(draft: MutablePosition, action: RefillPool) -> None:
    """Put a card on an empty Gene Pool pile."""
    draft.agenda.pop()
    draft.deep_deck_size -= 1
    draft.gene_pool[action.pile - 1] = (action.card,)
    draft.add_event(PoolRefilled(action.pile, action.card))


def discard(draft: MutablePosition, action: Discard) -> None:
    """Discard a Surface card before drawing; a Deep card can no longer be taken."""
    seat = draft.current_player
    draft.agenda[-1] = Drawing(may_take_deep=False)
    draft.surface_hand_sizes[seat] -= 1
    if action.card in draft.known_cards[seat]:
        draft.known_cards[seat] = without_card(draft.known_cards[seat], action.card)
    draft.discard_cards((action.card,))
    draft.add_event(Discarded(seat, action.card))


def begin_hand_refill(draft: MutablePosition) -> None:
    """Schedule the draw up to a full hand, and then the end of the turn."""
    draft.agenda.pop()
    draft.push_steps(RefillingHand(), EndTurn())


def skip_needless_hand_refill(draft: MutablePosition) -> bool:
    """Drop the step if the hand is full or no card is left; return whether it was dropped."""
    if hand_size(draft, draft.current_player) < FULL_HAND_SIZE and (
        draft.surface_deck_size or draft.discard_pile
    ):
        return False
    draft.agenda.pop()
    return True


def apply_deal(draft: MutablePosition, action: Deal) -> None:
    """Move Surface cards from the deck to a hand."""
    if isinstance(draft.agenda[-1], Dealing):
        draft.agenda.pop()
    draft.surface_hand_sizes[action.seat] += len(action.cards)
    draft.surface_deck_size -= len(action.cards)
    draft.add_event(Dealt(action.seat, len(action.cards)))


def apply_reshuffle(draft: MutablePosition) -> None:
    """Make the discard pile the new deck."""
    count = len(draft.discard_pile)
    draft.surface_deck_size = count
    draft.discard_pile = []
    draft.add_event(Reshuffled(count))


# Legal actions ---------------------------------------------------------------------------------------


def _offer_draws(view: OceansView, seat: Seat, step: Drawing) -> Iterator[Action]:
    yield Draw()
    if step.may_take_deep:
        for pile, cards in enumerate(view.position.gene_pool, 1):
            if cards:
                yield TakeDeep(pile)
        if view.position.deep_deck_size:
            yield LookDeep()
    yield from (Discard(card) for card in dict.fromkeys(view.hand) if not is_deep(card))


def _offer_cards_to_keep(view: OceansView, seat: Seat, step: Keeping) -> Iterator[Action]:
    if step.count == 2:
        for card, other in permutations(view.looked_at):
            yield Keep(card, other, None)
            yield Keep(card, None, other)
        return
    for card, first, second in permutations(view.looked_at):
        yield Keep(card, first, second)


HANDLERS: Final = Handlers(
    apply={
        TakeDeep: take_deep,
        LookDeep: lambda draft, action: look_deep(draft),
        Keep: keep,
        Discard: discard,
        Draw: lambda draft, action: begin_hand_refill(draft),
        Deal: apply_deal,
        Reshuffle: lambda draft, action: apply_reshuffle(draft),
        ShowDeep: apply_show,
        RefillPool: apply_refill,
    },
    offer={Drawing: _offer_draws, Keeping: _offer_cards_to_keep},
    skip_if_needless={RefillingHand: skip_needless_hand_refill},
)
