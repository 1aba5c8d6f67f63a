"""The types of clock and sleep: both are passed in, so that tests need not wait."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

Clock: TypeAlias = Callable[[], float]
"""Returns the time in seconds: since 1970 if the time is stored, else since an arbitrary moment."""
Sleep: TypeAlias = Callable[[float], Awaitable[None]]
"""Waits for that many seconds."""
