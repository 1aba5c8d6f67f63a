"""The bot itself: what was refused is tried again once the bot has a new role or is ready."""

import asyncio

import pytest

from bot.local import payloads
from bot.local.api_errors import JsonObject
from bot.local.model import User
from bot.local.world import World
from bot.store.sqlite import SqliteStore
from tests.bot.e2e.observe import wait_until
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.in_process_bot import in_process_bot

__all__ = ["restored_discord_addresses"]


def _member_update(world: World, user: User) -> JsonObject:
    """Return the event that a member has changed."""
    return payloads.member(world, user) | {"guild_id": str(world.guild_id)}


async def test_a_new_role_of_the_bot_is_noticed(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deliveries and the status message of that server are retried; other members change nothing.

    So they are once the bot is ready: discord.py may have dropped the news of a server until then.
    """
    async with in_process_bot(store) as (server, client):
        outbox, retried_guilds = client.host.outbox, list[int | None]()
        assert outbox is not None
        retry_in_server = outbox.retry_in_server

        async def retry(guild: int) -> None:
            retried_guilds.append(guild)
            await retry_in_server(guild)

        monkeypatch.setattr(outbox, "retry_in_server", retry)
        retried_status_guilds: list[int] = []
        monkeypatch.setattr(client.status_updater, "retry", retried_status_guilds.append)
        world = server.world
        server.gateway.dispatch("GUILD_MEMBER_UPDATE", _member_update(world, server.member("Ava").user))
        await asyncio.sleep(0.1)
        assert not retried_guilds
        assert not retried_status_guilds
        server.gateway.dispatch("GUILD_MEMBER_UPDATE", _member_update(world, world.bot))
        await wait_until(lambda: retried_guilds or None, awaited="a retry")
        assert retried_guilds == retried_status_guilds == [world.guild_id]
        client.dispatch("ready")
        await wait_until(lambda: len(retried_guilds) == 2 or None, awaited="a retry once it is ready")
        assert retried_guilds == retried_status_guilds == [world.guild_id] * 2
