"""What is shown in response to an interaction."""

import asyncio
import re
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot import limits
from bot.chat.refusals import with_reference
from bot.chat.response import Response
from bot.error_ids import new_error_id
from bot.host.request import Refusal


@example("0\r", 1980)  # blanks before the end are left out
@given(st.text(min_size=1, max_size=40), st.integers(0, 3 * limits.CONTENT))
def test_the_error_reference_stands_below_the_reason(text: str, length: int) -> None:
    """However long the reason is, the message is not too long and ends with the reference."""
    text *= 1 + length // len(text)
    error_id = new_error_id()
    message = with_reference(text, error_id)
    assert len(message) <= limits.CONTENT
    assert re.search(rf"\n-# Reference {error_id}\Z", message)
    reason = message.rpartition("\n")[0]
    shown_start, room = reason[:-1], limits.CONTENT - len(message)
    assert text == reason or (text.startswith(shown_start) and not text[len(shown_start) :][:room].strip())


class _SlowFirstResponse:
    """The first response of an interaction: a deferral that arrives once the test says so."""

    def __init__(self) -> None:
        self.may_arrive, self._is_done = asyncio.Event(), False

    def is_done(self) -> bool:
        """Whether the deferral has arrived."""
        return self._is_done

    async def defer(self, **_: object) -> None:
        """Wait until the deferral may arrive."""
        await self.may_arrive.wait()
        self._is_done = True

    async def send_modal(self, _: discord.ui.Modal) -> None:
        """Open a form."""
        assert not self._is_done, "a form must be the first response"


async def test_a_form_that_waits_for_a_deferral_is_refused() -> None:
    """It cannot open after the deferral, so its user is told to press again."""
    first_response = _SlowFirstResponse()
    interaction: Any = SimpleNamespace(response=first_response, message=None, extras={})
    response = Response(interaction)
    deferring = asyncio.create_task(response.defer())
    await asyncio.sleep(0)
    opening = asyncio.create_task(response.open_form(cast("discord.ui.Modal", None)))
    await asyncio.sleep(0)
    first_response.may_arrive.set()
    with pytest.raises(Refusal, match="Press the same button again"):
        await opening
    await deferring
