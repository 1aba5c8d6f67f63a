"""One interaction makes at most one move and one question is answered at most once, cancelled or not.

T4, T5 and T6 of the promises, each with the defect that it must catch.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any, Self

import msgspec
import pytest

from bot.host.committer import ChangeResult
from bot.host.deciders import departures, lobby, own_undo, play
from bot.host.deciders.decision import Decision
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.rows import Change, RepeatedInteraction
from bot.store.sqlite import SqliteStore, open_store
from rules.model import Action
from rules.notation import write_action
from tests.bot.host.playing import (
    GAMES_AND_TOYS,
    KEY_OF_GAME_WITH_SECRETS,
    assert_records_whole,
    begin,
    chosen_records,
    default_setup,
    make_move,
    open_lobby,
    request_of_person,
    seat_and_random_action,
)
from tests.trials import trial_count

SETUP = default_setup(GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS])
RESTART_INTERVAL = 50
"""Interactions from one restart to the next."""


class RestartableGame:
    """One game after another on one file, with restarts."""

    def __init__(
        self, path: Path, store_type: type[SqliteStore] = SqliteStore, tables_type: type[Tables] = Tables
    ) -> None:
        """``store_type`` and ``tables_type`` may carry a seeded defect."""
        self.path = path
        self._store_type = store_type
        self._tables_type = tables_type
        self.number = 0

    async def __aenter__(self) -> Self:
        """Open the file."""
        await self._open()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the file."""
        await self.tables.wait_for_changes()
        await self.store.close()

    async def _open(self) -> None:
        self.store = await open_store(self.path)
        self.store.__class__ = self._store_type
        self.tables = self._tables_type(self.store, GAMES_AND_TOYS)

    async def check_stored(self) -> None:
        """Fail unless the table is stored whole."""
        stored = await self.store.load(self.number)
        assert stored is not None
        assert_records_whole(stored)

    async def restart(self) -> None:
        """Restart as after a crash: nothing in memory, the file opened again."""
        await self.__aexit__()
        await self._open()

    async def playing_table(self) -> Table:
        """Return the table, or one where another game has begun if that is over."""
        if self.number:
            table = await self.tables.get(self.number)
            if table.to_act is not None:
                return table
        self.number = await begin(self.tables, SETUP)
        return await self.tables.get(self.number)


def _choice_decider(request: Request, action: Action, ply: int | None) -> partial[Decision]:
    if ply is None:
        return partial(play.play_typed_line, request=request, text=write_action(action))
    return partial(play.play, request=request, actions=(action,), ply=ply)


async def _count_moves(game: RestartableGame) -> int:
    stored = await game.store.load(game.number)
    assert stored is not None
    return len(chosen_records(stored.records))


# T4: the same interaction again -----------------------------------------------------------------------


async def repeat_interactions(game: RestartableGame, count: int, rng: random.Random) -> None:
    """Send each interaction 2 to 5 times, at once and after a restart: one move, the same answer."""
    for trial in range(count):
        table = await game.playing_table()
        count_before = await _count_moves(game)
        seat, action = seat_and_random_action(table, rng)
        request = request_of_person(seat)
        ply = table.row.ply if rng.random() < 0.5 else None  # a button carries its ply, typed text does not
        results = await asyncio.gather(
            *(
                game.tables.change(game.number, request, _choice_decider(request, action, ply))
                for _ in range(rng.randint(2, 5))
            )
        )
        assert [result.is_repeat for result in results].count(False) == 1, "not exactly one was the first"
        if trial % RESTART_INTERVAL == 0:
            await game.restart()
            results.append(
                await game.tables.change(game.number, request, _choice_decider(request, action, ply))
            )
        assert await _count_moves(game) == count_before + 1, "one interaction, not one move"
        repeat_answers = {result.answer for result in results if result.is_repeat}
        assert repeat_answers == {f"Already played as move {results[0].table.move_count}."}


@pytest.mark.trust_test("T4")
async def test_a_repeated_interaction_makes_one_move(
    tmp_path: Path, add_trials: Callable[[int], None]
) -> None:
    """T4: an interaction that comes twice or five times makes one move; repeats get its answer."""
    async with RestartableGame(tmp_path / "t4.db") as game:
        count = trial_count(short=80, soak=20_000)
        await repeat_interactions(game, count, random.Random(4))
        add_trials(count)
        await game.check_stored()


class StoreWithoutInbox(SqliteStore):
    """Seeded defect: interactions are not remembered."""

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Forget who asked."""
        return await super().commit(msgspec.structs.replace(change, interaction=None))


@pytest.mark.trust_test("T4", sensitivity=True)
async def test_repeats_need_the_inbox(tmp_path: Path) -> None:
    """The check above fails without the inbox."""
    async with RestartableGame(tmp_path / "t4.db", StoreWithoutInbox) as game:
        with pytest.raises((AssertionError, Refusal)):
            await repeat_interactions(game, 20, random.Random(4))


@pytest.mark.trust_test("T4")
async def test_a_repeat_changes_nothing_in_memory(tables: Tables) -> None:
    """A repeat that could be decided again leaves the table in memory as it is stored, and posts nothing."""
    number = await begin(tables, SETUP)
    request = request_of_person(0)

    def move_channel(table: Table) -> Decision:
        return Decision(table=table.with_row(game_channel=table.row.game_channel + 1), answer="moved")

    first_result = await tables.change(number, request, move_channel)
    notified: list[Table] = []
    tables.add_listener(notified.append)
    repeated_result = await tables.change(number, request, move_channel)
    stored = await tables.store.load(number)
    assert stored is not None
    assert (repeated_result.is_repeat, repeated_result.answer, notified) == (True, "moved", [])
    assert (await tables.get(number)).row == first_result.table.row == stored.row


class FailingStore(SqliteStore):
    """Refuses every write, as a full disk does."""

    async def commit(self, change: Change) -> RepeatedInteraction | None:
        """Store nothing."""
        raise StoreError("the disk is full")


async def test_a_failed_write_changes_nothing_in_memory(tables: Tables, store: SqliteStore) -> None:
    """If a change cannot be stored, the table in memory is as stored, and nothing is posted."""
    number = await begin(tables, SETUP)
    table_before = await tables.get(number)
    notified: list[Table] = []
    tables.add_listener(notified.append)
    store.__class__ = FailingStore
    with pytest.raises(StoreError):
        await make_move(tables, number, random.Random(1))
    assert ((await tables.get(number)).row, notified) == (table_before.row, [])
    store.__class__ = SqliteStore
    assert (await make_move(tables, number, random.Random(1))).table.row.ply > table_before.row.ply


async def test_a_repeated_opening_opens_one_table(tables: Tables) -> None:
    """A repeated /newgame opens one table and gets the same answer."""
    host_request = request_of_person(0)

    def open_table(number: int, seed: bytes, now: int) -> Decision:
        return lobby.open_table(number, SETUP.game, "", host_request, seed, now)

    first, *others = await asyncio.gather(*(tables.open(open_table, host_request) for _ in range(3)))
    for other in others:
        assert other.is_repeat
        assert (other.answer, other.table.number) == (first.answer, first.table.number)
    assert await tables.store.next_table_number() == first.table.number + 1


async def test_joining_starting_undoing_and_resigning_are_done_once(tables: Tables) -> None:
    """As choices are: the repeat gets the first answer."""
    game = GAMES_AND_TOYS[KEY_OF_GAME_WITH_SECRETS]
    number = await open_lobby(tables, game)

    async def change_twice(request: Request, decide: Any) -> ChangeResult:
        first_result = await tables.change(number, request, decide)
        version = first_result.table.row.version
        repeated_result = await tables.change(number, request, decide)
        assert repeated_result.is_repeat
        assert repeated_result.answer in {
            first_result.answer,
            f"Already played as move {first_result.table.move_count}.",
        }
        assert repeated_result.table.row.version == version
        return first_result

    join_request = request_of_person(1)
    await change_twice(join_request, partial(lobby.join, request=join_request))
    start_request = request_of_person(0)
    await change_twice(start_request, partial(lobby.start, request=start_request, is_channel_busy=False))
    move_result = await make_move(tables, number, random.Random(1))
    assert move_result.table.match is not None
    actor = next(record.actor for record in move_result.table.match.history[::-1] if record.actor >= 0)
    undo_request = request_of_person(actor)
    await change_twice(undo_request, partial(own_undo.undo, request=undo_request))
    leave_request = request_of_person(0)
    await change_twice(leave_request, partial(departures.resign, request=leave_request, computer="random"))


# T5: the same question, answered by new interactions --------------------------------------------------


async def answer_at_once(
    game: RestartableGame, count: int, rng: random.Random, *, carries_ply: bool = True
) -> None:
    """Every seat, and the one to act twice or more, answers the same question at once: one move."""
    for _ in range(count):
        table = await game.playing_table()
        count_before = await _count_moves(game)
        assert table.match is not None
        assert table.to_act is not None
        legal = table.match.legal_actions(table.to_act)
        seats = [*range(SETUP.seat_count), *([table.to_act] * rng.randint(1, 3))]
        rng.shuffle(seats)
        tasks = []
        for seat in seats:
            request = request_of_person(seat)
            decide = _choice_decider(request, rng.choice(legal), table.row.ply if carries_ply else None)
            tasks.append(game.tables.change(game.number, request, decide))
        results = await asyncio.gather(*tasks, return_exceptions=True)
        moved_indexes = [i for i, result in enumerate(results) if isinstance(result, ChangeResult)]
        assert len(moved_indexes) == 1, "one question, not one answer"
        assert seats[moved_indexes[0]] == table.to_act
        assert all(isinstance(result, ChangeResult | Refusal) for result in results), results
        assert await _count_moves(game) == count_before + 1


@pytest.mark.trust_test("T5")
async def test_a_question_gets_one_answer(tmp_path: Path, add_trials: Callable[[int], None]) -> None:
    """T5: whatever arrives at once for one ply, exactly one choice of the one to act is recorded."""
    async with RestartableGame(tmp_path / "t5.db") as game:
        count = trial_count(short=80, soak=20_000)
        await answer_at_once(game, count, random.Random(5))
        add_trials(count)
        await game.check_stored()


@pytest.mark.trust_test("T5", sensitivity=True)
async def test_one_answer_needs_the_ply(tmp_path: Path) -> None:
    """The check above fails where the ply is not compared."""
    async with RestartableGame(tmp_path / "t5.db") as game:
        with pytest.raises(AssertionError, match="not one answer"):
            await answer_at_once(game, 200, random.Random(5), carries_ply=False)


# T6: cancelled at any await ---------------------------------------------------------------------------


async def cancel_moves(game: RestartableGame, count: int, rng: random.Random) -> None:
    """Cancel moves at random awaits: each is made whole or not at all, and the next one works."""
    for _ in range(count):
        table = await game.playing_table()
        count_before = await _count_moves(game)
        task = asyncio.create_task(make_move(game.tables, game.number, rng))
        for _ in range(rng.randint(0, 14)):
            await asyncio.sleep(0 if rng.random() < 0.8 else 0.0003)
        task.cancel()
        (result,) = await asyncio.gather(task, return_exceptions=True)
        assert isinstance(result, ChangeResult | asyncio.CancelledError), result
        await game.tables.wait_for_changes()
        move_count = await _count_moves(game)
        assert move_count in {count_before, count_before + 1}
        assert move_count == count_before + 1 or not isinstance(result, ChangeResult), "answered, not stored"
        stored = await game.store.load(game.number)
        in_memory = await game.tables.get(game.number)
        assert stored is not None
        assert in_memory.row == stored.row, "memory and store disagree"
        if table.row.version % 40 == 0:
            assert_records_whole(stored)


@pytest.mark.trust_test("T6")
async def test_a_cancelled_move_is_made_whole_or_not_at_all(
    tmp_path: Path, add_trials: Callable[[int], None]
) -> None:
    """T6: a request may be cancelled at any moment; no move is lost, halved or blocks the next."""
    async with RestartableGame(tmp_path / "t6.db") as game:
        count = trial_count(short=80, soak=16_000)
        await cancel_moves(game, count, random.Random(6))
        add_trials(count)


class TablesWithoutShield(Tables):
    """Seeded defect: a change runs in its caller's task."""

    async def _run_to_end(self, work: Coroutine[Any, Any, ChangeResult]) -> ChangeResult:  # type: ignore[override]
        return await work


@pytest.mark.trust_test("T6", sensitivity=True)
async def test_cancelling_needs_the_shield(tmp_path: Path) -> None:
    """The check above fails where a cancelled caller takes its change down."""
    async with RestartableGame(tmp_path / "t6.db", tables_type=TablesWithoutShield) as game:
        with pytest.raises(AssertionError):
            await cancel_moves(game, 400, random.Random(6))
