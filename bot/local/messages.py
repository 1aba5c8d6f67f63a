"""Creates and edits messages from request bodies, for the REST routes and for interactions."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from bot import limits
from bot.error_codes import ErrorCode
from bot.local import check_messages
from bot.local.api_errors import ApiError, JsonObject
from bot.local.message_contents import USER_MENTION_PATTERN, body_text
from bot.local.model import Attachment, Channel, Message, MessageFlag, User
from bot.local.payloads import walk_components
from bot.local.world import World

_UNSAFE_CHARACTERS_PATTERN = re.compile(r"[^\w.\-()]+")
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Upload:
    """One file of a multipart request."""

    filename: str
    content_type: str
    data: bytes


Uploads = Mapping[str, Upload]  # by form field: "files[0]"


def create_message(
    world: World,
    channel: Channel,
    author: User,
    body: JsonObject,
    uploads: Uploads,
    *,
    only_for: User | None = None,
    interaction_metadata: JsonObject | None = None,
    command_name: str | None = None,
) -> Message:
    """Post the message that the body describes.  Raises ApiError if Discord would refuse it."""
    check_messages.check_message(body, uploads)
    message = Message(world.new_snowflake(), channel, author, world.clock(), only_for=only_for)
    message.nonce = body.get("nonce")
    message.interaction_metadata = interaction_metadata
    message.command_name = command_name
    message.flags = int(body.get("flags") or 0) & ~(MessageFlag.EPHEMERAL | MessageFlag.LOADING)
    if only_for is not None:
        message.flags |= MessageFlag.EPHEMERAL
    message.attachments = _update_attachments(world, message.channel, [], body, uploads)
    reference = body.get("message_reference")
    if reference:
        message.reply_to = channel.messages.get(int(reference.get("message_id", 0)))
        if message.reply_to is None and reference.get("fail_if_not_exists", True):
            raise ApiError(ErrorCode.UNKNOWN_MESSAGE)
    _apply_body(world, message, body)
    world.post(message)
    return message


def edit_message(world: World, message: Message, body: JsonObject, uploads: Uploads) -> Message:
    """Change the fields that the body has.  Raises ApiError if Discord would refuse it."""
    check_messages.check_message(_edited_body(message, body), uploads)
    was_loading = bool(message.flags & MessageFlag.LOADING)
    if body.get("flags") is not None:
        settable = MessageFlag.SUPPRESS_EMBEDS | MessageFlag.COMPONENTS_V2
        unchanged = message.flags & ~MessageFlag.SUPPRESS_EMBEDS
        message.flags = unchanged | (int(body["flags"]) & settable)
    message.flags &= ~MessageFlag.LOADING
    message.attachments = _update_attachments(world, message.channel, message.attachments, body, uploads)
    _apply_body(world, message, body)
    if not was_loading:
        message.edited_at = world.clock()
    world.announce_edit(message)
    return message


def _edited_body(message: Message, body: JsonObject) -> JsonObject:
    """Return the body of the whole message as it is after the edit, for the checks."""
    if "attachments" in body:
        listed_items = body["attachments"] or []
    else:
        listed_items = [{"id": str(file.id)} for file in message.attachments]
    present_files_by_id = {str(file.id): file for file in message.attachments}
    attachments = [
        {"filename": present_files_by_id[str(item["id"])].filename} | item
        if str(item.get("id")) in present_files_by_id
        else item
        for item in listed_items
        if isinstance(item, dict)
    ]
    return {
        "content": message.content,
        "embeds": message.embeds,
        "components": message.components,
        **body,
        "attachments": attachments,
        "flags": int(body.get("flags") or 0) | (message.flags & MessageFlag.COMPONENTS_V2),
    }


def _apply_body(world: World, message: Message, body: JsonObject) -> None:
    if "content" in body:
        message.content = body["content"] or ""
    if "embeds" in body:
        message.embeds = [{"type": "rich"} | embed for embed in body["embeds"] or []]
    if "components" in body:
        message.components = number_components(body["components"] or [])
    if {"content", "components", "allowed_mentions"} & body.keys():
        _set_mentions(world, message, body.get("allowed_mentions"))


def number_components(components: list[JsonObject]) -> list[JsonObject]:
    """Number the components that have no id, as Discord does, and return all."""
    taken_ids = {component["id"] for component in walk_components(components) if component.get("id")}
    free_ids = (number for number in range(1, 1000) if number not in taken_ids)
    for component in walk_components(components):
        if not component.get("id"):
            component["id"] = next(free_ids)
    return components


def _set_mentions(world: World, message: Message, allowed_mentions: JsonObject | None) -> None:
    """Set who is mentioned: everybody in the text whom `allowed_mentions` allows."""
    text = body_text(message)
    user_ids = [int(user_id) for user_id in USER_MENTION_PATTERN.findall(text) if int(user_id) in world.users]
    mentions_everyone = "@everyone" in text or "@here" in text
    if allowed_mentions is not None:
        allowed_kinds = allowed_mentions.get("parse") or []
        allowed_ids = {int(user_id) for user_id in allowed_mentions.get("users") or []}
        user_ids = [user_id for user_id in user_ids if "users" in allowed_kinds or user_id in allowed_ids]
        mentions_everyone = mentions_everyone and "everyone" in allowed_kinds
    if message.reply_to is not None and (allowed_mentions or {}).get(
        "replied_user", allowed_mentions is None
    ):
        user_ids.append(message.reply_to.author.id)
    message.mentions = tuple(dict.fromkeys(user_ids))
    message.mention_everyone = mentions_everyone and message.author is not world.bot


def clean_file_name(name: str) -> str:
    """Return the file name as Discord rewrites it: without spaces and special characters."""
    return _UNSAFE_CHARACTERS_PATTERN.sub("_", name)


def _update_attachments(
    world: World, channel: Channel, present_files: list[Attachment], body: JsonObject, uploads: Uploads
) -> list[Attachment]:
    """Return the present files that the body lists (all, if it has no list) and the uploaded ones."""
    items_by_id: dict[str, JsonObject] = {}
    kept_files = list(present_files)
    if "attachments" in body:
        items_by_id = {str(item["id"]): item for item in body.get("attachments") or []}
        kept_files = [file for file in present_files if str(file.id) in items_by_id]
        for file in kept_files:
            file.description = items_by_id[str(file.id)].get("description", file.description)
    added_files = []
    for field, upload in uploads.items():
        number = field.removeprefix("files[").removesuffix("]")
        item = items_by_id.get(number, {})
        name = clean_file_name(item.get("filename") or upload.filename)
        file = Attachment(world.new_snowflake(), name, upload.content_type, len(upload.data), upload.data)
        file.description = item.get("description")
        if upload.data.startswith(PNG_SIGNATURE):
            file.width, file.height = struct.unpack(">II", upload.data[16:24])  # as the header says
        added_files.append(file)
    world.retire_files(channel, [file for file in present_files if file not in kept_files])
    world.keep_files(kept_files + added_files)
    return kept_files + added_files


class OldMessageEditLimit:
    """Discord's stricter limit on edits of messages older than an hour (30046)."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._edit_times: dict[int, list[float]] = {}  # by the channel's id

    def check_and_count(self, message: Message) -> None:
        """Count an edit of an old message.  Raises ApiError 30046 if the channel had too many such edits."""
        now = self._world.clock()
        if now - message.created_at <= limits.OLD_MESSAGE_SECONDS:
            return
        since = now - limits.OLD_EDITS_SECONDS
        recent_edit_times = [
            edited_at for edited_at in self._edit_times.get(message.channel.id, []) if edited_at > since
        ]
        if len(recent_edit_times) >= limits.OLD_EDITS:
            raise ApiError(ErrorCode.TOO_MANY_OLD_EDITS, retry_after=round(recent_edit_times[0] - since, 3))
        self._edit_times[message.channel.id] = [*recent_edit_times, now]
