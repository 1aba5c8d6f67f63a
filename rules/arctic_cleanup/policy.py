"""The policy of Arctic CleanUp: play the card with the highest value after this turn and the seat's next.

A card is simulated whole.  Its operations are chosen by simple rules: Plan brings the dice for the ships'
goals, Move sails to the best tiles, Load and Unload take the tokens from which the factory gains most.
"""

from typing import Final, NamedTuple

from msgspec.structs import replace

from rules.arctic_cleanup import turn
from rules.arctic_cleanup.actions import (
    Analyze,
    BringDie,
    EndTurn,
    LoadToken,
    PlaceFactory,
    PlaceShip,
    PlaceToken,
    PlayWithoutEffect,
    RotateDie,
    SailShip,
    ShiftDie,
    UnloadToken,
)
from rules.arctic_cleanup.boards import (
    Tokens,
    add_token_to_line,
    is_docked,
    remove_tokens,
    sort_tokens,
    with_ship_entry,
    would_deadlock,
)
from rules.arctic_cleanup.components import (
    FACES,
    SEA_STEPS,
    SHIP_CAPACITY,
    SHIPS,
    Card,
    docks,
)
from rules.arctic_cleanup.ending import board_points
from rules.arctic_cleanup.evaluation import (
    PolicyState,
    compute_factory_value,
    ending_value,
    evaluate,
    factory_value_of,
    ship_goals,
    useless_token_value,
)
from rules.arctic_cleanup.model import HEX_INDEX, ArcticCleanUpView, PlayerBoard, Position
from rules.arctic_cleanup.sea_routes import SeaRoute, Voyage, missing_faces, voyages
from rules.model import Action, Seat
from rules.random_stream import RandomStream

_NEXT_TURN_WEIGHT: Final = 0.9
"""The weight of the value after the next turn; the value after this turn has the rest."""
_MAX_CARDS_EXPLORED: Final = 3
"""For this many cards, those of the highest value after this turn, the next turn is simulated too."""
_BAG_SHARE: Final = 0.3
"""The part of a token's value that counts when Analyze draws it."""
_MIN_SAILING_GAIN: Final = 0.01
"""Sailing must improve the value by more than this."""


class _SimulatedCard(NamedTuple):
    """What playing a card would do."""

    first_action: Action | None
    """Its first operation; None if it does nothing."""
    state: PolicyState
    """The state after all its operations."""


def choose(view: ArcticCleanUpView, actions: tuple[Action, ...], stream: RandomStream) -> Action:
    """Choose the next action; among equals one at random."""
    seat, position = view.viewer, view.position
    assert seat is not None
    if isinstance(actions[0], PlaceFactory | PlaceShip):
        return stream.choose_best(actions, [_setup_value(position, action) for action in actions])
    if position.drawn_tokens:
        values = [_token_placement_value(position, seat, action) for action in actions]
        return stream.choose_best(actions, values)
    choice = _choose_operation(position, seat, stream)
    return choice if choice in actions else stream.choose(actions)


def _choose_operation(position: Position, seat: Seat, stream: RandomStream) -> Action:
    played = position.played_card
    if played is None:
        return _choose_card(position, seat, stream)
    simulated_card = _simulate_card(
        _policy_state(position, seat), position, played.card, played.operations_left
    )
    return simulated_card.first_action or EndTurn()


def _policy_state(position: Position, seat: Seat) -> PolicyState:
    remaining_token_count = len(position.bag) + sum(map(len, position.ocean))
    return PolicyState(
        position.boards[seat], position.ocean, remaining_token_count, _best_points_of_others(position, seat)
    )


def _setup_value(position: Position, action: Action) -> float:
    """Return how many kinds of tokens a ship finds on its first tile, or a factory on its docks."""
    match action:
        case PlaceShip(place=place):
            return float(len(set(position.tokens_on(place))))
        case PlaceFactory(place=place):
            dock_tiles = docks(len(position.boards), place)
            return float(len({plastic for dock in dock_tiles for plastic in position.tokens_on(dock)}))
        case _:
            raise AssertionError(action)


def _token_placement_value(position: Position, seat: Seat, action: Action) -> float:
    assert isinstance(action, PlaceToken)
    return evaluate(_policy_state(turn.place_token(position, action), seat), len(position.boards))


# Cards -----------------------------------------------------------------------------------------------


def _choose_card(position: Position, seat: Seat, stream: RandomStream) -> Action:
    """Choose a card by the values after it and after the best card of the seat's next turn."""
    seat_count, state = len(position.boards), _policy_state(position, seat)
    is_last_round = position.last_round == position.round
    candidates: list[tuple[float, Action, PolicyState]] = []
    for card in state.board.columns:
        first_action, after = _simulate_card(state, position, card, state.board.strength(card))
        after = after._replace(board=_move_to_first_column(after.board, card))
        value = (
            board_points(after.board) + ending_value(after) if is_last_round else evaluate(after, seat_count)
        )
        candidates.append((value, first_action or PlayWithoutEffect(card), after))
    if is_last_round:
        return stream.choose_best(
            [action for _, action, _ in candidates], [value for value, _, _ in candidates]
        )
    candidates.sort(key=lambda each: -each[0])
    values = [
        (1 - _NEXT_TURN_WEIGHT) * value + _NEXT_TURN_WEIGHT * _value_after_next_turn(after, position, value)
        for value, _, after in candidates[:_MAX_CARDS_EXPLORED]
    ]
    return stream.choose_best([action for _, action, _ in candidates[:_MAX_CARDS_EXPLORED]], values)


def _value_after_next_turn(after: PolicyState, position: Position, min_value: float) -> float:
    """Return the value after the best card of one more turn, at least ``min_value``."""
    seat_count, best_value = len(position.boards), min_value
    for card in after.board.columns:
        simulated_card = _simulate_card(after, position, card, after.board.strength(card))
        if simulated_card.first_action is not None:
            best_value = max(best_value, evaluate(simulated_card.state, seat_count))
    return best_value


def _move_to_first_column(board: PlayerBoard, card: Card) -> PlayerBoard:
    return replace(board, columns=(card, *(each for each in board.columns if each is not card)))


def _best_points_of_others(position: Position, seat: Seat) -> int:
    others = (each for index, each in enumerate(position.boards) if index != seat and not each.resigned)
    return max(map(board_points, others), default=0)


def _simulate_card(
    state: PolicyState, position: Position, card: Card, operations_left: int
) -> _SimulatedCard:
    """Return the first operation of a card with so many operations left, and the state after all of them."""
    if not operations_left:
        return _SimulatedCard(None, state)
    seat_count = len(position.boards)
    match card:
        case Card.PLAN:
            return _simulate_plan(state, seat_count, operations_left)
        case Card.MOVE:
            return _simulate_move(state, seat_count, operations_left)
        case Card.LOAD:
            return _simulate_load(state, operations_left)
        case Card.ANALYZE:
            return _simulate_analyze(state, position, operations_left)
        case Card.UNLOAD:
            return _simulate_unload(state, operations_left)


# Plan ------------------------------------------------------------------------------------------------


def _simulate_plan(state: PolicyState, seat_count: int, operations_left: int) -> _SimulatedCard:
    """Give the ships the dice that the routes to their goals lack, then bring in spare ones."""
    first_action: Action | None = None
    for _ in range(operations_left):
        board = state.board
        routes = [goal.route for goal in ship_goals(state, seat_count, factory_value_of(board))]
        action = _choose_plan_action(state, seat_count, routes)
        if action is None:
            break
        first_action = first_action or action
        state = state._replace(board=turn.apply_plan_action(board, action))
    return _SimulatedCard(first_action, state)


def _choose_plan_action(
    state: PolicyState, seat_count: int, routes: list[SeaRoute | None]
) -> turn.PlanAction | None:
    board = state.board
    surplus_faces = [_surplus_faces(board.rows[ship - 1], routes[ship - 1]) for ship in SHIPS]
    for ship in SHIPS:
        route = routes[ship - 1]
        if route is None:
            continue
        for face in missing_faces(route, board.rows[ship - 1]):
            if (action := _action_for_missing_face(board, ship, face, surplus_faces)) is not None:
                return action
    if not board.spare_die_count:
        return None
    ship = min(SHIPS, key=lambda each: len(board.rows[each - 1]))
    place = board.ships[ship - 1]
    assert place is not None
    return BringDie(ship, next(face for face in FACES if (place, face) in SEA_STEPS[seat_count]))


def _action_for_missing_face(
    board: PlayerBoard, ship: int, face: int, surplus_faces: list[list[int]]
) -> turn.PlanAction | None:
    """Return the action that gives a ship a die with a face, or at least some die; None: there is none.

    ``surplus_faces``: for each ship the dice that its route does not need.
    """
    other_ship = 3 - ship
    own_surplus, other_surplus = surplus_faces[ship - 1], surplus_faces[other_ship - 1]
    if face in other_surplus:
        return ShiftDie(other_ship, face)
    if board.spare_die_count:
        return BringDie(ship, face)
    if own_surplus:
        return RotateDie(ship, own_surplus[0], face)
    if other_surplus:
        return ShiftDie(other_ship, other_surplus[0])
    return None


def _surplus_faces(row: tuple[int, ...], route: SeaRoute | None) -> list[int]:
    """Return the dice of a row that its ship's route does not need."""
    faces_left = list(row)
    for face in route.faces if route is not None else ():
        if face in faces_left:
            faces_left.remove(face)
    return faces_left


# Move ------------------------------------------------------------------------------------------------


def _simulate_move(state: PolicyState, seat_count: int, operations_left: int) -> _SimulatedCard:
    """Sail to where the value is highest, ship 1 first."""
    best_value, best_state = evaluate(state, seat_count) + _MIN_SAILING_GAIN, state
    first_action: Action | None = None
    for ship in SHIPS:
        place = best_state.board.ships[ship - 1]
        assert place is not None
        best_voyage: Voyage | None = None
        base_state = best_state
        for voyage in voyages(seat_count, place, base_state.board.rows[ship - 1], operations_left):
            after = base_state._replace(board=_apply_voyage(base_state.board, ship, voyage))
            value = evaluate(after, seat_count)
            if value > best_value:
                best_value, best_voyage, best_state = value, voyage, after
        if best_voyage is not None:
            first_action = first_action or SailShip(ship, best_voyage.first_face)
            operations_left -= best_voyage.step_count
    return _SimulatedCard(first_action, best_state)


def _apply_voyage(board: PlayerBoard, ship: int, voyage: Voyage) -> PlayerBoard:
    return replace(
        board,
        ships=with_ship_entry(board.ships, ship, voyage.end),
        rows=with_ship_entry(board.rows, ship, voyage.dice_left),
        spare_die_count=board.spare_die_count + voyage.step_count,
    )


# Load, Analyze, Unload -------------------------------------------------------------------------------


def _simulate_load(state: PolicyState, operations_left: int) -> _SimulatedCard:
    """Load the tokens that the factory gains most from."""
    first_action: Action | None = None
    for _ in range(operations_left):
        action = _choose_load(state)
        if action is None:
            break
        first_action = first_action or action
        state = _apply_load(state, action)
    return _SimulatedCard(first_action, state)


def _choose_load(state: PolicyState) -> LoadToken | None:
    """Return the load from which the factory gains most; None if no token is of value."""
    board = state.board
    gains = factory_value_of(board).gains
    best_value, best_action = 0.0, None
    for ship, place, aboard in zip(SHIPS, board.ships, board.cargo, strict=True):
        if place is None or len(aboard) == SHIP_CAPACITY:
            continue
        for plastic in state.ocean[HEX_INDEX[place]]:
            value = gains[plastic] or useless_token_value(state.remaining_token_count)
            cargo = with_ship_entry(board.cargo, ship, (*aboard, plastic))
            if value > best_value and not would_deadlock(board, cargo):
                best_value, best_action = value, LoadToken(ship, plastic)
    return best_action


def _apply_load(state: PolicyState, action: LoadToken) -> PolicyState:
    board = state.board
    place = board.ships[action.ship - 1]
    assert place is not None
    aboard = sort_tokens((*board.cargo[action.ship - 1], action.plastic))
    index = HEX_INDEX[place]
    tokens = remove_tokens(state.ocean[index], (action.plastic,))
    return state._replace(
        board=replace(board, cargo=with_ship_entry(board.cargo, action.ship, aboard)),
        ocean=(*state.ocean[:index], tokens, *state.ocean[index + 1 :]),
        remaining_token_count=state.remaining_token_count - 1,
    )


def _simulate_analyze(state: PolicyState, position: Position, operations_left: int) -> _SimulatedCard:
    """Draw as many tokens as the card allows, valued by the mean gain of the tokens in the bag."""
    count = min(operations_left, len(position.bag))
    if not count:
        return _SimulatedCard(None, state)
    board = state.board
    gains = factory_value_of(board).gains
    mean_gain = sum(gains[plastic] for plastic in position.bag) / len(position.bag)
    room = sum(SHIP_CAPACITY - len(aboard) for aboard in board.cargo)
    gain = _BAG_SHARE * mean_gain * min(count, room)
    return _SimulatedCard(Analyze(count), state._replace(drawn_value=state.drawn_value + gain))


def _simulate_unload(state: PolicyState, operations_left: int) -> _SimulatedCard:
    """Process the tokens of docked ships where they bring most."""
    board = state.board
    docked_ships = [ship for ship in SHIPS if is_docked(board, ship)]
    cargo: Tokens = tuple(plastic for ship in docked_ships for plastic in board.cargo[ship - 1])
    first_action: Action | None = None
    gained_die_count_before = board.gained_die_count
    for plastic, line in compute_factory_value(board.lines, cargo).unloads[:operations_left]:
        ship = next(ship for ship in docked_ships if plastic in board.cargo[ship - 1])
        first_action = first_action or UnloadToken(ship, plastic, line)
        board = replace(
            board,
            cargo=with_ship_entry(board.cargo, ship, remove_tokens(board.cargo[ship - 1], (plastic,))),
            lines=add_token_to_line(board, line, plastic),
        )
    if first_action is None:
        return _SimulatedCard(None, state)
    board = replace(
        board, spare_die_count=board.spare_die_count + board.gained_die_count - gained_die_count_before
    )
    return _SimulatedCard(first_action, state._replace(board=board))
