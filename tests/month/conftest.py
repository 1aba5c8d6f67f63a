"""The fixtures of the month."""

from collections.abc import Iterator

import pytest

from bot.chat import delivery_contents
from bot.chat.pictures import DrawnPicture
from bot.host.table import Table
from tests.bot.e2e.observe import response_limit
from tests.bot.local.conftest import make_png, restored_discord_addresses
from tests.trials import WAIT_TIMEOUT

__all__ = ["restored_discord_addresses", "without_drawing"]


@pytest.fixture(autouse=True)
def _patient_people() -> Iterator[None]:
    """Let everybody wait for a response for as long as a busy machine takes."""
    with response_limit(WAIT_TIMEOUT):
        yield


@pytest.fixture
def without_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Post boards with a picture that needs no drawing, and hands without one."""
    drawn = DrawnPicture("board.png", make_png(), "")

    async def board_pictures(_: Table) -> tuple[DrawnPicture, ...]:
        return (drawn,)

    monkeypatch.setattr(delivery_contents, "board_pictures", board_pictures)
    monkeypatch.setattr(delivery_contents, "has_picture", lambda *_: False)
