"""The private pages that answer moves typed as commands: each takes the place of the one before it.

A page can only be deleted through its interaction, for as long as Discord accepts that one's token.
"""

import logging
from collections import OrderedDict

from bot.chat.interaction import Interaction
from bot.chat.response import SEND_ERRORS, Response

_log = logging.getLogger(__name__)


class TypedPages:
    """The newest page with choices that answers a typed move, of each player at each table."""

    def __init__(self) -> None:
        """Start without pages; those of an earlier process stay as they are."""
        self._interactions: OrderedDict[tuple[int, int], Interaction] = OrderedDict()
        """By user and table, the oldest first: what the page is the response to."""

    async def replace(self, interaction: Interaction, table_number: int, *, has_choices: bool) -> None:
        """Delete a player's earlier page at a table, where an interaction has been answered by a newer one.

        ``has_choices``: whether their turn goes on, so that a newer page will replace this one, too.
        """
        key = interaction.user.id, table_number
        earlier_interaction = self._interactions.pop(key, None)
        if has_choices:
            self._interactions[key] = interaction
        self._forget_expired()
        if earlier_interaction is None or earlier_interaction.is_expired():
            return
        if earlier_interaction.id == interaction.id:  # Discord has delivered it twice: it is the same page
            return
        try:
            await earlier_interaction.delete_original_response()
        except SEND_ERRORS as error:
            _log.info("earlier page of a typed move not deleted", exc_info=error)

    def _forget_expired(self) -> None:
        while self._interactions and next(iter(self._interactions.values())).is_expired():
            self._interactions.popitem(last=False)


async def replace_earlier_page(response: Response, table_number: int) -> None:
    """Delete a player's earlier page at a table, where they have got an answer to a move that they typed."""
    interaction, table = response.interaction, await response.tables.get(table_number)
    has_choices = table.to_act is not None and table.to_act == table.seat_of(interaction.user.id)
    await interaction.client.typed_pages.replace(interaction, table_number, has_choices=has_choices)
