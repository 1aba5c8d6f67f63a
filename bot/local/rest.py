"""The transport of the REST API: authorisation, bodies, faults, rate limits, errors as JSON."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import BodyPartReader, content_disposition_filename, parse_content_disposition, web

from bot import limits
from bot.error_codes import ErrorCode
from bot.local import application_routes, channel_routes
from bot.local.access import equals_secret
from bot.local.api_errors import ApiError
from bot.local.faults import InjectedFault, InjectedFaults
from bot.local.messages import PNG_SIGNATURE, Upload, clean_file_name
from bot.local.rate_limits import RateLimits
from bot.local.routing import ApiRequest, ResponseBody, Route, RouteContext

API_PREFIX = "/api/v10"
MAX_REQUEST_BYTES = limits.REQUEST_BYTES + 1024 * 1024  # the rest is for the form around the files
# Requests to these need no bot token, since their path contains the token of an interaction.
_TEMPLATE_PREFIXES_WITH_TOKEN = ("/webhooks/{webhook_id}/{webhook_token}", "/interactions/")

RequestListener = Callable[[str, str, str, Mapping[str, str], object, Mapping[str, Upload]], None]
"""Called with the method, the route's template, the path, the query, the body and the files of a call."""

_log = logging.getLogger(__name__)


class RestApi:
    """Serves every route under `prefix`."""

    def __init__(
        self,
        context: RouteContext,
        token: str,
        prefix: str,
        faults: InjectedFaults,
        on_request: RequestListener | None,
    ) -> None:
        self._context = context
        self._token = token
        self._prefix = prefix
        self._faults = faults
        self._on_request = on_request
        self.rate_limits = RateLimits(context.world, realistic=False)

    def add_to(self, application: web.Application) -> None:
        """Add the routes, and one that answers 404 for every other path."""
        for route in (*application_routes.ROUTES, *channel_routes.ROUTES):
            application.router.add_route(
                route.method, self._prefix + route.template, self._make_handler(route)
            )
        application.router.add_route("*", self._prefix + "/{rest:.*}", self._serve_unknown_route)

    async def _serve_unknown_route(self, request: web.Request) -> web.StreamResponse:
        _log.warning("no such route here: %s %s", request.method, request.path.removeprefix(self._prefix))
        return _json_response(404, {"message": "404: Not Found", "code": 0}, {})

    def _make_handler(self, route: Route) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            api_request = await self._read_or_error(request)
            body = None if isinstance(api_request, ApiError) else api_request.body
            fault = self._faults.consume_matching(route.method, route.template, body)
            if fault is not None and fault.delay:
                await asyncio.sleep(fault.delay)
            if fault is not None and fault.until is not None:
                await fault.until.wait()
            if fault is None or not fault.status:
                return self._serve(route, request, api_request)
            has_effect = fault.mode not in ("before", "cut")
            response = self._serve(route, request, api_request) if has_effect else None
            if fault.mode == "cut_body" and response is not None:
                return await _send_half(response, request)
            return _fault_response(fault, request)

        return handle

    async def _read_or_error(self, request: web.Request) -> ApiRequest | ApiError:
        try:
            return await _read_request(request)
        except ApiError as error:
            return error

    def _serve(self, route: Route, request: web.Request, api_request: ApiRequest | ApiError) -> web.Response:
        variables = request.match_info
        major_parameter = (
            variables.get("channel_id") or variables.get("webhook_token") or variables.get("guild_id") or ""
        )
        headers, limit_body = self.rate_limits.count_request(route.method, route.template, major_parameter)
        if limit_body is not None:
            return _json_response(429, limit_body, headers)
        try:
            if isinstance(api_request, ApiError):
                raise api_request
            is_authorised = equals_secret(request.headers.get("Authorization"), f"Bot {self._token}")
            if not is_authorised and not route.template.startswith(_TEMPLATE_PREFIXES_WITH_TOKEN):
                raise ApiError(ErrorCode.GENERAL_ERROR)
            if self._on_request is not None:
                path = request.path.removeprefix(self._prefix)
                self._on_request(
                    route.method,
                    route.template,
                    path,
                    api_request.query,
                    api_request.body,
                    api_request.uploads,
                )
            payload = route.handler(self._context, api_request)
        except ApiError as error:
            if error.retry_after is not None:
                headers |= {"Retry-After": str(int(error.retry_after) + 1)}
            return _json_response(error.status, error.body(), headers)
        return _json_response(route.status if payload is not None else 204, payload, headers)


async def _read_request(request: web.Request) -> ApiRequest:
    path_variables, query = dict(request.match_info), dict(request.query)
    uploads: dict[str, Upload] = {}
    raw_body = b""
    # `request.content_type` parses each new boundary with Python's parser of e-mails, which is slow.
    if request.headers.get("Content-Type", "").startswith("multipart/"):
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            data = bytes(await part.read())
            _, parameters = parse_content_disposition(part.headers.get("Content-Disposition"))
            name = content_disposition_filename(parameters, "name")
            file_name = content_disposition_filename(parameters, "filename")
            if name == "payload_json":
                raw_body = data
            elif name and file_name is not None:
                content_type = part.headers.get("Content-Type", "application/octet-stream")
                if data.startswith(PNG_SIGNATURE):
                    content_type = "image/png"
                elif data.startswith(b"GIF89a"):
                    content_type = "image/gif"
                uploads[name] = Upload(clean_file_name(file_name), content_type, data)
    else:
        try:
            raw_body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            raise ApiError(ErrorCode.REQUEST_TOO_LARGE) from None
    if sum(len(upload.data) for upload in uploads.values()) > limits.REQUEST_BYTES:
        raise ApiError(ErrorCode.REQUEST_TOO_LARGE)
    try:
        body = json.loads(raw_body) if raw_body else None
    except (ValueError, RecursionError):
        raise ApiError(ErrorCode.INVALID_JSON) from None
    return ApiRequest(path_variables, query, body, uploads)


async def _send_half(response: web.Response, request: web.Request) -> web.StreamResponse:
    """Send the headers of a whole response and the first half of its body, then close the connection."""
    body = response.body if isinstance(response.body, bytes) else b""
    half_response = web.StreamResponse(status=200, headers={"Content-Type": "application/json"})
    half_response.content_length = max(len(body), 2)
    await half_response.prepare(request)
    await half_response.write(body[: half_response.content_length // 2] or b"{")
    if request.transport is not None:
        request.transport.abort()
    return half_response


def _fault_response(fault: InjectedFault, request: web.Request) -> web.Response:
    if fault.mode in ("cut", "cut_after"):
        if request.transport is not None:
            request.transport.abort()
        return web.Response()
    headers = dict(fault.headers)
    if fault.status == 429 and fault.retry_after is not None:
        headers.setdefault("Retry-After", str(int(fault.retry_after) + 1))
    return _json_response(fault.status, fault.body(), headers)


def _json_response(status: int, payload: ResponseBody, headers: dict[str, str]) -> web.Response:
    """Return a JSON response.

    discord.py reads JSON only with exactly this content type, and waits after a 429 only with the header Via.
    """
    if status == 429:
        headers = {"Via": "1.1 local"} | headers
    if payload is None:
        return web.Response(status=status, headers=headers)
    body = json.dumps(payload, separators=(",", ":")).encode()
    return web.Response(status=status, body=body, headers=headers | {"Content-Type": "application/json"})
