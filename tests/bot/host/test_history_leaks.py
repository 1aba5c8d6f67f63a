"""T7 for whole games: hands that differ since they were dealt look the same to everybody else.

``test_leaks.py`` puts another state at the end of one history.  Here the records differ too, so that logs,
pages of turns, replays and match files are compared, which are made of records.
"""

import random
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, cast
from unittest.mock import patch

import pytest

from bot.chat import history_pages
from bot.chat.board_frames import turn_frames
from bot.chat.response import Response
from bot.host.table import Table
from bot.host.tables import Tables
from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.matchfile import MatchFile
from rules.model import Seat
from rules.narration import narration
from rules.notation import write_action
from rules.record import LogLine, Record
from tests.bot.host.history_pairs import history_pairs
from tests.bot.host.playing import request_of_person
from tests.bot.host.table_pairs import TablePair
from tests.bot.host.viewer_output import (
    ResponseRecorder,
    TablesOfOne,
    use_scenes_as_pictures,
    viewer_output,
)
from tests.conformance.setups import games_with_secrets
from tests.trials import trial_count

PAIR_COUNT: Final = trial_count(short=3, soak=1_000)
"""For each game."""
REGISTERED_KEYS_WITH_SECRETS: Final = [key for key in games_with_secrets() if key in GAMES]
_BYSTANDER_SEAT: Final = 6
"""The seat from which a bystander's requests come: no game has so many seats."""


async def compare_histories(game: AnyGame, count: int, rng: random.Random) -> None:
    """Fail at the first thing that tells the tables of a pair apart."""
    for pair in history_pairs(game, count, rng):
        seed = rng.random()
        one = await _output(pair.real, pair, seed)
        other = await _output(pair.altered, pair, seed)
        assert one.keys() == other.keys(), f"distinguished by: {one.keys() ^ other.keys()}"
        for name, value in one.items():
            assert value == other[name], f"distinguished by: {name}"


async def _output(table: Table, pair: TablePair, seed: float) -> dict[str, Any]:
    found = await viewer_output(table, pair.viewer, pair.typed_moves, random.Random(seed))
    return found | {"page of a turn": await _page_of_turn(table, pair.viewer, random.Random(seed))}


async def _page_of_turn(table: Table, viewer: Seat | None, rng: random.Random) -> object:
    """Return the page of a random turn."""
    assert table.match is not None
    index = rng.randrange(len(turn_frames(table.match.history)))
    request = request_of_person(_BYSTANDER_SEAT if viewer is None else viewer, interaction=1)
    recorder = ResponseRecorder()
    tables, response = cast("Tables", TablesOfOne(table)), cast("Response", recorder)
    await history_pages.show_turn_page(tables, response, table.number, request, index)
    return recorder.answers


@pytest.mark.trust_test("T7")
@pytest.mark.parametrize("key", REGISTERED_KEYS_WITH_SECRETS)
async def test_no_history_tells_a_secret(key: str, add_trials: Callable[[int], None]) -> None:
    """Everything that is made of the records is byte for byte alike, at any ply of a game."""
    with use_scenes_as_pictures():
        await compare_histories(GAMES[key], PAIR_COUNT, random.Random(f"histories/{key}"))
    add_trials(PAIR_COUNT)


def _narrate_everything(
    game: AnyGame, state: Any, start: int, records: Sequence[Record], *_: object
) -> tuple[LogLine, ...]:
    """Narrate records with the cards that everybody holds."""
    del game, state
    return tuple(
        LogLine(index, record.actor, narration([write_action(record.action)]))
        for index, record in enumerate(records, start)
    )


_LEAKS: Final[dict[str, Callable[[], AbstractContextManager[Any]]]] = {
    "match file": lambda: patch.object(MatchFile, "seen_by", lambda file, _: file),
    "log": lambda: patch("rules.match.narrate_records", _narrate_everything),
}


@pytest.mark.trust_test("T7", sensitivity=True)
@pytest.mark.parametrize("leak", _LEAKS)
async def test_each_leak_is_caught(leak: str) -> None:
    """A match file or a log with others' cards is caught, which pairs that share one history would miss."""
    key = REGISTERED_KEYS_WITH_SECRETS[0]
    with (
        use_scenes_as_pictures(),
        _LEAKS[leak](),
        pytest.raises(AssertionError, match="distinguished by"),
    ):
        await compare_histories(GAMES[key], 8, random.Random(f"seeded/{leak}"))
