"""``/server``: the settings of a server, which its admins change."""

import logging
from collections.abc import Callable, Sequence
from typing import Final

import discord
from discord import app_commands
from msgspec.structs import replace

from bot import limits
from bot.chat.command_tree import SERVERS_ONLY
from bot.chat.post_parts import Post, join_lines
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.host.request import Refusal, require_managed_server
from bot.store.preferences import ServerAuditEntry, ServerRow
from bot.store.protocol import StoreError, UndecodablePreferences
from rules.text import counted, listed

MAX_LIST_LENGTH: Final = 25
"""The most channels, and the most roles, that a server can name."""
MAX_CHANGES_SHOWN: Final = 5

_log = logging.getLogger(__name__)

SERVER_COMMAND_GROUP: Final = app_commands.Group(
    name="server",
    description="Set where tables are opened and by whom",
    default_permissions=discord.Permissions(manage_guild=True),
    allowed_contexts=SERVERS_ONLY,
)


@SERVER_COMMAND_GROUP.command(name="show", description="Show where tables are opened and by whom")
@with_response
async def _show_command(response: Response) -> None:
    await _show_current_settings(response)


@SERVER_COMMAND_GROUP.command(name="channel", description="Set in which channels tables may be opened")
@app_commands.describe(where="The channel to add", allowed="Choose False to remove it from the list")
@with_response
async def _channel_command(response: Response, where: discord.TextChannel, allowed: bool = True) -> None:
    guild = response.interaction.guild

    def update(row: ServerRow) -> ServerRow:
        return _with_channel(row, guild, where.id, allowed=allowed)

    entry = "added {} to the allowed channels" if allowed else "removed {} from the allowed channels"
    await _change_settings(response, update, entry.format(f"<#{where.id}>"))


@SERVER_COMMAND_GROUP.command(name="role", description="Set which roles may open tables")
@app_commands.describe(role="The role to add", allowed="Choose False to remove it from the list")
@with_response
async def _role_command(response: Response, role: discord.Role, allowed: bool = True) -> None:
    if role.is_default():
        raise Refusal(
            "Everybody has that role. To let everybody open tables, remove all roles from the list."
        )

    guild = response.interaction.guild

    def update(row: ServerRow) -> ServerRow:
        return _with_role(row, guild, role.id, allowed=allowed)

    entry = "added {} to the allowed roles" if allowed else "removed {} from the allowed roles"
    await _change_settings(response, update, entry.format(f"<@&{role.id}>"))


@SERVER_COMMAND_GROUP.command(name="away", description="Set for how many days a year members may be away")
@app_commands.describe(days="Days a year in which a member's clocks stand still")
@with_response
async def _away_command(response: Response, days: app_commands.Range[int, 0, 366]) -> None:
    entry = f"set `/away` to {counted(days, 'day')} a year"
    await _change_settings(response, lambda row: replace(row, away_days=days), entry)


async def _change_settings(response: Response, update: Callable[[ServerRow], ServerRow], entry: str) -> None:
    """Change and show a server's settings for an admin.  ``entry``: what they did, for the audit log."""
    guild, request = require_managed_server(response.request), response.request
    audit_entry = ServerAuditEntry(request.user, entry, request.at)
    changed_row = await response.tables.server_preferences.change_as_admin(guild, update, audit_entry)
    try:
        await _show_settings(response, changed_row)
    except StoreError:  # the change is stored
        _log.exception("last changes of a server not shown")
        await response.show(server_settings_post(changed_row))


async def _show_current_settings(response: Response) -> None:
    try:
        row = await response.tables.server_preferences.get(require_managed_server(response.request))
    except UndecodablePreferences as error:
        raise Refusal(
            "The settings of this server are damaged and cannot be read. Set them anew with"
            " `/server channel`, `/server role` or `/server away`."
        ) from error
    await _show_settings(response, row)


async def _show_settings(response: Response, row: ServerRow) -> None:
    changes = await response.tables.store.last_server_audit_entries(row.guild, MAX_CHANGES_SHOWN)
    await response.show(server_settings_post(row, changes))


def _with_channel(row: ServerRow, guild: discord.Guild | None, channel: int, *, allowed: bool) -> ServerRow:
    """Return a server's row in which a channel is named or not named any more.  Raises Refusal."""
    ids = row.channels if guild is None else _without_deleted(row.channels, channel, guild.get_channel)
    return replace(row, channels=_updated_list(ids, channel, allowed=allowed))


def _with_role(row: ServerRow, guild: discord.Guild | None, role: int, *, allowed: bool) -> ServerRow:
    """Return a server's row in which a role is named or not named any more.  Raises Refusal."""
    ids = row.roles if guild is None else _without_deleted(row.roles, role, guild.get_role)
    return replace(row, roles=_updated_list(ids, role, allowed=allowed))


def _without_deleted(
    ids: tuple[int, ...], changed_id: int, find: Callable[[int], object | None]
) -> tuple[int, ...]:
    """Return the ids without those of what was deleted, which no admin can choose to remove them.

    Return all of them where not even ``changed_id`` is found: then it is not known what the server has.
    """
    return ids if find(changed_id) is None else tuple(each for each in ids if find(each) is not None)


def _updated_list(ids: tuple[int, ...], changed_id: int, *, allowed: bool) -> tuple[int, ...]:
    """Return the ids with ``changed_id`` at the end, or without it.  Raises Refusal if they are too many."""
    other_ids = tuple(each for each in ids if each != changed_id)
    if allowed and len(other_ids) >= MAX_LIST_LENGTH:
        raise Refusal(f"The list holds at most {MAX_LIST_LENGTH}. Remove one first with `allowed: False`.")
    return (*other_ids, changed_id) if allowed else other_ids


def server_settings_post(row: ServerRow, changes: Sequence[ServerAuditEntry] = ()) -> Post:
    """Return a server's settings, how to change them, and the last ``changes`` of admins, newest first."""
    channel_links = listed([f"<#{each}>" for each in row.channels])
    channels_text = (
        f"in {channel_links}. Admins may open them everywhere." if row.channels else "in every channel."
    )
    role_links = listed([f"<@&{each}>" for each in row.roles], "or")
    openers_text = f"Members with {role_links}, and admins," if role_links else "Everybody"
    absence_text = (
        f"may use `/away` for {counted(row.away_days, 'day')} a year"
        if row.away_days
        else "cannot use `/away`"
    )
    return Post(
        join_lines(
            [
                "**Tables in this server**",
                f"New tables may be opened {channels_text} `/server channel` changes it.",
                f"{openers_text} may open new tables. `/server role` changes it.",
                f"Members {absence_text}. `/server away` changes it.",
                *_changes_lines(changes),
                "-# `/doctor` shows whether I have the permissions that I need.",
            ],
            limits.COMPONENTS_V2_TEXT,
        )
    )


def _changes_lines(changes: Sequence[ServerAuditEntry]) -> list[str]:
    if not changes:
        return []
    lines = [f"- {_admin_text(each.user)} {each.entry}, <t:{each.at}:f>." for each in changes]
    return ["**Last changes**", *lines]


def _admin_text(user: int | None) -> str:
    return "A former member" if user is None else f"<@{user}>"
