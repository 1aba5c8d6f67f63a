"""``/server`` and ``/doctor``: what the admins of a server set, and what they can see of the bot's health."""

import platform
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any, Final

import discord
from discord import app_commands
from msgspec.structs import replace

from bot import VERSION, limits
from bot.chat.connection import PERMISSIONS
from bot.chat.posts import Post, join_lines, join_whole_lines
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.host.clock_texts import rough_duration
from bot.host.request import Refusal, require_server_admin
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
_LATE_SECONDS: Final = 300
"""How late something may be before ``/doctor`` says so."""
_ADMINS_ONLY: Final = discord.Permissions(manage_guild=True)
_GUILD_ONLY: Final = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)

SERVER_COMMANDS: Final = app_commands.Group(
    name="server",
    description="Set where tables are opened and by whom",
    default_permissions=_ADMINS_ONLY,
    allowed_contexts=_GUILD_ONLY,
)


@SERVER_COMMANDS.command(name="show", description="Show where tables are opened and by whom")
@with_response
async def _show(response: Response) -> None:
    await _show_settings(response, await response.tables.servers.get(require_server_admin(response.request)))


@SERVER_COMMANDS.command(name="channel", description="Set in which channels tables may be opened")
@app_commands.describe(where="The channel to add", allowed="Choose False to take it off the list")
@with_response
async def _channel(response: Response, where: discord.TextChannel, allowed: bool = True) -> None:
    def change(row: ServerRow) -> ServerRow:
        return replace(row, channels=_updated_list(row.channels, where.id, allowed=allowed))

    what = "added {} to the channels" if allowed else "took {} off the channels"
    await _change(response, change, what.format(f"<#{where.id}>"))


@SERVER_COMMANDS.command(name="role", description="Set which roles may open tables")
@app_commands.describe(role="The role to add", allowed="Choose False to take it off the list")
@with_response
async def _role(response: Response, role: discord.Role, allowed: bool = True) -> None:
    if role.is_default():
        raise Refusal("Everybody has that role. To let everybody open tables, take all roles off the list.")

    def change(row: ServerRow) -> ServerRow:
        return replace(row, roles=_updated_list(row.roles, role.id, allowed=allowed))

    what = "added {} to the roles" if allowed else "took {} off the roles"
    await _change(response, change, what.format(f"<@&{role.id}>"))


@SERVER_COMMANDS.command(name="away", description="Set for how many days a year members may be away")
@app_commands.describe(days="Days a year in which a member's clocks stand still")
@with_response
async def _away(response: Response, days: app_commands.Range[int, 0, 366]) -> None:
    entry = f"set the days of `/away` to {days} a year"
    await _change(response, lambda row: replace(row, away_days=days), entry)


async def _change(response: Response, change: Callable[[ServerRow], ServerRow], entry: str) -> None:
    """Change and show what is set, as an admin.  ``entry``: what they did, for the audit log."""
    guild, request = require_server_admin(response.request), response.request
    audit_entry = ServerChange(request.user, entry, request.at)
    await _show_settings(response, await response.tables.servers.change(guild, change, audit_entry))


async def _show_settings(response: Response, row: ServerRow) -> None:
    changes = await response.tables.store.server_changes(row.guild, MAX_CHANGES_SHOWN)
    await response.show(server_post(row, changes))


def _updated_list(ids: tuple[int, ...], changed: int, *, allowed: bool) -> tuple[int, ...]:
    """Return ids with ``changed`` at the end, or without it.  Raises Refusal if they are too many."""
    others = tuple(each for each in ids if each != changed)
    if allowed and len(others) >= MAX_LIST_LENGTH:
        raise Refusal(f"The list holds at most {MAX_LIST_LENGTH}. Take one off first with `allowed: False`.")
    return (*others, changed) if allowed else others


def server_post(row: ServerRow, changes: Sequence[ServerChange] = ()) -> Post:
    """Return what is set for a server, how to change it, and who has: ``changes``, the newest first."""
    places = listed([f"<#{each}>" for each in row.channels])
    channels = f"{places}, and by admins everywhere" if row.channels else "every channel"
    roles = listed([f"<@&{each}>" for each in row.roles], "or")
    openers = f"members with {roles}, and admins" if roles else "everybody"
    days = counted(row.away_days, "day")
    return Post(
        join_lines(
            [
                "**Tables in this server**",
                f"New tables may be opened in: {channels}. `/server channel` changes it.",
                f"New tables may be opened by: {openers}. `/server role` changes it.",
                f"Members may use `/away` for {days} a year. `/server away` changes it.",
                *_changes_lines(changes),
                "-# `/doctor` shows whether I have the permissions that I need.",
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


@app_commands.command(name="doctor", description="Check permissions, waiting messages, clocks and backups")
@with_response
async def _doctor(response: Response) -> None:
    guild = require_server_admin(response.request)
    lines = [each async for each in _health_lines(response, guild)]
    await response.show(Post(join_whole_lines(["**Health of this bot**", *lines], limits.COMPONENTS_V2_TEXT)))


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
    yield backlog_text(len(backlog), blocked)
    overdue = numbers & set(await tables.store.due_tables(int(now) - _LATE_SECONDS))
    yield punctuality_text(len(live), len(overdue))
    backup_age = client.host.backup_age
    if backup_age is not None:
        yield f"Not yet in a backup: at most the last {rough_duration(int(backup_age()))} of all games."
    latency = f"{client.latency * 1000:.0f} ms" if client.latency < 60 else "unknown"
    yield f"Time that Discord takes to answer: {latency}."
    yield _versions()


def backlog_text(waiting: int, blocked: int) -> str:
    """Return how many messages have not been sent, and how many of them wait for a permission."""
    if not waiting:
        return "Messages still to be sent: none."
    lacking = f" Waiting for a permission: {blocked}." if blocked else ""
    return f"Messages still to be sent: {waiting}.{lacking}"


def punctuality_text(live: int, late: int) -> str:
    """Return how many tables are live, and at how many of them a timer is late."""
    if not live:
        return "Open lobbies and running games: none."
    if not late:
        return f"Open lobbies and running games: {live}. Their clocks and reminders are on time."
    delay = f"more than {rough_duration(_LATE_SECONDS)} late at {counted(late, 'table')}"
    tables = f"Open lobbies and running games: {live}."
    return f"{tables} Clocks or reminders are {delay}. If that lasts, tell the bot's operator."


def permission_lines(guild: discord.Guild | None, channels: Sequence[int]) -> list[str]:
    """Return what the bot may not do in channels and threads, and in which of them it may do all it needs."""
    problems = {channel: _missing_permissions_text(guild, channel) for channel in channels}
    lines = [f"**<#{channel}>**: {text}" for channel, text in problems.items() if text]
    unpinnable = [channel for channel in channels if not problems[channel] and not _may_pin(guild, channel)]
    if unpinnable:
        where = channels_text(unpinnable)
        lines.append(f"Missing Pin Messages in {where}: `/status here` cannot pin its message.")
    if lines:
        lines.append("You can give my role what is missing in the channel's settings, under **Permissions**.")
    if allowed := [channel for channel, text in problems.items() if not text]:
        lines.append(f"I have all permissions to play in {channels_text(allowed)}.")
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
        return (
            "I cannot see this channel. It is deleted, hidden from me, or an archived thread: that one opens"
            " again at the next move."
        )
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
