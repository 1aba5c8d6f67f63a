"""What the host of a lobby, an old one or a new one, decides in its ready check, and what then follows."""

from functools import partial

import pytest
from msgspec.structs import replace

from bot.host.deciders import lobby, ready_check
from bot.host.deciders.ready_check import TIME_TO_ANSWER
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.clock_rows import DAY, HOUR
from bot.store.delivery_rows import DeliveryKind
from bot.store.lobby_rows import ReadyCheck
from bot.store.rows import Status
from tests.bot.host.playing import FIRST_USER, ManualClock
from tests.bot.host.timed_tables import change_row, notice_texts
from tests.bot.host.waiting_lobbies import WaitingLobby, open_waiting_lobby


@pytest.fixture
async def waiting_lobby(tables: Tables, clock: ManualClock) -> WaitingLobby:
    """Return an old lobby of four, of whom two can play too; Ben is its host, and has not started it."""
    waiting_lobby = await open_waiting_lobby(tables, clock, people_count=4, options="")
    await change_row(tables, waiting_lobby.number, host=FIRST_USER + 1)
    clock.now += 2 * HOUR
    return waiting_lobby


async def start_as_admin(waiting_lobby: WaitingLobby) -> None:
    """Start the ready check as an admin without a seat: nobody is here yet."""
    request = replace(waiting_lobby.request(6), is_admin=True)
    start = partial(lobby.start, request=request, is_channel_busy=False)
    await waiting_lobby.tables.change(waiting_lobby.number, request, start)
    await waiting_lobby.post_ready_check()


async def check_of(waiting_lobby: WaitingLobby) -> ReadyCheck:
    """Return the ready check of a lobby."""
    check = (await waiting_lobby.table()).row.lobby.ready_check
    assert check is not None
    return check


async def newest_delivery_id(waiting_lobby: WaitingLobby) -> int:
    """Return the id of the newest delivery that waits."""
    return max(each.id for each in await waiting_lobby.tables.store.waiting_deliveries(waiting_lobby.number))


async def kinds_after(waiting_lobby: WaitingLobby, delivery_id: int) -> set[DeliveryKind]:
    """Return what waits to be sent since a delivery."""
    deliveries = await waiting_lobby.tables.store.waiting_deliveries(waiting_lobby.number)
    return {each.kind for each in deliveries if each.id > delivery_id}


async def test_a_host_who_decides_is_here(waiting_lobby: WaitingLobby) -> None:
    """They press no **Here** besides, and stay the host."""
    await start_as_admin(waiting_lobby)
    await waiting_lobby.confirm(0)
    answer = await waiting_lobby.change_as(1, ready_check.start_without_unconfirmed, is_channel_busy=False)
    assert answer.startswith(
        "Chloé and Dimitri did not press **Here** and lost their seats. The game has started"
    )
    table = await waiting_lobby.table()
    assert (table.plain_names, table.row.host) == (("Ava", "Ben"), FIRST_USER + 1)


async def test_a_host_who_is_not_here_is_succeeded(waiting_lobby: WaitingLobby) -> None:
    """The game has a host who plays it."""
    await start_as_admin(waiting_lobby)
    for seat in (2, 3):
        await waiting_lobby.confirm(seat)
    request = replace(waiting_lobby.request(6), is_admin=True)
    decide = partial(ready_check.start_without_unconfirmed, request=request, is_channel_busy=False)
    table = (await waiting_lobby.tables.change(waiting_lobby.number, request, decide)).table
    assert (table.plain_names, table.row.host) == (("Chloé", "Dimitri"), FIRST_USER + 2)


@pytest.mark.parametrize(
    ("missing", "text"),
    [
        ((), ""),
        ((3,), "Dimitri did not answer. A computer player takes that seat."),
        ((2, 3), "Chloé and Dimitri did not answer. Computer players take those seats."),
    ],
)
async def test_filling_says_whose_seats_are_taken(
    waiting_lobby: WaitingLobby, missing: tuple[int, ...], text: str
) -> None:
    """It says nothing of seats if everybody is here."""
    await waiting_lobby.start(1)
    *others, last = (seat for seat in (0, 2, 3) if seat not in missing)
    for seat in others:
        await waiting_lobby.confirm(seat)
    await waiting_lobby.change_as(last, ready_check.confirm, is_channel_busy=True)
    await waiting_lobby.change_as(
        1, ready_check.fill_with_computers, computer="casual", is_channel_busy=False
    )
    table = await waiting_lobby.table()
    assert table.status is Status.PLAYING
    assert [row.computer for row in table.seats] == ["casual" if i in missing else None for i in range(4)]
    texts = await notice_texts(waiting_lobby.tables, waiting_lobby.number)
    assert [each for each in texts if "did not answer" in each] == ([text] if text else [])


async def test_seats_that_nobody_had_are_filled_too(tables: Tables, clock: ManualClock) -> None:
    """Computer players play for all whom the game lacks."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    await waiting_lobby.change_as(1, lobby.leave, is_channel_busy=False)
    await waiting_lobby.change_as(
        0, ready_check.fill_with_computers, computer="casual", is_channel_busy=False
    )
    table = await waiting_lobby.table()
    assert [row.computer for row in table.seats] == [None, "casual", "casual"]


async def test_a_departure_ends_nobodys_time_to_answer(waiting_lobby: WaitingLobby) -> None:
    """Neither the host's: a new one decides only once the time is over, and is then asked once."""
    await waiting_lobby.start(1)
    await waiting_lobby.confirm(0)
    check = await check_of(waiting_lobby)
    await waiting_lobby.change_as(1, lobby.leave, is_channel_busy=False)
    assert await check_of(waiting_lobby) == check
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    check = await check_of(waiting_lobby)
    assert check.awaits_host
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=False)
    assert await check_of(waiting_lobby) == check


async def test_a_host_who_leaves_when_all_are_here_is_succeeded(waiting_lobby: WaitingLobby) -> None:
    """Where the game then starts at once, a notice names the new host."""
    await waiting_lobby.start(1)
    await waiting_lobby.change_as(3, lobby.leave, is_channel_busy=False)
    await waiting_lobby.confirm(0)
    await waiting_lobby.change_as(2, lobby.leave, is_channel_busy=True)
    await waiting_lobby.change_as(4, lobby.join)
    assert (await check_of(waiting_lobby)).awaits_host
    await waiting_lobby.change_as(1, lobby.leave, is_channel_busy=False)
    table = await waiting_lobby.table()
    assert (table.status, table.row.host) == (Status.PLAYING, FIRST_USER)
    texts = await notice_texts(waiting_lobby.tables, waiting_lobby.number)
    assert "The host left. Ava is the host now." in texts


async def test_the_host_is_asked_once_while_the_game_cannot_start(
    waiting_lobby: WaitingLobby, clock: ManualClock
) -> None:
    """Neither a late **Here** nor a newcomer asks again or prolongs the host's time."""
    await waiting_lobby.start(1)
    await waiting_lobby.change_as(3, lobby.leave, is_channel_busy=False)
    await waiting_lobby.confirm(0)
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    asked_check = await check_of(waiting_lobby)
    assert asked_check.awaits_host
    assert (await waiting_lobby.table()).row.host == FIRST_USER + 1
    clock.now += HOUR
    newest_id = await newest_delivery_id(waiting_lobby)
    await waiting_lobby.change_as(2, ready_check.confirm, is_channel_busy=True)
    assert await kinds_after(waiting_lobby, newest_id) >= {DeliveryKind.LOBBY}
    await waiting_lobby.change_as(4, lobby.join)
    check = await check_of(waiting_lobby)
    assert (check.id, check.due, check.awaits_host) == (asked_check.id, asked_check.due, True)
    with pytest.raises(Refusal, match=r"Everybody is here\. Press \*\*Start\*\*"):
        await waiting_lobby.change_as(1, ready_check.wait_longer)
    await waiting_lobby.change_as(1, ready_check.start_without_unconfirmed, is_channel_busy=False)
    assert not any("lost" in text for text in await notice_texts(waiting_lobby.tables, waiting_lobby.number))


async def test_a_closed_lobby_says_that_nobody_came(waiting_lobby: WaitingLobby) -> None:
    """Its message loses its buttons."""
    await start_as_admin(waiting_lobby)
    newest_id = await newest_delivery_id(waiting_lobby)
    await waiting_lobby.pass_time(TIME_TO_ANSWER)
    assert DeliveryKind.LOBBY in await kinds_after(waiting_lobby, newest_id)
    texts = await notice_texts(waiting_lobby.tables, waiting_lobby.number)
    assert texts[-1] == "Nobody pressed **Here** in time, so the lobby is closed."


@pytest.mark.parametrize("can_open_thread", [False, True])
async def test_a_game_after_a_ready_check_gets_its_thread(
    waiting_lobby: WaitingLobby, *, can_open_thread: bool
) -> None:
    """If the host was where the bot may open one, as without a check."""
    request = replace(waiting_lobby.request(1), can_open_thread=can_open_thread)
    start = partial(lobby.start, request=request, is_channel_busy=False)
    await waiting_lobby.tables.change(waiting_lobby.number, request, start)
    for seat in (0, 2, 3):
        await waiting_lobby.confirm(seat)
    assert (await waiting_lobby.table()).status is Status.PLAYING
    deliveries = await waiting_lobby.tables.store.waiting_deliveries(waiting_lobby.number)
    assert (DeliveryKind.THREAD in {each.kind for each in deliveries}) == can_open_thread


async def test_a_lobby_that_is_open_again_lives_for_a_day(tables: Tables, clock: ManualClock) -> None:
    """Others have that long to take the seats that are free, however late the check ended."""
    waiting_lobby = await open_waiting_lobby(tables, clock)
    clock.now += 2 * HOUR
    await waiting_lobby.start()
    for _ in range(2):
        await waiting_lobby.pass_time(TIME_TO_ANSWER + HOUR)
    table = await waiting_lobby.table()
    assert (table.row.lobby.ready_check, table.row.expires_at) == (None, int(clock.now) + DAY)
