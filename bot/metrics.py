"""The metrics of a running bot.  No label names a user, a server or a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

_PREFIX: Final = "captains_table"
FAULT_PLACES: Final = ("chat", "game", "outbox", "response", "store", "table", "watch")
"""Where faults of ours are counted."""
ALARM_WATCHES: Final = ("backup", "commit", "disk", "gateway", "loop", "outbox", "store")
"""What the watchdogs raise alarms about."""
_RESPONSE_BUCKETS: Final = (0.01, 0.03, 0.1, 0.3, 1.0, 1.8, 3.0, 10.0)
_COMMIT_BUCKETS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""The upper bounds of both histograms' buckets, in seconds."""


class Metrics:
    """All metrics of one process, in a registry of their own."""

    def __init__(self) -> None:
        """Start at zero."""
        self.registry = CollectorRegistry()

        def counter(name: str, documentation: str, *labels: str) -> Counter:
            return Counter(name, documentation, labels, namespace=_PREFIX, registry=self.registry)

        def gauge(name: str, documentation: str, *labels: str) -> Gauge:
            return Gauge(name, documentation, labels, namespace=_PREFIX, registry=self.registry)

        def histogram(name: str, documentation: str, buckets: tuple[float, ...]) -> Histogram:
            return Histogram(name, documentation, namespace=_PREFIX, registry=self.registry, buckets=buckets)

        self.moves = counter("moves", "Stored records of players and chance", "game")
        self.refusals = counter("refusals", "Refusals to people", "kind")
        self.faults = counter("faults", "Faults of ours", "place")
        self.alarms = counter("alarms", "Alarms of the watchdogs", "watch")
        self.deliveries = counter("deliveries", "Attempts to send, by their outcome", "kind", "outcome")
        self.api_calls = counter("api_calls", "Calls to Discord by the first digit of their status", "status")
        self.held_back_calls = counter("api_calls_held_back", "Calls that had to wait for the limit")
        self.responses = histogram(
            "response_seconds", "From an interaction's arrival to the end of its response", _RESPONSE_BUCKETS
        )
        self.commits = histogram("commit_seconds", "Duration of storing a change", _COMMIT_BUCKETS)
        self.outbox_waiting = gauge("outbox_waiting", "Deliveries that wait")
        self.outbox_stuck = gauge(
            "outbox_stuck_seconds", "For how long the slot that waits longest could not be sent"
        )
        self.outbox_blocked = gauge(
            "outbox_blocked", "Slots that wait for a permission or for the bot's return to a server"
        )
        self.tables = gauge("tables", "Tables by status", "status")
        self.gateway_latency = gauge("gateway_latency_seconds", "Latency of the gateway's heartbeat")
        self.gateway_silence = gauge("gateway_silence_seconds", "Time since the last event of the gateway")
        self.loop_lag = gauge("loop_lag_seconds", "Worst delay of the event loop since the last check")
        self.backup_age = gauge(
            "backup_age_seconds", "For how long a change has waited for a verified backup"
        )
        self.disk_free = gauge(
            "disk_free_bytes", "Free on the disk of the database or of the backups, whichever has less"
        )
        self.invalid_requests = gauge(
            "invalid_requests", "Invalid requests (401, 403, 429) in the last ten minutes"
        )
        # Prometheus counts no increase from a series that appears with its first fault.
        for place in FAULT_PLACES:
            self.faults.labels(place)
        for watch in ALARM_WATCHES:
            self.alarms.labels(watch)
        self._commit_start_times: dict[int, float] = {}
        """By number: of the commits under way."""
        self._started_commit_count = 0
        self._slowest_commit = 0.0

    @contextmanager
    def time_commit(self) -> Iterator[None]:
        """Measure the duration of one commit."""
        self._started_commit_count += 1
        number, started_at = self._started_commit_count, monotonic()
        self._commit_start_times[number] = started_at
        try:
            yield
        finally:
            del self._commit_start_times[number]
            seconds = monotonic() - started_at
            self.commits.observe(seconds)
            self._slowest_commit = max(self._slowest_commit, seconds)

    def take_slowest_commit_seconds(self) -> float:
        """Return the seconds of the slowest commit since the last call, those under way included."""
        slowest_seconds, self._slowest_commit = self._slowest_commit, 0.0
        return max(
            slowest_seconds,
            *(monotonic() - started_at for started_at in self._commit_start_times.values()),
            0.0,
        )
