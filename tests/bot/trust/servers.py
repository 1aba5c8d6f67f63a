"""Servers with the bot in them, in which any table can be placed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import discord
import msgspec

from bot.chat import client
from bot.chat.client import TableClient
from bot.chat.rate_limit import CallLimiter
from bot.host.deciders.decision import BOARD_DELIVERY, Decision, hand_delivery
from bot.host.table import Table
from bot.host.tables import Tables
from bot.local.members import Member
from bot.local.message_contents import has_button
from bot.local.model import Channel, Message, User
from bot.local.server import LocalDiscord
from bot.store.rows import Change, RecordRow, Status
from bot.store.sqlite import SqliteStore, open_store
from rules.model import Seat
from rules.notation import write_action
from tests.bot.host.playing import GAMES_AND_TOYS, KEY_OF_GAME_WITH_SECRETS, ManualClock, begin, default_setup
from tests.bot.local.conftest import set_discord_addresses
from tests.bot.store.sample_rows import execute_sql
from tests.bot.trust.captured_requests import RequestRecorder
from tests.bot.trust.in_process_bot import in_process_bot
from tests.trials import WAIT_TIMEOUT

_POLL_INTERVAL = 0.0003
"""Seconds between two checks whether it is done."""

_MEMORY_FOLDER = Path("/dev/shm")


@contextmanager
def memory_folder() -> Iterator[Path]:
    """Yield a new folder, in memory if possible: no test here asks what survives power loss."""
    with TemporaryDirectory(dir=_MEMORY_FOLDER if _MEMORY_FOLDER.is_dir() else None) as name:
        yield Path(name)


async def begin_table_elsewhere(folder: Path, seat_count: int) -> Table:
    """Begin a game with secrets in a store of its own; return its table, which ``place_table`` takes."""
    store = await open_store(folder / "elsewhere.db")
    try:
        tables = Tables(store, GAMES_AND_TOYS, ManualClock())
        number = await begin(tables, default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS], seat_count))
        return await tables.get(number)
    finally:
        await store.close()


class BotServer:
    """The bot in a server of its own with one table at a time, and the recorder of its requests."""

    def __init__(
        self, server: LocalDiscord, client: TableClient, store: SqliteStore, recorder: RequestRecorder
    ) -> None:
        """Invite one more than there can be seats."""
        self.server, self.client, self.store, self.recorder = server, client, store, recorder
        self.tables = client.host.tables
        self.channel: Channel = server.world.text_channels()[0]
        bystander = User(server.world._new_fixed_id(), "Gita")
        server.world.users[bystander.id] = bystander
        self.number = 0
        """The table's."""
        self._interaction_count = self._answer_count = 0
        setattr(client.host.metrics, "responses", self)  # noqa: B010 - a meter that counts

    def use_endpoints(self) -> None:
        """Point discord.py at this server: it has one address for all clients."""
        set_discord_addresses(self.server)

    def person(self, seat: Seat | None) -> Member:
        """Return the person at this seat; a bystander for None."""
        world = self.server.world
        return Member(world, self.server.interactions, world.people()[-1 if seat is None else seat])

    async def place_table(self, table: Table, viewer: Seat | None) -> None:
        """Put a table where the last one was, have its board and the viewer's hand sent, and listen."""
        match = table.match
        assert match is not None
        world = self.server.world
        for channel in world.channels.values():
            channel.messages.clear()
        self.number += 1
        seats = tuple(
            msgspec.structs.replace(row, user=self.person(Seat(i)).user.id)
            for i, row in enumerate(table.seats)
        )
        row = msgspec.structs.replace(
            table.row,
            number=self.number,
            version=1,
            host=seats[0].user,
            guild=world.guild_id,
            lobby_channel=self.channel.id,
            game_channel=self.channel.id,
            seats=seats,
            snapshot=match.snapshot(),
            active_at=int(self.tables.clock()),
        )
        records = tuple(
            RecordRow(ply, record.actor, write_action(record.action), record.auto, None, 0)
            for ply, record in enumerate(match.history, 1)
        )
        deliveries = (
            (BOARD_DELIVERY,)
            if viewer is None or not table.game.hidden_information
            else (BOARD_DELIVERY, hand_delivery(viewer))
        )
        ((newest_delivery_id,),) = await execute_sql(self.store, "select coalesce(max(id), 0) from outbox")
        self.recorder.record_for(self.person(viewer).user, newest_delivery_id + 1)
        await self.store.commit(Change(row=row, answer="", records=records, deliveries=deliveries))
        self.tables._cache.put(replace(table, row=row))
        outbox = self.client.host.outbox
        assert outbox is not None
        outbox.wake(self.number)
        await self.wait_until_idle()

    async def end_table(self) -> None:
        """End the table, so that it is nobody's only game."""
        await self.tables.change(
            self.number,
            None,
            lambda current: Decision(table=current.with_row(status=Status.ENDED_EARLY), answer=""),
        )
        await self.wait_until_idle()

    async def table(self) -> Table:
        """Return the table as it is."""
        return await self.tables.get(self.number)

    def board(self) -> Message:
        """Return the newest message under which one can play."""
        boards = [
            each for each in self.channel.messages.values() if not each.ephemeral and has_button(each, "Play")
        ]
        return boards[-1]

    def count_interaction(self) -> None:
        """Count an interaction that the bot must finish before it is idle."""
        self._interaction_count += 1

    async def wait_until_idle(self) -> None:
        """Wait until the bot has answered everything and has sent all."""
        async with asyncio.timeout(WAIT_TIMEOUT):
            while self._is_busy():  # noqa: ASYNC110 - the bot has no event for having nothing to do
                await asyncio.sleep(_POLL_INTERVAL)

    def has_sent_all(self) -> bool:
        """Whether the bot has nothing to send and nothing to store; responses may be on their way."""
        outbox = self.client.host.outbox
        assert outbox is not None
        return not outbox._workers and not self.tables._running_changes

    def _is_busy(self) -> bool:
        return not self.has_sent_all() or self._answer_count < self._interaction_count

    def observe(self, _seconds: float) -> None:
        """Count a finished interaction: the bot observes this metric at the end of each."""
        self._answer_count += 1


@asynccontextmanager
async def open_bot_server(database_path: Path) -> AsyncIterator[BotServer]:
    """Yield a server over a store of its own, without the pace of calls."""
    store, recorder = await open_store(database_path), RequestRecorder()
    with patch.object(client, "CallLimiter", lambda: CallLimiter(limit=1_000_000)):
        try:
            async with in_process_bot(store, recorder.record_request) as (server, bot):
                for user in server.world.people():  # so that no first message needs one more call
                    await bot.create_dm(discord.Object(user.id))
                recorder.attach(server)
                yield BotServer(server, bot, store, recorder)
        finally:
            await store.close()
