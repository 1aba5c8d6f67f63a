"""The check of requests against Discord's own document can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bot.e2e.openapi import OpenApiChecker, find_document_path
from tests.bot.e2e.platform_faults import MESSAGES_ROUTE


@pytest.fixture(scope="module")
def document_path() -> Path:
    """Return the path of Discord's document; without it there is nothing to compare with."""
    found = find_document_path()
    if found is None:
        pytest.skip("no OpenAPI document on this machine")
    return found


@pytest.mark.parametrize(
    ("method", "url_path", "body"),
    [
        ("POST", "/channels/1/messages", {"content": 5}),
        ("POST", "/channels/1/messages", {"allowed_mentions": {"parse": ["all"]}}),
        ("POST", "/channels/1/messages", {"components": [{"type": 1, "components": [{"type": 2}]}]}),
        ("POST", "/users/@me/channels", {"recipient_id": "nobody"}),
        ("POST", "/channels/1/letters", {"content": "ahoy"}),
        ("PUT", "/channels/1/messages", {"content": "ahoy"}),
        ("PUT", "/applications/1/commands", [{"description": "without a name"}]),
    ],
)
def test_a_wrong_request_is_noticed(document_path: Path, method: str, url_path: str, body: object) -> None:
    """A wrong type, value, path or method, or something missing, is a violation."""
    checker = OpenApiChecker(document_path)
    checker.check(method, MESSAGES_ROUTE, url_path, {}, body, {})
    assert checker.violations


def test_a_right_request_passes(document_path: Path) -> None:
    """What Discord describes is no violation."""
    checker = OpenApiChecker(document_path)
    body = {"content": "ahoy", "allowed_mentions": {"parse": [], "users": ["1"]}, "nonce": 3}
    checker.check("POST", MESSAGES_ROUTE, "/channels/1/messages", {}, body, {})
    assert not checker.violations
