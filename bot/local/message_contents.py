"""What a person can read and press in a message."""

from __future__ import annotations

from bot.local import payloads
from bot.local.api_errors import Json
from bot.local.check_components import SELECTS, ComponentType
from bot.local.model import Message


def message_text(message: Message) -> str:
    """Return all text of a message that a person can read: content, embeds, text displays, alt texts."""
    parts = [message.content]
    for embed in message.embeds:
        parts += [embed.get("title") or "", embed.get("description") or ""]
        parts += [f"{field['name']}\n{field['value']}" for field in embed.get("fields") or []]
        parts.append((embed.get("footer") or {}).get("text") or "")
    parts += [
        one["content"]
        for one in payloads.walk_components(message.components)
        if one["type"] == ComponentType.TEXT_DISPLAY
    ]
    parts += [file.description or "" for file in message.attachments]
    return "\n".join(part for part in parts if part)


def controls(message: Message) -> list[Json]:
    """Return the buttons and selects of a message."""
    kinds = (ComponentType.BUTTON, *SELECTS)
    return [one for one in payloads.walk_components(message.components) if one["type"] in kinds]


def has_button(message: Message, label: str) -> bool:
    """Tell whether the message has an enabled button with this label."""
    return any(one.get("label") == label and not one.get("disabled") for one in controls(message))
