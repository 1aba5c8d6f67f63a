"""Components as Discord's API writes them."""

from __future__ import annotations

from tests.bot.local.conftest import JsonObject


def button(**changes: object) -> JsonObject:
    """Return a valid button with changes."""
    return {"type": 2, "style": 1, "label": "Play", "custom_id": "play"} | changes


def row(*components: JsonObject) -> JsonObject:
    """Return an action row."""
    return {"type": 1, "components": list(components)}


def text_displays(count: int, size: int = 1) -> list[JsonObject]:
    """Return text displays."""
    return [{"type": 10, "content": "x" * size} for _ in range(count)]
