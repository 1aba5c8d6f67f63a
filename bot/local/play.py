"""``captains-table play``: the stand-in here, the bot beside it as a process of its own, a page to play on.

The bot is the same program that joins Discord; only its endpoints differ.  It runs apart so that a bot that
blocks is seen to block.  Its database lives in a directory that goes with the server: what was posted here is
gone with it as well.
"""

import asyncio
import os
import signal
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Final

from bot.chat.connection import ENVIRONMENT
from bot.config import DATABASE, LOG_LEVEL, TOKEN, TOKEN_FILE
from bot.local.server import LocalDiscord

_GRACE: Final = 10.0
"""Seconds for the bot to finish before it is killed."""


async def play_locally(port: int, *, open_browser: bool) -> int:
    """Serve until Ctrl-C or SIGTERM; returns the exit code.  OSError if the port is taken."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    with tempfile.TemporaryDirectory(prefix="captains-table-") as directory:
        async with LocalDiscord(port=port) as discord:
            bot = await _start_bot(discord, Path(directory) / "tables.db")
            try:
                print(f"Captain's Table is ready: {discord.page}\nStop it with Ctrl-C.", flush=True)
                if open_browser:
                    await asyncio.to_thread(webbrowser.open, discord.page)
                return await _until_stopped(bot, stopping)
            finally:
                await _stop_bot(bot)


async def _until_stopped(bot: asyncio.subprocess.Process, stopping: asyncio.Event) -> int:
    waits = {asyncio.ensure_future(stopping.wait()), asyncio.ensure_future(bot.wait())}
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
    if bot.returncode is not None:
        print(f"The bot has ended (exit code {bot.returncode}).", flush=True)
    return bot.returncode or 0


async def _stop_bot(bot: asyncio.subprocess.Process) -> None:
    if bot.returncode is not None:
        return
    bot.terminate()
    try:
        await asyncio.wait_for(bot.wait(), _GRACE)
    except TimeoutError:
        bot.kill()
        await bot.wait()


async def _start_bot(discord: LocalDiscord, database: Path) -> asyncio.subprocess.Process:
    environment = {name: value for name, value in os.environ.items() if name != TOKEN_FILE}
    environment |= {
        ENVIRONMENT: f"http://127.0.0.1:{discord.port}",
        DATABASE: str(database),
        TOKEN: discord.token,
        LOG_LEVEL: "WARNING",
    }
    # A group of its own: Ctrl-C reaches this process alone, which then stops the bot in order.
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", env=environment, start_new_session=True
    )
