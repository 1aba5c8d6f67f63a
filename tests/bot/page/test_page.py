"""The page in a real browser, against the real local server and a small bot."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Locator, Page, expect

from bot.local.faults import InjectedFault
from bot.local.model import Message
from bot.local.permissions import Permission
from tests.bot.e2e.observe import response_limit, wait_until
from tests.bot.page.conftest import WAIT_TIMEOUT_MS, Windows

pytestmark = pytest.mark.asyncio(loop_scope="package")


async def run_fish(windows: Windows, page: Page) -> Locator:
    """Run `/fish` elsewhere and return the response's message in this window."""
    message_count = await page.locator("#messages > li.message").count()
    await windows.server.member("Ava").command("fish", kind="Cod")
    answer = page.locator("#messages > li.message").nth(message_count)
    await expect(answer).to_contain_text("Landed 1 Cod")
    return answer


async def wait_until_scrolled(page: Page, *, bottom: bool) -> float:
    """Wait until the messages rest at the bottom, or above it; return how far they are scrolled."""
    scroll_top = await page.locator("#scroller").evaluate(
        """async (box, [bottom, timeout]) => {
            const frame = () => new Promise(requestAnimationFrame);
            const low = () => box.scrollHeight - box.scrollTop - box.clientHeight < 2;
            const until = performance.now() + timeout;
            for (let last = -1; performance.now() < until && (low() !== bottom || last !== box.scrollTop);) {
                last = box.scrollTop;
                for (let count = 0; count < 10; count += 1) await frame();
            }
            return low() === bottom ? box.scrollTop : null;
        }""",
        [bottom, WAIT_TIMEOUT_MS],
    )
    assert isinstance(scroll_top, int | float), "the messages are not where they should be"
    return float(scroll_top)


async def test_others_see_an_action_at_once(windows: Windows) -> None:
    """A pressed button edits the message in every open window, and a message arrives in both."""
    ava, ben = await windows.open("Ava"), await windows.open("Ben", width=400)
    answer = await run_fish(windows, ava)
    await answer.get_by_role("button", name="Count").click()
    await expect(answer).to_contain_text("Counted 1")
    await expect(ben.locator("#messages > li.message").last).to_contain_text("Counted 1")
    await ben.locator("#composer textarea").fill("Well done")
    await ben.keyboard.press("Enter")
    await expect(ava.locator("#messages > li.message").last).to_contain_text("Well done")


async def test_a_select_takes_several_values(windows: Windows) -> None:
    """A select of up to two values sends them when it closes, and refuses a third."""
    page = await windows.open("Ava")
    answer = await run_fish(windows, page)
    await answer.get_by_role("button", name="Which wind?").click()
    for name in ("North", "West", "South"):
        await page.get_by_role("option", name=name).click()
    await expect(page.get_by_role("option", selected=True)).to_have_count(2)
    await page.get_by_role("button", name="Done").click()
    await expect(answer).to_contain_text("Wind: n, w")


async def test_a_modal_is_filled_in_and_sent(windows: Windows) -> None:
    """A modal opens, requires its fields, closes when submitted, and the values arrive."""
    page = await windows.open("Ava")
    answer = await run_fish(windows, page)
    await answer.get_by_role("button", name="Write").click()
    dialog = page.get_by_role("dialog", name="Log book")
    await expect(dialog).to_contain_text("What happened today")
    await dialog.get_by_role("button", name="Submit").click()
    await expect(dialog).to_be_visible()
    await dialog.get_by_role("radio", name="Rough").check()
    await dialog.get_by_role("checkbox", name="Whale").check()
    await dialog.get_by_label("Entry").fill("Wind from the west")
    await page.keyboard.press("Enter")
    await expect(dialog).to_have_count(0)
    answer = page.locator("#messages > li.message").last
    await expect(answer).to_contain_text("Logged: Wind from the west, rough, whale and seal")


async def test_ephemeral_responses_and_dms_reach_one_person(windows: Windows) -> None:
    """An ephemeral response and a DM appear in the window of their person and in no other."""
    ava, ben = await windows.open("Ava"), await windows.open("Ben")
    answer = await run_fish(windows, ava)
    await expect(ben.locator("#messages > li.message").last).to_contain_text("Landed")
    await answer.get_by_role("button", name="Secret").click()
    private = ava.locator("#messages > li.ephemeral").last
    await expect(private).to_contain_text("The chart is under the mast.")
    await expect(private).to_contain_text("Only you can see this")
    await answer.get_by_role("button", name="Letter").click()
    direct = ava.locator("#channel-list").get_by_role("button", name="Captain's Table, 1 for you")
    await expect(direct).to_be_visible()
    await direct.click()
    await expect(ava.locator("#messages")).to_contain_text("A letter for you alone.")
    await expect(ben.locator("#channel-list")).not_to_contain_text("Captain's Table")
    await expect(ben.locator("body")).not_to_contain_text("under the mast")
    await ava.get_by_role("button", name="lobby").click()
    await private.get_by_role("button", name="Dismiss message").click()
    await expect(ava.locator("#messages")).not_to_contain_text("under the mast")


async def test_a_window_can_switch_its_person(windows: Windows) -> None:
    """After switching, what only Ava saw is gone, and messages are Ben's."""
    page = await windows.open("Ava")
    answer = await run_fish(windows, page)
    await answer.get_by_role("button", name="Secret").click()
    await expect(page.locator("#messages")).to_contain_text("under the mast")
    await page.get_by_role("button", name="You are Ava").click()
    link = page.get_by_role("menuitem", name="Open Ben in a new window")
    lobby_id = next(each.id for each in windows.server.world.channels.values() if each.name == "lobby")
    address = f"{windows.server.page_url}?as={windows.server.user('Ben').id}&channel={lobby_id}"
    assert await link.evaluate("link => link.href") == address
    await page.get_by_role("menuitem", name="Ben", exact=True).click()
    await page.get_by_role("button", name="You are Ben").wait_for()
    await expect(page.locator("#messages")).not_to_contain_text("under the mast")
    await page.locator("#composer textarea").fill("Ben here")
    await page.keyboard.press("Enter")
    await expect(page.locator("#messages .author").last).to_have_text("Ben")


async def test_the_open_channel_stays(windows: Windows) -> None:
    """A channel, or one's direct messages, stay open when the page loads again or its person switches."""
    for name in ("Ava", "Ben"):
        member = windows.server.member(name)
        member.say(f"{name} here", channel=member.dm)
    page = await windows.open("Ava")
    channel_name = page.locator("#channel-name")

    async def switch(before: str, after: str) -> None:
        await page.get_by_role("button", name=f"You are {before}").click()
        await page.get_by_role("menuitem", name=after, exact=True).click()
        await page.get_by_role("button", name=f"You are {after}").wait_for()

    await page.get_by_role("button", name="tables").click()
    await page.reload()
    await expect(channel_name).to_have_text("#tables")
    await switch("Ava", "Ben")
    await expect(channel_name).to_have_text("#tables")
    await page.locator("#channel-list").get_by_role("button", name="Captain's Table").click()
    await switch("Ben", "Ava")
    await expect(channel_name).to_have_text("@Captain's Table")
    await expect(page.locator("#messages > li.message").last).to_contain_text("Ava here")


async def test_a_switch_closes_a_persons_dms(windows: Windows) -> None:
    """The switch closes this person's DMs at the server, so that the bot's message is refused."""
    page = await windows.open("Chloé")
    answer = await run_fish(windows, page)
    await page.get_by_role("button", name="You are Chloé").click()
    await page.get_by_role("menuitemcheckbox", name="My DMs are closed").click()
    await expect(page.locator("#self")).to_contain_text("DMs closed")
    await answer.get_by_role("button", name="Letter").click()
    await expect(answer.get_by_role("button", name="Letter")).not_to_have_attribute("aria-busy", "true")
    assert windows.server.user("Chloé").dms_closed
    await expect(page.locator("#channel-list")).not_to_contain_text("Captain's Table")


@pytest.mark.soak_only
async def test_closed_dms_show_in_every_window(windows: Windows) -> None:
    """What a person sets in one window is shown in their others."""
    page, elif_elsewhere = await windows.open("Elif"), windows.server.member("Elif")
    for closed in (True, False):
        elif_elsewhere.set_dms_closed(closed=closed)
        await expect(page.get_by_text("DMs closed")).to_have_count(int(closed))


async def test_what_is_not_sent_changes_nothing(windows: Windows) -> None:
    """Without a connection no switch moves, and no channel opens by itself later."""
    page, world = await windows.open("Elif"), windows.server.world
    await page.evaluate("Object.defineProperty(WebSocket.prototype, 'readyState', { value: 0 })")
    await page.get_by_role("button", name="Write to the bot").click()
    await page.get_by_role("button", name="You are Elif").click()
    await page.get_by_role("menuitemcheckbox", name="My DMs are closed").click()
    await expect(page.get_by_text("Not connected. This was not sent.").last).to_be_visible()
    await expect(page.get_by_text("DMs closed")).to_have_count(0)
    direct = world.open_dm(windows.server.user("Elif"))
    world.add_text_channel("later")
    await expect(page.get_by_role("button", name="later")).to_be_visible()
    await expect(page.locator("#channel-name")).to_have_text("#lobby")
    for channel in (direct, world.find_channel("later")):
        world.delete_channel(channel)


async def test_a_missing_response_is_shown_at_the_control(windows: Windows) -> None:
    """A control without a response shows that it waits, and after 3 s Discord's sentence."""
    page = await windows.open("Ava")
    answer = await run_fish(windows, page)
    stuck = answer.get_by_role("button", name="Stuck")
    await page.locator("#messages").evaluate(
        """list => new MutationObserver(() => {
            if (list.querySelector('[aria-busy="true"]')) window.wasBusy = true;
        }).observe(list, { subtree: true, childList: true, attributes: true })"""
    )
    with response_limit():
        await stuck.click()
        await expect(answer.get_by_role("alert")).to_have_text("This interaction failed")
    assert await page.evaluate("window.wasBusy")
    await expect(stuck).not_to_have_attribute("aria-busy", "true")


async def test_a_moderator_deletes_a_message(windows: Windows) -> None:
    """The message menu deletes somebody else's message for everybody."""
    ava, ben = await windows.open("Ava"), await windows.open("Ben")
    await ben.locator("#composer textarea").fill("Overboard with this")
    await ben.keyboard.press("Enter")
    for page in (ava, ben):
        await expect(page.locator("#messages > li.message").last).to_contain_text("Overboard")
    message = ava.locator("#messages > li.message").last
    await message.hover()
    await message.get_by_role("button", name="Message menu").click()
    await ava.get_by_role("menuitem", name="Delete message").click()
    for page in (ava, ben):
        await expect(page.locator("#messages")).not_to_contain_text("Overboard")


async def test_somebody_leaves_and_comes_back(windows: Windows) -> None:
    """A person who left sees no channel, and sees them again after coming back."""
    page = await windows.open("Dimitri")
    for label in ("Leave the server", "Come back to the server"):
        await page.get_by_role("button", name="Simulate a problem").click()
        await page.get_by_role("menuitem", name=label).click()
        has_left = label.startswith("Leave")
        await expect(page.locator("[data-channel]")).to_have_count(0 if has_left else 3)


async def test_on_a_phone_the_channels_slide_in_and_out(windows: Windows) -> None:
    """At 400 pixels nothing is wider than the screen, and the channels slide in and out."""
    page = await windows.open("Ava", width=400)
    await run_fish(windows, page)
    assert await page.evaluate("document.documentElement.scrollWidth") == 400
    channel = page.get_by_role("button", name="tables")
    await expect(channel).not_to_be_visible()
    await page.get_by_role("button", name="Show channels").click()
    await channel.click()
    await expect(channel).not_to_be_visible()
    await expect(page.locator("#channel-name")).to_have_text("#tables")


async def test_a_phone_shows_the_number_of_a_game(windows: Windows) -> None:
    """The name of a game's thread takes two lines of the top bar; what is longer is cut."""
    world = windows.server.world
    channel = world.add_text_channel("Current Affairs · No. 123: Ava, Ben, Chloé, Dimitri and Emeka")
    page = await windows.open("Ava", width=350)
    await page.get_by_role("button", name="Show channels").click()
    await page.get_by_role("button", name=channel.name).click()
    name = page.locator("#channel-name span")
    await expect(name).to_have_text(f"#{channel.name}")
    number_end = await name.evaluate(
        """name => {
            const range = document.createRange(), text = name.firstChild;
            range.setStart(text, 0);
            range.setEnd(text, text.data.indexOf(":"));
            const { right, bottom } = range.getBoundingClientRect();
            return { right, bottom };
        }"""
    )
    box, bar = await name.bounding_box(), await page.locator("#topbar").bounding_box()
    assert box is not None
    assert bar is not None
    assert bar["y"] <= box["y"]
    assert number_end["right"] <= box["x"] + box["width"]
    assert number_end["bottom"] <= box["y"] + box["height"] <= bar["y"] + bar["height"]
    assert await page.evaluate("document.documentElement.scrollWidth") == 350
    world.delete_channel(channel)


async def test_the_lobby_shows_the_first_steps(windows: Windows) -> None:
    """The top of the lobby lists three steps, and the first of them starts the command."""
    page = await windows.open("Ava")
    hint = page.get_by_role("region", name="First steps")
    await expect(hint.get_by_role("listitem")).to_have_count(3)
    await expect(hint).to_contain_text("Join")
    await hint.get_by_role("button", name="Type /newgame").click()
    await expect(page.locator("#composer textarea")).to_have_value("/newgame")


async def test_the_page_stays_where_a_person_reads(windows: Windows) -> None:
    """New messages scroll a window that is at the bottom; in one scrolled up only a button appears."""
    ava, ben = await windows.open("Ava", height=500), await windows.open("Ben")
    for page in (ava, ben):
        await page.locator("#messages").evaluate("list => { list.style.minHeight = '2000px' }")
    await ben.locator("#composer textarea").fill("First line")
    await ben.keyboard.press("Enter")
    await expect(ava.get_by_text("First line")).to_have_count(1)
    await wait_until_scrolled(ava, bottom=True)
    await ava.locator("#scroller").hover()
    await ava.mouse.wheel(0, -700)
    scroll_top = await wait_until_scrolled(ava, bottom=False)
    await ben.locator("#composer textarea").fill("Second line")
    await ben.keyboard.press("Enter")
    await expect(ava.get_by_role("button", name="New messages")).to_be_visible()
    assert await wait_until_scrolled(ava, bottom=False) == scroll_top


async def test_an_edit_moves_no_message(windows: Windows) -> None:
    """A message that is older than the history of a window does not appear when it is edited."""
    world, ben = windows.server.world, windows.server.member("Ben")
    channel = world.add_text_channel("harbour-log")
    first, *_ = [ben.say(f"Entry {number}.", channel) for number in range(51)]
    page = await windows.open("Ava")
    await page.get_by_role("button", name=channel.name).click()
    messages = page.locator("#messages > li.message")
    await expect(messages).to_have_count(50)
    world.announce_edit(first)
    ben.say("The end.", channel)
    await expect(messages.last).to_contain_text("The end.")
    await expect(messages).to_have_count(51)
    world.delete_channel(channel)


async def test_the_page_reconnects(windows: Windows) -> None:
    """When the socket closes the page says so, reconnects and shows what it missed."""
    page = await windows.open("Ava")
    await page.locator("#connection").evaluate(
        "line => new MutationObserver(() => { if (!line.hidden) window.said = line.textContent })"
        ".observe(line, {attributes: true, childList: true})"
    )
    await windows.server._page_sockets.stop()
    windows.server.member("Ben").say("While you were away")
    await expect(page.locator("#connection")).not_to_be_visible()
    await expect(page.locator("#messages")).to_contain_text("While you were away")
    assert "Connection lost" in await page.evaluate("window.said")


async def test_what_a_lost_connection_leaves_unanswered_is_said(windows: Windows) -> None:
    """The failure of a press and of a command is still there once the page has reconnected."""
    page, server = await windows.open("Ava"), windows.server
    answer = await run_fish(windows, page)
    await answer.get_by_role("button", name="Stuck").click()
    released = asyncio.Event()
    server.faults.add(InjectedFault("POST", "/interactions/*", status=0, until=released))
    await page.locator("#composer textarea").press_sequentially("/chart ")
    await page.keyboard.press("Enter")
    await expect(page.locator("#messages")).to_contain_text("Sending command…")
    await server._page_sockets.stop()
    await expect(page.locator("#connection")).not_to_be_visible()
    server.member("Ben").say("Welcome back")
    await expect(page.locator("#messages")).to_contain_text("Welcome back")
    lost = page.get_by_text("The connection was lost before the bot responded.")
    await expect(lost).to_have_count(2)
    await expect(answer.get_by_role("alert")).to_have_text(await lost.first.inner_text())
    await page.get_by_role("button", name="Dismiss message").last.click()
    await expect(lost).to_have_count(1)
    released.set()
    await expect(page.locator("#messages")).to_contain_text("used /chart")  # or the next test meets it


async def test_what_a_hidden_window_missed_counts_as_unread(windows: Windows) -> None:
    """What a window behind another one missed while it was not connected counts as unread."""
    page, server = await windows.open("Farid"), windows.server
    await page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    await server._page_sockets.stop()
    world, farid = server.world, server.user("Farid")
    lobby, now = world.find_channel("lobby"), world.clock()
    world.post(Message(world.new_snowflake(), lobby, world.bot, now, "Your turn", mentions=(farid.id,)))
    await expect(page.locator("#messages")).to_contain_text("Your turn")
    await expect(page).to_have_title("(1) Farid · The Harbour")


async def test_a_server_that_was_started_again_is_distinguished_from_a_lost_one(windows: Windows) -> None:
    """A page whose token is no longer valid says where to go, and stops trying."""
    page = await windows.open("Ava")
    access = windows.server._access
    token, access._token = access._token, "the token of the next start"
    try:
        await windows.server._page_sockets.stop()
        await expect(page.locator("#connection")).to_contain_text("Open the address that it printed last")
    finally:
        access._token = token
    await wait_until(lambda: windows.problems or None, awaited="the error of the refused request")
    assert all("403" in problem for problem in windows.problems)
    windows.problems.clear()


async def test_the_bot_can_lose_a_permission(windows: Windows) -> None:
    """A permission removed in the dialog is denied at the server, and the dialog shows it."""
    page = await windows.open("Ava")
    server = windows.server
    channel = server.world.find_channel("games")
    await page.get_by_role("button", name="games").click()
    for is_allowed in (False, True):
        await page.get_by_role("button", name="Simulate a problem").click()
        await page.get_by_role("menuitem", name="The bot's permissions here").click()
        checkbox = page.get_by_role("dialog").get_by_label("Attach files")
        await expect(checkbox).to_be_checked(checked=not is_allowed)
        await checkbox.set_checked(is_allowed)
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await expect(page.locator("#main")).to_have_attribute(
            "data-denied", "" if is_allowed else "ATTACH_FILES"
        )
        permissions = server.world.permissions(server.world.bot, channel)
        assert bool(permissions & Permission.ATTACH_FILES) is is_allowed
