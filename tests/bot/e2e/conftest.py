"""A rig for each module: one stand-in, one bot, many tables."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.bot.e2e import openapi
from tests.bot.e2e.rig import Rig


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rig]:
    """Yield the stand-in and a bot that is ready."""
    async with Rig(tmp_path_factory.mktemp("bot")).serving() as rig:
        yield rig


@pytest_asyncio.fixture(loop_scope="module")
async def rig(served: Rig) -> AsyncIterator[Rig]:
    """Yield the module's rig; then the bot must live, have logged no fault and have kept to the API."""
    before = len(served.log())
    served.discord.faults.clear()
    yield served
    served.discord.faults.clear()
    if served.process is None or served.process.poll() is not None:
        await served.start()  # a test may end the bot, the next one wants it
    written = served.log()[before:]
    for level in ("error", "critical"):
        assert f'"level":"{level}"' not in written, written
    assert "Traceback" not in written, written
    assert not served.unsafe_mentions, served.unsafe_mentions[:3]
    assert not served.malformed, served.malformed[:3]
    if served.openapi is not None:
        faults, served.openapi.faults = served.openapi.faults, []
        assert not faults, "\n".join(faults[:10])


@pytest.fixture(autouse=True, scope="session")
def _require_api_document() -> None:
    """Fail in CI without Discord's description of its API; elsewhere test_openapi is skipped."""
    if openapi.document() is None and os.environ.get("CI", "") in ("1", "true"):
        pytest.fail(f"Discord's OpenAPI document is missing: {openapi.DOCUMENT_VARIABLE} names where it is")
