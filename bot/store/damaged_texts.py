"""Reads stored texts also where they are damaged, so that one of them hides no other."""

import contextlib
import sqlite3
from collections.abc import Iterator
from typing import Final

import msgspec

DECODING_ERRORS: Final = (msgspec.MsgspecError, ValueError)
"""What decoding a damaged value raises; ValueError: the text is not UTF-8, or no word of its enum."""


@contextlib.contextmanager
def readable_texts(connection: sqlite3.Connection) -> Iterator[None]:
    """Read texts that are not UTF-8 with marks in place of what is damaged; fetch all rows in the context."""
    connection.text_factory = lambda data: data.decode(errors="replace")
    try:
        yield
    finally:
        connection.text_factory = str
