"""The bot with short time limits, of which one part hangs, or none.

``python -m tests.bot.e2e.altered_bot ALTERATION [FILE]``
"""

import asyncio
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bot import running
from bot.__main__ import main
from bot.chat import client
from bot.host.host import Host
from bot.store.sqlite import SqliteStore
from bot.watch import hang_watchdog
from rules.catalogue import GAMES

CHECKS_WHILE_NOTHING_HANGS: Final = 1_000
"""Checks until the watchdog ends a process that is only slow: minutes, since the machine may be busy."""
CHECKS_UNTIL_END: Final = 8
"""Checks until the watchdog ends the process: two seconds.  Set only once the hang has begun."""


def hang_in_rules() -> None:
    """Make actions take for ever while the file exists."""
    file = Path(sys.argv[2])

    def with_hanging_rules(game: Any) -> Any:
        def apply_endlessly(*arguments: Any) -> Any:
            while file.exists():
                if threading.current_thread() is threading.main_thread():
                    hang_watchdog.MAX_CHECKS_WITHOUT_SIGN = CHECKS_UNTIL_END  # type: ignore[misc]
                else:
                    hang_watchdog.MAX_CHECKS_AT_SAME_CALL = CHECKS_UNTIL_END  # type: ignore[misc]
                time.sleep(0.01)  # other tests need the processor
            return game.apply_action(*arguments)

        return replace(game, apply_action=apply_endlessly)

    vars(running)["GAMES"] = {key: with_hanging_rules(game) for key, game in GAMES.items()}


def hang_in_store() -> None:
    """Make the store's thread wait for ever once a table is opened while the file exists."""

    async def wait_in_store(self: SqliteStore, *arguments: Any) -> Any:
        if not Path(sys.argv[2]).exists():
            return await quota_usage(self, *arguments)
        hang_watchdog.MAX_CHECKS_WITHOUT_ANSWER = CHECKS_UNTIL_END  # type: ignore[misc]
        return await self._connection.run(lambda _: time.sleep(3600))

    quota_usage = SqliteStore.quota_usage

    SqliteStore.quota_usage = wait_in_store  # type: ignore[method-assign, assignment]


def hang_in_start() -> None:
    """Make the start take for ever; the file is written if the host is stopped meanwhile."""
    is_starting = [False]
    start, stop = Host.start, Host.stop

    async def start_and_wait(self: Host, *arguments: Any) -> None:
        is_starting[0] = True
        try:
            print('{"event":"loading tables"}', file=sys.stderr, flush=True)
            await asyncio.sleep(3600)
            await start(self, *arguments)
        finally:
            is_starting[0] = False

    async def stop_and_report(self: Host) -> None:
        if is_starting[0]:
            Path(sys.argv[2]).touch()
        await stop(self)

    Host.start, Host.stop = start_and_wait, stop_and_report  # type: ignore[method-assign, assignment]


def alter_nothing() -> None:
    """Leave the bot as it is."""


ALTERATIONS: Final = {
    "rules": hang_in_rules,
    "store": hang_in_store,
    "start": hang_in_start,
    "nothing": alter_nothing,
}
"""By the word on the command line."""

if __name__ == "__main__":
    ALTERATIONS[sys.argv[1]]()
    hang_watchdog.CHECK_INTERVAL = 0.25  # type: ignore[misc]
    hang_watchdog.MAX_CHECKS_WITHOUT_SIGN = CHECKS_WHILE_NOTHING_HANGS  # type: ignore[misc]
    hang_watchdog.MAX_CHECKS_AT_SAME_CALL = CHECKS_WHILE_NOTHING_HANGS  # type: ignore[misc]
    hang_watchdog.MAX_CHECKS_WITHOUT_ANSWER = CHECKS_WHILE_NOTHING_HANGS  # type: ignore[misc]
    hang_watchdog.STORE_POLL_INTERVAL = 0.5  # type: ignore[misc]
    client.FIRST_SYNC_RETRY_DELAY = 0.2  # type: ignore[misc]
    running.LOCKED_DATABASE_TIMEOUT = 2.0  # type: ignore[misc]
    sys.exit(main(["run"]))
