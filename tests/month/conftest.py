"""The fixtures of the month."""

import pytest

from bot.chat import delivery_contents
from bot.chat.pictures import DrawnPicture
from bot.host.table import Table
from tests.bot.local.conftest import make_png, restored_discord_addresses

__all__ = ["restored_discord_addresses", "without_drawing"]


@pytest.fixture
def without_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Post boards with a picture that needs no drawing, and hands without one."""
    drawn = DrawnPicture("board.png", make_png(), "")

    async def board_pictures(_: Table) -> tuple[DrawnPicture, ...]:
        return (drawn,)

    monkeypatch.setattr(delivery_contents, "board_pictures", board_pictures)
    monkeypatch.setattr(delivery_contents, "has_picture", lambda *_: False)
