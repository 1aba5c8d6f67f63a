"""The page's sockets: each window sees and does what its person can."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import aiohttp
import pytest

from bot import limits
from bot.local.model import Channel
from bot.local.server import LocalDiscord
from tests.bot.e2e.observe import wait_until
from tests.bot.local.conftest import JsonObject, SampleClient
from tests.trials import WAIT_TIMEOUT


class Window:
    """One open window, as the page's script uses it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.events: list[JsonObject] = []
        """All events so far."""
        self._request_count = 0

    async def next_event(
        self, event_type: str, is_wanted: Callable[[JsonObject], bool] = lambda _: True
    ) -> JsonObject:
        """Return the next event of this type that is wanted."""
        async with asyncio.timeout(WAIT_TIMEOUT):
            while True:
                event: JsonObject = await self._socket.receive_json()
                self.events.append(event)
                if event["type"] == event_type and is_wanted(event):
                    return event

    async def send_request(self, request_type: str, **fields: object) -> str:
        """Send a request; return its nonce."""
        self._request_count += 1
        nonce = f"n{self._request_count}"
        await self._socket.send_json({"type": request_type, "nonce": nonce, **fields})
        return nonce

    async def send_text(self, text: str) -> None:
        """Send a text that may be no request."""
        await self._socket.send_str(text)

    async def wait_for_outcome(self, nonce: str | None) -> JsonObject:
        """Return the event that ends the interaction of this nonce, which may have come already.

        None: the next one of a request without a nonce.
        """

        def is_outcome(event: JsonObject) -> bool:
            return bool(event["nonce"] == nonce and event["state"] != "waiting")

        earlier = [] if nonce is None else [each for each in self.events if each["type"] == "interaction"]
        outcome = next(filter(is_outcome, earlier), None)
        return await self.next_event("interaction", is_outcome) if outcome is None else outcome


@asynccontextmanager
async def open_window(server: LocalDiscord, name: str) -> AsyncIterator[tuple[Window, JsonObject]]:
    """Open a window of this person; yield it with its first event."""
    url = f"{server.page_url}page/socket?as={server.user(name).id}"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        opened = Window(socket)
        yield opened, await opened.next_event("hello")


def lobby_channel(server: LocalDiscord) -> Channel:
    """Return the channel of these tests."""
    return server.world.find_channel("lobby")


async def test_a_new_window_gets_all_that_its_member_sees(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """A new window gets its person, the members, the channels, the commands and the history."""
    client_server.member("Ben").say("ahoy")
    outcome = await client_server.member("Ben").command("pick")
    assert outcome.ephemeral
    async with open_window(client_server, "Ava") as (_, hello):
        assert hello["me"]["name"] == "Ava"
        assert [each["name"] for each in hello["members"]] == [
            *("Ava", "Ben", "Chloé", "Dimitri", "Elif", "Farid"),
            "Captain's Table",
        ]
        assert [each["name"] for each in hello["channels"]] == ["lobby", "tables", "games"]
        assert {each["name"] for each in hello["commands"]} >= {"count", "table"}
        history = hello["messages"][str(lobby_channel(client_server).id)]
        assert [each["content"] for each in history] == ["ahoy"]
        assert hello["me"]["dms_closed"] is False


async def test_a_command_in_one_window_is_seen_in_another(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """Everybody gets the response to a command, only one person an ephemeral one."""
    async with (
        open_window(client_server, "Ava") as (ava, hello),
        open_window(client_server, "Ben") as (ben, _),
    ):
        ids = {each["name"]: each["id"] for each in hello["commands"]}
        channel_id = str(lobby_channel(client_server).id)
        options = [{"type": 4, "name": "start", "value": "3"}]
        nonce = await ava.send_request(
            "command", channel_id=channel_id, command_id=ids["count"], name="count", options=options
        )
        assert (await ava.wait_for_outcome(nonce))["state"] == "done"
        board = (await ben.next_event("message"))["message"]
        assert board["interaction"]["name"] == "count"
        async with (
            aiohttp.ClientSession() as session,
            session.get(board["embeds"][0]["image"]["url"]) as picture,
        ):
            assert picture.status == 200
        message_ids = {"channel_id": channel_id, "message_id": board["id"]}
        await ben.send_request("press", custom_id="count:3", **message_ids)
        assert (await ava.next_event("message_update"))["message"]["content"] == "counted 4"
        await ben.send_request(
            "command", channel_id=channel_id, command_id=ids["pick"], name="pick", options=[]
        )
        private_message = (await ben.next_event("message"))["message"]
        assert private_message["flags"] & 64
        select = private_message["components"][0]["components"][0]["custom_id"]
        message_ids["message_id"] = private_message["id"]
        await ben.send_request("choose", custom_id=select, values=["7"], **message_ids)
        assert (await ben.next_event("message_update"))["message"]["content"] == "took 7"
        await ben.send_request("dismiss", **message_ids)
        assert (await ben.next_event("message_delete"))["id"] == private_message["id"]
        await ava.send_request("say", channel_id=channel_id, content="end")
        await ava.next_event("message", lambda event: event["message"]["content"] == "end")
        assert private_message["id"] not in str(ava.events)


async def test_suggestions_and_forms_reach_the_window_that_asked(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """Choices have their request's nonce; a modal opens and is submitted."""
    async with open_window(client_server, "Ava") as (ava, hello):
        ids = {each["name"]: each["id"] for each in hello["commands"]}
        channel_id = str(lobby_channel(client_server).id)
        word = {"type": 3, "name": "word", "value": "b", "focused": True}
        options = [{"type": 1, "name": "whisper", "options": [word]}]
        request_fields = {
            "channel_id": channel_id,
            "command_id": ids["table"],
            "name": "table",
            "options": options,
        }
        nonce = await ava.send_request("autocomplete", **request_fields)
        answer = await ava.next_event("autocomplete")
        assert (answer["nonce"], answer["choices"]) == (nonce, [{"name": "Belay", "value": "belay"}])
        await ava.send_request(
            "command", channel_id=channel_id, command_id=ids["form"], name="form", options=[]
        )
        modal = await ava.next_event("modal")
        field = modal["components"][0]["component"]
        filled = [{"type": 18, "component": {"type": 4, "custom_id": field["custom_id"], "value": "e4"}}]
        modal_ids = {"interaction_id": modal["interaction_id"], "custom_id": modal["custom_id"]}
        nonce = await ava.send_request("submit", components=filled, **modal_ids)
        assert (await ava.next_event("message"))["message"]["content"] == "you wrote e4"
        assert (await ava.wait_for_outcome(nonce))["state"] == "done"


async def test_failures_are_sent_with_a_reason(
    client_server: LocalDiscord, client: SampleClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing response, an invalid request and an impossible one all fail with a reason."""
    monkeypatch.setattr(limits, "FIRST_RESPONSE_SECONDS", 0.1)
    async with open_window(client_server, "Ava") as (ava, hello):
        ids = {each["name"]: each["id"] for each in hello["commands"]}
        channel_id = str(lobby_channel(client_server).id)
        silent_nonce = await ava.send_request(
            "command", channel_id=channel_id, command_id=ids["mute"], name="mute", options=[]
        )
        lost_nonce = await ava.send_request("press", channel_id=channel_id, message_id="1", custom_id="x")
        assert (await ava.wait_for_outcome(lost_nonce))["reason"] == "This message was deleted."
        strange_nonce = await ava.send_request("fly")
        assert (await ava.wait_for_outcome(strange_nonce))["state"] == "failed"
        silent_outcome = await ava.wait_for_outcome(silent_nonce)
        assert (silent_outcome["state"], silent_outcome["reason"]) == (
            "failed",
            "The application did not respond",
        )


async def test_malformed_requests_fail_alone(client_server: LocalDiscord, client: SampleClient) -> None:
    """A request that is no JSON, no object or of wrong types fails, and the window goes on."""
    async with open_window(client_server, "Ava") as (ava, hello):
        ids = {each["name"]: each["id"] for each in hello["commands"]}
        channel_id = str(lobby_channel(client_server).id)
        texts = ["{", "[]", "7", "[" * 9_999, '{"type": "say"}', '{"type": "press", "channel_id": null}']
        texts += ['{"type": "press", "channel_id": Infinity}', '{"type": "press", "channel_id": 1e999}']
        for text in texts:
            await ava.send_text(text)
            assert (await ava.wait_for_outcome(None))["state"] == "failed"
        command = {"channel_id": channel_id, "command_id": ids["count"]}
        for options in (7, ["start"], [{"value": 3}]):
            nonce = await ava.send_request("command", **command, options=options)
            assert (await ava.wait_for_outcome(nonce))["state"] == "failed"
        nonce = await ava.send_request("command", **command, options=[])
        assert (await ava.wait_for_outcome(nonce))["state"] == "done"


async def test_settings_and_acts_of_admins_change_the_world(
    client_server: LocalDiscord, client: SampleClient
) -> None:
    """DMs, permissions, archiving, deleting and leaving change the world and the other windows."""
    world = client_server.world
    async with open_window(client_server, "Ava") as (ava, _), open_window(client_server, "Ben") as (ben, _):
        channel = lobby_channel(client_server)
        await ben.send_request("settings", dms_closed=True)
        await ava.next_event("people", lambda event: any(each["dms_closed"] for each in event["members"]))
        assert world.find_user("Ben").dms_closed
        await ava.send_request("permissions", channel_id=str(channel.id), deny=["SEND_MESSAGES"])
        await ava.next_event("channel")
        bot_channel, bot_member = client.guilds[0].text_channels[0], client.guilds[0].me
        await wait_until(
            lambda: None if bot_channel.permissions_for(bot_member).send_messages else True,
            awaited="the denied permission",
        )
        thread = world.start_thread(channel, world.bot, "Currents")
        await ava.send_request("archive", channel_id=str(thread.id), archived=True, locked=True)
        await ben.next_event(
            "channel", lambda event: event["channel"].get("thread_metadata", {}).get("locked")
        )
        await ava.send_request("delete_channel", channel_id=str(thread.id))
        assert (await ben.next_event("channel_delete"))["id"] == str(thread.id)
        await ben.send_request("leave")
        hello_after_leaving = await ben.next_event("hello")
        assert hello_after_leaving["channels"] == []
        await ben.send_request("open_dm", user_id=str(world.bot.id))
        await ben.next_event("channel", lambda event: event["channel"]["type"] == 1)
        await ben.send_request("rejoin")
        assert len((await ben.next_event("hello"))["channels"]) == 4


@pytest.mark.parametrize("user", ["1", "bot", "x"])
async def test_only_members_have_a_window(client_server: LocalDiscord, user: str) -> None:
    """Strangers and the bot get no window; a name in place of an id opens that of the server's owner."""
    user_id = str(client_server.world.bot.id) if user == "bot" else user
    url = f"{client_server.page_url}page/socket?as={user_id}"
    async with aiohttp.ClientSession() as session:
        if user == "x":
            async with session.ws_connect(url) as socket:
                assert (await socket.receive_json())["me"]["name"] == "Ava"
        else:
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await session.ws_connect(url)
