"""A recording courier that plays the platform: vanished channels, lost answers, closed messages."""

import asyncio
from typing import Final

from bot.host.courier_protocol import Attempt, DeliveryResult, DirectMessagesClosed, TryLater, Undeliverable
from bot.host.table import Table
from bot.store.delivery_rows import Delivery, DeliveryKind, PostedMessage, Slot

OUTCOMES: Final = ("later", "much later", "lost answer", "our fault", "killed before", "killed after")
"""What may become of a delivery that does not simply arrive."""
_CHANNEL_KINDS: Final = (
    DeliveryKind.BOARD,
    DeliveryKind.TURN,
    DeliveryKind.NOTICE,
    DeliveryKind.QUESTION,
    DeliveryKind.READY_CHECK,
    DeliveryKind.RESULT,
)


class ProcessKilled(BaseException):
    """The process ends here."""


class RecordingCourier:
    """Delivers as the platform would, and remembers all that has arrived."""

    def __init__(self) -> None:
        """Everything arrives until the test says otherwise."""
        self.planned_outcomes: dict[DeliveryKind, list[str]] = {}
        """What becomes of the next deliveries of a kind; what follows them arrives."""
        self.deleted_channels: set[int] = set()
        """Channels that are no more."""
        self.closed_dm_seats: set[int] = set()
        """Seats whose direct messages are closed."""
        self.board_plies: list[int] = []
        """The ply that each board shows, in the order of arrival."""
        self.notices: list[tuple[int, str]] = []
        """(delivery, text), without those that the nonce has recognised."""
        self.refused_deliveries: set[int] = set()
        """Deliveries that were refused for good."""
        self._message_id_by_delivery: dict[int, int] = {}
        """By the id of a delivery, which is the nonce of what is sent."""

    async def deliver(
        self,
        delivery: Delivery,
        table: Table,
        posted_messages: dict[Slot, PostedMessage],
        attempt: Attempt,
    ) -> DeliveryResult:
        """Make one attempt."""
        outcomes = self.planned_outcomes.get(delivery.kind)
        outcome = outcomes.pop() if outcomes else "arrives"
        await asyncio.sleep(0)
        match outcome:
            case "later":
                raise TryLater
            case "much later":
                raise TryLater(120)
            case "our fault":
                raise RuntimeError("drawing")
            case "killed before":
                raise ProcessKilled
        self._refuse_if_unreachable(delivery, table)
        message_id = self._post(delivery, table)
        if outcome == "killed after":
            raise ProcessKilled
        if outcome == "lost answer":
            raise TryLater
        return DeliveryResult(
            PostedMessage(delivery.slot, table.row.game_channel, message_id, table.row.ply, 0.0)
        )

    def _refuse_if_unreachable(self, delivery: Delivery, table: Table) -> None:
        if delivery.kind in _CHANNEL_KINDS and table.row.game_channel in self.deleted_channels:
            self.refused_deliveries.add(delivery.id)
            raise Undeliverable("the channel is gone")
        if delivery.kind is DeliveryKind.HAND and delivery.slot.seat in self.closed_dm_seats:
            self.refused_deliveries.add(delivery.id)
            raise DirectMessagesClosed

    def _post(self, delivery: Delivery, table: Table) -> int:
        """Post the message and return its id; that of the earlier one if the nonce is known."""
        if delivery.kind is DeliveryKind.BOARD and table.match is not None:
            self.board_plies.append(table.row.ply)
        if delivery.id not in self._message_id_by_delivery:
            self._message_id_by_delivery[delivery.id] = len(self._message_id_by_delivery)
            if delivery.kind is DeliveryKind.NOTICE:
                self.notices.append((delivery.id, delivery.text))
        return self._message_id_by_delivery[delivery.id]
