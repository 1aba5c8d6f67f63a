"""Benchmarks: ``python -m tests.bench WHICH``.  They print numbers and have no limits."""

import argparse
import asyncio

from tests.bench import engine, load, move, picture, players, store, taps

PLAYER_GAMES = 1000


def main() -> None:
    """Run one benchmark."""
    parser = argparse.ArgumentParser(prog="tests.bench", description=__doc__)
    parser.add_argument("which", choices=("engine", "picture", "move", "store", "players", "taps", "load"))
    parser.add_argument("--repeats", type=int, default=5, help="interleaved repeats (engine, store)")
    parser.add_argument("--tables", type=int, default=50, help="games at once (move, load)")
    parser.add_argument("--rate", type=float, default=20.0, help="a second: moves (move), presses (load)")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long (move, load)")
    parser.add_argument("--games", type=int, help="games for each game (players), for each setting (taps)")
    chosen = parser.parse_args()
    match chosen.which:
        case "engine":
            engine.print_rates(chosen.repeats)
        case "picture":
            picture.print_picture_times()
        case "players":
            players.print_players(chosen.games or PLAYER_GAMES)
        case "taps":
            taps.print_taps(chosen.games or taps.GAMES_PER_SETTING)
        case "store":
            asyncio.run(store.print_store_rates(chosen.repeats))
        case "load":
            asyncio.run(load.print_load(chosen.tables, chosen.rate, chosen.seconds))
        case _:
            asyncio.run(move.print_move_latency(chosen.tables, chosen.rate, chosen.seconds))


if __name__ == "__main__":
    main()
