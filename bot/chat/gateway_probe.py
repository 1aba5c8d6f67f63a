"""Lets the gateway watchdog see when an event last came, ask for one, and reconnect."""

import asyncio
from time import monotonic
from typing import Final

import discord

_RESUMABLE_CLOSE_CODE: Final = 4000
"""A close code after which discord.py resumes its session on a new connection."""


class GatewayProbe:
    """The gateway connection of one client."""

    def __init__(self, client: discord.Client) -> None:
        """No event has come yet; the silence counts from now."""
        self._client = client
        self.last_event_at = monotonic()

    def record_event(self) -> None:
        """Note that an event has arrived."""
        self.last_event_at = monotonic()

    @property
    def latency(self) -> float | None:
        """Seconds between a heartbeat and its acknowledgement; None while there is no connection."""
        latency = self._client.latency
        return latency if 0 <= latency < float("inf") else None

    async def ping(self, timeout_seconds: float) -> bool:
        """Return whether the gateway answers within ``timeout_seconds`` when asked for the bot's own member.

        The answer is an event like any other, and needs no privileged intent.  A bot that is in no server has
        nothing to ask for and expects no events: then a connection is enough.
        """
        guild = next((each for each in self._client.guilds if not each.unavailable), None)
        user = self._client.user
        if user is None:
            return False
        if guild is None:
            return self.latency is not None
        try:
            async with asyncio.timeout(timeout_seconds):
                await guild.query_members(user_ids=[user.id], cache=False)
        except (TimeoutError, RuntimeError, OSError, discord.DiscordException):
            return False
        self.record_event()
        return True

    async def reconnect(self) -> None:
        """Close the connection; discord.py resumes the session on a new one."""
        socket = self._client.ws
        if socket is not None:  # None before the first connection, whatever the annotation says
            await socket.close(_RESUMABLE_CLOSE_CODE)
