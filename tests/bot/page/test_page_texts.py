"""Texts and pictures on the page: markup, hostile text, times and alt texts."""

from __future__ import annotations

import pytest
from playwright.async_api import expect

from tests.bot.page.conftest import Windows
from tests.bot.page.showcase_bot import CHART_ALT_TEXT

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def test_hostile_text_stays_text(windows: Windows) -> None:
    """Markup in messages, embeds and labels creates no elements, runs no script and makes no unsafe links."""
    page = await windows.open("Ava")
    await page.locator("#composer textarea").fill(
        "<img src=x onerror=\"document.title='hit'\"> <script>1</script>"
    )
    await page.keyboard.press("Enter")
    await page.locator("#composer textarea").press_sequentially("/hostile ")
    await page.keyboard.press("Enter")
    answer = page.locator("#messages > li.message").last
    await expect(answer.get_by_role("button", name="<b>x</b>")).to_be_visible()
    await expect(answer.locator("strong").first).to_have_text("bold")
    await expect(answer.locator(".embed")).to_contain_text("<script>")
    for message in (await page.locator("#messages > li.message").all())[-2:]:
        assert await message.locator(":is(img, script, button b)").count() == 0
        addresses = await message.locator("a[href]").evaluate_all("links => links.map(link => link.href)")
        assert all(address.startswith("https://example.org/") for address in addresses)
    assert "hit" not in await page.title()


async def test_a_notification_shows_times(windows: Windows) -> None:
    """The card of a message with a time in it shows the time, as a phone does, not its mark."""
    page = await windows.open("Ben")
    shown = await page.evaluate(
        """async text => {
            const { withTimestamps } = await import("./page/when.js");
            const box = document.createElement("p");
            box.append(...withTimestamps(text));
            return [box.textContent, box.querySelectorAll("time").length];
        }""",
        "Your turn until <t:1700000000:D>, not <t:99999999999999:R>",
    )
    assert shown == ["Your turn until November 14, 2023, not <t:99999999999999:R>", 1]


async def test_pictures_show_their_text_and_open_large(windows: Windows) -> None:
    """A picture, attached or in a container, has alt text, shows it with ALT, and opens large."""
    page = await windows.open("Ava")
    messages = page.locator("#messages > li.message")
    message_count = await messages.count()
    for number, words in enumerate(("/chart ", "/chart plain:True")):
        await page.locator("#composer textarea").focus()
        await page.keyboard.insert_text(words)
        await page.keyboard.press("Enter")
        answer = messages.nth(message_count + number)
        picture = answer.locator("img")
        await expect(picture).to_have_attribute("alt", CHART_ALT_TEXT)
        assert (
            await picture.evaluate("async image => { await image.decode(); return image.naturalWidth }")
            == 400
        )
        await answer.get_by_role("button", name="Show the description").click()
        await expect(answer.locator("figcaption")).to_be_visible()
        await answer.get_by_role("button", name="Enlarge").click()
        await expect(page.get_by_role("dialog", name="Picture")).to_contain_text(CHART_ALT_TEXT)
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await page.locator("#composer textarea").evaluate("box => box.focus()")


HTML_BY_MARKUP = {
    "**bold** and *it*": "<p><strong>bold</strong> and <em>it</em></p>",
    "a_b_c 2*3*4 _x_": "<p>a_b_c 2<em>3</em>4 <em>x</em></p>",
    "`**raw**`": "<p><code>**raw**</code></p>",
    r"\*no\*": "<p>*no*</p>",
    "# Big\n## Less": '<h3 class="heading-1">Big</h3><h4 class="heading-2">Less</h4>',
    "-# small": "<small>small</small>",
    "- a\n  - b\n- c": "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>",
    "2. x\n3. y": '<ol start="2"><li>x</li><li>y</li></ol>',
    "> q\nafter": "<blockquote><p>q</p></blockquote><p>after</p>",
    "```py\n<b>\n```": "<pre><code>&lt;b&gt;</code></pre>",
    "<@7> <@8>": '<p><span class="mention">@Ava</span> <span class="mention">@unknown</span></p>',
    "<#9>": '<p><span class="mention" role="link" tabindex="0" data-mention="9">#unknown</span></p>',
    "<script>": "<p>&lt;script&gt;</p>",
    "**a *b***": "<p><strong>a <em>b</em></strong></p>",
    "~~s~~ __u__": "<p><s>s</s> <u>u</u></p>",
    "<t:99999999999999:R>": "<p>&lt;t:99999999999999:R&gt;</p>",
}


async def test_markdown_reads_as_on_discord(windows: Windows) -> None:
    """Each kind of markup becomes its element, and other text stays as typed."""
    page = await windows.open("Ava")
    shown = await page.evaluate(
        """async texts => {
            const { markdown } = await import("./page/markdown.js");
            const names = { user: id => id === "7" ? "Ava" : null, channel: () => null, open: () => {} };
            return texts.map(text => {
                const box = document.createElement("div");
                box.append(...markdown(text, names));
                return box.innerHTML;
            });
        }""",
        list(HTML_BY_MARKUP),
    )
    assert dict(zip(HTML_BY_MARKUP, shown, strict=True)) == HTML_BY_MARKUP
