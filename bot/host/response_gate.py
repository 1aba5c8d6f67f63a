"""Whether whoever acted can still be told what came of it."""

import asyncio
import contextlib
from typing import Final

PATIENCE: Final = 3.0
"""Seconds of doubt: who has not been answered by then is shown no answer any more."""


class ResponseGate:
    """Told by whoever answers, asked just before an act is stored."""

    def __init__(self) -> None:
        """There is no doubt yet."""
        self._lost = False
        self._known = asyncio.Event()
        self._known.set()

    def pending(self) -> None:
        """Whether an answer can be shown is being found out."""
        self._known.clear()

    def settle(self, *, heard: bool) -> None:
        """It is found out."""
        self._lost = self._lost or not heard
        self._known.set()

    async def confirmed(self) -> bool:
        """Whether an answer can be shown; waits while that is in doubt, but not for ever."""
        if not self._known.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._known.wait(), PATIENCE)
        return self._known.is_set() and not self._lost
