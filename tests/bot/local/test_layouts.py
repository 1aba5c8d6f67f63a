"""Layouts (Components V2), the groups of a form, and what a lock screen shows."""

from __future__ import annotations

import pytest

from bot import limits
from bot.local.client_input import ClientRefusal, modal_submission
from bot.local.interactions import InteractionType
from bot.local.message_contents import notification_text, notifies
from bot.local.server import LocalDiscord
from tests.bot.local.conftest import COMPONENTS_V2_FLAG, JsonObject, SendRequest, error_paths, make_png
from tests.bot.local.test_interactions import begin_interaction, callback_path
from tests.bot.local.test_refusals import button, row, texts

BOARD = "attachment://board.png"
DESCRIBED = [{"id": 0, "filename": "board.png"}]


def gallery(url: str = BOARD, **changes: object) -> JsonObject:
    """Return a media gallery of one picture."""
    return {"type": 12, "items": [{"media": {"url": url}} | changes]}


def section(**changes: object) -> JsonObject:
    """Return a section with a button."""
    return {"type": 9, "components": texts(1), "accessory": button()} | changes


def layout(*components: JsonObject, **changes: object) -> JsonObject:
    """Return the body of a message with the flag IS_COMPONENTS_V2."""
    return {"components": list(components), "flags": COMPONENTS_V2_FLAG} | changes


CONTAINER: JsonObject = {"type": 17, "components": texts(1)}
REFUSED_BODIES: list[tuple[JsonObject, str]] = [
    (layout(section(components=texts(4))), "components.0.components"),
    (layout(section(components=[])), "components.0.components"),
    (layout(section(accessory=row(button()))), "components.0.accessory.type"),
    (layout(section(accessory=None)), "components.0.accessory.type"),
    (layout(section(accessory=button(label="l" * 81))), "components.0.accessory.label"),
    (layout(section(), row(button())), "components.1.components.0.custom_id"),
    (layout(button()), "components.0.type"),
    (layout({"type": 17, "components": [CONTAINER]}), "components.0.components.0.type"),
    (layout({"type": 14, "spacing": 3}), "components.0.spacing"),
    (layout({"type": 13, "file": {"url": "https://example.org/a.txt"}}), "components.0.file.url"),
    (layout({"type": 10, "content": ""}), "components.0.content"),
    (layout(gallery("attachment://absent.png")), "components.0.items.0.media.url"),
    (layout(*texts(1), embeds=[{"title": "t"}]), "embeds"),
]
ACCEPTED_BODIES: list[JsonObject] = [
    layout(section(), row(button(custom_id="other")), {"type": 14, "spacing": 2}),
    layout({"type": 17, "components": [section(components=texts(3))]}),
    layout(*(section(accessory=button(custom_id=f"play{n}")) for n in range(13))),  # 39 components
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
    hidden = layout(*texts(1), attachments=DESCRIBED)
    status, answer = await send_request("POST", messages_path, hidden, (make_png(),))
    assert (status, error_paths(answer["errors"])) == (400, {"attachments"})
    shown = layout(*texts(1), gallery(description="d" * limits.ALT_TEXT), attachments=DESCRIBED)
    status, answer = await send_request("POST", messages_path, shown, (make_png(),))
    assert status == 200, answer
    media = answer["components"][1]["items"][0]["media"]
    assert media["url"].startswith("http")
    assert media["width"] > 0
    path = f"{messages_path}/{answer['id']}"
    status, answer = await send_request("PATCH", path, {"components": texts(1)})
    assert (status, error_paths(answer["errors"])) == (400, {"attachments"})
    assert (await send_request("PATCH", path, {"components": texts(1), "attachments": []}))[0] == 200
    assert not server.member("Ava").latest().attachments


async def test_a_layout_never_becomes_a_classic_message(
    server: LocalDiscord, send_request: SendRequest, messages_path: str
) -> None:
    """A layout never becomes a classic message; a classic one becomes a layout without its content."""
    _, posted = await send_request("POST", messages_path, layout(*texts(1)))
    path = f"{messages_path}/{posted['id']}"
    for body in ({"content": "x"}, {"content": "x", "flags": 0, "components": []}):
        status, answer = await send_request("PATCH", path, body)
        assert (status, answer["code"]) == (400, 50035), body
    assert (await send_request("PATCH", path, {"components": []}))[1]["code"] == 50006
    status, answer = await send_request("PATCH", path, {"flags": 0, "components": texts(2)})
    assert (status, answer["flags"] & COMPONENTS_V2_FLAG) == (200, COMPONENTS_V2_FLAG)
    _, posted = await send_request("POST", messages_path, {"content": "classic"})
    path = f"{messages_path}/{posted['id']}"
    assert (await send_request("PATCH", path, layout(*texts(1))))[0] == 400
    assert (await send_request("PATCH", path, layout(*texts(1), content=None, embeds=[])))[0] == 200
    assert server.member("Ava").latest().content == ""


def options(count: int, **changes: object) -> JsonObject:
    """Return a group of this many options."""
    listed = [{"label": f"Card {n}", "value": str(n)} for n in range(count)]
    return {"custom_id": "card", "options": listed} | changes


@pytest.mark.parametrize(
    ("part", "path"),
    [
        ({"type": 21} | options(1), "options"),
        ({"type": 21} | options(11), "options"),
        ({"type": 22} | options(0), "options"),
        ({"type": 22} | options(11), "options"),
        ({"type": 22} | options(2, max_values=11), "max_values"),
        ({"type": 21} | options(2), ""),
        ({"type": 21} | options(10), ""),
        ({"type": 22} | options(10, min_values=0, max_values=10, required=False), ""),
        ({"type": 23, "custom_id": "card"}, ""),
    ],
)
async def test_groups_of_a_form_keep_to_their_limits(
    server: LocalDiscord, send_request: SendRequest, part: JsonObject, path: str
) -> None:
    """A radio group has 2 to 10 options, a checkbox group 1 to 10; both stand in a label."""
    label = {"type": 18, "label": "Which card?", "description": "One of yours", "component": part}
    data = {"title": "Play", "custom_id": "form", "components": [label]}
    interaction = begin_interaction(server, InteractionType.COMMAND)
    status, answer = await send_request("POST", callback_path(interaction), {"type": 9, "data": data})
    if path:
        assert (status, answer["code"]) == (400, 50035)
        assert error_paths(answer["errors"]) >= {f"data.components.0.component.{path}"}
    else:
        assert status == 204, answer


def test_a_submitted_form_has_its_defaults() -> None:
    """What a person leaves alone is sent as it was shown; what is not offered cannot be chosen."""
    radio: JsonObject = {"type": 21, "id": 2} | options(3)
    radio["options"][1]["default"] = True
    ticks: JsonObject = {"type": 22, "id": 4, "max_values": None} | options(
        3, custom_id="ticks", required=False
    )
    ticks["options"][2]["default"] = True
    parts = [{"type": 18, "id": number, "component": one} for number, one in ((1, radio), (3, ticks))]
    left = modal_submission({"components": parts}, {})
    assert [left[0]["component"]["value"], left[1]["component"]["values"]] == ["1", ["2"]]
    filled = modal_submission({"components": parts}, {"card": "0", "ticks": ["0", "1", "2"]})
    assert [filled[0]["component"]["value"], filled[1]["component"]["values"]] == ["0", ["0", "1", "2"]]
    for wrong in ({"card": "7"}, {"card": None}, {"ticks": ["7"]}):
        with pytest.raises(ClientRefusal):
            modal_submission({"components": parts}, dict(wrong))
    with pytest.raises(ClientRefusal, match=r"^Choose 1\.$"):
        modal_submission({"components": parts}, {"card": None})


async def test_a_notification_shows_the_content_alone(
    server: LocalDiscord, send_request: SendRequest, messages_path: str
) -> None:
    """A notification shows the content alone: a mention in a layout arrives without a word."""
    ava, ben = server.user("Ava"), server.user("Ben")
    said = f"**Currents · No. 1**\n<@{ava.id}>, your turn: play one card.\n-# Reference"
    allowed = {"parse": [], "users": [str(ava.id)]}
    await send_request("POST", messages_path, {"content": said, "allowed_mentions": allowed})
    classic = server.member("Ava").latest()
    await send_request("POST", messages_path, layout({"type": 10, "content": said}, allowed_mentions=allowed))
    new = server.member("Ava").latest()
    for message in (classic, new):
        assert notifies(message, ava)
        assert not notifies(message, ben)
    shown = notification_text(server.world, classic)
    assert shown == "Currents · No. 1\n@Ava, your turn: play one card.\nReference"
    assert not notification_text(server.world, new)
    await send_request("POST", messages_path, {"attachments": DESCRIBED}, (make_png(),))
    assert notification_text(server.world, server.member("Ava").latest()) == "Sent a file"
