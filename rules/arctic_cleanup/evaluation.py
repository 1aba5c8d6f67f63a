"""What a board of Arctic CleanUp is worth to the policy: its factory, its cargo, what its ships can reach."""

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
    TOKENS_TO_END,
    Block,
    FactoryLine,
    Hex,
    Plastic,
    docks,
)
from rules.arctic_cleanup.ending import board_points
from rules.arctic_cleanup.model import HEX_INDEX, LINE_INDEX, PlayerBoard
from rules.arctic_cleanup.sea_routes import SeaRoute, missing_faces, sea_routes

_DIE_BLOCK_VALUE: Final = 7.0
"""The value of a full block that brings a die: its points at the end, and more dice to plan with."""
_LINE_OPENER_VALUE: Final = 14.0
"""The value of the full block that opens the hatched lines."""
_UPGRADE_VALUE: Final = 2.5
"""The value of a full line that upgrades a card."""
_BLOCK_EXPONENT: Final = 1.5
_UPGRADE_EXPONENT: Final = 2
"""A partly full block or line has its value times the filled share to this power."""
_BLOCK_SLOTS_PER_LINE: Final = 2
"""How many slots a block has on each of its lines."""
_ABOARD_SHARE: Final = 0.5
"""The part of a token's value that counts once it is aboard."""
_AT_SEA_SHARE: Final = 0.32
"""The part of a token's value that counts while it lies on a tile that a ship has as its goal."""
_DOCKED_SHARE: Final = 0.35
"""The part of the cargo's value that counts in addition where a ship's goal touches the factory."""
_WIN_VALUE: Final = 100.0
"""Added to the value of a state in which the game ends with its player as winner, else subtracted."""
_WINNING_CARGO_VALUE: Final = 8.0
"""The value of cargo that wins the game where it is unloaded, where a ship's goal touches the factory."""
_STEP_FACTOR: Final = 0.93
"""A goal's value is multiplied by this for each step of the route to it."""
_MISSING_DIE_FACTOR: Final = 0.86
"""A goal's value is multiplied by this for each die of the route that the ship's row lacks."""
_PLANNED_DIE_VALUE: Final = 0.06
"""The value of each die in a row."""
_WAITING_TOKEN_VALUES: Final = (1.0, 2.5)
"""The value of a token for closed hatched lines: with the block that opens them empty, and with it full."""
_MAX_WAITING_TOKENS: Final = 3
"""How many tokens for closed hatched lines are of value; any more count as useless."""
_MANY_TOKENS_LEFT: Final = 30
"""With so many tokens or more at sea and in the bag, a useless token aboard has its lowest value."""
_USELESS_TOKEN_VALUES: Final = (0.9, -0.7)
"""The value of a token aboard that no line will take: with no token left elsewhere, and with many."""
_SAME_GOAL_SHARE: Final = 0.4
"""The part of the tokens' value that counts for the second ship with the same tile as its goal."""

_HATCHED_PLASTICS: Final = frozenset(
    plastic for plastic, facts in PLASTICS.items() if facts.points == HATCHED_POINTS
)
_PLAIN_POINTS: Final = min(facts.points for facts in PLASTICS.values())
_LINE_FACTS: Final = tuple(LINES.values())
_FACTORY_LINES: Final = tuple(FactoryLine)
_VALUED_BLOCKS: Final = tuple(
    (
        _LINE_OPENER_VALUE if block is Block.LINE_OPENER else _DIE_BLOCK_VALUE,
        tuple((LINE_INDEX[line], last_slot) for line, last_slot in lines),
    )
    for block, lines in BLOCKS.items()
)
"""Each block's value and its lines: the index, and the block's last slot on the line."""
_OPENING_LINES: Final = tuple((LINE_INDEX[line], last_slot) for line, last_slot in BLOCKS[Block.LINE_OPENER])
_OPENING_SLOT_COUNT: Final = sum(last_slot for _, last_slot in _OPENING_LINES)


class PolicyState(NamedTuple):
    """What the policy simulates of a position: one seat's board and the ocean."""

    board: PlayerBoard
    ocean: tuple[Tokens, ...]
    remaining_token_count: int
    """Tokens at sea and in the bag."""
    points_to_beat: int
    """The most points that another seat has."""
    drawn_value: float = 0.0
    """The value of the tokens that a simulated Analyze draws."""


class FactoryValue(NamedTuple):
    """What a factory and its cargo are worth."""

    processed_value: float
    """The value of the tokens on its lines."""
    unloading_value: float
    """What unloading the cargo, as far as lines take it, adds to ``processed_value``."""
    unloads: tuple[tuple[Plastic, FactoryLine], ...]
    """Each token to unload and its line, best first."""
    gains: dict[Plastic, float]
    """What one more token of each plastic is worth once the cargo is unloaded; 0 for a useless one."""
    useless_token_count: int
    """How many tokens of the cargo no line takes and ``waiting_value`` does not count."""
    waiting_value: float
    """The value of the cargo that waits for the hatched lines to open."""


@lru_cache(maxsize=50_000)
def _processed_value(counts: tuple[int, ...]) -> float:
    """Return the value of processed tokens; ``counts``: how many lie on each line."""
    value = 0.0
    for count, facts in zip(counts, _LINE_FACTS, strict=True):
        value += count * (HATCHED_POINTS if facts.hatched else _PLAIN_POINTS)
        if facts.flipped_card is not None:
            value += _UPGRADE_VALUE * (count / facts.slot_count) ** _UPGRADE_EXPONENT
    for block_value, lines in _VALUED_BLOCKS:
        filled_slot_count = sum(
            max(0, min(_BLOCK_SLOTS_PER_LINE, counts[index] - last_slot + _BLOCK_SLOTS_PER_LINE))
            for index, last_slot in lines
        )
        value += block_value * (filled_slot_count / (len(lines) * _BLOCK_SLOTS_PER_LINE)) ** _BLOCK_EXPONENT
    return value


@lru_cache(maxsize=50_000)
def _line_gains(counts: tuple[int, ...]) -> tuple[float, ...]:
    """Return what one more token on each line is worth."""
    current_value = _processed_value(counts)
    return tuple(
        _processed_value((*counts[:index], count + 1, *counts[index + 1 :])) - current_value
        for index, count in enumerate(counts)
    )


def _are_hatched_lines_open(counts: tuple[int, ...]) -> bool:
    return all(counts[index] >= last_slot for index, last_slot in _OPENING_LINES)


def _best_line(
    counts: tuple[int, ...], line_plastics: list[Plastic | None], plastic: Plastic
) -> tuple[float, int] | None:
    """Return the gain and the index of the line where a token gains most, the upper of equals.

    None: no line takes it.
    """
    hatched = plastic in _HATCHED_PLASTICS
    if hatched and not _are_hatched_lines_open(counts):
        return None
    gains = _line_gains(counts)
    return max(
        (
            (gains[index], index)
            for index, facts in enumerate(_LINE_FACTS)
            if facts.hatched is hatched
            and counts[index] < facts.slot_count
            and (line_plastics[index] is None or line_plastics[index] is plastic)
        ),
        key=lambda each: (each[0], -each[1]),
        default=None,
    )


@lru_cache(maxsize=50_000)
def compute_factory_value(lines: tuple[Tokens, ...], cargo: Tokens) -> FactoryValue:
    """Return what a factory and the cargo that is bound for it are worth."""
    counts_before = tuple(map(len, lines))
    line_plastics: list[Plastic | None] = [tokens[0] if tokens else None for tokens in lines]
    cargo_left = Counter(cargo)
    counts, unloads = _unload_best_first(counts_before, line_plastics, cargo_left)
    processed_value = _processed_value(counts_before)
    are_hatched_lines_open = _are_hatched_lines_open(counts)
    waiting_token_count = (
        0 if are_hatched_lines_open else sum(cargo_left[plastic] for plastic in _HATCHED_PLASTICS)
    )
    waiting_token_value = _waiting_token_value(counts)
    gains = {
        plastic: best[0] if (best := _best_line(counts, line_plastics, plastic)) is not None else 0.0
        for plastic in PLASTICS
    }
    if not are_hatched_lines_open and waiting_token_count < _MAX_WAITING_TOKENS:
        gains |= dict.fromkeys(_HATCHED_PLASTICS, waiting_token_value)
    wanted_token_count = min(waiting_token_count, _MAX_WAITING_TOKENS)
    useless_token_count = sum(cargo_left.values()) - wanted_token_count
    return FactoryValue(
        processed_value=processed_value,
        unloading_value=_processed_value(counts) - processed_value,
        unloads=unloads,
        gains=gains,
        useless_token_count=useless_token_count,
        waiting_value=wanted_token_count * waiting_token_value,
    )


def _unload_best_first(
    counts: tuple[int, ...], line_plastics: list[Plastic | None], cargo_left: Counter[Plastic]
) -> tuple[tuple[int, ...], tuple[tuple[Plastic, FactoryLine], ...]]:
    """Move cargo to the lines where it gains most, changing both; return the new counts and the unloads."""
    unloads: list[tuple[Plastic, FactoryLine]] = []
    while True:
        candidates = [
            (*best, plastic)
            for plastic in cargo_left
            if cargo_left[plastic] and (best := _best_line(counts, line_plastics, plastic)) is not None
        ]
        if not candidates:
            return counts, tuple(unloads)
        _, index, plastic = max(candidates, key=lambda each: (each[0], -each[1]))
        counts = (*counts[:index], counts[index] + 1, *counts[index + 1 :])
        line_plastics[index] = plastic
        cargo_left[plastic] -= 1
        unloads.append((plastic, _FACTORY_LINES[index]))


def _waiting_token_value(counts: tuple[int, ...]) -> float:
    """Return what a token is worth that waits for the hatched lines: more, the sooner these open."""
    filled_slot_count = sum(min(last_slot, counts[index]) for index, last_slot in _OPENING_LINES)
    empty_value, full_value = _WAITING_TOKEN_VALUES
    return empty_value + (full_value - empty_value) * (filled_slot_count / _OPENING_SLOT_COUNT)


def factory_value_of(board: PlayerBoard) -> FactoryValue:
    """Return what a board's factory and the cargo of both its ships are worth."""
    return compute_factory_value(board.lines, (*board.cargo[0], *board.cargo[1]))


class ShipGoal(NamedTuple):
    """The best tile for a ship to sail to; ``target`` and ``route`` are None if none is of value."""

    value: float = 0.0
    target: Hex | None = None
    route: SeaRoute | None = None


class _DiscountedRoute(NamedTuple):
    """A ship's best route to a tile."""

    target: Hex
    target_index: int
    factor: float
    """What the value of the tile as a goal is multiplied by."""
    route: SeaRoute


@lru_cache(maxsize=50_000)
def _discounted_routes(seat_count: int, place: Hex, row: tuple[int, ...]) -> tuple[_DiscountedRoute, ...]:
    """Return the best route to each tile for a ship with a row of dice."""
    best_routes = []
    for target, routes in sea_routes(seat_count)[place].items():
        factor, route = max(
            (
                (
                    _STEP_FACTOR ** len(route.faces) * _MISSING_DIE_FACTOR ** len(missing_faces(route, row)),
                    route,
                )
                for route in routes
            ),
            key=lambda each: each[0],
        )
        best_routes.append(_DiscountedRoute(target, HEX_INDEX[target], factor, route))
    return tuple(best_routes)


@cache
def _dock_tiles(seat_count: int, factory: Hex) -> frozenset[Hex]:
    return frozenset(docks(seat_count, factory))


def useless_token_value(remaining_token_count: int) -> float:
    """Return the value of a token aboard that no line will take: it fills a space, but scores at the end."""
    value_with_none_left, value_with_many_left = _USELESS_TOKEN_VALUES
    many_left_share = min(1.0, remaining_token_count / _MANY_TOKENS_LEFT)
    return value_with_none_left + (value_with_many_left - value_with_none_left) * many_left_share


def ship_goals(state: PolicyState, seat_count: int, factory_value: FactoryValue) -> tuple[ShipGoal, ShipGoal]:
    """Return each ship's best goal; the first ship's tile counts less for the second ship."""
    first_goal = _ship_goal(state, seat_count, factory_value, 1, None)
    return first_goal, _ship_goal(state, seat_count, factory_value, 2, first_goal.target)


def _ship_goal(
    state: PolicyState, seat_count: int, factory_value: FactoryValue, ship: int, other_target: Hex | None
) -> ShipGoal:
    """Return a ship's best goal; ``other_target``: the other ship's goal, None: unknown or none."""
    board, ocean = state.board, state.ocean
    place = board.ships[ship - 1]
    if place is None or board.factory is None:
        return ShipGoal()
    aboard = board.cargo[ship - 1]
    room = SHIP_CAPACITY - len(aboard)
    docked_cargo_value = _docked_cargo_value(state, aboard) if aboard else 0.0
    dock_tiles = _dock_tiles(seat_count, board.factory)
    useless_gain = max(0.0, useless_token_value(state.remaining_token_count))
    gains, best_goal = factory_value.gains, ShipGoal()
    for target, target_index, factor, route in _discounted_routes(seat_count, place, board.rows[ship - 1]):
        target_value = docked_cargo_value if target in dock_tiles else 0.0
        tokens = ocean[target_index]
        if room and tokens:
            token_gains = [gains[plastic] or useless_gain for plastic in tokens]
            if len(token_gains) > room:
                token_gains = sorted(token_gains, reverse=True)[:room]
            target_value += (
                _AT_SEA_SHARE * sum(token_gains) * (_SAME_GOAL_SHARE if target is other_target else 1.0)
            )
        if target_value * factor > best_goal.value:
            best_goal = ShipGoal(target_value * factor, target, route)
    return best_goal


def _docked_cargo_value(state: PolicyState, aboard: Tokens) -> float:
    """Return what counts of a ship's cargo where its goal touches the factory; more if unloading it wins."""
    board = state.board
    factory_value = compute_factory_value(board.lines, aboard)
    value = _DOCKED_SHARE * factory_value.unloading_value
    unload_count = len(factory_value.unloads)
    ends_game = board.processed_count + unload_count >= TOKENS_TO_END
    # A token brings at least one point more in the factory than aboard.
    if ends_game and board_points(board) + unload_count >= state.points_to_beat:
        value += _WINNING_CARGO_VALUE
    return value


def ending_value(state: PolicyState) -> float:
    """Return what it is worth that the game ends here, by the tokens that the player has processed."""
    if state.board.processed_count < TOKENS_TO_END:
        return 0.0
    return _WIN_VALUE if board_points(state.board) >= state.points_to_beat else -_WIN_VALUE


def evaluate(state: PolicyState, seat_count: int) -> float:
    """Return what a state is worth to its player, in points."""
    board = state.board
    factory_value = factory_value_of(board)
    value = factory_value.processed_value
    value += _ABOARD_SHARE * (factory_value.unloading_value + factory_value.waiting_value)
    value += factory_value.useless_token_count * useless_token_value(state.remaining_token_count)
    value += sum(goal.value for goal in ship_goals(state, seat_count, factory_value))
    value += ending_value(state)
    return value + _PLANNED_DIE_VALUE * sum(len(board.rows[ship - 1]) for ship in SHIPS) + state.drawn_value
