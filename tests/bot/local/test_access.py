"""Who can reach the stand-in: no route answers without the token, another site's page or a wrong host."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator

import aiohttp
import pytest
from aiohttp import web

from bot.local.access import equals_secret, make_token
from bot.local.server import LocalDiscord
from tests.bot.local.conftest import ManualClock

Route = tuple[str, str]


@pytest.fixture
async def browser() -> AsyncIterator[aiohttp.ClientSession]:
    """Yield an HTTP client."""
    async with aiohttp.ClientSession() as session:
        yield session


def routes(server: LocalDiscord) -> Iterator[Route]:
    """Yield method and path of every route that the server has, with an id for each variable."""
    assert server._runner is not None
    application = server._runner.app
    assert application is not None
    for route in application.router.routes():
        assert route.resource is not None
        path = re.sub(r"\{[^}]*\}", "1", route.resource.canonical)
        if isinstance(route.resource, web.StaticResource):
            path += "/app.js"
        yield ("GET" if route.method == "*" else route.method), path


async def fetch_status(
    browser: aiohttp.ClientSession, server: LocalDiscord, route: Route, **headers: str
) -> int:
    """Send one request and return its status; whatever it is, the response cannot be framed."""
    method, path = route
    url = f"http://127.0.0.1:{server.port}{path}"
    async with browser.request(method, url, headers=headers, allow_redirects=False) as response:
        assert response.headers["X-Frame-Options"] == "DENY", route
        assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"], route
        assert response.headers["Referrer-Policy"] == "no-referrer", route
        return response.status


async def test_no_route_answers_without_the_token(
    server: LocalDiscord, browser: aiohttp.ClientSession
) -> None:
    """Without the token, with a part of it or with another one every route is refused."""
    token = server.page_url.split("/")[3]
    wrong = make_token()
    assert len(wrong) == len(token)
    tried = list(routes(server))
    assert len(tried) > 40
    for method, path in tried:
        assert await fetch_status(browser, server, (method, path)) != 403, path
        rest = path.removeprefix(f"/{token}")
        assert rest != path, f"{path} does not begin with the token"
        for beginning in (
            "",
            "/",
            f"/{wrong}",
            f"/{token[:-1]}",
            f"/{token}x",
            f"/{token.lower()}",
            f"/x/{token}",
        ):
            refused = (method, f"{beginning}{rest}" or "/")
            assert await fetch_status(browser, server, refused) == 403, refused
            with_query = (method, f"{refused[1]}?token={token}")
            assert await fetch_status(browser, server, with_query) == 403, with_query
    for path in ("/", "/nowhere", "/favicon.ico"):
        assert await fetch_status(browser, server, ("GET", path)) == 403, path


async def test_other_sites_and_hosts_are_refused(
    server: LocalDiscord, browser: aiohttp.ClientSession
) -> None:
    """Even with the token no route answers another site's page, or under another name (DNS rebinding)."""
    own, elsewhere = f"127.0.0.1:{server.port}", f"127.0.0.1:{server.port + 1}"
    for route in routes(server):
        for allowed in (
            {"Host": own},
            {"Host": f"localhost:{server.port}"},
            {"Origin": f"http://{own}"},
            {"Origin": f"http://localhost:{server.port}"},
        ):
            assert await fetch_status(browser, server, route, **allowed) != 403, (route, allowed)
        for refused in (
            {"Host": "example.org"},
            {"Host": f"example.org:{server.port}"},
            {"Host": elsewhere},
            {"Host": "127.0.0.1"},
            {"Origin": "https://example.org"},
            {"Origin": f"http://{elsewhere}"},
            {"Origin": f"https://{own}"},
            {"Origin": "null"},
            {"Host": elsewhere, "Origin": f"http://{elsewhere}"},
        ):
            assert await fetch_status(browser, server, route, **refused) == 403, (route, refused)


async def test_the_default_port_may_be_left_out(server: LocalDiscord, browser: aiohttp.ClientSession) -> None:
    """On port 80 a browser names host and origin without it."""
    route = ("GET", server.page_url.removeprefix(f"http://127.0.0.1:{server.port}"))
    for port, code in ((80, 200), (81, 403)):
        server._access.port = port
        for headers in ({"Host": "127.0.0.1"}, {"Host": "localhost", "Origin": "http://localhost"}):
            assert await fetch_status(browser, server, route, **headers) == code, (port, headers)


async def test_the_rest_api_needs_the_bots_token_too(
    server: LocalDiscord, browser: aiohttp.ClientSession
) -> None:
    """Somebody who knows the page's address alone cannot act as the bot."""
    api = f"{server.page_url.removeprefix(f'http://127.0.0.1:{server.port}')}api/v10"
    for method, path in routes(server):
        if path.startswith(api) and path != f"{api}/1":  # the last is the route of all unknown paths
            in_path = (
                "/webhooks/1/1" in path or "/interactions/" in path
            )  # an interaction's token is the right
            for authorization in ("Bot x", server.token, ""):
                found = await fetch_status(browser, server, (method, path), Authorization=authorization)
                assert found == 401 or (in_path and found in (400, 404)), (method, path, found)


async def test_each_start_has_tokens_of_its_own(clock: ManualClock) -> None:
    """Neither token can be guessed from an earlier one."""
    async with LocalDiscord(clock=clock) as one, LocalDiscord(clock=clock) as other:
        tokens = {one.token, other.token, one.page_url.split("/")[3], other.page_url.split("/")[3]}
    assert len(tokens) == 4
    assert min(map(len, tokens)) >= 32


async def test_the_address_works_without_its_last_slash(
    server: LocalDiscord, browser: aiohttp.ClientSession
) -> None:
    """The page's relative addresses need the slash, so it is added."""
    async with browser.get(server.address) as page:
        assert page.status == 200
        assert str(page.url) == server.page_url


def test_texts_are_compared_whole() -> None:
    """Only the same text is the same; what is no text never is."""
    assert equals_secret("a", "a")
    assert not any(equals_secret(other, "a") for other in ("", "A", "aa", "é", None, 1, ["a"]))
