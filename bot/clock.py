"""The types of the clock and the sleep that are passed in, so that tests need not wait."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], float]
"""Returns seconds: since the epoch where times are stored, since any moment where they are only compared."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]
"""Waits for that many seconds."""
