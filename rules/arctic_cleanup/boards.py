"""Queries and small changes of players' boards, the ocean and tokens."""

from collections.abc import Iterable
from functools import cache
from typing import Final, TypeAlias, TypeVar

from rules.arctic_cleanup.components import (
    FACES,
    HATCHED_POINTS,
    LINES,
    MAPS,
    PLASTICS,
    SEA_STEPS,
    SHIP_CAPACITY,
    SHIPS,
    Block,
    FactoryLine,
    Hex,
    Plastic,
    neighbour,
)
from rules.arctic_cleanup.model import HEX_INDEX, LINE_INDEX, PlayerBoard, Position
from rules.model import Seat

Tokens: TypeAlias = tuple[Plastic, ...]
T = TypeVar("T")

_PLASTIC_INDEX: Final = {plastic: index for index, plastic in enumerate(Plastic)}


def sort_tokens(plastics: Iterable[Plastic]) -> Tokens:
    """Return tokens in the order of ``Plastic``."""
    return tuple(sorted(plastics, key=_PLASTIC_INDEX.__getitem__))


def remove_tokens(plastics: Tokens, removed: Iterable[Plastic]) -> Tokens:
    """Return tokens without some of them.  Raises ValueError if a removed one is not among them."""
    tokens_left = list(plastics)
    for plastic in removed:
        tokens_left.remove(plastic)
    return tuple(tokens_left)


def replace_board(position: Position, seat: Seat, board: PlayerBoard) -> tuple[PlayerBoard, ...]:
    """Return all boards with that of a seat replaced."""
    return (*position.boards[:seat], board, *position.boards[seat + 1 :])


def replace_tile_tokens(position: Position, place: Hex, tokens: Tokens) -> tuple[Tokens, ...]:
    """Return the ocean with other tokens on one hex."""
    index = HEX_INDEX[place]
    return (*position.ocean[:index], tokens, *position.ocean[index + 1 :])


def with_ship_entry(pair: tuple[T, ...], ship: int, value: T) -> tuple[T, ...]:
    """Return what a board has for its two ships (places, rows, cargo) with that of ship 1 or 2 changed."""
    return (value, pair[1]) if ship == 1 else (pair[0], value)


def free_sites(position: Position) -> tuple[Hex, ...]:
    """Return the sites on which no factory stands."""
    factories = {board.factory for board in position.boards}
    return tuple(site for site in MAPS[len(position.boards)].sites if site not in factories)


def tile_towards(position: Position, place: Hex, face: int) -> Hex | None:
    """Return the ocean tile that a die's face leads to; None: there is none."""
    return SEA_STEPS[len(position.boards)].get((place, face))


def ship_destination(position: Position, board: PlayerBoard, ship: int, face: int) -> Hex | None:
    """Return the ocean tile to which a die takes a ship from where it is; None: there is none."""
    place = board.ships[ship - 1]
    return None if place is None else tile_towards(position, place, face)


def row_without(row: tuple[int, ...], face: int) -> tuple[int, ...]:
    """Return a row of dice without one that shows this face."""
    index = row.index(face)
    return (*row[:index], *row[index + 1 :])


@cache
def _neighbours_of(place: Hex) -> frozenset[Hex | None]:
    return frozenset(neighbour(place, face) for face in FACES)


def is_docked(board: PlayerBoard, ship: int) -> bool:
    """Whether a ship touches its own factory."""
    place = board.ships[ship - 1]
    if place is None or board.factory is None:
        return False
    return place in _neighbours_of(board.factory)


def lines_accepting(board: PlayerBoard, plastic: Plastic) -> tuple[FactoryLine, ...]:
    """Return the lines on which a factory can process a plastic now."""
    hatched = PLASTICS[plastic].points == HATCHED_POINTS
    if hatched and not board.has_filled(Block.LINE_OPENER):
        return ()
    return tuple(
        line
        for (line, facts), tokens in zip(LINES.items(), board.lines, strict=True)
        if facts.hatched is hatched
        and len(tokens) < facts.slot_count
        and (not tokens or tokens[0] is plastic)
    )


def plastics_without_line(board: PlayerBoard) -> tuple[Plastic, ...]:
    """Return the plastics on ships at the factory that no line takes now, each once."""
    docked = dict.fromkeys(
        plastic for ship in SHIPS if is_docked(board, ship) for plastic in board.cargo[ship - 1]
    )
    return tuple(plastic for plastic in docked if not lines_accepting(board, plastic))


def would_deadlock(board: PlayerBoard, cargo: tuple[Tokens, ...]) -> bool:
    """Whether this cargo fills both ships with tokens that no line takes (AC16)."""
    if any(len(each) < SHIP_CAPACITY for each in cargo):
        return False
    return not any(lines_accepting(board, plastic) for plastic in {*cargo[0], *cargo[1]})


def add_token_to_line(board: PlayerBoard, line: FactoryLine, plastic: Plastic) -> tuple[Tokens, ...]:
    """Return the factory's lines with one more token."""
    index = LINE_INDEX[line]
    return (*board.lines[:index], (*board.lines[index], plastic), *board.lines[index + 1 :])
