"""How long a picture takes: the boards of random games, one after the other.

Ratios are against deflating the same pixels in one go at the same level ("encode alone").
"""

import statistics
import time
import zlib
from typing import Any

from render import encode, paint
from render.gallery import PICTURES
from rules.catalogue import GAMES
from rules.game import Event
from tests.render.played import CAPTION, SETTINGS, stops

_COLD = 10
"""The first boards and hands of a process are left out: they fill the caches (see "first board")."""


def _ms(samples: list[float], part: float = 0.5) -> float:
    return sorted(samples)[min(len(samples) - 1, int(len(samples) * part))] * 1000


def _first(key: str) -> tuple[float, float]:
    """Time of a first picture with empty caches, and of the same scene's first composing only."""
    state, since = stops(*SETTINGS[0], 3)[-1]
    scene = PICTURES[key].board(GAMES[key].view(state, None), since, CAPTION)
    paint.forget()
    start = time.perf_counter()
    rows = paint.compose(scene)
    composed = time.perf_counter()
    encode.encode(rows, scene.width, scene.height, paint.PALETTE)
    return time.perf_counter() - start, composed - start


def run() -> None:
    """Print medians, 99th percentiles, ratios and sizes."""
    started = time.perf_counter()
    paint.warm()
    print(f"warm(): {(time.perf_counter() - started) * 1000:.0f} ms")
    total, composed = _first("currents")
    print(f"first board, empty caches: {total * 1000:.0f} ms (composed after {composed * 1000:.0f} ms)")
    for seats, options in SETTINGS:
        games = [stop for seed in range(5, 11) for stop in stops(seats, options, seed)]
        _game(f"{options.board.value}, {seats} seats", games)


def _game(title: str, positions: list[tuple[Any, tuple[Event, ...]]]) -> None:
    game, pictures = GAMES["currents"], PICTURES["currents"]
    paint.forget()
    scenes: list[float] = []
    composes: list[float] = []
    bands: list[float] = []
    alone: list[float] = []
    wholes: list[float] = []
    hands: list[float] = []
    sizes: list[int] = []
    for state, since in positions:
        view = game.view(state, None)
        start = time.perf_counter()
        scene = pictures.board(view, since, CAPTION)
        drawn = time.perf_counter()
        rows = paint.compose(scene)
        composed = time.perf_counter()
        png = encode.encode(rows, scene.width, scene.height, paint.PALETTE)
        done = time.perf_counter()
        zlib.compress(rows, encode.LEVEL)
        deflated = time.perf_counter()
        scenes.append(drawn - start)
        composes.append(composed - drawn)
        bands.append(done - composed)
        wholes.append(done - start)
        alone.append(deflated - done)
        sizes.append(len(png))
        actor = game.to_act(state)
        if actor is not None:
            start = time.perf_counter()
            paint.picture(pictures.hand(game.view(state, actor), CAPTION))
            hands.append(time.perf_counter() - start)
    wholes, alone, hands = wholes[_COLD:], alone[_COLD:], hands[_COLD:]
    ratio = statistics.median(whole / plain for whole, plain in zip(wholes, alone, strict=True))
    print(
        f"{title}: {len(positions)} boards; whole {_ms(wholes):.1f} ms (p99 {_ms(wholes, 0.99):.1f}, "
        f"max {max(wholes) * 1000:.1f}) = scene {_ms(scenes):.1f} + compose {_ms(composes):.1f} + "
        f"bands {_ms(bands):.1f}; "
        f"encode alone {_ms(alone):.1f} ms; ratio {ratio:.2f}; size {statistics.median(sizes) / 1000:.0f} KB "
        f"(max {max(sizes) / 1000:.0f}); hand {_ms(hands):.1f} ms (p99 {_ms(hands, 0.99):.1f})"
    )


if __name__ == "__main__":
    run()
