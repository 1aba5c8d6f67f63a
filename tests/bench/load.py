"""The bot under load: people who open panels, compare choices, play, and look at their hands.

Moves come at a given rate over a number of tables of all registered games, which are in their middle; other
games lie in the database.  An answer counts from the press until the private page with its picture is there,
a board and a hand from the press that plays until they show the move.
"""

import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bot.local.server import LocalDiscord
from tests.bench.live_tables import make_live_tables, write_live_tables
from tests.bench.measurements import Reporter, environment_line, measure_reference_ms, quantile_lines
from tests.bench.metered_bot import CHECK_INTERVAL, DRAWN_METRIC, METERING_SECONDS_METRIC, PROCESSOR_METRIC
from tests.bench.people import People, PressFigures
from tests.bench.processor_meter import ProcessorMeter
from tests.bench.running_bot import RunningBot, running_bot
from tests.bench.stored_games import add_backup, make_database
from tests.bench.tables import BenchTable, MessageReader

SETTLE_TIMEOUT: Final = 60.0
"""How long the boards and hands of the start, and those of the last moves, may take to be sent."""
REPORT_INTERVAL: Final = 60.0
"""Between two lines of a long run."""
_DRIVER: Final = "driver"
_STAND_IN: Final = "stand-in"
_CALL_KINDS: Final = (
    ("answers", "POST", "/callback"),
    ("follow-ups", "", "/webhooks/"),
    ("posts", "POST", "/messages"),
    ("edits", "PATCH", "/messages/"),
)
"""Kinds of calls: method (empty: any) and part of the route."""


@dataclass(frozen=True)
class LoadSettings:
    """How much is played, and beside how many stored games."""

    table_count: int = 50
    rate: float = 20.0
    """Moves a second."""
    seconds: float = 60.0
    other_game_count: int = 100
    """Other games in the database."""


@dataclass
class LoadFigures:
    """What a run measured; times in seconds unless a name says otherwise, memory in MiB."""

    presses: PressFigures
    board_times: list[float] = field(default_factory=list)
    hand_times: list[float] = field(default_factory=list)
    loop_lags: list[float] = field(default_factory=list)
    """The worst lag of the bot's event loop in each second."""
    bot_processor_seconds: float = 0.0
    bot_parts: dict[str, float] = field(default_factory=dict)
    """Processor time of the bot by part."""
    bench_parts: dict[str, float] = field(default_factory=dict)
    """Processor time of this process: the driver's and the stand-in's."""
    calls: Counter[str] = field(default_factory=Counter)
    """The bot's calls to the stand-in, by kind."""
    held_back_count: int = 0
    """Calls that had to wait, because Discord allows so many a second."""
    upload_count: int = 0
    """Pictures that the bot sent."""
    drawn_count: int = 0
    """Pictures that the bot drew."""
    metering_seconds: float = 0.0
    """The processor time that charging it to parts has cost; part of ``bot_processor_seconds``."""
    memory_samples: list[float] = field(default_factory=list)
    """After the start, when all tables are there, each minute, and at the end."""
    drawing_memory: float = 0.0
    """Of the drawing processes, at the end; part of the last of ``memory_samples``."""
    reference_ms: list[float] = field(default_factory=list)
    """What a fixed piece of work took, before the moves and after them."""
    seconds: float = 0.0
    """How long moves were made."""
    drain_seconds: float = 0.0
    """From the last move until all deliveries were sent."""


class CallCounter:
    """Counts the bot's calls and the pictures in them."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.upload_count = 0

    def count(self, method: str, route: str, _path: str, _query: object, _body: object, files: Any) -> None:
        """Count one call: the stand-in's ``on_request``."""
        kinds = (kind for kind, verb, part in _CALL_KINDS if part in route and verb in {"", method})
        self.calls[next(kinds, "others")] += 1
        self.upload_count += sum(upload.content_type == "image/png" for upload in files.values())


async def print_load(settings: LoadSettings) -> None:
    """Run the load and print what it measured."""

    def report(line: str) -> None:
        print(f"  {line}", flush=True)

    print(environment_line())
    figures = await run_load(settings, report)
    for line in report_lines(settings, figures):
        print(line)


async def run_load(settings: LoadSettings, report: Reporter) -> LoadFigures:
    """Make the database, start the bot, make moves for a while, and return what was measured."""
    counter, meter = CallCounter(), ProcessorMeter()
    with tempfile.TemporaryDirectory() as directory:
        database = Path(directory) / "bench.db"
        make_database(database, settings.other_game_count, report=report)
        add_backup(database)
        async with LocalDiscord(on_request=counter.count) as server:
            server.interactions.create = meter.wrap(_STAND_IN, server.interactions.create)  # type: ignore[method-assign]
            live_tables = make_live_tables(server, settings.table_count, settings.other_game_count + 1)
            write_live_tables(database, live_tables, server)
            tables = [BenchTable.of(each) for each in live_tables]
            reader = MessageReader(server.world, tables)
            people = People(server.world, tables, random.Random(f"{settings}"), reader)
            people.make_move = meter.wrap(_DRIVER, people.make_move)  # type: ignore[method-assign]
            people.make_rematch = meter.wrap(_DRIVER, people.make_rematch)  # type: ignore[method-assign]
            figures = LoadFigures(people.figures)
            async with running_bot(server, database) as bot:
                figures.memory_samples.append(bot.memory())
                report(f"the bot has started in {bot.start_seconds:.1f} s")
                await wait_for_boards(tables)
                await wait_until_sent(bot)
                figures.memory_samples.append(bot.memory())
                report(f"{len(tables)} tables are ready")
                await _measure(bot, people, settings, figures, counter, meter, report)
        log = database.with_name("bot.log").read_text(encoding="utf-8")
        report(f"lines in the bot's log: {log.count(chr(10))}")
        for line in log.splitlines()[:5]:
            report(line[:300])
    return figures


async def wait_for_boards(tables: list[BenchTable]) -> None:
    """Wait until every table has its board.  Raises TimeoutError."""
    async with asyncio.timeout(SETTLE_TIMEOUT):
        await asyncio.gather(*(table.wait_for_board(-1) for table in tables))


async def wait_until_sent(bot: RunningBot) -> None:
    """Wait until all deliveries are sent, for at most ``SETTLE_TIMEOUT``; what is left then is no error."""
    for _ in range(round(SETTLE_TIMEOUT / CHECK_INTERVAL)):
        await asyncio.sleep(CHECK_INTERVAL)  # the metric is as old as that
        if not (await bot.read_metrics())["outbox_waiting"]:
            return


async def _measure(
    bot: RunningBot,
    people: People,
    settings: LoadSettings,
    figures: LoadFigures,
    counter: CallCounter,
    meter: ProcessorMeter,
    report: Reporter,
) -> None:
    """Make the moves and fill in the figures."""
    figures.reference_ms.append(await asyncio.to_thread(measure_reference_ms))
    sampling = asyncio.create_task(_sample_bot(bot, figures, report))
    counter.calls.clear()
    counter.upload_count = 0
    metrics_before, bench_before, processor_before = (
        await bot.read_metrics(),
        dict(meter.seconds_by_part()),
        bot.processor_seconds(),
    )
    started_at = time.perf_counter()
    await people.make_moves(settings.rate, settings.seconds)
    figures.seconds = time.perf_counter() - started_at
    await people.finish_moves(SETTLE_TIMEOUT)
    await wait_until_sent(bot)
    figures.drain_seconds = time.perf_counter() - started_at - figures.seconds
    figures.bot_processor_seconds = bot.processor_seconds() - processor_before
    figures.reference_ms.append(await asyncio.to_thread(measure_reference_ms))
    metrics_after = await bot.read_metrics()
    figures.memory_samples.append(bot.memory())
    figures.drawing_memory = bot.drawing_memory()
    sampling.cancel()
    with suppress(asyncio.CancelledError):
        await sampling
    figures.bot_parts = {
        name.removeprefix(f"{PROCESSOR_METRIC}_total "): spent - metrics_before.get(name, 0.0)
        for name, spent in metrics_after.items()
        if name.startswith(PROCESSOR_METRIC)
    }
    bench_spent = {
        part: spent - bench_before.get(part, 0.0) for part, spent in meter.seconds_by_part().items()
    }
    figures.bench_parts = {_DRIVER: bench_spent.pop(_DRIVER, 0.0), _STAND_IN: sum(bench_spent.values())}
    figures.metering_seconds = _increase(metrics_before, metrics_after, f"{METERING_SECONDS_METRIC}_total")
    figures.drawn_count = round(_increase(metrics_before, metrics_after, f"{DRAWN_METRIC}_total"))
    figures.held_back_count = round(_increase(metrics_before, metrics_after, "api_calls_held_back_total"))
    figures.calls, figures.upload_count = Counter(counter.calls), counter.upload_count
    for table in people.tables:
        figures.board_times += table.board_times
        figures.hand_times += table.hand_times


def _increase(before: Mapping[str, float], after: Mapping[str, float], name: str) -> float:
    return after[name] - before[name]


async def _sample_bot(bot: RunningBot, figures: LoadFigures, report: Reporter) -> None:
    """Read the worst lag of each second, and report each minute, until cancelled."""
    started_at = reported_at = time.perf_counter()
    while True:
        await asyncio.sleep(CHECK_INTERVAL)
        figures.loop_lags.append((await bot.read_metrics())["loop_lag_seconds"])
        now = time.perf_counter()
        if now - reported_at >= REPORT_INTERVAL:
            reported_at = now
            figures.memory_samples.append(bot.memory())
            move_count = len(figures.presses.move_answer_times)
            report(f"{now - started_at:.0f} s: {move_count} moves, {figures.memory_samples[-1]:.0f} MiB")


def _memory_by_minute_text(later_samples: Sequence[float]) -> str:
    """Return a line with the memory after each minute and at the end; nothing for a short run."""
    if len(later_samples) < 2:
        return ""
    return f"memory after each minute, MiB: {' '.join(f'{each:.0f}' for each in later_samples)}\n"


def report_lines(settings: LoadSettings, figures: LoadFigures) -> list[str]:
    """Return what is printed of a run."""
    presses, move_count = figures.presses, max(1, len(figures.presses.move_answer_times))
    due_count = int(settings.rate * settings.seconds)
    parts = sorted(figures.bot_parts.items(), key=lambda item: -item[1])
    bot_parts = ", ".join(
        f"{part} {spent / move_count * 1e3:.1f}" for part, spent in parts if spent / move_count >= 5e-5
    )
    unassigned = figures.bot_processor_seconds - sum(figures.bot_parts.values())
    bench_parts = ", ".join(
        f"{part} {spent / move_count * 1e3:.1f}" for part, spent in figures.bench_parts.items()
    )
    calls = ", ".join(f"{kind} {count / move_count:.1f}" for kind, count in figures.calls.most_common())
    start_memory, ready_memory, *later_samples = figures.memory_samples
    head_text = (
        f"{settings.table_count} tables, {settings.rate:g} moves/s for {settings.seconds:g} s,"
        f" {settings.other_game_count:,} other stored games\n"
        f"moves: {len(presses.move_answer_times)} of {due_count} asked,"
        f" {len(presses.move_answer_times) / figures.seconds:.1f} a second;"
        f" presses a move: {len(presses.answer_times) / move_count:.1f}, selects: {presses.select_count}"
    )
    reference_before, reference_after = figures.reference_ms[0], figures.reference_ms[-1]
    times = quantile_lines(
        (
            ("press to answer", presses.answer_times),
            ("press that plays to answer", presses.move_answer_times),
            ("press that plays to board", figures.board_times),
            ("press that plays to hand", figures.hand_times),
            ("loop lag, worst of a second", figures.loop_lags),
        )
    )
    rest_text = (
        f"processor ms a move: bot {figures.bot_processor_seconds / move_count * 1e3:.1f} ({bot_parts},"
        f" not assigned {unassigned / move_count * 1e3:.1f}); {bench_parts};"
        f" of the bot's, measuring {figures.metering_seconds / move_count * 1e3:.2f}\n"
        f"a fixed piece of work, ms: before {reference_before:.1f}, after {reference_after:.1f}\n"
        f"calls a move: {figures.calls.total() / move_count:.1f} ({calls});"
        f" held back {figures.held_back_count}\n"
        f"pictures a move: drawn {figures.drawn_count / move_count:.1f},"
        f" sent {figures.upload_count / move_count:.1f}\n"
        f"memory with all workers, MiB: after the start {start_memory:.0f},"
        f" with all tables {ready_memory:.0f}, at the end {later_samples[-1]:.0f},"
        f" {figures.drawing_memory:.0f} of these the drawing processes'"
        f" (most {max(figures.memory_samples):.0f})\n"
        f"{_memory_by_minute_text(later_samples)}"
        f"games that ended: {presses.ended_game_count};"
        f" moves due while no table was free: {presses.skipped_move_count};"
        f" sent after the last move for {figures.drain_seconds:.1f} s;"
        f" failures: {len(presses.failures)} {sorted(set(presses.failures))[:4]}"
    )
    return [*head_text.splitlines(), *times, *rest_text.splitlines()]
