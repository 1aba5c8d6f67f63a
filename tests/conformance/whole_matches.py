"""One whole match of each game, played by Casual, to its end."""

import random
from functools import cache

from rules.game import AnyGame
from rules.match import Match
from rules.players import CASUAL_PLAYER
from rules.record import Record


@cache
def play_match(game: AnyGame) -> tuple[Match, tuple[Record, ...]]:
    """Return a match of the fewest players that is over, and its records."""
    rng = random.Random(1)
    match = Match.begin(game, game.player_counts[0], game.options_type(), bytes(32))
    records = [*match.new_records]
    while (seat := match.to_act) is not None:
        match = match.play(seat, CASUAL_PLAYER.choose(game, match.view(seat), rng))
        records += match.new_records
    return match, tuple(records)
