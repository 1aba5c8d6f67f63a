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
    overwrites_by_channel: Mapping[int, Mapping[int, bool | None]],
    threads: Mapping[int, tuple[int, discord.ChannelType]] | None = None,
    *,
    guild_id: int = GUILD,
    role_ids: tuple[int, ...] = (),
    is_visible_by_default: bool = True,
) -> discord.Guild:
    """Return a server with these channels, threads and roles.

    ``overwrites_by_channel``: by id, which roles and members, by their ids, may view it or may not.
    None: an overwrite that says nothing of that.
    ``threads``: by id, the channel and the type.  ``is_visible_by_default``: whether everybody sees a channel
    that says nothing else.  The highest role may manage threads.
    """
    state: Any = discord.Client(intents=discord.Intents(guilds=True))._connection
    permissions_by_role = {guild_id: _VIEW if is_visible_by_default else 0} | dict.fromkeys(role_ids, 0)
    if role_ids:
        permissions_by_role[role_ids[-1]] = _MANAGE_THREADS
    data = {
        "id": guild_id,
        "name": "A server",
        "owner_id": 1,
        "member_count": 3,
        "roles": [
            {
                "id": role_id,
                "name": str(role_id),
                "permissions": value,
                "position": position,
                "colors": _NO_COLORS,
            }
            for position, (role_id, value) in enumerate(permissions_by_role.items())
        ],
        "channels": [
            _channel_data(each, overwrites, guild_id) for each, overwrites in overwrites_by_channel.items()
        ],
        "threads": [
            _thread_data(each, *parent_and_type, guild_id)
            for each, parent_and_type in (threads or {}).items()
        ],
    }
    return discord.Guild(data=cast("Any", data), state=state)


_NO_COLORS = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}


def _channel_data(channel_id: int, overwrites: Mapping[int, bool | None], guild_id: int) -> dict[str, Any]:
    overwrite_data = [
        {
            "id": target_id,
            "type": 0 if target_id < _FIRST_MEMBER_ID else 1,
            "allow": _VIEW if is_allowed else 0,
            "deny": _VIEW if is_allowed is False else _MANAGE_THREADS,
        }
        for target_id, is_allowed in overwrites.items()
    ]
    return {
        "id": channel_id,
        "guild_id": guild_id,
        "type": 0,
        "name": str(channel_id),
        "position": 0,
        "permission_overwrites": overwrite_data,
    }


def _thread_data(thread_id: int, parent_id: int, kind: discord.ChannelType, guild_id: int) -> dict[str, Any]:
    metadata = {
        "archived": False,
        "auto_archive_duration": 60,
        "archive_timestamp": "2026-01-01T00:00:00+00:00",
    }
    return {
        "id": thread_id,
        "parent_id": parent_id,
        "guild_id": guild_id,
        "owner_id": 1,
        "name": str(thread_id),
        "type": kind.value,
        "message_count": 0,
        "member_count": 1,
        "thread_metadata": metadata,
    }


def interaction_of(
    guild: discord.Guild, user_id: int, channel_id: int, role_ids: tuple[int, ...] = ()
) -> Any:
    """Return what is read of an interaction: its server, its user and its channel."""
    data: Any = {
        "user": {"id": user_id, "username": "ava", "discriminator": "0", "avatar": None, "global_name": None},
        "roles": role_ids,
        "joined_at": "2026-01-01T00:00:00+00:00",
        "flags": 0,
    }
    state: Any = guild._state
    member = discord.Member(data=data, guild=guild, state=state)
    return SimpleNamespace(guild=guild, user=member, channel_id=channel_id)
