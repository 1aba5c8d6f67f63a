"""The release after this one, whose schema has one more step.

``python -m tests.bot.store.later_release run`` starts its bot.
"""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final
from unittest.mock import patch

from bot.__main__ import main
from bot.host.deciders import moderation
from bot.host.tables import Tables
from bot.store.migrations import Migration, released_migrations
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    begin,
    default_setup,
    make_move,
    request_of_person,
)

CURRENT_MIGRATIONS: Final = released_migrations()
LATER_MIGRATION: Final = Migration(
    len(CURRENT_MIGRATIONS) + 1,
    "alter table matches add column later integer not null default 0;\n"
    "create table later (a integer) strict;\n",
)


@contextmanager
def later_release(*migrations: Migration) -> Iterator[None]:
    """Run code meanwhile as the later release; ``migrations``: its own in place of ``LATER_MIGRATION``."""
    all_migrations = (*CURRENT_MIGRATIONS, *(migrations or (LATER_MIGRATION,)))
    with (
        patch("bot.store.connection.released_migrations", lambda: all_migrations),
        patch("bot.store.inspection.released_migrations", lambda: all_migrations),
    ):
        yield


async def play_games(store: SqliteStore) -> list[Status]:
    """Play a game that goes on, one to its end, one that is paused and another; return their statuses."""
    tables, rng = Tables(store, GAMES), random.Random(1)
    setup = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2)
    numbers = [await begin(tables, setup) for _ in range(4)]
    for number in numbers:
        for _ in range(4):
            await make_move(tables, number, rng)
    while (await tables.get(numbers[1])).status is Status.PLAYING:
        await make_move(tables, numbers[1], rng)
    host_request = request_of_person(0)
    await tables.change(numbers[2], host_request, partial(moderation.pause, request=host_request))
    return [(await tables.get(number)).status for number in numbers]


if __name__ == "__main__":
    with later_release():
        sys.exit(main(sys.argv[1:]))
