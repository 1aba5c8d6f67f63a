"""Asks Discord whether people are members of a table's server."""

import asyncio
from collections import OrderedDict
from typing import Final

import aiohttp
import discord

from bot.error_codes import ErrorCode
from bot.host.table import Table

_MEMBERSHIP_TIMEOUT: Final = 5
"""Seconds within which Discord must say who is still a member of a server."""
_MEMBERSHIP_MEMORY: Final = 60.0
"""Seconds for which Discord is not asked again about a member: fast games would need a call for each turn."""
_MAX_REMEMBERED_MEMBERS: Final = 4096


class MembershipChecker:
    """Finds out whether people have left a server, with at most one call a minute for each member."""

    def __init__(self, client: discord.Client) -> None:
        """``client`` must be ready to send."""
        self._client = client
        self._asked_at_by_member: OrderedDict[tuple[int | None, int], float] = OrderedDict()
        """When Discord was asked about each member, by server and user; the newest last."""

    async def has_left(self, table: Table, user: int, now: float) -> bool:
        """Whether a user has left the table's server; False if Discord does not answer soon."""
        member = table.row.guild, user
        if 0 <= now - self._asked_at_by_member.get(member, -_MEMBERSHIP_MEMORY) < _MEMBERSHIP_MEMORY:
            return False
        try:
            async with asyncio.timeout(_MEMBERSHIP_TIMEOUT):
                if await is_missing_from_server(self._client, table, user):
                    return True
        except TimeoutError:
            pass
        self._asked_at_by_member[member] = now
        self._asked_at_by_member.move_to_end(member)
        if len(self._asked_at_by_member) > _MAX_REMEMBERED_MEMBERS:
            self._asked_at_by_member.popitem(last=False)
        return False


async def is_seat_of_former_member(client: discord.Client, table: Table, seat: int) -> bool:
    """Ask Discord whether the player of a seat has left the table's server; False without an answer."""
    user = table.seats[seat].user if 0 <= seat < len(table.seats) else None
    return user is not None and await is_missing_from_server(client, table, user)


async def is_missing_from_server(client: discord.Client, table: Table, user: int) -> bool:
    """Ask Discord whether a user is no member of the table's server; False without an answer."""
    guild = None if table.row.guild is None else client.get_guild(table.row.guild)
    if guild is None:
        return False
    try:
        await guild.fetch_member(user)
    except discord.NotFound as error:
        return error.code in {ErrorCode.UNKNOWN_MEMBER, ErrorCode.UNKNOWN_USER}
    except (discord.DiscordException, aiohttp.ClientError, TimeoutError, OSError):
        return False
    return False


async def find_seats_of_former_members(client: discord.Client, table: Table) -> frozenset[int]:
    """Return the seats whose players have left the server; none if Discord does not answer soon."""
    try:
        async with asyncio.timeout(_MEMBERSHIP_TIMEOUT):
            has_left_by_seat = await asyncio.gather(
                *(is_seat_of_former_member(client, table, seat) for seat in range(len(table.seats)))
            )
    except TimeoutError:
        return frozenset()
    return frozenset(seat for seat, has_left in enumerate(has_left_by_seat) if has_left)
