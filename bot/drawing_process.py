"""The processes that draw pictures, so that drawing and the event loop do not share an interpreter's lock.

They are forked before any thread runs and before most of the bot is loaded, so they take little memory.  They
know neither Discord nor the database: they get picklable calls, such as ``partial(function, view)``.
"""

import ctypes
import gc
import logging
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from time import monotonic
from typing import Any, Final, TypeAlias, TypeVar, cast

from bot.heap import RELEASE_INTERVAL, release_free_memory
from render.paint import shrink_idle_caches, warm_up

PROCESS_COUNT: Final = 2
"""Each draws the pictures of its own games, so that few parts of pictures are cached twice."""
CHECK_SECONDS: Final = 1.0
"""How long one check waits for the reply to a call."""
MAX_CALL_CHECKS: Final = 10
"""After this many checks of a call the process is killed.  Checks stop while the machine is suspended."""
REMOTE_FRAMES_ATTRIBUTE: Final = "remote_frames"
"""The attribute of a process's error that lists where it was raised: file, line, function."""
_STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
_END_TIMEOUT: Final = 1.0
"""Seconds that the process may take to end after its connection has broken, before it is killed."""

T = TypeVar("T")
_Reply: TypeAlias = tuple[object, Exception | None]
"""The result of a call and None, or None and its error."""
_PR_SET_PDEATHSIG: Final = 1
"""The option of ``prctl`` that sends a process a signal when its parent ends."""
_OOM_SCORE_ADJUSTMENT: Final = "500"
"""Of at most 1,000: when memory runs out, the system kills this process before the bot."""

_log = logging.getLogger(__name__)


class DrawingProcessCrashed(Exception):
    """The process crashed during a call, or the bot stopped during it."""


class DrawingProcess:
    """The bot's handle of one process.  Calls come from threads, and one runs at a time.

    Once it has ended, calls run in the threads that make them.
    """

    def __init__(self, process: ForkProcess, connection: "Connection[Any, Any]") -> None:
        self._process = process
        self.connection = connection
        """The bot's end of the pipe."""
        self._lock = threading.Lock()
        self._has_ended = self._is_stopping = False

    @property
    def is_running(self) -> bool:
        """Whether calls still run in the process."""
        return not self._has_ended

    def call(self, work: Callable[[], T]) -> T:
        """Run picklable work and return its result.  Raises what the work raises, DrawingProcessCrashed.

        If the process takes too long, or the system kills it because memory runs out, the work is run in the
        calling thread instead.
        """
        with self._lock:
            reply = None if self._has_ended else self._run_in_process(work)
        if reply is None:
            return work()
        result, error = reply
        if error is not None:
            raise error
        return cast("T", result)

    def _run_in_process(self, work: Callable[[], object]) -> _Reply | None:
        """Run work in the process and return its reply.  Raises DrawingProcessCrashed.

        Return None if the process was killed, or had ended before it got the work.
        """
        request, has_begun = pickle.dumps(work, pickle.HIGHEST_PROTOCOL), False
        try:
            self.connection.send_bytes(request)
            has_begun = True
            if any(self.connection.poll(CHECK_SECONDS) for _ in range(MAX_CALL_CHECKS)):
                reply: _Reply = pickle.loads(self.connection.recv_bytes())  # noqa: S301 - our own process's
                return reply
            self._process.kill()
            raise TimeoutError
        except (EOFError, OSError) as error:  # an OSError too if it died in the middle of its reply
            self._end()
            if self._is_stopping:
                raise DrawingProcessCrashed from error
            code = self._process.exitcode
            _log.warning("drawing process ended: the bot draws", exc_info=error, extra={"exit_code": code})
            if has_begun and code != -signal.SIGKILL:
                raise DrawingProcessCrashed from error
            return None

    def _end(self) -> None:
        """Kill the process unless it ends by itself."""
        self._has_ended = True
        self.connection.close()
        self._process.join(_END_TIMEOUT)
        self._process.kill()
        self._process.join()

    def stop(self) -> None:
        """End the process at once.  A call under way raises DrawingProcessCrashed."""
        self._is_stopping = True
        self._process.kill()
        with self._lock:
            if not self._has_ended:
                self._end()


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
            process.stop()


def _add_process(processes: list[DrawingProcess]) -> None:
    """Fork one more process and add it to ``processes``.  Raises OSError."""
    context = get_context("fork")
    bot_end, process_end = context.Pipe()
    bot_ends = (bot_end, *(each.connection for each in processes))
    process = context.Process(target=_serve, args=(process_end, bot_ends), name="drawing", daemon=True)
    with _block_stop_signals():
        process.start()
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


def _serve(connection: "Connection[Any, Any]", bot_ends: "Sequence[Connection[Any, Any]]") -> None:
    """Run calls until the bot has closed its end, or is gone.  Never returns.

    ``bot_ends``: the bot's ends of this and earlier connections, closed here so that only the bot has them.
    """
    try:
        for end in bot_ends:
            end.close()
        for number in _STOP_SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # sent to the whole group, while the bot may still draw
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOP_SIGNALS)
        _die_with_bot()
        _run_calls(connection)
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


def _run_calls(connection: "Connection[Any, Any]") -> None:
    """Run calls as they come; in between, give free memory back to the system."""
    released_at = monotonic()
    while True:
        if connection.poll(RELEASE_INTERVAL):
            connection.send_bytes(_run_call(connection.recv_bytes()))
        if monotonic() - released_at >= RELEASE_INTERVAL:
            shrink_idle_caches()
            release_free_memory()
            released_at = monotonic()


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
