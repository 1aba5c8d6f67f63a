"""Functions that draw for the bot, called with picklable values, in a drawing process if there is one."""

from collections import OrderedDict
from typing import Final

from render import catalogue
from render.gif import Animation
from render.paint import render_png
from render.picture import BOARD, PictureContext
from rules.model import View

MAX_ANIMATIONS: Final = 16
"""The most animated pictures in progress; one more drops the one that has waited longest for a board."""
_BOARD_MILLISECONDS: Final = 1800
"""How long each board but the last is shown, if all fit into ``_MILLISECONDS_BEFORE_LAST_BOARD``."""
_LAST_BOARD_MILLISECONDS: Final = 6000
_MILLISECONDS_BEFORE_LAST_BOARD: Final = 90_000
"""How long all boards but the last are shown together at most, ``_MIN_BOARD_MILLISECONDS`` each at least."""
_MIN_BOARD_MILLISECONDS: Final = 300

_animations: Final[OrderedDict[int, Animation]] = OrderedDict()
"""The animated pictures that are being drawn, by number."""


def draw_png(game_key: str, picture_name: str, view: View, context: PictureContext) -> bytes:
    """Draw a picture of a game, and return it as PNG."""
    return render_png(catalogue.PICTURES[game_key][picture_name].draw(view, context))


def begin_animation(animation_number: int, max_bytes: int) -> None:
    """Begin an animated picture of at most ``max_bytes``, under a number not used before."""
    _animations[animation_number] = Animation(max_bytes)
    if len(_animations) > MAX_ANIMATIONS:
        _animations.popitem(last=False)


def add_board(
    animation_number: int, game_key: str, view: View, context: PictureContext, *, is_last: bool
) -> bool:
    """Draw the next board of an animated picture, or skip it if the picture leaves it out to stay small.

    Return False if the picture was dropped before.
    """
    animation = _animations.get(animation_number)
    if animation is None:
        return False
    _animations.move_to_end(animation_number)
    if animation.wants_next(is_last=is_last):
        animation.add(catalogue.PICTURES[game_key][BOARD].draw(view, context))
    else:
        animation.skip()
    return True


def drop_animation(animation_number: int) -> None:
    """Forget an animated picture that nobody waits for any more."""
    _animations.pop(animation_number, None)


def finish_animation(animation_number: int) -> tuple[bytes, tuple[int, ...]] | None:
    """Return an animated picture's file and the indexes of the boards in it; None if it was dropped."""
    animation = _animations.pop(animation_number, None)
    if animation is None:
        return None
    count_before_last = len(animation.scene_indexes) - 1
    board_milliseconds = min(
        _BOARD_MILLISECONDS,
        max(_MIN_BOARD_MILLISECONDS, _MILLISECONDS_BEFORE_LAST_BOARD // max(1, count_before_last)),
    )
    return animation.encode(
        (*[board_milliseconds] * count_before_last, _LAST_BOARD_MILLISECONDS)
    ), animation.scene_indexes
