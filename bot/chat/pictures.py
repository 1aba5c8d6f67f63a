"""A game's pictures as PNG, drawn off the event loop."""

import hashlib
import io
from functools import cached_property, partial
from typing import Final

import discord
import msgspec

from bot import drawing, limits
from bot.chat.drawing_queue import draw_in_queue
from bot.host import game_calls, game_workers, previews
from bot.host.game_guard import GameGuard, guarded
from bot.host.table import Table
from bot.store.rows import Status
from bot.store.seat_rows import SeatRow
from bot.summary import describe_summary, prepare_summary, render_summary
from render import catalogue
from render.caption import Caption
from render.catalogue import (
    choose_picture_name,
    choose_preview_picture_name,
    has_reporting_pictures,
    reporting_picture_names,
)
from render.picture import BOARD, HAND, OWN_BOARD, PictureContext
from render.summary import SUMMARY, SummaryContent
from rules.model import Action, Seat, View
from rules.text import shortened

_HALTED_PILL_TEXTS: Final = {
    Status.PAUSED: "Paused",
    Status.FROZEN: "Frozen",
    Status.ENDED_EARLY: "Ended early",
}
"""What a board says in its pill in place of whose turn it is, while nobody can play."""


_PREVIEW_STATUS: Final = "The board after this move."
"""In the description of a preview, in place of whose turn it would be."""


class _PictureFile(discord.File):
    """An upload whose bytes are let go once it was sent.

    ``discord.File.close`` leaves the file open, and refers from it to itself: the bytes would stay in memory
    until a full garbage collection.
    """

    __slots__ = ()

    def close(self) -> None:
        """Close the file too."""
        super().close()
        self.fp.close()


class DrawnPicture(msgspec.Struct, frozen=True, dict=True):
    """A picture as a file, PNG or GIF, with its alt text."""

    name: str
    data: bytes
    alt: str
    text: str = ""
    """What stands in its place for who wants text only; empty: the alt text."""

    @cached_property
    def digest(self) -> bytes:
        """The hash by which equal pictures are recognised: of name, alt text and bytes."""
        name_and_alt = f"{self.name}\0{self.alt}\0".encode("utf-8", "surrogatepass")
        return hashlib.sha256(name_and_alt + self.data).digest()

    def to_file(self) -> discord.File:
        """Return a fresh upload: each can be sent once."""
        return _PictureFile(io.BytesIO(self.data), filename=self.name, description=self.alt)


@guarded
def has_picture(table: Table, name: str) -> bool:
    """Whether the table's game has a picture of this name."""
    return name in catalogue.PICTURES[table.game.key]


async def draw_board_picture(table: Table) -> DrawnPicture:
    """Draw the board as a bystander sees it, with the last move's changes marked.

    It says if the game has ended early.  The board of a paused or frozen game shows whose turn it is: a new
    picture would take a new upload.
    """
    return await (
        draw_board_picture_with_status(table)
        if table.status is Status.ENDED_EARLY
        else _draw_board(table, "")
    )


async def draw_board_picture_with_status(table: Table) -> DrawnPicture:
    """Draw the board as a bystander sees it; while nobody can play, its pill and its alt text say so."""
    drawn_picture = await _draw_board(table, halted_pill_text(table))
    alt = shortened(game_calls.private_page_alt_text(table), limits.ALT_TEXT)
    return msgspec.structs.replace(drawn_picture, alt=alt)


def halted_pill_text(table: Table) -> str:
    """Return what the pill of the present board says while nobody can play; else empty."""
    return _HALTED_PILL_TEXTS.get(table.status, "")


async def _draw_board(table: Table, pill_text: str) -> DrawnPicture:
    """Draw the board as a bystander sees it; ``pill_text``: in place of whose turn it is, unless empty."""
    assert table.match is not None
    context = PictureContext(_caption(table, pill_text), table.match.recent_events)
    return await _draw(table, BOARD, game_calls.view(table, None), context)


async def draw_past_board_picture(past_table: Table, viewer: Seat | None, pill_text: str) -> DrawnPicture:
    """Draw a former board as a viewer may see it; its caption shows ``pill_text``, not whose turn it is."""
    match = past_table.match
    assert match is not None
    history_length = len(match.history)
    past_table = past_table.with_row(seats=tuple(_seat_at(row, history_length) for row in past_table.seats))
    context = PictureContext(_caption(past_table, pill_text), match.recent_events)
    drawn_picture = await _draw(past_table, BOARD, game_calls.view(past_table, viewer), context)
    return msgspec.structs.replace(
        drawn_picture, alt=shortened(f"{pill_text}. {drawn_picture.alt}", limits.ALT_TEXT)
    )


def _seat_at(row: SeatRow, history_length: int) -> SeatRow:
    """Return a seat as it was after ``history_length`` records: its name then, no later computer player."""
    index = max(0, history_length - 1)
    name, is_former = row.name_at(index), any(index < each.end_index for each in row.earlier_players)
    substitute_start = (
        row.substitute_only_turn_start if row.substituted_since_index is None else row.substituted_since_index
    )
    return msgspec.structs.replace(
        row,
        name=name,
        computer=None if is_former else row.computer,
        substitute=None if substitute_start is None or history_length < substitute_start else row.substitute,
    )


async def draw_summary_picture(table: Table) -> DrawnPicture:
    """Draw the summary of a game that is over."""

    def prepare() -> SummaryContent:
        assert table.match is not None
        with GameGuard(table.number):
            return prepare_summary(table.match, _caption(table), catalogue.PICTURES[table.game.key])

    content = await game_workers.run_game_work(table, prepare, in_worker=True)
    data = await draw_in_queue(table.row, partial(render_summary, content))
    return DrawnPicture(f"{SUMMARY}.png", data, describe_summary(content))


async def draw_reporting_pictures(table: Table) -> tuple[DrawnPicture, ...]:
    """Draw the pictures beside the board that report what has just happened; often there are none.

    They are those that report something since a person's last finished turn began.  Each is drawn as a
    bystander sees it, with the events of the newest turn.
    """
    view, context = game_calls.view(table, None), _context(table)
    with GameGuard(table.number):
        pictures_by_name = catalogue.PICTURES[table.game.key]
        if not has_reporting_pictures(pictures_by_name):
            return ()
        picture_names = reporting_picture_names(pictures_by_name, view, game_calls.new_events(table))
    return tuple([await _draw(table, name, view, context) for name in picture_names])


async def draw_hand_picture(table: Table, seat: Seat) -> DrawnPicture:
    """Draw what a seat holds.  The game must have such a picture."""
    return await _draw(table, HAND, game_calls.view(table, seat), _context(table, subject=seat))


async def draw_player_board_picture(table: Table, viewer: Seat | None, subject: Seat) -> DrawnPicture:
    """Draw ``subject``'s own board as ``viewer`` may see it.  The game must have such a picture."""
    return await _draw(table, OWN_BOARD, game_calls.view(table, viewer), _context(table, subject=subject))


async def draw_choice_picture(table: Table, seat: Seat, choices: tuple[Action, ...]) -> DrawnPicture:
    """Draw the picture from which a seat chooses, with its ``choices`` marked.

    The text in place of a hand tells the board too, since the board in the channel is a picture.
    """
    view = game_calls.view(table, seat)
    with GameGuard(table.number):
        pictures_by_name = catalogue.PICTURES[table.game.key]
        name = choose_picture_name(pictures_by_name, view, choices)
        subject = seat if pictures_by_name[name].shows_one_seat else None
    drawn_picture = await _draw(table, name, view, _context(table, subject=subject, choices=choices))
    if not pictures_by_name[name].is_secret:
        return drawn_picture
    return msgspec.structs.replace(
        drawn_picture, text=f"{drawn_picture.alt}\n\n{game_calls.alt_text(table, view)}"
    )


async def draw_preview_picture(table: Table, seat: Seat, action: Action) -> DrawnPicture:
    """Draw the picture that shows what an action leads to, before chance, as far as its actor can know it.

    Its description asks nobody to play.
    """
    board = previews.board_after(table, seat, action)
    with GameGuard(table.number):
        pictures_by_name = catalogue.PICTURES[table.game.key]
        name = choose_preview_picture_name(pictures_by_name, action)
        shows_one_seat = pictures_by_name[name].shows_one_seat
    caption = _caption(table, "Preview")
    context = PictureContext(caption, board.events, seat if shows_one_seat else None)
    drawn_picture = await _draw(table, name, board.view, context)
    text = drawn_picture.alt
    if not shows_one_seat:
        text = game_calls.alt_text(table, board.view, _PREVIEW_STATUS if board.asks_seat else "")
    alt = f"{caption.pill_text}, not played yet. {text}"
    return msgspec.structs.replace(drawn_picture, alt=shortened(alt, limits.ALT_TEXT))


def _caption(table: Table, pill_text: str = "") -> Caption:
    return Caption(table_number=table.number, names=table.plain_names, pill_text=pill_text)


def _context(
    table: Table, *, subject: Seat | None = None, choices: tuple[Action, ...] = ()
) -> PictureContext:
    assert table.match is not None
    return PictureContext(_caption(table), table.match.recent_events, subject, choices)


async def _draw(table: Table, name: str, view: View, context: PictureContext) -> DrawnPicture:
    """Draw a picture in its game's queue.  Raises what ``DrawingQueue.draw`` does."""
    with GameGuard(table.number):
        picture = catalogue.PICTURES[table.game.key][name]

    data = await draw_in_queue(table.row, partial(drawing.draw_png, table.game.key, name, view, context))
    with GameGuard(table.number):
        if picture.is_secret and view.viewer is not None:
            alt = game_calls.hand_text(table, view.viewer, table.isolated_names)
        else:
            alt = game_calls.alt_text(table, view)
    if picture.shows_one_seat and not picture.is_secret and context.subject is not None:
        names = table.isolated_names
        own_text = game_calls.own_board_text(table, view.viewer, context.subject, names)
        alt = f"{names[context.subject]}'s board. {own_text or alt}"
    elif name != BOARD and not picture.is_secret:
        alt = game_calls.picture_text(table, view, name) or f"{name.capitalize()}. {alt}"
    return DrawnPicture(f"{name}.png", data, shortened(alt, limits.ALT_TEXT))
