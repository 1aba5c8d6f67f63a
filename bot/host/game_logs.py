"""Guarded calls of a table's game for its log and its match file, in a thread where much is replayed.

Each function raises GameFault if the game fails.
"""

from bot.host.game_calls import match_of
from bot.host.game_guard import guarded
from bot.host.game_workers import WorkersBusy, run_game_work, run_narration
from bot.host.loading import parse_records
from bot.host.table import Table
from bot.host.table_turns import current_turn_start, is_first_turn, newest_finished_turn, story_start
from bot.store.rows import RecordRow, Status
from rules.matchfile import make_match_file, write_match_file
from rules.model import Seat
from rules.record import LogLine


async def log_lines(table: Table, viewer: Seat | None, first: int = 0) -> tuple[LogLine, ...]:
    """Return the log as a viewer may know it, from index ``first`` of the history on.

    Raises GameFault, WorkersBusy.
    """
    return await run_narration(table, lambda: _log_lines(table, viewer, first), first)


@guarded
def _log_lines(table: Table, viewer: Seat | None, first: int) -> tuple[LogLine, ...]:
    return table.narrate(match_of(table), viewer, first)


async def log_lines_since_last_turn(table: Table, seat: Seat) -> tuple[LogLine, ...]:
    """Return the log since the last turn that a seat's player finished, as the player may know it.

    What came before their first turn, such as the deal of the hand that the choices below it show, is told as
    everybody may know it.  Raises GameFault, WorkersBusy.
    """
    start = story_start(table, seat)
    if not is_first_turn(table, seat):
        return await log_lines(table, seat, start)
    turn_start = max(start, current_turn_start(table))
    return *table.log_lines(start, turn_start), *await log_lines(table, seat, turn_start)


async def log_lines_with_last_turn(table: Table, seat: Seat) -> tuple[LogLine, ...] | None:
    """Return the log since the last turn that a seat finished began, as its player may know it.

    None: there is no such turn, or no thread is free, which is no reason to refuse what has been played.
    Raises GameFault.
    """
    turn = None if table.match is None else newest_finished_turn(table, seat)
    try:
        return None if turn is None else await log_lines(table, seat, turn.start)
    except WorkersBusy:
        return None


async def match_file_text(table: Table, rows: tuple[RecordRow, ...], viewer: Seat | None) -> str:
    """Return the match file as ``viewer`` may know it; after the end the whole file, with the seed.

    Raises GameFault, WorkersBusy.
    """
    return await run_game_work(table, lambda: _match_file_text(table, rows, viewer))


@guarded
def _match_file_text(table: Table, rows: tuple[RecordRow, ...], viewer: Seat | None) -> str:
    match = match_of(table)
    records = parse_records(table.game, rows)
    ended_early = table.status is Status.ENDED_EARLY
    has_ended = match.is_over or ended_early
    match_file = make_match_file(
        match,
        records[: match.ply],
        table.match_id,
        fairness_code=table.first_fairness_code,
        seed=table.row.seed if has_ended else None,
        ended_early=ended_early,
    )
    return write_match_file(match_file if has_ended else match_file.seen_by(viewer))
