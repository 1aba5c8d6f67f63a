"""The options of a lobby: forms, and the page between them."""

from __future__ import annotations

import pytest

from bot.local.message_contents import controls, has_button
from bot.local.model import Message
from tests.bot.e2e.live_game import LiveGame
from tests.bot.e2e.observe import open_form, read_response, shown_message
from tests.bot.e2e.rig import Rig

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def wait_for_lobby_text(game: LiveGame, text: str) -> Message:
    """Return the lobby's message once it says this."""
    return await game.newest_message(lambda message: text in message.content and game.is_named_in(message))


async def test_one_form_holds_all_options(rig: Rig) -> None:
    """A game with few options opens its form at once; what is submitted is set and shown in the lobby."""
    channel = rig.world.add_text_channel("options-oceans")
    ava = rig.member("Ava", channel)
    number = int((await read_response(await ava.command("newgame", game="oceans"))).split()[2])
    game = LiveGame(rig, number, channel, [ava])
    form = await open_form(ava, await game.lobby_message(), "Change options")
    assert form.modal["title"] == f"Options of table No. {number}"
    answer_text = await read_response(await ava.submit(form, {"reef": ["quick"], "deep": "easy"}))
    assert "The options are set." in answer_text
    assert "**Quick**: on" in answer_text
    await wait_for_lobby_text(game, "Quick: on. About half the population: a game half as long.")


async def test_many_options_are_set_in_several_forms_of_one_page(rig: Rig) -> None:
    """A game with many options has a page with a button for each form; it shows what has been set."""
    game = await rig.open_lobby("Ben", "Chloé")
    ben, chloe = game.people
    lobby = await game.lobby_message()
    assert "Only the host (Ben)" in await read_response(await chloe.press(lobby, "Change options"))
    page = await shown_message(await ben.press(lobby, "Change options"))
    button_ids = [control["custom_id"] for control in controls(page)]
    assert len(button_ids) == 2
    forms = [await open_form(ben, page, custom_id=custom_id) for custom_id in button_ids]
    answer = await ben.submit(forms[0], {"board": "triangle"})
    assert (await shown_message(answer)).id == page.id, "the page is changed in place"
    answer = await ben.submit(forms[1], {"obstacles": "rocks", "turn_cap": "100"})
    assert "**Turn cap**: 100" in await read_response(answer)
    lobby = await wait_for_lobby_text(game, "Turn cap: 100. After this many turns of all players together")
    assert "Board: triangle. For exactly three players." in lobby.content


async def test_options_stay_after_the_start(rig: Rig) -> None:
    """A form that was opened before the start is refused after it, and its page opens no other."""
    game = await rig.open_lobby("Ben", "Chloé")
    ben = game.people[0]
    lobby = await game.lobby_message()
    page = await shown_message(await ben.press(lobby, "Change options"))
    form = await open_form(ben, page, custom_id=controls(page)[0]["custom_id"])
    await game.start()
    answer = await ben.submit(form, {"board": "triangle"})
    assert "already started" in await read_response(answer)
    assert not has_button(await shown_message(answer), "Change (1 of 2)")
