"""A clock for tests of what waits: sleeping moves it on."""

import asyncio


class SelfAdvancingClock:
    """A clock that sleeping moves on; others run meanwhile."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the current time."""
        return self.now

    async def sleep(self, seconds: float) -> None:
        """Sleep without waiting."""
        await asyncio.sleep(0)
        self.now += max(seconds, 1e-6)
