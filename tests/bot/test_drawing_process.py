"""The processes that draw: calls, their errors, and what follows when they end."""

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

import psutil
import pytest

from bot import drawing_process as drawing_process_module
from bot.drawing_process import (
    PROCESS_COUNT,
    REMOTE_FRAMES_ATTRIBUTE,
    DrawingProcess,
    DrawingProcessCrashed,
    drawing_processes,
)
from bot.watch.logs import JsonLineFormatter
from tests.trials import WAIT_TIMEOUT

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the bot draws"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]
REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def drawing_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[DrawingProcess]:
    """Yield a drawing process, also on a machine with one processor."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with drawing_processes() as processes:
        yield processes[-1]


class Unpicklable(Exception):
    """Cannot be made anew from its arguments."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(one + two)


def fail(error_type: type[Exception], *arguments: object) -> None:
    """Raise an error."""
    raise error_type(*arguments)


def test_calls_run_in_another_process(drawing_process: DrawingProcess) -> None:
    """Results come back, one after the other, from one process that is not this one."""
    assert drawing_process.call(partial(divmod, 7, 2)) == (3, 1)
    assert drawing_process.call(partial(bytes, 2_000_000)) == bytes(2_000_000)
    pid = drawing_process.call(os.getpid)
    assert pid == drawing_process.call(os.getpid) != os.getpid()


def test_an_error_says_where_it_was_raised(drawing_process: DrawingProcess) -> None:
    """An error in the process is raised here, and the log shows its frames but not its text."""
    with pytest.raises(ValueError, match="secret") as raised:
        drawing_process.call(partial(fail, ValueError, "secret"))
    assert getattr(raised.value, REMOTE_FRAMES_ATTRIBUTE)[-1][2] == "fail"
    record = logging.LogRecord("bot", logging.ERROR, "", 1, "fault", (), (ValueError, raised.value, None))
    line = JsonLineFormatter().format(record)
    innermost = json.loads(line)["frames"][-1]
    assert re.fullmatch(r"tests/bot/test_drawing_process\.py:\d+ fail", innermost)
    assert "secret" not in line
    assert drawing_process.is_running


def test_an_error_that_cannot_travel_is_named(drawing_process: DrawingProcess) -> None:
    """An error whose class cannot be made anew is raised as one that names it; calls go on."""
    with pytest.raises(RuntimeError, match="Unpicklable") as raised:
        drawing_process.call(partial(fail, Unpicklable, 1, 2))
    assert getattr(raised.value, REMOTE_FRAMES_ATTRIBUTE)
    assert drawing_process.is_running


def sleep_elsewhere(pid: int) -> str:
    """Sleep for long in every process but one."""
    if os.getpid() != pid:
        time.sleep(60)
    return "awake"


def test_a_call_that_hangs_is_repeated_here(
    drawing_process: DrawingProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A call that does not end ends the process; it and later ones run here."""
    monkeypatch.setattr(drawing_process_module, "CHECK_SECONDS", 0.1)
    monkeypatch.setattr(drawing_process_module, "MAX_CALL_CHECKS", 2)
    assert drawing_process.call(partial(sleep_elsewhere, os.getpid())) == "awake"
    assert not drawing_process.is_running
    assert drawing_process.call(os.getpid) == os.getpid()
    (record,) = caplog.records
    assert record.message == "drawing process ended: the bot draws"
    assert vars(record)["exit_code"] == -signal.SIGKILL
    assert record.exc_info is not None
    assert record.exc_info[0] is TimeoutError


@pytest.mark.parametrize("error", [EOFError, ConnectionResetError, TimeoutError, BrokenPipeError])
def test_an_error_like_a_broken_connection_is_raised_here(
    drawing_process: DrawingProcess, error: type[Exception]
) -> None:
    """What a call raises is not taken for the end of the process."""
    with pytest.raises(error):
        drawing_process.call(partial(fail, error))
    assert drawing_process.is_running


def test_a_call_that_breaks_the_process_is_not_repeated(drawing_process: DrawingProcess) -> None:
    """A crash is the fault of its call, which would break the bot too; later calls run here."""
    with pytest.raises(DrawingProcessCrashed):
        drawing_process.call(partial(os._exit, 3))
    assert drawing_process.call(os.getpid) == os.getpid()


def test_a_call_that_exits_shows_no_text(
    capfd: pytest.CaptureFixture[str], request: pytest.FixtureRequest
) -> None:
    """Python would print it: it may hold what a player wrote."""
    drawing_process: DrawingProcess = request.getfixturevalue("drawing_process")
    with pytest.raises(DrawingProcessCrashed):
        drawing_process.call(partial(sys.exit, "secret"))
    assert "secret" not in capfd.readouterr().err


def test_a_drawing_process_is_killed_before_the_bot_when_memory_runs_out(
    drawing_process: DrawingProcess,
) -> None:
    """The system compares these scores."""
    score = Path("/proc/self/oom_score_adj")
    assert int(drawing_process.call(score.read_text)) > int(score.read_text())


def test_a_killed_process_loses_nothing(drawing_process: DrawingProcess) -> None:
    """When the system has killed the process, calls run here."""
    os.kill(drawing_process.call(os.getpid), signal.SIGKILL)
    assert drawing_process.call(os.getpid) == os.getpid()
    assert drawing_process.call(partial(divmod, 7, 2)) == (3, 1)


class _KillingConnection:
    """A connection whose process is killed as soon as a reply has begun to come."""

    def __init__(self, connection: "Connection[Any, Any]", pid: int) -> None:
        self._connection, self._pid = connection, pid

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def recv_bytes(self) -> bytes:
        """Kill the process and receive what it has sent."""
        time.sleep(0.1)  # for more than the length of the reply to come
        os.kill(self._pid, signal.SIGKILL)
        os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOWAIT)
        return self._connection.recv_bytes()


def test_a_process_killed_in_its_reply_loses_nothing(drawing_process: DrawingProcess) -> None:
    """When half a reply has come, the call runs here."""
    connection = _KillingConnection(drawing_process.connection, drawing_process.call(os.getpid))
    drawing_process.connection = cast("Connection[Any, Any]", connection)
    assert drawing_process.call(partial(bytes, 4_000_000)) == bytes(4_000_000)
    assert not drawing_process.is_running


def test_signals_for_the_bot_do_not_end_a_drawing_process(drawing_process: DrawingProcess) -> None:
    """A supervisor's SIGTERM and Ctrl-C reach the whole group; the bot draws on until it has stopped."""
    pid = drawing_process.call(os.getpid)
    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(pid, number)
    assert drawing_process.call(os.getpid) == pid


def test_a_process_that_died_idle_is_no_call_s_fault(drawing_process: DrawingProcess) -> None:
    """However it ended between two calls, the next call runs here."""
    process = psutil.Process(drawing_process.call(os.getpid))
    process.send_signal(signal.SIGUSR1)  # which nothing handles
    process.wait(WAIT_TIMEOUT)
    assert drawing_process.call(os.getpid) == os.getpid()


def test_stopping_does_not_wait_for_a_picture(drawing_process: DrawingProcess) -> None:
    """The end of the bot ends the process and the call under way at once, and leaves no process behind."""
    process = psutil.Process(drawing_process.call(os.getpid))
    with ThreadPoolExecutor(1) as executor:
        call = executor.submit(drawing_process.call, partial(time.sleep, 60))
        while not drawing_process._lock.locked():
            time.sleep(0.01)
        drawing_process.stop()
        with pytest.raises(DrawingProcessCrashed):
            call.result(WAIT_TIMEOUT)
    assert not process.is_running()


def test_all_processes_end_with_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the bot stops by itself, no drawing process is left."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with drawing_processes() as processes:
        system_processes = [psutil.Process(process.call(os.getpid)) for process in processes]
    assert len(system_processes) == PROCESS_COUNT
    assert not any(process.is_running() for process in system_processes)


_patched_runs: list[None] = []


def count_patched_runs() -> int:
    """Return how often this process ran the function that a test has patched."""
    return len(_patched_runs)


@pytest.mark.parametrize("function_name", ["shrink_idle_caches", "release_free_memory"])
def test_an_idle_process_returns_memory_time_and_again(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, function_name: str
) -> None:
    """Between calls it looks at its caches and gives free memory back."""
    monkeypatch.setattr(drawing_process_module, "RELEASE_INTERVAL", 0.01)
    monkeypatch.setattr(drawing_process_module, function_name, lambda: _patched_runs.append(None))
    drawing_process: DrawingProcess = request.getfixturevalue("drawing_process")
    deadline = time.monotonic() + WAIT_TIMEOUT
    while drawing_process.call(count_patched_runs) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert drawing_process.call(count_patched_runs) >= 2


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


def test_every_process_is_warmed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has loaded what pictures need before it is forked."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(sys.modules[__name__], "_patched_runs", [])
    monkeypatch.setattr(drawing_process_module, "warm_up", lambda: _patched_runs.append(None))
    with drawing_processes() as processes:
        assert len(processes) == PROCESS_COUNT
        assert [process.call(count_patched_runs) for process in processes] == [1] * PROCESS_COUNT


def test_each_connection_has_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process notices when its connection closes: others do not keep the bot's end of it open."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with drawing_processes() as processes:
        system_processes = [psutil.Process(process.call(os.getpid)) for process in processes]
        assert len(set(system_processes)) == PROCESS_COUNT
        processes[0].connection.close()
        system_processes[0].wait(WAIT_TIMEOUT)
        assert processes[1].call(os.getpid) == system_processes[1].pid
        processes[0]._has_ended = True


@pytest.mark.parametrize(
    "call_line", ["", "Thread(target=processes[0].call, args=(partial(time.sleep, 60),)).start()"]
)
def test_the_process_ends_with_a_killed_bot(call_line: str) -> None:
    """If the bot is killed, its drawing processes end, also in the middle of a call."""
    program = f"""
import os, time
from functools import partial
from threading import Thread
from unittest.mock import patch
from bot.drawing_process import drawing_processes
with patch.object(os, "sched_getaffinity", lambda _: {{0, 1}}), drawing_processes() as processes:
    pids = [process.call(os.getpid) for process in processes]
    {call_line}
    time.sleep(0.1)
    print(*pids, flush=True)
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=REPOSITORY) as bot:
        assert bot.stdout is not None
        system_processes = [psutil.Process(int(pid)) for pid in bot.stdout.readline().split()]
        bot.kill()
    assert len(system_processes) == PROCESS_COUNT
    for process in system_processes:
        process.wait(WAIT_TIMEOUT)
