"""``captains-table play``, as the README describes it."""

import asyncio
import contextlib
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from bot.local.play import DEFAULT_PORT
from tests.trials import WAIT_TIMEOUT

REPOSITORY = Path(__file__).parents[3]


@contextlib.asynccontextmanager
async def run_play(*arguments: str, **variables: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run ``play`` with these arguments and environment variables; kill it in the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "play", "--no-browser", *arguments,
        cwd=REPOSITORY, env=os.environ | variables,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def next_line(stream: asyncio.StreamReader | None) -> str:
    """Return the next line that the command prints."""
    assert stream is not None
    return (await asyncio.wait_for(stream.readline(), WAIT_TIMEOUT)).decode()


def page_address(line: str) -> str:
    """Return the address in what the command prints; it contains a token."""
    address_match = re.search(r"http://127\.0\.0\.1:\d+/[\w-]{20,}/", line)
    assert address_match is not None, line
    return address_match[0]


@contextlib.asynccontextmanager
async def _occupy_default_port() -> AsyncIterator[None]:
    """Take the default port; one that another process has, at the moment when that one ends."""
    with socket.socket() as taken:
        taking = asyncio.create_task(_take_default_port(taken))
        await asyncio.sleep(0)
        try:
            yield
        finally:
            taking.cancel()


async def _take_default_port(taken: socket.socket) -> None:
    while True:
        with contextlib.suppress(OSError):
            taken.bind(("127.0.0.1", DEFAULT_PORT))
            taken.listen()
            return
        await asyncio.sleep(0.001)


async def test_play_takes_a_free_port_if_the_default_one_is_taken() -> None:
    """It names the taken port and the one that it uses instead; there is the page, and the bot joins."""
    async with _occupy_default_port(), run_play() as process:
        line = await next_line(process.stdout)
        ports_match = re.fullmatch(r"Port (\d+) is in use; using port (\d+) instead\.\n", line)
        assert ports_match is not None, line
        assert ports_match[1] == str(DEFAULT_PORT)
        address = page_address(await next_line(process.stdout))
        assert address.startswith(f"http://127.0.0.1:{ports_match[2]}/")
        await _visit(address)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), WAIT_TIMEOUT) == 0


@pytest.mark.soak_only
async def test_play_refuses_a_given_port_that_is_taken() -> None:
    """A port asked for is used or refused: another one would not be the one that the player opens."""
    async with _occupy_default_port(), run_play("--port", str(DEFAULT_PORT)) as process:
        assert f"Port {DEFAULT_PORT} cannot be used" in await next_line(process.stderr)
        assert await asyncio.wait_for(process.wait(), WAIT_TIMEOUT) == 1


@pytest.mark.soak_only
async def test_play_serves_the_page_and_stops_in_order() -> None:
    """The command prints the address, the page answers there, the bot joins; SIGTERM ends both with 0."""
    async with run_play("--port", "0") as process:
        address = page_address(await next_line(process.stdout))
        await _visit(address)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), WAIT_TIMEOUT) == 0


@pytest.mark.soak_only
async def test_play_leaves_the_files_of_another_bot_alone(tmp_path: Path) -> None:
    """Settings for a bot that joins Discord, in the same environment, lead ``play`` to none of its files."""
    variables = {
        "CAPTAINS_TABLE_BACKUPS": str(tmp_path / "backups"),
        "CAPTAINS_TABLE_HEARTBEAT": str(tmp_path / "heartbeat"),
    }
    async with run_play("--port", "0", **variables) as process:
        address = page_address(await next_line(process.stdout))
        await _visit(address)
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), WAIT_TIMEOUT) == 0
    assert list(tmp_path.iterdir()) == []


async def _visit(address: str) -> None:
    """Load the page and wait until the bot has joined."""
    async with aiohttp.ClientSession() as session:
        async with session.get(address) as page:
            assert page.status == 200
        async with session.ws_connect(f"{address}page/socket") as page_socket:
            await asyncio.wait_for(_wait_for_commands(page_socket), WAIT_TIMEOUT)


async def _wait_for_commands(page_socket: aiohttp.ClientWebSocketResponse) -> None:
    """Wait until the page receives the bot's commands: the bot has joined."""
    async for message in page_socket:
        received = message.json()
        if any(command["name"] == "newgame" for command in received.get("commands", ())):
            return
