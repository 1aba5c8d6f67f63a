"""The bot, with its processor time by part among its metrics, and watchdogs that check every second.

It is the real program: functions at the borders of its parts are wrapped before it starts, nothing else.
"""

import asyncio
import asyncio.selector_events
import importlib
import inspect
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final
from unittest.mock import patch

import aiohttp.client_reqrep
import discord.gateway
import discord.http
import discord.message
import discord.webhook.async_
from prometheus_client.core import CounterMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

import bot.running  # noqa: F401 - with all that the bot consists of
from bot.chat.drawing_queue import DrawingQueues
from bot.command_line import run_command_line
from bot.drawing_connection import DrawingConnection
from bot.drawing_process import DrawingProcess
from bot.metrics import Metrics
from bot.store.sqlite import SqliteStore
from bot.watch import monitor
from rules.match import Match
from tests.bench.metered_drawing import METER, functions_of, read_figures, replace_functions
from tests.bench.processor_meter import MAIN, STORE, ProcessorMeter, measure_seconds_per_switch

CHECK_INTERVAL: Final = 1.0
PROCESSOR_METRIC: Final = "bench_processor_seconds"
METERING_SECONDS_METRIC: Final = "bench_switches_seconds"
DRAWN_METRIC: Final = "bench_drawn"
DRAWING_PROCESSES: Final = "drawing processes"
"""The part of what the drawing processes do besides drawing and making scenes."""
WORDS: Final = "words"
RULES: Final = "rules"
HTTP: Final = "http"
GATEWAY: Final = "gateway"
MESSAGES: Final = "messages"
"""Parts of the bot to which time is charged."""
WORD_MODULES: Final = (
    "bot.host.game_calls",
    "bot.host.game_logs",
    "bot.host.previews",
    "bot.chat.action_picker",
    "bot.chat.pages",
    "bot.chat.post_parts",
    "bot.chat.posts",
    "bot.chat.story",
    "bot.chat.hand_posts",
    "bot.chat.panel_posts",
    "bot.chat.consequence_texts",
    "bot.chat.move_result_posts",
)
"""The modules whose functions make texts and buttons out of a game's words."""
MESSAGE_MODULES: Final = ("bot.chat.components", "bot.chat.layouts")
"""The modules whose functions turn posts into what discord.py sends."""

_connections: Final[list[DrawingConnection]] = []
"""To the drawing processes."""
_use_processes: Final = DrawingQueues.use_processes


def _use_metered_processes(queues: DrawingQueues, connections: Sequence[DrawingConnection]) -> None:
    _connections.extend(connections)
    _use_processes(queues, connections)


async def _figures_of_process(connection: DrawingConnection) -> tuple[dict[str, float], int, int]:
    seconds, switch_count, drawn_count = await connection.call(read_figures)
    seconds[DRAWING_PROCESSES] = seconds.pop(MAIN)
    return seconds, switch_count, drawn_count


class _MeterCollector(Collector):
    """Serves what the meters of all processes have found among the metrics, in a thread of their server."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds_per_switch = measure_seconds_per_switch()

    def collect(self) -> Iterable[Metric]:
        """Yield the seconds by part, the cost of measuring them, and how many pictures were drawn."""
        figures = [read_figures()]
        for connection in _connections:
            call = asyncio.run_coroutine_threadsafe(_figures_of_process(connection), self._loop)
            figures.append(call.result())
        spent: defaultdict[str, float] = defaultdict(float)
        for seconds, _, _ in figures:
            for part, part_seconds in seconds.items():
                spent[part] += part_seconds
        metric = CounterMetricFamily(PROCESSOR_METRIC, "Processor time by part", labels=["part"])
        for part, total in spent.items():
            metric.add_metric([part], total)
        yield metric
        metering_seconds = self._seconds_per_switch * sum(count for _, count, _ in figures)
        yield CounterMetricFamily(METERING_SECONDS_METRIC, "Its cost", value=metering_seconds)
        drawn_count = sum(count for _, _, count in figures)
        yield CounterMetricFamily(DRAWN_METRIC, "Pictures drawn", value=drawn_count)


def wrap_parts(meter: ProcessorMeter) -> None:
    """Wrap the functions at the borders of the parts.  Raises AttributeError if one is not there any more."""
    for part, names in ((WORDS, WORD_MODULES), (MESSAGES, MESSAGE_MODULES)):
        for name in names:
            module = importlib.import_module(name)
            replace_functions({each: meter.wrap(part, each) for each in functions_of(module)})
    coroutine_names = tuple(
        name for name, each in vars(SqliteStore).items() if inspect.iscoroutinefunction(each)
    )
    for part, owner, methods in (
        (RULES, Match, ("play", "play_all", "undo")),
        (STORE, SqliteStore, coroutine_names),
        (HTTP, discord.http.HTTPClient, ("request",)),
        (HTTP, discord.webhook.async_.AsyncWebhookAdapter, ("request",)),
        (HTTP, aiohttp.client_reqrep.ClientRequest, ("write_bytes",)),
        (GATEWAY, discord.gateway.DiscordWebSocket, ("poll_event",)),
        (MESSAGES, discord.message.Message, ("__init__",)),
    ):
        for name in methods:
            setattr(owner, name, meter.wrap(part, getattr(owner, name)))
    transport: Any = asyncio.selector_events._SelectorSocketTransport  # type: ignore[attr-defined]
    # From Python 3.12 on, each connection chooses between two writers.
    writers = ("_write_ready",) if sys.version_info < (3, 12) else ("_write_sendmsg", "_write_send")
    for name in ("_read_ready", *writers):
        setattr(transport, name, meter.wrap_by(_part_of_socket, getattr(transport, name)))


def _part_of_socket(transport: Any, *_: object) -> str:
    """Return whether a connection is the gateway's, one of a call, or the loop's to a drawing process."""
    protocol = transport.get_protocol()
    if isinstance(protocol, DrawingConnection):
        return MAIN
    parser = getattr(protocol, "_payload_parser", None)
    return GATEWAY if "WebSocket" in type(parser).__name__ else HTTP


_init_metrics: Final = Metrics.__init__


def _init_metrics_with_meter(metrics: Metrics) -> None:
    _init_metrics(metrics)
    metrics.registry.register(_MeterCollector())


def run(processes: Sequence[DrawingProcess]) -> int:
    """Run the bot with the meter; return its exit code."""
    wrap_parts(METER)
    with (
        patch.object(monitor, "CHECK_INTERVAL", CHECK_INTERVAL),
        patch.object(DrawingQueues, "use_processes", _use_metered_processes),
        patch.object(Metrics, "__init__", _init_metrics_with_meter),
    ):
        return run_command_line(["run"], processes)
