"""The legal actions of each seat.

Most action objects are created once and reused: a turn begins with some fifty of them.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

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
    free_sites,
    is_docked,
    lines_accepting,
    with_ship_entry,
    would_deadlock,
)
from rules.arctic_cleanup.components import (
    FACES,
    ROWS,
    SEA_STEPS,
    SHIP_CAPACITY,
    SHIPS,
    Card,
    FactoryLine,
    Hex,
    Plastic,
    docks,
)
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase, PlayerBoard, Position
from rules.model import Action, Seat

_END_TURN: Final = EndTurn()
_DIE_CHANGES: Final = {
    (row, face): (*(RotateDie(row, face, to) for to in FACES if to != face), ShiftDie(row, face))
    for row in ROWS
    for face in FACES
}
_NEW_DIE_ACTIONS: Final = tuple(BringDie(row, face) for row in ROWS for face in FACES)
_PLAYS_WITHOUT_EFFECT: Final = {card: PlayWithoutEffect(card) for card in Card}


def legal_actions(view: ArcticCleanUpView) -> tuple[Action, ...]:
    """Return the viewer's legal actions."""
    if view.viewer is None or view.position.to_act != view.viewer:
        return ()
    return _actions_of(view.position, view.viewer)


def can_only_end_turn(position: Position) -> bool:
    """Whether nothing is legal but to end the turn."""
    seat = position.to_act
    return seat is not None and _actions_of(position, seat) == (_END_TURN,)


def count_unload_actions(board: PlayerBoard) -> int:
    """Return how many ways a board has to process one token."""
    return sum(1 for _ in _unload_actions(board))


def can_load_on_both_ships(position: Position, board: PlayerBoard) -> bool:
    """Whether each of the two ships may take a token aboard."""
    return {action.ship for action in _load_actions(position, board)} == set(SHIPS)


def ships_that_can_load(position: Position, board: PlayerBoard, plastic: Plastic) -> tuple[int, ...]:
    """Return the ships that may take a token of a plastic aboard."""
    return tuple(action.ship for action in _load_actions(position, board) if action.plastic is plastic)


def cards_without_effect(position: Position) -> tuple[Card, ...]:
    """Return the cards that the seat to act can only play without effect."""
    if position.to_act is None or position.to_act < 0:
        return ()
    board = position.boards[position.to_act]
    return tuple(card for card in board.columns if not _operations(position, board, card))


def forced_action(view: ArcticCleanUpView) -> Action | None:
    """Return the placement of a factory on the last free site; None: no choice is forced.

    The end of a turn is never forced, even as the only legal action: until then operations can be undone.
    """
    position, seat = view.position, view.position.to_act
    if seat is None or position.phase is not Phase.FACTORY:
        return None
    actions = _actions_of(position, seat)
    return actions[0] if len(actions) == 1 else None


def _actions_of(position: Position, seat: Seat) -> tuple[Action, ...]:
    seat_count, board = len(position.boards), position.boards[seat]
    match position.phase:
        case Phase.TURN if position.played_card is not None:
            if position.drawn_tokens:
                return tuple(
                    PlaceToken(plastic, ship)
                    for plastic in _distinct_plastics(position.drawn_tokens)
                    for ship in SHIPS
                )
            played = position.played_card
            if not played.operations_left:
                return (_END_TURN,)
            return (*_operations(position, board, played.card, played.operations_left), _END_TURN)
        case Phase.TURN:
            actions: list[Action] = []
            for card in board.columns:
                actions += _operations(position, board, card)
            return (*actions, *(_PLAYS_WITHOUT_EFFECT[card] for card in board.columns))
        case Phase.FACTORY:
            return tuple(map(PlaceFactory, free_sites(position)))
        case Phase.SHIPS if board.factory is not None:
            return tuple(PlaceShip(place) for place in docks(seat_count, board.factory))
        case _:
            return ()


def _operations(
    position: Position, board: PlayerBoard, card: Card, operations_left: int | None = None
) -> tuple[Action, ...]:
    """Return a card's legal operations; ``operations_left`` is None if it has not been played yet."""
    match card:
        case Card.PLAN:
            return _plan_actions(board.rows, has_spare_die=board.spare_die_count > 0)
        case Card.MOVE:
            return _move_actions(len(position.boards), board.ships, board.rows)
        case Card.LOAD:
            return tuple(_load_actions(position, board))
        case Card.ANALYZE:
            max_count = board.strength(card) if operations_left is None else operations_left
            return _analyze_actions(min(max_count, len(position.bag)))
        case Card.UNLOAD:
            return tuple(_unload_actions(board))


@lru_cache(maxsize=4096)
def _plan_actions(rows: tuple[tuple[int, ...], ...], *, has_spare_die: bool) -> tuple[Action, ...]:
    changes = (
        change
        for row, faces in enumerate(rows, 1)
        for face in dict.fromkeys(faces)
        for change in _DIE_CHANGES[row, face]
    )
    return (*changes, *(_NEW_DIE_ACTIONS if has_spare_die else ()))


@lru_cache(maxsize=4096)
def _move_actions(
    seat_count: int, ship_places: tuple[Hex | None, ...], rows: tuple[tuple[int, ...], ...]
) -> tuple[Action, ...]:
    return tuple(
        SailShip(ship, face)
        for ship, place, faces in zip(SHIPS, ship_places, rows, strict=True)
        for face in dict.fromkeys(faces)
        if (place, face) in SEA_STEPS[seat_count]
    )


@cache
def _analyze_actions(max_count: int) -> tuple[Action, ...]:
    return tuple(Analyze(count) for count in range(1, max_count + 1))


def _distinct_plastics(tokens: Tokens) -> Iterator[Plastic]:
    """Yield each kind of plastic once; ``tokens`` are sorted."""
    previous = None
    for plastic in tokens:
        if plastic is not previous:
            yield plastic
            previous = plastic


def _load_actions(position: Position, board: PlayerBoard) -> Iterator[LoadToken]:
    takes_last_space = sum(map(len, board.cargo)) == len(SHIPS) * SHIP_CAPACITY - 1
    for ship, place, aboard in zip(SHIPS, board.ships, board.cargo, strict=True):
        if place is None or len(aboard) == SHIP_CAPACITY:
            continue
        for plastic in _distinct_plastics(position.tokens_on(place)):
            if not takes_last_space or not would_deadlock(
                board, with_ship_entry(board.cargo, ship, (*aboard, plastic))
            ):
                yield _load_action(ship, plastic)


@cache
def _load_action(ship: int, plastic: Plastic) -> LoadToken:
    return LoadToken(ship, plastic)


def _unload_actions(board: PlayerBoard) -> Iterator[Action]:
    for ship, aboard in zip(SHIPS, board.cargo, strict=True):
        if aboard and is_docked(board, ship):
            for plastic in _distinct_plastics(aboard):
                for line in lines_accepting(board, plastic):
                    yield _unload_action(ship, plastic, line)


@cache
def _unload_action(ship: int, plastic: Plastic, line: FactoryLine) -> Action:
    return UnloadToken(ship, plastic, line)
