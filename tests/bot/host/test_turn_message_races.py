"""The messages of turns while calls are on their way: computers, undos and failures in between."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import discord
import pytest

from bot.chat import posts
from bot.error_codes import ErrorCode
from bot.host.deciders import departures
from bot.host.deciders.decision import BOARD_DELIVERY, Decision
from bot.host.delivery_order import Priority
from bot.host.game_guard import GameFault
from bot.host.request import Refusal
from bot.host.tables import Tables
from bot.store.rows import Status
from rules.match import Match
from rules.turns import running_turn, turns_from
from tests.bot.host.chat_table import (
    CURRENTS_FOR_TWO,
    ChatTable,
    is_computers_turn,
    is_turn_message,
    play_computer_turn,
)
from tests.bot.host.fake_chat import FakeChannel, FakeMessage, http_error, labels, stub_board_pictures
from tests.bot.host.playing import ManualClock, begin, make_move, request_of_person
from tests.bot.host.scripted_courier import run_worker
from tests.trials import WAIT_TIMEOUT, trial_count

_CALL_SECONDS = (0.0, 0.0, 0.002, 0.008, 0.03)
"""Seconds that a call may take before and after it arrives; one is drawn each time."""


async def open_chat_table(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, computer_count: int
) -> ChatTable:
    """Return a table at which a person is to act, whose first messages have arrived."""
    stub_board_pictures(monkeypatch)
    chat_table = ChatTable(
        tables, clock, await begin(tables, CURRENTS_FOR_TWO, computer_count=computer_count)
    )
    await chat_table.send_all()
    while await is_computers_turn(chat_table):
        await play_computer_turn(chat_table, random.Random(1))
        await chat_table.send_all()
    return chat_table


class BlockedCall:
    """Stops one call on its way to Discord: the first edit, or the first post with buttons."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: type, name: str) -> None:
        """``owner`` and ``name``: the method that makes the call."""
        self.reached, self.released = asyncio.Event(), asyncio.Event()
        real = getattr(owner, name)

        async def call(*arguments: Any, **keywords: Any) -> Any:
            if not self.reached.is_set() and (
                name == "edit" or keywords["view"] is not discord.utils.MISSING
            ):
                self.reached.set()
                await self.released.wait()
            return await real(*arguments, **keywords)

        monkeypatch.setattr(owner, name, call)

    async def wait_until_reached(self) -> None:
        """Wait until the call is on its way."""
        await asyncio.wait_for(self.reached.wait(), WAIT_TIMEOUT)


def start_worker(chat_table: ChatTable, priority: Priority) -> "asyncio.Task[float | None]":
    """Let the worker of a priority do all that is due."""
    return asyncio.create_task(run_worker(chat_table.outbox, chat_table.number, priority))


@pytest.mark.parametrize("is_undone", [True, False])
async def test_a_computer_follows_while_a_story_is_being_sent(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, *, is_undone: bool
) -> None:
    """Its board, or an undo, comes while the message of the turn is edited: each has its own message."""
    chat_table = await open_chat_table(tables, clock, monkeypatch, computer_count=1)
    old_board, kept_length = chat_table.board(), await chat_table.history_length()
    await chat_table.play_turn()
    await run_worker(chat_table.outbox, chat_table.number, Priority.HIGH)
    edit = BlockedCall(monkeypatch, FakeMessage, "edit")
    editing = start_worker(chat_table, Priority.LOW)
    await edit.wait_until_reached()
    if is_undone:
        await chat_table.roll_back(kept_length)
    else:
        await play_computer_turn(chat_table, random.Random(1))
    post = BlockedCall(monkeypatch, FakeChannel, "send")
    posting = start_worker(chat_table, Priority.HIGH)
    await post.wait_until_reached()
    edit.released.set()
    await editing
    post.released.set()
    await posting
    await chat_table.send_all()
    assert chat_table.board().id > old_board.id
    assert is_turn_message(old_board) is not is_undone


async def test_a_board_posted_anew_as_the_game_ends_keeps_no_buttons(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game ends while an old board is being posted anew: neither keeps its buttons."""
    chat_table = await open_chat_table(tables, clock, monkeypatch, computer_count=0)
    rng = random.Random(3)
    while True:
        seat = (await tables.get(chat_table.number)).to_act
        await make_move(tables, chat_table.number, rng)
        if (await tables.get(chat_table.number)).to_act == seat:
            break
        await chat_table.send_all()
    await chat_table.send_all()
    clock.now += 3600
    board_anew = Decision(table=await tables.get(chat_table.number), answer="", deliveries=(BOARD_DELIVERY,))
    await tables.change(chat_table.number, None, lambda _: board_anew)
    post = BlockedCall(monkeypatch, FakeChannel, "send")
    posting = start_worker(chat_table, Priority.HIGH)
    await post.wait_until_reached()
    assert seat is not None
    request = request_of_person(seat)
    resign = partial(departures.resign, request=request, computer="random")
    await tables.change(chat_table.number, request, resign)
    post.released.set()
    await posting
    await chat_table.send_all()
    assert (await tables.get(chat_table.number)).status is Status.OVER
    assert all("Play" not in labels(message) for message in chat_table.chat.public_messages())


@pytest.mark.parametrize("failure", ["story", "seat to act", "edit", "old edit"])
async def test_a_story_that_cannot_be_sent_leaves_no_buttons(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    """Its game fails, or Discord refuses the edit: nobody presses there any more, and there is a board."""
    chat_table = await open_chat_table(tables, clock, monkeypatch, computer_count=0)
    old_board, refusals = (
        chat_table.board(),
        {"edit": [ErrorCode.INVALID_FORM_BODY], "old edit": [ErrorCode.TOO_MANY_OLD_EDITS]}.get(failure, []),
    )

    def fail(*_: object, **__: object) -> None:
        raise GameFault(chat_table.number) from ValueError("defect")

    def refuse(action: str, message: FakeMessage) -> Exception | None:
        return (
            http_error(refusals.pop(), 400) if refusals and (action, message) == ("edit", old_board) else None
        )

    chat_table.chat.fault_of_call = refuse
    await chat_table.play_turn()
    if failure == "story":
        monkeypatch.setattr("bot.chat.delivery_contents.posts.turn_post", fail)
    if failure == "seat to act":
        monkeypatch.setattr(Match, "to_act", property(fail))
    await chat_table.send_all()
    assert not old_board.components
    table = await tables.get(chat_table.number)
    if failure.endswith("edit"):
        assert chat_table.board().id > old_board.id
    else:
        assert table.status is Status.FROZEN
        assert "frozen" in chat_table.newest_message().content


class SlowCalls:
    """Calls that take random times, and fail before or after they arrive."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, rng: random.Random, failure_rate: float) -> None:
        """``failure_rate``: which part of the calls fails."""
        self.is_on = True
        self._rng, self._failure_rate = rng, failure_rate
        for owner, name in ((FakeMessage, "edit"), (FakeChannel, "send")):
            monkeypatch.setattr(owner, name, self._slowed(getattr(owner, name)))

    def _slowed(self, real: Callable[..., Any]) -> Callable[..., Any]:
        async def call(*arguments: Any, **keywords: Any) -> Any:
            if not self.is_on:
                return await real(*arguments, **keywords)
            await asyncio.sleep(self._rng.choice(_CALL_SECONDS))
            if self._rng.random() < self._failure_rate:
                raise http_error(0, 503)
            result = await real(*arguments, **keywords)
            await asyncio.sleep(self._rng.choice(_CALL_SECONDS))
            if self._rng.random() < self._failure_rate / 2:
                raise OSError("cut")
            return result

        return call


async def _act(chat_table: ChatTable, rng: random.Random) -> None:
    """Play a choice or a turn, or roll back some choices."""
    table = await chat_table.tables.get(chat_table.number)
    if table.to_act is None:
        return
    if rng.random() < 0.25 and (length := await chat_table.history_length()) > 6:
        try:
            await chat_table.roll_back(rng.randint(length - 4, length - 1))
        except Refusal:
            return
    elif await is_computers_turn(chat_table):
        await play_computer_turn(chat_table, rng)
    elif rng.random() < 0.5:
        await make_move(chat_table.tables, chat_table.number, rng)
    else:
        await chat_table.play_turn()


@pytest.mark.parametrize("failure_rate", [0.0, 0.3])
async def test_the_messages_agree_with_the_game_in_the_end(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch, failure_rate: float
) -> None:
    """However moves and undos meet calls, there is one story a turn and one **Play** then."""
    for seed in range(trial_count(2, soak=120)):
        rng = random.Random(seed)
        with monkeypatch.context() as patched:
            chat_table = await open_chat_table(tables, clock, patched, computer_count=rng.choice([0, 1]))
            slow_calls, stopped = SlowCalls(patched, rng, failure_rate), asyncio.Event()

            async def work(
                priority: Priority, chat_table: ChatTable = chat_table, stopped: asyncio.Event = stopped
            ) -> None:
                while not stopped.is_set():
                    await run_worker(chat_table.outbox, chat_table.number, priority)
                    await asyncio.sleep(0.001)

            workers = [asyncio.create_task(work(priority)) for priority in Priority]
            for _ in range(rng.randint(5, 25)):
                await _act(chat_table, rng)
                await asyncio.sleep(rng.choice(_CALL_SECONDS))
                clock.now += 1
            stopped.set()
            await asyncio.gather(*workers)
            slow_calls.is_on = False
            await chat_table.send_all()
            await _check_chat_table(chat_table)


async def _check_chat_table(chat_table: ChatTable) -> None:
    table = await chat_table.tables.get(chat_table.number)
    assert table.match is not None
    turns = turns_from(table.match.history, 0)
    if running_turn(table.match.history, table.to_act) is not None:
        turns = turns[:-1]
    public_messages = chat_table.chat.public_messages()
    turn_texts = Counter(
        message.content for message in public_messages if is_turn_message(message) and not message.components
    )
    assert turn_texts == Counter(posts.turn_post(table, turn).text for turn in turns)
    playable_count = sum("Play" in labels(message) for message in public_messages)
    assert playable_count == (table.to_act is not None) or (
        playable_count == 0 and await is_computers_turn(chat_table)
    )
    known_ids = {each.message_id for each in await chat_table.tables.store.posted_messages(chat_table.number)}
    assert all(message.id in known_ids for message in public_messages if message.components)
