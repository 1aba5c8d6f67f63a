"""Tracks which answers to stored changes have reached their users, so that a missed one is reported later.

An answer is missed if Discord did not accept it.  The store keeps each answer until it is known to have
arrived.  So after a crash a player may be shown an answer twice, but none is lost.
"""

from collections.abc import Iterable

from bot.store.protocol import Store
from bot.store.rows import PendingAnswer


class AnswerTracker:
    """The answers that are under way, and the missed ones."""

    def __init__(self, store: Store) -> None:
        """Nothing is known before ``load``."""
        self._store = store
        self._answers_under_way: dict[int, PendingAnswer] = {}
        self._missed_answers: dict[int, PendingAnswer] = {}
        """Both by interaction."""
        self._arrived_interactions: list[int] = []
        """Interactions whose answers have arrived, which is not stored yet."""

    async def load(self) -> None:
        """Load the answers that an earlier process left missed.  Raises StoreError."""
        self._missed_answers |= {each.interaction: each for each in await self._store.unconfirmed_answers()}

    def expect(self, answer: PendingAnswer) -> None:
        """Note that a change is stored and its answer is still to be sent."""
        self._answers_under_way[answer.interaction] = answer

    def mark_arrived(self, interactions: Iterable[int]) -> None:
        """Note that Discord has accepted the answers to interactions, or a later report of them."""
        for interaction in interactions:
            answer = self._answers_under_way.pop(interaction, None)
            if self._missed_answers.pop(interaction, answer) is not None:
                self._arrived_interactions.append(interaction)

    def mark_missed_unless_arrived(self, interaction: int) -> PendingAnswer | None:
        """Note that no answer to an interaction follows; return the missed one.

        None: it has arrived, or nothing was stored.
        """
        if interaction in self._answers_under_way:
            self._missed_answers[interaction] = self._answers_under_way.pop(interaction)
        return self._missed_answers.get(interaction)

    def missed_by(self, user: int) -> tuple[PendingAnswer, ...]:
        """Return the answers that a user has missed, oldest first."""
        missed_answers = (each for each in self._missed_answers.values() if each.user == user)
        return tuple(sorted(missed_answers, key=lambda each: each.interaction))

    def newest_missed_move_by_user(self, table_number: int) -> dict[int, int]:
        """Return, by user, the number of their newest move at a table among those with a missed answer."""
        return {
            each.user: each.move_number
            for each in sorted(self._missed_answers.values(), key=lambda each: each.interaction)
            if each.table_number == table_number and each.move_number is not None
        }

    def take_arrived(self) -> tuple[int, ...]:
        """Remove and return the interactions to store as answered; ``put_back`` undoes it."""
        interactions, self._arrived_interactions = tuple(self._arrived_interactions), []
        return interactions

    def put_back(self, interactions: Iterable[int]) -> None:
        """Add back the interactions that could not be stored as answered."""
        self._arrived_interactions = [*interactions, *self._arrived_interactions]

    async def flush(self) -> None:
        """Store which answers have arrived.  Raises StoreError."""
        interactions = self.take_arrived()
        if not interactions:
            return
        try:
            await self._store.mark_answered(interactions)
        except BaseException:
            self.put_back(interactions)
            raise
