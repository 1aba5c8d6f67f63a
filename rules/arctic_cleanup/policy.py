"""The policy of Arctic CleanUp: play the card that brings the factory's next tokens nearest.

A position is valued by what is processed and aboard, and by the best errand of each ship: tiles with tokens
that the factory takes, or a dock.  Of each card the operations are chosen one by one, and the card with the
best position after them is played.
"""

from typing import Final

from msgspec.structs import replace

from rules.arctic_cleanup import turn
from rules.arctic_cleanup.actions import (
    BringDie,
    EndTurn,
    Idle,
    PlaceFactory,
    PlaceShip,
    PlaceToken,
    RotateDie,
    Search,
    ShiftDie,
)
from rules.arctic_cleanup.boards import is_docked, next_line, open_lines, step_from, with_entry
from rules.arctic_cleanup.components import (
    BLOCKS,
    CAPACITY,
    LINES,
    PLASTICS,
    SHIPS,
    Block,
    Card,
    Hex,
    Plastic,
    docks,
)
from rules.arctic_cleanup.legal import card_operations
from rules.arctic_cleanup.model import ArcticCleanUpView, PlayerBoard, Position, RunningCard
from rules.arctic_cleanup.sea_routes import SeaRoute, missing_faces, sea_routes
from rules.game import Action, Seat
from rules.stream import Stream

_DIE_BLOCK: Final = 7.0
"""The value of a die: five points and what it moves."""
_OPENING: Final = 8.0
"""The value of open hatched lines."""
_FLIP: Final = 2.5
_ABOARD: Final = 0.55
"""The part of a token's value that counts once it is aboard."""
_USELESS: Final = 0.6
"""The value of a token aboard that no line takes."""
_STEP: Final = 0.93
"""What an errand keeps of its value for each step that its dice can make."""
_CHANGE: Final = 0.86
"""What it keeps for each die that must be planned first."""
_DIE: Final = 0.06
"""The value of each planned die."""
_BAG: Final = 0.35
"""The value of each token that Analyze brings."""
_ENOUGH: Final = 0.02
"""An operation must improve the position by more than this."""
_COLUMN: Final = 0.05


def choose(view: ArcticCleanUpView, actions: tuple[Action, ...], stream: Stream) -> Action:
    """Choose the next action; among equals one at random."""
    seat, position = view.viewer, view.position
    assert seat is not None
    if isinstance(actions[0], PlaceFactory | PlaceShip):
        return _best(actions, [_placing_value(position, action) for action in actions], stream)
    if position.drawn:
        after = [turn.place_token(position, action) for action in actions if isinstance(action, PlaceToken)]
        return _best(actions, [_value(each, seat) for each in after], stream)
    wanted: Action
    if position.running is not None:
        wanted = _next_operation(position, seat, position.running) or EndTurn()
    else:
        wanted = _play_card(position, seat, stream)
    return wanted if wanted in actions else _best(actions, _values(position, seat, actions), stream)


def _best(actions: tuple[Action, ...], values: list[float], stream: Stream) -> Action:
    best = max(values)
    return stream.choose([action for action, value in zip(actions, values, strict=True) if value == best])


def _values(position: Position, seat: Seat, actions: tuple[Action, ...]) -> list[float]:
    """Return the value of the position after each operation; of the present one for others."""
    now = _value(position, seat)
    return [
        _value(turn.operate(position, action), seat)
        if isinstance(action, turn.OPERATIONS) and not isinstance(action, Search)
        else now
        for action in actions
    ]


def _placing_value(position: Position, action: Action) -> float:
    """Return how many tokens lie on or around a place."""
    match action:
        case PlaceShip(place=place):
            return float(len(set(position.tokens_on(place))))
        case PlaceFactory(place=place):
            around = docks(len(position.boards), place)
            return float(len({plastic for dock in around for plastic in position.tokens_on(dock)}))
        case _:
            raise AssertionError(action)


# Cards -----------------------------------------------------------------------------------------------


def _play_card(position: Position, seat: Seat, stream: Stream) -> Action:
    """Play the card after whose operations the position is best; without a use, the one in column 1."""
    board = position.boards[seat]
    choices: list[Action] = []
    values: list[float] = []
    for column, card in enumerate(board.columns):
        first, after = _rollout(position, seat, card)
        choices.append(first or Idle(card))
        values.append(_value(after, seat) - _COLUMN * column * (first is None))
    return _best(tuple(choices), values, stream)


def _rollout(position: Position, seat: Seat, card: Card) -> tuple[Action | None, Position]:
    """Return the first operation of a card, and the position after all that improve it."""
    running = RunningCard(card, position.boards[seat].strength(card))
    first: Action | None = None
    while (action := _next_operation(position, seat, running)) is not None:
        first = first or action
        if isinstance(action, Search):
            return first, _after_search(position, seat, action)
        position = _apply(position, running, action)
        running = replace(running, used=running.used + 1)
    return first, replace(position, running=None)


def _apply(position: Position, running: RunningCard, action: Action) -> Position:
    assert isinstance(action, turn.OPERATIONS)
    return turn.operate(replace(position, running=running), action)


def _next_operation(position: Position, seat: Seat, running: RunningCard) -> Action | None:
    """Return the best next operation of a card; None if none improves the position."""
    if running.used >= running.strength:
        return None
    board = position.boards[seat]
    if running.card is Card.PLAN:
        return _plan(position, seat)
    if running.card is Card.ANALYZE:
        count = 0 if running.used else min(running.strength, len(position.bag))
        return Search(count) if count else None
    best, best_value = None, _value(position, seat) + _ENOUGH
    for action in card_operations(position, board, running):
        value = _value(_apply(position, running, action), seat)
        if value > best_value:
            best, best_value = action, value
    return best


def _after_search(position: Position, seat: Seat, action: Search) -> Position:
    """Return the position as if the drawn tokens had come: chance decides which, so they only count."""
    board = position.boards[seat]
    room = sum(CAPACITY - len(aboard) for aboard in board.cargo)
    scarce = 1.0 if _tokens_near(position, board) < room else 0.3
    gain = round(action.count * _BAG * scarce * 100)
    return replace(position, quiet_rounds=position.quiet_rounds - gain)


def _tokens_near(position: Position, board: PlayerBoard) -> int:
    """Return how many tokens that the factory takes lie in the ocean."""
    return sum(bool(open_lines(board, plastic)) for tokens in position.ocean for plastic in tokens)


# Plan ------------------------------------------------------------------------------------------------


def _plan(position: Position, seat: Seat) -> Action | None:
    """Bring the die that the best errand of a ship lacks: a spare one, or one that no errand needs."""
    board = position.boards[seat]
    errands = [_errand(position, board, ship) for ship in SHIPS]
    spare = [_surplus(board.rows[ship - 1], errand[1]) for ship, errand in zip(SHIPS, errands, strict=True)]
    order = sorted(SHIPS, key=lambda ship: -errands[ship - 1][0])
    for ship in order:
        route = errands[ship - 1][1]
        if route is None:
            continue
        for face in missing_faces(route, board.rows[ship - 1]):
            return _bring(board, ship, face, spare)
    if board.spare_dice:
        return BringDie(order[0], _common_face(position, board, order[0]))
    return None


def _bring(board: PlayerBoard, ship: int, face: int, spare: list[list[int]]) -> Action | None:
    other = 3 - ship
    if face in spare[other - 1]:
        return ShiftDie(other, face)
    if board.spare_dice:
        return BringDie(ship, face)
    if spare[ship - 1]:
        return RotateDie(ship, spare[ship - 1][0], face)
    if spare[other - 1]:
        return ShiftDie(other, spare[other - 1][0])
    return None


def _surplus(row: tuple[int, ...], route: SeaRoute | None) -> list[int]:
    """Return the dice of a row that its errand does not need."""
    left = list(row)
    for face in route.faces if route is not None else ():
        if face in left:
            left.remove(face)
    return left


def _common_face(position: Position, board: PlayerBoard, ship: int) -> int:
    """Return a face with which a ship can sail from where it is."""
    place = board.ships[ship - 1]
    assert place is not None
    return next(face for face in range(1, 7) if step_from(position, place, face) is not None)


# The value of a position -----------------------------------------------------------------------------


def _value(position: Position, seat: Seat) -> float:
    """Return how good a position is for a seat, in points."""
    board = position.boards[seat]
    gains = {plastic: _gain(board, plastic) for plastic in Plastic}
    value = _factory_value(board) + _DIE * sum(map(len, board.rows))
    for aboard in board.cargo:
        value += sum(_ABOARD * gains[plastic] or _USELESS for plastic in aboard)
    value += sum(_errand(position, board, ship, gains)[0] for ship in SHIPS)
    return value - position.quiet_rounds / 100


def _factory_value(board: PlayerBoard) -> float:
    value = float(sum(PLASTICS[plastic].points for line in board.lines for plastic in line))
    for block, lines in BLOCKS.items():
        filled = [max(0, min(2, len(board.line(line)) - end + 2)) / 2 for line, end in lines]
        worth = _OPENING if block is Block.U else _DIE_BLOCK
        value += worth * (sum(filled) / 2) ** 1.5
    for line, facts in LINES.items():
        if facts.flips is not None:
            value += _FLIP * (len(board.line(line)) / facts.slots) ** 2
    return value


def _gain(board: PlayerBoard, plastic: Plastic) -> float:
    """Return what processing one token on its best line brings; 0 if no line takes it."""
    before = _factory_value(board)
    return max(
        (
            _factory_value(replace(board, lines=next_line(board, line, plastic))) - before
            for line in open_lines(board, plastic)
        ),
        default=0.0,
    )


def _errand(
    position: Position, board: PlayerBoard, ship: int, gains: dict[Plastic, float] | None = None
) -> tuple[float, SeaRoute | None]:
    """Return the value of a ship's best errand, and its route."""
    place = board.ships[ship - 1]
    if place is None:
        return 0.0, None
    if gains is None:
        gains = {plastic: _gain(board, plastic) for plastic in Plastic}
    row = board.rows[ship - 1]
    best: tuple[float, SeaRoute | None] = (0.0, None)
    for target, routes in sea_routes(len(position.boards))[place].items():
        worth = _worth(position, board, ship, target, gains)
        if worth <= best[0]:
            continue
        for route in routes:
            changes = len(missing_faces(route, row))
            value = worth * _STEP ** len(route.faces) * _CHANGE**changes
            if value > best[0]:
                best = (value, route)
    return best


def _worth(
    position: Position, board: PlayerBoard, ship: int, target: Hex, gains: dict[Plastic, float]
) -> float:
    """Return what a ship can do on a tile: unload there, or load."""
    aboard = board.cargo[ship - 1]
    worth = 0.0
    there = replace(board, ships=with_entry(board.ships, ship, target))
    if is_docked(there, ship):
        worth += 0.8 * (1 - _ABOARD) * sum(gains[plastic] for plastic in aboard)
    room = CAPACITY - len(aboard)
    if room:
        tokens = sorted(
            (_ABOARD * gains[each] or _USELESS / 2 for each in position.tokens_on(target)), reverse=True
        )
        worth += 0.8 * sum(tokens[:room])
    return worth
