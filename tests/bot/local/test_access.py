"""Who can reach the stand-in: no route answers without the token, another site's page or a wrong host."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator

import aiohttp
import pytest
from aiohttp import web

from bot.local.access import equals_secret, make_token
from bot.local.server import LocalDiscord
from tests.bot.host.playing import ManualClock

Route = tuple[str, str]


@pytest.fixture
async def http_session() -> AsyncIterator[aiohttp.ClientSession]:
    """Yield an HTTP client."""
    async with aiohttp.ClientSession() as session:
        yield session


def all_routes(server: LocalDiscord) -> Iterator[Route]:
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


async def fetch_status_and_check_headers(
    http_session: aiohttp.ClientSession, server: LocalDiscord, route: Route, **headers: str
) -> int:
    """Send one request and return its status; whatever it is, the response cannot be framed."""
    method, path = route
    url = f"http://127.0.0.1:{server.port}{path}"
    async with http_session.request(method, url, headers=headers, allow_redirects=False) as response:
        assert response.headers["X-Frame-Options"] == "DENY", route
        assert "frame-ancestors 'none'" in response.headers["Content-Security-Policy"], route
        assert response.headers["Referrer-Policy"] == "no-referrer", route
        return response.status


async def test_no_route_answers_without_the_token(
    server: LocalDiscord, http_session: aiohttp.ClientSession
) -> None:
    """Without the token, with a part of it or with another one every route is refused."""
    token = server.page_url.split("/")[3]
    other_token = make_token()
    assert len(other_token) == len(token)
    every_route = list(all_routes(server))
    assert len(every_route) > 40
    for method, path in every_route:
        assert await fetch_status_and_check_headers(http_session, server, (method, path)) != 403, path
        rest = path.removeprefix(f"/{token}")
        assert rest != path, f"{path} does not begin with the token"
        for prefix in (
            "",
            "/",
            f"/{other_token}",
            f"/{token[:-1]}",
            f"/{token}x",
            f"/{token.lower()}",
            f"/x/{token}",
        ):
            refused = (method, f"{prefix}{rest}" or "/")
            assert await fetch_status_and_check_headers(http_session, server, refused) == 403, refused
            with_query = (method, f"{refused[1]}?token={token}")
            assert await fetch_status_and_check_headers(http_session, server, with_query) == 403, with_query
    for path in ("/", "/nowhere", "/favicon.ico"):
        assert await fetch_status_and_check_headers(http_session, server, ("GET", path)) == 403, path


async def test_other_sites_and_hosts_are_refused(
    server: LocalDiscord, http_session: aiohttp.ClientSession
) -> None:
    """Even with the token no route answers another site's page, or under another name (DNS rebinding)."""
    own_host, other_host = f"127.0.0.1:{server.port}", f"127.0.0.1:{server.port + 1}"
    for route in all_routes(server):
        for allowed in (
            {"Host": own_host},
            {"Host": f"localhost:{server.port}"},
            {"Origin": f"http://{own_host}"},
            {"Origin": f"http://localhost:{server.port}"},
        ):
            assert await fetch_status_and_check_headers(http_session, server, route, **allowed) != 403, (
                route,
                allowed,
            )
        for refused in (
            {"Host": "example.org"},
            {"Host": f"example.org:{server.port}"},
            {"Host": other_host},
            {"Host": "127.0.0.1"},
            {"Origin": "https://example.org"},
            {"Origin": f"http://{other_host}"},
            {"Origin": f"https://{own_host}"},
            {"Origin": "null"},
            {"Host": other_host, "Origin": f"http://{other_host}"},
        ):
            assert await fetch_status_and_check_headers(http_session, server, route, **refused) == 403, (
                route,
                refused,
            )


async def test_the_default_port_may_be_left_out(
    server: LocalDiscord, http_session: aiohttp.ClientSession
) -> None:
    """On port 80 a browser names host and origin without it."""
    route = ("GET", server.page_url.removeprefix(f"http://127.0.0.1:{server.port}"))
    for port, status in ((80, 200), (81, 403)):
        server._access.port = port
        for headers in ({"Host": "127.0.0.1"}, {"Host": "localhost", "Origin": "http://localhost"}):
            assert await fetch_status_and_check_headers(http_session, server, route, **headers) == status, (
                port,
                headers,
            )


async def test_the_rest_api_needs_the_bots_token_too(
    server: LocalDiscord, http_session: aiohttp.ClientSession
) -> None:
    """Somebody who knows the page's address alone cannot act as the bot."""
    api = f"{server.page_url.removeprefix(f'http://127.0.0.1:{server.port}')}api/v10"
    for method, path in all_routes(server):
        if path.startswith(api) and path != f"{api}/1":  # the last is the route of all unknown paths
            token_is_in_path = (
                "/webhooks/1/1" in path or "/interactions/" in path
            )  # an interaction's token is the right
            for authorization in ("Bot x", server.bot_token, ""):
                status = await fetch_status_and_check_headers(
                    http_session, server, (method, path), Authorization=authorization
                )
                assert status == 401 or (token_is_in_path and status in (400, 404)), (method, path, status)


async def test_each_start_has_tokens_of_its_own(clock: ManualClock) -> None:
    """Neither token is that of an earlier start, and both are long."""
    async with LocalDiscord(clock=clock) as one, LocalDiscord(clock=clock) as other:
        tokens = {one.bot_token, other.bot_token, one.page_url.split("/")[3], other.page_url.split("/")[3]}
    assert len(tokens) == 4
    assert min(map(len, tokens)) >= 32


async def test_the_address_works_without_its_last_slash(
    server: LocalDiscord, http_session: aiohttp.ClientSession
) -> None:
    """The page's relative addresses need the slash, so it is added."""
    async with http_session.get(server.address) as page:
        assert page.status == 200
        assert str(page.url) == server.page_url


def test_a_secret_equals_only_the_same_text() -> None:
    """Only the same text is the same; what is no text never is."""
    assert equals_secret("a", "a")
    assert not any(equals_secret(other, "a") for other in ("", "A", "aa", "é", None, 1, ["a"]))
