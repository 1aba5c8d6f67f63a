"""The routes of Discord's REST API that a bot uses, each with what it does.

Templates and refusals are Discord's. Handlers run to their end without waiting, so that a request is
done wholly or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot import limits
from bot.local import check_commands, messages, payloads
from bot.local.gateway import Gateway
from bot.local.interactions import Interactions, callback_response
from bot.local.messages import OldEdits, Upload
from bot.local.permissions import Permission
from bot.local.refusals import FormErrors, Json, Refusal
from bot.local.world import Channel, ChannelType, Message, World

Payload = Json | list[Json] | None


@dataclass(slots=True)
class Server:
    """What the routes work on."""

    world: World
    interactions: Interactions
    gateway: Gateway
    old_edits: OldEdits
    nonces: dict[str, Message]
    command_creates: list[float]


@dataclass(frozen=True, slots=True)
class Call:
    """One request: its path's variables, query, JSON body and files."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: object
    uploads: Mapping[str, Upload]

    def id(self, name: str) -> int:
        """A snowflake of the path; Refusal 50035."""
        if not self.path[name].isdecimal():
            errors = FormErrors()
            errors.add((name,), "NUMBER_TYPE_COERCE", f'Value "{self.path[name]}" is not snowflake.')
            errors.refuse()
        return int(self.path[name])

    def json(self) -> Json:
        """The body as an object; Refusal 50109 if it is none."""
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise Refusal(50109)
        return self.body


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one path."""

    method: str
    template: str
    serve: Callable[[Server, Call], Payload]
    status: int = 200


def _channel(server: Server, call: Call, *needed: Permission) -> Channel:
    """The channel of the path, which the bot must see, with the rights `needed` there."""
    world = server.world
    channel = world.channels.get(call.id("channel_id"))
    if channel is None:
        raise Refusal(10003)
    if channel.type is not ChannelType.DM and not world.bot_in_guild:
        raise Refusal(50001)
    if not world.can_see(world.bot, channel):
        raise Refusal(50001)
    held = world.permissions(world.bot, channel)
    if any(not held & right for right in needed):
        raise Refusal(50013)
    return channel


def _message(server: Server, call: Call, *needed: Permission) -> Message:
    channel = _channel(server, call, *needed)
    message = channel.messages.get(call.id("message_id"))
    if message is None or message.ephemeral:
        raise Refusal(10008)
    return message


def _content_rights(call: Call) -> list[Permission]:
    rights = []
    if call.json().get("embeds"):
        rights.append(Permission.EMBED_LINKS)
    if call.uploads:
        rights.append(Permission.ATTACH_FILES)
    return rights


# Messages


def _create_message(server: Server, call: Call) -> Payload:
    world, body = server.world, call.json()
    channel = _channel(server, call)
    if channel.recipient is not None:
        if not channel.recipient.joined or not world.bot_in_guild:
            raise Refusal(50278)
        if channel.recipient.dms_closed:
            raise Refusal(50007)
    else:
        in_thread = channel.is_thread
        send = Permission.SEND_MESSAGES_IN_THREADS if in_thread else Permission.SEND_MESSAGES
        _channel(server, call, send, *_content_rights(call))
        if channel.archived and channel.locked:
            raise Refusal(160005)
    nonce = str(body.get("nonce") or "")
    if nonce and body.get("enforce_nonce"):
        earlier = server.nonces.get(nonce)
        if earlier is not None and world.clock() - earlier.created < limits.NONCE_SECONDS:
            return payloads.message(world, earlier)
    message = messages.create(world, channel, world.bot, body, call.uploads)
    if nonce and body.get("enforce_nonce"):
        server.nonces.pop(nonce, None)
        server.nonces[nonce] = message
        _forget_nonces(server)
    return payloads.message(world, message)


def _forget_nonces(server: Server) -> None:
    oldest = server.world.clock() - limits.NONCE_SECONDS
    for nonce, message in list(server.nonces.items()):
        if message.created > oldest:
            return
        del server.nonces[nonce]


def _get_message(server: Server, call: Call) -> Payload:
    message = _message(server, call)
    if not server.world.permissions(server.world.bot, message.channel) & Permission.READ_MESSAGE_HISTORY:
        raise Refusal(50001)
    return payloads.message(server.world, message)


def _list_messages(server: Server, call: Call) -> Payload:
    channel = _channel(server, call)
    if not server.world.permissions(server.world.bot, channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    found = [message for message in channel.messages.values() if not message.ephemeral]
    before, after = int(call.query.get("before") or 0), int(call.query.get("after") or 0)
    most = int(call.query.get("limit") or 50)
    if after:
        found = [message for message in found if message.id > after][:most]
    elif before:
        found = [message for message in found if message.id < before]
    return [payloads.message(server.world, message) for message in reversed(found[-most:])]


def _edit_message(server: Server, call: Call) -> Payload:
    world = server.world
    message = _message(server, call, *_content_rights(call))
    if message.author is not world.bot:
        raise Refusal(50005)
    if message.channel.archived:
        raise Refusal(50083)
    server.old_edits.check(message)
    return payloads.message(world, messages.edit(world, message, call.json(), call.uploads))


def _delete_message(server: Server, call: Call) -> Payload:
    world = server.world
    message = _message(server, call)
    if message.author is not world.bot:
        if message.channel.type is ChannelType.DM:
            raise Refusal(50003)
        _message(server, call, Permission.MANAGE_MESSAGES)
    if message.channel.archived:
        raise Refusal(50083)
    world.delete(message)
    return None


# Channels and threads


def _get_channel(server: Server, call: Call) -> Payload:
    return payloads.channel(server.world, _channel(server, call))


def _thread_settings(body: Json, *, creating: bool) -> None:
    errors = FormErrors()
    if creating or "name" in body:
        errors.length(("name",), body.get("name"), limits.THREAD_NAME, 1)
    if body.get("auto_archive_duration") is not None:
        path = ("auto_archive_duration",)
        errors.one_of(path, body["auto_archive_duration"], limits.AUTO_ARCHIVE_MINUTES)
    errors.refuse()


def _edit_channel(server: Server, call: Call) -> Payload:
    world, body = server.world, call.json()
    channel = _channel(server, call)
    if not channel.is_thread:
        raise Refusal(50013)  # the bot never holds MANAGE_CHANNELS here
    moderator = bool(world.permissions(world.bot, channel) & Permission.MANAGE_THREADS)
    waking = body.get("archived") is False and set(body) <= {"archived", "auto_archive_duration"}
    owns = channel.owner is world.bot
    if not moderator:
        if "locked" in body and bool(body["locked"]) != channel.locked:
            raise Refusal(50013)
        if channel.locked or not (owns or waking):
            raise Refusal(50013)
    if channel.archived and body.get("archived") is not False:
        raise Refusal(50083)
    _thread_settings(body, creating=False)
    world.change_thread(
        channel,
        name=body.get("name"),
        archived=body.get("archived"),
        locked=body.get("locked"),
        auto_archive_minutes=body.get("auto_archive_duration"),
    )
    return payloads.channel(world, channel)


def _delete_channel(server: Server, call: Call) -> Payload:
    channel = _channel(server, call)
    if channel.type is not ChannelType.DM:
        needed = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
        _channel(server, call, needed)
        server.world.delete_channel(channel)
    return payloads.channel(server.world, channel)


def _room_for_thread(server: Server, parent: Channel) -> None:
    if parent.type is not ChannelType.TEXT:
        raise Refusal(50024)
    if sum(not thread.archived for thread in server.world.threads()) >= limits.ACTIVE_THREADS:
        raise Refusal(160006)


def _thread_from_message(server: Server, call: Call) -> Payload:
    world, body = server.world, call.json()
    message = _message(server, call, Permission.CREATE_PUBLIC_THREADS)
    _thread_settings(body, creating=True)
    if message.id in world.channels:
        raise Refusal(160004)
    _room_for_thread(server, message.channel)
    thread = world.start_thread(
        message.channel,
        world.bot,
        body["name"],
        message=message,
        auto_archive_minutes=body.get("auto_archive_duration") or 4320,
    )
    return payloads.channel(world, thread)


def _thread_alone(server: Server, call: Call) -> Payload:
    world, body = server.world, call.json()
    private = body.get("type", ChannelType.PRIVATE_THREAD) == ChannelType.PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    channel = _channel(server, call, needed)
    _thread_settings(body, creating=True)
    _room_for_thread(server, channel)
    thread = world.start_thread(
        channel,
        world.bot,
        body["name"],
        private=private,
        auto_archive_minutes=body.get("auto_archive_duration") or 4320,
    )
    return payloads.channel(world, thread)


def _thread(server: Server, call: Call) -> Channel:
    channel = _channel(server, call)
    if not channel.is_thread:
        raise Refusal(50024)
    return channel


def _list_thread_members(server: Server, call: Call) -> Payload:
    thread = _thread(server, call)
    return [payloads.thread_member(thread, user_id) for user_id in thread.members]


def _add_thread_member(server: Server, call: Call) -> Payload:
    world, thread = server.world, _thread(server, call)
    user_id = world.bot.id if call.path["user_id"] == "@me" else call.id("user_id")
    user = world.users.get(user_id)
    if user is None or not user.joined:
        raise Refusal(10013)
    if thread.archived:
        raise Refusal(50083)
    if not world.permissions(world.bot, thread) & Permission.SEND_MESSAGES_IN_THREADS:
        raise Refusal(50013)
    if len(thread.members) >= limits.THREAD_MEMBERS:
        raise Refusal(30033)
    world.join_thread(thread, user)
    return None


def _remove_thread_member(server: Server, call: Call) -> Payload:
    world, thread = server.world, _thread(server, call)
    user_id = world.bot.id if call.path["user_id"] == "@me" else call.id("user_id")
    if thread.archived:
        raise Refusal(50083)
    moderator = world.permissions(world.bot, thread) & Permission.MANAGE_THREADS
    if user_id != world.bot.id and not moderator and thread.owner is not world.bot:
        raise Refusal(50013)
    world.leave_thread(thread, world.users[user_id])
    return None


def _typing(server: Server, call: Call) -> Payload:
    channel = _channel(server, call)
    if channel.type is not ChannelType.DM:
        thread = channel.is_thread
        _channel(server, call, Permission.SEND_MESSAGES_IN_THREADS if thread else Permission.SEND_MESSAGES)
    return None


# Users and guilds


def _me(server: Server, call: Call) -> Payload:  # noqa: ARG001 - all handlers are called alike
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


def _application(server: Server, call: Call) -> Payload:  # noqa: ARG001
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


def _gateway(server: Server, call: Call) -> Payload:  # noqa: ARG001
    return {"url": server.gateway.url}


def _gateway_bot(server: Server, call: Call) -> Payload:  # noqa: ARG001
    most = limits.IDENTIFIES_A_DAY
    start = {"total": most, "remaining": most, "reset_after": 0, "max_concurrency": 1}
    return {"url": server.gateway.url, "shards": 1, "session_start_limit": start}


_CHANNEL = "/channels/{channel_id}"
_MESSAGE = _CHANNEL + "/messages/{message_id}"
_THREAD_MEMBER = _CHANNEL + "/thread-members/{user_id}"
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
    Route("GET", _CHANNEL, _get_channel),
    Route("PATCH", _CHANNEL, _edit_channel),
    Route("DELETE", _CHANNEL, _delete_channel),
    Route("POST", _CHANNEL + "/typing", _typing),
    Route("GET", _CHANNEL + "/messages", _list_messages),
    Route("POST", _CHANNEL + "/messages", _create_message),
    Route("GET", _MESSAGE, _get_message),
    Route("PATCH", _MESSAGE, _edit_message),
    Route("DELETE", _MESSAGE, _delete_message),
    Route("POST", _MESSAGE + "/threads", _thread_from_message, 201),
    Route("POST", _CHANNEL + "/threads", _thread_alone, 201),
    Route("GET", _CHANNEL + "/thread-members", _list_thread_members),
    Route("PUT", _THREAD_MEMBER, _add_thread_member),
    Route("DELETE", _THREAD_MEMBER, _remove_thread_member),
)
