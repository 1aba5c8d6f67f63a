"""The REST routes of users, guilds, commands, interactions and the gateway's address, as in Discord."""

from __future__ import annotations

from bot import limits
from bot.error_codes import ErrorCode
from bot.local import check_commands, payloads
from bot.local.api_errors import ApiError
from bot.local.interactions import callback_result
from bot.local.routing import ApiRequest, ResponseBody, Route, RouteContext
from bot.local.world import World

_DAY_SECONDS = 86_400

# Users and guilds


def _get_own_user(context: RouteContext, request: ApiRequest) -> ResponseBody:
    return payloads.own_user(context.world)


def _get_user(context: RouteContext, request: ApiRequest) -> ResponseBody:
    user = context.world.users.get(request.path_id("user_id"))
    if user is None:
        raise ApiError(ErrorCode.UNKNOWN_USER)
    return payloads.user(user)


def _open_dm(context: RouteContext, request: ApiRequest) -> ResponseBody:
    recipient_id = str(request.json().get("recipient_id", ""))
    user = context.world.users.get(int(recipient_id) if recipient_id.isdecimal() else 0)
    if user is None:
        raise ApiError(ErrorCode.UNKNOWN_USER)
    if user.bot:
        raise ApiError(ErrorCode.CANNOT_MESSAGE_USER)
    return payloads.channel(context.world, context.world.open_dm(user))


def _require_world_of_guild(context: RouteContext, request: ApiRequest) -> World:
    """Return the world.  Raises ApiError unless the path names its guild and the bot is in it."""
    world = context.world
    if request.path_id("guild_id") != world.guild_id or not world.is_bot_in_guild:
        raise ApiError(ErrorCode.UNKNOWN_GUILD)
    return world


def _get_guild(context: RouteContext, request: ApiRequest) -> ResponseBody:
    return payloads.guild(_require_world_of_guild(context, request))


def _list_channels(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world = _require_world_of_guild(context, request)
    return [payloads.channel(world, channel) for channel in world.text_channels()]


def _list_active_threads(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world = _require_world_of_guild(context, request)
    threads = [each for each in world.threads() if not each.archived and world.can_see(world.bot, each)]
    joined_threads = [thread for thread in threads if world.bot.id in thread.members]
    return {
        "threads": [payloads.channel(world, thread) for thread in threads],
        "members": [payloads.thread_member(thread, world.bot.id) for thread in joined_threads],
    }


def _get_member(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world = _require_world_of_guild(context, request)
    user = world.users.get(request.path_id("user_id"))
    if user is None:
        raise ApiError(ErrorCode.UNKNOWN_USER)
    if not user.is_member:
        raise ApiError(ErrorCode.UNKNOWN_MEMBER)
    return payloads.member(world, user)


# The application and its commands


def _get_application(context: RouteContext, request: ApiRequest) -> ResponseBody:
    return payloads.application(context.world)


def _require_world_of_application(context: RouteContext, request: ApiRequest) -> World:
    """Return the world.  Raises ApiError unless the path names the bot's application."""
    if request.path_id("application_id") != context.world.application_id:
        raise ApiError(ErrorCode.MISSING_ACCESS)
    return context.world


def _get_commands(context: RouteContext, request: ApiRequest) -> ResponseBody:
    return _require_world_of_application(context, request).commands


def _put_commands(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world = _require_world_of_application(context, request)
    commands = check_commands.check_commands(request.body)
    earlier_commands = {(command["type"], command["name"]): command for command in world.commands}
    now = world.clock()
    context.command_creation_times[:] = [
        created_at for created_at in context.command_creation_times if created_at > now - _DAY_SECONDS
    ]
    keys = [(command.get("type", 1), command["name"]) for command in commands]
    new_count = sum(key not in earlier_commands for key in keys)
    if len(context.command_creation_times) + new_count > limits.COMMAND_CREATES_A_DAY:
        raise ApiError(ErrorCode.TOO_MANY_COMMAND_CREATES)
    context.command_creation_times += [now] * new_count
    registered_commands = []
    for key, command in zip(keys, commands, strict=True):
        earlier_command = earlier_commands.get(key)
        registered_commands.append(
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
                "id": earlier_command["id"] if earlier_command else str(world.new_snowflake()),
                "application_id": str(world.application_id),
                "version": str(world.new_snowflake()),
            }
        )
    world.set_commands(registered_commands)
    return registered_commands


# Interactions


def _create_callback(context: RouteContext, request: ApiRequest) -> ResponseBody:
    token = request.path_variables["interaction_token"]
    interaction = context.interactions.accept_callback(
        request.path_id("interaction_id"), token, request.json(), request.uploads
    )
    with_response = request.query.get("with_response") in ("true", "1")
    return callback_result(context.world, interaction) if with_response else None


def _require_interaction_token(context: RouteContext, request: ApiRequest) -> str:
    if request.path_id("webhook_id") != context.world.application_id:
        raise ApiError(ErrorCode.UNKNOWN_WEBHOOK)
    return request.path_variables["webhook_token"]


def _message_id(request: ApiRequest) -> int | None:
    """Return the id of the message that the path names; None for the original response."""
    return None if request.path_variables["message_id"] == "@original" else request.path_id("message_id")


def _create_followup(context: RouteContext, request: ApiRequest) -> ResponseBody:
    token = _require_interaction_token(context, request)
    return payloads.message(
        context.world, context.interactions.post_followup(token, request.json(), request.uploads)
    )


def _get_response(context: RouteContext, request: ApiRequest) -> ResponseBody:
    token = _require_interaction_token(context, request)
    return payloads.message(context.world, context.interactions.find_message(token, _message_id(request)))


def _edit_response(context: RouteContext, request: ApiRequest) -> ResponseBody:
    token = _require_interaction_token(context, request)
    edited = context.interactions.edit_message(token, _message_id(request), request.json(), request.uploads)
    return payloads.message(context.world, edited)


def _delete_response(context: RouteContext, request: ApiRequest) -> ResponseBody:
    context.interactions.delete_message(_require_interaction_token(context, request), _message_id(request))
    return None


# The gateway's address


def _get_gateway(context: RouteContext, request: ApiRequest) -> ResponseBody:
    return {"url": context.gateway.url}


def _get_gateway_bot(context: RouteContext, request: ApiRequest) -> ResponseBody:
    maximum = limits.IDENTIFIES_A_DAY
    session_start_limit = {"total": maximum, "remaining": maximum, "reset_after": 0, "max_concurrency": 1}
    return {"url": context.gateway.url, "shards": 1, "session_start_limit": session_start_limit}


_COMMANDS_PATH = "/applications/{application_id}/commands"
_RESPONSE_PATH = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"

ROUTES = (
    Route("GET", "/gateway", _get_gateway),
    Route("GET", "/gateway/bot", _get_gateway_bot),
    Route("GET", "/oauth2/applications/@me", _get_application),
    Route("GET", "/applications/@me", _get_application),
    Route("GET", _COMMANDS_PATH, _get_commands),
    Route("PUT", _COMMANDS_PATH, _put_commands),
    Route("POST", "/interactions/{interaction_id}/{interaction_token}/callback", _create_callback),
    Route("POST", "/webhooks/{webhook_id}/{webhook_token}", _create_followup),
    Route("GET", _RESPONSE_PATH, _get_response),
    Route("PATCH", _RESPONSE_PATH, _edit_response),
    Route("DELETE", _RESPONSE_PATH, _delete_response),
    Route("GET", "/users/@me", _get_own_user),
    Route("POST", "/users/@me/channels", _open_dm),
    Route("GET", "/users/{user_id}", _get_user),
    Route("GET", "/guilds/{guild_id}", _get_guild),
    Route("GET", "/guilds/{guild_id}/channels", _list_channels),
    Route("GET", "/guilds/{guild_id}/threads/active", _list_active_threads),
    Route("GET", "/guilds/{guild_id}/members/{user_id}", _get_member),
)
