"""No call holds the event loop's thread for long, however long the game is.

Measured is the processor time of the loop's thread in each callback (``time.thread_time``): another thread's
work and a busy machine are not counted.  ``python -m pytest -s`` shows the figures.
"""

import asyncio
import gc
import itertools
import random
import shutil
import threading
import time
from asyncio import events
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final, cast
from unittest.mock import patch

import pytest

from bot.chat import history_pages, pages
from bot.chat.delivery_contents import turn_content, turn_pictures
from bot.chat.panel import PanelHandler
from bot.chat.pictures import draw_board_picture
from bot.chat.posts import board_post
from bot.chat.response import Response
from bot.host.deciders import moderation, own_undo
from bot.host.deciders.decision import Decision
from bot.host.game_guard import GameFault
from bot.host.game_logs import log_lines_since_last_turn
from bot.host.game_workers import LONG_GAME_RECORDS, MAX_REPLAY_ON_LOOP, run_game_work
from bot.host.replay_queue import REPLAYED_FINGERPRINT_KEY
from bot.host.table import Table
from bot.host.tables import Tables
from bot.running import exempt_loaded_objects_from_gc
from bot.store.question_rows import Question
from bot.store.rows import Status
from bot.store.sqlite import SqliteStore, open_store
from rules.catalogue import GAMES
from rules.model import MODERATOR, Seat
from rules.record import Record
from rules.turns import turns_from
from tests.bot.host.open_questions import answer_question
from tests.bot.host.playing import begin, default_setup, make_move, request_of_person
from tests.bot.host.viewer_output import ResponseRecorder
from tests.trials import IS_SOAK, trial_count

MAX_CALLBACK_SECONDS: Final = 0.020 if IS_SOAK else 0.060
"""Of processor time, for one callback; ``make test`` also runs on slow processors."""
RECORD_COUNT: Final = 2_000
REPEAT_COUNT: Final = trial_count(short=3, soak=25)
"""In ``make test`` a call is repeated only as long as it holds the loop too long."""
RECORD_COUNT_WITH_UNDOS: Final = trial_count(short=4 * LONG_GAME_RECORDS, soak=RECORD_COUNT)
"""The records, undone ones included, of a game in which most are undone."""
LONGEST_GAME: Final = max(GAMES.values(), key=lambda game: game.max_game_length)


@contextmanager
def measure_longest_hold() -> Iterator[list[float]]:
    """Yield the longest processor time of one callback on this thread, as the list's only item."""
    longest, run = [0.0], events.Handle._run

    def run_timed(handle: asyncio.Handle) -> Any:
        began = time.thread_time()
        try:
            return run(handle)
        finally:
            longest[0] = max(longest[0], time.thread_time() - began)

    with patch.object(events.Handle, "_run", run_timed):
        yield longest


def _lengthen(table: Table) -> Decision:
    """Play at random until there are so many records."""
    assert table.match is not None
    length_before, match = len(table.match.history), table.match
    for seed in itertools.count():
        rng, match = random.Random(seed), table.match
        while match.to_act is not None and match.ply < RECORD_COUNT:
            match = match.play(match.to_act, rng.choice(match.legal_actions(match.to_act)))
        if match.ply >= RECORD_COUNT:
            break
    return Decision(
        table=table.with_match(replace(match, new_records=match.history[length_before:])), answer=""
    )


def _undo_often(table: Table) -> Decision:
    """Play and undo the last of some moves until there are so many records; the history stays short."""
    assert table.match is not None
    match, rng, records = table.match, random.Random(1), list[Record]()
    while match.ply < RECORD_COUNT_WITH_UNDOS:
        assert match.to_act is not None
        kept_length = len(match.history)
        match = match.play(match.to_act, rng.choice(match.legal_actions(match.to_act)))
        records += match.new_records
        if len(match.history) > LONG_GAME_RECORDS // 2:
            match = match.undo(MODERATOR, kept_length)
            records += match.new_records
    return Decision(table=table.with_match(replace(match, new_records=tuple(records))), answer="")


class LongGameCalls:
    """A long game, and calls of it that are measured; each but ``roll_back`` leaves it about as long."""

    def __init__(self, tables: Tables, number: int) -> None:
        """``number``: the long game's."""
        self.tables = tables
        self.number = number
        self.rng = random.Random(3)

    async def table(self) -> Table:
        """Return the table."""
        return await self.tables.get(self.number)

    async def load(self) -> None:
        """Read the table from the store."""
        self.tables._cache.clear()
        await self.table()

    async def move(self) -> None:
        """Make one choice."""
        await make_move(self.tables, self.number, self.rng)

    async def send_board(self) -> None:
        """Make what the outbox sends of a board."""
        table = await self.table()
        board_post(table, None)
        await draw_board_picture(table)

    async def send_turn_after_load(self) -> None:
        """Make the message of a turn that others have followed, in a game that was just loaded."""
        self.tables._cache.clear()
        table = await self.table()
        assert table.match is not None
        history = table.match.history
        turn = turns_from(history, len(history) - 50)[0]
        await turn_content(table, turn.start)
        await turn_pictures(table, turn)

    async def show_log(self) -> None:
        """Show everything that happened."""
        await self._show_page(history_pages.show_log, is_whole_game=True)

    async def show_log_after_load(self) -> None:
        """Show everything that happened, in a game that was just loaded."""
        self.tables._cache.clear()
        await self.show_log()

    async def show_recent_after_load(self) -> None:
        """Show what happened since the last turn, as an animated picture, in a game that was just loaded."""
        self.tables._cache.clear()
        await self._show_page(history_pages.show_log)

    async def show_turns_after_load(self) -> None:
        """Show an early turn, in a game that was just loaded; then the next one."""
        self.tables._cache.clear()
        await self._show_page(history_pages.show_turn_page, page_index=20)
        await self._show_page(history_pages.show_turn_page, page_index=21)

    async def show_hand(self) -> None:
        """Show the private page."""
        await self._show_page(pages.show_hand)

    async def open_panel(self) -> None:
        """Show the first step of the panel."""
        table = await self.table()
        response = cast("Response", ResponseRecorder())
        await PanelHandler(self.tables).open(response, self.number, request_of_person(table.to_act or 0))

    async def undo(self) -> None:
        """Make a move and undo it, with the others' consent where that is needed."""
        seat = (await self.table()).to_act
        assert seat is not None
        await make_move(self.tables, self.number, self.rng)
        request = request_of_person(seat)
        await self.tables.change(self.number, request, partial(own_undo.undo, request=request))
        question = (await self.table()).row.question
        for other in range(len((await self.table()).seats)) if question is not None else ():
            if other != seat:
                await self._agree(other, question)

    async def _agree(self, seat: int, question: Question | None) -> None:
        request = request_of_person(seat)
        assert question is not None
        await answer_question(self.tables, self.number, request, is_yes=True)

    async def roll_back(self) -> None:
        """Roll far back, in a game that was just loaded; this shortens the game."""
        self.tables._cache.clear()
        request = request_of_person(0)
        await self.tables.change(
            self.number, request, partial(moderation.roll_back, request=request, move_number=40)
        )
        question = (await self.table()).row.question
        for seat in range(1, len((await self.table()).seats)):
            await self._agree(seat, question)

    async def make_match_file(self) -> None:
        """Make the match file."""
        await self.tables.match_file_text(self.number, Seat(0))

    async def replay_all(self) -> None:
        """Replay all games, as the first start of a release does."""
        await self.tables.store.set_metadata(REPLAYED_FINGERPRINT_KEY, "another release")
        await self.tables.replay_all()

    async def _show_page(self, show: Callable[..., Awaitable[None]], **options: int) -> None:
        table = await self.table()
        request = request_of_person(table.to_act or 0)
        await show(self.tables, cast("Response", ResponseRecorder()), self.number, request, **options)


@pytest.fixture(scope="module")
def long_game_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of a database with one table, No. 1: a game of so many records."""
    path = tmp_path_factory.mktemp("long") / "tables.db"

    async def play() -> None:
        store = await open_store(path)
        tables = Tables(store, GAMES)
        assert await begin(tables, default_setup(LONGEST_GAME)) == 1
        await tables.change(1, None, _lengthen)
        await store.close()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bot.host.tables.secrets.token_bytes", random.Random(1).randbytes)
        asyncio.run(play())
    return path


async def _measure_hold(call: Callable[[], Coroutine[Any, Any, None]]) -> float:
    with measure_longest_hold() as longest:
        await asyncio.create_task(call())
    return longest[0]


async def measure_holds(
    long_game_path: Path, copy_path: Path, repeat_count: int, names: Collection[str] = ()
) -> dict[str, list[float]]:
    """Return the longest hold of the loop's thread, in seconds, for each call and repeat.

    ``copy_path``: where the database may be copied to.  ``names``: of the calls that are wanted, if not all.
    """
    store = await open_store(Path(shutil.copy(long_game_path, copy_path)))
    try:
        calls = LongGameCalls(Tables(store, GAMES), 1)
        exempt_loaded_objects_from_gc()
        all_calls = (
            calls.load,
            calls.move,
            calls.send_board,
            calls.send_turn_after_load,
            calls.show_log,
            calls.show_log_after_load,
            calls.show_recent_after_load,
            calls.show_turns_after_load,
            calls.show_hand,
            calls.open_panel,
            calls.undo,
            calls.make_match_file,
            calls.replay_all,
        )
        wanted = [call for call in all_calls if not names or call.__name__ in names]
        holds: dict[str, list[float]] = {call.__name__: [] for call in wanted}
        for _ in range(repeat_count):
            for call in wanted:
                seconds = holds[call.__name__]
                if seconds and median(seconds) <= MAX_CALLBACK_SECONDS and not IS_SOAK:
                    continue
                seconds.append(await _measure_hold(call))
        if not names:
            holds[calls.roll_back.__name__] = [await _measure_hold(calls.roll_back)]
        return holds
    finally:
        gc.unfreeze()
        await store.close()


def find_long_holds(holds: dict[str, list[float]]) -> dict[str, list[float]]:
    """Return the calls that usually hold the loop too long: one pause may be another test's garbage."""
    for name, seconds in holds.items():
        print(f"{name:22} median {median(seconds) * 1000:5.1f} ms, most {max(seconds) * 1000:5.1f} ms")
    return {name: seconds for name, seconds in holds.items() if median(seconds) > MAX_CALLBACK_SECONDS}


async def test_no_call_holds_the_loop(long_game_path: Path, database_path: Path) -> None:
    """In a game of 2,000 records no callback takes long of the loop thread's processor time."""
    assert find_long_holds(await measure_holds(long_game_path, database_path, REPEAT_COUNT)) == {}


async def test_a_call_that_holds_the_loop_is_caught(
    long_game_path: Path, database_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sensitivity: with logs and earlier positions made on the loop, these are found."""
    for limit in ("LONG_GAME_RECORDS", "MAX_REPLAY_ON_LOOP"):
        monkeypatch.setattr(f"bot.host.game_workers.{limit}", 10 * RECORD_COUNT)
    names = {"show_log", "send_turn_after_load"}
    assert set(find_long_holds(await measure_holds(long_game_path, database_path, 1, names))) == names


async def test_a_story_after_load_replays_few_records(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a short game it is made on the loop: loading keeps the position at which it begins."""
    tables, applied_actions = Tables(store, GAMES), list[object]()
    number = await begin(tables, default_setup(LONGEST_GAME, 2))
    rng = random.Random(5)
    while (await tables.get(number)).row.ply < LONG_GAME_RECORDS - 20:
        await make_move(tables, number, rng)
    tables._cache.clear()
    table = await tables.get(number)
    assert table.match is not None
    assert table.to_act is not None
    apply_action = LONGEST_GAME.apply_action

    def count_action(state: Any, action: Any) -> Any:
        applied_actions.append(action)
        return apply_action(state, action)

    counting_match = replace(table.match, game=replace(LONGEST_GAME, apply_action=count_action))
    lines = await log_lines_since_last_turn(replace(table, match=counting_match), table.to_act)
    assert lines
    assert len(applied_actions) < MAX_REPLAY_ON_LOOP < table.row.ply


async def test_work_on_many_undone_records_runs_in_a_thread(store: SqliteStore) -> None:
    """Work on a game of many records, most undone, runs in a thread too: a match file has them all."""
    tables = Tables(store, GAMES)
    number = await begin(tables, default_setup(LONGEST_GAME, 2))
    await tables.change(number, None, _undo_often)
    table = await tables.get(number)
    assert table.match is not None
    assert table.match.ply >= RECORD_COUNT_WITH_UNDOS
    assert len(table.match.history) < LONG_GAME_RECORDS
    assert await run_game_work(table, threading.get_ident) != threading.get_ident()


async def test_endless_work_freezes_its_game(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision about a long game that does not end freezes that game; the loop and other games go on."""
    monkeypatch.setattr("bot.host.game_workers.LONG_GAME_RECORDS", 0)
    tables, ended = Tables(store, GAMES), threading.Event()
    number, other_number = (
        await begin(tables, default_setup(LONGEST_GAME, 2)),
        await begin(tables, default_setup(LONGEST_GAME, 2)),
    )

    def wait_for_end(_: Table) -> None:
        ended.wait()

    try:
        with monkeypatch.context() as patched:
            patched.setattr("bot.host.game_workers.WORKER_TIMEOUT", 0.2)
            with pytest.raises(GameFault):
                await tables.change(number, None, wait_for_end)
        assert (await tables.get(number)).status is Status.FROZEN
        await make_move(tables, other_number, random.Random(1))
    finally:
        ended.set()
