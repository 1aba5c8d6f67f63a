"""``captains-table play``: runs the stand-in for Discord with its page, and the bot as a child process.

The bot is the same program that joins Discord; only its endpoints differ.  As a process of its own it cannot
block the stand-in unnoticed.  Its database is temporary, because the stand-in keeps no message when it ends.
"""

import asyncio
import errno
import os
import signal
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Final

from bot.chat.connection import LOCAL_ADDRESS_VARIABLE
from bot.config import (
    BACKUPS_VARIABLE,
    DATABASE_VARIABLE,
    HEARTBEAT_VARIABLE,
    LOG_LEVEL_VARIABLE,
    METRICS_VARIABLE,
    TOKEN_FILE_VARIABLE,
    TOKEN_VARIABLE,
)
from bot.local.server import LocalDiscord

DEFAULT_PORT: Final = 8080
_STOP_TIMEOUT: Final = 10.0
"""Seconds that the bot has to stop before it is killed."""
_OTHER_BOTS_VARIABLES: Final = frozenset(
    {TOKEN_FILE_VARIABLE, BACKUPS_VARIABLE, METRICS_VARIABLE, HEARTBEAT_VARIABLE}
)
"""Settings that name files and a port of a bot that joins Discord: this one must not touch them."""


async def play_locally(port: int | None, *, open_browser: bool) -> int:
    """Serve until Ctrl-C, SIGTERM or the end of the bot, and return the exit code.

    ``port`` None: 8080, or any free port if that is taken.  Raises OSError if the given port cannot be used.
    """
    stop_event = asyncio.Event()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(signal_number, stop_event.set)
    with tempfile.TemporaryDirectory(prefix="captains-table-") as directory:
        local_discord = await _start_server(port)
        try:
            bot = await _start_bot(local_discord, Path(directory) / "tables.db")
            try:
                print(f"Captain's Table is ready: {local_discord.page_url}\nStop it with Ctrl-C.", flush=True)
                if open_browser:
                    await asyncio.to_thread(webbrowser.open, local_discord.page_url)
                return await _wait_until_stopped(bot, stop_event)
            finally:
                await _stop_bot(bot)
        finally:
            await local_discord.stop()


async def _start_server(port: int | None) -> LocalDiscord:
    local_discord = LocalDiscord(port=DEFAULT_PORT if port is None else port)
    try:
        await local_discord.start()
    except OSError as error:
        if port is not None or error.errno != errno.EADDRINUSE:
            raise
        local_discord = LocalDiscord()
        await local_discord.start()
        print(f"Port {DEFAULT_PORT} is in use; using port {local_discord.port} instead.", flush=True)
    return local_discord


async def _wait_until_stopped(bot: asyncio.subprocess.Process, stop_event: asyncio.Event) -> int:
    tasks = {asyncio.ensure_future(stop_event.wait()), asyncio.ensure_future(bot.wait())}
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    if bot.returncode is not None:
        print(f"The bot has ended (exit code {bot.returncode}).", flush=True)
    return bot.returncode or 0


async def _stop_bot(bot: asyncio.subprocess.Process) -> None:
    if bot.returncode is not None:
        return
    bot.terminate()
    try:
        await asyncio.wait_for(bot.wait(), _STOP_TIMEOUT)
    except TimeoutError:
        bot.kill()
        await bot.wait()


async def _start_bot(local_discord: LocalDiscord, database: Path) -> asyncio.subprocess.Process:
    environment = {name: value for name, value in os.environ.items() if name not in _OTHER_BOTS_VARIABLES}
    environment |= {
        LOCAL_ADDRESS_VARIABLE: local_discord.address,
        DATABASE_VARIABLE: str(database),
        TOKEN_VARIABLE: local_discord.bot_token,
        LOG_LEVEL_VARIABLE: "WARNING",
    }
    # In a session of its own, so that Ctrl-C reaches this process alone, which then stops the bot.
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", env=environment, start_new_session=True
    )
