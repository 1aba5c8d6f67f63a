"""Faults of the platform's, on request: what the next matching requests meet."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from bot.local.api_errors import Json

# before: answered so, and nothing done. after: done, then answered so. cut: the connection is cut
# before anything is done; cut_after: it is done, and the answer is lost; cut_body: it is done, and the
# answer breaks off after half of its body.
FaultPoint = Literal["before", "after", "cut", "cut_after", "cut_body"]


@dataclass(eq=False, slots=True)
class Fault:
    """The next `times` requests of `method` ("*" for any) whose route template matches `route`.

    `route` is a shell pattern over templates such as "/channels/{channel_id}/messages". `delay` seconds
    pass before the request is looked at; a fault with `status` 0 only delays. A request without `text`
    in its JSON does not meet it.
    """

    method: str
    route: str
    times: int = 1
    when: FaultPoint = "before"
    status: int = 500
    code: int = 0
    message: str = "500: Internal Server Error"
    headers: dict[str, str] = field(default_factory=dict)
    retry_after: float | None = None
    delay: float = 0.0
    text: str = ""
    hits: int = 0

    def body(self) -> Json:
        """The JSON answered."""
        body: Json = {"message": self.message, "code": self.code}
        if self.retry_after is not None:
            body |= {"retry_after": self.retry_after, "global": False}
        return body


class Faults:
    """The faults waiting to be met."""

    def __init__(self) -> None:
        self._waiting: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        """Let `fault` happen from now on; its `met` counts."""
        self._waiting.append(fault)
        return fault

    def clear(self) -> None:
        """Forget all faults that have not happened."""
        self._waiting.clear()

    def match(self, method: str, route: str, text: str) -> Fault | None:
        """The fault that this request meets, if any; counts it."""
        for fault in self._waiting:
            if fault.method in ("*", method) and fnmatchcase(route, fault.route) and fault.text in text:
                fault.hits += 1
                if fault.hits >= fault.times:
                    self._waiting.remove(fault)
                return fault
        return None
