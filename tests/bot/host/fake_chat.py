"""A client of Discord that keeps messages in memory, as far as couriers and status messages need it."""

from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.chat.pictures import DrawnPicture
from bot.error_codes import ErrorCode
from bot.host.table import Table

FLAGGED_AS_SPAM, CHANNEL_WRITE_LIMIT = 20026, 20028
"""Error codes of Discord's that the bot has no name for."""
FIRST_DM_CHANNEL = 10_000
"""The lowest id of a channel of direct messages."""


def http_error(code: int, status: int = 404) -> discord.HTTPException:
    """Return an error response of Discord's."""
    response: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, {"code": code, "message": "refused"})


class FakeMessage:
    """A message with what the bot reads of it."""

    def __init__(self, chat: "FakeChat", channel: int, message_id: int) -> None:
        """Start without content."""
        self._chat = chat
        self.channel = SimpleNamespace(id=channel)
        self.guild: Any = None
        self.id = message_id
        self.author = chat.user
        self.nonce = 0
        self.content = ""
        self.components: list[Any] = []
        self.files: list[bytes] = []
        self.attachments: list[Any] = []
        self.raw_mentions: list[int] = []
        self.is_deleted = False

    def set_view(self, view: Any) -> None:
        """Show the components of a view; None: none."""
        rows: Any = [] if view in {None, discord.utils.MISSING} else view.to_components()
        self.components = [discord.ActionRow(row) for row in rows]

    async def edit(self, *, view: Any, **keywords: Any) -> "FakeMessage":
        """Edit the message, or raise what the test says."""
        self._chat.raise_fault("edit", self)
        if self.is_deleted:
            raise http_error(ErrorCode.UNKNOWN_MESSAGE)
        if isinstance(keywords.get("content"), str):
            self.content = keywords["content"]
        self.set_view(view)
        if isinstance(keywords.get("attachments"), list):
            self.files = [each.fp.read() for each in keywords["attachments"]]
        return self

    async def create_thread(self, **_: Any) -> Any:
        """Open the thread of the message, or raise what the test says."""
        self._chat.raise_fault("thread", self)
        return SimpleNamespace(id=self.id)

    async def delete(self) -> None:
        """Delete the message, or raise what the test says."""
        self._chat.raise_fault("delete", self)
        if self.is_deleted:
            raise http_error(ErrorCode.UNKNOWN_MESSAGE)
        del self._chat.messages[self.id]


class FakeChannel:
    """A channel of a fake chat."""

    def __init__(self, chat: "FakeChat", channel: int) -> None:
        """``channel``: its id."""
        self._chat = chat
        self._channel = channel

    def get_partial_message(self, message_id: int) -> FakeMessage:
        """Return a message by its id, also one that is deleted."""
        if message_id in self._chat.messages:
            return self._chat.messages[message_id]
        missing_message = FakeMessage(self._chat, self._channel, message_id)
        missing_message.is_deleted = True
        return missing_message

    async def send(self, content: str, *, nonce: int, allowed_mentions: Any, **keywords: Any) -> FakeMessage:
        """Post a message; return the one that this nonce has posted before."""
        message = next((each for each in self._chat.messages.values() if each.nonce == nonce), None)
        if message is None:
            message = FakeMessage(self._chat, self._channel, self._chat.new_id())
            message.content = content
            self._chat.raise_fault("post", message)
            self._chat.messages[message.id] = message
            self._chat.posted.append(message)
            message.nonce = nonce
            message.raw_mentions = [user.id for user in allowed_mentions.users]
            message.set_view(keywords["view"])
            message.files = [each.fp.read() for each in keywords["files"]]
        self._chat.raise_fault("after_post", message)
        return message

    async def history(
        self, *, limit: int, after: discord.Object | None = None, oldest_first: bool | None = None
    ) -> AsyncIterator[FakeMessage]:
        """Yield the messages of the channel; without ``after`` the newest first, as discord.py does."""
        messages = [each for each in self._chat.messages.values() if each.channel.id == self._channel]
        if after is not None and self._chat.discord_time is not None:
            messages = [each for each in messages if each.id > after.id]
        if oldest_first is None:
            oldest_first = after is not None
        for message in (messages if oldest_first else messages[::-1])[:limit]:
            yield message


class FakeChat:
    """A client of discord.py whose messages stay in memory."""

    def __init__(self) -> None:
        """Begin without messages; everything arrives."""
        self.user = SimpleNamespace(id=1)
        self.messages: dict[int, FakeMessage] = {}
        self.fault_of_call: Callable[[str, FakeMessage], Exception | None] = lambda _, __: None
        """Return the error that a call raises, if any: ``edit``, ``post``, ``thread``, ``delete``, ``pin``.

        It is called before each call takes effect, and with ``after_post`` once a message has arrived.
        """
        self.posted: list[FakeMessage] = []
        """All messages that were ever posted, also deleted ones."""
        self.messages_to_host: list[str] = []
        """The texts of direct messages that warn the host of a table."""
        self.private_channels: list[Any] = []
        self.lookup_error: Exception | None = None
        """What looking a channel up raises."""
        self.thread_to_find: discord.Thread | None = None
        """What looking a channel up finds."""
        self.guild: Any = None
        """The server as the cache knows it."""
        self.discord_time: float | None = None
        """Discord's own time, which the ids of messages tell; None: they do not, and all are found."""
        self._last_id = 1000

    def new_id(self) -> int:
        """Return the id of the next message."""
        self._last_id += 1
        if self.discord_time is None:
            return self._last_id
        return discord.utils.time_snowflake(datetime.fromtimestamp(self.discord_time, UTC)) + self._last_id

    def raise_fault(self, action: str, message: FakeMessage) -> None:
        """Raise what the test wants, if anything."""
        if (error := self.fault_of_call(action, message)) is not None:
            raise error

    def lose_one_answer(self, is_wanted: Callable[[FakeMessage], object]) -> list[FakeMessage]:
        """Lose the answer to the next wanted message that is posted; return a list that it is added to."""
        lost: list[FakeMessage] = []

        def lose(action: str, message: FakeMessage) -> Exception | None:
            if action == "after_post" and is_wanted(message) and not lost:
                lost.append(message)
                return OSError("cut")
            return None

        self.fault_of_call = lose
        return lost

    def is_ready(self) -> bool:
        """Whether the servers are known."""
        return False

    def get_guild(self, _: int) -> Any:
        """Return the server that the test has set."""
        return self.guild

    def get_channel(self, _: int) -> None:
        """Return nothing: no channel is in the cache."""

    async def fetch_channel(self, _: int) -> discord.Thread | None:
        """Return the thread that the test has set, or raise what it says."""
        if self.lookup_error is not None:
            raise self.lookup_error
        return self.thread_to_find

    def get_partial_messageable(self, channel: int, guild_id: int | None = None) -> FakeChannel:
        """Return a channel."""
        assert guild_id is None
        return FakeChannel(self, channel)

    async def create_dm(self, user: discord.Object) -> Any:
        """Return the channel of direct messages with a user."""
        return SimpleNamespace(id=FIRST_DM_CHANNEL + user.id)

    async def fetch_user(self, _: int) -> Any:
        """Return a user; what is sent to them is added to ``messages_to_host``."""

        async def send(text: str) -> None:
            self.messages_to_host.append(text)

        return SimpleNamespace(send=send)

    def public_messages(self) -> list[FakeMessage]:
        """Return the messages that are not direct ones, the oldest first."""
        return [message for message in self.messages.values() if message.channel.id < FIRST_DM_CHANNEL]


def labels(message: FakeMessage) -> list[str]:
    """Return the labels of a message's buttons."""
    return [getattr(item, "label", "") for row in message.components for item in row.children]


def stub_board_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw each board as the number of records that it shows."""

    async def draw_board_picture(table: Table) -> DrawnPicture:
        assert table.match is not None
        return DrawnPicture("board.png", str(len(table.match.history)).encode(), "")

    monkeypatch.setattr("bot.chat.delivery_contents.draw_board_picture", draw_board_picture)
    monkeypatch.setattr("bot.chat.delivery_contents.has_picture", lambda *_: False)
