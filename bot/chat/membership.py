"""Asks Discord whether people are members of a table's server."""

import asyncio
from typing import Final

import aiohttp
import discord

from bot.error_codes import ErrorCode
from bot.host.table import Table

_MEMBERSHIP_TIMEOUT: Final = 5
"""Seconds within which Discord must say who is still a member of a server."""


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
