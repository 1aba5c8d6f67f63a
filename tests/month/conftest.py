"""The fixtures of the month."""

from collections.abc import Iterator

import pytest

from bot.chat import delivery_contents
from bot.chat.pictures import DrawnPicture
from bot.host.table import Table
from tests.bot.conftest import seed_randomness
from tests.bot.local.conftest import make_png, restored_discord_addresses
from tests.bot.trust.in_process_bot import patient_responses

__all__ = ["restored_discord_addresses", "seed_randomness", "without_drawing"]


@pytest.fixture(autouse=True)
def _patient_responses() -> Iterator[None]:
    """Let no response come too late, however long a busy machine takes."""
    with patient_responses():
        yield


@pytest.fixture
def without_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Post boards with a picture that needs no drawing, and hands without one."""
    drawn = DrawnPicture("board.png", make_png(), "")

    async def board_pictures(_: Table) -> tuple[DrawnPicture, ...]:
        return (drawn,)

    monkeypatch.setattr(delivery_contents, "board_pictures", board_pictures)
    monkeypatch.setattr(delivery_contents, "has_picture", lambda *_: False)
