"""The stand-in refuses what Discord refuses, with Discord's codes, and takes what fits exactly."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from bot import limits
from bot.local.interactions import Interaction, Kind
from bot.local.messages import Upload
from bot.local.server import LocalDiscord
from bot.local.world import Message
from tests.bot.local.conftest import Clock, png

Json = dict[str, Any]
Request = Callable[..., Awaitable[tuple[int, Any]]]
V2 = 1 << 15


@pytest.fixture
def clock() -> Clock:
    """The time, in the test's hands."""
    return Clock()


@pytest.fixture
async def server(clock: Clock) -> AsyncIterator[LocalDiscord]:
    """A running stand-in on that clock."""
    async with LocalDiscord(clock=clock) as server:
        yield server


@pytest.fixture
async def request_to(server: LocalDiscord) -> AsyncIterator[Request]:
    """Send a request with the bot's token; gives the status and the JSON answered."""
    headers = {"Authorization": f"Bot {server.token}"}
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
            sent = {"data": form} if form else {"json": body}
            async with session.request(method, server.api + path, **sent) as response:
                kind = response.headers.get("Content-Type")
                assert kind == ("application/json" if response.status != 204 else None)
                if response.status == 429:
                    assert response.headers["Via"]
                    assert int(response.headers["Retry-After"]) > 0
                return response.status, await response.json() if response.status != 204 else None

        yield send


@pytest.fixture
def lobby(server: LocalDiscord) -> str:
    """The path of a channel's messages."""
    return f"/channels/{server.world.channel_named('lobby').id}/messages"


def button(**changes: object) -> Json:
    """A valid button, changed."""
    return {"type": 2, "style": 1, "label": "Play", "custom_id": "play"} | changes


def select(count: int, **changes: object) -> Json:
    """A select of that many options, changed."""
    options = [{"label": f"Card {n}", "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "card", "options": options} | changes


def row(*components: Json) -> Json:
    """An action row."""
    return {"type": 1, "components": list(components)}


def texts(count: int, size: int = 1) -> list[Json]:
    """Text displays."""
    return [{"type": 10, "content": "x" * size} for _ in range(count)]


def buttons(count: int) -> list[Json]:
    """Buttons with ids of their own."""
    return [button(custom_id=f"play{n}") for n in range(count)]


def field(name: int = 1, value: int = 1) -> Json:
    """An embed's field of these lengths."""
    return {"name": "n" * name, "value": "v" * value}


# (body, where Discord would name the fault), each a step beyond a body in FITS
REFUSED: list[tuple[Json, str]] = [
    ({"content": "x" * 2001}, "content"),
    ({"embeds": [{"title": "t"}] * 11}, "embeds"),
    ({"embeds": [{"title": "t" * 257}]}, "embeds.0.title"),
    ({"embeds": [{"description": "d" * 4097}]}, "embeds.0.description"),
    ({"embeds": [{"fields": [field()] * 26}]}, "embeds.0.fields"),
    ({"embeds": [{"fields": [field(name=257)]}]}, "embeds.0.fields.0.name"),
    ({"embeds": [{"fields": [field(value=1025)]}]}, "embeds.0.fields.0.value"),
    ({"embeds": [{"title": "t", "footer": {"text": "f" * 2049}}]}, "embeds.0.footer.text"),
    ({"embeds": [{"title": "t", "author": {"name": "a" * 257}}]}, "embeds.0.author.name"),
    ({"embeds": [{"description": "d" * 3001}, {"description": "d" * 3000}]}, "embeds"),
    ({"embeds": [{"image": {"url": "attachment://absent.png"}}]}, "embeds.0.image.url"),
    ({"content": "x", "components": [row(one) for one in buttons(6)]}, "components"),
    ({"content": "x", "components": [row(*buttons(6))]}, "components.0.components"),
    ({"content": "x", "components": [row()]}, "components.0.components"),
    ({"content": "x", "components": [row(button(label="l" * 81))]}, "components.0.components.0.label"),
    ({"content": "x", "components": [row(button(label=""))]}, "components.0.components.0"),
    (
        {"content": "x", "components": [row(button(custom_id="i" * 101))]},
        "components.0.components.0.custom_id",
    ),
    ({"content": "x", "components": [row(button(style=7))]}, "components.0.components.0.style"),
    ({"content": "x", "components": [row(button(), button())]}, "components.0.components.1.custom_id"),
    ({"content": "x", "components": [row(button()), row(button())]}, "components.1.components.0.custom_id"),
    ({"content": "x", "components": [row(select(26))]}, "components.0.components.0.options"),
    ({"content": "x", "components": [row(select(0))]}, "components.0.components.0.options"),
    ({"content": "x", "components": [row(select(2), button())]}, "components.0.components.0"),
    ({"content": "x", "components": [row(select(2, max_values=3))]}, "components.0.components.0.max_values"),
    (
        {"content": "x", "components": [row(select(2, placeholder="p" * 151))]},
        "components.0.components.0.placeholder",
    ),
    ({"content": "x", "components": texts(1)}, "components.0.type"),
    ({"content": "x", "components": texts(1), "flags": V2}, "content"),
    ({"components": texts(41), "flags": V2}, "components"),
    ({"components": [{"type": 17, "components": texts(40)}], "flags": V2}, "components"),
    ({"components": texts(2, 2001), "flags": V2}, "components"),
    ({"content": "x", "nonce": "n" * 26}, "nonce"),
    ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, "allowed_mentions"),
    ({"content": "x", "attachments": [{"id": 3, "filename": "board.png"}]}, "attachments.0"),
]
FITS: list[Json] = [
    {"content": "x" * 2000},
    {"embeds": [{"title": "t"}] * 10},
    {"embeds": [{"title": "t" * 256}]},
    {"embeds": [{"description": "d" * 4096}]},
    {"embeds": [{"fields": [field()] * 25}]},
    {"embeds": [{"fields": [field(256, 1024)]}]},
    {"embeds": [{"title": "t", "footer": {"text": "f" * 2048}, "author": {"name": "a" * 256}}]},
    {"embeds": [{"description": "d" * 3000}, {"description": "d" * 3000}]},
    {"components": [row(*buttons(5))]},
    {"components": [row(one) for one in buttons(5)]},
    {"components": [row(button(label="l" * 80, custom_id="i" * 100))]},
    {"components": [row(button(style=5, custom_id=None, url="https://example.org"))]},
    {"components": [row(select(25, placeholder="p" * 150, max_values=25))]},
    {"components": texts(40), "flags": V2},
    {"components": texts(2, 2000), "flags": V2},
    {"components": [{"type": 17, "components": texts(39)}], "flags": V2},
    {"content": "x", "nonce": "n" * 25},
]


def fault_paths(errors: Json, prefix: str = "") -> set[str]:
    """Where a 50035 says that something is wrong, as dotted paths."""
    found = set()
    for key, value in errors.items():
        if key == "_errors":
            assert all(set(one) == {"code", "message"} for one in value)
            found.add(prefix.rstrip("."))
        else:
            found |= fault_paths(value, f"{prefix}{key}.")
    return found


@pytest.mark.parametrize(
    ("body", "path"), REFUSED, ids=[f"{n}-{path}" for n, (_, path) in enumerate(REFUSED)]
)
async def test_one_too_many_is_refused(
    server: LocalDiscord, request_to: Request, lobby: str, body: Json, path: str
) -> None:
    """A message one step beyond a limit is 50035 at the right place, and nothing is posted."""
    status, answer = await request_to("POST", lobby, body)
    assert (status, answer["code"]) == (400, 50035)
    assert fault_paths(answer["errors"]) == {path}
    assert not server.member("Ava").messages()


@pytest.mark.parametrize("body", FITS, ids=[str(number) for number in range(len(FITS))])
async def test_the_limit_itself_fits(request_to: Request, lobby: str, body: Json) -> None:
    """A message exactly at a limit is taken, as new one and as an edit."""
    status, answer = await request_to("POST", lobby, body)
    assert status == 200, answer
    status, answer = await request_to("PATCH", f"{lobby}/{answer['id']}", body)
    assert status == 200, answer


async def test_files(server: LocalDiscord, request_to: Request, lobby: str) -> None:
    """Ten files, alt text of 1024 characters and 10 MiB are the most."""
    picture = png()
    described = {"id": 0, "filename": "board.png", "description": "d" * limits.ALT_TEXT}
    assert (await request_to("POST", lobby, {"attachments": [described]}, (picture,)))[0] == 200
    described["description"] = "d" * (limits.ALT_TEXT + 1)
    status, answer = await request_to("POST", lobby, {"attachments": [described]}, (picture,))
    assert (status, fault_paths(answer["errors"])) == (400, {"attachments.0.description"})
    assert (await request_to("POST", lobby, {}, (picture,) * limits.FILES))[0] == 200
    assert (await request_to("POST", lobby, {}, (picture,) * (limits.FILES + 1)))[0] == 400
    assert (await request_to("POST", lobby, {}, (b"x" * limits.FILE_BYTES,)))[0] == 200
    status, answer = await request_to("POST", lobby, {}, (b"x" * (limits.FILE_BYTES + 1),))
    assert (status, answer["code"]) == (413, 40005)


async def test_unknown_things(server: LocalDiscord, request_to: Request, lobby: str) -> None:
    """What is not there is 404 with its own code; what is another's cannot be edited; nothing is empty."""
    said = server.member("Ava").say("hello")
    for method, path, body, expected in (
        ("POST", "/channels/1/messages", {"content": "x"}, (404, 10003)),
        ("GET", f"{lobby}/1", None, (404, 10008)),
        ("PATCH", f"{lobby}/1", {"content": "x"}, (404, 10008)),
        ("PATCH", f"{lobby}/{said.id}", {"content": "x"}, (403, 50005)),
        ("DELETE", f"{lobby}/{said.id}", None, (403, 50013)),
        ("POST", lobby, {"content": ""}, (400, 50006)),
        ("GET", "/users/1", None, (404, 10013)),
        ("GET", "/guilds/1", None, (404, 10004)),
        ("POST", "/webhooks/1/nothing", {"content": "x"}, (404, 10015)),
        ("POST", "/interactions/1/nothing/callback", {"type": 5}, (404, 10062)),
        ("GET", "/channels/lobby", None, (400, 50035)),
    ):
        status, answer = await request_to(method, path, body)
        assert (status, answer["code"]) == expected, (method, path)


async def test_nonce(request_to: Request, lobby: str, clock: Clock) -> None:
    """An enforced nonce gives the earlier message for a few minutes, an unenforced one does not."""
    body = {"content": "once", "nonce": "7", "enforce_nonce": True}
    first = (await request_to("POST", lobby, body))[1]["id"]
    assert (await request_to("POST", lobby, body))[1]["id"] == first
    assert (await request_to("POST", lobby, body | {"enforce_nonce": False}))[1]["id"] != first
    clock.now += limits.NONCE_SECONDS + 1
    assert (await request_to("POST", lobby, body))[1]["id"] != first


async def test_old_messages_are_edited_slowly(request_to: Request, lobby: str, clock: Clock) -> None:
    """Messages older than an hour take three edits in twenty seconds, then 30046."""
    message = f"{lobby}/{(await request_to('POST', lobby, {'content': 'old'}))[1]['id']}"
    clock.now += limits.OLD_MESSAGE_SECONDS + 1
    answers = [await request_to("PATCH", message, {"content": str(number)}) for number in range(4)]
    assert [status for status, _ in answers] == [200, 200, 200, 429]
    assert answers[3][1]["code"] == 30046
    clock.now += limits.OLD_EDITS_SECONDS + 1
    assert (await request_to("PATCH", message, {"content": "at last"}))[0] == 200


async def test_realistic_rate_limits(
    server: LocalDiscord, request_to: Request, lobby: str, clock: Clock
) -> None:
    """Where wanted, the sixth message to a channel within five seconds is a 429."""
    server.rate_limits.realistic = True
    statuses = [(await request_to("POST", lobby, {"content": "x"}))[0] for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    clock.now += limits.CHANNEL_SENDS_SECONDS
    assert (await request_to("POST", lobby, {"content": "x"}))[0] == 200


def command(**changes: object) -> Json:
    """A valid command, changed."""
    return {"type": 1, "name": "newgame", "description": "Opens a table", "options": []} | changes


def option(number: int = 0, **changes: object) -> Json:
    """A valid option, changed."""
    return {"type": 3, "name": f"option{number}", "description": "An option"} | changes


CHOICES = [{"name": f"n{n}", "value": f"v{n}"} for n in range(26)]
LONG_CHOICES = [{"name": f"{n:0>100}", "value": f"{n:0>100}"} for n in range(25)]  # 5000 characters
BAD_COMMANDS: list[tuple[list[Json], str]] = [
    ([command(name=f"c{n}") for n in range(101)], ""),
    ([command(), command()], "1"),
    ([command(name="New")], "0.name"),
    ([command(name="a b")], "0.name"),
    ([command(name="n" * 33)], "0.name"),
    ([command(description="d" * 101)], "0.description"),
    ([command(description="")], "0.description"),
    ([command(options=[option(n) for n in range(26)])], "0.options"),
    ([command(options=[option(), option(1, required=True)])], "0.options.1"),
    ([command(options=[option(), option()])], "0.options.1"),
    ([command(options=[option(choices=CHOICES)])], "0.options.0.choices"),
    ([command(options=[option(choices=[{"name": "n" * 101, "value": "v"}])])], "0.options.0.choices.0.name"),
    ([command(options=[option(choices=[{"name": "n", "value": "v" * 101}])])], "0.options.0.choices.0.value"),
    ([command(options=[option(choices=CHOICES[:2], autocomplete=True)])], "0.options.0"),
    ([command(options=[option(type=1), option(1)])], "0.options"),
    ([command(options=[option(n, choices=LONG_CHOICES) for n in range(2)])], "0"),
]


@pytest.mark.parametrize(("body", "path"), BAD_COMMANDS, ids=[str(n) for n in range(len(BAD_COMMANDS))])
async def test_bad_commands(server: LocalDiscord, request_to: Request, body: list[Json], path: str) -> None:
    """Commands beyond a limit are 50035 at the right place, and none is registered."""
    where = f"/applications/{server.world.application_id}/commands"
    status, answer = await request_to("PUT", where, body)
    assert (status, answer["code"]) == (400, 50035)
    assert fault_paths(answer["errors"]) == {path}
    assert (await request_to("GET", where))[1] == []


async def test_commands_keep_their_ids(server: LocalDiscord, request_to: Request) -> None:
    """A hundred commands with 25 options fit; a name keeps its id; 200 creations a day are the most."""
    where = f"/applications/{server.world.application_id}/commands"
    full = [command(name=f"größe-{n}", options=[option(k) for k in range(25)]) for n in range(100)]
    _, first = await request_to("PUT", where, full)
    _, second = await request_to("PUT", where, full)
    assert [one["id"] for one in first] == [one["id"] for one in second]
    fresh = [command(name=f"a{n}") for n in range(100)]
    assert (await request_to("PUT", where, fresh))[0] == 200
    status, answer = await request_to("PUT", where, [command(name="one-more")])
    assert (status, answer["code"]) == (400, 30034)


# Interactions


def begin(server: LocalDiscord, kind: Kind, message: Message | None = None) -> Interaction:
    """An interaction of Ava's, with nobody waiting for it."""
    ava = server.member("Ava")
    data: Json = {"name": "newgame", "type": 1, "options": [option(focused=True, value="")]}
    return server.interactions.create(kind, ava.user, ava.channel, data, message)


def callback_path(interaction: Interaction) -> str:
    """Where its first answer goes."""
    return f"/interactions/{interaction.id}/{interaction.token}/callback"


async def test_deadlines(server: LocalDiscord, request_to: Request, clock: Clock) -> None:
    """The first answer within 3 s, everything else within 15 min."""
    quick, late = begin(server, Kind.COMMAND), begin(server, Kind.COMMAND)
    clock.now += limits.FIRST_ANSWER_SECONDS
    assert (await request_to("POST", callback_path(quick), {"type": 5}))[0] == 204
    clock.now += 0.01
    assert (await request_to("POST", callback_path(late), {"type": 5}))[1]["code"] == 10062
    original = f"/webhooks/{server.world.application_id}/{quick.token}/messages/@original"
    clock.now += limits.TOKEN_SECONDS - 10
    assert (await request_to("PATCH", original, {"content": "done"}))[0] == 200
    clock.now += 10
    status, answer = await request_to("PATCH", original, {"content": "again"})
    assert (status, answer["code"]) == (401, 50027)


@pytest.mark.parametrize(
    ("kind", "allowed"),
    [
        (Kind.COMMAND, {4, 5, 9}),
        (Kind.COMPONENT, {4, 5, 6, 7, 9}),
        (Kind.AUTOCOMPLETE, {8}),
        (Kind.MODAL_SUBMIT, {4, 5}),
    ],
)
async def test_callback_types(
    server: LocalDiscord, request_to: Request, kind: Kind, allowed: set[int]
) -> None:
    """Each kind of interaction takes its own answers alone: no modal after a modal, no update of nothing."""
    form = {"type": 18, "label": "Move", "component": {"type": 4, "style": 1, "custom_id": "move"}}
    data = {"content": "x", "title": "Move", "custom_id": "form", "components": [form], "choices": []}
    taken = set()
    for number in range(1, 10):
        said = None
        if kind is Kind.COMPONENT:
            bot, lobby = server.world.bot, server.member("Ava").channel
            said = Message(server.world.snowflake(), lobby, bot, server.world.clock(), "board")
            server.world.post(said)
        body: Json = {"type": number, "data": {} if number in (5, 6) else data}
        if number in (4, 7):
            body["data"] = {"content": "x"}
        status, answer = await request_to("POST", callback_path(begin(server, kind, said)), body)
        if status == 204:
            taken.add(number)
        else:
            assert answer["code"] == 50035
    assert taken == allowed


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"title": "t" * 46}, "data.title"),
        ({"custom_id": "i" * 101}, "data.custom_id"),
        ({"components": []}, "data.components"),
        ({"components": 6}, "data.components"),
        ({"label": "l" * 46}, "data.components.0.label"),
        ({"placeholder": "p" * 101}, "data.components.0.component.placeholder"),
        ({"value": "v" * 4001}, "data.components.0.component.value"),
    ],
)
async def test_bad_modals(server: LocalDiscord, request_to: Request, data: Json, path: str) -> None:
    """A modal beyond a limit is refused at the right place, and the interaction can still be answered."""

    def part(number: int) -> Json:
        inner = {"type": 4, "style": 1, "custom_id": f"move{number}"}
        inner |= {key: data[key] for key in ("placeholder", "value") if key in data}
        return {"type": 18, "label": data.get("label", "Move"), "component": inner}

    listed = data.get("components")
    parts = [part(number) for number in range(1 if listed is None else listed or 0)]
    modal = {"title": "Move", "custom_id": "form"} | data | {"components": parts}
    interaction = begin(server, Kind.COMMAND)
    status, answer = await request_to("POST", callback_path(interaction), {"type": 9, "data": modal})
    assert (status, answer["code"]) == (400, 50035)
    assert fault_paths(answer["errors"]) == {path}
    assert (await request_to("POST", callback_path(interaction), {"type": 5}))[0] == 204


async def test_autocompletion_has_limits(server: LocalDiscord, request_to: Request) -> None:
    """At most 25 choices of at most 100 characters each."""
    for choices, expected in (
        (CHOICES[:25], 204),
        (CHOICES, 400),
        ([{"name": "n" * 101, "value": "v"}], 400),
        ([{"name": "n", "value": "v" * 101}], 400),
    ):
        path = callback_path(begin(server, Kind.AUTOCOMPLETE))
        assert (await request_to("POST", path, {"type": 8, "data": {"choices": choices}}))[0] == expected


async def test_only_the_ephemeral_flag_defers(server: LocalDiscord, request_to: Request) -> None:
    """A deferral cannot carry the flag of a layout."""
    path = callback_path(begin(server, Kind.COMMAND))
    assert (await request_to("POST", path, {"type": 5, "data": {"flags": V2}}))[0] == 400
    assert (await request_to("POST", path, {"type": 5, "data": {"flags": 64}}))[0] == 204


async def test_ephemeral_messages_are_not_in_the_channel(server: LocalDiscord, request_to: Request) -> None:
    """An ephemeral answer can be fetched and changed through its token alone."""
    interaction = begin(server, Kind.COMMAND)
    data = {"content": "hand", "flags": 64}
    await request_to("POST", callback_path(interaction), {"type": 4, "data": data})
    original = f"/webhooks/{server.world.application_id}/{interaction.token}/messages/@original"
    status, hand = await request_to("GET", original)
    assert (status, hand["flags"] & 64) == (200, 64)
    status, answer = await request_to("GET", f"/channels/{hand['channel_id']}/messages/{hand['id']}")
    assert (status, answer["code"]) == (404, 10008)
    assert (await request_to("GET", f"/channels/{hand['channel_id']}/messages"))[1] == []
    assert (await request_to("DELETE", original))[0] == 204


async def test_loopback_only() -> None:
    """The stand-in refuses every other address to listen on."""
    for host in ("0.0.0.0", "", "localhost", "::1", "192.168.0.2"):
        with pytest.raises(ValueError, match=r"127\.0\.0\.1"):
            LocalDiscord(host=host)


async def test_other_sites_are_refused(server: LocalDiscord) -> None:
    """A page of another site reaches neither the page's sockets nor anything else."""
    async with aiohttp.ClientSession() as session:
        for headers, status in (
            ({}, 200),
            ({"Origin": server.page.rstrip("/")}, 200),
            ({"Origin": "https://example.org"}, 403),
            ({"Host": "example.org"}, 403),
        ):
            async with session.get(server.page + "page/people", headers=headers) as response:
                assert response.status == status, headers


async def test_every_request_is_shown_to_the_hook() -> None:
    """The hook gets method, template, path, query, body and files of each request."""
    seen: list[tuple[object, ...]] = []
    async with LocalDiscord(on_request=lambda *about: seen.append(about)) as server:
        channel = server.world.channel_named("lobby").id
        headers = {"Authorization": f"Bot {server.token}"}
        async with aiohttp.ClientSession(headers=headers) as session:
            form = aiohttp.FormData(quote_fields=False)
            form.add_field("payload_json", '{"content":"x"}', content_type="application/json")
            form.add_field("files[0]", png(), filename="a b.png", content_type="image/png")
            await session.post(f"{server.api}/channels/{channel}/messages?wait=1", data=form)
            await session.get(f"{server.api}/gateway")
    files = {"files[0]": Upload("a_b.png", "image/png", png())}
    template = "/channels/{channel_id}/messages"
    path = f"/channels/{channel}/messages"
    assert seen == [
        ("POST", template, path, {"wait": "1"}, {"content": "x"}, files),
        ("GET", "/gateway", "/gateway", {}, None, {}),
    ]


async def test_a_missing_route_is_loud(server: LocalDiscord) -> None:
    """A route that nobody serves is 404, so that a bot in need of one is noticed."""
    async with aiohttp.ClientSession() as session, session.get(server.api + "/voice/regions") as response:
        assert response.status == 404
