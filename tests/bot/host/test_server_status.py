"""The status message of a server: one message, edited at most once a minute, posted anew where it is gone."""

import random
from collections.abc import Callable
from typing import Any, cast

import discord
import pytest

from bot.chat import server_status
from bot.chat.server_status import UPDATE_INTERVAL, ServerStatus, StatusOutcome
from bot.chat.server_tables import games_post, read_server_tables
from bot.error_codes import ErrorCode
from bot.host.tables import Tables
from bot.store.preferences import ServerRow
from bot.store.protocol import StoreError
from bot.store.rows import Status
from tests.bot.chat.guilds import make_guild
from tests.bot.host.fake_chat import FakeChannel, FakeChat, FakeMessage, refusal
from tests.bot.host.playing import CHANNEL as TABLES
from tests.bot.host.playing import (
    EVERY_GAME,
    GUILD,
    Clock,
    begin,
    default_setup,
    make_move,
    open_lobby,
    request_of,
)
from tests.bot.host.test_question_messages import labels

CHANNEL = 60
GAME = EVERY_GAME["currents"]


def everywhere(_: int) -> bool:
    """Every channel is visible."""
    return True


class PinnableMessage(FakeMessage):
    """A message that can be pinned and deleted."""

    is_pinned = False

    async def pin(self) -> None:
        """Pin it, or raise what the test says."""
        self._chat.raise_fault("pin", self)
        self.is_pinned = True

    async def delete(self) -> None:
        """Delete it."""
        del self._chat.messages[self.id]

    async def edit(self, **given: Any) -> FakeMessage:
        """Edit it, if it is there."""
        if self.id not in self._chat.messages:
            raise refusal(ErrorCode.UNKNOWN_MESSAGE)
        return await super().edit(**given)


class StatusChat(FakeChat):
    """A client whose messages can be pinned and deleted."""

    edits = 0

    def __init__(self) -> None:
        """Every channel is open to everybody."""
        super().__init__()
        self.guild: discord.Guild | None = make_guild({CHANNEL: {}, CHANNEL + 1: {}, TABLES: {}}, guild=GUILD)

    def get_guild(self, guild: int) -> discord.Guild | None:
        """Return the server."""
        assert guild == GUILD
        return self.guild

    def get_partial_messageable(self, channel: int, guild_id: int | None = None) -> FakeChannel:
        """Return a channel."""
        chat = self

        class Channel(FakeChannel):
            def get_partial_message(self, message: int) -> FakeMessage:
                chat.edits += 1
                return chat.messages.get(message) or PinnableMessage(chat, channel, message)

            async def send(self, content: str, **given: Any) -> FakeMessage:
                assert given["allowed_mentions"].to_dict() == {"parse": []}, "it mentions nobody"
                given["allowed_mentions"] = discord.AllowedMentions(users=[])
                try:
                    return await super().send(content, **given)
                finally:
                    for message in chat.messages.values():
                        message.__class__ = PinnableMessage

        return Channel(self, channel)


class Board:
    """The status of a server over a chat in memory."""

    def __init__(self, tables: Tables, clock: Clock, chat: StatusChat) -> None:
        """Nothing is shown yet."""
        self.tables, self.clock, self.chat = tables, clock, chat
        self.status = ServerStatus(cast("discord.Client", chat), tables)

    async def place(self, nonce: int = 1) -> StatusOutcome:
        """Type ``/status here``."""
        return await self.status.place(GUILD, CHANNEL, nonce)

    def message(self) -> PinnableMessage:
        """Return the only message."""
        (found,) = self.chat.messages.values()
        assert isinstance(found, PinnableMessage)
        return found

    async def open(self, seat: int = 0) -> int:
        """Open a lobby."""
        return await open_lobby(self.tables, GAME, request_of(seat))

    async def pass_time(self, seconds: float = UPDATE_INTERVAL) -> None:
        """Let time pass, and do what is due then."""
        self.clock.now += seconds
        await self.status.update_due()


@pytest.fixture
def board(tables: Tables, clock: Clock) -> Board:
    """Return the status of a server without a message."""
    return Board(tables, clock, StatusChat())


async def _fill(board: Board) -> tuple[int, int, int]:
    """Have a lobby, a game and a result; return their numbers."""
    number = await board.open()
    playing = await begin(board.tables, default_setup(GAME, 2))
    over = await begin(board.tables, default_setup(GAME, 2))
    rng = random.Random(1)
    while (await board.tables.get(over)).status is Status.PLAYING:
        await make_move(board.tables, over, rng)
    return number, playing, over


async def test_what_it_shows(board: Board) -> None:
    """Lobbies with **Join** from there, live tables with whose turn it is, and results."""
    number, playing, over = await _fill(board)
    assert await board.place() is StatusOutcome.SHOWN
    text = board.message().content
    assert board.message().is_pinned
    assert f"Currents No. {number}]" in text
    assert "3 of 4 seats free" in text
    assert f"Currents No. {playing}]" in text
    assert "'s turn" in text
    assert f"Currents No. {over}: 1. " in text
    assert labels(board.message()) == [f"Join Currents No. {number}"]


async def test_edits_are_coalesced(board: Board) -> None:
    """Whatever changes, there is one edit a minute, and none where nothing to show has changed."""
    await board.place()
    for seat in range(3):
        await board.open(seat)
        await board.pass_time(1)
    assert board.chat.edits == 0
    await board.pass_time(UPDATE_INTERVAL)
    assert board.chat.edits == 1
    assert len(labels(board.message())) == 3
    board.status.retry(GUILD)
    await board.pass_time()
    await board.pass_time()
    assert board.chat.edits == 1, "it shows the same"


async def test_it_outlives_restarts(board: Board) -> None:
    """The next process edits the same message."""
    await board.place()
    tables = Tables(board.tables.store, EVERY_GAME, board.clock)
    again = Board(tables, board.clock, board.chat)
    await again.open()
    again.status.retry(GUILD)
    await again.pass_time()
    assert len(labels(again.message())) == 1


class Crash(BaseException):
    """The process dies."""


async def _restart(board: Board) -> Board:
    """Return the next process, so much later that Discord has forgotten the nonce."""
    for message in board.chat.messages.values():
        message.nonce = 0
    board.chat.fault = lambda *_: None
    board.clock.now += 3600
    again = Board(Tables(board.tables.store, EVERY_GAME, board.clock), board.clock, board.chat)
    again.status.retry(GUILD)
    return again


@pytest.mark.parametrize("point", ["post", "posted", "pin", "store"])
async def test_a_crash_leaves_no_second_message(
    board: Board, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it dies before or after the message stands: the next process shows and pins one message."""

    def crash(action: str, _: FakeMessage) -> Exception | None:
        if action == point:
            raise Crash
        return None

    change = board.tables.servers.change

    async def crash_in_store(guild: int, make: Callable[[ServerRow], ServerRow], *more: Any) -> ServerRow:
        if make(ServerRow(guild)).status_message is not None:
            raise Crash
        return await change(guild, make, *more)

    board.chat.fault = crash
    if point == "store":
        monkeypatch.setattr(board.tables.servers, "change", crash_in_store)
    with pytest.raises(Crash):
        await board.place()
    assert len(board.chat.messages) == (point != "post")
    again = await _restart(board)
    await again.open()
    await again.pass_time()
    assert again.message().is_pinned
    assert len(labels(again.message())) == 1
    row = await again.tables.servers.get(GUILD)
    assert (row.status_message, row.status_pending_since) == (again.message().id, None)


async def test_a_lost_message_is_removed(board: Board) -> None:
    """An admin who turns it off, or has it elsewhere, leaves none behind."""

    def crash(action: str, _: FakeMessage) -> Exception | None:
        if action == "posted":
            raise Crash
        return None

    board.chat.fault = crash
    with pytest.raises(Crash):
        await board.place()
    again = await _restart(board)
    await again.status.place(GUILD, CHANNEL + 1, 2)
    assert again.message().channel.id == CHANNEL + 1


async def test_a_refused_post_is_not_looked_for(board: Board) -> None:
    """Nothing stands after a refusal, and much may be written until the right comes back."""
    board.chat.fault = lambda action, _: refusal(50013, 403) if action == "post" else None
    await board.place()
    assert (await board.tables.servers.get(GUILD)).status_pending_since is None


async def test_a_deleted_message_is_posted_anew(board: Board) -> None:
    """Somebody deletes it: the next change posts another one, pinned again."""
    await board.place()
    first = board.message()
    await first.delete()
    await board.open()
    await board.pass_time()
    assert board.message().id != first.id or board.message() is not first
    assert board.message().is_pinned
    await board.open(1)
    await board.pass_time()
    assert len(board.chat.messages) == 1


async def test_a_lost_permission_waits_without_a_loop(board: Board) -> None:
    """Nothing is tried again before a permission changes; a channel that is gone ends it."""
    await board.place()
    forbidden = discord.Forbidden(cast("Any", refusal(0).response), {"code": 50001, "message": "no"})
    board.chat.fault = lambda what, _: forbidden if what == "edit" else None
    await board.open()
    await board.pass_time()
    assert board.chat.edits == 1
    for seat in range(1, 4):
        await board.open(seat)
        await board.pass_time(3600)
    assert board.chat.edits == 1
    board.chat.fault = lambda *_: None
    board.status.retry(GUILD)
    await board.pass_time()
    assert len(labels(board.message())) == 4
    board.chat.fault = lambda *_: refusal(ErrorCode.UNKNOWN_CHANNEL)
    await board.open(4)
    await board.pass_time()
    assert (await board.tables.servers.get(GUILD)).status_channel is None


async def test_a_refusal_that_cannot_be_stored(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that fails as a channel is gone holds up no other server: it is tried again."""
    await board.place()

    async def fail(*_: object) -> None:
        raise StoreError("The disk is full.")

    board.chat.fault = lambda *_: refusal(ErrorCode.UNKNOWN_CHANNEL)
    with monkeypatch.context() as patched:
        patched.setattr(board.tables.store, "save_preferences", fail)
        await board.open()
        await board.pass_time()
    assert (await board.tables.servers.get(GUILD)).status_channel == CHANNEL
    await board.pass_time()
    assert (await board.tables.servers.get(GUILD)).status_channel is None


@pytest.mark.parametrize(
    ("what", "error", "outcome"),
    [
        ("pin", lambda: refusal(50013, 403), StatusOutcome.NOT_PINNED),
        ("post", lambda: refusal(0, 500), StatusOutcome.LATER),
        ("post", TimeoutError, StatusOutcome.LATER),
    ],
)
async def test_what_does_not_work_is_reported(
    board: Board, what: str, error: Callable[[], Exception], outcome: StatusOutcome
) -> None:
    """The admin reads whether it is pinned; what fails for now is repeated a minute later."""
    board.chat.fault = lambda action, _: error() if action == what else None
    assert await board.place() is outcome
    board.chat.fault = lambda *_: None
    await board.pass_time()
    assert board.message().content.startswith("**Games in this server**")
    assert outcome in server_status._ANSWERS


async def test_a_channel_that_is_gone_is_reported(board: Board) -> None:
    """The admin is asked for another one."""
    board.chat.fault = lambda *_: refusal(ErrorCode.UNKNOWN_CHANNEL)
    outcome = await board.place()
    assert outcome is StatusOutcome.CHANNEL_GONE
    assert outcome in server_status._ANSWERS


@pytest.mark.parametrize(
    ("error", "event"),
    [
        (refusal(0, 500), "status message delayed"),
        (OSError(), "status message delayed"),
        (refusal(0), "status message refused"),
    ],
)
async def test_an_outage_is_no_refusal(
    board: Board, error: Exception, event: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An operator can tell from the log which of them it was; both are repeated."""
    board.chat.fault = lambda *_: error
    assert await board.place() is StatusOutcome.LATER
    assert event in caplog.messages


async def test_there_is_one_in_a_server(board: Board) -> None:
    """Another place takes it over, and turning it off deletes it."""
    await board.place()
    await board.status.place(GUILD, CHANNEL + 1, 2)
    assert board.message().channel.id == CHANNEL + 1
    assert await board.status.remove(GUILD)
    assert not board.chat.messages
    assert not await board.status.remove(GUILD)
    await board.open()
    await board.pass_time()
    assert not board.chat.messages


async def test_tables_of_hidden_channels_are_left_out(board: Board) -> None:
    """Lobbies, games and results alike; they appear once the channel is opened."""
    await _fill(board)
    board.chat.guild = make_guild({CHANNEL: {}, TABLES: {GUILD: False}}, guild=GUILD)
    await board.place()
    assert "No. " not in board.message().content
    assert not labels(board.message())
    board.chat.guild = make_guild({CHANNEL: {}, TABLES: {}}, guild=GUILD)
    board.status.retry(GUILD)
    await board.pass_time()
    assert [board.message().content.count(f"No. {each}") for each in (1, 2, 3)] == [1, 1, 1]
    shown = games_post(await read_server_tables(board.tables, GUILD, everywhere), EVERY_GAME)
    assert shown.text.startswith("**Being played**")
    assert shown.text.endswith("\n\n**Open lobbies**"), "the lobbies stand below it"
    hidden = await read_server_tables(board.tables, GUILD, lambda _: False)
    assert "No. " not in games_post(hidden, EVERY_GAME).text
    assert not games_post(hidden, EVERY_GAME).rows


@pytest.mark.parametrize("is_known", [True, False])
async def test_a_server_that_is_not_there_is_waited_for(board: Board, *, is_known: bool) -> None:
    """Before the connection is ready, and in an outage, the message stays as it is."""
    await board.open()
    await board.place()
    before, guild = board.message().content, board.chat.guild
    assert guild is not None
    guild.unavailable = is_known
    board.chat.guild = guild if is_known else None
    await board.open(1)
    await board.pass_time()
    assert board.message().content == before
    guild.unavailable, board.chat.guild = False, guild
    board.status.retry(GUILD)
    await board.pass_time()
    assert len(labels(board.message())) == 2
