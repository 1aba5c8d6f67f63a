"""A hand message that already shows what it would be edited to is not edited; every other one is."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias
from unittest.mock import patch

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from bot.chat import shown_contents
from bot.chat.hand_posts import hand_post
from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post
from bot.chat.rate_limit import CallLimiter
from bot.chat.shown_contents import ShownContents
from bot.host.deciders import play
from bot.host.deciders.decision import Decision, hand_delivery
from bot.host.delivery_order import Priority
from bot.host.game_logs import log_lines_since_last_turn
from bot.host.request import Request
from bot.local.message_contents import controls, has_button
from bot.local.model import Message, WorldEvent
from bot.store.rows import Status
from rules.model import Seat
from tests.bot.e2e.observe import ply_of, wait_until
from tests.bot.host.playing import seat_and_random_action
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.servers import BotServer, begin_table_elsewhere, memory_folder, open_bot_server
from tests.bot.trust.viewer_visit import hash_pictures
from tests.trials import WAIT_TIMEOUT, trial_count

__all__ = ["restored_discord_addresses"]

MOVE_COUNT = trial_count(short=15, soak=600)
SEAT_COUNT = 4

HandContent: TypeAlias = tuple[Post, tuple[DrawnPicture, ...]]


class HandTable:
    """A table of a game with hands, and every edit and post of a private message."""

    def __init__(self, bot: BotServer) -> None:
        """Record the events of the server."""
        self.bot = bot
        self.events: list[tuple[str, Message]] = []
        bot.server.world.listen(self._record_event)

    def _record_event(self, event: WorldEvent) -> None:
        message = event.message
        if message is not None and message.channel in self._private_channels():
            self.events.append((event.name, message))

    def _private_channels(self) -> list[object]:
        return [self.bot.person(Seat(seat)).dm for seat in range(SEAT_COUNT)]

    async def begin(self, folder: Path) -> None:
        """Begin a game and have every hand sent."""
        await self.bot.place_table(await begin_table_elsewhere(folder, SEAT_COUNT), Seat(0))
        await self.resend()

    async def resend(self) -> None:
        """Queue every hand again."""
        deliveries = tuple(hand_delivery(seat) for seat in range(SEAT_COUNT))
        await self.bot.tables.change(
            self.bot.number, None, lambda current: Decision(table=current, answer="", deliveries=deliveries)
        )
        await self.bot.wait_until_idle()

    async def make_move(self, rng: random.Random) -> None:
        """Make a random choice for the seat to act."""
        table = await self.bot.table()
        seat, action = seat_and_random_action(table, rng)
        person = self.bot.person(seat).user
        request = Request(user=person.id, name=person.name)
        await self.bot.tables.change(
            self.bot.number, request, partial(play.play, request=request, actions=(action,))
        )
        await self.bot.wait_until_idle()

    async def check_hand(self) -> None:
        """Check that the hand message of the seat to act shows the present hand and buttons."""
        table = await self.bot.table()
        if table.to_act is None:
            return
        messages = self.bot.person(table.to_act).dm.messages.values()
        (hand,) = (message for message in messages if has_button(message, "Board"))
        own_lines = await log_lines_since_last_turn(table, table.to_act)
        expected = hand_post(table, table.to_act, own_lines)
        assert hand.content == expected.text
        rows = (row for row in expected.rows if isinstance(row, tuple))
        assert [each["custom_id"] for each in controls(hand)] == [
            str(each.custom_id) for row in rows for each in row
        ]


@pytest_asyncio.fixture
async def hand_table() -> AsyncIterator[HandTable]:
    """Yield a table whose hands have been sent."""
    with memory_folder() as folder, hash_pictures():
        async with open_bot_server(folder / "bot.db") as bot:
            table = HandTable(bot)
            await table.begin(folder)
            yield table


async def _check_hands_and_count_needless_edits(hand_table: HandTable) -> int:
    """Make moves and check each hand; return how many edits it takes to send unchanged hands again."""
    rng, edit_count = random.Random(1), 0
    for _ in range(MOVE_COUNT):
        if (await hand_table.bot.table()).status is not Status.PLAYING:
            break
        await hand_table.make_move(rng)
        await hand_table.check_hand()
        if rng.random() < 0.4:
            await hand_table.resend()
            hand_table.events.clear()
            await hand_table.resend()
            edit_count += len(hand_table.events)
            await hand_table.check_hand()
    return edit_count


@pytest.mark.usefixtures("restored_discord_addresses")
async def test_an_unchanged_hand_is_not_edited(hand_table: HandTable) -> None:
    """Hands that are queued again without a change cost no call, and moves still update them."""
    assert await _check_hands_and_count_needless_edits(hand_table) == 0


@pytest.mark.usefixtures("restored_discord_addresses")
async def test_needless_edits_are_caught(hand_table: HandTable) -> None:
    """Sensitivity: the same with a memory that knows nothing takes an edit for each hand."""
    with patch.object(shown_contents.ShownContents, "shows", return_value=False):
        assert await _check_hands_and_count_needless_edits(hand_table) >= SEAT_COUNT


@pytest.mark.usefixtures("restored_discord_addresses")
async def test_a_stale_hand_is_caught(hand_table: HandTable) -> None:
    """Sensitivity: with a memory that takes everything for shown the check fails."""
    with (
        patch.object(shown_contents.ShownContents, "shows", return_value=True),
        pytest.raises(AssertionError),
    ):
        await _check_hands_and_count_needless_edits(hand_table)


@pytest.mark.usefixtures("restored_discord_addresses")
async def test_a_hand_waits_for_the_limit_and_its_board_does_not(hand_table: HandTable) -> None:
    """While calls of medium priority are held back, the board of a move is shown, and no hand is sent."""
    acquire, is_held, may_go_on = CallLimiter._acquire, asyncio.Event(), asyncio.Event()

    async def hold_medium_priority(limiter: CallLimiter, priority: Priority) -> tuple[float, bool]:
        if priority is Priority.MEDIUM:
            is_held.set()
            await may_go_on.wait()
        return await acquire(limiter, priority)

    ply_before = ply_of(hand_table.bot.board())
    hand_table.events.clear()
    with patch.object(CallLimiter, "_acquire", hold_medium_priority):
        moving = asyncio.create_task(hand_table.make_move(random.Random(1)))
        await asyncio.wait_for(is_held.wait(), WAIT_TIMEOUT)
        await wait_until(lambda: ply_of(hand_table.bot.board()) > ply_before or None, awaited="the board")
        assert hand_table.events == []
        may_go_on.set()
        await moving
    assert hand_table.events


CONTENTS: Sequence[HandContent] = tuple(
    (Post(text), tuple(DrawnPicture("hand.png", data, alt) for data, alt in pictures))
    for text in ("One", "Two")
    for pictures in ((), ((b"1", "a"),), ((b"1", "b"),), ((b"2", "a"),))
)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2),
            st.sampled_from(CONTENTS),
            st.sampled_from(["ok", "refused", "lost", "restart"]),
        ),
        max_size=40,
    )
)
def test_only_what_is_certain_is_remembered(edits: list[tuple[int, HandContent, str]]) -> None:
    """Whatever edits fail or get no response, a message that "shows" a content does show it."""
    remembered, really_shown = ShownContents(), dict[int, HandContent]()
    for message_id, content, outcome in edits:
        if outcome == "restart":
            remembered = ShownContents()
        for each in CONTENTS:
            assert not remembered.shows(message_id, *each) or really_shown[message_id] == each
        remembered.forget(message_id)
        if outcome in {"ok", "lost"}:
            really_shown[message_id] = content
        if outcome == "ok":
            remembered.remember(message_id, *content)
            assert remembered.shows(message_id, *content)
