"""Servers as discord.py keeps them, made from the data that Discord sends."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import discord

GUILD = 7
PUBLIC_THREAD_TYPE, PRIVATE_THREAD_TYPE = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
)
_VIEW = discord.Permissions(view_channel=True).value
_MANAGE_THREADS = discord.Permissions(manage_threads=True).value
_FIRST_MEMBER_ID = 100
"""Lower ids are those of roles."""


def make_guild(
    channels: Mapping[int, Mapping[int, bool]],
    threads: Mapping[int, tuple[int, discord.ChannelType]] | None = None,
    *,
    guild: int = GUILD,
    roles: tuple[int, ...] = (),
    is_open: bool = True,
) -> discord.Guild:
    """Return a server with these channels, threads and roles.

    ``channels``: by id, to which roles and members, by their ids, it grants or denies the view.
    ``threads``: by id, the channel and the type.  ``is_open``: whether everybody sees a channel that says
    nothing else.  The highest role may manage threads.
    """
    state: Any = discord.Client(intents=discord.Intents(guilds=True))._connection
    permissions = {guild: _VIEW if is_open else 0} | dict.fromkeys(roles, 0)
    if roles:
        permissions[roles[-1]] = _MANAGE_THREADS
    data = {
        "id": guild,
        "name": "A server",
        "owner_id": 1,
        "member_count": 3,
        "roles": [
            {"id": role, "name": str(role), "permissions": value, "position": position, "colors": _NO_COLORS}
            for position, (role, value) in enumerate(permissions.items())
        ],
        "channels": [_channel_data(each, views, guild) for each, views in channels.items()],
        "threads": [
            _thread_data(each, *parent_and_type, guild) for each, parent_and_type in (threads or {}).items()
        ],
    }
    return discord.Guild(data=cast("Any", data), state=state)


_NO_COLORS = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}


def _channel_data(channel: int, views: Mapping[int, bool], guild: int) -> dict[str, Any]:
    overwrites = [
        {
            "id": target,
            "type": 0 if target < _FIRST_MEMBER_ID else 1,
            "allow": _VIEW if view else 0,
            "deny": 0 if view else _VIEW,
        }
        for target, view in views.items()
    ]
    return {
        "id": channel,
        "guild_id": guild,
        "type": 0,
        "name": str(channel),
        "position": 0,
        "permission_overwrites": overwrites,
    }


def _thread_data(thread: int, parent: int, kind: discord.ChannelType, guild: int) -> dict[str, Any]:
    metadata = {
        "archived": False,
        "auto_archive_duration": 60,
        "archive_timestamp": "2026-01-01T00:00:00+00:00",
    }
    return {
        "id": thread,
        "parent_id": parent,
        "guild_id": guild,
        "owner_id": 1,
        "name": str(thread),
        "type": kind.value,
        "message_count": 0,
        "member_count": 1,
        "thread_metadata": metadata,
    }


def interaction_of(guild: discord.Guild, user: int, channel_id: int, roles: tuple[int, ...] = ()) -> Any:
    """Return what is read of an interaction: its server, its user and its channel."""
    data: Any = {
        "user": {"id": user, "username": "ava", "discriminator": "0", "avatar": None, "global_name": None},
        "roles": roles,
        "joined_at": "2026-01-01T00:00:00+00:00",
        "flags": 0,
    }
    state: Any = guild._state
    member = discord.Member(data=data, guild=guild, state=state)
    return SimpleNamespace(guild=guild, user=member, channel_id=channel_id)
