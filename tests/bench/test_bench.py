"""The parts of the benchmarks that can be wrong in silence: stored games, times, quantiles, arguments."""

import asyncio
import math
import random
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from bot.host.housekeeping import RETENTION
from bot.host.loading import make_replay_check, unpack
from bot.local.client_input import ClientRefusal
from bot.local.interactions import Interactions
from bot.local.members import Member
from bot.local.model import Channel, ChannelType, Message, User, WorldEvent
from bot.local.world import World
from bot.store.inspection import all_tables, count_rows, inspect_database
from bot.store.pruning import prune
from bot.store.rows import PruneProgress, Status
from bot.store.tables import load_table
from rules.catalogue import GAMES
from tests.bench import stored_games
from tests.bench.__main__ import parse_arguments
from tests.bench.growth import (
    DATABASE_SIZE,
    MEASURES,
    PLAYED_TABLE_COUNT,
    START,
    STOP,
    Figures,
    GrowthSettings,
    growth_lines,
)
from tests.bench.live_tables import games_in_middle
from tests.bench.load import LoadFigures, LoadSettings, report_lines
from tests.bench.measurements import quantiles_ms
from tests.bench.people import People, PressFigures
from tests.bench.processor_meter import ProcessorMeter, part_of_thread
from tests.bench.stored_games import game_templates, make_database
from tests.bench.tables import BenchTable, MessageReader
from tests.bot.database_file import open_database_file

_REPOSITORY = Path(__file__).parents[2]
STORED_COUNT = 60
NOW = 1_800_000_000.0


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A database of many stored games, copied from one game of each kind."""
    path = tmp_path_factory.mktemp("stored") / "bench.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored_games, "TEMPLATES_PER_GAME", 1)
        game_templates.cache_clear()
        make_database(path, STORED_COUNT, now=NOW)
        game_templates.cache_clear()
    with open_database_file(path) as connection:
        yield connection


@pytest.mark.soak_only
def test_stored_games_pass_the_inspection_and_load(database: sqlite3.Connection) -> None:
    """Each is of a registered game and stands where a game can stand; most of them are over."""
    assert inspect_database(database, make_replay_check(GAMES)).faults == ()
    statuses: dict[Status, int] = {}
    games: set[str] = set()
    for number in all_tables(database):
        stored = load_table(database, number)
        assert stored is not None
        table = unpack(stored, GAMES)
        if table.match is not None:
            assert table.match.is_over is (table.status is Status.OVER)
            assert table.match.snapshot() == stored.row.snapshot
            assert table.row.holders == table.with_holders().row.holders != ()
        assert stored.row.to_act == table.to_act
        statuses[table.status] = statuses.get(table.status, 0) + 1
        games.add(table.game.key)
    assert sum(statuses.values()) == STORED_COUNT
    assert games == set(GAMES)
    assert statuses[Status.OVER] > STORED_COUNT / 2
    assert statuses[Status.PLAYING] > 1


def test_stored_games_are_as_the_pruning_leaves_them(database: sqlite3.Connection) -> None:
    """Nothing is left to prune, and what is recent is there."""
    row_counts = count_rows(database)
    assert prune(database, int(NOW) - RETENTION, PruneProgress(), 1_000_000) is None
    assert count_rows(database) == row_counts
    assert row_counts["inbox"] > STORED_COUNT
    ((oldest, newest),) = database.execute("select min(at), max(at) from records")
    assert NOW - 731 * 86_400 < oldest < NOW - 600 * 86_400
    assert NOW - 10 * 86_400 < newest <= NOW


def test_every_registered_game_is_stored(database: sqlite3.Connection) -> None:
    """A new one is among the stored games without being named in the benchmarks."""
    assert {key for (key,) in database.execute("select distinct game from matches")} == set(GAMES)


def test_every_registered_game_is_played() -> None:
    """A new one is among the tables of both benchmarks without being named there."""
    assert sorted(template.game.key for template, _ in games_in_middle(len(GAMES))) == sorted(GAMES)
    assert min(LoadSettings().table_count, PLAYED_TABLE_COUNT) >= len(GAMES)


def test_quantiles_are_times_that_were_measured() -> None:
    """The p95 of a hundred times is the 95th."""
    hundred_times = [number / 1e3 for number in range(100, 0, -1)]
    assert quantiles_ms(hundred_times) == pytest.approx((50, 95, 99, 100))
    assert quantiles_ms([0.007]) == pytest.approx((7, 7, 7, 7))
    assert quantiles_ms([]) == ()


def test_each_argument_of_the_load_can_be_given() -> None:
    """They have defaults, and each can be given."""
    defaults = parse_arguments(["load"])
    assert (defaults.tables, defaults.rate, defaults.seconds, defaults.stored) == (50, 20.0, 60.0, 100)
    changed = parse_arguments(["load", "--tables", "3", "--rate", "0.5", "--seconds", "9", "--stored", "7"])
    assert (changed.tables, changed.rate, changed.seconds, changed.stored) == (3, 0.5, 9.0, 7)
    assert parse_arguments(["load", "--minutes", "30"]).minutes == 30
    with pytest.raises(SystemExit):
        parse_arguments(["load", "--minutes", "30", "--seconds", "9"])


def test_a_long_run_prints_the_memory_of_each_minute() -> None:
    """After the memory at the start; a short run has no such line."""
    figures = LoadFigures(
        PressFigures(), memory_samples=[70.0, 80.0, 81.0, 82.4], reference_ms=[1.0], seconds=120.0
    )
    assert "memory after each minute, MiB: 81 82" in report_lines(LoadSettings(seconds=120), figures)
    figures.memory_samples.pop()
    assert not any("minute" in line for line in report_lines(LoadSettings(seconds=30), figures))


def test_the_load_prints_all_that_it_measures() -> None:
    """Another value of any figure gives other lines."""
    presses = PressFigures(
        [0.1], [0.2], select_count=3, failures=["late"], skipped_move_count=4, ended_game_count=5
    )
    figures = LoadFigures(
        presses, [0.3], [0.4], [0.5], 0.6, {"drawing": 0.7}, {"driver": 0.8}, Counter(edits=9), 10, 11, 12,
        1.3, [70.0, 80.0, 90.0], 14.0, [15.0, 16.0], 1.0, 17.0,
    )  # fmt: skip
    lines = report_lines(LoadSettings(), figures)
    not_printed = set()
    for part in (figures, presses):
        for field in fields(part):
            value = getattr(part, field.name)
            if not isinstance(value, PressFigures):
                setattr(part, field.name, _other_value(value))
                if report_lines(LoadSettings(), figures) == lines:
                    not_printed.add(field.name)
                setattr(part, field.name, value)
    assert not_printed == {"picture_count"}, "which the pictures that were sent include"
    for index in range(3):
        memory_samples = [90.0] * 3
        lines_before = report_lines(LoadSettings(), replace(figures, memory_samples=memory_samples))
        memory_samples[index] = 60.0
        changed_figures = replace(figures, memory_samples=memory_samples)
        assert report_lines(LoadSettings(), changed_figures) != lines_before, index


def _other_value(value: Any) -> Any:
    """Return another value of the same type."""
    if isinstance(value, dict):
        return type(value)({key: 2 * each for key, each in value.items()})
    if isinstance(value, list):
        return [2 * each for each in value]
    return 2 * value + 1


def test_the_growth_prints_each_measure() -> None:
    """Each has a line with what was measured at each size, as ``docs/performance.md`` shows it."""
    first = {measure: float(number) for number, measure in enumerate(MEASURES, 1)}
    larger = {measure: 3 * value for measure, value in first.items()}
    lines = growth_lines(GrowthSettings(sizes=(10, 99)), {99: [(first, larger)]})
    printed = {line[:42].strip(): line[42:].split() for line in lines[1:]}
    blocks = (_REPOSITORY / "docs" / "performance.md").read_text(encoding="utf-8").split("```")
    tables = [block for block in blocks if f"\n{DATABASE_SIZE} " in block]
    assert tables
    for table in tables:
        assert list(printed) == [line[:42].strip() for line in table.splitlines()[3:]]
    assert all(
        printed[measure] == [f"{first[measure]:g}", f"{larger[measure]:g}", "(", "3", "x)"]
        for measure in MEASURES
    )


async def test_a_table_where_nobody_acts_any_more_ends_no_run() -> None:
    """The move is counted as failed, and the table is free again; also if it comes about between presses."""
    world = World()
    member = Member(world, Interactions(world, lambda _: None), User(5, "Ava"))
    table = BenchTable(1, {5: member}, board=_message(THREAD, 10, "log"), is_busy=True)
    people = People(world, [table], random.Random(1), MessageReader(world, [table]))
    await people.make_move(table)
    assert people.figures.failures == ["ClientRefusal Nobody is asked to act any more."]
    assert not table.is_busy
    with pytest.raises(ClientRefusal):
        people._next_press(table)


class _Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def spend(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    """The clock that meters read during a test, instead of the thread's."""
    clock = _Clock()
    monkeypatch.setattr(time, "thread_time", lambda: clock.now)
    monkeypatch.setattr(time, "clock_gettime", lambda _: clock.now)
    return clock


def test_processor_time_is_charged_once(clock: _Clock) -> None:
    """What an inner part spends is not the outer one's; what is outside both belongs to the thread."""
    meter = ProcessorMeter()
    inner = meter.wrap("inner", lambda: clock.spend(2.0))

    def work() -> None:
        clock.spend(1.0)
        inner()
        clock.spend(4.0)

    meter.wrap("outer", work)()
    clock.spend(8.0)
    spent = meter.seconds_by_part()
    assert (spent["inner"], spent["outer"]) == (2.0, 5.0)
    assert spent["loop"] == 8.0


async def test_waiting_is_not_charged(clock: _Clock) -> None:
    """What others do while a coroutine waits is theirs; what it raises and returns passes through."""
    meter, waited = ProcessorMeter(), asyncio.Event()

    async def work() -> str:
        clock.spend(1.0)
        try:
            await waited.wait()
            await asyncio.wait_for(asyncio.Event().wait(), 0.0)
        except TimeoutError:
            clock.spend(2.0)
        return "done"

    task = asyncio.create_task(meter.wrap("part", work)())
    await asyncio.sleep(0)
    clock.spend(16.0)
    waited.set()
    assert await task == "done"
    assert meter.seconds_by_part()["part"] == 3.0


def test_threads_are_told_apart_by_their_names() -> None:
    """The numbers of threads do not matter, and an unknown one has a part of its own."""
    assert part_of_thread("MainThread") == "loop"
    assert part_of_thread("Thread-7 (_connection_worker_thread)") == "store"
    assert part_of_thread("worker_3") == part_of_thread("worker_12") == "other work in threads"
    assert part_of_thread("helper_0") == "thread helper"


def test_a_board_picture_charges_drawing_scenes_words_and_rules() -> None:
    """The functions that the bot calls are wrapped: each part has its time, and the picture is counted."""
    script = """
from render.caption import Caption
from bot.chat import pictures
from bot.host import game_calls
from render.picture import PictureContext
from rules.catalogue import GAMES
from rules.match import Match
from tests.bench.processor_meter import ProcessorMeter
from tests.bench.metered_bot import wrap_parts
from tests.bench.metered_drawing import wrap_drawing
from tests.bot.chat.sample_tables import make_table
from tests.conformance.setups import GameSetup
import asyncio
meter = ProcessorMeter()
wrap_drawing(meter)
wrap_parts(meter)
game = next(iter(GAMES.values()))
match = Match.begin(game, 2, game.options_type(), bytes(32))
match = match.play(match.to_act, match.legal_actions(match.to_act)[0])
table = make_table(GameSetup(game, 2, game.options_type()), match)
asyncio.run(pictures.draw_board_picture(table))
spent = meter.seconds_by_part()
assert meter.counts["drawing"] == 1, meter.counts
assert min(spent[part] for part in ("drawing", "scenes", "words", "rules")) > 0, spent
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=_REPOSITORY)


def _message(channel: Channel, ply: int, verb: str = "play") -> Message:
    """A message with one button of table 7."""
    button = {"type": 2, "custom_id": f"c1:7:{ply}:{verb}:", "label": verb.capitalize(), "id": 1}
    author = User(1, "bot", bot=True)
    return Message(ply, channel, author, 0.0, "<@5>", components=[{"type": 1, "components": [button]}])


@pytest.fixture
def press_clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    """The clock by which moves are timed during a test, instead of ``time.perf_counter``."""
    clock = _Clock()
    monkeypatch.setattr(time, "perf_counter", lambda: clock.now)
    return clock


@pytest.fixture
def table() -> BenchTable:
    """Table 7, of which nothing has been seen."""
    return BenchTable(7, {})


@pytest.fixture
def read_message(table: BenchTable) -> Callable[[Message], None]:
    """Lets the people of table 7 read a message."""
    reader = MessageReader(World(), (table,))
    return lambda message: reader.read(WorldEvent("MESSAGE_CREATE", message=message))


THREAD = Channel(1, ChannelType.PUBLIC_THREAD, "No. 7", 0.0)
DIRECT = Channel(2, ChannelType.DM, "", 0.0, recipient=User(5, "Ava"))


def test_a_board_shows_all_moves_before_it(
    table: BenchTable, read_message: Callable[[Message], None], press_clock: _Clock
) -> None:
    """One board may show several moves; a move counts from its press to the first board that shows it."""
    read_message(_message(THREAD, 10))
    assert (table.ply, table.user_to_act, table.unseen_move_count) == (10, 5, 0)
    for pressed_at, ply in ((1.0, 10), (2.0, 12), (3.0, 13)):
        press_clock.now = pressed_at
        table.start_move_timer(ply)
    press_clock.now = 5.0
    read_message(_message(THREAD, 13))
    assert (table.board_times, table.unseen_move_count) == ([4.0, 3.0], 1)
    press_clock.now = 6.0
    read_message(_message(THREAD, 13))
    read_message(_message(THREAD, 14))
    assert (table.board_times, table.unseen_move_count) == ([4.0, 3.0, 3.0], 0)
    table.start_move_timer(14)
    press_clock.now = 8.0
    read_message(_message(THREAD, 15, "again"))
    assert table.is_over
    assert (table.board_times, table.unseen_move_count) == ([4.0, 3.0, 3.0, 2.0], 0)


def test_a_hand_counts_from_the_newest_move_that_it_shows(
    table: BenchTable, read_message: Callable[[Message], None], press_clock: _Clock
) -> None:
    """A hand that shows no new move, or that has lost its buttons, does not count."""
    read_message(_message(DIRECT, 10))
    for pressed_at, ply in ((1.0, 10), (2.0, 12)):
        press_clock.now = pressed_at
        table.start_move_timer(ply)
    press_clock.now = 4.0
    read_message(_message(DIRECT, 14))
    read_message(_message(DIRECT, 14))
    without_buttons = _message(DIRECT, 15)
    without_buttons.components = []
    read_message(without_buttons)
    assert table.hand_times == [2.0]


def test_growth_is_the_median_of_the_ratios_in_pairs() -> None:
    """Not the ratio of the medians; what took too long, or was not measured, says so."""
    settings = GrowthSettings(sizes=(10, 99))
    slow: Figures = {START: math.inf, DATABASE_SIZE: 4.0}
    pairs: list[tuple[Figures, Figures]] = [
        ({START: 1.0, DATABASE_SIZE: 1.0}, {START: 2.0, DATABASE_SIZE: 4.0}),
        ({START: 5.0, DATABASE_SIZE: 1.0}, {START: 5.0, DATABASE_SIZE: 4.0}),
        ({START: 2.0, DATABASE_SIZE: 1.0}, slow),
    ]
    lines = {line[:42].strip(): line[42:].split() for line in growth_lines(settings, {99: pairs})}
    assert lines[""] == ["10", "99"]
    assert lines[START] == ["2", "5", "(", "2", "x)"]
    assert lines[DATABASE_SIZE] == ["1", "4", "(", "4", "x)"]
    assert lines[STOP] == ["-"]
    worst = {line[:42].strip(): line[42:] for line in growth_lines(settings, {99: [(pairs[0][0], slow)]})}
    assert worst[START].split() == ["1", "too", "long"]


def test_the_growth_measures_the_sizes_of_the_targets() -> None:
    """The sizes that are measured by default are those of the targets."""
    assert tuple(parse_arguments(["grow"]).sizes) == (100, 1_000, 10_000, 50_000)
    assert parse_arguments(["grow", "--sizes", "5", "50", "--limit", "7"]).sizes == [5, 50]
