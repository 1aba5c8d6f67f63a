"""The heap of the C library, which holds pictures and their parts."""

import ctypes
from typing import Final

RELEASE_INTERVAL: Final = 10.0
"""Seconds between two releases of free memory to the system."""
_M_ARENA_MAX: Final = -8
"""glibc's number for the option of ``mallopt`` that limits how many heaps there are."""


def use_one_heap() -> bool:
    """Let all threads share one heap, if the C library is glibc; return whether they do.

    By default glibc has several heaps, and a thread does not reuse what was freed in another heap: pictures,
    drawn in threads, took 50 MiB more.  Call this before any thread starts.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(_M_ARENA_MAX, 1) == 1


def release_free_memory() -> bool:
    """Give free memory inside the heap back to the system; return whether there was any.

    Each picture leaves large free pieces between small ones in use: 7 to 13 MiB under load.  A release takes
    about 2 ms.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim is not None and trim(0) == 1
