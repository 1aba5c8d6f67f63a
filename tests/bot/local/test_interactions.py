"""Responses to interactions: deadlines, types, limits, and what a form submits."""

from __future__ import annotations

import re

import pytest

from bot import limits
from bot.local.client_input import ClientRefusal, command_data, modal_submission
from bot.local.interactions import Interaction, InteractionType
from bot.local.model import Message
from bot.local.server import LocalDiscord
from tests.bot.e2e.observe import response_limit
from tests.bot.host.playing import ManualClock
from tests.bot.local.conftest import COMPONENTS_V2_FLAG, JsonObject, SendRequest, error_paths


def begin_interaction(
    server: LocalDiscord, kind: InteractionType, message: Message | None = None
) -> Interaction:
    """Return an interaction of Ava whose response nobody awaits."""
    ava = server.member("Ava")
    data: JsonObject = {
        "name": "newgame",
        "type": 1,
        "options": [{"type": 3, "name": "option", "value": "", "focused": True}],
    }
    return server.interactions.create(kind, ava.user, ava.channel, data, message)


def choices(count: int) -> list[JsonObject]:
    """Return this many choices."""
    return [{"name": f"n{n}", "value": f"v{n}"} for n in range(count)]


def callback_path(interaction: Interaction) -> str:
    """Return the path for its initial response."""
    return f"/interactions/{interaction.id}/{interaction.token}/callback"


async def test_responses_after_their_deadline_are_refused(
    server: LocalDiscord, send_request: SendRequest, clock: ManualClock
) -> None:
    """The initial response must come within 3 s, everything else within 15 min."""
    quick_interaction, late_interaction = (
        begin_interaction(server, InteractionType.COMMAND),
        begin_interaction(server, InteractionType.COMMAND),
    )
    with response_limit():
        clock.now += limits.FIRST_RESPONSE_SECONDS
        assert (await send_request("POST", callback_path(quick_interaction), {"type": 5}))[0] == 204
        clock.now += 0.01
        answer = (await send_request("POST", callback_path(late_interaction), {"type": 5}))[1]
    assert answer["code"] == 10062
    original_path = f"/webhooks/{server.world.application_id}/{quick_interaction.token}/messages/@original"
    clock.now += limits.TOKEN_SECONDS - 10
    assert (await send_request("PATCH", original_path, {"content": "done"}))[0] == 200
    clock.now += 10
    status, answer = await send_request("PATCH", original_path, {"content": "again"})
    assert (status, answer["code"]) == (401, 50027)


@pytest.mark.parametrize(
    ("kind", "allowed_types"),
    [
        (InteractionType.COMMAND, {4, 5, 9}),
        (InteractionType.COMPONENT, {4, 5, 6, 7, 9}),
        (InteractionType.AUTOCOMPLETE, {8}),
        (InteractionType.MODAL_SUBMIT, {4, 5}),
    ],
)
async def test_responses_of_the_wrong_type_are_refused(
    server: LocalDiscord, send_request: SendRequest, kind: InteractionType, allowed_types: set[int]
) -> None:
    """Each type of interaction allows certain responses: no modal after a modal, no update of nothing."""
    form = {"type": 18, "label": "Move", "component": {"type": 4, "style": 1, "custom_id": "move"}}
    data = {"content": "x", "title": "Move", "custom_id": "form", "components": [form], "choices": []}
    accepted_types = set()
    for response_type in range(1, 10):
        message = None
        if kind is InteractionType.COMPONENT:
            bot, channel = server.world.bot, server.member("Ava").channel
            message = Message(server.world.new_snowflake(), channel, bot, server.world.clock(), "board")
            server.world.post(message)
        body: JsonObject = {"type": response_type, "data": {} if response_type in (5, 6) else data}
        if response_type in (4, 7):
            body["data"] = {"content": "x"}
        status, answer = await send_request(
            "POST", callback_path(begin_interaction(server, kind, message)), body
        )
        if status == 204:
            accepted_types.add(response_type)
        else:
            assert answer["code"] == 50035
    assert accepted_types == allowed_types


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
async def test_bad_modals_are_refused(
    server: LocalDiscord, send_request: SendRequest, data: JsonObject, path: str
) -> None:
    """A modal over a limit is refused with the field's path, and another response is still possible."""

    def part(number: int) -> JsonObject:
        inner = {"type": 4, "style": 1, "custom_id": f"move{number}"}
        inner |= {key: data[key] for key in ("placeholder", "value") if key in data}
        return {"type": 18, "label": data.get("label", "Move"), "component": inner}

    listed = data.get("components")
    parts = [part(number) for number in range(1 if listed is None else listed or 0)]
    modal = {"title": "Move", "custom_id": "form"} | data | {"components": parts}
    interaction = begin_interaction(server, InteractionType.COMMAND)
    status, answer = await send_request("POST", callback_path(interaction), {"type": 9, "data": modal})
    assert (status, answer["code"]) == (400, 50035)
    assert error_paths(answer["errors"]) == {path}
    assert (await send_request("POST", callback_path(interaction), {"type": 5}))[0] == 204


def option_group(count: int, **changes: object) -> JsonObject:
    """Return a group of this many options."""
    listed = [{"label": f"Card {n}", "value": str(n)} for n in range(count)]
    return {"custom_id": "card", "options": listed} | changes


@pytest.mark.parametrize(
    ("group", "path"),
    [
        ({"type": 21} | option_group(1), "options"),
        ({"type": 21} | option_group(11), "options"),
        ({"type": 22} | option_group(0), "options"),
        ({"type": 22} | option_group(11), "options"),
        ({"type": 22} | option_group(2, max_values=11), "max_values"),
        ({"type": 21} | option_group(2), ""),
        ({"type": 21} | option_group(10), ""),
        ({"type": 22} | option_group(10, min_values=0, max_values=10, required=False), ""),
        ({"type": 23, "custom_id": "card"}, ""),
    ],
)
async def test_groups_of_a_form_keep_to_their_limits(
    server: LocalDiscord, send_request: SendRequest, group: JsonObject, path: str
) -> None:
    """A radio group has 2 to 10 options, a checkbox group 1 to 10; both stand in a label."""
    label = {"type": 18, "label": "Which card?", "description": "One of yours", "component": group}
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
    radio: JsonObject = {"type": 21, "id": 2} | option_group(3)
    radio["options"][1]["default"] = True
    checkboxes: JsonObject = {"type": 22, "id": 4, "max_values": None} | option_group(
        3, custom_id="ticks", required=False
    )
    checkboxes["options"][2]["default"] = True
    parts = [
        {"type": 18, "id": number, "component": group} for number, group in ((1, radio), (3, checkboxes))
    ]
    untouched = modal_submission({"components": parts}, {})
    assert [untouched[0]["component"]["value"], untouched[1]["component"]["values"]] == ["1", ["2"]]
    filled = modal_submission({"components": parts}, {"card": "0", "ticks": ["0", "1", "2"]})
    assert [filled[0]["component"]["value"], filled[1]["component"]["values"]] == ["0", ["0", "1", "2"]]
    for wrong in ({"card": "7"}, {"card": None}, {"ticks": ["7"]}):
        with pytest.raises(ClientRefusal):
            modal_submission({"components": parts}, dict(wrong))
    with pytest.raises(ClientRefusal, match=r"^Choose 1\.$"):
        modal_submission({"components": parts}, {"card": None})


async def test_autocompletion_has_limits(server: LocalDiscord, send_request: SendRequest) -> None:
    """There are at most 25 choices of at most 100 characters each."""
    for listed, expected in (
        (choices(25), 204),
        (choices(26), 400),
        ([{"name": "n" * 101, "value": "v"}], 400),
        ([{"name": "n", "value": "v" * 101}], 400),
    ):
        path = callback_path(begin_interaction(server, InteractionType.AUTOCOMPLETE))
        assert (await send_request("POST", path, {"type": 8, "data": {"choices": listed}}))[0] == expected


async def test_a_deferral_carries_only_the_ephemeral_flag(
    server: LocalDiscord, send_request: SendRequest
) -> None:
    """A deferral cannot carry the flag of a layout."""
    path = callback_path(begin_interaction(server, InteractionType.COMMAND))
    assert (await send_request("POST", path, {"type": 5, "data": {"flags": COMPONENTS_V2_FLAG}}))[0] == 400
    assert (await send_request("POST", path, {"type": 5, "data": {"flags": 64}}))[0] == 204


async def test_ephemeral_messages_are_not_in_the_channel(
    server: LocalDiscord, send_request: SendRequest
) -> None:
    """An ephemeral response can be fetched and changed only with its token."""
    interaction = begin_interaction(server, InteractionType.COMMAND)
    data = {"content": "hand", "flags": 64}
    await send_request("POST", callback_path(interaction), {"type": 4, "data": data})
    original_path = f"/webhooks/{server.world.application_id}/{interaction.token}/messages/@original"
    status, hand = await send_request("GET", original_path)
    assert (status, hand["flags"] & 64) == (200, 64)
    status, answer = await send_request("GET", f"/channels/{hand['channel_id']}/messages/{hand['id']}")
    assert (status, answer["code"]) == (404, 10008)
    assert (await send_request("GET", f"/channels/{hand['channel_id']}/messages"))[1] == []
    assert (await send_request("DELETE", original_path))[0] == 204


@pytest.mark.parametrize(
    ("option", "value", "refusal"),
    [
        ({"type": 3, "min_length": 3}, "ab", "word must have at least 3 characters."),
        ({"type": 3, "max_length": 3}, "abcd", "word must have at most 3 characters."),
        ({"type": 4, "min_value": 3}, "2", "word must be at least 3."),
        ({"type": 10, "max_value": 3}, "3.5", "word must be at most 3."),
    ],
)
async def test_a_client_names_the_limit_of_an_option(
    server: LocalDiscord, option: JsonObject, value: str, refusal: str
) -> None:
    """The length of a text is given in characters."""
    command = {"id": "1", "name": "say", "type": 1, "options": [{"name": "word"} | option]}
    with pytest.raises(ClientRefusal, match=f"^{re.escape(refusal)}$"):
        command_data(server.world, command, [{"name": "word", "value": value}], is_submitted=True)
