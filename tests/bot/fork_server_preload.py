"""What the fork server of ``forked_program.py`` loads before it forks: modules and parts of pictures."""

import bot.operate.commands
import bot.running
import tests.bot.host.playing_process
import tests.bot.operate.killed_process
from render import paint
from render.caption import Caption
from render.catalogue import PICTURES
from render.picture import BOARD, HAND, PictureContext
from rules.catalogue import GAMES
from rules.match import Match
from tests.bot.cached_imports import parse_rules_once

__all__ = ["bot", "tests"]
"""What is imported only to be loaded."""


def draw_first_pictures(key: str, seat_count: int) -> None:
    """Draw the board of a game that begins, and the hand to play, so that no bot draws their parts again."""
    game = GAMES[key]
    match = Match.begin(game, seat_count, game.options_type(), bytes(32))
    caption = Caption(1, ("Ava", "Ben", "Chloé", "Dimitri")[:seat_count])
    paint.render_png(PICTURES[key][BOARD].draw(match.view(None), PictureContext(caption)))
    hand_context = PictureContext(caption, subject=match.to_act)
    paint.render_png(PICTURES[key][HAND].draw(match.view(match.to_act), hand_context))


paint.warm_up()
for first_seat_count in (2, 4):
    draw_first_pictures("currents", first_seat_count)
parse_rules_once()
bot.running.exempt_loaded_objects_from_gc()  # so that no process collects all this again
