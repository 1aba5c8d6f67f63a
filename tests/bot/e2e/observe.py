"""How tests look at what was posted: wait for it, read it, find custom ids, and copy every message."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar
from unittest.mock import patch

from bot import limits
from bot.local import payloads
from bot.local.interactions import CallbackType
from bot.local.members import InteractionResult, Member
from bot.local.message_contents import controls, message_text, notification_text, notifies
from bot.local.model import Channel, ChannelType, Message, MessageFlag, WorldEvent
from bot.local.world import World
from tests.trials import WAIT_TIMEOUT

T = TypeVar("T")

_PLACEHOLDERS: Final = {CallbackType.DEFERRED_MESSAGE, CallbackType.DEFERRED_UPDATE}

RESPONSE_SECONDS: Final = limits.FIRST_RESPONSE_SECONDS
"""Seconds within which Discord wants the first response."""
CUSTOM_ID_PATTERN: Final = re.compile(r"(?:c1|r\d+):(\d+):(\d+):([a-z]+):(.*)")
"""A custom id: table, ply, verb, argument."""
MISSED_ANSWER_PATTERN: Final = re.compile(
    r"^You may have missed this \(No\. \d+\): .*\n|^.*, your move was recorded \(move \d+\)\.\n?",
    re.MULTILINE,
)
"""A line that names what somebody may have missed, in an answer or on a board."""


@contextmanager
def response_limit(seconds: float = RESPONSE_SECONDS) -> Iterator[None]:
    """Let people give up a response after these seconds, as Discord does, for the length of a block.

    Everywhere else they wait for as long as a busy machine takes.
    """
    with patch.object(limits, "FIRST_RESPONSE_SECONDS", seconds):
        yield


async def wait_until(
    find: Callable[[], T | None], timeout_seconds: float = WAIT_TIMEOUT, *, awaited: str = "it"
) -> T:
    """Return what ``find`` returns, once that is not None.  Raises TimeoutError, which names ``awaited``."""
    deadline = time.monotonic() + timeout_seconds
    while (result := find()) is None:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{awaited} did not happen within {timeout_seconds:g} s")
        await asyncio.sleep(0.01)
    return result


def public_messages(world: World, channel: Channel) -> list[Message]:
    """Return what everybody can read in a channel and its threads, the oldest first."""
    channels = [channel, *(thread for thread in world.threads() if thread.parent is channel)]
    messages = [message for each in channels for message in each.messages.values() if not message.ephemeral]
    return sorted(messages, key=lambda message: message.id)


def custom_ids_by_verb(message: Message) -> dict[str, str]:
    """Return the custom ids of a message's enabled controls by their verbs."""
    ids_by_verb: dict[str, str] = {}
    for control in controls(message):
        parts = CUSTOM_ID_PATTERN.fullmatch(control.get("custom_id", ""))
        if parts is not None and not control.get("disabled"):
            ids_by_verb.setdefault(parts[3], control["custom_id"])
    return ids_by_verb


def ply_of(message: Message) -> int:
    """Return the ply at which a message's controls were offered; -1 without any."""
    id_matches = (CUSTOM_ID_PATTERN.fullmatch(control.get("custom_id", "")) for control in controls(message))
    return max((int(parts[2]) for parts in id_matches if parts is not None), default=-1)


async def read_response(outcome: InteractionResult) -> str:
    """Return the text that a person reads once the answer is there, deferred or not."""
    return message_text(await shown_message(outcome))


async def shown_message(outcome: InteractionResult) -> Message:
    """Return the message once the answer is there.

    The answer to another press, sent again, may change the same message meanwhile.
    """
    if outcome.response.callback_type is CallbackType.DEFERRED_UPDATE:
        await wait_until(lambda: outcome.interaction.edit_count or None, awaited="a deferred update")
    return await outcome.wait_until_loaded(WAIT_TIMEOUT)


async def open_form(
    member: Member, message: Message, label: str | None = None, *, custom_id: str | None = None
) -> InteractionResult:
    """Press a button that opens a form, again where a busy bot had to defer its response first."""
    async with asyncio.timeout(WAIT_TIMEOUT):
        while True:
            outcome = await member.press(message, label, custom_id=custom_id)
            if outcome.response.callback_type not in _PLACEHOLDERS:
                return outcome


def without_missed_answers(text: str) -> str:
    """Return the text of a message without the lines that name missed answers."""
    return MISSED_ANSWER_PATTERN.sub("", text)


def can_ping_anybody(body: dict[str, Any]) -> bool:
    """Return whether a request has text that may ping anybody: it does not say that only listed users are."""
    message = body["data"] if isinstance(body.get("data"), dict) else body
    parts = payloads.walk_components(message.get("components") or [])
    if not (message.get("content") or any(part.get("content") for part in parts)):
        return False
    allowed = message.get("allowed_mentions")
    return allowed is None or bool(allowed.get("parse")) or bool(allowed.get("roles"))


def format_violation(world: World, message: Message) -> str | None:
    """Return why a message of the bot's has the wrong format; None if it has the right one.

    A private page is a layout.  Everything else is classic, and what rings shows on a lock screen which game
    it is about.
    """
    if message.flags & MessageFlag.LOADING:
        return None
    is_layout = bool(message.flags & MessageFlag.COMPONENTS_V2)
    if message.ephemeral is not is_layout:
        return "a private page is classic" if message.ephemeral else "a message for others is a layout"
    for user in world.people():
        if notifies(message, user) and "No. " not in notification_text(world, message):
            return f"{user.name}'s lock screen does not say which game it is about"
    return None


@dataclass(frozen=True, slots=True)
class ObservedMessage:
    """One message as it was posted or changed, copied at that moment."""

    event_name: str
    message: Message
    channel: Channel
    text: str
    ids_and_values: tuple[str, ...]
    """The ids of all its controls, also of disabled ones, and the values of all options."""
    labels: tuple[str, ...]
    files: tuple[str, ...]
    mentions: tuple[int, ...]
    is_private: bool

    @classmethod
    def of_message(cls, event: WorldEvent, message: Message) -> Self:
        """Return a copy of the message as it stands now."""
        all_controls = controls(message)
        options = [option for control in all_controls for option in control.get("options", [])]
        return cls(
            event_name=event.name,
            message=message,
            channel=message.channel,
            text=message_text(message),
            ids_and_values=tuple(control.get("custom_id", "") for control in all_controls)
            + tuple(option["value"] for option in options),
            labels=tuple(control.get("label") or control.get("placeholder") or "" for control in all_controls)
            + tuple(option["label"] for option in options),
            files=tuple(file.filename for file in message.attachments),
            mentions=message.mentions,
            is_private=message.ephemeral or message.channel.type is ChannelType.DM,
        )
