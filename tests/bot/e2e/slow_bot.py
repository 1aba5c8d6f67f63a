"""The bot on a machine so slow that each move takes ``MOVE_SECONDS``.

``python -m tests.bot.e2e.slow_bot``
"""

import asyncio
import sys
from typing import Final

from bot.__main__ import main
from bot.host.committer import ChangeResult
from bot.host.request import Request
from bot.host.tables import Decider, Tables
from bot.store.rows import Status

MOVE_SECONDS: Final = 2.4
"""More than the bot lets pass before it defers the response."""

_original_change = Tables._change


async def _change_slowly(
    self: Tables, number: int, request: Request | None, decide: Decider, *, in_worker: bool = False
) -> ChangeResult:
    if request is not None and (await self.get(number)).status is Status.PLAYING:
        await asyncio.sleep(MOVE_SECONDS)
    return await _original_change(self, number, request, decide, in_worker=in_worker)


if __name__ == "__main__":
    Tables._change = _change_slowly  # type: ignore[method-assign]
    sys.exit(main(["run"]))
