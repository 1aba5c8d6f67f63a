"""The bot learns from the stand-in who has left a server, with an unmodified discord.py client."""

from __future__ import annotations

from msgspec.structs import replace

from bot.chat.membership import find_seats_of_former_members
from bot.local.faults import InjectedFault
from bot.local.server import LocalDiscord
from rules.catalogue import GAMES
from rules.match import Match
from tests.bot.chat.sample_tables import make_table
from tests.bot.local.conftest import SampleClient
from tests.conformance.setups import covering_setups


async def test_the_bot_learns_who_has_left_the_server(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """Who left and who deleted their account have; nobody has where Discord refuses to say."""
    setup = covering_setups(GAMES["currents"])[0]
    table = make_table(setup, Match.begin(setup.game, setup.seat_count, setup.options, bytes(32)))
    table = table.with_row(guild=client.guilds[0].id)
    user_ids = [client_server.user(name).id for name in ("Ava", "Ben")]
    seats = [replace(row, user=user_id) for row, user_id in zip(table.seats, user_ids, strict=False)]
    table = table.with_row(seats=tuple(seats))
    assert await find_seats_of_former_members(client, table) == frozenset()
    client_server.member("Ben").leave()
    assert await find_seats_of_former_members(client, table) == {1}
    with_deleted_account = table.with_row(seats=(replace(seats[0], user=1), *seats[1:]))
    assert await find_seats_of_former_members(client, with_deleted_account) == {0, 1}
    refusal = InjectedFault(
        "GET", "/guilds/{guild_id}/members/{user_id}", max_hit_count=2, status=403, code=50001
    )
    client_server.faults.add(refusal)
    assert await find_seats_of_former_members(client, with_deleted_account) == frozenset()
