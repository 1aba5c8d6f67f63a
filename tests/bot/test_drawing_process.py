"""The processes that draw: their start, what they do while idle, and that none is left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from bot import drawing_process as drawing_process_module
from bot.drawing_connection import DrawingConnection
from bot.drawing_process import PROCESS_COUNT, drawing_processes
from tests.bot.drawing_connections import open_drawing_connections
from tests.trials import WAIT_TIMEOUT

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the bot draws"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]
REPOSITORY = Path(__file__).parents[2]


async def test_a_drawing_process_is_killed_before_the_bot_when_memory_runs_out(
    drawing_connection: DrawingConnection,
) -> None:
    """The system compares these scores."""
    score = Path("/proc/self/oom_score_adj")
    assert int(await drawing_connection.call(score.read_text)) > int(score.read_text())


async def test_signals_for_the_bot_do_not_end_a_drawing_process(
    drawing_connection: DrawingConnection,
) -> None:
    """A supervisor's SIGTERM and Ctrl-C reach the whole group; the bot draws on until it has stopped."""
    pid = await drawing_connection.call(os.getpid)
    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(pid, number)
    assert await drawing_connection.call(os.getpid) == pid


def test_all_processes_end_with_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the bot stops by itself, no drawing process is left."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with drawing_processes() as processes:
        system_processes = [psutil.Process(process._process.pid) for process in processes]
    assert len(system_processes) == PROCESS_COUNT
    assert not any(process.is_running() for process in system_processes)


_patched_runs: list[None] = []


def count_patched_runs() -> int:
    """Return how often this process ran the function that a test has patched."""
    return len(_patched_runs)


@pytest.mark.parametrize("function_name", ["shrink_idle_caches", "release_free_memory"])
async def test_an_idle_process_returns_memory_time_and_again(
    monkeypatch: pytest.MonkeyPatch, function_name: str
) -> None:
    """Between calls it looks at its caches and gives free memory back."""
    monkeypatch.setattr(drawing_process_module, "RELEASE_INTERVAL", 0.01)
    monkeypatch.setattr(drawing_process_module, function_name, lambda: _patched_runs.append(None))
    async with open_drawing_connections() as connections:
        deadline = time.monotonic() + WAIT_TIMEOUT
        while (  # noqa: ASYNC110 - another process runs them
            await connections[0].call(count_patched_runs) < 2 and time.monotonic() < deadline
        ):
            await asyncio.sleep(0.02)
        assert await connections[0].call(count_patched_runs) >= 2


def test_the_bot_draws_where_no_process_can_be_forked(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the system cannot fork, the bot draws."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})

    def fork() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", fork)
    with drawing_processes() as processes:
        assert processes == ()
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert [record.message for record in caplog.records] == ["drawing process not started: the bot draws"]


def test_one_processor_draws_in_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one processor other processes would only take memory."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    with drawing_processes() as processes:
        assert processes == ()


async def test_every_process_is_warmed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has loaded what pictures need before it is forked."""
    monkeypatch.setattr(sys.modules[__name__], "_patched_runs", [])
    monkeypatch.setattr(drawing_process_module, "warm_up", lambda: _patched_runs.append(None))
    async with open_drawing_connections() as connections:
        assert [await each.call(count_patched_runs) for each in connections] == [1] * PROCESS_COUNT


def test_each_socket_has_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process notices when the bot's end closes: others do not keep it open."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with drawing_processes() as processes:
        system_processes = [psutil.Process(process._process.pid) for process in processes]
        assert len(set(system_processes)) == PROCESS_COUNT
        processes[0].bot_end.close()
        system_processes[0].wait(WAIT_TIMEOUT)
        assert system_processes[1].status() != psutil.STATUS_ZOMBIE


@pytest.mark.parametrize("work", ["os.getpid", "partial(time.sleep, 60)"])
def test_the_process_ends_with_a_killed_bot(work: str) -> None:
    """If the bot is killed, its drawing processes end, also in the middle of a call."""
    program = f"""
import asyncio, os, time
from functools import partial
from tests.bot.drawing_connections import open_drawing_connections
async def main():
    async with open_drawing_connections() as connections:
        pids = [await each.call(os.getpid) for each in connections]
        call = asyncio.create_task(connections[0].call({work}))
        await asyncio.sleep(0.1)
        print(*pids, flush=True)
        time.sleep(60)
asyncio.run(main())
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=REPOSITORY) as bot:
        assert bot.stdout is not None
        system_processes = [psutil.Process(int(pid)) for pid in bot.stdout.readline().split()]
        bot.kill()
    assert len(system_processes) == PROCESS_COUNT
    for process in system_processes:
        process.wait(WAIT_TIMEOUT)
