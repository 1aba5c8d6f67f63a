"""A person at tables who will be erased, and what must be left of them: nothing."""

import random
from functools import partial

import msgspec

from bot.host.deciders import lobby, play
from bot.host.erasing import erase_person
from bot.host.names import escape_markup
from bot.host.request import Request
from bot.host.tables import Tables
from bot.store.sqlite import SqliteStore
from rules.options import write_options
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    GUILD,
    KEY_OF_GAME_WITH_SECRETS,
    default_setup,
    open_lobby,
    request_of_person,
    seat_and_random_action,
)
from tests.bot.store.sample_rows import dump

ERASED_USER = 987_654_321_098_765_432
ERASED_NAME = "Zanzibar_the_Great"


async def check_progress(done_count: int, table_count: int) -> None:
    """Check the progress that an erasure reports, and show nothing."""
    assert done_count <= table_count


def request_of_erased_person(*, is_admin: bool = False) -> Request:
    """Return a request of the person who will be erased."""
    return msgspec.structs.replace(
        request_of_person(0), user=ERASED_USER, name=ERASED_NAME, guild=GUILD, is_admin=is_admin
    )


def request_of_player(seat: int) -> Request:
    """Return a request of a seat's player: the person at the second one."""
    return request_of_erased_person() if seat == 1 else request_of_person(seat)


async def open_table_with_person(tables: Tables) -> int:
    """Open a table at which the person sits at the second seat."""
    setup = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 4)
    number = await open_lobby(tables, setup.game, options=write_options(setup.options))
    for seat in (1, 2, 3):
        await tables.change(
            number, request_of_player(seat), partial(lobby.join, request=request_of_player(seat))
        )
    return number


async def start_game_with_person(tables: Tables, move_count: int = 8) -> int:
    """Start a game with the person, and play some moves of everybody."""
    number = await open_table_with_person(tables)
    await tables.change(
        number,
        request_of_person(0),
        partial(lobby.start, request=request_of_person(0), is_channel_busy=False),
    )
    rng = random.Random(3)
    for _ in range(move_count):
        seat, action = seat_and_random_action(await tables.get(number), rng)
        request = request_of_player(seat)
        await tables.change(number, request, partial(play.play, request=request, actions=(action,)))
    return number


async def require_erased(store: SqliteStore) -> None:
    """Check that nothing in the store names the person."""
    text = "\n".join(await dump(store))
    assert ERASED_NAME not in text
    assert escape_markup(ERASED_NAME) not in text
    assert str(ERASED_USER) not in text
    assert msgspec.msgpack.encode(ERASED_USER).hex().upper() not in text.upper()
    assert ERASED_NAME.encode().hex().upper() not in text.upper()


async def erase(tables: Tables) -> int:
    """Erase the person, as /forget does."""
    return await erase_person(tables, request_of_erased_person(), check_progress)
