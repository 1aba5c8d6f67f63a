"""The features of a step of a game: which rules it uses, for the coverage of the rules by games."""

from collections.abc import Iterator
from typing import Final

from rules.arctic_cleanup.actions import (
    Analyze,
    EndTurn,
    LoadToken,
    PlaceShip,
    PlaceToken,
    PlayWithoutEffect,
    SailShip,
    UnloadToken,
)
from rules.arctic_cleanup.boards import would_deadlock
from rules.arctic_cleanup.components import (
    FACES,
    LINES,
    SHIP_CAPACITY,
    SHIPS,
    TOKENS_TO_END,
    Block,
    Card,
    FactoryLine,
    Plastic,
)
from rules.arctic_cleanup.ending import returns
from rules.arctic_cleanup.events import (
    BlockFilled,
    CardFlipped,
    DieBrought,
    DieRotated,
    DieShifted,
    EndReason,
    LastRoundSet,
    QuietEndNear,
    ShipSailed,
    TokenLoaded,
    TokensDrawn,
    TokenUnloaded,
)
from rules.arctic_cleanup.model import Phase, Position
from rules.model import CHANCE
from tests.rules.whole_games import Transition

FEATURES: Final = frozenset(
    {
        "both ships start on one dock",
        *(f"{card.value} without effect" for card in Card),
        *(f"{card.value} upgraded" for card in Card),
        *(f"{card.value} used when upgraded" for card in Card),
        *(f"{card.value} beyond its column" for card in Card),
        *(f"fill {block.value}" for block in Block),
        *(f"process on {line.value}" for line in FactoryLine),
        *(f"load {plastic.value}" for plastic in Plastic),
        *(f"sail {face}" for face in FACES),
        "rotate a die",
        "shift a die",
        "bring in a die",
        "bring in a gained die",
        "a row is empty",
        "a row has more than five dice",
        "both ships move in one turn",
        "a card stops early",
        "load beside another's ship",
        "a deadlock forbids a token",
        "a ship is full",
        "draw by chance",
        "draw the whole bag",
        "drawn tokens go to both tiles",
        "drawn tokens go to the one tile",
        "the bag is empty",
        "hatched lines open and are used in one turn",
        "two lines of one plastic",
        "unload from both ships in one turn",
        "the ocean is clean",
        "players are warned after a quiet round",
        *(f"end by {reason.value}" for reason in EndReason),
        "16 after a clean ocean",
        "more than 16",
        "who ends the game does not win",
        "shared victory",
        "tokens aboard score",
        "gained dice score",
    }
)
"""All rules that are looked for, each in a few words."""


def features_of(transition: Transition) -> Iterator[str]:
    """Yield the rules that a step uses, as in ``FEATURES``."""
    before, action, after = transition.before, transition.action, transition.after
    match action:
        case PlaceShip() if transition.actor != CHANCE:
            ships = after.boards[transition.actor].ships
            if ships[0] is ships[1]:
                yield "both ships start on one dock"
        case PlayWithoutEffect(card=card):
            yield f"{card.value} without effect"
        case SailShip(face=face):
            yield f"sail {face}"
        case LoadToken() | UnloadToken():
            yield from _transfer_features(transition)
        case PlaceToken():
            yield "drawn tokens go to both tiles"
        case Analyze() if after.phase is Phase.DRAW:
            yield "draw by chance"
        case EndTurn():
            yield from _end_turn_features(before)
    yield from _event_features(transition)
    yield from _strength_features(transition)
    if transition.actor != CHANCE:
        yield from _state_features(transition)
        yield from _same_turn_features(transition)
    if after.phase is Phase.OVER:
        yield from _result_features(after)


def _transfer_features(transition: Transition) -> Iterator[str]:
    action, board = transition.action, transition.after.boards[transition.actor]
    match action:
        case LoadToken(ship=ship):
            place = board.ships[ship - 1]
            others = (each for seat, each in enumerate(transition.after.boards) if seat != transition.actor)
            if any(place in each.ships for each in others):
                yield "load beside another's ship"
            if len(board.cargo[ship - 1]) == SHIP_CAPACITY:
                yield "a ship is full"
        case UnloadToken(plastic=plastic):
            if sum(plastic in line for line in board.lines) > 1:
                yield "two lines of one plastic"


def _end_turn_features(before: Position) -> Iterator[str]:
    assert before.played_card is not None
    if (
        before.played_card.operation_count < before.played_card.strength
        and before.played_card.card is not Card.ANALYZE
    ):
        yield "a card stops early"


def _event_features(transition: Transition) -> Iterator[str]:
    before, after = transition.before, transition.after
    for event in after.trail:
        match event:
            case DieRotated():
                yield "rotate a die"
            case DieShifted():
                yield "shift a die"
            case DieBrought(seat=seat):
                yield "bring in a die"
                if sum(map(len, after.boards[seat].rows)) > 5:
                    yield "bring in a gained die"
            case TokenLoaded(plastic=plastic):
                yield f"load {plastic.value}"
            case TokenUnloaded(line=line):
                yield f"process on {line.value}"
            case BlockFilled(block=block):
                yield f"fill {block.value}"
            case CardFlipped(card=card):
                yield f"{card.value} upgraded"
            case TokensDrawn():
                if not after.bag:
                    yield "draw the whole bag"
                if not after.drawn_tokens:
                    yield "drawn tokens go to the one tile"
            case LastRoundSet():
                yield "the ocean is clean"
            case QuietEndNear():
                yield "players are warned after a quiet round"
    if before.bag and not after.bag:
        yield "the bag is empty"


def _strength_features(transition: Transition) -> Iterator[str]:
    played, action = transition.after.played_card, transition.action
    if played is None or transition.actor == CHANCE:
        return
    board = transition.after.boards[transition.actor]
    column = board.columns.index(played.card) + 1
    used_operation_count = action.count if isinstance(action, Analyze) else played.operation_count
    if played.strength == 2 * column:
        yield f"{played.card.value} used when upgraded"
        if used_operation_count > column:
            yield f"{played.card.value} beyond its column"


def _state_features(transition: Transition) -> Iterator[str]:
    after = transition.after
    board = after.boards[transition.actor]
    if () in board.rows:
        yield "a row is empty"
    if any(len(row) > 5 for row in board.rows):
        yield "a row has more than five dice"
    if after.played_card is not None and after.played_card.card is Card.LOAD:
        yield from _deadlock_features(after, transition.actor)


def _same_turn_features(transition: Transition) -> Iterator[str]:
    before = transition.before
    if isinstance(transition.action, SailShip) and any(
        isinstance(event, ShipSailed) and event.ship != transition.action.ship for event in before.trail
    ):
        yield "both ships move in one turn"
    if isinstance(transition.action, UnloadToken) and any(
        isinstance(event, TokenUnloaded) and event.ship != transition.action.ship for event in before.trail
    ):
        yield "unload from both ships in one turn"
    if any(
        isinstance(event, BlockFilled) and event.block is Block.LINE_OPENER for event in before.trail
    ) and (isinstance(transition.action, UnloadToken) and LINES[transition.action.line].hatched):
        yield "hatched lines open and are used in one turn"


def _deadlock_features(position: Position, seat: int) -> Iterator[str]:
    board = position.boards[seat]
    for ship in SHIPS:
        place, ship_cargo = board.ships[ship - 1], board.cargo[ship - 1]
        if place is None or len(ship_cargo) == SHIP_CAPACITY:
            continue
        for plastic in position.tokens_on(place):
            cargo = list(board.cargo)
            cargo[ship - 1] = (*ship_cargo, plastic)
            if would_deadlock(board, tuple(cargo)):
                yield "a deadlock forbids a token"


def _result_features(position: Position) -> Iterator[str]:
    if position.end_reason is not None:
        yield f"end by {position.end_reason.value}"
    result = returns(position)
    finished_seats = [
        seat for seat, board in enumerate(position.boards) if board.processed_count >= TOKENS_TO_END
    ]
    if finished_seats:
        if position.last_round is not None:
            yield "16 after a clean ocean"
        if position.boards[finished_seats[0]].processed_count > TOKENS_TO_END:
            yield "more than 16"
        if finished_seats[0] not in result.winners:
            yield "who ends the game does not win"
    if len(result.winners) > 1:
        yield "shared victory"
    if any(board.cargo != ((), ()) for board in position.boards):
        yield "tokens aboard score"
    if any(board.gained_die_count for board in position.boards):
        yield "gained dice score"
