"""The bot with one seeded defect, to be caught: ``python -m tests.bot.e2e.seeded_defects DEFECT``."""

import secrets
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final

from msgspec.structs import replace

from bot.__main__ import main
from bot.chat import delivery_refusals, messages, respond, response
from bot.chat.courier import DiscordCourier
from bot.chat.delivery_context import DeliveryContext
from bot.chat.messages import TableMessages
from bot.chat.response import NotDelivered, Response
from bot.host.courier_protocol import Undeliverable
from bot.store import tables
from bot.store.deliveries import queue_delivery
from bot.store.delivery_rows import NewDelivery


def renew_nonces() -> None:
    """Each attempt to post makes a message of its own."""
    post = TableMessages._request_post

    async def post_with_new_nonce(self: TableMessages, context: DeliveryContext, *arguments: Any) -> Any:
        delivery = replace(context.delivery, id=secrets.randbits(60))
        return await post(self, context._replace(delivery=delivery), *arguments)

    TableMessages._request_post = post_with_new_nonce  # type: ignore[method-assign, assignment]


def drop_failed_deliveries() -> None:
    """A delivery that failed once is dropped."""
    deliver = DiscordCourier.deliver

    async def deliver_once(self: DiscordCourier, *arguments: Any) -> Any:
        try:
            return await deliver(self, *arguments)
        except Exception as error:
            raise Undeliverable from error

    DiscordCourier.deliver = deliver_once  # type: ignore[method-assign, assignment]


def drop_failed_responses() -> None:
    """An answer whose line was cut is not sent again."""

    async def send_once(self: Response, call: Callable[[], Awaitable[object]], **_: object) -> None:
        try:
            await call()
        except response.SEND_ERRORS as error:
            raise NotDelivered from error

    Response._send = send_once  # type: ignore[method-assign]


def defer_no_response() -> None:
    """Late requests are carried out first and answered afterwards."""
    respond.MIN_AGE_TO_DEFER_FIRST = respond.MAX_WORK_BEFORE_DEFER = respond.MAX_AGE_BEFORE_DEFER = 1e9  # type: ignore[misc]


def post_no_board_anew() -> None:
    """A board that cannot be edited counts as delivered."""
    messages._UNEDITABLE_ERRORS = ()  # type: ignore[misc, assignment]


def hide_closed_messages() -> None:
    """A player whose direct messages are closed gets no notice."""
    delivery_refusals.means_direct_messages_closed = lambda error: False


def supersede_lost_posts() -> None:
    """Something newer takes the place of a post of unknown outcome."""

    def supersede(
        connection: sqlite3.Connection, number: int, ply: int, delivery: NewDelivery, at: int
    ) -> None:
        connection.execute("update outbox set pending_channel = null where match = ?", (number,))
        queue_delivery(connection, number, ply, delivery, at)

    tables.queue_delivery = supersede  # type: ignore[attr-defined]


DEFECTS: Final = {
    defect.__name__: defect
    for defect in (
        renew_nonces,
        drop_failed_deliveries,
        drop_failed_responses,
        defer_no_response,
        post_no_board_anew,
        hide_closed_messages,
        supersede_lost_posts,
    )
}
"""By name."""

if __name__ == "__main__":
    DEFECTS[sys.argv[1]]()
    sys.exit(main(["run"]))
