"""Checks who may reach the stand-in: a page or a program of this machine that knows the token in its address.

Other sites' pages can send requests to 127.0.0.1, also under a name of their own (DNS rebinding), and other
users of this machine can connect to it.
"""

from __future__ import annotations

import hmac
import secrets

from aiohttp import web
from aiohttp.typedefs import Handler

LOOPBACK_ADDRESS = "127.0.0.1"
_TOKEN_BYTES = 24
_DEFAULT_PORT = 80  # of http: a browser leaves it out
_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def make_token() -> str:
    """Return a random token, in characters that an address and a header may hold."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def equals_secret(given: object, secret: str) -> bool:
    """Return whether a text that was sent is the secret, in a time that reveals nothing about it."""
    return isinstance(given, str) and hmac.compare_digest(given.encode(), secret.encode())


class AccessCheck:
    """The check of every request; `port` is the one that the server listens on."""

    def __init__(self, token: str) -> None:
        self._token = token
        self.port = 0

    def add_to(self, application: web.Application) -> None:
        """Check every request of this application, known route or not, and mark every response."""
        application.middlewares.append(self._check)
        application.on_response_prepare.append(self._add_headers)

    @web.middleware
    async def _check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse foreign hosts and origins, and paths that do not begin with the token."""
        own_hosts = self._own_hosts()
        own_origins = {f"http://{host}" for host in own_hosts}
        origin = request.headers.get("Origin")
        if request.host not in own_hosts or (origin is not None and origin not in own_origins):
            raise web.HTTPForbidden(text="This server answers its own page only.")
        _, _, path = request.rel_url.raw_path.partition("/")
        if not equals_secret(path.partition("/")[0], self._token):
            raise web.HTTPForbidden(text="Open the whole address that was printed: it contains a token.")
        return await handler(request)

    def _own_hosts(self) -> set[str]:
        names = (LOOPBACK_ADDRESS, "localhost")
        hosts_with_port = {f"{name}:{self.port}" for name in names}
        return hosts_with_port | set(names) if self.port == _DEFAULT_PORT else hosts_with_port

    async def _add_headers(self, request: web.Request, response: web.StreamResponse) -> None:
        """Forbid other sites to frame a response, and a browser to load anything from elsewhere for it."""
        host = request.host if request.host in self._own_hosts() else f"{LOOPBACK_ADDRESS}:{self.port}"
        response.headers["Content-Security-Policy"] = _CONTENT_SECURITY_POLICY.format(host=host)
        response.headers["X-Frame-Options"] = "DENY"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
