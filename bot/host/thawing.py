"""Lets a frozen game go on for an admin, if this release replays its records to its stored state."""

from bot.host.deciders import moderation
from bot.host.deciders.decision import Decision
from bot.host.loading import find_divergence_under
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import ChangeResult, Tables


async def thaw_as_admin(tables: Tables, number: int, request: Request, reason: str) -> ChangeResult:
    """Unfreeze a game as an admin of its server.  Raises Refusal, GameFault, StoreError.

    A frozen table may be loaded from its snapshot alone, so its records are replayed first.
    """
    stored = await tables.store.load(number)

    def decide(table: Table) -> Decision:
        decision = moderation.thaw_as_admin(table, request, reason)
        if stored is not None and find_divergence_under(stored, table.game) is not None:
            raise Refusal(
                "It stays frozen, since I cannot replay its moves. The bot's operator can fix this."
            )
        return decision

    return await tables.change(number, request, decide, in_thread=True)
