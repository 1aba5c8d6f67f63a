"""The status message of a server when the bot dies, Discord refuses or fails, or the store does."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import discord
import pytest

from bot.chat import status_commands
from bot.chat.status_messages import StatusOutcome
from bot.error_codes import ErrorCode
from bot.host.tables import Tables
from bot.store.preferences import ServerRow
from bot.store.protocol import StoreError
from tests.bot.chat.guilds import PUBLIC_THREAD_TYPE, make_guild
from tests.bot.host.fake_chat import FakeChannel, FakeMessage, http_error, labels
from tests.bot.host.playing import CHANNEL, GAMES_AND_TOYS, GUILD, ManualClock
from tests.bot.host.server_with_status import STATUS_CHANNEL, ServerWithStatus, StatusChat
from tests.bot.trust.recording_courier import ProcessKilled
from tests.trials import WAIT_TIMEOUT


@pytest.fixture
def server(tables: Tables, clock: ManualClock) -> ServerWithStatus:
    """Return the status of a server without a message."""
    return ServerWithStatus(tables, clock, StatusChat())


async def _restart(server: ServerWithStatus) -> ServerWithStatus:
    """Return the next process, so much later that Discord has forgotten the nonce."""
    for message in server.chat.messages.values():
        message.nonce = 0
    server.chat.fault_of_call = lambda *_: None
    server.clock.now += 3600
    restarted = ServerWithStatus(
        Tables(server.tables.store, GAMES_AND_TOYS, server.clock), server.clock, server.chat
    )
    restarted.updater.retry(GUILD)
    return restarted


@pytest.mark.parametrize("crash_point", ["post", "after_post", "pin", "store"])
async def test_a_crash_leaves_no_second_message(
    server: ServerWithStatus, crash_point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it dies before or after the message stands: the next process shows and pins one message."""

    def crash(action: str, _: FakeMessage) -> Exception | None:
        if action == crash_point:
            raise ProcessKilled
        return None

    change = server.tables.server_preferences.change

    async def crash_in_store(
        guild: int, make: Callable[[ServerRow], ServerRow], *arguments: Any
    ) -> ServerRow:
        if make(ServerRow(guild)).status_message is not None:
            raise ProcessKilled
        return await change(guild, make, *arguments)

    server.chat.fault_of_call = crash
    if crash_point == "store":
        monkeypatch.setattr(server.tables.server_preferences, "change", crash_in_store)
    with pytest.raises(ProcessKilled):
        await server.place_status()
    assert len(server.chat.messages) == (crash_point != "post")
    restarted = await _restart(server)
    await restarted.open_lobby()
    await restarted.pass_time()
    assert restarted.message().is_pinned
    assert len(labels(restarted.message())) == 1
    row = await restarted.tables.server_preferences.get(GUILD)
    assert (row.status_message, row.status_pending_since) == (restarted.message().id, None)


@pytest.mark.parametrize("is_moved", [True, False])
async def test_a_message_posted_before_a_crash_is_removed(
    server: ServerWithStatus, *, is_moved: bool
) -> None:
    """An admin who turns it off, or has it elsewhere, leaves none behind."""

    def crash(action: str, _: FakeMessage) -> Exception | None:
        if action == "after_post":
            raise ProcessKilled
        return None

    server.chat.fault_of_call = crash
    with pytest.raises(ProcessKilled):
        await server.place_status()
    restarted = await _restart(server)
    if is_moved:
        await restarted.updater.place(GUILD, STATUS_CHANNEL + 1, 2)
        assert restarted.message().channel.id == STATUS_CHANNEL + 1
    else:
        assert await restarted.updater.remove(GUILD)
        assert not restarted.chat.messages


async def test_a_refused_post_is_not_looked_for(server: ServerWithStatus) -> None:
    """Nothing stands after a refusal, and much may be written until the right comes back."""
    server.chat.fault_of_call = lambda action, _: (
        http_error(ErrorCode.MISSING_PERMISSIONS, 403) if action == "post" else None
    )
    await server.place_status()
    assert (await server.tables.server_preferences.get(GUILD)).status_pending_since is None


async def test_a_lost_permission_is_not_tried_again_and_again(server: ServerWithStatus) -> None:
    """Nothing is tried again before a permission changes; a channel that is gone ends it."""
    await server.place_status()
    forbidden = discord.Forbidden(
        cast("Any", http_error(0).response), {"code": ErrorCode.MISSING_ACCESS, "message": "no"}
    )
    server.chat.fault_of_call = lambda action, _: forbidden if action == "edit" else None
    await server.open_lobby()
    await server.pass_time()
    assert server.chat.message_lookup_count == 1
    for seat in range(1, 4):
        await server.open_lobby(seat)
        await server.pass_time(3600)
    assert server.chat.message_lookup_count == 1
    server.chat.fault_of_call = lambda *_: None
    server.updater.retry(GUILD)
    await server.pass_time()
    assert len(labels(server.message())) == 4
    server.chat.fault_of_call = lambda *_: http_error(ErrorCode.UNKNOWN_CHANNEL)
    await server.open_lobby(4)
    await server.pass_time()
    assert (await server.tables.server_preferences.get(GUILD)).status_channel is None


async def test_two_channels_at_once_leave_one_message(
    server: ServerWithStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two messages that are asked for at the same time only the later one stands."""
    send, begun, released = FakeChannel.send, asyncio.Event(), asyncio.Event()

    async def send_slowly(channel: FakeChannel, content: str, **keywords: Any) -> FakeMessage:
        begun.set()
        await released.wait()
        return await send(channel, content, **keywords)

    monkeypatch.setattr(FakeChannel, "send", send_slowly)
    first_placing = asyncio.create_task(server.place_status(1))
    second_placing = asyncio.create_task(server.updater.place(GUILD, STATUS_CHANNEL + 1, 2))
    await asyncio.wait_for(begun.wait(), WAIT_TIMEOUT)
    await asyncio.sleep(0.05)
    released.set()
    await asyncio.gather(first_placing, second_placing)
    assert server.message().channel.id == STATUS_CHANNEL + 1


@pytest.mark.parametrize("is_locked", [False, True])
async def test_the_message_goes_on_in_an_archived_thread_that_is_not_locked(
    server: ServerWithStatus, monkeypatch: pytest.MonkeyPatch, *, is_locked: bool
) -> None:
    """The message goes on in a thread that Discord has archived; in a locked one it waits."""
    guild = make_guild({50: {}, CHANNEL: {}}, {STATUS_CHANNEL: (50, PUBLIC_THREAD_TYPE)}, guild_id=GUILD)
    server.chat.guild, thread = guild, guild.get_thread(STATUS_CHANNEL)
    assert thread is not None
    await server.place_status()
    guild._remove_thread(thread)  # as discord.py does once it is archived
    is_archived = True

    async def unarchive(_: discord.Thread, *, archived: bool) -> None:
        nonlocal is_archived
        if is_locked:
            raise discord.Forbidden(
                cast("Any", http_error(0).response), {"code": ErrorCode.MISSING_PERMISSIONS, "message": "no"}
            )
        is_archived = archived

    async def fetch_channel(_: int) -> discord.Thread:
        return thread

    monkeypatch.setattr(discord.Thread, "edit", unarchive)
    monkeypatch.setattr(server.chat, "fetch_channel", fetch_channel)
    server.chat.fault_of_call = lambda action, _: (
        http_error(ErrorCode.THREAD_ARCHIVED, 400) if action == "edit" and is_archived else None
    )
    for seat in range(2):
        await server.open_lobby(seat)
        await server.pass_time()
    assert len(labels(server.message())) == (0 if is_locked else 2)
    assert server.chat.message_lookup_count == (1 if is_locked else 3)


async def test_what_follows_from_a_refusal_is_stored_once_the_store_works_again(
    server: ServerWithStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that fails as a channel is gone ends no updates: a minute later it is tried again."""
    await server.place_status()

    async def fail(*_: object) -> None:
        raise StoreError("The disk is full.")

    server.chat.fault_of_call = lambda *_: http_error(ErrorCode.UNKNOWN_CHANNEL)
    with monkeypatch.context() as patched:
        patched.setattr(server.tables.store, "save_preferences", fail)
        await server.open_lobby()
        await server.pass_time()
    assert (await server.tables.server_preferences.get(GUILD)).status_channel == STATUS_CHANNEL
    await server.pass_time()
    assert (await server.tables.server_preferences.get(GUILD)).status_channel is None


@pytest.mark.parametrize("save_count_before_failure", [0, 1, 2])
async def test_a_new_place_that_is_not_stored_leaves_the_old_one(
    server: ServerWithStatus, monkeypatch: pytest.MonkeyPatch, save_count_before_failure: int
) -> None:
    """An admin who reads that nothing has changed still has the message where it was."""
    await server.place_status()
    save, save_count = server.tables.store.save_preferences, 0

    async def save_some(*arguments: Any) -> None:
        nonlocal save_count
        if save_count == save_count_before_failure:
            raise StoreError("The disk is full.")
        save_count += 1
        await save(*arguments)

    channel = STATUS_CHANNEL + 1
    with monkeypatch.context() as patched:
        patched.setattr(server.tables.store, "save_preferences", save_some)
        try:
            await server.updater.place(GUILD, channel, 2)
        except StoreError:
            channel = STATUS_CHANNEL
            assert server.message().channel.id == STATUS_CHANNEL
    assert (await server.tables.server_preferences.get(GUILD)).status_channel == channel


@pytest.mark.parametrize("code_and_status", [(0, 500), (ErrorCode.MISSING_PERMISSIONS, 403)])
async def test_the_old_message_stays_until_the_new_one_is_posted(
    server: ServerWithStatus, code_and_status: tuple[int, int]
) -> None:
    """A new place that takes no message now leaves the server one; once it does, only the new one stands."""
    await server.place_status()
    old_message = server.message()
    server.chat.fault_of_call = lambda action, _: http_error(*code_and_status) if action == "post" else None
    await server.updater.place(GUILD, STATUS_CHANNEL + 1, 2)
    server.updater.retry(GUILD)
    await server.pass_time()
    assert server.message() is old_message
    server.chat.fault_of_call = lambda *_: None
    server.updater.retry(GUILD)
    await server.pass_time()
    assert server.message().channel.id == STATUS_CHANNEL + 1


@pytest.mark.parametrize(
    ("failing_action", "make_error", "outcome"),
    [
        ("pin", lambda: http_error(ErrorCode.MISSING_PERMISSIONS, 403), StatusOutcome.NOT_PINNED),
        ("pin", lambda: http_error(0, 500), StatusOutcome.LATER),
        ("post", lambda: http_error(0, 500), StatusOutcome.LATER),
        ("post", TimeoutError, StatusOutcome.LATER),
    ],
)
async def test_a_status_message_that_fails_is_reported(
    server: ServerWithStatus, failing_action: str, make_error: Callable[[], Exception], outcome: StatusOutcome
) -> None:
    """The admin reads whether it is pinned; what fails for now is repeated a minute later."""
    server.chat.fault_of_call = lambda action, _: make_error() if action == failing_action else None
    assert await server.place_status() is outcome
    server.chat.fault_of_call = lambda *_: None
    await server.pass_time()
    assert server.message().content.startswith("**Games in this server**")
    assert server.message().is_pinned is (outcome is StatusOutcome.LATER)
    assert outcome in status_commands._OUTCOME_TEXTS


async def test_a_channel_that_is_gone_is_reported(server: ServerWithStatus) -> None:
    """The admin is asked for another one."""
    server.chat.fault_of_call = lambda *_: http_error(ErrorCode.UNKNOWN_CHANNEL)
    outcome = await server.place_status()
    assert outcome is StatusOutcome.CHANNEL_GONE
    assert outcome in status_commands._OUTCOME_TEXTS


@pytest.mark.parametrize(
    ("error", "event"),
    [
        (http_error(0, 500), "status message delayed"),
        (OSError(), "status message delayed"),
        (http_error(0), "status message refused"),
    ],
)
async def test_an_outage_is_no_refusal(
    server: ServerWithStatus, error: Exception, event: str, caplog: pytest.LogCaptureFixture
) -> None:
    """An operator can tell from the log which of them it was; both are repeated."""
    server.chat.fault_of_call = lambda *_: error
    assert await server.place_status() is StatusOutcome.LATER
    assert event in caplog.messages


@pytest.mark.parametrize("is_in_cache", [True, False])
async def test_a_server_that_is_not_there_is_waited_for(
    server: ServerWithStatus, *, is_in_cache: bool
) -> None:
    """Before the connection is ready, and in an outage, the message stays as it is."""
    await server.open_lobby()
    await server.place_status()
    text_before, guild = server.message().content, server.chat.guild
    assert guild is not None
    guild.unavailable = is_in_cache
    server.chat.guild = guild if is_in_cache else None
    await server.open_lobby(1)
    await server.pass_time()
    assert server.message().content == text_before
    guild.unavailable, server.chat.guild = False, guild
    server.updater.retry(GUILD)
    await server.pass_time()
    assert len(labels(server.message())) == 2


@pytest.mark.parametrize("is_moved", [True, False])
async def test_a_message_that_could_not_be_deleted_goes_later(
    server: ServerWithStatus, *, is_moved: bool
) -> None:
    """It is tried again once a permission may be back, also by the next process, and not before."""
    await server.place_status()
    old_message = server.message()
    deletions: list[int] = []

    def refuse_deletion(action: str, message: FakeMessage) -> Exception | None:
        if action == "delete":
            deletions.append(message.id)
            return http_error(ErrorCode.MISSING_ACCESS, 403)
        return None

    server.chat.fault_of_call = refuse_deletion
    if is_moved:
        await server.updater.place(GUILD, STATUS_CHANNEL + 1, 2)
    else:
        assert await server.updater.remove(GUILD)
    for seat in range(3):
        await server.open_lobby(seat)
        await server.pass_time(3600)
    assert deletions == [old_message.id], "nothing has changed that could let it be deleted"
    restarted = await _restart(server)
    await restarted.pass_time()
    assert old_message.id not in restarted.chat.messages
    assert len(restarted.chat.messages) == is_moved
    restarted.chat.fault_of_call = refuse_deletion
    restarted.updater.retry(GUILD)
    await restarted.pass_time()
    assert deletions == [old_message.id], "it is forgotten once it is gone"


async def test_a_deletion_that_fails_for_now_is_repeated(server: ServerWithStatus) -> None:
    """The admin reads that the new message stands, and a minute later it is the only one."""
    await server.place_status()
    server.chat.fault_of_call = lambda action, _: http_error(0, 500) if action == "delete" else None
    assert await server.updater.place(GUILD, STATUS_CHANNEL + 1, 2) is StatusOutcome.SHOWN
    assert len(server.chat.messages) == 2
    server.chat.fault_of_call = lambda *_: None
    await server.pass_time()
    assert server.message().channel.id == STATUS_CHANNEL + 1


@pytest.mark.parametrize("is_moved", [True, False])
async def test_an_old_message_is_deleted_after_a_crash(server: ServerWithStatus, *, is_moved: bool) -> None:
    """The next process deletes the message that was replaced or turned off."""

    def crash(action: str, _: FakeMessage) -> Exception | None:
        if action == "delete":
            raise ProcessKilled
        return None

    await server.place_status()
    old_message = server.message()
    server.chat.fault_of_call = crash
    with pytest.raises(ProcessKilled):
        await (
            server.updater.place(GUILD, STATUS_CHANNEL + 1, 2) if is_moved else server.updater.remove(GUILD)
        )
    restarted = await _restart(server)
    await restarted.pass_time()
    assert old_message.id not in restarted.chat.messages
    assert len(restarted.chat.messages) == is_moved


async def test_a_removal_that_is_stored_is_not_refused(
    server: ServerWithStatus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store that fails once the message is turned off lets no admin read that nothing has changed."""
    await server.place_status()
    save, save_count = server.tables.store.save_preferences, 0

    async def save_once(*arguments: Any) -> None:
        nonlocal save_count
        save_count += 1
        if save_count > 1:
            raise StoreError("The disk is full.")
        await save(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(server.tables.store, "save_preferences", save_once)
        assert await server.updater.remove(GUILD)
    assert save_count == 2, "the store has failed"
    assert (await server.tables.server_preferences.get(GUILD)).status_channel is None
