"""The gateway probe with discord.py and the stand-in: an answer, none, a new connection."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import Any

import pytest

from bot.chat.gateway_probe import GatewayProbe
from bot.local.server import LocalDiscord
from tests.bot.local.conftest import SampleClient, run_client
from tests.trials import WAIT_TIMEOUT


@pytest.fixture
async def probe(client_server: LocalDiscord) -> Any:
    """Yield the probe of a connected client."""
    async with run_client(client_server) as client:
        yield _attach_probe(client)


def _attach_probe(client: SampleClient) -> GatewayProbe:
    probe = GatewayProbe(client)

    async def record_event(_: str) -> None:
        probe.record_event()

    client.on_socket_event_type = record_event  # type: ignore[attr-defined] # discord.py looks for it by name
    return probe


async def test_a_live_gateway_answers_the_probe(probe: GatewayProbe) -> None:
    """A live gateway answers at once, and the answer counts as an event."""
    started_at = monotonic()
    assert await probe.ping(5.0)
    assert probe.last_event_at >= started_at
    assert probe.latency is not None


async def test_a_dead_session_is_found_and_replaced(probe: GatewayProbe, client_server: LocalDiscord) -> None:
    """A session that is dropped while its heartbeats are answered fails; a new connection answers again."""
    client_server.gateway.silence_sessions()
    previous_event_at = probe.last_event_at
    assert not await probe.ping(0.3)
    assert probe.last_event_at == previous_event_at
    await probe.reconnect()
    async with asyncio.timeout(WAIT_TIMEOUT):
        while not await probe.ping(0.5):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.05)
    assert probe.last_event_at > previous_event_at
