"""Currents: the state with its secrets, and how it changes.

Rules as of 11 August 2001 by Jason McIntosh.  Rulings where the text is silent: ``docs/rulings.md``, and
for players ``rules.currents.help``.
"""

from typing import Final

import msgspec

from rules.currents import jokers, turn
from rules.currents.actions import (
    ChooseAxis,
    Concede,
    Deal,
    Defend,
    DrawFirstPlayer,
    JokerShuffle,
    PlaceAce,
    Reshuffle,
)
from rules.currents.components import ACES, DECK_INDEX, Card
from rules.currents.drift import possible_defenders
from rules.currents.model import (
    BoardShape,
    CurrentsOptions,
    CurrentsView,
    Obstacles,
    Phase,
    Position,
    WildJokers,
    deck,
)
from rules.model import SEAT_LETTERS, Action, OutcomeKind, Result, Seat, Standing
from rules.notation import parse_seat
from rules.random_stream import RandomStream


class State(msgspec.Struct, frozen=True, gc=False):
    """The public position and the secrets: every hand, and the draw pile, which has no order."""

    position: Position
    hands: tuple[tuple[Card, ...], ...]
    """By seat, each in deck order."""
    draw_pile: tuple[Card, ...]
    """The draw pile, in deck order: chance picks from it when somebody draws."""


_deck_index: Final = DECK_INDEX.__getitem__


def initial_state(seat_count: int, options: CurrentsOptions) -> State:
    """Return the state before the first deal; the aces lie beside the compass."""
    draw_pile = tuple(card for card in deck(options) if card not in ACES)
    return State(turn.initial_position(seat_count, options), ((),) * seat_count, draw_pile)


def to_act(state: State) -> Seat | None:
    """Return the seat to act, CHANCE, or None at the end."""
    return state.position.to_act


def view(state: State, viewer: Seat | None) -> CurrentsView:
    """Return the position and the viewer's own hand."""
    return CurrentsView(state.position, viewer, () if viewer is None else state.hands[viewer])


def without_turn(view: CurrentsView) -> CurrentsView:
    """Return a view in which it is nobody's turn any more: of a game that has ended early."""
    return msgspec.structs.replace(view, position=msgspec.structs.replace(view.position, to_act=None))


def apply_action(state: State, action: Action) -> State:
    """Return the state after an action that is legal, or possible where chance acts."""
    position = state.position
    match action:
        case Deal(seat=seat, cards=cards):
            hand = tuple(sorted(state.hands[seat] + cards, key=_deck_index))
            return State(
                turn.deal(position, seat, len(cards)),
                _replace_hand(state, seat, hand),
                _remove_cards(state.draw_pile, cards),
            )
        case Reshuffle(cards=cards):
            return State(turn.reshuffle(position), state.hands, cards)
        case DrawFirstPlayer(seat=seat):
            after = turn.set_first_player(position, seat)
        case JokerShuffle():
            after = turn.apply_joker_shuffle(position, action)
        case ChooseAxis(axis=axis):
            after = turn.choose_axis(position, axis)
        case PlaceAce():
            after = turn.place_ace(position, action)
        case Concede():
            after = turn.let_pawn_leave(position)
        case Defend(cards=cards):
            seat = position.exits[0].defender
            return State(
                turn.defend(position, cards),
                _replace_hand(state, seat, _remove_cards(state.hands[seat], cards)),
                state.draw_pile,
            )
        case _:
            seat = position.current_player
            hand = _remove_cards(state.hands[seat], turn.spent_cards(action))
            return State(turn.play(position, action), _replace_hand(state, seat, hand), state.draw_pile)
    return State(after, state.hands, state.draw_pile)


def _remove_cards(cards: tuple[Card, ...], removed: tuple[Card, ...]) -> tuple[Card, ...]:
    if len(removed) == 1:
        index = cards.index(removed[0])
        return cards[:index] + cards[index + 1 :]
    return tuple(card for card in cards if card not in removed)


def _replace_hand(state: State, seat: Seat, hand: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])


# Chance ---------------------------------------------------------------------------------------------


def next_outcome_kind(view: CurrentsView) -> OutcomeKind:
    """Return the type of the next outcome of chance, and the seat that it is drawn for."""
    match view.position.phase:
        case Phase.FIRST_PLAYER:
            return OutcomeKind(DrawFirstPlayer)
        case Phase.JOKER_SHUFFLE:
            return OutcomeKind(JokerShuffle)
        case _:
            seat, count = turn.next_deal(view.position)
            return OutcomeKind(Deal, seat) if count else OutcomeKind(Reshuffle)


def sample_chance(state: State, stream: RandomStream) -> Action:
    """Return the next outcome of chance: a deal, the first player, a joker's shuffle or a reshuffle."""
    position = state.position
    match position.phase:
        case Phase.FIRST_PLAYER:
            return DrawFirstPlayer(parse_seat(stream.choose(SEAT_LETTERS[: position.seat_count])))
        case Phase.JOKER_SHUFFLE:
            return jokers.sample_shuffle(position, stream)
        case _:
            seat, count = turn.next_deal(position)
            if not count:
                return Reshuffle(_new_draw_pile(position))
            return Deal(seat, stream.sample_unordered(state.draw_pile, count))


def _new_draw_pile(position: Position) -> tuple[Card, ...]:
    return tuple(sorted(position.discard_pile, key=_deck_index))


def is_possible(state: State, action: Action) -> bool:
    """Whether an outcome of chance is possible now."""
    position = state.position
    match position.phase, action:
        case Phase.DEAL | Phase.DRAW, Deal(seat=seat, cards=cards):
            # Compared in deck order: the right cards in any other order are not a possible deal.
            dealt_cards = set(cards)
            sorted_cards = tuple(card for card in state.draw_pile if card in dealt_cards)
            return bool(cards) and sorted_cards == cards and (seat, len(cards)) == turn.next_deal(position)
        case Phase.DRAW, Reshuffle(cards=cards):
            return not position.draw_pile_size and cards == _new_draw_pile(position)
        case Phase.FIRST_PLAYER, DrawFirstPlayer(seat=seat):
            return 0 <= seat < position.seat_count
        case Phase.JOKER_SHUFFLE, JokerShuffle():
            return jokers.is_possible_shuffle(position, action)
        case _:
            return False


def sample_state(view: CurrentsView, stream: RandomStream) -> State:
    """Return a state with a uniform random deal of all that the viewer cannot see."""
    position = view.position
    known_cards = {*position.compass, *position.currents, *position.discard_pile, *position.aces, *view.hand}
    unknown_cards = [card for card in deck(position.options) if card not in known_cards]
    hidden_counts = [0 if seat == view.viewer else count for seat, count in enumerate(position.hand_sizes)]
    drawn = stream.sample_ordered(unknown_cards, sum(hidden_counts))
    hands: list[tuple[Card, ...]] = []
    start = 0
    for seat, count in enumerate(hidden_counts):
        if seat == view.viewer:
            hands.append(view.hand)
        else:
            hands.append(tuple(sorted(drawn[start : start + count], key=_deck_index)))
            start += count
    dealt_cards = set(drawn)
    return State(position, tuple(hands), tuple(card for card in unknown_cards if card not in dealt_cards))


# The end --------------------------------------------------------------------------------------------


def returns(state: State) -> Result:
    """Return the result: one winner, the others second; in a draw everybody is first with no points."""
    position = state.position
    seats = [Seat(i) for i in range(position.seat_count)]
    if position.winner is None:
        return Result(tuple(Standing(seat, 1, 0) for seat in seats))
    winner = position.winner
    others = tuple(Standing(seat, 2, 0) for seat in seats if seat != winner)
    return Result((Standing(winner, 1, 1), *others))


def seat_after_turn(view: CurrentsView) -> Seat | None:
    """Return the seat that certainly chooses next; None where another may be asked to defend."""
    position = view.position
    following_seat = Seat((position.current_player + 1) % position.seat_count)
    if position.turn == position.options.turn_cap:
        return None
    if position.phase is Phase.GOALTEND:
        is_last_defender = len(position.exits) == 1 and position.to_act != following_seat
        return following_seat if is_last_defender else None
    if position.phase is not Phase.PLAY:
        return None
    expected_defenders = {position.current_player, following_seat}
    return following_seat if possible_defenders(position) <= expected_defenders else None


def turn_number(view: CurrentsView) -> int:
    """Return the number of the running turn, as the board shows it; 0 during set-up."""
    return view.position.turn


def resign(state: State, seat: Seat) -> State | None:
    """Return the state in which the opponent has won, with two seats.

    None with more seats: each edge needs its defender.
    """
    if state.position.seat_count != 2:
        return None
    return State(turn.end_with_winner(state.position, Seat(1 - seat)), state.hands, state.draw_pile)


def setup_error(seat_count: int, options: CurrentsOptions) -> str | None:
    """Return why these options do not fit this number of seats; None: they fit."""
    is_triangle = options.board is BoardShape.TRIANGLE
    if is_triangle and options.obstacles is not Obstacles.OFF:
        return "The triangular board has no obstacles: set obstacles to off."
    if options.wild_jokers is not WildJokers.COMPASS and not options.jokers:
        return "Wild jokers need jokers in the deck: switch jokers on too."
    if is_triangle and seat_count != 3:
        return "The triangular board is for exactly three players."
    if not is_triangle and seat_count not in (2, 4):
        return "The square board is for two or four players. For three players, set board to triangle."
    return None
