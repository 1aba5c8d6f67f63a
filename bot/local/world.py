"""The stand-in's state in memory: one guild, its channels and threads, its members, their messages.

`World` announces every change, except of pins, to its listeners, as a `WorldEvent`.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterable

from bot.local.api_errors import JsonObject
from bot.local.model import (
    DEFAULT_AUTO_ARCHIVE_MINUTES,
    Attachment,
    Channel,
    ChannelType,
    Message,
    MessageFlag,
    User,
    WorldEvent,
)
from bot.local.permissions import (
    ALL_PERMISSIONS,
    BOT_PERMISSIONS,
    EVERYONE_PERMISSIONS,
    NO_PERMISSIONS,
    Permission,
)

DISCORD_EPOCH_MS = 1_420_070_400_000  # the first second of 2015 [Discord: Snowflakes]
# The default server has fixed ids, so that a bot that starts again finds the channels of its tables.
GUILD_CREATED_MS = 1_767_225_600_000  # the first second of 2026
_SNOWFLAKE_TIME_SHIFT = 22  # the bits of a snowflake below its milliseconds
MAX_FILES = 2_000  # about 150 MB of boards
MAX_REPLACED_FILES = 50  # about 4 MB


class World:
    """The whole state of the stand-in. `clock` returns Unix seconds."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.cdn_url = ""  # base URL of attachments; the server sets it
        self.commands: list[JsonObject] = []
        self._listeners: list[Callable[[WorldEvent], None]] = []
        self._files: OrderedDict[int, Attachment] = OrderedDict()  # by id; what was posted longest ago first
        self._replaced_files: deque[tuple[int, Attachment]] = deque(maxlen=MAX_REPLACED_FILES)
        self._last_id = 0
        self._fixed_id_count = 0
        self.guild_id = self._new_fixed_id()
        self.guild_name = "The Harbour"
        self.bot = User(self._new_fixed_id(), "Captain's Table", "#1f4e79", bot=True)
        self.application_id = self.bot.id
        self.bot_role_id = self._new_fixed_id()
        self.roles: dict[int, str] = {}
        """The names of the server's other roles, by id; these grant nothing."""
        self.channels: dict[int, Channel] = {}
        self.users: dict[int, User] = {self.bot.id: self.bot}
        for name in ("lobby", "tables", "games"):
            self._add_channel(Channel(self._new_fixed_id(), ChannelType.TEXT, name, GUILD_CREATED_MS / 1000))
        for name, colour in _PEOPLE:
            user = User(self._new_fixed_id(), name, colour)
            self.users[user.id] = user
        self.owner = self.people()[0]

    # Snowflakes

    def _new_fixed_id(self) -> int:
        self._fixed_id_count += 1
        milliseconds = GUILD_CREATED_MS + self._fixed_id_count - DISCORD_EPOCH_MS
        return (milliseconds << _SNOWFLAKE_TIME_SHIFT) | self._fixed_id_count

    def new_snowflake(self) -> int:
        """Return a new unique id with the clock's milliseconds in its upper bits."""
        earliest_id = (int(self.clock() * 1000) - DISCORD_EPOCH_MS) << _SNOWFLAKE_TIME_SHIFT
        self._last_id = max(earliest_id, self._last_id + 1)
        return self._last_id

    # Listening

    def listen(self, listener: Callable[[WorldEvent], None]) -> Callable[[], None]:
        """Call `listener` with every event; return a function that ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def announce(self, event: WorldEvent) -> None:
        """Call all listeners."""
        for listener in tuple(self._listeners):
            listener(event)

    # People

    def people(self) -> list[User]:
        """Return everybody but the bot, in order, also those who have left the server."""
        return [user for user in self.users.values() if not user.bot]

    def find_user(self, name: str) -> User:
        """Return the user of this name.  Raises KeyError if there is none."""
        for user in self.users.values():
            if user.name == name:
                return user
        raise KeyError(name)

    def set_membership(self, user: User, *, is_member: bool) -> None:
        """Remove a person from the server or add them again."""
        user.is_member = is_member
        self.announce(WorldEvent("GUILD_MEMBER_ADD" if is_member else "GUILD_MEMBER_REMOVE", user=user))
        self.announce(WorldEvent("PEOPLE", user=user))

    def set_dms_closed(self, user: User, *, closed: bool) -> None:
        """Close or open a person's DMs."""
        user.dms_closed = closed
        self.announce(WorldEvent("PEOPLE", user=user))

    def set_bot_in_guild(self, *, present: bool) -> None:
        """Remove the bot from the server or invite it again."""
        self.bot.is_member = present
        self.announce(WorldEvent("GUILD_CREATE" if present else "GUILD_DELETE"))
        self.announce(WorldEvent("PEOPLE", user=self.bot))

    @property
    def is_bot_in_guild(self) -> bool:
        """Return whether the bot is in the server."""
        return self.bot.is_member

    def add_role(self, name: str) -> int:
        """Make a role; return its id."""
        role_id = self.new_snowflake()
        self.roles[role_id] = name
        self.announce(WorldEvent("GUILD_ROLE_CREATE", role_id=role_id))
        return role_id

    # Permissions

    def permissions(self, user: User, channel: Channel) -> Permission:
        """Return the permissions of `user` in `channel`."""
        if channel.type is ChannelType.DM:
            return EVERYONE_PERMISSIONS if user is self.bot or user is channel.recipient else NO_PERMISSIONS
        if not user.is_member:
            return NO_PERMISSIONS
        if user is self.owner:
            return ALL_PERMISSIONS
        base = BOT_PERMISSIONS if user is self.bot else EVERYONE_PERMISSIONS
        return base & ~(channel.parent or channel).denied_permissions.get(user.id, NO_PERMISSIONS)

    def can_see(self, user: User, channel: Channel) -> bool:
        """Return whether `user` sees `channel` at all."""
        if channel.type is ChannelType.PRIVATE_THREAD and user.id not in channel.members:
            return bool(self.permissions(user, channel) & Permission.MANAGE_THREADS)
        return bool(self.permissions(user, channel) & Permission.VIEW_CHANNEL)

    def can_see_message(self, user: User, message: Message) -> bool:
        """Return whether `user` sees `message`."""
        return message.only_for in (None, user) and self.can_see(user, message.channel)

    def set_denied_permissions(self, user: User, channel: Channel, permissions: Permission) -> None:
        """Deny `user` exactly these permissions in `channel`; NO_PERMISSIONS ends the denial."""
        if permissions:
            channel.denied_permissions[user.id] = permissions
        else:
            channel.denied_permissions.pop(user.id, None)
        self.announce(WorldEvent("CHANNEL_UPDATE", channel=channel))

    # Channels and threads

    def _add_channel(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        return channel

    def text_channels(self) -> list[Channel]:
        """Return the guild's text channels in their order."""
        return [channel for channel in self.channels.values() if channel.type is ChannelType.TEXT]

    def threads(self) -> list[Channel]:
        """Return all threads, archived ones too."""
        return [channel for channel in self.channels.values() if channel.is_thread]

    def find_channel(self, name: str) -> Channel:
        """Return the newest channel or thread of this name.  Raises KeyError if there is none."""
        for channel in reversed(self.channels.values()):
            if channel.name == name:
                return channel
        raise KeyError(name)

    def add_text_channel(self, name: str) -> Channel:
        """Add a text channel and return it."""
        channel = self._add_channel(Channel(self.new_snowflake(), ChannelType.TEXT, name, self.clock()))
        self.announce(WorldEvent("CHANNEL_CREATE", channel=channel))
        return channel

    def open_dm(self, user: User) -> Channel:
        """Return the bot's DM channel with `user`, opened if need be."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        channel = Channel(self.new_snowflake(), ChannelType.DM, "", self.clock(), recipient=user)
        self._add_channel(channel)
        self.announce(WorldEvent("CHANNEL_CREATE", channel=channel))
        return channel

    def start_thread(
        self,
        parent: Channel,
        owner: User,
        name: str,
        *,
        message: Message | None = None,
        is_private: bool = False,
        auto_archive_minutes: int = DEFAULT_AUTO_ARCHIVE_MINUTES,
    ) -> Channel:
        """Add a thread, from `message` (whose id it gets) or without one, and return it."""
        now = self.clock()
        thread = Channel(
            id=self.new_snowflake() if message is None else message.id,
            type=ChannelType.PRIVATE_THREAD if is_private else ChannelType.PUBLIC_THREAD,
            name=name,
            created_at=now,
            parent=parent,
            owner=owner,
            archive_changed_at=now,
            auto_archive_minutes=auto_archive_minutes,
            members={owner.id: now},
        )
        self._add_channel(thread)
        self.announce(WorldEvent("THREAD_CREATE", channel=thread))
        if message is not None:
            message.thread = thread
            message.flags |= MessageFlag.HAS_THREAD
            self.announce(WorldEvent("MESSAGE_UPDATE", channel=parent, message=message))
        return thread

    def change_thread(
        self,
        thread: Channel,
        *,
        name: str | None = None,
        archived: bool | None = None,
        locked: bool | None = None,
        auto_archive_minutes: int | None = None,
    ) -> None:
        """Change the given settings of a thread."""
        if archived is not None and archived != thread.archived:
            thread.archived = archived
            thread.archive_changed_at = self.clock()
        thread.name = thread.name if name is None else name
        thread.locked = thread.locked if locked is None else locked
        if auto_archive_minutes is not None:
            thread.auto_archive_minutes = auto_archive_minutes
        self.announce(WorldEvent("THREAD_UPDATE", channel=thread))

    def join_thread(self, thread: Channel, user: User) -> None:
        """Make `user` a member of `thread`."""
        if user.id not in thread.members:
            thread.members[user.id] = self.clock()
            self.announce(WorldEvent("THREAD_UPDATE", channel=thread))

    def leave_thread(self, thread: Channel, user: User) -> None:
        """Remove `user` from `thread`."""
        if thread.members.pop(user.id, None) is not None:
            self.announce(WorldEvent("THREAD_UPDATE", channel=thread))

    def delete_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads, or a thread."""
        threads = [thread for thread in self.threads() if thread.parent is channel]
        for deleted in (*threads, channel):
            del self.channels[deleted.id]
            for message in deleted.messages.values():
                self.stop_counting_files(message.attachments)
        for thread in threads:
            self.announce(WorldEvent("THREAD_DELETE", channel=thread))
        name = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
        self.announce(WorldEvent(name, channel=channel))

    # Messages

    def post(self, message: Message) -> None:
        """Add a message to its channel; unless it is ephemeral, it unarchives a thread."""
        channel = message.channel
        channel.messages[message.id] = message
        if channel.archived and not message.ephemeral:
            self.change_thread(channel, archived=False)
        if channel.is_thread and not message.ephemeral:
            channel.members.setdefault(message.author.id, self.clock())
        self.announce(WorldEvent("MESSAGE_CREATE", channel=channel, message=message))

    def announce_edit(self, message: Message) -> None:
        """Announce that `message` was edited."""
        self.announce(WorldEvent("MESSAGE_UPDATE", channel=message.channel, message=message))

    def delete(self, message: Message) -> None:
        """Delete a message."""
        if message.channel.messages.pop(message.id, None) is not None:
            self.stop_counting_files(message.attachments)
            self.announce(WorldEvent("MESSAGE_DELETE", channel=message.channel, message=message))

    def keep_files(self, files: Iterable[Attachment]) -> None:
        """Keep the bytes of a message's files; beyond the limit, drop those that were posted longest ago.

        An edit that leaves a file at its message counts as posting the file again.
        """
        for file in files:
            if file.data is not None:
                self._files[file.id] = file
                self._files.move_to_end(file.id)
        while len(self._files) > MAX_FILES:
            self._files.popitem(last=False)[1].data = None

    def stop_counting_files(self, files: Iterable[Attachment]) -> None:
        """Take files that no message shows any more out of the count that `MAX_FILES` limits."""
        for file in files:
            self._files.pop(file.id, None)

    def retire_files(self, channel: Channel, files: Collection[Attachment]) -> None:
        """Stop counting files that an edit has removed, but keep serving the newest ones, as Discord does.

        A page may be about to load a picture when its message is edited.
        """
        self.stop_counting_files(files)
        self._replaced_files.extend((channel.id, file) for file in files)

    def find_attachment(self, channel_id: int, attachment_id: int) -> Attachment | None:
        """Return the file of this id from the channel's messages, or from those that edits replaced lately.

        None if there is no such file, or its bytes were dropped.
        """
        for file_channel_id, file in self._replaced_files:
            if (file_channel_id, file.id) == (channel_id, attachment_id) and file.data is not None:
                return file
        channel = self.channels.get(channel_id)
        for message in reversed(channel.messages.values()) if channel else ():
            for file in message.attachments:
                if file.id == attachment_id and file.data is not None:
                    return file
        return None

    def set_commands(self, commands: list[JsonObject]) -> None:
        """Replace the bot's registered commands."""
        self.commands = commands
        self.announce(WorldEvent("COMMANDS"))


_PEOPLE = (  # name and colour
    ("Ava", "#d55e00"),
    ("Ben", "#0072b2"),
    ("Chloé", "#009e73"),
    ("Dimitri", "#cc79a7"),
    ("Elif", "#b8860b"),
    ("Farid", "#7b4fa3"),
)
