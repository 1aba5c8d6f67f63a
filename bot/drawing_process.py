"""The processes that draw pictures, so that drawing and the event loop do not share an interpreter's lock.

They are forked before any thread runs and before most of the bot is loaded, so they take little memory.  They
know neither Discord nor the database: they get picklable calls, such as ``partial(function, view)``.
"""

import ctypes
import gc
import logging
import os
import pickle
import select
import signal
import socket
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from time import monotonic
from typing import Final, TypeAlias

from bot.heap import RELEASE_INTERVAL, release_free_memory
from render.paint import shrink_idle_caches, warm_up

PROCESS_COUNT: Final = 2
"""Each draws the pictures of its own games, so that few parts of pictures are cached twice."""
LENGTH_SIZE: Final = 4
"""Bytes of the length that is sent before each message."""
REMOTE_FRAMES_ATTRIBUTE: Final = "remote_frames"
"""The attribute of a process's error that lists where it was raised: file, line, function."""
_STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_Reply: TypeAlias = tuple[object, Exception | None]
"""The result of a call and None, or None and its error."""
_PR_SET_PDEATHSIG: Final = 1
"""The option of ``prctl`` that sends a process a signal when its parent ends."""
_OOM_SCORE_ADJUSTMENT: Final = "500"
"""Of at most 1,000: when memory runs out, the system kills this process before the bot."""

_log = logging.getLogger(__name__)


class DrawingProcess:
    """A forked process, and the bot's end of the socket for its calls."""

    def __init__(self, process: ForkProcess, bot_end: socket.socket) -> None:
        self._process = process
        self.bot_end = bot_end

    def kill(self) -> None:
        """Kill it, without waiting for its end."""
        self._process.kill()

    def end(self) -> int | None:
        """End it at once; return its exit code.  One that ends by itself keeps its code."""
        self._process.kill()
        self._process.join()
        return self._process.exitcode


def as_message(data: bytes) -> bytes:
    """Return what is sent for a pickled call or reply: its length and itself."""
    return len(data).to_bytes(LENGTH_SIZE, "big") + data


def length_of_message(start: bytes | bytearray) -> int:
    """Return the length of a message without that length itself; ``start``: what is sent first of it."""
    return int.from_bytes(start[:LENGTH_SIZE], "big")


@contextmanager
def drawing_processes() -> Iterator[tuple[DrawingProcess, ...]]:
    """Load what pictures need, fork the processes, and end them with the context.  No thread may run yet.

    Yields fewer if the system cannot fork now, and none with one processor, where they would not help, or
    outside Linux, where forking is not safe.
    """
    warm_up()  # before the fork, so that fonts are in memory once
    if sys.platform != "linux" or len(os.sched_getaffinity(0)) < 2:
        yield ()
        return
    gc.collect()
    gc.freeze()  # a collection in any process would write to the memory that they share
    processes: list[DrawingProcess] = []
    try:
        for _ in range(PROCESS_COUNT):
            _add_process(processes)
    except OSError:
        _log.warning("drawing process not started: the bot draws")  # plain: the log is not set up yet
    try:
        yield tuple(processes)
    finally:
        for process in processes:
            process.end()
            process.bot_end.close()


def _add_process(processes: list[DrawingProcess]) -> None:
    """Fork one more process and add it to ``processes``.  Raises OSError."""
    context = get_context("fork")
    bot_end, process_end = socket.socketpair()
    bot_ends = (bot_end, *(each.bot_end for each in processes))
    process = context.Process(target=_serve, args=(process_end, bot_ends), name="drawing", daemon=True)
    try:
        with _block_stop_signals():
            process.start()
    except OSError:
        bot_end.close()
        raise
    finally:
        process_end.close()
    processes.append(DrawingProcess(process, bot_end))


@contextmanager
def _block_stop_signals() -> Iterator[None]:
    """Hold back signals to stop until the context ends."""
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, _STOP_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


def _serve(process_end: socket.socket, bot_ends: Sequence[socket.socket]) -> None:
    """Run calls until the bot has closed its end, or is gone.  Never returns.

    ``bot_ends``: the bot's ends of this and earlier sockets, closed here so that only the bot has them.
    """
    try:
        for end in bot_ends:
            end.close()
        for number in _STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # sent to the whole group, while the bot may still draw
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP_SIGNALS)
        _die_with_bot()
        _run_calls(process_end)
    except (EOFError, ConnectionError):
        os._exit(0)
    except BaseException:  # noqa: BLE001 - its text may be secret: only the exit code is passed on
        os._exit(1)


def _die_with_bot() -> None:
    """Ask the system to kill this process when the bot ends, and before the bot when memory runs out.

    Raises EOFError if the bot has ended.
    """
    bot_pid = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != bot_pid:
        raise EOFError
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_OOM_SCORE_ADJUSTMENT, encoding="ascii")


def _run_calls(process_end: socket.socket) -> None:
    """Run calls as they come; in between, give free memory back to the system."""
    poller = select.poll()
    poller.register(process_end, select.POLLIN)
    released_at = monotonic()
    while True:
        if poller.poll(RELEASE_INTERVAL * 1000):
            length = length_of_message(_receive(process_end, LENGTH_SIZE))
            process_end.sendall(as_message(_run_call(_receive(process_end, length))))
        if monotonic() - released_at >= RELEASE_INTERVAL:
            shrink_idle_caches()
            release_free_memory()
            released_at = monotonic()


def _receive(process_end: socket.socket, length: int) -> bytes:
    """Wait for so many bytes and return them.  Raises EOFError, ConnectionError."""
    data = bytearray()
    while len(data) < length:  # MSG_WAITALL returns less if the process is suspended
        received = process_end.recv(length - len(data))
        if not received:
            raise EOFError
        data += received
    return bytes(data)


def _run_call(request: bytes) -> bytes:
    """Run the pickled call and return its reply, pickled too."""
    try:
        return _pickle_reply((pickle.loads(request)(), None))  # noqa: S301 - it comes from the bot
    except Exception as error:  # noqa: BLE001 - the caller raises it
        return _pickle_error(error)


def _pickle_error(error: Exception) -> bytes:
    """Return the pickled reply with an error; a RuntimeError with its name if it cannot be pickled."""
    frames = [
        (frame.filename, frame.lineno or 0, frame.name) for frame in traceback.extract_tb(error.__traceback__)
    ]
    try:
        setattr(error, REMOTE_FRAMES_ATTRIBUTE, frames)
        reply = _pickle_reply((None, error))
        pickle.loads(reply)  # noqa: S301 - our own; some errors cannot be unpickled
    except Exception:  # noqa: BLE001 - an exception's own code runs here
        named_error = RuntimeError(type(error).__name__)
        setattr(named_error, REMOTE_FRAMES_ATTRIBUTE, frames)
        return _pickle_reply((None, named_error))
    return reply


def _pickle_reply(reply: _Reply) -> bytes:
    return pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)
