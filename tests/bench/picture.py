"""Time to draw pictures: the boards of random games, one after the other.

Ratios are to one encoding of the same pixels as PNG encoders usually do it: all rows at once, unfiltered, at
zlib's default level ("encode alone").  Times are processor time, so that other work on the machine matters
little.
"""

import io
import itertools
import statistics
import time
import zlib

from PIL import Image

from render import paint
from render.catalogue import PICTURES
from render.picture import BOARD, HAND, PLAYER, PictureContext
from rules.catalogue import GAMES
from tests.render.positions import CAPTION, DecisionPoint, decision_points, picture_setups

_WARM_UP = 40
"""Number of first boards and hands that are left out, because they fill the caches (see "first board")."""
_LEVEL = 6
"""The level of the encoding that pictures are compared with: zlib's default."""
_MAX_BOARDS = 400
"""For each setup."""


def _ms(samples: list[float], part: float = 0.5) -> float:
    return sorted(samples)[min(len(samples) - 1, int(len(samples) * part))] * 1000


def _rows_of(picture: bytes) -> bytes:
    """Return the rows that a PNG holds, each led by the filter type "none"."""
    with Image.open(io.BytesIO(picture)) as image:
        pixels, width = image.tobytes(), image.width
    return b"".join(b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))


def _time_first_board(key: str) -> tuple[float, float]:
    """Return the time of a first picture with empty caches, and of composing it alone."""
    state, recent_events, _ = decision_points(picture_setups(GAMES[key])[0], 3)[-1]
    scene = PICTURES[key][BOARD].draw(GAMES[key].view(state, None), PictureContext(CAPTION, recent_events))
    paint.clear_caches()
    start = time.thread_time()
    paint.compose(scene)
    composed = time.thread_time()
    paint.render_png(scene)
    return time.thread_time() - start, composed - start


def print_picture_times() -> None:
    """Print medians, 99th percentiles, ratios and sizes."""
    started = time.thread_time()
    paint.warm_up()
    print(f"warm_up(): {(time.thread_time() - started) * 1000:.0f} ms")
    for key in PICTURES:
        total, composed = _time_first_board(key)
        composing = f"composed after {composed * 1000:.0f} ms"
        print(f"{key}: first board, empty caches: {total * 1000:.0f} ms ({composing})")
        for setup in picture_setups(GAMES[key]):
            played = (stop for seed in range(5, 11) for stop in decision_points(setup, seed))
            _print_game(key, str(setup), list(itertools.islice(played, _MAX_BOARDS)))


def _print_game(key: str, title: str, positions: list[DecisionPoint]) -> None:
    game, pictures = GAMES[key], PICTURES[key]
    paint.clear_caches()
    scenes: list[float] = []
    alone: list[float] = []
    wholes: list[float] = []
    hands: list[float] = []
    sizes: list[int] = []
    for state, recent_events, _ in positions:
        view = game.view(state, None)
        start = time.thread_time()
        scene = pictures[BOARD].draw(view, PictureContext(CAPTION, recent_events))
        drawn = time.thread_time()
        encoded = paint.render_png(scene)
        done = time.thread_time()
        rows = _rows_of(encoded)
        composed = time.thread_time()
        zlib.compress(rows, _LEVEL)
        deflated = time.thread_time()
        scenes.append(drawn - start)
        wholes.append(done - start)
        alone.append(deflated - composed)
        sizes.append(len(encoded))
        actor = game.to_act(state)
        if actor is not None:
            name = HAND if HAND in pictures else PLAYER
            start = time.thread_time()
            context = PictureContext(CAPTION, subject=actor)
            paint.render_png(pictures[name].draw(game.view(state, actor), context))
            hands.append(time.thread_time() - start)
    wholes, alone, hands = wholes[_WARM_UP:], alone[_WARM_UP:], hands[_WARM_UP:]
    ratio = statistics.median(whole / plain for whole, plain in zip(wholes, alone, strict=True))
    print(
        f"{title}: {len(positions)} boards; whole {_ms(wholes):.1f} ms (p99 {_ms(wholes, 0.99):.1f}, "
        f"max {max(wholes) * 1000:.1f}) with the scene's {_ms(scenes):.1f}; "
        f"encode alone {_ms(alone):.1f} ms; ratio {ratio:.2f}; size {statistics.median(sizes) / 1000:.0f} KB "
        f"(max {max(sizes) / 1000:.0f}); hand or own board {_ms(hands):.1f} ms (p99 {_ms(hands, 0.99):.1f})"
    )


if __name__ == "__main__":
    print_picture_times()
