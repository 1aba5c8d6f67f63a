"""An unmodified discord.py client works against the stand-in."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import aiohttp
import discord
import pytest

from bot import limits
from bot.local.client_input import ClientRefusal
from bot.local.faults import FaultMode, InjectedFault
from bot.local.interactions import CallbackType
from bot.local.members import InteractionFailed
from bot.local.message_contents import message_text
from bot.local.model import ChannelType
from bot.local.server import LocalDiscord
from bot.local.world import DISCORD_EPOCH_MS
from tests.bot.e2e.observe import RESPONSE_SECONDS, wait_until
from tests.bot.local.conftest import SampleClient, run_client
from tests.trials import WAIT_TIMEOUT

FOLLOWUP_ROUTE = "/webhooks/{webhook_id}/{webhook_token}"
MESSAGES_ROUTE = "/channels/{channel_id}/messages"


async def test_a_command_is_answered_with_a_picture(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """The response to a slash command has its text, button and picture, and the picture can be fetched."""
    ava = client_server.member("Ava")
    outcome = await ava.command("count", start=4)
    assert "counted" in outcome.text
    assert not outcome.ephemeral
    assert outcome.message in client_server.member("Ben").messages(ava.channel)
    (file,) = outcome.message.attachments
    assert (file.width, file.height, file.description) == (3, 2, "The board")
    url = f"{client_server.cdn_url}/attachments/{ava.channel.id}/{file.id}/board.png"
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        assert response.content_type == "image/png"
        assert await response.read() == file.data


async def test_an_interaction_has_discords_fields(client_server: LocalDiscord, client: SampleClient) -> None:
    """The client reads user, permissions, channel, locale, context and age from an interaction."""
    ava, ben = client_server.member("Ava"), client_server.member("Ben")
    began_ms = time.time_ns() // 10**6
    await ben.command("count")
    await ava.command("count", channel=ava.dm)
    in_guild, in_dm = client.interactions
    assert isinstance(in_guild.user, discord.Member)
    assert in_guild.user.display_name == "Ben"
    assert in_guild.permissions.use_application_commands
    assert in_guild.app_permissions.send_messages
    assert in_guild.guild is not None
    assert in_guild.guild.name == "The Harbour"
    assert in_guild.guild_locale is discord.Locale.british_english
    assert in_guild.context.guild
    assert isinstance(in_guild.channel, discord.TextChannel)
    assert began_ms <= in_guild.created_at.timestamp() * 1000 <= time.time() * 1000
    assert isinstance(in_dm.user, discord.User)
    assert in_dm.guild is None
    assert in_dm.context.dm_channel
    assert isinstance(in_dm.channel, discord.DMChannel)


async def test_a_button_outlives_the_client(client_server: LocalDiscord) -> None:
    """A dynamic item responds after a restart of the client, and its edit replaces the picture."""
    ava = client_server.member("Ava")
    async with run_client(client_server):
        message = (await ava.command("count", start=4)).message
        await ava.press(message, "Count 4")
        assert message.content == "counted 5"
    async with run_client(client_server):
        outcome = await ava.press(message, "Count 5")
    assert outcome.message is message
    assert message.content == "counted 6"
    assert [file.width for file in message.attachments] == [6]
    with pytest.raises(ClientRefusal):
        await ava.press(message, "Count 5")


async def test_a_select_changes_its_ephemeral_message(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """Only its owner sees an ephemeral message, and a select on it can edit it."""
    ben = client_server.member("Ben")
    offered = await ben.command("pick")
    assert offered.ephemeral
    assert offered.message not in client_server.member("Ava").messages()
    await ben.choose(offered.message, "Card 24")
    assert offered.message.content == "took 24"
    assert not offered.message.components


async def test_a_modal_is_filled_in(client_server: LocalDiscord, client: SampleClient) -> None:
    """A modal opens as the initial response, and what is written arrives."""
    ava = client_server.member("Ava")
    opened = await ava.command("form")
    assert opened.modal["title"] == "Notation"
    with pytest.raises(ClientRefusal):
        await ava.submit(opened, {"": "x" * 81})
    answer = await ava.submit(opened, {"": "e2 e4"})
    assert answer.text == "you wrote e2 e4"
    assert answer.ephemeral


@pytest.mark.parametrize("is_secret", [True, False])
async def test_a_deferral_keeps_its_visibility(
    client_server: LocalDiscord, client: SampleClient, *, is_secret: bool
) -> None:
    """The first follow-up fills in the loading message and is ephemeral or public as that was."""
    ava = client_server.member("Ava")
    outcome = await ava.command("slow", secret=is_secret)
    assert outcome.response.callback_type is CallbackType.DEFERRED_MESSAGE
    message = await outcome.wait_until_loaded()
    assert message.content == "at last"
    assert message.ephemeral is is_secret
    more = await ava.wait_for_message(lambda one: one.content == "and more")
    assert more.ephemeral
    assert len(ava.messages()) == 2


async def test_a_subcommand_completes_and_writes_a_dm(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """Autocompletion offers matching choices, a user option resolves, only that person gets the DM."""
    ava, ben = client_server.member("Ava"), client_server.member("Ben")
    choices = await ava.autocomplete("table whisper", "word", "a", to=ben.user.id)
    assert [choice["value"] for choice in choices] == ["ahoy", "avast"]
    with pytest.raises(ClientRefusal):
        await ava.autocomplete("table whisper", "to", "")
    outcome = await ava.command("table whisper", to=ben.user.id, word="ahoy")
    assert (await outcome.wait_until_loaded()).content == "sent"
    letter = await ben.wait_for_message(lambda one: one.channel.type is ChannelType.DM)
    assert letter.content == "Ava says ahoy"
    assert letter not in ava.messages(letter.channel)


@pytest.mark.parametrize(("has_left", "code"), [(False, 50007), (True, 50278)])
async def test_dms_may_be_refused(
    client_server: LocalDiscord, client: SampleClient, *, has_left: bool, code: int
) -> None:
    """Closed DMs and people who left are refused with Discord's codes, and accepted again afterwards."""
    ava, ben = client_server.member("Ava"), client_server.member("Ben")
    user = await client.fetch_user(ben.user.id)
    if has_left:
        ben.leave()
    else:
        ben.set_dms_closed(closed=True)
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("hello")
    assert refused.value.code == code
    if has_left:
        ben.rejoin()
    else:
        ben.set_dms_closed(closed=False)
    await user.send("hello")
    await ben.wait_for_message(lambda one: one.content == "hello")
    assert not ava.messages(ben.dm)


async def test_members_are_found_by_id(client_server: LocalDiscord, client: SampleClient) -> None:
    """A request for members by their ids finds people and the bot, but nobody who has left."""
    ben, guild = client_server.member("Ben"), client.guilds[0]
    ids = [ben.user.id, client_server.world.bot.id]
    assert [each.id for each in await guild.query_members(user_ids=ids)] == ids
    ben.leave()
    assert [each.id for each in await guild.query_members(user_ids=ids)] == ids[1:]


async def test_a_command_without_response_fails_after_three_seconds(
    client_server: LocalDiscord, client: SampleClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command without a response fails after three seconds, here less, and a later response is refused."""
    assert RESPONSE_SECONDS == 3
    monkeypatch.setattr(limits, "FIRST_RESPONSE_SECONDS", 0.1)
    with pytest.raises(InteractionFailed, match="did not respond"):
        await client_server.member("Ava").command("mute")
    await wait_until(lambda: client.interactions or None, awaited="the command")
    with pytest.raises(discord.NotFound) as refused:
        await client.interactions[0].response.send_message("too late")
    assert refused.value.code == 10062


async def test_there_is_one_initial_response(client_server: LocalDiscord, client: SampleClient) -> None:
    """A second initial response is 40060."""
    await client_server.member("Ava").command("count")
    interaction = client.interactions[0]
    interaction.response._response_type = None  # as another copy of the bot would see it
    with pytest.raises(discord.HTTPException) as refused:
        await interaction.response.send_message("again")
    assert refused.value.code == 40060


async def test_a_thread_can_be_archived_and_starts_only_once(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """A thread starts from a message, is archived, refuses edits, is unarchived, and starts only once."""
    ava = client_server.member("Ava")
    guild = client.guilds[0]
    parent = guild.text_channels[0]
    message = await parent.send("a game")
    thread = await message.create_thread(name="Currents", auto_archive_duration=10080)
    assert thread.id == message.id
    with pytest.raises(discord.HTTPException) as twice:
        await message.create_thread(name="Currents")
    assert twice.value.code == 160004
    await thread.add_user(discord.Object(ava.user.id))
    board = await thread.send("board")
    channel = client_server.world.channels[thread.id]
    assert ava.user.id in channel.members
    ava.set_archived(channel)
    with pytest.raises(discord.HTTPException) as asleep:
        await board.edit(content="new board")
    assert asleep.value.code == 50083
    await thread.edit(archived=False)
    await board.edit(content="new board")
    assert ava.latest(channel).content == "new board"
    ava.set_archived(channel, locked=True)
    with pytest.raises(discord.Forbidden) as locked:
        await thread.send("anyone?")
    assert locked.value.code == 160005
    ava.delete_channel(channel)
    with pytest.raises(discord.NotFound) as gone:
        await thread.send("anyone?")
    assert gone.value.code == 10003


async def test_denied_permissions_are_refused(client_server: LocalDiscord, client: SampleClient) -> None:
    """A denied permission is 50013, an invisible channel 50001, until the denial ends."""
    ava = client_server.member("Ava")
    channel = client.guilds[0].text_channels[0]
    for names, code in ((("SEND_MESSAGES",), 50013), (("VIEW_CHANNEL",), 50001)):
        ava.set_denied_permissions(ava.channel, *names)
        with pytest.raises(discord.Forbidden) as refused:
            await channel.send("hello")
        assert refused.value.code == code
    ava.set_denied_permissions(ava.channel)
    await channel.send("hello")


async def test_the_bot_is_removed_and_invited(client_server: LocalDiscord, client: SampleClient) -> None:
    """The client learns that it was removed, its requests are refused, and an invitation ends both."""
    ava = client_server.member("Ava")
    channel = client.guilds[0].text_channels[0]
    removed = asyncio.create_task(client.wait_for("guild_remove", timeout=WAIT_TIMEOUT))
    joined = asyncio.create_task(client.wait_for("guild_join", timeout=WAIT_TIMEOUT))
    await asyncio.sleep(0)
    ava.remove_bot()
    await removed
    with pytest.raises(discord.Forbidden):
        await channel.send("hello")
    ava.invite_bot()
    await joined
    await channel.send("hello")


async def test_mentions_follow_allowed_mentions(client_server: LocalDiscord, client: SampleClient) -> None:
    """Only those whom `allowed_mentions` allows are mentioned; @everyone never is."""
    ava, ben = client_server.member("Ava"), client_server.member("Ben")
    channel = client.guilds[0].text_channels[0]
    text = f"<@{ava.user.id}> <@{ben.user.id}> @everyone"
    silent = await channel.send(text)
    assert not silent.mentions
    mentioning = await channel.send(
        text, allowed_mentions=discord.AllowedMentions(users=[discord.Object(ben.user.id)])
    )
    assert [user.id for user in mentioning.mentions] == [ben.user.id]
    assert not mentioning.mention_everyone


async def test_attachments_are_kept_added_and_replaced(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """An edit that lists attachments replaces them, another one adds; files in embeds are not listed."""

    def file(name: str) -> discord.File:
        return discord.File(__file__, name)

    channel = client.guilds[0].text_channels[0]
    message = await channel.send("board", file=file("a.txt"))
    message = await message.edit(attachments=[file("b.txt")])
    assert [one.filename for one in message.attachments] == ["b.txt"]
    message = await message.edit(attachments=[*message.attachments, file("c.txt")])
    assert [one.filename for one in message.attachments] == ["b.txt", "c.txt"]
    embed = discord.Embed(title="x").set_image(url="attachment://c.txt")
    message = await message.edit(embed=embed)
    assert [one.filename for one in message.attachments] == ["b.txt"]
    assert message.embeds[0].image.url is not None
    message = await message.edit(embed=None)
    assert [one.filename for one in message.attachments] == ["b.txt", "c.txt"]


async def test_a_replaced_picture_can_still_be_fetched(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """A page that loads a picture while its message is edited gets it; a deleted message's is gone."""
    channel = client.guilds[0].text_channels[0]
    posted = await channel.send("board", file=discord.File(__file__, "a.txt"))
    edited = await posted.edit(attachments=[discord.File(__file__, "b.txt")])
    async with aiohttp.ClientSession() as session:
        for message in (posted, edited):
            async with session.get(message.attachments[0].url) as response:
                assert (await response.read()) == Path(__file__).read_bytes()
        await edited.delete()
        async with session.get(edited.attachments[0].url) as response:
            assert response.status == 404


async def test_a_layout_shows_its_picture(client_server: LocalDiscord, client: SampleClient) -> None:
    """A layout's gallery refers to the uploaded picture, and its flag stays."""
    outcome = await client_server.member("Ava").command("layout")
    assert outcome.text == "hello <@1>"
    channel = client.get_partial_messageable(outcome.message.channel.id)
    fetched = await channel.fetch_message(outcome.message.id)
    assert fetched.flags.components_v2
    (box,) = fetched.components
    assert isinstance(box, discord.Container)
    _, gallery = box.children
    assert isinstance(gallery, discord.MediaGalleryComponent)
    assert gallery.items[0].media.url.startswith(client_server.cdn_url)
    with pytest.raises(discord.HTTPException) as refused:
        await fetched.edit(content="plain")
    assert refused.value.code == 50035


async def test_a_lost_response_doubles_follow_ups_alone(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """A repeated message has the same nonce and is posted once; a repeated follow-up is posted twice."""
    ava = client_server.member("Ava")
    fault = client_server.faults.add(InjectedFault("POST", MESSAGES_ROUTE, status=502, mode="after"))
    await client.guilds[0].text_channels[0].send("once")
    assert fault.hit_count == 1
    assert [one.content for one in ava.messages()] == ["once"]
    await ava.command("count")
    client_server.faults.add(InjectedFault("POST", FOLLOWUP_ROUTE, status=502, mode="after"))
    await client.interactions[0].followup.send("twice")
    assert [one.content for one in ava.messages()].count("twice") == 2


async def test_a_fault_may_wait_for_a_text(client_server: LocalDiscord, client: SampleClient) -> None:
    """Only a request with this text in its JSON meets the fault."""
    ava, channel = client_server.member("Ava"), client.guilds[0].text_channels[0]
    fault = InjectedFault("POST", MESSAGES_ROUTE, status=403, request_text='"second"')
    client_server.faults.add(fault)
    await channel.send("first")
    with pytest.raises(discord.Forbidden):
        await channel.send("second")
    assert fault.hit_count == 1
    assert [one.content for one in ava.messages()] == ["first"]


async def test_a_cut_connection_is_an_aiohttp_error(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """Cut before its effect nothing is posted, cut after it the message stays; both raise the same error."""
    ava, channel = client_server.member("Ava"), client.guilds[0].text_channels[0]
    posted_so_far_by_mode: dict[FaultMode, list[str]] = {
        "cut": [],
        "cut_after": ["cut_after"],
        "cut_body": ["cut_after", "cut_body"],
    }
    for mode, posted in posted_so_far_by_mode.items():
        client_server.faults.add(InjectedFault("POST", MESSAGES_ROUTE, mode=mode))
        with pytest.raises((aiohttp.ClientError, OSError)):
            await channel.send(mode)
        assert [one.content for one in ava.messages()] == posted


async def test_the_client_waits_after_a_429(client_server: LocalDiscord, client: SampleClient) -> None:
    """A 429 has Via and retry_after, so that the client waits and repeats."""
    fault = InjectedFault(
        "POST",
        MESSAGES_ROUTE,
        max_hit_count=2,
        status=429,
        message="You are being rate limited.",
        retry_after=0.3,
    )
    client_server.faults.add(fault)
    began = time.monotonic()
    await client.guilds[0].text_channels[0].send("patience")
    assert time.monotonic() - began >= 0.6


async def test_a_lost_connection_is_resumed(client_server: LocalDiscord, client: SampleClient) -> None:
    """The session resumes and gets the missed events; a replay sends them twice."""
    ava = client_server.member("Ava")
    client_server.gateway.cut_connections()
    outcome = await ava.command("count")
    assert outcome.message.content == "counted"
    await asyncio.wait_for(client.resumed.wait(), WAIT_TIMEOUT)
    assert client_server.gateway.replay_events(1, "INTERACTION_CREATE") == 1
    async with asyncio.timeout(WAIT_TIMEOUT):
        while len(client.interactions) < 2:  # noqa: ASYNC110 - the client has no event for it
            await asyncio.sleep(0.01)
    assert client.interactions[0].id == client.interactions[1].id


async def test_a_requested_reconnection_is_resumed(client_server: LocalDiscord, client: SampleClient) -> None:
    """A client that is asked to reconnect resumes at once."""
    client_server.gateway.request_reconnect()
    await asyncio.wait_for(client.resumed.wait(), WAIT_TIMEOUT)


async def test_a_wrong_token_and_privileged_intents_are_refused(client_server: LocalDiscord) -> None:
    """A wrong token is refused by REST and Gateway, and privileged intents close with 4014."""
    client = discord.Client(intents=discord.Intents.none())
    with pytest.raises(discord.LoginFailure):
        await client.login("wrong")
    await client.close()
    client = discord.Client(intents=discord.Intents.all())
    with pytest.raises(discord.PrivilegedIntentsRequired):
        await client.start(client_server.bot_token)
    await client.close()
    async with aiohttp.ClientSession() as session, session.ws_connect(client_server.gateway_url) as socket:
        assert (await socket.receive_json())["op"] == 10
        await socket.send_json({"op": 2, "d": {"token": "wrong", "intents": 1}})
        await socket.receive()
        assert socket.close_code == 4004


async def test_ids_are_real_snowflakes(client_server: LocalDiscord, client: SampleClient) -> None:
    """Ids increase and contain the time."""
    began_ms = time.time_ns() // 10**6
    sent = [(await client.guilds[0].text_channels[0].send(str(number))).id for number in range(3)]
    assert sent == sorted(set(sent))
    assert began_ms <= (sent[0] >> 22) + DISCORD_EPOCH_MS <= time.time() * 1000


async def test_every_click_gets_its_own_response(client_server: LocalDiscord, client: SampleClient) -> None:
    """Thirty clicks one after the other: each waits for the response to itself, with its picture."""
    ava = client_server.member("Ava")
    message = (await ava.command("count")).message
    for number in range(30):
        await ava.press(message, f"Count {number}")
        assert message_text(message).startswith(f"counted {number + 1}")
        assert [file.width for file in message.attachments] == [number + 1]
