"""Random games of every registered game, compared with well-known engines.

Rates are records (moves and chance outcomes) a second: medians of interleaved repeats, and their ratio to
python-chess in the same repeat.  The other engines come with the extra ``bench``.  Times are processor time,
so that other work on the machine matters little.
"""

import importlib
import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.match import Match
from rules.model import CHANCE
from rules.players import RANDOM_PLAYER
from rules.random_stream import RandomStream

PlayGame: TypeAlias = Callable[[random.Random], int]
"""Plays one game to its end and returns its number of records."""
SLICE_SECONDS = 0.4
"""Time for one engine in one repeat."""
CHESS_NAME = "python-chess"
SPIEL_GAMES = ("python_tic_tac_toe", "python_kuhn_poker", "python_block_dominoes", "python_team_dominoes")


def print_speed(repeat_count: int) -> None:
    """Print records a second of all engines; of our games also latencies and the rate of replays."""
    engines = dict(_all_engines())
    for play_game in engines.values():
        play_game(random.Random(0))
    rates: dict[str, list[float]] = {name: [] for name in engines}
    for repeat in range(repeat_count):
        for name, play_game in engines.items():
            rates[name].append(_measure_rate(play_game, random.Random(repeat)))
    chess_rates = rates.get(CHESS_NAME)
    print(f"{'random play':44} {'records/s':>10} {'us each':>8} {'x chess':>8}")
    for name, samples in rates.items():
        median = statistics.median(samples)
        ratio = (
            statistics.median(rate / base_rate for rate, base_rate in zip(samples, chess_rates, strict=True))
            if chess_rates
            else None
        )
        ratio_text = "-" if ratio is None else f"{ratio:.2f}"
        print(f"{name:44} {median:10,.0f} {1e6 / median:8.1f} {ratio_text:>8}")
    for game in GAMES.values():
        _print_latency_and_replay_rate(game)


def _measure_rate(play_game: PlayGame, rng: random.Random) -> float:
    record_count, start = 0, time.thread_time()
    while (spent := time.thread_time() - start) < SLICE_SECONDS:
        record_count += play_game(rng)
    return record_count / spent


def _all_engines() -> Iterator[tuple[str, PlayGame]]:
    for game in GAMES.values():
        for seat_count in game.player_counts_with(game.options_type()):
            yield f"{game.key}, {seat_count} seats, rules alone", partial(_play_by_rules, game, seat_count)
            yield (
                f"{game.key}, {seat_count} seats, through Match",
                partial(_play_through_match, game, seat_count),
            )
    yield from _other_engines()


def _play_by_rules(game: AnyGame, seat_count: int, rng: random.Random) -> int:
    """Play with the game's own functions alone."""
    seed, state = rng.randbytes(32), game.initial_state(seat_count, game.options_type())
    record_count = outcome_count = 0
    while (actor := game.to_act(state)) is not None:
        if actor == CHANCE:
            action = game.sample_chance(state, RandomStream(seed, outcome_count))
            outcome_count += 1
        else:
            legal = game.legal_actions(game.view(state, actor))
            action = legal[int(rng.random() * len(legal))]
        state = game.apply_action(state, action)
        record_count += 1
    return record_count


def _play_through_match(game: AnyGame, seat_count: int, rng: random.Random) -> int:
    """Play through ``Match``, as the bot does."""
    match = Match.begin(game, seat_count, game.options_type(), rng.randbytes(32))
    while (seat := match.to_act) is not None:
        match = match.play(seat, RANDOM_PLAYER.choose(game, match.view(seat), rng))
    return match.ply


def _other_engines() -> Iterator[tuple[str, PlayGame]]:
    try:
        chess: Any = importlib.import_module("chess")
    except ImportError:
        print("SKIPPED python-chess: not installed (pip install '.[bench]')")
    else:
        yield CHESS_NAME, partial(_play_chess, chess)
    try:
        spiel: Any = importlib.import_module("pyspiel")
        importlib.import_module("open_spiel.python.games")
    except ImportError:
        print("SKIPPED open_spiel: not installed (pip install '.[bench]')")
    else:
        for name in SPIEL_GAMES:
            if name in spiel.registered_names():
                yield f"open_spiel {name}", partial(_play_in_spiel, spiel.load_game(name))


def _play_chess(chess: Any, rng: random.Random) -> int:
    board, move_count = chess.Board(), 0
    while move_count < 200 and (legal := list(board.legal_moves)):
        board.push(rng.choice(legal))
        move_count += 1
    return move_count


def _play_in_spiel(game: Any, rng: random.Random) -> int:
    state, record_count = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            action = rng.choices(outcomes, weights)[0]
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)
        record_count += 1
    return record_count


def _print_latency_and_replay_rate(game: AnyGame) -> None:
    """Print the slowest choices, and the rate of replaying compared with playing."""
    rng = random.Random(1)
    times: list[float] = []
    play_seconds = replay_seconds = 0.0
    record_count = 0
    seat_count = max(game.player_counts_with(game.options_type()))
    for _ in range(60):
        seed = rng.randbytes(32)
        start = time.thread_time()
        match = Match.begin(game, seat_count, game.options_type(), seed)
        while (seat := match.to_act) is not None:
            choice_began = time.thread_time()
            match = match.play(seat, RANDOM_PLAYER.choose(game, match.view(seat), rng))
            times.append(time.thread_time() - choice_began)
        play_seconds += time.thread_time() - start
        start = time.thread_time()
        Match.replay(game, seat_count, game.options_type(), seed, match.history)
        replay_seconds += time.thread_time() - start
        record_count += match.ply
    times.sort()
    median, p999 = statistics.median(times), times[int(len(times) * 0.999)]
    print(
        f"{game.key}, {seat_count} seats: a choice with what follows: median {median * 1e6:.0f} us,"
        f" p99.9 {p999 * 1e3:.2f} ms ({p999 / median:.0f}x), worst {times[-1] * 1e3:.2f} ms;"
        f" replay {record_count / replay_seconds:,.0f} records/s"
        f" ({play_seconds / replay_seconds:.2f}x playing)"
    )
