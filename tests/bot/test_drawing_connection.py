"""Calls of the event loop to a drawing process: results, errors, time, and what follows when it ends."""

import asyncio
import json
import logging
import os
import re
import select
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import psutil
import pytest

from bot import drawing_connection as drawing_connection_module
from bot.drawing_connection import DrawingConnection, DrawingProcessCrashed, DrawingProcessEnded
from bot.drawing_process import REMOTE_FRAMES_ATTRIBUTE
from bot.watch.logs import JsonLineFormatter
from tests.trials import WAIT_TIMEOUT

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the bot draws"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]
MORE_THAN_A_SOCKET_HOLDS = 4_000_000
"""Bytes."""


class Unpicklable(Exception):
    """Cannot be made anew from its arguments."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(one + two)


def fail(error_type: type[Exception], *arguments: object) -> None:
    """Raise an error."""
    raise error_type(*arguments)


async def begin(connection: DrawingConnection, work: Callable[[], Any]) -> "asyncio.Task[Any]":
    """Begin a call and return its task."""
    task = asyncio.create_task(connection.call(work))
    await asyncio.sleep(0)
    return task


async def begin_and_cancel(connection: DrawingConnection, work: Callable[[], Any]) -> None:
    """Begin a call and cancel its caller."""
    task = await begin(connection, work)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def end_process(pid: int, number: signal.Signals) -> None:
    """End a process by a signal, without a turn of the loop."""
    os.kill(pid, number)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def suspend_and_resume(process: psutil.Process) -> None:
    """Suspend a process that waits for the rest of a call, and resume it, without a turn of the loop."""
    await_status(process, psutil.STATUS_SLEEPING)
    process.suspend()
    await_status(process, psutil.STATUS_STOPPED)
    process.resume()
    await_status(process, psutil.STATUS_SLEEPING)


def await_status(process: psutil.Process, status: str) -> None:
    """Wait until a process has a status."""
    deadline = time.monotonic() + WAIT_TIMEOUT
    while process.status() != status and time.monotonic() < deadline:
        time.sleep(0.01)


async def test_calls_run_in_another_process(drawing_connection: DrawingConnection) -> None:
    """Results come back, one after the other, from one process that is not this one."""
    assert await drawing_connection.call(partial(divmod, 7, 2)) == (3, 1)
    pid = await drawing_connection.call(os.getpid)
    assert pid == await drawing_connection.call(os.getpid) != os.getpid()


async def test_the_loop_goes_on_while_much_is_sent(drawing_connection: DrawingConnection) -> None:
    """Neither a call nor a reply that comes in many pieces blocks it."""
    process = psutil.Process(await drawing_connection.call(os.getpid))
    process.suspend()
    call = await begin(drawing_connection, partial(bytes.upper, b"a" * MORE_THAN_A_SOCKET_HOLDS))
    await asyncio.sleep(0.01)
    assert not call.done()
    process.resume()
    assert await asyncio.wait_for(call, WAIT_TIMEOUT) == b"A" * MORE_THAN_A_SOCKET_HOLDS
    assert await drawing_connection.call(partial(divmod, 7, 2)) == (3, 1)


async def test_a_process_suspended_within_a_call_loses_nothing(drawing_connection: DrawingConnection) -> None:
    """With the machine, or alone: it goes on to receive the call."""
    process = psutil.Process(await drawing_connection.call(os.getpid))
    call = await begin(drawing_connection, partial(bytes.upper, b"a" * MORE_THAN_A_SOCKET_HOLDS))
    suspend_and_resume(process)
    assert await asyncio.wait_for(call, WAIT_TIMEOUT) == b"A" * MORE_THAN_A_SOCKET_HOLDS


async def test_calls_made_at_once_have_their_own_replies(drawing_connection: DrawingConnection) -> None:
    """However they are cut into pieces on their way."""
    lengths = [0, 1, 100_000, 7, 1_000_000, 3]
    results = await asyncio.gather(*(drawing_connection.call(partial(bytes, length)) for length in lengths))
    assert [len(each) for each in results] == lengths


async def test_the_reply_to_a_cancelled_call_is_dropped(drawing_connection: DrawingConnection) -> None:
    """The next call has its own reply."""
    await begin_and_cancel(drawing_connection, partial(divmod, 9, 5))
    assert await drawing_connection.call(partial(divmod, 7, 2)) == (3, 1)


async def test_an_error_says_where_it_was_raised(drawing_connection: DrawingConnection) -> None:
    """An error in the process is raised here, and the log shows its frames but not its text."""
    with pytest.raises(ValueError, match="secret") as raised:
        await drawing_connection.call(partial(fail, ValueError, "secret"))
    assert getattr(raised.value, REMOTE_FRAMES_ATTRIBUTE)[-1][2] == "fail"
    record = logging.LogRecord("bot", logging.ERROR, "", 1, "fault", (), (ValueError, raised.value, None))
    line = JsonLineFormatter().format(record)
    innermost = json.loads(line)["frames"][-1]
    assert re.fullmatch(r"tests/bot/test_drawing_connection\.py:\d+ fail", innermost)
    assert "secret" not in line
    assert drawing_connection.is_running


async def test_an_error_that_cannot_travel_is_named(drawing_connection: DrawingConnection) -> None:
    """An error whose class cannot be made anew is raised as one that names it; calls go on."""
    with pytest.raises(RuntimeError, match="Unpicklable") as raised:
        await drawing_connection.call(partial(fail, Unpicklable, 1, 2))
    assert getattr(raised.value, REMOTE_FRAMES_ATTRIBUTE)
    assert drawing_connection.is_running


@pytest.mark.parametrize("error", [EOFError, ConnectionResetError, TimeoutError, BrokenPipeError])
async def test_an_error_like_a_broken_connection_is_raised_here(
    drawing_connection: DrawingConnection, error: type[Exception]
) -> None:
    """What a call raises is not taken for the end of the process."""
    with pytest.raises(error):
        await drawing_connection.call(partial(fail, error))
    assert drawing_connection.is_running


@pytest.mark.parametrize("is_cancelled", [False, True])
async def test_a_call_that_hangs_ends_the_process(
    drawing_connection: DrawingConnection,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    *,
    is_cancelled: bool,
) -> None:
    """Also if nobody waits for it any more; the call may run elsewhere."""
    monkeypatch.setattr(drawing_connection_module, "CHECK_SECONDS", 0.1)
    monkeypatch.setattr(drawing_connection_module, "MAX_CALL_CHECKS", 2)
    hanging_call = await begin(drawing_connection, partial(time.sleep, 60))
    if is_cancelled:
        hanging_call.cancel()
    call_behind = await begin(drawing_connection, os.getpid)
    for call in (hanging_call, call_behind):
        with pytest.raises(asyncio.CancelledError if call.cancelling() else DrawingProcessEnded):
            await asyncio.wait_for(call, WAIT_TIMEOUT)
    assert not drawing_connection.is_running
    with pytest.raises(DrawingProcessEnded):
        await drawing_connection.call(os.getpid)
    (record,) = caplog.records
    assert record.message == "drawing process ended: the bot draws"
    assert vars(record)["exit_code"] == -signal.SIGKILL
    assert record.exc_info is not None
    assert record.exc_info[0] is TimeoutError


async def test_each_call_has_its_whole_time(
    drawing_connection: DrawingConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of a call behind one whose caller was cancelled begins with its own turn."""
    monkeypatch.setattr(drawing_connection_module, "CHECK_SECONDS", 0.3)
    monkeypatch.setattr(drawing_connection_module, "MAX_CALL_CHECKS", 3)
    await begin_and_cancel(drawing_connection, partial(time.sleep, 0.5))
    await drawing_connection.call(partial(time.sleep, 0.5))
    await asyncio.sleep(1)
    assert drawing_connection.is_running, "a check goes on between calls"


async def test_a_call_behind_a_cancelled_one_is_limited_too(
    drawing_connection: DrawingConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is checked from the reply to the other one on."""
    monkeypatch.setattr(drawing_connection_module, "CHECK_SECONDS", 0.1)
    await begin_and_cancel(drawing_connection, partial(time.sleep, 0.05))
    with pytest.raises(DrawingProcessEnded):
        await asyncio.wait_for(drawing_connection.call(partial(time.sleep, 60)), WAIT_TIMEOUT)


async def test_a_crash_is_the_fault_of_its_call(drawing_connection: DrawingConnection) -> None:
    """That call would break the bot too; the ones behind it may run elsewhere."""
    calls = [
        await begin(drawing_connection, partial(os._exit, 3)),
        await begin(drawing_connection, os.getpid),
    ]
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(each) for each in results] == [DrawingProcessCrashed, DrawingProcessEnded]


async def test_a_crash_of_a_cancelled_call_is_no_other_s_fault(drawing_connection: DrawingConnection) -> None:
    """The next call was not begun."""
    await begin_and_cancel(drawing_connection, partial(os._exit, 3))
    with pytest.raises(DrawingProcessEnded):
        await drawing_connection.call(os.getpid)


async def test_a_call_that_exits_shows_no_text(
    capfd: pytest.CaptureFixture[str], drawing_connection: DrawingConnection
) -> None:
    """Python would print it: it may hold what a player wrote."""
    with pytest.raises(DrawingProcessCrashed):
        await drawing_connection.call(partial(sys.exit, "secret"))
    assert "secret" not in capfd.readouterr().err


async def test_a_process_killed_in_a_call_does_not_blame_it(drawing_connection: DrawingConnection) -> None:
    """The system kills one when memory runs out."""
    pid = await drawing_connection.call(os.getpid)
    call = await begin(drawing_connection, partial(time.sleep, 60))
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(DrawingProcessEnded):
        await asyncio.wait_for(call, WAIT_TIMEOUT)


async def test_a_process_killed_in_its_reply_does_not_blame_the_call(
    drawing_connection: DrawingConnection,
) -> None:
    """Half a reply is none."""
    pid = await drawing_connection.call(os.getpid)
    call = await begin(drawing_connection, partial(bytes, MORE_THAN_A_SOCKET_HOLDS))
    select.select([drawing_connection._process.bot_end], [], [], WAIT_TIMEOUT)  # it has begun to come
    end_process(pid, signal.SIGKILL)
    with pytest.raises(DrawingProcessEnded):
        await asyncio.wait_for(call, WAIT_TIMEOUT)


@pytest.mark.parametrize("loop_turns", range(4))
async def test_a_process_that_died_idle_is_no_call_s_fault(
    drawing_connection: DrawingConnection, caplog: pytest.LogCaptureFixture, loop_turns: int
) -> None:
    """However it ended between two calls, the next one may run elsewhere, whether the loop knows or not."""
    end_process(await drawing_connection.call(os.getpid), signal.SIGUSR1)  # which nothing handles
    for _ in range(loop_turns):
        await asyncio.sleep(0)
    with pytest.raises(DrawingProcessEnded):
        await drawing_connection.call(os.getpid)
    await asyncio.sleep(0)
    assert not drawing_connection.is_running
    assert [vars(record)["exit_code"] for record in caplog.records] == [-signal.SIGUSR1]


async def test_stopping_does_not_wait_for_a_picture(
    drawing_connection: DrawingConnection, caplog: pytest.LogCaptureFixture
) -> None:
    """The end of the bot ends the process and the call under way at once, and leaves no process behind."""
    process = psutil.Process(await drawing_connection.call(os.getpid))
    call = await begin(drawing_connection, partial(time.sleep, 60))
    drawing_connection.stop()
    assert not process.is_running()
    with pytest.raises(DrawingProcessCrashed):
        await asyncio.wait_for(call, WAIT_TIMEOUT)
    assert caplog.records == []
