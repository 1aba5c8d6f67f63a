"""The bot with little patience and something that never comes to an end.

``python -m tests.bot.e2e.hanging WHAT``: ``rules FILE``, ``store``, or ``nothing``.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bot import running
from bot.__main__ import main
from bot.store.sqlite import SqliteStore
from bot.watch import lifeline
from rules.catalogue import GAMES


def rules() -> None:
    """Once a file stands there, the next choice is worked out for ever."""
    file = Path(sys.argv[2])

    def slow(game: Any) -> Any:
        def endless(*given: Any) -> Any:
            while file.exists():
                pass
            return game.apply_action(*given)

        return replace(game, apply_action=endless)

    vars(running)["GAMES"] = {key: slow(game) for key, game in GAMES.items()}


def store() -> None:
    """Whoever wants to open a table makes the store's thread wait for ever."""

    async def silent(self: SqliteStore, *_: Any) -> Any:
        return await self._read(lambda _: time.sleep(3600))

    SqliteStore.holdings = silent  # type: ignore[method-assign, assignment]


def nothing() -> None:
    """All is well."""


HANGS: Final = {one.__name__: one for one in (rules, store, nothing)}
"""By name."""

if __name__ == "__main__":
    HANGS[sys.argv[1]]()
    lifeline.LOOK_EVERY = 0.25  # type: ignore[misc]
    lifeline.ASK_EVERY = 0.5  # type: ignore[misc]
    sys.exit(main(["run"]))
