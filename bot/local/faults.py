"""Faults of Discord that tests inject into the next matching requests."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from bot.local.api_errors import JsonObject

# before: respond with the fault and do nothing. after: handle the request, then respond with the fault.
# cut: close the connection and do nothing. cut_after: handle the request, then close the connection.
# cut_body: handle the request and close the connection after half of the response's body.
FaultMode = Literal["before", "after", "cut", "cut_after", "cut_body"]


@dataclass(eq=False, slots=True)
class InjectedFault:
    """A fault for requests of `method` ("*" for any) whose route template matches `route`.

    The next `max_hit_count` of them meet it.
    `route` is a shell pattern over templates such as "/channels/{channel_id}/messages". A request matches
    only if its JSON contains `request_text`. It first waits `delay` seconds and until `until` is set; with
    `status` 0 that is all.
    """

    method: str
    route: str
    max_hit_count: int = 1
    mode: FaultMode = "before"
    status: int = 500
    code: int = 0
    message: str = "500: Internal Server Error"
    headers: dict[str, str] = field(default_factory=dict)
    retry_after: float | None = None
    delay: float = 0.0
    until: asyncio.Event | None = None
    request_text: str = ""
    hit_count: int = 0

    def body(self) -> JsonObject:
        """Return the JSON body of the response."""
        body: JsonObject = {"message": self.message, "code": self.code}
        if self.retry_after is not None:
            body |= {"retry_after": self.retry_after, "global": False}
        return body


class InjectedFaults:
    """The faults that are still to happen."""

    def __init__(self) -> None:
        self._faults: list[InjectedFault] = []

    def add(self, fault: InjectedFault) -> InjectedFault:
        """Add a fault and return it; its `hit_count` counts the requests."""
        self._faults.append(fault)
        return fault

    def clear(self) -> None:
        """Remove all faults that are still to happen."""
        self._faults.clear()

    def consume_matching(self, method: str, template: str, body: object) -> InjectedFault | None:
        """Return the fault for this request and count the request as a hit; None if there is none."""
        for fault in self._faults:
            if (
                fault.method in ("*", method)
                and fnmatchcase(template, fault.route)
                and (not fault.request_text or fault.request_text in json.dumps(body))
            ):
                fault.hit_count += 1
                if fault.hit_count >= fault.max_hit_count:
                    self._faults.remove(fault)
                return fault
        return None
