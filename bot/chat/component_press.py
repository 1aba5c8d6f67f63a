"""A pressed button, a choice in a select or a submitted form, as its handler sees it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.chat.components import CustomId
from bot.chat.lookup import require_visible
from bot.chat.option_forms import SubmittedFields
from bot.chat.panel import PanelHandler
from bot.chat.post_parts import Post, headed_answer
from bot.chat.response import Response
from bot.host.committer import ChangeResult
from bot.host.deciders.decision import Decision
from bot.host.request import Request
from bot.host.table import Table
from bot.host.tables import Tables


@dataclass(frozen=True, slots=True)
class ComponentPress:
    """One use of a component: which button, select or form, by whom, with which values, where to respond."""

    tables: Tables
    response: Response
    custom_id: CustomId
    request: Request
    values: Sequence[str] = ()
    fields: SubmittedFields = field(default_factory=dict)
    """Of a submitted form: the values of each field by its name."""

    @property
    def panel(self) -> PanelHandler:
        """The handler of presses in the private panel."""
        return PanelHandler(self.tables)

    @property
    def value(self) -> str:
        """What was chosen in a select; empty for a button."""
        return self.values[0] if self.values else ""

    def field_text(self, name: str) -> str:
        """Return the text of a field of a submitted form; empty if it has none."""
        return "".join(self.fields.get(name, ()))

    async def require_table(self) -> Table:
        """Return the table.  Raises NoSuchTable if the presser may not see it."""
        return require_visible(await self.tables.get(self.custom_id.table_number), self.request)

    async def change(self, decide: Callable[[Table], Decision]) -> None:
        """Change the table and respond with the result."""
        result = await self.tables.change(self.custom_id.table_number, self.request, decide)
        await self.response.send_text(result.answer)

    async def change_and_replace_page(self, decide: Callable[[Table], Decision]) -> None:
        """Change the table and show the result, in place of the private page if the button stands on one."""
        result = await self.tables.change(self.custom_id.table_number, self.request, decide)
        await self.show_in_place_of_page(result)

    async def show_in_place_of_page(self, result: ChangeResult) -> None:
        """Show the answer to a change in place of the page, whose title goes with it."""
        await self.response.show(Post(headed_answer(result, self.request)))


PressHandler: TypeAlias = Callable[[ComponentPress], Awaitable[None]]
"""Responds to a pressed button, a choice in a select or a submitted form."""


def parse_index(text: str) -> int:
    """Return the index of a page or a form that a custom id carries; 0 if ``text`` is no number."""
    return int(text) if text.isdecimal() else 0
