"""Players and results for tests of ratings and statistics."""

from typing import Final

from bot.host.ratings import Contender
from bot.store.results import Participation, ResultPlayer, StoredResult, UnratedReason

GUILD: Final = 7
AVA: Final = Contender(100, GUILD)


def make_player(seat: int, place: int, participation: Participation = Participation.PLAYED) -> ResultPlayer:
    """Return one of the people who take part."""
    return ResultPlayer(seat, participation, f"Player {seat}", place, user=100 + seat)


def make_computer(seat: int, place: int, participation: Participation = Participation.PLAYED) -> ResultPlayer:
    """Return a computer player."""
    return ResultPlayer(seat, participation, f"Casual {seat}", place, computer="casual")


def make_result(
    *players: ResultPlayer, number: int = 1, guild: int = GUILD, unrated_reason: UnratedReason | None = None
) -> StoredResult:
    """Return a stored result."""
    return StoredResult(number, number, "pearls", guild, 20, 1_000 * number, unrated_reason, players)
