"""A real Chromium, a real local server and a small bot, shared by the page's tests."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright, expect

from bot.chat.connection import use_local_endpoints
from bot.local.server import LocalDiscord
from tests.bot.e2e.observe import response_limit
from tests.bot.local.conftest import restore_discord_addresses
from tests.bot.page.showcase_bot import ShowcaseBot
from tests.trials import WAIT_TIMEOUT

CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The programs that will do, the one first that takes least processor time."""
EMPTY_PAGE = "about:blank"
WAIT_TIMEOUT_MS = WAIT_TIMEOUT * 1000
PATIENT_SCRIPT = f"""(() => {{
    const setTimer = setTimeout;
    window.setTimeout = (work, ms, ...more) => setTimer(work, ms > 3000 ? {WAIT_TIMEOUT_MS} : ms, ...more);
}})()"""
"""Makes the page wait for suggestions, and show notifications, for as long as a busy machine takes."""


expect.set_options(timeout=WAIT_TIMEOUT_MS)  # else five seconds


@pytest.fixture(autouse=True, scope="module")
def _patient_people() -> Iterator[None]:
    """Let everybody wait for a response for as long as a busy machine takes."""
    with response_limit(WAIT_TIMEOUT):
        yield


@pytest.fixture(scope="package")
def chromium() -> str:
    """Return the path of the browser; without one the tests are skipped, or fail in CI."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        reason = "no Chromium on this machine: the page's tests did not run"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """Yield one browser for all the files of this folder, which run one after the other."""
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_FLAGS))
        yield launched
        await launched.close()


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def server() -> AsyncIterator[LocalDiscord]:
    """Yield the local server with the small bot connected to it, shared by a file's tests.

    A package without ``__init__.py`` ends with the session: a bot that lived as long would send its
    heartbeats to a loop that runs no more.
    """
    with restore_discord_addresses():
        async with LocalDiscord() as local:
            use_local_endpoints(local.address)
            bot = ShowcaseBot()
            running = asyncio.create_task(bot.start(local.bot_token))
            try:
                await asyncio.wait_for(bot.ready.wait(), WAIT_TIMEOUT)
                yield local
            finally:
                await bot.close()
                await asyncio.gather(running, return_exceptions=True)


@dataclass
class Windows:
    """One window of the browser for each person, loaded again for each test; collects the errors of all."""

    browser: Browser
    server: LocalDiscord = field(init=False)
    problems: list[str] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)

    async def open(self, name: str, *, width: int = 1280, height: int = 800) -> Page:
        """Return this person's window, loaded and connected."""
        page = self.pages.get(name) or await self._open_page(name)
        await page.set_viewport_size({"width": width, "height": height})
        await page.goto(f"{self.server.page_url}?as={self.server.user(name).id}")
        await page.get_by_role("button", name=f"You are {name}").wait_for()
        return page

    async def _open_page(self, name: str) -> Page:
        page = self.pages[name] = await self._new_window()
        await page.add_init_script(PATIENT_SCRIPT)
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", self._record_console_message)
        return page

    async def _new_window(self) -> Page:
        """Open a window of its own: a tab behind another one is drawn once a second."""
        if not self.pages:
            context = await self.browser.new_context()
            context.set_default_timeout(WAIT_TIMEOUT_MS)
            return await context.new_page()
        first = next(iter(self.pages.values()))
        async with first.expect_popup() as opened:
            await first.evaluate("() => { window.open('about:blank', '_blank', 'popup') }")
        return await opened.value

    def _record_console_message(self, message: ConsoleMessage) -> None:
        # A socket that cannot connect while the server is away is expected; the page says so itself.
        if message.type in ("error", "warning") and "WebSocket" not in message.text:
            self.problems.append(message.text)


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def package_windows(browser: Browser) -> Windows:
    """Return the windows of this folder's files; the browser closes them."""
    return Windows(browser)


@pytest.fixture(scope="module")
def module_windows(package_windows: Windows, server: LocalDiscord) -> Windows:
    """Return the windows for a file's tests, which need the file's server."""
    package_windows.server = server
    return package_windows


@pytest_asyncio.fixture(loop_scope="package")
async def windows(module_windows: Windows) -> AsyncIterator[Windows]:
    """Yield the windows for one test; an error in any of their consoles fails it.

    Then they are empty: else each would draw what later tests post, and try to reach a server that is gone.
    """
    module_windows.problems.clear()
    yield module_windows
    problems = [*module_windows.problems]
    for page in module_windows.pages.values():
        if page.url != EMPTY_PAGE:
            await page.goto(EMPTY_PAGE)
    assert problems == []
