"""The page's sockets: each window sees and does what its person can."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from bot.local.model import Channel
from bot.local.server import LocalDiscord
from tests.bot.local.conftest import SampleClient

JsonObject = dict[str, Any]


class Window:
    """One open window, as the page's script uses it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.others: list[JsonObject] = []
        self._number = 0

    async def next(self, kind: str, fits: Callable[[JsonObject], bool] = lambda _: True) -> JsonObject:
        """Return the next message of this type that fits; others are kept in `others`."""
        async with asyncio.timeout(5):
            while True:
                message: JsonObject = await self._socket.receive_json()
                self.others.append(message)
                if message["type"] == kind and fits(message):
                    return message

    async def ask(self, kind: str, **fields: object) -> str:
        """Send a request; gives its nonce."""
        self._number += 1
        nonce = f"n{self._number}"
        await self._socket.send_json({"type": kind, "nonce": nonce, **fields})
        return nonce

    async def ends(self, nonce: str) -> JsonObject:
        """Return how the interaction of this nonce went."""
        return await self.next("interaction", lambda one: one["nonce"] == nonce and one["state"] != "waiting")


@asynccontextmanager
async def window(server: LocalDiscord, name: str) -> AsyncIterator[tuple[Window, JsonObject]]:
    """Open a window of this person; yield it with its first message."""
    url = f"{server.page_url}page/socket?as={server.user(name).id}"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        opened = Window(socket)
        yield opened, await opened.next("hello")


def lobby(server: LocalDiscord) -> Channel:
    """Return the id of the channel of these tests."""
    return server.world.find_channel("lobby")


async def test_the_first_message(discord_server: LocalDiscord, client: SampleClient) -> None:
    """A new window gets its person, the members, the channels, the commands and the history."""
    discord_server.member("Ben").say("ahoy")
    outcome = await discord_server.member("Ben").command("pick")
    assert outcome.ephemeral
    async with window(discord_server, "Ava") as (_, hello):
        assert hello["me"]["name"] == "Ava"
        assert [one["name"] for one in hello["members"]] == [
            *("Ava", "Ben", "Chloé", "Dimitri", "Elif", "Farid"),
            "Captain's Table",
        ]
        assert [one["name"] for one in hello["channels"]] == ["lobby", "tables", "games"]
        assert {one["name"] for one in hello["commands"]} >= {"count", "table"}
        history = hello["messages"][str(lobby(discord_server).id)]
        assert [one["content"] for one in history] == ["ahoy"]
        assert hello["dms_closed"] is False


async def test_a_command_in_one_window_is_seen_in_another(
    discord_server: LocalDiscord, client: SampleClient
) -> None:
    """Everybody gets the response to a command, only one person an ephemeral one."""
    async with window(discord_server, "Ava") as (ava, hello), window(discord_server, "Ben") as (ben, _):
        ids = {one["name"]: one["id"] for one in hello["commands"]}
        place = str(lobby(discord_server).id)
        options = [{"type": 4, "name": "start", "value": "3"}]
        nonce = await ava.ask(
            "command", channel_id=place, command_id=ids["count"], name="count", options=options
        )
        assert (await ava.ends(nonce))["state"] == "done"
        board = (await ben.next("message"))["message"]
        assert board["interaction"]["name"] == "count"
        async with (
            aiohttp.ClientSession() as session,
            session.get(board["embeds"][0]["image"]["url"]) as picture,
        ):
            assert picture.status == 200
        about = {"channel_id": place, "message_id": board["id"]}
        await ben.ask("press", custom_id="count:3", **about)
        assert (await ava.next("message_update"))["message"]["content"] == "counted 4"
        await ben.ask("command", channel_id=place, command_id=ids["pick"], name="pick", options=[])
        secret = (await ben.next("message"))["message"]
        assert secret["flags"] & 64
        select = secret["components"][0]["components"][0]["custom_id"]
        about["message_id"] = secret["id"]
        await ben.ask("choose", custom_id=select, values=["7"], **about)
        assert (await ben.next("message_update"))["message"]["content"] == "took 7"
        await ben.ask("dismiss", **about)
        assert (await ben.next("message_delete"))["id"] == secret["id"]
        await ava.ask("say", channel_id=place, content="end")
        await ava.next("message", lambda one: one["message"]["content"] == "end")
        assert secret["id"] not in str(ava.others)


async def test_autocompletion_and_modal(discord_server: LocalDiscord, client: SampleClient) -> None:
    """Choices have their request's nonce; a modal opens and is submitted."""
    async with window(discord_server, "Ava") as (ava, hello):
        ids = {one["name"]: one["id"] for one in hello["commands"]}
        place = str(lobby(discord_server).id)
        word = {"type": 3, "name": "word", "value": "b", "focused": True}
        options = [{"type": 1, "name": "whisper", "options": [word]}]
        asked = {"channel_id": place, "command_id": ids["table"], "name": "table", "options": options}
        nonce = await ava.ask("autocomplete", **asked)
        answer = await ava.next("autocomplete")
        assert (answer["nonce"], answer["choices"]) == (nonce, [{"name": "Belay", "value": "belay"}])
        await ava.ask("command", channel_id=place, command_id=ids["form"], name="form", options=[])
        modal = await ava.next("modal")
        field = modal["components"][0]["component"]
        filled = [{"type": 18, "component": {"type": 4, "custom_id": field["custom_id"], "value": "e4"}}]
        about = {"interaction_id": modal["interaction_id"], "custom_id": modal["custom_id"]}
        nonce = await ava.ask("submit", components=filled, **about)
        assert (await ava.next("message"))["message"]["content"] == "you wrote e4"
        assert (await ava.ends(nonce))["state"] == "done"


async def test_failures_are_sent_with_a_reason(discord_server: LocalDiscord, client: SampleClient) -> None:
    """A missing response, an invalid request and an impossible one all fail with a reason."""
    async with window(discord_server, "Ava") as (ava, hello):
        ids = {one["name"]: one["id"] for one in hello["commands"]}
        place = str(lobby(discord_server).id)
        silent = await ava.ask("command", channel_id=place, command_id=ids["mute"], name="mute", options=[])
        lost = await ava.ask("press", channel_id=place, message_id="1", custom_id="x")
        assert (await ava.ends(lost))["reason"] == "This message was deleted."
        strange = await ava.ask("fly")
        assert (await ava.ends(strange))["state"] == "failed"
        end = await ava.ends(silent)
        assert (end["state"], end["reason"]) == ("failed", "The application did not respond")


async def test_settings_and_admin(discord_server: LocalDiscord, client: SampleClient) -> None:
    """DMs, permissions, archiving, deleting and leaving change the world and the other windows."""
    world = discord_server.world
    async with window(discord_server, "Ava") as (ava, _), window(discord_server, "Ben") as (ben, _):
        place = lobby(discord_server)
        await ben.ask("settings", dms_closed=True)
        await ava.next("people", lambda one: any(each["dms_closed"] for each in one["members"]))
        assert world.find_user("Ben").dms_closed
        await ava.ask("permissions", channel_id=str(place.id), deny=["SEND_MESSAGES"])
        await ava.next("channel")
        assert not client.guilds[0].text_channels[0].permissions_for(client.guilds[0].me).send_messages
        thread = world.start_thread(place, world.bot, "Currents")
        await ava.ask("archive", channel_id=str(thread.id), archived=True, locked=True)
        await ben.next("channel", lambda one: one["channel"].get("thread_metadata", {}).get("locked"))
        await ava.ask("delete_channel", channel_id=str(thread.id))
        assert (await ben.next("channel_delete"))["id"] == str(thread.id)
        await ben.ask("leave")
        gone = await ben.next("hello")
        assert gone["channels"] == []
        await ben.ask("open_dm", user_id=str(world.bot.id))
        await ben.next("channel", lambda one: one["channel"]["type"] == 1)
        await ben.ask("rejoin")
        assert len((await ben.next("hello"))["channels"]) == 4


@pytest.mark.parametrize("who", ["1", "bot", "x"])
async def test_only_members_have_a_window(discord_server: LocalDiscord, who: str) -> None:
    """Strangers and the bot get no window, nor does a name in place of an id."""
    wanted = str(discord_server.world.bot.id) if who == "bot" else who
    url = f"{discord_server.page_url}page/socket?as={wanted}"
    async with aiohttp.ClientSession() as session:
        if who == "x":
            async with session.ws_connect(url) as socket:
                assert (await socket.receive_json())["me"]["name"] == "Ava"
        else:
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(url)
