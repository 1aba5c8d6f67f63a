"""``/server`` and ``/doctor``: what the admins of a server set, and what they can see of the bot's health."""

import platform
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Final

import discord
from discord import app_commands
from msgspec.structs import replace

from bot import VERSION
from bot.chat.connection import PERMISSIONS
from bot.chat.posts import Post, join_fitting, join_lines
from bot.chat.response import Response, with_response
from bot.host.clock_texts import rough_duration
from bot.host.request import Refusal
from bot.store.preferences import ServerChange, ServerRow
from rules.text import counted, listed

MAX_LIST_LENGTH: Final = 25
"""The most channels, and the most roles, that a server can name."""
MAX_CHANGES_SHOWN: Final = 5
MAX_CHANNELS_NAMED: Final = 10
"""The most channels that a line of ``/doctor`` links."""
PERMISSION_USES: Final[Mapping[str, str]] = {
    "View Channels": "for all commands",
    "Send Messages": "for `/newgame` and `/status here`",
    "Send Messages in Threads": "for games that `/newgame` opens in threads",
    "Create Public Threads": "for `/newgame`, which opens a thread for each game",
    "Attach Files": "for pictures and match files",
    "Read Message History": "to find a post whose confirmation was lost",
}
"""What each permission is for, by the names in ``PERMISSIONS``."""
_ADMINS_ONLY: Final = discord.Permissions(manage_guild=True)
_GUILD_ONLY: Final = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)

SERVER_COMMANDS: Final = app_commands.Group(
    name="server",
    description="Set where tables are opened and by whom",
    default_permissions=_ADMINS_ONLY,
    allowed_contexts=_GUILD_ONLY,
)


def require_admin(response: Response) -> int:
    """Return the server of a request.  Raises Refusal unless its user may manage that server."""
    request = response.request
    if request.guild is None or not request.admin:
        raise Refusal("Only members who may manage this server can do that.")
    return request.guild


@SERVER_COMMANDS.command(name="show", description="Show where tables are opened and by whom")
@with_response
async def _show(response: Response) -> None:
    await _show_settings(response, await response.tables.servers.get(require_admin(response)))


@SERVER_COMMANDS.command(name="channel", description="Set in which channels tables are opened")
@app_commands.describe(where="Which channel", allowed="Choose False to take it off the list")
@with_response
async def _channel(response: Response, where: discord.TextChannel, allowed: bool = True) -> None:
    def change(row: ServerRow) -> ServerRow:
        return replace(row, channels=_updated_list(row.channels, where.id, allowed=allowed))

    what = "added {} to the channels" if allowed else "took {} off the channels"
    await _change(response, change, what.format(f"<#{where.id}>"))


@SERVER_COMMANDS.command(name="role", description="Set which roles may open tables")
@app_commands.describe(role="Which role", allowed="Choose False to take it off the list")
@with_response
async def _role(response: Response, role: discord.Role, allowed: bool = True) -> None:
    if role.is_default():
        raise Refusal("Everybody has that role. To let everybody open tables, take all other roles off.")

    def change(row: ServerRow) -> ServerRow:
        return replace(row, roles=_updated_list(row.roles, role.id, allowed=allowed))

    what = "added {} to the roles" if allowed else "took {} off the roles"
    await _change(response, change, what.format(f"<@&{role.id}>"))


@SERVER_COMMANDS.command(name="away", description="Set for how many days a year members may be away")
@app_commands.describe(days="Days a year in which a member's clocks stand still")
@with_response
async def _away(response: Response, days: app_commands.Range[int, 0, 366]) -> None:
    entry = f"set the days away to {days} a year"
    await _change(response, lambda row: replace(row, away_days=days), entry)


async def _change(response: Response, change: Callable[[ServerRow], ServerRow], entry: str) -> None:
    """Change and show what is set, as an admin.  ``entry``: what they did, for the audit log."""
    guild, request = require_admin(response), response.request
    audited = ServerChange(request.user, entry, request.at)
    await _show_settings(response, await response.tables.servers.change(guild, change, audited))


async def _show_settings(response: Response, row: ServerRow) -> None:
    changes = await response.tables.store.server_changes(row.guild, MAX_CHANGES_SHOWN)
    await response.show(server_post(row, changes))


def _updated_list(ids: tuple[int, ...], changed: int, *, allowed: bool) -> tuple[int, ...]:
    """Return ids with ``changed`` at the end, or without it.  Raises Refusal if they are too many."""
    others = tuple(each for each in ids if each != changed)
    if allowed and len(others) >= MAX_LIST_LENGTH:
        raise Refusal(f"No more than {MAX_LIST_LENGTH} can be set. Take one off first.")
    return (*others, changed) if allowed else others


def server_post(row: ServerRow, changes: Sequence[ServerChange] = ()) -> Post:
    """Return what is set for a server, how to change it, and who has: ``changes``, the newest first."""
    channels = listed([f"<#{each}>" for each in row.channels]) if row.channels else "every channel"
    roles = listed([f"<@&{each}>" for each in row.roles], "or")
    openers = f"members with {roles}, and admins" if roles else "everybody"
    return Post(
        join_lines(
            [
                "**Tables in this server**",
                f"Opened in: {channels}. `/server channel` changes it.",
                f"Opened by: {openers}. `/server role` changes it.",
                f"Members may be away: {counted(row.away_days, 'day')} a year. `/server away` changes it.",
                *_changes_lines(changes),
                "-# `/doctor` shows whether I may do what I need here.",
            ]
        )
    )


def _changes_lines(changes: Sequence[ServerChange]) -> list[str]:
    if not changes:
        return []
    lines = [f"- {_admin_text(each.user)} {each.entry}, <t:{each.at}:f>." for each in changes]
    return ["**Last changes**", *lines]


def _admin_text(user: int | None) -> str:
    return "A former member" if user is None else f"<@{user}>"


@app_commands.command(name="doctor", description="Check permissions, messages that wait, clocks and backups")
@with_response
async def _doctor(response: Response) -> None:
    guild = require_admin(response)
    lines = [each async for each in _health_lines(response, guild)]
    await response.show(Post(join_fitting(["**Health of this bot**", *lines])))


_doctor.default_permissions = _ADMINS_ONLY
_doctor.allowed_contexts = _GUILD_ONLY
DOCTOR_COMMAND: Final[app_commands.Command[Any, ..., None]] = _doctor


async def _health_lines(response: Response, guild: int) -> AsyncIterator[str]:
    """Yield a line for each subject, what is wrong first."""
    tables, client = response.tables, response.interaction.client
    live = await tables.store.live_tables_in_server(guild)
    row = await tables.servers.get(guild)
    channels = [*row.channels, row.status_channel, *(each.game_channel for each in live)]
    known = dict.fromkeys(each for each in (*channels, response.request.channel) if each is not None)
    for line in permission_lines(response.interaction.guild, tuple(known)):
        yield line
    now = tables.clock()
    numbers = {each.number for each in live}
    backlog = [each for each in (await tables.store.backlog(now)).heads if each.table in numbers]
    blocked = sum(each.is_blocked for each in backlog)
    waiting = f"Messages that wait: {len(backlog)}"
    yield f"{waiting}, of which {blocked} for a permission." if blocked else f"{waiting}."
    overdue = numbers & set(await tables.store.due_tables(int(now) - 300))
    late = counted(len(overdue), "table") if overdue else "none"
    yield f"Live tables: {len(live)}. Overdue by more than 5 minutes: {late}."
    backup_age = client.host.backup_age
    if backup_age is not None:
        yield f"Last backup of everything: {rough_duration(int(backup_age()))} ago."
    latency = f"{client.latency * 1000:.0f} ms" if client.latency < 60 else "unknown"
    yield f"Answer time of Discord's gateway: {latency}."
    yield _versions()


def permission_lines(guild: discord.Guild | None, channels: Sequence[int]) -> list[str]:
    """Return what the bot may not do in channels and threads, and in which of them it may do all it needs."""
    problems = {channel: _missing_permissions_text(guild, channel) for channel in channels}
    lines = [f"**<#{channel}>**: {text}" for channel, text in problems.items() if text]
    unpinnable = [channel for channel in channels if not problems[channel] and not _may_pin(guild, channel)]
    if unpinnable:
        where = channels_text(unpinnable)
        lines.append(f"Missing Pin Messages in {where}: `/status here` cannot pin its message.")
    if allowed := [channel for channel, text in problems.items() if not text]:
        lines.append(f"Permissions to play: all there in {channels_text(allowed)}.")
    return lines


def channels_text(channels: Sequence[int]) -> str:
    """Return links to channels, and the number of those beyond ``MAX_CHANNELS_NAMED``."""
    links = [f"<#{channel}>" for channel in channels[:MAX_CHANNELS_NAMED]]
    others = len(channels) - len(links)
    return listed([*links, counted(others, "more channel")] if others else links)


def _missing_permissions_text(guild: discord.Guild | None, channel_id: int) -> str | None:
    """Return what the bot may not do in a channel or thread; None if it may do all that it needs."""
    channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    if guild is None or channel is None:
        return "I cannot see this channel. It is deleted or hidden from me."
    granted = channel.permissions_for(guild.me)
    missing = [
        f"{name} ({PERMISSION_USES[name]})" for name, needed in PERMISSIONS.items() if not granted >= needed
    ]
    return f"missing {listed(missing)}." if missing else None


def _may_pin(guild: discord.Guild | None, channel_id: int) -> bool:
    """Whether the bot may pin a status message in a channel; threads have none."""
    channel = None if guild is None else guild.get_channel_or_thread(channel_id)
    if guild is None or channel is None or isinstance(channel, discord.Thread):
        return True
    return channel.permissions_for(guild.me).pin_messages


def _versions() -> str:
    return (
        f"Versions: Captain's Table {VERSION}, discord.py {discord.__version__},"
        f" Python {platform.python_version()}."
    )
