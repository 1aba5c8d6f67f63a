"""Private pages as Discord's layouts (Components V2): text, pictures, rows and sections, in this order.

The preview of a marked choice stands above the last row.

A layout has no ``content``, so a mention in one would reach a phone as an empty notification.  Messages that
mention somebody, and all others that are sent through the outbox, are therefore classic messages.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import discord

from bot import limits
from bot.chat.components import Row, Section, discord_item
from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post
from rules.text import shortened

GUARANTEED_TEXT_LENGTH: Final = 1000
"""Up to so many characters a page's own text is not cut, however long its sections are."""

_Item: TypeAlias = discord.ui.Item[Any]


def layout_of(
    post: Post, pictures: Sequence[DrawnPicture] = (), file_names: Sequence[str] = ()
) -> discord.ui.LayoutView:
    """Return a private page; ``file_names``: those of uploads that can be downloaded from it.

    All text together is cut to what Discord takes: first the page's own text, down to
    ``GUARANTEED_TEXT_LENGTH`` characters, then the sections.  Raises ValueError for more than 40 components.
    """
    view = discord.ui.LayoutView(timeout=None)
    view.stop()  # presses are found by their ids; discord.py would keep private views for 15 minutes
    room = limits.COMPONENTS_V2_TEXT - len(post.preview_text)
    sections = [row for row in post.rows if isinstance(row, Section)]
    max_section_length = _max_section_length(sections, room - min(len(post.text), GUARANTEED_TEXT_LENGTH))
    room -= sum(len(shortened(section.full_text, max_section_length)) for section in sections)
    view.add_item(discord.ui.TextDisplay(shortened(post.text, room)))
    for picture in pictures:
        item = discord.MediaGalleryItem(f"attachment://{picture.name}", description=picture.alt or None)
        view.add_item(discord.ui.MediaGallery(item))
    for name in file_names:
        view.add_item(discord.ui.File(f"attachment://{name}"))
    for row in post.rows[:-1]:
        view.add_item(_row_item(row, max_section_length))
    if post.preview_text:
        view.add_item(discord.ui.TextDisplay(post.preview_text))
    for row in post.rows[-1:]:
        view.add_item(_row_item(row, max_section_length))
    return view


def _max_section_length(sections: Sequence[Section], room: int) -> int:
    """Return the most characters of a section with which all of them fit into ``room``."""
    if sum(len(section.full_text) for section in sections) <= room:
        return limits.COMPONENTS_V2_TEXT
    return room // len(sections)


def _row_item(row: Row, max_section_length: int) -> _Item:
    if isinstance(row, Section):
        text = shortened(row.full_text, max_section_length)
        return discord.ui.Section(text, accessory=discord_item(row.button))
    return discord.ui.ActionRow(*(discord_item(part) for part in row))
