"""The operators' commands on the command line."""

import argparse
import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import time
from typing import Final

from bot.config import (
    BACKUPS_VARIABLE,
    DATABASE_VARIABLE,
    ConfigError,
    StorageSettings,
    read_storage_settings,
)
from bot.host.deciders.moderation import MAX_REASON_LENGTH
from bot.host.game_guard import GameFault
from bot.host.loading import UnreadableTable, make_replay_check
from bot.host.names import without_markup
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.operate import table_maintenance
from bot.operate.doctor import run_doctor
from bot.operate.restore import NothingToRestore, Restoration, restore
from bot.operate.restored_tables import RestoreOutcome
from bot.store.backup import SqliteBackups, make_pre_migration_copier, verify_copy
from bot.store.backup_folder import backups_in, lost_database_text
from bot.store.inspection import load_table_of_any_schema, open_read_only, summarize_tables
from bot.store.open_errors import is_lock_error
from bot.store.protocol import StoreError, utc_text
from bot.store.restoring import DatabaseInUse, open_unused_database
from bot.store.rows import StoredTable
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import ALL_RULES, GAMES
from rules.text import counted, counted_in_digits

_OUTCOME_TEXTS: Final = {
    RestoreOutcome.STAYS_CLOSED: "Table No. {number} was over already, and stays so.",
    RestoreOutcome.LOBBY: "Lobby No. {number} went back.",
    RestoreOutcome.GOES_ON: "Table No. {number} went back to move {move}.",
    RestoreOutcome.KEEPS_MOVES: "Table No. {number} went back, but has lost no move.",
    RestoreOutcome.NEEDS_AGREEMENT: (
        "Table No. {number} went back to move {move}. It goes on only once all of its players agree."
    ),
    RestoreOutcome.ENDED_SINCE: "Table No. {number} had ended since, so it stays ended.",
}
"""What became of a table in a restoration."""
_UNRATED_OUTCOMES: Final = {RestoreOutcome.GOES_ON, RestoreOutcome.NEEDS_AGREEMENT}
"""What became of games that may have lost moves: they are not rated."""
_TABLE_HELP: Final = "its number, for example 12"


def add_operator_commands(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the commands to the parser; ``run_operator_command`` runs what it parses."""

    def add(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        parser = commands.add_parser(name, help=text, description=text)
        parser.set_defaults(run=run)
        return parser

    parser = add("backup", _backup, "make a verified backup now (a running bot makes them itself)")
    parser.add_argument("--list", action="store_true", help="list the backups and what each holds instead")
    parser = add(
        "restore",
        _restore,
        "replace the database by a backup; what loses moves is no longer rated; the bot must be stopped",
    )
    parser.add_argument(
        "file", type=Path, nargs="?", help="the backup to restore; default: the newest good one"
    )
    parser = add("doctor", _doctor, "check settings, files, backups and every table")
    parser.add_argument("--all", action="store_true", help="replay every finished table, not 200 of them")
    parser.add_argument("--file", type=Path, help="check this database file only, for example a backup")
    parser = add("replay", _replay, "replay a table from its records and name the first that differs")
    parser.add_argument("table", type=_parse_table_number, help=_TABLE_HELP)
    parser.add_argument("--file", type=Path, help="read this database file, for example a backup")
    parser.add_argument(
        "--reason", action="store_true", help="say why it differs, which may name what a player holds"
    )
    for name, run, text in (
        ("freeze", _freeze, "freeze a game as it stands; the bot must be stopped"),
        ("thaw", _thaw, "continue a frozen game; the bot must be stopped"),
    ):
        parser = add(name, run, text)
        parser.add_argument("table", type=_parse_table_number, help=_TABLE_HELP)
        parser.add_argument("reason", type=_parse_reason, help="a sentence for the players")


def _parse_table_number(text: str) -> int:
    """Parse a table's number.  Raises ArgumentTypeError, also for a number that no database can hold."""
    is_short_number = text.isascii() and text.isdecimal() and len(text) < 20  # int() refuses a long one
    if not is_short_number or not 0 < int(text) < 2**63:
        raise argparse.ArgumentTypeError("invalid number: name the table by its number, for example 12")
    return int(text)


def _parse_reason(text: str) -> str:
    """Parse the reason that players read.  Raises ArgumentTypeError, also for one that is too long."""
    reason = text.strip()
    if not 0 < len(reason) <= MAX_REASON_LENGTH:
        raise argparse.ArgumentTypeError(
            f"invalid reason: write a sentence of at most {MAX_REASON_LENGTH} characters"
        )
    return reason


def run_operator_command(args: argparse.Namespace) -> int:
    """Run a command; return the exit code."""
    try:
        exit_code: int = args.run(args)
    except (ConfigError, NothingToRestore, Refusal, StoreError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        advice = " Run the command as the bot's user." if isinstance(error, PermissionError) else ""
        print(f"{os_error_text(error)}{advice}", file=sys.stderr)
        return 1
    except GameFault as fault:
        cause = fault.__cause__  # its text may quote what players hold
        failure_text = "took too long" if cause is None else f"failed with {type(cause).__name__}"
        print(f"The game at table No. {fault.table_number} {failure_text}.", file=sys.stderr)
        return 1
    return exit_code


def os_error_text(error: OSError) -> str:
    """Return which file cannot be used and why, without the system's number of the error."""
    return str(error) if error.filename is None else f"{error.filename} cannot be used: {error.strerror}."


def _require_database(storage: StorageSettings) -> None:
    """Raise FileNotFoundError, which says what to do, if there is no database."""
    text = lost_database_text(storage.database, storage.backup_folder)
    if not text and not storage.database.exists():
        text = f"There is no database at {storage.database}. Set {DATABASE_VARIABLE} as it is for the bot."
    if text:
        raise FileNotFoundError(text)


async def _open_existing_store(storage: StorageSettings) -> SqliteStore:
    """Open the database, but create none.  Raises FileNotFoundError, StoreError."""
    _require_database(storage)
    before_migrating = make_pre_migration_copier(storage.backup_folder, time)
    return await open_store(storage.database, before_migrating, may_create=False)


def _backup(args: argparse.Namespace) -> int:
    storage = read_storage_settings(os.environ)
    if args.list:
        return _list_backups(storage)

    async def work() -> int:
        try:
            store = await _open_existing_store(storage)
        except StoreError as error:
            if not is_lock_error(error):
                raise
            existing_backups = backups_in(storage.backup_folder)
            newest_text = (
                f"The newest backup is {existing_backups[-1].path}."
                if existing_backups
                else "There is no backup yet."
            )
            print(f"{error}\nA running bot makes its own backups. {newest_text}", file=sys.stderr)
            return 1
        try:
            backups = SqliteBackups(
                store,
                storage.backup_folder,
                make_replay_check(ALL_RULES),
                storage.backup_retention,
            )
            print((await backups.make(time())).path)
        finally:
            await store.close()
        return 0

    return asyncio.run(work())


def _list_backups(storage: StorageSettings) -> int:
    backups = backups_in(storage.backup_folder)
    if not backups:
        text = f"There is no backup in {storage.backup_folder}. Set {BACKUPS_VARIABLE} as it is for the bot."
        print(text, file=sys.stderr)
        return 1
    exit_code = 0
    for backup in backups:
        try:
            verify_copy(backup.path)
            summary = summarize_tables(backup.path)
        except StoreError as error:
            print(f"{backup.path}: {error}", flush=True)
            exit_code = 1
            continue
        active_text = f", the last move at {utc_text(summary.active_at)}" if summary.active_at else ""
        counts_text = f"{counted_in_digits(summary.table_count, 'table')}, {summary.live_count} live"
        print(f"{backup.path}: {counts_text}{active_text}", flush=True)
    return exit_code


def _restore(args: argparse.Namespace) -> int:
    for line in restoration_lines(
        asyncio.run(restore(read_storage_settings(os.environ), ALL_RULES, time(), args.file))
    ):
        print(line)
    return 0


def restoration_lines(restoration: Restoration) -> list[str]:
    """Return what a restoration did, one line for each finding."""
    outcomes = restoration.tables
    lines = [
        *(f"A newer backup was passed over: {text}" for text in restoration.passed_over),
        f"Restored from {restoration.source}.",
        f"This backup holds {counted(restoration.table_count, 'table')}.",
    ]
    if restoration.has_whole_backup:
        lines.append("The bot made it of all that the lost database held: nothing is lost.")
    if restoration.replaced_path is not None:
        lines.append(f"The replaced database is kept as {restoration.replaced_path}.")
    lines += [
        _OUTCOME_TEXTS[each.outcome].format(number=each.number, move=each.move_number)
        for each in outcomes.restored
    ]
    if _UNRATED_OUTCOMES & {each.outcome for each in outcomes.restored}:
        lines.append("Games that went back are no longer rated.")
    lines += [
        f"Table No. {number} is frozen: this release plays it differently"
        f"{f' from record {ply} on' if ply else ''}."
        for number, ply in outcomes.divergent
    ]
    lines += [f"Table No. {number} cannot be read and stays as it is." for number in outcomes.unreadable]
    if outcomes.lost is None:
        reason = (
            "There was no database"
            if restoration.replaced_path is None
            else "The replaced database is unreadable"
        )
        consequence = ": every live table gets a notice that it went back" if outcomes.restored else ""
        lines.append(f"{reason}{consequence}.")
    elif outcomes.lost:
        lines.append(f"Opened after the backup, and lost: No. {', '.join(map(str, outcomes.lost))}.")
    if outcomes.restored:
        lines.append("Each table that went back gets its notice when the bot starts.")
    return lines


def _doctor(args: argparse.Namespace) -> int:
    report = run_doctor(os.environ, ALL_RULES, time(), args.file, replay_everything=args.all)
    for note in report.notes:
        print(f"ok: {note}")
    for fault in report.faults:
        print(f"FAULT: {fault}")
    return 1 if report.faults else 0


def _replay(args: argparse.Namespace) -> int:
    file, stored = _load_table(args.file, args.table)
    if stored is None:
        print(table_maintenance.no_table_text(args.table, file), file=sys.stderr)
        return 1
    report = table_maintenance.replay_and_report(stored, ALL_RULES, with_private_reason=args.reason)
    print(report.line)
    return 0 if report.agrees else 1


def _load_table(file: Path | None, number: int) -> tuple[Path, StoredTable | None]:
    """Load a table from a file, from the database, or from the newest backup while a bot runs.

    Return the file that was read, and the table; None if the file has none of that number.
    Raises StoreError, FileNotFoundError, ConfigError.
    """
    if file is None:
        storage = read_storage_settings(os.environ)
        _require_database(storage)
        try:
            with open_unused_database(storage.database) as connection:
                return storage.database, load_table_of_any_schema(connection, storage.database, number)
        except DatabaseInUse:
            backups = backups_in(storage.backup_folder)
            if not backups:
                raise
            print(f"A bot uses the database, so its backup of {backups[-1].time_text} is read instead.")
            file = backups[-1].path
    with open_read_only(file) as connection:
        return file, load_table_of_any_schema(connection, file, number)


def _freeze(args: argparse.Namespace) -> int:
    return _change_table(args.table, lambda tables: table_maintenance.freeze(tables, args.table, args.reason))


def _thaw(args: argparse.Namespace) -> int:
    return _change_table(args.table, lambda tables: table_maintenance.thaw(tables, args.table, args.reason))


def _change_table(number: int, change: Callable[[Tables], Awaitable[str]]) -> int:
    storage = read_storage_settings(os.environ)

    async def work() -> str:
        store = await _open_existing_store(storage)
        tables = Tables(store, GAMES)
        try:
            await table_maintenance.require_known_game(tables, number, storage.database)
            return await change(tables)
        except UnreadableTable as error:
            operator_error = table_maintenance.operator_error(error)
            raise operator_error from operator_error.__cause__  # which says how a game failed
        finally:
            await store.close()

    print(without_markup(asyncio.run(work())))
    return 0
