"""Whether the person who acted can still be shown a response: asked just before an act is stored."""

import asyncio
import contextlib
from typing import Final

PATIENCE: Final = 3.0
"""Seconds to wait for Discord's answer to a placeholder; without one by then no response can be shown."""


class ResponseGate:
    """The state of one interaction's response: open, pending, or expired."""

    def __init__(self) -> None:
        """Start open: nothing speaks against a response."""
        self._expired = False
        self._settled = asyncio.Event()
        self._settled.set()

    def pending(self) -> None:
        """Note that a placeholder is being sent."""
        self._settled.clear()

    def settle(self, *, heard: bool) -> None:
        """Note whether Discord accepted the placeholder."""
        self._expired = self._expired or not heard
        self._settled.set()

    async def confirmed(self) -> bool:
        """Return whether a response can be shown; waits for a pending placeholder, at most ``PATIENCE``."""
        if not self._settled.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._settled.wait(), PATIENCE)
        return self._settled.is_set() and not self._expired
