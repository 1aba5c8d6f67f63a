"""Commands in the page's message box, typed by hand: completion, options by name, refusals."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import expect

from bot.local.faults import InjectedFault
from tests.bot.e2e.observe import wait_until
from tests.bot.page.conftest import Windows
from tests.trials import IS_SOAK

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def test_a_command_is_found_completed_and_run(windows: Windows) -> None:
    """Typing filters the commands, the bot completes the option, Enter runs it, the reply names the user."""
    page = await windows.open("Ava")
    box = page.locator("#composer textarea")
    await box.press_sequentially("/")
    await expect(page.get_by_role("option", name="/fish")).to_be_visible()
    await expect(page.get_by_role("option", name="/hostile")).to_be_visible()
    await box.press_sequentially("fi")
    await expect(page.get_by_role("option", name="/hostile")).to_have_count(0)
    await page.keyboard.press("Tab")
    await page.keyboard.type("a")
    await expect(page.get_by_role("option")).to_have_text(["Mackerel", "Plaice"])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.get_by_role("option", name="number").click()
    await page.keyboard.type("12")
    await page.keyboard.press("Enter")
    await expect(page.locator("#composer-note")).to_have_text("“number” must be at most 9.")
    await page.keyboard.press("Backspace")
    await page.keyboard.press("Enter")
    answer = page.locator("#messages > li.message").last
    await expect(answer).to_contain_text("Landed 1 Plaice")
    await expect(answer.locator(".reply-line")).to_have_text("AAva used /fish")
    await expect(answer.locator(".bot-tag")).to_have_text("BOT")


@pytest.mark.parametrize("count", [1, 2])
async def test_a_limit_of_one_is_named_in_the_singular(windows: Windows, count: int) -> None:
    """Every other limit has its noun in the plural."""
    page = await windows.open("Ava")
    plural_ending = "s" if count > 1 else ""
    refusals = await page.evaluate(
        """async count => {
            const { valueOf } = await import("./page/commands.js");
            const choices = [...Array(count).keys()].map(number => ({ name: `n${number}`, value: number }));
            const lengths = [["", { min_length: count }], ["xxxx", { max_length: count }]];
            const tried = [...lengths, ["x", { choices }], ["x".repeat(6001), {}]];
            return tried.map(([text, limit]) => valueOf({ name: "kind", type: 3, ...limit }, text).error);
        }""",
        count,
    )
    assert refusals == [
        f"“kind” must have at least {count} character{plural_ending}.",
        f"“kind” must have at most {count} character{plural_ending}.",
        f"Choose {'one of the 2 values' if plural_ending else 'the only value'} of “kind”.",
        "“kind” must have at most 6000 characters.",
    ]
    await page.locator("#composer textarea").fill("x" * (2000 - count))
    await expect(page.locator("#composer-note")).to_have_text(f"{count} character{plural_ending} left")


@pytest.mark.soak_only
async def test_a_command_runs_after_its_list_was_closed(windows: Windows) -> None:
    """Enter takes a typed command up although Escape has closed the list above it."""
    page = await windows.open("Ava")
    await page.locator("#composer textarea").press_sequentially("/chart")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Enter")
    await expect(page.locator("#composer")).to_contain_text("/chart")
    await page.keyboard.press("Enter")
    await expect(page.locator("#messages > li.message").last).to_contain_text("used /chart")


TYPED_COMMANDS = {
    "/fish number:5 kind:cod": "Landed 5 cod",
    "/fish half price: cod": "Landed 1 half price: cod",
    "/fish number:2 kind:cod number:7": "Landed 2 cod number:7",
}
MORE_TYPED_COMMANDS = {
    "/fish cod number:3": "Landed 3 cod",
    "/fish kind:cod number: 4": "Landed 4 cod",
    "/fish Kind:cod Number:6": "Landed 6 cod",
    "/chart plain:True": "The chart",
}
"""Those of the long run."""


async def test_options_typed_by_name_reach_the_bot(windows: Windows) -> None:
    """As on Discord, "name:" in any field begins that option; other words with a colon stay text."""
    page = await windows.open("Ava")
    messages = page.locator("#messages > li.message")
    for typed, text in (TYPED_COMMANDS | MORE_TYPED_COMMANDS if IS_SOAK else TYPED_COMMANDS).items():
        message_count = await messages.count()
        await page.locator("#composer textarea").press_sequentially(typed)
        await page.keyboard.press("Escape")  # the text as typed, not what the list proposes
        await page.keyboard.press("Enter")
        await expect(messages.nth(message_count)).to_contain_text(text)


async def test_late_suggestions_open_no_list_that_was_closed(windows: Windows) -> None:
    """After Escape the text is run as typed, although the bot's suggestions for it come then."""
    page, server, released = await windows.open("Ava"), windows.server, asyncio.Event()
    message_count = await page.locator("#messages > li.message").count()
    await page.locator("#composer textarea").fill("/fish co")
    fault = server.faults.add(InjectedFault("POST", "/interactions/*", status=0, until=released))
    await page.locator('#composer .field[data-option="kind"] input').focus()
    await wait_until(lambda: fault.hit_count or None, awaited="the bot's suggestions")
    await page.keyboard.press("Escape")
    released.set()
    await wait_until(lambda: [*server.interactions._by_token.values()][-1].is_acknowledged or None)
    server.member("Ben").say("Land one for me")
    await expect(page.locator("#messages > li.message").nth(message_count)).to_contain_text("Land one for me")
    await page.keyboard.press("Enter")
    await expect(page.locator("#messages > li.message").nth(message_count + 1)).to_contain_text("Landed 1 co")


PASTED_COMMANDS = (
    ("/fish kind: number:3", "", "3", ""),
    ("/fish cod kind:hake", "hake", None, "cod"),
    ("/fish number:2 cod", None, "2 cod", ""),
    ("/hostile foo bar", None, None, "foo bar"),
)
"""What is pasted, and what then stands in the fields of kind, of number and of all else."""


@pytest.mark.soak_only
async def test_pasted_words_all_stand_in_the_form(windows: Windows) -> None:
    """Each word of a pasted command is in the field of its option, or in the last one, which is refused."""
    page = await windows.open("Ava")
    for pasted, kind, number, rest in PASTED_COMMANDS:
        await page.locator("#composer textarea").fill(pasted)
        form = page.locator("#composer .command")
        for name, value in (("kind", kind), ("number", number)):
            field = form.locator(f'.field[data-option="{name}"] input')
            if value is None:
                await expect(field.or_(form.locator(".command-more")).first).to_be_visible()
                assert await field.count() == 0 or await field.input_value() == "", pasted
            else:
                await expect(field, pasted).to_have_value(value)
        await expect(form.locator(".command-more"), pasted).to_have_value(rest)
        for _ in range(2):  # the list of suggestions closes first
            await page.keyboard.press("Escape")
        await expect(form, pasted).to_have_count(0)


async def test_text_that_is_no_option_stops_a_command(windows: Windows) -> None:
    """Words after the last field that name no option are refused, not dropped."""
    page = await windows.open("Ava")
    message_count = await page.locator("#messages > li.message").count()
    await page.locator("#composer textarea").press_sequentially("/chart plane:True")
    await page.keyboard.press("Enter")
    await expect(page.locator("#composer-note")).to_have_text(
        "“plane:True” is no option of /chart. Choose one from the list, or remove it."
    )
    assert await page.locator("#messages > li.message").count() == message_count
