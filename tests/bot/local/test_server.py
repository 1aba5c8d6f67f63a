"""The stand-in as a server: its address, the hook for requests, and the files that it keeps."""

from __future__ import annotations

import asyncio
import socket

import aiohttp
import psutil
import pytest

from bot.local.access import LOOPBACK_ADDRESS
from bot.local.messages import Upload
from bot.local.server import LocalDiscord
from tests.bot.local.conftest import SendRequest, make_png
from tests.trials import WAIT_TIMEOUT


async def test_the_server_listens_on_loopback_only() -> None:
    """The stand-in listens on no other address."""
    async with LocalDiscord() as server:
        addresses = [
            each.laddr.ip
            for each in psutil.Process().net_connections("tcp")
            if each.status == psutil.CONN_LISTEN and each.laddr.port == server.port
        ]
    assert addresses == ["127.0.0.1"]


@pytest.mark.parametrize("step_count", range(4))
async def test_a_stop_closes_a_connection_just_made(step_count: int) -> None:
    """A connection is closed, however many steps of the event loop before the stop it was made."""
    server = LocalDiscord()
    await server.start()
    with socket.create_connection((LOOPBACK_ADDRESS, server.port), timeout=WAIT_TIMEOUT) as connection:
        for _ in range(step_count):
            await asyncio.sleep(0)
        await server.stop()
        assert connection.recv(1) == b""


async def test_the_hook_gets_every_request() -> None:
    """The hook gets method, template, path, query, body and files of each request."""
    requests: list[tuple[object, ...]] = []
    async with LocalDiscord(on_request=lambda *request: requests.append(request)) as server:
        channel = server.world.find_channel("lobby").id
        headers = {"Authorization": f"Bot {server.bot_token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            form = aiohttp.FormData(quote_fields=False)
            form.add_field("payload_json", '{"content":"x"}', content_type="application/json")
            form.add_field("files[0]", make_png(), filename="a b.png", content_type="image/png")
            await session.post(f"{server.api_url}/channels/{channel}/messages?wait=1", data=form)
            await session.get(f"{server.api_url}/gateway")
    files = {"files[0]": Upload("a_b.png", "image/png", make_png())}
    template = "/channels/{channel_id}/messages"
    path = f"/channels/{channel}/messages"
    assert requests == [
        ("POST", template, path, {"wait": "1"}, {"content": "x"}, files),
        ("GET", "/gateway", "/gateway", {}, None, {}),
    ]


async def test_a_missing_route_is_404(server: LocalDiscord, caplog: pytest.LogCaptureFixture) -> None:
    """A route that does not exist is 404 and logged, so that a bot that needs it is noticed."""
    async with aiohttp.ClientSession() as session, session.get(server.api_url + "/voice/regions") as response:
        assert response.status == 404
    assert [record.getMessage() for record in caplog.records] == ["no such route here: GET /voice/regions"]


async def test_old_files_are_dropped(
    server: LocalDiscord, send_request: SendRequest, messages_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the newest files keep their bytes, so that a long session's memory stays bounded."""
    monkeypatch.setattr("bot.local.world.MAX_FILES", 2)
    for _ in range(3):
        await send_request("POST", messages_path, {}, (make_png(),))
    files = [message.attachments[0] for message in server.member("Ava").messages()]
    assert [file.data is not None for file in files] == [False, True, True]
    assert {file.size for file in files} == {len(make_png())}
    channel = server.member("Ava").channel.id
    assert server.world.find_attachment(channel, files[0].id) is None
    assert server.world.find_attachment(channel, files[2].id) is files[2]


async def test_files_that_messages_show_are_dropped_last(
    server: LocalDiscord, send_request: SendRequest, messages_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that an edit or a deletion removes is not counted; one that an edit leaves is new again."""
    monkeypatch.setattr("bot.local.world.MAX_FILES", 2)
    for _ in range(2):
        await send_request("POST", messages_path, {}, (make_png(),))
    kept_message, other_message = server.member("Ava").messages()
    for _ in range(3):
        await send_request("PATCH", f"{messages_path}/{other_message.id}", {"attachments": []}, (make_png(),))
    await send_request("PATCH", f"{messages_path}/{kept_message.id}", {"content": "Your turn."})
    await send_request("POST", messages_path, {}, (make_png(),))
    assert [message.attachments[0].data is not None for message in server.member("Ava").messages()] == [
        True,
        False,
        True,
    ]
    await send_request("DELETE", f"{messages_path}/{server.member('Ava').latest().id}")
    await send_request("POST", messages_path, {}, (make_png(),))
    assert kept_message.attachments[0].data is not None
    (channel,) = [each for each in server.world.channels.values() if each.name == "games"]
    await send_request("POST", f"/channels/{channel.id}/messages", {}, (make_png(),))
    server.world.delete_channel(channel)
    newest_message = server.member("Ava").latest()
    await send_request("POST", messages_path, {}, (make_png(),))
    assert newest_message.attachments[0].data is not None
