"""Recorded history pages and their boards, for tests."""

import io
import random
from functools import cache
from typing import Any, cast

from PIL import Image, ImageChops

from bot.chat import pictures
from bot.chat.components import Button
from bot.chat.post_parts import Post
from bot.chat.response import Response
from bot.host.table import Table
from bot.host.tables import Tables
from bot.store.rows import Status
from render.caption import Caption
from render.paint import render_png
from render.picture import BOARD, PictureContext
from render.scene import Scene
from rules.catalogue import GAMES
from rules.match import Match
from rules.model import Seat
from rules.players import RANDOM_PLAYER
from rules.turns import last_turn_end
from tests.bot.chat.sample_tables import make_table, sample_tables
from tests.bot.host.playing import default_setup, request_of_person
from tests.bot.host.viewer_output import ResponseRecorder, TablesOfOne
from tests.conformance.pictures import ALL_PICTURES

BYSTANDER_SEAT = 6
"""A seat that no game has: who asks from it is a bystander."""


class PageRecorder(ResponseRecorder):
    """Records the posts and pictures of pages as they are."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__()
        self.posts: list[Post] = []
        self.pictures: list[pictures.DrawnPicture] = []

    async def show(self, post: Post, pictures: Any = (), **_: object) -> None:
        """Keep a post and its pictures."""
        self.posts.append(post)
        self.pictures = list(pictures)

    async def defer(self) -> None:
        """Nothing to show yet."""

    @property
    def picture(self) -> pictures.DrawnPicture:
        """The only picture shown last."""
        (only,) = self.pictures
        return only

    def button(self, label: str) -> Button:
        """Return the button of the last post with a label."""
        buttons = [each for row in self.posts[-1].rows if isinstance(row, tuple) for each in row]
        return next(each for each in buttons if isinstance(each, Button) and each.label == label)


async def show_page(
    show: Any, table: Table, requester_seat: int, *arguments: Any, **keywords: Any
) -> PageRecorder:
    """Return what a page of a table shows the player of a seat, or a bystander."""
    recorder = PageRecorder()
    tables = cast("Tables", TablesOfOne(table))
    await show(
        tables,
        cast("Response", recorder),
        table.number,
        request_of_person(requester_seat),
        *arguments,
        **keywords,
    )
    return recorder


@cache
def table_after_turn_of_seat_0(key: str) -> Table:
    """Return a table, early in its game, at which seat 0 has had a turn and somebody has played since."""
    for seed in range(100):
        for table in sorted(sample_tables(key, 8, random.Random(seed)), key=ply_of):
            assert table.match is not None
            turn_end = last_turn_end(table.match.history, Seat(0), table.match.to_act)
            if 0 < turn_end < len(table.match.history):
                return table
    raise AssertionError("no such table")


def ply_of(table: Table) -> int:
    """Return a table's ply."""
    return table.row.ply


def read_frames(data: bytes) -> list[Image.Image]:
    """Return the images of an animated picture."""
    with Image.open(io.BytesIO(data)) as image:
        frames = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            frames.append(image.convert("RGB"))
        return frames


def draw_board(table: Table, end: int, viewer: Seat | None, pill_text: str = "") -> Image.Image:
    """Return the board after so many records, replayed from the first one."""
    with Image.open(
        io.BytesIO(render_png(board_scene(table, replay_to(table, end), viewer, pill_text)))
    ) as image:
        return image.convert("RGB")


def replay_to(table: Table, end: int) -> Match:
    """Return the match after so many records, replayed from the first one."""
    match = table.match
    assert match is not None
    return Match.replay(match.game, match.seat_count, match.options, None, match.history[:end])


def board_scene(table: Table, match: Match, viewer: Seat | None, pill_text: str) -> Scene:
    """Return the scene of the board as a viewer may know it, with this text in its pill."""
    context = PictureContext(Caption(table.number, table.plain_names, pill_text), match.recent_events)
    return ALL_PICTURES[table.game.key][BOARD].draw(match.view(viewer), context)


def is_same_image(image: Image.Image, other: Image.Image) -> bool:
    """Whether two images are equal."""
    return ImageChops.difference(image, other).getbbox() is None


def finished_table() -> Table:
    """Return a table of Currents whose game is over."""
    setup = default_setup(GAMES["currents"])
    rng = random.Random(5)
    match = Match.begin(setup.game, setup.seat_count, setup.options, rng.randbytes(32))
    while (seat := match.to_act) is not None:
        match = match.play(seat, RANDOM_PLAYER.choose(setup.game, match.view(seat), rng))
    return make_table(setup, match).with_row(status=Status.OVER)
