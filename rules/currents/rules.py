"""Currents: the state with its secrets, and how it changes.

Rules as of 11 August 2001 by Jason McIntosh.  Where the text is silent, the ruling is told in
``rules.currents.help`` ("rulings").
"""

from typing import Final

import msgspec

from rules.currents import jokers, turn
from rules.currents.actions import Begin, ChooseAxis, Concede, Deal, Defend, PlaceAce, Reshuffle, Shuffle
from rules.currents.cards import ACES, DECK_ORDER, Card
from rules.currents.model import (
    Board,
    CurrentsOptions,
    CurrentsView,
    Obstacles,
    Phase,
    Position,
    WildJokers,
    deck,
)
from rules.game import SEAT_LETTERS, Action, ChanceKey, Result, Seat, Standing
from rules.notation import parse_seat
from rules.stream import Stream


class State(msgspec.Struct, frozen=True, gc=False):
    """The table and what nobody sees in full: every hand, and the rest to draw from (no order)."""

    position: Position
    hands: tuple[tuple[Card, ...], ...]
    """By seat, each in deck order."""
    rest: tuple[Card, ...]
    """The draw pile, in deck order: chance picks from it when somebody draws."""


_order: Final = DECK_ORDER.__getitem__


def initial_state(seats: int, options: CurrentsOptions) -> State:
    """Nothing is dealt yet; the aces lie beside the compass."""
    rest = tuple(card for card in deck(options) if card not in ACES)
    return State(turn.opening(seats, options), ((),) * seats, rest)


def to_act(state: State) -> Seat | None:
    """Whoever owes a choice."""
    return state.position.to_act


def view(state: State, viewer: Seat | None) -> CurrentsView:
    """The table and the own hand."""
    return CurrentsView(state.position, viewer, () if viewer is None else state.hands[viewer])


def apply_action(state: State, action: Action) -> State:
    """Take an action that is legal for, or possible to, whoever is to act."""
    position = state.position
    match action:
        case Deal(seat=seat, cards=cards):
            hand = tuple(sorted(state.hands[seat] + cards, key=_order))
            return State(
                turn.dealt(position, seat, len(cards)), _with(state, seat, hand), _less(state.rest, cards)
            )
        case Reshuffle(cards=cards):
            return State(turn.reshuffled(position), state.hands, cards)
        case Begin(seat=seat):
            after = turn.begun(position, seat)
        case Shuffle():
            after = turn.shuffled(position, action)
        case ChooseAxis(axis=axis):
            after = turn.axis_chosen(position, axis)
        case PlaceAce():
            after = turn.ace_placed(position, action)
        case Concede():
            after = turn.conceded(position)
        case Defend(cards=cards):
            seat = position.exits[0].defender
            return State(
                turn.defended(position, cards),
                _with(state, seat, _less(state.hands[seat], cards)),
                state.rest,
            )
        case _:
            seat = position.current_player
            hand = _less(state.hands[seat], turn.spent_cards(action))
            return State(turn.played(position, action), _with(state, seat, hand), state.rest)
    return State(after, state.hands, state.rest)


def _less(cards: tuple[Card, ...], taken: tuple[Card, ...]) -> tuple[Card, ...]:
    if len(taken) == 1:
        at = cards.index(taken[0])
        return cards[:at] + cards[at + 1 :]
    return tuple(card for card in cards if card not in taken)


def _with(state: State, seat: Seat, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


# Chance ---------------------------------------------------------------------------------------------


def next_chance(view: CurrentsView) -> ChanceKey:
    """Return which outcome of chance comes next, and for which seat."""
    match view.position.phase:
        case Phase.BEGIN:
            return ChanceKey(Begin)
        case Phase.SHUFFLE:
            return ChanceKey(Shuffle)
        case _:
            seat, count = turn.next_deal(view.position)
            return ChanceKey(Deal, seat) if count else ChanceKey(Reshuffle)


def sample_chance(state: State, stream: Stream) -> Action:
    """Deal, name the first player, turn the discard pile over, or shuffle for a joker."""
    position = state.position
    match position.phase:
        case Phase.BEGIN:
            return Begin(parse_seat(stream.choose(SEAT_LETTERS[: position.seats])))
        case Phase.SHUFFLE:
            return jokers.shuffle(position, stream)
        case _:
            seat, count = turn.next_deal(position)
            if not count:
                return Reshuffle(_new_draw_pile(position))
            return Deal(seat, stream.pick(state.rest, count))


def _new_draw_pile(position: Position) -> tuple[Card, ...]:
    return tuple(sorted(position.discard_pile, key=_order))


def possible(state: State, action: Action) -> bool:
    """Whether chance may do exactly this now."""
    position = state.position
    match position.phase, action:
        case Phase.DEAL | Phase.DRAW, Deal(seat=seat, cards=cards):
            # Built anew from the rest: the right cards in any other order are no deal either.
            held = set(cards)
            dealt = tuple(card for card in state.rest if card in held)
            return bool(cards) and dealt == cards and (seat, len(cards)) == turn.next_deal(position)
        case Phase.DRAW, Reshuffle(cards=cards):
            return not position.draw_pile and cards == _new_draw_pile(position)
        case Phase.BEGIN, Begin(seat=seat):
            return 0 <= seat < position.seats
        case Phase.SHUFFLE, Shuffle():
            return jokers.possible(position, action)
        case _:
            return False


def sample_state(view: CurrentsView, stream: Stream) -> State:
    """Deal everything that the viewer cannot see anew, every way equally likely."""
    position = view.position
    seen = {*position.compass, *position.currents, *position.discard_pile, *position.aces, *view.hand}
    unknown = [card for card in deck(position.options) if card not in seen]
    wanted = [0 if seat == view.viewer else count for seat, count in enumerate(position.hands)]
    drawn = stream.sample(unknown, sum(wanted))
    hands: list[tuple[Card, ...]] = []
    at = 0
    for seat, count in enumerate(wanted):
        if seat == view.viewer:
            hands.append(view.hand)
        else:
            hands.append(tuple(sorted(drawn[at : at + count], key=_order)))
            at += count
    held = set(drawn)
    return State(position, tuple(hands), tuple(card for card in unknown if card not in held))


# The end --------------------------------------------------------------------------------------------


def returns(state: State) -> Result:
    """One winner and the others side by side; a draw leaves everybody first with nothing."""
    position = state.position
    seats = [Seat(i) for i in range(position.seats)]
    if position.winner is None:
        return Result(tuple(Standing(seat, 1, 0) for seat in seats))
    winner = position.winner
    others = tuple(Standing(seat, 2, 0) for seat in seats if seat != winner)
    return Result((Standing(winner, 1, 1), *others))


def resign(state: State, seat: Seat) -> State | None:
    """Of two players the other one wins; with more every edge needs its defender, so the seat is filled."""
    if state.position.seats != 2:
        return None
    return State(turn.won(state.position, Seat(1 - seat)), state.hands, state.rest)


def setup_error(seats: int, options: CurrentsOptions) -> str | None:
    """Why these options do not fit this number of seats."""
    triangle = options.board is Board.TRIANGLE
    if triangle and seats != 3:
        return "The triangular board is for exactly three players."
    if not triangle and seats not in (2, 4):
        return "The square board is for two or four players. For three set board to triangle."
    if triangle and options.obstacles is not Obstacles.OFF:
        return "The triangular board has no obstacles: set obstacles to off."
    if options.wild_jokers is not WildJokers.COMPASS and not options.jokers:
        return "Wild jokers need jokers in the deck: switch jokers on too."
    return None
