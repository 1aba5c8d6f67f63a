"""The private pages that answer moves typed as commands: each takes the place of the one before it.

A page can only be deleted through its interaction, for as long as Discord accepts that one's token.
"""

import logging
from collections import OrderedDict
from typing import NamedTuple

from bot.chat.interaction import Interaction
from bot.chat.response import SEND_ERRORS, Response
from bot.host.table import Table
from bot.host.table_turns import current_turn_start

_log = logging.getLogger(__name__)


class _Page(NamedTuple):
    interaction: Interaction
    """What it is the response to."""
    turn_start: int
    """The index of the history at which the turn began that it belongs to."""


class TypedPages:
    """The newest page with choices that answers a typed move, of each player at each table."""

    def __init__(self) -> None:
        """Start without pages; those of an earlier process stay as they are."""
        self._pages: OrderedDict[tuple[int, int], _Page] = OrderedDict()
        """By user and table, the oldest first."""

    async def replace(
        self, interaction: Interaction, table_number: int, turn_start: int, *, has_choices: bool
    ) -> None:
        """Delete a player's earlier page of a turn, where an interaction has been answered by a newer one.

        That of another turn stays: a button on it may have led to the turn's result.
        ``has_choices``: whether their turn goes on, so that a newer page will replace this one, too.
        """
        key = interaction.user.id, table_number
        earlier_page = self._pages.pop(key, None)
        if has_choices:
            self._pages[key] = _Page(interaction, turn_start)
        self._forget_expired()
        if earlier_page is None or earlier_page.turn_start != turn_start:
            return
        earlier_interaction = earlier_page.interaction
        if earlier_interaction.is_expired():
            return
        if earlier_interaction.id == interaction.id:  # Discord has delivered it twice: it is the same page
            return
        try:
            await earlier_interaction.delete_original_response()
        except SEND_ERRORS as error:
            _log.info("earlier page of a typed move not deleted", exc_info=error)

    def _forget_expired(self) -> None:
        while self._pages and next(iter(self._pages.values())).interaction.is_expired():
            self._pages.popitem(last=False)


async def replace_earlier_page(response: Response, earlier_table: Table) -> None:
    """Delete a player's earlier page of a turn, where they have got an answer to a move that they typed.

    ``earlier_table``: as it was before the move.
    """
    interaction = response.interaction
    seat = earlier_table.seat_of(interaction.user.id)
    if seat is None or earlier_table.to_act != seat:  # Discord has delivered it twice
        return
    turn_start, table = current_turn_start(earlier_table), await response.tables.get(earlier_table.number)
    has_choices = table.to_act == seat and current_turn_start(table) == turn_start
    await interaction.client.typed_pages.replace(
        interaction, table.number, turn_start, has_choices=has_choices
    )
