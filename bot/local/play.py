"""``captains-table play``: the stand-in here, the bot beside it as a process of its own, a page to play on.

The bot is the same program that joins Discord; only its endpoints differ.  It runs apart so that a bot that
blocks is seen to block.
"""

import asyncio
import os
import signal
import sys
import webbrowser
from pathlib import Path
from typing import Final

from bot.chat.endpoints import ENVIRONMENT
from bot.config import DATABASE, TOKEN
from bot.local.server import LocalDiscord

_GRACE: Final = 10.0
"""Seconds for the bot to finish before it is killed."""


async def play_locally(port: int, database: Path, *, open_browser: bool) -> int:
    """Serve until Ctrl-C or SIGTERM; returns the exit code."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    # What an earlier run posted is gone with its server, so its tables start afresh too.
    for leftover in database.parent.glob(f"{database.name}*"):
        leftover.unlink()
    async with LocalDiscord(port=port) as discord:
        bot = await _start_bot(discord, database)
        waits = {asyncio.ensure_future(stopping.wait()), asyncio.ensure_future(bot.wait())}
        print(f"Captain's Table is ready: {discord.page}\nStop it with Ctrl-C.", flush=True)  # noqa: T201
        if open_browser:
            await asyncio.to_thread(webbrowser.open, discord.page)
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        if bot.returncode is not None:
            return bot.returncode
        bot.terminate()
        try:
            return await asyncio.wait_for(bot.wait(), _GRACE)
        except TimeoutError:
            bot.kill()
            return await bot.wait()


async def _start_bot(discord: LocalDiscord, database: Path) -> asyncio.subprocess.Process:
    environment = {
        **os.environ,
        ENVIRONMENT: f"http://127.0.0.1:{discord.port}",
        DATABASE: str(database),
        TOKEN: discord.token,
        "CAPTAINS_TABLE_LOG": "WARNING",
    }
    return await asyncio.create_subprocess_exec(sys.executable, "-m", "bot", "run", env=environment)
