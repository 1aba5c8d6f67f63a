"""Arctic CleanUp: the rules as functions over the state, which is the position.

Rulings where the rulebook is silent: ``docs/rulings.md``, and for players ``rules.arctic_cleanup.help``.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from rules.arctic_cleanup import setup, turn
from rules.arctic_cleanup.actions import (
    Analyze,
    BringDie,
    DrawTokens,
    EndTurn,
    FillOcean,
    LoadToken,
    OrderSeats,
    PlaceFactory,
    PlaceShip,
    PlaceToken,
    PlayWithoutEffect,
    RotateDie,
    SailShip,
    ShiftDie,
    UnloadToken,
)
from rules.arctic_cleanup.boards import replace_board, sort_tokens
from rules.arctic_cleanup.components import MAPS, TOKENS_PER_TILE
from rules.arctic_cleanup.ending import finish, start_next_turn
from rules.arctic_cleanup.events import Resigned
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase, Position
from rules.model import CHANCE, SEAT_LETTERS, Action, OutcomeKind, Seat
from rules.notation import parse_seat
from rules.random_stream import RandomStream


def to_act(state: Position) -> Seat | None:
    """Return the seat to act, CHANCE, or None at the end."""
    return state.to_act


def view(state: Position, viewer: Seat | None) -> ArcticCleanUpView:
    """Return everything: nothing is secret."""
    return ArcticCleanUpView(state, viewer)


def without_turn(view: ArcticCleanUpView) -> ArcticCleanUpView:
    """Return a view in which it is nobody's turn any more: of a game that has ended early."""
    return replace(view, position=replace(view.position, to_act=None, current_player=None))


def is_setting_up(view: ArcticCleanUpView) -> bool:
    """Whether nobody's first turn has begun."""
    return view.position.round == 0


def apply_action(state: Position, action: Action) -> Position:
    """Return the state after an action that is legal, or possible where chance acts."""
    match action:
        case EndTurn():
            return turn.end_turn(state)
        case PlayWithoutEffect(card=card):
            return turn.play_without_effect(state, card)
        case PlaceToken():
            return turn.place_token(state, action)
        case DrawTokens(plastics=plastics):
            return turn.draw_tokens(state, plastics)
        case PlaceFactory(place=place):
            return setup.place_factory(state, place)
        case PlaceShip(place=place):
            return setup.place_ship(state, place)
        case OrderSeats(seats=seats):
            return setup.order_seats(state, seats)
        case FillOcean(plastics=plastics):
            return setup.fill_ocean(state, plastics)
        case RotateDie() | ShiftDie() | BringDie() | SailShip() | LoadToken() | Analyze() | UnloadToken():
            return turn.apply_operation(state, action)
    raise AssertionError(action)


# Chance ----------------------------------------------------------------------------------------------

_OUTCOME_TYPE_BY_PHASE: Final[Mapping[Phase, type[Action]]] = {
    Phase.ORDER: OrderSeats,
    Phase.FILL: FillOcean,
    Phase.DRAW: DrawTokens,
}


def next_outcome_kind(view: ArcticCleanUpView) -> OutcomeKind:
    """Return the type of the next outcome of chance, and the seat that it is drawn for."""
    return OutcomeKind(_OUTCOME_TYPE_BY_PHASE[view.position.phase])


def sample_chance(state: Position, stream: RandomStream) -> Action:
    """Draw chance's next outcome."""
    match state.phase:
        case Phase.ORDER:
            letters = stream.shuffle(SEAT_LETTERS[: len(state.boards)])
            return OrderSeats(tuple(parse_seat(letter) for letter in letters))
        case Phase.FILL:
            return FillOcean(stream.sample_ordered(state.bag, _initial_ocean_token_count(state)))
        case _:
            return DrawTokens(stream.sample_unordered(state.bag, state.draw_count))


def is_possible(state: Position, action: Action) -> bool:
    """Whether an outcome of chance is possible now."""
    if state.to_act != CHANCE or not isinstance(action, _OUTCOME_TYPE_BY_PHASE[state.phase]):
        return False
    match action:
        case OrderSeats(seats=seats):
            return len(seats) == len(state.boards) and set(seats) == set(_seats(state))
        case FillOcean(plastics=plastics):
            return len(plastics) == _initial_ocean_token_count(state) and Counter(plastics) <= Counter(
                state.bag
            )
        case DrawTokens(plastics=plastics):
            return (
                len(plastics) == state.draw_count
                and Counter(plastics) <= Counter(state.bag)
                and plastics == sort_tokens(plastics)
            )
    return False


def _seats(state: Position) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in range(len(state.boards)))


def _initial_ocean_token_count(state: Position) -> int:
    return TOKENS_PER_TILE * len(MAPS[len(state.boards)].ocean)


def sample_state(view: ArcticCleanUpView, stream: RandomStream) -> Position:
    """Return the state: the view shows all of it."""
    return view.position


# Resigning -------------------------------------------------------------------------------------------


def resign(state: Position, seat: Seat) -> Position:
    """Return the state after a seat leaves: ships and cargo go, the factory stays (AC28)."""
    board = state.boards[seat]
    is_current_player = state.current_player == seat
    returned_tokens = (*board.cargo[0], *board.cargo[1], *(state.drawn_tokens if is_current_player else ()))
    resigned_board = replace(
        board, ships=(None, None), cargo=((), ()), rows=((), ()), spare_die_count=0, columns=(), resigned=True
    )
    after = replace(
        state,
        boards=replace_board(state, seat, resigned_board),
        bag=sort_tokens((*state.bag, *returned_tokens)),
        waiting_seats=tuple(each for each in state.waiting_seats if each != seat),
        drawn_tokens=() if is_current_player else state.drawn_tokens,
        draw_count=0 if is_current_player else state.draw_count,
        phase=Phase.TURN if is_current_player else state.phase,
        played_card=None if is_current_player else state.played_card,
        trail=(Resigned(seat),),
    )
    if sum(not each.resigned for each in after.boards) == 1:
        return finish(after, None)
    if is_current_player:
        return start_next_turn(after)
    return setup.continue_setup(after) if state.to_act == seat else after
