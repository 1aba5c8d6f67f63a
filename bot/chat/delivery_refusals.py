"""What a refusal of Discord means for a delivery: retry, give up, or warn the table's host."""

import logging
import math
from typing import Final

import aiohttp
import discord

from bot.chat.delivery_context import DeliveryContext
from bot.chat.posting_permissions import missing_permission_in
from bot.error_codes import ErrorCode
from bot.host.courier_protocol import DirectMessagesClosed, TryLater, Undeliverable
from bot.host.deciders.decision import BOARD_DELIVERY, LOBBY_DELIVERY
from bot.host.posting_rights import missing_permission_text
from bot.host.table import Table
from bot.store.delivery_rows import BLOCKED, DIRECT_MESSAGE_KINDS, Delivery, DeliveryKind
from bot.store.protocol import Store, host_warning_key, parse_metadata_number
from bot.store.rows import LIVE_STATUSES, Status

_TRANSIENT_STATUSES: Final = (401, 429)
"""Statuses of refusals that do not depend on the request itself."""
_BLOCKED_RETRY_DELAY: Final = 300.0
"""Seconds before posting is tried again where a permission is missing, or the bot was removed."""
_CLOSED_DM_ERRORS: Final = (ErrorCode.CANNOT_MESSAGE_USER, ErrorCode.NO_MUTUAL_GUILD)
"""With these Discord refuses direct messages to a user who does not take them from the bot."""
_BLOCKED_REMEDY: Final = "An admin can grant it, or you type `/table move` in another channel."
_BLOCKING_ERRORS: Final = (
    ErrorCode.MISSING_ACCESS,
    ErrorCode.MISSING_PERMISSIONS,
    ErrorCode.THREAD_LOCKED,
    ErrorCode.TOO_MANY_THREADS,
    ErrorCode.THREAD_ARCHIVED,
)
"""Errors of a channel or thread in which the bot may not post, or open another thread, for now."""

_VIEW_CHANNELS: Final = "View Channels"
"""The permission without which the bot can neither post nor edit or delete in a channel."""

_log = logging.getLogger(__name__)


def is_refused_by_discord(error: discord.HTTPException) -> bool:
    """Whether Discord itself has refused a request, so that nothing was done."""
    return error.status < 500 and (bool(error.code) or error.status in _TRANSIENT_STATUSES)


def is_lasting_refusal(error: discord.HTTPException) -> bool:
    """Whether Discord itself has refused a request, and not only for now."""
    return is_refused_by_discord(error) and error.status not in _TRANSIENT_STATUSES


def means_direct_messages_closed(error: discord.HTTPException) -> bool:
    """Whether Discord's refusal of a direct message means that this user cannot be written to."""
    return error.code in _CLOSED_DM_ERRORS or (isinstance(error, discord.Forbidden) and bool(error.code))


def _may_give_up_after_removal(table: Table, now: float) -> bool:
    """Whether deliveries of a table whose server has removed the bot may be given up: nobody waits for them.

    A result is tried for as long as a game may be idle.
    """
    is_old_result = table.status is Status.OVER and table.row.idle_due <= now
    return is_old_result or _ended_without_result(table)


def _removal_error(table: Table, now: float) -> Exception:
    """Return the error of a delivery to a server that has removed the bot; it is retried on its return."""
    if _may_give_up_after_removal(table, now):
        return Undeliverable("the bot is not in the server")
    return TryLater(_BLOCKED_RETRY_DELAY, BLOCKED)


def _ended_without_result(table: Table) -> bool:
    """Whether a lobby was closed or a game ended early: there is no result to send."""
    return table.status in {Status.ENDED_EARLY, Status.CLOSED}


def _channel_of(delivery: Delivery, table: Table) -> int:
    """Return the channel of a delivery: a started game's lobby stays where it was."""
    is_old_lobby = delivery.kind is DeliveryKind.LOBBY and table.status is not Status.LOBBY
    return table.row.lobby_channel if is_old_lobby else table.row.game_channel


def _last_posted_at(context: DeliveryContext) -> float:
    """Return when the newest board or lobby was posted where a delivery goes; 0 if neither was.

    A board needs every permission to post; a notice that arrives may need fewer.
    """
    channel = _channel_of(context.delivery, context.table)
    messages = [context.posted_messages.get(each.slot) for each in (BOARD_DELIVERY, LOBBY_DELIVERY)]
    times = [each.posted_at for each in messages if each is not None and each.channel == channel]
    return max(times, default=0)


class RefusalTranslator:
    """Translates refusals of Discord into the courier's errors, and warns hosts of what they can repair."""

    def __init__(self, client: discord.Client, store: Store) -> None:
        """``client`` must be ready to send.  ``store``: where it stands which warnings have arrived."""
        self._client = client
        self._store = store
        self._warned_at: dict[tuple[int, int, int, bool], float] = {}
        """By table, channel, host and whether the channel is gone: when the last warning was attempted."""

    async def find_obstacle(self, context: DeliveryContext) -> Exception | None:
        """Return the error of a delivery to a server without the bot, or to a channel hidden from it.

        There Discord also refuses the edits that settle messages, and these would count as made.
        """
        delivery, table = context.delivery, context.table
        if delivery.kind in DIRECT_MESSAGE_KINDS:
            return None
        if self._was_removed_from(table.row.guild):
            return _removal_error(table, context.now)
        channel = _channel_of(delivery, table)
        if missing_permission_in(self._client, channel) != _VIEW_CHANNELS:
            return None
        text = missing_permission_text(channel, _VIEW_CHANNELS, _BLOCKED_REMEDY)
        return await self._blocked_error(context, text)

    async def translate_and_warn(self, error: discord.HTTPException, context: DeliveryContext) -> Exception:
        """Return the error of ``bot.host.courier_protocol`` for a refusal; warn a host who can help."""
        delivery, table = context.delivery, context.table
        if self._was_removed_from(table.row.guild):  # no message can be sent there
            return _removal_error(table, context.now)
        if not error.code:
            return TryLater()  # Discord's own refusals have one: this came from something in between
        if error.code == ErrorCode.NO_MUTUAL_GUILD and await self._is_shut_out_of(table.row.guild):
            return TryLater(_BLOCKED_RETRY_DELAY, BLOCKED)  # the gateway has not reported it yet
        is_direct = delivery.kind in DIRECT_MESSAGE_KINDS  # then no channel of the table refuses it
        if is_direct and means_direct_messages_closed(error):
            return DirectMessagesClosed(has_left=error.code == ErrorCode.NO_MUTUAL_GUILD)
        if error.code == ErrorCode.UNKNOWN_CHANNEL:
            if table.status in LIVE_STATUSES and not is_direct:
                problem = "its channel is gone. To go on elsewhere, type `/table move` there."
                await self._warn_host_once(context, problem, is_gone=True)
            return Undeliverable("the channel is gone")
        if error.code in _BLOCKING_ERRORS or isinstance(error, discord.Forbidden):
            return await self._blocked_error(context, self._blocked_text(_channel_of(delivery, table), error))
        if error.status >= 500 or error.status in _TRANSIENT_STATUSES:
            return TryLater()
        _log.warning(
            "delivery refused by Discord",
            exc_info=error,
            extra={"table": table.number, "kind": delivery.kind.value},
        )
        return Undeliverable(f"Discord refused it: {error.code}")

    async def _blocked_error(self, context: DeliveryContext, problem: str) -> Exception:
        """Return the error where the bot may not post for now; warn the host, who can help."""
        table = context.table
        if table.status not in LIVE_STATUSES and table.row.idle_due <= context.now:
            return Undeliverable("the bot may not post there")
        is_old_lobby = context.delivery.kind is DeliveryKind.LOBBY and table.status is Status.OVER
        if not is_old_lobby and not _ended_without_result(table):  # else nobody waits for it
            await self._warn_host_once(context, problem)
        return TryLater(_BLOCKED_RETRY_DELAY, BLOCKED)

    def _blocked_text(self, channel: int, error: discord.HTTPException) -> str:
        """Return why nothing can be posted in a channel, and what to do."""
        permission = missing_permission_in(self._client, channel)
        if not permission and error.code == ErrorCode.MISSING_ACCESS:
            permission = _VIEW_CHANNELS  # then the channel may be unknown
        if permission:
            return missing_permission_text(channel, permission, _BLOCKED_REMEDY)
        reason = error.text or "missing permissions"
        return f"I may not post in <#{channel}> ({reason}). {_BLOCKED_REMEDY}"

    def _was_removed_from(self, guild: int | None) -> bool:
        """Whether the bot has been removed from a server; False before the client is ready."""
        return guild is not None and self._client.is_ready() and self._client.get_guild(guild) is None

    async def _is_shut_out_of(self, guild: int | None) -> bool:
        """Whether Discord refuses a server to the bot now; also True while it does not answer."""
        if guild is None:
            return False
        try:
            await self._client.fetch_guild(guild, with_counts=False)
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            return True
        return False

    async def _warn_host_once(self, context: DeliveryContext, problem: str, *, is_gone: bool = False) -> None:
        """Send the table's host a direct message that names a problem of a channel, once for each channel.

        It is due again after a board could be posted in between.  ``is_gone``: whether the channel is gone;
        otherwise a permission is missing there.
        """
        table, last_posted_at = context.table, _last_posted_at(context)
        warning = table.number, table.row.game_channel, table.row.host, is_gone
        if self._warned_at.get(warning, -1) >= last_posted_at:
            return
        now = max(context.now, last_posted_at)  # the clock may have been set back since that board
        self._warned_at[warning] = now
        host_mark = table.holder_hash(table.row.host)[:2].hex()  # tells hosts apart and names nobody
        key, known_problem = host_warning_key(table.number), f"{table.row.game_channel} {is_gone} {host_mark}"
        stored_problem, _, warned_at = (await self._store.get_metadata(key) or "").rpartition(" ")
        if stored_problem == known_problem and parse_metadata_number(warned_at) >= last_posted_at:
            return  # an earlier process has sent it
        try:
            host = await self._client.fetch_user(table.row.host)
            await host.send(f"Table No. {table.number} is kept, but {problem}")
        except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError):
            _log.warning("table host unreachable", extra={"table": table.number})
            return
        await self._store.set_metadata(key, f"{known_problem} {math.ceil(now)}")
