"""The bot, with its processor time by part among its metrics, and watchdogs that check every second.

It is the real program: functions at the borders of its parts are wrapped before it starts, nothing else.
"""

import asyncio.selector_events
import importlib
import inspect
import os
import sys
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
from bot.metrics import Metrics
from bot.store.sqlite import SqliteStore
from bot.watch import monitor
from render.catalogue import PICTURES
from rules.match import Match
from tests.bench.processor import STORE, ProcessorMeter, measure_border_seconds

CHECK_SECONDS: Final = 1.0
PLAIN_VARIABLE: Final = "BENCH_PLAIN"
"""Set: the bot runs as it is, without wrapped functions and with its own watchdogs."""
METRIC: Final = "bench_processor_seconds"
BORDERS_METRIC: Final = "bench_borders_seconds"
DRAWN_METRIC: Final = "bench_drawn"
DRAWING: Final = "drawing"
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


class _MeterCollector(Collector):
    """Serves what a meter has found among the metrics."""

    def __init__(self, meter: ProcessorMeter) -> None:
        self._meter = meter
        self._border_seconds = measure_border_seconds()

    def collect(self) -> Iterable[Metric]:
        """Yield the seconds by part, the cost of measuring them, and how many pictures were drawn."""
        seconds = CounterMetricFamily(METRIC, "Processor time by part", labels=["part"])
        for part, spent in self._meter.seconds().items():
            seconds.add_metric([part], spent)
        yield seconds
        yield CounterMetricFamily(
            BORDERS_METRIC, "Its cost", value=self._meter.borders * self._border_seconds
        )
        yield CounterMetricFamily(DRAWN_METRIC, "Pictures drawn", value=self._meter.counts[DRAWING])


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


def _metrics_with(meter: ProcessorMeter) -> Callable[[Metrics], None]:
    """Return how the bot makes its metrics, with a meter among them."""
    make = Metrics.__init__

    def make_with_meter(metrics: Metrics) -> None:
        make(metrics)
        metrics.registry.register(_MeterCollector(meter))

    return make_with_meter


if __name__ == "__main__":
    if os.environ.get(PLAIN_VARIABLE):
        sys.exit(main(["run"]))
    processor_meter = ProcessorMeter()
    wrap_parts(processor_meter)
    with (
        patch.object(monitor, "CHECK_INTERVAL", CHECK_SECONDS),
        patch.object(Metrics, "__init__", _metrics_with(processor_meter)),
    ):
        sys.exit(main(["run"]))
