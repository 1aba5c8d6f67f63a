"""Stores what was decided: one transaction, then the table in the cache, then the listeners."""

import logging
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import msgspec

from bot.clock import Clock
from bot.host.answer_tracker import AnswerTracker
from bot.host.changes import complete_decision, make_change
from bot.host.deciders.absence import without_absence
from bot.host.deciders.decision import THREAD_DELIVERY, Decision
from bot.host.preferences import PersonPreferences
from bot.host.request import Refusal, Request
from bot.host.table import Table
from bot.host.table_cache import TableCache
from bot.metrics import Metrics
from bot.store.protocol import Store, StoreError
from bot.store.rows import PendingAnswer, RepeatedInteraction

ChangeListener: TypeAlias = Callable[[Table], None]
"""Called with every changed table after it is stored: the outbox and the computer players act then."""

_log = logging.getLogger(__name__)


class ChangeResult(msgspec.Struct, frozen=True):
    """The outcome of a change."""

    answer: str
    """The text for the user who sent the request."""
    table: Table
    """The table as it is now."""
    is_repeat: bool = False
    """Whether the change had been made before, so that nothing was changed."""
    opens_thread: bool = False
    """Whether a game has started in a thread of its own, which is still to be opened."""
    ended_absence: bool = False
    """Whether the user was away until this move."""


class ResponseExpired(Refusal):
    """The response could no longer be shown, so nothing was changed."""


class Committer:
    """Commits decisions.  The caller must hold the table's lock."""

    def __init__(
        self,
        store: Store,
        cache: TableCache,
        answer_tracker: AnswerTracker,
        person_preferences: PersonPreferences,
        metrics: Metrics,
        clock: Clock,
    ) -> None:
        """``cache``: where changed tables are put; ``answer_tracker``: notes which answers have arrived."""
        self._store = store
        self._cache = cache
        self._answer_tracker = answer_tracker
        self._person_preferences = person_preferences
        self._metrics = metrics
        self._clock = clock
        self.listeners: list[ChangeListener] = []
        self.absence_end_listeners: list[Callable[[int], None]] = []
        """Called with each user who is back from an absence because they have moved."""

    async def commit(
        self, before: Table | None, request: Request | None, decision: Decision
    ) -> ChangeResult | RepeatedInteraction:
        """Store a decision in one transaction, then put its table into the cache and call the listeners.

        ``before``: None for a table that is opened, or frozen when it is loaded.  A repeated interaction is
        returned and changes nothing.  Raises ResponseExpired, StoreError.
        """
        gate = None if request is None else request.response_gate
        if gate is not None and not await gate.can_respond():
            raise ResponseExpired("That took too long. Nothing has changed. Please try again.")
        now, moving_user, returning_user = int(self._clock()), decision.moving_user, None
        people = dict(await self._person_preferences.get_many(decision.table.row.users))
        if moving_user is not None:
            person = people[moving_user]
            people[moving_user] = without_absence(person, now)
            returning_user = None if people[moving_user] == person else moving_user
        opens_thread = THREAD_DELIVERY in decision.deliveries  # a completed decision may also rename one
        decision = complete_decision(before, request, decision, people, now)
        after, answered_interactions = decision.table, self._answer_tracker.take_arrived()
        change = make_change(before, decision, request, answered_interactions, now)
        try:
            with self._metrics.time_commit():
                repeat = await self._store.commit(change)
        except StoreError:
            self._cache.evict(after.number)
            self._answer_tracker.put_back(answered_interactions)
            raise
        if repeat is not None:
            self._answer_tracker.put_back(answered_interactions)
            return repeat
        self._metrics.moves.labels(after.game.key).inc(len(change.records))
        self._cache.put(after)
        if change.awaits_answer and change.interaction is not None and change.user is not None:
            answer = PendingAnswer(
                change.interaction, after.number, change.user, change.move_number, change.answer
            )
            self._answer_tracker.expect(answer)
        if returning_user is not None:
            await self._end_absence(returning_user, now)
        for listener in self.listeners:
            listener(after)
        if returning_user is not None:
            for absence_end_listener in self.absence_end_listeners:
                absence_end_listener(returning_user)
        return ChangeResult(
            decision.answer,
            after,
            opens_thread=opens_thread,
            ended_absence=returning_user is not None,
        )

    async def _end_absence(self, user: int, now: int) -> None:
        """Store that a person is back, since their move is stored."""
        try:
            await self._person_preferences.change(user, partial(without_absence, now=now))
        except StoreError:  # the move counts; the next one ends the absence
            _log.exception("absence not ended: store unavailable")
