"""What the host needs to know about an interaction, and the refusal that answers it."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import msgspec

from bot.host.names import strip_invisible

RESPONSE_TIMEOUT: Final = 3.0
"""Seconds to wait for Discord to accept a deferral; then the response counts as expired."""


class ResponseGate:
    """Whether Discord still accepts a response to one interaction; checked just before a change is stored."""

    def __init__(self) -> None:
        """Start open: a response can be shown."""
        self._has_expired = False
        self._settled = asyncio.Event()
        self._settled.set()

    def hold(self) -> None:
        """Note that a deferral is being sent."""
        self._settled.clear()

    def settle(self, *, accepted: bool) -> None:
        """Note whether Discord accepted the deferral."""
        self._has_expired = self._has_expired or not accepted
        self._settled.set()

    async def can_respond(self) -> bool:
        """Return whether a response can be shown; waits ``RESPONSE_TIMEOUT`` for a pending deferral."""
        if not self._settled.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._settled.wait(), RESPONSE_TIMEOUT)
        return self._settled.is_set() and not self._has_expired


NO_SEAT_REFUSAL_TEXT: Final = "You have no seat at this table. `/board` shows the game."
"""Refuses what only players can do; ``seat_offers.no_seat_text`` also says where a seat is free."""
FROZEN_REFUSAL_TEXT: Final = "This game is frozen. The notice at the table says why."
"""Refuses whatever must wait until a frozen game goes on."""


def nothing_is_missing(_channel: int) -> str:
    """Return that the bot lacks no permission, whatever the channel."""
    return ""


class Request(msgspec.Struct, frozen=True):
    """Who asks, where and when: what the host needs to know about an interaction.

    ``user``, ``interaction``, ``guild`` and ``channel`` are Discord's ids; a direct message has no ``guild``.
    What the user may do follows from the stored table, the server's settings, and ``user``, ``guild``,
    ``is_admin``, ``roles`` and ``can_see``.
    """

    user: int
    name: str
    interaction: int | None = None
    guild: int | None = None
    channel: int = 0
    is_admin: bool = False
    """Whether Discord says that the user may manage ``guild``."""
    at: int = 0
    """When, in seconds since 1970."""
    roles: tuple[int, ...] = ()
    """The roles of the user in the server, as Discord says."""
    parent_channel: int | None = None
    """The channel to which ``channel`` belongs if that is a thread."""
    is_private_thread: bool = False
    """Whether ``channel`` is a private thread."""
    can_open_thread: bool = False
    """Whether the bot may open a thread in ``channel``."""
    response_gate: ResponseGate | None = None
    """None: the change is stored even if no response can be shown."""
    can_see: Callable[[int, int | None], bool] | None = None
    """Returns whether the user can see a table with these ``game_channel`` and ``visibility_channel``.

    None: the user can see every table.
    """
    find_missing_permission: Callable[[int], str] = nothing_is_missing
    """Returns the name of the permission that the bot lacks to post a game in a channel; empty: none, as far
    as it knows."""

    @property
    def visibility_channel(self) -> int | None:
        """The channel whose readers may see a game in ``channel``; None in a private thread."""
        return None if self.is_private_thread else self.parent_channel or self.channel

    @property
    def public_parent_channel(self) -> int | None:
        """The channel to which ``channel`` belongs if that is a public thread."""
        return None if self.is_private_thread else self.parent_channel


class Refusal(Exception):
    """A refused request: nothing has changed.  The text, one or two sentences, is for its user only."""

    table_number: int | None = None
    """The number of the table, if known."""
    error_id: str | None = None
    """The error id in the log line about the fault behind the refusal; None: no fault."""
    is_logged_already: bool = False
    """Whether the log has a line about the refusal already."""

    def __init__(self, text: str) -> None:
        """``text`` may quote what a user typed; invisible characters are removed."""
        super().__init__(strip_invisible(text))

    def add_heading(self, heading: str) -> None:
        """Put a heading before the text."""
        self.args = (f"{heading}{self}",)


class TooLate(Refusal):
    """What was asked for belonged to an earlier stage of the table: its lobby, or a game that is over.

    No button of a private page about that stage does anything any more.
    """


def moderator_refusal(request: Request, text: str) -> Refusal:
    """Return the refusal of a request that only some people, with admins among them, may make.

    Discord does not say in direct messages who is an admin of a server: there ``text`` gets a hint for them.
    """
    return Refusal(text if request.guild is not None else f"{text} Admins: do it in the table's server.")


def require_managed_server(request: Request) -> int:
    """Return the server of a request.  Raises Refusal unless its user may manage that server."""
    if request.guild is None or not request.is_admin:
        raise Refusal("Only members who may manage this server can do that.")
    return request.guild
