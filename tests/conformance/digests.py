"""One line of digests per game, for comparing processes: ``python -m tests.conformance.digests 10``.

With ``defects`` behind the count it is the guide's games alone, with two defects that must show: the order of
a set of texts in the narration, the time in a picture's caption.
"""

import hashlib
import sys
import time
from collections.abc import Iterator
from typing import Final

import msgspec

from render.caption import Caption
from render.paint import render_png
from render.picture import BOARD, PictureContext
from rules.catalogue import GAMES
from rules.matchfile import make_match_file, write_match_file
from tests.conformance.pictures import ALL_PICTURES
from tests.conformance.random_games import PlayedGame, longest_names, play_through
from tests.conformance.setups import all_games, covering_setups, short_covering_setups
from tests.docs.game_guide import TOY_GAMES
from tests.trials import IS_SOAK

_RECORD_CAP: Final = None if IS_SOAK else 80
"""Records after which a match stops in ``make test``."""
_PAINTED_GAME_KEYS: Final = (next(iter(GAMES)), *TOY_GAMES)
"""The games whose pictures are painted in ``make test``; of the others their scenes are compared."""


def digest_games(count: int, *, with_defects: bool = False) -> Iterator[str]:
    """Yield digests for every game: of ``count`` matches with their narration, and of a picture of each."""
    for game in TOY_GAMES.values() if with_defects else all_games():
        setups = covering_setups(game) if IS_SOAK else short_covering_setups(game)
        matches_digest = hashlib.blake2b(digest_size=16)
        pictures_digest = hashlib.blake2b(digest_size=16)
        for number in range(count):
            played = play_through(setups[number % len(setups)], number, _RECORD_CAP)
            observed = _observed_text(played)
            matches_digest.update((",".join(set(observed.split())) if with_defects else observed).encode())
            view = game.view(played.transitions[-1 - number % len(played.transitions)].after, None)
            caption_number = time.time_ns() % 10**6 if with_defects else number
            caption = Caption(caption_number, longest_names(played.setup.seat_count))
            scene = ALL_PICTURES[game.key][BOARD].draw(view, PictureContext(caption, view.position.trail))
            pictures_digest.update(msgspec.msgpack.encode(scene))
            if IS_SOAK or game.key in _PAINTED_GAME_KEYS:
                pictures_digest.update(render_png(scene))
        yield f"{game.key} {matches_digest.hexdigest()} {pictures_digest.hexdigest()}"


def _observed_text(played: PlayedGame) -> str:
    match, names = played.match, longest_names(played.setup.seat_count)
    texts = [line.text for viewer in played.viewers for line in match.log_lines(viewer, names)]
    seed = played.seed if match.is_over else None
    file_text = write_match_file(make_match_file(match, played.records, "digests", seed=seed))
    return "\n".join([file_text, match.digest(), match.snapshot().hex(), *texts])


if __name__ == "__main__":
    print("\n".join(digest_games(int(sys.argv[1]), with_defects="defects" in sys.argv[2:])))
