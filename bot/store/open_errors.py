"""Classifies why a database cannot be opened or read."""

import sqlite3
from typing import Final

from bot.store.migrations import WrongSchema
from bot.store.protocol import StoreError

LOCKED_CODES: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
"""SQLite's primary codes for a file that another process holds."""
_DAMAGED_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_READ_ONLY_CODES: Final = frozenset({sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM})
_NO_ACCESS_CODES: Final = _READ_ONLY_CODES | {sqlite3.SQLITE_CANTOPEN}


def is_lock_error(error: StoreError) -> bool:
    """Whether another process holds the file."""
    return _primary_code_of_cause(error) in LOCKED_CODES


def is_permanent_error(error: StoreError) -> bool:
    """Whether a restart would fail in the same way.

    The file is locked, damaged, of another release, or may not be written to.  Not every file that cannot be
    opened: there may be too many open ones.
    """
    permanent_codes = LOCKED_CODES | _DAMAGED_CODES | _READ_ONLY_CODES
    return isinstance(error, WrongSchema) or _primary_code_of_cause(error) in permanent_codes


def advice_text(error: sqlite3.Error) -> str:
    """Return what an operator can do where a database cannot be opened; "" if its error says that best."""
    code = primary_code(error)
    if code in LOCKED_CODES:
        return "Does another bot use it? Stop that one first."
    return "Restore a backup." if code in _DAMAGED_CODES else access_advice_text(error)


def access_advice_text(error: sqlite3.Error) -> str:
    """Return what to check where SQLite may not open or write a file; "" for any other error."""
    is_refused = primary_code(error) in _NO_ACCESS_CODES
    return "Is it there, and may this user read and write it and its folder?" if is_refused else ""


def primary_code(error: sqlite3.Error) -> int | None:
    """Return the primary code, the low eight bits of SQLite's extended code; None if SQLite gave none."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def is_sqlite_failure(error: Exception) -> bool:
    """Whether SQLite itself failed.

    Python's own module raises errors of the same types without a code, such as for a text that is not UTF-8.
    """
    return isinstance(error, sqlite3.Error) and primary_code(error) is not None


def _primary_code_of_cause(error: StoreError) -> int | None:
    cause = error.__cause__
    return primary_code(cause) if isinstance(cause, sqlite3.Error) else None
