"""The stand-in refuses what Discord refuses, with Discord's codes, and accepts what is just allowed."""

from __future__ import annotations

import aiohttp
import pytest

from bot import limits
from bot.local.server import LocalDiscord
from tests.bot.host.playing import ManualClock
from tests.bot.local.component_objects import button, row, text_displays
from tests.bot.local.conftest import COMPONENTS_V2_FLAG, JsonObject, SendRequest, error_paths, make_png


def select(count: int, **changes: object) -> JsonObject:
    """Return a select of this many options with changes."""
    options = [{"label": f"Card {n}", "value": str(n)} for n in range(count)]
    return {"type": 3, "custom_id": "card", "options": options} | changes


def buttons(count: int) -> list[JsonObject]:
    """Return buttons with ids of their own."""
    return [button(custom_id=f"play{n}") for n in range(count)]


def field(name_length: int = 1, value_length: int = 1) -> JsonObject:
    """Return an embed's field of these lengths."""
    return {"name": "n" * name_length, "value": "v" * value_length}


# (body, where Discord would name the fault), each a step beyond a body in ACCEPTED_BODIES
REFUSED_BODIES: list[tuple[JsonObject, str]] = [
    ({"content": "x" * 2001}, "content"),
    ({"embeds": [{"title": "t"}] * 11}, "embeds"),
    ({"embeds": [{"title": "t" * 257}]}, "embeds.0.title"),
    ({"embeds": [{"description": "d" * 4097}]}, "embeds.0.description"),
    ({"embeds": [{"fields": [field()] * 26}]}, "embeds.0.fields"),
    ({"embeds": [{"fields": [field(name_length=257)]}]}, "embeds.0.fields.0.name"),
    ({"embeds": [{"fields": [field(value_length=1025)]}]}, "embeds.0.fields.0.value"),
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
    ({"content": "x", "components": text_displays(1)}, "components.0.type"),
    ({"content": "x", "components": text_displays(1), "flags": COMPONENTS_V2_FLAG}, "content"),
    ({"components": text_displays(41), "flags": COMPONENTS_V2_FLAG}, "components"),
    (
        {"components": [{"type": 17, "components": text_displays(40)}], "flags": COMPONENTS_V2_FLAG},
        "components",
    ),
    ({"components": text_displays(2, 2001), "flags": COMPONENTS_V2_FLAG}, "components"),
    ({"content": "x", "nonce": "n" * 26}, "nonce"),
    ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, "allowed_mentions"),
    ({"content": "x", "attachments": [{"id": 3, "filename": "board.png"}]}, "attachments.0"),
]
ACCEPTED_BODIES: list[JsonObject] = [
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
    {"components": text_displays(40), "flags": COMPONENTS_V2_FLAG},
    {"components": text_displays(2, 2000), "flags": COMPONENTS_V2_FLAG},
    {"components": [{"type": 17, "components": text_displays(39)}], "flags": COMPONENTS_V2_FLAG},
    {"content": "x", "nonce": "n" * 25},
]


@pytest.mark.parametrize(
    ("body", "path"), REFUSED_BODIES, ids=[f"{n}-{path}" for n, (_, path) in enumerate(REFUSED_BODIES)]
)
async def test_one_step_beyond_a_limit_is_refused(
    server: LocalDiscord, send_request: SendRequest, messages_path: str, body: JsonObject, path: str
) -> None:
    """A message one over a limit is 50035 with the field's path, and nothing is posted."""
    status, answer = await send_request("POST", messages_path, body)
    assert (status, answer["code"]) == (400, 50035)
    assert error_paths(answer["errors"]) == {path}
    assert not server.member("Ava").messages()


@pytest.mark.parametrize("body", ACCEPTED_BODIES, ids=[str(number) for number in range(len(ACCEPTED_BODIES))])
async def test_the_limit_itself_fits(send_request: SendRequest, messages_path: str, body: JsonObject) -> None:
    """A message exactly at a limit is accepted, as a new one and as an edit."""
    status, answer = await send_request("POST", messages_path, body)
    assert status == 200, answer
    status, answer = await send_request("PATCH", f"{messages_path}/{answer['id']}", body)
    assert status == 200, answer


async def test_files_beyond_the_limits_are_refused(
    server: LocalDiscord, send_request: SendRequest, messages_path: str
) -> None:
    """The limits are ten files, 1024 characters of alt text and 10 MiB."""
    picture = make_png()
    attachment = {"id": 0, "filename": "board.png", "description": "d" * limits.ALT_TEXT}
    assert (await send_request("POST", messages_path, {"attachments": [attachment]}, (picture,)))[0] == 200
    attachment["description"] = "d" * (limits.ALT_TEXT + 1)
    status, answer = await send_request("POST", messages_path, {"attachments": [attachment]}, (picture,))
    assert (status, error_paths(answer["errors"])) == (400, {"attachments.0.description"})
    assert (await send_request("POST", messages_path, {}, (picture,) * limits.FILES))[0] == 200
    assert (await send_request("POST", messages_path, {}, (picture,) * (limits.FILES + 1)))[0] == 400
    assert (await send_request("POST", messages_path, {}, (b"x" * limits.FILE_BYTES,)))[0] == 200
    status, answer = await send_request("POST", messages_path, {}, (b"x" * (limits.FILE_BYTES + 1),))
    assert (status, answer["code"]) == (413, 40005)


async def test_what_is_missing_is_404(
    server: LocalDiscord, send_request: SendRequest, messages_path: str
) -> None:
    """A missing object is 404 with its code; foreign messages cannot be edited; empty ones are refused."""
    foreign_message = server.member("Ava").say("hello")
    for method, path, body, expected in (
        ("POST", "/channels/1/messages", {"content": "x"}, (404, 10003)),
        ("GET", f"{messages_path}/1", None, (404, 10008)),
        ("PATCH", f"{messages_path}/1", {"content": "x"}, (404, 10008)),
        ("PATCH", f"{messages_path}/{foreign_message.id}", {"content": "x"}, (403, 50005)),
        ("DELETE", f"{messages_path}/{foreign_message.id}", None, (403, 50013)),
        ("POST", messages_path, {"content": ""}, (400, 50006)),
        ("GET", "/users/1", None, (404, 10013)),
        ("GET", "/guilds/1", None, (404, 10004)),
        ("POST", "/webhooks/1/nothing", {"content": "x"}, (404, 10015)),
        ("POST", "/interactions/1/nothing/callback", {"type": 5}, (404, 10062)),
        ("GET", "/channels/lobby", None, (400, 50035)),
    ):
        status, answer = await send_request(method, path, body)
        assert (status, answer["code"]) == expected, (method, path)


async def test_json_that_cannot_be_read_is_refused(server: LocalDiscord, messages_path: str) -> None:
    """A body that is no JSON, or nested too deeply, is refused as error 50109."""
    headers = {"Authorization": f"Bot {server.bot_token}", "Content-Type": "application/json"}
    async with aiohttp.ClientSession(headers=headers) as session:
        for text in ("{", "[" * 99_999):
            async with session.post(server.api_url + messages_path, data=text) as response:
                assert (response.status, (await response.json())["code"]) == (400, 50109)


async def test_an_enforced_nonce_returns_the_earlier_message(
    send_request: SendRequest, messages_path: str, clock: ManualClock
) -> None:
    """It does so for a few minutes; a nonce that is not enforced makes another message."""
    body = {"content": "once", "nonce": "7", "enforce_nonce": True}
    first_id = (await send_request("POST", messages_path, body))[1]["id"]
    assert (await send_request("POST", messages_path, body))[1]["id"] == first_id
    assert (await send_request("POST", messages_path, body | {"enforce_nonce": False}))[1]["id"] != first_id
    clock.now += limits.NONCE_SECONDS + 1
    assert (await send_request("POST", messages_path, body))[1]["id"] != first_id


async def test_edits_of_old_messages_are_limited(
    send_request: SendRequest, messages_path: str, clock: ManualClock
) -> None:
    """Messages older than an hour allow three edits in twenty seconds, then 30046."""
    message_path = (
        f"{messages_path}/{(await send_request('POST', messages_path, {'content': 'old'}))[1]['id']}"
    )
    clock.now += limits.OLD_MESSAGE_SECONDS + 1
    answers = [await send_request("PATCH", message_path, {"content": str(number)}) for number in range(4)]
    assert [status for status, _ in answers] == [200, 200, 200, 429]
    assert answers[3][1]["code"] == 30046
    clock.now += limits.OLD_EDITS_SECONDS + 1
    assert (await send_request("PATCH", message_path, {"content": "at last"}))[0] == 200


async def test_realistic_limits_refuse_the_sixth_message(
    server: LocalDiscord, send_request: SendRequest, messages_path: str, clock: ManualClock
) -> None:
    """With realistic limits the sixth message to a channel within five seconds is a 429."""
    server.rate_limits.realistic = True
    statuses = [(await send_request("POST", messages_path, {"content": "x"}))[0] for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    clock.now += limits.CHANNEL_SENDS_SECONDS
    assert (await send_request("POST", messages_path, {"content": "x"}))[0] == 200


def command(**changes: object) -> JsonObject:
    """Return a valid command with changes."""
    return {"type": 1, "name": "newgame", "description": "Opens a table", "options": []} | changes


def option(number: int = 0, **changes: object) -> JsonObject:
    """Return a valid option with changes."""
    return {"type": 3, "name": f"option{number}", "description": "An option"} | changes


CHOICES = [{"name": f"n{n}", "value": f"v{n}"} for n in range(26)]
LONG_CHOICES = [{"name": f"{n:0>100}", "value": f"{n:0>100}"} for n in range(25)]  # 5000 characters
REFUSED_COMMANDS: list[tuple[list[object], str]] = [
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
    (["newgame"], "0"),
    ([command(type=[1])], "0.type"),
    ([command(name=7)], "0.name"),
    ([command(name=["newgame"])], "0.name"),
    ([command(options=["page"])], "0.options.0"),
    ([command(options=[option(name=None)])], "0.options.0.name"),
    ([command(options=[option(choices=["one"])])], "0.options.0.choices.0"),
    ([command(options=[option(choices=[{"value": "v"}])])], "0.options.0.choices.0.name"),
    ([command(options=[option(max_length="9")])], "0.options.0.max_length"),
    ([command(options=[option(type=1, options=[option(type=1)])])], "0.options.0.options.0"),
    ([command(options=[option(type=2, options=[option(type=2)])])], "0.options.0.options.0"),
    ([command(options=[option(type=2, options=[option()])])], "0.options.0.options.0"),
]


@pytest.mark.parametrize(
    ("body", "path"), REFUSED_COMMANDS, ids=[str(n) for n in range(len(REFUSED_COMMANDS))]
)
async def test_bad_commands_are_refused(
    server: LocalDiscord, send_request: SendRequest, body: list[object], path: str
) -> None:
    """Commands that are malformed or over a limit are 50035 with the field's path, and none is registered."""
    commands_path = f"/applications/{server.world.application_id}/commands"
    status, answer = await send_request("PUT", commands_path, body)
    assert (status, answer["code"]) == (400, 50035)
    assert error_paths(answer["errors"]) == {path}
    assert (await send_request("GET", commands_path))[1] == []


async def test_commands_keep_their_ids(server: LocalDiscord, send_request: SendRequest) -> None:
    """A hundred commands with 25 options fit; a name keeps its id; the limit is 200 creations a day."""
    commands_path = f"/applications/{server.world.application_id}/commands"
    hundred_commands = [
        command(name=f"größe-{n}", options=[option(k) for k in range(25)]) for n in range(100)
    ]
    _, first_answer = await send_request("PUT", commands_path, hundred_commands)
    _, second_answer = await send_request("PUT", commands_path, hundred_commands)
    assert [one["id"] for one in first_answer] == [one["id"] for one in second_answer]
    other_commands = [command(name=f"a{n}") for n in range(100)]
    assert (await send_request("PUT", commands_path, other_commands))[0] == 200
    status, answer = await send_request("PUT", commands_path, [command(name="one-more")])
    assert (status, answer["code"]) == (400, 30034)
