"""The REST routes of users, guilds, commands, interactions and the gateway's address, as in Discord."""

from __future__ import annotations

from bot import limits
from bot.local import check_commands, payloads
from bot.local.calls import Call, Payload, Route, Server
from bot.local.interactions import callback_response
from bot.local.refusals import Refusal
from bot.local.world import World

# Users and guilds


def _me(server: Server, call: Call) -> Payload:
    return payloads.user(server.world.bot) | {"verified": True, "mfa_enabled": False, "email": None}


def _get_user(server: Server, call: Call) -> Payload:
    user = server.world.users.get(call.id("user_id"))
    if user is None:
        raise Refusal(10013)
    return payloads.user(user)


def _open_dm(server: Server, call: Call) -> Payload:
    recipient = str(call.json().get("recipient_id", ""))
    user = server.world.users.get(int(recipient) if recipient.isdecimal() else 0)
    if user is None:
        raise Refusal(10013)
    if user.bot:
        raise Refusal(50007)
    return payloads.channel(server.world, server.world.dm(user))


def _guild(server: Server, call: Call) -> World:
    world = server.world
    if call.id("guild_id") != world.guild_id or not world.bot_in_guild:
        raise Refusal(10004)
    return world


def _get_guild(server: Server, call: Call) -> Payload:
    return payloads.guild(_guild(server, call))


def _list_channels(server: Server, call: Call) -> Payload:
    world = _guild(server, call)
    return [payloads.channel(world, channel) for channel in world.text_channels()]


def _list_active_threads(server: Server, call: Call) -> Payload:
    world = _guild(server, call)
    threads = [one for one in world.threads() if not one.archived and world.can_see(world.bot, one)]
    own = [one for one in threads if world.bot.id in one.members]
    return {
        "threads": [payloads.channel(world, thread) for thread in threads],
        "members": [payloads.thread_member(thread, world.bot.id) for thread in own],
    }


def _get_member(server: Server, call: Call) -> Payload:
    world = _guild(server, call)
    user = world.users.get(call.id("user_id"))
    if user is None:
        raise Refusal(10013)
    if not user.joined:
        raise Refusal(10007)
    return payloads.member(world, user)


# The application and its commands


def _application(server: Server, call: Call) -> Payload:
    return payloads.application(server.world)


def _own_application(server: Server, call: Call) -> World:
    if call.id("application_id") != server.world.application_id:
        raise Refusal(50001)
    return server.world


def _get_commands(server: Server, call: Call) -> Payload:
    return _own_application(server, call).commands


def _put_commands(server: Server, call: Call) -> Payload:
    world = _own_application(server, call)
    wanted = check_commands.commands(call.body)
    known = {(command["type"], command["name"]): command for command in world.commands}
    now = world.clock()
    server.command_creates[:] = [moment for moment in server.command_creates if moment > now - 86_400]
    created = [one for one in wanted if (one.get("type", 1), one["name"]) not in known]
    if len(server.command_creates) + len(created) > limits.COMMAND_CREATES_A_DAY:
        raise Refusal(30034)
    server.command_creates += [now] * len(created)
    registered = []
    for command in wanted:
        before = known.get((command.get("type", 1), command["name"]))
        registered.append(
            {
                "type": 1,
                "description": "",
                "default_member_permissions": None,
                "dm_permission": True,
                "contexts": None,
                "integration_types": [0],
                "nsfw": False,
            }
            | command
            | {
                "id": before["id"] if before else str(world.snowflake()),
                "application_id": str(world.application_id),
                "version": str(world.snowflake()),
            }
        )
    world.set_commands(registered)
    return registered


# Interactions


def _callback(server: Server, call: Call) -> Payload:
    token = call.path["interaction_token"]
    found = server.interactions.callback(call.id("interaction_id"), token, call.json(), call.uploads)
    return (
        callback_response(server.world, found) if call.query.get("with_response") in ("true", "1") else None
    )


def _token(server: Server, call: Call) -> str:
    if call.id("webhook_id") != server.world.application_id:
        raise Refusal(10015)
    return call.path["webhook_token"]


def _message_id(call: Call) -> int | None:
    return None if call.path["message_id"] == "@original" else call.id("message_id")


def _followup(server: Server, call: Call) -> Payload:
    token = _token(server, call)
    return payloads.message(server.world, server.interactions.followup(token, call.json(), call.uploads))


def _get_response(server: Server, call: Call) -> Payload:
    token = _token(server, call)
    return payloads.message(server.world, server.interactions.message(token, _message_id(call)))


def _edit_response(server: Server, call: Call) -> Payload:
    token = _token(server, call)
    edited = server.interactions.edit(token, _message_id(call), call.json(), call.uploads)
    return payloads.message(server.world, edited)


def _delete_response(server: Server, call: Call) -> Payload:
    server.interactions.delete(_token(server, call), _message_id(call))
    return None


# The gateway's address


def _gateway(server: Server, call: Call) -> Payload:
    return {"url": server.gateway.url}


def _gateway_bot(server: Server, call: Call) -> Payload:
    most = limits.IDENTIFIES_A_DAY
    start = {"total": most, "remaining": most, "reset_after": 0, "max_concurrency": 1}
    return {"url": server.gateway.url, "shards": 1, "session_start_limit": start}


_COMMANDS = "/applications/{application_id}/commands"
_RESPONSE = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"

ROUTES = (
    Route("GET", "/gateway", _gateway),
    Route("GET", "/gateway/bot", _gateway_bot),
    Route("GET", "/oauth2/applications/@me", _application),
    Route("GET", "/applications/@me", _application),
    Route("GET", _COMMANDS, _get_commands),
    Route("PUT", _COMMANDS, _put_commands),
    Route("POST", "/interactions/{interaction_id}/{interaction_token}/callback", _callback),
    Route("POST", "/webhooks/{webhook_id}/{webhook_token}", _followup),
    Route("GET", _RESPONSE, _get_response),
    Route("PATCH", _RESPONSE, _edit_response),
    Route("DELETE", _RESPONSE, _delete_response),
    Route("GET", "/users/@me", _me),
    Route("POST", "/users/@me/channels", _open_dm),
    Route("GET", "/users/{user_id}", _get_user),
    Route("GET", "/guilds/{guild_id}", _get_guild),
    Route("GET", "/guilds/{guild_id}/channels", _list_channels),
    Route("GET", "/guilds/{guild_id}/threads/active", _list_active_threads),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", _get_member),
)
