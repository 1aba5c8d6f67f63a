"""The bot on a machine so slow that each move takes ``SECONDS``: ``python -m tests.bot.e2e.slow_bot``."""

import asyncio
import sys
from typing import Final

from bot.__main__ import main
from bot.host.table import Request
from bot.host.tables import ChangeResult, Decider, Tables
from bot.store.rows import Status

SECONDS: Final = 2.4
"""More than the bot lets pass before it shows a placeholder."""

_change = Tables._change


async def _slow(
    self: Tables, number: int, request: Request | None, decide: Decider, *, in_thread: bool = False
) -> ChangeResult:
    if request is not None and (await self.get(number)).status is Status.PLAYING:
        await asyncio.sleep(SECONDS)
    return await _change(self, number, request, decide, in_thread=in_thread)


if __name__ == "__main__":
    Tables._change = _slow  # type: ignore[method-assign]
    sys.exit(main(["run"]))
