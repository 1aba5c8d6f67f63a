"""How many operations a card allows now, and why it allows none."""

from functools import lru_cache
from typing import Final

from rules.arctic_cleanup.boards import Tokens, is_docked, lines_accepting, remove_tokens, sort_tokens
from rules.arctic_cleanup.components import (
    BLOCKS,
    HATCHED_POINTS,
    LINES,
    PLASTICS,
    SHIP_CAPACITY,
    SHIPS,
    Block,
    Card,
)
from rules.arctic_cleanup.legal import cards_without_effect
from rules.arctic_cleanup.model import PlayerBoard, Position
from rules.arctic_cleanup.sea_routes import max_step_count

_LINES_WITH_FACTS: Final = tuple(LINES.items())
_OPENING_SLOT_COUNTS: Final = dict(BLOCKS[Block.LINE_OPENER])
"""By line: how many of its slots must be filled before the hatched lines open."""


def max_operation_count(position: Position, board: PlayerBoard, card: Card, operations_left: int) -> int:
    """Return how many of a card's operations dice, map, room and cargo allow, at most ``operations_left``."""
    match card:
        case Card.MOVE:
            count = _max_total_step_count(position, board)
        case Card.LOAD:
            count = _loadable_count(position, board) - _must_leave_a_space(position, board)
        case Card.ANALYZE:
            count = len(position.bag)
        case Card.UNLOAD:
            cargo = (token for ship in SHIPS if is_docked(board, ship) for token in board.cargo[ship - 1])
            count = _max_processed_count(sort_tokens(cargo), board.lines, can_hatched_lines_open=True)
        case Card.PLAN:
            count = operations_left
    return min(operations_left, count)


def usable_operations_left(position: Position) -> int:
    """Return how many operations the played card still allows; 0 if no card is played."""
    played, seat = position.played_card, position.current_player
    if played is None or seat is None:
        return 0
    return max_operation_count(position, position.boards[seat], played.card, played.operations_left)


def _max_total_step_count(position: Position, board: PlayerBoard) -> int:
    seat_count = len(position.boards)
    return sum(
        max_step_count(seat_count, place, row)
        for place, row in zip(board.ships, board.rows, strict=True)
        if place is not None
    )


def _loadable_count(position: Position, board: PlayerBoard) -> int:
    """Return how many tokens on the ships' tiles there is room for."""
    room_by_tile = {place: 0 for place in board.ships if place is not None}
    for place, aboard in zip(board.ships, board.cargo, strict=True):
        if place is not None:
            room_by_tile[place] += SHIP_CAPACITY - len(aboard)
    return sum(min(room, len(position.tokens_on(place))) for place, room in room_by_tile.items())


def _must_leave_a_space(position: Position, board: PlayerBoard) -> bool:
    """Whether loading all there is room for would fill both ships with tokens that no line takes (AC16)."""
    free_space_count = sum(SHIP_CAPACITY - len(aboard) for aboard in board.cargo)
    if not free_space_count or _loadable_count(position, board) < free_space_count:
        return False
    tile_tokens = (
        position.tokens_on(place)
        for place, aboard in zip(board.ships, board.cargo, strict=True)
        if place is not None and len(aboard) < SHIP_CAPACITY
    )
    plastics = {plastic for tokens in (*board.cargo, *tile_tokens) for plastic in tokens}
    return not any(lines_accepting(board, plastic) for plastic in plastics)


@lru_cache(maxsize=4096)
def _max_processed_count(tokens: Tokens, lines: tuple[Tokens, ...], *, can_hatched_lines_open: bool) -> int:
    """Return the most of these tokens that factory lines take, filled from the last one up.

    ``can_hatched_lines_open``: False once a line that opens them stays short; the hatched ones come last.
    """
    if not tokens or not lines:
        return 0
    (line, facts), processed = _LINES_WITH_FACTS[len(lines) - 1], lines[-1]
    if facts.hatched and not can_hatched_lines_open:
        return 0
    room, opening_slot_count = facts.slot_count - len(processed), _OPENING_SLOT_COUNTS.get(line, 0)
    choices: list[Tokens] = [()]
    for plastic in dict.fromkeys(processed or tokens):
        if (PLASTICS[plastic].points == HATCHED_POINTS) is facts.hatched:
            limit = min(room, tokens.count(plastic))
            choices += [(plastic,) * count for count in range(1 if opening_slot_count else limit, limit + 1)]
    return max(
        len(choice)
        + _max_processed_count(
            remove_tokens(tokens, choice),
            lines[:-1],
            can_hatched_lines_open=can_hatched_lines_open
            and len(processed) + len(choice) >= opening_slot_count,
        )
        for choice in choices
    )


def no_effect_reasons(position: Position) -> dict[Card, str]:
    """Return each card that would have no effect for the seat to act, with the reason: "the bag is empty"."""
    if position.to_act is None or position.to_act < 0:
        return {}
    board = position.boards[position.to_act]
    return {card: _no_effect_reason(position, board, card) for card in cards_without_effect(position)}


def _no_effect_reason(position: Position, board: PlayerBoard, card: Card) -> str:
    match card:
        case Card.PLAN:
            return "you have no dice"
        case Card.MOVE:
            return "no die leads to open water" if any(board.rows) else "your rows hold no die"
        case Card.LOAD:
            if all(len(aboard) == SHIP_CAPACITY for aboard in board.cargo):
                return "your ships are full"
            if not _loadable_count(position, board):
                return "no tokens lie beside a ship with room"
            return "the last space is for a token that a line takes"
        case Card.ANALYZE:
            return "the bag is empty"
        case Card.UNLOAD:
            if not any(board.cargo):
                return "your ships are empty"
            if not any(is_docked(board, ship) and board.cargo[ship - 1] for ship in SHIPS):
                return "no ship with tokens is at your factory"
            if _waits_for_hatched_lines(board):
                return "PP and PS wait until R5 and R6 hold two tokens each"
            return "no line takes the tokens at your factory"


def _waits_for_hatched_lines(board: PlayerBoard) -> bool:
    """Whether only closed hatched lines could take the tokens on the ships at the factory."""
    tokens = {plastic for ship in SHIPS if is_docked(board, ship) for plastic in board.cargo[ship - 1]}
    is_hatched = all(PLASTICS[plastic].points == HATCHED_POINTS for plastic in tokens)
    return is_hatched and not board.has_filled(Block.LINE_OPENER)
