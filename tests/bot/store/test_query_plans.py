"""No statement that the host asks of the store looks through all that was ever stored."""

import asyncio
import inspect
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final, cast

import pytest

from bot.store import connection as connection_module
from bot.store import inspection
from bot.store.delivery_rows import DeliveryKind, NewDelivery, PendingPost, PostedMessage, Slot
from bot.store.inspection import inspect_database
from bot.store.migrations import released_migrations
from bot.store.personal_data import ErasedPerson
from bot.store.preferences import PersonRow, ServerAuditEntry, ServerRow
from bot.store.protocol import Store
from bot.store.question_rows import Question, QuestionKind
from bot.store.results import NewResult, Participation, ResultPlayer
from bot.store.rows import PruneProgress, Status
from bot.store.seat_rows import SeatRow
from bot.store.sqlite import SqliteStore, open_store
from tests.bot.database_file import open_database_file
from tests.bot.store.sample_rows import LOBBY_ROW, make_change, make_record, next_version, opening_change

BIG_SQL_TABLES: Final = (
    "matches",
    "seats",
    "records",
    "inbox",
    "outbox",
    "posted_messages",
    "audit_log",
    "server_audit_log",
    "people",
    "results",
    "result_players",
)
"""The tables that grow with every game or person."""
_SCAN_PATTERN_TEMPLATE: Final = rf"SCAN ({'|'.join(BIG_SQL_TABLES)})\b(?! USING (?:COVERING )?INDEX (?:{{}}))"
_WAITING_INDEX: Final = "outbox_waiting"
"""An index of what waits only, which is little.  A statement names it, and fails without it."""
_STATUS_INDEX: Final = "matches_by_status"
"""Where every table is counted, in an index of nothing but statuses: 2 ms at 20,000."""
_CALLS_ABOUT_ALL: Final = {
    "count_by_status",
    "prune",  # at most so many rows at a time
    "servers_of_tables_with_timers",
    "tables_in_play",
    "tables_waiting_for_computers",
}
"""The calls that a start, a watchdog or a clean-up makes about all tables, most of them about live ones."""

INDEXES: Final = sorted(
    name for each in released_migrations() for name in re.findall(r"create index (\w+)", each.sql)
)
"""The schema's indexes, but for those that keep values unique."""

BOARD_DELIVERY = NewDelivery(Slot(DeliveryKind.BOARD))
NOTICE_DELIVERY = NewDelivery(Slot(DeliveryKind.NOTICE), "Ava paused the game.")


def find_scans(connection: sqlite3.Connection, statement: str, *allowed: str) -> list[str]:
    """Return the steps of a statement's plan that look through a whole big table, but for some indexes."""
    pattern = re.compile(_SCAN_PATTERN_TEMPLATE.replace("{}", "|".join(allowed) or "none"))
    plan = connection.execute(f"explain query plan {statement}")
    return [step for *_, step in plan if pattern.search(step)]


def explainable(statements: Iterable[str]) -> set[str]:
    """Return the statements that have a plan, of those that a trace has recorded."""
    return {each for each in statements if each.split()[0] not in {"begin", "commit", "--"}}


async def call_everything(store: SqliteStore) -> set[str]:
    """Call everything that the host may ask of a store; returns the names of what was called."""
    called: set[str] = set()

    class CallRecorder:
        def __getattr__(self, name: str) -> object:
            called.add(name)
            return getattr(store, name)

    recorder: Store = CallRecorder()  # type: ignore[assignment]
    await recorder.commit(opening_change(await recorder.next_table_number(), BOARD_DELIVERY, NOTICE_DELIVERY))
    table = next_version(
        LOBBY_ROW, status=Status.PLAYING, ply=1, question=Question(QuestionKind.UNDO, 0, (1,), 1, 100)
    )
    whole_change = make_change(
        table,
        7,
        records=(make_record(1),),
        deliveries=(BOARD_DELIVERY, NOTICE_DELIVERY),
        audit_entry="Ava paused it.",
        user=100,
        awaits_answer=True,
        result=NewResult((ResultPlayer(0, Participation.PLAYED, "Ava", 1, user=100),)),
        answered_interactions=(6,),
    )
    await recorder.commit(whole_change)
    await recorder.commit(whole_change)
    await recorder.find_answer(7)
    await recorder.unconfirmed_answers()
    await recorder.mark_answered((7,))
    await recorder.load(1)
    await recorder.tables_waiting_for_computers()
    await recorder.tables_in_play()
    await recorder.servers_of_tables_with_timers()
    await recorder.servers_with_frozen_tables()
    await recorder.set_bot_last_seen(5)
    await recorder.live_tables_of_user(100)
    await recorder.live_tables_hosted_without_seat(100, 7)
    await recorder.tables_of_user_ended_early(100, 5, 3)
    await recorder.live_tables_in_server(7)
    await recorder.tables_in_channel(50)
    await recorder.is_channel_busy(50)
    await recorder.tables_with_deliveries()
    first, second, third = await recorder.waiting_deliveries(1)
    await recorder.set_pending_post(third, PendingPost(50, 2.0))
    await recorder.postpone(first, 5.0, "blocked")
    await recorder.make_deliveries_due(1)
    await recorder.backlog(10.0)
    await recorder.mark_delivered(third, 1, PostedMessage(BOARD_DELIVERY.slot, 50, 900, 1, 2.5))
    await recorder.mark_delivered(first, 1, None)
    await recorder.mark_failed(second, "the channel is gone")
    await recorder.posted_messages(1)
    await recorder.messages_for_delivery(third)
    await recorder.due_tables(10_000)
    await recorder.quota_usage(100, 7)
    await recorder.count_by_status()
    await recorder.require_file()
    await recorder.results_of_game("pearls")
    await recorder.results_version("pearls")
    await recorder.results_of_user(100)
    await recorder.last_own_results_of_user(100, 10)
    await recorder.last_results_in_server(7, 3)
    await recorder.last_results_of_user(100, 5, 3)
    await recorder.numbers_of_tables_naming(100, 0, 10)
    erased = make_change(next_version(whole_change.row), erased_person=ErasedPerson(100, ("Ava",)))
    await recorder.commit(erased)
    await recorder.personal_data(100)
    await recorder.save_preferences(PersonRow(100))
    await recorder.save_preferences(ServerRow(7), ServerAuditEntry(100, "set something", 5))
    await recorder.preferences(PersonRow, (100,))
    await recorder.delete_preferences(PersonRow, 100)
    await recorder.last_server_audit_entries(7, 5)
    await recorder.set_metadata("key", "value")
    await recorder.get_metadata("key")
    await recorder.prune(10**9, PruneProgress(), 500)  # last: what it deletes would cost the others nothing
    return called


async def find_scans_by_statement(store: SqliteStore) -> dict[str, list[str]]:
    """Return the statements behind the store's protocol that look through a big table, with those steps."""
    statements: list[str] = []
    await store._connection.set_trace_callback(statements.append)
    called = await call_everything(store)
    await store._connection.set_trace_callback(None)  # type: ignore[arg-type] # typed too narrowly there
    methods = {name for name, _ in inspect.getmembers(Store, inspect.isfunction) if not name.startswith("_")}
    assert called == methods - {"close"}, "a method that is not tried"
    checked_statements = explainable(statements)
    assert len(checked_statements) > 30

    def find_in_all(connection: sqlite3.Connection) -> dict[str, list[str]]:
        return {
            each: scans
            for each in checked_statements
            if (scans := find_scans(connection, each, _WAITING_INDEX, _STATUS_INDEX))
        }

    return await store._connection.run_raw(find_in_all)


async def test_no_statement_scans_a_big_table(store: SqliteStore) -> None:
    """Every statement behind the store's protocol searches by a key or an index."""
    assert await find_scans_by_statement(store) == {}


@pytest.mark.parametrize(
    "statement",
    [
        "select count(*) from outbox where kind = 'hand'",
        "select number from matches where game = 'pearls'",
        "select match from seats where computer is not null",
    ],
)
async def test_a_scan_is_caught(store: SqliteStore, statement: str) -> None:
    """Sensitivity: the check above finds a statement that looks through a table."""
    assert await store._connection.run_raw(
        lambda connection: find_scans(connection, statement, _WAITING_INDEX, _STATUS_INDEX)
    )


async def _store_games_of_others(store: SqliteStore, numbers: range) -> None:
    """Store a game with a move for each number, most of them over, of people and servers of their own."""
    for number in numbers:
        other_id = 10_000 + number
        status = Status.PLAYING if number % 4 == 0 else Status.OVER
        seats = (SeatRow("Cleo", user=other_id),)
        opened = opening_change(
            number, status=status, game_key="other", host=other_id, guild=other_id, lobby_channel=other_id,
            game_channel=other_id, seats=seats, to_act=0, active_at=10**9, expires_at=None,
        )  # fmt: skip
        result = NewResult((ResultPlayer(0, Participation.PLAYED, "Cleo", 1, user=other_id),))
        await store.commit(opened)
        await store.commit(
            make_change(
                next_version(opened.row, ply=1),
                other_id,
                records=(make_record(1, user=other_id),),
                deliveries=(BOARD_DELIVERY,),
                audit_entry="Cleo paused it.",
                user=other_id,
                result=None if status is Status.PLAYING else result,
                answered_interactions=(other_id,),
            )
        )
        (board,) = await store.waiting_deliveries(number)
        await store.mark_delivered(board, 1, PostedMessage(BOARD_DELIVERY.slot, other_id, number, 1, 2.5))
        await store.save_preferences(PersonRow(other_id))
        await store.save_preferences(ServerRow(other_id), ServerAuditEntry(other_id, "set something", 5))


class StepCounter:
    """Counts the steps of SQLite's virtual machine in each call of a store."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._call_counts: Counter[str] = Counter()
        self.step_counts: Counter[tuple[str, int]] = Counter()
        """By the name of the call and its number among those of that name, from 1."""

    def __getattr__(self, name: str) -> Callable[..., Awaitable[object]]:
        async def call(*arguments: object) -> object:
            self._call_counts[name] += 1
            key = name, self._call_counts[name]

            def count() -> None:
                self.step_counts[key] += 1

            await self._store._connection.run_raw(
                lambda connection: connection.set_progress_handler(count, 1)
            )
            result: object = await getattr(self._store, name)(*arguments)
            await self._store._connection.run_raw(lambda connection: connection.set_progress_handler(None, 0))
            return result

        return call


OTHER_GAME_COUNTS: Final = (4, 100)
"""Games of other people: few and many."""


@pytest.fixture(scope="module")
def filled_databases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ...]:
    """Return databases with few and with many games of other people, to be copied."""

    async def fill(path: Path, game_count: int) -> Path:
        store = await open_store(path)
        try:
            await _store_games_of_others(store, range(1 - game_count, 1))
        finally:
            await store.close()
        return path

    folder = tmp_path_factory.mktemp("filled")
    return tuple(
        asyncio.run(fill(folder / f"{game_count}.db", game_count)) for game_count in OTHER_GAME_COUNTS
    )


async def find_growing_calls(databases: tuple[Path, ...], folder: Path, missing_index: str = "") -> set[str]:
    """Return the calls whose work grows with the games of other people, if the schema lacked an index."""
    step_counts: list[Counter[tuple[str, int]]] = []
    for database in databases:
        store = await open_store(Path(shutil.copy(database, folder)))
        try:
            if missing_index:
                await store._connection.run_raw(
                    lambda connection: connection.execute(f"drop index {missing_index}").close()
                )
            counter = StepCounter(store)
            await call_everything(cast("SqliteStore", counter))
        finally:
            await store.close()
        step_counts.append(counter.step_counts)
    few_games, many_games = step_counts
    return {name for name, nth in many_games if many_games[name, nth] > 1.2 * few_games[name, nth]}


async def test_no_call_takes_more_steps_beside_more_games(
    filled_databases: tuple[Path, ...], tmp_path: Path
) -> None:
    """The work of a call does not grow with the games of other people, unless it asks about all games."""
    assert await find_growing_calls(filled_databases, tmp_path) == _CALLS_ABOUT_ALL


@pytest.mark.parametrize("index", [each for each in INDEXES if each != _WAITING_INDEX])
async def test_a_missing_index_is_caught(
    filled_databases: tuple[Path, ...], tmp_path: Path, index: str
) -> None:
    """Sensitivity: the check above fails where any one of the schema's indexes is missing."""
    assert await find_growing_calls(filled_databases, tmp_path, index) != _CALLS_ABOUT_ALL


async def test_opening_looks_through_no_games(
    filled_databases: tuple[Path, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes as many steps beside many games as beside few, and scans no big table."""
    steps: list[None] = []
    statements: list[str] = []

    def connect(path: Path) -> sqlite3.Connection:
        connection = sqlite3.connect(path, isolation_level=None)
        connection.set_progress_handler(partial(steps.append, None), 1)
        connection.set_trace_callback(statements.append)
        return connection

    monkeypatch.setattr(connection_module, "_connect", connect)
    step_counts: list[int] = []
    for database in filled_databases:
        steps.clear()
        await (await open_store(Path(shutil.copy(database, tmp_path)))).close()
        step_counts.append(len(steps))
    assert min(step_counts) == max(step_counts) > 100
    with open_database_file(filled_databases[0]) as connection:
        assert [scan for each in explainable(statements) for scan in find_scans(connection, each)] == []


async def test_the_messages_for_a_delivery_are_found_by_their_slots(store: SqliteStore) -> None:
    """Each by its slot; the turn that the board's message has become is searched among the table's turns."""
    turn_delivery = NewDelivery(Slot(DeliveryKind.TURN, subject_id=4))
    await store.commit(opening_change(1, BOARD_DELIVERY, turn_delivery))
    board, turn = await store.waiting_deliveries(1)
    await store.mark_delivered(board, 1, PostedMessage(BOARD_DELIVERY.slot, 50, 900, 1, 2.5))
    statements: list[str] = []
    await store._connection.set_trace_callback(statements.append)
    await store.messages_for_delivery(turn)
    await store._connection.set_trace_callback(None)  # type: ignore[arg-type] # typed too narrowly there

    def find_steps(connection: sqlite3.Connection) -> list[str]:
        return [step for each in statements for *_, step in connection.execute(f"explain query plan {each}")]

    search = "SEARCH posted_messages USING INDEX posted_messages_by_slot (match=? AND kind=?"
    steps = Counter(await store._connection.run_raw(find_steps))
    assert steps == {f"{search} AND <expr>=? AND <expr>=?)": 3, f"{search})": 1}


async def test_an_export_looks_through_all_games_once(store: SqliteStore) -> None:
    """No move is stored meanwhile: all but the search for the games of a person goes by their numbers."""
    await store.commit(opening_change())
    statements: list[str] = []
    await store._connection.set_trace_callback(statements.append)
    await store.personal_data(LOBBY_ROW.host)
    await store._connection.set_trace_callback(None)  # type: ignore[arg-type] # typed too narrowly there

    def find_walks(connection: sqlite3.Connection) -> list[str]:
        plans = [connection.execute(f"explain query plan {each}").fetchall() for each in statements]
        return [step for plan in plans for *_, step in plan if re.match(r"SCAN matches|SEARCH .*[<>]", step)]

    assert len(await store._connection.run_raw(find_walks)) == 1


async def test_the_inspection_is_not_quadratic(store: SqliteStore) -> None:
    """The inspection goes through each table once: what it asks for each row has an index."""

    def find_nested_scans(connection: sqlite3.Connection) -> list[str]:
        scans: list[str] = []
        for statement in inspection.DISAGREEMENT_QUERIES.values():
            nested: set[int] = set()
            for number, parent, _, step in connection.execute(f"explain query plan {statement}"):
                if "CORRELATED" in step or parent in nested:
                    nested.add(number)
                    # "SEARCH table" without more goes through all rows for a maximum
                    scans += [step] if re.match(r"SCAN|SEARCH \w+$", step) else []
        return scans

    assert await store._connection.run_raw(find_nested_scans) == []


async def test_no_game_costs_an_inspection_more_beside_more_games(
    filled_databases: tuple[Path, ...], tmp_path: Path
) -> None:
    """An inspection, of a backup or by ``doctor``, takes steps in proportion to the games."""
    await (await open_store(tmp_path / "empty.db")).close()

    def count_steps(database: Path) -> int:
        steps: list[None] = []
        with open_database_file(database) as connection:
            connection.set_progress_handler(partial(steps.append, None), 1)
            assert inspect_database(connection, lambda _: None).faults == ()
        return len(steps)

    step_count_without_games = count_steps(tmp_path / "empty.db")
    few_games_steps, many_games_steps = (
        (count_steps(database) - step_count_without_games) / game_count
        for database, game_count in zip(filled_databases, OTHER_GAME_COUNTS, strict=True)
    )
    assert 0 < many_games_steps <= 1.2 * few_games_steps
