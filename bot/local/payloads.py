"""Discord's JSON objects of what is in the world (API v10)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from urllib.parse import quote

from bot.local.api_errors import JsonObject
from bot.local.model import Attachment, Channel, ChannelType, Message, MessageType, User
from bot.local.permissions import BOT_PERMISSIONS, EVERYONE_PERMISSIONS
from bot.local.world import World

COMPONENT_KEYS = ("components", "accessory", "component")
"""The keys of a component's JSON object below which further components stand."""


def timestamp(seconds: float) -> str:
    """Return a time in Discord's format: ISO 8601 in UTC."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


def user(source: User) -> JsonObject:
    """Return a user object."""
    payload: JsonObject = {
        "id": str(source.id),
        "username": source.name if source.bot else source.name.lower(),
        "discriminator": "0001" if source.bot else "0",
        "global_name": None if source.bot else source.name,
        "avatar": None,
        "public_flags": 0,
        "accent_color": int(source.colour[1:], 16),
    }
    return payload | {"bot": True} if source.bot else payload


def own_user(world: World) -> JsonObject:
    """Return the bot's user object as only the bot itself gets it."""
    return user(world.bot) | {"verified": True, "mfa_enabled": False, "email": None}


def member(world: World, source: User, channel: Channel | None = None) -> JsonObject:
    """Return a guild member object; with `channel`, also the permissions there, as in interactions."""
    payload: JsonObject = {
        "user": user(source),
        "nick": None,
        "avatar": None,
        "roles": [str(world.bot_role_id)] if source is world.bot else [str(each) for each in source.roles],
        # times of joining are not stored: everybody gets the time when the first channel was created
        "joined_at": timestamp(world.channels[next(iter(world.channels))].created_at),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "communication_disabled_until": None,
    }
    if channel is not None:
        payload["permissions"] = str(int(world.permissions(source, channel)))
    return payload


def channel(world: World, source: Channel) -> JsonObject:
    """Return a channel object of any kind."""
    payload: JsonObject = {
        "id": str(source.id),
        "type": int(source.type),
        "flags": 0,
        "last_message_id": str(next(reversed(source.messages))) if source.messages else None,
    }
    if source.type is ChannelType.DM:
        return payload | {"recipients": [user(source.recipient)] if source.recipient else []}
    payload |= {"guild_id": str(world.guild_id), "name": source.name, "rate_limit_per_user": 0}
    if source.parent is None:
        overwrites = [
            {"id": str(user_id), "type": 1, "allow": "0", "deny": str(int(denied))}
            for user_id, denied in source.denied_permissions.items()
        ]
        position = (
            [each.id for each in world.text_channels()].index(source.id) if source.id in world.channels else 0
        )
        return payload | {
            "position": position,
            "parent_id": None,
            "topic": None,
            "nsfw": False,
            "permission_overwrites": overwrites,
        }
    count = sum(not message.ephemeral for message in source.messages.values())
    payload |= {
        "parent_id": str(source.parent.id),
        "owner_id": str(source.owner.id) if source.owner else None,
        "message_count": count,
        "total_message_sent": count,
        "member_count": len(source.members),
        "applied_tags": [],
        "thread_metadata": {
            "archived": source.archived,
            "locked": source.locked,
            "auto_archive_duration": source.auto_archive_minutes,
            "archive_timestamp": timestamp(source.archive_changed_at),
            "create_timestamp": timestamp(source.created_at),
        },
    }
    if world.bot.id in source.members:
        payload["member"] = thread_member(source, world.bot.id)
    return payload


def thread_member(thread: Channel, user_id: int) -> JsonObject:
    """Return a thread member object."""
    joined = timestamp(thread.members[user_id])
    return {"id": str(thread.id), "user_id": str(user_id), "join_timestamp": joined, "flags": 0}


def role(role_id: int, name: str, permissions: int = 0, position: int = 0) -> JsonObject:
    """Return a role object."""
    return {
        "id": str(role_id),
        "name": name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "position": position,
        "permissions": str(permissions),
        "managed": position > 0,  # only the bot's own role stands above 0, and Discord manages that one
        "mentionable": False,
        "flags": 0,
    }


def guild(world: World) -> JsonObject:
    """Return the guild object of GET /guilds."""
    return {
        "id": str(world.guild_id),
        "name": world.guild_name,
        "icon": None,
        "splash": None,
        "discovery_splash": None,
        "owner_id": str(world.owner.id),
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "roles": [
            role(world.guild_id, "@everyone", int(EVERYONE_PERMISSIONS), 0),
            role(world.bot_role_id, world.bot.name, int(BOT_PERMISSIONS), 1),
            *(role(role_id, name) for role_id, name in world.roles.items()),
        ],
        "emojis": [],
        "stickers": [],
        "features": [],
        "mfa_level": 0,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "vanity_url_code": None,
        "description": None,
        "banner": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": "en-GB",
        "public_updates_channel_id": None,
        "nsfw_level": 0,
        "premium_progress_bar_enabled": False,
    }


def guild_create(world: World) -> JsonObject:
    """Return the data of GUILD_CREATE for a bot without the members intent."""
    visible_channels = [each for each in world.text_channels() if world.can_see(world.bot, each)]
    visible_threads = [
        each for each in world.threads() if not each.archived and world.can_see(world.bot, each)
    ]
    return guild(world) | {
        "joined_at": timestamp(world.clock()),
        "large": False,
        "member_count": sum(each.is_member for each in world.users.values()),
        "voice_states": [],
        "members": [member(world, world.bot)],
        "channels": [channel(world, each) for each in visible_channels],
        "threads": [channel(world, each) for each in visible_threads],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def attachment_url(world: World, source: Channel, file: Attachment) -> str:
    """Return the URL of a file."""
    return f"{world.cdn_url}/attachments/{source.id}/{file.id}/{quote(file.filename)}"


def attachment(world: World, message: Message, file: Attachment) -> JsonObject:
    """Return an attachment object."""
    url = attachment_url(world, message.channel, file)
    payload: JsonObject = {
        "id": str(file.id),
        "filename": file.filename,
        "size": file.size,
        "url": url,
        "proxy_url": url,
        "content_type": file.content_type,
    }
    if file.width is not None:
        payload |= {"width": file.width, "height": file.height}
    if file.description is not None:
        payload["description"] = file.description
    if message.ephemeral:
        payload["ephemeral"] = True
    return payload


def walk_components(components: list[JsonObject]) -> Iterator[JsonObject]:
    """Yield every component of a message or modal, nested ones after the one that contains them."""
    for component in components:
        yield component
        for key in COMPONENT_KEYS:
            inner = component.get(key)
            yield from walk_components(inner if isinstance(inner, list) else [inner] if inner else [])


def message(world: World, source: Message) -> JsonObject:
    """Return a message object. A file that an embed shows is not among the attachments."""
    files_by_name = {file.filename: file for file in source.attachments}
    shown_file_ids: set[int] = set()

    def resolve_media(item: JsonObject) -> JsonObject:
        """Return a media item; one that names a file of this message gets the file's URL and size."""
        scheme, _, name = item.get("url", "").partition("://")
        if scheme != "attachment":
            return item
        if name not in files_by_name:
            return item | {"url": "", "proxy_url": ""}
        file = files_by_name[name]
        shown_file_ids.add(file.id)
        url = attachment_url(world, source.channel, file)
        return item | {
            "url": url,
            "proxy_url": url,
            "width": file.width or 0,
            "height": file.height or 0,
            "content_type": file.content_type,
        }

    embeds = [
        embed | {key: resolve_media(embed[key]) for key in ("image", "thumbnail") if embed.get(key)}
        for embed in source.embeds
    ]
    listed_attachments = [
        attachment(world, source, file) for file in source.attachments if file.id not in shown_file_ids
    ]
    payload: JsonObject = {
        "id": str(source.id),
        "type": int(_message_type(source)),
        "channel_id": str(source.channel.id),
        "author": user(source.author),
        "content": source.content,
        "timestamp": timestamp(source.created_at),
        "edited_timestamp": None if source.edited_at is None else timestamp(source.edited_at),
        "tts": False,
        "mention_everyone": source.mention_everyone,
        "mentions": [user(world.users[user_id]) for user_id in source.mentions],
        "mention_roles": [],
        "attachments": listed_attachments,
        "embeds": embeds,
        "components": [_with_resolved_media(component, resolve_media) for component in source.components],
        "pinned": source.pinned,
        "flags": source.flags,
    }
    if source.author is world.bot:
        payload["application_id"] = str(world.application_id)
    if source.nonce is not None:
        payload["nonce"] = source.nonce
    if source.thread is not None and source.thread.id in world.channels:
        payload["thread"] = channel(world, source.thread)
    if source.reply_to is not None:
        payload["message_reference"] = {
            "type": 0,
            "message_id": str(source.reply_to.id),
            "channel_id": str(source.channel.id),
        }
    if source.interaction_metadata is not None:
        payload["interaction_metadata"] = source.interaction_metadata
        payload["webhook_id"] = str(world.application_id)
    if source.interaction_metadata is not None and source.command_name is not None:
        keys = ("id", "type", "user")
        payload["interaction"] = {key: source.interaction_metadata[key] for key in keys} | {
            "name": source.command_name
        }
    return payload


def _message_type(source: Message) -> MessageType:
    if source.command_name is not None:
        return MessageType.COMMAND_RESPONSE
    return MessageType.ORDINARY if source.reply_to is None else MessageType.REPLY


def _with_resolved_media(
    component: JsonObject, resolve_media: Callable[[JsonObject], JsonObject]
) -> JsonObject:
    """Return a component with every media item in it resolved."""
    resolved = dict(component)
    for key in ("media", "file"):
        if isinstance(resolved.get(key), dict):
            resolved[key] = resolve_media(resolved[key])
    if "items" in resolved:
        resolved["items"] = [item | {"media": resolve_media(item["media"])} for item in resolved["items"]]
    for key in COMPONENT_KEYS:
        inner = resolved.get(key)
        if isinstance(inner, list):
            resolved[key] = [_with_resolved_media(each, resolve_media) for each in inner]
        elif isinstance(inner, dict):
            resolved[key] = _with_resolved_media(inner, resolve_media)
    return resolved


def message_event(world: World, source: Message) -> JsonObject:
    """Return a message object for the gateway: with its guild and its author's membership."""
    payload = message(world, source)
    if source.channel.type is not ChannelType.DM:
        payload["guild_id"] = str(world.guild_id)
        if source.author.is_member:
            payload["member"] = {
                key: value for key, value in member(world, source.author).items() if key != "user"
            }
    return payload


def application(world: World) -> JsonObject:
    """Return the bot's application object."""
    return {
        "id": str(world.application_id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "owner": user(world.owner),
        "team": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "integration_types_config": {"0": {}},
        "approximate_guild_count": int(world.is_bot_in_guild),
    }
