"""An admin starts the game of a lobby in place of its host."""

import msgspec
import pytest

from bot.chat.lobby_posts import AS_ADMIN
from bot.host.deciders import presence
from bot.host.tables import Tables
from bot.store.clock_rows import HOUR
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from tests.bot.host.playing import FIRST_USER, ManualClock, request_of_user
from tests.bot.host.waiting_lobbies import open_waiting_lobby
from tests.bot.store.sample_rows import execute_sql
from tests.bot.trust.authority import press_attempt


@pytest.mark.parametrize("has_seat", [True, False])
async def test_an_admin_confirms_before_a_start(
    tables: Tables, clock: ManualClock, *, has_seat: bool
) -> None:
    """An admin who starts in place of the host is asked, and the game's first message names them."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    user, name = (FIRST_USER + 1, "Ben") if has_seat else (900, "Ada")
    admin_request = request_of_user(user, name, is_admin=True)
    await press_attempt("start")(tables, await waiting_lobby.table(), admin_request)
    assert (await waiting_lobby.table()).status is Status.LOBBY
    await press_attempt("start", AS_ADMIN)(tables, await waiting_lobby.table(), admin_request)
    assert (await waiting_lobby.table()).status is Status.PLAYING
    role = "admin" if has_seat else "admin, no seat"
    (first_notice,) = [
        each.text
        for each in await tables.store.waiting_deliveries(waiting_lobby.number)
        if each.slot.kind is DeliveryKind.NOTICE and "play." in each.text
    ]
    assert f"Ava, Ben and Chloé play. {name} ({role}) started the game.\n" in first_notice


async def test_a_host_who_is_an_admin_is_not_asked(tables: Tables, clock: ManualClock) -> None:
    """The host's press starts the game at once, and nobody is named."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    host_request = request_of_user(FIRST_USER, "Ava", is_admin=True)
    await press_attempt("start")(tables, await waiting_lobby.table(), host_request)
    assert (await waiting_lobby.table()).status is Status.PLAYING
    texts = [each.text for each in await tables.store.waiting_deliveries(waiting_lobby.number)]
    assert not any("started the game" in text for text in texts)


@pytest.mark.parametrize("verb", ["start", "begin", "fill"])
async def test_an_admin_who_starts_an_old_lobby_is_named(
    tables: Tables, clock: ManualClock, verb: str
) -> None:
    """An admin without a seat is named who begins a ready check, and who starts the game after it."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=4, options="")
    clock.now += 2 * HOUR
    admin_request = msgspec.structs.replace(request_of_user(900, "Ada", is_admin=True), at=int(clock.now))
    if verb != "start":
        await waiting_lobby.start()
        await waiting_lobby.confirm(1)
    await press_attempt(verb, AS_ADMIN if verb == "start" else "")(
        tables, await waiting_lobby.table(), admin_request
    )
    is_started = (await waiting_lobby.table()).status is Status.PLAYING
    assert is_started is (verb != "start")
    act = "started the game." if is_started else "started the ready check."
    texts = [each.text for each in await tables.store.waiting_deliveries(waiting_lobby.number)]
    assert [f"Ada (admin, no seat) {act}" in text for text in texts].count(True) == 1
    assert isinstance(tables.store, SqliteStore)
    entries = await execute_sql(tables.store, "select entry from audit_log")
    assert entries == [(f"Ada (admin, no seat) {act}",)]


async def test_a_seated_admin_who_starts_counts_as_confirmed(tables: Tables, clock: ManualClock) -> None:
    """A seated admin who presses **Start** is not asked and keeps the seat, like the host."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    clock.now += 2 * HOUR
    ben_request = msgspec.structs.replace(waiting_lobby.request(1), is_admin=True)
    await press_attempt("start", AS_ADMIN)(tables, await waiting_lobby.table(), ben_request)
    assert presence.unconfirmed_users(await waiting_lobby.table()) == (FIRST_USER, FIRST_USER + 2)
    other_lobby = await open_waiting_lobby(tables, clock)
    clock.now += 2 * HOUR
    await other_lobby.start()
    await press_attempt("fill")(tables, await other_lobby.table(), ben_request)
    assert (await other_lobby.names())[:2] == ("Ava", "Ben")
