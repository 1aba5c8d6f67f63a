"""The games that go on when one of their players resigns."""

from rules.game import AnyGame
from rules.match import Match
from rules.model import Seat
from tests.bot.host.playing import GAMES_AND_TOYS


def continues_after_resignation(game: AnyGame) -> bool:
    """Return whether a game of its most players goes on when one resigns."""
    match = Match.begin(game, game.player_counts[-1], game.options_type(), bytes(32))
    return match.can_resign(Seat(0)) and not match.resignation_ends_game(Seat(0))


CONTINUING_GAME_KEYS = [key for key, game in GAMES_AND_TOYS.items() if continues_after_resignation(game)]
