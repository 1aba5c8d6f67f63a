"""Answers to interactions: in time, once, private.

Discord gives 3 seconds for the first answer.  An interaction that arrives late is deferred before anything is
done, and if that is refused nothing is done; work that takes longer than ``PATIENCE`` is deferred meanwhile.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic, time
from typing import Final, Protocol, cast

import aiohttp
import discord

from bot.chat.buttons import view_of
from bot.chat.pictures import Picture
from bot.chat.posts import Post
from bot.chat.refusal_text import refusal_text
from bot.error_ids import new_error_id
from bot.host.host import Host
from bot.host.response_gate import ResponseGate
from bot.host.table import Refusal, Request
from bot.host.tables import GameFault
from bot.store.protocol import StoreError

PATIENCE: Final = 1.8
"""Seconds of work before a placeholder is shown."""
LATEST: Final = 2.2
"""Seconds of age at which it is shown in any case: it takes a while to arrive."""
LATE: Final = 1.5
"""Seconds of age from which an interaction is deferred before anything is done."""
TRIES: Final = 3
"""How often an answer is sent whose line was cut."""
SEND_ERRORS: Final = (discord.DiscordException, aiohttp.ClientError, OSError, asyncio.TimeoutError)
"""Everything that sending may raise; a cut connection is no DiscordException."""
_KNOWN: Final = 40060
"""Discord has an answer to this interaction already."""
_SORRY: Final = "Something went wrong on my side. Whoever runs me finds it under ref {}."
_NO_MENTIONS: Final = discord.AllowedMentions.none()

_log = logging.getLogger(__name__)


class Serving(Protocol):
    """What every interaction's client is here."""

    host: Host


def host_of(interaction: discord.Interaction) -> Host:
    """The host behind the client that an interaction came to."""
    return cast("Serving", interaction.client).host


def response_gate_of(interaction: discord.Interaction) -> ResponseGate:
    """Whether this interaction's user can still be answered: one for all who ask."""
    return cast("ResponseGate", interaction.extras.setdefault("response_gate", ResponseGate()))


class TooLate(Exception):
    """The answer can no longer be shown: the act must not be done."""


class Unsent(Exception):
    """An answer could not be delivered.  What was done stands; the table's messages will show it."""


class Answering:
    """One interaction's answer.  Everything said here is seen by its user only.

    ``updates``: the answer replaces the (private) message that carries the pressed component.
    Every method raises Unsent where Discord cannot be reached or refuses.
    """

    def __init__(self, interaction: discord.Interaction, *, updates: bool = False) -> None:
        """Nothing is sent yet."""
        self.interaction = interaction
        self._updates = updates
        self._acknowledged = False
        self._one_at_a_time = asyncio.Lock()

    @property
    def _answered(self) -> bool:
        """Whether Discord has a first answer, a placeholder included."""
        return self._acknowledged or self.interaction.response.is_done()

    async def say(self, text: str) -> None:
        """A plain sentence; beside the message that carries the component, not in its place."""
        if not self._updates:
            await self.show(Post(text))
            return
        async with self._one_at_a_time:
            followup, response = self.interaction.followup.send, self.interaction.response.send_message
            send = followup if self._answered else response
            await self._sent(lambda: send(text, ephemeral=True, allowed_mentions=_NO_MENTIONS))

    async def give(self, file: Callable[[], discord.File]) -> None:
        """A file; ``file`` makes it afresh for each attempt."""
        async with self._one_at_a_time:
            if self._answered:
                await self._sent(lambda: self.interaction.edit_original_response(attachments=[file()]))
            else:
                await self._sent(lambda: self.interaction.response.send_message(file=file(), ephemeral=True))

    async def show(self, post: Post, pictures: Sequence[Picture] = ()) -> None:
        """A message with buttons and pictures."""
        async with self._one_at_a_time:
            await self._sent(lambda: self._shown(post, pictures))

    async def _shown(self, post: Post, pictures: Sequence[Picture]) -> None:
        view = view_of(post.rows)
        files = [picture.file() for picture in pictures]
        response = self.interaction.response
        if self._answered:
            await self.interaction.edit_original_response(
                content=post.text, view=view, attachments=files, allowed_mentions=_NO_MENTIONS
            )
        elif self._updates:
            await response.edit_message(
                content=post.text, view=view, attachments=files, allowed_mentions=_NO_MENTIONS
            )
        else:
            await response.send_message(
                post.text, view=view, files=files, ephemeral=True, allowed_mentions=_NO_MENTIONS
            )

    async def ask(self, form: discord.ui.Modal) -> None:
        """A form.  Raises Refusal after a placeholder, since it must be the first answer."""
        if self._answered:
            raise Refusal("That took too long. Please press it again.")
        async with self._one_at_a_time:
            await self._sent(lambda: self.interaction.response.send_modal(form))

    async def defer(self) -> None:
        """Show a placeholder.  Raises TooLate if Discord takes no answer any more.

        Until that is known the host stores nothing of what this interaction does.
        """
        async with self._one_at_a_time:
            if self._answered:
                return
            response, response_gate, heard = (
                self.interaction.response,
                response_gate_of(self.interaction),
                False,
            )
            response_gate.pending()
            try:
                if self._updates:
                    await self._sent(response.defer)
                else:
                    await self._sent(lambda: response.defer(ephemeral=True, thinking=True))
                heard = True
            except Unsent as error:
                raise TooLate from error
            finally:
                response_gate.settle(heard=heard)

    async def _sent(self, call: Callable[[], Awaitable[object]]) -> None:
        """One call to Discord, again where the line failed, ``TRIES`` times in all.

        A repeat that Discord knows already (40060) means that an earlier one arrived.
        """
        for left in reversed(range(TRIES)):
            try:
                await call()
            except discord.HTTPException as error:
                if error.code != _KNOWN:
                    raise Unsent(str(error)) from error
                self._acknowledged = True
            except SEND_ERRORS as error:
                if not left:
                    raise Unsent(str(error)) from error
                continue
            return


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
    answering, host, began = Answering(interaction, updates=updates), host_of(interaction), monotonic()
    refusals, faults = host.metrics.refusals, host.metrics.faults
    under_way = asyncio.current_task()
    assert under_way is not None
    host.answering.add(under_way)
    try:
        host.acts.admit(interaction.user.id)
        if age(interaction) > LATE:
            await answering.defer()
        await _patiently(answering, asyncio.ensure_future(work(answering)))
    except Refusal as refusal:
        refusals.labels(type(refusal).__name__).inc()
        await _last_word(answering, refusal_text(interaction, refusal))
    except TooLate:
        refusals.labels(TooLate.__name__).inc()
        _log.info("an interaction came too late to be answered")
    except StoreError:
        error_id = new_error_id()
        faults.labels("store").inc()
        _log.exception("the store refused", extra={"ref": error_id})
        await _last_word(
            answering,
            f"This could not be stored, so nothing was changed. Please try again. (ref {error_id})",
        )
    except Unsent as error:
        faults.labels("answer").inc()
        _log.warning("an answer was not delivered", exc_info=error)
    except GameFault as fault:  # logged where it happened
        await _last_word(answering, _SORRY.format(fault.error_id))
    except Exception:  # noqa: BLE001 - nobody is left without an answer
        error_id = new_error_id()
        faults.labels("chat").inc()
        _log.exception("a fault in answering", extra={"ref": error_id})
        await _last_word(answering, _SORRY.format(error_id))
    finally:
        host.answering.discard(under_way)
        host.metrics.answers.observe(monotonic() - began)


async def _patiently(answering: Answering, task: "asyncio.Future[None]") -> None:
    try:
        left = LATEST - age(answering.interaction)
        done, _ = await asyncio.wait({task}, timeout=max(0.0, min(PATIENCE, left)))
        if not done:
            await answering.defer()
        await task
    finally:
        task.cancel()


async def _last_word(answering: Answering, text: str) -> None:
    try:
        await answering.say(text)
    except Unsent as error:
        _log.warning("a refusal was not delivered", exc_info=error)


def request_of(interaction: discord.Interaction) -> Request:
    """What the host needs to know of an interaction."""
    channel = interaction.channel
    permissions = interaction.permissions
    own = interaction.app_permissions
    threads = (
        isinstance(channel, discord.TextChannel)
        and own.create_public_threads
        and own.send_messages_in_threads
    )
    return Request(
        user=interaction.user.id,
        name=interaction.user.display_name,
        interaction=interaction.id,
        guild=interaction.guild_id,
        channel=interaction.channel_id or 0,
        admin=interaction.guild_id is not None and permissions.manage_guild,
        can_open_thread=threads,
        response_gate=response_gate_of(interaction),
    )
