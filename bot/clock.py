"""The types of clock and sleep: both are passed in, so that tests need not wait."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], float]
"""Returns the time in seconds: since 1970 if it is stored, else since any moment."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]
"""Waits for that many seconds."""
