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
"""The part of a token's value that counts while a ship can load it where it is."""
_DOCKED_SHARE: Final = 0.35
"""The part of a token's value that counts in addition while its ship touches the factory."""
_STEP_FACTOR: Final = 0.93
"""What a ship's goal keeps of its value for each step of the way."""
_CHANGE_FACTOR: Final = 0.86
"""What a ship's goal keeps of its value for each die that must be planned first."""
_DIE_VALUE: Final = 0.06
"""The value of each planned die."""
_LOCKED_VALUES: Final = (1.0, 2.5)
"""The value of a token for closed hatched lines: with the block that opens them empty, and nearly full."""
_MAX_LOCKED_WANTED: Final = 3
"""The most tokens for closed hatched lines that are worth waiting for."""
_CROWDED_TOKENS: Final = 30
"""While so many tokens are left at sea and in the bag, a token that no line takes is in the way most."""
_USELESS_VALUES: Final = (0.9, -0.7)
"""The value of such a token when no other tokens are left, and while it is in the way most."""
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
    expected_value: float = 0.0
    """The value of tokens that chance will bring."""


class FactoryValue(NamedTuple):
    """What a factory and its cargo are worth."""

    processed_value: float
    unloading_value: float
    """What unloading all cargo adds."""
    unloads: tuple[tuple[Plastic, FactoryLine], ...]
    """Each token to unload and its line, best first."""
    gains: dict[Plastic, float]
    """What one more token of each plastic is worth after that; 0 if no line takes it."""
    useless_tokens: int
    """How many tokens of the cargo no line will take."""
    waiting_value: float
    """The value of the cargo that waits for the hatched lines to open."""


@lru_cache(maxsize=50_000)
def _line_counts_value(counts: tuple[int, ...]) -> float:
    """Return what a factory is worth with so many tokens on each line."""
    value = 0.0
    for count, facts in zip(counts, _LINE_FACTS, strict=True):
        value += count * (HATCHED_POINTS if facts.hatched else _PLAIN_POINTS)
        if facts.flips is not None:
            value += _FLIP_VALUE * (count / facts.slots) ** 2
    for block_value, lines in _BLOCKS:
        filled = sum(max(0, min(2, counts[line] - end + 2)) for line, end in lines)
        value += block_value * (filled / 4) ** 1.5
    return value


@lru_cache(maxsize=50_000)
def _line_gains(counts: tuple[int, ...]) -> tuple[float, ...]:
    """Return what one more token on each line is worth."""
    current_value = _line_counts_value(counts)
    return tuple(
        _line_counts_value((*counts[:line], count + 1, *counts[line + 1 :])) - current_value
        for line, count in enumerate(counts)
    )


def _are_hatched_lines_open(counts: tuple[int, ...]) -> bool:
    return all(counts[line] >= tokens for line, tokens in _OPENING_LINES)


def _best_line(
    counts: tuple[int, ...], line_plastics: list[Plastic | None], plastic: Plastic
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
            and (line_plastics[line] is None or line_plastics[line] is plastic)
        ),
        default=None,
    )


@lru_cache(maxsize=50_000)
def evaluate_factory(lines: tuple[Tokens, ...], cargo: Tokens) -> FactoryValue:
    """Return what a factory and all the cargo that it will get are worth."""
    counts = tuple(map(len, lines))
    line_plastics: list[Plastic | None] = [tokens[0] if tokens else None for tokens in lines]
    processed_value = _line_counts_value(counts)
    cargo_left = Counter(cargo)
    unloads: list[tuple[Plastic, FactoryLine]] = []
    while True:
        options = [
            (*best, plastic)
            for plastic in cargo_left
            if cargo_left[plastic] and (best := _best_line(counts, line_plastics, plastic)) is not None
        ]
        if not options:
            break
        _, negative_line, plastic = max(options, key=lambda each: each[:2])
        line = -negative_line
        counts = (*counts[:line], counts[line] + 1, *counts[line + 1 :])
        line_plastics[line] = plastic
        cargo_left[plastic] -= 1
        unloads.append((plastic, _LINES[line]))
    are_hatched_lines_open = _are_hatched_lines_open(counts)
    waiting_tokens = 0 if are_hatched_lines_open else sum(cargo_left[plastic] for plastic in _HATCHED)
    opening_share = sum(min(tokens, counts[line]) for line, tokens in _OPENING_LINES) / _OPENING_TOKENS
    locked_value = _LOCKED_VALUES[0] + (_LOCKED_VALUES[1] - _LOCKED_VALUES[0]) * opening_share
    gains = {}
    for plastic in PLASTICS:
        best = _best_line(counts, line_plastics, plastic)
        gains[plastic] = best[0] if best is not None else 0.0
        if plastic in _HATCHED and not are_hatched_lines_open and waiting_tokens < _MAX_LOCKED_WANTED:
            gains[plastic] = locked_value
    wanted_tokens = min(waiting_tokens, _MAX_LOCKED_WANTED)
    useless_tokens = sum(cargo_left.values()) - wanted_tokens
    return FactoryValue(
        processed_value=processed_value,
        unloading_value=_line_counts_value(counts) - processed_value,
        unloads=tuple(unloads),
        gains=gains,
        useless_tokens=useless_tokens,
        waiting_value=wanted_tokens * locked_value,
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
    """Return the value of a token aboard that no line takes; late in the game it is nearly its point."""
    end, start = _USELESS_VALUES
    return end + (start - end) * min(1.0, tokens_left / _CROWDED_TOKENS)


def ship_goals(state: PolicyState, seats: int, value: FactoryValue) -> tuple[ShipGoal, ShipGoal]:
    """Return each ship's best goal; the second ship seeks another tile than the first."""
    first_goal = _ship_goal(state, seats, value, 1, None)
    return first_goal, _ship_goal(state, seats, value, 2, first_goal.target)


def _ship_goal(
    state: PolicyState, seats: int, value: FactoryValue, ship: int, other_target: Hex | None
) -> ShipGoal:
    board, ocean = state.board, state.ocean
    place = board.ships[ship - 1]
    if place is None or board.factory is None:
        return ShipGoal()
    aboard = board.cargo[ship - 1]
    room = SHIP_CAPACITY - len(aboard)
    unloading_value = _DOCKED_SHARE * evaluate_factory(board.lines, aboard).unloading_value if aboard else 0.0
    dock_tiles = _docks(seats, board.factory)
    useless = max(0.0, useless_value(state.tokens_left))
    gains, best = value.gains, ShipGoal()
    for target, index, factor, route in _reachable_tiles(seats, place, board.rows[ship - 1]):
        target_value = unloading_value if target in dock_tiles else 0.0
        tokens = ocean[index]
        if room and tokens:
            values = [gains[plastic] or useless for plastic in tokens]
            if len(values) > room:
                values = sorted(values, reverse=True)[:room]
            target_value += (
                _AT_SEA_SHARE * sum(values) * (_SAME_TARGET_SHARE if target is other_target else 1.0)
            )
        if target_value * factor > best.value:
            best = ShipGoal(target_value * factor, target, route)
    return best


def evaluate(state: PolicyState, seats: int) -> float:
    """Return how good a state is for its player, in points."""
    board = state.board
    factory = evaluate_factory(board.lines, (*board.cargo[0], *board.cargo[1]))
    value = factory.processed_value + _ABOARD_SHARE * (factory.unloading_value + factory.waiting_value)
    value += factory.useless_tokens * useless_value(state.tokens_left)
    value += sum(goal.value for goal in ship_goals(state, seats, factory))
    return value + _DIE_VALUE * sum(len(board.rows[ship - 1]) for ship in SHIPS) + state.expected_value
