"""Threads share one heap of the C library."""

import subprocess
import sys

import pytest

_PROGRAM = """
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


def _count_heaps(how: str) -> int:
    command = [sys.executable, "-c", _PROGRAM, how]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return printed.count("<heap nr=")


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone has heaps for threads")
def test_threads_share_one_heap() -> None:
    """Without it each of four busy threads has its own, which shows that the test can fail."""
    assert _count_heaps("one") == 1
    assert _count_heaps("many") > 1
