"""Lets a frozen game go on if this release replays its records to its stored state."""

from collections.abc import Callable
from typing import TypeAlias

from bot.host.committer import ChangeResult
from bot.host.deciders import moderation
from bot.host.deciders.decision import Decision
from bot.host.loading import find_divergence_with
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.protocol import Divergence
from bot.store.rows import Status

_Replay: TypeAlias = Callable[[], Divergence | None]
"""Replays the stored records and returns what differs."""


async def replay_and_thaw_as_admin(
    tables: Tables, number: int, request: Request, reason: str
) -> ChangeResult:
    """Unfreeze a game as an admin of its server.  Raises Refusal, GameFault, StoreError."""

    def decide(table: Table, replay: _Replay) -> Decision:
        decision = moderation.thaw_as_admin(table, request, reason)
        if replay() is not None:
            raise Refusal(
                "It stays frozen, since I cannot replay its moves. The bot's operator can fix this."
            )
        return decision

    return await _thaw(tables, number, request, decide)


async def replay_and_thaw_as_operator(tables: Tables, number: int, reason: str) -> ChangeResult:
    """Unfreeze a game as the bot's operator.  Raises Refusal with what differs, GameFault, StoreError."""

    def decide(table: Table, replay: _Replay) -> Decision:
        if table.status is Status.FROZEN and (divergence := replay()) is not None:
            raise Refusal(
                f"It stays frozen, since this release plays it differently: {divergence.redacted_text}."
                f"{private_reason_hint(number, divergence)}"
            )
        return moderation.thaw(table, reason)

    return await _thaw(tables, number, None, decide)


def private_reason_hint(number: int, divergence: Divergence) -> str:
    """Return the sentence, after a blank, how an operator reads a reason that was left out; else empty."""
    if not divergence.quotes_data:
        return ""
    return f" `replay {number} --reason` says why, which may name what a player holds."


async def _thaw(
    tables: Tables, number: int, request: Request | None, decide: Callable[[Table, _Replay], Decision]
) -> ChangeResult:
    """Unfreeze a game; it may have been loaded from its snapshot alone, so its records are replayed first."""
    stored = await tables.store.load(number)

    def decide_on(table: Table) -> Decision:
        return decide(table, lambda: None if stored is None else find_divergence_with(stored, table.game))

    return await tables.change(number, request, decide_on, in_worker=True)
