"""Moves that take long: made if their answer can be shown, else not; named if it was lost (P4)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import pytest_asyncio

from bot.local.faults import InjectedFault
from bot.local.members import InteractionFailed
from tests.bot.e2e.live_game import LiveGame
from tests.bot.e2e.observe import read_response, response_limit, wait_until
from tests.bot.e2e.platform_faults import CALLBACK_ROUTE, delay_interactions
from tests.bot.e2e.rig import Rig
from tests.bot.e2e.slow_bot import MOVE_SECONDS
from tests.trials import WAIT_TIMEOUT

pytestmark = pytest.mark.asyncio(loop_scope="module")

UNKNOWN_INTERACTION = 10062
"""Discord's code for an interaction that takes no answer any more."""
UNKNOWN_WEBHOOK = 10015
"""Discord's code for a deferred response that can no longer be edited."""
EDIT_RESPONSE_ROUTE = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"
"""Discord's route for editing the response that was deferred."""


async def _prepare_move(game: LiveGame) -> Callable[[], Awaitable[str]]:
    """Return a function that types a legal move for the seat to act and reads the response."""
    actor = game.require_member_to_act(await game.current_board())
    move = (await actor.autocomplete("play", "move"))[0]["value"]

    async def play() -> str:
        return await read_response(await actor.command("play", at_once="true", move=move))

    return play


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def slow_rig(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rig]:
    """Yield a bot that takes long over each move."""
    rig = Rig(tmp_path_factory.mktemp("slow"))
    rig.program = ("-m", "tests.bot.e2e.slow_bot")
    async with rig.running():
        yield rig


@pytest.mark.parametrize("delay", [0.0, 1.0], ids=["refused before the move", "while the move waits"])
async def test_a_move_that_cannot_be_answered_is_not_made(slow_rig: Rig, delay: float) -> None:
    """A slow move whose deferral is refused is not made; one whose deferral is accepted is."""
    game = await slow_rig.start_game("Ava", "Ben")
    move_count, play = await game.count_moves(), await _prepare_move(game)
    fault = slow_rig.discord.faults.add(
        InjectedFault(
            "POST",
            CALLBACK_ROUTE,
            status=404,
            code=UNKNOWN_INTERACTION,
            message="Unknown interaction",
            delay=delay,
        )
    )
    with response_limit(), pytest.raises(InteractionFailed):
        await play()
    await wait_until(lambda: fault.hit_count or None, awaited="a deferral")
    await asyncio.sleep(MOVE_SECONDS - 1.0)
    assert fault.hit_count == 1
    assert await game.count_moves() == move_count
    assert "went wrong" not in await play()
    assert await game.count_moves() == move_count + 1


async def test_a_slow_move_that_comes_late_is_answered(slow_rig: Rig) -> None:
    """What reaches the bot a second old and takes long is answered in time nevertheless, and made.

    A busy machine may delay one answer by as much as a bot that always answers late.
    """
    game = await slow_rig.start_game("Ava", "Ben")
    move_count = await game.count_moves()
    for _ in range(5):
        play = await _prepare_move(game)
        with response_limit(), delay_interactions(slow_rig, 1.35), contextlib.suppress(InteractionFailed):
            assert "went wrong" not in await play()
            break
    else:
        pytest.fail("always answered too late")
    assert await game.count_moves() == move_count + 1


@pytest.mark.trust_test("T14")
@pytest.mark.parametrize("crashes", [False, True])
async def test_a_move_whose_answer_is_lost_is_named(slow_rig: Rig, *, crashes: bool) -> None:
    """A slow move whose answer is lost after the deferral is named by the board and the next answer."""
    game = await slow_rig.start_game("Ava", "Ben")
    move_number = await game.count_moves() + 1
    actor = game.require_member_to_act(await game.current_board())
    move = (await actor.autocomplete("play", "move"))[0]["value"]
    fault = slow_rig.discord.faults.add(
        InjectedFault("PATCH", EDIT_RESPONSE_ROUTE, status=404, code=UNKNOWN_WEBHOOK)
    )
    await actor.command("play", at_once="true", move=move)
    recorded = f"{actor.user.name}, your move was recorded (move {move_number})."
    await game.message_with(recorded)
    assert fault.hit_count == 1
    if crashes:
        await slow_rig.kill()
        await slow_rig.start()
    text = await read_response(await actor.command("board", table=game.number))
    missed = f"You may have missed this (No. {game.number}): your move was recorded (move {move_number})."
    assert text.startswith(missed)
    async with asyncio.timeout(WAIT_TIMEOUT):  # until the bot has noted that it has shown this
        while missed in text:
            text = await read_response(await actor.command("board", table=game.number))
    assert "You may have missed" not in text
