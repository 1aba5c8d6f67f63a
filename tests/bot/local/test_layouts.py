"""Layouts (Components V2), and what a lock screen shows of them."""

from __future__ import annotations

import pytest

from bot import limits
from bot.local.message_contents import notification_text, notifies
from bot.local.server import LocalDiscord
from tests.bot.local.component_objects import button, row, text_displays
from tests.bot.local.conftest import COMPONENTS_V2_FLAG, JsonObject, SendRequest, error_paths, make_png

BOARD_URL = "attachment://board.png"
BOARD_ATTACHMENTS = [{"id": 0, "filename": "board.png"}]


def gallery(url: str = BOARD_URL, **changes: object) -> JsonObject:
    """Return a media gallery of one picture."""
    return {"type": 12, "items": [{"media": {"url": url}} | changes]}


def section(**changes: object) -> JsonObject:
    """Return a section with a button."""
    return {"type": 9, "components": text_displays(1), "accessory": button()} | changes


def layout_body(*components: JsonObject, **changes: object) -> JsonObject:
    """Return the body of a message with the flag IS_COMPONENTS_V2."""
    return {"components": list(components), "flags": COMPONENTS_V2_FLAG} | changes


CONTAINER: JsonObject = {"type": 17, "components": text_displays(1)}
REFUSED_BODIES: list[tuple[JsonObject, str]] = [
    (layout_body(section(components=text_displays(4))), "components.0.components"),
    (layout_body(section(components=[])), "components.0.components"),
    (layout_body(section(accessory=row(button()))), "components.0.accessory.type"),
    (layout_body(section(accessory=None)), "components.0.accessory.type"),
    (layout_body(section(accessory=button(label="l" * 81))), "components.0.accessory.label"),
    (layout_body(section(), row(button())), "components.1.components.0.custom_id"),
    (layout_body(button()), "components.0.type"),
    (layout_body({"type": 17, "components": [CONTAINER]}), "components.0.components.0.type"),
    (layout_body({"type": 14, "spacing": 3}), "components.0.spacing"),
    (layout_body({"type": 13, "file": {"url": "https://example.org/a.txt"}}), "components.0.file.url"),
    (layout_body({"type": 10, "content": ""}), "components.0.content"),
    (layout_body(gallery("attachment://absent.png")), "components.0.items.0.media.url"),
    (layout_body(*text_displays(1), embeds=[{"title": "t"}]), "embeds"),
]
ACCEPTED_BODIES: list[JsonObject] = [
    layout_body(section(), row(button(custom_id="other")), {"type": 14, "spacing": 2}),
    layout_body({"type": 17, "components": [section(components=text_displays(3))]}),
    layout_body(*(section(accessory=button(custom_id=f"play{n}")) for n in range(13))),  # 39 components
]


@pytest.mark.parametrize(
    ("body", "path"), REFUSED_BODIES, ids=[f"{n}-{path}" for n, (_, path) in enumerate(REFUSED_BODIES)]
)
async def test_bad_layouts_are_refused(
    server: LocalDiscord, send_request: SendRequest, messages_path: str, body: JsonObject, path: str
) -> None:
    """A layout that Discord would refuse is 50035 with the field's path, and nothing is posted."""
    status, answer = await send_request("POST", messages_path, body)
    assert (status, answer["code"]) == (400, 50035)
    assert error_paths(answer["errors"]) == {path}
    assert not server.member("Ava").messages()


@pytest.mark.parametrize("body", ACCEPTED_BODIES, ids=[str(number) for number in range(len(ACCEPTED_BODIES))])
async def test_layouts_within_the_limits_are_accepted(
    send_request: SendRequest, messages_path: str, body: JsonObject
) -> None:
    """A layout within the limits is accepted."""
    status, answer = await send_request("POST", messages_path, body)
    assert status == 200, answer


async def test_a_file_must_be_shown(
    server: LocalDiscord, send_request: SendRequest, messages_path: str
) -> None:
    """A layout refers to each of its files, in a new message and in an edit."""
    hidden_file_body = layout_body(*text_displays(1), attachments=BOARD_ATTACHMENTS)
    status, answer = await send_request("POST", messages_path, hidden_file_body, (make_png(),))
    assert (status, error_paths(answer["errors"])) == (400, {"attachments"})
    shown_file_body = layout_body(
        *text_displays(1), gallery(description="d" * limits.ALT_TEXT), attachments=BOARD_ATTACHMENTS
    )
    status, answer = await send_request("POST", messages_path, shown_file_body, (make_png(),))
    assert status == 200, answer
    media = answer["components"][1]["items"][0]["media"]
    assert media["url"].startswith("http")
    assert media["width"] > 0
    path = f"{messages_path}/{answer['id']}"
    status, answer = await send_request("PATCH", path, {"components": text_displays(1)})
    assert (status, error_paths(answer["errors"])) == (400, {"attachments"})
    assert (await send_request("PATCH", path, {"components": text_displays(1), "attachments": []}))[0] == 200
    assert not server.member("Ava").latest().attachments


async def test_a_layout_never_becomes_a_classic_message(
    server: LocalDiscord, send_request: SendRequest, messages_path: str
) -> None:
    """A layout never becomes a classic message; a classic one becomes a layout without its content."""
    _, posted = await send_request("POST", messages_path, layout_body(*text_displays(1)))
    path = f"{messages_path}/{posted['id']}"
    for body in ({"content": "x"}, {"content": "x", "flags": 0, "components": []}):
        status, answer = await send_request("PATCH", path, body)
        assert (status, answer["code"]) == (400, 50035), body
    assert (await send_request("PATCH", path, {"components": []}))[1]["code"] == 50006
    status, answer = await send_request("PATCH", path, {"flags": 0, "components": text_displays(2)})
    assert (status, answer["flags"] & COMPONENTS_V2_FLAG) == (200, COMPONENTS_V2_FLAG)
    _, posted = await send_request("POST", messages_path, {"content": "classic"})
    path = f"{messages_path}/{posted['id']}"
    assert (await send_request("PATCH", path, layout_body(*text_displays(1))))[0] == 400
    assert (await send_request("PATCH", path, layout_body(*text_displays(1), content=None, embeds=[])))[
        0
    ] == 200
    assert server.member("Ava").latest().content == ""


async def test_a_notification_shows_the_content_alone(
    server: LocalDiscord, send_request: SendRequest, messages_path: str
) -> None:
    """A notification shows the content alone: a mention in a layout arrives without a word."""
    ava, ben = server.user("Ava"), server.user("Ben")
    text = f"**Currents · No. 1**\n<@{ava.id}>, your turn: play one card.\n-# Reference"
    allowed_mentions = {"parse": [], "users": [str(ava.id)]}
    await send_request("POST", messages_path, {"content": text, "allowed_mentions": allowed_mentions})
    classic = server.member("Ava").latest()
    await send_request(
        "POST", messages_path, layout_body({"type": 10, "content": text}, allowed_mentions=allowed_mentions)
    )
    layout_message = server.member("Ava").latest()
    for message in (classic, layout_message):
        assert notifies(message, ava)
        assert not notifies(message, ben)
    shown = notification_text(server.world, classic)
    assert shown == "Currents · No. 1\n@Ava, your turn: play one card.\nReference"
    assert not notification_text(server.world, layout_message)
    await send_request("POST", messages_path, {"attachments": BOARD_ATTACHMENTS}, (make_png(),))
    assert notification_text(server.world, server.member("Ava").latest()) == "Sent a file"
