"""What is counted and measured while the bot runs.  No meter is labelled with a user, a server or a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_PREFIX: Final = "captains_table"
_ANSWERS: Final = (0.01, 0.03, 0.1, 0.3, 1.0, 1.8, 3.0, 10.0)
_COMMITS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


class Metrics:
    """One set a process; tests make their own."""

    def __init__(self) -> None:
        """Everything at zero."""
        self.registry = CollectorRegistry()

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(name, text, labels, namespace=_PREFIX, registry=self.registry)

        def gauge(name: str, text: str, *labels: str) -> Gauge:
            return Gauge(name, text, labels, namespace=_PREFIX, registry=self.registry)

        def histogram(name: str, text: str, buckets: tuple[float, ...]) -> Histogram:
            return Histogram(name, text, namespace=_PREFIX, registry=self.registry, buckets=buckets)

        self.moves = counter("moves", "Records of players and chance that were stored", "game")
        self.refusals = counter("refusals", "Acts that were refused", "kind")
        self.faults = counter("faults", "Faults of ours", "place")
        self.alarms = counter("alarms", "What the watchdogs have noticed", "watch")
        self.deliveries = counter("deliveries", "What came of attempts to send", "kind", "outcome")
        self.api_calls = counter("api_calls", "Calls to Discord by the first digit of their answer", "status")
        self.held_back = counter("api_calls_held_back", "Calls that had to wait for their turn")
        self.answers = histogram(
            "answer_seconds", "From an interaction's arrival to the end of its answer", _ANSWERS
        )
        self.commits = histogram("commit_seconds", "How long storing a change took", _COMMITS)
        self.outbox = gauge("outbox_waiting", "Deliveries that wait")
        self.outbox_age = gauge(
            "outbox_stuck_seconds", "For how long the worst table's sending has not worked"
        )
        self.outbox_barred = gauge(
            "outbox_barred", "Slots of tables that wait for a right or for the bot's return"
        )
        self.tables = gauge("tables", "Tables by status", "status")
        self.latency = gauge("gateway_latency_seconds", "Of the gateway's heartbeat")
        self.silence = gauge("gateway_silence_seconds", "Since the gateway was heard last")
        self.loop_lag = gauge("loop_lag_seconds", "The event loop's worst delay since the last look")
        self.backup_age = gauge("backup_age_seconds", "How long a change has waited for a verified backup")
        self.invalid = gauge("invalid_requests", "Refused calls (401, 403, 429) in the last ten minutes")
        self._committing: dict[int, float] = {}
        self._commits_begun = 0
        self._slowest = 0.0

    @contextmanager
    def commit(self) -> Iterator[None]:
        """Measure one commit."""
        self._commits_begun += 1
        number, began = self._commits_begun, monotonic()
        self._committing[number] = began
        try:
            yield
        finally:
            del self._committing[number]
            took = monotonic() - began
            self.commits.observe(took)
            self._slowest = max(self._slowest, took)

    def slowest_commit(self) -> float:
        """Seconds that the slowest commit has taken since this was asked last, those under way included."""
        slowest, self._slowest = self._slowest, 0.0
        return max(slowest, *(monotonic() - began for began in self._committing.values()), 0.0)
