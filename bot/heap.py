"""The heap of the C library, which holds pictures and their parts."""

import ctypes
from typing import Final

_ARENA_MAX: Final = -8
"""glibc's M_ARENA_MAX."""


def use_one_heap() -> bool:
    """Let all threads share one heap, if the C library is glibc; return whether they do.

    By default glibc has several heaps, and threads do not use what was freed in another's: pictures, drawn in
    threads, took 50 MiB more.  Call this before any thread starts.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(_ARENA_MAX, 1) == 1
