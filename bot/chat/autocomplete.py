"""Autocompletion: made from what the asker may know, and never in the way."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias, TypeVar

import discord
from discord import app_commands

from bot import limits
from bot.chat.answer import host_of
from bot.error_ids import new_error_id
from bot.host.table import Refusal
from bot.host.tables import GameFault, Tables
from bot.store.protocol import StoreError

ChoiceT = TypeVar("ChoiceT", str, int)
Suggester: TypeAlias = Callable[
    [discord.Interaction, str], Coroutine[Any, Any, list[app_commands.Choice[ChoiceT]]]
]

_log = logging.getLogger(__name__)


def safe_autocomplete(suggest: Suggester[ChoiceT]) -> Suggester[ChoiceT]:
    """Suggest nothing where nothing can be known."""

    async def suggesting(
        interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[ChoiceT]]:
        try:
            host_of(interaction).suggestions.admit(interaction.user.id)
            return await suggest(interaction, current)
        except (Refusal, StoreError, GameFault):
            return []
        except Exception:  # noqa: BLE001 - discord.py would swallow it
            host_of(interaction).metrics.faults.labels("chat").inc()
            _log.exception("a fault in suggesting", extra={"ref": new_error_id()})
            return []

    return suggesting


def suggest_tables(tables: Tables) -> Suggester[int]:
    """The option ``table``: the asker's own live tables, then those of this channel."""

    async def suggest(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[int]]:
        own = await tables.store.tables_of(interaction.user.id)
        here = await tables.store.tables_at(interaction.channel_id or 0)
        found = {
            summary.number: f"No. {summary.number} · {tables.games[summary.game].title}"
            for summary in (*own, *here)
            if summary.game in tables.games
        }
        choices = [app_commands.Choice(name=name, value=number) for number, name in found.items()]
        return [choice for choice in choices if current in choice.name][: limits.AUTOCOMPLETE_CHOICES]

    return safe_autocomplete(suggest)
