"""T7 where the bot's requests arrive: a viewer is sent the same, whatever it may not know.

Two servers with the bot in them hold the two tables of a pair.  The viewer looks at everything there, types
what is not allowed, and sees choices made; every request that reaches it or everybody must be the same.
"""

import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from bot.chat import pictures
from render.gallery import PICTURES
from rules.game import AnyGame
from tests.bot.host.pairs import pairs
from tests.bot.host.playing import EVERY_GAME
from tests.bot.local.conftest import endpoints
from tests.bot.trust.requests import Visit, first_difference, planned, sketched
from tests.bot.trust.worlds import World, opened
from tests.conformance.settings import count_of
from tests.docs.guide import toy_pictures

__all__ = ["endpoints"]

PAIRS = count_of(commit=6, soak=400)
"""For each game."""
LOOKS = count_of(commit=12, soak=150)
"""Pages of the panel at each pair."""
ACTS = count_of(commit=2, soak=8)
"""Choices at each pair."""


@pytest.fixture(autouse=True)
def drawn_guide() -> Iterator[None]:
    """The guide's game is drawn as the guide draws it."""
    with patch.object(pictures, "PICTURES", {**PICTURES, "pearls": toy_pictures()}):
        yield


@asynccontextmanager
async def two_worlds(directory: Path) -> AsyncIterator[tuple[World, World]]:
    """Two servers that have seen the same."""
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(opened(directory / "one.db"))
        second = await stack.enter_async_context(opened(directory / "other.db"))
        yield first, second


async def differ(
    worlds: tuple[World, World], game: AnyGame, count: int, rng: random.Random, *, looks: int, acts: int
) -> int:
    """Fail at the first request that tells the tables of a pair apart; returns how many were compared."""
    compared = 0
    for pair in pairs(game, count, rng):
        plan = planned(pair, looks, acts, rng)
        visits = []
        for world, table in zip(worlds, (pair.one, pair.other), strict=True):
            visits.append(await Visit(world, table, plan).whole())
            await world.clear()
        difference = first_difference(*visits)
        assert difference is None, f"told apart by {difference}"
        compared += sum(len(sent) + len(answered) for _, sent, answered in visits[0])
    return compared


@pytest.mark.promise("T7")
@pytest.mark.usefixtures("endpoints")
@pytest.mark.parametrize("key", EVERY_GAME)
async def test_no_request_tells_a_secret(
    key: str, tmp_path: Path, trials_done: Callable[[int], None]
) -> None:
    """Contents, components, ids, files, alt texts, suggestions, order and number of requests are alike."""
    async with two_worlds(tmp_path) as worlds:
        with sketched():
            rng = random.Random(f"requests/{key}")
            compared = await differ(worlds, EVERY_GAME[key], PAIRS, rng, looks=LOOKS, acts=ACTS)
    trials_done(PAIRS)
    assert compared > PAIRS * 30, compared
