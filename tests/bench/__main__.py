"""Benchmarks: ``python -m tests.bench WHICH``.  They print numbers; none passes or fails."""

import argparse
import asyncio
from collections.abc import Sequence

from tests.bench import engine, growth, load, picture, players, presses, store
from tests.bench.growth import GrowthSettings
from tests.bench.load import LoadSettings

DEFAULT_GAME_COUNT = 1000
"""Games that the computer players play of each registered game."""
DEFAULT_REPEAT_COUNT = 5


def parse_arguments(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what is to be measured; ``arguments`` are those of the command line by default."""
    defaults = LoadSettings()
    parser = argparse.ArgumentParser(prog="tests.bench", description=__doc__)
    parser.add_argument("which", choices=("engine", "picture", "store", "players", "presses", "load", "grow"))
    parser.add_argument("--repeats", type=int, help="interleaved repeats (engine, store, grow)")
    parser.add_argument("--games", type=int, help="games for each game (players), for each setup (presses)")
    parser.add_argument(
        "--tables", type=int, default=defaults.table_count, help="tables that are played (load)"
    )
    parser.add_argument("--rate", type=float, default=defaults.rate, help="moves a second (load)")
    duration = parser.add_mutually_exclusive_group()
    duration.add_argument("--seconds", type=float, default=defaults.seconds, help="how long (load)")
    duration.add_argument("--minutes", type=float, help="how long, instead of --seconds (load)")
    parser.add_argument(
        "--stored", type=int, default=defaults.other_game_count, help="other stored games (load)"
    )
    parser.add_argument(
        "--sizes",
        type=int,
        nargs="+",
        default=GrowthSettings.sizes,
        help="stored games, the fewest first (grow)",
    )
    parser.add_argument(
        "--limit", type=float, default=GrowthSettings.limit_seconds, help="of one step, seconds (grow)"
    )
    return parser.parse_args(arguments)


def main() -> None:
    """Run one benchmark."""
    arguments = parse_arguments()
    match arguments.which:
        case "engine":
            engine.print_speed(arguments.repeats or DEFAULT_REPEAT_COUNT)
        case "picture":
            picture.print_picture_times()
        case "players":
            players.print_win_rates(arguments.games or DEFAULT_GAME_COUNT)
        case "presses":
            presses.print_presses(arguments.games or presses.GAMES_PER_SETUP)
        case "store":
            asyncio.run(store.print_store_rates(arguments.repeats or DEFAULT_REPEAT_COUNT))
        case "grow":
            repeat_count = arguments.repeats or GrowthSettings.repeat_count
            growth_settings = GrowthSettings(
                tuple(arguments.sizes), repeat_count, limit_seconds=arguments.limit
            )
            asyncio.run(growth.print_growth(growth_settings))
        case _:
            seconds = arguments.seconds if arguments.minutes is None else arguments.minutes * 60
            load_settings = LoadSettings(arguments.tables, arguments.rate, seconds, arguments.stored)
            asyncio.run(load.print_load(load_settings))


if __name__ == "__main__":
    main()
