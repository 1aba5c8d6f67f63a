"""The bot, with its processor time by part among its metrics, and watchdogs that check every second.

It is the real program: functions at the borders of its parts are wrapped before it starts, nothing else.
"""

import asyncio.selector_events
import importlib
import inspect
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
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
from bot.__main__ import main
from bot.drawing_process import DrawingProcess
from bot.metrics import Metrics
from bot.store.sqlite import SqliteStore
from bot.watch import monitor
from render.catalogue import PICTURES
from rules.match import Match
from tests.bench.processor import MAIN, STORE, ProcessorMeter, measure_border_seconds

CHECK_SECONDS: Final = 1.0
PLAIN_VARIABLE: Final = "BENCH_PLAIN"
"""Set: the bot runs as it is, without wrapped functions and with its own watchdogs."""
METRIC: Final = "bench_processor_seconds"
BORDERS_METRIC: Final = "bench_borders_seconds"
DRAWN_METRIC: Final = "bench_drawn"
DRAWING: Final = "drawing"
DRAWER: Final = "drawing process"
"""What that process does besides drawing and making scenes."""
SCENES: Final = "scenes"
WORDS: Final = "words"
RULES: Final = "rules"
HTTP: Final = "http"
GATEWAY: Final = "gateway"
MESSAGES: Final = "messages"
WORD_MODULES: Final = (
    "bot.host.game_calls",
    "bot.chat.action_picker",
    "bot.chat.pages",
    "bot.chat.posts",
    "bot.chat.story",
    "bot.chat.turn_posts",
)
"""The modules whose functions make texts and what stands on buttons, by asking the games."""
MESSAGE_MODULES: Final = ("bot.chat.components", "bot.chat.layouts")
"""The modules whose functions turn posts into what discord.py sends."""
_OWN_PACKAGES: Final = ("bot.", "render.", "rules.")


_meter: Final = ProcessorMeter()
_drawers: Final[list[DrawingProcess]] = []
"""The drawing process, if there is one."""


def _figures() -> tuple[dict[str, float], int, int]:
    """Return the seconds by part and the numbers of borders and of drawn pictures, of this process."""
    return dict(_meter.seconds()), _meter.borders, _meter.counts[DRAWING]


def _figures_of_drawer(drawer: DrawingProcess) -> tuple[dict[str, float], int, int]:
    seconds, borders, drawn = drawer.call(_figures)
    seconds[DRAWER] = seconds.pop(MAIN)
    return seconds, borders, drawn


class _MeterCollector(Collector):
    """Serves what the meters of both processes have found among the metrics."""

    def __init__(self) -> None:
        self._border_seconds = measure_border_seconds()

    def collect(self) -> Iterable[Metric]:
        """Yield the seconds by part, the cost of measuring them, and how many pictures were drawn."""
        found = [_figures(), *map(_figures_of_drawer, _drawers)]
        spent: defaultdict[str, float] = defaultdict(float)
        for seconds, _, _ in found:
            for part, more in seconds.items():
                spent[part] += more
        metric = CounterMetricFamily(METRIC, "Processor time by part", labels=["part"])
        for part, total in spent.items():
            metric.add_metric([part], total)
        yield metric
        borders = sum(each for _, each, _ in found)
        yield CounterMetricFamily(BORDERS_METRIC, "Its cost", value=borders * self._border_seconds)
        drawn = sum(each for _, _, each in found)
        yield CounterMetricFamily(DRAWN_METRIC, "Pictures drawn", value=drawn)


def wrap_parts(meter: ProcessorMeter) -> None:
    """Wrap the functions at the borders of the parts.  Raises AttributeError if one is not there any more."""
    _wrap_drawing(meter)
    for part, names in ((WORDS, WORD_MODULES), (MESSAGES, MESSAGE_MODULES)):
        for name in names:
            module = importlib.import_module(name)
            _replace({each: meter.wrap(part, each) for each in _functions_of(module)})
    asynchronous = tuple(
        name for name, each in vars(SqliteStore).items() if inspect.iscoroutinefunction(each)
    )
    for part, owner, methods in (
        (RULES, Match, ("play", "play_all", "undo")),
        (STORE, SqliteStore, asynchronous),
        (HTTP, discord.http.HTTPClient, ("request",)),
        (HTTP, discord.webhook.async_.AsyncWebhookAdapter, ("request",)),
        (HTTP, aiohttp.client_reqrep.ClientRequest, ("write_bytes",)),
        (GATEWAY, discord.gateway.DiscordWebSocket, ("poll_event",)),
        (MESSAGES, discord.message.Message, ("__init__",)),
    ):
        for name in methods:
            setattr(owner, name, meter.wrap(part, getattr(owner, name)))
    transport: Any = asyncio.selector_events._SelectorSocketTransport  # type: ignore[attr-defined]
    for name in ("_read_ready", "_write_ready"):
        setattr(transport, name, meter.wrap_by(_part_of_socket, getattr(transport, name)))


def _part_of_socket(transport: Any, *_: object) -> str:
    """Return whether a connection is the gateway's or one of a call."""
    protocol = transport.get_protocol()
    parser = getattr(protocol, "_payload_parser", None)
    return GATEWAY if "WebSocket" in type(parser).__name__ else HTTP


def _wrap_drawing(meter: ProcessorMeter) -> None:
    """Wrap the functions of ``render`` that the bot calls, and those of the pictures that make scenes."""
    used = {
        value
        for module in _own_modules("bot.")
        for value in vars(module).values()
        if inspect.isfunction(value) and value.__module__.startswith("render.")
    }
    for name, module in list(sys.modules.items()):
        if name.startswith("render.") and any(module in vars(each).values() for each in _own_modules("bot.")):
            used |= set(_functions_of(module))
    _replace({each: meter.wrap(DRAWING, each, count=_count_of(each)) for each in used})
    for pictures in PICTURES.values():
        for picture in pictures.values():
            object.__setattr__(picture, "draw", meter.wrap(SCENES, picture.draw))


def _count_of(function: Callable[..., Any]) -> str:
    return DRAWING if function.__name__ == "render_png" else ""


def _functions_of(module: ModuleType) -> Iterator[FunctionType]:
    """Yield the functions that a module defines and that do not wait."""
    for value in vars(module).values():
        if not inspect.isfunction(value) or value.__module__ != module.__name__:
            continue
        if not inspect.iscoroutinefunction(value) and not inspect.isgeneratorfunction(value):
            yield value


def _own_modules(*prefixes: str) -> Iterator[ModuleType]:
    for name, module in list(sys.modules.items()):
        if name.startswith(prefixes):
            yield module


def _replace(wrappers: dict[Callable[..., Any], Callable[..., Any]]) -> None:
    """Put wrappers in the place of their functions, wherever a module has them under a name."""
    for module in _own_modules(*_OWN_PACKAGES):
        for name, value in list(vars(module).items()):
            if inspect.isfunction(value) and value in wrappers:
                setattr(module, name, wrappers[value])


_make_metrics: Final = Metrics.__init__
_make_drawer: Final = DrawingProcess.__init__


def _make_metrics_with_meter(metrics: Metrics) -> None:
    _make_metrics(metrics)
    metrics.registry.register(_MeterCollector())


def _make_noted_drawer(drawer: DrawingProcess, *arguments: Any) -> None:
    _make_drawer(drawer, *arguments)
    _drawers.append(drawer)


if __name__ == "__main__":
    if os.environ.get(PLAIN_VARIABLE):
        sys.exit(main(["run"]))
    wrap_parts(_meter)
    os.register_at_fork(after_in_child=_meter.reset)
    with (
        patch.object(monitor, "CHECK_INTERVAL", CHECK_SECONDS),
        patch.object(Metrics, "__init__", _make_metrics_with_meter),
        patch.object(DrawingProcess, "__init__", _make_noted_drawer),
    ):
        sys.exit(main(["run"]))
