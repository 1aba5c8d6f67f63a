"""Runs the bot as a process of its own, over real sockets on loopback, without limits of use."""

import asyncio
import os
import re
import signal
import sys
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import aiohttp
import psutil

from bot.chat.connection import LOCAL_ADDRESS_VARIABLE
from bot.config import DATABASE_VARIABLE, LOG_LEVEL_VARIABLE, METRICS_VARIABLE, TOKEN_VARIABLE
from bot.local.access import LOOPBACK_ADDRESS
from bot.local.server import LocalDiscord
from tests.bot.e2e.process_memory import unshared_drawing_memory, used_memory
from tests.bot.e2e.rig import UNLIMITED_USE, find_free_port

START_TIMEOUT: Final = 600.0
"""How long a start may take."""
STOP_TIMEOUT: Final = 120.0
"""How long a stop may take before the process is killed."""
_POLL_SECONDS: Final = 0.005
_METRIC_PATTERN: Final = re.compile(
    r"^captains_table_(\w+)(?:{[^}]*})? (\S+)$|^(bench_\w+)(?:{part=\"([^\"]*)\"})? (\S+)$", re.MULTILINE
)
_PROGRAM: Final = ("-m", "tests.bench.bot_program")


@dataclass
class RunningBot:
    """The bot's process."""

    process: asyncio.subprocess.Process
    metrics_port: int
    start_seconds: float = 0.0
    """From the start of the process until the gateway is connected and the commands are there."""
    stop_seconds: float = 0.0
    """From SIGTERM to the end of the process."""
    was_killed: bool = False
    """Whether it had not ended after ``STOP_TIMEOUT``."""
    _psutil_process: psutil.Process = field(init=False)

    def __post_init__(self) -> None:
        """Find the process, to measure it and its children."""
        self._psutil_process = psutil.Process(self.process.pid)

    def memory(self) -> float:
        """Return the memory of the process and of the drawing processes, in MiB."""
        return used_memory(self._psutil_process) / 2**20

    def drawing_memory(self) -> float:
        """Return the memory that the drawing processes do not share with the bot, in MiB."""
        return unshared_drawing_memory(self._psutil_process) / 2**20

    def processor_seconds(self) -> float:
        """Return the processor time of the process and all its children."""
        times = [
            each.cpu_times()
            for each in (self._psutil_process, *self._psutil_process.children(recursive=True))
        ]
        return float(sum(each.user + each.system for each in times))

    async def read_metrics(self) -> Mapping[str, float]:
        """Return the bot's metrics by name, summed over labels; the meter's as ``name part``."""
        address = f"http://{LOOPBACK_ADDRESS}:{self.metrics_port}/metrics"
        async with aiohttp.ClientSession() as session, session.get(address) as response:
            totals: defaultdict[str, float] = defaultdict(float)
            for name, value, bench_name, part, bench_value in _METRIC_PATTERN.findall(await response.text()):
                totals[f"{bench_name} {part}".strip() or name] += float(bench_value or value)
            return totals


@asynccontextmanager
async def running_bot(server: LocalDiscord, database: Path, **settings: str) -> AsyncIterator[RunningBot]:
    """Start the bot against a stand-in; end it by SIGTERM.  ``settings``: further ones of its environment.

    Its log goes to ``bot.log`` beside the database.
    """
    port = find_free_port()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("CAPTAINS", "DISCORD"))
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a start must not compile everything
    environment |= {
        LOCAL_ADDRESS_VARIABLE: server.address,
        DATABASE_VARIABLE: str(database),
        TOKEN_VARIABLE: server.bot_token,
        LOG_LEVEL_VARIABLE: "WARNING",
        METRICS_VARIABLE: str(port),
        **UNLIMITED_USE,
        **settings,
    }
    with database.with_name("bot.log").open("ab") as log:
        started_at = time.perf_counter()
        process = await asyncio.create_subprocess_exec(
            sys.executable, *_PROGRAM, env=environment, stdout=log, stderr=log
        )
        bot = RunningBot(process, port)
        try:
            await _wait_until_ready(server, process)
            bot.start_seconds = time.perf_counter() - started_at
            yield bot
        finally:
            await _stop(bot)


async def _wait_until_ready(server: LocalDiscord, process: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(START_TIMEOUT):
        while not (server.gateway.is_connected and server.world.commands):
            if process.returncode is not None:
                raise RuntimeError(f"the bot ended with {process.returncode}; its log says why")
            await asyncio.sleep(_POLL_SECONDS)


async def _stop(bot: RunningBot) -> None:
    started_at = time.perf_counter()
    if bot.process.returncode is None:
        bot.process.send_signal(signal.SIGTERM)
    try:
        await asyncio.wait_for(bot.process.wait(), STOP_TIMEOUT)
    except TimeoutError:
        bot.was_killed = True
        bot.process.kill()
        await bot.process.wait()
    bot.stop_seconds = time.perf_counter() - started_at
