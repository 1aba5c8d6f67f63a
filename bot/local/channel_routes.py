"""The REST routes of channels: messages, threads and their members. Templates and refusals are Discord's."""

from __future__ import annotations

from bot import limits
from bot.error_codes import ErrorCode
from bot.local import messages, payloads
from bot.local.api_errors import ApiError, BodyErrors, JsonObject
from bot.local.model import DEFAULT_AUTO_ARCHIVE_MINUTES, Channel, ChannelType, Message
from bot.local.permissions import Permission
from bot.local.routing import ApiRequest, ResponseBody, Route, RouteContext

_DEFAULT_MESSAGE_COUNT = 50  # of a request for messages that names no limit


def _require_channel(context: RouteContext, request: ApiRequest, *needed_permissions: Permission) -> Channel:
    """Return the channel of the path.

    Raises ApiError unless the bot sees it and has all `needed_permissions` there.
    """
    world = context.world
    channel = world.channels.get(request.path_id("channel_id"))
    if channel is None:
        raise ApiError(ErrorCode.UNKNOWN_CHANNEL)
    if channel.type is not ChannelType.DM and not world.is_bot_in_guild:
        raise ApiError(ErrorCode.MISSING_ACCESS)
    if not world.can_see(world.bot, channel):
        raise ApiError(ErrorCode.MISSING_ACCESS)
    granted_permissions = world.permissions(world.bot, channel)
    if any(not granted_permissions & permission for permission in needed_permissions):
        raise ApiError(ErrorCode.MISSING_PERMISSIONS)
    return channel


def _require_message(context: RouteContext, request: ApiRequest, *needed_permissions: Permission) -> Message:
    channel = _require_channel(context, request, *needed_permissions)
    message = channel.messages.get(request.path_id("message_id"))
    if message is None or message.ephemeral:
        raise ApiError(ErrorCode.UNKNOWN_MESSAGE)
    return message


def _content_permissions(request: ApiRequest) -> list[Permission]:
    needed_permissions = []
    if request.json().get("embeds"):
        needed_permissions.append(Permission.EMBED_LINKS)
    if request.uploads:
        needed_permissions.append(Permission.ATTACH_FILES)
    return needed_permissions


# Messages


def _create_message(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world, body = context.world, request.json()
    channel = _require_channel(context, request)
    if channel.recipient is not None:
        if not channel.recipient.is_member or not world.is_bot_in_guild:
            raise ApiError(ErrorCode.NO_MUTUAL_GUILD)
        if channel.recipient.dms_closed:
            raise ApiError(ErrorCode.CANNOT_MESSAGE_USER)
    else:
        _require_channel(context, request, channel.send_permission, *_content_permissions(request))
        if channel.archived and channel.locked:
            raise ApiError(ErrorCode.THREAD_LOCKED)
    nonce = str(body.get("nonce") or "")
    if nonce and body.get("enforce_nonce"):
        earlier_message = context.messages_by_nonce.get(nonce)
        if earlier_message is not None and world.clock() - earlier_message.created_at < limits.NONCE_SECONDS:
            return payloads.message(world, earlier_message)
    message = messages.create_message(world, channel, world.bot, body, request.uploads)
    if nonce and body.get("enforce_nonce"):
        context.messages_by_nonce.pop(nonce, None)
        context.messages_by_nonce[nonce] = message
        _forget_expired_nonces(context)
    return payloads.message(world, message)


def _forget_expired_nonces(context: RouteContext) -> None:
    kept_since = context.world.clock() - limits.NONCE_SECONDS
    for nonce, message in list(context.messages_by_nonce.items()):
        if message.created_at > kept_since:
            return
        del context.messages_by_nonce[nonce]


def _get_message(context: RouteContext, request: ApiRequest) -> ResponseBody:
    message = _require_message(context, request)
    if not context.world.permissions(context.world.bot, message.channel) & Permission.READ_MESSAGE_HISTORY:
        raise ApiError(ErrorCode.MISSING_ACCESS)
    return payloads.message(context.world, message)


def _list_messages(context: RouteContext, request: ApiRequest) -> ResponseBody:
    channel = _require_channel(context, request)
    if not context.world.permissions(context.world.bot, channel) & Permission.READ_MESSAGE_HISTORY:
        return []
    listed_messages = [message for message in channel.messages.values() if not message.ephemeral]
    before_id, after_id = int(request.query.get("before") or 0), int(request.query.get("after") or 0)
    count = int(request.query.get("limit") or _DEFAULT_MESSAGE_COUNT)
    if after_id:
        listed_messages = [message for message in listed_messages if message.id > after_id][:count]
    elif before_id:
        listed_messages = [message for message in listed_messages if message.id < before_id]
    return [payloads.message(context.world, message) for message in reversed(listed_messages[-count:])]


def _edit_message(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world = context.world
    message = _require_message(context, request, *_content_permissions(request))
    if message.author is not world.bot:
        raise ApiError(ErrorCode.NOT_THE_AUTHOR)
    if message.channel.archived:
        raise ApiError(ErrorCode.THREAD_ARCHIVED)
    context.old_message_edit_limit.check_and_count(message)
    return payloads.message(world, messages.edit_message(world, message, request.json(), request.uploads))


def _delete_message(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world = context.world
    message = _require_message(context, request)
    if message.author is not world.bot:
        if message.channel.type is ChannelType.DM:
            raise ApiError(ErrorCode.NOT_ALLOWED_IN_DM)
        _require_message(context, request, Permission.MANAGE_MESSAGES)
    if message.channel.archived:
        raise ApiError(ErrorCode.THREAD_ARCHIVED)
    world.delete(message)
    return None


def _pin_message(context: RouteContext, request: ApiRequest) -> ResponseBody:
    _require_message(context, request, Permission.PIN_MESSAGES).pinned = True
    return None


def _unpin_message(context: RouteContext, request: ApiRequest) -> ResponseBody:
    _require_message(context, request, Permission.PIN_MESSAGES).pinned = False
    return None


# Channels and threads


def _get_channel(context: RouteContext, request: ApiRequest) -> ResponseBody:
    return payloads.channel(context.world, _require_channel(context, request))


def _check_thread_settings(body: JsonObject, *, is_new: bool) -> None:
    errors = BodyErrors()
    if is_new or "name" in body:
        errors.check_length(("name",), body.get("name"), limits.THREAD_NAME, 1)
    if body.get("auto_archive_duration") is not None:
        path = ("auto_archive_duration",)
        errors.check_one_of(path, body["auto_archive_duration"], limits.AUTO_ARCHIVE_MINUTES)
    errors.raise_if_any()


def _edit_channel(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world, body = context.world, request.json()
    channel = _require_channel(context, request)
    if not channel.is_thread:
        raise ApiError(ErrorCode.MISSING_PERMISSIONS)  # the bot never holds MANAGE_CHANNELS here
    can_manage = bool(world.permissions(world.bot, channel) & Permission.MANAGE_THREADS)
    only_unarchives = body.get("archived") is False and set(body) <= {"archived", "auto_archive_duration"}
    is_owner = channel.owner is world.bot
    if not can_manage:
        if "locked" in body and bool(body["locked"]) != channel.locked:
            raise ApiError(ErrorCode.MISSING_PERMISSIONS)
        if channel.locked or not (is_owner or only_unarchives):
            raise ApiError(ErrorCode.MISSING_PERMISSIONS)
    if channel.archived and body.get("archived") is not False:
        raise ApiError(ErrorCode.THREAD_ARCHIVED)
    _check_thread_settings(body, is_new=False)
    world.change_thread(
        channel,
        name=body.get("name"),
        archived=body.get("archived"),
        locked=body.get("locked"),
        auto_archive_minutes=body.get("auto_archive_duration"),
    )
    return payloads.channel(world, channel)


def _delete_channel(context: RouteContext, request: ApiRequest) -> ResponseBody:
    channel = _require_channel(context, request)
    if channel.type is not ChannelType.DM:
        needed_permission = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
        _require_channel(context, request, needed_permission)
        context.world.delete_channel(channel)
    return payloads.channel(context.world, channel)


def _require_room_for_thread(context: RouteContext, parent: Channel) -> None:
    """Raise ApiError unless the channel can have one more thread."""
    if parent.type is not ChannelType.TEXT:
        raise ApiError(ErrorCode.WRONG_CHANNEL_TYPE)
    if sum(not thread.archived for thread in context.world.threads()) >= limits.ACTIVE_THREADS:
        raise ApiError(ErrorCode.TOO_MANY_THREADS)


def _start_thread_from_message(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world, body = context.world, request.json()
    message = _require_message(context, request, Permission.CREATE_PUBLIC_THREADS)
    _check_thread_settings(body, is_new=True)
    if message.id in world.channels:
        raise ApiError(ErrorCode.THREAD_EXISTS)
    _require_room_for_thread(context, message.channel)
    thread = world.start_thread(
        message.channel,
        world.bot,
        body["name"],
        message=message,
        auto_archive_minutes=body.get("auto_archive_duration") or DEFAULT_AUTO_ARCHIVE_MINUTES,
    )
    return payloads.channel(world, thread)


def _start_thread(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world, body = context.world, request.json()
    is_private = body.get("type", ChannelType.PRIVATE_THREAD) == ChannelType.PRIVATE_THREAD
    needed_permission = Permission.CREATE_PRIVATE_THREADS if is_private else Permission.CREATE_PUBLIC_THREADS
    channel = _require_channel(context, request, needed_permission)
    _check_thread_settings(body, is_new=True)
    _require_room_for_thread(context, channel)
    thread = world.start_thread(
        channel,
        world.bot,
        body["name"],
        is_private=is_private,
        auto_archive_minutes=body.get("auto_archive_duration") or DEFAULT_AUTO_ARCHIVE_MINUTES,
    )
    return payloads.channel(world, thread)


def _require_thread(context: RouteContext, request: ApiRequest) -> Channel:
    channel = _require_channel(context, request)
    if not channel.is_thread:
        raise ApiError(ErrorCode.WRONG_CHANNEL_TYPE)
    return channel


def _member_id(context: RouteContext, request: ApiRequest) -> int:
    """Return the id of the member that the path names: a user, or the bot as "@me"."""
    is_bot = request.path_variables["user_id"] == "@me"
    return context.world.bot.id if is_bot else request.path_id("user_id")


def _list_thread_members(context: RouteContext, request: ApiRequest) -> ResponseBody:
    thread = _require_thread(context, request)
    return [payloads.thread_member(thread, user_id) for user_id in thread.members]


def _add_thread_member(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world, thread = context.world, _require_thread(context, request)
    user = world.users.get(_member_id(context, request))
    if user is None or not user.is_member:
        raise ApiError(ErrorCode.UNKNOWN_USER)
    if thread.archived:
        raise ApiError(ErrorCode.THREAD_ARCHIVED)
    if not world.permissions(world.bot, thread) & Permission.SEND_MESSAGES_IN_THREADS:
        raise ApiError(ErrorCode.MISSING_PERMISSIONS)
    if len(thread.members) >= limits.THREAD_MEMBERS:
        raise ApiError(ErrorCode.TOO_MANY_THREAD_MEMBERS)
    world.join_thread(thread, user)
    return None


def _remove_thread_member(context: RouteContext, request: ApiRequest) -> ResponseBody:
    world, thread = context.world, _require_thread(context, request)
    user_id = _member_id(context, request)
    if thread.archived:
        raise ApiError(ErrorCode.THREAD_ARCHIVED)
    can_manage = world.permissions(world.bot, thread) & Permission.MANAGE_THREADS
    if user_id != world.bot.id and not can_manage and thread.owner is not world.bot:
        raise ApiError(ErrorCode.MISSING_PERMISSIONS)
    world.leave_thread(thread, world.users[user_id])
    return None


def _trigger_typing(context: RouteContext, request: ApiRequest) -> ResponseBody:
    channel = _require_channel(context, request)
    if channel.type is not ChannelType.DM:
        _require_channel(context, request, channel.send_permission)
    return None


_CHANNEL_PATH = "/channels/{channel_id}"
_MESSAGE_PATH = _CHANNEL_PATH + "/messages/{message_id}"
_THREAD_MEMBER_PATH = _CHANNEL_PATH + "/thread-members/{user_id}"

ROUTES = (
    Route("GET", _CHANNEL_PATH, _get_channel),
    Route("PATCH", _CHANNEL_PATH, _edit_channel),
    Route("DELETE", _CHANNEL_PATH, _delete_channel),
    Route("POST", _CHANNEL_PATH + "/typing", _trigger_typing),
    Route("GET", _CHANNEL_PATH + "/messages", _list_messages),
    Route("POST", _CHANNEL_PATH + "/messages", _create_message),
    Route("GET", _MESSAGE_PATH, _get_message),
    Route("PATCH", _MESSAGE_PATH, _edit_message),
    Route("DELETE", _MESSAGE_PATH, _delete_message),
    Route("PUT", _CHANNEL_PATH + "/messages/pins/{message_id}", _pin_message),
    Route("DELETE", _CHANNEL_PATH + "/messages/pins/{message_id}", _unpin_message),
    Route("POST", _MESSAGE_PATH + "/threads", _start_thread_from_message, 201),
    Route("POST", _CHANNEL_PATH + "/threads", _start_thread, 201),
    Route("GET", _CHANNEL_PATH + "/thread-members", _list_thread_members),
    Route("PUT", _THREAD_MEMBER_PATH, _add_thread_member),
    Route("DELETE", _THREAD_MEMBER_PATH, _remove_thread_member),
)
