"""What the stand-in's server consists of: users, channels, threads, messages, files and events."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from bot.local.api_errors import JsonObject
from bot.local.permissions import Permission

DEFAULT_AUTO_ARCHIVE_MINUTES = 4320  # of a thread whose request names none


class ChannelType(IntEnum):
    """The kinds of channel that exist here."""

    TEXT = 0
    DM = 1
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


class MessageType(IntEnum):
    """The kinds of message that exist here."""

    ORDINARY = 0
    REPLY = 19
    COMMAND_RESPONSE = 20


class MessageFlag(IntEnum):
    """Message flags."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(eq=False, slots=True)
class User:
    """A person or the bot. `is_member` is false for somebody who has left the server."""

    id: int
    name: str
    colour: str = "#5865f2"
    bot: bool = False
    is_member: bool = True
    roles: list[int] = field(default_factory=list)
    dms_closed: bool = False


@dataclass(eq=False, slots=True)
class Attachment:
    """A file of a message; width and height in pixels where it is a PNG; ``size`` in bytes.

    ``data`` is None once the stand-in has dropped it to save memory (``World.keep_files``).
    """

    id: int
    filename: str
    content_type: str
    size: int
    data: bytes | None = field(repr=False)
    description: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass(eq=False, slots=True)
class Message:
    """A message; `only_for` is the one person who sees an ephemeral one. Times are Unix seconds."""

    id: int
    channel: Channel
    author: User
    created_at: float
    content: str = ""
    embeds: list[JsonObject] = field(default_factory=list)
    components: list[JsonObject] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    edited_at: float | None = None
    only_for: User | None = None
    nonce: str | int | None = None
    mentions: tuple[int, ...] = ()
    mention_everyone: bool = False
    interaction_metadata: JsonObject | None = None
    command_name: str | None = None  # of the slash command that it responds to, without the slash
    reply_to: Message | None = None
    thread: Channel | None = None
    pinned: bool = False

    @property
    def ephemeral(self) -> bool:
        """Return whether only one person sees it."""
        return self.only_for is not None


@dataclass(eq=False, slots=True)
class Channel:
    """A text channel, a thread of one, or a DM of the bot with `recipient`."""

    id: int
    type: ChannelType
    name: str
    created_at: float
    parent: Channel | None = None
    owner: User | None = None
    recipient: User | None = None
    archived: bool = False
    locked: bool = False
    archive_changed_at: float = 0.0
    auto_archive_minutes: int = DEFAULT_AUTO_ARCHIVE_MINUTES
    members: dict[int, float] = field(default_factory=dict)  # of a thread: user id -> when they joined
    denied_permissions: dict[int, Permission] = field(default_factory=dict)  # by user id
    messages: dict[int, Message] = field(default_factory=dict, repr=False)

    @property
    def is_thread(self) -> bool:
        """Return whether it is a thread."""
        return self.parent is not None

    @property
    def send_permission(self) -> Permission:
        """Return the permission that it takes to write here."""
        return Permission.SEND_MESSAGES_IN_THREADS if self.is_thread else Permission.SEND_MESSAGES


@dataclass(frozen=True, slots=True)
class WorldEvent:
    """A change of the world; `name` is that of Discord's gateway event, or COMMANDS or PEOPLE."""

    name: str
    channel: Channel | None = None
    message: Message | None = None
    user: User | None = None
    role_id: int | None = None
