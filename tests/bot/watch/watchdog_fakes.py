"""A gateway and readers of metrics for tests of watchdogs."""

from bot.metrics import Metrics
from tests.bot.host.playing import ManualClock


class FakeGateway:
    """A gateway that answers or does not."""

    def __init__(self, clock: ManualClock) -> None:
        self.clock, self.last_event_at = clock, clock.now
        self.latency: float | None = 0.1
        self.answers = True
        self.ping_count = self.reconnect_count = 0

    async def ping(self, timeout_seconds: float) -> bool:
        """Count the question."""
        self.ping_count += 1
        if self.answers:
            self.last_event_at = self.clock.now
        return self.answers

    async def reconnect(self) -> None:
        """Count the attempt."""
        self.reconnect_count += 1


def count_alarms(metrics: Metrics, watch: str) -> float:
    """Return how often an alarm was logged."""
    return metrics.registry.get_sample_value("captains_table_alarms_total", {"watch": watch}) or 0.0


def read_gauge(metrics: Metrics, name: str) -> float:
    """Return the value of a metric without labels."""
    value = metrics.registry.get_sample_value(f"captains_table_{name}")
    assert value is not None
    return value
