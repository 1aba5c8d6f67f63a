"""A stand-in server and a small discord.py client against it, over real sockets."""

from __future__ import annotations

import asyncio
import io
import json
import struct
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar

import aiohttp
import discord
import pytest
import yarl
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.local import world
from bot.local.permissions import BOT_PERMISSIONS, Permission
from bot.local.server import LocalDiscord
from tests.bot.e2e.observe import response_limit, wait_until
from tests.bot.host.playing import ManualClock
from tests.trials import WAIT_TIMEOUT

COMPONENTS_V2_FLAG = 1 << 15
JsonObject = dict[str, Any]
SendRequest = Callable[..., Awaitable[tuple[int, Any]]]


def make_png(width: int = 3, height: int = 2, colour: bytes = b"\xff\0\0") -> bytes:
    """Return a valid picture of one colour: a byte each of red, green and blue."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + colour * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def error_paths(errors: JsonObject, prefix: str = "") -> set[str]:
    """Return the dotted paths of the fields that a 50035 names."""
    paths = set()
    for key, value in errors.items():
        if key == "_errors":
            assert all(set(error) == {"code", "message"} for error in value)
            paths.add(prefix.rstrip("."))
        else:
            paths |= error_paths(value, f"{prefix}{key}.")
    return paths


V = TypeVar("V", bound=discord.ui.View | discord.ui.Modal)


def store_view(interaction: discord.Interaction, view: V) -> V:
    """Let the client know a form or view before it is sent; return it.

    discord.py stores it once Discord has answered, when somebody may have pressed already.
    """
    interaction.client._connection.store_view(view)
    return view


class CountButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"count:(?P<number>\d+)"):
    """A button that counts; its state is in its id, so it outlives the client."""

    def __init__(self, number: int) -> None:
        super().__init__(discord.ui.Button(label=f"Count {number}", custom_id=f"count:{number}"))
        self.number = number

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction, __: Any, match: Any, /) -> CountButton:
        """Read the count from the id."""
        return cls(int(match["number"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Count one more."""
        view = discord.ui.View(timeout=None).add_item(CountButton(self.number + 1))
        file = discord.File(io.BytesIO(make_png(self.number + 1)), "board.png", description="The board")
        await interaction.response.edit_message(
            content=f"counted {self.number + 1}", attachments=[file], view=view
        )


class MoveForm(discord.ui.Modal, title="Notation"):
    """A modal with one field."""

    move: discord.ui.Label[Any] = discord.ui.Label(text="Move", component=discord.ui.TextInput(max_length=80))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Repeat what was written."""
        assert isinstance(self.move.component, discord.ui.TextInput)
        await interaction.response.send_message(f"you wrote {self.move.component.value}", ephemeral=True)


class SampleClient(discord.Client):
    """A client with one command of each kind that the bot has."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.05,  # nothing but the one guild is awaited
        )
        self.tree = app_commands.CommandTree(self)
        self.interactions: list[discord.Interaction] = []
        self.resumed = asyncio.Event()
        _add_commands(self.tree)

    async def setup_hook(self) -> None:
        """Register the commands once."""
        self.add_dynamic_items(CountButton)
        if not await self.tree.fetch_commands():
            await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Record every interaction for the tests."""
        self.interactions.append(interaction)

    async def on_resumed(self) -> None:
        """Notify a waiting test."""
        self.resumed.set()


def _add_commands(tree: app_commands.CommandTree[Any]) -> None:
    @tree.command(description="Count")
    async def count(interaction: discord.Interaction, start: int = 0) -> None:
        view = discord.ui.View(timeout=None).add_item(CountButton(start))
        file = discord.File(io.BytesIO(make_png()), "board.png", description="The board")
        embed = discord.Embed(title="Board").set_image(url="attachment://board.png")
        await interaction.response.send_message("counted", file=file, embed=embed, view=view)

    @tree.command(description="Slow answer")
    async def slow(interaction: discord.Interaction, secret: bool) -> None:  # noqa: FBT001 - an option
        await interaction.response.defer(ephemeral=secret, thinking=True)
        await interaction.followup.send("at last", ephemeral=not secret)
        await interaction.followup.send("and more", ephemeral=True)

    @tree.command(description="Never answers")
    async def mute(interaction: discord.Interaction) -> None:
        pass

    @tree.command(description="A form")
    async def form(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(store_view(interaction, MoveForm()))

    @tree.command(description="A choice")
    async def pick(interaction: discord.Interaction) -> None:
        class Picker(discord.ui.View):
            @discord.ui.select(
                options=[discord.SelectOption(label=f"Card {n}", value=str(n)) for n in range(25)]
            )
            async def card(self, selection: discord.Interaction, select: discord.ui.Select[Any]) -> None:
                await selection.response.edit_message(content=f"took {select.values[0]}", view=None)

        view = store_view(interaction, Picker())
        await interaction.response.send_message("choose", view=view, ephemeral=True)

    @tree.command(description="A layout")
    async def layout(interaction: discord.Interaction) -> None:
        view = discord.ui.LayoutView(timeout=None)
        box: discord.ui.Container[Any] = discord.ui.Container(discord.ui.TextDisplay("hello <@1>"))
        box.add_item(discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png")))
        view.add_item(box)
        file = discord.File(io.BytesIO(make_png()), "board.png")
        await interaction.response.send_message(view=view, file=file)

    group = app_commands.Group(name="table", description="Tables")

    @group.command(name="whisper", description="Writes to somebody")
    async def whisper(interaction: discord.Interaction, to: discord.Member, word: str) -> None:
        await interaction.response.defer(ephemeral=True)
        try:
            await to.send(f"{interaction.user.display_name} says {word}")
        except discord.Forbidden as error:
            await interaction.edit_original_response(content=f"refused {error.code}")
        else:
            await interaction.edit_original_response(content="sent")

    @whisper.autocomplete("word")
    async def words(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        offered = [word for word in ("ahoy", "avast", "belay") if word.startswith(typed)]
        return [app_commands.Choice(name=word.title(), value=word) for word in offered]

    tree.add_command(group)


@pytest.fixture(autouse=True)
def _allow_embeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the client here send embeds, for which the bot's invitation does not ask."""
    monkeypatch.setattr(world, "BOT_PERMISSIONS", BOT_PERMISSIONS | Permission.EMBED_LINKS)


@pytest.fixture(autouse=True)
def _patient_people() -> Iterator[None]:
    """Let everybody wait for a response for as long as a busy machine takes."""
    with response_limit(WAIT_TIMEOUT):
        yield


@contextmanager
def restore_discord_addresses() -> Iterator[None]:
    """Restore discord.py's addresses at the end."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.asset.Asset.BASE
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.asset.Asset.BASE = before


@pytest.fixture
def restored_discord_addresses() -> Iterator[None]:
    """Restore discord.py's addresses after a test."""
    with restore_discord_addresses():
        yield


@pytest.fixture
async def client_server(restored_discord_addresses: None) -> AsyncIterator[LocalDiscord]:
    """Yield a running stand-in that discord.py's addresses point to."""
    async with LocalDiscord() as server:
        set_discord_addresses(server)
        yield server


def set_discord_addresses(server: LocalDiscord) -> None:
    """Make discord.py's addresses point to `server`."""
    Route.BASE = server.api_url
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(server.gateway_url)
    discord.asset.Asset.BASE = server.cdn_url


async def wait_until_ready(client: discord.Client, running: asyncio.Task[None]) -> None:
    """Wait until a client that ``running`` runs knows its servers.  Raises what ends the task.

    discord.py reports a client as ready without the servers that come late.
    """
    ready = asyncio.create_task(client.wait_until_ready())
    await asyncio.wait({ready, running}, timeout=WAIT_TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        running.result()
    assert ready.done(), "the client was not ready in time"
    await wait_until(
        lambda: None if any(guild.unavailable for guild in client.guilds) else True, awaited="the servers"
    )


@asynccontextmanager
async def run_client(server: LocalDiscord) -> AsyncIterator[SampleClient]:
    """Run a client that is connected and ready."""
    client = SampleClient()
    task = asyncio.create_task(client.start(server.bot_token))
    try:
        await wait_until_ready(client, task)
        yield client
    finally:
        await client.close()
        with suppress(asyncio.CancelledError):
            await task


@pytest.fixture
async def client(client_server: LocalDiscord) -> AsyncIterator[SampleClient]:
    """Yield a connected discord.py client."""
    async with run_client(client_server) as client:
        yield client


@pytest.fixture
def clock() -> ManualClock:
    """Return a clock that the test sets."""
    return ManualClock()


@pytest.fixture
async def server(clock: ManualClock) -> AsyncIterator[LocalDiscord]:
    """Yield a running stand-in with that clock."""
    async with LocalDiscord(clock=clock) as server:
        yield server


@pytest.fixture
async def send_request(server: LocalDiscord) -> AsyncIterator[SendRequest]:
    """Yield a function that sends a request with the bot's token and returns status and JSON."""
    headers = {"Authorization": f"Bot {server.bot_token}"}
    async with aiohttp.ClientSession(headers=headers) as session:

        async def send(method: str, path: str, body: object = None, files: tuple[bytes, ...] = ()) -> Any:
            form = None
            if files:
                form = aiohttp.FormData(quote_fields=False)
                form.add_field("payload_json", json.dumps(body), content_type="application/json")
                for number, data in enumerate(files):
                    form.add_field(
                        f"files[{number}]", io.BytesIO(data), filename="board.png", content_type="image/png"
                    )
            body_arguments = {"data": form} if form else {"json": body}
            async with session.request(method, server.api_url + path, **body_arguments) as response:
                content_type = response.headers.get("Content-Type")
                assert content_type == ("application/json" if response.status != 204 else None)
                if response.status == 429:
                    assert response.headers["Via"]
                    assert int(response.headers["Retry-After"]) > 0
                return response.status, await response.json() if response.status != 204 else None

        yield send


@pytest.fixture
def messages_path(server: LocalDiscord) -> str:
    """Return the path of the messages of the channel “lobby”."""
    return f"/channels/{server.world.find_channel('lobby').id}/messages"
