"""``/doctor``: what the admins of a server can see of the bot's health."""

import asyncio
import contextlib
import platform
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

import discord
from discord import app_commands

from bot import VERSION, limits
from bot.chat.command_tree import SERVERS_ONLY
from bot.chat.connection import NEEDED_PERMISSIONS
from bot.chat.post_parts import Post, join_whole_lines
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.host.clock_texts import rough_duration_text
from bot.host.request import require_managed_server
from bot.store.delivery_rows import QueueHead
from bot.store.disk_space import DiskSpace
from rules.text import counted, listed

MAX_NAMED_CHANNELS: Final = 10
"""The most channels that a line of ``/doctor`` names."""
PERMISSION_USES: Final[Mapping[str, str]] = {
    "View Channels": "for all commands",
    "Send Messages": "for `/newgame` and `/status here`",
    "Send Messages in Threads": "for games that `/newgame` opens in threads",
    "Create Public Threads": "for `/newgame`, which opens a thread for each game",
    "Attach Files": "for pictures and match files",
    "Read Message History": "to find a post whose confirmation was lost",
}
"""What each permission is for, by the names in ``NEEDED_PERMISSIONS``."""
_LATE_SECONDS: Final = 300
"""How late something may be before ``/doctor`` says so."""


@app_commands.command(name="doctor", description="Check permissions, waiting messages, clocks and backups")
@with_response
async def doctor_command(response: Response) -> None:
    """Show the health of the bot, as far as it concerns a server."""
    guild = require_managed_server(response.request)
    lines = [each async for each in _health_lines(response, guild)]
    await response.show(Post(join_whole_lines(["**Health of this bot**", *lines], limits.COMPONENTS_V2_TEXT)))


doctor_command.default_permissions = discord.Permissions(manage_guild=True)
doctor_command.allowed_contexts = SERVERS_ONLY


async def _health_lines(response: Response, guild: int) -> AsyncIterator[str]:
    """Yield a line for each subject: a full disk first, then missing permissions."""
    tables, client = response.tables, response.interaction.client
    if client.read_disk_space is not None:
        with contextlib.suppress(OSError):
            if text := full_disk_text(await asyncio.to_thread(client.read_disk_space)):
                yield text
    live_listings = await tables.store.live_tables_in_server(guild)
    row = await tables.server_preferences.get(guild)
    channels = (*row.channels, row.status_channel, *(each.game_channel for each in live_listings))
    channels_to_check = dict.fromkeys(
        each for each in (*channels, response.request.channel) if each is not None
    )
    for line in permission_lines(response.interaction.guild, tuple(channels_to_check)):
        yield line
    now = tables.clock()
    numbers = {each.number for each in live_listings}
    yield backlog_text(
        [each for each in (await tables.store.backlog(now)).heads if each.table_number in numbers]
    )
    late_numbers = numbers & set(await tables.store.due_tables(int(now) - _LATE_SECONDS))
    yield live_tables_text(len(live_listings), len(late_numbers))
    if client.host.read_backup_age is not None:
        age_text = rough_duration_text(int(client.host.read_backup_age()))
        yield f"Not yet in a backup: at most {age_text} of all games."
    latency_text = f"{client.latency * 1000:.0f} ms" if client.latency < 60 else "unknown"
    yield f"Time that Discord takes to answer: {latency_text}."
    yield _versions_text()


def full_disk_text(space: DiskSpace) -> str:
    """Return that the disk is nearly full, and whom to tell; empty if enough is free."""
    if space.missing_bytes <= 0:
        return ""
    return (
        f"**My disk is nearly full**: {space.free_bytes / 2**20:,.1f} MB are free. A move that I cannot store"
        " is refused. Tell the bot's operator."
    )


def backlog_text(heads: Sequence[QueueHead]) -> str:
    """Return how many messages have not been sent, and how many of them wait for a permission."""
    waiting_count = sum(each.message_count for each in heads)
    blocked_count = sum(each.message_count for each in heads if each.is_blocked)
    if not waiting_count:
        return "Messages still to be sent: none."
    blocked_text = f" Waiting for a permission: {blocked_count}." if blocked_count else ""
    return f"Messages still to be sent: {waiting_count}.{blocked_text}"


def live_tables_text(live_count: int, late_count: int) -> str:
    """Return how many tables are live, and at how many of them a timer is late."""
    if not live_count:
        return "Open lobbies and running games: none."
    if not late_count:
        return f"Open lobbies and running games: {live_count}. Their clocks and reminders are on time."
    delay_text = f"more than {rough_duration_text(_LATE_SECONDS)} late at {counted(late_count, 'table')}"
    tables_text = f"Open lobbies and running games: {live_count}."
    return f"{tables_text} Clocks or reminders are {delay_text}. If that lasts, tell the bot's operator."


def permission_lines(guild: discord.Guild | None, channels: Sequence[int]) -> list[str]:
    """Return where which permissions are missing, how to give them, and where the bot has them all."""
    problems = {channel: _channel_problem_text(guild, channel) for channel in channels}
    lines = [f"**<#{channel}>**: {text}" for channel, text in problems.items() if text]
    unpinnable_channels = [
        channel for channel in channels if not problems[channel] and _lacks_pin_permission(guild, channel)
    ]
    if unpinnable_channels:
        where = channels_text(unpinnable_channels)
        lines.append(f"Missing Pin Messages in {where}: `/status here` cannot pin its message.")
    if lines:
        lines.append("You can give my role what is missing in the channel's settings, under **Permissions**.")
    if playable_channels := [channel for channel, text in problems.items() if not text]:
        lines.append(f"I have all permissions to play in {channels_text(playable_channels)}.")
    return lines


def channels_text(channels: Sequence[int]) -> str:
    """Return links to channels, and the number of those beyond ``MAX_NAMED_CHANNELS``."""
    links = [f"<#{channel}>" for channel in channels[:MAX_NAMED_CHANNELS]]
    other_count = len(channels) - len(links)
    return listed([*links, counted(other_count, "more channel")] if other_count else links)


def _channel_problem_text(guild: discord.Guild | None, channel_id: int) -> str | None:
    """Return that a channel cannot be seen, or which permissions are missing; None if all is well."""
    channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    if guild is None or channel is None:
        return (
            "I cannot see this channel. It was deleted, is hidden from me, or is an archived thread."
            " At the next move a game's thread opens again. If it is locked, the game leaves it."
        )
    granted_permissions = channel.permissions_for(guild.me)
    missing_texts = [
        f"{name} ({PERMISSION_USES[name]})"
        for name, needed_permissions in NEEDED_PERMISSIONS.items()
        if not granted_permissions >= needed_permissions
    ]
    return f"missing {listed(missing_texts)}." if missing_texts else None


def _lacks_pin_permission(guild: discord.Guild | None, channel_id: int) -> bool:
    """Whether the bot may not pin messages in a channel; False for threads, and channels it cannot see."""
    channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    if guild is None or channel is None or isinstance(channel, discord.Thread):
        return False
    return not channel.permissions_for(guild.me).pin_messages


def _versions_text() -> str:
    return (
        f"Versions: Captain's Table {VERSION}, discord.py {discord.__version__},"
        f" Python {platform.python_version()}."
    )
