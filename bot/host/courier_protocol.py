"""What sends deliveries, as the outbox sees it: one attempt at a delivery, its outcome, and its errors."""

from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from bot.host.table import Table
from bot.store.delivery_rows import Delivery, PendingPost, PostedMessage, ReplacedMessage, Slot
from bot.store.protocol import Store

NONCE_MEMORY: Final = 120.0
"""Seconds for which Discord is sure to recognise a nonce ("the past few minutes")."""


class DeliveryResult(msgspec.Struct, frozen=True):
    """The outcome of a delivery."""

    posted: PostedMessage | None = None
    """The message as it stands now, to be stored for its slot; None: what is stored there stays."""
    replaced: ReplacedMessage | None = None
    """A message that is out of date, mostly since ``posted`` has replaced it: it is edited later."""
    new_thread: int | None = None
    """The thread that was opened for the game."""
    has_asked_user_left: bool | None = None
    """Whether the person whose turn it is has left the table's server; None: Discord was not asked."""


class Undeliverable(Exception):
    """A delivery can never be sent (the channel is gone, Discord refused its content); it is not retried."""


class DirectMessagesClosed(Exception):
    """A player's direct messages are closed."""

    def __init__(self, *, has_left: bool = False) -> None:
        """``has_left``: the bot shares no server with the player any more."""
        super().__init__(has_left)
        self.has_left = has_left


class GameThreadLocked(Exception):
    """The thread of a game is locked: it takes no post, so the game goes on in the channel above it."""


class TryLater(Exception):
    """A delivery cannot be sent now; it is retried after ``min_wait`` seconds at the earliest."""

    def __init__(self, min_wait: float = 0.0, reason: str = "") -> None:
        """``reason``: what it waits for, if known (``BLOCKED``)."""
        super().__init__(min_wait)
        self.min_wait = min_wait
        self.reason = reason


class Superseded(Exception):
    """Something newer has taken the place of a delivery before it was posted; nothing was sent."""


class Attempt:
    """One attempt at a delivery: stores whether a post of it may have arrived although no response came."""

    def __init__(self, store: Store, delivery: Delivery, clock: Callable[[], float]) -> None:
        """Start with the post that an earlier attempt has left pending."""
        self._store = store
        self._delivery = delivery
        self._clock = clock
        self.pending_post = delivery.pending_post
        """The earliest post whose outcome is unknown: it must be repeated, not replaced."""

    async def begin_post(self, channel: int) -> None:
        """Store that a post is about to be sent.  Raises Superseded, StoreError; then nothing may be sent."""
        if self.pending_post is None:
            post = PendingPost(channel, self._clock())
            if not await self._store.set_pending_post(self._delivery, post):
                raise Superseded
            self.pending_post = post

    async def withdraw_post(self, *, includes_earlier: bool) -> None:
        """Store that the post was refused, and with ``includes_earlier`` that an earlier attempt's was, too.

        Otherwise the earlier attempt's post stays pending.
        """
        if includes_earlier or self._delivery.pending_post is None:
            self.pending_post = None
            await self._store.set_pending_post(self._delivery, None)

    @property
    def is_safe_from_duplicates(self) -> bool:
        """Whether a post now leads to no second message: none is pending, or Discord still knows its nonce.

        Discord may not know it where the clock was set back since then.
        """
        return self.pending_post is None or 0 <= self._clock() - self.pending_post.since < NONCE_MEMORY


class Courier(Protocol):
    """Posts and edits messages."""

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> DeliveryResult:
        """Send one delivery as the table is now.

        A post is announced to ``attempt`` before it is sent; what ``attempt`` has pending is settled first.
        Raises Undeliverable, DirectMessagesClosed, GameThreadLocked, TryLater, Superseded.
        """
        ...
