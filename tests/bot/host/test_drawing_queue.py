"""Pictures are drawn one at a time, the most urgent first, and only while they are wanted."""

import asyncio
import random
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, cast
from unittest.mock import patch

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat import drawing_queue
from bot.chat.courier import DiscordCourier
from bot.chat.drawing_order import DrawingPriority
from bot.chat.drawing_queue import (
    DrawingQueue,
    DrawingQueues,
    DrawingSuperseded,
    NewestDrawings,
    current_drawing_queues,
    draw_in_queue,
    drawing_settings,
)
from bot.chat.history_pages import show_turn_page
from bot.chat.membership import MembershipChecker
from bot.chat.panel import _show_page
from bot.chat.panel_posts import panel_page
from bot.chat.pictures import draw_board_picture
from bot.chat.response import Response
from bot.drawing_connection import DrawingConnection
from bot.host.courier_protocol import Attempt, Superseded
from bot.host.deciders.decision import BOARD_DELIVERY, hand_delivery
from bot.host.game_guard import GameFault
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.delivery_rows import NewDelivery, PendingPost
from bot.store.rows import TableRow
from bot.store.sqlite import SqliteStore
from render import catalogue
from render.catalogue import PICTURES
from tests.bot.e2e.observe import wait_until
from tests.bot.host.drawing_requests import ANSWER, BOARD, HAND, ThreadConnection, draw, picture_under_way
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    ManualClock,
    begin,
    default_setup,
    make_move,
    request_of_person,
)
from tests.trials import WAIT_TIMEOUT


@pytest.fixture(autouse=True)
def _no_picture_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep pictures from overtaking one that takes long, except where a test says so."""
    monkeypatch.setattr(drawing_queue, "SLOW_PICTURE_SECONDS", 60.0)


async def test_pictures_are_drawn_one_at_a_time(table_rows: list[TableRow]) -> None:
    """Whichever table asks for them."""
    queue, under_way_count, max_count = DrawingQueue(), 0, 0
    lock = threading.Lock()
    pause = threading.Event()

    def work() -> None:
        nonlocal under_way_count, max_count
        with lock:
            under_way_count += 1
            max_count = max(max_count, under_way_count)
        pause.wait(0.002)
        with lock:
            under_way_count -= 1

    await asyncio.gather(*(draw(queue, random.choice(table_rows), work) for _ in range(40)))
    assert max_count == 1


async def test_a_picture_that_is_not_wanted_any_more_is_dropped(table_rows: list[TableRow]) -> None:
    """Its caller learns it; it is not drawn, and the next one is."""
    queue, drawn = DrawingQueue(), list[str]()
    is_wanted = True
    async with picture_under_way(queue, table_rows[0]) as may_finish:
        dropped_drawing = asyncio.create_task(
            draw(queue, table_rows[1], lambda: drawn.append("old"), BOARD, lambda: is_wanted)
        )
        kept_drawing = asyncio.create_task(draw(queue, table_rows[1], lambda: drawn.append("new"), BOARD))
        await asyncio.sleep(0)
        is_wanted = False
        may_finish.set()
        with pytest.raises(DrawingSuperseded):
            await dropped_drawing
        await kept_drawing
    assert drawn == ["new"]


async def test_a_fault_reaches_its_caller_only(table_rows: list[TableRow]) -> None:
    """The pictures behind it are drawn."""
    queue = DrawingQueue()

    def fail() -> None:
        raise ZeroDivisionError

    works: list[Callable[[], Any]] = [fail, int, fail, int]
    async with picture_under_way(queue, table_rows[0]) as may_finish:
        tasks = [asyncio.create_task(draw(queue, table_rows[1], work)) for work in works]
        await asyncio.sleep(0)
        may_finish.set()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(each) for each in results] == [GameFault, int, GameFault, int]
    assert isinstance(results[0].__cause__, ZeroDivisionError)


@pytest.mark.parametrize("is_its_turn", [True, False])
async def test_a_cancelled_caller_holds_up_nobody(table_rows: list[TableRow], *, is_its_turn: bool) -> None:
    """Whether its picture waits or its turn has just come: a stop cancels both."""
    queue, drawn = DrawingQueue(), list[int]()
    async with picture_under_way(queue, table_rows[0]) as may_finish:
        drawings = [asyncio.create_task(draw(queue, table_rows[1], lambda: drawn.append(0)))]
        if is_its_turn:  # but it has not noticed it yet
            may_finish.set()
            await wait_until(lambda: None if len(queue) else True, awaited="its turn")
        else:
            await asyncio.sleep(0)
        drawings[0].cancel()
        drawings.append(asyncio.create_task(draw(queue, table_rows[2], lambda: drawn.append(1))))
        await asyncio.sleep(0)
        may_finish.set()
        await asyncio.wait_for(drawings[1], WAIT_TIMEOUT)
    assert 1 in drawn
    assert drawings[0].cancelled()


async def test_a_slow_picture_holds_up_nobody_for_long(
    table_rows: list[TableRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next ones are drawn beside it."""
    monkeypatch.setattr(drawing_queue, "SLOW_PICTURE_SECONDS", 0.01)
    queue = DrawingQueue()
    async with picture_under_way(queue, table_rows[0]):
        assert await asyncio.wait_for(draw(queue, table_rows[1], lambda: 7), WAIT_TIMEOUT) == 7


async def test_each_loop_has_a_queue_of_its_own(table_rows: list[TableRow]) -> None:
    """A picture that is being drawn for one loop blocks none of another."""

    async def draw_other() -> Any:
        return await asyncio.wait_for(draw_in_queue(table_rows[1], lambda: 3), WAIT_TIMEOUT)

    async with picture_under_way(current_drawing_queues().of_game_key(table_rows[0].game_key), table_rows[0]):
        assert await asyncio.to_thread(asyncio.run, draw_other()) == 3
    assert await draw_in_queue(table_rows[0], lambda: 4) == 4


def _queues_of(*connections: ThreadConnection) -> DrawingQueues:
    queues = DrawingQueues()
    queues.use_processes([cast("DrawingConnection", each) for each in connections])
    return queues


async def test_games_are_shared_out_among_the_processes() -> None:
    """Each game keeps its queue; neighbours in the order of their first pictures have different ones."""
    for queues in (DrawingQueues(), _queues_of()):
        assert len({queues.of_game_key(key) for key in GAMES_AND_TOYS}) == 1, (
            "threads draw, one picture at a time"
        )
    queues = _queues_of(ThreadConnection(), ThreadConnection())
    first_queues = [queues.of_game_key(key) for key in GAMES_AND_TOYS]
    assert [queues.of_game_key(key) for key in GAMES_AND_TOYS] == first_queues
    assert first_queues[0] is first_queues[2] is first_queues[4] is not first_queues[1] is first_queues[3]


async def test_a_process_that_has_ended_gets_no_pictures() -> None:
    """The others draw for it; with none left, threads do, in the queues as they were."""
    connections = ThreadConnection(), ThreadConnection()
    queues = _queues_of(*connections)
    connections[0].is_running = False
    assert len({queues.of_game_key(key) for key in GAMES_AND_TOYS}) == 1
    assert queues.of_game_key(KEY_OF_GAME_WITH_SECRETS).is_process_running
    connections[1].is_running = False
    assert len({queues.of_game_key(key) for key in GAMES_AND_TOYS}) == 2


async def test_work_without_a_game_goes_where_nothing_is_drawn(table_rows: list[TableRow]) -> None:
    """A picture that is being drawn counts as one that waits."""
    queues = _queues_of(ThreadConnection(), ThreadConnection())
    async with picture_under_way(queues.of_game_key(KEY_OF_GAME_WITH_SECRETS), table_rows[0]):
        assert await asyncio.wait_for(queues.draw_without_game(lambda: 7), WAIT_TIMEOUT) == 7


@given(st.lists(st.integers(1, 5), max_size=30))
def test_only_the_newest_drawing_of_a_page_is_wanted(begun_pages: list[int]) -> None:
    """Of each of the pages used last; of one that was forgotten since, the newest at least is wanted."""
    newest_drawings, drawings = NewestDrawings(), defaultdict[int, list[Callable[[], bool]]](list)
    last_used: list[int] = []
    with patch.object(drawing_queue, "_MAX_REMEMBERED_MESSAGES", 3):
        for page in begun_pages:
            drawings[page].append(newest_drawings.register(page))
            last_used = [*(each for each in last_used if each != page), page]
            assert all(of_page[-1]() for of_page in drawings.values())
            assert not any(earlier() for each in last_used[-3:] for earlier in drawings[each][:-1])
    assert len(newest_drawings._newest) == min(len(drawings), 3)


async def test_a_fault_in_a_picture_names_its_table(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in a game's picture is a GameFault of its table; what is not wanted is no fault."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    table = await tables.get(await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2)))
    with pytest.raises(DrawingSuperseded), drawing_settings(BOARD, lambda: False):
        await draw_board_picture(table)

    def fail(*_: Any) -> Any:
        raise KeyError

    faulty_pictures = {
        name: replace(picture, draw=fail) for name, picture in PICTURES[KEY_OF_GAME_WITH_SECRETS].items()
    }
    monkeypatch.setattr(catalogue, "PICTURES", {**PICTURES, KEY_OF_GAME_WITH_SECRETS: faulty_pictures})
    with pytest.raises(GameFault) as raised:
        await draw_board_picture(table)
    assert raised.value.table_number == table.number


@pytest.mark.parametrize("new_delivery", [BOARD_DELIVERY, hand_delivery(0)])
async def test_a_message_that_a_newer_one_replaces_is_not_drawn(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, new_delivery: NewDelivery
) -> None:
    """Superseded if a move comes while it waits; one that may have been posted already is drawn."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2))
    table = await tables.get(number)
    delivery = next(each for each in await store.waiting_deliveries(number) if each.slot == new_delivery.slot)
    await make_move(tables, number, random.Random(1))
    assert (await tables.get(number)).row.ply > table.row.ply
    drawn: list[int] = []

    async def send(_: DiscordCourier, context: Any) -> Any:
        await draw_board_picture(context.table)
        drawn.append(context.table.row.ply)

    monkeypatch.setattr(DiscordCourier, "_send", send)
    client = discord.Client(intents=discord.Intents.none())
    courier = DiscordCourier(client, tables, MembershipChecker(client, clock))
    attempt = Attempt(store, delivery, clock)
    with pytest.raises(Superseded):
        await courier.deliver(delivery, table, {}, attempt)
    assert not drawn
    attempt.pending_post = PendingPost(1, clock())
    await courier.deliver(delivery, table, {}, attempt)
    await courier.deliver(delivery, await tables.get(number), {}, Attempt(store, delivery, clock))
    assert drawn == [table.row.ply, (await tables.get(number)).row.ply]


@pytest.mark.parametrize(
    ("delivery", "priority"), [(BOARD_DELIVERY, BOARD), (hand_delivery(0), HAND), (hand_delivery(1), HAND)]
)
async def test_a_delivery_is_drawn_as_what_it_is(
    store: SqliteStore,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
    delivery: NewDelivery,
    priority: object,
) -> None:
    """A board as a board and a hand as a hand, neither as an answer; what is asked for outside is one."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2))
    queued = next(each for each in await store.waiting_deliveries(number) if each.slot == delivery.slot)
    priorities: list[DrawingPriority] = []

    async def send(*_: Any) -> Any:
        priorities.append(drawing_queue._settings.get().priority)

    monkeypatch.setattr(DiscordCourier, "_send", send)
    client = discord.Client(intents=discord.Intents.none())
    courier = DiscordCourier(client, tables, MembershipChecker(client, clock))
    await courier.deliver(queued, await tables.get(number), {}, Attempt(store, queued, clock))
    assert priorities == [priority]
    assert drawing_queue._settings.get().priority is ANSWER


class _PageResponse:
    """The response to a press in a private page; records what it shows."""

    def __init__(self, message_id: int | None) -> None:
        self.replaced_message_id = message_id
        self.responses: list[str] = []

    async def show(self, post: object, pictures: object) -> None:
        """Record a page with its pictures."""
        self.responses.append("shown")

    async def defer(self) -> None:
        """Record the acknowledgement."""
        self.responses.append("deferred")


async def _show_panel(_: Tables, response: Response, table: Table) -> None:
    assert table.to_act is not None
    await _show_page(response, table, table.to_act, panel_page(table, table.to_act))


async def _show_turn_page(tables: Tables, response: Response, table: Table) -> None:
    await show_turn_page(tables, response, table.number, request_of_person(0))


@pytest.mark.parametrize("show", [_show_panel, _show_turn_page])
@pytest.mark.parametrize("message_id", [5, None])
async def test_a_page_is_drawn_for_its_newest_press_only(
    store: SqliteStore,
    clock: ManualClock,
    message_id: int | None,
    show: Callable[[Tables, Response, Table], Coroutine[Any, Any, None]],
) -> None:
    """Earlier presses that still wait are acknowledged; responses with a page of their own are all drawn."""
    tables = Tables(store, GAMES_AND_TOYS, clock)
    table = await tables.get(await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], 2)))
    presses = [_PageResponse(message_id) for _ in range(3)]
    queue = current_drawing_queues().of_game_key(table.row.game_key)
    async with picture_under_way(queue, table.row) as may_finish:
        showing = [asyncio.create_task(show(tables, cast("Response", press), table)) for press in presses]
        await wait_until(lambda: len(queue) == len(presses) or None, awaited="the presses")
        may_finish.set()
        await asyncio.gather(*showing)
    earlier_response = "shown" if message_id is None else "deferred"
    assert [press.responses for press in presses] == [[earlier_response], [earlier_response], ["shown"]]
