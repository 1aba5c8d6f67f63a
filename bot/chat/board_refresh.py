"""Brings the board's message up to date where nothing has changed at its table."""

from bot.host.deciders.decision import BOARD_DELIVERY, Decision
from bot.host.game_guard import GameFault
from bot.host.request import Refusal
from bot.host.table import IN_PLAY, Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError


async def refresh_board(tables: Tables, number: int) -> None:
    """Post or edit a table's board once more.  A failure is ignored: the next move shows the board anyway."""
    try:
        await tables.change(number, None, _queue_board)
    except (Refusal, GameFault, StoreError):
        return


def _queue_board(table: Table) -> Decision | None:
    return Decision(table=table, answer="", deliveries=(BOARD_DELIVERY,)) if table.status in IN_PLAY else None
