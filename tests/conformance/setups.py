"""Which games are tried, with which numbers of seats and which options."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.model import Options
from rules.options import options_of, parse_options, write_options
from tests.docs.game_guide import TOY_GAMES


@dataclass(frozen=True)
class GameSetup:
    """How a match is set up: its game, number of seats and options."""

    game: AnyGame
    seat_count: int
    options: Options

    def __str__(self) -> str:
        """Name the setup in a test's id."""
        return f"{self.game.key}-{self.seat_count}-{write_options(self.options).replace(' ', ',') or 'plain'}"


@cache
def all_games() -> tuple[AnyGame, ...]:
    """Return every registered game and the contributor guide's."""
    return (*GAMES.values(), *(game for key, game in TOY_GAMES.items() if key not in GAMES))


def games_with_secrets() -> dict[str, AnyGame]:
    """Return the games with secrets, by key."""
    return {game.key: game for game in all_games() if game.hidden_information}


def open_games() -> dict[str, AnyGame]:
    """Return the games in which everybody sees everything, by key."""
    return {game.key: game for game in all_games() if not game.hidden_information}


@cache
def covering_setups(game: AnyGame) -> tuple[GameSetup, ...]:
    """Return setups that cover every number of seats and every pair of values of two options."""
    default_setups = [GameSetup(game, seat_count, game.options_type()) for seat_count in game.player_counts]
    allowed = [setup for setup in default_setups if game.setup_error(setup.seat_count, setup.options) is None]
    return _cover_value_pairs(game, _factors(game), allowed)


@cache
def short_covering_setups(game: AnyGame) -> tuple[GameSetup, ...]:
    """Return covering setups of short games: options that are numbers, as a turn cap, at their least."""
    short_factors = [
        (name, values[:1] if values[0].isdigit() else values) for name, values in _factors(game)[1:]
    ]
    return _cover_value_pairs(game, [_factors(game)[0], *short_factors], [])


def _factors(game: AnyGame) -> list[tuple[str, tuple[str, ...]]]:
    options: type[Options] = game.options_type
    return [
        ("seats", tuple(str(seat_count) for seat_count in game.player_counts)),
        *((choice.name, _values_to_try(choice.values, choice.default)) for choice in options_of(options)),
    ]


def _cover_value_pairs(
    game: AnyGame, factors: list[tuple[str, tuple[str, ...]]], given_setups: list[GameSetup]
) -> tuple[GameSetup, ...]:
    """Return ``given_setups`` and as many more as cover every pair of values that may stand together."""
    pairs_by_row = {row: _pairs(row) for row in _valid_rows(game, factors)}
    missing = {pair for row_pairs in pairs_by_row.values() for pair in row_pairs}
    for setup in given_setups:
        missing -= _pairs(_make_row(setup, factors))
    setups = list(given_setups)
    while missing:
        best = max(pairs_by_row, key=lambda row: len(missing & pairs_by_row[row]))
        missing -= pairs_by_row[best]
        setups.append(_make_setup(game, best))
    return tuple(setups)


def setups_for_each_seat_count(game: AnyGame) -> tuple[GameSetup, ...]:
    """Return one setup for each number of seats: the first of ``covering_setups``, mostly with defaults."""
    return _one_for_each_seat_count(covering_setups(game))


def short_setups_for_each_seat_count(game: AnyGame) -> tuple[GameSetup, ...]:
    """Return one setup for each number of seats: the first of ``short_covering_setups``."""
    return _one_for_each_seat_count(short_covering_setups(game))


def _one_for_each_seat_count(setups: tuple[GameSetup, ...]) -> tuple[GameSetup, ...]:
    return tuple({setup.seat_count: setup for setup in reversed(setups)}.values())


_MAX_ROWS = 3000
"""Combinations of values from which setups are picked, at most."""
Row = tuple[tuple[str, str], ...]
"""A setup as text: each factor, the seats first, with its value."""


def _values_to_try(values: tuple[str, ...], default: str) -> tuple[str, ...]:
    """Return the least and the default of a number, all values of anything else."""
    return tuple(dict.fromkeys((values[0], default))) if values[0].isdigit() else values


def _valid_rows(game: AnyGame, factors: list[tuple[str, tuple[str, ...]]]) -> Iterator[Row]:
    names = [name for name, _ in factors]
    rows = [tuple(zip(names, values, strict=True)) for values in itertools.product(*(v for _, v in factors))]
    random.Random(1).shuffle(rows)
    for row in rows[:_MAX_ROWS]:
        setup = _make_setup(game, row)
        if game.setup_error(setup.seat_count, setup.options) is None:
            yield row


def _make_setup(game: AnyGame, row: Row) -> GameSetup:
    return GameSetup(game, int(row[0][1]), _parse_values(game, row[1:]))


@cache
def _parse_values(game: AnyGame, values: Row) -> Options:
    """Return options with these values, which the rows of all numbers of seats share."""
    options_type: type[Options] = game.options_type
    return parse_options(options_type, " ".join(f"{name}={value}" for name, value in values))


def _make_row(setup: GameSetup, factors: list[tuple[str, tuple[str, ...]]]) -> Row:
    written_values = dict(word.split("=") for word in write_options(setup.options).split())
    defaults = {choice.name: choice.default for choice in options_of(type(setup.options))}
    values = {"seats": str(setup.seat_count), **defaults, **written_values}
    return tuple((name, values[name]) for name, _ in factors)


def _pairs(row: Row) -> set[tuple[tuple[str, str], ...]]:
    """Return every two values of a row; the one value of a game without options."""
    return set(itertools.combinations(row, min(2, len(row))))
