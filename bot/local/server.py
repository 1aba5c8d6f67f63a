"""The stand-in's server on 127.0.0.1: Gateway, REST API, files and the page."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from aiohttp import web

from bot.local.access import LOOPBACK_ADDRESS, AccessCheck, make_token
from bot.local.faults import InjectedFaults
from bot.local.gateway import Gateway
from bot.local.interactions import Interactions
from bot.local.members import Member
from bot.local.messages import OldMessageEditLimit
from bot.local.model import Message, User
from bot.local.page_socket import PageSockets, user_payloads
from bot.local.rest import API_PREFIX, MAX_REQUEST_BYTES, RequestListener, RestApi
from bot.local.routing import RouteContext
from bot.local.world import World

_PAGE_FOLDER = Path(__file__).parent / "page"
_ACCEPT_SECONDS: Final = 0.01
"""Seconds to accept connections already made: in Python 3.11 a server that closes first leaves them open."""


class LocalDiscord:
    """A stand-in for Discord: an asynchronous context manager, or `start` and `stop` it.

    `address`, the beginning of all its addresses, contains a random token; `bot_token` is the bot's.
    `port` 0 takes a free one; `clock` returns Unix seconds; `on_request` is called for every authorised
    request to a route of the REST API, with method, route template, path, query, JSON body or None, and files
    by form field.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        clock: Callable[[], float] = time.time,
        on_request: RequestListener | None = None,
    ) -> None:
        self.port = port
        self.bot_token = make_token()
        address_token = make_token()
        self._base_path = f"/{address_token}"  # the beginning of every path
        self._access = AccessCheck(address_token)
        self.world = World(clock)
        self.faults = InjectedFaults()
        self.gateway = Gateway(self.world, self.bot_token)
        self.interactions = Interactions(
            self.world, lambda payload: self.gateway.dispatch("INTERACTION_CREATE", payload)
        )
        self._messages_by_nonce: dict[str, Message] = {}
        context = RouteContext(
            world=self.world,
            interactions=self.interactions,
            gateway=self.gateway,
            old_message_edit_limit=OldMessageEditLimit(self.world),
            messages_by_nonce=self._messages_by_nonce,
            command_creation_times=[],
        )
        self._rest = RestApi(context, self.bot_token, self._base_path + API_PREFIX, self.faults, on_request)
        self.rate_limits = self._rest.rate_limits
        self._page_sockets = PageSockets(self.world, self.interactions)
        self._runner: web.AppRunner | None = None

    def forget_nonces(self) -> None:
        """Forget the nonces of all messages, as Discord does after some minutes."""
        self._messages_by_nonce.clear()

    # Addresses

    @property
    def address(self) -> str:
        """Return the beginning of every address here, which the bot gets as a setting."""
        return f"http://{LOOPBACK_ADDRESS}:{self.port}{self._base_path}"

    @property
    def page_url(self) -> str:
        """Return the URL of the page."""
        return f"{self.address}/"

    @property
    def api_url(self) -> str:
        """Return the base URL of the REST API."""
        return f"{self.address}{API_PREFIX}"

    @property
    def gateway_url(self) -> str:
        """Return the URL of the Gateway."""
        return f"ws://{LOOPBACK_ADDRESS}:{self.port}{self._base_path}/gateway"

    @property
    def cdn_url(self) -> str:
        """Return the base URL of files."""
        return f"{self.address}/cdn"

    # People

    def member(self, name: str) -> Member:
        """Return the client of the person of this name.  Raises KeyError if there is none."""
        return Member(self.world, self.interactions, self.world.find_user(name))

    def user(self, name: str) -> User:
        """Return the user of this name, also the bot.  Raises KeyError if there is none."""
        return self.world.find_user(name)

    # Start and stop

    async def start(self) -> None:
        """Start listening; `port` is then the port in use.  Raises OSError if the given one is taken."""
        application = web.Application(client_max_size=MAX_REQUEST_BYTES)
        self._access.add_to(application)
        self._add_routes(application.router)
        self._rest.add_to(application)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, LOOPBACK_ADDRESS, self.port).start()
        except OSError:
            await self.stop()
            raise
        self.port = self._access.port = self._runner.addresses[0][1]
        self.world.cdn_url = self.cdn_url
        self.gateway.url = self.gateway_url

    def _add_routes(self, router: web.UrlDispatcher) -> None:
        """Add the Gateway, files and the page."""
        base_path = self._base_path
        router.add_get(f"{base_path}/gateway", self.gateway.serve)
        router.add_get(f"{base_path}/gateway/", self.gateway.serve)
        router.add_get(f"{base_path}/cdn/attachments/{{channel}}/{{attachment}}/{{name}}", self._serve_file)
        router.add_get(f"{base_path}/page/people", self._serve_users)
        router.add_get(f"{base_path}/page/socket", self._page_sockets.serve)
        router.add_get(f"{base_path}/", self._serve_index)
        router.add_get(base_path, self._redirect_to_page)
        router.add_static(f"{base_path}/page", _PAGE_FOLDER)

    async def stop(self) -> None:
        """Close every connection and stop listening."""
        await self._page_sockets.stop()
        await self.gateway.stop()
        if self._runner is not None:
            await asyncio.sleep(_ACCEPT_SECONDS)
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    # Pages and files

    async def _serve_index(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(_PAGE_FOLDER / "index.html", headers={"Cache-Control": "no-cache"})

    async def _redirect_to_page(self, request: web.Request) -> web.StreamResponse:
        """Redirect to the address with a slash at its end, as the page has addresses relative to that."""
        raise web.HTTPFound(f"{self._base_path}/")

    async def _serve_users(self, request: web.Request) -> web.StreamResponse:
        users = json.dumps(user_payloads(self.world))
        return web.Response(body=users.encode(), content_type="application/json")

    async def _serve_file(self, request: web.Request) -> web.StreamResponse:
        channel_id, attachment_id = request.match_info["channel"], request.match_info["attachment"]
        attachment = None
        if channel_id.isdecimal() and attachment_id.isdecimal():
            attachment = self.world.find_attachment(int(channel_id), int(attachment_id))
        if attachment is None:
            raise web.HTTPNotFound(text="This content is no longer available.")
        headers = {"Content-Type": attachment.content_type}
        # A browser shows pictures only; any other file is downloaded, so that it cannot run on the page.
        if attachment.content_type not in ("image/png", "image/jpeg", "image/gif", "image/webp"):
            headers |= {"Content-Type": "application/octet-stream", "Content-Disposition": "attachment"}
        return web.Response(body=attachment.data, headers=headers)
