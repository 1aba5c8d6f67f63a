"""Which permission the bot lacks to post somewhere, by the name that Discord shows."""

import discord

from bot.chat.connection import NEEDED_PERMISSIONS


def first_missing_permission(
    permissions: discord.Permissions, *, is_thread: bool, needs_files: bool = True
) -> str:
    """Return the first permission that is missing to post; empty: none.

    Where an earlier one is missing Discord reports the later ones as missing, too: so only one is named.
    ``needs_files``: whether pictures are posted.
    """
    names = ["View Channels", "Send Messages in Threads" if is_thread else "Send Messages"]
    if needs_files:
        names.append("Attach Files")
    return next((name for name in names if not permissions >= NEEDED_PERMISSIONS[name]), "")


def missing_permission_in(client: discord.Client, channel_id: int) -> str:
    """Return what the bot lacks to post a game in a channel or thread; empty: nothing that it knows of."""
    channel = client.get_channel(channel_id)
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return ""
    permissions = channel.permissions_for(channel.guild.me)
    return first_missing_permission(permissions, is_thread=isinstance(channel, discord.Thread))


def missing_permission_for(
    interaction: "discord.Interaction[discord.Client]", channel_id: int, *, needs_files: bool = True
) -> str:
    """Return what the bot lacks to post in a channel; interactions bring it for their own."""
    if channel_id != interaction.channel_id:
        return missing_permission_in(interaction.client, channel_id)
    is_thread = isinstance(interaction.channel, discord.Thread)
    return first_missing_permission(interaction.app_permissions, is_thread=is_thread, needs_files=needs_files)
