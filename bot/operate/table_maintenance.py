"""Work on one table of a stopped bot: replay, freeze, thaw."""

import contextlib
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bot.host.deciders import moderation
from bot.host.game_guard import GameFault
from bot.host.loading import UnreadableTable, find_divergence, game_timeout_key
from bot.host.request import Refusal
from bot.host.table import Games
from bot.host.tables import Tables
from bot.host.thawing import private_reason_hint, replay_and_thaw_as_operator
from bot.store.protocol import StoreError
from bot.store.rows import LIVE_STATUSES, Status, StoredTable


class ReplayReport(NamedTuple):
    """What a replay of a table's records has shown."""

    agrees: bool
    """Whether it gave the stored state."""
    line: str
    """The outcome as a line for the operator."""


def replay_and_report(
    stored: StoredTable, games: Games, *, with_private_reason: bool = False
) -> ReplayReport:
    """Replay a table's records, and return whether they give its stored state.

    ``with_private_reason``: the line may quote what a player holds.  An operator may play at the table, too.
    """
    row = stored.row
    title = f"Table No. {row.number} ({row.game_key}, rules {row.rules_version}, {row.status.value})"
    divergence = find_divergence(stored, games)
    if divergence is None:
        line = f"{title}: its records ({len(stored.records)}) replay to the stored state."
        return ReplayReport(agrees=True, line=line)
    place_text = f"record {divergence.ply} is the first that differs" if divergence.ply else ""
    if divergence.quotes_data and not with_private_reason:
        hint = private_reason_hint(row.number, divergence)
        return ReplayReport(agrees=False, line=f"{title}: {place_text or divergence.redacted_text}.{hint}")
    line = f"{title}: {place_text}{place_text and ': '}{divergence.reason}."
    return ReplayReport(agrees=False, line=line)


async def require_known_game(tables: Tables, number: int, file: Path) -> None:
    """Raise Refusal for a table that is not there or whose game is unknown, StoreError for a damaged one.

    ``file``: the database.
    """
    stored = await tables.store.load(number)
    if stored is None:
        raise Refusal(no_table_text(number, file))
    if stored.row.game_key not in tables.games:
        raise Refusal(replay_and_report(stored, tables.games).line)


def no_table_text(number: int, file: Path) -> str:
    """Return the sentence that a database has no table of a number."""
    return f"There is no table No. {number} in {file}."


def operator_error(unreadable: UnreadableTable) -> GameFault | StoreError:
    """Return the error to show to an operator instead of the refusal for players."""
    cause = unreadable.__cause__
    if isinstance(cause, GameFault | StoreError):
        return cause
    return StoreError(f"What is stored of table {unreadable.table_number} cannot be read.")


async def freeze(tables: Tables, number: int, reason: str) -> str:
    """Freeze a table; the reason is posted there.  Raises Refusal, GameFault, StoreError.

    A table that cannot be replayed is frozen when it is loaded, without the reason.
    """
    stored = await tables.store.load(number)
    was_frozen = stored is not None and stored.row.status is Status.FROZEN
    try:
        return (await tables.change(number, None, partial(moderation.freeze, reason=reason))).answer
    except Refusal:
        if was_frozen or (await tables.get(number)).status is not Status.FROZEN:
            raise
    return f"Table No. {number} is frozen now, but without your reason: `replay {number}` says what differs."


async def thaw(tables: Tables, number: int, reason: str) -> str:
    """Continue a frozen table whose records replay to its stored state.

    A finished table that took too long to load is only marked as loadable again.  Raises Refusal, GameFault,
    StoreError.
    """
    timeout_mark = await tables.store.get_metadata(game_timeout_key(number))
    if not timeout_mark:
        return (await replay_and_thaw_as_operator(tables, number, reason)).answer
    await tables.store.set_metadata(game_timeout_key(number), "")
    try:
        table = await tables.get(number)
        if table.status not in LIVE_STATUSES:
            return f"Table No. {number} can be loaded again."
        return (await replay_and_thaw_as_operator(tables, number, reason)).answer
    except (Refusal, GameFault, StoreError):
        with contextlib.suppress(StoreError):  # the first error says more
            await tables.store.set_metadata(game_timeout_key(number), timeout_mark)
        raise
