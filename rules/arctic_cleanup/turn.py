"""A turn: one card, its operations, and the end."""

from typing import TypeAlias

from msgspec.structs import replace

from rules.arctic_cleanup.actions import (
    CARD_BY_OPERATION,
    Analyze,
    BringDie,
    LoadToken,
    PlaceToken,
    RotateDie,
    SailShip,
    ShiftDie,
    UnloadToken,
)
from rules.arctic_cleanup.boards import (
    add_token_to_line,
    remove_tokens,
    replace_board,
    replace_tile_tokens,
    sort_tokens,
    tile_towards,
    with_ship_entry,
)
from rules.arctic_cleanup.components import BLOCKS, TOKENS_TO_END, Block, Card, Plastic
from rules.arctic_cleanup.ending import finish, start_next_turn
from rules.arctic_cleanup.events import (
    AnyEvent,
    BlockFilled,
    CardFlipped,
    CardPlayed,
    DieBrought,
    DieRotated,
    DieShifted,
    EndReason,
    ShipSailed,
    TokenLoaded,
    TokenPlaced,
    TokensDrawn,
    TokenUnloaded,
    TurnEnded,
)
from rules.arctic_cleanup.model import Phase, PlayedCard, PlayerBoard, Position
from rules.model import CHANCE, Seat

PlanAction: TypeAlias = RotateDie | ShiftDie | BringDie
"""One change of the dice, an operation of Plan."""
Operation: TypeAlias = PlanAction | SailShip | LoadToken | Analyze | UnloadToken
"""One use of a card; a card of strength 3 allows three."""


def apply_operation(position: Position, action: Operation) -> Position:
    """Carry out one operation of a card; the first of a turn plays the card."""
    seat = _current_player(position)
    position = _count_operation(replace(position, trail=()), seat, CARD_BY_OPERATION[type(action)])
    match action:
        case RotateDie() | ShiftDie() | BringDie():
            return _plan(position, seat, action)
        case SailShip():
            return _sail(position, seat, action)
        case LoadToken():
            return _load(position, seat, action)
        case Analyze(count=count):
            return _analyze(position, count)
        case UnloadToken():
            return _unload(position, seat, action)


def _count_operation(position: Position, seat: Seat, card: Card) -> Position:
    """Count an operation of a card; the first of a turn plays the card."""
    played = position.played_card
    if played is not None:
        return replace(position, played_card=replace(played, operation_count=played.operation_count + 1))
    strength = position.boards[seat].strength(card)
    return replace(
        position, played_card=PlayedCard(card, strength, 1), trail=(CardPlayed(seat, card, strength),)
    )


def _plan(position: Position, seat: Seat, action: PlanAction) -> Position:
    board = apply_plan_action(position.boards[seat], action)
    return _with_board_and_events(position, seat, board, _plan_event(seat, action))


def apply_plan_action(board: PlayerBoard, action: PlanAction) -> PlayerBoard:
    """Return a board after one change of its dice."""
    match action:
        case RotateDie(row=row, face=face, to=to):
            return replace(board, rows=_with_die(_without_die(board.rows, row, face), row, to))
        case ShiftDie(row=row, face=face):
            return replace(board, rows=_with_die(_without_die(board.rows, row, face), 3 - row, face))
        case BringDie(row=row, face=face):
            return replace(
                board, rows=_with_die(board.rows, row, face), spare_die_count=board.spare_die_count - 1
            )


def _plan_event(seat: Seat, action: PlanAction) -> AnyEvent:
    match action:
        case RotateDie(row=row, face=face, to=to):
            return DieRotated(seat, row, face, to)
        case ShiftDie(row=row, face=face):
            return DieShifted(seat, row, face)
        case BringDie(row=row, face=face):
            return DieBrought(seat, row, face)


def _without_die(rows: tuple[tuple[int, ...], ...], row: int, face: int) -> tuple[tuple[int, ...], ...]:
    faces = list(rows[row - 1])
    faces.remove(face)
    return with_ship_entry(rows, row, tuple(faces))


def _with_die(rows: tuple[tuple[int, ...], ...], row: int, face: int) -> tuple[tuple[int, ...], ...]:
    return with_ship_entry(rows, row, tuple(sorted((*rows[row - 1], face))))


def _sail(position: Position, seat: Seat, action: SailShip) -> Position:
    board, ship, face = position.boards[seat], action.ship, action.face
    start = board.ships[ship - 1]
    assert start is not None
    end = tile_towards(position, start, face)
    assert end is not None
    board = replace(
        board,
        ships=with_ship_entry(board.ships, ship, end),
        rows=_without_die(board.rows, ship, face),
        spare_die_count=board.spare_die_count + 1,
    )
    return _with_board_and_events(position, seat, board, ShipSailed(seat, ship, start, end, face))


def _load(position: Position, seat: Seat, action: LoadToken) -> Position:
    board, ship, plastic = position.boards[seat], action.ship, action.plastic
    place = board.ships[ship - 1]
    assert place is not None
    aboard = sort_tokens((*board.cargo[ship - 1], plastic))
    board = replace(board, cargo=with_ship_entry(board.cargo, ship, aboard))
    tokens_left = remove_tokens(position.tokens_on(place), (plastic,))
    after = replace(position, ocean=replace_tile_tokens(position, place, tokens_left), is_round_quiet=False)
    return _with_board_and_events(after, seat, board, TokenLoaded(seat, ship, plastic, place))


# Analyze ---------------------------------------------------------------------------------------------


def _analyze(position: Position, count: int) -> Position:
    """Draw tokens from the bag: by chance, unless all of them are drawn or all are of one kind."""
    if len(set(position.bag)) == 1 or count == len(position.bag):
        return draw_tokens(position, position.bag[:count])
    return replace(position, phase=Phase.DRAW, to_act=CHANCE, draw_count=count)


def draw_tokens(position: Position, plastics: tuple[Plastic, ...]) -> Position:
    """Take drawn tokens out of the bag; with both ships on one tile, place them there at once."""
    seat = _current_player(position)
    trail = position.trail if position.phase is Phase.TURN else ()
    after = replace(
        position,
        phase=Phase.TURN,
        to_act=seat,
        draw_count=0,
        bag=remove_tokens(position.bag, plastics),
        drawn_tokens=plastics,
        is_round_quiet=False,
        trail=(*trail, TokensDrawn(seat, plastics)),
    )
    ships = position.boards[seat].ships
    if ships[0] is not ships[1]:
        return after
    for plastic in plastics:
        after = _put_on_tile(after, seat, plastic, 1)
    return after


def place_token(position: Position, action: PlaceToken) -> Position:
    """Put a drawn token on a ship's tile."""
    return _put_on_tile(replace(position, trail=()), _current_player(position), action.plastic, action.ship)


def _put_on_tile(position: Position, seat: Seat, plastic: Plastic, ship: int) -> Position:
    board = position.boards[seat]
    place = board.ships[ship - 1]
    assert place is not None
    tokens = sort_tokens((*position.tokens_on(place), plastic))
    after = replace(
        position,
        ocean=replace_tile_tokens(position, place, tokens),
        drawn_tokens=remove_tokens(position.drawn_tokens, (plastic,)),
    )
    return _with_board_and_events(after, seat, board, TokenPlaced(seat, plastic, place))


# Unload ----------------------------------------------------------------------------------------------


def _unload(position: Position, seat: Seat, action: UnloadToken) -> Position:
    before, ship, plastic, line = position.boards[seat], action.ship, action.plastic, action.line
    after = replace(
        before,
        cargo=with_ship_entry(before.cargo, ship, remove_tokens(before.cargo[ship - 1], (plastic,))),
        lines=add_token_to_line(before, line, plastic),
    )
    new_die_count = after.gained_die_count - before.gained_die_count
    after = replace(after, spare_die_count=after.spare_die_count + new_die_count)
    slot = len(after.tokens_on_line(line))
    filled = (BlockFilled(seat, block) for block in _newly_filled_blocks(before, after))
    flipped = (CardFlipped(seat, card) for card in after.upgraded_cards if card not in before.upgraded_cards)
    events: tuple[AnyEvent, ...] = (TokenUnloaded(seat, ship, plastic, line, slot), *filled, *flipped)
    return _with_board_and_events(replace(position, is_round_quiet=False), seat, after, *events)


def _newly_filled_blocks(before: PlayerBoard, after: PlayerBoard) -> tuple[Block, ...]:
    return tuple(block for block in BLOCKS if after.has_filled(block) and not before.has_filled(block))


# The end of a turn -----------------------------------------------------------------------------------


def play_without_effect(position: Position, card: Card) -> Position:
    """Play a card without any operation."""
    seat = _current_player(position)
    played = PlayedCard(card, position.boards[seat].strength(card))
    return end_turn(replace(position, played_card=played))


def end_turn(position: Position) -> Position:
    """End the turn: its card goes to column 1; after an Unload 16 tokens in the factory end the game."""
    seat, played = _current_player(position), position.played_card
    assert played is not None
    board = position.boards[seat]
    column = board.columns.index(played.card)
    columns = (played.card, *board.columns[:column], *board.columns[column + 1 :])
    board = replace(board, columns=columns)
    after = replace(
        position,
        boards=replace_board(position, seat, board),
        played_card=None,
        trail=(TurnEnded(seat, played.card, played.operation_count),),
    )
    if played.card is Card.UNLOAD and played.operation_count and board.processed_count >= TOKENS_TO_END:
        return finish(after, EndReason.PROCESSED)
    return start_next_turn(after)


def _with_board_and_events(position: Position, seat: Seat, board: PlayerBoard, *events: AnyEvent) -> Position:
    return replace(position, boards=replace_board(position, seat, board), trail=(*position.trail, *events))


def _current_player(position: Position) -> Seat:
    assert position.current_player is not None
    return position.current_player
