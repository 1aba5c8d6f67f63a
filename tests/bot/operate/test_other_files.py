"""Files that are no database of the bot: no command changes one, and none becomes a backup."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.config import StorageSettings
from bot.store.backup import backups_in
from bot.store.migrations import ForeignDatabase
from bot.store.open_errors import is_permanent_error
from bot.store.sqlite import open_store
from tests.bot.operate.databases import RunCommandLine

COMMANDS = (("backup",), ("freeze", 1, "why"), ("thaw", 1, "why"))
FOREIGN_SCHEMAS = (
    "create table customers (name text)",
    "create table schema_migrations (version text)",  # as other tools call theirs
    "create view numbers as select 1",
)


def make_foreign_database(path: Path, schema: str) -> bytes:
    """Replace a file by a database of another program; return its content."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute(schema)
    return path.read_bytes()


@pytest.mark.parametrize("schema", FOREIGN_SCHEMAS)
def test_a_database_of_another_program_stays_as_it_is(
    stored_games: StorageSettings, run: RunCommandLine, schema: str
) -> None:
    """Commands refuse it, name the setting and write nothing; the newest backup stays the newest."""
    run("backup")
    backups = backups_in(stored_games.backup_folder)
    content = make_foreign_database(stored_games.database, schema)
    for words in COMMANDS:
        code, out, err = run(*words)
        assert (code, out) == (1, "")
        assert err.startswith(f"{stored_games.database} is a database of another program, ")
        assert "check CAPTAINS_TABLE_DATABASE" in err
    assert stored_games.database.read_bytes() == content
    assert backups_in(stored_games.backup_folder) == backups


@pytest.mark.parametrize("schema", FOREIGN_SCHEMAS)
def test_restore_replaces_no_database_of_another_program(
    stored_games: StorageSettings, run: RunCommandLine, schema: str
) -> None:
    """A wrong path in the settings moves nobody's file aside."""
    run("backup")
    content = make_foreign_database(stored_games.database, schema)
    before = set(stored_games.database.parent.iterdir())
    code, out, err = run("restore")
    assert (code, out) == (1, "")
    assert err.startswith(f"{stored_games.database} is a database of another program, ")
    assert stored_games.database.read_bytes() == content
    assert set(stored_games.database.parent.iterdir()) == before


@pytest.mark.parametrize("schema", [*FOREIGN_SCHEMAS, ""])
def test_replay_names_a_file_that_is_no_database_of_the_bot(
    stored_games: StorageSettings, run: RunCommandLine, schema: str
) -> None:
    """Replay says so of a database of another program and of an empty file, whichever way it is named."""
    if schema:
        make_foreign_database(stored_games.database, schema)
    else:
        stored_games.database.write_bytes(b"")
    for words in ((), ("--file", stored_games.database)):
        code, out, err = run("replay", 1, *words)
        assert (code, out) == (1, "")
        assert err == f"{stored_games.database} is no database of Captain's Table.\n"


@pytest.mark.parametrize("schema", FOREIGN_SCHEMAS)
async def test_the_bot_does_not_start_on_another_programs_database(tmp_path: Path, schema: str) -> None:
    """The bot refuses it for good, and leaves it as it was."""
    path = tmp_path / "other.db"
    content = make_foreign_database(path, schema)
    with pytest.raises(ForeignDatabase) as refusal:
        await (await open_store(path)).close()
    assert is_permanent_error(refusal.value)
    assert path.read_bytes() == content


@pytest.mark.parametrize("is_database", [False, True])
def test_no_command_makes_a_database_of_an_empty_file(
    stored_games: StorageSettings, run: RunCommandLine, *, is_database: bool
) -> None:
    """An empty file, or a database without tables, gets none of ours and is not backed up."""
    run("backup")
    backups = backups_in(stored_games.backup_folder)
    stored_games.database.unlink()
    stored_games.database.touch()
    if is_database:
        with closing(sqlite3.connect(stored_games.database, isolation_level=None)) as raw:
            raw.execute("vacuum")
    content = stored_games.database.read_bytes()
    assert bool(content) is is_database
    for words in COMMANDS:
        code, out, err = run(*words)
        assert (code, out) == (1, "")
        assert err.startswith(f"There is no database at {stored_games.database}: the file is empty.\n")
    assert stored_games.database.read_bytes() == content
    assert backups_in(stored_games.backup_folder) == backups


async def test_the_first_start_fills_an_empty_file(tmp_path: Path) -> None:
    """The bot itself makes its database in a file that is still empty."""
    path = tmp_path / "tables.db"
    path.touch()
    store = await open_store(path)
    assert await store.next_number() == 1
    await store.close()
