"""What an interaction says: who asks, where and when, and about which table."""

from functools import partial
from typing import TYPE_CHECKING, TypeAlias, cast

import discord

from bot.chat.posting_permissions import missing_permission_for
from bot.chat.visibility import visibility_for_requester
from bot.host.request import Request, ResponseGate

if TYPE_CHECKING:
    from bot.chat.client import TableClient

Interaction: TypeAlias = "discord.Interaction[TableClient]"
"""An interaction that came to our client."""


def age_of(interaction: Interaction) -> float:
    """Return the seconds since Discord made the interaction, by the tables' clock."""
    return interaction.client.host.tables.clock() - interaction.created_at.timestamp()


def response_gate_of(interaction: Interaction) -> ResponseGate:
    """Return the interaction's response gate: every caller gets the same one."""
    return cast("ResponseGate", interaction.extras.setdefault("response_gate", ResponseGate()))


def request_of(interaction: Interaction) -> Request:
    """Return what the host needs to know of an interaction."""
    channel = interaction.channel
    bot_permissions = interaction.app_permissions
    can_open_thread = (
        isinstance(channel, discord.TextChannel)
        and bot_permissions.create_public_threads
        and bot_permissions.send_messages_in_threads
    )
    return Request(
        user=interaction.user.id,
        name=interaction.user.display_name,
        interaction=interaction.id,
        guild=interaction.guild_id,
        channel=interaction.channel_id or 0,
        is_admin=interaction.guild_id is not None and interaction.permissions.manage_guild,
        at=int(interaction.client.host.tables.clock()),
        roles=tuple(role.id for role in getattr(interaction.user, "roles", ())),
        parent_channel=channel.parent_id if isinstance(channel, discord.Thread) else None,
        is_private_thread=isinstance(channel, discord.Thread) and channel.is_private(),
        can_open_thread=can_open_thread,
        response_gate=response_gate_of(interaction),
        can_see=visibility_for_requester(interaction),
        find_missing_permission=partial(missing_permission_for, interaction),
    )


def table_option_of(interaction: Interaction) -> int | None:
    """Return the number in a command's option ``table``; None if it is empty or no number yet."""
    number: object = interaction.namespace.table
    return number if isinstance(number, int) else None
