"""Answers to interactions: in time, once, private.

Discord gives 3 seconds for the first answer.  Work that takes longer than ``PATIENCE`` is deferred first, as
is an interaction that arrives late; if even that is refused, nothing has been or will be changed.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from time import time
from typing import Final

import aiohttp
import discord

from bot.chat.buttons import view_of
from bot.chat.pictures import Picture
from bot.chat.posts import Post
from bot.host.table import Act, Refusal
from bot.store.protocol import StoreError

PATIENCE: Final = 1.8
"""Seconds of work before a placeholder is shown."""
LATE: Final = 1.5
"""Seconds of age from which an interaction is deferred before anything is done."""
SEND_ERRORS: Final = (discord.DiscordException, aiohttp.ClientError, OSError, asyncio.TimeoutError)
"""Everything that sending may raise; a cut connection is no DiscordException."""
_NO_MENTIONS: Final = discord.AllowedMentions.none()

_log = logging.getLogger(__name__)


class TooLate(Exception):
    """The answer can no longer be shown: the act must not be done."""


class Answering:
    """One interaction's answer.  Everything said here is seen by its user only.

    ``updates``: the answer replaces the (private) message that carries the pressed component.
    """

    def __init__(self, interaction: discord.Interaction, *, updates: bool = False) -> None:
        """Nothing is sent yet."""
        self.interaction = interaction
        self._updates = updates
        self._one_at_a_time = asyncio.Lock()

    async def say(self, text: str) -> None:
        """A plain sentence; beside the message that carries the component, not in its place."""
        if not self._updates:
            await self.show(Post(text))
            return
        async with self._one_at_a_time:
            response = self.interaction.response
            send = self.interaction.followup.send if response.is_done() else response.send_message
            await send(text, ephemeral=True, allowed_mentions=_NO_MENTIONS)

    async def give(self, file: discord.File) -> None:
        """A file."""
        async with self._one_at_a_time:
            response = self.interaction.response
            if response.is_done():
                await self.interaction.edit_original_response(attachments=[file])
            else:
                await response.send_message(file=file, ephemeral=True)

    async def show(
        self, post: Post, pictures: Sequence[Picture] = (), *, keep_pictures: bool = False
    ) -> None:
        """A message with buttons and pictures."""
        view = view_of(post.rows)
        files = [picture.file() for picture in pictures]
        attachments = discord.utils.MISSING if keep_pictures else files
        async with self._one_at_a_time:
            response = self.interaction.response
            if response.is_done():
                await self.interaction.edit_original_response(
                    content=post.text, view=view, attachments=attachments, allowed_mentions=_NO_MENTIONS
                )
            elif self._updates:
                await response.edit_message(
                    content=post.text, view=view, attachments=attachments, allowed_mentions=_NO_MENTIONS
                )
            else:
                await response.send_message(
                    post.text, view=view, files=files, ephemeral=True, allowed_mentions=_NO_MENTIONS
                )

    async def defer(self) -> None:
        """Show a placeholder.  Raises TooLate if Discord takes no answer any more."""
        async with self._one_at_a_time:
            response = self.interaction.response
            if response.is_done():
                return
            try:
                if self._updates:
                    await response.defer()
                else:
                    await response.defer(ephemeral=True, thinking=True)
            except discord.NotFound as error:
                raise TooLate from error


def age(interaction: discord.Interaction) -> float:
    """Seconds since Discord made the interaction, by this machine's clock."""
    return time() - interaction.created_at.timestamp()


async def answer(
    interaction: discord.Interaction,
    work: Callable[[Answering], Awaitable[None]],
    *,
    updates: bool = False,
) -> None:
    """Do the work of one interaction and make sure that its user is answered."""
    answering = Answering(interaction, updates=updates)
    try:
        if age(interaction) > LATE:
            await answering.defer()
        await _patiently(answering, asyncio.ensure_future(work(answering)))
    except Refusal as refusal:
        await _last_word(answering, str(refusal))
    except TooLate:
        _log.info("an interaction came too late to be answered")
    except StoreError:
        reference = secrets.token_hex(3)
        _log.exception("reference %s: the store refused", reference)
        await _last_word(
            answering, f"This could not be stored, so nothing was changed. Please try again. ({reference})"
        )
    except SEND_ERRORS as error:
        if not _acknowledged_already(error):
            _log.warning("an answer was not delivered: %s", error)
    except Exception:  # noqa: BLE001 - nobody is left without an answer
        reference = secrets.token_hex(3)
        _log.exception("reference %s: a fault in answering", reference)
        await _last_word(
            answering, f"Something went wrong on my side. Whoever runs me finds it under {reference}."
        )


async def _patiently(answering: Answering, task: "asyncio.Future[None]") -> None:
    try:
        done, _ = await asyncio.wait({task}, timeout=PATIENCE)
        if not done:
            await answering.defer()
        await task
    finally:
        task.cancel()


def _acknowledged_already(error: BaseException) -> bool:
    """Discord knows an answer to this interaction: a repeat of a call whose first answer was lost."""
    return isinstance(error, discord.HTTPException) and error.code == 40060


async def _last_word(answering: Answering, text: str) -> None:
    try:
        await answering.say(text)
    except SEND_ERRORS as error:
        _log.warning("a refusal was not delivered: %s", error)


def act_of(interaction: discord.Interaction) -> Act:
    """What the host needs to know of an interaction."""
    channel = interaction.channel
    permissions = interaction.permissions
    own = interaction.app_permissions
    threads = (
        isinstance(channel, discord.TextChannel)
        and own.create_public_threads
        and own.send_messages_in_threads
    )
    return Act(
        user=interaction.user.id,
        name=interaction.user.display_name,
        interaction=interaction.id,
        guild=interaction.guild_id,
        channel=interaction.channel_id or 0,
        admin=interaction.guild_id is not None and permissions.manage_guild,
        can_open_thread=threads,
    )
