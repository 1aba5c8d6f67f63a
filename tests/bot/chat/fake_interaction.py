"""A press of a private page's button, over no connection."""

from types import SimpleNamespace
from typing import Any, cast

import discord

from bot.chat.interaction import Interaction
from bot.chat.post_parts import Post
from bot.chat.response import Response
from bot.chat.shown_contents import PagePictures
from bot.host.answer_tracker import AnswerTracker
from bot.store.preferences import PersonRow
from bot.store.protocol import Store

PAGE_ID = 7
TEXT_PAGE = Post("A page.")


async def _person(user: int) -> PersonRow:
    """Return somebody who has set nothing."""
    return PersonRow(user)


class FakeInteraction:
    """A press of a private page's button; ``edits`` are the attachments of each edit, ``texts`` its texts."""

    def __init__(self, *refusals: discord.HTTPException) -> None:
        """``refusals``: the errors with which the first edits are refused, the last one first."""
        preferences = SimpleNamespace(get=_person)
        tables = SimpleNamespace(
            answer_tracker=AnswerTracker(cast("Store", None)), person_preferences=preferences
        )
        self.client = SimpleNamespace(page_pictures=PagePictures(), host=SimpleNamespace(tables=tables))
        self.id, self.user = 1, SimpleNamespace(id=2)
        self.message = SimpleNamespace(id=PAGE_ID)
        self.response = self.followup = self
        self.edits: list[Any] = []
        self.texts: list[str] = []
        self._refusals = list(refusals)

    def is_done(self) -> bool:
        """Nothing has been sent yet."""
        return False

    async def send_message(self, *, view: discord.ui.LayoutView, **_: Any) -> SimpleNamespace:
        """Send a message of its own as the first response."""
        self.texts.append(_text_of(view))
        return SimpleNamespace(message_id=PAGE_ID + 1)

    send = send_message

    async def edit_message(self, *, attachments: Any, view: discord.ui.LayoutView, **_: Any) -> None:
        """Edit the page."""
        self.texts.append(_text_of(view))
        self.edits.append(
            attachments if attachments is discord.utils.MISSING else [each.filename for each in attachments]
        )
        if self._refusals:
            raise self._refusals.pop()


def _text_of(view: discord.ui.LayoutView) -> str:
    (text,) = (each.content for each in view.children if isinstance(each, discord.ui.TextDisplay))
    return text


def replacing_response(interaction: FakeInteraction) -> Response:
    """Return a response that replaces the page."""
    return Response(cast("Interaction", interaction), replaces_message=True)
