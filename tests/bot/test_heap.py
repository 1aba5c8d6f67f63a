"""Threads share one heap of the C library, and its free memory goes back to the system."""

import subprocess
import sys

import pytest

_HEAPS_PROGRAM = """
import ctypes, sys, threading
from bot.heap import use_one_heap

if sys.argv[1] == "one":
    assert use_one_heap()
together = threading.Barrier(4)

def allocate():
    together.wait()
    kept = [bytes(5000) for _ in range(100)]
    together.wait()

threads = [threading.Thread(target=allocate) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""

_FRAGMENTS_PROGRAM = """
import sys
from bot.heap import release_free_memory

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

kept = [(b"x" * (100_000 + i), b"x" * (600 + i)) for i in range(300)]
small = [each[1] for each in kept]
del kept
before = resident()
if sys.argv[1] == "release":
    assert release_free_memory()
print(before - resident())
"""
"""300 large pieces are free between small ones: 28 MiB."""


def _released_bytes(argument: str) -> int:
    command = [sys.executable, "-c", _FRAGMENTS_PROGRAM, argument]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _count_heaps(argument: str) -> int:
    command = [sys.executable, "-c", _HEAPS_PROGRAM, argument]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return printed.count("<heap nr=")


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone has heaps for threads")
def test_threads_share_one_heap() -> None:
    """Without it each of four busy threads has its own, which shows that the test can fail."""
    assert _count_heaps("one") == 1
    assert _count_heaps("many") > 1


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone can return what is free in the middle")
def test_free_memory_is_returned_to_the_system() -> None:
    """Also what lies between pieces in use; by itself it is not."""
    assert _released_bytes("release") > 20 * 2**20
    assert _released_bytes("nothing") < 2**20
