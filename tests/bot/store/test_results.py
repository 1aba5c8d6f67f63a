"""Results are stored with the change that ends a game, read in order, and outlive the names in them."""

from typing import Final

import pytest
from msgspec.structs import replace

from bot.store.results import (
    FORMER_PLAYER,
    NewResult,
    Participation,
    ResultPlayer,
    ResultsVersion,
    StoredResult,
    UnratedReason,
    erase_user_in_results,
)
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore
from tests.bot.store.sample_rows import (
    LOBBY_ROW,
    end_game,
    execute_sql,
    make_change,
    next_version,
    opening_change,
)

AVA: Final = ResultPlayer(0, Participation.PLAYED, "Ava", 1, score=12, user=100, missed_turn_count=2)
BEN: Final = ResultPlayer(1, Participation.LEFT_EARLY, "Ben", 3, user=101)
RANDOM_COMPUTER: Final = ResultPlayer(1, Participation.TOOK_OVER, "Random 1", 2, score=7, computer="random")
RESULT: Final = NewResult((AVA, RANDOM_COMPUTER, BEN))


async def test_a_result_comes_back_as_it_was_stored(store: SqliteStore) -> None:
    """Every field of a result is read as it was written; the results of a game come in order."""
    unrated = NewResult((AVA,), UnratedReason.HINDSIGHT)
    await end_game(store, 1, RESULT)
    await end_game(store, 2, unrated, "shells")
    await end_game(store, 3, unrated)
    first_result = StoredResult(1, 1, "pearls", 7, 50, 9_001, None, RESULT.players)
    last_result = StoredResult(3, 3, "pearls", 7, 50, 9_003, UnratedReason.HINDSIGHT, (AVA,))
    assert await store.results_of_game("pearls") == (first_result, last_result)
    assert await store.results_of_game("pearls", after_id=1) == (last_result,)
    assert [each.id for each in await store.results_of_user(100)] == [1, 2, 3]
    assert await store.results_of_user(101) == (first_result,)
    assert await store.results_of_game("clams") == ()


async def test_the_last_results_come_newest_first(store: SqliteStore) -> None:
    """As many as are asked for, of one person since a time, or of one server."""
    for number in (1, 2, 3):
        await end_game(store, number, RESULT)
    assert LOBBY_ROW.guild is not None
    assert [each.id for each in await store.last_results_in_server(LOBBY_ROW.guild, 2)] == [3, 2]
    assert await store.last_results_in_server(LOBBY_ROW.guild + 1, 2) == ()
    for since, ids in ((0, [3, 2]), (9_002, [3, 2]), (9_003, [3]), (9_004, [])):
        assert [each.id for each in await store.last_results_of_user(100, since, 2)] == ids
    assert await store.last_results_of_user(102, 0, 2) == ()


@pytest.mark.parametrize(
    "column",
    ["results.game", "results.unrated_reason", "result_players.name", "result_players.participation"],
)
async def test_a_damaged_text_hides_no_other_result(store: SqliteStore, column: str) -> None:
    """Lists of results, which lobbies and status messages need too, have all those that can be read."""
    for number in (1, 2):
        await end_game(store, number, RESULT)
    table, _, name = column.partition(".")
    condition = "match = 1" if table == "results" else "match = 1 and seat = 0"
    await execute_sql(store, f"update {table} set {name} = cast(x'41ff' as text) where {condition}")
    assert [each.id for each in await store.results_of_game("pearls")][-1:] == [2]
    assert 2 in [each.id for each in await store.last_results_in_server(LOBBY_ROW.guild or 0, 5)]
    assert 2 in [each.id for each in await store.results_of_user(100)]
    assert 2 in [each.id for each in await store.last_results_of_user(100, 0, 5)]
    assert AVA in await store.last_own_results_of_user(100, 5)


async def test_an_erased_person_leaves_places_and_scores(store: SqliteStore) -> None:
    """No result names an erased person; those of others are as before, and the version changes."""
    await end_game(store, 1, RESULT)
    before = await store.results_version("pearls")
    assert before == ResultsVersion(last_id=1, erasure_count=0)
    await store._connection.run_raw(lambda connection: erase_user_in_results(connection, 100))
    (found,) = await store.results_of_game("pearls")
    assert found.players == (replace(AVA, user=None, name=FORMER_PLAYER), RANDOM_COMPUTER, BEN)
    assert await store.results_of_user(100) == ()
    assert await store.results_version("pearls") == ResultsVersion(last_id=1, erasure_count=1)


async def test_a_repeated_interaction_stores_one_result(store: SqliteStore) -> None:
    """A result belongs to the transaction of its interaction."""
    await store.commit(opening_change(1))
    over = next_version(LOBBY_ROW, status=Status.OVER)
    for _ in range(2):
        await store.commit(make_change(over, 7, result=RESULT, at=9_001))
    assert len(await store.results_of_game("pearls")) == 1


async def test_a_persons_results_are_among_their_data(store: SqliteStore) -> None:
    """Somebody who asks for their data gets their own place of each result, and nothing of the others."""
    await end_game(store, 1, RESULT)
    (own,) = (await store.personal_data(101))["results"]
    assert own == {
        "number": 1,
        "game": "pearls",
        "server": 7,
        "ended_at": 9_001,
        "seat": 1,
        "participation": "left early",
        "name": "Ben",
        "place": 3,
        "score": None,
        "misses": 0,
    }
    assert (await store.personal_data(999))["results"] == []
