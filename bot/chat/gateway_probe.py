"""The gateway as a watchdog sees it: when it was heard, whether it echoes, how to take it up anew."""

import asyncio
from time import monotonic
from typing import Final

import discord

_TAKEN_UP_ANEW: Final = 4000
"""A close code after which discord.py resumes its session."""


class GatewayProbe:
    """The gateway's connection of one client."""

    def __init__(self, client: discord.Client) -> None:
        """Nothing has been heard yet; the time counts from now."""
        self._client = client
        self.heard_at = monotonic()

    def heard(self) -> None:
        """The gateway has told something."""
        self.heard_at = monotonic()

    @property
    def latency(self) -> float | None:
        """Seconds that a heartbeat takes; None while there is no connection."""
        latency = self._client.latency
        return latency if 0 <= latency < float("inf") else None

    async def ping(self, patience: float) -> bool:
        """Ask the gateway for ourselves: its answer is an event like all others.

        True as well where there is nobody to ask (the bot is in no server): nothing is expected then.
        """
        guild = next((each for each in self._client.guilds if not each.unavailable), None)
        user = self._client.user
        if user is None:
            return False
        if guild is None:
            return self.latency is not None
        try:
            async with asyncio.timeout(patience):
                await guild.query_members(user_ids=[user.id], cache=False)
        except (TimeoutError, RuntimeError, OSError, discord.DiscordException):
            return False
        self.heard()
        return True

    async def reconnect(self) -> None:
        """Close the connection; discord.py resumes the session on a new one."""
        socket = self._client.ws
        if socket is not None:  # None before the first connection, whatever the annotation says
            await socket.close(_TAKEN_UP_ANEW)
