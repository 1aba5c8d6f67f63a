"""Which games are tried, with which numbers of seats and which options."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from rules.catalogue import GAMES
from rules.game import AnyGame, Options
from rules.options import choices_of, parse_options, write_options
from tests.docs.guide import toy_game


@dataclass(frozen=True)
class Setting:
    """One table: a game, a number of seats, options."""

    game: AnyGame
    seats: int
    options: Options

    def __str__(self) -> str:
        """Name the table in a test's id."""
        return f"{self.game.key}-{self.seats}-{write_options(self.options).replace(' ', ',') or 'plain'}"


@cache
def all_games() -> tuple[AnyGame, ...]:
    """Every registered game and the contributor guide's."""
    return (*GAMES.values(), toy_game())


def settings_of(game: AnyGame) -> tuple[Setting, ...]:
    """Tables that hold every allowed number of seats and every two values of two options together."""
    plain = [Setting(game, seats, game.options()) for seats in game.seats]
    tables = [setting for setting in plain if game.setup_error(setting.seats, setting.options) is None]
    options: type[Options] = game.options
    factors = [
        ("seats", tuple(str(seats) for seats in game.seats)),
        *((choice.name, _few(choice.values, choice.default)) for choice in choices_of(options)),
    ]
    fitting = list(_fitting(game, factors))
    wanted = {pair for row in fitting for pair in _pairs(row)}
    for setting in tables:
        wanted -= _pairs(_row(setting, factors))
    while wanted:
        best = max(fitting, key=lambda row: len(wanted & _pairs(row)))
        wanted -= _pairs(best)
        tables.append(_setting(game, best))
    return tuple(tables)


def short_settings_of(game: AnyGame) -> tuple[Setting, ...]:
    """The same tables with every number among the options at its least: where each act costs much."""
    options: type[Options] = game.options
    numbers = {choice.name: choice.values[0] for choice in choices_of(options) if choice.values[0].isdigit()}
    found = []
    for setting in settings_of(game):
        words = dict(word.split("=") for word in write_options(setting.options).split()) | numbers
        text = " ".join(f"{name}={value}" for name, value in words.items())
        found.append(Setting(game, setting.seats, parse_options(game.options, text)))
    return tuple(dict.fromkeys(found))


Row = tuple[tuple[str, str], ...]


def _few(values: tuple[str, ...], default: str) -> tuple[str, ...]:
    """A number is tried at its least and at its default."""
    return tuple(dict.fromkeys((values[0], default))) if values[0].isdigit() else values


def _fitting(game: AnyGame, factors: list[tuple[str, tuple[str, ...]]]) -> Iterator[Row]:
    names = [name for name, _ in factors]
    rows = [tuple(zip(names, values, strict=True)) for values in itertools.product(*(v for _, v in factors))]
    random.Random(1).shuffle(rows)
    for row in rows[:3000]:
        setting = _setting(game, row)
        if game.setup_error(setting.seats, setting.options) is None:
            yield row


def _setting(game: AnyGame, row: Row) -> Setting:
    text = " ".join(f"{name}={value}" for name, value in row[1:])
    return Setting(game, int(row[0][1]), parse_options(game.options, text))


def _row(setting: Setting, factors: list[tuple[str, tuple[str, ...]]]) -> Row:
    text = dict(word.split("=") for word in write_options(setting.options).split())
    defaults = {choice.name: choice.default for choice in choices_of(type(setting.options))}
    values = {"seats": str(setting.seats), **defaults, **text}
    return tuple((name, values[name]) for name, _ in factors)


def _pairs(row: Row) -> set[tuple[tuple[str, str], tuple[str, str]]]:
    return set(itertools.combinations(row, 2))
