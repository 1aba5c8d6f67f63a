"""Work on one table of a stopped bot: replay, freeze, thaw."""

import contextlib
from functools import partial

from bot.host.deciders import moderation
from bot.host.loading import find_divergence, find_divergence_under, timeout_key
from bot.host.request import Refusal
from bot.host.table import Games, Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.rows import LIVE_STATUSES, Status, StoredTable


def check_replay(stored: StoredTable, games: Games) -> tuple[bool, str]:
    """Return whether replaying a table's records gives its stored state, and a line about the outcome."""
    row = stored.table
    title = f"Table No. {row.number} ({row.game}, rules {row.rules_version}, {row.status.value})"
    divergence = find_divergence(stored, games)
    if divergence is None:
        return True, f"{title}: its records ({len(stored.records)}) replay to the stored state."
    where = f"record {divergence.ply} is the first that differs: " if divergence.ply else ""
    return False, _as_sentence(f"{title}: {where}{divergence.reason}")


def _as_sentence(text: str) -> str:
    """Return a text with a full stop, which some reasons of divergences have and others not."""
    return text if text.endswith((".", "…")) else f"{text}."


async def freeze(tables: Tables, number: int, reason: str) -> str:
    """Freeze a table; the reason is posted there.  Raises Refusal, StoreError."""
    return (await tables.change(number, None, partial(moderation.freeze, reason=reason))).answer


async def thaw(tables: Tables, number: int, reason: str) -> str:
    """Continue a frozen table whose records replay to its stored state.  Raises Refusal, StoreError.

    A finished table that took too long to load is only marked as loadable again.
    """
    timeout_mark = await tables.store.get_metadata(timeout_key(number))
    if not timeout_mark:
        return await _thaw(tables, await tables.get(number), reason)
    await tables.store.set_metadata(timeout_key(number), "")
    try:
        table = await tables.get(number)
        if table.status not in LIVE_STATUSES:
            return f"Table No. {number} can be loaded again."
        return await _thaw(tables, table, reason)
    except (Refusal, StoreError):
        with contextlib.suppress(StoreError):  # the first error says more
            await tables.store.set_metadata(timeout_key(number), timeout_mark)
        raise


async def _thaw(tables: Tables, table: Table, reason: str) -> str:
    number = table.number
    stored = await tables.store.load(number)
    divergence = None if stored is None else find_divergence_under(stored, table.game)
    if divergence is not None and table.status is Status.FROZEN:
        text = f"It stays frozen, since this release plays it differently: {divergence}"
        raise Refusal(_as_sentence(text))
    return (await tables.change(number, None, partial(moderation.thaw, reason=reason))).answer
