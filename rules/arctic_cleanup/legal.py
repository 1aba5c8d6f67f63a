"""What each seat may do."""

from collections.abc import Iterator

from rules.arctic_cleanup.actions import (
    BringDie,
    EndTurn,
    Idle,
    LoadToken,
    PlaceFactory,
    PlaceShip,
    PlaceToken,
    RotateDie,
    SailShip,
    Search,
    ShiftDie,
    UnloadToken,
)
from rules.arctic_cleanup.boards import is_docked, open_lines, step_from, with_entry, would_lock
from rules.arctic_cleanup.components import CAPACITY, FACES, MAPS, SHIPS, Card, docks
from rules.arctic_cleanup.model import ArcticCleanUpView, Phase, PlayerBoard, Position, RunningCard
from rules.game import Action, Seat


def legal_actions(view: ArcticCleanUpView) -> tuple[Action, ...]:
    """Return the viewer's legal actions."""
    if view.viewer is None or view.position.to_act != view.viewer:
        return ()
    return _actions_of(view.position, view.viewer)


def forced(view: ArcticCleanUpView) -> Action | None:
    """Return the only choice where it is one; the end of a turn is never chosen for its player.

    So a turn can be taken back until its player ends it.
    """
    seat = view.position.to_act
    if seat is None or seat < 0:
        return None
    actions = _actions_of(view.position, seat)
    return actions[0] if len(actions) == 1 and not isinstance(actions[0], EndTurn) else None


def _actions_of(position: Position, seat: Seat) -> tuple[Action, ...]:
    seats, board = len(position.boards), position.boards[seat]
    match position.phase:
        case Phase.FACTORY:
            taken = {each.factory for each in position.boards}
            return tuple(PlaceFactory(site) for site in MAPS[seats].sites if site not in taken)
        case Phase.SHIPS if board.factory is not None:
            return tuple(PlaceShip(place) for place in docks(seats, board.factory))
        case Phase.TURN if position.drawn:
            plastics = dict.fromkeys(position.drawn)
            return tuple(PlaceToken(plastic, ship) for plastic in plastics for ship in SHIPS)
        case Phase.TURN if position.running is not None:
            return (*card_operations(position, board, position.running), EndTurn())
        case Phase.TURN:
            cards = [RunningCard(card, board.strength(card)) for card in board.columns]
            operations = [action for card in cards for action in card_operations(position, board, card)]
            return (*operations, *(Idle(card) for card in board.columns))
        case _:
            return ()


def card_operations(position: Position, board: PlayerBoard, running: RunningCard) -> Iterator[Action]:
    """Yield what a player's card can do next; nothing once its strength is used up."""
    if running.used >= running.strength:
        return
    match running.card:
        case Card.PLAN:
            yield from _plan(board)
        case Card.MOVE:
            yield from _move(position, board)
        case Card.LOAD:
            yield from _load(position, board)
        case Card.ANALYZE if not running.used:
            yield from (Search(count) for count in range(1, min(running.strength, len(position.bag)) + 1))
        case Card.UNLOAD:
            yield from _unload(board)


def _plan(board: PlayerBoard) -> Iterator[Action]:
    for row, faces in enumerate(board.rows, 1):
        for face in dict.fromkeys(faces):
            yield from (RotateDie(row, face, to) for to in FACES if to != face)
            yield ShiftDie(row, face)
    if board.spare_dice:
        yield from (BringDie(row, face) for row in SHIPS for face in FACES)


def _move(position: Position, board: PlayerBoard) -> Iterator[Action]:
    for ship, (place, faces) in enumerate(zip(board.ships, board.rows, strict=True), 1):
        if place is None:
            continue
        for face in dict.fromkeys(faces):
            if step_from(position, place, face) is not None:
                yield SailShip(ship, face)


def _load(position: Position, board: PlayerBoard) -> Iterator[Action]:
    for ship, (place, aboard) in enumerate(zip(board.ships, board.cargo, strict=True), 1):
        if place is None or len(aboard) == CAPACITY:
            continue
        for plastic in dict.fromkeys(position.tokens_on(place)):
            if not would_lock(board, with_entry(board.cargo, ship, (*aboard, plastic))):
                yield LoadToken(ship, plastic)


def _unload(board: PlayerBoard) -> Iterator[Action]:
    for ship, aboard in enumerate(board.cargo, 1):
        if not is_docked(board, ship):
            continue
        for plastic in dict.fromkeys(aboard):
            yield from (UnloadToken(ship, plastic, line) for line in open_lines(board, plastic))
