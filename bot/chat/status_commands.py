"""``/status``: the commands that place and remove the status message of a server."""

from typing import Final

import discord
from discord import app_commands

from bot.chat.command_tree import SERVERS_ONLY
from bot.chat.posting_permissions import missing_permission_for
from bot.chat.respond import with_response
from bot.chat.response import Response
from bot.chat.server_status import StatusMessageUpdater
from bot.chat.status_messages import StatusOutcome
from bot.host.posting_rights import MayNotPost, missing_permission_text
from bot.host.request import require_managed_server
from bot.store.preferences import ServerAuditEntry

STATUS_COMMAND_GROUP: Final = app_commands.Group(
    name="status",
    description="One message that shows the games of this server",
    allowed_contexts=SERVERS_ONLY,
    default_permissions=discord.Permissions(manage_guild=True),
)

_OUTCOME_TEXTS: Final = {
    StatusOutcome.SHOWN: "The status message is posted and pinned here. I update it at most once a minute.",
    StatusOutcome.NOT_PINNED: "The status message is posted here. I may not pin it: pin it yourself, or give"
    " me **Pin Messages** and type `/status here` again.",
    StatusOutcome.BLOCKED: "I may not write here. Give me **View Channel** and **Send Messages** here (in a"
    " thread **Send Messages in Threads**). Then the status message appears by itself.",
    StatusOutcome.LATER: "That did not work yet. I try again every minute, so the message appears by itself.",
    StatusOutcome.CHANNEL_GONE: "I cannot see this channel. Choose another one.",
    StatusOutcome.OFF: "Somebody has just turned the status message off. Type `/status here` again.",
}


def _status_updater(response: Response) -> StatusMessageUpdater:
    return response.interaction.client.status_updater


@STATUS_COMMAND_GROUP.command(name="here", description="Show the games of this server in one message here")
@with_response
async def _here_command(response: Response) -> None:
    guild, request = require_managed_server(response.request), response.request
    permission = missing_permission_for(response.interaction, request.channel, needs_files=False)
    if permission:
        remedy = "Grant it, or type `/status here` in another channel."
        raise MayNotPost(missing_permission_text(request.channel, permission, remedy))
    audit_entry = ServerAuditEntry(
        request.user, f"placed the status message in <#{request.channel}>", request.at
    )
    nonce = request.interaction or guild
    outcome = await _status_updater(response).place(guild, request.channel, nonce, audit_entry)
    await response.send_text(_OUTCOME_TEXTS[outcome])


@STATUS_COMMAND_GROUP.command(name="off", description="Remove the message with the games of this server")
@with_response
async def _off_command(response: Response) -> None:
    guild, request = require_managed_server(response.request), response.request
    audit_entry = ServerAuditEntry(request.user, "removed the status message", request.at)
    was_on = await _status_updater(response).remove(guild, audit_entry)
    await response.send_text(
        "This server has no status message any more."
        if was_on
        else "This server has no status message. `/status here` posts one."
    )
