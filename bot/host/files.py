"""A table's match as a file to keep."""

from bot.host.play import unseen
from bot.host.table import Refusal, stored_records
from bot.host.tables import Tables
from rules.game import Seat
from rules.matchfile import match_file, write_match


async def file_of(tables: Tables, number: int, viewer: Seat | None) -> str:
    """The match file: whole, with its seed, once the game is over; before that as ``viewer`` may know it."""
    table = await tables.get(number)
    stored = await tables.store.load(number)
    if table.match is None or stored is None:
        raise Refusal(unseen(table))
    records = stored_records(table.game, stored.records)[: table.match.ply]
    whole = match_file(
        table.match, records, table.match_id, commitment=table.commitment, with_seed=table.match.over
    )
    return write_match(whole if table.match.over else whole.seen_by(viewer))
