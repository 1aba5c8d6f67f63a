"""A channel in which no thread can be opened has room for one game."""

import asyncio
from functools import partial

import pytest
from msgspec.structs import replace

from bot.chat.lobby_posts import ready_check_post
from bot.host.deciders import lobby, moderation, ready_check
from bot.host.deciders.ready_check import MIN_LOBBY_AGE
from bot.host.request import Refusal, ResponseGate
from bot.host.tables import Tables
from bot.store.delivery_rows import DeliveryKind
from bot.store.rows import Status
from tests.bot.host.playing import (
    CHANNEL,
    GAMES_AND_TOYS,
    ManualClock,
    begin,
    default_setup,
    open_lobby,
    request_of_person,
)

SETUP = default_setup(GAMES_AND_TOYS["currents"], 2)
OTHER_CHANNEL = CHANNEL + 1


async def open_lobby_of_two(tables: Tables, channel: int = CHANNEL) -> int:
    """Open a lobby of two in a channel."""
    number = await open_lobby(tables, SETUP.game, replace(request_of_person(0), channel=channel))
    join_request = request_of_person(1)
    await tables.change(number, join_request, partial(lobby.join, request=join_request))
    return number


async def start(tables: Tables, number: int, *, can_open_thread: bool = False, channel: int = CHANNEL) -> str:
    """Press **Start** in a channel; return the answer, or the refusal."""
    request = replace(request_of_person(0), channel=channel, can_open_thread=can_open_thread)
    try:
        decide = partial(lobby.start, request=request)
        return (await tables.change_that_may_start_game(number, request, decide)).answer
    except Refusal as refusal:
        return str(refusal)


async def move_table(tables: Tables, number: int, channel: int) -> str:
    """Move a table to a channel; return the answer, or the refusal."""
    request = replace(request_of_person(0), channel=channel)
    try:
        decide = partial(moderation.move_here, request=request)
        return (await tables.change_that_may_start_game(number, request, decide, channel)).answer
    except Refusal as refusal:
        return str(refusal)


async def count_games_in(tables: Tables, channel: int) -> int:
    """Return how many games go on in a channel."""
    listings = await tables.store.tables_in_channel(channel)
    return sum(each.game_channel == channel and each.status is Status.PLAYING for each in listings)


async def test_channels_do_not_wait_for_each_other(tables: Tables) -> None:
    """A start that waits for Discord holds up no start in another channel."""
    first_number, second_number = (
        await open_lobby_of_two(tables),
        await open_lobby_of_two(tables, OTHER_CHANNEL),
    )
    gate = ResponseGate()
    gate.hold()
    request = replace(request_of_person(0), response_gate=gate)
    waiting_start = asyncio.create_task(
        tables.change_that_may_start_game(first_number, request, partial(lobby.start, request=request))
    )
    await asyncio.sleep(0)
    await start(tables, second_number)
    assert await count_games_in(tables, OTHER_CHANNEL) == 1
    assert not waiting_start.done()
    gate.settle(accepted=True)
    await waiting_start
    assert await count_games_in(tables, CHANNEL) == 1


@pytest.mark.parametrize("are_in_memory", [True, False])
async def test_one_of_two_starts_at_once_is_refused(tables: Tables, *, are_in_memory: bool) -> None:
    """One of two lobbies starts; the other one is refused, also with tables that must be loaded first."""
    numbers = [await open_lobby_of_two(tables), await open_lobby_of_two(tables)]
    if not are_in_memory:
        tables = Tables(tables.store, GAMES_AND_TOYS, tables.clock)
    answers = await asyncio.gather(*(start(tables, number) for number in numbers))
    assert sorted(answer.split(" ")[0] for answer in answers) == ["Another", "The"]
    assert await count_games_in(tables, CHANNEL) == 1


async def test_of_a_start_and_a_move_at_once_one_is_refused(tables: Tables) -> None:
    """A game that moves to a channel and one that starts there do not both get it."""
    moved_number, started_number = await begin(tables, SETUP), await open_lobby_of_two(tables, OTHER_CHANNEL)
    await asyncio.gather(move_table(tables, moved_number, OTHER_CHANNEL), start(tables, started_number))
    assert await count_games_in(tables, OTHER_CHANNEL) == 1


async def test_the_old_message_of_a_moved_lobby_opens_no_thread(tables: Tables) -> None:
    """Whether a thread can be opened where a lobby has been says nothing about its new place."""
    number = await open_lobby_of_two(tables)
    assert "moved" in await move_table(tables, number, OTHER_CHANNEL)
    await start(tables, await open_lobby_of_two(tables, OTHER_CHANNEL))
    assert "Another game is going on in this channel" in await start(tables, number, can_open_thread=True)
    assert await count_games_in(tables, OTHER_CHANNEL) == 1


async def test_a_ready_check_knows_where_its_lobby_was_moved(tables: Tables, clock: ManualClock) -> None:
    """Once all are here no second game starts in a thread to which the lobby was moved meanwhile."""
    number = await open_lobby_of_two(tables)
    clock.now += MIN_LOBBY_AGE + 1
    start_request = replace(request_of_person(0), channel=CHANNEL, can_open_thread=True, at=int(clock.now))
    await tables.change_that_may_start_game(
        number, start_request, partial(lobby.start, request=start_request)
    )
    assert "moved" in await move_table(tables, number, OTHER_CHANNEL)
    await start(tables, await open_lobby_of_two(tables, OTHER_CHANNEL), channel=OTHER_CHANNEL)
    confirm_request = replace(request_of_person(1), at=int(clock.now))
    answer = (
        await tables.change_that_may_start_game(
            number, confirm_request, partial(ready_check.confirm, request=confirm_request)
        )
    ).answer
    assert "Another game is going on in this channel" in answer
    assert await count_games_in(tables, OTHER_CHANNEL) == 1
    assert "another one was going on" in ready_check_post(await tables.get(number)).text
    await move_table(tables, number, OTHER_CHANNEL + 1)
    assert "another one was going on" not in ready_check_post(await tables.get(number)).text


async def test_the_ready_check_of_a_moved_lobby_opens_a_thread(tables: Tables, clock: ManualClock) -> None:
    """**Start** below a ready check, which stays where it was asked, opens a thread in the new place."""
    number = await open_lobby_of_two(tables)
    clock.now += MIN_LOBBY_AGE + 1
    start_request, confirm_request = (replace(request_of_person(seat), at=int(clock.now)) for seat in (0, 1))
    await tables.change_that_may_start_game(
        number, start_request, partial(lobby.start, request=start_request)
    )
    await start(tables, await open_lobby_of_two(tables))
    await tables.change_that_may_start_game(
        number, confirm_request, partial(ready_check.confirm, request=confirm_request)
    )
    request = replace(request_of_person(0), channel=OTHER_CHANNEL, can_open_thread=True)
    decide = partial(moderation.move_here, request=request)
    await tables.change_that_may_start_game(number, request, decide, OTHER_CHANNEL)
    assert "thread" in await start(tables, number)


async def test_a_moved_lobby_needs_its_new_channel(tables: Tables) -> None:
    """It starts where it was moved to, there too in a thread if the bot may open one."""
    number = await open_lobby_of_two(tables)
    assert "moved" in await move_table(tables, number, OTHER_CHANNEL)
    playing_number = await open_lobby_of_two(tables, OTHER_CHANNEL)
    await start(tables, playing_number)
    assert "Another game is going on in this channel" in await start(tables, number)
    await begin(tables, SETUP)  # in the channel that the lobby has left
    assert "moved" in await move_table(tables, number, OTHER_CHANNEL + 1)
    assert "thread" in await start(tables, number, can_open_thread=True, channel=OTHER_CHANNEL + 1)
    kinds = {each.kind for each in await tables.store.waiting_deliveries(number)}
    assert DeliveryKind.THREAD in kinds
