"""Refused requests: what their users read, and their line in the log."""

import logging
from collections.abc import Mapping
from typing import Final, cast

import discord

from bot import limits
from bot.chat.components import parse_custom_id
from bot.chat.interaction import Interaction, table_option_of
from bot.host.request import Refusal
from rules.text import shortened

_INTERACTION_KINDS: Final = {
    discord.InteractionType.component: "press",
    discord.InteractionType.modal_submit: "form",
}

_log = logging.getLogger(__name__)


def refusal_text(refusal: Refusal) -> str:
    """Return the text for the one who was refused, with a reference if a fault is behind it."""
    text = str(refusal)
    return text if refusal.error_id is None else with_reference(text, refusal.error_id)


def record_refusal(interaction: Interaction, refusal: Refusal) -> None:
    """Count a refusal, and log it unless that is done already."""
    interaction.client.host.metrics.refusals.labels(type(refusal).__name__).inc()
    if refusal.is_logged_already:
        return
    kind, table_number = _request_kind_and_table_number(interaction)
    _log.info(
        "request refused",
        extra={
            "refusal": type(refusal).__name__,
            "kind": kind,
            "table": refusal.table_number if table_number is None else table_number,
        },
    )


def with_reference(text: str, error_id: str) -> str:
    """Return the text with the reference in small print below it, as long as a message may be."""
    last_line = f"\n-# Reference {error_id}"
    return shortened(text, limits.CONTENT - len(last_line)) + last_line


def _request_kind_and_table_number(interaction: Interaction) -> tuple[str, int | None]:
    """Return the kind of a request for the log ("press.play"), and the number of its table if given."""
    if interaction.command is not None:
        return interaction.command.qualified_name.replace(" ", "."), table_option_of(interaction)
    data = cast("Mapping[str, object]", interaction.data or {})
    custom_id = parse_custom_id(str(data.get("custom_id", "")))
    kind = _INTERACTION_KINDS.get(interaction.type, "command")
    return (kind, None) if custom_id is None else (f"{kind}.{custom_id.verb}", custom_id.table_number)
