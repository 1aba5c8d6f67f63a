"""A rig for each module: one stand-in, one bot, many tables."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.bot.e2e import openapi
from tests.bot.e2e.observe import response_limit
from tests.bot.e2e.rig import Rig
from tests.trials import WAIT_TIMEOUT


@pytest.fixture(autouse=True, scope="module")
def _patient_people() -> Iterator[None]:
    """Let everybody wait for a response for as long as a busy machine takes."""
    with response_limit(WAIT_TIMEOUT):
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def module_rig(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Rig]:
    """Yield the stand-in and a bot that is ready."""
    async with Rig(tmp_path_factory.mktemp("bot")).running() as rig:
        yield rig


@pytest_asyncio.fixture(loop_scope="module")
async def rig(module_rig: Rig) -> AsyncIterator[Rig]:
    """Yield the module's rig; then the bot is started if it has ended.

    It must have logged no fault, and have kept to the API and to safe mentions and formats of messages.
    """
    log_start, wait_before = len(module_rig.log()), module_rig.processor_wait()
    module_rig.discord.faults.clear()
    yield module_rig
    module_rig.discord.faults.clear()
    if module_rig.process is None or module_rig.process.poll() is not None:
        await module_rig.start()  # a test may end the bot, the next one wants it
    logged = module_rig.log_without_waits(log_start, wait_before)
    for level in ("error", "critical"):
        assert f'"level":"{level}"' not in logged, logged
    assert "Traceback" not in logged, logged
    assert not module_rig.unsafe_mentions, module_rig.unsafe_mentions[:3]
    assert not module_rig.format_violations, module_rig.format_violations[:3]
    if module_rig.openapi is not None:
        violations, module_rig.openapi.violations = module_rig.openapi.violations, []
        assert not violations, "\n".join(violations[:10])


@pytest.fixture(autouse=True, scope="session")
def _require_api_document() -> None:
    """Fail in CI without Discord's description of its API; elsewhere test_openapi is skipped."""
    if openapi.find_document_path() is None and os.environ.get("CI", "") in ("1", "true"):
        variable = openapi.DOCUMENT_ENVIRONMENT_VARIABLE
        pytest.fail(f"Discord's OpenAPI document is missing: {variable} names where it is")
