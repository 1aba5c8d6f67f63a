"""Discord's permissions for text channels and threads [Discord: Permissions]."""

from __future__ import annotations

from enum import IntFlag


class Permission(IntFlag):
    """Permissions as bits, named as in Discord's documentation."""

    CREATE_INSTANT_INVITE = 1 << 0
    KICK_MEMBERS = 1 << 1
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    PIN_MESSAGES = 1 << 51


# What the bot's invitation asks for.
BOT_PERMISSIONS = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.SEND_MESSAGES_IN_THREADS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
)
# What everybody may do in the default server.
EVERYONE_PERMISSIONS = (
    BOT_PERMISSIONS
    | Permission.EMBED_LINKS
    | Permission.ADD_REACTIONS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_INSTANT_INVITE
)
ALL_PERMISSIONS = Permission(sum(Permission))
NO_PERMISSIONS = Permission(0)


def parse_permissions(names: list[str]) -> Permission:
    """Return the permissions of names like "SEND_MESSAGES" or "Send Messages".  Raises ValueError."""
    total = NO_PERMISSIONS
    for name in names:
        key = name.strip().upper().replace(" ", "_")
        if key not in Permission.__members__:
            raise ValueError(f"no permission is called {name!r}")
        total |= Permission[key]
    return total
