"""The bot under load: people who open panels, compare choices, play, and look at their hands.

Presses come at a given rate over a number of tables of all games.  Each person presses what the message
before them offers.  An answer counts from the press until the private page with its picture is there.
"""

import asyncio
import random
import re
import socket
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import aiohttp
import psutil

from bot.chat.components import parse_id
from bot.config import METRICS_VARIABLE
from bot.local.api_errors import JsonObject
from bot.local.command_input import ClientRefusal
from bot.local.members import InteractionFailed, Member
from bot.local.message_contents import controls
from bot.local.model import Message
from rules.catalogue import GAMES
from tests.bench.tables import (
    BenchTable,
    due_times,
    next_free,
    open_tables,
    print_times,
    reading_boards,
    running_bot,
)
from tests.bench.watched_bot import CHECK_SECONDS
from tests.bot.e2e.observe import shown_message

MOST_SEATS: Final = 4
"""People at a table, or fewer if its game has fewer seats."""
_LOOK: Final = 0.3
"""How often somebody looks at their hand before a turn begins."""
_PLAY_MARKED: Final = 0.7
"""How often a marked choice is played; otherwise another one is compared."""
_STEP_BACK: Final = 0.06
"""How often somebody goes back or takes back a choice, where the panel offers it."""
_METRIC = re.compile(r"^captains_table_(\w+)(?:{[^}]*})? (\S+)$", re.MULTILINE)


@dataclass
class LoadFigures:
    """What a run measured, in seconds, and what went wrong."""

    answers: list[float] = field(default_factory=list)
    """From a press to its answer."""
    boards: list[float] = field(default_factory=list)
    """From a press that plays to the new board."""
    lags: list[float] = field(default_factory=list)
    """The worst lag of the bot's event loop in each second."""
    processor: float = 0.0
    """Processor time of the bot."""
    calls: int = 0
    """The bot's calls to the stand-in."""
    held_back: int = 0
    """Calls that had to wait, because Discord allows so many a second."""
    pictures: int = 0
    """Answers with a picture."""
    failures: list[str] = field(default_factory=list)
    skipped: int = 0
    """Presses that were due while no table was free."""
    finished: int = 0
    """Games that ended."""


async def print_load(tables: int, rate: float, seconds: float) -> None:
    """Run the load and print what it measured."""
    figures = await run_load(tables, rate, seconds)
    pressed = len(figures.answers)
    print(f"{tables} tables, {rate:g} presses/s for {seconds:g} s")
    print_times(
        (
            ("press to answer", figures.answers),
            ("press to board seen", figures.boards),
            ("loop lag, worst of a second", figures.lags),
        )
    )
    print(
        f"processor time a press: {figures.processor / max(1, pressed) * 1e3:.1f} ms; "
        f"calls a press: {figures.calls / max(1, pressed):.1f}, "
        f"{figures.held_back} of {figures.calls} held back by the limit"
    )
    print(
        f"answers with a picture: {figures.pictures} of {pressed}; games that ended: {figures.finished}; "
        f"failures: {len(figures.failures)} {sorted(set(figures.failures))[:3]}; "
        f"no free table: {figures.skipped}"
    )


async def run_load(tables: int, rate: float, seconds: float) -> LoadFigures:
    """Open the tables, press for a while, and return what was measured."""
    figures, port = LoadFigures(), _free_port()
    settings = {METRICS_VARIABLE: str(port)}
    async with running_bot(("-m", "tests.bench.watched_bot"), **settings) as bot:
        games = await open_tables(bot.server, tables, tuple(GAMES), MOST_SEATS)
        process = psutil.Process(bot.process.pid)
        async with reading_boards(bot.server, games):
            watched = asyncio.create_task(_watch_lag(port, figures.lags))
            before, began = await _read_metrics(port), _processor_seconds(process)
            await _press_all(games, rate, seconds, figures)
            figures.processor = _processor_seconds(process) - began
            await asyncio.sleep(CHECK_SECONDS)
            done = await _read_metrics(port)
            figures.calls = round(done["api_calls_total"] - before["api_calls_total"])
            figures.held_back = round(done["api_calls_held_back_total"] - before["api_calls_held_back_total"])
            watched.cancel()
            with suppress(asyncio.CancelledError):
                await watched
    figures.finished = sum(game.is_over for game in games)
    return figures


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _processor_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


async def _watch_lag(port: int, lags: list[float]) -> None:
    """Read the worst lag of each second, until cancelled."""
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        lags.append((await _read_metrics(port))["loop_lag_seconds"])


async def _read_metrics(port: int) -> Mapping[str, float]:
    """Return the bot's metrics by name; those with labels are summed."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/metrics") as response,
    ):
        found: defaultdict[str, float] = defaultdict(float)
        for name, value in _METRIC.findall(await response.text()):
            found[name] += float(value)
        return found


async def _press_all(games: list[BenchTable], rate: float, seconds: float, figures: LoadFigures) -> None:
    rng = random.Random(f"{len(games)}/{rate}/{seconds}")
    index = -1
    async with asyncio.TaskGroup() as group:
        async for _ in due_times(rate, seconds):
            free = next_free(games, index, _has_button)
            if free is None:
                figures.skipped += 1
                continue
            index = free
            games[free].busy = True
            group.create_task(_press(games[free], rng, figures, group))


async def _press(
    game: BenchTable, rng: random.Random, figures: LoadFigures, group: asyncio.TaskGroup
) -> None:
    """Press one button at a table; the table is free again when its next button can be pressed."""
    try:
        hand = _find_control(game.board, "hand")
        if game.panel is None and hand is not None and rng.random() < _LOOK:
            await _answer(rng.choice(list(game.people.values())), game.board, hand, figures)
            return
        assert game.to_act is not None
        member, ply = game.people[game.to_act], game.ply
        message = game.board if game.panel is None else game.panel
        control = _find_control(message, "play") if game.panel is None else _choice(message, rng)
        assert control is not None, "the board of a game that goes on has Play"
        began = time.perf_counter()
        shown = await _answer(member, message, control, figures)
        game.panel = shown if _ways(shown) else None
        if _verb(control) not in {"do", "undo"}:
            return
        seen = group.create_task(_wait_for_board(game, ply, began, figures))
        if game.panel is None:  # the turn is over: the next player begins at the board
            await seen
    except (InteractionFailed, ClientRefusal, TimeoutError) as error:
        figures.failures.append(f"{type(error).__name__} {error}")
        game.panel = None
    finally:
        game.busy = False


async def _answer(member: Member, message: Message, control: JsonObject, figures: LoadFigures) -> Message:
    """Press a button and return the private page that follows, once it is there."""
    began = time.perf_counter()
    outcome = await member.press(message, custom_id=control["custom_id"])
    shown = await shown_message(outcome)
    figures.answers.append(time.perf_counter() - began)
    figures.pictures += bool(shown.attachments)
    if _ways(shown) and not shown.attachments:
        figures.failures.append(f"no picture after {_verb(control)}")
    return shown


async def _wait_for_board(game: BenchTable, ply: int, began: float, figures: LoadFigures) -> None:
    try:
        await game.wait_for_board(ply)
    except TimeoutError:
        figures.failures.append("no new board")
        return
    figures.boards.append(time.perf_counter() - began)


def _has_button(game: BenchTable) -> bool:
    """Whether the player to act has a button: an old board loses its own before a new one comes."""
    return game.waits_for_player and (game.panel is not None or _find_control(game.board, "play") is not None)


# What is pressed ------------------------------------------------------------------------------------


def _verb(control: JsonObject) -> str:
    found = parse_id(str(control.get("custom_id", "")))
    return "" if found is None else found.verb


def _find_control(message: Message, verb: str) -> JsonObject | None:
    """Return a message's button of a verb; None if it has none that can be pressed."""
    return next(
        (each for each in controls(message) if _verb(each) == verb and not each.get("disabled")), None
    )


def _ways(message: Message) -> list[JsonObject]:
    """Return the buttons of a panel that lead to an action."""
    return [
        control
        for control in controls(message)
        if _verb(control) in {"step", "page", "do"}
        and not control.get("disabled")
        and control["label"] != "Back"
    ]


def _choice(panel: Message, rng: random.Random) -> JsonObject:
    """Return what a person presses in a panel: mostly a choice or Play it, now and then a step back."""
    ways = _ways(panel)
    marked = next((each for each in ways if each["label"] == "Play it"), None)
    if marked is not None and rng.random() < _PLAY_MARKED:
        return marked
    back = [
        each for each in controls(panel) if each["label"] in {"Back", "Undo"} and not each.get("disabled")
    ]
    if back and rng.random() < _STEP_BACK:
        return rng.choice(back)
    return rng.choice(ways)
