"""Latency of a move through the stand-in: from the click to the response, and to the new board.

Two people play at each table; they type what autocompletion offers.  The times are those of ``/play``.
"""

import asyncio
import time
from dataclasses import dataclass, field

from bot.local.command_input import ClientRefusal
from bot.local.members import InteractionFailed
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


@dataclass
class Measurements:
    """Times in seconds, and what went wrong."""

    completions: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    skipped: int = 0
    """Moves that were due while every table was busy."""


async def print_move_latency(tables: int, rate: float, seconds: float) -> None:
    """Open the tables, play for a while, print percentiles."""
    times = Measurements()
    async with running_bot() as bot:
        games = await open_tables(bot.server, tables, (next(iter(GAMES)),), 2)
        async with reading_boards(bot.server, games):
            await _play_games(games, rate, seconds, times)
    print(f"{tables} tables, {rate:g} moves/s for {seconds:g} s")
    print_times(
        (
            ("autocompletion", times.completions),
            ("click to answer", times.answers),
            ("click to board seen", times.boards),
        )
    )
    print(
        f"failures: {len(times.failures)} {sorted(set(times.failures))[:3]}; no free table: {times.skipped}"
    )


async def _play_games(games: list[BenchTable], rate: float, seconds: float, times: Measurements) -> None:
    index = -1
    async with asyncio.TaskGroup() as group:
        async for _ in due_times(rate, seconds):
            free = next_free(games, index, lambda game: game.waits_for_player)
            if free is None:
                times.skipped += 1
                continue
            index = free
            games[free].busy = True
            group.create_task(_play_move(games[free], times))


async def _play_move(game: BenchTable, times: Measurements) -> None:
    try:
        assert game.to_act is not None
        member = game.people[game.to_act]
        began = time.perf_counter()
        choices = await member.autocomplete("play", "move", "", channel=game.channel)
        times.completions.append(time.perf_counter() - began)
        if not choices:
            game.to_act = None  # the game is over
            return
        choice = choices[hash((game.ply, game.number)) % len(choices)]
        ply = game.ply
        began = time.perf_counter()
        outcome = await member.command("play", at_once="true", channel=game.channel, move=choice["value"])
        times.answers.append(outcome.seconds)
        await game.wait_for_board(ply)
        times.boards.append(time.perf_counter() - began)
    except (InteractionFailed, ClientRefusal, TimeoutError) as error:
        times.failures.append(f"{type(error).__name__} {error}")
        game.to_act = None
    finally:
        game.busy = False
