"""Layouts in a real browser: how they are drawn, and what a notification shows of them."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from bot.local import messages
from bot.local.api_errors import JsonObject
from bot.local.messages import Upload
from tests.bot.local.conftest import COMPONENTS_V2_FLAG, make_png
from tests.bot.page.conftest import Windows
from tests.bot.page.showcase_bot import BLUE, CHART_ALT_TEXT

pytestmark = pytest.mark.asyncio(loop_scope="package")

PHONE_WIDTH = 400  # pixels


def card_section(number: int) -> JsonObject:
    """Return a section: a name, what it does, and a button."""
    text = f"**Card {number}**\n-# Pushes the pawn {number} slots to the north"
    button = {"type": 2, "style": 2, "label": f"Play {number}", "custom_id": f"card{number}"}
    return {"type": 9, "components": [{"type": 10, "content": text}], "accessory": button}


LONG_PLACEHOLDER = "Names from Abundance to Contagious Proximity (1 of 6)"
COMPONENTS: list[JsonObject] = [
    {"type": 10, "content": "### Which card?"},
    {"type": 12, "items": [{"media": {"url": "attachment://chart.png"}, "description": CHART_ALT_TEXT}]},
    *(card_section(number) for number in range(1, 4)),
    {
        "type": 1,
        "components": [
            {
                "type": 3,
                "custom_id": "topic",
                "placeholder": LONG_PLACEHOLDER,
                "options": [{"label": "Abundance", "value": "abundance"}],
            }
        ],
    },
    {"type": 14, "spacing": 2},
    {"type": 13, "file": {"url": "attachment://log.txt"}},
    {
        "type": 17,
        "components": [{"type": 10, "content": "Wait for Ben."}],
        "accent_color": 0xE69F00,
    },
]


async def test_a_layout_is_drawn_in_its_order(windows: Windows) -> None:
    """Text, picture, sections and file stand where the layout has them, and fit a phone."""
    page = await windows.open("Ava", width=PHONE_WIDTH)
    world, channel = windows.server.world, windows.server.member("Ava").channel
    uploads = {
        "files[0]": Upload("chart.png", "image/png", make_png(1200, 800, BLUE)),
        "files[1]": Upload("log.txt", "text/plain", b"calm"),
    }
    attachments = [{"id": number, "filename": name} for number, name in enumerate(("chart.png", "log.txt"))]
    body: JsonObject = {"components": COMPONENTS, "flags": COMPONENTS_V2_FLAG, "attachments": attachments}
    messages.create_message(world, channel, world.bot, body, uploads)
    drawn_components = page.locator("#messages > li.message").last.locator(".components.v2 > *")
    await expect(drawn_components).to_have_count(len(COMPONENTS))
    await expect(drawn_components.nth(0)).to_have_text("Which card?")
    await expect(drawn_components.nth(1).locator("img")).to_have_attribute("alt", CHART_ALT_TEXT)
    await expect(drawn_components.nth(7)).to_contain_text("log.txt")
    await expect(drawn_components.nth(8)).to_have_text("Wait for Ben.")
    for number in range(1, 4):
        section = drawn_components.nth(1 + number)
        text = await section.get_by_text(f"Card {number}").bounding_box()
        button = await section.get_by_role("button", name=f"Play {number}").bounding_box()
        assert text is not None
        assert button is not None
        assert button["x"] > text["x"] + text["width"] / 2, "the button stands at the right of its text"
        assert button["x"] + button["width"] <= PHONE_WIDTH
    prompt = drawn_components.nth(5).get_by_text(LONG_PLACEHOLDER)
    assert await prompt.evaluate("prompt => prompt.scrollWidth <= prompt.clientWidth"), "it is not cut"
    for index in range(len(COMPONENTS)):
        box = await drawn_components.nth(index).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= PHONE_WIDTH, index


async def test_two_short_buttons_stand_side_by_side(windows: Windows) -> None:
    """On a small phone buttons like those of a plan share a line, also in a message that follows another."""
    page = await windows.open("Ava", width=350)
    world, channel = windows.server.world, windows.server.member("Ava").channel
    labels = ("Ship 1: ↖ to ↑, D1", "Ship 2: ↘ to ↓, E3")
    buttons = [{"type": 2, "style": 1, "label": label, "custom_id": label} for label in labels]
    parts = [{"type": 10, "content": "Which die do you change?"}, {"type": 1, "components": buttons}]
    body: JsonObject = {"components": parts, "flags": COMPONENTS_V2_FLAG}
    for _ in range(2):
        message = messages.create_message(world, channel, world.bot, body, {})
    drawn_message = page.locator(f'#messages > li.message.compact[data-id="{message.id}"]')
    boxes = [await drawn_message.get_by_role("button", name=label).bounding_box() for label in labels]
    assert len({box["y"] for box in boxes if box is not None}) == 1


async def test_a_notification_shows_the_content_alone(windows: Windows) -> None:
    """A mention elsewhere shows its text as on a lock screen; one in a layout says only that it came."""
    page = await windows.open("Ava")
    world, ava = windows.server.world, windows.server.user("Ava")
    other_channel = world.find_channel("tables")
    text = f"**Currents · No. 1**\n<@{ava.id}>, your turn until <t:1700000000:D>."
    allowed_mentions = {"parse": [], "users": [str(ava.id)]}
    messages.create_message(
        world, other_channel, world.bot, {"content": text, "allowed_mentions": allowed_mentions}, {}
    )
    notifications = page.locator("#notifications .notification")
    await expect(notifications).to_have_count(1)
    await expect(notifications.first).to_contain_text("#tables")
    shown = "Currents · No. 1\n@Ava, your turn until November 14, 2023."
    await expect(notifications.first.locator(".notification-text")).to_have_text(shown)
    parts = [{"type": 10, "content": text}]
    body: JsonObject = {
        "components": parts,
        "flags": COMPONENTS_V2_FLAG,
        "allowed_mentions": allowed_mentions,
    }
    messages.create_message(world, other_channel, world.bot, body, {})
    await expect(notifications).to_have_count(2)
    await expect(notifications.last.locator(".notification-text")).to_have_text("New message")
    await page.get_by_role("button", name="tables").click()
    await expect(page.locator("#messages > li.message").last).to_contain_text("@Ava, your turn until")
    await page.get_by_role("button", name="Message menu").first.click()
    await expect(page.get_by_role("menu").locator(".notification-text")).to_have_text(shown)
