"""Tables in the middle of random games, made without a store."""

import random
from functools import cache
from typing import Final

from bot.host.table import Table
from bot.store.rows import Status, TableRow
from bot.store.seat_rows import SeatRow
from rules.match import Match
from rules.options import write_options
from rules.players import RANDOM_PLAYER
from rules.random_stream import SEED_BYTES
from tests.bot.host.playing import CHANNEL, FIRST_USER, GAMES_AND_TOYS, GUILD, NAMES
from tests.conformance.setups import GameSetup, covering_setups, short_covering_setups
from tests.trials import IS_SOAK

MAX_SHARED_TABLES: Final = 120 if IS_SOAK else 60
"""Not scaled: some tests look for tables that are rare among the longer games of the long run."""
_SEEDS: Final = {"oceans": "b"}
"""Seeds of the tables of games whose usual one brings no table that some test looks for."""


def shared_sample_tables(key: str, count: int = 12 if IS_SOAK else 8) -> list[Table]:
    """Return the first of up to ``MAX_SHARED_TABLES`` sample tables, made once for all tests of a process."""
    return _all_shared_tables(key)[:count]


@cache
def _all_shared_tables(key: str) -> list[Table]:
    return sample_tables(key, MAX_SHARED_TABLES, random.Random(_SEEDS.get(key, f"stories/{key}")))


def sample_tables(key: str, count: int, rng: random.Random) -> list[Table]:
    """Return tables at which a seat must choose, of few seats first; in short games but for the long run."""
    game = GAMES_AND_TOYS[key]
    setups = sorted(covering_setups(game) if IS_SOAK else short_covering_setups(game), key=_seat_count)
    tables: list[Table] = []
    while len(tables) < count:
        setup = setups[len(tables) % len(setups)]
        tables += _tables_of_one_game(setup, rng)[: count - len(tables)]
    return tables


def _seat_count(setup: GameSetup) -> int:
    return setup.seat_count


def _tables_of_one_game(setup: GameSetup, rng: random.Random, max_tables: int = 4) -> list[Table]:
    game = setup.game
    match = Match.begin(game, setup.seat_count, setup.options, rng.randbytes(32))
    matches = []
    while (seat := match.to_act) is not None:
        matches.append(match)
        match = match.play(seat, RANDOM_PLAYER.choose(game, match.view(seat), rng))
    return [make_table(setup, each) for each in rng.sample(matches, min(max_tables, len(matches)))]


def make_table(setup: GameSetup, match: Match) -> Table:
    """Return a table that stands where a match stands."""
    row = TableRow(
        number=9_999_999,
        game_key=setup.game.key,
        rules_version=setup.game.rules_version,
        options=write_options(setup.options),
        status=Status.PLAYING,
        host=FIRST_USER,
        guild=GUILD,
        lobby_channel=CHANNEL,
        game_channel=CHANNEL,
        seed=match.deal_key.key or bytes(SEED_BYTES),
        opened_at=0,
        expires_at=None,
        version=3,
        ply=match.ply,
        snapshot=match.snapshot(),
        seats=tuple(SeatRow(NAMES[seat], user=FIRST_USER + seat) for seat in range(setup.seat_count)),
    )
    return Table(row, setup.game, setup.options, match)
