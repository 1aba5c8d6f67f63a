"""Discord's rate limits: headers always, status 429 only with realistic limits."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from bot import limits
from bot.local.api_errors import JsonObject
from bot.local.world import World

_NOMINAL_LIMIT = 1000  # what the headers say of a route that is not limited here
_LIMITED_ROUTES = {
    ("POST", "/channels/{channel_id}/messages"),
    ("PATCH", "/channels/{channel_id}/messages/{message_id}"),
}


@dataclass(slots=True)
class _BucketWindow:
    since: float
    request_count: int = 0


class RateLimits:
    """Limits `_LIMITED_ROUTES` while `realistic` is set, separately for each major parameter."""

    def __init__(self, world: World, *, realistic: bool) -> None:
        self._world = world
        self.realistic = realistic
        self._windows: dict[tuple[str, str, str], _BucketWindow] = {}

    def count_request(
        self, method: str, template: str, major_parameter: str
    ) -> tuple[dict[str, str], JsonObject | None]:
        """Return the headers of a request's response and, beyond the limit, the body of the 429."""
        bucket = f"{crc32((method + template).encode()):08x}"
        now = self._world.clock()
        if not (self.realistic and (method, template) in _LIMITED_ROUTES):
            return _headers(bucket, _NOMINAL_LIMIT, _NOMINAL_LIMIT - 1, now, 1.0), None
        window = self._windows.setdefault((method, template, major_parameter), _BucketWindow(now))
        if now >= window.since + limits.CHANNEL_SENDS_SECONDS:
            window.since, window.request_count = now, 0
        reset_after = window.since + limits.CHANNEL_SENDS_SECONDS - now
        window.request_count += 1
        remaining = limits.CHANNEL_SENDS - window.request_count
        headers = _headers(bucket, limits.CHANNEL_SENDS, max(remaining, 0), now, reset_after)
        if remaining >= 0:
            return headers, None
        body = {
            "message": "You are being rate limited.",
            "retry_after": round(reset_after, 3),
            "global": False,
        }
        return headers | {"X-RateLimit-Scope": "user", "Retry-After": str(int(reset_after) + 1)}, body


def _headers(bucket: str, limit: int, remaining: int, now: float, reset_after: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(remaining),
        "X-RateLimit-Reset": f"{now + reset_after:.3f}",
        "X-RateLimit-Reset-After": f"{reset_after:.3f}",
        "X-RateLimit-Bucket": bucket,
    }
