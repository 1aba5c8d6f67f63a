"""The response to an interaction, seen by its user only: sent once, then edited or followed by others."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import aiohttp
import discord
from msgspec.structs import replace

from bot.chat.interaction import Interaction, request_of, response_gate_of
from bot.chat.layouts import layout_of
from bot.chat.missed_answers import MAX_NAMED_ANSWERS, missed_answers_text
from bot.chat.pictures import DrawnPicture
from bot.chat.post_parts import Post
from bot.error_codes import ErrorCode
from bot.host.names import escape_markup
from bot.host.request import Refusal, Request
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.rows import PendingAnswer

MAX_ATTEMPTS: Final = 3
"""The most attempts to send a response whose connection is cut."""
SEND_ERRORS: Final = (discord.DiscordException, aiohttp.ClientError, OSError, asyncio.TimeoutError)
"""Everything that sending may raise; a cut connection is no DiscordException."""
_NO_MENTIONS: Final = discord.AllowedMentions.none()

_log = logging.getLogger(__name__)


class NoResponsePossible(Exception):
    """No response can be shown any more, so the request must not be carried out."""


class NotDelivered(Exception):
    """A response could not be delivered.  Changes remain; the table's messages will show them."""


class Response:
    """The response to one interaction, seen by its user only.

    ``replaces_message``: the response replaces the private message that carries the pressed component.
    Every method that sends, except ``defer``, raises NotDelivered where Discord cannot be reached or refuses.
    """

    def __init__(self, interaction: Interaction, *, replaces_message: bool = False) -> None:
        """Nothing is sent yet."""
        self.interaction = interaction
        self._replaces_message = replaces_message
        self._was_already_answered = False
        """Whether Discord refused a first response because it has one: of another attempt or delivery."""
        self._send_lock = asyncio.Lock()
        self._missed_answers: tuple[PendingAnswer, ...] = ()
        """Earlier answers that its user has missed and that its text names, also once it is edited."""
        self.shown_message_id: int | None = None
        """The id of the private message that shows it, once that is known."""

    @property
    def tables(self) -> Tables:
        """The tables of the host behind the client."""
        return self.interaction.client.host.tables

    @property
    def request(self) -> Request:
        """What the host needs to know of the interaction."""
        return request_of(self.interaction)

    @property
    def replaced_message_id(self) -> int | None:
        """The id of the private message that it replaces, if there is one."""
        message = self.interaction.message
        return message.id if self._replaces_message and message is not None else None

    @property
    def _is_acknowledged(self) -> bool:
        """Whether Discord has a first response, a deferral included."""
        return self._was_already_answered or self.interaction.response.is_done()

    async def send_text(self, text: str) -> None:
        """Send plain text; it never replaces the message that carries the component."""
        if not self._replaces_message:
            await self.show(Post(text))
            return
        async with self._send_lock:
            send_first, send_later = self.interaction.response.send_message, self.interaction.followup.send
            send = send_later if self._is_acknowledged else send_first
            self._missed_answers = ()  # it is a message of its own
            post = self._take_missed_answers_into(Post(text))
            await self._send_and_mark_arrived(
                lambda: send(view=layout_of(post), ephemeral=True, allowed_mentions=_NO_MENTIONS)
            )

    async def show_file(self, text: str, make_file: Callable[[], discord.File]) -> None:
        """Send a text with a file below it; ``make_file`` makes a new upload for each attempt."""
        async with self._send_lock:
            post = self._take_missed_answers_into(Post(text))
            await self._send_and_mark_arrived(lambda: self._send_page(post, file=make_file()))

    async def show(
        self, post: Post, pictures: Sequence[DrawnPicture] = (), *, replaces_first_answer: bool = True
    ) -> None:
        """Send a message with buttons and pictures, or with alt texts if its user wants text only.

        ``replaces_first_answer``: where Discord delivers a press twice and the other delivery was answered
        first, that answer is edited all the same, since it may be a deferral alone.
        """
        if pictures and await prefers_text(self.tables, self.interaction.user.id):
            post, pictures = with_picture_texts(post, pictures), ()
        async with self._send_lock:
            full_post = self._take_missed_answers_into(post)
            await self._send_and_mark_arrived(
                lambda: self._send_page(full_post, pictures),
                replaces_first_answer=replaces_first_answer and self._replaces_message,
            )

    def _take_missed_answers_into(self, post: Post) -> Post:
        """Return the post with the answers that its user may have missed above it; store which they are.

        ``_send_and_mark_arrived`` then marks them as arrived.  An edited page names the same ones again.
        """
        missed_answers = self.tables.answer_tracker.missed_by(self.interaction.user.id)
        self._missed_answers = self._missed_answers or missed_answers[-MAX_NAMED_ANSWERS:]
        return replace(post, text=missed_answers_text(self._missed_answers) + post.text)

    async def _send_and_mark_arrived(
        self, call: Callable[[], Awaitable[object]], *, replaces_first_answer: bool = False
    ) -> None:
        """Send an answer, and note that it and the missed answers that it names have arrived.

        Discord may deliver one interaction twice.  ``replaces_first_answer``: where the other delivery was
        answered first, perhaps with a deferral alone, ``call`` is made again and edits that answer.
        """
        await self._send(call, replaces_first_answer=replaces_first_answer)
        named_ids = (each.interaction for each in self._missed_answers)
        self.tables.answer_tracker.mark_arrived((self.interaction.id, *named_ids))

    async def _send_page(
        self, post: Post, pictures: Sequence[DrawnPicture] = (), file: discord.File | None = None
    ) -> None:
        """Send a private page, or edit the page or the deferral that it replaces."""
        file_names = () if file is None else (file.filename,)
        view = layout_of(post, pictures, file_names)
        interaction, page_pictures = self.interaction, self.interaction.client.page_pictures

        def make_files() -> list[discord.File]:
            return [*(picture.to_file() for picture in pictures), *([] if file is None else [file])]

        if not (self._is_acknowledged or self._replaces_message):
            callback_response = await interaction.response.send_message(
                view=view, files=make_files(), ephemeral=True, allowed_mentions=_NO_MENTIONS
            )
            self.shown_message_id = callback_response.message_id
            if callback_response.message_id is not None:
                page_pictures.remember(callback_response.message_id, pictures)
            return
        replaced_message = interaction.message if self._replaces_message else None
        if replaced_message is None:
            self.shown_message_id = await self._request_edit(view, make_files())
            if self.shown_message_id is not None:
                page_pictures.remember(self.shown_message_id, pictures)
            return
        self.shown_message_id = replaced_message.id
        with page_pictures.track_edit(replaced_message.id, pictures) as has_same_pictures:
            if has_same_pictures and await self._edit_keeping_pictures(view):
                return
            await self._request_edit(view, make_files())

    async def _edit_keeping_pictures(self, view: discord.ui.LayoutView) -> bool:
        """Edit a page but not its pictures; return False if Discord wants them to be uploaded again."""
        try:
            await self._request_edit(view, discord.utils.MISSING)
        except discord.HTTPException as error:
            if error.code != ErrorCode.INVALID_FORM_BODY:
                raise
            _log.warning("pictures of a page not kept", exc_info=error)
            return False
        return True

    async def _request_edit(self, view: discord.ui.LayoutView, attachments: list[discord.File]) -> int | None:
        """Edit the page, also a classic message that it replaces; return the message's id, if known."""
        interaction = self.interaction
        if self._is_acknowledged:
            message = await interaction.edit_original_response(
                content=None, embeds=[], view=view, attachments=attachments, allowed_mentions=_NO_MENTIONS
            )
            return message.id
        await interaction.response.edit_message(
            content=None, embeds=[], view=view, attachments=attachments, allowed_mentions=_NO_MENTIONS
        )
        return None

    async def open_form(self, form: discord.ui.Modal) -> None:
        """Open a form.  Raises Refusal after a deferral, since a form must be the first response."""
        async with self._send_lock:
            if self._is_acknowledged:
                raise Refusal("The form could not open in time. Press the same button again.")
            await self._send(lambda: self.interaction.response.send_modal(form))

    async def defer(self) -> None:
        """Defer the response if nothing is shown yet.  Raises NoResponsePossible if that fails.

        Until the outcome is known, the host stores nothing for this interaction.
        """
        async with self._send_lock:
            if self._is_acknowledged:
                return
            send_defer = self.interaction.response.defer
            gate = response_gate_of(self.interaction)
            accepted = False
            gate.hold()
            try:
                if self._replaces_message:
                    await self._send(send_defer)
                else:
                    await self._send(lambda: send_defer(ephemeral=True, thinking=True))
                accepted = True
            except NotDelivered as error:
                raise NoResponsePossible from error
            finally:
                gate.settle(accepted=accepted)

    async def _send(
        self, call: Callable[[], Awaitable[object]], *, replaces_first_answer: bool = False
    ) -> None:
        """Call Discord, again where the connection failed, ``MAX_ATTEMPTS`` times in all.

        If Discord refuses a repeat with "already acknowledged", an earlier attempt has arrived.  If it
        refuses the first attempt so, ``replaces_first_answer`` says whether ``call`` can edit what was shown.
        """
        for attempts_left in reversed(range(MAX_ATTEMPTS)):
            try:
                await call()
            except discord.HTTPException as error:
                if error.code != ErrorCode.ALREADY_ACKNOWLEDGED:
                    raise NotDelivered(str(error)) from error
                self._was_already_answered = True
                if replaces_first_answer and attempts_left == MAX_ATTEMPTS - 1:
                    continue
            except SEND_ERRORS as error:
                if not attempts_left:
                    raise NotDelivered(str(error)) from error
                continue
            return


async def prefers_text(tables: Tables, user: int) -> bool:
    """Whether a user has set that pictures come as text; False if the store fails."""
    with contextlib.suppress(StoreError):
        return (await tables.person_preferences.get(user)).text_only
    return False


def with_picture_texts(post: Post, pictures: Sequence[DrawnPicture]) -> Post:
    """Return a post with the texts in place of its pictures that its text does not contain already.

    The preview of a marked choice stands before them, so that a screen reader reads the result first.
    """
    shown_text = post.text.replace("*", "")
    picture_texts = (picture.text or picture.alt for picture in pictures)
    new_texts = (escape_markup(text) for text in picture_texts if text not in shown_text)
    texts = (post.text, post.preview_text, *new_texts)
    return replace(post, text="\n\n".join(text for text in texts if text), preview_text="")
