"""The last resort: a thread that ends the process when its event loop hangs or its store stays silent.

Every other watchdog runs in the loop, so a game whose rules never come to an end would stop them all.  The
thread counts its own looks instead of seconds, so that a process that was paused is not blamed for it.
"""

import asyncio
import contextlib
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType, TracebackType
from typing import Final, Protocol

from bot.store.protocol import StoreError

LOOK_EVERY: Final = 5.0
"""Seconds between two looks of the thread."""
LOOP_LOOKS: Final = 12
"""After so many looks without a sign of the loop's the process ends: a minute."""
STORE_LOOKS: Final = 60
"""After so many without an answer of the store's: five minutes."""
SIGN_EVERY: Final = 1.0
"""Seconds between two signs of the loop's."""
ASK_EVERY: Final = 15.0
"""Seconds between two questions to the store."""
_WORDS_PATIENCE: Final = 2.0
"""Seconds for the last line of the log: what hangs may be the log itself."""

_log = logging.getLogger(__name__)


class Asked(Protocol):
    """The store, as far as it is asked."""

    async def setting(self, key: str) -> str | None:
        """Any question that it must look up.  Raises StoreError."""
        ...


class Hung(Exception):
    """Tells the log where the loop's thread stands."""


class Lifeline:
    """Watches the thread that makes it, and one store."""

    def __init__(self, end: Callable[[], object]) -> None:
        """``end`` ends the process at once; ``watching`` begins."""
        self._end = end
        self._main = threading.get_ident()
        self._signs = 0
        self._answers: int | None = None
        """How often the store has answered; None: there is none to be asked."""
        self._over = threading.Event()

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch as long as this lasts."""
        threading.Thread(target=self._watch, name="lifeline", daemon=True).start()
        try:
            yield
        finally:
            self._over.set()

    async def sign(self) -> None:
        """Show that the loop goes on, until cancelled."""
        while True:
            self._signs += 1
            await asyncio.sleep(SIGN_EVERY)

    async def ask(self, store: Asked) -> None:
        """Show that a store answers, until cancelled."""
        self._answers = 0
        try:
            while True:
                with contextlib.suppress(StoreError):
                    await store.setting("")
                    self._answers += 1
                await asyncio.sleep(ASK_EVERY)
        finally:
            self._answers = None

    def _watch(self) -> None:
        signs, loop_looks = self._signs, 0
        answers, store_looks = self._answers, 0
        while not self._over.wait(LOOK_EVERY):
            loop_looks = loop_looks + 1 if self._signs == signs else 0
            store_looks = store_looks + 1 if self._answers == answers is not None else 0
            signs, answers = self._signs, self._answers
            if loop_looks >= LOOP_LOOKS:
                self._despair(self._loop_hangs)
            elif store_looks >= STORE_LOOKS:
                self._despair(self._store_is_silent)

    def _despair(self, tell: Callable[[], None]) -> None:
        telling = threading.Thread(target=tell, daemon=True)
        telling.start()
        telling.join(_WORDS_PATIENCE)
        self._end()

    def _loop_hangs(self) -> None:
        frame = sys._current_frames().get(self._main)  # noqa: SLF001 - the one way to see another thread
        where = Hung().with_traceback(_trace(frame))
        _log.critical("the event loop hangs: the process ends, to be started afresh", exc_info=where)

    @staticmethod
    def _store_is_silent() -> None:
        _log.critical("the store stays silent: the process ends, to be started afresh")


def _trace(frame: FrameType | None) -> TracebackType | None:
    """The stack below a frame, as an exception would carry it."""
    trace = None
    while frame is not None:
        trace = TracebackType(trace, frame, frame.f_lasti, frame.f_lineno)
        frame = frame.f_back
    return trace
