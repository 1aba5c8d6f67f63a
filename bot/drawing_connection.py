"""Calls of the event loop to a drawing process."""

import asyncio
import logging
import pickle
import signal
from collections import deque
from collections.abc import Callable
from typing import Final, TypeVar, cast

from bot.drawing_process import LENGTH_SIZE, DrawingProcess, as_message, length_of_message

CHECK_SECONDS: Final = 1.0
"""The time between two checks of a call."""
MAX_CALL_CHECKS: Final = 10
"""At this check of a call the process is killed.  Checks stop while the machine is suspended."""

T = TypeVar("T")

_log = logging.getLogger(__name__)


class DrawingProcessCrashed(Exception):
    """The process crashed during a call, or the bot stopped during it."""


class DrawingProcessEnded(Exception):
    """The process was killed during a call, or had ended before it got it: the call may run elsewhere."""


class DrawingConnection(asyncio.Protocol):
    """The connection of the running loop to one process, which runs one call after the other.

    Made by ``open``.  Each reply to come has a future, in the order of the calls, also if its caller was
    cancelled.
    """

    def __init__(self, process: DrawingProcess) -> None:
        self._process = process
        self._transport: asyncio.WriteTransport | None = None
        """None once the process has ended."""
        self._received = bytearray()
        """What has come of the next reply."""
        self._replies: deque[asyncio.Future[bytes]] = deque()
        self._next_check: asyncio.TimerHandle | None = None
        """Of the oldest call; None if none is under way."""
        self._timeout_error: TimeoutError | None = None
        """Set when the process is killed because a call takes too long."""
        self._is_stopping = False

    @classmethod
    async def open(cls, process: DrawingProcess) -> "DrawingConnection":
        """Connect the running loop to a process."""
        _, connection = await asyncio.get_running_loop().create_unix_connection(
            lambda: cls(process), sock=process.bot_end
        )
        return connection

    @property
    def is_running(self) -> bool:
        """Whether the process runs."""
        return self._transport is not None

    async def call(self, work: Callable[[], T]) -> T:
        """Run picklable work in the process and return its result.

        Raises what the work raises, DrawingProcessCrashed, DrawingProcessEnded.
        """
        if self._transport is None or self._transport.is_closing():
            raise DrawingProcessEnded
        request = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._replies.append(reply)
        if self._next_check is None:
            self._schedule_check(MAX_CALL_CHECKS)
        self._transport.write(as_message(request))
        result, error = pickle.loads(await reply)  # noqa: S301 - our own process's
        if error is not None:
            raise error
        return cast("T", result)

    def _schedule_check(self, checks_left: int) -> None:
        self._next_check = asyncio.get_running_loop().call_later(CHECK_SECONDS, self._check, checks_left)

    def _check(self, checks_left: int) -> None:
        if checks_left > 1:
            self._schedule_check(checks_left - 1)
        else:
            self._timeout_error = TimeoutError()
            self._process.kill()

    def _end_checks(self) -> None:
        if self._next_check is not None:
            self._next_check.cancel()
            self._next_check = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take calls from now on."""
        self._transport = cast("asyncio.WriteTransport", transport)

    def data_received(self, data: bytes) -> None:
        """Hand over the replies that are complete."""
        self._received += data
        while len(self._received) >= LENGTH_SIZE:
            end = LENGTH_SIZE + length_of_message(self._received)
            if len(self._received) < end:
                return
            reply = self._replies.popleft()
            if not reply.cancelled():
                reply.set_result(bytes(self._received[LENGTH_SIZE:end]))
            del self._received[:end]
            self._end_checks()
            if self._replies:
                self._schedule_check(MAX_CALL_CHECKS)

    def connection_lost(self, error: Exception | None) -> None:
        """Fail the calls under way.  The process has ended, or is about to."""
        self._transport = None
        self._end_checks()
        exit_code = self._process.end()
        if not self._is_stopping:
            cause = self._timeout_error or error or EOFError()
            _log.warning(
                "drawing process ended: the bot draws", exc_info=cause, extra={"exit_code": exit_code}
            )
        # the last request may not have been sent; the process had begun with none but the first
        has_begun = not isinstance(error, BrokenPipeError) or len(self._replies) > 1
        for reply in self._replies:
            has_crashed = has_begun and exit_code != -signal.SIGKILL
            if not reply.cancelled():
                is_lost = has_crashed or self._is_stopping
                reply.set_exception(DrawingProcessCrashed() if is_lost else DrawingProcessEnded())
            has_begun = False
        self._replies.clear()

    def stop(self) -> None:
        """End the process at once.  Calls under way raise DrawingProcessCrashed."""
        self._is_stopping = True
        self._process.end()
        if self._transport is not None:
            self._transport.abort()
