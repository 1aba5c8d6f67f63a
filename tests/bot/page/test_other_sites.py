"""What a page of another site can do with the stand-in, in a real browser: nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from playwright.async_api import Browser, Page

from bot.local.server import LocalDiscord
from tests.bot.page.conftest import WAIT_TIMEOUT_MS

pytestmark = pytest.mark.asyncio(loop_scope="package")

OUTCOMES_SCRIPT = """async (address) => {
    const settled = (element, url) => new Promise((resolve) => {
        element.onload = () => resolve("loaded");
        element.onerror = () => resolve("refused");
        element.src = url;
        document.body.append(element);
    });
    const connected = (url) => new Promise((resolve) => {
        const socket = new WebSocket(url);
        socket.onopen = () => resolve("open");
        socket.onerror = () => resolve("refused");
    });
    return {
        read: await fetch(address + "page/people").then(() => "read", () => "refused"),
        sent: await fetch(address + "page/people", {mode: "no-cors"}).then(() => "sent", () => "refused"),
        script: await settled(document.createElement("script"), address + "page/when.js"),
        socket: await connected(address.replace("http", "ws") + "page/socket"),
    };
}"""


@asynccontextmanager
async def other_site(browser: Browser) -> AsyncIterator[Page]:
    """Yield a window with a page that another server on this machine serves."""

    async def serve(request: web.Request) -> web.Response:
        return web.Response(text="<!doctype html><title>Other</title><body>", content_type="text/html")

    application = web.Application()
    application.router.add_get("/", serve)
    runner = web.AppRunner(application, shutdown_timeout=1.0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    context = await browser.new_context()
    context.set_default_timeout(WAIT_TIMEOUT_MS)
    try:
        page = await context.new_page()
        await page.goto(f"http://127.0.0.1:{runner.addresses[0][1]}/")
        yield page
    finally:
        await context.close()
        await runner.cleanup()


async def test_another_site_reaches_nothing(browser: Browser, server: LocalDiscord) -> None:
    """Even one that knows the whole address reads nothing, runs nothing of it and opens no socket."""
    async with other_site(browser) as page:
        outcomes = await page.evaluate(OUTCOMES_SCRIPT, server.page_url)
    assert outcomes == dict.fromkeys(("read", "sent", "script", "socket"), "refused")


async def test_another_site_cannot_frame_the_page(browser: Browser, server: LocalDiscord) -> None:
    """The page does not load in a frame, where clicks could be steered to its buttons."""
    async with other_site(browser) as page:
        await page.evaluate(
            """(address) => new Promise((resolve) => {
                const frame = document.createElement("iframe");
                frame.onload = resolve;
                frame.src = address;
                document.body.append(frame);
            })""",
            server.page_url,
        )
        framed = page.frames[1]
        assert framed.url.startswith("chrome-error:"), framed.url
        assert await framed.locator("#composer").count() == 0


async def test_the_page_loads_on_its_own(browser: Browser, server: LocalDiscord) -> None:
    """The same address in a window of its own is the page, also under the name localhost."""
    context = await browser.new_context()
    page = await context.new_page()
    for address in (server.page_url, server.page_url.replace("127.0.0.1", "localhost")):
        await page.goto(address)
        await page.get_by_role("button", name="You are Ava").wait_for(timeout=WAIT_TIMEOUT_MS)
        await page.get_by_role("button", name="lobby").wait_for(timeout=WAIT_TIMEOUT_MS)
    await context.close()
