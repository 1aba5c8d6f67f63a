"""The components of posts for tests: as Discord gets them, and as the bot has them."""

from collections.abc import Sequence
from typing import Any

from discord.ui.view import BaseView

from bot.chat.components import Button, Select
from bot.chat.layouts import layout_of
from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post


def layout_components(post: Post, pictures: Sequence[DrawnPicture] = ()) -> list[dict[str, Any]]:
    """Return the components of a post as a private page."""
    view: BaseView = layout_of(post, pictures)
    return view.to_components()


def components_by_row(post: Post) -> list[list[Button | Select]]:
    """Return the buttons and selects of a post by row."""
    return [list(row) if isinstance(row, tuple) else [row.button] for row in post.rows]


def buttons_of(post: Post) -> list[Button]:
    """Return the buttons of a post, those beside its sections too."""
    return [part for row in components_by_row(post) for part in row if isinstance(part, Button)]


def button_labels(post: Post) -> list[str]:
    """Return the labels of the buttons of a post."""
    return [button.label for button in buttons_of(post)]
