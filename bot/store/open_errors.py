"""Classifies why a database cannot be opened."""

import sqlite3
from typing import Final

from bot.store.migrations import WrongSchema
from bot.store.protocol import StoreError

_LOCKED_CODES: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_DAMAGED_CODES: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def is_lock_error(error: StoreError) -> bool:
    """Whether another process holds the file."""
    return _primary_code(error) in _LOCKED_CODES


def is_permanent_error(error: StoreError) -> bool:
    """Whether a new start would fail alike: the file is locked, damaged or of another release."""
    return isinstance(error, WrongSchema) or _primary_code(error) in _LOCKED_CODES | _DAMAGED_CODES


def _primary_code(error: StoreError) -> int | None:
    """Return the primary code, the low eight bits of SQLite's extended code; None if SQLite gave none."""
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None
