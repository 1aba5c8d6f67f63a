"""The types of the REST API's routes and requests, and the context of their handlers.

Handlers do not await anything, so that a request is handled as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bot.error_codes import ErrorCode
from bot.local.api_errors import ApiError, BodyErrors, JsonObject
from bot.local.gateway import Gateway
from bot.local.interactions import Interactions
from bot.local.messages import OldMessageEditLimit, Upload
from bot.local.model import Message
from bot.local.world import World

ResponseBody = JsonObject | list[JsonObject] | None


@dataclass(slots=True)
class RouteContext:
    """The state of the server, which the handlers of routes read and change."""

    world: World
    interactions: Interactions
    gateway: Gateway
    old_message_edit_limit: OldMessageEditLimit
    messages_by_nonce: dict[str, Message]
    """The messages that were sent with an enforced nonce, by nonce."""
    command_creation_times: list[float]
    """The times at which commands were created in the last 24 hours."""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One request: the variables of its path, its query, JSON body and files."""

    path_variables: Mapping[str, str]
    query: Mapping[str, str]
    body: object
    uploads: Mapping[str, Upload]

    def path_id(self, name: str) -> int:
        """Return a snowflake of the path.  Raises ApiError 50035 if it is not a number."""
        if not self.path_variables[name].isdecimal():
            errors = BodyErrors()
            errors.add(
                (name,), "NUMBER_TYPE_COERCE", f'Value "{self.path_variables[name]}" is not snowflake.'
            )
            errors.raise_if_any()
        return int(self.path_variables[name])

    def json(self) -> JsonObject:
        """Return the body as an object, empty if there is none.  Raises ApiError 50109 for anything else."""
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise ApiError(ErrorCode.INVALID_JSON)
        return self.body


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one path."""

    method: str
    template: str
    handler: Callable[[RouteContext, ApiRequest], ResponseBody]
    status: int = 200
