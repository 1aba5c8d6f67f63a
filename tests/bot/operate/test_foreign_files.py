"""Files that are no database of the bot: no command changes one, and none becomes a backup."""

from pathlib import Path

import pytest

from bot.config import StorageSettings
from bot.store.backup_folder import backups_in
from bot.store.migrations import ForeignDatabase
from bot.store.open_errors import is_permanent_error
from bot.store.sqlite import open_store
from tests.bot.database_file import open_database_file
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
    with open_database_file(path) as connection:
        connection.execute(schema)
    return path.read_bytes()


@pytest.mark.parametrize("schema", FOREIGN_SCHEMAS)
def test_a_database_of_another_program_stays_as_it_is(
    storage_with_games: StorageSettings, run: RunCommandLine, schema: str
) -> None:
    """Commands refuse it, name the setting and write nothing; the newest backup stays the newest."""
    run("backup")
    backups = backups_in(storage_with_games.backup_folder)
    content = make_foreign_database(storage_with_games.database, schema)
    for command in COMMANDS:
        code, out, err = run(*command)
        assert (code, out) == (1, "")
        assert err.startswith(f"{storage_with_games.database} is a database of another program, ")
        assert "check CAPTAINS_TABLE_DATABASE" in err
    assert storage_with_games.database.read_bytes() == content
    assert backups_in(storage_with_games.backup_folder) == backups


@pytest.mark.parametrize("schema", FOREIGN_SCHEMAS)
def test_restore_replaces_no_database_of_another_program(
    storage_with_games: StorageSettings, run: RunCommandLine, schema: str
) -> None:
    """A wrong path in the settings moves nobody's file aside."""
    run("backup")
    content = make_foreign_database(storage_with_games.database, schema)
    before = set(storage_with_games.database.parent.iterdir())
    code, out, err = run("restore")
    assert (code, out) == (1, "")
    assert err.startswith(f"{storage_with_games.database} is a database of another program, ")
    assert storage_with_games.database.read_bytes() == content
    assert set(storage_with_games.database.parent.iterdir()) == before


@pytest.mark.parametrize("schema", [*FOREIGN_SCHEMAS, ""])
def test_replay_names_a_file_that_is_no_database_of_the_bot(
    storage_with_games: StorageSettings, run: RunCommandLine, schema: str
) -> None:
    """Replay says so of a database of another program and of an empty file, whichever way it is named."""
    if schema:
        make_foreign_database(storage_with_games.database, schema)
    else:
        storage_with_games.database.write_bytes(b"")
    for options in ((), ("--file", storage_with_games.database)):
        code, out, err = run("replay", 1, *options)
        assert (code, out) == (1, "")
        assert err == f"{storage_with_games.database} is no database of Captain's Table.\n"


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
    storage_with_games: StorageSettings, run: RunCommandLine, *, is_database: bool
) -> None:
    """An empty file, or a database without tables, gets none of ours and is not backed up."""
    run("backup")
    backups = backups_in(storage_with_games.backup_folder)
    storage_with_games.database.unlink()
    storage_with_games.database.touch()
    if is_database:
        with open_database_file(storage_with_games.database) as connection:
            connection.execute("vacuum")
    content = storage_with_games.database.read_bytes()
    assert bool(content) is is_database
    for command in COMMANDS:
        code, out, err = run(*command)
        assert (code, out) == (1, "")
        assert err.startswith(f"There is no database at {storage_with_games.database}")
        assert "the file is empty" in err if is_database else "run `restore`" in err
    assert storage_with_games.database.read_bytes() == content
    assert backups_in(storage_with_games.backup_folder) == backups


async def test_the_first_start_fills_an_empty_file(tmp_path: Path) -> None:
    """The bot itself makes its database in a file that is still empty."""
    path = tmp_path / "tables.db"
    path.touch()
    store = await open_store(path)
    assert await store.next_table_number() == 1
    await store.close()
