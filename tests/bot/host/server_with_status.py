"""A server with a status message, over a chat in memory."""

from typing import Any, cast

import discord

from bot.chat.server_status import UPDATE_INTERVAL, StatusMessageUpdater
from bot.chat.status_messages import StatusOutcome
from bot.error_codes import ErrorCode
from bot.host.tables import Tables
from tests.bot.chat.guilds import make_guild
from tests.bot.host.fake_chat import FakeChannel, FakeChat, FakeMessage, http_error
from tests.bot.host.playing import CHANNEL, GAMES_AND_TOYS, GUILD, ManualClock, open_lobby, request_of_person

STATUS_CHANNEL = 60
CURRENTS = GAMES_AND_TOYS["currents"]


def sees_every_channel(_: int, _audience: int | None = None) -> bool:
    """Return that every channel is visible."""
    return True


class PinnableMessage(FakeMessage):
    """A message that can be pinned."""

    is_pinned = False

    async def pin(self) -> None:
        """Pin it, or raise what the test says."""
        self._chat.raise_fault("pin", self)
        self.is_pinned = True

    async def edit(self, **keywords: Any) -> FakeMessage:
        """Edit it, if it is there."""
        if self.id not in self._chat.messages:
            raise http_error(ErrorCode.UNKNOWN_MESSAGE)
        return await super().edit(**keywords)


class StatusChat(FakeChat):
    """A client whose messages can be pinned."""

    message_lookup_count = 0
    """How often a message was looked up, to edit or delete it."""

    def __init__(self) -> None:
        """Every channel is open to everybody."""
        super().__init__()
        self.guild: discord.Guild | None = make_guild(
            {STATUS_CHANNEL: {}, STATUS_CHANNEL + 1: {}, CHANNEL: {}}, guild_id=GUILD
        )

    def get_guild(self, guild: int) -> discord.Guild | None:
        """Return the server."""
        assert guild == GUILD
        return self.guild

    def get_partial_messageable(self, channel: int, guild_id: int | None = None) -> FakeChannel:
        """Return a channel."""
        chat = self

        class Channel(FakeChannel):
            def get_partial_message(self, message_id: int) -> FakeMessage:
                chat.message_lookup_count += 1
                return chat.messages.get(message_id) or PinnableMessage(chat, channel, message_id)

            async def send(self, content: str, **keywords: Any) -> FakeMessage:
                assert keywords["allowed_mentions"].to_dict() == {"parse": []}, "it mentions nobody"
                keywords["allowed_mentions"] = discord.AllowedMentions(users=[])
                try:
                    return await super().send(content, **keywords)
                finally:
                    for message in chat.messages.values():
                        message.__class__ = PinnableMessage

        return Channel(self, channel)


class ServerWithStatus:
    """A server with a status message, over a chat in memory."""

    def __init__(self, tables: Tables, clock: ManualClock, chat: StatusChat) -> None:
        """Begin without a status message."""
        self.tables, self.clock, self.chat = tables, clock, chat
        self.updater = StatusMessageUpdater(cast("discord.Client", chat), tables)

    async def place_status(self, nonce: int = 1) -> StatusOutcome:
        """Type ``/status here``."""
        return await self.updater.place(GUILD, STATUS_CHANNEL, nonce)

    def message(self) -> PinnableMessage:
        """Return the only message: the status."""
        (found,) = self.chat.messages.values()
        assert isinstance(found, PinnableMessage)
        return found

    async def open_lobby(self, person: int = 0) -> int:
        """Open a lobby for a person, and return its number."""
        return await open_lobby(self.tables, CURRENTS, request_of_person(person))

    async def pass_time(self, seconds: float = UPDATE_INTERVAL) -> None:
        """Let time pass, and do what is due then."""
        self.clock.now += seconds
        await self.updater.update_due_messages()
