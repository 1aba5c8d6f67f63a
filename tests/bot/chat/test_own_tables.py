"""/mygames: links to all tables of a person, from their rows alone."""

from typing import Any, cast

from bot import limits
from bot.chat.commands import my_games_post
from bot.host.tables import Tables
from bot.store.rows import Status, TableSummary
from rules.catalogue import GAMES
from tests.bot.host.playing import request_of

GAME = next(iter(GAMES))
ASKER = request_of(0)


class RowsOnly:
    """Tables that can be listed and not loaded."""

    def __init__(self, *summaries: TableSummary) -> None:
        """Hold some rows."""
        self.games = GAMES
        self.store: Any = self
        self._summaries = summaries

    async def tables_of(self, user: int) -> tuple[TableSummary, ...]:
        """Return the rows."""
        assert user == ASKER.user
        return self._summaries


async def _text(*summaries: TableSummary) -> str:
    return (await my_games_post(cast("Tables", RowsOnly(*summaries)), ASKER)).text


def _playing(number: int, user: int | None, name: str | None) -> TableSummary:
    return TableSummary(number, GAME, Status.PLAYING, 50 + number, 7, 2, user, name)


async def test_own_turns_come_first() -> None:
    """Each table has its link and who is to act, escaped; those where the asker is to act come first."""
    found = await _text(
        _playing(1, ASKER.user + 1, "B*n"),
        _playing(2, None, "Casual 1"),
        _playing(3, None, None),
        _playing(4, ASKER.user, "Ava"),
        TableSummary(5, GAME, Status.LOBBY, 55, 7, 3),
        TableSummary(6, GAME, Status.PAUSED, 56, None, 3),
        TableSummary(7, "no such game", Status.PLAYING, 57, 7, 2),
    )
    title = GAMES[GAME].title
    assert found.splitlines() == [
        "**Your tables**",
        f"- [{title} No. 4](https://discord.com/channels/7/54): **your turn**",
        f"- [{title} No. 1](https://discord.com/channels/7/51): B\\*n's turn",
        f"- [{title} No. 2](https://discord.com/channels/7/52): Casual 1's turn",
        f"- [{title} No. 3](https://discord.com/channels/7/53): being played",
        f"- [{title} No. 5](https://discord.com/channels/7/55): lobby, players so far: 3",
        f"- [{title} No. 6](https://discord.com/channels/@me/56): paused",
    ]


async def test_two_hundred_tables_fit_a_message() -> None:
    """Of many tables as many are listed as fit, each line whole, and the number of the others is named."""
    tables = [_playing(number, None, "Casual 1") for number in range(1, 201)]
    lines = (await _text(*tables)).splitlines()
    assert len("\n".join(lines)) <= limits.COMPONENTS_V2_TEXT
    assert all(line.endswith("turn") for line in lines[1:-1])
    assert lines[-1] == f"…and {201 - len(lines[1:])} more."
    assert len(lines) > 30
