"""Who can see which channel, as far as the cached channels say: one that is not cached counts as hidden."""

from collections.abc import Mapping
from typing import Protocol, TypeAlias

import discord

_Channel: TypeAlias = discord.abc.GuildChannel


class IsVisible(Protocol):
    """Whether the readers of a message can see a channel or thread, by its id."""

    def __call__(self, channel_id: int, fallback_id: int | None = None, /) -> bool:
        """``fallback_id``: the channel that decides if ``channel_id`` is not cached (an archived thread)."""


def visibility_for_requester(interaction: "discord.Interaction[discord.Client]") -> IsVisible:
    """Return a predicate: whether the user of an interaction can see a channel or thread.

    Private threads count as hidden, except that of the interaction, and for members who may manage threads.
    """
    guild, user, own_channel_id = interaction.guild, interaction.user, interaction.channel_id

    def is_visible(channel_id: int, fallback_id: int | None = None, /) -> bool:
        deciding_id = _deciding_channel_id(guild, channel_id, fallback_id)
        if own_channel_id in {channel_id, deciding_id}:
            return True
        channel, is_private = _find_channel(guild, deciding_id)
        if channel is None or not isinstance(user, discord.Member):
            return False
        permissions = channel.permissions_for(user)
        return permissions.view_channel and (permissions.manage_threads or not is_private)

    return is_visible


def visibility_for_readers(
    guild: discord.Guild | None, readers_channel_id: int, archived_thread: discord.Thread | None = None
) -> IsVisible:
    """Return a predicate: whether everybody who can see ``readers_channel_id`` can see a channel or thread.

    They can see the channel itself with its threads, channels with the same overwrites of **View Channel**,
    and channels that are hidden from nobody.  Private threads count as hidden, except ``readers_channel_id``.
    ``archived_thread``: that thread if it is archived, since discord.py's cache holds none.
    """
    cached_channel, _ = _find_channel(guild, readers_channel_id)
    own_channel = cached_channel if archived_thread is None else archived_thread.parent

    def is_visible(channel_id: int, fallback_id: int | None = None, /) -> bool:
        deciding_id = _deciding_channel_id(guild, channel_id, fallback_id)
        if readers_channel_id in {channel_id, deciding_id}:
            return True
        channel, is_private = _find_channel(guild, deciding_id)
        if channel is None or own_channel is None or is_private:
            return False
        overwrites = _view_overwrites(channel)
        return overwrites == _view_overwrites(own_channel) or _is_visible_to_all(channel, overwrites)

    return is_visible


def _deciding_channel_id(guild: discord.Guild | None, channel_id: int, fallback_id: int | None) -> int:
    """Return which channel's permissions decide: ``fallback_id``'s if ``channel_id`` is not cached."""
    is_cached = _find_channel(guild, channel_id)[0] is not None
    return channel_id if is_cached or fallback_id is None else fallback_id


def _find_channel(guild: discord.Guild | None, channel_id: int) -> tuple[_Channel | None, bool]:
    """Return a channel, or that of a thread, and whether the id is a private thread's."""
    channel_or_thread = None if guild is None else guild.get_channel_or_thread(channel_id)
    if isinstance(channel_or_thread, discord.Thread):
        return channel_or_thread.parent, channel_or_thread.is_private()
    return channel_or_thread, False


def _view_overwrites(channel: _Channel) -> Mapping[int, bool]:
    """Return to which roles and members a channel grants or denies the view, by id."""
    view_by_target_id = {target.id: each.view_channel for target, each in channel.overwrites.items()}
    return {target_id: view for target_id, view in view_by_target_id.items() if view is not None}


def _is_visible_to_all(channel: _Channel, overwrites: Mapping[int, bool]) -> bool:
    everyone = channel.guild.default_role
    return channel.permissions_for(everyone).view_channel and all(overwrites.values())
