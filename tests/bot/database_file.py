"""The file of a database, opened as no store does: to look into it, or to change what a store would not."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.trials import WAIT_TIMEOUT


@contextmanager
def open_database_file(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database, commit what is changed in it, and close it.

    On a busy machine a process that has used it may take a while to release it.
    """
    with closing(sqlite3.connect(path, timeout=WAIT_TIMEOUT)) as connection, connection:
        yield connection
