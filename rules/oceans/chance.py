"""The outcomes of chance in Oceans: which kind comes next, a random one, whether one is possible."""

from collections import Counter

from rules.model import SEAT_LETTERS, Action, OutcomeKind
from rules.notation import parse_seat
from rules.oceans.actions import (
    Deal,
    LayOut,
    RefillPool,
    Reshuffle,
    RevealScores,
    Scramble,
    ShowDeep,
    TakeFromScorePile,
)
from rules.oceans.cards.decks import DECK_INDEX, Card, sort_cards
from rules.oceans.engine.drawing import hand_size
from rules.oceans.engine.species_traits import removable_traits
from rules.oceans.model import (
    FULL_HAND_SIZE,
    MAX_CARDS_LOOKED_AT,
    FirstPlayer,
    OceansView,
    Position,
    all_scenario_codes,
)
from rules.oceans.rules import State
from rules.oceans.steps import (
    Dealing,
    LayingOut,
    RefillingHand,
    RefillingPool,
    RevealingScores,
    Scrambling,
    ShowingDeep,
    TakingFromScorePile,
)
from rules.random_stream import RandomStream


def next_outcome_kind(view: OceansView) -> OutcomeKind:
    """Return the type of the next outcome of chance, and the seat that it is drawn for."""
    position = view.position
    match position.agenda[-1]:
        case Dealing(seat=seat):
            return OutcomeKind(Deal, seat)
        case LayingOut():
            return OutcomeKind(LayOut)
        case RefillingHand():
            return (
                OutcomeKind(Deal, position.current_player)
                if position.surface_deck_size
                else OutcomeKind(Reshuffle)
            )
        case ShowingDeep():
            return OutcomeKind(ShowDeep, position.current_player)
        case RefillingPool():
            return OutcomeKind(RefillPool)
        case TakingFromScorePile(seat=seat):
            return OutcomeKind(TakeFromScorePile, seat)
        case Scrambling():
            return OutcomeKind(Scramble)
        case RevealingScores():
            return OutcomeKind(RevealScores)
        case step:
            raise TypeError(f"{type(step).__name__} does not wait for chance")


def sample_chance(state: State, stream: RandomStream) -> Action:
    """Return the next outcome of chance: a random one, or one that reveals a secret."""
    position = state.position
    match position.agenda[-1]:
        case Dealing(seat=seat):
            return Deal(seat, stream.sample_unordered(state.surface_deck, FULL_HAND_SIZE))
        case LayingOut():
            return _sample_lay_out(state, stream)
        case RefillingHand():
            if not position.surface_deck_size:
                return Reshuffle(position.discard_pile)
            return Deal(
                position.current_player, stream.sample_unordered(state.surface_deck, _draw_count(position))
            )
        case ShowingDeep():
            return ShowDeep(
                position.current_player, stream.sample_unordered(state.deep_deck, _looked_at_count(position))
            )
        case RefillingPool(pile=pile):
            return RefillPool(pile, stream.choose(state.deep_deck))
        case TakingFromScorePile(seat=seat, max_count=max_count):
            return TakeFromScorePile(seat, min(max_count, state.score_piles[seat]))
        case Scrambling():
            return Scramble(
                tuple(card for row in _removable_traits_by_row(position) for card in stream.shuffle(row))
            )
        case RevealingScores():
            return RevealScores(state.score_piles)
        case step:
            raise TypeError(f"{type(step).__name__} does not wait for chance")


def _sample_lay_out(state: State, stream: RandomStream) -> LayOut:
    options = state.position.options
    first, second = stream.sample_ordered(all_scenario_codes(options), 2)
    pool = () if options.reef else stream.sample_ordered(state.deep_deck, 2)
    discard = stream.choose(state.surface_deck)
    letters = SEAT_LETTERS[: _first_player_candidate_count(state.position)]
    return LayOut((first, second), tuple(pool), discard, parse_seat(stream.choose(letters)))


def _first_player_candidate_count(position: Position) -> int:
    """Return how many seats, from the first one on, may be drawn to begin."""
    return 1 if position.options.first_player is FirstPlayer.HOST else position.seat_count


def _draw_count(position: Position) -> int:
    missing = FULL_HAND_SIZE - hand_size(position, position.current_player)
    return min(missing, position.surface_deck_size)


def _looked_at_count(position: Position) -> int:
    return min(MAX_CARDS_LOOKED_AT, position.deep_deck_size)


def _removable_traits_by_row(position: Position) -> list[list[Card]]:
    return [[card for species in row for card in removable_traits(species)] for row in position.rows]


def is_possible(state: State, action: Action) -> bool:
    """Whether an outcome of chance is possible now."""
    position = state.position
    if not position.agenda:
        return False
    match position.agenda[-1], action:
        case Dealing(seat=seat), Deal():
            return action.seat == seat and _can_be_drawn(state.surface_deck, action.cards, FULL_HAND_SIZE)
        case LayingOut(), LayOut():
            return _can_lay_out(state, action)
        case RefillingHand(), Deal():
            seat, count = position.current_player, _draw_count(position)
            return (
                action.seat == seat and count > 0 and _can_be_drawn(state.surface_deck, action.cards, count)
            )
        case RefillingHand(), Reshuffle(cards=cards):
            return not position.surface_deck_size and cards == position.discard_pile
        case ShowingDeep(), ShowDeep():
            seat = position.current_player
            return action.seat == seat and _can_be_drawn(
                state.deep_deck, action.cards, _looked_at_count(position)
            )
        case RefillingPool(pile=pile), RefillPool():
            return action.pile == pile and action.card in state.deep_deck
        case TakingFromScorePile(seat=seat, max_count=max_count), TakeFromScorePile():
            return action == TakeFromScorePile(seat, min(max_count, state.score_piles[seat]))
        case Scrambling(), Scramble():
            rows = _removable_traits_by_row(position)
            return _can_be_dealt_back(rows, action.cards)
        case RevealingScores(), RevealScores():
            return action.score_piles == state.score_piles
        case _:
            return False


def _can_be_drawn(deck: tuple[Card, ...], cards: tuple[Card, ...], count: int) -> bool:
    if len(cards) != count or any(card not in DECK_INDEX for card in cards):
        return False
    return not Counter(cards) - Counter(deck) and sort_cards(cards) == cards


def _can_lay_out(state: State, action: LayOut) -> bool:
    options = state.position.options
    scenarios = {*action.scenarios}
    pool_size = 0 if options.reef else 2
    return (
        len(action.scenarios) == len(scenarios) == 2
        and scenarios <= {*all_scenario_codes(options)}
        and len(action.gene_pool) == len({*action.gene_pool}) == pool_size
        and {*action.gene_pool} <= {*state.deep_deck}
        and action.discard in state.surface_deck
        and action.first_player in range(_first_player_candidate_count(state.position))
    )


def _can_be_dealt_back(rows: list[list[Card]], cards: tuple[Card, ...]) -> bool:
    if len(cards) != sum(map(len, rows)):
        return False
    index = 0
    for row in rows:
        if Counter(row) != Counter(cards[index : index + len(row)]):
            return False
        index += len(row)
    return True
