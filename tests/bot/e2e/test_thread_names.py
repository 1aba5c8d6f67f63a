"""The names of threads: the bot changes only those that it gave to its own threads."""

from __future__ import annotations

import pytest

from bot.local import world
from bot.local.permissions import BOT_PERMISSIONS, Permission
from tests.bot.e2e.observe import read_response, shown_message
from tests.bot.e2e.rig import Rig

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("action", ["opened", "named"])
async def test_a_thread_that_somebody_else_opened_or_named_keeps_its_name(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """Even if the name of a person's own thread begins as the bot's do, and the bot may rename any thread."""
    monkeypatch.setattr(world, "BOT_PERMISSIONS", BOT_PERMISSIONS | Permission.MANAGE_THREADS)
    game = await rig.start_game("Ben", "Chloé")
    thread = game.game_channel
    if action == "named":
        rig.world.change_thread(thread, name="Our game")
    else:
        ben = game.person("Ben")
        ben.channel = thread = rig.world.start_thread(game.channel, ben.user, thread.name)
        assert "moved table" in await read_response(await ben.command("table move", table=game.number))
    name = thread.name
    chloe = game.person("Chloé")
    question = await shown_message(await chloe.command("table replace", seat="B", table=game.number))
    assert "gives seat B" in await read_response(await chloe.press(question, "Give my seat away"))
    await rig.wait_until_sent()
    assert thread.name == name
