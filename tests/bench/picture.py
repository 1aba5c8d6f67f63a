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
from render.picture import BOARD, HAND, OWN_BOARD, PictureContext
from rules.catalogue import GAMES
from tests.render.decision_points import CAPTION, DecisionPoint, decision_points, picture_setups

_WARM_UP_COUNT = 40
"""Number of first boards and hands that are left out, because they fill the caches (see "first board")."""
_PLAIN_LEVEL = 6
"""The level of the encoding that pictures are compared with: zlib's default."""
_MAX_BOARDS_PER_SETUP = 400


def _quantile_ms(samples: list[float], quantile: float = 0.5) -> float:
    return sorted(samples)[min(len(samples) - 1, int(len(samples) * quantile))] * 1000


def _rows_of(picture: bytes) -> bytes:
    """Return the rows that a PNG holds, each led by the filter type "none"."""
    with Image.open(io.BytesIO(picture)) as image:
        pixels, width = image.tobytes(), image.width
    return b"".join(b"\0" + pixels[start : start + width] for start in range(0, len(pixels), width))


def _time_first_board(key: str) -> tuple[float, float]:
    """Return the time of a first picture with empty caches, and of composing it alone."""
    state, recent_events, _ = list(decision_points(picture_setups(GAMES[key])[0], 3))[-1]
    scene = PICTURES[key][BOARD].draw(GAMES[key].view(state, None), PictureContext(CAPTION, recent_events))
    paint.clear_caches()
    start = time.thread_time()
    paint.draw_filtered_rows(scene)
    composed_at = time.thread_time()
    paint.render_png(scene)
    return time.thread_time() - start, composed_at - start


def print_picture_times() -> None:
    """Print medians, 99th percentiles, ratios and sizes."""
    started_at = time.thread_time()
    paint.warm_up()
    print(f"warm_up(): {(time.thread_time() - started_at) * 1000:.0f} ms")
    for key in PICTURES:
        whole_ms, composing_ms = (seconds * 1000 for seconds in _time_first_board(key))
        print(f"{key}: first board, empty caches: {whole_ms:.0f} ms (composed after {composing_ms:.0f} ms)")
        for setup in picture_setups(GAMES[key]):
            points = (point for seed in range(5, 11) for point in decision_points(setup, seed))
            _print_setup(key, str(setup), list(itertools.islice(points, _MAX_BOARDS_PER_SETUP)))


def _print_setup(key: str, title: str, points: list[DecisionPoint]) -> None:
    game, pictures = GAMES[key], PICTURES[key]
    paint.clear_caches()
    scene_times: list[float] = []
    plain_times: list[float] = []
    whole_times: list[float] = []
    hand_times: list[float] = []
    sizes: list[int] = []
    for state, recent_events, _ in points:
        view = game.view(state, None)
        start = time.thread_time()
        scene = pictures[BOARD].draw(view, PictureContext(CAPTION, recent_events))
        scene_done_at = time.thread_time()
        picture = paint.render_png(scene)
        picture_done_at = time.thread_time()
        rows = _rows_of(picture)
        rows_done_at = time.thread_time()
        zlib.compress(rows, _PLAIN_LEVEL)
        plain_done_at = time.thread_time()
        scene_times.append(scene_done_at - start)
        whole_times.append(picture_done_at - start)
        plain_times.append(plain_done_at - rows_done_at)
        sizes.append(len(picture))
        actor = game.to_act(state)
        if actor is not None:
            picture_name = HAND if HAND in pictures else OWN_BOARD
            start = time.thread_time()
            context = PictureContext(CAPTION, subject=actor)
            paint.render_png(pictures[picture_name].draw(game.view(state, actor), context))
            hand_times.append(time.thread_time() - start)
    whole_times, plain_times, hand_times = (
        whole_times[_WARM_UP_COUNT:],
        plain_times[_WARM_UP_COUNT:],
        hand_times[_WARM_UP_COUNT:],
    )
    ratio = statistics.median(whole / plain for whole, plain in zip(whole_times, plain_times, strict=True))
    print(
        f"{title}: {len(points)} boards; whole {_quantile_ms(whole_times):.1f} ms"
        f" (p99 {_quantile_ms(whole_times, 0.99):.1f}, max {max(whole_times) * 1000:.1f})"
        f" with the scene's {_quantile_ms(scene_times):.1f};"
        f" encode alone {_quantile_ms(plain_times):.1f} ms; ratio {ratio:.2f};"
        f" size {statistics.median(sizes) / 1000:.0f} KB (max {max(sizes) / 1000:.0f});"
        f" hand or own board {_quantile_ms(hand_times):.1f} ms (p99 {_quantile_ms(hand_times, 0.99):.1f})"
    )
