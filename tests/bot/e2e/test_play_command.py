"""``captains-table play``, as the README says it."""

import asyncio
import re
import signal
import sys
from pathlib import Path

import aiohttp

ROOT = Path(__file__).parents[3]
SECONDS = 30


async def test_play_serves_the_page_and_stops_in_order() -> None:
    """The command prints the address, the page answers there, the bot joins; SIGTERM ends both with 0."""
    playing = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "play", "--port", "0", "--no-browser",
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert playing.stdout is not None
        line = (await asyncio.wait_for(playing.stdout.readline(), SECONDS)).decode()
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert address is not None, line
        async with aiohttp.ClientSession() as browser:
            async with browser.get(address[0]) as page:
                assert page.status == 200
            async with browser.ws_connect(f"{address[0]}page/socket") as socket:
                await asyncio.wait_for(_commands(socket), SECONDS)
        playing.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(playing.wait(), SECONDS) == 0
    finally:
        if playing.returncode is None:
            playing.kill()
            await playing.wait()


async def _commands(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Wait until the page is told the bot's commands: the bot has joined."""
    async for message in socket:
        told = message.json()
        if any(command["name"] == "newgame" for command in told.get("commands", ())):
            return
