"""Buttons and selects: what they carry and how they are made.

A custom id is ``c1:<table>:<ply>:<verb>:<argument>``: which table, offered at which ply, and what to do.
The id grants no right.  After the n-th restored backup, ``r<n>`` replaces ``c1`` in the ids of new tables and
of those that went back, so that an older button is recognised.  A prefix is never reused for another meaning.
"""

import re
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import discord
import msgspec

from bot import limits
from rules.text import shortened

ID_PREFIX: Final = "c1"
ID_PATTERN: Final = re.compile(
    r"(?:c1|r(?P<generation>[1-9]\d{0,2})):(?P<table>\d{1,7}):(?P<ply>\d{1,9}):(?P<verb>[a-z]{1,6}):(?P<argument>[^\n]{0,80})"
)


class CustomId(msgspec.Struct, frozen=True):
    """The parsed custom id of a button, select or modal."""

    table_number: int
    ply: int
    verb: str
    argument: str = ""
    """What the verb applies to: an action, an option, a page, or nothing."""
    generation: int = 0
    """The generation of its table (``TableRow.generation``): the n of ``r<n>``, or 0."""

    def __str__(self) -> str:
        """Return the custom id.  Raises ValueError if Discord would not take it."""
        prefix = f"r{self.generation}" if self.generation else ID_PREFIX
        text = f"{prefix}:{self.table_number}:{self.ply}:{self.verb}:{self.argument}"
        if len(text) > limits.CUSTOM_ID or ID_PATTERN.fullmatch(text) is None:
            raise ValueError(f"no custom id: {text!r}")
        return text

    @property
    def is_possible(self) -> bool:
        """Whether Discord would take the custom id."""
        try:
            str(self)
        except ValueError:
            return False
        return True


def parse_custom_id(text: str) -> CustomId | None:
    """Return the parsed custom id; None if it is not in the bot's format."""
    match = ID_PATTERN.fullmatch(text)
    if match is None:
        return None
    return CustomId(
        int(match["table"]),
        int(match["ply"]),
        match["verb"],
        match["argument"],
        int(match["generation"] or 0),
    )


class Button(msgspec.Struct, frozen=True):
    """A button: its label and its custom id."""

    label: str
    custom_id: CustomId
    style: discord.ButtonStyle = discord.ButtonStyle.secondary
    disabled: bool = False


class Select(msgspec.Struct, frozen=True):
    """A select: (label, value, description) of each option."""

    placeholder: str
    custom_id: CustomId
    options: tuple[tuple[str, str, str], ...]


class Section(msgspec.Struct, frozen=True):
    """A row of a private page: a choice, what it does, and its button beside them."""

    text: str
    hint: str
    """Small print below the text; empty: none."""
    button: Button

    @property
    def full_text(self) -> str:
        """Return the text with the hint in small print below it."""
        hint = " ".join(self.hint.split())
        return f"{self.text}\n-# {hint}" if hint else self.text


Row: TypeAlias = tuple[Button | Select, ...] | Section
"""One row of a message: up to five buttons, one select, or a section."""


def classic_view(rows: Sequence[Row]) -> discord.ui.View:
    """Return the view of a classic message, row by row; labels are cut to what Discord takes.

    Raises TypeError for a section, which only a private page can have.
    """
    view = discord.ui.View(timeout=None)
    view.stop()  # presses are found by their ids; discord.py would keep private views for 15 minutes
    for number, row in enumerate(rows):
        if isinstance(row, Section):
            raise TypeError("only a private page can have a section")
        for part in row:
            view.add_item(discord_item(part, number))
    return view


def discord_item(part: Button | Select, row: int | None = None) -> discord.ui.Item[Any]:
    """Return a button or select as an item of discord.py; texts are cut to what Discord takes."""
    if isinstance(part, Button):
        return discord.ui.Button(
            label=shortened(part.label, limits.BUTTON_LABEL),
            custom_id=str(part.custom_id),
            style=part.style,
            disabled=part.disabled,
            row=row,
        )
    options = [
        discord.SelectOption(
            label=shortened(label, limits.OPTION_LABEL),
            value=value,
            description=shortened(hint, limits.OPTION_DESCRIPTION) or None,
        )
        for label, value, hint in part.options
    ]
    return discord.ui.Select(
        custom_id=str(part.custom_id),
        placeholder=shortened(part.placeholder, limits.SELECT_PLACEHOLDER),
        options=options,
        row=row,
    )
