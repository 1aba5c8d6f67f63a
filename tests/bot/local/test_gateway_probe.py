"""The gateway's watchdog against discord.py and the stand-in: echo, silence, taking up anew."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

import pytest

from bot.chat.gateway_probe import GatewayProbe
from bot.local.server import LocalDiscord
from tests.bot.local.conftest import Client, running


@pytest.fixture
async def line(discord_server: LocalDiscord) -> Any:
    """The line of a connected client."""
    async with running(discord_server) as client:
        yield _line_of(client)


def _line_of(client: Client) -> GatewayProbe:
    line = GatewayProbe(client)

    async def heard(_: str) -> None:
        line.heard()

    client.on_socket_event_type = heard  # type: ignore[attr-defined] # discord.py looks for it by name
    return line


async def test_the_gateway_echoes(line: GatewayProbe) -> None:
    """A live gateway answers the probe in no time, and that counts as heard."""
    began = monotonic()
    assert await line.ping(5.0)
    assert line.heard_at >= began
    assert line.latency is not None


async def test_silence_is_found_out_and_mended(line: GatewayProbe, discord_server: LocalDiscord) -> None:
    """A session that is forgotten though its heartbeats are answered fails the probe; a new line mends it."""
    discord_server.gateway.fall_silent()
    before = line.heard_at
    assert not await line.ping(0.3)
    assert line.heard_at == before
    await line.reconnect()
    async with asyncio.timeout(10):
        while not await line.ping(0.5):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.05)
    assert line.heard_at > before
