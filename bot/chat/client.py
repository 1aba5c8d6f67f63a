"""The Discord client: intents, commands, buttons, and the host behind them."""

import asyncio
import hashlib
import json
import logging
from collections.abc import Mapping
from typing import Any, Final, cast

import discord
from discord import app_commands

from bot.chat.action_commands import add_action_commands
from bot.chat.answer import SEND_ERRORS, Answering, answer
from bot.chat.buttons import TableItem
from bot.chat.commands import add_commands
from bot.chat.courier import DiscordCourier
from bot.chat.gateway_probe import GatewayProbe
from bot.chat.ids import parse_id
from bot.chat.rate_limit import CallLimiter, InvalidRequestCounter, rate_limit_trace
from bot.chat.router import Router
from bot.chat.table_commands import table_group
from bot.error_ids import new_error_id
from bot.host.host import Host
from bot.host.table import Refusal
from bot.store.protocol import StoreError

COMMANDS_SETTING: Final = "commands"
"""Under which the hash of the commands that Discord knows is kept."""
LAST_ANSWERS: Final = 3.0
"""Seconds that a stop waits for answers under way: Discord takes none that comes later."""
FIRST_RETRY: Final = 60.0
LONGEST_RETRY: Final = 3600.0
"""Seconds until Discord is told the commands again: doubled each time up to here."""

_log = logging.getLogger(__name__)


class TableClient(discord.Client):
    """Only the ``guilds`` intent: interactions carry everything else.  Nothing privileged."""

    def __init__(self, host: Host) -> None:
        """Make the client and its commands; nothing is connected yet."""
        self.gateway_probe = GatewayProbe(self)
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # no voice is wanted here
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            http_trace=rate_limit_trace(CallLimiter(), InvalidRequestCounter(), host.metrics),
        )
        self.host = host
        self.tree: app_commands.CommandTree[discord.Client] = app_commands.CommandTree(
            self, allowed_installs=app_commands.AppInstallationType(guild=True, user=False)
        )
        add_commands(self.tree, host)
        add_action_commands(self.tree, host.tables)
        self.tree.add_command(table_group(host.tables))
        self.tree.error(self._unknown_command)
        self._router = Router(host.tables)
        self._syncing: asyncio.Task[None] | None = None
        self.is_set_up = False
        """Whether the tables have been taken up: before that, ``start`` is to be cancelled, not closed."""

    async def setup_hook(self) -> None:
        """Before the gateway: buttons, commands, and what an earlier run left."""
        TableItem.handler = self._router.component
        self.add_dynamic_items(TableItem)
        # in a task: Discord may make it wait for long, and games need no commands
        self._syncing = self.loop.create_task(self._sync_commands(), name="commands")
        await self.host.start(DiscordCourier(self, self.host.tables))
        self.is_set_up = True

    async def _sync_commands(self) -> None:
        """Tell Discord the commands until it takes them; meanwhile the old ones stay in use."""
        wait = FIRST_RETRY
        while True:
            try:
                return await self._told_commands()
            except (*SEND_ERRORS, StoreError):
                _log.exception("the commands could not be renewed", extra={"seconds": wait})
            except Exception:  # noqa: BLE001 - whatever is wrong with them, the games go on
                _log.exception("the commands cannot be told")
                return None
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_RETRY)

    async def _told_commands(self) -> None:
        """Tell Discord the commands when they have changed."""
        payload = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        text = json.dumps([str(self.application_id), payload], sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()
        store = self.host.tables.store
        if await store.setting(COMMANDS_SETTING) == digest:
            return
        await self.tree.sync()
        await store.keep_setting(COMMANDS_SETTING, digest)

    async def _unknown_command(
        self, interaction: discord.Interaction, error: app_commands.AppCommandError
    ) -> None:
        """A command that Discord still shows in an older form: say so instead of staying silent."""
        error_id = new_error_id()
        _log.warning("a command could not be taken", exc_info=error, extra={"ref": error_id})
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        elif not interaction.response.is_done():
            refusal = Refusal("That command has changed meanwhile. Reload Discord, then type it again.")
            refusal.error_id = error_id

            async def work(_: Answering) -> None:
                raise refusal

            await answer(interaction, work)

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Forms, and components that are none of ours; everything else has its own way."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self._router.stray(interaction)
        elif interaction.type is discord.InteractionType.component:
            data = cast("Mapping[str, object]", interaction.data)
            if parse_id(str(data["custom_id"])) is None:
                await self._router.stray(interaction)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Anything that the gateway tells shows that it lives; noted without a task for each."""
        if event == "socket_event_type":
            self.gateway_probe.heard()
        super().dispatch(event, *args, **kwargs)

    async def on_ready(self) -> None:
        """May come many times; nothing is started here."""
        _log.info("connected")

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Back in a server: what waited for that is sent now."""
        await self._hasten(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server is back after an outage."""
        await self._hasten(guild)

    async def on_guild_channel_update(
        self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """A right may have come back."""
        await self._hasten(after.guild)

    async def on_guild_role_update(self, _before: discord.Role, after: discord.Role) -> None:
        """A right may have come back."""
        await self._hasten(after.guild)

    async def on_thread_update(self, _before: discord.Thread, after: discord.Thread) -> None:
        """A thread may have been opened again."""
        await self._hasten(after.guild)

    async def _hasten(self, guild: discord.Guild) -> None:
        """Try again at once what was put off in this server."""
        if self.host.outbox is None:
            return
        try:
            await self.host.outbox.retry_now(guild.id)
        except StoreError:
            _log.exception("the store does not answer")

    async def close(self) -> None:
        """Finish what is under way, then leave."""
        if self._syncing is not None:
            self._syncing.cancel()
        await self._answered()
        await self.host.stop()
        await self._answered()
        await super().close()

    async def _answered(self) -> None:
        """Whoever waits for an answer gets it before the line is closed."""
        if self.host.answering:
            await asyncio.wait(set(self.host.answering), timeout=LAST_ANSWERS)
