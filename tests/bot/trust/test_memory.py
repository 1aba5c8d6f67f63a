"""P15: what was answered is not kept in memory."""

import gc

import discord
import pytest

from bot.local.model import Channel, Message
from bot.local.server import LocalDiscord
from bot.store.sqlite import SqliteStore
from rules.catalogue import GAMES
from tests.bot.e2e.observe import custom_ids_by_verb, read_response, shown_message, wait_until
from tests.bot.local.conftest import restored_discord_addresses
from tests.bot.trust.in_process_bot import in_process_bot
from tests.bot.trust.viewer_visit import hash_pictures
from tests.trials import IS_SOAK

__all__ = ["restored_discord_addresses"]


@pytest.mark.usefixtures("restored_discord_addresses")
async def test_no_buttons_or_forms_stay_in_memory(store: SqliteStore) -> None:
    """discord.py keeps neither the buttons of a private page nor a form that was sent."""
    earlier_objects = _views_and_forms()  # of other tests in this process
    with hash_pictures():
        async with in_process_bot(store) as (server, _):
            for game in list(GAMES)[:: 1 if IS_SOAK else 2]:
                assert await _open_pages(server, game), "no form was opened"
            await wait_until(
                lambda: True if {*map(id, _views_and_forms())} <= {*map(id, earlier_objects)} else None,
                awaited="memory without buttons and forms",
            )


async def _open_pages(server: LocalDiscord, game_key: str) -> int:
    """Begin a game of two people; open their hands, panels and forms.  Return how many forms there were."""
    channel = server.world.add_text_channel(game_key)
    host, guest = server.member("Ava"), server.member("Ben")
    host.channel = guest.channel = channel
    await read_response(await host.command("newgame", game=game_key))
    lobby = await _wait_for_message_with_button(server, channel, "start")
    await read_response(await guest.press(lobby, "Join"))
    for _ in range(GAMES[game_key].player_counts[0] - 2):
        await read_response(await host.press(lobby, "Add Casual computer"))
    await read_response(await host.press(lobby, "Start"))
    board = await _wait_for_message_with_button(server, channel, "play")
    form_count = 0
    for member in (host, guest):
        member.channel = board.channel
        if GAMES[game_key].hidden_information:
            await read_response(await member.press(board, "My hand"))
        panel = await shown_message(await member.press(board, "Play"))
        if "type" in custom_ids_by_verb(panel):
            form_count += 1
            form = await member.press(panel, "Type a move")
            await read_response(await member.submit(form, {"line": "nonsense"}))
            await member.press(panel, "Type a move")  # and is closed again, which Discord does not tell
    return form_count


async def _wait_for_message_with_button(server: LocalDiscord, channel: Channel, verb: str) -> Message:
    """Wait for a public message with a button, in a channel or its threads."""

    def find_message() -> Message | None:
        places = [each for each in server.world.channels.values() if channel in (each, each.parent)]
        messages = [each for place in places for each in place.messages.values() if not each.ephemeral]
        return next((each for each in messages if verb in custom_ids_by_verb(each)), None)

    return await wait_until(find_message, awaited=f"a message to {verb}")


def _views_and_forms() -> list[object]:
    """Return the forms and the views, which hold the buttons of a message, that are in memory."""
    gc.collect()
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, discord.ui.View | discord.ui.LayoutView | discord.ui.Modal)
    ]
