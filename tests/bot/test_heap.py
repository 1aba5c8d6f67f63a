"""Threads share one heap of the C library, and its free memory goes back to the system."""

import asyncio
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import cast

import discord
import pytest

from bot import running
from bot.chat.gateway_probe import GatewayProbe
from bot.config import Config, Secret, StorageSettings
from bot.store.sqlite import open_store
from render import paint
from tests.trials import WAIT_TIMEOUT

_HEAPS_PROGRAM = """
import ctypes, sys, threading
from bot.__main__ import main

if sys.argv[1] == "bot":
    try:
        main(["--help"])
    except SystemExit:
        pass
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

pieces = [(b"x" * (100_000 + i), b"x" * (600 + i)) for i in range(300)]
small = [each[1] for each in pieces]
del pieces
before = resident()
if sys.argv[1] == "release":
    assert release_free_memory()
print(before - resident())
"""
"""300 large pieces are free between small ones: 28 MiB."""


def _measure_released_bytes(argument: str) -> int:
    command = [sys.executable, "-c", _FRAGMENTS_PROGRAM, argument]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _count_heaps(argument: str) -> int:
    command = [sys.executable, "-c", _HEAPS_PROGRAM, argument]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return printed.count("<heap nr=")


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone has heaps for threads")
def test_threads_share_one_heap() -> None:
    """Those of the bot; else each of four busy threads has its own, which shows that the test can fail."""
    assert _count_heaps("bot") == 1
    assert _count_heaps("many") > 1


@pytest.mark.skipif(sys.platform != "linux", reason="glibc alone can return what is free in the middle")
def test_free_memory_is_returned_to_the_system() -> None:
    """Also what lies between pieces in use; by itself it is not."""
    assert _measure_released_bytes("release") > 20 * 2**20
    assert _measure_released_bytes("nothing") < 2**20


class _IdleClient:
    """Stands for the bot's client; does nothing until it is closed."""

    is_set_up = False

    def __init__(self, _: object) -> None:
        """Take the host."""
        self.gateway_probe = GatewayProbe(cast("discord.Client", self))

    async def start(self, _: str) -> None:
        """Wait for ever."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Nothing is open."""


async def test_the_bot_returns_memory_time_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it runs its own caches are looked at and free memory goes back, again and again."""
    calls: Counter[str] = Counter()
    stop_signal, loop = running.StopSignal(), asyncio.get_running_loop()

    def release() -> bool:
        calls["release"] += 1
        if calls["release"] == 3:
            loop.call_soon_threadsafe(stop_signal.set)
        return True

    monkeypatch.setattr(running, "RELEASE_INTERVAL", 0.0)
    monkeypatch.setattr(running, "release_free_memory", release)
    monkeypatch.setattr(paint, "shrink_idle_caches", lambda: calls.update(["shrink"]))
    monkeypatch.setattr(running, "TableClient", _IdleClient)
    monkeypatch.setattr(running, "exempt_loaded_objects_from_gc", lambda: None)
    config = Config(Secret("token"), None, "info", 0.0, StorageSettings(tmp_path / "bot.db", tmp_path))
    store = await open_store(config.storage.database)
    scheduler = running._make_backup_scheduler(store, config.storage)
    try:
        code = await asyncio.wait_for(
            running._run_client(store, config, scheduler, stop_signal), WAIT_TIMEOUT
        )
    finally:
        await store.close()
    assert code == running.EXIT_OK
    assert calls["shrink"] >= 3
