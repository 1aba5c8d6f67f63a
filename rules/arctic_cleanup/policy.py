"""The policy of Arctic CleanUp: play the card that leaves the best outlook, one more turn ahead.

What each card does in a turn is chosen by what its operations are for: dice for the ships' errands, ways to
the best tiles, the tokens that the factory's lines need.
"""

from typing import Final, NamedTuple

from msgspec.structs import replace

from rules.arctic_cleanup import turn
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
from rules.arctic_cleanup.boards import (
    Tokens,
    in_order,
    is_docked,
    next_line,
    with_entry,
    without,
    would_lock,
)
from rules.arctic_cleanup.components import (
    CAPACITY,
    FACES,
    MAPS,
    PROCESSED_TO_END,
    SHIPS,
    Card,
    docks,
    neighbour,
)
from rules.arctic_cleanup.ending import points_of
from rules.arctic_cleanup.model import HEX_INDEX, ArcticCleanUpView, PlayerBoard, Position
from rules.arctic_cleanup.outlook import (
    Outlook,
    appraise,
    errands,
    outlook_value,
    useless_value,
)
from rules.arctic_cleanup.sea_routes import SeaRoute, Voyage, missing_faces, voyages
from rules.game import Action, Seat
from rules.stream import Stream

_NEXT_TURN: Final = 0.9
"""The weight of the outlook after the next turn; the rest is that after this turn."""
_CARDS_AHEAD: Final = 3
"""So many cards are followed into the next turn."""
_BAG: Final = 0.3
"""The part of a token's value that counts when it comes from the bag."""
_ENOUGH: Final = 0.01
"""Sailing must improve the outlook by more than this."""
_WON: Final = 100.0
"""The value of ending the game as its winner."""
_PLANS: Final = (RotateDie, ShiftDie, BringDie)


class _Played(NamedTuple):
    """What playing a card does."""

    first: Action | None
    outlook: Outlook


def choose(view: ArcticCleanUpView, actions: tuple[Action, ...], stream: Stream) -> Action:
    """Choose the next action; among equals one at random."""
    seat, position = view.viewer, view.position
    assert seat is not None
    if isinstance(actions[0], PlaceFactory | PlaceShip):
        return _best(actions, [_placing_value(position, action) for action in actions], stream)
    if position.drawn:
        return _best(actions, [_dropping_value(position, seat, action) for action in actions], stream)
    wanted = _choose_operation(position, seat, stream)
    return wanted if wanted in actions else stream.choose(actions)


def _choose_operation(position: Position, seat: Seat, stream: Stream) -> Action:
    running = position.running
    if running is None:
        return _choose_card(position, seat, stream)
    left = running.strength - running.used
    return _play(_outlook(position, seat), position, running.card, left).first or EndTurn()


def _best(actions: tuple[Action, ...], values: list[float], stream: Stream) -> Action:
    best = max(values)
    return stream.choose([action for action, value in zip(actions, values, strict=True) if value == best])


def _outlook(position: Position, seat: Seat) -> Outlook:
    left = len(position.bag) + sum(map(len, position.ocean))
    return Outlook(position.boards[seat], position.ocean, left)


def _placing_value(position: Position, action: Action) -> float:
    """Return how many kinds of tokens lie on or around a place."""
    match action:
        case PlaceShip(place=place):
            return float(len(set(position.tokens_on(place))))
        case PlaceFactory(place=place):
            around = docks(len(position.boards), place)
            return float(len({plastic for dock in around for plastic in position.tokens_on(dock)}))
        case _:
            raise AssertionError(action)


def _dropping_value(position: Position, seat: Seat, action: Action) -> float:
    assert isinstance(action, PlaceToken)
    return outlook_value(_outlook(turn.place_token(position, action), seat), len(position.boards))


# Cards -----------------------------------------------------------------------------------------------


def _choose_card(position: Position, seat: Seat, stream: Stream) -> Action:
    """Choose a card by the outlook after it and after the best card of the next turn."""
    seats, now = len(position.boards), _outlook(position, seat)
    last = position.last_round == position.round
    options: list[tuple[float, Action, Outlook]] = []
    for card in now.board.columns:
        first, after = _play(now, position, card, now.board.strength(card))
        after = after._replace(board=_slid(after.board, card))
        value = float(points_of(after.board)) if last else outlook_value(after, seats)
        if card is Card.UNLOAD and first is not None and after.board.processed >= PROCESSED_TO_END:
            value += _WON if points_of(after.board) >= _best_other(position, seat) else -_WON
        options.append((value, first or Idle(card), after))
    if last:
        return _best(tuple(action for _, action, _ in options), [value for value, _, _ in options], stream)
    options.sort(key=lambda each: -each[0])
    values = [
        (1 - _NEXT_TURN) * value + _NEXT_TURN * _next_value(after, position, value)
        for value, _, after in options[:_CARDS_AHEAD]
    ]
    return _best(tuple(action for _, action, _ in options[:_CARDS_AHEAD]), values, stream)


def _next_value(after: Outlook, position: Position, least: float) -> float:
    """Return the best outlook after one more turn."""
    seats, best = len(position.boards), least
    for card in after.board.columns:
        played = _play(after, position, card, after.board.strength(card))
        if played.first is not None:
            best = max(best, outlook_value(played.outlook, seats))
    return best


def _slid(board: PlayerBoard, card: Card) -> PlayerBoard:
    return replace(board, columns=(card, *(each for each in board.columns if each is not card)))


def _best_other(position: Position, seat: Seat) -> int:
    others = (each for index, each in enumerate(position.boards) if index != seat and not each.resigned)
    return max(map(points_of, others), default=0)


def _play(outlook: Outlook, position: Position, card: Card, left: int) -> _Played:
    """Return the first operation of a card with so many left, and the outlook after all of them."""
    if not left:
        return _Played(None, outlook)
    seats = len(position.boards)
    match card:
        case Card.PLAN:
            return _plan(outlook, seats, left)
        case Card.MOVE:
            return _move(outlook, seats, left)
        case Card.LOAD:
            return _load(outlook, left)
        case Card.ANALYZE:
            return _analyze(outlook, position, left)
        case Card.UNLOAD:
            return _unload(outlook, left)


# Plan ------------------------------------------------------------------------------------------------


def _plan(outlook: Outlook, seats: int, left: int) -> _Played:
    """Bring the dice that the ships' errands lack: spare ones, or ones that no errand needs."""
    first: Action | None = None
    for _ in range(left):
        board = outlook.board
        appraisal = appraise(board.lines, (*board.cargo[0], *board.cargo[1]))
        action = _next_plan(outlook, seats, [each.route for each in errands(outlook, seats, appraisal)])
        if action is None:
            break
        first = first or action
        outlook = outlook._replace(board=_planned(board, action))
    return _Played(first, outlook)


def _next_plan(outlook: Outlook, seats: int, routes: list[SeaRoute | None]) -> Action | None:
    board = outlook.board
    spare = [_surplus(board.rows[ship - 1], routes[ship - 1]) for ship in SHIPS]
    for ship in SHIPS:
        route = routes[ship - 1]
        if route is None:
            continue
        for face in missing_faces(route, board.rows[ship - 1]):
            if (action := _bring(board, ship, face, spare)) is not None:
                return action
    if not board.spare_dice:
        return None
    ship = min(SHIPS, key=lambda each: len(board.rows[each - 1]))
    place = board.ships[ship - 1]
    assert place is not None
    ocean = MAPS[seats].ocean
    return BringDie(ship, next(face for face in FACES if neighbour(place, face) in ocean))


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


def _planned(board: PlayerBoard, action: Action) -> PlayerBoard:
    assert isinstance(action, _PLANS)
    rows = [list(row) for row in board.rows]
    match action:
        case RotateDie(row=row, face=face, to=to):
            rows[row - 1].remove(face)
            rows[row - 1].append(to)
        case ShiftDie(row=row, face=face):
            rows[row - 1].remove(face)
            rows[2 - row].append(face)
        case BringDie(row=row, face=face):
            rows[row - 1].append(face)
    spare = board.spare_dice - isinstance(action, BringDie)
    return replace(board, rows=tuple(tuple(sorted(row)) for row in rows), spare_dice=spare)


# Move ------------------------------------------------------------------------------------------------


def _move(outlook: Outlook, seats: int, left: int) -> _Played:
    """Sail to where the outlook is best, ship 1 first."""
    best, sailed = outlook_value(outlook, seats) + _ENOUGH, outlook
    first: Action | None = None
    for ship in SHIPS:
        place = sailed.board.ships[ship - 1]
        assert place is not None
        chosen: Voyage | None = None
        start = sailed
        for voyage in voyages(seats, place, start.board.rows[ship - 1], left):
            after = start._replace(board=_sailed(start.board, ship, voyage))
            value = outlook_value(after, seats)
            if value > best:
                best, chosen, sailed = value, voyage, after
        if chosen is not None:
            first = first or SailShip(ship, chosen.first)
            left -= chosen.steps
    return _Played(first, sailed)


def _sailed(board: PlayerBoard, ship: int, voyage: Voyage) -> PlayerBoard:
    return replace(
        board,
        ships=with_entry(board.ships, ship, voyage.end),
        rows=with_entry(board.rows, ship, voyage.row),
        spare_dice=board.spare_dice + voyage.steps,
    )


# Load, Analyze, Unload -------------------------------------------------------------------------------


def _load(outlook: Outlook, left: int) -> _Played:
    """Load the tokens that the factory gains most from."""
    first: Action | None = None
    for _ in range(left):
        board = outlook.board
        gains = appraise(board.lines, (*board.cargo[0], *board.cargo[1])).gains
        best, best_action = 0.0, None
        for ship in SHIPS:
            place, aboard = board.ships[ship - 1], board.cargo[ship - 1]
            if place is None or len(aboard) == CAPACITY:
                continue
            for plastic in outlook.ocean[HEX_INDEX[place]]:
                value = gains[plastic] or useless_value(outlook.left)
                if value > best and not would_lock(board, with_entry(board.cargo, ship, (*aboard, plastic))):
                    best, best_action = value, LoadToken(ship, plastic)
        if best_action is None:
            break
        first = first or best_action
        outlook = _loaded(outlook, best_action)
    return _Played(first, outlook)


def _loaded(outlook: Outlook, action: LoadToken) -> Outlook:
    board = outlook.board
    place = board.ships[action.ship - 1]
    assert place is not None
    aboard = in_order((*board.cargo[action.ship - 1], action.plastic))
    index = HEX_INDEX[place]
    tokens = without(outlook.ocean[index], (action.plastic,))
    return outlook._replace(
        board=replace(board, cargo=with_entry(board.cargo, action.ship, aboard)),
        ocean=(*outlook.ocean[:index], tokens, *outlook.ocean[index + 1 :]),
        left=outlook.left - 1,
    )


def _analyze(outlook: Outlook, position: Position, left: int) -> _Played:
    """Draw as many tokens as the card allows; chance decides which, so they only count."""
    running = position.running
    count = min(left, len(position.bag))
    if not count or (running is not None and running.used):
        return _Played(None, outlook)
    board = outlook.board
    gains = appraise(board.lines, (*board.cargo[0], *board.cargo[1])).gains
    mean = sum(gains[plastic] for plastic in position.bag) / len(position.bag)
    room = sum(CAPACITY - len(aboard) for aboard in board.cargo)
    hoped = _BAG * mean * min(count, room)
    return _Played(Search(count), outlook._replace(hoped=outlook.hoped + hoped))


def _unload(outlook: Outlook, left: int) -> _Played:
    """Process the tokens of docked ships where they bring most."""
    board = outlook.board
    docked = [ship for ship in SHIPS if is_docked(board, ship)]
    cargo: Tokens = tuple(plastic for ship in docked for plastic in board.cargo[ship - 1])
    first: Action | None = None
    dice = board.gained_dice
    for plastic, line in appraise(board.lines, cargo).first[:left]:
        ship = next(ship for ship in docked if plastic in board.cargo[ship - 1])
        first = first or UnloadToken(ship, plastic, line)
        board = replace(
            board,
            cargo=with_entry(board.cargo, ship, without(board.cargo[ship - 1], (plastic,))),
            lines=next_line(board, line, plastic),
        )
    if first is None:
        return _Played(None, outlook)
    board = replace(board, spare_dice=board.spare_dice + board.gained_dice - dice)
    return _Played(first, outlook._replace(board=board))
