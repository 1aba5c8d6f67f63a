"""How good a board of Arctic CleanUp is: what is processed, what is aboard, and what the ships can reach."""

from collections import Counter
from functools import cache, lru_cache
from typing import Final, NamedTuple

from rules.arctic_cleanup.boards import Tokens
from rules.arctic_cleanup.components import (
    BLOCKS,
    HATCHED_POINTS,
    LINES,
    PLASTICS,
    SHIP_CAPACITY,
    SHIPS,
    Block,
    FactoryLine,
    Hex,
    Plastic,
    docks,
)
from rules.arctic_cleanup.model import HEX_INDEX, LINE_INDEX, PlayerBoard
from rules.arctic_cleanup.sea_routes import SeaRoute, missing_faces, sea_routes

_DIE_BLOCK_VALUE: Final = 7.0
"""The value of a die: five points and what it moves."""
_OPENING_VALUE: Final = 14.0
"""The value of open hatched lines."""
_FLIP_VALUE: Final = 2.5
_ABOARD_SHARE: Final = 0.5
"""The part of a token's value that counts once it is aboard."""
_AT_SEA_SHARE: Final = 0.32
"""The part that counts while a ship can load it where it is."""
_DOCKED_SHARE: Final = 0.35
"""The part that counts in addition while its ship touches the factory."""
_STEP_FACTOR: Final = 0.93
"""What a ship's goal keeps of its value for each step of the way."""
_CHANGE_FACTOR: Final = 0.86
"""What it keeps for each die that must be planned first."""
_DIE_VALUE: Final = 0.06
"""The value of each planned die."""
_LOCKED_VALUES: Final = (1.0, 2.5)
"""The value of a token for closed hatched lines: with the block that opens them empty, and nearly full."""
_MAX_LOCKED_WANTED: Final = 3
"""So many of them are worth waiting for."""
_CROWDED_TOKENS: Final = 30
"""While so many tokens are left at sea and in the bag, a token that no line takes is in the way most."""
_USELESS_VALUES: Final = (0.9, -0.7)
"""The value of such a token when nothing is left, and while it is in the way most."""
_SAME_TARGET_SHARE: Final = 0.4
"""The part of a tile's value that is left for the second ship that goes there."""

_HATCHED: Final = frozenset(plastic for plastic, facts in PLASTICS.items() if facts.points == HATCHED_POINTS)
_PLAIN_POINTS: Final = min(facts.points for facts in PLASTICS.values())
_LINE_FACTS: Final = tuple(LINES.values())
_LINES: Final = tuple(LINES)
_BLOCKS: Final = tuple(
    (
        _OPENING_VALUE if block is Block.OPENING else _DIE_BLOCK_VALUE,
        tuple((LINE_INDEX[line], end) for line, end in lines),
    )
    for block, lines in BLOCKS.items()
)
_OPENING_LINES: Final = tuple((LINE_INDEX[line], tokens) for line, tokens in BLOCKS[Block.OPENING])
_OPENING_TOKENS: Final = sum(tokens for _, tokens in _OPENING_LINES)


class PolicyState(NamedTuple):
    """The part of a position that the policy plays on: a board and the ocean."""

    board: PlayerBoard
    ocean: tuple[Tokens, ...]
    tokens_left: int
    """Tokens at sea and in the bag."""
    expected: float = 0.0
    """The value of tokens that chance will bring."""


class FactoryValue(NamedTuple):
    """What a factory and its cargo are worth."""

    processed: float
    unloading: float
    """What unloading all cargo adds."""
    unloads: tuple[tuple[Plastic, FactoryLine], ...]
    """Each token to unload and its line, best first."""
    gains: dict[Plastic, float]
    """What one more token of each plastic is worth after that; 0 if no line takes it."""
    useless: int
    """Tokens of the cargo that no line will take."""
    waiting: float
    """The value of those that wait for the hatched lines."""


@lru_cache(maxsize=50_000)
def _counts_value(counts: tuple[int, ...]) -> float:
    """Return what a factory is worth with so many tokens on each line."""
    value = 0.0
    for count, facts in zip(counts, _LINE_FACTS, strict=True):
        value += count * (HATCHED_POINTS if facts.hatched else _PLAIN_POINTS)
        if facts.flips is not None:
            value += _FLIP_VALUE * (count / facts.slots) ** 2
    for worth, lines in _BLOCKS:
        filled = sum(max(0, min(2, counts[line] - end + 2)) for line, end in lines)
        value += worth * (filled / 4) ** 1.5
    return value


@lru_cache(maxsize=50_000)
def _line_gains(counts: tuple[int, ...]) -> tuple[float, ...]:
    """Return what one more token on each line is worth."""
    now = _counts_value(counts)
    return tuple(
        _counts_value((*counts[:line], count + 1, *counts[line + 1 :])) - now
        for line, count in enumerate(counts)
    )


def _are_hatched_lines_open(counts: tuple[int, ...]) -> bool:
    return all(counts[line] >= tokens for line, tokens in _OPENING_LINES)


def _best_line(
    counts: tuple[int, ...], on_lines: list[Plastic | None], plastic: Plastic
) -> tuple[float, int] | None:
    hatched = plastic in _HATCHED
    if hatched and not _are_hatched_lines_open(counts):
        return None
    gains = _line_gains(counts)
    return max(
        (
            (gains[line], -line)
            for line, facts in enumerate(_LINE_FACTS)
            if facts.hatched is hatched
            and counts[line] < facts.slots
            and (on_lines[line] is None or on_lines[line] is plastic)
        ),
        default=None,
    )


@lru_cache(maxsize=50_000)
def value_factory(lines: tuple[Tokens, ...], cargo: Tokens) -> FactoryValue:
    """Return what a factory and all the cargo that it will get are worth."""
    counts = tuple(map(len, lines))
    on_lines: list[Plastic | None] = [tokens[0] if tokens else None for tokens in lines]
    before = _counts_value(counts)
    rest = Counter(cargo)
    unloads: list[tuple[Plastic, FactoryLine]] = []
    while True:
        options = [
            (*best, plastic)
            for plastic in rest
            if rest[plastic] and (best := _best_line(counts, on_lines, plastic)) is not None
        ]
        if not options:
            break
        _, minus, plastic = max(options, key=lambda each: each[:2])
        line = -minus
        counts = (*counts[:line], counts[line] + 1, *counts[line + 1 :])
        on_lines[line] = plastic
        rest[plastic] -= 1
        unloads.append((plastic, _LINES[line]))
    waiting = 0 if _are_hatched_lines_open(counts) else sum(rest[plastic] for plastic in _HATCHED)
    opened = sum(min(tokens, counts[line]) for line, tokens in _OPENING_LINES) / _OPENING_TOKENS
    locked_value = _LOCKED_VALUES[0] + (_LOCKED_VALUES[1] - _LOCKED_VALUES[0]) * opened
    gains = {}
    for plastic in PLASTICS:
        best = _best_line(counts, on_lines, plastic)
        gains[plastic] = best[0] if best is not None else 0.0
        if plastic in _HATCHED and not _are_hatched_lines_open(counts) and waiting < _MAX_LOCKED_WANTED:
            gains[plastic] = locked_value
    wanted = min(waiting, _MAX_LOCKED_WANTED)
    useless = sum(rest.values()) - wanted
    return FactoryValue(
        before, _counts_value(counts) - before, tuple(unloads), gains, useless, wanted * locked_value
    )


class ShipGoal(NamedTuple):
    """The best tile for a ship to sail to."""

    value: float = 0.0
    target: Hex | None = None
    route: SeaRoute | None = None


@lru_cache(maxsize=50_000)
def _reachable_tiles(
    seats: int, place: Hex, row: tuple[int, ...]
) -> tuple[tuple[Hex, int, float, SeaRoute], ...]:
    """Return each tile, what a goal there keeps of its value, and the route for a row of dice."""
    reached = []
    for target, routes in sea_routes(seats)[place].items():
        factor, route = max(
            (
                (_STEP_FACTOR ** len(route.faces) * _CHANGE_FACTOR ** len(missing_faces(route, row)), route)
                for route in routes
            ),
            key=lambda each: each[0],
        )
        reached.append((target, HEX_INDEX[target], factor, route))
    return tuple(sorted(reached, key=lambda each: -each[2]))


@cache
def _docks(seats: int, factory: Hex) -> frozenset[Hex]:
    return frozenset(docks(seats, factory))


def useless_value(tokens_left: int) -> float:
    """Return the value of a token aboard that no line takes: late in the game its point."""
    end, start = _USELESS_VALUES
    return end + (start - end) * min(1.0, tokens_left / _CROWDED_TOKENS)


def ship_goals(state: PolicyState, seats: int, value: FactoryValue) -> tuple[ShipGoal, ShipGoal]:
    """Return each ship's best goal; the second ship seeks another tile than the first."""
    first = _ship_goal(state, seats, value, 1, None)
    return first, _ship_goal(state, seats, value, 2, first.target)


def _ship_goal(state: PolicyState, seats: int, value: FactoryValue, ship: int, taken: Hex | None) -> ShipGoal:
    board, ocean = state.board, state.ocean
    place = board.ships[ship - 1]
    if place is None or board.factory is None:
        return ShipGoal()
    aboard = board.cargo[ship - 1]
    room = SHIP_CAPACITY - len(aboard)
    unloading = _DOCKED_SHARE * value_factory(board.lines, aboard).unloading if aboard else 0.0
    around = _docks(seats, board.factory)
    useless = max(0.0, useless_value(state.tokens_left))
    gains, best = value.gains, ShipGoal()
    for target, index, factor, route in _reachable_tiles(seats, place, board.rows[ship - 1]):
        worth = unloading if target in around else 0.0
        tokens = ocean[index]
        if room and tokens:
            values = [gains[plastic] or useless for plastic in tokens]
            if len(values) > room:
                values = sorted(values, reverse=True)[:room]
            worth += _AT_SEA_SHARE * sum(values) * (_SAME_TARGET_SHARE if target is taken else 1.0)
        if worth * factor > best.value:
            best = ShipGoal(worth * factor, target, route)
    return best


def evaluate(state: PolicyState, seats: int) -> float:
    """Return how good a state is for its player, in points."""
    board = state.board
    factory = value_factory(board.lines, (*board.cargo[0], *board.cargo[1]))
    value = factory.processed + _ABOARD_SHARE * (factory.unloading + factory.waiting)
    value += factory.useless * useless_value(state.tokens_left)
    value += sum(goal.value for goal in ship_goals(state, seats, factory))
    return value + _DIE_VALUE * sum(len(board.rows[ship - 1]) for ship in SHIPS) + state.expected
