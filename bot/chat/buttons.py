"""Buttons and selects.  One dynamic item serves every one of them, of every table, for ever."""

from collections.abc import Mapping, Sequence
from typing import Any, Self, cast

import discord
import msgspec

from bot import limits
from bot.chat.ids import TEMPLATE, ButtonId, parse_id
from rules.text import cut


class Key(msgspec.Struct, frozen=True):
    """A button to be: its label and what it asks for."""

    label: str
    id: ButtonId
    style: discord.ButtonStyle = discord.ButtonStyle.secondary
    disabled: bool = False


class Menu(msgspec.Struct, frozen=True):
    """A select to be: (label, value, description) of each option."""

    placeholder: str
    id: ButtonId
    options: tuple[tuple[str, str, str], ...]


class TableItem(discord.ui.DynamicItem[discord.ui.Item[discord.ui.View]], template=TEMPLATE):
    """Any button or select of ours; the client's router handles it."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: object
    ) -> Self:
        """Take up a pressed component; everything else is in the interaction."""
        del interaction, match
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand over to the router of the client (a TableClient: discord.py's signature says any)."""
        data = cast("Mapping[str, object]", interaction.data)
        asked = parse_id(str(data["custom_id"]))
        assert asked is not None, "the template has matched"
        values = cast("Sequence[object]", data.get("values", ()))
        await interaction.client.router.press(interaction, asked, [str(value) for value in values])


def view_of(rows: Sequence[Sequence[Key | Menu]]) -> discord.ui.View:
    """A view of dynamic items, row by row; labels are cut to what Discord takes."""
    view = discord.ui.View(timeout=None)
    view.stop()  # items are found by template; discord.py would keep private ones for 15 minutes
    for row, keys in enumerate(rows):
        for key in keys:
            view.add_item(TableItem(_component(key, row)))
    return view


def _component(key: Key | Menu, row: int) -> discord.ui.Item[discord.ui.View]:
    if isinstance(key, Key):
        return discord.ui.Button(
            label=cut(key.label, limits.BUTTON_LABEL),
            custom_id=str(key.id),
            style=key.style,
            disabled=key.disabled,
            row=row,
        )
    options = [
        discord.SelectOption(
            label=cut(label, limits.OPTION_LABEL),
            value=value,
            description=cut(hint, limits.OPTION_DESCRIPTION) or None,
        )
        for label, value, hint in key.options
    ]
    return discord.ui.Select(
        custom_id=str(key.id),
        placeholder=cut(key.placeholder, limits.SELECT_PLACEHOLDER),
        options=options,
        row=row,
    )
