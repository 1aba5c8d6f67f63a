"""Forward-only schema migrations: numbered SQL files, checksummed, all applied in one transaction."""

import hashlib
import re
import sqlite3
from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from bot.store.protocol import StoreError

_FILE_NAME_PATTERN: Final = re.compile(r"(\d{4})_\w+\.sql")


class Migration(msgspec.Struct, frozen=True):
    """One step of the schema."""

    number: int
    sql: str

    @property
    def checksum(self) -> str:
        """The hash that shows whether the file was edited after it had been applied."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


class WrongSchema(StoreError):
    """This release cannot use the file's schema, so a restart does not help."""


class ForeignDatabase(WrongSchema):
    """The file holds a database of another program."""


class NewerSchema(WrongSchema):
    """The file was written by a newer release: this one must not touch it."""


def released_migrations() -> tuple[Migration, ...]:
    """Return the migrations of this release, in order."""
    migrations = [
        Migration(int(match[1]), file.read_text(encoding="utf-8"))
        for file in resources.files("bot.store").joinpath("schema").iterdir()
        if (match := _FILE_NAME_PATTERN.fullmatch(file.name))
    ]
    return tuple(sorted(migrations, key=lambda migration: migration.number))


def require_own_database(connection: sqlite3.Connection, path: Path | str, *, may_be_empty: bool) -> None:
    """Raise ForeignDatabase for a database of another program, StoreError for an unwanted empty one."""
    ((is_empty,),) = connection.execute("select not exists (select 1 from sqlite_master)")
    if is_empty:
        if not may_be_empty:
            raise StoreError(
                f"There is no database at {path}: the file is empty. Restore a backup, or start the bot."
            )
        return
    if not is_own_database(connection):
        raise ForeignDatabase(
            f"{path} is a database of another program, not of Captain's Table: check CAPTAINS_TABLE_DATABASE."
        )


def is_own_database(connection: sqlite3.Connection) -> bool:
    """Return whether a database is one of this bot, of any release; an empty one is not."""
    # Other programs have a table of that name, too.
    sql = "select count(*) from pragma_table_info('schema_migrations') where name in ('number', 'checksum')"
    return bool(connection.execute(sql).fetchone() == (2,))


def has_older_schema(connection: sqlite3.Connection, migrations: tuple[Migration, ...]) -> bool:
    """Return whether a database has a schema that is older than these migrations; a new file has none.

    Raises sqlite3.Error.
    """
    sql = "select 1 from sqlite_master where type = 'table' and name = 'schema_migrations'"
    if connection.execute(sql).fetchone() is None:
        return False
    ((newest,),) = connection.execute("select max(number) from schema_migrations")
    return newest is not None and newest < max((migration.number for migration in migrations), default=0)


def migrate(connection: sqlite3.Connection, migrations: tuple[Migration, ...]) -> None:
    """Bring the schema up to date.

    Raises NewerSchema, WrongSchema if an applied file was changed, StoreError for an incomplete file.
    """
    connection.execute("begin immediate")
    try:
        _apply(connection, migrations)
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:  # some errors of the disk have ended it
            connection.execute("rollback")
        raise


def _apply(connection: sqlite3.Connection, migrations: tuple[Migration, ...]) -> None:
    connection.execute(
        "create table if not exists schema_migrations (number integer primary key, checksum text not null,"
        " at text not null default current_timestamp) strict"
    )
    applied_checksums = dict(connection.execute("select number, checksum from schema_migrations"))
    if applied_checksums and max(applied_checksums) > max(
        (migration.number for migration in migrations), default=0
    ):
        raise NewerSchema("The database was written by a newer release; update the bot.")
    for migration in migrations:
        applied_checksum = applied_checksums.get(migration.number)
        if applied_checksum is None:
            for statement in _split_statements(migration.sql):
                connection.execute(statement)
            connection.execute(
                "insert into schema_migrations (number, checksum) values (?, ?)",
                (migration.number, migration.checksum),
            )
        elif applied_checksum != migration.checksum:
            raise WrongSchema(
                f"The database was written by a version of this program whose migration {migration.number} is"
                " another: go back to that version, or restore a backup that this one has made."
            )


def _split_statements(script: str) -> list[str]:
    """Split a script into statements: ``executescript`` would commit the open transaction.

    Raises StoreError if the last statement has no end.
    """
    statements, pending = [], ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            statements.append(pending.strip())
            pending = ""
    if pending.strip():
        raise StoreError("A migration ends in the middle of a statement.")
    return [statement for statement in statements if statement]
