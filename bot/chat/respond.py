"""Does the work of an interaction, so that its user gets a response in time, whatever happens.

Discord gives 3 seconds for the first response.  The response to an interaction that arrives late is deferred
before anything is done; if that is refused nothing is done.  If the work takes longer than
``MAX_WORK_BEFORE_DEFER``, the response is deferred and the work goes on.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from time import monotonic
from typing import Any, Concatenate, Final, ParamSpec

from bot.chat.interaction import Interaction, age_of
from bot.chat.missed_answers import show_missed_answer_on_board
from bot.chat.posts import fallback_post
from bot.chat.refusals import record_refusal, refusal_text, with_reference
from bot.chat.response import NoResponsePossible, NotDelivered, Response
from bot.error_ids import new_error_id
from bot.host.game_guard import GameFault
from bot.host.request import Refusal
from bot.host.table import IN_PLAY
from bot.host.tables import Tables
from bot.store.protocol import StoreError
from bot.store.rows import Status

P = ParamSpec("P")

MAX_WORK_BEFORE_DEFER: Final = 1.8
"""Seconds of work before the response is deferred."""
MAX_AGE_BEFORE_DEFER: Final = 2.2
"""The age of an interaction in seconds at which it is deferred if its work is not done by then."""
MIN_AGE_TO_DEFER_FIRST: Final = 1.5
"""The age of an interaction in seconds above which it is deferred before anything is done."""
_FAULT_TEXT: Final = (
    "Something went wrong. The bot's operator can look it up with this reference.\n-# Reference {}"
)
_NOT_STORED_TEXT: Final = (
    "I could not read or store this. Nothing has changed. Try again in a minute. If it fails again, tell the"
    " bot's operator.\n-# Reference {}"
)
_CONSEQUENCES_NOT_STORED_TEXT: Final = "I could not read or store what follows from it.\n-# Reference {}"
"""Shown below what was stored, which counts as a missed answer."""

_log = logging.getLogger(__name__)


def with_response(
    callback: Callable[Concatenate[Response, P], Awaitable[None]],
) -> Callable[Concatenate[Interaction, P], Coroutine[Any, Any, None]]:
    """Turn a function that takes a Response in place of the interaction into a command's callback.

    Whatever the function raises, the user gets a response (``respond``).
    """

    @wraps(callback)
    async def respond_to(interaction: Interaction, /, *args: P.args, **kwargs: P.kwargs) -> None:
        await respond(interaction, lambda response: callback(response, *args, **kwargs))

    return respond_to


async def respond(
    interaction: Interaction, work: Callable[[Response], Awaitable[None]], *, replaces_message: bool = False
) -> None:
    """Do the work of one interaction and make sure that its user gets a response."""
    response = Response(interaction, replaces_message=replaces_message)
    host = interaction.client.host
    began_at = monotonic()
    task = asyncio.current_task()
    assert task is not None
    host.responses_under_way.add(task)
    try:
        await _work_or_explain(response, work)
        missed_answer = host.tables.answer_tracker.mark_missed_unless_arrived(interaction.id)
        if missed_answer is not None:
            await show_missed_answer_on_board(host.tables, missed_answer)
    finally:
        host.responses_under_way.discard(task)
        host.metrics.responses.observe(monotonic() - began_at)


async def _work_or_explain(response: Response, work: Callable[[Response], Awaitable[None]]) -> None:
    """Do the work; where it fails, explain that to the user."""
    interaction, host = response.interaction, response.interaction.client.host
    refusals, faults = host.metrics.refusals, host.metrics.faults
    try:
        host.request_limiter.admit(interaction.user.id)
        if age_of(interaction) > MIN_AGE_TO_DEFER_FIRST:
            await response.defer()
        await _finish_work(response, asyncio.ensure_future(work(response)))
    except Refusal as refusal:
        record_refusal(interaction, refusal)
        await _explain_failure(response, refusal_text(refusal))
    except NoResponsePossible:
        refusals.labels(NoResponsePossible.__name__).inc()
        _log.info("request dropped: no response possible")
    except StoreError:
        error_id = new_error_id()
        faults.labels("store").inc()
        _log.exception("store failure", extra={"error_id": error_id})
        has_stored = host.tables.answer_tracker.mark_missed_unless_arrived(interaction.id) is not None
        text = _CONSEQUENCES_NOT_STORED_TEXT if has_stored else _NOT_STORED_TEXT
        await _explain_failure(response, text.format(error_id))
    except NotDelivered as error:
        faults.labels("response").inc()
        _log.warning("response not delivered", exc_info=error)
    except GameFault as fault:
        await _explain_failure(response, await _freeze_game_and_describe(response.tables, fault))
    except Exception:  # noqa: BLE001 - nobody is left without a response
        error_id = new_error_id()
        faults.labels("chat").inc()
        _log.exception("fault in an interaction", extra={"error_id": error_id})
        await _explain_failure(response, _FAULT_TEXT.format(error_id))


async def _freeze_game_and_describe(tables: Tables, fault: GameFault) -> str:
    """Freeze the game that failed; return what its user reads: that it failed, or is over or frozen."""
    if fault.error_id:  # a change of the table met it and has frozen the game
        return _FAULT_TEXT.format(fault.error_id)
    try:
        table_before = await tables.get(fault.table_number)
        error_id = await tables.handle_fault(fault)
    except (Refusal, StoreError):
        error_id = new_error_id()
        _log.exception(
            "game not frozen after a fault", extra={"table": fault.table_number, "error_id": error_id}
        )
        return _FAULT_TEXT.format(error_id)
    if table_before.status in IN_PLAY or table_before.status is Status.LOBBY:
        return _FAULT_TEXT.format(error_id)
    return with_reference(fallback_post(table_before).text, error_id)


async def _finish_work(response: Response, task: "asyncio.Future[None]") -> None:
    """Wait for the work, and defer the response if it takes long.  If that is refused the work is cancelled.

    Raises what the work raises, NoResponsePossible.
    """
    try:
        seconds_left = MAX_AGE_BEFORE_DEFER - age_of(response.interaction)
        done, _ = await asyncio.wait({task}, timeout=max(0.0, min(MAX_WORK_BEFORE_DEFER, seconds_left)))
        if not done:
            await response.defer()
        await task
    finally:
        task.cancel()


async def _explain_failure(response: Response, text: str) -> None:
    # what was stored before the failure is named in this answer, or in the next
    response.tables.answer_tracker.mark_missed_unless_arrived(response.interaction.id)
    try:
        await response.send_text(text)
    except NotDelivered as error:
        _log.warning("last response not delivered", exc_info=error)
