"""The Gateway's transport compression: zstd-stream for a client that has zstd, else zlib-stream."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable

Compressor = Callable[[bytes], bytes]
"""Compresses the next message of a connection and flushes."""


def make_compressor(name: str | None) -> Compressor | None:
    """Return a function that compresses one connection's messages and flushes after each.

    Return None if ``name`` is None.  Raises ValueError for a compression that is unknown or that this Python
    does not have.
    """
    match name:
        case None:
            return None
        case "zlib-stream":
            return _make_zlib_compressor()
        case "zstd-stream":
            return _make_zstd_compressor()
        case _:
            raise ValueError(f"no compression is called {name}")


def _make_zlib_compressor() -> Compressor:
    stream = zlib.compressobj()
    return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)


def _make_zstd_compressor() -> Compressor:
    """Use the package zstandard, else the standard library of Python 3.14, as the client does."""
    try:
        package = importlib.import_module("zstandard")
    except ModuleNotFoundError:
        pass
    else:
        stream = package.ZstdCompressor().compressobj()
        flush_mode = package.COMPRESSOBJ_FLUSH_BLOCK
        return lambda data: bytes(stream.compress(data) + stream.flush(flush_mode))
    try:
        standard = importlib.import_module("compression.zstd")
    except ModuleNotFoundError:
        raise ValueError("this Python has no zstd") from None
    compressor = standard.ZstdCompressor()
    return lambda data: bytes(compressor.compress(data, compressor.FLUSH_BLOCK))
