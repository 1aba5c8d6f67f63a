"""How a refusal is said: its reason, and quietly what finds the one line of the log about it."""

import logging
from collections.abc import Mapping
from typing import Final, cast

import discord

from bot import limits
from bot.chat.ids import parse_id
from bot.error_ids import new_error_id
from bot.host.table import Refusal
from rules.text import cut

_KINDS: Final = {
    discord.InteractionType.component: "press",
    discord.InteractionType.modal_submit: "form",
}

_log = logging.getLogger(__name__)


def refusal_text(interaction: discord.Interaction, refusal: Refusal) -> str:
    """The text for the one who was refused; writes the line of the log unless there is one already."""
    error_id = refusal.error_id
    if error_id is None:
        error_id, (kind, table) = new_error_id(), _asked(interaction)
        _log.info(
            "an act is refused",
            extra={
                "ref": error_id,
                "refusal": type(refusal).__name__,
                "kind": kind,
                "table": refusal.table if table is None else table,
            },
        )
    return signed(str(refusal), error_id)


def signed(text: str, error_id: str) -> str:
    """The text with the reference in small print below it, as long as a message may be."""
    last = f"\n-# Reference {error_id}"
    return cut(text, limits.CONTENT - len(last)) + last


def _asked(interaction: discord.Interaction) -> tuple[str, int | None]:
    """What was asked for, in a word of the program's own, and of which table, if that was said."""
    if interaction.command is not None:
        named = interaction.namespace.table
        number = named if isinstance(named, int) else None
        return interaction.command.qualified_name.replace(" ", "."), number
    data = cast("Mapping[str, object]", interaction.data or {})
    pressed = parse_id(str(data.get("custom_id", "")))
    kind = _KINDS.get(interaction.type, "command")
    return (kind, None) if pressed is None else (f"{kind}.{pressed.ask}", pressed.table)
