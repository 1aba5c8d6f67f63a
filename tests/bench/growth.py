"""What the bot costs beside 100, 1,000, 10,000 and 50,000 stored games: start, memory, answers, copies.

Each size is measured in interleaved pairs with the smallest one, and printed with its ratio to it: the
median over the pairs.  In a run a few tables are played slowly; then ``/mygames`` is asked for by somebody
with 200 tables, a backup becomes due while moves go on, and the bot is stopped.  Once for each size come
``doctor`` and the first start of a release, which replays the games that go on.
"""

import asyncio
import math
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.config import DATABASE_VARIABLE, TOKEN_VARIABLE
from bot.host.backup_scheduler import BACKUP_INTERVAL
from bot.host.replay_queue import REPLAYED_FINGERPRINT_KEY
from bot.local.members import Member
from bot.local.server import LocalDiscord
from bot.store.backup_folder import PARTIAL_SUFFIX
from tests.bench.bot_program import UNMETERED_VARIABLE
from tests.bench.live_tables import add_member, make_live_tables, write_live_tables
from tests.bench.load import wait_for_boards
from tests.bench.measurements import Reporter, environment_line
from tests.bench.people import REQUEST_ERRORS, People
from tests.bench.running_bot import RunningBot, running_bot
from tests.bench.stored_games import add_backup, make_database
from tests.bench.tables import BenchTable, MessageReader
from tests.bot.database_file import open_database_file

PLAYED_TABLE_COUNT: Final = 15
"""Tables that are played."""
OWN_TABLE_COUNT: Final = 200
"""Tables of the person who asks for ``/mygames``."""
WARM_UP_SECONDS: Final = 4.0
_HANDS_SECONDS: Final = 3.0
"""How long the hands may take after the boards."""
_UNMETERED_SETTINGS: Final = {UNMETERED_VARIABLE: "1"}
_BACKUP_AFTER_SECONDS: Final = 30.0
"""From the preparation of a run until a backup is due, besides the seconds in which moves are measured."""
_POLL_SECONDS: Final = 0.02
_BEFORE_BACKUP_SECONDS: Final = 4.0
"""Seconds of moves and suggestions before the backup."""
_LAST_MOVES_SECONDS: Final = 1.0
"""Seconds of moves after the backup, so that the stop has something to save."""

START: Final = "start, s"
START_PROCESSOR: Final = "start, s of processor time"
FIRST_START: Final = "first start of a release, s"
FIRST_ANSWER: Final = "/board right after it, ms"
MEMORY: Final = "memory after the start, MiB"
MEMORY_LATER: Final = "memory at the end, MiB"
ANSWER: Final = "press to answer, median, ms"
ANSWER_P95: Final = "press to answer, p95, ms"
MOVE: Final = "press that plays to answer, median, ms"
BOARD: Final = "press that plays to board, median, ms"
PROCESSOR: Final = "processor time a move, ms"
MY_GAMES_COLD: Final = f"/mygames at {OWN_TABLE_COUNT} tables, first, ms"
MY_GAMES: Final = f"/mygames at {OWN_TABLE_COUNT} tables, again, ms"
BACKUP: Final = "backup beside moves, s"
ANSWER_DURING_BACKUP: Final = "longest answer beside the backup, ms"
SUGGESTION: Final = "longest suggestion before the backup, ms"
SUGGESTION_DURING_BACKUP: Final = "longest suggestion beside the backup, ms"
STOP: Final = "SIGTERM to the end, s"
DOCTOR: Final = "doctor, s"
DOCTOR_PROCESSOR: Final = "doctor, s of processor time"
DATABASE_SIZE: Final = "database, MiB"
MEASURES: Final = (
    DATABASE_SIZE,
    START,
    START_PROCESSOR,
    FIRST_START,
    FIRST_ANSWER,
    MEMORY,
    MEMORY_LATER,
    ANSWER,
    ANSWER_P95,
    MOVE,
    BOARD,
    PROCESSOR,
    MY_GAMES_COLD,
    MY_GAMES,
    BACKUP,
    ANSWER_DURING_BACKUP,
    SUGGESTION,
    SUGGESTION_DURING_BACKUP,
    STOP,
    DOCTOR,
    DOCTOR_PROCESSOR,
)
"""What is measured, in the order in which it is printed."""

Figures = Mapping[str, float]
"""By measure; infinite: it took too long."""


@dataclass(frozen=True)
class GrowthSettings:
    """What is measured."""

    sizes: tuple[int, ...] = (100, 1_000, 10_000, 50_000)
    """Stored games, the fewest first."""
    repeat_count: int = 3
    """Pairs for each size."""
    rate: float = 2.0
    """Moves a second."""
    seconds: float = 12.0
    """How long moves are measured."""
    limit_seconds: float = 600.0
    """Seconds after which a backup, ``doctor`` or a first start is given up."""


async def print_growth(settings: GrowthSettings) -> None:
    """Measure every size and print the table."""
    started_at = time.perf_counter()
    print(environment_line())

    def report(line: str) -> None:
        print(f"  {time.perf_counter() - started_at:5.0f} s: {line}", flush=True)

    with tempfile.TemporaryDirectory() as directory:
        pairs_by_size = await measure_growth(settings, Path(directory), report)
    for line in growth_lines(settings, pairs_by_size):
        print(line)


async def measure_growth(
    settings: GrowthSettings, directory: Path, report: Reporter
) -> Mapping[int, list[tuple[Figures, Figures]]]:
    """Return the pairs of each size but the smallest: the figures of the smallest, and of the size."""
    originals = {}
    for size in settings.sizes:
        originals[size] = directory / f"{size}.db"
        make_database(originals[size], size)
        report(f"{size:,} games are stored: {originals[size].stat().st_size / 2**20:.0f} MiB")
    smallest, *larger_sizes = settings.sizes
    pairs_by_size = defaultdict(list)
    for size in larger_sizes or [smallest]:
        for number in range(settings.repeat_count):
            pair = []
            for each in (smallest, size):
                report(f"{each:,} games, pair {number + 1} of {settings.repeat_count} with {size:,}")
                run = _Run(
                    settings, originals[each], each, report, is_last=number + 1 == settings.repeat_count
                )
                pair.append(await run.measure())
            pairs_by_size[size].append((pair[0], pair[1]))
    return pairs_by_size


class _Run:
    """One measurement of one size, in a folder of its own."""

    def __init__(
        self, settings: GrowthSettings, original: Path, size: int, report: Reporter, *, is_last: bool
    ) -> None:
        self._settings = settings
        self._original = original
        self._size = size
        self._report = report
        self._is_last = is_last
        self._figures: dict[str, float] = {DATABASE_SIZE: original.stat().st_size / 2**20}

    async def measure(self) -> Figures:
        """Measure everything.  Raises TimeoutError if the bot does not start or shows no boards."""
        with tempfile.TemporaryDirectory(dir=self._original.parent) as directory:
            database = Path(directory) / "bench.db"
            shutil.copy(self._original, database)
            async with LocalDiscord() as server:
                await self._measure_bot(server, database)
            if self._is_last:
                self._figures[DOCTOR] = await self._time_doctor(database)
        if self._is_last:
            with tempfile.TemporaryDirectory(dir=self._original.parent) as directory:
                database = Path(directory) / "bench.db"
                shutil.copy(self._original, database)
                await self._measure_first_start(database)
        return self._figures

    async def _measure_bot(self, server: LocalDiscord, database: Path) -> None:
        settings = self._settings
        played_tables = make_live_tables(server, PLAYED_TABLE_COUNT, self._size + 1)
        asker = add_member(server, "Ava with many tables")
        own_tables = make_live_tables(
            server, OWN_TABLE_COUNT, self._size + len(played_tables) + 1, shared=asker
        )
        write_live_tables(database, played_tables, server)
        write_live_tables(database, own_tables, server, are_delivered=True)
        tables = [BenchTable.of(each) for each in played_tables]
        reader = MessageReader(server.world, tables)
        people = People(server.world, tables, random.Random(self._size), reader)
        due_after = _BACKUP_AFTER_SECONDS + settings.seconds
        backup_folder = add_backup(database, BACKUP_INTERVAL - due_after)
        due_at = time.perf_counter() + due_after
        async with running_bot(server, database, **_UNMETERED_SETTINGS) as bot:
            self._figures |= {
                START: bot.start_seconds,
                START_PROCESSOR: bot.processor_seconds(),
                MEMORY: bot.memory(),
            }
            await wait_for_boards(tables)
            await asyncio.sleep(_HANDS_SECONDS)
            await people.make_moves(settings.rate, WARM_UP_SECONDS)
            await self._measure_moves(bot, people)
            await self._measure_my_games(asker)
            await self._measure_backup(people, backup_folder, due_at)
            self._figures[MEMORY_LATER] = bot.memory()
            await people.finish_moves(WARM_UP_SECONDS)
        self._figures[STOP] = _stop_seconds(bot)
        failures = people.figures.failures
        self._report(f"{_figures_text(self._figures)}; failures: {len(failures)} {sorted(set(failures))[:3]}")

    async def _measure_moves(self, bot: RunningBot, people: People) -> None:
        figures, settings = people.figures, self._settings
        figures.answer_times.clear()
        figures.move_answer_times.clear()
        for table in people.tables:
            table.forget_move_times()
        processor_before = bot.processor_seconds()
        await people.make_moves(settings.rate, settings.seconds)
        processor_seconds = bot.processor_seconds() - processor_before
        answer_times = sorted(figures.answer_times)
        board_times = [seconds for table in people.tables for seconds in table.board_times]
        self._figures |= {
            ANSWER: statistics.median(answer_times) * 1e3,
            ANSWER_P95: answer_times[int(len(answer_times) * 0.95)] * 1e3,
            MOVE: statistics.median(figures.move_answer_times) * 1e3,
            BOARD: statistics.median(board_times) * 1e3,
            PROCESSOR: processor_seconds / len(figures.move_answer_times) * 1e3,
        }

    async def _measure_my_games(self, asker: Member) -> None:
        times = []
        for _ in range(4):
            started_at = time.perf_counter()
            try:
                outcome = await asker.command("mygames")
                await outcome.wait_until_loaded(self._settings.limit_seconds)
            except REQUEST_ERRORS as error:
                self._report(f"/mygames: {type(error).__name__} {error}")
                times.append(math.inf)
            else:
                times.append(time.perf_counter() - started_at)
        self._figures |= {MY_GAMES_COLD: times[0] * 1e3, MY_GAMES: statistics.median(times[1:]) * 1e3}

    async def _measure_backup(self, people: People, backup_folder: Path, due_at: float) -> None:
        """Wait for the backup, make moves while it is made, and a few more."""
        if due_at < time.perf_counter() + _BEFORE_BACKUP_SECONDS:
            self._report("the machine was too busy: a backup was due beside the moves, which do not count")
            for measure in (ANSWER, ANSWER_P95, MOVE, BOARD, PROCESSOR, MY_GAMES_COLD, MY_GAMES):
                self._figures.pop(measure)
            return
        await asyncio.sleep(max(0.0, due_at - _BEFORE_BACKUP_SECONDS - time.perf_counter()))
        stop, suggestion_times = asyncio.Event(), list[float]()
        moving = asyncio.gather(
            people.make_moves(self._settings.rate, self._settings.limit_seconds, stop),
            _ask_for_suggestions(people.any_person, suggestion_times, stop),
        )
        old_files = set(backup_folder.glob("*.db"))
        started_at = await self._wait_for(
            lambda: any(backup_folder.glob(f"*{PARTIAL_SUFFIX}")) or _has_new_backup(backup_folder, old_files)
        )
        self._figures[SUGGESTION] = max(suggestion_times, default=math.nan) * 1e3
        people.figures.answer_times.clear()
        suggestion_times.clear()
        ended_at = await self._wait_for(lambda: _has_new_backup(backup_folder, old_files))
        if math.isfinite(started_at):
            self._figures[BACKUP] = max(_POLL_SECONDS, ended_at - started_at)
        await asyncio.sleep(_LAST_MOVES_SECONDS)
        self._figures[ANSWER_DURING_BACKUP] = max(people.figures.answer_times, default=math.nan) * 1e3
        self._figures[SUGGESTION_DURING_BACKUP] = max(suggestion_times, default=math.nan) * 1e3
        stop.set()
        await moving

    async def _wait_for(self, condition: Callable[[], bool]) -> float:
        """Return when something has happened; infinity if it has not after the limit."""
        deadline = time.perf_counter() + self._settings.limit_seconds
        while (now := time.perf_counter()) < deadline:
            if condition():
                return now
            await asyncio.sleep(_POLL_SECONDS)
        return math.inf

    async def _time_doctor(self, database: Path) -> float:
        """Return the seconds that ``doctor`` takes; report what it finds."""
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CAPTAINS", "DISCORD", "PYTHONDONTWRITEBYTECODE"))
        }
        environment = inherited | {DATABASE_VARIABLE: str(database), TOKEN_VARIABLE: "none"}
        started_at, processor_before = time.perf_counter(), _ended_processor_seconds()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "doctor", env=environment, stdout=asyncio.subprocess.PIPE
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(), self._settings.limit_seconds)
        except TimeoutError:
            process.kill()
            await process.wait()
            self._report(f"doctor has not ended after {self._settings.limit_seconds:g} s")
            return math.inf
        seconds = time.perf_counter() - started_at
        self._figures[DOCTOR_PROCESSOR] = _ended_processor_seconds() - processor_before
        faults = [line for line in output.decode().splitlines() if not line.startswith("ok: ")]
        self._report(f"doctor: {seconds:.1f} s, faults: {faults[:3]}")
        return seconds

    async def _measure_first_start(self, database: Path) -> None:
        """Measure the first start of a release, and when somebody can see their game after it."""
        start_seconds = answer_seconds = math.inf
        async with LocalDiscord() as server:
            (live,) = make_live_tables(server, 1, self._size + 1)
            write_live_tables(database, (live,), server, are_delivered=True)
            with open_database_file(database) as connection:
                connection.execute("delete from settings where key = ?", (REPLAYED_FINGERPRINT_KEY,))
            add_backup(database)
            with suppress(*REQUEST_ERRORS):
                async with (
                    asyncio.timeout(self._settings.limit_seconds),
                    running_bot(server, database, **_UNMETERED_SETTINGS) as bot,
                ):
                    start_seconds, started_at = bot.start_seconds, time.perf_counter()
                    outcome = await live.people[0].command("board", channel=live.thread)
                    await outcome.wait_until_loaded(self._settings.limit_seconds)
                    answer_seconds = time.perf_counter() - started_at
        self._figures |= {FIRST_START: start_seconds, FIRST_ANSWER: answer_seconds * 1e3}
        self._report(f"first start of a release: {start_seconds:.1f} s, /board {answer_seconds * 1e3:.0f} ms")


async def _ask_for_suggestions(member: Member, times: list[float], stop: asyncio.Event) -> None:
    """Ask for somebody's tables again and again, and add the seconds of each answer to ``times``.

    Nothing is drawn, so they show what holds up the bot.
    """
    while not stop.is_set():
        started_at = time.perf_counter()
        with suppress(*REQUEST_ERRORS):
            await member.autocomplete("log", "table", "")
        times.append(time.perf_counter() - started_at)
        await asyncio.sleep(_POLL_SECONDS)


def _ended_processor_seconds() -> float:
    """Return the processor time of all processes that this one has started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _has_new_backup(backup_folder: Path, old_files: set[Path]) -> bool:
    return bool(set(backup_folder.glob("*.db")) - old_files)


def _stop_seconds(bot: RunningBot) -> float:
    """Return how long a stop took; infinite if the bot had to be killed."""
    return math.inf if bot.was_killed else bot.stop_seconds


def _figures_text(figures: Figures) -> str:
    return ", ".join(f"{name} {value:.1f}" for name, value in figures.items())


def growth_lines(
    settings: GrowthSettings, pairs_by_size: Mapping[int, list[tuple[Figures, Figures]]]
) -> list[str]:
    """Return the table: each measure by size, with the median of its ratios to the smallest size."""
    smallest = settings.sizes[0]
    sizes = [size for size in pairs_by_size if size != smallest]
    lines = [f"{'':42} {smallest:>10,}" + "".join(f" {size:>18,}" for size in sizes)]
    for measure in MEASURES:
        base_values = [
            pair[0][measure] for pairs in pairs_by_size.values() for pair in pairs if measure in pair[0]
        ]
        cells = []
        for size in sizes:
            pairs = [
                (base_figures[measure], size_figures[measure])
                for base_figures, size_figures in pairs_by_size[size]
                if measure in base_figures and measure in size_figures
            ]
            median = statistics.median(value for _, value in pairs) if pairs else math.nan
            ratio = (
                statistics.median(value / base_value for base_value, value in pairs) if pairs else math.nan
            )
            ratio_text = f"({_number_text(ratio):>5} x)" if math.isfinite(ratio) else ""
            cells.append(f" {_number_text(median):>9} {ratio_text:9}")
        base_text = _number_text(statistics.median(base_values)) if base_values else ""
        lines.append(f"{measure:42} {base_text:>10}" + "".join(cells))
    return lines


def _number_text(value: float) -> str:
    """Return a number with about three digits; an infinite one took too long, NaN was not measured."""
    if math.isnan(value):
        return "-"
    if math.isinf(value):
        return "too long"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
