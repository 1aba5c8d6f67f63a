"""Meters the processor time of drawing.  It loads little, as it runs before drawing processes are forked."""

import inspect
import sys
from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType
from typing import Any, Final

import bot.drawing
import bot.summary  # noqa: F401 - what the drawing processes are called for
from render.catalogue import PICTURES
from tests.bench.processor_meter import ProcessorMeter

DRAWING: Final = "drawing"
SCENES: Final = "scenes"
_OWN_PACKAGES: Final = ("bot.", "render.", "rules.")

METER: Final = ProcessorMeter()
"""The meter of the process in which it is read."""


def read_figures() -> tuple[dict[str, float], int, int]:
    """Return this process's seconds by part and its numbers of switches of parts and of drawn pictures."""
    return dict(METER.seconds_by_part()), METER.switch_count, METER.counts[DRAWING]


def wrap_drawing(meter: ProcessorMeter) -> None:
    """Wrap the functions of ``render`` that the bot calls, and those of the pictures that make scenes."""
    functions = {
        value
        for module in _own_modules("bot.")
        for value in vars(module).values()
        if inspect.isfunction(value) and value.__module__.startswith("render.")
    }
    for name, module in list(sys.modules.items()):
        if name.startswith("render.") and any(module in vars(each).values() for each in _own_modules("bot.")):
            functions |= set(functions_of(module))
    replace_functions({each: meter.wrap(DRAWING, each, count_as=_count_name(each)) for each in functions})
    for pictures in PICTURES.values():
        for picture in pictures.values():
            object.__setattr__(picture, "draw", meter.wrap(SCENES, picture.draw))


def _count_name(function: Callable[..., Any]) -> str:
    return DRAWING if function.__name__ == "render_png" else ""


def functions_of(module: ModuleType) -> Iterator[FunctionType]:
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


def replace_functions(wrappers: dict[Callable[..., Any], Callable[..., Any]]) -> None:
    """Put wrappers in the place of their functions, wherever a module has them under a name."""
    for module in _own_modules(*_OWN_PACKAGES):
        for name, value in list(vars(module).items()):
            if inspect.isfunction(value) and value in wrappers:
                setattr(module, name, wrappers[value])
