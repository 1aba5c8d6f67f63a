"""Who is still a member of a table's server: people who were seen there lately, else Discord is asked."""

import asyncio
from collections import OrderedDict
from typing import Final

import aiohttp
import discord

from bot.clock import Clock
from bot.error_codes import ErrorCode
from bot.host.table import Table

_MEMBERSHIP_TIMEOUT: Final = 5
"""Seconds within which Discord must say who is still a member of a server."""
ASSUMED_SECONDS: Final = 3600.0
"""How long somebody who was seen in a server is taken for a member: fast games would ask for each turn."""
_MAX_REMEMBERED_MEMBERS: Final = 4096


class MembershipChecker:
    """Finds out whether people have left a server; asks Discord only about those not seen there lately."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        """``client`` need be ready to send only when Discord is asked."""
        self._client = client
        self._clock = clock
        self._started_at = clock()
        """Before that nobody could be seen: everybody is taken for a member for a while."""
        self._seen_at_by_member: OrderedDict[tuple[int | None, int], float] = OrderedDict()
        """When each member was seen or Discord named them a member, by server and user; the newest last."""

    def note_seen(self, guild: int | None, user: int) -> None:
        """Note that a user is a member of a server now."""
        member = guild, user
        self._seen_at_by_member[member] = self._clock()
        self._seen_at_by_member.move_to_end(member)
        if len(self._seen_at_by_member) > _MAX_REMEMBERED_MEMBERS:
            self._seen_at_by_member.popitem(last=False)

    async def has_left(self, table: Table, user: int) -> bool:
        """Whether a user has left the table's server; False if Discord does not answer soon."""
        seen_at = self._seen_at_by_member.get((table.row.guild, user), self._started_at)
        if 0 <= self._clock() - seen_at < ASSUMED_SECONDS:
            return False
        try:
            async with asyncio.timeout(_MEMBERSHIP_TIMEOUT):
                if await is_missing_from_server(self._client, table, user):
                    return True
        except TimeoutError:
            return False
        self.note_seen(table.row.guild, user)
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
