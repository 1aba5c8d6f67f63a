"""Whether Discord still accepts a response to an interaction, checked just before its change is stored."""

import asyncio
import contextlib
from typing import Final

TIMEOUT: Final = 3.0
"""Seconds to wait for Discord to accept a placeholder; then the response counts as expired."""


class ResponseGate:
    """The state of one interaction's response: open, pending, or expired."""

    def __init__(self) -> None:
        """Start open: a response can be shown."""
        self._expired = False
        self._settled = asyncio.Event()
        self._settled.set()

    def pending(self) -> None:
        """Note that a placeholder is being sent."""
        self._settled.clear()

    def settle(self, *, accepted: bool) -> None:
        """Note whether Discord accepted the placeholder."""
        self._expired = self._expired or not accepted
        self._settled.set()

    async def confirmed(self) -> bool:
        """Return whether a response can be shown; waits for a pending placeholder, at most ``TIMEOUT``."""
        if not self._settled.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._settled.wait(), TIMEOUT)
        return self._settled.is_set() and not self._expired
