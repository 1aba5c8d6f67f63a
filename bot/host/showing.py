"""What a table shows is made by its game's rules, words and pictures: a fault there stays with that game."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bot.host.table import Refusal
from bot.host.tables import GameFault, Tables
from bot.store.protocol import StoreError

NO_FAULT_OF_A_GAME: Final = (Refusal, StoreError, GameFault, MemoryError, OSError)
"""What no game is to blame for: it says no, the store or the machine fails, or it is known already."""


@asynccontextmanager
async def showing(tables: Tables, number: int) -> AsyncIterator[None]:
    """Around whatever asks a table's game for something to show; nothing is sent inside.

    Raises GameFault where that fails; a game that goes on is then frozen.
    """
    try:
        yield
    except NO_FAULT_OF_A_GAME:
        raise
    except Exception as error:
        raise GameFault(await tables.fault(number, error)) from error
