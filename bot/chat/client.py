"""The Discord client: intents, commands, buttons, and the host behind them."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, cast

import discord

from bot.chat.action_commands import action_command_group
from bot.chat.command_tree import TableCommandTree
from bot.chat.commands import player_commands
from bot.chat.components import parse_custom_id
from bot.chat.courier import DiscordCourier
from bot.chat.data_commands import DATA_COMMANDS
from bot.chat.doctor_command import doctor_command
from bot.chat.gateway_probe import GatewayProbe
from bot.chat.interaction import Interaction
from bot.chat.membership import MembershipChecker
from bot.chat.rate_limit import CallLimiter, InvalidRequestCounter, rate_limit_trace
from bot.chat.response import SEND_ERRORS
from bot.chat.router import Router, parse_submitted_fields
from bot.chat.server_commands import SERVER_COMMAND_GROUP
from bot.chat.server_status import StatusMessageUpdater
from bot.chat.shown_contents import PagePictures
from bot.chat.statistics_commands import statistics_commands
from bot.chat.status_commands import STATUS_COMMAND_GROUP
from bot.chat.table_commands import TABLE_COMMAND_GROUP
from bot.chat.typed_pages import TypedPages
from bot.host.host import Host
from bot.store.disk_space import DiskSpace
from bot.store.protocol import StoreError

COMMANDS_HASH_KEY: Final = "commands"
"""The key under which the store keeps the hash of the commands last sent to Discord."""
FINISH_RESPONSES_TIMEOUT: Final = 3.0
"""Seconds for which ``close`` waits, before and after the host stops, for responses under way."""
FIRST_SYNC_RETRY_DELAY: Final = 60.0
"""Seconds until the commands are sent to Discord again; doubled after each failure."""
MAX_SYNC_RETRY_DELAY: Final = 3600.0
"""Seconds up to which that delay is doubled."""

_log = logging.getLogger(__name__)


class TableClient(discord.Client):
    """The bot's client, with the unprivileged ``guilds`` intent alone: interactions carry everything else."""

    def __init__(self, host: Host) -> None:
        """Make the client and its commands; nothing is connected yet."""
        self.gateway_probe = GatewayProbe(self)
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # no voice is wanted here
        self._limiter = CallLimiter()
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            http_trace=rate_limit_trace(self._limiter, InvalidRequestCounter(), host.metrics),
        )
        self.host = host
        self.read_disk_space: Callable[[], DiskSpace] | None = None
        """Returns the space on the fullest disk that is used; raises OSError.  None: there is no disk."""
        self.router = Router(host.tables)
        self._membership_checker = MembershipChecker(self, host.tables.clock)
        self.page_pictures = PagePictures()
        """Which pictures each private page shows, so that an edit sends only those that changed."""
        self.typed_pages = TypedPages()
        self.tree = TableCommandTree(self)
        games = host.tables.games
        for command in player_commands(games):
            self.tree.add_command(command)
        for game in games.values():
            self.tree.add_command(action_command_group(game))
        self.tree.add_command(TABLE_COMMAND_GROUP)
        self.tree.add_command(SERVER_COMMAND_GROUP)
        self.tree.add_command(STATUS_COMMAND_GROUP)
        for command in (doctor_command, *statistics_commands(games), *DATA_COMMANDS):
            self.tree.add_command(command)
        self._is_connected = False
        self._sync_task: asyncio.Task[None] | None = None
        self.is_set_up = False
        """Whether the tables have been loaded: before that, ``start`` is to be cancelled, not closed."""

        self.status_updater = StatusMessageUpdater(self, host.tables, self._limiter.reserve)

    async def setup_hook(self) -> None:
        """Send the commands and start the host, before the gateway is connected."""
        # in a task: Discord may make it wait for long, and running games need no commands
        self._sync_task = self.loop.create_task(self._sync_commands(), name="commands")
        courier = DiscordCourier(self, self.host.tables, self._membership_checker)
        await self.host.start(courier, self, self._limiter.reserve)
        self.status_updater.start()
        self.is_set_up = True

    async def _sync_commands(self) -> None:
        """Send the commands until Discord accepts them; until then the old ones stay in use."""
        delay = FIRST_SYNC_RETRY_DELAY
        while True:
            try:
                return await self._sync_changed_commands()
            except (*SEND_ERRORS, StoreError):
                _log.exception("command sync failed", extra={"seconds": delay})
            except Exception:  # noqa: BLE001 - the games go on without them
                _log.exception("command sync given up")
                return None
            await asyncio.sleep(delay)
            delay = min(2 * delay, MAX_SYNC_RETRY_DELAY)

    async def _sync_changed_commands(self) -> None:
        """Send the commands to Discord if they have changed since the last time."""
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        text = json.dumps([str(self.application_id), payload], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()
        store = self.host.tables.store
        if await store.get_metadata(COMMANDS_HASH_KEY) == digest:
            return
        await self.tree.sync()
        await store.set_metadata(COMMANDS_HASH_KEY, digest)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Note who is here, and route buttons, selects and forms by their ids; discord.py routes commands.

        For a button discord.py would build its whole message again.
        """
        if interaction.guild_id is not None:
            self._membership_checker.note_seen(interaction.guild_id, interaction.user.id)
        is_form = interaction.type is discord.InteractionType.modal_submit
        if not (is_form or interaction.type is discord.InteractionType.component):
            return
        data = cast("Mapping[str, Any]", interaction.data)
        custom_id = parse_custom_id(str(data.get("custom_id", "")))
        if custom_id is None:
            await self.router.refuse_unknown(interaction)
        elif is_form:
            await self.router.route_form(interaction, custom_id, parse_submitted_fields(data))
        else:
            await self.router.route_press(
                interaction, custom_id, [str(each) for each in data.get("values", ())]
            )

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Record every event of the gateway as a sign of life, without a task for each."""
        if event == "socket_event_type":
            self.gateway_probe.record_event()
        if not self.is_closed():  # discord.py's delayed "ready" may come after its loop is gone
            super().dispatch(event, *args, **kwargs)

    async def on_ready(self) -> None:
        """The gateway is connected; this event may come many times."""
        self._is_connected = True
        self.host.note_connected()
        _log.info("connected")
        # discord.py may have dropped that the bot joined a server a moment ago
        for guild in self.guilds:
            await self._retry_deliveries(guild)

    async def on_resumed(self) -> None:
        """The gateway is connected again."""
        self._is_connected = True
        self.host.note_connected()

    async def on_disconnect(self) -> None:
        """The gateway's connection is lost; discord.py connects again by itself."""
        self._is_connected = False

    def is_connected(self) -> bool:
        """Whether the gateway is connected, so that players can be reached."""
        return self._is_connected

    def reachable_servers(self) -> Collection[int]:
        """Return the servers that have the bot and are available."""
        return {guild.id for guild in self.guilds if not guild.unavailable}

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot is in a server, perhaps again: send what waited for that."""
        await self._retry_deliveries(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is back after an outage."""
        await self._retry_deliveries(guild)

    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """A permission may have come back."""
        await self._retry_deliveries(after.guild)

    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """A permission may have come back."""
        await self._retry_deliveries(after.guild)

    async def on_member_update(self, _before: discord.Member, after: discord.Member) -> None:
        """The bot may have got a role: Discord reports its own member without any intent."""
        if self.user is not None and after.id == self.user.id:
            await self._retry_deliveries(after.guild)

    async def on_raw_thread_update(self, update: discord.RawThreadUpdateEvent) -> None:
        """A thread may have been opened again; discord.py's cache holds no archived threads."""
        guild = self.get_guild(update.guild_id)
        if guild is not None:
            await self._retry_deliveries(guild)

    async def _retry_deliveries(self, guild: discord.Guild) -> None:
        """Retry what could not be sent in a server."""
        self.status_updater.retry(guild.id)
        if self.host.outbox is None:
            return
        try:
            await self.host.outbox.retry_in_server(guild.id)
        except StoreError:
            _log.exception("outbox retry failed")

    async def close(self) -> None:
        """Stop the host and finish the responses under way, then disconnect."""
        if self._sync_task is not None:
            self._sync_task.cancel()
        await self._finish_responses()
        await self.status_updater.stop()
        await self.host.stop()
        await self._finish_responses()
        await super().close()

    async def _finish_responses(self) -> None:
        """Wait for the responses under way, which a closed client cannot send."""
        if self.host.responses_under_way:
            await asyncio.wait(set(self.host.responses_under_way), timeout=FINISH_RESPONSES_TIMEOUT)
