"""What goes wrong on the way to people, and what then happens."""

from __future__ import annotations

import asyncio
import os

import psutil
import pytest

from bot.drawing_process import PROCESS_COUNT
from bot.local.api_errors import JsonObject
from bot.local.faults import InjectedFault
from bot.local.interactions import CallbackType
from bot.local.message_contents import controls, has_button
from bot.local.model import Message
from tests.bot.e2e.live_game import choose_through_hand
from tests.bot.e2e.observe import custom_ids_by_verb, ply_of, read_response, shown_message, wait_until
from tests.bot.e2e.platform_faults import (
    CALLBACK_ROUTE,
    MESSAGE_ROUTE,
    MESSAGES_ROUTE,
    count_moves_once_connected,
)
from tests.bot.e2e.rig import Rig, board_plies
from tests.trials import WAIT_TIMEOUT, cases

pytestmark = pytest.mark.asyncio(loop_scope="module")


# Direct messages


@pytest.mark.soak_only  # test_platform_faults.py plays with closed messages
async def test_closed_direct_messages_are_announced_once(rig: Rig) -> None:
    """A player with closed DMs reads so once, publicly; My hand works and comes by DM once they are open."""
    ida = rig.member("Ida")
    ida.set_dms_closed(closed=True)
    game = await rig.start_game("Ida", "Jon")
    notice = await game.newest_message(lambda message: "cannot send you direct messages" in message.content)
    assert "Ida" in notice.content
    assert not notice.mentions
    for _ in range(6):
        await game.make_move()
    ida = game.person("Ida")
    for _ in range(2):
        hand = await shown_message(await ida.press(await game.current_board(), "My hand"))
        assert hand.ephemeral
        assert hand.attachments
        await asyncio.sleep(0.2)  # time to try, and to fail, to write directly
    closed_text = "cannot send you direct messages"
    assert sum(closed_text in message.content for message in game.public_messages()) == 1
    assert not ida.messages(ida.dm)
    ida.set_dms_closed(closed=False)
    await read_response(await ida.press(await game.current_board(), "My hand"))
    await ida.wait_for_message(lambda message: "Your hand" in message.content, channel=ida.dm)
    while game.require_member_to_act(await game.current_board()).user is not ida.user:
        await game.make_move()
    await choose_through_hand(game, ida)
    await game.next_board()


# Drawing processes


@pytest.mark.skipif(os.cpu_count() == 1, reason="with one processor the bot draws")
async def test_boards_have_pictures_after_drawing_processes_are_killed(rig: Rig) -> None:
    """When the drawing processes are killed, the next boards have their pictures, and the log says so."""
    game = await rig.start_game("Ava", "Ben")
    await game.make_move()
    assert rig.process is not None
    drawing_processes = psutil.Process(rig.process.pid).children()
    assert len(drawing_processes) == PROCESS_COUNT
    for process in drawing_processes:
        process.kill()
    for _ in range(4):
        await game.make_move()
    assert (await game.current_board()).attachments
    assert '"drawing process ended: the bot draws"' in rig.log()
    assert "game frozen" not in rig.log()


# Messages, threads and rights


async def test_a_deleted_board_comes_again(rig: Rig) -> None:
    """A board that somebody deleted is posted again by /board at once, and by the next move."""
    game = await rig.start_game("Ava", "Ben")
    board = await game.current_board()
    rig.member("Ava").delete_message(board)
    ben = rig.member("Ben", board.channel)
    await read_response(await ben.command("board"))
    reposted_board = await game.next_board(after_ply=game.last_seen_ply - 1)
    assert reposted_board is not None
    assert reposted_board is not board
    assert not reposted_board.mentions, "nobody is pinged twice for one turn"
    rig.member("Ava").delete_message(reposted_board)
    await choose_through_hand(game, game.require_member_to_act(reposted_board))
    assert await game.next_board() is not None


async def test_a_game_without_its_thread_goes_on_where_it_is_moved(rig: Rig) -> None:
    """Without its thread the table is kept, its host gets one DM, and it goes on where it is moved."""
    game = await rig.start_game("Ben", "Chloé")
    board = await game.current_board()
    thread, ben = game.game_channel, rig.member("Ben", game.channel)
    assert thread.is_thread
    rig.member("Ava").delete_channel(thread)
    await choose_through_hand(game, game.require_member_to_act(board))
    notice = await ben.wait_for_message(
        lambda message: "is kept" in message.content and f"No. {game.number}" in message.content,
        WAIT_TIMEOUT,
        channel=ben.dm,
    )
    assert "/table move" in notice.content
    assert "moved" in await read_response(await ben.command("table move", table=game.number))
    next_board = await game.next_board()
    assert next_board is not None
    assert next_board.channel is game.channel
    await game.make_move()
    kept_text = f"No. {game.number} is kept"
    assert sum(kept_text in message.content for message in ben.messages(ben.dm)) == 1


@pytest.mark.parametrize("locked", [False, True])
async def test_a_board_wakes_its_thread_or_comes_in_the_channel_if_it_is_locked(
    rig: Rig, *, locked: bool
) -> None:
    """A sleeping thread is woken; where it is locked as well, the board is posted in the channel above it."""
    game = await rig.start_game("Ben", "Chloé")
    board = await game.current_board()
    ava = rig.member("Ava")
    thread = game.game_channel
    ava.set_archived(thread, locked=locked)
    await choose_through_hand(game, game.require_member_to_act(board))
    next_board = await game.next_board()
    assert next_board is not None
    assert next_board.channel is (game.channel if locked else thread)
    assert thread.archived is locked
    assert f"Played in <#{next_board.channel.id}>" in await game.table_text()
    await choose_through_hand(game, game.require_member_to_act(next_board))
    assert await game.next_board() is not None


async def test_a_game_goes_on_without_the_right_to_post(rig: Rig) -> None:
    """Without the right to post, moves go on in DMs and the host reads so; /board works once it is back."""
    game = await rig.start_game("Ben", "Chloé")
    board = await game.current_board()
    ava, ben = rig.member("Ava"), rig.member("Ben")
    ava.set_denied_permissions(game.game_channel, "SEND_MESSAGES_IN_THREADS", "ATTACH_FILES")
    move_count = await game.count_moves()
    await choose_through_hand(game, game.require_member_to_act(board))
    notice = await ben.wait_for_message(
        lambda message: f"No. {game.number} is kept" in message.content, WAIT_TIMEOUT, channel=ben.dm
    )
    assert "Send Messages in Threads" in notice.content
    assert await game.count_moves() == move_count + 1
    thread = board.channel
    ava.set_denied_permissions(thread)
    ben.channel = thread
    await read_response(await ben.command("board"))
    next_board = await game.next_board()
    assert next_board is not None
    assert await game.count_moves() == move_count + 1


async def test_without_the_right_to_open_threads_games_share_no_channel(rig: Rig) -> None:
    """Where no thread may be opened the game stays in the channel, and a second one there is refused."""
    channel = rig.world.add_text_channel("no-threads")
    rig.member("Ava").set_denied_permissions(channel, "CREATE_PUBLIC_THREADS")
    game = await rig.start_game("Ben", "Chloé", channel=channel)
    assert game.game_channel is channel
    second_game = await rig.open_lobby("Ben", "Dimitri", channel=channel)
    refusal = await read_response(
        await second_game.people[0].press(await second_game.lobby_message(), "Start")
    )
    assert "Another game is going on" in refusal
    assert has_button(await second_game.lobby_message(), "Join")
    await game.make_move()
    await game.make_move()
    assert game.game_channel is channel


# The connection


CONNECTION_FAULTS = {
    "post 500": InjectedFault("*", MESSAGES_ROUTE, status=500),
    "post 502 after": InjectedFault("*", MESSAGES_ROUTE, status=502, mode="after"),
    "post cut": InjectedFault("*", MESSAGES_ROUTE, mode="cut"),
    "post cut after": InjectedFault("*", MESSAGES_ROUTE, mode="cut_after"),
    "post 429": InjectedFault(
        "*", MESSAGES_ROUTE, status=429, retry_after=0.3, message="You are being rate limited."
    ),
    "edit 500": InjectedFault("*", MESSAGE_ROUTE, status=500, max_hit_count=2),
    "edit cut": InjectedFault("*", MESSAGE_ROUTE, mode="cut"),
    "edit cut after": InjectedFault("*", MESSAGE_ROUTE, mode="cut_after"),
    "edit 429": InjectedFault(
        "*", MESSAGE_ROUTE, status=429, retry_after=0.3, message="You are being rate limited."
    ),
}


@pytest.mark.parametrize("name", cases(CONNECTION_FAULTS, "post 502 after", "edit cut after", "edit 429"))
async def test_a_board_arrives_once(rig: Rig, name: str) -> None:
    """With any fault of the post the newest board arrives, never twice, never an older one later."""
    fault = CONNECTION_FAULTS[name]
    game = await rig.start_game("Ava", "Ben")
    await game.wait_for_hands()  # so that the next thing sent is a board
    rig.discord.faults.add(fault)
    for _ in range(3):
        await game.make_move()
    assert fault.hit_count >= 1
    posted = board_plies(rig, game)
    assert posted == sorted(set(posted)), posted


async def test_a_lost_answer_doubles_no_post(rig: Rig) -> None:
    """A board that was posted, but whose answer was lost, is not posted again by the second attempt."""
    game = await rig.start_game("Ava", "Ben")
    await game.wait_for_hands()
    attempt_count = rig.requests.count(("POST", MESSAGES_ROUTE))
    fault = rig.discord.faults.add(InjectedFault("POST", MESSAGES_ROUTE, mode="cut_after"))
    await game.make_move()
    assert fault.hit_count == 1
    await wait_until(
        lambda: rig.requests.count(("POST", MESSAGES_ROUTE)) >= attempt_count + 2 or None,
        awaited="a second attempt",
    )
    await asyncio.sleep(0.2)
    posted = board_plies(rig, game)
    assert len(posted) == len(set(posted)) == 2
    await game.make_move()
    assert board_plies(rig, game) == sorted(set(board_plies(rig, game)))


async def test_no_answer_waits_for_another_while_discord_is_slow(rig: Rig) -> None:
    """While Discord takes no answer yet, all of eight presses at once are answered."""
    game = await rig.start_game("Ava", "Ben")
    board = await game.current_board()
    released = asyncio.Event()
    fault = rig.discord.faults.add(
        InjectedFault("POST", CALLBACK_ROUTE, status=0, until=released, max_hit_count=8)
    )
    member = game.require_member_to_act(board)
    presses = [asyncio.ensure_future(member.press(board, "My hand")) for _ in range(8)]
    await wait_until(lambda: fault.hit_count == 8 or None, awaited="eight answers")
    assert not any(press.done() for press in presses)
    released.set()
    for press in presses:
        assert "Your hand" in await read_response(await press)


@pytest.mark.parametrize("verb", ["step", "do"])
async def test_a_deferral_of_another_delivery_is_filled_in(rig: Rig, verb: str) -> None:
    """A press that arrives twice shows its page, also where its other delivery was deferred."""
    game = await rig.start_game("Ava", "Ben")
    member = game.require_member_to_act(board := await game.current_board())
    panel = await shown_message(await member.press(board, "Play"))
    if verb == "do":
        panel = await shown_message(await member.press(panel, custom_id=_custom_id_of(panel, "step")))
    interactions, dispatch = rig.discord.interactions, rig.discord.interactions._dispatch

    def dispatch_after_deferral(payload: JsonObject) -> None:
        deferral = {"type": CallbackType.DEFERRED_UPDATE.value}
        interactions.accept_callback(int(payload["id"]), payload["token"], deferral, {})
        dispatch(payload)

    interactions._dispatch = dispatch_after_deferral
    try:
        panel = await shown_message(await member.press(panel, custom_id=_custom_id_of(panel, verb)))
    finally:
        interactions._dispatch = dispatch
    assert has_button(panel, "Play it") is (verb == "step")


def _custom_id_of(message: Message, verb: str) -> str:
    """Return the custom id of a message's first button with a verb."""
    return str(next(each["custom_id"] for each in controls(message) if f":{verb}:" in each["custom_id"]))


async def test_no_press_counts_twice_after_the_gateway_breaks(rig: Rig) -> None:
    """After a cut and a call to reconnect the bot goes on; replayed presses move nothing twice."""
    game = await rig.start_game("Ava", "Ben")
    for break_kind in ("cut", "request_reconnect", "replay"):
        move_count = await game.count_moves()
        await game.make_move()
        if break_kind == "cut":
            rig.discord.gateway.cut_connections()
        elif break_kind == "request_reconnect":
            rig.discord.gateway.request_reconnect()
        else:
            assert rig.discord.gateway.replay_events(3, "INTERACTION_CREATE")
            await asyncio.sleep(0.3)
        await wait_until(lambda: rig.discord.gateway.is_connected or None, awaited="the bot's return")
        await wait_until(lambda: (rig.process and rig.process.poll() is None) or None)
        assert await count_moves_once_connected(game) == move_count + 1
    assert custom_ids_by_verb(await game.current_board())
    assert ply_of(await game.current_board()) >= game.last_seen_ply
