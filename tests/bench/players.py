"""How the computer players do against each other, and how long they take to choose.

One player of the first kind sits among players of the second, as few as the game allows: seats rotated, the
first player drawn by lot, a shared win divided.  Times are processor time.
"""

import random
import time
from dataclasses import dataclass, field

from rules.catalogue import GAMES
from rules.game import AnyGame
from rules.match import Match
from rules.model import Seat
from rules.players import COMPUTER_PLAYERS


@dataclass
class Series:
    """The results of a series of games between two players."""

    game_count: int = 0
    wins: float = 0.0
    """Of the first player; a win shared by two counts half."""
    record_count: int = 0
    choice_seconds: list[float] = field(default_factory=list)
    """Processor time of each choice of the first player."""

    @property
    def win_rate(self) -> float:
        """The share of the games that the first player won."""
        return self.wins / self.game_count

    def choice_seconds_quantile(self, share: float) -> float:
        """Return the time, in seconds, that this share of the choices did not exceed."""
        ordered = sorted(self.choice_seconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def play_series(game: AnyGame, first: str, second: str, game_count: int, seed: int = 1) -> Series:
    """Play games of one player of the first kind among players of the second, seats rotated."""
    series = Series()
    choose_first, choose_second = COMPUTER_PLAYERS[first].choose, COMPUTER_PLAYERS[second].choose
    for number in range(game_count):
        rng = random.Random(f"{seed}/{number}")
        seat_count = game.player_counts[0]
        seat = Seat(number % seat_count)
        players = [choose_second] * seat_count
        players[seat] = choose_first
        match = Match.begin(game, seat_count, game.options_type(), rng.randbytes(32))
        while (actor := match.to_act) is not None:
            view = match.view(actor)
            start = time.thread_time()
            action = players[actor](game, view, rng)
            if actor == seat:
                series.choice_seconds.append(time.thread_time() - start)
            match = match.play(actor, action)
        winners = match.returns().winners
        series.game_count += 1
        series.wins += (seat in winners) / len(winners)
        series.record_count += len(match.history)
    return series


def print_win_rates(game_count: int) -> None:
    """Print how often Casual wins against Random, a line for each game."""
    for game in GAMES.values():
        series = play_series(game, "casual", "random", game_count)
        median, p99, worst = (series.choice_seconds_quantile(share) * 1e3 for share in (0.5, 0.99, 1))
        print(
            f"{game.key}: Casual wins {series.win_rate:.1%} of {series.game_count} games against Random"
            f" ({series.record_count / series.game_count:.0f} records a game); a choice: median"
            f" {median:.2f} ms, p99 {p99:.2f} ms, worst {worst:.2f} ms"
        )
