"""Where the bot may not post, nothing is opened, moved, started or asked, and people read why."""

from __future__ import annotations

import pytest

from bot.local.message_contents import body_text
from bot.local.model import Message
from tests.bot.e2e.observe import read_response, shown_message
from tests.bot.e2e.rig import Rig
from tests.trials import WAIT_TIMEOUT

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("permission", "name"),
    [
        ("VIEW_CHANNEL", "View Channels"),
        ("SEND_MESSAGES", "Send Messages"),
        ("ATTACH_FILES", "Attach Files"),
    ],
)
async def test_no_table_comes_to_where_the_bot_may_not_post(rig: Rig, permission: str, name: str) -> None:
    """A game is neither opened nor moved there: the answer names the one permission that is missing."""
    game = await rig.start_game("Ben", "Chloé")
    admin, ben = rig.member("Ava"), game.people[0]
    closed_channel = rig.world.add_text_channel("closed")
    admin.set_denied_permissions(closed_channel, permission)
    expected = (
        f"I may not post in <#{closed_channel.id}>: my role lacks **{name}** there."
        " An admin can grant it, or you choose another channel."
    )
    table_text = await game.table_text()
    assert await read_response(await ben.command("newgame", game="currents", channel=closed_channel)) == (
        expected
    )
    move = await ben.command("table move", table=game.number, channel=closed_channel)
    assert await read_response(move) == expected
    assert await game.table_text() == table_text
    admin.set_denied_permissions(closed_channel)
    move = await ben.command("table move", table=game.number, channel=closed_channel)
    assert "moved table No." in await read_response(move)


@pytest.mark.parametrize(
    ("permission", "name"), [("SEND_MESSAGES", "Send Messages"), ("ATTACH_FILES", "Attach Files")]
)
async def test_no_game_starts_where_the_bot_may_no_longer_post(rig: Rig, permission: str, name: str) -> None:
    """The host of a lobby reads what is missing, and starts the game once it is granted."""
    game = await rig.open_lobby("Ben", "Chloé")
    admin = rig.member("Ava")
    lobby = await game.lobby_message()
    admin.set_denied_permissions(game.channel, permission)
    assert await read_response(await game.people[0].press(lobby, "Start")) == (
        f"I may not post in <#{game.channel.id}>: my role lacks **{name}** there."
        " An admin can grant it, or the host moves the game with `/table move`."
    )
    admin.set_denied_permissions(game.channel)
    await game.start()


async def test_a_table_where_the_bot_may_no_longer_post_says_so(rig: Rig) -> None:
    """Nobody is told that others were asked; lists and the host's message name what is missing."""
    game = await rig.start_game("Ben", "Chloé")
    admin, ben = rig.member("Ava"), game.people[0]
    channel = game.game_channel
    admin.set_denied_permissions(channel, "SEND_MESSAGES_IN_THREADS")
    reason = f"I may not post in <#{channel.id}>: my role lacks **Send Messages in Threads** there."
    elsewhere = rig.world.text_channels()[0]
    for command in ("table pause", "table show"):
        chloe = rig.member("Chloé", elsewhere)
        answer = body_text(await shown_message(await chloe.command(command, table=game.number)))
        assert f"{reason} An admin can grant it, or the host moves the game with `/table move`." in answer
    list_text = body_text(await shown_message(await ben.command("mygames", channel=elsewhere)))
    (line,) = [each for each in list_text.splitlines() if f"No. {game.number}]" in each]
    assert "I may not post there: my role lacks **Send Messages in Threads**" in line
    await read_response(await ben.command("table pause", table=game.number, channel=elsewhere))

    def is_warning(message: Message) -> bool:
        return f"No. {game.number} is kept" in message.content

    warning = await ben.wait_for_message(is_warning, WAIT_TIMEOUT, channel=ben.dm)
    assert warning.content == (
        f"Table No. {game.number} is kept, but {reason}"
        " An admin can grant it, or you type `/table move` in another channel."
    )


async def test_a_status_message_stays_where_it_is(rig: Rig) -> None:
    """An admin who wants it where the bot may not write reads why, and the old one stays."""
    admin = rig.member("Ava")
    open_channel, closed_channel = rig.world.add_text_channel("open"), rig.world.add_text_channel("closed")
    await read_response(await admin.command("status here", channel=open_channel))
    (status,) = [each for each in admin.messages(open_channel) if "Games in this server" in each.content]
    admin.set_denied_permissions(closed_channel, "SEND_MESSAGES")
    answer = await read_response(await admin.command("status here", channel=closed_channel))
    assert answer.startswith(f"I may not post in <#{closed_channel.id}>: my role lacks **Send Messages**")
    assert status.id in open_channel.messages
    settings_text = await read_response(await admin.command("server show", channel=open_channel))
    assert f"placed the status message in <#{closed_channel.id}>" not in settings_text
    await read_response(await admin.command("status off", channel=open_channel))
