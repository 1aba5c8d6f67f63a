"""Erases what is stored about a person, table by table."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from bot.host.deciders import erasing
from bot.host.game_guard import GameFault
from bot.host.request import Refusal, Request
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from rules.players import DEFAULT_COMPUTER
from rules.text import counted

_BATCH_SIZE: Final = 200
"""How many tables one read of the store returns at most."""

_log = logging.getLogger(__name__)


class SettingsNotErased(Refusal):
    """The settings of a person could not be deleted, after the person was erased from tables."""


async def numbers_of_tables_naming(tables: Tables, user: int) -> tuple[int, ...]:
    """Return the numbers of the tables whose rows may name a user.  Raises StoreError."""
    numbers: list[int] = []
    while True:
        last_number = numbers[-1] if numbers else 0
        batch = await tables.store.numbers_of_tables_naming(user, last_number, _BATCH_SIZE)
        numbers += batch
        if len(batch) < _BATCH_SIZE:
            return tuple(numbers)


async def erase_person(
    tables: Tables, request: Request, report: Callable[[int, int], Awaitable[None]]
) -> int:
    """Erase the requester from all tables, and their settings; return at how many tables it failed.

    ``report`` is called with how many tables are done, and of how many.  A repeat erases what is left.
    Raises StoreError if the tables cannot be found, SettingsNotErased.
    """
    failure_count = 0
    numbers = await numbers_of_tables_naming(tables, request.user)
    for done_count, number in enumerate(numbers, 1):
        decide = partial(erasing.erase_from_table, request=request, computer=DEFAULT_COMPUTER)
        try:
            # In its channel: a departure from a lobby may start its game.
            await tables.change_that_may_start_game(number, None, decide)
        except (Refusal, GameFault, StoreError):  # one table's fault must not hold up the others
            _log.exception("person not erased from a table", extra={"table": number})
            failure_count += 1
        await report(done_count, len(numbers))
    try:
        await tables.person_preferences.delete(request.user)
    except StoreError as error:
        _log.exception("settings not erased")
        tables_text = ", but your tables were changed" if numbers else ""
        if failure_count:
            tables_text = f", and {counted(failure_count, 'table')} could not be changed"
        raise SettingsNotErased(
            f"Your settings could not be erased now{tables_text}."
            " Use `/forget` again later; the bot's operator can see why."
        ) from error
    return failure_count
