"""One table from outside: replay it, freeze it, let it go on."""

from functools import partial

from bot.host import moderation
from bot.host.replay_check import divergence_under, find_divergence
from bot.host.table import Games, Refusal
from bot.host.tables import Tables
from bot.store.rows import StoredTable


def replayed(stored: StoredTable, games: Games) -> tuple[bool, str]:
    """Whether a table's records bring it to where it stands, and a line that says so or where they do not."""
    row = stored.table
    what = f"Table No. {row.number} ({row.game}, rules {row.rules_version}, {row.status.value})"
    flaw = find_divergence(stored, games)
    if flaw is None:
        return True, f"{what}: {len(stored.records)} records bring it to where it stands."
    where = f"record {flaw.ply} is the first that differs: " if flaw.ply else ""
    return False, f"{what}: {where}{flaw.reason}."


async def freeze(tables: Tables, number: int, reason: str) -> str:
    """Freeze a table and say why at the table.  Raises Refusal, StoreError."""
    return (await tables.change(number, None, partial(moderation.freeze, reason=_sentence(reason)))).text


async def thaw(tables: Tables, number: int, reason: str) -> str:
    """Let a table go on if its records bring it to where it stands.  Raises Refusal, StoreError."""
    stored = await tables.store.load(number)
    table = await tables.get(number)
    flaw = None if stored is None else divergence_under(stored, table.game)
    if flaw is not None:
        raise Refusal(f"It stays frozen, since this release plays it differently: {flaw}.")
    return (await tables.change(number, None, partial(moderation.thaw, reason=_sentence(reason)))).text


def _sentence(reason: str) -> str:
    text = " ".join(reason.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."
