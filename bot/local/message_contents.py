"""What a person can read and press in a message."""

from __future__ import annotations

import re

from bot.local import payloads
from bot.local.api_errors import JsonObject
from bot.local.check_components import SELECT_TYPES, ComponentType
from bot.local.model import ChannelType, Message, MessageFlag, User
from bot.local.world import World

USER_MENTION_PATTERN = re.compile(r"<@!?(\d+)>")
_CHANNEL_MENTION_PATTERN = re.compile(r"<#(\d+)>")
_MARKDOWN_PATTERN = re.compile(r"\*\*|__|~~|\|\||`+|^(?:#{1,3}|-#|>) ", re.MULTILINE)


def body_text(message: Message) -> str:
    """Return the text of a message: its content, or the text displays of a layout."""
    displays = [
        component.get("content", "")
        for component in payloads.walk_components(message.components)
        if component["type"] == ComponentType.TEXT_DISPLAY
    ]
    return "\n".join(part for part in (message.content, *displays) if part)


def message_text(message: Message) -> str:
    """Return all text of a message that a person can read: its body, embeds, alt texts."""
    parts = [body_text(message)]
    for embed in message.embeds:
        parts += [embed.get("title") or "", embed.get("description") or ""]
        parts += [f"{field['name']}\n{field['value']}" for field in embed.get("fields") or []]
        parts.append((embed.get("footer") or {}).get("text") or "")
    parts += [file.description or "" for file in message.attachments]
    return "\n".join(part for part in parts if part)


def controls(message: Message) -> list[JsonObject]:
    """Return the buttons and selects of a message."""
    types = (ComponentType.BUTTON, *SELECT_TYPES)
    return [each for each in payloads.walk_components(message.components) if each["type"] in types]


def has_button(message: Message, label: str) -> bool:
    """Return whether the message has an enabled button with this label."""
    return any(each.get("label") == label and not each.get("disabled") for each in controls(message))


def notifies(message: Message, user: User) -> bool:
    """Return whether the message notifies `user`: as a DM, or by a mention that the bot allowed to notify."""
    if message.ephemeral or message.author is user or message.flags & MessageFlag.SUPPRESS_NOTIFICATIONS:
        return False
    is_own_dm = message.channel.type is ChannelType.DM and message.channel.recipient is user
    return is_own_dm or user.id in message.mentions


def notification_text(world: World, message: Message) -> str:
    """Return what a lock screen shows of the message: its content alone, on few lines.

    Text in components is not part of it, so a mention in a layout arrives as an empty notification.
    """

    def user_name(mention: re.Match[str]) -> str:
        user = world.users.get(int(mention[1]))
        return f"@{user.name}" if user is not None else "@unknown-user"

    def channel_name(mention: re.Match[str]) -> str:
        channel = world.channels.get(int(mention[1]))
        return f"#{channel.name}" if channel is not None else "#unknown"

    text = _CHANNEL_MENTION_PATTERN.sub(channel_name, USER_MENTION_PATTERN.sub(user_name, message.content))
    text = re.sub(r"\\([^\w\s])", r"\1", _MARKDOWN_PATTERN.sub("", text)).strip()
    file_count = len(message.attachments)
    if not text and file_count and not message.flags & MessageFlag.COMPONENTS_V2:
        return "Sent a file" if file_count == 1 else f"Sent {file_count} files"
    return text
