"""Tables of a server that the bot has lost for good are closed, and no others."""

from functools import partial
from types import SimpleNamespace
from typing import cast

import discord
import pytest
from msgspec.structs import replace

from bot.chat.delivery_context import DeliveryContext
from bot.chat.delivery_refusals import RefusalTranslator
from bot.error_codes import ErrorCode
from bot.host.courier_protocol import Attempt, TryLater, Undeliverable
from bot.host.deciders import moderation
from bot.host.tables import Tables
from bot.store.clock_rows import DAY
from bot.store.rows import Status
from tests.bot.host.fake_chat import http_error
from tests.bot.host.playing import (
    FIRST_USER,
    GAMES_AND_TOYS,
    GUILD,
    RNG,
    ManualClock,
    make_move,
    open_lobby,
    request_of_person,
)
from tests.bot.host.timed_tables import (
    ANY_GAME_KEY,
    DAY_A_TURN,
    FakeConnectivity,
    begin_timed_table,
    change_row,
    new_housekeeping,
)


async def _pass_days_with_restarts(
    tables: Tables, connectivity: FakeConnectivity, clock: ManualClock, days: int
) -> None:
    """Let days pass; the bot is restarted on each of them."""
    for _ in range(days):
        clock.now += DAY
        await new_housekeeping(tables, connectivity).do_due_work()


async def _require_closed_after(
    tables: Tables, connectivity: FakeConnectivity, clock: ManualClock, number: int, days: int
) -> None:
    """Require that a game stays as it is for so many days, and is closed on the next."""
    status = (await tables.get(number)).status
    await _pass_days_with_restarts(tables, connectivity, clock, days)
    assert (await tables.get(number)).status is status
    await _pass_days_with_restarts(tables, connectivity, clock, 1)
    assert (await tables.get(number)).status is Status.ENDED_EARLY


async def test_tables_of_a_server_that_is_gone_are_closed(tables: Tables, clock: ManualClock) -> None:
    """After 30 days they count for nobody any more; those of other servers stay, and what was played too."""
    playing_number = await begin_timed_table(tables, DAY_A_TURN)
    frozen_number = await begin_timed_table(tables, None)
    await tables.change(frozen_number, None, partial(moderation.freeze, reason="A fault."))
    lobby_number = await open_lobby(tables, GAMES_AND_TOYS[ANY_GAME_KEY])
    request_elsewhere = replace(request_of_person(0), guild=GUILD + 1)
    other_server_number = await open_lobby(tables, GAMES_AND_TOYS[ANY_GAME_KEY], request_elsewhere)
    connectivity = FakeConnectivity(GUILD, GUILD + 1)
    await new_housekeeping(tables, connectivity).do_due_work()
    connectivity.reachable_guilds = (GUILD + 1,)
    await _pass_days_with_restarts(tables, connectivity, clock, 30)
    statuses = [(await tables.get(each)).status for each in (playing_number, frozen_number, lobby_number)]
    assert statuses == [Status.PLAYING, Status.FROZEN, Status.LOBBY]
    await _pass_days_with_restarts(tables, connectivity, clock, 1)
    statuses = [(await tables.get(each)).status for each in (playing_number, frozen_number, lobby_number)]
    assert statuses == [Status.ENDED_EARLY, Status.ENDED_EARLY, Status.CLOSED]
    assert (await tables.store.quota_usage(FIRST_USER + 1, GUILD)).user_table_count == 0
    assert (await tables.store.quota_usage(FIRST_USER, GUILD)).open_lobby_count == 1, "the one elsewhere"
    assert (await tables.get(other_server_number)).status is Status.LOBBY
    assert any(
        "this game has ended without a result." in each.text
        for each in await tables.store.waiting_deliveries(playing_number)
    )
    seed = (await tables.get(playing_number)).row.seed.hex()
    assert seed in await tables.match_file_text(playing_number, None)
    connectivity.reachable_guilds = (GUILD, GUILD + 1)
    await _pass_days_with_restarts(tables, connectivity, clock, 1)
    assert (await tables.get(playing_number)).status is Status.ENDED_EARLY


async def test_a_server_with_frozen_tables_alone_is_missed_too(tables: Tables, clock: ManualClock) -> None:
    """Nothing falls due there; the tables are closed all the same."""
    number = await begin_timed_table(tables, None)
    await tables.change(number, None, partial(moderation.freeze, reason="A fault."))
    assert await tables.store.servers_of_tables_with_timers() == {}
    connectivity = FakeConnectivity()
    await _require_closed_after(tables, connectivity, clock, number, 30)


async def test_a_frozen_table_in_no_server_is_missed_by_none(tables: Tables, clock: ManualClock) -> None:
    """It stays as it is, and holds up no table of a server that is gone."""
    number, other_number = [await begin_timed_table(tables, None) for _ in range(2)]
    await change_row(tables, other_number, guild=None)
    for each in (number, other_number):
        await tables.change(each, None, partial(moderation.freeze, reason="A fault."))
    await _require_closed_after(tables, FakeConnectivity(), clock, number, 30)
    assert (await tables.get(other_number)).status is Status.FROZEN


async def test_a_bot_that_was_down_itself_closes_nothing(tables: Tables, clock: ManualClock) -> None:
    """Only the days count on which it saw that a server is gone: it may have started with a wrong token."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    connectivity = FakeConnectivity(GUILD)
    await new_housekeeping(tables, connectivity).do_due_work()
    clock.now += 90 * DAY
    connectivity.reachable_guilds = ()
    await _pass_days_with_restarts(tables, connectivity, clock, 29)
    assert (await tables.get(number)).status is Status.PLAYING
    connectivity.reachable_guilds = (GUILD,)
    await _pass_days_with_restarts(tables, connectivity, clock, 1)
    connectivity.reachable_guilds = ()
    await _require_closed_after(tables, connectivity, clock, number, 30)


async def test_days_before_a_server_was_missed_put_nothing_off(tables: Tables, clock: ManualClock) -> None:
    """A bot that was down for months and finds a server gone closes its tables 30 days later."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    await new_housekeeping(tables, FakeConnectivity(GUILD)).do_due_work()
    clock.now += 90 * DAY
    connectivity = FakeConnectivity()
    await _require_closed_after(tables, connectivity, clock, number, 30)


async def test_a_bot_that_was_down_after_an_outage_closes_nothing(tables: Tables, clock: ManualClock) -> None:
    """The bot stops in an outage and starts weeks later, before the server is back: nobody could play."""
    number, lobby_number = (
        await begin_timed_table(tables, DAY_A_TURN),
        await open_lobby(tables, GAMES_AND_TOYS[ANY_GAME_KEY]),
    )
    connectivity = FakeConnectivity(GUILD)
    await new_housekeeping(tables, connectivity).do_due_work()
    connectivity.reachable_guilds = ()
    await _pass_days_with_restarts(tables, connectivity, clock, 1)
    clock.now += 60 * DAY
    await _pass_days_with_restarts(tables, connectivity, clock, 1)
    assert (await tables.get(number)).status is Status.PLAYING
    assert (await tables.get(lobby_number)).status is Status.LOBBY
    await _require_closed_after(tables, connectivity, clock, number, 28)


async def test_somebody_who_plays_by_direct_message_keeps_a_game_open(
    tables: Tables, clock: ManualClock
) -> None:
    """Their private buttons work without the server."""
    number = await begin_timed_table(tables, DAY_A_TURN)
    connectivity = FakeConnectivity()
    await _pass_days_with_restarts(tables, connectivity, clock, 20)
    await make_move(tables, number, RNG)
    await _require_closed_after(tables, connectivity, clock, number, 29)


@pytest.mark.parametrize(
    ("status", "days", "error_type"),
    [
        (Status.ENDED_EARLY, 0, Undeliverable),
        (Status.CLOSED, 0, Undeliverable),
        (Status.PLAYING, 40, TryLater),
        (Status.OVER, 29, TryLater),
        (Status.OVER, 30, Undeliverable),
    ],
)
async def test_what_a_closed_table_has_to_say_is_given_up(
    tables: Tables, clock: ManualClock, status: Status, days: int, error_type: type[Exception]
) -> None:
    """In a server without the bot; what is still played waits for its return, and a result for 30 days."""
    number = await begin_timed_table(tables, None)
    table = (await tables.get(number)).with_row(status=status)
    client = SimpleNamespace(is_ready=lambda: True, get_guild=lambda _: None)
    translator = RefusalTranslator(cast("discord.Client", client), tables.store)
    delivery = (await tables.store.waiting_deliveries(number))[0]
    attempt, now = Attempt(tables.store, delivery, clock), clock() + days * DAY
    context = DeliveryContext(delivery, table, attempt, posted_messages={}, now=now)
    error = await translator.translate_and_warn(http_error(ErrorCode.MISSING_ACCESS, 403), context)
    assert isinstance(error, error_type)
